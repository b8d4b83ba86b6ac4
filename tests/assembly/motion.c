/* SPDX-License-Identifier: MIT */
/* See motion.h. */
#include <math.h>
#include <string.h>

#include "motion.h"

const double motion_weight[3] = {0, 0, -9.81};

static const saddle_handle ground = {0};

/* ---- contacts ---- */

static int is_ground(saddle_handle handle)
{
    return handle.generation == 0;
}

static void touching_point(motion *scene, const motion_touch *touch, double *x)
{
    const saddle_pose *pose = saddle_model_pose(scene->model, touch->a);
    if (pose != NULL)
        saddle_pose_point(pose, touch->point, x);
    else
        memcpy(x, saddle_model_position(scene->model, touch->a), 3 * sizeof *x);
}

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A plane is under what it holds: the contact's normal points from the ground to the part. */
static void fill_plane(motion *scene, const motion_touch *touch, saddle_contact_point *point)
{
    double x[3];
    touching_point(scene, touch, x);
    point->gap = dot(touch->normal, x) - touch->offset;
    point->a.part = ground;
    point->b.part = touch->a;
    memcpy(point->b.point, x, sizeof x);
    for (int i = 0; i < 3; i++) point->a.point[i] = x[i] - point->gap * touch->normal[i];
}

static void fill_pair(motion *scene, const motion_touch *touch, saddle_contact_point *point)
{
    const double *a = saddle_model_position(scene->model, touch->a),
                 *b = saddle_model_position(scene->model, touch->b);
    point->gap = dot(touch->normal, b) - dot(touch->normal, a) - touch->offset;
    point->a.part = touch->a;
    point->b.part = touch->b;
    memcpy(point->a.point, a, 3 * sizeof *a);
    memcpy(point->b.point, b, 3 * sizeof *b);
}

static saddle_status find_touches(void *user, saddle_model *model, double time_step,
                                  saddle_contact_list *list)
{
    motion *scene = user;
    (void)model, (void)time_step;
    for (int k = 0; k < scene->touches; k++) {
        const motion_touch *touch = &scene->touch[k];
        saddle_contact_point *point = NULL;
        const saddle_status status = saddle_contact_list_add(list, &point);
        if (status != SADDLE_OK) return status;
        point->id = k;
        memcpy(point->normal, touch->normal, sizeof point->normal);
        memcpy(point->tangent, touch->tangent, sizeof point->tangent);
        point->mu = touch->mu;
        point->restitution = touch->restitution;
        if (is_ground(touch->b))
            fill_plane(scene, touch, point);
        else
            fill_pair(scene, touch, point);
    }
    return SADDLE_OK;
}

motion_touch *motion_touch_plane(motion *scene, saddle_handle part, const double *normal,
                                 double offset, double mu)
{
    assert_true(scene->touches < MOTION_TOUCHES);
    motion_touch *touch = &scene->touch[scene->touches++];
    *touch = (motion_touch){.a = part, .offset = offset, .mu = mu};
    memcpy(touch->normal, normal, sizeof touch->normal);
    scene->options.contacts = find_touches;
    scene->options.user = scene;
    return touch;
}

/* ---- springs ---- */

typedef struct spring {
    double stiffness, damping, length;
} spring;

/* d = x_b - x_a, u = d/|d|; the tension k (|d| - l) + c u'(v_b - v_a) acts on a along u. */
static saddle_status spring_force(saddle_context *context, const saddle_site *site,
                                  double *const *force)
{
    const spring *data = site->data;
    double u[3], rate = 0, length = 0;
    (void)context;
    for (int i = 0; i < 3; i++) u[i] = site->position[1][i] - site->position[0][i];
    length = sqrt(dot(u, u));
    for (int i = 0; i < 3; i++) u[i] /= length;
    for (int i = 0; i < 3; i++) rate += u[i] * (site->velocity[1][i] - site->velocity[0][i]);
    const double tension = data->stiffness * (length - data->length) + data->damping * rate;
    for (int i = 0; i < 3; i++) {
        force[0][i] = tension * u[i];
        force[1][i] = -tension * u[i];
    }
    return SADDLE_OK;
}

/* df_a/dd = k uu' + (T/|d|)(I - uu') + c u (dv - (u'dv) u)'/|d|, T the tension */
static saddle_status spring_jacobians(saddle_context *context, const saddle_site *site,
                                      double *const *K, double *const *D)
{
    const spring *data = site->data;
    double u[3], w[3], rate = 0, length = 0;
    (void)context;
    for (int i = 0; i < 3; i++) u[i] = site->position[1][i] - site->position[0][i];
    length = sqrt(dot(u, u));
    for (int i = 0; i < 3; i++) {
        u[i] /= length;
        w[i] = site->velocity[1][i] - site->velocity[0][i];
    }
    rate = dot(u, w);
    const double tension = data->stiffness * (length - data->length) + data->damping * rate;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const double along = u[i] * u[j], across = (i == j) - along;
            const double k = data->stiffness * along + tension / length * across +
                             data->damping * u[i] * (w[j] - rate * u[j]) / length;
            for (int block = 0; block < 4; block++) {
                const double sign = block == 0 || block == 3 ? -1 : 1;
                K[block][i + 3 * j] = sign * k;
                D[block][i + 3 * j] = sign * data->damping * along;
            }
        }
    }
    return SADDLE_OK;
}

static double spring_energy(const saddle_site *site)
{
    const spring *data = site->data;
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = site->position[1][i] - site->position[0][i];
    const double stretch = sqrt(dot(d, d)) - data->length;
    return data->stiffness * stretch * stretch / 2;
}

saddle_handle motion_spring(motion *scene, saddle_handle a, saddle_handle b, double stiffness,
                            double damping, double length)
{
    static const saddle_force_type conservative = {.name = "spring",
                                                   .evaluate = spring_force,
                                                   .jacobians = spring_jacobians,
                                                   .symmetric = 1,
                                                   .energy = spring_energy};
    static const saddle_force_type damped = {.name = "damper",
                                             .evaluate = spring_force,
                                             .jacobians = spring_jacobians,
                                             .energy = spring_energy};
    const spring data = {stiffness, damping, length};
    const saddle_anchor anchors[2] = {{.part = a}, {.part = b}};
    const saddle_force_def def = {.type = damping > 0 ? &damped : &conservative,
                                  .count = 2,
                                  .anchors = anchors,
                                  .data = &data,
                                  .bytes = sizeof data};
    saddle_handle handle;
    assert_int_equal(saddle_model_add_force(scene->model, &def, &handle), SADDLE_OK);
    return handle;
}

/* ---- parts and joints ---- */

saddle_handle motion_particle(motion *scene, double mass, const double *x, const double *v)
{
    saddle_particle_def def = {.mass = mass};
    if (x != NULL) memcpy(def.position, x, sizeof def.position);
    if (v != NULL) memcpy(def.velocity, v, sizeof def.velocity);
    saddle_handle handle;
    assert_int_equal(saddle_model_add_particle(scene->model, &def, &handle), SADDLE_OK);
    return handle;
}

saddle_handle motion_body(motion *scene, const double *moments, const double *center,
                          const saddle_pose *pose, const double *twist)
{
    saddle_body_def def = saddle_body_def_default();
    def.inertia.mass = 1;
    for (int i = 0; i < 3; i++) def.inertia.moment[4 * i] = moments[i];
    if (center != NULL) memcpy(def.inertia.center, center, sizeof def.inertia.center);
    if (pose != NULL) def.pose = *pose;
    if (twist != NULL) memcpy(def.twist, twist, sizeof def.twist);
    saddle_handle handle;
    assert_int_equal(saddle_model_add_body(scene->model, &def, &handle), SADDLE_OK);
    return handle;
}

static saddle_handle add_joint(motion *scene, saddle_joint_kind kind, saddle_handle a,
                               saddle_handle b, const double *origin, const double *axis)
{
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose world;
    saddle_handle handle;
    def.kind = kind;
    def.a = a;
    def.b = b;
    assert_int_equal(saddle_pose_along(scene->context, origin, axis, &world), SADDLE_OK);
    assert_int_equal(saddle_joint_def_at(scene->model, &world, &def), SADDLE_OK);
    assert_int_equal(saddle_model_add_joint(scene->model, &def, &handle), SADDLE_OK);
    return handle;
}

saddle_handle motion_hinge(motion *scene, saddle_handle a, saddle_handle b, const double *origin,
                           const double *axis)
{
    return add_joint(scene, SADDLE_JOINT_HINGE, a, b, origin, axis);
}

saddle_handle motion_ball(motion *scene, saddle_handle a, saddle_handle b, const double *origin)
{
    static const double up[3] = {0, 0, 1};
    return add_joint(scene, SADDLE_JOINT_BALL, a, b, origin, up);
}

/* ---- running ---- */

void motion_begin(motion *scene, saddle_context *context, const double *gravity)
{
    *scene = (motion){.context = context,
                      .own_context = context == NULL,
                      .options = saddle_stepper_options_default()};
    if (scene->own_context)
        assert_int_equal(saddle_context_create(NULL, &scene->context), SADDLE_OK);
    context = scene->context;
    assert_int_equal(saddle_model_create(context, &scene->model), SADDLE_OK);
    if (gravity != NULL) saddle_model_set_gravity(scene->model, gravity);
}

void motion_end(motion *scene)
{
    saddle_stepper_free(scene->stepper);
    saddle_model_free(scene->model);
    if (scene->own_context) saddle_context_free(scene->context);
}

saddle_status motion_step(motion *scene)
{
    if (scene->stepper == NULL) {
        const saddle_status status = saddle_stepper_create(scene->model, &scene->options,
                                                           &scene->stepper);
        if (status != SADDLE_OK) return status;
    }
    return saddle_stepper_step(scene->stepper);
}

void motion_run(motion *scene, int64_t steps)
{
    for (int64_t k = 0; k < steps; k++) {
        const saddle_status status = motion_step(scene);
        if (status != SADDLE_OK)
            print_error("step %lld: residual %.2e, %s\n", (long long)k + 1,
                        scene->stepper ? saddle_stepper_report(scene->stepper)->residual : 0,
                        saddle_context_message(scene->context));
        assert_int_equal(status, SADDLE_OK);
    }
}

double motion_energy(motion *scene)
{
    const saddle_energies energies = saddle_model_energies(scene->model);
    return energies.kinetic + energies.gravity + energies.elastic;
}

double motion_order(double coarse, double fine)
{
    return log2(coarse / fine);
}
