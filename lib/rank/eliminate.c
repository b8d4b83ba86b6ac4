/* SPDX-License-Identifier: MIT */
/* Independent columns of a sparse B', chosen one after the other, each reduced by those before:
 *
 *     B'_S = L U       L (rows x rank): 1 at the pivots' coordinates, below 10 elsewhere;
 *                      U upper triangular
 *     B'_k = L u + x   x is zero at all pivots' coordinates.  If x vanishes, B'_k = B'_S U^-1 u
 *                      is dependent, else x becomes the next column of L
 *
 * The algorithm is left-looking and sparse (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9,
 * 1988): a column costs as many operations as the reduction has.  Among the entries of x within a
 * factor of 10 of the largest, the pivot is the coordinate in use by the fewest columns to come:
 * few of these columns need the reduction.  In a chain of joints the pivots then move to the bodies
 * left behind; by other choices each joint is written in the coordinates of all joints before.
 *
 * Guaranteed: each relation holds to the tolerance.  Pivots need not show a dependence (Kahan's
 * matrix); inverse iteration with U'U, close to B_S B'_S in the smallest singular value because L
 * is well conditioned, finds such a dependence, and the elimination is repeated with the row of the
 * largest part moved to the end, at most ELIMINATIONS times.
 *
 * First the rows are taken in their own order, in which a row is dependent exactly if it depends on
 * rows before; most systems, chains and stacks among them, are eliminated in this order.  If the
 * work exceeds a limit, rows parallel to a row before are set aside (in a wall of bricks a third of
 * all), and the others are eliminated in an order of little fill.  If this order exceeds a limit
 * too, least squares find the relations, and if a doubt is left, the rows' own order is completed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "base/unset.h"
#include "matrix/cholmod_view.h"
#include "rank/rank_internal.h"

enum { ELIMINATIONS = 16 };

/* Limits of an elimination in multiplications, absolute and for each entry of [J R]: in the rows'
 * own order, and in an order of little fill. */
static const double own_limit[] = {1e6, 15.0};
static const double fill_limit[] = {1e8, 300.0};

typedef struct triangle { /* columns appended one by one */
    int64_t *start;
    int64_t *index;
    double *value;
    int64_t columns, capacity;
} triangle;

typedef struct basis {
    saddle_context *context;
    saddle__layout layout;
    const saddle_matrix *Bt;
    double tolerance; /* largest residual of a relation */
    int counting;     /* 1: relations have no terms and are not verified */
    double work;      /* multiplications so far */
    int64_t rank;     /* pivots */
    int64_t *member;  /* rank: the column of each pivot */
    int64_t *at;      /* rank: the coordinate of each pivot */
    int64_t *pivot;   /* rows: the pivot at this coordinate; -1 = none */
    int64_t *users;   /* rows: columns of B' to come with an entry there */
    double *norm;     /* cols: |B'_k| */
    double *diagonal; /* rank: of U */
    triangle L, U;    /* L by coordinates without the 1; U by pivots without the diagonal */

    double *x;             /* rows: zero between columns, as are u and y */
    double *u, *y;         /* cols: by pivot */
    int64_t touched_count; /* entries of x that may be nonzero: */
    int64_t *touched;      /* rows */
    int64_t *mark;         /* rows: stamp of the last search that touched the entry */
    int64_t stamp;
    int64_t chosen_count; /* nonzero entries of u: */
    int64_t *chosen;      /* cols */
    int64_t terms_count;  /* entries of y that may be nonzero: */
    int64_t *terms;       /* cols */
    signed char *listed;  /* cols: 1 = in terms */
    uint64_t *queue;      /* a bit for each pivot to visit */
    int64_t queued;       /* number of bits */
    int64_t *other;       /* cols: a combination */
    double *factor;
} basis;

/* ---- memory ---- */

static saddle_status make_arrays(saddle_context *context, basis *b)
{
    int64_t rows = b->Bt->rows;
    int64_t cols = b->Bt->cols;
    const saddle__array arrays[] = {SADDLE__ARRAY(b->L.start, cols + 1),
                                    SADDLE__ARRAY(b->U.start, cols + 1),
                                    SADDLE__ARRAY(b->member, cols),
                                    SADDLE__ARRAY(b->at, cols),
                                    SADDLE__ARRAY(b->pivot, rows),
                                    SADDLE__ARRAY(b->users, rows),
                                    SADDLE__ARRAY(b->norm, cols),
                                    SADDLE__ARRAY(b->diagonal, cols),
                                    SADDLE__ARRAY(b->x, rows),
                                    SADDLE__ARRAY(b->u, cols),
                                    SADDLE__ARRAY(b->y, cols),
                                    SADDLE__ARRAY(b->touched, rows),
                                    SADDLE__ARRAY(b->mark, rows),
                                    SADDLE__ARRAY(b->chosen, cols),
                                    SADDLE__ARRAY(b->terms, cols),
                                    SADDLE__ARRAY(b->listed, cols),
                                    SADDLE__ARRAY(b->queue, cols / 64 + 1),
                                    SADDLE__ARRAY(b->other, cols),
                                    SADDLE__ARRAY(b->factor, cols)};
    return saddle__layout_make(context, &b->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status create(basis *b)
{
    const saddle_matrix *Bt = b->Bt;
    SADDLE__TRY(make_arrays(b->context, b));
    for (int64_t c = 0; c < Bt->rows; c++) b->pivot[c] = -1;
    for (int64_t k = 0; k < Bt->cols; k++) {
        double sum = 0.0;
        for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
            sum += Bt->value[p] * Bt->value[p];
            b->users[Bt->index[p]]++;
        }
        b->norm[k] = sqrt(sum);
    }
    return SADDLE_OK;
}

/* Room for `more` entries in the next column. */
static saddle_status reserve(saddle_context *context, triangle *T, int64_t more)
{
    int64_t needed = T->start[T->columns] + more;
    int64_t capacity = T->capacity;
    SADDLE__TRY(saddle__reserve(context, &T->index, &capacity, needed, sizeof *T->index));
    return saddle__reserve(context, &T->value, &T->capacity, needed, sizeof *T->value);
}

/* ---- sparse triangular solves ----
 *
 * Pivots with nonzero entries are queued when first met.  A term below rounding is not followed,
 * and cancelled terms cost nothing; the search of the graph beforehand (Gilbert and Peierls) would
 * visit all storeys below a redundant row of a tower. */

static void push(basis *b, int64_t p)
{
    uint64_t bit = UINT64_C(1) << (p & 63);
    if (b->queue[p >> 6] & bit) return;
    b->queue[p >> 6] |= bit;
    b->queued++;
}

/* The first pivot of the queue; *word: no pivot lies in a word before. */
static int64_t pop_first(basis *b, int64_t *word)
{
    while (b->queue[*word] == 0) ++*word;
    int bit = __builtin_ctzll(b->queue[*word]);
    b->queue[*word] &= b->queue[*word] - 1;
    b->queued--;
    return 64 * *word + bit;
}

/* The last pivot of the queue; *word: no pivot lies in a word behind. */
static int64_t pop_last(basis *b, int64_t *word)
{
    while (b->queue[*word] == 0) --*word;
    int bit = 63 - __builtin_clzll(b->queue[*word]);
    b->queue[*word] ^= UINT64_C(1) << bit;
    b->queued--;
    return 64 * *word + bit;
}

static void touch(basis *b, int64_t c)
{
    if (b->mark[c] == b->stamp) return;
    b->mark[c] = b->stamp;
    b->touched[b->touched_count++] = c;
}

/* x = 0 */
static void clear_x(basis *b)
{
    for (int64_t t = 0; t < b->touched_count; t++) b->x[b->touched[t]] = 0.0;
    b->touched_count = 0;
    b->stamp++;
}

/* x = u = y = 0 */
static void clear_vectors(basis *b)
{
    clear_x(b);
    for (int64_t t = 0; t < b->chosen_count; t++) b->u[b->chosen[t]] = 0.0;
    for (int64_t t = 0; t < b->terms_count; t++) {
        b->y[b->terms[t]] = 0.0;
        b->listed[b->terms[t]] = 0;
    }
    b->chosen_count = 0;
    b->terms_count = 0;
}

/* x = L u + x with the new x zero at all pivots' coordinates.  Returns the largest modulus of u. */
static double reduce(basis *b)
{
    const triangle *L = &b->L;
    double growth = 0.0;
    int64_t word = b->rank >> 6;
    b->chosen_count = 0;
    for (int64_t t = 0; t < b->touched_count; t++) {
        int64_t p = b->pivot[b->touched[t]];
        if (p < 0) continue;
        push(b, p);
        if (p >> 6 < word) word = p >> 6;
    }
    while (b->queued > 0) {
        int64_t p = pop_first(b, &word);
        double value = b->x[b->at[p]];
        b->x[b->at[p]] = 0.0;
        if (fabs(value) <= DBL_EPSILON * growth) continue;
        b->u[p] = value;
        b->chosen[b->chosen_count++] = p;
        growth = fmax(growth, fabs(value));
        for (int64_t q = L->start[p]; q < L->start[p + 1]; q++) {
            int64_t c = L->index[q];
            touch(b, c);
            b->x[c] -= L->value[q] * value;
            if (b->pivot[c] >= 0) push(b, b->pivot[c]);
        }
        b->work += (double)(L->start[p + 1] - L->start[p]);
    }
    return growth;
}

/* y += U^-1 u without the terms that are rounding beside `size`, the modulus of u; u = 0. */
static void back_substitute(basis *b, double size)
{
    const triangle *U = &b->U;
    int64_t word = 0;
    for (int64_t t = 0; t < b->chosen_count; t++) {
        push(b, b->chosen[t]);
        if (b->chosen[t] >> 6 > word) word = b->chosen[t] >> 6;
    }
    while (b->queued > 0) {
        int64_t p = pop_last(b, &word);
        double value = b->u[p];
        b->u[p] = 0.0;
        if (fabs(value) <= SADDLE__SUM_ROUNDING * size) continue;
        value /= b->diagonal[p];
        b->y[p] += value;
        if (!b->listed[p]) b->terms[b->terms_count++] = p;
        b->listed[p] = 1;
        for (int64_t q = U->start[p]; q < U->start[p + 1]; q++) {
            b->u[U->index[q]] -= U->value[q] * value;
            push(b, U->index[q]);
        }
        b->work += (double)(U->start[p + 1] - U->start[p]);
    }
    b->chosen_count = 0;
}

/* ---- combinations ---- */

/* x += factor B'_k */
static void add_column(basis *b, int64_t k, double factor)
{
    const saddle_matrix *Bt = b->Bt;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        touch(b, Bt->index[p]);
        b->x[Bt->index[p]] += factor * Bt->value[p];
    }
    b->work += (double)(Bt->start[k + 1] - Bt->start[k]);
}

/* The terms of y of modulus `least` or more into other and factor; x = column k minus these terms.
 * *residual: |x| over the sum of the terms' lengths.  Returns the number of terms. */
static int64_t subtract_terms(basis *b, int64_t k, double least, double *residual)
{
    int64_t count = 0;
    double size = b->norm[k];
    double sum = 0.0;
    clear_x(b);
    add_column(b, k, 1.0);
    for (int64_t t = 0; t < b->terms_count; t++) {
        double value = b->y[b->terms[t]];
        if (value == 0.0 || fabs(value) < least) continue;
        b->other[count] = b->member[b->terms[t]];
        b->factor[count] = value;
        add_column(b, b->other[count], -value);
        size += fabs(value) * b->norm[b->other[count++]];
    }
    for (int64_t t = 0; t < b->touched_count; t++) sum += b->x[b->touched[t]] * b->x[b->touched[t]];
    *residual = size > 0.0 ? sqrt(sum) / size : 0.0;
    return count;
}

/* The combination for column k, reduced before to u of modulus `size`, refined once.  A
 * term below half of the digits of the largest counts as rounding if the relation holds without
 * such terms.  Returns the number of terms; -1 if the relation does not hold to the tolerance, or
 * if k itself would be such a small term. */
static int64_t combine(basis *b, int64_t k, double size, double *residual)
{
    back_substitute(b, size);
    (void)subtract_terms(b, k, 0.0, residual);
    (void)reduce(b);
    back_substitute(b, size);
    double most = 1.0;
    for (int64_t t = 0; t < b->terms_count; t++) most = fmax(most, fabs(b->y[b->terms[t]]));
    int64_t count = subtract_terms(b, k, SADDLE__HALF_DIGITS * most, residual);
    if (!(*residual <= b->tolerance))
        count = subtract_terms(b, k, SADDLE__PRODUCT_ROUNDING * most, residual);
    int holds = *residual <= b->tolerance && SADDLE__HALF_DIGITS * most <= 1.0;
    clear_vectors(b);
    return holds ? count : -1;
}

/* ---- one column after the other ---- */

/* The largest entry of x, zero at all coordinates with a pivot; *at: the best
 * coordinate for the next one, -1 if x is zero. */
static double choose_pivot(const basis *b, int64_t *at)
{
    double most = 0.0;
    *at = -1;
    for (int64_t t = 0; t < b->touched_count; t++) most = fmax(most, fabs(b->x[b->touched[t]]));
    for (int64_t t = 0; t < b->touched_count && most > 0.0; t++) {
        int64_t c = b->touched[t];
        if (fabs(b->x[c]) < SADDLE__PIVOT_THRESHOLD * most) continue;
        if (*at < 0 || b->users[c] < b->users[*at] || (b->users[c] == b->users[*at] && c < *at))
            *at = c;
    }
    return most;
}

/* Makes the reduced column k the next one of L; entries of x below `least` are rounding. */
static saddle_status append(basis *b, int64_t k, int64_t at, double least)
{
    triangle *L = &b->L;
    triangle *U = &b->U;
    SADDLE__TRY(reserve(b->context, L, b->touched_count));
    SADDLE__TRY(reserve(b->context, U, b->chosen_count));
    int64_t next = U->start[b->rank];
    for (int64_t t = 0; t < b->chosen_count; t++) {
        U->index[next] = b->chosen[t];
        U->value[next++] = b->u[b->chosen[t]];
    }
    U->start[++U->columns] = next;
    double pivot = b->x[at];
    next = L->start[b->rank];
    for (int64_t t = 0; t < b->touched_count; t++) {
        int64_t c = b->touched[t];
        if (c == at || !(fabs(b->x[c]) > least)) continue;
        L->index[next] = c;
        L->value[next++] = b->x[c] / pivot;
    }
    L->start[++L->columns] = next;
    b->member[b->rank] = k;
    b->at[b->rank] = at;
    b->pivot[at] = b->rank;
    b->diagonal[b->rank++] = pivot;
    return SADDLE_OK;
}

static double reduce_column(basis *b, int64_t k)
{
    clear_x(b);
    add_column(b, k, 1.0);
    return fmax(reduce(b), b->norm[k]);
}

/* Column k becomes a relation or the next column of L.  A vanishing column without a
 * combination counts as independent, and is left out of L. */
static saddle_status take(basis *b, int64_t k, saddle__relations *relations)
{
    int64_t at;
    const saddle_matrix *Bt = b->Bt;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) b->users[Bt->index[p]]--;
    double growth = reduce_column(b, k);
    if (choose_pivot(b, &at) <= b->tolerance * growth) {
        if (b->counting) {
            clear_vectors(b);
            return saddle__relations_add(relations, k, 0, NULL, NULL, 0.0);
        }
        double residual;
        int64_t terms = combine(b, k, growth, &residual);
        if (terms >= 0)
            return saddle__relations_add(relations, k, terms, b->other, b->factor, residual);
        growth = reduce_column(b, k);
        (void)choose_pivot(b, &at);
    }
    saddle_status status = at < 0 ? SADDLE_OK : append(b, k, at, SADDLE__ROUNDING * growth);
    clear_vectors(b);
    return status;
}

/* ---- a dependence without a small pivot ---- */

/* Scales z to a largest modulus of 1; if entries overflowed, to 1 at these and 0 elsewhere. */
static void normalize(double *z, int64_t count)
{
    double most = 0.0;
    for (int64_t p = 0; p < count; p++)
        most = isfinite(z[p]) ? fmax(most, fabs(z[p])) : (double)INFINITY;
    for (int64_t p = 0; p < count; p++)
        z[p] = isfinite(most) ? z[p] / most : isfinite(z[p]) ? 0.0 : 1.0;
}

/* z <- (U'U)^-1 z, of largest modulus 1 */
static void inverse_iteration(const basis *b, double *z)
{
    const triangle *U = &b->U;
    for (int64_t p = 0; p < b->rank; p++) {
        for (int64_t q = U->start[p]; q < U->start[p + 1]; q++)
            z[p] -= U->value[q] * z[U->index[q]];
        z[p] /= b->diagonal[p];
    }
    normalize(z, b->rank);
    for (int64_t p = b->rank - 1; p >= 0; p--) {
        z[p] /= b->diagonal[p];
        for (int64_t q = U->start[p]; q < U->start[p + 1]; q++)
            z[U->index[q]] -= U->value[q] * z[p];
    }
    normalize(z, b->rank);
}

/* The least |B'_S z| / |z| by inverse iteration, 1 for rank 0; *late: the column of the
 * largest part of z if that combination vanishes to the tolerance, else -1.  z: rank, scratch. */
static double separation(basis *b, double *z, int64_t *late)
{
    uint64_t state = 1;
    double left = 0.0;
    double square = 0.0;
    double sum = 0.0;
    int64_t most = 0;
    *late = -1;
    if (b->rank == 0) return 1.0;
    for (int64_t p = 0; p < b->rank; p++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        z[p] = 0.5 + ldexp((double)(state >> 11), -53);
        if ((state >> 10) & 1) z[p] = -z[p];
    }
    for (int step = 0; step < SADDLE__INVERSE_ITERATIONS; step++) inverse_iteration(b, z);
    for (int64_t p = 0; p < b->rank; p++) {
        add_column(b, b->member[p], z[p]);
        square += z[p] * z[p];
        sum += fabs(z[p]) * b->norm[b->member[p]];
        if (fabs(z[p]) >= fabs(z[most])) most = p;
    }
    for (int64_t t = 0; t < b->touched_count; t++)
        left += b->x[b->touched[t]] * b->x[b->touched[t]];
    if (sqrt(left) <= b->tolerance * sum) *late = b->member[most];
    return sqrt(left / square);
}

static saddle_status eliminate_once(const saddle_matrix *Bt, double tolerance, int64_t count,
                                    const int64_t *order, double work_limit, double *z,
                                    saddle__elimination *found, int64_t *late)
{
    basis b = {.context = found->relations.context,
               .Bt = Bt,
               .tolerance = tolerance,
               .counting = found->counting};
    int64_t k = 0;
    *late = -1;
    saddle_status status = create(&b);
    while (status == SADDLE_OK && k < count && b.work <= work_limit)
        status = take(&b, order[k++], &found->relations);
    found->finished = status == SADDLE_OK && k == count;
    found->work += b.work;
    if (found->finished) found->separation = separation(&b, z, late);
    saddle__release_all(b.context, b.L.index, b.L.value, b.U.index, b.U.value);
    saddle__layout_clear(b.context, &b.layout);
    return status;
}

static void move_to_end(int64_t *order, int64_t count, int64_t k)
{
    int64_t t = 0;
    while (order[t] != k) t++;
    memmove(order + t, order + t + 1, (size_t)(count - t - 1) * sizeof *order);
    order[count - 1] = k;
}

/* Eliminates the rows order[0 .. count), permuted if a dependence among the independent rows shows
 * afterwards.  Relations found before are kept, and alone are left if the work limit was reached.
 */
static saddle_status eliminate(const saddle_matrix *Bt, double tolerance, int64_t count,
                               int64_t *order, double work_limit, saddle__elimination *found)
{
    saddle_context *context = found->relations.context;
    double *z = saddle_allocate(context, count, sizeof *z);
    if (!z) return SADDLE_OUT_OF_MEMORY;
    int64_t late = -1;
    int64_t given = found->relations.count;
    saddle_status status = SADDLE_OK;
    for (int round = 0; round < ELIMINATIONS && status == SADDLE_OK; round++) {
        found->relations.count = given;
        status = eliminate_once(Bt, tolerance, count, order, work_limit - found->work, z, found,
                                &late);
        if (late < 0) break;
        move_to_end(order, count, late);
    }
    if (!found->finished) found->relations.count = given;
    saddle_release(context, z);
    return status;
}

/* ---- order of little fill ---- */

/* The columns order[0 .. count) of Bt. */
static saddle_status columns_of(saddle_context *context, const saddle_matrix *Bt, int64_t count,
                                const int64_t *order, saddle_matrix *columns)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < count; k++) entries += Bt->start[order[k] + 1] - Bt->start[order[k]];
    SADDLE__TRY(
        saddle_matrix_create(context, Bt->rows, count, entries, SADDLE_SYMMETRY_NONE, columns));
    for (int64_t k = 0; k < count; k++) {
        int64_t size = Bt->start[order[k] + 1] - Bt->start[order[k]];
        int64_t at = columns->start[k];
        memcpy(columns->index + at, Bt->index + Bt->start[order[k]],
               (size_t)size * sizeof *Bt->index);
        memcpy(columns->value + at, Bt->value + Bt->start[order[k]],
               (size_t)size * sizeof *Bt->value);
        columns->start[k + 1] = at + size;
    }
    return SADDLE_OK;
}

/* Permutes order[0 .. A->cols), the columns of A, for little fill in their elimination (COLAMD:
 * Davis, Gilbert, Larimore and Ng, ACM TOMS 30, 2004). */
static saddle_status order_by_fill(saddle_context *context, const saddle_matrix *A, int64_t *order)
{
    int64_t count = A->cols;
    cholmod_common common;
    saddle_matrix rows = {0};
    int64_t *place = saddle_allocate(context, count, sizeof *place);
    saddle_status status = place ? saddle_matrix_transpose(context, A, &rows)
                                 : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        cholmod_sparse pattern = saddle__cholmod_pattern(count, A->rows, rows.start, rows.index, 0);
        saddle__cholmod_start(&common);
        if (!cholmod_l_colamd(&pattern, NULL, 0, 1, place, &common))
            status = saddle__cholmod_failed(context, &common, count);
        cholmod_l_finish(&common);
    }
    for (int64_t k = 0; k < count && status == SADDLE_OK; k++) place[k] = order[place[k]];
    if (status == SADDLE_OK) memcpy(order, place, (size_t)count * sizeof *order);
    saddle_matrix_clear(&rows);
    saddle_release(context, place);
    return status;
}

/* ---- parallel rows ---- */

typedef struct keyed {
    double key; /* equal for parallel rows, to rounding */
    int64_t row;
} keyed;

/* |sum_c w_c B_kc| / |B_k|, w_c drawn from [1, 2) by the bits of splitmix64 (Steele, Lea and Flood,
 * OOPSLA 2014); 0 for a row of zeros. */
static double key_of(const saddle_matrix *Bt, int64_t k)
{
    double sum = 0.0;
    double square = 0.0;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        uint64_t z = ((uint64_t)Bt->index[p] + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        sum += (1.0 + ldexp((double)((z ^ (z >> 31)) >> 11), -53)) * Bt->value[p];
        square += Bt->value[p] * Bt->value[p];
    }
    return square > 0.0 ? fabs(sum) / sqrt(square) : 0.0;
}

static int by_key(const void *a, const void *b)
{
    const keyed *x = a;
    const keyed *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* |B_k - factor B_i| / (|B_k| + |factor| |B_i|); 1 for rows of zeros or with other entries. */
static double difference(const saddle_matrix *Bt, int64_t k, int64_t i, double *factor)
{
    int64_t count = Bt->start[k + 1] - Bt->start[k];
    int64_t from[2] = {Bt->start[k], Bt->start[i]};
    if (count == 0 || Bt->start[i + 1] - Bt->start[i] != count) return 1.0;
    if (memcmp(Bt->index + from[0], Bt->index + from[1], (size_t)count * sizeof *Bt->index) != 0)
        return 1.0;
    double square = 0.0;
    double left = 0.0;
    *factor = Bt->value[from[0]] / Bt->value[from[1]];
    for (int64_t p = 0; p < count; p++) {
        double value = Bt->value[from[0] + p];
        double rest = value - *factor * Bt->value[from[1] + p];
        square += value * value;
        left += rest * rest;
    }
    return 0.5 * sqrt(left / square);
}

/* Relations of one term for rows parallel to an earlier row.  order: all rows on entry; on return
 * the other rows, *count of them. */
static saddle_status set_parallel_aside(const saddle_matrix *Bt, int64_t *order, int64_t *count,
                                        saddle__relations *relations)
{
    signed char *aside = saddle_allocate(relations->context, Bt->cols, sizeof *aside);
    keyed *list = saddle_allocate(relations->context, Bt->cols, sizeof *list);
    saddle_status status = aside && list ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < Bt->cols && status == SADDLE_OK; k++)
        list[k] = (keyed){.key = key_of(Bt, k), .row = k};
    if (status == SADDLE_OK && Bt->cols > 1) qsort(list, (size_t)Bt->cols, sizeof *list, by_key);
    for (int64_t t = 1; t < Bt->cols && status == SADDLE_OK; t++) {
        double factor;
        int64_t first = list[t - 1].row < list[t].row ? list[t - 1].row : list[t].row;
        int64_t last = list[t - 1].row + list[t].row - first;
        double residual = difference(Bt, last, first, &factor);
        if (residual > SADDLE__SUM_ROUNDING) continue;
        aside[last] = 1;
        status = saddle__relations_add(relations, last, 1, &first, &factor, residual);
        list[t].row = first;
    }
    *count = 0;
    for (int64_t k = 0; k < Bt->cols && status == SADDLE_OK; k++)
        if (!aside[k]) order[(*count)++] = k;
    saddle__release_all(relations->context, aside, list);
    return status;
}

/* ---- one order after the other ---- */

static int64_t all_rows(const saddle_matrix *Bt, int64_t *order)
{
    for (int64_t k = 0; k < Bt->cols; k++) order[k] = k;
    return Bt->cols;
}

static double limit(const saddle_matrix *Bt, const double per[2])
{
    return per[0] + per[1] * (double)saddle_matrix_entries(Bt);
}

/* The elimination of the rows order[0 .. count) in an order of little fill, or least squares. */
static saddle_status find_in_any_order(const saddle_matrix *Bt, double tolerance, int64_t count,
                                       int64_t *order, saddle__elimination *found)
{
    saddle_matrix A = {0};
    double work_limit = limit(Bt, fill_limit);
    int64_t *row = saddle_allocate(found->relations.context, count, sizeof *row);
    if (!row) return SADDLE_OUT_OF_MEMORY;
    memcpy(row, order, (size_t)count * sizeof *row);
    saddle_status status = columns_of(found->relations.context, Bt, count, order, &A);
    if (status == SADDLE_OK) status = order_by_fill(found->relations.context, &A, order);
    if (status == SADDLE_OK) status = eliminate(Bt, tolerance, count, order, work_limit, found);
    if (status == SADDLE_OK && !found->finished)
        status = saddle__rank_least_squares(&A, tolerance, row, work_limit, found);
    saddle_matrix_clear(&A);
    saddle_release(found->relations.context, row);
    return status;
}

saddle_status saddle__rank_eliminate(const saddle_matrix *Bt, double tolerance, int own_order,
                                     saddle__elimination *found)
{
    int64_t *order = saddle_allocate(found->relations.context, Bt->cols, sizeof *order);
    if (!order) return SADDLE_OUT_OF_MEMORY;
    int64_t count = all_rows(Bt, order);
    saddle_status status = eliminate(Bt, tolerance, count, order,
                                     limit(Bt, own_order ? fill_limit : own_limit), found);
    if (status == SADDLE_OK && !found->finished && !own_order) {
        status = set_parallel_aside(Bt, order, &count, &found->relations);
        if (status == SADDLE_OK) status = find_in_any_order(Bt, tolerance, count, order, found);
        if (status == SADDLE_OK && !found->finished) {
            found->relations.count = 0;
            status = eliminate(Bt, tolerance, all_rows(Bt, order), order, (double)INFINITY, found);
        }
    }
    saddle_release(found->relations.context, order);
    return status;
}
