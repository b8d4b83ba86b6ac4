/* SPDX-License-Identifier: MIT */
/* Joints in motion: errors that decay, motors, limits, servos, friction, prescribed motion, against
 * closed forms. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "linkage.h"
#include "model_internal.h"
#include "space/space.h"

static const double h = 0.01;

/* ---- a body on a hinge about z ---- */

typedef struct spinner {
    saddle_model *model;
    saddle_handle body, joint;
    double inertia; /* about z */
    saddle_stepper *stepper;
} spinner;

/* kind: a hinge, or a slider along z (then inertia is the mass); mass 3 kg, centre at `arm` along
 * x; speed: of q. */
static spinner begin(saddle_joint_kind kind, const saddle_joint_free *free, double arm,
                     double speed)
{
    spinner made = {0};
    const double sides[3] = {1, 2, 0.5};
    saddle_body_def body = saddle_body_def_default();
    assert_int_equal(saddle_model_create(NULL, &made.model), SADDLE_OK);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 3, &body.inertia),
                     SADDLE_OK);
    body.inertia.center[0] = arm;
    body.twist[kind == SADDLE_JOINT_SLIDER ? 2 : 5] = speed;
    assert_int_equal(saddle_model_add_body(made.model, &body, &made.body), SADDLE_OK);
    made.inertia = kind == SADDLE_JOINT_SLIDER ? 3 : 3 * ((1 + 4) / 12.0 + arm * arm);
    saddle_joint_def def = saddle_joint_def_default();
    def.kind = kind;
    def.b = made.body;
    def.free[0] = *free;
    assert_int_equal(saddle_model_add_joint(made.model, &def, &made.joint), SADDLE_OK);
    return made;
}

static void run(spinner *s, int steps, double *q, double *dq)
{
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = h;
    if (s->stepper == NULL)
        assert_int_equal(saddle_stepper_create(s->model, &options, &s->stepper), SADDLE_OK);
    for (int k = 0; k < steps; k++) assert_int_equal(saddle_stepper_step(s->stepper), SADDLE_OK);
    assert_int_equal(saddle_model_joint_coordinates(s->model, s->joint, q, dq), SADDLE_OK);
}

static void end(spinner *s)
{
    saddle_stepper_free(s->stepper);
    saddle_model_free(s->model);
}

/* ---- drift ---- */

/* With T = 5 h each step leaves 4/5 of every error; a correction of the wrong sign would make it
 * 6/5. */
static void errors_of_every_kind_decay_at_the_rate_they_are_told(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 36; trial++) {
        const saddle_joint_kind kind = (saddle_joint_kind)(trial % SADDLE_JOINT_CUSTOM);
        test_linkage linkage;
        double q[3], twist[6], phi[2][SADDLE_CONSTRAINT_ROWS_MAX],
            J[12 * SADDLE_CONSTRAINT_ROWS_MAX];
        for (int k = 0; k < 3; k++) q[k] = test_uniform(&state, -1, 1);
        const saddle_pose E = test_allowed_pose(kind, q, 0.4);
        test_linkage_begin(NULL, &state, kind, &E, trial % 2, &linkage);
        linkage.def.compliance.steps = 4;
        test_linkage_add(&linkage);
        for (int k = 0; k < 2; k++) {
            const saddle_handle parts[2] = {linkage.def.a, linkage.def.b};
            double *v = saddle_model_velocity(linkage.model, parts[k]);
            for (int i = 0; v != NULL && i < 6; i++) v[i] = 0;
        }
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(&state, -1e-3, 1e-3);
        test_linkage_shift(&linkage, twist);
        saddle_stepper_options options = saddle_stepper_options_default();
        saddle_stepper *stepper = NULL;
        options.time_step = h;
        assert_int_equal(saddle_stepper_create(linkage.model, &options, &stepper), SADDLE_OK);
        const int64_t rows = test_linkage_rows(&linkage, phi[0], J);
        for (int step = 1; step <= 40; step++) {
            double *before = phi[(step + 1) % 2], *after = phi[step % 2];
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            test_linkage_rows(&linkage, after, J);
            for (int64_t i = 0; i < rows; i++) assert_true(fabs(after[i] - 0.8 * before[i]) < 1e-5);
        }
        for (int64_t i = 0; i < rows; i++) assert_true(fabs(phi[0][i]) < 1e-6);
        saddle_stepper_free(stepper);
        test_linkage_end(&linkage);
    }
}

/* ---- motors ---- */

static void a_motor_brings_its_coordinate_to_speed_with_what_strength_it_has(void **unused)
{
    (void)unused;
    const saddle_joint_kind kinds[2] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER};
    for (int trial = 0; trial < 4; trial++) {
        const double sign = trial / 2 ? -1 : 1;
        saddle_joint_free free = saddle_joint_free_default();
        free.motor = 1;
        free.motor_target = 2 * sign;
        free.motor_strength = 5;
        spinner s = begin(kinds[trial % 2], &free, 0, 0);
        double q = 0, dq = 0, way = 0;
        for (int step = 1; step <= 300; step++) {
            run(&s, 1, &q, &dq);
            const double expected = sign * fmin(2, 5 / s.inertia * h * step);
            way += h * expected;
            assert_true(fabs(dq - expected) < 1e-9);
            assert_true(fabs(q - way) < 1e-8);
        }
        assert_true(fabs(dq - 2 * sign) < 1e-9);
        end(&s);
    }
}

/* ---- limits ---- */

static void a_limit_stops_or_throws_back_by_its_restitution(void **unused)
{
    (void)unused;
    const saddle_joint_kind kinds[2] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER};
    const double restitution[3] = {0, 0.5, 1};
    for (int trial = 0; trial < 12; trial++) {
        const double sign = trial / 6 ? -1 : 1, e = restitution[trial / 2 % 3],
                     limit = 0.505 * sign;
        saddle_joint_free free = saddle_joint_free_default();
        free.limit_restitution = e;
        if (sign > 0)
            free.hi = limit;
        else
            free.lo = limit;
        spinner s = begin(kinds[trial % 2], &free, 0, 2 * sign);
        double q, dq;
        run(&s, 25, &q, &dq);
        assert_true(fabs(q - 0.5 * sign) < 1e-9 && fabs(dq - 2 * sign) < 1e-9);
        run(&s, 10, &q, &dq);
        assert_true(fabs(dq + 2 * sign * e) < 1e-7);
        assert_true((q - limit) * sign < 1e-9);
        if (e == 0) assert_true(fabs(q - limit) < 1e-7);
        end(&s);
    }
}

/* 9 rad is more than a turn: the limit counts. */
static void a_hinge_stops_at_a_limit_beyond_a_turn(void **unused)
{
    (void)unused;
    saddle_joint_free free = saddle_joint_free_default();
    free.hi = 9;
    spinner s = begin(SADDLE_JOINT_HINGE, &free, 0, 6);
    double q, dq;
    run(&s, 140, &q, &dq);
    assert_true(fabs(q - 8.4) < 1e-9 && fabs(dq - 6) < 1e-9);
    run(&s, 60, &q, &dq);
    assert_true(fabs(q - 9) < 1e-7 && fabs(dq) < 1e-7);
    end(&s);
}

/* Thrown in pitch; roll and yaw are free, the limit is on the second angle alone. */
static void limits_on_a_balls_pitch_stop_its_pitch(void **unused)
{
    (void)unused;
    spinner s = {0};
    const double sides[3] = {1, 2, 0.5};
    saddle_body_def body = saddle_body_def_default();
    assert_int_equal(saddle_model_create(NULL, &s.model), SADDLE_OK);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 3, &body.inertia),
                     SADDLE_OK);
    body.twist[3] = 0.3;
    body.twist[4] = 1;
    assert_int_equal(saddle_model_add_body(s.model, &body, &s.body), SADDLE_OK);
    saddle_joint_def def = saddle_joint_def_default();
    def.kind = SADDLE_JOINT_BALL;
    def.b = s.body;
    def.free[1].hi = 0.5;
    assert_int_equal(saddle_model_add_joint(s.model, &def, &s.joint), SADDLE_OK);
    double q[3], dq[3], largest = 0;
    for (int step = 0; step < 150; step++) {
        run(&s, 1, q, dq);
        largest = fmax(largest, q[1]);
    }
    assert_true(largest < 0.5 + 1e-4 && largest > 0.5 - 1e-4);
    end(&s);
}

/* ---- servos and friction ---- */

/* 3 kg on an arm of 0.4 m across gravity along -y: 11.772 N m. */
static void a_servo_holds_what_it_has_the_strength_for(void **unused)
{
    (void)unused;
    const double gravity[3] = {0, -9.81, 0}, load = 3 * 9.81 * 0.4;
    for (int strong = 0; strong < 2; strong++) {
        saddle_joint_free free = saddle_joint_free_default();
        free.servo = 1;
        free.servo_strength = load * (strong ? 1.01 : 0.75);
        spinner s = begin(SADDLE_JOINT_HINGE, &free, 0.4, 0);
        saddle_model_set_gravity(s.model, gravity);
        double q, dq;
        run(&s, 1, &q, &dq);
        if (strong)
            assert_true(fabs(dq) < 1e-12);
        else
            assert_true(fabs(dq + h * 0.25 * load / s.inertia) < 1e-10);
        run(&s, 50, &q, &dq);
        if (strong)
            assert_true(fabs(q) < 1e-10);
        else
            assert_true(q < -0.1);
        end(&s);
    }
}

/* Weak at first it lags; it arrives and stays. */
static void a_servo_goes_where_it_is_sent(void **unused)
{
    (void)unused;
    saddle_joint_free free = saddle_joint_free_default();
    free.servo = 1;
    free.servo_position = 0.6;
    free.servo_compliance.steps = 9;
    spinner s = begin(SADDLE_JOINT_HINGE, &free, 0, 0);
    double q, dq;
    run(&s, 1, &q, &dq);
    assert_true(fabs(q - 0.06) < 1e-12); /* a tenth of the way in each step */
    run(&s, 400, &q, &dq);
    assert_true(fabs(q - 0.6) < 1e-12);
    saddle_model_joint(s.model, s.joint)->free[0].servo_position = -0.4;
    assert_int_equal(saddle_model_joint_changed(s.model, s.joint), SADDLE_OK);
    run(&s, 1, &q, &dq);
    assert_true(fabs(q - 0.5) < 1e-12);
    end(&s);
}

static void a_servo_that_moves_with_time_is_where_it_is_prescribed(void **unused)
{
    (void)unused;
    saddle_joint_free free = saddle_joint_free_default();
    free.servo = 1;
    free.servo_position = 0.2;
    free.servo_velocity = -3;
    spinner s = begin(SADDLE_JOINT_HINGE, &free, 0.3, 0);
    const double gravity[3] = {0, -9.81, 0};
    saddle_model_set_gravity(s.model, gravity);
    double q, dq;
    for (int step = 1; step <= 500; step++) {
        run(&s, 1, &q, &dq);
        assert_true(fabs(q - (0.2 - 3 * h * step)) < 1e-9);
        if (step > 1) assert_true(fabs(dq + 3) < 1e-7);
    }
    end(&s);
}

static void friction_slows_down_evenly_and_then_holds(void **unused)
{
    (void)unused;
    const saddle_joint_kind kinds[2] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER};
    for (int trial = 0; trial < 4; trial++) {
        const double sign = trial / 2 ? -1 : 1;
        saddle_joint_free free = saddle_joint_free_default();
        free.friction = 2;
        spinner s = begin(kinds[trial % 2], &free, 0, sign);
        double q, dq;
        for (int step = 1; step <= 200; step++) {
            run(&s, 1, &q, &dq);
            assert_true(fabs(dq - sign * fmax(0, 1 - 2 / s.inertia * h * step)) < 1e-9);
        }
        const int axis = trial % 2 ? 2 : 5;
        const double pushes[2] = {1.5, 3}, expected[2] = {0, h * 1 / s.inertia};
        for (int k = 0; k < 2; k++) {
            double force[6] = {0};
            force[axis] = pushes[k];
            assert_int_equal(saddle_model_push(s.model, s.body, force), SADDLE_OK);
            run(&s, 1, &q, &dq);
            assert_true(fabs(dq - expected[k]) < 1e-10);
        }
        end(&s);
    }
}

/* ---- prescribed as a function of time, by the host ---- */

/* theta(t) = 0.7 sin 4t of a body about the world's z: phi_t = -theta'(t) (seed 004: rheonomic
 * constraints). */
static saddle_status swing(saddle_context *context, const saddle_site *site,
                           saddle_constraint_values *values)
{
    const double *R = site->position[0] + 3;
    (void)context;
    values->phi[0] = atan2(R[1], R[0]) - 0.7 * sin(4 * site->time);
    values->rate[0] = -2.8 * cos(4 * site->time);
    values->J[0][5] = 1; /* the body's z is the world's */
    return SADDLE_OK;
}

static void a_prescribed_angle_is_followed_to_the_second_order_of_the_step(void **unused)
{
    (void)unused;
    static const saddle_constraint_type type = {.name = "swing", .evaluate = swing};
    const saddle_joint_free free = saddle_joint_free_default();
    spinner s = begin(SADDLE_JOINT_HINGE, &free, 0.3, 2.8);
    const saddle_anchor anchor = {s.body, 0};
    const saddle_constraint_def def = {
        .name = "crank", .type = &type, .count = 1, .anchors = &anchor, .rows = 1};
    saddle_handle crank;
    assert_int_equal(saddle_model_add_constraint(s.model, &def, &crank), SADDLE_OK);
    double q, dq;
    for (int step = 1; step <= 300; step++) {
        run(&s, 1, &q, &dq);
        /* what is left is theta'' h^2/2 of the step, all before it is taken out */
        assert_true(fabs(q - 0.7 * sin(4 * h * step)) < 1.05 * 0.7 * 16 * h * h / 2);
    }
    end(&s);
}

/* ---- the reach cone of seed 001 ---- */

/* C(q) = a . b - cos 0.6 >= 0, a the world's -y, b the body's -y: how far a ball may swing.  Data:
 * cos 0.6. */
static saddle_status cone(saddle_context *context, const saddle_site *site,
                          saddle_constraint_values *values)
{
    const double *R = site->position[0] + 3, *cosine = site->data;
    const double a[3] = {0, -1, 0}, b[3] = {0, -1, 0};
    double local[3], gradient[3];
    (void)context;
    saddle__unrotate(R, a, local);
    values->phi[0] = saddle__dot(local, b) - *cosine;
    saddle__cross(b, local, gradient); /* d(R b) = R (d x b); a . R (d x b) = d . (b x R'a) */
    for (int i = 0; i < 3; i++) values->J[0][3 + i] = gradient[i];
    return SADDLE_OK;
}

static void a_ball_stays_within_its_reach_cone(void **unused)
{
    (void)unused;
    static const saddle_constraint_type type = {.name = "reach cone", .evaluate = cone};
    const double gravity[3] = {0, -9.81, 0}, sides[3] = {0.2, 1, 0.1}, cosine = cos(0.6);
    spinner s = {0};
    saddle_body_def body = saddle_body_def_default();
    assert_int_equal(saddle_model_create(NULL, &s.model), SADDLE_OK);
    saddle_model_set_gravity(s.model, gravity);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 3, &body.inertia),
                     SADDLE_OK);
    body.inertia.center[1] = -0.5;
    const double twist[6] = {0, 0, 0, 3, 1, 4};
    memcpy(body.twist, twist, sizeof twist);
    assert_int_equal(saddle_model_add_body(s.model, &body, &s.body), SADDLE_OK);
    saddle_joint_def def = saddle_joint_def_default();
    def.kind = SADDLE_JOINT_BALL;
    def.b = s.body;
    assert_int_equal(saddle_model_add_joint(s.model, &def, &s.joint), SADDLE_OK);
    const saddle_anchor anchor = {s.body, 0};
    const saddle_row_def row = {.purpose = SADDLE_PURPOSE_LIMIT};
    const saddle_constraint_def reach = {.name = "reach",
                                         .type = &type,
                                         .count = 1,
                                         .anchors = &anchor,
                                         .rows = 1,
                                         .row = &row,
                                         .data = &cosine,
                                         .bytes = sizeof cosine};
    saddle_handle limit;
    assert_int_equal(saddle_model_add_constraint(s.model, &reach, &limit), SADDLE_OK);
    uint64_t state = test_seed();
    test_errors errors;
    double least = 1, most = -1, q[3], dq[3];
    for (int step = 0; step < 400; step++) {
        if (step % 50 == 7) {
            test_site site;
            test_site_of(s.model, 1, &anchor, &cosine, &site);
            assert_int_equal(test_constraint_errors(&type, &site, 1, &state, &errors), SADDLE_OK);
            assert_true(errors.J < 1e-11);
        }
        run(&s, 1, q, dq);
        double C;
        assert_int_equal(saddle_model_constraint_evaluate(s.model, limit, &C, NULL, NULL),
                         SADDLE_OK);
        least = fmin(least, C);
        most = fmax(most, C);
    }
    assert_true(least > -2e-3 && least < 1e-4);
    assert_true(most > 0.05);
    end(&s);
}

/* ---- springs, pins ---- */

/* The trapezoidal rule keeps the energy of a linear oscillator: a wheel on a torsional spring,
 * through more than a turn. */
static void a_torsional_oscillator_keeps_its_energy_with_the_trapezoidal_rule(void **unused)
{
    (void)unused;
    const saddle_joint_free free = saddle_joint_free_default();
    spinner s = begin(SADDLE_JOINT_HINGE, &free, 0, 0);
    const saddle_joint_spring spring = {.stiffness = 2, .rest = 8};
    saddle_handle force;
    assert_int_equal(saddle_model_add_joint_spring(s.model, "clock", s.joint, 0, &spring, &force),
                     SADDLE_OK);
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = h;
    options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    assert_int_equal(saddle_stepper_create(s.model, &options, &s.stepper), SADDLE_OK);
    double q = 0, dq = 0, farthest = 0;
    for (int step = 0; step < 600; step++) {
        run(&s, 1, &q, &dq);
        farthest = fmax(farthest, q);
        const saddle_energies energies = saddle_model_energies(s.model);
        assert_true(fabs(energies.kinetic + energies.elastic - 64) < 1e-7);
    }
    assert_true(farthest > 15.9 && farthest < 16 + 1e-6);
    end(&s);
}

/* A particle pinned to a spinning body goes round with it; one pinned to a moving place moves with
 * that. */
static void pins_hold_particles_to_bodies_and_to_moving_places(void **unused)
{
    (void)unused;
    const saddle_joint_free free = saddle_joint_free_default();
    spinner s = begin(SADDLE_JOINT_HINGE, &free, 0, 1.5);
    const saddle_particle_def bob = {.mass = 0.5,
                                     .position = {0.4, 0.3, 0},
                                     .velocity = {-0.45, 0.6, 0}},
                              cart = {.mass = 2};
    saddle_anchor anchors[2] = {{.node = 0}, {s.body, 0}}, moved = {.node = 0};
    const double weights[2] = {1, -1}, points[6] = {0, 0, 0, 0.4, 0.3, 0};
    assert_int_equal(saddle_model_add_particle(s.model, &bob, &anchors[0].part), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(s.model, &cart, &moved.part), SADDLE_OK);
    saddle_pin_def def = saddle_pin_def_default();
    def.count = 2;
    def.anchors = anchors;
    def.weights = weights;
    def.points = points;
    saddle_handle pin;
    assert_int_equal(saddle_model_add_pin(s.model, &def, &pin), SADDLE_OK);
    saddle_pin_def drag = saddle_pin_def_default();
    drag.count = 1;
    drag.anchors = &moved;
    drag.weights = weights;
    drag.velocity[0] = 2;
    assert_int_equal(saddle_model_add_pin(s.model, &drag, &pin), SADDLE_OK);
    double q, dq;
    for (int step = 1; step <= 300; step++) {
        run(&s, 1, &q, &dq);
        const double *x = saddle_model_position(s.model, anchors[0].part);
        const double expected[3] = {0.4 * cos(q) - 0.3 * sin(q), 0.4 * sin(q) + 0.3 * cos(q), 0};
        assert_true(test_distance(x, expected, 3) < 2e-4); /* h^2 omega^2/2 of half a metre:
                                                              5.6e-5 */
        assert_true(fabs(saddle_model_position(s.model, moved.part)[0] - 2 * h * step) < 1e-12);
    }
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_every_kind_decay_at_the_rate_they_are_told),
        cmocka_unit_test(a_motor_brings_its_coordinate_to_speed_with_what_strength_it_has),
        cmocka_unit_test(a_limit_stops_or_throws_back_by_its_restitution),
        cmocka_unit_test(a_hinge_stops_at_a_limit_beyond_a_turn),
        cmocka_unit_test(limits_on_a_balls_pitch_stop_its_pitch),
        cmocka_unit_test(a_servo_holds_what_it_has_the_strength_for),
        cmocka_unit_test(a_servo_goes_where_it_is_sent),
        cmocka_unit_test(a_servo_that_moves_with_time_is_where_it_is_prescribed),
        cmocka_unit_test(friction_slows_down_evenly_and_then_holds),
        cmocka_unit_test(a_prescribed_angle_is_followed_to_the_second_order_of_the_step),
        cmocka_unit_test(a_ball_stays_within_its_reach_cone),
        cmocka_unit_test(a_torsional_oscillator_keeps_its_energy_with_the_trapezoidal_rule),
        cmocka_unit_test(pins_hold_particles_to_bodies_and_to_moving_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
