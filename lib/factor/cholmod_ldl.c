/* SPDX-License-Identifier: MIT */
/* "cholmod": P A P' = L D L' by CHOLMOD's simplicial up-looking kernel, row by row, so that each
 * pivot is checked before later rows use the pivot.  Or by the same algorithm in single precision:
 * every entry, product, sum and pivot is a float; solves are in double with these L and D.
 *
 * The order is the engine's, the counts are CHOLMOD's.  analyse permutes A into an upper triangle
 * with an index map, and allocates L with exact column counts; factor calls cholmod_rowfac, and
 * allocates nothing.  References: Davis and Hager, ACM TOMS 35(4), 2009 (CHOLMOD); Davis, ACM
 * TOMS 31(4), 2005 (up-looking LDL'). */
#include <math.h>
#include <string.h>

#include "factor/factorization_internal.h"
#include "ldlt/ldlt_internal.h"
#include "matrix/cholmod_view.h"

typedef struct ldl_state {
    saddle__layout layout;
    cholmod_common common;
    int started;
    cholmod_factor *L;    /* L and D by columns, the permutation */
    cholmod_sparse upper; /* the upper triangle of P A P', rows of a column in no particular
                             order */
    int64_t *upper_start; /* n + 1 */
    int64_t *upper_index; /* entries of A */
    double *upper_value;
    int64_t *map;      /* entry of A -> entry of upper */
    int64_t *position; /* n: where node i is eliminated */
    int64_t *fill;     /* n: scratch of analyse; marks of single precision */
    double *pivot;     /* n: D by position */
    double *work;      /* n: zero between calls */
    float *row;        /* n: scratch of single precision, zero between calls */
} ldl_state;

static void clear(saddle__factorization *F)
{
    ldl_state *s = F->state;
    if (s->started) {
        cholmod_l_free_factor(&s->L, &s->common);
        cholmod_l_finish(&s->common);
    }
    saddle__layout_clear(F->context, &s->layout);
}

/* ---- analyse ---- */

static void start_cholmod(ldl_state *s)
{
    saddle__cholmod_start(&s->common);
    s->started = 1;
    s->common.supernodal = CHOLMOD_SIMPLICIAL;
    s->common.final_ll = 0;
    s->common.grow2 = 0; /* columns of L have their exact counts: nothing grows */
    s->common.postorder = 1;
    s->common.nmethods = 1;
    s->common.method[0].ordering = CHOLMOD_GIVEN;
}

/* The engine's order, and L's symbolic factor.  CHOLMOD's postorder keeps a node behind earlier
 * neighbours, which are descendants in the tree. */
static saddle_status order(saddle__factorization *F, ldl_state *s, const saddle_matrix *A,
                           const signed char *late)
{
    saddle__ldlt_request request = {.ordering = F->ordering, .late = late};
    saddle__ordered ordered = {.order = NULL};
    cholmod_sparse pattern = saddle__cholmod_pattern(F->n, F->n, A->start, A->index, -1);
    saddle_status status = saddle__ordered_make(F->context, A, &request, &ordered);
    if (status == SADDLE_OK) {
        s->L = cholmod_l_analyze_p(&pattern, ordered.order, NULL, 0, &s->common);
        if (!s->L || s->common.status < CHOLMOD_OK)
            status = saddle__cholmod_failed(F->context, &s->common, F->n);
    }
    saddle__ordered_clear(F->context, &ordered);
    if (status != SADDLE_OK) return status;
    const int64_t *perm = s->L->Perm;
    for (int64_t k = 0; k < F->n; k++) s->position[perm[k]] = k;
    return SADDLE_OK;
}

static void permute_pattern(saddle__factorization *F, ldl_state *s, const saddle_matrix *A)
{
    const int64_t *position = s->position;
    for (int64_t j = 0; j < F->n; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = position[A->index[k]];
            int64_t b = position[j];
            s->upper_start[(a > b ? a : b) + 1]++;
        }
    }
    for (int64_t k = 0; k < F->n; k++) s->upper_start[k + 1] += s->upper_start[k];
    int64_t *fill = s->fill;
    memcpy(fill, s->upper_start, (size_t)F->n * sizeof *fill);
    for (int64_t j = 0; j < F->n; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = position[A->index[k]];
            int64_t b = position[j];
            int64_t at = fill[a > b ? a : b]++;
            s->upper_index[at] = a > b ? b : a;
            s->map[k] = at;
        }
    }
    s->upper = saddle__cholmod_pattern(F->n, F->n, s->upper_start, s->upper_index, 1);
    s->upper.x = s->upper_value;
    s->upper.xtype = CHOLMOD_REAL;
}

static saddle_status make_arrays(saddle_context *context, ldl_state *s, int64_t n, int64_t entries)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(s->upper_start, n + 1),
                                    SADDLE__ARRAY(s->upper_index, entries),
                                    SADDLE__ARRAY(s->upper_value, entries),
                                    SADDLE__ARRAY(s->map, entries),
                                    SADDLE__ARRAY(s->position, n),
                                    SADDLE__ARRAY(s->fill, n),
                                    SADDLE__ARRAY(s->pivot, n),
                                    SADDLE__ARRAY(s->work, n),
                                    SADDLE__ARRAY(s->row, n)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status analyse(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late)
{
    ldl_state *s = F->state;
    int64_t n = F->n;
    SADDLE__TRY(make_arrays(F->context, s, n, F->entries));
    start_cholmod(s);
    SADDLE__TRY(order(F, s, A, late));
    permute_pattern(F, s, A);
    size_t size = (size_t)n; /* all that factor will need of CHOLMOD: L's arrays, workspace */
    if (!cholmod_l_change_factor(CHOLMOD_REAL, 0, 0, 0, 1, s->L, &s->common) ||
        !cholmod_l_allocate_work(size, size, size, &s->common))
        return saddle__cholmod_failed(F->context, &s->common, n);
    F->counts.peak_bytes = (int64_t)s->common.memory_usage;
    saddle__factor_components(F, A, s->L->Perm);
    return SADDLE_OK;
}

/* ---- factor ---- */

static void count_pivot(saddle__factor_counts *counts, double d, double scale, double *least,
                        double *most)
{
    if (isinf(d)) {
        counts->inertia.zero++;
        return;
    }
    counts->inertia.positive += d > 0.0;
    counts->inertia.negative += d < 0.0;
    *least = fmin(*least, fabs(d) / scale);
    *most = fmax(*most, fabs(d) / scale);
}

/* Puts the path from node i to row k in the elimination tree before the reach of k, top .. n - 1,
 * down to the first node marked: fill[j] = k. */
static void reach_from(const ldl_state *s, int64_t i, int64_t k, int64_t *top)
{
    const int64_t *start = s->L->p;
    const int64_t *length = s->L->nz;
    int64_t *path = (int64_t *)s->common.Iwork; /* n: the path at the front, the reach at the end */
    int64_t count = 0;
    for (; s->fill[i] != k; i = ((const int64_t *)s->L->i)[start[i] + 1]) {
        path[count++] = i;
        s->fill[i] = k;
        if (length[i] == 1) break; /* the parent is k itself */
    }
    while (count > 0) path[--*top] = path[--count];
}

/* Row k of L and pivot k in float: L_11 y = a, l = D^-1 y, d = a_kk - l'y, over the nodes of the
 * elimination tree below k's entries (Davis, ACM TOMS 31(4), 2005). */
static void factor_row_single(ldl_state *s, int64_t k)
{
    const int64_t *start = s->L->p;
    int64_t *length = s->L->nz, *row = s->L->i, *reach = (int64_t *)s->common.Iwork;
    double *value = s->L->x;
    int64_t n = (int64_t)s->L->n, top = n;
    s->fill[k] = k;
    for (int64_t t = s->upper_start[k]; t < s->upper_start[k + 1]; t++) {
        s->row[s->upper_index[t]] += (float)s->upper_value[t];
        reach_from(s, s->upper_index[t], k, &top);
    }
    float d = s->row[k];
    s->row[k] = 0.0F;
    for (; top < n; top++) {
        int64_t j = reach[top], end = start[j] + length[j];
        float y = s->row[j], l = y / (float)s->pivot[j];
        s->row[j] = 0.0F;
        for (int64_t p = start[j] + 1; p < end; p++) s->row[row[p]] -= (float)value[p] * y;
        d -= l * y;
        row[end] = k;
        value[end] = l;
        length[j]++;
    }
    row[start[k]] = k;
    value[start[k]] = d;
}

static saddle_status factor_row(saddle__factorization *F, ldl_state *s, int64_t k)
{
    double beta[2] = {0.0, 0.0};
    if (F->single) {
        factor_row_single(s, k);
        return SADDLE_OK;
    }
    return cholmod_l_rowfac(&s->upper, NULL, beta, (size_t)k, (size_t)k + 1, s->L, &s->common)
               ? SADDLE_OK
               : saddle__cholmod_failed(F->context, &s->common, F->n);
}

static saddle_status factor(saddle__factorization *F, const saddle_matrix *A,
                            const saddle__pivot_rule *rule)
{
    ldl_state *s = F->state;
    cholmod_factor *L = s->L;
    for (int64_t k = 0; k < F->entries; k++) s->upper_value[s->map[k]] = A->value[k];
    const int64_t *perm = L->Perm;
    const int64_t *start = L->p;
    double *value = L->x;
    for (int64_t k = 0; k < F->n; k++) ((int64_t *)L->nz)[k] = 1;
    L->minor = L->n;
    double least = INFINITY;
    double most = 0.0;
    for (int64_t k = 0; k < F->n; k++) s->fill[k] = -1;
    for (int64_t k = 0; k < F->n; k++) {
        SADDLE__TRY(factor_row(F, s, k));
        double d = value[start[k]];
        double kept = saddle__amended_pivot(rule, perm[k], d);
        if (F->single && isfinite(kept)) kept = (float)kept;
        if (kept == 0.0) return saddle__pivot_failed(F->context, perm[k], d, &F->counts);
        if (kept != d && F->counts.perturbed_pivots++ == 0) F->counts.first_perturbed = perm[k];
        value[start[k]] = kept;
        L->minor = L->n; /* a zero pivot had set it */
        s->pivot[k] = kept;
        count_pivot(&F->counts, kept, rule->scale ? rule->scale[perm[k]] : 1.0, &least, &most);
    }
    for (int64_t k = 0; k < F->n; k++) F->counts.entries += ((int64_t *)L->nz)[k];
    F->counts.flops = s->common.fl;
    if (most > 0.0) F->counts.least_pivot = rule->scale ? least : least / most;
    if ((int64_t)s->common.memory_usage > F->counts.peak_bytes)
        F->counts.peak_bytes = (int64_t)s->common.memory_usage;
    return SADDLE_OK;
}

/* ---- solve ---- */

/* The position of the t-th node of a set, NULL = all nodes in the order of elimination. */
static int64_t position_of(const ldl_state *s, const int64_t *set, int64_t t)
{
    return set ? s->position[set[t]] : t;
}

/* L D L' y = y over `count` nodes, closed under elimination and in the order of elimination.
 * (cholmod_solve2 allocates.) */
static void substitute(const ldl_state *s, const int64_t *set, int64_t count, double *y)
{
    const int64_t *start = s->L->p;
    const int64_t *length = s->L->nz;
    const int64_t *row = s->L->i;
    const double *l = s->L->x;
    for (int64_t t = 0; t < count; t++) {
        int64_t k = position_of(s, set, t);
        double yk = y[k];
        if (yk == 0.0) continue;
        for (int64_t p = start[k] + 1; p < start[k] + length[k]; p++) y[row[p]] -= l[p] * yk;
    }
    for (int64_t t = count - 1; t >= 0; t--) {
        int64_t k = position_of(s, set, t);
        double xk = y[k] / s->pivot[k];
        for (int64_t p = start[k] + 1; p < start[k] + length[k]; p++) xk -= l[p] * y[row[p]];
        y[k] = xk;
    }
}

static saddle_status solve(saddle__factorization *F, double *x)
{
    ldl_state *s = F->state;
    for (int64_t i = 0; i < F->n; i++) s->work[s->position[i]] = x[i];
    substitute(s, NULL, F->n, s->work);
    for (int64_t i = 0; i < F->n; i++) x[i] = s->work[s->position[i]];
    memset(s->work, 0, (size_t)F->n * sizeof *s->work);
    return SADDLE_OK;
}

/* The set's components lie in the order of elimination. */
static saddle_status solve_set(saddle__factorization *F, int64_t columns, const int64_t *start,
                               const int64_t *index, const double *value, double *X)
{
    ldl_state *s = F->state;
    for (int64_t c = 0; c < columns; c++) {
        for (int64_t e = start[c]; e < start[c + 1]; e++)
            s->work[s->position[index[e]]] += value[e];
        substitute(s, F->set, F->set_count, s->work);
        for (int64_t t = 0; t < F->set_count; t++) {
            int64_t k = s->position[F->set[t]];
            X[F->set[t] * columns + c] = s->work[k];
            s->work[k] = 0.0;
        }
    }
    return SADDLE_OK;
}

static void add_squares(const saddle__factorization *F, double *sum)
{
    const ldl_state *s = F->state;
    const int64_t *perm = s->L->Perm;
    const int64_t *start = s->L->p;
    const int64_t *length = s->L->nz;
    const int64_t *row = s->L->i;
    const double *l = s->L->x;
    for (int64_t k = 0; k < F->n; k++) {
        if (isinf(s->pivot[k])) continue; /* dropped */
        double d = fabs(s->pivot[k]);
        sum[perm[k]] += d;
        for (int64_t p = start[k] + 1; p < start[k] + length[k]; p++)
            sum[perm[row[p]]] += l[p] * l[p] * d;
    }
}

const saddle__factor_method saddle__factor_cholmod = {
    .name = "cholmod",
    .symmetric_only = 1,
    .state_size = sizeof(ldl_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .solve_set = solve_set,
    .add_squares = add_squares,
    .clear = clear,
};
