/* SPDX-License-Identifier: MIT */
/* The diagonal of |L||D||L'|, one pass over the blocks of L. */
#include <math.h>

#include "ldlt/ldlt_internal.h"

void saddle__ldlt_add_squares(const saddle__ldlt *F, double *sum)
{
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t first = F->first[s];
        int64_t columns = F->first[s + 1] - first;
        int64_t rows = F->row_start[s + 1] - F->row_start[s];
        const int32_t *row = F->row + F->row_start[s];
        for (int64_t j = 0; j < columns; j++) {
            const double *L = F->value + F->value_start[s] + j * (columns + rows);
            double d = fabs(F->pivot[first + j]);
            sum[F->order[first + j]] += d;
            for (int64_t t = j + 1; t < columns; t++) sum[F->order[first + t]] += L[t] * L[t] * d;
            for (int64_t t = 0; t < rows; t++)
                sum[F->order[row[t]]] += L[columns + t] * L[columns + t] * d;
        }
    }
}
