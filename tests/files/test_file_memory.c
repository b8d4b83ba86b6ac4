/* SPDX-License-Identifier: MIT */
/* Every reader and writer with every one of its allocations failing: out of memory, nothing leaked,
 * nothing half-written. */
#include "files_support.h"

#include <stdio.h>
#include <string.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "saddle/files.h"

typedef struct paths {
    char folder[4096], matrix[4096], bundle[4096], solution[4096];
    saddle_context *context; /* memory that does not fail, for what is prepared */
    saddle_problem problem;
    saddle_solution known;
} paths;

static int prepare(void **state)
{
    static paths p;
    snprintf(p.folder, sizeof p.folder, "%s", test_scratch_folder());
    snprintf(p.matrix, sizeof p.matrix, "%s", join(p.folder, "A.mtx"));
    snprintf(p.bundle, sizeof p.bundle, "%s", join(p.folder, "bundle"));
    snprintf(p.solution, sizeof p.solution, "%s", join(p.folder, "solution"));
    assert_int_equal(saddle_context_create(NULL, &p.context), SADDLE_OK);
    uint64_t seed = test_seed();
    do {
        saddle_problem_clear(&p.problem);
        draw_bundle(p.context, &seed, &p.problem);
    } while (p.problem.n < 4 || !p.problem.lo || p.problem.contact_count == 0 ||
             !p.problem.component_name || p.problem.R.rows == 0 ||
             p.problem.M.symmetry != SADDLE_SYMMETRY_NONE);
    assert_int_equal(saddle_solution_create(p.context, 5, 4, &p.known), SADDLE_OK);
    assert_int_equal(saddle_matrix_write(p.context, p.matrix, &p.problem.M), SADDLE_OK);
    assert_int_equal(saddle__bundle_write(p.context, p.bundle, &p.problem, NULL), SADDLE_OK);
    assert_int_equal(saddle_solution_write(p.context, p.solution, &p.known, NULL), SADDLE_OK);
    *state = &p;
    return 0;
}

static int clear(void **state)
{
    paths *p = *state;
    saddle_problem_clear(&p->problem);
    saddle_solution_clear(&p->known);
    saddle_context_free(p->context);
    return 0;
}

static saddle_status parse_text(saddle_context *context, const char *text)
{
    saddle_matrix A;
    saddle_status status = parse_matrix(context, text, (int64_t)strlen(text), "A.mtx", &A);
    saddle_matrix_clear(&A);
    return status;
}

static saddle_status parse_unsorted(saddle_context *context, void *user)
{
    (void)user;
    return parse_text(
        context, "%%MatrixMarket matrix coordinate real general\n2 2 3\n2 2 1\n1 2 1\n1 1 1\n");
}

static saddle_status parse_skew(saddle_context *context, void *user)
{
    (void)user;
    return parse_text(context,
                      "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n");
}

static saddle_status parse_dense(saddle_context *context, void *user)
{
    (void)user;
    return parse_text(context, "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n");
}

static saddle_status parse_spread(saddle_context *context, void *user)
{
    (void)user;
    const char
        *text = "%%MatrixMarket matrix coordinate real general\n2 2 3\n2 2 1\n1 2 1\n1 1 1\n";
    int64_t rows, cols;
    double *value;
    saddle_status status = parse_array(context, text, (int64_t)strlen(text), "x", 0, &rows, &cols,
                                       &value);
    saddle_release(context, value);
    return status;
}

static saddle_status read_matrix(saddle_context *context, void *user)
{
    saddle_matrix A;
    saddle_status status = saddle_matrix_read(context, ((paths *)user)->matrix, &A);
    saddle_matrix_clear(&A);
    return status;
}

static saddle_status write_matrix(saddle_context *context, void *user)
{
    paths *p = user;
    return saddle_matrix_write(context, join(p->folder, "B.mtx"), &p->problem.M);
}

static saddle_status read_array(saddle_context *context, void *user)
{
    int64_t rows, cols;
    double *value;
    saddle_status status = saddle_array_read(context, join(((paths *)user)->bundle, "bounds.mtx"),
                                             1, &rows, &cols, &value);
    saddle_release(context, value);
    return status;
}

static saddle_status write_array(saddle_context *context, void *user)
{
    return saddle_array_write(context, join(((paths *)user)->folder, "x.mtx"), 2, 1,
                              (const double[]){1, 2});
}

static saddle_status read_bundle(saddle_context *context, void *user)
{
    saddle_problem problem;
    saddle_status status = saddle_problem_read(context, ((paths *)user)->bundle, NULL, &problem,
                                               NULL, NULL, NULL);
    saddle_problem_clear(&problem);
    return status;
}

/* A general M with "symmetric": true takes the way of the verified claim. */
static saddle_status read_claimed(saddle_context *context, void *user)
{
    (void)user;
    const char *json =
        "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 2, \"m\": 2, \"symmetric\": true}";
    const char *M = "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 1\n2 1 1\n1 2 1\n";
    const char *J = "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n";
    saddle__source_text texts[] = {{"problem.json", json, (int64_t)strlen(json)},
                                   {"M.mtx", M, (int64_t)strlen(M)},
                                   {"J.mtx", J, (int64_t)strlen(J)},
                                   {NULL, NULL, 0}};
    saddle__source source = saddle__source_texts(context, texts, "b");
    saddle_problem problem;
    saddle_status status = saddle__bundle_parse(&source, &problem, NULL);
    saddle__source_close(&source);
    saddle_problem_clear(&problem);
    return status;
}

static saddle_status write_bundle(saddle_context *context, void *user)
{
    paths *p = user;
    return saddle__bundle_write(context, join(p->folder, "new bundle"), &p->problem, NULL);
}

static saddle_status replace_bundle(saddle_context *context, void *user)
{
    paths *p = user;
    return saddle__bundle_write(context, p->bundle, &p->problem, NULL);
}

static saddle_status read_solution(saddle_context *context, void *user)
{
    saddle_solution solution;
    saddle_status status = saddle_solution_read(context, ((paths *)user)->solution, &solution);
    saddle_solution_clear(&solution);
    return status;
}

static saddle_status write_solution(saddle_context *context, void *user)
{
    paths *p = user;
    saddle_report report = {.note = "a note"};
    return saddle_solution_write(context, p->solution, &p->known, &report);
}

static saddle_status write_report(saddle_context *context, void *user)
{
    (void)user;
    saddle_report report = {.note = "a note"};
    char *text;
    saddle_status status = saddle_report_to_json(context, &report, &text);
    saddle_release(context, text);
    return status;
}

static void sweep(test_body *body, paths *p, int64_t least)
{
    int64_t before = count_entries(p->folder), count = test_allocation_sweep(body, p);
    if (count < least) fail_msg("only %lld allocations were seen", (long long)count);
    assert_true(count_entries(p->folder) <= before + 1); /* the result; never a temporary */
    saddle_problem problem;
    /* whole at any time */
    assert_int_equal(saddle_problem_read(p->context, p->bundle, NULL, &problem, NULL, NULL, NULL),
                     SADDLE_OK);
    assert_same_problem(&p->problem, &problem);
    saddle_problem_clear(&problem);
}

static void readers_of_matrices_survive_failing_memory(void **state)
{
    sweep(parse_unsorted, *state, 8);
    sweep(parse_skew, *state, 6);
    sweep(parse_dense, *state, 4);
    sweep(parse_spread, *state, 8);
    sweep(read_matrix, *state, 4);
    sweep(read_array, *state, 2);
}

static void writers_of_matrices_survive_failing_memory(void **state)
{
    sweep(write_matrix, *state, 3);
    sweep(write_array, *state, 3);
}

static void readers_of_folders_survive_failing_memory(void **state)
{
    sweep(read_bundle, *state, 40);
    sweep(read_claimed, *state, 20);
    sweep(read_solution, *state, 6);
}

static void writers_of_folders_survive_failing_memory(void **state)
{
    sweep(write_bundle, *state, 20);
    sweep(replace_bundle, *state, 20);
    sweep(write_solution, *state, 10);
    sweep(write_report, *state, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readers_of_matrices_survive_failing_memory),
        cmocka_unit_test(writers_of_matrices_survive_failing_memory),
        cmocka_unit_test(readers_of_folders_survive_failing_memory),
        cmocka_unit_test(writers_of_folders_survive_failing_memory),
    };
    return cmocka_run_group_tests(tests, prepare, clear);
}
