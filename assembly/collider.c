/* SPDX-License-Identifier: MIT */
/* A collider: shapes of parts, surfaces among them, pairs by bounding boxes, contact points
 * (collide.h), ids. */
#include "saddle/collider.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collide.h"
#include "model_internal.h"
#include "problem/problem_internal.h"
#include "surface.h"

/* An id is FLAG + first shape, second shape, label, with these numbers of bits.  A surface has two
 * labels for each node, of which a triangle may have three of its own. */
enum { SHAPE_BITS = 20, LABEL_BITS = 20, TRIANGLES_MOST = (1 << (LABEL_BITS - 1)) / 3 };
#define FLAG ((int64_t)1 << (2 * SHAPE_BITS + LABEL_BITS))

typedef struct extent {
    double lo[3], hi[3];
} extent;

typedef struct place { /* of a box along the axis of the sweep */
    double lo;
    int64_t box;
} place;

typedef struct box_pairs {
    int64_t count, capacity; /* pairs */
    int64_t *pair;           /* first * 2^32 + second, first < second, ascending */
    place *order;            /* boxes along the axis */
    int64_t order_capacity;
} box_pairs;

typedef struct touch {
    char *name;          /* owned */
    double *corner;      /* owned; solid.corner */
    saddle__solid solid; /* in the present pose */
    saddle__surface surface;
    extent bounds; /* with half the margin */
    saddle_handle part;
    saddle_pose pose; /* in the part */
    double mu, mu_torsion, mu_rolling, restitution;
    int impact;
    saddle_compliance compliance;
    uint32_t group;
    int moves;
    saddle_touch_def def; /* as given, with name and corners of this struct */
    saddle_anchor root;   /* of the part: what the shape moves with rigidly */
} touch;

struct saddle_collider {
    saddle_model *model;
    int64_t count, capacity;
    touch *shape;
    int64_t ignored_count, ignored_capacity;
    uint64_t (*ignored)[2]; /* pairs of parts, sorted, the smaller key first */
    box_pairs pairs;
    saddle__surface_contacts found; /* of a pair */
};

/* ---- surfaces ---- */

typedef struct leaf {
    double key;
    int64_t triangle;
} leaf;

static int by_key(const void *a, const void *b)
{
    const leaf *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

/* Sum of a triangle's corners along an axis. */
static double along(const saddle__surface *s, const double *x, int64_t triangle, int axis)
{
    const int64_t *node = s->triangle + 3 * triangle;
    return x[3 * node[0] + axis] + x[3 * node[1] + axis] + x[3 * node[2] + axis];
}

/* The axis along which the triangles from .. to are spread most. */
static int longest_axis(const saddle__surface *s, const double *x, int64_t from, int64_t to)
{
    int longest = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int64_t k = from; k < to; k++) {
            const double at = along(s, x, s->order[k], axis);
            lo = fmin(lo, at);
            hi = fmax(hi, at);
        }
        if (hi - lo > most) longest = axis;
        most = fmax(most, hi - lo);
    }
    return longest;
}

/* Sorts the leaves from .. to into halves, along the longest axis of each. */
static void build_tree(saddle__surface *s, const double *x, int64_t from, int64_t to, leaf *work)
{
    if (to - from < 2) return;
    const int axis = longest_axis(s, x, from, to);
    for (int64_t k = from; k < to; k++)
        work[k] = (leaf){along(s, x, s->order[k], axis), s->order[k]};
    qsort(work + from, (size_t)(to - from), sizeof *work, by_key);
    for (int64_t k = from; k < to; k++) s->order[k] = work[k].triangle;
    build_tree(s, x, from, from + (to - from) / 2, work);
    build_tree(s, x, from + (to - from) / 2, to, work);
}

static void clear_surface(saddle_context *context, saddle__surface *surface)
{
    saddle__release_all(context, surface->triangle, surface->node, surface->order, surface->box,
                        surface->normal);
}

static double mean_edge(int64_t count, const int64_t *triangles, const double *x)
{
    double sum = 0;
    for (int64_t k = 0; k < 3 * count; k++) {
        const double *p = x + 3 * triangles[k], *q = x + 3 * triangles[k % 3 == 2 ? k - 2 : k + 1];
        sum += sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) +
                    (p[2] - q[2]) * (p[2] - q[2]));
    }
    return sum / (3 * (double)count);
}

/* A copy of triangles (3 x count; nodes from 0) with its tree.  rest: positions of the nodes.
 * depth: 0 = the mean length of the edges.  SADDLE_OUT_OF_MEMORY: *made is half-built. */
static saddle_status create_surface(saddle_context *context, int64_t count,
                                    const int64_t *triangles, const double *rest, double depth,
                                    saddle__surface *made)
{
    *made = (saddle__surface){.triangles = count,
                              .depth = depth > 0 ? depth : mean_edge(count, triangles, rest)};
    leaf *work = saddle_allocate(context, count, sizeof *work);
    made->triangle = saddle_allocate(context, 3 * count, sizeof *made->triangle);
    made->node = saddle_allocate(context, 3 * count, sizeof *made->node);
    made->order = saddle_allocate(context, count, sizeof *made->order);
    made->box = saddle_allocate(context, 12 * count, sizeof *made->box);
    if (!work || !made->triangle || !made->node || !made->order || !made->box) {
        saddle_release(context, work);
        return SADDLE_OUT_OF_MEMORY;
    }
    memcpy(made->triangle, triangles, (size_t)(3 * count) * sizeof *triangles);
    memcpy(made->node, triangles, (size_t)(3 * count) * sizeof *triangles);
    saddle__sort_indices(3 * count, made->node);
    for (int64_t k = 0; k < 3 * count; k++)
        if (k == 0 || made->node[k] != made->node[made->nodes - 1])
            made->node[made->nodes++] = made->node[k];
    for (int64_t k = 0; k < count; k++) made->order[k] = k;
    build_tree(made, rest, 0, count, work);
    saddle_release(context, work);
    made->normal = saddle_allocate(context, 3 * made->node[made->nodes - 1] + 3,
                                   sizeof *made->normal);
    return made->normal ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- creation ---- */

static saddle_context *context_of(const saddle_collider *collider)
{
    return collider ? collider->model->context : NULL;
}

saddle_touch_def saddle_touch_def_default(void)
{
    return (saddle_touch_def){.pose = saddle_pose_identity(), .size = {1, 1, 1}, .mu = 0.5};
}

saddle_status saddle_collider_create(saddle_model *model, saddle_collider **collider)
{
    if (collider) *collider = NULL;
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && collider,
                          "model or collider is NULL");
    *collider = saddle_allocate(saddle_model_context(model), 1, sizeof **collider);
    if (!*collider) return SADDLE_OUT_OF_MEMORY;
    (*collider)->model = model;
    return SADDLE_OK;
}

const saddle_model *saddle__collider_model(const saddle_collider *collider)
{
    return collider->model;
}

static void clear_touch(saddle_context *context, touch *shape)
{
    saddle__release_all(context, shape->name, shape->corner);
    clear_surface(context, &shape->surface);
}

void saddle_collider_free(saddle_collider *collider)
{
    if (!collider) return;
    saddle_context *context = context_of(collider);
    for (int64_t k = 0; k < collider->count; k++) clear_touch(context, &collider->shape[k]);
    saddle__release_all(context, collider->shape, collider->ignored, collider->pairs.pair,
                        collider->pairs.order, collider->found.contact, collider);
}

/* ---- adding ---- */

/* "shape 'foot'" or "shape 3" (from 1) */
static void describe(const char *name, int64_t number, char *text, size_t size)
{
    if (name && *name != '\0')
        snprintf(text, size, "shape '%.120s'", name);
    else
        snprintf(text, size, "shape %lld", (long long)number + 1);
}

/* 1: the corners are not in one plane: their least extent is not negligible (of the standard
 * deviations along the principal axes). */
static int span_space(int64_t count, const double *corner)
{
    double mean[3] = {0}, moment[9] = {0}, square[3], axes[9];
    for (int64_t k = 0; k < 3 * count; k++) mean[k % 3] += corner[k] / (double)count;
    for (int64_t k = 0; k < count; k++) {
        const double *x = corner + 3 * k;
        for (int i = 0; i < 9; i++)
            moment[i] += (x[i % 3] - mean[i % 3]) * (x[i / 3] - mean[i / 3]);
    }
    saddle__symmetric_eigen(moment, square, axes);
    return square[0] > SADDLE__VISIBLE_PART * SADDLE__VISIBLE_PART * square[2];
}

/* A fault of a surface, NULL = none. */
static const char *surface_fault(const saddle_model *model, const saddle_touch_def *def)
{
    const int64_t nodes = saddle_model_node_count(model, def->part);
    if (def->part.item != SADDLE_ITEM_NODES) return "a surface is of nodes";
    if (def->triangle_count < 1 || !def->triangles) return "it has no triangles";
    if (def->triangle_count > TRIANGLES_MOST) return "it has too many triangles";
    if (!(def->depth >= 0 && isfinite(def->depth))) return "its depth is negative or not finite";
    for (int64_t k = 0; k < 3 * def->triangle_count; k++) {
        const int64_t *corner = def->triangles + k / 3 * 3;
        if (def->triangles[k] < 0 || def->triangles[k] >= nodes)
            return "a triangle has a node that does not exist";
        if (corner[k % 3] == corner[(k + 1) % 3]) return "a triangle has a node twice";
    }
    return NULL;
}

/* A fault of a definition other than a number out of its range, NULL = none. */
static const char *fault(const saddle_model *model, const saddle_touch_def *def)
{
    const unsigned item = def->part.item;
    if (!saddle_model_has(model, def->part)) return "its part was removed";
    if (def->kind == SADDLE_TOUCH_SURFACE && surface_fault(model, def))
        return surface_fault(model, def);
    if (item == SADDLE_ITEM_PARTICLE && def->kind != SADDLE_TOUCH_SPHERE)
        return "a particle's is a sphere";
    if (item == SADDLE_ITEM_NODES && def->kind != SADDLE_TOUCH_SURFACE)
        return "the shape of nodes is a surface";
    if (item > SADDLE_ITEM_NODES) return "its part is neither a body nor a particle";
    if (!saddle__is_rotation(def->pose.R, SADDLE__DEFINED_TOLERANCE))
        return "its pose is not a rotation";
    if (!isfinite(def->compliance.beta) || !isfinite(def->compliance.steps))
        return "its compliance has infinite beta or steps";
    if (saddle_compliance_check(NULL, &def->compliance) != SADDLE_OK)
        return "its compliance is out of range";
    if (def->kind != SADDLE_TOUCH_CONVEX) return NULL;
    if (def->corner_count < 4 || !def->corners) return "it has fewer than four corners";
    if (def->corner_count > 65536) return "it has more than 65536 corners";
    if (!saddle__is_finite(def->corners, 3 * def->corner_count)) return "a corner is not finite";
    return span_space(def->corner_count, def->corners) ? NULL : "its corners are in one plane";
}

static saddle_status check(const saddle_collider *collider, const saddle_touch_def *def)
{
    static const int sizes[] = {1, 3, 2, 0, 0, 2, 3, 0};
    const saddle_model *model = collider->model;
    const int known = (unsigned)def->kind < sizeof sizes / sizeof *sizes;
    const char *wrong = known ? fault(model, def) : "it is of no known kind";
    char whose[160];
    describe(def->name, collider->count, whose, sizeof whose);
    if (wrong) return saddle__refuse_new(model, whose, NULL, "%s", wrong);
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, 3, def->pose.p},
                                       {"size", SADDLE__POSITIVE, sizes[def->kind], def->size},
                                       {"mu", SADDLE__AMOUNT, 1, &def->mu},
                                       {"mu_torsion", SADDLE__AMOUNT, 1, &def->mu_torsion},
                                       {"mu_rolling", SADDLE__AMOUNT, 1, &def->mu_rolling},
                                       {"restitution", SADDLE__SHARE, 1, &def->restitution}};
    SADDLE__TRY(saddle__check_numbers(model, whose, NULL, 6, numbers));
    if (collider->count < INT64_C(1) << SHAPE_BITS) return SADDLE_OK;
    return saddle_fail(model->context, SADDLE_TOO_LARGE, "too many shapes");
}

/* unit (3): the k-th of directions spread evenly over the sphere, all different, for `aside`.  The
 * normals of n concentric round shapes, from aside_i to aside_j, are those of n points on a small
 * sphere: velocities v_i = aside_i separate all pairs.  Normals drawn pair by pair may forbid every
 * separation, and one normal for all pairs would build a tower.  z by van der Corput's sequence,
 * the angle about z by the golden ratio. */
static void set_aside(int64_t k, double *unit)
{
    const double golden = 0.61803398874989485, turn = 6.283185307179586;
    double z = 1, share = 1;
    for (int64_t rest = k + 1; rest > 0; rest /= 2) {
        share /= 2;
        if (rest % 2 == 1) z -= 2 * share;
    }
    const double angle = turn * fmod(golden * (double)k, 1), width = sqrt((1 - z) * (1 + z));
    unit[0] = width * cos(angle);
    unit[1] = width * sin(angle);
    unit[2] = z;
}

saddle_status saddle_collider_add(saddle_collider *collider, const saddle_touch_def *def,
                                  int64_t *shape)
{
    SADDLE__RETURN_UNLESS(context_of(collider), collider && def, "collider or def is NULL");
    saddle_context *context = context_of(collider);
    SADDLE__TRY(check(collider, def));
    SADDLE__TRY(saddle__reserve(context, &collider->shape, &collider->capacity, collider->count + 1,
                                sizeof *collider->shape));
    touch made = {.solid.kind = def->kind,
                  .part = def->part,
                  .pose = def->pose,
                  .mu = def->mu,
                  .mu_torsion = def->mu_torsion,
                  .mu_rolling = def->mu_rolling,
                  .restitution = def->restitution,
                  .impact = def->impact,
                  .compliance = def->compliance,
                  .group = def->group,
                  .def = *def};
    for (int k = 0; k < 3; k++)
        made.solid.half[k] = def->kind == SADDLE_TOUCH_BOX ? 0.5 * def->size[k] : def->size[k];
    if (def->kind == SADDLE_TOUCH_CAPSULE || def->kind == SADDLE_TOUCH_CYLINDER)
        made.solid.half[1] *= 0.5;
    if (def->kind == SADDLE_TOUCH_CONVEX) made.solid.corner_count = def->corner_count;
    set_aside(collider->count, made.solid.aside);
    made.corner = saddle_allocate(context, 3 * made.solid.corner_count, sizeof *made.corner);
    if (def->name) made.name = saddle__copy_text(context, def->name);
    saddle_status status = SADDLE_OK;
    if (def->kind == SADDLE_TOUCH_SURFACE)
        status = create_surface(context, def->triangle_count, def->triangles,
                                saddle_model_position(collider->model, def->part), def->depth,
                                &made.surface);
    if (!made.corner || (def->name && !made.name)) status = SADDLE_OUT_OF_MEMORY;
    if (status != SADDLE_OK) {
        clear_touch(context, &made);
        return status;
    }
    saddle__copy(made.corner, def->corners, 3 * made.solid.corner_count);
    made.solid.corner = made.corner;
    made.def.name = made.name;
    made.def.corners = made.corner;
    made.def.triangles = made.surface.triangle;
    if (shape) *shape = collider->count;
    collider->shape[collider->count++] = made;
    return SADDLE_OK;
}

int64_t saddle_collider_count(const saddle_collider *collider)
{
    return collider ? collider->count : 0;
}

const saddle_touch_def *saddle_collider_shape(const saddle_collider *collider, int64_t shape)
{
    return collider && shape >= 0 && shape < collider->count ? &collider->shape[shape].def : NULL;
}

/* ---- ignored pairs ---- */

static uint64_t part_key(saddle_handle part)
{
    if (part.generation == 0) return 0;
    return (uint64_t)part.item << 48 | (uint64_t)part.generation << 32 | (uint32_t)part.index;
}

/* Index of the pair in the sorted list; *there: 0 where it would be inserted. */
static int64_t ignored_index(const saddle_collider *collider, uint64_t a, uint64_t b, int *there)
{
    int64_t from = 0, to = collider->ignored_count;
    while (from < to) {
        const int64_t middle = (from + to) / 2;
        const uint64_t *pair = collider->ignored[middle];
        if (pair[0] < a || (pair[0] == a && pair[1] < b))
            from = middle + 1;
        else
            to = middle;
    }
    *there = from < collider->ignored_count && collider->ignored[from][0] == a &&
             collider->ignored[from][1] == b;
    return from;
}

saddle_status saddle_collider_ignore(saddle_collider *collider, saddle_handle a, saddle_handle b)
{
    SADDLE__RETURN_UNLESS(context_of(collider), collider, "collider is NULL");
    saddle_context *context = context_of(collider);
    if (!saddle_model_has(collider->model, a) || !saddle_model_has(collider->model, b)) {
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "collider: a part to be ignored was removed");
    }
    const uint64_t one = part_key(a), two = part_key(b), lesser = one < two ? one : two,
                   greater = one < two ? two : one;
    int there;
    const int64_t at_index = ignored_index(collider, lesser, greater, &there);
    if (there) return SADDLE_OK;
    SADDLE__TRY(saddle__reserve(context, &collider->ignored, &collider->ignored_capacity,
                                collider->ignored_count + 1, sizeof *collider->ignored));
    uint64_t(*at)[2] = collider->ignored + at_index;
    memmove(at + 1, at, (size_t)(collider->ignored_count++ - at_index) * sizeof *at);
    (*at)[0] = lesser;
    (*at)[1] = greater;
    return SADDLE_OK;
}

static int may_touch(const saddle_collider *collider, int64_t first, int64_t second)
{
    const touch *a = &collider->shape[first], *b = &collider->shape[second];
    if (!a->moves && !b->moves) return 0;
    if (a->group != 0 && a->group == b->group) return 0;
    if (a->solid.kind == SADDLE_TOUCH_PLANE && b->solid.kind == SADDLE_TOUCH_PLANE) return 0;
    const uint64_t one = part_key(a->part), two = part_key(b->part);
    if (one == two) return 0;
    if (part_key(a->root.part) == part_key(b->root.part) && a->root.node == b->root.node) return 0;
    int there;
    ignored_index(collider, one < two ? one : two, one < two ? two : one, &there);
    return !there;
}

/* ---- pairs of bounding boxes ----
 *
 * Overlapping pairs of boxes along the world's axes: sort along one axis, sweep once (Baraff 1992,
 * thesis, 2.3).
 */

static int by_lo(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
    return (p->box > q->box) - (p->box < q->box);
}

/* The axis with the largest variance of the centres of bounded boxes. */
static int spread_axis(int64_t count, const touch *shape)
{
    double variance[3];
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0, squares = 0, number = 0;
        for (int64_t k = 0; k < count; k++) {
            const double lo = shape[k].bounds.lo[axis], hi = shape[k].bounds.hi[axis];
            if (!isfinite(lo) || !isfinite(hi)) continue;
            const double middle = 0.5 * (lo + hi);
            sum += middle;
            squares += middle * middle;
            number++;
        }
        variance[axis] = number > 0 ? squares - sum * sum / number : 0;
    }
    const int yet = variance[1] > variance[0] ? 1 : 0;
    return variance[2] > variance[yet] ? 2 : yet;
}

static int overlaps(const extent *a, const extent *b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->lo[k] <= b->hi[k] && b->lo[k] <= a->hi[k])) return 0;
    return 1;
}

/* collider->pairs: overlapping or touching pairs of boxes that may touch; empty boxes (lo > hi)
 * overlap nothing. */
static saddle_status find_pairs(saddle_collider *collider)
{
    saddle_context *context = collider->model->context;
    const touch *shape = collider->shape;
    const int64_t count = collider->count;
    box_pairs *pairs = &collider->pairs;
    pairs->count = 0;
    SADDLE__TRY(saddle__reserve(context, &pairs->order, &pairs->order_capacity, count,
                                sizeof *pairs->order));
    const int axis = spread_axis(count, shape);
    for (int64_t k = 0; k < count; k++) pairs->order[k] = (place){shape[k].bounds.lo[axis], k};
    if (count > 1) qsort(pairs->order, (size_t)count, sizeof *pairs->order, by_lo);
    for (int64_t i = 0; i < count; i++) {
        const int64_t a = pairs->order[i].box;
        for (int64_t j = i + 1; j < count && pairs->order[j].lo <= shape[a].bounds.hi[axis]; j++) {
            const int64_t b = pairs->order[j].box, first = a < b ? a : b, second = a < b ? b : a;
            if (!overlaps(&shape[a].bounds, &shape[b].bounds) ||
                !may_touch(collider, first, second))
                continue;
            SADDLE__TRY(saddle__reserve(context, &pairs->pair, &pairs->capacity, pairs->count + 1,
                                        sizeof *pairs->pair));
            pairs->pair[pairs->count++] = first << 32 | second;
        }
    }
    saddle__sort_indices(pairs->count, pairs->pair);
    return SADDLE_OK;
}

/* ---- finding ---- */

/* Bounds of shape k, a surface whose part is there. */
static saddle_status update_surface(saddle_collider *collider, int64_t k, double margin)
{
    touch *shape = &collider->shape[k];
    const double *x = saddle_model_position(collider->model, shape->part);
    const double *box = saddle__surface_update(&shape->surface, x);
    shape->moves = 1;
    shape->root = (saddle_anchor){shape->part, 0};
    if (!saddle__is_finite(x, 3 * saddle_model_node_count(collider->model, shape->part))) {
        char whose[160];
        describe(shape->name, k, whose, sizeof whose);
        return saddle_fail(context_of(collider), SADDLE_INVALID_ARGUMENT,
                           "%s: its part's position is not finite", whose);
    }
    for (int i = 0; i < 3; i++) {
        shape->bounds.lo[i] = box[i] - 0.5 * margin;
        shape->bounds.hi[i] = box[3 + i] + 0.5 * margin;
    }
    return SADDLE_OK;
}

/* Pose and bounds of shape k, widened by half the margin; empty bounds without a part. */
static saddle_status update_shape(saddle_collider *collider, int64_t k, double margin)
{
    touch *shape = &collider->shape[k];
    extent *bounds = &shape->bounds;
    *bounds = (extent){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    shape->moves = 0;
    if (!saddle_model_has(collider->model, shape->part)) return SADDLE_OK;
    if (shape->solid.kind == SADDLE_TOUCH_SURFACE) return update_surface(collider, k, margin);
    saddle_pose pose = shape->pose;
    const saddle__item_part *part = saddle__model_part(collider->model, shape->part);
    const saddle_pose *body = saddle_model_pose(collider->model, shape->part);
    shape->moves = saddle__anchor_moves(collider->model, (saddle_anchor){shape->part, 0});
    shape->root = saddle__anchor_root(collider->model, (saddle_anchor){shape->part, 0});
    if (body)
        pose = saddle_pose_multiply(body, &shape->pose);
    else if (part) {
        const double *x = saddle_model_position(collider->model, shape->part);
        for (int i = 0; i < 3; i++) pose.p[i] += x[i];
    }
    if (!saddle__is_finite(pose.p, 3) || !saddle__is_finite(pose.R, 9)) {
        char whose[160];
        describe(shape->name, k, whose, sizeof whose);
        return saddle_fail(context_of(collider), SADDLE_INVALID_ARGUMENT,
                           "%s: its part's pose is not finite", whose);
    }
    shape->solid.pose = pose;
    saddle__solid_bounds(&shape->solid, bounds->lo, bounds->hi);
    for (int i = 0; i < 3; i++) {
        bounds->lo[i] -= 0.5 * margin;
        bounds->hi[i] += 0.5 * margin;
    }
    return SADDLE_OK;
}

/* deep: 1 = without friction. */
static saddle_status append(const saddle_collider *collider, int64_t first, int64_t second,
                            const saddle__surface_contact *found, int deep,
                            saddle_contact_list *list)
{
    const touch *a = &collider->shape[first], *b = &collider->shape[second];
    saddle_contact_point *point;
    SADDLE__TRY(saddle_contact_list_add(list, &point));
    point->id = FLAG | first << (SHAPE_BITS + LABEL_BITS) | second << LABEL_BITS | found->label;
    point->a = found->a;
    point->b = found->b;
    point->a.part = a->part;
    point->b.part = b->part;
    memcpy(point->normal, found->normal, sizeof found->normal);
    point->gap = found->gap;
    if (!deep) {
        point->mu = sqrt(a->mu) * sqrt(b->mu);
        point->mu_torsion = a->mu_torsion + b->mu_torsion;
        point->mu_rolling = a->mu_rolling + b->mu_rolling;
    }
    point->restitution = fmax(a->restitution, b->restitution);
    point->impact = a->impact || b->impact;
    point->compliance.alpha = a->compliance.alpha + b->compliance.alpha;
    point->compliance.beta = fmax(a->compliance.beta, b->compliance.beta);
    point->compliance.steps = fmax(a->compliance.steps, b->compliance.steps);
    return SADDLE_OK;
}

/* The points of a pair of shapes without surfaces. */
static saddle_status collide_solids(const saddle_collider *collider, int64_t first, int64_t second,
                                    double margin, saddle_contact_list *list)
{
    const touch *shape = collider->shape;
    saddle__touching touching[SADDLE__TOUCHES_MAX];
    int64_t count;
    saddle_status status = saddle__collide(&shape[first].solid, &shape[second].solid, margin,
                                           touching, &count);
    for (int64_t k = 0; k < count && status == SADDLE_OK; k++) {
        const saddle__touching *t = &touching[k];
        saddle__surface_contact found = {.label = t->label, .gap = t->gap};
        memcpy(found.normal, t->normal, sizeof t->normal);
        memcpy(found.a.point, t->a, sizeof t->a);
        memcpy(found.b.point, t->b, sizeof t->b);
        status = append(collider, first, second, &found, t->deep, list);
    }
    return status;
}

/* The points of a pair, the second of which is a surface. */
static saddle_status collide_surface(saddle_collider *collider, int64_t first, int64_t second,
                                     double margin, saddle_contact_list *list)
{
    const touch *a = &collider->shape[first], *b = &collider->shape[second];
    const int both = a->solid.kind == SADDLE_TOUCH_SURFACE;
    saddle_status status = saddle__collide_surface(context_of(collider), &a->solid,
                                                   both ? &a->surface : NULL, &b->surface, margin,
                                                   &collider->found);
    for (int64_t k = 0; k < collider->found.count && status == SADDLE_OK; k++)
        status = append(collider, first, second, &collider->found.contact[k], 0, list);
    return status;
}

/* The points of one pair. */
static saddle_status collide_pair(saddle_collider *collider, int64_t first, int64_t second,
                                  double margin, saddle_contact_list *list)
{
    const touch *shape = collider->shape;
    if (shape[first].solid.kind > shape[second].solid.kind) {
        const int64_t swapped = first;
        first = second;
        second = swapped;
    }
    const saddle_status status = shape[second].solid.kind == SADDLE_TOUCH_SURFACE
                                     ? collide_surface(collider, first, second, margin, list)
                                     : collide_solids(collider, first, second, margin, list);
    if (status == SADDLE_UNSUPPORTED) {
        char one[160], other[160];
        describe(shape[first].name, first, one, sizeof one);
        describe(shape[second].name, second, other, sizeof other);
        return saddle_fail(context_of(collider), status,
                           "%s, %s: their contact needs libccd, which this build is without", one,
                           other);
    }
    return status;
}

saddle_status saddle_collider_find(saddle_collider *collider, double margin,
                                   saddle_contact_list *list)
{
    SADDLE__RETURN_UNLESS(context_of(collider), collider && list, "collider or list is NULL");
    saddle_context *context = context_of(collider);
    if (!(margin >= 0 && isfinite(margin))) {
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "collider: the margin is negative or not finite");
    }
    const int64_t before = list->count;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; k < collider->count && status == SADDLE_OK; k++)
        status = update_shape(collider, k, margin);
    if (status == SADDLE_OK) status = find_pairs(collider);
    for (int64_t k = 0; k < collider->pairs.count && status == SADDLE_OK; k++) {
        const int64_t pair = collider->pairs.pair[k];
        status = collide_pair(collider, pair >> 32, pair & UINT32_MAX, margin, list);
    }
    if (status != SADDLE_OK) list->count = before;
    return status;
}
