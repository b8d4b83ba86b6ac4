/* SPDX-License-Identifier: MIT */
/* The chain of the reduced benchmark: accelerations by the recursion, by the kept rows, by Simbody
 * and by MuJoCo, where they are. */
#include <math.h>

#include "reduced/kept_chain.h"
#include "reduced/tree_solve.h"
#include "support.h"
#ifdef SADDLE_TEST_SIMBODY
#include "multibody/simbody.h"
#endif
#ifdef SADDLE_TEST_MUJOCO
#include "reduced/mujoco_tree.h"
#endif

enum { LINKS = 60 };

/* placed at (q, dq) drawn */
static saddle_tree *draw_tree(uint64_t *state, double *q, double *dq)
{
    const double g[3] = {0, -9.81, 0};
    saddle_tree_body body[LINKS];
    saddle_tree *tree;
    for (int k = 0; k < LINKS; k++) {
        body[k] = (saddle_tree_body){k - 1,
                                     saddle_motion_revolute(),
                                     {1,
                                      {0, -0.5, 0},
                                      {1.0 / 12, 0, 0, 0, 1e-2, 0, 0, 0, 1.0 / 12}}};
        body[k].joint.before.p[1] = k > 0 ? -1 : 0;
        q[k] = test_uniform(state, -0.5, 0.5);
        dq[k] = test_uniform(state, -0.5, 0.5);
    }
    assert_int_equal(saddle_tree_create(NULL, LINKS, body, &tree), SADDLE_OK);
    assert_int_equal(saddle_tree_set_gravity(tree, g), SADDLE_OK);
    assert_int_equal(saddle_tree_place(tree, q, dq), SADDLE_OK);
    return tree;
}

static void draw_chain(uint64_t *state, double *q, double *dq, double *ddq)
{
    saddle_tree *tree = draw_tree(state, q, dq);
    assert_int_equal(saddle_tree_forward(tree, NULL, NULL, ddq), SADDLE_OK);
    saddle_tree_free(tree);
}

static void expect_near(const double *found, const double *expected, double tolerance)
{
    double largest = 0;
    for (int k = 0; k < LINKS; k++) largest = fmax(largest, fabs(expected[k]));
    for (int k = 0; k < LINKS; k++) assert_true(fabs(found[k] - expected[k]) < tolerance * largest);
}

static void all_programs_accelerate_the_chain_alike(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 10; trial++) {
        double q[LINKS], dq[LINKS], ddq[LINKS], other[LINKS], seconds;
        draw_chain(&state, q, dq, ddq);
        assert_int_equal(kept_chain_seconds(NULL, LINKS, q, dq, &(kept_rows){0}, &seconds, other),
                         SADDLE_OK);
        expect_near(other, ddq, 1e-9);
#ifdef SADDLE_TEST_SIMBODY
        assert_true(simbody_chain_seconds(LINKS, q, dq, 1, 1, other) > 0);
        expect_near(other, ddq, 1e-9);
#endif
#ifdef SADDLE_TEST_MUJOCO
        assert_true(mujoco_tree_seconds(LINKS, 1, q, dq, 0, 1, 1, other) > 0);
        expect_near(other, ddq, 1e-9);
#endif
    }
#ifndef SADDLE_TEST_SIMBODY
    print_message("Simbody (libsimbody-dev) is not installed: not compared\n");
#endif
#ifndef SADDLE_TEST_MUJOCO
    print_message("MuJoCo (libmujoco-dev) is not installed: not compared\n");
#endif
}

static void closed_chains_are_alike_by_all_ways(void **unused)
{
    (void)unused;
    uint64_t state = test_seed() + 1;
    for (int trial = 0; trial < 5; trial++) {
        double q[LINKS], dq[LINKS], ddq[LINKS], other[LINKS], free[LINKS], seconds, apart = 0;
        tree_solve_rows rows;
        saddle_tree *tree = draw_tree(&state, q, dq);
        assert_int_equal(saddle_tree_place(tree, q, NULL), SADDLE_OK);
        assert_int_equal(saddle_tree_forward(tree, NULL, NULL, free), SADDLE_OK);
        tree_solve_draw(LINKS, 0, &rows);
        assert_int_equal(tree_solve_seconds(NULL, tree, &rows, "schur", 1, &seconds, ddq),
                         SADDLE_OK);
        assert_int_equal(tree_solve_seconds(NULL, tree, &rows, "ldlt", 0, &seconds, other),
                         SADDLE_OK);
        expect_near(other, ddq, 1e-8);
        assert_int_equal(tree_solve_kept_seconds(NULL, tree, q, &rows, &seconds, other), SADDLE_OK);
        expect_near(other, ddq, 1e-9);
        for (int k = 0; k < LINKS; k++) apart = fmax(apart, fabs(free[k] - ddq[k]));
        assert_true(apart > 1); /* the rows do something */
        tree_solve_draw(LINKS, 1, &rows);
        assert_int_equal(tree_solve_seconds(NULL, tree, &rows, "schur", 1, &seconds, other),
                         SADDLE_OK);
        saddle_tree_free(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_programs_accelerate_the_chain_alike),
                                       cmocka_unit_test(closed_chains_are_alike_by_all_ways)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
