/* SPDX-License-Identifier: MIT */
/* Particles, bodies, nodes: adding them, and their state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "items.h"
#include "space/space.h"

saddle_body_def saddle_body_def_default(void)
{
    return (saddle_body_def){.pose = saddle_pose_identity()};
}

static const double rotation_tolerance = 1e-9;

/* ---- what a definition must be ---- */

static int finite(const double *x, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        if (!isfinite(x[k])) return 0;
    }
    return 1;
}

int saddle__is_rotation(const double *R)
{
    return saddle__is_nearly_rotation(R, rotation_tolerance);
}

int saddle__is_nearly_rotation(const double *R, double tolerance)
{
    double gram[9], cross[3];
    saddle__transposed_product3(R, R, gram);
    for (int k = 0; k < 9; k++) {
        if (!(fabs(gram[k] - (k % 4 == 0)) <= tolerance)) return 0;
    }
    saddle__cross(R, R + 3, cross);
    return saddle__dot(cross, R + 6) > 0;
}

static saddle_status check_particle(const saddle_model *model, const saddle_particle_def *def)
{
    if (!finite(def->position, 3))
        return saddle__refuse_new(model, "particle", def->name, "its position is not finite");
    if (!finite(def->velocity, 3))
        return saddle__refuse_new(model, "particle", def->name, "its velocity is not finite");
    if (!def->prescribed && !(def->mass > 0 && isfinite(def->mass))) {
        return saddle__refuse_new(model, "particle", def->name, "its mass is not positive");
    }
    return SADDLE_OK;
}

static saddle_status check_body(const saddle_model *model, const saddle_body_def *def)
{
    if (!finite(def->pose.p, 3))
        return saddle__refuse_new(model, "body", def->name, "its position is not finite");
    if (!saddle__is_rotation(def->pose.R))
        return saddle__refuse_new(model, "body", def->name, "its pose is not a rotation");
    if (!finite(def->twist, 6))
        return saddle__refuse_new(model, "body", def->name, "its twist is not finite");
    if (def->prescribed) return SADDLE_OK;
    char whose[160];
    saddle__describe_new("body", def->name, whose, sizeof whose);
    return saddle_body_inertia_check(model->context, &def->inertia, whose);
}

static saddle_status check_nodes_matrix(const saddle_model *model, const saddle_nodes_def *def,
                                        const saddle_matrix *A, const char *wrong_shape,
                                        const char *word)
{
    if (A->rows != 3 * def->count || A->cols != A->rows || A->symmetry != SADDLE_SYMMETRIC) {
        return saddle__refuse_new(model, "nodes", def->name, wrong_shape);
    }
    char subject[160], whose[200];
    saddle__describe_new("nodes", def->name, subject, sizeof subject);
    snprintf(whose, sizeof whose, "%s: %s", subject, word);
    return saddle_matrix_check(model->context, A, whose);
}

/* A positive diagonal is what can be seen of positive definite without factoring; the solver finds
 * the rest. */
static saddle_status check_mass_diagonal(const saddle_model *model, const saddle_nodes_def *def)
{
    for (int64_t j = 0; j < def->mass->cols; j++) {
        if (!(saddle_matrix_entry(def->mass, j, j) > 0)) {
            return saddle__refuse_new(model, "nodes", def->name,
                                      "a diagonal entry of the mass is not positive");
        }
    }
    return SADDLE_OK;
}

static saddle_status check_nodes(const saddle_model *model, const saddle_nodes_def *def)
{
    if (def->count < 1 || def->position == NULL)
        return saddle__refuse_new(model, "nodes", def->name, "there are none");
    if (def->count > INT64_MAX / 64)
        return saddle_fail(model->context, SADDLE_TOO_LARGE, "nodes: too many");
    if (!finite(def->position, 3 * def->count))
        return saddle__refuse_new(model, "nodes", def->name, "a position is not finite");
    if (def->velocity != NULL && !finite(def->velocity, 3 * def->count)) {
        return saddle__refuse_new(model, "nodes", def->name, "a velocity is not finite");
    }
    if (def->rest != NULL && !finite(def->rest, 3 * def->count)) {
        return saddle__refuse_new(model, "nodes", def->name, "a rest position is not finite");
    }
    if (!(def->damping_mass >= 0 && isfinite(def->damping_mass)) ||
        !(def->damping_stiffness >= 0 && isfinite(def->damping_stiffness))) {
        return saddle__refuse_new(model, "nodes", def->name, "a damping is negative or not finite");
    }
    if (def->mass == NULL)
        return saddle__refuse_new(model, "nodes", def->name, "they have no mass");
    saddle_status status = check_nodes_matrix(model, def, def->mass,
                                              "the mass is not symmetric of 3 count rows", "mass");
    if (status == SADDLE_OK) status = check_mass_diagonal(model, def);
    if (status != SADDLE_OK || def->stiffness == NULL) return status;
    return check_nodes_matrix(model, def, def->stiffness,
                              "the stiffness is not symmetric of 3 count rows", "stiffness");
}

/* ---- adding ---- */

/* Room for more positions and velocities; what is new is zero. */
static saddle_status make_room(saddle_model *model, int64_t positions, int64_t velocities)
{
    const int64_t wanted[3] = {model->positions + positions, model->velocities + velocities,
                               model->velocities + velocities};
    const int64_t used[3] = {model->positions, model->velocities, model->velocities};
    double **const arrays[3] = {&model->position, &model->velocity, &model->push};
    int64_t *const rooms[3] = {&model->position_room, &model->velocity_room, &model->push_room};
    for (int k = 0; k < 3; k++) {
        if (wanted[k] > *rooms[k]) {
            const int64_t room = wanted[k] + wanted[k] / 2;
            double *grown = saddle_reallocate(model->context, *arrays[k], room, sizeof *grown);
            if (grown == NULL) return SADDLE_OUT_OF_MEMORY;
            *arrays[k] = grown;
            *rooms[k] = room;
        }
        memset(*arrays[k] + used[k], 0, (size_t)(wanted[k] - used[k]) * sizeof(double));
    }
    return SADDLE_OK;
}

/* Gives what `made` owns a place in the model; on failure it is released. */
static saddle_status settle(saddle_model *model, saddle_item item, saddle__part *made,
                            saddle_handle *handle)
{
    int32_t place = 0;
    saddle_status status = make_room(model, made->position_size, made->size);
    if (status == SADDLE_OK) {
        status = saddle__pool_take(model->context, &model->parts, (void **)&model->part,
                                   sizeof *model->part, &place);
    }
    if (status != SADDLE_OK) {
        saddle__part_clear(model->context, made);
        return status;
    }
    made->generation = saddle__next_generation(model->part[place].generation);
    made->item = (uint16_t)item;
    made->position = model->positions;
    made->velocity = model->velocities;
    model->part[place] = *made;
    model->positions += made->position_size;
    model->velocities += made->size;
    model->edition++;
    *handle = (saddle_handle){place, made->generation, made->item, model->number};
    return SADDLE_OK;
}

saddle_status saddle_model_add_particle(saddle_model *model, const saddle_particle_def *def,
                                        saddle_handle *part)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !def || !part)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_particle: model, def or part is NULL");
    saddle_status status = check_particle(model, def);
    saddle__part made = {.prescribed = def->prescribed != 0,
                         .position_size = 3,
                         .size = 3,
                         .mass = def->mass};
    if (status == SADDLE_OK) status = saddle__copy_name(model->context, def->name, &made.name);
    if (status == SADDLE_OK) status = settle(model, SADDLE_ITEM_PARTICLE, &made, part);
    if (status != SADDLE_OK) return status;
    memcpy(model->position + made.position, def->position, sizeof def->position);
    memcpy(model->velocity + made.velocity, def->velocity, sizeof def->velocity);
    return SADDLE_OK;
}

saddle_status saddle_model_add_body(saddle_model *model, const saddle_body_def *def,
                                    saddle_handle *part)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !def || !part)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_body: model, def or part is NULL");
    saddle_status status = check_body(model, def);
    saddle__part made = {.prescribed = def->prescribed != 0,
                         .position_size = 12,
                         .size = 6,
                         .inertia = def->inertia};
    if (status == SADDLE_OK) status = saddle__copy_name(model->context, def->name, &made.name);
    if (status == SADDLE_OK) status = settle(model, SADDLE_ITEM_BODY, &made, part);
    if (status != SADDLE_OK) return status;
    memcpy(model->position + made.position, &def->pose, sizeof def->pose);
    memcpy(model->velocity + made.velocity, def->twist, sizeof def->twist);
    return SADDLE_OK;
}

saddle_status saddle_model_add_nodes(saddle_model *model, const saddle_nodes_def *def,
                                     saddle_handle *part)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !def || !part)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_nodes: model, def or part is NULL");
    saddle_status status = check_nodes(model, def);
    if (status != SADDLE_OK) return status;
    const int64_t size = 3 * def->count;
    saddle__part made = {.position_size = size,
                         .size = size,
                         .damping_mass = def->damping_mass,
                         .damping_stiffness = def->damping_stiffness};
    const double *rest = def->rest == NULL ? def->position : def->rest;
    status = saddle__copy_name(model->context, def->name, &made.name);
    if (status == SADDLE_OK)
        status = saddle__copy_block(model->context, rest, size, sizeof *rest, (void **)&made.rest);
    if (status == SADDLE_OK) status = saddle_matrix_copy(model->context, def->mass, &made.M);
    if (status == SADDLE_OK && def->stiffness != NULL)
        status = saddle_matrix_copy(model->context, def->stiffness, &made.K);
    if (status == SADDLE_OK)
        status = settle(model, SADDLE_ITEM_NODES, &made, part);
    else
        saddle__part_clear(model->context, &made);
    if (status != SADDLE_OK) return status;
    memcpy(model->position + made.position, def->position, (size_t)size * sizeof(double));
    if (def->velocity != NULL)
        memcpy(model->velocity + made.velocity, def->velocity, (size_t)size * sizeof(double));
    return SADDLE_OK;
}

void saddle__part_clear(saddle_context *context, saddle__part *part)
{
    saddle_release(context, part->name);
    saddle_release(context, part->rest);
    saddle_matrix_clear(&part->M);
    saddle_matrix_clear(&part->K);
    *part = (saddle__part){.generation = part->generation};
}

/* ---- the state ---- */

int64_t saddle_model_part_count(const saddle_model *model)
{
    if (!model) return 0;
    return model->parts.count;
}

saddle_handle saddle_model_part_at(const saddle_model *model, int64_t i)
{
    if (!model) return (saddle_handle){0};
    if (i < 0 || i >= model->parts.count) return (saddle_handle){0};
    const int32_t place = model->parts.order[i];
    return (saddle_handle){place, model->part[place].generation, model->part[place].item,
                           model->number};
}

double *saddle_model_position(saddle_model *model, saddle_handle part)
{
    if (!model) return NULL;
    const saddle__part *found = saddle__model_part(model, part);
    return found == NULL ? NULL : model->position + found->position;
}

double *saddle_model_velocity(saddle_model *model, saddle_handle part)
{
    if (!model) return NULL;
    const saddle__part *found = saddle__model_part(model, part);
    return found == NULL ? NULL : model->velocity + found->velocity;
}

saddle_pose *saddle_model_pose(saddle_model *model, saddle_handle body)
{
    if (!model) return NULL;
    _Static_assert(sizeof(saddle_pose) == 12 * sizeof(double), "a pose is twelve numbers");
    return body.item == SADDLE_ITEM_BODY ? (saddle_pose *)(void *)saddle_model_position(model, body)
                                         : NULL;
}

const saddle_body_inertia *saddle_model_inertia(const saddle_model *model, saddle_handle body)
{
    if (!model) return NULL;
    const saddle__part *found = saddle__model_part(model, body);
    return found == NULL || found->item != SADDLE_ITEM_BODY ? NULL : &found->inertia;
}

int64_t saddle_model_node_count(const saddle_model *model, saddle_handle part)
{
    if (!model) return 0;
    const saddle__part *found = saddle__model_part(model, part);
    return found == NULL || found->item == SADDLE_ITEM_BODY ? 0 : found->size / 3;
}

saddle_status saddle_model_push(saddle_model *model, saddle_handle part, const double *force)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !force)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_push: model or force is NULL");
    const saddle__part *found = saddle__model_part(model, part);
    char name[160];
    saddle__model_describe(model, part, name, sizeof name);
    if (found == NULL)
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "push: %s is no part", name);
    if (!finite(force, found->size)) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "push: the force on %s is not finite", name);
    }
    for (int64_t k = 0; k < found->size; k++) model->push[found->velocity + k] += force[k];
    return SADDLE_OK;
}
