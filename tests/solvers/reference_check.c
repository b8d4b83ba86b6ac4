/* SPDX-License-Identifier: MIT */
/* See reference_check.h. */
#include "reference_check.h"

#include <math.h>

void reference_sparse(const double *A, int64_t lead, int64_t rows, int64_t cols, saddle_matrix *S)
{
    assert_int_equal(saddle_matrix_create(NULL, rows, cols, rows * cols, SADDLE_SYMMETRY_NONE, S),
                     SADDLE_OK);
    for (int64_t j = 0, e = 0; j < cols; j++) {
        for (int64_t i = 0; i < rows; i++) {
            if (A[i + j * lead] == 0.0) continue;
            S->index[e] = i;
            S->value[e++] = A[i + j * lead];
        }
        S->start[j + 1] = e;
    }
}

double reference_off(double high, double low, const mpq_t exact)
{
    mpq_t sum, more;
    mpq_inits(sum, more, NULL);
    mpq_set_d(sum, high);
    mpq_set_d(more, low);
    mpq_add(sum, sum, more);
    mpq_sub(sum, sum, exact);
    const double off = fabs(mpq_get_d(sum));
    mpq_clears(sum, more, NULL);
    return off;
}
