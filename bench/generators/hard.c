/* SPDX-License-Identifier: MIT */
/* Hard systems: a chain of hinged boxes or a tower of boxes (rigid.h), of which one quantity or
 * several are made extreme.
 *
 *     mass ratio   the masses are 1 to ratio, in drawn order, evenly spaced in their logarithms
 *     defect       the inertia about each box's first axis is that part of what it should be
 *     redundancy   chain: that part of the hinges' rows is repeated as a combination of two rows of
 *                  the same hinge; tower: feet between two boxes, from 3 (0) to 12 (1)
 *     compliance   R_ii of the hinges' own rows; of the tower's normals
 *     units        SI, or millimetre, gram and millisecond: the same motion in other numbers
 *
 * Chain: n = 6 bodies, m = 5 bodies and the repeated rows; solvable, v is unique.  Tower: contacts
 * alone; without a push at rest, with one it slides or tips: degenerate at mu of the push.
 */
#include <math.h>

#include "draw.h"
#include "generators.h"
#include "rigid.h"

enum { EXPONENT_BITS = 20 };

saddle_hard_parameters saddle_hard_default(void)
{
    return (saddle_hard_parameters){.kind = SADDLE_HARD_CHAIN,
                                    .bodies = 20,
                                    .mass_ratio = 1,
                                    .defect = 1,
                                    .redundancy = 0,
                                    .compliance = 0,
                                    .mu = 0.5,
                                    .push = 0.3,
                                    .units = SADDLE_HARD_SI,
                                    .law = SADDLE_LAW_CONE,
                                    .seed = 1};
}

static saddle_status check_parameters(saddle_context *context, const saddle_hard_parameters *p)
{
    if (p->bodies < 1 || p->bodies > 1000000)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "hard: bodies is not in 1 .. 1000000");
    if (!(p->mass_ratio >= 1 && p->mass_ratio <= 1e15))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "hard: mass ratio is not in 1 .. 1e15");
    if (!(p->defect > 0 && p->defect <= 1))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "hard: defect is not in (0, 1]");
    if (!(p->redundancy >= 0 && p->redundancy <= 1))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "hard: redundancy is not in 0 .. 1");
    if (!(p->compliance >= 0 && p->compliance <= 1))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "hard: compliance is not in 0 .. 1");
    if (!(p->mu >= 0 && p->mu <= 100) || !(p->push >= 0 && p->push <= 100))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "hard: mu or push is not in 0 .. 100");
    return SADDLE_OK;
}

/* base^t for base >= 1, 0 <= t <= 1, by square roots alone: the same bits everywhere. */
static double power(double base, double t)
{
    double value = 1;
    for (int k = 0; k < EXPONENT_BITS; k++) {
        base = sqrt(base);
        t *= 2;
        if (t >= 1) {
            value *= base;
            t -= 1;
        }
    }
    return value;
}

/* The units' numbers for 1 m, 1 kg and 1 s. */
typedef struct units {
    double metre, kilogram, second;
} units;

typedef struct model {
    const saddle_hard_parameters *p;
    units unit;
    double step, gravity[3];
    uint64_t state;
    builder b;
} model;

static rigid_body make_box(model *at, double length, double width, double height, double centre)
{
    const saddle_hard_parameters *p = at->p;
    const double metre = at->unit.metre;
    const double sides[3] = {length * metre, width * metre, height * metre};
    const double middle[3] = {centre * metre, 0, 0};
    const double place = (double)draw_below(&at->state, 1025) / 1024;
    const double density = 100 * at->unit.kilogram / (metre * metre * metre) *
                           power(p->mass_ratio, place);
    rigid_body box = rigid_box(density, sides, middle);
    box.inertia[0] *= p->defect;
    return box;
}

/* ---- the chain ---- */

/* Appends row `row`, as factor times row `one` plus row `other`; entries are those from `from` on.
 */
static void combine_rows(builder *b, int64_t from, int64_t one, int64_t other, double factor)
{
    const int64_t end = b->J.count, row = builder_equality(b);
    for (int64_t k = from; k < end && b->status == SADDLE_OK; k++) {
        const int64_t of = b->J.row[k], column = b->J.col[k];
        const double value = b->J.value[k];
        if (of == one) builder_jacobian(b, row, column, factor * value);
        if (of == other) builder_jacobian(b, row, column, value);
    }
    builder_label(b, row, 100000000 + row, "repeated %lld", (long long)row);
}

static void add_hinge(model *at, const rigid_body *before, const double *tip, const rigid_body *box,
                      const double *frame, int64_t number)
{
    static const double origin[3] = {0, 0, 0};
    builder *b = &at->b;
    const int64_t from = b->J.count;
    const int64_t row = rigid_hinge(b, before, tip, box, origin, frame, "hinge", number);
    for (int k = 0; k < 5; k++) {
        const double metre = at->unit.metre, kilogram = at->unit.kilogram;
        if (at->p->compliance > 0) /* velocity over impulse, of turning in the last two rows */
            builder_compliance(b, row + k, row + k,
                               at->p->compliance / (k < 3 ? kilogram : kilogram * metre * metre));
        if ((double)draw_below(&at->state, 1024) / 1024 >= at->p->redundancy) continue;
        const double factor = 1 + (double)draw_below(&at->state, 7);
        combine_rows(b, from, row + k, row + (k + 1) % 5, factor);
    }
}

static void make_chain(model *at)
{
    static const double frames[2][9] = {{0, 1, 0, 0, 0, 1, 1, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double tip[3] = {0.5 * at->unit.metre, 0, 0};
    rigid_body before = {0};
    for (int64_t i = 0; i < at->p->bodies; i++) {
        rigid_body box = make_box(at, 0.5, 0.1, 0.05, 0.25);
        double turn[9], frame[9];
        rigid_turn((int)(i % 2) + 1, 0.8, draw_below(&at->state, 2) ? 0.6 : -0.6, turn);
        if (i > 0) {
            rigid_chain_rotation(before.rotation, turn, box.rotation);
            rigid_point(&before, tip, box.position);
        } else {
            for (int k = 0; k < 9; k++) box.rotation[k] = turn[k];
        }
        rigid_add(&at->b, &box, 1, at->step, at->gravity, "link", i + 1);
        rigid_chain_rotation(box.rotation, frames[i % 2], frame);
        add_hinge(at, i > 0 ? &before : NULL, tip, &box, frame, i + 1);
        before = box;
    }
}

/* ---- the tower ---- */

/* Feet on the corners, the middles of the sides and between them, in this order. */
static void add_feet(model *at, const rigid_body *below, const rigid_body *box, int64_t number)
{
    static const double places[12][2] = {{-1, -1}, {1, -1}, {0, 1}, {1, 1},   {-1, 1},   {0, -1},
                                         {-1, 0},  {1, 0},  {0, 0}, {.5, .5}, {-.5, .5}, {.5, -.5}};
    static const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int64_t feet = 3 + (int64_t)(9 * at->p->redundancy);
    for (int64_t foot = 0; foot < feet; foot++) {
        const double metre = at->unit.metre;
        const double local[3] = {0.4 * metre * places[foot][0], 0.4 * metre * places[foot][1],
                                 -0.25 * metre};
        double under[3];
        rigid_point(box, local, under);
        if (below) under[2] -= below->position[2];
        const int64_t row = rigid_contact(&at->b, below, under, box, local, frame, at->p->mu,
                                          "foot", 16 * number + foot + 1);
        if (at->p->compliance > 0)
            builder_compliance(&at->b, row, row, at->p->compliance / at->unit.kilogram);
    }
}

static void make_tower(model *at)
{
    rigid_body below = {0};
    double moved = 0;
    for (int64_t i = 0; i < at->p->bodies; i++) {
        rigid_body box = make_box(at, 1, 1, 0.5, 0);
        box.position[2] = at->unit.metre * 0.5 * ((double)i + 0.5);
        rigid_add(&at->b, &box, 1, at->step, at->gravity, "box", i + 1);
        add_feet(at, i > 0 ? &below : NULL, &box, i);
        moved = box.mass;
        below = box;
    }
    const double force[3] = {-at->p->push * moved * at->gravity[2], 0, 0};
    const double middle[3] = {0, 0, 0};
    rigid_push(&at->b, &below, at->step, middle, force);
    at->b.problem.law = at->p->law;
}

saddle_status saddle_generate_hard(saddle_context *context,
                                   const saddle_hard_parameters *parameters,
                                   saddle_problem *problem)
{
    const int small = parameters->units == SADDLE_HARD_MM_G_MS;
    *problem = (saddle_problem){0};
    const saddle_status status = check_parameters(context, parameters);
    if (status != SADDLE_OK) return status;
    model at = {.p = parameters,
                .unit = {small ? 1e3 : 1, small ? 1e3 : 1, small ? 1e3 : 1},
                .state = parameters->seed,
                .b = builder_begin(context)};
    at.step = 0.01 * at.unit.second;
    at.gravity[2] = -9.81 * at.unit.metre / (at.unit.second * at.unit.second);
    if (parameters->kind == SADDLE_HARD_TOWER)
        make_tower(&at);
    else
        make_chain(&at);
    return builder_finish(&at.b,
                          parameters->kind == SADDLE_HARD_TOWER ? "hard tower" : "hard chain",
                          at.step, problem);
}
