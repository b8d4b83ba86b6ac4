/* SPDX-License-Identifier: MIT */
/* schur: the impulses first, by the Delassus operator formed sparse, then the velocities:
 *
 *     W lambda + J M^-1 f - b = w,   W = J M^-1 J' + R,        M v = f + J'lambda
 *
 * Equality rows alone (w = 0): both factored L D L', refined against the true system.  A row that
 * depends on those before it leaves a pivot of W that vanishes; it is dropped (its impulse is
 * zero), which costs a consistent system nothing. Rows with bounds, friction of the box law, and
 * any rows where M or R is not symmetric: block principal pivoting on W, mlcp.h. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "builtin.h"
#include "capability.h"
#include "factor/complement.h"
#include "mlcp/mlcp.h"
#include "refine.h"

enum { NAME_SIZE = 96 };

typedef struct schur_state {
    int pivots; /* 1: rows with bounds, or W unsymmetric: mlcp is in use; 0: the others */
    saddle__mlcp mlcp;
    saddle__complement complement;
    saddle__refinement refinement;
    saddle__factorization *factors; /* of W */
    double *scale;                  /* n + m: |M_jj|, |W_ii|, 1 where they are 0 */
    double *velocity;               /* n */
} schur_state;

static void clear(void *memory, saddle_context *context)
{
    schur_state *s = memory;
    if (s->pivots) {
        saddle__mlcp_clear(&s->mlcp);
    } else {
        saddle__complement_clear(&s->complement);
        saddle__refinement_clear(&s->refinement);
        saddle__factorization_free(s->factors);
        saddle_release(context, s->scale);
        saddle_release(context, s->velocity);
    }
    memset(s, 0, sizeof *s);
}

static saddle_status analyse_equality(saddle_solver_call *call, schur_state *s,
                                      const saddle_problem *problem)
{
    const saddle_options *options = call->options;
    saddle_status status = saddle__refinement_create(call->context, problem, &s->refinement);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(call->context, "ldlt", options->ordering,
                                              &s->factors);
    if (status == SADDLE_OK) saddle__factorization_set_threads(s->factors, options->threads);
    if (status == SADDLE_OK) status = saddle__factorization_analyse(s->factors, &s->complement.W);
    if (status != SADDLE_OK) return status;
    call->report->flops = s->complement.flops + saddle__factorization_counts(s->factors).flops;
    if (s->complement.mass) call->report->flops += saddle__ldlt_size_of(s->complement.mass).flops;
    s->scale = saddle_allocate(call->context, problem->n + problem->m, sizeof *s->scale);
    s->velocity = saddle_allocate(call->context, problem->n, sizeof *s->velocity);
    return s->scale && s->velocity ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    schur_state *s = memory;
    const saddle_options *options = call->options;
    int symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    s->pivots = !symmetric || saddle_problem_count_rows(problem).equality < problem->m;
    if (s->pivots) {
        saddle_status status = saddle__delassus_create(call->context, problem, options,
                                                       call->settings, &s->mlcp.system);
        return status == SADDLE_OK ? saddle__mlcp_create(call->context, problem, &s->mlcp) : status;
    }
    saddle__complement_request request = {.ordering = options->ordering,
                                          .threads = options->threads};
    saddle_status status = saddle__complement_analyse(call->context, problem, &request,
                                                      &s->complement);
    return status == SADDLE_OK ? analyse_equality(call, s, problem) : status;
}

/* In(K) = In(M) + In(-W), dropped rows counted as zero */
static void report(saddle_report *report, const schur_state *s)
{
    saddle__factor_counts mass = s->complement.counts;
    saddle__factor_counts rows = saddle__factorization_counts(s->factors);
    report->factorizations++;
    report->perturbed_pivots = rows.perturbed_pivots;
    report->flops = mass.flops + s->complement.flops + rows.flops;
    report->factor_entries = mass.entries + rows.entries;
    report->inertia.known = 1;
    report->inertia.positive = mass.inertia.positive + rows.inertia.negative;
    report->inertia.negative = mass.inertia.negative + rows.inertia.positive;
    report->inertia.zero = mass.inertia.zero + rows.inertia.zero;
    report->peak_bytes = mass.peak_bytes + rows.peak_bytes;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    schur_state *s = memory;
    if (s->pivots) { /* the inertia of K is not known: W is factored in parts only */
        SADDLE__TRY(saddle__mlcp_factor(&s->mlcp, call, problem));
        int64_t negative = s->mlcp.system.counts(s->mlcp.system.user).factor.inertia.negative;
        if (problem->n == 0 || negative == 0) return SADDLE_OK;
        return saddle_fail(call->context, SADDLE_WRONG_INERTIA,
                           "schur: M is indefinite, %lld of its pivots are negative",
                           (long long)negative);
    }
    saddle_status status = saddle__complement_form(&s->complement, problem);
    if (status != SADDLE_OK) return status;
    saddle_matrix_diagonal(&problem->M, s->scale);
    saddle__complement_diagonal(&s->complement, s->scale + problem->n);
    for (int64_t i = 0; i < problem->n + problem->m; i++)
        s->scale[i] = s->scale[i] != 0.0 ? fabs(s->scale[i]) : 1.0;
    saddle__refinement_measure(&s->refinement, problem, s->scale);
    saddle__pivot_rule rule = {.scale = s->scale + problem->n,
                               .smallest = SADDLE__SINGULAR_PIVOT,
                               .replacement = (double)INFINITY};
    status = saddle__factorization_factor_by(s->factors, &s->complement.W, &rule);
    report(call->report, s);
    int64_t failed = saddle__factorization_counts(s->factors).failed_column;
    if (status == SADDLE_SINGULAR)
        return saddle__singular_at(call, problem, failed < 0 ? -1 : problem->n + failed);
    return status == SADDLE_OK ? saddle__report_inertia(call, problem) : status;
}

static void note_dropped(const schur_state *s, const saddle_problem *problem, saddle_report *report)
{
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    if (counts.perturbed_pivots == 0) return;
    char name[NAME_SIZE];
    saddle_problem_describe_row(problem, counts.first_perturbed, name, sizeof(name));
    saddle__report_note(report, "%lld rows depend on others and carry no impulse, the first: %s",
                        (long long)counts.perturbed_pivots, name);
}

/* dv = M^-1 r_v;  W dlambda = r_l - J dv;  dv += M^-1 J'dlambda */
static saddle_status correct(void *user, const saddle_problem *problem, double *r)
{
    schur_state *s = user;
    double *dlambda = r + problem->n;
    saddle_status status = saddle__complement_solve_mass(&s->complement, r);
    if (status != SADDLE_OK) return status;
    if (problem->n > 0) saddle_matrix_apply_transpose(&problem->Jt, -1.0, r, 1.0, dlambda);
    status = saddle__factorization_solve(s->factors, dlambda);
    if (status != SADDLE_OK || problem->n == 0 || problem->m == 0) return status;
    saddle_matrix_apply(&problem->Jt, 1.0, dlambda, 0.0, s->velocity);
    status = saddle__complement_solve_mass(&s->complement, s->velocity);
    for (int64_t j = 0; status == SADDLE_OK && j < problem->n; j++) r[j] += s->velocity[j];
    return status;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    schur_state *s = memory;
    if (s->pivots) return saddle__mlcp_solve(&s->mlcp, call, problem, solution);
    if (saddle_problem_count_rows(problem).equality < problem->m)
        return saddle_fail(
            call->context, SADDLE_INVALID_ARGUMENT,
            "schur: analysed with equality rows only, now there are others: analyse again");
    note_dropped(s, problem, call->report);
    saddle__note_inertia(call->report, problem);
    saddle__refined refined;
    saddle_status status = saddle__refine(&s->refinement, problem, call, correct, s, solution,
                                          &refined);
    if (status != SADDLE_OK) return status;
    return saddle__refined_conclude(&s->refinement, problem, call, correct, s, solution, &refined);
}

static const saddle_setting settings[] = {SADDLE__MLCP_LAGGED_FRICTION, {.name = NULL}};

const saddle_solver_type saddle__solver_schur = {
    .name = "schur",
    .summary = "the Delassus operator J M^-1 J' + R formed sparse, factored or block pivoted, "
               "refined; M regular",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_BOX,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(schur_state),
    .settings = settings,
    .settings_size = sizeof(saddle__mlcp_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
    .condenses = 1,
};
