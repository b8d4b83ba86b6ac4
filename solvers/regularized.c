/* SPDX-License-Identifier: MIT */
/* See regularized.h. */
#include "regularized.h"

#include <math.h>
#include <string.h>

#include "builtin.h"
#include "shifted.h"
#include "problem/verdict.h"

enum { LEVELS = 3, STEPS = 40, STALLS = 6 };

static const double level[LEVELS] = {1e-4, 1e-2, 1.0};

typedef struct regularized_state {
    saddle_problem shifted; /* the problem with R and b of its own */
    saddle__shifted R;      /* shifted.R */
    double *size;           /* m: s */
    double *added;          /* m: E */
    double *best;           /* n + m */
    double *checker_work;
    void *lemke;
    saddle__settings settings; /* lemke's */
} regularized_state;

static void clear(void *memory, saddle_context *context)
{
    regularized_state *s = memory;
    if (s->lemke) saddle__solver_lemke.clear(s->lemke, context);
    saddle_release(context, s->lemke);
    saddle__shifted_clear(&s->R);
    void *blocks[] = {s->shifted.b, s->size, s->added, s->best, s->checker_work};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(s, 0, sizeof *s);
}

/* ---- R + E ---- */

/* The problem's own arrays but for R and b. */
static void borrow(regularized_state *s, const saddle_problem *problem)
{
    double *b = s->shifted.b;
    s->shifted = *problem;
    s->shifted.R = s->R.A;
    s->shifted.b = b;
    s->shifted.owner = 0;
}

static void measure(regularized_state *s, const saddle_problem *problem)
{
    double *mass = s->best; /* scratch */
    if (problem->n > 0) saddle_matrix_diagonal(&problem->M, mass);
    memset(s->size, 0, (size_t)problem->m * sizeof *s->size);
    if (problem->R.start) saddle_matrix_diagonal(&problem->R, s->size);
    int moves = saddle_matrix_entries(&problem->Jt) > 0;
    for (int64_t i = 0; i < problem->m; i++) {
        s->size[i] = fabs(s->size[i]);
        for (int64_t k = moves ? problem->Jt.start[i] : 0; moves && k < problem->Jt.start[i + 1];
             k++) {
            double a = problem->Jt.value[k];
            double m = fabs(mass[problem->Jt.index[k]]);
            if (m > 0.0) s->size[i] += a * a / m;
        }
        if (!(s->size[i] > 0.0)) s->size[i] = 1.0;
    }
}

static void shift(regularized_state *s, const saddle_problem *problem, double epsilon)
{
    for (int64_t i = 0; i < problem->m; i++) s->added[i] = epsilon * s->size[i];
    saddle__shifted_set(&s->R, &problem->R, s->added);
}

/* ---- the phases ---- */

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    regularized_state *s = memory;
    saddle_context *context = call->context;
    saddle_status status = saddle__shifted_create(context, &problem->R, problem->m, &s->R);
    if (status != SADDLE_OK) return status;
    s->shifted.b = saddle_allocate(context, problem->m, sizeof *s->shifted.b);
    s->size = saddle_allocate(context, problem->m, sizeof *s->size);
    s->added = saddle_allocate(context, problem->m, sizeof *s->added);
    s->best = saddle_allocate(context, problem->n + problem->m, sizeof *s->best);
    s->checker_work = saddle_allocate(context, saddle_residual_work_size(problem),
                                      sizeof *s->checker_work);
    s->lemke = saddle_allocate(context, 1, saddle__solver_lemke.state_size);
    if (!s->shifted.b || !s->size || !s->added || !s->best || !s->checker_work || !s->lemke)
        return SADDLE_OUT_OF_MEMORY;
    borrow(s, problem);
    saddle_solver_call own = *call;
    own.settings = saddle__settings_fill(&saddle__solver_lemke, call->options->settings,
                                         &s->settings);
    return saddle__solver_lemke.analyse(&own, s->lemke, &s->shifted);
}

/* Each level is factored when its turn comes: what is to be known of M alone is found here. */
static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    regularized_state *s = memory;
    borrow(s, problem);
    measure(s, problem);
    shift(s, problem, level[0]);
    saddle_solver_call own = *call;
    own.settings = s->settings.bytes;
    return saddle__solver_lemke.factor(&own, s->lemke, &s->shifted);
}

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* The residual of the problem itself; the best is kept. */
static void judge(regularized_state *s, const saddle_solver_call *call,
                  const saddle_problem *problem, const saddle_solution *x, double *best,
                  int *stalls)
{
    saddle_residual residual;
    saddle_residual_compute(problem, x->v, x->lambda, NULL, call->checker_work, &residual);
    double error = saddle__error_of(&residual, call->options->tolerance);
    *stalls = error < 0.5 * *best ? 0 : *stalls + 1;
    if (!(error < *best)) return;
    *best = error;
    copy(s->best, x->v, problem->n);
    copy(s->best + problem->n, x->lambda, problem->m);
}

/* Steps with one epsilon.  What ends them early is returned, else SADDLE_OK. */
static saddle_status iterate(regularized_state *s, saddle_solver_call *own,
                             const saddle_solver_call *call, const saddle_problem *problem,
                             saddle_solution *x, double *best)
{
    int stalls = 0;
    for (int step = 0; step < STEPS && stalls < STALLS && !(*best <= call->options->tolerance);
         step++) {
        for (int64_t i = 0; i < problem->m; i++)
            s->shifted.b[i] = (problem->b ? problem->b[i] : 0.0) + s->added[i] * x->lambda[i];
        saddle_status status = saddle__solver_lemke.solve(own, s->lemke, &s->shifted, x);
        if (status < 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT) return status;
        call->report->iterations++;
        judge(s, call, problem, x, best, &stalls);
        if (status == SADDLE_INFEASIBLE) break; /* another epsilon may have an answer */
    }
    return SADDLE_OK;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    regularized_state *s = memory;
    saddle_certificate none = {0};
    saddle_report report = {0};
    saddle_solver_call own = *call;
    own.report = &report;
    own.settings = s->settings.bytes;
    own.certificate = &none;
    own.checker_work = s->checker_work;
    borrow(s, problem);
    double best = (double)INFINITY;
    int stalls = 0;
    judge(s, call, problem, solution, &best, &stalls);
    saddle_status status = SADDLE_OK;
    for (int k = 0; status == SADDLE_OK && k < LEVELS && !(best <= call->options->tolerance); k++) {
        shift(s, problem, level[k]);
        status = saddle__solver_lemke.factor(&own, s->lemke, &s->shifted);
        if (status == SADDLE_OK) status = iterate(s, &own, call, problem, solution, &best);
    }
    saddle_certificate_clear(&none);
    call->report->pivots += report.pivots;
    call->report->factorizations += report.factorizations;
    if (best < (double)INFINITY) {
        copy(solution->v, s->best, problem->n);
        copy(solution->lambda, s->best + problem->n, problem->m);
    }
    if (status == SADDLE_OK && !(best <= call->options->tolerance)) status = SADDLE_NOT_CONVERGED;
    return status;
}

const saddle_solver_type saddle__solver_regularized = {
    .name = "regularized",
    .summary = "proximal steps, each by lemke: the last link of auto's chain",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_BOX |
            SADDLE_CONTACTS_PYRAMID,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(regularized_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
