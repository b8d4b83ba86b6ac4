/* SPDX-License-Identifier: MIT */
/* See crash.h: the states and their changes.  Systems are in crash_system.c, the polygon's faces in
 * crash_face.c. */
#include "complementarity/crash.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "complementarity/block_pivoting.h"
#include "complementarity/crash_entering.h"
#include "complementarity/crash_face.h"
#include "problem/cone.h"
#include "problem/problem_internal.h"

enum {
    PATIENCE = 12, /* steps without a new least number of rows that break their law */
    LOOK = 32      /* steps on small systems between looks at the clock */
};

static const double evenly = 1e-2;     /* least over largest diagonal entry */
static const double worst_share = 0.2; /* of the worst breach: smaller ones wait */

saddle_status saddle__crash_create(saddle_context *context, int64_t m, saddle__crash *s)
{
    s->m = m;
    s->state = saddle_allocate(context, m + 1, sizeof *s->state);
    s->wanted = saddle_allocate(context, m + 1, sizeof *s->wanted);
    s->q = saddle_allocate(context, m + 1, sizeof *s->q);
    s->lambda = saddle_allocate(context, m + 1, sizeof *s->lambda);
    s->w = saddle_allocate(context, m + 1, sizeof *s->w);
    s->root = saddle_allocate(context, m + 1, sizeof *s->root);
    s->diagonal = saddle_allocate(context, m + 1, sizeof *s->diagonal);
    s->z = saddle_allocate(context, m + 1, sizeof *s->z);
    s->unknown = saddle_allocate(context, m + 1, sizeof *s->unknown);
    s->exchange = saddle_allocate(context, m + 1, sizeof *s->exchange);
    s->over = saddle_allocate(context, m + 1, sizeof *s->over);
    s->columns = saddle_allocate(context, saddle__crash_entering_room(m) + 1, sizeof *s->columns);
    int whole = s->state && s->wanted && s->q && s->lambda && s->w && s->root && s->diagonal &&
                s->z && s->unknown && s->exchange && s->over && s->columns;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__crash_clear(saddle_context *context, saddle__crash *s)
{
    saddle_release(context, s->state);
    saddle_release(context, s->wanted);
    saddle_release(context, s->q);
    saddle_release(context, s->lambda);
    saddle_release(context, s->w);
    saddle_release(context, s->root);
    saddle_release(context, s->diagonal);
    saddle_release(context, s->z);
    saddle_release(context, s->unknown);
    saddle_release(context, s->exchange);
    saddle_release(context, s->over);
    saddle_release(context, s->columns);
    memset(s, 0, sizeof *s);
}

/* ---- measures ---- */

static double diagonal_of(const saddle__crash *s, int64_t i)
{
    return s->diagonal[i];
}

static void find_roots(saddle__crash *s)
{
    double most = 0.0;
    double least = (double)INFINITY;
    saddle__crash_diagonal(s, s->diagonal);
    for (int64_t i = 0; i < s->m; i++) {
        double d = diagonal_of(s, i);
        most = d > most ? d : most;
        least = d < least ? d : least;
        s->root[i] = sqrt(d);
    }
    s->even = !s->demand && least > 0.0 && least >= evenly * most;
}

/* Columns on demand tell more of the diagonal. */
static int fetch(saddle__crash *s)
{
    if (!saddle__crash_fetch(s)) return 0;
    if (s->demand) find_roots(s);
    return 1;
}

/* What noise of w_i is in lambda_i. */
static double noise_of_impulse(const saddle__crash *s, int64_t i, double noise)
{
    double d = diagonal_of(s, i);
    return d > 0.0 ? noise / d : saddle__crash_rounding * fabs(s->lambda[i]);
}

/* lambda_i - w_i / d_i: positive where the row pushes. */
static double target(const saddle__crash *s, int64_t i)
{
    double d = diagonal_of(s, i);
    return d > 0.0         ? s->lambda[i] - s->w[i] / d
           : s->w[i] < 0.0 ? DBL_MAX
           : s->w[i] > 0.0 ? -DBL_MAX
                           : s->lambda[i];
}

/* Never at an infinite bound, although x may have overflowed. */
static int64_t place_of(double x, double lo, double hi)
{
    if (x <= lo && lo >= -DBL_MAX) return SADDLE__AT_LO;
    return x >= hi && hi <= DBL_MAX ? SADDLE__AT_HI : SADDLE__BASIC;
}

/* ---- what the rows want ---- */

/* Whether it is another state. */
static inline int want_row(saddle__crash *s, int64_t i, double lo, double hi)
{
    double noise = saddle__crash_noise(s, i);
    int64_t state = s->state[i];
    int64_t wanted = state;
    if (state == SADDLE__BASIC) {
        double slack = noise_of_impulse(s, i, noise);
        if (s->lambda[i] < lo - slack) wanted = SADDLE__AT_LO;
        if (s->lambda[i] > hi + slack) wanted = SADDLE__AT_HI;
    } else if (lo < hi && (state == SADDLE__AT_LO ? s->w[i] < -noise : s->w[i] > noise)) {
        wanted = SADDLE__BASIC;
    }
    s->wanted[i] = wanted;
    return wanted != state;
}

static int is_polygon(const saddle__crash *s, const saddle_contact *contact)
{
    return s->problem->law == SADDLE_LAW_PYRAMID && contact->size == 3;
}

static double noise_of_tangents(const saddle__crash *s, const saddle_contact *contact)
{
    double noise = 0.0;
    for (int64_t t = contact->row; t < contact->row + contact->size; t++)
        noise = saddle__larger(noise_of_impulse(s, t, saddle__crash_noise(s, t)), noise);
    return noise;
}

/* anew: whatever the state is. */
static void want_polygon(saddle__crash *s, const saddle_contact *contact, double limit, int anew)
{
    int64_t t = contact->row + 1;
    int64_t facets = saddle_problem_facets(s->problem);
    double d = saddle__larger(diagonal_of(s, t), diagonal_of(s, t + 1));
    if (d == 0.0) d = 1.0;
    double goal[2] = {s->lambda[t] - s->w[t] / d, s->lambda[t + 1] - s->w[t + 1] / d};
    double away = anew ? (double)INFINITY
                       : saddle__face_distance(limit, facets, goal, s->lambda + t);
    s->wanted[t] = away <= noise_of_tangents(s, contact) ? s->state[t]
                                                         : saddle__face_of(limit, facets, goal);
    s->wanted[t + 1] = 0;
}

static void want_tangents(saddle__crash *s, const saddle_contact *contact, double limit, int anew)
{
    double slack = noise_of_tangents(s, contact);
    for (int64_t t = contact->row + 1; t < contact->row + contact->size; t++) {
        double goal = target(s, t);
        int64_t state = s->state[t];
        double at = saddle__clamp(goal, -limit, limit);
        int keeps = !anew && fabs(at - s->lambda[t]) <= slack;
        s->wanted[t] = keeps ? state : place_of(goal, -limit, limit);
    }
}

static void want_contact(saddle__crash *s, const saddle_contact *contact)
{
    int64_t i = contact->row;
    (void)want_row(s, i, 0.0, (double)INFINITY);
    if (s->wanted[i] != SADDLE__BASIC || contact->mu == 0.0) { /* open, or smooth: the tangents are
                                                                  where they were */
        for (int64_t t = i + 1; t < i + contact->size; t++) s->wanted[t] = s->state[t];
        return;
    }
    int closes = s->state[i] != SADDLE__BASIC;
    double limit = contact->mu * saddle__larger(closes ? target(s, i) : s->lambda[i], 0.0);
    if (is_polygon(s, contact))
        want_polygon(s, contact, limit, closes);
    else
        want_tangents(s, contact, limit, closes);
}

/* How many rows want another state. */
static int64_t look_round(saddle__crash *s)
{
    const saddle_problem *p = s->problem;
    const int64_t m = s->m;
    int64_t next = 0; /* contact */
    int64_t count = 0;
    double largest = 0.0;
    for (int64_t i = 0; i < m; i++) {
        double size = s->root[i] * fabs(s->lambda[i]);
        largest = size > largest ? size : largest;
    }
    s->largest = largest;
    for (int64_t i = 0; i < m; i++) {
        if (next == p->contact_count || p->contacts[next].row != i) {
            count += want_row(s, i, saddle__lo(p, i), saddle__hi(p, i));
            continue;
        }
        int64_t end = i + p->contacts[next].size;
        want_contact(s, &p->contacts[next++]);
        for (; i < end; i++) count += s->wanted[i] != s->state[i];
        i--;
    }
    return count;
}

/* ---- the basis ---- */

static saddle__crash_unknown *add(saddle__crash *s, int64_t row)
{
    saddle__crash_unknown *fresh = &s->unknown[s->unknowns++];
    double unit = s->even || s->root[row] == 0.0 ? 1.0 : 1.0 / s->root[row];
    *fresh = (saddle__crash_unknown){
        .row = {row, row, row}, .part = {1.0, 0.0, 0.0}, .rows = 1, .asked = 1, .unit = unit};
    return fresh;
}

static void follow(saddle__crash_unknown *normal, int64_t tangent, double part)
{
    normal->row[normal->rows] = tangent;
    normal->part[normal->rows++] = part;
}

static void list_polygon(saddle__crash *s, const saddle_contact *contact,
                         saddle__crash_unknown *normal)
{
    int64_t t = contact->row + 1;
    saddle__face face = saddle__face_shape(saddle_problem_facets(s->problem), s->state[t]);
    if (s->state[t] == SADDLE__FACE_INSIDE) {
        (void)add(s, t);
        (void)add(s, t + 1);
        return;
    }
    follow(normal, t, contact->mu * face.corner[0]);
    follow(normal, t + 1, contact->mu * face.corner[1]);
    if (!face.is_edge) return;
    saddle__crash_unknown *along = add(s, t);
    along->part[0] = face.edge[0];
    follow(along, t + 1, face.edge[1]);
    along->asked = 2;
}

static void list_contact(saddle__crash *s, const saddle_contact *contact)
{
    int64_t i = contact->row;
    for (int64_t t = i; t < i + contact->size; t++) s->lambda[t] = 0.0;
    if (s->state[i] != SADDLE__BASIC) return;
    saddle__crash_unknown *normal = add(s, i);
    if (contact->mu == 0.0) return;
    if (is_polygon(s, contact)) {
        list_polygon(s, contact, normal);
        return;
    }
    for (int64_t t = i + 1; t < i + contact->size; t++) {
        if (s->state[t] == SADDLE__BASIC)
            (void)add(s, t);
        else
            follow(normal, t, s->state[t] == SADDLE__AT_HI ? contact->mu : -contact->mu);
    }
}

/* The unknowns of the states, and lambda_0. */
static void list_basis(saddle__crash *s)
{
    const saddle_problem *p = s->problem;
    int64_t next = 0;
    s->unknowns = 0;
    for (int64_t i = 0; i < s->m; i++) {
        if (next < p->contact_count && p->contacts[next].row == i) {
            list_contact(s, &p->contacts[next]);
            i += p->contacts[next++].size - 1;
            continue;
        }
        s->lambda[i] = s->state[i] == SADDLE__AT_LO   ? p->lo[i]
                       : s->state[i] == SADDLE__AT_HI ? p->hi[i]
                                                      : 0.0;
        if (s->state[i] == SADDLE__BASIC) (void)add(s, i);
    }
}

static void find_slack(saddle__crash *s)
{
    if (s->m > 0) memcpy(s->w, s->q, (size_t)s->m * sizeof *s->w);
    saddle__crash_add(s, s->lambda, s->w);
}

/* ---- the start ---- */

/* Tangents by the natural map, of contacts that push. */
static void begin_contact(saddle__crash *s, const saddle_contact *contact, int cold)
{
    int64_t i = contact->row;
    double push = saddle__larger(cold ? target(s, i) : s->lambda[i], 0.0);
    for (int64_t t = i; t < i + contact->size; t++) s->wanted[t] = s->state[t] = SADDLE__AT_LO;
    if (push == 0.0) return;
    s->state[i] = SADDLE__BASIC;
    if (is_polygon(s, contact))
        want_polygon(s, contact, contact->mu * push, 1);
    else
        want_tangents(s, contact, contact->mu * push, 1);
    for (int64_t t = i + 1; t < i + contact->size; t++) s->state[t] = s->wanted[t];
}

/* Rows at bounds or between them as lambda is; where it is zero everywhere, as the natural map has
 * it.  0: fetch failed. */
static int begin(saddle__crash *s)
{
    const saddle_problem *p = s->problem;
    int64_t next = 0;
    int cold = 1;
    for (int64_t i = 0; i < s->m; i++) cold &= s->lambda[i] == 0.0;
    s->unknowns = 0;
    if (!fetch(s)) return 0;
    find_slack(s);
    for (int64_t i = 0; i < s->m; i++) {
        if (next < p->contact_count && p->contacts[next].row == i) {
            begin_contact(s, &p->contacts[next], cold);
            i += p->contacts[next++].size - 1;
            continue;
        }
        double lo = saddle__lo(p, i);
        double hi = saddle__hi(p, i);
        s->state[i] = lo == hi ? SADDLE__AT_LO
                               : place_of(cold ? target(s, i) : s->lambda[i], lo, hi);
    }
    for (int64_t i = 0; cold && i < s->m; i++) s->pivots += s->state[i] == SADDLE__BASIC;
    s->warm = !cold;
    return 1;
}

/* By how much row i breaks its law, w_i / sqrt W_ii or sqrt W_ii times the way back within its
 * bounds: alike in any units. */
static double breach(const saddle__crash *s, int64_t i, double lo, double hi)
{
    if (s->state[i] == SADDLE__BASIC)
        return s->root[i] * saddle__larger(lo - s->lambda[i], s->lambda[i] - hi);
    return s->root[i] > 0.0 ? fabs(s->w[i]) / s->root[i] : DBL_MAX;
}

/* Rows outside contacts that break their law by less than `share` of the worst among them keep
 * their state; z holds the breaches. */
static void restrain(saddle__crash *s, double share)
{
    const saddle_problem *p = s->problem;
    double most = 0.0;
    int64_t next = 0; /* contact */
    for (int64_t i = 0; i < s->m; i++) {
        s->z[i] = DBL_MAX;
        if (next < p->contact_count && p->contacts[next].row == i) {
            for (int64_t t = i + 1; t < i + p->contacts[next].size; t++) s->z[t] = DBL_MAX;
            i += p->contacts[next++].size - 1;
            continue;
        }
        if (s->wanted[i] == s->state[i]) continue;
        s->z[i] = breach(s, i, saddle__lo(p, i), saddle__hi(p, i));
        most = saddle__larger(s->z[i], most);
    }
    for (int64_t i = 0; i < s->m; i++)
        if (s->z[i] < share * most) s->wanted[i] = s->state[i];
}

/* How many rows have changed. */
static int64_t take(saddle__crash *s)
{
    int64_t count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        count += s->wanted[i] != s->state[i];
        s->state[i] = s->wanted[i];
    }
    return count;
}

/* Small systems take less than a look at the clock. */
static int interrupted(const saddle__crash *s, const saddle__crash_limits *limits)
{
    int looks = s->m > SADDLE__CRASH_SMALL || s->steps % LOOK == LOOK - 1;
    return looks && limits->interrupt(limits->user, 0);
}

int saddle__crash_run(saddle__crash *s, const saddle_problem *problem, int symmetric,
                      const saddle__crash_limits *limits)
{
    int64_t least = INT64_MAX;
    int64_t patience = PATIENCE;
    s->problem = problem;
    s->symmetric = symmetric;
    s->steps = s->pivots = 0;
    s->shift = 0.0;
    find_roots(s);
    s->warm = 0;
    saddle__entered entered = saddle__crash_enter(s);
    s->steps += entered != SADDLE__NOT_ENTERED;
    if (entered == SADDLE__ENTERED) return 1;
    if (entered == SADDLE__NOT_ENTERED && !begin(s)) return 0;
    while (s->steps < limits->steps && !interrupted(s, limits)) {
        s->steps++;
        list_basis(s);
        if (!fetch(s) || !saddle__crash_factor(s)) return 0;
        find_slack(s);
        saddle__crash_correct(s, s->w, s->lambda);
        find_slack(s);
        int64_t count = look_round(s);
        if (count == 0) {
            s->measure = saddle__crash_measure(s, problem);
            return 1;
        }
        if (!(s->largest < DBL_MAX)) return 0;
        patience = count < least ? PATIENCE : patience - 1;
        least = count < least ? count : least;
        if (patience == 0) return 0;
        if (s->warm || patience < PATIENCE) restrain(s, worst_share);
        s->pivots += take(s);
    }
    return 0;
}
