/* SPDX-License-Identifier: MIT */
/* A tower of equal boxes (1 x 1 x 0.5 m), each standing on four feet on the one below, the lowest
 * on the ground; every other box is turned about the vertical.  At rest, then one step with gravity
 * and a horizontal push on one box:
 *
 *     G v - J'lambda = h (weight + push),   J v = w    a contact (normal, two tangents) per foot
 *
 * n = 6 boxes, m = 12 boxes, 4 boxes contacts; the normals are statically indeterminate (4 feet, 3
 * equations a box).  A push between mu and 2 mu of the weight it moves slides the pushed box on the
 * one below and leaves all others sticking.
 */
#include "generators.h"
#include "rigid.h"

#define WIDTH 1.0  /* [m] */
#define HEIGHT 0.5 /* [m] */
#define FOOT 0.35  /* of a foot beside the middle, along both sides [m] */

saddle_stack_parameters saddle_stack_default(void)
{
    saddle_stack_parameters p = {.boxes = 5,
                                 .density = 500,
                                 .mu = 0.5,
                                 .pushed = 4,
                                 .push = 0.8,
                                 .offset = 0.1,
                                 .time_step = 0.01,
                                 .law = SADDLE_LAW_CONE,
                                 .facets = 0};
    return p;
}

static rigid_body make_box(const saddle_stack_parameters *p, int64_t i)
{
    static const double sides[3] = {WIDTH, WIDTH, HEIGHT};
    rigid_body box = rigid_box(p->density, sides, NULL);
    if (i % 2 == 1) rigid_turn(2, 24.0 / 25, 7.0 / 25, box.rotation);
    box.position[2] = HEIGHT * ((double)i + 0.5);
    return box;
}

/* The four feet of a box: contacts with what is below (NULL = the ground). */
static void add_feet(builder *b, const saddle_stack_parameters *p, const rigid_body *below,
                     const rigid_body *box, int64_t number)
{
    static const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int foot = 0; foot < 4; foot++) {
        const double local[3] = {foot % 2 == 0 ? -FOOT : FOOT, foot < 2 ? -FOOT : FOOT,
                                 -HEIGHT / 2};
        double world[3], under[3] = {0, 0, 0};
        rigid_point(box, local, world);
        if (below != NULL) {
            for (int i = 0; i < 3; i++) world[i] -= below->position[i];
            rigid_rotate_back(below->rotation, world, under);
        }
        rigid_contact(b, below, under, box, local, frame, p->mu, "foot", 4 * number + foot + 1);
    }
}

saddle_status saddle_generate_stack(saddle_context *context,
                                    const saddle_stack_parameters *parameters,
                                    saddle_problem *problem)
{
    static const double gravity[3] = {0, 0, -9.81};
    const saddle_stack_parameters *p = parameters;
    *problem = (saddle_problem){0};
    if (p->boxes < 1 || p->boxes > 100000 || p->pushed < 0 || p->pushed > p->boxes)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "stack: boxes or pushed is out of range");
    if (!(p->density > 0) || !(p->mu >= 0) || !(p->time_step > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "stack: density, mu or the time step is out of range");
    builder b = builder_begin(context);
    rigid_body below = {0};
    for (int64_t i = 0; i < p->boxes; i++) {
        rigid_body box = make_box(p, i);
        rigid_add(&b, &box, 1, p->time_step, gravity, "box", i + 1);
        add_feet(&b, p, i > 0 ? &below : NULL, &box, i);
        if (i + 1 == p->pushed) {
            const double side[3] = {0, p->offset * WIDTH, 0};
            const double force[3] = {p->push * box.mass * 9.81 * (double)(p->boxes - i), 0, 0};
            rigid_push(&b, &box, p->time_step, side, force);
        }
        below = box;
    }
    b.problem.law = p->law;
    b.problem.facets = p->facets;
    return builder_finish(&b, "stack of boxes", p->time_step, problem);
}
