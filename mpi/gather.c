/* SPDX-License-Identifier: MIT */
/* The sum of the parts in the first process. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "collective.h"

/* Pieces of an array, one a process, as MPI_Gatherv wants them. */
typedef struct pieces {
    int *count; /* processes */
    int *begin; /* processes */
    int64_t total;
} pieces;

static void release_pieces(saddle_context *context, pieces *of)
{
    saddle__release_all(context, of->count, of->begin);
    *of = (pieces){NULL, NULL, 0};
}

/* The sizes of the pieces, in all processes. */
static saddle_status count_pieces(MPI_Comm processes, saddle_context *context, int64_t mine,
                                  pieces *of)
{
    const int size = saddle__processes(processes);
    int64_t *counts = saddle_allocate(context, size, sizeof *counts);
    of->count = saddle_allocate(context, size, sizeof *of->count);
    of->begin = saddle_allocate(context, size, sizeof *of->begin);
    const saddle_status memory = counts && of->count && of->begin ? SADDLE_OK
                                                                  : SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle__agree(processes, context, memory);
    if (status == SADDLE_OK)
        MPI_Allgather(&mine, 1, MPI_INT64_T, counts, 1, MPI_INT64_T, processes);
    of->total = 0;
    for (int p = 0; status == SADDLE_OK && p < size; p++) {
        if (of->total + counts[p] > INT_MAX) {
            status = saddle_fail(context, SADDLE_TOO_LARGE, "MPI counts in 32 bits");
            break;
        }
        of->begin[p] = (int)of->total;
        of->count[p] = (int)counts[p];
        of->total += counts[p];
    }
    saddle_release(context, counts);
    return status;
}

/* ---- matrices ---- */

typedef struct triplets {
    int64_t *row, *col;
    double *value;
} triplets;

static saddle_status make_triplets(saddle_context *context, int64_t count, triplets *of)
{
    of->row = saddle_allocate(context, count, sizeof *of->row);
    of->col = saddle_allocate(context, count, sizeof *of->col);
    of->value = saddle_allocate(context, count, sizeof *of->value);
    return of->row && of->col && of->value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void release_triplets(saddle_context *context, triplets *of)
{
    saddle__release_all(context, of->row, of->col, of->value);
    *of = (triplets){NULL, NULL, NULL};
}

static void take_columns(const saddle_matrix *A, int64_t *col)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) col[k] = j;
}

/* A symmetric sum where all parts with entries are; SADDLE_INVALID_ARGUMENT where some are. */
static saddle_status agree_on_symmetry(MPI_Comm processes, saddle_context *context,
                                       const saddle_matrix *A, const char *name,
                                       saddle_symmetry *symmetry)
{
    const int has = saddle_matrix_entries(A) > 0;
    const int mine[2] = {has && A->symmetry == SADDLE_SYMMETRIC,
                         has && A->symmetry != SADDLE_SYMMETRIC};
    int any[2];
    MPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, processes);
    *symmetry = any[1] ? SADDLE_GENERAL : SADDLE_SYMMETRIC;
    if (any[0] && any[1])
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s is marked symmetric in some processes, general in others", name);
    return SADDLE_OK;
}

static saddle_status gather_matrix(MPI_Comm processes, saddle_context *context,
                                   const saddle_matrix *A, int64_t rows, int64_t cols,
                                   saddle_symmetry symmetry, saddle_matrix *sum)
{
    const int first = saddle__rank(processes) == 0;
    const int64_t entries = saddle_matrix_entries(A);
    pieces of = {NULL, NULL, 0};
    triplets all = {NULL, NULL, NULL};
    saddle_status status = count_pieces(processes, context, entries, &of);
    int64_t *col = NULL;
    if (status == SADDLE_OK) {
        col = saddle_allocate(context, entries + 1, sizeof *col);
        saddle_status memory = col ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
        if (first && memory == SADDLE_OK) memory = make_triplets(context, of.total + 1, &all);
        status = saddle__agree(processes, context, memory);
    }
    if (status == SADDLE_OK) {
        const int count = (int)entries;
        take_columns(A, col);
        MPI_Gatherv(A->index, count, MPI_INT64_T, all.row, of.count, of.begin, MPI_INT64_T, 0,
                    processes);
        MPI_Gatherv(col, count, MPI_INT64_T, all.col, of.count, of.begin, MPI_INT64_T, 0,
                    processes);
        MPI_Gatherv(A->value, count, MPI_DOUBLE, all.value, of.count, of.begin, MPI_DOUBLE, 0,
                    processes);
        if (first)
            status = saddle_matrix_from_triplets(context, rows, cols, of.total, all.row, all.col,
                                                 all.value, symmetry, sum);
        status = saddle__agree(processes, context, status);
    }
    saddle_release(context, col);
    release_triplets(context, &all);
    release_pieces(context, &of);
    return status;
}

saddle_status saddle__gather_rows(MPI_Comm processes, saddle_context *context,
                                  const saddle_problem *part, saddle_matrix *Jt, saddle_matrix *R)
{
    saddle_symmetry symmetry;
    const int64_t n = part->n, m = part->m;
    SADDLE__TRY(agree_on_symmetry(processes, context, &part->R, "R", &symmetry));
    SADDLE__TRY(gather_matrix(processes, context, &part->Jt, n, m, SADDLE_GENERAL, Jt));
    return gather_matrix(processes, context, &part->R, m, m, symmetry, R);
}

static saddle_status gather_matrices(MPI_Comm processes, saddle_context *context,
                                     const saddle_problem *part, saddle_problem *whole)
{
    saddle_symmetry of_M;
    SADDLE__TRY(agree_on_symmetry(processes, context, &part->M, "M", &of_M));
    const int64_t n = part->n;
    SADDLE__TRY(gather_matrix(processes, context, &part->M, n, n, of_M, &whole->M));
    return saddle__gather_rows(processes, context, part, &whole->Jt, &whole->R);
}

/* ---- vectors, contacts ---- */

/* *result (count, in all processes) <- the parts' arrays combined; absent ones count as `empty`. */
static saddle_status combine(MPI_Comm processes, saddle_context *context, const double *part,
                             int64_t count, double empty, MPI_Op operation, double **result)
{
    double *x = saddle_allocate(context, count, sizeof *x);
    const saddle_status memory = x || count == 0 ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    saddle_status status = saddle__agree(processes, context, memory);
    for (int64_t i = 0; x && i < count; i++) x[i] = part ? part[i] : empty;
    if (status == SADDLE_OK) status = saddle__reduce(processes, context, operation, count, x);
    *result = x;
    return status;
}

static int by_row(const void *a, const void *b)
{
    const int64_t i = ((const saddle_contact *)a)->row, k = ((const saddle_contact *)b)->row;
    return (i > k) - (i < k);
}

static saddle_status gather_contacts(MPI_Comm processes, saddle_context *context,
                                     const saddle_problem *part, saddle_problem *whole)
{
    const int bytes = (int)sizeof(saddle_contact);
    pieces of = {NULL, NULL, 0};
    saddle_status status = count_pieces(processes, context, part->contact_count * bytes, &of);
    if (status == SADDLE_OK && of.total > 0) {
        whole->contacts = saddle_allocate(context, of.total / bytes, sizeof *whole->contacts);
        status = saddle__agree(processes, context,
                               whole->contacts ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
        if (status == SADDLE_OK) {
            MPI_Allgatherv(part->contacts, (int)(part->contact_count * bytes), MPI_BYTE,
                           whole->contacts, of.count, of.begin, MPI_BYTE, processes);
            whole->contact_count = of.total / bytes;
            qsort(whole->contacts, (size_t)whole->contact_count, sizeof *whole->contacts, by_row);
        }
    }
    release_pieces(context, &of);
    return status;
}

saddle_status saddle__gather_vectors(MPI_Comm processes, saddle_context *context,
                                     const saddle_problem *part, saddle_problem *whole)
{
    const int64_t n = part->n, m = part->m;
    const double infinity = (double)INFINITY;
    int64_t law[2] = {part->contact_count > 0 ? (int64_t)part->law : -1,
                      part->contact_count > 0 ? part->facets : -1};
    MPI_Allreduce(MPI_IN_PLACE, law, 2, MPI_INT64_T, MPI_MAX, processes);
    *whole = (saddle_problem){.n = n, .m = m, .owner = 1, .context = context};
    whole->law = law[0] < 0 ? part->law : (saddle_law)law[0];
    whole->facets = law[1] < 0 ? part->facets : law[1];
    whole->time_step = part->time_step;
    SADDLE__TRY(combine(processes, context, part->f, n, 0.0, MPI_SUM, &whole->f));
    SADDLE__TRY(combine(processes, context, part->b, m, 0.0, MPI_SUM, &whole->b));
    SADDLE__TRY(combine(processes, context, part->lo, m, -infinity, MPI_MAX, &whole->lo));
    SADDLE__TRY(combine(processes, context, part->hi, m, infinity, MPI_MIN, &whole->hi));
    return gather_contacts(processes, context, part, whole);
}

/* The first process' names, without the rest of its problem. */
static saddle_status take_names(saddle_context *context, const saddle_problem *part,
                                saddle_problem *whole)
{
    saddle_problem named = *part, copy = {0};
    named.M = named.Jt = named.R = (saddle_matrix){0};
    named.f = named.b = named.lo = named.hi = NULL;
    named.contact_count = 0;
    named.contacts = NULL;
    SADDLE__TRY(saddle_problem_copy(context, &named, &copy));
    whole->row_id = copy.row_id;
    whole->row_name = copy.row_name;
    whole->component_count = copy.component_count;
    whole->component_name = copy.component_name;
    whole->component_size = copy.component_size;
    whole->name = copy.name;
    whole->source = copy.source;
    copy.row_id = NULL;
    copy.row_name = copy.component_name = NULL;
    copy.component_size = NULL;
    copy.component_count = 0;
    copy.name = copy.source = NULL;
    saddle_problem_clear(&copy);
    return SADDLE_OK;
}

saddle_status saddle_mpi_gather(MPI_Comm processes, saddle_context *context,
                                const saddle_problem *part, saddle_problem *whole)
{
    *whole = (saddle_problem){0};
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part));
    const int first = saddle__rank(processes) == 0;
    saddle_problem sum;
    saddle_status status = saddle__gather_vectors(processes, context, part, &sum);
    if (status == SADDLE_OK) status = gather_matrices(processes, context, part, &sum);
    if (status == SADDLE_OK && first) status = take_names(context, part, &sum);
    if (status == SADDLE_OK && first) status = saddle_problem_check(context, &sum, NULL, NULL);
    status = saddle__agree(processes, context, status);
    if (status == SADDLE_OK && first)
        *whole = sum;
    else
        saddle_problem_clear(&sum);
    return status;
}
