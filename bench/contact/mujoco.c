/* SPDX-License-Identifier: MIT */
/* MuJoCo's own soft contact problem (mujoco_pile.h) by mj_fwdConstraint (its Newton method) and by
 * ours, with the forces of both compared.  Both begin cold: MuJoCo from qacc_smooth, ours from
 * zeros with create, analyse and factor. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "contact/blocks.h"
#include "contact/mujoco_pile.h"

enum { TIMES = 3 };

static const double tolerances[2] = {1e-10, 0}; /* of MuJoCo: as timed, and for its best forces */

/* ---- both solve ---- */

/* Median seconds of cold solves; forces (nefc). */
static double solve_theirs(const mjModel *model, mjData *data, double *forces)
{
    double taken[TIMES];
    for (int k = 0; k < TIMES; k++) {
        mju_copy(data->qacc_warmstart, data->qacc_smooth, model->nv);
        double began = bench_now();
        mj_fwdConstraint(model, data);
        taken[k] = bench_without_looks(bench_now() - began, 0);
    }
    mju_copy(forces, data->efc_force, data->nefc);
    return bench_median(taken, TIMES);
}

static double solve_ours(saddle_context *context, const char *name, const saddle_problem *problem,
                         saddle_solution *solution, saddle_report *report)
{
    double taken[TIMES];
    saddle_status status = SADDLE_OK;
    for (int k = 0; status >= 0 && k < TIMES; k++)
        status = contact_solve_once(context, name, 0.0, problem, solution, report, &taken[k]);
    if (bench_report(context, "mujoco", status)) return INFINITY;
    return bench_median(taken, TIMES);
}

static double difference(int64_t m, const double *f, const double *g)
{
    double most = 0, largest = 0;
    for (int64_t i = 0; i < m; i++) {
        most = fmax(most, fabs(f[i] - g[i]));
        largest = fmax(largest, fabs(g[i]));
    }
    return largest > 0 ? most / largest : most;
}

typedef struct their_answer {
    double seconds;
    int64_t steps;
    double error;   /* of the forces at the tolerance that is timed */
    double *forces; /* m: at tolerance 0 */
} their_answer;

static their_answer ask_them(mjModel *model, mjData *data)
{
    their_answer answer = {.forces = calloc((size_t)data->nefc + 1, sizeof(double))};
    double *forces = calloc((size_t)data->nefc + 1, sizeof *forces);
    if (forces && answer.forces) {
        model->opt.tolerance = tolerances[1];
        (void)solve_theirs(model, data, answer.forces);
        model->opt.tolerance = tolerances[0];
        answer.seconds = solve_theirs(model, data, forces);
        answer.steps = data->solver_iter;
        answer.error = difference(data->nefc, forces, answer.forces);
    }
    free(forces);
    return answer;
}

static void compare(const bench_options *options, saddle_context *context, const char *word,
                    const char *method, const saddle_problem *problem, const their_answer *theirs)
{
    saddle_solution solution;
    saddle_report report = {.factorizations = 0};
    if (bench_report(context, word,
                     saddle_solution_create(context, problem->n, problem->m, &solution)))
        return;
    double ours = solve_ours(context, method, problem, &solution, &report);
    if (ours < (double)INFINITY)
        printf(options->csv ? "%s,%" PRId64 ",%" PRId64 ",%.4g,%" PRId64 ",%.4g,%" PRId64
                              ",%.3g,%.1e,%.1e,%.1e,%s,%s\n"
                            : "%-23s %6" PRId64 " %6" PRId64 " %10.4g %5" PRId64 " %10.4g %5" PRId64
                              " %7.3g %8.1e %8.1e %8.1e  %s%.0s\n",
               word, problem->n, problem->m, options->csv ? theirs->seconds : 1e3 * theirs->seconds,
               theirs->steps, options->csv ? ours : 1e3 * ours, report.iterations,
               ours / theirs->seconds, report.residual.total,
               difference(problem->m, solution.lambda, theirs->forces), theirs->error,
               report.solver, method);
    (void)fflush(stdout);
    saddle_solution_clear(&solution);
}

static void run_pile(const bench_options *options, saddle_context *context, int index)
{
    mujoco_pile pile;
    saddle_problem problem;
    if (mujoco_pile_open(index, &pile) == 0 &&
        !bench_report(context, pile.name, mujoco_pile_problem(context, &pile, &problem))) {
        their_answer theirs = ask_them(pile.model, pile.data);
        for (int k = 0; theirs.forces && contact_our_method(options, k); k++)
            compare(options, context, pile.name, contact_our_method(options, k), &problem, &theirs);
        free(theirs.forces);
        saddle_problem_clear(&problem);
    }
    mujoco_pile_close(&pile);
}

int contact_run_mujoco(const bench_options *options, saddle_context *context)
{
    int asked = 0;
    for (int k = 0; k < MUJOCO_PILES; k++) {
        if (!bench_wanted(mujoco_pile_names[k], options->only)) continue;
        if (options->list) printf("%s\n", mujoco_pile_names[k]);
        if (asked++ == 0 && !options->list)
            printf(options->csv ? "problem,n,m,mujoco,steps,ours,iterations,ratio,total,forces,"
                                  "their_forces,solver,method\n"
                                : "\nMuJoCo's soft contacts: milliseconds and steps of its Newton "
                                  "(tolerance 1e-10), ours and iterations,\nratio, the checker's "
                                  "total, our forces and theirs beside theirs at tolerance 0\n");
        if (!options->list) run_pile(options, context, k);
    }
    return asked;
}
