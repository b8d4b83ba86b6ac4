/* SPDX-License-Identifier: MIT */
/* Attached parts move as the same parts pinned by rows, and as one body where all is rigid. */
#include <math.h>
#include <string.h>

#include "drawn_attached.h"
#include "drawn_parts.h"

/* ---- against pins ---- */

/* a (n) of the assembly's problem of accelerations; its attachments eliminated. */
static void accelerate(saddle_model *model, saddle_assembly **assembly, saddle_solution *whole)
{
    saddle_elimination *elimination;
    saddle_solution reduced = {0};
    assert_int_equal(saddle_assembly_create(model, NULL, assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(*assembly), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(*assembly);
    const saddle_attachments *graph = saddle_assembly_attachments(*assembly);
    if (!graph) {
        assert_int_equal(saddle_solve(NULL, p, "ldlt", NULL, NULL, whole, NULL), SADDLE_OK);
        return;
    }
    assert_int_equal(saddle_elimination_create(NULL, graph, p, SADDLE_WISH_ELIMINATE, NULL, NULL,
                                               &elimination),
                     SADDLE_OK);
    const saddle_elimination_report size = saddle_elimination_report_of(elimination);
    assert_int_equal(saddle_solve(NULL, saddle_elimination_problem(elimination), "ldlt", NULL, NULL,
                                  &reduced, NULL),
                     SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, p->n, p->m + size.multipliers, whole), SADDLE_OK);
    assert_int_equal(saddle_elimination_recover(elimination, p, &reduced, whole), SADDLE_OK);
    saddle_solution_clear(&reduced);
    saddle_elimination_free(elimination);
}

static void accelerations_are_those_of_pinned_parts(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(300); draw++) {
        drawn_attached d;
        saddle_assembly *assembly[2];
        saddle_solution a[2] = {{0}, {0}};
        draw_attached(&state, draw % 2 == 0, &d);
        for (int side = 0; side < 2; side++) accelerate(d.model[side], &assembly[side], &a[side]);
        for (int k = draw % 2 == 0; k < d.parts; k++) {
            const int64_t size = d.part[0][k].item == SADDLE_ITEM_BODY ? 6 : 3;
            const int64_t one = saddle_assembly_column(assembly[0], d.part[0][k]);
            const int64_t two = saddle_assembly_column(assembly[1], d.part[1][k]);
            if (!(test_distance(a[0].v + one, a[1].v + two, size) <= 1e-10))
                fail_msg("draw %d, part %d of %d (%d active): off by %g", (int)draw, k, d.parts,
                         d.active, test_distance(a[0].v + one, a[1].v + two, size));
        }
        for (int side = 0; side < 2; side++) {
            saddle_solution_clear(&a[side]);
            saddle_assembly_free(assembly[side]);
        }
        drawn_attached_clear(&d);
    }
}

/* The distance of both models after a quarter of a second in `steps` steps. */
static double distance_after(uint64_t state, int64_t draw, saddle_integrator integrator,
                             int64_t steps)
{
    drawn_attached d;
    draw_attached(&state, draw % 2 == 0, &d);
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 0.25 / (double)steps;
    options.integrator = integrator;
    options.attachments = (saddle_wish)(draw % 3);
    for (int side = 0; side < 2; side++) {
        saddle_stepper *stepper;
        assert_int_equal(saddle_stepper_create(d.model[side], &options, &stepper), SADDLE_OK);
        for (int64_t k = 0; k < steps; k++)
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        saddle_stepper_free(stepper);
    }
    const double distance = drawn_attached_distance(&d);
    drawn_attached_clear(&d);
    return distance;
}

/* Of second order in h, of first with explicit and implicit Euler. */
static void trajectories_are_those_of_pinned_parts(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(30); draw++) {
        for (int i = 0; i < 5; i++) {
            const int first = i == SADDLE_INTEGRATOR_EXPLICIT_EULER ||
                              i == SADDLE_INTEGRATOR_IMPLICIT_EULER;
            const double coarse = distance_after(state, draw, (saddle_integrator)i, 50);
            const double fine = distance_after(state, draw, (saddle_integrator)i, 100);
            if (!(coarse <= 0.1) || !(fine <= (first ? coarse / 1.5 + 1e-5 : coarse / 3 + 1e-10)))
                fail_msg("draw %d, %s: off by %g, then %g", (int)draw,
                         saddle_integrator_word((saddle_integrator)i), coarse, fine);
        }
        for (int k = 0; k < 100; k++) (void)test_integer(&state, 0, 1);
    }
}

/* ---- as one body ---- */

typedef struct cluster {
    saddle_model *model[2]; /* of attached parts; one body of the summed inertia */
    saddle_handle root[2], tie;
} cluster;

/* A body with a body, a body on that, and a particle on that. */
static void make_cluster(uint64_t *state, cluster *c)
{
    const double sides[3] = {1, 0.5, 0.3};
    saddle_body_inertia inertia[4] = {{0}};
    saddle_pose pose[4];
    saddle_handle part[4];
    saddle_body_def body = saddle_body_def_default();
    saddle_particle_def point = {.mass = 0.7};
    for (int side = 0; side < 2; side++)
        assert_int_equal(saddle_model_create(NULL, &c->model[side]), SADDLE_OK);
    for (int i = 0; i < 6; i++) body.twist[i] = test_uniform(state, -2, 2);
    const saddle_body_def root = body;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 2 - k * 0.5,
                                                     &inertia[k]),
                         SADDLE_OK);
        pose[k] = k == 0 ? saddle_pose_identity() : test_draw_pose(state, 1);
        body.inertia = inertia[k];
        body.pose = pose[k];
        assert_int_equal(saddle_model_add_body(c->model[0], &body, &part[k]), SADDLE_OK);
    }
    pose[3] = saddle_pose_identity();
    inertia[3].mass = point.mass;
    for (int i = 0; i < 3; i++) {
        point.position[i] = pose[3].p[i] = test_uniform(state, -1, 1);
        inertia[3].moment[4 * i] = 1e-13;
    }
    assert_int_equal(saddle_model_add_particle(c->model[0], &point, &part[3]), SADDLE_OK);
    for (int k = 1; k < 4; k++) {
        const saddle_anchor to = {part[k - 1], 0};
        const saddle_attach_def def = {.part = part[k], .masters = 1, .to = &to};
        assert_int_equal(saddle_model_attach(c->model[0], &def, &c->tie), SADDLE_OK);
    }
    body = root;
    body.inertia = inertia[0];
    assert_int_equal(saddle_body_inertia_compose(NULL, 4, inertia, pose, &body.inertia), SADDLE_OK);
    assert_int_equal(saddle_model_add_body(c->model[1], &body, &c->root[1]), SADDLE_OK);
    c->root[0] = part[0];
}

/* The largest change of momentum, moment (or kinetic energy) of the cluster in 0.5 s. */
static double run_cluster(cluster *c, saddle_integrator integrator, int64_t steps, double *distance)
{
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = 0.5 / (double)steps;
    options.integrator = integrator;
    saddle_energies begin = {0};
    double change = 0;
    for (int side = 0; side < 2; side++) {
        saddle_stepper *stepper;
        assert_int_equal(saddle_stepper_create(c->model[side], &options, &stepper), SADDLE_OK);
        for (int64_t k = 0; k < steps; k++) {
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
            const saddle_energies now = saddle_model_energies(c->model[side]);
            if (k == 0) begin = now;
            change = fmax(change, test_distance(now.momentum, begin.momentum, 3));
            change = fmax(change, test_distance(now.moment, begin.moment, 3));
            change = fmax(change, test_distance(&now.kinetic, &begin.kinetic, 1));
        }
        saddle_stepper_free(stepper);
    }
    *distance = test_distance(saddle_model_position(c->model[0], c->root[0]),
                              saddle_model_position(c->model[1], c->root[1]), 12);
    return change;
}

static void a_free_body_with_attached_parts_moves_as_one_body(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(40); draw++) {
        const saddle_integrator integrator = (saddle_integrator)(1 + draw % 4);
        const uint64_t begin = state;
        double distance[2], change[2];
        for (int fine = 0; fine < 2; fine++) {
            cluster c;
            state = begin;
            make_cluster(&state, &c);
            change[fine] = run_cluster(&c, integrator, fine ? 100 : 50, &distance[fine]);
            for (int side = 0; side < 2; side++) saddle_model_free(c.model[side]);
        }
        if (!(distance[0] <= 0.02) || !(distance[1] <= distance[0] / 3 + 1e-12))
            fail_msg("draw %d, %s: off by %g, then %g", (int)draw,
                     saddle_integrator_word(integrator), distance[0], distance[1]);
        if (!(change[0] <= 0.02) || !(change[1] <= change[0] / 3 + 1e-12))
            fail_msg("draw %d, %s: momenta or energy changed by %g, then %g", (int)draw,
                     saddle_integrator_word(integrator), change[0], change[1]);
    }
}

/* ---- closed forms ---- */

static saddle_handle add_body(saddle_model *model, double mass, int prescribed, const double *twist)
{
    const double radius = 0.3;
    saddle_body_def def = saddle_body_def_default();
    saddle_handle body;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, &radius, mass,
                                                 &def.inertia),
                     SADDLE_OK);
    def.prescribed = prescribed;
    if (twist) memcpy(def.twist, twist, sizeof def.twist);
    assert_int_equal(saddle_model_add_body(model, &def, &body), SADDLE_OK);
    return body;
}

/* A particle at (x, y, z), without mass where mass is 0, attached to a part. */
static saddle_handle add_point(saddle_model *model, double mass, double x, double y, double z,
                               saddle_handle to, saddle_handle *tie)
{
    const saddle_particle_def def = {.mass = mass,
                                     .massless = mass == 0,
                                     .position = {x, y, z},
                                     .name = "point"};
    const saddle_anchor anchor = {to, 0};
    saddle_handle point, made;
    assert_int_equal(saddle_model_add_particle(model, &def, &point), SADDLE_OK);
    const saddle_attach_def attach = {.part = point, .masters = 1, .to = &anchor};
    assert_int_equal(saddle_model_attach(model, &attach, tie ? tie : &made), SADDLE_OK);
    return point;
}

static saddle_stepper *make_stepper(saddle_model *model, saddle_integrator integrator, double h)
{
    saddle_stepper *stepper;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.time_step = h;
    options.integrator = integrator;
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    return stepper;
}

static void run(saddle_stepper *stepper, int64_t steps)
{
    for (int64_t k = 0; k < steps; k++)
        if (saddle_stepper_step(stepper) != SADDLE_OK)
            fail_msg("step %d: %s", (int)k, saddle_stepper_report(stepper)->note);
}

/* A mass of m at r on a wheel that turns with omega: the attachment pulls with m omega^2 r, and the
 * mass is at r after 100 turns. */
static void what_a_prescribed_wheel_carries_stays_at_its_radius(void **unused)
{
    (void)unused;
    for (int integrator = 1; integrator < 5; integrator++) {
        const double omega = 2 * 3.14159265358979323846, twist[6] = {0, 0, 0, 0, 0, omega};
        saddle_model *model;
        saddle_handle tie;
        double force[3];
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_handle wheel = add_body(model, 1, 1, twist);
        const saddle_handle point = add_point(model, 3, 2, 0, 0, wheel, &tie);
        saddle_stepper *stepper = make_stepper(model, (saddle_integrator)integrator, 1e-3);
        run(stepper, 1000);
        const double *x = saddle_model_position(model, point),
                     *v = saddle_model_velocity(model, point);
        assert_true(fabs(hypot(x[0], x[1]) - 2) <= 1e-12);
        assert_true(fabs(v[0] + omega * x[1]) + fabs(v[1] - omega * x[0]) <= 1e-10);
        assert_int_equal(saddle_stepper_attachment_force(stepper, tie, force), SADDLE_OK);
        assert_true(fabs(hypot(force[0], force[1]) - 3 * omega * omega * 2) <= 0.01);
        assert_true(force[0] * x[0] < 0 || fabs(x[0]) < 0.1);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
}

/* A marker on a body, on a spring to the ground through the body's centre: x = cos(omega t). */
static void a_spring_to_a_marker_swings_the_body(void **unused)
{
    (void)unused;
    for (int integrator = 1; integrator < 5; integrator++) {
        const double k = 8, m = 2, h = 5e-4, omega = sqrt(k / m);
        saddle_model *model;
        saddle_handle tie, handle;
        double force[3];
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_handle body = add_body(model, m, 0, NULL);
        const saddle_handle marker = add_point(model, 0, 1, 0, 0, body, &tie);
        const saddle_anchor wall = {{0}, 0}, end = {marker, 0};
        const saddle_spring spring = {.point_a = {-2, 0, 0}, .stiffness = k, .rest_length = 2};
        assert_int_equal(saddle_model_add_spring(model, NULL, wall, end, &spring, &handle),
                         SADDLE_OK);
        saddle_stepper *stepper = make_stepper(model, (saddle_integrator)integrator, h);
        run(stepper, 2000);
        const double *x = saddle_model_position(model, body);
        assert_true(fabs(x[0] - (cos(omega) - 1)) <= (integrator < 3 ? 5e-3 : 1e-5));
        assert_int_equal(saddle_stepper_attachment_force(stepper, tie, force), SADDLE_OK);
        assert_true(fabs(force[0] - k * (x[0] + 1)) <= 0.02); /* against that of the spring */
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
}

/* ---- what acts on attached points ---- */

/* A ball with a sphere as its shape, and one with a shape on a particle attached to its centre. */
static void a_contact_of_an_attached_sphere_is_that_of_its_body(void **unused)
{
    (void)unused;
    double pose[2][12];
    for (int side = 0; side < 2; side++) {
        const double twist[6] = {1, 0, 0, 0, 3, 0}, gravity[3] = {0, 0, -9.81};
        saddle_model *model;
        saddle_collider *collider;
        saddle_stepper *stepper;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_gravity(model, gravity);
        const saddle_handle body = add_body(model, 1, 0, twist);
        const saddle_handle point = side ? add_point(model, 0, 0, 0, 0, body, NULL) : body;
        assert_int_equal(saddle_collider_create(model, &collider), SADDLE_OK);
        saddle_touch_def sphere = saddle_touch_def_default(), floor = sphere;
        sphere.part = point;
        sphere.size[0] = 0.3;
        sphere.mu = 0; /* friction has no arm at a particle */
        floor.kind = SADDLE_TOUCH_PLANE;
        floor.pose.p[2] = -0.4;
        assert_int_equal(saddle_collider_add(collider, &sphere, NULL), SADDLE_OK);
        assert_int_equal(saddle_collider_add(collider, &floor, NULL), SADDLE_OK);
        saddle_stepper_options options = saddle_stepper_options_default();
        options.collider = collider;
        assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
        run(stepper, 60);
        memcpy(pose[side], saddle_model_position(model, body), sizeof pose[side]);
        assert_int_equal(saddle_stepper_report(stepper)->contacts, 1);
        saddle_stepper_free(stepper);
        saddle_collider_free(collider);
        saddle_model_free(model);
    }
    assert_true(fabs(pose[1][2] + 0.1) <= 1e-3); /* on the floor */
    assert_true(test_distance(pose[0], pose[1], 3) <= 1e-3);
}

/* ---- a body on bodies ---- */

static saddle_handle add_free_body(saddle_model *model, double x, double spin)
{
    saddle_body_def def = saddle_body_def_default();
    const double size[3] = {0.5, 0.7, 0.9};
    saddle_handle body;
    def.pose.p[0] = x;
    def.pose.p[1] = 0.3 * x * x;
    def.twist[1] = 0.4 * x;
    def.twist[2] = 0.1;
    def.twist[5] = spin;
    def.twist[3] = 0.2 * spin;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1 + x * x,
                                                 &def.inertia),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_body(model, &def, &body), SADDLE_OK);
    return body;
}

/* Changes of energy, momentum and moment of three bodies in free flight, the last a mean of the
 * others, after one second. */
static void fly_blended(double h, double *energy, double *momentum, double *moment)
{
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_anchor to[2] = {{add_free_body(model, 1, 0.8), 0},
                                 {add_free_body(model, -1, -0.5), 0}};
    const double weight[2] = {0.4, 0.6};
    const saddle_attach_def def = {.part = add_free_body(model, 0.2, 0),
                                   .masters = 2,
                                   .to = to,
                                   .weight = weight};
    saddle_handle tie;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    options.time_step = h;
    assert_int_equal(saddle_model_attach(model, &def, &tie), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_project_velocities(stepper), SADDLE_OK);
    const saddle_energies before = saddle_model_energies(model);
    for (double time = 0; time < 1 - h / 2; time += h)
        assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const saddle_energies after = saddle_model_energies(model);
    *energy = fabs(after.kinetic - before.kinetic) / before.kinetic;
    *momentum = test_distance(after.momentum, before.momentum, 3);
    *moment = test_distance(after.moment, before.moment, 3);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

static void a_body_on_bodies_flies_as_momenta_and_energy_say(void **unused)
{
    (void)unused;
    double energy[2], momentum[2], moment[2];
    fly_blended(0.01, &energy[0], &momentum[0], &moment[0]);
    fly_blended(0.005, &energy[1], &momentum[1], &moment[1]);
    assert_true(energy[0] < 1e-4 && energy[1] < 0.3 * energy[0]);
    assert_true(momentum[0] < 1e-12 && momentum[1] < 1e-12);
    assert_true(moment[0] < 1e-4 && moment[1] < 0.3 * moment[0]);
}

/* Two masters turned by +-angle about one axis: the mean is not turned; with one master it is on
 * a body as before. */
static void a_body_between_bodies_is_their_mean(void **unused)
{
    (void)unused;
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_handle body[3], tie;
    saddle_anchor to[2];
    for (int k = 0; k < 3; k++) {
        saddle_body_def def = saddle_body_def_default();
        const double size[3] = {1, 1, 1};
        def.pose.p[0] = k == 2 ? 0 : 2 * k - 1;
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, 1, &def.inertia),
                         SADDLE_OK);
        def.prescribed = k < 2;
        def.twist[5] = k == 0 ? 1 : k == 1 ? -1 : 0;
        assert_int_equal(saddle_model_add_body(model, &def, &body[k]), SADDLE_OK);
        if (k < 2) to[k] = (saddle_anchor){body[k], 0};
    }
    const saddle_attach_def def = {.part = body[2], .masters = 2, .to = to};
    assert_int_equal(saddle_model_attach(model, &def, &tie), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    for (int step = 0; step < 50; step++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const saddle_pose *pose = saddle_model_pose(model, body[2]), one = saddle_pose_identity();
    /* of arms of length 1 along x and -x: p = (0, sin(-+t)), their mean */
    const double s = sin(0.5);
    assert_true(test_distance(pose->R, one.R, 9) < 1e-12);
    assert_true(fabs(pose->p[0]) < 1e-9);
    assert_true(fabs(pose->p[1] - 0.5 * (s + s)) < 1e-9);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

/* Shapes that move with one body do not touch each other. */
static void shapes_on_one_body_do_not_touch(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_collider *collider;
    saddle_contact_list list = {0};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    const saddle_handle body = add_body(model, 1, 0, NULL), wall = add_body(model, 1, 1, NULL);
    saddle_handle tie;
    const saddle_handle points[4] = {body, add_point(model, 1, 0.1, 0, 0, body, &tie), wall,
                                     add_point(model, 1, 0.1, 0, 0, wall, NULL)};
    assert_int_equal(saddle_collider_create(model, &collider), SADDLE_OK);
    for (int k = 0; k < 4; k++) {
        saddle_touch_def sphere = saddle_touch_def_default();
        sphere.part = points[k];
        assert_int_equal(saddle_collider_add(collider, &sphere, NULL), SADDLE_OK);
    }
    assert_int_equal(saddle_collider_find(collider, 0.01, &list), SADDLE_OK);
    assert_int_equal(list.count, 4); /* each of the body's with each of the wall's */
    assert_int_equal(saddle_model_remove(model, tie), SADDLE_OK);
    saddle_contact_list_reset(&list);
    assert_int_equal(saddle_collider_find(collider, 0.01, &list), SADDLE_OK);
    assert_int_equal(list.count, 5);
    saddle_contact_list_clear(&list);
    saddle_collider_free(collider);
    saddle_model_free(model);
}

/* The same path over a point of a body, and over a via point attached there. */
static void a_muscle_over_a_via_point_is_that_over_the_body(void **unused)
{
    (void)unused;
    double pose[2][12];
    for (int side = 0; side < 2; side++) {
        const double twist[6] = {0.1, 0.3, 0, 0.5, 0, 1};
        saddle_model *model;
        saddle_handle handle;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        const saddle_handle body = add_body(model, 1, 0, twist);
        const saddle_handle via = side ? add_point(model, 0, 0.2, 0.3, 0.1, body, NULL) : body;
        const saddle_path_point path[3] = {{{{0}, 0}, {-1, 0, 0}, 0},
                                           {{via, 0}, {0.2, 0.3, 0.1}, 0},
                                           {{{0}, 0}, {1, 0.5, -0.2}, 0}};
        saddle_muscle muscle = saddle_muscle_default();
        muscle.peak_force = 10;
        muscle.activation = 0.5;
        muscle.optimal_length = 2;
        assert_int_equal(saddle_model_add_muscle(model, NULL, 3, path, &muscle, &handle),
                         SADDLE_OK);
        saddle_stepper *stepper = make_stepper(model, SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 1e-3);
        run(stepper, 500);
        memcpy(pose[side], saddle_model_position(model, body), sizeof pose[side]);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
    assert_true(test_distance(pose[0], pose[1], 12) <= 1e-12);
}

/* ---- meshes ---- */

/* Nodes of a mesh follow two bodies by weights, a body is in an element of it, another on three of
 * its nodes: no momentum is made, and energy is kept to second order. */
static double run_mesh(uint64_t state, int64_t steps, double *moments)
{
    static const int64_t skin[2] = {1, 2}, far = 0;
    saddle_model *model;
    saddle_handle body[4], tie;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    for (int k = 0; k < 4; k++) body[k] = test_draw_body(model, &state, 1);
    const saddle_handle mesh = test_draw_nodes(model, &state, 1);
    saddle_handle node[4];
    saddle_anchor corner[4];
    for (int k = 0; k < 4; k++) {
        node[k] = test_draw_particle(model, &state, 0.2);
        if (k > 0) saddle_model_position(model, node[k])[k - 1] += 1;
        corner[k] = (saddle_anchor){node[k], 0};
    }
    const saddle_anchor bones[2] = {{body[0], 0}, {body[1], 0}};
    const double weight[4] = {0.3, 0.7, 0.5, 0.5};
    const saddle_element_kind element = SADDLE_ELEMENT_TETRAHEDRON;
    const saddle_attach_def def[] = {
        {.part = mesh, .count = 2, .node = skin, .masters = 2, .to = bones, .weight = weight},
        {.part = body[2], .masters = 4, .to = corner, .element = &element},
        {.part = body[3], .masters = 3, .to = corner + 1},
        {.part = mesh, .count = 1, .node = &far, .masters = 4, .to = corner, .element = &element}};
    for (size_t k = 0; k < sizeof def / sizeof *def; k++)
        assert_int_equal(saddle_model_attach(model, &def[k], &tie), SADDLE_OK);
    saddle_handle handle;
    for (int k = 0; k < 4; k++) {
        const saddle_spring spring = {.stiffness = 20, .rest_length = 1};
        const saddle_anchor other = {body[k % 2], 0};
        assert_int_equal(saddle_model_add_spring(model, NULL, corner[k], other, &spring, &handle),
                         SADDLE_OK);
        for (int j = 0; j < k; j++)
            assert_int_equal(saddle_model_add_spring(model, NULL, corner[k], corner[j], &spring,
                                                     &handle),
                             SADDLE_OK);
    }
    saddle_stepper *stepper = make_stepper(model, SADDLE_INTEGRATOR_TRAPEZOIDAL,
                                           0.2 / (double)steps);
    run(stepper, 1);
    const saddle_energies begin = saddle_model_energies(model);
    run(stepper, steps - 1);
    const saddle_energies end = saddle_model_energies(model);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    *moments = fmax(test_distance(begin.momentum, end.momentum, 3),
                    test_distance(begin.moment, end.moment, 3));
    return fabs(end.kinetic + end.elastic - begin.kinetic - begin.elastic) / begin.kinetic;
}

static void nodes_on_bones_and_bodies_in_meshes_keep_momenta_and_energy(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t draw = 0; draw < test_draws(20); draw++) {
        double moments[2], energy[2];
        for (int k = 0; k < 2; k++) energy[k] = run_mesh(state, (int64_t)50 << k, &moments[k]);
        if (!(moments[0] <= 1e-3) || !(moments[1] <= moments[0] / 3 + 1e-7))
            fail_msg("draw %d: momenta changed by %g, then %g", (int)draw, moments[0], moments[1]);
        if (!(energy[0] <= 1e-2) || !(energy[1] <= energy[0] / 3 + 1e-5))
            fail_msg("draw %d: energy changed by %g, then %g", (int)draw, energy[0], energy[1]);
        for (int k = 0; k < 100; k++) (void)test_integer(&state, 0, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_between_bodies_is_their_mean),
        cmocka_unit_test(a_body_on_bodies_flies_as_momenta_and_energy_say),
        cmocka_unit_test(accelerations_are_those_of_pinned_parts),
        cmocka_unit_test(trajectories_are_those_of_pinned_parts),
        cmocka_unit_test(a_free_body_with_attached_parts_moves_as_one_body),
        cmocka_unit_test(what_a_prescribed_wheel_carries_stays_at_its_radius),
        cmocka_unit_test(a_spring_to_a_marker_swings_the_body),
        cmocka_unit_test(a_contact_of_an_attached_sphere_is_that_of_its_body),
        cmocka_unit_test(shapes_on_one_body_do_not_touch),
        cmocka_unit_test(a_muscle_over_a_via_point_is_that_over_the_body),
        cmocka_unit_test(nodes_on_bones_and_bodies_in_meshes_keep_momenta_and_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
