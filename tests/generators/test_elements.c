/* SPDX-License-Identifier: MIT */
/* The hexahedron and the block of hexahedra against elasticity and geometry. */
#include "support.h"

#include <math.h>
#include <string.h>

#include "dense/dense.h"
#include "generators.h"
#include "element/integrals.h"

/* ---- one element ---- */

/* A cube of edge 0.5 m with each coordinate moved by up to 0.05 m. */
static void draw_corners(uint64_t *state, double *x)
{
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++)
            x[3 * a + i] = 0.5 * (a >> i & 1) + test_uniform(state, -0.05, 0.05);
}

/* u = shift + rate x position, for each corner. */
static void rigid_motion(const double *x, int64_t count, int mode, double *u)
{
    for (int64_t a = 0; a < count; a++) {
        const double *r = x + 3 * a;
        for (int i = 0; i < 3; i++) u[3 * a + i] = mode == i ? 1 : 0;
        if (mode >= 3) {
            int axis = mode - 3, j = (axis + 1) % 3, k = (axis + 2) % 3;
            u[3 * a + axis] = 0;
            u[3 * a + j] = -r[k];
            u[3 * a + k] = r[j];
        }
    }
}

/* Volume of the hexahedron as the flux of x/3 through its six bilinear faces, each by 3 x 3 Gauss
 * points: exact, and without the element's own integrals. */
static double volume_by_flux(const double *x)
{
    static const int face[6][4] = {{0, 4, 2, 6}, {1, 3, 5, 7}, {0, 1, 4, 5},
                                   {2, 6, 3, 7}, {0, 2, 1, 3}, {4, 5, 6, 7}};
    const double point[3] = {0.5 - sqrt(0.15), 0.5, 0.5 + sqrt(0.15)},
                 weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double volume = 0;
    for (int f = 0; f < 6; f++)
        for (int p = 0; p < 9; p++) {
            double s = point[p % 3], t = point[p / 3], at[3], ds[3], dt[3];
            for (int i = 0; i < 3; i++) {
                double A = x[3 * face[f][0] + i], B = x[3 * face[f][1] + i];
                double C = x[3 * face[f][2] + i], D = x[3 * face[f][3] + i];
                at[i] = (1 - t) * ((1 - s) * A + s * B) + t * ((1 - s) * C + s * D);
                ds[i] = (1 - t) * (B - A) + t * (D - C);
                dt[i] = (1 - s) * (C - A) + s * (D - B);
            }
            double flux = at[0] * (ds[1] * dt[2] - ds[2] * dt[1]) +
                          at[1] * (ds[2] * dt[0] - ds[0] * dt[2]) +
                          at[2] * (ds[0] * dt[1] - ds[1] * dt[0]);
            volume += weight[p % 3] * weight[p / 3] * flux / 3;
        }
    return volume;
}

static void element_volume_is_the_flux_through_its_faces(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 20; draw++) {
        double x[24];
        saddle__hexahedron element;
        draw_corners(&state, x);
        saddle__hexahedron_integrate(x, 1, 1, &element);
        assert_true(fabs(element.volume - volume_by_flux(x)) < 1e-14);
        for (int k = 0; k < 24; k++) {
            const double step = 1e-5, at = x[k];
            x[k] = at + step;
            double more = volume_by_flux(x);
            x[k] = at - step;
            double less = volume_by_flux(x);
            x[k] = at;
            assert_true(fabs(element.volume_rate[k] - (more - less) / (2 * step)) < 1e-10);
        }
    }
}

static void element_mass_sums_to_volume(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    double x[24], sum = 0;
    saddle__hexahedron element;
    draw_corners(&state, x);
    saddle__hexahedron_integrate(x, 1, 1, &element);
    for (int k = 0; k < 64; k++) sum += element.mass[k];
    assert_true(fabs(sum - volume_by_flux(x)) < 1e-14);
}

static void element_stiffness_has_exactly_six_rigid_motions(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    double x[24], u[24], eigenvalue[24], K[576];
    saddle__hexahedron element;
    draw_corners(&state, x);
    saddle__hexahedron_integrate(x, 2, 3, &element);
    for (int mode = 0; mode < 6; mode++) {
        rigid_motion(x, 8, mode, u);
        for (int p = 0; p < 24; p++) {
            double force = 0;
            for (int q = 0; q < 24; q++) force += element.stiffness[24 * p + q] * u[q];
            assert_true(fabs(force) < 1e-13);
        }
    }
    memcpy(K, element.stiffness, sizeof K);
    assert_int_equal(saddle__dense_eigenvalues(NULL, 24, K, eigenvalue), SADDLE_OK);
    assert_true(fabs(eigenvalue[5]) < 1e-13);
    assert_true(eigenvalue[6] > 1e-3 * eigenvalue[23]);
}

/* u = E x with a constant strain: energy u'K u / 2 = volume * (lame tr(e)^2 / 2 + shear e:e). */
static void constant_strain_has_its_elastic_energy(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const double lame = 2, shear = 3;
    double x[24], E[9], u[24], trace, square = 0, energy = 0;
    saddle__hexahedron element;
    draw_corners(&state, x);
    saddle__hexahedron_integrate(x, lame, shear, &element);
    for (int k = 0; k < 9; k++) E[k] = test_uniform(&state, -1, 1);
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++)
            u[3 * a + i] = E[3 * i] * x[3 * a] + E[3 * i + 1] * x[3 * a + 1] +
                           E[3 * i + 2] * x[3 * a + 2];
    trace = E[0] + E[4] + E[8];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            square += (E[3 * i + j] + E[3 * j + i]) * (E[3 * i + j] + E[3 * j + i]) / 4;
    for (int p = 0; p < 24; p++)
        for (int q = 0; q < 24; q++) energy += u[p] * element.stiffness[24 * p + q] * u[q] / 2;
    double expected = volume_by_flux(x) * (lame * trace * trace / 2 + shear * square);
    assert_true(fabs(energy - expected) < 1e-12 * fabs(expected));
}

static void an_element_inside_out_has_no_volume(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    double x[24];
    saddle__hexahedron element;
    draw_corners(&state, x);
    for (int a = 0; a < 8; a++) x[3 * a] = -x[3 * a];
    saddle__hexahedron_integrate(x, 1, 1, &element);
    assert_true(element.volume <= 0);
}

/* ---- the block ---- */

static saddle_block_parameters free_block(void)
{
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = 3;
    p.cells[1] = 2;
    p.cells[2] = 4;
    p.fixed = 0;
    p.damping_mass = 0;
    return p;
}

/* Node positions of an undistorted block, x fastest. */
static void grid_positions(const saddle_block_parameters *p, double *x)
{
    int64_t node = 0;
    for (int64_t k = 0; k <= p->cells[2]; k++)
        for (int64_t j = 0; j <= p->cells[1]; j++)
            for (int64_t i = 0; i <= p->cells[0]; i++, node++) {
                x[3 * node] = p->edge * (double)i;
                x[3 * node + 1] = p->edge * (double)j;
                x[3 * node + 2] = p->edge * (double)k;
            }
}

/* A rigid motion has no elastic force: M u is m u whatever the step.  For a shift 1'M 1 is the
 * mass, for a turn u'M u the moment of inertia of the box about its corner's axis (consistent mass
 * integrates it exactly). */
static void block_mass_and_inertia_are_those_of_a_box(void **unused)
{
    (void)unused;
    saddle_block_parameters p = free_block();
    double x[3 * 60], u[3 * 60], Mu[3 * 60];
    const double side[3] = {0.3, 0.2, 0.4}, mass = 1000 * 0.3 * 0.2 * 0.4;
    grid_positions(&p, x);
    for (int stepping = 0; stepping < 2; stepping++) {
        saddle_problem problem;
        p.time_step = stepping == 0 ? 0.01 : 0.1;
        assert_int_equal(saddle_generate_block(NULL, &p, &problem), SADDLE_OK);
        assert_int_equal(problem.n, 180);
        assert_int_equal(problem.m, 24);
        for (int mode = 0; mode < 6; mode++) {
            rigid_motion(x, 60, mode, u);
            saddle_matrix_apply(&problem.M, 1, u, 0, Mu);
            double product = 0, expected = mass;
            for (int64_t k = 0; k < 180; k++) product += u[k] * Mu[k];
            if (mode >= 3) {
                double b = side[(mode - 2) % 3], c = side[(mode - 1) % 3];
                expected = mass * (b * b + c * c) / 3;
            }
            assert_true(fabs(product - expected) < 1e-12 * expected);
        }
        saddle_problem_clear(&problem);
    }
}

static void lumped_and_consistent_mass_have_the_same_weight(void **unused)
{
    (void)unused;
    saddle_block_parameters p = free_block();
    p.distortion = 0.2;
    p.young = 1e-6;
    for (p.consistent_mass = 0; p.consistent_mass < 2; p.consistent_mass++) {
        saddle_problem problem;
        double ones[180], M_ones[180], mass = 0;
        assert_int_equal(saddle_generate_block(NULL, &p, &problem), SADDLE_OK);
        for (int64_t k = 0; k < 180; k++) ones[k] = k % 3 == 0 ? 1 : 0;
        saddle_matrix_apply(&problem.M, 1, ones, 0, M_ones);
        for (int64_t k = 0; k < 180; k++) mass += ones[k] * M_ones[k];
        assert_true(fabs(mass - 24) < 1e-9);
        saddle_problem_clear(&problem);
    }
}

static void volume_rows_see_growth_and_no_rigid_motion(void **unused)
{
    (void)unused;
    saddle_block_parameters p = free_block();
    saddle_problem problem;
    double x[180], u[180], rate[24];
    grid_positions(&p, x);
    assert_int_equal(saddle_generate_block(NULL, &p, &problem), SADDLE_OK);
    for (int mode = 0; mode < 6; mode++) {
        rigid_motion(x, 60, mode, u);
        saddle_matrix_apply_transpose(&problem.Jt, 1, u, 0, rate);
        for (int e = 0; e < 24; e++) assert_true(fabs(rate[e]) < 1e-16);
    }
    saddle_matrix_apply_transpose(&problem.Jt, 1, x, 0, rate);
    for (int e = 0; e < 24; e++) {
        assert_true(fabs(rate[e] - 3 * 1e-3) < 1e-16);
        assert_true(fabs(saddle_matrix_entry(&problem.R, e, e) - 1e-8) < 1e-22);
    }
    saddle_problem_clear(&problem);
}

/* Of two points p and q a tie sees v(p) - v(q): nothing of a shift, d = p - q of v = position, axis
 * x d of a turn. */
static void ties_see_the_velocity_difference_of_two_points(void **unused)
{
    (void)unused;
    saddle_block_parameters p = free_block();
    saddle_problem problem;
    double x[180], u[180], difference[30], rate[30];
    p.incompressible = 0;
    p.ties = 10;
    grid_positions(&p, x);
    assert_int_equal(saddle_generate_block(NULL, &p, &problem), SADDLE_OK);
    assert_int_equal(problem.m, 30);
    assert_int_equal(problem.R.rows, 0);
    saddle_matrix_apply_transpose(&problem.Jt, 1, x, 0, difference);
    for (int tie = 0; tie < 10; tie++) {
        const double *d = difference + 3 * tie;
        assert_true(fabs(d[0]) < 0.3 && fabs(d[1]) < 0.2 && fabs(d[2]) < 0.4);
        assert_true(fabs(d[0]) + fabs(d[1]) + fabs(d[2]) > 1e-3);
    }
    for (int mode = 0; mode < 6; mode++) {
        double expected[30];
        rigid_motion(x, 60, mode, u);
        saddle_matrix_apply_transpose(&problem.Jt, 1, u, 0, rate);
        rigid_motion(difference, 10, mode, expected);
        for (int row = 0; row < 30; row++)
            assert_true(fabs(rate[row] - (mode < 3 ? 0 : expected[row])) < 1e-15);
    }
    saddle_problem_clear(&problem);
}

static void a_held_face_leaves_its_nodes_out(void **unused)
{
    (void)unused;
    saddle_block_parameters p = free_block();
    saddle_problem loose, held;
    assert_int_equal(saddle_generate_block(NULL, &p, &loose), SADDLE_OK);
    p.fixed = 1;
    assert_int_equal(saddle_generate_block(NULL, &p, &held), SADDLE_OK);
    assert_int_equal(held.n, loose.n - 3 * 12);
    for (int64_t j = 0; j < held.n; j++)
        for (int64_t i = 0; i < held.n; i++)
            assert_true(fabs(saddle_matrix_entry(&held.M, i, j) -
                             saddle_matrix_entry(&loose.M, i + 36, j + 36)) <= 0);
    saddle_problem_clear(&loose);
    saddle_problem_clear(&held);
}

static void parameters_out_of_range_are_refused(void **unused)
{
    (void)unused;
    saddle_problem problem;
    saddle_block_parameters p = saddle_block_default();
    p.cells[1] = 0;
    assert_int_equal(saddle_generate_block(NULL, &p, &problem), SADDLE_INVALID_ARGUMENT);
    p = saddle_block_default();
    p.poisson = 0.5;
    assert_int_equal(saddle_generate_block(NULL, &p, &problem), SADDLE_INVALID_ARGUMENT);
    p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = 1;
    p.ties = 1;
    assert_int_equal(saddle_generate_block(NULL, &p, &problem), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(problem.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(element_volume_is_the_flux_through_its_faces),
        cmocka_unit_test(element_mass_sums_to_volume),
        cmocka_unit_test(element_stiffness_has_exactly_six_rigid_motions),
        cmocka_unit_test(constant_strain_has_its_elastic_energy),
        cmocka_unit_test(an_element_inside_out_has_no_volume),
        cmocka_unit_test(block_mass_and_inertia_are_those_of_a_box),
        cmocka_unit_test(lumped_and_consistent_mass_have_the_same_weight),
        cmocka_unit_test(volume_rows_see_growth_and_no_rigid_motion),
        cmocka_unit_test(ties_see_the_velocity_difference_of_two_points),
        cmocka_unit_test(a_held_face_leaves_its_nodes_out),
        cmocka_unit_test(parameters_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
