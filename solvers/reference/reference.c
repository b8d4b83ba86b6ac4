/* SPDX-License-Identifier: MIT */
/* See saddle/reference.h.
 *
 * The unknowns are (v, -lambda), so that K = [M J'; J -R]; the equations of rows are in states.h.
 *
 * Matrices and vectors of equations are scaled by D, the powers of two nearest to the natural sizes
 * to the -1/2; all norms are maximum norms of scaled vectors.
 */
#include "saddle/reference.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "factor/factorization.h"
#include "matrix/twofold.h"
#include "problem/kkt.h"
#include "problem/problem_internal.h"
#include "rank/modular.h"
#include "reference/least.h"
#include "reference/states.h"
#include "refine.h"
#include "regularization.h"
#include "saddle/rank.h"

enum { STEPS_AT_MOST = 100 };

/* Certified: the bound over the size. */
static const double goal = 1e-25;
/* Rounding of sums in 106 bits, with a margin for many terms. */
static const double twin_rounding = 1e-30;

/* ---- the work ---- */

typedef struct norms {
    double v, lambda;
} norms;

typedef struct work {
    saddle_context *context;
    const saddle_problem *problem; /* M and R with lower triangles where symmetric */
    saddle_reference *reference;
    saddle__folded folded;
    saddle__kkt kkt;
    saddle__regularization natural;
    saddle_matrix lawful; /* K with the equations of laws */
    saddle_matrix *K;     /* kkt.K or lawful: in the present states, scaled */
    saddle__factorization *factors;
    saddle__layout layout;
    saddle__states rows;
    saddle__twofold *rv, *rw; /* n, m: f - M v + J'lambda, b - J v - R lambda */
    double *unit;             /* n + m: D */
    double *d;                /* n + m: a step, scaled */
    double *more;             /* 2 (n + m): scratch */
    norms size, error;        /* of v and lambda, and bounds of their errors, scaled */
    norms first, last;        /* steps, scaled */
    norms moved;              /* by changes of 1 in the data, scaled */
} work;

static saddle_status make_arrays(saddle_context *context, work *at)
{
    const int64_t n = at->problem->n, m = at->problem->m;
    const saddle__array arrays[] = {SADDLE__ARRAY(at->rv, n),
                                    SADDLE__ARRAY(at->rw, m),
                                    SADDLE__ARRAY(at->unit, n + m),
                                    SADDLE__ARRAY(at->d, n + m),
                                    SADDLE__ARRAY(at->more, 2 * (n + m)),
                                    SADDLE__ARRAY(at->rows.w_error, m),
                                    SADDLE__ARRAY(at->rows.state, m),
                                    SADDLE__ARRAY(at->rows.side, m),
                                    SADDLE__ARRAY(at->rows.old, m),
                                    SADDLE__ARRAY(at->rows.old_side, m)};
    return saddle__layout_make(context, &at->layout, arrays, SADDLE__LENGTH(arrays));
}

static void clear(work *at)
{
    saddle__folded_clear(&at->folded);
    saddle__kkt_clear(&at->kkt);
    saddle__regularization_clear(&at->natural);
    saddle_matrix_clear(&at->lawful);
    saddle__factorization_free(at->factors);
    saddle__layout_clear(at->context, &at->layout);
}

/* rv, rw and w at the present v and lambda. */
static void measure(work *at)
{
    const saddle_problem *problem = at->problem;
    saddle_reference *r = at->reference;
    const double *v[] = {r->v, r->v_low}, *lambda[] = {r->lambda, r->lambda_low};
    saddle__twofold_set(problem->n, problem->f, at->rv);
    saddle__twofold_set(problem->m, problem->b, at->rw);
    for (int k = 0; k < 2; k++) {
        saddle__twofold_add(&problem->M, -1.0, v[k], at->rv);
        saddle__twofold_add(&problem->R, -1.0, lambda[k], at->rw);
        saddle__twofold_add_both(&problem->Jt, 1.0, lambda[k], at->rv, -1.0, v[k], at->rw);
    }
    for (int64_t i = 0; i < problem->m; i++) {
        const saddle__twin w = saddle__twin_sum(-at->rw[i].high, -at->rw[i].low);
        r->w[i] = w.high;
        r->w_low[i] = w.low;
    }
}

/* ---- the matrix ---- */

/* Rows and columns of SADDLE__FIXED rows: zero but for the diagonal. */
static void fix_rows(work *at)
{
    saddle_matrix *K = &at->kkt.K;
    const int64_t n = at->problem->n;
    for (int64_t j = 0; j < K->cols; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            const int64_t i = K->index[k];
            const int fixed = (i >= n && at->rows.state[i - n] == SADDLE__FIXED) ||
                              (j >= n && at->rows.state[j - n] == SADDLE__FIXED);
            if (fixed) K->value[k] = i == j ? -at->natural.scale[i] : 0.0;
        }
}

/* *T: 1 on the diagonal, G_w in the blocks of contacts with SADDLE__LAW rows; *A: -G_lambda there.
 */
static saddle_status make_blocks(work *at, saddle_matrix *T, saddle_matrix *A)
{
    const saddle_problem *problem = at->problem;
    const int64_t n = problem->n, N = n + problem->m;
    int64_t entries = N, t = 0, a = 0, next = 0;
    for (int64_t c = 0; c < problem->contact_count; c++)
        entries += problem->contacts[c].size * problem->contacts[c].size;
    saddle_status status = saddle_matrix_create(at->context, N, N, entries, SADDLE_SYMMETRY_NONE,
                                                T);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(at->context, N, N, entries, SADDLE_SYMMETRY_NONE, A);
    if (status) return status;
    saddle__equations e;
    for (int64_t j = 0; j < N; j++) {
        const saddle_contact *contact = j < n ? NULL : saddle__contact_of(problem, j - n, &next);
        T->start[j] = t;
        A->start[j] = a;
        if (!contact || !saddle__states_have_law(&at->rows, contact)) {
            T->index[t] = j;
            T->value[t++] = 1.0;
            continue;
        }
        const int64_t row = contact->row;
        if (j - n == row) saddle__states_equations(&at->rows, contact, &e);
        for (int i = 0; i < contact->size; i++) {
            T->index[t] = A->index[a] = n + row + i;
            T->value[t++] = e.by_w[i][j - n - row];
            A->value[a++] = -e.by_lambda[i][j - n - row];
        }
    }
    T->start[N] = t;
    A->start[N] = a;
    return SADDLE_OK;
}

/* lawful <- T K + A */
static saddle_status apply_laws(work *at)
{
    saddle_matrix T = {0}, A = {0}, product = {0};
    saddle_status status = make_blocks(at, &T, &A);
    if (status == SADDLE_OK) status = saddle_matrix_multiply(at->context, &T, &at->kkt.K, &product);
    if (status == SADDLE_OK)
        status = saddle_matrix_add(at->context, 1.0, &product, 1.0, &A, &at->lawful);
    saddle_matrix_clear(&T);
    saddle_matrix_clear(&A);
    saddle_matrix_clear(&product);
    return status;
}

/* K in the present states.  general: both triangles, for a factorization with pivoting. */
static saddle_status form(work *at, int general)
{
    int64_t laws = 0;
    for (int64_t i = 0; i < at->problem->m; i++) laws += at->rows.state[i] == SADDLE__LAW;
    saddle__kkt_clear(&at->kkt);
    saddle_matrix_clear(&at->lawful);
    saddle_status status = saddle__kkt_create(at->context, at->problem, general || laws > 0,
                                              &at->kkt);
    if (status) return status;
    saddle__kkt_refresh(&at->kkt, at->problem, at->natural.added);
    fix_rows(at);
    at->K = laws > 0 ? &at->lawful : &at->kkt.K;
    if (laws > 0) status = apply_laws(at);
    if (status) return status;
    for (int64_t j = 0; j < at->K->cols; j++)
        for (int64_t k = at->K->start[j]; k < at->K->start[j + 1]; k++)
            at->K->value[k] = at->K->value[k] * at->unit[j] * at->unit[at->K->index[k]];
    return SADDLE_OK;
}

/* Symmetric matrices L D L', others L U.  more: what is added to the diagonal, scaled. */
static saddle_status factor_matrix(work *at, const saddle_matrix *K)
{
    const int symmetric = K->symmetry == SADDLE_SYMMETRY_LOWER;
    const char *name = saddle__factorization_name(NULL, SADDLE_FACTORIZATION_DEFAULT, !symmetric);
    const saddle__pivot_rule rule = {.sign = at->natural.sign,
                                     .smallest = SADDLE__VANISHED_PIVOT,
                                     .replacement = SADDLE__PIVOT_REPLACEMENT,
                                     .added = at->more};
    saddle__factorization_free(at->factors);
    at->factors = NULL;
    saddle_status status = saddle__factorization_create(at->context, name, SADDLE_ORDERING_BEST,
                                                        &at->factors);
    if (status == SADDLE_OK)
        status = saddle__factorization_analyse_late(at->factors, K,
                                                    (const signed char *)at->natural.weak, NULL);
    return status == SADDLE_OK ? saddle__factorization_factor_by(at->factors, K, &rule) : status;
}

/* K; null pivots are counted. */
static saddle_status factor(work *at)
{
    const int64_t N = at->problem->n + at->problem->m;
    const int symmetric = at->K->symmetry == SADDLE_SYMMETRY_LOWER;
    for (int64_t i = 0; i < N; i++) at->more[i] = at->natural.added[i] * at->unit[i] * at->unit[i];
    const saddle_status status = factor_matrix(at, at->K);
    if (status) return status;
    const saddle__factor_counts counts = saddle__factorization_counts(at->factors);
    if (symmetric && counts.inertia.known) at->reference->null_pivots = counts.inertia.zero;
    return SADDLE_OK;
}

/* ---- refinement ---- */

/* Infinite where an entry is not finite. */
static norms scaled_norms(const work *at, const double *d)
{
    const int64_t n = at->problem->n, N = n + at->problem->m;
    norms size = {0.0, 0.0};
    if (!saddle__is_finite(d, N)) return (norms){(double)INFINITY, (double)INFINITY};
    for (int64_t j = 0; j < n; j++) size.v = fmax(size.v, fabs(d[j]));
    for (int64_t i = n; i < N; i++) size.lambda = fmax(size.lambda, fabs(d[i]));
    return size;
}

/* At least: of v, the velocity that f alone brings to a mass; of lambda, rounding in double
 * precision of the rows' terms as measured last. */
static norms size_of(const work *at)
{
    const saddle_reference *r = at->reference;
    const double *f = at->problem->f, *unit = at->unit + r->n;
    norms size = {0.0, 0.0};
    for (int64_t j = 0; j < r->n; j++)
        size.v = fmax(size.v,
                      fmax(fabs(r->v[j]) / at->unit[j], f ? fabs(f[j]) * at->unit[j] : 0.0));
    for (int64_t i = 0; i < r->m; i++)
        size.lambda = fmax(size.lambda, fmax(fabs(r->lambda[i]) / unit[i],
                                             SADDLE__ROUNDING * at->rw[i].modulus * unit[i]));
    return size;
}

/* d <- -F(x), scaled */
static void residual(work *at)
{
    const saddle_problem *problem = at->problem;
    const int64_t n = problem->n;
    measure(at);
    for (int64_t j = 0; j < n; j++) at->d[j] = saddle__twofold_value(at->rv[j]);
    for (int64_t i = 0; i < problem->m; i++)
        at->d[n + i] = at->rows.state[i] == SADDLE__FREE ? -at->reference->w[i] : 0.0;
    for (int64_t c = 0; c < problem->contact_count; c++) {
        saddle__equations e;
        if (!saddle__states_have_law(&at->rows, &problem->contacts[c])) continue;
        saddle__states_equations(&at->rows, &problem->contacts[c], &e);
        for (int i = 0; i < problem->contacts[c].size; i++)
            at->d[n + problem->contacts[c].row + i] = -e.G[i];
    }
    for (int64_t i = 0; i < n + problem->m; i++) at->d[i] *= at->unit[i];
}

/* x <- x + d */
static void move(work *at)
{
    saddle_reference *r = at->reference;
    const int64_t n = r->n;
    for (int64_t j = 0; j < n; j++) {
        const saddle__twin v = saddle__twin_add((saddle__twin){r->v[j], r->v_low[j]},
                                                saddle__twin_of(at->unit[j] * at->d[j]));
        r->v[j] = v.high;
        r->v_low[j] = v.low;
    }
    for (int64_t i = 0; i < r->m; i++)
        if (at->rows.state[i] != SADDLE__FIXED)
            saddle__set_lambda(r, i,
                               saddle__twin_add(saddle__lambda_of(r, i),
                                                saddle__twin_of(-at->unit[n + i] * at->d[n + i])));
}

/* One of v and lambda: the ratio of two steps above rounding, kept at its largest.  1: only
 * rounding is left. */
static int watch(work *at, double step, double before, double size)
{
    const double rounding = fmax(goal, twin_rounding * fmin(at->reference->condition,
                                                            1.0 / SADDLE__SUSPECT_PIVOT)) *
                            size;
    if (before > rounding)
        at->reference->contraction = fmax(at->reference->contraction, step / before);
    return step <= 1e-4 * goal * size || (step <= rounding && step > 0.5 * before);
}

/* K anew at the present point, where equations of laws are not linear and the steps not small. */
static saddle_status follow(work *at, norms step, int general)
{
    if (at->K != &at->lawful) return SADDLE_OK;
    if (step.v <= SADDLE__HALF_DIGITS * at->size.v &&
        step.lambda <= SADDLE__HALF_DIGITS * at->size.lambda)
        return SADDLE_OK;
    measure(at);
    saddle_status status = form(at, general);
    return status == SADDLE_OK ? factor(at) : status;
}

/* Steps until rounding; first and last. */
static saddle_status refine(work *at, int general)
{
    saddle_reference *r = at->reference;
    norms before = {0.0, 0.0};
    r->contraction = 0.0;
    saddle_status status = saddle__factorization_condition(at->factors, at->K, NULL, 0.0, at->more,
                                                           &r->condition);
    for (r->steps = 0; status == SADDLE_OK && r->steps < STEPS_AT_MOST; r->steps++) {
        residual(at);
        status = saddle__factorization_solve(at->factors, at->d);
        if (status) return status;
        const norms step = scaled_norms(at, at->d);
        at->last = step;
        if (!isfinite(step.v + step.lambda)) r->contraction = (double)INFINITY;
        if (r->contraction > 2.0) return SADDLE_OK;
        move(at);
        at->size = size_of(at);
        if (r->steps == 0) at->first = step;
        const int v_done = watch(at, step.v, before.v, at->size.v);
        const int rows_done = watch(at, step.lambda, before.lambda, at->size.lambda);
        if (v_done && rows_done && r->steps > 0) return SADDLE_OK;
        before = step;
        status = follow(at, step, general);
    }
    return status;
}

/* ---- bounds, and the states ---- */

/* moved and sensitivity: max |K^-1 (z t)| over drawn signs z, t the moduli of the equations' terms
 */
static saddle_status measure_sensitivity(work *at)
{
    const int64_t n = at->problem->n, m = at->problem->m;
    const double most = fmax(at->size.v, at->size.lambda);
    at->moved = (norms){0.0, 0.0};
    uint64_t bits = 1;
    at->reference->sensitivity = 0.0;
    for (int draw = 0; draw < 24 && most > 0.0; draw++) {
        for (int64_t i = 0; i < n + m; i++) {
            bits = bits * 6364136223846793005u + 1442695040888963407u;
            const double t = i < n ? at->rv[i].modulus : at->rw[i - n].modulus;
            const int zero = i >= n && at->rows.state[i - n] == SADDLE__FIXED;
            at->d[i] = zero ? 0.0 : (bits >> 63 ? t : -t) * at->unit[i];
        }
        const saddle_status status = saddle__factorization_solve(at->factors, at->d);
        if (status) return status;
        const norms y = scaled_norms(at, at->d);
        at->moved = (norms){fmax(at->moved.v, y.v), fmax(at->moved.lambda, y.lambda)};
    }
    if (most > 0.0) at->reference->sensitivity = fmax(at->moved.v, at->moved.lambda) / most;
    return SADDLE_OK;
}

/* size, error, w_error and rows_scale.  No bound is below the effect of rounding in the residuals.
 */
static void bound_errors(work *at)
{
    const saddle_problem *problem = at->problem;
    const saddle_matrix *Jt = &problem->Jt, *R = &problem->R;
    saddle_reference *r = at->reference;
    const double factor = 10.0 / (1.0 - fmin(r->contraction, 0.99)), *unit = at->unit + problem->n;
    at->error.v = fmax(factor * at->last.v, twin_rounding * fmax(at->moved.v, at->size.v));
    at->error.lambda = fmax(factor * at->last.lambda,
                            twin_rounding * fmax(at->moved.lambda, at->size.lambda));
    if (at->last.lambda > goal * at->size.lambda)
        at->error.v = fmax(at->error.v,
                           sqrt(SADDLE__PIVOT_REPLACEMENT * at->last.lambda * at->first.lambda));
    at->rows.lambda_size = at->size.lambda;
    at->rows.lambda_error = at->error.lambda;
    at->rows.rows_scale = 0.0;
    for (int64_t i = 0; i < problem->m; i++) {
        at->rows.w_error[i] = twin_rounding * at->rw[i].modulus * unit[i];
        double terms = at->rw[i].modulus * unit[i];
        for (int64_t k = Jt->start ? Jt->start[i] : 0; Jt->start && k < Jt->start[i + 1]; k++) {
            const int64_t j = Jt->index[k];
            const double scaled = fabs(Jt->value[k]) * at->unit[j] * unit[i];
            at->rows.w_error[i] += scaled * at->error.v;
            if (problem->f) terms += scaled * at->unit[j] * fabs(problem->f[j]);
        }
        at->rows.rows_scale = fmax(at->rows.rows_scale, terms);
    }
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            const double part = fabs(R->value[k]) * unit[j] * unit[R->index[k]] * at->error.lambda;
            at->rows.w_error[R->index[k]] += part;
            if (R->symmetry == SADDLE_SYMMETRY_LOWER && R->index[k] != j)
                at->rows.w_error[j] += part;
        }
}

/* ---- the solution's error ---- */

/* One component: x given, x* = high + low, scaled by unit; error: of x*, scaled. */
static void compare(saddle_reference_error *to, int64_t i, double x, saddle__twin reference,
                    double unit, double error)
{
    const double off = fabs((x - reference.high) - reference.low), size = fabs(reference.high);
    to->largest = fmax(to->largest, off * unit);
    if (size == 0.0 && reference.low == 0.0) return;
    if (size * unit < error / (0.1 * SADDLE__SUM_ROUNDING)) {
        to->unresolved++;
    } else if (to->component < 0 || off / size > to->worst) {
        to->worst = off / size;
        to->component = i;
    }
}

static void finish_error(saddle_reference_error *to, double size, double error)
{
    to->size = size;
    to->bound = size > 0.0 ? error / size : isfinite(error) ? 0.0 : error;
    to->largest = !isfinite(error) ? error : size > 0.0 ? to->largest / size : to->largest;
}

static void compare_all(work *at, const saddle_solution *solution)
{
    saddle_reference *r = at->reference;
    const int64_t n = r->n;
    double most = 0.0;
    r->velocity = r->impulse = r->slack = (saddle_reference_error){.component = -1};
    for (int64_t j = 0; j < n; j++)
        compare(&r->velocity, j, solution->v[j], (saddle__twin){r->v[j], r->v_low[j]},
                1.0 / at->unit[j], at->error.v);
    for (int64_t i = 0; i < r->m; i++)
        compare(&r->impulse, i, solution->lambda[i], saddle__lambda_of(r, i), 1.0 / at->unit[n + i],
                at->error.lambda);
    for (int64_t i = 0; i < r->m; i++) {
        if (at->rows.state[i] == SADDLE__FREE) r->w[i] = r->w_low[i] = 0.0;
        most = fmax(most, at->rows.state[i] == SADDLE__FREE ? 0.0 : at->rows.w_error[i]);
        if (solution->w)
            compare(&r->slack, i, solution->w[i], saddle__w_of(r, i), at->unit[n + i],
                    at->rows.w_error[i]);
    }
    finish_error(&r->velocity, at->size.v, at->error.v);
    finish_error(&r->impulse, at->size.lambda, at->error.lambda);
    finish_error(&r->slack, at->rows.rows_scale, most);
}

/* ---- statistics ---- */

static saddle_status measure_rank(work *at)
{
    saddle_reference *r = at->reference;
    saddle_rank rank = {0};
    r->equalities = saddle_problem_count_rows(at->problem).equality;
    r->separation = 1.0;
    if (r->equalities == 0) return SADDLE_OK;
    saddle_status status = saddle_rank_find(at->context, at->problem, NULL, &rank);
    r->rank = rank.rank;
    r->separation = rank.separation;
    saddle_rank_clear(&rank);
    return status;
}

/* ---- the rounds ---- */

/* Fast enough that the last step bounds the error. */
static int converges(const saddle_reference *r)
{
    return r->contraction <= 0.9;
}

/* How K is factored: L D L' of a symmetric K, regularized where its diagonal is zero; else L U; L U
 * regularized everywhere. */
enum { SYMMETRICALLY, BY_PIVOTS, REGULARIZED, WAYS };

static saddle_status solve_by(work *at, int way)
{
    saddle__regularization_measure(&at->natural, at->problem, SADDLE__PIVOT_REPLACEMENT,
                                   way == REGULARIZED);
    saddle_status status = form(at, way != SYMMETRICALLY);
    if (status == SADDLE_OK) status = factor(at);
    return status == SADDLE_OK ? refine(at, way != SYMMETRICALLY) : status;
}

/* Refinement in the present states; the next way where one does not converge. */
static saddle_status solve_states(work *at)
{
    saddle_status status = SADDLE_OK;
    at->reference->null_pivots = -1;
    for (int way = SYMMETRICALLY; way < WAYS; way++) {
        status = solve_by(at, way);
        if (status && status != SADDLE_SINGULAR) return status;
        if (status == SADDLE_OK && converges(at->reference) &&
            at->reference->condition < saddle__singular_condition)
            break;
    }
    if (status) return status;
    measure(at);
    status = measure_sensitivity(at);
    if (status) return status;
    bound_errors(at);
    saddle__states_judge(&at->rows);
    return SADDLE_OK;
}

static void begin(work *at, const saddle_solution *solution)
{
    saddle_reference *r = at->reference;
    saddle__copy(r->v, solution->v, r->n);
    saddle__copy(r->lambda, solution->lambda, r->m);
    measure(at);
    (void)saddle__states_find(&at->rows);
    r->changed = 0;
}

static saddle_status solve_rounds(work *at, const saddle_solution *solution)
{
    begin(at, solution);
    for (int round = 0;; round++) {
        const saddle_status status = solve_states(at);
        if (status || at->rows.contradicted == 0 || round == 10 || saddle__states_find(&at->rows))
            return status;
    }
}

/* ---- least norm ---- */

static void say(saddle_reference *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->note, sizeof r->note, format, arguments);
    va_end(arguments);
}

typedef struct least_work {
    saddle_matrix K, shifted; /* scaled, in the present states; K + delta S */
    signed char *sign;        /* n + m: S; 0 = SADDLE__FIXED */
    saddle__twin *b, *x;      /* n + m, scaled */
    double *before;           /* 2 n + 2 m: v, v_low, lambda, lambda_low, to come back to */
    saddle__layout layout;
} least_work;

static void clear_least(work *at, least_work *l)
{
    saddle_matrix_clear(&l->K);
    saddle_matrix_clear(&l->shifted);
    saddle__layout_clear(at->context, &l->layout);
}

/* What a reference has of v and lambda: arrays side by side (prepare). */
static int64_t length_of(const saddle_reference *r)
{
    return 2 * (r->n + r->m);
}

/* K without regularization, and with one of delta in every diagonal entry.  Velocities have one
 * sign: the iteration ends at the least norm where M is positive semidefinite (is_least). */
static saddle_status form_least(work *at, least_work *l)
{
    const int64_t n = at->problem->n, N = n + at->problem->m;
    saddle__kkt_refresh(&at->kkt, at->problem, NULL);
    fix_rows(at);
    saddle_status status = saddle_matrix_copy(at->context, &at->kkt.K, &l->K);
    const saddle__array arrays[] = {SADDLE__ARRAY(l->sign, N), SADDLE__ARRAY(l->b, N),
                                    SADDLE__ARRAY(l->x, N),
                                    SADDLE__ARRAY(l->before, length_of(at->reference))};
    if (status == SADDLE_OK)
        status = saddle__layout_make(at->context, &l->layout, arrays, SADDLE__LENGTH(arrays));
    if (status) return status;
    saddle__copy(l->before, at->reference->v, length_of(at->reference));
    for (int64_t i = 0; i < N; i++) {
        const int fixed = i >= n && at->rows.state[i - n] == SADDLE__FIXED;
        l->sign[i] = (signed char)(fixed ? 0 : i < n ? 1 : -1);
    }
    for (int64_t j = 0; j < N; j++)
        for (int64_t k = l->K.start[j]; k < l->K.start[j + 1]; k++)
            l->K.value[k] = l->K.value[k] * at->unit[j] * at->unit[l->K.index[k]];
    SADDLE__TRY(saddle_matrix_copy(at->context, &l->K, &l->shifted));
    for (int64_t j = 0; j < N; j++)
        for (int64_t k = l->K.start[j]; k < l->K.start[j + 1]; k++)
            if (l->K.index[k] == j) l->shifted.value[k] += SADDLE__PIVOT_REPLACEMENT * l->sign[j];
    return SADDLE_OK;
}

/* b, with the impulses of SADDLE__FIXED rows on the right-hand side. */
static void form_rhs(work *at, least_work *l)
{
    saddle_reference *r = at->reference;
    const int64_t n = r->n;
    for (int64_t j = 0; j < n; j++) r->v[j] = r->v_low[j] = 0.0;
    for (int64_t i = 0; i < r->m; i++)
        if (at->rows.state[i] != SADDLE__FIXED) r->lambda[i] = r->lambda_low[i] = 0.0;
    measure(at);
    for (int64_t i = 0; i < n + r->m; i++) {
        const saddle__twofold sum = i < n ? at->rv[i] : at->rw[i - n];
        const int fixed = i >= n && at->rows.state[i - n] == SADDLE__FIXED;
        l->b[i] = fixed ? saddle__twin_of(0.0)
                        : saddle__twin_scale(saddle__twin_sum(sum.high, sum.low), at->unit[i]);
    }
}

/* x* <- x, or as before. */
static void take_least(work *at, const least_work *l, int taken)
{
    saddle_reference *r = at->reference;
    if (!taken) saddle__copy(r->v, l->before, length_of(r));
    for (int64_t j = 0; taken && j < r->n; j++) {
        r->v[j] = at->unit[j] * l->x[j].high;
        r->v_low[j] = at->unit[j] * l->x[j].low;
    }
    for (int64_t i = 0; taken && i < r->m; i++)
        if (at->rows.state[i] != SADDLE__FIXED)
            saddle__set_lambda(r, i, saddle__twin_scale(l->x[r->n + i], -at->unit[r->n + i]));
    measure(at);
    for (int64_t i = 0; i < r->m; i++)
        if (at->rows.state[i] == SADDLE__FREE) r->w[i] = r->w_low[i] = 0.0;
}

/* The part of x* - x that lies in the null space of K, over |x*|. */
static double find_excess(const work *at, const least_work *l)
{
    const saddle_reference *r = at->reference;
    double off = 0.0, size = 0.0;
    for (int64_t j = 0; j < r->n; j++) {
        off = fmax(off, fabs(l->before[j] - r->v[j]) / at->unit[j]);
        size = fmax(size, fabs(r->v[j]) / at->unit[j]);
    }
    for (int64_t i = 0; i < r->m; i++) {
        off = fmax(off, fabs(l->before[2 * r->n + i] - r->lambda[i]) / at->unit[r->n + i]);
        size = fmax(size, fabs(r->lambda[i]) / at->unit[r->n + i]);
    }
    return size > 0.0 ? off / size : off;
}

/* Of x* of least norm, over its size.  Rounding leaves along the null space what the smallest
 * singular value, delta over the contraction, lets through. */
static double least_bound(const saddle__least *found)
{
    const double rounding = fmax(10.0, found->contraction / SADDLE__PIVOT_REPLACEMENT);
    const double step = found->size > 0.0 ? found->last / found->size : 0.0;
    return 10.0 / (1.0 - found->contraction) * step + twin_rounding * rounding;
}

static void bound_least(work *at, double bound)
{
    saddle_reference *r = at->reference;
    at->size = size_of(at);
    at->error.v = fmax(r->certified ? at->error.v : 0.0, bound * at->size.v);
    at->error.lambda = fmax(at->error.lambda, bound * at->size.lambda);
    at->rows.lambda_size = at->size.lambda;
    at->rows.lambda_error = at->error.lambda;
    r->velocity.size = at->size.v;
    r->impulse.size = at->size.lambda;
    r->velocity.bound = at->size.v > 0.0 ? at->error.v / at->size.v : 0.0;
    r->impulse.bound = at->size.lambda > 0.0 ? at->error.lambda / at->size.lambda : 0.0;
}

/* Vanished pivots of K without regularization: one for each dimension of the null space. */
static saddle_status count_null_pivots(work *at, const least_work *l)
{
    for (int64_t i = 0; i < l->K.rows; i++) at->more[i] = 0.0;
    const saddle_status status = factor_matrix(at, &l->K);
    if (status) return status;
    at->reference->null_pivots = saddle__factorization_counts(at->factors).perturbed_pivots;
    return SADDLE_OK;
}

/* 1: x is the solution of least norm, to a bound that rounding reaches by less than 1e-21: the null
 * space is that of the exact matrix, the steps have converged, and the pivots of velocities and
 * rows have their signs; without rows, those of the null space are about delta, and count as 0. */
static int is_least(const work *at, const least_work *l, const saddle__least *found)
{
    const saddle_reference *r = at->reference;
    const saddle__factor_counts counts = saddle__factorization_counts(at->factors);
    int64_t positive = 0;
    for (int64_t i = 0; i < l->K.rows; i++) positive += l->sign[i] > 0;
    return found->contraction <= 0.9 && least_bound(found) <= 1e-21 &&
           r->nullity == r->null_pivots && counts.inertia.known &&
           counts.inertia.positive + (r->m == 0 ? counts.inertia.zero : 0) == positive;
}

/* K singular, symmetric and without laws: x* of least norm in place of the one next to the given
 * solution, where it can be certified. */
static saddle_status find_least(work *at)
{
    saddle_reference *r = at->reference;
    least_work l = {.sign = NULL};
    saddle__least found = {0};
    const int64_t N = r->n + r->m;
    if (at->K != &at->kkt.K) return SADDLE_OK;
    saddle__regularization_measure(&at->natural, at->problem, SADDLE__PIVOT_REPLACEMENT, 0);
    int64_t rank = -1;
    saddle_status status = form(at, 0);
    if (status == SADDLE_OK && at->K->symmetry == SADDLE_SYMMETRY_LOWER)
        status = form_least(at, &l);
    if (status == SADDLE_OK && l.sign) status = count_null_pivots(at, &l);
    if (status == SADDLE_OK && l.sign)
        status = saddle__rank_modular(at->context, &l.K, 200000000, &rank);
    r->nullity = rank < 0 ? -1 : N - rank;
    if (status == SADDLE_OK && r->nullity > 0 && r->nullity == r->null_pivots) {
        const saddle_reference before = *r;
        for (int64_t i = 0; i < N; i++) at->more[i] = SADDLE__PIVOT_REPLACEMENT * l.sign[i];
        form_rhs(at, &l);
        status = factor_matrix(at, &l.shifted);
        if (status == SADDLE_OK)
            status = saddle__least_norm(at->context, &l.K, l.sign, SADDLE__PIVOT_REPLACEMENT,
                                        at->factors, l.b, l.x, &found);
        int taken = status == SADDLE_OK && is_least(at, &l, &found);
        take_least(at, &l, taken);
        if (taken) {
            r->excess = find_excess(at, &l);
            bound_least(at, least_bound(&found));
            saddle__states_judge(&at->rows);
            taken = at->rows.contradicted == 0;
        }
        if (status == SADDLE_OK && !taken) take_least(at, &l, 0);
        if (!taken) *r = before;
        r->least_norm = taken;
        if (taken) r->certified = 1;
        if (taken)
            say(r,
                "certified; K is singular, by its exact rank: v and lambda are of least norm, good "
                "to %.1e",
                fmax(r->velocity.bound, r->impulse.bound));
        if (status == SADDLE_SINGULAR) status = SADDLE_OK;
    }
    clear_least(at, &l);
    return status;
}

/* ---- the verdict ---- */

static int is_singular(const saddle_reference *r)
{
    return r->nullity >= 0 ? r->nullity > 0 : r->rank < r->equalities || r->null_pivots > 0;
}

/* 1: no rows, and refinement converges.  Velocities are then not unique: of all solutions only that
 * of least norm can be certified. */
static int is_unheld(const work *at)
{
    return at->problem->m == 0 && converges(at->reference);
}

/* What is not unique where K is singular. */
static const char *freedom(const work *at)
{
    const saddle_reference *r = at->reference;
    if (!is_singular(r)) return "";
    return at->problem->m > 0 ? "; redundant rows: the impulses are one solution of many"
                              : "; K is singular: x* is one solution of many";
}

static void give_verdict(work *at)
{
    saddle_reference *r = at->reference;
    char row[128] = "";
    double bound = fmax(r->velocity.bound, r->slack.bound);
    if (!is_singular(r)) bound = fmax(bound, r->impulse.bound);
    r->certified = converges(r) && at->rows.contradicted == 0 && bound <= goal;
    if (at->rows.contradicted > 0)
        saddle_problem_describe_row(at->problem, at->rows.wrong_row, row, sizeof row);
    if (r->certified && r->weak > 0)
        say(r, "certified; %lld rows or contacts are degenerate: either state solves%s",
            (long long)r->weak, freedom(at));
    else if (r->certified)
        say(r, "certified%s", freedom(at));
    else if (!converges(r))
        say(r,
            "not certified: refinement does not converge, K is singular or nearly so in these "
            "states "
            "(condition %.1e; %lld rows or contacts are degenerate)",
            r->condition, (long long)r->weak);
    else if (at->rows.contradicted > 0)
        say(r, "not certified: no solution has these states; that of %s is wrong by %.1e", row,
            at->rows.wrong_by);
    else
        say(r, "not certified: the bound of the error is %.1e, above %.0e (condition %.1e)%s",
            bound, goal, r->condition, freedom(at));
}

static saddle_status prepare(work *at)
{
    const saddle_problem *problem = at->problem;
    saddle_reference *r = at->reference;
    saddle_status status = saddle__folded_create(at->context, problem, 1, &at->folded);
    if (status) return status;
    at->problem = problem = saddle__folded_take(&at->folded, problem);
    status = make_arrays(at->context, at);
    if (status == SADDLE_OK)
        status = saddle__regularization_create(at->context, problem, &at->natural);
    if (status) return status;
    double *memory = saddle_allocate(at->context, 2 * r->n + 4 * r->m, sizeof *memory);
    if (!memory) return SADDLE_OUT_OF_MEMORY;
    r->memory = r->v = memory;
    r->v_low = r->v + r->n;
    r->lambda = r->v_low + r->n;
    r->lambda_low = r->lambda + r->m;
    r->w = r->lambda_low + r->m;
    r->w_low = r->w + r->m;
    saddle__regularization_measure(&at->natural, problem, 0.0, 0);
    for (int64_t i = 0; i < problem->n + problem->m; i++)
        at->unit[i] = exp2(-round(0.5 * log2(at->natural.scale[i])));
    at->rows.problem = problem;
    at->rows.reference = r;
    at->rows.scale = at->natural.scale + problem->n;
    at->rows.unit = at->unit + problem->n;
    return SADDLE_OK;
}

static saddle_status compute(work *at, const saddle_solution *solution)
{
    saddle_reference *r = at->reference;
    saddle_status status = prepare(at);
    if (status == SADDLE_OK) status = solve_rounds(at, solution);
    if (status == SADDLE_SINGULAR) {
        const double unknown = (double)INFINITY;
        say(r, "not certified: K is singular in the states of the rows");
        r->contraction = r->condition = r->margin = unknown;
        r->margin_row = -1;
        r->velocity = r->impulse = r->slack = (saddle_reference_error){.bound = unknown,
                                                                       .largest = unknown,
                                                                       .component = -1};
        return measure_rank(at);
    }
    if (status == SADDLE_OK) status = measure_rank(at);
    if (status) return status;
    compare_all(at, solution);
    give_verdict(at);
    if (!is_singular(r) || !(r->certified || is_unheld(at))) return SADDLE_OK;
    status = find_least(at);
    if (r->nullity == 0) give_verdict(at); /* regular after all: of lambda too */
    return status;
}

/* ---- the interface ---- */

static int has_states(const saddle_problem *problem)
{
    if (problem->law != SADDLE_LAW_PYRAMID) return 1;
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->contacts[c].size != 2) return 0;
    return 1;
}

saddle_status saddle_reference_compute(saddle_context *context, const saddle_problem *problem,
                                       const saddle_solution *solution, saddle_reference *reference)
{
    SADDLE__RETURN_UNLESS(context, problem && solution && reference,
                          "problem, solution or reference is NULL");
    *reference = (saddle_reference){.context = context,
                                    .n = problem->n,
                                    .m = problem->m,
                                    .nullity = -1};
    saddle_status status = saddle_problem_check(context, problem, NULL, NULL);
    if (status == SADDLE_OK)
        status = saddle__solution_check_size(context, problem, solution, "solution", 0);
    if (status) return status;
    if (!saddle__is_finite(solution->v, problem->n) ||
        !saddle__is_finite(solution->lambda, problem->m) ||
        (solution->w && !saddle__is_finite(solution->w, problem->m)))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the solution has numbers that are not finite");
    if (!has_states(problem))
        return saddle_fail(context, SADDLE_UNSUPPORTED,
                           "no reference for pyramids in space: their facets have no states");
    work at = {.context = context, .problem = problem, .reference = reference};
    status = compute(&at, solution);
    clear(&at);
    if (status) saddle_reference_clear(reference);
    return status;
}

void saddle_reference_clear(saddle_reference *reference)
{
    if (!reference) return;
    saddle_release(reference->context, reference->memory);
    *reference = (saddle_reference){0};
}
