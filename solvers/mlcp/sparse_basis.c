/* SPDX-License-Identifier: MIT */
/* The symmetric basis, see sparse_basis.h.  A change of F costs a numeric factorization and, where
 * rows are factored alone, an analysis of their few entries. */
#include "mlcp/sparse_basis.h"

#include <float.h>
#include <string.h>

#include "base/vector.h"

/* A pivot below this multiple of the row's size is rounding; `replacement` times the size takes its
 * place. */
static const double vanished = 1e-13;
static const double replacement = 1e-10;

void saddle__sparse_basis_clear(saddle__sparse_basis *s)
{
    void *arrays[] = {s->own, s->diagonal, s->x, s->basic};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        saddle_release(s->context, arrays[k]);
    saddle__whole_rows_clear(&s->beside);
    saddle__part_free(s->part);
    memset(s, 0, sizeof *s);
}

saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          const saddle_options *options, saddle__sparse_basis *s)
{
    saddle__sparse_basis fresh = {.context = context, .m = W->cols};
    *s = fresh;
    s->own = saddle_allocate(context, s->m, sizeof *s->own);
    s->diagonal = saddle_allocate(context, s->m, sizeof *s->diagonal);
    s->x = saddle_allocate(context, s->m, sizeof *s->x);
    s->basic = saddle_allocate(context, s->m, sizeof *s->basic);
    if (!s->own || !s->diagonal || !s->x || !s->basic) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle__whole_rows_create(context, W, &s->beside);
    saddle__ldlt_request request = {.ordering = options->ordering, .threads = options->threads};
    return status == SADDLE_OK ? saddle__part_create(context, W, &request, &s->part) : status;
}

void saddle__sparse_basis_set(saddle__sparse_basis *s, const saddle_matrix *W,
                              const saddle__mlcp_rows *rows)
{
    s->size = rows->size;
    s->kept = SADDLE__PART_NOTHING;
    saddle_matrix_diagonal(W, s->own);
    saddle__whole_rows_set(&s->beside, W);
    saddle__sparse_basis_shift(s, rows);
}

void saddle__sparse_basis_shift(saddle__sparse_basis *s, const saddle__mlcp_rows *rows)
{
    for (int64_t i = 0; i < s->m; i++) s->diagonal[i] = s->own[i] + rows->E[i];
    if (s->kept) s->kept = SADDLE__PART_BESIDE;
    s->factored = 0;
}

static void relax(const saddle__sparse_basis *s, saddle__mlcp_rows *rows, int64_t i)
{
    if (rows->step[i] == 0.0) return;
    double others = saddle__whole_row_times(&s->beside, i, rows->lambda);
    double x = -(rows->q[i] + others) / s->diagonal[i];
    rows->lambda[i] = saddle__smaller(rows->hi[i], saddle__larger(rows->lo[i], x));
}

void saddle__sparse_basis_sweep(const saddle__sparse_basis *s, int sweeps, saddle__mlcp_rows *rows)
{
    for (int k = 0; k < sweeps; k++) {
        for (int64_t i = 0; i < s->m; i++) relax(s, rows, i);
        for (int64_t i = s->m; i-- > 0;) relax(s, rows, i);
    }
}

static saddle_status enter(void *user, const signed char *state)
{
    saddle__sparse_basis *s = user;
    int same = s->factored;
    for (int64_t i = 0; i < s->m; i++) {
        signed char basic = state[i] == SADDLE__BASIC;
        same &= basic == s->basic[i];
        s->basic[i] = basic;
    }
    if (same) return SADDLE_OK;
    saddle__pivot_rule rule = {.scale = s->size, .smallest = vanished, .replacement = replacement};
    saddle__part_values W = {.beside = &s->beside, .diagonal = s->diagonal, .kept = s->kept};
    saddle_status status = saddle__part_factor(s->part, &W, s->basic, &rule);
    s->kept = SADDLE__PART_VALUES;
    s->factored = status == SADDLE_OK;
    s->made++;
    return status;
}

/* w_F = q_F + W_FB lambda_B */
static void add_held(saddle__sparse_basis *s, const double *q, const double *lambda, double *w)
{
    for (int64_t i = 0; i < s->m; i++) s->x[i] = s->basic[i] ? 0.0 : lambda[i];
    for (int64_t i = 0; i < s->m; i++)
        if (s->basic[i]) w[i] = q[i] + saddle__whole_row_times(&s->beside, i, s->x);
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    saddle__sparse_basis *s = user;
    int64_t held = 0;
    (void)state; /* s->basic */
    for (int64_t i = 0; i < s->m; i++) held += !s->basic[i] & (lambda[i] != 0.0);
    if (held > 0) add_held(s, q, lambda, w);
    if (!saddle__part_solve(s->part, s->basic, -1.0, held > 0 ? w : q, lambda))
        return SADDLE_NOT_CONVERGED;
    for (int64_t i = 0; i < s->m; i++) {
        double modulus;
        saddle__whole_rows_expect(&s->beside, i);
        double own = s->diagonal[i] * lambda[i];
        w[i] = q[i] + (own + saddle__whole_row_times_both(&s->beside, i, lambda, &modulus));
        noise[i] = 8.0 * DBL_EPSILON * (fabs(q[i]) + fabs(own) + modulus);
    }
    return SADDLE_OK;
}

saddle__basis saddle__sparse_basis_table(saddle__sparse_basis *basis)
{
    saddle__basis table = {.user = basis, .enter = enter, .solve = solve};
    return table;
}
