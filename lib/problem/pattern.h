/* SPDX-License-Identifier: MIT */
/* What must stay the same between analyse and the later phases: sizes, patterns of M, J, R, and the
 * rows of the contacts. */
#ifndef SADDLE_LIB_PATTERN_H
#define SADDLE_LIB_PATTERN_H

#include "saddle/problem.h"

typedef struct saddle__pattern {
    int64_t n, m, contacts;
    int64_t entries[3]; /* of M, J', R */
    uint64_t print[3];  /* fingerprint of their indices */
    uint64_t contact_print;
    saddle_law law;
    int64_t facets;
} saddle__pattern;

saddle__pattern saddle__pattern_of(const saddle_problem *problem);

/* SADDLE_OK or SADDLE_INVALID_ARGUMENT with a message that names what changed: a size, M, J or R.
 * deep: the indices too, not the counts alone. */
saddle_status saddle__pattern_compare_matrices(saddle_context *context,
                                               const saddle__pattern *pattern,
                                               const saddle_problem *problem, int deep);

/* The same for the contacts too. */
saddle_status saddle__pattern_compare(saddle_context *context, const saddle__pattern *pattern,
                                      const saddle_problem *problem, int deep);

#endif
