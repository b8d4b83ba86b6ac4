/* SPDX-License-Identifier: MIT */
/* The list of systems (generated ones, small ones first, then files: system_files.c), and K =
 * [M J'; J -R] of a line, all rows taken as equalities, regularized as in solvers/ldlt.c. */
#include "factor/systems.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "generators.h"
#include "harness.h"
#include "saddle/files.h"
#include "saddle/options.h"

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
    saddle_status status = saddle_matrix_create(context, n, n, n * (n + 1) / 2,
                                                SADDLE_SYMMETRY_LOWER, &problem->M);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, n, m, n * m, SADDLE_SYMMETRY_NONE, &problem->Jt);
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
    /* under 100 unknowns, as are the next three */
    {"chain", "", {2, 5, 9}, 0, bench_build_chain, 1},
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

/* ---- one system ---- */

/* R = compliance I. */
static saddle_status set_compliance(saddle_context *context, double compliance, saddle_problem *p)
{
    saddle_matrix_clear(&p->R);
    if (compliance == 0) return SADDLE_OK;
    saddle_status status = saddle_matrix_create(context, p->m, p->m, p->m, SADDLE_SYMMETRY_LOWER,
                                                &p->R);
    for (int64_t i = 0; status == SADDLE_OK && i < p->m; i++) {
        p->R.index[i] = i;
        p->R.value[i] = compliance;
        p->R.start[i + 1] = i + 1;
    }
    return status;
}

/* The vector beside a matrix without one, q_X of M_X, qq_X of MM_X: its path, or NULL. */
static const char *vector_beside(const char *path, char *beside, size_t size)
{
    const char *name = strrchr(path, '/');
    if (name == NULL || strlen(path) >= size) return NULL;
    strcpy(beside, path);
    for (char *c = beside + (name + 1 - path); *c == 'M'; c++) *c = 'q';
    FILE *file = strcmp(beside, path) != 0 ? fopen(beside, "r") : NULL;
    if (file == NULL) return NULL;
    fclose(file);
    return beside;
}

static saddle_status read_problem(saddle_context *context, const system_line *line,
                                  saddle_problem *p)
{
    char beside[4096];
    saddle_read_options options = {.rhs = vector_beside(line->path, beside, sizeof beside)};
    saddle_format detected;
    saddle_status status = saddle_problem_read(context, line->path, &options, p, NULL, NULL,
                                               &detected);
    return status != SADDLE_OK && status != SADDLE_OUT_OF_MEMORY && line->shared
               ? SADDLE_UNSUPPORTED
               : status;
}

/* Largest asymmetry of a symmetric matrix printed with six digits. */
static const double printed = 1e-5;

/* The lower triangle of a symmetric A that is stored as general. */
static saddle_status claim_symmetry(saddle_context *context, const char *name, saddle_matrix *A)
{
    double asymmetry = 0;
    if (A->symmetry == SADDLE_SYMMETRY_LOWER || saddle_matrix_entries(A) == 0) return SADDLE_OK;
    saddle_status status = saddle_matrix_asymmetry(context, A, &asymmetry);
    if (status == SADDLE_OK && asymmetry > printed)
        return saddle_fail(context, SADDLE_UNSUPPORTED, "%s is not symmetric: asymmetry %.2g", name,
                           asymmetry);
    saddle_matrix lower = {.rows = 0};
    if (status == SADDLE_OK) status = saddle_matrix_lower(context, A, &lower);
    if (status != SADDLE_OK) return status;
    saddle_matrix_clear(A);
    *A = lower;
    return SADDLE_OK;
}

static saddle_status assemble(bench_system *s)
{
    saddle_status status = claim_symmetry(s->context, "M", &s->problem.M);
    if (status == SADDLE_OK) status = claim_symmetry(s->context, "R", &s->problem.R);
    if (status == SADDLE_OK) status = saddle__kkt_create(s->context, &s->problem, 0, &s->kkt);
    if (status != SADDLE_OK) return status;
    int64_t entries = saddle_matrix_entries(&s->kkt.K);
    s->regularized = saddle_allocate(s->context, entries, sizeof *s->regularized);
    if (s->regularized == NULL) return SADDLE_OUT_OF_MEMORY;
    status = saddle__regularization_create(s->context, &s->problem, &s->regularization);
    if (status != SADDLE_OK) return status;
    saddle__regularization_measure(&s->regularization, &s->problem,
                                   saddle_options_default().regularization, 0);
    saddle__kkt_refresh(&s->kkt, &s->problem, s->regularization.added);
    memcpy(s->regularized, s->kkt.K.value, (size_t)entries * sizeof *s->regularized);
    saddle__kkt_refresh(&s->kkt, &s->problem, NULL);
    return SADDLE_OK;
}

saddle_status bench_system_build(saddle_context *context, const system_line *line,
                                 bench_system *system)
{
    if (line->why != NULL) return saddle_fail(context, SADDLE_UNSUPPORTED, "%s", line->why);
    bench_system fresh = {.context = context, .name = line->name, .family = line->family};
    *system = fresh;
    system->definite = line->path == NULL;
    if (line->bodies_per_size == 1) system->bodies = line->size;
    if (line->bodies_per_size == 2) system->bodies = line->size * line->size;
    saddle_status status = line->path != NULL ? read_problem(context, line, &system->problem)
                                              : line->build(context, line->size, &system->problem);
    if (status == SADDLE_OK && line->path == NULL)
        status = set_compliance(context, line->compliance, &system->problem);
    if (status == SADDLE_OK) status = assemble(system);
    if (status != SADDLE_OK) bench_system_clear(system);
    return status;
}

void bench_system_clear(bench_system *system)
{
    saddle_problem_clear(&system->problem);
    saddle__kkt_clear(&system->kkt);
    saddle__regularization_clear(&system->regularization);
    saddle_release(system->context, system->regularized);
    system->regularized = NULL;
}
