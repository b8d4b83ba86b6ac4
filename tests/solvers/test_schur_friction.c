/* SPDX-License-Identifier: MIT */
/* schur, and auto, on friction of the box law: public problems in the plane, where the box is the
 * pyramid of two facets and the cone; a sparse heap; the coefficient of friction as data of a
 * solve; units; memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "enumeration.h"

static saddle_report solve_to(double tolerance, const saddle_problem *problem, const char *solver,
                              saddle_solution *solution)
{
    saddle_report report;
    saddle_options options = saddle_options_default();
    options.tolerance = tolerance;
    saddle_status status = saddle_solve(NULL, problem, solver, &options, NULL, solution, &report);
    if (status < 0) fail_msg("%s: %s", solver, saddle_status_name(status));
    return report;
}

static saddle_report solve(const saddle_problem *problem, const char *solver,
                           saddle_solution *solution)
{
    return solve_to(saddle_options_default().tolerance, problem, solver, solution);
}

static double total_under(const saddle_problem *problem, saddle_law law,
                          const saddle_solution *solution)
{
    saddle_problem other = *problem;
    saddle_residual residual;
    other.law = law;
    other.facets = 0;
    assert_int_equal(saddle_solution_check(NULL, &other, solution, &residual, NULL), SADDLE_OK);
    return residual.total;
}

/* schur whatever the tolerance; auto, which begins with sweeps, where asked to. */
static void friction_problems_in_the_plane_are_solved_exactly_by_any_of_the_laws(void **state)
{
    (void)state;
    static const char *const files[] = {
        "fc2d_siconos/FC2D_SliderCrankLagrangian00000.dat",
        "fc2d_siconos/FrictionContactProblem00031.dat",
        "fc2d_siconos/FrictionContactProblem00394.dat",
        "fc2d_siconos/FrictionContactProblem00237.dat",
        "fc2d_siconos/gfc2d_granularflowonwall_00069_00350.dat",
        "fc2d_siconos/fc2d_granularflowonwall_00667_00000.dat",
        "fc2d_siconos/gfc2d_granularflowonwall_00000_00117.dat",
        "fc2d_siconos/fc2d_granularflowonwall_02020_00213.dat",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        saddle_problem problem = {0};
        saddle_read_options options = {0};
        if (saddle_problem_read(NULL, test_data_path(files[k]), &options, &problem, NULL, NULL,
                                NULL) != SADDLE_OK)
            fail_msg("%s cannot be read", files[k]);
        static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID, SADDLE_LAW_CONE};
        for (int law = 0; law < 6; law++) {
            const char *solver = law / 3 ? "auto" : "schur";
            saddle_solution x = {0};
            problem.law = laws[law % 3];
            problem.facets = problem.law == SADDLE_LAW_PYRAMID ? 2 : 0; /* what the plane has, said
                                                                           or not */
            saddle_report report = law / 3 ? solve_to(1e-13, &problem, solver, &x)
                                           : solve(&problem, solver, &x);
            if (report.status != SADDLE_OK)
                fail_msg("%s by %s: %g", files[k], solver, report.residual.total);
            if (strcmp(report.solver, "pivot") == 0 && !strstr(report.note, "islands"))
                assert_true(problem.m <= 3000); /* dense columns */
            for (int as = 0; as < 3; as++)
                assert_true(total_under(&problem, laws[as], &x) <= 1e-13);
            saddle_solution_clear(&x);
        }
        saddle_problem_clear(&problem);
    }
}

/* The answer of sweeps that stall is the start of block pivoting. */
static void auto_pivots_from_the_states_that_sweeps_found(void **state)
{
    (void)state;
    saddle_problem problem = {0};
    saddle_read_options options = {0};
    saddle_solution x[2] = {{0}};
    const char *path = test_data_path("fc3d_siconos/BoxesStack1-i100000-32.hdf5.dat");
    assert_int_equal(saddle_problem_read(NULL, path, &options, &problem, NULL, NULL, NULL),
                     SADDLE_OK);
    problem.law = SADDLE_LAW_BOX;
    saddle_report alone = solve(&problem, "schur", &x[0]);
    saddle_report report = solve(&problem, "auto", &x[1]);
    assert_int_equal(alone.status, SADDLE_OK);
    assert_int_equal(report.status, SADDLE_OK);
    assert_string_equal(report.solver, "schur");
    assert_non_null(strstr(report.note, "gauss-seidel, then schur"));
    print_message("    %d pivots, %d alone\n", (int)report.pivots, (int)alone.pivots);
    assert_true(4 * report.pivots < alone.pivots);
    for (int k = 0; k < 2; k++) saddle_solution_clear(&x[k]);
    saddle_problem_clear(&problem);
}

static saddle_status supports(const char *name, const saddle_problem *problem)
{
    const saddle_solver_type *type = NULL;
    for (int64_t k = 0;
         (type = saddle_solver_type_at(NULL, k)) != NULL && strcmp(type->name, name) != 0;)
        k++;
    assert_non_null(type);
    return saddle_solver_type_supports(NULL, type, problem);
}

static void pyramids_and_cones_in_the_plane_are_boxes_in_space_they_are_not(void **state)
{
    (void)state;
    static const char *const names[] = {"schur", "pivot"};
    double value[] = {2.0, 3.0, 4.0, 2.0, 3.0};
    double b[] = {1.0, -2.0, 1.0, 1.0, 5.0};
    int64_t index[] = {0, 1, 2, 3, 4};
    saddle_contact contact[] = {{.row = 0, .size = 2, .mu = 0.5}, {.row = 2, .size = 2, .mu = 0.5}};
    saddle_problem problem = {.m = 5, .b = b, .contacts = contact, .contact_count = 2};
    assert_int_equal(saddle_matrix_from_triplets(NULL, 5, 5, 5, index, index, value,
                                                 SADDLE_SYMMETRY_LOWER, &problem.R),
                     SADDLE_OK);
    for (int k = 0; k < 2; k++) {
        static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID, SADDLE_LAW_CONE};
        saddle_solution x[3] = {{0}};
        for (int law = 0; law < 3; law++) {
            problem.law = laws[law];
            saddle_report report = solve(&problem, names[k], &x[law]);
            assert_int_equal(report.status, SADDLE_OK);
            assert_true(report.residual.total <= 1e-10);
        }
        assert_memory_equal(x[0].lambda, x[1].lambda, 5 * sizeof(double));
        assert_memory_equal(x[0].lambda, x[2].lambda, 5 * sizeof(double));
        assert_true(fabs(x[1].lambda[0] - 0.5) < 1e-15 &&
                    fabs(x[1].lambda[1] + 0.25) < 1e-15); /* it slides */
        for (int law = 0; law < 3; law++) saddle_solution_clear(&x[law]);
        problem.law = SADDLE_LAW_ASSOCIATED;
        assert_int_equal(supports(names[k], &problem), SADDLE_UNSUPPORTED);
        contact[1].size = 3;
        for (int law = 1; law < 3; law++) {
            problem.law = laws[law];
            assert_int_equal(supports(names[k], &problem), SADDLE_UNSUPPORTED);
        }
        problem.law = SADDLE_LAW_BOX;
        assert_int_equal(supports(names[k], &problem), SADDLE_OK);
        contact[1].size = 2;
    }
    saddle_matrix_clear(&problem.R);
}

/* ---- a heap ---- */

enum { SIDE = 12, DISCS = SIDE * SIDE, ROWS = 8 * DISCS };

typedef struct heap {
    int64_t count, rows, contacts;
    int64_t row[8 * ROWS], col[8 * ROWS];
    double value[8 * ROWS], f[2 * DISCS], mass[2 * DISCS];
    int64_t index[2 * DISCS];
    saddle_contact contact[ROWS];
    saddle_problem problem;
} heap;

/* Normal (x, y) from b to a, and the tangent; b < 0: a wall. */
static void touch(heap *h, int64_t a, int64_t b, double x, double y)
{
    double direction[2][2] = {{x, y}, {-y, x}};
    h->contact[h->contacts++] = (saddle_contact){.row = h->rows, .size = 2, .mu = 0.3};
    for (int way = 0; way < 2; way++, h->rows++) {
        for (int body = 0; body < (b < 0 ? 1 : 2); body++) {
            for (int axis = 0; axis < 2; axis++) {
                h->row[h->count] = 2 * (body ? b : a) + axis;
                h->col[h->count] = h->rows;
                h->value[h->count++] = (body ? -1.0 : 1.0) * direction[way][axis];
            }
        }
    }
}

/* Points of mass 1 in a triangular lattice between two walls, kicked. */
static heap *make_heap(uint64_t *seed, int64_t side)
{
    heap *h = calloc(1, sizeof *h);
    assert_non_null(h);
    for (int64_t y = 0; y < side; y++) {
        for (int64_t x = 0; x < side; x++) {
            int64_t disc = y * side + x;
            int64_t left = x - (y + 1) % 2;
            if (y == 0) touch(h, disc, -1, 0.0, 1.0);
            if (y > 0 && left >= 0) touch(h, disc, disc - x - side + left, 0.5, sqrt(0.75));
            if (y > 0 && left + 1 < side)
                touch(h, disc, disc - x - side + left + 1, -0.5, sqrt(0.75));
            touch(h, disc, x > 0 ? disc - 1 : -1, 1.0, 0.0);
            if (x == side - 1) touch(h, disc, -1, -1.0, 0.0);
        }
    }
    for (int64_t j = 0; j < 2 * side * side; j++) {
        h->index[j] = j;
        h->mass[j] = 1.0;
        h->f[j] = test_uniform(seed, -0.5, 0.5) - (double)(j % 2);
    }
    saddle_problem *p = &h->problem;
    *p = (saddle_problem){.n = 2 * side * side,
                          .m = h->rows,
                          .f = h->f,
                          .contacts = h->contact,
                          .contact_count = h->contacts,
                          .law = SADDLE_LAW_BOX};
    assert_int_equal(saddle_matrix_from_triplets(NULL, p->n, p->n, p->n, h->index, h->index,
                                                 h->mass, SADDLE_SYMMETRY_LOWER, &p->M),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_from_triplets(NULL, p->n, p->m, h->count, h->row, h->col,
                                                 h->value, SADDLE_SYMMETRY_NONE, &p->Jt),
                     SADDLE_OK);
    return h;
}

static void drop_heap(heap *h)
{
    saddle_matrix_clear(&h->problem.M);
    saddle_matrix_clear(&h->problem.Jt);
    free(h);
}

static void a_heap_with_more_contacts_than_motions_is_solved_sparse(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 5; draw++) {
        heap *h = make_heap(&seed, SIDE);
        saddle_solution x = {0};
        saddle_report report = solve(&h->problem, "schur", &x);
        if (report.status != SADDLE_OK)
            fail_msg("residual %g, %s", report.residual.total, report.note);
        int64_t slides = 0;
        int64_t sticks = 0;
        for (int64_t k = 0; k < h->contacts; k++) {
            const saddle_contact *c = &h->contact[k];
            double normal = x.lambda[c->row];
            double room = c->mu * normal - fabs(x.lambda[c->row + 1]);
            assert_true(normal >= 0.0 && room >= -1e-12);
            slides += normal > 1e-6 && room < 1e-9;
            sticks += normal > 1e-6 && room > 1e-6;
        }
        assert_true(slides > 10 && sticks > 10);
        saddle_solution_clear(&x);
        drop_heap(h);
    }
}

static void the_same_heap_gives_the_same_bits(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    heap *h = make_heap(&seed, SIDE);
    saddle_solution x = {0};
    saddle_solution y = {0};
    solve(&h->problem, "schur", &x);
    solve(&h->problem, "schur", &y);
    assert_memory_equal(x.lambda, y.lambda, (size_t)h->rows * sizeof *x.lambda);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    drop_heap(h);
}

/* ---- small ones against brute force ---- */

static mixed *draw_contacts(uint64_t *seed, int64_t largest)
{
    for (;;) {
        mixed_kind kind = mixed_draw_kind(seed, largest);
        kind.contacts = 1;
        if (kind.class != MIXED_DEFINITE && kind.class != MIXED_MONOTONE) continue;
        mixed *p = mixed_draw(seed, kind);
        if (p->problem.contact_count > 0) {
            p->problem.law = SADDLE_LAW_BOX;
            return p;
        }
        mixed_clear(p);
    }
}

/* One solver object for problems with different mu, f and b: a factorization for one mu is not used
 * for another. */
static void friction_is_data_of_a_solve(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    int64_t compared = 0;
    for (int draw = 0; draw < test_draws(300); draw++) {
        mixed *p = draw_contacts(&seed, 6);
        saddle_solver *solver;
        saddle_solution x = {0};
        saddle_options options = saddle_options_default();
        assert_int_equal(saddle_solver_create(NULL, "schur", &options, &solver), SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, p->problem.n, p->problem.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p->problem), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p->problem), SADDLE_OK);
        for (int step = 0; step < 4; step++) {
            for (int64_t k = 0; k < p->problem.contact_count; k++)
                p->contact[k].mu = test_uniform(&seed, 0.0, 0.8);
            for (int64_t i = 0; i < p->problem.m; i++) p->b[i] += test_uniform(&seed, -0.2, 0.2);
            saddle_status status = saddle_solver_solve(solver, &p->problem, step % 2 ? &x : NULL,
                                                       &x);
            enumerate_states(&p->problem, found);
            if (status != SADDLE_OK) fail_msg("draw %d: %s", draw, saddle_status_name(status));
            assert_true(enumeration_defect(&p->problem, x.v, x.lambda, NULL) < 1e-8);
            double away;
            enumeration_nearest(&p->problem, found, x.v, x.lambda, &away);
            if (!enumeration_is_complete(found)) continue;
            assert_true(away < 1e-5);
            compared++;
        }
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        mixed_clear(p);
    }
    assert_true(compared > test_draws(1000));
    free(found);
}

/* Lagged bounds of friction: where they converge, the coupled law is solved; convergence is usual,
 * not guaranteed. */
static void friction_that_lags_and_settles_solves_the_coupled_law(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t solved = 0;
    int64_t more_steps = 0;
    for (int draw = 0; draw < test_draws(500); draw++) {
        mixed *p = draw_contacts(&seed, 7);
        saddle_options options = saddle_options_default();
        saddle_solution x = {0};
        saddle_report coupled;
        saddle_report lagged;
        assert_int_equal(saddle_solve(NULL, &p->problem, "schur", &options, NULL, &x, &coupled),
                         SADDLE_OK);
        saddle_solution_clear(&x);
        options.settings = "schur.lagged_friction=on";
        options.max_refinements = 200;
        saddle_status status = saddle_solve(NULL, &p->problem, "schur", &options, NULL, &x,
                                            &lagged);
        assert_true(status >= 0 && status != SADDLE_INFEASIBLE);
        if (status == SADDLE_OK)
            assert_true(enumeration_defect(&p->problem, x.v, x.lambda, NULL) < 1e-8);
        solved += status == SADDLE_OK;
        more_steps += lagged.refinements > coupled.refinements;
        saddle_solution_clear(&x);
        mixed_clear(p);
    }
    print_message("%d of %d settle\n", (int)solved, (int)test_draws(500));
    assert_true(solved > test_draws(400) && more_steps > test_draws(100));
}

/* Of a heap a few steps, which ask for memory as all do. */
static saddle_status solve_in(saddle_context *context, void *user)
{
    const saddle_problem *problem = user;
    saddle_solution x = {0};
    saddle_options options = saddle_options_default();
    options.max_iterations = problem->m > 100 ? 8 : 0;
    saddle_status status = saddle_solve(context, problem, "schur", &options, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    heap *h = make_heap(&seed, 7); /* sparse */
    assert_true(test_allocation_sweep(solve_in, &h->problem) > 50);
    drop_heap(h);
    for (int draw = 0; draw < 4; draw++) { /* dense, M symmetric or not */
        mixed *p = draw_contacts(&seed, 6);
        assert_true(test_allocation_sweep(solve_in, &p->problem) > 12);
        mixed_clear(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_problems_in_the_plane_are_solved_exactly_by_any_of_the_laws),
        cmocka_unit_test(auto_pivots_from_the_states_that_sweeps_found),
        cmocka_unit_test(pyramids_and_cones_in_the_plane_are_boxes_in_space_they_are_not),
        cmocka_unit_test(a_heap_with_more_contacts_than_motions_is_solved_sparse),
        cmocka_unit_test(the_same_heap_gives_the_same_bits),
        cmocka_unit_test(friction_is_data_of_a_solve),
        cmocka_unit_test(friction_that_lags_and_settles_solves_the_coupled_law),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests_name("schur friction", tests, NULL, NULL);
}
