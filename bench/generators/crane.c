/* SPDX-License-Identifier: MIT */
/* A small crane that stands on the ground by friction: every kind of row in one problem.
 *
 *     foot      on the ground with 4 contacts                                   12 rows, contacts
 *     column    on the foot, turns about the vertical                            5 rows, equalities
 *     boom      on the column, luffs about a level axis                          5 rows
 *     jib       on the boom's end, folds about a level axis, carries the load    5 rows
 *     motors    turn the column at 0.5 rad/s (strong enough) and try to hold
 *               the boom (too weak)                                              2 rows, bounded
 *     stop      the jib may fold up but not down                                 1 row, unilateral
 *
 * Equations as for the chain (chain.c), from rest.  n = 24, m = 30.
 */
#include <math.h>

#include "crane.h"

saddle_crane_parameters saddle_crane_default(void)
{
    saddle_crane_parameters p = {.mu = 0.5, .load = 20, .time_step = 0.01, .law = SADDLE_LAW_CONE};
    return p;
}

#define FOOT_HALF 0.6 /* half the foot's side [m] */
#define FOOT_HEIGHT 0.2
#define COLUMN 1.0 /* [m] */
#define BOOM CRANE_BOOM
#define JIB CRANE_JIB

/* Boom up by the angle with cosine 4/5 and sine 3/5, jib level; both along x. */
static crane make_crane(void)
{
    static const double foot[3] = {2 * FOOT_HALF, 2 * FOOT_HALF, FOOT_HEIGHT},
                        column[3] = {0.2, 0.2, COLUMN};
    static const double boom[3] = {BOOM, 0.1, 0.1}, jib[3] = {JIB, 0.08, 0.08};
    static const double column_centre[3] = {0, 0, COLUMN / 2}, boom_centre[3] = {BOOM / 2, 0, 0};
    static const double jib_centre[3] = {JIB / 2, 0, 0}, boom_tip[3] = {BOOM, 0, 0};
    crane c = {.foot = rigid_box(1000, foot, NULL),
               .column = rigid_box(800, column, column_centre),
               .boom = rigid_box(800, boom, boom_centre),
               .jib = rigid_box(800, jib, jib_centre)};
    c.foot.position[2] = FOOT_HEIGHT / 2;
    c.column.position[2] = FOOT_HEIGHT;
    c.boom.position[2] = FOOT_HEIGHT + COLUMN;
    rigid_turn(1, 0.8, -0.6, c.boom.rotation);
    rigid_point(&c.boom, boom_tip, c.jib.position);
    return c;
}

static void add_joints(builder *b, const saddle_crane_parameters *p, const crane *c)
{
    static const double level[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0},
                        upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double origin[3] = {0, 0, 0}, foot_top[3] = {0, 0, FOOT_HEIGHT / 2},
                        column_top[3] = {0, 0, COLUMN};
    static const double boom_tip[3] = {BOOM, 0, 0};
    double h = p->time_step;
    for (int corner = 0; corner < 4; corner++) {
        const double local[3] = {corner % 2 == 0 ? -FOOT_HALF : FOOT_HALF,
                                 corner < 2 ? -FOOT_HALF : FOOT_HALF, -FOOT_HEIGHT / 2};
        rigid_contact(b, NULL, origin, &c->foot, local, upright, p->mu, "corner", corner + 1);
    }
    rigid_hinge(b, &c->foot, foot_top, &c->column, origin, upright, "slewing ring", 1);
    rigid_hinge(b, &c->column, column_top, &c->boom, origin, level, "boom pin", 2);
    rigid_hinge(b, &c->boom, boom_tip, &c->jib, origin, level, "jib pin", 3);
    rigid_hinge_drive(b, &c->foot, &c->column, upright, 0.5, -h * 5000, h * 5000, "slewing motor",
                      1);
    rigid_hinge_drive(b, &c->column, &c->boom, level, 0, -h * 100, h * 100, "luffing motor", 2);
    /* level axis: turning down is positive, so the row counts turning up */
    int64_t stop = builder_row(b, 0, INFINITY, 0);
    static const double up[3] = {0, -1, 0};
    rigid_turn_row(b, stop, -1, &c->boom, up);
    rigid_turn_row(b, stop, 1, &c->jib, up);
    builder_label(b, stop, 8 * 3 + 5, "jib stop");
}

saddle_status crane_begin(saddle_context *context, const saddle_crane_parameters *p, crane *c,
                          builder *b)
{
    static const double gravity[3] = {0, 0, -9.81}, jib_tip[3] = {JIB, 0, 0};
    if (!(p->mu >= 0) || !(p->load >= 0) || !(p->time_step > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "crane: mu, load or the time step is out of range");
    const double weight[3] = {0, 0, -9.81 * p->load};
    *c = make_crane();
    *b = builder_begin(context);
    rigid_add(b, &c->foot, 1, p->time_step, gravity, "foot", 1);
    rigid_add(b, &c->column, 1, p->time_step, gravity, "column", 1);
    rigid_add(b, &c->boom, 1, p->time_step, gravity, "boom", 1);
    rigid_add(b, &c->jib, 1, p->time_step, gravity, "jib", 1);
    rigid_push(b, &c->jib, p->time_step, jib_tip, weight);
    add_joints(b, p, c);
    b->problem.law = p->law;
    return SADDLE_OK;
}

saddle_status saddle_generate_crane(saddle_context *context,
                                    const saddle_crane_parameters *parameters,
                                    saddle_problem *problem)
{
    crane c;
    builder b;
    *problem = (saddle_problem){0};
    saddle_status status = crane_begin(context, parameters, &c, &b);
    return status == SADDLE_OK ? builder_finish(&b, "crane", parameters->time_step, problem)
                               : status;
}
