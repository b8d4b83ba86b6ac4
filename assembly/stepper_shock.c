/* SPDX-License-Identifier: MIT */
/* Shocks: unilateral rows that stop or throw back what comes at them with a velocity of its own.
 *
 * Where positions move by the mean of v and v+, what has hit would go on by h/2 v into what it hit,
 * and be thrown back by the correction of that, a bounce that nobody asked for.  A step with a
 * shock moves positions by v+, which the row has bounded (Schindler and Acary 2014: impacts are
 * taken implicitly, by an Euler step, whatever is done for smooth forces).
 *
 * What comes nearer by resting, rolling or rounding, at less than a hundredth of what the row's
 * parts move with, is none.
 */
#include <math.h>

#include "stepper_internal.h"

static const double share_of_motion = 1e-2, share_of_fastest = 1e-6;

/* How fast v comes at row i, more than the row's own motion does; the gap that is there is no
 * hindrance. */
static int is_shock(const saddle_stepper *stepper, const saddle_problem *problem, int64_t i,
                    double fastest)
{
    const saddle_matrix *Jt = &problem->Jt;
    const double *v = stepper->before;
    const double phi = saddle_assembly_phi(stepper->assembly)[i];
    double rate = 0, motion = 0, size = 0;
    for (int64_t e = Jt->start[i]; e < Jt->start[i + 1]; e++) {
        const double part = Jt->value[e] * v[Jt->index[e]];
        rate += part;
        motion += fabs(part);
        size = fmax(size, fabs(Jt->value[e]));
    }
    const double approach = problem->b[i] + fmax(phi, 0) / stepper->options.time_step - rate;
    return approach > share_of_motion * motion + share_of_fastest * size * fastest;
}

/* LIMIT rows; those of impacts have a law of their own, and are not held back by phi. */
static int limits_have_shock(const saddle_stepper *stepper, const saddle_problem *problem,
                             double fastest)
{
    const saddle_model *model = stepper->model;
    int64_t i = 0;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const saddle__constraint *constraint = &model->constraint[model->constraints.order[k]];
        for (int64_t row = 0; row < constraint->rows; row++, i++) {
            if (constraint->row[row].purpose != SADDLE_LIMIT || !(stepper->solution.lambda[i] > 0))
                continue;
            if (is_shock(stepper, problem, i, fastest)) return 1;
        }
    }
    return 0;
}

int saddle__stepper_has_shock(const saddle_stepper *stepper)
{
    const saddle_problem *problem = saddle_assembly_problem(stepper->assembly);
    double fastest = 0;
    for (int64_t j = 0; j < problem->n; j++) fastest = fmax(fastest, fabs(stepper->before[j]));
    for (int64_t c = 0; c < stepper->contacts.count; c++) {
        const saddle_contact_point *point = &stepper->contacts.point[c];
        const int64_t i = saddle_assembly_contact_row(stepper->assembly, point->id);
        if (point->impact || i < 0 || !(stepper->solution.lambda[i] > 0)) continue;
        if (is_shock(stepper, problem, i, fastest)) return 1;
    }
    return limits_have_shock(stepper, problem, fastest);
}
