/* SPDX-License-Identifier: MIT */
/* A soft bar of tetrahedra between two links: a hub turned by a motor, and a weight at the far end.
 * The elements are corotational, so full turns need no force; the turning weight stretches the bar.
 * fem_bar.txt has the output. */
#include <stdio.h>

#include "saddle/saddle.h"

enum { CELLS = 6, NODES = 4 * (CELLS + 1), TETRAHEDRA = 6 * CELLS };

static const double inner = 0.1, edge = 0.1, young = 2e6, density = 1000, weight = 2; /* SI */
static const double speed = 6;                                                        /* [rad/s] */

typedef struct scene {
    saddle_model *model;
    saddle_handle hub, bar, end;
} scene;

/* Six tetrahedra a cell, around the diagonal from corner 0 to corner 7. */
static void make_mesh(double *x, int64_t *node)
{
    static const int corners[24] = {0, 1, 3, 7, 0, 3, 2, 7, 0, 2, 6, 7,
                                    0, 6, 4, 7, 0, 4, 5, 7, 0, 5, 1, 7};
    for (int n = 0; n < NODES; n++) {
        x[3 * n] = inner + edge * (n / 4);
        x[3 * n + 1] = edge * (n % 2 - 0.5);
        x[3 * n + 2] = edge * (n / 2 % 2 - 0.5);
    }
    for (int k = 0; k < 4 * TETRAHEDRA; k++) {
        const int c = corners[k % 24]; /* bits 0, 1, 2: along x, y, z */
        node[k] = 4 * (k / 24 + (c & 1)) + c / 2;
    }
}

/* A body of the size of a cell at x, and the nodes of layer `layer` of the bar on the body. */
static saddle_status add_link(scene *s, double x, double mass, int layer, saddle_handle *link)
{
    const double size[3] = {edge, edge, edge}, weights[2] = {1, -1};
    saddle_body_def body = saddle_body_def_default();
    body.pose.p[0] = x;
    saddle_status status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, mass,
                                                       &body.inertia);
    if (status == SADDLE_OK) status = saddle_model_add_body(s->model, &body, link);
    for (int k = 0; status == SADDLE_OK && k < 4; k++) {
        const saddle_anchor anchors[2] = {{s->bar, 4 * layer + k}, {*link, 0}};
        const double *at = saddle_model_position(s->model, s->bar) + 3 * anchors[0].node;
        const double points[6] = {0, 0, 0, at[0] - x, at[1], at[2]};
        saddle_pin_def pin = saddle_pin_def_default();
        saddle_handle made;
        pin.count = 2;
        pin.anchors = anchors;
        pin.weights = weights;
        pin.points = points;
        status = saddle_model_add_pin(s->model, &pin, &made);
    }
    return status;
}

static saddle_status build(scene *s)
{
    const double origin[3] = {0, 0, 0}, z[3] = {0, 0, 1};
    double x[3 * NODES];
    int64_t node[4 * TETRAHEDRA];
    saddle_fem_mesh mesh = saddle_fem_mesh_default();
    saddle_joint_def hinge = saddle_joint_def_default();
    saddle_pose place;
    saddle_handle joint;
    make_mesh(x, node);
    mesh.nodes = NODES;
    mesh.position = x;
    mesh.tetrahedra = TETRAHEDRA;
    mesh.tetrahedron = node;
    mesh.young = young;
    mesh.poisson = 0;
    mesh.density = density;
    mesh.corotational = 1;
    saddle_status status = saddle_model_add_fem_mesh(s->model, &mesh, &s->bar, NULL);
    if (status == SADDLE_OK) status = add_link(s, inner - edge / 2, 5, 0, &s->hub);
    if (status == SADDLE_OK)
        status = add_link(s, inner + edge * (CELLS + 0.5), weight, CELLS, &s->end);
    hinge.kind = SADDLE_JOINT_HINGE;
    hinge.b = s->hub;
    hinge.free[0].motor = 1;
    hinge.free[0].motor_target = speed;
    hinge.free[0].motor_strength = 20;
    if (status == SADDLE_OK) status = saddle_pose_along(NULL, origin, z, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(s->model, &place, &hinge);
    return status == SADDLE_OK ? saddle_model_add_joint(s->model, &hinge, &joint) : status;
}

/* N(r) = w^2 (m r_m + rho A (R^2 - r^2)/2), u = integral of N/(E A) */
static double closed_form(void)
{
    const double length = edge * CELLS, R = inner + length, area = edge * edge;
    const double carried = weight * (R + edge / 2) * length;
    const double own = density * area / 2 *
                       (R * R * length - (R * R * R - inner * inner * inner) / 3);
    return speed * speed * (carried + own) / (young * area);
}

int main(void)
{
    scene s = {0};
    saddle_stepper *stepper = NULL;
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    options.assembly.symmetric_stiffness = 1;
    saddle_status status = saddle_model_create(NULL, &s.model);
    if (status == SADDLE_OK) status = build(&s);
    if (status == SADDLE_OK) status = saddle_stepper_create(s.model, &options, &stepper);
    for (int k = 0; status >= SADDLE_OK && k < 1500; k++) status = saddle_stepper_step(stepper);
    if (status < SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    const saddle_pose far = saddle_pose_between(saddle_model_pose(s.model, s.hub),
                                                saddle_model_pose(s.model, s.end));
    const double *twist = saddle_model_velocity(s.model, s.end);
    printf("the end turns at %.2f rad/s\n", twist[5]);
    printf("the bar is longer by %.1f mm, by the formula of a bar %.1f mm\n",
           1e3 * (far.p[0] - edge * (CELLS + 1)), 1e3 * closed_form());
    saddle_stepper_free(stepper);
    saddle_model_free(s.model);
    return 0;
}
