/* SPDX-License-Identifier: MIT */
/* Constraints of a model: addition, row definitions, values; pins, rods and ropes
 * (saddle/constraint.h, pin.h, rod.h). */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model_internal.h"
#include "saddle/pin.h"
#include "saddle/rod.h"
#include "segment.h"
#include "space/space.h"

saddle_row_def saddle_row_def_default(void)
{
    return (saddle_row_def){.purpose = SADDLE_PURPOSE_HOLD, .strength = INFINITY};
}

int saddle__next_row(saddle__row_walk *walk)
{
    const saddle_model *model = walk->model;
    for (; walk->link < model->constraints.count; walk->link++, walk->next = 0) {
        const saddle__item_link *c = &model->constraint[model->constraints.order[walk->link]];
        if (walk->next == c->rows) continue;
        walk->constraint = c;
        walk->i = walk->next;
        walk->def = &c->row[walk->next++];
        walk->row++;
        return 1;
    }
    return 0;
}

static saddle_status check_row(const saddle_model *model, const saddle_constraint_def *def,
                               int64_t i)
{
    const saddle_row_def *row = &def->row[i];
    const saddle__numbers numbers[] = {{"strength", SADDLE__STRENGTH, 1, &row->strength},
                                       {"target", SADDLE__ANY, 1, &row->target},
                                       {"restitution", SADDLE__SHARE, 1, &row->restitution}};
    char word[40];
    snprintf(word, sizeof word, "row %lld of constraint", (long long)i + 1);
    if ((unsigned)row->purpose > SADDLE_PURPOSE_IMPACT)
        return saddle__refuse_new(model, word, def->name, "its purpose is out of range");
    SADDLE__TRY(saddle__check_numbers(model, word, def->name, 3, numbers));
    return saddle__check_compliance(model, word, def->name, &row->compliance);
}

static saddle_status check(const saddle_model *model, const saddle_constraint_def *def)
{
    if (!def->type || !def->type->evaluate)
        return saddle__refuse_new(model, "constraint", def->name, "its type has no evaluate");
    if (def->rows < 1 || def->rows > SADDLE_CONSTRAINT_ROWS_MAX) {
        return saddle__refuse_new(model, "constraint", def->name, "%lld rows, not 1 to %d",
                                  (long long)def->rows, (int)SADDLE_CONSTRAINT_ROWS_MAX);
    }
    for (int64_t i = 0; def->row && i < def->rows; i++) SADDLE__TRY(check_row(model, def, i));
    return SADDLE_OK;
}

saddle_status saddle_model_add_constraint(saddle_model *model, const saddle_constraint_def *def,
                                          saddle_handle *constraint)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && constraint,
                          "model, def or constraint is NULL");
    SADDLE__TRY(check(model, def));
    return saddle__model_add_link(model, NULL, def, constraint);
}

int64_t saddle_model_constraint_rows(const saddle_model *model, saddle_handle constraint)
{
    const saddle__item_link *found = model ? saddle__model_constraint(model, constraint) : NULL;
    return found ? found->rows : 0;
}

saddle_row_def *saddle_model_constraint_row(saddle_model *model, saddle_handle constraint,
                                            int64_t row)
{
    const saddle__item_link *found = model ? saddle__model_constraint(model, constraint) : NULL;
    return found && row >= 0 && row < found->rows ? &found->row[row] : NULL;
}

void *saddle_model_constraint_data(saddle_model *model, saddle_handle constraint)
{
    const saddle__item_link *found = model ? saddle__model_constraint(model, constraint) : NULL;
    return found ? found->data : NULL;
}

/* ---- coupled rows ---- */

static saddle_status check_coupling(const saddle_model *model, const saddle__item_link *found,
                                    int64_t count, const double *C, const double *D)
{
    const char *name = found->head.name;
    if (count < 0 || count > found->rows || (count > 0 && !C))
        return saddle__refuse_new(model, "constraint", name, "%lld of its %lld rows coupled",
                                  (long long)count, (long long)found->rows);
    for (int64_t i = 0; i < count; i++)
        if (found->row[i].purpose != SADDLE_PURPOSE_HOLD)
            return saddle__refuse_new(model, "constraint", name, "row %lld is coupled and not held",
                                      (long long)i + 1);
    for (int64_t k = 0; k < count * count; k++) {
        const int64_t other = k / count + k % count * count;
        if (isfinite(C[k]) && C[k] == C[other] && (!D || (isfinite(D[k]) && D[k] == D[other])))
            continue;
        return saddle__refuse_new(model, "constraint", name,
                                  "C or D is not finite or not symmetric");
    }
    return SADDLE_OK;
}

saddle_status saddle_model_couple_rows(saddle_model *model, saddle_handle constraint, int64_t count,
                                       const double *C, const double *D)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    saddle__item_link *found = saddle__model_constraint(model, constraint);
    if (!found) return saddle__refuse_item(model, "", constraint, " is no constraint");
    SADDLE__TRY(check_coupling(model, found, count, C, D));
    const int64_t size = count * count;
    if (count != found->coupled) {
        double *made = saddle_allocate(model->context, 7 * size, sizeof *made);
        if (!made) return SADDLE_OUT_OF_MEMORY;
        saddle_release(model->context, found->coupling);
        found->coupling = made;
        found->coupled = count;
        model->edition++;
    }
    saddle__copy(found->coupling, C, size);
    for (int64_t k = 0; k < size; k++) found->coupling[size + k] = D ? D[k] : 0;
    return SADDLE_OK;
}

int64_t saddle_model_coupled_rows(const saddle_model *model, saddle_handle constraint, double *C,
                                  double *D)
{
    const saddle__item_link *found = model ? saddle__model_constraint(model, constraint) : NULL;
    if (!found) return 0;
    const int64_t size = found->coupled * found->coupled;
    if (C) saddle__copy(C, found->coupling, size);
    if (D && size > 0) saddle__copy(D, found->coupling + size, size);
    return found->coupled;
}

/* ---- values ---- */

typedef struct row_values { /* of a constraint; about 60 kB */
    saddle__site_buffer site;
    double phi[SADDLE_CONSTRAINT_ROWS_MAX], rate[SADDLE_CONSTRAINT_ROWS_MAX];
    double *block[SADDLE_ANCHORS_MAX];
    double J[SADDLE_CONSTRAINT_ROWS_MAX * 6 * SADDLE_ANCHORS_MAX];
} row_values;

saddle_status saddle_model_constraint_evaluate(saddle_model *model, saddle_handle constraint,
                                               double *phi, double *rate, double *drift)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    const saddle__item_link *found = saddle__model_constraint(model, constraint);
    if (!found) return saddle__refuse_item(model, "", constraint, " is no constraint");
    if (drift && !found->constraint->drift)
        return saddle__refuse_item(model, "", constraint, ": its type knows no drift");
    row_values *buffer = saddle_allocate(model->context, 1, sizeof *buffer);
    if (!buffer) return SADDLE_OUT_OF_MEMORY;
    const saddle_site site = saddle__model_site(model, found->count, found->anchors, found->data,
                                                &buffer->site);
    double *J = buffer->J;
    for (int64_t k = 0; k < site.count; J += found->rows * site.size[k++]) buffer->block[k] = J;
    saddle_constraint_values asked = {buffer->phi, buffer->rate, buffer->block};
    saddle_status status = found->constraint->evaluate(model->context, &site, &asked);
    for (int64_t i = 0; status == SADDLE_OK && i < found->rows; i++) {
        if (phi) phi[i] = buffer->phi[i];
        if (!rate) continue;
        rate[i] = buffer->rate[i];
        for (int64_t k = 0; k < site.count; k++) {
            for (int64_t j = 0; j < site.size[k]; j++)
                rate[i] += buffer->block[k][i * site.size[k] + j] * site.velocity[k][j];
        }
    }
    if (status == SADDLE_OK && drift) {
        memset(drift, 0, (size_t)found->rows * sizeof *drift);
        status = found->constraint->drift(model->context, &site, drift);
    }
    saddle_release(model->context, buffer);
    return saddle__model_pass_on(model, constraint, status);
}

/* ---- pins ----
 *
 * Pins: weighted points of parts at one place (saddle/pin.h).
 *
 *     x = p + R c,  J = w R [I  -[c]],  d2x/dt2 = R (omega x (nu + omega x c)) at a constant twist
 *     J'F = w (R'F, c x R'F),  d(R'F) = [R'F] domega
 */

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

static saddle_status pin_evaluate(saddle_context *context, const saddle_site *site,
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

static saddle_status pin_drift(saddle_context *context, const saddle_site *site, double *result)
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

static saddle_status pin_stiffness(saddle_context *context, const saddle_site *site,
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

static int64_t pin_points(const saddle_site *site, double *x)
{
    const pin *data = site->data;
    for (int64_t k = 0; x && k < site->count; k++)
        saddle__site_point(site, k, data->each[k], x + 3 * k);
    return site->count;
}

static const saddle_constraint_type pin_type = {"pin", pin_evaluate, pin_drift, pin_stiffness};

static const char *pin_fault(const saddle_pin_def *def)
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
    const char *wrong = pin_fault(def);
    if (wrong) return saddle__refuse_new(model, "pin", def->name, "%s", wrong);
    const int64_t count = def->count >= 0 && def->count <= SADDLE_ANCHORS_MAX ? def->count : 0;
    const saddle__numbers numbers[] = {{"weights", SADDLE__ANY, count, def->weights},
                                       {"points", SADDLE__ANY, def->points ? 3 * count : 0,
                                        def->points},
                                       {"place", SADDLE__ANY, 3, def->place},
                                       {"velocity", SADDLE__ANY, 3, def->velocity}};
    SADDLE__TRY(saddle__check_numbers(model, "pin", def->name, 4, numbers));
    pin data = {.each = {{0}}};
    memcpy(data.place, def->place, sizeof data.place);
    memcpy(data.velocity, def->velocity, sizeof data.velocity);
    for (int64_t k = 0; k < count; k++) {
        if (def->points) memcpy(data.each[k], def->points + 3 * k, 3 * sizeof(double));
        data.each[k][3] = def->weights[k];
    }
    const saddle_row_def row = {.purpose = SADDLE_PURPOSE_HOLD,
                                .strength = def->strength,
                                .compliance = def->compliance};
    const saddle_row_def rows[3] = {row, row, row};
    const saddle_constraint_def constraint = {.name = def->name,
                                              .type = &pin_type,
                                              .count = def->count,
                                              .anchors = def->anchors,
                                              .rows = 3,
                                              .row = rows,
                                              .data = &data,
                                              .bytes = offsetof(pin, each) +
                                                       (size_t)count * sizeof data.each[0]};
    SADDLE__TRY(saddle_model_add_constraint(model, &constraint, handle));
    saddle__model_constraint(model, *handle)->points = pin_points;
    return SADDLE_OK;
}

/* ---- rods and ropes ----
 *
 * Rods and ropes (saddle/rod.h) with u, l, s of the segment, sigma = 1 for a rod, -1 for a rope:
 *
 *     phi = sigma (l - length),  dphi/dt = sigma u'ds/dt
 *     drift = sigma (u'd2s/dt2 + (|ds/dt|^2 - (dl/dt)^2)/l),
 *         d2x/dt2 = R (omega x (nu + omega x c)) at a constant twist
 *     J'F: f_a = -sigma F u = -f_b,  df_a/ds = -sigma F/l (I - u u')
 */

typedef struct rod {
    double point_a[3], point_b[3];
    double length, sigma;
} rod;

static saddle_status line_of(saddle_context *context, const saddle_site *site, saddle__segment *at)
{
    const rod *data = site->data;
    *at = saddle__segment_of(site, data->point_a, data->point_b);
    return at->l > 0 ? SADDLE_OK
                     : saddle_fail(context, SADDLE_SINGULAR,
                                   "its two points are one: it has no direction");
}

static saddle_status rod_evaluate(saddle_context *context, const saddle_site *site,
                                  saddle_constraint_values *values)
{
    const rod *data = site->data;
    saddle__segment at;
    SADDLE__TRY(line_of(context, site, &at));
    const double f[3] = {-data->sigma * at.u[0], -data->sigma * at.u[1], -data->sigma * at.u[2]};
    values->phi[0] = data->sigma * (at.l - data->length);
    saddle__segment_force(&at, f, values->J); /* the row is the effect of a unit force */
    return SADDLE_OK;
}

static saddle_status rod_drift(saddle_context *context, const saddle_site *site, double *result)
{
    const rod *data = site->data;
    saddle__segment at;
    SADDLE__TRY(line_of(context, site, &at));
    double along = (saddle__dot(at.speed, at.speed) - at.rate * at.rate) / at.l;
    for (int k = 0; k < 2; k++) {
        const saddle__segment_end *end = &at.end[k];
        if (!end->R) continue;
        double turned[3];
        saddle__cross(site->velocity[k] + 3, end->local, turned);
        saddle__rotate(end->R, turned, turned);
        along += (k == 0 ? -1 : 1) * saddle__dot(at.u, turned);
    }
    result[0] = data->sigma * along;
    return SADDLE_OK;
}

static saddle_status rod_stiffness(saddle_context *context, const saddle_site *site,
                                   const double *force, double *const *K)
{
    static const double none[9] = {0};
    const rod *data = site->data;
    saddle__segment at;
    SADDLE__TRY(line_of(context, site, &at));
    const double F = data->sigma * force[0];
    const double f[3] = {-F * at.u[0], -F * at.u[1], -F * at.u[2]};
    double A[9];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) A[i + 3 * j] = -F / at.l * ((i == j) - at.u[i] * at.u[j]);
    }
    saddle__segment_stiffness(&at, f, A, none, K, NULL);
    return SADDLE_OK;
}

static int64_t rod_points(const saddle_site *site, double *x)
{
    const rod *data = site->data;
    if (x) saddle__site_point(site, 0, data->point_a, x);
    if (x) saddle__site_point(site, 1, data->point_b, x + 3);
    return 2;
}

static const saddle_constraint_type rod_type = {"rod", rod_evaluate, rod_drift, rod_stiffness};

saddle_status saddle_model_add_rod(saddle_model *model, const saddle_rod_def *def,
                                   saddle_handle *handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && handle,
                          "model, def or rod is NULL");
    const saddle__numbers numbers[] = {{"point_a", SADDLE__ANY, 3, def->point_a},
                                       {"point_b", SADDLE__ANY, 3, def->point_b},
                                       {"length", SADDLE__POSITIVE, 1, &def->length}};
    SADDLE__TRY(saddle__check_numbers(model, "rod", def->name, 3, numbers));
    rod data = {.length = def->length, .sigma = def->rope ? -1 : 1};
    memcpy(data.point_a, def->point_a, sizeof data.point_a);
    memcpy(data.point_b, def->point_b, sizeof data.point_b);
    saddle_row_def row = saddle_row_def_default();
    row.purpose = def->rope ? SADDLE_PURPOSE_LIMIT : SADDLE_PURPOSE_HOLD;
    row.restitution = def->rope ? def->restitution : 0;
    row.compliance = def->compliance;
    const saddle_anchor anchors[2] = {def->a, def->b};
    const saddle_constraint_def constraint = {.name = def->name,
                                              .type = &rod_type,
                                              .count = 2,
                                              .anchors = anchors,
                                              .rows = 1,
                                              .row = &row,
                                              .data = &data,
                                              .bytes = sizeof data};
    SADDLE__TRY(saddle_model_add_constraint(model, &constraint, handle));
    saddle__item_link *made = saddle__model_constraint(model, *handle);
    made->points = rod_points;
    made->kind = def->rope ? "rope" : "rod";
    return SADDLE_OK;
}
