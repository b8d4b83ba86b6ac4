/* SPDX-License-Identifier: MIT */
/* Rows that depend on others but for a gap, with R = 0, by ldlt, and by lu where K is singular
 * besides: what regularization adds, 1e-10, swamps the pivot of such a row, about the square of its
 * gap, and refinement has to bring it back.
 *
 *     J_i = J_a + J_c + gap e_k'    gap a power of two;  M, J of integers;
 *                                   v, lambda multiples of 1/64
 *
 * so that f = M v - J'lambda and b = J v are exact, and so is the answer.  With 1 added to b_i the
 * answer is known in v_k: 1 / gap more than before.  The square of the gap is below rounding from
 * 2^-24 on: lambda is then anybody's, v's error the gap's, and only the residual is claimed. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "asked.h"
#include "support.h"

enum { N = 24, BASE = 10, MOST = 18, ENTRIES = 2 * N * MOST };

typedef struct near_system {
    int64_t near, m; /* near: number of rows that nearly depend; copies of the first rows follow */
    double gap;
    double M[N][N], J[MOST][N];
    double v[N], lambda[MOST], f[N], b[MOST];
    saddle_problem problem; /* views of f and b, owned matrices */
} near_system;

static void draw_masses(uint64_t *state, near_system *s)
{
    for (int64_t k = 0; k < 2 * N; k++) {
        int64_t i = test_integer(state, 0, N - 1);
        int64_t j = test_integer(state, 0, N - 1);
        if (i != j) s->M[i][j] = s->M[j][i] = (double)test_integer(state, -2, 2);
    }
    for (int64_t i = 0; i < N; i++) {
        double sum = 1.0;
        for (int64_t j = 0; j < N; j++) sum += fabs(s->M[i][j]);
        s->M[i][i] = sum;
    }
}

static void draw_rows(uint64_t *state, near_system *s)
{
    for (int64_t i = 0; i < BASE; i++) {
        for (int k = 0; k < 3; k++)
            s->J[i][test_integer(state, 0, N - 1)] = (double)test_integer(state, -2, 2);
        s->J[i][i] = 3.0;
    }
    for (int64_t i = BASE; i < BASE + s->near; i++) {
        int64_t a = test_integer(state, 0, BASE - 1);
        int64_t c = test_integer(state, 0, BASE - 1);
        for (int64_t j = 0; j < N; j++) s->J[i][j] = s->J[a][j] + s->J[c][j];
        s->J[i][i + 2] += s->gap;
    }
    for (int64_t i = BASE + s->near; i < s->m; i++)
        memcpy(s->J[i], s->J[i - BASE - s->near], sizeof s->J[i]);
}

static saddle_matrix sparse(int64_t rows, int64_t cols, const double *A, saddle_symmetry symmetry)
{
    int64_t row[ENTRIES];
    int64_t col[ENTRIES];
    double value[ENTRIES];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            if (A[i * cols + j] == 0.0 || (symmetry == SADDLE_SYMMETRY_LOWER && j > i)) continue;
            row[count] = symmetry == SADDLE_SYMMETRY_LOWER ? i : j; /* J goes in transposed */
            col[count] = symmetry == SADDLE_SYMMETRY_LOWER ? j : i;
            value[count++] = A[i * cols + j];
        }
    saddle_matrix S;
    int64_t height = symmetry == SADDLE_SYMMETRY_LOWER ? rows : cols;
    int64_t width = symmetry == SADDLE_SYMMETRY_LOWER ? cols : rows;
    assert_int_equal(saddle_matrix_from_triplets(NULL, height, width, count, row, col, value,
                                                 symmetry, &S),
                     SADDLE_OK);
    return S;
}

static void draw_system(uint64_t *state, int64_t near, int64_t copies, double gap, near_system *s)
{
    memset(s, 0, sizeof(*s));
    s->near = near;
    s->m = BASE + near + copies;
    s->gap = gap;
    draw_masses(state, s);
    draw_rows(state, s);
    for (int64_t j = 0; j < N; j++) s->v[j] = (double)test_integer(state, -64, 64) / 64.0;
    for (int64_t i = 0; i < s->m; i++) s->lambda[i] = (double)test_integer(state, -64, 64) / 64.0;
    for (int64_t j = 0; j < N; j++) {
        for (int64_t k = 0; k < N; k++) s->f[j] += s->M[j][k] * s->v[k];
        for (int64_t i = 0; i < s->m; i++) s->f[j] -= s->J[i][j] * s->lambda[i];
    }
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < N; j++) s->b[i] += s->J[i][j] * s->v[j];
    s->problem = (saddle_problem){.n = N, .m = s->m, .f = s->f, .b = s->b};
    s->problem.M = sparse(N, N, s->M[0], SADDLE_SYMMETRY_LOWER);
    s->problem.Jt = sparse(s->m, N, s->J[0], SADDLE_SYMMETRY_NONE);
}

static void clear_system(near_system *s)
{
    saddle_matrix_clear(&s->problem.M);
    saddle_matrix_clear(&s->problem.Jt);
}

static double distance(const double *x, const double *y, int64_t count)
{
    double most = 0.0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

/* max |J v - b| and |M v - J'lambda - f| over the largest of what is summed */
static double defect(const near_system *s, const saddle_solution *x)
{
    double worst = 0.0;
    for (int64_t i = 0; i < N + s->m; i++) {
        long double r = i < N ? -s->f[i] : -s->b[i - N];
        long double size = fabsl(r);
        for (int64_t j = 0; j < N; j++) {
            long double term = (long double)(i < N ? s->M[i][j] : s->J[i - N][j]) * x->v[j];
            r += term;
            size = fmaxl(size, fabsl(term));
        }
        for (int64_t k = 0; i < N && k < s->m; k++) {
            long double term = (long double)s->J[k][i] * x->lambda[k];
            r -= term;
            size = fmaxl(size, fabsl(term));
        }
        worst = fmax(worst, (double)(fabsl(r) / fmaxl(size, 1.0L)));
    }
    return worst;
}

/* ---- claims ---- */

static void rows_that_nearly_depend_hold_whatever_the_gap(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t near = 1; near <= MOST - BASE; near += MOST - BASE - 1) {
        for (int bits = 6; bits <= 42; bits++) {
            for (int trial = 0; trial < 20; trial++) {
                near_system s;
                saddle_solution x = {0};
                saddle_report report;
                draw_system(&state, near, 0, ldexp(1.0, -bits), &s);
                assert_int_equal(saddle_solve(NULL, &s.problem, "ldlt", NULL, NULL, &x, &report),
                                 SADDLE_OK);
                double left = defect(&s, &x);
                if (!(left <= (near > 1 ? 1e-10 : 1e-12))) /* 20 steps are few for 8 rows: the
                                                              tolerance, then */
                    fail_msg("gap 2^-%d, %d rows: defect %.1e", bits, (int)near, left);
                saddle_solution_clear(&x);
                clear_system(&s);
            }
        }
    }
}

/* Copies of rows make K singular; lu then factors K with a small diagonal added, as ldlt always
 * does. */
static void one_that_nearly_depends_holds_beside_copies_of_others(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static const char *const names[] = {"ldlt", "lu"};
    for (int bits = 6; bits <= 42; bits++) {
        for (int trial = 0; trial < 20; trial++) {
            near_system s;
            saddle_report report;
            draw_system(&state, 1, 2, ldexp(1.0, -bits), &s);
            for (int k = 0; k < 2; k++) {
                saddle_solution x = {0};
                assert_int_equal(saddle_solve(NULL, &s.problem, names[k], NULL, NULL, &x, &report),
                                 SADDLE_OK);
                double left = defect(&s, &x);
                if (!(left <= 1e-12)) fail_msg("%s, gap 2^-%d: defect %.1e", names[k], bits, left);
                saddle_solution_clear(&x);
            }
            clear_system(&s);
        }
    }
}

/* A backward error of rounding, u, leaves |K^-1| u: along the row's direction 1 / gap in v and 1 /
 * gap^2 in lambda, times what masses of about 10 and rows of length 4 come to. */
static void one_that_nearly_depends_is_as_exact_as_its_gap_allows(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const saddle_factorization methods[] = {SADDLE_FACTORIZATION_DEFAULT,
                                            SADDLE_FACTORIZATION_CHOLMOD};
    for (int bits = 6; bits <= 15; bits++) {
        for (int trial = 0; trial < 60; trial++) {
            near_system s;
            saddle_solution x = {0};
            saddle_report report;
            saddle_options options = saddle_options_default();
            options.settings = asked_factorization(methods[trial % 2]);
            draw_system(&state, 1, 0, ldexp(1.0, -bits), &s);
            assert_int_equal(saddle_solve(NULL, &s.problem, "ldlt", &options, NULL, &x, &report),
                             SADDLE_OK);
            double v = distance(x.v, s.v, N);
            double lambda = distance(x.lambda, s.lambda, s.m);
            double allowed = 1e3 * DBL_EPSILON / s.gap;
            if (!(v <= allowed && lambda <= allowed / s.gap))
                fail_msg("gap 2^-%d: v off by %.1e, lambda by %.1e after %d steps", bits, v, lambda,
                         (int)report.refinements);
            saddle_solution_clear(&x);
            clear_system(&s);
        }
    }
}

/* b_i one more than the other rows say: the gap alone can make it up, by a v_k of 1 / gap */
static void a_right_hand_side_that_only_the_gap_can_meet_is_met_or_refused(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int bits = 6; bits <= 42; bits++) {
        for (int trial = 0; trial < 20; trial++) {
            near_system s;
            saddle_solution x = {0};
            saddle_report report;
            draw_system(&state, 1, 0, ldexp(1.0, -bits), &s);
            s.b[BASE] += 1.0;
            saddle_status status = saddle_solve(NULL, &s.problem, "ldlt", NULL, NULL, &x, &report);
            double expected = s.v[BASE + 2] + ldexp(1.0, bits);
            int met = status == SADDLE_OK && fabs(x.v[BASE + 2] - expected) <= 1e-12 * expected;
            if (bits <= 15 && !met) fail_msg("gap 2^-%d: %s", bits, saddle_status_name(status));
            double allowed = 1e3 * DBL_EPSILON / (s.gap * s.gap); /* as above */
            if (status == SADDLE_OK)
                assert_true(fabs(x.v[BASE + 2] - expected) <= allowed * expected);
            if (status == SADDLE_OK) assert_true(defect(&s, &x) <= 1e-10);
            if (bits >= 30) assert_int_not_equal(status, SADDLE_OK);
            saddle_solution_clear(&x);
            clear_system(&s);
        }
    }
}

static saddle_status solve_in(saddle_context *context, void *user)
{
    near_system *s = user;
    saddle_solution x = {0};
    saddle_report report;
    saddle_status status = saddle_solve(context, &s->problem, "ldlt", NULL, NULL, &x, &report);
    saddle_solution_clear(&x);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    near_system s;
    draw_system(&state, 1, 0, 0x1p-15, &s);
    assert_true(test_allocation_sweep(solve_in, &s) > 10);
    clear_system(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_nearly_depend_hold_whatever_the_gap),
        cmocka_unit_test(one_that_nearly_depends_holds_beside_copies_of_others),
        cmocka_unit_test(one_that_nearly_depends_is_as_exact_as_its_gap_allows),
        cmocka_unit_test(a_right_hand_side_that_only_the_gap_can_meet_is_met_or_refused),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
