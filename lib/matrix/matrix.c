/* SPDX-License-Identifier: MIT */
/* A matrix: creation, copies, check, norms, products with a vector, single entries; from triplets
 * and compressed columns with 64-bit or 32-bit indices, brought to ascending rows without
 * duplicates, and back to 32-bit indices. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "matrix/matrix_internal.h"

int64_t saddle_matrix_entries(const saddle_matrix *A)
{
    if (!A) return 0;
    return A->start ? A->start[A->cols] : 0;
}

saddle_status saddle_matrix_create(saddle_context *context, int64_t rows, int64_t cols,
                                   int64_t entries, saddle_symmetry symmetry, saddle_matrix *A)
{
    SADDLE__RETURN_UNLESS(context, A, "A is NULL");
    memset(A, 0, sizeof *A);
    if (rows < 0 || cols < 0 || entries < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "matrix of %lld x %lld with %lld entries: negative size",
                           (long long)rows, (long long)cols, (long long)entries);
    if (symmetry != SADDLE_SYMMETRY_NONE && rows != cols)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "symmetric matrix of %lld x %lld is not square", (long long)rows,
                           (long long)cols);
    if (cols == INT64_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE, "matrix with %lld columns", (long long)cols);
    A->rows = rows;
    A->cols = cols;
    A->symmetry = symmetry;
    A->owner = 1;
    A->context = context;
    A->start = saddle_allocate(context, cols + 1, sizeof *A->start);
    A->index = saddle_allocate(context, entries, sizeof *A->index);
    A->value = saddle_allocate(context, entries, sizeof *A->value);
    if (A->start && A->index && A->value) return SADDLE_OK;
    saddle_matrix_clear(A);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle_matrix_clear(saddle_matrix *A)
{
    if (!A) return;
    if (A->owner) {
        saddle__release_all(A->context, A->start, A->index, A->value);
    }
    memset(A, 0, sizeof *A);
}

saddle_matrix saddle_matrix_view(int64_t rows, int64_t cols, int64_t *start, int64_t *index,
                                 double *value, saddle_symmetry symmetry)
{
    saddle_matrix A = {.rows = rows,
                       .cols = cols,
                       .start = start,
                       .index = index,
                       .value = value,
                       .symmetry = symmetry};
    return A;
}

saddle_status saddle_matrix_copy(saddle_context *context, const saddle_matrix *A, saddle_matrix *B)
{
    if (B) *B = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, A && B, "A or B is NULL");
    if (!A->start && A->cols == 0) { /* no arrays, as A */
        *B = (saddle_matrix){.rows = A->rows, .symmetry = A->symmetry};
        return SADDLE_OK;
    }
    int64_t entries = saddle_matrix_entries(A);
    saddle_status status = saddle_matrix_create(context, A->rows, A->cols, entries, A->symmetry, B);
    if (status != SADDLE_OK || !A->start) return status;
    memcpy(B->start, A->start, (size_t)(A->cols + 1) * sizeof *B->start);
    if (entries > 0) {
        memcpy(B->index, A->index, (size_t)entries * sizeof *B->index);
        memcpy(B->value, A->value, (size_t)entries * sizeof *B->value);
    }
    return SADDLE_OK;
}

static saddle_status check_shape(saddle_context *context, const saddle_matrix *A, const char *name)
{
    if (A->rows < 0 || A->cols < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: negative size %lld x %lld", name,
                           (long long)A->rows, (long long)A->cols);
    if (A->symmetry != SADDLE_SYMMETRY_NONE && A->symmetry != SADDLE_SYMMETRY_LOWER &&
        A->symmetry != SADDLE_SYMMETRY_FULL)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: unknown symmetry %d", name,
                           (int)A->symmetry);
    if (A->symmetry != SADDLE_SYMMETRY_NONE && A->rows != A->cols)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: marked symmetric but %lld x %lld",
                           name, (long long)A->rows, (long long)A->cols);
    if (!A->start) return SADDLE_OK;
    if (A->start[0] != 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: start[0] is %lld, not 0", name,
                           (long long)A->start[0]);
    for (int64_t j = 0; j < A->cols; j++)
        if (A->start[j + 1] < A->start[j])
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: column %lld: start decreases",
                               name, (long long)(j + 1));
    if (A->start[A->cols] > 0 && (!A->index || !A->value))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: entries without index or value array", name);
    return SADDLE_OK;
}

static saddle_place entry(int64_t i, int64_t j)
{
    return (saddle_place){SADDLE_PLACE_ENTRY, i, j};
}

/* Entry k, of column j, the first out of range or order: what is wrong. */
static saddle_status blame_entry(saddle_context *context, const saddle_matrix *A, const char *name,
                                 int64_t j, int64_t k)
{
    const int64_t least = A->symmetry == SADDLE_SYMMETRY_LOWER ? j : 0;
    const int64_t i = A->index[k];
    if (i < 0 || i >= A->rows)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: column %lld: row index %lld out of range 1..%lld", name,
                           (long long)(j + 1), saddle__ordinal(i), (long long)A->rows);
    if (i < least)
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "%s: column %lld: entry in row %lld is above the diagonal of a symmetric matrix", name,
            (long long)(j + 1), (long long)(i + 1));
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: column %lld: row %lld %s", name,
                       (long long)(j + 1), (long long)(i + 1),
                       i == A->index[k - 1] ? "stands twice" : "is not in ascending order");
}

saddle_status saddle__matrix_check_pattern(saddle_context *context, const saddle_matrix *A,
                                           const char *name)
{
    saddle_status status = check_shape(context, A, name);
    for (int64_t j = 0; status == SADDLE_OK && A->start && j < A->cols; j++) {
        int64_t last = A->symmetry == SADDLE_SYMMETRY_LOWER ? j - 1 : -1, k = A->start[j];
        for (; k < A->start[j + 1] && last < A->index[k] && A->index[k] < A->rows; k++)
            last = A->index[k];
        if (k == A->start[j + 1]) continue;
        status = blame_entry(context, A, name, j, k);
        return saddle_fail_at(context, entry(A->index[k], j), status);
    }
    return status;
}

int64_t saddle__matrix_find_not_finite(const saddle_matrix *A, int64_t *column)
{
    if (saddle__is_finite(A->value, saddle_matrix_entries(A))) return -1;
    for (int64_t j = 0; A->start && j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            if (isfinite(A->value[k])) continue;
            *column = j;
            return k;
        }
    }
    return -1;
}

saddle_status saddle_matrix_check(saddle_context *context, const saddle_matrix *A, const char *name)
{
    SADDLE__RETURN_UNLESS(context, A, "A is NULL");
    if (!name) name = "A";
    int64_t j = 0;
    saddle_status status = saddle__matrix_check_pattern(context, A, name);
    int64_t k = status == SADDLE_OK ? saddle__matrix_find_not_finite(A, &j) : -1;
    if (k >= 0)
        return saddle_fail_at(context, entry(A->index[k], j),
                              saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                                          "%s: entry (%lld, %lld) is not finite", name,
                                          (long long)(A->index[k] + 1), (long long)(j + 1)));
    k = status == SADDLE_OK && A->symmetry == SADDLE_SYMMETRY_FULL
            ? saddle__matrix_find_unequal(A, &j)
            : -1;
    if (k < 0) return status;
    return saddle_fail_at(
        context, entry(A->index[k], j),
        saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "%s: marked SADDLE_SYMMETRY_FULL, but entry (%lld, %lld) is not equal to (%lld, %lld)",
            name, (long long)(A->index[k] + 1), (long long)(j + 1), (long long)(j + 1),
            (long long)(A->index[k] + 1)));
}

/* ---- norms ---- */

double saddle_matrix_norm_max(const saddle_matrix *A)
{
    if (!A) return 0.0;
    double largest = 0.0;
    int64_t entries = saddle_matrix_entries(A);
    for (int64_t k = 0; k < entries; k++) largest = fmax(largest, fabs(A->value[k]));
    return largest;
}

double saddle_matrix_norm_frobenius(const saddle_matrix *A)
{
    if (!A) return 0.0;
    double largest = saddle_matrix_norm_max(A);
    if (largest == 0.0 || !isfinite(largest)) return largest;
    double sum = 0.0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            double scaled = A->value[k] / largest;
            int twice = A->symmetry == SADDLE_SYMMETRY_LOWER && A->index[k] != j;
            sum += (twice ? 2.0 : 1.0) * scaled * scaled;
        }
    return largest * sqrt(sum);
}

/* The largest row sum of moduli; for a symmetric matrix the column sums are the same numbers. */
double saddle_matrix_norm_inf(const saddle_matrix *A, double *work)
{
    if (!A || (!work && A->rows > 0)) return 0.0;
    if (!A->start) return 0.0;
    for (int64_t i = 0; i < A->rows; i++) work[i] = 0.0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            work[A->index[k]] += fabs(A->value[k]);
            if (A->symmetry == SADDLE_SYMMETRY_LOWER && A->index[k] != j)
                work[j] += fabs(A->value[k]);
        }
    double largest = 0.0;
    for (int64_t i = 0; i < A->rows; i++) largest = fmax(largest, work[i]);
    return largest;
}

double saddle_matrix_norm_1(const saddle_matrix *A, double *work)
{
    if (!A || (!work && A->symmetry == SADDLE_SYMMETRY_LOWER && A->rows > 0)) return 0.0;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER) return saddle_matrix_norm_inf(A, work);
    double largest = 0.0;
    for (int64_t j = 0; A->start && j < A->cols; j++) {
        double sum = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) sum += fabs(A->value[k]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* ---- products with vectors, entries ---- */

static void scale(double beta, double *y, int64_t n)
{
    if (beta == 1.0) return;
    for (int64_t i = 0; i < n; i++) y[i] = beta == 0.0 ? 0.0 : beta * y[i];
}

/* y += alpha A x, both triangles from the lower */
static void add_symmetric(const saddle_matrix *A, double alpha, const double *x, double *y)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = alpha * x[j];
        double sum = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            y[i] += A->value[k] * xj;
            if (i != j) sum += A->value[k] * x[i];
        }
        y[j] += alpha * sum;
    }
}

void saddle_matrix_apply(const saddle_matrix *A, double alpha, const double *x, double beta,
                         double *y)
{
    if (!A || (!x && A->cols > 0) || (!y && A->rows > 0)) return;
    scale(beta, y, A->rows);
    if (!A->start) return;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER) {
        add_symmetric(A, alpha, x, y);
        return;
    }
    for (int64_t j = 0; j < A->cols; j++) {
        double xj = alpha * x[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) y[A->index[k]] += A->value[k] * xj;
    }
}

void saddle_matrix_apply_transpose(const saddle_matrix *A, double alpha, const double *x,
                                   double beta, double *y)
{
    if (!A || (!x && A->rows > 0) || (!y && A->cols > 0)) return;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER) {
        saddle_matrix_apply(A, alpha, x, beta, y);
        return;
    }
    scale(beta, y, A->cols);
    if (!A->start) return;
    for (int64_t j = 0; j < A->cols; j++) {
        double sum = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) sum += A->value[k] * x[A->index[k]];
        y[j] += alpha * sum;
    }
}

/* The place in a column without gaps is tried first. */
int64_t saddle__matrix_find(const saddle_matrix *A, int64_t i, int64_t j)
{
    int64_t low = A->start[j];
    int64_t high = A->start[j + 1];
    int64_t place = low < high ? low + i - A->index[low] : low;
    if (place >= low && place < high && A->index[place] == i) return place;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (A->index[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < A->start[j + 1] && A->index[low] == i ? low : -1;
}

double saddle_matrix_entry(const saddle_matrix *A, int64_t i, int64_t j)
{
    if (!A || saddle_matrix_entries(A) == 0) return 0.0;
    int mirrored = A->symmetry == SADDLE_SYMMETRY_LOWER && i < j;
    int64_t k = mirrored ? saddle__matrix_find(A, j, i) : saddle__matrix_find(A, i, j);
    return k >= 0 ? A->value[k] : 0.0;
}

/* The usual places are tried first: the first entry of a column of a lower triangle, entry j of
 * a full column. */
void saddle_matrix_diagonal(const saddle_matrix *A, double *d)
{
    if (!A || (!d && A->rows > 0)) return;
    int64_t count = A->rows < A->cols ? A->rows : A->cols;
    for (int64_t j = 0; !A->start && j < count; j++) d[j] = 0.0;
    for (int64_t j = 0; A->start && j < count; j++) {
        int64_t first = A->start[j], entries = A->start[j + 1] - first;
        int64_t at = A->symmetry != SADDLE_SYMMETRY_LOWER && entries == A->rows ? first + j : first;
        d[j] = entries > 0 && A->index[at] == j ? A->value[at] : saddle_matrix_entry(A, j, j);
    }
}

/* ---- ascending rows, no duplicates ---- */

saddle_status saddle__matrix_flip(saddle_context *context, const saddle_matrix *A, saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    saddle_status status = saddle_matrix_create(context, A->cols, A->rows, entries,
                                                SADDLE_SYMMETRY_NONE, B);
    if (status != SADDLE_OK) return status;
    if (entries == 0) return SADDLE_OK;
    for (int64_t k = 0; k < entries; k++) B->start[A->index[k]]++;
    saddle__cumulate(B->start, B->cols);
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t p = B->start[A->index[k]]++; /* the fill position; moved back below */
            B->index[p] = j;
            B->value[p] = A->value[k];
        }
    memmove(B->start + 1, B->start, (size_t)B->cols * sizeof *B->start);
    B->start[0] = 0;
    return SADDLE_OK;
}

/* 0 = strictly ascending everywhere, 1 = duplicates only, 2 = out of order */
static int disorder(const saddle_matrix *A)
{
    int found = 0;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j] + 1; k < A->start[j + 1]; k++) {
            if (A->index[k] < A->index[k - 1]) return 2;
            if (A->index[k] == A->index[k - 1]) found = 1;
        }
    return found;
}

static void sum_duplicates(saddle_matrix *A)
{
    int64_t p = 0;
    int64_t begin = 0;
    for (int64_t j = 0; j < A->cols; j++) {
        int64_t end = A->start[j + 1];
        int64_t first = p;
        for (int64_t k = begin; k < end; k++) {
            if (p > first && A->index[p - 1] == A->index[k]) {
                A->value[p - 1] += A->value[k];
            } else {
                A->index[p] = A->index[k];
                A->value[p] = A->value[k];
                p++;
            }
        }
        begin = end;
        A->start[j + 1] = p;
    }
}

saddle_status saddle__matrix_normalize(saddle_context *context, saddle_matrix *A)
{
    int state = A->start ? disorder(A) : 0;
    if (state == 2) {
        saddle_symmetry symmetry = A->symmetry;
        saddle_matrix flipped;
        saddle_matrix sorted;
        saddle_status status = saddle__matrix_flip(context, A, &flipped);
        if (status != SADDLE_OK) return status;
        status = saddle__matrix_flip(context, &flipped, &sorted);
        saddle_matrix_clear(&flipped);
        if (status != SADDLE_OK) return status;
        saddle_matrix_clear(A);
        *A = sorted;
        A->symmetry = symmetry;
    }
    if (state > 0) sum_duplicates(A);
    return SADDLE_OK;
}

/* ---- from triplets and compressed columns ---- */

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Indices of both widths through an accessor. */
typedef struct index_array {
    const int64_t *wide;
    const int32_t *narrow;
} index_array;

static int64_t at(index_array array, int64_t k)
{
    return array.wide ? array.wide[k] : array.narrow[k];
}

/* Compressed columns, or triplets in a single run. */
typedef struct source {
    int64_t runs;
    index_array start; /* runs + 1 */
    index_array row;
    const int64_t *col; /* of each entry; NULL: the run's number */
    const double *value;
} source;

/* The upper triangle of a symmetric input is folded: entry (i, j), i < j, goes to column i. */
static saddle_status scatter(saddle_context *context, const source *from, saddle_matrix *A)
{
    int lower = A->symmetry == SADDLE_SYMMETRY_LOWER;
    for (int64_t run = 0; run < from->runs; run++)
        for (int64_t k = at(from->start, run); k < at(from->start, run + 1); k++) {
            int64_t i = at(from->row, k), j = from->col ? from->col[k] : run;
            if (i < 0 || i >= A->rows || j < 0 || j >= A->cols)
                return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                                   "entry %lld: (%lld, %lld) is outside a %lld x %lld matrix",
                                   saddle__ordinal(k), saddle__ordinal(i), saddle__ordinal(j),
                                   (long long)A->rows, (long long)A->cols);
            A->start[lower ? least(i, j) : j]++;
        }
    saddle__cumulate(A->start, A->cols);
    for (int64_t run = 0; run < from->runs; run++)
        for (int64_t k = at(from->start, run); k < at(from->start, run + 1); k++) {
            int64_t i = at(from->row, k), j = from->col ? from->col[k] : run;
            int64_t p = A->start[lower ? least(i, j) : j]++;
            A->index[p] = lower ? greatest(i, j) : i;
            A->value[p] = from->value[k];
        }
    for (int64_t j = A->cols; j > 0; j--) A->start[j] = A->start[j - 1];
    A->start[0] = 0;
    return SADDLE_OK;
}

static saddle_status build(saddle_context *context, int64_t rows, int64_t cols, int64_t entries,
                           const source *from, saddle_symmetry symmetry, saddle_matrix *A)
{
    saddle_status status = saddle_matrix_create(context, rows, cols, entries, symmetry, A);
    if (status == SADDLE_OK && entries > 0) status = scatter(context, from, A);
    if (status == SADDLE_OK) status = saddle__matrix_normalize(context, A);
    if (status != SADDLE_OK) saddle_matrix_clear(A);
    return status;
}

saddle_status saddle_matrix_from_triplets(saddle_context *context, int64_t rows, int64_t cols,
                                          int64_t count, const int64_t *row, const int64_t *col,
                                          const double *value, saddle_symmetry symmetry,
                                          saddle_matrix *A)
{
    if (A) *A = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context,
                          A && (row || count <= 0) && (col || count <= 0) && (value || count <= 0),
                          "row, col, value or A is NULL");
    const int64_t start[] = {0, count};
    const source from = {1, {.wide = start}, {.wide = row}, col, value};
    return build(context, rows, cols, count, &from, symmetry, A);
}

static saddle_status from_csc(saddle_context *context, int64_t rows, int64_t cols,
                              index_array start, index_array index, const double *value,
                              saddle_symmetry symmetry, saddle_matrix *A)
{
    saddle_context_clear_message(context);
    if (!A)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_matrix_from_csc: A is NULL");
    *A = (saddle_matrix){0};
    int given = start.wide || start.narrow;
    if (given && cols < 0) return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "negative size");
    if (given && cols > 0 && at(start, 0) != 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "start[0] is %lld, not 0",
                           (long long)at(start, 0));
    for (int64_t j = 0; given && j < cols; j++)
        if (at(start, j + 1) < at(start, j))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "column %lld: start decreases",
                               (long long)(j + 1));
    int64_t entries = given ? at(start, cols) : 0;
    if (entries > 0 && (!value || (!index.wide && !index.narrow)))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_matrix_from_csc: index or value is NULL");
    const source from = {cols, start, index, NULL, value};
    return build(context, rows, cols, entries, &from, symmetry, A);
}

saddle_status saddle_matrix_from_csc(saddle_context *context, int64_t rows, int64_t cols,
                                     const int64_t *start, const int64_t *index,
                                     const double *value, saddle_symmetry symmetry,
                                     saddle_matrix *A)
{
    return from_csc(context, rows, cols, (index_array){.wide = start}, (index_array){.wide = index},
                    value, symmetry, A);
}

saddle_status saddle_matrix_from_csc32(saddle_context *context, int32_t rows, int32_t cols,
                                       const int32_t *start, const int32_t *index,
                                       const double *value, saddle_symmetry symmetry,
                                       saddle_matrix *A)
{
    return from_csc(context, rows, cols, (index_array){.narrow = start},
                    (index_array){.narrow = index}, value, symmetry, A);
}

saddle_status saddle_matrix_to_csc32(const saddle_matrix *A, int32_t *start, int32_t *index)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(A),
                          A && start && (index || saddle_matrix_entries(A) == 0),
                          "A, start or index is NULL");
    int64_t entries = saddle_matrix_entries(A);
    if (A->rows > INT32_MAX || A->cols >= INT32_MAX || entries > INT32_MAX)
        return saddle_fail(A->context, SADDLE_TOO_LARGE,
                           "%lld x %lld matrix with %lld entries does not fit 32-bit indices",
                           (long long)A->rows, (long long)A->cols, (long long)entries);
    for (int64_t j = 0; j <= A->cols; j++) start[j] = A->start ? (int32_t)A->start[j] : 0;
    for (int64_t k = 0; k < entries; k++) index[k] = (int32_t)A->index[k];
    return SADDLE_OK;
}
