/* SPDX-License-Identifier: MIT */
/* A membrane in a frame over an obstacle, by the five-point Laplacian: a pure linear
 * complementarity problem, n = 0,
 *
 *     0 <= lambda _|_ w = R lambda - b >= 0    R = 4 on the diagonal, -1 towards the neighbours in
 *                                              the grid
 *
 * lambda is the gap, w the pressure.  R is symmetric positive definite and an M-matrix, so the
 * answer is unique.  b is made from a wanted answer: with p(i, j) = i (nx + 1 - i) j (ny + 1 - j)
 * and a level between two of its values,
 *
 *     lambda = max(p - level, 0) / 64,   w = max(level - p, 0) / 64,   b = R lambda - w
 *
 * Everything is a multiple of 1/128 far below 2^53, so the stored b has exactly this answer, to the
 * last bit.
 */
#include <math.h>

#include "builder.h"
#include "generators.h"

saddle_obstacle_parameters saddle_obstacle_default(void)
{
    saddle_obstacle_parameters p = {.nodes = {20, 20}};
    return p;
}

/* (p(i, j) - level) / 64, i and j from 1; the level is 2/5 of the largest p, rounded to a
 * half-integer. */
static double elevation(const saddle_obstacle_parameters *p, int64_t i, int64_t j)
{
    int64_t x = p->nodes[0] + 1, y = p->nodes[1] + 1;
    int64_t largest = (x / 2) * (x - x / 2) * (y / 2) * (y - y / 2);
    int64_t value = i * (x - i) * j * (y - j);
    return ((double)(value - 2 * largest / 5) - 0.5) / 64;
}

static double gap(const saddle_obstacle_parameters *p, int64_t i, int64_t j)
{
    if (i < 1 || j < 1 || i > p->nodes[0] || j > p->nodes[1]) return 0;
    return fmax(elevation(p, i, j), 0);
}

void saddle_obstacle_solution(const saddle_obstacle_parameters *parameters, double *lambda)
{
    for (int64_t j = 1; j <= parameters->nodes[1]; j++)
        for (int64_t i = 1; i <= parameters->nodes[0]; i++)
            lambda[i - 1 + parameters->nodes[0] * (j - 1)] = gap(parameters, i, j);
}

saddle_status saddle_generate_obstacle(saddle_context *context,
                                       const saddle_obstacle_parameters *parameters,
                                       saddle_problem *problem)
{
    const saddle_obstacle_parameters *p = parameters;
    *problem = (saddle_problem){0};
    for (int d = 0; d < 2; d++)
        if (p->nodes[d] < 1 || p->nodes[d] > 4000)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "obstacle: nodes[%d] is not within 1 .. 4000", d);
    builder b = builder_begin(context);
    for (int64_t j = 1; j <= p->nodes[1]; j++)
        for (int64_t i = 1; i <= p->nodes[0]; i++) {
            double neighbours = gap(p, i - 1, j) + gap(p, i + 1, j) + gap(p, i, j - 1) +
                                gap(p, i, j + 1);
            double pressure = fmax(-elevation(p, i, j), 0);
            int64_t row = builder_row(&b, 0, INFINITY, 4 * gap(p, i, j) - neighbours - pressure);
            builder_compliance(&b, row, row, 4);
            if (i > 1) builder_compliance(&b, row, row - 1, -1);
            if (j > 1) builder_compliance(&b, row, row - p->nodes[0], -1);
        }
    return builder_finish(&b, "membrane over an obstacle", 0, problem);
}
