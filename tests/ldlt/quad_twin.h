/* SPDX-License-Identifier: MIT */
/* Dense elimination in quadruple precision with complete pivoting: the twin whose own rounding
 * (1e-34) cannot be taken for the error of what is tested. */
#ifndef SADDLE_TEST_QUAD_TWIN_H
#define SADDLE_TEST_QUAD_TWIN_H

#include <float.h>
#include <stdint.h>

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 quad;
#elif LDBL_MANT_DIG >= 113
typedef long double quad;
#else
#error "no type of quadruple precision here"
#endif

static inline quad quad_abs(quad x)
{
    return x < 0 ? -x : x;
}

typedef struct quad_outcome {
    int64_t rank;     /* pivots beyond 1e-24 of the largest entry */
    int contradicts;  /* 1: b is not in the range of A */
    double condition; /* |A^-1||A| (infinity norm) where A is regular, else infinity */
} quad_outcome;

/* x (n): A x = b for A (n x n, by rows), 0 where the rank leaves x_i free. */
quad_outcome quad_solve(int64_t n, const quad *A, const quad *b, quad *x);

#endif
