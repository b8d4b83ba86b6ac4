/* SPDX-License-Identifier: MIT */
/* The quality of factors: condition of the matrix, contraction of refinement, growth of terms.
 *
 * Condition.  |A^-1|_1 |A|_1 from a few solves: the 1-norm of B = (D A D)^-1 is the largest of the
 * convex |B x|_1 over the corners of |x|_1 <= 1, and is climbed corner by corner along the
 * subgradient B' sign(B x) (Hager, SIAM J. Sci. Stat. Comput. 5, 1984), with the safeguards of
 * Higham (ACM TOMS 14, 1988, algorithm 4.1): the climb ends at repeated signs, at a value that does
 * not rise, or after five corners, and a vector of growing entries and changing sign finds the
 * counterexamples to plain climbing.  Each value is attained by some x, so that the estimate
 * exceeds the truth by no more than rounding.
 *
 * Contraction.  The error e0 of a start becomes e1 = e0 - F^-1 K e0, and so on, with
 *
 *     F = K + diag(added) + rounding;     contraction = |F^-1 K e1| / |F^-1 K e0|
 *
 * Corrections are compared instead of errors: an error in the null space of K leaves no residual,
 * and does no harm.
 *
 * Growth.  For the computed L D L' = A + E without pivoting,
 *
 *     |E| <= c u |L||D||L'|      (Higham, Accuracy and Stability, 2nd ed., theorem 11.3)
 *
 * and the largest entry of the semidefinite |L||D||L'|, measured by sizes s of the rows, is on the
 * diagonal.
 */
#include <math.h>

#include "factor/factorization_internal.h"

/* ---- condition ---- */

enum { CORNERS_VISITED = 5 };

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

/* sign <- the signs of x.  Returns 1 if none changed. */
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

/* *norm = the largest |B e|_1 over corners e on a climb; sign: of B x for x in the middle of a
 * face. */
static saddle_status climb(const inverse *B, double *x, double *sign, double *norm)
{
    int64_t n = B->n;
    int64_t corner = -1;
    for (int step = 0; step < CORNERS_VISITED && isfinite(*norm); step++) {
        for (int64_t i = 0; i < n; i++) x[i] = sign[i];
        SADDLE__TRY(apply(B, 1, x));
        int64_t next = largest_at(n, x);
        if (corner >= 0 && fabs(x[corner]) >= fabs(x[next])) return SADDLE_OK;
        corner = next;
        for (int64_t i = 0; i < n; i++) x[i] = i == corner;
        SADDLE__TRY(apply(B, 0, x));
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
    SADDLE__TRY(apply(B, 0, x));
    *norm = sum_of_moduli(n, x);
    if (n == 1) return SADDLE_OK;
    (void)take_signs(n, x, sign);
    SADDLE__TRY(climb(B, x, sign, norm));
    for (int64_t i = 0; i < n; i++)
        x[i] = (i % 2 ? -1.0 : 1.0) * (1.0 + (double)i / (double)(n - 1));
    const saddle_status status = apply(B, 0, x);
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
            if (A->symmetry == SADDLE_SYMMETRY_LOWER && i != j) sum[i] += a;
        }
    }
    for (int64_t j = 0; j < A->cols; j++) most = fmax(most, sum[j]);
    return most;
}

/* x <- random signs (xorshift) */
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

/* Whether |B|_1 whole may exceed the limit, from one solve. */
static saddle_status may_exceed(const inverse *B, double whole, double limit, double *work,
                                int *may)
{
    draw_signs(B->n, work);
    saddle_status status = apply(B, 0, work);
    double reached = status == SADDLE_OK ? fabs(work[largest_at(B->n, work)]) : 0.0;
    *may = !(whole * reached * sqrt((double)B->n) < 1e-2 * limit);
    return status;
}

saddle_status saddle__factorization_condition(saddle__factorization *F, const saddle_matrix *A,
                                              const double *d, double limit, double *work,
                                              double *condition)
{
    *condition = 1.0;
    if (A->cols == 0) return SADDLE_OK;
    double whole = norm_of(A, d, work);
    inverse B = {.F = F, .d = d, .n = A->cols};
    double norm = 0.0;
    int may = 1;
    saddle_status status = limit > 0.0 ? may_exceed(&B, whole, limit, work, &may) : SADDLE_OK;
    if (status == SADDLE_OK && may) status = inverse_norm(&B, work, &norm);
    *condition = norm * whole;
    return status;
}

/* ---- contraction ---- */

static double largest(const double *x, const double *d, int64_t n)
{
    double most = 0.0;
    for (int64_t i = 0; i < n; i++) {
        if (!isfinite(x[i])) return (double)INFINITY;
        most = fmax(most, fabs(x[i]) / d[i]);
    }
    return most;
}

/* step <- F^-1 K error, error <- error - step */
static saddle_status refine_once(saddle__factorization *F, const saddle_matrix *A,
                                 const double *added, double *error, double *step)
{
    int64_t n = A->cols;
    saddle_matrix_apply(A, 1.0, error, 0.0, step);
    for (int64_t i = 0; added && i < n; i++) step[i] -= added[i] * error[i];
    saddle_status status = saddle__factorization_solve(F, step);
    for (int64_t i = 0; i < n; i++) error[i] -= step[i];
    return status;
}

saddle_status saddle__factorization_contraction(saddle__factorization *F, const saddle_matrix *A,
                                                const double *added, const double *d, double *work,
                                                double *contraction)
{
    int64_t n = A->cols;
    double *error = work;
    double *step = work + n;
    *contraction = 0.0;
    for (int64_t i = 0; i < n; i++) error[i] = i % 3 == 1 ? -d[i] : d[i];
    saddle_status status = refine_once(F, A, added, error, step);
    double first = largest(step, d, n);
    if (status == SADDLE_OK) status = refine_once(F, A, added, error, step);
    double second = largest(step, d, n);
    if (second > 0.0) *contraction = isfinite(first) ? second / first : (double)INFINITY;
    return status;
}

/* ---- growth ---- */

double saddle__factorization_growth(const saddle__factorization *F, const double *scale,
                                    double *work)
{
    if (F->phase != SADDLE__FACTORED || !F->method->add_squares) return (double)NAN;
    double growth = F->n > 0 ? 0.0 : 1.0;
    for (int64_t i = 0; i < F->n; i++) work[i] = 0.0;
    if (F->n > 0) F->method->add_squares(F, work);
    for (int64_t i = 0; i < F->n; i++) growth = fmax(growth, work[i] / scale[i]);
    return growth;
}
