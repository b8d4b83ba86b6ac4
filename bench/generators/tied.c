/* SPDX-License-Identifier: MIT */
/* Elastic blocks of trilinear hexahedra, one on another and tied, on a plane with friction.
 *
 *     static (h = 0)   M = K            v displacements [m], lambda forces [N],
 *                                       d = (slide, 0, -press)
 *     dynamic          M = m + h^2 K    v velocities [m/s], lambda impulses [N s],
 *                                       d = (slide, 0, -press) / h
 *
 *     ties             v_above - v_below = 0 at each node that two blocks share
 *     top, driven      v = d by rows at each node of the uppermost face
 *     top, held        those nodes are left out, and the plane moves instead: b = -d in the
 *                      contacts
 *     top, free        f = m d: the blocks arrive with the velocity d
 *     contacts         normal z, tangents x and y, at each node of the lowest face;
 *                      b = 0 otherwise
 *
 * Every equality row occurs `copies` times, so that the rows are redundant.  K is singular, with
 * six rigid motions for each block, until rows hold them. */
#include <math.h>

#include "builder.h"
#include "generators.h"
#include "element/integrals.h"

typedef struct tied_model {
    const saddle_tied_parameters *p;
    builder builder;
    double drive[3];     /* d */
    int64_t nodes[3];    /* of a block */
    int64_t block_nodes; /* of a block */
} tied_model;

saddle_tied_parameters saddle_tied_default(void)
{
    saddle_tied_parameters p = {.blocks = 2,
                                .cells = {6, 6, 3},
                                .edge = 1.0 / 6,
                                .density = 7800,
                                .young = 2e7,
                                .poisson = 0.3,
                                .mu = 0.3,
                                .slide = 0.002,
                                .press = 0.001,
                                .copies = 2,
                                .top = SADDLE_TIED_DRIVEN,
                                .law = SADDLE_LAW_CONE};
    return p;
}

static int64_t node_number(const tied_model *t, int64_t block, int64_t i, int64_t j, int64_t k)
{
    return t->block_nodes * block + i + t->nodes[0] * (j + t->nodes[1] * k);
}

static void element_nodes(const tied_model *t, int64_t block, int64_t element, int64_t *node)
{
    const int64_t *cells = t->p->cells;
    int64_t i = element % cells[0], j = element / cells[0] % cells[1],
            k = element / (cells[0] * cells[1]);
    for (int a = 0; a < 8; a++)
        node[a] = node_number(t, block, i + (a & 1), j + (a >> 1 & 1), k + (a >> 2 & 1));
}

/* Nodes behind the last velocity are held. */
static int is_held(const tied_model *t, int64_t node)
{
    return 3 * node >= t->builder.problem.n;
}

static void add_element(tied_model *t, const int64_t *node, const saddle__hexahedron *element)
{
    double h = t->p->time_step, stiffness = h > 0 ? h * h : 1, density = h > 0 ? t->p->density : 0;
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            if (is_held(t, node[a]) || is_held(t, node[b])) continue;
            double mass = density * element->mass[8 * a + b];
            for (int i = 0; i < 3; i++) {
                int64_t row = 3 * node[a] + i;
                if (t->p->top == SADDLE_TIED_FREE)
                    builder_force(&t->builder, row, mass * t->drive[i]);
                for (int j = 0; j < 3; j++) {
                    int64_t col = 3 * node[b] + j;
                    double value = stiffness * element->stiffness[24 * (3 * a + i) + 3 * b + j];
                    if (col <= row)
                        builder_mass(&t->builder, row, col, value + (i == j ? mass : 0));
                }
            }
        }
}

/* All elements are alike. */
static void add_elements(tied_model *t)
{
    const saddle_tied_parameters *p = t->p;
    double lame = p->young * p->poisson / ((1 + p->poisson) * (1 - 2 * p->poisson)), x[24];
    saddle__hexahedron element;
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++) x[3 * a + i] = p->edge * (double)(a >> i & 1);
    saddle__hexahedron_integrate(x, lame, p->young / (2 * (1 + p->poisson)), &element);
    for (int64_t block = 0; block < p->blocks; block++)
        for (int64_t e = 0; e < p->cells[0] * p->cells[1] * p->cells[2]; e++) {
            int64_t node[8];
            element_nodes(t, block, e, node);
            add_element(t, node, &element);
        }
}

/* v_node - v_below = wanted, three rows for each node of a face; below < 0: v_node = wanted. */
static void add_face(tied_model *t, int64_t node, int64_t below, const double *wanted)
{
    for (int64_t k = 0; k < t->nodes[0] * t->nodes[1]; k++)
        for (int i = 0; i < 3; i++) {
            int64_t row = builder_row(&t->builder, -INFINITY, INFINITY, wanted[i]);
            builder_jacobian(&t->builder, row, 3 * (node + k) + i, 1);
            if (below >= 0) builder_jacobian(&t->builder, row, 3 * (below + k) + i, -1);
        }
}

static void add_equalities(tied_model *t)
{
    static const double at_rest[3] = {0, 0, 0};
    const saddle_tied_parameters *p = t->p;
    int64_t top = t->nodes[2] - 1;
    for (int64_t copy = 0; copy < p->copies; copy++) {
        for (int64_t block = 1; block < p->blocks; block++)
            add_face(t, node_number(t, block, 0, 0, 0), node_number(t, block - 1, 0, 0, top),
                     at_rest);
        if (p->top == SADDLE_TIED_DRIVEN)
            add_face(t, node_number(t, p->blocks - 1, 0, 0, top), -1, t->drive);
    }
}

static void add_contacts(tied_model *t)
{
    static const int direction[3] = {2, 0, 1};
    for (int64_t k = 0; k < t->nodes[0] * t->nodes[1]; k++) {
        int64_t first = t->builder.problem.m;
        for (int i = 0; i < 3; i++) {
            double moved = t->p->top == SADDLE_TIED_HELD ? -t->drive[direction[i]] : 0;
            int64_t row = builder_row(&t->builder, -INFINITY, INFINITY, moved);
            builder_jacobian(&t->builder, row, 3 * k + direction[i], 1);
        }
        builder_contact(&t->builder, first, 3, t->p->mu);
    }
}

static saddle_status check_parameters(saddle_context *context, const saddle_tied_parameters *p)
{
    int fits = p->blocks >= 1 && p->blocks <= 1000 && p->copies >= 1 && p->copies <= 10 &&
               p->edge > 0 && p->density > 0 && p->young > 0 && p->poisson > -1 &&
               p->poisson < 0.5 && p->mu >= 0 && p->time_step >= 0 &&
               (p->top != SADDLE_TIED_FREE || p->time_step > 0);
    for (int i = 0; i < 3; i++) fits = fits && p->cells[i] >= 1 && p->cells[i] <= 1000;
    if (fits) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "tied blocks: a size, the material, mu or the time step is out of range");
}

saddle_status saddle_generate_tied(saddle_context *context,
                                   const saddle_tied_parameters *parameters,
                                   saddle_problem *problem)
{
    const saddle_tied_parameters *p = parameters;
    *problem = (saddle_problem){0};
    saddle_status status = check_parameters(context, p);
    if (status != SADDLE_OK) return status;
    double step = p->time_step > 0 ? p->time_step : 1;
    tied_model t = {.p = p,
                    .builder = builder_begin(context),
                    .drive = {p->slide / step, 0, -p->press / step},
                    .nodes = {p->cells[0] + 1, p->cells[1] + 1, p->cells[2] + 1}};
    t.block_nodes = t.nodes[0] * t.nodes[1] * t.nodes[2];
    int64_t held = p->top == SADDLE_TIED_HELD ? t.nodes[0] * t.nodes[1] : 0;
    builder_velocities(&t.builder, 3 * (p->blocks * t.block_nodes - held), NULL);
    add_elements(&t);
    add_equalities(&t);
    add_contacts(&t);
    t.builder.problem.law = p->law;
    return builder_finish(&t.builder, "tied blocks on a plane", p->time_step, problem);
}
