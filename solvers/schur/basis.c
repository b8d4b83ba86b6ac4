/* SPDX-License-Identifier: MIT */
/* Which of the bases serves; see basis.h. */
#include "basis.h"

#include <string.h>

/* Rows up to which W is held dense whatever it is, those beyond which it never is. */
enum { ALWAYS_DENSE = 40, ALWAYS_DENSE_LU = 200, NEVER_DENSE = 5000 };

/* W with more than this share of all entries is held dense. */
static const double dense_share = 0.3;

static saddle__basis_kind choose(const saddle__operator_view *view)
{
    const saddle_matrix *W = view->W;
    int symmetric = W->symmetry == SADDLE_SYMMETRIC;
    int general = !symmetric || view->normal != NULL;
    double m = (double)W->cols;
    double all = symmetric ? m * (m + 1.0) / 2.0 : m * m;
    int always = W->cols <= (general ? ALWAYS_DENSE_LU : ALWAYS_DENSE);
    int dense = always ||
                (W->cols <= NEVER_DENSE && (double)saddle_matrix_entries(W) > dense_share * all);
    if (general) return dense ? SADDLE__BASIS_DENSE_LU : SADDLE__BASIS_SPARSE_LU;
    return dense ? SADDLE__BASIS_DENSE : SADDLE__BASIS_SPARSE;
}

saddle_status saddle__schur_basis_create(saddle_context *context, const saddle__operator_view *view,
                                         const saddle_options *options, saddle__schur_basis *s)
{
    memset(s, 0, sizeof(*s));
    s->kind = choose(view);
    switch (s->kind) {
    case SADDLE__BASIS_DENSE: return saddle__dense_basis_create(context, view->W->cols, &s->dense);
    case SADDLE__BASIS_SPARSE:
        return saddle__sparse_basis_create(context, view->W, options, &s->sparse);
    case SADDLE__BASIS_DENSE_LU: return saddle__dense_lu_create(context, view->W, &s->dense_lu);
    default: return saddle__sparse_lu_create(context, view, options, &s->sparse_lu);
    }
}

void saddle__schur_basis_clear(saddle__schur_basis *s)
{
    saddle__dense_basis_clear(&s->dense);
    saddle__sparse_basis_clear(&s->sparse);
    saddle__dense_lu_clear(&s->dense_lu);
    saddle__sparse_lu_clear(&s->sparse_lu);
}

void saddle__schur_basis_set(saddle__schur_basis *s, const saddle__operator_view *view)
{
    switch (s->kind) {
    case SADDLE__BASIS_DENSE:
        saddle__dense_basis_set(&s->dense, view->W, view->added, view->size);
        break;
    case SADDLE__BASIS_SPARSE:
        saddle__sparse_basis_set(&s->sparse, view->W, view->added, view->size);
        break;
    case SADDLE__BASIS_DENSE_LU: saddle__dense_lu_set(&s->dense_lu, view); break;
    default: saddle__sparse_lu_set(&s->sparse_lu, view); break;
    }
}

void saddle__schur_basis_shift(saddle__schur_basis *s, const saddle__operator_view *view)
{
    switch (s->kind) {
    case SADDLE__BASIS_DENSE: saddle__dense_basis_shift(&s->dense, view->W, view->added); break;
    case SADDLE__BASIS_SPARSE: saddle__sparse_basis_shift(&s->sparse, view->added); break;
    case SADDLE__BASIS_DENSE_LU: saddle__dense_lu_shift(&s->dense_lu, view); break;
    default: saddle__sparse_lu_shift(&s->sparse_lu, view); break;
    }
}

const saddle__sparse_basis *saddle__schur_basis_sparse(const saddle__schur_basis *s)
{
    return s->kind == SADDLE__BASIS_SPARSE ? &s->sparse : NULL;
}

saddle__basis saddle__schur_basis_table(saddle__schur_basis *s)
{
    switch (s->kind) {
    case SADDLE__BASIS_DENSE: return saddle__dense_basis_table(&s->dense);
    case SADDLE__BASIS_SPARSE: return saddle__sparse_basis_table(&s->sparse);
    case SADDLE__BASIS_DENSE_LU: return saddle__lu_basis_table(&s->dense_lu.lu);
    default: return saddle__sparse_lu_table(&s->sparse_lu);
    }
}

int64_t saddle__schur_basis_made(const saddle__schur_basis *s)
{
    return s->dense.made + s->sparse.made + s->dense_lu.lu.made + s->sparse_lu.made;
}
