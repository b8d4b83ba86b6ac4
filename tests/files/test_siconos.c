/* SPDX-License-Identifier: MIT */
/* Siconos texts: each layout against its definition, and the collection's files against the answers
 * computed elsewhere. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files_support.h"
#include "problem_support.h"

/* ---- each layout against its definition ---- */

static void read_as(saddle_context *context, saddle_format format, const char *text,
                    saddle_problem *problem)
{
    saddle_status status = read_problem_text(context, format, text, NULL, problem);
    if (status != SADDLE_OK)
        fail_msg("%s: %s", saddle_format_word(format), saddle_context_message(context));
}

/* R(i, j) = expected[i * size + j] */
static void assert_matrix_is(const saddle_matrix *A, int64_t rows, int64_t cols,
                             const double *by_rows)
{
    assert_int_equal(A->rows, rows);
    assert_int_equal(A->cols, cols);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            assert_true(saddle_matrix_entry(A, i, j) == by_rows[i * cols + j]);
}

static const double unsymmetric[] = {1, 3, 5, 2, 4, 6, 0, 7, 8};

static void dense_numbers_run_down_the_columns(void **state)
{
    (void)state;
    saddle_problem problem;
    read_as(NULL, SADDLE_FORMAT_SICONOS_LCP, "3 0 3 3 3 3  1 2 0  3 4 7  5 6 8  -1 -2 -3",
            &problem);
    assert_matrix_is(&problem.R, 3, 3, unsymmetric);
    assert_int_equal(problem.R.symmetry, SADDLE_SYMMETRY_NONE);
    assert_int_equal(saddle_matrix_entries(&problem.R), 8); /* the zero is dropped */
    assert_int_equal(problem.n, 0);
    assert_int_equal(problem.m, 3);
    for (int64_t i = 0; i < 3; i++) {
        assert_true(problem.b[i] == (double)(i + 1)); /* b = -q */
        assert_true(saddle_problem_lo(&problem, i) == 0 && saddle_problem_hi(&problem, i) == INF);
    }
    saddle_problem_clear(&problem);
}

static void block_rows_are_counted_from_one(void **state)
{
    (void)state;
    static const char text[] = "1 3 3  4 2 2  2 3  2 3  3 4  0 2 4  0 1 0 1"
                               "  0  1 2 3 4  1  5 6  2  0 7  3  8  -1 -2 -3  9 2\n";
    saddle_context *context;
    saddle_problem problem;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(read_problem_bytes(context, SADDLE_FORMAT_SICONOS_GMP, text,
                                        (int64_t)strlen(text), NULL, &problem),
                     SADDLE_BAD_FILE);
    assert_message(context, "block row 1 has type 9");
    saddle_context_free(context);
}

static void all_storages_of_a_matrix_are_the_same_matrix(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* blocks of 2 + 1 rows and columns, the first block row full, the second without its first
         * block's zero */
        "3 1 3 3  4 2 2  2 3  2 3  3 4  0 2 4  0 1 0 1"
        "  0  1 2 3 4  1  5 6  2  0 7  3  8  -1 -2 -3",
        "3 2 3 3 1\nCSparse Version 3.1.9\ntriplet: 3-by-3, nzmax: 12 nnz: 8\n"
        "2 2 : 8\n0 0 : 1\n1 0 : 2\n0 1 : 3\n1 1 : 4\n2 1 : 7\n0 2 : 5\n1 2 : 6\n-1 -2 -3",
        "3 2 3 3 2\nCSparse Version 3.1.9\n3-by-3, nzmax: 8 nnz: 8, 1-norm: 19\n"
        "col 0 : locations 0 to 1\n1 : 2\n0 : 1\ncol 1 : locations 2 to 4\n0 : 3\n1 : 4\n2 : 7\n"
        "col 2 : locations 5 to 7\n0 : 5\n1 : 6\n2 : 8\n-1 -2 -3",
        "3 2 3 3 3\nCSparse Version 3.1.9\ncsr: 3-by-3, nzmax: 8 nnz: 8, 1-norm: 19\n"
        "row 0 : locations 0 to 2\n0 : 1\n1 : 3\n2 : 5\nrow 1 : locations 3 to 5\n0 : 2\n1 : 4\n2 "
        ": 6\n"
        "row 2 : locations 6 to 7\n1 : 7\n2 : 8\n-1 -2 -3",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        saddle_problem problem;
        read_as(NULL, SADDLE_FORMAT_SICONOS_LCP, texts[k], &problem);
        assert_matrix_is(&problem.R, 3, 3, unsymmetric);
        saddle_problem_clear(&problem);
    }
}

static void explicit_zeros_of_blocks_and_sparse_entries_are_kept(void **state)
{
    (void)state;
    saddle_problem problem;
    read_as(NULL, SADDLE_FORMAT_SICONOS_LCP, "2 1 2 2  1 1 1  2  2  2 1  0 1  0  0  2 0 0 2  -1 -1",
            &problem);
    assert_int_equal(saddle_matrix_entries(&problem.R), 3); /* lower triangle of 2 x 2 */
    saddle_problem_clear(&problem);
    read_as(
        NULL, SADDLE_FORMAT_SICONOS_LCP,
        "2 2 2 2 1\nCSparse\ntriplet: 2-by-2, nzmax: 3 nnz: 3\n0 0 : 1\n1 1 : 1\n1 0 : 0\n-1 -1",
        &problem);
    assert_int_equal(saddle_matrix_entries(&problem.R), 3);
    saddle_problem_clear(&problem);
}

static void a_matrix_is_marked_symmetric_only_if_it_is_exactly(void **state)
{
    (void)state;
    saddle_problem problem;
    read_as(NULL, SADDLE_FORMAT_SICONOS_LCP, "2 0 2 2 2 2  2 1 1 2  0 0", &problem);
    assert_int_equal(problem.R.symmetry, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(saddle_matrix_entries(&problem.R), 3);
    saddle_problem_clear(&problem);
    read_as(NULL, SADDLE_FORMAT_SICONOS_LCP, "2 0 2 2 2 2  2 1 1.0000000000000002 2  0 0",
            &problem);
    assert_int_equal(problem.R.symmetry, SADDLE_SYMMETRY_NONE);
    assert_true(saddle_matrix_entry(&problem.R, 0, 1) == 1.0000000000000002);
    saddle_problem_clear(&problem);
}

static void a_relay_is_a_box_row_each(void **state)
{
    (void)state;
    saddle_problem problem;
    read_as(NULL, SADDLE_FORMAT_SICONOS_RELAY, "2 0 2 2 2 2  1 0 0 1  -0.5 0.5  -1 -inf  1 2",
            &problem);
    assert_true(problem.lo[0] == -1 && problem.hi[0] == 1 && problem.lo[1] == -INF &&
                problem.hi[1] == 2);
    assert_true(problem.b[0] == 0.5 && problem.b[1] == -0.5);
    saddle_problem_clear(&problem);
}

static void both_layouts_of_a_mixed_lcp_are_the_same(void **state)
{
    (void)state;
    /* M = [1 2 3; 4 5 6; 7 8 9], row 1 equality */
    static const char *const texts[] = {
        "1 0 1 2  0 1 3  0 1  0 3 3 3 3  1 4 7 2 5 8 3 6 9  -1 -2 -3  an old answer: 0 0 0",
        "0 1 1 2  1  5 6 8 9  2 3  4 7  -1  -2 -3",
    };
    static const double by_rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    for (size_t k = 0; k < 2; k++) {
        saddle_problem problem;
        read_as(NULL, SADDLE_FORMAT_SICONOS_MLCP, texts[k], &problem);
        assert_matrix_is(&problem.R, 3, 3, by_rows);
        for (int64_t i = 0; i < 3; i++) {
            assert_true(problem.b[i] == (double)(i + 1));
            assert_true(saddle_problem_lo(&problem, i) == (i == 0 ? -INF : 0) &&
                        saddle_problem_hi(&problem, i) == INF);
        }
        saddle_problem_clear(&problem);
    }
}

static void row_blocks_of_a_mixed_lcp_alternate_as_their_flags_say(void **state)
{
    (void)state;
    saddle_problem problem;
    read_as(NULL, SADDLE_FORMAT_SICONOS_MLCP,
            "1 0 1 3  0 1 2 4  1 0 1  0 4 4 4 4  1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1  0 0 0 0",
            &problem);
    for (int64_t i = 0; i < 4; i++)
        assert_true(saddle_problem_lo(&problem, i) == (i == 1 ? -INF : 0));
    saddle_problem_clear(&problem);
}

static void a_global_problem_has_h_as_transposed_jacobian(void **state)
{
    (void)state;
    saddle_problem problem;
    static const double H[] = {1, 4, 2, 5, 3, 6};
    read_as(NULL, SADDLE_FORMAT_SICONOS_GFC,
            "2 1  0 3 3 3 3  2 0 0 0 1 0 0 0 1  0 3 2 3 2  1 2 3 4 5 6  7 8 9  -1 2  0.25",
            &problem);
    assert_int_equal(problem.n, 3);
    assert_int_equal(problem.m, 2);
    assert_matrix_is(&problem.Jt, 3, 2, H);
    assert_true(problem.f[0] == 7 && problem.f[1] == 8 && problem.f[2] == 9);
    assert_true(problem.b[0] == 1 && problem.b[1] == -2);
    assert_int_equal(problem.contact_count, 1);
    assert_true(problem.contacts[0].row == 0 && problem.contacts[0].size == 2 &&
                problem.contacts[0].mu == 0.25);
    assert_int_equal(problem.law, SADDLE_LAW_CONE);
    assert_int_equal(saddle_matrix_entries(&problem.R), 0);
    saddle_problem_clear(&problem);
}

static void a_generic_problem_has_rows_of_each_type(void **state)
{
    (void)state;
    saddle_problem problem;
    read_as(NULL, SADDLE_FORMAT_SICONOS_GMP,
            "1 6 6  3 3 3  2 3 6  2 3 6  4 3  0 1 2 3  0 1 2  0 1 0 0 1  1 2  2 3 0 0 0 3 0 0 0 3"
            "  1 2 3 4 5 6  2 0 4 0.7",
            &problem);
    assert_int_equal(problem.m, 6);
    assert_int_equal(saddle_problem_bound_kind(&problem, 0), SADDLE_ROW_EQUALITY);
    assert_int_equal(saddle_problem_bound_kind(&problem, 1), SADDLE_ROW_EQUALITY);
    assert_true(saddle_problem_lo(&problem, 2) == 0 && saddle_problem_hi(&problem, 2) == INF);
    assert_int_equal(problem.contact_count, 1);
    assert_true(problem.contacts[0].row == 3 && problem.contacts[0].size == 3 &&
                problem.contacts[0].mu == 0.7);
    assert_true(saddle_matrix_entry(&problem.R, 5, 5) == 3 && problem.b[5] == -6);
    saddle_problem_clear(&problem);
}

/* ---- the collection ---- */

/* The error that a reference file's first line prints after the last of these words. */
static double printed_error(const char *text)
{
    static const char *const marks[] = {"error ", "rel err ", "residual ", "|="};
    const char *end = strchr(text, '\n'), *found = NULL;
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++) {
        const char *mark = strstr(text, marks[k]);
        if (mark && mark < end) found = mark + strlen(marks[k]);
    }
    return found ? strtod(found, NULL) : 0;
}

/* Two columns of count numbers after the first line. */
static void read_columns(const char *name, int64_t count, double *first, double *second,
                         double *error)
{
    char *text = read_text(test_data_path(join("ref_solutions", name)));
    const char *at = strchr(text, '\n');
    char *next;
    assert_non_null(at);
    for (int64_t i = 0; i < count; i++) {
        first[i] = strtod(at, &next);
        assert_true(next > at);
        at = next;
        if (!second) continue;
        second[i] = strtod(at, &next);
        assert_true(next > at);
        at = next;
    }
    *error = printed_error(text);
    free(text);
}

static void check_answer(const char *folder, const char *stem, const char *reference,
                         const char *suffix, const char *rhs, const char *velocity)
{
    char file[256], answer[256];
    saddle_context *context;
    saddle_problem problem;
    saddle_solution solution;
    saddle_residual residual;
    saddle_read_options options = {0};
    double error, w_error;
    snprintf(file, sizeof file, "%s/%s.dat", folder, stem);
    snprintf(answer, sizeof answer, "%s.%s.txt", reference, suffix);
    if (rhs) options.rhs = test_data_path(rhs);
    const char *path = test_data_path(file); /* without data the test ends here */
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    if (saddle_problem_read(context, path, &options, &problem, NULL, NULL, NULL) != SADDLE_OK)
        fail_msg("%s", saddle_context_message(context));
    assert_int_equal(saddle_solution_create(context, problem.n, problem.m, &solution), SADDLE_OK);
    read_columns(answer, problem.m, solution.lambda, solution.w, &error);
    if (velocity) {
        double none;
        read_columns(velocity, problem.n, solution.v, NULL, &none);
    }
    assert_int_equal(saddle_solution_check(context, &problem, &solution, &residual, &w_error),
                     SADDLE_OK);
    int friction_only = problem.contact_count > 0 &&
                        saddle_problem_count_rows(&problem).contact == problem.m;
    /* w = J v + R lambda - b is the reference's own u or w, and the residual is what the reference
     * says of itself */
    if (w_error > 1e-15) fail_msg("%s: w is off by %g", stem, w_error);
    if (fabs(residual.natural_map - error) > 0.05 * error + 2e-14 && friction_only)
        fail_msg("%s: natural map %g, the reference printed %g", stem, residual.natural_map, error);
    /* references were made to 1e-10 of |r|, in which the speeds below open contacts count; our
     * scale has none of these */
    double most = problem.contact_count > 0 ? fmax(2 * error, 1e-10) : 1e-12;
    if (strcmp(stem, "Capsules-i100-889") == 0) most = 1.05e-10;
    if (strcmp(stem, "Capsules-i122-1617") == 0) most = 5e-10;
    if (residual.total > most)
        fail_msg("%s: residual %g, more than %g", stem, residual.total, most);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

static void references_solve_the_friction_problems(void **state)
{
    (void)state;
    static const char *const space[] = {"BoxesStack1-i100000-32",
                                        "Capsules-i100-889",
                                        "Capsules-i101-404",
                                        "Capsules-i122-1617",
                                        "Confeti-ex03-Fc3D-SBM",
                                        "Confeti-ex13-4contact-Fc3D-SBM",
                                        "FC3D_Example1",
                                        "FC3D_Example1_SBM",
                                        "FrictionContact3D_1c",
                                        "NESpheres_10_1",
                                        "OneObject-i100000-316",
                                        "OneObject-i1028-138",
                                        "RockPile_tob1",
                                        "Rover1039",
                                        "Rover1040",
                                        "Rover11035",
                                        "Rover3865",
                                        "Rover4144",
                                        "Rover4493",
                                        "Rover4609",
                                        "Rover4622"};
    static const char *const plane[] = {"FC2D_SliderCrankLagrangian00000",
                                        "FrictionContactProblem00031",
                                        "FrictionContactProblem00237",
                                        "FrictionContactProblem00394"};
    for (size_t k = 0; k < sizeof space / sizeof space[0]; k++) {
        char stem[128];
        int long_name = strstr(space[k], "BoxesStack") || strstr(space[k], "OneObject");
        snprintf(stem, sizeof stem, "%s%s", space[k], long_name ? ".hdf5" : "");
        check_answer("fc3d_siconos", stem, space[k], "ru", NULL, NULL);
    }
    for (size_t k = 0; k < sizeof plane / sizeof plane[0]; k++)
        check_answer("fc2d_siconos", plane[k], plane[k], "ru", NULL, NULL);
}

static void references_solve_the_global_problems(void **state)
{
    (void)state;
    static const char *const stems[] = {"GFC3D_Example0", "GFC3D_Example00",
                                        "GFC3D_Example00_badly_scaled", "GFC3D_OneContact"};
    for (size_t k = 0; k < sizeof stems / sizeof stems[0]; k++) {
        char velocity[128];
        snprintf(velocity, sizeof velocity, "%s.v.txt", stems[k]);
        check_answer("gfc3d_siconos", stems[k], stems[k], "ru", NULL, velocity);
    }
    check_answer("gfc3d_siconos", "GFC3D_Example0_SBM", "GFC3D_Example0", "ru", NULL,
                 "GFC3D_Example0.v.txt");
}

static void references_solve_the_complementarity_problems(void **state)
{
    (void)state;
    static const char *const lcp[] = {"CPS_1",  "CPS_2",      "CPS_4",     "Pang_isolated_sol",
                                      "deudeu", "enum_fails", "exp_murty", "mmc",
                                      "trivial"};
    static const char *const mlcp[] = {"BuckConverter", "BuckFirstStep", "PD",
                                       "RLCD",          "deltasigma",    "deudeu",
                                       "diodeBridge20", "diodeBridge",   "m2n1",
                                       "relay2"};
    static const char *const relay[] = {"relay1", "relay_2x2", "step_1x1", "step_2x2"};
    static const char *const gmp[] = {"GMP0", "GMP1", "GMP3", "GMP5"};
    char stem[128];
    for (size_t k = 0; k < sizeof lcp / sizeof lcp[0]; k++) {
        snprintf(stem, sizeof stem, "lcp_%s", lcp[k]);
        check_answer("lcp_siconos", stem, stem, "zw", NULL, NULL);
    }
    check_answer("lcp_siconos", "lcp_deudeu_block", "lcp_deudeu", "zw", NULL, NULL);
    check_answer("lcp_siconos", "lcp_trivial_block", "lcp_trivial", "zw", NULL, NULL);
    for (size_t k = 0; k < sizeof mlcp / sizeof mlcp[0]; k++) {
        snprintf(stem, sizeof stem, "%s_mlcp", mlcp[k]);
        check_answer("mlcp_siconos", stem, stem, "zw", NULL, NULL);
    }
    for (size_t k = 0; k < 4; k++)
        check_answer("relay_siconos", relay[k], relay[k], "zw", NULL, NULL);
    for (size_t k = 0; k < 4; k++) check_answer("gmp_siconos", gmp[k], gmp[k], "zw", NULL, NULL);
}

static void references_solve_the_older_complementarity_problems(void **state)
{
    (void)state;
    static const char *const plain[] = {"buckconverterregul2", "diodes", "murty1"};
    for (size_t k = 0; k < 3; k++) {
        char reference[128];
        snprintf(reference, sizeof reference, "old_%s", plain[k]);
        check_answer("lcp_siconos_old", plain[k], reference, "zw", NULL, NULL);
    }
    check_answer("lcp_siconos_old", "vincent1", "old_murty1", "zw", NULL, NULL);
    check_answer("lcp_siconos_old", "MM_mmc", "old_MM_mmc", "zw", "lcp_siconos_old/qq_mmc.dat",
                 NULL);
    check_answer("lcp_siconos_old", "MM_mmc_mu2", "old_MM_mmc_mu2", "zw",
                 "lcp_siconos_old/qq_mmc_mu2.dat", NULL);
    check_answer("lcp_siconos_old", "M_bille20mu", "old_M_bille20mu", "zw",
                 "lcp_siconos_old/q_bille20mu.dat", NULL);
    check_answer("lcp_siconos_old", "Mlem", "old_Mlem", "zw", "lcp_siconos_old/qlem.dat", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_numbers_run_down_the_columns),
        cmocka_unit_test(block_rows_are_counted_from_one),
        cmocka_unit_test(all_storages_of_a_matrix_are_the_same_matrix),
        cmocka_unit_test(explicit_zeros_of_blocks_and_sparse_entries_are_kept),
        cmocka_unit_test(a_matrix_is_marked_symmetric_only_if_it_is_exactly),
        cmocka_unit_test(a_relay_is_a_box_row_each),
        cmocka_unit_test(both_layouts_of_a_mixed_lcp_are_the_same),
        cmocka_unit_test(row_blocks_of_a_mixed_lcp_alternate_as_their_flags_say),
        cmocka_unit_test(a_global_problem_has_h_as_transposed_jacobian),
        cmocka_unit_test(a_generic_problem_has_rows_of_each_type),
        cmocka_unit_test(references_solve_the_friction_problems),
        cmocka_unit_test(references_solve_the_global_problems),
        cmocka_unit_test(references_solve_the_complementarity_problems),
        cmocka_unit_test(references_solve_the_older_complementarity_problems),
    };
    return cmocka_run_group_tests_name("siconos", tests, NULL, NULL);
}
