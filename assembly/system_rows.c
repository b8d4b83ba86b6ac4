/* SPDX-License-Identifier: MIT */
/* Rows of constraints: J, R, b and bounds from what the constraints say.
 *
 *     alpha F = -(phi + T dphi/dt+),  T = theta h + beta + steps h   ->   J v+ + R lambda = b
 *         (saddle/compliance.h)
 *
 * h is the rows' step, in which positions move by h vbar, vbar = (1 - c) v+ + c v with c =
 * stage->carried; lambda is the impulse of the stage's time step.  For vbar the row is J vbar + R
 * lambda = b, so for v+
 *
 *     J v+ + R/(1 - c) lambda = (b - c J v)/(1 - c)
 *
 * A unilateral row takes that only where it asks for less than b: else what lands would bounce by
 * itself.
 */
#include <math.h>

#include "system.h"

/* ---- one row ---- */

/* b from the wanted dphi/dt, for what the columns move. */
static void want(const saddle_stage *stage, double rate, int is_unilateral, saddle__row *row)
{
    const double c = stage->carried;
    row->b = rate - row->phi_t - row->given;
    if (c == 0) return;
    const double carried = (row->b - c * row->moving) / (1 - c);
    if (is_unilateral && carried >= row->b) return;
    row->b = carried;
    row->R /= 1 - c;
}

/* R and 1/T for lambda the impulse of the stage's time step. */
static double soften(const saddle_stage *stage, double theta, saddle__row *row)
{
    double correction;
    saddle_compliance_row(row->compliance, stage->row_step, theta, &row->R, &correction);
    row->R *= stage->row_step / stage->time_step;
    return correction;
}

void saddle__row_hold(const saddle_stage *stage, int keep, saddle__row *row)
{
    const double correction = soften(stage, stage->theta, row);
    want(stage, keep ? 0 : -correction * row->phi, 0, row);
}

/* A row with restitution that would be used up within the step counts as touching: else phi = 0
 * would stop it first. */
void saddle__row_limit(const saddle_stage *stage, saddle__row *row)
{
    const double theta = stage->unilateral_theta > 0 ? stage->unilateral_theta : stage->theta;
    const double correction = soften(stage, theta, row);
    const double approach = row->moving + row->given + row->phi_t;
    double rate = row->phi < 0 ? -correction * row->phi : -row->phi / stage->row_step;
    const int bounces = row->restitution > 0 && approach < 0 &&
                        row->phi + stage->row_step * approach <= 0;
    if (bounces && rate < -row->restitution * approach) {
        row->b = -row->restitution * approach - row->phi_t - row->given;
        return;
    }
    want(stage, rate, 1, row);
}

/* Moreau's law: touched is what half a step of the approach brings to phi = 0. */
int saddle__row_impact(const saddle_stage *stage, saddle__row *row)
{
    const double approach = row->moving + row->given + row->phi_t;
    if (!(row->phi + stage->row_step / 2 * approach <= 0)) return 0;
    row->R = 0;
    row->b = -row->restitution * approach - row->phi_t - row->given;
    return 1;
}

/* ---- a constraint ---- */

/* Row i of J of the constraint asked into its column of J'.  0: a row of angles moves with bodies'
 * linear velocities. */
static int scatter(saddle_assembly *a, const saddle__acting *item, int64_t i)
{
    const int64_t *start = a->problem.Jt.start + item->row + i;
    const int angular = start[1] - start[0] != item->width[0];
    const int64_t *size = a->anchors.size + item->anchor,
                  *offset = a->anchors.offset[angular] + item->anchor;
    for (int64_t k = 0; k < item->count; k++) {
        if (offset[k] < 0) continue;
        const double *J = a->block_J[k] + i * size[k];
        double *to = a->problem.Jt.value + start[0] + offset[k];
        if (size[k] == 3) {
            memcpy(to, J, 3 * sizeof *J);
        } else if (angular) {
            if (J[0] != 0 || J[1] != 0 || J[2] != 0) return 0;
            memcpy(to, J + 3, 3 * sizeof *J);
        } else {
            memcpy(to, J, 6 * sizeof *J);
        }
    }
    return 1;
}

saddle_status saddle__system_evaluate(saddle_assembly *a, const saddle__acting *item)
{
    const saddle__constraint *c = &a->model->constraint[item->place];
    const saddle_site site = saddle__system_site(a, item, c->data, a->model->time);
    saddle_constraint_values values = {a->phi + item->row, a->rate, a->block_J};
    double *J = a->J;
    for (int64_t k = 0; k < item->count; k++) {
        a->block_J[k] = J;
        J += item->rows * site.size[k];
    }
    memset(a->J, 0, (size_t)(item->rows * item->size) * sizeof *a->J);
    memset(values.phi, 0, (size_t)item->rows * sizeof *values.phi);
    memset(values.rate, 0, (size_t)item->rows * sizeof *values.rate);
    const saddle_status status = c->type->evaluate(a->context, &site, &values);
    const saddle_handle handle = saddle__system_constraint_handle(a, item->place);
    if (status != SADDLE_OK) return saddle__model_pass_on(a->model, handle, status);
    if (!saddle__all_finite(a->J, item->rows * item->size) ||
        !saddle__all_finite(values.phi, item->rows) ||
        !saddle__all_finite(values.rate, item->rows)) {
        return saddle__system_refuse(a, handle, "it is not finite");
    }
    for (int64_t i = 0; i < item->rows; i++) {
        if (!scatter(a, item, i)) {
            return saddle__system_refuse(a, handle,
                                         "a row of angles has entries at linear velocities");
        }
    }
    return SADDLE_OK;
}

double saddle__system_row_rate(const saddle_assembly *a, const saddle__acting *item, int64_t i,
                               int moving)
{
    double rate = 0;
    for (int64_t k = 0; k < item->count; k++) {
        const int64_t size = a->anchors.size[item->anchor + k];
        const double *v = a->anchors.velocity[item->anchor + k], *J = a->block_J[k] + i * size;
        if ((a->anchors.column[item->anchor + k] >= 0) != moving) continue;
        for (int64_t j = 0; j < size; j++) rate += J[j] * v[j];
    }
    return rate;
}

static saddle_status row_is_wrong(const saddle_assembly *a, const saddle__acting *item)
{
    const saddle_handle handle = saddle__system_constraint_handle(a, item->place);
    return saddle__system_refuse(a, handle, "a row's definition is out of its range");
}

/* Puts R where it stands; a row that has become soft makes place for it. */
static int put_compliance(saddle_problem *p, int64_t i, double R)
{
    if (p->R.start[i] < p->R.start[i + 1]) {
        p->R.value[p->R.start[i]] = R;
        return 1;
    }
    return R == 0;
}

/* A row that says lambda = 0: J = 0, R = 1, b = -1. */
static void leave_out(saddle_problem *p, int64_t i, saddle__row *row)
{
    memset(p->Jt.value + p->Jt.start[i], 0,
           (size_t)(p->Jt.start[i + 1] - p->Jt.start[i]) * sizeof *p->Jt.value);
    row->R = 1;
    row->b = -1;
}

static saddle_status set_row(saddle_assembly *a, const saddle_stage *stage,
                             const saddle__acting *item, const saddle_row_def *def,
                             const double *drift, int64_t i)
{
    saddle_problem *p = &a->problem;
    const int64_t row = item->row + i;
    saddle__row r = {.phi = a->phi[row],
                     .phi_t = a->rate[i],
                     .restitution = def->restitution,
                     .compliance = &def->compliance};
    if (item->given) r.given = saddle__system_row_rate(a, item, i, 0);
    const int is_unilateral = def->purpose == SADDLE_LIMIT || def->purpose == SADDLE_IMPACT;
    if (stage->carried != 0 || is_unilateral) r.moving = saddle__system_row_rate(a, item, i, 1);
    const double strength = def->strength * stage->time_step;
    if (def->purpose == SADDLE_HOLD) {
        const int is_hard = def->compliance.alpha == 0 && isinf(def->strength);
        saddle__row_hold(stage, stage->keep_errors && is_hard, &r);
        if (is_hard) r.b -= stage->curvature * drift[i];
        if (is_hard) a->drift = fmax(a->drift, fabs(r.phi));
    } else if (def->purpose == SADDLE_LIMIT) {
        saddle__row_limit(stage, &r);
    } else if (def->purpose == SADDLE_IMPACT) {
        if (!saddle__row_impact(stage, &r)) leave_out(p, row, &r);
    } else {
        r.b = def->target - r.phi_t - r.given;
    }
    p->b[row] = r.b;
    p->lo[row] = is_unilateral ? 0 : -strength;
    p->hi[row] = is_unilateral ? INFINITY : strength;
    if (!(strength >= 0) || !isfinite(r.b) || !(r.R >= 0) || !isfinite(r.R))
        return row_is_wrong(a, item);
    if (put_compliance(p, row, r.R)) return SADDLE_OK;
    a->soft = 1;
    return SADDLE_OK;
}

saddle_status saddle__system_rows(saddle_assembly *a, const saddle_stage *stage)
{
    double drift[SADDLE_CONSTRAINT_ROWS_MAX] = {0};
    saddle_status status = SADDLE_OK;
    a->drift = 0;
    for (int32_t k = 0; status == SADDLE_OK && k < a->model->constraints.count; k++) {
        const saddle__acting *item = &a->constraint[k];
        const saddle__constraint *c = &a->model->constraint[item->place];
        status = saddle__system_evaluate(a, item);
        if (stage->curvature != 0) {
            memset(drift, 0, sizeof drift);
            if (status == SADDLE_OK && c->type->drift != NULL)
                status = saddle__system_drift(a, item, drift);
        }
        for (int64_t i = 0; status == SADDLE_OK && i < item->rows; i++) {
            status = set_row(a, stage, item, &c->row[i], drift, i);
        }
    }
    return status;
}
