/* SPDX-License-Identifier: MIT */
/* See twofold.h.  On x86-64 the loops are compiled twice, with and without the fma instruction,
 * and each call asks the processor; the plain form calls fma of the C library, with the same
 * bits. */
#include "matrix/twofold.h"

#include <float.h>
#include <math.h>
#include <string.h>

#if defined(__FAST_MATH__)
#error "twofold.c: -ffast-math would take the second half of the precision away"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "TwoSum needs a + b rounded to double");

#if defined(__GNUC__)
#define ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define ALWAYS_INLINE inline
#endif

static ALWAYS_INLINE void add_product(saddle__twofold *sum, double a, double b)
{
    double product = a * b;
    double lost = fma(a, b, -product);
    double high = sum->high + product;
    double part = high - sum->high;
    lost += (sum->high - (high - part)) + (product - part);
    sum->high = high;
    sum->low += lost;
    sum->modulus += fabs(product);
}

/* ---- the loops ---- */

static ALWAYS_INLINE void symmetric_loop(const saddle_matrix *A, double side, const double *x,
                                         saddle__twofold *y)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = side * x[j];
        saddle__twofold sum = y[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double a = A->value[k];
            if (i != j) add_product(&y[i], a, xj);
            add_product(&sum, side * a, x[i]);
        }
        y[j] = sum;
    }
}

static ALWAYS_INLINE void general_loop(const saddle_matrix *A, double side, const double *x,
                                       saddle__twofold *y)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = side * x[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            add_product(&y[A->index[k]], A->value[k], xj);
    }
}

static ALWAYS_INLINE void both_loop(const saddle_matrix *A, double side_y, const double *x,
                                    saddle__twofold *y, double side_z, const double *u,
                                    saddle__twofold *z)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = side_y * x[j];
        saddle__twofold sum = z[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double a = A->value[k];
            add_product(&y[i], a, xj);
            add_product(&sum, side_z * a, u[i]);
        }
        z[j] = sum;
    }
}

/* ---- with the instruction, and without ---- */

#if defined(__GNUC__) && defined(__x86_64__) && !defined(__FMA__)

#define WITH_FMA __attribute__((target("fma")))

static WITH_FMA void symmetric_fma(const saddle_matrix *A, double side, const double *x,
                                   saddle__twofold *y)
{
    symmetric_loop(A, side, x, y);
}

static WITH_FMA void general_fma(const saddle_matrix *A, double side, const double *x,
                                 saddle__twofold *y)
{
    general_loop(A, side, x, y);
}

static WITH_FMA void both_fma(const saddle_matrix *A, double side_y, const double *x,
                              saddle__twofold *y, double side_z, const double *u,
                              saddle__twofold *z)
{
    both_loop(A, side_y, x, y, side_z, u, z);
}

static int has_fma(void)
{
    return __builtin_cpu_supports("fma");
}

#else

#define symmetric_fma symmetric_loop
#define general_fma general_loop
#define both_fma both_loop

static int has_fma(void)
{
    return 1; /* as fma() is compiled */
}

#endif

/* ---- the interface ---- */

void saddle__twofold_set(int64_t count, const double *b, saddle__twofold *y)
{
    for (int64_t i = 0; i < count; i++) {
        double high = b ? b[i] : 0.0;
        y[i] = (saddle__twofold){.high = high, .modulus = fabs(high)};
    }
}

void saddle__twofold_add(const saddle_matrix *A, double side, const double *x, saddle__twofold *y)
{
    if (saddle_matrix_entries(A) == 0) return;
    int symmetric = A->symmetry == SADDLE_SYMMETRY_LOWER;
    if (has_fma())
        (symmetric ? symmetric_fma : general_fma)(A, side, x, y);
    else
        (symmetric ? symmetric_loop : general_loop)(A, side, x, y);
}

void saddle__twofold_add_both(const saddle_matrix *A, double side_y, const double *x,
                              saddle__twofold *y, double side_z, const double *u,
                              saddle__twofold *z)
{
    if (saddle_matrix_entries(A) == 0) return;
    (has_fma() ? both_fma : both_loop)(A, side_y, x, y, side_z, u, z);
}

void saddle__twofold_add_dot(int64_t count, double side, const double *a, const double *b,
                             saddle__twofold *sum)
{
    for (int64_t i = 0; i < count; i++) add_product(sum, side * a[i], b[i]);
}
