/* SPDX-License-Identifier: MIT */
/* Problems with massless motions of M over all velocities. f pushes along a motion held by no row:
 * every solver proves the problem unbounded.  All motions held by rows, or not pushed by f: no
 * solver does.  The truth is known from the draw, by least squares over all subsets of the rows. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define INF ((double)INFINITY)

enum { MOST = 12, ROWS = 5 };

/* M = B C', n x n of rank r; Z (n x (n - r)): orthonormal, M'Z = 0. */
typedef struct drawn {
    saddle_problem problem;
    int64_t n, r, m;
    double B[MOST * MOST], C[MOST * MOST], Z[MOST * MOST], unit[MOST];
    int64_t M_start[MOST + 1], M_index[MOST * MOST], Jt_start[ROWS + 1], Jt_index[ROWS * MOST];
    double M[MOST * MOST], J[ROWS * MOST], f[MOST], b[ROWS], lo[ROWS], hi[ROWS];
} drawn;

static double product(int64_t n, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++) sum += a[j] * b[j];
    return sum;
}

/* x less its part along the `count` orthonormal columns of Q, twice over; returns |x| */
static double project_out(int64_t n, int64_t count, const double *Q, double *x)
{
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t k = 0; k < count; k++) {
            double part = product(n, Q + k * n, x);
            for (int64_t j = 0; j < n; j++) x[j] -= part * Q[j + k * n];
        }
    }
    return sqrt(product(n, x, x));
}

/* Q (n x ..): orthonormal, of the columns of A that depend on none before; how many */
static int64_t orthonormalize(int64_t n, int64_t columns, const double *A, double *Q)
{
    int64_t count = 0;
    for (int64_t k = 0; k < columns && count < n; k++) {
        double *q = Q + count * n;
        double before = sqrt(product(n, A + k * n, A + k * n));
        memcpy(q, A + k * n, (size_t)n * sizeof *q);
        double left = project_out(n, count, Q, q);
        if (!(left > 1e-9 * before)) continue;
        for (int64_t j = 0; j < n; j++) q[j] /= left;
        count++;
    }
    return count;
}

/* Z: what B's columns leave. */
static void find_motions(uint64_t *seed, drawn *d)
{
    double A[2 * MOST * MOST], Q[MOST * MOST];
    memcpy(A, d->B, (size_t)(d->n * d->r) * sizeof *A);
    for (int64_t k = 0; k < d->n * d->n; k++) A[d->n * d->r + k] = test_uniform(seed, -1.0, 1.0);
    assert_int_equal(orthonormalize(d->n, d->r + d->n, A, Q), d->n);
    memcpy(d->Z, Q + d->n * d->r, (size_t)(d->n * (d->n - d->r)) * sizeof *Q);
}

/* Entry j of a vector that motions without mass do not feel, or of any. */
static void draw_vector(uint64_t *seed, const drawn *d, int within, double *x)
{
    for (int64_t j = 0; j < d->n; j++) x[j] = within ? 0.0 : test_uniform(seed, -1.0, 1.0);
    for (int64_t k = 0; within && k < d->r; k++) {
        double part = test_uniform(seed, -1.0, 1.0);
        for (int64_t j = 0; j < d->n; j++) x[j] += part * d->B[j + k * d->n];
    }
}

static void draw_matrices(uint64_t *seed, int symmetric, drawn *d)
{
    for (int64_t k = 0; k < d->n * d->r; k++) {
        d->B[k] = test_uniform(seed, -1.0, 1.0);
        d->C[k] = symmetric ? d->B[k] : d->B[k] + test_uniform(seed, -0.3, 0.3);
    }
    int64_t at = 0;
    for (int64_t j = 0; j < d->n; j++) {
        for (int64_t i = symmetric ? j : 0; i < d->n; i++, at++) {
            d->M_index[at] = i;
            d->M[at] = 0.0;
            for (int64_t k = 0; k < d->r; k++) d->M[at] += d->B[i + k * d->n] * d->C[j + k * d->n];
        }
        d->M_start[j + 1] = at;
    }
}

/* held: the rows feel the motions; pushed: f does. */
static void draw(uint64_t *seed, int symmetric, int held, int pushed, drawn *d)
{
    memset(d, 0, sizeof *d);
    d->n = test_integer(seed, 2, MOST);
    d->r = test_integer(seed, 1, d->n - 1);
    d->m = test_integer(seed, 0, ROWS);
    draw_matrices(seed, symmetric, d);
    find_motions(seed, d);
    draw_vector(seed, d, !pushed, d->f);
    for (int64_t i = 0; i < d->m; i++) {
        draw_vector(seed, d, !held, d->J + i * d->n);
        for (int64_t j = 0; j < d->n; j++) d->Jt_index[i * d->n + j] = j;
        d->Jt_start[i + 1] = (i + 1) * d->n;
        d->b[i] = test_uniform(seed, -1.0, 0.0);
        d->lo[i] = test_integer(seed, 0, 4) ? 0.0 : -INF;
        d->hi[i] = INF;
    }
    if (d->m > 0) d->lo[0] = 0.0; /* one is no equation */
    d->problem = (saddle_problem){
        .n = d->n, .m = d->m, .f = d->f, .b = d->b, .lo = d->lo, .hi = d->hi};
    saddle_symmetry symmetry = symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE;
    d->problem.M = saddle_matrix_view(d->n, d->n, d->M_start, d->M_index, d->M, symmetry);
    d->problem.Jt = saddle_matrix_view(d->n, d->m, d->Jt_start, d->Jt_index, d->J,
                                       SADDLE_SYMMETRY_NONE);
}

/* Other units of all velocities: v = U v'. */
static void change_units(uint64_t *seed, drawn *d)
{
    for (int64_t j = 0; j < d->n; j++) d->unit[j] = pow(10.0, test_uniform(seed, -3.0, 3.0));
    for (int64_t j = 0; j < d->n; j++) {
        for (int64_t k = d->M_start[j]; k < d->M_start[j + 1]; k++)
            d->M[k] *= d->unit[j] * d->unit[d->M_index[k]];
        d->f[j] *= d->unit[j];
        for (int64_t i = 0; i < d->m; i++) d->J[i * d->n + j] *= d->unit[j];
    }
}

/* |Z'f + sum lambda_i Z'J_i'| / |f|, the least over lambda that the rows allow: what rows cannot
 * bear of the push.  The least is that of least squares on some subset of the rows. */
static double unborne(const drawn *d)
{
    int64_t dims = d->n - d->r;
    double g[MOST], a[ROWS * MOST], least = INF;
    for (int64_t k = 0; k < dims; k++) {
        g[k] = product(d->n, d->Z + k * d->n, d->f);
        for (int64_t i = 0; i < d->m; i++) {
            const double *J = d->J + i * d->n;
            double part = product(d->n, d->Z + k * d->n, J);
            a[i * dims + k] = fabs(part) > 1e-12 * sqrt(product(d->n, J, J)) ? part : 0.0;
        }
    }
    for (int set = 0; set < 1 << d->m; set++) {
        double A[ROWS * MOST], Q[MOST * MOST], lambda[ROWS], left[MOST];
        int64_t row[ROWS], count = 0;
        for (int64_t i = 0; i < d->m; i++) {
            if (!(set >> i & 1)) continue;
            memcpy(A + count * dims, a + i * dims, (size_t)dims * sizeof *A);
            row[count++] = i;
        }
        if (count > dims || orthonormalize(dims, count, A, Q) < count) continue;
        memcpy(left, g, (size_t)dims * sizeof *left);
        (void)project_out(dims, count, Q, left);
        for (int64_t k = count; k-- > 0;) { /* A lambda = left - g, A = Q times a triangle */
            double sum = -product(dims, Q + k * dims, g);
            for (int64_t l = k + 1; l < count; l++)
                sum -= product(dims, Q + k * dims, A + l * dims) * lambda[l];
            lambda[k] = sum / product(dims, Q + k * dims, A + k * dims);
        }
        int allowed = 1;
        for (int64_t k = 0; k < count; k++) allowed &= lambda[k] >= d->lo[row[k]];
        if (allowed) least = fmin(least, sqrt(product(dims, left, left)));
    }
    return least / sqrt(product(d->n, d->f, d->f));
}

static const char *const everyone[] = {"schur", "pivot", "lemke", "gauss-seidel", "auto"};

enum { SOLVERS = sizeof everyone / sizeof *everyone };

/* What is proven; status: how it ended. */
static saddle_proof_kind proof_by(const drawn *d, const char *name, saddle_status *status)
{
    saddle_context *context;
    saddle_solver *solver;
    saddle_solution x = {0};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, name, NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, d->n, d->m, &x), SADDLE_OK);
    *status = saddle_solver_analyse(solver, &d->problem);
    if (*status >= 0) *status = saddle_solver_factor(solver, &d->problem);
    if (*status >= 0) *status = saddle_solver_solve(solver, &d->problem, NULL, &x);
    saddle_proof_kind kind = saddle_solver_certificate(solver)
                                 ? saddle_solver_report(solver)->proof.kind
                                 : SADDLE_PROOF_NONE;
    if (*status == SADDLE_SINGULAR && kind != SADDLE_PROOF_NONE)
        assert_non_null(strstr(saddle_context_message(context), ": unbounded"));
    assert_true(kind == SADDLE_PROOF_NONE || *status == SADDLE_SINGULAR ||
                *status == SADDLE_INFEASIBLE);
    saddle_solution_clear(&x);
    saddle_solver_free(solver);
    saddle_context_free(context);
    return kind;
}

/* Rows that contradict each other besides may be what is proven instead. */
static void claim_motions(int symmetric, int scaled, int64_t draws)
{
    uint64_t seed = test_seed();
    draws = test_draws_at_least(30, draws);
    int64_t unbounded = 0, bounded = 0, near = 0;
    for (int64_t k = 0; k < draws; k++) {
        uint64_t first = seed;
        drawn d;
        int held = (int)test_integer(&seed, 0, 1);
        int pushed = test_integer(&seed, 0, 2) > 0;
        draw(&seed, symmetric, held, pushed, &d);
        double push = unborne(&d);
        if (scaled) change_units(&seed, &d);
        int is_near = push > 1e-9 && push < 1e-2;
        near += is_near;
        unbounded += push >= 1e-2;
        bounded += push <= 1e-9;
        for (int s = 0; s < SOLVERS && !is_near; s++) {
            saddle_status status;
            saddle_proof_kind kind = proof_by(&d, everyone[s], &status);
            if (push >= 1e-2 ? kind == SADDLE_PROOF_NONE : kind == SADDLE_PROOF_MOTION)
                fail_msg("SADDLE_TEST_SEED=%" PRIu64
                         ": %s says %s, proven: %s; what rows cannot bear is %g of f",
                         first, everyone[s], saddle_status_name(status), saddle_proof_word(kind),
                         push);
        }
    }
    print_message("%" PRId64 " unbounded, %" PRId64 " not, %" PRId64 " near\n", unbounded, bounded,
                  near);
    assert_true(4 * unbounded > draws && 4 * bounded > draws);
}

static void pushed_motions_of_all_velocities_are_proven_by_every_solver(void **unused)
{
    (void)unused;
    claim_motions(1, 0, 600);
}

static void so_they_are_without_symmetry(void **unused)
{
    (void)unused;
    claim_motions(0, 0, 300);
}

static void units_do_not_matter(void **unused)
{
    (void)unused;
    claim_motions(1, 1, 300);
}

/* Stiff, and regular: eigenvalues 1 .. 10^-decades. */
static void stiff_masses_are_not_said_to_be_none(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int k = 0; k < test_draws(200); k++) {
        uint64_t first = seed;
        drawn d;
        draw(&seed, 1, 0, 1, &d);
        double least = pow(10.0, test_uniform(&seed, -11.0, -4.0));
        int64_t at = 0;
        for (int64_t j = 0; j < d.n; j++)
            for (int64_t i = j; i < d.n; i++, at++)
                for (int64_t l = 0; l < d.n - d.r; l++)
                    d.M[at] += least * d.Z[i + l * d.n] * d.Z[j + l * d.n];
        for (int s = 0; s < SOLVERS; s++) {
            saddle_status status;
            if (proof_by(&d, everyone[s], &status) == SADDLE_PROOF_MOTION)
                fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": %s finds no mass where there is %g", first,
                         everyone[s], least);
        }
    }
}

/* Contacts release motions that separate, and hold motions that approach. */
/* Springs between neighbours of a row of points, M = tridiag(-1, 2, -1) but 1 at its ends: all may
 * move together, rows keep the first of each two from falling behind the second, and f pushes
 * each. */
static void a_long_chain_that_nothing_holds_is_proven_to_move(void **unused)
{
    (void)unused;
    enum { LONG = 600 };
    static int64_t M_start[LONG + 1], M_index[2 * LONG], Jt_start[LONG / 2 + 1], Jt_index[LONG];
    static double M_value[2 * LONG], Jt_value[LONG], f[LONG], lo[LONG / 2];
    static const char *const names[] = {"schur", "pivot", "lemke", "auto"};
    int64_t entries = 0;
    for (int64_t j = 0; j < LONG; j++) {
        M_index[entries] = j;
        M_value[entries++] = j == 0 || j == LONG - 1 ? 1.0 : 2.0;
        if (j + 1 < LONG) M_index[entries] = j + 1;
        if (j + 1 < LONG) M_value[entries++] = -1.0;
        M_start[j + 1] = entries;
        Jt_index[j] = j;
        Jt_value[j] = j % 2 == 0 ? 1.0 : -1.0;
        Jt_start[(j + 1) / 2] = 2 * ((j + 1) / 2);
        f[j] = 1.0;
    }
    saddle_problem p = {.n = LONG, .m = LONG / 2, .f = f, .lo = lo};
    p.M = saddle_matrix_view(LONG, LONG, M_start, M_index, M_value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(LONG, LONG / 2, Jt_start, Jt_index, Jt_value, SADDLE_SYMMETRY_NONE);
    for (int k = 0; k < 4; k++) {
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &p, names[k], NULL, NULL, &x, &report),
                         SADDLE_SINGULAR);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_MOTION);
        saddle_solution_clear(&x);
    }
}

static void contacts_hold_what_comes(void **unused)
{
    (void)unused;
    int64_t M_start[] = {0, 2, 3, 4}, M_index[] = {0, 1, 1, 2}, Jt_start[] = {0, 2, 3},
            Jt_index[] = {0, 1, 2};
    double M[] = {1.0, -1.0, 1.0, 1.0}, J[] = {0.5, 0.5, 1.0}; /* no mass in v_1 = v_2 */
    saddle_contact contact = {.row = 0, .size = 2, .mu = 0.5};
    static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID};
    for (int k = 0; k < 4; k++) {
        double push = k % 2 ? 2.0 : -2.0;
        double f[] = {0.5 * push, 0.5 * push, 0.25}, b[] = {0.0, 0.0};
        drawn d = {.n = 3, .m = 2};
        d.problem = (saddle_problem){
            .n = 3, .m = 2, .f = f, .b = b, .contacts = &contact, .contact_count = 1};
        d.problem.law = laws[k / 2];
        d.problem.M = saddle_matrix_view(3, 3, M_start, M_index, M, SADDLE_SYMMETRY_LOWER);
        d.problem.Jt = saddle_matrix_view(3, 2, Jt_start, Jt_index, J, SADDLE_SYMMETRY_NONE);
        for (int s = 0; s < SOLVERS; s++) {
            saddle_status status;
            assert_int_equal(proof_by(&d, everyone[s], &status),
                             push > 0.0 ? SADDLE_PROOF_MOTION : SADDLE_PROOF_NONE);
        }
    }
}

static saddle_status solve_whole(saddle_context *context, void *user)
{
    const drawn *d = user;
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, &d->problem, "lemke", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status == SADDLE_SINGULAR ? SADDLE_OK : status; /* which is what is to be said */
}

static void every_failing_allocation_is_survived(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    drawn d;
    do draw(&seed, 1, 0, 1, &d);
    while (d.m < 2 || unborne(&d) < 0.1);
    assert_true(test_allocation_sweep(solve_whole, &d) > 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushed_motions_of_all_velocities_are_proven_by_every_solver),
        cmocka_unit_test(so_they_are_without_symmetry),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(stiff_masses_are_not_said_to_be_none),
        cmocka_unit_test(a_long_chain_that_nothing_holds_is_proven_to_move),
        cmocka_unit_test(contacts_hold_what_comes),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("unbounded problems", tests, NULL, NULL);
}
