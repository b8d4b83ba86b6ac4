/* SPDX-License-Identifier: MIT */
/* Rows of constraints: J, R, b and bounds.
 *
 *     alpha F = -(phi + T dphi/dt+),  T = theta h + beta + steps h   ->   J v+ + R lambda = b
 *         (saddle/compliance.h)
 *
 * h is the rows' step, in which positions move by h vbar, vbar = (1 - c) v+ + c v with
 * c = stage->carried; lambda is the impulse of the stage's time step.  The row for vbar is
 * J vbar + R lambda = b, so for v+
 *
 *     J v+ + R/(1 - c) lambda = (b - c J v)/(1 - c)
 *
 * A unilateral row uses this form only for a smaller right-hand side: otherwise landing parts would
 * bounce.
 */
#include <math.h>

#include "system.h"

/* ---- one row ---- */

/* b from the wanted dphi/dt. */
static void set_b(const saddle_stage *stage, double rate, int is_unilateral,
                  saddle__system_row *row)
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
static double set_R(const saddle_stage *stage, double theta, saddle__system_row *row)
{
    double correction;
    saddle_compliance_row(row->compliance, stage->row_step, theta, &row->R, &correction);
    row->R *= stage->row_step / stage->time_step;
    return correction;
}

/* A row with restitution whose gap closes within the step is in contact: otherwise the row would
 * stop the part at phi = 0 before the impact. */
void saddle__row_limit(const saddle_stage *stage, saddle__system_row *row)
{
    const double theta = stage->unilateral_theta > 0 ? stage->unilateral_theta : stage->theta;
    const double correction = set_R(stage, theta, row);
    const double approach = row->moving + row->given + row->phi_t;
    double rate = row->phi < 0 ? -correction * row->phi : -row->phi / stage->row_step;
    const int bounces = row->restitution > 0 && approach < 0 &&
                        row->phi + stage->row_step * approach <= 0;
    if (bounces && rate < -row->restitution * approach) {
        row->b = -row->restitution * approach - row->phi_t - row->given;
        return;
    }
    set_b(stage, rate, 1, row);
}

/* Moreau's law: contact where half a step of the approach closes the gap. */
int saddle__row_impact(const saddle_stage *stage, saddle__system_row *row)
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
static int scatter(saddle_assembly *a, const saddle__system_link *link, int64_t i)
{
    const int64_t *start = a->problem.Jt.start + link->row + i;
    const int angular = start[1] - start[0] != link->width[0];
    const int64_t *size = a->anchors.size + link->anchor,
                  *offset = a->anchors.offset[angular] + link->anchor;
    for (int64_t k = 0; k < link->count; k++) {
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

/* Evaluates a constraint: phi into a->phi, phi_t into a->rate, J into a->block_J and J'. */
static saddle_status evaluate(saddle_assembly *a, const saddle__system_link *link)
{
    const saddle_site site = saddle__system_site(a, link, a->model->time);
    saddle_constraint_values values = {a->phi + link->row, a->rate, a->block_J};
    double *J = a->J;
    for (int64_t k = 0; k < link->count; k++) {
        a->block_J[k] = J;
        J += link->rows * site.size[k];
    }
    memset(a->J, 0, (size_t)(link->rows * link->size) * sizeof *a->J);
    memset(values.phi, 0, (size_t)link->rows * sizeof *values.phi);
    memset(values.rate, 0, (size_t)link->rows * sizeof *values.rate);
    const saddle_constraint_type *type = saddle__system_item(a, link)->constraint;
    const saddle_status status = type->evaluate(a->context, &site, &values);
    if (status != SADDLE_OK) return saddle__system_pass_on(a, link, status);
    if (!saddle__is_finite(a->J, link->rows * link->size) ||
        !saddle__is_finite(values.phi, link->rows) || !saddle__is_finite(values.rate, link->rows))
        return saddle__system_refuse(a, link, "its values are not finite");
    for (int64_t i = 0; i < link->rows; i++) {
        if (!scatter(a, link, i))
            return saddle__system_refuse(a, link,
                                         "a row of angles has entries at linear velocities");
    }
    return SADDLE_OK;
}

/* drift (rows) of a type with drift. */
static saddle_status evaluate_drift(saddle_assembly *a, const saddle__system_link *link,
                                    double *drift)
{
    const saddle_site site = saddle__system_site(a, link, a->model->time);
    memset(drift, 0, (size_t)link->rows * sizeof *drift);
    const saddle_constraint_type *type = saddle__system_item(a, link)->constraint;
    const saddle_status status = type->drift(a->context, &site, drift);
    if (status != SADDLE_OK) return saddle__system_pass_on(a, link, status);
    if (saddle__is_finite(drift, link->rows)) return SADDLE_OK;
    return saddle__system_refuse(a, link, "its drift is not finite");
}

/* J v of row i of the constraint evaluated last: over the columns (moving 1) or over prescribed
 * parts (0). */
static double row_rate(const saddle_assembly *a, const saddle__system_link *link, int64_t i,
                       int moving)
{
    double rate = 0;
    for (int64_t k = 0; k < link->count; k++) {
        const int64_t size = a->anchors.size[link->anchor + k];
        const double *v = a->anchors.velocity[link->anchor + k], *J = a->block_J[k] + i * size;
        if ((a->anchors.column[link->anchor + k] >= 0) != moving) continue;
        for (int64_t j = 0; j < size; j++) rate += J[j] * v[j];
    }
    return rate;
}

static void clear_row(saddle_problem *p, int64_t row)
{
    const int64_t first = p->Jt.start[row], end = p->Jt.start[row + 1];
    memset(p->Jt.value + first, 0, (size_t)(end - first) * sizeof *p->Jt.value);
}

static saddle_status set_row(saddle_assembly *a, const saddle_stage *stage,
                             const saddle__system_link *link, const saddle_row_def *def,
                             double drift, int64_t i)
{
    saddle_problem *p = &a->problem;
    const int64_t row = link->row + i;
    const int is_unilateral = def->purpose == SADDLE_LIMIT || def->purpose == SADDLE_IMPACT;
    const int is_hard = saddle__row_is_hard(def);
    const double strength = def->strength * stage->time_step;
    saddle__system_row r = {.phi = a->phi[row],
                            .phi_t = a->rate[i],
                            .restitution = def->restitution,
                            .compliance = &def->compliance};
    if (link->has_prescribed) r.given = row_rate(a, link, i, 0);
    if (stage->carried != 0 || is_unilateral) r.moving = row_rate(a, link, i, 1);
    if (def->purpose == SADDLE_HOLD) {
        const double correction = set_R(stage, stage->theta, &r);
        set_b(stage, stage->keep_errors && is_hard ? 0 : -correction * r.phi, 0, &r);
        if (is_hard) r.b -= stage->curvature * drift;
        if (is_hard) a->drift = fmax(a->drift, fabs(r.phi));
    } else if (def->purpose == SADDLE_LIMIT) {
        saddle__row_limit(stage, &r);
    } else if (def->purpose == SADDLE_DRIVE) {
        r.b = def->target - r.phi_t - r.given;
    } else if (!saddle__row_impact(stage, &r)) { /* lambda = 0 */
        clear_row(p, row);
        r.R = 1;
        r.b = -1;
    }
    p->b[row] = r.b;
    p->lo[row] = is_unilateral ? 0 : -strength;
    p->hi[row] = is_unilateral ? INFINITY : strength;
    if (!(strength >= 0) || !isfinite(r.b) || !(r.R >= 0) || !isfinite(r.R))
        return saddle__system_refuse(a, link, "a row's definition is out of its range");
    if (p->R.start[row] < p->R.start[row + 1])
        p->R.value[p->R.start[row]] = r.R;
    else if (r.R != 0)
        a->soft = 1; /* R needs an entry in the pattern */
    return SADDLE_OK;
}

saddle_status saddle__system_rows(saddle_assembly *a, const saddle_stage *stage)
{
    double drift[SADDLE_CONSTRAINT_ROWS_MAX] = {0};
    saddle_status status = SADDLE_OK;
    a->drift = 0;
    for (int32_t k = 0; status == SADDLE_OK && k < a->model->constraints.count; k++) {
        const saddle__system_link *link = &a->constraint[k];
        const saddle__item_link *c = saddle__system_item(a, link);
        memset(drift, 0, sizeof drift);
        status = evaluate(a, link);
        if (status == SADDLE_OK && stage->curvature != 0 && c->constraint->drift)
            status = evaluate_drift(a, link, drift);
        for (int64_t i = 0; status == SADDLE_OK && i < link->rows; i++)
            status = set_row(a, stage, link, &c->row[i], drift[i], i);
    }
    return status;
}

/* ---- accelerations ----
 *
 * The same arrays for accelerations:
 *
 *     M a - J'F = f(q, v, t)
 *     J a = -drift                            hard HOLD rows (Lloyd, ArtiSynth mechanics notes,
 * 0.5) F_i = -(phi + beta dphi/dt)/alpha       soft HOLD rows: known forces, added to f F_i = 0
 * limits, drives, contacts: J_i = 0, R_ii = 1, b_i = 0
 *
 * Prescribed parts do not accelerate.
 */

/* Row `row` becomes lambda = F. */
static void leave_out(saddle_problem *p, int64_t row, double F)
{
    clear_row(p, row);
    p->R.value[p->R.start[row]] = 1;
    p->b[row] = F;
}

/* The force of a soft row, added to f. */
static double push_soft_row(saddle_assembly *a, const saddle__system_link *link,
                            const saddle_compliance *soft, int64_t i)
{
    saddle_problem *p = &a->problem;
    const int64_t row = link->row + i;
    const double rate = row_rate(a, link, i, 1) + row_rate(a, link, i, 0) + a->rate[i];
    const double F = -(a->phi[row] + soft->beta * rate) / soft->alpha;
    for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++)
        p->f[p->Jt.index[e]] += p->Jt.value[e] * F;
    return F;
}

static int is_held(const saddle_row_def *def)
{
    return def->purpose == SADDLE_HOLD && def->compliance.alpha == 0;
}

static saddle_status drift_of_held_rows(saddle_assembly *a, const saddle__system_link *link,
                                        double *drift)
{
    const saddle__item_link *c = saddle__system_item(a, link);
    int held = 0;
    for (int64_t i = 0; i < link->rows; i++) held |= is_held(&c->row[i]);
    if (!held) return SADDLE_OK;
    if (c->constraint->drift) return evaluate_drift(a, link, drift);
    (void)saddle__system_refuse(a, link, "its type knows no drift");
    return SADDLE_UNSUPPORTED;
}

static saddle_status hold_accelerations(saddle_assembly *a, const saddle__system_link *link)
{
    const saddle_row_def *def = saddle__system_item(a, link)->row;
    saddle_problem *p = &a->problem;
    double drift[SADDLE_CONSTRAINT_ROWS_MAX];
    saddle_status status = evaluate(a, link);
    if (status == SADDLE_OK) status = drift_of_held_rows(a, link, drift);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < link->rows; i++) {
        const int64_t row = link->row + i;
        p->lo[row] = -INFINITY;
        p->hi[row] = INFINITY;
        if (is_held(&def[i])) {
            p->b[row] = -drift[i];
            if (p->R.start[row] < p->R.start[row + 1]) p->R.value[p->R.start[row]] = 0;
        } else if (def[i].purpose == SADDLE_HOLD) {
            leave_out(p, row, push_soft_row(a, link, &def[i].compliance, i));
        } else {
            leave_out(p, row, 0);
        }
    }
    return SADDLE_OK;
}

saddle_status saddle_assembly_accelerations(saddle_assembly *assembly)
{
    SADDLE__RETURN_UNLESS(assembly ? assembly->context : NULL, assembly, "assembly is NULL");
    saddle_assembly *a = assembly;
    saddle_problem *p = &a->problem;
    const saddle_stage now = {.time_step = 1, .gyroscopic = 1, .row_step = 1, .theta = 1};
    saddle_status status = saddle__system_is_current(a);
    if (status == SADDLE_OK && saddle__system_has_softened(a))
        status = saddle__system_compile_compliances(a);
    a->accelerates = 1;
    if (status == SADDLE_OK) status = saddle__system_forces(a, &now);
    a->accelerates = 0;
    if (status != SADDLE_OK) return status;
    for (int32_t k = 0; status == SADDLE_OK && k < a->model->constraints.count; k++)
        status = hold_accelerations(a, &a->constraint[k]);
    for (int64_t row = a->rows; row < p->m; row++) {
        leave_out(p, row, 0);
        p->lo[row] = -INFINITY;
        p->hi[row] = INFINITY;
    }
    p->contact_count = 0;
    p->time_step = 0;
    return status;
}
