/* SPDX-License-Identifier: MIT */
/* See refine.h. */
#include "refine.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "certify.h"

enum {
    STALLS = 2,           /* steps without much gain: plain .. */
    CONJUGATE_STALLS = 8, /* .. and conjugate */
    DIRECTIONS = 10
};

/* steps that leave more of omega are slow: the next steps are made conjugate, and the quick way
 * gives way to the whole procedure */
static const double slow = 0.1;

const double saddle__singular_condition = 1e15;

/* ---- conjugate steps ---- */

static saddle_status make_directions(saddle_context *context, saddle__directions *d)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(d->residual, d->size),
                                    SADDLE__ARRAY(d->taken, d->size),
                                    {&d->p, d->size, DIRECTIONS * sizeof *d->p},
                                    {&d->q, d->size, DIRECTIONS * sizeof *d->q}};
    return saddle__layout_make(context, &d->layout, arrays, SADDLE__LENGTH(arrays));
}

/* d: all-zero, or failed before. */
static saddle_status create_directions(saddle_context *context, int64_t size, saddle__directions *d)
{
    *d = (saddle__directions){.size = size};
    saddle_status status = make_directions(context, d);
    return status;
}

static void add_parts(const saddle__sums *parts, saddle__kind kind, double *x)
{
    if (parts) parts->sum(parts->user, kind, x);
}

/* x (n + m) */
static void add_twofold_parts(const saddle__sums *parts, int64_t n, saddle__twofold *x)
{
    if (!parts) return;
    parts->sum_twofold(parts->user, SADDLE__VELOCITIES, x);
    parts->sum_twofold(parts->user, SADDLE__ROWS, x + n);
}

/* n + m of the whole problem. */
static int64_t count_unknowns(const saddle__refinement *s)
{
    return s->parts ? s->parts->n + s->parts->m : s->n + s->m;
}

/* The largest of all processes. */
static void take_largest(const saddle__refinement *s, int64_t count, double *x)
{
    if (s->parts) s->parts->most(s->parts->user, count, x);
}

/* y = K x: (M v - J'lambda, J v + R lambda) */
static void multiply(const saddle_problem *problem, const saddle__sums *parts, const double *x,
                     saddle__twofold *sum, double *y)
{
    int64_t n = problem->n;
    int64_t size = n + problem->m;
    saddle__twofold_set(size, NULL, sum);
    saddle__twofold_add(&problem->M, 1.0, x, sum);
    saddle__twofold_add(&problem->R, 1.0, x + n, sum + n);
    saddle__twofold_add_both(&problem->Jt, -1.0, x + n, sum, 1.0, x, sum + n);
    add_twofold_parts(parts, n, sum);
    for (int64_t i = 0; i < size; i++) y[i] = saddle__twofold_value(sum[i]);
}

/* The entries that this process owns of a vector of n + m: of velocities and of rows. */
typedef struct own_entries {
    int64_t begin[2], end[2];
} own_entries;

static own_entries own_of(const saddle__refinement *s)
{
    const saddle__sums *parts = s->parts;
    if (!parts) return (own_entries){.begin = {0, s->n}, .end = {s->n, s->n + s->m}};
    return (own_entries){.begin = {parts->begin[0], s->n + parts->begin[1]},
                         .end = {parts->end[0], s->n + parts->end[1]}};
}

static double sum_of_all(const saddle__refinement *s, double sum)
{
    if (s->parts) s->parts->total(s->parts->user, 1, &sum);
    return sum;
}

/* x'y of two residuals in natural units */
static double product(const saddle__refinement *s, const double *x, const double *y)
{
    const own_entries own = own_of(s);
    double sum = 0.0;
    for (int kind = 0; kind < 2; kind++)
        for (int64_t i = own.begin[kind]; i < own.end[kind]; i++)
            sum += (x[i] * s->unit[i]) * (y[i] * s->unit[i]);
    return sum_of_all(s, sum);
}

/* |x| of unknowns in natural units */
static double length(const saddle__refinement *s, const double *x)
{
    const own_entries own = own_of(s);
    double sum = 0.0;
    for (int kind = 0; kind < 2; kind++)
        for (int64_t i = own.begin[kind]; i < own.end[kind]; i++)
            sum += (x[i] / s->unit[i]) * (x[i] / s->unit[i]);
    return sqrt(sum_of_all(s, sum));
}

/* y += a x */
static void add(int64_t size, double a, const double *x, double *y)
{
    for (int64_t i = 0; i < size; i++) y[i] += a * x[i];
}

/* Where the k-th direction before the next one is. */
static int64_t place(const saddle__directions *d, int64_t k)
{
    return (d->next + DIRECTIONS - k) % DIRECTIONS * d->size;
}

/* Removes from r (n + m) the parts along the directions at hand, caused by rounding of the
 * unknowns, and keeps the parts for the next step. */
static void begin_directions(saddle__refinement *s, double *r)
{
    saddle__directions *d = &s->directions;
    for (int64_t i = 0; i < d->size; i++) d->taken[i] = 0.0;
    for (int64_t k = 1; k <= d->count; k++) {
        int64_t at = place(d, k);
        double part = product(s, r, d->q + at);
        add(d->size, part, d->p + at, d->taken);
        add(d->size, -part, d->q + at, r);
    }
    for (int64_t i = 0; i < d->size; i++) d->residual[i] = r[i];
}

/* step (n + m): F^-1 r of the r left by begin becomes the conjugate step.  1; 0 where |K p| is
 * below 1e-14 |p| in natural units d = unit: K is singular up to rounding and the solution would
 * grow without end.  No allocation. */
static int take_direction(saddle__refinement *s, const saddle_problem *problem, double *step)
{
    saddle__directions *d = &s->directions;
    int64_t size = d->size;
    double *p = d->p + d->next * size;
    double *q = d->q + d->next * size;
    multiply(problem, s->parts, step, s->sum, q);
    if (d->count == DIRECTIONS) d->count--; /* the oldest is being written over */
    for (int64_t k = 1; k <= d->count; k++) {
        int64_t at = place(d, k);
        double part = product(s, q, d->q + at);
        add(size, -part, d->p + at, step);
        add(size, -part, d->q + at, q);
    }
    multiply(problem, s->parts, step, s->sum, q); /* of the step as rounded */
    double norm = sqrt(product(s, q, q));
    if (!(norm > SADDLE__VANISHED_PIVOT * length(s, step)) || isinf(norm)) return 0;
    for (int64_t i = 0; i < size; i++) {
        p[i] = step[i] / norm;
        q[i] = q[i] / norm;
    }
    double part = product(s, d->residual, q);
    for (int64_t i = 0; i < size; i++) step[i] = d->taken[i] + part * p[i];
    d->next = (d->next + 1) % DIRECTIONS;
    d->count++;
    return 1;
}

/* ---- the object ---- */

void saddle__refinement_clear(saddle__refinement *s)
{
    saddle__layout_clear(s->context, &s->layout);
    saddle__layout_clear(s->context, &s->directions.layout);
    *s = (saddle__refinement){0};
}

saddle_status saddle__refinement_create(saddle_context *context, const saddle_problem *problem,
                                        saddle__refinement *s)
{
    *s = (saddle__refinement){.context = context, .n = problem->n, .m = problem->m};
    int64_t size = s->n + s->m;
    if (size > INT64_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "n + m = %lld", (long long)size);
    const saddle__array arrays[] = {SADDLE__ARRAY(s->residual, 2 * size),
                                    SADDLE__ARRAY(s->sum, size), SADDLE__ARRAY(s->best, size),
                                    SADDLE__ARRAY(s->norm, 2 * size), SADDLE__ARRAY(s->unit, size)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

/* norm_i += sum_k |A_ik| d_k */
static void row_norms(const saddle_matrix *A, const double *d, double *norm)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            norm[i] += fabs(A->value[k]) * d[j];
            if (A->symmetry == SADDLE_SYMMETRY_LOWER && i != j) norm[j] += fabs(A->value[k]) * d[i];
        }
    }
}

void saddle__refinement_measure(saddle__refinement *s, const saddle_problem *problem,
                                const double *scale)
{
    int64_t n = s->n;
    int64_t m = s->m;
    if (count_unknowns(s) == 0) return;
    const double *d = s->unit;
    for (int64_t i = 0; i < n + m; i++) s->unit[i] = 1.0 / sqrt(scale[i]);
    memset(s->norm, 0, (size_t)n * sizeof(*s->norm));
    row_norms(&problem->M, d, s->norm);
    add_parts(s->parts, SADDLE__VELOCITIES, s->norm);
    s->complete = 0;
}

/* Adds the sums over J and R to norm, which few solves need; the values measured last. */
static void complete(saddle__refinement *s, const saddle_problem *problem)
{
    int64_t n = s->n;
    int64_t m = s->m;
    if (s->complete || count_unknowns(s) == 0) return;
    const double *d = s->unit;
    memset(s->norm + n, 0, (size_t)(n + 2 * m) * sizeof(*s->norm));
    row_norms(&problem->R, d + n, s->norm + 2 * n + m);
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < m; i++) {
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            s->norm[n + Jt->index[k]] += fabs(Jt->value[k]) * d[n + i];
            s->norm[2 * n + i] += fabs(Jt->value[k]) * d[Jt->index[k]];
        }
    }
    add_parts(s->parts, SADDLE__VELOCITIES, s->norm + n);
    add_parts(s->parts, SADDLE__ROWS, s->norm + 2 * n);
    add_parts(s->parts, SADDLE__ROWS, s->norm + 2 * n + m);
    s->complete = 1;
}

/* ---- omega ---- */

/* max |x_i| / d_i; infinite where an x_i is not finite */
static double largest(const double *x, const double *d, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        if (fabs(x[i]) <= most * d[i]) continue;
        if (!isfinite(x[i])) return (double)INFINITY;
        most = fabs(x[i]) / d[i];
    }
    return most;
}

/* max |r_i| d_i; NAN is skipped */
static double largest_product(const double *r, const double *d, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double product = fabs(r[i]) * d[i];
        if (product > most) most = product;
    }
    return most;
}

/* the largest share of rows [0, count): infinite where a share is NAN */
static void worst_share(const saddle__twofold *sum, const double *a_norm, double x,
                        const double *b_norm, double y, const double *rhs, int64_t count,
                        int64_t unknowns, int64_t offset, saddle__refined *refined)
{
    for (int64_t i = 0; i < count; i++) {
        double r = fabs(saddle__twofold_value(sum[i]));
        if (r <= refined->error * sum[i].modulus) continue; /* its scale is no smaller */
        double t = a_norm[i] * x + b_norm[i] * y + (rhs ? fabs(rhs[i]) : 0.0);
        double share = saddle__backward_share(r, sum[i].modulus, t, unknowns);
        if (share <= refined->error) continue;
        refined->error = isnan(share) ? (double)INFINITY : share;
        refined->worst = offset + i;
    }
}

/* sum (count) <- b, once among all processes */
static void set_right_side(const saddle__sums *parts, saddle__kind kind, int64_t count,
                           const double *b, saddle__twofold *sum)
{
    saddle__twofold_set(count, b, sum);
    if (!parts) return;
    saddle__twofold_set(parts->begin[kind], NULL, sum);
    saddle__twofold_set(count - parts->end[kind], NULL, sum + parts->end[kind]);
}

/* sum <- the right-hand side - K x; nothing is multiplied where x = 0 */
static void form_residual(saddle__refinement *s, const saddle_problem *problem,
                          const saddle_solution *x, int zero)
{
    int64_t n = s->n;
    int64_t m = s->m;
    set_right_side(s->parts, SADDLE__VELOCITIES, n, problem->f, s->sum);
    set_right_side(s->parts, SADDLE__ROWS, m, problem->b, s->sum + n);
    if (!zero) {
        saddle__twofold_add(&problem->M, -1.0, x->v, s->sum);
        saddle__twofold_add(&problem->R, -1.0, x->lambda, s->sum + n);
        saddle__twofold_add_both(&problem->Jt, 1.0, x->lambda, s->sum, -1.0, x->v, s->sum + n);
    }
    add_twofold_parts(s->parts, n, s->sum);
    for (int64_t i = 0; i < n + m; i++) s->residual[i] = saddle__twofold_value(s->sum[i]);
}

/* omega and the part of the right-hand side left; whole = the largest right-hand side in natural
 * units */
static void judge_residual(const saddle__refinement *s, const saddle_problem *problem,
                           const saddle_solution *x, double whole, saddle__refined *refined)
{
    int64_t n = s->n;
    int64_t m = s->m;
    refined->error = 0.0;
    refined->worst = -1;
    refined->left = 0.0;
    double size[] = {largest(x->v, s->unit, n), largest(x->lambda, s->unit + n, m)};
    take_largest(s, 2, size);
    if (!isfinite(size[0]) || !isfinite(size[1])) {
        refined->error = (double)INFINITY;
        return;
    }
    const double *norm = s->norm;
    double v = fmax(size[0], whole);      /* the size by the right-hand side alone: a scale for a */
    double lambda = fmax(size[1], whole); /* body at rest, and for a row without impulse */
    int64_t unknowns = count_unknowns(s);
    worst_share(s->sum, norm, v, norm + n, lambda, problem->f, n, unknowns, 0, refined);
    worst_share(s->sum + n, norm + 2 * n, v, norm + 2 * n + m, lambda, problem->b, m, unknowns, n,
                refined);
    double most[] = {refined->error, largest_product(s->residual, s->unit, n + m)};
    take_largest(s, 2, most);
    refined->error = most[0];
    if (most[1] > 0.0) refined->left = most[1] / whole;
    if (s->parts) refined->worst = -1;
}

/* max |f_j| d_j, |b_i| d_i */
static double largest_rhs(const saddle__refinement *s, const saddle_problem *problem)
{
    double f = problem->f ? largest_product(problem->f, s->unit, s->n) : 0.0;
    double b = problem->b ? largest_product(problem->b, s->unit + s->n, s->m) : 0.0;
    double most = fmax(f, b);
    take_largest(s, 1, &most);
    return most;
}

/* ---- the iteration ---- */

/* The change of v, or of lambda, by a step. */
typedef struct motion {
    double change; /* of the last correction: the largest over the largest unknown [-]; infinite
                      before the first */
    int settled;   /* a further step would change nothing, or do no better */
} motion;

/* x += d.  floor: the least size of the largest unknown.  A conjugate step does not predict the
 * next: steps end when a step is rounding. */
static void move(const saddle__refinement *s, motion *kind, int64_t count, const double *unit,
                 const double *d, double *x, double floor, int conjugate)
{
    double moved[] = {largest(d, unit, count), 0.0};
    for (int64_t i = 0; i < count; i++) x[i] += d[i];
    moved[1] = fmax(largest(x, unit, count), floor);
    take_largest(s, 2, moved);
    double step = moved[0], size = moved[1];
    double change = step > 0.0 ? step / (size > 0.0 ? size : step) : 0.0;
    double rate = 0.0; /* at first: nothing is known yet */
    if (change > 0.0 && isfinite(kind->change))
        rate = kind->change > 0.0 ? change / kind->change : (double)INFINITY;
    kind->settled = rate > 0.0 ? rate > 0.5 || rate * change <= 0.1 * DBL_EPSILON : change == 0.0;
    if (conjugate) kind->settled = change <= SADDLE__ROUNDING;
    kind->change = change;
}

/* With parts: the status of all processes, for that of one. */
static saddle_status agree(const saddle__refinement *s, saddle_status status)
{
    return s->parts ? s->parts->agree(s->parts->user, status) : status;
}

static saddle_status interrupted(const saddle_solver_call *call, int64_t step, double error,
                                 double began)
{
    double now = saddle_clock();
    if (saddle_context_progress(call->context, "solve", step, call->options->max_refinements, error,
                                now - began))
        return SADDLE_STOPPED;
    return now > call->deadline ? SADDLE_TIME_LIMIT : SADDLE_OK;
}

/* At rounding level the later iterate is better: the error still falls where omega cannot. */
static int is_better(const saddle__refined *now, const saddle__refined *best)
{
    return now->error < best->error || now->error <= SADDLE__ROUNDING || now->corrections == 0;
}

/* s->residual, r, becomes the next step: F^-1 r, or the conjugate step for the part of r left by
 * earlier steps; *found = 0: no conjugate step exists. */
static saddle_status find_step(saddle__refinement *s, const saddle_problem *problem,
                               saddle__corrector *correct, void *user, int conjugate, int *found)
{
    *found = 1;
    int64_t size = s->n + s->m;
    if (conjugate && !s->directions.residual) {
        saddle_status status = agree(s, create_directions(s->context, size, &s->directions));
        if (status != SADDLE_OK) return status;
    }
    if (conjugate) begin_directions(s, s->residual);
    saddle_status status = correct(user, problem, s->residual);
    if (conjugate && status == SADDLE_OK) *found = take_direction(s, problem, s->residual);
    return status;
}

/* r = (f, b) */
static void load_right_side(const saddle_problem *problem, double *r)
{
    double *row = r + problem->n;
    for (int64_t j = 0; j < problem->n; j++) r[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < problem->m; i++) row[i] = problem->b ? problem->b[i] : 0.0;
}

/* (v, lambda) = 0, r = (f, b) */
static void begin(const saddle__refinement *s, const saddle_problem *problem, saddle_solution *x)
{
    for (int64_t j = 0; j < s->n; j++) x->v[j] = 0.0;
    for (int64_t i = 0; i < s->m; i++) x->lambda[i] = 0.0;
    load_right_side(problem, s->residual);
}

typedef struct course {
    saddle__refined now, best;
    motion v, lambda;
    double whole;  /* the largest right-hand side in natural units */
    int stalls;    /* steps without much gain */
    int conjugate; /* 1: from now on steps are conjugate */
} course;

/* Measures the iterate, and keeps the best. */
static void judge_iterate(saddle__refinement *s, const saddle_problem *problem,
                          const saddle_solution *x, course *c)
{
    double before = c->now.error;
    form_residual(s, problem, x, c->now.corrections == 0);
    judge_residual(s, problem, x, c->whole, &c->now);
    c->stalls = c->now.error < 0.5 * c->best.error ? 0 : c->stalls + 1;
    if (is_better(&c->now, &c->best)) {
        saddle__copy(s->best, x->v, s->n);
        saddle__copy(s->best + s->n, x->lambda, s->m);
        c->best = c->now;
    }
    int is_slow = c->now.corrections > 1 && c->now.error > slow * before &&
                  c->now.error > SADDLE__ROUNDING;
    c->conjugate = c->conjugate || (is_slow && s->may_accelerate);
}

static int is_finished(const course *c, int64_t max_refinements)
{
    int most_stalls = c->conjugate ? CONJUGATE_STALLS : STALLS;
    int overflows = c->now.corrections > 0 && isinf(c->now.error);
    if (c->best.error == 0.0 || overflows || c->now.corrections > max_refinements) return 1;
    return c->best.error <= SADDLE__ROUNDING ? c->v.settled && c->lambda.settled
                                             : c->stalls >= most_stalls;
}

/* Until omega stays. */
static saddle_status refine_wholly(saddle__refinement *s, const saddle_problem *problem,
                                   const saddle_solver_call *call, saddle__corrector *correct,
                                   void *user, saddle_solution *solution, saddle__refined *refined)
{
    double began = saddle_clock();
    saddle__refined none = {.error = (double)INFINITY, .worst = -1};
    motion first = {.change = (double)INFINITY};
    course c = {.now = none, .best = none, .v = first, .lambda = first};
    begin(s, problem, solution);
    complete(s, problem);
    c.whole = largest_rhs(s, problem);
    s->directions.count = 0;
    for (;;) {
        judge_iterate(s, problem, solution, &c);
        if (is_finished(&c, call->options->max_refinements)) break;
        if (c.now.corrections > 0)
            c.now.status = agree(s, interrupted(call, c.now.corrections, c.best.error, began));
        if (c.now.status != SADDLE_OK) break;
        int found;
        saddle_status status = find_step(s, problem, correct, user, c.conjugate, &found);
        if (status != SADDLE_OK) return status;
        if (!found) break;
        c.now.corrections++;
        move(s, &c.v, s->n, s->unit, s->residual, solution->v, c.whole, c.conjugate);
        move(s, &c.lambda, s->m, s->unit + s->n, s->residual + s->n, solution->lambda, 0.0,
             c.conjugate);
    }
    saddle__copy(solution->v, s->best, s->n);
    saddle__copy(solution->lambda, s->best + s->n, s->m);
    *refined = c.best;
    refined->corrections = c.now.corrections;
    refined->status = c.now.status;
    return SADDLE_OK;
}

/* ---- until refine_to, in working precision ---- */

/* r = (f - M v + J'lambda, b - J v - R lambda); max_i sum_j |J_ij||v_j| is returned */
static double form_residual_quickly(const saddle_problem *problem, const saddle_solution *x,
                                    double *r)
{
    double *row = r + problem->n;
    double most = 0.0;
    load_right_side(problem, r);
    saddle_matrix_apply(&problem->M, -1.0, x->v, 1.0, r);
    saddle_matrix_apply(&problem->R, -1.0, x->lambda, 1.0, row);
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < problem->m; i++) {
        double impulse = x->lambda[i];
        double sum = 0.0;
        double modulus = 0.0;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            int64_t j = Jt->index[k];
            double product = Jt->value[k] * x->v[j];
            r[j] += Jt->value[k] * impulse;
            sum += product;
            modulus += fabs(product);
        }
        row[i] -= sum;
        most = saddle__larger(most, modulus);
    }
    return most;
}

typedef struct norms {
    double natural; /* max |r_i| d_i */
    double f, b;    /* max |r_i| over velocities, rows */
} norms;

/* *most <- max |r_i|; returns max |r_i| d_i; both NAN where an entry is not finite */
static double largest_of(int64_t count, const double *r, const double *d, double *most)
{
    double natural = 0.0;
    double plain = 0.0;
    double poison = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double size = fabs(r[i]);
        poison += 0.0 * size;
        plain = saddle__larger(size, plain);
        natural = saddle__larger(size * d[i], natural);
    }
    *most = plain + poison;
    return natural + poison;
}

static norms measure(const saddle__refinement *s, const double *f, const double *b)
{
    norms found = {0.0, 0.0, 0.0};
    double of_f = f ? largest_of(s->n, f, s->unit, &found.f) : 0.0;
    double of_b = b ? largest_of(s->m, b, s->unit + s->n, &found.b) : 0.0;
    found.natural = isfinite(of_f + of_b) ? saddle__larger(of_f, of_b) : (double)NAN;
    return found;
}

static double ratio(double part, double whole)
{
    return part == 0.0 ? 0.0 : part / whole;
}

/* x = K^-1 r + x */
static saddle_status step(saddle__refinement *s, const saddle_problem *problem,
                          saddle__corrector *correct, void *user, saddle_solution *x)
{
    double *d = s->residual;
    saddle_status status = correct(user, problem, d);
    for (int64_t j = 0; status == SADDLE_OK && j < s->n; j++) x->v[j] += d[j];
    for (int64_t i = 0; status == SADDLE_OK && i < s->m; i++) x->lambda[i] += d[s->n + i];
    return status;
}

/* Refinement until the scaled residual is <= options->refine_to > 0, with residuals in working
 * precision (Skeel, Math. Comp. 35, 1980: a single step is enough for a small backward error).
 * Where a step leaves more than three tenths before, refined->left is larger, and the solution is
 * not usable.  Omega is not measured. */
static saddle_status refine_quickly(saddle__refinement *s, const saddle_problem *problem,
                                    const saddle_solver_call *call, saddle__corrector *correct,
                                    void *user, saddle_solution *solution, saddle__refined *refined)
{
    const norms whole = measure(s, problem->f, problem->b);
    saddle__refined now = {.error = (double)NAN, .worst = -1, .left = 1.0};
    double before = (double)INFINITY;
    *refined = now;
    if (!(whole.f > 0.0)) return SADDLE_OK;
    begin(s, problem, solution);
    while (now.left > call->options->refine_to && now.left <= slow * before) {
        if (now.corrections > call->options->max_refinements) break;
        saddle_status status = step(s, problem, correct, user, solution);
        if (status != SADDLE_OK) return status;
        now.corrections++;
        double moved = form_residual_quickly(problem, solution, s->residual);
        norms left = measure(s, s->residual, s->residual + s->n);
        before = now.left;
        now.left = saddle__larger(left.f / whole.f, ratio(left.b, whole.b + moved));
        now.left = saddle__larger(now.left, left.natural / whole.natural);
    }
    *refined = now;
    return SADDLE_OK;
}

/* ---- the whole procedure ---- */

saddle_status saddle__refine(saddle__refinement *s, const saddle_problem *problem,
                             const saddle_solver_call *call, saddle__corrector *correct, void *user,
                             saddle_solution *solution, saddle__refined *refined)
{
    int64_t tried = 0;
    if (call->options->refine_to > 0.0 && call->options->max_refinements > 0 && !s->parts) {
        saddle_status status = refine_quickly(s, problem, call, correct, user, solution, refined);
        if (status != SADDLE_OK || refined->left <= call->options->refine_to) return status;
        tried = refined->corrections;
    }
    saddle_status status = refine_wholly(s, problem, call, correct, user, solution, refined);
    refined->corrections += tried;
    return status;
}

saddle_status saddle__refine_again(saddle__refinement *s, const saddle_problem *problem,
                                   const saddle_solver_call *call, saddle__corrector *correct,
                                   void *user, double *kept, saddle_solution *solution,
                                   saddle__refined *refined)
{
    saddle__copy(kept, solution->v, problem->n);
    saddle__copy(kept + problem->n, solution->lambda, problem->m);
    int64_t spent = refined->corrections > 1 ? refined->corrections - 1 : 0;
    saddle_options options = *call->options;
    options.max_refinements = spent < options.max_refinements ? options.max_refinements - spent : 0;
    saddle_solver_call again = *call;
    again.options = &options;
    saddle__refined second = *refined;
    saddle_status status = saddle__refine(s, problem, &again, correct, user, solution, &second);
    second.corrections += spent;
    if (status == SADDLE_OK && second.error < refined->error) {
        *refined = second;
        return SADDLE_OK;
    }
    saddle__copy(solution->v, kept, problem->n);
    saddle__copy(solution->lambda, kept + problem->n, problem->m);
    if (status == SADDLE_OK) refined->corrections = second.corrections;
    return status;
}

/* ---- free motions ---- */

/* Sizes are in natural units (regularization.h): v_j / d_j, and (M v)_i d_i, (J v)_i d_i. */

enum { NAME_SIZE = 128, MOTION_STEPS = 6 };

static const double amplified = 1e3; /* below, K is far from singular */
static const double moves = 1e-2;    /* part of the largest velocity that counts as moving */

/* norm_j: sum of |M_jk| d_k, by saddle__refinement_measure */
static int is_massless(const saddle__refinement *s, int64_t j)
{
    return s->norm[j] == 0.0;
}

/* v (n) <- a velocity with an empty column in M and in J; 0: each has mass or a row. */
static int look(const saddle__refinement *s, double *v)
{
    int64_t found = 0;
    while (found < s->n && !(is_massless(s, found) && s->norm[s->n + found] == 0.0)) found++;
    for (int64_t k = 0; found < s->n && k < s->n; k++) v[k] = k == found;
    return found < s->n;
}

/* Forces of size 1 to 2 with pseudo-random signs: hardly orthogonal to any motion. */
static void start(const saddle__refinement *s, double *v)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (int64_t j = 0; j < s->n; j++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double size = 1.0 + (double)(state >> 11) * 0x1p-53;
        v[j] = (state & 1 ? size : -size) / s->unit[j];
    }
    for (int64_t i = s->n; i < s->n + s->m; i++) v[i] = 0.0;
}

/* |v|, and v <- v / |v| */
static double normalize(const saddle__refinement *s, double *v)
{
    double most = 0.0;
    for (int64_t j = 0; j < s->n; j++) {
        if (!isfinite(v[j])) return (double)NAN;
        most = fmax(most, fabs(v[j]) / s->unit[j]);
    }
    for (int64_t j = 0; j < s->n && most > 0.0; j++) v[j] /= most;
    return most;
}

/* r (n + m) <- -(M v, J v); the largest entry, relative to the largest possible with velocities of
 * size 1. */
static double resist(const saddle__refinement *s, const saddle_problem *problem, const double *v,
                     double *r)
{
    double most = 0.0;
    saddle_matrix_apply(&problem->M, -1.0, v, 0.0, r);
    for (int64_t j = 0; j < s->n; j++)
        if (r[j] != 0.0) most = fmax(most, fabs(r[j]) / s->norm[j]);
    if (s->m == 0) return most;
    saddle_matrix_apply_transpose(&problem->Jt, -1.0, v, 0.0, r + s->n);
    const double *norm = s->norm + 2 * s->n;
    for (int64_t i = 0; i < s->m; i++)
        if (r[s->n + i] != 0.0) most = fmax(most, fabs(r[s->n + i]) / norm[i]);
    return most;
}

static int is_wrong(const saddle__refinement *s, const double *v)
{
    if (s->m > 0) return 1;
    for (int64_t j = 0; j < s->n; j++)
        if (fabs(v[j]) > moves * s->unit[j] && !is_massless(s, j)) return 0;
    return 1;
}

static saddle_status name_motion(const saddle_solver_call *call, const saddle_problem *problem,
                                 const saddle__refinement *s, const double *v)
{
    char first[NAME_SIZE], second[NAME_SIZE] = "";
    int64_t count = 0, most = 0;
    saddle_status status = saddle__certify_motion(call, problem, v);
    if (status < 0) return status;
    for (int64_t j = 0; j < s->n; j++)
        if (fabs(v[j]) / s->unit[j] > fabs(v[most]) / s->unit[most]) most = j;
    saddle_problem_describe_velocity(problem, most, first, sizeof first);
    for (int64_t j = 0; j < s->n; j++)
        if (j != most && fabs(v[j]) > moves * s->unit[j] && count++ == 0)
            saddle_problem_describe_velocity(problem, j, second, sizeof second);
    if (count == 0)
        status = saddle_fail(call->context, SADDLE_SINGULAR, "%s: no mass, and no row holds it",
                             first);
    else
        status = saddle_fail(
            call->context, SADDLE_SINGULAR,
            "%s and %lld more (%s%s) move together: no mass, and no row holds them", first,
            (long long)count, second, count > 1 ? ", .." : "");
    return saddle_fail_at(call->context, saddle__place_of(problem, most), status);
}

saddle_status saddle__free_motion_search(const saddle_solver_call *call,
                                         const saddle_problem *problem, saddle__refinement *s,
                                         int likely, saddle__corrector *correct, void *user)
{
    for (int64_t j = 0; j < s->n; j++) likely |= is_massless(s, j);
    if (s->n == 0 || !likely) return SADDLE_OK;
    double *v = s->residual;
    double *r = s->residual + s->n + s->m;
    complete(s, problem);
    if (look(s, v)) return name_motion(call, problem, s, v);
    start(s, v);
    saddle_status status = correct(user, problem, v);
    if (status != SADDLE_OK || !(normalize(s, v) > amplified)) return status;
    double left = resist(s, problem, v, r);
    for (int step = 0; step < MOTION_STEPS && left > SADDLE__PRODUCT_ROUNDING; step++) {
        status = correct(user, problem, r);
        if (status != SADDLE_OK) return status;
        for (int64_t j = 0; j < s->n; j++) v[j] += r[j];
        if (!(normalize(s, v) > 0.0)) return SADDLE_OK;
        double last = left;
        left = resist(s, problem, v, r);
        if (!(left <= 0.1 * last)) return SADDLE_OK;
    }
    return left <= SADDLE__PRODUCT_ROUNDING && is_wrong(s, v) ? name_motion(call, problem, s, v)
                                                              : SADDLE_OK;
}
