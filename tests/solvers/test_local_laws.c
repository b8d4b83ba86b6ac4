/* SPDX-License-Identifier: MIT */
/* The local problems of Gauss-Seidel against the laws as they are written in saddle/problem.h,
 * against brute force over all states and angles, and against closed forms.  Nothing here uses the
 * natural map or a projection of the library. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gauss_seidel/local.h"
#include "support.h"

#define PI 3.14159265358979323846
#define DRAWS 5000

/* ---- the laws, by definition ---- */

static void velocity(const saddle__local *local, const double *lambda, double *w)
{
    for (int i = 0; i < local->size; i++) {
        w[i] = local->q[i];
        for (int j = 0; j < local->size; j++) w[i] += local->W[i][j] * lambda[j];
    }
}

static double largest(double a, double b)
{
    return a > b ? a : b;
}

/* How far lt is outside mu ln P, P the regular polygon with a vertex at angle 0. */
static double outside_polygon(double radius, int64_t facets, double x, double y)
{
    double worst = 0.0;
    for (int64_t k = 0; k < facets; k++) {
        double angle = 2.0 * PI * ((double)k + 0.5) / (double)facets;
        worst = largest(worst, x * cos(angle) + y * sin(angle) - radius * cos(PI / (double)facets));
    }
    return worst;
}

/* The least of wt.x over mu ln P: at a vertex. */
static double least_power(double radius, int64_t facets, double wx, double wy)
{
    double least = INFINITY;
    for (int64_t k = 0; k < facets; k++) {
        double angle = 2.0 * PI * (double)k / (double)facets;
        double power = radius * (wx * cos(angle) + wy * sin(angle));
        least = power < least ? power : least;
    }
    return least;
}

/* The rows of part g of a contact: tangents, torsion, rolling. */
typedef struct part {
    int from, to;
    double mu;
} part;

static part part_at(const saddle__local *local, int g)
{
    return (part){local->cone.begin[g], local->cone.begin[g + 1], local->cone.mu[g]};
}

static double norm(const double *x, part p)
{
    double sum = 0.0;
    for (int i = p.from; i < p.to; i++) sum = hypot(sum, x[i]);
    return sum;
}

static double violation_of_box(part p, const double *lambda, const double *w, double stiffness)
{
    double worst = 0.0;
    double bound = p.mu * lambda[0];
    for (int i = p.from; i < p.to; i++) {
        worst = largest(worst, stiffness * (fabs(lambda[i]) - bound));
        double free_above = stiffness * (bound - lambda[i]);
        double free_below = stiffness * (lambda[i] + bound);
        worst = largest(worst, w[i] < 0.0 ? fmin(-w[i], free_above) : fmin(w[i], free_below));
    }
    return worst;
}

/* By how much part g breaks its law, as a velocity: its limit, and the power it dissipates, which
 * is the most. */
static double violation_of_part(const saddle__local *local, int g, const double *lambda,
                                const double *w, double stiffness, double impulse)
{
    part p = part_at(local, g);
    double radius = p.mu * lambda[0], dissipated = 0.0;
    if (local->law == SADDLE_LAW_BOX || local->size == 2)
        return violation_of_box(p, lambda, w, stiffness);
    for (int i = p.from; i < p.to; i++) dissipated += w[i] * lambda[i];
    if (local->law == SADDLE_LAW_CONE)
        return largest(stiffness * (norm(lambda, p) - radius),
                       (dissipated + radius * norm(w, p)) / impulse);
    double x = lambda[p.from], y = lambda[p.from + 1];
    double outside = stiffness * outside_polygon(radius, local->facets, x, y);
    double least = least_power(radius, local->facets, w[p.from], w[p.from + 1]);
    return largest(outside, (dissipated - least) / impulse);
}

/* By how much (lambda, w) breaks the law, as a velocity. */
static double violation(const saddle__local *local, const double *lambda)
{
    double w[6] = {0.0}, stiffness = 0.0, impulse = DBL_MIN, power = 0.0, shift = 0.0;
    velocity(local, lambda, w);
    for (int i = 0; i < local->size; i++) {
        stiffness = largest(stiffness, local->W[i][i]);
        power += w[i] * lambda[i];
    }
    impulse = largest(impulse, fabs(lambda[0]));
    for (int g = 0; g < local->cone.parts; g++)
        impulse = largest(impulse, norm(lambda, part_at(local, g)));
    double worst = -stiffness * lambda[0];

    if (local->law == SADDLE_LAW_ASSOCIATED) {
        for (int g = 0; g < local->cone.parts; g++) {
            part p = part_at(local, g);
            shift += p.mu * norm(w, p);
            worst = largest(worst, stiffness * (norm(lambda, p) - p.mu * lambda[0]));
        }
        worst = largest(worst, shift - w[0]);
        return largest(worst, fabs(power) / impulse);
    }
    worst = largest(worst, -w[0]);
    worst = largest(worst, fmin(fabs(w[0]), stiffness * fabs(lambda[0])));
    for (int g = 0; g < local->cone.parts; g++)
        worst = largest(worst, violation_of_part(local, g, lambda, w, stiffness, impulse));
    return worst;
}

/* ---- drawn blocks ---- */

/* W = B B' from drawn B of the given rank, in units of scale; q drawn, pushing more often than not,
 * in W's range where the rank is deficient (as any contact's is). */
static saddle__local draw(uint64_t *seed, saddle_law law, int64_t size, int rank, double scale)
{
    saddle__local local = {.law = law, .size = size, .facets = test_integer(seed, 3, 12)};
    double B[6][6] = {{0.0}};
    double x[6];
    saddle_contact contact = {.size = size};
    contact.mu = test_integer(seed, 0, 9) == 0 ? 0.0 : test_uniform(seed, 0.0, 1.2);
    if (size > 3)
        contact.mu_torsion = test_integer(seed, 0, 9) ? test_uniform(seed, 0.0, 0.6) : 0.0;
    if (size > 3)
        contact.mu_rolling = test_integer(seed, 0, 9) ? test_uniform(seed, 0.0, 0.6) : 0.0;
    local.cone = saddle__cone_of(&contact);
    for (int i = 0; i < size; i++) {
        x[i] = test_uniform(seed, -1.0, 1.0) - (i == 0 ? 0.5 : 0.0);
        for (int k = 0; k < size; k++) B[i][k] = test_uniform(seed, -1.0, 1.0);
    }
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++)
            for (int k = 0; k < rank; k++) local.W[i][j] += scale * B[i][k] * B[j][k];
    }
    for (int i = 0; i < size; i++) {
        local.q[i] = rank >= size ? x[i] : 0.0;
        for (int j = 0; j < size && rank < size; j++) local.q[i] += local.W[i][j] * x[j] / scale;
    }
    return local;
}

static double speed_of(const saddle__local *local, const double *lambda)
{
    double scale = 0.0;
    for (int i = 0; i < local->size; i++) {
        double sum = fabs(local->q[i]);
        for (int j = 0; j < local->size; j++) sum += fabs(local->W[i][j] * lambda[j]);
        scale = largest(scale, sum);
    }
    return largest(scale, DBL_MIN);
}

/* unsolved: blocks of DRAWS at most whose error may be large, and is stated. */
static void every_drawn_block_obeys(saddle_law law, int64_t least, int64_t most, int unsolved)
{
    uint64_t seed = test_seed();
    for (int64_t draws = 0; draws < DRAWS; draws++) {
        int64_t size = test_integer(&seed, least, most);
        int rank = draws % 4 == 0 ? (int)size - 1 : (int)size;
        double scale = pow(10.0, test_uniform(&seed, -8.0, 8.0));
        saddle__local local = draw(&seed, law, size, rank, scale);
        double lambda[6];
        for (int i = 0; i < size; i++) lambda[i] = test_uniform(&seed, -1.0, 1.0) / scale;
        double error = saddle__local_contact(&local, lambda);
        double relative = violation(&local, lambda) / speed_of(&local, lambda);
        if (error > 1e-10 && unsolved-- > 0) continue;
        if (!(relative <= 1e-10 && error <= 1e-10))
            fail_msg(
                "draw %lld: size %lld rank %d mu %g facets %lld: breaks the law by %g, claims %g",
                (long long)draws, (long long)size, rank, local.cone.mu[0], (long long)local.facets,
                relative, error);
    }
}

static void cone_blocks_obey_the_law(void **state)
{
    (void)state;
    every_drawn_block_obeys(SADDLE_LAW_CONE, 2, 3, 0);
}

static void pyramid_blocks_obey_the_law(void **state)
{
    (void)state;
    every_drawn_block_obeys(SADDLE_LAW_PYRAMID, 2, 3, 0);
}

static void box_blocks_obey_the_law(void **state)
{
    (void)state;
    every_drawn_block_obeys(SADDLE_LAW_BOX, 2, 3, 0);
}

static void associated_blocks_obey_the_law(void **state)
{
    (void)state;
    every_drawn_block_obeys(SADDLE_LAW_ASSOCIATED, 2, 3, 0);
}

static void cone_blocks_with_torsion_and_rolling_obey_the_law(void **state)
{
    (void)state;
    every_drawn_block_obeys(SADDLE_LAW_CONE, 4, 6, DRAWS / 250);
}

static void box_blocks_with_torsion_and_rolling_obey_the_law(void **state)
{
    (void)state;
    every_drawn_block_obeys(SADDLE_LAW_BOX, 4, 6, 0);
}

static void associated_blocks_with_torsion_and_rolling_obey_the_law(void **state)
{
    (void)state;
    every_drawn_block_obeys(SADDLE_LAW_ASSOCIATED, 4, 6, DRAWS / 250);
}

/* ---- brute force ---- */

/* The sliding impulse along the angle, and u' x wt there, whose sign change brackets a sliding
 * state. */
static double slide(const saddle__local *local, double angle, double *lambda)
{
    double u[2] = {cos(angle), sin(angle)};
    double w[3];
    double below = local->W[0][0] +
                   local->cone.mu[0] * (local->W[0][1] * u[0] + local->W[0][2] * u[1]);
    lambda[0] = -local->q[0] / below;
    lambda[1] = local->cone.mu[0] * lambda[0] * u[0];
    lambda[2] = local->cone.mu[0] * lambda[0] * u[1];
    velocity(local, lambda, w);
    return u[0] * w[2] - u[1] * w[1];
}

/* Cramer's rule: the sticking impulse. */
static void stick(const saddle__local *local, double *lambda)
{
    const double(*A)[6] = local->W;
    const double *q = local->q;
    double cofactor[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3;
            int b = (i + 2) % 3;
            int c = (j + 1) % 3;
            int d = (j + 2) % 3;
            cofactor[i][j] = A[a][c] * A[b][d] - A[a][d] * A[b][c];
        }
    }
    double det = A[0][0] * cofactor[0][0] + A[0][1] * cofactor[0][1] + A[0][2] * cofactor[0][2];
    for (int j = 0; j < 3; j++)
        lambda[j] = -(cofactor[0][j] * q[0] + cofactor[1][j] * q[1] + cofactor[2][j] * q[2]) / det;
}

/* All Coulomb solutions by a grid of 720 angles with bisection; keeps the nearest to `target`,
 * returns their number. */
static int all_cone_solutions(const saddle__local *local, const double *target, double *distance)
{
    double found[3] = {0.0};
    int count = 0;
    *distance = INFINITY;
    for (int k = -2; k < 720; k++) {
        double a = 2.0 * PI * k / 720.0;
        double b = 2.0 * PI * (k + 1) / 720.0;
        if (k == -2) memset(found, 0, sizeof found);
        if (k == -1) stick(local, found);
        if (k >= 0) {
            double at_a = slide(local, a, found);
            if (at_a * slide(local, b, found) > 0.0) continue;
            for (int step = 0; step < 60; step++) {
                double middle = 0.5 * (a + b);
                if (slide(local, middle, found) * at_a > 0.0)
                    a = middle;
                else
                    b = middle;
            }
        }
        if (violation(local, found) > 1e-9 * speed_of(local, found)) continue;
        double away = 0.0;
        for (int i = 0; i < 3; i++) away = largest(away, fabs(found[i] - target[i]));
        *distance = away < *distance ? away : *distance;
        count++;
    }
    return count;
}

static void cone_solution_is_one_that_brute_force_finds(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int unique = 0;
    for (int draws = 0; draws < 1000; draws++) {
        saddle__local local = draw(&seed, SADDLE_LAW_CONE, 3, 3, 1.0);
        for (int i = 0; i < 3; i++) local.W[i][i] += 0.2;
        local.cone.mu[0] = test_uniform(&seed, 0.05, 0.8);
        double lambda[3] = {0.0};
        double distance;
        saddle__local_contact(&local, lambda);
        int count = all_cone_solutions(&local, lambda, &distance);
        assert_true(count >= 1);
        unique += count == 1;
        if (!(distance <= 1e-7))
            fail_msg("draw %d: %d solutions, the nearest is %g away", draws, count, distance);
    }
    assert_true(unique > 900);
}

/* The convex program's minimum, by sampling its cone densely. */
static void associated_solution_has_the_least_energy_of_the_cone(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draws = 0; draws < 300; draws++) {
        saddle__local local = draw(&seed, SADDLE_LAW_ASSOCIATED, 3, 3, 1.0);
        double lambda[3] = {0.0};
        double w[3];
        saddle__local_contact(&local, lambda);
        velocity(&local, lambda, w);
        double least = 0.0;
        for (int i = 0; i < 3; i++) least += 0.5 * lambda[i] * (w[i] + local.q[i]);
        for (int sample = 0; sample < 2000; sample++) {
            double angle = test_uniform(&seed, 0.0, 2.0 * PI);
            double normal = lambda[0] * test_uniform(&seed, 0.0, 2.0) +
                            test_uniform(&seed, 0.0, 0.1);
            double radius = local.cone.mu[0] * normal *
                            (sample % 2 ? 1.0 : test_uniform(&seed, 0.0, 1.0));
            double other[3] = {normal, radius * cos(angle), radius * sin(angle)};
            double energy = 0.0;
            velocity(&local, other, w);
            for (int i = 0; i < 3; i++) energy += 0.5 * other[i] * (w[i] + local.q[i]);
            assert_true(energy >= least - 1e-12);
        }
    }
}

/* A pyramid with many facets tends to the cone. */
static void pyramid_with_many_facets_is_the_cone(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draws = 0; draws < 200; draws++) {
        saddle__local cone = draw(&seed, SADDLE_LAW_CONE, 3, 3, 1.0);
        for (int i = 0; i < 3; i++) cone.W[i][i] += 1.0;
        cone.cone.mu[0] = test_uniform(&seed, 0.1, 0.5);
        saddle__local pyramid = cone;
        pyramid.law = SADDLE_LAW_PYRAMID;
        pyramid.facets = 20000;
        double a[3] = {0.0};
        double b[3] = {0.0};
        saddle__local_contact(&cone, a);
        saddle__local_contact(&pyramid, b);
        for (int i = 0; i < 3; i++) assert_true(fabs(a[i] - b[i]) <= 1e-3);
    }
}

/* ---- units and unsymmetric blocks ---- */

static void obeys(const saddle__local *local, const double *lambda, int draw_number)
{
    double relative = violation(local, lambda) / speed_of(local, lambda);
    if (!(relative <= 1e-10))
        fail_msg("draw %d: size %d mu %g: breaks the law by %g", draw_number, (int)local->size,
                 local->cone.mu[0], relative);
}

/* Powers of two change no bit, as long as products do not leave the range of doubles. */
static void units_change_no_bit_and_extreme_ones_keep_the_law(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draws = 0; draws < DRAWS; draws++) {
        saddle__local local = draw(&seed, SADDLE_LAW_CONE, test_integer(&seed, 2, 3), 3, 1.0);
        saddle__local other = local;
        int most = draws % 2 == 0 ? 100 : 300;
        int stiffness = (int)test_integer(&seed, -most, most);
        int speed = (int)test_integer(&seed, -most, most);
        double a[3], b[3];
        for (int i = 0; i < local.size; i++) {
            other.q[i] = ldexp(local.q[i], speed);
            for (int j = 0; j < local.size; j++) other.W[i][j] = ldexp(local.W[i][j], stiffness);
            a[i] = test_uniform(&seed, -1.0, 1.0);
            b[i] = ldexp(a[i], speed - stiffness);
        }
        (void)saddle__local_contact(&local, a);
        (void)saddle__local_contact(&other, b);
        obeys(&other, b, draws);
        for (int i = 0; i < local.size && most == 100; i++)
            assert_true(b[i] == ldexp(a[i], speed - stiffness));
    }
}

/* W = a positive diagonal, of entries as small as 1e-9, and a skew part. */
static void skew_blocks_with_small_diagonals_obey_the_law(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draws = 0; draws < DRAWS; draws++) {
        saddle__local local = draw(&seed, SADDLE_LAW_CONE, test_integer(&seed, 2, 3), 3, 1.0);
        double lambda[3] = {0.0};
        for (int i = 0; i < local.size; i++) {
            local.W[i][i] = pow(10.0, test_uniform(&seed, -9.0, 0.0));
            for (int j = 0; j < i; j++) {
                local.W[i][j] = test_uniform(&seed, -1.0, 1.0);
                local.W[j][i] = -local.W[i][j];
            }
        }
        if (saddle__local_contact(&local, lambda) <= 1e-10) obeys(&local, lambda, draws);
    }
}

/* ---- closed forms ---- */

/* A unit mass on a plane inclined by alpha, one step of length h: free velocity h g (-cos alpha,
 * sin alpha, 0). */
static saddle__local incline(saddle_law law, double alpha, double mu)
{
    saddle__local local = {.law = law, .size = 3, .facets = 8, .q = {-cos(alpha), sin(alpha), 0.0}};
    local.cone = saddle__cone_of(&(saddle_contact){.size = 3, .mu = mu});
    for (int i = 0; i < 3; i++) local.W[i][i] = 1.0;
    return local;
}

static void block_on_an_incline_sticks_below_and_slides_above_the_friction_angle(void **state)
{
    (void)state;
    static const saddle_law laws[3] = {SADDLE_LAW_CONE, SADDLE_LAW_PYRAMID, SADDLE_LAW_BOX};
    double alpha = 0.4;
    for (int k = 0; k < 3; k++) {
        for (int step = -2; step <= 2; step++) {
            double mu = tan(alpha) * (1.0 + 0.25 * step);
            saddle__local local = incline(laws[k], alpha, mu);
            double lambda[3] = {0.0};
            double w[3];
            saddle__local_contact(&local, lambda);
            velocity(&local, lambda, w);
            double slides = step < 0 ? sin(alpha) - mu * cos(alpha) : 0.0;
            assert_true(fabs(lambda[0] - cos(alpha)) <= 1e-15);
            assert_true(fabs(w[1] - slides) <= 1e-15 && fabs(w[2]) <= 1e-15);
        }
    }
}

/* The relaxed law lifts off instead: wn = mu |wt|, and the impulse minimizes |w|^2 / 2 over the
 * cone. */
static void associated_block_on_an_incline_lifts_by_mu_times_its_speed(void **state)
{
    (void)state;
    double alpha = 0.6;
    double mu = 0.3;
    saddle__local local = incline(SADDLE_LAW_ASSOCIATED, alpha, mu);
    double lambda[3] = {0.0};
    double w[3];
    saddle__local_contact(&local, lambda);
    velocity(&local, lambda, w);
    double normal = (cos(alpha) + mu * sin(alpha)) / (1.0 + mu * mu);
    assert_true(fabs(lambda[0] - normal) <= 1e-15 && fabs(lambda[1] + mu * normal) <= 1e-15);
    assert_true(fabs(w[0] - mu * w[1]) <= 1e-15);
}

static void separating_contact_carries_nothing(void **state)
{
    (void)state;
    for (int law = 0; law < 4; law++) {
        saddle__local local = incline((saddle_law)law, 0.3, 0.5);
        double lambda[3] = {3.0, -1.0, 0.5};
        local.q[0] = 2.0;
        assert_true(saddle__local_contact(&local, lambda) == 0.0);
        assert_true(lambda[0] == 0.0 && lambda[1] == 0.0 && lambda[2] == 0.0);
    }
}

/* ---- degenerate blocks ---- */

static void hostile_blocks_give_finite_impulses_within_the_law(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static const double values[8] = {0.0, 1.0, -1.0, 1e-300, -1e300, 1e150, 1e-16, -0.5};
    for (int draws = 0; draws < DRAWS; draws++) {
        saddle__local local = {.law = (saddle_law)(draws % 4),
                               .size = 2 + draws / 4 % 2,
                               .facets = 5};
        double lambda[3] = {0.0};
        double mu = draws % 7 == 0 ? 0.0 : draws % 7 == 1 ? 1e6 : 0.7;
        local.cone = saddle__cone_of(&(saddle_contact){.size = local.size, .mu = mu});
        for (int i = 0; i < 3; i++) {
            local.q[i] = values[test_integer(&seed, 0, 7)];
            for (int j = 0; j < 3; j++) local.W[i][j] = values[test_integer(&seed, 0, 7)];
        }
        double error = saddle__local_contact(&local, lambda);
        assert_true(error >= 0.0); /* not NaN */
        for (int i = 0; i < local.size; i++) assert_true(isfinite(lambda[i]));
        assert_true(lambda[0] >= 0.0);
        double force = local.size == 3 ? hypot(lambda[1], lambda[2]) : fabs(lambda[1]);
        double most = local.law == SADDLE_LAW_BOX ? sqrt(2.0) : 1.0;
        assert_true(force <= most * local.cone.mu[0] * lambda[0] * (1.0 + 1e-9));
    }
}

/* mu lambda is beyond double precision. */
static void an_impulse_that_overflows_is_none(void **state)
{
    (void)state;
    static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_BOX, SADDLE_LAW_ASSOCIATED,
                                      SADDLE_LAW_PYRAMID};
    for (int k = 0; k < 4; k++) {
        saddle__local local = {.law = laws[k], .size = 2, .facets = 5};
        double lambda[3] = {0.0};
        local.cone = saddle__cone_of(&(saddle_contact){.size = 2, .mu = 1e6});
        local.W[0][0] = -0.5;
        local.W[0][1] = -1.0;
        local.q[0] = 1e-16;
        local.q[1] = -1e300;
        assert_true(saddle__local_contact(&local, lambda) >= 0.0);
        assert_true(lambda[0] == 0.0 && lambda[1] == 0.0);
        local.q[0] = -1e-16; /* is to be pushed */
        assert_true(saddle__local_contact(&local, lambda) >= 0.0);
        assert_true(lambda[0] == 0.0 && lambda[1] == 0.0);
    }
}

/* W has a null direction along tangent 2: any lambda_2 does, none may be NaN, and w obeys the
 * law. */
static void frictionless_direction_of_zero_mass_is_harmless(void **state)
{
    (void)state;
    for (int law = 0; law < 4; law++) {
        saddle__local local = incline((saddle_law)law, 0.3, 0.5);
        double lambda[3] = {0.0};
        local.W[2][2] = 0.0;
        assert_true(saddle__local_contact(&local, lambda) <= 1e-13);
        assert_true(violation(&local, lambda) <= 1e-13);
    }
}

/* ---- rows ---- */

static void rows_end_at_the_bound_or_inside_where_w_vanishes(void **state)
{
    (void)state;
    assert_true(saddle__local_row(2.0, -4.0, -INFINITY, INFINITY, 0.0) == 2.0);
    assert_true(saddle__local_row(2.0, -4.0, 0.0, INFINITY, 0.0) == 2.0);
    assert_true(saddle__local_row(2.0, 4.0, 0.0, INFINITY, 1.0) == 0.0);
    assert_true(saddle__local_row(2.0, -4.0, -1.0, 1.5, 0.0) == 1.5);
    assert_true(saddle__local_row(2.0, 40.0, -1.0, 1.5, 0.0) == -1.0);
}

static void rows_without_a_positive_diagonal_go_to_a_bound_that_holds_or_stay(void **state)
{
    (void)state;
    assert_true(saddle__local_row(0.0, 1.0, -3.0, 5.0, 1.0) == -3.0);
    assert_true(saddle__local_row(0.0, -1.0, -3.0, 5.0, 1.0) == 5.0);
    assert_true(saddle__local_row(0.0, -1.0, 0.0, INFINITY, 1.0) == 1.0);
    assert_true(saddle__local_row(0.0, 1.0, -INFINITY, INFINITY, 1.0) == 1.0);
    assert_true(saddle__local_row(0.0, 0.0, 0.0, 2.0, 1.0) == 0.0);
    assert_true(saddle__local_row(-1.0, 3.0, 0.0, INFINITY, 9.0) == 0.0);
    assert_true(saddle__local_row(-1.0, -3.0, -INFINITY, INFINITY, 9.0) == -3.0);
    assert_true(saddle__local_row(-1.0, -3.0, 0.0, INFINITY, 9.0) == 9.0);
    assert_true(saddle__local_row(-1.0, -3.0, 0.0, 7.0, 9.0) == 7.0);
    assert_true(saddle__local_row(1e-320, -1.0, 0.0, INFINITY, 2.0) == 2.0);
}

/* ---- polynomials ---- */

static void polynomial_roots_are_those_it_was_made_from(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draws = 0; draws < 2000; draws++) {
        int degree = 1 + draws % 6;
        double root[6];
        double c[7] = {test_uniform(&seed, 0.5, 2.0)};
        double found[12];
        int inside = 0;
        for (int k = 0; k < degree; k++) {
            root[k] = -1.5 + 3.0 * (k + 0.5) / degree + test_uniform(&seed, -0.1, 0.1);
            double product[7] = {0.0}; /* p(t) (t - root) */
            for (int i = 0; i <= k; i++) {
                product[i] -= root[k] * c[i];
                product[i + 1] += c[i];
            }
            memcpy(c, product, sizeof c);
            inside += fabs(root[k]) < 1.0;
        }
        assert_int_equal(saddle__polynomial_roots(degree, c, found), inside);
        for (int k = 0, l = 0; k < degree; k++)
            if (fabs(root[k]) < 1.0) assert_true(fabs(root[k] - found[l++]) <= 1e-11);
    }
}

static void double_roots_are_found(void **state)
{
    (void)state;
    /* (t - 0.3)^2 (t - 2) */
    static const double c[4] = {0.09 * -2.0, 0.6 * 2.0 + 0.09, -2.0 - 0.6, 1.0};
    double found[6];
    assert_true(saddle__polynomial_roots(3, c, found) >= 1);
    assert_true(fabs(found[0] - 0.3) <= 1e-7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cone_blocks_obey_the_law),
        cmocka_unit_test(pyramid_blocks_obey_the_law),
        cmocka_unit_test(box_blocks_obey_the_law),
        cmocka_unit_test(associated_blocks_obey_the_law),
        cmocka_unit_test(cone_blocks_with_torsion_and_rolling_obey_the_law),
        cmocka_unit_test(box_blocks_with_torsion_and_rolling_obey_the_law),
        cmocka_unit_test(associated_blocks_with_torsion_and_rolling_obey_the_law),
        cmocka_unit_test(cone_solution_is_one_that_brute_force_finds),
        cmocka_unit_test(associated_solution_has_the_least_energy_of_the_cone),
        cmocka_unit_test(pyramid_with_many_facets_is_the_cone),
        cmocka_unit_test(units_change_no_bit_and_extreme_ones_keep_the_law),
        cmocka_unit_test(skew_blocks_with_small_diagonals_obey_the_law),
        cmocka_unit_test(block_on_an_incline_sticks_below_and_slides_above_the_friction_angle),
        cmocka_unit_test(associated_block_on_an_incline_lifts_by_mu_times_its_speed),
        cmocka_unit_test(separating_contact_carries_nothing),
        cmocka_unit_test(hostile_blocks_give_finite_impulses_within_the_law),
        cmocka_unit_test(an_impulse_that_overflows_is_none),
        cmocka_unit_test(frictionless_direction_of_zero_mass_is_harmless),
        cmocka_unit_test(rows_end_at_the_bound_or_inside_where_w_vanishes),
        cmocka_unit_test(rows_without_a_positive_diagonal_go_to_a_bound_that_holds_or_stay),
        cmocka_unit_test(polynomial_roots_are_those_it_was_made_from),
        cmocka_unit_test(double_roots_are_found),
    };
    return cmocka_run_group_tests_name("local laws", tests, NULL, NULL);
}
