/* SPDX-License-Identifier: MIT */
/* lemke's crash basis, dense and sparse: the polygon's faces against the projection, and answers
 * against those of the path where there is but one.  What has several answers is in
 * test_complementarity, what has none in test_lemke. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "drawn_mixed.h"
#include "complementarity/crash_face.h"
#include "lemke/lemke_state.h"
#include "problem/cone.h"

static void faces_are_where_projections_lie(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t met[3] = {0, 0, 0};
    for (int draws = 0; draws < 3000; draws++) {
        int64_t facets = test_integer(&seed, 3, 9);
        double radius = test_uniform(&seed, 0.1, 2.0);
        double x[2] = {test_uniform(&seed, -3.0, 3.0), test_uniform(&seed, -3.0, 3.0)};
        double at[2] = {x[0], x[1]};
        saddle__project_polygon(radius, facets, at);
        int64_t number = saddle__face_of(radius, facets, x);
        assert_true(number >= SADDLE__FACE_INSIDE && number < 2 * facets);
        saddle__face face = saddle__face_shape(facets, number);
        double from[2] = {at[0] - radius * face.corner[0], at[1] - radius * face.corner[1]};
        double length = face.edge[0] * face.edge[0] + face.edge[1] * face.edge[1];
        double s = face.is_edge ? (from[0] * face.edge[0] + from[1] * face.edge[1]) / length : 0.0;
        if (number == SADDLE__FACE_INSIDE) {
            assert_true(at[0] == x[0] && at[1] == x[1]);
        } else {
            assert_true(fabs(from[0] - s * face.edge[0]) <= 1e-14 &&
                        fabs(from[1] - s * face.edge[1]) <= 1e-14);
            assert_true(s >= -1e-14 && s <= radius + 1e-14);
            assert_true(saddle__face_distance(radius, facets, x, at) == 0.0);
        }
        met[number == SADDLE__FACE_INSIDE ? 0 : face.is_edge ? 1 : 2]++;
    }
    assert_true(met[0] > 100 && met[1] > 100 && met[2] > 100);
}

/* ---- answers ---- */

enum { CONTACTS = 12, ROWS = 3 * CONTACTS + 8 };

typedef struct drawn {
    saddle_problem problem;
    saddle_contact contact[CONTACTS];
    double M[ROWS], b[ROWS], lo[ROWS], hi[ROWS], unit[ROWS];
} drawn;

static void add_matrix(saddle_matrix *A, const double *value, saddle_symmetry symmetry)
{
    int64_t row[ROWS * ROWS];
    int64_t col[ROWS * ROWS];
    double entry[ROWS * ROWS];
    int64_t count = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRIC ? i + 1 : ROWS); j++) {
            if (value[i * ROWS + j] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            entry[count++] = value[i * ROWS + j];
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, ROWS, ROWS, count, row, col, entry, symmetry,
                                                 A),
                     SADDLE_OK);
}

/* Rows of all kinds, then contacts, W near the identity and mu small: one solution.
 * with_velocities: W = J M^-1 J' with J near the identity, else W is R.  Contacts are weighed by
 * powers of two up to 2^+-exponent. */
static void draw(uint64_t *seed, saddle_law law, int64_t facets, int with_velocities, int exponent,
                 drawn *d)
{
    static double W[ROWS * ROWS];
    memset(d, 0, sizeof *d);
    int general = !with_velocities && test_integer(seed, 0, 1) == 1;
    double unit = 1.0;
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t kind = test_integer(seed, 0, 3);
        int contact = i >= ROWS - 3 * CONTACTS;
        if (!contact || (i - (ROWS - 3 * CONTACTS)) % 3 == 0)
            unit = ldexp(1.0, (int)test_integer(seed, -exponent, exponent));
        d->unit[i] = unit;
        d->lo[i] = (kind == 0 ? -(double)INFINITY : kind == 1 ? -0.3 : 0.0) / unit;
        d->hi[i] = (kind == 1 || kind == 2 ? 0.3 : (double)INFINITY) / unit;
        d->b[i] = unit * test_uniform(seed, contact ? -0.4 : -1.0, 1.0);
    }
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double a = i == j ? 1.0 : test_uniform(seed, -0.02, 0.02);
            double c = i == j ? 1.0 : general ? test_uniform(seed, -0.02, 0.02) : a;
            W[i * ROWS + j] = a * (with_velocities ? 1.0 : d->unit[i] * d->unit[j]);
            W[j * ROWS + i] = c * (with_velocities ? 1.0 : d->unit[i] * d->unit[j]);
        }
        d->M[i] = 0.5 + test_uniform(seed, 0.0, 1.0);
    }
    for (int64_t k = 0; k < CONTACTS; k++)
        d->contact[k] = (saddle_contact){.row = ROWS - 3 * (CONTACTS - k),
                                         .size = 3,
                                         .mu = k == 0 ? 0.0 : 0.2};
    d->problem = (saddle_problem){.m = ROWS,
                                  .b = d->b,
                                  .lo = d->lo,
                                  .hi = d->hi,
                                  .contact_count = CONTACTS,
                                  .contacts = d->contact,
                                  .law = law,
                                  .facets = facets};
    if (!with_velocities) {
        add_matrix(&d->problem.R, W, general ? SADDLE_GENERAL : SADDLE_SYMMETRIC);
        return;
    }
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < ROWS; j++) W[i * ROWS + j] *= d->unit[j];
    }
    add_matrix(&d->problem.Jt, W, SADDLE_GENERAL);
    memset(W, 0, sizeof W);
    for (int64_t i = 0; i < ROWS; i++) W[i * ROWS + i] = d->M[i];
    add_matrix(&d->problem.M, W, SADDLE_SYMMETRIC);
    d->problem.n = ROWS;
}

static saddle_report solve(const drawn *d, const char *table, int64_t crash_steps,
                           const saddle_solution *start, saddle_solution *solution)
{
    saddle_options options = saddle_options_default();
    saddle_report report;
    saddle_context *context;
    options.settings = asked_steps(crash_steps);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_register(context, &saddle__solver_lemke_revised), SADDLE_OK);
    if (!solution->lambda)
        assert_int_equal(saddle_solution_create(NULL, d->problem.n, d->problem.m, solution),
                         SADDLE_OK);
    saddle_status status = saddle_solve(context, &d->problem, table, &options, start, solution,
                                        &report);
    assert_int_equal(status, SADDLE_OK);
    saddle_context_free(context);
    return report;
}

static void answers_are_those_of_the_path(saddle_law law, int64_t facets, int with_velocities,
                                          int exponent)
{
    uint64_t seed = test_seed();
    int64_t found = 0;
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    for (int draws = 0; draws < 12; draws++) {
        draw(&seed, law, facets, with_velocities, exponent, d);
        saddle_solution path = {0};
        saddle_solution crash = {0};
        saddle_report report = solve(d, "lemke", 0, NULL, &path);
        assert_int_equal(report.iterations, 0);
        assert_true(report.pivots > ROWS / 4);
        report = solve(d, "lemke", 30, NULL, &crash);
        assert_true(report.iterations > 0 && report.iterations < 30);
        saddle_solution sparse = {0};
        assert_int_equal(solve(d, "lemke-revised", 30, NULL, &sparse).iterations,
                         report.iterations);
        for (int64_t i = 0; i < ROWS; i++) sparse.lambda[i] *= d->unit[i];
        for (int64_t i = 0; i < ROWS; i++) {
            path.lambda[i] *= d->unit[i];
            crash.lambda[i] *= d->unit[i];
        }
        assert_true(test_distance(path.lambda, crash.lambda, ROWS) <= 1e-12);
        assert_true(test_distance(path.lambda, sparse.lambda, ROWS) <= 1e-12);
        saddle_solution_clear(&sparse);
        for (int64_t i = 0; i < ROWS; i++) crash.lambda[i] /= d->unit[i];
        report = solve(d, "lemke", 30, &crash, &path);
        found += report.pivots == 0 && report.iterations == 1;
        saddle_solution_clear(&path);
        saddle_solution_clear(&crash);
        saddle_matrix_clear(&d->problem.M);
        saddle_matrix_clear(&d->problem.Jt);
        saddle_matrix_clear(&d->problem.R);
    }
    assert_true(found >= 10); /* at its answer a start is a basis found */
    free(d);
}

static void boxes_are_answered_as_by_the_path(void **state)
{
    (void)state;
    answers_are_those_of_the_path(SADDLE_LAW_BOX, 0, 0, 0);
    answers_are_those_of_the_path(SADDLE_LAW_BOX, 0, 1, 0);
}

static void pyramids_are_answered_as_by_the_path(void **state)
{
    (void)state;
    static const int64_t facets[] = {3, 4, 5, 8};
    for (int k = 0; k < 4; k++) {
        answers_are_those_of_the_path(SADDLE_LAW_PYRAMID, facets[k], 0, 0);
        answers_are_those_of_the_path(SADDLE_LAW_PYRAMID, facets[k], 1, 0);
    }
}

static void units_do_not_change_the_answer(void **state)
{
    (void)state;
    answers_are_those_of_the_path(SADDLE_LAW_BOX, 0, 0, 12);
    answers_are_those_of_the_path(SADDLE_LAW_PYRAMID, 6, 1, 12);
}

/* Equations of small diagonals beside a large skew part: most pivots are other rows'.  One step,
 * since from impulses. */
static void systems_whose_rows_are_exchanged_are_solved(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    static double W[SADDLE__CRASH_SMALL * SADDLE__CRASH_SMALL],
        A[SADDLE__CRASH_SMALL * SADDLE__CRASH_SMALL];
    saddle__crash_limits limits = {.steps = 1};
    int64_t exchanged = 0;
    for (int draws = 0; draws < 1000; draws++) {
        int64_t m = test_integer(&seed, 2, SADDLE__CRASH_SMALL);
        saddle_problem problem = {.m = m};
        saddle__crash crash = {0};
        assert_int_equal(saddle__crash_create(NULL, m, &crash), SADDLE_OK);
        for (int64_t i = 0; i < m; i++) {
            for (int64_t j = 0; j < i; j++)
                W[i + j * m] = -(W[j + i * m] = test_uniform(&seed, -1.0, 1.0));
            W[i + i * m] = test_uniform(&seed, 0.1, 0.2);
            crash.q[i] = test_uniform(&seed, -1.0, 1.0);
            crash.lambda[i] = 1.0;
        }
        crash.W = W;
        crash.A = A;
        assert_true(saddle__crash_run(&crash, &problem, 0, &limits));
        for (int64_t i = 0; i < m; i++) {
            long double w = crash.q[i];
            for (int64_t j = 0; j < m; j++) w += (long double)W[i + j * m] * crash.lambda[j];
            if (!(fabsl(w) <= 1e-12L))
                fail_msg("draw %d, row %d of %d: w = %g", draws, (int)i, (int)m, (double)w);
            exchanged += crash.exchange[i] != i + 1;
        }
        saddle__crash_clear(NULL, &crash);
    }
    assert_true(exchanged > 5000);
}

/* lambda_1 <= 1 is to be -1e608; nor is there an array of lower bounds to look into. */
static void what_overflows_is_at_no_infinite_bound(void **state)
{
    (void)state;
    static const char *const exact[] = {"lemke", "schur", "pivot", "auto"};
    int64_t start[] = {0, 1, 2}, index[] = {0, 1};
    double R[] = {1e-300, 1.0}, b[] = {-1e308, 1.0}, hi[] = {1.0, 1.0};
    saddle_problem p = {.m = 2, .b = b, .hi = hi};
    p.R = saddle_matrix_view(2, 2, start, index, R, SADDLE_GENERAL);
    for (int k = 0; k < 4; k++) {
        saddle_solution x = {0};
        assert_int_not_equal(saddle_solve(NULL, &p, exact[k], NULL, NULL, &x, NULL), SADDLE_OK);
        assert_true(isfinite(x.lambda[0]) && isfinite(x.lambda[1]));
        saddle_solution_clear(&x);
    }
}

static void a_negative_number_of_steps_is_refused(void **state)
{
    (void)state;
    saddle_options options = saddle_options_default();
    saddle_solver *solver = NULL;
    options.settings = "lemke.crash_steps=-1";
    assert_int_equal(saddle_solver_create(NULL, "lemke", &options, &solver),
                     SADDLE_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_are_where_projections_lie),
        cmocka_unit_test(boxes_are_answered_as_by_the_path),
        cmocka_unit_test(pyramids_are_answered_as_by_the_path),
        cmocka_unit_test(units_do_not_change_the_answer),
        cmocka_unit_test(systems_whose_rows_are_exchanged_are_solved),
        cmocka_unit_test(what_overflows_is_at_no_infinite_bound),
        cmocka_unit_test(a_negative_number_of_steps_is_refused),
    };
    return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
