/* SPDX-License-Identifier: MIT */
/* See residual_twin.h. */
#include "residual_twin.h"

#include <math.h>
#include <string.h>

/* ---- a drawn problem and its dense twin ---- */

static double draw_value(uint64_t *state)
{
    return test_integer(state, 0, 2) == 0 ? 0.0 : test_uniform(state, -2, 2);
}

static saddle_matrix sparse_of(double A[MOST][MOST], int64_t rows, int64_t cols, int transposed,
                               saddle_symmetry symmetry)
{
    int64_t row[MOST * MOST];
    int64_t col[MOST * MOST];
    double value[MOST * MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            if (A[i][j] == 0 || (symmetry == SADDLE_SYMMETRY_LOWER && j > i)) continue;
            row[count] = transposed ? j : i;
            col[count] = transposed ? i : j;
            value[count++] = A[i][j];
        }
    saddle_matrix S;
    assert_int_equal(saddle_matrix_from_triplets(NULL, transposed ? cols : rows,
                                                 transposed ? rows : cols, count, row, col, value,
                                                 symmetry, &S),
                     SADDLE_OK);
    return S;
}

static void draw_square(uint64_t *state, double A[MOST][MOST], int64_t n, int symmetric,
                        double diagonal)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            A[i][j] = draw_value(state);
            A[j][i] = symmetric ? A[i][j] : draw_value(state);
        }
    for (int64_t i = 0; i < n; i++) A[i][i] += diagonal;
}

static void draw_bounds(uint64_t *state, drawn *d)
{
    for (int64_t i = 0; i < d->problem.m; i++) {
        int64_t kind = test_integer(state, 0, 3);
        d->lo[i] = kind == 0 || kind == 2 ? -INF : (kind == 1 ? 0.0 : test_uniform(state, -1, 0));
        d->hi[i] = kind == 0 || kind == 1 ? INF : (kind == 2 ? 0.0 : test_uniform(state, 0, 1));
    }
}

static void draw_contacts(uint64_t *state, drawn *d)
{
    int64_t row = 0;
    while (1) {
        row += test_integer(state, 0, 2);
        int64_t size = test_integer(state, 2, test_integer(state, 0, 1) ? 3 : 6);
        if (row + size > d->problem.m) break;
        double mu[3];
        for (int k = 0; k < 3; k++)
            mu[k] = test_integer(state, 0, 4) == 0 ? 0.0 : test_uniform(state, 0, 1);
        d->contacts[d->problem.contact_count++] = (saddle_contact){
            .row = row,
            .size = size,
            .mu = mu[0],
            .mu_torsion = size % 2 == 0 && size > 2 ? mu[1] : 0,
            .mu_rolling = size > 4 ? mu[2] : 0};
        row += size;
    }
}

void fill_matrices(drawn *d)
{
    saddle_symmetry symmetry = d->symmetry;
    clear_drawn(d);
    d->problem.M = sparse_of(d->M, d->problem.n, d->problem.n, 0, symmetry);
    d->problem.Jt = sparse_of(d->J, d->problem.m, d->problem.n, 1, SADDLE_SYMMETRY_NONE);
    d->problem.R = sparse_of(d->R, d->problem.m, d->problem.m, 0, symmetry);
}

/* Velocities without mass, rows without a diagonal. */
static void take_diagonals(uint64_t *state, drawn *d, int64_t n, int64_t m)
{
    for (int64_t j = 0; j < n; j++)
        if (test_integer(state, 0, 2) == 0) d->M[j][j] = 0;
    for (int64_t i = 0; i < m; i++)
        if (test_integer(state, 0, 2) == 0) d->R[i][i] = 0;
}

void draw_any_problem(uint64_t *state, drawn *d)
{
    memset(d, 0, sizeof *d);
    int64_t n = test_integer(state, 0, 3) == 0 ? 0 : test_integer(state, 1, MOST);
    int64_t m = test_integer(state, 0, 5) == 0 ? 0 : test_integer(state, 1, MOST);
    int symmetric = (int)test_integer(state, 0, 1);
    draw_square(state, d->M, n, symmetric, 5);
    draw_square(state, d->R, m, symmetric, n == 0 ? 5 : 0);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) d->J[i][j] = draw_value(state);
    for (int64_t j = 0; j < n; j++) d->f[j] = draw_value(state), d->v[j] = draw_value(state);
    for (int64_t i = 0; i < m; i++) d->b[i] = draw_value(state), d->lambda[i] = draw_value(state);
    if (test_integer(state, 0, 2) == 0) take_diagonals(state, d, n, m);
    d->problem.m = m;
    draw_contacts(state, d);
    d->symmetry = symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE;
    d->problem = (saddle_problem){
        .n = n,
        .m = m,
        .f = d->f,
        .b = d->b,
        .lo = d->lo,
        .hi = d->hi,
        .contacts = d->contacts,
        .contact_count = d->problem.contact_count,
        .law = (saddle_law)test_integer(state, 0, 3),
        .facets = test_integer(state, 3, 9),
    };
    draw_bounds(state, d);
    fill_matrices(d);
}

void clear_drawn(drawn *d)
{
    saddle_matrix_clear(&d->problem.M);
    saddle_matrix_clear(&d->problem.Jt);
    saddle_matrix_clear(&d->problem.R);
}

/* Velocity j in units of 1/c: M's row and column and f times c, J's column times c. */
static void scale_velocity(drawn *d, int64_t j, double c)
{
    for (int64_t k = 0; k < d->problem.n; k++) d->M[j][k] *= c;
    for (int64_t k = 0; k < d->problem.n; k++) d->M[k][j] *= c;
    for (int64_t i = 0; i < d->problem.m; i++) d->J[i][j] *= c;
    d->f[j] *= c;
    d->v[j] /= c;
}

static void scale_row(drawn *d, int64_t i, double c)
{
    for (int64_t j = 0; j < d->problem.n; j++) d->J[i][j] *= c;
    for (int64_t k = 0; k < d->problem.m; k++) d->R[i][k] *= c;
    for (int64_t k = 0; k < d->problem.m; k++) d->R[k][i] *= c;
    d->b[i] *= c;
    d->lambda[i] /= c;
    d->lo[i] /= c;
    d->hi[i] /= c;
}

/* 1: every row of the contact has a diagonal, of masses or its own. */
static int has_units(const drawn *d, const saddle_contact *c)
{
    for (int64_t i = c->row; i < c->row + c->size; i++) {
        double size = fabs(d->R[i][i]);
        for (int64_t j = 0; j < d->problem.n; j++)
            if (d->M[j][j] != 0) size += fabs(d->J[i][j]);
        if (size == 0) return 0;
    }
    return 1;
}

/* The law stays the same where row i of a part is scaled by c, if its coefficient is, by 1/c. */
static void scale_part(saddle_contact *contact, int part, double c)
{
    *(part == 1 ? &contact->mu_torsion : &contact->mu_rolling) /= c;
}

void draw_units(uint64_t *state, drawn *d, double *unit)
{
    int64_t n = d->problem.n;
    int64_t contact = 0;
    double drawn_unit[2 * MOST];
    for (int64_t j = 0; j < n; j++) {
        drawn_unit[j] = ldexp(1.0, (int)test_integer(state, -30, 30));
        scale_velocity(d, j, drawn_unit[j]);
    }
    for (int64_t i = 0; i < d->problem.m;) {
        int is_contact = contact < d->problem.contact_count && d->contacts[contact].row == i;
        saddle_contact *owner = is_contact ? &d->contacts[contact++] : NULL;
        int64_t first = i, size = owner ? owner->size : 1;
        double c = ldexp(1.0, (int)test_integer(state, -30, 30)), part[3] = {1, 1, 1};
        for (int g = 1; owner && g < 3 && has_units(d, owner); g++) {
            part[g] = ldexp(1.0, (int)test_integer(state, -8, 8));
            scale_part(owner, g, part[g]);
        }
        for (int64_t end = i + size; i < end; i++) {
            drawn_unit[n + i] = c * (i > first ? part[part_of(size, i - first)] : 1);
            scale_row(d, i, drawn_unit[n + i]);
        }
    }
    fill_matrices(d);
    if (unit) memcpy(unit, drawn_unit, sizeof drawn_unit);
}

/* ---- the definition, dense; nothing shared with the code under test ---- */

int part_of(int64_t size, int64_t i)
{
    static const int parts[7][6] = {[2] = {0, 0},
                                    [3] = {0, 0, 0},
                                    [4] = {0, 0, 0, 1},
                                    [5] = {0, 0, 0, 2, 2},
                                    [6] = {0, 0, 0, 1, 2, 2}};
    return parts[size][i];
}

double mu_of(const saddle_contact *contact, int64_t i)
{
    const double mu[3] = {contact->mu, contact->mu_torsion, contact->mu_rolling};
    return mu[part_of(contact->size, i)];
}

/* With the lengths of its parts held against their limits, the nearest point of K to x lies at the
 * normal n >= 0 that makes
 *
 *     (n - x_0)^2 + sum_g weight_g (min(|x_g|, mu_g n) - |x_g|)^2
 *
 * least: bisection on the sign of its derivative, which grows with n. Impulses may be 1e12 times
 * what is measured: in double their difference would be off by 1e-4 of that. */
void nearest_in_cone(const saddle_contact *contact, const double *weight, const long double *x,
                     long double *nearest)
{
    const double mu[3] = {contact->mu, contact->mu_torsion, contact->mu_rolling};
    long double length[3] = {0, 0, 0}, w[3] = {1, 1, 1}, low = 0, polar = x[0];
    long double high = fabsl(x[0]) + 1, size = fabsl(x[0]);
    for (int64_t i = 1; i < contact->size; i++) {
        int g = part_of(contact->size, i);
        length[g] = hypotl(length[g], x[i]);
    }
    for (int g = 0; g < 3; g++) {
        if (weight) w[g] = weight[g];
        polar += w[g] * mu[g] * length[g];
        size += w[g] * mu[g] * length[g];
        high += (1 + w[g] * mu[g]) * length[g];
    }
    if (polar <= 1e-15L * size) high = 0; /* the slope at 0, to the rounding of x */
    for (int k = 0; k < 1500; k++) {      /* high may be 1e300 */
        long double n = (low + high) / 2, slope = n - x[0];
        if (n <= low || n >= high) break;
        for (int g = 0; g < 3; g++)
            if (mu[g] * n < length[g]) slope += w[g] * mu[g] * (mu[g] * n - length[g]);
        if (slope > 0)
            high = n;
        else
            low = n;
    }
    nearest[0] = low;
    for (int64_t i = 1; i < contact->size; i++) {
        int g = part_of(contact->size, i);
        nearest[i] = length[g] > 0 ? fminl(length[g], mu[g] * low) * x[i] / length[g] : 0;
    }
}

/* The nearest point of a polygon to t: inside, or the nearest on each edge. */
void nearest_in_polygon(double radius, int64_t facets, const double *t, double *nearest)
{
    double pi = acos(-1.0);
    double best = INF;
    int inside = radius > 0;
    nearest[0] = nearest[1] = 0;
    if (radius <= 0) return;
    for (int64_t k = 0; k < facets; k++) {
        double a[2] = {radius * cos(2 * pi * (double)k / (double)facets),
                       radius * sin(2 * pi * (double)k / (double)facets)};
        double b[2] = {radius * cos(2 * pi * (double)(k + 1) / (double)facets),
                       radius * sin(2 * pi * (double)(k + 1) / (double)facets)};
        double e[2] = {b[0] - a[0], b[1] - a[1]};
        double cross = e[0] * (t[1] - a[1]) - e[1] * (t[0] - a[0]);
        if (cross < 0) inside = 0;
        double s = ((t[0] - a[0]) * e[0] + (t[1] - a[1]) * e[1]) / (e[0] * e[0] + e[1] * e[1]);
        s = fmin(fmax(s, 0), 1);
        double p[2] = {a[0] + s * e[0], a[1] + s * e[1]};
        double distance = hypot(p[0] - t[0], p[1] - t[1]);
        if (distance < best) best = distance, nearest[0] = p[0], nearest[1] = p[1];
    }
    if (inside) nearest[0] = t[0], nearest[1] = t[1];
}

/* ---- units: d of the velocities, then of the rows; 0 = none ---- */

enum { ALL = 2 * MOST };

/* K_ij of [M J'; J R], velocities first */
static double entry(const drawn *d, int64_t i, int64_t j)
{
    int64_t n = d->problem.n;
    if (i < n && j < n) return d->M[i][j];
    if (i >= n && j >= n) return d->R[i - n][j - n];
    return i < n ? d->J[j - n][i] : d->J[i - n][j];
}

static void find_units(const drawn *d, double *unit)
{
    int64_t n = d->problem.n;
    int64_t size = n + d->problem.m;
    int dropped[ALL] = {0};
    for (int64_t j = 0; j < n; j++) unit[j] = fabs(d->M[j][j]);
    for (int64_t i = n; i < size; i++) {
        unit[i] = fabs(d->R[i - n][i - n]);
        for (int64_t j = 0; j < n; j++)
            if (unit[j] > 0) unit[i] += d->J[i - n][j] * d->J[i - n][j] / unit[j];
    }
    for (int64_t i = n; i < size; i++)
        for (int64_t k = n; k < size; k++)
            if (unit[i] > 0 && unit[k] > 0 && pow(entry(d, i, k), 2) > 1e8 * unit[i] * unit[k])
                dropped[i] = dropped[k] = 1;
    for (int64_t i = n; i < size; i++)
        if (dropped[i]) unit[i] = 0;
    for (int round = 0; round < 8; round++) {
        double next[ALL] = {0};
        for (int64_t i = 0; i < size; i++)
            for (int64_t k = 0; k < size && unit[i] == 0; k++)
                if (unit[k] > 0)
                    next[i] = fmax(next[i],
                                   fmax(pow(entry(d, i, k), 2), pow(entry(d, k, i), 2)) / unit[k]);
        for (int64_t i = 0; i < size; i++)
            if (unit[i] == 0 && !(i < n && isinf(next[i]))) unit[i] = next[i];
    }
}

/* ---- the measures ---- */

/* What the definition sums up: terms and data of every equation, w, d. */
typedef struct sums {
    double defect[MOST], w[MOST], terms[ALL], data[ALL], unit[ALL], norm[ALL];
    double S, T, D, own_growth;
} sums;

static int in_contact(const drawn *d, int64_t row)
{
    for (int64_t k = 0; k < d->problem.contact_count; k++)
        if (row >= d->contacts[k].row && row < d->contacts[k].row + d->contacts[k].size) return 1;
    return 0;
}

/* |b_i|, cut off at the bounds times d, without d at bounds of 0 alone; a contact's normal is on
 * [0, INF), its tangents within mu lambda_n */
static double asked(const drawn *d, int64_t row, double unit)
{
    double lo = d->lo[row];
    double hi = d->hi[row];
    double b = d->b[row];
    for (int64_t k = 0; k < d->problem.contact_count; k++) {
        saddle_contact c = d->contacts[k];
        if (row < c.row || row >= c.row + c.size) continue;
        double reach = mu_of(&c, row - c.row) * fmax(d->lambda[c.row], 0);
        lo = row == c.row ? 0 : -reach;
        hi = row == c.row ? INF : reach;
    }
    if (unit == 0) return (b < 0 && lo >= 0) || (b > 0 && hi <= 0) ? 0 : fabs(b);
    return fabs(b < unit * lo ? unit * lo : b > unit * hi ? unit * hi : b);
}

static void sum_up(const drawn *d, sums *s)
{
    int64_t n = d->problem.n;
    int64_t m = d->problem.m;
    memset(s, 0, sizeof *s);
    find_units(d, s->unit);
    for (int64_t j = 0; j < n; j++) {
        s->defect[j] = -d->f[j];
        s->data[j] = fabs(d->f[j]);
        for (int64_t k = 0; k < n; k++) {
            s->defect[j] += d->M[j][k] * d->v[k];
            s->terms[j] += fabs(d->M[j][k] * d->v[k]), s->norm[j] += fabs(d->M[j][k]);
        }
        for (int64_t i = 0; i < m; i++) {
            s->defect[j] -= d->J[i][j] * d->lambda[i];
            s->terms[j] += fabs(d->J[i][j] * d->lambda[i]), s->norm[j] += fabs(d->J[i][j]);
        }
        s->terms[j] += s->data[j];
    }
    for (int64_t i = 0; i < m; i++) {
        s->w[i] = -d->b[i];
        s->data[n + i] = asked(d, i, s->unit[n + i]);
        for (int64_t j = 0; j < n; j++) {
            s->w[i] += d->J[i][j] * d->v[j];
            s->terms[n + i] += fabs(d->J[i][j] * d->v[j]), s->norm[n + i] += fabs(d->J[i][j]);
            if (d->M[j][j] != 0) s->data[n + i] += fabs(d->J[i][j] * d->f[j] / d->M[j][j]);
        }
        for (int64_t k = 0; k < m; k++) {
            s->w[i] += d->R[i][k] * d->lambda[k];
            s->terms[n + i] += fabs(d->R[i][k] * d->lambda[k]), s->norm[n + i] += fabs(d->R[i][k]);
        }
        s->terms[n + i] += s->data[n + i];
    }
}

/* |x - P(x - step)| on [lo, hi]; x - step would cancel: bounds may be 1e18 times step */
static double moved_by(double x, double step, double lo, double hi)
{
    if (x - lo < step) return fabs(x - lo);
    return x - hi > step ? fabs(x - hi) : fabs(step);
}

static void find_scales(const drawn *d, sums *s)
{
    int64_t n = d->problem.n;
    double limit = 0;
    s->own_growth = INF;
    for (int64_t i = 0; i < n + d->problem.m; i++) {
        if (s->unit[i] == 0) {
            if (s->data[i] > 0) s->own_growth = fmin(s->own_growth, s->terms[i] / s->data[i]);
            continue;
        }
        double root = sqrt(s->unit[i]);
        s->T = fmax(s->T, s->terms[i] / root);
        s->D = fmax(s->D, s->data[i] / root);
        if (i < n) continue;
        s->S = fmax(s->S, s->terms[i] / root);
    }
    for (int64_t i = 0; s->D == 0 && i < d->problem.m; i++) {
        double x = d->lambda[i];
        int at = isfinite(x) && (x == d->lo[i] || x == d->hi[i]);
        if (at && s->unit[n + i] > 0 && !in_contact(d, i))
            limit = fmax(limit, sqrt(s->unit[n + i]) * fabs(x));
    }
    if (s->D == 0) s->D = limit;
    if (s->S <= 1e-10 * s->D) s->S = s->D;
}

static double over(double a, double b)
{
    return a == 0 ? 0 : a / b;
}

/* size rows from `row` on, whose common d and terms are found; x_c - P(x_c - s_c / d) of the length
 * given by `moved` */
typedef struct common {
    double d, terms, local_terms;
    int is_kinetic;
} common;

/* |J_i| diag(1/m) |t|, t the terms of the velocities */
static double through_velocities(const drawn *d, const sums *s, int64_t i)
{
    double sum = 0;
    for (int64_t j = 0; j < d->problem.n; j++)
        if (s->unit[j] > 0) sum += fabs(d->J[i][j]) / s->unit[j] * s->terms[j];
    return sum;
}

/* reach: stands for impulses that are all 0 */
static common common_of(const drawn *d, const sums *s, int64_t row, int64_t size, double reach)
{
    const double *unit = s->unit + d->problem.n;
    const double *terms = s->terms + d->problem.n;
    common c = {0, 0, 0, 0};
    double of_velocities = 0;
    double impulse = 0;
    for (int64_t i = row; i < row + size; i++)
        c.is_kinetic |= unit[i] > 0, c.d = fmax(c.d, unit[i]);
    for (int64_t i = row; i < row + size; i++) {
        impulse = fmax(impulse, fabs(d->lambda[i]));
        if (!c.is_kinetic) c.terms = fmax(c.terms, terms[i]);
        if (!c.is_kinetic || unit[i] == 0) continue;
        double root = sqrt(c.d / unit[i]);
        c.terms = fmax(c.terms, terms[i] * root);
        of_velocities = fmax(of_velocities, through_velocities(d, s, i) * root);
    }
    int is_rounding = c.is_kinetic && c.terms <= 1e-10 * s->S * sqrt(c.d) &&
                      c.terms <= 1e-10 * of_velocities;
    c.local_terms = is_rounding ? of_velocities : c.terms;
    if (impulse == 0) impulse = reach;
    if (!c.is_kinetic) c.d = c.terms > 0 && impulse > 0 ? c.terms / impulse : 1;
    return c;
}

/* Takes in |lambda - P(lambda - w / d)| of rows with a common unit. */
static void take(const sums *s, common c, double moved, double outside, double work, double *share,
                 measures *out)
{
    double defect = c.d * moved;
    double scale = c.is_kinetic ? s->S : c.terms / sqrt(c.d);
    out->local = fmax(out->local, over(defect, c.local_terms));
    *share = fmax(*share, over(defect / sqrt(c.d), scale));
    out->bounds = fmax(out->bounds, over(sqrt(c.d) * outside, scale));
    out->complementarity = fmax(out->complementarity, over(work, scale * scale));
}

static void take_row(const drawn *d, const sums *s, int64_t i, double lo, double hi, double *share,
                     measures *out)
{
    double x = d->lambda[i];
    double bound = s->w[i] > 0 ? lo : hi;
    double other = s->w[i] > 0 ? hi : lo;
    double reach = isfinite(bound) ? bound : isfinite(other) ? other : 0;
    common c = common_of(d, s, i, 1, fabs(reach));
    double work = isfinite(bound) ? fabs(s->w[i] * (x - bound)) : 0;
    take(s, c, moved_by(x, s->w[i] / c.d, lo, hi), fmax(fmax(lo - x, x - hi), 0), work, share, out);
}

static double length(const double *x, int64_t size)
{
    double sum = 0;
    for (int64_t i = 0; i < size; i++) sum = hypot(sum, x[i]);
    return sum;
}

/* |lambda - P_K(lambda - step)| */
static double moved_in_cone(const saddle_contact *c, const double *lambda, const double *step)
{
    long double x[6] = {0};
    long double nearest[6] = {0};
    long double sum = 0;
    for (int64_t i = 0; i < c->size; i++) x[i] = (long double)lambda[i] - step[i];
    nearest_in_cone(c, NULL, x, nearest);
    for (int64_t i = 0; i < c->size; i++) sum = hypotl(sum, lambda[i] - nearest[i]);
    return (double)sum;
}

/* sum of mu_g |w_g| */
static double shift_of(const saddle_contact *c, const double *w)
{
    double length[3] = {0, 0, 0};
    for (int64_t i = 1; i < c->size; i++) {
        double *of = &length[part_of(c->size, i)];
        *of = hypot(*of, w[i]);
    }
    return c->mu * length[0] + c->mu_torsion * length[1] + c->mu_rolling * length[2];
}

/* A contact in one unit: w, lambda and the coefficients of torsion and rolling in that of the
 * normal and the tangents, where both have one. */
static saddle_contact in_one_unit(const drawn *d, const sums *s, saddle_contact c, common *unit,
                                  double *w, double *lambda)
{
    const double *own = s->unit + d->problem.n + c.row;
    double most[3] = {0, 0, 0}, scale[3] = {1, 1, 1};
    for (int64_t i = 0; i < c.size; i++) {
        double *of = &most[i ? part_of(c.size, i) : 0];
        *of = fmax(*of, own[i]);
    }
    if (!unit->is_kinetic) return c;
    if (most[0] == 0) most[0] = fmax(most[1], most[2]);
    if (most[0] > 0) {
        unit->terms *= sqrt(most[0] / unit->d), unit->local_terms *= sqrt(most[0] / unit->d);
        unit->d = most[0];
    }
    for (int g = 1; g < 3; g++)
        if (most[g] > 0) scale[g] = sqrt(unit->d / most[g]);
    c.mu_torsion /= scale[1], c.mu_rolling /= scale[2];
    for (int64_t i = 1; i < c.size; i++) {
        w[i] *= scale[part_of(c.size, i)];
        lambda[i] /= scale[part_of(c.size, i)];
    }
    return c;
}

static void take_cone(const drawn *d, const sums *s, const saddle_contact *c, measures *out,
                      double *squares)
{
    double shift[6] = {0}, step[6] = {0}, zero[6] = {0}, lambda[6], work = 0;
    common unit = common_of(d, s, c->row, c->size, 0);
    int smooth = c->mu == 0 && c->mu_torsion == 0 && c->mu_rolling == 0;
    for (int64_t i = 0; i < c->size; i++)
        shift[i] = s->w[c->row + i], lambda[i] = d->lambda[c->row + i];
    if (d->problem.law == SADDLE_LAW_CONE) shift[0] += shift_of(c, shift);
    squares[0] += pow(moved_in_cone(c, lambda, shift), 2);
    squares[1] += pow(length(d->b + c->row, c->size), 2);
    squares[2] += pow(length(lambda, c->size), 2);
    squares[3] += pow(length(s->w + c->row, c->size), 2);
    saddle_contact scaled = in_one_unit(d, s, *c, &unit, shift, lambda);
    for (int64_t i = 0; i < c->size; i++) step[i] = shift[i] / unit.d, work += lambda[i] * shift[i];
    take(s, unit, moved_in_cone(&scaled, lambda, step), moved_in_cone(&scaled, lambda, zero),
         fabs(work), &out->cone, out);
    if (d->problem.law == SADDLE_LAW_CONE || smooth)
        take_row(d, s, c->row, 0, INF, &out->cone, out);
}

/* The two rows from t on within a polygon. */
static void take_polygon(const drawn *d, const sums *s, int64_t t, double radius, measures *out)
{
    common unit = common_of(d, s, t, 2, radius);
    double x[2] = {d->lambda[t] - s->w[t] / unit.d, d->lambda[t + 1] - s->w[t + 1] / unit.d};
    double nearest[2];
    nearest_in_polygon(radius, d->problem.facets, x, nearest);
    double moved = hypot(d->lambda[t] - nearest[0], d->lambda[t + 1] - nearest[1]);
    nearest_in_polygon(radius, d->problem.facets, d->lambda + t, nearest);
    double outside = hypot(d->lambda[t] - nearest[0], d->lambda[t + 1] - nearest[1]);
    take(s, unit, moved, outside, 0, &out->rows, out);
}

static void take_contact(const drawn *d, const sums *s, const saddle_contact *c, measures *out,
                         double *squares)
{
    double normal = fmax(d->lambda[c->row], 0);
    if (d->problem.law == SADDLE_LAW_CONE || d->problem.law == SADDLE_LAW_ASSOCIATED) {
        take_cone(d, s, c, out, squares);
        return;
    }
    take_row(d, s, c->row, 0, INF, &out->rows, out);
    for (int64_t i = 1; i < c->size; i++) {
        double radius = mu_of(c, i) * normal;
        int pairs = c->size > 2 && part_of(c->size, i) != 1;
        if (d->problem.law == SADDLE_LAW_PYRAMID && pairs)
            take_polygon(d, s, c->row + i++, radius, out);
        else
            take_row(d, s, c->row + i, -radius, radius, &out->rows, out);
    }
}

static void take_linear_part(const drawn *d, const sums *s, measures *out)
{
    int64_t n = d->problem.n;
    double defect = 0, norm = 0, x = 0, data = 0;
    for (int64_t j = 0; j < n; j++) {
        double most = sqrt(s->unit[j]) * s->D;
        double terms = s->terms[j] > 1e-10 * most ? s->terms[j] : most;
        out->dynamics = fmax(out->dynamics, over(fabs(s->defect[j]), terms));
        defect = fmax(defect, fabs(s->defect[j]));
        x = fmax(x, fabs(d->v[j])), data = fmax(data, fabs(d->f[j]));
    }
    for (int64_t i = 0; i < d->problem.m; i++) {
        if (!in_contact(d, i) && isinf(d->lo[i]) && isinf(d->hi[i]))
            defect = fmax(defect, fabs(s->w[i]));
        x = fmax(x, fabs(d->lambda[i])), data = fmax(data, fabs(d->b[i]));
    }
    for (int64_t k = 0; k < n + d->problem.m; k++) norm = fmax(norm, s->norm[k]);
    out->normwise = over(defect, norm * x + data);
}

static int is_finite(const drawn *d, const sums *s)
{
    int64_t n = d->problem.n;
    double sum = 0 * s->T + 0 * s->D; /* 0 x is 0 for finite x */
    for (int64_t j = 0; j < n; j++) sum += 0 * d->v[j] + 0 * s->defect[j];
    for (int64_t i = 0; i < d->problem.m; i++) sum += 0 * d->lambda[i] + 0 * s->w[i];
    for (int64_t k = 0; k < n + d->problem.m; k++) {
        sum += 0 * s->terms[k] + 0 * s->unit[k];
        if (k < n && s->unit[k] > 0) sum += 0 * (1 / s->unit[k]);
    }
    return isfinite(sum);
}

measures measure(const drawn *d, double *w)
{
    const saddle_problem *p = &d->problem;
    measures out = {0};
    double squares[4] = {0};
    sums s;
    sum_up(d, &s);
    find_scales(d, &s);
    take_linear_part(d, &s, &out);
    for (int64_t i = 0; i < p->m; i++) {
        w[i] = s.w[i];
        if (!in_contact(d, i)) take_row(d, &s, i, d->lo[i], d->hi[i], &out.rows, &out);
    }
    for (int64_t k = 0; k < p->contact_count; k++)
        take_contact(d, &s, &d->contacts[k], &out, squares);
    out.natural_map = over(sqrt(squares[0]), sqrt(fmax(squares[1], fmax(squares[2], squares[3]))));
    out.natural_map_q = over(sqrt(squares[0]), sqrt(squares[1]));
    out.growth = over(s.T, s.D);
    out.total = is_finite(d, &s) ? fmax(out.dynamics, fmax(out.rows, out.cone)) : INF;
    if (s.own_growth < INF) out.growth = fmax(out.growth, s.own_growth);
    return out;
}

saddle_residual residual_of(const drawn *d)
{
    double work[WORK];
    saddle_residual r;
    saddle_residual_compute(&d->problem, d->v, d->lambda, NULL, work, &r);
    return r;
}

int near(double a, double b, double size)
{
    return a == b || fabs(a - b) <= 1e-11 * (fabs(a) + fabs(b)) ||
           fabs(a - b) <= 1e-13 * (size + fabs(b));
}
