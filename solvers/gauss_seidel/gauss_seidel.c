/* SPDX-License-Identifier: MIT */
/* gauss-seidel: nonlinear block Gauss-Seidel on rows and contacts, every row kind and every contact
 * law.
 *
 * A sweep solves the law of each row and each contact exactly (local.h) on the Delassus
 * operator, in the order of the rows.  A sweep is a step of a fixed-point iteration,
 * accelerated by Anderson's method: a tenth of the plain sweeps is usual, and stacks and piles
 * converge where plain sweeps stop at a residual of 1e-7.  The iterate with the least residual is
 * returned.
 * Jourdan, Alart and Jean (1998), A Gauss-Seidel like algorithm to solve frictional contact
 * problems. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/anderson.h"
#include "base/context_internal.h"
#include "builtin.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "base/unset.h"
#include "base/vector.h"
#include "factor/complement.h"
#include "gauss_seidel/local.h"
#include "groups.h"
#include "matrix/matrix_internal.h"
#include "problem/verdict.h"
#include "refine.h"

/* Sweeps where options.max_iterations is 0. */
#define MOST_SWEEPS 20000
/* Sweeps without halving the residual after which sweeps end. */
#define PATIENCE 6000

/* ======== the operator ======== */

/* ---- rows of a matrix ---- */

/* The rows of a matrix stored by columns, but for the entries of a row's own group, a row with
 * bounds or a contact.  A symmetric matrix, stored as the lower triangle, is expanded. */

typedef struct operator_rows {
    int64_t *start;        /* m + 1 */
    saddle__layout layout; /* of the other arrays */
    int64_t *next;         /* m; scratch */
    int64_t *index;        /* start[m]; column of each entry, ascending */
    double *value;         /* start[m] */
} operator_rows;

/* ---- state ---- */

/* The Delassus operator W = J M^-1 J' + R as the sweeps use it: one row's velocity at a time.
 *
 *     w = W lambda + q,    q = J M^-1 f - b
 *
 *     n = 0         W is R, held by rows
 *     formed        W is formed (factor/complement.h) and held by rows, where it has no more
 *                   entries than J, T and R together
 *     matrix-free   T = M^-1 J' is held by columns, and the velocity v = M^-1 (f + J'lambda) is
 *                   kept up to date, v += T_i dlambda_i;  w_i = J_i v + R_i lambda - b_i
 *
 * Which is used is found by counting entries beforehand: W of few bodies with many contacts each is
 * denser than J and T, while T is dense, and W small, for a finite element mesh with few contacts.
 * A symmetric M that needs pivoting, which shows when it is factored, is factored L U and W
 * matrix-free.
 */

typedef enum operator_form { OPERATOR_FORMED = 0, OPERATOR_FREE = 1 } operator_form;

typedef struct delassus_operator {
    int64_t n, m;
    operator_form form;
    saddle__complement complement; /* formed, n > 0; else all-zero */
    saddle__factorization *mass;   /* of M, matrix-free; else NULL */
    saddle_ordering ordering;      /* of M's factor */
    double *mass_scale;            /* n; |M_jj| */
    operator_rows rows;            /* of W where formed, of R where matrix-free or n = 0 */
    saddle_matrix T;               /* n x m, matrix-free only */
    int64_t width;                 /* rows of the largest group */
    int64_t *first;                /* m: the first row of the row's group */
    double *block;                 /* width m: W(i, group of i) from the group's first row */
    double *by_velocity;           /* width m, matrix-free only: J T in the place of W */
    double *correction;            /* n; of the refinement of v */
    double *q; /* m; constant part of the row velocity, beside W lambda or R lambda + J v */
} delassus_operator;

/* ---- rows of a matrix stored by columns: a counting sort with the columns in ascending order
 * leaves each row sorted ---- */

static void count_entries(const saddle_matrix *A, const int64_t *first, int64_t *length)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            if (first[i] == first[j]) continue;
            length[i]++;
            if (A->symmetry == SADDLE_SYMMETRY_LOWER) length[j]++;
        }
    }
}

static void place_entry(delassus_operator *W, int64_t row, int64_t col, double value)
{
    if (W->first[row] == W->first[col]) {
        W->block[W->width * row + col - W->first[row]] = value;
        return;
    }
    int64_t at = W->rows.next[row]++;
    W->rows.index[at] = col;
    W->rows.value[at] = value;
}

/* Row i of a lower triangle: first its entries (i, j <= i), in column order, then the mirrored
 * column i below the diagonal. */
static void place_entries(const saddle_matrix *A, delassus_operator *W)
{
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            place_entry(W, A->index[k], j, A->value[k]);
    for (int64_t j = 0; A->symmetry == SADDLE_SYMMETRY_LOWER && j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            if (A->index[k] != j) place_entry(W, j, A->index[k], A->value[k]);
    }
}

static void clear_rows(saddle_context *context, operator_rows *rows)
{
    saddle_release(context, rows->start);
    saddle__layout_clear(context, &rows->layout);
    memset(rows, 0, sizeof *rows);
}

/* The number of entries in each row of A, and memory for them. */
static saddle_status make_rows(saddle_context *context, const saddle_matrix *A,
                               delassus_operator *W)
{
    operator_rows *rows = &W->rows;
    int64_t entries = saddle_matrix_entries(A);
    if (entries > INT64_MAX / 2)
        return saddle_fail(context, SADDLE_TOO_LARGE, "rows of a matrix with %lld entries",
                           (long long)entries);
    clear_rows(context, rows);
    rows->start = saddle_allocate(context, W->m + 1, sizeof *rows->start);
    if (!rows->start) return SADDLE_OUT_OF_MEMORY;
    if (entries > 0) count_entries(A, W->first, rows->start + 1);
    for (int64_t i = 0; i < W->m; i++) rows->start[i + 1] += rows->start[i];
    const saddle__array arrays[] = {SADDLE__ARRAY(rows->next, W->m),
                                    SADDLE__ARRAY(rows->index, rows->start[W->m]),
                                    SADDLE__ARRAY(rows->value, rows->start[W->m])};
    rows->layout = (saddle__layout){.tight = 1, .unset = 1};
    return saddle__layout_make(context, &rows->layout, arrays, SADDLE__LENGTH(arrays));
}

/* ---- the operator: analyse ---- */

static saddle_status choose_factorization(saddle_context *context, const saddle_problem *problem,
                                          const char *name, delassus_operator *W)
{
    saddle__factorization_free(W->mass);
    W->mass = NULL;
    saddle_status status = saddle__factorization_create(context, name, W->ordering, &W->mass);

    return status == SADDLE_OK ? saddle__factorization_analyse(W->mass, &problem->M) : status;
}

/* size[root] <- nodes of the component; last[root] <- -1 */
static void measure_components(int64_t n, const int64_t *root, int64_t *size, int64_t *last)
{
    for (int64_t j = 0; j < n; j++) {
        size[j] = 0;
        last[j] = -1;
    }
    for (int64_t j = 0; j < n; j++) size[root[j]]++;
}

/* Entries of T: column i reaches all of M's components touched by J_i. */
static saddle_status count_T(saddle_context *context, const saddle_problem *problem,
                             double *entries)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t n = problem->n;
    int64_t *root = saddle__allocate_unset(context, n + 1, sizeof *root);
    int64_t *size = saddle__allocate_unset(context, n + 1, sizeof *size);
    int64_t *last = saddle__allocate_unset(context, n + 1, sizeof *last);
    int made = root && size && last;
    *entries = 0.0;
    if (made) {
        saddle__matrix_components(&problem->M, root);
        measure_components(n, root, size, last);
    }
    for (int64_t i = 0; made && Jt->start && i < Jt->cols; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            int64_t component = root[Jt->index[k]];
            if (last[component] != i) *entries += (double)size[component];
            last[component] = i;
        }
    saddle_release(context, root);
    saddle_release(context, size);
    saddle_release(context, last);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static double stored_in_full(const saddle_matrix *A)
{
    return (double)saddle_matrix_entries(A) * (A->symmetry == SADDLE_SYMMETRY_LOWER ? 2.0 : 1.0);
}

/* W is analysed where W has no more entries than T, J and R; *formed tells. */
static saddle_status analyse_formed(saddle_context *context, const saddle_problem *problem,
                                    delassus_operator *W, int *formed)
{
    double T;
    *formed = 0;
    saddle_status status = count_T(context, problem, &T);
    if (status != SADDLE_OK || saddle_matrix_entries(&problem->Jt) == 0) return status;
    double most = T + (double)saddle_matrix_entries(&problem->Jt) + stored_in_full(&problem->R);
    saddle__complement_request request = {.ordering = W->ordering,
                                          .most_entries = 0.5 * (most + (double)W->m)};
    status = saddle__complement_analyse(context, problem, &request, &W->complement);
    *formed = status == SADDLE_OK;
    return status == SADDLE_TOO_LARGE || status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

/* Without rows where it fails: factor_free tries again. */
static saddle_status analyse_free(saddle_context *context, const saddle_problem *problem,
                                  int general, delassus_operator *W)
{
    W->form = OPERATOR_FREE;
    clear_rows(context, &W->rows);
    saddle_matrix_clear(&W->T);
    saddle__complement_clear(&W->complement);
    const char *name = saddle__factorization_name(context, SADDLE_FACTORIZATION_DEFAULT, general);
    saddle_release(context, W->by_velocity);
    W->by_velocity = saddle_allocate(context, W->width * W->m, sizeof *W->by_velocity);
    if (!W->by_velocity) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(choose_factorization(context, problem, name, W));
    return make_rows(context, &problem->R, W);
}

static void find_groups(const saddle_problem *problem, int64_t *first)
{
    for (int64_t i = 0; i < problem->m; i++) first[i] = i;
    for (int64_t c = 0; c < problem->contact_count; c++)
        for (int64_t i = 0; i < problem->contacts[c].size; i++)
            first[problem->contacts[c].row + i] = problem->contacts[c].row;
}

static saddle_status operator_analyse(saddle_context *context, const saddle_options *options,
                                      const saddle_problem *problem, delassus_operator *W)
{
    int64_t m = problem->m;
    int formed = 0;
    if (m > INT64_MAX / SADDLE_CONTACT_ROWS)
        return saddle_fail(context, SADDLE_TOO_LARGE, "gauss-seidel: %lld rows", (long long)m);
    W->n = problem->n;
    W->m = m;
    W->ordering = options->ordering;
    W->width = saddle__groups_widest(problem);
    W->first = saddle_allocate(context, m, sizeof *W->first);
    W->block = saddle_allocate(context, W->width * m + 1, sizeof *W->block);
    W->q = saddle_allocate(context, m + 1, sizeof *W->q);
    W->correction = saddle__allocate_unset(context, problem->n, sizeof *W->correction);
    W->mass_scale = saddle__allocate_unset(context, problem->n + 1, sizeof *W->mass_scale);
    if (!W->first || !W->block || !W->q || !W->correction || !W->mass_scale)
        return SADDLE_OUT_OF_MEMORY;
    find_groups(problem, W->first);
    if (W->n == 0) return make_rows(context, &problem->R, W);
    saddle_status status = analyse_formed(context, problem, W, &formed);
    if (status != SADDLE_OK) return status;
    if (formed) return make_rows(context, &W->complement.W, W);
    return analyse_free(context, problem, problem->M.symmetry == SADDLE_SYMMETRY_NONE, W);
}

static void operator_clear(saddle_context *context, delassus_operator *W)
{
    saddle__complement_clear(&W->complement);
    saddle__factorization_free(W->mass);
    clear_rows(context, &W->rows);
    saddle_matrix_clear(&W->T);
    saddle_release(context, W->mass_scale);
    saddle_release(context, W->first);
    saddle_release(context, W->block);
    saddle_release(context, W->by_velocity);
    saddle_release(context, W->q);
    saddle_release(context, W->correction);
    memset(W, 0, sizeof *W);
}

/* Of M's factorization; n > 0. */
static saddle__factor_counts operator_counts(const delassus_operator *W)
{
    return W->mass ? saddle__factorization_counts(W->mass) : W->complement.counts;
}

/* ---- the operator: factor ---- */

static saddle_status factor_mass(saddle_context *context, const saddle_problem *problem,
                                 delassus_operator *W)
{
    saddle__pivot_rule rule = {.scale = W->mass_scale, .smallest = SADDLE__VANISHED_PIVOT};
    saddle_matrix_diagonal(&problem->M, W->mass_scale);
    for (int64_t i = 0; i < W->n; i++) W->mass_scale[i] = fabs(W->mass_scale[i]);
    saddle_status status = saddle__factorization_factor_by(W->mass, &problem->M, &rule);
    if (status == SADDLE_SINGULAR && problem->M.symmetry != SADDLE_SYMMETRY_NONE) {
        /* perhaps regular, with pivoting */
        SADDLE__TRY(analyse_free(context, problem, 1, W));
        status = saddle__factorization_factor_by(W->mass, &problem->M, &rule);
    }
    int64_t failed = saddle__factorization_counts(W->mass).failed_column;
    if (status == SADDLE_SINGULAR && failed >= 0) {
        char name[128];
        saddle_problem_describe_velocity(problem, failed, name, sizeof name);
        status = saddle_fail(context, status,
                             "gauss-seidel needs M^-1, but M is singular: its pivot vanished at %s",
                             name);
        return saddle_fail_at(context,
                              (saddle_place){.kind = SADDLE_PLACE_VELOCITY, .index = failed},
                              status);
    }
    return status;
}

static void take_values(const saddle_matrix *A, delassus_operator *W)
{
    operator_rows *rows = &W->rows;
    if (W->m > 0) memcpy(rows->next, rows->start, (size_t)W->m * sizeof *rows->next);
    saddle__zero(W->block, W->width * W->m);
    if (saddle_matrix_entries(A) > 0) place_entries(A, W);
}

/* Column a of A times column b of B, both sorted. */
static double dot_columns(const saddle_matrix *A, int64_t a, const saddle_matrix *B, int64_t b)
{
    double sum = 0.0;
    int64_t k = A->start[a];
    int64_t l = B->start[b];
    while (k < A->start[a + 1] && l < B->start[b + 1])
        if (A->index[k] == B->index[l])
            sum += A->value[k++] * B->value[l++];
        else if (A->index[k] < B->index[l])
            k++;
        else
            l++;
    return sum;
}

/* J T in each group's block of R. */
static void add_blocks(const saddle_problem *problem, delassus_operator *W)
{
    for (int64_t row = 0; row < W->m; row++)
        for (int64_t col = W->first[row]; col < W->m && W->first[col] == W->first[row]; col++) {
            int64_t at = W->width * row + col - W->first[row];
            W->by_velocity[at] = dot_columns(&problem->Jt, row, &W->T, col);
            W->block[at] += W->by_velocity[at];
        }
}

static saddle_status factor_free(saddle_context *context, const saddle_problem *problem,
                                 delassus_operator *W)
{
    if (!W->rows.next) SADDLE__TRY(analyse_free(context, problem, 1, W));
    SADDLE__TRY(factor_mass(context, problem, W));
    take_values(&problem->R, W);
    if (saddle_matrix_entries(&problem->Jt) == 0) return SADDLE_OK;
    SADDLE__TRY(saddle__factorization_columns(context, W->mass, &problem->Jt, &W->T));
    add_blocks(problem, W);
    return SADDLE_OK;
}

/* Matrix-free for a symmetric M in need of pivoting. */
static saddle_status factor_formed(saddle_context *context, const saddle_problem *problem,
                                   delassus_operator *W)
{
    saddle_status status = saddle__complement_form(&W->complement, problem);
    if (status == SADDLE_OK) take_values(&W->complement.W, W);
    if (status != SADDLE_SINGULAR) return status;
    SADDLE__TRY(analyse_free(context, problem, 1, W));
    return factor_free(context, problem, W);
}

/* Allocates the first time, and where M needs pivoting.  SADDLE_SINGULAR: M cannot be factored; the
 * message names the velocity. */
static saddle_status operator_factor(saddle_context *context, const saddle_problem *problem,
                                     delassus_operator *W)
{
    if (W->n > 0)
        return W->form == OPERATOR_FREE ? factor_free(context, problem, W)
                                        : factor_formed(context, problem, W);
    take_values(&problem->R, W);
    return SADDLE_OK;
}

/* ---- the operator: rows and velocities ---- */

/* r = f + J'lambda */
static void force(const saddle_problem *problem, const double *lambda, double *r)
{
    if (problem->f)
        saddle__copy(r, problem->f, problem->n);
    else
        saddle__zero(r, problem->n);
    if (saddle_matrix_entries(&problem->Jt) > 0)
        saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, r);
}

static saddle_status solve_mass(delassus_operator *W, double *r)
{
    return W->mass ? saddle__factorization_solve(W->mass, r)
                   : saddle__complement_solve_mass(&W->complement, r);
}

/* v = M^-1 (f + J'lambda) */
static saddle_status operator_velocity(const saddle_problem *problem, delassus_operator *W,
                                       const double *lambda, double *v)
{
    if (W->n == 0) return SADDLE_OK;
    force(problem, lambda, v);
    return solve_mass(W, v);
}

/* v refined once: a small componentwise backward error (Skeel, Math. Comp. 35, 1980). */
static saddle_status refine_velocity(const saddle_problem *problem, delassus_operator *W,
                                     const double *lambda, double *v)
{
    if (W->n == 0) return SADDLE_OK;
    double *r = W->correction;
    force(problem, lambda, r);
    saddle_matrix_apply(&problem->M, -1.0, v, 1.0, r);
    saddle_status status = solve_mass(W, r);
    for (int64_t i = 0; i < W->n; i++) v[i] += r[i];
    return status;
}

/* Takes in f and b, once per solve.  v: n, scratch. */
static saddle_status operator_prepare(const saddle_problem *problem, delassus_operator *W,
                                      double *v)
{
    saddle_status status = SADDLE_OK;
    saddle__zero(W->q, W->m);
    if (W->n > 0 && W->form == OPERATOR_FORMED) {
        status = operator_velocity(problem, W, W->q, v);
        if (status == SADDLE_OK) status = refine_velocity(problem, W, W->q, v);
        if (saddle_matrix_entries(&problem->Jt) > 0)
            saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 0.0, W->q);
    }
    for (int64_t i = 0; problem->b && i < W->m; i++) W->q[i] -= problem->b[i];
    return status;
}

/* w of the group's row i without the impulses of the group, q = w - W_cc lambda_c; v is read where
 * matrix-free. */
static inline double operator_row(const saddle_problem *problem, const delassus_operator *W,
                                  const double *lambda, const double *v, const saddle__group *group,
                                  int64_t i)
{
    const int64_t row = group->row + i;
    const int64_t *index = W->rows.index, end = W->rows.start[row + 1];
    int64_t k = W->rows.start[row];
    double part[4] = {W->q[row], 0.0, 0.0, 0.0}; /* four sums side by side */
    for (; k + 4 <= end; k += 4)
        for (int p = 0; p < 4; p++) part[p] += W->rows.value[k + p] * lambda[index[k + p]];
    for (; k < end; k++) part[0] += W->rows.value[k] * lambda[index[k]];
    double sum = (part[0] + part[1]) + (part[2] + part[3]);
    if (!W->T.start) return sum;
    for (k = problem->Jt.start[row]; k < problem->Jt.start[row + 1]; k++)
        sum += problem->Jt.value[k] * v[problem->Jt.index[k]];
    for (int64_t j = 0; j < group->size; j++)
        sum -= W->by_velocity[W->width * row + j] * lambda[group->row + j];
    return sum;
}

/* After lambda_i has changed: v += T_i change, where matrix-free. */
static void operator_move(const delassus_operator *W, int64_t row, double change, double *v)
{
    if (!W->T.start) return;
    for (int64_t k = W->T.start[row]; change != 0.0 && k < W->T.start[row + 1]; k++)
        v[W->T.index[k]] += W->T.value[k] * change;
}

/* ======== sweeps ======== */

/* A Gauss-Seidel sweep: each row or contact in turn is brought to satisfy the law, all other
 * impulses held: the local problem (local.h). */

typedef struct sweep_state {
    const saddle_problem *problem;
    delassus_operator *W;
    const saddle__group *group;
    int64_t groups;
    const double *d;    /* m: |W_ii|, the largest of the row's part of a group */
    const double *root; /* m: sqrt(d_i) */
    int64_t facets;     /* of a pyramid's polygon */
    double relaxation;  /* in (0, 2) */
    double *lambda;     /* m */
    double *v;          /* n; kept up to date where W is matrix-free */
    double unsolved;    /* out: the largest error left in a contact's local problem [-] */
    /* out: the largest root_i |change of lambda_i| of the sweep: the same in all units of rows */
    double change;
    /* out: the first row of the contact with the largest error; -1 = all were solved */
    int64_t worst;
    int64_t sweeps;
    int quick; /* of local problems: as in saddle__local */
} sweep_state;

/* lambda[row] <- value. */
static inline void assign(sweep_state *sweep, int64_t row, double value)
{
    double change = value - sweep->lambda[row];
    sweep->lambda[row] = value;
    operator_move(sweep->W, row, change, sweep->v);
    double moved = fabs(change) * sweep->root[row];
    if (!(moved <= sweep->change)) sweep->change = moved;
}

static void relax_row(sweep_state *sweep, const saddle__group *group)
{
    int64_t row = group->row;
    double lo = saddle_problem_lo(sweep->problem, row);
    double hi = saddle_problem_hi(sweep->problem, row);
    double present = sweep->lambda[row];
    double a = sweep->W->block[sweep->W->width * row];
    double q = operator_row(sweep->problem, sweep->W, sweep->lambda, sweep->v, group, 0);
    double next = saddle__local_row(a, q, lo, hi, present);
    if (sweep->relaxation != 1.0)
        next = saddle__clamp(present + sweep->relaxation * (next - present), lo, hi);
    assign(sweep, row, next);
}

/* size: group->size; a constant for most (run_sweep), so that loops unroll. */
static inline void pose(const sweep_state *sweep, const saddle__group *group, int64_t size,
                        saddle__local *local)
{
    const saddle_problem *problem = sweep->problem;
    local->law = problem->law;
    local->facets = sweep->facets;
    local->size = size;
    local->cone = group->cone;
    local->quick = sweep->quick;
    for (int64_t i = 0; i < size; i++) {
        const double *block = sweep->W->block + sweep->W->width * (group->row + i);
        local->q[i] = operator_row(problem, sweep->W, sweep->lambda, sweep->v, group, i);
        for (int64_t j = 0; j < size; j++) local->W[i][j] = block[j];
    }
}

static inline void relax_contact(sweep_state *sweep, const saddle__group *group, int64_t size)
{
    saddle__local local;
    double next[SADDLE_CONTACT_ROWS];
    pose(sweep, group, size, &local);
    const double *present = sweep->lambda + group->row;
    for (int64_t i = 0; i < size; i++) next[i] = present[i];
    double error = saddle__local_contact(&local, next);
    if (!(error <= sweep->unsolved)) {
        sweep->unsolved = error;
        sweep->worst = group->row;
    }
    if (sweep->relaxation != 1.0) {
        for (int64_t i = 0; i < size; i++)
            next[i] = present[i] + sweep->relaxation * (next[i] - present[i]);
        saddle__group_project(sweep->problem, group, sweep->d + group->row, next);
    }
    for (int64_t i = 0; i < size; i++) assign(sweep, group->row + i, next[i]);
}

/* In ascending order of the rows.  After a sweep with an unsolved local problem the next sweeps,
 * but number 1, 2, 4, 8, .., take fewer steps for each: a local problem without a solution would
 * take thousands in every sweep. */
static void run_sweep(sweep_state *sweep)
{
    int64_t count = ++sweep->sweeps;
    sweep->quick = sweep->unsolved > SADDLE__PRODUCT_ROUNDING && (count & (count - 1)) != 0;
    sweep->change = 0.0;
    sweep->unsolved = 0.0;
    sweep->worst = -1;
    for (int64_t k = 0; k < sweep->groups; k++) {
        const saddle__group *group = &sweep->group[k];
        if (!group->is_contact)
            relax_row(sweep, group);
        else if (group->size == 2)
            relax_contact(sweep, group, 2);
        else if (group->size == 3)
            relax_contact(sweep, group, 3);
        else
            relax_contact(sweep, group, group->size);
    }
}

/* lambda <- target, projected onto each law's set, with v updated. */
static void jump(sweep_state *sweep, double *target)
{
    const saddle_problem *problem = sweep->problem;
    for (int64_t k = 0; k < sweep->groups; k++) {
        int64_t row = sweep->group[k].row;
        saddle__group_project(problem, &sweep->group[k], sweep->d + row, target + row);
    }
    for (int64_t i = 0; sweep->W->T.start && i < problem->m; i++)
        operator_move(sweep->W, i, target[i] - sweep->lambda[i], sweep->v);
    saddle__copy(sweep->lambda, target, problem->m);
}

/* ======== the solver ======== */

typedef struct gauss_seidel_settings {
    double relaxation;
    int64_t check_every;
} gauss_seidel_settings;

typedef struct gauss_seidel {
    delassus_operator W;
    saddle__anderson anderson;
    saddle__group *group; /* m */
    double *point;        /* m; lambda before a sweep */
    double *best;         /* m; lambda with the least residual */
    double *root;         /* m; sqrt of the weights of anderson */
    saddle__layout layout;
} gauss_seidel;

/* A solve. */
typedef struct iteration {
    saddle_solver_call *call;
    const gauss_seidel_settings *settings;
    gauss_seidel *state;
    const saddle_problem *problem;
    saddle_solution *solution;
    sweep_state sweep;
    int64_t limit;
    int64_t sweeps;
    int64_t next_check;
    double milestone;        /* the residual at the last halving */
    int64_t milestone_sweep; /* ... and the sweep of the halving */
    int64_t round;           /* sweeps that have to divide the least residual by ten; 0 = any */
    int64_t round_end;       /* of the present round, or of a third of the first */
    double third;            /* the least residual after the first third */
    double round_start;      /* the least residual at its start */
    int timed;               /* 1: there is a deadline, or progress is reported */
    double start;            /* saddle_clock() */
    double now;              /* ... after the latest sweep, where timed */
    double total;            /* residual of the latest check */
    double dynamics;         /* .. that of the velocities */
    double best;             /* the least residual so far */
    double per_change;       /* residual over change of a sweep, at the last check */
} iteration;

static void clear(void *data, saddle_context *context)
{
    gauss_seidel *state = data;
    operator_clear(context, &state->W);
    saddle__layout_clear(context, &state->layout);
    memset(state, 0, sizeof *state);
}

static void place(gauss_seidel *state, int64_t m)
{
    saddle__layout *layout = &state->layout;
    state->group = saddle__layout_take(layout, m, sizeof *state->group);
    state->point = saddle__layout_take(layout, m, sizeof *state->point);
    state->best = saddle__layout_take(layout, m, sizeof *state->best);
    state->root = saddle__layout_take(layout, m, sizeof *state->root);
    saddle__anderson_place(&state->anderson, layout, m);
}

static saddle_status analyse(saddle_solver_call *call, void *data, const saddle_problem *problem)
{
    gauss_seidel *state = data;
    saddle_context *context = call->context;
    saddle_status status = operator_analyse(context, call->options, problem, &state->W);
    if (status != SADDLE_OK) return status;
    place(state, problem->m);
    status = saddle__layout_allocate(context, &state->layout);
    if (status != SADDLE_OK) return status;
    place(state, problem->m);
    return SADDLE_OK;
}

/* The weight of a row in the norm of the acceleration, and its root for the change of a sweep: the
 * largest diagonal entry of its part of the group. */
static void weigh(gauss_seidel *state, int64_t groups)
{
    for (int64_t k = 0; k < groups; k++)
        for (int64_t i = 0, row = state->group[k].row; i < state->group[k].size; i++, row++)
            state->anderson.weight[row] = fabs(state->W.block[state->W.width * row + i]);
    saddle__groups_share(state->group, groups, state->anderson.weight);
    for (int64_t i = 0; i < state->W.m; i++) state->root[i] = sqrt(state->anderson.weight[i]);
}

static saddle_status factor(saddle_solver_call *call, void *data, const saddle_problem *problem)
{
    gauss_seidel *state = data;
    saddle_status status = operator_factor(call->context, problem, &state->W);
    if (problem->n > 0) {
        saddle__factor_counts counts = operator_counts(&state->W);
        saddle_report *report = call->report;
        report->factorizations += status == SADDLE_OK;
        report->peak_bytes = counts.peak_bytes > report->peak_bytes ? counts.peak_bytes
                                                                    : report->peak_bytes;
    }
    return status;
}

/* ---- solve ---- */

static const saddle_residual *measure(const iteration *it)
{
    return saddle_solver_measure(it->call, it->problem, it->solution->v, it->solution->lambda);
}

/* Measures the present iterate, with v computed from lambda anew, and refined where v is what
 * exceeds the tolerance; the best iterate is kept. */
static saddle_status check(iteration *it)
{
    saddle_solution *solution = it->solution;
    double tolerance = it->call->options->tolerance;
    saddle_status status = operator_velocity(it->problem, &it->state->W, solution->lambda,
                                             solution->v);
    if (status != SADDLE_OK) return status;
    const saddle_residual *residual = measure(it);
    if (residual->dynamics > tolerance) {
        status = refine_velocity(it->problem, &it->state->W, solution->lambda, solution->v);
        if (status != SADDLE_OK) return status;
        residual = measure(it);
    }
    it->total = saddle__error_of(residual, tolerance);
    it->dynamics = residual->dynamics;
    it->per_change = it->sweep.change > 0.0 ? it->total / it->sweep.change : 0.0;
    if (it->total < it->best) {
        it->best = it->total;
        saddle__copy(it->state->best, solution->lambda, it->problem->m);
    }
    return SADDLE_OK;
}

/* As scheduled, after the last sweep, and where the change of the sweep promises the tolerance, or
 * nothing moves any more. */
static int check_is_due(const iteration *it)
{
    double tolerance = it->call->options->tolerance;
    int promising = it->per_change > 0.0 && it->per_change * it->sweep.change <= tolerance;

    return it->sweeps >= it->next_check || it->sweeps >= it->limit ||
           it->now >= it->call->deadline || (it->round > 0 && it->sweeps >= it->round_end) ||
           (it->settings->check_every == 0 && (promising || it->sweep.change == 0.0));
}

/* 1: one sweep may be exact: no two groups share an entry of W, or W is not formed. */
static int may_be_exact(const delassus_operator *W)
{
    return W->form == OPERATOR_FREE || W->rows.start[W->m] == 0;
}

/* check_every = 0: after 1 sweep that may be exact, then after 4, 16, 32, 48, .. sweeps. */
static void schedule(iteration *it)
{
    int64_t every = it->settings->check_every;
    int64_t chosen = it->sweeps < 6 ? 3 * it->sweeps : 16;
    if (it->sweeps == 0) chosen = may_be_exact(it->sweep.W) ? 1 : 4;
    it->next_check = it->sweeps + (every > 0 ? every : chosen);
}

static saddle_status sweep_once(iteration *it)
{
    run_sweep(&it->sweep);
    it->sweeps++;
    if (it->timed) it->now = saddle_clock();
    int finite = saddle__is_finite(it->solution->lambda, it->problem->m);
    return finite && isfinite(it->sweep.change) ? SADDLE_OK : SADDLE_DIVERGED;
}

static saddle_status interrupted(iteration *it)
{
    saddle_solver_call *call = it->call;
    double estimate = it->per_change > 0.0 ? it->per_change * it->sweep.change : it->total;
    if (saddle_context_progress(call->context, "solve", it->sweeps, it->limit, estimate,
                                it->now - it->start))
        return SADDLE_STOPPED;
    if (it->now >= call->deadline) return SADDLE_TIME_LIMIT;
    return it->sweeps >= it->limit ? SADDLE_ITERATION_LIMIT : SADDLE_OK;
}

/* Where contacts exchange impulses at constant speed, differences of sweeps are rounding, and
 * accelerated sweeps stay in place: of 200 sweeps without halving the residual, 50 are plain. */
static void accelerate(iteration *it)
{
    gauss_seidel *state = it->state;
    int64_t stalled = it->sweeps - it->milestone_sweep;
    if (it->problem->contact_count > 0 && stalled >= 200 && stalled % 200 < 50) {
        saddle__anderson_restart(&state->anderson);
        return;
    }
    if (saddle__anderson_step(&state->anderson, state->point, it->solution->lambda)) {
        jump(&it->sweep, state->point);
    }
}

/* Sweeps end where the residual stays, unless the caller says how many there are. */
static saddle_status end_when_stuck(iteration *it)
{
    if (it->best <= 0.5 * it->milestone) {
        it->milestone = it->best;
        it->milestone_sweep = it->sweeps;
    }
    int stuck = it->sweeps - it->milestone_sweep >= PATIENCE;
    return stuck && it->call->options->max_iterations == 0 ? SADDLE_NOT_CONVERGED : SADDLE_OK;
}

/* SADDLE_NOT_CONVERGED: a round ends without a tenth of its first residual; or the second third of
 * the first round leaves more than a quarter of what the first third left, and more than 0.005. */
static saddle_status end_round(iteration *it)
{
    const int64_t thirds = it->round / 3 * 2;
    if (it->round == 0 || it->sweeps < it->round_end) return SADDLE_OK;
    if (it->sweeps < it->round && thirds > 0) {
        int slow = it->best > 0.25 * it->third;
        if (it->sweeps >= thirds && slow && it->best > 0.005) return SADDLE_NOT_CONVERGED;
        it->round_end = it->sweeps < thirds ? thirds : it->round;
        it->third = it->best;
        return SADDLE_OK;
    }
    if (it->best > 0.1 * it->round_start) return SADDLE_NOT_CONVERGED;
    it->round_start = it->best;
    it->round_end = it->sweeps + it->round;
    return SADDLE_OK;
}

/* Measures the start; without impulses its residual counts as 1, and the first sweep tells more. */
static saddle_status begin(iteration *it)
{
    saddle_status status = SADDLE_OK;
    it->total = 1.0;
    if (it->problem->m == 0 || !saddle__is_zero(it->solution->lambda, it->problem->m))
        status = check(it);
    else if (it->state->W.form == OPERATOR_FREE)
        status = operator_velocity(it->problem, &it->state->W, it->solution->lambda,
                                   it->solution->v);
    it->round_start = it->total;
    it->round_end = it->round < 3 ? it->round : it->round / 3;
    schedule(it);
    return status;
}

/* Sweeps, each followed by a step of the acceleration. */
static saddle_status iterate(iteration *it)
{
    int64_t m = it->problem->m;
    gauss_seidel *state = it->state;
    double *lambda = it->solution->lambda;
    saddle_status status = begin(it);
    int solved = it->total <= it->call->options->tolerance;
    while (status == SADDLE_OK && !solved) {
        status = interrupted(it);
        if (status != SADDLE_OK) break;
        saddle__copy(state->point, lambda, m);
        status = sweep_once(it);
        if (status != SADDLE_OK) break;
        if (check_is_due(it)) {
            status = check(it);
            schedule(it);
            solved = it->total <= it->call->options->tolerance;
            if (status == SADDLE_OK && !solved) status = end_round(it);
            if (status == SADDLE_OK && !solved) status = end_when_stuck(it);
            if (status == SADDLE_OK && it->sweep.change == 0.0 && !solved)
                return SADDLE_NOT_CONVERGED;
        }
        if (status != SADDLE_OK || solved) break;
        accelerate(it);
    }
    if (status == SADDLE_OK && solved) saddle__copy(state->best, lambda, m);
    return status;
}

/* The best iterate with v; a note about a contact with an unsolved law. */
static saddle_status finish(iteration *it, saddle_status status)
{
    saddle_report *report = it->call->report;
    report->iterations = it->sweeps;
    if (status < 0) return status;
    if (status != SADDLE_OK && it->sweep.worst >= 0 &&
        it->sweep.unsolved > it->call->options->tolerance) {
        char name[128];
        saddle_problem_describe_row(it->problem, it->sweep.worst, name, sizeof name);
        saddle__report_note(report,
                            "the law of the contact at %s, the others held, was met to %.1e only",
                            name, it->sweep.unsolved);
    }
    if (isfinite(it->best))
        saddle__copy(it->solution->lambda, it->state->best, it->problem->m);
    else
        saddle__zero(it->solution->lambda, it->problem->m);
    saddle_status velocity = SADDLE_OK;
    int exact = status == SADDLE_OK && it->dynamics <= SADDLE__ROUNDING; /* v of the last check */
    if (status != SADDLE_OK)
        velocity = operator_velocity(it->problem, &it->state->W, it->solution->lambda,
                                     it->solution->v);
    if (velocity == SADDLE_OK && !exact)
        velocity = refine_velocity(it->problem, &it->state->W, it->solution->lambda,
                                   it->solution->v);
    return velocity < 0 ? velocity : status;
}

saddle_status saddle__sweep_in_rounds(saddle_solver_call *call, void *data, int64_t round,
                                      const saddle_problem *problem, saddle_solution *solution)
{
    gauss_seidel *state = data;
    iteration it = {.call = call,
                    .round = round,
                    .settings = call->settings,
                    .state = state,
                    .problem = problem,
                    .solution = solution,
                    .best = INFINITY,
                    .milestone = INFINITY};
    it.limit = call->options->max_iterations > 0 ? call->options->max_iterations : MOST_SWEEPS;
    it.timed = isfinite(call->deadline) || (call->context && call->context->options.progress);
    it.start = it.now = saddle_clock();
    it.sweep.problem = problem;
    it.sweep.W = &state->W;
    it.sweep.group = state->group;
    it.sweep.groups = saddle__groups_find(problem, state->group);
    it.sweep.d = state->anderson.weight;
    it.sweep.root = state->root;
    it.sweep.facets = saddle_problem_facets(problem);
    it.sweep.relaxation = it.settings->relaxation;
    it.sweep.lambda = solution->lambda;
    it.sweep.v = solution->v;
    it.sweep.worst = -1;
    weigh(state, it.sweep.groups);
    saddle__anderson_restart(&state->anderson);
    saddle_status status = operator_prepare(problem, &state->W, solution->v);
    if (status == SADDLE_OK) status = iterate(&it);
    return finish(&it, status);
}

static saddle_status solve(saddle_solver_call *call, void *data, const saddle_problem *problem,
                           saddle_solution *solution)
{
    return saddle__sweep_in_rounds(call, data, 0, problem, solution);
}

static const saddle_setting settings[] = {
    {.name = "relaxation",
     .kind = SADDLE_SETTING_REAL,
     .offset = offsetof(gauss_seidel_settings, relaxation),
     .initial = 1.0,
     .least = 0.01,
     .most = 1.99,
     .summary = "over-relaxation factor of a sweep"},
    {.name = "check_every",
     .kind = SADDLE_SETTING_INTEGER,
     .offset = offsetof(gauss_seidel_settings, check_every),
     .most = 1e9,
     .summary = "sweeps between residual checks; 0 = chosen by the progress"},
    {.name = NULL},
};

const saddle_solver_type saddle__solver_gauss_seidel = {
    .name = "gauss-seidel",
    .summary =
        "projected and block Gauss-Seidel on rows and contacts; every row kind, every contact law",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(gauss_seidel),
    .settings = settings,
    .settings_size = sizeof(gauss_seidel_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
    .condenses = 1,
};
