/* SPDX-License-Identifier: MIT */
/* The kernels of small fronts and of several right-hand sides, each that runs here against sums in
 * long double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ldlt/ldlt_internal.h"
#include "support.h"

enum { MOST = SADDLE__SMALL_ROWS, ROOM = MOST * MOST + SADDLE__SMALL_STEP, ALL_ROWS = 3 * MOST };

static const saddle__small_kernels *running(int index)
{
    const saddle__small_kernels *kernels = saddle__small_kernels_at(index);
    return kernels && kernels->runs() ? kernels : NULL;
}

/* ---- fronts ---- */

/* A front of `rows` rows, with dominant pivots of both signs, and the arguments of the kernels. */
typedef struct drawn_front {
    int64_t rows, columns, height;
    int sides;
    double A[2][ROOM]; /* height x rows, lower triangles of the front and its transpose */
    double W[2][ROOM], L[2][ROOM], U[2][ROOM];
    double pivot[MOST], inverse[MOST];
    int64_t order[MOST];
    saddle__pivot_rule rule;
    saddle__pivot_state pivoting;
} drawn_front;

static void draw_front(uint64_t *state, int64_t rows, int64_t columns, int sides, drawn_front *f)
{
    drawn_front fresh = {.rows = rows,
                         .columns = columns,
                         .height = saddle__small_height(rows),
                         .sides = sides};
    *f = fresh;
    for (int64_t j = 0; j < rows; j++) {
        f->order[j] = j;
        for (int side = 0; side < sides; side++)
            for (int64_t i = 0; i < f->height; i++)
                f->A[side][i + j * f->height] = test_uniform(state, -1.0, 1.0);
        double pivot = test_integer(state, 0, 1) ? 40.0 : -40.0;
        for (int side = 0; side < sides; side++) f->A[side][j + j * f->height] = pivot;
    }
    saddle__pivot_state pivoting = {.rule = &f->rule,
                                    .order = f->order,
                                    .pivot = f->pivot,
                                    .inverse = f->inverse,
                                    .first_perturbed = INT64_MAX,
                                    .least = INFINITY,
                                    .failed_at = INT64_MAX};
    f->pivoting = pivoting;
}

static int64_t eliminate(drawn_front *f, const saddle__small_kernels *kernels)
{
    memcpy(f->W, f->A, sizeof(f->W));
    saddle__small_front front = {.columns = f->columns,
                                 .rows = f->rows - f->columns,
                                 .height = f->height,
                                 .sides = f->sides,
                                 .W = {f->W[0], f->W[1]},
                                 .L = {f->L[0], f->L[1]}};
    int64_t failed = kernels->eliminate(&f->pivoting, 0, &front);
    for (int side = 0; failed < 0 && side < f->sides; side++)
        kernels->update(&front, side, f->U[side]);
    return failed;
}

/* |expected - found|, no less than worst */
static double worse(double worst, long double expected, double found)
{
    return fmax(worst, fabs((double)(expected - (long double)found)));
}

/* The largest error of L, D and the update; of both sides. */
static double front_error(const drawn_front *f)
{
    long double B[MOST][MOST]; /* row, column */
    double worst = 0.0;
    int upper = f->sides - 1;
    for (int64_t j = 0; j < f->rows; j++)
        for (int64_t i = j; i < f->rows; i++) {
            B[j][i] = (long double)f->A[upper][i + j * f->height];
            B[i][j] = (long double)f->A[0][i + j * f->height];
        }
    for (int64_t c = 0; c < f->columns; c++) {
        worst = worse(worst, B[c][c], f->pivot[c]);
        for (int64_t i = c + 1; i < f->rows; i++) {
            worst = worse(worst, B[i][c] / B[c][c], f->L[0][i + c * f->height]);
            worst = worse(worst, B[c][i] / B[c][c], f->L[upper][i + c * f->height]);
        }
        for (int64_t i = c + 1; i < f->rows; i++)
            for (int64_t j = c + 1; j < f->rows; j++) B[i][j] -= B[i][c] * B[c][j] / B[c][c];
    }
    int64_t below = f->rows - f->columns;
    for (int64_t j = 0; j < below; j++)
        for (int64_t i = j; i < below; i++) {
            worst = worse(worst, B[f->columns + i][f->columns + j], f->U[0][i + j * below]);
            worst = worse(worst, B[f->columns + j][f->columns + i], f->U[upper][i + j * below]);
        }
    return worst;
}

static void every_kernel_eliminates_fronts_of_all_shapes(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_front *f = malloc(sizeof(*f));
    for (int64_t rows = 1; rows <= MOST; rows++)
        for (int64_t columns = 1; columns <= rows; columns++)
            for (int k = 0; saddle__small_kernels_at(k); k++)
                for (int sides = 1; running(k) && sides <= 2; sides++) {
                    draw_front(&state, rows, columns, sides, f);
                    assert_int_equal(eliminate(f, running(k)), -1);
                    assert_true(front_error(f) < 1e-13);
                }
    free(f);
}

static int same_side(const drawn_front *a, const drawn_front *b, int side)
{
    int64_t below = a->rows - a->columns;
    for (int64_t j = 0; j < a->columns; j++) {
        size_t tail = (size_t)(a->rows - j - 1) * sizeof(double);
        int64_t at = j * a->height + j + 1;
        if (memcmp(a->L[side] + at, b->L[side] + at, tail) != 0) return 0;
    }
    for (int64_t j = 0; j < below; j++) {
        int64_t at = j * below + j;
        if (memcmp(a->U[side] + at, b->U[side] + at, (size_t)(below - j) * sizeof(double)) != 0)
            return 0;
    }
    return 1;
}

static int same_front(const drawn_front *a, const drawn_front *b)
{
    for (int side = 0; side < a->sides; side++)
        if (!same_side(a, b, side)) return 0;
    return memcmp(a->pivot, b->pivot, sizeof(a->pivot)) == 0 &&
           memcmp(a->inverse, b->inverse, sizeof(a->inverse)) == 0;
}

static void all_kernels_give_the_same_bits(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_front *f = malloc(2 * sizeof(*f));
    for (int trial = 0; trial < test_draws(300); trial++) {
        int64_t rows = test_integer(&state, 1, MOST);
        draw_front(&state, rows, test_integer(&state, 1, rows), 1 + trial % 2, &f[0]);
        f[1] = f[0];
        f[1].pivoting.pivot = f[1].pivot;
        f[1].pivoting.inverse = f[1].inverse;
        int best = 0;
        while (!running(best)) best++;
        assert_int_equal(eliminate(&f[0], running(best)), -1);
        for (int k = 0; saddle__small_kernels_at(k); k++) {
            if (!running(k)) continue;
            assert_int_equal(eliminate(&f[1], running(k)), -1);
            assert_true(same_front(&f[0], &f[1]));
        }
    }
    free(f);
}

static void a_vanished_pivot_stops_every_kernel_where_it_is(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_front *f = malloc(sizeof(*f));
    for (int64_t at = 0; at < 9; at++)
        for (int k = 0; saddle__small_kernels_at(k); k++) {
            if (!running(k)) continue;
            int sides = 1 + (int)(at % 2);
            draw_front(&state, 12, 9, sides, f);
            for (int side = 0; side < sides; side++)
                for (int64_t i = 0; i < f->height; i++)
                    f->A[side][i + at * f->height] = f->A[side][at + i * f->height] = 0.0;
            assert_int_equal(eliminate(f, running(k)), at);
            assert_int_equal(f->pivoting.failed_at, at);
            assert_true(f->pivoting.failed == 0.0);
        }
    free(f);
}

/* ---- right-hand sides ---- */

/* A block of L over a few of ALL_ROWS rows, its own being the first. */
typedef struct small_solve {
    saddle__small_block block;
    double L[ROOM], X[ALL_ROWS * SADDLE__FACTOR_BLOCK], before[ALL_ROWS * SADDLE__FACTOR_BLOCK];
    int32_t row[MOST];
} small_solve;

static void draw_solve(uint64_t *state, small_solve *s)
{
    int64_t columns = test_integer(state, 1, MOST - 1);
    int64_t rows = test_integer(state, 0, MOST - columns);
    int64_t width = SADDLE__SMALL_STEP *
                    test_integer(state, 1, SADDLE__FACTOR_BLOCK / SADDLE__SMALL_STEP);
    int32_t next = (int32_t)columns;
    for (int64_t t = 0; t < rows; t++) {
        s->row[t] = next + (int32_t)test_integer(state, 0, 1);
        next = s->row[t] + 1;
    }
    for (int64_t k = 0; k < ROOM; k++) s->L[k] = test_uniform(state, -0.2, 0.2);
    for (int64_t k = 0; k < ALL_ROWS * SADDLE__FACTOR_BLOCK; k++)
        s->before[k] = test_uniform(state, -1.0, 1.0);
    memcpy(s->X, s->before, sizeof(s->X));
    saddle__small_block block = {.columns = columns,
                                 .rows = rows,
                                 .L = s->L,
                                 .row = s->row,
                                 .own = s->X,
                                 .X = s->X,
                                 .width = width};
    s->block = block;
}

static int64_t row_of(const small_solve *s, int64_t t)
{
    return t < s->block.columns ? t : s->row[t - s->block.columns];
}

/* The largest error of right-hand side c, against substitution in long double. */
static double solve_error(const small_solve *s, int64_t c, int backward)
{
    const saddle__small_block *b = &s->block;
    int64_t ld = b->columns + b->rows;
    long double x[ALL_ROWS];
    for (int64_t i = 0; i < ALL_ROWS; i++) x[i] = (long double)s->before[i * b->width + c];
    for (int64_t step = 0; step < b->columns; step++) {
        int64_t j = backward ? b->columns - 1 - step : step;
        for (int64_t t = j + 1; t < ld; t++) {
            long double l = (long double)s->L[t + j * ld];
            if (backward)
                x[j] -= l * x[row_of(s, t)];
            else
                x[row_of(s, t)] -= l * x[j];
        }
    }
    double worst = 0.0;
    for (int64_t i = 0; i < ALL_ROWS; i++)
        worst = fmax(worst, fabs((double)(x[i] - (long double)s->X[i * b->width + c])) /
                                fmax(1.0, fabs((double)x[i])));
    return worst;
}

static void every_kernel_solves_for_every_width(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    small_solve *s = malloc(sizeof(*s));
    for (int trial = 0; trial < test_draws(400); trial++)
        for (int k = 0; saddle__small_kernels_at(k); k++) {
            if (!running(k)) continue;
            int backward = trial % 2;
            draw_solve(&state, s);
            backward ? running(k)->backward(&s->block) : running(k)->forward(&s->block);
            for (int64_t c = 0; c < s->block.width; c++)
                assert_true(solve_error(s, c, backward) < 1e-13);
        }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_eliminates_fronts_of_all_shapes),
        cmocka_unit_test(all_kernels_give_the_same_bits),
        cmocka_unit_test(a_vanished_pivot_stops_every_kernel_where_it_is),
        cmocka_unit_test(every_kernel_solves_for_every_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
