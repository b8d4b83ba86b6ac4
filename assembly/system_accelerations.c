/* SPDX-License-Identifier: MIT */
/* The arrays of an assembly for accelerations (saddle/ode.h):
 *
 *     M a - J'F = f(q, v, t)
 *     hard HOLD rows            J a = -drift - 2 alpha dphi/dt - beta^2 phi
 *                                   (Lloyd, ArtiSynth mechanics notes, 0.5; Baumgarte 1972; Sueda,
 *                                   Rigid Body Dynamics Notes, (1.82))
 *     soft HOLD rows            F_i = -(phi + beta dphi/dt)/alpha of the compliance, added to f
 *     limits, drives, contacts  F_i = 0:  J_i = 0, R_ii = 1, b_i = 0
 *
 * Prescribed parts do not accelerate.
 */
#include <math.h>

#include "base/vector.h"
#include "dense/dense.h"
#include "joint_prescribed.h"
#include "system.h"

/* Row `row` becomes lambda = F. */
static void leave_out(saddle_problem *p, int64_t row, double F)
{
    const int64_t first = p->R.start[row];
    saddle__zero(p->Jt.value + p->Jt.start[row], p->Jt.start[row + 1] - p->Jt.start[row]);
    for (int64_t e = first; e < p->R.start[row + 1]; e++) p->R.value[e] = e == first;
    p->b[row] = F;
}

/* dphi/dt of row i of a constraint. */
static double row_speed(const saddle_assembly *a, const saddle__system_link *link, int64_t i)
{
    return saddle__row_rate(a, link, i, 1) + saddle__row_rate(a, link, i, 0) + a->rate[i];
}

/* The force of a soft row, added to f. */
static double push_soft_row(saddle_assembly *a, const saddle__system_link *link,
                            const saddle_compliance *soft, int64_t i)
{
    saddle_problem *p = &a->problem;
    const int64_t row = link->row + i;
    const double F = -(a->phi[row] + soft->beta * row_speed(a, link, i)) / soft->alpha;
    for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++)
        p->f[p->Jt.index[e]] += p->Jt.value[e] * F;
    return F;
}

/* F = -C^-1 phi - D dphi/dt of coupled rows into F (coupled), J'F added to f. */
static saddle_status push_coupled_rows(saddle_assembly *a, const saddle__system_link *link,
                                       double *F)
{
    const saddle__item_link *c = link->item;
    const int64_t count = c->coupled, size = count * count;
    if (count == 0) return SADDLE_OK;
    saddle_problem *p = &a->problem;
    const double *C = c->coupling, *D = C + size;
    double *work = c->coupling + 4 * size;
    int pivot[SADDLE_CONSTRAINT_ROWS_MAX];
    saddle__copy(work, C, size);
    saddle__copy(F, a->phi + link->row, count);
    if (saddle__dense_solve_with(NULL, count, 1, work, F, pivot) != SADDLE_OK) {
        (void)saddle__system_refuse(a, link, "its compliance matrix is singular");
        return SADDLE_UNSUPPORTED;
    }
    for (int64_t k = 0; k < count; k++) {
        const double speed = row_speed(a, link, k);
        for (int64_t i = 0; i < count; i++) F[i] += D[i + k * count] * speed;
    }
    for (int64_t i = 0; i < count; i++) {
        F[i] = -F[i];
        for (int64_t e = p->Jt.start[link->row + i]; e < p->Jt.start[link->row + i + 1]; e++)
            p->f[p->Jt.index[e]] += p->Jt.value[e] * F[i];
    }
    return SADDLE_OK;
}

static int is_held(const saddle__item_link *c, int64_t i)
{
    return c->row[i].purpose == SADDLE_PURPOSE_HOLD && c->row[i].compliance.alpha == 0 &&
           i >= c->coupled;
}

static saddle_status drift_of_held_rows(saddle_assembly *a, const saddle__system_link *link,
                                        double *drift)
{
    const saddle__item_link *c = link->item;
    int held = 0;
    for (int64_t i = 0; i < link->rows; i++) held |= is_held(c, i);
    if (!held) return SADDLE_OK;
    if (c->constraint->drift) return saddle__system_evaluate_drift(a, link, drift);
    (void)saddle__system_refuse(a, link, "its type knows no drift");
    return SADDLE_UNSUPPORTED;
}

static saddle_status hold_accelerations(saddle_assembly *a, const saddle__system_link *link)
{
    const saddle_row_def *def = link->item->row;
    const saddle_assembly_options *o = &a->options;
    saddle_problem *p = &a->problem;
    double drift[SADDLE_CONSTRAINT_ROWS_MAX], F[SADDLE_CONSTRAINT_ROWS_MAX];
    if (link->rows == 0) return SADDLE_OK;
    SADDLE__TRY(saddle__system_evaluate(a, link));
    SADDLE__TRY(drift_of_held_rows(a, link, drift));
    SADDLE__TRY(push_coupled_rows(a, link, F));
    for (int64_t i = 0; i < link->rows; i++) {
        const int64_t row = link->row + i;
        p->lo[row] = -INFINITY;
        p->hi[row] = INFINITY;
        if (i < link->item->coupled) {
            leave_out(p, row, F[i]);
        } else if (is_held(link->item, i)) {
            p->b[row] = -drift[i] - 2 * o->baumgarte_alpha * row_speed(a, link, i) -
                        o->baumgarte_beta * o->baumgarte_beta * a->phi[row];
            if (p->R.start[row] < p->R.start[row + 1]) p->R.value[p->R.start[row]] = 0;
        } else if (def[i].purpose == SADDLE_PURPOSE_HOLD) {
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
    const saddle_stage now = {.time_step = 1,
                              .gyroscopic = 1,
                              .row_step = 1,
                              .theta = 1,
                              .attached = {.time_step = 1, .fictitious = SADDLE_FICTITIOUS_TERM}};
    if (!isfinite(a->options.baumgarte_alpha) || !isfinite(a->options.baumgarte_beta))
        return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT,
                           "baumgarte_alpha or baumgarte_beta is not finite");
    SADDLE__TRY(saddle__system_is_current(a));
    SADDLE__TRY(saddle__system_adapt(a, &now));
    SADDLE__TRY(saddle__joints_prescribe_accelerations(a->model));
    SADDLE__TRY(saddle__system_follow(a, &now.attached));
    SADDLE__TRY(saddle__system_prescribe(a, SADDLE__PRESCRIBED_ACCELERATIONS));
    a->accelerates = 1;
    saddle_status status = saddle__system_forces(a, &now, NULL);
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
