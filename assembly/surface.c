/* SPDX-License-Identifier: MIT */
/* Surfaces of triangles: the nearest triangle of a point, contacts (surface.h).  Nearest point of a
 * triangle: Ericson (2005), Real-Time Collision Detection, 5.1.5. */
#include "surface.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "base/vector.h"
#include "problem/problem_internal.h"

/* ---- present positions ---- */

static void box_of_triangle(const saddle__surface *s, int64_t triangle, double *box)
{
    for (int i = 0; i < 3; i++) {
        box[i] = INFINITY;
        box[3 + i] = -INFINITY;
        for (int k = 0; k < 3; k++) {
            const double x = s->x[3 * s->triangle[3 * triangle + k] + i];
            box[i] = fmin(box[i], x);
            box[3 + i] = fmax(box[3 + i], x);
        }
    }
}

static void update_boxes(saddle__surface *s, double *box, int64_t from, int64_t to)
{
    const int64_t half = (to - from) / 2;
    if (to - from == 1) {
        box_of_triangle(s, s->order[from], box);
        return;
    }
    double *first = box + 6, *second = box + 6 * 2 * half;
    update_boxes(s, first, from, from + half);
    update_boxes(s, second, from + half, to);
    for (int i = 0; i < 3; i++) {
        box[i] = fmin(first[i], second[i]);
        box[3 + i] = fmax(first[3 + i], second[3 + i]);
    }
}

/* n (3): the triangle's area times twice its normal. */
static void triangle_normal(const saddle__surface *s, int64_t triangle, double *n)
{
    const int64_t *node = s->triangle + 3 * triangle;
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = s->x[3 * node[1] + k] - s->x[3 * node[0] + k];
        v[k] = s->x[3 * node[2] + k] - s->x[3 * node[0] + k];
    }
    saddle__cross(u, v, n);
}

static void update_normals(saddle__surface *s)
{
    for (int64_t k = 0; k < s->nodes; k++)
        memset(s->normal + 3 * s->node[k], 0, 3 * sizeof *s->normal);
    for (int64_t t = 0; t < s->triangles; t++) {
        double n[3];
        triangle_normal(s, t, n);
        for (int k = 0; k < 9; k++) s->normal[3 * s->triangle[3 * t + k / 3] + k % 3] += n[k % 3];
    }
}

const double *saddle__surface_update(saddle__surface *surface, const double *x)
{
    surface->x = x;
    update_normals(surface);
    update_boxes(surface, surface->box, 0, surface->triangles);
    return surface->box;
}

/* ---- nearest points ---- */

typedef struct nearest { /* the point y of a triangle nearest to x */
    int64_t triangle;    /* -1 = none */
    double weight[3], y[3];
    double square;    /* |x - y|^2 */
    double normal[3]; /* of the triangle, unit; 0 = no area */
} nearest;

typedef struct query {
    double x[3];
    const double *facing; /* only triangles with a normal against this direction; NULL = all */
    double radius;        /* x: the centre of a sphere */
    double margin;
} query;

static double clamp(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* w (3): weights of the point nearest to x on the edge from corner i to corner j. */
static void nearest_on_edge(double (*p)[3], int i, int j, const double *x, double *w)
{
    double edge[3], to[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = p[j][k] - p[i][k];
        to[k] = x[k] - p[i][k];
    }
    const double length = saddle__dot(edge, edge);
    const double t = length > 0 ? clamp(saddle__dot(edge, to) / length) : 0;
    w[0] = w[1] = w[2] = 0;
    w[i] = 1 - t;
    w[j] = t;
}

static void set_nearest(double (*p)[3], const double *w, const double *x, nearest *found)
{
    double apart[3];
    for (int k = 0; k < 3; k++) {
        found->weight[k] = w[k];
        found->y[k] = w[0] * p[0][k] + w[1] * p[1][k] + w[2] * p[2][k];
        apart[k] = x[k] - found->y[k];
    }
    found->square = saddle__dot(apart, apart);
}

/* n (3): the triangle's area times twice its normal, not 0. */
static void nearest_on_triangle(const saddle__surface *s, const double *n, const double *x,
                                nearest *found)
{
    double p[3][3], u[3], v[3], to[3], cross[3], w[3];
    for (int k = 0; k < 3; k++)
        memcpy(p[k], s->x + 3 * s->triangle[3 * found->triangle + k], sizeof p[k]);
    for (int k = 0; k < 3; k++) {
        u[k] = p[1][k] - p[0][k];
        v[k] = p[2][k] - p[0][k];
        to[k] = x[k] - p[0][k];
    }
    const double area = saddle__dot(n, n);
    saddle__cross(to, v, cross);
    w[1] = saddle__dot(cross, n) / area;
    saddle__cross(u, to, cross);
    w[2] = saddle__dot(cross, n) / area;
    w[0] = 1 - w[1] - w[2];
    if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) {
        set_nearest(p, w, x, found);
        return;
    }
    found->square = INFINITY;
    for (int k = 0; k < 3; k++) {
        nearest other = *found;
        nearest_on_edge(p, k, (k + 1) % 3, x, w);
        set_nearest(p, w, x, &other);
        if (other.square < found->square) *found = other;
    }
}

static double square_from_box(const double *box, const double *x)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        const double off = fmax(fmax(box[i] - x[i], x[i] - box[3 + i]), 0);
        square += off * off;
    }
    return square;
}

/* x - y over the triangle's plane, and beside the triangle. */
static double height_of(const double *x, const nearest *on, double *beside)
{
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = x[k] - on->y[k];
    const double height = saddle__dot(apart, on->normal);
    *beside = sqrt(fmax(on->square - height * height, 0));
    return height;
}

/* Several triangles with one nearest point, on an edge or a corner: the one that most faces x
 * decides between inside and outside. */
static int is_nearer(const double *x, const nearest *one, const nearest *other)
{
    double beside, apart[3];
    const double same = SADDLE__VISIBLE_PART * other->square;
    for (int k = 0; k < 3; k++) apart[k] = one->y[k] - other->y[k];
    if (fabs(one->square - other->square) > same ||
        saddle__dot(apart, apart) > SADDLE__VISIBLE_PART * same)
        return one->square < other->square;
    return fabs(height_of(x, one, &beside)) > fabs(height_of(x, other, &beside));
}

static void search(const saddle__surface *s, const double *box, int64_t from, int64_t to,
                   const query *q, nearest *best)
{
    const int64_t half = (to - from) / 2;
    if (!(square_from_box(box, q->x) <= best->square * (1 + SADDLE__VISIBLE_PART))) return;
    if (to - from == 1) {
        nearest found = {.triangle = s->order[from]};
        double n[3];
        triangle_normal(s, found.triangle, n);
        if (!(saddle__dot(n, n) > 0) || (q->facing && !(saddle__dot(n, q->facing) < 0))) return;
        saddle__direction(n, found.normal);
        nearest_on_triangle(s, n, q->x, &found);
        if (best->triangle < 0 ? found.square < best->square : is_nearer(q->x, &found, best))
            *best = found;
        return;
    }
    const double *first = box + 6, *second = box + 6 * 2 * half;
    const int turned = square_from_box(second, q->x) < square_from_box(first, q->x);
    if (turned) search(s, second, from + half, to, q, best);
    search(s, first, from, from + half, q, best);
    if (!turned) search(s, second, from + half, to, q, best);
}

/* 1: x is within the surface, or outside by less than `same`: below the plane of the nearest of all
 * triangles. */
static int is_inside(const saddle__surface *s, const query *q, double reach, double same)
{
    const query all = {.x = {q->x[0], q->x[1], q->x[2]}};
    nearest on = {.triangle = -1, .square = reach * reach};
    double beside;
    search(s, s->box, 0, s->triangles, &all, &on);
    return on.triangle >= 0 && (height_of(q->x, &on, &beside) < 0 || on.square < same * same);
}

/* 1: a contact of the point with the surface: gap, and the outward normal; *best: where.  A point
 * below the plane of a face overlaps if it is inside, and no farther beside the face than below. */
static int touch_surface(const saddle__surface *s, const query *q, nearest *best, double *gap,
                         double *outward)
{
    const double reach = fmax(q->margin + q->radius, s->depth), same = 1e-3 * s->depth;
    double beside;
    *best = (nearest){.triangle = -1, .square = reach * reach};
    search(s, s->box, 0, s->triangles, q, best);
    if (best->triangle < 0) return 0;
    const double height = height_of(q->x, best, &beside), distance = sqrt(best->square),
                 sign = height < 0 ? -1 : 1;
    if (height < 0 && (beside > fmax(-height, same) || !is_inside(s, q, reach, same))) return 0;
    *gap = sign * distance - q->radius;
    if (!(*gap <= q->margin) || sign * distance < -s->depth) return 0;
    memcpy(outward, best->normal, 3 * sizeof *outward);
    if (distance <= SADDLE__VISIBLE_PART * s->depth || (height < 0 && beside <= same)) return 1;
    for (int k = 0; k < 3; k++) outward[k] = sign * (q->x[k] - best->y[k]) / distance;
    return 1;
}

/* ---- contacts ---- */

static saddle_status add_contact(saddle_context *context, saddle__surface_contacts *found,
                                 saddle__surface_contact **contact)
{
    SADDLE__TRY(saddle__reserve(context, &found->contact, &found->capacity, found->count + 1,
                                sizeof *found->contact));
    *contact = &found->contact[found->count++];
    **contact = (saddle__surface_contact){0};
    return SADDLE_OK;
}

static saddle_contact_side node_side(int64_t node)
{
    return (saddle_contact_side){.count = 1, .node = {node}, .weight = {1}};
}

static saddle_contact_side face_side(const saddle__surface *s, const nearest *on)
{
    saddle_contact_side side = {.count = 3};
    memcpy(side.node, s->triangle + 3 * on->triangle, 3 * sizeof *side.node);
    memcpy(side.weight, on->weight, sizeof on->weight);
    return side;
}

/* ---- boxes ---- */

enum { BOX_TRIANGLES = 12 };

typedef struct box_surface {
    saddle__surface surface;
    int64_t triangle[3 * BOX_TRIANGLES], node[8], order[BOX_TRIANGLES];
    double x[24], normal[24], box[12 * BOX_TRIANGLES];
} box_surface;

/* The surface of a box, over its corners. */
static void make_box(const saddle__solid *A, box_surface *made)
{
    static const int64_t triangles[3 * BOX_TRIANGLES] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
                                                         0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3,
                                                         0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    memcpy(made->triangle, triangles, sizeof triangles);
    made->surface = (saddle__surface){.triangles = BOX_TRIANGLES,
                                      .triangle = made->triangle,
                                      .nodes = 8,
                                      .node = made->node,
                                      .order = made->order,
                                      .box = made->box,
                                      .normal = made->normal,
                                      .depth = fmin(A->half[0], fmin(A->half[1], A->half[2]))};
    for (int64_t k = 0; k < 8; k++) {
        made->node[k] = k;
        saddle__solid_corner(A, k, made->x + 3 * k);
    }
    for (int64_t k = 0; k < BOX_TRIANGLES; k++) made->order[k] = k;
    (void)saddle__surface_update(&made->surface, made->x);
}

/* Nodes of B on the solid A, no box. */
static saddle_status nodes_on_solid(saddle_context *context, const saddle__solid *A,
                                    const saddle__surface *B, double margin,
                                    saddle__surface_contacts *found)
{
    double lo[3], hi[3];
    saddle__solid_bounds(A, lo, hi);
    for (int64_t k = 0; k < B->nodes; k++) {
        const double *x = B->x + 3 * B->node[k];
        saddle__solid node = {.kind = SADDLE_TOUCH_SPHERE, .pose = saddle_pose_identity()};
        saddle__touching touching[SADDLE__TOUCHES_MAX];
        saddle__surface_contact *contact;
        int64_t count;
        int near = 1;
        const double *n = B->normal + 3 * B->node[k];
        for (int i = 0; i < 3; i++) near &= x[i] >= lo[i] - margin && x[i] <= hi[i] + margin;
        if (!near) continue;
        memcpy(node.pose.p, x, sizeof node.pose.p);
        SADDLE__TRY(saddle__collide(&node, A, margin, touching, &count));
        if (count == 0 || !(saddle__dot(touching[0].normal, n) > 0)) continue;
        SADDLE__TRY(add_contact(context, found, &contact));
        contact->label = 2 * k;
        contact->gap = touching[0].gap;
        for (int i = 0; i < 3; i++) contact->normal[i] = -touching[0].normal[i];
        memcpy(contact->a.point, touching[0].b, sizeof touching[0].b);
        contact->b = node_side(B->node[k]);
    }
    return SADDLE_OK;
}

/* The points of a solid that faces can touch: corners, centres of spheres, ends of axes; x (3). */
static int64_t point_count(const saddle__solid *A, double *radius)
{
    *radius = A->kind == SADDLE_TOUCH_SPHERE || A->kind == SADDLE_TOUCH_CAPSULE ? A->half[0] : 0;
    switch (A->kind) {
    case SADDLE_TOUCH_SPHERE: return 1;
    case SADDLE_TOUCH_CAPSULE: return 2;
    case SADDLE_TOUCH_BOX: return 8;
    case SADDLE_TOUCH_CONVEX: return A->corner_count;
    default: return 0;
    }
}

/* facing (3): outwards at corner k of a box or polytope, from the mean of its corners. */
static void corner_normal(const saddle__solid *A, const double *x, double *facing)
{
    double mean[3] = {0}, middle[3];
    for (int64_t k = 0; A->kind == SADDLE_TOUCH_CONVEX && k < 3 * A->corner_count; k++)
        mean[k % 3] += A->corner[k] / (double)A->corner_count;
    saddle_pose_point(&A->pose, mean, middle);
    for (int k = 0; k < 3; k++) facing[k] = x[k] - middle[k];
}

static int is_corner(const nearest *on)
{
    return fmax(fmax(on->weight[0], on->weight[1]), on->weight[2]) >= 1;
}

/* Points of the solid A on faces of B.  A corner on a node is a contact of the node. */
static saddle_status points_on_faces(saddle_context *context, const saddle__solid *A,
                                     const saddle__surface *B, double margin,
                                     saddle__surface_contacts *found)
{
    double radius, facing[3];
    const int64_t count = point_count(A, &radius);
    for (int64_t k = 0; k < count; k++) {
        query q = {.radius = radius, .margin = margin};
        double outward[3], gap;
        nearest on;
        saddle__surface_contact *contact;
        saddle__solid_corner(A, k, q.x);
        corner_normal(A, q.x, facing);
        if (radius == 0) q.facing = facing;
        if (!touch_surface(B, &q, &on, &gap, outward)) continue;
        if (is_corner(&on)) continue;
        SADDLE__TRY(add_contact(context, found, &contact));
        contact->label = 2 * k + 1;
        contact->gap = gap;
        for (int i = 0; i < 3; i++) {
            contact->normal[i] = -outward[i];
            contact->a.point[i] = q.x[i] - radius * outward[i];
        }
        contact->b = face_side(B, &on);
    }
    return SADDLE_OK;
}

/* Nodes of one surface on faces of the other.  second: 1 = the nodes are B's; two nodes that meet
 * are a contact of the first way.  is_box: 1 = the faces are those of a box. */
static saddle_status nodes_on_faces(saddle_context *context, const saddle__surface *of_nodes,
                                    const saddle__surface *of_faces, double margin, int second,
                                    int is_box, saddle__surface_contacts *found)
{
    for (int64_t k = 0; k < of_nodes->nodes; k++) {
        const int64_t node = of_nodes->node[k];
        query q = {.facing = of_nodes->normal + 3 * node, .margin = margin};
        double outward[3], gap;
        nearest on;
        saddle__surface_contact *contact;
        memcpy(q.x, of_nodes->x + 3 * node, sizeof q.x);
        if (!touch_surface(of_faces, &q, &on, &gap, outward)) continue;
        if (second && !is_box && is_corner(&on)) continue;
        SADDLE__TRY(add_contact(context, found, &contact));
        contact->label = 2 * k + (second && !is_box);
        contact->gap = gap;
        for (int i = 0; i < 3; i++) contact->normal[i] = second ? outward[i] : -outward[i];
        *(second ? &contact->b : &contact->a) = node_side(node);
        if (is_box)
            memcpy(contact->a.point, on.y, sizeof on.y);
        else
            *(second ? &contact->a : &contact->b) = face_side(of_faces, &on);
    }
    return SADDLE_OK;
}

saddle_status saddle__collide_surface(saddle_context *context, const saddle__solid *A,
                                      const saddle__surface *of_A, const saddle__surface *B,
                                      double margin, saddle__surface_contacts *found)
{
    found->count = 0;
    if (of_A) {
        SADDLE__TRY(nodes_on_faces(context, of_A, B, margin, 0, 0, found));
        return nodes_on_faces(context, B, of_A, margin, 1, 0, found);
    }
    if (A->kind == SADDLE_TOUCH_BOX) {
        box_surface box;
        make_box(A, &box);
        SADDLE__TRY(nodes_on_faces(context, B, &box.surface, margin, 1, 1, found));
    } else {
        SADDLE__TRY(nodes_on_solid(context, A, B, margin, found));
    }
    return points_on_faces(context, A, B, margin, found);
}
