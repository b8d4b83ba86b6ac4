/* SPDX-License-Identifier: MIT */
/* Springs with a damper on a free coordinate of a joint, by the joint's own function
 * (joint_internal.h).
 *
 *     f = J'F,  F = -k (q - r) - d J v,     K = F G - J'(k J + d v'G),  D = -d J'J,    G =
 * d(J')/dq */
#include <math.h>
#include <string.h>

#include "items.h"
#include "joint_internal.h"
#include "saddle/forces.h"
#include "space/space.h"

typedef struct joint_spring {
    saddle_joint_spring spring; /* first: the host sees it */
    saddle_joint_def def;       /* of which the frames count */
    saddle__joint_function function;
    double angle; /* where turns are counted from */
} joint_spring;

typedef struct pull { /* a spring at a place */
    double q, F, dq;
    double J[2][6], v[2][6];
    double H[9];
    saddle__joint_place place;
    saddle__joint_value value;
} pull;

static double counted(const joint_spring *data, double value)
{
    return data->function.turns ? saddle__joint_unwind(value, data->angle) : value;
}

static int pull_of(const saddle_site *site, pull *at)
{
    const joint_spring *data = site->data;
    memset(at, 0, sizeof *at);
    saddle__joint_place_of(&data->def, site, 0, &at->place);
    if (!saddle__joint_function_at(&data->function, &at->place, &at->value, at->H)) return 0;
    saddle__joint_wrenches(&data->def, &at->place, at->value.l, at->value.g, at->J[0], at->J[1]);
    at->q = counted(data, at->value.value);
    for (int k = 0; k < 2; k++) {
        memcpy(at->v[k], site->velocity[k], (size_t)site->size[k] * sizeof(double));
        for (int j = 0; j < 6; j++) at->dq += at->J[k][j] * at->v[k][j];
    }
    at->F = -data->spring.stiffness * (at->q - data->spring.rest) - data->spring.damping * at->dq;
    return 1;
}

static saddle_status fail_undefined(saddle_context *context)
{
    return saddle_fail(context, SADDLE_SINGULAR,
                       "joint spring: its coordinate is not defined here");
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              double *const *force)
{
    pull at;
    if (!pull_of(site, &at)) return fail_undefined(context);
    for (int k = 0; k < 2; k++) {
        for (int64_t j = 0; j < site->size[k]; j++) force[k][j] = at.F * at.J[k][j];
    }
    return SADDLE_OK;
}

static saddle_status jacobians(saddle_context *context, const saddle_site *site, double *const *K,
                               double *const *D)
{
    const joint_spring *data = site->data;
    pull at;
    double G[4][36];
    if (!pull_of(site, &at)) return fail_undefined(context);
    saddle__joint_wrench_stiffness(&data->def, &at.place, at.value.l, at.value.g, at.H, G);
    for (int b = 0; b < 2; b++) {
        for (int64_t j = 0; j < site->size[b]; j++) {
            double slope = data->spring.stiffness * at.J[b][j]; /* -dF/dq_b */
            for (int i = 0; i < 6; i++) {
                slope += data->spring.damping *
                         (at.v[0][i] * G[b][i + 6 * j] + at.v[1][i] * G[2 + b][i + 6 * j]);
            }
            for (int a = 0; a < 2; a++) {
                const int64_t rows = site->size[a];
                for (int64_t i = 0; i < rows; i++) {
                    K[2 * a + b][i + rows * j] = at.F * G[2 * a + b][i + 6 * j] -
                                                 at.J[a][i] * slope;
                    D[2 * a + b][i + rows * j] = -data->spring.damping * at.J[a][i] * at.J[b][j];
                }
            }
        }
    }
    return SADDLE_OK;
}

static double energy(const saddle_site *site)
{
    const joint_spring *data = site->data;
    pull at;
    if (!pull_of(site, &at)) return 0;
    return data->spring.stiffness * (at.q - data->spring.rest) * (at.q - data->spring.rest) / 2;
}

static void count_turns(const saddle_site *site, void *writable)
{
    joint_spring *data = writable;
    pull at;
    if (pull_of(site, &at)) data->angle = at.q;
}

static const saddle_force_type type = {
    .name = "joint spring",
    .evaluate = evaluate,
    .jacobians = jacobians,
    .energy = energy,
};

static const char *wrong_of(const saddle__constraint *joint, int64_t coordinate,
                            const saddle_joint_spring *spring)
{
    if (joint == NULL || joint->type != &saddle__joint_type) return "there is no such joint";
    const saddle__joint *on = joint->data;
    if (coordinate < 0 || coordinate >= on->functions - on->locked)
        return "the joint has no such free coordinate";
    for (int k = 0; k < 2; k++) {
        if (joint->anchors[k].part.item == SADDLE_ITEM_PARTICLE) return "a particle has no angles";
    }
    if (!(spring->stiffness >= 0 && isfinite(spring->stiffness)))
        return "its stiffness is negative or not finite";
    if (!(spring->damping >= 0 && isfinite(spring->damping)))
        return "its damping is negative or not finite";
    return isfinite(spring->rest) ? NULL : "its rest is not finite";
}

saddle_status saddle_model_add_joint_spring(saddle_model *model, const char *name,
                                            saddle_handle joint, int64_t coordinate,
                                            const saddle_joint_spring *spring, saddle_handle *force)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !spring || !force)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_joint_spring: model, spring or force is NULL");
    const saddle__constraint *found = saddle__model_constraint(model, joint);
    const char *wrong = wrong_of(found, coordinate, spring);
    if (wrong != NULL) return saddle__refuse_new(model, "joint spring", name, wrong);
    const saddle__joint *on = found->data;
    const int64_t f = on->locked + coordinate;
    joint_spring data = {.spring = *spring,
                         .def = on->used,
                         .function = on->function[f],
                         .angle = on->angle[f]};
    data.def.name = NULL;
    const saddle_force_def def = {.name = name,
                                  .type = &type,
                                  .count = 2,
                                  .anchors = found->anchors,
                                  .data = &data,
                                  .bytes = sizeof data};
    const saddle_status status = saddle_model_add_force(model, &def, force);
    if (status == SADDLE_OK && data.function.turns)
        saddle__model_force(model, *force)->moved = count_turns;
    return status;
}
