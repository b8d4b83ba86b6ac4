/* SPDX-License-Identifier: MIT */
/* Blocks of K = df/dq and D = df/dv of one force or constraint into
 *
 *     Mhat = M - damping D - stiffness K,     f = Mhat v + h f(q, v, t) + velocity_force K v
 *
 * A prescribed part goes on as it does, v+ = v, so that of its columns only velocity_force K v is
 * left in f.
 */
#include "system.h"

void saddle__system_point_blocks(saddle_assembly *a, const saddle__acting *item)
{
    const int64_t *size = a->anchors.size + item->anchor;
    saddle__block_room *room = &a->room;
    int64_t used = 0;
    for (int64_t i = 0; i < item->count; i++) {
        for (int64_t j = 0; j < item->count; j++) {
            room->block_K[i * item->count + j] = room->K + used;
            room->block_D[i * item->count + j] = room->D + used;
            used += size[i] * size[j];
        }
    }
    memset(room->K, 0, (size_t)used * sizeof *room->K);
    memset(room->D, 0, (size_t)used * sizeof *room->D);
}

void saddle__system_symmetrize(const saddle_assembly *a, const saddle__acting *item, double **block)
{
    const int64_t *size = a->anchors.size + item->anchor;
    for (int64_t i = 0; i < item->count; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double *lower = block[i * item->count + j], *upper = block[j * item->count + i];
            for (int64_t c = 0; c < size[j]; c++) {
                for (int64_t r = 0; r < size[i]; r++) {
                    const double mean = (lower[r + size[i] * c] + upper[c + size[j] * r]) / 2;
                    lower[r + size[i] * c] = upper[c + size[j] * r] = mean;
                }
            }
        }
    }
}

/* One block, at[c] its columns' places in M. */
static void into_mass(saddle_assembly *a, const int64_t *at, int64_t rows, int64_t cols,
                      int is_diagonal, double damping, const double *D, double stiffness,
                      const double *K)
{
    double *value = a->problem.M.value;
    const int lower = is_diagonal && a->problem.M.symmetry == SADDLE_SYMMETRIC;
    for (int64_t c = 0; c < cols; c++) {
        if (at[c] < 0) continue;
        const int64_t first = lower ? c : 0;
        for (int64_t r = first; r < rows; r++) {
            value[at[c] + r - first] -= damping * D[r + rows * c] + stiffness * K[r + rows * c];
        }
    }
}

void saddle__system_add_blocks(saddle_assembly *a, const saddle__acting *item,
                               const saddle_stage *stage, double *const *K, double *const *D)
{
    const int64_t *size = a->anchors.size + item->anchor,
                  *column = a->anchors.column + item->anchor;
    for (int64_t i = 0; i < item->count; i++) {
        if (column[i] < 0) continue;
        double *f = a->problem.f + column[i];
        for (int64_t j = 0; j < item->count; j++) {
            const int64_t k = i * item->count + j;
            const double *v = a->anchors.velocity[item->anchor + j];
            const double damping = column[j] < 0 ? 0 : stage->damping,
                         stiffness = column[j] < 0 ? 0 : stage->stiffness;
            into_mass(a, a->map + item->map + 6 * k, size[i], size[j], i == j, damping, D[k],
                      stiffness, K[k]);
            for (int64_t c = 0; c < size[j]; c++) {
                for (int64_t r = 0; r < size[i]; r++) {
                    const int64_t e = r + size[i] * c;
                    f[r] += ((stage->velocity_force - stiffness) * K[k][e] - damping * D[k][e]) *
                            v[c];
                }
            }
        }
    }
}
