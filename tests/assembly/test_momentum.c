/* SPDX-License-Identifier: MIT */
/* What acts between free bodies adds up to no force and no moment: rows of every joint, far from
 * where they hold too. */
#include "drawn_model.h"

static const saddle_stage stage_now = {.time_step = 0.1,
                                       .gyroscopic = 0.1,
                                       .row_step = 0.1,
                                       .theta = 1};

/* A joint of a kind between two bodies as they stand, frames drawn; what its coordinates can carry,
 * they carry. */
static int add_joint(uint64_t *state, saddle_model *model, saddle_joint_kind kind,
                     const saddle_handle *body)
{
    saddle_joint_def def = saddle_joint_def_default();
    saddle_handle joint;
    def.kind = kind;
    if (kind == SADDLE_JOINT_CUSTOM) def.locked = (unsigned)test_integer(state, 1, 63);
    def.a = body[0];
    def.b = body[1];
    draw_pose(state, &def.frame_a);
    draw_pose(state, &def.frame_b);
    for (int64_t k = 0; k < saddle_joint_free_count(kind); k++) {
        def.free[k].lo = -1;
        def.free[k].motor = 1;
        def.free[k].friction = 1;
    }
    return saddle_model_add_joint(model, &def, &joint) == SADDLE_OK;
}

/* The momenta of v = M^-1 J_i', which are those of an impulse 1 in row i. */
static void check_row(saddle_model *model, saddle_assembly *assembly, int64_t row)
{
    const double none[3] = {0, 0, 0};
    saddle_problem free = *saddle_assembly_problem(assembly);
    saddle_solution solution = {0};
    double f[12] = {0};
    for (int64_t e = free.Jt.start[row]; e < free.Jt.start[row + 1]; e++)
        f[free.Jt.index[e]] = free.Jt.value[e];
    free.m = 0;
    free.Jt = free.R = (saddle_matrix){0};
    free.f = f;
    assert_int_equal(saddle_solve(NULL, &free, "ldlt", NULL, NULL, &solution, NULL), SADDLE_OK);
    saddle_assembly_set_velocity(assembly, solution.v);
    const saddle_energies all = saddle_model_energies(model);
    assert_true(test_distance(all.momentum, none, 3) <= 1e-11);
    assert_true(test_distance(all.moment, none, 3) <= 1e-10);
    saddle_solution_clear(&solution);
}

static void joints_between_free_bodies_keep_the_momenta(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t rows = 0;
    for (int draw = 0; draw < 700; draw++) {
        saddle_model *model;
        saddle_assembly *assembly;
        saddle_handle body[2];
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        for (int k = 0; k < 2; k++) {
            saddle_body_def def = saddle_body_def_default();
            def.inertia = draw_inertia(&state);
            draw_pose(&state, &def.pose);
            assert_int_equal(saddle_model_add_body(model, &def, &body[k]), SADDLE_OK);
        }
        const int added = add_joint(&state, model, (saddle_joint_kind)(draw % 7), body);
        assert_int_equal(saddle_assembly_create(model, NULL, &assembly), SADDLE_OK);
        const int defined = added &&
                            saddle_assembly_update(assembly, &stage_now, NULL, NULL) == SADDLE_OK;
        for (int64_t i = 0; defined && i < saddle_assembly_problem(assembly)->m; i++, rows++)
            check_row(model, assembly, i);
        saddle_assembly_free(assembly);
        saddle_model_free(model);
    }
    assert_true(rows > 3000); /* few poses are at a lock, where a joint has no value */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_between_free_bodies_keep_the_momenta)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
