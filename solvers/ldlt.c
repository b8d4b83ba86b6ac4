/* SPDX-License-Identifier: MIT */
/* ldlt: K = [M J'; J -R] factored L D L' without pivoting.  A static regularization makes K
 * quasi-definite (Vanderbei, SIAM J. Optim. 5, 1995); refinement against the true system removes
 * the error of the regularization.  The factorization is the supernodal engine of lib/ldlt, or
 * another method as a cross-check. */
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "builtin.h"
#include "factor/factorization.h"
#include "certify.h"
#include "ldlt/tasks.h"
#include "problem/kkt.h"
#include "refine.h"
#include "regularization.h"

enum { NAME_SIZE = 96 };

typedef struct ldlt_settings {
    int factorization; /* of saddle_factorization */
    int precision;     /* of the factors: 0 = double, 1 = single */
} ldlt_settings;

typedef struct ldlt_state {
    saddle__kkt kkt;
    saddle__regularization regularization;
    saddle__refinement refinement;
    double *kept;                   /* n + m: v and lambda of the first try */
    saddle__factorization *factors; /* of K regularized */
    double least;   /* least regularization of the whole diagonal and of vanished pivots [-] */
    int everywhere; /* the whole diagonal was, K or M being singular for rounding */
    saddle__eagerness how; /* the order taken */
    int unproven;          /* 1: an eager order, not yet checked */
    int lost;              /* 1: the last analysis failed, no order is valid */
} ldlt_state;

/* Rounding is divided by pivots.  With safe_epsilon everywhere, pivots of M leave noise of 1e-16 /
 * epsilon in pivots of rows of size epsilon, and no sign is in doubt. */
static const double safe_epsilon = 1e-7;
/* of refinement: noise of pivots is visible, and an eager order costs more than saved */
static const double slow_contraction = 1e-4;

/* The same, met in a solve: more steps than slow_contraction takes to the unit roundoff. */
static int was_slow(int64_t refinements)
{
    return pow(slow_contraction, (double)refinements - 1.0) < DBL_EPSILON;
}

static void clear(void *memory, saddle_context *context)
{
    ldlt_state *s = memory;
    saddle_release(context, s->kept);
    saddle__kkt_clear(&s->kkt);
    saddle__regularization_clear(&s->regularization);
    saddle__refinement_clear(&s->refinement);
    saddle__factorization_free(s->factors);
    memset(s, 0, sizeof(*s));
}

/* 1: a relaxed constrained ordering may be tried: M's pivots are positive and the rows are
 * regularized. */
static int may_hurry(const saddle_solver_call *call, const saddle__regularization *g, int64_t n)
{
    for (int64_t j = 0; j < n; j++)
        if (g->sign[j] <= 0 || g->weak[j] != SADDLE__ANY_TIME) return 0;
    return call->options->regularization > 0.0;
}

/* The order to be tried next. */
static saddle_status analyse_order(ldlt_state *s, saddle__eagerness how)
{
    saddle_status status = saddle__factorization_analyse_late(s->factors, &s->kkt.K,
                                                              s->regularization.weak, &how);
    s->lost = status != SADDLE_OK;
    s->how = how;
    s->unproven = status == SADDLE_OK && how != SADDLE__PATIENT;
    return status;
}

/* The simplicial LDL' is the one with factors in single precision. */
static saddle_status create_factors(saddle_solver_call *call, ldlt_state *s)
{
    const ldlt_settings *chosen = call->settings;
    saddle_factorization method = (saddle_factorization)chosen->factorization;
    if (chosen->precision && method == SADDLE_FACTORIZATION_DEFAULT)
        method = SADDLE_FACTORIZATION_CHOLMOD;
    if (chosen->precision && method != SADDLE_FACTORIZATION_CHOLMOD)
        return saddle_fail(call->context, SADDLE_UNSUPPORTED,
                           "precision=single goes with factorization=cholmod");
    const char *name = saddle__factorization_name(call->context, method, 0);
    saddle_status status = saddle__factorization_create(call->context, name,
                                                        call->options->ordering, &s->factors);
    if (status == SADDLE_OK && chosen->precision) saddle__factorization_set_single(s->factors);
    return status;
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    ldlt_state *s = memory;
    saddle_status status = saddle__kkt_create(call->context, problem, 0, &s->kkt);
    if (status == SADDLE_OK)
        status = saddle__regularization_create(call->context, problem, &s->regularization);
    if (status == SADDLE_OK)
        status = saddle__refinement_create(call->context, problem, &s->refinement);
    s->refinement.may_accelerate = 1;
    if (status == SADDLE_OK) {
        s->kept = saddle_allocate(call->context, problem->n + problem->m, sizeof(*s->kept));
        if (!s->kept) return SADDLE_OUT_OF_MEMORY;
    }
    if (status == SADDLE_OK) status = create_factors(call, s);
    if (status != SADDLE_OK) return status;
    saddle__factorization_set_threads(s->factors, call->options->threads);
    saddle__regularization_measure(&s->regularization, problem, 0.0, 0);
    status = analyse_order(s, may_hurry(call, &s->regularization, problem->n) ? SADDLE__EAGER
                                                                              : SADDLE__PATIENT);
    call->report->flops = saddle__factorization_counts(s->factors).flops;
    return status;
}

static saddle_status factor_once(saddle_solver_call *call, ldlt_state *s,
                                 const saddle_problem *problem, int everywhere)
{
    saddle__regularization *g = &s->regularization;
    double epsilon = call->options->regularization;
    if (everywhere) epsilon = fmax(epsilon, s->least);
    if (s->how != SADDLE__PATIENT) epsilon = fmax(epsilon, SADDLE__HALF_DIGITS);
    saddle__regularization_measure(g, problem, epsilon, everywhere);
    saddle__kkt_refresh(&s->kkt, problem, g->added);
    saddle__refinement_measure(&s->refinement, problem, g->scale);
    saddle__pivot_rule rule = {.sign = g->sign,
                               .scale = g->scale,
                               .smallest = SADDLE__VANISHED_PIVOT,
                               .replacement = fmax(epsilon, s->least),
                               .added = everywhere ? NULL : g->added}; /* where A_ii says nothing */
    saddle_status status = saddle__factorization_factor_by(s->factors, &s->kkt.K, &rule);
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    s->everywhere = everywhere;
    saddle__report_factors(call->report, s->factors);
    call->report->perturbed_pivots = g->changed + counts.perturbed_pivots;
    return status == SADDLE_SINGULAR ? saddle__singular_at(call, problem, counts.failed_column)
                                     : status;
}

/* factor_once under the eager order and, where refinement would be slow, under more patient orders
 * from now on.  The order is checked with the first values and after each slow solve, and only a
 * check allocates. */
static saddle_status factor_eagerly(saddle_solver_call *call, ldlt_state *s,
                                    const saddle_problem *problem)
{
    saddle_status status = s->lost ? analyse_order(s, s->how) : SADDLE_OK;
    if (status == SADDLE_OK) status = factor_once(call, s, problem, 0);
    while (status == SADDLE_OK && s->unproven) {
        double contraction;
        s->unproven = 0;
        status = saddle__factorization_contraction(s->factors, &s->kkt.K, s->regularization.added,
                                                   s->refinement.unit, s->refinement.residual,
                                                   &contraction);
        if (status != SADDLE_OK || contraction < slow_contraction) return status;
        status = analyse_order(s, s->how == SADDLE__EAGER ? SADDLE__LESS_EAGER : SADDLE__PATIENT);
        if (status == SADDLE_OK) status = factor_once(call, s, problem, 0);
    }
    return status;
}

/* |K^-1||K| in natural units, or with unit = NULL in the problem's units */
static saddle_status estimate_condition(ldlt_state *s, const double *unit, double limit,
                                        double *condition)
{
    return saddle__factorization_condition(s->factors, &s->kkt.K, unit, limit,
                                           s->refinement.residual, condition);
}

static saddle_status estimate(saddle_solver_call *call, ldlt_state *s)
{
    saddle_report *report = call->report;
    if (!call->options->condition) return SADDLE_OK;
    report->growth = saddle__factorization_growth(s->factors, s->regularization.scale,
                                                  s->refinement.residual);
    saddle_status status = estimate_condition(s, NULL, 0.0, &report->condition);
    return status == SADDLE_OK
               ? estimate_condition(s, s->refinement.unit, 0.0, &report->scaled_condition)
               : status;
}

/* The whole diagonal is regularized where a zero pivot ends the factorization (methods with
 * pivoting replace none), and where M or R alone is singular for rounding: no row's regularization
 * bounds the pivots then. */
static saddle_status factor_regularly(saddle_solver_call *call, ldlt_state *s,
                                      const saddle_problem *problem)
{
    s->least = SADDLE__PIVOT_REPLACEMENT;
    saddle_status status = factor_eagerly(call, s, problem);
    if (status == SADDLE_SINGULAR) return factor_once(call, s, problem, 1);
    if (status != SADDLE_OK || (problem->n > 0 && problem->m > 0) ||
        saddle__factorization_counts(s->factors).least_pivot > SADDLE__SUSPECT_PIVOT)
        return status;
    double condition;
    status = estimate_condition(s, s->refinement.unit, saddle__singular_condition, &condition);
    if (status != SADDLE_OK || condition < saddle__singular_condition) return status;
    return factor_once(call, s, problem, 1);
}

static int has_grown(ldlt_state *s)
{
    return saddle__factorization_growth(s->factors, s->regularization.scale,
                                        s->refinement.residual) > 1.0 / SADDLE__HALF_DIGITS;
}

/* Whether pivots of velocities vanished, or nearly (a singular M whose velocities stiff rows hold):
 * quotients by noise, and refinement makes no progress. */
static saddle_status look_for_noise(ldlt_state *s, int *noise)
{
    double *work = s->refinement.residual;
    *noise = 0;
    if (!has_grown(s)) return SADDLE_OK;
    double contraction;
    saddle_status status = saddle__factorization_contraction(s->factors, &s->kkt.K,
                                                             s->regularization.added,
                                                             s->refinement.unit, work,
                                                             &contraction);
    *noise = !(contraction <= slow_contraction);
    return status;
}

/* The same where the inertia is impossible, since noise may have decided signs, or where pivots are
 * small. */
static saddle_status look_where_likely(ldlt_state *s, const saddle_problem *problem,
                                       const saddle_report *report, int *noise)
{
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    int wrong = saddle__inertia_is_wrong(problem, &report->inertia);
    *noise = wrong && counts.least_pivot <= SADDLE__HALF_DIGITS;
    int likely = wrong || counts.least_pivot <= SADDLE__SUSPECT_PIVOT ||
                 counts.perturbed_pivots > 0;
    return *noise || !likely ? SADDLE_OK : look_for_noise(s, noise);
}

static saddle_status factor_safely(saddle_solver_call *call, ldlt_state *s,
                                   const saddle_problem *problem)
{
    s->least = safe_epsilon;
    return factor_once(call, s, problem, 1);
}

static saddle_status factor_well(saddle_solver_call *call, ldlt_state *s,
                                 const saddle_problem *problem)
{
    int noise = 0;
    saddle_status status = factor_regularly(call, s, problem);
    if (status == SADDLE_OK) status = look_where_likely(s, problem, call->report, &noise);
    return status == SADDLE_OK && noise ? factor_safely(call, s, problem) : status;
}

static void note_threads(const saddle_solver_call *call)
{
    if (call->options->threads > 1 && saddle__tasks_threads(2) == 1)
        saddle__report_note(call->report, "built without OpenMP: one thread");
}

static void note_vanished(const ldlt_state *s, const saddle_problem *problem, saddle_report *report)
{
    if (s->everywhere)
        saddle__report_note(report, "%s: a small diagonal was added everywhere",
                            s->least < safe_epsilon ? "K is singular"
                                                    : "pivots vanished, or nearly");
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    char name[NAME_SIZE];
    if (counts.inertia.zero > 0 && counts.first_zero >= 0) {
        saddle__describe(problem, counts.first_zero, name, sizeof(name));
        saddle__report_note(report, "K is singular: %lld zero pivots, the first at %s",
                            (long long)counts.inertia.zero, name);
    }
    if (counts.perturbed_pivots == 0) return;
    saddle__describe(problem, counts.first_perturbed, name, sizeof(name));
    saddle__report_note(report, "%lld pivots vanished and were replaced, the first at %s",
                        (long long)counts.perturbed_pivots, name);
}

/* Velocities j with M_jj = 0: such pivots are regularized like those of rows, without a note. */
static void note_zero_diagonal(const ldlt_state *s, const saddle_problem *problem,
                               const saddle__refined *refined, saddle_report *report)
{
    int64_t count = 0, first = 0;
    for (int64_t j = problem->n - 1; j >= 0 && !s->everywhere; j--) {
        if (s->regularization.added[j] == 0.0) continue;
        first = j;
        count++;
    }
    if (count == 0) return;
    char name[NAME_SIZE];
    saddle__describe(problem, first, name, sizeof(name));
    saddle__report_note(report, "%lld zeros of M's diagonal, the first at %s, were perturbed",
                        (long long)count, name);
    if (isfinite(refined->error))
        saddle__report_note(report, "refinement brought the backward error to %.1e",
                            refined->error);
}

/* K (dv, -dlambda) = r */
static saddle_status correct(void *user, const saddle_problem *problem, double *r)
{
    ldlt_state *s = user;
    saddle_status status = saddle__factorization_solve(s->factors, r);
    for (int64_t i = problem->n; i < problem->n + problem->m; i++) r[i] = -r[i];
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    ldlt_state *s = memory;
    saddle_status status = factor_well(call, s, problem);
    int shows = s->everywhere || saddle__factorization_counts(s->factors).perturbed_pivots > 0;
    if (status == SADDLE_OK)
        status = saddle__free_motion_search(call, problem, &s->refinement, shows, correct, s);
    if (status == SADDLE_OK) status = estimate(call, s);
    return status == SADDLE_OK ? saddle__report_inertia(call, problem) : status;
}

/* Whether refinement, if any, fell short, and not because of rows proven contradictory. */
static int may_be_noise(const saddle_solver_call *call, ldlt_state *s,
                        const saddle__refined *refined)
{
    return call->options->max_refinements > 0 && s->least < safe_epsilon &&
           refined->error > SADDLE__HALF_DIGITS && has_grown(s);
}

/* Where the second factorization fails, because values overflow, the first answer and factor stay.
 */
static saddle_status second_try(saddle_solver_call *call, ldlt_state *s,
                                const saddle_problem *problem, saddle_solution *solution,
                                saddle__refined *refined)
{
    saddle_status status = factor_safely(call, s, problem);
    if (status == SADDLE_SINGULAR) {
        status = factor_regularly(call, s, problem);
        return status == SADDLE_OK ? SADDLE_NOT_CONVERGED : status;
    }
    if (status == SADDLE_OK) status = estimate(call, s);
    if (status == SADDLE_OK)
        status = saddle__refine_again(&s->refinement, problem, call, correct, s, s->kept, solution,
                                      refined);
    return status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

static saddle_status conclude(saddle_solver_call *call, ldlt_state *s,
                              const saddle_problem *problem, const saddle_solution *solution,
                              const saddle__refined *refined)
{
    note_threads(call);
    note_vanished(s, problem, call->report);
    note_zero_diagonal(s, problem, refined, call->report);
    saddle__note_inertia(call->report, problem);
    return saddle__refined_conclude(&s->refinement, problem, call, correct, s, solution, refined);
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    ldlt_state *s = memory;
    saddle__refined refined;
    const size_t note = strlen(call->report->note);
    saddle_status status = saddle__refine(&s->refinement, problem, call, correct, s, solution,
                                          &refined);
    if (status == SADDLE_OK) status = conclude(call, s, problem, solution, &refined);
    if (status == SADDLE_NOT_CONVERGED && may_be_noise(call, s, &refined)) {
        status = second_try(call, s, problem, solution, &refined);
        if (status == SADDLE_OK) {
            call->report->note[note] = '\0'; /* in the place of the first outcome's */
            status = conclude(call, s, problem, solution, &refined);
        }
    }
    if (was_slow(call->report->refinements)) s->unproven = s->how != SADDLE__PATIENT;
    return status;
}

#define FACTORIZATION_WORD(name, word) word,
static const char *const factorizations[] = {SADDLE_FACTORIZATION_LIST(FACTORIZATION_WORD) NULL};
#undef FACTORIZATION_WORD

static const char *const precisions[] = {"double", "single", NULL};

static const saddle_setting settings[] = {
    {.name = "factorization",
     .kind = SADDLE_SETTING_WORD,
     .offset = offsetof(ldlt_settings, factorization),
     .words = factorizations,
     .summary = "our supernodal LDL' (default), CHOLMOD's, MUMPS', or UMFPACK's or KLU's LU"},
    {.name = "precision",
     .kind = SADDLE_SETTING_WORD,
     .offset = offsetof(ldlt_settings, precision),
     .words = precisions,
     .summary =
         "of the factors: double (default), or single by the simplicial LDL'; refined in double"},
    {.name = NULL},
};

const saddle_solver_type saddle__solver_ldlt = {
    .name = "ldlt",
    .summary = "sparse LDL' of the KKT matrix, refined; equality rows, M and R symmetric",
    .rows = SADDLE_ROWS_EQUALITY,
    .matrices = SADDLE_MATRICES_SYMMETRIC,
    .state_size = sizeof(ldlt_state),
    .settings = settings,
    .settings_size = sizeof(ldlt_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
