/* SPDX-License-Identifier: MIT */
/* FCLIB problems to HDF5, by HDF5's own library: see fclib.h.
 *
 * The library's printing of errors is off while it works and restored after.  Its memory is its own, not the context's.
 */
#include "files/fclib.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "files/atomic.h"
#include "files/express.h"
#include "files/siconos_output.h"

typedef struct writer {
    saddle_context *context;
    const char *path; /* in messages                                  */
    hid_t file;       /* negative = not open                          */
    int failed;       /* 1: HDF5 refused something, the rest is vain  */
} writer;

/* ---- datasets --------------------------------------------------------------------------------------------------------- */

static void write_dataset(writer *out, const char *name, hid_t stored, hid_t memory, int64_t count, const void *value)
{
    hsize_t extent = (hsize_t)count;
    if (out->failed) return;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t data = space < 0 ? -1 : H5Dcreate2(out->file, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    out->failed = data < 0 || (count > 0 && H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) < 0);
    if (data >= 0 && H5Dclose(data) < 0) out->failed = 1;
    if (space >= 0) H5Sclose(space);
}

static void write_integers(writer *out, const char *name, int64_t count, const int64_t *value)
{
    write_dataset(out, name, H5T_STD_I32LE, H5T_NATIVE_INT64, count, value);
}

static void write_doubles(writer *out, const char *name, int64_t count, const double *value)
{
    write_dataset(out, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, value);
}

static void write_text(writer *out, const char *name, const char *text)
{
    if (out->failed) return;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    out->failed = type < 0 || space < 0 || H5Tset_size(type, strlen(text) + 1) < 0;
    hid_t data = out->failed ? -1 : H5Dcreate2(out->file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (data < 0 || H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) out->failed = 1;
    if (data >= 0 && H5Dclose(data) < 0) out->failed = 1;
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
}

static void write_group(writer *out, const char *name)
{
    if (out->failed) return;
    hid_t group = H5Gcreate2(out->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    out->failed = group < 0 || H5Gclose(group) < 0;
}

/* ---- matrices --------------------------------------------------------------------------------------------------------- */

enum { NAME_SIZE = 64 };

static const char *member(char text[NAME_SIZE], const char *group, const char *name)
{
    if (snprintf(text, NAME_SIZE, "%s/%s", group, name) >= NAME_SIZE) text[0] = 0; /* never: the names are ours */
    return text;
}

static void write_sizes(writer *out, const char *group, int64_t rows, int64_t cols, int64_t nz, int64_t entries)
{
    char name[NAME_SIZE];
    write_group(out, group);
    write_integers(out, member(name, group, "nzmax"), 1, &entries);
    write_integers(out, member(name, group, "m"), 1, &rows);
    write_integers(out, member(name, group, "n"), 1, &cols);
    write_integers(out, member(name, group, "nz"), 1, &nz);
}

/* The rows of A, whose transpose's columns they are. */
static saddle_status write_by_rows(writer *out, const char *group, const saddle_matrix *A)
{
    char name[NAME_SIZE];
    saddle_matrix At = {0};
    saddle_status status = saddle_matrix_transpose(out->context, A, &At);
    if (status != SADDLE_OK) return status;
    int64_t entries = saddle_matrix_entries(&At);
    write_sizes(out, group, A->rows, A->cols, -2, entries);
    write_integers(out, member(name, group, "p"), A->rows + 1, At.start);
    write_integers(out, member(name, group, "i"), entries, At.index);
    write_doubles(out, member(name, group, "x"), entries, At.value);
    saddle_matrix_clear(&At);
    return SADDLE_OK;
}

/* i = row, p = column. */
static saddle_status write_triplets(writer *out, const char *group, const saddle_matrix *A)
{
    char name[NAME_SIZE];
    int64_t entries = saddle_matrix_entries(A);
    int64_t *col = saddle_allocate(out->context, entries > 0 ? entries : 1, sizeof *col);
    if (!col) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) col[k] = j;
    write_sizes(out, group, A->rows, A->cols, entries, entries);
    write_integers(out, member(name, group, "p"), entries, col);
    write_integers(out, member(name, group, "i"), entries, A->index);
    write_doubles(out, member(name, group, "x"), entries, A->value);
    saddle_release(out->context, col);
    return SADDLE_OK;
}

/* B = the rows x cols part of A that begins at (i0, j0). */
static saddle_status part(saddle_context *context, const saddle_matrix *A, int64_t i0, int64_t j0, int64_t rows,
                          int64_t cols, saddle_matrix *B)
{
    saddle_status status = saddle_matrix_create(context, rows, cols, saddle_matrix_entries(A), SADDLE_GENERAL, B);
    int64_t entries = 0;
    for (int64_t j = 0; status == SADDLE_OK && j < cols; j++) {
        for (int64_t k = A->start ? A->start[j0 + j] : 0; A->start && k < A->start[j0 + j + 1]; k++) {
            if (A->index[k] < i0 || A->index[k] >= i0 + rows) continue;
            B->index[entries] = A->index[k] - i0;
            B->value[entries++] = A->value[k];
        }
        B->start[j + 1] = entries;
    }
    return status;
}

/* ---- problems --------------------------------------------------------------------------------------------------------- */

/* sign * value[from .. from + count), zeros where value is NULL */
static saddle_status write_vector(writer *out, const char *name, double sign, const double *value, int64_t from,
                                  int64_t count)
{
    double *copy = saddle_allocate(out->context, count > 0 ? count : 1, sizeof *copy);
    if (!copy) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < count; k++) copy[k] = sign * (value ? value[from + k] : 0);
    write_doubles(out, name, count, copy);
    saddle_release(out->context, copy);
    return SADDLE_OK;
}

static saddle_status write_friction(writer *out, const char *name, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    double *mu = saddle_allocate(out->context, count > 0 ? count : 1, sizeof *mu);
    if (!mu) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) mu[c] = problem->contacts[c].mu;
    write_doubles(out, name, count, mu);
    saddle_release(out->context, mu);
    return SADDLE_OK;
}

static void write_info(writer *out, const char *group, const saddle_problem *problem, int64_t dim)
{
    char name[NAME_SIZE], info[NAME_SIZE];
    write_integers(out, member(name, group, "spacedim"), 1, &dim);
    write_group(out, member(info, group, "info"));
    write_text(out, member(name, info, "title"), problem->name ? problem->name : "");
    write_text(out, member(name, info, "description"), problem->source ? problem->source : "");
    write_text(out, member(name, info, "math_info"), "");
    write_group(out, member(name, group, "vectors"));
}

/* The bilateral rows' block of R below the contacts' must be the transpose of the one beside them: FCLIB stores it once. */
static saddle_status check_coupling(saddle_context *context, const saddle_matrix *V, const saddle_matrix *below)
{
    saddle_matrix turned = {0}, difference = {0};
    saddle_status status = saddle_matrix_transpose(context, below, &turned);
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 1, V, -1, &turned, &difference);
    if (status == SADDLE_OK && saddle_matrix_norm_max(&difference) > 0)
        status = saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                             "R couples contacts and equality rows unsymmetrically: fclib holds one V for both sides");
    saddle_matrix_clear(&turned);
    saddle_matrix_clear(&difference);
    return status;
}

static saddle_status write_local(writer *out, const saddle_problem *problem, const saddle_matrix *R, int64_t rows)
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
    if (status == SADDLE_OK) status = write_vector(out, "/fclib_local/vectors/q", -1, problem->b, 0, rows);
    if (status == SADDLE_OK && more > 0)
        status = write_vector(out, "/fclib_local/vectors/s", -1, problem->b, rows, more);
    if (status == SADDLE_OK) status = write_friction(out, "/fclib_local/vectors/mu", problem);
    saddle_matrix_clear(&W);
    saddle_matrix_clear(&V);
    saddle_matrix_clear(&below);
    saddle_matrix_clear(&D);
    return status;
}

static saddle_status write_global(writer *out, const saddle_problem *problem, const saddle_matrix *M, int64_t rows)
{
    int64_t n = problem->n, more = problem->m - rows;
    saddle_matrix H = {0}, G = {0};
    saddle_status status = part(out->context, &problem->Jt, 0, 0, n, rows, &H);
    if (status == SADDLE_OK) status = part(out->context, &problem->Jt, 0, rows, n, more, &G);
    if (status == SADDLE_OK) status = write_triplets(out, "/fclib_global/M", M);
    if (status == SADDLE_OK) status = write_triplets(out, "/fclib_global/H", &H);
    if (status == SADDLE_OK && more > 0) status = write_triplets(out, "/fclib_global/G", &G);
    if (status == SADDLE_OK) status = write_vector(out, "/fclib_global/vectors/f", 1, problem->f, 0, n);
    if (status == SADDLE_OK) status = write_vector(out, "/fclib_global/vectors/w", -1, problem->b, 0, rows);
    if (status == SADDLE_OK && more > 0)
        status = write_vector(out, "/fclib_global/vectors/b", -1, problem->b, rows, more);
    if (status == SADDLE_OK) status = write_friction(out, "/fclib_global/vectors/mu", problem);
    saddle_matrix_clear(&H);
    saddle_matrix_clear(&G);
    return status;
}

/* Into the open file. */
static saddle_status write_problem(writer *out, const saddle_problem *problem, int64_t dim, int64_t rows)
{
    int global = problem->n > 0;
    const saddle_matrix *A = global ? &problem->M : &problem->R;
    saddle_matrix full = {0};
    saddle_status status =
        saddle__matrix_full(out->context, A, global ? problem->n : problem->m, global ? problem->n : problem->m, &full);
    const char *group = global ? "/fclib_global" : "/fclib_local";
    write_group(out, group);
    write_info(out, group, problem, dim);
    if (status == SADDLE_OK) status = (global ? write_global : write_local)(out, problem, &full, rows);
    saddle_matrix_clear(&full);
    if (status == SADDLE_OK && out->failed)
        status = saddle_fail(out->context, SADDLE_FILE_ERROR, "%s: the HDF5 library could not write it", out->path);
    return status;
}

/* ---- the file --------------------------------------------------------------------------------------------------------- */

static saddle_status express(saddle_context *context, const saddle_problem *problem, int64_t *dim, int64_t *rows)
{
    saddle_format format = SADDLE_FORMAT_FCLIB;
    saddle_status status =
        saddle__express_rows(context, format, problem, SADDLE__HOLDS_CONTACTS | SADDLE__HOLDS_EQUALITY);
    if (status == SADDLE_OK) status = saddle__express_contacts(context, format, problem, dim, rows);
    if (status == SADDLE_OK && problem->n > 0) status = saddle__express_no_compliance(context, format, problem);
    if (status != SADDLE_OK) return status;
    int64_t sizes[] = {problem->n, problem->m, saddle_matrix_entries(&problem->M), saddle_matrix_entries(&problem->Jt),
                       saddle_matrix_entries(&problem->R)};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        if (sizes[k] > INT32_MAX / 2)
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE, "a size of %lld: fclib holds 32-bit integers",
                               (long long)sizes[k]);
    return SADDLE_OK;
}

saddle_status saddle__fclib_write(saddle_context *context, const char *path, const saddle_problem *problem)
{
    int64_t dim = 3, rows = 0;
    saddle__new_file file;
    H5E_auto2_t print = NULL;
    void *print_data = NULL;
    saddle_status status = express(context, problem, &dim, &rows);
    if (status == SADDLE_OK) status = saddle__new_file_begin(context, path, &file);
    if (status != SADDLE_OK) return status;
    (void)H5Eget_auto2(H5E_DEFAULT, &print, &print_data);
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    writer out = {.context = context, .path = path};
    out.file = H5Fcreate(file.temporary, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    out.failed = out.file < 0;
    status = write_problem(&out, problem, dim, rows);
    if (out.file >= 0 && H5Fclose(out.file) < 0 && status == SADDLE_OK)
        status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: the HDF5 library could not finish it", path);
    (void)H5Eset_auto2(H5E_DEFAULT, print, print_data);
    return saddle__new_file_finish(&file, status);
}
