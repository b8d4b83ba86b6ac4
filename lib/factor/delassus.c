/* SPDX-License-Identifier: MIT */
/* The public Delassus operator: complement.h with checks of arguments and phases. */
#include "saddle/delassus.h"

#include <string.h>

#include "base/context_internal.h"
#include "base/options_internal.h"
#include "factor/complement.h"
#include "problem/kkt.h"
#include "problem/problem_internal.h"

struct saddle_delassus {
    saddle_context *context;
    saddle__complement complement;
    saddle__pattern pattern;
    saddle__folded folded;
    saddle_mass_operator mass; /* in place of M; without functions where M is read */
    int formed;
    double *work; /* n */
    double *r;    /* 2 n: with an operator; else NULL */
};

void saddle_delassus_free(saddle_delassus *D)
{
    if (!D) return;
    saddle_context *context = D->context;
    saddle__complement_clear(&D->complement);
    saddle__folded_clear(&D->folded);
    saddle__release_all(context, D->work, D->r, D);
}

/* mass: NULL = M is read */
static saddle_status create(saddle_context *context, const saddle_problem *problem,
                            const saddle_mass_operator *mass, const saddle_options *options,
                            saddle_delassus **delassus)
{
    saddle_options chosen;
    SADDLE__TRY(saddle__options_read(context, options, &chosen));
    SADDLE__TRY(saddle_problem_check(context, problem, NULL, NULL));
    saddle_delassus *D = saddle_allocate(context, 1, sizeof(*D));
    if (!D) return SADDLE_OUT_OF_MEMORY;
    D->context = context;
    D->pattern = saddle__pattern_of(problem);
    D->work = saddle_allocate(context, problem->n, sizeof(*D->work));
    if (mass) D->mass = *mass;
    if (mass) D->r = saddle_allocate(context, 2 * problem->n, sizeof(*D->r));
    saddle__complement_request request = {.ordering = chosen.ordering,
                                          .threads = chosen.threads,
                                          .host = mass};
    saddle_status status = D->work && (D->r || !mass) ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__folded_create(context, problem, 0, &D->folded);
    if (status == SADDLE_OK)
        status = saddle__complement_analyse(context, saddle__folded_take(&D->folded, problem),
                                            &request, &D->complement);
    if (status != SADDLE_OK) {
        saddle_delassus_free(D);
        return status;
    }
    *delassus = D;
    return SADDLE_OK;
}

saddle_status saddle_delassus_create(saddle_context *context, const saddle_problem *problem,
                                     const saddle_options *options, saddle_delassus **delassus)
{
    if (delassus) *delassus = NULL;
    SADDLE__RETURN_UNLESS(context, problem && delassus, "problem or delassus is NULL");
    return create(context, problem, NULL, options, delassus);
}

/* The problem with an M without entries: what the operator stands for is not read. */
static saddle_problem without_mass(const saddle_problem *problem)
{
    saddle_problem rest = *problem;
    rest.M = (saddle_matrix){.rows = problem->n,
                             .cols = problem->n,
                             .symmetry = SADDLE_SYMMETRY_LOWER};
    return rest;
}

saddle_status saddle_delassus_create_by_operator(saddle_context *context,
                                                 const saddle_problem *problem,
                                                 const saddle_mass_operator *mass,
                                                 const saddle_options *options,
                                                 saddle_delassus **delassus)
{
    if (delassus) *delassus = NULL;
    SADDLE__RETURN_UNLESS(context, problem && mass && delassus,
                          "problem, mass operator or delassus is NULL");
    SADDLE__TRY(saddle__mass_operator_check(context, mass));
    if (mass->n != problem->n)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the mass operator is of %lld velocities, the problem has %lld",
                           (long long)mass->n, (long long)problem->n);
    const saddle_problem rest = without_mass(problem);
    return create(context, &rest, mass, options, delassus);
}

saddle_status saddle_delassus_form(saddle_delassus *D, const saddle_problem *problem)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(D), D && problem, "delassus or problem is NULL");
    saddle_problem rest;
    if (D->mass.solve) {
        rest = without_mass(problem);
        problem = &rest;
    }
    SADDLE__TRY(saddle__pattern_compare(D->context, &D->pattern, problem, 1, 0));
    SADDLE__TRY(saddle__problem_check_matrices(D->context, problem));
    (void)saddle__folded_refresh(&D->folded, problem); /* create has checked the symmetry */
    const saddle_status status = saddle__complement_form(&D->complement,
                                                         saddle__folded_take(&D->folded, problem));
    D->formed = status == SADDLE_OK;
    return status;
}

const saddle_matrix *saddle_delassus_matrix(const saddle_delassus *D)
{
    if (!D) return NULL;
    return &D->complement.W;
}

/* The checks of every function after form: given = 0 is a NULL argument, of the names in `what`;
 * problem, NULL = none: the pattern. */
static saddle_status begin(const saddle_delassus *D, int given, const char *what,
                           const saddle_problem *problem)
{
    saddle_context *context = D ? D->context : NULL;
    saddle_context_clear_message(context);
    if (!D || !given)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_delassus_%s is NULL", what);
    if (!D->formed)
        return saddle_fail(context, SADDLE_WRONG_PHASE, "W = J M^-1 J' + R is not formed");
    if (!problem) return SADDLE_OK;
    const saddle_problem rest = without_mass(problem);
    return saddle__pattern_compare(context, &D->pattern, D->mass.solve ? &rest : problem, 0, 0);
}

static int64_t rows_of(const saddle_delassus *D)
{
    return D ? D->complement.m : 0;
}

saddle_status saddle_delassus_dense(const saddle_delassus *D, double *W, int64_t ld)
{
    SADDLE__TRY(begin(D, W || rows_of(D) == 0, "dense: delassus or W", NULL));
    const saddle_matrix *S = &D->complement.W;
    if (ld < S->rows)
        return saddle_fail(D->context, SADDLE_INVALID_ARGUMENT,
                           "W has %lld rows, its leading dimension is %lld", (long long)S->rows,
                           (long long)ld);
    for (int64_t j = 0; j < S->cols; j++) memset(W + j * ld, 0, (size_t)S->rows * sizeof(*W));
    for (int64_t j = 0; j < S->cols; j++)
        for (int64_t k = S->start[j]; k < S->start[j + 1]; k++) {
            int64_t i = S->index[k];
            W[i + j * ld] = S->value[k];
            if (S->symmetry == SADDLE_SYMMETRY_LOWER) W[j + i * ld] = S->value[k];
        }
    return SADDLE_OK;
}

saddle_status saddle_delassus_apply(const saddle_delassus *D, const double *x, double *y)
{
    saddle_status status = begin(D, (x && y) || rows_of(D) == 0, "apply: delassus, x or y", NULL);
    if (status == SADDLE_OK && D->complement.m > 0)
        saddle_matrix_apply(&D->complement.W, 1.0, x, 0.0, y);
    return status;
}

saddle_status saddle_delassus_column(const saddle_delassus *D, int64_t row, double *column)
{
    SADDLE__TRY(begin(D, column != NULL, "column: delassus or column", NULL));
    const saddle_matrix *W = &D->complement.W;
    if (row < 0 || row >= W->cols)
        return saddle_fail(D->context, SADDLE_INVALID_ARGUMENT, "W has no column %lld, it has %lld",
                           (long long)row + 1, (long long)W->cols);
    int64_t left = W->symmetry == SADDLE_SYMMETRY_LOWER ? row : 0; /* entries stored in the row */
    for (int64_t i = 0; i < left; i++) column[i] = saddle_matrix_entry(W, row, i);
    for (int64_t i = left; i < W->rows; i++) column[i] = 0.0;
    for (int64_t k = W->start[row]; k < W->start[row + 1]; k++) column[W->index[k]] = W->value[k];
    return SADDLE_OK;
}

saddle_status saddle_delassus_blocks(const saddle_delassus *D, const saddle_problem *problem,
                                     double *block)
{
    SADDLE__TRY(begin(D, problem && (block || rows_of(D) == 0),
                      "blocks: delassus, problem or block", problem));
    const saddle_contact *contact = problem->contacts;
    const saddle_contact *end = contact + (contact ? problem->contact_count : 0);
    for (int64_t row = 0; row < problem->m;) {
        int64_t size = contact < end && contact->row == row ? contact++->size : 1;
        for (int64_t j = 0; j < size; j++)
            for (int64_t i = 0; i < size; i++)
                *block++ = saddle_matrix_entry(&D->complement.W, row + i, row + j);
        row += size;
    }
    return SADDLE_OK;
}

/* v += M^-1 (r - M v), r the right-hand side in D->r */
static saddle_status refine(saddle_delassus *D, double *v)
{
    const int64_t n = D->complement.n;
    double *r = D->r;
    SADDLE__TRY(D->mass.multiply(D->mass.user, v, r + n));
    for (int64_t j = 0; j < n; j++) r[j] -= r[n + j];
    SADDLE__TRY(D->mass.solve(D->mass.user, r));
    for (int64_t j = 0; j < n; j++) v[j] += r[j];
    return SADDLE_OK;
}

/* v = M^-1 (f + J'lambda), lambda = NULL being zero */
static saddle_status move(saddle_delassus *D, const saddle_problem *problem, const double *lambda,
                          double *v)
{
    size_t size = (size_t)problem->n * sizeof *v;
    if (problem->n == 0) return SADDLE_OK;
    problem->f ? memcpy(v, problem->f, size) : memset(v, 0, size);
    if (lambda && problem->m > 0) saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, v);
    if (D->mass.solve && lambda) memcpy(D->r, v, size);
    SADDLE__TRY(saddle__complement_solve_mass(&D->complement, v));
    return D->mass.solve && lambda ? refine(D, v) : SADDLE_OK;
}

saddle_status saddle_delassus_reduce(saddle_delassus *D, const saddle_problem *problem, double *q)
{
    SADDLE__TRY(
        begin(D, problem && (q || rows_of(D) == 0), "reduce: delassus, problem or q", problem));
    SADDLE__TRY(move(D, problem, NULL, D->work));
    for (int64_t i = 0; i < problem->m; i++) q[i] = problem->b ? -problem->b[i] : 0.0;
    if (problem->n > 0 && problem->m > 0)
        saddle_matrix_apply_transpose(&problem->Jt, 1.0, D->work, 1.0, q);
    return SADDLE_OK;
}

saddle_status saddle_delassus_recover(saddle_delassus *D, const saddle_problem *problem,
                                      const double *lambda, double *v)
{
    SADDLE__TRY(begin(D,
                      problem && (lambda || rows_of(D) == 0) && (v || !D || D->complement.n == 0),
                      "recover: delassus, problem, lambda or v", problem));
    return move(D, problem, lambda, v);
}
