/* SPDX-License-Identifier: MIT */
/* A solver within another solver: its type, settings and state, and the work it reports. */
#ifndef SADDLE_SOLVERS_MEMBER_H
#define SADDLE_SOLVERS_MEMBER_H

#include "builtin.h"

/* All-zero: no solver. */
typedef struct saddle__member {
    const saddle_solver_type *type;
    saddle__settings settings;
    void *state;  /* NULL = not analysed */
    int factored; /* 1: the present values */
} saddle__member;

/* The outer solver's call with the settings of the member. */
static inline saddle_solver_call saddle__member_call(const saddle_solver_call *call,
                                                     const saddle__member *s)
{
    saddle_solver_call own = *call;
    own.settings = s->settings.bytes;
    return own;
}

/* Of s->type, which is set: settings from the options, state.  A member with a state is left as
 * analysed; on a failure or an interruption (saddle__goes_on) the member has no state. */
saddle_status saddle__member_analyse(const saddle_solver_call *call, saddle__member *s,
                                     const saddle_problem *problem);

/* SADDLE_OK where the values are factored already. */
saddle_status saddle__member_factor(const saddle_solver_call *call, saddle__member *s,
                                    const saddle_problem *problem);

/* The state; the type stays. */
void saddle__member_release(saddle__member *s, saddle_context *context);

/* to += from, entry by entry. */
static inline void saddle__switches_add(saddle_switches *to, const saddle_switches *from)
{
    to->single += from->single;
    to->lemke += from->lemke;
    to->regularized += from->regularized;
    to->other += from->other;
}

/* Counts of a member's report, iterations without, become counts of the outer report and start
 * again from 0. */
void saddle__report_move_counts(saddle_report *report, saddle_report *member);

#endif
