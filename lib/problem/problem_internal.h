/* SPDX-License-Identifier: MIT */
/* Problem functions for the library alone. */
#ifndef SADDLE_LIB_PROBLEM_INTERNAL_H
#define SADDLE_LIB_PROBLEM_INTERNAL_H

#include <math.h>

#include "saddle/problem.h"

/* saddle_problem_lo and _hi, for loops. */
static inline double saddle__lo(const saddle_problem *problem, int64_t row)
{
    return problem->lo ? problem->lo[row] : -(double)INFINITY;
}

static inline double saddle__hi(const saddle_problem *problem, int64_t row)
{
    return problem->hi ? problem->hi[row] : (double)INFINITY;
}

/* The contact that owns a row, NULL = none, for rows asked for in ascending order.  next: a number
 * of contacts, 0 before the first row. */
static inline const saddle_contact *saddle__contact_of(const saddle_problem *problem, int64_t row,
                                                       int64_t *next)
{
    const saddle_contact *contact = problem->contacts;
    int64_t k = *next;
    while (k < problem->contact_count && contact[k].row + contact[k].size <= row) k++;
    *next = k;
    return k < problem->contact_count && contact[k].row <= row ? &contact[k] : NULL;
}

/* Row i = 1, 2, .. of a contact: the friction coefficient of its part. */
static inline double saddle__contact_mu(const saddle_contact *contact, int64_t i)
{
    if (i < 3) return contact->mu;
    return i == 3 && contact->size != 5 ? contact->mu_torsion : contact->mu_rolling;
}

/* No part of the contact has friction. */
static inline int saddle__contact_is_smooth(const saddle_contact *contact)
{
    return contact->mu == 0.0 && contact->mu_torsion == 0.0 && contact->mu_rolling == 0.0;
}

/* bounded (m): 1 for rows with a finite bound and rows of contacts, else 0. */
void saddle__find_bounded(const saddle_problem *problem, signed char *bounded);

/* A copy of a NUL-terminated text, NULL when out of memory; released by saddle_release. */
char *saddle__copy_text(saddle_context *context, const char *text);

/* SADDLE_INVALID_ARGUMENT with "the NAME has n = .." for a solution of another size or without v,
 * lambda or, with_w, w. */
saddle_status saddle__solution_check_size(saddle_context *context, const saddle_problem *problem,
                                          const saddle_solution *solution, const char *name,
                                          int with_w);

/* The parts of saddle_problem_check that a values-only refresh needs, without allocating: M, J, R,
 * or their values alone where the patterns are known to be sound; and f, b, bounds, contacts. */
saddle_status saddle__problem_check_matrices(saddle_context *context,
                                             const saddle_problem *problem);
saddle_status saddle__problem_check_values(saddle_context *context, const saddle_problem *problem);
saddle_status saddle__problem_check_vectors(saddle_context *context, const saddle_problem *problem);

/* ---- sizes, patterns of M, J, R and the rows of contacts, which stay the same after analyse ----
 */

typedef struct saddle__pattern {
    int64_t n, m, contacts;
    int64_t entries[3]; /* of M, J', R */
    uint64_t print[3];  /* fingerprint of their indices */
    uint64_t contact_print;
    saddle_law law;
    int64_t facets;
} saddle__pattern;

saddle__pattern saddle__pattern_of(const saddle_problem *problem);

/* SADDLE_OK, or SADDLE_INVALID_ARGUMENT with a message that names the change: a size, M, J or R,
 * with `contacts` the contacts too.  deep: compare indices of the matrices, otherwise counts only.
 */
saddle_status saddle__pattern_compare(saddle_context *context, const saddle__pattern *pattern,
                                      const saddle_problem *problem, int deep, int contacts);

#endif
