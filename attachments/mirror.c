/* SPDX-License-Identifier: MIT */
/* The rows of a symmetric M's lower triangle, as far as attachments need them (see reduction.h). */
#include <string.h>

#include "matrix/matrix_internal.h"
#include "reduction.h"

/* Entry (i, c) below the diagonal: one of the two is attached, none is prescribed. */
static int is_needed(const saddle_map *map, int64_t i, int64_t c)
{
    int32_t a = map->to[i];
    int32_t b = map->to[c];
    return a != SADDLE__PRESCRIBED && b != SADDLE__PRESCRIBED && (a < 0 || b < 0);
}

saddle_status saddle__mirror_create(saddle_context *context, const saddle_map *map,
                                    const saddle_matrix *M, saddle__mirror *mirror)
{
    *mirror = (saddle__mirror){0};
    if (M->symmetry != SADDLE_SYMMETRIC || map->n == 0 || !M->start) return SADDLE_OK;
    mirror->start = saddle_allocate(context, map->n + 1, sizeof *mirror->start);
    if (!mirror->start) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < M->cols; c++)
        for (int64_t k = M->start[c]; k < M->start[c + 1]; k++)
            mirror->start[M->index[k]] += M->index[k] > c && is_needed(map, M->index[k], c);
    saddle__cumulate(mirror->start, map->n);
    mirror->column = saddle_allocate(context, mirror->start[map->n], sizeof *mirror->column);
    mirror->offset = saddle_allocate(context, mirror->start[map->n], sizeof *mirror->offset);
    if (!mirror->column || !mirror->offset) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < M->cols; c++)
        for (int64_t k = M->start[c]; k < M->start[c + 1]; k++) {
            int64_t i = M->index[k];
            if (i <= c || !is_needed(map, i, c)) continue;
            int64_t p = mirror->start[i]++; /* the fill position; moved back below */
            mirror->column[p] = (int32_t)c;
            mirror->offset[p] = (int32_t)(k - M->start[c]);
        }
    memmove(mirror->start + 1, mirror->start, (size_t)map->n * sizeof *mirror->start);
    mirror->start[0] = 0;
    return SADDLE_OK;
}

void saddle__mirror_clear(saddle_context *context, saddle__mirror *mirror)
{
    saddle_release(context, mirror->start);
    saddle_release(context, mirror->column);
    saddle_release(context, mirror->offset);
    *mirror = (saddle__mirror){0};
}
