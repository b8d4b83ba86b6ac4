/* SPDX-License-Identifier: MIT */
/* A front of few rows: assembled whole in a work array on the stack, eliminated there by the
 * kernels of small_kernels.h, its columns of L and its update written once. */
#include <stdalign.h>

#include "ldlt/small_kernels.h"

/* Room for a whole front and what kernels read beyond it; no multiple of 4096 bytes, which
 * processors take for the same place when they look for what was stored last. */
enum { LINE = 64, ROOM = SADDLE__SMALL_ROWS * SADDLE__SMALL_ROWS + 256 };

/* W += what child c left */
static void add_child(const saddle__ldlt *F, int64_t c, int64_t height, double *W)
{
    int64_t rows = F->row_start[c + 1] - F->row_start[c];
    const int32_t *place = F->relative + F->row_start[c];
    const double *U = F->update + F->update_start[c];
    for (int64_t j = 0; j < rows; j++) {
        double *column = W + place[j] * height;
        for (int64_t t = j; t < rows; t++) column[place[t]] += U[t];
        U += rows;
    }
}

static void assemble(const saddle__ldlt *F, int64_t s, int64_t rows, int64_t height,
                     const double *value, double *W)
{
    const uint32_t *source = F->entry_source;
    for (int64_t t = 0; t < rows * height; t++) W[t] = 0.0;
    for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c]) add_child(F, c, height, W);
    for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++)
        W[F->entry_target[t]] += value[source[t]];
}

/* P (rows x columns) <- L, zero on the diagonal and above */
static void write_columns(int64_t columns, int64_t rows, int64_t height, const double *L, double *P)
{
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t t = 0; t <= j; t++) P[t + j * rows] = 0.0;
        for (int64_t t = j + 1; t < rows; t++) P[t + j * rows] = L[t + j * height];
    }
}

int saddle__ldlt_small_front(saddle__ldlt *F, int64_t s, const double *value)
{
    int64_t columns = F->first[s + 1] - F->first[s];
    int64_t below = F->row_start[s + 1] - F->row_start[s];
    int64_t rows = columns + below;
    int64_t height = saddle__small_height(rows);
    alignas(LINE) double W[ROOM];
    alignas(LINE) double L[ROOM];
    assemble(F, s, rows, height, value, W);
    saddle__pivoting *p = &saddle__ldlt_lane_of(F)->pivoting;
    if (F->small->eliminate(p, F->first[s], columns, height, W, L) >= 0) return 0;
    write_columns(columns, rows, height, L, F->value + F->value_start[s]);
    if (below > 0) F->small->update(columns, below, height, W, L, F->update + F->update_start[s]);
    return 1;
}
