/* SPDX-License-Identifier: MIT */
/* Newton steps on the maps of all contacts, on problems in Delassus form with one answer nearby. */
#include <math.h>
#include <string.h>

#include "admm/newton.h"
#include "problem/verdict.h"
#include "support.h"

enum { CONTACTS = 8, M = 36, TRIALS = 40 }; /* 3, 4, 5, 6 rows, twice */

/* R = B B'/M + I/2, b drawn, cones or their relaxation.  The first contact touches: impulses that
 * are all zero have no relative error. */
static void draw_problem(uint64_t *seed, saddle_law law, saddle_problem *problem)
{
    double B[M * M];
    assert_int_equal(saddle_matrix_create(NULL, M, M, M * M, SADDLE_SYMMETRY_NONE, &problem->R),
                     SADDLE_OK);
    for (int k = 0; k < M * M; k++) B[k] = test_uniform(seed, -1, 1);
    for (int j = 0; j < M; j++) {
        problem->R.start[j] = (int64_t)j * M;
        for (int i = 0; i < M; i++) {
            double sum = i == j ? 0.5 : 0;
            for (int k = 0; k < M; k++) sum += B[i + M * k] * B[j + M * k] / M;
            problem->R.index[j * M + i] = i;
            problem->R.value[j * M + i] = sum;
        }
    }
    problem->R.start[M] = (int64_t)M * M;
    problem->owner = 1;
    problem->m = M;
    problem->law = law;
    problem->b = saddle_allocate(NULL, M, sizeof *problem->b);
    problem->contacts = saddle_allocate(NULL, CONTACTS, sizeof *problem->contacts);
    problem->contact_count = CONTACTS;
    for (int i = 0; i < M; i++) problem->b[i] = test_uniform(seed, -1, 1);
    problem->b[0] = fabs(problem->b[0]);
    for (int64_t k = 0, row = 0; k < CONTACTS; row += problem->contacts[k++].size) {
        int64_t size = 3 + k % 4;
        problem->contacts[k] = (saddle_contact){.row = row,
                                                .size = size,
                                                .mu = test_uniform(seed, 0.1, 0.4)};
        if (size % 2 == 0) problem->contacts[k].mu_torsion = test_uniform(seed, 0.02, 0.2);
        if (size >= 5) problem->contacts[k].mu_rolling = test_uniform(seed, 0.02, 0.2);
    }
}

/* Delassus estimates; returns the number of groups. */
static int64_t prepare(const saddle_problem *problem, saddle__group *group, double *d)
{
    int64_t groups = saddle__groups_find(problem, group);
    for (int i = 0; i < M; i++) d[i] = saddle_matrix_entry(&problem->R, i, i);
    saddle__groups_share(group, groups, d);
    return groups;
}

/* From an answer that is off by 1e-3, steps get to rounding; delta leaves 1e-5 of an error. */
static void near_an_answer_steps_square_the_error(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        saddle_problem problem = {0};
        saddle_solution exact = {0};
        saddle_options options = saddle_options_default();
        saddle__group group[M];
        saddle__newton newton = {0};
        double lambda[M], d[M], work[64 * M];
        saddle_residual residual;
        draw_problem(&seed, trial % 2 ? SADDLE_LAW_CONE : SADDLE_LAW_ASSOCIATED, &problem);
        assert_int_equal(saddle_solution_create(NULL, 0, M, &exact), SADDLE_OK);
        options.tolerance = 1e-13;
        options.max_iterations = 2000;
        assert_int_equal(saddle_solve(NULL, &problem, "gauss-seidel", &options, NULL, &exact, NULL),
                         SADDLE_OK);
        for (int i = 0; i < M; i++) lambda[i] = exact.lambda[i] + test_uniform(&seed, -1e-3, 1e-3);

        assert_true(saddle__newton_applies(&problem));
        int64_t groups = prepare(&problem, group, d);
        assert_int_equal(saddle__newton_analyse(NULL, &options, &problem, group, groups, &newton),
                         SADDLE_OK);
        int steps = 0;
        for (; steps < 12; steps++) {
            assert_int_equal(saddle__newton_step(&problem, group, groups, d, &newton, lambda),
                             SADDLE_OK);
            assert_true(saddle_residual_work_size(&problem) <= 64 * M);
            saddle_residual_compute(&problem, NULL, lambda, NULL, work, &residual);
            if (residual.total < 1e-14) break;
        }
        assert_true(residual.total < 1e-13);
        assert_true(steps < 12);
        for (int i = 0; i < M; i++) assert_true(fabs(lambda[i] - exact.lambda[i]) < 1e-11);
        saddle__newton_clear(NULL, &newton);
        saddle_solution_clear(&exact);
        saddle_problem_clear(&problem);
    }
}

enum { BODY = 30, TOUCHES = 6, ROWS = 3 * TOUCHES + 4 };
enum { JOINED = 1, FREE = 2, WIDE = 4 };

/* M = I + a drawn spring between velocities, J drawn with a few entries a row: contacts, the second
 * on velocities of the first, then rows with a lower bound, JOINED: of which one is an equality.
 * FREE: M has the springs alone, and is singular; the last row holds all, in a first step.  WIDE:
 * the last row is over all velocities, and stays.  R: 0.1 on the diagonal, and with `coupled`
 * explicit zeros between neighbours, for which no row is eliminated. */
static void draw_bodies(uint64_t seed, int kind, int coupled, saddle_problem *problem)
{
    int64_t row[8 * ROWS + 3 * BODY], column[8 * ROWS + 3 * BODY], count = 0;
    double value[8 * ROWS + 3 * BODY];
    *problem = (saddle_problem){.n = BODY, .m = ROWS, .owner = 1};
    for (int64_t j = 0; j < BODY; j++) {
        double spring = j > 0 ? test_uniform(&seed, 0.1, 0.3) : 0;
        row[count] = column[count] = j, value[count++] = (kind & FREE ? 0 : 1) + spring;
        if (j == 0) continue;
        row[count] = j, column[count] = j - 1,
        value[count++] = kind & FREE ? -spring : -0.5 * spring;
        row[count] = column[count] = j - 1, value[count++] = kind & FREE ? spring : 0;
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, BODY, BODY, count, row, column, value,
                                                 SADDLE_SYMMETRY_LOWER, &problem->M),
                     SADDLE_OK);
    count = 0;
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t k = 0; k < (kind & WIDE && i == ROWS - 1 ? BODY : 4); k++) {
            row[count] = (i / 3 == 2 ? k : 4 * (i / 3) + k) % BODY, column[count] = i;
            value[count++] = test_uniform(&seed, i < ROWS - 1 ? -1 : 0.5, 1);
        }
    assert_int_equal(saddle_matrix_from_triplets(NULL, BODY, ROWS, count, row, column, value,
                                                 SADDLE_SYMMETRY_NONE, &problem->Jt),
                     SADDLE_OK);
    count = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        row[count] = column[count] = i, value[count++] = 0.1;
        if (coupled && i > 0) row[count] = i, column[count] = i - 1, value[count++] = 0;
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, ROWS, ROWS, count, row, column, value,
                                                 SADDLE_SYMMETRY_LOWER, &problem->R),
                     SADDLE_OK);
    problem->f = saddle_allocate(NULL, BODY, sizeof *problem->f);
    problem->b = saddle_allocate(NULL, ROWS, sizeof *problem->b);
    problem->lo = saddle_allocate(NULL, ROWS, sizeof *problem->lo);
    problem->contacts = saddle_allocate(NULL, TOUCHES, sizeof *problem->contacts);
    for (int j = 0; j < BODY; j++) problem->f[j] = test_uniform(&seed, -1, 1);
    for (int i = 0; i < ROWS; i++) {
        problem->b[i] = test_uniform(&seed, -1, 1);
        problem->lo[i] = kind & JOINED && i == 3 * TOUCHES ? -INFINITY : 0;
    }
    problem->b[ROWS - 1] = 5;
    static const int64_t size[] = {6, 3, 5, 4}; /* the rows of TOUCHES contacts of 3 */
    problem->contact_count = 4;
    for (int64_t k = 0, at = 0; k < 4; at += size[k++]) {
        saddle_contact *contact = &problem->contacts[k];
        *contact = (saddle_contact){.row = at,
                                    .size = size[k],
                                    .mu = test_uniform(&seed, 0.1, 0.6)};
        if (size[k] % 2 == 0) contact->mu_torsion = test_uniform(&seed, 0.1, 0.6);
        if (size[k] >= 5) contact->mu_rolling = test_uniform(&seed, 0.1, 0.6);
    }
}

/* Impulses are eliminated or stay unknowns: the same steps, up to rounding through delta. */
static void eliminated_rows_leave_the_step_as_it_is(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_options options = saddle_options_default();
    for (int trial = 0; trial < TRIALS; trial++, (void)test_uniform(&seed, 0, 1)) {
        double x[2][BODY + ROWS] = {{0}};
        int64_t unknowns[2];
        int kind = trial % 8;
        for (int coupled = 0; coupled < 2; coupled++) {
            saddle_problem problem;
            saddle__group group[ROWS];
            saddle__newton newton = {0};
            double mass[BODY], d[ROWS];
            draw_bodies(seed, kind, coupled, &problem);
            saddle__natural_units(&problem, NULL, mass, d);
            int64_t groups = saddle__groups_find(&problem, group);
            saddle__groups_share(group, groups, d);
            assert_int_equal(saddle__newton_analyse(NULL, &options, &problem, group, groups,
                                                    &newton),
                             SADDLE_OK);
            unknowns[coupled] = newton.unknowns;
            for (int steps = kind & FREE ? 2 : 0; steps < 3; steps++)
                assert_int_equal(saddle__newton_step(&problem, group, groups, d, &newton,
                                                     x[coupled]),
                                 SADDLE_OK);
            saddle__newton_clear(NULL, &newton);
            saddle_problem_clear(&problem);
        }
        assert_int_equal(unknowns[0], BODY + !!(kind & JOINED) + !!(kind & WIDE));
        assert_int_equal(unknowns[1], BODY + ROWS);
        for (int k = 0; k < BODY + ROWS; k++) assert_true(fabs(x[0][k] - x[1][k]) < 1e-7);
    }
}

static saddle_status make_and_step(saddle_context *context, void *user)
{
    const saddle_problem *problem = user;
    saddle__group group[M];
    saddle__newton newton = {0};
    saddle_options options = saddle_options_default();
    double lambda[M] = {0}, d[M];
    int64_t groups = prepare(problem, group, d);
    saddle_status status = saddle__newton_analyse(context, &options, problem, group, groups,
                                                  &newton);
    if (status == SADDLE_OK)
        status = saddle__newton_step(problem, group, groups, d, &newton, lambda);
    saddle__newton_clear(context, &newton);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_problem problem = {0};
    draw_problem(&seed, SADDLE_LAW_CONE, &problem);
    assert_true(test_allocation_sweep(make_and_step, &problem) > 8);
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_an_answer_steps_square_the_error),
        cmocka_unit_test(eliminated_rows_leave_the_step_as_it_is),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
