/* SPDX-License-Identifier: MIT */
/* Springs and armatures on free coordinates of joints (saddle/forces.h), and gears between such
 * coordinates (saddle/gear.h).
 *
 *     spring    f = J'F,  F = -k (q - r) - d J v
 *               K = F G - J'(k J + d v'G),  D = -d J'J,    G = d(J')/dq
 *     armature  M = a J'J,  f = -a J'(dJ/dt v)
 *     gear      phi = +-(sum c_i q_i - bound)
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "joint_internal.h"
#include "saddle/forces.h"
#include "saddle/gear.h"

/* ---- coordinates ---- */

/* NULL, or the fault: no joint, no coordinate of the index, a joint on a particle. */
static const char *find_coordinate(const saddle_model *model, saddle_handle joint, int64_t index,
                                   saddle__coordinate *coordinate)
{
    const saddle__joint *on = saddle__joint_of(model, joint);
    if (!on) return "there is no such joint";
    if (index < 0 || index >= on->free) return "the joint has no such free coordinate";
    if (on->used.a.item == SADDLE_ITEM_PARTICLE || on->used.b.item == SADDLE_ITEM_PARTICLE)
        return "a particle has no angles";
    const int64_t f = on->locked + index;
    *coordinate = (saddle__coordinate){joint,           index,        on->used,
                                       on->function[f], on->angle[f], on->guide};
    coordinate->def.name = NULL;
    return NULL;
}

/* ---- springs ---- */

typedef struct joint_spring {
    saddle_joint_spring spring; /* first: saddle_model_force_data points here */
    saddle__coordinate coordinate;
} joint_spring;

/* F of a spring at a place. */
static saddle_status evaluate_spring(saddle_context *context, const saddle_site *site, int second,
                                     saddle__coordinate_value *at, double *F)
{
    const joint_spring *data = site->data;
    *F = 0;
    if (!saddle__coordinate_at(&data->coordinate, site, second, at))
        return saddle_fail(context, SADDLE_SINGULAR,
                           "joint spring: its coordinate is not defined here");
    *F = -data->spring.stiffness * (at->q - data->spring.rest) - data->spring.damping * at->dq;
    return SADDLE_OK;
}

static saddle_status spring_evaluate(saddle_context *context, const saddle_site *site,
                                     double *const *force)
{
    saddle__coordinate_value at;
    double F;
    SADDLE__TRY(evaluate_spring(context, site, 0, &at, &F));
    for (int k = 0; k < 2; k++)
        for (int64_t j = 0; j < site->size[k]; j++) force[k][j] = F * at.J[k][j];
    return SADDLE_OK;
}

static saddle_status spring_jacobians(saddle_context *context, const saddle_site *site,
                                      double *const *K, double *const *D)
{
    const joint_spring *data = site->data;
    const double damping = data->spring.damping;
    saddle__coordinate_value at;
    double F;
    SADDLE__TRY(evaluate_spring(context, site, 1, &at, &F));
    for (int b = 0; b < 2; b++) {
        for (int64_t j = 0; j < site->size[b]; j++) {
            double slope = data->spring.stiffness * at.J[b][j]; /* -dF/dq_b */
            for (int a = 0; a < 2; a++)
                for (int64_t i = 0; i < site->size[a]; i++)
                    slope += damping * site->velocity[a][i] * at.G[2 * a + b][i + 6 * j];
            for (int a = 0; a < 2; a++) {
                const int64_t rows = site->size[a];
                for (int64_t i = 0; i < rows; i++) {
                    K[2 * a + b][i + rows * j] = F * at.G[2 * a + b][i + 6 * j] -
                                                 at.J[a][i] * slope;
                    D[2 * a + b][i + rows * j] = -damping * at.J[a][i] * at.J[b][j];
                }
            }
        }
    }
    return SADDLE_OK;
}

static double spring_energy(const saddle_site *site)
{
    const joint_spring *data = site->data;
    saddle__coordinate_value at;
    double F;
    if (evaluate_spring(NULL, site, 0, &at, &F) != SADDLE_OK) return 0;
    return data->spring.stiffness * (at.q - data->spring.rest) * (at.q - data->spring.rest) / 2;
}

static void count_spring_turns(const saddle_site *site, void *writable)
{
    joint_spring *data = writable;
    saddle__coordinate_moved(&data->coordinate, site);
}

static const saddle_force_type spring_type = {
    "joint spring", spring_evaluate, spring_jacobians, 0, spring_energy, NULL, NULL};

saddle_status saddle_model_add_joint_spring(saddle_model *model, const char *name,
                                            saddle_handle joint, int64_t coordinate,
                                            const saddle_joint_spring *spring, saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && spring && force,
                          "model, spring or force is NULL");
    joint_spring data = {.spring = *spring};
    const char *wrong = find_coordinate(model, joint, coordinate, &data.coordinate);
    if (wrong) return saddle__refuse_new(model, "joint spring", name, "%s", wrong);
    const saddle__numbers numbers[] = {{"stiffness", SADDLE__AMOUNT, 1, &spring->stiffness},
                                       {"damping", SADDLE__AMOUNT, 1, &spring->damping},
                                       {"rest", SADDLE__ANY, 1, &spring->rest}};
    SADDLE__TRY(saddle__check_numbers(model, "joint spring", name, 3, numbers));
    const saddle_anchor *anchors = saddle__model_constraint(model, joint)->anchors;
    const saddle_force_def def = {name, &spring_type, 2, anchors, &data, sizeof data};
    const saddle_status status = saddle_model_add_force(model, &def, force);
    if (status == SADDLE_OK &&
        (data.coordinate.function.turns || data.coordinate.def.kind == SADDLE_JOINT_MOTION))
        saddle__model_force(model, *force)->moved = count_spring_turns;
    return status;
}

/* ---- armatures ---- */

typedef struct joint_armature {
    saddle_armature armature; /* first: saddle_model_force_data points here */
    saddle__coordinate coordinate;
} joint_armature;

static saddle_status armature_at(saddle_context *context, const saddle_site *site, int second,
                                 saddle__coordinate_value *at)
{
    const joint_armature *data = site->data;
    if (saddle__coordinate_at(&data->coordinate, site, second, at)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_SINGULAR, "armature: its coordinate is not defined here");
}

static saddle_status armature_evaluate(saddle_context *context, const saddle_site *site,
                                       double *const *force)
{
    const joint_armature *data = site->data;
    saddle__coordinate_value at;
    SADDLE__TRY(armature_at(context, site, 1, &at));
    for (int k = 0; k < 2; k++)
        for (int64_t j = 0; j < site->size[k]; j++)
            force[k][j] = -data->armature.inertia * at.drift * at.J[k][j];
    return SADDLE_OK;
}

static saddle_status armature_mass(saddle_context *context, const saddle_site *site,
                                   double *const *M)
{
    const joint_armature *data = site->data;
    saddle__coordinate_value at;
    SADDLE__TRY(armature_at(context, site, 0, &at));
    for (int block = 0; block < 4; block++) {
        const double *Ja = at.J[block / 2], *Jb = at.J[block % 2];
        const int64_t rows = site->size[block / 2], cols = site->size[block % 2];
        for (int64_t e = 0; e < rows * cols; e++)
            M[block][e] = data->armature.inertia * Ja[e % rows] * Jb[e / rows];
    }
    return SADDLE_OK;
}

static double armature_kinetic(const saddle_site *site)
{
    const joint_armature *data = site->data;
    saddle__coordinate_value at;
    if (armature_at(NULL, site, 0, &at) != SADDLE_OK) return 0;
    return data->armature.inertia * at.dq * at.dq / 2;
}

static void move_armature(const saddle_site *site, void *writable)
{
    joint_armature *data = writable;
    saddle__coordinate_moved(&data->coordinate, site);
}

static const saddle_force_type armature_type = {.name = "armature",
                                                .evaluate = armature_evaluate,
                                                .mass = armature_mass,
                                                .kinetic = armature_kinetic};

saddle_status saddle_model_add_armature(saddle_model *model, const char *name, saddle_handle joint,
                                        int64_t coordinate, const saddle_armature *armature,
                                        saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && armature && force,
                          "model, armature or force is NULL");
    joint_armature data = {.armature = *armature};
    const char *wrong = find_coordinate(model, joint, coordinate, &data.coordinate);
    if (wrong) return saddle__refuse_new(model, "armature", name, "%s", wrong);
    const saddle__numbers inertia = {"inertia", SADDLE__AMOUNT, 1, &armature->inertia};
    SADDLE__TRY(saddle__check_numbers(model, "armature", name, 1, &inertia));
    const saddle_anchor *anchors = saddle__model_constraint(model, joint)->anchors;
    const saddle_force_def def = {name, &armature_type, 2, anchors, &data, sizeof data};
    SADDLE__TRY(saddle_model_add_force(model, &def, force));
    if (data.coordinate.def.kind == SADDLE_JOINT_MOTION)
        saddle__model_force(model, *force)->moved = move_armature;
    return SADDLE_OK;
}

/* ---- gears ---- */

typedef struct gear_term {
    double factor;
    int64_t anchor[2]; /* index of the joint's anchors among the gear's */
    saddle__coordinate coordinate;
} gear_term;

typedef struct gear {
    double lo, hi;
    int64_t count;
    gear_term term[]; /* count */
} gear;

/* The site of a term's joint, as part of the gear's. */
typedef struct term_site {
    saddle_site site;
    int64_t size[2];
    const double *position[2], *velocity[2];
} term_site;

static const saddle_site *site_of(const saddle_site *site, const gear_term *term, term_site *of)
{
    for (int k = 0; k < 2; k++) {
        of->size[k] = site->size[term->anchor[k]];
        of->position[k] = site->position[term->anchor[k]];
        of->velocity[k] = site->velocity[term->anchor[k]];
    }
    of->site = (saddle_site){NULL, site->time, 2, of->size, of->position, of->velocity};
    return &of->site;
}

static saddle_status term_at(saddle_context *context, const saddle_site *site, int64_t k,
                             int second, saddle__coordinate_value *at)
{
    const gear *data = site->data;
    term_site of;
    if (saddle__coordinate_at(&data->term[k].coordinate, site_of(site, &data->term[k], &of), second,
                              at))
        return SADDLE_OK;
    return saddle_fail(context, SADDLE_SINGULAR, "gear: coordinate %lld is not defined here",
                       (long long)k + 1);
}

/* Sign and bound of the rows: one where held, one for each finite limit. */
static int rows_of(const gear *data, double sign[2], double bound[2])
{
    int rows = 0;
    if (isfinite(data->lo)) {
        sign[rows] = 1;
        bound[rows++] = data->lo;
    }
    if (isfinite(data->hi) && data->lo < data->hi) {
        sign[rows] = -1;
        bound[rows++] = data->hi;
    }
    return rows;
}

static saddle_status gear_evaluate(saddle_context *context, const saddle_site *site,
                                   saddle_constraint_values *values)
{
    const gear *data = site->data;
    double sign[2], bound[2];
    const int rows = rows_of(data, sign, bound);
    for (int i = 0; i < rows; i++) values->phi[i] = -sign[i] * bound[i];
    for (int64_t k = 0; k < data->count; k++) {
        const gear_term *term = &data->term[k];
        saddle__coordinate_value at;
        SADDLE__TRY(term_at(context, site, k, 0, &at));
        for (int i = 0; i < rows; i++) {
            const double weight = sign[i] * term->factor;
            values->phi[i] += weight * at.q;
            for (int side = 0; side < 2; side++) {
                const int64_t size = site->size[term->anchor[side]];
                for (int64_t j = 0; j < size; j++)
                    values->J[term->anchor[side]][i * size + j] += weight * at.J[side][j];
            }
        }
    }
    return SADDLE_OK;
}

static saddle_status gear_drift(saddle_context *context, const saddle_site *site, double *drift)
{
    const gear *data = site->data;
    double sign[2], bound[2], sum = 0;
    const int rows = rows_of(data, sign, bound);
    for (int64_t k = 0; k < data->count; k++) {
        saddle__coordinate_value at;
        SADDLE__TRY(term_at(context, site, k, 1, &at));
        sum += data->term[k].factor * at.drift;
    }
    for (int i = 0; i < rows; i++) drift[i] = sign[i] * sum;
    return SADDLE_OK;
}

static saddle_status gear_stiffness(saddle_context *context, const saddle_site *site,
                                    const double *force, double *const *K)
{
    const gear *data = site->data;
    double sign[2], bound[2], F = 0;
    const int rows = rows_of(data, sign, bound);
    for (int i = 0; i < rows; i++) F += sign[i] * force[i];
    for (int64_t k = 0; k < data->count; k++) {
        const gear_term *term = &data->term[k];
        saddle__coordinate_value at;
        SADDLE__TRY(term_at(context, site, k, 1, &at));
        for (int block = 0; block < 4; block++) {
            const int64_t a = term->anchor[block / 2], b = term->anchor[block % 2];
            double *to = K[a * site->count + b];
            for (int64_t j = 0; j < site->size[b]; j++)
                for (int64_t i = 0; i < site->size[a]; i++)
                    to[i + site->size[a] * j] += F * term->factor * at.G[block][i + 6 * j];
        }
    }
    return SADDLE_OK;
}

static const saddle_constraint_type gear_type = {"gear", gear_evaluate, gear_drift, gear_stiffness};

static void count_gear_turns(const saddle_site *site, void *writable)
{
    gear *data = writable;
    for (int64_t k = 0; k < data->count; k++) {
        term_site of;
        gear_term *term = &data->term[k];
        saddle__coordinate_moved(&term->coordinate, site_of(site, term, &of));
    }
}

/* The terms with their anchors, each once. */
static saddle_status take_terms(const saddle_model *model, const saddle_gear_def *def, gear *data,
                                saddle_anchor *anchors, int64_t *count)
{
    for (int64_t k = 0; k < def->count; k++) {
        const saddle_gear_term *from = &def->terms[k];
        gear_term *term = &data->term[k];
        const char *wrong = find_coordinate(model, from->joint, from->coordinate,
                                            &term->coordinate);
        if (wrong) return saddle__refuse_new(model, "gear", def->name, "%s", wrong);
        const saddle_anchor *on = saddle__model_constraint(model, from->joint)->anchors;
        const saddle__numbers factor = {"factor", SADDLE__ANY, 1, &from->factor};
        SADDLE__TRY(saddle__check_numbers(model, "gear", def->name, 1, &factor));
        term->factor = from->factor;
        for (int side = 0; side < 2; side++) {
            int64_t at = 0;
            while (at < *count && !saddle__handles_are_same(anchors[at].part, on[side].part)) at++;
            if (at == *count) anchors[(*count)++] = on[side];
            term->anchor[side] = at;
        }
    }
    return SADDLE_OK;
}

static saddle_status add_gear(saddle_model *model, const saddle_gear_def *def, gear *data,
                              saddle_handle *handle)
{
    saddle_anchor anchors[SADDLE_ANCHORS_MAX];
    saddle_row_def row[2] = {saddle_row_def_default(), saddle_row_def_default()};
    double sign[2], bound[2];
    int64_t count = 0;
    data->lo = def->lo;
    data->hi = def->hi;
    data->count = def->count;
    SADDLE__TRY(take_terms(model, def, data, anchors, &count));
    for (int i = 0; i < 2; i++) {
        row[i].purpose = def->lo < def->hi ? SADDLE_PURPOSE_LIMIT : SADDLE_PURPOSE_HOLD;
        row[i].compliance = def->compliance;
    }
    const saddle_constraint_def constraint = {.name = def->name,
                                              .type = &gear_type,
                                              .count = count,
                                              .anchors = anchors,
                                              .rows = rows_of(data, sign, bound),
                                              .row = row,
                                              .data = data,
                                              .bytes = sizeof *data +
                                                       (size_t)def->count * sizeof data->term[0]};
    SADDLE__TRY(saddle__model_add_link(model, NULL, &constraint, handle));
    saddle__model_constraint(model, *handle)->moved = count_gear_turns;
    return SADDLE_OK;
}

saddle_status saddle_model_add_gear(saddle_model *model, const saddle_gear_def *def,
                                    saddle_handle *handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && def->terms && handle,
                          "model, definition, terms or gear is NULL");
    if (def->count < 1 || def->count > SADDLE_ANCHORS_MAX / 2)
        return saddle__refuse_new(model, "gear", def->name, "a gear has 1 to %d terms",
                                  SADDLE_ANCHORS_MAX / 2);
    const double range[2] = {isfinite(def->lo) ? def->lo : 0, isfinite(def->hi) ? def->hi : 0};
    const saddle__numbers numbers = {"bounds", SADDLE__ANY, 2, range};
    SADDLE__TRY(saddle__check_numbers(model, "gear", def->name, 1, &numbers));
    if (!(def->lo <= def->hi) || (!isfinite(def->lo) && !isfinite(def->hi)))
        return saddle__refuse_new(model, "gear", def->name, "lo > hi, or neither is finite");
    SADDLE__TRY(saddle__check_compliance(model, "gear", def->name, &def->compliance));
    gear *data = saddle_allocate(
        model->context, (int64_t)(sizeof *data + (size_t)def->count * sizeof data->term[0]), 1);
    if (!data) return SADDLE_OUT_OF_MEMORY;
    const saddle_status status = add_gear(model, def, data, handle);
    saddle_release(model->context, data);
    return status;
}

/* ---- changed joints ---- */

static void follow(const saddle_model *model, saddle_handle joint, saddle__coordinate *coordinate)
{
    if (saddle__handles_are_same(coordinate->joint, joint))
        (void)find_coordinate(model, joint, coordinate->index, coordinate);
}

void saddle__coordinates_follow(saddle_model *model, saddle_handle joint)
{
    for (int64_t k = 0; k < saddle__link_count(model); k++) {
        const saddle__item_link *link = saddle__link_at(model, k);
        if (link->force == &spring_type)
            follow(model, joint, &((joint_spring *)link->data)->coordinate);
        if (link->force == &armature_type)
            follow(model, joint, &((joint_armature *)link->data)->coordinate);
        if (link->constraint != &gear_type) continue;
        gear *data = link->data;
        for (int64_t term = 0; term < data->count; term++)
            follow(model, joint, &data->term[term].coordinate);
    }
}
