/* SPDX-License-Identifier: MIT */
/* Generated systems of growing size. */
#include "harness.h"

#include "generators.h"

static saddle_status build_hex(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = size;
    return saddle_generate_block(context, &p, problem);
}

/* A tie for every fifth element on average, no compliance. */
static saddle_status build_hex_ties(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = size;
    p.incompressible = 0;
    p.ties = size * size;
    return saddle_generate_block(context, &p, problem);
}

saddle_status bench_build_chain(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_chain_parameters p = saddle_chain_default();
    p.bodies = size;
    p.named = 0;
    return saddle_generate_chain(context, &p, problem);
}

static saddle_status build_grid(saddle_context *context, saddle_grid_joint joint, int64_t size,
                                saddle_problem *problem)
{
    saddle_grid_parameters p = saddle_grid_default();
    p.plates[0] = p.plates[1] = size;
    p.joint = joint;
    return saddle_generate_grid(context, &p, problem);
}

saddle_status bench_build_rods(saddle_context *context, int64_t size, saddle_problem *problem)
{
    return build_grid(context, SADDLE_GRID_RODS, size, problem);
}

saddle_status bench_build_balls(saddle_context *context, int64_t size, saddle_problem *problem)
{
    return build_grid(context, SADDLE_GRID_BALLS, size, problem);
}

static saddle_status build_rotors(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_rotors_parameters p = saddle_rotors_default();
    p.bodies = size;
    return saddle_generate_rotors(context, &p, problem);
}

saddle_status bench_build_stack(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_stack_parameters p = saddle_stack_default();
    p.boxes = size;
    p.pushed = size;
    return saddle_generate_stack(context, &p, problem);
}

static saddle_status build_wall(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_wall_parameters p = saddle_wall_default();
    p.columns = size;
    p.courses = size;
    return saddle_generate_wall(context, &p, problem);
}

static saddle_status build_obstacle(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_obstacle_parameters p = saddle_obstacle_default();
    p.nodes[0] = p.nodes[1] = size;
    return saddle_generate_obstacle(context, &p, problem);
}

static saddle_status build_loops(saddle_context *context, int64_t size, saddle_problem *problem)
{
    saddle_loop_parameters p = saddle_loop_default();
    p.loops = size;
    return saddle_generate_loop(context, &p, problem);
}

static const bench_family families[] = {
    {"hex", 3, {10, 20, 30}, build_hex},
    {"hex-ties", 3, {10, 20, 30}, build_hex_ties},
    {"chain", 3, {1000, 10000, 100000}, bench_build_chain},
    {"grid-rods", 3, {30, 55, 100}, bench_build_rods},
    {"grid-balls", 3, {30, 55, 100}, bench_build_balls},
    {"rotors", 3, {1000, 3000, 10000}, build_rotors},
    {"stack", 3, {5, 10, 20}, bench_build_stack},
    {"wall", 3, {5, 10, 20}, build_wall},
    {"obstacle", 3, {30, 100, 300}, build_obstacle},
};

static const bench_family rank_families[] = {
    {"hex", 1, {30}, build_hex},        {"chain", 1, {100000}, bench_build_chain},
    {"loops", 1, {20000}, build_loops}, {"grid-balls", 1, {60}, bench_build_balls},
    {"wall", 1, {60}, build_wall},
};

const bench_family *bench_rank_family_at(int index)
{
    return index >= 0 && index < (int)(sizeof rank_families / sizeof rank_families[0])
               ? rank_families + index
               : NULL;
}

const bench_family *bench_family_at(int index)
{
    return index >= 0 && index < (int)(sizeof families / sizeof families[0]) ? families + index
                                                                             : NULL;
}
