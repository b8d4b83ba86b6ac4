/* SPDX-License-Identifier: MIT */
/* How bodies turn: the three updates of poses (seed 001, position update) in closed form, Euler's
 * equations by Jacobi's elliptic functions (Landau and Lifshitz, Mechanics, 37), rotations that
 * stay rotations. */
#include <math.h>
#include <string.h>

#include "motion.h"

enum { INTEGRATORS = SADDLE_INTEGRATOR_BRIDSON_MARINO + 1 };

/* Half a radian a step about one axis: exponential and finite turn by h omega, infinitesimal by 2
 * atan(h omega/2). */
static void each_update_turns_by_its_closed_form(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.2, 0.2, 0.2}, twist[6] = {0, 0, 0, 0, 0, 50};
    for (int k = 0; k < INTEGRATORS; k++) {
        for (int update = SADDLE_ROTATION_UPDATE_EXPONENTIAL;
             update <= SADDLE_ROTATION_UPDATE_INFINITESIMAL; update++) {
            motion scene;
            motion_begin(&scene, NULL, NULL);
            scene.options.integrator = (saddle_integrator)k;
            scene.options.rotation = (saddle_rotation_update)update;
            const saddle_handle body = motion_body(&scene, moments, NULL, NULL, twist);
            motion_run(&scene, 40);
            const double each = update == SADDLE_ROTATION_UPDATE_INFINITESIMAL ? 2 * atan(0.25)
                                                                               : 0.5;
            const double *R = saddle_model_pose(scene.model, body)->R;
            assert_true(hypot(R[0] - cos(40 * each), R[1] - sin(40 * each)) < 1e-12);
            motion_end(&scene);
        }
    }
}

/* sn, cn, dn of u with modulus k: descending Landen transformations (Abramowitz and Stegun,
 * 16.4). */
static void jacobi(double u, double k, double *sn, double *cn, double *dn)
{
    enum { STEPS = 12 };
    double a[STEPS], c[STEPS], b = sqrt(1 - k * k);
    a[0] = 1;
    c[0] = k;
    for (int n = 1; n < STEPS; n++) {
        a[n] = (a[n - 1] + b) / 2;
        c[n] = (a[n - 1] - b) / 2;
        b = sqrt(a[n - 1] * b);
    }
    double phi = ldexp(a[STEPS - 1] * u, STEPS - 1);
    for (int n = STEPS - 1; n > 0; n--) phi = (phi + asin(c[n] / a[n] * sin(phi))) / 2;
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1 - k * k * *sn * *sn);
}

/* omega (3) at t, of a body with moments I1 < I2 < I3 that begins with omega = (w1, 0, w3), |L|^2 >
 * 2 E I2. */
static void tumbling(const double *I, double w1, double w3, double t, double *omega)
{
    const double E2 = I[0] * w1 * w1 + I[2] * w3 * w3,
                 L2 = I[0] * I[0] * w1 * w1 + I[2] * I[2] * w3 * w3;
    const double rate = sqrt((I[2] - I[1]) * (L2 - E2 * I[0]) / (I[0] * I[1] * I[2]));
    const double k2 = (I[1] - I[0]) * (E2 * I[2] - L2) / ((I[2] - I[1]) * (L2 - E2 * I[0]));
    double sn, cn, dn;
    jacobi(rate * t, sqrt(k2), &sn, &cn, &dn);
    omega[0] = w1 * cn;
    omega[1] = sqrt((E2 * I[2] - L2) / (I[1] * (I[2] - I[1]))) * sn;
    omega[2] = w3 * dn;
}

static void any_body_tumbles_as_jacobi_says(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.1, 0.2, 0.25}, center[3] = {0.3, -0.2, 0.1};
    for (int k = 0; k < INTEGRATORS; k++) {
        for (int update = SADDLE_ROTATION_UPDATE_EXPONENTIAL;
             update <= SADDLE_ROTATION_UPDATE_INFINITESIMAL; update++) {
            double error[2], exact[3];
            for (int fine = 0; fine < 2; fine++) {
                /* turning about the centre of mass, which stands still */
                const double w1 = 2, w3 = 5;
                const double twist[6] = {-(0 * center[2] - w3 * center[1]),
                                         -(w3 * center[0] - w1 * center[2]),
                                         -(w1 * center[1] - 0 * center[0]),
                                         w1,
                                         0,
                                         w3};
                motion scene;
                motion_begin(&scene, NULL, NULL);
                scene.options.integrator = (saddle_integrator)k;
                scene.options.rotation = (saddle_rotation_update)update;
                scene.options.time_step = fine ? 0.0025 : 0.005;
                const saddle_handle body = motion_body(&scene, moments, center, NULL, twist);
                motion_run(&scene, fine ? 800 : 400);
                tumbling(moments, w1, w3, 2, exact);
                error[fine] = test_distance(saddle_model_velocity(scene.model, body) + 3, exact, 3);
                motion_end(&scene);
            }
            print_message("    %s, update %d: error %.2g, order %.2f\n",
                          saddle_integrator_word((saddle_integrator)k), update, error[1],
                          motion_order(error[0], error[1]));
            assert_true(error[1] < 5e-4);
            assert_true(fabs(motion_order(error[0], error[1]) - 2) < 0.1);
        }
    }
}

static void rotations_stay_rotations(void **unused)
{
    (void)unused;
    static const double moments[3] = {0.1, 0.2, 0.25}, twist[6] = {0, 0, 0, 3, 20, 5};
    for (int update = SADDLE_ROTATION_UPDATE_EXPONENTIAL;
         update <= SADDLE_ROTATION_UPDATE_INFINITESIMAL; update++) {
        motion scene;
        motion_begin(&scene, NULL, NULL);
        scene.options.rotation = (saddle_rotation_update)update;
        const saddle_handle body = motion_body(&scene, moments, NULL, NULL, twist);
        motion_run(&scene, 50000);
        const double *R = saddle_model_pose(scene.model, body)->R;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                const double *a = R + 3 * i, *b = R + 3 * j;
                assert_true(fabs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] - (i == j)) < 1e-14);
            }
        }
        motion_end(&scene);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_update_turns_by_its_closed_form),
        cmocka_unit_test(any_body_tumbles_as_jacobi_says),
        cmocka_unit_test(rotations_stay_rotations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
