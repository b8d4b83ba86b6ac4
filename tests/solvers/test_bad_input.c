/* SPDX-License-Identifier: MIT */
/* Bad input is refused with a name: a body without mass and without support, entries that are not
 * numbers, an impossible inertia. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asked.h"
#include "dense/dense.h"
#include "dense_kkt.h"
#include "support.h"

enum { MOST = 8 };

static const double INF = (double)INFINITY;
static const char *const direct[] = {"ldlt", "lu", "auto"};

/* A small problem from dense M and J, R = 0, with names. */
typedef struct model {
    int64_t n, m;
    double M[MOST][MOST], J[MOST][MOST], f[MOST], b[MOST];
    int64_t M_start[MOST + 1], M_index[MOST * MOST], J_start[MOST + 1], J_index[MOST * MOST];
    double M_value[MOST * MOST], J_value[MOST * MOST];
    saddle_problem problem;
} model;

static void build(model *s)
{
    static char *component_name[] = {"femur", "tibia"};
    static int64_t component_size[2];
    int64_t count = 0;
    for (int64_t j = 0; j < s->n; j++) {
        for (int64_t i = j; i < s->n; i++) {
            s->M_index[count] = i;
            s->M_value[count++] = s->M[i][j];
        }
        s->M_start[j + 1] = count;
    }
    count = 0;
    for (int64_t i = 0; i < s->m; i++) {
        for (int64_t j = 0; j < s->n; j++) {
            if (s->J[i][j] == 0.0) continue;
            s->J_index[count] = j;
            s->J_value[count++] = s->J[i][j];
        }
        s->J_start[i + 1] = count;
    }
    component_size[0] = 2;
    component_size[1] = s->n - 2;
    saddle_problem p = {.n = s->n, .m = s->m, .f = s->f, .b = s->b, .component_count = 2};
    p.component_name = component_name;
    p.component_size = component_size;
    p.M = saddle_matrix_view(s->n, s->n, s->M_start, s->M_index, s->M_value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(s->n, s->m, s->J_start, s->J_index, s->J_value, SADDLE_SYMMETRY_NONE);
    s->problem = p;
}

/* Four velocities of unit mass and a row on the first: a sound model. */
static model sound(void)
{
    model s = {.n = 4, .m = 1, .J = {{1.0}}, .f = {1.0, 2.0, 3.0, 4.0}};
    for (int64_t j = 0; j < s.n; j++) s.M[j][j] = 1.0;
    return s;
}

/* The status of analyse, factor, solve; the message of the last into text. */
static saddle_status run(const char *solver, model *s, char *text, size_t size)
{
    saddle_context *context;
    saddle_solution x = {0};
    build(s);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_status status = saddle_solve(context, &s->problem, solver, NULL, NULL, &x, NULL);
    (void)snprintf(text, size, "%s", saddle_context_message(context));
    saddle_solution_clear(&x);
    saddle_context_free(context);
    return status;
}

static void assert_singular(model *s, const char *message)
{
    for (int k = 0; k < 3; k++) {
        char text[512];
        saddle_status status = run(direct[k], s, text, sizeof text);
        if (status != SADDLE_SINGULAR || !strstr(text, message))
            fail_msg("%s: %s, '%s', not '%s'", direct[k], saddle_status_name(status), text,
                     message);
    }
}

static void assert_solved(model *s)
{
    for (int k = 0; k < 3; k++) {
        char text[512];
        saddle_status status = run(direct[k], s, text, sizeof text);
        if (status != SADDLE_OK)
            fail_msg("%s: %s, '%s'", direct[k], saddle_status_name(status), text);
    }
}

/* ---- no mass ---- */

static void a_body_without_mass_is_named(void **unused)
{
    (void)unused;
    model s = sound();
    s.M[3][3] = 0.0;
    assert_singular(&s, "velocity 4 (tibia[1]): no mass, and no row holds it");
    s.f[3] = 0.0; /* no force: still nothing says how it moves */
    assert_singular(&s, "velocity 4 (tibia[1]): no mass, and no row holds it");
    s.m = 0;
    assert_singular(&s, "velocity 4 (tibia[1]): no mass, and no row holds it");
    s.m = 1;
    s.J[0][3] = 1.0;
    assert_solved(&s);
}

/* Two velocities without mass: one row between both leaves a free motion, a second row leaves none.
 */
static void a_massless_link_that_rows_hold_incompletely_is_named(void **unused)
{
    (void)unused;
    model s = sound();
    s.M[2][2] = s.M[3][3] = 0.0;
    s.m = 2;
    s.J[1][2] = 1.0;
    s.J[1][3] = -1.0;
    s.f[2] = s.f[3] = 0.0;
    assert_singular(&s, "move together: no mass, and no row holds them");
    assert_singular(&s, "velocity 3 (tibia[0])");
    assert_singular(&s, "velocity 4 (tibia[1])");
    s.m = 3;
    s.J[2][1] = s.J[2][2] = 1.0;
    assert_solved(&s);
    s.J[2][2] = 0.0;
    s.J[2][1] = 0.0;
    s.J[2][2] = -2.0; /* the row of before in other words */
    s.J[2][3] = 2.0;
    assert_singular(&s, "move together");
}

/* A rod has no inertia about its own axis, which need not be a coordinate axis. */
static void an_axis_without_inertia_is_named(void **unused)
{
    (void)unused;
    model s = sound();
    s.M[2][2] = s.M[3][3] = 3.0;
    s.M[2][3] = s.M[3][2] = -3.0;
    s.f[2] = s.f[3] = 0.0;
    assert_singular(&s, "move together: no mass, and no row holds them");
    s.J[0][2] = 1.0;
    assert_solved(&s);
}

/* In any units, drawn: masses of 1e-8 .. 1e8. */
static void units_do_not_hide_it(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(300); trial++) {
        model s = {.n = test_integer(&state, 4, MOST), .m = 2};
        double unit[MOST];
        for (int64_t j = 0; j < s.n; j++) unit[j] = pow(10.0, test_uniform(&state, -4.0, 4.0));
        for (int64_t j = 0; j < s.n - 2; j++) s.M[j][j] = unit[j] * unit[j];
        int held = trial % 2;
        double first = test_uniform(&state, 1.0, 2.0);
        s.J[0][s.n - 2] = first * unit[s.n - 2];
        s.J[0][s.n - 1] = unit[s.n - 1];
        s.J[1][0] = unit[0];
        s.J[1][s.n - 2] = (held ? -first : first) * unit[s.n - 2];
        s.J[1][s.n - 1] = unit[s.n - 1];
        if (!held) s.J[1][0] = 0.0;
        if (held)
            assert_solved(&s);
        else
            assert_singular(&s, "move together");
    }
}

/* J M^-1 J' beyond the largest number. */
static void a_pivot_that_cannot_be_had_is_named(void **unused)
{
    (void)unused;
    static const char *const names[] = {"ldlt", "schur"};
    for (int k = 0; k < 2; k++) {
        model s = sound();
        char text[512];
        s.J[0][0] = 1e300;
        assert_int_equal(run(names[k], &s, text, sizeof text), SADDLE_SINGULAR);
        if (!strstr(text, "the pivot of row 1 vanished or overflowed"))
            fail_msg("%s: '%s'", names[k], text);
    }
}

/* ---- no numbers ---- */

static void assert_refused(saddle_context *context, saddle_status status, const char *message)
{
    if (status != SADDLE_INVALID_PROBLEM || !strstr(saddle_context_message(context), message))
        fail_msg("%s: '%s', not '%s'", saddle_status_name(status), saddle_context_message(context),
                 message);
}

static void entries_that_are_no_numbers_are_named_whenever_they_come(void **unused)
{
    (void)unused;
    model s = sound();
    build(&s);
    saddle_context *context;
    saddle_solver *solver;
    saddle_solution x;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, 4, 1, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, "ldlt", NULL, &solver), SADDLE_OK);
    s.M_value[5] = (double)NAN; /* (3, 2) */
    assert_refused(context, saddle_solver_analyse(solver, &s.problem),
                   "M: entry (3, 2) is nan: velocity 3 (tibia[0])");
    s.M_value[5] = 0.0;
    assert_int_equal(saddle_solver_analyse(solver, &s.problem), SADDLE_OK);
    s.M_value[5] = -INF;
    assert_refused(context, saddle_solver_factor(solver, &s.problem),
                   "M: entry (3, 2) is -inf: velocity 3 (tibia[0])");
    s.M_value[5] = 0.0;
    s.J_value[0] = INF;
    assert_refused(context, saddle_solver_factor(solver, &s.problem),
                   "J: entry (1, 1) is inf: row 1, velocity 1 (femur[0])");
    s.J_value[0] = 1.0;
    assert_int_equal(saddle_solver_factor(solver, &s.problem), SADDLE_OK);
    s.f[2] = (double)NAN;
    assert_refused(context, saddle_solver_solve(solver, &s.problem, NULL, &x),
                   "f[2] is nan: velocity 3 (tibia[0])");
    s.f[2] = 0.0;
    s.b[0] = INF;
    assert_refused(context, saddle_solver_solve(solver, &s.problem, NULL, &x),
                   "b[0] is inf: row 1");
    s.b[0] = 0.0;
    assert_int_equal(saddle_solver_solve(solver, &s.problem, NULL, &x), SADDLE_OK);
    x.v[2] = INF;
    assert_int_equal(saddle_solver_solve(solver, &s.problem, &x, &x), SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "the start's v[2] is inf"));
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_context_free(context);
}

/* Up to the largest number, of either sign. */
static double huge(uint64_t *seed)
{
    double x = test_integer(seed, 0, 1) ? test_uniform(seed, 0.1, 1.7) * 1e308
                                        : pow(10.0, test_uniform(seed, 150.0, 308.0));
    return test_integer(seed, 0, 1) ? x : -x;
}

static void solve_in_order(const char *name, const saddle_problem *p, uint64_t seed)
{
    saddle_solution x = {0};
    saddle_report report;
    saddle_status status = saddle_solve(NULL, p, name, NULL, NULL, &x, &report);
    int finite = 1;
    for (int64_t j = 0; status >= 0 && j < p->n; j++) finite &= isfinite(x.v[j]) != 0;
    for (int64_t i = 0; status >= 0 && i < p->m; i++)
        finite &= isfinite(x.lambda[i]) && isfinite(x.w[i]);
    if (!finite || (status == SADDLE_OK && !isfinite(report.residual.total)))
        fail_msg("%s, drawn from %" PRIu64 ": %s, residual %g, v, lambda and w %sfinite", name,
                 seed, saddle_status_name(status), report.residual.total, finite ? "" : "not ");
    saddle_solution_clear(&x);
}

/* Rows with bounds whose sums are beyond the largest number, although every entry is one. */
static void answers_of_data_near_the_largest_number_are_numbers(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(400); trial++) {
        uint64_t seed = state;
        model s = sound();
        double lo[MOST], hi[MOST];
        s.m = test_integer(&state, 1, 4);
        double share = test_uniform(&state, 0.05, 0.5);
        for (int64_t i = 0; i < s.m; i++) {
            for (int64_t j = 0; j < s.n; j++) s.J[i][j] = test_uniform(&state, -1.0, 1.0);
            s.J[i][test_integer(&state, 0, s.n - 1)] *= test_uniform(&state, 0.0, 1.0) < share
                                                            ? huge(&state)
                                                            : 1.0;
            s.b[i] = test_uniform(&state, 0.0, 1.0) < share ? huge(&state)
                                                            : test_uniform(&state, -1.0, 1.0);
            s.f[i] = test_uniform(&state, 0.0, 1.0) < share ? huge(&state)
                                                            : test_uniform(&state, -1.0, 1.0);
            lo[i] = test_integer(&state, 0, 2) ? 0.0 : -INF;
            hi[i] = INF;
        }
        build(&s);
        s.problem.lo = lo;
        s.problem.hi = hi;
        const saddle_solver_type *type;
        for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++)
            if (saddle_solver_type_supports(NULL, type, &s.problem) == SADDLE_OK)
                solve_in_order(type->name, &s.problem, seed);
    }
}

/* ---- an inertia that cannot be ---- */

/* factor's status; solve must give LAPACK's answer all the same, and the note must say what factor
 * said. */
static saddle_status factored(const char *name, saddle_factorization factorization, const model *s,
                              const char *message)
{
    saddle_context *context;
    saddle_solver *solver;
    saddle_solution x;
    saddle_options options = saddle_options_default();
    options.settings = asked_factorization(factorization);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, s->n, s->m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, name, &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &s->problem), SADDLE_OK);
    saddle_status status = saddle_solver_factor(solver, &s->problem);
    assert_int_equal(saddle_solver_report(solver)->status, status);
    if (message && !strstr(saddle_context_message(context), message))
        fail_msg("%s: '%s', not '%s'", name, saddle_context_message(context), message);
    for (int repeat = 0; repeat < 2; repeat++) {
        assert_int_equal(saddle_solver_solve(solver, &s->problem, NULL, &x), SADDLE_OK);
        const char *said = strstr(saddle_solver_report(solver)->note, "indefinite");
        assert_true((said != NULL) == (message != NULL));
        assert_true(!said || !strstr(said + 1, "indefinite")); /* once */
    }
    double *K;
    double *rhs;
    assert_int_equal(test_dense_kkt(NULL, &s->problem, &K, &rhs), SADDLE_OK);
    assert_int_equal(saddle__dense_solve(NULL, s->n + s->m, K, rhs), SADDLE_OK);
    assert_true(test_distance(x.v, rhs, s->n) < 1e-13);
    saddle_release(NULL, K);
    saddle_release(NULL, rhs);
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_context_free(context);
    return status;
}

static void claim_inertia(const model *s, saddle_status expected, const char *message)
{
    assert_int_equal(factored("ldlt", SADDLE_FACTORIZATION_DEFAULT, s, message), expected);
    assert_int_equal(factored("ldlt", SADDLE_FACTORIZATION_CHOLMOD, s, message), expected);
    assert_int_equal(factored("schur", SADDLE_FACTORIZATION_DEFAULT, s, message), expected);
    assert_int_equal(factored("auto", SADDLE_FACTORIZATION_DEFAULT, s, message), expected);
}

static void an_indefinite_mass_is_told_by_its_inertia_and_solved(void **unused)
{
    (void)unused;
    model s = sound();
    s.M[2][2] = -1.0;
    build(&s);
    claim_inertia(&s, SADDLE_WRONG_INERTIA, "3 positive, 2 negative, 0 zero pivots, not 4 and 1");
    s.J[0][0] = 0.0;
    s.J[0][2] = 1.0; /* the row holds the negative mass: on the motions that are left M is
                        definite */
    build(&s);
    claim_inertia(&s, SADDLE_OK, NULL);
    s.M[2][2] = 1.0;
    build(&s);
    claim_inertia(&s, SADDLE_OK, NULL);
    s.M[3][3] = -1.0;
    s.m = 0; /* a bare matrix may be anything */
    build(&s);
    claim_inertia(&s, SADDLE_OK, NULL);
}

static void negative_compliance_is_told_by_the_inertia(void **unused)
{
    (void)unused;
    model s = sound();
    int64_t start[] = {0, 1};
    int64_t index[] = {0};
    double R[] = {-3.0};
    build(&s);
    s.problem.R = saddle_matrix_view(1, 1, start, index, R, SADDLE_SYMMETRY_LOWER);
    claim_inertia(&s, SADDLE_WRONG_INERTIA, "5 positive, 0 negative, 0 zero pivots, not 4 and 1");
    R[0] = 3.0;
    claim_inertia(&s, SADDLE_OK, NULL);
}

typedef struct refusal {
    model s;
    saddle_status status; /* of the undisturbed solve */
} refusal;

/* OK: the status that it must be. */
static saddle_status solve_bad(saddle_context *context, void *user)
{
    const refusal *r = user;
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, &r->s.problem, "ldlt", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    assert_true(status != SADDLE_OK || r->status == SADDLE_OK);
    return status == r->status ? SADDLE_OK : status;
}

static void refusals_and_warnings_leak_nothing(void **unused)
{
    (void)unused;
    refusal r = {sound(), SADDLE_SINGULAR};
    r.s.M[3][3] = 0.0;
    build(&r.s);
    assert_true(test_allocation_sweep(solve_bad, &r) > 0);
    r.s.J[0][3] = 1.0;
    r.s.M[2][2] = -1.0;
    r.status = SADDLE_OK; /* told by its inertia, and solved */
    build(&r.s);
    assert_true(test_allocation_sweep(solve_bad, &r) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_without_mass_is_named),
        cmocka_unit_test(a_massless_link_that_rows_hold_incompletely_is_named),
        cmocka_unit_test(an_axis_without_inertia_is_named),
        cmocka_unit_test(units_do_not_hide_it),
        cmocka_unit_test(a_pivot_that_cannot_be_had_is_named),
        cmocka_unit_test(entries_that_are_no_numbers_are_named_whenever_they_come),
        cmocka_unit_test(answers_of_data_near_the_largest_number_are_numbers),
        cmocka_unit_test(an_indefinite_mass_is_told_by_its_inertia_and_solved),
        cmocka_unit_test(negative_compliance_is_told_by_the_inertia),
        cmocka_unit_test(refusals_and_warnings_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
