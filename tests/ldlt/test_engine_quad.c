/* SPDX-License-Identifier: MIT */
/* The engine through the solver `ldlt` against a twin in quadruple precision (quad_twin.h), over
 * thousands of drawn systems
 *
 *     K = [M J'; J -R]
 *
 * (quasi-definite, rigid with R = 0, with redundant rows, with contradictory rows, with massless
 * velocities), each in units between 2^-range and 2^range.  All entries are multiples of 1/64 times
 * powers of two and combinations of rows are exact, so that the twin sees the same system,
 * dependent where it is meant to be.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "quad_twin.h"
#include "support.h"

enum { LARGEST_N = 14, LARGEST_M = 10, LARGEST = LARGEST_N + LARGEST_M };

typedef struct kind {
    int compliant;     /* R > 0 */
    int redundant;     /* rows that are sums of others */
    int contradictory; /* ... and ask for something else */
    int massless;      /* the last velocities have no mass, rows hold them */
    int range;         /* units */
} kind;

/* A system in natural units, and the units: v = S u, rows times D. */
typedef struct drawn {
    int64_t n, m;
    double M[LARGEST_N * LARGEST_N], J[LARGEST_M * LARGEST_N], R[LARGEST_M]; /* R diagonal */
    double f[LARGEST_N], b[LARGEST_M];
    double S[LARGEST_N], D[LARGEST_M];
} drawn;

static double draw_value(uint64_t *state)
{
    return (double)test_integer(state, -128, 128) / 64.0;
}

/* ---- drawing ---- */

/* M = A A' / 16 + I / 4 with sparse A, zero rows for the last velocities where they have no mass */
static void draw_mass(uint64_t *state, int64_t massive, drawn *d)
{
    double A[LARGEST_N * LARGEST_N] = {0};
    for (int64_t i = 0; i < massive; i++)
        for (int k = 0; k < 3; k++)
            A[i * LARGEST_N + test_integer(state, 0, massive - 1)] = (double)test_integer(state, -4,
                                                                                          4);
    for (int64_t i = 0; i < massive; i++)
        for (int64_t j = 0; j < massive; j++) {
            double sum = i == j ? 0.25 : 0.0;
            for (int64_t k = 0; k < massive; k++)
                sum += A[i * LARGEST_N + k] * A[j * LARGEST_N + k] / 16.0;
            d->M[i * LARGEST_N + j] = sum;
        }
}

/* Sparse rows; each massless velocity is held by a row of its own. */
static void draw_rows(uint64_t *state, int64_t massive, drawn *d)
{
    for (int64_t i = 0; i < d->m; i++)
        for (int k = 0; k < 4 && massive > 0; k++)
            d->J[i * LARGEST_N + test_integer(state, 0, massive - 1)] = draw_value(state);
    for (int64_t j = massive; j < d->n; j++) d->J[(j - massive) * LARGEST_N + j] = 1.0;
}

/* Row i becomes a sum of two rows before it, its right-hand side too. */
static void repeat_rows(uint64_t *state, int contradictory, drawn *d)
{
    for (int64_t i = 2; i < d->m; i++) {
        if (test_integer(state, 0, 2) > 0 && i > 2) continue;
        int64_t a = test_integer(state, 0, i - 1);
        int64_t c = test_integer(state, 0, i - 1);
        double by = (double)test_integer(state, 1, 2);
        for (int64_t j = 0; j < d->n; j++)
            d->J[i * LARGEST_N + j] = d->J[a * LARGEST_N + j] - by * d->J[c * LARGEST_N + j];
        d->b[i] = d->b[a] - by * d->b[c];
    }
    if (contradictory) d->b[2] += 3.0;
}

static drawn draw(uint64_t *state, kind k)
{
    drawn d = {.n = test_integer(state, 3, LARGEST_N),
               .m = test_integer(state, k.redundant ? 3 : 0, LARGEST_M)};
    int64_t massless = k.massless ? test_integer(state, 0, (d.n < d.m ? d.n : d.m) / 2) : 0;
    if (!k.compliant && !k.redundant && d.m > d.n) d.m = d.n;
    draw_mass(state, d.n - massless, &d);
    draw_rows(state, d.n - massless, &d);
    double v[LARGEST_N];
    for (int64_t j = 0; j < d.n; j++) v[j] = draw_value(state);
    for (int64_t i = 0; i < d.m; i++) {
        d.R[i] = k.compliant ? (double)test_integer(state, 1, 64) / 64.0 : 0.0;
        for (int64_t j = 0; j < d.n; j++)
            d.b[i] += d.J[i * LARGEST_N + j] * v[j]; /* multiples of 2^-12: exact */
        d.D[i] = ldexp(1.0, (int)test_integer(state, -k.range, k.range));
    }
    for (int64_t j = 0; j < d.n; j++) {
        d.f[j] = draw_value(state);
        d.S[j] = ldexp(1.0, (int)test_integer(state, -k.range, k.range));
    }
    if (k.redundant) repeat_rows(state, k.contradictory, &d);
    return d;
}

/* ---- the two answers ---- */

/* K (x = u, -lambda) = (f, b) in natural units */
static quad_outcome solve_by_twin(const drawn *d, quad *x)
{
    int64_t n = d->n;
    int64_t size = n + d->m;
    quad K[LARGEST * LARGEST];
    quad rhs[LARGEST];
    for (int64_t t = 0; t < size * size; t++) K[t] = 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) K[i * size + j] = d->M[i * LARGEST_N + j];
        rhs[i] = d->f[i];
    }
    for (int64_t i = 0; i < d->m; i++) {
        for (int64_t j = 0; j < n; j++)
            K[(n + i) * size + j] = K[j * size + n + i] = d->J[i * LARGEST_N + j];
        K[(n + i) * size + n + i] = -d->R[i];
        rhs[n + i] = d->b[i];
    }
    quad_outcome outcome = quad_solve(size, K, rhs, x);
    for (int64_t i = n; i < size; i++) x[i] = -x[i];
    return outcome;
}

/* The same as a problem in drawn units; rows of zeros keep their place. */
static void make_problem(const drawn *d, saddle_problem *p)
{
    int64_t row[LARGEST_N * LARGEST_N];
    int64_t col[LARGEST_N * LARGEST_N];
    double value[LARGEST_N * LARGEST_N];
    int64_t count = 0;
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t j = 0; j <= i; j++) {
            if (d->M[i * LARGEST_N + j] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = d->M[i * LARGEST_N + j] * d->S[i] * d->S[j];
        }
    assert_int_equal(saddle_matrix_from_triplets(NULL, d->n, d->n, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &p->M),
                     0);
    count = 0;
    for (int64_t i = 0; i < d->m; i++)
        for (int64_t j = 0; j < d->n; j++) {
            if (d->J[i * LARGEST_N + j] == 0.0) continue;
            row[count] = j;
            col[count] = i;
            value[count++] = d->J[i * LARGEST_N + j] * d->D[i] * d->S[j];
        }
    assert_int_equal(saddle_matrix_from_triplets(NULL, d->n, d->m, count, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &p->Jt),
                     0);
    for (int64_t i = 0; i < d->m; i++) {
        row[i] = col[i] = i;
        value[i] = d->R[i] * d->D[i] * d->D[i];
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, d->m, d->m, d->R[0] > 0.0 ? d->m : 0, row,
                                                 col, value, SADDLE_SYMMETRY_LOWER, &p->R),
                     0);
    p->n = d->n;
    p->m = d->m;
}

/* ---- comparing ---- */

typedef struct worst {
    double velocity, impulse, backward; /* largest met */
    int64_t compared, contradicted, inertias, free;
} worst;

static double relative(quad difference, quad size)
{
    quad limit = size > 1 ? size : 1;
    return (double)(quad_abs(difference) / limit);
}

/* max |u - twin| / max(1, |twin|) in natural units */
static double velocity_error(const drawn *d, const saddle_solution *s, const quad *x)
{
    quad size = 0;
    for (int64_t j = 0; j < d->n; j++) size = quad_abs(x[j]) > size ? quad_abs(x[j]) : size;
    double most = 0.0;
    for (int64_t j = 0; j < d->n; j++)
        most = fmax(most, relative((quad)s->v[j] * (quad)d->S[j] - x[j], size));
    return most;
}

/* Of lambda where it is unique, of J'lambda in any case. */
static double impulse_error(const drawn *d, const saddle_solution *s, const quad *x, int unique)
{
    double most = 0.0;
    quad size = 0;
    for (int64_t i = 0; i < d->m; i++)
        size = quad_abs(x[d->n + i]) > size ? quad_abs(x[d->n + i]) : size;
    for (int64_t i = 0; i < d->m && unique; i++)
        most = fmax(most, relative((quad)s->lambda[i] * (quad)d->D[i] - x[d->n + i], size));
    for (int64_t j = 0; j < d->n; j++) {
        quad off = 0;
        quad total = 0;
        for (int64_t i = 0; i < d->m; i++) {
            quad J = d->J[i * LARGEST_N + j];
            off += J * ((quad)s->lambda[i] * (quad)d->D[i] - x[d->n + i]);
            total += quad_abs(J) *
                     (quad_abs((quad)s->lambda[i] * (quad)d->D[i]) + quad_abs(x[d->n + i]));
        }
        most = fmax(most, relative(off, total));
    }
    return most;
}

/* |r_i| over s_i = (|K||x| + |rhs|)_i; an s_i that is rounding itself counts with |K_i| max |x|
 * (Arioli, Demmel and Duff, SIAM J. Matrix Anal. 10, 1989, omega 2).  x in natural units, v and
 * then lambda. */
static double row_error(const drawn *d, int64_t i, const quad *x, quad largest)
{
    int64_t n = d->n;
    int64_t size = n + d->m;
    quad r = i < n ? d->f[i] : d->b[i - n];
    quad s = quad_abs(r);
    quad t = s;
    for (int64_t k = 0; k < size; k++) {
        quad entry = 0;
        if (i < n)
            entry = k < n ? d->M[i * LARGEST_N + k] : -d->J[(k - n) * LARGEST_N + i];
        else if (k < n)
            entry = d->J[(i - n) * LARGEST_N + k];
        else if (k == i)
            entry = d->R[i - n];
        r -= entry * x[k];
        s += quad_abs(entry * x[k]);
        t += quad_abs(entry) * largest;
    }
    if (s <= 1000.0 * (double)size * DBL_EPSILON * t) s += t;
    return s > 0 ? (double)(quad_abs(r) / s) : 0.0;
}

static double backward_error(const drawn *d, const saddle_solution *s)
{
    quad x[LARGEST];
    quad largest = 0;
    for (int64_t j = 0; j < d->n; j++) x[j] = (quad)s->v[j] * (quad)d->S[j];
    for (int64_t i = 0; i < d->m; i++) x[d->n + i] = (quad)s->lambda[i] * (quad)d->D[i];
    for (int64_t k = 0; k < d->n + d->m; k++)
        largest = quad_abs(x[k]) > largest ? quad_abs(x[k]) : largest;
    double most = 0.0;
    for (int64_t i = 0; i < d->n + d->m; i++) most = fmax(most, row_error(d, i, x, largest));
    return most;
}

/* A v that M and J both take to zero: M >= 0, so that M + J'J is singular then and only then. */
static int velocity_is_free(const drawn *d)
{
    quad A[LARGEST * LARGEST];
    quad rhs[LARGEST];
    quad x[LARGEST];
    for (int64_t i = 0; i < d->n; i++) {
        rhs[i] = 0;
        for (int64_t j = 0; j < d->n; j++) {
            A[i * d->n + j] = d->M[i * LARGEST_N + j];
            for (int64_t k = 0; k < d->m; k++)
                A[i * d->n + j] += (quad)d->J[k * LARGEST_N + i] * (quad)d->J[k * LARGEST_N + j];
        }
    }
    return quad_solve(d->n, A, rhs, x).rank < d->n;
}

static void compare(uint64_t seed, const drawn *d, const char *solver, worst *w)
{
    quad x[LARGEST];
    quad_outcome twin = solve_by_twin(d, x);
    double f[LARGEST_N];
    double b[LARGEST_M];
    for (int64_t j = 0; j < d->n; j++) f[j] = d->f[j] * d->S[j];
    for (int64_t i = 0; i < d->m; i++) b[i] = d->b[i] * d->D[i];
    saddle_problem p = {.f = f, .b = b};
    make_problem(d, &p);
    saddle_solution s = {0};
    saddle_report report;
    saddle_status status = saddle_solve(NULL, &p, solver, NULL, NULL, &s, &report);
    int unique = twin.rank == d->n + d->m;
    if (velocity_is_free(d)) {
        if (status != SADDLE_SINGULAR)
            fail_msg("drawn from %llu: a free motion without mass was not found",
                     (unsigned long long)seed);
        w->free++;
    } else if (twin.contradicts) {
        w->contradicted++;
        if (status == SADDLE_OK)
            fail_msg("drawn from %llu: contradictory rows were solved", (unsigned long long)seed);
    } else if (status != SADDLE_OK) {
        fail_msg("drawn from %llu (condition %.1e): %s", (unsigned long long)seed, twin.condition,
                 saddle_status_name(status));
    } else {
        double scale = unique ? fmax(1.0, twin.condition) : 1e4;
        double velocity = velocity_error(d, &s, x);
        double impulse = impulse_error(d, &s, x, unique);
        double backward = backward_error(d, &s);
        if (!(velocity <= 1e-15 * scale + 1e-15 && impulse <= 1e-15 * scale + 1e-15 &&
              backward <= 1e-14))
            fail_msg("drawn from %llu (n = %lld, m = %lld, rank %lld, condition %.1e): v off by "
                     "%.1e, impulses by %.1e, "
                     "backward error %.1e",
                     (unsigned long long)seed, (long long)d->n, (long long)d->m,
                     (long long)twin.rank, twin.condition, velocity, impulse, backward);
        w->velocity = fmax(w->velocity, velocity);
        w->impulse = fmax(w->impulse, impulse);
        w->backward = fmax(w->backward, backward);
        w->compared++;
    }
    if (unique && report.inertia.known) { /* M >= 0 and K regular: n positive, m negative */
        assert_int_equal(report.inertia.positive, d->n);
        assert_int_equal(report.inertia.negative, d->m);
        w->inertias++;
    }
    saddle_solution_clear(&s);
    saddle_matrix_clear(&p.M);
    saddle_matrix_clear(&p.Jt);
    saddle_matrix_clear(&p.R);
}

static void compare_many(kind k)
{
    uint64_t state = test_seed();
    const int64_t draws = test_draws(1000);
    worst w = {0};
    for (int trial = 0; trial < draws; trial++) {
        k.range = trial % 4 == 0 ? 0 : trial % 4 * 10;
        uint64_t seed = state;
        drawn d = draw(&state, k);
        compare(seed, &d, "ldlt", &w);
    }
    assert_true((k.contradictory ? w.contradicted : w.compared) > draws / 2);
    print_message("  %lld compared, %lld inertias, %lld free motions; at worst v %.1e, impulses "
                  "%.1e, backward error %.1e\n",
                  (long long)w.compared, (long long)w.inertias, (long long)w.free, w.velocity,
                  w.impulse, w.backward);
}

static void quasi_definite_systems_equal_the_twin(void **unused)
{
    (void)unused;
    compare_many((kind){.compliant = 1});
    compare_many((kind){.compliant = 1, .redundant = 1});
}

static void rigid_systems_equal_the_twin(void **unused)
{
    (void)unused;
    compare_many((kind){0});
}

static void redundant_rows_give_the_twins_velocity_and_forces(void **unused)
{
    (void)unused;
    compare_many((kind){.redundant = 1});
}

static void contradictory_rows_are_never_solved(void **unused)
{
    (void)unused;
    compare_many((kind){.redundant = 1, .contradictory = 1});
}

static void massless_velocities_held_by_rows_equal_the_twin(void **unused)
{
    (void)unused;
    compare_many((kind){.massless = 1});
    compare_many((kind){.massless = 1, .redundant = 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quasi_definite_systems_equal_the_twin),
        cmocka_unit_test(rigid_systems_equal_the_twin),
        cmocka_unit_test(redundant_rows_give_the_twins_velocity_and_forces),
        cmocka_unit_test(contradictory_rows_are_never_solved),
        cmocka_unit_test(massless_velocities_held_by_rows_equal_the_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
