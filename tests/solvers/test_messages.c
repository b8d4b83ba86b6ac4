/* SPDX-License-Identifier: MIT */
/* What a context's message says after a call, and how it counts. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawn_mixed.h"

static saddle_context *open_context(void)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    return context;
}

/* A message that is nobody's any more. */
static void leave_one(saddle_context *context)
{
    assert_int_equal(saddle_matrix_check(context, NULL, NULL), SADDLE_INVALID_ARGUMENT);
    assert_true(*saddle_context_message(context));
}

/* Nothing beside SADDLE_OK, something beside all else. */
static void claim_fitting(saddle_context *context, saddle_status status)
{
    const char *said = saddle_context_message(context);
    if (status == SADDLE_OK) assert_string_equal(said, "");
    if (status != SADDLE_OK) assert_true(*said);
}

static void every_phase_of_every_solver_speaks_beside_a_failure_only(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_context *context = open_context();
    int64_t solved = 0, failed = 0;
    for (int64_t k = 0; k < test_draws(400); k++) {
        mixed *p = mixed_draw(&seed, mixed_draw_kind(&seed, 8));
        saddle_options options = saddle_options_default();
        options.max_iterations = k % 3 ? 0 : 2;
        const saddle_solver_type *type;
        for (int64_t s = 0; (type = saddle_solver_type_at(context, s)) != NULL; s++) {
            saddle_solver *solver;
            saddle_solution x;
            assert_int_equal(saddle_solution_create(context, p->problem.n, p->problem.m, &x),
                             SADDLE_OK);
            leave_one(context);
            saddle_status status = saddle_solver_create(context, type->name, &options, &solver);
            claim_fitting(context, status);
            leave_one(context);
            status = saddle_solver_analyse(solver, &p->problem);
            claim_fitting(context, status);
            leave_one(context);
            status = saddle_solver_factor(solver, &p->problem);
            claim_fitting(context, status);
            leave_one(context);
            status = saddle_solver_solve(solver, &p->problem, NULL, &x);
            claim_fitting(context, status);
            solved += status == SADDLE_OK;
            failed += status != SADDLE_OK;
            leave_one(context);
            claim_fitting(context,
                          saddle_solve(context, &p->problem, type->name, &options, NULL, &x, NULL));
            saddle_solver_free(solver);
            saddle_solution_clear(&x);
        }
        mixed_clear(p);
    }
    assert_true(solved > test_draws(400) && failed > test_draws(100));
    saddle_context_free(context);
}

/* A velocity without mass, held by an equality: a solver that cannot factor M says so. */
static void what_auto_tried_first_is_forgotten_beside_ok(void **state)
{
    (void)state;
    int64_t M_start[] = {0, 1, 1}, M_index[] = {0}, J_start[] = {0, 2, 3}, J_index[] = {0, 1, 0};
    double M_value[] = {2}, J_value[] = {1, -1, 1}, f[] = {-3, 0}, lo[] = {-(double)INFINITY, 0};
    saddle_problem p = {.n = 2,
                        .m = 2,
                        .f = f,
                        .lo = lo,
                        .M = saddle_matrix_view(2, 2, M_start, M_index, M_value,
                                                SADDLE_SYMMETRY_LOWER),
                        .Jt = saddle_matrix_view(2, 2, J_start, J_index, J_value,
                                                 SADDLE_SYMMETRY_NONE)};
    saddle_context *context = open_context();
    saddle_solution x = {0};
    saddle_report report;
    saddle_status alone = saddle_solve(context, &p, "schur", NULL, NULL, &x, NULL);
    assert_int_equal(alone, SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "velocity 2"));
    assert_int_equal(saddle_solve(context, &p, "auto", NULL, NULL, &x, &report), SADDLE_OK);
    assert_non_null(strstr(report.note, "then"));
    assert_string_equal(saddle_context_message(context), "");
    saddle_solution_clear(&x);
    saddle_context_free(context);
}

static void readers_checks_and_matrices_forget_what_failed_before(void **state)
{
    (void)state;
    saddle_context *context = open_context();
    int64_t start[] = {0, 1}, index[] = {0};
    double one[] = {1};
    saddle_problem p = {.n = 1,
                        .M = saddle_matrix_view(1, 1, start, index, one, SADDLE_SYMMETRY_LOWER)},
                   back = {0};
    saddle_matrix A = {0};
    saddle_rank rank = {0};
    char path[512];
    (void)snprintf(path, sizeof path, "%s/bundle", test_scratch_folder());
    leave_one(context);
    claim_fitting(context, saddle_problem_check(context, &p, NULL, NULL));
    leave_one(context);
    claim_fitting(context, saddle_problem_write(context, path, SADDLE_FORMAT_BUNDLE, &p));
    assert_true(saddle_problem_read(context, "/nowhere/at/all", NULL, &back, NULL, NULL, NULL) < 0);
    claim_fitting(context, SADDLE_FILE_ERROR);
    assert_int_equal(saddle_problem_read(context, path, NULL, &back, NULL, NULL, NULL), SADDLE_OK);
    claim_fitting(context, SADDLE_OK);
    leave_one(context);
    assert_int_equal(saddle_matrix_copy(context, &p.M, &A), SADDLE_OK);
    claim_fitting(context, SADDLE_OK);
    leave_one(context);
    assert_int_equal(saddle_rank_find(context, &p, NULL, &rank), SADDLE_OK);
    claim_fitting(context, SADDLE_OK);
    leave_one(context);
    saddle_context_clear_message(context);
    claim_fitting(context, SADDLE_OK);
    saddle_rank_clear(&rank);
    saddle_matrix_clear(&A);
    saddle_problem_clear(&back);
    saddle_context_free(context);
}

/* ---- how they count ---- */

static void assert_said(saddle_context *context, saddle_status status, const char *words)
{
    assert_true(status < 0);
    const char *said = saddle_context_message(context);
    if (!strstr(said, words)) fail_msg("'%s' does not say '%s'", said, words);
}

static void an_index_in_c_notation_counts_from_0_a_number_in_words_from_1(void **state)
{
    (void)state;
    double bad = (double)NAN;
    saddle_context *context = open_context();
    int64_t start[] = {0, 1, 2}, index[] = {0, 1}, twice[] = {0, 0}, size[] = {1, 1};
    double one[] = {1, 1}, f[] = {0, bad}, b[] = {0, bad}, v[] = {0, bad}, zero[] = {0, 0};
    char femur[] = "femur", tibia[] = "tibia", *name[] = {femur, tibia};
    saddle_problem p = {.n = 2,
                        .m = 2,
                        .component_count = 2,
                        .component_name = name,
                        .component_size = size,
                        .M = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_LOWER),
                        .Jt = saddle_matrix_view(2, 2, start, index, one, SADDLE_SYMMETRY_NONE)};
    p.f = f;
    assert_said(context, saddle_problem_check(context, &p, NULL, NULL),
                "f[1] is nan: velocity 2 (tibia[0])");
    p.f = NULL;
    p.b = b;
    assert_said(context, saddle_problem_check(context, &p, NULL, NULL), "b[1] is nan: row 2");
    p.b = NULL;
    saddle_solution start_at = {.n = 2, .m = 2, .v = v, .lambda = zero}, x = {0};
    assert_said(context, saddle_solve(context, &p, "ldlt", NULL, &start_at, &x, NULL),
                "the start's v[1] is nan");
    saddle_contact contact = {.row = 1, .size = 3};
    p.contact_count = 1;
    p.contacts = &contact;
    assert_said(context, saddle_problem_check(context, &p, NULL, NULL),
                "contact 1: contacts[0].row is 1,");
    p.contact_count = 0;
    one[1] = bad;
    assert_said(context, saddle_problem_check(context, &p, NULL, NULL),
                "M: entry (2, 2) is nan: velocity 2 (tibia[0])");
    one[1] = 1;
    saddle_matrix A;
    assert_said(context, saddle_matrix_permute(context, &p.Jt, twice, NULL, &A),
                "p is not a permutation: p[1] is 0");
    index[1] = 2;
    assert_said(context, saddle_matrix_check(context, &p.M, "M"),
                "M: column 2: row index 3 out of range 1..2");
    saddle_context_free(context);
}

/* ---- places ---- */

static void assert_place(saddle_context *context, saddle_status found, saddle_status status,
                         saddle_place_kind kind, int64_t index)
{
    const saddle_place place = saddle_context_place(context);
    assert_int_equal(found, status);
    if (place.kind != kind || place.index != index || place.column != 0)
        fail_msg("'%s' is at %d, %lld", saddle_context_message(context), (int)place.kind,
                 (long long)place.index);
}

/* v_2 = 1 and v_2 = 2, below a sound row. */
static void solvers_say_the_place_as_numbers(void **state)
{
    (void)state;
    saddle_context *context = open_context();
    int64_t M_start[] = {0, 1, 2}, M_index[] = {0, 1}, J_start[] = {0, 1, 2, 3},
            J_index[] = {0, 1, 1};
    double one[] = {1, 1, 1}, b[] = {0, 1, 2}, v[] = {0, 0}, bad[] = {0, 0, (double)NAN},
           lo[] = {-(double)INFINITY, 0, 0};
    saddle_problem p = {.n = 2,
                        .m = 3,
                        .lo = lo,
                        .M = saddle_matrix_view(2, 2, M_start, M_index, one, SADDLE_SYMMETRY_LOWER),
                        .Jt = saddle_matrix_view(2, 3, J_start, J_index, one,
                                                 SADDLE_SYMMETRY_NONE)};
    saddle_solution x = {0}, start = {.n = 2, .m = 3, .v = v, .lambda = bad};
    assert_place(context, saddle_solve(context, &p, "ldlt", NULL, NULL, &x, NULL),
                 SADDLE_UNSUPPORTED, SADDLE_PLACE_ROW, 1);
    saddle_solution_clear(&x);
    assert_place(context, saddle_solve(context, &p, "auto", NULL, &start, &x, NULL),
                 SADDLE_INVALID_ARGUMENT, SADDLE_PLACE_ROW, 2);
    saddle_solution_clear(&x);
    assert_place(context, saddle_solve(context, &p, "auto", NULL, NULL, &x, NULL), SADDLE_OK,
                 SADDLE_PLACE_NONE, 0);
    saddle_solution_clear(&x);
    p.lo = NULL;
    p.b = b;
    saddle_report report;
    saddle_status status = saddle_solve(context, &p, "auto", NULL, NULL, &x, &report);
    assert_true(report.proof.heaviest == 1 || report.proof.heaviest == 2);
    assert_place(context, status, SADDLE_INFEASIBLE, SADDLE_PLACE_ROW, report.proof.heaviest);
    saddle_solution_clear(&x);
    assert_place(context, saddle_matrix_check(context, &p.M, "M"), SADDLE_OK, SADDLE_PLACE_NONE, 0);
    M_index[1] = 4;
    assert_int_equal(saddle_matrix_check(context, &p.M, "M"), SADDLE_INVALID_ARGUMENT);
    saddle_place place = saddle_context_place(context);
    assert_int_equal(place.kind, SADDLE_PLACE_ENTRY);
    assert_true(place.index == 4 && place.column == 1);
    saddle_context_free(context);
}

/* ---- who has no mass ---- */

/* M = diag(mass), and row 1 on velocity 1.  Every solver that ends as singular names the velocity:
 * the first one held by neither M nor a row, or one without mass held by a row alone. */
static void a_velocity_without_mass_is_named_by_every_solver(void **state)
{
    (void)state;
    static const struct {
        double mass[3];
        const char *name;
        int64_t n;
    } given[] = {
        {{1, 0, 1}, "velocity 2", 3}, {{1, 1, 0}, "velocity 3", 3}, {{0, 1, 1}, "velocity 1", 3},
        {{0, 0, 0}, "velocity 2", 3}, {{0}, "velocity 1", 1},
    };
    saddle_context *context = open_context();
    int64_t start[] = {0, 1}, index[] = {0}, singular = 0;
    double one[] = {1}, push[] = {1, 1, 1}, lo[] = {0};
    for (size_t k = 0; k < 4 * sizeof given / sizeof *given; k++) {
        int64_t n = given[k / 4].n, M_start[4] = {0}, M_index[3] = {0};
        double M_value[3] = {0};
        for (int64_t j = 0; j < n; j++) {
            M_index[M_start[j]] = j;
            M_value[M_start[j]] = given[k / 4].mass[j];
            M_start[j + 1] = M_start[j] + (given[k / 4].mass[j] != 0.0);
        }
        saddle_problem p = {.n = n,
                            .m = 1,
                            .f = k % 2 ? push : NULL,
                            .lo = k % 4 > 1 ? lo : NULL,
                            .M = saddle_matrix_view(n, n, M_start, M_index, M_value,
                                                    SADDLE_SYMMETRY_LOWER),
                            .Jt = saddle_matrix_view(n, 1, start, index, one,
                                                     SADDLE_SYMMETRY_NONE)};
        const saddle_solver_type *type;
        for (int64_t s = 0; (type = saddle_solver_type_at(context, s)) != NULL; s++) {
            saddle_solution x = {0};
            if (saddle_solve(context, &p, type->name, NULL, NULL, &x, NULL) == SADDLE_SINGULAR) {
                assert_said(context, SADDLE_SINGULAR, given[k / 4].name);
                const char *first = strstr(saddle_context_message(context), "velocity ");
                assert_place(context, SADDLE_SINGULAR, SADDLE_SINGULAR, SADDLE_PLACE_VELOCITY,
                             first[strlen("velocity ")] - '1');
                singular++;
            }
            saddle_solution_clear(&x);
        }
    }
    assert_true(singular >= 4 * 3 * 3);
    saddle_context_free(context);
}

/* ---- options that were never filled in ---- */

static void options_of_zeros_are_answered_with_where_to_start(void **state)
{
    (void)state;
    saddle_context *context = open_context();
    int64_t start[] = {0, 1}, index[] = {0};
    double one[] = {1};
    saddle_problem p = {.n = 1,
                        .M = saddle_matrix_view(1, 1, start, index, one, SADDLE_SYMMETRY_LOWER)};
    saddle_options zeros = {0};
    saddle_rank_options rank_zeros = {0};
    saddle_stepper_options stepper_zeros = {0};
    saddle_context_options context_zeros = {0};
    saddle_solver *solver;
    saddle_delassus *delassus;
    saddle_solution x = {0};
    saddle_rank rank;
    saddle_model *model;
    saddle_stepper *stepper;
    saddle_attachments *graph;
    saddle_elimination *elimination;
    saddle_context *other;
    assert_said(context, saddle_options_check(context, &zeros), "saddle_options_default()");
    assert_said(context, saddle_solver_create(context, NULL, &zeros, &solver),
                "saddle_options_default()");
    assert_said(context, saddle_solve(context, &p, NULL, &zeros, NULL, &x, NULL),
                "saddle_options_default()");
    assert_said(context, saddle_delassus_create(context, &p, &zeros, &delassus),
                "saddle_options_default()");
    assert_said(context, saddle_rank_find(context, &p, &rank_zeros, &rank),
                "saddle_rank_options_default()");
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    assert_said(context,
                saddle_elimination_create(context, graph, &p, SADDLE_WISH_CHOOSE, NULL, &zeros,
                                          &elimination),
                "saddle_options_default()");
    saddle_attachments_free(graph);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    assert_said(context, saddle_stepper_create(model, &stepper_zeros, &stepper),
                "saddle_stepper_options_default()");
    saddle_model_free(model);
    /* what they say is nothing unusual */
    assert_int_equal(saddle_context_create(&context_zeros, &other), SADDLE_OK);
    saddle_context_free(other);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_phase_of_every_solver_speaks_beside_a_failure_only),
        cmocka_unit_test(what_auto_tried_first_is_forgotten_beside_ok),
        cmocka_unit_test(readers_checks_and_matrices_forget_what_failed_before),
        cmocka_unit_test(an_index_in_c_notation_counts_from_0_a_number_in_words_from_1),
        cmocka_unit_test(solvers_say_the_place_as_numbers),
        cmocka_unit_test(a_velocity_without_mass_is_named_by_every_solver),
        cmocka_unit_test(options_of_zeros_are_answered_with_where_to_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
