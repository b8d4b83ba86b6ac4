/* SPDX-License-Identifier: MIT */
/* Motions known in closed form: free fall, the physical pendulum, tops, bodies that tumble freely,
 * blocks on slopes, Newton's cradle; and what every integrator must keep. */
#include <math.h>
#include <string.h>

#include "motion.h"

static const double pi = 3.14159265358979323846;
static const double gravity = 9.81;
static const saddle_handle ground = {0};

enum { INTEGRATORS = SADDLE_INTEGRATOR_BRIDSON_MARINO + 1 };

/* ---- free motion ---- */

/* Where constant gravity takes a free thing in n steps: h^2 g n (n - 1)/2, n (n + 1)/2, or the
 * parabola n^2/2. */
static double fallen(saddle_integrator integrator, int64_t n)
{
    const double count = (double)n;
    if (integrator == SADDLE_INTEGRATOR_EXPLICIT_EULER) return count * (count - 1) / 2;
    if (integrator == SADDLE_INTEGRATOR_SYMPLECTIC_EULER ||
        integrator == SADDLE_INTEGRATOR_IMPLICIT_EULER)
        return count * (count + 1) / 2;
    return count * count / 2;
}

static void free_fall_is_exact(void **unused)
{
    (void)unused;
    static const double x[3] = {1, 2, 3}, v[3] = {4, -5, 6};
    const int64_t steps = 50;
    for (int k = 0; k < INTEGRATORS; k++) {
        motion scene;
        motion_begin(&scene, NULL, motion_weight);
        scene.options.integrator = (saddle_integrator)k;
        const saddle_handle particle = motion_particle(&scene, 2, x, v);
        motion_run(&scene, steps);
        const double h = scene.options.time_step, t = h * (double)steps;
        const double *now = saddle_model_position(scene.model, particle);
        for (int i = 0; i < 3; i++) {
            const double fall = i == 2 ? gravity * h * h * fallen((saddle_integrator)k, steps) : 0;
            assert_true(fabs(now[i] - (x[i] + v[i] * t - fall)) < 1e-12);
        }
        assert_true(fabs(saddle_model_velocity(scene.model, particle)[2] - (v[2] - gravity * t)) <
                    1e-12);
        assert_true(fabs(saddle_model_time(scene.model) - t) < 1e-14);
        motion_end(&scene);
    }
}

/* A body that spins while it falls: the centre of mass does not know. */
static void a_spinning_body_falls_straight(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.1, 0.2, 0.25}, twist[6] = {3, 1, 2, 7, -3, 5};
    const int64_t steps = 100;
    for (int k = 0; k < INTEGRATORS; k++) {
        for (int update = SADDLE_ROTATION_UPDATE_EXPONENTIAL;
             update <= SADDLE_ROTATION_UPDATE_FINITE; update++) {
            motion scene;
            motion_begin(&scene, NULL, motion_weight);
            scene.options.integrator = (saddle_integrator)k;
            scene.options.rotation = (saddle_rotation_update)update;
            const saddle_handle body = motion_body(&scene, moments, NULL, NULL, twist);
            motion_run(&scene, steps);
            const double h = scene.options.time_step, t = h * (double)steps;
            const saddle_pose *pose = saddle_model_pose(scene.model, body);
            const double allowed = update == SADDLE_ROTATION_UPDATE_FINITE &&
                                           k != SADDLE_INTEGRATOR_TRAPEZOIDAL
                                       ? 1e-11
                                       : 5e-3;
            for (int i = 0; i < 3; i++) {
                const double fall = i == 2 ? gravity * h * h * fallen((saddle_integrator)k, steps)
                                           : 0;
                if (!(fabs(pose->p[i] - (twist[i] * t - fall)) < allowed)) {
                    print_error("%s, update %d: %g\n", saddle_integrator_word((saddle_integrator)k),
                                update, pose->p[i] - (twist[i] * t - fall));
                    fail();
                }
            }
            motion_end(&scene);
        }
    }
}

/* Of a body by itself: momentum and spin in the world, by every integrator and update, centre of
 * mass off the origin. */
static void a_free_body_keeps_its_momenta(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.1, 0.2, 0.25}, center[3] = {0.1, -0.2, 0.3},
                        twist[6] = {3, 1, 2, 7, -3, 5};
    for (int k = 0; k < INTEGRATORS; k++) {
        for (int update = SADDLE_ROTATION_UPDATE_EXPONENTIAL;
             update <= SADDLE_ROTATION_UPDATE_INFINITESIMAL; update++) {
            motion scene;
            motion_begin(&scene, NULL, NULL);
            scene.options.integrator = (saddle_integrator)k;
            scene.options.rotation = (saddle_rotation_update)update;
            const saddle_handle body = motion_body(&scene, moments, center, NULL, twist);
            double spin[2][3], momentum[2][3];
            for (int end = 0; end < 2; end++) {
                const saddle_energies energies = saddle_model_energies(scene.model);
                double c[3];
                saddle_pose_point(saddle_model_pose(scene.model, body), center, c);
                const double *p = energies.momentum;
                const double arm[3] = {c[1] * p[2] - c[2] * p[1], c[2] * p[0] - c[0] * p[2],
                                       c[0] * p[1] - c[1] * p[0]};
                for (int i = 0; i < 3; i++) {
                    momentum[end][i] = p[i];
                    spin[end][i] = energies.moment[i] - arm[i];
                }
                if (end == 0) motion_run(&scene, 300);
            }
            assert_true(test_distance(momentum[0], momentum[1], 3) < 1e-12);
            assert_true(test_distance(spin[0], spin[1], 3) < 1e-12);
            motion_end(&scene);
        }
    }
}

/* Springs between particles.  Force and reaction are equal and opposite in every integrator
 * (columns of K and D sum to zero).  The moment of momentum is constant where forces act along the
 * line between the particles at the time of evaluation. */
static void springs_keep_the_momentum_of_all(void **unused)
{
    (void)unused;
    static const double x[3][3] = {{0, 0, 0}, {1, 0.2, 0}, {0.3, 1, 0.4}},
                        v[3][3] = {{1, 2, 3}, {-2, 1, 0}, {0, -1, 4}};
    for (int k = 0; k < INTEGRATORS; k++) {
        motion scene;
        motion_begin(&scene, NULL, NULL);
        scene.options.integrator = (saddle_integrator)k;
        saddle_handle part[3];
        for (int i = 0; i < 3; i++) part[i] = motion_particle(&scene, 1 + i, x[i], v[i]);
        for (int i = 0; i < 3; i++)
            (void)motion_spring(&scene, part[i], part[(i + 1) % 3], 100, i == 1 ? 0.5 : 0, 0.8);
        const saddle_energies before = saddle_model_energies(scene.model);
        motion_run(&scene, 100);
        const saddle_energies after = saddle_model_energies(scene.model);
        assert_true(test_distance(before.momentum, after.momentum, 3) < 1e-12);
        const double turned = test_distance(before.moment, after.moment, 3);
        const int kept = k == SADDLE_INTEGRATOR_SYMPLECTIC_EULER;
        if (kept) assert_true(turned < 1e-12);
        motion_end(&scene);
    }
}

/* ---- rotation ---- */

/* A symmetric body's omega goes round its axis at (I3 - I1)/I1 omega3 (Euler); h halves, the error
 * quarters. */
static void a_symmetric_body_tumbles_as_euler_says(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.2, 0.2, 0.3}, twist[6] = {0, 0, 0, 1, 0, 4};
    const double rate = (moments[2] - moments[0]) / moments[0] * twist[5];
    for (int k = 0; k < INTEGRATORS; k++) {
        double error[2];
        for (int fine = 0; fine < 2; fine++) {
            motion scene;
            motion_begin(&scene, NULL, NULL);
            scene.options.integrator = (saddle_integrator)k;
            scene.options.time_step = fine ? 0.005 : 0.01;
            const saddle_handle body = motion_body(&scene, moments, NULL, NULL, twist);
            motion_run(&scene, fine ? 400 : 200);
            const double *omega = saddle_model_velocity(scene.model, body) + 3;
            const double exact[3] = {cos(2 * rate), sin(2 * rate), twist[5]};
            error[fine] = test_distance(omega, exact, 3);
            motion_end(&scene);
        }
        print_message("    %s: %.2g, order %.2f\n", saddle_integrator_word((saddle_integrator)k),
                      error[1], motion_order(error[0], error[1]));
        assert_true(error[1] < 1e-4);
        assert_true(motion_order(error[0], error[1]) > 1.9);
    }
}

/* A heavy symmetric top in regular precession: A cos(theta) W^2 - C w3 W + m g d = 0, theta stays,
 * the axis goes round at W (Goldstein, Classical Mechanics, 5.7; A about the tip across, C along
 * the axis). */
static void a_top_precesses_at_the_rate_of_the_closed_form(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.01, 0.01, 0.02}, center[3] = {0, 0, 0.1},
                        tip[3] = {0, 0, 0};
    const double theta = 0.5, w3 = 60, A = moments[0] + center[2] * center[2], C = moments[2];
    const double half = C * w3 / (2 * A * cos(theta));
    const double W = half - sqrt(half * half - gravity * center[2] / (A * cos(theta)));
    for (int k = 0; k < 2; k++) {
        const saddle_integrator integrator = k == 0 ? SADDLE_INTEGRATOR_SYMPLECTIC_EULER
                                                    : SADDLE_INTEGRATOR_BRIDSON_MARINO;
        motion scene;
        motion_begin(&scene, NULL, motion_weight);
        scene.options.integrator = integrator;
        scene.options.time_step = 1e-3;
        const double tilt[6] = {0, 0, 0, 0, theta, 0};
        const saddle_pose pose = saddle_pose_exp(tilt);
        /* omega in body axes: W z seen from the body, and what is missing of w3 along its own
         * axis */
        const double twist[6] = {0, 0, 0, -W * sin(theta), 0, w3};
        const saddle_handle body = motion_body(&scene, moments, center, &pose, twist);
        (void)motion_ball(&scene, ground, body, tip);
        motion_run(&scene, 1000);
        const double *axis = saddle_model_pose(scene.model, body)->R + 6;
        const double turned = atan2(axis[1], axis[0]), tilted = acos(axis[2]);
        const double error = fabs(remainder(turned - W, 2 * pi));
        print_message("    %s: precession off by %.2g of %.4g rad, tilt by %.2g\n",
                      saddle_integrator_word(integrator), error, W, fabs(tilted - theta));
        assert_true(error < (k == 0 ? 2e-2 : 2e-4));
        assert_true(fabs(tilted - theta) < (k == 0 ? 2e-2 : 2e-4));
        motion_end(&scene);
    }
}

/* ---- the physical pendulum ---- */

/* K(k) by the arithmetic-geometric mean. */
static double elliptic(double k)
{
    double a = 1, b = sqrt(1 - k * k);
    for (int i = 0; i < 20; i++) {
        const double mean = (a + b) / 2;
        b = sqrt(a * b);
        a = mean;
    }
    return pi / (2 * a);
}

/* The mean period of some swings from rest at `angle`, from the times its angle passes zero. */
static double measured_period(saddle_integrator integrator, double h, double angle, int swings)
{
    static const double moments[3] = {0.02, 0.03, 0.04}, origin[3] = {0, 0, 0}, axis[3] = {0, 1, 0};
    const double center[3] = {0, 0, -0.5}, tilt[6] = {0, 0, 0, 0, -angle, 0};
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    scene.options.integrator = integrator;
    scene.options.time_step = h;
    const saddle_pose pose = saddle_pose_exp(tilt);
    const saddle_handle body = motion_body(&scene, moments, center, &pose, NULL);
    (void)motion_hinge(&scene, ground, body, origin, axis);
    double first = 0, last = 0, was = angle;
    for (int passed = 0; passed <= 2 * swings;) {
        motion_run(&scene, 1);
        const double *down = saddle_model_pose(scene.model, body)->R + 6;
        const double now = atan2(down[0], down[2]) * -1, time = saddle_model_time(scene.model);
        assert_true(time < 100);
        if (was * now <= 0 && was != now) {
            last = time - h * now / (now - was);
            if (passed++ == 0) first = last;
        }
        was = now;
    }
    motion_end(&scene);
    return (last - first) / swings;
}

static void a_pendulum_swings_with_the_elliptic_period(void **unused)
{
    (void)unused;
    const double inertia = 0.03 + 0.25; /* about the hinge: moments[1] + m d^2 */
    static const double angles[] = {0.1, 1, 2.5};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        const double period = 4 * sqrt(inertia / (gravity * 0.5)) * elliptic(sin(angles[k] / 2));
        const double symplectic = measured_period(SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 1e-3,
                                                  angles[k], 2);
        const double marino = measured_period(SADDLE_INTEGRATOR_BRIDSON_MARINO, 1e-3, angles[k], 2);
        print_message(
            "    %.1f rad: %.6f s, symplectic Euler off by %.2g, Bridson-Marino by %.2g\n",
            angles[k], period, symplectic / period - 1, marino / period - 1);
        assert_true(fabs(symplectic / period - 1) < 2e-3);
        assert_true(fabs(marino / period - 1) < 1e-5);
    }
}

/* ---- slopes ---- */

static const double slope = 0.5; /* [rad] */

/* A particle on a slope, x down it.  Symplectic Euler sums v = v0 - a h k to where it stops. */
static void a_block_stops_where_friction_says(void **unused)
{
    (void)unused;
    const double normal[3] = {sin(slope), 0, cos(slope)}, down[3] = {cos(slope), 0, -sin(slope)};
    const double v[3] = {2 * down[0], 0, 2 * down[2]}, mu = 0.8;
    const double a = gravity * (mu * cos(slope) - sin(slope));
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    const saddle_handle block = motion_particle(&scene, 3, NULL, v);
    (void)motion_touch_plane(&scene, block, normal, 0, mu);
    const double h = scene.options.time_step;
    const int64_t steps = (int64_t)floor(2 / (a * h)); /* with v > 0 at their end */
    motion_run(&scene, steps + 50);
    const double *x = saddle_model_position(scene.model, block), count = (double)steps;
    const double way = x[0] * down[0] + x[2] * down[2];
    assert_true(fabs(way - (2 * h * count - a * h * h * count * (count + 1) / 2)) < 1e-9);
    assert_true(fabs(way - 2 * 2 / (2 * a)) < 2 * h); /* v0^2 / (2 a) */
    assert_true(fabs(saddle_model_velocity(scene.model, block)[0]) < 1e-9);
    motion_end(&scene);
}

/* A box with a contact at each lower corner: it stays where mu > tan(alpha), and slides at g (sin -
 * mu cos) where mu < tan. */
static void a_box_on_a_slope_slides_only_below_tan_alpha(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.2, 0.2, 0.3}, tilt[6] = {0, 0, 0, 0, 0.5, 0};
    const saddle_pose pose = saddle_pose_exp(tilt);
    const double *normal = pose.R + 6, *down = pose.R;
    for (int slides = 0; slides < 2; slides++) {
        const double mu = tan(slope) * (slides ? 0.999 : 1.001);
        motion scene;
        motion_begin(&scene, NULL, motion_weight);
        const saddle_handle box = motion_body(&scene, moments, NULL, &pose, NULL);
        for (int corner = 0; corner < 4; corner++) {
            motion_touch *touch = motion_touch_plane(&scene, box, normal, -0.25, mu);
            touch->point[0] = corner & 1 ? 1 : -1;
            touch->point[1] = corner & 2 ? 1 : -1;
            touch->point[2] = -0.25;
        }
        motion_run(&scene, 100);
        const double *p = saddle_model_pose(scene.model, box)->p;
        const double way = p[0] * down[0] + p[1] * down[1] + p[2] * down[2],
                     h = scene.options.time_step;
        const double a = slides ? gravity * (sin(slope) - mu * cos(slope)) : 0;
        assert_true(fabs(way - a * h * h * 100 * 101 / 2) < 1e-7);
        motion_end(&scene);
    }
}

/* ---- Newton's cradle ---- */

/* Balls of diameter 1 in a row along x, `gap` apart, the first with velocity 1. */
static void set_up_cradle(motion *scene, int balls, double gap, double restitution,
                          saddle_handle *ball)
{
    static const double right[3] = {1, 0, 0};
    motion_begin(scene, NULL, NULL);
    scene->options.time_step = 0.125;
    for (int k = 0; k < balls; k++) {
        const double x[3] = {k * (1 + gap), 0, 0};
        ball[k] = motion_particle(scene, 1, x, k == 0 ? right : NULL);
        if (k == 0) continue;
        motion_touch *touch = motion_touch_plane(scene, ball[k - 1], right, 1, 0);
        touch->b = ball[k];
        touch->restitution = restitution;
    }
}

/* Explicit Euler moves positions by velocities from before the shock: where e = 0 they overlap, and
 * are parted again. */
static void two_balls_exchange_velocities_or_go_on_together(void **unused)
{
    (void)unused;
    static const double restitutions[] = {0, 0.5, 1};
    for (size_t k = 0; k < sizeof restitutions / sizeof *restitutions; k++) {
        const double e = restitutions[k], exact[2] = {(1 - e) / 2, (1 + e) / 2};
        for (int i = 0; i < INTEGRATORS; i++) {
            if (i == SADDLE_INTEGRATOR_EXPLICIT_EULER && e == 0) continue;
            motion scene;
            saddle_handle ball[2];
            set_up_cradle(&scene, 2, 0, e, ball);
            scene.options.integrator = (saddle_integrator)i;
            motion_run(&scene, 8);
            for (int b = 0; b < 2; b++) {
                assert_true(fabs(saddle_model_velocity(scene.model, ball[b])[0] - exact[b]) < 1e-9);
            }
            motion_end(&scene);
        }
    }
}

/* Balls a little apart: one shock after the other, and the last alone goes on.  (gap = 1/8 is one
 * step's way.) */
static void in_a_row_with_gaps_the_last_ball_goes_on_alone(void **unused)
{
    (void)unused;
    motion scene;
    saddle_handle ball[5];
    set_up_cradle(&scene, 5, 0.125, 1, ball);
    motion_run(&scene, 20);
    for (int k = 0; k < 5; k++) {
        assert_true(fabs(saddle_model_velocity(scene.model, ball[k])[0] - (k == 4)) < 1e-9);
    }
    motion_end(&scene);
}

/* Balls that touch, all shocks at once: Newton's law at each of them, w+ = -e w-, energy kept where
 * e = 1. */
static void in_a_row_without_gaps_newton_s_law_holds_at_each_contact(void **unused)
{
    (void)unused;
    for (int e = 0; e < 2; e++) {
        motion scene;
        saddle_handle ball[4];
        double sum = 0, energy = 0;
        set_up_cradle(&scene, 4, 0, e, ball);
        motion_run(&scene, 1);
        for (int k = 0; k < 4; k++) {
            const double v = saddle_model_velocity(scene.model, ball[k])[0];
            sum += v;
            energy += v * v;
            const double exact = e == 0 ? 0.25 : k == 0 ? -0.5 : 0.5;
            assert_true(fabs(v - exact) < 1e-9);
        }
        assert_true(fabs(sum - 1) < 1e-9);
        assert_true(fabs(energy - (e == 1 ? 1 : 0.25)) < 1e-9);
        motion_end(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_fall_is_exact),
        cmocka_unit_test(a_spinning_body_falls_straight),
        cmocka_unit_test(a_free_body_keeps_its_momenta),
        cmocka_unit_test(springs_keep_the_momentum_of_all),
        cmocka_unit_test(a_symmetric_body_tumbles_as_euler_says),
        cmocka_unit_test(a_top_precesses_at_the_rate_of_the_closed_form),
        cmocka_unit_test(a_pendulum_swings_with_the_elliptic_period),
        cmocka_unit_test(a_block_stops_where_friction_says),
        cmocka_unit_test(a_box_on_a_slope_slides_only_below_tan_alpha),
        cmocka_unit_test(two_balls_exchange_velocities_or_go_on_together),
        cmocka_unit_test(in_a_row_with_gaps_the_last_ball_goes_on_alone),
        cmocka_unit_test(in_a_row_without_gaps_newton_s_law_holds_at_each_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
