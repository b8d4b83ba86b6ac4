/* SPDX-License-Identifier: MIT */
/* Walks in the tree of supernodes: where a sparse vector reaches, and L^-1 applied along the way,
 * in parts of supernodes. Reference: Gilbert and Liu, SIAM J. Matrix Anal. Appl. 14, 1993 (row
 * structure and elimination tree). */
#include "active/active_internal.h"

static int64_t climb(saddle__active_rows *A, int64_t node, int64_t begin)
{
    const saddle__ldlt *F = A->F;
    int64_t length = 0;
    for (int64_t s = F->supernode[F->position[node]]; s >= 0 && A->mark[s] != A->stamp;
         s = F->parent[s]) {
        A->mark[s] = A->stamp;
        A->path[length++] = s;
    }
    while (length > 0) A->reach[--begin] = A->path[--length];
    return begin;
}

void saddle__active_walk(saddle__active_rows *A, int64_t row, int alone)
{
    int64_t all = A->F->supernodes;
    A->stamp++;
    int64_t begin = climb(A, A->n + row, all);
    for (int64_t k = A->row_start[row]; !alone && k < A->row_start[row + 1]; k++)
        begin = climb(A, A->row_node[k], begin);
    A->reach_count = all - begin;
    for (int64_t t = 0; t < A->reach_count; t++) A->reach[t] = A->reach[begin + t];
}

/* to -= a l over count entries */
static inline void subtract(int64_t count, double a, const double *restrict l, double *restrict to)
{
    for (int64_t t = 0; t < count; t++) to[t] -= a * l[t];
}

void saddle__active_forward(saddle__active_rows *A, int64_t s, int64_t from, int64_t to)
{
    const saddle__ldlt *F = A->F;
    int64_t k = F->first[s + 1] - F->first[s];
    int64_t u = F->row_start[s + 1] - F->row_start[s];
    const int32_t *row = F->row + F->row_start[s];
    double *own = A->x + F->first[s];
    double *below = A->front;
    for (int64_t t = 0; t < u; t++) below[t] = A->x[row[t]];
    for (int64_t j = from; j < to; j++) {
        const double *column = F->value + F->value_start[s] + j * (k + u);
        A->cost.bound += (double)(k - j + u);
        if (own[j] == 0.0) continue;
        A->cost.touched += (double)(k - j + u);
        subtract(k - j - 1, own[j], column + j + 1, own + j + 1);
        subtract(u, own[j], column + k, below);
    }
    for (int64_t t = 0; t < u; t++) A->x[row[t]] = below[t];
}

void saddle__active_load(saddle__active_rows *A, int64_t row)
{
    for (int64_t k = A->row_start[row]; k < A->row_start[row + 1]; k++) {
        int64_t node = A->row_node[k];
        if (node >= A->n && !A->base[node - A->n]) continue;
        A->x[A->F->position[node]] += A->kkt.K.value[A->row_entry[k]];
    }
}
