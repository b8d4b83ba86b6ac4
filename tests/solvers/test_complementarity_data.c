/* SPDX-License-Identifier: MIT */
/* Complementarity problems that others have exported, by every registered solver that takes them.
 *
 * Whoever says SADDLE_OK has a small natural map, formed here; nobody says so of a problem without a solution; each file that
 * has a solution is solved by someone, and by lemke.  The table is printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef enum nature {
    SOLVABLE,
    UNSOLVABLE
} nature;

typedef struct example {
    const char *path; /* under SADDLE_DATA                     */
    const char *rhs;  /* where q is in a file of its own       */
    nature nature;
} example;

static const example examples[] = {
    {"lcp_siconos/lcp_CPS_1.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_CPS_2.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_CPS_4.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_Pang_isolated_sol.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_deudeu.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_deudeu_block.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_enum_fails.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_exp_murty.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_mmc.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_trivial.dat", NULL, SOLVABLE},
    {"lcp_siconos/lcp_trivial_block.dat", NULL, SOLVABLE},
    {"lcp_siconos_old/MM_mmc.dat", "lcp_siconos_old/qq_mmc.dat", SOLVABLE},
    {"lcp_siconos_old/MM_mmc_mu2.dat", "lcp_siconos_old/qq_mmc_mu2.dat", SOLVABLE},
    {"lcp_siconos_old/M_bille20mu.dat", "lcp_siconos_old/q_bille20mu.dat", SOLVABLE},
    {"lcp_siconos_old/Mlem.dat", "lcp_siconos_old/qlem.dat", SOLVABLE},
    {"lcp_siconos_old/buckconverterregul2.dat", NULL, SOLVABLE},
    {"lcp_siconos_old/diodes.dat", NULL, SOLVABLE},
    {"lcp_siconos_old/mathieu1.dat", NULL, UNSOLVABLE},
    {"lcp_siconos_old/murty1.dat", NULL, SOLVABLE},
    {"lcp_siconos_old/trivial2.dat", NULL, SOLVABLE},
    {"lcp_siconos_old/vincent1.dat", NULL, SOLVABLE},
    {"lcp_drake/problem6_l1.dat", NULL, SOLVABLE},
    {"lcp_drake/trivial_mangled9.dat", NULL, SOLVABLE},
    {"lcp_drake/unsolvable_1.dat", NULL, UNSOLVABLE},
    {"lcp_artisynth/artisynth_dantzig1.blcp.txt", NULL, SOLVABLE},
    {"lcp_artisynth/artisynth_murty0.blcp.txt", NULL, SOLVABLE},
    {"mlcp_siconos/BuckConverter_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/BuckFirstStep_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/PD_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/RLCD_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/deltasigma_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/deudeu_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/diodeBridge20_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/diodeBridge_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/m2n1_mlcp.dat", NULL, SOLVABLE},
    {"mlcp_siconos/relay2_mlcp.dat", NULL, SOLVABLE},
    {"relay_siconos/relay1.dat", NULL, SOLVABLE},
    {"relay_siconos/relay_2x2.dat", NULL, SOLVABLE},
    {"relay_siconos/step_1x1.dat", NULL, SOLVABLE},
    {"relay_siconos/step_2x2.dat", NULL, SOLVABLE},
};

/* Of who pivots, and of who iterates to the checker's tolerance, which is relative to |R||lambda|. */
static const double exact = 1e-10;
static const double iterated = 1e-4;

static int iterates(const char *solver)
{
    return strcmp(solver, "gauss-seidel") == 0 || strcmp(solver, "auto") == 0;
}

static void read_problem(saddle_context *context, const example *e, saddle_problem *problem)
{
    char q[256] = "";
    if (e->rhs) (void)snprintf(q, sizeof q, "%s", test_data_path(e->rhs));
    saddle_read_options read = {.rhs = e->rhs ? q : NULL};
    saddle_status status = saddle_problem_read(context, test_data_path(e->path), &read, problem, NULL, NULL, NULL);
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
        if (problem->R.symmetry != SADDLE_SYMMETRIC) continue;
        for (int64_t k = problem->R.start[j]; k < problem->R.start[j + 1]; k++)
            if (problem->R.index[k] != j) w[j] += problem->R.value[k] * x[problem->R.index[k]];
    }
    for (int64_t i = 0; i < problem->m; i++) {
        double moved = fmin(fmax(x[i] - w[i], saddle_problem_lo(problem, i)), saddle_problem_hi(problem, i));
        worst = fmax(worst, fabs(x[i] - moved));
    }
    free(w);
    return worst / size;
}

/* Returns whether `type` solved it. */
static int solve_by(saddle_context *context, const example *e, const saddle_problem *problem,
                    const saddle_solver_type *type)
{
    saddle_options options = saddle_options_default();
    saddle_solution solution = {0};
    saddle_report report = {0};
    options.time_limit = 5.0;
    if (!iterates(type->name)) options.tolerance = 1e-12; /* an end of pivoting has more digits than that */
    saddle_status status = saddle_solve(context, problem, type->name, &options, NULL, &solution, &report);
    double error = status >= 0 ? natural_map(problem, solution.lambda) : (double)INFINITY;
    print_message("%-42s m %3d  %-13s %-24s %6lld pivots %6lld sweeps %9.3f ms  residual %.1e  natural map %.1e\n",
                  e->path, (int)problem->m, type->name, saddle_status_name(status), (long long)report.pivots,
                  (long long)report.iterations, 1e3 * (report.seconds.factor + report.seconds.solve),
                  report.residual.total, error);
    saddle_solution_clear(&solution);
    if (status != SADDLE_OK && e->nature == SOLVABLE && strcmp(type->name, "lemke") == 0)
        fail_msg("%s: lemke: %s", e->path, saddle_status_name(status));
    if (e->nature == UNSOLVABLE && strcmp(type->name, "lemke") == 0 && report.proof.kind != SADDLE_PROOF_ROWS)
        fail_msg("%s: lemke has not proven that there is no solution: %s", e->path, report.note);
    if (status != SADDLE_OK) return 0;
    if (!(error <= (iterates(type->name) ? iterated : exact)))
        fail_msg("%s: %s says it solved it, the natural map is %g", e->path, type->name, error);
    if (e->nature == UNSOLVABLE) fail_msg("%s has no solution; %s says it solved it", e->path, type->name);
    return 1;
}

static void each_file_is_solved_or_said_not_to_be(void **state)
{
    (void)state;
    int unsolved = 0;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const example *e = &examples[k];
        saddle_context *context;
        saddle_problem problem = {0};
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        read_problem(context, e, &problem);
        int solved = 0;
        const saddle_solver_type *type;
        for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++)
            if (saddle_solver_type_supports(context, type, &problem) == SADDLE_OK)
                solved += solve_by(context, e, &problem, type);
        if (!solved && e->nature == SOLVABLE) print_message("%s: nobody solved it\n", e->path);
        unsolved += !solved && e->nature == SOLVABLE;
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
