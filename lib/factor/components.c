/* SPDX-License-Identifier: MIT */
/* Connected components of the graph of a square matrix, by union and find with path halving. */
#include "factor/components.h"
#include "factor/factorization_internal.h"

#include <stddef.h>

static int64_t root_of(int64_t *parent, int64_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* parent (n): trees whose roots are the smallest nodes of the components; entries are looked at
 * until one is left. */
static void join(const saddle_matrix *A, int64_t *parent)
{
    int64_t left = A->cols;
    for (int64_t i = 0; i < A->cols; i++) parent[i] = i;
    for (int64_t j = 0; A->start && j < A->cols && left > 1; j++) {
        int64_t b = root_of(parent, j);
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = root_of(parent, A->index[k]);
            if (a == b) continue;
            parent[a < b ? b : a] = a < b ? a : b;
            b = a < b ? a : b;
            left--;
        }
    }
}

void saddle__matrix_components(const saddle_matrix *A, int64_t *root)
{
    join(A, root);
    for (int64_t i = 0; i < A->cols; i++) root[i] = root_of(root, i);
}

void saddle__factor_components(saddle__factorization *F, const saddle_matrix *A,
                               const int64_t *order)
{
    int64_t n = F->n;
    int64_t *parent = F->set; /* which nothing else needs yet */
    join(A, parent);
    /* the smallest node is the root: components are numbered by their smallest node */
    F->component_count = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t root = root_of(parent, i);
        F->component[i] = root == i ? F->component_count++ : F->component[root];
        F->component_start[F->component[i] + 1]++;
    }
    for (int64_t c = 0; c < F->component_count; c++)
        F->component_start[c + 1] += F->component_start[c];
    int64_t *fill = parent;
    for (int64_t c = 0; c < F->component_count; c++) fill[c] = F->component_start[c];
    for (int64_t k = 0; k < n; k++) {
        int64_t i = order ? order[k] : k;
        F->node[fill[F->component[i]]++] = i;
    }
}
