/* SPDX-License-Identifier: MIT */
/* See active_rows.h. */
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "active/active_rows.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "ldlt/costs.h"
#include "ldlt/ldlt_internal.h"

void saddle__active_rows_free(saddle__active_rows *A)
{
    if (!A) return;
    saddle__kkt_clear(&A->kkt);
    saddle__ldlt_free(A->F);
    saddle__layout_clear(A->context, &A->layout);
    saddle_release(A->context, A);
}

/* ======== create ======== */

static int64_t widest_front(const saddle__ldlt *F)
{
    int64_t widest = 0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t rows = F->first[s + 1] - F->first[s] + F->row_start[s + 1] - F->row_start[s];
        if (rows > widest) widest = rows;
    }
    return widest;
}

/* entries: of J, and of both triangles of R. */
static saddle_status make_arrays(saddle_context *context, saddle__active_rows *A, int64_t entries,
                                 int64_t widest)
{
    int64_t m = A->m, size = A->size;
    const saddle__array arrays[] = {SADDLE__ARRAY(A->toggles, m),
                                    SADDLE__ARRAY(A->in, m),
                                    SADDLE__ARRAY(A->masked, saddle_matrix_entries(&A->kkt.K)),
                                    SADDLE__ARRAY(A->row_start, m + 1),
                                    SADDLE__ARRAY(A->row_node, entries),
                                    SADDLE__ARRAY(A->row_entry, entries),
                                    SADDLE__ARRAY(A->added, size),
                                    SADDLE__ARRAY(A->scale, size),
                                    SADDLE__ARRAY(A->sign, size),
                                    SADDLE__ARRAY(A->x, size),
                                    SADDLE__ARRAY(A->front, widest),
                                    SADDLE__ARRAY(A->column, widest),
                                    SADDLE__ARRAY(A->rhs, size),
                                    SADDLE__ARRAY(A->correction, size),
                                    SADDLE__ARRAY(A->modulus, size),
                                    SADDLE__ARRAY(A->best, size),
                                    SADDLE__ARRAY(A->norm, size),
                                    SADDLE__ARRAY(A->unit, size)};
    return saddle__layout_make(context, &A->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status allocate(saddle__active_rows *A, const saddle_problem *problem)
{
    int64_t entries = saddle_matrix_entries(&problem->Jt) + 2 * saddle_matrix_entries(&problem->R);
    int64_t widest = widest_front(A->F);
    saddle_status status = make_arrays(A->context, A, entries, widest);
    return status;
}

/* Entries of K by rows n + i, from its lower triangle by columns: counted, then placed. */
static void place_entry(saddle__active_rows *A, int placing, int64_t node, int64_t other,
                        int64_t entry)
{
    int64_t row = node - A->n;
    if (row < 0) return;
    if (placing) {
        A->row_node[A->row_start[row]] = other;
        A->row_entry[A->row_start[row]++] = entry;
    } else {
        A->row_start[row + 1]++;
    }
}

static void walk_entries(saddle__active_rows *A, int placing)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            if (i == j) continue;
            place_entry(A, placing, i, j, k);
            place_entry(A, placing, j, i, k);
        }
    }
}

static void index_rows(saddle__active_rows *A)
{
    walk_entries(A, 0);
    for (int64_t i = 0; i < A->m; i++) A->row_start[i + 1] += A->row_start[i];
    walk_entries(A, 1); /* each start has moved to the end of its row */
    for (int64_t i = A->m; i > 0; i--) A->row_start[i] = A->row_start[i - 1];
    A->row_start[0] = 0;
}

/* Rows that toggle follow a velocity in the order unless every change factors K: a pivot equal to
 * the compliance alone would swamp the velocities' digits, and taking the row out would not restore
 * the digits. */
static saddle_status analyse(saddle__active_rows *A, const saddle__active_request *request)
{
    signed char *late = saddle_allocate(A->context, A->size, sizeof(*late));
    if (!late) return SADDLE_OUT_OF_MEMORY;
    if (request->late) memcpy(late, request->late, (size_t)A->size * sizeof(*late));
    for (int64_t i = 0; i < A->m && A->method != SADDLE__ACTIVE_MASK; i++)
        if ((!request->toggles || request->toggles[i]) && late[A->n + i] == SADDLE__ANY_TIME)
            late[A->n + i] = SADDLE__AFTER_OTHER_KIND;
    saddle__ldlt_request asked = {.ordering = request->ordering,
                                  .late = late,
                                  .threads = request->threads};
    saddle_status status = saddle__ldlt_analyse(A->context, &A->kkt.K, &asked, &A->F);
    saddle_release(A->context, late);
    return status;
}

/* counts.factor_time */
static void foresee_time(saddle__active_rows *A)
{
    const saddle__ldlt *F = A->F;
    for (int64_t s = 0; s < F->supernodes; s++) {
        double k = (double)(F->first[s + 1] - F->first[s]);
        double u = (double)(F->row_start[s + 1] - F->row_start[s]);
        A->counts.factor_time += saddle__front_time(k, u);
    }
}

static saddle_status fill_in(saddle__active_rows *A, const saddle_problem *problem,
                             const saddle__active_request *request)
{
    saddle_status status = saddle__kkt_create(A->context, problem, 0, &A->kkt);
    if (status != SADDLE_OK) return status;
    if (A->kkt.K.symmetry != SADDLE_SYMMETRY_LOWER)
        return saddle_fail(A->context, SADDLE_UNSUPPORTED, "active rows: M or R is unsymmetric");
    A->size = A->n + A->m;
    status = analyse(A, request);
    if (status == SADDLE_OK) status = allocate(A, problem);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < A->m; i++) A->toggles[i] = !request->toggles || request->toggles[i];
    index_rows(A);
    foresee_time(A);
    return SADDLE_OK;
}

saddle_status saddle__active_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle__active_request *request,
                                         saddle__active_rows **active)
{
    *active = NULL;
    saddle__active_rows *A = saddle_allocate(context, 1, sizeof(*A));
    if (!A) return SADDLE_OUT_OF_MEMORY;
    A->context = context;
    A->method = request->method;
    A->tolerance = request->tolerance > 0.0 ? request->tolerance : SADDLE__PRODUCT_ROUNDING;
    A->n = problem->n;
    A->m = problem->m;
    saddle_status status = fill_in(A, problem, request);
    if (status != SADDLE_OK) {
        saddle__active_rows_free(A);
        return status;
    }
    *active = A;
    return SADDLE_OK;
}

/* ======== refined solves ======== */
/* Solves for the active rows, refined against the values as given, K_A without regularization:
 *
 *     r = b - K_A x,   omega = max_i |r_i| / s_i,   s = |K_A||x| + |b|,   x += (K as factored)^-1 r
 *
 * omega is the componentwise backward error (Oettli and Prager 1964; saddle__backward_share), t_i
 * in natural units d = scale^-1/2.  A large omega shows a factor worn by modifications. */

static void clear_rows_out(const saddle__active_rows *A, double *x)
{
    for (int64_t i = 0; i < A->m; i++)
        if (!A->in[i]) x[A->n + i] = 0.0;
}

/* x (size) <- K_A^-1 x; zero in inactive rows. */
static void apply(saddle__active_rows *A, double *x)
{
    clear_rows_out(A, x);
    saddle__ldlt_solve(A->F, SADDLE__LDLT_WHOLE, 1, x, A->size);
    clear_rows_out(A, x);
}

enum { MOST_CORRECTIONS = 8 };

/* least reduction of omega by a correction */
static const double enough = 0.5;
static const double much_worse = 10.0; /* than the omega of a fresh factor */

static int is_out(const saddle__active_rows *A, int64_t node)
{
    return node >= A->n && !A->in[node - A->n];
}

/* r <- b - K_A x, s <- |K_A||x| + |b|; 0 in inactive rows, where x is 0 */
static void form_residual(const saddle__active_rows *A, const double *x, const double *b, double *r,
                          double *s)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t i = 0; i < A->size; i++) {
        r[i] = b[i];
        s[i] = fabs(b[i]);
    }
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            double product = K->value[k] * x[j];
            r[i] -= product;
            s[i] += fabs(product);
            if (i == j) continue;
            double mirrored = K->value[k] * x[i];
            r[j] -= mirrored;
            s[j] += fabs(mirrored);
        }
    }
    for (int64_t i = A->n; i < A->size; i++)
        if (is_out(A, i)) r[i] = s[i] = 0.0;
}

/* The largest |x| and |b| of active nodes, in natural units; infinite where x is not finite. */
static double largest_of(const saddle__active_rows *A, const double *x, const double *b)
{
    double most = 0.0;
    double poison = 0.0;
    for (int64_t i = 0; i < A->size; i++) {
        if (is_out(A, i)) continue;
        double own = saddle__larger(fabs(x[i]) / A->unit[i], fabs(b[i]) * A->unit[i]);
        most = saddle__larger(most, own);
        poison += 0.0 * x[i];
    }
    return poison == 0.0 ? most : (double)INFINITY;
}

/* omega; *normwise: the same against s_i + t_i throughout, which falls even where x_i should be
 * zero and omega stays 1 until x_i is at rounding level. */
static double backward_error(const saddle__active_rows *A, const double *x, const double *b,
                             const double *r, const double *s, double *normwise)
{
    *normwise = 0.0;
    double most = largest_of(A, x, b);
    if (isinf(most)) return most;
    double error = 0.0;
    for (int64_t i = 0; i < A->size; i++) {
        if (r[i] == 0.0) continue;
        double t = A->norm[i] * most + fabs(b[i]);
        double share = saddle__backward_share(fabs(r[i]), s[i], t, A->size);
        *normwise = fmax(*normwise, fabs(r[i]) / (s[i] + t));
        if (!(share <= error)) error = isnan(share) ? (double)INFINITY : share;
    }
    return error;
}

/* Refines x, a first solution for b, as long as the error falls.  Returns omega. */
static double refine(saddle__active_rows *A, const double *b, double *x)
{
    double *r = A->correction;
    double least = (double)INFINITY;
    double least_normwise = (double)INFINITY;
    int best = 0; /* x is the best found; else A->best is */
    for (int step = 0;; step++) {
        double normwise;
        form_residual(A, x, b, r, A->modulus);
        double error = backward_error(A, x, b, r, A->modulus, &normwise);
        int gained = error <= enough * least || normwise <= enough * least_normwise;
        best = error < least || (error == least && normwise < least_normwise);
        if (best) {
            least = error;
            least_normwise = normwise;
        }
        if (least <= A->tolerance || step == MOST_CORRECTIONS || !gained || isinf(error)) break;
        if (best) saddle__copy(A->best, x, A->size);
        apply(A, r);
        for (int64_t i = 0; i < A->size; i++) x[i] += r[i];
        A->counts.corrections++;
    }
    if (!best && !isinf(least)) memcpy(x, A->best, (size_t)A->size * sizeof(*x));
    return least;
}

/* ======== walks ======== */
/* Walks in the tree of supernodes: where a sparse vector reaches, and L^-1 applied along the way,
 * in parts of supernodes. Reference: Gilbert and Liu, SIAM J. Matrix Anal. Appl. 14, 1993 (row
 * structure and elimination tree). */

static int64_t climb(saddle__ldlt *F, int64_t node, int64_t begin)
{
    int64_t length = 0;
    for (int64_t s = F->supernode[F->position[node]]; s >= 0 && F->mark[s] != F->stamp;
         s = F->parent[s]) {
        F->mark[s] = F->stamp;
        F->path[length++] = s;
    }
    while (length > 0) F->reach[--begin] = F->path[--length];
    return begin;
}

static void walk(saddle__active_rows *A, int64_t row)
{
    A->F->stamp++;
    int64_t begin = climb(A->F, A->n + row, A->F->supernodes);
    for (int64_t k = A->row_start[row]; k < A->row_start[row + 1]; k++)
        begin = climb(A->F, A->row_node[k], begin);
    A->reach = A->F->reach + begin;
    A->reach_count = A->F->supernodes - begin;
}

/* to -= a l over count entries */
static inline void subtract(int64_t count, double a, const double *restrict l, double *restrict to)
{
    for (int64_t t = 0; t < count; t++) to[t] -= a * l[t];
}

/* The first columns of supernode s applied to A->x. */
static void forward(saddle__active_rows *A, int64_t s, int64_t columns)
{
    const saddle__ldlt *F = A->F;
    int64_t k = F->first[s + 1] - F->first[s];
    int64_t u = F->row_start[s + 1] - F->row_start[s];
    const int32_t *row = F->row + F->row_start[s];
    double *own = A->x + F->first[s];
    double *below = A->front;
    for (int64_t t = 0; t < u; t++) below[t] = A->x[row[t]];
    for (int64_t j = 0; j < columns; j++) {
        const double *column = F->value + F->value_start[s] + j * (k + u);
        if (own[j] == 0.0) continue;
        subtract(k - j - 1, own[j], column + j + 1, own + j + 1);
        subtract(u, own[j], column + k, below);
    }
    for (int64_t t = 0; t < u; t++) A->x[row[t]] = below[t];
}

static void load(saddle__active_rows *A, int64_t row)
{
    for (int64_t k = A->row_start[row]; k < A->row_start[row + 1]; k++) {
        int64_t node = A->row_node[k];
        if (node >= A->n && !A->in[node - A->n]) continue;
        A->x[A->F->position[node]] += A->kkt.K.value[A->row_entry[k]];
    }
}

/* ======== modify ======== */
/* Rows put into the factor and taken out (Davis and Hager, SIAM J. Matrix Anal. Appl. 26, 2005).
 * With p the position of row i, inactive: -s_i on K's diagonal and zeros elsewhere,
 *
 *     [ K11  k12  .   ]   [ L11          ] [ D1         ] [ L11' l12  L31' ]
 *     [ k12' k22  k32'] = [ l12' 1       ] [    d22     ] [      1    l32' ]
 *     [ .    k32  K33 ]   [ L31  l32 L33 ] [        D33 ] [           L33' ]
 *
 *     L11 D1 l12 = k12,   d22 = k22 - l12'D1 l12,   l32 = (k32 - L31 D1 l12) / d22
 *     L33 D33 L33' <- L33 D33 L33' -+ d22 l32 l32'        - in, + out
 *
 * the last in place, column by column on the path to the root (Gill, Golub, Murray and Saunders
 * 1974, C1): with alpha w w' to be added,
 *
 *     p = w_j,  d' = d_j + alpha p^2,  beta = alpha p / d',  alpha <- alpha d_j / d',
 *     w_r -= p l_rj,  l_rj += beta w_r
 *
 * One forward solve x = L11^-1 k yields l12 = D1^-1 x and d22.  Where d22 vanishes, K is factored
 * anew, and so after a solve with a backward error that modifications of the factor explain. */

/* Row i in its supernode. */
typedef struct pivot_row {
    int64_t row;
    int64_t position;
    int64_t s;    /* supernode */
    int64_t j;    /* column in the supernode */
    int64_t k, u; /* its size */
    double *L;    /* its block */
} pivot_row;

static pivot_row locate(const saddle__active_rows *A, int64_t row)
{
    const saddle__ldlt *F = A->F;
    pivot_row p = {.row = row, .position = F->position[A->n + row]};
    p.s = F->supernode[p.position];
    p.j = p.position - F->first[p.s];
    p.k = F->first[p.s + 1] - F->first[p.s];
    p.u = F->row_start[p.s + 1] - F->row_start[p.s];
    p.L = F->value + F->value_start[p.s];
    return p;
}

/* ---- row p of L, left of its diagonal ---- */

/* where `position` is in the front of s, below its columns */
static int64_t place_of(const saddle__ldlt *F, int64_t s, int64_t position)
{
    int64_t low = F->row_start[s];
    int64_t high = F->row_start[s + 1];
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (F->row[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    assert(low < F->row_start[s + 1] && F->row[low] == position);
    return F->first[s + 1] - F->first[s] + low - F->row_start[s];
}

/* l12 <- D1^-1 x, over A->reach; x = 0 clears l12 */
static void write_left(saddle__active_rows *A, const pivot_row *p)
{
    const saddle__ldlt *F = A->F;
    for (int64_t t = 0; t < A->reach_count; t++) {
        int64_t s = A->reach[t];
        if (s > p->s) continue;
        int64_t columns = s < p->s ? F->first[s + 1] - F->first[s] : p->j;
        int64_t ld = F->first[s + 1] - F->first[s] + F->row_start[s + 1] - F->row_start[s];
        double *L = F->value + F->value_start[s] + (s < p->s ? place_of(F, s, p->position) : p->j);
        const double *x = A->x + F->first[s];
        const double *inverse = F->inverse + F->first[s];
        for (int64_t j = 0; j < columns; j++) L[j * ld] = inverse[j] * x[j];
    }
}

/* ---- the rank-1 change ---- */

/* w -= p l, l += beta w over count entries */
static inline void turn(int64_t count, double p, double beta, double *restrict l,
                        double *restrict w)
{
    for (int64_t t = 0; t < count; t++) {
        w[t] -= p * l[t];
        l[t] += beta * w[t];
    }
}

/* Columns [from, k) of supernode s; w in A->x, zero afterwards.  alpha: in and out. */
static void change_supernode(saddle__active_rows *A, int64_t s, int64_t from, double *alpha)
{
    saddle__ldlt *F = A->F;
    int64_t k = F->first[s + 1] - F->first[s];
    int64_t u = F->row_start[s + 1] - F->row_start[s];
    const int32_t *row = F->row + F->row_start[s];
    double *own = A->x + F->first[s];
    double *below = A->front;
    for (int64_t t = 0; t < u; t++) below[t] = A->x[row[t]];
    for (int64_t j = from; j < k; j++) {
        double p = own[j];
        if (p == 0.0) continue;
        own[j] = 0.0;
        double *pivot = F->pivot + F->first[s] + j;
        double d = *pivot;
        double added = *alpha * p * p;
        double size = fmax(fabs(d), fabs(added));
        double changed = d + added;
        if (changed == 0.0) changed = fmax(DBL_EPSILON * size, DBL_MIN); /* a rounding of the sum */
        *pivot = changed;
        F->inverse[F->first[s] + j] = 1.0 / changed;
        double beta = *alpha * p / changed;
        *alpha *= d / changed;
        double *column = F->value + F->value_start[s] + j * (k + u);
        turn(k - j - 1, p, beta, column + j + 1, own + j + 1);
        turn(u, p, beta, column + k, below);
    }
    for (int64_t t = 0; t < u; t++) A->x[row[t]] = below[t];
}

static void change_trailing(saddle__active_rows *A, const pivot_row *p, double alpha)
{
    int64_t from = p->j + 1;
    for (int64_t s = p->s; s >= 0; s = A->F->parent[s]) {
        change_supernode(A, s, from, &alpha);
        from = 0;
    }
}

/* ---- in ---- */

/* x left of p, and the new column p of L, undivided, in A->column, for the columns right of p and
 * the rows below.  Returns d22. */
static double find_pivot(saddle__active_rows *A, const pivot_row *p)
{
    const saddle__ldlt *F = A->F;
    const int32_t *below = F->row + F->row_start[p->s];
    double d22 = A->kkt.K.value[A->kkt.diagonal[A->n + p->row]] + A->added[A->n + p->row];
    for (int64_t t = 0; t < A->reach_count; t++) {
        int64_t s = A->reach[t];
        if (s > p->s) continue;
        int64_t columns = s < p->s ? F->first[s + 1] - F->first[s] : p->j;
        forward(A, s, columns);
        for (int64_t j = F->first[s]; j < F->first[s] + columns; j++)
            d22 -= A->x[j] * A->x[j] * F->inverse[j];
    }
    for (int64_t j = p->j + 1; j < p->k; j++) A->column[j] = A->x[F->first[p->s] + j];
    for (int64_t i = 0; i < p->u; i++) A->column[p->k + i] = A->x[below[i]];
    return d22;
}

static void clear_reach(saddle__active_rows *A)
{
    const saddle__ldlt *F = A->F;
    for (int64_t t = 0; t < A->reach_count; t++)
        for (int64_t j = F->first[A->reach[t]]; j < F->first[A->reach[t] + 1]; j++) A->x[j] = 0.0;
}

/* 0: the pivot vanishes; the factor is unchanged. */
static int put_in(saddle__active_rows *A, int64_t row)
{
    saddle__ldlt *F = A->F;
    pivot_row p = locate(A, row);
    walk(A, row);
    load(A, row);
    double d22 = find_pivot(A, &p);
    if (!(fabs(d22) > A->rule.smallest * A->scale[A->n + row])) {
        clear_reach(A);
        return 0;
    }
    write_left(A, &p);
    clear_reach(A);
    F->pivot[p.position] = d22;
    F->inverse[p.position] = 1.0 / d22;
    const int32_t *below = F->row + F->row_start[p.s];
    double *column = p.L + p.j * (p.k + p.u);
    for (int64_t j = p.j + 1; j < p.k; j++)
        A->x[F->first[p.s] + j] = column[j] = A->column[j] / d22;
    for (int64_t i = 0; i < p.u; i++) A->x[below[i]] = column[p.k + i] = A->column[p.k + i] / d22;
    change_trailing(A, &p, -d22);
    return 1;
}

/* ---- out ---- */

static void take_out(saddle__active_rows *A, int64_t row)
{
    saddle__ldlt *F = A->F;
    pivot_row p = locate(A, row);
    walk(A, row);
    write_left(A, &p); /* x is zero */
    const int32_t *below = F->row + F->row_start[p.s];
    double *column = p.L + p.j * (p.k + p.u);
    double d22 = F->pivot[p.position];
    for (int64_t j = p.j + 1; j < p.k; j++) A->x[F->first[p.s] + j] = column[j];
    for (int64_t i = 0; i < p.u; i++) A->x[below[i]] = column[p.k + i];
    memset(column + p.j + 1, 0, (size_t)(p.k + p.u - p.j - 1) * sizeof(*column));
    F->pivot[p.position] = -A->scale[A->n + row];
    F->inverse[p.position] = -1.0 / A->scale[A->n + row];
    change_trailing(A, &p, d22);
}

/* ======== mask ======== */
/* K factored for the active rows within the pattern of all: inactive rows have -s_i on the diagonal
 * and zeros elsewhere. */

static int is_masked(const saddle__active_rows *A, int64_t node)
{
    return node >= A->n && !A->in[node - A->n];
}

static void write_values(saddle__active_rows *A)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) {
        int out = is_masked(A, j);
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            A->masked[k] = out || is_masked(A, K->index[k]) ? 0.0 : K->value[k];
        A->masked[A->kkt.diagonal[j]] = out ? -A->scale[j]
                                            : A->masked[A->kkt.diagonal[j]] + A->added[j];
    }
}

static saddle_status factor_values(saddle__active_rows *A)
{
    write_values(A);
    saddle_matrix K = A->kkt.K;
    K.value = A->masked;
    return saddle__ldlt_factor(A->F, &K, &A->rule, &A->counts.factor);
}

static saddle_status factor(saddle__active_rows *A)
{
    A->factored = 0;
    A->counts.factorizations++;
    saddle_status status = factor_values(A);
    A->factored = A->fresh = status == SADDLE_OK;
    return status;
}

/* ---- the cheaper way, by the times of costs.h ---- */

/* MASK or MODIFY, by the times foreseen. */
static saddle__active_method pick_method(saddle__active_rows *A, int64_t count,
                                         const saddle__active_change *changes)
{
    const saddle__ldlt *F = A->F;
    double time = 0.0;
    for (int64_t c = 0; c < count && time <= A->counts.factor_time; c++) {
        if (A->in[changes[c].row] == (changes[c].in != 0)) continue;
        walk(A, changes[c].row);
        for (int64_t t = 0; t < A->reach_count; t++) {
            int64_t s = A->reach[t];
            double k = (double)(F->first[s + 1] - F->first[s]);
            double u = (double)(F->row_start[s + 1] - F->row_start[s]);
            time += SADDLE__TIME_VISIT + SADDLE__TIME_CHANGE * saddle__front_entries(k, u);
        }
    }
    return time <= A->counts.factor_time ? SADDLE__ACTIVE_MODIFY : SADDLE__ACTIVE_MASK;
}

/* ======== values ======== */

/* norm_i = sum_j |K_ij| d_j */
static void measure(saddle__active_rows *A)
{
    const saddle_matrix *K = &A->kkt.K;
    for (int64_t j = 0; j < A->size; j++) A->norm[j] = 0.0;
    for (int64_t j = 0; j < A->size; j++) {
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            int64_t i = K->index[k];
            A->norm[i] += fabs(K->value[k]) * A->unit[j];
            if (i != j) A->norm[j] += fabs(K->value[k]) * A->unit[i];
        }
    }
}

/* The regularization, and the rule. */
static void set_rule(saddle__active_rows *A, const saddle__active_values *values)
{
    for (int64_t i = 0; i < A->size; i++) {
        A->added[i] = values->added ? values->added[i] : 0.0;
        A->scale[i] = values->rule.scale[i];
        A->unit[i] = 1.0 / sqrt(A->scale[i]);
        A->sign[i] = values->rule.sign ? values->rule.sign[i] : 0;
    }
    A->rule = values->rule;
    A->rule.scale = A->scale;
    A->rule.sign = A->sign;
}

static void set_values(saddle__active_rows *A, const saddle_problem *problem,
                       const saddle__active_values *values)
{
    A->factored = 0;
    A->reached = 0.0;
    set_rule(A, values);
    saddle__kkt_refresh(&A->kkt, problem, values->kept);
    measure(A);
}

/* ======== factor, change, solve ======== */

saddle_status saddle__active_rows_factor(saddle__active_rows *A, const saddle_problem *problem,
                                         const saddle__active_values *values, const signed char *in)
{
    set_values(A, problem, values);
    for (int64_t i = 0; i < A->m; i++) A->in[i] = !in || in[i] || !A->toggles[i];
    return factor(A);
}

static int changes_anything(const saddle__active_rows *A, const saddle__active_change *change)
{
    return A->in[change->row] != (change->in != 0);
}

static saddle_status change_by_modifying(saddle__active_rows *A, int64_t count,
                                         const saddle__active_change *changes)
{
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++) {
        if (!changes_anything(A, &changes[k])) continue;
        int made = 1;
        A->in[changes[k].row] = changes[k].in != 0;
        A->fresh = 0;
        if (changes[k].in)
            made = put_in(A, changes[k].row);
        else
            take_out(A, changes[k].row);
        A->counts.modified += made;
        if (!made) status = factor(A);
    }
    return status;
}

saddle_status saddle__active_rows_change(saddle__active_rows *A, int64_t count,
                                         const saddle__active_change *changes)
{
    int64_t effective = 0;
    assert(A->factored);
    for (int64_t k = 0; k < count; k++) effective += changes_anything(A, &changes[k]);
    if (effective == 0) return SADDLE_OK;
    saddle__active_method method = A->method;
    if (method == SADDLE__ACTIVE_PICK) method = pick_method(A, count, changes);
    A->counts.method = method;
    if (method == SADDLE__ACTIVE_MODIFY) return change_by_modifying(A, count, changes);
    for (int64_t k = 0; k < count; k++) A->in[changes[k].row] = changes[k].in != 0;
    return factor(A);
}

/* Whether modifications of the factor may cause the error: not where a fresh factor did no better.
 */
static int is_worn_out(const saddle__active_rows *A, double error)
{
    return !A->fresh && error > A->tolerance && error > much_worse * A->reached;
}

/* x <- K_A^-1 b, refined, of b in A->rhs.  Returns omega. */
static double solve_refined(saddle__active_rows *A, double *x)
{
    saddle__copy(x, A->rhs, A->size);
    apply(A, x);
    return refine(A, A->rhs, x);
}

saddle_status saddle__active_rows_solve(saddle__active_rows *A, double *x)
{
    assert(A->factored);
    saddle__copy(A->rhs, x, A->size);
    double error = solve_refined(A, x);
    if (is_worn_out(A, error)) {
        saddle_status status = factor(A);
        if (status != SADDLE_OK) return status;
        error = solve_refined(A, x);
    }
    if (A->fresh && isfinite(error)) A->reached = fmax(A->reached, error);
    A->counts.error = error;
    for (int64_t i = A->n; i < A->size; i++) x[i] = 0.0 - x[i];
    return error <= A->tolerance ? SADDLE_OK : SADDLE_NOT_CONVERGED;
}
