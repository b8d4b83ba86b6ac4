/* SPDX-License-Identifier: MIT */
/* A grid of equal hexahedra, or of six tetrahedra a cell, as a mesh (saddle/fem_block.h). */
#include "saddle/fem_block.h"

#include "model_internal.h"
#include "saddle/fem_mesh.h"

saddle_fem_block saddle_fem_block_default(void)
{
    return (saddle_fem_block){
        .cells = {2, 2, 2}, .size = {1, 1, 1}, .young = 1e6, .poisson = 0.3, .density = 1000};
}

int64_t saddle_fem_block_node(const saddle_fem_block *block, int64_t i, int64_t j, int64_t k)
{
    return block ? i + (block->cells[0] + 1) * (j + (block->cells[1] + 1) * k) : 0;
}

static saddle_status check(const saddle_model *model, const saddle_fem_block *block)
{
    const double mass = block->density * block->size[0] * block->size[1] * block->size[2];
    const saddle__numbers numbers[] = {{"size", SADDLE__POSITIVE, 3, block->size},
                                       {"corner", SADDLE__ANY, 3, block->corner},
                                       {"young", SADDLE__POSITIVE, 1, &block->young},
                                       {"density", SADDLE__POSITIVE, 1, &block->density},
                                       {"size: mass", SADDLE__POSITIVE, 1, &mass}};
    const char *wrong = NULL;
    for (int i = 0; i < 3; i++) {
        if (block->cells[i] < 1 || block->cells[i] > 1000)
            wrong = "a number of cells is not within 1 .. 1000";
    }
    if (!(block->poisson > -1 && block->poisson < 0.5))
        wrong = "Poisson's ratio is not between -1 and 1/2";
    if (wrong) return saddle__refuse_new(model, "fem block", block->name, "%s", wrong);
    return saddle__check_numbers(model, "fem block", block->name, 5, numbers);
}

static void set_positions(const saddle_fem_block *b, double *x)
{
    for (int64_t k = 0; k <= b->cells[2]; k++) {
        for (int64_t j = 0; j <= b->cells[1]; j++) {
            for (int64_t i = 0; i <= b->cells[0]; i++, x += 3) {
                const int64_t at[3] = {i, j, k};
                for (int a = 0; a < 3; a++)
                    x[a] = b->corner[a] + b->size[a] * (double)at[a] / (double)b->cells[a];
            }
        }
    }
}

/* The corners of a cell, bit a of the number: along axis a.  Hexahedra in the order of
 * saddle/element.h; tetrahedra around the diagonal 0 - 7, along three edges each (Kuhn). */
static const int hexahedron_corners[8] = {0, 1, 3, 2, 4, 5, 7, 6};
static const int tetrahedron_corners[24] = {0, 1, 3, 7, 0, 3, 2, 7, 0, 2, 6, 7,
                                            0, 6, 4, 7, 0, 4, 5, 7, 0, 5, 1, 7};

static void set_elements(const saddle_fem_block *b, int64_t *node)
{
    const int count = b->tetrahedra ? 24 : 8;
    const int *corners = b->tetrahedra ? tetrahedron_corners : hexahedron_corners;
    for (int64_t k = 0; k < b->cells[2]; k++) {
        for (int64_t j = 0; j < b->cells[1]; j++) {
            for (int64_t i = 0; i < b->cells[0]; i++) {
                for (int a = 0; a < count; a++)
                    *node++ = saddle_fem_block_node(b, i + (corners[a] & 1),
                                                    j + (corners[a] >> 1 & 1),
                                                    k + (corners[a] >> 2));
            }
        }
    }
}

/* The block as a mesh, whose arrays are *position and *node; released by the caller, on failure
 * too. */
static saddle_status make_mesh(const saddle_model *model, const saddle_fem_block *block,
                               saddle_fem_mesh *mesh, double **position, int64_t **node)
{
    SADDLE__TRY(check(model, block));
    const int64_t *c = block->cells, cells = c[0] * c[1] * c[2];
    *mesh = (saddle_fem_mesh){.name = block->name,
                              .nodes = (c[0] + 1) * (c[1] + 1) * (c[2] + 1),
                              .tetrahedra = block->tetrahedra ? 6 * cells : 0,
                              .hexahedra = block->tetrahedra ? 0 : cells,
                              .young = block->young,
                              .poisson = block->poisson,
                              .density = block->density,
                              .damping_mass = block->damping_mass,
                              .damping_stiffness = block->damping_stiffness,
                              .corotational = block->corotational};
    *position = saddle_allocate(model->context, 3 * mesh->nodes, sizeof **position);
    *node = saddle_allocate(model->context, 24 * cells, sizeof **node);
    if (!*position || !*node) return SADDLE_OUT_OF_MEMORY;
    set_positions(block, *position);
    set_elements(block, *node);
    mesh->position = *position;
    mesh->tetrahedron = mesh->hexahedron = *node;
    return SADDLE_OK;
}

saddle_status saddle_model_add_fem_block(saddle_model *model, const saddle_fem_block *block,
                                         saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && block && part,
                          "model, block or part is NULL");
    saddle_fem_mesh mesh;
    double *position = NULL;
    int64_t *node = NULL;
    saddle_status status = make_mesh(model, block, &mesh, &position, &node);
    if (status == SADDLE_OK) status = saddle_model_add_fem_mesh(model, &mesh, part, NULL);
    saddle__release_all(model->context, position, node);
    return status;
}

saddle_status saddle_fem_block_surface(saddle_context *context, const saddle_fem_block *block,
                                       int64_t **triangles, int64_t *count)
{
    if (triangles) *triangles = NULL;
    if (count) *count = 0;
    SADDLE__RETURN_UNLESS(context, block && triangles && count,
                          "block, triangles or count is NULL");
    const saddle_model nowhere = {.context = context}; /* for messages */
    saddle_fem_mesh mesh;
    double *position = NULL;
    int64_t *node = NULL;
    saddle_status status = make_mesh(&nowhere, block, &mesh, &position, &node);
    if (status == SADDLE_OK) status = saddle_fem_mesh_surface(context, &mesh, triangles, count);
    saddle__release_all(context, position, node);
    return status;
}
