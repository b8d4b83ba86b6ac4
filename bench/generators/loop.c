/* SPDX-License-Identifier: MIT */
/* Parallelogram four-bars side by side, all hinge axes parallel: loops + 1 cranks stand on the
 * ground one metre apart, a coupler joins the tips of each two neighbours; every rod is 1 m long
 * and of 1 kg.  Equations as for the chain (chain.c).
 *
 * n = 6 (2 loops + 1), m = 5 (3 loops + 1).  One motion is left (all cranks turn alike), so rank J
 * = n - 1 = 12 loops + 5: 3 rows of each loop are redundant (two turns out of the plane and the
 * shift along the axes).  In that motion's coordinate
 *
 *     M1 = (loops + 1) I + loops m L^2
 *     I = m (L^2 / 3 + s^2 / 12)      of a crank about its hinge, s its height
 *     crank rate after the step = rate - h g cos(angle) L m ((loops + 1) / 2 + loops) / M1
 *     cos(angle) = 3/5
 */
#include "generators.h"
#include "rigid.h"

#define LENGTH 1.0

saddle_loop_parameters saddle_loop_default(void)
{
    saddle_loop_parameters p = {.loops = 4, .rate = 1, .time_step = 0.01};
    return p;
}

static rigid_body make_rod(void)
{
    static const double sides[3] = {LENGTH, 0.02, 0.05}, middle[3] = {LENGTH / 2, 0, 0};
    return rigid_box(1000, sides, middle);
}

/* Crank i: x along the rod, leaning by the angle with cosine 3/5 and sine 4/5 from the horizontal,
 * turning upwards. */
static rigid_body make_crank(int64_t i, double rate)
{
    rigid_body crank = make_rod();
    rigid_turn(1, 0.6, -0.8, crank.rotation);
    crank.position[0] = (double)i * LENGTH;
    crank.twist[4] = -rate;
    return crank;
}

/* Coupler i: from the tip of crank i to the tip of crank i + 1; it shifts without turning. */
static rigid_body make_coupler(const rigid_body *crank, const double *tip)
{
    rigid_body coupler = make_rod();
    double velocity[3];
    rigid_point(crank, tip, coupler.position);
    rigid_cross(crank->twist + 3, tip, velocity);
    rigid_rotate(crank->rotation, velocity, coupler.twist);
    return coupler;
}

saddle_status saddle_generate_loop(saddle_context *context,
                                   const saddle_loop_parameters *parameters,
                                   saddle_problem *problem)
{
    static const double gravity[3] = {0, 0, -9.81}, origin[3] = {0, 0, 0}, tip[3] = {LENGTH, 0, 0};
    static const double axes[9] = {0, 1, 0, 0, 0,
                                   1, 1, 0, 0}; /* columns z, x, y: the hinges turn about y */
    *problem = (saddle_problem){0};
    if (parameters->loops < 1 || parameters->loops > 1000000 || !(parameters->time_step > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "loop: loops is not within 1 .. 1000000 or no time step");
    builder b = builder_begin(context);
    double h = parameters->time_step;
    rigid_body crank = make_crank(0, parameters->rate);
    rigid_add(&b, &crank, 1, h, gravity, "crank", 1);
    rigid_hinge(&b, NULL, origin, &crank, origin, axes, "foot", 1);
    for (int64_t i = 0; i < parameters->loops; i++) {
        rigid_body coupler = make_coupler(&crank, tip), next = make_crank(i + 1, parameters->rate);
        rigid_add(&b, &coupler, 1, h, gravity, "coupler", i + 1);
        rigid_add(&b, &next, 1, h, gravity, "crank", i + 2);
        rigid_hinge(&b, NULL, origin, &next, origin, axes, "foot", 3 * i + 2);
        rigid_hinge(&b, &crank, tip, &coupler, origin, axes, "left pin", 3 * i + 3);
        rigid_hinge(&b, &coupler, tip, &next, tip, axes, "right pin", 3 * i + 4);
        crank = next;
    }
    return builder_finish(&b, "row of four-bars", h, problem);
}
