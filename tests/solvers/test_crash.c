/* SPDX-License-Identifier: MIT */
/* The crash basis by itself: the polygon's faces against the projection, systems whose rows are
 * exchanged. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "complementarity/crash_face.h"
#include "complementarity/crash.h"
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
    options.crash_steps = -1;
    assert_int_equal(saddle_options_check(NULL, &options), SADDLE_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faces_are_where_projections_lie),
        cmocka_unit_test(systems_whose_rows_are_exchanged_are_solved),
        cmocka_unit_test(what_overflows_is_at_no_infinite_bound),
        cmocka_unit_test(a_negative_number_of_steps_is_refused),
    };
    return cmocka_run_group_tests_name("crash", tests, NULL, NULL);
}
