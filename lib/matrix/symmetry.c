/* SPDX-License-Identifier: MIT */
/* Whether both stored triangles of a matrix are equal: each pair is looked at once, its partner
 * found by bisection. */
#include <float.h>
#include <math.h>

#include "base/vector.h"
#include "matrix/matrix_internal.h"

/* Of the larger of |a_ij|, |a_ji| and sqrt|a_ii a_jj|: what sums in another order differ by, in
 * whatever units. */
static const double rounding = 8.0 * DBL_EPSILON;

/* Entry k = (i, j) and its partner; one that is not stored is zero, and no rounding. */
static int are_equal(const saddle_matrix *A, int64_t k, int64_t partner, int64_t i, int64_t j)
{
    double a = A->value[k];
    if (partner < 0) return a == 0.0;
    double b = A->value[partner];
    if (a == b) return 1;
    double diagonal = sqrt(fabs(saddle_matrix_entry(A, i, i))) *
                      sqrt(fabs(saddle_matrix_entry(A, j, j)));
    return fabs(a - b) <= rounding * saddle__larger(diagonal, saddle__larger(fabs(a), fabs(b)));
}

/* An entry of one triangle whose partner is not equal; -1 where there is none.  pairs: its entries
 * whose partner is stored. */
static int64_t find_unequal_in(const saddle_matrix *A, int lower, int64_t *column, int64_t *pairs)
{
    *pairs = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            if (lower ? i <= j : i >= j) continue;
            int64_t partner = saddle__matrix_find(A, j, i);
            *column = j;
            if (!are_equal(A, k, partner, i, j)) return k;
            *pairs += partner >= 0;
        }
    return -1;
}

static int64_t count_above(const saddle_matrix *A)
{
    int64_t count = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1] && A->index[k] < j; k++) count++;
    return count;
}

int64_t saddle__matrix_find_unequal(const saddle_matrix *A, int64_t *column)
{
    int64_t pairs;
    if (A->symmetry == SADDLE_SYMMETRIC || saddle_matrix_entries(A) == 0) return -1;
    int64_t k = find_unequal_in(A, 1, column, &pairs);
    if (k >= 0 || pairs == count_above(A)) return k;
    return find_unequal_in(A, 0, column, &pairs);
}
