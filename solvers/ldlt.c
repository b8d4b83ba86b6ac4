/* SPDX-License-Identifier: MIT */
/* ldlt: K = [M J'; J -R] factored L D L' without pivoting, after a static regularization that makes it quasi-definite
 * (Vanderbei, SIAM J. Optim. 5, 1995), which refinement against the true system takes out again.  The factorization is the
 * supernodal engine of lib/ldlt, or
 * another of the table as a cross-check. */
#include <math.h>
#include <string.h>

#include "builtin.h"
#include "factor/factorization.h"
#include "problem/kkt.h"
#include "refine.h"
#include "regularization.h"

enum { NAME_SIZE = 96 };

typedef struct ldlt_state {
    saddle__kkt kkt;
    saddle__regularization regularization;
    saddle__refinement refinement;
    saddle__factorization *factors; /* of K regularized                                     */
    int everywhere;                 /* the whole diagonal was, K being singular for rounding */
} ldlt_state;

/* A pivot below this multiple of its natural size is rounding noise, and becomes this one. */
static const double vanished = 1e-14;
static const double least_replacement = 1e-10;
static const double suspect_pivot = 1e-11; /* below, the condition is looked at */

static void clear(void *memory, saddle_context *context)
{
    (void)context;
    ldlt_state *s = memory;
    saddle__kkt_clear(&s->kkt);
    saddle__regularization_clear(&s->regularization);
    saddle__refinement_clear(&s->refinement);
    saddle__factorization_free(s->factors);
    memset(s, 0, sizeof(*s));
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    ldlt_state *s = memory;
    const char *name = saddle__factorization_name(call->options->factorization, 0);
    saddle_status status = saddle__kkt_create(call->context, problem, 0, &s->kkt);
    if (status == SADDLE_OK) status = saddle__regularization_create(call->context, problem, &s->regularization);
    if (status == SADDLE_OK) status = saddle__refinement_create(call->context, problem, &s->refinement);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(call->context, name, call->options->ordering, &s->factors);
    if (status != SADDLE_OK) return status;
    saddle__regularization_measure(&s->regularization, problem, call->options->regularization, 0);
    return saddle__factorization_analyse_late(s->factors, &s->kkt.K, s->regularization.weak);
}

static saddle_status factor_once(saddle_solver_call *call, ldlt_state *s, const saddle_problem *problem, int everywhere)
{
    saddle__regularization *g = &s->regularization;
    double epsilon = call->options->regularization;
    if (everywhere) epsilon = fmax(epsilon, least_replacement);
    saddle__regularization_measure(g, problem, epsilon, everywhere);
    saddle__kkt_refresh(&s->kkt, problem, g->added);
    saddle__refinement_measure(&s->refinement, problem, g->scale);
    saddle__pivot_rule rule = {.sign = g->sign,
                               .scale = g->scale,
                               .smallest = vanished,
                               .replacement = fmax(epsilon, least_replacement)};
    saddle_status status = saddle__factorization_factor_by(s->factors, &s->kkt.K, &rule);
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    s->everywhere = everywhere;
    call->report->factorizations++;
    call->report->perturbed_pivots = g->changed + counts.perturbed_pivots;
    call->report->inertia = counts.inertia;
    call->report->peak_bytes = counts.peak_bytes;
    return status;
}

/* Regularization leaves pivots of its own size; a smaller one is what is left of a singular M, not yet noise.  The methods
 * that pivot replace none: a zero one ends them. */
static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    ldlt_state *s = memory;
    saddle_status status = factor_once(call, s, problem, 0);
    if (status == SADDLE_SINGULAR) return factor_once(call, s, problem, 1);
    if (status != SADDLE_OK || saddle__factorization_counts(s->factors).least_pivot > suspect_pivot) return status;
    double condition;
    status =
        saddle__factorization_condition(s->factors, &s->kkt.K, s->refinement.unit, s->refinement.residual, &condition);
    if (status != SADDLE_OK || condition < saddle__singular_condition) return status;
    return factor_once(call, s, problem, 1);
}

static void note_vanished(const ldlt_state *s, const saddle_problem *problem, saddle_report *report)
{
    if (s->everywhere) saddle__report_note(report, "K is singular: a small diagonal was added everywhere");
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    if (counts.perturbed_pivots == 0) return;
    char name[NAME_SIZE];
    saddle__describe(problem, counts.first_perturbed, name, sizeof(name));
    saddle__report_note(report, "%lld pivots vanished and were replaced, the first at %s",
                        (long long)counts.perturbed_pivots, name);
}

/* K (dv, -dlambda) = r */
static saddle_status correct(void *user, const saddle_problem *problem, double *r)
{
    ldlt_state *s = user;
    saddle_status status = saddle__factorization_solve(s->factors, r);
    for (int64_t i = problem->n; i < problem->n + problem->m; i++) r[i] = -r[i];
    return status;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    ldlt_state *s = memory;
    saddle__refinement_begin(&s->refinement, call->report);
    note_vanished(s, problem, call->report);
    return saddle__refined_solve(&s->refinement, problem, call, correct, s, solution);
}

const saddle_solver_type saddle__solver_ldlt = {
    .name = "ldlt",
    .summary = "sparse LDL' of the KKT matrix, refined; equality rows, M and R symmetric",
    .rows = SADDLE_ROWS_EQUALITY,
    .matrices = SADDLE_MATRICES_SYMMETRIC,
    .state_size = sizeof(ldlt_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
