/* SPDX-License-Identifier: MIT */
/* The object: values, changes, and refined solves.  See active_rows.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "active/active_internal.h"
#include "base/tolerances.h"
#include "base/vector.h"

/* ======== values ======== */

/* norm_i = sum_j |K_ij| d_j */
static void measure(saddle__active_rows *A)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) A->norm[j] = 0.0;
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            A->norm[i] += fabs(K->value[k]) * A->unit[j];
            if (i != j) A->norm[j] += fabs(K->value[k]) * A->unit[i];
        }
    }
}

/* ======== the object ======== */

void saddle__active_rows_free(saddle__active_rows *A)
{
    if (!A) return;
    saddle__kkt_clear(&A->kkt);
    saddle__ldlt_free(A->F);
    saddle__layout_clear(A->context, &A->layout);
    saddle_release(A->context, A);
}

/* ---- create ---- */

static int64_t widest_front(const saddle__ldlt *F)
{
    int64_t widest = 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t rows = F->first[s + 1] - F->first[s] + F->row_start[s + 1] - F->row_start[s];
        if (rows > widest) widest = rows;
    }
    return widest;
}

/* entries: of J, and of both triangles of R. */
static void place(saddle__active_rows *A, int64_t entries, int64_t widest)
{
    saddle__layout *layout = &A->layout;
    int64_t m = A->m, size = A->size, supernodes = A->F->supernodes;
    A->toggles = saddle__layout_take(layout, m, sizeof(*A->toggles));
    A->in = saddle__layout_take(layout, m, sizeof(*A->in));
    A->base = saddle__layout_take(layout, m, sizeof(*A->base));
    A->before = saddle__layout_take(layout, m, sizeof(*A->before));
    A->leaves = saddle__layout_take(layout, m, sizeof(*A->leaves));
    A->masked = saddle__layout_take(layout, saddle_matrix_entries(&A->kkt.K), sizeof(*A->masked));
    A->row_start = saddle__layout_take(layout, m + 1, sizeof(*A->row_start));
    A->row_node = saddle__layout_take(layout, entries, sizeof(*A->row_node));
    A->row_entry = saddle__layout_take(layout, entries, sizeof(*A->row_entry));
    A->added = saddle__layout_take(layout, size, sizeof(*A->added));
    A->scale = saddle__layout_take(layout, size, sizeof(*A->scale));
    A->sign = saddle__layout_take(layout, size, sizeof(*A->sign));
    A->reach = saddle__layout_take(layout, supernodes, sizeof(*A->reach));
    A->path = saddle__layout_take(layout, supernodes, sizeof(*A->path));
    A->mark = saddle__layout_take(layout, supernodes, sizeof(*A->mark));
    A->x = saddle__layout_take(layout, size, sizeof(*A->x));
    A->front = saddle__layout_take(layout, widest, sizeof(*A->front));
    A->column = saddle__layout_take(layout, widest, sizeof(*A->column));
    A->rhs = saddle__layout_take(layout, size * SADDLE__FACTOR_BLOCK, sizeof(*A->rhs));
    A->correction = saddle__layout_take(layout, size, sizeof(*A->correction));
    A->modulus = saddle__layout_take(layout, size, sizeof(*A->modulus));
    A->sum = saddle__layout_take(layout, size, sizeof(*A->sum));
    A->best = saddle__layout_take(layout, size, sizeof(*A->best));
    A->norm = saddle__layout_take(layout, size, sizeof(*A->norm));
    A->unit = saddle__layout_take(layout, size, sizeof(*A->unit));
}

static saddle_status allocate(saddle__active_rows *A, const saddle_problem *problem)
{
    int64_t entries = saddle_matrix_entries(&problem->Jt) + 2 * saddle_matrix_entries(&problem->R);
    int64_t widest = widest_front(A->F);
    place(A, entries, widest);
    saddle_status status = saddle__layout_allocate(A->context, &A->layout);
    if (status == SADDLE_OK) place(A, entries, widest);
    return status;
}

/* Entries of K by rows n + i, from its lower triangle by columns: counted, then placed. */
static void place_entry(saddle__active_rows *A, int placing, int64_t node, int64_t other,
                        int64_t entry)
{
    int64_t row = node - A->n;
    if (row < 0) return;
    if (placing) {
        A->row_node[A->row_start[row]] = other;
        A->row_entry[A->row_start[row]++] = entry;
    } else {
        A->row_start[row + 1]++;
    }
}

static void walk_entries(saddle__active_rows *A, int placing)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            if (i == j) continue;
            place_entry(A, placing, i, j, k);
            place_entry(A, placing, j, i, k);
        }
    }
}

static void index_rows(saddle__active_rows *A)
{
    walk_entries(A, 0);
    for (int64_t i = 0; i < A->m; i++) A->row_start[i + 1] += A->row_start[i];
    walk_entries(A, 1); /* each start has moved to the end of its row */
    for (int64_t i = A->m; i > 0; i--) A->row_start[i] = A->row_start[i - 1];
    A->row_start[0] = 0;
}

/* Rows that toggle follow a velocity in the order unless every change factors K: a pivot equal to
 * the compliance alone would swamp the velocities' digits, and taking the row out would not restore
 * the digits. */
static saddle_status analyse(saddle__active_rows *A, const saddle__active_request *request)
{
    signed char *late = saddle_allocate(A->context, A->size, sizeof(*late));
    if (!late) return SADDLE_OUT_OF_MEMORY;
    if (request->late) memcpy(late, request->late, (size_t)A->size * sizeof(*late));
    for (int64_t i = 0; i < A->m && A->method != SADDLE__ACTIVE_MASK; i++)
        if ((!request->toggles || request->toggles[i]) && late[A->n + i] == SADDLE__ANY_TIME)
            late[A->n + i] = SADDLE__AFTER_OTHER_KIND;
    saddle__ldlt_request asked = {.ordering = request->ordering,
                                  .late = late,
                                  .threads = request->threads};
    saddle_status status = saddle__ldlt_analyse(A->context, &A->kkt.K, &asked, &A->F);
    saddle_release(A->context, late);
    return status;
}

static saddle_status fill_in(saddle__active_rows *A, const saddle_problem *problem,
                             const saddle__active_request *request)
{
    saddle_status status = saddle__kkt_create(A->context, problem, 0, &A->kkt);
    if (status != SADDLE_OK) return status;
    if (A->kkt.K.symmetry != SADDLE_SYMMETRIC)
        return saddle_fail(A->context, SADDLE_UNSUPPORTED, "active rows: M or R is unsymmetric");
    A->size = A->n + A->m;
    if (A->size > INT64_MAX / SADDLE__FACTOR_BLOCK)
        return saddle_fail(A->context, SADDLE_TOO_LARGE, "n + m is too large");
    status = analyse(A, request);
    if (status == SADDLE_OK) status = allocate(A, problem);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < A->m; i++) A->toggles[i] = !request->toggles || request->toggles[i];
    index_rows(A);
    saddle__active_foresee(A);
    return SADDLE_OK;
}

saddle_status saddle__active_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle__active_request *request,
                                         saddle__active_rows **active)
{
    *active = NULL;
    saddle__active_rows *A = saddle_allocate(context, 1, sizeof(*A));
    if (!A) return SADDLE_OUT_OF_MEMORY;
    A->context = context;
    A->method = request->method;
    A->tolerance = request->tolerance > 0.0 ? request->tolerance : SADDLE__PRODUCT_ROUNDING;
    A->n = problem->n;
    A->m = problem->m;
    saddle_status status = fill_in(A, problem, request);
    if (status != SADDLE_OK) {
        saddle__active_rows_free(A);
        return status;
    }
    *active = A;
    return SADDLE_OK;
}

/* ---- factor ---- */

/* The regularization, and the rule. */
static void set_rule(saddle__active_rows *A, const saddle__active_values *values)
{
    for (int64_t i = 0; i < A->size; i++) {
        A->added[i] = values->added ? values->added[i] : 0.0;
        A->scale[i] = values->rule.scale[i];
        A->unit[i] = 1.0 / sqrt(A->scale[i]);
        A->sign[i] = values->rule.sign ? values->rule.sign[i] : 0;
    }
    A->massless = 0;
    A->regularized = 0;
    for (int64_t j = 0; j < A->n; j++) A->massless |= A->added[j] != 0.0;
    for (int64_t i = 0; i < A->size; i++) A->regularized |= A->added[i] != 0.0;
    A->rule = values->rule;
    A->rule.scale = A->scale;
    A->rule.sign = A->sign;
}

void saddle__active_rows_set_values(saddle__active_rows *A, const saddle_problem *problem,
                                    const saddle__active_values *values)
{
    A->factored = 0;
    A->reached = 0.0;
    set_rule(A, values);
    saddle__kkt_refresh(&A->kkt, problem, values->kept);
    measure(A);
}

saddle_status saddle__active_rows_factor(saddle__active_rows *A, const saddle_problem *problem,
                                         const saddle__active_values *values, const signed char *in)
{
    if (values) saddle__active_rows_set_values(A, problem, values);
    for (int64_t i = 0; i < A->m; i++) {
        A->in[i] = !in || in[i] || !A->toggles[i];
        A->before[i] = 0;
    }
    return saddle__active_refactor(A, 0, NULL, 1);
}

/* ---- change ---- */

static saddle_status check_changes(const saddle__active_rows *A, int64_t count,
                                   saddle__active_change *changes)
{
    if (!A->factored)
        return saddle_fail(A->context, SADDLE_WRONG_PHASE, "active rows: change before factor");
    for (int64_t k = 0; k < count; k++) {
        int64_t row = changes[k].row;
        changes[k].refused = 0;
        if (row < 0 || row >= A->m)
            return saddle_fail(A->context, SADDLE_INVALID_ARGUMENT,
                               "active rows: there is no row %lld", (long long)row + 1);
        if (!A->toggles[row])
            return saddle_fail(A->context, SADDLE_INVALID_ARGUMENT,
                               "active rows: row %lld is not one that comes and goes",
                               (long long)row + 1);
    }
    return SADDLE_OK;
}

static int changes_anything(const saddle__active_rows *A, const saddle__active_change *change)
{
    return A->in[change->row] != (change->in != 0);
}

static saddle_status change_by_mask(saddle__active_rows *A, int64_t count,
                                    saddle__active_change *changes)
{
    memcpy(A->before, A->in, (size_t)A->m * sizeof(*A->before));
    for (int64_t k = 0; k < count; k++) A->in[changes[k].row] = changes[k].in != 0;
    return saddle__active_refactor(A, count, changes, 0);
}

static saddle_status change_by_modifying(saddle__active_rows *A, int64_t count,
                                         saddle__active_change *changes)
{
    for (int64_t k = 0; k < count; k++) {
        if (!changes_anything(A, &changes[k])) continue;
        changes[k].refused = !saddle__active_modify(A, changes[k].row, changes[k].in != 0);
        A->counts.refused += changes[k].refused;
        A->counts.modified += !changes[k].refused;
        if (A->doubt <= SADDLE__REGULAR_ERROR) continue;
        saddle_status status = saddle__active_renew(A);
        if (status != SADDLE_OK) return status;
    }
    return SADDLE_OK;
}

saddle_status saddle__active_rows_change(saddle__active_rows *A, int64_t count,
                                         saddle__active_change *changes)
{
    saddle_status status = check_changes(A, count, changes);
    if (status != SADDLE_OK) return status;
    int64_t effective = 0;
    for (int64_t k = 0; k < count; k++) effective += changes_anything(A, &changes[k]);
    if (effective == 0) return SADDLE_OK;
    saddle__active_method method = A->method;
    if (method == SADDLE__ACTIVE_PICK) method = saddle__active_pick(A, count, changes);
    A->counts.method = method;
    return method == SADDLE__ACTIVE_MODIFY ? change_by_modifying(A, count, changes)
                                           : change_by_mask(A, count, changes);
}

const signed char *saddle__active_rows_set(const saddle__active_rows *A)
{
    return A->in;
}

saddle__active_counts saddle__active_rows_counts(const saddle__active_rows *A)
{
    return A->counts;
}

/* ======== solve ======== */
/* Solves for the active rows, refined against the values as given, K_A without regularization:
 *
 *     r = b - K_A x,   omega = max_i |r_i| / s_i,   s = |K_A||x| + |b|,   x += (K as factored)^-1 r
 *
 * omega is the componentwise backward error (Oettli and Prager 1964); an s_i at rounding level is
 * replaced by s_i + t_i, the sum for the largest |x|, in natural units d = scale^-1/2 (Arioli,
 * Demmel and Duff, SIAM J. Matrix Anal. Appl. 10, 1989).  A large omega shows a factor worn by
 * modifications.  Where corrections stall, r is summed in twice the working precision from then on:
 * for a row with s_i of 1e-6 its neighbours', rounding u of the neighbours bounds omega_i
 * otherwise. */

static void clear_rows_out(const saddle__active_rows *A, int64_t count, double *X, int64_t ld)
{
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < A->m; i++)
            if (!A->in[i]) X[A->n + i + c * ld] = 0.0;
}

void saddle__active_apply(saddle__active_rows *A, int64_t count, double *X, int64_t ld)
{
    clear_rows_out(A, count, X, ld);
    saddle__ldlt_solve(A->F, SADDLE__LDLT_WHOLE, count, X, ld);
    clear_rows_out(A, count, X, ld);
}

enum { MOST_CORRECTIONS = 8 };

/* least reduction of omega by a correction */
static const double enough = 0.5;
static const double much_worse = 10.0; /* than the omega of a fresh factor */

static int is_out(const saddle__active_rows *A, int64_t node)
{
    return node >= A->n && !A->in[node - A->n];
}

/* r <- b - K_A x, s <- |K_A||x| + |b|; 0 in inactive rows, where x is 0 */
static void form_residual(const saddle__active_rows *A, const double *x, const double *b, double *r,
                          double *s)
{
    const saddle_matrix *K = &A->kkt.K;
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
    saddle__twofold_set(A->size, b, A->sum);
    saddle__twofold_add(&A->kkt.K, -1.0, x, A->sum);
    for (int64_t i = 0; i < A->size; i++) {
        r[i] = is_out(A, i) ? 0.0 : saddle__twofold_value(A->sum[i]);
        s[i] = is_out(A, i) ? 0.0 : A->sum[i].modulus;
    }
}

/* The largest |x| and |b| of active nodes, in natural units; infinite where x is not finite. */
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

/* omega; *normwise: the same against s_i + t_i throughout, which falls even where x_i should be
 * zero and omega stays 1 until x_i is at rounding level. */
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
    int best = 0; /* x is the best found; else A->best is */
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

/* Returns the worst omega of count right-hand sides in X, overwritten by solutions and kept in
 * A->rhs. */
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

/* Whether modifications of the factor may cause the error: not where a fresh factor did no better.
 */
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
    for (int64_t begin = 0; begin < count; begin += SADDLE__FACTOR_BLOCK) {
        int64_t width = count - begin < SADDLE__FACTOR_BLOCK ? count - begin : SADDLE__FACTOR_BLOCK;
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
