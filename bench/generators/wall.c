/* SPDX-License-Identifier: MIT */
/* A wall of bricks (0.2 x 0.1 x 0.1 m) in running bond: every other course begins and ends with
 * half a brick, so that each brick lies on two.  Four contacts per touching pair, at the corners of
 * what they share.  At rest, then one step with gravity and a push along the wall on the top
 * course, growing from brick to brick up to push times a brick's weight:
 *
 *     G v - J'lambda = h (weight + push),   J v = w,   b = 0
 *
 * Bricks of the top course whose push exceeds mu times their weight slide, all others
 * stay. */
#include "generators.h"
#include "rigid.h"

#define LENGTH 0.2 /* [m] */
#define DEPTH 0.1
#define HEIGHT 0.1

saddle_wall_parameters saddle_wall_default(void)
{
    saddle_wall_parameters p = {.columns = 4,
                                .courses = 4,
                                .mu = 0.6,
                                .push = 0.9,
                                .time_step = 0.01,
                                .law = SADDLE_LAW_CONE};
    return p;
}

/* Where the bricks of a course lie, in half bricks from the wall's left end. */
static int64_t course_bricks(int64_t columns, int64_t course)
{
    return columns + course % 2;
}

static int64_t brick_left(int64_t course, int64_t k)
{
    return course % 2 == 0 ? 2 * k : (k == 0 ? 0 : 2 * k - 1);
}

static int64_t brick_right(int64_t columns, int64_t course, int64_t k)
{
    int64_t right = course % 2 == 0 ? 2 * k + 2 : 2 * k + 1;
    return right < 2 * columns ? right : 2 * columns;
}

static rigid_body make_brick(const saddle_wall_parameters *p, int64_t course, int64_t k)
{
    double left = (double)brick_left(course, k) * LENGTH / 2;
    double right = (double)brick_right(p->columns, course, k) * LENGTH / 2;
    const double sides[3] = {right - left, DEPTH, HEIGHT};
    rigid_body brick = rigid_box(2000, sides, NULL);
    brick.position[0] = (left + right) / 2;
    brick.position[2] = HEIGHT * ((double)course + 0.5);
    return brick;
}

/* Four contacts over [left, right] (in half bricks); below NULL: the ground. */
static void add_bed(builder *b, double mu, const rigid_body *below, const rigid_body *brick,
                    int64_t left, int64_t right, int64_t *number)
{
    static const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int corner = 0; corner < 4; corner++) {
        double x = (double)(corner % 2 == 0 ? left : right) * LENGTH / 2,
               y = corner < 2 ? -DEPTH / 2 : DEPTH / 2;
        const double local[3] = {x - brick->position[0], y, -HEIGHT / 2};
        double under[3] = {0, 0, 0};
        if (below != NULL) {
            under[0] = x - below->position[0];
            under[1] = y;
            under[2] = HEIGHT / 2;
        }
        rigid_contact(b, below, under, brick, local, frame, mu, NULL, (*number)++);
    }
}

static void lay_brick(builder *b, const saddle_wall_parameters *p, const rigid_body *course_below,
                      int64_t course, int64_t k, rigid_body *brick, int64_t *number)
{
    static const double gravity[3] = {0, 0, -9.81}, middle[3] = {0, 0, 0};
    *brick = make_brick(p, course, k);
    rigid_add(b, brick, 1, p->time_step, gravity, "brick", ++*number);
    if (course == p->courses - 1) {
        double share = (double)(k + 1) / (double)course_bricks(p->columns, course);
        const double force[3] = {p->push * share * brick->mass * 9.81, 0, 0};
        rigid_push(b, brick, p->time_step, middle, force);
    }
    int64_t left = brick_left(course, k), right = brick_right(p->columns, course, k), contact = 0;
    if (course == 0) {
        add_bed(b, p->mu, NULL, brick, left, right, &contact);
        return;
    }
    for (int64_t j = left / 2; j <= right / 2 && j < course_bricks(p->columns, course - 1); j++) {
        int64_t from = brick_left(course - 1, j), to = brick_right(p->columns, course - 1, j);
        from = from > left ? from : left;
        to = to < right ? to : right;
        if (from < to) add_bed(b, p->mu, course_below + j, brick, from, to, &contact);
    }
}

saddle_status saddle_generate_wall(saddle_context *context,
                                   const saddle_wall_parameters *parameters,
                                   saddle_problem *problem)
{
    const saddle_wall_parameters *p = parameters;
    *problem = (saddle_problem){0};
    if (p->columns < 1 || p->columns > 10000 || p->courses < 1 || p->courses > 10000 ||
        !(p->mu >= 0) || !(p->time_step > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "wall: a size, mu or the time step is out of range");
    rigid_body *course = saddle_allocate(context, 2 * (p->columns + 1), sizeof *course);
    if (course == NULL) return SADDLE_OUT_OF_MEMORY;
    rigid_body *below = course, *current = course + p->columns + 1;
    builder b = builder_begin(context);
    int64_t number = 0;
    for (int64_t i = 0; i < p->courses; i++) {
        for (int64_t k = 0; k < course_bricks(p->columns, i); k++)
            lay_brick(&b, p, below, i, k, current + k, &number);
        rigid_body *swap = below;
        below = current;
        current = swap;
    }
    b.problem.law = p->law;
    saddle_release(context, course);
    return builder_finish(&b, "wall of bricks", p->time_step, problem);
}
