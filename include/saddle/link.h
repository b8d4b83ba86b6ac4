/* SPDX-License-Identifier: MIT */
/* Forces, constraints and attachments of a model as points and arrows: what a picture of the motion
 * shows beside the parts. */
#ifndef SADDLE_LINK_H
#define SADDLE_LINK_H

#include "saddle/stepper.h"

SADDLE_BEGIN_DECLARATIONS

/* The items of a kind in the order of adding, item: SADDLE_ITEM_FORCE, SADDLE_ITEM_CONSTRAINT or
 * SADDLE_ITEM_ATTACHMENT: for (i = 0; i < count; i++).  Parts: saddle_model_part_at. */
SADDLE_API int64_t saddle_model_link_count(const saddle_model *model, saddle_item item);
SADDLE_API saddle_handle saddle_model_link_at(const saddle_model *model, saddle_item item,
                                              int64_t i);

/* "muscle", "hinge", "pin", ..., the kind of a force or constraint, "" where the host gave none;
 * "attachment", and "joint" for that of a joint in coordinates; static, or of the host's type. */
SADDLE_API const char *saddle_model_link_kind(const saddle_model *model, saddle_handle link);

/* Points of an item in the present state, world axes (3 x count) [m]:
 *
 *     muscle, path spring     the path
 *     joint                   origins of the frames on a and on b
 *     pin, rod                their points, one of each anchor
 *     attachment              attached points, or the origin of the attached body
 *     others                  one of each anchor: the particle, the node, the body's origin
 *
 * x: NULL = not asked for. Returns the count; 0: no such item. */
SADDLE_API int64_t saddle_model_link_points(saddle_model *model, saddle_handle link, double *x);

/* Mean forces of a constraint over the last step, of a two-stage integrator over its last stage:
 * J_k'lambda / h on each anchor k, world axes (3 x the points of the constraint) [N], without
 * moments; 0 on the ground and on prescribed parts where these have no columns. The anchors of a
 * joint are a and b: the second force is the reaction on b. SADDLE_INVALID_ARGUMENT: no such
 * constraint; SADDLE_WRONG_PHASE: no step since items were added or removed. */
SADDLE_API saddle_status saddle_stepper_constraint_force(const saddle_stepper *stepper,
                                                         saddle_handle constraint, double *force);

SADDLE_END_DECLARATIONS

#endif
