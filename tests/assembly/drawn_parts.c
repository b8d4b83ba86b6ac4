/* SPDX-License-Identifier: MIT */
/* Drawn parts. */
#include "drawn_parts.h"

#include <string.h>

saddle_pose test_draw_pose(uint64_t *state, double size)
{
    double twist[6];
    for (int i = 0; i < 6; i++) twist[i] = test_uniform(state, -size, size);
    return saddle_pose_exp(twist);
}

saddle_handle test_draw_body(saddle_model *model, uint64_t *state, double size)
{
    const double sides[3] = {1, 2, 3};
    saddle_body_def def = saddle_body_def_default();
    saddle_handle handle;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, sides, 2, &def.inertia),
                     SADDLE_OK);
    def.pose = test_draw_pose(state, size);
    for (int i = 0; i < 6; i++) def.twist[i] = test_uniform(state, -1, 1);
    assert_int_equal(saddle_model_add_body(model, &def, &handle), SADDLE_OK);
    return handle;
}

saddle_handle test_draw_particle(saddle_model *model, uint64_t *state, double size)
{
    saddle_particle_def def = {.mass = 1};
    saddle_handle handle;
    for (int i = 0; i < 3; i++) def.position[i] = test_uniform(state, -size, size);
    for (int i = 0; i < 3; i++) def.velocity[i] = test_uniform(state, -1, 1);
    assert_int_equal(saddle_model_add_particle(model, &def, &handle), SADDLE_OK);
    return handle;
}

saddle_handle test_draw_nodes(saddle_model *model, uint64_t *state, double size)
{
    enum { SIZE = 9 };
    int64_t start[SIZE + 1], row[SIZE];
    double one[SIZE], position[SIZE], velocity[SIZE];
    for (int i = 0; i < SIZE; i++) {
        start[i] = row[i] = i;
        one[i] = 1;
        position[i] = test_uniform(state, -size, size);
        velocity[i] = test_uniform(state, -1, 1);
    }
    start[SIZE] = SIZE;
    const saddle_matrix mass = {.rows = SIZE,
                                .cols = SIZE,
                                .start = start,
                                .index = row,
                                .value = one,
                                .symmetry = SADDLE_SYMMETRY_LOWER};
    const saddle_nodes_def def = {.count = 3,
                                  .position = position,
                                  .velocity = velocity,
                                  .mass = &mass};
    saddle_handle handle;
    assert_int_equal(saddle_model_add_nodes(model, &def, &handle), SADDLE_OK);
    return handle;
}
