/* SPDX-License-Identifier: MIT */
/* Surfaces of soft parts as shapes: nearest points by brute force, rest, a patch of constant
 * pressure, momenta, what is refused. */
#include <math.h>
#include <string.h>

#include "motion.h"
#include "saddle/collider.h"
#include "saddle/fem_block.h"
#include "saddle/fem_mesh.h"
#include "saddle/forces.h"
#include "saddle/pin.h"

static void begin(motion *scene, const double *gravity)
{
    motion_begin(scene, NULL, gravity);
    assert_int_equal(saddle_collider_create(scene->model, &scene->options.collider), SADDLE_OK);
}

static void end(motion *scene)
{
    saddle_collider_free(scene->options.collider);
    motion_end(scene);
}

/* A block with its surface. */
static saddle_handle add_block(motion *scene, const saddle_fem_block *block, double mu)
{
    saddle_touch_def def = saddle_touch_def_default();
    int64_t *triangles = NULL;
    assert_int_equal(saddle_model_add_fem_block(scene->model, block, &def.part), SADDLE_OK);
    assert_int_equal(saddle_fem_block_surface(scene->context, block, &triangles,
                                              &def.triangle_count),
                     SADDLE_OK);
    def.kind = SADDLE_TOUCH_SURFACE;
    def.triangles = triangles;
    def.mu = mu;
    assert_int_equal(saddle_collider_add(scene->options.collider, &def, NULL), SADDLE_OK);
    saddle_release(scene->context, triangles);
    return def.part;
}

static saddle_fem_block block_at(double x, double y, double z, int64_t cells)
{
    saddle_fem_block block = saddle_fem_block_default();
    const double corner[3] = {x, y, z};
    memcpy(block.corner, corner, sizeof corner);
    for (int k = 0; k < 3; k++) block.cells[k] = cells;
    return block;
}

static void add_plane(motion *scene, double mu)
{
    saddle_touch_def def = saddle_touch_def_default();
    def.kind = SADDLE_TOUCH_PLANE;
    def.mu = mu;
    assert_int_equal(saddle_collider_add(scene->options.collider, &def, NULL), SADDLE_OK);
}

static saddle_handle add_solid(motion *scene, saddle_touch_kind kind, const double *size,
                               const double *place)
{
    const double moments[3] = {0.1, 0.1, 0.1}, none[3] = {0, 0, 0};
    saddle_pose pose = saddle_pose_identity();
    saddle_touch_def def = saddle_touch_def_default();
    memcpy(pose.p, place, sizeof pose.p);
    def.part = motion_body(scene, moments, none, &pose, NULL);
    def.kind = kind;
    memcpy(def.size, size, sizeof def.size);
    assert_int_equal(saddle_collider_add(scene->options.collider, &def, NULL), SADDLE_OK);
    return def.part;
}

/* Sum of the impulses in the last step on part `on`, over the time step. */
static void reaction(const motion *scene, saddle_handle on, double force[3])
{
    const saddle_contact_list *list = saddle_stepper_contacts(scene->stepper);
    const saddle_solution *solution = saddle_stepper_solution(scene->stepper);
    saddle_assembly *assembly = saddle_stepper_assembly(scene->stepper);
    const saddle_problem *p = saddle_assembly_problem(assembly);
    const int64_t first = saddle_assembly_column(assembly, on);
    memset(force, 0, 3 * sizeof *force);
    for (int64_t c = 0; c < list->count; c++) {
        const int64_t row = saddle_assembly_contact_row(assembly, list->point[c].id);
        for (int64_t i = row; i < row + 3; i++) {
            for (int64_t e = p->Jt.start[i]; e < p->Jt.start[i + 1]; e++) {
                const int64_t at = p->Jt.index[e] - first;
                if (at >= 0 && at < 3 * saddle_model_node_count(scene->model, on))
                    force[at % 3] += p->Jt.value[e] * solution->lambda[i] /
                                     scene->options.time_step;
            }
        }
    }
}

/* ---- the surface of a mesh ---- */

/* Sum of x'n over the triangles / 6 is the volume, each edge runs through two triangles in opposite
 * directions. */
static void a_surface_is_closed_and_bounds_the_volume(void **state)
{
    (void)state;
    for (int tetrahedra = 0; tetrahedra < 2; tetrahedra++) {
        saddle_fem_block block = block_at(0.3, -0.2, 0.1, 3);
        int64_t *t = NULL, count = 0;
        double volume = 0, x[64 * 3];
        block.cells[1] = 2;
        block.tetrahedra = tetrahedra;
        assert_int_equal(saddle_fem_block_surface(NULL, &block, &t, &count), SADDLE_OK);
        assert_int_equal(count, 2 * 2 * (3 * 2 + 3 * 3 + 2 * 3));
        for (int64_t k = 0; k <= 3; k++)
            for (int64_t j = 0; j <= 2; j++)
                for (int64_t i = 0; i <= 3; i++) {
                    double *at = x + 3 * saddle_fem_block_node(&block, i, j, k);
                    at[0] = block.corner[0] + (double)i / 3;
                    at[1] = block.corner[1] + (double)j / 2;
                    at[2] = block.corner[2] + (double)k / 3;
                }
        for (int64_t k = 0; k < count; k++) {
            const double *a = x + 3 * t[3 * k], *b = x + 3 * t[3 * k + 1],
                         *c = x + 3 * t[3 * k + 2];
            volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                       a[2] * (b[0] * c[1] - b[1] * c[0])) /
                      6;
            for (int64_t e = 0; e < 3; e++) {
                int there = 0, back = 0;
                const int64_t from = t[3 * k + e], to = t[3 * k + (e + 1) % 3];
                for (int64_t l = 0; l < 3 * count; l++) {
                    const int64_t p = t[l], q = t[l % 3 == 2 ? l - 2 : l + 1];
                    there += p == from && q == to;
                    back += p == to && q == from;
                }
                assert_true(there == 1 && back == 1);
            }
        }
        assert_true(fabs(volume - 1) < 1e-12);
        saddle_release(NULL, t);
    }
}

/* ---- nearest points ---- */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Distance of x from a triangle: from its plane where the foot is inside, else from an edge. */
static double distance_from(const double *x, const double *a, const double *b, const double *c)
{
    double least = INFINITY;
    const double *corner[3] = {a, b, c};
    double u[3], v[3], d[3];
    for (int k = 0; k < 3; k++) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        d[k] = x[k] - a[k];
    }
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), du = dot(d, u), dv = dot(d, v),
                 det = uu * vv - uv * uv, s = (vv * du - uv * dv) / det,
                 t = (uu * dv - uv * du) / det;
    if (s >= 0 && t >= 0 && s + t <= 1) {
        for (int k = 0; k < 3; k++) d[k] -= s * u[k] + t * v[k];
        return sqrt(dot(d, d));
    }
    for (int e = 0; e < 3; e++) {
        const double *p = corner[e], *q = corner[(e + 1) % 3];
        for (int k = 0; k < 3; k++) {
            u[k] = q[k] - p[k];
            d[k] = x[k] - p[k];
        }
        const double along = fmin(fmax(dot(d, u) / dot(u, u), 0), 1);
        for (int k = 0; k < 3; k++) d[k] -= along * u[k];
        least = fmin(least, sqrt(dot(d, d)));
    }
    return least;
}

typedef struct triangle_list {
    int64_t count;
    int64_t *corner; /* 3 count */
    const double *x; /* of the nodes */
} triangle_list;

/* The least distance of p, and the triangle where it is. */
static double least_distance(const triangle_list *of, const double *p, int64_t *where)
{
    double least = INFINITY;
    for (int64_t k = 0; k < of->count; k++) {
        const int64_t *t = of->corner + 3 * k;
        double found = distance_from(p, of->x + 3 * t[0], of->x + 3 * t[1], of->x + 3 * t[2]);
        if (found < least) *where = k;
        least = fmin(least, found);
    }
    return least;
}

/* p (3): to where another triangle is nearest, on the way to q; a hundred-millionth of the way
 * before or after. */
static void move_between_triangles(const triangle_list *of, double *p, const double *q)
{
    int64_t first, other;
    double from[3], low = 0, high = 1;
    memcpy(from, p, sizeof from);
    least_distance(of, from, &first);
    for (int step = 0; step < 27; step++) {
        const double half = (low + high) / 2;
        for (int k = 0; k < 3; k++) p[k] = from[k] + half * (q[k] - from[k]);
        least_distance(of, p, &other);
        *(other == first ? &low : &high) = half;
    }
}

static int is_outside(const double *p)
{
    int inside = 1;
    for (int k = 0; k < 3; k++) inside &= p[k] > -0.06 && p[k] < 1.06;
    return !inside;
}

static void check_the_gap(motion *scene, const triangle_list *of, const double *p, double radius,
                          saddle_contact_list *list)
{
    int64_t where;
    double found = 9;
    const double nearest = least_distance(of, p, &where);
    saddle_contact_list_reset(list);
    list->context = scene->context;
    assert_int_equal(saddle_collider_find(scene->options.collider, 0.2, list), SADDLE_OK);
    for (int64_t k = 0; k < list->count; k++) {
        const saddle_contact_point *c = &list->point[k];
        double y[3] = {0, 0, 0};
        for (int64_t i = 0; i < c->b.count; i++)
            for (int a = 0; a < 3; a++) y[a] += c->b.weight[i] * of->x[3 * c->b.node[i] + a];
        /* both ways: b = a + gap n */
        for (int a = 0; a < 3; a++)
            assert_true(fabs(y[a] - c->a.point[a] - c->gap * c->normal[a]) < 1e-12);
        found = fmin(found, c->gap);
    }
    if (nearest - radius < 0.2 - 1e-12)
        assert_true(fabs(found - (nearest - radius)) < 1e-12);
    else
        assert_int_equal(list->count, 0);
}

/* Of balls anywhere, and of balls nearly as far from one triangle as from another. */
static void the_gap_of_a_ball_is_the_least_distance(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < 10; trial++) {
        motion scene;
        saddle_contact_list list = {0};
        begin(&scene, NULL);
        saddle_fem_block block = block_at(0, 0, 0, 3);
        const saddle_handle soft = add_block(&scene, &block, 0.5);
        const int64_t nodes = saddle_model_node_count(scene.model, soft);
        double *x = saddle_model_position(scene.model, soft);
        for (int64_t k = 0; k < 3 * nodes; k++) x[k] += test_uniform(&seed, -0.05, 0.05);
        triangle_list surface = {0};
        assert_int_equal(saddle_fem_block_surface(NULL, &block, &surface.corner, &surface.count),
                         SADDLE_OK);
        const double radius = 0.3, size[3] = {radius, 1, 1};
        const double origin[3] = {0, 0, 0};
        const saddle_handle ball = add_solid(&scene, SADDLE_TOUCH_SPHERE, size, origin);
        for (int draw = 0; draw < 50; draw++) {
            double *p = saddle_model_pose(scene.model, ball)->p, before[3];
            memcpy(before, p, sizeof before);
            for (int k = 0; k < 3; k++) p[k] = test_uniform(&seed, -0.6, 1.6);
            surface.x = saddle_model_position(scene.model, soft);
            if (is_outside(p)) check_the_gap(&scene, &surface, p, radius, &list);
            move_between_triangles(&surface, p, before);
            if (is_outside(p)) check_the_gap(&scene, &surface, p, radius, &list);
        }
        saddle_contact_list_clear(&list);
        saddle_release(NULL, surface.corner);
        end(&scene);
    }
}

/* ---- rest ---- */

/* A soft block on a soft block on a plane: the forces between them are its weight, those of the
 * plane the weight of both. */
static void a_block_at_rest_on_a_block_weighs_what_it_weighs(void **state)
{
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        motion scene;
        begin(&scene, motion_weight);
        scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
        scene.options.time_step = 0.01;
        add_plane(&scene, 0.5);
        saddle_fem_block low = block_at(0, 0, 0, 2), high = block_at(0.2, 0.15, 1, 3);
        low.damping_stiffness = high.damping_stiffness = 0.02;
        low.tetrahedra = kind;
        high.size[0] = high.size[1] = 0.7;
        const saddle_handle a = add_block(&scene, &low, 0.5), b = add_block(&scene, &high, 0.5);
        motion_run(&scene, 400);
        double up[3], down[3];
        const double weight_a = 1000 * 9.81, weight_b = 490 * 9.81;
        reaction(&scene, b, up);
        reaction(&scene, a, down);
        assert_true(fabs(up[2] - weight_b) < 1e-3 * weight_b);
        assert_true(fabs(down[2] - weight_a) < 1e-3 * weight_a); /* plane less what lies on it */
        assert_true(hypot(up[0], up[1]) < 1e-3 * weight_b);
        end(&scene);
    }
}

/* A ball over the middle of a coarse face, far from every node. */
static void a_ball_rests_within_a_face(void **state)
{
    (void)state;
    motion scene;
    begin(&scene, motion_weight);
    scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    add_plane(&scene, 0.5);
    saddle_fem_block block = block_at(0, 0, 0, 1);
    block.damping_stiffness = 0.01;
    add_block(&scene, &block, 0.5);
    const double size[3] = {0.1, 1, 1}, place[3] = {0.6, 0.35, 1.1};
    const saddle_handle ball = add_solid(&scene, SADDLE_TOUCH_SPHERE, size, place);
    motion_run(&scene, 200);
    const double *v = saddle_model_velocity(scene.model, ball),
                 *p = saddle_model_pose(scene.model, ball)->p;
    assert_true(sqrt(dot(v, v)) < 1e-3);
    assert_true(p[2] > 1.05 && p[2] < 1.1);
    end(&scene);
}

/* A soft block on a box of the ground, edge on edge. */
static void a_block_rests_on_a_box_as_large_as_its_side(void **state)
{
    (void)state;
    motion scene;
    saddle_touch_def def = saddle_touch_def_default();
    const double place[3] = {0.5, 0.5, -0.5};
    begin(&scene, motion_weight);
    scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    def.kind = SADDLE_TOUCH_BOX;
    memcpy(def.pose.p, place, sizeof place);
    assert_int_equal(saddle_collider_add(scene.options.collider, &def, NULL), SADDLE_OK);
    saddle_fem_block block = block_at(0, 0, 0, 3);
    block.damping_stiffness = 0.02;
    const saddle_handle soft = add_block(&scene, &block, 0.5);
    motion_run(&scene, 200);
    double force[3];
    reaction(&scene, soft, force);
    assert_true(fabs(force[2] - 9810) < 1e-3 * 9810);
    assert_true(hypot(force[0], force[1]) < 1e-3 * 9810);
    end(&scene);
}

/* Corners of a rigid box, and a capsule that lies, on one coarse face. */
static void solids_rest_within_faces(void **state)
{
    (void)state;
    static const saddle_touch_kind kinds[] = {SADDLE_TOUCH_BOX, SADDLE_TOUCH_CAPSULE};
    for (int k = 0; k < 2; k++) {
        motion scene;
        begin(&scene, motion_weight);
        scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
        add_plane(&scene, 0.5);
        saddle_fem_block low = block_at(0, 0, 0, 1);
        low.damping_stiffness = 0.01;
        add_block(&scene, &low, 0.5);
        const double size[3] = {k == 0 ? 0.3 : 0.1, 0.3, 0.2}, place[3] = {0.5, 0.4, 1.1};
        const saddle_handle body = add_solid(&scene, kinds[k], size, place);
        if (k == 1) { /* lying along x */
            const double R[9] = {0, 0, -1, 0, 1, 0, 1, 0, 0};
            memcpy(saddle_model_pose(scene.model, body)->R, R, sizeof R);
        }
        motion_run(&scene, 200);
        const double *v = saddle_model_velocity(scene.model, body);
        for (int i = 0; i < 6; i++) assert_true(fabs(v[i]) < 5e-3);
        assert_true(saddle_model_pose(scene.model, body)->p[2] > 1.05);
        end(&scene);
    }
}

/* ---- a patch ---- */

/* A node stays where it is. */
static saddle_handle hold(motion *scene, saddle_handle part, int64_t node)
{
    const double weight = 1;
    const saddle_anchor anchor = {part, node};
    saddle_pin_def def = saddle_pin_def_default();
    saddle_handle pin;
    def.count = 1;
    def.anchors = &anchor;
    def.weights = &weight;
    memcpy(def.place, saddle_model_position(scene->model, part) + 3 * node, sizeof def.place);
    assert_int_equal(saddle_model_add_pin(scene->model, &def, &pin), SADDLE_OK);
    return pin;
}

/* Loads of a pressure p on the upper side of a block of tetrahedra, free along z alone. */
static void press(motion *scene, const saddle_fem_block *block, saddle_handle part, double p)
{
    const double free_along_z[9] = {[8] = 1e9};
    const int64_t cells = block->cells[0], top = saddle_fem_block_node(block, 0, 0, cells);
    const double share = p / (double)(6 * cells * cells); /* of a triangle, at each corner */
    int64_t *t = NULL, count = 0;
    double force[64] = {0};
    assert_int_equal(saddle_fem_block_surface(scene->context, block, &t, &count), SADDLE_OK);
    for (int64_t k = 0; k < count; k++) {
        if (t[3 * k] < top || t[3 * k + 1] < top || t[3 * k + 2] < top) continue;
        for (int64_t i = 0; i < 3; i++) force[t[3 * k + i] - top] -= share;
    }
    for (int64_t k = 0; k < (cells + 1) * (cells + 1); k++) {
        const saddle_dead_load load = {.force = {0, 0, force[k]}};
        const saddle_anchor anchor = {part, top + k};
        const saddle_handle pin = hold(scene, part, top + k);
        saddle_handle made;
        assert_int_equal(saddle_model_add_dead_load(scene->model, NULL, anchor, &load, &made),
                         SADDLE_OK);
        assert_int_equal(saddle_model_couple_rows(scene->model, pin, 3, free_along_z, NULL),
                         SADDLE_OK);
    }
    saddle_release(scene->context, t);
}

/* A finer block pressed on a coarser one by p, Poisson's ratio 0: the strain is -p/E everywhere. */
static void a_constant_pressure_passes_between_meshes(void **state)
{
    (void)state;
    motion scene;
    const double p = 1e4, E = 1e9;
    begin(&scene, NULL);
    scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    scene.options.time_step = 1;
    scene.options.solver_options.tolerance = 1e-12;
    saddle_fem_block block[2] = {block_at(0, 0, 0, 2), block_at(0, 0, 1, 4)};
    saddle_handle part[2];
    for (int b = 0; b < 2; b++) {
        block[b].poisson = 0;
        block[b].young = E;
        block[b].tetrahedra = 1;
        part[b] = add_block(&scene, &block[b], 0);
    }
    for (int64_t k = 0; k < 9; k++) (void)hold(&scene, part[0], k);
    press(&scene, &block[1], part[1], p);
    motion_run(&scene, 10);
    for (int b = 0; b < 2; b++) {
        const double *x = saddle_model_position(scene.model, part[b]);
        const int64_t side = block[b].cells[0] + 1;
        for (int64_t k = 0; k < side * side * side; k++) {
            const int64_t layer = k / (side * side);
            const double z = (double)b + (double)layer / (double)(side - 1);
            if (fabs(x[3 * k + 2] - z * (1 - p / E)) > 1e-4 * p / E)
                assert_true(fabs(x[3 * k + 2] - z * (1 - p / E)) < 1e-4 * p / E);
        }
    }
    end(&scene);
}

/* ---- momenta ---- */

static void soft_parts_that_collide_keep_their_momenta(void **state)
{
    (void)state;
    motion scene;
    begin(&scene, NULL);
    scene.options.time_step = 1e-3;
    saddle_fem_block one = block_at(0, 0, 0, 2), other = block_at(0.3, 0.2, 1.02, 2);
    one.tetrahedra = one.corotational = other.tetrahedra = other.corotational = 1;
    one.young = other.young = 1e5;
    const saddle_handle a = add_block(&scene, &one, 0), b = add_block(&scene, &other, 0);
    for (int64_t k = 0; k < 27; k++) {
        saddle_model_velocity(scene.model, a)[3 * k + 2] = 1;
        saddle_model_velocity(scene.model, b)[3 * k + 2] = -1;
        saddle_model_velocity(scene.model, b)[3 * k] = 0.5;
    }
    const saddle_energies before = saddle_model_energies(scene.model);
    int64_t most = 0;
    for (int step = 0; step < 300; step++) {
        motion_run(&scene, 1);
        const int64_t count = saddle_stepper_contacts(scene.stepper)->count;
        most = count > most ? count : most;
    }
    const saddle_energies after = saddle_model_energies(scene.model);
    assert_true(most >= 8);
    assert_true(after.momentum[2] < 1e-9 * 2000);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(after.momentum[i] - before.momentum[i]) < 1e-7);
        assert_true(fabs(after.moment[i] - before.moment[i]) < 1e-7);
    }
    assert_true(after.kinetic + after.elastic < before.kinetic * (1 + 1e-6));
    double mean[2] = {0, 0};
    for (int64_t k = 0; k < 27; k++) {
        mean[0] += saddle_model_velocity(scene.model, a)[3 * k + 2] / 27;
        mean[1] += saddle_model_velocity(scene.model, b)[3 * k + 2] / 27;
    }
    assert_true(mean[0] < -0.3 && mean[1] > 0.3); /* turned back */
    end(&scene);
}

/* ---- refusals, memory ---- */

static void unsound_surfaces_are_refused(void **state)
{
    (void)state;
    motion scene;
    begin(&scene, NULL);
    const saddle_fem_block block = block_at(0, 0, 0, 1);
    saddle_touch_def good = saddle_touch_def_default();
    int64_t triangle[3] = {0, 2, 1};
    assert_int_equal(saddle_model_add_fem_block(scene.model, &block, &good.part), SADDLE_OK);
    good.kind = SADDLE_TOUCH_SURFACE;
    good.triangle_count = 1;
    good.triangles = triangle;
    for (int wrong = 0; wrong < 8; wrong++) {
        saddle_touch_def def = good;
        int64_t t[3] = {0, 2, 1};
        def.triangles = t;
        if (wrong == 0) def.triangle_count = 0;
        if (wrong == 1) def.triangles = NULL;
        if (wrong == 2) t[1] = 8;
        if (wrong == 3) t[2] = -1;
        if (wrong == 4) t[2] = 0;
        if (wrong == 5) def.depth = NAN;
        if (wrong == 6) def.part = (saddle_handle){0};
        if (wrong == 7) def.kind = SADDLE_TOUCH_SPHERE;
        assert_int_equal(saddle_collider_add(scene.options.collider, &def, NULL),
                         SADDLE_INVALID_ARGUMENT);
    }
    assert_int_equal(saddle_collider_add(scene.options.collider, &good, NULL), SADDLE_OK);
    saddle_contact_list list = {.context = scene.context};
    saddle_model_position(scene.model, good.part)[4] = NAN;
    assert_int_equal(saddle_collider_find(scene.options.collider, 0.1, &list),
                     SADDLE_INVALID_ARGUMENT);
    saddle_contact_list_clear(&list);
    end(&scene);
}

static saddle_status collide_surfaces(saddle_context *context, void *user)
{
    (void)user;
    saddle_model *model = NULL;
    saddle_collider *collider = NULL;
    saddle_contact_list list = {.context = context};
    saddle_status status = saddle_model_create(context, &model);
    if (status == SADDLE_OK) status = saddle_collider_create(model, &collider);
    for (int k = 0; k < 2 && status == SADDLE_OK; k++) {
        const saddle_fem_block block = block_at(0.1 * k, 0.2 * k, 0.99 * k, 1);
        saddle_touch_def def = saddle_touch_def_default();
        int64_t *triangles = NULL;
        def.kind = SADDLE_TOUCH_SURFACE;
        status = saddle_model_add_fem_block(model, &block, &def.part);
        if (status == SADDLE_OK)
            status = saddle_fem_block_surface(context, &block, &triangles, &def.triangle_count);
        def.triangles = triangles;
        if (status == SADDLE_OK) status = saddle_collider_add(collider, &def, NULL);
        saddle_release(context, triangles);
    }
    if (status == SADDLE_OK) status = saddle_collider_find(collider, 0.01, &list);
    if (status == SADDLE_OK) assert_true(list.count > 0);
    saddle_contact_list_clear(&list);
    saddle_collider_free(collider);
    saddle_model_free(model);
    return status;
}

static void surfaces_without_memory_leave_nothing_behind(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(collide_surfaces, NULL) >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surface_is_closed_and_bounds_the_volume),
        cmocka_unit_test(the_gap_of_a_ball_is_the_least_distance),
        cmocka_unit_test(a_block_at_rest_on_a_block_weighs_what_it_weighs),
        cmocka_unit_test(a_ball_rests_within_a_face),
        cmocka_unit_test(a_block_rests_on_a_box_as_large_as_its_side),
        cmocka_unit_test(solids_rest_within_faces),
        cmocka_unit_test(a_constant_pressure_passes_between_meshes),
        cmocka_unit_test(soft_parts_that_collide_keep_their_momenta),
        cmocka_unit_test(unsound_surfaces_are_refused),
        cmocka_unit_test(surfaces_without_memory_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
