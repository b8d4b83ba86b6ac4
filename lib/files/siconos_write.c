/* SPDX-License-Identifier: MIT */
/* Problems as Siconos' texts: siconos_read.c and siconos_matrix.c state the layouts. */
#include <string.h>

#include "files/problem_file.h"

/* ---- matrices and vectors ---- */

static void put_triplets(saddle__output *output, const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    saddle__output_text(output, "1\nCSparse Version 3.2.0\ntriplet: ");
    saddle__output_integer(output, A->rows, "-by-");
    saddle__output_integer(output, A->cols, ", nzmax: ");
    saddle__output_integer(output, entries, " nnz: ");
    saddle__output_integer(output, entries, "\n");
    saddle__output_entries(output, A, 0, " : ");
}

void saddle__siconos_put_matrix(saddle__output *output, const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A);
    int dense = entries > 0 && (double)entries >= 0.5 * (double)A->rows * (double)A->cols;
    for (int64_t k = 0; dense && k < entries; k++) dense = A->value[k] != 0;
    saddle__output_text(output, dense ? "0\n" : "2\n");
    saddle__output_integer(output, A->rows, "\n");
    saddle__output_integer(output, A->cols, "\n");
    if (!dense) {
        put_triplets(output, A);
        return;
    }
    saddle__output_integer(output, A->rows, " ");
    saddle__output_integer(output, A->cols, "\n");
    for (int64_t j = 0; j < A->cols; j++) saddle__output_column(output, A, j);
}

void saddle__put_bounds(saddle__output *output, const saddle_problem *problem)
{
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < problem->m; i++)
            saddle__output_double(output,
                                  side ? saddle_problem_hi(problem, i)
                                       : saddle_problem_lo(problem, i),
                                  i + 1 < problem->m ? " " : "\n");
}

static void put_friction(saddle__output *output, const saddle_problem *problem)
{
    for (int64_t c = 0; c < problem->contact_count; c++)
        saddle__output_double(output, problem->contacts[c].mu,
                              c + 1 < problem->contact_count ? " " : "\n");
}

/* ---- LCP, relay, MLCP ---- */

saddle_status saddle__siconos_lcp_put(saddle__output *output, const saddle_problem *problem,
                                      const saddle__full_parts *full)
{
    saddle__output_integer(output, problem->m, "\n");
    saddle__siconos_put_matrix(output, &full->R);
    saddle__output_vector(output, -1, problem->b, problem->m);
    return SADDLE_OK;
}

saddle_status saddle__siconos_relay_put(saddle__output *output, const saddle_problem *problem,
                                        const saddle__full_parts *full)
{
    (void)saddle__siconos_lcp_put(output, problem, full);
    saddle__put_bounds(output, problem);
    return SADDLE_OK;
}

/* The ends of the runs of rows of one kind, from 0 on; then a flag for each run, 1 =
 * complementarity. */
static void put_row_blocks(saddle__output *output, const saddle_problem *problem)
{
    saddle__output_text(output, "0");
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < problem->m; i++) {
            saddle_row_kind kind = saddle_problem_bound_kind(problem, i);
            if (i + 1 < problem->m && saddle_problem_bound_kind(problem, i + 1) == kind) continue;
            saddle__output_text(output, " ");
            saddle__output_integer(output, pass == 0 ? i + 1 : kind == SADDLE_ROW_UNILATERAL, "");
        }
        saddle__output_text(output, "\n");
    }
}

saddle_status saddle__siconos_mlcp_put(saddle__output *output, const saddle_problem *problem,
                                       const saddle__full_parts *full)
{
    saddle_row_counts counts = saddle_problem_count_rows(problem);
    saddle__output_text(output, "1\n0\n");
    saddle__output_integer(output, counts.equality, "\n");
    saddle__output_integer(output, counts.unilateral, "\n");
    put_row_blocks(output, problem);
    saddle__siconos_put_matrix(output, &full->R);
    saddle__output_vector(output, -1, problem->b, problem->m);
    return SADDLE_OK;
}

/* ---- FC, GFC ---- */

static void put_contact_head(saddle__output *output, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    saddle__output_integer(output, count > 0 ? problem->contacts[0].size : 3, "\n");
    saddle__output_integer(output, count, "\n");
}

saddle_status saddle__siconos_fc_put(saddle__output *output, const saddle_problem *problem,
                                     const saddle__full_parts *full)
{
    put_contact_head(output, problem);
    saddle__siconos_put_matrix(output, &full->R);
    saddle__output_vector(output, -1, problem->b, problem->m);
    put_friction(output, problem);
    return SADDLE_OK;
}

saddle_status saddle__siconos_gfc_put(saddle__output *output, const saddle_problem *problem,
                                      const saddle__full_parts *full)
{
    put_contact_head(output, problem);
    saddle__siconos_put_matrix(output, &full->M);
    saddle__siconos_put_matrix(output, &full->Jt);
    saddle__output_vector(output, 1, problem->f, problem->n);
    saddle__output_vector(output, -1, problem->b, problem->m);
    put_friction(output, problem);
    return SADDLE_OK;
}

/* ---- GMP: a block row for each contact and for each other row ---- */

typedef struct partition {
    int64_t count;    /* blocks on a side */
    int64_t *end;     /* count: the row after each */
    int64_t *block;   /* m: the block of each row */
    int64_t *seen;    /* count: the block row that gathered a block column last, + 1 */
    int64_t *columns; /* count: the block columns of one block row */
} partition;

static saddle_status partition_create(saddle_context *context, const saddle_problem *problem,
                                      partition *P)
{
    int64_t m = problem->m, c = 0;
    P->end = saddle_allocate(context, m, sizeof *P->end);
    P->block = saddle_allocate(context, m, sizeof *P->block);
    P->seen = saddle_allocate(context, m, sizeof *P->seen);
    P->columns = saddle_allocate(context, m, sizeof *P->columns);
    if (!P->end || !P->block || !P->seen || !P->columns) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < m;) {
        int contact = c < problem->contact_count && problem->contacts[c].row == i;
        int64_t size = contact ? problem->contacts[c++].size : 1;
        for (int64_t k = 0; k < size; k++) P->block[i++] = P->count;
        P->end[P->count++] = i;
    }
    return SADDLE_OK;
}

static int64_t begin_of(const partition *P, int64_t b)
{
    return b > 0 ? P->end[b - 1] : 0;
}

/* The block columns in which block row r has entries, ascending, into P->columns; by_rows = R'.
 * pass: another number for each walk over all block rows.  Returns their number. */
static int64_t gather(partition *P, const saddle_matrix *by_rows, int64_t pass, int64_t r)
{
    int64_t found = 0, mark = pass * P->count + r + 1;
    for (int64_t i = begin_of(P, r); i < P->end[r]; i++)
        for (int64_t k = by_rows->start[i]; k < by_rows->start[i + 1]; k++) {
            int64_t b = P->block[by_rows->index[k]], at = found;
            if (P->seen[b] == mark) continue;
            P->seen[b] = mark;
            for (; at > 0 && P->columns[at - 1] > b; at--) P->columns[at] = P->columns[at - 1];
            P->columns[at] = b;
            found++;
        }
    return found;
}

static void put_structure(saddle__output *output, partition *P, const saddle_matrix *by_rows)
{
    int64_t blocks = 0, start = 0;
    for (int64_t r = 0; r < P->count; r++) blocks += gather(P, by_rows, 0, r);
    saddle__output_integer(output, blocks, "\n");
    saddle__output_integer(output, P->count, "\n");
    saddle__output_integer(output, P->count, "\n");
    for (int side = 0; side < 2; side++)
        for (int64_t b = 0; b < P->count; b++)
            saddle__output_integer(output, P->end[b], b + 1 < P->count ? " " : "\n");
    saddle__output_integer(output, P->count + 1, "\n");
    saddle__output_integer(output, blocks, "\n0");
    for (int64_t r = 0; r < P->count; r++) {
        start += gather(P, by_rows, 1, r);
        saddle__output_text(output, " ");
        saddle__output_integer(output, start, "");
    }
    saddle__output_text(output, "\n");
    for (int64_t r = 0; r < P->count; r++) {
        int64_t found = gather(P, by_rows, 2, r);
        for (int64_t k = 0; k < found; k++) saddle__output_integer(output, P->columns[k], " ");
    }
    saddle__output_text(output, "\n");
}

/* A block is written whole: zeros inside a contact's blocks become stored entries. */
static void put_blocks(saddle__output *output, partition *P, const saddle_matrix *R,
                       const saddle_matrix *by_rows)
{
    int64_t number = 0;
    for (int64_t r = 0; r < P->count; r++) {
        int64_t found = gather(P, by_rows, 3, r);
        for (int64_t k = 0; k < found; k++) {
            int64_t b = P->columns[k];
            saddle__output_integer(output, number++, "\n");
            for (int64_t j = begin_of(P, b); j < P->end[b]; j++)
                for (int64_t i = begin_of(P, r); i < P->end[r]; i++)
                    saddle__output_double(output, saddle_matrix_entry(R, i, j), "\n");
        }
    }
}

/* The type of each block row, and mu of a contact. */
static void put_types(saddle__output *output, const saddle_problem *problem)
{
    int64_t c = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        int equality = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            saddle__output_text(output, "4\n");
            saddle__output_double(output, problem->contacts[c].mu, "\n");
            i += problem->contacts[c++].size - 1;
        } else {
            saddle__output_text(output, equality ? "2\n" : "0\n");
        }
    }
}

saddle_status saddle__siconos_gmp_put(saddle__output *output, const saddle_problem *problem,
                                      const saddle__full_parts *full)
{
    partition P = {0};
    saddle_matrix by_rows = {0};
    saddle_status status = saddle_matrix_transpose(output->context, &full->R, &by_rows);
    if (status == SADDLE_OK) status = partition_create(output->context, problem, &P);
    if (status == SADDLE_OK) {
        saddle__output_text(output, "1\n");
        saddle__output_integer(output, problem->m, "\n");
        saddle__output_integer(output, problem->m, "\n");
        put_structure(output, &P, &by_rows);
        put_blocks(output, &P, &full->R, &by_rows);
        saddle__output_vector(output, -1, problem->b, problem->m);
        put_types(output, problem);
    }
    saddle_release(output->context, P.end);
    saddle_release(output->context, P.block);
    saddle_release(output->context, P.seen);
    saddle_release(output->context, P.columns);
    saddle_matrix_clear(&by_rows);
    return status;
}
