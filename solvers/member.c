/* SPDX-License-Identifier: MIT */
/* See member.h. */
#include "member.h"

#include "base/context_internal.h"

saddle_status saddle__member_analyse(const saddle_solver_call *call, saddle__member *s,
                                     const saddle_problem *problem)
{
    if (s->state) return SADDLE_OK;
    s->state = saddle_allocate(call->context, 1, s->type->state_size);
    if (!s->state) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle__settings_fill(call->context, s->type, call->options->settings,
                                                 &s->settings);
    saddle_solver_call own = saddle__member_call(call, s);
    if (status == SADDLE_OK) status = s->type->analyse(&own, s->state, problem);
    if (!saddle__goes_on(status)) saddle__member_release(s, call->context);
    return status;
}

saddle_status saddle__member_factor(const saddle_solver_call *call, saddle__member *s,
                                    const saddle_problem *problem)
{
    saddle_solver_call own = saddle__member_call(call, s);
    if (s->factored) return SADDLE_OK;
    saddle_status status = s->type->factor(&own, s->state, problem);
    s->factored = saddle__goes_on(status);
    return status;
}

void saddle__member_release(saddle__member *s, saddle_context *context)
{
    if (s->state) s->type->clear(s->state, context);
    saddle_release(context, s->state);
    s->state = NULL;
    s->factored = 0;
}

void saddle__report_move_counts(saddle_report *report, saddle_report *member)
{
    report->pivots += member->pivots;
    report->factorizations += member->factorizations;
    report->refinements += member->refinements;
    saddle__switches_add(&report->switches, &member->switches);
    member->pivots = member->factorizations = member->refinements = 0;
    member->switches = (saddle_switches){0};
}
