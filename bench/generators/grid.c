/* SPDX-License-Identifier: MIT */
/* Square plates in a level grid, neighbours joined at the middles of their facing edges, the four
 * corner plates held by a ball joint at their outer corners; one semi-implicit step with gravity
 * from drawn velocities:
 *
 *     G v - J'lambda = G twist + h (weight - gyroscopic term)
 *     J v + R lambda = 0,    R = compliance * 1
 *
 * Rods of 0.05 m: one row a pair, along the rod.  Balls: three rows a pair.  n = 6 nx ny and m = (1
 * or 3) (2 nx ny - nx - ny) + 12.  In their plane, ball joints put 2 rows on each pair of plates
 * with 3 motions each: from 4 x 4 on more rows than motions.  Only the compliance makes their
 * impulses unique.
 */
#include <stddef.h>

#include "draw.h"
#include "generators.h"
#include "rigid.h"

#define EDGE 0.1 /* of a plate [m] */
#define ROD 0.05 /* gap that a rod bridges [m] */

saddle_grid_parameters saddle_grid_default(void)
{
    saddle_grid_parameters p = {.plates = {4, 4},
                                .joint = SADDLE_GRID_BALLS,
                                .compliance = 1e-8,
                                .time_step = 0.01,
                                .seed = 1};
    return p;
}

static rigid_body make_plate(const saddle_grid_parameters *p, int64_t i, int64_t j, uint64_t *state)
{
    static const double sides[3] = {EDGE, EDGE, 0.01};
    double pitch = p->joint == SADDLE_GRID_RODS ? EDGE + ROD : EDGE;
    rigid_body plate = rigid_box(2700, sides, NULL);
    plate.position[0] = pitch * (double)i;
    plate.position[1] = pitch * (double)j;
    for (int k = 0; k < 6; k++) plate.twist[k] = draw_fraction(state);
    return plate;
}

static void comply(builder *b, double compliance, int64_t first, int64_t count)
{
    for (int64_t row = first; compliance > 0 && row < first + count; row++)
        builder_compliance(b, row, row, compliance);
}

/* Joins A with its neighbour B in direction x (axis 0) or y (axis 1). */
static void join(builder *b, const saddle_grid_parameters *p, const rigid_body *A,
                 const rigid_body *B, int axis)
{
    double from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, direction[3] = {0, 0, 0};
    from[axis] = EDGE / 2;
    to[axis] = -EDGE / 2;
    direction[axis] = 1;
    if (p->joint == SADDLE_GRID_BALLS) {
        comply(b, p->compliance, rigid_ball(b, A, from, B, to, NULL, 0), 3);
        return;
    }
    int64_t row = builder_equality(b);
    rigid_point_row(b, row, -1, A, from, direction);
    rigid_point_row(b, row, 1, B, to, direction);
    comply(b, p->compliance, row, 1);
}

static void hold_corners(builder *b, const saddle_grid_parameters *p, const rigid_body *plates)
{
    int64_t nx = p->plates[0], ny = p->plates[1];
    for (int corner = 0; corner < 4; corner++) {
        int right = corner % 2, back = corner / 2;
        const rigid_body *plate = plates + (right ? nx - 1 : 0) + nx * (back ? ny - 1 : 0);
        const double local[3] = {right ? EDGE / 2 : -EDGE / 2, back ? EDGE / 2 : -EDGE / 2, 0};
        comply(b, p->compliance, rigid_ball(b, NULL, local, plate, local, NULL, 0), 3);
    }
}

saddle_status saddle_generate_grid(saddle_context *context,
                                   const saddle_grid_parameters *parameters,
                                   saddle_problem *problem)
{
    static const double gravity[3] = {0, 0, -9.81};
    const saddle_grid_parameters *p = parameters;
    *problem = (saddle_problem){0};
    for (int d = 0; d < 2; d++)
        if (p->plates[d] < 1 || p->plates[d] > 3000)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "grid: plates[%d] is not within 1 .. 3000", d);
    if (!(p->compliance >= 0) || !(p->time_step > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "grid: compliance or time step is out of range");
    int64_t nx = p->plates[0], ny = p->plates[1];
    rigid_body *plates = saddle_allocate(context, nx * ny, sizeof *plates);
    if (plates == NULL) return SADDLE_OUT_OF_MEMORY;
    builder b = builder_begin(context);
    uint64_t state = p->seed;
    for (int64_t k = 0; k < nx * ny; k++) {
        plates[k] = make_plate(p, k % nx, k / nx, &state);
        rigid_add(&b, plates + k, 1, p->time_step, gravity, NULL, 0);
    }
    for (int64_t k = 0; k < nx * ny; k++) {
        if (k % nx + 1 < nx) join(&b, p, plates + k, plates + k + 1, 0);
        if (k / nx + 1 < ny) join(&b, p, plates + k, plates + k + nx, 1);
    }
    hold_corners(&b, p, plates);
    saddle_release(context, plates);
    return builder_finish(&b,
                          p->joint == SADDLE_GRID_RODS ? "plates on rods" : "plates on ball joints",
                          p->time_step, problem);
}
