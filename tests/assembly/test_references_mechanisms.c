/* SPDX-License-Identifier: MIT */
/* Published motions of two mechanisms, from bodies and joints: a double four-bar linkage and a
 * heavy top, by runs of h, h/2 and h/4 and what these tend to. */
#include <math.h>
#include <string.h>

#include "references.h"

static const saddle_handle ground = {0};

/* ---- the double four-bar linkage ---- */

/* Three rods hinged to the ground and two that couple their heads, all of 1 m and 1 kg, upright,
 * the heads at 1 m/s to the right (IFToMM, benchmark A02, N = 2).  Five bodies that move in one way
 * are held by 35 rows, 29 of which count, and fewer where all rods lie on one line: the motion goes
 * through there twice a turn.  Exact: 3 d2phi/dt2 = -3.5 g cos phi. */

enum { RODS = 3, COUPLERS = 2, TIMES = 4, HEADS = 2 * TIMES };

typedef struct linkage {
    motion scene;
    saddle_handle rod[RODS], coupler[COUPLERS];
} linkage;

/* From x, y upright, or to the right. */
static saddle_handle add_rod(linkage *l, double x, double y, int lies, const double *twist)
{
    static const double slim = 1e-3, slender = 1.0 / 12;
    const double center[3] = {lies ? 0.5 : 0, lies ? 0 : 0.5, 0};
    const double moments[3] = {lies ? slim : slender, lies ? slender : slim, slender};
    saddle_pose pose = saddle_pose_identity();
    pose.p[0] = x;
    pose.p[1] = y;
    return motion_body(&l->scene, moments, center, &pose, twist);
}

static void begin_linkage(linkage *l)
{
    static const double weight[3] = {0, -9.81, 0}, falls[6] = {0, 0, 0, 0, 0, -1}, slides[6] = {1},
                        axis[3] = {0, 0, 1};
    motion_begin(&l->scene, NULL, weight);
    for (int k = 0; k < RODS; k++) l->rod[k] = add_rod(l, k, 0, 0, falls);
    for (int k = 0; k < COUPLERS; k++) l->coupler[k] = add_rod(l, k, 1, 1, slides);
    for (int k = 0; k < RODS; k++) {
        const double foot[3] = {k, 0, 0}, head[3] = {k, 1, 0};
        (void)motion_hinge(&l->scene, ground, l->rod[k], foot, axis);
        if (k > 0) (void)motion_hinge(&l->scene, l->rod[k], l->coupler[k - 1], head, axis);
        if (k < COUPLERS) (void)motion_hinge(&l->scene, l->rod[k], l->coupler[k], head, axis);
    }
}

/* The first rod's head at the four times. */
static void swing(int64_t steps_a_second, double *heads)
{
    static const int64_t seconds[TIMES] = {1, 1, 3, 5}; /* between them */
    static const double head[3] = {0, 1, 0};
    linkage l;
    begin_linkage(&l);
    l.scene.options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    l.scene.options.projection = 2;
    l.scene.options.time_step = 1 / (double)steps_a_second;
    for (int k = 0; k < TIMES; k++) {
        double x[3];
        motion_run(&l.scene, seconds[k] * steps_a_second);
        assert_true(saddle_stepper_report(l.scene.stepper)->drift < 1e-12);
        saddle_pose_point(saddle_model_pose(l.scene.model, l.rod[0]), head, x);
        memcpy(heads + 2 * k, x, 2 * sizeof *heads);
    }
    assert_int_equal(saddle_stepper_report(l.scene.stepper)->m, 35);
    motion_end(&l.scene);
}

static void the_double_four_bar_moves_as_published_through_its_singular_positions(void **unused)
{
    (void)unused;
    static const char *const names[TIMES] = {"B0_1", "B0_2", "B0_5", "B0_10"};
    static const double within[TIMES] = {1e-10, 1e-10, 1e-8, 2e-8};
    double wanted[HEADS], heads[3][HEADS];
    if (test_is_slow()) { /* the same steps, fewer of them */
        swing(100, heads[0]);
        return;
    }
    for (int k = 0; k < TIMES; k++)
        reference_numbers("double_four_bar", names[k], 2, wanted + 2 * k);
    for (int fine = 0; fine < 3; fine++) swing(INT64_C(500) << fine, heads[fine]);
    for (int k = 0; k < TIMES; k++) {
        const double *there = wanted + 2 * k;
        const double coarse = reference_error(heads[1] + 2 * k, there, 2),
                     fine = reference_error(heads[2] + 2 * k, there, 2);
        double limit[2] = {heads[2][2 * k], heads[2][2 * k + 1]};
        reference_extrapolate(heads[0] + 2 * k, heads[1] + 2 * k, limit, 2);
        const double left = reference_error(limit, there, 2);
        print_message("    double four-bar, %s: error %.2g, order %.2f, extrapolated %.2g\n",
                      names[k], fine, motion_order(coarse, fine), left);
        assert_true(motion_order(coarse, fine) > 1.9);
        assert_true(left < within[k]);
    }
}

/* ---- the heavy top ---- */

/* A disc on an arm of 1 m, held in the arm's end, that spins at 150 rad/s (Exudyn's verification
 * has it by Runge-Kutta). */

enum { MOMENTS = 3, SPUN = 7 };

typedef struct constants {        /* of the motion: known from its beginning */
    double energy, upright, spin; /* [J], moment about the vertical [N m s], about the arm
                                     [rad/s] */
} constants;

static constants read_constants(motion *scene, saddle_handle top)
{
    const saddle_energies energies = saddle_model_energies(scene->model);
    return (constants){energies.kinetic + energies.gravity, energies.moment[2],
                       saddle_model_velocity(scene->model, top)[4]};
}

static saddle_handle add_top(motion *scene)
{
    static const double fixed[3] = {0};
    saddle_body_def def = saddle_body_def_default();
    def.inertia = (saddle_body_inertia){15,
                                        {0, 1, 0},
                                        {0.234375, 0, 0, 0, 0.46875, 0, 0, 0, 0.234375}};
    def.twist[4] = 150;
    def.twist[5] = -4.61538;
    saddle_handle top;
    assert_int_equal(saddle_model_add_body(scene->model, &def, &top), SADDLE_OK);
    (void)motion_ball(scene, ground, top, fixed);
    return top;
}

/* Quaternion and centre of mass at the three moments; what should have stayed at the end. */
static constants spin(saddle_integrator integrator, int64_t steps_a_second, double *state)
{
    static const int64_t hundredths[MOMENTS] = {1, 19, 80}; /* between them */
    static const double weight[3] = {0, 0, -9.81}, center[3] = {0, 1, 0};
    motion scene;
    motion_begin(&scene, NULL, weight);
    const saddle_handle top = add_top(&scene);
    scene.options.integrator = integrator;
    scene.options.projection = 1;
    scene.options.time_step = 1 / (double)steps_a_second;
    for (int k = 0; k < MOMENTS; k++) {
        motion_run(&scene, hundredths[k] * steps_a_second / 100);
        const saddle_pose *pose = saddle_model_pose(scene.model, top);
        saddle_quaternion_from_matrix(pose->R, state + SPUN * k);
        saddle_pose_point(pose, center, state + SPUN * k + 4);
    }
    const constants left = read_constants(&scene, top);
    motion_end(&scene);
    return left;
}

/* A quaternion and its opposite are one rotation. */
static void choose_sign(const double *wanted, double *q)
{
    double along = 0;
    for (int i = 0; i < 4; i++) along += wanted[i] * q[i];
    for (int i = 0; i < 4 && along < 0; i++) q[i] = -q[i];
}

static void read_top(double *wanted)
{
    static const char *const problem = "heavy_top";
    reference_numbers(problem, "own_ep_0.01", 4, wanted);
    reference_numbers(problem, "own_ep_0.2", 4, wanted + SPUN);
    reference_numbers(problem, "own_ep_1", 4, wanted + 2 * SPUN);
    reference_numbers(problem, "own_com_0.2", 3, wanted + SPUN + 4);
    reference_numbers(problem, "own_com_1", 3, wanted + 2 * SPUN + 4);
}

/* T + V = 1/2 omega'J omega at z = 0, J about the fixed point; (J omega)_z; omega_y. */
static void expect_constants(constants left)
{
    const double J = 0.234375 + 15, omega = -4.61538;
    const double energy = (0.46875 * 150 * 150 + J * omega * omega) / 2;
    print_message(
        "    heavy top: energy %+.2g, moment about the vertical %+.2g, spin %+.2g of themselves\n",
        left.energy / energy - 1, left.upright / (J * omega) - 1, left.spin / 150 - 1);
    assert_true(fabs(left.energy / energy - 1) < 1e-6);
    assert_true(fabs(left.upright / (J * omega) - 1) < 1e-6);
    assert_true(fabs(left.spin / 150 - 1) < 1e-8);
}

static void expect_top(saddle_integrator integrator)
{
    double wanted[MOMENTS * SPUN] = {0}, state[3][MOMENTS * SPUN], exudyn[4];
    read_top(wanted);
    reference_numbers("heavy_top", "exudyn_ep_0.2", 4, exudyn);
    constants left = {0};
    if (test_is_slow()) {
        (void)spin(integrator, 1000, state[0]);
        return;
    }
    for (int fine = 0; fine < 3; fine++) {
        left = spin(integrator, INT64_C(5000) << fine, state[fine]);
        for (int k = 0; k < MOMENTS; k++) choose_sign(wanted + SPUN * k, state[fine] + SPUN * k);
    }
    for (int k = 0; k < MOMENTS; k++) {
        const double *there = wanted + SPUN * k;
        const int count = k == 0 ? 4 : SPUN; /* where the centre is at the first is not told */
        double limit[SPUN];
        memcpy(limit, state[2] + SPUN * k, sizeof limit);
        reference_extrapolate(state[0] + SPUN * k, state[1] + SPUN * k, limit, SPUN);
        const double coarse = reference_error(state[1] + SPUN * k, there, count);
        const double fine = reference_error(state[2] + SPUN * k, there, count),
                     error = reference_error(limit, there, count);
        print_message("    heavy top, %s: error %.2g, order %.2f, extrapolated %.2g\n",
                      saddle_integrator_word(integrator), fine, motion_order(coarse, fine), error);
        assert_true(fabs(motion_order(coarse, fine) - 2) < 0.2);
        assert_true(error < 1e-8); /* they have eight digits */
        if (k == 1) assert_true(reference_error(limit, exudyn, 4) < 1e-5);
    }
    expect_constants(left);
}

static void the_heavy_top_moves_as_published(void **unused)
{
    (void)unused;
    expect_top(SADDLE_INTEGRATOR_TRAPEZOIDAL);
    expect_top(SADDLE_INTEGRATOR_BRIDSON_MARINO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_double_four_bar_moves_as_published_through_its_singular_positions),
        cmocka_unit_test(the_heavy_top_moves_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
