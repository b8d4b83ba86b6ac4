/* SPDX-License-Identifier: MIT */
/* lu: K = [M J'; J -R] factored by UMFPACK (or KLU), with pivoting: for unsymmetric M or R, and
 * where ldlt falls short.
 *
 * The matrix factored is D K D, D the powers of two nearest to the pivots' natural sizes to the
 * -1/2: badly scaled units do not look singular.  A singular K (redundant rows, a floating
 * structure) is factored once more with a small diagonal added everywhere; refinement against the
 * true system removes the error, and the note tells.  Singular means an exact zero pivot, or
 * |K^-1||K| estimated beyond 1e15: with these factors impulses become so huge that the right-hand
 * side is lost in the rounding of J'lambda. */
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "builtin.h"
#include "factor/factorization.h"
#include "certify.h"
#include "problem/kkt.h"
#include "refine.h"
#include "regularization.h"

typedef struct lu_settings {
    int factorization; /* of factorizations */
} lu_settings;

static const char *const factorizations[] = {"default", "umfpack", "klu", "mumps", NULL};

typedef struct lu_state {
    saddle__kkt kkt;
    saddle__regularization regularization;
    saddle__refinement refinement;
    saddle__factorization *factors;
    double *kept;    /* n + m: the result of the first try while a second is made */
    double *unit;    /* n + m: D */
    int regularized; /* 1: the factors belong to K regularized */
} lu_state;

static void clear(void *memory, saddle_context *context)
{
    lu_state *s = memory;
    saddle__kkt_clear(&s->kkt);
    saddle__regularization_clear(&s->regularization);
    saddle__refinement_clear(&s->refinement);
    saddle__factorization_free(s->factors);
    saddle_release(context, s->kept);
    saddle_release(context, s->unit);
    memset(s, 0, sizeof(*s));
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    lu_state *s = memory;
    const lu_settings *chosen = call->settings;
    const char *name = chosen->factorization > 0
                           ? factorizations[chosen->factorization]
                           : saddle__factorization_name(call->context, SADDLE_FACTORIZATION_DEFAULT,
                                                        1);
    saddle_status status = saddle__kkt_create(call->context, problem, 1, &s->kkt);
    if (status == SADDLE_OK)
        status = saddle__regularization_create(call->context, problem, &s->regularization);
    if (status == SADDLE_OK)
        status = saddle__refinement_create(call->context, problem, &s->refinement);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(call->context, name, call->options->ordering,
                                              &s->factors);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(s->factors, &s->kkt.K);
    if (status != SADDLE_OK) return status;
    s->kept = saddle_allocate(call->context, problem->n + problem->m, sizeof(*s->kept));
    s->unit = saddle_allocate(call->context, problem->n + problem->m, sizeof(*s->unit));
    return s->kept && s->unit ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* K <- D K D */
static void scale_units(lu_state *s)
{
    saddle_matrix *K = &s->kkt.K;
    for (int64_t i = 0; i < K->cols; i++)
        s->unit[i] = exp2(-round(0.5 * log2(s->regularization.scale[i])));
    for (int64_t j = 0; j < K->cols; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            K->value[k] *= s->unit[j] * s->unit[K->index[k]];
}

static saddle_status factor_once(saddle_solver_call *call, lu_state *s,
                                 const saddle_problem *problem, int regularized)
{
    double epsilon = fmax(call->options->regularization, SADDLE__SINGULAR_PIVOT);
    saddle__regularization_measure(&s->regularization, problem, epsilon, 1);
    saddle__kkt_refresh(&s->kkt, problem, regularized ? s->regularization.added : NULL);
    saddle__refinement_measure(&s->refinement, problem, s->regularization.scale);
    scale_units(s);
    s->regularized = regularized;
    s->refinement.may_accelerate = regularized;
    saddle_status status = saddle__factorization_factor(s->factors, &s->kkt.K, NULL, 0.0);
    saddle__report_factors(call->report, s->factors);
    call->report->perturbed_pivots = regularized ? s->regularization.changed : 0;
    if (status != SADDLE_SINGULAR) return status;
    return saddle__singular_at(call, problem,
                               saddle__factorization_counts(s->factors).failed_column);
}

/* Whether the K factored is singular up to rounding. */
static saddle_status is_singular(lu_state *s, int *singular)
{
    *singular = 0;
    if (saddle__factorization_counts(s->factors).least_pivot > SADDLE__HALF_DIGITS)
        return SADDLE_OK;
    double condition;
    saddle_status status = saddle__factorization_condition(s->factors, &s->kkt.K, NULL, 0.0,
                                                           s->refinement.residual, &condition);
    *singular = status == SADDLE_OK && !(condition < saddle__singular_condition);
    return status;
}

/* D K D was factored: K itself is the same matrix in units 1 / D, and K in natural units d the same
 * in units d / D. */
static saddle_status estimate(saddle_solver_call *call, lu_state *s)
{
    if (!call->options->condition) return SADDLE_OK;
    double *unit = s->kept;
    double *work = s->refinement.residual;
    for (int64_t i = 0; i < s->kkt.K.cols; i++) unit[i] = 1.0 / s->unit[i];
    saddle_status status = saddle__factorization_condition(s->factors, &s->kkt.K, unit, 0.0, work,
                                                           &call->report->condition);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->kkt.K.cols; i++) unit[i] *= s->refinement.unit[i];
    return saddle__factorization_condition(s->factors, &s->kkt.K, unit, 0.0, work,
                                           &call->report->scaled_condition);
}

/* K (dv, -dlambda) = r */
static saddle_status correct(void *user, const saddle_problem *problem, double *r)
{
    lu_state *s = user;
    for (int64_t i = 0; i < problem->n + problem->m; i++) r[i] *= s->unit[i];
    saddle_status status = saddle__factorization_solve(s->factors, r);
    for (int64_t i = 0; i < problem->n; i++) r[i] *= s->unit[i];
    for (int64_t i = problem->n; i < problem->n + problem->m; i++) r[i] *= -s->unit[i];
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    lu_state *s = memory;
    saddle_status status = factor_once(call, s, problem, 0);
    int singular = status == SADDLE_SINGULAR;
    if (status == SADDLE_OK) status = is_singular(s, &singular);
    if (singular) status = factor_once(call, s, problem, 1);
    if (status == SADDLE_OK && singular)
        status = saddle__free_motion_search(call, problem, &s->refinement, 1, correct, s);
    return status == SADDLE_OK ? estimate(call, s) : status;
}

/* K was too close to singular for useful factors, though no pivot was exactly zero. */
static saddle_status second_try(saddle_solver_call *call, lu_state *s,
                                const saddle_problem *problem, saddle_solution *solution,
                                saddle__refined *refined)
{
    saddle_status status = factor_once(call, s, problem, 1);
    if (status == SADDLE_OK)
        status = saddle__refine_again(&s->refinement, problem, call, correct, s, s->kept, solution,
                                      refined);
    return status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    lu_state *s = memory;
    saddle__refined refined;
    saddle_status status = saddle__refine(&s->refinement, problem, call, correct, s, solution,
                                          &refined);
    int may_retry = !s->regularized && call->options->max_refinements > 0;
    if (status == SADDLE_OK && refined.status == SADDLE_OK && may_retry &&
        refined.error > call->options->tolerance)
        status = second_try(call, s, problem, solution, &refined);
    if (status != SADDLE_OK) return status;
    if (s->regularized)
        saddle__report_note(call->report,
                            "K is singular: factored with a small diagonal added, refined");
    return saddle__refined_conclude(&s->refinement, problem, call, correct, s, solution, &refined);
}

static const saddle_setting settings[] = {
    {.name = "factorization",
     .kind = SADDLE_SETTING_WORD,
     .offset = offsetof(lu_settings, factorization),
     .words = factorizations,
     .summary = "UMFPACK's (default; KLU's in builds without GPL code) or KLU's LU"},
    {.name = NULL},
};

const saddle_solver_type saddle__solver_lu = {
    .name = "lu",
    .summary = "sparse LU of the KKT matrix with pivoting, refined; equality rows, any M and R",
    .rows = SADDLE_ROWS_EQUALITY,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(lu_state),
    .settings = settings,
    .settings_size = sizeof(lu_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
