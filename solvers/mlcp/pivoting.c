/* SPDX-License-Identifier: MIT */
/* See pivoting.h. */
#include "mlcp/pivoting.h"

#include <string.h>

/* Local pivoting follows a step where at most one in so many rows violates its law. */
enum { LOCAL_SHARE = 100 };

/* Of the noise of w: a basic row's |w_i| beyond this is an inexact solve, 1e-11 of the terms. */
static const double inexact_over_noise = 5000.0;

static void place(saddle__pivoting *s, int64_t count, int searched)
{
    s->state = saddle__layout_take(&s->layout, count, sizeof *s->state);
    s->w = saddle__layout_take(&s->layout, count, sizeof *s->w);
    s->noise = saddle__layout_take(&s->layout, count, sizeof *s->noise);
    s->broken = saddle__layout_take(&s->layout, count, sizeof *s->broken);
    if (searched) saddle__line_place(&s->line, &s->layout, count);
}

saddle_status saddle__pivoting_create(saddle_context *context, int64_t count, int searched,
                                      saddle__pivoting *s)
{
    saddle__pivoting fresh = {.context = context};
    *s = fresh;
    place(s, count, searched);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    place(s, count, searched);
    return status;
}

void saddle__pivoting_clear(saddle__pivoting *s)
{
    saddle__layout_clear(s->context, &s->layout);
}

void saddle__pivoting_begin(saddle__pivoting *s, int64_t count, int64_t most)
{
    s->steps = s->pivots = s->singles = s->corrected = s->inexact = 0;
    s->left = most > 0 ? most : 1000 + (count < INT64_MAX / 100 ? 10 * count : count);
}

/* ---- states ---- */

static double within(double x, saddle__interval bounds)
{
    double above = bounds.lo > x ? bounds.lo : x;
    return bounds.hi < above ? bounds.hi : above;
}

static void clamp(saddle__mlcp_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++)
        rows->lambda[i] = within(rows->lambda[i], saddle__mlcp_bounds(rows, i));
}

static void read_states(saddle__pivoting *s, saddle__mlcp_rows *rows)
{
    clamp(rows);
    for (int64_t i = 0; i < rows->count; i++) {
        saddle__interval bounds = saddle__mlcp_bounds(rows, i);
        s->state[i] = rows->lambda[i] == bounds.lo   ? SADDLE__AT_LO
                      : rows->lambda[i] == bounds.hi ? SADDLE__AT_HI
                                                     : SADDLE__BASIC;
    }
}

/* Rows of zeros have w_i = q_i whatever lambda is: to the finite bound that q_i asks for. */
static void settle_zero_rows(saddle__pivoting *s, saddle__mlcp_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++) {
        if (rows->step[i] != 0.0) continue;
        s->state[i] = rows->q[i] < 0.0 ? SADDLE__AT_HI : SADDLE__AT_LO;
        saddle__interval bounds = saddle__mlcp_bounds(rows, i);
        double bound = rows->q[i] < 0.0 ? bounds.hi : bounds.lo;
        if (rows->q[i] != 0.0 && isfinite(bound)) rows->lambda[i] = bound;
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
    for (int64_t i = 0; rows->normal && i < rows->count; i++) {
        if (rows->normal[i] < 0 || s->state[rows->normal[i]] == SADDLE__BASIC) continue;
        s->state[i] = s->w[i] < 0.0 ? SADDLE__AT_HI : SADDLE__AT_LO;
        rows->lambda[i] = 0.0;
    }
}

/* The first `count` of the violating rows change their state, tangents before their normals. */
static void move_broken(saddle__pivoting *s, saddle__mlcp_rows *rows, int64_t count)
{
    set_open_tangents(s, rows);
    for (int64_t k = count; k-- > 0;)
        set_state(s, rows, s->broken[k], wanted(s, rows, s->broken[k]));
    set_open_tangents(s, rows);
}

/* ---- the line search ---- */

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

/* Takes a part of the step to rows->lambda.  Returns the rows that changed their state; 0: the
 * step is to be taken whole, as the first of a run is; -1: the line gains nothing. */
static int64_t shorten(saddle__pivoting *s, saddle__mlcp_rows *rows, int first)
{
    if (first) {
        saddle__line_set(&s->line, rows, rows->lambda, s->w);
        return 0;
    }
    double part = saddle__line_advance(&s->line, rows, rows->lambda, s->w, s->noise);
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

/* Solves for the basic rows.  w_F = 0 is checked: where rounding of updates and borders spoils it,
 * the solution is refined, then factored anew. */
static saddle_status solve_basis(saddle__pivoting *s, const saddle__basis *basis,
                                 saddle__mlcp_rows *rows)
{
    saddle_status status = SADDLE_OK;
    for (int anew = 0; anew < 2; anew++) {
        if (anew && !basis->renew) break;
        if (anew) status = basis->renew(basis->user, s->state);
        if (status == SADDLE_OK)
            status = basis->solve(basis->user, s->state, rows->q, rows->lambda, s->w, s->noise);
        if (status != SADDLE_OK || is_exact(s, rows->count)) return status;
        s->corrected += !anew;
        if (basis->correct)
            status = basis->correct(basis->user, s->state, rows->q, rows->lambda, s->w, s->noise);
        if (status != SADDLE_OK || is_exact(s, rows->count)) return status;
    }
    s->inexact++;
    return SADDLE_OK;
}

/* A basic impulse within the rounding of w of a bound is set to the bound. */
static void round_to_bounds(const saddle__pivoting *s, saddle__mlcp_rows *rows)
{
    for (int64_t i = 0; i < rows->count; i++) {
        double slack = s->noise[i] * rows->step[i];
        if (s->state[i] != SADDLE__BASIC || (rows->normal && rows->normal[i] >= 0)) continue;
        if (fabs(rows->lambda[i] - rows->lo[i]) <= slack) rows->lambda[i] = rows->lo[i];
        if (fabs(rows->lambda[i] - rows->hi[i]) <= slack) rows->lambda[i] = rows->hi[i];
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
                                   saddle__mlcp_rows *rows, const saddle__pivoting_limits *limits,
                                   const saddle_solver_call *call)
{
    double began = saddle_clock();
    int64_t least = INT64_MAX;
    int64_t patience = limits->patience;
    int64_t singles = 0;
    int search = limits->search;
    int first = 1;
    int64_t local = 0; /* steps that local pivoting may still take without a new minimum */
    saddle_status status = SADDLE_OK;
    read_states(s, rows);
    settle_zero_rows(s, rows);
    for (;;) {
        status = basis->enter(basis->user, s->state);
        if (status == SADDLE_OK) status = solve_basis(s, basis, rows);
        if (status != SADDLE_OK) break;
        s->steps++;
        s->left--;
        int64_t broken = find_broken(s, rows);
        if (broken <= limits->tolerated) break;
        status = interrupted(s, call, broken, began);
        if (status != SADDLE_OK) break;
        local = broken < least ? limits->patience : local - (local > 0);
        int near = local > 0 && basis->settle && LOCAL_SHARE * broken <= rows->count;
        int64_t moved = search ? shorten(s, rows, near || first) : 0;
        patience = search || broken < least ? limits->patience : patience - (patience > 0);
        if (broken < least) least = broken;
        search &= moved >= 0;
        first = 0;
        if (patience == 0 && singles++ >= limits->most_singles) {
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
    clamp(rows);
    return status;
}
