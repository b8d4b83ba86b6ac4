/* SPDX-License-Identifier: MIT */
/* L L' and L U of a dense matrix by panels of columns, between which somebody is asked whether to
 * go on: LAPACK's own, of ten thousand columns, would take a minute without.  Right-looking, as
 * LAPACK's: the panel, what is right of it in its rows, the rest less their product.  Up to two
 * panels are LAPACK's at once. */
#ifndef SADDLE_MLCP_PANELS_H
#define SADDLE_MLCP_PANELS_H

#include "saddle/status.h"

typedef struct saddle__asked {
    saddle_status (*stop)(void *user); /* SADDLE_OK: go on; what else it says ends it.  NULL =
                                          nobody is asked */
    void *user;
} saddle__asked;

enum { SADDLE__PANEL = 768 };

/* A (size x size, leading dimension ld): in its lower triangle; L there.  SADDLE_NOT_CONVERGED: it
 * is not definite. */
saddle_status saddle__panels_cholesky(int size, double *A, int ld, const saddle__asked *asked);

/* exchange (size): rows, as LAPACK has them.  SADDLE_NOT_CONVERGED: it is singular. */
saddle_status saddle__panels_lu(int size, double *A, int ld, int *exchange,
                                const saddle__asked *asked);

#endif
