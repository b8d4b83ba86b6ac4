/* SPDX-License-Identifier: MIT */
/* Forces that keep their direction in the world (seed 003, 1.31-1.34), at a point of a part:
 *
 *     wrench Gamma'R'a of a body in its axes,  V = -a'x,  d(R'a) = [R'a] domega
 *         K = (0 [R'a]; 0 [c][R'a])
 */
#include <math.h>
#include <string.h>

#include "model_internal.h"
#include "saddle/forces.h"
#include "space/space.h"

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              double *const *force)
{
    const saddle_dead_load *load = site->data;
    (void)context;
    memcpy(force[0], load->force, sizeof load->force);
    if (site->size[0] == 3) return SADDLE_OK;
    saddle__unrotate(site->position[0] + 3, load->force, force[0]);
    saddle__cross(load->point, force[0], force[0] + 3);
    return SADDLE_OK;
}

static saddle_status jacobians(saddle_context *context, const saddle_site *site, double *const *K,
                               double *const *D)
{
    const saddle_dead_load *load = site->data;
    double local[3], turned[9], arm[9], moment[9];
    (void)context;
    (void)D;
    if (site->size[0] == 3) return SADDLE_OK;
    saddle__unrotate(site->position[0] + 3, load->force, local);
    saddle__skew(local, turned);
    saddle__skew(load->point, arm);
    saddle__product3(arm, turned, moment);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            K[0][i + 6 * (3 + j)] = turned[i + 3 * j];
            K[0][3 + i + 6 * (3 + j)] = moment[i + 3 * j];
        }
    }
    return SADDLE_OK;
}

static double energy(const saddle_site *site)
{
    const saddle_dead_load *load = site->data;
    double x[3] = {0};
    if (site->size[0] == 6) saddle__rotate(site->position[0] + 3, load->point, x);
    for (int i = 0; i < 3; i++) x[i] += site->position[0][i];
    return -saddle__dot(load->force, x);
}

static const saddle_force_type plain = {.name = "dead load",
                                        .evaluate = evaluate,
                                        .jacobians = jacobians,
                                        .energy = energy};
static const saddle_force_type symmetric = {
    .name = "dead load",
    .evaluate = evaluate,
    .jacobians = jacobians,
    .symmetric = 1,
    .energy = energy,
};

saddle_status saddle_model_add_dead_load(saddle_model *model, const char *name, saddle_anchor at,
                                         const saddle_dead_load *load, saddle_handle *force)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !load || !force)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_dead_load: model, load or force is NULL");
    if (at.part.item == SADDLE_ITEM_NONE)
        return saddle__refuse_new(model, "dead load", name, "it acts on the ground");
    for (int i = 0; i < 3; i++) {
        if (!isfinite(load->force[i]))
            return saddle__refuse_new(model, "dead load", name, "its force is not finite");
        if (!isfinite(load->point[i]))
            return saddle__refuse_new(model, "dead load", name, "its point is not finite");
    }
    const saddle_force_def def = {.name = name,
                                  .type = at.part.item == SADDLE_ITEM_BODY ? &plain : &symmetric,
                                  .count = 1,
                                  .anchors = &at,
                                  .data = load,
                                  .bytes = sizeof *load};
    return saddle_model_add_force(model, &def, force);
}
