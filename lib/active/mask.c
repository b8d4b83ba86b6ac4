/* SPDX-License-Identifier: MIT */
/* K factored for the rows that are in, within the pattern of all: a row that is out has -s_i on the
 * diagonal and zeros beside it.  A pivot that is left without substance afterwards is looked into:
 * what it is behind all others, whatever the order of elimination, tells a row that depends on
 * others from one whose pivot another order would have filled (admit.c). */
#include <math.h>
#include <string.h>

#include "active/active_internal.h"

/* a pivot that is no more than this of what was added to it, or of its natural size: regularization
 * or rounding may be all there is to it */
static const double of_added = 1e3;
static const double noise = 1e-12;
/* of a row in a dependency that is said to be part of it */
static const double least_share = 1e-3;
static const double regular_error = 1e-9; /* omega that a regular system comes down to */

/* ---- values ---- */

static int is_out(const saddle__active_rows *A, int64_t node)
{
    return node >= A->n && !A->base[node - A->n];
}

static void write_values(saddle__active_rows *A)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) {
        int out = is_out(A, j);
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            A->masked[k] = out || is_out(A, K->index[k]) ? 0.0 : K->value[k];
        A->masked[A->kkt.diagonal[j]] = out ? -A->scale[j]
                                            : A->masked[A->kkt.diagonal[j]] + A->added[j];
    }
}

/* The rows that are in by themselves where there are parts; F, which can be looked into, where a
 * pivot vanishes there. */
static saddle_status factor_values(saddle__active_rows *A)
{
    A->aside = 0;
    if (A->part && A->definite) { /* which masks by itself, and nothing was added */
        saddle__part_values R = {.beside = &A->beside,
                                 .diagonal = A->diagonal,
                                 .sign = -1.0,
                                 .kept = A->part_kept};
        saddle_status status = saddle__part_factor(A->part, &R, A->base, &A->rule);
        A->part_kept = SADDLE__PART_VALUES;
        A->counts.factor = saddle__part_counts_of(A->part).factor;
        A->aside = !saddle__part_is_whole(A->part);
        if (!A->aside) saddle__active_write(A);
        if (status != SADDLE_OK || !A->aside || A->counts.factor.least_pivot > noise) return status;
        A->aside = 0;
    }
    saddle__active_write(A);
    write_values(A);
    saddle_matrix K = A->kkt.K;
    K.value = A->masked;
    return saddle__ldlt_factor(A->F, &K, &A->rule, &A->counts.factor);
}

static saddle_status factor(saddle__active_rows *A)
{
    memcpy(A->base, A->in, (size_t)A->m * sizeof(*A->base));
    saddle__border_empty(A);
    A->doubt = 0.0;
    A->factored = 0;
    A->counts.factorizations++;
    if (A->size == 0) {
        A->factored = A->fresh = 1;
        return SADDLE_OK;
    }
    saddle_status status = factor_values(A);
    A->factored = A->fresh = status == SADDLE_OK;
    return status;
}

/* ---- rows that depend on others ---- */

static int is_suspect(const saddle__active_rows *A, int64_t position)
{
    int64_t node = A->F->order[position];
    return fabs(A->F->pivot[position]) <= of_added * fabs(A->added[node]) + noise * A->scale[node];
}

/* The row, among those that may leave, with the largest share in the null vector z that row i's
 * column of K^-1 has grown to; i itself if it may; -1 = none. */
static int64_t culprit(saddle__active_rows *A, int64_t i, const signed char *may_leave)
{
    if (may_leave[i]) return i;
    double *z = A->correction;
    saddle__active_column(A, A->n + i, z);
    double most = least_share * fabs(z[A->n + i]) / A->unit[A->n + i];
    int64_t found = -1;
    for (int64_t r = 0; r < A->m; r++) {
        double share = fabs(z[A->n + r]) / A->unit[A->n + r];
        if (!may_leave[r] || !A->base[r] || share < most) continue;
        most = share;
        found = r;
    }
    return found;
}

static void refuse(saddle__active_rows *A, int64_t row, int64_t count,
                   saddle__active_change *changes)
{
    A->counts.refused++;
    for (int64_t k = 0; k < count; k++)
        if (changes[k].row == row && changes[k].in) changes[k].refused = 1;
}

static void remove_dependent(saddle__active_rows *A, const signed char *may_leave, int64_t count,
                             saddle__active_change *changes)
{
    for (int64_t p = A->size - 1; p >= 0; p--) {
        int64_t i = A->F->order[p] - A->n;
        if (i < 0 || !A->base[i] || !is_suspect(A, p) || saddle__active_is_held(A, i)) continue;
        int64_t row = culprit(A, i, may_leave);
        if (row < 0 || !saddle__active_modify(A, row, 0)) continue;
        refuse(A, row, count, changes);
        if (row != i) p++; /* row i may depend on others still */
    }
}

/* ---- velocities that nothing holds ---- */

/* Whether taking rows out left a velocity that nothing holds: f = (1, -1, 1, ..) in natural units
 * and b = 0, which no dependent rows contradict, is then solved by no v, and refinement does not
 * come down.  Only velocities that had something added to their mass can be so. */
static int is_loose(saddle__active_rows *A)
{
    if (!A->massless) return 0;
    double *f = A->rhs;
    double *x = A->rhs + A->size;
    memset(f, 0, (size_t)A->size * sizeof(*f));
    for (int64_t j = 0; j < A->n; j++) f[j] = (j % 2 ? -1.0 : 1.0) / A->unit[j];
    memcpy(x, f, (size_t)A->size * sizeof(*x));
    saddle__active_apply(A, 1, x, A->size);
    return !(saddle__active_refine(A, f, x) < regular_error);
}

static void undo_removals(saddle__active_rows *A, int64_t count, saddle__active_change *changes)
{
    for (int64_t k = 0; k < count; k++) {
        int64_t row = changes[k].row;
        if (A->in[row] || !A->before[row] || changes[k].in) continue;
        A->in[row] = 1;
        changes[k].refused = 1;
        A->counts.refused++;
    }
}

saddle_status saddle__active_refactor(saddle__active_rows *A, int64_t count,
                                      saddle__active_change *changes, int may_leave)
{
    saddle_status status = factor(A);
    if (status != SADDLE_OK || A->aside)
        return status; /* aside: there are no velocities, and no pivot vanished */
    signed char *leaves = A->leaves;
    int added = 0;
    int removed = 0;
    for (int64_t i = 0; i < A->m; i++) {
        leaves[i] = A->in[i] && A->toggles[i] && (may_leave || !A->before[i]);
        added += leaves[i];
        removed += A->before[i] && !A->in[i];
    }
    if (removed > 0 && is_loose(A)) {
        undo_removals(A, count, changes);
        status = factor(A);
        if (status != SADDLE_OK) return status;
    }
    if (added > 0) remove_dependent(A, leaves, count, changes);
    return SADDLE_OK;
}

saddle_status saddle__active_renew(saddle__active_rows *A)
{
    memcpy(A->before, A->in, (size_t)A->m * sizeof(*A->before));
    return saddle__active_refactor(A, 0, NULL, 0);
}
