/* SPDX-License-Identifier: MIT */
/* |A^-1|_1 |A|_1 of a factored A, estimated from a few solves: the 1-norm of B = (D A D)^-1 is the
 * largest of the convex |B x|_1 over the corners of |x|_1 <= 1, and is climbed corner by corner
 * along its subgradient B' sign(B x) (Hager, SIAM J. Sci. Stat. Comput. 5, 1984).  Higham's
 * safeguards (ACM TOMS 14, 1988, algorithm 4.1): signs that repeat or a value that does not rise
 * end it, five corners at most, and a vector of growing entries and changing sign, which catches
 * the matrices made to deceive it.  Every value is that of some x, so that the estimate is never
 * above the truth but for rounding. */
#include <math.h>

#include "factor/factorization.h"

enum { CORNERS = 5 };

/* B and its transpose at hand. */
typedef struct inverse {
    saddle__factorization *F;
    const double *d; /* NULL = 1 */
    int64_t n;
} inverse;

/* x <- B x, or B'x */
static saddle_status apply(const inverse *B, int transposed, double *x)
{
    for (int64_t i = 0; B->d && i < B->n; i++) x[i] /= B->d[i];
    saddle_status status = transposed ? saddle__factorization_solve_transpose(B->F, x)
                                      : saddle__factorization_solve(B->F, x);
    for (int64_t i = 0; B->d && i < B->n; i++) x[i] /= B->d[i];
    return status;
}

/* infinite where x is not finite */
static double sum_of_moduli(int64_t n, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) sum += fabs(x[i]);
    return isnan(sum) ? (double)INFINITY : sum;
}

/* sign <- the signs of x; 1 where none has changed */
static int take_signs(int64_t n, const double *x, double *sign)
{
    int same = 1;
    for (int64_t i = 0; i < n; i++) {
        double own = x[i] >= 0.0 ? 1.0 : -1.0;
        same = same && own == sign[i];
        sign[i] = own;
    }
    return same;
}

static int64_t largest_at(int64_t n, const double *x)
{
    int64_t at = 0;
    for (int64_t i = 1; i < n; i++)
        if (fabs(x[i]) > fabs(x[at])) at = i;
    return at;
}

/* *norm = |B e|_1 for corners e, climbing from the middle of the first face; sign holds what the
 * middle gave. */
static saddle_status climb(const inverse *B, double *x, double *sign, double *norm)
{
    int64_t n = B->n;
    int64_t corner = -1;
    for (int step = 0; step < CORNERS && isfinite(*norm); step++) {
        for (int64_t i = 0; i < n; i++) x[i] = sign[i];
        saddle_status status = apply(B, 1, x);
        if (status != SADDLE_OK) return status;
        int64_t next = largest_at(n, x);
        if (corner >= 0 && fabs(x[corner]) >= fabs(x[next])) return SADDLE_OK;
        corner = next;
        for (int64_t i = 0; i < n; i++) x[i] = i == corner;
        status = apply(B, 0, x);
        if (status != SADDLE_OK) return status;
        double reached = sum_of_moduli(n, x);
        int rises = reached > *norm;
        *norm = fmax(*norm, reached);
        if (take_signs(n, x, sign) || !rises) return SADDLE_OK;
    }
    return SADDLE_OK;
}

/* |B|_1.  work: 2 n */
static saddle_status inverse_norm(const inverse *B, double *work, double *norm)
{
    int64_t n = B->n;
    double *x = work;
    double *sign = work + n;
    for (int64_t i = 0; i < n; i++) {
        x[i] = 1.0 / (double)n;
        sign[i] = 0.0;
    }
    saddle_status status = apply(B, 0, x);
    if (status != SADDLE_OK) return status;
    *norm = sum_of_moduli(n, x);
    if (n == 1) return SADDLE_OK;
    (void)take_signs(n, x, sign);
    status = climb(B, x, sign, norm);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < n; i++)
        x[i] = (i % 2 ? -1.0 : 1.0) * (1.0 + (double)i / (double)(n - 1));
    status = apply(B, 0, x);
    *norm = fmax(*norm, 2.0 * sum_of_moduli(n, x) / (3.0 * (double)n));
    return status;
}

/* |D A D|_1.  sum: n */
static double norm_of(const saddle_matrix *A, const double *d, double *sum)
{
    if (saddle_matrix_entries(A) == 0) return 0.0;
    double most = 0.0;
    for (int64_t j = 0; j < A->cols; j++) sum[j] = 0.0;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double a = fabs(A->value[k]) * (d ? d[i] * d[j] : 1.0);
            sum[j] += a;
            if (A->symmetry == SADDLE_SYMMETRIC && i != j) sum[i] += a;
        }
    }
    for (int64_t j = 0; j < A->cols; j++) most = fmax(most, sum[j]);
    return most;
}

saddle_status saddle__factorization_condition(saddle__factorization *F, const saddle_matrix *A,
                                              const double *d, double *work, double *condition)
{
    *condition = 1.0;
    if (A->cols == 0) return SADDLE_OK;
    double whole = norm_of(A, d, work);
    inverse B = {.F = F, .d = d, .n = A->cols};
    double norm = 0.0;
    saddle_status status = inverse_norm(&B, work, &norm);
    *condition = norm * whole;
    return status;
}

/* The share of the limit at which a probe leaves the answer open: signs that are not random
 * enough. */
static const double open_share = 1e-2;

/* x <- signs without a pattern (xorshift) */
static void draw_signs(int64_t n, double *x)
{
    uint64_t state = 88172645463325252u;
    for (int64_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        x[i] = state >> 63 ? 1.0 : -1.0;
    }
}

saddle_status saddle__factorization_may_exceed(saddle__factorization *F, const saddle_matrix *A,
                                               const double *d, double limit, double *work,
                                               int *may)
{
    *may = 0;
    if (A->cols == 0) return SADDLE_OK;
    double whole = norm_of(A, d, work);
    inverse B = {.F = F, .d = d, .n = A->cols};
    draw_signs(A->cols, work);
    saddle_status status = apply(&B, 0, work);
    double reached = status == SADDLE_OK ? fabs(work[largest_at(A->cols, work)]) : 0.0;
    *may = !(whole * reached * sqrt((double)A->cols) < open_share * limit);
    return status;
}
