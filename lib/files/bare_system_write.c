/* SPDX-License-Identifier: MIT */
/* Problems as bare linear systems.
 *
 * Where all rows are equality rows, w = 0 and the problem is K (v; -lambda) = (f; b) with
 *
 *     K = [ M   J' ]
 *         [ J  -R  ]
 */
#include "files/express.h"
#include "files/pair_write.h"
#include "files/siconos_output.h"
#include "files/siconos_write.h"

/* The entries of a column of A with rows >= from, moved down by shift and times sign, into K from
 * *k on. */
static void append(const saddle_matrix *A, int64_t column, int64_t shift, double sign, int64_t from,
                   saddle_matrix *K, int64_t *k)
{
    for (int64_t e = A->start[column]; e < A->start[column + 1]; e++) {
        if (A->index[e] + shift < from) continue;
        K->index[*k] = A->index[e] + shift;
        K->value[(*k)++] = sign * A->value[e];
    }
}

static saddle_status assemble(saddle_context *context, const saddle_problem *problem,
                              saddle_matrix *K)
{
    int64_t n = problem->n, m = problem->m, k = 0;
    saddle_matrix M = {0}, R = {0}, Jt = {0}, J = {0};
    int r_symmetric = problem->R.symmetry != SADDLE_GENERAL ||
                      saddle_matrix_entries(&problem->R) == 0;
    int symmetric = (n == 0 || problem->M.symmetry != SADDLE_GENERAL) && r_symmetric;
    saddle_status status = saddle__matrix_full(context, &problem->M, n, n, &M);
    if (status == SADDLE_OK) status = saddle__matrix_full(context, &problem->R, m, m, &R);
    if (status == SADDLE_OK) status = saddle__matrix_full(context, &problem->Jt, n, m, &Jt);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(context, &Jt, &J);
    int64_t room = saddle_matrix_entries(&M) + saddle_matrix_entries(&R) +
                   2 * saddle_matrix_entries(&J);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, n + m, n + m, room,
                                      symmetric ? SADDLE_SYMMETRIC : SADDLE_GENERAL, K);
    for (int64_t j = 0; status == SADDLE_OK && j < n + m; j++) {
        int64_t from = symmetric ? j : 0;
        if (j < n) append(&M, j, 0, 1, from, K, &k);
        if (j < n) append(&J, j, n, 1, from, K, &k);
        if (j >= n) append(&Jt, j - n, 0, 1, from, K, &k);
        if (j >= n) append(&R, j - n, n, -1, from, K, &k);
        K->start[j + 1] = k;
    }
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&R);
    saddle_matrix_clear(&Jt);
    saddle_matrix_clear(&J);
    return status;
}

/* The matrix, and (f; b) beside it as an array file. */
static saddle_status write_pair(saddle_context *context, const char *path,
                                const saddle_problem *problem, const saddle_matrix *matrix,
                                void (*put)(saddle__output *, const saddle_matrix *))
{
    int64_t n = problem->n, m = problem->m;
    double *rhs = saddle_allocate(context, n + m > 0 ? n + m : 1, sizeof *rhs);
    if (!rhs) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < n; i++) rhs[i] = problem->f ? problem->f[i] : 0;
    for (int64_t i = 0; i < m; i++) rhs[n + i] = problem->b ? problem->b[i] : 0;
    const saddle__pair pair = {matrix, n + m, rhs, put, saddle__put_array};
    saddle_status status = saddle__pair_write(context, path, ".rhs", &pair);
    saddle_release(context, rhs);
    return status;
}

saddle_status saddle__bare_system_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem)
{
    saddle_matrix K = {0};
    saddle_status status = saddle__express_rows(context, SADDLE_FORMAT_MATRIX_MARKET, problem,
                                                SADDLE__HOLDS_EQUALITY);
    if (status == SADDLE_OK) status = assemble(context, problem, &K);
    if (status == SADDLE_OK)
        status = write_pair(context, path, problem, &K, saddle__put_coordinates);
    saddle_matrix_clear(&K);
    return status;
}

saddle_status saddle__siconos_matrix_write(saddle_context *context, const char *path,
                                           const saddle_problem *problem)
{
    saddle_matrix M = {0};
    if (problem->m > 0)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the problem has %lld rows: %s holds only a matrix, m = 0",
                           (long long)problem->m, saddle_format_word(SADDLE_FORMAT_SICONOS_MATRIX));
    saddle_status status = saddle__matrix_full(context, &problem->M, problem->n, problem->n, &M);
    if (status == SADDLE_OK) status = write_pair(context, path, problem, &M, saddle__output_matrix);
    saddle_matrix_clear(&M);
    return status;
}
