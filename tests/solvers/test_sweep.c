/* SPDX-License-Identifier: MIT */
/* Sweeps on the lower triangle, and by whole rows, are those of the textbook on all of W, of a band
 * too, where several go together; each lowers the program's value; many end at its solution. */
#include "complementarity/sweep.h"

#include <math.h>

#include "support.h"

enum { LONG = 90, BANDS = 12 };
enum { M = 14, RANK = 6, DRAWS = 400, MANY = 4000 };

typedef struct program {
    double W[M][M], q[M], lo[M], hi[M], E[M];
    int64_t start[M + 1], index[M * M];
    double value[M * M];
} program;

/* W has rows without any entry, and zeros that are not stored. */
static void draw_program(uint64_t *state, program *a)
{
    double B[M][RANK];
    for (int i = 0; i < M; i++) {
        int empty = test_integer(state, 0, 9) == 0;
        for (int k = 0; k < RANK; k++)
            B[i][k] = !empty && test_integer(state, 0, 1) ? test_uniform(state, -1.0, 1.0) : 0.0;
        a->q[i] = test_uniform(state, -3.0, 3.0);
        a->lo[i] = test_integer(state, 0, 3) ? 0.0 : -1.0;
        a->hi[i] = test_integer(state, 0, 3) ? INFINITY : 0.5;
    }
    a->start[0] = 0;
    for (int j = 0; j < M; j++) {
        int64_t count = a->start[j];
        for (int i = 0; i < M; i++) {
            a->W[i][j] = 0.0;
            for (int k = 0; k < RANK; k++) a->W[i][j] += B[i][k] * B[j][k];
            if (i < j || a->W[i][j] == 0.0) continue;
            a->index[count] = i;
            a->value[count++] = a->W[i][j];
        }
        a->start[j + 1] = count;
        a->E[j] = a->W[j][j] > 0.0 ? 0.05 * a->W[j][j] : 0.0;
    }
}

static void sweep(program *a, int count, int by_whole_rows, double *lambda)
{
    double sum[M], inverse[M];
    saddle__whole_rows beside = {0};
    saddle_matrix W = {
        .rows = M, .cols = M, .start = a->start, .index = a->index, .value = a->value};
    W.symmetry = SADDLE_SYMMETRIC;
    saddle__sweep_rows rows = {.W = &W, .added = a->E, .lo = a->lo, .hi = a->hi, .q = a->q};
    if (by_whole_rows) {
        assert_int_equal(saddle__whole_rows_create(NULL, &W, &beside), SADDLE_OK);
        rows.beside = &beside;
    }
    saddle__sweep(&rows, count, lambda, by_whole_rows ? NULL : sum, inverse);
    saddle__whole_rows_clear(&beside);
}

/* w_i */
static double slack(const program *a, const double *lambda, int i)
{
    double w = a->q[i] + a->E[i] * lambda[i];
    for (int j = 0; j < M; j++) w += a->W[i][j] * lambda[j];
    return w;
}

/* lambda'(W + E) lambda / 2 + q'lambda of the rows that have entries */
static double value_of(const program *a, const double *lambda)
{
    double value = 0.0;
    for (int i = 0; i < M; i++)
        if (a->W[i][i] > 0.0) value += 0.5 * lambda[i] * (slack(a, lambda, i) + a->q[i]);
    return value;
}

static void project(const program *a, double *lambda, int i)
{
    if (a->W[i][i] > 0.0)
        lambda[i] = fmin(fmax(lambda[i] - slack(a, lambda, i) / (a->W[i][i] + a->E[i]), a->lo[i]),
                         a->hi[i]);
}

static void sweeps_are_those_on_all_of_W(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < DRAWS; draw++) {
        program a;
        double lambda[M], twin[M];
        draw_program(&state, &a);
        for (int i = 0; i < M; i++) lambda[i] = twin[i] = test_uniform(&state, a.lo[i], 0.5);
        for (int k = 0; k < 3; k++) {
            double before = value_of(&a, lambda);
            sweep(&a, 1, draw % 2, lambda);
            for (int i = 0; i < M; i++) project(&a, twin, i);
            for (int i = M; i-- > 0;) project(&a, twin, i);
            for (int i = 0; i < M; i++)
                assert_true(fabs(lambda[i] - twin[i]) < 1e-11 * (1.0 + fabs(twin[i])));
            assert_true(value_of(&a, lambda) <= before + 1e-12 * (1.0 + fabs(before)));
        }
    }
}

/* Entries at random within a band, and one row of zeros. */
static void draw_band(uint64_t *state, int64_t band, saddle_matrix *W)
{
    static int64_t row[LONG * BANDS], col[LONG * BANDS];
    static double value[LONG * BANDS];
    int64_t count = 0;
    for (int64_t j = 0; j < LONG; j++)
        for (int64_t i = j; i <= j + band && i < LONG; i++) {
            int there = i == j || i == j + band || test_integer(state, 0, 1);
            if (!there || i == LONG / 3 || j == LONG / 3) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = i == j ? 1.0 + 0.4 * (double)band : test_uniform(state, -1.0, 1.0);
        }
    assert_int_equal(saddle_matrix_from_triplets(NULL, LONG, LONG, count, row, col, value,
                                                 SADDLE_SYMMETRIC, W),
                     SADDLE_OK);
}

static void visit(const saddle_matrix *W, const double *q, int64_t i, double *lambda)
{
    double w = q[i];
    double own = saddle_matrix_entry(W, i, i);
    for (int64_t j = 0; j < LONG; j++)
        w += saddle_matrix_entry(W, i > j ? i : j, i > j ? j : i) * lambda[j];
    if (own > 0.0) lambda[i] = fmin(fmax(lambda[i] - w / own, 0.0), 0.7);
}

/* Five at a time each way, whatever the band. */
static void sweeps_that_go_together_are_those_one_by_one(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t band = 0; band < BANDS; band++) {
        int count = (int)test_integer(&state, 1, 12);
        double lambda[LONG], twin[LONG], inverse[LONG], q[LONG], lo[LONG], hi[LONG], E[LONG];
        saddle_matrix W = {0};
        saddle__whole_rows beside = {0};
        draw_band(&state, band, &W);
        for (int i = 0; i < LONG; i++) {
            q[i] = test_uniform(&state, -3.0, 3.0);
            lambda[i] = twin[i] = test_uniform(&state, 0.0, 0.7);
            lo[i] = E[i] = 0.0;
            hi[i] = 0.7;
        }
        assert_int_equal(saddle__whole_rows_create(NULL, &W, &beside), SADDLE_OK);
        assert_int_equal(beside.band, band);
        saddle__sweep_rows rows = {
            .W = &W, .beside = &beside, .added = E, .lo = lo, .hi = hi, .q = q};
        saddle__sweep(&rows, count, lambda, NULL, inverse);
        for (int done = 0; done < count; done += 5) {
            int together = count - done < 5 ? count - done : 5;
            for (int k = 0; k < together; k++)
                for (int64_t i = 0; i < LONG; i++) visit(&W, q, i, twin);
            for (int k = 0; k < together; k++)
                for (int64_t i = LONG; i-- > 0;) visit(&W, q, i, twin);
        }
        for (int i = 0; i < LONG; i++) assert_true(fabs(lambda[i] - twin[i]) < 1e-13);
        saddle__whole_rows_clear(&beside);
        saddle_matrix_clear(&W);
    }
}

static void many_end_where_every_law_holds(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < DRAWS / 10; draw++) {
        program a;
        double lambda[M] = {0.0};
        draw_program(&state, &a);
        sweep(&a, MANY, draw % 2, lambda);
        for (int i = 0; i < M; i++) {
            double size = a.W[i][i] + a.E[i];
            if (!(a.W[i][i] > 0.0)) {
                assert_true(lambda[i] == 0.0);
                continue;
            }
            double moved = fmin(fmax(lambda[i] - slack(&a, lambda, i) / size, a.lo[i]), a.hi[i]);
            assert_true(fabs(lambda[i] - moved) < 1e-9 * (1.0 + fabs(lambda[i])));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_those_on_all_of_W),
        cmocka_unit_test(sweeps_that_go_together_are_those_one_by_one),
        cmocka_unit_test(many_end_where_every_law_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
