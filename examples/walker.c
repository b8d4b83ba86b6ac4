/* SPDX-License-Identifier: MIT */
/* A compass walker goes down a slope of 3 degrees, without motors: two straight legs on a hip whose
 * bearing has friction (saddle/bearing.h), point feet with friction on the ground.  Prints steps of
 * the walker: time, length and duration, and the mean moment of friction in the hip; without
 * friction, with little and with much, which ends in a fall.  walker.txt has the output.
 *
 * The legs and the start are those of A. Goswami, B. Thuilot, B. Espiau, A study of the passive
 * gait of a compass-like biped robot (1998): 5 kg at half of each leg of 1 m, 10 kg at the hip. The
 * swinging foot, which would scuff, touches the ground only ahead of the standing one.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

typedef struct walker {
    saddle_model *model;
    saddle_handle leg[2], hip;
    int standing; /* leg */
    int steps;
    double length; /* of the last step */
} walker;

static const double leg_length = 1, slope = 3 * 3.14159265358979323846 / 180;

/* The foot in the world. */
static void foot_of(const walker *w, int leg, double *x)
{
    const double foot[3] = {0, 0, -leg_length};
    saddle_pose_point(saddle_model_pose(w->model, w->leg[leg]), foot, x);
}

static saddle_status touch(const walker *w, int leg, saddle_contact_list *list)
{
    saddle_contact_point *point = NULL;
    const saddle_status status = saddle_contact_list_add(list, &point);
    if (status != SADDLE_OK) return status;
    foot_of(w, leg, point->b.point);
    point->id = leg;
    point->b.part = w->leg[leg];
    for (int i = 0; i < 2; i++) point->a.point[i] = point->b.point[i];
    point->gap = point->b.point[2];
    point->normal[2] = point->tangent[0] = 1;
    point->mu = 1;
    return SADDLE_OK;
}

/* The standing foot, and the other foot ahead, which stands after it has come down. */
static saddle_status find_feet(void *user, saddle_model *model, double time_step,
                               saddle_contact_list *list)
{
    walker *w = user;
    double front[3], rear[3];
    (void)model, (void)time_step;
    foot_of(w, 1 - w->standing, front);
    foot_of(w, w->standing, rear);
    const double length = front[0] - rear[0];
    if (length > 0.1 && front[2] < 1e-5) {
        w->standing = 1 - w->standing;
        w->steps++;
        w->length = length;
    }
    saddle_status status = touch(w, w->standing, list);
    if (status == SADDLE_OK && length > 0.1 && front[2] >= 1e-5)
        status = touch(w, 1 - w->standing, list);
    return status;
}

/* A leg at the hip, turned by angle about y, its foot forward where that is negative. */
static saddle_status add_leg(walker *w, int leg, double angle, double rate, const double *velocity)
{
    const double hip_mass = leg == 0 ? 10 : 0, mass = 5 + hip_mass, center = -5 * 0.5 / mass;
    const double across = hip_mass * center * center + 5 * pow(center + 0.5, 2) + 1e-3;
    saddle_body_def def = saddle_body_def_default();
    const double c = cos(angle), s = sin(angle);
    def.inertia = (saddle_body_inertia){mass,
                                        {0, 0, center},
                                        {across, 0, 0, 0, across, 0, 0, 0, 1e-3}};
    def.pose = (saddle_pose){{0, 0, leg_length * cos(0.271)}, {c, 0, -s, 0, 1, 0, s, 0, c}};
    def.twist[0] = c * velocity[0] - s * velocity[2];
    def.twist[2] = s * velocity[0] + c * velocity[2];
    def.twist[4] = rate;
    return saddle_model_add_body(w->model, &def, &w->leg[leg]);
}

static saddle_status build(walker *w, double mu)
{
    const double g[3] = {9.81 * sin(slope), 0, -9.81 * cos(slope)}; /* the ground is z = 0 */
    const double angle = -0.271, rate = 1.0918, y[3] = {0, 1, 0};
    const double hip_velocity[3] = {rate * cos(angle), 0, -rate * sin(angle)};
    saddle_joint_def plane = saddle_joint_def_default(), hip = plane;
    saddle_handle joint;
    saddle_pose place;
    saddle_model_set_gravity(w->model, g);
    saddle_status status = add_leg(w, 0, angle, rate, hip_velocity);
    if (status == SADDLE_OK) status = add_leg(w, 1, -angle, 0.3772, hip_velocity);
    if (status != SADDLE_OK) return status;
    plane.kind = SADDLE_JOINT_CUSTOM;
    plane.locked = SADDLE_LOCK_Y | SADDLE_LOCK_RX | SADDLE_LOCK_RZ;
    plane.b = hip.a = w->leg[0];
    hip.kind = SADDLE_JOINT_HINGE;
    hip.b = w->leg[1];
    hip.bearing = (saddle_bearing){.mu = mu, .radius = 0.01, .half_length = 0.05};
    status = saddle_model_add_joint(w->model, &plane, &joint);
    if (status == SADDLE_OK)
        status = saddle_pose_along(NULL, saddle_model_pose(w->model, w->leg[0])->p, y, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(w->model, &place, &hip);
    return status == SADDLE_OK ? saddle_model_add_joint(w->model, &hip, &w->hip) : status;
}

static saddle_status walk(saddle_model *model, double mu)
{
    walker w = {.model = model};
    saddle_stepper *stepper = NULL;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 1e-3;
    options.contacts = find_feet;
    options.user = &w;
    saddle_status status = build(&w, mu);
    if (status == SADDLE_OK) status = saddle_stepper_create(model, &options, &stepper);
    printf("hip with mu = %.1f\n", mu);
    double last = 0, lowest = 1, impulse = 0;
    for (int k = 0, told = 0; status == SADDLE_OK && k < 8000 && lowest > 0.5; k++) {
        status = saddle_stepper_step(stepper);
        lowest = saddle_model_pose(model, w.leg[0])->p[2];
        saddle_bearing_forces forces = {0};
        if (status == SADDLE_OK && mu > 0) status = saddle_stepper_bearing(stepper, w.hip, &forces);
        impulse += options.time_step * fabs(forces.friction[5]);
        if (status != SADDLE_OK || w.steps == told) continue;
        told = w.steps;
        const double now = saddle_model_time(model);
        if (told % 2 == 1 || told < 4)
            printf("  step %2d at %.2f s: %.2f m in %.2f s, friction %.3f N m\n", told, now,
                   w.length, now - last, impulse / (now - last));
        last = now;
        impulse = 0;
    }
    if (status == SADDLE_OK) printf("  %d steps; the hip is at %.1f m\n", w.steps, lowest);
    saddle_stepper_free(stepper);
    return status;
}

int main(void)
{
    static const double mu[] = {0, 0.1, 0.5};
    saddle_status status = SADDLE_OK;
    for (int k = 0; status == SADDLE_OK && k < 3; k++) {
        saddle_model *model = NULL;
        status = saddle_model_create(NULL, &model);
        if (status == SADDLE_OK) status = walk(model, mu[k]);
        saddle_model_free(model);
    }
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_status_text(status));
    return status == SADDLE_OK ? 0 : 1;
}
