/* SPDX-License-Identifier: MIT */
#include "attached.h"

#include "saddle/spatial.h"
#include "space/space.h"

void saddle__attached_clear(saddle_context *context, saddle__attached_state *state)
{
    saddle__release_all(context, state->lag, state->left, state->force);
    *state = (saddle__attached_state){0};
}

/* ---- before a step ---- */

/* 1: all parts but the prescribed ones are where the last step left them. */
static int is_where_left(const saddle_model *model, const double *left)
{
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[model->parts.order[k]];
        if (part->prescribed) continue;
        if (memcmp(model->position + part->position, left + part->position,
                   (size_t)part->position_size * sizeof *left) != 0)
            return 0;
    }
    return 1;
}

saddle_status saddle__attached_begin(saddle__attached_state *state, saddle_assembly *a)
{
    saddle_model *model = a->model;
    if (!a->attached.graph) return SADDLE_OK;
    SADDLE__TRY(saddle__reserve(a->context, &state->lag, &state->lag_capacity, model->velocities,
                                sizeof *state->lag));
    SADDLE__TRY(saddle__reserve(a->context, &state->left, &state->left_capacity, model->positions,
                                sizeof *state->left));
    SADDLE__TRY(saddle__reserve(a->context, &state->force, &state->force_capacity,
                                a->attached.count, sizeof *state->force));
    const int lags = state->lags && is_where_left(model, state->left);
    SADDLE__TRY(saddle_assembly_place(a));
    for (int64_t i = 0; lags && i < model->velocities; i++) model->velocity[i] += state->lag[i];
    return SADDLE_OK;
}

/* ---- bodies with rigid followers ---- */

typedef struct composite { /* in the axes of the root */
    double mass, first[3], second[9];
    double momentum[6];
} composite;

/* Adds a body at T in the root, with the momentum p in its axes. */
static void add_body(composite *sum, const saddle_body_inertia *inertia, const saddle_pose *T,
                     const double *p)
{
    saddle_body_inertia moved;
    double arm[9], momentum[6];
    saddle_body_inertia_move(inertia, T, &moved);
    saddle__skew(moved.center, arm);
    saddle__product3(arm, arm, arm);
    sum->mass += moved.mass;
    for (int i = 0; i < 3; i++) sum->first[i] += moved.mass * moved.center[i];
    for (int i = 0; i < 9; i++) sum->second[i] += moved.moment[i] - moved.mass * arm[i];
    saddle_wrench_to_outer(T, p, momentum);
    for (int i = 0; i < 6; i++) sum->momentum[i] += momentum[i];
}

static saddle_pose pose_of(const saddle_model *model, const saddle__item_part *part)
{
    saddle_pose pose = saddle_pose_identity();
    memcpy(&pose, model->position + part->position, (size_t)part->position_size * sizeof(double));
    return pose;
}

/* Adds a rigid follower, a body or a particle. */
static void add_follower(const saddle_model *model, const saddle__item_part *root,
                         const saddle__item_part *part, composite *sum)
{
    const saddle_pose at = pose_of(model, root), inverse = saddle_pose_inverse(&at);
    const saddle_pose own = pose_of(model, part);
    const saddle_pose T = saddle_pose_multiply(&inverse, &own);
    const double *v = model->velocity + part->velocity;
    double p[6] = {0};
    if (part->head.item == SADDLE_ITEM_BODY) {
        saddle_body_inertia_multiply(&part->inertia, v, p);
        add_body(sum, &part->inertia, &T, p);
        return;
    }
    const saddle_body_inertia point = {.mass = part->mass};
    for (int i = 0; i < 3; i++) p[i] = part->mass * v[i];
    add_body(sum, &point, &T, p);
}

/* v of the root from the momenta of all that moves with it. */
static saddle_status show_root(saddle_assembly *a, const saddle__item_part *root,
                               const composite *sum)
{
    saddle_body_inertia all = {.mass = sum->mass};
    double arm[9];
    for (int i = 0; i < 3; i++) all.center[i] = sum->first[i] / sum->mass;
    saddle__skew(all.center, arm);
    saddle__product3(arm, arm, arm);
    for (int i = 0; i < 9; i++) all.moment[i] = sum->second[i] + sum->mass * arm[i];
    return saddle_body_inertia_solve(a->context, &all, sum->momentum,
                                     a->model->velocity + root->velocity);
}

/* Velocities of all bodies with rigid followers, which stand in order of their roots. */
static saddle_status show_roots(saddle_assembly *a)
{
    const saddle__system_attached *attached = &a->attached;
    const saddle_model *model = a->model;
    for (int64_t k = 0; k < attached->rigid_count;) {
        const int32_t place = attached->rigid[k].root;
        const saddle__item_part *root = &model->part[place];
        composite sum = {0};
        add_follower(model, root, root, &sum);
        for (; k < attached->rigid_count && attached->rigid[k].root == place; k++)
            add_follower(model, root, &model->part[attached->rigid[k].place], &sum);
        SADDLE__TRY(show_root(a, root, &sum));
    }
    return SADDLE_OK;
}

/* ---- after a stage, after a step ---- */

void saddle__attached_store(saddle__attached_state *state, const saddle_assembly *a, int added,
                            const double *impulse)
{
    for (int64_t p = 0; p < a->attached.count; p++)
        state->force[p] = (added ? state->force[p] : 0) + impulse[p];
}

saddle_status saddle__attached_end(saddle__attached_state *state, saddle_assembly *a, double h)
{
    const saddle__system_attached *attached = &a->attached;
    saddle_model *model = a->model;
    if (!attached->graph) return SADDLE_OK;
    state->lags = 0;
    saddle__copy(state->lag, model->velocity, model->velocities);
    SADDLE__TRY(show_roots(a));
    SADDLE__TRY(saddle_assembly_place(a));
    state->lags = 1;
    state->time = h;
    saddle__copy(state->left, model->position, model->positions);
    for (int64_t i = 0; i < model->velocities; i++)
        state->lag[i] = attached->light[i] ? 0 : state->lag[i] - model->velocity[i];
    return SADDLE_OK;
}

static void part_force(const saddle__attached_state *state, const saddle_assembly *a,
                       saddle_handle part, double *force)
{
    const double *impulse = state->force + a->attached.bound[a->column[part.index]];
    const int64_t size = saddle__model_part(a->model, part)->size;
    for (int64_t i = 0; i < size; i++) force[i] = impulse[i] / state->time;
}

void saddle__attached_force(const saddle__attached_state *state, const saddle_assembly *a,
                            saddle_handle item, double *force)
{
    const saddle__item_tie *tie = saddle__model_tie(a->model, item);
    if (!tie) {
        part_force(state, a, item, force);
        return;
    }
    const int64_t size = tie->part.item == SADDLE_ITEM_BODY ? 6 : 3;
    for (int64_t k = 0; k < tie->count; k++) {
        const int64_t column = a->column[tie->part.index] + 3 * tie->node[k];
        const double *impulse = state->force + a->attached.bound[column];
        for (int64_t i = 0; i < size; i++) force[size * k + i] = impulse[i] / state->time;
    }
}
