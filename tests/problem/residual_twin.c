/* SPDX-License-Identifier: MIT */
/* See residual_twin.h. */
#include "residual_twin.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- a drawn problem and its dense twin ---- */

static double draw_value(uint64_t *state)
{
    return test_integer(state, 0, 2) == 0 ? 0.0 : test_uniform(state, -2, 2);
}

static saddle_matrix sparse_of(double A[MOST][MOST], int64_t rows, int64_t cols, int transposed, saddle_symmetry symmetry)
{
    int64_t row[MOST * MOST];
    int64_t col[MOST * MOST];
    double value[MOST * MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            if (A[i][j] == 0 || (symmetry == SADDLE_SYMMETRIC && j > i)) continue;
            row[count] = transposed ? j : i;
            col[count] = transposed ? i : j;
            value[count++] = A[i][j];
        }
    saddle_matrix S;
    assert_int_equal(saddle_matrix_from_triplets(NULL, transposed ? cols : rows, transposed ? rows : cols, count, row, col,
                                                 value, symmetry, &S),
                     SADDLE_OK);
    return S;
}

static void draw_square(uint64_t *state, double A[MOST][MOST], int64_t n, int symmetric, double diagonal)
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
        int64_t size = test_integer(state, 2, 3);
        if (row + size > d->problem.m) break;
        double mu = test_integer(state, 0, 4) == 0 ? 0.0 : test_uniform(state, 0, 1);
        d->contacts[d->problem.contact_count++] = (saddle_contact){.row = row, .size = size, .mu = mu};
        row += size;
    }
}

/* Rows outside contacts in other units, over twelve decades. */
static void change_units(uint64_t *state, drawn *d, int64_t n, int64_t m)
{
    int64_t next = 0; /* contact */
    for (int64_t i = 0; i < m; i++) {
        while (next < d->problem.contact_count && d->contacts[next].row + d->contacts[next].size <= i) next++;
        if (next < d->problem.contact_count && d->contacts[next].row <= i) continue;
        double unit = exp2((double)test_integer(state, -20, 20));
        for (int64_t j = 0; j < n; j++) d->J[i][j] *= unit;
        for (int64_t k = 0; k < m; k++) d->R[i][k] *= unit, d->R[k][i] *= unit;
        d->b[i] *= unit;
        d->lambda[i] /= unit;
    }
}

void draw_problem(uint64_t *state, drawn *d)
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
    double grown = test_integer(state, 0, 3) == 0 ? exp2(test_uniform(state, 0, 34)) : 1; /* beyond all measure */
    d->grown = 1;
    for (int64_t i = 0; i < m; i++) d->lambda[i] *= grown, d->grown = fmax(d->grown, fabs(d->lambda[i]));
    d->problem.m = m;
    draw_contacts(state, d);
    if (grown == 1 && test_integer(state, 0, 2) == 0) change_units(state, d, n, m);
    saddle_symmetry symmetry = symmetric ? SADDLE_SYMMETRIC : SADDLE_GENERAL;
    d->problem = (saddle_problem){
        .n = n,
        .m = m,
        .M = sparse_of(d->M, n, n, 0, symmetry),
        .Jt = sparse_of(d->J, m, n, 1, SADDLE_GENERAL),
        .R = sparse_of(d->R, m, m, 0, symmetry),
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
}

void clear_drawn(drawn *d)
{
    saddle_matrix_clear(&d->problem.M);
    saddle_matrix_clear(&d->problem.Jt);
    saddle_matrix_clear(&d->problem.R);
}

/* ---- the definition, dense; nothing shared with the code under test ---- */

/* In the half-plane (normal, |tangent|) the nearest point of K to x lies at the normal n >= 0 that makes
 *
 *     (n - x_0)^2 + (min(|x_t|, mu n) - |x_t|)^2
 *
 * least: bisection on the sign of its derivative, which grows with n. */
void nearest_in_cone(double mu, int64_t size, const double *x, double *nearest)
{
    double direction[2] = {x[1], size == 3 ? x[2] : 0.0};
    double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    if (length > 0) direction[0] /= length, direction[1] /= length;
    double low = 0;
    double high = fabs(x[0]) + (1 + mu) * length + 1;
    for (int k = 0; k < 200; k++) {
        double n = 0.5 * (low + high);
        double slope = n - x[0] + (mu * n < length ? mu * (mu * n - length) : 0.0);
        if (slope > 0)
            high = n;
        else
            low = n;
    }
    double t = fmin(length, mu * low);
    nearest[0] = low;
    nearest[1] = t * direction[0];
    if (size == 3) nearest[2] = t * direction[1];
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
        double a[2] = {radius * cos(2 * pi * (double)k / (double)facets), radius * sin(2 * pi * (double)k / (double)facets)};
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

/* |x - P(x - step)| on [lo, hi]; x - step cancels where it is its own projection */
static double moved_by(double x, double step, double lo, double hi)
{
    double to = x - step;
    return to < lo ? fabs(x - lo) : to > hi ? fabs(x - hi) : fabs(step);
}

static double natural(const drawn *d, const double *w, const saddle_contact *c, double rho, double *difference)
{
    double s[3] = {0};
    double x[3] = {0};
    double nearest[3] = {0};
    double worst = 0;
    for (int64_t i = 0; i < c->size; i++) s[i] = w[c->row + i];
    if (d->problem.law == SADDLE_LAW_CONE) s[0] += c->mu * sqrt(s[1] * s[1] + s[2] * s[2]);
    for (int64_t i = 0; i < c->size; i++) x[i] = d->lambda[c->row + i] - rho * s[i];
    nearest_in_cone(c->mu, c->size, x, nearest);
    for (int64_t i = 0; i < c->size; i++) {
        difference[i] = d->lambda[c->row + i] - nearest[i];
        worst = fmax(worst, fabs(difference[i]));
    }
    return worst / rho;
}

/* a defect against data and what the impulses add, known to that rounding */
static double share(double defect, double rounding, double data, double impulses)
{
    if (defect == 0 && !(rounding > data / 100)) return 0;
    if (data == 0) return defect / impulses;
    if (fmax(defect, rounding) > data / 100) return fmax(defect, rounding) / data;
    if (impulses <= 1e6 * data) return defect / (data + impulses);
    double rest = fmax(defect - 4 * rounding, 0);
    return (defect - rest) / (data + impulses) + rest / (data + 1e6 * data);
}

/* D_i = |R_ii + sum J_ij^2 / mass_j|, not less than R_ik^2 / (100 D_k) as far as that is no more than the largest; *most. */
static void own_diagonals(const drawn *d, const double *mass, double *D, double *least, double *most)
{
    double first[MOST];
    *least = INF;
    *most = 0;
    for (int64_t i = 0; i < d->problem.m; i++) {
        first[i] = d->R[i][i];
        for (int64_t j = 0; j < d->problem.n; j++)
            if (mass[j] > 0) first[i] += d->J[i][j] * d->J[i][j] / mass[j];
        first[i] = fabs(first[i]);
        *most = fmax(*most, first[i]);
        if (first[i] > 0) *least = fmin(*least, first[i]);
    }
    for (int64_t i = 0; i < d->problem.m; i++) {
        double floor = 0;
        for (int64_t k = 0; k < d->problem.m; k++)
            if (first[k] > 0) floor = fmax(floor, d->R[i][k] * d->R[i][k] / first[k] / 100);
        D[i] = fmax(first[i], fmin(floor, *most));
    }
}

/* The rows outside contacts as those of a problem in which row i is divided by r_i and its impulse multiplied; all by the
 * plain definition. */
static double in_own_units(const drawn *d, const double *w, const double *mass, const int *owned, double v, double *known)
{
    const saddle_problem *p = &d->problem;
    double D[MOST], r[MOST], least, greatest;
    double defect = 0, J = 0, b = 0, push = 0, R = 0, l = 0, lent = 0, lent_push = 0, rounding = 0;
    own_diagonals(d, mass, D, &least, &greatest);
    if (1e4 * least >= greatest) return 0;
    for (int64_t i = 0; i < p->m; i++) r[i] = sqrt(fmin(1e4 * D[i], greatest));
    for (int64_t i = 0; i < p->m; i++) {
        double row = 0, moved = 0, pushed = 0, sum = 0;
        if (D[i] == 0) continue;
        for (int64_t j = 0; j < p->n; j++) {
            sum += fabs(d->J[i][j]) / r[i];
            if (mass[j] > 0) pushed += fabs(d->J[i][j] * d->f[j]) / mass[j] / r[i];
        }
        for (int64_t k = 0; k < p->m; k++) {
            if (D[k] > 0) row += fabs(d->R[i][k]) / r[i] / r[k];
            moved += DBL_EPSILON * fabs(d->R[i][k] * d->lambda[k]) / r[i];
        }
        J = fmax(J, sum), push = fmax(push, pushed), R = fmax(R, row), rounding = fmax(rounding, moved);
        b = fmax(b, fabs(d->b[i]) / r[i]), l = fmax(l, r[i] * fabs(d->lambda[i]));
        if (owned[i]) continue;
        double bound = fmax(isinf(d->lo[i]) ? 0 : fabs(d->lo[i]), isinf(d->hi[i]) ? 0 : fabs(d->hi[i]));
        double own = r[i] * fmin(fabs(d->lambda[i]), bound);
        double step = w[i] / r[i] / (D[i] / r[i] / r[i]); /* rho_i w_i in these units */
        double at = r[i] * d->lambda[i];
        lent = fmax(lent, own), lent_push = fmax(lent_push, D[i] / r[i] / r[i] * own);
        defect = fmax(defect, moved_by(at, step, r[i] * d->lo[i], r[i] * d->hi[i]) * D[i] / r[i] / r[i]);
    }
    double data = J * v + b + push + fmax(R * lent, lent_push);
    if (rounding > 0) *known = fmax(*known, rounding / data);
    return share(defect, rounding, data, fmax(R * l - fmax(R * lent, lent_push), 0));
}

measures measure(const drawn *d, double *w)
{
    const saddle_problem *p = &d->problem;
    measures out = {0};
    double defect = 0, sum_M = 0, sum_Jt = 0, sum_J = 0, sum_R = 0, v = 0, l = 0, f = 0, b = 0;
    for (int64_t j = 0; j < p->n; j++) {
        double r = -d->f[j], m = 0, jt = 0;
        for (int64_t k = 0; k < p->n; k++) r += d->M[j][k] * d->v[k], m += fabs(d->M[j][k]);
        for (int64_t i = 0; i < p->m; i++) r -= d->J[i][j] * d->lambda[i], jt += fabs(d->J[i][j]);
        defect = fmax(defect, fabs(r)), sum_M = fmax(sum_M, m), sum_Jt = fmax(sum_Jt, jt);
        v = fmax(v, fabs(d->v[j])), f = fmax(f, fabs(d->f[j]));
    }
    double rho[MOST];
    double mass[MOST];
    for (int64_t j = 0; j < p->n; j++) {
        mass[j] = fabs(d->M[j][j]);
        for (int64_t k = 0; k < p->n && d->M[j][j] == 0; k++) mass[j] += fabs(d->M[j][k]);
    }
    double push = 0;
    for (int64_t i = 0; i < p->m; i++) {
        double r = 0, jj = 0, delassus = d->R[i][i], moduli = 0, pushed = 0;
        w[i] = -d->b[i];
        for (int64_t j = 0; j < p->n; j++) {
            w[i] += d->J[i][j] * d->v[j], jj += fabs(d->J[i][j]);
            if (mass[j] == 0) continue;
            delassus += d->J[i][j] * d->J[i][j] / mass[j], moduli += d->J[i][j] * d->J[i][j] / mass[j];
            pushed += fabs(d->J[i][j] * d->f[j]) / mass[j];
        }
        push = fmax(push, pushed);
        for (int64_t k = 0; k < p->m; k++) w[i] += d->R[i][k] * d->lambda[k], r += fabs(d->R[i][k]);
        sum_J = fmax(sum_J, jj), sum_R = fmax(sum_R, r);
        l = fmax(l, fabs(d->lambda[i])), b = fmax(b, fabs(d->b[i]));
        delassus = fmax(fabs(delassus), (moduli + r) / 100);
        if (delassus == 0) delassus = jj;
        if (delassus == 0) delassus = 1;
        rho[i] = 1 / fabs(delassus);
    }
    int owned[MOST] = {0};
    double squares = 0, bb = 0, ll = 0, ww = 0;
    for (int64_t k = 0; k < p->contact_count; k++) {
        const saddle_contact *c = &p->contacts[k];
        double smallest = INF;
        for (int64_t i = c->row; i < c->row + c->size; i++) owned[i] = 1, smallest = fmin(smallest, rho[i]);
        double difference[3];
        if (p->law == SADDLE_LAW_CONE || p->law == SADDLE_LAW_ASSOCIATED) {
            out.cone = fmax(out.cone, natural(d, w, c, smallest, difference));
            (void)natural(d, w, c, 1.0, difference);
            for (int64_t i = 0; i < c->size; i++) {
                squares += difference[i] * difference[i];
                bb += d->b[c->row + i] * d->b[c->row + i], ll += d->lambda[c->row + i] * d->lambda[c->row + i];
                ww += w[c->row + i] * w[c->row + i];
            }
            continue;
        }
        int64_t n = c->row;
        double limit = c->mu * fmax(d->lambda[n], 0);
        out.rows = fmax(out.rows, moved_by(d->lambda[n], rho[n] * w[n], 0, INF) / rho[n]);
        if (p->law == SADDLE_LAW_PYRAMID && c->size == 3) {
            double shared = fmin(rho[n + 1], rho[n + 2]);
            double t[2] = {d->lambda[n + 1] - shared * w[n + 1], d->lambda[n + 2] - shared * w[n + 2]};
            double nearest[2];
            nearest_in_polygon(limit, p->facets, t, nearest);
            for (int i = 0; i < 2; i++) out.rows = fmax(out.rows, fabs(d->lambda[n + 1 + i] - nearest[i]) / shared);
        } else {
            for (int64_t t = n + 1; t < n + c->size; t++)
                out.rows = fmax(out.rows, moved_by(d->lambda[t], rho[t] * w[t], -limit, limit) / rho[t]);
        }
    }
    double lent_push = 0, lent_most = 0, lends[MOST];
    for (int64_t i = 0; i < p->m; i++) {
        double bound = fmax(isinf(d->lo[i]) ? 0 : fabs(d->lo[i]), isinf(d->hi[i]) ? 0 : fabs(d->hi[i]));
        double lent = owned[i] ? 0 : fmin(fabs(d->lambda[i]), bound);
        lends[i] = lent, lent_most = fmax(lent_most, lent), lent_push = fmax(lent_push, lent / rho[i]);
    }
    for (int64_t i = 0; i < p->m; i++)
        if (!owned[i])
            out.rows = fmax(out.rows, moved_by(d->lambda[i], rho[i] * w[i], d->lo[i], d->hi[i]) / rho[i]);
    double moved = 0;
    for (int64_t j = 0; j < p->n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < p->m; i++) sum += fabs(d->J[i][j] * d->lambda[i]);
        moved = fmax(moved, DBL_EPSILON * sum);
    }
    double asked = sum_M * v + f;
    if (sum_Jt * l > 1e6 * asked || defect > asked / 100) {
        double momentum = 0;
        for (int64_t j = 0; j < p->n; j++) {
            double sum = 0;
            for (int64_t i = 0; i < p->m; i++) {
                int moves_massless = 0;
                for (int64_t k = 0; k < p->n; k++) moves_massless |= d->J[i][k] != 0 && mass[k] == 0;
                sum += fabs(d->J[i][j]) * ((moves_massless ? 0 : fabs(d->b[i]) * rho[i]) + lends[i]);
            }
            momentum = fmax(momentum, sum);
        }
        asked += momentum;
    }
    out.dynamics = share(defect, moved, asked, sum_Jt * l);
    double lent = fmax(sum_R * lent_most, lent_push);
    double data = sum_J * v + b + push + lent;
    double all = sum_J * v + b + push + fmax(lent, sum_R * l);
    double rounding = 0;
    for (int64_t i = 0; i < p->m; i++) {
        double sum = 0;
        for (int64_t k = 0; k < p->m; k++) sum += fabs(d->R[i][k] * d->lambda[k]);
        rounding = fmax(rounding, DBL_EPSILON * sum);
    }
    out.known = rounding > 0 ? rounding / data : 0;
    out.rows = share(out.rows, rounding, data, all - data);
    out.rows = fmax(out.rows, in_own_units(d, w, mass, owned, v, &out.known));
    int cones = p->law == SADDLE_LAW_CONE || p->law == SADDLE_LAW_ASSOCIATED;
    out.cone = cones ? share(out.cone, rounding, data, all - data) : 0;
    out.natural_map = squares == 0 ? 0 : sqrt(squares) / sqrt(fmax(bb, fmax(ll, ww)));
    return out;
}
