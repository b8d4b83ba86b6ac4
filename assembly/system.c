/* SPDX-License-Identifier: MIT */
/* An assembly's life, its update, and where things are. */
#include "system.h"

#include <math.h>
#include <stdio.h>

#include "items.h"

saddle_assembly_options saddle_assembly_options_default(void)
{
    return (saddle_assembly_options){.law = SADDLE_LAW_CONE};
}

saddle_status saddle_assembly_create(saddle_model *model, const saddle_assembly_options *options,
                                     saddle_assembly **assembly)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (assembly) *assembly = NULL;
    if (!model || !assembly)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_assembly_create: model or assembly is NULL");
    saddle_assembly *a = saddle_allocate(model->context, 1, sizeof *a);
    if (a == NULL) return SADDLE_OUT_OF_MEMORY;
    a->model = model;
    a->context = model->context;
    a->edition = model->edition;
    a->options = options == NULL ? saddle_assembly_options_default() : *options;
    a->problem.context = model->context;
    a->problem.law = a->options.law;
    a->problem.facets = a->options.facets;
    const saddle_status status = saddle__system_compile(a);
    if (status == SADDLE_OK)
        *assembly = a;
    else
        saddle_assembly_free(a);
    return status;
}

static void release(saddle_context *context, void *const *blocks, size_t count)
{
    for (size_t k = 0; k < count; k++) saddle_release(context, blocks[k]);
}

/* The arrays of the problem that are not a matrix's of its own. */
static void clear_problem(saddle_context *context, saddle_problem *p)
{
    void *const rows[] = {p->Jt.start, p->Jt.index, p->Jt.value,
                          p->R.start,  p->R.index,  p->R.value};
    void *const vectors[] = {p->f, p->b, p->lo, p->hi, p->row_id, p->row_name, p->contacts};
    void *const components[] = {p->component_name, p->component_size};
    release(context, rows, sizeof rows / sizeof *rows);
    release(context, vectors, sizeof vectors / sizeof *vectors);
    release(context, components, sizeof components / sizeof *components);
    saddle_matrix_clear(&p->M);
}

void saddle_assembly_free(saddle_assembly *assembly)
{
    if (assembly == NULL) return;
    saddle_assembly *a = assembly;
    const saddle__anchors *anchors = &a->anchors;
    void *const items[] = {a->column,        a->part,   a->force, a->constraint,
                           a->constraint_of, a->weight, a->names};
    void *const sites[] = {anchors->size,      anchors->column,   anchors->offset[0],
                           anchors->offset[1], anchors->position, anchors->velocity};
    void *const values[] = {a->map, a->base, a->force_now[0], a->force_now[1],
                            a->phi, a->kept, a->rate,         a->J};
    release(a->context, items, sizeof items / sizeof *items);
    release(a->context, sites, sizeof sites / sizeof *sites);
    release(a->context, values, sizeof values / sizeof *values);
    clear_problem(a->context, &a->problem);
    saddle__system_clear_room(a);
    saddle__slots_clear(a->context, &a->slots);
    saddle_release(a->context, a);
}

/* ---- update ---- */

saddle_status saddle__system_is_current(const saddle_assembly *a)
{
    if (a->edition == a->model->edition) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_WRONG_PHASE,
                       "assembly: the model's items are not those that were compiled");
}

static saddle_status check_stage(const saddle_assembly *a, const saddle_stage *stage)
{
    const char *wrong = NULL;
    if (!(stage->time_step > 0 && isfinite(stage->time_step)))
        wrong = "time_step";
    else if (!isfinite(stage->gyroscopic))
        wrong = "gyroscopic";
    else if (!isfinite(stage->damping))
        wrong = "damping";
    else if (!isfinite(stage->stiffness))
        wrong = "stiffness";
    else if (!isfinite(stage->velocity_force))
        wrong = "velocity_force";
    else if (!(stage->row_step > 0 && isfinite(stage->row_step)))
        wrong = "row_step";
    else if (!(stage->theta > 0 && stage->theta <= 1))
        wrong = "theta";
    else if (!(stage->unilateral_theta >= 0 && stage->unilateral_theta <= 1))
        wrong = "unilateral_theta";
    else if (!(stage->carried >= 0 && stage->carried < 1))
        wrong = "carried";
    else if (!isfinite(stage->ahead))
        wrong = "ahead";
    else if (!(stage->separation_speed >= 0 && isfinite(stage->separation_speed)))
        wrong = "separation_speed";
    if (wrong == NULL) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "stage: %s is out of its range", wrong);
}

/* The first stage that asks for K or D has M's pattern hold them, from then on. */
static saddle_status take_in_jacobians(saddle_assembly *a, const saddle_stage *stage)
{
    if (a->implicit || (stage->damping == 0 && stage->stiffness == 0 && stage->velocity_force == 0))
        return SADDLE_OK;
    a->implicit = 1;
    const saddle_status status = saddle__system_compile_mass(a);
    if (status != SADDLE_OK) a->implicit = 0;
    return status;
}

static saddle_status set_rows(saddle_assembly *a, const saddle_stage *stage)
{
    a->soft = 0;
    saddle_status status = saddle__system_rows(a, stage);
    if (status != SADDLE_OK || !a->soft) return status;
    status = saddle__system_lay_compliances(a);
    return status == SADDLE_OK ? saddle__system_rows(a, stage) : status;
}

saddle_status saddle_assembly_update(saddle_assembly *assembly, const saddle_stage *stage,
                                     const saddle_contact_list *contacts, int *grown)
{
    saddle_context_clear_message(assembly ? assembly->context : NULL);
    if (!assembly || !stage)
        return saddle_fail(assembly ? assembly->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_assembly_update: assembly or stage is NULL");
    saddle_assembly *a = assembly;
    saddle_status status = saddle__system_is_current(a);
    if (status == SADDLE_OK) status = check_stage(a, stage);
    if (status == SADDLE_OK) status = take_in_jacobians(a, stage);
    if (status == SADDLE_OK) status = saddle__slots_assign(a, contacts);
    if (status == SADDLE_OK) status = saddle__system_forces(a, stage);
    if (status == SADDLE_OK) status = set_rows(a, stage);
    if (status == SADDLE_OK) status = saddle__system_contacts(a, stage, contacts);
    if (status != SADDLE_OK) return status;
    a->problem.time_step = stage->time_step;
    if (grown != NULL) *grown = a->changed;
    a->changed = 0;
    return SADDLE_OK;
}

void saddle_assembly_keep_impulses(saddle_assembly *assembly, double h, const double *lambda)
{
    if (!assembly || (!lambda && assembly->problem.m > 0)) return;
    for (int64_t i = 0; i < assembly->rows; i++) assembly->kept[i] = lambda[i] / h;
}

/* ---- where things are ---- */

const saddle_problem *saddle_assembly_problem(const saddle_assembly *assembly)
{
    if (!assembly) return NULL;
    return &assembly->problem;
}

int64_t saddle_assembly_column(const saddle_assembly *assembly, saddle_handle part)
{
    if (!assembly) return -1;
    if (saddle__model_part(assembly->model, part) == NULL ||
        assembly->edition != assembly->model->edition)
        return -1;
    return assembly->column[part.index];
}

int64_t saddle_assembly_row(const saddle_assembly *assembly, saddle_handle constraint)
{
    if (!assembly) return -1;
    if (saddle__model_constraint(assembly->model, constraint) == NULL) return -1;
    if (assembly->edition != assembly->model->edition) return -1;
    return assembly->constraint[assembly->constraint_of[constraint.index]].row;
}

const double *saddle_assembly_force(const saddle_assembly *assembly)
{
    if (!assembly) return NULL;
    return assembly->force_now[assembly->turn];
}

const double *saddle_assembly_phi(const saddle_assembly *assembly)
{
    if (!assembly) return NULL;
    return assembly->phi;
}

void saddle_assembly_get_velocity(const saddle_assembly *assembly, double *v)
{
    if (!assembly || (!v && assembly->problem.n > 0)) return;
    for (int32_t k = 0; k < assembly->model->parts.count; k++) {
        const saddle__own *own = &assembly->part[k];
        const saddle__part *part = &assembly->model->part[own->place];
        if (own->column < 0) continue;
        memcpy(v + own->column, assembly->model->velocity + part->velocity,
               (size_t)part->size * sizeof *v);
    }
}

void saddle_assembly_set_velocity(saddle_assembly *assembly, const double *v)
{
    if (!assembly || (!v && assembly->problem.n > 0)) return;
    for (int32_t k = 0; k < assembly->model->parts.count; k++) {
        const saddle__own *own = &assembly->part[k];
        const saddle__part *part = &assembly->model->part[own->place];
        if (own->column < 0) continue;
        memcpy(assembly->model->velocity + part->velocity, v + own->column,
               (size_t)part->size * sizeof *v);
    }
}

/* ---- small things ---- */

saddle_site saddle__system_site(const saddle_assembly *a, const saddle__acting *item,
                                const void *data, double time)
{
    return (saddle_site){data,
                         time,
                         item->count,
                         a->anchors.size + item->anchor,
                         a->anchors.position + item->anchor,
                         a->anchors.velocity + item->anchor};
}

saddle_handle saddle__system_part_handle(const saddle_assembly *a, int32_t place)
{
    return (saddle_handle){place, a->model->part[place].generation, a->model->part[place].item,
                           a->model->number};
}

saddle_handle saddle__system_force_handle(const saddle_assembly *a, int32_t place)
{
    return (saddle_handle){place, a->model->force[place].generation, SADDLE_ITEM_FORCE,
                           a->model->number};
}

saddle_handle saddle__system_constraint_handle(const saddle_assembly *a, int32_t place)
{
    return (saddle_handle){place, a->model->constraint[place].generation, SADDLE_ITEM_CONSTRAINT,
                           a->model->number};
}

saddle_status saddle__system_refuse(const saddle_assembly *a, saddle_handle item, const char *what)
{
    char name[160];
    saddle__model_describe(a->model, item, name, sizeof name);
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "%s: %s", name, what);
}
