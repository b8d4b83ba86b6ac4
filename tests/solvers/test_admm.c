/* SPDX-License-Identifier: MIT */
/* admm: equality rows within the factor, units, steps on a wall. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generators.h"
#include "support.h"

static const double infinity = (double)INFINITY;

static saddle_report solved_by(const char *name, const saddle_problem *problem, double tolerance,
                               saddle_solution *solution)
{
    saddle_report report;
    saddle_options options = saddle_options_default();
    options.tolerance = tolerance;
    memset(solution, 0, sizeof *solution);
    assert_int_equal(saddle_solve(NULL, problem, name, &options, NULL, solution, &report),
                     SADDLE_OK);
    return report;
}

/* ---- two elastic blocks ---- */

/* Two rods of NODES nodes, springs between neighbours in all three directions: K is singular for
 * each rod's translations.  The first rod's lowest node is tied to the ground, the second rod to
 * the first; each tie is stated twice.  The upper rod's ends touch planes with friction. */
enum { NODES = 4, N = 2 * NODES * 3, TIES = 12, CONTACTS = 3, M = TIES + 3 * CONTACTS };

typedef struct blocks {
    saddle_problem problem;
    double f[N], b[M], lo[M], hi[M];
    saddle_contact contacts[CONTACTS];
    double J[M][N];
} blocks;

static void add(int64_t *row, int64_t *col, double *value, int64_t *count, int64_t i, int64_t j,
                double x)
{
    row[*count] = i;
    col[*count] = j;
    value[(*count)++] = x;
}

static void make_blocks(uint64_t *seed, double stiffness, saddle_law law, blocks *t)
{
    int64_t row[N * N], col[N * N], count = 0;
    double value[N * N];
    memset(t, 0, sizeof *t);
    for (int64_t j = 0; j < N; j++) {
        int64_t node = j / 3 % NODES;
        int ends = node == 0 || node == NODES - 1;
        add(row, col, value, &count, j, j, ends ? stiffness : 2 * stiffness);
        if (node > 0) add(row, col, value, &count, j, j - 3, -stiffness);
        t->f[j] = test_uniform(seed, -1, 1);
    }
    t->problem = (saddle_problem){.n = N, .m = M, .f = t->f, .b = t->b, .lo = t->lo, .hi = t->hi};
    assert_int_equal(saddle_matrix_from_triplets(NULL, N, N, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &t->problem.M),
                     SADDLE_OK);
    for (int64_t k = 0; k < 3; k++) {
        for (int twice = 0; twice < 2; twice++) {
            t->J[6 * twice + k][k] = 1;
            t->J[6 * twice + 3 + k][3 * NODES + k] = 1;
            t->J[6 * twice + 3 + k][3 * (NODES - 1) + k] = -1;
        }
    }
    for (int64_t c = 0; c < CONTACTS; c++) { /* normals along z, of the upper rod's last nodes */
        int64_t node = 2 * NODES - 1 - c;
        t->contacts[c] = (saddle_contact){.row = TIES + 3 * c, .size = 3, .mu = 0.3};
        for (int64_t k = 0; k < 3; k++) t->J[TIES + 3 * c + k][3 * node + (k + 2) % 3] = 1;
    }
    count = 0;
    for (int64_t i = 0; i < M; i++) {
        t->lo[i] = -infinity, t->hi[i] = infinity;
        for (int64_t j = 0; j < N; j++)
            if (t->J[i][j] != 0) add(row, col, value, &count, j, i, t->J[i][j]);
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, N, M, count, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &t->problem.Jt),
                     SADDLE_OK);
    t->problem.contacts = t->contacts;
    t->problem.contact_count = CONTACTS;
    t->problem.law = law;
}

/* The contacts' Delassus matrix with the ties kept, a column at a time by ldlt, and the contacts'
 * velocity from f alone: the same problem without velocities. */
static void condense(const blocks *t, double *W, double *b)
{
    saddle_problem tied = t->problem;
    double f[N];
    tied.m = TIES;
    tied.contact_count = 0;
    tied.f = f;
    tied.Jt.cols = TIES;
    for (int64_t c = -1; c < 3 * CONTACTS; c++) {
        saddle_solution s;
        for (int64_t j = 0; j < N; j++) f[j] = c < 0 ? t->f[j] : t->J[TIES + c][j];
        (void)solved_by("ldlt", &tied, 1e-12, &s);
        for (int64_t i = 0; i < 3 * CONTACTS; i++) {
            double w = 0;
            for (int64_t j = 0; j < N; j++) w += t->J[TIES + i][j] * s.v[j];
            if (c < 0)
                b[i] = -w;
            else
                W[3 * CONTACTS * c + i] = w;
        }
        saddle_solution_clear(&s);
    }
}

static void blocks_tied_twice_are_solved_as_without_the_ties(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_BOX, SADDLE_LAW_ASSOCIATED};
    int64_t draws = test_draws(30), many = 0;
    for (int draw = 0; draw < draws; draw++) {
        enum { C = 3 * CONTACTS };
        static blocks t;
        double W[C * C], b[C];
        int64_t start[C + 1], index[C * C];
        double stiffness = pow(10, (double)test_integer(&seed, 0, 6));
        make_blocks(&seed, stiffness, laws[draw % 3], &t);
        condense(&t, W, b);
        for (int64_t i = 0; i <= C; i++) start[i] = C * i;
        for (int64_t k = 0; k < C * C; k++) index[k] = k % C;
        saddle_contact contacts[CONTACTS];
        for (int64_t c = 0; c < CONTACTS; c++)
            contacts[c] = (saddle_contact){.row = 3 * c, .size = 3, .mu = 0.3};
        saddle_problem alone = {.m = C, .b = b, .law = t.problem.law};
        /* by ldlt: not to the bit */
        alone.R = saddle_matrix_view(C, C, start, index, W, SADDLE_SYMMETRY_NONE);
        alone.contacts = contacts;
        alone.contact_count = CONTACTS;
        saddle_solution whole, condensed;
        saddle_report report = solved_by("admm", &t.problem, 1e-12, &whole);
        (void)solved_by("gauss-seidel", &alone, 1e-12, &condensed);
        many += report.factorizations > 5; /* rho changed, or Newton stepped, more than 4 times */
        double most = 0;
        for (int64_t i = 0; i < C; i++) most = fmax(most, fabs(condensed.lambda[i]));
        double off = test_distance(whole.lambda + TIES, condensed.lambda, C);
        if (off > 1e-8 * (1 + most)) fail_msg("draw %d: impulses differ by %g", draw, off);
        saddle_solution_clear(&whole);
        saddle_solution_clear(&condensed);
        saddle_matrix_clear(&t.problem.M);
        saddle_matrix_clear(&t.problem.Jt);
    }
    assert_true(many <= 1 + draws / 10); /* of 2400 draws 29 */
}

/* ---- a wall ---- */

static void a_wall_of_bricks_takes_few_steps(void **state)
{
    (void)state;
    saddle_wall_parameters wall = saddle_wall_default();
    saddle_problem p;
    saddle_solution s;
    wall.columns = 12;
    wall.courses = 11;
    assert_int_equal(saddle_generate_wall(NULL, &wall, &p), SADDLE_OK);
    saddle_report report = solved_by("admm", &p, 1e-10, &s);
    assert_true(report.iterations <= 60);    /* gauss-seidel: thousands of sweeps */
    assert_true(report.factorizations <= 9); /* a burst of Newton steps */
    saddle_solution_clear(&s);
    saddle_problem_clear(&p);
}

typedef struct sweeps {
    int64_t latest, before_admm; /* -1 = no other solver yet */
} sweeps;

static int note_sweeps(void *user, const saddle_progress *progress)
{
    sweeps *count = user;
    if (strcmp(progress->phase, "solve") != 0) return 0;
    if (progress->iteration < count->latest && count->before_admm < 0)
        count->before_admm = count->latest;
    count->latest = progress->iteration;
    return 0;
}

/* Sweeps of a round of 50 that gain little in the second third are the last. */
static void a_wall_is_left_to_admm_after_a_few_sweeps(void **state)
{
    (void)state;
    saddle_wall_parameters wall = saddle_wall_default();
    saddle_context_options asked = saddle_context_options_default();
    sweeps count = {0, -1};
    saddle_context *context;
    saddle_problem p;
    saddle_solution s = {0};
    saddle_report report;
    wall.columns = 12;
    wall.courses = 11;
    asked.progress = note_sweeps;
    asked.progress_user = &count;
    assert_int_equal(saddle_context_create(&asked, &context), SADDLE_OK);
    assert_int_equal(saddle_generate_wall(context, &wall, &p), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &p, "auto", NULL, NULL, &s, &report), SADDLE_OK);
    assert_string_equal(report.solver, "admm");
    assert_in_range(count.before_admm, 1, 32);
    saddle_solution_clear(&s);
    saddle_problem_clear(&p);
    saddle_context_free(context);
}

/* Velocity j in units of 1/c, contact k in units of 1/d. */
static void scale(saddle_problem *p, const double *velocity, const double *row)
{
    for (int64_t j = 0; j < p->n; j++) {
        p->f[j] *= velocity[j];
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++)
            p->M.value[k] *= velocity[j] * velocity[p->M.index[k]];
    }
    for (int64_t i = 0; i < p->m; i++) {
        if (p->b) p->b[i] *= row[i];
        for (int64_t k = p->Jt.start[i]; k < p->Jt.start[i + 1]; k++)
            p->Jt.value[k] *= row[i] * velocity[p->Jt.index[k]];
    }
}

static void units_change_no_step(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 8; draw++) {
        saddle_wall_parameters wall = saddle_wall_default();
        saddle_problem p;
        saddle_solution s;
        saddle_report report[2];
        assert_int_equal(saddle_generate_wall(NULL, &wall, &p), SADDLE_OK);
        double *velocity = calloc((size_t)p.n, sizeof *velocity);
        double *row = calloc((size_t)p.m, sizeof *row);
        assert_true(velocity && row);
        for (int64_t j = 0; j < p.n; j++) velocity[j] = ldexp(1, (int)test_integer(&seed, -20, 20));
        for (int64_t i = 0; i < p.m; i++)
            row[i] = i % 3 ? row[i - 1] : ldexp(1, (int)test_integer(&seed, -20, 20));
        for (int k = 0; k < 2; k++) {
            report[k] = solved_by("admm", &p, 1e-10, &s);
            saddle_solution_clear(&s);
            if (k == 0) scale(&p, velocity, row);
        }
        assert_int_equal(report[0].iterations, report[1].iterations);
        assert_true(report[0].residual.total == report[1].residual.total);
        free(velocity);
        free(row);
        saddle_problem_clear(&p);
    }
}

/* The steps of the answer with all contacts sticking, tried after a hundred, count too. */
static void no_step_is_beyond_the_limit(void **state)
{
    (void)state;
    saddle_stack_parameters stack = saddle_stack_default();
    saddle_options options = saddle_options_default();
    saddle_problem p;
    stack.boxes = 400;
    stack.push = 0.0;
    assert_int_equal(saddle_generate_stack(NULL, &stack, &p), SADDLE_OK);
    for (int64_t limit = 100; limit < (test_is_slow() ? 102 : 106); limit++) {
        saddle_solution s = {0};
        saddle_report report;
        options.max_iterations = limit;
        assert_int_equal(saddle_solve(NULL, &p, "admm", &options, NULL, &s, &report),
                         SADDLE_ITERATION_LIMIT);
        assert_int_equal(report.iterations, limit);
        saddle_solution_clear(&s);
    }
    saddle_problem_clear(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_tied_twice_are_solved_as_without_the_ties),
        cmocka_unit_test(a_wall_of_bricks_takes_few_steps),
        cmocka_unit_test(a_wall_is_left_to_admm_after_a_few_sweeps),
        cmocka_unit_test(units_change_no_step),
        cmocka_unit_test(no_step_is_beyond_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
