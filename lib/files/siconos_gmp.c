/* SPDX-License-Identifier: MIT */
/* Siconos text of generic mechanical problems, w = M z + q, with n = 0, R = M, b = -q, lambda = z:
 *
 *     M in sparse blocks (siconos_matrix.c), q, then the type of each block row: 0 LCP, 2 equality,
 *     4 contact in space, followed by its mu */
#include <math.h>

#include "files/problem_file.h"

enum block_type { BLOCK_LCP = 0, BLOCK_EQUALITY = 2, BLOCK_CONTACT = 4 };

/* The type of block row k, rows [from, to), into the problem. */
static saddle_status read_block_type(saddle__scan *scan, int64_t k, int64_t from, int64_t to,
                                     saddle_problem *problem)
{
    int64_t type;
    double mu = 0;
    saddle_status status = saddle__scan_integer(scan, "type of a block row", &type);
    if (status != SADDLE_OK) return status;
    if (type != BLOCK_LCP && type != BLOCK_EQUALITY && type != BLOCK_CONTACT)
        return saddle__scan_fail(scan,
                                 "block row %lld has type %lld: 0 (LCP), 2 (equality) and 4 "
                                 "(contact in space) are known",
                                 (long long)k + 1, (long long)type);
    if (type == BLOCK_CONTACT && to - from != 3)
        return saddle__scan_fail(scan, "block row %lld is a contact in space of %lld rows, not 3",
                                 (long long)k + 1, (long long)(to - from));
    if (type == BLOCK_CONTACT) status = saddle__scan_double(scan, "mu", SADDLE__ACCEPT_FINITE, &mu);
    if (status == SADDLE_OK && type == BLOCK_CONTACT)
        problem->contacts[problem->contact_count++] = (saddle_contact){from, 3, mu};
    for (int64_t i = from; type == BLOCK_LCP && i < to; i++) problem->lo[i] = 0;
    return status;
}

static saddle_status read_block_types(saddle__scan *scan, const int64_t *block_end, int64_t blocks,
                                      saddle_problem *problem)
{
    saddle_status status = saddle__scan_expect(scan, "types of the block rows", blocks);
    if (status == SADDLE_OK)
        status = saddle__problem_bound_all(scan->context, problem, -INFINITY, INFINITY);
    if (status != SADDLE_OK) return status;
    problem->contacts = saddle_allocate(scan->context, blocks, sizeof *problem->contacts);
    if (!problem->contacts) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < blocks; k++)
        status = read_block_type(scan, k, k > 0 ? block_end[k - 1] : 0, block_end[k], problem);
    return status;
}

static saddle_status read_gmp(saddle__scan *scan, saddle_problem *problem)
{
    int64_t storage, size, cols, *block_end = NULL, blocks = 0;
    saddle_matrix *M = &problem->R;
    saddle_status status = saddle__scan_range(scan, "storage of M (1, sparse blocks)", 1, 1,
                                              &storage);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "rows of M", &size);
    if (status == SADDLE_OK) status = saddle__scan_range(scan, "columns of M", size, size, &cols);
    if (status == SADDLE_OK) status = saddle__scan_expect(scan, "q", size);
    if (status == SADDLE_OK)
        status = saddle__siconos_blocks_read(scan, "M", M, &block_end, &blocks);
    if (status == SADDLE_OK && (M->rows != size || M->cols != size))
        status = saddle__scan_fail(scan, "M is %lld x %lld, but its header says otherwise",
                                   (long long)M->rows, (long long)M->cols);
    if (status == SADDLE_OK)
        status = saddle__scan_array(scan, "q", SADDLE__ACCEPT_FINITE, size, &problem->b);
    if (status == SADDLE_OK) status = saddle__problem_set_delassus(scan->context, problem);
    if (status == SADDLE_OK) status = read_block_types(scan, block_end, blocks, problem);
    if (status == SADDLE_OK) status = saddle__problem_end(scan);
    saddle_release(scan->context, block_end);
    return status;
}

/* ---- writing: a block row for each contact and for each other row ---- */

typedef struct partition {
    int64_t count;          /* blocks on a side */
    int64_t *end;           /* count: the row after each block */
    int64_t *block;         /* m: the block of each row */
    int64_t *seen;          /* count: the block row, + 1, in which a block column was last found */
    saddle__entries blocks; /* with entries of R: row = block column, col = block row, ascending */
} partition;

static int64_t begin_of(const partition *P, int64_t b)
{
    return b > 0 ? P->end[b - 1] : 0;
}

/* Adds the block columns with entries in block row r, ascending; by_rows = R'. */
static void add_blocks(partition *P, const saddle_matrix *by_rows, int64_t r)
{
    int64_t first = P->blocks.count, *column = P->blocks.row;
    for (int64_t i = begin_of(P, r); i < P->end[r]; i++)
        for (int64_t k = by_rows->start[i]; k < by_rows->start[i + 1]; k++) {
            int64_t b = P->block[by_rows->index[k]], at = P->blocks.count;
            if (P->seen[b] == r + 1) continue;
            P->seen[b] = r + 1;
            saddle__entries_add(&P->blocks, b, r, 0);
            for (; at > first && column[at - 1] > b; at--) column[at] = column[at - 1];
            column[at] = b;
        }
}

static saddle_status partition_create(saddle_context *context, const saddle_problem *problem,
                                      const saddle_matrix *by_rows, partition *P)
{
    int64_t m = problem->m, c = 0;
    P->end = saddle_allocate(context, m, sizeof *P->end);
    P->block = saddle_allocate(context, m, sizeof *P->block);
    P->seen = saddle_allocate(context, m, sizeof *P->seen);
    if (!P->end || !P->block || !P->seen) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < m;) {
        int contact = c < problem->contact_count && problem->contacts[c].row == i;
        int64_t size = contact ? problem->contacts[c++].size : 1;
        for (int64_t k = 0; k < size; k++) P->block[i++] = P->count;
        P->end[P->count++] = i;
    }
    saddle_status status = saddle__entries_reserve(context, saddle_matrix_entries(by_rows),
                                                   &P->blocks);
    for (int64_t r = 0; status == SADDLE_OK && r < P->count; r++) add_blocks(P, by_rows, r);
    return status;
}

static void put_structure(saddle__output *output, const partition *P)
{
    saddle__output_integer(output, P->blocks.count, "\n");
    saddle__output_integer(output, P->count, "\n");
    saddle__output_integer(output, P->count, "\n");
    for (int side = 0; side < 2; side++)
        for (int64_t b = 0; b < P->count; b++)
            saddle__output_integer(output, P->end[b], b + 1 < P->count ? " " : "\n");
    saddle__output_integer(output, P->count + 1, "\n");
    saddle__output_integer(output, P->blocks.count, "\n0");
    for (int64_t r = 0, start = 0; r < P->count; r++) {
        while (start < P->blocks.count && P->blocks.col[start] == r) start++;
        saddle__output_text(output, " ");
        saddle__output_integer(output, start, "");
    }
    saddle__output_text(output, "\n");
    for (int64_t k = 0; k < P->blocks.count; k++)
        saddle__output_integer(output, P->blocks.row[k], " ");
    saddle__output_text(output, "\n");
}

/* A block is written whole: zeros inside a contact's blocks become stored entries. */
static void put_blocks(saddle__output *output, const partition *P, const saddle_matrix *R)
{
    for (int64_t k = 0; k < P->blocks.count; k++) {
        int64_t b = P->blocks.row[k], r = P->blocks.col[k];
        saddle__output_integer(output, k, "\n");
        for (int64_t j = begin_of(P, b); j < P->end[b]; j++)
            for (int64_t i = begin_of(P, r); i < P->end[r]; i++)
                saddle__output_double(output, saddle_matrix_entry(R, i, j), "\n");
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

static saddle_status put_gmp(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    partition P = {0};
    saddle_matrix by_rows = {0};
    saddle_status status = saddle_matrix_transpose(output->context, &full->R, &by_rows);
    if (status == SADDLE_OK) status = partition_create(output->context, problem, &by_rows, &P);
    if (status == SADDLE_OK) {
        saddle__output_text(output, "1\n");
        saddle__output_integer(output, problem->m, "\n");
        saddle__output_integer(output, problem->m, "\n");
        put_structure(output, &P);
        put_blocks(output, &P, &full->R);
        saddle__output_vector(output, -1, problem->b, problem->m);
        put_types(output, problem);
    }
    saddle_release(output->context, P.end);
    saddle_release(output->context, P.block);
    saddle_release(output->context, P.seen);
    saddle__entries_clear(output->context, &P.blocks);
    saddle_matrix_clear(&by_rows);
    return status;
}

const saddle__text_format saddle__siconos_gmp_formats[] = {
    {SADDLE_FORMAT_SICONOS_GMP, read_gmp, put_gmp, SADDLE__TAKES_NO_RHS,
     SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE | SADDLE__HOLDS_CONTACTS,
     SADDLE__NO_VELOCITIES | SADDLE__CONTACTS_IN_SPACE},
    {.format = SADDLE_FORMAT_AUTO},
};
