/* SPDX-License-Identifier: MIT */
/* Linkages. */
#include "linkage.h"

#include <string.h>

#include "drawn_parts.h"
#include "model_internal.h"

static saddle_pose turn(int axis, double angle)
{
    double twist[6] = {0};
    twist[3 + axis] = angle;
    return saddle_pose_exp(twist);
}

saddle_pose test_allowed_pose(saddle_joint_kind kind, const double *q, double gamma)
{
    const double along[6] = {0, 0, q[0], 0, 0, 0};
    const int first = kind == SADDLE_JOINT_UNIVERSAL || kind == SADDLE_JOINT_WHEEL ? 0 : 2;
    const int free = (int)saddle_joint_free_count(kind);
    if (free == 0) return saddle_pose_identity();
    if (kind == SADDLE_JOINT_SLIDER) return saddle_pose_exp(along);
    saddle_pose E = turn(first, q[0]);
    if (kind == SADDLE_JOINT_WHEEL) {
        const saddle_pose tilt = turn(2, gamma);
        E = saddle_pose_multiply(&E, &tilt);
    }
    for (int k = 1; k < free; k++) {
        const saddle_pose next = turn(2 - k, q[k]);
        const saddle_pose about_y = turn(1, q[1]);
        E = saddle_pose_multiply(&E, first == 0 ? &about_y : &next);
    }
    return E;
}

static void stand(test_linkage *linkage, const saddle_pose *E)
{
    saddle_joint_def *def = &linkage->def;
    const saddle_pose still = saddle_pose_identity();
    saddle_pose *a = saddle_model_pose(linkage->model, def->a),
                *b = saddle_model_pose(linkage->model, def->b);
    const saddle_pose outer = saddle_pose_multiply(a == NULL ? &still : a, &def->frame_a);
    const saddle_pose inner = saddle_pose_multiply(b == NULL ? &still : b, &def->frame_b);
    const saddle_pose unit = saddle_pose_identity();
    if (b != NULL) {
        const saddle_pose place = saddle_pose_multiply(&outer, E),
                          back = saddle_pose_between(&def->frame_b, &unit);
        *b = saddle_pose_multiply(&place, &back);
    } else {
        const saddle_pose reverse = saddle_pose_between(E, &unit),
                          place = saddle_pose_multiply(&inner, &reverse);
        const saddle_pose back = saddle_pose_between(&def->frame_a, &unit);
        *a = saddle_pose_multiply(&place, &back);
    }
}

void test_linkage_begin(saddle_context *context, uint64_t *state, saddle_joint_kind kind,
                        const saddle_pose *E, int ground, test_linkage *linkage)
{
    *linkage = (test_linkage){.def = saddle_joint_def_default()};
    assert_int_equal(saddle_model_create(context, &linkage->model), SADDLE_OK);
    linkage->def.kind = kind;
    linkage->def.a = test_draw_body(linkage->model, state, 1);
    if (!ground) linkage->def.b = test_draw_body(linkage->model, state, 1);
    linkage->def.frame_a = test_draw_pose(state, 1);
    linkage->def.frame_b = test_draw_pose(state, 1);
    stand(linkage, E);
}

void test_linkage_add(test_linkage *linkage)
{
    assert_int_equal(saddle_model_add_joint(linkage->model, &linkage->def, &linkage->joint),
                     SADDLE_OK);
}

void test_linkage_end(test_linkage *linkage)
{
    saddle_model_free(linkage->model);
    linkage->model = NULL;
}

void test_linkage_replace(test_linkage *linkage, const saddle_pose *change)
{
    saddle_joint_def *def = &linkage->def;
    const saddle_pose still = saddle_pose_identity();
    saddle_pose *a = saddle_model_pose(linkage->model, def->a),
                *b = saddle_model_pose(linkage->model, def->b);
    const saddle_pose outer = saddle_pose_multiply(a == NULL ? &still : a, &def->frame_a);
    const saddle_pose inner = saddle_pose_multiply(b == NULL ? &still : b, &def->frame_b);
    const saddle_pose E = saddle_pose_between(&outer, &inner),
                      shifted = saddle_pose_multiply(change, &E);
    stand(linkage, &shifted);
}

void test_linkage_shift(test_linkage *linkage, const double *twist)
{
    const saddle_pose change = saddle_pose_exp(twist);
    test_linkage_replace(linkage, &change);
}

int64_t test_linkage_rows(test_linkage *linkage, double *phi, double *J)
{
    const saddle__item_link *found = saddle__model_constraint(linkage->model, linkage->joint);
    saddle__site_buffer buffer;
    const saddle_site site = saddle__model_site(linkage->model, found->count, found->anchors,
                                                found->data, &buffer);
    double rate[SADDLE_CONSTRAINT_ROWS_MAX] = {0}, block[2][6 * SADDLE_CONSTRAINT_ROWS_MAX] = {{0}},
           *const blocks[2] = {block[0], block[1]};
    memset(phi, 0, (size_t)found->rows * sizeof *phi);
    saddle_constraint_values values = {phi, rate, blocks};
    assert_int_equal(found->constraint->evaluate(NULL, &site, &values), SADDLE_OK);
    for (int64_t i = 0; i < found->rows; i++) {
        for (int k = 0; k < 2; k++) memcpy(J + 12 * i + 6 * k, block[k] + 6 * i, 6 * sizeof *J);
    }
    return found->rows;
}
