/* SPDX-License-Identifier: MIT */
/* Flesh on bones: a block of hexahedra (block.c), part of whose nodes move with frames; frames in
 * chains move with the first:
 *
 *     node k on frame j at distance r:    v_k = v_j + omega_j x r = [I  -[r]] (v_j, omega_j)
 *     frame k on frame j:     (v_k, omega_k) = [I  -[r]; 0  I] (v_j, omega_j)   (world coordinates)
 *
 * The frames stand in a grid inside the block, each with a mass and a moment of inertia; nodes are
 * attached to the frame of their part of the grid.  n = 3 nodes + 6 frames.
 */
#include <math.h>
#include <string.h>

#include "draw.h"
#include "generators.h"

#define FRAME_MASS 2.0     /* [kg] */
#define FRAME_INERTIA 0.01 /* [kg m^2] */
#define GRAVITY (-9.81)    /* along x */

typedef struct bones_model {
    saddle_context *context;
    const saddle_bones_parameters *p;
    int64_t nodes[3]; /* that move, along x, y, z */
    int64_t node_count, frame_count;
    saddle_attachments *graph;
} bones_model;

saddle_bones_parameters saddle_bones_default(void)
{
    saddle_bones_parameters p = {.block = saddle_block_default(),
                                 .frames = {2, 2, 1},
                                 .chained = 2,
                                 .links = 2,
                                 .part = 0.2};
    p.block.incompressible = 0;
    return p;
}

static saddle_status check_parameters(saddle_context *context, const saddle_bones_parameters *p)
{
    for (int i = 0; i < 3; i++)
        if (p->frames[i] < 1 || p->frames[i] > p->block.cells[i])
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "bones: frames[%d] is not within 1 .. cells", i);
    int64_t frames = p->frames[0] * p->frames[1] * p->frames[2];
    if (p->links < 1 || p->chained < 0 || p->chained > frames || !(p->part >= 0) ||
        !(p->part < 1) || p->block.ties != 0 || p->block.distortion != 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "bones: a parameter is out of range");
    return SADDLE_OK;
}

/* ---- where things are ---- */

static void place_of_node(const bones_model *model, int64_t node, int64_t at[3])
{
    at[0] = node % model->nodes[0];
    at[1] = node / model->nodes[0] % model->nodes[1];
    at[2] = node / (model->nodes[0] * model->nodes[1]);
}

/* The part of the grid along one axis that a node stands in, and its middle [nodes]. */
static int64_t part_of(const bones_model *model, int axis, int64_t at)
{
    return at * model->p->frames[axis] / model->nodes[axis];
}

static double middle_of(const bones_model *model, int axis, int64_t part)
{
    return ((double)part + 0.5) * (double)model->nodes[axis] / (double)model->p->frames[axis] - 0.5;
}

static int64_t frame_of_node(const bones_model *model, int64_t node)
{
    int64_t at[3];
    place_of_node(model, node, at);
    const int64_t *frames = model->p->frames;
    return part_of(model, 0, at[0]) +
           frames[0] * (part_of(model, 1, at[1]) + frames[1] * part_of(model, 2, at[2]));
}

/* x (3): of a frame, in nodes from the first one. */
static void place_of_frame(const bones_model *model, int64_t frame, double x[3])
{
    const int64_t *frames = model->p->frames;
    x[0] = middle_of(model, 0, frame % frames[0]);
    x[1] = middle_of(model, 1, frame / frames[0] % frames[1]);
    x[2] = middle_of(model, 2, frame / (frames[0] * frames[1]));
}

/* The half side of a cube around each frame that holds about the part wanted. */
static int is_attached(const bones_model *model, int64_t node, uint64_t *state)
{
    if (model->p->scattered) return (double)draw_below(state, 1 << 20) < model->p->part * (1 << 20);
    double each = model->p->part * (double)model->node_count / (double)model->frame_count;
    int64_t at[3];
    double x[3];
    place_of_node(model, node, at);
    place_of_frame(model, frame_of_node(model, node), x);
    for (int i = 0; i < 3; i++) {
        double side = 2 * fabs((double)at[i] - x[i]);
        if (side * side * side > each) return 0;
    }
    return 1;
}

/* ---- attachments ---- */

/* A (rows x 6, by columns), rows 3 or 6: what moves with a frame at distance r. */
static void moved_along(int64_t rows, const double r[3], double *A)
{
    memset(A, 0, (size_t)rows * 6 * sizeof *A);
    for (int64_t i = 0; i < rows; i++) A[i + i * rows] = 1;
    A[1 + 3 * rows] = -r[2]; /* omega x r, column by column */
    A[2 + 3 * rows] = r[1];
    A[0 + 4 * rows] = r[2];
    A[2 + 4 * rows] = -r[0];
    A[0 + 5 * rows] = -r[1];
    A[1 + 5 * rows] = r[0];
}

static saddle_status attach(bones_model *model, int64_t component, int64_t rows, const double x[3],
                            int64_t frame)
{
    double A[36];
    double r[3];
    place_of_frame(model, frame, r);
    for (int i = 0; i < 3; i++) r[i] = model->p->block.edge * (x[i] - r[i]);
    moved_along(rows, r, A);
    saddle_attachment_block block = {.master = model->node_count + frame,
                                     .rows = rows,
                                     .cols = 6,
                                     .value = A};
    saddle_attachment attachment = {.component = component, .block_count = 1, .blocks = &block};
    return saddle_attachments_attach(model->graph, &attachment);
}

static saddle_status attach_node(bones_model *model, int64_t node)
{
    int64_t at[3];
    place_of_node(model, node, at);
    double x[3] = {(double)at[0], (double)at[1], (double)at[2]};
    return attach(model, node, 3, x, frame_of_node(model, node));
}

static saddle_status add_components(bones_model *model)
{
    saddle_status status = SADDLE_OK;
    for (int64_t c = 0; status == SADDLE_OK && c < model->node_count + model->frame_count; c++) {
        saddle_component component = {.id = c,
                                      .kind = c < model->node_count ? SADDLE_COMPONENT_PARTICLE
                                                                    : SADDLE_COMPONENT_FRAME};
        status = saddle_attachments_add(model->graph, &component);
    }
    return status;
}

static saddle_status build_graph(bones_model *model)
{
    const saddle_bones_parameters *p = model->p;
    uint64_t state = p->block.seed;
    saddle_status status = saddle_attachments_create(model->context, &model->graph);
    if (status == SADDLE_OK) status = add_components(model);
    for (int64_t node = 0; status == SADDLE_OK && node < model->node_count; node++)
        if (is_attached(model, node, &state)) status = attach_node(model, node);
    for (int64_t frame = 1; status == SADDLE_OK && frame < p->chained; frame++) {
        double x[3];
        if (frame % p->links == 0) continue; /* the first of a chain */
        place_of_frame(model, frame, x);
        status = attach(model, model->node_count + frame, 6, x, frame - 1);
    }
    return status;
}

/* ---- the problem ---- */

/* A with the frames' rows and columns behind; values of theirs on the diagonal. */
static saddle_status widen_mass(saddle_context *context, const saddle_matrix *A, int64_t frames,
                                saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    saddle_status status = saddle_matrix_create(context, A->rows + 6 * frames, A->cols + 6 * frames,
                                                entries + 6 * frames, A->symmetry, B);
    if (status != SADDLE_OK) return status;
    memcpy(B->start, A->start, (size_t)(A->cols + 1) * sizeof *A->start);
    memcpy(B->index, A->index, (size_t)entries * sizeof *A->index);
    memcpy(B->value, A->value, (size_t)entries * sizeof *A->value);
    for (int64_t k = 0; k < 6 * frames; k++) {
        B->start[A->cols + k + 1] = entries + k + 1;
        B->index[entries + k] = A->cols + k;
        B->value[entries + k] = k % 6 < 3 ? FRAME_MASS : FRAME_INERTIA;
    }
    return SADDLE_OK;
}

static saddle_status widen_force(const bones_model *model, saddle_problem *problem)
{
    int64_t n = problem->n;
    double *f = saddle_reallocate(model->context, problem->f, n + 6 * model->frame_count,
                                  sizeof *f);
    if (!f) return SADDLE_OUT_OF_MEMORY;
    problem->f = f;
    for (int64_t k = 0; k < 6 * model->frame_count; k++)
        f[n + k] = k % 6 == 0 ? FRAME_MASS * GRAVITY * model->p->block.time_step : 0;
    return SADDLE_OK;
}

static saddle_status widen(const bones_model *model, saddle_problem *problem)
{
    saddle_matrix M;
    saddle_status status = widen_force(model, problem);
    if (status == SADDLE_OK)
        status = widen_mass(model->context, &problem->M, model->frame_count, &M);
    if (status != SADDLE_OK) return status;
    saddle_matrix_clear(&problem->M);
    problem->M = M;
    problem->n = M.rows;
    problem->Jt.rows = M.rows;
    return SADDLE_OK;
}

static saddle_status rename_problem(saddle_context *context, saddle_problem *problem)
{
    static const char name[] = "block on bones";
    char *copy = saddle_allocate(context, sizeof name, 1);
    if (!copy) return SADDLE_OUT_OF_MEMORY;
    memcpy(copy, name, sizeof name);
    saddle_release(context, problem->name);
    problem->name = copy;
    return SADDLE_OK;
}

saddle_status saddle_generate_bones(saddle_context *context,
                                    const saddle_bones_parameters *parameters,
                                    saddle_problem *problem, saddle_attachments **attachments)
{
    *attachments = NULL;
    *problem = (saddle_problem){0};
    bones_model model = {.context = context, .p = parameters};
    saddle_status status = check_parameters(context, parameters);
    if (status == SADDLE_OK) status = saddle_generate_block(context, &parameters->block, problem);
    if (status != SADDLE_OK) return status;
    for (int i = 0; i < 3; i++) model.nodes[i] = parameters->block.cells[i] + 1;
    if (parameters->block.fixed) model.nodes[2]--;
    model.node_count = model.nodes[0] * model.nodes[1] * model.nodes[2];
    model.frame_count = parameters->frames[0] * parameters->frames[1] * parameters->frames[2];
    status = rename_problem(context, problem);
    if (status == SADDLE_OK) status = widen(&model, problem);
    if (status == SADDLE_OK) status = build_graph(&model);
    if (status == SADDLE_OK) {
        *attachments = model.graph;
        return SADDLE_OK;
    }
    saddle_attachments_free(model.graph);
    saddle_problem_clear(problem);
    return status;
}
