/* SPDX-License-Identifier: MIT */
/* Single velocities, and the rows of single contacts, in units of their own: every step of admm and
 * gauss-seidel is the same, to the bit.  Block pivoting is not asked: its dense basis exchanges
 * rows by the size of entries in the rows' units, and staggered takes its normal impulses from
 * there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generators.h"
#include "support.h"

typedef struct units {
    double *velocity, *row; /* n, m: one is as many of the new units */
} units;

static void *zeros(int64_t count)
{
    void *memory = calloc((size_t)count + 1, sizeof(double));
    assert_non_null(memory);
    return memory;
}

/* Powers of two, of a contact's rows the same. */
static units draw_units(uint64_t *seed, const saddle_problem *p)
{
    units u = {zeros(p->n), zeros(p->m)};
    for (int64_t j = 0; j < p->n; j++) u.velocity[j] = ldexp(1, (int)test_integer(seed, -20, 20));
    for (int64_t i = 0; i < p->m; i++) u.row[i] = ldexp(1, (int)test_integer(seed, -20, 20));
    for (int64_t c = 0; c < p->contact_count; c++)
        for (int64_t i = 1; i < p->contacts[c].size; i++)
            u.row[p->contacts[c].row + i] = u.row[p->contacts[c].row];
    return u;
}

static void scale_entries(saddle_matrix *A, const double *of_row, const double *of_column)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            A->value[k] *= of_row[A->index[k]] * of_column[j];
}

static void scale(const units *u, saddle_problem *p)
{
    scale_entries(&p->M, u->velocity, u->velocity);
    scale_entries(&p->Jt, u->velocity, u->row);
    scale_entries(&p->R, u->row, u->row);
    for (int64_t j = 0; p->f && j < p->n; j++) p->f[j] *= u->velocity[j];
    for (int64_t i = 0; i < p->m; i++) {
        if (p->b) p->b[i] *= u->row[i];
        if (p->lo) p->lo[i] /= u->row[i];
        if (p->hi) p->hi[i] /= u->row[i];
    }
}

static void draw_wall(uint64_t *seed, saddle_law law, saddle_problem *p)
{
    saddle_wall_parameters wall = saddle_wall_default();
    wall.columns = test_integer(seed, 2, 4);
    wall.courses = test_integer(seed, 2, 4);
    wall.mu = test_uniform(seed, 0.2, 0.8);
    wall.law = law;
    assert_int_equal(saddle_generate_wall(NULL, &wall, p), SADDLE_OK);
}

static void draw_stack(uint64_t *seed, saddle_law law, saddle_problem *p)
{
    saddle_stack_parameters stack = saddle_stack_default();
    stack.boxes = test_integer(seed, 4, 6);
    stack.mu = test_uniform(seed, 0.2, 0.8);
    stack.law = law;
    assert_int_equal(saddle_generate_stack(NULL, &stack, p), SADDLE_OK);
}

static saddle_report solve(const char *solver, const saddle_problem *p, saddle_solution *x)
{
    saddle_report report;
    memset(x, 0, sizeof *x);
    saddle_status status = saddle_solve(NULL, p, solver, NULL, NULL, x, &report);
    if (status < 0) fail_msg("%s: %s", solver, saddle_status_name(status));
    return report;
}

/* The same answer as of the problem in common units, x, after as many iterations and pivots. */
static void change_units(uint64_t *seed, const char *solver, const saddle_problem *p,
                         const saddle_solution *x, const saddle_report *report)
{
    saddle_problem scaled;
    saddle_solution y;
    units u = draw_units(seed, p);
    assert_int_equal(saddle_problem_copy(NULL, p, &scaled), SADDLE_OK);
    scale(&u, &scaled);
    saddle_report other = solve(solver, &scaled, &y);
    if (other.iterations != report->iterations || other.pivots != report->pivots)
        fail_msg("%s: %d iterations and %d pivots, in other units %d and %d", solver,
                 (int)report->iterations, (int)report->pivots, (int)other.iterations,
                 (int)other.pivots);
    assert_int_equal(other.status, report->status);
    assert_true(other.residual.total == report->residual.total);
    for (int64_t j = 0; j < p->n; j++) assert_true(x->v[j] == y.v[j] * u.velocity[j]);
    for (int64_t i = 0; i < p->m; i++) assert_true(x->lambda[i] == y.lambda[i] * u.row[i]);
    saddle_solution_clear(&y);
    saddle_problem_clear(&scaled);
    free(u.velocity);
    free(u.row);
}

typedef void draw_function(uint64_t *seed, saddle_law law, saddle_problem *p);

static void ask(draw_function *draw, saddle_law law, const char *const *solvers)
{
    uint64_t seed = test_seed();
    int64_t iterations = 0, solved = 0, asked = 0;
    for (int64_t k = 0; k < test_draws_at_least(1, 5); k++) {
        saddle_problem p;
        draw(&seed, law, &p);
        for (int s = 0; solvers[s]; s++) {
            saddle_solution x;
            saddle_report report = solve(solvers[s], &p, &x);
            change_units(&seed, solvers[s], &p, &x, &report);
            iterations += report.iterations;
            solved += report.status == SADDLE_OK;
            asked++;
            saddle_solution_clear(&x);
        }
        saddle_problem_clear(&p);
    }
    print_message("    %d of %d solved, %d iterations\n", (int)solved, (int)asked, (int)iterations);
    assert_true(iterations > 5 * asked);
}

/* auto ends by admm or sweeps. */
static void units_of_parts_change_no_step_with_cones(void **unused)
{
    (void)unused;
    static const char *const solvers[] = {"admm", "gauss-seidel", "auto", NULL};
    ask(draw_wall, SADDLE_LAW_CONE, solvers);
    ask(draw_stack, SADDLE_LAW_CONE, solvers);
}

/* auto ends by block pivoting. */
static void units_of_parts_change_no_step_with_boxes(void **unused)
{
    (void)unused;
    static const char *const solvers[] = {"admm", "gauss-seidel", NULL};
    ask(draw_wall, SADDLE_LAW_BOX, solvers);
    ask(draw_stack, SADDLE_LAW_BOX, solvers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_of_parts_change_no_step_with_cones),
        cmocka_unit_test(units_of_parts_change_no_step_with_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
