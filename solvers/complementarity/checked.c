/* SPDX-License-Identifier: MIT */
/* See checked.h. */
#include "complementarity/checked.h"

#include <math.h>

#include "complementarity/block_pivoting.h"

static const double tolerated = 5000.0; /* of noise */

/* Without branches: which rows are basic cannot be foretold. */
static int is_exact(int64_t m, const signed char *state, const double *w, const double *noise)
{
    int64_t inexact = 0;
    for (int64_t i = 0; i < m; i++)
        inexact += (state[i] == SADDLE__BASIC) & !(fabs(w[i]) <= tolerated * noise[i]);
    return inexact == 0;
}

saddle_status saddle__basis_solve_checked(const saddle__basis *basis, int64_t m,
                                          const signed char *state, const double *q, double *lambda,
                                          double *w, double *noise, saddle__exactness *count)
{
    saddle_status status = basis->solve(basis->user, state, q, lambda, w, noise);
    if (status != SADDLE_OK || is_exact(m, state, w, noise)) return status;
    count->corrected++;
    if (basis->correct) status = basis->correct(basis->user, state, q, lambda, w, noise);
    if (status != SADDLE_OK || is_exact(m, state, w, noise)) return status;
    if (basis->renew) {
        count->renewed++;
        status = basis->renew(basis->user, state);
        if (status == SADDLE_OK) status = basis->solve(basis->user, state, q, lambda, w, noise);
        if (status != SADDLE_OK || is_exact(m, state, w, noise)) return status;
        if (basis->correct) status = basis->correct(basis->user, state, q, lambda, w, noise);
        if (status != SADDLE_OK || is_exact(m, state, w, noise)) return status;
    }
    count->inexact++;
    return status;
}
