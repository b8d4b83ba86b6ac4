/* SPDX-License-Identifier: MIT */
/* The engine on generated systems: agreement with CHOLMOD's factorization, exact inertia, pivots
 * that stay large. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "factor/factorization.h"
#include "generators.h"
#include "matrix/twofold.h"
#include "problem/kkt.h"
#include "regularization.h"
#include "support.h"

typedef struct assembled {
    saddle_problem problem;
    saddle__kkt kkt;
    saddle__regularization g;
} assembled;

static void assemble(assembled *a)
{
    assert_int_equal(saddle__kkt_create(NULL, &a->problem, 0, &a->kkt), SADDLE_OK);
    assert_int_equal(saddle__regularization_create(NULL, &a->problem, &a->g), SADDLE_OK);
    saddle__regularization_measure(&a->g, &a->problem, 1e-10, 0);
    saddle__kkt_refresh(&a->kkt, &a->problem, a->g.added);
}

static void assembled_clear(assembled *a)
{
    saddle__kkt_clear(&a->kkt);
    saddle__regularization_clear(&a->g);
    saddle_problem_clear(&a->problem);
}

/* x = K^-1 b, refined against K as factored with residuals in twice the precision; what the
 * factorization says */
static saddle__factor_counts solve(const assembled *a, const char *name, saddle_ordering ordering,
                                   double *x)
{
    int64_t size = a->kkt.K.rows;
    saddle__factorization *F;
    saddle__pivot_rule rule = {.sign = a->g.sign,
                               .scale = a->g.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    assert_int_equal(saddle__factorization_create(NULL, name, ordering, &F), SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse_late(F, &a->kkt.K, a->g.weak, NULL), SADDLE_OK);
    assert_int_equal(saddle__factorization_factor_by(F, &a->kkt.K, &rule), SADDLE_OK);
    double *r = calloc((size_t)size, sizeof(*r));
    saddle__twofold *residual = calloc((size_t)size, sizeof(*residual));
    memset(x, 0, (size_t)size * sizeof(*x));
    for (int step = 0; step < 4; step++) {
        for (int64_t i = 0; i < size; i++) r[i] = (1.0 + (double)(i % 7)) * sqrt(a->g.scale[i]);
        saddle__twofold_set(size, r, residual);
        saddle__twofold_add(&a->kkt.K, -1.0, x, residual);
        for (int64_t i = 0; i < size; i++) r[i] = saddle__twofold_value(residual[i]);
        assert_int_equal(saddle__factorization_solve(F, r), SADDLE_OK);
        for (int64_t i = 0; i < size; i++) x[i] += r[i];
    }
    free(r);
    free(residual);
    saddle__factor_counts counts = saddle__factorization_counts(F);
    saddle__factorization_free(F);
    return counts;
}

/* in natural units */
static void check_velocities(const assembled *a, const double *x, const double *y)
{
    double worst = 0.0;
    double largest = 0.0;
    for (int64_t i = 0; i < a->problem.n; i++) {
        double unit = sqrt(a->g.scale[i]);
        worst = fmax(worst, fabs(x[i] - y[i]) * unit);
        largest = fmax(largest, fabs(y[i]) * unit);
    }
    if (!(worst <= 1e-9 * largest)) fail_msg("velocities differ by %.2e", worst / largest);
}

static void check_system(assembled *a, double least_pivot)
{
    assemble(a);
    int64_t n = a->problem.n;
    int64_t m = a->problem.m;
    double *x = calloc((size_t)(n + m), sizeof(*x));
    double *y = calloc((size_t)(n + m), sizeof(*y));
    (void)solve(a, "cholmod", SADDLE_ORDERING_BEST, y);
    const saddle_ordering orderings[] = {SADDLE_ORDERING_BEST, SADDLE_ORDERING_AMD,
                                         SADDLE_ORDERING_METIS};
    for (int k = 0; k < 3; k++) {
        saddle__factor_counts counts = solve(a, "ldlt", orderings[k], x);
        assert_true(counts.inertia.known);
        assert_int_equal(counts.inertia.positive, n);
        assert_int_equal(counts.inertia.negative, m);
        assert_int_equal(counts.perturbed_pivots, 0);
        if (!(counts.least_pivot > least_pivot)) fail_msg("least pivot %.2e", counts.least_pivot);
        check_velocities(a, x, y);
    }
    free(x);
    free(y);
    assembled_clear(a);
}

static void hexahedral_blocks_agree_with_cholmod(void **unused)
{
    (void)unused;
    for (int64_t cells = 2; cells <= (test_is_slow() ? 5 : 7); cells++) {
        for (int kind = 0; kind < 4; kind++) {
            assembled a = {0};
            saddle_block_parameters p = saddle_block_default();
            p.cells[0] = p.cells[1] = p.cells[2] = cells;
            p.incompressible = kind != 2;
            if (kind == 1) p.bulk_modulus = 0.0; /* R = 0 */
            if (kind >= 2) p.ties = cells * cells;
            assert_int_equal(saddle_generate_block(NULL, &p, &a.problem), SADDLE_OK);
            check_system(&a, kind == 1 ? 1e-3 : 1e-12); /* kind 1: one row per element, and its
                                                           checkerboard */
        }
    }
}

static void chains_and_grids_agree_with_cholmod(void **unused)
{
    (void)unused;
    for (int64_t bodies = 1; bodies <= 300; bodies += 23) {
        assembled a = {0};
        saddle_chain_parameters p = saddle_chain_default();
        p.bodies = bodies;
        assert_int_equal(saddle_generate_chain(NULL, &p, &a.problem), SADDLE_OK);
        check_system(&a, 1e-3);
    }
    for (int64_t side = 2; side <= 14; side += 3) {
        for (int joint = 0; joint < 2; joint++) {
            assembled a = {0};
            saddle_grid_parameters p = saddle_grid_default();
            p.plates[0] = p.plates[1] = side;
            p.joint = joint ? SADDLE_GRID_BALLS : SADDLE_GRID_RODS;
            assert_int_equal(saddle_generate_grid(NULL, &p, &a.problem), SADDLE_OK);
            check_system(&a, 1e-12);
        }
    }
}

static void stacks_agree_with_cholmod(void **unused)
{
    (void)unused;
    assembled a = {0};
    saddle_stack_parameters p = saddle_stack_default();
    p.boxes = 12;
    p.pushed = 12;
    assert_int_equal(saddle_generate_stack(NULL, &p, &a.problem), SADDLE_OK);
    assemble(&a); /* 12 rows on a box of 6 velocities: redundant, so that only the velocities are
                     compared */
    int64_t size = a.problem.n + a.problem.m;
    double *x = calloc((size_t)size, sizeof(*x));
    double *y = calloc((size_t)size, sizeof(*y));
    (void)solve(&a, "cholmod", SADDLE_ORDERING_BEST, y);
    saddle__factor_counts counts = solve(&a, "ldlt", SADDLE_ORDERING_BEST, x);
    assert_int_equal(counts.inertia.positive, a.problem.n);
    assert_int_equal(counts.inertia.negative, a.problem.m);
    check_velocities(&a, x, y);
    free(x);
    free(y);
    assembled_clear(&a);
}

/* fronts of several tiles over a tree that is worth cutting */
static void a_hexahedral_block_has_the_same_bits_for_1_to_4_threads(void **unused)
{
    (void)unused;
    enum { REPEATS = 2 };
    assembled a = {0};
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = 10;
    assert_int_equal(saddle_generate_block(NULL, &p, &a.problem), SADDLE_OK);
    assemble(&a);
    size_t size = (size_t)a.kkt.K.rows;
    double *x = calloc(size, sizeof(*x));
    double *y = calloc(size, sizeof(*y));
    saddle__pivot_rule rule = {.sign = a.g.sign,
                               .scale = a.g.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    for (int64_t threads = 1; threads <= 4; threads++) {
        saddle__factorization *F;
        assert_int_equal(saddle__factorization_create(NULL, "ldlt", SADDLE_ORDERING_METIS, &F),
                         SADDLE_OK);
        saddle__factorization_set_threads(F, threads);
        assert_int_equal(saddle__factorization_analyse_late(F, &a.kkt.K, a.g.weak, NULL),
                         SADDLE_OK);
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            assert_int_equal(saddle__factorization_factor_by(F, &a.kkt.K, &rule), SADDLE_OK);
            for (size_t i = 0; i < size; i++) y[i] = 1.0 + (double)(i % 7);
            assert_int_equal(saddle__factorization_solve(F, y), SADDLE_OK);
            if (threads == 1 && repeat == 0) memcpy(x, y, size * sizeof(*x));
            assert_memory_equal(x, y, size * sizeof(*x));
        }
        saddle__factorization_free(F);
    }
    free(x);
    free(y);
    assembled_clear(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hexahedral_blocks_agree_with_cholmod),
        cmocka_unit_test(chains_and_grids_agree_with_cholmod),
        cmocka_unit_test(stacks_agree_with_cholmod),
        cmocka_unit_test(a_hexahedral_block_has_the_same_bits_for_1_to_4_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
