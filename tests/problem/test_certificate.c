/* SPDX-License-Identifier: MIT */
/* The checker of certificates against drawn problems.  Problems without a solution by the
 * definition in saddle/certificate.h: the combination is evaluated for drawn (v, lambda) by dense
 * loops.  Problems made from a solution: no certificate may be accepted.  M, J, R are dense,
 * unsymmetric in general. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "support.h"

#define INF ((double)INFINITY)

enum { MOST_N = 6, MOST_M = 9 };

typedef struct drawn {
    saddle_problem problem;
    saddle_certificate certificate;
    int64_t n, m;
    double M[MOST_N * MOST_N], J[MOST_M * MOST_N], R[MOST_M * MOST_M]; /* by rows: M[i n + j], J[i n
                                                                          + j], R[i m + j] */
    double f[MOST_N], b[MOST_M], lo[MOST_M], hi[MOST_M], z[MOST_N], y[MOST_M];
    saddle_contact contact[MOST_M];
    int64_t contacts;
    int64_t start[3][MOST_M + 1], index[3][MOST_M * MOST_M];
    double value[3][MOST_M * MOST_M];
} drawn;

/* A matrix by rows as columns of the sparse form; J as J'. */
static saddle_matrix compress(drawn *d, int which, int64_t rows, int64_t cols, const double *A,
                              int transposed)
{
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = 0; i < rows; i++) {
            d->index[which][count] = i;
            d->value[which][count++] = transposed ? A[j * rows + i] : A[i * cols + j];
        }
        d->start[which][j + 1] = count;
    }
    return saddle_matrix_view(rows, cols, d->start[which], d->index[which], d->value[which],
                              SADDLE_SYMMETRY_NONE);
}

/* The problem and the certificate of the arrays as they are. */
static void set_problem(drawn *d, saddle_law law, int64_t facets)
{
    d->problem = (saddle_problem){.n = d->n,
                                  .m = d->m,
                                  .f = d->f,
                                  .b = d->b,
                                  .lo = d->lo,
                                  .hi = d->hi,
                                  .contact_count = d->contacts,
                                  .contacts = d->contact,
                                  .law = law,
                                  .facets = facets};
    if (d->n > 0) d->problem.M = compress(d, 0, d->n, d->n, d->M, 0);
    if (d->n > 0) d->problem.Jt = compress(d, 1, d->n, d->m, d->J, 1);
    d->problem.R = compress(d, 2, d->m, d->m, d->R, 0);
    d->certificate = (saddle_certificate){.n = d->n, .m = d->m, .velocity = d->z, .row = d->y};
}

static void draw_entries(uint64_t *state, int64_t count, double *x)
{
    for (int64_t k = 0; k < count; k++) x[k] = test_uniform(state, -1.0, 1.0);
}

/* max g_t'x for mu lambda_n = 1, by the set's corners or a fine polygon. */
static double support_of(const drawn *d, int64_t size, const double *g)
{
    double most = 0.0;
    int corners = d->problem.law == SADDLE_LAW_PYRAMID ? (int)saddle_problem_facets(&d->problem)
                                                       : 20000;
    if (size == 2) return fabs(g[0]);
    if (d->problem.law == SADDLE_LAW_BOX) return fabs(g[0]) + fabs(g[1]);
    for (int k = 0; k < corners; k++) {
        double angle = 6.283185307179586 * k / corners;
        most = fmax(most, cos(angle) * g[0] + sin(angle) * g[1]);
    }
    return most;
}

/* Parts of a contact: rows [from, to), counted from the normal on. */
typedef struct bundle {
    int64_t from, to;
    double mu;
} bundle;

/* part (3): tangents, torsion, rolling; returns how many there are. */
static int parts_of(const saddle_contact *contact, bundle *part)
{
    int count = 0;
    int64_t size = contact->size, torsion = size == 4 || size == 6;
    part[count].from = 1, part[count].to = size == 2 ? 2 : 3, part[count++].mu = contact->mu;
    if (torsion) part[count].from = 3, part[count].to = 4, part[count++].mu = contact->mu_torsion;
    if (size < 5) return count;
    part[count].from = 3 + torsion, part[count].to = size, part[count++].mu = contact->mu_rolling;
    return count;
}

static saddle_contact draw_contact(uint64_t *state, int64_t row)
{
    saddle_contact contact = {.row = row, .size = test_integer(state, 2, 6)};
    contact.mu = test_uniform(state, 0.0, 1.0);
    if (contact.size == 4 || contact.size == 6) contact.mu_torsion = test_uniform(state, 0.0, 1.0);
    if (contact.size >= 5) contact.mu_rolling = test_uniform(state, 0.0, 1.0);
    return contact;
}

static const saddle_contact *contact_at(const drawn *d, int64_t row)
{
    for (int64_t c = 0; c < d->contacts; c++)
        if (row >= d->contact[c].row && row < d->contact[c].row + d->contact[c].size)
            return &d->contact[c];
    return NULL;
}

/* Rows of all kinds with the y that they allow, and the g that costs nothing, or `bounded` where
 * bounds are used. */
static void draw_rows(uint64_t *state, drawn *d, int with_contacts, double *g)
{
    d->contacts = 0;
    for (int64_t i = 0; i < d->m; i++) {
        int64_t kind = test_integer(state, 0, 3);
        double a = test_uniform(state, -1.0, 0.0);
        double c = test_uniform(state, 0.0, 1.0);
        d->lo[i] = kind == 0 || kind == 2 ? -INF : a;
        d->hi[i] = kind == 0 || kind == 1 ? INF : c;
        d->y[i] = kind == 0   ? test_uniform(state, -1.0, 1.0)
                  : kind == 1 ? fmax(test_uniform(state, -0.5, 1.0), 0.0)
                  : kind == 2 ? fmin(test_uniform(state, -1.0, 0.5), 0.0)
                              : 0.0;
        g[i] = kind == 0   ? 0.0
               : kind == 3 ? test_uniform(state, -1.0, 1.0)
                           : (kind == 1 ? -1.0 : 1.0) * c;
    }
    for (int64_t i = 0; with_contacts && i + 3 < d->m;) { /* the last row is none's */
        saddle_contact contact = draw_contact(state, i);
        if (i + contact.size >= d->m) contact = (saddle_contact){.row = i, .size = 3, .mu = 0.4};
        d->contact[d->contacts++] = contact;
        int associated = d->problem.law == SADDLE_LAW_ASSOCIATED;
        bundle part[3];
        int parts = parts_of(&contact, part);
        d->y[i] = test_uniform(state, 0.1, 1.0);
        g[i] = -test_uniform(state, 0.0, 1.0);
        for (int p = 0; p < parts; p++) {
            double most = associated ? 0.7 * part[p].mu * d->y[i] : 0.0;
            for (int64_t k = part[p].from; k < part[p].to; k++) {
                d->y[i + k] = test_uniform(state, -most, most);
                g[i + k] = test_uniform(state, -1.0, 1.0);
            }
            g[i] -= part[p].mu * (1.0 + 1e-6) *
                    support_of(d, part[p].to - part[p].from + 1, g + i + part[p].from);
        }
        i += contact.size + 1;
    }
}

/* sup g'lambda over the rows outside contacts; contacts cost nothing. */
static double most_work(const drawn *d, const double *g)
{
    double sum = 0.0;
    for (int64_t i = 0; i < d->m; i++) {
        if (contact_at(d, i) || g[i] == 0.0) continue;
        sum += g[i] * (g[i] > 0.0 ? d->hi[i] : d->lo[i]);
    }
    return sum;
}

/* J_m and R_m, the last row's, become what M'z + J'y = 0 and R'y - J z = g ask for; y of the last
 * row is not 0. */
static void fit(drawn *d, const double *g)
{
    int64_t n = d->n;
    int64_t m = d->m;
    double *last = d->J + (m - 1) * n;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0.0;
        for (int64_t i = 0; i < n; i++) sum += d->M[i * n + j] * d->z[i];
        for (int64_t i = 0; i < m - 1; i++) sum += d->J[i * n + j] * d->y[i];
        last[j] = -sum / d->y[m - 1];
    }
    for (int64_t i = 0; i < m; i++) {
        double sum = g[i];
        for (int64_t j = 0; j < n; j++) sum += d->J[i * n + j] * d->z[j];
        for (int64_t k = 0; k < m - 1; k++) sum -= d->R[k * m + i] * d->y[k];
        d->R[(m - 1) * m + i] = sum / d->y[m - 1];
    }
}

static double work_of(const drawn *d)
{
    double sum = 0.0;
    for (int64_t j = 0; j < d->n; j++) sum += d->f[j] * d->z[j];
    for (int64_t i = 0; i < d->m; i++) sum += d->b[i] * d->y[i];
    return sum;
}

/* A certificate and a problem for which it holds, or (gap < 0) fails by the gap alone. */
static void draw(uint64_t *state, drawn *d, int with_contacts, double gap)
{
    static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_PYRAMID, SADDLE_LAW_BOX,
                                      SADDLE_LAW_ASSOCIATED};
    double g[MOST_M];
    memset(d, 0, sizeof *d);
    d->n = test_integer(state, 0, MOST_N);
    d->m = test_integer(state, with_contacts ? 5 : 1, MOST_M);
    saddle_law law = laws[test_integer(state, 0, 3)];
    int64_t facets = test_integer(state, 3, 9);
    d->problem.law = law;
    d->problem.facets = facets;
    draw_entries(state, d->n * d->n, d->M);
    for (int64_t j = 0; j < d->n; j++) d->M[j * d->n + j] += 2.0;
    draw_entries(state, d->m * d->n, d->J);
    draw_entries(state, d->m * d->m, d->R);
    draw_entries(state, d->n, d->f);
    draw_entries(state, d->m, d->b);
    draw_entries(state, d->n, d->z);
    draw_rows(state, d, with_contacts, g);
    int64_t last = d->m - 1;
    d->lo[last] = 0.0;
    d->hi[last] = INF;
    d->y[last] = test_uniform(state, 0.5, 1.0);
    g[last] = -test_uniform(state, 0.0, 1.0);
    fit(d, g);
    d->b[last] += (most_work(d, g) + gap - work_of(d)) / d->y[last];
    set_problem(d, law, facets);
}

static saddle_proof check(const drawn *d)
{
    saddle_proof proof;
    assert_int_equal(saddle_problem_check(NULL, &d->problem, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_certificate_check(NULL, &d->problem, &d->certificate, &proof),
                     SADDLE_OK);
    return proof;
}

/* lambda as the laws allow it, large here and there. */
static void draw_impulses(uint64_t *state, const drawn *d, double *lambda)
{
    for (int64_t i = 0; i < d->m; i++) {
        double size = test_integer(state, 0, 3) == 0 ? 1e3 : 1.0;
        lambda[i] = fmin(fmax(size * test_uniform(state, -1.0, 1.0), d->lo[i]), d->hi[i]);
    }
    for (int64_t c = 0; c < d->contacts; c++) {
        double *at = lambda + d->contact[c].row;
        int box = d->problem.law == SADDLE_LAW_BOX;
        at[0] = fabs(at[0]);
        double share = box ? 1.0 : 0.5; /* within half the circle: inside every polygon of three
                                           corners or more */
        bundle part[3];
        int parts = parts_of(&d->contact[c], part);
        for (int p = 0; p < parts; p++) {
            double length = 0.0;
            for (int64_t k = part[p].from; k < part[p].to; k++) length = hypot(length, at[k]);
            for (int64_t k = part[p].from; k < part[p].to; k++) {
                double over = box ? fabs(at[k]) : length;
                double most = share * part[p].mu * at[0];
                if (over > most) at[k] *= most / over;
            }
        }
    }
}

/* z'(M v - J'lambda - f) + y'(J v + R lambda - b), which is y'w >= 0 at a solution; *size: of its
 * terms. */
static double combination(const drawn *d, const double *v, const double *lambda, double *size)
{
    double sum = 0.0;
    *size = 0.0;
    for (int64_t i = 0; i < d->n; i++) {
        double row = -d->f[i];
        for (int64_t j = 0; j < d->n; j++) row += d->M[i * d->n + j] * v[j];
        for (int64_t k = 0; k < d->m; k++) row -= d->J[k * d->n + i] * lambda[k];
        sum += d->z[i] * row;
        *size += fabs(d->z[i] * row);
    }
    for (int64_t i = 0; i < d->m; i++) {
        double row = -d->b[i];
        for (int64_t j = 0; j < d->n; j++) row += d->J[i * d->n + j] * v[j];
        for (int64_t k = 0; k < d->m; k++) row += d->R[i * d->m + k] * lambda[k];
        sum += d->y[i] * row;
        *size += fabs(d->y[i] * row);
    }
    return sum;
}

static void what_is_proven_holds_wherever_one_looks(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(4000); k++) {
        uint64_t seed = state;
        drawn d;
        draw(&state, &d, k % 2, test_uniform(&state, 0.1, 1.0));
        saddle_proof proof = check(&d);
        if (proof.kind != SADDLE_PROOF_ROWS || !(proof.reach > 1e10))
            fail_msg("kind %s, gap %g, reach %g, drawn from %" PRIu64,
                     saddle_proof_word(proof.kind), proof.gap, proof.reach, seed);
        for (int look = 0; look < 20; look++) {
            double v[MOST_N];
            double lambda[MOST_M];
            double size;
            draw_entries(&state, d.n, v);
            draw_impulses(&state, &d, lambda);
            double sum = combination(&d, v, lambda, &size);
            if (!(sum < 1e-13 * size)) fail_msg("%g of %g, drawn from %" PRIu64, sum, size, seed);
        }
    }
}

static void what_is_broken_proves_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(4000); k++) {
        uint64_t seed = state;
        drawn d;
        int how = k % 6;
        draw(&state, &d, k / 6 % 2,
             how == 0 ? -test_uniform(&state, 0.01, 1.0) : test_uniform(&state, 0.1, 1.0));
        int64_t last = d.m - 1;
        if (how == 1) d.y[last] = -d.y[last]; /* a sign that the row does not allow */
        if (how == 2) d.hi[last] = 1.0;       /* both signs of w are allowed */
        if (how == 3) d.b[last] -= 10.0 * (double)d.m / d.y[last] + 10.0; /* no gap */
        if (how == 4)
            d.value[2][d.m * d.m - 1] += 10.0 / d.y[last]; /* g uses an unlimited impulse */
        if (how == 5 && d.n > 0)
            d.value[1][last * d.n] += 1e-2 / d.y[last]; /* a velocity could help it out */
        if (how == 5 && d.n == 0) continue;
        if (how == 3) d.problem.b = d.b;
        saddle_proof proof = check(&d);
        if (proof.kind != SADDLE_PROOF_NONE)
            fail_msg("broken by way %d: gap %g, reach %g, drawn from %" PRIu64, how, proof.gap,
                     proof.reach, seed);
    }
}

/* f and b from v, lambda and w that obey the laws: nothing can be proven of it, by the z and y that
 * came before either. */
static void nothing_is_proven_of_what_has_a_solution(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(4000); k++) {
        uint64_t seed = state;
        drawn d;
        double v[MOST_N];
        double lambda[MOST_M];
        draw(&state, &d, 0, 1.0);
        draw_entries(&state, d.n, v);
        draw_impulses(&state, &d, lambda);
        for (int64_t i = 0; i < d.n; i++) {
            d.f[i] = 0.0;
            for (int64_t j = 0; j < d.n; j++) d.f[i] += d.M[i * d.n + j] * v[j];
            for (int64_t r = 0; r < d.m; r++) d.f[i] -= d.J[r * d.n + i] * lambda[r];
        }
        for (int64_t i = 0; i < d.m; i++) {
            double w = lambda[i] == d.lo[i] ? 1.0 : lambda[i] == d.hi[i] ? -1.0 : 0.0;
            d.b[i] = -w * (double)test_integer(&state, 0, 1);
            for (int64_t j = 0; j < d.n; j++) d.b[i] += d.J[i * d.n + j] * v[j];
            for (int64_t r = 0; r < d.m; r++) d.b[i] += d.R[i * d.m + r] * lambda[r];
        }
        for (int try = 0; try < 3; try++) {
            saddle_proof proof = check(&d);
            if (proof.kind != SADDLE_PROOF_NONE)
                fail_msg("gap %g, reach %g, drawn from %" PRIu64, proof.gap, proof.reach, seed);
            draw_entries(&state, d.n, d.z);
            draw_entries(&state, d.m, d.y);
        }
    }
}

static void units_do_not_matter(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(500); k++) {
        drawn d;
        draw(&state, &d, 0, 0.5);
        saddle_proof before = check(&d);
        double a = exp2((double)test_integer(&state, -40, 40)); /* of impulses */
        double c = exp2((double)test_integer(&state, -40, 40)); /* of velocities */
        for (int64_t j = 0; j < d.n * d.n; j++) d.M[j] *= a / c;
        for (int64_t i = 0; i < d.m * d.m; i++) d.R[i] *= c / a;
        for (int64_t j = 0; j < d.n; j++) d.f[j] *= a;
        for (int64_t j = 0; j < d.n; j++) d.z[j] *= c;
        for (int64_t i = 0; i < d.m; i++) {
            d.b[i] *= c;
            d.lo[i] *= a;
            d.hi[i] *= a;
            d.y[i] *= a;
        }
        set_problem(&d, d.problem.law, d.problem.facets);
        saddle_proof after = check(&d);
        assert_int_equal(after.kind, before.kind);
        assert_int_equal(after.heaviest, before.heaviest);
        assert_true(fabs(after.gap - before.gap) <= 1e-13 * before.gap);
        assert_true(after.reach >= 0.999 * before.reach && after.reach <= 1.001 * before.reach);
    }
}

/* A particle without mass that a unilateral row keeps from one side, pushed to the other:
 * unbounded; pushed against the row: not. */
static void a_motion_that_nothing_resists_is_told_apart(void **unused)
{
    (void)unused;
    drawn d;
    memset(&d, 0, sizeof d);
    d.n = 2;
    d.m = 1;
    d.M[0] = 1.0;
    d.J[1] = 1.0;
    d.hi[0] = INF;
    d.f[0] = 3.0;
    d.f[1] = 2.0;
    d.z[1] = 1.0;
    set_problem(&d, SADDLE_LAW_CONE, 0);
    saddle_proof proof = check(&d);
    assert_int_equal(proof.kind, SADDLE_PROOF_MOTION);
    assert_int_equal(proof.heaviest, 1);
    assert_true(proof.gap == 1.0 && isinf(proof.reach));
    char text[128];
    saddle_certificate_describe(&d.problem, &d.certificate, 3, text, sizeof text);
    assert_string_equal(text, "velocity 2: no mass, and no row holds it against f");
    d.f[1] = -2.0;
    assert_int_equal(check(&d).kind, SADDLE_PROOF_NONE);
    d.z[1] = -1.0; /* against the row, whose impulse has no end */
    assert_int_equal(check(&d).kind, SADDLE_PROOF_NONE);
}

/* Rows 1 and 2 are 1e-5 apart; the contact of row 3 is open, near or far. */
static void the_distance_of_an_open_contact_hides_no_contradiction(void **unused)
{
    (void)unused;
    for (int power = 0; power <= 60; power += 20) {
        drawn d;
        memset(&d, 0, sizeof d);
        d.n = 1;
        d.m = 3;
        d.M[0] = 1.0;
        for (int i = 0; i < 3; i++) d.J[i] = 1.0, d.hi[i] = INF;
        d.lo[0] = d.lo[1] = -INF;
        d.b[0] = 1.0;
        d.b[1] = 1.00001;
        d.b[2] = -ldexp(1.0, power);
        d.y[0] = -1.0;
        d.y[1] = 1.0;
        set_problem(&d, SADDLE_LAW_CONE, 0);
        assert_true(check(&d).kind == SADDLE_PROOF_ROWS);
    }
}

/* Two rows on one velocity, b apart by a gap of the data: at 1e-8 of the terms a proof begins. */
static void a_proof_begins_at_a_gap_of_1e_8(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        drawn d;
        memset(&d, 0, sizeof d);
        d.n = 1;
        d.m = 2;
        d.M[0] = 1.0;
        for (int i = 0; i < 2; i++) d.J[i] = 1.0, d.lo[i] = -INF, d.hi[i] = INF;
        d.b[0] = 1.0;
        d.b[1] = 1.0 + (k == 0 ? 1.9e-8 : 2.1e-8); /* of the terms 1 + 1 */
        d.y[0] = -1.0;
        d.y[1] = 1.0;
        set_problem(&d, SADDLE_LAW_CONE, 0);
        assert_int_equal(check(&d).kind, k == 0 ? SADDLE_PROOF_NONE : SADDLE_PROOF_ROWS);
    }
}

/* J v = b has a solution however short the row J is, also where its square underflows. */
static void a_short_row_proves_nothing(void **unused)
{
    (void)unused;
    for (int power = 0; power <= 1000; power += 50) {
        drawn d;
        memset(&d, 0, sizeof d);
        d.n = d.m = 1;
        d.M[0] = 1.0;
        d.J[0] = ldexp(1.0, -power);
        d.lo[0] = -INF, d.hi[0] = INF;
        d.b[0] = d.y[0] = 1.0;
        set_problem(&d, SADDLE_LAW_CONE, 0);
        assert_int_equal(check(&d).kind, SADDLE_PROOF_NONE);
    }
}

/* v = 0.1 + 0.2 and v = 0.3, which differ by a rounding, contradict each other in exact arithmetic;
 * that proves nothing. */
static void what_differs_by_a_rounding_is_no_contradiction(void **unused)
{
    (void)unused;
    drawn d;
    memset(&d, 0, sizeof d);
    d.n = 1;
    d.m = 2;
    d.M[0] = 1.0;
    d.J[0] = d.J[1] = 1.0;
    d.lo[0] = d.lo[1] = -INF;
    d.hi[0] = d.hi[1] = INF;
    volatile double tenth = 0.1;
    d.b[0] = tenth + 0.2;
    d.b[1] = 0.3;
    d.y[0] = d.b[0] > d.b[1] ? 1.0 : -1.0;
    d.y[1] = -d.y[0];
    set_problem(&d, SADDLE_LAW_CONE, 0);
    saddle_proof proof = check(&d);
    assert_true(proof.gap > 0.0 && proof.kind == SADDLE_PROOF_NONE);
    d.b[1] = 0.4;
    d.y[0] = -1.0;
    d.y[1] = 1.0;
    proof = check(&d);
    assert_true(proof.kind == SADDLE_PROOF_ROWS && proof.rows == 2 && proof.velocities == 0 &&
                isinf(proof.reach));
    char text[128];
    saddle_certificate_describe(&d.problem, &d.certificate, 3, text, sizeof text);
    assert_string_equal(text, "row 1 and row 2 contradict each other");
    d.y[0] = -1.0 + 0x1p-50; /* as heavy, but for rounding */
    saddle_certificate_describe(&d.problem, &d.certificate, 3, text, sizeof text);
    assert_string_equal(text, "row 1 and row 2 contradict each other");
    assert_int_equal(check(&d).heaviest, 0);
}

/* lambda_1 >= 0 has nothing to do but w_3 = R_31 lambda_1 - b_3 >= 0, and does it, whatever the
 * units: R_11 = 0 gives none to tell R_31 from a rounding. */
static void what_is_left_of_a_row_without_a_diagonal_is_no_rounding(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(1000); draw++) {
        int64_t start[] = {0, 1, 3, 3}, index[] = {2, 1, 2};
        double D[3];
        for (int i = 0; i < 3; i++) D[i] = ldexp(1.0, (int)test_integer(&state, -20, 20));
        double R[] = {D[2] * D[0], D[1] * D[1], -D[2] * D[1]}, b[] = {0.0, 0.0, 2.0 * D[2]},
               lo[] = {0.0, 0.0, 0.0};
        double y[] = {0.0, 0.0, 1.0};
        saddle_problem p = {.m = 3, .b = b, .lo = lo};
        p.R = saddle_matrix_view(3, 3, start, index, R, SADDLE_SYMMETRY_NONE);
        saddle_certificate certificate = {.m = 3, .row = y};
        saddle_proof proof;
        assert_int_equal(saddle_certificate_check(NULL, &p, &certificate, &proof), SADDLE_OK);
        assert_int_equal(proof.kind, SADDLE_PROOF_NONE);
        R[0] = -R[0]; /* now it takes from w_3 */
        assert_int_equal(saddle_certificate_check(NULL, &p, &certificate, &proof), SADDLE_OK);
        assert_int_equal(proof.kind, SADDLE_PROOF_ROWS);
    }
}

/* The same of a row whose impulse has a unit, where the row it works on has none: w_2 = R_21
 * lambda_1 - b_2, R_22 = 0. */
static void nor_is_what_works_on_one(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(1000); draw++) {
        int64_t start[] = {0, 2, 3}, index[] = {0, 1, 0};
        double D[2], lo[] = {0.0, 0.0}, y[] = {0.0, 1.0};
        for (int i = 0; i < 2; i++) D[i] = ldexp(1.0, (int)test_integer(&state, -20, 20));
        /* lambda = (2, 2) / D */
        double R[] = {-D[0] * D[0], D[1] * D[0], D[0] * D[1]}, b[] = {0.0, 2.0 * D[1]};
        saddle_problem p = {.m = 2, .b = b, .lo = lo};
        p.R = saddle_matrix_view(2, 2, start, index, R, SADDLE_SYMMETRY_NONE);
        saddle_certificate certificate = {.m = 2, .row = y};
        saddle_proof proof;
        assert_int_equal(saddle_certificate_check(NULL, &p, &certificate, &proof), SADDLE_OK);
        assert_int_equal(proof.kind, SADDLE_PROOF_NONE);
    }
}

static void what_does_not_fit_is_refused_and_what_is_not_finite_proves_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn d;
    do draw(&state, &d, 0, 1.0);
    while (d.n == 0);
    saddle_proof proof;
    saddle_certificate wrong = d.certificate;
    wrong.n++;
    assert_int_equal(saddle_certificate_check(NULL, &d.problem, &wrong, &proof),
                     SADDLE_INVALID_ARGUMENT);
    wrong = d.certificate;
    wrong.row = NULL;
    assert_int_equal(saddle_certificate_check(NULL, &d.problem, &wrong, &proof),
                     SADDLE_INVALID_ARGUMENT);
    saddle_certificate none = {0};
    assert_int_equal(saddle_certificate_check(NULL, &d.problem, &none, &proof),
                     SADDLE_INVALID_ARGUMENT);
    d.z[0] = (double)NAN;
    assert_int_equal(check(&d).kind, SADDLE_PROOF_NONE);
    d.z[0] = INF;
    assert_int_equal(check(&d).kind, SADDLE_PROOF_NONE);
    saddle_problem empty = {0};
    assert_int_equal(saddle_certificate_check(NULL, &empty, &none, &proof), SADDLE_OK);
    assert_int_equal(proof.kind, SADDLE_PROOF_NONE);
}

static saddle_status make_and_check(saddle_context *context, void *user)
{
    const drawn *d = user;
    saddle_certificate certificate;
    saddle_proof proof;
    saddle_status status = saddle_certificate_create(context, d->n, d->m, &certificate);
    if (status == SADDLE_OK)
        status = saddle_certificate_check(context, &d->problem, &certificate, &proof);
    saddle_certificate_clear(&certificate);
    saddle_certificate_clear(&certificate);
    return status;
}

static void every_failing_allocation_is_survived(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn d;
    draw(&state, &d, 0, 1.0);
    assert_int_equal(test_allocation_sweep(make_and_check, &d), 4);
    saddle_certificate_clear(NULL);
}

/* The sum of the moduli, rounded, was less than the sum of terms of one sign. */
static void the_gap_of_a_proof_is_at_most_1(void **state)
{
    (void)state;
    double b[] = {-0.75, -0.75, -0.75}, y[] = {-0.75, -0.1, -0.1};
    saddle_problem problem = {.m = 3, .b = b};
    saddle_certificate certificate = {.m = 3, .row = y};
    saddle_proof proof;
    assert_int_equal(saddle_certificate_check(NULL, &problem, &certificate, &proof), SADDLE_OK);
    assert_int_equal(proof.kind, SADDLE_PROOF_ROWS);
    assert_true(proof.gap <= 1.0);
}

/* R = [6e-9 0; 1e6 2e7], lambda_2 <= 0 and b_2 = -0.5: lambda = (0, -2.5e-8) solves it.  Beside
 * R_21 neither diagonal is a unit, so that R_22 y_2 counts whole against y = (0, -1). */
static void diagonals_far_below_their_coupling_prove_nothing(void **state)
{
    (void)state;
    int64_t start[] = {0, 2, 3}, index[] = {0, 1, 1};
    double R[] = {6e-9, 1e6, 2e7}, b[] = {0, -0.5}, lo[] = {0, -INF}, hi[] = {INF, 0};
    double y[] = {0, -1};
    saddle_problem problem = {.m = 2, .b = b, .lo = lo, .hi = hi};
    problem.R = saddle_matrix_view(2, 2, start, index, R, SADDLE_SYMMETRY_NONE);
    saddle_certificate certificate = {.m = 2, .row = y};
    saddle_proof proof;
    assert_int_equal(saddle_certificate_check(NULL, &problem, &certificate, &proof), SADDLE_OK);
    assert_int_equal(proof.kind, SADDLE_PROOF_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_proven_holds_wherever_one_looks),
        cmocka_unit_test(what_is_broken_proves_nothing),
        cmocka_unit_test(nothing_is_proven_of_what_has_a_solution),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(a_motion_that_nothing_resists_is_told_apart),
        cmocka_unit_test(the_distance_of_an_open_contact_hides_no_contradiction),
        cmocka_unit_test(a_proof_begins_at_a_gap_of_1e_8),
        cmocka_unit_test(a_short_row_proves_nothing),
        cmocka_unit_test(what_differs_by_a_rounding_is_no_contradiction),
        cmocka_unit_test(what_is_left_of_a_row_without_a_diagonal_is_no_rounding),
        cmocka_unit_test(nor_is_what_works_on_one),
        cmocka_unit_test(what_does_not_fit_is_refused_and_what_is_not_finite_proves_nothing),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(the_gap_of_a_proof_is_at_most_1),
        cmocka_unit_test(diagonals_far_below_their_coupling_prove_nothing),
    };
    return cmocka_run_group_tests_name("certificates", tests, NULL, NULL);
}
