/* SPDX-License-Identifier: MIT */
/* "klu": P S A Q = L U, left-looking, column by column, with threshold pivoting; any square A.
 *
 * For matrices that stay sparse, and the LU of builds without GPL code (SADDLE_GPL=OFF): KLU, BTF,
 * AMD and COLAMD are LGPL or BSD.  Like UMFPACK it makes a new numeric object in each factor.
 * Columns are ordered by COLAMD unless AMD is asked for: COLAMD's bound on the fill holds whatever
 * rows pivoting takes, where AMD's order is lost once pivots leave a diagonal of zeros (a chain of
 * 1,000 bodies: 1.5e7 entries instead of 1.3e5). Reference: Davis and Palamadai Natarajan, ACM TOMS
 * 37(3), 2010 (KLU).
 */
#include <klu.h>

#include "base/tolerances.h"
#include "factor/factorization_internal.h"
#include "matrix/full_csr.h"

typedef struct klu_state {
    saddle__unfolded A;
    klu_l_common common;
    klu_l_symbolic *symbolic;
    klu_l_numeric *numeric;
} klu_state;

static void clear(saddle__factorization *F)
{
    klu_state *s = F->state;
    klu_l_free_numeric(&s->numeric, &s->common);
    klu_l_free_symbolic(&s->symbolic, &s->common);
    saddle__unfolded_clear(F->context, &s->A);
}

static saddle_status translate(const saddle__factorization *F, const klu_state *s)
{
    long long n = (long long)F->n;
    switch (s->common.status) {
    case KLU_OUT_OF_MEMORY:
        return saddle_fail(F->context, SADDLE_OUT_OF_MEMORY, "out of memory in KLU, order %lld", n);
    case KLU_TOO_LARGE:
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "order %lld is too large for KLU", n);
    default:
        return saddle_fail(F->context, SADDLE_INTERNAL, "KLU status %lld",
                           (long long)s->common.status);
    }
}

static void keep_peak(saddle__factorization *F, const klu_state *s)
{
    int64_t peak = (int64_t)s->common.mempeak;
    if (peak > F->counts.peak_bytes) F->counts.peak_bytes = peak;
}

static saddle_status analyse(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late)
{
    (void)late;
    klu_state *s = F->state;
    klu_l_defaults(&s->common);
    s->common.tol = SADDLE__PIVOT_THRESHOLD; /* as UMFPACK; the default 1e-3 is for circuits */
    s->common.ordering = F->ordering == SADDLE_ORDERING_AMD ? 0 : 1;
    SADDLE__TRY(saddle__unfolded_create(F->context, A, &s->A));
    s->symbolic = F->ordering == SADDLE_ORDERING_NATURAL
                      ? klu_l_analyze_given(F->n, s->A.start, s->A.index, NULL, NULL, &s->common)
                      : klu_l_analyze(F->n, s->A.start, s->A.index, &s->common);
    if (!s->symbolic) return translate(F, s);
    /* foreseen; AMD alone says how many */
    F->counts.entries = (int64_t)fmax(s->symbolic->lnz + s->symbolic->unz, 0.0);
    keep_peak(F, s);
    saddle__factor_components(F, A, NULL);
    return SADDLE_OK;
}

static saddle_status singular(saddle__factorization *F, klu_state *s)
{
    int64_t column = s->common.singular_col;
    klu_l_free_numeric(&s->numeric, &s->common);
    if (column < 0 || column >= F->n)
        return saddle_fail(F->context, SADDLE_SINGULAR, "the matrix is singular");
    F->counts.failed_column = column;
    return saddle_fail(F->context, SADDLE_SINGULAR, "the pivot of column %lld vanished",
                       (long long)column + 1);
}

static saddle_status factor(saddle__factorization *F, const saddle_matrix *A,
                            const saddle__pivot_rule *rule)
{
    (void)rule;
    klu_state *s = F->state;
    klu_l_free_numeric(&s->numeric, &s->common);
    saddle__unfolded_refresh(&s->A, A);
    s->numeric = klu_l_factor(s->A.start, s->A.index, s->A.value, s->symbolic, &s->common);
    if (s->common.status == KLU_SINGULAR) return singular(F, s);
    if (!s->numeric) return translate(F, s);
    keep_peak(F, s);
    F->counts.entries = s->numeric->lnz + s->numeric->unz;
    if (!klu_l_flops(s->symbolic, s->numeric, &s->common)) return translate(F, s);
    F->counts.flops = s->common.flops;
    if (!klu_l_rcond(s->symbolic, s->numeric, &s->common)) return translate(F, s);
    if (s->common.rcond == 0.0) return singular(F, s);
    F->counts.least_pivot = s->common.rcond;
    return SADDLE_OK;
}

static saddle_status solve(saddle__factorization *F, double *x)
{
    klu_state *s = F->state;
    return klu_l_solve(s->symbolic, s->numeric, F->n, 1, x, &s->common) ? SADDLE_OK
                                                                        : translate(F, s);
}

static saddle_status solve_transpose(saddle__factorization *F, double *x)
{
    klu_state *s = F->state;
    return klu_l_tsolve(s->symbolic, s->numeric, F->n, 1, x, &s->common) ? SADDLE_OK
                                                                         : translate(F, s);
}

const saddle__factor_method saddle__factor_klu = {
    .name = "klu",
    .symmetric_only = 0,
    .state_size = sizeof(klu_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .solve_transpose = solve_transpose,
    .clear = clear,
};
