/* SPDX-License-Identifier: MIT */
/* What pivot takes w for, beside products with all of the system in long double: w of a step, as
 * far as its noise says, with velocities and without, and that of the condensed system. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "disc_heap.h"
#include "pivot/condensed.h"
#include "support.h"

enum { WIDE = 7, TALL = 6, TRIALS = 40 };

/* A heap of masses of all sizes, whose rows give way in turn with their neighbours: R is
 * tridiagonal. */
typedef struct scene {
    disc_heap heap;
    saddle_problem problem;
    saddle__row_laws laws;
    saddle_options options;
    saddle_report report;
    saddle_solver_call call;
    double *lambda;
} scene;

static void draw_compliance(uint64_t *state, int64_t m, saddle_matrix *R)
{
    int64_t *row = calloc((size_t)(2 * m), sizeof(*row));
    int64_t *col = calloc((size_t)(2 * m), sizeof(*col));
    double *value = calloc((size_t)(2 * m), sizeof(*value));
    int64_t count = 0;
    for (int64_t i = 0; i < m; i++) {
        row[count] = col[count] = i;
        value[count++] = 3.0;
        row[count] = i + 1 < m ? i + 1 : i;
        col[count] = i;
        value[count++] = test_uniform(state, -1.0, 1.0);
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value,
                                                 SADDLE_SYMMETRIC, R),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
}

static void draw_scene_of(uint64_t *state, int64_t wide, int64_t tall, int complies, scene *s)
{
    scene fresh = {.options = saddle_options_default(), .call = {.deadline = (double)INFINITY}};
    *s = fresh;
    disc_heap_draw(state, wide, tall, &s->heap);
    for (int64_t j = 0; j < s->heap.problem.n; j++)
        s->heap.mass[j] *= pow(10.0, test_uniform(state, -3.0, 3.0));
    s->problem = s->heap.problem;
    if (complies) draw_compliance(state, s->problem.m, &s->problem.R);
    s->call.options = &s->options;
    s->call.report = &s->report;
    assert_int_equal(saddle__row_laws_create(NULL, s->problem.m, &s->laws), SADDLE_OK);
    saddle__row_laws_read(&s->laws, &s->problem, 0);
    s->lambda = calloc((size_t)s->problem.m, sizeof(*s->lambda));
    for (int64_t i = 0; i < s->problem.m; i++)
        s->lambda[i] = fmax(0.0, test_uniform(state, -1.0, 1.0));
}

static void draw_scene(uint64_t *state, int complies, scene *s)
{
    draw_scene_of(state, WIDE, TALL, complies, s);
}

static void clear_scene(scene *s)
{
    saddle__row_laws_clear(&s->laws);
    if (s->problem.R.start) saddle_matrix_clear(&s->problem.R);
    disc_heap_clear(&s->heap);
    free(s->lambda);
}

typedef struct exact {
    long double value, modulus;
} exact;

static void add(exact *sum, long double a, long double b)
{
    sum->value += a * b;
    sum->modulus += fabsl(a * b);
}

/* J_i v + R_i lambda - b_i */
static exact row_of(const saddle_problem *p, int64_t i, const double *v, const double *lambda)
{
    exact sum = {0.0L, 0.0L};
    if (p->b) add(&sum, -1.0L, p->b[i]);
    for (int64_t k = p->n > 0 ? p->Jt.start[i] : 0; p->n > 0 && k < p->Jt.start[i + 1]; k++)
        add(&sum, p->Jt.value[k], v[p->Jt.index[k]]);
    for (int64_t j = 0; p->R.start && j < p->m; j++)
        add(&sum, saddle_matrix_entry(&p->R, i > j ? i : j, i > j ? j : i), lambda[j]);
    return sum;
}

/* J_i v + (R + E)_i lambda - b_i - E_i c_i */
static exact step_row_of(const saddle__sparse_rows *rows, const saddle_problem *p, int64_t i,
                         const double *lambda)
{
    exact sum = row_of(p, i, rows->x, lambda);
    add(&sum, rows->E[i], lambda[i]);
    add(&sum, -rows->E[i], rows->centre[i]);
    return sum;
}

/* w and noise of the first step from s->lambda, whatever rows it leaves broken; lambda: of w. */
static void check_step(const saddle__sparse_rows *rows, const saddle_problem *problem,
                       const double *lambda)
{
    double largest = 0.0;
    for (int64_t i = 0; i < problem->m; i++) {
        exact solved = step_row_of(rows, problem, i, rows->x + rows->n);
        exact w = step_row_of(rows, problem, i, lambda);
        double off = fabs((double)((long double)rows->pivoting.w[i] - w.value));
        double brought = lambda == rows->x + rows->n ? 0.0
                                                     : 1e-15 * (double)(w.modulus + solved.modulus);
        assert_true(off <= rows->pivoting.noise[i] + brought);
        largest = fmax(largest, rows->pivoting.noise[i] / (double)solved.modulus);
    }
    assert_true(largest < 1e-8);
}

/* W lambda - b of the condensed system, beside long double. */
static void check_slack(const saddle_problem *alone, const double *lambda, const double *w,
                        const double *noise)
{
    for (int64_t i = 0; i < alone->m; i++) {
        exact sum = row_of(alone, i, NULL, lambda);
        assert_true(fabs((double)((long double)w[i] - sum.value)) <=
                    1e-13 * (double)sum.modulus + noise[i]);
    }
}

static saddle__proximal_problem begin_condensed(scene *s, saddle__condensed_rows *condensed)
{
    assert_int_equal(saddle__condensed_create(NULL, &s->problem, &s->options, condensed),
                     SADDLE_OK);
    assert_int_equal(saddle__condensed_factor(condensed, &s->problem, 1e-2), SADDLE_OK);
    assert_int_equal(saddle__condensed_begin(condensed, &s->problem, &s->laws, &s->call, s->lambda),
                     SADDLE_OK);
    return saddle__condensed_problem(condensed);
}

static const saddle__proximal_limits one_step = {.patience = 1, .tolerated = INT64_MAX};

static void a_step_knows_w_as_well_as_it_says(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        scene s;
        draw_scene(&state, trial % 2, &s);
        saddle__sparse_rows rows = {0};
        double *v = calloc((size_t)s.problem.n, sizeof(*v));
        assert_int_equal(saddle__sparse_rows_create(NULL, &s.problem, &s.options, &rows),
                         SADDLE_OK);
        assert_int_equal(saddle__sparse_rows_factor(&rows, &s.problem, 1e-2), SADDLE_OK);
        assert_int_equal(saddle__sparse_rows_begin(&rows, &s.problem, &s.laws, &s.call, s.lambda),
                         SADDLE_OK);
        saddle__proximal_problem step = saddle__sparse_rows_problem(&rows);
        assert_int_equal(step.run(step.user, &s.problem, &s.call, &one_step, s.lambda, v),
                         SADDLE_OK);
        assert_true(rows.corrections > 0);
        assert_false(rows.pivoting.knows_slack);
        check_step(&rows, &s.problem, rows.x + rows.n);
        saddle__sparse_rows_clear(&rows);
        clear_scene(&s);
        free(v);
    }
}

static void so_does_one_without_velocities(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        scene s;
        draw_scene(&state, trial % 2, &s);
        saddle__condensed_rows condensed = {0};
        saddle__proximal_problem step = begin_condensed(&s, &condensed);
        assert_int_equal(step.run(step.user, &s.problem, &s.call, &one_step, s.lambda, NULL),
                         SADDLE_OK);
        assert_true(condensed.rows.corrections > 0);
        assert_true(condensed.rows.pivoting.knows_slack);
        check_step(&condensed.rows, &condensed.inner, s.lambda);
        double *w = calloc((size_t)s.problem.m, sizeof(*w));
        const saddle_problem *alone = step.slack(step.user, s.lambda, w);
        check_slack(alone, s.lambda, w, condensed.rows.pivoting.noise);
        free(w);
        saddle__condensed_clear(&condensed);
        clear_scene(&s);
    }
}

static void rows_alone_have_the_slack_of_the_velocity_that_impulses_make(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        scene s;
        draw_scene(&state, trial % 2, &s);
        saddle__condensed_rows condensed = {0};
        double *v = calloc((size_t)s.problem.n, sizeof(*v));
        double *w = calloc((size_t)s.problem.m, sizeof(*w));
        saddle__proximal_problem rows = begin_condensed(&s, &condensed);
        assert_int_equal(rows.velocity(rows.user, &s.problem, s.lambda, v), SADDLE_OK);
        const saddle_problem *alone = rows.slack(rows.user, s.lambda, w);
        assert_int_equal(alone->n, 0);
        for (int64_t i = 0; i < s.problem.m; i++) {
            double modulus = (double)(row_of(&s.problem, i, v, s.lambda).modulus +
                                      row_of(alone, i, v, s.lambda).modulus);
            assert_true(fabs(w[i] - (double)row_of(&s.problem, i, v, s.lambda).value) <=
                        1e-13 * modulus);
            assert_true(fabs(w[i] - (double)row_of(alone, i, v, s.lambda).value) <=
                        1e-13 * modulus);
        }
        saddle__condensed_clear(&condensed);
        clear_scene(&s);
        free(v);
        free(w);
    }
}

/* max |W lambda + q + E (lambda - c) - w| over its terms, of the rows where `rows_in` is not 0; w,
 * rows_in: NULL = 0, all. */
static double slack_error(const saddle__sparse_rows *rows, const double *lambda, const double *w,
                          const signed char *rows_in)
{
    double most = 0.0;
    for (int64_t i = 0; i < rows->m; i++) {
        double modulus;
        double own = (rows->R.diagonal[i] + rows->E[i]) * lambda[i];
        double sum = own + saddle__whole_row_times_both(rows->R.beside, i, lambda, &modulus);
        modulus += fabs(own) + fabs(rows->q[i]) + rows->E[i] * fabs(rows->centre[i]);
        sum += rows->q[i] - rows->E[i] * rows->centre[i] - (w ? w[i] : 0.0);
        if (!rows_in || rows_in[i]) most = fmax(most, fabs(sum) / modulus);
    }
    return most;
}

/* On the way what is solved is looked at once, and that is enough to find a factor that is not the
 * matrix' any more. */
static void on_the_way_a_solve_that_is_off_is_corrected(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__proximal_limits one_searched = {.patience = 1, .tolerated = INT64_MAX, .search = 1};
    scene s;
    saddle__condensed_rows condensed = {0};
    draw_scene_of(&state, 30, 60, 0, &s);
    size_t size = (size_t)s.problem.m * sizeof(double);
    double *lambda = malloc(size);
    saddle__proximal_problem step = begin_condensed(&s, &condensed);
    saddle__sparse_rows *rows = &condensed.rows;
    memcpy(lambda, s.lambda, size);
    assert_int_equal(step.run(step.user, &s.problem, &s.call, &one_searched, lambda, NULL),
                     SADDLE_OK);
    assert_true(rows->quickly && rows->corrections == 0 && rows->pivoting.exactness.corrected == 0);
    assert_true(slack_error(rows, lambda, rows->pivoting.w, NULL) < 1e-13);
    int64_t made = saddle__active_rows_counts(rows->active).factorizations;
    double *value = rows->R.beside->value; /* of W as it is multiplied with; the factor stays */
    for (int64_t k = 0; k < rows->R.beside->start[rows->m]; k++) value[k] *= 1.0 + 1e-6;
    assert_int_equal(step.run(step.user, &s.problem, &s.call, &one_searched, s.lambda, NULL),
                     SADDLE_OK);
    assert_int_equal(saddle__active_rows_counts(rows->active).factorizations, made);
    assert_int_equal(rows->pivoting.exactness.corrected, 1);
    assert_int_equal(rows->pivoting.exactness.inexact, 0);
    assert_true(slack_error(rows, rows->x, NULL, saddle__active_rows_set(rows->active)) < 1e-12);
    assert_true(slack_error(rows, s.lambda, rows->pivoting.w, NULL) < 1e-12);
    saddle__condensed_clear(&condensed);
    clear_scene(&s);
    free(lambda);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_knows_w_as_well_as_it_says),
        cmocka_unit_test(so_does_one_without_velocities),
        cmocka_unit_test(rows_alone_have_the_slack_of_the_velocity_that_impulses_make),
        cmocka_unit_test(on_the_way_a_solve_that_is_off_is_corrected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
