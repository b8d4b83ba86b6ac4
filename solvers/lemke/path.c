/* SPDX-License-Identifier: MIT */
/* Lemke's path (Lemke 1965; Cottle, Pang and Stone 1992, 4.4 and 4.9; bounds without splitting:
 * Sargent 1978, Dirkse and Ferris 1995).  Of each pair (x_k, y_k) one variable is basic, but for a
 * pair with both outside while t is basic.  The partner of the last variable to leave is the
 * driver; the first basic variable to meet a bound leaves, or the driver itself crosses to its
 * other bound.
 *
 * Guaranteed, but for rounding: no basis comes twice (lexicographic rule); the path ends with a
 * solution, t = 0, or in a secondary ray.  From the bounds, with d of the signs of the bounds, a
 * solvable problem is solved if A is monotone, copositive-plus or a P-matrix; friction with W > 0
 * is solved.  For a monotone A a ray proves infeasibility.
 *
 * Tried only: any other A; starts from other bases; few pivots (the worst case is exponential; the
 * caller then tries another d).
 *
 * Ends: solved, a ray, the limit of pivots, the caller's interrupt, or a failure of the tableau.
 *
 * Ratio test.  The first basic variables are thought moved inwards by s_j eps^j, and a basic
 * variable's value is
 *
 *     v_i - sum_j T_i,c(j) s_j eps^j     over the j now nonbasic, in column c(j);
 *         + s_j eps^j                    for i's own
 *
 * and the step lengths v_i / a_i of two rows differ by some power of eps: the rows of the
 * inverse of a basis are independent.  The first power to differ decides a tie.
 *
 * Bounds that follow a normal, 0 <= side x_k <= 2 slope x_n (lemke.h).  While x_n is at 0, y_k
 * is free; the sign of y_k sets the side when x_n is to rise.  While x_k is off its bounds, the
 * bounds keep x_n above 0.  An x_k at its moving bound changes sides: A_n and T change, and x_k is
 * at a bound of 0.  Along a ray of W > 0 friction takes work, u'Wu <= 0: the path ends with a
 * solution.
 *
 * The ray of Lemke's path is x + s u, s >= 0, and for a matrix that is copositive-plus z = u gives
 * A'z <= 0 and c'z < 0 in the sense of the bounds: the combination z of the rows contradicts itself
 * (Cottle, Pang and Stone 1992, 4.4).  Whatever the matrix, z is tested on A and c.
 *
 * For another matrix a ray may prove nothing although no x is feasible.  Feasibility is the
 * monotone problem
 *
 *     [ 0  -A' ] [ x ]   [ 0 ]         x within its bounds, z >= 0 where y >= 0 is asked, <= 0
 *     [ A   0  ] [ z ] + [ c ]         where y <= 0, = 0 where both signs are allowed
 *
 * (linear programming), and Lemke's path ends with a feasible x or a ray with a proof z. */
#include "lemke/lemke.h"

#include <math.h>
#include <string.h>

/* ---- the tableau in either form ---- */

static saddle_status create_tableau(saddle_context *context, const saddle__tableau_type *type,
                                    int64_t most, int64_t entries, saddle__tableau *t)
{
    t->type = type;
    t->context = context;
    t->basic = saddle_allocate(context, most + 1, sizeof *t->basic);
    t->nonbasic = saddle_allocate(context, most + 1, sizeof *t->nonbasic);
    t->place = saddle_allocate(context, 2 * most + 1, sizeof *t->place);
    if (!t->basic || !t->nonbasic || !t->place) return SADDLE_OUT_OF_MEMORY;
    return type->create(t, most, entries);
}

static void clear_tableau(saddle__tableau *t)
{
    if (t->form) t->type->clear(t);
    saddle_release(t->context, t->basic);
    saddle_release(t->context, t->nonbasic);
    saddle_release(t->context, t->place);
    memset(t, 0, sizeof *t);
}

static int begin_tableau(saddle__tableau *t, const saddle_matrix *A, const signed char *inside)
{
    int64_t size = A->cols;
    t->A = A;
    t->size = size;
    t->status = SADDLE_OK;
    for (int64_t k = 0; k < size; k++) {
        t->basic[k] = size + k;
        t->nonbasic[k] = k;
        t->place[k] = ~k;
        t->place[size + k] = k;
    }
    t->nonbasic[size] = 2 * size;
    t->place[2 * size] = ~size;
    return t->type->begin(t, inside);
}

/* type->exchange, and the variables change places. */
static int exchange(saddle__tableau *t, int64_t r, int64_t variable, double *column)
{
    int64_t c = ~t->place[variable];
    int64_t leaving = t->basic[r];
    t->basic[r] = variable;
    t->nonbasic[c] = leaving;
    t->place[variable] = r;
    t->place[leaving] = ~c;
    return t->type->exchange(t, r, c, column);
}

/* After A_n += g A_k, that is x_k -= g x_n: where x_k is basic, x_n is.  column (size): scratch.
 * Returns as exchange does.  B's column -a_n becomes -a_n - g a_k, and T's column of x_k is B^-1
 * a_k, or -e_k. */
static int lean(saddle__tableau *t, int64_t n, int64_t k, double g, double *column)
{
    int64_t r = t->place[n];
    int64_t row = t->place[k];
    if (r < 0) {
        if (t->type->add) t->type->add(t, ~r, ~row, g);
        return 1;
    }
    if (row >= 0) memset(column, 0, (size_t)t->size * sizeof *column);
    if (row >= 0) column[row] = -1.0;
    if (row < 0 && !t->type->column(t, k, column)) return 0;
    for (int64_t i = 0; i < t->size; i++) column[i] *= g;
    column[r] -= 1.0;
    return t->type->exchange(t, r, -1, column);
}

/* ---- the path ---- */

static saddle_status make_arrays(saddle_context *context, saddle__path *p, int64_t most)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(p->q, most),
                                    SADDLE__ARRAY(p->lo, most),
                                    SADDLE__ARRAY(p->hi, most),
                                    SADDLE__ARRAY(p->normal, most),
                                    SADDLE__ARRAY(p->slope, most),
                                    SADDLE__ARRAY(p->inside, most),
                                    SADDLE__ARRAY(p->side, most),
                                    SADDLE__ARRAY(p->scratch, most),
                                    SADDLE__ARRAY(p->first, most),
                                    SADDLE__ARRAY(p->inward, most),
                                    SADDLE__ARRAY(p->value, most),
                                    SADDLE__ARRAY(p->least, most),
                                    SADDLE__ARRAY(p->most, most),
                                    SADDLE__ARRAY(p->column, most),
                                    SADDLE__ARRAY(p->cover, most),
                                    SADDLE__ARRAY(p->tie, 2 * most + 1),
                                    SADDLE__ARRAY(p->weight, 2 * most + 1)};
    return saddle__layout_make(context, &p->layout, arrays, SADDLE__LENGTH(arrays));
}

saddle_status saddle__path_create(saddle_context *context, const saddle__tableau_type *type,
                                  int64_t most, int64_t entries, saddle__path *p)
{
    saddle_status status = make_arrays(context, p, most);
    if (status != SADDLE_OK) return status;
    return create_tableau(context, type, most, entries, &p->tableau);
}

void saddle__path_clear(saddle_context *context, saddle__path *p)
{
    clear_tableau(&p->tableau);
    saddle__layout_clear(context, &p->layout);
    memset(p, 0, sizeof *p);
}

/* ---- places and values ---- */

static int is_free(const saddle__path *p, int64_t k)
{
    return !isfinite(p->lo[k]) && !isfinite(p->hi[k]);
}

/* Where a nonbasic x_k is. */
static double bound_of(const saddle__path *p, int64_t k)
{
    if (is_free(p, k)) return 0.0;
    return p->side[k] > 0 ? p->lo[k] : p->hi[k];
}

/* The value of a nonbasic variable. */
static double resting(const saddle__path *p, int64_t variable)
{
    if (variable < p->size) return bound_of(p, variable);
    return variable == 2 * p->size ? p->t : 0.0;
}

static int follows(const saddle__path *p, int64_t k)
{
    return p->normal[k] >= 0;
}

/* 1: x_k is basic, or the driver. */
static int is_active(const saddle__path *p, int64_t k)
{
    return p->tableau.place[k] >= 0 || p->driver == k;
}

/* 1: an x_k that follows x_n, k from *k + 1 on. */
static int next_follower(const saddle__path *p, int64_t n, int64_t *k)
{
    return ++*k < p->size && p->normal[*k] == n;
}

/* 1: some x_k that follows x_n is active: the bounds of x_k keep those of x_n. */
static int is_held(const saddle__path *p, int64_t n)
{
    int held = 0;
    for (int64_t k = n; p->follows && next_follower(p, n, &k);) held |= is_active(p, k);
    return held;
}

/* The bounds of the basic variable of row r.  A y_k is free where x_k is, depending on other
 * equations, and where x_k follows a normal at zero. */
static void set_bounds(saddle__path *p, int64_t r)
{
    int64_t variable = p->tableau.basic[r];
    int64_t k = variable % p->size;
    int is_x = variable < p->size;
    int is_y = !is_x && variable < 2 * p->size;
    int any = is_x ? is_held(p, k)
                   : is_y && (is_free(p, k) || (follows(p, k) && !is_active(p, p->normal[k])));
    int high = (is_y || (is_x && follows(p, k))) && p->side[k] < 0;
    int plain = is_x && !follows(p, k);
    p->least[r] = any || high ? -(double)INFINITY : plain ? p->lo[k] : 0.0;
    p->most[r] = any || (!high && !plain) ? (double)INFINITY : plain ? p->hi[k] : 0.0;
}

static void move(saddle__path *p, double length)
{
    for (int64_t i = 0; i < p->size; i++) p->value[i] += p->column[i] * length;
}

/* The values of the basic from the nonbasic variables. */
static int settle(saddle__path *p)
{
    int64_t t = 2 * p->size;
    for (int64_t k = 0; k < p->size; k++)
        p->scratch[k] = p->tableau.place[k] < 0 ? bound_of(p, k) : 0.0;
    return p->tableau.type->values(&p->tableau, p->q, p->scratch,
                                   p->tableau.place[t] < 0 ? p->t : 0.0, p->value);
}

/* ---- bounds that follow a normal ---- */

/* The other bound of x_k is at far x_n. */
static double far_of(const saddle__path *p, int64_t k)
{
    return 2.0 * p->side[k] * p->slope[k];
}

/* A_n += far A_k; the pattern of A_n contains that of A_k. */
static void lean_column(saddle__path *p, int64_t k)
{
    saddle_matrix *A = p->A;
    int64_t to = A->start[p->normal[k]];
    double g = far_of(p, k);
    for (int64_t at = A->start[k]; at < A->start[k + 1]; at++) {
        while (A->index[to] < A->index[at]) to++;
        A->value[to] += g * A->value[at];
    }
    p->side[k] = (signed char)-p->side[k];
}

/* x_k counts from its other bound: x_k - far x_n.  Returns as exchange does. */
static int change_side(saddle__path *p, int64_t k)
{
    const int64_t *place = p->tableau.place;
    int64_t n = p->normal[k];
    double g = far_of(p, k);
    lean_column(p, k);
    if (place[k] >= 0) p->value[place[k]] -= g * p->value[place[n]];
    int done = lean(&p->tableau, n, k, g, p->scratch);
    return done == 2 ? settle(p) : done;
}

/* After the driver or the basis has changed in the pair of k: sides where the normal is the driver,
 * and bounds of the normal and its followers. */
static int couple(saddle__path *p, int64_t k)
{
    const int64_t *place = p->tableau.place;
    int64_t n = follows(p, k) ? p->normal[k] : k;
    if (place[n] >= 0) set_bounds(p, place[n]);
    for (k = n; next_follower(p, n, &k);) {
        int64_t row = place[p->size + k];
        if (p->driver == n && row >= 0 && p->side[k] * p->value[row] < 0.0 && !change_side(p, k))
            return 0;
        if (row >= 0) set_bounds(p, row);
    }
    return 1;
}

/* ---- the start ---- */

static void choose_side(saddle__path *p, int64_t k)
{
    if (follows(p, k)) {
        int low = p->inside[k] == SADDLE__AT_LOW;
        if ((low || p->inside[k] == SADDLE__AT_HIGH) && low != (p->side[k] > 0)) lean_column(p, k);
        return;
    }
    int lo = isfinite(p->lo[k]);
    int hi = isfinite(p->hi[k]);
    int low = p->inside[k] == SADDLE__AT_LOW || (p->inside[k] != SADDLE__AT_HIGH && p->q[k] >= 0.0);
    p->side[k] = lo && (!hi || low) ? 1 : -1;
}

/* The largest entry of p->column in the rows of y_k, k of the same kind (lemke.h); -1: all vanish.
 */
static int64_t largest_row(const saddle__path *p, signed char kind)
{
    int64_t best = -1;
    for (int64_t i = 0; i < p->size; i++) {
        int64_t k = p->tableau.basic[i] - p->size;
        if (k < 0 || p->inside[k] != kind || !(fabs(p->column[i]) > SADDLE__SUSPECT_PIVOT))
            continue;
        if (best < 0 || fabs(p->column[i]) > fabs(p->column[best])) best = i;
    }
    return best;
}

/* A free x_u (column in p->column) takes the row of y_c, and x_c takes row r, the equation of a
 * free unknown: the x_c with `bounds` finite bounds and the largest |T_cu T_rc|.  2: no x_c. */
static int enter_with_companion(saddle__path *p, int64_t u, int64_t r, int bounds)
{
    saddle__tableau *t = &p->tableau;
    int64_t best = -1;
    double most = 0.0;
    for (int64_t c = 0; c < p->size; c++) {
        int64_t row = t->place[p->size + c];
        if (isfinite(p->lo[c]) + isfinite(p->hi[c]) != bounds || follows(p, c) || row < 0 ||
            !(fabs(p->column[row]) > SADDLE__SUSPECT_PIVOT))
            continue;
        if (!t->type->column(t, c, p->scratch)) return 0;
        double entry = p->scratch[r];
        if (!(fabs(entry) > SADDLE__SUSPECT_PIVOT) || !(fabs(entry * p->column[row]) > most))
            continue;
        most = fabs(entry * p->column[row]);
        best = c;
    }
    if (best < 0) return 2;
    return exchange(&p->tableau, t->place[p->size + best], u, p->column) &&
           t->type->column(t, best, p->column) && exchange(&p->tableau, r, best, p->column);
}

static int enter_left_over(saddle__path *p, int64_t u)
{
    int done = 2;
    for (int bounds = 1; bounds <= 2 && done == 2; bounds++) {
        for (int64_t i = 0; i < p->size && done == 2; i++) {
            int64_t k = p->tableau.basic[i] - p->size;
            if (k >= 0 && is_free(p, k)) done = enter_with_companion(p, u, i, bounds);
        }
    }
    return done;
}

/* Free unknowns take rows of equations, the remaining free unknowns enter with companions, then
 * bounded unknowns take rows of their y. */
static int enter_all(saddle__path *p)
{
    saddle__tableau *t = &p->tableau;
    for (int turn = 0; turn < 3; turn++) {
        signed char kind = turn < 2 ? SADDLE__FREE : SADDLE__INSIDE;
        for (int64_t k = 0; k < p->size; k++) {
            if (p->inside[k] != kind || t->place[k] >= 0) continue;
            if (!t->type->column(t, k, p->column)) return 0;
            int64_t r = turn == 1 ? -1 : largest_row(p, kind);
            if (turn == 1 ? !enter_left_over(p, k)
                          : r >= 0 && !exchange(&p->tableau, r, k, p->column))
                return 0;
        }
    }
    return 1;
}

/* Bounded unknowns inside without y outside, or outside without y inside, are to stay outside, and
 * followers of a normal outside; 0: some. */
static int complement(saddle__path *p)
{
    const int64_t *place = p->tableau.place;
    int whole = 1;
    for (int64_t k = 0; k < p->size; k++) {
        int is_in = place[k] >= 0 && place[p->size + k] < 0;
        if (p->inside[k] != SADDLE__INSIDE ||
            (is_in && (!follows(p, k) || place[p->normal[k]] >= 0)))
            continue;
        p->inside[k] = SADDLE__ANYWHERE;
        whole &= place[k] < 0 && place[p->size + k] >= 0;
    }
    return whole;
}

static int begin(saddle__path *p)
{
    saddle__tableau *t = &p->tableau;
    p->t = 0.0;
    p->driver = 2 * p->size;
    for (int64_t k = 0; k < p->size; k++) choose_side(p, k);
    do {
        int begun = begin_tableau(t, p->A, p->inside);
        if (!begun || (begun == 1 && !enter_all(p))) return 0;
    } while (!complement(p));
    if (!settle(p)) return 0;
    for (int64_t i = 0; i < p->size; i++) set_bounds(p, i);
    return 1;
}

static int is_left_over(saddle__path *p, int64_t k)
{
    if (!is_free(p, k) || p->tableau.place[k] >= 0) return 0;
    p->driver = k;
    p->direction = 1.0;
    return p->tableau.type->column(&p->tableau, k, p->column) ? 1 : (int)p->tableau.status;
}

/* What a basic x_n lacks for the bounds of its basic followers; negative or 0. */
static double shortage(const saddle__path *p, int64_t n, double normal)
{
    double asked = 0.0;
    for (int64_t k = n; next_follower(p, n, &k);) {
        if (p->tableau.place[k] < 0) continue;
        double x = p->value[p->tableau.place[k]] / p->slope[k]; /* lambda_k: x - side lambda_n */
        asked = fmax(asked, fabs(x - p->side[k] * normal));
    }
    return fmin(normal - asked, 0.0);
}

/* How far a basic variable is out of its bounds: negative below, positive above; of bounds that
 * follow a normal the normal is. */
static double violation(const saddle__path *p, int64_t i)
{
    int64_t variable = p->tableau.basic[i];
    if (variable < p->size && follows(p, variable)) return 0.0;
    if (variable < p->size && is_held(p, variable)) return shortage(p, variable, p->value[i]);
    return fmin(p->value[i] - p->least[i], 0.0) + fmax(p->value[i] - p->most[i], 0.0);
}

/* The direction of a basic variable inwards; of two finite bounds from the violated bound.
 */
static double inwards(const saddle__path *p, int64_t i)
{
    int lo = isfinite(p->least[i]);
    int hi = isfinite(p->most[i]);
    double outside = violation(p, i);
    if (lo && hi) return outside < 0.0 ? 1.0 : outside > 0.0 ? -1.0 : 0.0;
    return lo ? 1.0 : hi ? -1.0 : outside < 0.0 ? 1.0 : 0.0;
}

/* Followers keep lambda_k where d raises the normal. */
static void cover_followers(saddle__path *p, double t)
{
    for (int64_t k = 0; p->follows && k < p->size; k++) {
        int64_t row = p->tableau.place[k];
        if (!follows(p, k) || row < 0) continue;
        p->cover[row] = p->side[k] * p->slope[k] * p->cover[p->tableau.place[p->normal[k]]];
        p->value[row] += p->cover[row] * t;
    }
}

static void cover(saddle__path *p, int64_t draw, int violated)
{
    uint64_t state = 0x9e3779b97f4a7c15u * (uint64_t)(draw + 1);
    double t = 0.0;
    for (int64_t i = 0; i < p->size; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        p->weight[i] = draw > 0 ? 0.25 + 0.75 * (double)(state >> 11) * 0x1p-53 : 1.0;
        t = fmax(t, 2.0 * fabs(violation(p, i)) / p->weight[i]);
    }
    if (t > 0.0) t = fmax(t, 1.0);
    for (int64_t i = 0; i < p->size; i++) {
        double outside = fabs(violation(p, i));
        double most = outside + 0.5 * (p->most[i] - p->least[i]);
        double way = violated && outside == 0.0 ? 0.0 : fmin(t * p->weight[i], most);
        p->cover[i] = t > 0.0 ? inwards(p, i) * (way / t) : 0.0;
        p->value[i] += p->cover[i] * t;
        p->first[i] = p->tableau.basic[i];
        p->inward[i] = p->value[i] - p->least[i] <= p->most[i] - p->value[i] ? 1 : -1;
    }
    cover_followers(p, t);
    p->tableau.type->cover(&p->tableau, p->cover);
    p->t = t;
    p->driver = 2 * p->size;
    p->direction = -1.0;
}

/* ---- the ratio test ---- */

/* A candidate is a row, at its bound; size + a row, at the bound that moves with the normal; or -1,
 * the driver at its other bound. */
typedef struct leaving {
    double length; /* of the driver's step; INFINITY = unbounded */
    int64_t row;   /* the candidate; -2: the tableau failed */
} leaving;

static int64_t count_candidates(const saddle__path *p)
{
    return p->follows ? 2 * p->size : p->size;
}

static inline int64_t row_of(const saddle__path *p, int64_t c)
{
    return c < p->size ? c : c - p->size;
}

/* The unknown with a bound that follows the normal; -1: none. */
static inline int64_t follower_of(const saddle__path *p, int64_t c)
{
    if (c >= 0 && c < p->size) return -1;
    int64_t variable = c < 0 ? p->driver : p->tableau.basic[c - p->size];
    return variable < p->size && follows(p, variable) ? variable : -1;
}

/* The rate of a candidate as the driver goes its way; 0: the row has no moving bound. */
static inline double rate_of(const saddle__path *p, int64_t c)
{
    int64_t k = follower_of(p, c);
    if (k < 0 && c >= p->size) return 0.0;
    double rate = c < 0 ? 1.0 : p->column[row_of(p, c)];
    if (k >= 0) rate -= far_of(p, k) * p->column[p->tableau.place[p->normal[k]]];
    return p->direction * rate;
}

/* The step with which a candidate meets its bound. */
static inline double length_of(const saddle__path *p, int64_t c, double rate)
{
    int64_t k = follower_of(p, c);
    double value = c < 0 ? 0.0 : p->value[row_of(p, c)];
    if (k < 0) {
        double length = ((rate > 0.0 ? p->most[c] : p->least[c]) - value) / rate;
        return length > 0.0 ? length : 0.0;
    }
    value -= far_of(p, k) * p->value[p->tableau.place[p->normal[k]]];
    return rate * p->side[k] > 0.0 ? fmax(-value / rate, 0.0) : (double)INFINITY;
}

/* How far the driver can go by its own bounds. */
static double own_length(const saddle__path *p)
{
    if (follower_of(p, -1) >= 0) {
        double rate = rate_of(p, -1);
        return fabs(rate) > SADDLE__SUSPECT_PIVOT ? length_of(p, -1, rate) : (double)INFINITY;
    }
    if (p->driver < p->size) return p->hi[p->driver] - p->lo[p->driver];
    return p->driver == 2 * p->size ? p->t : (double)INFINITY;
}

static double least_pivot(const saddle__path *p)
{
    double most = 1.0;
    for (int64_t i = 0; i < p->size; i++)
        most = fabs(p->column[i]) > most ? fabs(p->column[i]) : most;
    return SADDLE__SUSPECT_PIVOT * most;
}

/* tie <- rows meeting a bound at about `least`, without pivots that vanish beside the largest; the
 * row of t alone, if among the rows. Returns the count. */
static int64_t collect(saddle__path *p, double least, double smallest)
{
    int64_t count = 0;
    double strongest = 0.0;
    for (int64_t i = 0; i < count_candidates(p); i++) {
        double rate = rate_of(p, i);
        if (!(fabs(rate) > smallest)) continue;
        double beyond = (length_of(p, i, rate) - least) * fabs(rate);
        if (!(beyond <= SADDLE__SUSPECT_PIVOT)) continue;
        if (p->tableau.basic[row_of(p, i)] == 2 * p->size) {
            p->tie[0] = i;
            return 1;
        }
        p->tie[count++] = i;
        strongest = fmax(strongest, fabs(rate));
    }
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (fabs(rate_of(p, p->tie[k])) >= SADDLE__VISIBLE_PART * strongest)
            p->tie[kept++] = p->tie[k];
    if (own_length(p) - least <= SADDLE__SUSPECT_PIVOT) p->tie[kept++] = -1;
    return kept;
}

/* The change of a basic variable's distance to its bound by power j of eps; place: of the variable
 * of that power, with its column in p->scratch where nonbasic. */
static double change_of(const saddle__path *p, int64_t place, int64_t row)
{
    return place < 0 ? p->scratch[row] : place == row ? -1.0 : 0.0;
}

/* weight <- change of the step length by power j of eps, for each candidate in tie. */
static int weigh(saddle__path *p, int64_t j, int64_t count)
{
    saddle__tableau *t = &p->tableau;
    int64_t place = t->place[p->first[j]];
    if (place < 0 && !t->type->column(t, p->first[j], p->scratch)) return 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t c = p->tie[i];
        int64_t k = follower_of(p, c);
        double change = c < 0 ? 0.0 : change_of(p, place, row_of(p, c));
        if (k >= 0) change -= far_of(p, k) * change_of(p, place, t->place[p->normal[k]]);
        p->weight[i] = change == 0.0 ? 0.0 : p->inward[j] * change / rate_of(p, c);
    }
    return 1;
}

/* The lexicographically least row of tie[0 .. count), thinned out power by power. */
static int64_t decide(saddle__path *p, int64_t count)
{
    for (int64_t j = 0; j < p->size && count > 1; j++) {
        double least = (double)INFINITY;
        double most = 0.0;
        int64_t kept = 0;
        if (!weigh(p, j, count)) return -2;
        for (int64_t k = 0; k < count; k++) {
            least = p->weight[k] < least ? p->weight[k] : least;
            most = fabs(p->weight[k]) > most ? fabs(p->weight[k]) : most;
        }
        for (int64_t k = 0; k < count; k++)
            if (p->weight[k] <= least + SADDLE__SUSPECT_PIVOT * most) p->tie[kept++] = p->tie[k];
        count = kept;
    }
    return p->tie[0];
}

static leaving find_leaving(saddle__path *p)
{
    double smallest = least_pivot(p);
    leaving found = {.length = own_length(p), .row = -1};
    for (int64_t c = 0; c < count_candidates(p); c++) {
        double rate = rate_of(p, c);
        if (!(fabs(rate) > smallest)) continue;
        double length = length_of(p, c, rate);
        if (length < found.length) found.length = length;
    }
    if (found.length < (double)INFINITY) found.row = decide(p, collect(p, found.length, smallest));
    return found;
}

/* ---- the path ---- */

/* The partner of the variable come to rest drives next, away from the bound. */
static int hand_over(saddle__path *p, int64_t rested)
{
    int64_t k = rested % p->size;
    p->driver = rested < p->size ? p->size + k : k;
    p->direction = p->side[k];
    return rested == 2 * p->size || !p->follows || couple(p, k);
}

/* The candidate's variable has met a bound and leaves for the driver. */
static int leave(saddle__path *p, int64_t candidate, double length)
{
    int64_t r = row_of(p, candidate);
    int64_t k = follower_of(p, candidate);
    if (k >= 0) {
        int64_t n = p->tableau.place[p->normal[k]];
        p->column[r] -= far_of(p, k) * p->column[n];
        if (!change_side(p, k)) return 0;
    }
    move(p, p->direction * length);
    int64_t left = p->tableau.basic[r];
    double entered = resting(p, p->driver) + p->direction * length;
    if (left < p->size && !follows(p, left))
        p->side[left] = p->direction * p->column[r] < 0.0 ? 1 : -1;
    int done = exchange(&p->tableau, r, p->driver, p->column);
    p->value[r] = entered;
    set_bounds(p, r);
    p->pivots++;
    if (done == 2) done = settle(p);
    return done && hand_over(p, left);
}

/* The driver has met its other bound. */
static int cross(saddle__path *p, double length)
{
    int64_t k = p->driver;
    move(p, p->direction * length);
    if (follows(p, k) && !change_side(p, k)) return 0;
    if (!follows(p, k)) p->side[k] = (signed char)-p->side[k];
    return hand_over(p, k);
}

static saddle__path_end run(saddle__path *p, const saddle__path_request *asked)
{
    int64_t t = 2 * p->size;
    if (p->size == 0 || p->t == 0.0) return SADDLE__PATH_SOLVED;
    for (int64_t steps = 0; steps < asked->limit; steps++) {
        if (asked->interrupt(asked->user, p->pivots)) return SADDLE__PATH_INTERRUPTED;
        if (!p->tableau.type->column(&p->tableau, p->driver, p->column)) return SADDLE__PATH_BROKEN;
        leaving found = find_leaving(p);
        if (!(found.length < (double)INFINITY)) return SADDLE__PATH_RAY;
        if (found.row == -2) return SADDLE__PATH_BROKEN;
        if (found.row < 0 && p->driver == t) {
            move(p, p->direction * found.length);
            return SADDLE__PATH_SOLVED;
        }
        int ends = found.row >= 0 && p->tableau.basic[row_of(p, found.row)] == t;
        int done = found.row < 0 ? cross(p, found.length) : leave(p, found.row, found.length);
        if (!done) return SADDLE__PATH_BROKEN;
        if (ends) return SADDLE__PATH_SOLVED;
    }
    return SADDLE__PATH_LIMIT;
}

static void take_ray(const saddle__path *p, double *x)
{
    for (int64_t k = 0; k < p->size; k++) {
        int64_t place = p->tableau.place[k];
        x[k] = place >= 0 ? p->direction * p->column[place] : k == p->driver ? p->direction : 0.0;
    }
}

/* ---- the proof of a ray ---- */

/* z with the signs the rows allow; negligible multipliers become 0. */
static void clamp(const saddle__expansion *e, double *z)
{
    double most = 0.0;
    for (int64_t k = 0; k < e->size; k++) {
        if (isfinite(e->lo[k])) z[k] = fmax(z[k], 0.0);
        if (isfinite(e->hi[k])) z[k] = fmin(z[k], 0.0);
        if (!saddle__expansion_is_free(e, k)) most = fmax(most, fabs(z[k]));
    }
    for (int64_t k = 0; k < e->size; k++)
        if (fabs(z[k]) <= SADDLE__NEGLIGIBLE_IMPULSE * most) z[k] = 0.0;
}

/* The largest gradient x_k within the bounds; modulus: of the gradient's terms. */
static double largest_product(const saddle__expansion *e, int64_t k, double gradient,
                              double modulus)
{
    if (fabs(gradient) <= SADDLE__NEGLIGIBLE_IMPULSE * modulus) return 0.0;
    return gradient * ((gradient > 0.0 ? e->hi[k] : e->lo[k]) / e->column_unit[k]);
}

/* z'A_k; modulus += moduli of the terms. */
static double gradient_of(const saddle_matrix *A, const double *z, int64_t k, double *modulus)
{
    double gradient = 0.0;
    for (int64_t at = A->start[k]; at < A->start[k + 1]; at++) {
        double term = z[A->index[at]] * A->value[at];
        gradient += term;
        *modulus += fabs(term);
    }
    return gradient;
}

/* Of a normal with its followers the gradient on the worst edge: side slope g_k of A becomes
 * slope |g_k|. */
static double worst_gradient(const saddle__path *p, const saddle__expansion *e, const double *z,
                             int64_t n, double *modulus)
{
    double gradient = gradient_of(&e->A, z, n, modulus);
    for (int64_t k = n + 1; k < e->size && e->normal[k] == n; k++) {
        double own = gradient_of(&e->A, z, k, modulus);
        gradient += p->slope[k] * (p->side[k] * own + fabs(own));
    }
    return gradient;
}

static int contradicts(const saddle__path *p, const saddle__expansion *e, const double *c,
                       const double *z)
{
    double sum = 0.0;
    double moduli = 0.0;
    for (int64_t k = 0; k < e->size; k++) {
        double term = z[k] * e->row_unit[k] * c[k];
        sum += term;
        moduli += fabs(term);
    }
    for (int64_t j = 0; j < e->size && sum < (double)INFINITY; j++) {
        double modulus = 0.0;
        double gradient = worst_gradient(p, e, z, j, &modulus);
        double product = largest_product(e, j, gradient, modulus);
        sum += product;
        moduli += fabs(product);
    }
    return sum < -SADDLE__NEGLIGIBLE_IMPULSE * moduli;
}

/* The functions below write z (size), multipliers of the rows, and return 1: z is a proof; 0:
 * nothing is proven; or a negative status.  c: size.
 *
 * From the ray at the end of a path; the multipliers are the last size of its unknowns. */
static int ray_contradicts(const saddle__path *p, const saddle__expansion *e, const double *c,
                           double *z)
{
    int64_t first = p->size - e->size;
    take_ray(p, p->scratch);
    for (int64_t k = 0; k < e->size; k++)
        z[k] = p->scratch[first + k] * (first > 0 ? 1.0 : e->column_unit[k] / e->row_unit[k]);
    clamp(e, z);
    return contradicts(p, e, c, z);
}

/* From dependent equations of free unknowns, after begin. */
static int equations_contradict(saddle__path *p, const saddle__expansion *e, const double *c,
                                double *z)
{
    for (int64_t k = 0; k < p->size; k++) {
        int left_over = is_left_over(p, k);
        if (left_over < 0) return left_over;
        for (p->direction = 1.0; left_over && p->direction >= -1.0; p->direction -= 2.0)
            if (ray_contradicts(p, e, c, z)) return 1;
    }
    return 0;
}

saddle__path_end saddle__path_follow(saddle__path *p, const saddle__expansion *e, const double *c,
                                     const saddle__path_request *asked, double *z, int *proven)
{
    *proven = 0;
    p->pivots = 0;
    if (!begin(p)) return SADDLE__PATH_BROKEN;
    *proven = equations_contradict(p, e, c, z);
    cover(p, asked->draw, asked->violated);
    saddle__path_end end = run(p, asked);
    if (end == SADDLE__PATH_RAY && *proven == 0) *proven = ray_contradicts(p, e, c, z);
    return end;
}

/* ---- the skew problem ---- */

/* S <- [0 -A'; A 0].  S, T: empty; T: A', scratch. */
static saddle_status make_skew(saddle_context *context, const saddle_matrix *A, saddle_matrix *S,
                               saddle_matrix *T)
{
    int64_t size = A->cols;
    saddle_status status = saddle_matrix_transpose(context, A, T);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, 2 * size, 2 * size, 2 * A->start[size],
                                      SADDLE_SYMMETRY_NONE, S);
    for (int64_t j = 0, at = 0; status == SADDLE_OK && j < 2 * size; j++) {
        const saddle_matrix *from = j < size ? A : T;
        int64_t column = j % size;
        for (int64_t k = from->start[column]; k < from->start[column + 1]; k++, at++) {
            S->index[at] = j < size ? size + A->index[k] : T->index[k];
            S->value[at] = j < size ? A->value[k] : -T->value[k];
        }
        S->start[j + 1] = at;
    }
    return status;
}

static void fill_path(const saddle__path *of, saddle_matrix *S, saddle__path *p)
{
    p->size = 2 * of->size;
    p->A = S;
    for (int64_t k = 0; k < of->size; k++) {
        int64_t z = of->size + k;
        p->lo[k] = of->lo[k];
        p->hi[k] = of->hi[k];
        p->lo[z] = isfinite(of->lo[k]) ? 0.0 : -(double)INFINITY;
        p->hi[z] = isfinite(of->hi[k]) ? 0.0 : (double)INFINITY;
        p->q[k] = 0.0;
        p->q[z] = of->q[k];
        p->normal[k] = p->normal[z] = -1;
        p->inside[k] = p->inside[z] = of->inside[k];
    }
}

int saddle__rows_contradict(saddle_context *context, const saddle__path *of,
                            const saddle__expansion *e, const double *c,
                            saddle__path_interrupt *interrupt, void *user, double *z)
{
    int64_t size = e->size;
    const saddle__tableau_type *form = 2 * size <= SADDLE__LARGEST_TABLEAU
                                           ? &saddle__tableau_dense
                                           : &saddle__tableau_factored;
    saddle_matrix S = {0}, T = {0};
    saddle__path p = {0};
    int proven = 0;
    saddle_status status = make_skew(context, &e->A, &S, &T);
    if (status == SADDLE_OK)
        status = saddle__path_create(context, form, 2 * size, S.start[2 * size], &p);
    if (status == SADDLE_OK) {
        fill_path(of, &S, &p);
        saddle__path_request asked = {.limit = SADDLE__PATH_PIVOTS * (p.size + 1),
                                      .interrupt = interrupt,
                                      .user = user};
        (void)saddle__path_follow(&p, e, c, &asked, z, &proven);
        status = p.tableau.status == SADDLE_SINGULAR ? SADDLE_OK : p.tableau.status;
    }
    saddle__path_clear(context, &p);
    saddle_matrix_clear(&S);
    saddle_matrix_clear(&T);
    return status == SADDLE_OK ? proven : (int)status;
}
