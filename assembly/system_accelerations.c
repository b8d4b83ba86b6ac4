/* SPDX-License-Identifier: MIT */
/* Accelerations instead of velocities, in the same arrays:
 *
 *     M a - J'F = f(q, v, t),   J a = -drift   HOLD rows
 *         (seed 000, 0.5: G x'' = 0 with its drift)
 *                                 F_i = -(phi + beta dphi/dt)/alpha where they are soft: a force,
 *                                     known beforehand
 *                                 F_i = 0      limits, drives, contacts: J_i = 0, R_ii = 1, b_i = 0
 *
 * Prescribed parts do not accelerate.
 */
#include <math.h>

#include "system.h"

/* Row `row` says lambda = F and nothing else. */
static void leave_out(saddle_problem *p, int64_t row, double F)
{
    const int64_t first = p->Jt.start[row], end = p->Jt.start[row + 1];
    memset(p->Jt.value + first, 0, (size_t)(end - first) * sizeof *p->Jt.value);
    p->R.value[p->R.start[row]] = 1;
    p->b[row] = F;
}

/* The force of a soft row goes to f. */
static double spring(saddle_assembly *a, const saddle__acting *item, const saddle_compliance *soft,
                     int64_t i)
{
    saddle_problem *p = &a->problem;
    const int64_t row = item->row + i;
    const double moving = saddle__system_row_rate(a, item, i, 1),
                 given = saddle__system_row_rate(a, item, i, 0);
    const double F = -(a->phi[row] + soft->beta * (moving + given + a->rate[i])) / soft->alpha;
    for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++)
        p->f[p->Jt.index[e]] += p->Jt.value[e] * F;
    return F;
}

static saddle_status ask_drift(saddle_assembly *a, const saddle__acting *item, double *drift)
{
    if (a->model->constraint[item->place].type->drift != NULL)
        return saddle__system_drift(a, item, drift);
    char name[160];
    saddle__model_describe(a->model, saddle__system_constraint_handle(a, item->place), name,
                           sizeof name);
    return saddle_fail(a->context, SADDLE_UNSUPPORTED, "%s: its type knows no drift", name);
}

saddle_status saddle__system_drift(saddle_assembly *a, const saddle__acting *item, double *drift)
{
    const saddle__constraint *c = &a->model->constraint[item->place];
    const saddle_handle handle = saddle__system_constraint_handle(a, item->place);
    const saddle_site site = saddle__system_site(a, item, c->data, a->model->time);
    memset(drift, 0, (size_t)item->rows * sizeof *drift);
    const saddle_status status = c->type->drift(a->context, &site, drift);
    if (status != SADDLE_OK) return saddle__model_pass_on(a->model, handle, status);
    return saddle__all_finite(drift, item->rows)
               ? SADDLE_OK
               : saddle__system_refuse(a, handle, "its drift is not finite");
}

static int is_held(const saddle_row_def *def)
{
    return def->purpose == SADDLE_HOLD && def->compliance.alpha == 0;
}

static saddle_status hold_accelerations(saddle_assembly *a, const saddle__acting *item)
{
    const saddle_row_def *def = a->model->constraint[item->place].row;
    saddle_problem *p = &a->problem;
    double drift[SADDLE_CONSTRAINT_ROWS_MAX];
    int held = 0;
    for (int64_t i = 0; i < item->rows; i++) held |= is_held(&def[i]);
    saddle_status status = saddle__system_evaluate(a, item);
    if (status == SADDLE_OK && held) status = ask_drift(a, item, drift);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < item->rows; i++) {
        const int64_t row = item->row + i;
        p->lo[row] = -INFINITY;
        p->hi[row] = INFINITY;
        if (is_held(&def[i])) {
            p->b[row] = -drift[i];
            if (p->R.start[row] < p->R.start[row + 1]) p->R.value[p->R.start[row]] = 0;
        } else {
            leave_out(p, row,
                      def[i].purpose == SADDLE_HOLD ? spring(a, item, &def[i].compliance, i) : 0);
        }
    }
    return SADDLE_OK;
}

saddle_status saddle_assembly_accelerations(saddle_assembly *assembly)
{
    saddle_context_clear_message(assembly ? assembly->context : NULL);
    if (!assembly)
        return saddle_fail(NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_assembly_accelerations: assembly is NULL");
    saddle_assembly *a = assembly;
    saddle_problem *p = &a->problem;
    const saddle_stage now = {.time_step = 1, .gyroscopic = 1, .row_step = 1, .theta = 1};
    saddle_status status = saddle__system_is_current(a);
    if (status == SADDLE_OK && saddle__system_has_softened(a))
        status = saddle__system_lay_compliances(a);
    a->accelerates = 1;
    if (status == SADDLE_OK) status = saddle__system_forces(a, &now);
    a->accelerates = 0;
    if (status != SADDLE_OK) return status;
    for (int32_t k = 0; status == SADDLE_OK && k < a->model->constraints.count; k++) {
        status = hold_accelerations(a, &a->constraint[k]);
    }
    for (int64_t row = a->rows; row < p->m; row++) {
        leave_out(p, row, 0);
        p->lo[row] = -INFINITY;
        p->hi[row] = INFINITY;
    }
    p->contact_count = 0;
    p->time_step = 0;
    return status;
}
