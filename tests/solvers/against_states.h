/* SPDX-License-Identifier: MIT */
/* A solver's answer to a drawn problem against all its states. */
#ifndef SADDLE_TEST_AGAINST_STATES_H
#define SADDLE_TEST_AGAINST_STATES_H

#include "drawn_mixed.h"
#include "enumeration.h"

/* Fails, with the seed of the problem, if a problem without a solution is solved, if the answer is
 * away from the nearest solution, if a solvable problem is called infeasible, or if a promised
 * problem (promised != 0 and solvable) is not solved. */
void check_against_states(const mixed *p, const enumeration *found, uint64_t seed, int promised,
                          saddle_status status, const saddle_solution *x);

/* Whether the problem has a solution for certain. */
int has_a_solution(const mixed *p, const enumeration *found);

#endif
