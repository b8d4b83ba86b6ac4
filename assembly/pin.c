/* SPDX-License-Identifier: MIT */
/* Pins: weighted points of parts at one place (saddle/pin.h).
 *
 *     x = p + R c,  J = w R [I  -[c]],  d2x/dt2 = R (omega x (nu + omega x c)) at a constant twist
 *     J'F = w (R'F, c x R'F),  d(R'F) = [R'F] domega
 */
#include "saddle/pin.h"

#include <math.h>
#include <stddef.h>

#include "model_internal.h"
#include "segment.h"
#include "space/space.h"

typedef struct pin {
    double place[3], velocity[3];
    double each[SADDLE_ANCHORS_MAX][4]; /* of each anchor: c, w; the model keeps count of them */
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
        if (R) saddle__rotate(R, c, x);
        for (int i = 0; i < 3; i++) values->phi[i] += w * (site->position[k][i] + x[i]);
        if (R) body_rows(R, c, w, values->J[k]);
        for (int i = 0; !R && i < 3; i++) values->J[k][4 * i] = w;
    }
    return SADDLE_OK;
}

static saddle_status drift(saddle_context *context, const saddle_site *site, double *result)
{
    const pin *data = site->data;
    (void)context;
    for (int64_t k = 0; k < site->count; k++) {
        const double *R = rotation_of(site, k), *twist = site->velocity[k];
        if (!R) continue;
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
        if (!R) continue;
        double local[3];
        saddle__unrotate(R, force, local);
        for (int i = 0; i < 3; i++) local[i] *= data->each[k][3];
        saddle__add_turning(local, data->each[k], K[k * site->count + k]);
    }
    return SADDLE_OK;
}

static const saddle_constraint_type type = {"pin", evaluate, drift, stiffness};

static const char *fault_of(const saddle_pin_def *def)
{
    double sum = 0;
    if (def->count < 1 || def->count > SADDLE_ANCHORS_MAX)
        return NULL; /* refused as a constraint */
    if (!def->weights) return "it has no weights";
    for (int64_t k = 0; k < def->count; k++) sum += fabs(def->weights[k]);
    return sum == 0 ? "its weights are all zero" : NULL;
}

saddle_status saddle_model_add_pin(saddle_model *model, const saddle_pin_def *def,
                                   saddle_handle *handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && handle,
                          "model, def or pin is NULL");
    const char *wrong = fault_of(def);
    if (wrong) return saddle__refuse_new(model, "pin", def->name, "%s", wrong);
    const int64_t count = def->count >= 0 && def->count <= SADDLE_ANCHORS_MAX ? def->count : 0;
    const saddle__numbers numbers[] = {{"weights", SADDLE__ANY, count, def->weights},
                                       {"points", SADDLE__ANY, def->points ? 3 * count : 0,
                                        def->points},
                                       {"place", SADDLE__ANY, 3, def->place},
                                       {"velocity", SADDLE__ANY, 3, def->velocity}};
    const saddle_status status = saddle__check_numbers(model, "pin", def->name, 4, numbers);
    if (status != SADDLE_OK) return status;
    pin data = {.each = {{0}}};
    memcpy(data.place, def->place, sizeof data.place);
    memcpy(data.velocity, def->velocity, sizeof data.velocity);
    for (int64_t k = 0; k < count; k++) {
        if (def->points) memcpy(data.each[k], def->points + 3 * k, 3 * sizeof(double));
        data.each[k][3] = def->weights[k];
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
                                              .row = rows,
                                              .data = &data,
                                              .bytes = offsetof(pin, each) +
                                                       (size_t)count * sizeof data.each[0]};
    return saddle_model_add_constraint(model, &constraint, handle);
}
