/* SPDX-License-Identifier: MIT */
/* gauss-seidel against dense enumeration of all states, dense elimination and closed forms; its
 * operator against the dense Delassus matrix. */
#include <math.h>
#include <string.h>

#include "gauss_seidel/gauss_seidel.c"
#include "gs_twin.h"

/* ---- the oracle ---- */

/* lambda of the state that gives each row its lower bound (0), w = 0 (1) or its upper bound (2); 0
 * where it breaks a bound or a sign of w. */
static int state_holds(const gs_twin *t, const int *state, double *lambda)
{
    int64_t m = t->problem.m;
    int64_t freed[MOST];
    int64_t count = 0;
    double A[MOST][MOST];
    double rhs[MOST];
    for (int64_t i = 0; i < m; i++) {
        lambda[i] = state[i] == 0 ? t->lo[i] : state[i] == 2 ? t->hi[i] : 0.0;
        if (!isfinite(lambda[i])) return 0;
        if (state[i] == 1) freed[count++] = i;
    }
    for (int64_t k = 0; k < count; k++) {
        rhs[k] = -t->q[freed[k]];
        for (int64_t j = 0; j < m; j++) rhs[k] -= t->W[freed[k]][j] * lambda[j];
        for (int64_t l = 0; l < count; l++) A[k][l] = t->W[freed[k]][freed[l]];
    }
    if (!gs_eliminate(count, A, rhs)) return 0;
    for (int64_t k = 0; k < count; k++) lambda[freed[k]] = rhs[k];
    for (int64_t i = 0; i < m; i++) {
        double w = t->q[i];
        for (int64_t j = 0; j < m; j++) w += t->W[i][j] * lambda[j];
        if (lambda[i] < t->lo[i] - 1e-12 || lambda[i] > t->hi[i] + 1e-12) return 0;
        if ((state[i] == 0 && w < -1e-12) || (state[i] == 2 && w > 1e-12)) return 0;
    }
    return 1;
}

/* Tries all 3^m states. */
static void enumerate(const gs_twin *t, double *lambda)
{
    int64_t states = 1;
    for (int64_t i = 0; i < t->problem.m; i++) states *= 3;
    for (int64_t k = 0; k < states; k++) {
        int state[MOST];
        int64_t rest = k;
        for (int64_t i = 0; i < t->problem.m; i++, rest /= 3) state[i] = (int)(rest % 3);
        if (state_holds(t, state, lambda)) return;
    }
    fail_msg("the oracle found no solution");
}

static void agrees_with_enumeration(int64_t n, int64_t m, int64_t width, saddle_symmetry symmetry,
                                    int draws)
{
    uint64_t seed = test_seed();
    saddle_options options = gs_tight_options();
    for (int k = 0; k < draws; k++) {
        gs_twin *t = gs_twin_draw(&seed, n, m, width, symmetry);
        double lambda[MOST];
        saddle_solution solution = {0};
        saddle_report report = gs_solve(&t->problem, &options, NULL, &solution);
        if (report.status != SADDLE_OK) fail_msg("draw %d: residual %g", k, report.residual.total);
        enumerate(t, lambda);
        assert_true(test_distance(lambda, solution.lambda, m) <= 1e-9);
        saddle_solution_clear(&solution);
        gs_twin_clear(t);
    }
}

/* ---- answers ---- */

static void mixed_rows_agree_with_enumeration_on_w(void **state)
{
    (void)state;
    agrees_with_enumeration(0, 6, 0, SADDLE_SYMMETRY_LOWER, 60);
}

static void mixed_rows_agree_with_enumeration_on_unsymmetric_w(void **state)
{
    (void)state;
    agrees_with_enumeration(0, 6, 0, SADDLE_SYMMETRY_NONE, 60);
}

static void mixed_rows_agree_with_enumeration_on_m_and_j(void **state)
{
    (void)state;
    agrees_with_enumeration(12, 6, 3, SADDLE_SYMMETRY_LOWER, 60);
    agrees_with_enumeration(2, 7, 2, SADDLE_SYMMETRY_LOWER, 20);
}

static void mixed_rows_agree_with_enumeration_on_unsymmetric_m(void **state)
{
    (void)state;
    agrees_with_enumeration(12, 6, 3, SADDLE_SYMMETRY_NONE, 60);
    agrees_with_enumeration(2, 7, 2, SADDLE_SYMMETRY_NONE, 20);
}

/* One sweep, row after row with the newest impulses, (0.17) of the ArtiSynth mechanics notes. */
static void a_sweep_is_the_formula_of_the_notes(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_options options = gs_tight_options();
    options.max_iterations = 1;
    int compared = 0;
    for (int k = 0; k < 40; k++) {
        gs_twin *t = gs_twin_draw(&seed, k % 2 ? 20 : 0, 10, 4, SADDLE_SYMMETRY_LOWER);
        double lambda[MOST] = {0};
        saddle_solution solution = {0};
        for (int i = 0; i < 10; i++) {
            t->lo[i] = -INFINITY;
            t->hi[i] = INFINITY;
        }
        for (int i = 0; i < 10; i++) {
            double rest = -t->q[i];
            for (int j = 0; j < 10; j++)
                if (j != i) rest -= t->W[i][j] * lambda[j];
            lambda[i] = rest / t->W[i][i];
        }
        assert_true(gs_solve(&t->problem, &options, NULL, &solution).status > SADDLE_OK);
        compared += test_distance(lambda, solution.lambda, 10) <= 1e-12;
        saddle_solution_clear(&solution);
        gs_twin_clear(t);
    }
    assert_true(compared > 35); /* an iterate with a larger residual than the start is not given */
}

/* A tangent under a known normal impulse, (0.16) of the notes: as much against v_t as |phi| <=
 * phi_max allows.  The second case of the notes is v_t <= -w phi_max. */
static void a_tangent_under_a_known_normal_is_the_step_of_the_notes(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int k = 0; k < 200; k++) {
        const double w = test_uniform(&seed, 0.1, 3), v = test_uniform(&seed, -2, 2),
                     most = test_uniform(&seed, 0, 1);
        const double phi = v >= w * most ? -most : v <= -w * most ? most : -v / w;
        int64_t start[] = {0, 1}, index[] = {0};
        double lo = -most, hi = most, b = -v;
        saddle_problem problem = {.m = 1,
                                  .b = &b,
                                  .lo = &lo,
                                  .hi = &hi,
                                  .R = saddle_matrix_view(1, 1, start, index, (double[]){w},
                                                          SADDLE_SYMMETRY_LOWER)};
        saddle_solution solution = {0};
        saddle_options options = gs_tight_options();
        assert_int_equal(gs_solve(&problem, &options, NULL, &solution).status, SADDLE_OK);
        assert_true(fabs(solution.lambda[0] - phi) < 1e-14);
        saddle_solution_clear(&solution);
    }
}

static void equality_rows_agree_with_dense_elimination(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_options options = gs_tight_options();
    for (int k = 0; k < 40; k++) {
        gs_twin *t = gs_twin_draw(&seed, k % 2 ? 20 : 0, 10, 4,
                                  k % 4 < 2 ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE);
        for (int i = 0; i < 10; i++) {
            t->lo[i] = -INFINITY;
            t->hi[i] = INFINITY;
        }
        double A[MOST][MOST];
        double lambda[MOST];
        memcpy(A, t->W, sizeof A);
        for (int i = 0; i < 10; i++) lambda[i] = -t->q[i];
        assert_true(gs_eliminate(10, A, lambda));
        saddle_solution solution = {0};
        assert_int_equal(gs_solve(&t->problem, &options, NULL, &solution).status, SADDLE_OK);
        assert_true(test_distance(lambda, solution.lambda, 10) <= 1e-9);
        saddle_solution_clear(&solution);
        gs_twin_clear(t);
    }
}

static void stack_on_an_incline_carries_the_weight_above(void **state)
{
    (void)state;
    saddle_options options = gs_tight_options();
    for (int law = 0; law < 4; law++) {
        gs_twin *t = gs_twin_stack(8, (saddle_law)law, 0.3, 0.5);
        saddle_solution solution = {0};
        assert_int_equal(gs_solve(&t->problem, &options, NULL, &solution).status, SADDLE_OK);
        for (int64_t i = 0; i < 8; i++) {
            double weight = (double)(8 - i);
            assert_true(fabs(solution.lambda[3 * i] - weight * cos(0.3)) <= 1e-10);
            assert_true(fabs(solution.lambda[3 * i + 1] + weight * (sin(0.3) + BELT)) <= 1e-10);
            assert_true(fabs(solution.v[3 * i]) + fabs(solution.v[3 * i + 1] + BELT) <= 1e-10);
        }
        saddle_solution_clear(&solution);
        gs_twin_clear(t);
    }
}

/* Less friction under the lowest cube than the slope asks for: all slide as one, with sin(alpha) -
 * mu cos(alpha). */
static void stack_slides_as_one_above_the_friction_angle(void **state)
{
    (void)state;
    saddle_options options = gs_tight_options();
    for (int law = 0; law < 3; law++) {
        gs_twin *t = gs_twin_stack(8, (saddle_law)law, 0.5, 0.25);
        saddle_solution solution = {0};
        assert_int_equal(gs_solve(&t->problem, &options, NULL, &solution).status, SADDLE_OK);
        for (int64_t i = 0; i < 8; i++)
            assert_true(fabs(solution.v[3 * i + 1] - (sin(0.5) - 0.25 * cos(0.5))) <= 1e-10);
        saddle_solution_clear(&solution);
        gs_twin_clear(t);
    }
}

/* ---- the operator ---- */

/* Contacts of 3 and 2 rows in turn, a row between them. */
static void add_contacts(gs_twin *t)
{
    saddle_problem *p = &t->problem;
    int64_t size = 3;
    p->contacts = t->contact;
    for (int64_t row = 1; row + size <= p->m; row += size + 1, size = 5 - size)
        t->contact[p->contact_count++] = (saddle_contact){.row = row, .size = size, .mu = 0.5};
}

/* The group's rows of W, and their velocities without the impulses of the group. */
static void check_group(const gs_twin *t, const delassus_operator *W, const saddle__group *group,
                        const double *lambda, const double *v)
{
    for (int64_t i = 0; i < group->size; i++) {
        const double *row = t->W[group->row + i];
        double q = t->q[group->row + i];
        for (int64_t j = 0; j < t->problem.m; j++)
            if (j < group->row || j >= group->row + group->size) q += row[j] * lambda[j];
        assert_true(fabs(operator_row(&t->problem, W, lambda, v, group, i) - q) <= 1e-12);
        for (int64_t j = 0; j < group->size; j++)
            assert_true(fabs(W->block[W->width * (group->row + i) + j] - row[group->row + j]) <=
                        1e-13);
    }
}

static void operator_is(operator_form form, int64_t n, int64_t m, int64_t width,
                        saddle_symmetry symmetry)
{
    uint64_t seed = test_seed();
    saddle_options options = saddle_options_default();
    for (int draws = 0; draws < 20; draws++) {
        gs_twin *t = gs_twin_draw(&seed, n, m, width, symmetry);
        delassus_operator W = {0};
        saddle__group group[MOST];
        double v[MOST] = {0.0};
        double lambda[MOST];
        if (draws % 2) add_contacts(t);
        assert_int_equal(operator_analyse(NULL, &options, &t->problem, &W), SADDLE_OK);
        for (int refresh = 0; refresh < 2; refresh++)
            assert_int_equal(operator_factor(NULL, &t->problem, &W), SADDLE_OK);
        assert_int_equal(W.form, form);
        assert_int_equal(operator_prepare(&t->problem, &W, v), SADDLE_OK);
        for (int64_t i = 0; i < m; i++) lambda[i] = test_uniform(&seed, -1.0, 1.0);
        assert_int_equal(operator_velocity(&t->problem, &W, lambda, v), SADDLE_OK);
        int64_t groups = saddle__groups_find(&t->problem, group);
        for (int64_t step = 0; step < 2 * groups; step++) { /* before and after moves */
            int64_t g = step % groups;
            check_group(t, &W, &group[g], lambda, v);
            for (int64_t i = group[g].row; i < group[g].row + group[g].size; i++) {
                lambda[i] += 0.5;
                operator_move(&W, i, 0.5, v);
            }
        }
        operator_clear(NULL, &W);
        gs_twin_clear(t);
    }
}

static void operator_rows_equal_those_of_the_dense_delassus_matrix(void **state)
{
    (void)state;
    operator_is(OPERATOR_FORMED, 0, 9, 0, SADDLE_SYMMETRY_LOWER);
    operator_is(OPERATOR_FORMED, 0, 9, 0, SADDLE_SYMMETRY_NONE);
    operator_is(OPERATOR_FORMED, 30, 5, 3, SADDLE_SYMMETRY_LOWER);
    operator_is(OPERATOR_FORMED, 30, 5, 3, SADDLE_SYMMETRY_NONE);
    operator_is(OPERATOR_FREE, 2, 30, 2, SADDLE_SYMMETRY_LOWER);
    operator_is(OPERATOR_FREE, 2, 30, 2, SADDLE_SYMMETRY_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_w),
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_unsymmetric_w),
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_m_and_j),
        cmocka_unit_test(mixed_rows_agree_with_enumeration_on_unsymmetric_m),
        cmocka_unit_test(a_sweep_is_the_formula_of_the_notes),
        cmocka_unit_test(a_tangent_under_a_known_normal_is_the_step_of_the_notes),
        cmocka_unit_test(equality_rows_agree_with_dense_elimination),
        cmocka_unit_test(stack_on_an_incline_carries_the_weight_above),
        cmocka_unit_test(stack_slides_as_one_above_the_friction_angle),
        cmocka_unit_test(operator_rows_equal_those_of_the_dense_delassus_matrix),
    };
    return cmocka_run_group_tests_name("gauss-seidel", tests, NULL, NULL);
}
