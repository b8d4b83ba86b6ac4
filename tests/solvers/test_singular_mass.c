/* SPDX-License-Identifier: MIT */
/* M >= 0 is singular along drawn directions, of single velocities or of several together (M = Q
 * diag(s, 0) Q', Q drawn and orthogonal), in units of any size, symmetric or with a skew part in
 * its range.
 *
 * Held: the rows that push in a planted solution, equations or rows with bounds, leave none of
 * these directions: v is unique and known.  Pushed: f pushes along one of them, z, with more than
 * the rows with two bounds have against it, and no other row holds z: no solution, whatever else
 * there is.  A few in a thousand, of draws that are held badly or whose equations contradict each
 * other as well, are left, and are printed. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "support.h"

enum { MOST = 8, DRAWS = 1500 };

static const double well_held = 0.05; /* least pivot of what holds v, of rows of length about 1 */
/* of v, where the residual is 1e-10 and the condition 1e5 */
static const double precision = 1e-5;

typedef struct drawn {
    int64_t n, m, null; /* null: dimensions without mass */
    double Q[MOST][MOST], mass[MOST];
    double M[MOST][MOST], J[MOST][MOST], f[MOST], b[MOST], lo[MOST], hi[MOST];
    double v[MOST], lambda[MOST], unit[MOST]; /* v in the units of the problem is unit v; held
                                                 only */
    int skew;
} drawn;

typedef struct built {
    saddle_problem p;
    int64_t start[MOST + 1], index[MOST * MOST], row_start[MOST + 1], row_index[MOST * MOST];
    double value[MOST * MOST], row[MOST * MOST];
} built;

/* ---- drawing ---- */

static double dot(int64_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++) sum += x[j] * y[j];
    return sum;
}

/* Rows of Q orthonormal: of the identity, or drawn and orthogonalized twice. */
static void draw_directions(uint64_t *seed, drawn *d, int together)
{
    for (int64_t k = 0; k < d->n; k++) {
        for (int64_t j = 0; j < d->n; j++)
            d->Q[k][j] = together ? test_uniform(seed, -1.0, 1.0) : j == k;
        for (int pass = 0; together && pass < 2; pass++)
            for (int64_t i = 0; i < k; i++) {
                double part = dot(d->n, d->Q[i], d->Q[k]);
                for (int64_t j = 0; j < d->n; j++) d->Q[k][j] -= part * d->Q[i][j];
            }
        double length = sqrt(dot(d->n, d->Q[k], d->Q[k]));
        for (int64_t j = 0; j < d->n; j++) d->Q[k][j] /= length;
    }
}

static void draw_mass(uint64_t *seed, drawn *d)
{
    double core[MOST][MOST] = {{0.0}};
    int64_t rank = d->n - d->null;
    for (int64_t k = 0; k < rank; k++) core[k][k] = d->mass[k] = test_uniform(seed, 0.5, 2.0);
    for (int64_t k = 0; d->skew && k + 1 < rank; k++)
        core[k + 1][k] = -(core[k][k + 1] = test_uniform(seed, -1.0, 1.0));
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t j = 0; j < d->n; j++) {
            d->M[i][j] = 0.0;
            for (int64_t k = 0; k < rank; k++)
                for (int64_t l = 0; l < rank; l++)
                    d->M[i][j] += d->Q[k][i] * core[k][l] * d->Q[l][j];
        }
    for (int64_t i = 0; !d->skew && i < d->n; i++)
        for (int64_t j = 0; j < i; j++) d->M[i][j] = d->M[j][i];
}

static void draw_law(uint64_t *seed, drawn *d, int64_t i)
{
    int64_t kind = test_integer(seed, 0, 3);
    d->lo[i] = kind == 0 || kind == 3 ? -(double)INFINITY
               : kind == 2            ? -test_uniform(seed, 0.1, 1.0)
                                      : 0.0;
    d->hi[i] = kind == 0 || kind == 1 ? (double)INFINITY
               : kind == 2            ? test_uniform(seed, 0.1, 1.0)
                                      : 0.0;
}

static void draw(uint64_t *seed, drawn *d)
{
    memset(d, 0, sizeof *d);
    d->n = test_integer(seed, 1, MOST - 1);
    d->m = test_integer(seed, 1, MOST);
    d->null = test_integer(seed, 1, d->n);
    d->skew = test_integer(seed, 0, 3) == 0;
    draw_directions(seed, d, test_integer(seed, 0, 1) == 1);
    draw_mass(seed, d);
    for (int64_t i = 0; i < d->m; i++) {
        for (int64_t j = 0; j < d->n; j++) d->J[i][j] = test_uniform(seed, -1.0, 1.0);
        draw_law(seed, d, i);
    }
    for (int64_t j = 0; j < d->n; j++) d->unit[j] = 1.0;
}

/* v = unit u, powers of two that are the same for none. */
static void change_units(uint64_t *seed, drawn *d)
{
    for (int64_t j = 0; j < d->n; j++) d->unit[j] = ldexp(1.0, (int)test_integer(seed, -3, 3));
    for (int64_t i = 0; i < d->n; i++) {
        for (int64_t j = 0; j < d->n; j++) d->M[i][j] *= d->unit[i] * d->unit[j];
        d->f[i] *= d->unit[i];
    }
    for (int64_t i = 0; i < d->m; i++)
        for (int64_t j = 0; j < d->n; j++) d->J[i][j] *= d->unit[j];
}

/* The least pivot of the matrix of `count` rows, by rows and columns; count >= n. */
static double least_pivot(int64_t count, int64_t n, double (*A)[MOST])
{
    double least = (double)INFINITY;
    for (int64_t k = 0; k < n; k++) {
        int64_t r = k, c = k;
        for (int64_t i = k; i < count; i++)
            for (int64_t j = k; j < n; j++)
                if (fabs(A[i][j]) > fabs(A[r][c])) r = i, c = j;
        least = fmin(least, fabs(A[r][c]));
        if (least == 0.0) return 0.0;
        for (int64_t j = 0; j < n; j++) {
            double kept = A[k][j];
            A[k][j] = A[r][j], A[r][j] = kept;
        }
        for (int64_t i = 0; i < count; i++) {
            double kept = A[i][k];
            A[i][k] = A[i][c], A[i][c] = kept;
        }
        for (int64_t i = k + 1; i < count; i++) {
            double part = A[i][k] / A[k][k];
            for (int64_t j = k; j < n; j++) A[i][j] -= part * A[k][j];
        }
    }
    return least;
}

/* A solution, and f and b to it.  1: the rows that push hold what has no mass. */
static int plant(uint64_t *seed, drawn *d)
{
    double held[2 * MOST][MOST];
    double w[MOST] = {0.0};
    int64_t count = d->n;
    memcpy(held, d->M, sizeof d->M);
    for (int64_t j = 0; j < d->n; j++) d->v[j] = test_uniform(seed, -1.0, 1.0);
    for (int64_t i = 0; i < d->m; i++) {
        double lo = isfinite(d->lo[i]) ? d->lo[i] : -1.0;
        double hi = isfinite(d->hi[i]) ? d->hi[i] : 1.0;
        int free_to_push = isinf(d->lo[i]) && isinf(d->hi[i]);
        int pushes = free_to_push || test_integer(seed, 0, 4) > 1;
        int at_low = isfinite(d->lo[i]) && (isinf(d->hi[i]) || test_integer(seed, 0, 1));
        d->lambda[i] = pushes   ? lo + test_uniform(seed, 0.1, 0.9) * (hi - lo)
                       : at_low ? d->lo[i]
                                : d->hi[i];
        if (!pushes) w[i] = (at_low ? 1.0 : -1.0) * test_uniform(seed, 0.1, 1.0);
        if (pushes) memcpy(held[count++], d->J[i], sizeof d->J[i]);
    }
    for (int64_t j = 0; j < d->n; j++) {
        d->f[j] = dot(d->n, d->M[j], d->v);
        for (int64_t i = 0; i < d->m; i++) d->f[j] -= d->J[i][j] * d->lambda[i];
    }
    for (int64_t i = 0; i < d->m; i++) d->b[i] = dot(d->n, d->J[i], d->v) - w[i];
    return least_pivot(count, d->n, held) > well_held;
}

/* f pushes along z, and only rows with two bounds resist, which have not enough. */
static void push(uint64_t *seed, drawn *d)
{
    double z[MOST] = {0.0};
    double most = 0.0;
    for (int64_t k = d->n - d->null; k < d->n; k++) {
        double part = test_uniform(seed, -1.0, 1.0);
        for (int64_t j = 0; j < d->n; j++) z[j] += part * d->Q[k][j];
    }
    double length = sqrt(dot(d->n, z, z));
    for (int64_t j = 0; j < d->n; j++) z[j] /= length;
    for (int64_t i = 0; i < d->m; i++) {
        double along = dot(d->n, d->J[i], z);
        int is_equation = isinf(d->lo[i]) && isinf(d->hi[i]);
        int is_box = isfinite(d->lo[i]) && isfinite(d->hi[i]);
        int against = isfinite(d->lo[i]) ? along < 0.0 : along > 0.0;
        if (is_box) most += fmax(-along * d->lo[i], -along * d->hi[i]);
        if (is_equation || (!is_box && against && test_integer(seed, 0, 1)))
            for (int64_t j = 0; j < d->n; j++) d->J[i][j] -= along * z[j];
        else if (!is_box && against)
            for (int64_t j = 0; j < d->n; j++) d->J[i][j] = -d->J[i][j];
        d->b[i] = test_uniform(seed, -1.0, 1.0);
    }
    for (int64_t j = 0; j < d->n; j++) d->f[j] = test_uniform(seed, -1.0, 1.0);
    double lacks = most + test_uniform(seed, 0.5, 2.0) - dot(d->n, d->f, z);
    for (int64_t j = 0; j < d->n; j++) d->f[j] += lacks * z[j];
}

static void build(drawn *d, built *t)
{
    int64_t count = 0;
    for (int64_t j = 0; j < d->n; j++) {
        t->start[j] = count;
        for (int64_t i = d->skew ? 0 : j; i < d->n; i++) {
            if (d->M[i][j] == 0.0) continue;
            t->index[count] = i;
            t->value[count++] = d->M[i][j];
        }
    }
    t->start[d->n] = count;
    count = 0;
    for (int64_t i = 0; i < d->m; i++) {
        t->row_start[i] = count;
        for (int64_t j = 0; j < d->n; j++) {
            t->row_index[count] = j;
            t->row[count++] = d->J[i][j];
        }
    }
    t->row_start[d->m] = count;
    saddle_problem p = {.n = d->n, .m = d->m, .f = d->f, .b = d->b, .lo = d->lo, .hi = d->hi};
    p.M = saddle_matrix_view(d->n, d->n, t->start, t->index, t->value,
                             d->skew ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(d->n, d->m, t->row_start, t->row_index, t->row, SADDLE_SYMMETRY_NONE);
    t->p = p;
}

/* ---- held ---- */

typedef struct tally {
    int64_t tried, proven, wrong;
} tally;

/* wrong: v is not the planted one. */
static void claim_solved(const drawn *d, const saddle_problem *p, const char *name, uint64_t seed,
                         tally *count)
{
    saddle_solution x = {0};
    saddle_report report = {0};
    saddle_status status = saddle_solve(NULL, p, name, NULL, NULL, &x, &report);
    double error = 0.0;
    double most = 1.0;
    for (int64_t j = 0; status >= 0 && j < p->n; j++) {
        error = fmax(error, fabs(d->unit[j] * x.v[j] - d->v[j]));
        most = fmax(most, fabs(d->v[j]));
    }
    count->tried++;
    count->wrong += status != SADDLE_OK || error > precision * most;
    if (status != SADDLE_OK || error > precision * most)
        print_message("%s, n = %" PRId64 ", m = %" PRId64 ", drawn from %" PRIu64
                      ": %s, residual %.1e, v off by %.1e\n",
                      name, p->n, p->m, seed, saddle_status_name(status), report.residual.total,
                      error);
    saddle_solution_clear(&x);
}

static void what_rows_with_bounds_hold_needs_no_mass(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    tally pivot = {0}, automatic = {0};
    while (pivot.tried < test_draws(DRAWS)) {
        uint64_t seed = state;
        drawn d;
        built t;
        draw(&state, &d);
        if (!plant(&state, &d)) continue;
        if (test_integer(&state, 0, 1)) change_units(&state, &d);
        build(&d, &t);
        claim_solved(&d, &t.p, "pivot", seed, &pivot);
        claim_solved(&d, &t.p, "auto", seed, &automatic);
    }
    assert_true(400 * pivot.wrong < pivot.tried);
    assert_true(400 * automatic.wrong < automatic.tried);
}

typedef struct stop {
    int64_t M_start[2], Jt_start[2], index[1];
    double value[1], f[1], lo[1], hi[1];
} stop;

/* M = 0, v >= 0, f = -1. */
static saddle_problem make_stop(stop *s)
{
    *s = (stop){.Jt_start = {0, 1}, .value = {1.0}, .f = {-1.0}, .hi = {(double)INFINITY}};
    saddle_problem p = {.n = 1, .m = 1, .f = s->f, .lo = s->lo, .hi = s->hi};
    p.M = saddle_matrix_view(1, 1, s->M_start, s->index, s->value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(1, 1, s->Jt_start, s->index, s->value, SADDLE_SYMMETRY_NONE);
    return p;
}

/* At rest, and what holds it is f's. */
static void a_stop_alone_holds_a_velocity_without_mass(void **unused)
{
    (void)unused;
    stop s;
    saddle_problem p = make_stop(&s);
    static const char *const names[] = {"pivot", "auto"};
    for (int k = 0; k < 2; k++) {
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &p, names[k], NULL, NULL, &x, NULL), SADDLE_OK);
        assert_true(fabs(x.v[0]) <= 1e-10 && fabs(x.lambda[0] - 1.0) <= 1e-10);
        saddle_solution_clear(&x);
    }
}

/* -v_0 >= 0 and v_0 + 1e-3 v_1 >= 1 with M the identity: impulses of 1e6. */
static void the_identity_is_not_called_singular(void **unused)
{
    (void)unused;
    int64_t M_start[] = {0, 1, 2}, Jt_start[] = {0, 1, 3}, index[] = {0, 0, 1};
    double mass[] = {1.0, 1.0}, row[] = {-1.0, 1.0, 1e-3}, b[] = {0.0, 1.0}, lo[] = {0.0, 0.0};
    double hi[] = {(double)INFINITY, (double)INFINITY};
    saddle_problem p = {.n = 2, .m = 2, .b = b, .lo = lo, .hi = hi};
    p.M = saddle_matrix_view(2, 2, M_start, index + 1, mass, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 2, Jt_start, index, row, SADDLE_SYMMETRY_NONE);
    saddle_solution x = {0};
    saddle_report report = {0};
    assert_true(saddle_solve(NULL, &p, "pivot", NULL, NULL, &x, &report) >= 0);
    assert_non_null(strstr(report.note, "impulses outgrow the data"));
    assert_null(strstr(report.note, "singular"));
    saddle_solution_clear(&x);
}

static saddle_status solve_by_pivot(saddle_context *context, void *user)
{
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, user, "pivot", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void every_failing_allocation_is_survived(void **unused)
{
    (void)unused;
    stop s;
    saddle_problem p = make_stop(&s);
    assert_true(test_allocation_sweep(solve_by_pivot, &p) > 20);
}

/* ---- pushed ---- */

/* wrong: solved, they say. */
static void claim_not_solved(const saddle_problem *p, const char *name, double tolerance,
                             uint64_t seed, tally *count)
{
    saddle_solution x = {0};
    saddle_report report = {0};
    saddle_options options = saddle_options_default();
    options.tolerance = tolerance;
    saddle_status status = saddle_solve(NULL, p, name, &options, NULL, &x, &report);
    count->tried++;
    count->proven += report.proof.kind != SADDLE_PROOF_NONE;
    count->wrong += status == SADDLE_OK;
    if (status == SADDLE_OK)
        print_message("%s, n = %" PRId64 ", m = %" PRId64 ", drawn from %" PRIu64
                      ": solved to %.1e, they say (%.1e)\n",
                      name, p->n, p->m, seed, tolerance, report.residual.total);
    saddle_solution_clear(&x);
}

/* iterative: 0 = without the iterative solvers, which end late. */
static void claim_solved_by_nobody(uint64_t *state, int iterative, tally *pivots, tally *others)
{
    static const double tolerances[] = {1e-10, 1e-7};
    uint64_t seed = *state;
    drawn d;
    built t;
    draw(state, &d);
    push(state, &d);
    if (test_integer(state, 0, 1)) change_units(state, &d);
    build(&d, &t);
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        int pivots_too = strcmp(type->name, "pivot") == 0 || strcmp(type->name, "auto") == 0;
        if (saddle_solver_type_supports(NULL, type, &t.p) != SADDLE_OK) continue;
        if (!iterative && test_is_iterative(type->name)) continue;
        for (int k = 0; k < 2; k++)
            claim_not_solved(&t.p, type->name, tolerances[k], seed, pivots_too ? pivots : others);
    }
}

static void what_f_pushes_without_end_is_solved_by_nobody(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    tally all = {0}, pivots = {0};
    for (int made = 0; made < test_draws(DRAWS); made++)
        claim_solved_by_nobody(&state, made % 4 == 0, &pivots, &all);
    print_message("proven by pivot and auto %" PRId64 " of %" PRId64 ", by others %" PRId64
                  " of %" PRId64 "\n",
                  pivots.proven, pivots.tried, all.proven, all.tried);
    assert_true(500 * (pivots.tried - pivots.proven) < pivots.tried);
    assert_true(pivots.wrong + all.wrong <= 1); /* of fifteen thousand */
}

/* Draws with contradictory equations besides: at unbounded velocities, 1e10 to 1e15 times the data,
 * the contradiction is small beside J v. */
static void velocities_without_end_do_not_excuse_equations(void **unused)
{
    (void)unused;
    static const uint64_t drawn_from[] = {UINT64_C(1408748797657008100),
                                          UINT64_C(10119104566532854186),
                                          UINT64_C(10630696475667615873),
                                          UINT64_C(1030635992173008005)};
    tally all = {0};
    for (size_t k = 0; k < sizeof drawn_from / sizeof *drawn_from; k++) {
        uint64_t state = drawn_from[k];
        claim_solved_by_nobody(&state, 1, &all, &all);
    }
    assert_true(all.tried >= 4);
    assert_int_equal(all.wrong, 0);
}

/* Two velocities with a spring between them, and rows that leave both free together. */
static void a_spring_that_nothing_holds_is_unbounded(void **unused)
{
    (void)unused;
    int64_t M_start[] = {0, 1, 3, 4}, M_index[] = {0, 1, 2, 2}, Jt_start[] = {0, 1, 2},
            Jt_index[] = {0, 1};
    double M_value[] = {1.0, 1.0, -1.0, 1.0}, Jt_value[] = {1.0, 1.0};
    double f[] = {1.0, 1.0, 1.0}, lo[] = {0.0, 0.0}, hi[] = {(double)INFINITY, (double)INFINITY};
    saddle_problem p = {.n = 3, .m = 2, .f = f, .lo = lo, .hi = hi};
    p.M = saddle_matrix_view(3, 3, M_start, M_index, M_value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(3, 2, Jt_start, Jt_index, Jt_value, SADDLE_SYMMETRY_NONE);
    static const char *const names[] = {"pivot", "auto"};
    for (int k = 0; k < 2; k++) {
        saddle_report report = {0};
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &p, names[k], NULL, NULL, &x, &report),
                         SADDLE_SINGULAR);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_MOTION);
        assert_int_equal(report.proof.velocities, 2);
        saddle_solution_clear(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_rows_with_bounds_hold_needs_no_mass),
        cmocka_unit_test(a_stop_alone_holds_a_velocity_without_mass),
        cmocka_unit_test(the_identity_is_not_called_singular),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(what_f_pushes_without_end_is_solved_by_nobody),
        cmocka_unit_test(velocities_without_end_do_not_excuse_equations),
        cmocka_unit_test(a_spring_that_nothing_holds_is_unbounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
