/* SPDX-License-Identifier: MIT */
/* lemke on its revised table, on problems of any size: against all states by brute force, against
 * the dense tableau pivot by pivot, and on problems beyond the tableau's. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "against_states.h"
#include "lemke/lemke_state.h"

#define INF ((double)INFINITY)

/* table: "lemke", which chooses, "lemke-tableau" or "lemke-revised". */
static saddle_status solve(const char *table, const saddle_problem *problem,
                           const saddle_solution *start, saddle_solution *solution,
                           saddle_report *report)
{
    saddle_context *context;
    saddle_options options = saddle_options_default();
    options.settings = METHODS_ALONE;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_register(context, &saddle__solver_lemke_revised), SADDLE_OK);
    assert_int_equal(saddle_solver_register(context, &saddle__solver_lemke_tableau), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, problem->n, problem->m, solution), SADDLE_OK);
    saddle_status status = saddle_solve(context, problem, table, &options, start, solution, report);
    saddle_context_free(context);
    return status;
}

/* ---- brute force ---- */

typedef struct tally {
    int64_t solved, short_of, empty, proven;
    int64_t bounded_short, bounded_empty, bounded_proven; /* without equalities */
} tally;

/* Redundant equalities and proofs where there are some are the tableau's strength: whoever has them
 * may fall short. */
static void judge(const mixed *p, const enumeration *found, uint64_t seed, tally *sum)
{
    saddle_solution solution = {0};
    saddle_report report;
    saddle_status status = solve("lemke-revised", &p->problem, NULL, &solution, &report);
    int exists = has_a_solution(p, found);
    int promised = !p->kind.contacts &&
                   (p->kind.class == MIXED_DEFINITE || p->kind.class == MIXED_MONOTONE ||
                    p->kind.class == MIXED_P);
    promised |= p->kind.contacts && p->kind.class == MIXED_DEFINITE;
    check_against_states(p, found, seed, promised, status, &solution);
    sum->solved += status == SADDLE_OK;
    sum->short_of += status != SADDLE_OK && exists;
    sum->empty += enumeration_is_empty(found);
    sum->proven += status == SADDLE_INFEASIBLE;
    int monotone = p->kind.class != MIXED_P && p->kind.class != MIXED_ANY && !p->kind.contacts;
    if (monotone && saddle_problem_count_rows(&p->problem).equality == 0) {
        sum->bounded_short += status != SADDLE_OK && exists;
        sum->bounded_empty += enumeration_is_empty(found);
        sum->bounded_proven += status == SADDLE_INFEASIBLE;
    }
    saddle_solution_clear(&solution);
}

static void drawn_problems_agree_with_all_their_states(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    tally sum = {0};
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    for (int draws = 0; draws < 4000; draws++) {
        uint64_t first = seed;
        mixed_kind kind = mixed_draw_kind(&seed, draws % 8 == 0 ? 6 : 4);
        mixed *p = mixed_draw(&seed, kind);
        enumerate_states(&p->problem, found);
        judge(p, found, first, &sum);
        mixed_clear(p);
    }
    print_message("%" PRId64 " solved, %" PRId64 " not; %" PRId64 " without a solution, %" PRId64
                  " proven\n",
                  sum.solved, sum.short_of, sum.empty, sum.proven);
    print_message("monotone without equalities: %" PRId64 " not solved; %" PRId64
                  " without a solution, %" PRId64 " proven\n",
                  sum.bounded_short, sum.bounded_empty, sum.bounded_proven);
    assert_int_equal(sum.bounded_short, 0);
    assert_true(sum.bounded_proven >= sum.bounded_empty && sum.bounded_empty > 40);
    assert_true(sum.solved > 3000 && 50 * sum.short_of < sum.solved);
    assert_true(2 * sum.proven > sum.empty);
    free(found);
}

/* ---- beside the tableau ---- */

/* R tridiagonal, or so with a skew part, n = 0; J R^-1 J' of as many unit rows. */
typedef struct band {
    saddle_problem problem;
    double *b, *lo, *hi;
} band;

static void add_band(int64_t m, double skew, saddle_matrix *A)
{
    int64_t *row = calloc((size_t)(3 * m), sizeof *row);
    int64_t *col = calloc((size_t)(3 * m), sizeof *col);
    double *value = calloc((size_t)(3 * m), sizeof *value);
    int64_t count = 0;
    assert_true(row && col && value);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < m; j++) {
            if (skew == 0.0 && j > i) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = i == j ? 2.5 : -1.0 + (i < j ? skew : -skew);
        }
    }
    saddle_symmetry symmetry = skew == 0.0 ? SADDLE_SYMMETRIC : SADDLE_GENERAL;
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value, symmetry, A),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
}

/* free_rows: some rows are equalities. */
static void draw_band(uint64_t *seed, int64_t m, double skew, int with_velocities, int free_rows,
                      band *p)
{
    memset(p, 0, sizeof *p);
    p->b = calloc((size_t)m, sizeof *p->b);
    p->lo = calloc((size_t)m, sizeof *p->lo);
    p->hi = calloc((size_t)m, sizeof *p->hi);
    assert_true(p->b && p->lo && p->hi);
    for (int64_t i = 0; i < m; i++) {
        int64_t kind = test_integer(seed, 0, 9);
        p->b[i] = test_uniform(seed, -1.0, 1.0);
        p->lo[i] = kind == 0 && free_rows ? -INF : kind == 1 ? -0.1 : 0.0;
        p->hi[i] = kind == 1 || kind == 2 ? 0.1 : INF;
    }
    p->problem = (saddle_problem){.m = m, .b = p->b, .lo = p->lo, .hi = p->hi};
    if (!with_velocities) {
        add_band(m, skew, &p->problem.R);
        return;
    }
    p->problem.n = m;
    add_band(m, 0.0, &p->problem.M);
    add_band(m, 0.25, &p->problem.Jt);
}

static void clear_band(band *p)
{
    saddle_matrix_clear(&p->problem.M);
    saddle_matrix_clear(&p->problem.Jt);
    saddle_matrix_clear(&p->problem.R);
    free(p->b);
    free(p->lo);
    free(p->hi);
}

/* The path is the same: so are its pivots, over more of them than one factorization is kept for,
 * and its answer.  With equalities, which the tableau eliminates beforehand, rows of two bounds may
 * begin at the other one. */
static void paths_are_those_of_the_tableau(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int k = 0; k < 6; k++) {
        band p;
        draw_band(&seed, 400, k % 3 == 1 ? 0.5 : 0.0, k % 3 == 2, k >= 3, &p);
        saddle_solution dense = {0};
        saddle_solution revised = {0};
        saddle_report by_tableau;
        saddle_report by_revised;
        assert_int_equal(solve("lemke-tableau", &p.problem, NULL, &dense, &by_tableau), SADDLE_OK);
        assert_int_equal(solve("lemke-revised", &p.problem, NULL, &revised, &by_revised),
                         SADDLE_OK);
        if (k < 3) assert_int_equal(by_tableau.pivots, by_revised.pivots);
        assert_true(by_revised.pivots > 128);
        assert_true(by_revised.residual.total <= 1e-14);
        assert_true(test_distance(dense.lambda, revised.lambda, p.problem.m) <= 1e-12);
        saddle_solution warm = {0};
        assert_int_equal(solve("lemke-revised", &p.problem, &revised, &warm, &by_revised),
                         SADDLE_OK);
        assert_int_equal(by_revised.pivots, 0);
        saddle_solution_clear(&dense);
        saddle_solution_clear(&revised);
        saddle_solution_clear(&warm);
        clear_band(&p);
    }
}

/* Equal bodies side by side: every row ties with every other. */
static void ties_are_broken_as_by_the_tableau(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    band p;
    draw_band(&seed, 60, 0.0, 0, 0, &p);
    for (int64_t i = 0; i < 60; i++) {
        p.b[i] = 1.0;
        p.lo[i] = 0.0;
        p.hi[i] = i % 2 ? INF : 0.5;
    }
    saddle_solution dense = {0};
    saddle_solution revised = {0};
    saddle_report by_tableau;
    saddle_report by_revised;
    assert_int_equal(solve("lemke-tableau", &p.problem, NULL, &dense, &by_tableau), SADDLE_OK);
    assert_int_equal(solve("lemke-revised", &p.problem, NULL, &revised, &by_revised), SADDLE_OK);
    assert_int_equal(by_tableau.pivots, by_revised.pivots);
    assert_true(test_distance(dense.lambda, revised.lambda, 60) <= 1e-13);
    saddle_solution_clear(&dense);
    saddle_solution_clear(&revised);
    clear_band(&p);
}

static void what_is_too_large_for_a_tableau_is_solved(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    band p;
    draw_band(&seed, 4000, 0.5, 0, 1, &p);
    saddle_solution solution = {0};
    saddle_report report;
    assert_int_equal(solve("lemke", &p.problem, NULL, &solution, &report), SADDLE_OK);
    print_message("4000 rows: %d pivots, %.2f s\n", (int)report.pivots, report.seconds.solve);
    assert_true(report.pivots > 1000 && report.residual.total <= 1e-14);
    saddle_solution_clear(&solution);
    clear_band(&p);
}

static int64_t crash_steps;

static saddle_status solve_whole(saddle_context *context, void *user)
{
    saddle_solution solution = {0};
    saddle_options options = saddle_options_default();
    options.settings = asked_steps(crash_steps);
    saddle_status status = saddle_solver_register(context, &saddle__solver_lemke_revised);
    if (status == SADDLE_OK)
        status = saddle_solve(context, user, "lemke-revised", &options, NULL, &solution, NULL);
    saddle_solution_clear(&solution);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    mixed_kind kind = {.class = MIXED_DEFINITE, .n = 5, .m = 7, .contacts = 1};
    mixed *p = mixed_draw(&seed, kind);
    for (crash_steps = 0; crash_steps <= 30; crash_steps += 30)
        assert_true(test_allocation_sweep(solve_whole, &p->problem) > 60);
    mixed_clear(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_problems_agree_with_all_their_states),
        cmocka_unit_test(paths_are_those_of_the_tableau),
        cmocka_unit_test(ties_are_broken_as_by_the_tableau),
        cmocka_unit_test(what_is_too_large_for_a_tableau_is_solved),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("lemke on a revised table", tests, NULL, NULL);
}
