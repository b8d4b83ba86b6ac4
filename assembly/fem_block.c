/* SPDX-License-Identifier: MIT */
/* A grid of equal hexahedra: the integrals of one element, summed over the grid. */
#include "saddle/fem_block.h"

#include "element/hexahedron.h"
#include "model_internal.h"

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

enum { ELEMENT_ENTRIES = (24 * 25) / 2 };

typedef struct grid {
    const saddle_fem_block *block;
    saddle__hexahedron element;
    int64_t nodes, entries;   /* entries on and below the diagonal, element by element */
    int64_t *row, *col;       /* entries each */
    double *mass, *stiffness; /* entries each */
    double *position;         /* 3 x nodes */
} grid;

static saddle_status allocate(saddle_context *context, grid *g)
{
    g->row = saddle_allocate(context, 2 * g->entries, sizeof *g->row);
    g->mass = saddle_allocate(context, 2 * g->entries + 3 * g->nodes, sizeof *g->mass);
    if (!g->row || !g->mass) return SADDLE_OUT_OF_MEMORY;
    g->col = g->row + g->entries;
    g->stiffness = g->mass + g->entries;
    g->position = g->stiffness + g->entries;
    return SADDLE_OK;
}

static void set_positions(grid *g)
{
    const saddle_fem_block *b = g->block;
    double *x = g->position;
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

/* The element at the grid's corner stands for all. */
static void integrate(grid *g)
{
    const saddle_fem_block *b = g->block;
    double x[24];
    for (int a = 0; a < 8; a++) {
        for (int i = 0; i < 3; i++) x[3 * a + i] = (a >> i & 1) * b->size[i] / (double)b->cells[i];
    }
    const double lame = b->young * b->poisson / ((1 + b->poisson) * (1 - 2 * b->poisson));
    saddle__hexahedron_integrate(x, lame, b->young / (2 * (1 + b->poisson)), &g->element);
}

/* The entries of one element with its corners at nodes[0 .. 7]. */
static int64_t add_element(grid *g, const int64_t *nodes, int64_t at)
{
    for (int p = 0; p < 24; p++) {
        for (int q = 0; q <= p; q++, at++) {
            g->row[at] = 3 * nodes[p / 3] + p % 3;
            g->col[at] = 3 * nodes[q / 3] + q % 3;
            g->mass[at] = p % 3 == q % 3 ? g->block->density * g->element.mass[8 * (p / 3) + q / 3]
                                         : 0;
            g->stiffness[at] = g->element.stiffness[24 * p + q];
        }
    }
    return at;
}

static void add_elements(grid *g)
{
    const saddle_fem_block *b = g->block;
    int64_t at = 0, nodes[8];
    for (int64_t k = 0; k < b->cells[2]; k++) {
        for (int64_t j = 0; j < b->cells[1]; j++) {
            for (int64_t i = 0; i < b->cells[0]; i++) {
                for (int a = 0; a < 8; a++) {
                    nodes[a] = saddle_fem_block_node(b, i + (a & 1), j + (a >> 1 & 1),
                                                     k + (a >> 2));
                }
                at = add_element(g, nodes, at);
            }
        }
    }
}

saddle_status saddle_model_add_fem_block(saddle_model *model, const saddle_fem_block *block,
                                         saddle_handle *part)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && block && part,
                          "model, block or part is NULL");
    saddle_context *context = saddle_model_context(model);
    SADDLE__TRY(check(model, block));
    const int64_t *c = block->cells;
    grid g = {.block = block,
              .nodes = (c[0] + 1) * (c[1] + 1) * (c[2] + 1),
              .entries = c[0] * c[1] * c[2] * ELEMENT_ENTRIES};
    const int64_t size = 3 * g.nodes;
    saddle_matrix M = {0}, K = {0};
    saddle_status status = allocate(context, &g);
    if (status == SADDLE_OK) {
        set_positions(&g);
        integrate(&g);
        add_elements(&g);
        status = saddle_matrix_from_triplets(context, size, size, g.entries, g.row, g.col, g.mass,
                                             SADDLE_SYMMETRIC, &M);
    }
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, size, size, g.entries, g.row, g.col,
                                             g.stiffness, SADDLE_SYMMETRIC, &K);
    if (status == SADDLE_OK) {
        const saddle_nodes_def def = {.name = block->name,
                                      .count = g.nodes,
                                      .position = g.position,
                                      .mass = &M,
                                      .stiffness = &K,
                                      .damping_mass = block->damping_mass,
                                      .damping_stiffness = block->damping_stiffness};
        status = saddle_model_add_nodes(model, &def, part);
    }
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&K);
    saddle__release_all(context, g.row, g.mass);
    return status;
}
