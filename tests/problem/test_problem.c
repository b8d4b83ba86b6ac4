/* SPDX-License-Identifier: MIT */
/* The problem struct: every inconsistency is found and named, copies are deep, rows are counted and
 * described. */
#include "support.h"

#include <math.h>
#include <string.h>

#define INF ((double)INFINITY)

/* Two particles on a line, one equality row and one contact in the plane, with all fields set.
 * Tests may change any array of the fixture. */
typedef struct fixture {
    saddle_context *context;
    saddle_problem problem;
    int64_t M_start[3], M_index[2], Jt_start[4], Jt_index[4], R_start[4], R_index[1];
    double M_value[2], Jt_value[4], R_value[1], f[2], b[3], lo[3], hi[3];
    saddle_contact contacts[1];
    int64_t row_id[3], component_size[2];
    char *row_name[3];
    char *component_name[2];
} fixture;

static char rod[] = "rod";
static char left[] = "left";
static char right[] = "right";

/* Everything as it was, with the same context. */
static void fill_again(fixture *x)
{
    saddle_context *context = x->context;
    memset(x, 0, sizeof *x);
    x->context = context;
    memcpy(x->M_start, (int64_t[]){0, 1, 2}, sizeof x->M_start);
    memcpy(x->M_index, (int64_t[]){0, 1}, sizeof x->M_index);
    memcpy(x->M_value, (double[]){1, 2}, sizeof x->M_value);
    memcpy(x->Jt_start, (int64_t[]){0, 2, 3, 4}, sizeof x->Jt_start);
    memcpy(x->Jt_index, (int64_t[]){0, 1, 1, 0}, sizeof x->Jt_index);
    memcpy(x->Jt_value, (double[]){1, -1, 1, 1}, sizeof x->Jt_value);
    memcpy(x->R_start, (int64_t[]){0, 1, 1, 1}, sizeof x->R_start);
    x->R_value[0] = 1e-3;
    memcpy(x->f, (double[]){0, -1}, sizeof x->f);
    memcpy(x->lo, (double[]){-INF, 0, -INF}, sizeof x->lo);
    memcpy(x->hi, (double[]){INF, INF, INF}, sizeof x->hi);
    x->contacts[0] = (saddle_contact){.row = 1, .size = 2, .mu = 0.5};
    memcpy(x->row_id, (int64_t[]){40, 10, 20}, sizeof x->row_id);
    memcpy(x->component_size, (int64_t[]){1, 1}, sizeof x->component_size);
    x->row_name[0] = rod;
    x->component_name[0] = left;
    x->component_name[1] = right;
    x->problem = (saddle_problem){
        .n = 2,
        .m = 3,
        .M = saddle_matrix_view(2, 2, x->M_start, x->M_index, x->M_value, SADDLE_SYMMETRY_LOWER),
        .Jt = saddle_matrix_view(2, 3, x->Jt_start, x->Jt_index, x->Jt_value, SADDLE_SYMMETRY_NONE),
        .R = saddle_matrix_view(3, 3, x->R_start, x->R_index, x->R_value, SADDLE_SYMMETRY_LOWER),
        .f = x->f,
        .b = x->b,
        .lo = x->lo,
        .hi = x->hi,
        .contact_count = 1,
        .contacts = x->contacts,
        .row_id = x->row_id,
        .row_name = x->row_name,
        .component_count = 2,
        .component_name = x->component_name,
        .component_size = x->component_size,
        .time_step = 0.01,
    };
}

static void fill(fixture *x)
{
    assert_int_equal(saddle_context_create(NULL, &x->context), SADDLE_OK);
    fill_again(x);
}

static void count_findings(void *user, const char *finding)
{
    assert_true(strlen(finding) > 0);
    ++*(int64_t *)user;
}

/* The spoiled fixture must be refused with a message that holds `text`. */
static void assert_found(fixture *x, const char *text)
{
    int64_t count = 0;
    assert_int_equal(saddle_problem_check(x->context, &x->problem, count_findings, &count),
                     SADDLE_INVALID_PROBLEM);
    assert_true(count > 0);
    if (!strstr(saddle_context_message(x->context), text))
        fail_msg("'%s' is not in '%s'", text, saddle_context_message(x->context));
    saddle_context_free(x->context);
    fill(x);
}

static void a_sound_problem_passes(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    assert_int_equal(saddle_problem_check(x.context, &x.problem, NULL, NULL), SADDLE_OK);
    x.problem.facets = 2; /* its contact is plane */
    assert_int_equal(saddle_problem_check(x.context, &x.problem, NULL, NULL), SADDLE_OK);
    saddle_problem empty = {0};
    assert_int_equal(saddle_problem_check(x.context, &empty, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_problem_check(NULL, &empty, NULL, NULL), SADDLE_OK);
    saddle_context_free(x.context);
}

static void every_inconsistency_is_named(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    x.problem.n = -1, assert_found(&x, "negative size");
    x.problem.n = 3, assert_found(&x, "M is 2 x 2");
    x.problem.M = (saddle_matrix){0}, assert_found(&x, "M is 0 x 0");
    x.problem.Jt.cols = 2, assert_found(&x, "J' is 2 x 2");
    x.problem.R.rows = x.problem.R.cols = 2, assert_found(&x, "R is 2 x 2");
    x.problem.Jt.rows = x.problem.Jt.cols = 3, assert_found(&x, "J'");
    x.M_value[1] = (double)NAN, assert_found(&x, "M: entry (2, 2) is nan: velocity 2");
    x.M_index[1] = 0, assert_found(&x, "M: column 2: entry in row 1 is above the diagonal");
    x.Jt_value[0] = INF, assert_found(&x, "J: entry (1, 1) is inf: row 1 (id 40, rod), velocity 1");
    x.R_index[0] = 7, assert_found(&x, "R: column 1: row index 8");
    x.f[1] = (double)NAN, assert_found(&x, "f[1] is nan: velocity 2");
    x.b[0] = -INF, assert_found(&x, "b[0] is -inf: row 1 (id 40, rod)");
    x.lo[0] = 1, x.hi[0] = -1,
    assert_found(&x, "row 1 (id 40, rod): lower bound 1 above upper bound -1");
    x.lo[0] = INF, assert_found(&x, "no finite impulse");
    x.hi[0] = -INF, assert_found(&x, "no finite impulse");
    x.hi[0] = (double)NAN, assert_found(&x, "not a number");
    x.contacts[0].mu = -0.1, assert_found(&x, "friction coefficient -0.1");
    x.contacts[0].mu = (double)NAN, assert_found(&x, "friction coefficient");
    x.contacts[0].size = 3,
    assert_found(&x,
                 "contact 1: contacts[0].row is 1, with 3 rows from there on outside the 3 rows");
    x.contacts[0].size = 1, assert_found(&x, "has 1 rows");
    x.contacts[0].row = -1, assert_found(&x, "contacts[0].row is -1");
    x.contacts[0].row = INT64_MAX, assert_found(&x, "outside");
    x.problem.contact_count = -1, assert_found(&x, "contact count -1");
    x.problem.contacts = NULL, assert_found(&x, "announced, none given");
    x.problem.law = (saddle_law)17, assert_found(&x, "law 17");
    x.problem.facets = 1, assert_found(&x, "facets = 1");
    x.problem.time_step = -1, assert_found(&x, "time step");
    x.row_id[2] = 40, assert_found(&x, "row id 40");
    x.component_size[0] = 2, assert_found(&x, "component 2: size 1 does not fit");
    x.component_size[0] = 0, assert_found(&x, "sum to 1");
    x.component_size[0] = -5, assert_found(&x, "component 1: size -5");
    x.problem.component_size = NULL, assert_found(&x, "without sizes");
    x.problem.component_count = -2, assert_found(&x, "component count");
    saddle_context_free(x.context);
}

/* The spoiled fixture is refused at that place. */
static void assert_found_at(fixture *x, saddle_place_kind kind, int64_t index, int64_t column)
{
    assert_int_equal(saddle_problem_check(x->context, &x->problem, NULL, NULL),
                     SADDLE_INVALID_PROBLEM);
    const saddle_place place = saddle_context_place(x->context);
    if (place.kind != kind || place.index != index || place.column != column)
        fail_msg("'%s' is at %d, %lld, %lld", saddle_context_message(x->context), (int)place.kind,
                 (long long)place.index, (long long)place.column);
    fill_again(x);
    assert_int_equal(saddle_problem_check(x->context, &x->problem, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_context_place(x->context).kind, SADDLE_PLACE_NONE);
}

static void the_place_of_an_inconsistency_counts_from_0(void **state)
{
    (void)state;
    const double bad = (double)NAN;
    fixture x;
    fill(&x);
    x.f[1] = bad, assert_found_at(&x, SADDLE_PLACE_VELOCITY, 1, 0);
    x.b[2] = bad, assert_found_at(&x, SADDLE_PLACE_ROW, 2, 0);
    x.hi[0] = bad, assert_found_at(&x, SADDLE_PLACE_ROW, 0, 0);
    x.lo[2] = INF, assert_found_at(&x, SADDLE_PLACE_ROW, 2, 0);
    x.lo[2] = 1, x.hi[2] = 0, assert_found_at(&x, SADDLE_PLACE_ROW, 2, 0);
    x.contacts[0].mu = -1, assert_found_at(&x, SADDLE_PLACE_CONTACT, 0, 0);
    x.contacts[0].mu_rolling = 1, assert_found_at(&x, SADDLE_PLACE_CONTACT, 0, 0);
    x.contacts[0].size = 7, assert_found_at(&x, SADDLE_PLACE_CONTACT, 0, 0);
    x.contacts[0].row = 2, assert_found_at(&x, SADDLE_PLACE_CONTACT, 0, 0);
    x.M_value[1] = bad, assert_found_at(&x, SADDLE_PLACE_ENTRY_OF_M, 1, 1);
    x.M_index[1] = 0, assert_found_at(&x, SADDLE_PLACE_ENTRY_OF_M, 0, 1);
    x.Jt_value[1] = bad, assert_found_at(&x, SADDLE_PLACE_ENTRY_OF_J, 0, 1);
    x.Jt_value[3] = bad, assert_found_at(&x, SADDLE_PLACE_ENTRY_OF_J, 2, 0);
    x.Jt_index[2] = 5, assert_found_at(&x, SADDLE_PLACE_ENTRY_OF_J, 1, 5);
    x.R_value[0] = bad, assert_found_at(&x, SADDLE_PLACE_ENTRY_OF_R, 0, 0);
    x.R_index[0] = 7, assert_found_at(&x, SADDLE_PLACE_ENTRY_OF_R, 7, 0);
    x.problem.time_step = -1, assert_found_at(&x, SADDLE_PLACE_NONE, 0, 0);
    x.problem.Jt.cols = 2, assert_found_at(&x, SADDLE_PLACE_NONE, 0, 0);
    saddle_context_free(x.context);
}

typedef struct noted {
    const saddle_context *context;
    int64_t count;
    saddle_place place[8];
} noted;

static void note_place(void *user, const char *finding)
{
    noted *n = user;
    (void)finding;
    assert_true(n->count < 8);
    n->place[n->count++] = saddle_context_place(n->context);
}

static void each_finding_has_its_place_and_the_first_stays(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    noted n = {.context = x.context};
    x.M_value[0] = x.f[1] = (double)NAN;
    x.problem.Jt.cols = 2; /* no place, after one */
    x.contacts[0].mu = -1;
    x.problem.time_step = -1;
    assert_int_equal(saddle_problem_check(x.context, &x.problem, note_place, &n),
                     SADDLE_INVALID_PROBLEM);
    const saddle_place_kind kind[] = {SADDLE_PLACE_ENTRY_OF_M, SADDLE_PLACE_NONE,
                                      SADDLE_PLACE_VELOCITY, SADDLE_PLACE_NONE,
                                      SADDLE_PLACE_CONTACT};
    assert_int_equal(n.count, 5);
    for (int k = 0; k < 5; k++) assert_int_equal(n.place[k].kind, kind[k]);
    assert_int_equal(saddle_context_place(x.context).kind, SADDLE_PLACE_ENTRY_OF_M);
    assert_int_equal(saddle_problem_check(NULL, &x.problem, NULL, NULL), SADDLE_INVALID_PROBLEM);
    saddle_context_free(x.context);
}

static void overlapping_and_unsorted_contacts_are_found(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    double six[6] = {0};
    saddle_contact overlapping[2] = {{.row = 0, .size = 3, .mu = 0.1},
                                     {.row = 2, .size = 3, .mu = 0.1}};
    saddle_contact falling[2] = {{.row = 3, .size = 3, .mu = 0.1},
                                 {.row = 0, .size = 3, .mu = 0.1}};
    saddle_contact good[2] = {{.row = 0, .size = 3, .mu = 0.1}, {.row = 3, .size = 3, .mu = 0.1}};
    saddle_problem problem = {.m = 6, .b = six, .contact_count = 2, .contacts = good};
    assert_int_equal(saddle_problem_check(x.context, &problem, NULL, NULL), SADDLE_OK);
    problem.contacts = overlapping;
    assert_int_equal(saddle_problem_check(x.context, &problem, NULL, NULL), SADDLE_INVALID_PROBLEM);
    assert_non_null(strstr(saddle_context_message(x.context), "contact 2: row 3 belongs"));
    problem.contacts = falling;
    assert_int_equal(saddle_problem_check(x.context, &problem, NULL, NULL), SADDLE_INVALID_PROBLEM);
    saddle_context_free(x.context);
}

static void all_findings_are_handed_over_not_the_first_alone(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    x.f[0] = x.f[1] = (double)NAN;
    x.contacts[0].mu = -1;
    x.problem.time_step = INF;
    int64_t count = 0;
    assert_int_equal(saddle_problem_check(x.context, &x.problem, count_findings, &count),
                     SADDLE_INVALID_PROBLEM);
    assert_int_equal(count, 4);
    assert_non_null(strstr(saddle_context_message(x.context), "and 3 more"));
    saddle_context_free(x.context);
}

static void a_copy_is_deep(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    saddle_problem copy;
    assert_int_equal(saddle_problem_copy(x.context, &x.problem, &copy), SADDLE_OK);
    x.M_value[0] = x.Jt_value[0] = x.f[1] = x.lo[1] = 99;
    x.contacts[0].mu = 99;
    x.row_id[0] = 99;
    assert_true(copy.M.value[0] == 1 && copy.Jt.value[0] == 1 && copy.f[1] == -1 &&
                copy.lo[1] == 0);
    assert_true(copy.contacts[0].mu == 0.5 && copy.row_id[0] == 40 && copy.time_step == 0.01);
    assert_string_equal(copy.row_name[0], "rod");
    assert_null(copy.row_name[1]);
    assert_string_equal(copy.component_name[1], "right");
    assert_ptr_not_equal(copy.component_name[1], x.component_name[1]);
    assert_int_equal(saddle_problem_check(x.context, &copy, NULL, NULL), SADDLE_OK);
    saddle_problem_clear(&copy);
    assert_null(copy.f);
    saddle_problem_clear(&copy);
    saddle_problem_clear(NULL);
    saddle_context_free(x.context);
}

static void rows_are_counted_by_kind(void **state)
{
    (void)state;
    double lo[7] = {-INF, 0, -INF, -1, 0, 0, 0};
    double hi[7] = {INF, INF, 0, 1, 0, 0, 0};
    saddle_contact contact = {.row = 4, .size = 3};
    saddle_problem problem = {.m = 7, .lo = lo, .hi = hi, .contact_count = 1, .contacts = &contact};
    saddle_row_counts counts = saddle_problem_count_rows(&problem);
    assert_int_equal(counts.equality, 1);
    assert_int_equal(counts.unilateral, 2);
    assert_int_equal(counts.box, 1);
    assert_int_equal(counts.contact, 3);
    static const int64_t wrong[] = {-5, 0, 4, INT64_MAX}; /* rows are counted by their bounds */
    for (int k = 0; k < 4; k++) {
        contact.size = wrong[k];
        counts = saddle_problem_count_rows(&problem);
        assert_int_equal(counts.contact, 0);
        assert_int_equal(counts.equality + counts.unilateral + counts.box, 7);
    }
    problem.lo = problem.hi = NULL;
    problem.contact_count = 0;
    assert_int_equal(saddle_problem_count_rows(&problem).equality, 7);
}

static void rows_and_velocities_are_described_by_name(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    char text[64];
    saddle_problem_describe_row(&x.problem, 0, text, sizeof text);
    assert_string_equal(text, "row 1 (id 40, rod)");
    saddle_problem_describe_row(&x.problem, 1, text, sizeof text);
    assert_string_equal(text, "row 2 (id 10)");
    saddle_problem_describe_velocity(&x.problem, 1, text, sizeof text);
    assert_string_equal(text, "velocity 2 (right[0])");
    x.problem.component_count = 0;
    x.problem.row_id = NULL;
    saddle_problem_describe_velocity(&x.problem, 1, text, sizeof text);
    assert_string_equal(text, "velocity 2");
    saddle_problem_describe_row(&x.problem, 0, text, sizeof text);
    assert_string_equal(text, "row 1 (rod)");
    saddle_problem_describe_row(&x.problem, 2, text, 4);
    assert_string_equal(text, "row");
    saddle_context_free(x.context);
}

static void law_words_go_both_ways(void **state)
{
    (void)state;
    saddle_law law;
#define BOTH_WAYS(name, word)                                      \
    assert_int_equal(saddle_law_from_word(word, &law), SADDLE_OK); \
    assert_int_equal(law, name);                                   \
    assert_string_equal(saddle_law_word(name), word);
    SADDLE_LAW_LIST(BOTH_WAYS)
#undef BOTH_WAYS
    assert_int_equal(saddle_law_from_word("coulomb", &law), SADDLE_UNKNOWN_NAME);
}

static saddle_status copy_and_check(saddle_context *context, void *user)
{
    saddle_problem copy;
    saddle_solution solution = {0};
    saddle_status status = saddle_problem_copy(context, user, &copy);
    if (status == SADDLE_OK) status = saddle_problem_check(context, &copy, NULL, NULL);
    if (status == SADDLE_OK) status = saddle_solution_create(context, copy.n, copy.m, &solution);
    saddle_residual residual;
    double w_error;
    if (status == SADDLE_OK)
        status = saddle_solution_check(context, &copy, &solution, &residual, &w_error);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&copy);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    fixture x;
    fill(&x);
    assert_true(test_allocation_sweep(copy_and_check, &x.problem) > 20);
    saddle_context_free(x.context);
}

static void sizes_that_no_memory_holds_and_facets_without_end_are_refused(void **state)
{
    (void)state;
    saddle_solution solution = {0};
    saddle_problem huge = {.n = INT64_MAX,
                           .M = {.rows = INT64_MAX,
                                 .cols = INT64_MAX,
                                 .symmetry = SADDLE_SYMMETRY_LOWER}};
    assert_int_equal(saddle_problem_check(NULL, &huge, NULL, NULL), SADDLE_INVALID_PROBLEM);
    /* no memory for the solution */
    assert_true(saddle_solve(NULL, &huge, "auto", NULL, NULL, &solution, NULL) < 0);
    saddle_problem tall = {.m = INT64_MAX};
    assert_int_equal(saddle_problem_check(NULL, &tall, NULL, NULL), SADDLE_INVALID_PROBLEM);

    int64_t start[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    double ones[] = {1, 1, 1};
    saddle_contact contact = {.row = 0, .size = 3, .mu = 0.5};
    saddle_problem round = {.m = 3,
                            .contact_count = 1,
                            .contacts = &contact,
                            .law = SADDLE_LAW_PYRAMID,
                            .facets = INT64_MAX};
    round.R = saddle_matrix_view(3, 3, start, index, ones, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(saddle_problem_check(NULL, &round, NULL, NULL), SADDLE_INVALID_PROBLEM);
    round.facets = SADDLE_FACETS_AT_MOST + 1;
    assert_int_equal(saddle_problem_check(NULL, &round, NULL, NULL), SADDLE_INVALID_PROBLEM);
    round.facets = SADDLE_FACETS_AT_MOST;
    assert_int_equal(saddle_problem_check(NULL, &round, NULL, NULL), SADDLE_OK);
    const saddle_solver_type *type;
    for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
        saddle_context_options options = saddle_context_options_default();
        options.memory_limit = 1 << 20;
        saddle_context *context;
        assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
        (void)saddle_solve(context, &round, type->name, NULL, NULL, &solution, NULL);
        saddle_solution_clear(&solution);
        saddle_context_free(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_problem_passes),
        cmocka_unit_test(every_inconsistency_is_named),
        cmocka_unit_test(the_place_of_an_inconsistency_counts_from_0),
        cmocka_unit_test(each_finding_has_its_place_and_the_first_stays),
        cmocka_unit_test(overlapping_and_unsorted_contacts_are_found),
        cmocka_unit_test(all_findings_are_handed_over_not_the_first_alone),
        cmocka_unit_test(a_copy_is_deep),
        cmocka_unit_test(rows_are_counted_by_kind),
        cmocka_unit_test(rows_and_velocities_are_described_by_name),
        cmocka_unit_test(law_words_go_both_ways),
        cmocka_unit_test(sizes_that_no_memory_holds_and_facets_without_end_are_refused),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
