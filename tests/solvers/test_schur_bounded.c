/* SPDX-License-Identifier: MIT */
/* schur on rows with bounds: against brute force in any units, dense and sparse; redundancy,
 * contradictions, warm starts, memory.  The block pivoting underneath is in test_pivoting.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "enumeration.h"

/* ---- against brute force ---- */

static mixed *draw_symmetric(uint64_t *seed, int64_t largest)
{
    for (;;) {
        mixed_kind kind = mixed_draw_kind(seed, largest);
        if ((kind.class == MIXED_DEFINITE || kind.class == MIXED_SEMIDEFINITE) && !kind.contacts)
            return mixed_draw(seed, kind);
    }
}

static void answers_in_any_units_are_those_of_brute_force(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    int64_t solved = 0;
    int64_t refused = 0;
    int64_t proven = 0; /* of them */
    for (int draw = 0; draw < test_draws(6000); draw++) {
        mixed *p = draw_symmetric(&seed, draw % 50 == 0 ? 8 : 5);
        double D[MIXED_MOST];
        int64_t decades = draw % 2 ? 0 : 20;
        for (int64_t i = 0; i < p->problem.m; i++)
            D[i] = ldexp(1.0, (int)test_integer(&seed, -decades, decades));
        enumerate_states(&p->problem, found);
        mixed_change_units(&p->problem, D);
        saddle_solution x = {0};
        saddle_report report;
        saddle_options options = saddle_options_default();
        saddle_status status = saddle_solve(NULL, &p->problem, "schur", &options, NULL, &x,
                                            &report);
        assert_true(status >= 0 || enumeration_is_empty(found));
        for (int64_t i = 0; i < p->problem.m && status >= 0; i++) x.lambda[i] *= D[i];
        for (int64_t i = 0; i < p->problem.m; i++) D[i] = 1.0 / D[i];
        mixed_change_units(&p->problem, D);
        if (found->count > 0 || p->kind.planted) {
            if (status != SADDLE_OK)
                fail_msg("draw %d: %s at %g", draw, saddle_status_name(status),
                         report.residual.total);
            double w[ENUMERATION_MOST];
            double defect = enumeration_defect(&p->problem, x.v, x.lambda, w);
            if (!(defect < 1e-9)) fail_msg("draw %d: defect %g", draw, defect);
            for (int64_t i = 0; i < p->problem.m && found->count > 0; i++)
                assert_true(fabs(w[i] - found->point[0].w[i]) < 1e-7 * (1.0 + fabs(w[i])));
            solved++;
        } else if (enumeration_is_empty(found) && decades == 0) { /* the measure is one for all
                                                                     rows' units */
            assert_int_not_equal(status, SADDLE_OK);
            proven += status == SADDLE_INFEASIBLE;
            refused++;
        }
        saddle_solution_clear(&x);
        mixed_clear(p);
    }
    print_message("%d solved, %d without a solution, %d proven\n", (int)solved, (int)refused,
                  (int)proven);
    assert_true(solved > test_draws(3000) && refused > test_draws(50) && 10 * proven > 9 * refused);
    free(found);
}

enum { PARTS = 20 };

/* Independent problems one after the other in one of n = 0, which is sparse by its size. */
static void a_sparse_problem_of_many_parts_is_solved_part_by_part(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < test_draws(100); draw++) {
        mixed *part[PARTS];
        int64_t row[PARTS * 64], col[PARTS * 64];
        double value[PARTS * 64], b[PARTS * 8], lo[PARTS * 8], hi[PARTS * 8];
        int64_t count = 0;
        int64_t m = 0;
        for (int k = 0; k < PARTS; k++) {
            do {
                part[k] = draw_symmetric(&seed, 8);
                if (part[k]->kind.planted && part[k]->kind.n == 0) break;
                mixed_clear(part[k]);
            } while (1);
            const saddle_problem *p = &part[k]->problem;
            for (int64_t i = 0; i < p->m; i++) {
                b[m + i] = p->b[i];
                lo[m + i] = p->lo[i];
                hi[m + i] = p->hi[i];
                for (int64_t j = 0; j <= i; j++) {
                    row[count] = m + i;
                    col[count] = m + j;
                    value[count++] = saddle_matrix_entry(&p->R, i, j);
                }
            }
            m += p->m;
        }
        saddle_problem whole = {.m = m, .b = b, .lo = lo, .hi = hi};
        assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value,
                                                     SADDLE_SYMMETRY_LOWER, &whole.R),
                         SADDLE_OK);
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &whole, "schur", NULL, NULL, &x, NULL), SADDLE_OK);
        for (int64_t k = 0, at = 0; k < PARTS; k++) {
            assert_true(enumeration_defect(&part[k]->problem, NULL, x.lambda + at, NULL) < 1e-8);
            at += part[k]->problem.m;
            mixed_clear(part[k]);
        }
        saddle_solution_clear(&x);
        saddle_matrix_clear(&whole.R);
    }
}

/* ---- schur ---- */

/* n bodies of mass 1 in a row, gaps between neighbours and to a wall on the left closed; `copies`
 * of each contact. Row i: v_i - v_(i-1) >= b. */
static saddle_problem chain(int64_t n, int64_t copies)
{
    saddle_problem p = {.n = n, .m = n * copies, .owner = 1};
    int64_t *row = calloc((size_t)(2 * p.m), sizeof *row);
    int64_t *col = calloc((size_t)(2 * p.m), sizeof *col);
    double *value = calloc((size_t)(2 * p.m), sizeof *value);
    int64_t count = 0;
    p.f = saddle_allocate(NULL, n, sizeof *p.f);
    p.b = saddle_allocate(NULL, p.m, sizeof *p.b);
    p.lo = saddle_allocate(NULL, p.m, sizeof *p.lo);
    p.hi = saddle_allocate(NULL, p.m, sizeof *p.hi);
    for (int64_t j = 0; j < n; j++) {
        row[j] = col[j] = j;
        value[j] = 1.0;
        p.f[j] = j % 3 == 0 ? -1.0 : 0.25;
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, n, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &p.M),
                     SADDLE_OK);
    for (int64_t i = 0; i < p.m; i++) {
        int64_t body = i % n;
        row[count] = body;
        col[count] = i;
        value[count++] = 1.0;
        if (body > 0) {
            row[count] = body - 1;
            col[count] = i;
            value[count++] = -1.0;
        }
        p.hi[i] = INFINITY;
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, p.m, count, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &p.Jt),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return p;
}

static void copies_of_contacts_leave_the_velocities_alone(void **state)
{
    (void)state;
    for (int64_t n = 3; n <= 30; n += 9) {
        saddle_problem once = chain(n, 1);
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &once, "schur", NULL, NULL, &x, NULL), SADDLE_OK);
        for (int64_t copies = 2; copies <= 10; copies += 4) {
            saddle_problem often = chain(n, copies);
            saddle_solution y = {0};
            saddle_report report;
            assert_int_equal(saddle_solve(NULL, &often, "schur", NULL, NULL, &y, &report),
                             SADDLE_OK);
            assert_true(report.residual.total < 1e-13);
            for (int64_t j = 0; j < n; j++) assert_true(fabs(x.v[j] - y.v[j]) < 1e-12);
            saddle_solution_clear(&y);
            saddle_problem_clear(&often);
        }
        saddle_solution_clear(&x);
        saddle_problem_clear(&once);
    }
}

typedef struct triplets {
    int64_t count, contacts;
    int64_t row[1 << 14], col[1 << 14];
    double value[1 << 14];
} triplets;

/* (x, y) is the normal from b to a; b < 0: a wall. */
static void touch(triplets *t, int64_t a, int64_t b, double x, double y)
{
    int64_t body[2] = {a, b};
    for (int64_t k = 0; k < (b < 0 ? 1 : 2); k++) {
        t->row[t->count] = 2 * body[k];
        t->row[t->count + 1] = 2 * body[k] + 1;
        t->col[t->count] = t->col[t->count + 1] = t->contacts;
        t->value[t->count++] = k ? -x : x;
        t->value[t->count++] = k ? -y : y;
    }
    t->contacts++;
}

/* Discs in a triangular lattice between two walls: about three contacts for two motions of each.
 * Gravity, random kicks. */
static void a_pile_with_more_contacts_than_motions_is_solved(void **state)
{
    (void)state;
    enum { SIDE = 30, N = 2 * SIDE * SIDE };
    uint64_t seed = test_seed();
    static triplets t;
    static int64_t index[N];
    static double mass[N], f[N], lo[1 << 13], hi[1 << 13];
    for (int64_t y = 0; y < SIDE; y++) {
        for (int64_t x = 0; x < SIDE; x++) {
            int64_t disc = y * SIDE + x;
            int64_t left = x - (y + 1) % 2; /* below */
            if (y == 0) touch(&t, disc, -1, 0.0, 1.0);
            if (y > 0 && left >= 0) touch(&t, disc, disc - x - SIDE + left, 0.5, sqrt(0.75));
            if (y > 0 && left + 1 < SIDE)
                touch(&t, disc, disc - x - SIDE + left + 1, -0.5, sqrt(0.75));
            touch(&t, disc, x > 0 ? disc - 1 : -1, 1.0, 0.0);
            if (x == SIDE - 1) touch(&t, disc, -1, -1.0, 0.0);
        }
    }
    for (int64_t i = 0; i < t.contacts; i++) hi[i] = INFINITY;
    for (int64_t j = 0; j < N; j++) {
        index[j] = j;
        mass[j] = 1.0;
    }
    saddle_problem p = {.n = N, .m = t.contacts, .f = f, .lo = lo, .hi = hi};
    assert_true(p.m > N + N / 4);
    assert_int_equal(saddle_matrix_from_triplets(NULL, N, N, N, index, index, mass,
                                                 SADDLE_SYMMETRY_LOWER, &p.M),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_from_triplets(NULL, N, p.m, t.count, t.row, t.col, t.value,
                                                 SADDLE_SYMMETRY_NONE, &p.Jt),
                     SADDLE_OK);
    int raised = 0;
    for (int draw = 0; draw < test_draws_at_least(4, 10); draw++) {
        double kick = draw % 2 ? 1.0 : 0.1;
        for (int64_t j = 0; j < N; j++) f[j] = test_uniform(&seed, -kick, kick) - (double)(j % 2);
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &p, "schur", NULL, NULL, &x, &report), SADDLE_OK);
        assert_true(report.residual.total < 1e-12);
        assert_true(report.factorizations < 100);
        assert_true(strstr(report.note, "more rows with bounds than velocities") != NULL);
        for (int64_t i = 0; i < p.m; i++) x.lambda[i] = 1e-3 * (double)(i % 7 == 0);
        /* begins with the least */
        assert_int_equal(saddle_solve(NULL, &p, "schur", NULL, &x, &x, &report), SADDLE_OK);
        assert_true(report.residual.total < 1e-12);
        assert_true(report.factorizations < 100);
        raised += strstr(report.note, "block pivoting stalled") != NULL;
        saddle_solution_clear(&x);
    }
    assert_true(raised > 0);
    saddle_matrix_clear(&p.M);
    saddle_matrix_clear(&p.Jt);
}

/* L L' with L = [1; 2 1; 2 2 1; ..], q = -(1, 1, ..): lambda = e_1 (Fathi, Math. Programming 17,
 * 1979). */
static void fathis_example_is_solved(void **state)
{
    (void)state;
    enum { M = 150 };
    static int64_t row[M * M], col[M * M];
    static double value[M * M];
    double b[M], lo[M] = {0}, hi[M];
    int64_t count = 0;
    for (int64_t i = 0; i < M; i++) {
        b[i] = 1.0;
        hi[i] = INFINITY;
        for (int64_t j = 0; j <= i; j++) {
            row[count] = i;
            col[count] = j;
            value[count++] = (double)(4 * j + (i == j ? 1 : 2));
        }
    }
    saddle_problem p = {.m = M, .b = b, .lo = lo, .hi = hi};
    assert_int_equal(saddle_matrix_from_triplets(NULL, M, M, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &p.R),
                     SADDLE_OK);
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, &p, "schur", NULL, NULL, &x, &report), SADDLE_OK);
    assert_true(fabs(x.lambda[0] - 1.0) < 1e-12);
    for (int64_t i = 1; i < M; i++) assert_true(x.lambda[i] == 0.0);
    saddle_solution_clear(&x);
    saddle_matrix_clear(&p.R);
}

static void a_warm_start_from_the_solution_takes_no_pivots(void **state)
{
    (void)state;
    for (int64_t copies = 1; copies <= 3; copies++) { /* m = 30: dense; 60, 90: sparse */
        saddle_problem p = chain(30, copies);
        saddle_solution x = {0};
        saddle_solver *solver;
        assert_int_equal(saddle_solver_create(NULL, "schur", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, p.n, p.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
        int64_t made = saddle_solver_report(solver)->factorizations;
        int64_t pushing = 0;
        for (int64_t i = 0; i < p.m; i++) pushing += x.lambda[i] != 0.0;
        assert_true(pushing > 5);
        assert_int_equal(saddle_solver_solve(solver, &p, &x, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_report(solver)->pivots, 0);
        assert_int_equal(saddle_solver_report(solver)->factorizations, made);
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        saddle_problem_clear(&p);
    }
}

static void factor_and_solve_allocate_nothing(void **state)
{
    (void)state;
    for (int64_t copies = 1; copies <= 3; copies++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        saddle_problem p = chain(30, copies);
        saddle_solution x = {0};
        saddle_solver *solver;
        assert_int_equal(saddle_solver_create(context, "schur", NULL, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(context, p.n, p.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
        int64_t before = memory.count;
        for (int step = 0; step < 5; step++) {
            p.f[step] -= 2.0;
            assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &p, step ? &x : NULL, &x), SADDLE_OK);
        }
        assert_int_equal(memory.count, before);
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        saddle_problem_clear(&p);
        test_memory_end(&memory, context);
    }
}

static saddle_status solve_in(saddle_context *context, void *user)
{
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, user, "schur", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    for (int64_t copies = 1; copies <= 2; copies++) {
        saddle_problem p = chain(30, copies);
        assert_true(test_allocation_sweep(solve_in, &p) > 20);
        saddle_problem_clear(&p);
    }
}

/* ---- no solution ---- */

/* One body: v >= 1 and v <= 0, or with equalities v = 1 and v = 0. */
static void rows_that_contradict_each_other_are_told(void **state)
{
    (void)state;
    for (int equality = 0; equality < 2; equality++) {
        int64_t start[] = {0, 1, 2, 3};
        int64_t index[] = {0, 0, 0};
        double mass[] = {2.0};
        double row[] = {1.0, -1.0, 1.0};
        double b[] = {1.0, 0.0, -7.0};
        double lo[] = {equality ? -(double)INFINITY : 0.0, equality ? -(double)INFINITY : 0.0, 0.0};
        double hi[] = {INFINITY, INFINITY, INFINITY};
        saddle_problem p = {.n = 1, .m = 3, .b = b, .lo = lo, .hi = hi};
        p.M = saddle_matrix_view(1, 1, start, index, mass, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(1, 3, start, index, row, SADDLE_SYMMETRY_NONE);
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &p, "schur", NULL, NULL, &x, &report),
                         SADDLE_INFEASIBLE);
        assert_non_null(strstr(report.note, "contradict each other"));
        assert_true(strstr(report.note, "row 1") || strstr(report.note, "row 2"));
        saddle_solution_clear(&x);
        p.b[0] = 0.0; /* what is needed for a solution */
        assert_int_equal(saddle_solve(NULL, &p, "schur", NULL, NULL, &x, &report), SADDLE_OK);
        assert_null(strstr(report.note, "contradict"));
        saddle_solution_clear(&x);
    }
}

static void an_indefinite_operator_is_solved_or_said_not_to_be(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t solved = 0;
    for (int draw = 0; draw < test_draws(2000); draw++) {
        int64_t m = test_integer(&seed, 1, 6);
        int64_t row[36], col[36], count = 0;
        double value[36], b[6], lo[6] = {0}, hi[6];
        for (int64_t i = 0; i < m; i++) {
            b[i] = test_uniform(&seed, -1.0, 1.0);
            hi[i] = test_integer(&seed, 0, 1) ? (double)INFINITY : 1.0;
            for (int64_t j = 0; j <= i; j++) {
                row[count] = i;
                col[count] = j;
                value[count++] = (double)test_integer(&seed, -1, 1);
            }
        }
        saddle_problem p = {.m = m, .b = b, .lo = lo, .hi = hi};
        assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value,
                                                     SADDLE_SYMMETRY_LOWER, &p.R),
                         SADDLE_OK);
        saddle_solution x = {0};
        saddle_report report;
        saddle_status status = saddle_solve(NULL, &p, "schur", NULL, NULL, &x, &report);
        assert_true(status >= 0);
        double defect = enumeration_defect(&p, NULL, x.lambda, NULL);
        if (status == SADDLE_OK) assert_true(defect < 1e-8);
        solved += status == SADDLE_OK;
        saddle_solution_clear(&x);
        saddle_matrix_clear(&p.R);
    }
    print_message("%d of 2000 solved\n", (int)solved);
    assert_true(solved > test_draws(200));
}

/* ---- conduct ---- */

static void limits_end_the_pivoting_with_a_finite_result(void **state)
{
    (void)state;
    saddle_problem p = chain(60, 1);
    saddle_options options = saddle_options_default();
    options.max_iterations = 1;
    saddle_solution x = {0};
    assert_int_equal(saddle_solve(NULL, &p, "schur", &options, NULL, &x, NULL),
                     SADDLE_ITERATION_LIMIT);
    for (int64_t i = 0; i < p.m; i++) assert_true(isfinite(x.lambda[i]) && x.lambda[i] >= 0.0);
    saddle_solution_clear(&x);
    options.max_iterations = 0;
    options.time_limit = 1e-12;
    assert_int_equal(saddle_solve(NULL, &p, "schur", &options, NULL, &x, NULL), SADDLE_TIME_LIMIT);
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
}

static void bounds_that_come_after_an_analysis_without_any_are_refused(void **state)
{
    (void)state;
    saddle_problem p = chain(5, 1);
    for (int64_t i = 0; i < p.m; i++) p.lo[i] = -INFINITY;
    saddle_solution x = {0};
    saddle_solver *solver;
    assert_int_equal(saddle_solver_create(NULL, "schur", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, p.n, p.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
    p.lo[2] = 0.0;
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
    p.lo[2] = -INFINITY; /* the other way round it may */
    assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_in_any_units_are_those_of_brute_force),
        cmocka_unit_test(a_sparse_problem_of_many_parts_is_solved_part_by_part),
        cmocka_unit_test(copies_of_contacts_leave_the_velocities_alone),
        cmocka_unit_test(a_pile_with_more_contacts_than_motions_is_solved),
        cmocka_unit_test(fathis_example_is_solved),
        cmocka_unit_test(a_warm_start_from_the_solution_takes_no_pivots),
        cmocka_unit_test(factor_and_solve_allocate_nothing),
        cmocka_unit_test(failing_allocations_leak_nothing),
        cmocka_unit_test(rows_that_contradict_each_other_are_told),
        cmocka_unit_test(an_indefinite_operator_is_solved_or_said_not_to_be),
        cmocka_unit_test(limits_end_the_pivoting_with_a_finite_result),
        cmocka_unit_test(bounds_that_come_after_an_analysis_without_any_are_refused),
    };
    return cmocka_run_group_tests_name("schur, rows with bounds", tests, NULL, NULL);
}
