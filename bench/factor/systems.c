/* SPDX-License-Identifier: MIT */
/* From a line of the list to K = [M J'; J -R], all rows taken as equalities, regularized as
 * solvers/ldlt.c does it. */
#include "factor/systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saddle/files.h"
#include "saddle/options.h"

/* R = compliance I, whatever it was. */
static saddle_status set_compliance(saddle_context *context, double compliance, saddle_problem *p)
{
    saddle_matrix_clear(&p->R);
    if (compliance == 0) return SADDLE_OK;
    saddle_status status = saddle_matrix_create(context, p->m, p->m, p->m, SADDLE_SYMMETRIC, &p->R);
    for (int64_t i = 0; status == SADDLE_OK && i < p->m; i++) {
        p->R.index[i] = i;
        p->R.value[i] = compliance;
        p->R.start[i + 1] = i + 1;
    }
    return status;
}

/* The vector beside a matrix without one, q_X of M_X, qq_X of MM_X: its path where it is there,
 * else NULL. */
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

/* Printed with six digits, a symmetric matrix is off by this at most. */
static const double printed = 1e-5;

/* The lower triangle of an A that is symmetric without saying so. */
static saddle_status claim_symmetry(saddle_context *context, const char *name, saddle_matrix *A)
{
    double asymmetry = 0;
    if (A->symmetry == SADDLE_SYMMETRIC || saddle_matrix_entries(A) == 0) return SADDLE_OK;
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
