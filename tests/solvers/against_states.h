/* SPDX-License-Identifier: MIT */
/* A solver's answer to a drawn problem against all its states. */
#ifndef SADDLE_TEST_AGAINST_STATES_H
#define SADDLE_TEST_AGAINST_STATES_H

#include "drawn_mixed.h"
#include "enumeration.h"

/* Fails, naming the seed that draws the problem first, where what has no solution is solved, the
 * answer is away from the nearest solution, what has one is said to be infeasible, or promised
 * (nonzero: what has a solution is solved) is not kept. */
void check_against_states(const mixed *p, const enumeration *found, uint64_t seed, int promised,
                          saddle_status status, const saddle_solution *x);

/* Whether the problem has a solution for certain. */
int has_a_solution(const mixed *p, const enumeration *found);

#endif
