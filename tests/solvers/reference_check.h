/* SPDX-License-Identifier: MIT */
/* What the tests of references share. */
#ifndef SADDLE_TEST_REFERENCE_CHECK_H
#define SADDLE_TEST_REFERENCE_CHECK_H

#include <gmp.h>

#include "support.h"

/* A whole number of -most to most. */
static inline double whole(uint64_t *seed, int64_t most)
{
    return (double)test_integer(seed, -most, most);
}

/* *S: the entries other than zero of A, dense by columns, `lead` apart. */
void reference_sparse(const double *A, int64_t lead, int64_t rows, int64_t cols, saddle_matrix *S);

/* |high + low - exact| */
double reference_off(double high, double low, const mpq_t exact);

#endif
