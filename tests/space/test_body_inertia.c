/* SPDX-License-Identifier: MIT */
/* Spatial inertia against what it stands for, a cloud of point masses: M = sum m_k Gamma_k'Gamma_k;
 * momentum that stays; LAPACK. */
#include <math.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_space.h"
#include "saddle/inertia.h"

enum { TRIALS = 2000, POINTS = 8 };

typedef struct cloud {
    double mass[POINTS];
    double x[3 * POINTS];
} cloud;

/* Masses and extents over decades, the middle up to ten extents away. */
static cloud draw_cloud(uint64_t *seed)
{
    cloud made;
    double middle[3];
    double size = draw_size(seed, -3, 3);
    double mass = draw_size(seed, -6, 6);
    draw(seed, 3, size * draw_size(seed, -3, 1), middle);
    for (int k = 0; k < POINTS; k++) {
        made.mass[k] = mass * test_uniform(seed, 0.1, 1);
        draw(seed, 3, size, made.x + 3 * k);
        for (int i = 0; i < 3; i++) made.x[3 * k + i] += middle[i];
    }
    return made;
}

/* By the definitions: centre, then sum m (|a|^2 I - a a') about it. */
static saddle_body_inertia weigh(const cloud *points, int first, int count)
{
    saddle_body_inertia sum = {.mass = 0};
    for (int k = first; k < first + count; k++) {
        sum.mass += points->mass[k];
        for (int i = 0; i < 3; i++) sum.center[i] += points->mass[k] * points->x[3 * k + i];
    }
    for (int i = 0; i < 3; i++) sum.center[i] /= sum.mass;
    for (int k = first; k < first + count; k++) {
        double a[3];
        for (int i = 0; i < 3; i++) a[i] = points->x[3 * k + i] - sum.center[i];
        for (int i = 0; i < 9; i++)
            sum.moment[i] += points->mass[k] *
                             ((i % 4 == 0 ? saddle__dot(a, a) : 0) - a[i % 3] * a[i / 3]);
    }
    return sum;
}

/* M = sum m Gamma'Gamma, from the velocities of the points. */
static void matrix_of_points(const cloud *points, double *M)
{
    memset(M, 0, 36 * sizeof *M);
    for (int k = 0; k < POINTS; k++) {
        double gamma[18] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        for (int j = 0; j < 3; j++) {
            double e[3] = {0};
            e[j] = 1;
            saddle__cross(e, points->x + 3 * k, gamma + 9 + 3 * j);
        }
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 6; i++)
                for (int l = 0; l < 3; l++)
                    M[i + 6 * j] += points->mass[k] * gamma[l + 3 * i] * gamma[l + 3 * j];
    }
}

/* |A_ij - B_ij| / sqrt(S_ii S_jj) */
static double scaled_difference(const double *A, const double *B, const double *S)
{
    double most = 0;
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++)
            most = fmax(most, fabs(A[i + 6 * j] - B[i + 6 * j]) / sqrt(S[7 * i] * S[7 * j]));
    return most;
}

static void assert_near(const saddle_body_inertia *a, const saddle_body_inertia *b,
                        double tolerance, double extent)
{
    assert_true(fabs(a->mass - b->mass) <= tolerance * b->mass);
    assert_true(largest_difference(a->center, b->center, 3) <= tolerance * extent);
    assert_true(largest_difference(a->moment, b->moment, 9) <= tolerance * largest(b->moment, 9));
}

/* ---- as a matrix ---- */

static void the_matrix_is_that_of_the_points_of_the_body(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points = draw_cloud(&seed);
        saddle_body_inertia inertia = weigh(&points, 0, POINTS), again;
        double M[36], expected[36], twist[6], momentum[6], image[6];
        matrix_of_points(&points, expected);
        saddle_body_inertia_matrix(&inertia, M);
        assert_true(scaled_difference(M, expected, expected) < 1e-13);
        draw(&seed, 6, 1, twist);
        product(M, twist, 6, 6, 1, image);
        saddle_body_inertia_multiply(&inertia, twist, momentum);
        for (int i = 0; i < 6; i++) {
            double size = 0;
            for (int j = 0; j < 6; j++) size += sqrt(M[7 * i] * M[7 * j]) * fabs(twist[j]);
            assert_true(fabs(image[i] - momentum[i]) < 1e-14 * size);
        }
        assert_int_equal(saddle_body_inertia_from_matrix(NULL, M, &again), SADDLE_OK);
        /* J is what a hundred times as much leaves */
        assert_near(&again, &inertia, 1e-11, largest(points.x, 3 * POINTS));
    }
}

static void the_inverse_and_the_factor_are_those_of_the_matrix(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points = draw_cloud(&seed);
        saddle_body_inertia inertia = weigh(&points, 0, POINTS);
        double M[36], inverse[36], identity[36], G[36], transposed[36], square[36];
        matrix_of_points(&points, M);
        assert_int_equal(saddle_body_inertia_inverse(NULL, &inertia, inverse), SADDLE_OK);
        product(M, inverse, 6, 6, 6, identity);
        double worst = 0;
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 6; i++) {
                double size = 0;
                for (int k = 0; k < 6; k++) size += fabs(M[i + 6 * k] * inverse[k + 6 * j]);
                worst = fmax(worst, fabs(identity[i + 6 * j] - (i == j)) / fmax(size, 1));
                assert_true(inverse[i + 6 * j] == inverse[j + 6 * i]);
            }
        assert_true(worst < 1e-13);
        assert_int_equal(saddle_body_inertia_factor(NULL, &inertia, G), SADDLE_OK);
        transpose(G, 6, 6, transposed);
        product(G, transposed, 6, 6, 6, square);
        assert_true(scaled_difference(square, M, M) < 1e-14);

        double twist[6], wrench[6], found[6];
        draw(&seed, 6, 1, twist);
        saddle_body_inertia_multiply(&inertia, twist, wrench);
        assert_int_equal(saddle_body_inertia_solve(NULL, &inertia, wrench, found), SADDLE_OK);
        saddle_body_inertia_multiply(&inertia, found, found);
        for (int i = 0; i < 6; i++)
            assert_true(fabs(found[i] - wrench[i]) < 1e-11 * largest(wrench + i / 3 * 3, 3));
    }
}

static void what_has_no_inverse_is_named(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_body_inertia massless = {.moment = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    saddle_body_inertia rod = {.mass = 1, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 0}};
    double A[36], wrench[6] = {0}, twist[6];
    assert_int_equal(saddle_body_inertia_inverse(context, &massless, A), SADDLE_SINGULAR);
    assert_string_equal(saddle_context_message(context), "inertia: its mass is 0 kg");
    assert_int_equal(saddle_body_inertia_factor(context, &rod, A), SADDLE_SINGULAR);
    assert_string_equal(saddle_context_message(context),
                        "inertia: its rotational inertia is not positive definite");
    assert_int_equal(saddle_body_inertia_solve(context, &rod, wrench, twist), SADDLE_SINGULAR);
    assert_int_equal(saddle_body_inertia_inverse(context, &rod, A), SADDLE_SINGULAR);
    saddle_context_free(context);
}

static void matrices_of_no_body_are_refused(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_body_inertia inertia = {.mass = 2,
                                   .center = {1, 2, 3},
                                   .moment = {2, 0, 0, 0, 3, 0, 0, 0, 4}},
                        found;
    for (int j = 0; j < 6; j++)
        for (int i = j; i < 6; i++) {
            double M[36];
            saddle_body_inertia_matrix(&inertia, M);
            assert_int_equal(saddle_body_inertia_from_matrix(context, M, &found), SADDLE_OK);
            int is_moment = i >= 3 && j >= 3;
            M[i + 6 * j] += is_moment ? -200 : 1;
            if (i == j && i == 0) M[0] = -2;
            assert_int_equal(saddle_body_inertia_from_matrix(context, M, &found),
                             SADDLE_INVALID_ARGUMENT);
            assert_int_equal(strncmp(saddle_context_message(context), "matrix: ", 8), 0);
        }
    saddle_context_free(context);
}

/* By what the entries beside it allow, whatever the units: a part in 1e8 is too much, in 1e12 it is
 * not. */
static void matrices_of_a_body_may_be_rounded(void **state)
{
    (void)state;
    for (int units = 0; units < 3; units++) {
        double length = pow(1000, units - 1);
        saddle_body_inertia inertia = {.mass = 5e4, .center = {length, 2 * length, 3 * length}},
                            found;
        for (int i = 0; i < 3; i++) inertia.moment[4 * i] = (i + 2) * 5e4 * length * length;
        for (int j = 0; j < 3; j++)
            for (int i = j + 1; i < 6; i++) {
                double M[36];
                saddle_body_inertia_matrix(&inertia, M);
                double size = sqrt(M[7 * i] * M[7 * j]), kept = M[i + 6 * j];
                M[i + 6 * j] = kept + 1e-12 * size;
                assert_int_equal(saddle_body_inertia_from_matrix(NULL, M, &found), SADDLE_OK);
                M[i + 6 * j] = kept + 1e-8 * size;
                assert_int_equal(saddle_body_inertia_from_matrix(NULL, M, &found),
                                 SADDLE_INVALID_ARGUMENT);
            }
    }
}

/* ---- moving by itself ---- */

/* A free body: M dphi/dt = ad(phi)'M phi keeps what its momentum is in the world. */
static void the_coriolis_wrench_keeps_momentum_in_the_world(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    const double h = 1e-5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_body_inertia inertia = {.mass = 2};
        saddle_pose axes = draw_pose(&seed), T = draw_pose(&seed);
        double twist[6], wrench[6], rate[6], momentum[2][6], power = 0;
        const double moments[3] = {test_uniform(&seed, 1, 2), test_uniform(&seed, 1, 2),
                                   test_uniform(&seed, 1, 2)};
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                inertia.moment[i] += axes.R[i % 3 + 3 * k] * moments[k] * axes.R[i / 3 + 3 * k];
        draw(&seed, 3, 1, inertia.center);
        draw(&seed, 6, 1, twist);
        saddle_body_inertia_coriolis(&inertia, twist, wrench, NULL);
        for (int i = 0; i < 6; i++) power += wrench[i] * twist[i];
        assert_true(fabs(power) < 1e-13);
        assert_int_equal(saddle_body_inertia_solve(NULL, &inertia, wrench, rate), SADDLE_OK);
        for (int ahead = 0; ahead < 2; ahead++) { /* the second order of the pose is the same on
                                                     both sides */
            double step[6], near[6];
            double t = ahead ? h : -h;
            for (int i = 0; i < 6; i++) {
                step[i] = t * twist[i];
                near[i] = twist[i] + t * rate[i];
            }
            saddle_pose moved = pose_by_series(step);
            moved = saddle_pose_multiply(&T, &moved);
            saddle_body_inertia_multiply(&inertia, near, momentum[ahead]);
            saddle_wrench_to_outer(&moved, momentum[ahead], momentum[ahead]);
        }
        for (int i = 0; i < 6; i++)
            assert_true(fabs(momentum[1][i] - momentum[0][i]) / (2 * h) < 1e-7);
    }
}

/* The wrench is quadratic: central differences are exact but for rounding. */
static void the_coriolis_jacobian_is_its_differences(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    const double h = 1e-2;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points = draw_cloud(&seed);
        saddle_body_inertia inertia = weigh(&points, 0, POINTS);
        double twist[6], wrench[6], jacobian[36], near[6], moved[2][6], M[36];
        draw(&seed, 6, 1, twist);
        saddle_body_inertia_matrix(&inertia, M);
        saddle_body_inertia_coriolis(&inertia, twist, wrench, jacobian);
        int heaviest = M[21] > M[28] ? (M[21] > M[35] ? 0 : 2) : (M[28] > M[35] ? 1 : 2);
        for (int j = 0; j < 6; j++) {
            for (int ahead = 0; ahead < 2; ahead++) {
                memcpy(near, twist, sizeof near);
                near[j] += ahead ? h : -h;
                saddle_body_inertia_coriolis(&inertia, near, moved[ahead], NULL);
            }
            for (int i = 0; i < 6; i++) {
                double size = sqrt(M[i < 3 ? 0 : 7 * (3 + heaviest)]) *
                              (sqrt(M[0]) + sqrt(M[7 * (3 + heaviest)]));
                assert_true(fabs((moved[1][i] - moved[0][i]) / (2 * h) - jacobian[i + 6 * j]) <
                            1e-11 * size);
            }
        }
    }
}

/* It is ad(phi)'M phi, also for light bodies that fly fast: then to rounding of the gyroscopic
 * moment, not of m |nu|^2. */
static void the_coriolis_wrench_is_the_dual_bracket_of_momentum(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 8;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points = draw_cloud(&seed);
        saddle_body_inertia inertia = weigh(&points, 0, POINTS);
        double twist[6], wrench[6], momentum[6], dual[6], size[6] = {0};
        draw(&seed, 6, 1, twist);
        saddle_body_inertia_multiply(&inertia, twist, momentum);
        saddle_twist_cross_dual(twist, momentum, dual);
        saddle_body_inertia_coriolis(&inertia, twist, wrench, NULL);
        for (int i = 0; i < 6; i++)
            size[i] = largest(momentum, 3) + (i < 3 ? 0 : largest(momentum + 3, 3));
        for (int i = 0; i < 6; i++) assert_true(fabs(wrench[i] - dual[i]) < 1e-14 * size[i]);
    }
    saddle_body_inertia bullet = {.mass = 1, .moment = {1e-9, 0, 0, 0, 1e-9, 0, 0, 0, 2e-9}};
    const double flight[6] = {700.1, 300.3, 11.7, 0.1, 0.2, 0.3};
    double wrench[6];
    saddle_body_inertia_coriolis(&bullet, flight, wrench, NULL);
    const double expected[3] = {-1e-9 * 0.06, 1e-9 * 0.03, 0}; /* J omega x omega */
    assert_true(largest_difference(wrench + 3, expected, 3) < 1e-24);
}

static void a_symmetric_top_precesses_at_its_rate(void **state)
{
    (void)state;
    saddle_body_inertia top = {.mass = 1, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1.5}};
    double twist[6] = {0, 0, 0, 0.3, 0, 2}, wrench[6], rate[6];
    saddle_body_inertia_coriolis(&top, twist, wrench, NULL);
    assert_int_equal(saddle_body_inertia_solve(NULL, &top, wrench, rate), SADDLE_OK);
    assert_true(fabs(rate[3]) < 1e-15); /* domega = Omega e_z x omega, Omega = (Jz - Jx)/Jx omega_z
                                           = 1 */
    assert_true(fabs(rate[4] - 0.3) < 1e-15);
    assert_true(fabs(rate[5]) < 1e-15);
}

/* ---- other frames, several bodies ---- */

static void a_moved_inertia_is_that_of_the_moved_points(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points = draw_cloud(&seed);
        saddle_body_inertia inertia = weigh(&points, 0, POINTS), moved;
        saddle_pose T = draw_pose(&seed);
        double M[36], congruent[36];
        for (int i = 0; i < 3; i++) T.p[i] *= largest(points.x, 3 * POINTS);
        saddle_body_inertia_move(&inertia, &T, &moved);
        saddle_body_inertia_matrix(&inertia, M);
        saddle_pose_congruence(&T, M, congruent);
        for (int k = 0; k < POINTS; k++) saddle_pose_point(&T, points.x + 3 * k, points.x + 3 * k);
        saddle_body_inertia expected = weigh(&points, 0, POINTS);
        assert_near(&moved, &expected, 1e-13, largest(points.x, 3 * POINTS));
        saddle_body_inertia_matrix(&moved, M);
        assert_true(scaled_difference(congruent, M, M) < 1e-12); /* of hundreds of times as much,
                                                                    where p undoes c */
        saddle_body_inertia_move(&inertia, &T, &inertia);
        assert_memory_equal(&inertia, &moved, sizeof moved);
    }
}

/* Three bodies, each in a frame of its own, weigh what their points weigh; their matrix is sum Ad'M
 * Ad (1.26). */
static void composite_bodies_weigh_what_their_points_do(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points[3];
        saddle_body_inertia part[3], composite, again;
        saddle_pose pose[3];
        double M[36], moved[36], sum[36] = {0}, whole[36] = {0};
        double extent = draw_size(&seed, -2, 2);
        for (int b = 0; b < 3; b++) {
            points[b] = draw_cloud(&seed);
            double size = largest(points[b].x, 3 * POINTS);
            for (int i = 0; i < 3 * POINTS; i++) points[b].x[i] *= extent / size;
            pose[b] = draw_pose(&seed);
            for (int i = 0; i < 3; i++) pose[b].p[i] *= extent;
            part[b] = weigh(&points[b], 0, POINTS);
            saddle_body_inertia_matrix(&part[b], M);
            saddle_pose_congruence(&pose[b], M, moved);
            for (int i = 0; i < 36; i++) sum[i] += moved[i];
            for (int k = 0; k < POINTS; k++)
                saddle_pose_point(&pose[b], points[b].x + 3 * k, points[b].x + 3 * k);
            matrix_of_points(&points[b], M);
            for (int i = 0; i < 36; i++) whole[i] += M[i];
        }
        assert_int_equal(saddle_body_inertia_compose(NULL, 3, part, pose, &composite), SADDLE_OK);
        saddle_body_inertia_matrix(&composite, M);
        assert_true(scaled_difference(M, whole, whole) < 1e-13);
        assert_true(scaled_difference(M, sum, whole) < 1e-13);
        for (int b = 0; b < 3; b++) saddle_body_inertia_move(&part[b], &pose[b], &part[b]);
        assert_int_equal(saddle_body_inertia_compose(NULL, 3, part, NULL, &again), SADDLE_OK);
        assert_memory_equal(&again, &composite, sizeof again);
    }
}

static void composite_bodies_far_away_lose_nothing(void **state)
{
    (void)state;
    saddle_body_inertia ball = {.mass = 1, .moment = {0.4, 0, 0, 0, 0.4, 0, 0, 0, 0.4}}, pair;
    saddle_pose pose[2] = {saddle_pose_identity(), saddle_pose_identity()};
    const saddle_body_inertia balls[2] = {ball, ball};
    for (int i = 0; i < 3; i++) pose[0].p[i] = pose[1].p[i] = 0x1p40;
    pose[1].p[0] += 2;
    assert_int_equal(saddle_body_inertia_compose(NULL, 2, balls, pose, &pair), SADDLE_OK);
    const double expected[9] = {0.8, 0, 0, 0, 2.8, 0, 0, 0, 2.8};
    assert_true(largest_difference(pair.moment, expected, 9) < 1e-15 * 4);
    assert_true(pair.center[0] == 0x1p40 + 1 && pair.center[1] == 0x1p40);
}

static void composites_of_nothing_or_of_bad_parts_are_refused(void **state)
{
    (void)state;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_body_inertia part[2] = {{.mass = 1, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1}}}, sum;
    assert_int_equal(saddle_body_inertia_compose(context, 0, part, NULL, &sum),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "a composite body without parts");
    assert_int_equal(saddle_body_inertia_compose(context, 2, part, NULL, &sum),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "part 2: its mass is 0 kg");
    saddle_context_free(context);
}

/* ---- principal axes ---- */

static void principal_axes_are_right_handed_and_make_the_inertia_diagonal(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points = draw_cloud(&seed);
        saddle_body_inertia inertia = weigh(&points, 0, POINTS), seen;
        double moments[3], by_lapack[3], J[9];
        saddle_pose frame;
        if (trial % 5 == 0) { /* equal moments, and nearly equal ones */
            saddle_pose axes = draw_pose(&seed);
            const double wanted[3] = {2, 2 + (trial % 2) * 1e-14, 3 - trial % 3 * 0.5};
            memset(inertia.moment, 0, sizeof inertia.moment);
            for (int i = 0; i < 9; i++)
                for (int k = 0; k < 3; k++)
                    inertia.moment[i] += axes.R[i % 3 + 3 * k] * wanted[k] * axes.R[i / 3 + 3 * k];
        }
        saddle_body_inertia_principal(&inertia, &frame, moments);
        assert_rotation(frame.R);
        assert_true(moments[0] <= moments[1] && moments[1] <= moments[2]);
        memcpy(J, inertia.moment, sizeof J);
        assert_int_equal(saddle__dense_eigenvalues(NULL, 3, J, by_lapack), SADDLE_OK);
        assert_true(largest_difference(moments, by_lapack, 3) < 3e-15 * moments[2]);
        saddle_pose back = saddle_pose_inverse(&frame);
        saddle_body_inertia_move(&inertia, &back, &seen);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(seen.moment[i] - (i % 4 == 0 ? moments[i / 4] : 0)) <
                        5e-15 * moments[2]);
        assert_true(largest(seen.center, 3) <= 1e-14 * largest(inertia.center, 3));
    }
}

static void principal_axes_in_order_are_kept(void **state)
{
    (void)state;
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    saddle_body_inertia inertia = {.mass = 1,
                                   .center = {1, 2, 3},
                                   .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1.5}};
    saddle_pose frame;
    double moments[3];
    saddle_body_inertia_principal(&inertia, &frame, moments);
    assert_memory_equal(frame.R, identity, sizeof identity);
    assert_memory_equal(frame.p, inertia.center, sizeof frame.p);
    inertia.moment[0] = 2;
    saddle_body_inertia_principal(&inertia, &frame, moments);
    assert_rotation(frame.R);
    assert_true(moments[0] == 1 && moments[1] == 1.5 && moments[2] == 2);
}

/* ---- validity ---- */

static void what_is_no_inertia_is_named(void **state)
{
    (void)state;
    static const struct {
        saddle_body_inertia inertia;
        const char *says;
    } cases[] = {
        {{.mass = 0, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, "arm: its mass is 0 kg"},
        {{.mass = -1, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, "arm: its mass is -1 kg"},
        {{.mass = INFINITY, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1}}, "arm: its mass is inf kg"},
        {{.mass = 1, .center = {0, -INFINITY, 0}, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
         "arm: coordinate 2 of its centre of mass is -inf"},
        {{.mass = 1, .moment = {1, 0, 0, 0, 1, INFINITY, 0, 0, 1}},
         "arm: entry (3, 2) of its rotational inertia is inf"},
        {{.mass = 1, .moment = {1, 0, 0.25, 0, 1, 0, 0.5, 0, 1}},
         "arm: its rotational inertia is not symmetric, (3, 1) is 0.25 and (1, 3) is 0.5"},
        {{.mass = 1, .moment = {1, 2, 0, 2, 1, 0, 0, 0, 1}},
         "arm: its rotational inertia is not positive definite, its principal moments are -1, 1, "
         "3"},
        {{.mass = 1, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 0}},
         "arm: its rotational inertia is not positive definite, its principal moments are 0, 1, 1"},
        {{.mass = 1},
         "arm: its rotational inertia is not positive definite, its principal moments are 0, 0, 0"},
        {{.mass = 1, .moment = {1, 0, 0, 0, 3, 0, 0, 0, 1}},
         "arm: no body has its principal moments, 1, 1, 3: the last is more than the sum of the "
         "others"},
        {{.mass = 1, .moment = {1, 0, 0, 0, 2.000001, 0, 0, 0, 1}},
         "arm: no body has its principal moments, 1, 1, 2: the last is more than the sum of the "
         "others"},
    };
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_int_equal(saddle_body_inertia_check(context, &cases[k].inertia, "arm"),
                         SADDLE_INVALID_ARGUMENT);
        assert_string_equal(saddle_context_message(context), cases[k].says);
    }
    assert_int_equal(saddle_body_inertia_check(context, &cases[0].inertia, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "inertia: its mass is 0 kg");
    saddle_body_inertia nan = {.mass = NAN, .moment = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    assert_int_equal(saddle_body_inertia_check(context, &nan, NULL), SADDLE_INVALID_ARGUMENT);
    saddle_context_free(context);
}

/* Points in a plane: the moment about its normal is the sum of the others, in any axes.  Points
 * anywhere: less. */
static void plates_and_solids_are_inertias(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 7;
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        cloud points = draw_cloud(&seed);
        saddle_pose turn = draw_pose(&seed);
        for (int k = 0; k < POINTS && trial % 2; k++) points.x[3 * k + 2] = 0;
        saddle_body_inertia inertia = weigh(&points, 0, POINTS);
        saddle_body_inertia_move(&inertia, &turn, &inertia);
        assert_int_equal(saddle_body_inertia_check(NULL, &inertia, NULL), SADDLE_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_is_that_of_the_points_of_the_body),
        cmocka_unit_test(the_inverse_and_the_factor_are_those_of_the_matrix),
        cmocka_unit_test(what_has_no_inverse_is_named),
        cmocka_unit_test(matrices_of_no_body_are_refused),
        cmocka_unit_test(matrices_of_a_body_may_be_rounded),
        cmocka_unit_test(the_coriolis_wrench_keeps_momentum_in_the_world),
        cmocka_unit_test(the_coriolis_jacobian_is_its_differences),
        cmocka_unit_test(the_coriolis_wrench_is_the_dual_bracket_of_momentum),
        cmocka_unit_test(a_symmetric_top_precesses_at_its_rate),
        cmocka_unit_test(a_moved_inertia_is_that_of_the_moved_points),
        cmocka_unit_test(composite_bodies_weigh_what_their_points_do),
        cmocka_unit_test(composite_bodies_far_away_lose_nothing),
        cmocka_unit_test(composites_of_nothing_or_of_bad_parts_are_refused),
        cmocka_unit_test(principal_axes_are_right_handed_and_make_the_inertia_diagonal),
        cmocka_unit_test(principal_axes_in_order_are_kept),
        cmocka_unit_test(what_is_no_inertia_is_named),
        cmocka_unit_test(plates_and_solids_are_inertias),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
