/* SPDX-License-Identifier: MIT */
/* See progress.h. */
#include "progress.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "problem/verdict.h"

/* A defect that is this part of the slack without impulses is none of rounding, however large the
 * impulses. */
static const double visible = 1e-5;

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof(*to));
}

/* free = w - W lambda, what w is without impulses; n = 0: -b */
static void free_slack(saddle__bounded *s, const saddle_problem *problem, const saddle_matrix *W,
                       const double *lambda)
{
    const saddle__sparse_basis *sparse = saddle__schur_basis_sparse(&s->basis);
    if (s->n > 0 && saddle__is_zero(lambda, s->m)) {
        copy(s->free, s->w, s->m);
        return;
    }
    if (s->n > 0 && sparse) {
        for (int64_t i = 0; i < s->m; i++) {
            saddle__whole_rows_expect(&sparse->beside, i);
            s->free[i] = s->w[i] - (sparse->own[i] * lambda[i] +
                                    saddle__whole_row_times(&sparse->beside, i, lambda));
        }
        return;
    }
    if (s->n > 0) {
        copy(s->free, s->w, s->m);
        saddle_matrix_apply(W, -1.0, lambda, 1.0, s->free);
        return;
    }
    for (int64_t i = 0; i < s->m; i++) s->free[i] = problem->b ? -problem->b[i] : 0.0;
}

void saddle__progress_look(saddle__bounded *s, const saddle_problem *problem,
                           const saddle_matrix *W, const saddle_solution *x)
{
    for (int64_t i = 0; i < s->m; i++) s->w[i] = problem->b ? -problem->b[i] : 0.0;
    if (s->n > 0 && saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply_transpose(&problem->Jt, 1.0, x->v, 1.0, s->w);
    if (saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_apply(&problem->R, 1.0, x->lambda, 1.0, s->w);
    free_slack(s, problem, W, x->lambda);
}

typedef struct natural {
    double defect;  /* max_i |lambda_i - P_i(lambda_i - w_i / W_ii)| */
    double impulse; /* the largest */
    double slack;   /* the largest without impulses */
} natural;

/* In units in which W's diagonal is 1. */
static natural in_natural_units(const saddle__bounded *s, const double *lambda)
{
    natural largest = {0.0, 0.0, 0.0};
    for (int64_t i = 0; i < s->m; i++) {
        double unit = s->unit[i];
        double root = s->size[i] * unit;
        double reach = s->normal && s->normal[i] >= 0 ? s->mu[i] * lambda[s->normal[i]] : 0.0;
        double moved = lambda[i] - s->w[i] * (unit * unit);
        moved = saddle__smaller(s->hi[i] + reach, saddle__larger(s->lo[i] - reach, moved));
        largest.defect = saddle__larger(largest.defect, root * fabs(lambda[i] - moved));
        largest.impulse = saddle__larger(largest.impulse, root * fabs(lambda[i]));
        largest.slack = saddle__larger(largest.slack, fabs(s->free[i]) * unit);
    }
    return largest;
}

static double error_of(natural largest)
{
    return largest.defect > 0.0 ? largest.defect / saddle__larger(largest.impulse, largest.slack)
                                : 0.0;
}

double saddle__natural_error(const saddle__bounded *s, const double *lambda)
{
    return error_of(in_natural_units(s, lambda));
}

static int is_overgrown(natural largest)
{
    return largest.defect > visible * largest.slack;
}

/* w and free; the checker's residual. */
static double residual_of(saddle__bounded *s, const saddle_problem *problem,
                          const saddle_solver_call *call, const saddle_matrix *W,
                          const saddle_solution *x)
{
    saddle_residual residual;
    saddle_residual_compute(problem, x->v, x->lambda, s->w, call->checker_work, &residual);
    free_slack(s, problem, W, x->lambda);
    return saddle__error_of(&residual, call->options->tolerance);
}

void saddle__progress_judge(saddle__bounded *s, const saddle_problem *problem,
                            const saddle_solver_call *call, const saddle_matrix *W,
                            const saddle_solution *x)
{
    double residual = residual_of(s, problem, call, W, x);
    natural largest = in_natural_units(s, x->lambda);
    double error = saddle__larger(residual, error_of(largest));
    if (!saddle__steps_judge(&s->steps, error, residual, is_overgrown(largest))) return;
    copy(s->best, x->v, s->n);
    copy(s->best + s->n, x->lambda, s->m);
    s->glanced = s->best_is_at_hand = 0;
}

/* s->w <- free + W lambda, after a step: pivoting left that of W + E where it knows it. */
static void take_slack(saddle__bounded *s, const saddle__sparse_basis *sparse, const double *lambda)
{
    const double *w = s->pivoting.w;
    for (int64_t i = 0; s->pivoting.knows_slack && i < s->m; i++)
        s->w[i] = w[i] - s->added[i] * (lambda[i] - s->began[i]);
    for (int64_t i = 0; !s->pivoting.knows_slack && i < s->m; i++)
        s->w[i] = s->free[i] + (sparse->own[i] * lambda[i] +
                                saddle__whole_row_times(&sparse->beside, i, lambda));
}

int saddle__progress_glance(saddle__bounded *s, const saddle_solver_call *call,
                            const double *lambda)
{
    const saddle__sparse_basis *sparse = saddle__schur_basis_sparse(&s->basis);
    const saddle__steps *steps = &s->steps;
    int above = steps->taken > 0 && steps->last == 0 && !saddle__epsilon_is_least(&steps->epsilon);
    if (!sparse || !s->pivoting.line.y || !above) return 0;
    take_slack(s, sparse, lambda);
    natural largest = in_natural_units(s, lambda);
    double error = error_of(largest);
    if (!(error > call->options->tolerance)) return 0;
    if (!saddle__steps_glance(&s->steps, error, is_overgrown(largest))) return 1;
    s->glanced = s->best_is_at_hand = 1;
    return 1;
}

void saddle__progress_settle(saddle__bounded *s, const saddle_problem *problem,
                             const saddle_solver_call *call, const saddle_matrix *W,
                             const saddle_solution *x)
{
    s->steps.residual = residual_of(s, problem, call, W, x);
    s->steps.overgrown = is_overgrown(in_natural_units(s, x->lambda));
    copy(s->best, x->v, s->n);
    s->glanced = s->best_is_at_hand = 0;
}
