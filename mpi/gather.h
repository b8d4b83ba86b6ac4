/* SPDX-License-Identifier: MIT */
/* What parts add up to, in the first process.  All functions are collective but _take_names. */
#ifndef SADDLE_MPI_GATHER_H
#define SADDLE_MPI_GATHER_H

#include "view.h"

/* whole: the names and row_id of `names`, owned; its sizes are set. */
saddle_status saddle__take_names(saddle_context *context, const saddle_problem *names,
                                 saddle_problem *whole);

/* whole: f, b, bounds, contacts and the names of `names`, owned; n = m = 0 in the others.  To be
 * cleared on failure too. */
saddle_status saddle__gather_vectors(const saddle__view *view, const saddle_problem *names,
                                     saddle_problem *whole);

/* Jt, R (owned; all-zero but in the first process) <- the sums of the parts'.  To be cleared on
 * failure too. */
saddle_status saddle__gather_rows(const saddle__view *view, saddle_matrix *Jt, saddle_matrix *R);

/* All of it, checked. */
saddle_status saddle__gather(const saddle__view *view, const saddle_problem *names,
                             saddle_problem *whole);

#endif
