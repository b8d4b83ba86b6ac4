/* SPDX-License-Identifier: MIT */
/* Flesh on bones as a model that is stepped: a block of hexahedra on a plate that is prescribed, a
 * fifth of its nodes attached to bodies in a grid, bodies in chains of four.  Implicit Euler,
 * solver ldlt; the least of some steps.
 *
 *     form / factor     assembly and reduction of a step over the engine's factorization  bar 0.15
 *     rest / factor     all of a step but factorization and solution, the same
 *     allocations       in a step without a change of pattern                             bar 0 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tables.h"

enum { STEPS = 6 };

typedef struct stepped_line {
    const char *name;
    int64_t cells[3], bones[3], chained;
} stepped_line;

static const stepped_line lines[] = {
    {"model-bones-10", {10, 10, 10}, {3, 3, 2}, 8},
    {"model-bones-20", {20, 20, 20}, {4, 4, 2}, 16},
    {"model-bones-30", {30, 30, 31}, {5, 5, 4}, 40},
};

enum { LINES = sizeof lines / sizeof *lines, LINKS = 4, MOST_BONES = 100 };

typedef struct stepped_model {
    const stepped_line *line;
    saddle_model *model;
    saddle_fem_block block;
    saddle_handle plate, flesh, bone[MOST_BONES];
    double middle[MOST_BONES][3]; /* [m] */
    int64_t *node;                /* scratch: nodes of one attachment */
    int64_t bones, attached;
} stepped_model;

static saddle_status attach(stepped_model *m, saddle_handle part, int64_t count, saddle_handle to)
{
    const saddle_anchor anchor = {to, 0};
    const saddle_attach_def def = {.part = part,
                                   .count = count,
                                   .node = count > 0 ? m->node : NULL,
                                   .masters = 1,
                                   .to = &anchor};
    saddle_handle tie;
    m->attached += count > 0 ? count : 1;
    return saddle_model_attach(m->model, &def, &tie);
}

static saddle_status add_bones(stepped_model *m)
{
    const int64_t *grid = m->line->bones;
    const double side[3] = {0.17, 0.17, 0.17};
    saddle_status status = SADDLE_OK;
    m->bones = grid[0] * grid[1] * grid[2];
    for (int64_t k = 0; status == SADDLE_OK && k < m->bones; k++) {
        const int64_t at[3] = {k % grid[0], k / grid[0] % grid[1], k / (grid[0] * grid[1])};
        saddle_body_def def = saddle_body_def_default();
        status = saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, side, 2, &def.inertia);
        for (int i = 0; i < 3; i++)
            m->middle[k][i] = def.pose.p[i] = ((double)at[i] + 0.5) / (double)grid[i];
        if (status == SADDLE_OK) status = saddle_model_add_body(m->model, &def, &m->bone[k]);
    }
    for (int64_t k = 1; status == SADDLE_OK && k < m->line->chained; k++)
        if (k % LINKS != 0) status = attach(m, m->bone[k], 0, m->bone[k - 1]);
    return status;
}

/* Nodes of the layer z = 0 on the plate; nodes in a ball about each bone, a fifth of all, on it. */
static saddle_status attach_nodes(stepped_model *m)
{
    const int64_t *cells = m->block.cells;
    const int64_t layer = (cells[0] + 1) * (cells[1] + 1), nodes = layer * (cells[2] + 1);
    const double *x = saddle_model_position(m->model, m->flesh);
    const double radius = cbrt(0.2 * 0.75 / 3.14159 / (double)m->bones);
    for (int64_t k = 0; k < layer; k++) m->node[k] = k;
    saddle_status status = attach(m, m->flesh, layer, m->plate);
    for (int64_t b = 0; status == SADDLE_OK && b < m->bones; b++) {
        int64_t count = 0;
        for (int64_t k = layer; k < nodes; k++) {
            double far = 0;
            for (int i = 0; i < 3; i++) far += pow(x[3 * k + i] - m->middle[b][i], 2);
            if (far < radius * radius) m->node[count++] = k;
        }
        if (count > 0) status = attach(m, m->flesh, count, m->bone[b]);
    }
    return status;
}

static saddle_status build(saddle_context *context, stepped_model *m)
{
    const double gravity[3] = {-9.81, 0, 0};
    const int64_t *cells = m->line->cells;
    saddle_body_def plate = saddle_body_def_default();
    plate.prescribed = 1;
    m->block = saddle_fem_block_default();
    for (int i = 0; i < 3; i++) m->block.cells[i] = cells[i];
    m->block.damping_mass = 1;
    m->node = calloc((size_t)((cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1)), sizeof *m->node);
    saddle_status status = m->node ? saddle_model_create(context, &m->model) : SADDLE_OUT_OF_MEMORY;
    if (status != SADDLE_OK) return status;
    saddle_model_set_gravity(m->model, gravity);
    status = saddle_model_add_body(m->model, &plate, &m->plate);
    if (status == SADDLE_OK) status = saddle_model_add_fem_block(m->model, &m->block, &m->flesh);
    if (status == SADDLE_OK) status = add_bones(m);
    return status == SADDLE_OK ? attach_nodes(m) : status;
}

typedef struct stepped_found {
    double form, rest, factor, solve; /* least [s] */
    int64_t allocations;              /* most of a step */
} stepped_found;

static saddle_status measure(saddle_context *context, saddle_stepper *stepper, stepped_found *found)
{
    *found = (stepped_found){INFINITY, INFINITY, INFINITY, INFINITY, 0};
    saddle_status status = saddle_stepper_step(stepper);
    for (int k = 0; status == SADDLE_OK && k < STEPS; k++) {
        const int64_t before = saddle_context_memory(context).allocations;
        status = saddle_stepper_step(stepper);
        const int64_t made = saddle_context_memory(context).allocations - before;
        const saddle_step_report *r = saddle_stepper_report(stepper);
        found->form = fmin(found->form, r->seconds.assemble);
        found->factor = fmin(found->factor, r->seconds.factor);
        found->solve = fmin(found->solve, r->seconds.solve);
        found->rest = fmin(found->rest, r->seconds.total - r->seconds.factor - r->seconds.solve);
        if (made > found->allocations) found->allocations = made;
    }
    return status;
}

static saddle_status run(saddle_context *context, const bench_options *options,
                         const stepped_line *line)
{
    stepped_model m = {.line = line};
    saddle_stepper *stepper = NULL;
    saddle_stepper_options o = saddle_stepper_options_default();
    stepped_found found;
    o.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    o.solver = "ldlt";
    saddle_status status = build(context, &m);
    if (status == SADDLE_OK) status = saddle_stepper_create(m.model, &o, &stepper);
    if (status == SADDLE_OK) status = measure(context, stepper, &found);
    if (status == SADDLE_OK) {
        const char *format = options->csv ? "%.3g,%.3g,%" PRId64 ",%s,%" PRId64 ",%" PRId64
                                            ",%" PRId64 ",%.4g,%.4g,%.4g,%.4g\n"
                                          : "%7.3f %7.3f %7" PRId64 "  %-16s %7" PRId64 " %8" PRId64
                                            " %7" PRId64 " %9.3g %9.3g %9.3g %9.3g\n";
        printf(format, found.form / found.factor, found.rest / found.factor, found.allocations,
               line->name, saddle_model_node_count(m.model, m.flesh), m.attached,
               saddle_stepper_report(stepper)->n, found.form, found.rest, found.factor,
               found.solve);
        fflush(stdout);
    }
    saddle_stepper_free(stepper);
    saddle_model_free(m.model);
    free(m.node);
    return status;
}

int bench_stepped(saddle_context *context, const bench_options *options)
{
    int failed = 0;
    puts(options->csv ? "form/factor,rest/factor,allocations,system,nodes,attached,n,form,rest,"
                        "factor,solve"
                      : "\n   form    rest  alloc-                                             "
                        "     seconds\n"
                        "/factor /factor  ations  system             nodes attached       n      "
                        "form      rest    factor     solve");
    for (int i = 0; i < LINES; i++)
        if (bench_begins(lines[i].name, options->only))
            failed |= bench_report(context, lines[i].name, run(context, options, &lines[i]));
    return failed;
}

void bench_stepped_list(void)
{
    for (int i = 0; i < LINES; i++) puts(lines[i].name);
}
