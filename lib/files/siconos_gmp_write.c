/* SPDX-License-Identifier: MIT */
/* Generic mechanical problems as Siconos' text: R in sparse blocks, a block row for each contact
 * and for each other row. A block is written whole, so zeros inside a contact's blocks become
 * stored entries.  siconos_blocks.c states the layout. */
#include <string.h>

#include "files/express.h"
#include "files/siconos_output.h"
#include "files/siconos_write.h"

typedef struct partition {
    int64_t count;    /* blocks on a side */
    int64_t *end;     /* count: the row after each */
    int64_t *block;   /* m: the block of each row */
    int64_t *seen;    /* count: the block row for which a block column was gathered last, + 1 */
    int64_t *columns; /* count: the block columns of one block row */
} partition;

static void partition_clear(saddle_context *context, partition *P)
{
    saddle_release(context, P->end);
    saddle_release(context, P->block);
    saddle_release(context, P->seen);
    saddle_release(context, P->columns);
    memset(P, 0, sizeof *P);
}

static saddle_status partition_create(saddle_context *context, const saddle_problem *problem,
                                      partition *P)
{
    int64_t room = problem->m > 0 ? problem->m : 1, c = 0;
    memset(P, 0, sizeof *P);
    P->end = saddle_allocate(context, room, sizeof *P->end);
    P->block = saddle_allocate(context, room, sizeof *P->block);
    P->seen = saddle_allocate(context, room, sizeof *P->seen);
    P->columns = saddle_allocate(context, room, sizeof *P->columns);
    if (!P->end || !P->block || !P->seen || !P->columns) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < problem->m;) {
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

/* The block columns in which rows of block row r have entries, ascending, into P->columns; by_rows
 * = R'.  Their number. */
static int64_t gather(partition *P, const saddle_matrix *by_rows, int64_t pass, int64_t r)
{
    int64_t found = 0, mark = pass * P->count + r + 1;
    for (int64_t i = begin_of(P, r); i < P->end[r]; i++)
        for (int64_t k = by_rows->start[i]; k < by_rows->start[i + 1]; k++) {
            int64_t b = P->block[by_rows->index[k]], at = found;
            if (P->seen[b] == mark) continue;
            P->seen[b] = mark;
            for (; at > 0 && P->columns[at - 1] > b; at--) /* nearly sorted: only later rows of a
                                                              block insert */
                P->columns[at] = P->columns[at - 1];
            P->columns[at] = b;
            found++;
        }
    return found;
}

static void output_item(saddle__output *output, int64_t value, const char *after)
{
    saddle__output_integer(output, value);
    saddle__output_text(output, after);
}

static void output_structure(saddle__output *output, partition *P, const saddle_matrix *by_rows)
{
    int64_t blocks = 0;
    for (int64_t r = 0; r < P->count; r++) blocks += gather(P, by_rows, 0, r);
    output_item(output, blocks, "\n");
    output_item(output, P->count, "\n");
    output_item(output, P->count, "\n");
    for (int side = 0; side < 2; side++)
        for (int64_t b = 0; b < P->count; b++)
            output_item(output, P->end[b], b + 1 < P->count ? " " : "\n");
    output_item(output, P->count + 1, "\n");
    output_item(output, blocks, "\n0");
    int64_t start = 0;
    for (int64_t r = 0; r < P->count; r++) {
        start += gather(P, by_rows, 1, r);
        saddle__output_text(output, " ");
        saddle__output_integer(output, start);
    }
    saddle__output_text(output, "\n");
    for (int64_t r = 0; r < P->count; r++) {
        int64_t found = gather(P, by_rows, 2, r);
        for (int64_t k = 0; k < found; k++) output_item(output, P->columns[k], " ");
    }
    saddle__output_text(output, "\n");
}

static void output_blocks(saddle__output *output, partition *P, const saddle_matrix *R,
                          const saddle_matrix *by_rows)
{
    int64_t number = 0;
    for (int64_t r = 0; r < P->count; r++) {
        int64_t found = gather(P, by_rows, 3, r);
        for (int64_t k = 0; k < found; k++) {
            int64_t b = P->columns[k];
            output_item(output, number++, "\n");
            for (int64_t j = begin_of(P, b); j < P->end[b]; j++)
                for (int64_t i = begin_of(P, r); i < P->end[r]; i++) {
                    saddle__output_double(output, saddle_matrix_entry(R, i, j));
                    saddle__output_text(output, "\n");
                }
        }
    }
}

static void output_types(saddle__output *output, const saddle_problem *problem)
{
    int64_t c = 0;
    for (int64_t i = 0; i < problem->m;) {
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            saddle__output_text(output, "4\n");
            saddle__output_double(output, problem->contacts[c].mu);
            saddle__output_text(output, "\n");
            i += problem->contacts[c++].size;
        } else {
            saddle__output_text(output, saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY
                                            ? "2\n"
                                            : "0\n");
            i++;
        }
    }
}

static saddle_status express(saddle_context *context, const saddle_problem *problem)
{
    saddle_format format = SADDLE_FORMAT_SICONOS_GMP;
    saddle_status status = saddle__express_rows_only(context, format, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, format, problem,
                                      SADDLE__HOLDS_CONTACTS | SADDLE__HOLDS_EQUALITY |
                                          SADDLE__HOLDS_POSITIVE);
    for (int64_t c = 0; status == SADDLE_OK && c < problem->contact_count; c++)
        if (problem->contacts[c].size != 3)
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                               "contact %lld has %lld rows: %s holds contacts of 3 rows",
                               (long long)c + 1, (long long)problem->contacts[c].size,
                               saddle_format_word(format));
    return status;
}

saddle_status saddle__siconos_gmp_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem)
{
    partition P = {0};
    saddle_matrix R = {0}, by_rows = {0};
    saddle__output output = {0};
    saddle_status status = express(context, problem);
    if (status == SADDLE_OK)
        status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(context, &R, &by_rows);
    if (status == SADDLE_OK) status = partition_create(context, problem, &P);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        output_item(&output, 1, "\n");
        output_item(&output, problem->m, "\n");
        output_item(&output, problem->m, "\n");
        output_structure(&output, &P, &by_rows);
        output_blocks(&output, &P, &R, &by_rows);
        saddle__output_vector(&output, -1, problem->b, problem->m);
        output_types(&output, problem);
        status = saddle__output_finish(&output, SADDLE_OK);
    }
    partition_clear(context, &P);
    saddle_matrix_clear(&R);
    saddle_matrix_clear(&by_rows);
    return status;
}
