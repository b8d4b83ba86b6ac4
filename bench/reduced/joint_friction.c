/* SPDX-License-Identifier: MIT */
#include "joint_friction.h"

#include <math.h>

#include "../harness.h"
#include "explicit_bearings.h"

enum { LINKS_MOST = 16, STEPS_MOST = 256 };

typedef struct race {
    explicit_bearings chain;
    saddle_tree *tree;
    saddle_tree_friction *friction;
    saddle_solver *solver;
    saddle_problem problem;
    saddle_solution solution;
    double q[LINKS_MOST], dq[LINKS_MOST];
} race;

/* Links of length 0.3, rods along -y on hinges about z, with bearings of radius 10 mm. */
static saddle_status begin(saddle_context *context, int64_t links, int64_t points, race *r)
{
    saddle_tree_body body[LINKS_MOST];
    saddle_tree_bearing bearing[LINKS_MOST];
    const saddle_bearing of = {.mu = 0.2, .radius = 0.01, .half_length = 0.02, .points = points};
    *r = (race){.chain = {.links = links,
                          .points = points,
                          .bearing = of,
                          .inertia = {1, {0, -0.15, 0}, {7.5e-3, 0, 0, 0, 1e-3, 0, 0, 0, 7.5e-3}},
                          .gravity = {0, -9.81, 0},
                          .time_step = 0.005}};
    for (int64_t k = 0; k < links; k++) {
        body[k] = (saddle_tree_body){k - 1, saddle_motion_revolute(), r->chain.inertia};
        if (k > 0) body[k].joint.before.p[1] = -0.3;
        bearing[k] = saddle_tree_bearing_default();
        bearing[k].body = k;
        bearing[k].frame_a = body[k].joint.before;
        bearing[k].bearing = of;
        r->q[k] = 0.4;
    }
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-8;
    saddle_tree_friction_options own = saddle_tree_friction_options_default();
    own.solver_options.tolerance = 1e-8;
    own.tolerance = 1e-8;
    saddle_status status = saddle_tree_create(context, links, body, &r->tree);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(r->tree, r->chain.gravity);
    if (status == SADDLE_OK)
        status = saddle_tree_friction_create(r->tree, links, bearing, &own, &r->friction);
    if (status == SADDLE_OK) status = explicit_bearings_create(context, &r->chain, &r->problem);
    if (status == SADDLE_OK)
        status = saddle_solution_create(context, r->problem.n, r->problem.m, &r->solution);
    if (status == SADDLE_OK)
        status = saddle_solver_create(context, "staggered", &options, &r->solver);
    return status;
}

static void end(race *r)
{
    saddle_tree_friction_free(r->friction);
    saddle_tree_free(r->tree);
    saddle_solver_free(r->solver);
    saddle_problem_clear(&r->problem);
    saddle_solution_clear(&r->solution);
}

/* One step of the explicit points from the state as placed: factored, solved. */
static saddle_status step_explicit(race *r, int first, double *seconds, int64_t *rounds)
{
    saddle_pose pose[LINKS_MOST];
    double twist[6 * LINKS_MOST], drift[6 * LINKS_MOST];
    saddle_status status = saddle_tree_poses(r->tree, pose);
    if (status == SADDLE_OK) status = saddle_tree_push(r->tree, r->dq, twist);
    if (status == SADDLE_OK) status = saddle_tree_push_rate(r->tree, r->dq, drift);
    if (status != SADDLE_OK) return status;
    explicit_bearings_values(&r->chain, pose, twist, drift, &r->problem);
    if (first) status = saddle_solver_analyse(r->solver, &r->problem);
    const double began = bench_processor_seconds();
    if (status == SADDLE_OK) status = saddle_solver_factor(r->solver, &r->problem);
    if (status >= 0) status = saddle_solver_solve(r->solver, &r->problem, NULL, &r->solution);
    *seconds = bench_processor_seconds() - began;
    *rounds = saddle_solver_report(r->solver)->iterations;
    return status;
}

static saddle_status step_bilateral(race *r, double *seconds)
{
    const saddle_tree_friction_step step = {.time_step = r->chain.time_step};
    const double began = bench_processor_seconds();
    saddle_status status = saddle_tree_place(r->tree, r->q, r->dq);
    if (status == SADDLE_OK) status = saddle_tree_friction_advance(r->friction, &step, r->q, r->dq);
    *seconds = bench_processor_seconds() - began;
    return status;
}

/* The largest difference of v+, relative to the largest velocity. */
static double difference_of(race *r)
{
    double twist[6 * LINKS_MOST], largest = 0, error = 0;
    if (saddle_tree_push(r->tree, r->dq, twist) != SADDLE_OK) return -1;
    for (int64_t i = 0; i < r->problem.n; i++) {
        largest = fmax(largest, fabs(twist[i]));
        error = fmax(error, fabs(twist[i] - r->solution.v[i]));
    }
    return largest > 0 ? error / largest : 0;
}

saddle_status joint_friction_figures_of(saddle_context *context, int64_t links, int64_t points,
                                        int64_t steps, joint_friction_figures *figures)
{
    double seconds[2][STEPS_MOST];
    race r;
    *figures = (joint_friction_figures){0};
    if (links > LINKS_MOST || steps > STEPS_MOST) return SADDLE_TOO_LARGE;
    saddle_status status = begin(context, links, points, &r);
    for (int64_t k = 0; status == SADDLE_OK && k < steps; k++) {
        int64_t rounds = 0;
        status = saddle_tree_place(r.tree, r.q, r.dq);
        if (status != SADDLE_OK) break;
        status = step_explicit(&r, k == 0, &seconds[1][k], &rounds);
        if (status < 0) break;
        const int solved = status == SADDLE_OK;
        status = step_bilateral(&r, &seconds[0][k]);
        if (status != SADDLE_OK) break;
        if (solved) figures->difference = fmax(figures->difference, difference_of(&r));
        figures->unsolved += !solved;
        figures->rounds[0] += (double)saddle_tree_friction_report_of(r.friction)->rounds /
                              (double)steps;
        figures->rounds[1] += (double)rounds / (double)steps;
    }
    if (status == SADDLE_OK) {
        figures->bilateral = bench_median(seconds[0], (int)steps);
        figures->explicit_points = bench_median(seconds[1], (int)steps);
    }
    end(&r);
    return status;
}
