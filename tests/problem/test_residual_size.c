/* SPDX-License-Identifier: MIT */
/* How much an error counts in the checker: by closed forms, large where the answer is wrong and
 * small where no more than rounding is left. */
#include "residual_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Masses 1..4, rows of J drawn, f and b such that v and lambda are exact, R = 0, all rows
 * unilateral: odd ones push. */
static void draw_solved(uint64_t *random, drawn *d)
{
    enum { N = 6, M = 4 };
    memset(d, 0, sizeof *d);
    d->problem.n = N;
    d->problem.m = M;
    for (int64_t j = 0; j < N; j++)
        d->M[j][j] = exp2(test_uniform(random, -10, 10)), d->v[j] = test_uniform(random, -1, 1);
    for (int64_t i = 0; i < M; i++) {
        for (int64_t j = 0; j < N; j++)
            d->J[i][j] = test_uniform(random, -2, 2), d->b[i] += d->J[i][j] * d->v[j];
        d->lambda[i] = i % 2 ? test_uniform(random, 0.1, 1) : 0;
        if (i % 2 == 0) d->b[i] -= 1; /* w = 1 */
        d->hi[i] = INF;
    }
    for (int64_t j = 0; j < N; j++) {
        d->f[j] = d->M[j][j] * d->v[j];
        for (int64_t i = 0; i < M; i++) d->f[j] -= d->J[i][j] * d->lambda[i];
    }
    d->problem.f = d->f, d->problem.b = d->b, d->problem.lo = d->lo, d->problem.hi = d->hi;
    fill_matrices(d);
}

static double delassus_of(const drawn *d, int64_t i)
{
    double sum = 0;
    for (int64_t j = 0; j < d->problem.n; j++) sum += d->J[i][j] * d->J[i][j] / d->M[j][j];
    return sum;
}

static double scale_of(const drawn *d)
{
    double most = 0;
    for (int64_t i = 0; i < d->problem.m; i++) {
        double s = fmax(d->b[i], 0); /* below 0 a row on [0, INF) asks nothing */
        for (int64_t j = 0; j < d->problem.n; j++)
            s += fabs(d->J[i][j]) * (fabs(d->v[j]) + fabs(d->f[j]) / d->M[j][j]);
        most = fmax(most, s / sqrt(delassus_of(d, i)));
    }
    return most;
}

/* delta of the largest terms: by a velocity that breaks a row, by an impulse that pushes where
 * nothing touches, by momentum. */
static void an_error_of_delta_in_kinetic_units_is_reported_at_delta(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int draw = 0; draw < test_draws(300); draw++) {
        drawn d;
        draw_solved(&random, &d);
        assert_true(residual_of(&d).total < 1e-14);
        double delta = exp2(test_uniform(&random, -30, -8));
        double S = scale_of(&d);
        int64_t i = 2 * test_integer(&random, 0, 1);
        double root = sqrt(delassus_of(&d, i + 1));
        d.b[i + 1] += delta * S * root; /* as if v were off by that much along row i + 1 */
        double rows = residual_of(&d).rows;
        assert_true(rows > 0.9 * delta && rows < 1.1 * delta);
        d.b[i + 1] -= delta * S * root;
        double lambda = delta * S / sqrt(delassus_of(&d, i));
        if (lambda * delassus_of(&d, i) < 1) { /* less than w */
            d.lambda[i] = lambda;
            rows = residual_of(&d).rows;
            assert_true(rows > 0.9 * delta && rows < 1.1 * delta);
            d.lambda[i] = 0;
        }
        int64_t j = test_integer(&random, 0, d.problem.n - 1);
        double terms = fabs(d.M[j][j] * d.v[j]) + fabs(d.f[j]);
        for (int64_t k = 0; k < d.problem.m; k++) terms += fabs(d.J[k][j] * d.lambda[k]);
        d.f[j] += delta * terms;
        double dynamics = residual_of(&d).dynamics;
        assert_true(dynamics > 0.9 * delta && dynamics < 1.1 * delta);
        clear_drawn(&d);
    }
}

/* Of two unit masses one is at rest on its contact, wrong by delta; the other's contact is far
 * away: its distance, however large, is no scale. */
static void the_distance_of_a_contact_that_is_open_hides_no_error(void **state)
{
    (void)state;
    for (int power = 0; power <= 60; power += 20) {
        double one[] = {1, 1}, f[] = {0, 0}, v[] = {1, 1}, lambda[] = {1, 0}, work[WORK];
        double lo[] = {0, 0}, hi[] = {INF, INF}, b[] = {1 + 0x1p-20, -ldexp(1, power)};
        int64_t start[] = {0, 1, 2}, index[] = {0, 1};
        saddle_residual r;
        saddle_problem p = {.n = 2, .m = 2, .f = f, .b = b, .lo = lo, .hi = hi};
        p.M = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_NONE);
        f[1] = v[1];
        saddle_residual_compute(&p, v, lambda, NULL, work, &r);
        assert_true(r.total > 0.4 * 0x1p-20 && r.growth < 3);
        b[0] = 1, hi[1] = 1, b[1] = -b[1]; /* a motor at its limit, of any wanted speed */
        lambda[1] = 1, f[1] = 0;
        saddle_residual_compute(&p, v, lambda, NULL, work, &r);
        assert_true(r.total == 0 && r.growth < 3);
        b[0] = 1 + 0x1p-20;
        saddle_residual_compute(&p, v, lambda, NULL, work, &r);
        assert_true(r.total > 0.4 * 0x1p-20 && r.growth < 3);
    }
}

/* A body slides on one contact, its normal wrong by delta; another contact is open above a belt of
 * any speed, which is no scale. */
static void the_speed_of_a_belt_below_an_open_contact_hides_no_error(void **state)
{
    (void)state;
    double delta = 0x1p-20;
    for (int k = 0; k < 12; k++) {
        double one[] = {1, 1, 1, 1}, f[] = {-1, 0, 1, 0}, v[] = {0, 0, 1, 0}, lo[4], hi[4];
        double lambda[] = {1, 0, 0, 0}, b[] = {delta, 0, 0, ldexp(1, 20 * (k / 4))}, work[WORK];
        int64_t start[] = {0, 1, 2, 3, 4}, index[] = {0, 1, 2, 3};
        for (int i = 0; i < 4; i++) lo[i] = -INF, hi[i] = INF;
        saddle_contact contacts[] = {{.row = 0, .size = 2, .mu = 0.5},
                                     {.row = 2, .size = 2, .mu = 0.5}};
        saddle_problem p = {.n = 4, .m = 4, .f = f, .b = b, .lo = lo, .hi = hi};
        p.contacts = contacts, p.contact_count = 2, p.law = (saddle_law)(k % 4);
        p.M = saddle_matrix_view(4, 4, start, index, one, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(4, 4, start, index, one, SADDLE_SYMMETRY_NONE);
        saddle_residual r;
        saddle_residual_compute(&p, v, lambda, NULL, work, &r);
        if (p.law == SADDLE_LAW_ASSOCIATED) continue; /* there w_t belongs to the cone as well */
        assert_true(r.total > 0.4 * delta && r.total < 1.1 * delta && r.growth < 3);
    }
}

/* Beside a free body of 1e30 kg, `local` shows the error of a gram; a row whose terms are rounding
 * of its velocity is no error. */
static void a_heavy_body_hides_nothing_from_local(void **state)
{
    (void)state;
    double delta = 0x1p-20;
    int64_t start[] = {0, 1, 2}, index[] = {0, 1};
    double M[] = {1e30, 1e-3}, J[] = {1, 1}, f[] = {1e30, -1e-3}, v[] = {1, delta};
    double lambda[] = {0, 1e-3 * (1 + delta)}, b[] = {0, 0}, lo[] = {0, 0}, hi[] = {INF, INF};
    double work[WORK];
    saddle_residual r;
    saddle_problem p = {.n = 2, .m = 2, .f = f, .b = b, .lo = lo, .hi = hi};
    p.M = saddle_matrix_view(2, 2, start, index, M, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 2, start, index, J, SADDLE_SYMMETRY_NONE);
    saddle_residual_compute(&p, v, lambda, NULL, work, &r);
    assert_true(r.total < 1e-15 && r.worst_local == 1);
    assert_true(r.local > 0.9 * delta && r.local < 1.1 * delta);
    /* the velocity is held at 0 by two rows; the second is spare, its terms are rounding alone */
    int64_t both[] = {0, 0};
    double held[] = {1, 0}, w[] = {1e-17, 0};
    p.n = 1, p.b = NULL, f[0] = 1, M[0] = 1;
    p.M = saddle_matrix_view(1, 1, start, index, M, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(1, 2, start, both, J, SADDLE_SYMMETRY_NONE);
    f[0] = -1;
    saddle_residual_compute(&p, w, held, NULL, work, &r);
    assert_true(r.local < 1e-15);
}

/* S = 0: no row has a unit. The empty row asks w = -1 of lambda = 1 on [0, 2], 1 from its bound. */
static void what_has_no_scale_has_figures_all_the_same(void **state)
{
    (void)state;
    double b[] = {1}, lo[] = {0}, hi[] = {2}, lambda[] = {1}, work[WORK];
    saddle_residual r;
    saddle_problem p = {.m = 1, .b = b, .lo = lo, .hi = hi};
    saddle_residual_compute(&p, NULL, lambda, NULL, work, &r);
    assert_true(r.rows == 1 && r.complementarity == 1 && r.bounds == 0);
    lambda[0] = 4;
    saddle_residual_compute(&p, NULL, lambda, NULL, work, &r);
    assert_true(r.bounds == 0.5);
}

/* growth above 100 is paid by growth * total <= 100 max(tolerance, 1e-10); rounding alone is
 * excused up to 1e12. */
static void growth_is_paid_by_a_smaller_error(void **state)
{
    (void)state;
    static const struct {
        double growth, total, tolerance;
        int overgrown;
    } cases[] = {{99, 1e-10, 1e-10, 0},       {101, 0.98e-10, 1e-10, 0},
                 {101, 1e-10, 1e-10, 1},      {1000, 0.9e-11, 1e-10, 0},
                 {1000, 1.1e-11, 1e-10, 1},   {1000, 0.9e-11, 1e-14, 0},
                 {1000, 0.9e-7, 1e-6, 0},     {1000, 1.1e-7, 1e-6, 1},
                 {0.9e12, 0x1p-51, 1e-10, 0}, {0.9e12, 0x1p-50, 1e-10, 1},
                 {1.1e12, 1e-20, 1e-10, 1},   {1e300, 0, 1e-10, 1},
                 {0.9e12, 0, 1e-10, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        saddle_residual r = {.growth = cases[k].growth, .total = cases[k].total};
        int overgrown = saddle_residual_is_overgrown(&r, cases[k].tolerance);
        if (overgrown != cases[k].overgrown) fail_msg("case %d", (int)k);
    }
}

/* A limit away from 0 is a datum of a row that b asks for nothing: b = 0, or no b at all. */
static void no_b_is_a_b_of_zeros(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2}, index[] = {0, 1};
    double R[] = {1, 4}, b[] = {0, 0}, lo[] = {1, -1}, hi[] = {2, 1}, lambda[] = {1.5, 0.5};
    double work[WORK];
    saddle_residual r[2];
    saddle_problem p = {.m = 2, .lo = lo, .hi = hi};
    p.R = saddle_matrix_view(2, 2, start, index, R, SADDLE_SYMMETRY_LOWER);
    for (int k = 0; k < 2; k++) {
        p.b = k ? b : NULL;
        saddle_residual_compute(&p, NULL, lambda, NULL, work, &r[k]);
    }
    assert_true(r[0].growth == 2.5 && r[1].growth == 2.5);
    assert_true(r[0].total == r[1].total);
}

/* M v = f with M = [1 1; 0 0]: nothing balances f_2, however fast both velocities are. */
static void what_pushes_an_empty_equation_is_not_hidden_by_others_speed(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2}, index[] = {0, 0};
    double M[] = {1, 1}, f[] = {1e7, 1}, work[WORK];
    saddle_problem p = {.n = 2, .f = f};
    p.M = saddle_matrix_view(2, 2, start, index, M, SADDLE_SYMMETRY_NONE);
    for (double speed = 1; speed < 1e14; speed *= 10) {
        double v[] = {1e7 - speed, speed};
        saddle_residual r;
        saddle_residual_compute(&p, v, NULL, NULL, work, &r);
        assert_true(r.dynamics == 1);
    }
}

/* A contact with a tangent row 1e10 times as long as the normal: approach along the normal without
 * an impulse, and separation under an impulse. */
static void a_long_tangent_does_not_hide_the_normal(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2}, index[] = {0, 1};
    double M[] = {1, 1}, J[] = {1, 1e10}, f[] = {-1, 0}, work[WORK];
    saddle_contact contact = {.row = 0, .size = 2};
    saddle_problem p = {.n = 2, .m = 2, .f = f, .contacts = &contact, .contact_count = 1};
    p.M = saddle_matrix_view(2, 2, start, index, M, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 2, start, index, J, SADDLE_SYMMETRY_NONE);
    for (int k = 0; k < 3; k++) {
        p.law = k < 2 ? SADDLE_LAW_CONE : SADDLE_LAW_ASSOCIATED;
        contact.mu = k == 1 ? 0.5 : 0.0;
        double falls[] = {-1, 0}, rises[] = {1, 0};
        double none[] = {0, 0}, pushes[] = {2, 0};
        saddle_residual r;
        saddle_residual_compute(&p, falls, none, NULL, work, &r);
        assert_true(r.dynamics == 0 && r.cone == 0.5 && r.worst_row == 0);
        saddle_residual_compute(&p, rises, pushes, NULL, work, &r);
        assert_true(r.dynamics == 0 && r.cone == 0.5 && r.complementarity == 0.5);
    }
}

/* Velocities that rounding leaves where nothing pushes are measured against the largest term, not
 * against themselves. */
static void noise_where_nothing_moves_is_no_error(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2}, index[] = {0, 1};
    double mass[] = {1, 1}, f[] = {1, 0}, v[] = {1, 1e-18};
    double work[WORK];
    saddle_problem p = {.n = 2,
                        .f = f,
                        .M = saddle_matrix_view(2, 2, start, index, mass, SADDLE_SYMMETRY_LOWER)};
    saddle_residual r;
    saddle_residual_compute(&p, v, NULL, NULL, work, &r);
    assert_true(r.dynamics == 1e-18);
    v[1] = 1e-9;
    saddle_residual_compute(&p, v, NULL, NULL, work, &r);
    assert_true(r.dynamics == 1);
}

/* Two rows that cannot both be kept, the second in units of a ten-thousandth and less: as wrong as
 * in the first one's. */
static void a_row_of_small_units_may_not_break_its_law(void **state)
{
    (void)state;
    double lo[2] = {0, 0};
    double hi[2] = {INF, INF};
    int64_t start[] = {0, 2, 4};
    int64_t index[] = {0, 1, 0, 1};
    for (double unit = 1; unit > 1e-9; unit /= 16) {
        double R[] = {1, -unit, -unit, unit * unit};
        double b[] = {1, unit}; /* l_1 - unit l_2 >= 1 and the opposite times unit >= unit */
        double lambda[] = {1, 0};
        double work[WORK];
        saddle_problem p = {.m = 2, .b = b, .lo = lo, .hi = hi};
        p.R = saddle_matrix_view(2, 2, start, index, R, SADDLE_SYMMETRY_NONE);
        saddle_residual residual;
        saddle_residual_compute(&p, NULL, lambda, NULL, work, &residual);
        if (!(residual.rows > 1e-3)) fail_msg("unit %g: %g", unit, residual.rows);
        assert_true(unit > 0.01 || residual.worst_row == 1);
    }
}

/* Held fast, v and w are nothing but rounding: that must count as solved, a wrong impulse must
 * not. */
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
        .M = saddle_matrix_view(3, 3, start, index, mass, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(3, 3, start, index, rows, SADDLE_SYMMETRY_NONE),
        .f = f,
    };
    double v[] = {1e-17, -3e-17, 2e-17};
    double lambda[] = {29.43, -1 / 0.9, 2 / 1.1};
    double work[WORK];
    saddle_residual residual;
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.total < 1e-15);
    v[0] = 1e-3; /* falls a little: 1e-3 against the 9.81 m/s that the impulse stops */
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.rows > 5e-5 && residual.rows < 2e-4);
}

/* Two compliant rows pull against each other at a body without a load: v is nothing but rounding,
 * and |M||v| + |f| too. */
static void balanced_impulses_at_rest_are_solved(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2};
    int64_t one_entry[] = {0, 0};
    int64_t diagonal[] = {0, 1};
    double mass[] = {1};
    double rows[] = {1, -1};
    double compliance[] = {0.5, 0.5};
    double b[] = {0.25, 0.25};
    saddle_problem p = {
        .n = 1,
        .m = 2,
        .M = saddle_matrix_view(1, 1, start, one_entry, mass, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(1, 2, start, one_entry, rows, SADDLE_SYMMETRY_NONE),
        .R = saddle_matrix_view(2, 2, start, diagonal, compliance, SADDLE_SYMMETRY_LOWER),
        .b = b,
    };
    double v[] = {3e-17};
    double lambda[] = {0.5, 0.5};
    double work[WORK];
    saddle_residual residual;
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.total < 1e-15);
    lambda[0] = 0.5 + 1e-3; /* out of balance: against the third of an impulse that the rows ask
                               for */
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.dynamics > 5e-4 && residual.dynamics < 5e-3);
}

/* A motor at its limit against one that always pushes, at a body without a load: of the two
 * impulses v is the rounding. */
static void motors_at_their_limits_against_each_other_are_solved(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2};
    int64_t one_entry[] = {0, 0};
    double mass[] = {5};
    double rows[] = {-1.1, 1.1};
    double lo[] = {-1, -1};
    double hi[] = {1, -1};
    saddle_problem p = {
        .n = 1,
        .m = 2,
        .M = saddle_matrix_view(1, 1, start, one_entry, mass, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(1, 2, start, one_entry, rows, SADDLE_SYMMETRY_NONE),
        .lo = lo,
        .hi = hi,
    };
    double v[] = {3e-17};
    double lambda[] = {-1, -1};
    double work[WORK];
    saddle_residual residual;
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.total < 1e-15 && saddle_residual_is_solved(&residual, 1e-10));
    lambda[0] = -0.9; /* out of balance: a tenth of what one of them gives */
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.dynamics > 0.02 && residual.dynamics < 0.2);
    double speed[] = {-1e-7, -1e-7}; /* two motors at their limits, the only data small */
    hi[1] = 1;
    lambda[0] = -1;
    p.b = speed;
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.growth > 1e6 && saddle_residual_is_solved(&residual, 1e-10));
    p.b = NULL; /* no data but the limits */
    saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
    assert_true(residual.growth < 10 && saddle_residual_is_solved(&residual, 1e-10));
}

/* Rows that depend on each other, impulses of 1e10 along the dependence, v wrong by 1 where the
 * data are 1: a large bound, which is no datum, changes nothing. */
static void loose_bounds_do_not_hide_growth(void **state)
{
    (void)state;
    int64_t start[] = {0, 2, 4};
    int64_t index[] = {0, 1, 0, 1};
    int64_t one_entry[] = {0, 1, 2};
    double mass[] = {1, 1};
    double ones[] = {1, 1, 1, 1};
    double f[] = {1, 1};
    double v[] = {1, -1};
    double lambda[] = {1e10, -1e10};
    for (int k = 0; k < 3; k++) {
        double size = k == 0 ? (double)INFINITY : k == 1 ? 1e12 : 1e20;
        double lo[] = {-size, -size};
        double hi[] = {size, size};
        saddle_problem p = {
            .n = 2,
            .m = 2,
            .M = saddle_matrix_view(2, 2, one_entry, one_entry, mass, SADDLE_SYMMETRY_LOWER),
            .Jt = saddle_matrix_view(2, 2, start, index, ones, SADDLE_SYMMETRY_NONE),
            .f = f,
            .lo = lo,
            .hi = hi,
        };
        double work[WORK];
        saddle_residual residual;
        saddle_residual_compute(&p, v, lambda, NULL, work, &residual);
        assert_true(residual.total <= 1.01e-10 && residual.growth > 1e10);
        assert_false(saddle_residual_is_solved(&residual, 2e-10));
    }
}

/* v = 1 and v = 2 at once, with impulses as large as you please: no size of theirs may make that
 * look solved. */
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
        .M = saddle_matrix_view(1, 1, start, index, ones, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(1, 2, start, index, ones, SADDLE_SYMMETRY_NONE),
        .b = b,
    };
    saddle_problem dual = {.m = 2,
                           .R = saddle_matrix_view(2, 2, R_start, R_index, twins,
                                                   SADDLE_SYMMETRY_NONE),
                           .b = b};
    double work[WORK];
    saddle_residual residual;
    for (double size = 1; size < 1e300; size *= 1e10) {
        double v = 1.5;
        double lambda[] = {-size, size};
        saddle_residual_compute(&dynamic, &v, lambda, NULL, work, &residual);
        assert_true(residual.rows > 0.1);
        double both[] = {size, size};
        saddle_residual_compute(&dual, NULL, both, NULL, work, &residual);
        assert_false(saddle_residual_is_solved(&residual, 1e-10));
    }
}

/* A block of weight g = 10 on a plane, one contact: M v - J'l = f with v = 0.  One figure per state
 * that Coulomb allows. */
/* R = g g' of rank one, b no multiple of g: what w's are left when the impulses grow along g'lambda
 * = 0 is no rounding, at any size of them. */
static void impulses_beyond_all_measure_do_not_excuse_what_is_no_rounding(void **state)
{
    (void)state;
    double g[] = {0.734, 0.1806, -0.8994, 0.7605};
    double b[] = {-1.794, -1.796, 0.696, -0.564};
    int64_t start[] = {0, 4, 8, 12, 16};
    int64_t index[] = {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    double R[16];
    double lo[4] = {0};
    double hi[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int k = 0; k < 16; k++) R[k] = g[k / 4] * g[k % 4];
    saddle_problem p = {.m = 4, .b = b, .lo = lo, .hi = hi};
    p.R = saddle_matrix_view(4, 4, start, index, R, SADDLE_SYMMETRY_NONE);
    for (double size = 1; size < 1e14; size *= 10) {
        double lambda[] = {0, 0, 0.7605 * size, 0.8994 * size - 0.7578 / 0.7605};
        double work[WORK];
        saddle_residual residual;
        saddle_residual_compute(&p, NULL, lambda, NULL, work, &residual);
        if (saddle_residual_is_solved(&residual, 1e-10))
            fail_msg("impulses of %g: %g", size, residual.rows);
    }
}

/* 0 <= lambda and w > 0 there: however small the diagonal beside the row, both may not be large. */
static void a_tiny_diagonal_does_not_hide_a_push(void **state)
{
    (void)state;
    int64_t start[] = {0, 2, 4};
    int64_t index[] = {0, 1, 0, 1};
    double b[] = {0, 3.4e6};
    double lo[2] = {0};
    double hi[2] = {INFINITY, INFINITY};
    saddle_problem p = {.m = 2, .b = b, .lo = lo, .hi = hi};
    for (int k = 0; k < 8; k++) {
        double diagonal = k < 7 ? pow(10.0, -4.0 - 2.0 * k) : 0.0;
        double R[] = {diagonal, 0.16, 0.16, 1};
        double lambda[] = {1.65e7, 7.6e5}; /* w_1 = 1.2e5, w_2 = 0 */
        double work[WORK];
        p.R = saddle_matrix_view(2, 2, start, index, R, SADDLE_SYMMETRY_NONE);
        saddle_residual residual;
        saddle_residual_compute(&p, NULL, lambda, NULL, work, &residual);
        if (saddle_residual_is_solved(&residual, 1e-10))
            fail_msg("diagonal %g: %g", diagonal, residual.rows);
    }
}

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
        .M = saddle_matrix_view(3, 3, start, index, ones, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(3, 3, start, index, ones, SADDLE_SYMMETRY_NONE),
        .f = f,
        .contact_count = 1,
        .contacts = &contact,
    };
    double work[WORK];
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
            assert_true(residual.dynamics < 1e-15); /* every case keeps the balance: the law alone
                                                       decides */
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_of_delta_in_kinetic_units_is_reported_at_delta),
        cmocka_unit_test(the_distance_of_a_contact_that_is_open_hides_no_error),
        cmocka_unit_test(the_speed_of_a_belt_below_an_open_contact_hides_no_error),
        cmocka_unit_test(a_heavy_body_hides_nothing_from_local),
        cmocka_unit_test(what_has_no_scale_has_figures_all_the_same),
        cmocka_unit_test(growth_is_paid_by_a_smaller_error),
        cmocka_unit_test(no_b_is_a_b_of_zeros),
        cmocka_unit_test(what_pushes_an_empty_equation_is_not_hidden_by_others_speed),
        cmocka_unit_test(a_long_tangent_does_not_hide_the_normal),
        cmocka_unit_test(noise_where_nothing_moves_is_no_error),
        cmocka_unit_test(a_row_of_small_units_may_not_break_its_law),
        cmocka_unit_test(a_body_at_rest_is_solved),
        cmocka_unit_test(balanced_impulses_at_rest_are_solved),
        cmocka_unit_test(motors_at_their_limits_against_each_other_are_solved),
        cmocka_unit_test(loose_bounds_do_not_hide_growth),
        cmocka_unit_test(contradictory_rows_are_not_excused_by_their_impulses),
        cmocka_unit_test(impulses_beyond_all_measure_do_not_excuse_what_is_no_rounding),
        cmocka_unit_test(a_tiny_diagonal_does_not_hide_a_push),
        cmocka_unit_test(a_block_on_a_plane_is_judged_by_the_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
