/* SPDX-License-Identifier: MIT */
/* pivot: block principal pivoting with the system factored once; rows with bounds take part from
 * the first violation of their laws.  The machine is mlcp.h; here are the choice of the operator,
 * the proximal steps for a singular M, and the solver's table.
 *
 * The operator.  W is formed where there are no velocities, or where every velocity is coupled to
 * few others, as in rigid bodies: W then has few entries.  For a mesh, W of many rows is dense, and
 * rows are cheaper in the KKT factor.  Contacts and unsymmetric matrices leave columns of W,
 * computed when a row first enters the basis; of few unknowns they have the most digits where
 * equations depend on each other.
 *
 * A singular M with null vectors held by rows with bounds alone, or by nothing: proximal steps on
 * the velocities,
 *
 *     (M + D) v - J'lambda = f + D c
 *
 *     D = delta s    s_j the natural size of M_jj
 *     c              v of the step before
 *
 * Together with the steps on the rows (mlcp.h) these are the proximal point iteration of the whole
 * monotone problem (Rockafellar, SIAM J. Control Optim. 14, 1976).  M + D is regular.  Along null
 * vectors of M held by rows, a step leaves nothing of the error in v, and delta of the error in
 * lambda.
 *
 * Where nothing holds the null vectors, v - c tends to the shortest motion z that D allows (Pazy,
 * Israel J. Math. 9, 1971): M z = 0, J z within the freedom of the bounds, f'z > 0.  The motion is
 * offered as a certificate. */
#include <math.h>
#include <string.h>

#include "active/active_rows.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "builtin.h"
#include "capability.h"
#include "certify.h"
#include "mlcp/mlcp.h"
#include "problem/problem_internal.h"
#include "problem/kkt.h"
#include "problem/verdict.h"
#include "refine.h"
#include "regularization.h"

/* Unknowns up to which columns are taken; velocities coupled to a velocity of a rigid body or
 * particle. */
enum { FEW_UNKNOWNS = 150, MOST_COUPLED = 12 };

/* delta of the proximal steps on the velocities, in order, until one solves */
static const double level[] = {1e-5, 1e-2, 1e-8};

/* ---- the operator: rows in the KKT factor ---- */

/* The rows of the KKT system in its sparse factor:
 *
 *     [ M    J_F' ] [  v        ]   [ f + J_B'lambda_B           ]   F the equations and basic rows
 *     [ J_F  -R-E ] [ -lambda_F ] = [ b_F + E c_F - R_FB lambda_B ]   B the rows at a bound
 *
 *     w = J v + (R + E) lambda - E c - b
 *
 * c the impulses of the step before.  M may be singular where the equations hold it.  A row that
 * enters is put into the factor, or the matrix is factored again (lib/active).  Each solve is
 * refined until its backward error is rounding; one correction by a residual in twice the working
 * precision measures the digits of w, and more corrections follow where the digits are few. */
typedef struct factor_rows {
    saddle_context *context;
    int64_t n, m;
    const saddle_problem *problem; /* of the call at hand, borrowed */
    saddle__layout layout;
    saddle__mlcp_rows rows;
    saddle__active_rows *active;
    saddle__regularization natural;
    signed char *bounded;          /* m: rows free to leave F */
    signed char *in;               /* m: rows of F */
    saddle__active_change *change; /* m */
    double *added;                 /* n + m: diagonal of velocities without mass */
    double *kept;                  /* n + m: -E */
    double *centre;                /* m: c */
    double *x;                     /* n + m: v and lambda of the last solve */
    double *r;                     /* n + m */
    double *held;                  /* m: lambda_B */
    double *modulus;               /* m: of the terms of w */
    saddle__twofold *sum;          /* n + m */
    int factored;                  /* with the present E */
    int solved;                    /* x holds a solution */
    double digits;                 /* relative error of w before correction; negative: unknown */
    int64_t corrections;           /* since create */
    int64_t inexact;               /* solves above rounding, since create */
} factor_rows;

static void clear_factor_rows(void *user)
{
    factor_rows *s = user;
    saddle_context *context = s->context;
    saddle__active_rows_free(s->active);
    saddle__regularization_clear(&s->natural);
    saddle__layout_clear(context, &s->rows.layout);
    saddle__layout_clear(context, &s->layout);
    saddle_release(context, s);
}

static saddle_status factor_set(factor_rows *s)
{
    saddle__active_values values = {.added = s->added,
                                    .kept = s->kept,
                                    .rule = {.sign = s->natural.sign,
                                             .scale = s->natural.scale,
                                             .smallest = SADDLE__VANISHED_PIVOT,
                                             .replacement = SADDLE__PIVOT_REPLACEMENT}};
    saddle_status status = saddle__active_rows_factor(s->active, s->problem, &values, s->in);
    s->factored = status == SADDLE_OK;
    return status;
}

static void refresh(void *user, const saddle_matrix *W)
{
    factor_rows *s = user;
    (void)W;
    for (int64_t i = 0; i < s->m; i++)
        s->kept[s->n + i] = s->rows.step[i] > 0.0 ? -s->rows.E[i] : -s->rows.size[i];
    s->digits = -1.0;
    s->factored = 0;
}

/* Factors the equations and the basic rows of the end of the last solve. */
static saddle_status factor_problem(void *user, const saddle_solver_call *call,
                                    const saddle_problem *problem, double epsilon)
{
    factor_rows *s = user;
    s->problem = problem;
    s->solved = 0;
    saddle__regularization_measure(&s->natural, problem, SADDLE__PIVOT_REPLACEMENT, 0);
    memcpy(s->added, s->natural.added, (size_t)s->n * sizeof *s->added);
    saddle__mlcp_rows_measure(&s->rows, problem, s->natural.scale + s->n);
    saddle__mlcp_set_epsilon(&s->rows, epsilon);
    refresh(s, NULL);
    saddle_status status = factor_set(s);
    int64_t at = s->active->counts.factor.failed_column;
    return status == SADDLE_SINGULAR ? saddle__singular_at(call, problem, at) : status;
}

static saddle_status enter(void *user, const signed char *state)
{
    factor_rows *s = user;
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        saddle__active_change change = {.row = i,
                                        .in = !s->bounded[i] | (state[i] == SADDLE__BASIC)};
        s->change[count] = change;
        count += s->in[i] != change.in;
        s->in[i] = (signed char)change.in;
    }
    if (!s->factored) return factor_set(s);
    saddle_status status = saddle__active_rows_change(s->active, count, s->change);
    s->factored = status == SADDLE_OK;
    return status;
}

/* w (m) = J v + (R + E) lambda - E c - b, and s->modulus of its terms */
static void form_slack(factor_rows *s, const double *x, double *w)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    const saddle_matrix *R = &s->problem->R;
    const double *lambda = x + s->n;
    for (int64_t i = 0; i < s->m; i++) {
        double b = s->problem->b ? s->problem->b[i] : 0.0;
        double E = s->rows.E[i];
        w[i] = E * (lambda[i] - s->centre[i]) - b;
        s->modulus[i] = E * (fabs(lambda[i]) + fabs(s->centre[i])) + fabs(b);
        for (int64_t k = Jt->start ? Jt->start[i] : 0; Jt->start && k < Jt->start[i + 1]; k++) {
            double term = Jt->value[k] * x[Jt->index[k]];
            w[i] += term;
            s->modulus[i] += fabs(term);
        }
    }
    for (int64_t j = 0; R->start && j < s->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            double term = R->value[k] * lambda[j];
            double mirrored = i != j ? R->value[k] * lambda[i] : 0.0;
            w[i] += term;
            w[j] += mirrored;
            s->modulus[i] += fabs(term);
            s->modulus[j] += fabs(mirrored);
        }
}

/* x <- the right-hand side; s->held <- lambda_B */
static void load_sides(factor_rows *s, const signed char *state, const double *lambda)
{
    const saddle_problem *problem = s->problem;
    int held = 0;
    for (int64_t j = 0; j < s->n; j++) s->x[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < s->m; i++) {
        double b = problem->b ? problem->b[i] : 0.0;
        s->held[i] = state[i] == SADDLE__BASIC ? 0.0 : lambda[i];
        held |= s->held[i] != 0.0;
        s->x[s->n + i] = s->in[i] ? -s->kept[s->n + i] * s->centre[i] + b : 0.0;
    }
    if (held && saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, s->held, 1.0, s->x);
    if (held && saddle_matrix_entries(&problem->R) > 0)
        saddle_matrix_apply(&problem->R, -1.0, s->held, 1.0, s->x + s->n);
}

/* r <- the right-hand side less the system times x, in twice the working precision; 0 in rows that
 * are out */
static void form_residual(factor_rows *s)
{
    const saddle_problem *problem = s->problem;
    const double *lambda = s->x + s->n;
    saddle__twofold_set(s->n, problem->f, s->sum);
    saddle__twofold_set(s->m, problem->b, s->sum + s->n);
    saddle__twofold_add(&problem->M, -1.0, s->x, s->sum);
    saddle__twofold_add(&problem->R, -1.0, lambda, s->sum + s->n);
    saddle__twofold_add_both(&problem->Jt, 1.0, lambda, s->sum, -1.0, s->x, s->sum + s->n);
    for (int64_t j = 0; j < s->n; j++) s->r[j] = saddle__twofold_value(s->sum[j]);
    for (int64_t i = 0; i < s->m; i++)
        s->r[s->n + i] = s->in[i] ? saddle__twofold_value(s->sum[s->n + i]) -
                                        s->kept[s->n + i] * (s->centre[i] - lambda[i])
                                  : 0.0;
}

static saddle_status solve_active(factor_rows *s, double *x)
{
    saddle_status status = saddle__active_rows_solve(s->active, x);
    s->inexact += status == SADDLE_NOT_CONVERGED;
    return status == SADDLE_NOT_CONVERGED ? SADDLE_OK : status;
}

/* x and w corrected; *error: the largest change of w over its terms.  before (m): scratch. */
static saddle_status correct_once(factor_rows *s, const signed char *state, double *w,
                                  double *before, double *error)
{
    form_residual(s);
    saddle_status status = solve_active(s, s->r);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] != SADDLE__BASIC) s->r[s->n + i] = 0.0; /* impulses at bounds stay */
    for (int64_t k = 0; k < s->n + s->m; k++) s->x[k] += s->r[k];
    if (s->m > 0) memcpy(before, w, (size_t)s->m * sizeof *w);
    form_slack(s, s->x, w);
    *error = 0.0;
    for (int64_t i = 0; i < s->m; i++)
        if (fabs(w[i] - before[i]) > *error * s->modulus[i])
            *error = fabs(w[i] - before[i]) / s->modulus[i];
    s->corrections++;
    return SADDLE_OK;
}

static saddle_status solve_rows(void *user, const signed char *state, const double *q,
                                double *lambda, double *w, double *noise)
{
    factor_rows *s = user;
    (void)q; /* -b - E c */
    load_sides(s, state, lambda);
    saddle_status status = solve_active(s, s->x);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < s->m; i++)
        if (state[i] != SADDLE__BASIC) s->x[s->n + i] = s->held[i];
    if (!saddle__is_finite(s->x, s->n + s->m)) return SADDLE_NOT_CONVERGED;
    form_slack(s, s->x, w);
    double left = s->digits;
    for (int k = 0;
         k < SADDLE__MOST_CORRECTIONS && !(left >= 0.0 && left <= SADDLE__PRODUCT_ROUNDING); k++) {
        double error;
        status = correct_once(s, state, w, noise, &error);
        if (status != SADDLE_OK) return status;
        if (k == 0) s->digits = error;
        left = error * error;
    }
    if (!saddle__is_finite(s->x, s->n + s->m)) return SADDLE_NOT_CONVERGED;
    for (int64_t i = 0; i < s->m; i++) {
        noise[i] = (SADDLE__SUM_ROUNDING + 4.0 * left) * s->modulus[i];
        if (state[i] == SADDLE__BASIC) lambda[i] = s->x[s->n + i];
    }
    s->solved = 1;
    return SADDLE_OK;
}

static saddle_status begin_step(void *user, const saddle_problem *problem,
                                const saddle_solver_call *call, const double *lambda,
                                const double *v)
{
    factor_rows *s = user;
    (void)call;
    (void)v;
    s->problem = problem;
    s->digits = -1.0;
    for (int64_t i = 0; i < s->m; i++) {
        s->centre[i] = lambda[i];
        s->rows.q[i] = (problem->b ? -problem->b[i] : 0.0) - s->rows.E[i] * lambda[i];
    }
    return SADDLE_OK;
}

static saddle_status take_velocity(void *user, const saddle_problem *problem, double *lambda,
                                   double *v)
{
    factor_rows *s = user;
    (void)problem;
    (void)lambda;
    for (int64_t j = 0; s->solved && j < s->n; j++) v[j] = s->x[j];
    return SADDLE_OK;
}

static saddle__mlcp_counts count_work(const void *user)
{
    const factor_rows *s = user;
    saddle__active_counts active = s->active->counts;
    saddle__mlcp_counts c = {.factorizations = active.factorizations,
                             .corrections = active.corrections + s->corrections,
                             .inexact = s->inexact,
                             .factor = active.factor};
    return c;
}

static saddle_status make_factor_rows(saddle_context *context, factor_rows *s)
{
    const saddle__array arrays[] = {
        SADDLE__ARRAY(s->centre, s->m),      SADDLE__ARRAY(s->held, s->m),
        SADDLE__ARRAY(s->modulus, s->m),     SADDLE__ARRAY(s->added, s->n + s->m),
        SADDLE__ARRAY(s->kept, s->n + s->m), SADDLE__ARRAY(s->x, s->n + s->m),
        SADDLE__ARRAY(s->r, s->n + s->m),    SADDLE__ARRAY(s->bounded, s->m),
        SADDLE__ARRAY(s->in, s->m),          SADDLE__ARRAY(s->change, s->m),
        SADDLE__ARRAY(s->sum, s->n + s->m)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status create_factor_rows(saddle_context *context, const saddle_problem *problem,
                                        const saddle_options *options,
                                        const saddle__mlcp_settings *settings,
                                        saddle__mlcp_system *system)
{
    factor_rows *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    s->context = context;
    s->n = problem->n;
    s->m = problem->m;
    saddle__mlcp_system table = {
        .user = s,
        .kind = SADDLE__MLCP_FACTOR,
        .rows = &s->rows,
        .basis = {.user = s, .enter = enter, .solve = solve_rows, .refresh = refresh},
        .factor = factor_problem,
        .begin = begin_step,
        .velocity = take_velocity,
        .counts = count_work,
        .clear = clear_factor_rows};
    *system = table;
    saddle_status status = make_factor_rows(context, s);
    if (status == SADDLE_OK)
        status = saddle__mlcp_rows_create(context, problem, s->m, NULL, settings->lagged_friction,
                                          &s->rows);
    if (status == SADDLE_OK) status = saddle__regularization_create(context, problem, &s->natural);
    if (status != SADDLE_OK) return status;
    saddle__find_bounded(problem, s->bounded);
    saddle__regularization_measure(&s->natural, problem, options->regularization, 0);
    saddle__active_request request = {.toggles = s->bounded,
                                      .late = s->natural.weak,
                                      .ordering = options->ordering,
                                      .threads = options->threads};
    status = saddle__active_rows_create(context, problem, &request, &s->active);
    if (status != SADDLE_OK) return status;
    system->bounded = s->bounded;
    system->may_search = !s->rows.normal;
    return SADDLE_OK;
}

/* ---- the state of the solver ---- */

typedef struct mass {
    saddle__layout layout;
    saddle_problem problem;         /* M + D and f + D c; all else borrowed */
    saddle__kkt shifted;            /* M + D */
    saddle__regularization natural; /* s */
    saddle__mlcp_shift shift;
    double *f, *D, *moved; /* n: of shift */
    double *start;         /* n + m: the solution as given */
    saddle__mlcp mlcp;     /* of `problem` */
    int made;
} mass;

typedef struct pivot_state {
    saddle__mlcp mlcp;
    mass mass;       /* where M turns out to be singular */
    int is_singular; /* M is unsymmetric and could not be factored: only the mass steps can solve */
} pivot_state;

static void clear_mass(mass *s, saddle_context *context)
{
    saddle__kkt_clear(&s->shifted);
    saddle__regularization_clear(&s->natural);
    saddle__mlcp_clear(&s->mlcp);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

static void clear(void *memory, saddle_context *context)
{
    pivot_state *s = memory;
    saddle__mlcp_clear(&s->mlcp);
    clear_mass(&s->mass, context);
}

/* ---- the choice of the operator ---- */

static int has_massless_velocities(const saddle_problem *problem)
{
    for (int64_t j = 0; j < problem->n; j++)
        if (saddle_matrix_entry(&problem->M, j, j) == 0.0) return 1;
    return 0;
}

/* Every column of M has few entries, all near its diagonal: blocks of rigid bodies. */
static int is_of_bodies(const saddle_problem *problem)
{
    const saddle_matrix *M = &problem->M;
    for (int64_t j = 0; j < problem->n; j++) {
        if (M->start[j + 1] - M->start[j] > MOST_COUPLED) return 0;
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->index[k] - j > MOST_COUPLED || j - M->index[k] > MOST_COUPLED) return 0;
    }
    return 1;
}

static saddle_status create_machine(saddle_context *context, const saddle_problem *problem,
                                    const saddle_options *options,
                                    const saddle__mlcp_settings *settings, saddle__mlcp *s)
{
    int symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    int factor_can = symmetric && (problem->contact_count == 0 || settings->lagged_friction);
    int asked = settings->basis;
    if (asked == SADDLE_BASIS_FACTOR && !factor_can)
        return saddle_fail(context, SADDLE_UNSUPPORTED, "pivot: basis 'factor' needs %s",
                           symmetric ? "problems without contacts" : "a symmetric M and R");
    int best = asked == SADDLE_BASIS_BEST && !has_massless_velocities(problem);
    saddle__mlcp_create_system *create = create_factor_rows;
    if (problem->n == 0)
        create = saddle__delassus_create;
    else if (asked == SADDLE_BASIS_COLUMNS || !factor_can ||
             (best && problem->n + problem->m <= FEW_UNKNOWNS))
        create = saddle__columns_create;
    else if (best && is_of_bodies(problem))
        create = saddle__delassus_create;
    saddle_status status = create(context, problem, options, settings, &s->system);
    return status == SADDLE_OK ? saddle__mlcp_create(context, problem, s) : status;
}

/* ---- a singular M ---- */

static saddle_status make_arrays(saddle_context *context, mass *s, int64_t n, int64_t m)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(s->f, n), SADDLE__ARRAY(s->D, n),
                                    SADDLE__ARRAY(s->moved, n), SADDLE__ARRAY(s->start, n + m)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static double error_of(const saddle_solver_call *call, const saddle_problem *problem,
                       const saddle_solution *x)
{
    return saddle__error_of(saddle_solver_measure(call, problem, x->v, x->lambda),
                            call->options->tolerance);
}

static void borrow(mass *s, const saddle_problem *problem)
{
    s->problem = *problem;
    s->problem.M = s->shifted.K;
    s->problem.f = s->f;
    s->problem.owner = 0;
}

/* M without rows. */
static saddle_problem mass_of(const saddle_problem *problem)
{
    return (saddle_problem){.n = problem->n, .M = problem->M};
}

static void set_shift(mass *s, const saddle_problem *problem, double delta)
{
    saddle_problem M = mass_of(problem);
    saddle__regularization_measure(&s->natural, problem, delta, 0);
    for (int64_t j = 0; j < problem->n; j++) s->D[j] = delta * s->natural.scale[j];
    saddle__kkt_refresh(&s->shifted, &M, s->D);
    borrow(s, problem);
    s->shift = (saddle__mlcp_shift){.given = problem, .D = s->D, .f = s->f, .moved = s->moved};
    s->mlcp.shift = &s->shift;
}

static saddle_status make(mass *s, const saddle_solver_call *call, const saddle_problem *problem)
{
    saddle_context *context = call->context;
    saddle_problem M = mass_of(problem);
    saddle_status status = make_arrays(context, s, problem->n, problem->m);
    if (status == SADDLE_OK) status = saddle__kkt_create(context, &M, 0, &s->shifted);
    if (status == SADDLE_OK) status = saddle__regularization_create(context, problem, &s->natural);
    if (status != SADDLE_OK) return status;
    set_shift(s, problem, level[0]);
    return create_machine(context, &s->problem, call->options, call->settings, &s->mlcp);
}

static void report_steps(const saddle_report *of_steps, saddle_report *report, const char *reason,
                         int64_t steps)
{
    report->iterations += of_steps->iterations;
    report->pivots += of_steps->pivots;
    report->factorizations += of_steps->factorizations;
    report->refinements += of_steps->refinements;
    if (report->peak_bytes < of_steps->peak_bytes) report->peak_bytes = of_steps->peak_bytes;
    report->switches.regularized++;
    saddle__report_note(report, "%s, %lld proximal steps on the velocities", reason,
                        (long long)steps);
}

/* From v = 0 and lambda = 0.  SADDLE_NOT_CONVERGED: also where M + D is singular by rounding. */
static saddle_status take_steps(mass *s, const saddle_solver_call *call,
                                const saddle_problem *problem, double delta,
                                saddle_solution *solution)
{
    set_shift(s, problem, delta);
    saddle__zero(solution->v, problem->n);
    saddle__zero(solution->lambda, problem->m);
    saddle_status status = saddle__mlcp_factor(&s->mlcp, call, &s->problem);
    if (status == SADDLE_SINGULAR) return SADDLE_NOT_CONVERGED;
    if (status != SADDLE_OK) return status;
    return saddle__mlcp_solve(&s->mlcp, call, &s->problem, solution);
}

static saddle_status take_levels(mass *s, const saddle_solver_call *call,
                                 const saddle_problem *problem, saddle_solution *solution,
                                 int64_t *steps)
{
    saddle_status status = SADDLE_NOT_CONVERGED;
    *steps = 0;
    saddle__copy(s->start, solution->v, problem->n);
    saddle__copy(s->start + problem->n, solution->lambda, problem->m);
    for (size_t k = 0; k < sizeof level / sizeof *level; k++) {
        status = take_steps(s, call, problem, level[k], solution);
        *steps += s->mlcp.taken;
        if (status != SADDLE_NOT_CONVERGED) break;
    }
    return status;
}

/* reason: for the note.  solution: the best iterate out where the error is within the tolerance,
 * else as given; at a stop or the time limit the better of both.  SADDLE_OK; SADDLE_SINGULAR:
 * unbounded, the motion is offered and proven; SADDLE_NOT_CONVERGED; a status of the machine.
 * Allocates in the first call and where a certificate is offered. */
static saddle_status solve_with_mass(mass *s, const saddle_solver_call *call,
                                     const saddle_problem *problem, const char *reason,
                                     saddle_solution *solution)
{
    saddle_report report = {0};
    saddle_solver_call own = *call;
    double error = error_of(call, problem, solution);
    own.report = &report;
    int64_t steps;
    saddle_status status = s->made ? SADDLE_OK : make(s, &own, problem);
    s->made = status >= 0;
    if (!s->made) {
        clear_mass(s, call->context);
        return status;
    }
    status = take_levels(s, &own, problem, solution, &steps);
    report_steps(&report, call->report, reason, steps);
    if (status <= SADDLE_OK || status == SADDLE_INFEASIBLE) return status;
    int ended = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
    if (ended && s->mlcp.error < error) return status;
    saddle__copy(solution->v, s->start, problem->n);
    saddle__copy(solution->lambda, s->start + problem->n, problem->m);
    return ended ? status : SADDLE_NOT_CONVERGED;
}

/* ---- the solver ---- */

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    pivot_state *s = memory;
    return create_machine(call->context, problem, call->options, call->settings, &s->mlcp);
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
    int symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    int pivoted = s->mlcp.system.kind == SADDLE__MLCP_COLUMNS && !symmetric;
    s->is_singular = status == SADDLE_SINGULAR && problem->n > 0 &&
                     (pivoted || s->mlcp.system.kind == SADDLE__MLCP_FORMED);
    if (s->is_singular) return SADDLE_OK;
    return status == SADDLE_OK ? check_inertia(call, problem, s) : status;
}

static int is_overgrown(const saddle_solver_call *call, const saddle_problem *problem,
                        const saddle_solution *solution)
{
    return saddle_residual_is_overgrown(saddle_solver_measure(call, problem, solution->v,
                                                              solution->lambda),
                                        call->options->tolerance);
}

/* Why proximal steps on the velocities may mend an insufficient answer; NULL: they cannot. */
static const char *reason_for_mass(const pivot_state *s, const saddle_solver_call *call,
                                   const saddle_problem *problem, const saddle_solution *solution,
                                   saddle_status status)
{
    saddle__factor_counts counts = s->mlcp.system.counts(s->mlcp.system.user).factor;
    int unsolved = status == SADDLE_NOT_CONVERGED || status == SADDLE_ITERATION_LIMIT;
    int grown = status == SADDLE_OK && s->mlcp.growth > 1.0 / SADDLE__HALF_DIGITS;
    if (problem->n == 0 || call->options->max_iterations > 0) return NULL;
    if (unsolved && has_massless_velocities(problem)) return "velocities without mass";
    if (unsolved && (counts.perturbed_pivots > 0 || counts.least_pivot < SADDLE__SUSPECT_PIVOT))
        return "vanishing pivots of M or of the equations";
    return (unsolved || grown) && is_overgrown(call, problem, solution)
               ? "impulses outgrow the data"
               : NULL;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    pivot_state *s = memory;
    if (s->is_singular) {
        saddle_status status = solve_with_mass(&s->mass, call, problem, "M singular", solution);
        return status == SADDLE_NOT_CONVERGED ? SADDLE_SINGULAR : status;
    }
    saddle_status status = saddle__mlcp_solve(&s->mlcp, call, problem, solution);
    const char *reason = reason_for_mass(s, call, problem, solution, status);
    return reason ? solve_with_mass(&s->mass, call, problem, reason, solution) : status;
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
