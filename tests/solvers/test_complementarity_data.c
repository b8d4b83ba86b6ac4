/* SPDX-License-Identifier: MIT */
/* Published complementarity problems, by every registered solver that supports them.  After
 * SADDLE_OK the natural map, formed here, is small; no solver returns SADDLE_OK without a solution,
 * or an answer worse than zero impulses; each solvable file is solved by auto, lemke, schur and
 * pivot, but for one file by the last two.  The table is printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complementarity/file_list.h"
#include "support.h"

/* For pivoting solvers, and for iterations up to the checker's tolerance, relative to |R||lambda|.
 */
static const double exact = 1e-10;
static const double iterated = 1e-4;

/* Whether the solver has to solve what can be solved. */
static int is_asked(const char *solver, const lcp_file *e)
{
    if (strcmp(solver, "lemke") == 0 || strcmp(solver, "auto") == 0) return 1;
    int in_blocks = strcmp(solver, "schur") == 0 || strcmp(solver, "pivot") == 0;
    return in_blocks && strstr(e->path, "deltasigma") == NULL;
}

static void read_problem(saddle_context *context, const lcp_file *e, saddle_problem *problem)
{
    char q[256] = "";
    if (e->rhs) (void)snprintf(q, sizeof q, "%s", test_data_path(e->rhs));
    saddle_read_options read = {.rhs = e->rhs ? q : NULL};
    saddle_status status = saddle_problem_read(context, test_data_path(e->path), &read, problem,
                                               NULL, NULL, NULL);
    if (status != SADDLE_OK) fail_msg("%s: %s", e->path, saddle_context_message(context));
}

/* w += R(:, j) x */
static void add_column(const saddle_matrix *R, int64_t j, double x, double *w)
{
    for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) w[R->index[k]] += R->value[k] * x;
}

/* max |x - P(x - w)| / max(1, |b|), w = R x - b; these problems have no velocities. */
static double natural_map(const saddle_problem *problem, const double *x)
{
    assert_int_equal(problem->n, 0);
    assert_int_equal(problem->contact_count, 0);
    double *w = calloc((size_t)problem->m, sizeof *w);
    double worst = 0.0;
    double size = 1.0;
    assert_non_null(w);
    for (int64_t i = 0; problem->b && i < problem->m; i++) {
        w[i] = -problem->b[i];
        size = fmax(size, fabs(w[i]));
    }
    for (int64_t j = 0; problem->R.start && j < problem->m; j++) {
        add_column(&problem->R, j, x[j], w);
        if (problem->R.symmetry != SADDLE_SYMMETRY_LOWER) continue;
        for (int64_t k = problem->R.start[j]; k < problem->R.start[j + 1]; k++)
            if (problem->R.index[k] != j) w[j] += problem->R.value[k] * x[problem->R.index[k]];
    }
    for (int64_t i = 0; i < problem->m; i++) {
        double moved = fmin(fmax(x[i] - w[i], saddle_problem_lo(problem, i)),
                            saddle_problem_hi(problem, i));
        worst = fmax(worst, fabs(x[i] - moved));
    }
    free(w);
    return worst / size;
}

/* Returns whether `type` solved it. */
static int solve_by(saddle_context *context, const lcp_file *e, const saddle_problem *problem,
                    const saddle_solver_type *type)
{
    saddle_options options = saddle_options_default();
    saddle_solution solution = {0};
    saddle_report report = {0};
    options.time_limit = 60.0; /* [s] half a second is needed on a machine at rest */
    if (!test_is_iterative(type->name))
        options.tolerance = 1e-12; /* an end of pivoting has more digits than that */
    saddle_status status = saddle_solve(context, problem, type->name, &options, NULL, &solution,
                                        &report);
    double error = status >= 0 ? natural_map(problem, solution.lambda) : (double)INFINITY;
    print_message("%-42s m %3d  %-13s %-24s %6lld pivots %6lld sweeps %9.3f ms  residual %.1e  "
                  "natural map %.1e\n",
                  e->path, (int)problem->m, type->name, saddle_status_name(status),
                  (long long)report.pivots, (long long)report.iterations,
                  1e3 * (report.seconds.factor + report.seconds.solve), report.residual.total,
                  error);
    saddle_solution_clear(&solution);
    if (status != SADDLE_OK && !e->unsolvable && is_asked(type->name, e))
        fail_msg("%s: %s: %s", e->path, type->name, saddle_status_name(status));
    if (status >= 0 && !(report.residual.total <= 1.0))
        fail_msg("%s: %s leaves %g, no impulses at most 1", e->path, type->name,
                 report.residual.total);
    if (e->unsolvable && strcmp(type->name, "lemke") == 0 && report.proof.kind != SADDLE_PROOF_ROWS)
        fail_msg("%s: lemke has not proven that there is no solution: %s", e->path, report.note);
    if (status != SADDLE_OK) return 0;
    if (!(error <= (test_is_iterative(type->name) ? iterated : exact)))
        fail_msg("%s: %s says it solved it, the natural map is %g", e->path, type->name, error);
    if (e->unsolvable) fail_msg("%s has no solution; %s says it solved it", e->path, type->name);
    return 1;
}

static void each_file_is_solved_or_said_not_to_be(void **state)
{
    (void)state;
    int unsolved = 0;
    for (size_t k = 0; k < LCP_FILES; k++) {
        const lcp_file *e = &lcp_files[k];
        saddle_context *context;
        saddle_problem problem = {0};
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        read_problem(context, e, &problem);
        int solved = 0;
        const saddle_solver_type *type;
        for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++)
            if (saddle_solver_type_supports(context, type, &problem) == SADDLE_OK)
                solved += solve_by(context, e, &problem, type);
        if (!solved && !e->unsolvable) print_message("%s: nobody solved it\n", e->path);
        unsolved += !solved && !e->unsolvable;
        saddle_problem_clear(&problem);
        saddle_context_free(context);
    }
    assert_int_equal(unsolved, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_file_is_solved_or_said_not_to_be),
    };
    return cmocka_run_group_tests_name("complementarity on data", tests, NULL, NULL);
}
