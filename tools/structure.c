/* SPDX-License-Identifier: MIT */
/* Connected components by union-find with path halving; the root of a set is its smallest node, so
 * that labels follow it. */
#include "structure.h"

#include <string.h>

saddle_status tool_components_begin(saddle_context *context, int64_t nodes,
                                    tool_components *components)
{
    memset(components, 0, sizeof *components);
    components->context = context;
    components->nodes = nodes;
    components->label = saddle_allocate(context, nodes + 1, sizeof *components->label);
    if (!components->label) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < nodes; i++) components->label[i] = i;
    return SADDLE_OK;
}

static int64_t root_of(int64_t *parent, int64_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void join(int64_t *parent, int64_t i, int64_t j)
{
    const int64_t a = root_of(parent, i), b = root_of(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

void tool_components_join(tool_components *components, const saddle_matrix *A, int64_t row,
                          int64_t col)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            join(components->label, row + A->index[k], col + j);
}

saddle_status tool_components_number(tool_components *components)
{
    int64_t *label = components->label;
    for (int64_t i = 0; i < components->nodes; i++) components->count += label[i] == i;
    components->size = saddle_allocate(components->context, components->count + 1,
                                       sizeof *components->size);
    if (!components->size) return SADDLE_OUT_OF_MEMORY;
    int64_t next = 0;
    for (int64_t i = 0; i < components->nodes; i++) { /* a parent is smaller than its child, so it
                                                         has its number already */
        label[i] = label[i] == i ? next++ : label[label[i]];
        components->size[label[i]]++;
    }
    for (int64_t c = 0; c < components->count; c++) {
        if (components->size[c] > components->largest) components->largest = components->size[c];
        if (c == 0 || components->size[c] < components->smallest)
            components->smallest = components->size[c];
    }
    return SADDLE_OK;
}

saddle_status tool_components_list(const tool_components *components, int64_t **node,
                                   int64_t **start)
{
    saddle_context *context = components->context;
    int64_t *order = saddle_allocate(context, components->nodes + 1, sizeof *order);
    int64_t *first = saddle_allocate(context, components->count + 1, sizeof *first);
    int64_t *next = saddle_allocate(context, components->count + 1, sizeof *next);
    const int all = order && first && next;
    if (all) {
        for (int64_t c = 0; c < components->count; c++)
            first[c + 1] = first[c] + components->size[c];
        memcpy(next, first, (size_t)(components->count + 1) * sizeof *next);
        for (int64_t i = 0; i < components->nodes; i++) order[next[components->label[i]]++] = i;
        *node = order;
        *start = first;
    } else {
        saddle_release(context, order);
        saddle_release(context, first);
    }
    saddle_release(context, next);
    return all ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void tool_components_clear(tool_components *components)
{
    saddle_release(components->context, components->label);
    saddle_release(components->context, components->size);
    memset(components, 0, sizeof *components);
}

saddle_status tool_components_of_mass(saddle_context *context, const saddle_problem *problem,
                                      tool_components *components)
{
    const saddle_status status = tool_components_begin(context, problem->n, components);
    if (status) return status;
    tool_components_join(components, &problem->M, 0, 0);
    return tool_components_number(components);
}

saddle_status tool_components_of_system(saddle_context *context, const saddle_problem *problem,
                                        tool_components *components)
{
    const int64_t n = problem->n;
    const saddle_status status = tool_components_begin(context, n + problem->m, components);
    if (status) return status;
    tool_components_join(components, &problem->M, 0, 0);
    tool_components_join(components, &problem->Jt, 0, n);
    tool_components_join(components, &problem->R, n, n);
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        for (int64_t i = 1; i < contact->size; i++)
            join(components->label, n + contact->row, n + contact->row + i);
    }
    return tool_components_number(components);
}
