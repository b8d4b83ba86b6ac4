/* SPDX-License-Identifier: MIT */
/* Pins: weighted points of parts at one place (saddle/pin.h).
 *
 *     x = p + R c,  J = w R [I  -[c]],  d2x/dt2 = R (omega x (nu + omega x c)) at a twist that
 *         stays
 *     J'F = w (R'F, c x R'F),  d(R'F) = [R'F] domega
 */
#include "saddle/pin.h"

#include <math.h>

#include "items.h"
#include "space/space.h"

typedef struct pin {
    double place[3], velocity[3];
    double each[][4]; /* of each anchor: c, w */
} pin;

saddle_pin_def saddle_pin_def_default(void)
{
    return (saddle_pin_def){.strength = INFINITY};
}

static const double *rotation_of(const saddle_site *site, int64_t k)
{
    return site->size[k] == 6 ? site->position[k] + 3 : NULL;
}

/* Three rows of weight w at a body: w R Gamma(c). */
static void body_rows(const double *R, const double *c, double w, double *J)
{
    for (int i = 0; i < 3; i++) {
        const double row[3] = {w * R[i], w * R[i + 3], w * R[i + 6]};
        double arm[3];
        saddle__cross(c, row, arm);
        for (int j = 0; j < 3; j++) {
            J[6 * i + j] = row[j];
            J[6 * i + 3 + j] = arm[j];
        }
    }
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              saddle_constraint_values *values)
{
    const pin *data = site->data;
    (void)context;
    for (int i = 0; i < 3; i++) {
        values->phi[i] = -data->place[i] - data->velocity[i] * site->time;
        values->rate[i] = -data->velocity[i];
    }
    for (int64_t k = 0; k < site->count; k++) {
        const double *c = data->each[k], w = data->each[k][3];
        const double *R = rotation_of(site, k);
        double x[3] = {0, 0, 0};
        if (R != NULL) saddle__rotate(R, c, x);
        for (int i = 0; i < 3; i++) values->phi[i] += w * (site->position[k][i] + x[i]);
        if (R != NULL) body_rows(R, c, w, values->J[k]);
        for (int i = 0; R == NULL && i < 3; i++) values->J[k][4 * i] = w;
    }
    return SADDLE_OK;
}

static saddle_status drift(saddle_context *context, const saddle_site *site, double *result)
{
    const pin *data = site->data;
    (void)context;
    for (int64_t k = 0; k < site->count; k++) {
        const double *R = rotation_of(site, k), *twist = site->velocity[k];
        if (R == NULL) continue;
        double velocity[3], turned[3];
        saddle__cross(twist + 3, data->each[k], velocity);
        for (int i = 0; i < 3; i++) velocity[i] += twist[i];
        saddle__cross(twist + 3, velocity, turned);
        saddle__rotate(R, turned, turned);
        for (int i = 0; i < 3; i++) result[i] += data->each[k][3] * turned[i];
    }
    return SADDLE_OK;
}

static saddle_status stiffness(saddle_context *context, const saddle_site *site,
                               const double *force, double *const *K)
{
    const pin *data = site->data;
    (void)context;
    for (int64_t k = 0; k < site->count; k++) {
        const double *R = rotation_of(site, k);
        if (R == NULL) continue;
        double local[3], turned[9], arm[9], moved[9];
        saddle__unrotate(R, force, local);
        for (int i = 0; i < 3; i++) local[i] *= data->each[k][3];
        saddle__skew(local, turned);
        saddle__skew(data->each[k], arm);
        saddle__product3(arm, turned, moved);
        double *block = K[k * site->count + k];
        for (int j = 0; j < 3; j++) {
            for (int i = 0; i < 3; i++) {
                block[i + 6 * (3 + j)] = turned[i + 3 * j];
                block[3 + i + 6 * (3 + j)] = moved[i + 3 * j];
            }
        }
    }
    return SADDLE_OK;
}

static const saddle_constraint_type type = {.name = "pin",
                                            .evaluate = evaluate,
                                            .drift = drift,
                                            .stiffness = stiffness};

static const char *wrong_of(const saddle_pin_def *def)
{
    double sum = 0;
    if (def->weights == NULL) return "it has no weights";
    for (int64_t k = 0; k < def->count; k++) {
        if (!isfinite(def->weights[k])) return "a weight is not finite";
        sum += fabs(def->weights[k]);
        for (int i = 0; def->points != NULL && i < 3; i++) {
            if (!isfinite(def->points[3 * k + i])) return "a point is not finite";
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!isfinite(def->place[i]) || !isfinite(def->velocity[i]))
            return "its place or its velocity is not finite";
    }
    return sum == 0 ? "its weights are all zero" : NULL;
}

saddle_status saddle_model_add_pin(saddle_model *model, const saddle_pin_def *def,
                                   saddle_handle *handle)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !def || !handle)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_pin: model, def or pin is NULL");
    const int counted = def->count >= 1 && def->count <= SADDLE_ANCHORS_MAX; /* else the constraint
                                                                                refuses it */
    const char *wrong = counted ? wrong_of(def) : NULL;
    if (wrong != NULL) return saddle__refuse_new(model, "pin", def->name, wrong);
    pin *data = saddle_allocate(model->context, 1,
                                sizeof *data +
                                    (size_t)(counted ? def->count : 0) * sizeof data->each[0]);
    if (data == NULL) return SADDLE_OUT_OF_MEMORY;
    memcpy(data->place, def->place, sizeof data->place);
    memcpy(data->velocity, def->velocity, sizeof data->velocity);
    for (int64_t k = 0; counted && k < def->count; k++) {
        for (int i = 0; def->points != NULL && i < 3; i++)
            data->each[k][i] = def->points[3 * k + i];
        data->each[k][3] = def->weights[k];
    }
    const saddle_row_def row = {.purpose = SADDLE_HOLD,
                                .strength = def->strength,
                                .compliance = def->compliance};
    const saddle_row_def rows[3] = {row, row, row};
    const saddle_constraint_def constraint = {.name = def->name,
                                              .type = &type,
                                              .count = def->count,
                                              .anchors = def->anchors,
                                              .rows = 3,
                                              .row = rows};
    const saddle_status status = saddle__model_add_owned_constraint(model, &constraint, data, NULL,
                                                                    handle);
    if (status != SADDLE_OK) saddle_release(model->context, data);
    return status;
}
