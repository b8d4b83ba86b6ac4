/* SPDX-License-Identifier: MIT */
/* Rows that push each other about, so that block pivoting never ends: near each other they settle
 * all the same. */
#include "complementarity/local_pivoting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_bounded.h"

enum { ROWS = 600, WIDEST = 20, RANK = 4 };

/* Of the first `width` rows, A = C C' + a little: they push each other about. */
static void couple_strongly(uint64_t *state, bounded *b, int64_t width)
{
    double C[WIDEST][RANK];
    for (int64_t i = 0; i < width; i++)
        for (int64_t l = 0; l < RANK; l++) C[i][l] = test_uniform(state, -1.0, 1.0);
    for (int64_t j = 0; j < width; j++) {
        for (int64_t k = b->A.start[j]; k < b->A.start[j + 1]; k++) {
            int64_t i = b->A.index[k];
            b->A.value[k] = i == j ? 0.001 : 0.0;
            for (int64_t l = 0; l < RANK; l++) b->A.value[k] += C[i][l] * C[j][l];
        }
        double own = saddle_matrix_entry(&b->A, j, j);
        b->added[j] = 0.0;
        b->diagonal[j] = b->scale[j] = own;
        b->step[j] = 1.0 / own;
    }
    saddle__whole_rows_set(&b->beside, &b->A);
}

/* Whether block pivoting never ends from here; count: rows broken.  Everything is as it was
 * then. */
static int goes_in_circles(bounded *b, int64_t count)
{
    signed char *state = malloc((size_t)b->m);
    double *lambda = malloc((size_t)b->m * sizeof(*lambda));
    assert_true(state && lambda);
    memcpy(state, b->pivoting.state, (size_t)b->m);
    memcpy(lambda, b->lambda, (size_t)b->m * sizeof(*lambda));
    for (int step = 0; step < 100 && count > 0; step++) {
        for (int64_t k = 0; k < count; k++)
            saddle__pivoting_move(&b->pivoting, &b->rows, b->lambda, b->pivoting.broken[k]);
        count = bounded_step(b);
    }
    memcpy(b->pivoting.state, state, (size_t)b->m);
    memcpy(b->lambda, lambda, (size_t)b->m * sizeof(*lambda));
    (void)bounded_step(b);
    free(state);
    free(lambda);
    return count > 0;
}

/* Row by row that ends, the matrix being definite (Murty). */
static void a_cluster_that_goes_in_circles_settles_row_by_row(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static double lambda[ROWS], w[ROWS];
    int64_t circles = 0, settled = 0;
    for (int draw = 0; draw < test_draws(2000); draw++) {
        int64_t width = test_integer(&state, 3, WIDEST);
        saddle__local_pivoting local = {0};
        bounded *b = bounded_draw(&state, ROWS, BOUNDED_DENSE, width, 1.05);
        couple_strongly(&state, b, width);
        assert_true(bounded_settle(b));
        for (int64_t k = 0; k < width; k++) bounded_break(&state, b, k);
        int64_t count = bounded_step(b);
        if (count > 0 && goes_in_circles(b, count)) {
            assert_int_equal(saddle__local_pivoting_create(NULL, b->m, &local), SADDLE_OK);
            local.nearby.Y.drop = 0.0; /* to rounding, as in test_local_pivoting */
            assert_true(saddle__local_pivoting_run(&local, &b->system, &b->pivoting, &b->rows,
                                                   count, b->lambda) >= count);
            int64_t broken = 0;
            for (int64_t i = 0; i < b->m; i++)
                broken += saddle__pivoting_wanted(&b->pivoting, &b->rows, b->lambda, i) !=
                          b->pivoting.state[i];
            bounded_solve_densely(b, lambda, w);
            double most = 1.0; /* A is nearly singular, and impulses may be large */
            for (int64_t i = 0; i < b->m; i++) most = fmax(most, fabs(lambda[i]));
            if (broken == 0) assert_true(bounded_defect(b, lambda) < 1e-9 * most);
            settled += broken == 0;
            circles++;
        }
        saddle__local_pivoting_clear(&local);
        bounded_free(b);
    }
    assert_true(circles > test_draws(20) && 10 * settled > 9 * circles); /* within the steps that
                                                                            there are */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cluster_that_goes_in_circles_settles_row_by_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
