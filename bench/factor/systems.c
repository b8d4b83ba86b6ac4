/* SPDX-License-Identifier: MIT */
/* From a line of the list to K = [M J'; J -R], all rows taken as equalities, regularized as solvers/ldlt.c does it. */
#include "factor/systems.h"

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

static saddle_status read_problem(saddle_context *context, const char *path, saddle_problem *p)
{
    saddle_format detected;
    return saddle_problem_read(context, path, NULL, p, NULL, NULL, &detected);
}

static saddle_status assemble(bench_system *s)
{
    saddle_status status = saddle__kkt_create(s->context, &s->problem, 0, &s->kkt);
    if (status != SADDLE_OK) return status;
    if (s->kkt.K.symmetry != SADDLE_SYMMETRIC)
        return saddle_fail(s->context, SADDLE_UNSUPPORTED, "the matrix is not symmetric");
    int64_t entries = saddle_matrix_entries(&s->kkt.K);
    s->regularized = saddle_allocate(s->context, entries, sizeof *s->regularized);
    if (s->regularized == NULL) return SADDLE_OUT_OF_MEMORY;
    status = saddle__regularization_create(s->context, &s->problem, &s->regularization);
    if (status != SADDLE_OK) return status;
    saddle__regularization_measure(&s->regularization, &s->problem, saddle_options_default().regularization, 0);
    saddle__kkt_refresh(&s->kkt, &s->problem, s->regularization.added);
    memcpy(s->regularized, s->kkt.K.value, (size_t)entries * sizeof *s->regularized);
    saddle__kkt_refresh(&s->kkt, &s->problem, NULL);
    return SADDLE_OK;
}

saddle_status bench_system_build(saddle_context *context, const system_line *line, bench_system *system)
{
    bench_system fresh = {.context = context, .name = line->name, .family = line->family};
    *system = fresh;
    system->definite = line->path == NULL;
    if (line->bodies_per_size == 1) system->bodies = line->size;
    if (line->bodies_per_size == 2) system->bodies = line->size * line->size;
    saddle_status status = line->path != NULL ? read_problem(context, line->path, &system->problem)
                                              : line->build(context, line->size, &system->problem);
    if (status == SADDLE_OK && line->path == NULL) status = set_compliance(context, line->compliance, &system->problem);
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
