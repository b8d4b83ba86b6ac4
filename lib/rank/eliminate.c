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
 */
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "base/unset.h"
#include "rank/rank_internal.h"

enum { ELIMINATIONS = 16 };

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

static void place(basis *b)
{
    saddle__layout *layout = &b->layout;
    int64_t rows = b->Bt->rows;
    int64_t cols = b->Bt->cols;
    b->L.start = saddle__layout_take(layout, cols + 1, sizeof *b->L.start);
    b->U.start = saddle__layout_take(layout, cols + 1, sizeof *b->U.start);
    b->member = saddle__layout_take(layout, cols, sizeof *b->member);
    b->at = saddle__layout_take(layout, cols, sizeof *b->at);
    b->pivot = saddle__layout_take(layout, rows, sizeof *b->pivot);
    b->users = saddle__layout_take(layout, rows, sizeof *b->users);
    b->norm = saddle__layout_take(layout, cols, sizeof *b->norm);
    b->diagonal = saddle__layout_take(layout, cols, sizeof *b->diagonal);
    b->x = saddle__layout_take(layout, rows, sizeof *b->x);
    b->u = saddle__layout_take(layout, cols, sizeof *b->u);
    b->y = saddle__layout_take(layout, cols, sizeof *b->y);
    b->touched = saddle__layout_take(layout, rows, sizeof *b->touched);
    b->mark = saddle__layout_take(layout, rows, sizeof *b->mark);
    b->chosen = saddle__layout_take(layout, cols, sizeof *b->chosen);
    b->terms = saddle__layout_take(layout, cols, sizeof *b->terms);
    b->listed = saddle__layout_take(layout, cols, sizeof *b->listed);
    b->queue = saddle__layout_take(layout, cols / 64 + 1, sizeof *b->queue);
    b->other = saddle__layout_take(layout, cols, sizeof *b->other);
    b->factor = saddle__layout_take(layout, cols, sizeof *b->factor);
}

static saddle_status create(basis *b)
{
    const saddle_matrix *Bt = b->Bt;
    place(b);
    saddle_status status = saddle__layout_allocate(b->context, &b->layout);
    if (status != SADDLE_OK) return status;
    place(b);
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

static void clear(basis *b)
{
    triangle *both[] = {&b->L, &b->U};
    for (int t = 0; t < 2; t++) {
        saddle_release(b->context, both[t]->index);
        saddle_release(b->context, both[t]->value);
    }
    saddle__layout_clear(b->context, &b->layout);
}

/* Room for `more` entries in the next column. */
static saddle_status reserve(saddle_context *context, triangle *T, int64_t more)
{
    int64_t needed = T->start[T->columns] + more;
    if (needed <= T->capacity) return SADDLE_OK;
    int64_t capacity = needed + needed / 2 + 64;
    saddle_status status = saddle__grow(context, &T->index, capacity, sizeof *T->index);
    if (status == SADDLE_OK) status = saddle__grow(context, &T->value, capacity, sizeof *T->value);
    if (status == SADDLE_OK) T->capacity = capacity;
    return status;
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
    saddle_status status = reserve(b->context, L, b->touched_count);
    if (status == SADDLE_OK) status = reserve(b->context, U, b->chosen_count);
    if (status != SADDLE_OK) return status;
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
    clear(&b);
    return status;
}

static void move_to_end(int64_t *order, int64_t count, int64_t k)
{
    int64_t t = 0;
    while (order[t] != k) t++;
    memmove(order + t, order + t + 1, (size_t)(count - t - 1) * sizeof *order);
    order[count - 1] = k;
}

saddle_status saddle__rank_eliminate(const saddle_matrix *Bt, double tolerance, int64_t count,
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
