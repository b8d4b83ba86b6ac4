/* SPDX-License-Identifier: MIT */
/* See drawn_joints.h. */
#include "drawn_joints.h"

#include <stdlib.h>
#include <string.h>

static void draw(uint64_t *state, int64_t count, double most, double *x)
{
    for (int64_t i = 0; i < count; i++) x[i] = test_uniform(state, -most, most);
}

saddle_pose draw_joint_pose(uint64_t *state)
{
    double twist[6];
    draw(state, 6, 1, twist);
    return saddle_pose_exp(twist);
}

static void draw_spline(uint64_t *state, drawn_joint *d)
{
    d->frame[0] = draw_joint_pose(state);
    for (int k = 1; k < 7; k++) {
        double twist[6];
        draw(state, 6, 0.6, twist);
        const saddle_pose step = saddle_pose_exp(twist);
        d->frame[k] = saddle_pose_multiply(&d->frame[k - 1], &step);
    }
    d->spline = (saddle_joint_spline){7, d->frame, d->difference};
    d->range = 4;
    assert_int_equal(saddle_motion_spline(NULL, &d->spline, &d->joint), SADDLE_OK);
}

static void draw_surface(uint64_t *state, drawn_joint *d)
{
    draw(state, 6 * 25, 0.7, d->control);
    for (int j = 0; j < 5; j++)
        for (int i = 0; i < 5; i++) { /* a sheet that does not fold */
            d->control[6 * (i + 5 * j)] += i;
            d->control[6 * (i + 5 * j) + 1] += j;
        }
    d->surface = (saddle_joint_surface){5, 5, d->control};
    d->range = 2;
    assert_int_equal(saddle_motion_surface(NULL, &d->surface, &d->joint), SADDLE_OK);
}

/* Directions that a joint may take of the three turns and the three ways: more would be singular.
 */
static const int turns[DRAWN_CHAIN] = {1, 0, 0, 0, 2, 3, 3, 3, 1, 1, 0};
static const int ways[DRAWN_CHAIN] = {0, 1, 2, 3, 0, 0, 0, 3, 0, 0, 2};

static void draw_chain(uint64_t *state, drawn_joint *d)
{
    int used_turns = 0;
    int used_ways = 0;
    int64_t count = 0;
    while (count < 3) {
        const int kind = (int)test_integer(state, 0, DRAWN_CHAIN - 1);
        used_turns += turns[kind];
        used_ways += ways[kind];
        if (used_turns > 3 || used_ways > 3) break;
        d->below[count] = draw_joint(state, kind);
        d->part[count] = d->below[count]->joint;
        count++;
    }
    if (count == 0) {
        d->below[0] = draw_joint(state, DRAWN_UNIVERSAL);
        d->part[count++] = d->below[0]->joint;
    }
    d->chain = (saddle_joint_chain){count, d->part};
    assert_int_equal(saddle_motion_chain(NULL, &d->chain, &d->joint), SADDLE_OK);
}

drawn_joint *draw_joint(uint64_t *state, int kind)
{
    static const char *const orders[] = {"xyz", "zyx", "yzx", "zxz", "xzx", "yxy"};
    drawn_joint *d = calloc(1, sizeof *d);
    assert_non_null(d);
    d->kind = kind;
    switch (kind) {
    case DRAWN_REVOLUTE: d->joint = saddle_motion_revolute(); break;
    case DRAWN_PRISMATIC: d->joint = saddle_motion_prismatic(); break;
    case DRAWN_PLANAR: d->joint = saddle_motion_planar(); break;
    case DRAWN_TRANSLATIONAL: d->joint = saddle_motion_translational(); break;
    case DRAWN_UNIVERSAL: d->joint = saddle_motion_universal(); break;
    case DRAWN_EULER:
        assert_int_equal(saddle_motion_euler(NULL, orders[test_integer(state, 0, 5)], &d->joint),
                         SADDLE_OK);
        break;
    case DRAWN_EXPONENTIAL: d->joint = saddle_motion_exponential(); break;
    case DRAWN_FREE: d->joint = saddle_motion_free(); break;
    case DRAWN_SCREW:
        d->joint = saddle_motion_fixed();
        d->joint.size = 1;
        d->joint.evaluate = saddle_motion_screw;
        d->joint.data = d->screw;
        draw(state, 6, 1, d->screw);
        break;
    case DRAWN_SPLINE: draw_spline(state, d); break;
    case DRAWN_SURFACE: draw_surface(state, d); break;
    default: draw_chain(state, d); break;
    }
    d->joint.before = draw_joint_pose(state);
    d->joint.after = draw_joint_pose(state);
    return d;
}

void free_joint(drawn_joint *d)
{
    if (!d) return;
    for (int k = 0; k < 3; k++) free_joint(d->below[k]);
    free(d);
}

static void draw_position(uint64_t *state, const drawn_joint *d, double *q)
{
    for (int64_t k = 0, first = 0; k < d->chain.count; first += d->part[k++].size)
        draw_position(state, d->below[k], q + first);
    for (int64_t i = 0; d->chain.count == 0 && i < d->joint.size; i++)
        q[i] = d->range > 0 ? test_uniform(state, 0.01, d->range - 0.01)
                            : test_uniform(state, -1.2, 1.2);
}

/* The smallest singular value of S at q. */
static double distance_from_singular(const saddle_motion *joint, const double *q)
{
    saddle_pose Q;
    double S[36] = {0};
    double sigma[6] = {0};
    assert_int_equal(joint->evaluate(joint->data, q, &Q, S), 0);
    test_singular_values(6, joint->size, S, sigma);
    return sigma[joint->size - 1];
}

void draw_coordinates(uint64_t *state, const drawn_joint *d, double *q, double *dq)
{
    double best[6] = {0};
    double farthest = 0;
    memset(q, 0, 6 * sizeof *q);
    memset(dq, 0, 6 * sizeof *dq);
    draw(state, d->joint.size, 1.5, dq);
    for (int trial = 0; trial < 20 && farthest < 0.2; trial++) {
        draw_position(state, d, q);
        const double distance = distance_from_singular(&d->joint, q);
        if (distance > farthest) {
            farthest = distance;
            memcpy(best, q, sizeof best);
        }
    }
    memcpy(q, best, sizeof best);
}

void twist_of(const double *S, const double *dq, int64_t size, double *twist)
{
    for (int i = 0; i < 6; i++) {
        twist[i] = 0;
        for (int64_t j = 0; j < size; j++) twist[i] += S[i + 6 * j] * dq[j];
    }
}
