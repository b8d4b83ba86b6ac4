/* SPDX-License-Identifier: MIT */
/* "umfpack": P S A Q = L U with threshold pivoting, any square A; a symmetric A is expanded.
 *
 * UMFPACK cannot refill a numeric object: each factor creates a new object.  All other memory is
 * kept. Reference: Davis, ACM TOMS 30(2), 2004 (UMFPACK).
 * */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include <umfpack.h>

#include "base/process.h"
#include "factor/factorization_internal.h"
#include "matrix/full_csr.h"

typedef struct lu_state {
    saddle__layout layout;
    saddle__unfolded A;
    void *symbolic;
    void *numeric;
    double control[UMFPACK_CONTROL];
    double info[UMFPACK_INFO];
    int64_t *solve_index; /* n: umfpack_dl_wsolve's */
    double *solve_work;   /* 5 n */
    double *rhs;          /* n */
    int64_t *column;      /* n: the column of each pivot, for the search for a zero pivot */
    double *diagonal;     /* n: U's diagonal, likewise */
} lu_state;

static void clear(saddle__factorization *F)
{
    lu_state *s = F->state;
    umfpack_dl_free_numeric(&s->numeric);
    umfpack_dl_free_symbolic(&s->symbolic);
    saddle__unfolded_clear(F->context, &s->A);
    saddle__layout_clear(F->context, &s->layout);
}

static saddle_status translate(const saddle__factorization *F, SuiteSparse_long status)
{
    switch (status) {
    case UMFPACK_ERROR_out_of_memory:
    case UMFPACK_ERROR_ordering_failed: /* the orderings fail for want of memory only */
        return saddle_fail(F->context, SADDLE_OUT_OF_MEMORY, "out of memory in UMFPACK, order %lld",
                           (long long)F->n);
    default:
        return saddle_fail(F->context, SADDLE_INTERNAL, "UMFPACK status %lld", (long long)status);
    }
}

/* ---- analyse ---- */

/* BEST is AMD (COLAMD if A is far from symmetric): when memory runs out, UMFPACK 5.7 leaks the
 * memory of the orderings by CHOLMOD and METIS, which are used on request only. */
static int umfpack_ordering(saddle_ordering ordering, int metis_fits)
{
    if (ordering == SADDLE_ORDERING_NATURAL) return UMFPACK_ORDERING_NONE;
    if (ordering == SADDLE_ORDERING_METIS && metis_fits) return UMFPACK_ORDERING_METIS;
    return UMFPACK_ORDERING_AMD;
}

static saddle_status make_arrays(saddle_context *context, lu_state *s, int64_t n)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(s->solve_index, n),
                                    SADDLE__ARRAY(s->solve_work, 5 * n), SADDLE__ARRAY(s->rhs, n),
                                    SADDLE__ARRAY(s->column, n), SADDLE__ARRAY(s->diagonal, n)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status analyse(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late)
{
    (void)late;
    lu_state *s = F->state;
    if (F->n > INT64_MAX / 5)
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "order %lld", (long long)F->n);
    SADDLE__TRY(make_arrays(F->context, s, F->n));
    SADDLE__TRY(saddle__unfolded_create(F->context, A, &s->A));
    umfpack_dl_defaults(s->control);
    s->control[UMFPACK_PRL] = 0;
    s->control[UMFPACK_IRSTEP] = 0; /* refinement is the solvers', against the true system */
    s->control[UMFPACK_ORDERING] = umfpack_ordering(F->ordering, saddle__metis_can_order(A));
    int metis = F->ordering == SADDLE_ORDERING_METIS;
    saddle__metis_begin(metis);
    SuiteSparse_long result = umfpack_dl_symbolic(F->n, F->n, s->A.start, s->A.index, NULL,
                                                  &s->symbolic, s->control, s->info);
    saddle__metis_end(metis);
    if (result != UMFPACK_OK) return translate(F, result);
    F->counts.peak_bytes = (int64_t)(s->info[UMFPACK_SYMBOLIC_PEAK_MEMORY] *
                                     s->info[UMFPACK_SIZE_OF_UNIT]);
    saddle__factor_components(F, A, NULL);
    return SADDLE_OK;
}

/* ---- factor ---- */

static saddle_status singular(saddle__factorization *F, lu_state *s)
{
    SuiteSparse_long reciprocal;
    SuiteSparse_long result = umfpack_dl_get_numeric(NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                                     s->column, s->diagonal, &reciprocal, NULL,
                                                     s->numeric);
    umfpack_dl_free_numeric(&s->numeric);
    for (int64_t k = 0; k < F->n && result == UMFPACK_OK && F->counts.failed_column < 0; k++)
        if (!(fabs(s->diagonal[k]) > 0.0)) F->counts.failed_column = s->column[k];
    if (F->counts.failed_column < 0)
        return saddle_fail(F->context, SADDLE_SINGULAR, "the matrix is singular");
    return saddle_fail(F->context, SADDLE_SINGULAR, "the pivot of column %lld vanished",
                       (long long)F->counts.failed_column + 1);
}

static saddle_status factor(saddle__factorization *F, const saddle_matrix *A,
                            const saddle__pivot_rule *rule)
{
    (void)rule;
    lu_state *s = F->state;
    umfpack_dl_free_numeric(&s->numeric);
    saddle__unfolded_refresh(&s->A, A);
    fenv_t traps;
    (void)feholdexcept(&traps); /* UMFPACK divides by zero pivots */
    saddle__blas_begin();
    SuiteSparse_long result = umfpack_dl_numeric(s->A.start, s->A.index, s->A.value, s->symbolic,
                                                 &s->numeric, s->control, s->info);
    saddle__blas_end();
    (void)fesetenv(&traps);
    if (result == UMFPACK_WARNING_singular_matrix) return singular(F, s);
    if (result != UMFPACK_OK) {
        umfpack_dl_free_numeric(&s->numeric);
        return translate(F, result);
    }
    F->counts.entries = (int64_t)(s->info[UMFPACK_LNZ] + s->info[UMFPACK_UNZ]);
    F->counts.flops = s->info[UMFPACK_FLOPS];
    F->counts.least_pivot = s->info[UMFPACK_RCOND];
    int64_t peak = (int64_t)(s->info[UMFPACK_PEAK_MEMORY] * s->info[UMFPACK_SIZE_OF_UNIT]);
    if (peak > F->counts.peak_bytes) F->counts.peak_bytes = peak;
    return SADDLE_OK;
}

/* ---- solve ---- */

static saddle_status solve_system(saddle__factorization *F, SuiteSparse_long system, double *x)
{
    lu_state *s = F->state;
    memcpy(s->rhs, x, (size_t)F->n * sizeof *x);
    saddle__blas_begin();
    SuiteSparse_long result = umfpack_dl_wsolve(system, s->A.start, s->A.index, s->A.value, x,
                                                s->rhs, s->numeric, s->control, s->info,
                                                s->solve_index, s->solve_work);
    saddle__blas_end();
    return result == UMFPACK_OK ? SADDLE_OK : translate(F, result);
}

static saddle_status solve(saddle__factorization *F, double *x)
{
    return solve_system(F, UMFPACK_A, x);
}

static saddle_status solve_transpose(saddle__factorization *F, double *x)
{
    return solve_system(F, UMFPACK_At, x);
}

const saddle__factor_method saddle__factor_umfpack = {
    .name = "umfpack",
    .symmetric_only = 0,
    .state_size = sizeof(lu_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .solve_transpose = solve_transpose,
    .clear = clear,
};
