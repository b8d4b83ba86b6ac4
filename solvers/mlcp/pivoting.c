/* SPDX-License-Identifier: MIT */
/* See pivoting.h. */
#include "mlcp/pivoting.h"

#include <float.h>
#include <string.h>

/* Local pivoting follows a step where at most one in so many rows violates its law. */
enum { LOCAL_SHARE = 100 };

/* Of the noise of w: a basic row's |w_i| beyond this, 1e-11 of the terms, is an inexact solve. */
static const double inexact_over_noise = 2500.0;

/* The search ends where the slope is this part of the first slope, and after so many evaluations
 * where phi falls to the place found. */
static const double flat = 0.01;
enum { EVALUATIONS = 24 };

/* A whole step is taken where phi falls and the slope is at most this part of the first. */
static const double whole = 0.5;

saddle_status saddle__pivoting_create(saddle_context *context, int64_t count, int searched,
                                      saddle__pivoting *s)
{
    const saddle__array arrays[] = {
        SADDLE__ARRAY(s->state, count),   SADDLE__ARRAY(s->w, count),
        SADDLE__ARRAY(s->noise, count),   SADDLE__ARRAY(s->broken, count),
        SADDLE__ARRAY(s->line.y, count),  SADDLE__ARRAY(s->line.p, count),
        SADDLE__ARRAY(s->line.to, count), SADDLE__ARRAY(s->line.kinked, count)};
    const size_t of_line = searched ? 0 : 4;
    *s = (saddle__pivoting){0};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays) - of_line);
}

void saddle__pivoting_begin(saddle__pivoting *s, int64_t count, int64_t most)
{
    s->steps = s->pivots = s->singles = s->inexact = 0;
    s->left = most > 0 ? most : 1000 + (count < INT64_MAX / 100 ? 10 * count : count);
}

/* ---- states ---- */

/* The states of lambda, moved within the bounds.  A row of zeros has w_i = q_i whatever lambda is:
 * to the finite bound that q_i asks for. */
static void read_states(saddle__pivoting *s, saddle__mlcp_rows *rows)
{
    double *lambda = rows->lambda;
    for (int64_t i = 0; i < rows->count; i++) {
        saddle__interval bounds = saddle__mlcp_bounds(rows, i);
        lambda[i] = saddle__clamp(lambda[i], bounds.lo, bounds.hi);
        s->state[i] = lambda[i] == bounds.lo   ? SADDLE__AT_LO
                      : lambda[i] == bounds.hi ? SADDLE__AT_HI
                                               : SADDLE__BASIC;
        if (rows->step[i] != 0.0) continue;
        s->state[i] = rows->q[i] < 0.0 ? SADDLE__AT_HI : SADDLE__AT_LO;
        double bound = rows->q[i] < 0.0 ? bounds.hi : bounds.lo;
        if (rows->q[i] != 0.0 && isfinite(bound)) lambda[i] = bound;
    }
}

static signed char wanted_of_tangent(const saddle__pivoting *s, const saddle__mlcp_rows *rows,
                                     int64_t i)
{
    const double *lambda = rows->lambda;
    int64_t n = rows->normal[i];
    if (rows->mu[i] == 0.0 || rows->step[i] == 0.0 || s->state[n] != SADDLE__BASIC ||
        lambda[n] < 0.0)
        return s->state[i];
    double reach = rows->mu[i] * lambda[n];
    double slack = s->noise[i] * rows->step[i] + rows->mu[i] * s->noise[n] * rows->step[n];
    if (s->state[i] == SADDLE__BASIC)
        return lambda[i] < -reach - slack  ? SADDLE__AT_LO
               : lambda[i] > reach + slack ? SADDLE__AT_HI
                                           : SADDLE__BASIC;
    int leaves = s->state[i] == SADDLE__AT_LO ? s->w[i] < -s->noise[i] : s->w[i] > s->noise[i];
    return leaves ? SADDLE__BASIC : s->state[i];
}

/* Whether row i, no tangent, violates its law.  Without branches: the state of a row is
 * unpredictable to the processor. */
static int violates(const saddle__pivoting *s, const saddle__mlcp_rows *rows, int64_t i)
{
    double x = rows->lambda[i];
    double w = s->w[i];
    double noise = s->noise[i];
    double slack = noise * rows->step[i];
    int outside = (x < rows->lo[i] - slack) | (x > rows->hi[i] + slack);
    int pushed = ((s->state[i] == SADDLE__AT_LO) & (w < -noise)) |
                 ((s->state[i] == SADDLE__AT_HI) & (w > noise));
    int may_move = (rows->lo[i] != rows->hi[i]) & (rows->step[i] != 0.0);
    return ((s->state[i] == SADDLE__BASIC) & outside) | (pushed & may_move);
}

/* The state of row i by its law. */
static signed char wanted(const saddle__pivoting *s, const saddle__mlcp_rows *rows, int64_t i)
{
    if (rows->normal && rows->normal[i] >= 0) return wanted_of_tangent(s, rows, i);
    if (!violates(s, rows, i)) return s->state[i];
    if (s->state[i] != SADDLE__BASIC) return SADDLE__BASIC;
    return rows->lambda[i] < rows->lo[i] ? SADDLE__AT_LO : SADDLE__AT_HI;
}

/* s->broken; returns how many. */
static int64_t find_broken(saddle__pivoting *s, const saddle__mlcp_rows *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; !rows->normal && i < rows->count; i++) {
        s->broken[count] = i;
        count += violates(s, rows, i);
    }
    for (int64_t i = 0; rows->normal && i < rows->count; i++) {
        s->broken[count] = i;
        count += wanted(s, rows, i) != s->state[i];
    }
    return count;
}

static void set_state(saddle__pivoting *s, saddle__mlcp_rows *rows, int64_t i, signed char state)
{
    s->state[i] = state;
    saddle__interval bounds = saddle__mlcp_bounds(rows, i);
    if (state != SADDLE__BASIC) rows->lambda[i] = state == SADDLE__AT_LO ? bounds.lo : bounds.hi;
}

/* Tangents of open contacts carry no impulse; their state is the bound where a contact that closes
 * would begin to slide. */
static void set_open_tangents(saddle__pivoting *s, saddle__mlcp_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++) {
        if (rows->normal[i] < 0 || s->state[rows->normal[i]] == SADDLE__BASIC) continue;
        s->state[i] = s->w[i] < 0.0 ? SADDLE__AT_HI : SADDLE__AT_LO;
        rows->lambda[i] = 0.0;
    }
}

/* The first `count` of the violating rows change their state, tangents before their normals. */
static void move_broken(saddle__pivoting *s, saddle__mlcp_rows *rows, int64_t count)
{
    if (rows->normal) set_open_tangents(s, rows);
    for (int64_t k = count; k-- > 0;)
        set_state(s, rows, s->broken[k], wanted(s, rows, s->broken[k]));
    if (rows->normal) set_open_tangents(s, rows);
}

/* ---- the line search ---- */

/* The length of a step on a regularized problem with a symmetric W >= 0,
 *
 *     w = W lambda + q + E (lambda - c),   lo <= lambda <= hi,   E > 0 diagonal
 *
 * which is the optimality condition of a convex program in lambda.  Its dual, unconstrained
 * (Rockafellar, Convex Analysis, 31; y = lambda at the solution),
 *
 *     phi(y) = y'W y / 2 + sum_i g_i(p_i(y)),   p(y) = c - E^-1 (W y + q)
 *     grad phi = W (y - P p(y))                 P the projection on [lo, hi]
 *
 * is convex, once differentiable and piecewise quadratic, and a step of block pivoting is Newton's
 * method on it: basic are the rows whose p_i lies between the bounds, and p = lambda - E^-1 w at
 * the lambda that the step finds.  Whole steps may cycle. With t > 0 the least of phi on the way
 * from y to lambda they end: each lowers phi, and there are finitely many pieces (Sun, J. Comput.
 * Appl. Math. 85, 1997; Qi and Sun, Math. Programming 58, 1993).  Along the line y and p are
 * linear, and
 *
 *     d phi / dt = sum_i E_ii dp_i (P p_i(t) - y_i(t))
 *
 * grows with t.  For rows whose p passes no bound on the way, most of them, that is linear in t:
 * its zero takes one pass over the rows and no product with W. */

/* p of row i at lambda and w. */
static double argument(const saddle__pivoting *s, const saddle__mlcp_rows *rows, int64_t i)
{
    return rows->E[i] > 0.0 ? rows->lambda[i] - s->w[i] / rows->E[i] : rows->lambda[i];
}

/* The line begins at lambda and w. */
static void begin_line(saddle__pivoting *s, const saddle__mlcp_rows *rows)
{
    saddle__copy(s->line.y, rows->lambda, rows->count);
    for (int64_t i = 0; i < rows->count; i++) s->line.p[i] = argument(s, rows, i);
}

/* d phi / dt at t = constant + t linear + the terms of rows with kinks. */
typedef struct sum_of_rows {
    double constant, linear;
    double noise; /* of the slope, by the noise of w */
} sum_of_rows;

/* line->to, kinked and kinks; returns the sum of all other rows, most of the rows. */
static sum_of_rows add_rows(saddle__pivoting *s, const saddle__mlcp_rows *rows)
{
    saddle__line *line = &s->line;
    const double *lambda = rows->lambda;
    sum_of_rows sum = {0.0, 0.0, 0.0};
    line->kinks = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        double p = line->p[i];
        double to = line->to[i] = argument(s, rows, i);
        saddle__interval bounds = saddle__mlcp_bounds(rows, i);
        double began = saddle__clamp(p, bounds.lo, bounds.hi);
        double ends = saddle__clamp(to, bounds.lo, bounds.hi);
        double weight = rows->E[i] * (to - p);
        sum.noise += fabs(to - p) * s->noise[i];
        if ((began == p) == (ends == to) && (began == p || began == ends)) {
            sum.constant += weight * (began - line->y[i]);
            sum.linear += weight * ((ends - began) - (lambda[i] - line->y[i]));
        } else {
            line->kinked[line->kinks++] = i;
        }
    }
    return sum;
}

static double slope(const saddle__line *line, const saddle__mlcp_rows *rows,
                    const sum_of_rows *others, double t)
{
    double sum = others->constant + t * others->linear;
    for (int64_t k = 0; k < line->kinks; k++) {
        int64_t i = line->kinked[k];
        double change = line->to[i] - line->p[i];
        double y = line->y[i] + t * (rows->lambda[i] - line->y[i]);
        saddle__interval bounds = saddle__mlcp_bounds(rows, i);
        double p = saddle__clamp(line->p[i] + t * change, bounds.lo, bounds.hi);
        sum += rows->E[i] * change * (p - y);
    }
    return sum;
}

/* E (p P p - (P p)^2 / 2), the part of row i in phi */
static double term(const saddle__mlcp_rows *rows, int64_t i, double p)
{
    saddle__interval bounds = saddle__mlcp_bounds(rows, i);
    double x = saddle__clamp(p, bounds.lo, bounds.hi);
    return rows->E[i] * (p - 0.5 * x) * x;
}

/* phi at lambda less phi where the line begins; W (lambda - y) = -E (to - p) */
static double change(const saddle__line *line, const saddle__mlcp_rows *rows,
                     const sum_of_rows *others)
{
    double sum = others->constant + 0.5 * others->linear;
    for (int64_t k = 0; k < line->kinks; k++) {
        int64_t i = line->kinked[k];
        double moved = rows->E[i] * (line->to[i] - line->p[i]);
        sum += term(rows, i, line->to[i]) - term(rows, i, line->p[i]) -
               0.5 * (rows->lambda[i] + line->y[i]) * moved;
    }
    return sum;
}

/* Where the slope vanishes, which is `first` < 0 at 0 and `last` > 0 at 1: false position, every
 * third time halving.  phi falls by -at_low low at least up to low, and rises by at_high (high -
 * low) at most from there to high: where little is known of what is before high, a kink near 0 may
 * have turned phi upwards long before. */
static double find_zero(const saddle__line *line, const saddle__mlcp_rows *rows,
                        const sum_of_rows *others, double first, double last)
{
    double low = 0.0;
    double high = 1.0;
    double at_low = first;
    double at_high = last;
    for (int k = 0; k < EVALUATIONS || (low == 0.0 && high > DBL_EPSILON); k++) {
        double t = low - (high - low) * at_low / (at_high - at_low);
        if (k % 3 == 2 || k >= EVALUATIONS || !(t > low && t < high)) t = 0.5 * (low + high);
        double there = slope(line, rows, others, t);
        if (there > 0.0) {
            high = t;
            at_high = there;
        } else {
            low = t;
            at_low = there;
        }
        if (-at_low <= -flat * first) return low;
        if (at_high <= -flat * first && at_high * (high - low) < -at_low * low) return high;
    }
    return low;
}

/* The line begins at t. */
static void move_line(saddle__line *line, const saddle__mlcp_rows *rows, double t)
{
    const double *lambda = rows->lambda;
    if (t == 1.0) {
        double *p = line->p;
        line->p = line->to;
        line->to = p;
        saddle__copy(line->y, lambda, rows->count);
        return;
    }
    for (int64_t i = 0; i < rows->count; i++) {
        line->y[i] += t * (lambda[i] - line->y[i]);
        line->p[i] += t * (line->to[i] - line->p[i]);
    }
}

/* The part t of the way to lambda and w of a step, 0 < t <= 1; the line then begins there.  0 = phi
 * falls by no more than rounding, and the line is unchanged. */
static double advance(saddle__pivoting *s, const saddle__mlcp_rows *rows)
{
    saddle__line *line = &s->line;
    sum_of_rows others = add_rows(s, rows);
    double first = slope(line, rows, &others, 0.0);
    if (!(first < -others.noise)) return 0.0;
    double last = slope(line, rows, &others, 1.0);
    int enough = last <= 0.0 || (last <= -whole * first && change(line, rows, &others) < 0.0);
    double t = enough ? 1.0 : find_zero(line, rows, &others, first, last);
    move_line(line, rows, t);
    return t;
}

/* The state of row i at the point that the line search chose; a bound is left or reached by more
 * than rounding. */
static signed char state_on_line(const saddle__pivoting *s, const saddle__mlcp_rows *rows,
                                 int64_t i)
{
    double p = s->line.p[i];
    double slack = s->state[i] == SADDLE__BASIC ? -s->noise[i] * rows->step[i]
                                                : s->noise[i] / rows->E[i];
    if (p <= rows->lo[i] + slack) return SADDLE__AT_LO;
    return p >= rows->hi[i] - slack ? SADDLE__AT_HI : SADDLE__BASIC;
}

static int64_t read_line(saddle__pivoting *s, saddle__mlcp_rows *rows)
{
    int64_t moved = 0;
    for (int64_t i = 0; i < rows->count; i++) {
        if (rows->lo[i] == rows->hi[i] || rows->step[i] == 0.0) continue;
        signed char state = state_on_line(s, rows, i);
        moved += state != s->state[i];
        set_state(s, rows, i, state);
    }
    return moved;
}

/* Line search: moves by a part of the step to rows->lambda.  Returns the number of rows with
 * another state; 0: the whole step is taken, as the first of a run is; -1: no point on the line is
 * better. */
static int64_t shorten(saddle__pivoting *s, saddle__mlcp_rows *rows, int first)
{
    if (first) {
        begin_line(s, rows);
        return 0;
    }
    double part = advance(s, rows);
    return part == 0.0 ? -1 : part < 1.0 ? read_line(s, rows) : 0;
}

/* ---- a run ---- */

static int is_exact(const saddle__pivoting *s, int64_t count)
{
    int64_t inexact = 0;
    for (int64_t i = 0; i < count; i++)
        inexact += (s->state[i] == SADDLE__BASIC) &
                   !(fabs(s->w[i]) <= inexact_over_noise * s->noise[i]);
    return inexact == 0;
}

/* The result within the bounds; a basic impulse within the rounding of w of a bound is set to the
 * bound. */
static void round_to_bounds(const saddle__pivoting *s, saddle__mlcp_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++) {
        saddle__interval bounds = saddle__mlcp_bounds(rows, i);
        double x = saddle__clamp(rows->lambda[i], bounds.lo, bounds.hi);
        double slack = s->noise[i] * rows->step[i];
        int rounds = s->state[i] == SADDLE__BASIC && !(rows->normal && rows->normal[i] >= 0);
        if (rounds && fabs(x - bounds.lo) <= slack) x = bounds.lo;
        if (rounds && fabs(x - bounds.hi) <= slack) x = bounds.hi;
        rows->lambda[i] = x;
    }
}

static saddle_status interrupted(const saddle__pivoting *s, const saddle_solver_call *call,
                                 int64_t broken, double began)
{
    if (!call) return s->left > 0 ? SADDLE_OK : SADDLE_ITERATION_LIMIT;
    double now = saddle_clock();
    if (saddle_context_progress(call->context, "solve", s->steps, 0, (double)broken, now - began))
        return SADDLE_STOPPED;
    if (now > call->deadline) return SADDLE_TIME_LIMIT;
    return s->left > 0 ? SADDLE_OK : SADDLE_ITERATION_LIMIT;
}

saddle_status saddle__pivoting_run(saddle__pivoting *s, const saddle__basis *basis,
                                   saddle__mlcp_rows *rows, const saddle__pivoting_way *way,
                                   const saddle_solver_call *call)
{
    double began = saddle_clock();
    int64_t least = INT64_MAX;
    int64_t patience = SADDLE__PIVOTING_PATIENCE;
    int64_t singles = 0;
    int search = way->search;
    int first = 1;
    int64_t local = 0; /* steps that local pivoting may still take without a new minimum */
    saddle_status status = SADDLE_OK;
    read_states(s, rows);
    for (;;) {
        status = basis->enter(basis->user, s->state);
        if (status == SADDLE_OK)
            status = basis->solve(basis->user, s->state, rows->q, rows->lambda, s->w, s->noise);
        if (status != SADDLE_OK) break;
        s->inexact += !is_exact(s, rows->count);
        s->steps++;
        s->left--;
        int64_t broken = find_broken(s, rows);
        if (broken <= way->tolerated) break;
        status = interrupted(s, call, broken, began);
        if (status != SADDLE_OK) break;
        local = broken < least ? SADDLE__PIVOTING_PATIENCE : local - (local > 0);
        int near = local > 0 && basis->settle && LOCAL_SHARE * broken <= rows->count;
        int64_t moved = search ? shorten(s, rows, near || first) : 0;
        patience = search || broken < least ? SADDLE__PIVOTING_PATIENCE : patience - (patience > 0);
        if (broken < least) least = broken;
        search &= moved >= 0;
        first = 0;
        if (patience == 0 && singles++ >= way->most_singles) {
            status = SADDLE_NOT_CONVERGED;
            break;
        }
        if (moved <= 0) {
            moved = patience > 0 ? broken : 1;
            move_broken(s, rows, moved);
            if (near) basis->settle(basis->user, s->broken, moved, s->state);
        }
        if (call) call->report->switches.single += patience == 0 && singles == 1;
        s->pivots += moved;
        s->singles += patience == 0;
    }
    round_to_bounds(s, rows);
    return status;
}
