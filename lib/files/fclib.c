/* SPDX-License-Identifier: MIT */
/* FCLIB problems, guesses and solutions from HDF5: see fclib.h. */
#include "files/fclib.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/hdf5.h"
#include "files/problem_file.h"

/* After a failure, kept in status, nothing is read any more. */
typedef struct reader {
    saddle_context *context;
    saddle__hdf5 file;
    const char *group;
    int64_t spacedim;
    int64_t contact_rows, bilateral_rows;
    saddle_status status;
} reader;

/* ---- parts ---- */

static saddle__hdf5_data find(reader *in, const char *folder, const char *name)
{
    saddle__hdf5_data data = {.present = 0};
    char path[sizeof data.path];
    snprintf(path, sizeof path, "%s%s%s/%s", in->group, *folder ? "/" : "", folder, name);
    if (in->status == SADDLE_OK) in->status = saddle__hdf5_find(&in->file, path, &data);
    return data;
}

static void take_integers(reader *in, const saddle__hdf5_data *data, int64_t count, int64_t *value)
{
    if (in->status == SADDLE_OK) in->status = saddle__hdf5_integers(&in->file, data, count, value);
}

static void take_doubles(reader *in, const saddle__hdf5_data *data, int64_t count, double *value)
{
    if (in->status == SADDLE_OK) in->status = saddle__hdf5_doubles(&in->file, data, count, value);
}

static void *allocate(reader *in, int64_t count, size_t size)
{
    void *block = in->status == SADDLE_OK ? saddle_allocate(in->context, count, size) : NULL;
    if (in->status == SADDLE_OK && !block) in->status = SADDLE_OUT_OF_MEMORY;
    return block;
}

static int64_t read_integer(reader *in, const char *folder, const char *name)
{
    int64_t value = 0;
    saddle__hdf5_data data = find(in, folder, name);
    take_integers(in, &data, 1, &value);
    return value;
}

/* A vector of *count numbers; *count < 0: of any length, which is stored in *count. */
static double *read_vector(reader *in, const char *name, int64_t *count)
{
    saddle__hdf5_data data = find(in, "vectors", name);
    if (data.present && *count >= 0 && data.count != *count)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE, "%s: %s: %lld numbers, %lld needed",
                                 in->file.label, data.path, (long long)data.count,
                                 (long long)*count);
    if (*count < 0) *count = data.present ? data.count : 0;
    double *value = allocate(in, *count, sizeof *value);
    take_doubles(in, &data, *count, value);
    return value;
}

/* Text of info/NAME, NULL if absent or empty. */
static char *read_text(reader *in, const char *name)
{
    saddle__hdf5_data data = find(in, "info", name);
    if (!data.present || data.type != SADDLE__HDF5_STRING || data.count != 1 || !data.bytes)
        return NULL;
    const unsigned char *end = memchr(data.bytes, 0, data.size);
    int64_t length = end ? end - data.bytes : (int64_t)data.size;
    char *text = length > 0 ? allocate(in, length + 1, 1) : NULL;
    if (text) memcpy(text, data.bytes, (size_t)length);
    return text;
}

/* ---- matrices ---- */

typedef struct stored_matrix {
    int64_t rows, cols, nz, entries;
    saddle__hdf5_data p, i, x;
} stored_matrix;

static void matrix_fail(reader *in, const char *name, const char *reason)
{
    if (in->status == SADDLE_OK)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE, "%s: %s/%s: %s", in->file.label,
                                 in->group, name, reason);
}

static stored_matrix find_matrix(reader *in, const char *name, int64_t rows, int64_t cols)
{
    stored_matrix S = {.rows = read_integer(in, name, "m"), .cols = read_integer(in, name, "n")};
    S.entries = S.nz = read_integer(in, name, "nz");
    if (S.nz < SADDLE__FCLIB_BY_ROWS)
        matrix_fail(in, name,
                    "nz is neither -1 (by columns), -2 (by rows) nor a count of triplets");
    if (in->status == SADDLE_OK && (S.rows != rows || S.cols != cols))
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE,
                                 "%s: %s/%s is %lld x %lld, but the vectors ask for %lld x %lld",
                                 in->file.label, in->group, name, (long long)S.rows,
                                 (long long)S.cols, (long long)rows, (long long)cols);
    S.p = find(in, name, "p");
    S.i = find(in, name, "i");
    S.x = find(in, name, "x");
    return S;
}

/* The starts of compressed columns or rows, a new array; sets S->entries. */
static int64_t *read_starts(reader *in, const char *name, stored_matrix *S)
{
    int64_t count = S->nz == SADDLE__FCLIB_BY_COLUMNS ? S->cols : S->rows;
    if (S->p.present && S->p.count != count + 1)
        matrix_fail(in, name, "p has not one number more than rows or columns");
    int64_t *p = allocate(in, count + 1, sizeof *p);
    take_integers(in, &S->p, count + 1, p);
    if (in->status != SADDLE_OK) return p;
    S->entries = p[count];
    if (p[0] != 0 || S->entries < 0) matrix_fail(in, name, "p does not begin with 0");
    for (int64_t j = 0; j < count; j++)
        if (p[j + 1] < p[j] || p[j + 1] > S->entries) matrix_fail(in, name, "p does not ascend");
    return p;
}

/* Appends the entries of a stored matrix; start: NULL for triplets. */
static void read_entries(reader *in, const stored_matrix *S, const int64_t *start,
                         saddle__entries *list)
{
    int64_t *row = list->row + list->count, *col = list->col + list->count;
    int64_t *outer = S->nz == SADDLE__FCLIB_BY_ROWS ? row : col; /* the index that p states */
    int64_t *inner = S->nz == SADDLE__FCLIB_BY_ROWS ? col : row;
    for (int64_t j = 0, k = 0; start && k < S->entries; j++)
        for (; k < start[j + 1]; k++) outer[k] = j;
    if (!start) take_integers(in, &S->p, S->entries, outer);
    take_integers(in, &S->i, S->entries, inner);
    take_doubles(in, &S->x, S->entries, list->value + list->count);
    list->count += S->entries;
}

/* Checks entry k of the list, and moves it to (i0 + row, j0 + col). */
static void move_entry(reader *in, const char *name, const stored_matrix *S, saddle__entries *list,
                       int64_t k, int64_t i0, int64_t j0)
{
    int64_t i = list->row[k], j = list->col[k];
    if (i < 0 || i >= S->rows || j < 0 || j >= S->cols)
        in->status = saddle_fail(
            in->context, SADDLE_BAD_FILE,
            "%s: %s/%s: entry %lld is at (%lld, %lld), counted from 0, outside", in->file.label,
            in->group, name, (long long)(k - list->count + S->entries) + 1, (long long)i,
            (long long)j);
    list->row[k] += i0;
    list->col[k] += j0;
}

/* Appends the matrix called name, at (i0, j0), to a list; mirrored: and its transpose at (j0, i0).
 */
static void read_matrix(reader *in, const char *name, int64_t rows, int64_t cols, int64_t i0,
                        int64_t j0, int mirrored, saddle__entries *list)
{
    int64_t first = list->count;
    stored_matrix S = find_matrix(in, name, rows, cols);
    int64_t *start = in->status == SADDLE_OK && S.nz < 0 ? read_starts(in, name, &S) : NULL;
    if (S.entries > S.i.count || S.entries > S.x.count || (S.nz >= 0 && S.nz > S.p.count))
        matrix_fail(in, name, "i, x or p have fewer numbers than the matrix has entries");
    if (in->status == SADDLE_OK)
        in->status = saddle__entries_reserve(in->context, first + (mirrored ? 2 : 1) * S.entries,
                                             list);
    if (in->status == SADDLE_OK) read_entries(in, &S, start, list);
    for (int64_t k = first; in->status == SADDLE_OK && k < first + S.entries; k++)
        move_entry(in, name, &S, list, k, i0, j0);
    for (int64_t k = first; in->status == SADDLE_OK && mirrored && k < first + S.entries; k++)
        saddle__entries_add(list, list->col[k], list->row[k], list->value[k]);
    saddle_release(in->context, start);
}

/* A <- the entries of the list, which is emptied. */
static void take_matrix(reader *in, const char *name, int64_t rows, int64_t cols,
                        saddle__entries *list, saddle_matrix *A)
{
    if (in->status == SADDLE_OK)
        in->status = saddle__entries_matrix(in->context, in->file.label, name, rows, cols, list, A,
                                            NULL);
    saddle__entries_clear(in->context, list);
}

/* ---- problems ---- */

/* b = -(vector of the contacts' rows, of the bilateral rows), and the counts of both; the latter
 * count if `matrix` exists.  Returns whether it does. */
static int read_rows(reader *in, const char *matrix, const char *rows, const char *bilateral,
                     double **b)
{
    int joined = find(in, "", matrix).present;
    saddle__hdf5_data contact = find(in, "vectors", rows), other = {.present = 0};
    if (joined) other = find(in, "vectors", bilateral);
    in->contact_rows = contact.present ? contact.count : 0;
    in->bilateral_rows = other.present ? other.count : 0;
    int64_t m = in->contact_rows + in->bilateral_rows;
    *b = allocate(in, m, sizeof **b);
    take_doubles(in, &contact, in->contact_rows, *b);
    if (joined && *b) take_doubles(in, &other, in->bilateral_rows, *b + in->contact_rows);
    for (int64_t i = 0; *b && i < m; i++) (*b)[i] = -(*b)[i];
    return joined;
}

static void read_local(reader *in, saddle_problem *problem)
{
    saddle__entries list = {0};
    int joined = read_rows(in, "V", "q", "s", &problem->b);
    int64_t rows = in->contact_rows, more = in->bilateral_rows, m = rows + more;
    read_matrix(in, "W", rows, rows, 0, 0, 0, &list);
    if (joined) read_matrix(in, "V", rows, more, 0, rows, 1, &list);
    if (joined) read_matrix(in, "R", more, more, rows, rows, 0, &list);
    take_matrix(in, joined ? "[W V; V' R]" : "W", m, m, &list, &problem->R);
    if (in->status == SADDLE_OK) in->status = saddle__matrix_settle(in->context, &problem->R);
}

static void read_global(reader *in, saddle_problem *problem)
{
    saddle__entries M = {0}, H = {0};
    int64_t n = -1;
    int joined = read_rows(in, "G", "w", "b", &problem->b);
    int64_t rows = in->contact_rows, more = in->bilateral_rows;
    problem->f = read_vector(in, "f", &n);
    read_matrix(in, "M", n, n, 0, 0, 0, &M);
    read_matrix(in, "H", n, rows, 0, 0, 0, &H);
    if (joined) read_matrix(in, "G", n, more, 0, rows, 0, &H);
    take_matrix(in, "M", n, n, &M, &problem->M);
    take_matrix(in, joined ? "[H G]" : "H", n, rows + more, &H, &problem->Jt);
    if (in->status != SADDLE_OK) return;
    problem->n = n;
    in->status = saddle__matrix_settle(in->context, &problem->M);
}

static void read_contacts(reader *in, saddle_problem *problem)
{
    if (in->status == SADDLE_OK && in->contact_rows % in->spacedim != 0)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE,
                                 "%s: %s: %lld rows are no contacts of %lld", in->file.label,
                                 in->group, (long long)in->contact_rows, (long long)in->spacedim);
    if (in->status != SADDLE_OK) return;
    problem->m = in->contact_rows + in->bilateral_rows;
    int64_t count = in->contact_rows / in->spacedim;
    int is_rolling = in->spacedim == SADDLE__ROLLING_SIZE;
    double *mu = read_vector(in, "mu", &count);
    double *rolling = is_rolling ? read_vector(in, "mu_r", &count) : NULL;
    if (in->status == SADDLE_OK)
        in->status = saddle__problem_contacts(in->context, problem, in->spacedim, count, mu,
                                              rolling);
    saddle__release_all(in->context, mu, rolling);
}

/* ---- guesses and solutions ---- */

static int read_part(reader *in, const char *name, int64_t count, double *value)
{
    saddle__hdf5_data data = find(in, "", name);
    if (!data.present || count == 0) return 0;
    take_doubles(in, &data, count, value);
    return 1;
}

/* solution: NULL is fine. */
static void read_solution(reader *in, const char *group, const saddle_problem *problem,
                          saddle_solution *solution)
{
    saddle__hdf5_data data = {.present = 0};
    if (in->status == SADDLE_OK && solution)
        in->status = saddle__hdf5_find(&in->file, group, &data);
    if (!data.present) return;
    int64_t rows = in->contact_rows, more = in->bilateral_rows;
    in->group = group;
    in->status = saddle_solution_create(in->context, problem->n, problem->m, solution);
    if (in->status != SADDLE_OK) return;
    int any = read_part(in, "v", problem->n, solution->v);
    any |= read_part(in, "r", rows, solution->lambda);
    any |= read_part(in, "l", more, solution->lambda + rows);
    any |= read_part(in, "u", rows, solution->w);
    if (in->status != SADDLE_OK || !any) saddle_solution_clear(solution);
}

/* ---- reading a file ---- */

/* in->group and spacedim.  Returns 0 = local, 1 = global. */
static int find_group(reader *in)
{
    static const char *const groups[] = {"/fclib_local", "/fclib_global", "/fclib_local_rolling",
                                         "/fclib_global_rolling"};
    saddle__hdf5_data data = {.present = 0};
    int kind = 0;
    for (; in->status == SADDLE_OK && !data.present && kind < 4; kind++)
        in->status = saddle__hdf5_find(&in->file, groups[kind], &data);
    kind--;
    if (in->status != SADDLE_OK) return 0;
    in->group = groups[kind];
    if (!data.present)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE,
                                 "%s: no group fclib_local or fclib_global: not an FCLIB problem",
                                 in->file.label);
    int is_rolling = kind > 1;
    in->spacedim = read_integer(in, "", "spacedim");
    if (in->status == SADDLE_OK && (is_rolling ? in->spacedim != SADDLE__ROLLING_SIZE
                                               : in->spacedim != 2 && in->spacedim != 3))
        in->status = saddle_fail(in->context, SADDLE_UNSUPPORTED,
                                 "%s: %s/spacedim is %lld: contacts of %s rows are supported",
                                 in->file.label, in->group, (long long)in->spacedim,
                                 is_rolling ? "5" : "2 or 3");
    return kind % 2;
}

static int is_fclib(const char *bytes, int64_t length)
{
    return length >= 8 && memcmp(bytes, SADDLE__HDF5_SIGNATURE, 8) == 0;
}

/* start, known: the groups guesses/1 and solution. */
static saddle_status read_fclib(saddle_context *context, const char *bytes, int64_t length,
                                const char *label, saddle_problem *problem, saddle_solution *start,
                                saddle_solution *known)
{
    reader in = {.context = context};
    in.status = saddle__hdf5_open(context, bytes, length, label, &in.file);
    int global = find_group(&in);
    if (in.status != SADDLE_OK) return in.status;
    (global ? read_global : read_local)(&in, problem);
    read_contacts(&in, problem);
    problem->name = read_text(&in, "title");
    problem->source = read_text(&in, "description");
    read_solution(&in, "/guesses/1", problem, start);
    read_solution(&in, "/solution", problem, known);
    return in.status;
}

const saddle__binary_format saddle__fclib_format = {SADDLE_FORMAT_FCLIB,
                                                    is_fclib,
                                                    read_fclib,
                                                    saddle__fclib_write,
                                                    SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_CONTACTS,
                                                    SADDLE__CONTACTS_FIRST |
                                                        SADDLE__NO_COMPLIANCE_WITH_MASSES};
