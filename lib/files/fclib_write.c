/* SPDX-License-Identifier: MIT */
/* FCLIB problems to HDF5: see fclib.h. */
#include "files/fclib.h"

#include <stdio.h>
#include <string.h>

#include "files/hdf5.h"
#include "files/problem_file.h"

/* ---- matrices ---- */

enum { NAME_SIZE = SADDLE__HDF5_PATH_SIZE };

static const char *member(char text[NAME_SIZE], const char *group, const char *name)
{
    if (snprintf(text, NAME_SIZE, "%s/%s", group, name) >= NAME_SIZE)
        text[0] = 0; /* never: the names are ours */
    return text;
}

static void write_sizes(saddle__hdf5_tree *out, const char *group, int64_t rows, int64_t cols,
                        int64_t nz, int64_t entries)
{
    char name[NAME_SIZE];
    saddle__hdf5_add_group(out, group);
    saddle__hdf5_add_integers(out, member(name, group, "nzmax"), 1, &entries);
    saddle__hdf5_add_integers(out, member(name, group, "m"), 1, &rows);
    saddle__hdf5_add_integers(out, member(name, group, "n"), 1, &cols);
    saddle__hdf5_add_integers(out, member(name, group, "nz"), 1, &nz);
}

/* A by rows: the columns of its transpose. */
static saddle_status write_by_rows(saddle__hdf5_tree *out, const char *group,
                                   const saddle_matrix *A)
{
    char name[NAME_SIZE];
    saddle_matrix At = {0};
    saddle_status status = saddle_matrix_transpose(out->context, A, &At);
    if (status != SADDLE_OK) return status;
    int64_t entries = saddle_matrix_entries(&At);
    write_sizes(out, group, A->rows, A->cols, -2, entries);
    saddle__hdf5_add_integers(out, member(name, group, "p"), A->rows + 1, At.start);
    saddle__hdf5_add_integers(out, member(name, group, "i"), entries, At.index);
    saddle__hdf5_add_doubles(out, member(name, group, "x"), entries, At.value);
    saddle_matrix_clear(&At);
    return SADDLE_OK;
}

/* i = row, p = column. */
static saddle_status write_triplets(saddle__hdf5_tree *out, const char *group,
                                    const saddle_matrix *A)
{
    char name[NAME_SIZE];
    int64_t entries = saddle_matrix_entries(A);
    int64_t *col = saddle_allocate(out->context, entries, sizeof *col);
    if (!col) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) col[k] = j;
    write_sizes(out, group, A->rows, A->cols, entries, entries);
    saddle__hdf5_add_integers(out, member(name, group, "p"), entries, col);
    saddle__hdf5_add_integers(out, member(name, group, "i"), entries, A->index);
    saddle__hdf5_add_doubles(out, member(name, group, "x"), entries, A->value);
    saddle_release(out->context, col);
    return SADDLE_OK;
}

/* B = the rows x cols part of A from (i0, j0) on. */
static saddle_status part(saddle_context *context, const saddle_matrix *A, int64_t i0, int64_t j0,
                          int64_t rows, int64_t cols, saddle_matrix *B)
{
    saddle_status status = saddle_matrix_create(context, rows, cols, saddle_matrix_entries(A),
                                                SADDLE_GENERAL, B);
    int64_t entries = 0;
    for (int64_t j = 0; status == SADDLE_OK && j < cols; j++) {
        for (int64_t k = A->start ? A->start[j0 + j] : 0; A->start && k < A->start[j0 + j + 1];
             k++) {
            if (A->index[k] < i0 || A->index[k] >= i0 + rows) continue;
            B->index[entries] = A->index[k] - i0;
            B->value[entries++] = A->value[k];
        }
        B->start[j + 1] = entries;
    }
    return status;
}

/* ---- problems ---- */

/* sign * value[from .. from + count), zeros where value is NULL */
static saddle_status write_vector(saddle__hdf5_tree *out, const char *name, double sign,
                                  const double *value, int64_t from, int64_t count)
{
    double *copy = saddle_allocate(out->context, count, sizeof *copy);
    if (!copy) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < count; k++) copy[k] = sign * (value ? value[from + k] : 0);
    saddle__hdf5_add_doubles(out, name, count, copy);
    saddle_release(out->context, copy);
    return SADDLE_OK;
}

static saddle_status write_friction(saddle__hdf5_tree *out, const char *name,
                                    const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    double *mu = saddle_allocate(out->context, count, sizeof *mu);
    if (!mu) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) mu[c] = problem->contacts[c].mu;
    saddle__hdf5_add_doubles(out, name, count, mu);
    saddle_release(out->context, mu);
    return SADDLE_OK;
}

static void write_info(saddle__hdf5_tree *out, const char *group, const saddle_problem *problem,
                       int64_t dim)
{
    char name[NAME_SIZE], info[NAME_SIZE];
    saddle__hdf5_add_integers(out, member(name, group, "spacedim"), 1, &dim);
    saddle__hdf5_add_group(out, member(info, group, "info"));
    saddle__hdf5_add_text(out, member(name, info, "title"), problem->name ? problem->name : "");
    saddle__hdf5_add_text(out, member(name, info, "description"),
                          problem->source ? problem->source : "");
    saddle__hdf5_add_text(out, member(name, info, "math_info"), "");
    saddle__hdf5_add_group(out, member(name, group, "vectors"));
}

/* R must couple contacts and bilateral rows symmetrically: FCLIB stores the block V once. */
static saddle_status check_coupling(saddle_context *context, const saddle_matrix *V,
                                    const saddle_matrix *below)
{
    saddle_matrix turned = {0}, difference = {0};
    saddle_status status = saddle_matrix_transpose(context, below, &turned);
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 1, V, -1, &turned, &difference);
    if (status == SADDLE_OK && saddle_matrix_norm_max(&difference) > 0)
        status = saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                             "R couples contacts and equality rows unsymmetrically: fclib holds "
                             "one V for both sides");
    saddle_matrix_clear(&turned);
    saddle_matrix_clear(&difference);
    return status;
}

static saddle_status write_local(saddle__hdf5_tree *out, const saddle_problem *problem,
                                 const saddle_matrix *R, int64_t rows)
{
    int64_t more = problem->m - rows;
    saddle_matrix W = {0}, V = {0}, below = {0}, D = {0};
    saddle_status status = part(out->context, R, 0, 0, rows, rows, &W);
    if (status == SADDLE_OK) status = part(out->context, R, 0, rows, rows, more, &V);
    if (status == SADDLE_OK) status = part(out->context, R, rows, 0, more, rows, &below);
    if (status == SADDLE_OK) status = part(out->context, R, rows, rows, more, more, &D);
    if (status == SADDLE_OK) status = check_coupling(out->context, &V, &below);
    if (status == SADDLE_OK) status = write_by_rows(out, "/fclib_local/W", &W);
    if (status == SADDLE_OK && more > 0) status = write_by_rows(out, "/fclib_local/V", &V);
    if (status == SADDLE_OK && more > 0) status = write_by_rows(out, "/fclib_local/R", &D);
    if (status == SADDLE_OK)
        status = write_vector(out, "/fclib_local/vectors/q", -1, problem->b, 0, rows);
    if (status == SADDLE_OK && more > 0)
        status = write_vector(out, "/fclib_local/vectors/s", -1, problem->b, rows, more);
    if (status == SADDLE_OK) status = write_friction(out, "/fclib_local/vectors/mu", problem);
    saddle_matrix_clear(&W);
    saddle_matrix_clear(&V);
    saddle_matrix_clear(&below);
    saddle_matrix_clear(&D);
    return status;
}

static saddle_status write_global(saddle__hdf5_tree *out, const saddle_problem *problem,
                                  const saddle_matrix *M, int64_t rows)
{
    int64_t n = problem->n, more = problem->m - rows;
    saddle_matrix H = {0}, G = {0};
    saddle_status status = part(out->context, &problem->Jt, 0, 0, n, rows, &H);
    if (status == SADDLE_OK) status = part(out->context, &problem->Jt, 0, rows, n, more, &G);
    if (status == SADDLE_OK) status = write_triplets(out, "/fclib_global/M", M);
    if (status == SADDLE_OK) status = write_triplets(out, "/fclib_global/H", &H);
    if (status == SADDLE_OK && more > 0) status = write_triplets(out, "/fclib_global/G", &G);
    if (status == SADDLE_OK)
        status = write_vector(out, "/fclib_global/vectors/f", 1, problem->f, 0, n);
    if (status == SADDLE_OK)
        status = write_vector(out, "/fclib_global/vectors/w", -1, problem->b, 0, rows);
    if (status == SADDLE_OK && more > 0)
        status = write_vector(out, "/fclib_global/vectors/b", -1, problem->b, rows, more);
    if (status == SADDLE_OK) status = write_friction(out, "/fclib_global/vectors/mu", problem);
    saddle_matrix_clear(&H);
    saddle_matrix_clear(&G);
    return status;
}

/* Into the tree of the file to be. */
static saddle_status write_problem(saddle__hdf5_tree *out, const saddle_problem *problem,
                                   int64_t dim, int64_t rows)
{
    int global = problem->n > 0;
    const saddle_matrix *A = global ? &problem->M : &problem->R;
    saddle_matrix full = {0};
    saddle_status status = saddle__matrix_full(out->context, A, global ? problem->n : problem->m,
                                               global ? problem->n : problem->m, &full);
    const char *group = global ? "/fclib_global" : "/fclib_local";
    saddle__hdf5_add_group(out, group);
    write_info(out, group, problem, dim);
    if (status == SADDLE_OK)
        status = (global ? write_global : write_local)(out, problem, &full, rows);
    saddle_matrix_clear(&full);
    return status;
}

/* ---- the file ---- */

/* FCLIB's indices are 32-bit integers. */
static saddle_status check_sizes(saddle_context *context, const saddle_problem *problem)
{
    int64_t sizes[] = {problem->n, problem->m, saddle_matrix_entries(&problem->M),
                       saddle_matrix_entries(&problem->Jt), saddle_matrix_entries(&problem->R)};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        if (sizes[k] > INT32_MAX / 2)
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                               "a size of %lld: fclib holds 32-bit integers", (long long)sizes[k]);
    return SADDLE_OK;
}

saddle_status saddle__fclib_write(saddle_context *context, const char *path,
                                  const saddle_problem *problem)
{
    int64_t dim = problem->contact_count > 0 ? problem->contacts[0].size : 3;
    saddle__hdf5_tree tree;
    saddle_status status = check_sizes(context, problem);
    if (status != SADDLE_OK) return status;
    saddle__hdf5_begin(context, &tree);
    status = write_problem(&tree, problem, dim, problem->contact_count * dim);
    if (status == SADDLE_OK) status = saddle__hdf5_write(&tree, path);
    saddle__hdf5_clear(&tree);
    return status;
}
