/* SPDX-License-Identifier: MIT */
/* The older texts of complementarity problems, against their definitions and the collection's
 * answers. */
#include <stdlib.h>
#include <string.h>

#include "files_support.h"
#include "problem_support.h"

static void read_ok(saddle_format format, const char *text, const char *rhs,
                    saddle_problem *problem)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_problem mine;
    saddle_status status = read_problem_text(context, format, text, rhs, &mine);
    if (status != SADDLE_OK)
        fail_msg("%s: %s", saddle_format_word(format), saddle_context_message(context));
    assert_int_equal(saddle_problem_copy(NULL, &mine, problem), SADDLE_OK);
    saddle_problem_clear(&mine);
    saddle_context_free(context);
}

static void read_fails(saddle_format format, const char *text, const char *rhs, const char *message)
{
    saddle_context *context;
    saddle_problem problem;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(read_problem_text(context, format, text, rhs, &problem), SADDLE_BAD_FILE);
    assert_message(context, message);
    assert_null(problem.R.start);
    saddle_context_free(context);
}

static void the_matrix_runs_along_its_rows(void **state)
{
    (void)state;
    saddle_problem problem;
    read_ok(SADDLE_FORMAT_LCP, "2\n1 2\n3 4\n-5 -6\n", NULL, &problem);
    assert_true(saddle_matrix_entry(&problem.R, 0, 1) == 2 &&
                saddle_matrix_entry(&problem.R, 1, 0) == 3);
    assert_true(problem.b[0] == 5 && problem.b[1] == 6);
    assert_true(saddle_problem_lo(&problem, 1) == 0 && saddle_problem_hi(&problem, 1) == INF);
    saddle_problem_clear(&problem);
}

static void an_answer_after_q_is_ignored(void **state)
{
    (void)state;
    saddle_problem bare, answered;
    read_ok(SADDLE_FORMAT_LCP, "2\n1 2\n3 4\n-5 -6\n", NULL, &bare);
    read_ok(SADDLE_FORMAT_LCP, "2\n1 2\n3 4\n-5 -6\n7 8\n", NULL, &answered);
    assert_same_problem(&bare, &answered);
    saddle_problem_clear(&bare);
    saddle_problem_clear(&answered);
}

static void a_box_lcp_has_its_bounds(void **state)
{
    (void)state;
    saddle_problem problem;
    read_ok(SADDLE_FORMAT_BOX_LCP, "2\n1 2\n3 4\n-5 -6\n0 -inf\ninf 2.5\n", NULL, &problem);
    assert_true(problem.lo[0] == 0 && problem.hi[0] == INF && problem.lo[1] == -INF &&
                problem.hi[1] == 2.5);
    saddle_problem_clear(&problem);
}

static void triplets_take_their_size_from_q(void **state)
{
    (void)state;
    saddle_problem problem;
    read_ok(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2\n2 1 0\n1 2 3\n", "3 -1\n1 4\n2 5", &problem);
    assert_int_equal(problem.m, 3);
    assert_int_equal(problem.R.rows, 3);
    assert_int_equal(saddle_matrix_entries(&problem.R), 3); /* the zero stays */
    assert_true(saddle_matrix_entry(&problem.R, 0, 1) == 3);
    assert_true(problem.b[0] == -4 && problem.b[1] == -5 && problem.b[2] == 1);
    saddle_problem_clear(&problem);
}

static void wrong_texts_are_named(void **state)
{
    (void)state;
    read_fails(SADDLE_FORMAT_LCP, "2\n1 2\n3 4\n-5\n", NULL, "text:");
    read_fails(SADDLE_FORMAT_LCP, "2\n1 2\n3 4\n-5 -6 1 2 3\n", NULL, "2 rows need 6 numbers");
    read_fails(SADDLE_FORMAT_LCP, "2\n1 2\n3 nan\n-5 -6\n", NULL, "text:3: ");
    read_fails(SADDLE_FORMAT_LCP, "-2\n1 2\n3 4\n-5 -6\n", NULL, "text:1: ");
    read_fails(SADDLE_FORMAT_LCP, "3037000500 1 2 3", NULL, "too many");
    read_fails(SADDLE_FORMAT_LCP, "2000000000 1 2 3", NULL, "text:1: ");
    read_fails(SADDLE_FORMAT_LCP, "", NULL, "text:1: ");
    read_fails(SADDLE_FORMAT_BOX_LCP, "1 2 3 inf 1", NULL, "row 1");
    read_fails(SADDLE_FORMAT_BOX_LCP, "1 2 3 4 1", NULL, "row 1");
    read_fails(SADDLE_FORMAT_BOX_LCP, "1 inf 3 0 1", NULL, "text:1: ");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2\n1 1 2", "1 1",
               "(1, 1), counted from 1, is given twice");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2\n2 1 2", "1 1", "text:2: ");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2\n0 1 2", "1 1", "text:2: ");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2\n1 2", "1 1 2 2", "text:2: ");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2", "1 1 1 1", "rhs:1: q: entry 1 is given twice");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2", "1 1 3 1", "rhs:1: ");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2", "1 nan", "rhs:1: ");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2", "1", "rhs:1: ");
    read_fails(SADDLE_FORMAT_LCP_TRIPLETS, "1 1 2", NULL, "needs q");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_runs_along_its_rows),
        cmocka_unit_test(an_answer_after_q_is_ignored),
        cmocka_unit_test(a_box_lcp_has_its_bounds),
        cmocka_unit_test(triplets_take_their_size_from_q),
        cmocka_unit_test(wrong_texts_are_named),
    };
    return cmocka_run_group_tests_name("lcp_text", tests, NULL, NULL);
}
