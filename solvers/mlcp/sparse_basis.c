/* SPDX-License-Identifier: MIT */
/* The basis for a sparse symmetric W without tangents: the engine factors W_FF, either alone or
 * with the other rows masked in W's pattern (ldlt/part.h).  A change of F costs a numeric
 * factorization and, where rows are factored alone, an analysis of their few entries. */
#include <float.h>
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "ldlt/part.h"
#include "matrix/full_csr.h"
#include "mlcp/nearby.h"

typedef struct sparse_basis {
    saddle_context *context;
    saddle__layout layout;
    int64_t m;
    const saddle_matrix *W;
    saddle__mlcp_rows *rows;
    saddle__basis_counts counts;
    saddle__full_csr beside; /* W beside its diagonal */
    double *own;             /* m: W_ii */
    double *diagonal;        /* m: W_ii + E_ii */
    double *x;               /* m */
    saddle__part *part;      /* W_FF */
    signed char *basic;      /* m: F of the factor at hand */
    int factored;
    saddle__nearby nearby;
} sparse_basis;

static void place(sparse_basis *s)
{
    s->own = saddle__layout_take(&s->layout, s->m, sizeof *s->own);
    s->diagonal = saddle__layout_take(&s->layout, s->m, sizeof *s->diagonal);
    s->x = saddle__layout_take(&s->layout, s->m, sizeof *s->x);
    s->basic = saddle__layout_take(&s->layout, s->m, sizeof *s->basic);
}

static void clear(void *user)
{
    sparse_basis *s = user;
    saddle_context *context = s->context;
    saddle__full_csr_clear(&s->beside);
    saddle__part_free(s->part);
    saddle__nearby_clear(&s->nearby);
    saddle__layout_clear(context, &s->layout);
    saddle_release(context, s);
}

static void refresh(void *user, int whole)
{
    sparse_basis *s = user;
    if (whole) {
        saddle_matrix_diagonal(s->W, s->own);
        saddle__full_csr_set(&s->beside, s->W);
    }
    for (int64_t i = 0; i < s->m; i++) s->diagonal[i] = s->own[i] + s->rows->E[i];
    s->factored = 0;
}

static void relax(const sparse_basis *s, int64_t i)
{
    saddle__mlcp_rows *rows = s->rows;
    if (rows->step[i] == 0.0) return;
    double others = saddle__full_csr_row_times(&s->beside, i, rows->lambda);
    double x = -(rows->q[i] + others) * s->x[i];
    rows->lambda[i] = saddle__smaller(rows->hi[i], saddle__larger(rows->lo[i], x));
}

/* Down and up. */
static void sweep(void *user, int sweeps)
{
    sparse_basis *s = user;
    for (int64_t i = 0; i < s->m; i++)
        s->x[i] = s->rows->step[i] != 0.0 ? 1.0 / s->diagonal[i] : 0.0; /* of a row of zeros: 0 */
    for (int k = 0; k < sweeps; k++) {
        for (int64_t i = 0; i < s->m; i++) relax(s, i);
        for (int64_t i = s->m; i-- > 0;) relax(s, i);
    }
}

static saddle_status enter(void *user, const signed char *state)
{
    sparse_basis *s = user;
    int same = s->factored;
    for (int64_t i = 0; i < s->m; i++) {
        signed char basic = state[i] == SADDLE__BASIC;
        same &= basic == s->basic[i];
        s->basic[i] = basic;
    }
    if (same) return SADDLE_OK;
    saddle__pivot_rule rule = {.scale = s->rows->size,
                               .smallest = SADDLE__SINGULAR_PIVOT,
                               .replacement = SADDLE__PIVOT_REPLACEMENT};
    saddle__part_values W = {.beside = &s->beside, .diagonal = s->diagonal};
    saddle_status status = saddle__part_factor(s->part, &W, s->basic, &rule);
    s->factored = status == SADDLE_OK;
    s->counts.made++;
    return status;
}

/* w_F = q_F + W_FB lambda_B */
static void add_held(sparse_basis *s, const double *q, const double *lambda, double *w)
{
    for (int64_t i = 0; i < s->m; i++) s->x[i] = s->basic[i] ? 0.0 : lambda[i];
    for (int64_t i = 0; i < s->m; i++)
        if (s->basic[i]) w[i] = q[i] + saddle__full_csr_row_times(&s->beside, i, s->x);
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    sparse_basis *s = user;
    int64_t held = 0;
    (void)state; /* s->basic */
    for (int64_t i = 0; i < s->m; i++) held += !s->basic[i] & (lambda[i] != 0.0);
    if (held > 0) add_held(s, q, lambda, w);
    if (!saddle__part_solve(s->part, s->basic, -1.0, held > 0 ? w : q, lambda))
        return SADDLE_NOT_CONVERGED;
    for (int64_t i = 0; i < s->m; i++) {
        double modulus;
        saddle__full_csr_expect(&s->beside, i);
        double own = s->diagonal[i] * lambda[i];
        w[i] = q[i] + (own + saddle__full_csr_row_times_both(&s->beside, i, lambda, &modulus));
        noise[i] = 8.0 * DBL_EPSILON * (fabs(q[i]) + fabs(own) + modulus);
    }
    return SADDLE_OK;
}

static void settle(void *user, const int64_t *broken, int64_t count, signed char *state)
{
    sparse_basis *s = user;
    saddle__nearby_settle(&s->nearby, broken, count, s->rows, state);
}

saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          saddle__mlcp_rows *rows, const saddle_options *options,
                                          saddle__basis *basis)
{
    sparse_basis *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    sparse_basis fresh = {.context = context, .m = W->cols, .W = W, .rows = rows};
    *s = fresh;
    saddle__basis table = {.user = s,
                           .enter = enter,
                           .solve = solve,
                           .refresh = refresh,
                           .sweep = sweep,
                           .settle = settle,
                           .counts = &s->counts,
                           .clear = clear};
    *basis = table;
    place(s);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    place(s);
    if (status == SADDLE_OK) status = saddle__full_csr_create(context, W, &s->beside);
    if (status == SADDLE_OK)
        status = saddle__nearby_create(context, &s->beside, s->diagonal, &s->nearby);
    saddle__ldlt_request request = {.ordering = options->ordering, .threads = options->threads};
    return status == SADDLE_OK ? saddle__part_create(context, W, &request, &s->part) : status;
}
