/* SPDX-License-Identifier: MIT */
/* auto's chain for rows with bounds: block pivoting, single pivots, lemke, sweeps; on matrices
 * of no class for which anything is promised.  What is said solved is, what is said to have no
 * solution has none by brute force, and each switch shows in the report. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "enumeration.h"
#include "support.h"

#define INF ((double)INFINITY)

enum { MOST = 5 };

/* w = R lambda - b for any R. One velocity without rows is added, so that auto treats the problem
 * as a mechanical system. */
typedef struct any_rows {
    saddle_problem problem;
    int64_t R_start[MOST + 1], R_index[MOST * MOST], M_start[2], M_index[1], Jt_start[MOST + 1];
    double R[MOST * MOST], b[MOST], lo[MOST], hi[MOST], M[1];
} any_rows;

static void draw(uint64_t *state, any_rows *d)
{
    memset(d, 0, sizeof *d);
    int64_t m = test_integer(state, 2, MOST);
    int64_t kind = test_integer(state, 0, 2);
    for (int64_t k = 0; k < m * m; k++) {
        d->R_index[k] = k % m;
        d->R[k] = kind == 0 ? test_uniform(state, -1.0, 1.0) : (double)test_integer(state, -1, 2);
        if (kind == 2 && test_integer(state, 0, 1)) d->R[k] = 0.0;
    }
    for (int64_t i = 0; i < m; i++) {
        d->R_start[i + 1] = (i + 1) * m;
        d->b[i] = kind == 0 ? test_uniform(state, -1.0, 1.0) : (double)test_integer(state, -1, 2);
        d->hi[i] = test_integer(state, 0, 4) ? INF : test_uniform(state, 0.1, 1.0);
    }
    d->M_start[1] = 1;
    d->M[0] = 1.0;
    d->problem = (saddle_problem){.n = 1, .m = m, .b = d->b, .lo = d->lo, .hi = d->hi};
    d->problem.M = saddle_matrix_view(1, 1, d->M_start, d->M_index, d->M, SADDLE_SYMMETRY_LOWER);
    d->problem.Jt = saddle_matrix_view(1, m, d->Jt_start, NULL, NULL, SADDLE_SYMMETRY_NONE);
    d->problem.R = saddle_matrix_view(m, m, d->R_start, d->R_index, d->R, SADDLE_SYMMETRY_NONE);
}

typedef struct tally {
    int64_t solvable, solved, infeasible;
    int64_t single, lemke; /* solved behind such a switch */
} tally;

static void count(tally *all, const enumeration *found, const saddle_report *report)
{
    all->solvable += found->count > 0;
    all->infeasible += report->status == SADDLE_INFEASIBLE;
    if (report->status != SADDLE_OK) return;
    all->solved++;
    all->single += report->switches.single > 0;
    all->lemke += report->switches.lemke > 0 && strcmp(report->solver, "lemke") == 0;
}

/* One problem: what is said of it holds. */
static void look_at(uint64_t seed, const any_rows *d, enumeration *found, tally *all)
{
    saddle_solution x = {0};
    saddle_report report;
    saddle_status status = saddle_solve(NULL, &d->problem, "auto", NULL, NULL, &x, &report);
    enumerate_states(&d->problem, found);
    if (status == SADDLE_INFEASIBLE && (found->count > 0 || report.proof.kind != SADDLE_PROOF_ROWS))
        fail_msg("drawn from %" PRIu64 ": said to have no solution: %s", seed, report.note);
    if (status == SADDLE_OK && !(enumeration_defect(&d->problem, x.v, x.lambda, NULL) < 1e-7))
        fail_msg("drawn from %" PRIu64 ": said to be solved: %s", seed, report.note);
    if (report.switches.lemke > 1 || report.switches.other > 3)
        fail_msg("drawn from %" PRIu64 ": a link came twice: %s", seed, report.note);
    count(all, found, &report);
    saddle_solution_clear(&x);
}

static void what_is_said_of_any_matrix_is_true(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    tally all = {0};
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    const int64_t draws = test_draws_at_least(180, 6000);
    for (int64_t k = 0; k < draws; k++) {
        uint64_t seed = state;
        any_rows d;
        draw(&state, &d);
        look_at(seed, &d, found, &all);
    }
    free(found);
    print_message("%" PRId64 " solvable, %" PRId64 " solved, of these %" PRId64
                  " with single pivots, %" PRId64 " by lemke; %" PRId64
                  " proven to have no solution\n",
                  all.solvable, all.solved, all.single, all.lemke, all.infeasible);
    assert_true(all.single > 0 && all.lemke > 0 && 12 * all.infeasible > draws);
    assert_true((double)all.solved >= 0.9 * (double)all.solvable);
}

static void a_limit_that_was_asked_for_is_no_invitation(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int limited = 0;
    for (int k = 0; k < 200; k++) {
        any_rows d;
        draw(&state, &d);
        saddle_options options = saddle_options_default();
        options.max_iterations = 1;
        saddle_solution x = {0};
        saddle_report report;
        saddle_status status = saddle_solve(NULL, &d.problem, "auto", &options, NULL, &x, &report);
        limited += status == SADDLE_ITERATION_LIMIT;
        if (status == SADDLE_ITERATION_LIMIT) assert_string_equal(report.solver, "schur");
        saddle_solution_clear(&x);
    }
    assert_true(limited > 20);
}

/* Contradictory rows end the chain at once, with the proof of the first link. */
static void a_proof_ends_the_chain(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2}, index[] = {0, 0};
    double mass[] = {2.0}, row[] = {1.0, -1.0}, b[] = {1.0, 0.0}, lo[] = {0.0, 0.0};
    saddle_problem p = {.n = 1, .m = 2, .b = b, .lo = lo};
    p.M = saddle_matrix_view(1, 1, start, index, mass, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(1, 2, start, index, row, SADDLE_SYMMETRY_NONE);
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, &p, "auto", NULL, NULL, &x, &report), SADDLE_INFEASIBLE);
    assert_string_equal(report.solver, "schur");
    assert_int_equal(report.switches.lemke + report.switches.other, 0);
    assert_int_equal(report.proof.rows, 2);
    saddle_solution_clear(&x);
}

static saddle_status solve_one(saddle_context *context, void *user)
{
    const any_rows *d = user;
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, &d->problem, "auto", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

/* A problem for the whole chain of solvers.  With few draws: one solved by the last link; else one
 * where the last link ends at its limit. */
static void every_failing_allocation_is_survived(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    any_rows d;
    saddle_report report;
    int64_t links;
    do {
        saddle_solution x = {0};
        draw(&state, &d);
        (void)saddle_solve(NULL, &d.problem, "auto", NULL, NULL, &x, &report);
        links = report.switches.lemke + report.switches.other;
        saddle_solution_clear(&x);
    } while (links < 2 || (report.status == SADDLE_OK) != test_is_slow());
    assert_true(test_allocation_sweep(solve_one, &d) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_said_of_any_matrix_is_true),
        cmocka_unit_test(a_limit_that_was_asked_for_is_no_invitation),
        cmocka_unit_test(a_proof_ends_the_chain),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
