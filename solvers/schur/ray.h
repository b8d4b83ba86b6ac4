/* SPDX-License-Identifier: MIT */
/* Why a problem has no solution: a ray along which impulses grow forever and nothing yields,
 *
 *     y != 0,   W'y = 0,   q'y < 0,
 *         y_i >= 0 where hi_i = inf, y_i <= 0 where lo_i = -inf, y_i = 0 else (both: any)
 *
 * and y_i = 0 for tangents of contacts.  Since w = W lambda + q, y'w = q'y < 0 whatever lambda is,
 * while the rows' laws ask for y'w >= 0 as lambda goes along y. */
#ifndef SADDLE_SCHUR_RAY_H
#define SADDLE_SCHUR_RAY_H

#include "saddle/matrix.h"

typedef struct saddle__ray {
    int64_t rows;  /* that take part; 0: d is none */
    int64_t first; /* the one with the largest part */
    int bounded;   /* any of them has a finite bound */
} saddle__ray;

/* lo, hi (m): bounds; of a row that can have no part, 0.  d (m): a step of the impulses, cleaned on
 * return; q (m): the slack without impulses; size (m): natural sizes of W's diagonal; work: m. */
saddle__ray saddle__ray_find(const saddle_matrix *W, const double *lo, const double *hi,
                             const double *size, const double *q, double *d, double *work);

#endif
