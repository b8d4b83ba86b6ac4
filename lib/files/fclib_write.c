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

/* The block of A in `cols` columns from j0 and `rows` rows from i0 on: as triplets, i = row and p =
 * column; by_rows: A is a transpose, whose columns are stored as compressed rows. */
static saddle_status write_block(saddle__hdf5_tree *out, const char *group, const saddle_matrix *A,
                                 int64_t i0, int64_t rows, int64_t j0, int64_t cols, int by_rows)
{
    char name[NAME_SIZE];
    saddle__entries list = {0};
    int64_t *start = saddle_allocate(out->context, cols + 1, sizeof *start);
    saddle_status status = saddle__entries_reserve(out->context, saddle_matrix_entries(A), &list);
    if (!start) status = SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; status == SADDLE_OK && j < cols; j++) {
        for (int64_t k = A->start ? A->start[j0 + j] : 0; A->start && k < A->start[j0 + j + 1]; k++)
            if (A->index[k] >= i0 && A->index[k] < i0 + rows)
                saddle__entries_add(&list, A->index[k] - i0, j, A->value[k]);
        start[j + 1] = list.count;
    }
    if (status == SADDLE_OK) {
        write_sizes(out, group, by_rows ? cols : rows, by_rows ? rows : cols,
                    by_rows ? -2 : list.count, list.count);
        saddle__hdf5_add_integers(out, member(name, group, "p"), by_rows ? cols + 1 : list.count,
                                  by_rows ? start : list.col);
        saddle__hdf5_add_integers(out, member(name, group, "i"), list.count, list.row);
        saddle__hdf5_add_doubles(out, member(name, group, "x"), list.count, list.value);
    }
    saddle_release(out->context, start);
    saddle__entries_clear(out->context, &list);
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
static saddle_status check_coupling(saddle_context *context, const saddle_matrix *R,
                                    const saddle_matrix *Rt, int64_t rows)
{
    saddle_matrix difference = {0};
    saddle_status status = saddle_matrix_add(context, 1, R, -1, Rt, &difference);
    for (int64_t j = rows; status == SADDLE_OK && j < R->cols; j++)
        for (int64_t k = difference.start[j]; k < difference.start[j + 1]; k++)
            if (difference.index[k] < rows && difference.value[k] != 0)
                status = saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                                     "R couples contacts and equality rows unsymmetrically: fclib "
                                     "holds one V for both sides");
    saddle_matrix_clear(&difference);
    return status;
}

static saddle_status write_local(saddle__hdf5_tree *out, const saddle_problem *problem,
                                 const saddle_matrix *R, int64_t rows)
{
    int64_t more = problem->m - rows;
    saddle_matrix Rt = {0};
    saddle_status status = saddle_matrix_transpose(out->context, R, &Rt);
    if (status == SADDLE_OK) status = check_coupling(out->context, R, &Rt, rows);
    if (status == SADDLE_OK) status = write_block(out, "/fclib_local/W", &Rt, 0, rows, 0, rows, 1);
    if (status == SADDLE_OK && more > 0)
        status = write_block(out, "/fclib_local/V", &Rt, rows, more, 0, rows, 1);
    if (status == SADDLE_OK && more > 0)
        status = write_block(out, "/fclib_local/R", &Rt, rows, more, rows, more, 1);
    if (status == SADDLE_OK)
        status = write_vector(out, "/fclib_local/vectors/q", -1, problem->b, 0, rows);
    if (status == SADDLE_OK && more > 0)
        status = write_vector(out, "/fclib_local/vectors/s", -1, problem->b, rows, more);
    if (status == SADDLE_OK) status = write_friction(out, "/fclib_local/vectors/mu", problem);
    saddle_matrix_clear(&Rt);
    return status;
}

static saddle_status write_global(saddle__hdf5_tree *out, const saddle_problem *problem,
                                  const saddle_matrix *M, int64_t rows)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t n = problem->n, more = problem->m - rows;
    saddle_status status = write_block(out, "/fclib_global/M", M, 0, n, 0, n, 0);
    if (status == SADDLE_OK) status = write_block(out, "/fclib_global/H", Jt, 0, n, 0, rows, 0);
    if (status == SADDLE_OK && more > 0)
        status = write_block(out, "/fclib_global/G", Jt, 0, n, rows, more, 0);
    if (status == SADDLE_OK)
        status = write_vector(out, "/fclib_global/vectors/f", 1, problem->f, 0, n);
    if (status == SADDLE_OK)
        status = write_vector(out, "/fclib_global/vectors/w", -1, problem->b, 0, rows);
    if (status == SADDLE_OK && more > 0)
        status = write_vector(out, "/fclib_global/vectors/b", -1, problem->b, rows, more);
    return status == SADDLE_OK ? write_friction(out, "/fclib_global/vectors/mu", problem) : status;
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
