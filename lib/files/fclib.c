/* SPDX-License-Identifier: MIT */
/* FCLIB problems, guesses and solutions from HDF5: see fclib.h. */
#include "files/fclib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files/hdf5.h"
#include "files/problem_file.h"

typedef struct reader {
    saddle_context *context;
    saddle__hdf5 file;
    const char *group;
    int64_t spacedim;
    int64_t contact_rows, bilateral_rows;
} reader;

/* ---- parts ---- */

static saddle_status find(const reader *in, const char *folder, const char *name,
                          saddle__hdf5_data *data)
{
    char path[sizeof data->path];
    snprintf(path, sizeof path, "%s%s%s/%s", in->group, *folder ? "/" : "", folder, name);
    return saddle__hdf5_find(&in->file, path, data);
}

static saddle_status read_integer(const reader *in, const char *folder, const char *name,
                                  int64_t *value)
{
    saddle__hdf5_data data;
    saddle_status status = find(in, folder, name, &data);
    return status == SADDLE_OK ? saddle__hdf5_integers(&in->file, &data, 1, value) : status;
}

/* A vector of *count numbers; *count < 0: of any length, which is stored in *count. */
static saddle_status read_vector(const reader *in, const char *name, int64_t *count, double **value)
{
    saddle__hdf5_data data;
    saddle_status status = find(in, "vectors", name, &data);
    if (status != SADDLE_OK) return status;
    if (data.present && *count >= 0 && data.count != *count)
        return saddle_fail(in->context, SADDLE_BAD_FILE, "%s: %s: %lld numbers, %lld needed",
                           in->file.label, data.path, (long long)data.count, (long long)*count);
    if (*count < 0) *count = data.present ? data.count : 0;
    *value = saddle_allocate(in->context, *count, sizeof **value);
    if (!*value) return SADDLE_OUT_OF_MEMORY;
    return saddle__hdf5_doubles(&in->file, &data, *count, *value);
}

/* Text of info/NAME, NULL if absent or empty. */
static saddle_status read_text(const reader *in, const char *name, char **text)
{
    saddle__hdf5_data data;
    saddle_status status = find(in, "info", name, &data);
    if (status != SADDLE_OK || !data.present || data.type != SADDLE__HDF5_STRING ||
        data.count != 1 || !data.bytes)
        return status;
    const unsigned char *end = memchr(data.bytes, 0, data.size);
    int64_t length = end ? end - data.bytes : (int64_t)data.size;
    if (length == 0) return SADDLE_OK;
    *text = saddle_allocate(in->context, length + 1, 1);
    if (!*text) return SADDLE_OUT_OF_MEMORY;
    memcpy(*text, data.bytes, (size_t)length);
    return SADDLE_OK;
}

/* ---- matrices ---- */

typedef struct stored_matrix {
    int64_t rows, cols, nz, entries;
    saddle__hdf5_data p, i, x;
} stored_matrix;

static saddle_status matrix_fail(const reader *in, const char *name, const char *reason)
{
    return saddle_fail(in->context, SADDLE_BAD_FILE, "%s: %s/%s: %s", in->file.label, in->group,
                       name, reason);
}

static saddle_status find_matrix(const reader *in, const char *name, int64_t rows, int64_t cols,
                                 stored_matrix *S)
{
    saddle_status status = read_integer(in, name, "m", &S->rows);
    if (status == SADDLE_OK) status = read_integer(in, name, "n", &S->cols);
    if (status == SADDLE_OK) status = read_integer(in, name, "nz", &S->nz);
    if (status == SADDLE_OK && S->nz < SADDLE__FCLIB_BY_ROWS)
        return matrix_fail(in, name,
                           "nz is neither -1 (by columns), -2 (by rows) nor a count of triplets");
    if (status == SADDLE_OK && (S->rows != rows || S->cols != cols))
        return saddle_fail(in->context, SADDLE_BAD_FILE,
                           "%s: %s/%s is %lld x %lld, but the vectors ask for %lld x %lld",
                           in->file.label, in->group, name, (long long)S->rows, (long long)S->cols,
                           (long long)rows, (long long)cols);
    S->entries = S->nz;
    if (status == SADDLE_OK) status = find(in, name, "p", &S->p);
    if (status == SADDLE_OK) status = find(in, name, "i", &S->i);
    if (status == SADDLE_OK) status = find(in, name, "x", &S->x);
    return status;
}

/* The starts p of compressed columns or rows; sets S->entries. */
static saddle_status read_starts(const reader *in, const char *name, stored_matrix *S,
                                 int64_t **start)
{
    int64_t count = S->nz == SADDLE__FCLIB_BY_COLUMNS ? S->cols : S->rows;
    if (S->p.present && S->p.count != count + 1)
        return matrix_fail(in, name, "p has not one number more than rows or columns");
    int64_t *p = *start = saddle_allocate(in->context, count + 1, sizeof *p);
    if (!p) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle__hdf5_integers(&in->file, &S->p, count + 1, p);
    if (status != SADDLE_OK) return status;
    S->entries = p[count];
    if (p[0] != 0 || S->entries < 0) return matrix_fail(in, name, "p does not begin with 0");
    for (int64_t j = 0; j < count; j++)
        if (p[j + 1] < p[j] || p[j + 1] > S->entries)
            return matrix_fail(in, name, "p does not ascend");
    return SADDLE_OK;
}

/* Appends the entries of a stored matrix; start: NULL for triplets. */
static saddle_status read_entries(const reader *in, const stored_matrix *S, const int64_t *start,
                                  saddle__entries *list)
{
    int64_t *row = list->row + list->count, *col = list->col + list->count;
    int64_t *outer = S->nz == SADDLE__FCLIB_BY_ROWS ? row : col; /* the index that p states */
    int64_t *inner = S->nz == SADDLE__FCLIB_BY_ROWS ? col : row;
    saddle_status status = SADDLE_OK;
    for (int64_t j = 0, k = 0; start && k < S->entries; j++)
        for (; k < start[j + 1]; k++) outer[k] = j;
    if (!start) status = saddle__hdf5_integers(&in->file, &S->p, S->entries, outer);
    if (status == SADDLE_OK) status = saddle__hdf5_integers(&in->file, &S->i, S->entries, inner);
    if (status == SADDLE_OK)
        status = saddle__hdf5_doubles(&in->file, &S->x, S->entries, list->value + list->count);
    list->count += S->entries;
    return status;
}

/* Checks entry k of the list, and moves it to (i0 + row, j0 + col). */
static saddle_status move_entry(const reader *in, const char *name, const stored_matrix *S,
                                saddle__entries *list, int64_t k, int64_t i0, int64_t j0)
{
    int64_t i = list->row[k], j = list->col[k];
    if (i < 0 || i >= S->rows || j < 0 || j >= S->cols)
        return saddle_fail(in->context, SADDLE_BAD_FILE,
                           "%s: %s/%s: entry %lld is at (%lld, %lld), counted from 0, outside",
                           in->file.label, in->group, name,
                           (long long)(k - list->count + S->entries) + 1, (long long)i,
                           (long long)j);
    list->row[k] += i0;
    list->col[k] += j0;
    return SADDLE_OK;
}

/* Appends the matrix called name, at (i0, j0), to a list; mirrored: and its transpose at (j0, i0).
 */
static saddle_status read_matrix(const reader *in, const char *name, int64_t rows, int64_t cols,
                                 int64_t i0, int64_t j0, int mirrored, saddle__entries *list)
{
    stored_matrix S;
    int64_t *start = NULL, first = list->count;
    saddle_status status = find_matrix(in, name, rows, cols, &S);
    if (status == SADDLE_OK && S.nz < 0) status = read_starts(in, name, &S, &start);
    if (status == SADDLE_OK &&
        (S.entries > S.i.count || S.entries > S.x.count || (S.nz >= 0 && S.nz > S.p.count)))
        status = matrix_fail(in, name, "i, x or p have fewer numbers than the matrix has entries");
    if (status == SADDLE_OK)
        status = saddle__entries_reserve(in->context, first + (mirrored ? 2 : 1) * S.entries, list);
    if (status == SADDLE_OK) status = read_entries(in, &S, start, list);
    for (int64_t k = first; status == SADDLE_OK && k < first + S.entries; k++)
        status = move_entry(in, name, &S, list, k, i0, j0);
    for (int64_t k = first; status == SADDLE_OK && mirrored && k < first + S.entries; k++)
        saddle__entries_add(list, list->col[k], list->row[k], list->value[k]);
    saddle_release(in->context, start);
    return status;
}

/* ---- problems ---- */

/* b = -(vector of the contacts' rows, of the bilateral rows), and the counts of both; the latter
 * count if `matrix` exists (*joined). */
static saddle_status read_rows(reader *in, const char *matrix, const char *rows,
                               const char *bilateral, double **b, int *joined)
{
    saddle__hdf5_data data, contact, other = {.present = 0};
    saddle_status status = find(in, "", matrix, &data);
    *joined = data.present;
    if (status == SADDLE_OK) status = find(in, "vectors", rows, &contact);
    if (status == SADDLE_OK && *joined) status = find(in, "vectors", bilateral, &other);
    if (status != SADDLE_OK) return status;
    in->contact_rows = contact.present ? contact.count : 0;
    in->bilateral_rows = other.present ? other.count : 0;
    int64_t m = in->contact_rows + in->bilateral_rows;
    *b = saddle_allocate(in->context, m, sizeof **b);
    if (!*b) return SADDLE_OUT_OF_MEMORY;
    status = saddle__hdf5_doubles(&in->file, &contact, in->contact_rows, *b);
    if (status == SADDLE_OK && *joined)
        status = saddle__hdf5_doubles(&in->file, &other, in->bilateral_rows, *b + in->contact_rows);
    for (int64_t i = 0; i < m; i++) (*b)[i] = -(*b)[i];
    return status;
}

static saddle_status read_local(reader *in, saddle_problem *problem)
{
    saddle__entries list = {0};
    int joined = 0;
    saddle_status status = read_rows(in, "V", "q", "s", &problem->b, &joined);
    int64_t rows = in->contact_rows, more = in->bilateral_rows, m = rows + more;
    if (status == SADDLE_OK) status = read_matrix(in, "W", rows, rows, 0, 0, 0, &list);
    if (status == SADDLE_OK && joined) status = read_matrix(in, "V", rows, more, 0, rows, 1, &list);
    if (status == SADDLE_OK && joined)
        status = read_matrix(in, "R", more, more, rows, rows, 0, &list);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix(in->context, in->file.label, joined ? "[W V; V' R]" : "W",
                                        m, m, &list, &problem->R, NULL);
    saddle__entries_clear(in->context, &list);
    return status == SADDLE_OK ? saddle__matrix_settle(in->context, &problem->R) : status;
}

static saddle_status read_global(reader *in, saddle_problem *problem)
{
    saddle__entries M = {0}, H = {0};
    int joined = 0;
    int64_t n = -1;
    saddle_status status = read_rows(in, "G", "w", "b", &problem->b, &joined);
    int64_t rows = in->contact_rows, more = in->bilateral_rows;
    if (status == SADDLE_OK) status = read_vector(in, "f", &n, &problem->f);
    if (status == SADDLE_OK) status = read_matrix(in, "M", n, n, 0, 0, 0, &M);
    if (status == SADDLE_OK) status = read_matrix(in, "H", n, rows, 0, 0, 0, &H);
    if (status == SADDLE_OK && joined) status = read_matrix(in, "G", n, more, 0, rows, 0, &H);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix(in->context, in->file.label, "M", n, n, &M, &problem->M,
                                        NULL);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix(in->context, in->file.label, joined ? "[H G]" : "H", n,
                                        rows + more, &H, &problem->Jt, NULL);
    saddle__entries_clear(in->context, &M);
    saddle__entries_clear(in->context, &H);
    problem->n = status == SADDLE_OK ? n : 0;
    return status == SADDLE_OK ? saddle__matrix_settle(in->context, &problem->M) : status;
}

static saddle_status read_contacts(reader *in, saddle_problem *problem)
{
    double *mu = NULL;
    if (in->contact_rows % in->spacedim != 0)
        return saddle_fail(in->context, SADDLE_BAD_FILE,
                           "%s: %s: %lld rows are no contacts of %lld", in->file.label, in->group,
                           (long long)in->contact_rows, (long long)in->spacedim);
    int64_t count = in->contact_rows / in->spacedim;
    saddle_status status = read_vector(in, "mu", &count, &mu);
    if (status == SADDLE_OK)
        status = saddle__problem_contacts(in->context, problem, in->spacedim, count, mu);
    saddle_release(in->context, mu);
    return status;
}

/* ---- guesses and solutions ---- */

static saddle_status read_part(const reader *in, const char *name, int64_t count, double *value,
                               int *any)
{
    saddle__hdf5_data data;
    saddle_status status = find(in, "", name, &data);
    if (status != SADDLE_OK || !data.present || count == 0) return status;
    *any = 1;
    return saddle__hdf5_doubles(&in->file, &data, count, value);
}

static saddle_status read_solution(reader in, const char *group, const saddle_problem *problem,
                                   saddle_solution *solution)
{
    saddle__hdf5_data data;
    int any = 0;
    saddle_status status = saddle__hdf5_find(&in.file, group, &data);
    if (status != SADDLE_OK || !data.present) return status;
    int64_t rows = in.contact_rows, more = in.bilateral_rows;
    in.group = group;
    status = saddle_solution_create(in.context, problem->n, problem->m, solution);
    if (status == SADDLE_OK) status = read_part(&in, "v", problem->n, solution->v, &any);
    if (status == SADDLE_OK) status = read_part(&in, "r", rows, solution->lambda, &any);
    if (status == SADDLE_OK) status = read_part(&in, "l", more, solution->lambda + rows, &any);
    if (status == SADDLE_OK) status = read_part(&in, "u", rows, solution->w, &any);
    if (status != SADDLE_OK || !any) saddle_solution_clear(solution);
    return status;
}

/* ---- reading a file ---- */

/* *global: 0 = local, 1 = global. */
static saddle_status find_group(reader *in, int *global)
{
    static const char *const groups[] = {"/fclib_local", "/fclib_global", "/fclib_local_rolling",
                                         "/fclib_global_rolling"};
    saddle__hdf5_data data = {.present = 0};
    int kind = 0;
    saddle_status status = SADDLE_OK;
    for (; status == SADDLE_OK && !data.present && kind < 4; kind++)
        status = saddle__hdf5_find(&in->file, groups[kind], &data);
    if (status != SADDLE_OK) return status;
    if (!data.present)
        return saddle_fail(in->context, SADDLE_BAD_FILE,
                           "%s: no group fclib_local or fclib_global: not an FCLIB problem",
                           in->file.label);
    kind--;
    if (kind > 1)
        return saddle_fail(in->context, SADDLE_UNSUPPORTED,
                           "%s: %s: rolling friction (5 rows a contact) is not supported",
                           in->file.label, groups[kind]);
    in->group = groups[kind];
    *global = kind;
    return SADDLE_OK;
}

saddle_status saddle__fclib_read(saddle_context *context, const char *bytes, int64_t length,
                                 const char *label, saddle_problem *problem, saddle_solution *start,
                                 saddle_solution *known)
{
    reader in = {.context = context};
    int global = 0;
    saddle_status status = saddle__hdf5_open(context, bytes, length, label, &in.file);
    if (status == SADDLE_OK) status = find_group(&in, &global);
    if (status == SADDLE_OK) status = read_integer(&in, "", "spacedim", &in.spacedim);
    if (status == SADDLE_OK && in.spacedim != 2 && in.spacedim != 3)
        return saddle_fail(context, SADDLE_UNSUPPORTED,
                           "%s: %s/spacedim is %lld: contacts of 2 or 3 rows are supported", label,
                           in.group, (long long)in.spacedim);
    if (status == SADDLE_OK) status = (global ? read_global : read_local)(&in, problem);
    if (status != SADDLE_OK) return status;
    problem->m = in.contact_rows + in.bilateral_rows;
    status = read_contacts(&in, problem);
    if (status == SADDLE_OK) status = read_text(&in, "title", &problem->name);
    if (status == SADDLE_OK) status = read_text(&in, "description", &problem->source);
    if (status == SADDLE_OK && start) status = read_solution(in, "/guesses/1", problem, start);
    if (status == SADDLE_OK && known) status = read_solution(in, "/solution", problem, known);
    return status;
}
