/* SPDX-License-Identifier: MIT */
/* A run of discs that roll and come to rest in a pit, step by step: rows that come and go.
 *
 *     M v - J'lambda = M v_before + h weight,    J v - b = w      h the step
 *                                                                 v = (x, y, turn)' of each disc,
 *                                                                 n = 3 discs
 *
 *     normal      n'(v_B - v_A) >= -gap / h, unilateral, while the gap is below a part of the
 *                 radius; penetration comes out at a fifth of it a step
 *     tangent     t'(v_B - v_A) - r_A turn_A - r_B turn_B = 0 within |lambda| <= h mu m g / 2
 *                 (Tresca's law: a bound that does not follow the normal force), a box row with
 *                 each normal one
 *     rod         the distance of two neighbours in a row of three, equality; always there
 *     friction    of their joint, turn_B - turn_A = 0 within |lambda| <= h torque, box; always
 *                 there
 *     limit       |angle_B - angle_A| <= most: a unilateral row of either sign while the angle is
 *                 near its limit
 *
 * Ids: 8 i + 0 .. 3 for the rod, joint friction and limits behind disc i; those of a contact follow
 * from the two discs, or disc and wall.  Every third disc begins a row of three where rows are
 * asked for.  The start: a loose grid of discs above the floor that moves to the right.
 */
#include <math.h>
#include <string.h>

#include "builder.h"
#include "draw.h"
#include "generators.h"
#include "saddle/solver.h"

enum { FLOOR = 0, LEFT, RIGHT, WALLS, IN_A_ROW = 3 };

typedef struct disc {
    double place[2], angle; /* [m], [rad] */
    double velocity[3];     /* [m/s], [rad/s] */
    double radius, mass;    /* [m], [kg] */
} disc;

typedef struct scene {
    const saddle_rolling_parameters *p;
    saddle_context *context;
    disc *discs;
    double width; /* of the pit [m] */
} scene;

static const double gravity = 9.81;
static const double near_gap = 0.5;    /* of the radius */
static const double near_angle = 0.15; /* to a limit [rad] */
static const double recovery = 0.2;    /* of a penetration or a stretched rod, a step */

saddle_rolling_parameters saddle_rolling_default(void)
{
    saddle_rolling_parameters p = {.discs = 36,
                                   .triples = 6,
                                   .radius = 0.1,
                                   .density = 500,
                                   .mu = 0.3,
                                   .torque = 0.2,
                                   .most_angle = 0.4,
                                   .speed = 1,
                                   .time_step = 0.01,
                                   .seed = 1};
    return p;
}

/* Discs of nearly one size in rows of a square grid, the lowest just above the floor. */
static void place_discs(scene *s)
{
    const saddle_rolling_parameters *p = s->p;
    uint64_t state = p->seed;
    int64_t columns = 1;
    while (columns * columns < 2 * p->discs) columns++;
    columns += (IN_A_ROW - columns % IN_A_ROW) % IN_A_ROW; /* a row of three stays in one line */
    double pitch = 2.4 * p->radius;
    s->width = ((double)columns + 0.5) * pitch;
    for (int64_t i = 0; i < p->discs; i++) {
        disc *d = &s->discs[i];
        int64_t line = i / columns;
        d->radius = p->radius * (1 + 0.1 * draw_fraction(&state));
        d->mass = p->density * 3.14159265358979 * d->radius * d->radius;
        d->place[0] = ((double)(i % columns) + 0.6 + 0.15 * draw_fraction(&state)) * pitch;
        d->place[1] = ((double)line + 0.55) * pitch;
        d->velocity[0] = p->speed * (1 + 0.25 * draw_fraction(&state));
        d->velocity[2] = 2 * draw_fraction(&state);
    }
}

static int is_pair(const scene *s, int64_t i, int64_t j)
{
    return j == i + 1 && i % IN_A_ROW != IN_A_ROW - 1 && i / IN_A_ROW < s->p->triples;
}

static void add_disc(builder *b, const scene *s, int64_t i)
{
    const disc *d = &s->discs[i];
    int64_t at = builder_velocities(b, 3, "disc %lld", (long long)i + 1);
    double inertia[3] = {d->mass, d->mass, 0.5 * d->mass * d->radius * d->radius};
    for (int k = 0; k < 3; k++) {
        builder_mass(b, at + k, at + k, inertia[k]);
        builder_force(b, at + k, inertia[k] * d->velocity[k]);
    }
    builder_force(b, at + 1, -s->p->time_step * d->mass * gravity);
}

/* The wanted speed of a row: up to the gap, or back by a part of the penetration. */
static double wanted(const scene *s, double left)
{
    return (left > 0 ? -left : -recovery * left) / s->p->time_step;
}

/* direction'(v_j - v_i) into a row; i < 0: a wall. */
static void add_relative(builder *b, int64_t row, const double *direction, int64_t i, int64_t j)
{
    for (int k = 0; k < 2; k++) {
        builder_jacobian(b, row, 3 * j + k, direction[k]);
        if (i >= 0) builder_jacobian(b, row, 3 * i + k, -direction[k]);
    }
}

/* Normal and tangent of a contact with disc j, normal to it from disc or wall `other`. */
static void add_contact(builder *b, const scene *s, const double *normal, double gap, int64_t other,
                        int64_t j)
{
    const saddle_rolling_parameters *p = s->p;
    const double tangent[2] = {-normal[1], normal[0]};
    double bound = 0.5 * p->time_step * p->mu * s->discs[j].mass * gravity;
    int64_t i = other < p->discs ? other : -1;
    int64_t id = 1000000 + 2 * (other * p->discs + j);
    int64_t row = builder_row(b, 0, (double)INFINITY, wanted(s, gap));
    builder_label(b, row, id, "contact");
    add_relative(b, row, normal, i, j);
    row = builder_row(b, -bound, bound, 0);
    builder_label(b, row, id + 1, "contact, tangent");
    add_relative(b, row, tangent, i, j);
    builder_jacobian(b, row, 3 * j + 2, -s->discs[j].radius);
    if (i >= 0) builder_jacobian(b, row, 3 * i + 2, -s->discs[i].radius);
}

static void add_walls(builder *b, const scene *s, int64_t j)
{
    static const double normals[WALLS][2] = {{0, 1}, {1, 0}, {-1, 0}};
    const disc *d = &s->discs[j];
    const double gaps[WALLS] = {d->place[1] - d->radius, d->place[0] - d->radius,
                                s->width - d->place[0] - d->radius};
    for (int k = 0; k < WALLS; k++)
        if (gaps[k] < near_gap * d->radius)
            add_contact(b, s, normals[k], gaps[k], s->p->discs + k, j);
}

/* The unit vector from disc i to disc j; returns their distance. */
static double find_direction(const scene *s, int64_t i, int64_t j, double *direction)
{
    for (int k = 0; k < 2; k++) direction[k] = s->discs[j].place[k] - s->discs[i].place[k];
    double distance = sqrt(direction[0] * direction[0] + direction[1] * direction[1]);
    for (int k = 0; k < 2; k++) direction[k] /= distance;
    return distance;
}

/* turn_j - turn_i */
static void add_turning(builder *b, int64_t row, double sign, int64_t i, int64_t j)
{
    builder_jacobian(b, row, 3 * j + 2, sign);
    builder_jacobian(b, row, 3 * i + 2, -sign);
}

static void add_joint(builder *b, const scene *s, int64_t i, int64_t j)
{
    const saddle_rolling_parameters *p = s->p;
    double direction[2];
    double stretched = find_direction(s, i, j, direction) - 2.4 * p->radius;
    int64_t row = builder_row(b, -(double)INFINITY, (double)INFINITY,
                              -recovery * stretched / p->time_step);
    builder_label(b, row, 8 * i, "rod");
    add_relative(b, row, direction, i, j);
    row = builder_row(b, -p->time_step * p->torque, p->time_step * p->torque, 0);
    builder_label(b, row, 8 * i + 1, "joint friction");
    add_turning(b, row, 1, i, j);
    double angle = s->discs[j].angle - s->discs[i].angle;
    for (int side = 0; side < 2; side++) {
        double sign = side ? -1 : 1;
        double left = p->most_angle + sign * angle;
        if (left > near_angle) continue;
        row = builder_row(b, 0, (double)INFINITY, wanted(s, left));
        builder_label(b, row, 8 * i + 2 + side, "joint limit");
        add_turning(b, row, sign, i, j);
    }
}

static saddle_status make_problem(const scene *s, saddle_problem *problem)
{
    builder b = builder_begin(s->context);
    for (int64_t i = 0; i < s->p->discs; i++) add_disc(&b, s, i);
    for (int64_t j = 0; j < s->p->discs; j++) {
        for (int64_t i = 0; i < j; i++) {
            double normal[2];
            double gap = find_direction(s, i, j, normal) - s->discs[i].radius - s->discs[j].radius;
            if (is_pair(s, i, j))
                add_joint(&b, s, i, j);
            else if (gap < near_gap * s->p->radius)
                add_contact(&b, s, normal, gap, i, j);
        }
        add_walls(&b, s, j);
    }
    return builder_finish(&b, "rolling discs", s->p->time_step, problem);
}

static void advance(scene *s, const double *v)
{
    for (int64_t i = 0; i < s->p->discs; i++) {
        disc *d = &s->discs[i];
        memcpy(d->velocity, v + 3 * i, sizeof d->velocity);
        for (int k = 0; k < 2; k++) d->place[k] += s->p->time_step * d->velocity[k];
        d->angle += s->p->time_step * d->velocity[2];
    }
}

static saddle_status check_parameters(saddle_context *context, const saddle_rolling_parameters *p,
                                      int64_t steps)
{
    if (p->discs < 1 || p->discs > 10000 || p->triples < 0 || steps < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "rolling: discs, triples or steps are out of range");
    if (!(p->radius > 0) || !(p->density > 0) || !(p->mu >= 0) || !(p->torque >= 0) ||
        !(p->most_angle > 0) || !(p->time_step > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "rolling: a size, density, bound or step is not positive");
    return SADDLE_OK;
}

/* One step by a solver that starts cold: the run owes nothing to warm starts. */
static saddle_status take_step(scene *s, saddle_problem *problem)
{
    saddle_options options = saddle_options_default();
    saddle_solution x = {0};
    saddle_status status = make_problem(s, problem);
    if (status == SADDLE_OK)
        status = saddle_solve(s->context, problem, "schur", &options, NULL, &x, NULL);
    if (status == SADDLE_OK) advance(s, x.v);
    saddle_solution_clear(&x);
    return status > 0
               ? saddle_fail(s->context, SADDLE_INTERNAL, "rolling: a step could not be solved")
               : status;
}

saddle_status saddle_generate_rolling(saddle_context *context,
                                      const saddle_rolling_parameters *parameters, int64_t steps,
                                      saddle_problem *problems)
{
    scene s = {.p = parameters, .context = context};
    for (int64_t k = 0; k < steps; k++) problems[k] = (saddle_problem){0};
    saddle_status status = check_parameters(context, parameters, steps);
    if (status != SADDLE_OK) return status;
    s.discs = saddle_allocate(context, parameters->discs, sizeof *s.discs);
    if (!s.discs) return SADDLE_OUT_OF_MEMORY;
    place_discs(&s);
    for (int64_t k = 0; status == SADDLE_OK && k < steps; k++) status = take_step(&s, &problems[k]);
    for (int64_t k = 0; status != SADDLE_OK && k < steps; k++) saddle_problem_clear(&problems[k]);
    saddle_release(context, s.discs);
    return status;
}
