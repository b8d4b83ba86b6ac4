/* SPDX-License-Identifier: MIT */
/* The sparse basis of a W of any kind, with friction: whatever rows are basic or slide, the answer
 * obeys the equations as sums over the drawn entries have them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlcp/system.h"
#include "support.h"

enum { CONTACTS = 40, M = 2 * CONTACTS, LINKS = 4, MOST = M * (LINKS + 2) };

typedef struct drawn {
    saddle_matrix W;
    double dense[M][M];
    double added[M], size[M], mu[M];
    int64_t normal[M];
    saddle__mlcp_rows rows;
} drawn;

/* Diagonally dominant also where sliding tangents' columns are added to their normals'. */
static drawn *draw(uint64_t *state)
{
    drawn *d = calloc(1, sizeof(*d));
    static int64_t row[MOST], col[MOST];
    static double value[MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < M; i++)
        for (int64_t k = 0; k < LINKS; k++) {
            int64_t j = test_integer(state, 0, M - 1);
            if (j != i) d->dense[i][j] = test_uniform(state, -1.0, 1.0);
        }
    for (int64_t i = 0; i < M; i++) {
        d->normal[i] = i % 2 ? i - 1 : -1;
        d->mu[i] = i % 2 ? test_uniform(state, 0.0, 0.8) : 0.0;
        d->added[i] = 1e-3;
        d->dense[i][i] = d->size[i] = 10.0 + test_uniform(state, 0.0, 1.0);
    }
    for (int64_t i = 0; i < M; i++)
        for (int64_t j = 0; j < M; j++)
            if (d->dense[i][j] != 0.0) {
                row[count] = i;
                col[count] = j;
                value[count++] = d->dense[i][j];
            }
    assert_int_equal(saddle_matrix_from_triplets(NULL, M, M, count, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &d->W),
                     SADDLE_OK);
    saddle__mlcp_rows rows = {
        .count = M, .E = d->added, .size = d->size, .normal = d->normal, .mu = d->mu};
    d->rows = rows;
    return d;
}

static void free_drawn(drawn *d)
{
    saddle_matrix_clear(&d->W);
    free(d);
}

static void draw_states(uint64_t *seed, double share, signed char *state)
{
    for (int64_t i = 0; i < M; i += 2) {
        int closed = test_uniform(seed, 0.0, 1.0) < share;
        state[i] = closed ? SADDLE__BASIC : SADDLE__AT_LO;
        state[i + 1] = (signed char)(closed                     ? test_integer(seed, -1, 1)
                                     : test_integer(seed, 0, 1) ? 1
                                                                : -1);
    }
}

static void assert_solved(uint64_t *seed, const drawn *d, const saddle__basis *basis,
                          const signed char *state)
{
    double q[M], lambda[M], given[M], w[M], noise[M];
    for (int64_t i = 0; i < M; i++) {
        q[i] = test_uniform(seed, -1.0, 1.0);
        lambda[i] = given[i] = state[i] != SADDLE__BASIC && i % 2 == 0
                                   ? test_uniform(seed, 0.0, 1.0)
                                   : 0.0;
    }
    assert_int_equal(basis->enter(basis->user, state), SADDLE_OK);
    assert_int_equal(basis->solve(basis->user, state, q, lambda, w, noise), SADDLE_OK);
    for (int64_t i = 0; i < M; i++) {
        double sum = q[i] + d->added[i] * lambda[i];
        for (int64_t j = 0; j < M; j++) sum += d->dense[i][j] * lambda[j];
        assert_true(fabs(sum - w[i]) < 1e-12);
        if (state[i] == SADDLE__BASIC)
            assert_true(fabs(w[i]) < 1e-12);
        else if (i % 2 && state[i - 1] == SADDLE__BASIC)
            assert_true(fabs(lambda[i] - state[i] * d->mu[i] * lambda[i - 1]) < 1e-14);
        else
            assert_true(lambda[i] == given[i]);
    }
}

static void any_rows_are_solved_as_their_equations_say(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < 20; trial++) {
        drawn *d = draw(&seed);
        saddle_options options = saddle_options_default();
        saddle__basis basis = {0};
        assert_int_equal(saddle__general_basis_create(NULL, &d->W, &d->rows, &options, &basis),
                         SADDLE_OK);
        basis.refresh(basis.user, &d->W);
        for (int k = 0; k < 20; k++) {
            signed char state[M];
            draw_states(&seed, k == 0 ? 0.0 : test_uniform(&seed, 0.0, 1.0), state);
            assert_solved(&seed, d, &basis, state);
            for (int64_t i = 0; i < M; i++) d->added[i] = 1e-3 * (double)(k + 1);
            basis.refresh(basis.user, NULL);
        }
        basis.clear(basis.user);
        free_drawn(d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_rows_are_solved_as_their_equations_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
