/* SPDX-License-Identifier: MIT */
/* A rigid sphere pressed into the surface of a soft block, as shapes of a model, beside Hertz'
 * closed form (Johnson 1985, Contact Mechanics, 4.2):
 *
 *     F = 4/3 E* sqrt(R) d^(3/2),   a^2 = R d,   E* = E/(1 - nu^2)
 *
 * A quarter of the block: nodes of the planes x = 0 and y = 0 stay in them, those of the bottom on
 * it.
 */
#include <math.h>
#include <stdlib.h>

#include "motion.h"
#include "saddle/collider.h"
#include "saddle/fem_mesh.h"

static const double radius = 1, depth = 0.01, young = 2e5, poisson = 0.3, extent = 40;

enum { LINES = 64 };

/* One coordinate of a node is held where it begins. */
typedef struct held {
    int axis;
    double place;
} held;

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              saddle_constraint_values *values)
{
    const held *data = site->data;
    (void)context;
    values->phi[0] = site->position[0][data->axis] - data->place;
    values->J[0][data->axis] = 1;
    return SADDLE_OK;
}

static const saddle_constraint_type held_type = {.name = "held", .evaluate = evaluate};

static void hold(saddle_model *model, saddle_handle part, int64_t node, int axis, double place)
{
    const held data = {axis, place};
    const saddle_anchor anchor = {part, node};
    const saddle_constraint_def def = {.type = &held_type,
                                       .count = 1,
                                       .anchors = &anchor,
                                       .rows = 1,
                                       .data = &data,
                                       .bytes = sizeof data};
    saddle_handle constraint;
    assert_int_equal(saddle_model_add_constraint(model, &def, &constraint), SADDLE_OK);
}

/* Lines from 0 to `extent` contact radii: `elements` of them a radius, growing beyond 1.5. */
static int64_t make_lines(int elements, double *line)
{
    const double a = sqrt(radius * depth);
    double step = a / elements;
    int64_t count = 1;
    line[0] = 0;
    while (line[count - 1] < extent * a) {
        if (line[count - 1] > 1.5 * a) step *= 1.5;
        assert_true(count < LINES);
        line[count] = line[count - 1] + step;
        count++;
    }
    return count;
}

/* The quarter of a block with its surface as a shape. */
static void add_block(motion *scene, int elements, saddle_handle *part)
{
    double line[LINES];
    const int64_t n = make_lines(elements, line), cells = n - 1;
    double *x = malloc((size_t)(3 * n * n * n) * sizeof *x);
    int64_t *hexahedron = malloc((size_t)(8 * cells * cells * cells) * sizeof *hexahedron);
    assert_true(x && hexahedron);
    for (int64_t k = 0; k < n * n * n; k++) {
        x[3 * k] = line[k % n];
        x[3 * k + 1] = line[k / n % n];
        x[3 * k + 2] = -line[n - 1 - k / (n * n)];
    }
    for (int64_t e = 0; e < cells * cells * cells; e++) {
        const int64_t first = e % cells + n * (e / cells % cells + n * (e / (cells * cells)));
        const int64_t ring[4] = {0, 1, 1 + n, n};
        for (int k = 0; k < 8; k++) hexahedron[8 * e + k] = first + ring[k % 4] + (k / 4) * n * n;
    }
    saddle_fem_mesh mesh = saddle_fem_mesh_default();
    mesh.nodes = n * n * n;
    mesh.position = x;
    mesh.hexahedra = cells * cells * cells;
    mesh.hexahedron = hexahedron;
    mesh.young = young;
    mesh.poisson = poisson;
    mesh.density = 1e-3;
    assert_int_equal(saddle_model_add_fem_mesh(scene->model, &mesh, part, NULL), SADDLE_OK);
    for (int64_t k = 0; k < n * n * n; k++) {
        if (k % n == 0) hold(scene->model, *part, k, 0, 0);
        if (k / n % n == 0) hold(scene->model, *part, k, 1, 0);
        if (k < n * n) hold(scene->model, *part, k, 2, x[3 * k + 2]);
    }
    saddle_touch_def def = saddle_touch_def_default();
    int64_t *triangles;
    assert_int_equal(saddle_fem_mesh_surface(NULL, &mesh, &triangles, &def.triangle_count),
                     SADDLE_OK);
    def.kind = SADDLE_TOUCH_SURFACE;
    def.part = *part;
    def.triangles = triangles;
    def.mu = 0;
    assert_int_equal(saddle_collider_add(scene->options.collider, &def, NULL), SADDLE_OK);
    saddle_release(NULL, triangles);
    free(x);
    free(hexahedron);
}

static void add_sphere(motion *scene)
{
    saddle_body_def body = saddle_body_def_default();
    saddle_touch_def def = saddle_touch_def_default();
    body.prescribed = 1;
    body.pose.p[2] = radius - depth;
    assert_int_equal(saddle_model_add_body(scene->model, &body, &def.part), SADDLE_OK);
    def.size[0] = radius;
    def.mu = 0;
    assert_int_equal(saddle_collider_add(scene->options.collider, &def, NULL), SADDLE_OK);
}

/* F, and the radius of the farthest node that bears some of it. */
static void press(int elements, double *force, double *reach)
{
    motion scene;
    saddle_handle part;
    motion_begin(&scene, NULL, NULL);
    assert_int_equal(saddle_collider_create(scene.model, &scene.options.collider), SADDLE_OK);
    add_block(&scene, elements, &part);
    add_sphere(&scene);
    scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    scene.options.time_step = 1e3;
    scene.options.max_separation_speed = 0;
    scene.options.margin = 0.02;
    motion_run(&scene, 4);
    const saddle_contact_list *list = saddle_stepper_contacts(scene.stepper);
    const saddle_assembly *assembly = saddle_stepper_assembly(scene.stepper);
    *force = *reach = 0;
    for (int64_t k = 0; k < list->count; k++) {
        const saddle_contact_point *point = &list->point[k];
        const double lambda = saddle_stepper_solution(scene.stepper)
                                  ->lambda[saddle_assembly_contact_row(assembly, point->id)];
        if (!(lambda > 0)) continue;
        *force += 4 * fabs(point->normal[2]) * lambda / scene.options.time_step;
        const double *x = point->a.part.item == SADDLE_ITEM_NODES ? point->b.point : point->a.point;
        *reach = fmax(*reach, hypot(x[0], x[1])); /* on the sphere */
    }
    saddle_collider_free(scene.options.collider);
    motion_end(&scene);
}

/* Elements of a half and a quarter of the contact radius; the force stays above Hertz' because the
 * block ends at 40 radii. */
static void a_sphere_presses_into_a_surface_as_hertz_says(void **unused)
{
    (void)unused;
    const double a = sqrt(radius * depth),
                 F = 4.0 / 3 * young / (1 - poisson * poisson) * sqrt(radius) * pow(depth, 1.5);
    double error[3];
    for (int k = 0; k < 3; k++) {
        double force, reach;
        const int elements = 1 << k;
        press(elements, &force, &reach);
        error[k] = force / F - 1;
        assert_true(fabs(reach - a) < a / elements);
    }
    assert_true(error[0] > 2 * error[1] && error[1] > error[2] && error[2] > 0);
    assert_true(error[1] < 0.05 && error[2] < 0.04);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_presses_into_a_surface_as_hertz_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
