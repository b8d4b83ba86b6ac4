/* SPDX-License-Identifier: MIT */
/* The equations eliminated, for few rows C with bounds and contacts; E the equality rows:
 *
 *     A = [ M + T   J_E'     ]      B = [ J_C' ]      W = R_CC + B'A^-1 B
 *         [ J_E    -R_EE - T ]          [ 0    ]
 *
 * A is factored L D L' with B carried along (ldlt/complement.h); no column of A^-1 B is computed.
 * T, half the digits of the natural sizes, is what the factor needs where M or R is singular
 * (regularization.h).  In rounds, from the answer at hand,
 *
 *     (v, -lambda_E) += A^-1 (f + J'lambda - M v, b_E - J_E v - R_EE lambda_E)
 *     0 = velocities:    w_C(x) = w_C + W (x - lambda_C),   w_C = J_C v + R_CC lambda_C - b_C
 *
 * the second a problem in x = lambda_C alone, solved from lambda_C by the solver that the caller
 * has created where it condenses (saddle_solver_type.condenses), else by auto's chain; the first
 * before and after.  T vanishes at a fixed point: rounds are those of the proximal point method
 * (Rockafellar, SIAM J. Control Optim. 14, 1976) and divide the error by about 1 / T where W is
 * monotone.
 *
 * The checker weighs errors of the whole problem by M's diagonal, those of the condensed problem by
 * W's: a round that does not divide the error by ten is followed by one to a tenth of its
 * tolerance, down to rounding; then the solve ends unsolved. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "admm/newton.h"
#include "builtin.h"
#include "ldlt/complement.h"
#include "member.h"
#include "problem/problem_internal.h"
#include "problem/kkt.h"
#include "problem/verdict.h"
#include "regularization.h"
#include "verdict.h"

/* ---- state ---- */

typedef struct condensed {
    int64_t n, m;
    int64_t count;        /* rows of C */
    int64_t equations;    /* rows of E */
    int64_t *row;         /* m: rows of C, then rows of E, each ascending */
    int64_t *place;       /* m: position of row i in `row` */
    signed char *bounded; /* m: rows of C */
    saddle_problem inner; /* M, J_E', R_EE; M borrowed */
    saddle__kkt A;
    saddle__regularization T;
    saddle__ldlt *factors; /* of A */
    saddle_matrix B;       /* (n + equations) x count */
    saddle_matrix R;       /* R_CC */
    saddle__ldlt_complement *complement;
    saddle_matrix W;
    saddle_problem reduced; /* of C: R = W, borrowed; arrays in `layout` */
    saddle_solution answer; /* its own */
    saddle__member solver;  /* of the reduced problem */
    saddle_checker checker;
    saddle_report report;
    saddle_options options;
    size_t note;                     /* length of the report's note before the solver's */
    char factored[SADDLE_NOTE_SIZE]; /* the solver's note before a solve */
    double *r;                       /* n + equations */
    double *w;                       /* m */
    saddle__layout layout;
} condensed;

static void clear(void *memory, saddle_context *context)
{
    condensed *s = memory;
    saddle__member_release(&s->solver, context);
    saddle__checker_clear(context, &s->checker);
    saddle__ldlt_complement_free(s->complement);
    saddle__ldlt_free(s->factors);
    saddle__kkt_clear(&s->A);
    saddle__regularization_clear(&s->T);
    saddle_matrix *const matrices[] = {&s->inner.Jt, &s->inner.R, &s->B, &s->R, &s->W};
    for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++)
        saddle_matrix_clear(matrices[k]);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

/* The call for the solver of the reduced problem. */
static saddle_solver_call call_of(const saddle_solver_call *call, condensed *s)
{
    saddle_solver_call own = saddle__member_call(call, &s->solver);
    own.options = &s->options;
    own.report = &s->report;
    own.checker = &s->checker;
    return own;
}

/* The work of the solver since the last call; its name and its note are the report's. */
static void report_work(saddle_report *report, condensed *s)
{
    saddle_report *own = &s->report;
    report->note[s->note] = '\0';
    if (own->note[0]) saddle__report_note(report, "%s", own->note);
    memcpy(report->solver, own->solver, sizeof report->solver);
    report->iterations += own->iterations;
    own->iterations = 0;
    saddle__report_move_counts(report, own);
}

/* ---- analyse ---- */

static saddle_status make_arrays(saddle_context *context, condensed *s,
                                 const saddle_problem *problem)
{
    saddle_problem *q = &s->reduced;
    const saddle__array arrays[] = {SADDLE__ARRAY(q->b, s->count),
                                    SADDLE__ARRAY(q->lo, s->count),
                                    SADDLE__ARRAY(q->hi, s->count),
                                    SADDLE__ARRAY(s->answer.lambda, s->count),
                                    SADDLE__ARRAY(s->answer.w, s->count),
                                    SADDLE__ARRAY(q->contacts, problem->contact_count),
                                    SADDLE__ARRAY(s->row, s->m),
                                    SADDLE__ARRAY(s->place, s->m),
                                    SADDLE__ARRAY(s->bounded, s->m),
                                    SADDLE__ARRAY(s->w, s->m),
                                    SADDLE__ARRAY(s->r, s->n + s->equations)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static void sort_rows(condensed *s, const saddle_problem *problem)
{
    int64_t next[2] = {s->count, 0};
    saddle__find_bounded(problem, s->bounded);
    for (int64_t i = 0; i < s->m; i++) {
        s->place[i] = next[s->bounded[i]]++;
        s->row[s->place[i]] = i;
    }
}

/* to <- the columns `from` .. of A in the order of s->row; of a square matrix the rows too.  The
 * pattern is the same in each call. */
static void select_columns(const condensed *s, const saddle_matrix *A, int64_t from, int square,
                           saddle_matrix *to)
{
    int64_t fill = 0;
    for (int64_t k = 0; A->start && k < to->cols; k++) {
        int64_t j = s->row[from + k];
        for (int64_t t = A->start[j]; t < A->start[j + 1]; t++) {
            to->index[fill] = square ? s->place[A->index[t]] - from : A->index[t];
            to->value[fill++] = A->value[t];
        }
        to->start[k + 1] = fill;
    }
}

/* Room for them. */
static saddle_status make_columns(saddle_context *context, const condensed *s,
                                  const saddle_matrix *A, int64_t from, int64_t count, int64_t rows,
                                  saddle_matrix *to)
{
    int64_t entries = 0;
    if (saddle_matrix_entries(A) == 0) return SADDLE_OK;
    for (int64_t k = from; k < from + count; k++)
        entries += A->start[s->row[k] + 1] - A->start[s->row[k]];
    return saddle_matrix_create(context, rows, count, entries, A->symmetry, to);
}

static void take_matrices(condensed *s, const saddle_problem *problem)
{
    s->inner.M = problem->M;
    select_columns(s, &problem->Jt, 0, 0, &s->B);
    select_columns(s, &problem->Jt, s->count, 0, &s->inner.Jt);
    select_columns(s, &problem->R, 0, 1, &s->R);
    select_columns(s, &problem->R, s->count, 1, &s->inner.R);
}

static saddle_status make_matrices(saddle_context *context, condensed *s,
                                   const saddle_problem *problem)
{
    int64_t c = s->count, e = s->equations;
    s->inner.n = s->n;
    s->inner.m = e;
    saddle_status status = make_columns(context, s, &problem->Jt, 0, c, s->n + e, &s->B);
    if (status == SADDLE_OK)
        status = make_columns(context, s, &problem->Jt, c, e, s->n, &s->inner.Jt);
    if (status == SADDLE_OK) status = make_columns(context, s, &problem->R, 0, c, c, &s->R);
    if (status == SADDLE_OK) status = make_columns(context, s, &problem->R, c, e, e, &s->inner.R);
    if (status == SADDLE_OK) take_matrices(s, problem);
    if (status == SADDLE_OK) status = saddle__kkt_create(context, &s->inner, 0, &s->A);
    return status == SADDLE_OK ? saddle__regularization_create(context, &s->inner, &s->T) : status;
}

static saddle_status analyse_factors(const saddle_solver_call *call, condensed *s)
{
    saddle_context *context = call->context;
    const saddle__ldlt_complement_request all = {0};
    saddle__regularization_measure(&s->T, &s->inner, 0.0, 0);
    saddle__ldlt_request request = {.ordering = call->options->ordering,
                                    .late = s->T.weak,
                                    .threads = call->options->threads};
    saddle_status status = saddle__ldlt_analyse(context, &s->A.K, &request, &s->factors);
    if (status == SADDLE_OK)
        status = saddle__ldlt_complement_analyse(context, s->factors, &s->B, &s->R, &all,
                                                 &s->complement, &s->W);
    return status;
}

static void take_vectors(condensed *s, const saddle_problem *problem)
{
    saddle_problem *q = &s->reduced;
    q->m = s->count;
    q->R = saddle_matrix_view(s->count, s->count, s->W.start, s->W.index, s->W.value,
                              SADDLE_SYMMETRY_LOWER);
    q->law = problem->law;
    q->facets = problem->facets;
    q->contact_count = problem->contact_count;
    for (int64_t i = 0; i < s->count; i++) {
        q->lo[i] = saddle_problem_lo(problem, s->row[i]);
        q->hi[i] = saddle_problem_hi(problem, s->row[i]);
    }
    for (int64_t c = 0; c < problem->contact_count; c++) {
        q->contacts[c] = problem->contacts[c];
        q->contacts[c].row = s->place[problem->contacts[c].row];
    }
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    condensed *s = memory;
    saddle_context *context = call->context;
    s->n = problem->n;
    s->m = problem->m;
    s->equations = saddle_problem_count_rows(problem).equality;
    s->answer.m = s->count = s->m - s->equations;
    s->options = *call->options;
    saddle_status status = make_arrays(context, s, problem);
    if (status != SADDLE_OK) return status;
    sort_rows(s, problem);
    status = make_matrices(context, s, problem);
    if (status == SADDLE_OK) status = analyse_factors(call, s);
    if (status != SADDLE_OK) return status;
    take_vectors(s, problem);
    status = saddle__checker_create(context, &s->reduced, &s->checker);
    if (status != SADDLE_OK) return status;
    const int is_named = call->type && call->type->condenses;
    s->solver.type = is_named ? call->type : &saddle__solver_chain;
    memcpy(s->report.solver, call->report->solver, sizeof s->report.solver);
    if (is_named)
        saddle__report_note(call->report, "%lld rows after the equations are eliminated",
                            (long long)s->count);
    saddle_solver_call own = call_of(call, s);
    status = saddle__member_analyse(&own, &s->solver, &s->reduced);
    saddle__ldlt_size size = saddle__ldlt_size_of(s->factors);
    call->report->flops = size.flops + saddle__ldlt_complement_size_of(s->complement).flops;
    s->note = strlen(call->report->note);
    if (s->report.note[0]) saddle__report_note(call->report, "%s", s->report.note);
    return status;
}

/* ---- factor ---- */

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    condensed *s = memory;
    saddle__factor_counts counts = {0};
    take_matrices(s, problem);
    saddle__regularization_measure(&s->T, &s->inner, SADDLE__HALF_DIGITS, 0);
    saddle__kkt_refresh(&s->A, &s->inner, s->T.added);
    saddle__pivot_rule rule = {.sign = s->T.sign,
                               .scale = s->T.scale,
                               .smallest = SADDLE__VANISHED_PIVOT};
    saddle_status status = saddle__ldlt_factor(s->factors, &s->A.K, &rule, &counts);
    call->report->factorizations++;
    call->report->flops = counts.flops + saddle__ldlt_complement_size_of(s->complement).flops;
    call->report->factor_entries = counts.entries;
    call->report->perturbed_pivots = counts.perturbed_pivots;
    if (call->report->peak_bytes < counts.peak_bytes) call->report->peak_bytes = counts.peak_bytes;
    if (status != SADDLE_OK) return status;
    SADDLE__TRY(saddle__ldlt_complement_form(s->complement, &s->B, &s->R, 1.0, &s->W));
    saddle_solver_call own = call_of(call, s);
    s->solver.factored = 0;
    status = saddle__member_factor(&own, &s->solver, &s->reduced);
    memcpy(s->factored, s->report.note, sizeof s->factored);
    return status;
}

/* ---- solve ---- */

/* (v, -lambda_E) for the impulses of C at hand; then w, without the laws. */
static void correct(condensed *s, const saddle_problem *p, saddle_solution *x)
{
    double *right = s->r, *gap = s->r + s->n;
    for (int64_t j = 0; j < s->n; j++) right[j] = p->f ? p->f[j] : 0.0;
    saddle_matrix_apply(&p->M, -1.0, x->v, 1.0, right);
    saddle_matrix_apply(&p->Jt, 1.0, x->lambda, 1.0, right);
    saddle__row_slack(p, NULL, x->v, x->lambda, s->w);
    for (int64_t k = 0; k < s->equations; k++) gap[k] = -s->w[s->row[s->count + k]];
    saddle__ldlt_solve(s->factors, SADDLE__LDLT_WHOLE, 1, s->r, s->n + s->equations);
    for (int64_t j = 0; j < s->n; j++) x->v[j] += right[j];
    for (int64_t k = 0; k < s->equations; k++) x->lambda[s->row[s->count + k]] -= gap[k];
    saddle__row_slack(p, NULL, x->v, x->lambda, s->w);
}

/* The solver's answer, from that at hand. */
static saddle_status solve_reduced(saddle_solver_call *call, condensed *s, saddle_solution *x)
{
    saddle_solver_call own = call_of(call, s);
    saddle_certificate none = {0}; /* of rows without velocities: it proves nothing of the whole */
    own.certificate = &none;
    for (int64_t i = 0; i < s->count; i++) {
        s->answer.lambda[i] = x->lambda[s->row[i]];
        s->reduced.b[i] = -s->w[s->row[i]];
    }
    saddle_matrix_apply(&s->W, 1.0, s->answer.lambda, 1.0, s->reduced.b);
    saddle__checker_begin(&s->checker, &s->reduced);
    memcpy(s->report.note, s->factored, sizeof s->factored);
    saddle_status status = s->solver.type->solve(&own, s->solver.state, &s->reduced, &s->answer);
    saddle_certificate_clear(&none);
    report_work(call->report, s);
    for (int64_t i = 0; status >= 0 && i < s->count; i++)
        x->lambda[s->row[i]] = s->answer.lambda[i];
    return status;
}

/* A row of E has bounds now: the rows are sorted anew. */
static saddle_status begin_again(saddle_solver_call *call, condensed *s,
                                 const saddle_problem *problem)
{
    clear(s, call->context);
    saddle_status status = analyse(call, s, problem);
    return saddle__goes_on(status) ? factor(call, s, problem) : status;
}

/* 1: a row of E has bounds now. */
static int has_changed(const condensed *s, const saddle_problem *problem)
{
    for (int64_t k = s->count; k < s->m; k++)
        if (saddle_problem_bound_kind(problem, s->row[k]) != SADDLE_ROW_EQUALITY) return 1;
    return 0;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    condensed *s = memory;
    double tolerance = call->options->tolerance, error = (double)INFINITY;
    if (has_changed(s, problem)) {
        saddle_status status = begin_again(call, s, problem);
        if (!saddle__goes_on(status)) return status;
    }
    s->options = *call->options;
    call->report->iterations = call->report->pivots = 0;
    take_vectors(s, problem);
    while (s->options.tolerance >= SADDLE__ROUNDING) {
        double before = error;
        correct(s, problem, solution);
        saddle_status status = solve_reduced(call, s, solution);
        if (status < 0) return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_NOT_CONVERGED;
        correct(s, problem, solution);
        error = saddle__error_of(saddle_solver_measure(call, problem, solution->v,
                                                       solution->lambda),
                                 tolerance);
        if (error <= tolerance) return SADDLE_OK;
        if (status != SADDLE_OK) return status == SADDLE_INFEASIBLE ? SADDLE_NOT_CONVERGED : status;
        if (!(error <= 0.1 * before)) s->options.tolerance *= 0.1;
    }
    return SADDLE_NOT_CONVERGED;
}

const saddle_solver_type saddle__solver_condensed = {
    .name = "condensed",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC,
    .state_size = sizeof(condensed),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
