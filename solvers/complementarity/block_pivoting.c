/* SPDX-License-Identifier: MIT */
/* See block_pivoting.h. */
#include "complementarity/block_pivoting.h"

#include <math.h>
#include <string.h>

#include "complementarity/local_pivoting.h"

/* p in Judice and Pires */
enum { PATIENCE = 8 };

/* Steps of a run that are searched along, at most. */
enum { MOST_SEARCHED = 40 };

void saddle__pivoting_clear(saddle__pivoting *s)
{
    saddle_release(s->context, s->state);
    saddle_release(s->context, s->w);
    saddle_release(s->context, s->noise);
    saddle_release(s->context, s->broken);
    saddle__line_clear(&s->line);
    memset(s, 0, sizeof(*s));
}

saddle_status saddle__pivoting_create(saddle_context *context, int64_t m, saddle__pivoting *s)
{
    saddle__pivoting fresh = {.context = context, .patience = PATIENCE, .most_singles = INT64_MAX};
    *s = fresh;
    s->state = saddle_allocate(context, m, sizeof(*s->state));
    s->w = saddle_allocate(context, m, sizeof(*s->w));
    s->noise = saddle_allocate(context, m, sizeof(*s->noise));
    s->broken = saddle_allocate(context, m, sizeof(*s->broken));
    if (s->state && s->w && s->noise && s->broken) return SADDLE_OK;
    saddle__pivoting_clear(s);
    return SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__pivoting_search(saddle__pivoting *s, int64_t m)
{
    return saddle__line_create(s->context, m, &s->line);
}

static double within(double x, double lo, double hi)
{
    double above = lo > x ? lo : x;
    return hi < above ? hi : above;
}

static int64_t normal_of(const saddle__bounded_rows *rows, int64_t i)
{
    return rows->normal ? rows->normal[i] : -1;
}

typedef struct interval {
    double lo, hi;
} interval;

/* Those of a tangent follow its normal impulse. */
static interval bounds_of(const saddle__bounded_rows *rows, const double *lambda, int64_t i)
{
    int64_t n = normal_of(rows, i);
    double reach = n < 0 ? 0.0 : rows->mu[i] * fmax(lambda[n], 0.0);
    interval bounds = {n < 0 ? rows->lo[i] : -reach, n < 0 ? rows->hi[i] : reach};
    return bounds;
}

static void clamp(const saddle__bounded_rows *rows, double *lambda)
{
    for (int64_t i = 0; !rows->normal && i < rows->m; i++)
        lambda[i] = within(lambda[i], rows->lo[i], rows->hi[i]);
    for (int64_t i = 0; rows->normal && i < rows->m; i++) {
        interval bounds = bounds_of(rows, lambda, i);
        lambda[i] = within(lambda[i], bounds.lo, bounds.hi);
    }
}

/* The same of the lambda of w, which goes with it; rows without tangents. */
static void clamp_both(saddle__pivoting *s, const saddle__local_system *A,
                       const saddle__bounded_rows *rows, double *lambda)
{
    for (int64_t i = 0; i < rows->m; i++) {
        double change = within(lambda[i], rows->lo[i], rows->hi[i]) - lambda[i];
        if (change == 0.0) continue;
        lambda[i] = within(lambda[i], rows->lo[i], rows->hi[i]);
        s->w[i] += saddle__local_own_entry(A, i) * change;
        for (int64_t k = A->beside->start[i]; k < A->beside->start[i + 1]; k++)
            s->w[A->beside->column[k]] += A->beside->value[k] * change;
    }
}

static signed char state_of(double lambda, double lo, double hi)
{
    int at_lo = lambda == lo;
    int at_hi = (lambda == hi) & !at_lo;
    return (signed char)(at_hi * SADDLE__AT_HI + at_lo * SADDLE__AT_LO);
}

void saddle__pivoting_read(saddle__pivoting *s, const saddle__bounded_rows *rows, double *lambda)
{
    clamp(rows, lambda);
    for (int64_t i = 0; !rows->normal && i < rows->m; i++)
        s->state[i] = state_of(lambda[i], rows->lo[i], rows->hi[i]);
    for (int64_t i = 0; rows->normal && i < rows->m; i++) {
        interval bounds = bounds_of(rows, lambda, i);
        s->state[i] = state_of(lambda[i], bounds.lo, bounds.hi);
    }
}

void saddle__pivoting_begin(saddle__pivoting *s, const saddle__bounded_rows *rows, int64_t most,
                            double *lambda)
{
    saddle__exactness none = {0, 0, 0};
    s->exactness = none;
    s->steps = s->pivots = s->singles = 0;
    s->knows_slack = 0;
    s->left = most > 0 ? most : 1000 + (rows->m < INT64_MAX / 100 ? 10 * rows->m : rows->m);
    saddle__pivoting_read(s, rows, lambda);
}

static signed char wanted_of_tangent(const saddle__pivoting *s, const saddle__bounded_rows *rows,
                                     const double *lambda, int64_t i, int64_t n)
{
    int up = s->w[i] < -s->noise[i]; /* lambda_i has to grow */
    int down = s->w[i] > s->noise[i];
    if (rows->mu[i] == 0.0 || rows->step[i] == 0.0 || s->state[n] != SADDLE__BASIC ||
        lambda[n] < 0.0)
        return s->state[i];
    double reach = rows->mu[i] * lambda[n];
    double slack = s->noise[i] * rows->step[i] + rows->mu[i] * s->noise[n] * rows->step[n];
    if (s->state[i] == SADDLE__BASIC)
        return lambda[i] < -reach - slack  ? SADDLE__AT_LO
               : lambda[i] > reach + slack ? SADDLE__AT_HI
                                           : SADDLE__BASIC;
    return (s->state[i] == SADDLE__AT_LO ? up : down) ? SADDLE__BASIC : s->state[i];
}

/* Whether row i, no tangent, is not in the state that is wanted of it: without branches, since what
 * state rows are in cannot be foretold. */
static int is_broken(const saddle__pivoting *s, const saddle__bounded_rows *rows,
                     const double *lambda, int64_t i)
{
    double lo = rows->lo[i];
    double hi = rows->hi[i];
    double w = s->w[i];
    double noise = s->noise[i];
    double slack = noise * rows->step[i];
    int outside = (lambda[i] < lo - slack) | (lambda[i] > hi + slack);
    int pushed = ((s->state[i] == SADDLE__AT_LO) & (w < -noise)) |
                 ((s->state[i] == SADDLE__AT_HI) & (w > noise));
    int may_move = (lo != hi) & (rows->step[i] != 0.0);
    return ((s->state[i] == SADDLE__BASIC) & outside) | (pushed & may_move);
}

signed char saddle__pivoting_wanted(const saddle__pivoting *s, const saddle__bounded_rows *rows,
                                    const double *lambda, int64_t i)
{
    int64_t n = normal_of(rows, i);
    if (n >= 0) return wanted_of_tangent(s, rows, lambda, i, n);
    if (!is_broken(s, rows, lambda, i)) return s->state[i];
    if (s->state[i] != SADDLE__BASIC) return SADDLE__BASIC;
    return lambda[i] < rows->lo[i] ? SADDLE__AT_LO : SADDLE__AT_HI;
}

/* Rows of zeros: w_i = q_i whatever lambda is.  They stay where they are unless q_i drives them to
 * a finite bound. */
static void settle(saddle__pivoting *s, const saddle__bounded_rows *rows, double *lambda)
{
    for (int64_t i = 0; i < rows->m; i++) {
        if (rows->step[i] != 0.0) continue;
        s->state[i] = rows->q[i] < 0.0 ? SADDLE__AT_HI : SADDLE__AT_LO;
        interval bounds = bounds_of(rows, lambda, i);
        double bound = rows->q[i] < 0.0 ? bounds.hi : bounds.lo;
        if (rows->q[i] != 0.0 && isfinite(bound)) lambda[i] = bound;
    }
}

/* Tangents of open contacts stand where they would begin to slide. */
static void stand(saddle__pivoting *s, const saddle__bounded_rows *rows, double *lambda)
{
    for (int64_t i = 0; rows->normal && i < rows->m; i++) {
        if (rows->normal[i] < 0 || s->state[rows->normal[i]] == SADDLE__BASIC) continue;
        s->state[i] = s->w[i] < 0.0 ? SADDLE__AT_HI : SADDLE__AT_LO;
        lambda[i] = 0.0;
    }
}

static int64_t find_broken(saddle__pivoting *s, const saddle__bounded_rows *rows,
                           const double *lambda)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rows->m; i++) {
        s->broken[count] = i;
        count += is_broken(s, rows, lambda, i);
    }
    return count;
}

static int64_t find_broken_contacts(saddle__pivoting *s, const saddle__bounded_rows *rows,
                                    const double *lambda)
{
    int64_t count = 0;
    for (int64_t i = 0; i < rows->m; i++) {
        s->broken[count] = i;
        count += saddle__pivoting_wanted(s, rows, lambda, i) != s->state[i];
    }
    return count;
}

void saddle__pivoting_move(saddle__pivoting *s, const saddle__bounded_rows *rows, double *lambda,
                           int64_t i)
{
    s->state[i] = saddle__pivoting_wanted(s, rows, lambda, i);
    interval bounds = bounds_of(rows, lambda, i);
    if (s->state[i] == SADDLE__AT_LO) lambda[i] = bounds.lo;
    if (s->state[i] == SADDLE__AT_HI) lambda[i] = bounds.hi;
}

/* The state of row i where the line begins now; a bound is left, or come to, by more than
 * rounding. */
static signed char state_on_line(const saddle__pivoting *s, const saddle__bounded_rows *rows,
                                 int64_t i)
{
    double p = s->line.p[i];
    double slack = s->state[i] == SADDLE__BASIC ? -s->noise[i] * rows->step[i]
                                                : s->noise[i] / rows->added[i];
    if (p <= rows->lo[i] + slack) return SADDLE__AT_LO;
    return p >= rows->hi[i] - slack ? SADDLE__AT_HI : SADDLE__BASIC;
}

static int64_t read_line(saddle__pivoting *s, const saddle__bounded_rows *rows, double *lambda)
{
    int64_t moved = 0;
    for (int64_t i = 0; i < rows->m; i++) {
        if (rows->lo[i] == rows->hi[i] || rows->step[i] == 0.0) continue;
        signed char state = state_on_line(s, rows, i);
        moved += state != s->state[i];
        s->state[i] = state;
        if (state != SADDLE__BASIC) lambda[i] = state == SADDLE__AT_LO ? rows->lo[i] : rows->hi[i];
    }
    return moved;
}

/* Takes a part of the step to lambda: the rows that moved, 0 = it is to be taken whole, as the
 * first of a run is; -1 = there is nothing to be gained on the line. */
static int64_t shorten(saddle__pivoting *s, const saddle__bounded_rows *rows, double *lambda,
                       int first)
{
    saddle__line_rows line = {.m = rows->m, .lo = rows->lo, .hi = rows->hi, .added = rows->added};
    if (first) {
        saddle__line_set(&s->line, &line, lambda, s->w);
        return 0;
    }
    double part = saddle__line_advance(&s->line, &line, lambda, s->w, s->noise);
    return part == 0.0 ? -1 : part < 1.0 ? read_line(s, rows, lambda) : 0;
}

static saddle_status interrupted(const saddle__pivoting *s, const saddle_solver_call *call,
                                 int64_t broken, double began)
{
    double now = saddle_clock();
    if (saddle_context_progress(call->context, "solve", s->steps, 0, (double)broken, now - began))
        return SADDLE_STOPPED;
    return now > call->deadline ? SADDLE_TIME_LIMIT : SADDLE_OK;
}

/* Moves the first `count` of the broken rows. */
static void move_broken(saddle__pivoting *s, const saddle__bounded_rows *rows, double *lambda,
                        int64_t count)
{
    stand(s, rows, lambda); /* before they move with their normals, and those that have just
                               opened */
    for (int64_t k = count; k-- > 0;)
        saddle__pivoting_move(s, rows, lambda, s->broken[k]); /* tangents before their normals */
    stand(s, rows, lambda);
}

saddle_status saddle__pivoting_run(saddle__pivoting *s, const saddle__basis *basis,
                                   const saddle__bounded_rows *rows, const saddle_solver_call *call,
                                   double *lambda)
{
    double began = saddle_clock();
    int64_t least = INT64_MAX;
    int64_t patience = s->patience;
    int64_t singles = 0;
    int64_t searched = 0;
    int one_by_one = 0;
    saddle_status status = SADDLE_OK;
    settle(s, rows, lambda);
    for (;;) {
        status = basis->enter(basis->user, s->state);
        if (status == SADDLE_OK)
            status = saddle__basis_solve_checked(basis, rows->m, s->state, rows->q, lambda, s->w,
                                                 s->noise, &s->exactness);
        if (status != SADDLE_OK) break;
        s->steps++;
        s->left--;
        int64_t count = rows->normal ? find_broken_contacts(s, rows, lambda)
                                     : find_broken(s, rows, lambda);
        if (count <= s->tolerated) break;
        status = s->left > 0 ? interrupted(s, call, count, began) : SADDLE_ITERATION_LIMIT;
        if (status != SADDLE_OK) break;
        int search = rows->added && searched < MOST_SEARCHED;
        int64_t moved = search ? shorten(s, rows, lambda, searched++ == 0) : 0;
        if (moved < 0) searched = MOST_SEARCHED;
        patience = search || count < least ? s->patience : patience - (patience > 0);
        if (count < least) least = count;
        if (patience == 0 && singles++ >= s->most_singles) {
            status = SADDLE_NOT_CONVERGED;
            break;
        }
        call->report->switches.single += patience == 0 && !one_by_one;
        one_by_one = patience == 0;
        if (moved <= 0 && patience > 0 && basis->local)
            moved = saddle__local_pivoting_run(basis->local, basis->system, s, rows, count, lambda);
        if (moved <= 0) {
            moved = patience > 0 ? count : 1;
            move_broken(s, rows, lambda, moved);
        }
        s->pivots += moved;
        s->singles += patience == 0;
    }
    s->knows_slack = status == SADDLE_OK && !rows->normal && basis->system && basis->system->beside;
    if (s->knows_slack)
        clamp_both(s, basis->system, rows, lambda);
    else
        clamp(rows, lambda);
    return status;
}
