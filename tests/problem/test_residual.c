/* SPDX-License-Identifier: MIT */
/* The independent checker against its own definition written out densely here, against closed forms and under change of
 * units. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "problem/cone.h"

#define INF ((double)INFINITY)

enum { MOST = 12 }; /* velocities or rows of a drawn problem */

/* ---- a drawn problem and its dense twin ---- */

typedef struct drawn {
    saddle_problem problem;
    double M[MOST][MOST], J[MOST][MOST], R[MOST][MOST];
    double f[MOST], b[MOST], lo[MOST], hi[MOST], v[MOST], lambda[MOST];
    saddle_contact contacts[MOST];
} drawn;

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

static void draw_problem(uint64_t *state, drawn *d)
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
        .law = (saddle_law)test_integer(state, 0, 3),
        .facets = test_integer(state, 3, 9),
    };
    draw_bounds(state, d);
    draw_contacts(state, d);
}

static void clear_drawn(drawn *d)
{
    saddle_matrix_clear(&d->problem.M);
    saddle_matrix_clear(&d->problem.Jt);
    saddle_matrix_clear(&d->problem.R);
}

/* ---- the definition, dense; nothing shared with the code under test ---- */

/* The nearest point of K to x by golden-section search along the cone's generator over all directions: no projection
 * formula. */
static void nearest_in_cone(double mu, int64_t size, const double *x, double *nearest)
{
    double direction[2] = {x[1], size == 3 ? x[2] : 0.0};
    double length = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    if (length > 0) direction[0] /= length, direction[1] /= length;
    /* in the half-plane (normal, |tangent|): nearest point of {0 <= t <= mu n} to (x0, length), by minimizing over n */
    double low = 0;
    double high = fabs(x[0]) + length + 1;
    for (int k = 0; k < 400; k++) {
        double a = low + (high - low) * 0.381966011250105;
        double b = low + (high - low) * 0.618033988749895;
        double ta = fmin(length, mu * a);
        double tb = fmin(length, mu * b);
        double da = (a - x[0]) * (a - x[0]) + (ta - length) * (ta - length);
        double db = (b - x[0]) * (b - x[0]) + (tb - length) * (tb - length);
        if (da < db)
            high = b;
        else
            low = a;
    }
    double n = 0.5 * (low + high);
    double t = fmin(length, mu * n);
    nearest[0] = n;
    nearest[1] = t * direction[0];
    if (size == 3) nearest[2] = t * direction[1];
}

/* The nearest point of a polygon to t: inside, or the nearest on each edge. */
static void nearest_in_polygon(double radius, int64_t facets, const double *t, double *nearest)
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

static double clamp(double x, double lo, double hi)
{
    return fmin(fmax(x, lo), hi);
}

typedef struct measures {
    double dynamics, rows, cone, natural_map;
} measures;

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

static measures measure(const drawn *d, double *w)
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
        double r = 0, jj = 0, delassus = d->R[i][i], pushed = 0;
        w[i] = -d->b[i];
        for (int64_t j = 0; j < p->n; j++) {
            w[i] += d->J[i][j] * d->v[j], jj += fabs(d->J[i][j]);
            if (mass[j] == 0) continue;
            delassus += d->J[i][j] * d->J[i][j] / mass[j];
            pushed += fabs(d->J[i][j] * d->f[j]) / mass[j];
        }
        push = fmax(push, pushed);
        for (int64_t k = 0; k < p->m; k++) w[i] += d->R[i][k] * d->lambda[k], r += fabs(d->R[i][k]);
        sum_J = fmax(sum_J, jj), sum_R = fmax(sum_R, r);
        l = fmax(l, fabs(d->lambda[i])), b = fmax(b, fabs(d->b[i]));
        if (delassus == 0) delassus = jj;
        if (delassus == 0) delassus = r;
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
        out.rows = fmax(out.rows, fabs(d->lambda[n] - fmax(d->lambda[n] - rho[n] * w[n], 0)) / rho[n]);
        if (p->law == SADDLE_LAW_PYRAMID && c->size == 3) {
            double shared = fmin(rho[n + 1], rho[n + 2]);
            double t[2] = {d->lambda[n + 1] - shared * w[n + 1], d->lambda[n + 2] - shared * w[n + 2]};
            double nearest[2];
            nearest_in_polygon(limit, p->facets, t, nearest);
            for (int i = 0; i < 2; i++) out.rows = fmax(out.rows, fabs(d->lambda[n + 1 + i] - nearest[i]) / shared);
        } else {
            for (int64_t t = n + 1; t < n + c->size; t++)
                out.rows = fmax(out.rows, fabs(d->lambda[t] - clamp(d->lambda[t] - rho[t] * w[t], -limit, limit)) / rho[t]);
        }
    }
    double lent_push = 0, lent_most = 0;
    for (int64_t i = 0; i < p->m; i++) {
        double bound = fmax(isinf(d->lo[i]) ? 0 : fabs(d->lo[i]), isinf(d->hi[i]) ? 0 : fabs(d->hi[i]));
        double lent = owned[i] ? 0 : fmin(fabs(d->lambda[i]), bound);
        lent_most = fmax(lent_most, lent), lent_push = fmax(lent_push, lent / rho[i]);
    }
    for (int64_t i = 0; i < p->m; i++)
        if (!owned[i])
            out.rows = fmax(out.rows, fabs(d->lambda[i] - clamp(d->lambda[i] - rho[i] * w[i], d->lo[i], d->hi[i])) / rho[i]);
    double moved = 0;
    for (int64_t j = 0; j < p->n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < p->m; i++) sum += fabs(d->J[i][j] * d->lambda[i]);
        moved = fmax(moved, DBL_EPSILON * sum);
    }
    double known_defect = fmax(defect, moved);
    double asked = sum_M * v + f;
    if (asked > 0 && known_defect > asked / 100)
        out.dynamics = known_defect / asked;
    else
        out.dynamics = defect == 0 ? 0 : defect / (asked + sum_Jt * l);
    double lent = fmax(sum_R * lent_most, lent_push);
    double data = sum_J * v + b + push + lent;
    double all = sum_J * v + b + push + fmax(lent, sum_R * l);
    double rounding = 0;
    for (int64_t i = 0; i < p->m; i++) {
        double sum = 0;
        for (int64_t k = 0; k < p->m; k++) sum += fabs(d->R[i][k] * d->lambda[k]);
        rounding = fmax(rounding, DBL_EPSILON * sum);
    }
    double *both[] = {&out.rows, &out.cone};
    for (int k = 0; k < 2; k++) {
        double known = fmax(*both[k], rounding);
        int unexcused = data > 0 && known > data / 100;
        *both[k] = unexcused ? known / data : (*both[k] == 0 ? 0 : *both[k] / all);
    }
    out.natural_map = squares == 0 ? 0 : sqrt(squares) / sqrt(fmax(bb, fmax(ll, ww)));
    return out;
}

static int close_to(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-7 * (1 + fabs(a) + fabs(b)); /* golden sections stop at the root of rounding */
}

static void checker_is_its_definition(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    double work[7 * MOST];
    for (int draw = 0; draw < 4000; draw++) {
        drawn d;
        draw_problem(&random, &d);
        assert_int_equal(saddle_problem_check(NULL, &d.problem, NULL, NULL), SADDLE_OK);
        assert_true(saddle_residual_work_size(&d.problem) <= 7 * MOST);
        double w[MOST];
        double twin_w[MOST];
        saddle_residual residual;
        saddle_residual_compute(&d.problem, d.v, d.lambda, w, work, &residual);
        measures twin = measure(&d, twin_w);
        for (int64_t i = 0; i < d.problem.m; i++) assert_true(fabs(w[i] - twin_w[i]) < 1e-12);
        if (!close_to(residual.dynamics, twin.dynamics) || !close_to(residual.rows, twin.rows) ||
            !close_to(residual.cone, twin.cone) || !close_to(residual.natural_map, twin.natural_map))
            fail_msg("draw %d: %g %g %g %g, by definition %g %g %g %g", draw, residual.dynamics, residual.rows, residual.cone,
                     residual.natural_map, twin.dynamics, twin.rows, twin.cone, twin.natural_map);
        assert_true(residual.total == fmax(residual.dynamics, fmax(residual.rows, residual.cone)));
        clear_drawn(&d);
    }
}

/* Such a row takes a step of 1, or one with J's units: the one place where units show. */
static int has_a_row_without_estimate(const drawn *d)
{
    for (int64_t i = 0; i < d->problem.m; i++) {
        double estimate = d->R[i][i];
        for (int64_t j = 0; j < d->problem.n; j++) estimate += d->J[i][j] * d->J[i][j] / fabs(d->M[j][j]);
        if (estimate == 0) return 1;
    }
    return 0;
}

static void units_do_not_matter(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    double work[7 * MOST];
    for (int draw = 0; draw < 500; draw++) {
        drawn d;
        draw_problem(&random, &d);
        if (has_a_row_without_estimate(&d)) {
            clear_drawn(&d);
            continue;
        }
        saddle_residual before;
        saddle_residual_compute(&d.problem, d.v, d.lambda, NULL, work, &before);
        /* impulses in thousandths (mass too), velocities in other units: M a/c, J 1, R c/a, f a, b c */
        double a = 1024;
        double c = 1.0 / 32;
        for (int64_t k = 0; k < saddle_matrix_entries(&d.problem.M); k++) d.problem.M.value[k] *= a / c;
        for (int64_t k = 0; k < saddle_matrix_entries(&d.problem.R); k++) d.problem.R.value[k] *= c / a;
        for (int64_t j = 0; j < d.problem.n; j++) d.f[j] *= a, d.v[j] *= c;
        for (int64_t i = 0; i < d.problem.m; i++) {
            d.b[i] *= c, d.lambda[i] *= a, d.lo[i] *= a, d.hi[i] *= a;
        }
        saddle_residual after;
        saddle_residual_compute(&d.problem, d.v, d.lambda, NULL, work, &after);
        assert_true(fabs(after.dynamics - before.dynamics) <= 1e-13 * (1 + before.dynamics));
        assert_true(fabs(after.rows - before.rows) <= 1e-13 * (1 + before.rows));
        assert_true(fabs(after.cone - before.cone) <= 1e-13 * (1 + before.cone));
        clear_drawn(&d);
    }
}

/* Held fast, v and w are nothing but rounding: that must count as solved, a wrong impulse must not. */
static void a_body_at_rest_is_solved(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2, 3};
    int64_t index[] = {0, 1, 2};
    double mass[] = {3, 3, 0.7};
    double rows[] = {1, 0.9, -1.1};
    double f[3] = {-29.43, 1, 2};
    saddle_problem p = {
        .n = 3,
        .m = 3,
        .M = saddle_matrix_view(3, 3, start, index, mass, SADDLE_SYMMETRIC),
        .Jt = saddle_matrix_view(3, 3, start, index, rows, SADDLE_GENERAL),
        .f = f,
    };
    double v[] = {1e-17, -3e-17, 2e-17};
    double lambda[] = {29.43, -1 / 0.9, 2 / 1.1};
    double work[32];
    saddle_residual residual;
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.total < 1e-15);
    v[0] = 1e-3; /* falls a little: 1e-3 against the 9.81 m/s that the impulse stops */
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.rows > 5e-5 && residual.rows < 2e-4);
}

/* v = 1 and v = 2 at once, with impulses as large as you please: no size of theirs may make that look solved. */
static void contradictory_rows_are_not_excused_by_their_impulses(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 0};
    double ones[] = {1, 1};
    double twins[] = {1, -1, -1, 1};
    int64_t R_start[] = {0, 2, 4};
    int64_t R_index[] = {0, 1, 0, 1};
    double b[] = {1, 2};
    saddle_problem dynamic = {
        .n = 1,
        .m = 2,
        .M = saddle_matrix_view(1, 1, start, index, ones, SADDLE_SYMMETRIC),
        .Jt = saddle_matrix_view(1, 2, start, index, ones, SADDLE_GENERAL),
        .b = b,
    };
    saddle_problem dual = {.m = 2, .R = saddle_matrix_view(2, 2, R_start, R_index, twins, SADDLE_GENERAL), .b = b};
    double work[32];
    saddle_residual residual;
    for (double size = 1; size < 1e300; size *= 1e10) {
        double v = 1.5;
        double lambda[] = {-size, size};
        saddle_residual_compute(&dynamic, &v, lambda, NULL, work, &residual);
        assert_true(residual.rows > 0.1);
        double both[] = {size, size};
        saddle_residual_compute(&dual, NULL, both, NULL, work, &residual);
        assert_true(residual.rows > 0.1);
    }
}

/* A block of weight g = 10 on a plane, one contact: M v - J'l = f with v = 0.  One figure per state that Coulomb allows. */
static void a_block_on_a_plane_is_judged_by_the_law(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2, 3};
    int64_t index[] = {0, 1, 2};
    double ones[] = {1, 1, 1};
    double f[3] = {-10, 0, 0};
    saddle_contact contact = {.row = 0, .size = 3, .mu = 0.5};
    saddle_problem p = {
        .n = 3,
        .m = 3,
        .M = saddle_matrix_view(3, 3, start, index, ones, SADDLE_SYMMETRIC),
        .Jt = saddle_matrix_view(3, 3, start, index, ones, SADDLE_GENERAL),
        .f = f,
        .contact_count = 1,
        .contacts = &contact,
    };
    double work[32];
    struct {
        const char *what;
        double pull, v[3], lambda[3];
        int solved;
    } cases[] = {
        {"sticks", 3, {0, 0, 0}, {10, -3, 0}, 1},
        {"slides just", 5, {0, 0, 0}, {10, -5, 0}, 1},
        {"slides", 8, {0, 3, 0}, {10, -5, 0}, 1},
        {"friction too weak", 8, {0, 4, 0}, {10, -4, 0}, 0},
        {"friction too strong", 8, {0, 1, 0}, {10, -7, 0}, 0},
        {"friction along", 1, {0, 6, 0}, {10, 5, 0}, 0},
        {"penetrates", 0, {-1, 0, 0}, {9, 0, 0}, 0},
        {"pulls", 0, {-11, 0, 0}, {-1, 0, 0}, 0},
        {"pushes while leaving", 0, {1, 0, 0}, {11, 0, 0}, 0},
    };
    for (int law = 0; law < 4; law++)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            /* the associated law lifts off while sliding */
            if (law == SADDLE_LAW_ASSOCIATED && strncmp(cases[k].what, "slides", 6) == 0) continue;
            p.law = (saddle_law)law;
            f[1] = cases[k].pull;
            saddle_residual residual;
            saddle_residual_compute(&p, cases[k].v, cases[k].lambda, NULL, work, &residual);
            assert_true(residual.dynamics < 1e-15); /* every case keeps the balance: the law alone decides */
            if ((residual.total < 1e-14) != cases[k].solved)
                fail_msg("%s, law %s: %g", cases[k].what, saddle_law_word(p.law), residual.total);
        }
    /* the relaxation: sliding at speed s lifts at mu s */
    p.law = SADDLE_LAW_ASSOCIATED;
    f[1] = 8;
    double speed = 3.0 / (1 + 0.25); /* 8 - mu ln = s, ln - 10 = mu s */
    double normal = 10 + 0.5 * speed;
    double v[] = {0.5 * speed, 8 - 0.5 * normal, 0};
    double lambda[] = {normal, -0.5 * normal, 0};
    saddle_residual residual;
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.total < 1e-15);
}

static void what_is_not_finite_is_not_solved(void **state)
{
    (void)state;
    int64_t start[] = {0, 1};
    int64_t index[] = {0};
    double one[] = {1};
    double huge[] = {1e308};
    saddle_problem p = {.n = 1, .M = saddle_matrix_view(1, 1, start, index, one, SADDLE_SYMMETRIC)};
    double work[16];
    saddle_residual residual;
    double v = (double)NAN;
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    v = INF;
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    p.M.value = huge;
    v = 1e308; /* the product overflows */
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    v = 0;
    saddle_residual_compute(&p, &v, NULL, NULL, work, &residual);
    assert_true(residual.total == 0);
    /* a NaN that no product carries into a later value */
    int64_t none[] = {0, 0, 0};
    saddle_problem idle = {.n = 2, .M = saddle_matrix_view(2, 2, none, NULL, NULL, SADDLE_GENERAL)};
    double hidden[] = {(double)NAN, 1};
    saddle_residual_compute(&idle, hidden, NULL, NULL, work, &residual);
    assert_true(residual.total == INF);
    saddle_problem rows = {.m = 2};
    double error;
    double w[] = {0, 0};
    saddle_solution given = {.m = 2, .lambda = hidden, .w = w};
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, &error), SADDLE_OK);
    assert_true(residual.total == INF && error == INF);
    given.w = NULL;
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, &error), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, NULL), SADDLE_OK);
    given.lambda = NULL;
    assert_int_equal(saddle_solution_check(NULL, &rows, &given, &residual, NULL), SADDLE_INVALID_ARGUMENT);
    saddle_problem empty = {0};
    saddle_residual_compute(&empty, NULL, NULL, NULL, NULL, &residual);
    assert_true(residual.total == 0 && residual.worst_row == -1 && residual.worst_velocity == -1);
}

static void the_worst_row_and_velocity_are_named(void **state)
{
    (void)state;
    double b[] = {1, 5, 2};
    saddle_problem p = {.m = 3, .b = b};
    double lambda[3] = {0};
    double work[16];
    saddle_residual residual;
    saddle_residual_compute(&p, NULL, lambda, NULL, work, &residual);
    assert_int_equal(residual.worst_row, 1);
    assert_true(residual.rows == 1); /* |w_2| / |b| */
    assert_int_equal(residual.worst_velocity, -1);
}

static void a_solution_of_the_wrong_size_is_refused(void **state)
{
    (void)state;
    saddle_problem p = {.m = 1};
    saddle_solution solution = {.m = 2};
    saddle_residual residual;
    assert_int_equal(saddle_solution_check(NULL, &p, &solution, &residual, NULL), SADDLE_INVALID_ARGUMENT);
}

static void a_wrong_w_is_measured(void **state)
{
    (void)state;
    double b[] = {-4};
    double lo[] = {0};
    saddle_problem p = {.m = 1, .b = b, .lo = lo};
    double lambda[] = {0};
    double w[] = {3};
    saddle_solution solution = {.m = 1, .lambda = lambda, .w = w};
    saddle_residual residual;
    double error;
    assert_int_equal(saddle_solution_check(NULL, &p, &solution, &residual, &error), SADDLE_OK);
    assert_true(residual.total == 0);
    assert_true(error == 0.25);
}

static void projections_are_the_nearest_points(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int draw = 0; draw < 20000; draw++) {
        double mu = draw % 7 == 0 ? 0 : test_uniform(&random, 0, 2);
        int64_t size = 2 + draw % 2;
        double x[3] = {test_uniform(&random, -2, 2), test_uniform(&random, -2, 2), test_uniform(&random, -2, 2)};
        if (draw % 11 == 0) x[1] = x[2] = 0;
        double nearest[3];
        nearest_in_cone(mu, size, x, nearest);
        saddle__project_cone(mu, size, x);
        for (int64_t i = 0; i < size; i++) assert_true(fabs(x[i] - nearest[i]) < 1e-7);

        double radius = test_uniform(&random, -0.2, 1);
        int64_t facets = test_integer(&random, 3, 12);
        double t[2] = {test_uniform(&random, -2, 2), test_uniform(&random, -2, 2)};
        nearest_in_polygon(radius, facets, t, nearest);
        saddle__project_polygon(radius, facets, t);
        assert_true(fabs(t[0] - nearest[0]) < 1e-12 && fabs(t[1] - nearest[1]) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checker_is_its_definition),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_body_at_rest_is_solved),
        cmocka_unit_test(contradictory_rows_are_not_excused_by_their_impulses),
        cmocka_unit_test(a_block_on_a_plane_is_judged_by_the_law),
        cmocka_unit_test(what_is_not_finite_is_not_solved),
        cmocka_unit_test(the_worst_row_and_velocity_are_named),
        cmocka_unit_test(a_solution_of_the_wrong_size_is_refused),
        cmocka_unit_test(a_wrong_w_is_measured),
        cmocka_unit_test(projections_are_the_nearest_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
