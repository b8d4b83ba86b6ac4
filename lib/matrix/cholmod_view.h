/* SPDX-License-Identifier: MIT */
/* CHOLMOD without output: its settings, a matrix as CHOLMOD sees it, and its failures. */
#ifndef SADDLE_LIB_CHOLMOD_VIEW_H
#define SADDLE_LIB_CHOLMOD_VIEW_H

#include <cholmod.h>

#include "saddle/matrix.h"

/* To be ended by cholmod_l_finish. */
void saddle__cholmod_start(cholmod_common *common);

/* The pattern of cols columns, borrowed.  stype: -1 = a lower triangle, 0 = unsymmetric, 1 = an
 * upper triangle. */
cholmod_sparse saddle__cholmod_pattern(int64_t rows, int64_t cols, int64_t *start, int64_t *index,
                                       int stype);

/* The status of a failed call, with a message; order: rows of the matrix. */
saddle_status saddle__cholmod_failed(saddle_context *context, const cholmod_common *common,
                                     int64_t order);

#endif
