/* SPDX-License-Identifier: MIT */
/* One symmetric matrix by its lower triangle, by both, and marked general: all solvers see the
 * same. */
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawn_mixed.h"

/* ---- four velocities, one equation ---- */

enum { N = 4, M_ENTRIES = N * N };

/* M full by columns, one row that sums the velocities. */
typedef struct system {
    saddle_context *context;
    saddle_solver *solver;
    saddle_problem problem;
    saddle_solution solution;
    int64_t start[N + 1], index[M_ENTRIES], J_start[2], J_index[N];
    double value[M_ENTRIES], J_value[N], f[N];
} system;

static void open_system(system *x, saddle_symmetry symmetry)
{
    memset(x, 0, sizeof *x);
    assert_int_equal(saddle_context_create(NULL, &x->context), SADDLE_OK);
    for (int64_t j = 0; j < N; j++) {
        x->start[j + 1] = N * (j + 1);
        x->J_index[j] = j;
        x->J_value[j] = 1;
        x->f[j] = (double)(1 - 2 * (j % 2)) + 0.1 * (double)j;
        for (int64_t i = 0; i < N; i++) {
            x->index[i + N * j] = i;
            x->value[i + N * j] = i == j ? 4.0 + 0.1 * (double)i : 1.0 / (double)(2 + i + j);
        }
    }
    x->J_start[1] = N;
    x->problem = (saddle_problem){.n = N,
                                  .m = 1,
                                  .f = x->f,
                                  .M = saddle_matrix_view(N, N, x->start, x->index, x->value,
                                                          symmetry),
                                  .Jt = saddle_matrix_view(N, 1, x->J_start, x->J_index, x->J_value,
                                                           SADDLE_SYMMETRY_NONE)};
    assert_int_equal(saddle_solution_create(x->context, N, 1, &x->solution), SADDLE_OK);
}

static void close_system(system *x)
{
    saddle_solver_free(x->solver);
    saddle_solution_clear(&x->solution);
    saddle_context_free(x->context);
}

static saddle_status refresh(system *x)
{
    saddle_status status = saddle_solver_factor(x->solver, &x->problem);
    return status == SADDLE_OK ? saddle_solver_solve(x->solver, &x->problem, NULL, &x->solution)
                               : status;
}

static saddle_status begin(system *x, const char *name)
{
    saddle_status status = saddle_solver_create(x->context, name, NULL, &x->solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(x->solver, &x->problem);
    return status == SADDLE_OK ? refresh(x) : status;
}

static void assert_taken(const system *x, const char *solver, const char *in_note)
{
    const saddle_report *report = saddle_solver_report(x->solver);
    assert_string_equal(report->solver, solver);
    assert_non_null(strstr(report->note, in_note));
}

static double total_of(const system *x)
{
    double work[256];
    saddle_residual residual;
    assert_true(saddle_residual_work_size(&x->problem) <= 256);
    saddle_residual_compute(&x->problem, x->solution.v, x->solution.lambda, x->solution.w, work,
                            &residual);
    return residual.total;
}

static void auto_takes_ldlt_where_a_general_matrix_is_symmetric(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_NONE);
    assert_int_equal(begin(&x, "auto"), SADDLE_OK);
    assert_taken(&x, "ldlt", "M: marked general, found symmetric");
    close_system(&x);
    open_system(&x, SADDLE_SYMMETRY_FULL); /* what was said is no news */
    assert_int_equal(begin(&x, "auto"), SADDLE_OK);
    assert_taken(&x, "ldlt", "symmetric");
    assert_null(strstr(saddle_solver_report(x.solver)->note, "found"));
    close_system(&x);
}

static void triangles_that_differ_by_rounding_are_equal(void **state)
{
    (void)state;
    for (int marked = 0; marked < 2; marked++) {
        system x;
        open_system(&x, marked ? SADDLE_SYMMETRY_FULL : SADDLE_SYMMETRY_NONE);
        x.value[1] += 8 * DBL_EPSILON;
        assert_int_equal(begin(&x, "auto"), SADDLE_OK);
        assert_taken(&x, "ldlt", "symmetric");
        close_system(&x);
    }
}

static void an_entry_without_its_mirror_image_is_no_rounding(void **state)
{
    (void)state;
    for (int upper = 0; upper < 2; upper++) {
        system x;
        open_system(&x, SADDLE_SYMMETRY_NONE);
        int64_t start[] = {0, 1, 2, 3, 4}, index[] = {0, 1, 2, 3, 3};
        double value[] = {1, 1, 1, 1, 1};
        for (int64_t j = upper ? N : 1; j <= N; j++) start[j]++; /* (1, 4) or (4, 1) */
        for (int64_t j = 0; j < N; j++) index[start[j]] = j;
        index[upper ? 3 : 1] = upper ? 0 : 3;
        index[4] = 3;
        value[upper ? 3 : 1] = 1e-30;
        x.problem.M = saddle_matrix_view(N, N, start, index, value, SADDLE_SYMMETRY_NONE);
        assert_int_equal(begin(&x, "auto"), SADDLE_OK);
        assert_taken(&x, "lu", "unsymmetric");
        close_system(&x);
    }
}

static void values_that_lose_their_symmetry_are_solved_all_the_same(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_NONE);
    assert_int_equal(begin(&x, "auto"), SADDLE_OK);
    assert_taken(&x, "ldlt", "symmetric");
    x.value[1] = -1.5;
    assert_int_equal(refresh(&x), SADDLE_OK);
    assert_taken(&x, "lu", "unsymmetric");
    assert_true(total_of(&x) <= 1e-10);
    x.value[1] = x.value[N];
    assert_int_equal(refresh(&x), SADDLE_OK);
    assert_true(total_of(&x) <= 1e-10);
    x.value[0] = 7.0; /* of the same pattern, nothing but values */
    assert_int_equal(refresh(&x), SADDLE_OK);
    assert_true(total_of(&x) <= 1e-10);
    close_system(&x);
}

static void ldlt_by_name_takes_a_general_matrix_while_it_is_symmetric(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_NONE);
    assert_int_equal(begin(&x, "ldlt"), SADDLE_OK);
    x.value[1] = -1.5;
    assert_int_equal(refresh(&x), SADDLE_UNSUPPORTED);
    assert_non_null(strstr(saddle_context_message(x.context), "unsymmetric M or R"));
    assert_int_equal(refresh(&x), SADDLE_WRONG_PHASE);
    close_system(&x);
}

static void unequal_triangles_are_refused_where_they_were_said_to_be_equal(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_FULL);
    assert_int_equal(saddle_matrix_check(x.context, &x.problem.M, "M"), SADDLE_OK);
    assert_int_equal(begin(&x, "auto"), SADDLE_OK);
    x.value[2] += 1e-9;
    assert_int_equal(saddle_matrix_check(x.context, &x.problem.M, "M"), SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(x.context),
                        "M: marked SADDLE_SYMMETRY_FULL, but entry (3, 1) is not equal to (1, 3)");
    assert_int_equal(saddle_problem_check(x.context, &x.problem, NULL, NULL),
                     SADDLE_INVALID_PROBLEM);
    assert_non_null(strstr(saddle_context_message(x.context), "entry (3, 1) is 0.2500000010"));
    assert_int_equal(refresh(&x), SADDLE_INVALID_PROBLEM);
    x.problem.M.symmetry = (saddle_symmetry)3;
    assert_int_equal(saddle_matrix_check(x.context, &x.problem.M, "M"), SADDLE_INVALID_ARGUMENT);
    close_system(&x);
}

/* ---- every solver ---- */

static void expand_as(saddle_matrix *A, saddle_symmetry symmetry)
{
    saddle_matrix full;
    assert_int_equal(saddle_matrix_expand(NULL, A, &full), SADDLE_OK);
    saddle_matrix_clear(A);
    *A = full;
    A->symmetry = symmetry;
}

static saddle_status solve_by(const char *name, const mixed *p, saddle_solution *x,
                              saddle_report *report)
{
    saddle_options options = saddle_options_default();
    options.max_iterations = 200;
    return saddle_solve(NULL, &p->problem, name, &options, NULL, x, report);
}

/* The answers of one problem stored in two ways, bit for bit. */
static void compare(const char *name, const mixed *p, const mixed *stored)
{
    saddle_solution x = {0}, y = {0};
    saddle_report report, other;
    saddle_status status = solve_by(name, p, &x, &report);
    assert_int_equal(solve_by(name, stored, &y, &other), status);
    assert_string_equal(report.solver, other.solver);
    if (status >= 0) assert_memory_equal(x.v, y.v, (size_t)x.n * sizeof *x.v);
    if (status >= 0) assert_memory_equal(x.lambda, y.lambda, (size_t)x.m * sizeof *x.lambda);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
}

static void every_solver_gives_one_answer_however_symmetric_matrices_are_stored(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t compared = 0;
    for (int64_t k = 0; k < test_draws(300); k++) {
        mixed_kind kind = mixed_draw_kind(&seed, 8);
        kind.class = k % 2 ? MIXED_DEFINITE : MIXED_SEMIDEFINITE;
        if (k % 2 == 0) kind.contacts = 0;
        uint64_t again = seed;
        mixed *p = mixed_draw(&seed, kind);
        saddle_symmetry symmetry = k % 3 ? SADDLE_SYMMETRY_FULL : SADDLE_SYMMETRY_NONE;
        mixed *stored = mixed_draw(&again, kind);
        expand_as(&stored->problem.M, symmetry);
        expand_as(&stored->problem.R, symmetry);
        const saddle_solver_type *type;
        for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++, compared++)
            compare(type->name, p, stored);
        mixed_clear(p);
        mixed_clear(stored);
    }
    assert_true(compared > test_draws(1000));
}

static void a_full_matrix_without_entries_is_zero(void **state)
{
    (void)state;
    double f[2] = {1, 2}, lo[2] = {0, 0};
    int64_t start[3] = {0, 1, 2}, index[2] = {0, 1};
    double one[2] = {1, 1};
    saddle_problem p = {.n = 2, .m = 2, .f = f, .lo = lo};
    p.M = p.Jt = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_NONE);
    p.M.symmetry = SADDLE_SYMMETRY_FULL;
    p.R = saddle_matrix_view(2, 2, NULL, NULL, NULL, SADDLE_SYMMETRY_FULL);
    const saddle_solver_type *type;
    for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
        if (saddle_solver_type_supports(NULL, type, &p) != SADDLE_OK) continue;
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &p, type->name, NULL, NULL, &x, NULL), SADDLE_OK);
        assert_true(fabs(x.v[0] - 1) + fabs(x.v[1] - 2) < 1e-9);
        saddle_solution_clear(&x);
    }
}

/* ---- beside the solvers ---- */

static void full_matrices_are_made_of_both_triangles(void **state)
{
    (void)state;
    int64_t row[] = {0, 1, 0, 1}, col[] = {0, 0, 1, 1}, start[] = {0, 2, 4};
    int32_t start32[] = {0, 2, 4}, row32[] = {0, 1, 0, 1};
    double value[] = {2, 1, 1, 3};
    saddle_matrix A[3];
    assert_int_equal(saddle_matrix_from_triplets(NULL, 2, 2, 4, row, col, value,
                                                 SADDLE_SYMMETRY_FULL, &A[0]),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_from_csc(NULL, 2, 2, start, row, value, SADDLE_SYMMETRY_FULL,
                                            &A[1]),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_from_csc32(NULL, 2, 2, start32, row32, value,
                                              SADDLE_SYMMETRY_FULL, &A[2]),
                     SADDLE_OK);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(saddle_matrix_check(NULL, &A[k], "A"), SADDLE_OK);
        assert_int_equal(A[k].symmetry, SADDLE_SYMMETRY_FULL);
        assert_int_equal(saddle_matrix_entries(&A[k]), 4);
        saddle_matrix_clear(&A[k]);
    }
    saddle_matrix wide;
    assert_int_equal(saddle_matrix_from_triplets(NULL, 2, 3, 0, NULL, NULL, NULL,
                                                 SADDLE_SYMMETRY_FULL, &wide),
                     SADDLE_INVALID_ARGUMENT);
}

static void arithmetic_takes_a_full_matrix_as_it_is(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_FULL);
    const saddle_matrix *A = &x.problem.M;
    saddle_matrix general = *A, B = {0}, C = {0};
    general.symmetry = SADDLE_SYMMETRY_NONE;
    double y[N] = {0}, z[N] = {0}, asymmetry;
    saddle_matrix_apply(A, 1, x.f, 0, y);
    saddle_matrix_apply(&general, 1, x.f, 0, z);
    assert_memory_equal(y, z, sizeof y);
    assert_int_equal(saddle_matrix_lower(NULL, A, &B), SADDLE_OK);
    saddle_matrix_apply(&B, 1, x.f, 0, z);
    assert_true(test_distance(y, z, N) < 1e-15);
    saddle_matrix_clear(&B);
    assert_int_equal(saddle_matrix_transpose(NULL, A, &B), SADDLE_OK);
    assert_int_equal(B.symmetry, SADDLE_SYMMETRY_FULL);
    assert_int_equal(saddle_matrix_add(NULL, 1, A, -1, &B, &C), SADDLE_OK);
    assert_int_equal(C.symmetry, SADDLE_SYMMETRY_NONE);
    assert_true(saddle_matrix_norm_max(&C) == 0);
    saddle_matrix_clear(&B);
    saddle_matrix_clear(&C);
    assert_int_equal(saddle_matrix_expand(NULL, A, &B), SADDLE_OK);
    assert_int_equal(B.symmetry, SADDLE_SYMMETRY_NONE);
    assert_int_equal(saddle_matrix_asymmetry(NULL, A, &asymmetry), SADDLE_OK);
    assert_true(asymmetry == 0);
    saddle_matrix_clear(&B);
    close_system(&x);
}

static void files_hold_the_lower_triangle_of_a_full_matrix(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_FULL);
    char path[512];
    (void)snprintf(path, sizeof path, "%s/M.mtx", test_scratch_folder());
    saddle_matrix B = {0}, lower = {0};
    assert_int_equal(saddle_matrix_lower(NULL, &x.problem.M, &lower), SADDLE_OK);
    assert_int_equal(saddle_matrix_write(x.context, path, &x.problem.M), SADDLE_OK);
    assert_int_equal(saddle_matrix_read(x.context, path, &B), SADDLE_OK);
    assert_int_equal(B.symmetry, SADDLE_SYMMETRY_LOWER);
    assert_memory_equal(B.value, lower.value,
                        (size_t)saddle_matrix_entries(&lower) * sizeof *B.value);
    saddle_matrix_clear(&B);
    (void)snprintf(path, sizeof path, "%s/bundle", test_scratch_folder());
    saddle_problem back = {0};
    assert_int_equal(saddle_problem_write(x.context, path, SADDLE_FORMAT_BUNDLE, &x.problem),
                     SADDLE_OK);
    assert_int_equal(saddle_problem_read(x.context, path, NULL, &back, NULL, NULL, NULL),
                     SADDLE_OK);
    assert_int_equal(back.M.symmetry, SADDLE_SYMMETRY_LOWER);
    assert_memory_equal(back.M.value, lower.value,
                        (size_t)saddle_matrix_entries(&lower) * sizeof *lower.value);
    saddle_problem_clear(&back);
    (void)snprintf(path, sizeof path, "%s/K.mtx", test_scratch_folder());
    assert_int_equal(saddle_problem_write(x.context, path, SADDLE_FORMAT_MATRIX_MARKET, &x.problem),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_read(x.context, path, &B), SADDLE_OK);
    assert_int_equal(B.symmetry, SADDLE_SYMMETRY_LOWER);
    saddle_matrix_clear(&B);
    saddle_matrix_clear(&lower);
    close_system(&x);
}

static void the_delassus_operator_of_full_matrices_is_symmetric(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_FULL);
    saddle_delassus *D = NULL;
    double full, lower, R[1] = {0.25};
    int64_t start[2] = {0, 1}, index[1] = {0};
    x.problem.R = saddle_matrix_view(1, 1, start, index, R, SADDLE_SYMMETRY_FULL);
    assert_int_equal(saddle_delassus_create(x.context, &x.problem, NULL, &D), SADDLE_OK);
    assert_int_equal(saddle_delassus_form(D, &x.problem), SADDLE_OK);
    assert_int_equal(saddle_delassus_matrix(D)->symmetry, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(saddle_delassus_dense(D, &full, 1), SADDLE_OK);
    saddle_delassus_free(D);
    saddle_problem by_lower = x.problem;
    assert_int_equal(saddle_matrix_lower(NULL, &x.problem.M, &by_lower.M), SADDLE_OK);
    by_lower.R.symmetry = SADDLE_SYMMETRY_LOWER;
    assert_int_equal(saddle_delassus_create(x.context, &by_lower, NULL, &D), SADDLE_OK);
    assert_int_equal(saddle_delassus_form(D, &by_lower), SADDLE_OK);
    assert_int_equal(saddle_delassus_dense(D, &lower, 1), SADDLE_OK);
    assert_true(full == lower);
    saddle_delassus_free(D);
    saddle_matrix_clear(&by_lower.M);
    close_system(&x);
}

static saddle_status solve_general(saddle_context *context, void *user)
{
    const system *x = user;
    saddle_solution solution = {0};
    saddle_status status = saddle_solve(context, &x->problem, "auto", NULL, NULL, &solution, NULL);
    saddle_solution_clear(&solution);
    return status;
}

static void failing_allocations_leak_nothing(void **state)
{
    (void)state;
    system x;
    open_system(&x, SADDLE_SYMMETRY_NONE);
    assert_true(test_allocation_sweep(solve_general, &x) > 10);
    close_system(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_takes_ldlt_where_a_general_matrix_is_symmetric),
        cmocka_unit_test(triangles_that_differ_by_rounding_are_equal),
        cmocka_unit_test(an_entry_without_its_mirror_image_is_no_rounding),
        cmocka_unit_test(values_that_lose_their_symmetry_are_solved_all_the_same),
        cmocka_unit_test(ldlt_by_name_takes_a_general_matrix_while_it_is_symmetric),
        cmocka_unit_test(unequal_triangles_are_refused_where_they_were_said_to_be_equal),
        cmocka_unit_test(every_solver_gives_one_answer_however_symmetric_matrices_are_stored),
        cmocka_unit_test(a_full_matrix_without_entries_is_zero),
        cmocka_unit_test(full_matrices_are_made_of_both_triangles),
        cmocka_unit_test(arithmetic_takes_a_full_matrix_as_it_is),
        cmocka_unit_test(files_hold_the_lower_triangle_of_a_full_matrix),
        cmocka_unit_test(the_delassus_operator_of_full_matrices_is_symmetric),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
