/* SPDX-License-Identifier: MIT */
/* The systems of sparse.h.
 *
 *     block   falls along x, as its generator has it; J_i = e_x of a node,
 *             lambda_i >= 0 _|_ v_x - b_i >= 0, b_i drawn about the velocity gained in a step, so
 *             that about half of the stops push
 *     heap    discs of radius 1 in hexagonal courses, masses in [1, 2], gravity; a contact with
 *             each neighbour, with the floor and with the walls: J_i = n' of the two discs,
 *             b_i = -gap / h with a drawn gap, zero for one in two
 */
#include <math.h>

#include "builder.h"
#include "complementarity/sparse.h"
#include "draw.h"
#include "generators.h"

static const double step = 0.01; /* [s] */
static const double gravity = 9.81;

/* Distinct nodes, ascending: the leading face where its size is rows, else drawn nodes. */
static void choose_nodes(int64_t side, int64_t rows, int64_t *node)
{
    uint64_t state = 1;
    int64_t nodes = side * side * side;
    int64_t taken = 0;
    for (int64_t k = 0; k < nodes && taken < rows; k++) {
        int take = rows == side * side ? k % side == 0
                                       : draw_below(&state, nodes - k) < rows - taken;
        if (take) node[taken++] = k;
    }
}

static saddle_status add_stops(saddle_context *context, const int64_t *node, int64_t rows,
                               saddle_problem *problem)
{
    uint64_t state = 2;
    int64_t *row = saddle_allocate(context, rows, sizeof *row);
    double *one = saddle_allocate(context, rows, sizeof *one);
    problem->b = saddle_allocate(context, rows, sizeof *problem->b);
    problem->lo = saddle_allocate(context, rows, sizeof *problem->lo);
    saddle_status status = row && one && problem->b && problem->lo ? SADDLE_OK
                                                                   : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < rows; i++) {
        row[i] = 3 * node[i];
        one[i] = 1.0;
        problem->b[i] = -gravity * step * (1.0 + draw_fraction(&state));
    }
    saddle_matrix_clear(&problem->Jt);
    int64_t *column = saddle_allocate(context, rows, sizeof *column);
    if (!column) status = SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < rows; i++) column[i] = i;
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, problem->n, rows, rows, row, column, one,
                                             SADDLE_SYMMETRY_NONE, &problem->Jt);
    problem->m = rows;
    saddle_release(context, row);
    saddle_release(context, column);
    saddle_release(context, one);
    return status;
}

saddle_status sparse_make_block(saddle_context *context, int64_t cells, int64_t rows,
                                saddle_problem *problem)
{
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = cells;
    p.fixed = 0;
    p.incompressible = 0;
    p.time_step = step;
    int64_t *node = saddle_allocate(context, rows, sizeof *node);
    if (!node) return SADDLE_OUT_OF_MEMORY;
    choose_nodes(cells + 1, rows, node);
    saddle_status status = saddle_generate_block(context, &p, problem);
    if (status == SADDLE_OK) status = add_stops(context, node, rows, problem);
    saddle_release(context, node);
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}

void sparse_lower_stops(int64_t left, saddle_problem *problem)
{
    int64_t every = left > 0 ? problem->m / left : problem->m + 1;
    for (int64_t i = 0; i < problem->m; i++)
        if (i % every != 0) problem->b[i] -= 10.0 * gravity * step;
}

/* ---- discs ---- */

static double draw_gap(uint64_t *state)
{
    double fraction = draw_fraction(state);
    return fraction < 0.0 ? 0.0 : 1e-3 * fraction;
}

/* n' (v_b - v_a) >= -gap / h; a < 0: the ground. */
static void touch(builder *b, uint64_t *state, int64_t from, int64_t to, double x, double y)
{
    int64_t row = builder_row(b, 0.0, (double)INFINITY, -draw_gap(state) / step);
    double n[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        if (n[k] == 0.0) continue;
        if (from >= 0) builder_jacobian(b, row, from + k, -n[k]);
        builder_jacobian(b, row, to + k, n[k]);
    }
}

/* Disc (i, j), its velocities 2 (i + columns j): a course lies in the gaps of the course below,
 * shifted left and right in turn. */
static void touch_neighbours(builder *b, uint64_t *state, int64_t columns, int64_t i, int64_t j)
{
    static const double up = 0.866025403784438647;
    int64_t disc = 2 * (i + columns * j);
    int64_t below = disc - 2 * columns;
    int right = j % 2 == 1; /* the course is half a disc to the right */
    if (j == 0) touch(b, state, -1, disc, 0.0, 1.0);
    if (i > 0) touch(b, state, disc - 2, disc, 1.0, 0.0);
    if (i == 0 && !right) touch(b, state, -1, disc, 1.0, 0.0);
    if (i == columns - 1 && (right || j == 0)) touch(b, state, -1, disc, -1.0, 0.0);
    if (j == 0) return;
    if (right || i > 0) touch(b, state, right ? below : below - 2, disc, 0.5, up);
    if (!right || i < columns - 1) touch(b, state, right ? below + 2 : below, disc, -0.5, up);
}

saddle_status sparse_make_heap(saddle_context *context, int64_t columns, int64_t courses,
                               uint64_t seed, saddle_problem *problem)
{
    uint64_t state = seed;
    builder b = builder_begin(context);
    (void)builder_velocities(&b, 2 * columns * courses, NULL);
    for (int64_t k = 0; k < columns * courses; k++) {
        double mass = 1.5 + 0.5 * draw_fraction(&state);
        for (int64_t i = 0; i < 2; i++) builder_mass(&b, 2 * k + i, 2 * k + i, mass);
        builder_force(&b, 2 * k, mass * 0.1 * draw_fraction(&state));
        builder_force(&b, 2 * k + 1, -mass * gravity * step);
    }
    for (int64_t j = 0; j < courses; j++)
        for (int64_t i = 0; i < columns; i++) touch_neighbours(&b, &state, columns, i, j);
    return builder_finish(&b, "heap of discs", step, problem);
}
