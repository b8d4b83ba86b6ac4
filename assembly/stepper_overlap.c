/* SPDX-License-Identifier: MIT */
/* The deepest overlap of a step's contacts, and a warning where the first step begins with one. */
#include <math.h>
#include <stdio.h>

#include "base/context_internal.h"
#include "stepper_internal.h"

/* Overlaps up to this are what rounding and files of six digits leave [m]. */
static const double negligible = 1e-6;

/* The deepest contact without compliance: with one, an overlap is how a spring is compressed.  NULL
 * = none overlaps. */
static const saddle_contact_point *find_deepest(const saddle_contact_list *contacts)
{
    const saddle_contact_point *deepest = NULL;
    for (int64_t k = 0; k < contacts->count; k++) {
        const saddle_contact_point *point = &contacts->point[k];
        if (!(point->gap < 0) || point->compliance.alpha > 0) continue;
        if (deepest == NULL || point->gap < deepest->gap) deepest = point;
    }
    return deepest;
}

void saddle__stepper_note_overlap(saddle_stepper *stepper)
{
    saddle_step_report *report = &stepper->report;
    const saddle_contact_point *deepest = find_deepest(&stepper->contacts);
    if (deepest == NULL) return;
    report->overlap = -deepest->gap;
    if (report->step > 0 || !(report->overlap > negligible)) return;
    char a[56], b[56], how[64];
    const double speed = stepper->options.max_separation_speed;
    saddle__model_describe(stepper->model, deepest->a.part, a, sizeof a);
    saddle__model_describe(stepper->model, deepest->b.part, b, sizeof b);
    if (deepest->impact)
        snprintf(how, sizeof how, "impacts leave it");
    else if (speed == 0)
        snprintf(how, sizeof how, "parted within one step");
    else
        snprintf(how, sizeof how, "parted at %.4g m/s (max_separation_speed)", speed);
    snprintf(report->overlap_note, sizeof report->overlap_note,
             "%s and %s overlap by %.4g m at the start, the deepest of %lld contacts; %s", a, b,
             report->overlap, (long long)report->contacts, how);
    saddle__log(stepper->context, SADDLE_LOG_WARNING, "%s", report->overlap_note);
}
