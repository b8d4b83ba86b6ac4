/* SPDX-License-Identifier: MIT */
/* Solves for the rows that are in, refined against the values as given, K_A without what was added
 * to it:
 *
 *     r = b - K_A x,   omega = max_i |r_i| / s_i,   s = |K_A||x| + |b|,   x += (K as factored)^-1 r
 *
 * omega is the componentwise backward error (Oettli and Prager 1964), an s_i that is rounding noise
 * itself being replaced by s_i + t_i, the sum for the largest |x| there is, in natural units d =
 * scale^-1/2 (Arioli, Demmel and Duff, SIAM J. Matrix Anal. Appl. 10, 1989).  It is what tells that
 * modifications have worn the factor out.  Where corrections gain no more, r is summed in twice the
 * working precision from then on: a row whose sum is small beside those of its neighbours, s_i of
 * 1e-6 theirs, cannot be brought below u theirs otherwise. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "active/active_internal.h"
#include "base/vector.h"

enum { MOST_CORRECTIONS = 8 };

/* of omega before, for another correction to be worth it */
static const double enough = 0.5;
static const double much_worse = 10.0; /* than what a fresh factor reached */

static int is_out(const saddle__active_rows *A, int64_t node)
{
    return node >= A->n && !A->in[node - A->n];
}

/* The same as below without velocities, K = -R: of all rows, those that are in. */
static void form_by_rows(const saddle__active_rows *A, const double *x, const double *b, double *r,
                         double *s)
{
    for (int64_t i = 0; i < A->m; i++) {
        r[i] = s[i] = 0.0;
        if (!A->in[i]) continue;
        double modulus;
        double own = A->diagonal[i] * x[i];
        r[i] = b[i] + (own + saddle__whole_row_times_both(&A->beside, i, x, &modulus));
        s[i] = fabs(b[i]) + fabs(own) + modulus;
    }
}

/* r <- b - K_A x, s <- |K_A||x| + |b|; 0 in rows that are out, where x is 0 */
static void form_residual(const saddle__active_rows *A, const double *x, const double *b, double *r,
                          double *s)
{
    const saddle_matrix *K = &A->kkt.K;
    if (A->n == 0) {
        form_by_rows(A, x, b, r, s);
        return;
    }
    for (int64_t i = 0; i < A->size; i++) {
        r[i] = b[i];
        s[i] = fabs(b[i]);
    }
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            double product = K->value[k] * x[j];
            r[i] -= product;
            s[i] += fabs(product);
            if (i == j) continue;
            double mirrored = K->value[k] * x[i];
            r[j] -= mirrored;
            s[j] += fabs(mirrored);
        }
    }
    for (int64_t i = A->n; i < A->size; i++)
        if (is_out(A, i)) r[i] = s[i] = 0.0;
}

/* The same summed in twice the working precision. */
static void form_precisely(const saddle__active_rows *A, const double *x, const double *b,
                           double *r, double *s)
{
    if (A->n == 0) {
        saddle__twofold_rows(&A->beside, A->diagonal, 1.0, x, b, A->in, r, s);
        return;
    }
    saddle__twofold_set(A->size, b, A->sum);
    saddle__twofold_add(&A->kkt.K, -1.0, x, A->sum);
    for (int64_t i = 0; i < A->size; i++) {
        r[i] = is_out(A, i) ? 0.0 : saddle__twofold_value(A->sum[i]);
        s[i] = is_out(A, i) ? 0.0 : A->sum[i].modulus;
    }
}

/* The largest |x| and |b| of what is in, in natural units; infinite where x is not finite. */
static double largest_of(const saddle__active_rows *A, const double *x, const double *b)
{
    double most = 0.0;
    double poison = 0.0;
    for (int64_t i = 0; i < A->size; i++) {
        if (is_out(A, i)) continue;
        double own = saddle__larger(fabs(x[i]) / A->unit[i], fabs(b[i]) * A->unit[i]);
        most = saddle__larger(most, own);
        poison += 0.0 * x[i];
    }
    return poison == 0.0 ? most : (double)INFINITY;
}

/* omega; *normwise: the same against s_i + t_i throughout.  Where x_i should be zero, omega is 1
 * until x_i is noise, however fast that may come: the other one shows it. */
static double backward_error(const saddle__active_rows *A, const double *x, const double *b,
                             const double *r, const double *s, double *normwise)
{
    *normwise = 0.0;
    double most = largest_of(A, x, b);
    if (isinf(most)) return most;
    double noise = 1000.0 * (double)A->size * DBL_EPSILON;
    double error = 0.0;
    for (int64_t i = 0; i < A->size; i++) {
        if (r[i] == 0.0) continue;
        double t = A->norm[i] * most + fabs(b[i]);
        double share = fabs(r[i]) / (s[i] > noise * t ? s[i] : s[i] + t);
        *normwise = fmax(*normwise, fabs(r[i]) / (s[i] + t));
        if (!(share <= error)) error = isnan(share) ? (double)INFINITY : share;
    }
    return error;
}

double saddle__active_refine(saddle__active_rows *A, const double *b, double *x)
{
    double *r = A->correction;
    double least = (double)INFINITY;
    double least_normwise = (double)INFINITY;
    int precisely = 0;
    int best = 0; /* x is the best met; else that is in A->best */
    for (int step = 0;; step++) {
        double normwise;
        (precisely ? form_precisely : form_residual)(A, x, b, r, A->modulus);
        double error = backward_error(A, x, b, r, A->modulus, &normwise);
        int gained = error <= enough * least || normwise <= enough * least_normwise;
        best = error < least || (error == least && normwise < least_normwise);
        if (best) {
            least = error;
            least_normwise = normwise;
        }
        if (least <= A->tolerance || step == MOST_CORRECTIONS || (!gained && precisely) ||
            isinf(error))
            break;
        if (best) memcpy(A->best, x, (size_t)A->size * sizeof(*x));
        if (!gained) form_precisely(A, x, b, r, A->modulus);
        precisely = precisely || !gained;
        saddle__active_apply(A, 1, r, A->size);
        for (int64_t i = 0; i < A->size; i++) x[i] += r[i];
        A->counts.corrections++;
    }
    if (!best && !isinf(least)) memcpy(x, A->best, (size_t)A->size * sizeof(*x));
    return least;
}

/* omega of the worst of count right-hand sides in X, which become the solutions; they are kept in
 * A->rhs */
static double solve_block(saddle__active_rows *A, int64_t count, double *X, int64_t ld)
{
    double worst = 0.0;
    saddle__active_apply(A, count, X, ld);
    for (int64_t c = 0; c < count; c++)
        worst = fmax(worst, saddle__active_refine(A, A->rhs + c * A->size, X + c * ld));
    return worst;
}

static void copy_block(const saddle__active_rows *A, int64_t count, const double *from,
                       int64_t from_ld, double *to, int64_t to_ld)
{
    for (int64_t c = 0; c < count; c++)
        memcpy(to + c * to_ld, from + c * from_ld, (size_t)A->size * sizeof(*to));
}

/* Whether the factor, changed, may be what keeps the error up: not where a fresh one did no
 * better. */
static int is_worn_out(const saddle__active_rows *A, double error)
{
    return !A->fresh && error > A->tolerance && error > much_worse * A->reached;
}

saddle_status saddle__active_rows_solve(saddle__active_rows *A, int64_t count, double *X,
                                        int64_t ld)
{
    if (!A->factored)
        return saddle_fail(A->context, SADDLE_WRONG_PHASE, "active rows: solve before factor");
    if (count < 0 || ld < A->size)
        return saddle_fail(A->context, SADDLE_INVALID_ARGUMENT,
                           "active rows: %lld right-hand sides, leading dimension %lld",
                           (long long)count, (long long)ld);
    A->counts.error = 0.0;
    A->solved += count;
    for (int64_t begin = 0; A->size > 0 && begin < count; begin += SADDLE__LDLT_BLOCK) {
        int64_t width = count - begin < SADDLE__LDLT_BLOCK ? count - begin : SADDLE__LDLT_BLOCK;
        double *x = X + begin * ld;
        copy_block(A, width, x, ld, A->rhs, A->size);
        double error = solve_block(A, width, x, ld);
        if (is_worn_out(A, error)) {
            saddle_status status = saddle__active_renew(A);
            if (status != SADDLE_OK) return status;
            copy_block(A, width, A->rhs, A->size, x, ld);
            error = solve_block(A, width, x, ld);
        }
        if (A->fresh && isfinite(error)) A->reached = fmax(A->reached, error);
        A->counts.error = fmax(A->counts.error, error);
        for (int64_t c = 0; c < width; c++)
            for (int64_t i = A->n; i < A->size; i++) x[i + c * ld] = 0.0 - x[i + c * ld];
    }
    return A->counts.error <= A->tolerance ? SADDLE_OK : SADDLE_NOT_CONVERGED;
}
