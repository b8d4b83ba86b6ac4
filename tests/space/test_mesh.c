/* SPDX-License-Identifier: MIT */
/* Closed meshes against shapes in closed form, the divergence theorem by quadrature over their
 * faces, and what is no solid. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mesh.h"
#include "drawn_space.h"

static const double pi = 3.14159265358979323846;

static void assert_inertia(const saddle_body_inertia *found, const saddle_body_inertia *expected,
                           double tolerance, double extent)
{
    assert_true(fabs(found->mass - expected->mass) <= tolerance * expected->mass);
    assert_true(largest_difference(found->center, expected->center, 3) <= tolerance * extent);
    assert_true(largest_difference(found->moment, expected->moment, 9) <=
                tolerance * largest(expected->moment, 9));
}

/* Turned and moved anywhere. */
static void boxes_are_exact(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    test_mesh *made = test_mesh_create();
    for (int trial = 0; trial < test_draws(2000); trial++) {
        double low[3], high[3], size[3], density = draw_size(&seed, 0, 4), volume;
        saddle_pose T = draw_pose(&seed), middle = saddle_pose_identity();
        double scale = draw_size(&seed, -3, 3);
        for (int i = 0; i < 3; i++) {
            size[i] = scale * draw_size(&seed, -2, 0);
            low[i] = scale * test_uniform(&seed, -1, 1);
            high[i] = low[i] + size[i];
            middle.p[i] = low[i] + size[i] / 2;
            T.p[i] *= scale;
        }
        made->mesh.vertices = made->mesh.triangles = 0;
        test_mesh_add_box(made, low, high, 0);
        for (int k = 0; k < 8; k++)
            saddle_pose_point(&T, made->vertex + 3 * k, made->vertex + 3 * k);
        saddle_body_inertia found, expected;
        assert_int_equal(saddle_mesh_inertia_of_density(NULL, &made->mesh, NULL, density, &found),
                         SADDLE_OK);
        assert_int_equal(saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, size, density,
                                                        &expected),
                         SADDLE_OK);
        middle = saddle_pose_multiply(&T, &middle);
        saddle_body_inertia_move(&expected, &middle, &expected);
        assert_inertia(&found, &expected, 1e-12, scale); /* a side of a hundredth keeps 14 digits of
                                                            a coordinate */
        assert_int_equal(saddle_mesh_volume(NULL, &made->mesh, NULL, &volume), SADDLE_OK);
        assert_true(fabs(volume * density / expected.mass - 1) < 1e-12);
        assert_int_equal(saddle_mesh_inertia_of_mass(NULL, &made->mesh, NULL, expected.mass,
                                                     &found),
                         SADDLE_OK);
        assert_inertia(&found, &expected, 1e-12, scale);
    }
    free(made);
}

/* A box with a box cut out of it, in one mesh with a shell turned inwards. */
static void cavities_are_taken_out(void **state)
{
    (void)state;
    const double low[3] = {0, 0, 0}, high[3] = {4, 3, 2}, inner_low[3] = {1, 1, 0.5},
                 inner_high[3] = {3, 1.5, 1.25};
    const double density = 7;
    test_mesh *made = test_mesh_create();
    test_mesh_add_box(made, low, high, 0);
    test_mesh_add_box(made, inner_low, inner_high, 1);
    saddle_body_inertia found, part[2], whole;
    assert_int_equal(saddle_mesh_inertia_of_density(NULL, &made->mesh, NULL, density, &found),
                     SADDLE_OK);
    const double inner[3] = {2, 0.5, 0.75};
    saddle_pose at = saddle_pose_identity();
    assert_int_equal(saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, inner, density,
                                                    &part[1]),
                     SADDLE_OK);
    for (int i = 0; i < 3; i++) at.p[i] = (inner_low[i] + inner_high[i]) / 2;
    saddle_body_inertia_move(&part[1], &at, &part[1]);
    part[0] = found; /* with what was cut out it is the box */
    assert_int_equal(saddle_body_inertia_compose(NULL, 2, part, NULL, &whole), SADDLE_OK);
    saddle_body_inertia expected;
    assert_int_equal(saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, high, density,
                                                    &expected),
                     SADDLE_OK);
    for (int i = 0; i < 3; i++) at.p[i] = high[i] / 2;
    saddle_body_inertia_move(&expected, &at, &expected);
    assert_inertia(&whole, &expected, 1e-14, 4);
    free(made);
}

/* Four times nearer with each level: the mesh is inscribed. */
static void spheres_converge_at_second_order(void **state)
{
    (void)state;
    const double radius = 1, density = 3 / (4 * pi);
    saddle_body_inertia ball, found;
    assert_int_equal(saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_SPHERE, &radius, density,
                                                    &ball),
                     SADDLE_OK);
    assert_true(fabs(ball.mass - 1) < 1e-15);
    double before[2] = {0};
    for (int levels = 0; levels <= 5; levels++) {
        test_mesh *made = test_mesh_create();
        test_mesh_add_sphere(made, levels);
        assert_int_equal(made->mesh.triangles, 8 << (2 * levels));
        assert_int_equal(made->mesh.vertices, (4 << (2 * levels)) + 2);
        assert_int_equal(saddle_mesh_inertia_of_density(NULL, &made->mesh, NULL, density, &found),
                         SADDLE_OK);
        double error[2] = {ball.mass - found.mass, ball.moment[0] - found.moment[0]};
        assert_true(largest(found.center, 3) < 1e-15);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(found.moment[i] - (i % 4 == 0 ? found.moment[0] : 0)) < 1e-14);
        for (int k = 0; k < 2; k++) {
            assert_true(error[k] > 0);
            double ratio = before[k] / error[k];
            if (levels > 2) assert_true(ratio > 3.7 && ratio < 4.05);
            before[k] = error[k];
        }
        free(made);
    }
    assert_true(before[0] < 2e-3);
}

/* volume = 1/3 sum (x'n), first = 1/4 sum x (x'n), second = 1/5 sum x x' (x'n) over the faces, x'n
 * constant on each: by Gauss for homogeneous functions.  The rule of the sides' middles is exact
 * for squares. */
static void integrate_faces(const saddle_mesh *mesh, double *volume, double *first, double *second)
{
    *volume = 0;
    memset(first, 0, 3 * sizeof *first);
    memset(second, 0, 9 * sizeof *second);
    for (int64_t t = 0; t < mesh->triangles; t++) {
        const double *corner[3];
        double u[3], v[3], normal[3];
        for (int k = 0; k < 3; k++) corner[k] = mesh->vertex + 3 * mesh->triangle[3 * t + k];
        for (int i = 0; i < 3; i++) {
            u[i] = corner[1][i] - corner[0][i];
            v[i] = corner[2][i] - corner[0][i];
        }
        saddle__cross(u, v, normal); /* twice the area */
        double flow = saddle__dot(corner[0], normal) / 2;
        *volume += flow / 3;
        for (int k = 0; k < 3; k++) {
            double x[3];
            for (int i = 0; i < 3; i++) x[i] = (corner[k][i] + corner[(k + 1) % 3][i]) / 2;
            for (int i = 0; i < 3; i++) first[i] += flow / 4 * x[i] / 3;
            for (int i = 0; i < 9; i++) second[i] += flow / 5 * x[i % 3] * x[i / 3] / 3;
        }
    }
}

/* Spheres with every vertex drawn out or in: not convex, no symmetry. */
static void drawn_meshes_agree_with_the_divergence_theorem(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    test_mesh *made = test_mesh_create();
    for (int trial = 0; trial < test_draws(1000); trial++) {
        double volume, first[3], second[9], center[3];
        made->mesh.vertices = made->mesh.triangles = 0;
        test_mesh_add_sphere(made, trial % 3);
        for (int64_t v = 0; v < made->mesh.vertices; v++) {
            double radius = test_uniform(&seed, 0.3, 2);
            for (int i = 0; i < 3; i++)
                made->vertex[3 * v + i] = radius * made->vertex[3 * v + i] + 0.2 * i;
        }
        integrate_faces(&made->mesh, &volume, first, second);
        saddle_body_inertia found, expected = {.mass = 2};
        assert_int_equal(saddle_mesh_inertia_of_mass(NULL, &made->mesh, NULL, 2, &found),
                         SADDLE_OK);
        for (int i = 0; i < 3; i++) expected.center[i] = center[i] = first[i] / volume;
        for (int i = 0; i < 9; i++)
            second[i] = 2 * (second[i] / volume - center[i % 3] * center[i / 3]);
        for (int i = 0; i < 9; i++)
            expected.moment[i] = (i % 4 == 0 ? second[0] + second[4] + second[8] : 0) - second[i];
        assert_inertia(&found, &expected, 1e-13, 1);
    }
    free(made);
}

static void meshes_far_away_lose_nothing(void **state)
{
    (void)state;
    test_mesh *made = test_mesh_create();
    saddle_body_inertia near, far;
    test_mesh_add_sphere(made, 1);
    for (int64_t i = 0; i < 3 * made->mesh.vertices; i++)
        made->vertex[i] = ldexp(rint(ldexp(made->vertex[i], 8)), -8);
    assert_int_equal(saddle_mesh_inertia_of_mass(NULL, &made->mesh, NULL, 1, &near), SADDLE_OK);
    for (int64_t i = 0; i < 3 * made->mesh.vertices; i++) made->vertex[i] += 0x1p40;
    assert_int_equal(saddle_mesh_inertia_of_mass(NULL, &made->mesh, NULL, 1, &far), SADDLE_OK);
    assert_true(largest_difference(near.moment, far.moment, 9) == 0);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(far.center[i] - 0x1p40 - near.center[i]) <= 0x1p-12);
    free(made);
}

/* ---- what is no solid ---- */

static void refuse(saddle_context *context, const test_mesh *made, saddle_status status,
                   const char *says)
{
    saddle_body_inertia inertia;
    assert_int_equal(saddle_mesh_inertia_of_mass(context, &made->mesh, "hull", 1, &inertia),
                     status);
    assert_string_equal(saddle_context_message(context), says);
}

static test_mesh *unit_box(void)
{
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    test_mesh *made = test_mesh_create();
    test_mesh_add_box(made, low, high, 0);
    return made;
}

/* Triangles of the box: 0 = (0, 2, 3), 1 = (0, 3, 1), 2 = (4, 5, 7), .. */
static void holes_are_named_by_their_edge(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    test_mesh *made = unit_box();
    made->mesh.triangles = 11; /* without (1, 7, 5) */
    refuse(context, made, SADDLE_INVALID_PROBLEM,
           "hull: edge 1-5 belongs to triangle 4 alone: there is a hole");
    free(made);
    saddle_context_free(context);
}

static void turned_triangles_are_named_by_their_edge(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    test_mesh *made = unit_box();
    made->triangle[1] = 3;
    made->triangle[2] = 2;
    refuse(context, made, SADDLE_INVALID_PROBLEM,
           "hull: triangles 0 and 9 run through edge 0-2 in the same direction: one of them is "
           "turned");
    free(made);
    saddle_context_free(context);
}

static void edges_of_many_triangles_are_named(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    test_mesh *made = unit_box(); /* and two triangles back to back on the edge 0-1 */
    made->mesh.vertices = 9;
    made->vertex[25] = made->vertex[26] = -1;
    const int64_t fin[6] = {0, 1, 8, 1, 0, 8};
    memcpy(made->triangle + 36, fin, sizeof fin);
    made->mesh.triangles = 14;
    refuse(context, made, SADDLE_INVALID_PROBLEM,
           "hull: edge 0-1 belongs to 4 triangles, 1, 4, 12 among them");
    free(made);
    saddle_context_free(context);
}

static void triangles_without_area_are_named_by_their_edge(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    test_mesh *made = unit_box();
    made->triangle[1] = 3;
    refuse(context, made, SADDLE_INVALID_PROBLEM, "hull: triangle 0 has no area over its edge 0-3");
    made->triangle[1] = 2;
    for (int i = 0; i < 3; i++)
        made->vertex[6 + i] = (made->vertex[i] * 0.7 + made->vertex[9 + i] * 0.3);
    refuse(context, made, SADDLE_INVALID_PROBLEM, "hull: triangle 0 has no area over its edge 0-3");
    free(made);
    saddle_context_free(context);
}

static void meshes_inside_out_or_flat_are_named(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    test_mesh *made = test_mesh_create();
    test_mesh_add_box(made, low, high, 1);
    refuse(context, made, SADDLE_INVALID_PROBLEM, "hull: a volume of -1 m^3: it is inside out");
    made->mesh.vertices = 3;
    const int64_t both_sides[6] = {0, 1, 2, 2, 1, 0};
    memcpy(made->triangle, both_sides, sizeof both_sides);
    made->mesh.triangles = 2;
    refuse(context, made, SADDLE_INVALID_PROBLEM,
           "hull: a volume of 0 m^3: it is flat, or too large or too small");
    free(made);
    saddle_context_free(context);
}

static void numbers_of_no_mesh_are_named(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    saddle_body_inertia inertia;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    test_mesh *made = unit_box();
    made->triangle[7] = 8;
    refuse(context, made, SADDLE_INVALID_ARGUMENT, "hull: triangle 2 has a vertex 8, there are 8");
    made->triangle[7] = -1;
    refuse(context, made, SADDLE_INVALID_ARGUMENT, "hull: triangle 2 has a vertex -1, there are 8");
    made->triangle[7] = 5;
    made->vertex[16] = INFINITY;
    refuse(context, made, SADDLE_INVALID_ARGUMENT, "hull: coordinate 2 of vertex 5 is inf");
    made->vertex[16] = 0;
    assert_int_equal(saddle_mesh_inertia_of_mass(context, &made->mesh, NULL, -3, &inertia),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "mesh: its mass is -3 kg");
    assert_int_equal(saddle_mesh_inertia_of_density(context, &made->mesh, NULL, 0, &inertia),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "mesh: its density is 0 kg/m^3");
    made->mesh.triangles = 0;
    refuse(context, made, SADDLE_INVALID_ARGUMENT, "hull: 8 vertices, 0 triangles");
    made->mesh.triangles = INT64_MAX / 3;
    refuse(context, made, SADDLE_INVALID_ARGUMENT,
           "hull: 8 vertices, 3074457345618258602 triangles");
    free(made);
    saddle_context_free(context);
}

/* Whichever triangle of a sphere is left out or turned, the edge that is named is one of its. */
static void any_missing_or_turned_triangle_is_found(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    test_mesh *made = test_mesh_create();
    test_mesh_add_sphere(made, 2);
    int64_t last = made->mesh.triangles - 1;
    for (int64_t t = 0; t <= last; t++)
        for (int turned = 0; turned < 2; turned++) {
            int64_t kept[3], *triangle = made->triangle + 3 * t;
            memcpy(kept, triangle, sizeof kept);
            if (turned) {
                triangle[1] = kept[2];
                triangle[2] = kept[1];
            } else {
                memcpy(triangle, made->triangle + 3 * last, sizeof kept);
                made->mesh.triangles--;
            }
            assert_int_equal(saddle_mesh_check(context, &made->mesh, NULL), SADDLE_INVALID_PROBLEM);
            const char *edge = strstr(saddle_context_message(context), "edge ");
            assert_non_null(edge);
            char *end = NULL;
            int64_t a = strtoll(edge + 5, &end, 10), b = strtoll(end + 1, NULL, 10);
            int own = 0;
            for (int i = 0; i < 3; i++) own += kept[i] == a || kept[i] == b;
            assert_int_equal(own, 2);
            made->mesh.triangles = last + 1;
            memcpy(triangle, kept, sizeof kept);
            assert_int_equal(saddle_mesh_check(context, &made->mesh, NULL), SADDLE_OK);
        }
    free(made);
    saddle_context_free(context);
}

static saddle_status weigh_with(saddle_context *context, void *user)
{
    saddle_body_inertia inertia;
    return saddle_mesh_inertia_of_mass(context, user, NULL, 1, &inertia);
}

static void meshes_survive_any_failing_allocation(void **state)
{
    (void)state;
    test_mesh *made = unit_box();
    assert_true(test_allocation_sweep(weigh_with, &made->mesh) >= 3);
    free(made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_exact),
        cmocka_unit_test(cavities_are_taken_out),
        cmocka_unit_test(spheres_converge_at_second_order),
        cmocka_unit_test(drawn_meshes_agree_with_the_divergence_theorem),
        cmocka_unit_test(meshes_far_away_lose_nothing),
        cmocka_unit_test(holes_are_named_by_their_edge),
        cmocka_unit_test(turned_triangles_are_named_by_their_edge),
        cmocka_unit_test(edges_of_many_triangles_are_named),
        cmocka_unit_test(triangles_without_area_are_named_by_their_edge),
        cmocka_unit_test(meshes_inside_out_or_flat_are_named),
        cmocka_unit_test(numbers_of_no_mesh_are_named),
        cmocka_unit_test(any_missing_or_turned_triangle_is_found),
        cmocka_unit_test(meshes_survive_any_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
