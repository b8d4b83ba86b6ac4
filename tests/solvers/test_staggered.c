/* SPDX-License-Identifier: MIT */
/* staggered: closed forms of one contact, the velocities of other solvers where a fixed point is
 * reached, both projections at the fixed point, ends without one, starts, memory. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawn_mixed.h"

static const double infinity = (double)INFINITY;

static saddle_status solve(const char *solver, const saddle_problem *problem, double tolerance,
                           saddle_solution *solution, saddle_report *report)
{
    saddle_options options = saddle_options_default();
    options.tolerance = tolerance;
    memset(solution, 0, sizeof *solution);
    return saddle_solve(NULL, problem, solver, &options, NULL, solution, report);
}

static saddle_report solved_by(const char *solver, const saddle_problem *problem, double tolerance,
                               saddle_solution *solution)
{
    saddle_report report;
    saddle_status status = solve(solver, problem, tolerance, solution, &report);
    if (status != SADDLE_OK)
        fail_msg("%s: %s at %g: %s", solver, saddle_status_name(status), report.residual.total,
                 report.note);
    return report;
}

static void read_bundle(const char *name, saddle_problem *problem)
{
    char path[512];
    memset(problem, 0, sizeof *problem);
    (void)snprintf(path, sizeof path, "%s/data/%s", SADDLE_SOURCE_DIR, name);
    assert_int_equal(saddle_problem_read(NULL, path, NULL, problem, NULL, NULL, NULL), SADDLE_OK);
}

/* ---- closed forms ---- */

/* One contact in space of a body with the mass matrix diag(mass), J with three rows of n. */
typedef struct touching {
    saddle_problem problem;
    int64_t index[6], start[7], row[18], row_start[4];
    double mass[6], J[18], f[6], b[3];
    saddle_contact contact;
} touching;

static void set_up(touching *t, int64_t n, saddle_law law, double mu)
{
    for (int64_t j = 0; j <= n; j++) t->start[j] = j;
    for (int64_t j = 0; j < n; j++) t->index[j] = j;
    for (int64_t i = 0; i <= 3; i++) t->row_start[i] = n * i;
    for (int64_t k = 0; k < 3 * n; k++) t->row[k] = k % n;
    t->contact = (saddle_contact){.row = 0, .size = 3, .mu = mu};
    t->problem = (saddle_problem){.n = n,
                                  .m = 3,
                                  .M = saddle_matrix_view(n, n, t->start, t->index, t->mass,
                                                          SADDLE_SYMMETRY_LOWER),
                                  .Jt = saddle_matrix_view(n, 3, t->row_start, t->row, t->J,
                                                           SADDLE_SYMMETRY_NONE),
                                  .f = t->f,
                                  .b = t->b,
                                  .contacts = &t->contact,
                                  .contact_count = 1,
                                  .law = law};
}

/* A block of mass 2 kg from rest on a slope of angle alpha, a step of 0.01 s, in coordinates
 * across, downhill and along the normal; the downhill direction is turned by `turn` from tangent 1.
 * It sticks where tan alpha <= mu, else v = g h (sin alpha - mu cos alpha) downhill. */
static void check_slope(saddle_law law, double mu, double alpha, double turn)
{
    const double mass = 2, push = 9.81 * 0.01;
    touching t = {.mass = {mass, mass, mass}};
    set_up(&t, 3, law, mu);
    t.J[2] = 1;          /* normal: z */
    t.J[3] = t.J[7] = 1; /* tangents: x, y */
    t.f[0] = mass * push * sin(alpha) * cos(turn);
    t.f[1] = mass * push * sin(alpha) * sin(turn);
    t.f[2] = -mass * push * cos(alpha);
    double speed = push * fmax(sin(alpha) - mu * cos(alpha), 0);
    saddle_solution x;
    (void)solved_by("staggered", &t.problem, 1e-10, &x);
    double expected[3] = {speed * cos(turn), speed * sin(turn), 0};
    for (int64_t j = 0; j < 3; j++)
        if (!(fabs(x.v[j] - expected[j]) <= 1e-9 * push))
            fail_msg("law %d, mu %g, alpha %.17g: v[%d] = %.17g, not %.17g", (int)law, mu, alpha,
                     (int)j, x.v[j], expected[j]);
    assert_true(fabs(x.lambda[0] - mass * push * cos(alpha)) <= 1e-9 * mass * push);
    saddle_solution_clear(&x);
}

static void a_block_on_a_slope_slides_beyond_the_angle_of_friction(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    static const double off[] = {-0.5, -1e-3, -1e-6, 0, 1e-6, 1e-3, 0.5};
    for (int draw = 0; draw < 20; draw++) {
        double mu = test_uniform(&seed, 0.05, 1.5);
        double turn = test_uniform(&seed, -3, 3);
        for (size_t k = 0; k < sizeof off / sizeof *off; k++) {
            double alpha = atan(mu) * (1 + off[k]);
            check_slope(SADDLE_LAW_CONE, mu, alpha, turn);
            check_slope(SADDLE_LAW_PYRAMID, mu, alpha, 0); /* a vertex of the polygon */
            check_slope(SADDLE_LAW_BOX, mu, alpha, 0);
        }
    }
}

/* A sphere of mass m and radius r thrown along the ground at speed v0 without spin, a step h:
 * it slides on, v = v0 - mu g h and r omega = 5/2 mu g h, or rolls, v = r omega = 5/7 v0 where
 * 7/2 mu g h >= v0. */
static void a_sphere_slides_then_rolls(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 60; draw++) {
        const double m = test_uniform(&seed, 0.1, 10), r = test_uniform(&seed, 0.1, 2);
        const double mu = test_uniform(&seed, 0.1, 1), gh = 0.0981;
        const double v0 = 3.5 * mu * gh * test_uniform(&seed, 0.2, 3);
        const double turn = test_uniform(&seed, -3, 3);
        const double inertia = 0.4 * m * r * r;
        touching t = {.mass = {m, m, m, inertia, inertia, inertia}};
        set_up(&t, 6, SADDLE_LAW_CONE, mu);
        t.J[2] = 1;
        t.J[6] = 1, t.J[6 + 4] = -r; /* velocity of the lowest point: v + omega x (0, 0, -r) */
        t.J[12 + 1] = 1, t.J[12 + 3] = r;
        t.f[0] = m * v0 * cos(turn), t.f[1] = m * v0 * sin(turn), t.f[2] = -m * gh;
        int rolls = 3.5 * mu * gh >= v0;
        double speed = rolls ? 5 * v0 / 7 : v0 - mu * gh;
        double spin = rolls ? speed : 2.5 * mu * gh;
        saddle_solution x;
        (void)solved_by("staggered", &t.problem, 1e-10, &x);
        const double expected[6] = {speed * cos(turn), speed * sin(turn), 0,
                                    -spin * sin(turn), spin * cos(turn),  0};
        for (int64_t j = 0; j < 6; j++)
            if (!(fabs((j < 3 ? 1 : r) * x.v[j] - expected[j]) <= 1e-9 * v0))
                fail_msg("draw %d: v[%d] = %.17g, not %.17g", draw, (int)j, x.v[j], expected[j]);
        saddle_solution_clear(&x);
    }
}

/* A contact in the plane whose normal impulse acts on the tangent: W = [a c; c d], w_t < 0 sliding,
 * so that lambda_t = mu lambda_n and lambda_n = b_n / (a + mu c); or lambda = W^-1 b where it
 * sticks.  A round multiplies the error of lambda_t by -mu c / a. */
static void normal_and_tangent_act_on_each_other(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    int slid = 0, stuck = 0;
    for (int draw = 0; draw < 200; draw++) {
        double a = test_uniform(&seed, 0.5, 2), d = test_uniform(&seed, 0.5, 2);
        double c = test_uniform(&seed, -0.9, 0.9) * sqrt(a * d), mu = test_uniform(&seed, 0.1, 0.9);
        if (fabs(mu * c) >= 0.8 * a) continue; /* one solution, and rounds that converge */
        double value[] = {a, c, d}, b[] = {1, test_uniform(&seed, 0, 3)};
        int64_t start[] = {0, 2, 3}, index[] = {0, 1, 1};
        saddle_contact contact = {.row = 0, .size = 2, .mu = mu};
        saddle_problem p = {.m = 2, .b = b, .contacts = &contact, .contact_count = 1};
        p.R = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
        double det = a * d - c * c;
        double expected[] = {(d * b[0] - c * b[1]) / det, (a * b[1] - c * b[0]) / det};
        int sticks = expected[0] > 0 && fabs(expected[1]) <= mu * expected[0];
        if (!sticks) {
            double sign = b[1] - c * b[0] / a > 0 ? 1 : -1; /* of w_t without friction, reversed */
            expected[0] = b[0] / (a + sign * mu * c);
            expected[1] = sign * mu * expected[0];
        }
        saddle_solution x;
        (void)solved_by("staggered", &p, 1e-12, &x);
        for (int i = 0; i < 2; i++)
            if (!(fabs(x.lambda[i] - expected[i]) <= 1e-9 * (1 + fabs(expected[i]))))
                fail_msg("draw %d: lambda[%d] = %.17g, not %.17g", draw, i, x.lambda[i],
                         expected[i]);
        *(sticks ? &stuck : &slid) += 1;
        saddle_solution_clear(&x);
    }
    assert_true(slid > 20 && stuck > 20);
}

/* A motor drags a block of mass m along the ground at the speed b, with an impulse of at most
 * `most`: it stays at rest where friction mu m g h is more, else moves by what is left over, at b
 * at most.  The motor is in both problems, so that a single round of exact projections suffices. */
static void a_motor_drags_a_block_against_friction(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    int at_rest = 0, slower = 0, at_speed = 0;
    for (int draw = 0; draw < 200; draw++) {
        const double m = test_uniform(&seed, 0.5, 5), mu = test_uniform(&seed, 0.1, 1);
        const double weight = m * 0.0981, speed = test_uniform(&seed, 0.01, 0.1);
        const double most = mu * weight * test_uniform(&seed, 0.3, 2.5);
        int64_t start[] = {0, 1, 2, 3}, index[] = {2, 0, 1, 0}, row_start[] = {0, 1, 2, 3, 4};
        int64_t diagonal[] = {0, 1, 2};
        double mass[] = {m, m, m}, J[] = {1, 1, 1, 1}, f[] = {0, 0, -weight};
        double b[] = {0, 0, 0, speed};
        double lo[] = {0, 0, 0, -most}, hi[] = {0, 0, 0, most};
        saddle_contact contact = {.row = 0, .size = 3, .mu = mu};
        saddle_problem p = {.n = 3, .m = 4, .f = f, .b = b, .lo = lo, .hi = hi};
        p.M = saddle_matrix_view(3, 3, start, diagonal, mass, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(3, 4, row_start, index, J, SADDLE_SYMMETRY_NONE);
        p.contacts = &contact;
        p.contact_count = 1;
        p.law = draw % 2 ? SADDLE_LAW_CONE : SADDLE_LAW_BOX;
        double expected = fmin(fmax(most - mu * weight, 0) / m, speed);
        saddle_solution x;
        saddle_report report = solved_by("staggered", &p, 1e-10, &x);
        assert_true(report.iterations <= (p.law == SADDLE_LAW_BOX ? 1 : 8)); /* discs: to 0.01 */
        if (!(fabs(x.v[0] - expected) <= 1e-8 * speed))
            fail_msg("draw %d: %.17g, not %.17g", draw, x.v[0], expected);
        *(expected == 0 ? &at_rest : expected < speed ? &slower : &at_speed) += 1;
        saddle_solution_clear(&x);
    }
    assert_true(at_rest > 10 && slower > 10 && at_speed > 10);
}

/* ---- the velocities of other solvers ---- */

static void systems_of_bodies_move_as_by_other_solvers(void **unused)
{
    (void)unused;
    static const struct {
        const char *bundle, *solver;
    } cases[] = {
        {"stack-box", "schur"}, {"stack-box", "pivot"}, {"stack-pyramid", "gauss-seidel"},
        {"wall", "admm"},       {"crane", "admm"},      {"chain-motors", "pivot"},
        {"chain", "ldlt"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        saddle_problem p;
        saddle_solution x, other;
        read_bundle(cases[k].bundle, &p);
        saddle_report report = solved_by("staggered", &p, 1e-10, &x);
        (void)solved_by(cases[k].solver, &p, 1e-10, &other);
        double difference = 0, size = 0;
        for (int64_t j = 0; j < p.n; j++) {
            difference = fmax(difference, fabs(x.v[j] - other.v[j]));
            size = fmax(size, fabs(other.v[j]));
        }
        if (!(difference <= 1e-7 * fmax(size, 1e-3)))
            fail_msg("%s: velocities differ from %s's by %g of %g", cases[k].bundle,
                     cases[k].solver, difference, size);
        assert_true((strstr(report.note, "fixed point after") != NULL) == (p.contact_count > 0));
        assert_null(strstr(report.note, "no fixed point"));
        saddle_solution_clear(&x);
        saddle_solution_clear(&other);
        saddle_problem_clear(&p);
    }
}

/* data/stack-cone/NOTE.md: interface k of five boxes carries the 6 - k boxes above, 24.525 N s
 * each. Velocities and impulses are not unique there. */
static void a_stack_carries_the_weight_above_each_interface(void **unused)
{
    (void)unused;
    saddle_problem p;
    saddle_solution x;
    read_bundle("stack-cone", &p);
    (void)solved_by("staggered", &p, 1e-10, &x);
    assert_int_equal(p.contact_count, 20);
    for (int64_t k = 1; k <= 5; k++) {
        double carried = 0;
        for (int64_t foot = 4 * (k - 1); foot < 4 * k; foot++)
            carried += x.lambda[p.contacts[foot].row];
        assert_true(fabs(carried - 24.525 * (double)(6 - k)) <= 1e-7);
    }
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
}

/* v is unique where friction is weak: mu of contacts at most 0.1. */
static void drawn_systems_move_as_by_pivot(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    int64_t compared = 0, draws = test_draws(400);
    for (int64_t draw = 0; draw < draws; draw++) {
        mixed_kind kind = {.class = MIXED_DEFINITE, .n = 8, .m = 12, .planted = 1, .contacts = 1};
        mixed *d = mixed_draw(&seed, kind);
        saddle_solution x, other;
        saddle_report report;
        for (int64_t c = 0; c < d->problem.contact_count; c++)
            d->contact[c].mu = fmin(d->contact[c].mu, 0.1);
        saddle_status status = solve("staggered", &d->problem, 1e-10, &x, &report);
        saddle_status expected = solve("pivot", &d->problem, 1e-10, &other, NULL);
        if (status == SADDLE_INFEASIBLE) assert_int_equal(expected, SADDLE_INFEASIBLE);
        if (status == SADDLE_OK && expected == SADDLE_OK) {
            compared++;
            double off = test_distance(x.v, other.v, d->problem.n);
            if (!(off <= 1e-6)) fail_msg("draw %d: v differs by %g", (int)draw, off);
        } else if (expected == SADDLE_OK) {
            fail_msg("draw %d: %s: %s", (int)draw, saddle_status_name(status), report.note);
        }
        saddle_solution_clear(&x);
        saddle_solution_clear(&other);
        mixed_clear(d);
    }
    assert_true(2 * compared > draws);
}

/* ---- both projections ---- */

/* Of the answer: with the tangents held as bounds lo = hi, and with the normals held and the
 * tangents within their intervals, schur finds the same velocities. */
static void a_fixed_point_solves_both_problems(void **unused)
{
    (void)unused;
    saddle_problem p;
    saddle_solution x, y;
    double lo[256], hi[256];
    read_bundle("stack-box", &p);
    assert_true(p.m <= 256);
    (void)solved_by("staggered", &p, 1e-11, &x);
    for (int friction = 0; friction < 2; friction++) {
        saddle_problem projection = p;
        projection.contact_count = 0;
        projection.lo = lo;
        projection.hi = hi;
        for (int64_t c = 0; c < p.contact_count; c++) {
            int64_t row = p.contacts[c].row;
            double normal = x.lambda[row], reach = p.contacts[c].mu * normal;
            lo[row] = friction ? normal : 0;
            hi[row] = friction ? normal : infinity;
            for (int64_t i = row + 1; i < row + p.contacts[c].size; i++) {
                lo[i] = friction ? -reach : x.lambda[i];
                hi[i] = friction ? reach : x.lambda[i];
            }
        }
        assert_true(p.m == 3 * p.contact_count);
        (void)solved_by("schur", &projection, 1e-12, &y);
        double most = 0, off = 0;
        for (int64_t j = 0; j < p.n; j++) {
            most = fmax(most, fabs(x.v[j]));
            off = fmax(off, fabs(x.v[j] - y.v[j]));
        }
        assert_true(most > 0);
        if (!(off <= 1e-9 * most))
            fail_msg("%s problem: v off by %g", friction ? "friction" : "normal", off);
        saddle_solution_clear(&y);
    }
    saddle_solution_clear(&x);
    saddle_problem_clear(&p);
}

/* ---- ends ---- */

static void a_limit_ends_the_rounds_with_the_best_answer(void **unused)
{
    (void)unused;
    saddle_problem p;
    saddle_solution x = {0};
    saddle_report report;
    saddle_residual anew;
    saddle_options options = saddle_options_default();
    read_bundle("stack-cone", &p);
    double before = infinity;
    for (options.max_iterations = 1; options.max_iterations <= 4; options.max_iterations++) {
        assert_int_equal(saddle_solve(NULL, &p, "staggered", &options, NULL, &x, &report),
                         SADDLE_ITERATION_LIMIT);
        assert_int_equal(report.iterations, options.max_iterations);
        assert_non_null(strstr(report.note, "no fixed point after"));
        assert_int_equal(saddle_solution_check(NULL, &p, &x, &anew, NULL), SADDLE_OK);
        assert_true(anew.total == report.residual.total && anew.total <= before);
        before = anew.total;
        saddle_solution_clear(&x);
    }
    saddle_problem_clear(&p);
}

/* Strong friction, where rounds may cycle: each solve ends in a fixed point confirmed by the
 * checker, or reports that none was reached. */
static void strong_friction_ends_in_a_fixed_point_or_says_that_there_is_none(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    enum { CONTACTS = 3, M = 2 * CONTACTS };
    int reached = 0, without = 0;
    for (int64_t draw = 0; draw < 300; draw++) {
        double A[M][M], W[M * (M + 1) / 2], b[M];
        int64_t start[M + 1], index[M * (M + 1) / 2], count = 0;
        saddle_contact contacts[CONTACTS];
        for (int i = 0; i < M; i++)
            for (int j = 0; j < M; j++) A[i][j] = test_uniform(&seed, -1, 1);
        for (int j = 0; j < M; j++) {
            start[j] = count;
            b[j] = test_uniform(&seed, j % 2 ? -3 : 0, 3);
            for (int i = j; i < M; i++) {
                W[count] = i == j ? 0.01 : 0;
                for (int k = 0; k < M; k++) W[count] += A[i][k] * A[j][k];
                index[count++] = i;
            }
        }
        start[M] = count;
        for (int c = 0; c < CONTACTS; c++)
            contacts[c] = (saddle_contact){.row = 2 * c, .size = 2, .mu = 4};
        saddle_problem p = {.m = M, .b = b, .contacts = contacts, .contact_count = CONTACTS};
        p.R = saddle_matrix_view(M, M, start, index, W, SADDLE_SYMMETRY_LOWER);
        saddle_solution x;
        saddle_report report;
        saddle_residual anew;
        saddle_status status = solve("staggered", &p, 1e-10, &x, &report);
        assert_true(status == SADDLE_OK || status == SADDLE_NOT_CONVERGED);
        assert_int_equal(saddle_solution_check(NULL, &p, &x, &anew, NULL), SADDLE_OK);
        assert_true(saddle_residual_is_solved(&anew, 1e-10) == (status == SADDLE_OK));
        assert_true((strstr(report.note, "no fixed point") == NULL) == (status == SADDLE_OK));
        *(status == SADDLE_OK ? &reached : &without) += 1;
        saddle_solution_clear(&x);
    }
    assert_true(reached > 0 && without > 0);
}

/* A particle between two planes that close: no velocity obeys both contacts. */
static void contacts_that_contradict_each_other_are_proven(void **unused)
{
    (void)unused;
    static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_BOX};
    for (int k = 0; k < 2; k++) {
        int64_t diagonal[] = {0, 1, 2, 3}, row_start[] = {0, 1, 2, 3, 4, 5, 6};
        int64_t row[] = {0, 1, 2, 0, 1, 2};
        double mass[] = {1, 1, 1}, J[] = {1, 1, 1, -1, 1, 1}, b[] = {1, 0, 0, 1, 0, 0};
        saddle_contact contacts[] = {{.row = 0, .size = 3, .mu = 0.5},
                                     {.row = 3, .size = 3, .mu = 0.5}};
        saddle_problem p = {.n = 3, .m = 6, .b = b, .contacts = contacts, .contact_count = 2};
        p.M = saddle_matrix_view(3, 3, diagonal, diagonal, mass, SADDLE_SYMMETRY_LOWER);
        p.Jt = saddle_matrix_view(3, 6, row_start, row, J, SADDLE_SYMMETRY_NONE);
        p.law = laws[k];
        saddle_solution x;
        saddle_report report;
        assert_int_equal(solve("staggered", &p, 1e-10, &x, &report), SADDLE_INFEASIBLE);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
        saddle_solution_clear(&x);
    }
}

static void the_associated_law_is_refused(void **unused)
{
    (void)unused;
    saddle_problem p;
    saddle_solution x;
    read_bundle("stack-associated", &p);
    assert_int_equal(solve("staggered", &p, 1e-10, &x, NULL), SADDLE_UNSUPPORTED);
    saddle_problem_clear(&p);
}

/* ---- starts and memory ---- */

static void from_its_answer_a_solve_takes_one_round_and_no_memory(void **unused)
{
    (void)unused;
    static const char *const bundles[] = {"stack-box", "stack-cone", "crane", "wall"};
    for (size_t k = 0; k < sizeof bundles / sizeof *bundles; k++) {
        saddle_problem p;
        saddle_solution x = {0};
        saddle_solver *solver;
        test_memory memory;
        saddle_options options = saddle_options_default();
        options.tolerance = 1e-8;
        read_bundle(bundles[k], &p);
        saddle_context *context = test_memory_begin(&memory, -1);
        assert_int_equal(saddle_solution_create(context, p.n, p.m, &x), SADDLE_OK);
        assert_int_equal(saddle_solver_create(context, "staggered", &options, &solver), SADDLE_OK);
        assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &p, NULL, &x), SADDLE_OK);
        int64_t rounds = saddle_solver_report(solver)->iterations;
        assert_true(rounds > 1);
        for (int again = 0; again < 3; again++) {
            int64_t before = memory.count;
            assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &p, &x, &x), SADDLE_OK);
            if (memory.count != before)
                fail_msg("%s: %d allocations in solve %d", bundles[k], (int)(memory.count - before),
                         again);
            assert_true(saddle_solver_report(solver)->iterations <= 2);
        }
        saddle_solver_free(solver);
        saddle_solution_clear(&x);
        test_memory_end(&memory, context);
        saddle_problem_clear(&p);
    }
}

static saddle_status solve_in(saddle_context *context, void *user)
{
    saddle_solution x = {0};
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-6;
    saddle_status status = saddle_solve(context, user, "staggered", &options, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void failing_allocations_leak_nothing(void **unused)
{
    (void)unused;
    static const char *const bundles[] = {"stack-box", "stack-cone"};
    for (size_t k = 0; k < sizeof bundles / sizeof *bundles; k++) {
        saddle_problem p;
        read_bundle(bundles[k], &p);
        assert_true(test_allocation_sweep(solve_in, &p) > 20);
        saddle_problem_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_on_a_slope_slides_beyond_the_angle_of_friction),
        cmocka_unit_test(a_sphere_slides_then_rolls),
        cmocka_unit_test(normal_and_tangent_act_on_each_other),
        cmocka_unit_test(a_motor_drags_a_block_against_friction),
        cmocka_unit_test(systems_of_bodies_move_as_by_other_solvers),
        cmocka_unit_test(a_stack_carries_the_weight_above_each_interface),
        cmocka_unit_test(drawn_systems_move_as_by_pivot),
        cmocka_unit_test(a_fixed_point_solves_both_problems),
        cmocka_unit_test(a_limit_ends_the_rounds_with_the_best_answer),
        cmocka_unit_test(strong_friction_ends_in_a_fixed_point_or_says_that_there_is_none),
        cmocka_unit_test(contacts_that_contradict_each_other_are_proven),
        cmocka_unit_test(the_associated_law_is_refused),
        cmocka_unit_test(from_its_answer_a_solve_takes_one_round_and_no_memory),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
