/* SPDX-License-Identifier: MIT */
/* pivot, by either basis (pivot.basis): redundant and contradictory equations, masses that only
 * equations hold; columns only of rows that entered; the choice; warm starts, bits, memory,
 * counts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "enumeration.h"
#include "pivot_bases.h"

/* ---- equations ---- */

enum { SHORT = 12, LONG = 80, MOST_ROWS = LONG + 3 * (LONG - 1) };

/* the factor of a long one is that of the condensed system */
static const int64_t lengths[] = {SHORT, LONG};

/* Masses in a row, each tied to the next by an equation, every tie given `copies` times, and a
 * floor under each. */
typedef struct train {
    int64_t links, ties;
    double mass[LONG], f[LONG], b[MOST_ROWS], lo[MOST_ROWS], hi[MOST_ROWS];
    int64_t start[LONG + 1], index[LONG];
    int64_t J_start[MOST_ROWS + 1], J_index[2 * MOST_ROWS];
    double J_value[2 * MOST_ROWS];
    int64_t id[MOST_ROWS];
    saddle_problem problem;
} train;

static void make_train(train *t, int64_t links, int64_t copies)
{
    t->links = links;
    t->ties = links - 1;
    saddle_problem *p = &t->problem;
    saddle_problem fresh = {.n = t->links,
                            .m = t->links + copies * t->ties,
                            .f = t->f,
                            .b = t->b,
                            .lo = t->lo,
                            .hi = t->hi};
    *p = fresh;
    p->row_id = t->id;
    int64_t count = 0;
    for (int64_t j = 0; j <= t->links; j++) t->start[j] = j;
    for (int64_t j = 0; j < t->links; j++) {
        t->index[j] = j;
        t->mass[j] = 1.0 + 0.25 * (double)j;
        t->f[j] = j % 3 ? 0.5 : -2.0;
    }
    for (int64_t i = 0; i < p->m; i++) {
        int64_t body = i < t->links ? i : (i - t->links) % t->ties;
        /* copies in other units */
        double scale = i < t->links ? 1.0 : 1.0 + (double)((i - t->links) / t->ties);
        t->id[i] = 1000 + i;
        t->b[i] = 0.0;
        t->lo[i] = i < t->links ? 0.0 : -(double)INFINITY;
        t->hi[i] = (double)INFINITY;
        t->J_start[i] = count;
        t->J_index[count] = body;
        t->J_value[count++] = scale;
        if (i < t->links) continue;
        t->J_index[count] = body + 1;
        t->J_value[count++] = -scale;
    }
    t->J_start[p->m] = count;
    p->M = saddle_matrix_view(t->links, t->links, t->start, t->index, t->mass,
                              SADDLE_SYMMETRY_LOWER);
    p->Jt = saddle_matrix_view(t->links, p->m, t->J_start, t->J_index, t->J_value,
                               SADDLE_SYMMETRY_NONE);
}

static void redundant_equations_give_the_same_velocity(void **state)
{
    (void)state;
    static train once, often;
    for (int k = 0; k < 4; k++) {
        make_train(&once, lengths[k / 2], 1);
        make_train(&often, lengths[k / 2], 3);
        for (int push = 0; push < 2; push++) { /* pressed down, then lifted off */
            once.f[5] = often.f[5] = push ? 100.0 : -10.0;
            double sum = 0.0;
            double mass = 0.0;
            for (int64_t j = 0; j < once.links; j++) {
                sum += once.f[j];
                mass += once.mass[j];
            }
            saddle_solution x = {0}, y = {0};
            saddle_report report;
            assert_int_equal(solve_by(&once.problem, both[k % 2], &x, NULL), SADDLE_OK);
            assert_int_equal(solve_by(&often.problem, both[k % 2], &y, &report), SADDLE_OK);
            assert_true(report.residual.total < 1e-13);
            for (int64_t j = 0; j < once.links; j++) {
                /* all move as one */
                assert_true(fabs(x.v[j] - (push ? fmax(sum, 0.0) / mass : 0.0)) < 1e-12);
                assert_true(fabs(y.v[j] - x.v[j]) < 1e-12);
            }
            saddle_solution_clear(&x);
            saddle_solution_clear(&y);
        }
    }
}

static void contradictory_equations_are_named_by_their_ids(void **state)
{
    (void)state;
    static train t;
    for (int k = 0; k < 4; k++) {
        make_train(&t, lengths[k / 2], 2);
        t.b[t.links + t.ties + 4] = 0.5; /* tie 4 asks for 0, its copy for something else */
        saddle_solution x = {0};
        saddle_report report;
        char first[32], second[32];
        (void)snprintf(first, sizeof first, "id %d", (int)(1000 + t.links + 4));
        (void)snprintf(second, sizeof second, "id %d", (int)(1000 + t.links + t.ties + 4));
        assert_int_equal(solve_by(&t.problem, both[k % 2], &x, &report), SADDLE_INFEASIBLE);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
        assert_int_equal(report.proof.rows, 2);
        assert_non_null(strstr(report.note, "contradict each other"));
        assert_true(strstr(report.note, first) || strstr(report.note, second));
        saddle_solution_clear(&x);
    }
}

/* Every second mass is none: the ties alone hold those. */
static void masses_that_only_equations_hold_are_no_obstacle(void **state)
{
    (void)state;
    static train t;
    for (int k = 0; k < 4; k++) {
        make_train(&t, lengths[k / 2], 1);
        double sum = 0.0;
        double mass = 0.0;
        for (int64_t j = 0; j < t.links; j++) {
            if (j % 2) t.mass[j] = 0.0;
            t.f[j] = j == 6 ? (double)t.links : -0.5;
            sum += t.f[j];
            mass += t.mass[j];
        }
        saddle_solution x = {0};
        assert_int_equal(solve_by(&t.problem, both[k % 2], &x, NULL), SADDLE_OK);
        for (int64_t j = 0; j < t.links; j++) assert_true(fabs(x.v[j] - sum / mass) < 1e-9);
        saddle_solution_clear(&x);
    }
}

/* ---- on demand ---- */

static void columns_are_computed_for_rows_that_enter_only(void **state)
{
    (void)state;
    static train t;
    make_train(&t, SHORT, 1);
    for (int64_t i = 0; i < t.links; i++)
        t.b[i] = i == 3 || i == 8 ? 0.0 : -100.0; /* floors far below, but for two */
    for (int64_t j = 0; j < t.links; j++) t.f[j] = -1.0;
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(solve_by(&t.problem, SADDLE_BASIS_COLUMNS, &x, &report), SADDLE_OK);
    assert_non_null(strstr(report.note, "basis: 2 columns of 12"));
    saddle_solution_clear(&x);
}

static void what_a_basis_cannot_do_is_refused(void **state)
{
    (void)state;
    static train t;
    make_train(&t, SHORT, 1);
    saddle_contact contact = {.row = 0, .size = 2, .mu = 0.5};
    saddle_solution x = {0};
    t.problem.contact_count = 1;
    t.problem.contacts = &contact;
    t.problem.law = SADDLE_LAW_BOX;
    assert_int_equal(solve_by(&t.problem, SADDLE_BASIS_FACTOR, &x, NULL), SADDLE_UNSUPPORTED);
    t.problem.contact_count = 0;
    int64_t index[SHORT + 1] = {0, 1};
    double mass[SHORT + 1] = {1.0, 0.125};
    for (int64_t j = 1; j < SHORT; j++) index[j + 1] = j;
    for (int64_t j = 1; j < SHORT; j++) mass[j + 1] = t.mass[j];
    for (int64_t j = 1; j <= SHORT; j++) t.start[j]++;
    t.problem.M = saddle_matrix_view(SHORT, SHORT, t.start, index, mass, SADDLE_SYMMETRY_NONE);
    assert_int_equal(solve_by(&t.problem, SADDLE_BASIS_FACTOR, &x, NULL), SADDLE_UNSUPPORTED);
    assert_int_equal(solve_by(&t.problem, SADDLE_BASIS_BEST, &x, NULL), SADDLE_OK);
    saddle_solution_clear(&x);
}

/* v = (-2, -2, 0, 2) without impulses: the first two rows have J v = 0 term by term, which is no
 * reason to know nothing of the others, that are broken. */
static void a_row_at_rest_hides_no_other(void **state)
{
    (void)state;
    int64_t M_row[] = {0, 1, 2, 1, 2, 3, 2, 3, 3}, M_col[] = {0, 0, 0, 1, 1, 1, 2, 2, 3};
    double M[] = {4, -3, -2, 5, 3, 1, 4, 1, 2}, f[] = {-2, -2, 0, 2}, b[] = {0, 0, 0, 0, -2};
    int64_t J_row[] = {2, 2, 0, 1, 2, 1, 2, 3, 1, 2, 3},
            J_col[] = {0, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4};
    double J[] = {-1, 1, -1, -1, 1, 1, 1, -1, -1, -1, 1};
    double lo[] = {-1, -(double)INFINITY, 0, 0, 0}, hi[] = {2, 1, 2, 2, (double)INFINITY};
    saddle_problem p = {.n = 4, .m = 5, .f = f, .b = b, .lo = lo, .hi = hi};
    assert_int_equal(saddle_matrix_from_triplets(NULL, 4, 4, 9, M_row, M_col, M,
                                                 SADDLE_SYMMETRY_LOWER, &p.M),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_from_triplets(NULL, 4, 5, 11, J_row, J_col, J,
                                                 SADDLE_SYMMETRY_NONE, &p.Jt),
                     SADDLE_OK);
    for (int k = 0; k < 2; k++) {
        saddle_solution x = {0};
        assert_int_equal(solve_by(&p, both[k], &x, NULL), SADDLE_OK);
        assert_true(enumeration_defect(&p, x.v, x.lambda, NULL) < 1e-12);
        saddle_solution_clear(&x);
    }
    saddle_matrix_clear(&p.M);
    saddle_matrix_clear(&p.Jt);
}

/* ---- conduct ---- */

static void the_choice_is_said_and_falls_as_it_should(void **state)
{
    (void)state;
    static train t;
    make_train(&t, SHORT, 1);
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(solve_by(&t.problem, SADDLE_BASIS_BEST, &x, &report), SADDLE_OK);
    assert_non_null(strstr(report.note, "columns of"));
    saddle_solution_clear(&x);
    make_train(&t, LONG, 1);
    assert_int_equal(solve_by(&t.problem, SADDLE_BASIS_FACTOR, &x, &report), SADDLE_OK);
    assert_non_null(strstr(report.note, "rows in the sparse factor"));
    saddle_solution_clear(&x);
    make_train(&t, SHORT, 1);
    t.mass[0] = 0.0;
    assert_int_equal(solve_by(&t.problem, SADDLE_BASIS_BEST, &x, &report), SADDLE_OK);
    assert_non_null(strstr(report.note, "rows in the sparse factor"));
    saddle_solution_clear(&x);
}

static void a_warm_start_from_the_solution_takes_no_pivots(void **state)
{
    (void)state;
    static train t;
    for (int k = 0; k < 4; k++) {
        make_train(&t, lengths[k / 2], 2);
        saddle_options options = saddle_options_default();
        options.settings = asked_basis(both[k % 2]);
        saddle_solution x = {0};
        saddle_solver *solver;
        assert_int_equal(saddle_solver_create(NULL, "pivot", &options, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, t.problem.n, t.problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &t.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &t.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &t.problem, NULL, &x), SADDLE_OK);
        int64_t pushing = 0;
        for (int64_t i = 0; i < t.problem.m; i++) pushing += x.lambda[i] != 0.0;
        assert_true(pushing > 0);
        assert_int_equal(saddle_solver_solve(solver, &t.problem, &x, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_report(solver)->pivots, 0);
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
    }
}

static void the_same_problem_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < test_draws(200); draw++) {
        mixed_kind kind = mixed_draw_kind(&seed, 8);
        if (!is_symmetric_class(&kind) || kind.contacts) continue;
        mixed *p = mixed_draw(&seed, kind);
        for (int k = 0; k < 2; k++) {
            saddle_solution x = {0}, y = {0};
            if (solve_by(&p->problem, both[k], &x, NULL) >= 0 &&
                solve_by(&p->problem, both[k], &y, NULL) >= 0) {
                assert_memory_equal(x.lambda, y.lambda, (size_t)x.m * sizeof *x.lambda);
                assert_memory_equal(x.v, y.v, (size_t)x.n * sizeof *x.v);
            }
            saddle_solution_clear(&x);
            saddle_solution_clear(&y);
        }
        mixed_clear(p);
    }
}

static void factor_and_solve_allocate_nothing(void **state)
{
    (void)state;
    static train t;
    for (int k = 0; k < 4; k++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        make_train(&t, lengths[k / 2], 2);
        saddle_options options = saddle_options_default();
        options.settings = asked_basis(both[k % 2]);
        saddle_solution x = {0};
        saddle_solver *solver;
        assert_int_equal(saddle_solver_create(context, "pivot", &options, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(context, t.problem.n, t.problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &t.problem), SADDLE_OK);
        int64_t before = memory.count;
        for (int step = 0; step < 5; step++) {
            t.f[2 * step] -= 2.0;
            t.mass[step] += 0.5;
            assert_int_equal(saddle_solver_factor(solver, &t.problem), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &t.problem, step ? &x : NULL, &x),
                             SADDLE_OK);
        }
        assert_int_equal(memory.count, before);
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        test_memory_end(&memory, context);
    }
}

typedef struct sweep {
    const saddle_problem *problem;
    saddle_basis basis;
} sweep;

static saddle_status solve_in(saddle_context *context, void *user)
{
    const sweep *s = user;
    saddle_options options = saddle_options_default();
    options.settings = asked_basis(s->basis);
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, s->problem, "pivot", &options, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    static train t;
    static const saddle_basis all[] = {SADDLE_BASIS_BEST, SADDLE_BASIS_FACTOR,
                                       SADDLE_BASIS_COLUMNS};
    for (int general = 0; general < 2; general++) {
        for (int k = 0; k < 6; k++) {
            make_train(&t, lengths[k / 3], 2);
            t.problem.M.symmetry = general ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER;
            if (general && all[k % 3] == SADDLE_BASIS_FACTOR) continue;
            sweep s = {&t.problem, all[k % 3]};
            assert_true(test_allocation_sweep(solve_in, &s) > 20);
        }
    }
}

static void bounds_that_come_after_the_analysis_are_refused(void **state)
{
    (void)state;
    static train t;
    for (int k = 0; k < 2; k++) {
        make_train(&t, SHORT, 1);
        saddle_options options = saddle_options_default();
        options.settings = asked_basis(both[k]);
        saddle_solution x = {0};
        saddle_solver *solver;
        assert_int_equal(saddle_solver_create(NULL, "pivot", &options, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, t.problem.n, t.problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &t.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &t.problem), SADDLE_OK);
        t.lo[t.links + 2] = -1.0;
        assert_int_equal(saddle_solver_solve(solver, &t.problem, NULL, &x),
                         SADDLE_INVALID_ARGUMENT);
        t.lo[t.links + 2] = -(double)INFINITY;
        t.lo[2] = -(double)INFINITY; /* the other way round it may */
        assert_int_equal(saddle_solver_solve(solver, &t.problem, NULL, &x), SADDLE_OK);
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
    }
}

/* A row's own size overflows, and no step is taken. */
static void steps_that_were_not_taken_are_not_counted(void **state)
{
    (void)state;
    int64_t M_start[] = {0, 2, 3}, M_index[] = {0, 1, 1}, J_start[] = {0, 2}, J_index[] = {0, 1};
    double M[] = {3.0, -0.35, 0.0}, J[] = {0.6, 7.5e307}, hi[] = {1.0}, f[] = {0.0, 5e-324};
    saddle_problem p = {.n = 2, .m = 1, .f = f, .hi = hi};
    p.M = saddle_matrix_view(2, 2, M_start, M_index, M, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 1, J_start, J_index, J, SADDLE_SYMMETRY_NONE);
    for (int b = 0; b < 2; b++) {
        saddle_solution x = {0};
        saddle_report report;
        assert_true(solve_by(&p, both[b], &x, &report) != SADDLE_OK);
        assert_true(report.refinements >= 0 && report.iterations >= 0 && report.pivots >= 0);
        saddle_solution_clear(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(redundant_equations_give_the_same_velocity),
        cmocka_unit_test(contradictory_equations_are_named_by_their_ids),
        cmocka_unit_test(masses_that_only_equations_hold_are_no_obstacle),
        cmocka_unit_test(columns_are_computed_for_rows_that_enter_only),
        cmocka_unit_test(what_a_basis_cannot_do_is_refused),
        cmocka_unit_test(a_row_at_rest_hides_no_other),
        cmocka_unit_test(the_choice_is_said_and_falls_as_it_should),
        cmocka_unit_test(a_warm_start_from_the_solution_takes_no_pivots),
        cmocka_unit_test(the_same_problem_gives_the_same_bits),
        cmocka_unit_test(factor_and_solve_allocate_nothing),
        cmocka_unit_test(failing_allocations_leak_nothing),
        cmocka_unit_test(bounds_that_come_after_the_analysis_are_refused),
        cmocka_unit_test(steps_that_were_not_taken_are_not_counted),
    };
    return cmocka_run_group_tests_name("pivot", tests, NULL, NULL);
}
