/* SPDX-License-Identifier: MIT */
/* Contacts of a step: the deepest overlap, and shocks. */
#include <math.h>
#include <stdio.h>

#include "base/tolerances.h"
#include "stepper_internal.h"

/* ---- overlaps ---- */

/* The deepest overlap without compliance (an overlap with compliance is a compressed spring);
 * NULL = none. */
static const saddle_contact_point *find_deepest(const saddle_contact_list *contacts)
{
    const saddle_contact_point *deepest = NULL;
    for (int64_t k = 0; k < contacts->count; k++) {
        const saddle_contact_point *point = &contacts->point[k];
        if (!(point->gap < 0) || point->compliance.alpha > 0) continue;
        if (!deepest || point->gap < deepest->gap) deepest = point;
    }
    return deepest;
}

void saddle__note_overlap(saddle_stepper *stepper)
{
    saddle_step_report *report = &stepper->report;
    const saddle_contact_point *deepest = find_deepest(&stepper->contacts);
    if (!deepest) return;
    report->overlap = -deepest->gap;
    if (report->step > 0 || !(report->overlap > SADDLE__WRITTEN_TOLERANCE)) return;
    char a[56], b[56], how[64];
    const double speed = stepper->options.max_separation_speed;
    saddle__model_describe(stepper->model, deepest->a.part, a, sizeof a);
    saddle__model_describe(stepper->model, deepest->b.part, b, sizeof b);
    if (deepest->impact)
        snprintf(how, sizeof how, "impacts do not correct it");
    else if (speed == 0)
        snprintf(how, sizeof how, "separated within one step");
    else
        snprintf(how, sizeof how, "separated at %.4g m/s (max_separation_speed)", speed);
    snprintf(report->overlap_note, sizeof report->overlap_note,
             "%s and %s overlap by %.4g m at the start, the deepest of %lld contacts; %s", a, b,
             report->overlap, (long long)report->contacts, how);
    saddle__log(stepper->context, SADDLE_LOG_WARNING, "%s", report->overlap_note);
}

/* ---- shocks ----
 *
 * A shock: a unilateral row stops or reverses the approach of its parts.  Where positions move by
 * the mean of v and v+, the approach would continue by h/2 v into an overlap, and the correction of
 * the overlap would be a bounce without restitution.  A step with a shock moves positions by v+,
 * bounded by the row (Schindler and Acary 2014: impacts are integrated by implicit Euler, smooth
 * forces by another scheme).  An approach below one percent of the motion of the row's parts is
 * rest, rolling or rounding, not a shock.
 */

/* 1: v approaches row i faster than the row moves by itself, a positive gap aside. */
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
    return approach > 0.01 * motion + SADDLE__VISIBLE_PART * size * fastest;
}

int saddle__has_shock(const saddle_stepper *stepper)
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
    saddle__row_walk at = {.model = stepper->model, .row = -1};
    while (saddle__next_row(&at)) {
        if (at.def->purpose != SADDLE_LIMIT || !(stepper->solution.lambda[at.row] > 0)) continue;
        if (is_shock(stepper, problem, at.row, fastest)) return 1;
    }
    return 0;
}
