/* SPDX-License-Identifier: MIT */
/* pivot: block principal pivoting with the system factored once; rows with bounds take part from
 * when their laws are first violated.  The machine is mlcp.h; here are the solver's table and the
 * proximal steps for a singular M. */
#include <string.h>

#include "builtin.h"
#include "mlcp/mass.h"
#include "refine.h"

typedef struct pivot_state {
    saddle__mlcp mlcp;
    saddle__mass mass; /* where M turns out to be singular */
    int is_singular;   /* M is unsymmetric and could not be factored: mass alone can solve */
} pivot_state;

/* A pivot below this multiple of its natural size may be rounding. */
static const double nearly_vanished = 1e-11;

static void clear(void *memory, saddle_context *context)
{
    pivot_state *s = memory;
    (void)context;
    saddle__mlcp_clear(&s->mlcp);
    saddle__mass_clear(&s->mass);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    pivot_state *s = memory;
    return saddle__mlcp_create(call->context, problem, call->options, call->settings, &s->mlcp);
}

static saddle_status check_inertia(const saddle_solver_call *call, const saddle_problem *problem,
                                   const pivot_state *s)
{
    saddle_inertia inertia = s->mlcp.system.counts(s->mlcp.system.user).factor.inertia;
    if (!inertia.known || problem->n == 0 || problem->m == 0 || inertia.positive == problem->n)
        return SADDLE_OK;
    return saddle_fail(call->context, SADDLE_WRONG_INERTIA,
                       "pivot: %lld of the pivots are positive, not %lld: M or R is indefinite",
                       (long long)inertia.positive, (long long)problem->n);
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    pivot_state *s = memory;
    saddle_status status = saddle__mlcp_factor(&s->mlcp, call, problem);
    int pivoted = s->mlcp.kind == SADDLE__MLCP_COLUMNS && !s->mlcp.columns.symmetric;
    s->is_singular = status == SADDLE_SINGULAR &&
                     (pivoted || s->mlcp.kind == SADDLE__MLCP_DELASSUS) && problem->n > 0;
    if (s->is_singular) return SADDLE_OK;
    return status == SADDLE_OK ? check_inertia(call, problem, s) : status;
}

static int is_overgrown(const saddle_solver_call *call, const saddle_problem *problem,
                        const saddle_solution *solution)
{
    saddle_residual residual;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work,
                            &residual);
    return saddle_residual_is_overgrown(&residual, call->options->tolerance);
}

static int may_be_singular(const pivot_state *s, const saddle_problem *problem)
{
    saddle__factor_counts counts = s->mlcp.system.counts(s->mlcp.system.user).factor;
    for (int64_t j = 0; j < problem->n; j++) {
        double mass = 0.0;
        for (int64_t k = problem->M.start[j]; k < problem->M.start[j + 1]; k++)
            if (problem->M.index[k] == j) mass = problem->M.value[k];
        if (mass == 0.0) return 1;
    }
    return counts.perturbed_pivots > 0 || counts.least_pivot < nearly_vanished;
}

/* Whether an answer that is not good may be due to a singular M. */
static int needs_mass(const pivot_state *s, const saddle_solver_call *call,
                      const saddle_problem *problem, const saddle_solution *solution,
                      saddle_status status)
{
    if (problem->n == 0 || call->options->max_iterations > 0) return 0;
    if (status == SADDLE_NOT_CONVERGED || status == SADDLE_ITERATION_LIMIT)
        return !problem->M.start || may_be_singular(s, problem) ||
               is_overgrown(call, problem, solution);
    return status == SADDLE_OK && s->mlcp.proximal.growth > 1e6 &&
           is_overgrown(call, problem, solution);
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    pivot_state *s = memory;
    saddle_status status = s->is_singular ? SADDLE_SINGULAR
                                          : saddle__mlcp_solve(&s->mlcp, call, problem, solution);
    if (!s->is_singular && !needs_mass(s, call, problem, solution, status)) return status;
    saddle_status second = saddle__mass_solve(&s->mass, call, problem, solution);
    return s->is_singular && second == SADDLE_NOT_CONVERGED ? SADDLE_SINGULAR : second;
}

#define BASIS_WORD(name, word) word,
static const char *const basis_words[] = {SADDLE_BASIS_LIST(BASIS_WORD) NULL};
#undef BASIS_WORD

static const saddle_setting settings[] = {
    {.name = "basis",
     .kind = SADDLE_SETTING_WORD,
     .offset = offsetof(saddle__mlcp_settings, basis),
     .words = basis_words,
     .summary = "rows between their bounds: in a sparse factor, or on dense columns"},
    SADDLE__MLCP_LAGGED_FRICTION,
    {.name = NULL},
};

static unsigned proves(const saddle_problem *problem)
{
    (void)problem;
    return SADDLE_PROVES_ROWS | SADDLE_PROVES_MOTION;
}

const saddle_solver_type saddle__solver_pivot = {
    .name = "pivot",
    .summary = "block principal pivoting, the KKT matrix factored once, rows with bounds put into "
               "its factor or a dense basis when their laws are first violated",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_BOX,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(pivot_state),
    .settings = settings,
    .settings_size = sizeof(saddle__mlcp_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
    .proves = proves,
};
