/* SPDX-License-Identifier: MIT */
/* The list of systems: drawn ones and what bench/generators makes, small ones first, then files
 * (system_files.c). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "factor/systems.h"
#include "generators.h"
#include "harness.h"

#define COMPLIANT 1e-8

/* ---- generated ---- */

static saddle_status build_hex(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = size;
    p.fixed = 0;
    return saddle_generate_block(context, &p, problem);
}

/* A tie for every twentieth node: 3 x 463 rows at size 20. */
static saddle_status build_ties(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = size;
    p.fixed = 0;
    p.incompressible = 0;
    p.ties = (size + 1) * (size + 1) * (size + 1) / 20;
    return saddle_generate_block(context, &p, problem);
}

/* A full M, diagonally dominant, and a full J. */
static saddle_status build_small(saddle_context *context, int64_t size, saddle_problem *problem)
{
    uint64_t state = (uint64_t)size;
    int64_t m = 2 * size / 5;
    int64_t n = size - m;
    problem->n = n;
    problem->m = m;
    saddle_status status = saddle_matrix_create(context, n, n, n * (n + 1) / 2, SADDLE_SYMMETRIC,
                                                &problem->M);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, n, m, n * m, SADDLE_GENERAL, &problem->Jt);
    if (status != SADDLE_OK) return status;
    int64_t k = 0;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = j; i < n; i++, k++) {
            problem->M.index[k] = i;
            problem->M.value[k] = i == j ? (double)n : 2 * draw_fraction(&state) - 1;
        }
        problem->M.start[j + 1] = k;
    }
    for (k = 0; k < n * m; k++) {
        problem->Jt.index[k] = k % n;
        problem->Jt.value[k] = 2 * draw_fraction(&state) - 1;
        problem->Jt.start[k / n + 1] = k + 1;
    }
    return SADDLE_OK;
}

enum { MOST_SIZES = 6 };

static const struct {
    const char *family, *suffix;
    int64_t size[MOST_SIZES]; /* ends at 0 */
    double compliance;
    saddle_status (*build)(saddle_context *context, int64_t size, saddle_problem *problem);
    int bodies_per_size;
} families[] = {
    {"small", "", {5, 10, 20, 50, 100}, 0, build_small, 0},
    {"chain", "", {2, 5, 9}, 0, bench_build_chain, 1}, /* under 100 unknowns, as are the next three
                                                        */
    {"stack", "", {3, 5}, COMPLIANT, bench_build_stack, 1},
    {"balls", "", {2}, COMPLIANT, bench_build_balls, 2},
    {"hex", "", {2}, COMPLIANT, build_hex, 0},
    {"chain", "", {1000, 10000, 100000}, 0, bench_build_chain, 1},
    {"rods", "", {30, 100}, COMPLIANT, bench_build_rods, 2},
    {"balls", "", {30, 100}, COMPLIANT, bench_build_balls, 2},
    {"stack", "", {100, 1000, 10000}, COMPLIANT, bench_build_stack, 1},
    {"hex", "", {10, 20, 30}, COMPLIANT, build_hex, 0},
    {"hex", "-r0", {10, 20, 30}, 0, build_hex, 0},
    {"ties", "", {10, 20, 30}, COMPLIANT, build_ties, 0},
    {"ties", "-r0", {10, 20, 30}, 0, build_ties, 0},
};

/* ---- the list ---- */

int system_list_append(system_list *list, const system_line *line)
{
    system_line *grown = realloc(list->line, (size_t)(list->count + 1) * sizeof *grown);
    if (grown == NULL) return 1;
    list->line = grown;
    list->line[list->count++] = *line;
    return 0;
}

static int append_generated(system_list *list)
{
    int failed = 0;
    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++)
        for (int k = 0; k < MOST_SIZES && families[f].size[k] > 0; k++) {
            system_line line = {.family = families[f].family,
                                .size = families[f].size[k],
                                .compliance = families[f].compliance,
                                .build = families[f].build,
                                .bodies_per_size = families[f].bodies_per_size};
            snprintf(line.name, sizeof line.name, "%s-%" PRId64 "%s", line.family, line.size,
                     families[f].suffix);
            failed |= system_list_append(list, &line);
        }
    return failed;
}

int system_list_create(const char *data, const char *shared, system_list *list)
{
    system_list empty = {0};
    *list = empty;
    int failed = append_generated(list);
    if (!failed && data != NULL) failed = system_files_append(list, data, 0);
    if (!failed && shared != NULL) failed = system_files_append(list, shared, 1);
    if (failed) system_list_clear(list);
    return failed;
}

void system_list_clear(system_list *list)
{
    for (int64_t k = 0; k < list->count; k++) free(list->line[k].path);
    free(list->line);
    system_list empty = {0};
    *list = empty;
}
