/* SPDX-License-Identifier: MIT */
/* The sparse basis, see basis.h: the engine factors W_FF, F the basic rows, by itself or with the
 * others masked in W's pattern. A change of basis costs a numeric factorization and, where rows
 * come by themselves, an analysis of their few entries. */
#include "basis.h"

#include <string.h>

/* A pivot below this multiple of the row's size is rounding noise; it becomes `replacement` times
 * the size. */
static const double vanished = 1e-13;
static const double replacement = 1e-10;

void saddle__sparse_basis_clear(saddle__sparse_basis *s)
{
    saddle__whole_rows_clear(&s->beside);
    saddle__part_free(s->part);
    saddle__local_pivoting_clear(&s->local);
    saddle__layout_clear(s->context, &s->layout);
    memset(s, 0, sizeof(*s));
}

static void place(saddle__sparse_basis *s)
{
    int64_t m = s->m;
    s->diagonal = saddle__layout_take(&s->layout, m, sizeof(*s->diagonal));
    s->own = saddle__layout_take(&s->layout, m, sizeof(*s->own));
    s->basic = saddle__layout_take(&s->layout, m, sizeof(*s->basic));
    s->x = saddle__layout_take(&s->layout, m, sizeof(*s->x));
}

saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          const saddle_options *options, saddle__sparse_basis *s)
{
    saddle__sparse_basis fresh = {.context = context, .m = W->cols};
    *s = fresh;
    place(s);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    place(s);
    if (status == SADDLE_OK) status = saddle__whole_rows_create(context, W, &s->beside);
    saddle__ldlt_request request = {.ordering = options->ordering, .threads = options->threads};
    if (status == SADDLE_OK) status = saddle__part_create(context, W, &request, &s->part);
    if (status == SADDLE_OK) status = saddle__local_pivoting_create(context, W->cols, &s->local);
    if (status != SADDLE_OK) saddle__sparse_basis_clear(s);
    return status;
}

void saddle__sparse_basis_set(saddle__sparse_basis *s, const saddle_matrix *W, const double *added,
                              const double *size)
{
    s->size = size;
    s->kept = SADDLE__PART_NOTHING;
    saddle_matrix_diagonal(W, s->own);
    saddle__whole_rows_set(&s->beside, W);
    saddle__sparse_basis_shift(s, added);
}

void saddle__sparse_basis_shift(saddle__sparse_basis *s, const double *added)
{
    for (int64_t i = 0; i < s->m; i++) s->diagonal[i] = s->own[i] + added[i];
    if (s->kept) s->kept = SADDLE__PART_BESIDE;
    s->factored = 0;
}

static saddle_status enter(void *user, const signed char *state)
{
    saddle__sparse_basis *s = user;
    int64_t m = s->m;
    int same = s->factored;
    for (int64_t i = 0; i < m; i++) {
        signed char basic = state[i] == SADDLE__BASIC;
        same &= basic == s->basic[i];
        s->basic[i] = basic;
    }
    if (same) return SADDLE_OK;
    saddle__pivot_rule rule = {.scale = s->size, .smallest = vanished, .replacement = replacement};
    saddle__part_values W = {.beside = &s->beside,
                             .diagonal = s->diagonal,
                             .sign = 1.0,
                             .kept = s->kept};
    saddle_status status = saddle__part_factor(s->part, &W, s->basic, &rule);
    s->kept = SADDLE__PART_VALUES;
    s->factored = status == SADDLE_OK;
    s->made++;
    return status;
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    saddle__sparse_basis *s = user;
    (void)state; /* s->basic */
    int finite = saddle__local_system_solve(&s->system, s->m, s->basic, q, lambda, w, noise, s->x);
    return finite ? SADDLE_OK : SADDLE_NOT_CONVERGED;
}

saddle__basis saddle__sparse_basis_table(saddle__sparse_basis *basis)
{
    saddle__local_system system = {.beside = &basis->beside,
                                   .diagonal = basis->diagonal,
                                   .part = basis->part,
                                   .sign = 1.0};
    basis->system = system;
    saddle__basis table = {.user = basis,
                           .enter = enter,
                           .solve = solve,
                           .local = &basis->local,
                           .system = &basis->system};
    return table;
}
