/* SPDX-License-Identifier: MIT */
/* Shape functions by what defines them, gradients by differences, natural coordinates by mapping
 * back. */
#include <math.h>
#include <string.h>

#include "support.h"

static const saddle_element_kind kinds[] = {SADDLE_ELEMENT_TETRAHEDRON, SADDLE_ELEMENT_HEXAHEDRON,
                                            SADDLE_ELEMENT_WEDGE, SADDLE_ELEMENT_PYRAMID};
enum { KINDS = 4, TRIALS = 300, NODES = SADDLE_ELEMENT_NODES_MAX };

/* Natural coordinates of the nodes, as the header's table has them. */
static const double corner[KINDS][NODES][3] = {
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{-1, -1, -1},
     {1, -1, -1},
     {1, 1, -1},
     {-1, 1, -1},
     {-1, -1, 1},
     {1, -1, 1},
     {1, 1, 1},
     {-1, 1, 1}},
    {{0, 0, -1}, {1, 0, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
    {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, 0, 1}},
};

/* A point inside: the nodes' mean by drawn weights. */
static void draw_inside(uint64_t *state, int k, double *natural)
{
    double sum = 0;
    memset(natural, 0, 3 * sizeof *natural);
    for (int64_t n = 0; n < saddle_element_nodes(kinds[k]); n++) {
        double w = test_uniform(state, 0, 1);
        for (int i = 0; i < 3; i++) natural[i] += w * corner[k][n][i];
        sum += w;
    }
    for (int i = 0; i < 3; i++) natural[i] /= sum;
}

/* Nodes of an element that was sheared, stretched, moved, and then bent by `bend`. */
static void draw_nodes(uint64_t *state, int k, double bend, double *node)
{
    double A[9], p[3];
    for (int i = 0; i < 9; i++) A[i] = (i % 4 == 0 ? 2 : 0) + test_uniform(state, -0.5, 0.5);
    for (int i = 0; i < 3; i++) p[i] = test_uniform(state, -10, 10);
    for (int64_t n = 0; n < saddle_element_nodes(kinds[k]); n++)
        for (int i = 0; i < 3; i++) {
            node[3 * n + i] = p[i] + test_uniform(state, -bend, bend);
            for (int j = 0; j < 3; j++) node[3 * n + i] += A[i + 3 * j] * corner[k][n][j];
        }
}

static void map(int k, const double *node, const double *natural, double *x)
{
    double weight[NODES];
    saddle_element_shape(kinds[k], natural, weight, NULL);
    memset(x, 0, 3 * sizeof *x);
    for (int64_t n = 0; n < saddle_element_nodes(kinds[k]); n++)
        for (int i = 0; i < 3; i++) x[i] += weight[n] * node[3 * n + i];
}

static void weights_are_one_at_their_node_and_sum_to_one(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    double weight[NODES], natural[3];
    for (int k = 0; k < KINDS; k++) {
        int64_t nodes = saddle_element_nodes(kinds[k]);
        for (int64_t at = 0; at < nodes; at++) {
            saddle_element_shape(kinds[k], corner[k][at], weight, NULL);
            for (int64_t n = 0; n < nodes; n++) assert_true(fabs(weight[n] - (n == at)) < 1e-15);
        }
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            double sum = 0, x[3] = {0};
            draw_inside(&seed, k, natural);
            saddle_element_shape(kinds[k], natural, weight, NULL);
            for (int64_t n = 0; n < nodes; n++) {
                assert_true(weight[n] > 0);
                sum += weight[n];
                for (int i = 0; i < 3; i++) x[i] += weight[n] * corner[k][n][i];
            }
            assert_true(fabs(sum - 1) < 1e-14);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(x[i] - natural[i]) < 1e-14); /* linear fields are met */
        }
    }
}

static void gradients_are_differences_of_the_weights(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    const double h = 1e-6;
    for (int k = 0; k < KINDS; k++)
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            double natural[3], weight[NODES], gradient[3 * NODES], ahead[NODES], behind[NODES];
            draw_inside(&seed, k, natural);
            saddle_element_shape(kinds[k], natural, weight, gradient);
            for (int i = 0; i < 3; i++) {
                double moved[3] = {natural[0], natural[1], natural[2]};
                moved[i] += h;
                saddle_element_shape(kinds[k], moved, ahead, NULL);
                moved[i] -= 2 * h;
                saddle_element_shape(kinds[k], moved, behind, NULL);
                for (int64_t n = 0; n < saddle_element_nodes(kinds[k]); n++)
                    assert_true(fabs((ahead[n] - behind[n]) / (2 * h) - gradient[3 * n + i]) <
                                1e-8);
            }
        }
}

static void natural_coordinates_are_found_again(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int k = 0; k < KINDS; k++)
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            double node[3 * NODES], natural[3], x[3], found[3];
            draw_nodes(&seed, k, trial % 2 ? 0.2 : 0, node);
            draw_inside(&seed, k, natural);
            if (trial < saddle_element_nodes(kinds[k]))
                memcpy(natural, corner[k][trial], sizeof natural);
            map(k, node, natural, x);
            assert_int_equal(saddle_element_natural(NULL, kinds[k], node, x, found), SADDLE_OK);
            for (int i = 0; i < 3; i++) assert_true(fabs(found[i] - natural[i]) < 1e-11);
        }
}

static void points_outside_are_reached_where_the_map_goes_on(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    for (int k = 0; k < KINDS; k++)
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            double node[3 * NODES], natural[3], x[3], again[3];
            draw_nodes(&seed, k, 0, node);
            for (int i = 0; i < 3; i++) x[i] = node[i] + test_uniform(&seed, -5, 5);
            assert_int_equal(saddle_element_natural(NULL, kinds[k], node, x, natural), SADDLE_OK);
            map(k, node, natural, again);
            double weight[NODES], moduli = 0; /* by which rounding grows: beside its apex a
                                                 pyramid's are large */
            saddle_element_shape(kinds[k], natural, weight, NULL);
            for (int64_t n = 0; n < saddle_element_nodes(kinds[k]); n++) moduli += fabs(weight[n]);
            for (int i = 0; i < 3; i++) assert_true(fabs(again[i] - x[i]) < 1e-12 * moduli);
        }
}

/* sum x_i dN_i/dx' = I and sum dN_i/dx = 0, in bent elements too. */
static void spatial_gradients_reproduce_linear_fields(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int k = 0; k < KINDS; k++)
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            double node[3 * NODES], natural[3], gradient[3 * NODES], product[9] = {0}, sum[3] = {0};
            draw_nodes(&seed, k, 0.2, node);
            draw_inside(&seed, k, natural);
            assert_int_equal(saddle_element_gradient(NULL, kinds[k], node, natural, gradient),
                             SADDLE_OK);
            for (int64_t n = 0; n < saddle_element_nodes(kinds[k]); n++)
                for (int i = 0; i < 3; i++) {
                    sum[i] += gradient[3 * n + i];
                    for (int j = 0; j < 3; j++)
                        product[i + 3 * j] += node[3 * n + i] * gradient[3 * n + j];
                }
            for (int i = 0; i < 9; i++) assert_true(fabs(product[i] - (i % 4 == 0)) < 1e-12);
            for (int i = 0; i < 3; i++) assert_true(fabs(sum[i]) < 1e-13);
        }
}

static void flat_elements_and_bad_numbers_are_refused(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    double x[3] = {0.1, 0.2, 0.3}, natural[3], gradient[3 * NODES];
    for (int k = 0; k < KINDS; k++) {
        double node[3 * NODES];
        draw_nodes(&seed, k, 0, node);
        double kept = node[4];
        node[4] = NAN;
        assert_int_equal(saddle_element_natural(NULL, kinds[k], node, x, natural),
                         SADDLE_INVALID_ARGUMENT);
        node[4] = kept;
        double infinite[3] = {0, INFINITY, 0};
        assert_int_equal(saddle_element_natural(NULL, kinds[k], node, infinite, natural),
                         SADDLE_INVALID_ARGUMENT);
        for (int64_t n = 0; n < saddle_element_nodes(kinds[k]); n++) node[3 * n + 2] = 0;
        assert_int_equal(saddle_element_natural(NULL, kinds[k], node, x, natural), SADDLE_SINGULAR);
        assert_int_equal(saddle_element_gradient(NULL, kinds[k], node, corner[k][0], gradient),
                         SADDLE_SINGULAR);
    }
    double node[3 * NODES] = {0};
    assert_int_equal(saddle_element_natural(NULL, (saddle_element_kind)9, node, x, natural),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_element_nodes((saddle_element_kind)9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_one_at_their_node_and_sum_to_one),
        cmocka_unit_test(gradients_are_differences_of_the_weights),
        cmocka_unit_test(natural_coordinates_are_found_again),
        cmocka_unit_test(points_outside_are_reached_where_the_map_goes_on),
        cmocka_unit_test(spatial_gradients_reproduce_linear_fields),
        cmocka_unit_test(flat_elements_and_bad_numbers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
