/* SPDX-License-Identifier: MIT */
/* Graphs of symmetric patterns, and quotients of them: what the orderings work on. */
#include <string.h>

#include "ldlt/ldlt_internal.h"

void saddle__graph_clear(saddle_context *context, saddle__graph *g)
{
    saddle_release(context, g->start);
    saddle_release(context, g->node);
    saddle__graph empty = {0, NULL, NULL};
    *g = empty;
}

/* The neighbours' places from their numbers in start[1 ..] */
static saddle_status open_places(saddle_context *context, saddle__graph *g, int64_t **fill)
{
    for (int64_t j = 0; j < g->nodes; j++) g->start[j + 1] += g->start[j];
    g->node = saddle__allocate_unset(context, g->start[g->nodes], sizeof(*g->node));
    *fill = saddle__allocate_unset(context, g->nodes, sizeof(**fill));
    if (!g->node || !*fill) return SADDLE_OUT_OF_MEMORY;
    if (g->nodes > 0) memcpy(*fill, g->start, (size_t)g->nodes * sizeof(**fill));
    return SADDLE_OK;
}

/* Takes out neighbours listed twice.  seen: nodes, scratch. */
static void make_unique(saddle__graph *g, int64_t *seen)
{
    for (int64_t j = 0; j < g->nodes; j++) seen[j] = -1;
    int64_t count = 0;
    int64_t begin = 0;
    for (int64_t j = 0; j < g->nodes; j++) {
        int64_t end = g->start[j + 1];
        g->start[j] = count;
        for (int64_t k = begin; k < end; k++) {
            int32_t i = g->node[k];
            if (seen[i] == j) continue;
            seen[i] = j;
            g->node[count++] = i;
        }
        begin = end;
    }
    g->start[g->nodes] = count;
}

/* label_of(label, i): NULL stands for i itself */
static inline int64_t label_of(const int64_t *label, int64_t i)
{
    return label ? label[i] : i;
}

static inline void count_neighbours(const saddle_matrix *A, const int64_t *label, saddle__graph *g)
{
    for (int64_t j = 0; j < A->cols; j++) {
        int64_t b = label_of(label, j);
        for (int64_t k = A->start[j]; b >= 0 && k < A->start[j + 1]; k++) {
            int64_t a = label_of(label, A->index[k]);
            if (a < 0 || a == b) continue;
            g->start[a + 1]++;
            g->start[b + 1]++;
        }
    }
}

static inline void list_neighbours(const saddle_matrix *A, const int64_t *label, saddle__graph *g,
                                   int64_t *fill)
{
    for (int64_t j = 0; j < A->cols; j++) {
        int64_t b = label_of(label, j);
        for (int64_t k = A->start[j]; b >= 0 && k < A->start[j + 1]; k++) {
            int64_t a = label_of(label, A->index[k]);
            if (a < 0 || a == b) continue;
            g->node[fill[a]++] = (int32_t)b;
            g->node[fill[b]++] = (int32_t)a;
        }
    }
}

saddle_status saddle__graph_of(saddle_context *context, const saddle_matrix *A, int64_t labels,
                               const int64_t *label, saddle__graph *g)
{
    g->nodes = labels;
    g->start = saddle_allocate(context, labels + 1, sizeof(*g->start));
    if (!g->start) return SADDLE_OUT_OF_MEMORY;
    int full = saddle_matrix_entries(A) > 0;
    if (full) label ? count_neighbours(A, label, g) : count_neighbours(A, NULL, g);
    int64_t *fill = NULL;
    saddle_status status = open_places(context, g, &fill);
    if (status == SADDLE_OK && full)
        label ? list_neighbours(A, label, g, fill) : list_neighbours(A, NULL, g, fill);
    if (status == SADDLE_OK && labels < A->cols)
        make_unique(g, fill); /* labels of several nodes, or some left out */
    saddle_release(context, fill);
    return status;
}

saddle_status saddle__graph_quotient(saddle_context *context, const saddle__graph *g,
                                     int64_t labels, const int64_t *label, saddle__graph *quotient)
{
    quotient->nodes = labels;
    quotient->start = saddle_allocate(context, labels + 1, sizeof(*quotient->start));
    if (!quotient->start) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < g->nodes; j++)
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++)
            quotient->start[label[j] + 1] += label[g->node[k]] != label[j];
    int64_t *fill = NULL;
    saddle_status status = open_places(context, quotient, &fill);
    for (int64_t j = 0; status == SADDLE_OK && j < g->nodes; j++) {
        int64_t a = label[j];
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++) {
            int64_t b = label[g->node[k]];
            if (a != b) quotient->node[fill[a]++] = (int32_t)b;
        }
    }
    if (status == SADDLE_OK) make_unique(quotient, fill);
    saddle_release(context, fill);
    return status;
}
