/* SPDX-License-Identifier: MIT */
/* "ldlt" in the table of factorizations. */
#include "factor/factorization_internal.h"
#include "ldlt/ldlt.h"

typedef struct method_state {
    saddle__ldlt *engine;
} method_state;

static void clear(saddle__factorization *F)
{
    method_state *s = F->state;
    saddle__ldlt_free(s->engine);
}

static saddle_status analyse(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late)
{
    method_state *s = F->state;
    saddle__ldlt_request request = {.ordering = F->ordering,
                                    .late = late,
                                    .eager = F->asked,
                                    .threads = F->threads};
    saddle_status status = saddle__ldlt_analyse(F->context, A, &request, &s->engine);
    if (status != SADDLE_OK) return status;
    F->counts.peak_bytes = saddle__ldlt_size_of(s->engine).bytes;
    F->counts.flops = saddle__ldlt_size_of(s->engine).flops;
    F->eager = saddle__ldlt_size_of(s->engine).eager;
    saddle__factor_components(F, A, NULL);
    return SADDLE_OK;
}

static saddle_status factor(saddle__factorization *F, const saddle_matrix *A,
                            const saddle__pivot_rule *rule)
{
    method_state *s = F->state;
    return saddle__ldlt_factor(s->engine, A, rule, &F->counts);
}

static saddle_status solve(saddle__factorization *F, double *x)
{
    method_state *s = F->state;
    saddle__ldlt_solve(s->engine, SADDLE__LDLT_WHOLE, 1, x, F->n);
    return SADDLE_OK;
}

static saddle_status solve_set(saddle__factorization *F, int64_t columns, const int64_t *start,
                               const int64_t *index, const double *value, double *X)
{
    method_state *s = F->state;
    saddle__ldlt_sparse B = {.columns = columns, .start = start, .index = index, .value = value};
    saddle__ldlt_solve_sparse(s->engine, &B, X);
    return SADDLE_OK;
}

static void add_squares(const saddle__factorization *F, double *sum)
{
    const method_state *s = F->state;
    saddle__ldlt_add_squares(s->engine, sum);
}

const saddle__factor_method saddle__factor_ldlt = {
    .name = "ldlt",
    .symmetric_only = 1,
    .state_size = sizeof(method_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .solve_set = solve_set,
    .add_squares = add_squares,
    .clear = clear,
};
