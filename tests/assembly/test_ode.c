/* SPDX-License-Identifier: MIT */
/* Models as ordinary differential equations: against an integrator of fourth order and closed
 * forms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "saddle/joint.h"
#include "saddle/joint_coordinates.h"
#include "saddle/ode.h"
#include "saddle/rotation.h"
#include "saddle/scene.h"
#include "support.h"

#define BEGIN "{\"format\": \"saddle-scene\", \"version\": 1, \"gravity\": [0, 0, -9.81],\n"

static const char pendulum[] = BEGIN
    "\"bodies\": [{\"name\": \"a\", \"shape\": \"box\", \"size\": [1, 0.1, 0.2], \"mass\": 2, "
    "\"position\": [0.5, 0, 0]}, {\"name\": \"b\", \"shape\": \"box\", \"size\": [1, 0.1, 0.2], "
    "\"mass\": 1, \"position\": [1.5, 0, 0]}],\n\"joints\": [{\"name\": \"p\", \"kind\": "
    "\"hinge\", \"b\": \"a\", \"axis\": [0, 1, 0]}, {\"name\": \"q\", \"kind\": \"hinge\", \"a\": "
    "\"a\", \"b\": \"b\", \"at\": [1, 0, 0], \"axis\": [0, 1, 0]}]}";

typedef struct pair {
    saddle_scene scene;
    saddle_ode *ode;
    int64_t size;
    double *y;
} pair;

static void begin(saddle_context *context, const char *text, pair *p)
{
    assert_int_equal(saddle_scene_read_text(context, text, (int64_t)strlen(text), NULL, NULL,
                                            &p->scene),
                     SADDLE_OK);
    assert_int_equal(saddle_ode_create(p->scene.model, &p->ode), SADDLE_OK);
    p->size = saddle_ode_size(p->ode);
    p->y = calloc((size_t)p->size, 6 * sizeof *p->y); /* y, four rates, and a place between */
    assert_non_null(p->y);
    saddle_ode_get(p->ode, p->y);
}

static void end(pair *p)
{
    free(p->y);
    saddle_ode_free(p->ode);
    saddle_scene_clear(&p->scene);
}

/* A step of the classical Runge-Kutta scheme. */
static void step(pair *p, double t, double h)
{
    const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double *rate[4], *between = p->y + 5 * p->size;
    for (int s = 0; s < 4; s++) {
        rate[s] = p->y + (s + 1) * p->size;
        for (int64_t i = 0; i < p->size; i++)
            between[i] = p->y[i] + (s == 0 ? 0 : share[s] * h * rate[s - 1][i]);
        assert_int_equal(saddle_ode_rates(p->ode, t + share[s] * h, between, rate[s]), SADDLE_OK);
    }
    for (int64_t i = 0; i < p->size; i++)
        for (int s = 0; s < 4; s++) p->y[i] += h / 6 * weight[s] * rate[s][i];
}

static double energy_of(pair *p, double t)
{
    assert_int_equal(saddle_ode_set(p->ode, t, p->y), SADDLE_OK);
    const saddle_energies e = saddle_model_energies(p->scene.model);
    return e.kinetic + e.gravity;
}

/* The error of energy falls by 2^4 or more with half of the step, as of the scheme. */
static void a_double_pendulum_keeps_its_energy_to_fourth_order(void **unused)
{
    (void)unused;
    double error[2];
    for (int k = 0; k < 2; k++) {
        pair p;
        begin(NULL, pendulum, &p);
        const int steps = k == 0 ? 200 : 400;
        const double start = energy_of(&p, 0);
        for (int s = 0; s < steps; s++) step(&p, s / (double)steps, 1.0 / steps);
        error[k] = fabs(energy_of(&p, 1) - start);
        double phi[5];
        for (int joint = 0; joint < 2; joint++) {
            saddle_model_constraint_evaluate(p.scene.model,
                                             saddle_model_find(p.scene.model, joint ? "q" : "p"),
                                             phi, NULL, NULL);
            for (int i = 0; i < 5; i++) assert_true(fabs(phi[i]) < 1e-6);
        }
        end(&p);
    }
    assert_true(error[0] < 1e-5 && error[1] < error[0] / 14);
}

/* Two equal rods from the level: theta'' of the first bodies in closed form.  Released level, the
 * accelerations follow from M q'' = weights with M of the double pendulum at q = 0. */
static void first_accelerations_are_those_of_the_closed_form(void **unused)
{
    (void)unused;
    pair p;
    begin(NULL, pendulum, &p);
    double *dy = p.y + p.size;
    assert_int_equal(saddle_ode_velocities(p.ode), 12);
    assert_int_equal(p.size, 2 * 7 + 12);
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, dy), SADDLE_OK);
    /* boxes of 1 x 0.1 x 0.2: J about y, absolute angles from x towards -z */
    const double Ja = 2 * (1 + 0.04) / 12, Jb = (1 + 0.04) / 12, g = 9.81;
    const double m11 = Ja + 2 * 0.25 + 1, m12 = 0.5, m22 = Jb + 0.25;
    const double f1 = g * (2 * 0.5 + 1), f2 = g * 0.5, det = m11 * m22 - m12 * m12;
    const double *v = dy + 2 * 7;
    assert_true(fabs(v[4] - (m22 * f1 - m12 * f2) / det) < 1e-10);
    assert_true(fabs(v[10] - (m11 * f2 - m12 * f1) / det) < 1e-10);
    for (int i = 0; i < 14; i++) assert_true(dy[i] == 0); /* at rest */
    end(&p);
}

/* A free body in 3D: x' of a drawn state against the motion of the poses by small times. */
static void position_rates_are_those_of_the_motion(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 20; draw++) {
        pair p;
        begin(NULL,
              BEGIN "\"bodies\": [{\"name\": \"a\", \"shape\": \"box\", \"size\": [1, 2, 3], "
                    "\"mass\": 2}], \"particles\": [{\"name\": \"b\", \"mass\": 1}, "
                    "{\"name\": \"c\", \"prescribed\": true, \"velocity\": [1, 2, 3]}]}",
              &p);
        assert_int_equal(p.size, 7 + 3 + 3 + 9);
        double *dy = p.y + p.size, moved[13], back[22];
        for (int64_t i = 0; i < p.size; i++) p.y[i] = test_uniform(&state, -1, 1);
        const int64_t body = saddle_model_part_at(p.scene.model, 0).item == SADDLE_ITEM_BODY ? 0
                                                                                             : 6;
        assert_int_equal(saddle_ode_set(p.ode, 0, p.y), SADDLE_OK);
        saddle_ode_get(p.ode, p.y); /* a unit quaternion */
        assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, dy), SADDLE_OK);
        for (int side = 0; side < 2; side++) {
            const double h = side == 0 ? -1e-5 : 1e-5;
            for (int64_t k = 0; k < 3; k++) {
                const saddle_handle part = saddle_model_part_at(p.scene.model, k);
                double *x = saddle_model_position(p.scene.model, part);
                const double *v = saddle_model_velocity(p.scene.model, part);
                double twist[6];
                if (part.item != SADDLE_ITEM_BODY) {
                    for (int i = 0; i < 3; i++) x[i] += h * v[i];
                    continue;
                }
                for (int i = 0; i < 6; i++) twist[i] = h * v[i];
                const saddle_pose by = saddle_pose_exp(twist);
                saddle_pose *pose = saddle_model_pose(p.scene.model, part);
                *pose = saddle_pose_multiply(pose, &by);
            }
            saddle_ode_get(p.ode, back);
            for (int i = 0; i < 13; i++) {
                if (side == 0) moved[i] = -back[i];
                if (side == 1) moved[i] += back[i];
            }
            assert_int_equal(saddle_ode_set(p.ode, 0, p.y), SADDLE_OK);
        }
        const double sign = p.y[body + 3] < 1e-3 ? 0 : 1; /* quaternions are of either sign */
        for (int i = 0; i < 13; i++) assert_true(sign * fabs(moved[i] / 2e-5 - dy[i]) < 1e-8);
        end(&p);
    }
}

/* A place of a removed part before others, and one used again: parts stand in order of adding. */
static void removed_parts_leave_no_numbers(void **unused)
{
    (void)unused;
    static const char text[] = BEGIN
        "\"particles\": [{\"name\": \"a\", \"mass\": 1}, {\"name\": \"b\", \"mass\": 1}, "
        "{\"name\": \"c\", \"mass\": 1, \"velocity\": [1, 2, 3]}]}";
    saddle_scene scene;
    saddle_handle body;
    saddle_body_def def = saddle_body_def_default();
    def.inertia.mass = 1;
    for (int i = 0; i < 9; i += 4) def.inertia.moment[i] = 1;
    def.twist[1] = 5;
    for (int again = 0; again < 2; again++) {
        saddle_ode *ode = NULL;
        double y[6 + 13] = {0}, dy[6 + 13], back[6 + 13];
        assert_int_equal(saddle_scene_read_text(NULL, text, sizeof text - 1, NULL, NULL, &scene),
                         SADDLE_OK);
        saddle_model *model = scene.model;
        assert_int_equal(saddle_model_remove(model, saddle_model_find(model, "a")), SADDLE_OK);
        if (again) {
            assert_int_equal(saddle_model_remove(model, saddle_model_find(model, "b")), SADDLE_OK);
            assert_int_equal(saddle_model_add_body(model, &def, &body), SADDLE_OK);
        }
        const int64_t x = again ? 3 + 7 : 3 + 3, size = again ? x + 9 : x + 6;
        assert_int_equal(saddle_ode_create(model, &ode), SADDLE_OK);
        assert_int_equal(saddle_ode_size(ode), size);
        saddle_ode_get(ode, y);
        assert_int_equal(saddle_ode_rates(ode, 0, y, dy), SADDLE_OK);
        const double *v = y + x, *dx = dy + (again ? 0 : 3); /* c is the first part, or the last */
        for (int i = 0; i < 3; i++) assert_true(dx[i] == i + 1);
        if (again) assert_true(v[1] == 2 && v[4] == 5 && dy[4] == 5);
        for (int i = 0; i < 6; i += 3) assert_true(fabs(dy[x + i + 2] + 9.81) < 1e-12);
        y[0] = 7;
        assert_int_equal(saddle_ode_set(ode, 0, y), SADDLE_OK);
        saddle_ode_get(ode, back);
        assert_memory_equal(back, y, (size_t)size * sizeof *y);
        saddle_ode_free(ode);
        saddle_scene_clear(&scene);
    }
}

static void equal_calls_give_equal_bits_and_nothing_allocates(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    pair p;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    begin(context, pendulum, &p);
    double *first = p.y + p.size, *again = p.y + 2 * p.size;
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, first), SADDLE_OK);
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, first), SADDLE_OK);
    const int64_t allocations = saddle_context_memory(context).allocations;
    for (int k = 0; k < 5; k++) {
        double *elsewhere = p.y + 3 * p.size;
        memcpy(elsewhere, p.y, (size_t)p.size * sizeof *p.y);
        elsewhere[p.size - 2] = k;
        assert_int_equal(saddle_ode_rates(p.ode, 1, elsewhere, again), SADDLE_OK);
    }
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, again), SADDLE_OK);
    assert_memory_equal(first, again, (size_t)p.size * sizeof *first);
    assert_int_equal(saddle_context_memory(context).allocations, allocations);
    end(&p);
    saddle_context_free(context);
}

/* y of a body on the motion at q with dq/dt = 0.7. */
static void set_along(const saddle_motion *motion, double q, double *y)
{
    saddle_pose Q;
    double S[6] = {0};
    assert_int_equal(motion->evaluate(motion->data, &q, &Q, S), 0);
    memcpy(y, Q.p, sizeof Q.p);
    saddle_quaternion_from_matrix(Q.R, y + 3);
    for (int i = 0; i < 6; i++) y[7 + i] = 0.7 * S[i];
}

/* A joint along a spline as rows: the same rates and forces after a way there and back, but for
 * rounding; the same bits after equal calls. */
static void rates_along_a_motion_do_not_depend_on_the_way(void **unused)
{
    (void)unused;
    enum { FRAMES = 12, WAY = 22, SIZE = 13, ROWS = 5 };
    saddle_pose frame[FRAMES];
    double difference[6 * FRAMES], y[SIZE], dy[3][SIZE], force[3][ROWS];
    const double gravity[3] = {1, -2, -9.81};
    const saddle_joint_spline spline = {FRAMES, frame, difference};
    saddle_body_def body = saddle_body_def_default();
    saddle_joint_def joint = saddle_joint_def_default();
    saddle_model *model;
    saddle_handle handle;
    saddle_ode *ode;
    for (int k = 0; k < FRAMES; k++) {
        const double turn[3] = {0.3 * sin(k), 0.4 * cos(1.3 * k), 0.25 * k};
        frame[k] = (saddle_pose){.p = {k, sin(0.7 * k), 0.4 * cos(k)}};
        saddle_rotation_exp(turn, frame[k].R);
    }
    assert_int_equal(saddle_motion_spline(NULL, &spline, &joint.motion), SADDLE_OK);
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, gravity);
    body.inertia.mass = 1;
    for (int i = 0; i < 9; i += 4) body.inertia.moment[i] = 0.1 + 0.01 * i;
    joint.kind = SADDLE_JOINT_MOTION;
    joint.start[0] = 3.3;
    assert_int_equal(joint.motion.evaluate(joint.motion.data, joint.start, &body.pose, y), 0);
    assert_int_equal(saddle_model_add_body(model, &body, &joint.b), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(model, &joint, &handle), SADDLE_OK);
    assert_int_equal(saddle_ode_create(model, &ode), SADDLE_OK);
    assert_int_equal(saddle_ode_size(ode), SIZE);
    for (int round = 0; round < 3; round++) {
        for (int k = 0; k <= 2 * WAY; k++) {
            set_along(&joint.motion, 3.3 + 0.1 * (k < WAY ? k : 2 * WAY - k), y);
            assert_int_equal(saddle_ode_rates(ode, 0, y, dy[round]), SADDLE_OK);
            if (round == 0) k += 2 * WAY; /* no way */
        }
        memcpy(force[round], saddle_ode_forces(ode), sizeof force[round]);
    }
    assert_true(test_distance(dy[0], dy[1], SIZE) < 1e-11);
    assert_true(test_distance(force[0], force[1], ROWS) < 1e-11);
    assert_memory_equal(dy[1], dy[2], sizeof dy[1]);
    assert_memory_equal(force[1], force[2], sizeof force[1]);
    saddle_ode_free(ode);
    saddle_model_free(model);
}

/* M v' - J'F = f and J v' = b with the rates and the forces. */
static void the_mass_form_is_solved_by_the_rates(void **unused)
{
    (void)unused;
    pair p;
    begin(NULL, pendulum, &p);
    for (int i = 0; i < 12; i++) p.y[14 + i] = i == 4 || i == 10 ? 1.5 : 0; /* both turn */
    p.y[14 + 2] = -0.75;                                                    /* about the hinge */
    p.y[14 + 8] = -2.25;
    double *dy = p.y + p.size, dx[14];
    const saddle_problem *problem = NULL;
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, dy), SADDLE_OK);
    double forces[10];
    memcpy(forces, saddle_ode_forces(p.ode), sizeof forces);
    assert_int_equal(saddle_ode_mass_form(p.ode, 0, p.y, dx, &problem), SADDLE_OK);
    assert_memory_equal(dx, dy, sizeof dx);
    assert_int_equal(problem->n, 12);
    assert_int_equal(problem->m, 10);
    for (int64_t i = 0; i < 12; i++) {
        double sum = -problem->f[i];
        for (int64_t j = 0; j < 12; j++)
            sum += saddle_matrix_entry(&problem->M, i > j ? i : j, i > j ? j : i) * dy[14 + j];
        for (int64_t k = 0; k < 10; k++) sum -= saddle_matrix_entry(&problem->Jt, i, k) * forces[k];
        assert_true(fabs(sum) < 1e-9);
    }
    for (int64_t k = 0; k < 10; k++) {
        double sum = -problem->b[k];
        for (int64_t j = 0; j < 12; j++)
            sum += saddle_matrix_entry(&problem->Jt, j, k) * dy[14 + j];
        assert_true(fabs(sum) < 1e-9);
    }
    end(&p);
}

static void what_is_wrong_is_refused(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    pair p;
    saddle_handle part;
    const saddle_particle_def particle = {.mass = 1};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    begin(context, pendulum, &p);
    double *dy = p.y + p.size;
    for (int i = 3; i < 7; i++) p.y[i] = 0;
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, dy), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "'a'"));
    p.y[3] = NAN;
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, dy), SADDLE_INVALID_ARGUMENT);
    p.y[3] = 1;
    assert_int_equal(saddle_ode_rates(p.ode, INFINITY, p.y, dy), SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_add_particle(p.scene.model, &particle, &part), SADDLE_OK);
    assert_int_equal(saddle_ode_rates(p.ode, 0, p.y, dy), SADDLE_WRONG_PHASE);
    end(&p);
    saddle_context_free(context);
}

static saddle_status sweep(saddle_context *context, void *unused)
{
    saddle_scene scene;
    saddle_ode *ode = NULL;
    double y[26], dy[26];
    (void)unused;
    saddle_status status = saddle_scene_read_text(context, pendulum, (int64_t)strlen(pendulum),
                                                  NULL, NULL, &scene);
    if (status == SADDLE_OK) status = saddle_ode_create(scene.model, &ode);
    if (status == SADDLE_OK) saddle_ode_get(ode, y);
    if (status == SADDLE_OK) status = saddle_ode_rates(ode, 0, y, dy);
    saddle_ode_free(ode);
    saddle_scene_clear(&scene);
    return status;
}

static void no_failing_allocation_leaks(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(sweep, NULL) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_double_pendulum_keeps_its_energy_to_fourth_order),
        cmocka_unit_test(first_accelerations_are_those_of_the_closed_form),
        cmocka_unit_test(position_rates_are_those_of_the_motion),
        cmocka_unit_test(removed_parts_leave_no_numbers),
        cmocka_unit_test(equal_calls_give_equal_bits_and_nothing_allocates),
        cmocka_unit_test(rates_along_a_motion_do_not_depend_on_the_way),
        cmocka_unit_test(the_mass_form_is_solved_by_the_rates),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(no_failing_allocation_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
