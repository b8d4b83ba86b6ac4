/* SPDX-License-Identifier: MIT */
/* Particles, bodies, nodes: addition, state, energies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_internal.h"
#include "space/space.h"

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

static saddle_status check_particle(const saddle_model *model, const saddle_particle_def *def)
{
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, 3, def->position},
                                       {"velocity", SADDLE__ANY, 3, def->velocity},
                                       {"mass", SADDLE__POSITIVE, !def->prescribed, &def->mass}};
    return saddle__check_numbers(model, "particle", def->name, 3, numbers);
}

static saddle_status check_body(const saddle_model *model, const saddle_body_def *def)
{
    const saddle_body_inertia *inertia = &def->inertia;
    const int weighed = !def->prescribed;
    const saddle__numbers numbers[] = {{"position", SADDLE__ANY, 3, def->pose.p},
                                       {"twist", SADDLE__ANY, 6, def->twist},
                                       {"mass", SADDLE__POSITIVE, weighed, &inertia->mass},
                                       {"center", SADDLE__ANY, 3 * weighed, inertia->center},
                                       {"moment", SADDLE__ANY, 9 * weighed, inertia->moment}};
    const saddle_status status = saddle__check_numbers(model, "body", def->name, 5, numbers);
    if (status != SADDLE_OK) return status;
    if (!saddle__is_rotation(def->pose.R, SADDLE__DEFINED_TOLERANCE))
        return saddle__refuse_new(model, "body", def->name, "its pose is not a rotation");
    if (def->prescribed) return SADDLE_OK;
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
    const saddle_status status = saddle_matrix_check(model->context, A, whose);
    if (status != SADDLE_OK) return status;
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
    saddle_status status = saddle__check_numbers(model, "nodes", def->name, 5, numbers);
    if (status == SADDLE_OK && !def->mass)
        return saddle__refuse_new(model, "nodes", def->name, "they have no mass");
    if (status == SADDLE_OK) status = check_matrix(model, def, def->mass, "mass");
    if (status != SADDLE_OK) return status;
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
    const saddle_status status = saddle__reserve(context, (void **)array, capacity, used + added,
                                                 sizeof **array);
    if (status != SADDLE_OK) return status;
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
    saddle_status status = saddle__copy_block(context, name, name ? (int64_t)strlen(name) + 1 : 0,
                                              1, (void **)&made->head.name);
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
        saddle__part_clear(context, made);
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
    const saddle_status status = check_particle(model, def);
    if (status != SADDLE_OK) return status;
    saddle__item_part made = {.prescribed = def->prescribed != 0,
                              .position_size = 3,
                              .size = 3,
                              .mass = def->mass};
    return add(model, SADDLE_ITEM_PARTICLE, &made, def->name, def->position, def->velocity, part);
}

saddle_status saddle_model_add_body(saddle_model *model, const saddle_body_def *def,
                                    saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    const saddle_status status = check_body(model, def);
    if (status != SADDLE_OK) return status;
    saddle__item_part made = {.prescribed = def->prescribed != 0,
                              .position_size = 12,
                              .size = 6,
                              .inertia = def->inertia};
    return add(model, SADDLE_ITEM_BODY, &made, def->name, &def->pose, def->twist, part);
}

saddle_status saddle_model_add_nodes(saddle_model *model, const saddle_nodes_def *def,
                                     saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && part,
                          "model, def or part is NULL");
    saddle_context *context = model->context;
    saddle_status status = check_nodes(model, def);
    if (status != SADDLE_OK) return status;
    const int64_t size = 3 * def->count;
    saddle__item_part made = {.position_size = size,
                              .size = size,
                              .damping_mass = def->damping_mass,
                              .damping_stiffness = def->damping_stiffness};
    const double *rest = def->rest ? def->rest : def->position;
    status = saddle__copy_block(context, rest, size, sizeof *rest, (void **)&made.rest);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, def->mass, &made.M);
    if (status == SADDLE_OK && def->stiffness)
        status = saddle_matrix_copy(context, def->stiffness, &made.K);
    if (status == SADDLE_OK)
        return add(model, SADDLE_ITEM_NODES, &made, def->name, def->position, def->velocity, part);
    saddle__part_clear(context, &made);
    return status;
}

void saddle__part_clear(saddle_context *context, saddle__item_part *part)
{
    saddle_release(context, part->head.name);
    saddle_release(context, part->rest);
    saddle_matrix_clear(&part->M);
    saddle_matrix_clear(&part->K);
    *part = (saddle__item_part){.head.generation = part->head.generation};
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
    return found && found->head.item != SADDLE_ITEM_BODY ? found->size / 3 : 0;
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

/* ---- energies ----
 *
 * Energies and momenta of a model.
 */

/* Adds momentum p at x, and an own moment; world axes. */
static void add_momentum(saddle_energies *sum, const double *x, const double *p, const double *own)
{
    double arm[3];
    saddle__cross(x, p, arm);
    for (int i = 0; i < 3; i++) {
        sum->momentum[i] += p[i];
        sum->moment[i] += arm[i] + own[i];
    }
}

static void add_body(const saddle_model *model, const saddle__item_part *part, saddle_energies *sum)
{
    const saddle_pose *pose = (const saddle_pose *)(const void *)(model->position + part->position);
    const double *twist = model->velocity + part->velocity;
    double momentum[6], center[3];
    saddle_body_inertia_multiply(&part->inertia, twist, momentum);
    for (int k = 0; k < 6; k++) sum->kinetic += twist[k] * momentum[k] / 2;
    saddle__rotate(pose->R, momentum, momentum);
    saddle__rotate(pose->R, momentum + 3, momentum + 3);
    add_momentum(sum, pose->p, momentum, momentum + 3);
    saddle__rotate(pose->R, part->inertia.center, center);
    for (int i = 0; i < 3; i++) center[i] += pose->p[i];
    sum->gravity -= part->inertia.mass * saddle__dot(model->gravity, center);
}

static void add_particle(const saddle_model *model, const saddle__item_part *part,
                         saddle_energies *sum)
{
    static const double none[3] = {0, 0, 0};
    const double *x = model->position + part->position, *v = model->velocity + part->velocity;
    const double p[3] = {part->mass * v[0], part->mass * v[1], part->mass * v[2]};
    sum->kinetic += saddle__dot(p, v) / 2;
    sum->gravity -= part->mass * saddle__dot(model->gravity, x);
    add_momentum(sum, x, p, none);
}

/* Adds mass entry (i, j): momentum at i from the velocity at j. */
static void add_mass_entry(const saddle_model *model, const saddle__item_part *part, int64_t i,
                           int64_t j, double m, saddle_energies *sum)
{
    static const double none[3] = {0, 0, 0};
    const double *x = model->position + part->position, *v = model->velocity + part->velocity;
    double p[3] = {0, 0, 0};
    p[i % 3] = m * v[j];
    sum->kinetic += p[i % 3] * v[i] / 2;
    add_momentum(sum, x + i / 3 * 3, p, none);
    sum->gravity -= m * model->gravity[j % 3] * x[i];
}

static void add_nodes(const saddle_model *model, const saddle__item_part *part,
                      saddle_energies *sum)
{
    const double *x = model->position + part->position;
    const saddle_matrix *M = &part->M, *K = &part->K;
    for (int64_t j = 0; j < M->cols; j++) {
        for (int64_t e = M->start[j]; e < M->start[j + 1]; e++) {
            const int64_t i = M->index[e];
            add_mass_entry(model, part, i, j, M->value[e], sum);
            if (i != j) add_mass_entry(model, part, j, i, M->value[e], sum);
        }
    }
    for (int64_t j = 0; j < K->cols; j++) {
        for (int64_t e = K->start[j]; e < K->start[j + 1]; e++) {
            const int64_t i = K->index[e];
            sum->elastic += K->value[e] * (x[i] - part->rest[i]) * (x[j] - part->rest[j]) *
                            (i == j ? 0.5 : 1);
        }
    }
}

saddle_energies saddle_model_energies(saddle_model *model)
{
    if (!model) return (saddle_energies){0};
    saddle_energies sum = {0};
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[model->parts.order[k]];
        if (part->prescribed) continue;
        if (part->head.item == SADDLE_ITEM_BODY)
            add_body(model, part, &sum);
        else if (part->head.item == SADDLE_ITEM_PARTICLE)
            add_particle(model, part, &sum);
        else
            add_nodes(model, part, &sum);
    }
    for (int32_t k = 0; k < model->forces.count; k++) {
        const saddle__item_link *force = &model->force[model->forces.order[k]];
        if (!force->force->energy) continue;
        saddle__site_buffer buffer;
        const saddle_site site = saddle__model_site(model, force->count, force->anchors,
                                                    force->data, &buffer);
        sum.elastic += force->force->energy(&site);
    }
    return sum;
}
