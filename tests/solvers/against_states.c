/* SPDX-License-Identifier: MIT */
/* See against_states.h. */
#include "against_states.h"

#include <inttypes.h>
#include <math.h>

int has_a_solution(const mixed *p, const enumeration *found)
{
    return found->count > 0 || p->kind.planted;
}

void check_against_states(const mixed *p, const enumeration *found, uint64_t seed, int promised,
                          saddle_status status, const saddle_solution *x)
{
    double away;
    int exists = has_a_solution(p, found);
    if (status < 0) fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": %s", seed, saddle_status_name(status));
    if (status == SADDLE_OK && enumeration_is_empty(found))
        fail_msg("SADDLE_TEST_SEED=%" PRIu64 " draws first what has no solution, and it is solved",
                 seed);
    if (status == SADDLE_OK && enumeration_is_complete(found)) {
        double defect = enumeration_defect(&p->problem, x->v, x->lambda, NULL);
        const enumeration_point *nearest = enumeration_nearest(&p->problem, found, x->v, x->lambda,
                                                               &away);
        if (!nearest || !(away <= fmax(1e-5, 100.0 * defect / nearest->pivot)))
            fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": away from the nearest solution by %g", seed,
                     away);
    }
    if (status == SADDLE_INFEASIBLE && exists)
        fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": said to be infeasible", seed);
    if (status != SADDLE_OK && exists && promised)
        fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": %s", seed, saddle_status_name(status));
}
