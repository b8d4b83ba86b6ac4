/* SPDX-License-Identifier: MIT */
/* A chain of rigid links in maximal coordinates, one semi-implicit step:
 *
 *     G_i v_i - (J'lambda)_i = G_i twist_i + h (weight - gyroscopic term)    6 velocities a link
 *     J v = 0                                                                5 rows a hinge
 *     motors: turning velocity of a hinge = 0 within |impulse| <= h torque   1 row a hinge, bounded
 *
 * (G: rigid.h).  A link's frame sits at the hinge to the one before it, x along the link, the
 * centre of mass in the link's middle.  Hinge axes are the links' y and z in turn, each turned by
 * the angle with cosine 4/5 and sine 3/5 or -3/5 (drawn).  The start velocities obey the hinges.  n
 * = 6 bodies, m = 5 bodies, + bodies with motors; J has full row rank.
 */
#include <string.h>

#include "chain.h"
#include "draw.h"
#include "generators.h"
#include "rigid.h"

saddle_chain_parameters saddle_chain_default(void)
{
    saddle_chain_parameters p = {.bodies = 50,
                                 .sides = {0.5, 0.1, 0.05},
                                 .density = 1000,
                                 .rate = 2,
                                 .time_step = 0.01,
                                 .seed = 1,
                                 .named = 1,
                                 .torque = 0};
    return p;
}

static saddle_status check_parameters(saddle_context *context, const saddle_chain_parameters *p)
{
    if (p->bodies < 1 || p->bodies > 10000000)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "chain: bodies is not within 1 .. 10000000");
    if (!(p->sides[0] > 0) || !(p->sides[1] > 0) || !(p->sides[2] > 0) || !(p->density > 0) ||
        !(p->time_step > 0) || p->torque < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "chain: a size, density or step is not positive");
    return SADDLE_OK;
}

double chain_hang(const saddle_chain_parameters *p, int axis, uint64_t *state,
                  const rigid_body *parent, rigid_body *child, double *turn)
{
    const double tip[3] = {p->sides[0], 0, 0};
    double arm[3], velocity[3];
    rigid_turn(axis, 0.8, draw_below(state, 2) == 0 ? 0.6 : -0.6, turn);
    double rate = p->rate * draw_fraction(state);
    if (parent == NULL) {
        memcpy(child->rotation, turn, 9 * sizeof *turn);
    } else {
        rigid_chain_rotation(parent->rotation, turn, child->rotation);
        rigid_point(parent, tip, child->position);
        rigid_cross(parent->twist + 3, tip, arm);
        for (int i = 0; i < 3; i++) velocity[i] = parent->twist[i] + arm[i];
        rigid_rotate_back(turn, velocity, child->twist);
        rigid_rotate_back(turn, parent->twist + 3, child->twist + 3);
    }
    child->twist[3 + axis] += rate;
    return rate;
}

saddle_status saddle_generate_chain(saddle_context *context,
                                    const saddle_chain_parameters *parameters,
                                    saddle_problem *problem)
{
    static const double gravity[3] = {0, 0, -9.81};
    static const double axes_y[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}; /* columns z, x, y */
    static const double axes_z[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    *problem = (saddle_problem){0};
    saddle_status status = check_parameters(context, parameters);
    if (status != SADDLE_OK) return status;
    const saddle_chain_parameters *p = parameters;
    const double origin[3] = {0, 0, 0}, tip[3] = {p->sides[0], 0, 0},
                 middle[3] = {p->sides[0] / 2, 0, 0};
    const char *link = p->named ? "link" : NULL, *hinge = p->named ? "hinge" : NULL,
               *motor = p->named ? "motor" : NULL;
    builder b = builder_begin(context);
    uint64_t state = p->seed;
    rigid_body parent, child;
    for (int64_t i = 0; i < p->bodies; i++) {
        int axis = i % 2 == 0 ? 1 : 2;
        const rigid_body *before = i > 0 ? &parent : NULL;
        child = rigid_box(p->density, p->sides, middle);
        double turn[9], frame[9];
        (void)chain_hang(p, axis, &state, before, &child, turn);
        rigid_add(&b, &child, 1, p->time_step, gravity, link, i + 1);
        rigid_chain_rotation(child.rotation, axis == 1 ? axes_y : axes_z, frame);
        rigid_hinge(&b, before, tip, &child, origin, frame, hinge, i + 1);
        if (p->torque > 0)
            rigid_hinge_drive(&b, before, &child, frame, 0, -p->time_step * p->torque,
                              p->time_step * p->torque, motor, i + 1);
        parent = child;
    }
    return builder_finish(&b, p->torque > 0 ? "chain with motors" : "chain", p->time_step, problem);
}
