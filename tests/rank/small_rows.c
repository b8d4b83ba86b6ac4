/* SPDX-License-Identifier: MIT */
#include "small_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sparse rows x cols matrix whose entry (i, j) is a[i * row_step + j * col_step]. */
static saddle_matrix sparse(int64_t rows, int64_t cols, const double *a, int64_t row_step,
                            int64_t col_step, saddle_symmetry symmetry)
{
    size_t room = (size_t)(rows * cols + 1);
    int64_t *row = malloc(room * sizeof(*row));
    int64_t *col = malloc(room * sizeof(*col));
    double *value = malloc(room * sizeof(*value));
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            if (a[i * row_step + j * col_step] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = a[i * row_step + j * col_step];
        }
    }
    saddle_matrix A;
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &A),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return A;
}

saddle_problem small_problem(int64_t n, int64_t m, const double *mass, const double *J,
                             const double *R, const double *b)
{
    saddle_problem p = {.n = n, .m = m, .owner = 1};
    double *M = calloc((size_t)(n * n + 1), sizeof(*M));
    for (int64_t j = 0; j < n; j++) M[j * n + j] = mass ? mass[j] : 1.0;
    p.M = sparse(n, n, M, 1, n, SADDLE_SYMMETRY_LOWER);
    p.Jt = sparse(n, m, J, 1, n, SADDLE_SYMMETRY_NONE);
    if (R) p.R = sparse(m, m, R, m, 1, SADDLE_SYMMETRY_LOWER);
    if (b) {
        p.b = saddle_allocate(NULL, m, sizeof(*p.b));
        memcpy(p.b, b, (size_t)m * sizeof(*b));
    }
    free(M);
    return p;
}

static double largest(const double *a, int64_t count, int64_t step)
{
    double most = 0.0;
    for (int64_t k = 0; k < count; k++) most = fmax(most, fabs(a[k * step]));
    return most;
}

double *dense_rows(const saddle_problem *p, int with_compliance)
{
    int64_t m = p->m;
    int64_t cols = p->n + m;
    double *A = calloc((size_t)(m * cols + 1), sizeof(*A));
    for (int64_t i = 0; i < m; i++)
        for (int64_t k = p->Jt.start ? p->Jt.start[i] : 0; p->Jt.start && k < p->Jt.start[i + 1];
             k++)
            A[i + p->Jt.index[k] * m] = p->Jt.value[k];
    for (int64_t i = 0; i < m && with_compliance && p->R.rows > 0; i++)
        for (int64_t k = 0; k < m; k++) A[i + (p->n + k) * m] = saddle_matrix_entry(&p->R, i, k);
    for (int64_t i = 0; i < m; i++) {
        double most = largest(A + i, p->n, m) > 0.0 ? largest(A + i, p->n, m)
                                                    : sqrt(A[i + (p->n + i) * m]);
        for (int64_t c = 0; c < cols && most > 0.0; c++) A[i + c * m] /= most;
    }
    for (int64_t c = p->n; c < cols; c++) {
        double most = largest(A + c * m, m, 1);
        for (int64_t i = 0; i < m && most > 0.0; i++) A[i + c * m] /= most;
    }
    return A;
}

int64_t dense_rank(const double *rows, int64_t m, int64_t cols, const int64_t *list, int64_t count)
{
    if (count == 0 || cols == 0) return 0;
    double *A = malloc((size_t)(count * cols) * sizeof(*A));
    double *sigma = malloc((size_t)(count + cols) * sizeof(*sigma));
    for (int64_t k = 0; k < count; k++)
        for (int64_t c = 0; c < cols; c++) A[k + c * count] = rows[list[k] + c * m];
    test_singular_values(count, cols, A, sigma);
    int64_t rank = 0;
    for (int64_t k = 0; k < (count < cols ? count : cols); k++) rank += sigma[k] > 1e-9 * sigma[0];
    free(A);
    free(sigma);
    return rank;
}

const saddle_dependency *dependency_of(const saddle_rank *rank, int64_t row)
{
    for (int64_t t = 0; t < rank->dependency_count; t++)
        if (rank->dependency[t].row == row) return &rank->dependency[t];
    return NULL;
}

/* Row i of [J R] (R where it counts) times factor onto x, moduli onto size. */
static void add_row(const saddle_problem *p, int with_compliance, int64_t i, double factor,
                    double *x, double *size)
{
    for (int64_t k = p->Jt.start ? p->Jt.start[i] : 0; p->Jt.start && k < p->Jt.start[i + 1]; k++) {
        x[p->Jt.index[k]] += factor * p->Jt.value[k];
        size[p->Jt.index[k]] += fabs(factor * p->Jt.value[k]);
    }
    for (int64_t k = 0; with_compliance && p->R.rows > 0 && k < p->m; k++) {
        double a = factor * saddle_matrix_entry(&p->R, i, k);
        x[p->n + k] += a;
        size[p->n + k] += fabs(a);
    }
}

static void check_combination(const saddle_problem *p, int with_compliance,
                              const saddle_dependency *d, double bound)
{
    size_t cols = (size_t)(p->n + p->m);
    double *x = calloc(cols + 1, sizeof(*x));
    double *size = calloc(cols + 1, sizeof(*size));
    double most = 0.0;
    add_row(p, with_compliance, d->row, 1.0, x, size);
    for (int64_t k = 0; k < d->count; k++) {
        assert_true(d->other[k] != d->row && (k == 0 || d->other[k] > d->other[k - 1]));
        assert_true(isfinite(d->factor[k]) && d->factor[k] != 0.0);
        add_row(p, with_compliance, d->other[k], -d->factor[k], x, size);
    }
    for (size_t c = 0; c < cols; c++) most = fmax(most, size[c]);
    for (size_t c = 0; c < cols; c++)
        if (!(fabs(x[c]) <= bound * most))
            fail_msg("row %lld: %g is left of %g", (long long)d->row, x[c], most);
    free(x);
    free(size);
}

void check_rank(const saddle_problem *p, const saddle_rank *rank, double bound,
                int check_independent)
{
    assert_int_equal(rank->examined, rank->rank + rank->dependency_count);
    signed char *seen = calloc((size_t)p->m + 1, 1);
    for (int64_t k = 0; k < rank->rank; k++) seen[rank->independent[k]]++;
    for (int64_t t = 0; t < rank->dependency_count; t++) {
        const saddle_dependency *d = &rank->dependency[t];
        seen[d->row]++;
        assert_true(d->residual <= 1e-10);
        if (rank->ordered && d->count > 0) assert_true(d->other[d->count - 1] < d->row);
        check_combination(p, !rank->compliance_ignored, d, bound);
    }
    for (int64_t i = 0; i < p->m; i++)
        assert_true(seen[i] == 1 || (seen[i] == 0 && rank->examined < p->m));
    free(seen);
    if (!check_independent) return;
    double *A = dense_rows(p, !rank->compliance_ignored);
    assert_int_equal(dense_rank(A, p->m, p->n + p->m, rank->independent, rank->rank), rank->rank);
    free(A);
}
