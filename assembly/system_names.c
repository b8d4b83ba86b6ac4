/* SPDX-License-Identifier: MIT */
/* Names of rows and components, copied from their items: "knee" for the one row of a constraint,
 * "knee[2]" for the second of several. */
#include <stdio.h>

#include "system.h"

enum { NUMBER_SIZE = 24 }; /* "[32]" and the end */

/* Bytes for the names of a constraint's rows. */
static size_t row_bytes(const saddle__constraint *c)
{
    return c->name == NULL ? 0 : (size_t)c->rows * (strlen(c->name) + NUMBER_SIZE);
}

static size_t part_bytes(const saddle__part *part)
{
    return part->name == NULL || part->prescribed ? 0 : strlen(part->name) + 1;
}

static char *write_row_names(saddle_assembly *a, const saddle__acting *item, char *end)
{
    const saddle__constraint *c = &a->model->constraint[item->place];
    for (int64_t i = 0; i < c->rows; i++) {
        a->problem.row_name[item->row + i] = c->name == NULL ? NULL : end;
        if (c->name == NULL) continue;
        const size_t size = strlen(c->name) + NUMBER_SIZE;
        if (c->rows == 1)
            snprintf(end, size, "%s", c->name);
        else
            snprintf(end, size, "%s[%lld]", c->name, (long long)i);
        end += strlen(end) + 1;
    }
    return end;
}

static char *write_part_names(saddle_assembly *a, char *end)
{
    saddle_problem *p = &a->problem;
    for (int32_t k = 0; k < a->model->parts.count; k++) {
        const saddle__part *part = &a->model->part[a->part[k].place];
        if (part->prescribed) continue;
        const size_t size = part_bytes(part);
        p->component_size[p->component_count] = part->size;
        p->component_name[p->component_count++] = size == 0 ? NULL : end;
        if (size > 0) memcpy(end, part->name, size);
        end += size;
    }
    return end;
}

saddle_status saddle__system_name(saddle_assembly *a)
{
    const saddle_model *model = a->model;
    size_t bytes = 1;
    int64_t parts = 0;
    for (int32_t k = 0; k < model->constraints.count; k++)
        bytes += row_bytes(&model->constraint[a->constraint[k].place]);
    for (int32_t k = 0; k < model->parts.count; k++) {
        bytes += part_bytes(&model->part[a->part[k].place]);
        parts += !model->part[a->part[k].place].prescribed;
    }
    a->names = saddle_allocate(a->context, (int64_t)bytes, 1);
    a->problem.component_name = saddle_allocate(a->context, parts,
                                                sizeof *a->problem.component_name);
    a->problem.component_size = saddle_allocate(a->context, parts,
                                                sizeof *a->problem.component_size);
    if (a->names == NULL || a->problem.component_name == NULL || a->problem.component_size == NULL)
        return SADDLE_OUT_OF_MEMORY;
    char *end = a->names;
    for (int32_t k = 0; k < model->constraints.count; k++)
        end = write_row_names(a, &a->constraint[k], end);
    (void)write_part_names(a, end);
    return SADDLE_OK;
}
