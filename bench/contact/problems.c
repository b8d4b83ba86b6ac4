/* SPDX-License-Identifier: MIT */
/* See problems.h. */
#include "contact/problems.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "data_path.h"
#include "generators/generators.h"
#include "harness.h"

/* ---- the sets ---- */

static const char *const folders[][2] = {
    /* in the data folder, in names */
    {"fc2d_siconos", "fc2d"},   {"fc3d_siconos", "fc3d"}, {"fclib_hdf5", "fclib"},
    {"gfc3d_siconos", "gfc3d"}, {"rfc_siconos", "rfc"},
};

static saddle_status make_wall(saddle_context *context, const int64_t *size,
                               saddle_problem *problem)
{
    saddle_wall_parameters wall = saddle_wall_default();
    wall.columns = size[0];
    wall.courses = size[1];
    return saddle_generate_wall(context, &wall, problem);
}

/* Pushed at its top. */
static saddle_status make_tower(saddle_context *context, const int64_t *size,
                                saddle_problem *problem)
{
    saddle_stack_parameters tower = saddle_stack_default();
    tower.boxes = size[0];
    tower.pushed = size[0];
    return saddle_generate_stack(context, &tower, problem);
}

static const contact_source generated[] = {
    /* name, path, size, make */
    {"wall-1008", "", {12, 11}, make_wall},       {"wall-5096", "", {26, 25}, make_wall},
    {"wall-20176", "", {52, 49}, make_wall},      {"tower-250", "", {250}, make_tower},
    {"tower-1250", "", {1250}, make_tower},       {"heap-270", "", {270}, contact_make_heap},
    {"heap-1350", "", {1350}, contact_make_heap},
};

enum { GENERATED = sizeof generated / sizeof generated[0] };

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The name of a file without its endings .dat, .hdf5 and .hdf5.dat. */
static void name_file(contact_source *source, const char *word, const char *file)
{
    snprintf(source->name, sizeof source->name, "%s/%.80s", word, file);
    char *end = strstr(source->name, ".hdf5");
    if (!end) end = strstr(source->name, ".dat");
    if (end) *end = '\0';
}

/* Appends the files of a folder; none where the folder is absent. */
static contact_source *append_folder(contact_source *list, const char *const folder[2], int *count)
{
    struct dirent **entry;
    const char *path = bench_data_path(folder[0]);
    int found = scandir(path, &entry, not_hidden, alphasort);
    if (found < 0) return list;
    contact_source *longer = realloc(list, (size_t)(*count + found + 1) * sizeof *list);
    for (int k = 0; k < found; k++) {
        if (longer) {
            contact_source source = {.make = NULL};
            name_file(&source, folder[1], entry[k]->d_name);
            snprintf(source.path, sizeof source.path, "%.250s/%.250s", path, entry[k]->d_name);
            longer[(*count)++] = source;
        }
        free(entry[k]);
    }
    free(entry);
    return longer ? longer : list;
}

contact_source *contact_sources(contact_set set, int *count)
{
    contact_source *list = NULL;
    *count = 0;
    if (set == CONTACT_GENERATED) {
        list = malloc(sizeof generated);
        if (list) memcpy(list, generated, sizeof generated);
        *count = list ? GENERATED : 0;
        return list;
    }
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; k++)
        list = append_folder(list, folders[k], count);
    return list;
}

/* ---- one problem ---- */

/* Every row in a contact, all contacts of one size. */
static saddle_status check_rows(contact_problem *p)
{
    const saddle_problem *problem = &p->problem;
    p->dimension = problem->contact_count > 0 ? problem->contacts[0].size : 0;
    int fits = p->dimension >= 2 && problem->law == SADDLE_LAW_CONE &&
               problem->m == p->dimension * problem->contact_count;
    for (int64_t c = 0; fits && c < problem->contact_count; c++)
        fits = problem->contacts[c].size == p->dimension;
    if (fits) return SADDLE_OK;
    return saddle_fail(p->context, SADDLE_UNSUPPORTED, "%" PRId64 " contacts in %" PRId64 " rows",
                       problem->contact_count, problem->m);
}

/* W and q of a problem with velocities; a few times, for the median of its time. */
static saddle_status form_delassus(contact_problem *p)
{
    enum { TIMES = 3 };
    const saddle_problem *full = &p->problem;
    double taken[TIMES];
    saddle_status status = SADDLE_OK;
    for (int k = 0; status == SADDLE_OK && k < TIMES; k++) {
        double began = bench_now();
        saddle_delassus_free(p->delassus);
        status = saddle_delassus_create(p->context, full, NULL, &p->delassus);
        if (status == SADDLE_OK) status = saddle_delassus_form(p->delassus, full);
        if (status == SADDLE_OK) status = saddle_delassus_reduce(p->delassus, full, p->q);
        taken[k] = bench_now() - began;
    }
    p->seconds = bench_median(taken, TIMES);
    return status;
}

static saddle_status condense(contact_problem *p)
{
    saddle_problem *full = &p->problem;
    saddle_status status = SADDLE_OK;
    p->q = saddle_allocate(p->context, full->m, sizeof *p->q);
    p->minus_q = saddle_allocate(p->context, full->m, sizeof *p->minus_q);
    if (!p->q || !p->minus_q) return SADDLE_OUT_OF_MEMORY;
    saddle_problem local = {.m = full->m,
                            .R = full->R,
                            .b = p->minus_q,
                            .contact_count = full->contact_count,
                            .contacts = full->contacts,
                            .law = full->law};
    for (int64_t i = 0; i < full->m; i++) p->q[i] = full->b ? -full->b[i] : 0.0;
    if (full->n > 0) {
        status = form_delassus(p);
        if (status == SADDLE_OK) local.R = *saddle_delassus_matrix(p->delassus);
    }
    local.R.owner = 0;
    for (int64_t i = 0; i < full->m; i++) p->minus_q[i] = -p->q[i];
    p->local = local;
    return status;
}

saddle_status contact_open(saddle_context *context, const contact_source *source, const char *law,
                           contact_problem *p)
{
    contact_problem fresh = {.context = context};
    *p = fresh;
    snprintf(p->name, sizeof p->name, "%s", source->name);
    saddle_status status = source->make ? source->make(context, source->size, &p->problem)
                                        : saddle_problem_read(context, source->path, NULL,
                                                              &p->problem, NULL, NULL, NULL);
    if (status == SADDLE_OK) status = check_rows(p);
    if (status == SADDLE_OK && law) status = saddle_law_from_word(law, &p->problem.law);
    return status == SADDLE_OK ? condense(p) : status;
}

void contact_close(contact_problem *p)
{
    saddle_delassus_free(p->delassus);
    saddle_release(p->context, p->q);
    saddle_release(p->context, p->minus_q);
    saddle_problem_clear(&p->problem);
    memset(p, 0, sizeof *p);
}
