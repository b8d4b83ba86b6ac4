/* SPDX-License-Identifier: MIT */
/* Particles, bodies and nodes of a model: definitions, addition, state. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_internal.h"
#include "space/space.h"

void saddle__clear_part(saddle_context *context, saddle__item_part *part)
{
    saddle__release_all(context, part->head.name, part->rest, part->followed,
                        part->element[SADDLE_TETRAHEDRON], part->element[SADDLE_HEXAHEDRON]);
    saddle_matrix_clear(&part->M);
    saddle_matrix_clear(&part->K);
    *part = (saddle__item_part){.head.generation = part->head.generation};
}

saddle_body_def saddle_body_def_default(void)
{
    return (saddle_body_def){.pose = saddle_pose_identity()};
}

/* ---- checks of definitions ---- */

int saddle__is_rotation(const double *R, double tolerance)
{
    double gram[9], cross[3];
    saddle__transposed_product3(R, R, gram);
    for (int k = 0; k < 9; k++)
        if (!(fabs(gram[k] - (k % 4 == 0)) <= tolerance)) return 0;
    saddle__cross(R, R + 3, cross);
    return saddle__dot(cross, R + 6) > 0;
}

static saddle_status check_body(const saddle_model *model, const saddle_body_def *def)
{
    const saddle_body_inertia *inertia = &def->inertia;
    const int weighed = !def->prescribed && !def->massless;
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, 3, def->pose.p},
                                       {"twist", SADDLE__ANY, 6, def->twist},
                                       {"mass", SADDLE__POSITIVE, weighed, &inertia->mass},
                                       {"center", SADDLE__ANY, 3 * weighed, inertia->center},
                                       {"moment", SADDLE__ANY, 9 * weighed, inertia->moment}};
    SADDLE__TRY(saddle__check_numbers(model, "body", def->name, 5, numbers));
    if (!saddle__is_rotation(def->pose.R, SADDLE__DEFINED_TOLERANCE))
        return saddle__refuse_new(model, "body", def->name, "its pose is not a rotation");
    if (!weighed) return SADDLE_OK;
    char whose[160];
    saddle__describe_new("body", def->name, whose, sizeof whose);
    return saddle_body_inertia_check(model->context, inertia, whose);
}

/* A matrix of nodes: word is the name of the field. */
static saddle_status check_matrix(const saddle_model *model, const saddle_nodes_def *def,
                                  const saddle_matrix *A, const char *word)
{
    char subject[160], whose[200];
    const int64_t size = 3 * def->count;
    if (A->rows != size || A->cols != size || A->symmetry != SADDLE_SYMMETRIC) {
        return saddle__refuse_new(model, "nodes", def->name,
                                  "the %s is not symmetric of 3 count rows", word);
    }
    saddle__describe_new("nodes", def->name, subject, sizeof subject);
    snprintf(whose, sizeof whose, "%s: %s", subject, word);
    SADDLE__TRY(saddle_matrix_check(model->context, A, whose));
    const saddle__numbers entries = {word, SADDLE__ANY, saddle_matrix_entries(A), A->value};
    return saddle__check_numbers(model, "nodes", def->name, 1, &entries);
}

/* Of positive definiteness only the diagonal is checked here; a factorization finds the rest. */
static saddle_status check_nodes(const saddle_model *model, const saddle_nodes_def *def)
{
    if (def->count < 1 || !def->position)
        return saddle__refuse_new(model, "nodes", def->name, "no nodes, or no positions");
    if (def->count > INT64_MAX / 64)
        return saddle_fail(model->context, SADDLE_TOO_LARGE, "nodes: too many");
    const int64_t size = 3 * def->count;
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, size, def->position},
                                       {"velocity", SADDLE__ANY, def->velocity ? size : 0,
                                        def->velocity},
                                       {"rest", SADDLE__ANY, def->rest ? size : 0, def->rest},
                                       {"damping_mass", SADDLE__AMOUNT, 1, &def->damping_mass},
                                       {"damping_stiffness", SADDLE__AMOUNT, 1,
                                        &def->damping_stiffness}};
    SADDLE__TRY(saddle__check_numbers(model, "nodes", def->name, 5, numbers));
    if (!def->mass) return saddle__refuse_new(model, "nodes", def->name, "they have no mass");
    SADDLE__TRY(check_matrix(model, def, def->mass, "mass"));
    for (int64_t j = 0; j < def->mass->cols; j++) {
        if (!(saddle_matrix_entry(def->mass, j, j) > 0))
            return saddle__refuse_new(model, "nodes", def->name,
                                      "a diagonal entry of the mass is not positive");
    }
    return def->stiffness ? check_matrix(model, def, def->stiffness, "stiffness") : SADDLE_OK;
}

/* ---- addition ---- */

/* Grows an array of `used` doubles by `added` zeros. */
static saddle_status append(saddle_context *context, double **array, int64_t *capacity,
                            int64_t used, int64_t added)
{
    SADDLE__TRY(saddle__reserve(context, array, capacity, used + added, sizeof **array));
    memset(*array + used, 0, (size_t)added * sizeof **array);
    return SADDLE_OK;
}

/* Adds `made` to the model with a name and a state; on failure its contents are released. velocity:
 * NULL = 0. */
static saddle_status add(saddle_model *model, saddle_item item, saddle__item_part *made,
                         const char *name, const void *position, const double *velocity,
                         saddle_handle *handle)
{
    saddle_context *context = model->context;
    const int64_t q = model->positions, v = model->velocities;
    int32_t place = 0;
    saddle_status status = saddle__copy_name(context, name, &made->head.name);
    if (status == SADDLE_OK)
        status = append(context, &model->position, &model->position_capacity, q,
                        made->position_size);
    if (status == SADDLE_OK)
        status = append(context, &model->velocity, &model->velocity_capacity, v, made->size);
    if (status == SADDLE_OK)
        status = append(context, &model->push, &model->push_capacity, v, made->size);
    if (status == SADDLE_OK)
        status = saddle__pool_add(context, &model->parts, (void **)&model->part,
                                  sizeof *model->part, &place);
    if (status != SADDLE_OK) {
        saddle__clear_part(context, made);
        return status;
    }
    made->head.generation = model->part[place].head.generation;
    made->head.item = (uint16_t)item;
    made->position = q;
    made->velocity = v;
    model->part[place] = *made;
    memcpy(model->position + q, position, (size_t)made->position_size * sizeof(double));
    if (velocity) memcpy(model->velocity + v, velocity, (size_t)made->size * sizeof(double));
    model->positions += made->position_size;
    model->velocities += made->size;
    model->edition++;
    *handle = saddle__model_handle(model, &made->head, place);
    return SADDLE_OK;
}

saddle_status saddle_model_add_particle(saddle_model *model, const saddle_particle_def *def,
                                        saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, 3, def->position},
                                       {"velocity", SADDLE__ANY, 3, def->velocity},
                                       {"mass", SADDLE__POSITIVE,
                                        !def->prescribed && !def->massless, &def->mass}};
    SADDLE__TRY(saddle__check_numbers(model, "particle", def->name, 3, numbers));
    saddle__item_part made = {.prescribed = def->prescribed != 0,
                              .massless = def->massless != 0,
                              .position_size = 3,
                              .size = 3,
                              .mass = def->massless ? 0 : def->mass};
    return add(model, SADDLE_ITEM_PARTICLE, &made, def->name, def->position, def->velocity, part);
}

saddle_status saddle_model_add_body(saddle_model *model, const saddle_body_def *def,
                                    saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    SADDLE__TRY(check_body(model, def));
    saddle__item_part made = {.prescribed = def->prescribed != 0,
                              .massless = def->massless != 0,
                              .position_size = 12,
                              .size = 6};
    if (!def->massless) made.inertia = def->inertia;
    return add(model, SADDLE_ITEM_BODY, &made, def->name, &def->pose, def->twist, part);
}

saddle_status saddle_model_add_nodes(saddle_model *model, const saddle_nodes_def *def,
                                     saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    saddle_context *context = model->context;
    SADDLE__TRY(check_nodes(model, def));
    const int64_t size = 3 * def->count;
    saddle__item_part made = {.position_size = size,
                              .size = size,
                              .damping_mass = def->damping_mass,
                              .damping_stiffness = def->damping_stiffness};
    const double *rest = def->rest ? def->rest : def->position;
    saddle_status status = saddle__copy_block(context, rest, size, sizeof *rest,
                                              (void **)&made.rest);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, def->mass, &made.M);
    if (status == SADDLE_OK && def->stiffness)
        status = saddle_matrix_copy(context, def->stiffness, &made.K);
    if (status == SADDLE_OK)
        return add(model, SADDLE_ITEM_NODES, &made, def->name, def->position, def->velocity, part);
    saddle__clear_part(context, &made);
    return status;
}

saddle_status saddle__model_add_coordinates(saddle_model *model, int64_t count, const double *q,
                                            const double *dq, saddle_handle *part)
{
    saddle__item_part made = {.massless = 1, .position_size = count, .size = count};
    return add(model, SADDLE_ITEM_COORDINATES, &made, NULL, q, dq, part);
}

/* ---- state ---- */

int64_t saddle_model_part_count(const saddle_model *model)
{
    return model ? model->parts.count : 0;
}

saddle_handle saddle_model_part_at(const saddle_model *model, int64_t i)
{
    if (!model || i < 0 || i >= model->parts.count) return (saddle_handle){0};
    const int32_t place = model->parts.order[i];
    return saddle__model_handle(model, &model->part[place].head, place);
}

double *saddle_model_position(saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    return found ? model->position + found->position : NULL;
}

double *saddle_model_velocity(saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    return found ? model->velocity + found->velocity : NULL;
}

int64_t saddle_model_part_velocities(const saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    return found ? found->size : 0;
}

saddle_pose *saddle_model_pose(saddle_model *model, saddle_handle body)
{
    _Static_assert(sizeof(saddle_pose) == 12 * sizeof(double), "a pose is twelve numbers");
    if (body.item != SADDLE_ITEM_BODY) return NULL;
    return (saddle_pose *)(void *)saddle_model_position(model, body);
}

const saddle_body_inertia *saddle_model_inertia(const saddle_model *model, saddle_handle body)
{
    const saddle__item_part *found = model ? saddle__model_part(model, body) : NULL;
    return found && found->head.item == SADDLE_ITEM_BODY ? &found->inertia : NULL;
}

int64_t saddle_model_node_count(const saddle_model *model, saddle_handle part)
{
    const saddle__item_part *found = model ? saddle__model_part(model, part) : NULL;
    const int points = found && (found->head.item == SADDLE_ITEM_PARTICLE ||
                                 found->head.item == SADDLE_ITEM_NODES);
    return points ? found->size / 3 : 0;
}

saddle_status saddle_model_push(saddle_model *model, saddle_handle part, const double *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && force, "model or force is NULL");
    const saddle__item_part *found = saddle__model_part(model, part);
    if (!found) return saddle__refuse_item(model, "push: ", part, " is no part");
    if (!saddle__is_finite(force, found->size))
        return saddle__refuse_item(model, "push: the force on ", part, " is not finite");
    for (int64_t k = 0; k < found->size; k++) model->push[found->velocity + k] += force[k];
    return SADDLE_OK;
}
