/* SPDX-License-Identifier: MIT */
/* See path.h: the variables' places, the start and the steps.  Ties are in leaving.c. */
#include "lemke/path.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "lemke/leaving.h"

/* A pivot of the block that is brought in first, below which it counts as singular. */
static const double vanishing = 1e-10;

saddle_status saddle__path_create(saddle_context *context, int64_t most, saddle__revised *revised,
                                  saddle__path *p)
{
    int64_t room = most + 1;
    saddle_status status = revised ? SADDLE_OK
                                   : saddle__tableau_create(context, most, room, &p->tableau);
    p->revised = revised;
    p->rest = saddle_allocate(context, room, sizeof *p->rest);
    p->q = saddle_allocate(context, room, sizeof *p->q);
    p->lo = saddle_allocate(context, room, sizeof *p->lo);
    p->hi = saddle_allocate(context, room, sizeof *p->hi);
    p->inside = saddle_allocate(context, room, sizeof *p->inside);
    p->side = saddle_allocate(context, room, sizeof *p->side);
    p->basic = saddle_allocate(context, room, sizeof *p->basic);
    p->nonbasic = saddle_allocate(context, room, sizeof *p->nonbasic);
    p->place = saddle_allocate(context, 2 * room, sizeof *p->place);
    p->first = saddle_allocate(context, room, sizeof *p->first);
    p->inward = saddle_allocate(context, room, sizeof *p->inward);
    p->value = saddle_allocate(context, room, sizeof *p->value);
    p->least = saddle_allocate(context, room, sizeof *p->least);
    p->most = saddle_allocate(context, room, sizeof *p->most);
    p->column = saddle_allocate(context, room, sizeof *p->column);
    p->cover = saddle_allocate(context, room, sizeof *p->cover);
    p->tie = saddle_allocate(context, room, sizeof *p->tie);
    p->weight = saddle_allocate(context, room, sizeof *p->weight);
    int whole = p->q && p->lo && p->hi && p->inside && p->side && p->basic && p->nonbasic &&
                p->place && p->first && p->inward && p->value && p->least && p->most && p->column &&
                p->cover && p->tie && p->weight && p->rest;
    return status == SADDLE_OK && whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__path_clear(saddle_context *context, saddle__path *p)
{
    void *blocks[] = {p->q,        p->lo,     p->hi,    p->inside, p->side,   p->basic,
                      p->nonbasic, p->place,  p->first, p->inward, p->value,  p->least,
                      p->most,     p->column, p->cover, p->tie,    p->weight, p->rest};
    saddle__tableau_clear(context, &p->tableau);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(p, 0, sizeof *p);
}

void saddle__path_begin(saddle__path *p, int64_t size)
{
    p->size = size;
    saddle__tableau_begin(&p->tableau, size, size + 1);
}

/* ---- places and values ---- */

static double bound_of(const saddle__path *p, int64_t k)
{
    return p->side[k] > 0 ? p->lo[k] : p->hi[k];
}

double saddle__path_value(const saddle__path *p, int64_t k)
{
    return p->place[k] >= 0 ? p->value[p->place[k]] : bound_of(p, k);
}

/* Where a variable is before it moves from its column. */
static double resting(const saddle__path *p, int64_t variable)
{
    if (variable < p->size) return bound_of(p, variable);
    return variable == 2 * p->size ? p->t : 0.0;
}

static void set_basic(saddle__path *p, int64_t r, int64_t variable, double value)
{
    int64_t k = variable % p->size;
    int is_x = variable < p->size;
    int is_y = !is_x && variable < 2 * p->size;
    p->basic[r] = variable;
    p->place[variable] = r;
    p->value[r] = value;
    p->least[r] = is_x ? p->lo[k] : is_y && p->side[k] < 0 ? -(double)INFINITY : 0.0;
    p->most[r] = is_x ? p->hi[k] : is_y && p->side[k] < 0 ? 0.0 : (double)INFINITY;
}

static int take_column(saddle__path *p, int64_t c)
{
    if (p->revised) return saddle__revised_column(p->revised, p->nonbasic[c], p->column);
    saddle__tableau_column(&p->tableau, c, p->column);
    return 1;
}

/* With revised: the values anew, from where the others are. */
static int settle(saddle__path *p)
{
    int64_t t = 2 * p->size;
    for (int64_t k = 0; k < p->size; k++) p->rest[k] = p->place[k] < 0 ? bound_of(p, k) : 0.0;
    return saddle__revised_settle(p->revised, p->q, p->rest, p->place[t] < 0 ? p->t : 0.0,
                                  p->value);
}

/* The variable of column c becomes basic at `value` in row r, whose variable takes the column. */
static int exchange(saddle__path *p, int64_t r, int64_t c, double value)
{
    int64_t entering = p->nonbasic[c];
    int64_t leaving = p->basic[r];
    int done = 1;
    if (p->revised)
        done = saddle__revised_exchange(p->revised, r, entering, p->column);
    else
        saddle__tableau_pivot(&p->tableau, r, c, p->column);
    p->nonbasic[c] = leaving;
    p->place[leaving] = ~c;
    set_basic(p, r, entering, value);
    p->pivots++;
    return done == 2 ? settle(p) : done;
}

static void move(saddle__path *p, double length)
{
    for (int64_t i = 0; i < p->size; i++) p->value[i] += p->column[i] * length;
}

/* ---- the start ---- */

static void choose_side(saddle__path *p, int64_t k)
{
    int lo = isfinite(p->lo[k]);
    int hi = isfinite(p->hi[k]);
    if (lo && hi && p->inside[k] == SADDLE__AT_HIGH) {
        p->side[k] = -1;
        return;
    }
    p->side[k] = lo && (!hi || p->inside[k] == SADDLE__AT_LOW || p->q[k] >= 0.0) ? 1 : -1;
}

/* All x at a bound, all y basic: y = q + B x. */
static void begin_at_bounds(saddle__path *p)
{
    int64_t size = p->size;
    for (int64_t k = 0; k < size; k++) {
        choose_side(p, k);
        set_basic(p, k, size + k, p->q[k]);
        p->nonbasic[k] = k;
        p->place[k] = ~k;
    }
    p->nonbasic[size] = 2 * size;
    p->place[2 * size] = ~size;
    p->t = 0.0;
    for (int64_t k = 0; k < size; k++) {
        double x = bound_of(p, k);
        const double *column = p->tableau.T + k * size;
        for (int64_t i = 0; x != 0.0 && i < size; i++) p->value[i] += column[i] * x;
    }
}

/* Of the y that have to leave, the one with the largest pivot. */
static int64_t largest_leaving(const saddle__path *p)
{
    int64_t best = -1;
    for (int64_t i = 0; i < p->size; i++) {
        int64_t k = p->basic[i] - p->size;
        if (k < 0 || p->inside[k] != SADDLE__INSIDE || !(fabs(p->column[i]) > vanishing)) continue;
        if (best < 0 || fabs(p->column[i]) > fabs(p->column[best])) best = i;
    }
    return best;
}

/* Of each pair one variable is basic: what has come in without its own y leaving, or the other way
 * round, because the block is singular, is to stay out.  0: there was such. */
static int complement(saddle__path *p)
{
    int whole = 1;
    for (int64_t k = 0; k < p->size; k++) {
        if (p->inside[k] != SADDLE__INSIDE || (p->place[k] >= 0 && p->place[p->size + k] < 0))
            continue;
        p->inside[k] = SADDLE__ANYWHERE;
        whole &= (p->place[k] >= 0) != (p->place[p->size + k] >= 0);
    }
    return whole;
}

int saddle__path_enter(saddle__path *p)
{
    begin_at_bounds(p);
    for (int64_t k = 0; k < p->size; k++) {
        if (p->inside[k] != SADDLE__INSIDE) continue;
        saddle__tableau_column(&p->tableau, k, p->column);
        int64_t r = largest_leaving(p);
        if (r < 0) continue;
        double length = -p->value[r] / p->column[r];
        move(p, length);
        (void)exchange(p, r, k, bound_of(p, k) + length);
    }
    return complement(p);
}

int saddle__path_begin_revised(saddle__path *p, const saddle__revised_table *A)
{
    int64_t size = p->size;
    for (int64_t k = 0; k < size; k++) {
        int inside = p->inside[k] == SADDLE__INSIDE;
        choose_side(p, k);
        set_basic(p, k, inside ? k : size + k, 0.0);
        p->nonbasic[k] = inside ? size + k : k;
        p->place[p->nonbasic[k]] = ~k;
    }
    p->nonbasic[size] = 2 * size;
    p->place[2 * size] = ~size;
    p->t = 0.0;
    return saddle__path_refresh(p, A);
}

int saddle__path_refresh(saddle__path *p, const saddle__revised_table *A)
{
    return saddle__revised_begin(p->revised, A, p->basic) && settle(p);
}

/* The values at t, and t drives downwards. */
static void start(saddle__path *p, double t)
{
    if (p->revised)
        saddle__revised_cover(p->revised, p->cover);
    else
        saddle__tableau_replace(&p->tableau, p->size, p->cover);
    for (int64_t i = 0; i < p->size; i++) {
        p->value[i] += p->cover[i] * t;
        p->first[i] = p->basic[i];
        p->inward[i] = p->value[i] - p->least[i] <= p->most[i] - p->value[i] ? 1 : -1;
    }
    p->t = t;
    p->driver = 2 * p->size;
    p->direction = -1.0;
}

/* How far a basic variable is out of its bounds: negative below, positive above. */
static double violation(const saddle__path *p, int64_t i)
{
    return fmin(p->value[i] - p->least[i], 0.0) + fmax(p->value[i] - p->most[i], 0.0);
}

void saddle__path_cover(saddle__path *p, int64_t draw)
{
    uint64_t state = 0x9e3779b97f4a7c15u * (uint64_t)(draw + 1);
    double t = 0.0;
    for (int64_t i = 0; i < p->size; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double weight = draw > 0 ? 0.25 + 0.75 * (double)(state >> 11) * 0x1p-53 : 1.0;
        p->cover[i] = 0.0;
        if (p->basic[i] < p->size) continue; /* without bounds */
        p->cover[i] = p->side[p->basic[i] - p->size] > 0 ? weight : -weight;
        t = fmax(t, fabs(violation(p, i)) / weight);
    }
    start(p, 2.0 * t);
}

void saddle__path_cover_violations(saddle__path *p)
{
    double worst = 0.0;
    for (int64_t i = 0; i < p->size; i++) {
        double outside = violation(p, i);
        double room = fmin(1.0, 0.5 * (p->most[i] - p->least[i]));
        p->cover[i] = outside == 0.0 ? 0.0 : outside < 0.0 ? room - outside : -room - outside;
        worst = fmax(worst, fabs(outside));
    }
    start(p, worst > 0.0 ? 1.0 : 0.0);
}

/* ---- the steps ---- */

/* The partner of a variable that has come to rest, and which way it goes. */
static void hand_over(saddle__path *p, int64_t rested)
{
    int64_t k = rested % p->size;
    p->driver = rested < p->size ? p->size + k : k;
    p->direction = p->side[k];
}

/* Row r's variable has met a bound and leaves for column c. */
static int leave(saddle__path *p, int64_t r, int64_t c, double length)
{
    int64_t leaving = p->basic[r];
    if (leaving < p->size) p->side[leaving] = p->direction * p->column[r] < 0.0 ? 1 : -1;
    double entered = resting(p, p->nonbasic[c]) + p->direction * length;
    int done = exchange(p, r, c, entered);
    hand_over(p, leaving);
    return done;
}

saddle__path_end saddle__path_run(saddle__path *p, int64_t limit, saddle__path_interrupt *interrupt,
                                  void *user)
{
    int64_t t = 2 * p->size;
    if (p->size == 0 || p->t == 0.0) return SADDLE__PATH_SOLVED;
    for (int64_t steps = 0; steps < limit; steps++) {
        if (interrupt(user, p->pivots)) return SADDLE__PATH_INTERRUPTED;
        assert(p->place[p->driver] < 0);
        int64_t c = ~p->place[p->driver];
        if (!take_column(p, c)) return SADDLE__PATH_BROKEN;
        saddle__leaving leaving = saddle__path_leaving(p);
        if (!(leaving.length < (double)INFINITY)) return SADDLE__PATH_RAY;
        move(p, p->direction * leaving.length);
        if (leaving.row < 0 && p->driver == t) return SADDLE__PATH_SOLVED;
        if (leaving.row < 0) { /* from one bound to the other */
            p->side[p->driver] = (signed char)-p->side[p->driver];
            hand_over(p, p->driver);
            continue;
        }
        int ends = p->basic[leaving.row] == t;
        if (!leave(p, leaving.row, c, leaving.length)) return SADDLE__PATH_BROKEN;
        if (ends) return SADDLE__PATH_SOLVED;
    }
    return SADDLE__PATH_LIMIT;
}

void saddle__path_ray(const saddle__path *p, double *x)
{
    for (int64_t k = 0; k < p->size; k++)
        x[k] = p->place[k] >= 0 ? p->direction * p->column[p->place[k]]
               : k == p->driver ? p->direction
                                : 0.0;
}
