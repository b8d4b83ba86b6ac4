/* SPDX-License-Identifier: MIT */
/* Which attachments to keep as rows. */
#ifndef SADDLE_ATTACHMENTS_CHOOSE_H
#define SADDLE_ATTACHMENTS_CHOOSE_H

#include "saddle/elimination.h"

/* keep (components): 1 where the attachment or prescription is kept.  report: analyses and works
 * are set. */
saddle_status saddle__choose(saddle_context *context, const saddle_attachments *graph,
                             const saddle_problem *problem, saddle_elimination_wish wish,
                             const saddle_elimination_wish *each, signed char *keep,
                             saddle_elimination_report *report);

#endif
