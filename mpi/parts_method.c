/* SPDX-License-Identifier: MIT */
/* See parts_method.h. */
#include "parts_method.h"

#include "parts_factor.h"

static const saddle__view *view_of(const saddle__factorization *F)
{
    return F->context->parts->user;
}

static saddle_status agree(const saddle__factorization *F, saddle_status status)
{
    return saddle__agree(view_of(F)->processes, F->context, status);
}

/* The number in the whole of an unknown of the view. */
static int64_t name_of(const saddle__view *view, int64_t k)
{
    const saddle__distribution *velocities = &view->of[SADDLE__VELOCITIES];
    const int64_t row = k - velocities->count;
    return row < 0 ? velocities->name[k] : velocities->whole + view->of[SADDLE__ROWS].name[row];
}

static void put_all(const saddle__factorization *F, const saddle_matrix *A,
                    saddle__parts_factor *to)
{
    const saddle__view *view = view_of(F);
    to->entries = 0;
    for (int64_t j = 0; j < F->n; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            saddle__parts_put(to, name_of(view, A->index[k]), name_of(view, j), A->value[k]);
}

static saddle_status analyse(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late)
{
    (void)late; /* MUMPS pivots */
    const saddle__view *view = view_of(F);
    const int64_t size = view->of[SADDLE__VELOCITIES].whole + view->of[SADDLE__ROWS].whole;
    saddle__parts_factor *of = F->state;
    *of = (saddle__parts_factor){.processes = view->processes,
                                 .context = F->context,
                                 .general = A->symmetry == SADDLE_SYMMETRY_NONE,
                                 .entries = F->entries};
    SADDLE__TRY(saddle__parts_hold(of));
    put_all(F, A, of);
    SADDLE__TRY(saddle__parts_analyse(of, size, F->ordering, 0, NULL));
    F->counts.flops = of->id.rinfog[0];
    return SADDLE_OK;
}

/* MUMPS is given the entries in the order of analyse, which are released between two
 * factorizations. */
static saddle_status factor(saddle__factorization *F, const saddle_matrix *A,
                            const saddle__pivot_rule *rule)
{
    (void)rule;
    saddle__parts_factor *of = F->state;
    int vanished = 0;
    if (!of->value) SADDLE__TRY(saddle__parts_hold(of));
    put_all(F, A, of);
    SADDLE__TRY(saddle__parts_factor_all(of, &F->counts, &vanished));
    return vanished ? saddle_fail(F->context, SADDLE_SINGULAR, "the matrix is singular")
                    : SADDLE_OK;
}

static saddle_status solve(saddle__factorization *F, double *x)
{
    return saddle__parts_solve_view(F->state, view_of(F), x);
}

static void clear(saddle__factorization *F)
{
    saddle__parts_clear(F->state);
}

const saddle__factor_method saddle__factor_parts = {
    .name = "mumps",
    .state_size = sizeof(saddle__parts_factor),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
    .agree = agree,
};
