/* SPDX-License-Identifier: MIT */
/* Tied blocks on a plane: rigid motions, mass, balance, and sums of impulses that an assembly in
 * numpy gave. */
#include "support.h"

#include <math.h>
#include <stdlib.h>

#include "generators.h"

static saddle_problem make(const saddle_tied_parameters *parameters)
{
    saddle_problem problem;
    assert_int_equal(saddle_generate_tied(NULL, parameters, &problem), SADDLE_OK);
    return problem;
}

static saddle_solution solve(const saddle_problem *p)
{
    saddle_solution solution;
    saddle_solver *solver;
    assert_int_equal(saddle_solution_create(NULL, p->n, p->m, &solution), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "auto", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, p), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, p, NULL, &solution), SADDLE_OK);
    saddle_solver_free(solver);
    return solution;
}

/* Over all contacts: row i of each. */
static double sum_of(const saddle_problem *p, const double *lambda, int i)
{
    double sum = 0;
    for (int64_t c = 0; c < p->contact_count; c++) sum += lambda[p->contacts[c].row + i];
    return sum;
}

/* M times a motion of all nodes, v = a + turn x position; returns the largest entry, and in *work
 * v'M v. */
static double moved(const saddle_problem *p, const saddle_tied_parameters *t, const double *a,
                    const double *turn, double *work)
{
    double *v = calloc((size_t)p->n, sizeof *v), *Mv = calloc((size_t)p->n, sizeof *Mv), most = 0;
    int64_t nx = t->cells[0] + 1, ny = t->cells[1] + 1, nz = t->cells[2] + 1;
    assert_true(v && Mv);
    for (int64_t k = 0; k < p->n / 3; k++) {
        int64_t at = k % (nx * ny * nz);
        double x = t->edge * (double)(at % nx), y = t->edge * (double)(at / nx % ny),
               z = t->edge * (double)(at / (nx * ny));
        v[3 * k] = a[0] + turn[1] * z - turn[2] * y;
        v[3 * k + 1] = a[1] + turn[2] * x - turn[0] * z;
        v[3 * k + 2] = a[2] + turn[0] * y - turn[1] * x;
    }
    saddle_matrix_apply(&p->M, 1, v, 0, Mv);
    *work = 0;
    for (int64_t i = 0; i < p->n; i++) {
        most = fmax(most, fabs(Mv[i]));
        *work += v[i] * Mv[i];
    }
    free(v);
    free(Mv);
    return most;
}

static void stiffness_resists_no_rigid_motion_and_mass_does(void **unused)
{
    (void)unused;
    static const double a[3] = {1, -2, 0.5}, turn[3] = {0.3, 1, -0.7}, still[3] = {0, 0, 0};
    saddle_tied_parameters t = saddle_tied_default();
    double work;
    saddle_problem p = make(&t);
    assert_true(moved(&p, &t, a, turn, &work) < 1e-12 * t.young);
    saddle_problem_clear(&p);
    t.time_step = 1e-3;
    p = make(&t);
    (void)moved(&p, &t, a, still, &work); /* |a|^2 times the mass of 6 x 6 x 6 elements */
    assert_true(fabs(work / (5.25 * t.density * 216 * pow(t.edge, 3)) - 1) < 1e-10);
    saddle_problem_clear(&p);
}

static void impulses_add_up_to_those_of_another_assembly(void **unused)
{
    (void)unused;
    for (int soft = 0; soft < 2; soft++) {
        saddle_tied_parameters t = saddle_tied_default();
        if (soft) t.young = 2e5;
        saddle_problem p = make(&t);
        assert_int_equal(p.n, 1176);
        assert_int_equal(p.m, 2 * 2 * 147 + 147);
        saddle_solution s = solve(&p);
        double unit = soft ? 100 : 1;
        assert_true(fabs(unit * sum_of(&p, s.lambda, 0) - 21104.888) < 1e-3);
        assert_true(fabs(unit * sum_of(&p, s.lambda, 1) + 6283.683) < 1e-3);
        double push = 0; /* of the rows that press the top down: the plane's normal forces */
        for (int64_t row = 0; row < p.m - 147; row++)
            if (row / 147 % 2 == 1 && row % 3 == 2) push += s.lambda[row];
        assert_true(fabs(unit * push + 21104.888) < 1e-3);
        saddle_solution_clear(&s);
        saddle_problem_clear(&p);
    }
}

/* Redundant rows change no velocity, and a held top with a moving plane is the same motion seen
 * from above. */
static void copies_and_the_way_of_holding_the_top_change_no_contact_impulse(void **unused)
{
    (void)unused;
    saddle_tied_parameters t = saddle_tied_default();
    t.cells[0] = t.cells[1] = t.cells[2] = 3;
    t.time_step = 1e-3;
    t.density = 1e-3; /* near statics: inertia alone tells the two frames apart */
    double sum[3][3];
    for (int way = 0; way < 3; way++) {
        t.copies = way == 1 ? 3 : 1;
        t.top = way == 2 ? SADDLE_TIED_HELD : SADDLE_TIED_DRIVEN;
        saddle_problem p = make(&t);
        saddle_solution s = solve(&p);
        for (int i = 0; i < 3; i++) sum[way][i] = sum_of(&p, s.lambda, i);
        saddle_solution_clear(&s);
        saddle_problem_clear(&p);
    }
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(sum[1][i] - sum[0][i]) < 1e-7 * sum[0][0]);
        assert_true(fabs(sum[2][i] - sum[0][i]) < 1e-4 * sum[0][0]);
    }
}

/* A block that arrives leaves with less momentum by what the contacts took. */
static void a_free_block_loses_the_momentum_that_contacts_take(void **unused)
{
    (void)unused;
    static const int direction[3] = {2, 0, 1};
    saddle_tied_parameters t = saddle_tied_default();
    t.blocks = 1;
    t.time_step = 1e-3;
    t.top = SADDLE_TIED_FREE;
    saddle_problem p = make(&t);
    saddle_solution s = solve(&p);
    double *Mv = calloc((size_t)p.n, sizeof *Mv);
    assert_non_null(Mv);
    saddle_matrix_apply(&p.M, 1, s.v, 0, Mv);
    for (int i = 0; i < 3; i++) {
        double change = 0;
        for (int64_t k = direction[i]; k < p.n; k += 3) change += Mv[k] - p.f[k];
        assert_true(fabs(change - sum_of(&p, s.lambda, i)) < 1e-8 * sum_of(&p, s.lambda, 0));
    }
    free(Mv);
    saddle_solution_clear(&s);
    saddle_problem_clear(&p);
}

static void parameters_out_of_range_are_refused(void **unused)
{
    (void)unused;
    saddle_problem p;
    saddle_tied_parameters t = saddle_tied_default();
    t.top = SADDLE_TIED_FREE; /* static */
    assert_int_equal(saddle_generate_tied(NULL, &t, &p), SADDLE_INVALID_ARGUMENT);
    t = saddle_tied_default();
    t.copies = 0;
    assert_int_equal(saddle_generate_tied(NULL, &t, &p), SADDLE_INVALID_ARGUMENT);
    t = saddle_tied_default();
    t.poisson = 0.5;
    assert_int_equal(saddle_generate_tied(NULL, &t, &p), SADDLE_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_resists_no_rigid_motion_and_mass_does),
        cmocka_unit_test(impulses_add_up_to_those_of_another_assembly),
        cmocka_unit_test(copies_and_the_way_of_holding_the_top_change_no_contact_impulse),
        cmocka_unit_test(a_free_block_loses_the_momentum_that_contacts_take),
        cmocka_unit_test(parameters_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
