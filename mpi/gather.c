/* SPDX-License-Identifier: MIT */
/* See gather.h. */
#include "gather.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"

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

static saddle_status make_triplets(saddle_context *context, int64_t count, int with_values,
                                   triplets *of)
{
    of->row = saddle_allocate(context, count, sizeof *of->row);
    of->col = saddle_allocate(context, count, sizeof *of->col);
    if (with_values) of->value = saddle_allocate(context, count, sizeof *of->value);
    return of->row && of->col && (of->value || !with_values) ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void release_triplets(saddle_context *context, triplets *of)
{
    saddle__release_all(context, of->row, of->col, of->value);
    *of = (triplets){NULL, NULL, NULL};
}

/* The entries' numbers in the whole. */
static void name_entries(const saddle_matrix *A, const saddle__distribution *rows,
                         const saddle__distribution *cols, triplets *of)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            of->row[k] = rows->name[A->index[k]];
            of->col[k] = cols->name[j];
        }
}

/* A symmetric sum where all parts with entries are; SADDLE_INVALID_ARGUMENT where some are. */
static saddle_status agree_on_symmetry(MPI_Comm processes, saddle_context *context,
                                       const saddle_matrix *A, const char *name,
                                       saddle_symmetry *symmetry)
{
    const int has = saddle_matrix_entries(A) > 0;
    const int mine[2] = {has && A->symmetry == SADDLE_SYMMETRY_LOWER,
                         has && A->symmetry != SADDLE_SYMMETRY_LOWER};
    int any[2];
    MPI_Allreduce(mine, any, 2, MPI_INT, MPI_MAX, processes);
    *symmetry = any[1] ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER;
    if (any[0] && any[1])
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s is marked symmetric in some processes, general in others", name);
    return SADDLE_OK;
}

static saddle_status gather_matrix(const saddle__view *view, const saddle_matrix *A,
                                   saddle__kind of_rows, saddle__kind of_cols,
                                   saddle_symmetry symmetry, saddle_matrix *sum)
{
    MPI_Comm processes = view->processes;
    saddle_context *context = view->context;
    const saddle__distribution *rows = &view->of[of_rows], *cols = &view->of[of_cols];
    const int first = saddle__rank(processes) == 0;
    const int64_t entries = saddle_matrix_entries(A);
    pieces of = {NULL, NULL, 0};
    triplets mine = {NULL, NULL, NULL}, all = {NULL, NULL, NULL};
    saddle_status status = count_pieces(processes, context, entries, &of);
    if (status == SADDLE_OK) {
        saddle_status memory = make_triplets(context, entries + 1, 0, &mine);
        if (first && memory == SADDLE_OK) memory = make_triplets(context, of.total + 1, 1, &all);
        status = saddle__agree(processes, context, memory);
    }
    if (status == SADDLE_OK) {
        const int count = (int)entries;
        name_entries(A, rows, cols, &mine);
        MPI_Gatherv(mine.row, count, MPI_INT64_T, all.row, of.count, of.begin, MPI_INT64_T, 0,
                    processes);
        MPI_Gatherv(mine.col, count, MPI_INT64_T, all.col, of.count, of.begin, MPI_INT64_T, 0,
                    processes);
        MPI_Gatherv(A->value, count, MPI_DOUBLE, all.value, of.count, of.begin, MPI_DOUBLE, 0,
                    processes);
        if (first)
            status = saddle_matrix_from_triplets(context, rows->whole, cols->whole, of.total,
                                                 all.row, all.col, all.value, symmetry, sum);
        status = saddle__agree(processes, context, status);
    }
    release_triplets(context, &mine);
    release_triplets(context, &all);
    release_pieces(context, &of);
    return status;
}

saddle_status saddle__gather_rows(const saddle__view *view, saddle_matrix *Jt, saddle_matrix *R)
{
    const saddle_problem *p = &view->problem;
    saddle_symmetry symmetry;
    SADDLE__TRY(agree_on_symmetry(view->processes, view->context, &p->R, "R", &symmetry));
    SADDLE__TRY(
        gather_matrix(view, &p->Jt, SADDLE__VELOCITIES, SADDLE__ROWS, SADDLE_SYMMETRY_NONE, Jt));
    return gather_matrix(view, &p->R, SADDLE__ROWS, SADDLE__ROWS, symmetry, R);
}

static saddle_status gather_mass(const saddle__view *view, saddle_matrix *M)
{
    const saddle_matrix *mine = &view->problem.M;
    saddle_symmetry symmetry;
    SADDLE__TRY(agree_on_symmetry(view->processes, view->context, mine, "M", &symmetry));
    return gather_matrix(view, mine, SADDLE__VELOCITIES, SADDLE__VELOCITIES, symmetry, M);
}

/* ---- vectors, contacts ---- */

/* *whole <- x, NULL as in all processes or in none. */
static saddle_status gather_vector(const saddle__view *view, saddle__kind kind, const double *x,
                                   double **whole)
{
    const saddle__distribution *d = &view->of[kind];
    saddle_status status = SADDLE_OK;
    if (!x) return SADDLE_OK;
    if (saddle__rank(view->processes) == 0) {
        *whole = saddle_allocate(view->context, d->whole + 1, sizeof **whole);
        if (!*whole) status = SADDLE_OUT_OF_MEMORY;
    }
    SADDLE__TRY(saddle__agree(view->processes, view->context, status));
    return saddle__distribution_gather(d, x, *whole);
}

/* contact (contact_count of the view) <- the view's, in numbers of the whole. */
static void name_contacts(const saddle__view *view, saddle_contact *contact)
{
    const saddle_problem *p = &view->problem;
    for (int64_t c = 0; c < p->contact_count; c++) {
        contact[c] = p->contacts[c];
        contact[c].row = view->of[SADDLE__ROWS].name[contact[c].row];
    }
}

/* By process, so by row. */
static saddle_status gather_contacts(const saddle__view *view, saddle_problem *whole)
{
    const int bytes = (int)sizeof(saddle_contact);
    const int64_t count = view->problem.contact_count;
    const int first = saddle__rank(view->processes) == 0;
    saddle_context *context = view->context;
    pieces of = {NULL, NULL, 0};
    saddle_contact *mine = NULL;
    saddle_status status = count_pieces(view->processes, context, count * bytes, &of);
    if (status == SADDLE_OK && of.total > 0) {
        mine = saddle_allocate(context, count + 1, sizeof *mine);
        if (first) whole->contacts = saddle_allocate(context, of.total / bytes, (size_t)bytes);
        const int complete = mine && (whole->contacts || !first);
        status = saddle__agree(view->processes, context,
                               complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
        if (status == SADDLE_OK) {
            name_contacts(view, mine);
            MPI_Gatherv(mine, (int)(count * bytes), MPI_BYTE, whole->contacts, of.count, of.begin,
                        MPI_BYTE, 0, view->processes);
            if (first) whole->contact_count = of.total / bytes;
        }
    }
    saddle_release(context, mine);
    release_pieces(context, &of);
    return status;
}

saddle_status saddle__take_names(saddle_context *context, const saddle_problem *names,
                                 saddle_problem *whole)
{
    saddle_problem named = *names, copy = {0};
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

saddle_status saddle__gather_vectors(const saddle__view *view, const saddle_problem *names,
                                     saddle_problem *whole)
{
    const saddle_problem *p = &view->problem;
    *whole = (saddle_problem){.owner = 1, .context = view->context};
    saddle_status status = SADDLE_OK;
    if (saddle__rank(view->processes) == 0) {
        whole->n = view->of[SADDLE__VELOCITIES].whole;
        whole->m = view->of[SADDLE__ROWS].whole;
        status = saddle__take_names(view->context, names, whole);
    }
    SADDLE__TRY(saddle__agree(view->processes, view->context, status));
    whole->law = p->law;
    whole->facets = p->facets;
    whole->time_step = p->time_step;
    SADDLE__TRY(gather_vector(view, SADDLE__VELOCITIES, p->f, &whole->f));
    SADDLE__TRY(gather_vector(view, SADDLE__ROWS, p->b, &whole->b));
    SADDLE__TRY(gather_vector(view, SADDLE__ROWS, p->lo, &whole->lo));
    SADDLE__TRY(gather_vector(view, SADDLE__ROWS, p->hi, &whole->hi));
    return gather_contacts(view, whole);
}

saddle_status saddle__gather(const saddle__view *view, const saddle_problem *names,
                             saddle_problem *whole)
{
    saddle_context *context = view->context;
    const int first = saddle__rank(view->processes) == 0;
    saddle_status status = saddle__gather_vectors(view, names, whole);
    if (status == SADDLE_OK) status = gather_mass(view, &whole->M);
    if (status == SADDLE_OK) status = saddle__gather_rows(view, &whole->Jt, &whole->R);
    if (status == SADDLE_OK && first) status = saddle_problem_check(context, whole, NULL, NULL);
    status = saddle__agree(view->processes, context, status);
    if (status != SADDLE_OK) saddle_problem_clear(whole);
    return status;
}

saddle_status saddle_mpi_gather(MPI_Comm processes, saddle_context *context,
                                const saddle_problem *part, saddle_problem *whole)
{
    const saddle_mpi_part given = saddle__part_of(part);
    saddle__view view;
    if (whole) *whole = (saddle_problem){0};
    SADDLE__TRY(saddle__agree_on_parts(processes, context, part && whole ? &given : NULL));
    saddle_status status = saddle__view_make(processes, context, &given, &view);
    if (status == SADDLE_OK) status = saddle__gather(&view, part, whole);
    saddle__view_clear(&view);
    return status;
}
