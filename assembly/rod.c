/* SPDX-License-Identifier: MIT */
/* Rods and ropes (saddle/rod.h) with u, l, s of the segment, sigma = 1 for a rod, -1 for a rope:
 *
 *     phi = sigma (l - length),  dphi/dt = sigma u'ds/dt
 *     drift = sigma (u'd2s/dt2 + (|ds/dt|^2 - (dl/dt)^2)/l),
 *         d2x/dt2 = R (omega x (nu + omega x c)) at a constant twist
 *     J'F: f_a = -sigma F u = -f_b,  df_a/ds = -sigma F/l (I - u u')
 */
#include "saddle/rod.h"

#include "segment.h"
#include "model_internal.h"
#include "space/space.h"

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

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              saddle_constraint_values *values)
{
    const rod *data = site->data;
    saddle__segment at;
    const saddle_status status = line_of(context, site, &at);
    if (status != SADDLE_OK) return status;
    const double f[3] = {-data->sigma * at.u[0], -data->sigma * at.u[1], -data->sigma * at.u[2]};
    values->phi[0] = data->sigma * (at.l - data->length);
    saddle__segment_force(&at, f, values->J); /* the row is the effect of a unit force */
    return SADDLE_OK;
}

static saddle_status drift(saddle_context *context, const saddle_site *site, double *result)
{
    const rod *data = site->data;
    saddle__segment at;
    const saddle_status status = line_of(context, site, &at);
    if (status != SADDLE_OK) return status;
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

static saddle_status stiffness(saddle_context *context, const saddle_site *site,
                               const double *force, double *const *K)
{
    static const double none[9] = {0};
    const rod *data = site->data;
    saddle__segment at;
    const saddle_status status = line_of(context, site, &at);
    if (status != SADDLE_OK) return status;
    const double F = data->sigma * force[0];
    const double f[3] = {-F * at.u[0], -F * at.u[1], -F * at.u[2]};
    double A[9];
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) A[i + 3 * j] = -F / at.l * ((i == j) - at.u[i] * at.u[j]);
    }
    saddle__segment_stiffness(&at, f, A, none, K, NULL);
    return SADDLE_OK;
}

static const saddle_constraint_type type = {"rod", evaluate, drift, stiffness};

saddle_status saddle_model_add_rod(saddle_model *model, const saddle_rod_def *def,
                                   saddle_handle *handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && handle,
                          "model, def or rod is NULL");
    const saddle__numbers numbers[] = {{"point_a", SADDLE__ANY, 3, def->point_a},
                                       {"point_b", SADDLE__ANY, 3, def->point_b},
                                       {"length", SADDLE__POSITIVE, 1, &def->length}};
    const saddle_status status = saddle__check_numbers(model, "rod", def->name, 3, numbers);
    if (status != SADDLE_OK) return status;
    rod data = {.length = def->length, .sigma = def->rope ? -1 : 1};
    memcpy(data.point_a, def->point_a, sizeof data.point_a);
    memcpy(data.point_b, def->point_b, sizeof data.point_b);
    saddle_row_def row = saddle_row_def_default();
    row.purpose = def->rope ? SADDLE_LIMIT : SADDLE_HOLD;
    row.restitution = def->rope ? def->restitution : 0;
    row.compliance = def->compliance;
    const saddle_anchor anchors[2] = {def->a, def->b};
    const saddle_constraint_def constraint = {.name = def->name,
                                              .type = &type,
                                              .count = 2,
                                              .anchors = anchors,
                                              .rows = 1,
                                              .row = &row,
                                              .data = &data,
                                              .bytes = sizeof data};
    return saddle_model_add_constraint(model, &constraint, handle);
}
