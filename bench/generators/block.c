/* SPDX-License-Identifier: MIT */
/* A block of trilinear hexahedra of linear elastic material, one implicit step of length h from the
 * undeformed state:
 *
 *     M = (1 + h alpha) m + (h beta + h^2) K    m mass matrix, K stiffness, Rayleigh's alpha, beta
 *     f = m v0 + h m g                          v0 a turning about the block's axis, growing with z
 *     J: one row per element, J v = rate of its volume [m^3/s];  b = 0;  R_ee = volume / (bulk h^2)
 *     J: three rows per tie, J v = sum_a N_a(xi) v_a - sum_b N_b(eta) v_b, points xi, eta in two
 *        drawn elements
 *
 * n = 3 (cx + 1)(cy + 1)(cz + 1), less the nodes of the face z = 0 where that is held;
 * m = cx cy cz + 3 ties.
 */
#include <math.h>

#include "builder.h"
#include "draw.h"
#include "generators.h"
#include "element/integrals.h"
#include "saddle/element.h"

#define GRAVITY (-9.81) /* along x [m/s^2] */
#define TWIST_RATE 0.5  /* turning velocity per height of the start [rad/(s m)] */

typedef struct block_model {
    const saddle_block_parameters *p;
    int64_t nodes[3];
    int64_t first; /* number of the first node that moves */
    double *x;     /* node coordinates, 3 each [m] */
    builder builder;
} block_model;

saddle_block_parameters saddle_block_default(void)
{
    saddle_block_parameters p = {.cells = {4, 4, 4},
                                 .edge = 0.1,
                                 .distortion = 0,
                                 .seed = 1,
                                 .density = 1000,
                                 .young = 1e5,
                                 .poisson = 0.3,
                                 .damping_mass = 0.5,
                                 .damping_stiffness = 0.002,
                                 .time_step = 0.01,
                                 .consistent_mass = 1,
                                 .fixed = 1,
                                 .incompressible = 1,
                                 .bulk_modulus = 1e9,
                                 .ties = 0};
    return p;
}

static saddle_status check_parameters(saddle_context *context, const saddle_block_parameters *p)
{
    for (int i = 0; i < 3; i++)
        if (p->cells[i] < 1 || p->cells[i] > 1000)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "block: cells[%d] is not within 1 .. 1000", i);
    if (!(p->edge > 0) || !(p->density > 0) || !(p->young > 0) || !(p->time_step > 0) ||
        !(p->poisson > -1) || !(p->poisson < 0.5) || !(p->distortion >= 0) ||
        !(p->distortion < 0.25) || p->bulk_modulus < 0 || p->damping_mass < 0 ||
        p->damping_stiffness < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "block: a material or step parameter is out of range");
    if (p->ties < 0 || (p->ties > 0 && p->cells[0] * p->cells[1] * p->cells[2] < 2))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "block: ties need two elements");
    return SADDLE_OK;
}

static int64_t node_number(const block_model *block, int64_t i, int64_t j, int64_t k)
{
    return i + block->nodes[0] * (j + block->nodes[1] * k);
}

/* First velocity of a node; -1 where it is held. */
static int64_t velocity_of(const block_model *block, int64_t node)
{
    return node < block->first ? -1 : 3 * (node - block->first);
}

static void place_nodes(block_model *block)
{
    uint64_t state = block->p->seed;
    const int64_t *count = block->nodes;
    for (int64_t k = 0; k < count[2]; k++)
        for (int64_t j = 0; j < count[1]; j++)
            for (int64_t i = 0; i < count[0]; i++) {
                const int64_t at[3] = {i, j, k};
                int inside = 1;
                for (int d = 0; d < 3; d++) inside = inside && at[d] > 0 && at[d] < count[d] - 1;
                double *x = block->x + 3 * node_number(block, i, j, k);
                for (int d = 0; d < 3; d++) {
                    double shift = inside ? block->p->distortion * draw_fraction(&state) : 0;
                    x[d] = block->p->edge * ((double)at[d] + shift);
                }
            }
}

/* v0 = TWIST_RATE z (0, 0, 1) x (position from the block's axis). */
static void start_velocity(const block_model *block, int64_t node, double *v)
{
    const double *x = block->x + 3 * node;
    double middle[2];
    for (int d = 0; d < 2; d++) middle[d] = block->p->edge * (double)block->p->cells[d] / 2;
    v[0] = -TWIST_RATE * x[2] * (x[1] - middle[1]);
    v[1] = TWIST_RATE * x[2] * (x[0] - middle[0]);
    v[2] = 0;
}

static void element_nodes(const block_model *block, int64_t element, int64_t *node)
{
    const int64_t *cells = block->p->cells;
    int64_t i = element % cells[0], j = element / cells[0] % cells[1],
            k = element / (cells[0] * cells[1]);
    for (int a = 0; a < 8; a++)
        node[a] = node_number(block, i + (a & 1), j + (a >> 1 & 1), k + (a >> 2 & 1));
}

/* mass [kg] of the node pair: consistent, or each row's sum on its diagonal. */
static double pair_mass(const saddle_block_parameters *p, const saddle__hexahedron *element, int a,
                        int b)
{
    double sum = 0;
    if (p->consistent_mass) return p->density * element->mass[8 * a + b];
    for (int c = 0; c < 8; c++) sum += element->mass[8 * a + c];
    return a == b ? p->density * sum : 0;
}

static void add_element_matrix(block_model *block, const int64_t *node,
                               const saddle__hexahedron *element)
{
    const saddle_block_parameters *p = block->p;
    double h = p->time_step;
    double mass_factor = 1 + h * p->damping_mass,
           stiffness_factor = h * p->damping_stiffness + h * h;
    for (int row = 0; row < 24; row++)
        for (int col = 0; col <= row; col++) {
            int64_t i = velocity_of(block, node[row / 3]), j = velocity_of(block, node[col / 3]);
            if (i < 0 || j < 0) continue;
            double value = stiffness_factor * element->stiffness[24 * row + col];
            if (row % 3 == col % 3) value += mass_factor * pair_mass(p, element, row / 3, col / 3);
            builder_mass(&block->builder, i + row % 3, j + col % 3, value);
        }
}

static void add_element_force(block_model *block, const int64_t *node,
                              const saddle__hexahedron *element)
{
    for (int a = 0; a < 8; a++) {
        int64_t first = velocity_of(block, node[a]);
        for (int b = 0; first >= 0 && b < 8; b++) {
            double mass = pair_mass(block->p, element, a, b), v[3];
            start_velocity(block, node[b], v);
            builder_force(&block->builder, first, mass * (v[0] + block->p->time_step * GRAVITY));
            builder_force(&block->builder, first + 1, mass * v[1]);
            builder_force(&block->builder, first + 2, mass * v[2]);
        }
    }
}

static void add_volume_row(block_model *block, const int64_t *node,
                           const saddle__hexahedron *element)
{
    const saddle_block_parameters *p = block->p;
    int64_t row = builder_equality(&block->builder);
    for (int a = 0; a < 8; a++) {
        int64_t first = velocity_of(block, node[a]);
        for (int i = 0; first >= 0 && i < 3; i++)
            builder_jacobian(&block->builder, row, first + i, element->volume_rate[3 * a + i]);
    }
    if (p->bulk_modulus > 0)
        builder_compliance(&block->builder, row, row,
                           element->volume / (p->bulk_modulus * p->time_step * p->time_step));
}

static saddle_status add_elements(block_model *block)
{
    const saddle_block_parameters *p = block->p;
    double lame = p->young * p->poisson / ((1 + p->poisson) * (1 - 2 * p->poisson));
    double shear = p->young / (2 * (1 + p->poisson));
    int64_t count = p->cells[0] * p->cells[1] * p->cells[2];
    saddle__hexahedron element;
    for (int64_t e = 0; e < count; e++) {
        int64_t node[8];
        double x[24];
        element_nodes(block, e, node);
        for (int a = 0; a < 8; a++)
            for (int i = 0; i < 3; i++) x[3 * a + i] = block->x[3 * node[a] + i];
        saddle__hexahedron_integrate(x, lame, shear, &element);
        if (!(element.volume > 0))
            return saddle_fail(block->builder.context, SADDLE_INVALID_ARGUMENT,
                               "block: element %lld is turned inside out", (long long)(e + 1));
        add_element_matrix(block, node, &element);
        add_element_force(block, node, &element);
        if (p->incompressible) add_volume_row(block, node, &element);
    }
    return SADDLE_OK;
}

/* sign * velocity of a point of an element, into three rows. */
static void add_point(block_model *block, int64_t row, double sign, int64_t element,
                      const double *local)
{
    static const int place[8] = {0, 1, 3, 2, 4, 5, 7, 6}; /* of nodes in saddle_element_shape */
    int64_t node[8];
    double N[8];
    element_nodes(block, element, node);
    saddle_element_shape(SADDLE_ELEMENT_HEXAHEDRON, local, N, NULL);
    for (int a = 0; a < 8; a++) {
        int64_t first = velocity_of(block, node[place[a]]);
        for (int i = 0; first >= 0 && i < 3; i++)
            builder_jacobian(&block->builder, row + i, first + i, sign * N[a]);
    }
}

static void add_ties(block_model *block)
{
    const saddle_block_parameters *p = block->p;
    int64_t count = p->cells[0] * p->cells[1] * p->cells[2];
    uint64_t state = p->seed + 1;
    for (int64_t tie = 0; tie < p->ties; tie++) {
        int64_t row = builder_equality(&block->builder);
        builder_equality(&block->builder);
        builder_equality(&block->builder);
        int64_t A = draw_below(&state, count), B = (A + 1 + draw_below(&state, count - 1)) % count;
        double a[3], b[3];
        for (int i = 0; i < 3; i++) a[i] = draw_fraction(&state);
        for (int i = 0; i < 3; i++) b[i] = draw_fraction(&state);
        add_point(block, row, 1, A, a);
        add_point(block, row, -1, B, b);
    }
}

saddle_status saddle_generate_block(saddle_context *context,
                                    const saddle_block_parameters *parameters,
                                    saddle_problem *problem)
{
    *problem = (saddle_problem){0};
    saddle_status status = check_parameters(context, parameters);
    if (status != SADDLE_OK) return status;
    block_model block = {.p = parameters, .builder = builder_begin(context)};
    int64_t count = 1;
    for (int i = 0; i < 3; i++) {
        block.nodes[i] = parameters->cells[i] + 1;
        count *= block.nodes[i];
    }
    block.first = parameters->fixed ? block.nodes[0] * block.nodes[1] : 0;
    block.x = saddle_allocate(context, 3 * count, sizeof *block.x);
    if (block.x == NULL) return SADDLE_OUT_OF_MEMORY;
    place_nodes(&block);
    builder_velocities(&block.builder, 3 * (count - block.first), NULL);
    status = add_elements(&block);
    if (status == SADDLE_OK) {
        add_ties(&block);
        status = builder_finish(&block.builder,
                                parameters->ties > 0 ? "hexahedral block with ties"
                                                     : "hexahedral block",
                                parameters->time_step, problem);
    } else {
        builder_clear(&block.builder);
    }
    saddle_release(context, block.x);
    return status;
}
