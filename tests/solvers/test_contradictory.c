/* SPDX-License-Identifier: MIT */
/* Rows that ask for what cannot be are SADDLE_OK for no registered solver, at no tolerance that
 * means anything: as equalities, among bounded rows, as unilateral rows that exclude each other;
 * with M and J, and as the n = 0 form of the same rows,
 *
 *     R = J M^-1 J',   b' = b - J M^-1 f.
 *
 * One row says J_0 v = b_0 (or >=), the last a J_0 v = a b_0 + s (or >=, a < 0) with s of the size
 * of the data: impulses may grow without limit, the miss stays.  Who is exact proves it, by a
 * certificate that the checker of saddle/certificate.h accepts, and names the rows; lemke in all
 * but a few (its rays may prove nothing).
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "support.h"

enum { MOST = 5 };

typedef enum contradiction { EQUALITIES, AMONG_BOUNDED, UNILATERALS } contradiction;

typedef struct drawn_rows {
    int64_t n, m;
    double y[MOST]; /* the contradiction: J'y = 0, b'y > 0 */
    double mass[MOST], f[MOST];
    double J[MOST][MOST], b[MOST], lo[MOST], hi[MOST];
} drawn_rows;

static double draw_sign(uint64_t *seed)
{
    return test_integer(seed, 0, 1) ? 1.0 : -1.0;
}

static void draw_rows(uint64_t *seed, contradiction kind, double share, drawn_rows *d)
{
    *d = (drawn_rows){.n = test_integer(seed, 1, MOST), .m = test_integer(seed, 2, MOST)};
    for (int64_t j = 0; j < d->n; j++) {
        d->mass[j] = test_uniform(seed, 0.5, 2.0);
        d->f[j] = test_uniform(seed, -1.0, 1.0);
    }
    for (int64_t i = 0; i < d->m; i++) {
        d->J[i][i % d->n] = draw_sign(seed) * test_uniform(seed, 0.5, 1.0);
        d->J[i][test_integer(seed, 0, d->n - 1)] += test_uniform(seed, 0.0, 0.25);
        d->b[i] = test_uniform(seed, -1.0, 1.0);
        d->lo[i] = -INFINITY;
        d->hi[i] = INFINITY;
        if (kind == EQUALITIES || i == 0 || i == d->m - 1) continue;
        d->lo[i] = test_integer(seed, 0, 1) ? 0.0 : -test_uniform(seed, 0.0, 1.0);
        if (test_integer(seed, 0, 1)) d->hi[i] = test_uniform(seed, 0.0, 1.0);
    }
    int64_t last = d->m - 1;
    double a = kind == UNILATERALS ? -test_uniform(seed, 0.5, 2.0)
                                   : draw_sign(seed) * test_uniform(seed, 0.5, 2.0);
    double s = kind == UNILATERALS ? test_uniform(seed, 1.0, 2.0)
                                   : draw_sign(seed) * test_uniform(seed, 1.0, 2.0);
    for (int64_t j = 0; j < d->n; j++) d->J[last][j] = a * d->J[0][j];
    d->b[last] = a * d->b[0] + share * s;
    d->y[last] = s > 0.0 ? 1.0 : -1.0;
    d->y[0] = -a * d->y[last];
    if (kind == UNILATERALS) d->lo[0] = d->lo[last] = 0.0;
}

static void add_entry(int64_t *index, double *value, int64_t *count, int64_t row, double entry)
{
    if (entry == 0.0) return;
    index[*count] = row;
    value[(*count)++] = entry;
}

/* What lemke has not proven, of what it tried. */
static int64_t lemke_tried;
static int64_t lemke_unproven;

/* The certificate that a solver has left, looked at once more. */
static void claim_certificate(saddle_context *context, const saddle_problem *p,
                              const saddle_solver *solver)
{
    const saddle_report *report = saddle_solver_report(solver);
    const saddle_certificate *certificate = saddle_solver_certificate(solver);
    saddle_proof proof;
    assert_non_null(certificate);
    assert_non_null(strstr(saddle_context_message(context), "no solution: row "));
    assert_int_equal(saddle_certificate_check(context, p, certificate, &proof), SADDLE_OK);
    assert_int_equal(proof.kind, SADDLE_PROOF_ROWS);
    assert_int_equal(report->proof.kind, SADDLE_PROOF_ROWS);
    assert_true(report->proof.gap == proof.gap && report->proof.heaviest == proof.heaviest);
    assert_true(proof.rows >= 2);
    assert_non_null(strstr(report->note, "no solution"));
}

static void claim_proven(const saddle_problem *p, const saddle_solver_type *type, uint64_t seed)
{
    saddle_context *context;
    saddle_solver *solver;
    saddle_solution x;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, type->name, NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, p->n, p->m, &x), SADDLE_OK);
    assert_true(saddle_solver_analyse(solver, p) >= 0);
    assert_true(saddle_solver_factor(solver, p) >= 0);
    saddle_status status = saddle_solver_solve(solver, p, NULL, &x);
    int is_lemke = strcmp(type->name, "lemke") == 0;
    lemke_tried += is_lemke;
    lemke_unproven += is_lemke && status != SADDLE_INFEASIBLE;
    if (status == SADDLE_INFEASIBLE)
        claim_certificate(context, p, solver);
    else if (!is_lemke)
        fail_msg("%s, n = %" PRId64 ", m = %" PRId64 ", drawn from %" PRIu64 ": %s, %s", type->name,
                 p->n, p->m, seed, saddle_status_name(status), saddle_solver_report(solver)->note);
    saddle_solution_clear(&x);
    saddle_solver_free(solver);
    saddle_context_free(context);
}

static int is_exact(const saddle_solver_type *type)
{
    return !test_is_iterative(type->name);
}

/* All registered solvers that take such rows; returns how many. */
static int claim_not_solved(const saddle_problem *p, uint64_t seed)
{
    static const double tolerances[] = {1e-10, 1e-4};
    int tried = 0;
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        if (saddle_solver_type_supports(NULL, type, p) != SADDLE_OK) continue;
        tried++;
        if (is_exact(type)) claim_proven(p, type, seed);
        for (int k = 0; k < 2; k++) {
            saddle_options options = saddle_options_default();
            options.tolerance = tolerances[k];
            saddle_solution x = {0};
            saddle_report report = {0};
            saddle_status status = saddle_solve(NULL, p, type->name, &options, NULL, &x, &report);
            if (status == SADDLE_OK)
                fail_msg("%s, n = %" PRId64 ", m = %" PRId64 ", drawn from %" PRIu64
                         ": solved to %.1e, they say (%.1e)",
                         type->name, p->n, p->m, seed, tolerances[k], report.residual.total);
            saddle_solution_clear(&x);
        }
    }
    return tried;
}

typedef struct built {
    saddle_problem p;
    int64_t start[MOST + 1], index[MOST], row_start[MOST + 1], row_index[MOST * MOST];
    double row[MOST * MOST];
} built;

static void build(drawn_rows *d, built *t)
{
    int64_t count = 0;
    for (int64_t j = 0; j <= d->n; j++) t->start[j] = j;
    for (int64_t j = 0; j < d->n; j++) t->index[j] = j;
    t->row_start[0] = 0;
    for (int64_t i = 0; i < d->m; i++) {
        for (int64_t j = 0; j < d->n; j++) add_entry(t->row_index, t->row, &count, j, d->J[i][j]);
        t->row_start[i + 1] = count;
    }
    t->p = (saddle_problem){.n = d->n, .m = d->m, .f = d->f, .b = d->b, .lo = d->lo, .hi = d->hi};
    t->p.M = saddle_matrix_view(d->n, d->n, t->start, t->index, d->mass, SADDLE_SYMMETRY_LOWER);
    t->p.Jt = saddle_matrix_view(d->n, d->m, t->row_start, t->row_index, t->row,
                                 SADDLE_SYMMETRY_NONE);
}

static int with_mass(drawn_rows *d, uint64_t seed)
{
    built t;
    build(d, &t);
    return claim_not_solved(&t.p, seed);
}

static int without_mass(drawn_rows *d, uint64_t seed)
{
    int64_t start[MOST + 1] = {0};
    int64_t index[MOST * MOST];
    double value[MOST * MOST];
    double b[MOST];
    int64_t count = 0;
    for (int64_t j = 0; j < d->m; j++) {
        b[j] = d->b[j];
        for (int64_t k = 0; k < d->n; k++) b[j] -= d->J[j][k] * d->f[k] / d->mass[k];
        for (int64_t i = j; i < d->m; i++) {
            double W = 0.0;
            for (int64_t k = 0; k < d->n; k++) W += d->J[i][k] * d->J[j][k] / d->mass[k];
            add_entry(index, value, &count, i, W);
        }
        start[j + 1] = count;
    }
    saddle_problem p = {.m = d->m, .b = b, .lo = d->lo, .hi = d->hi};
    p.R = saddle_matrix_view(d->m, d->m, start, index, value, SADDLE_SYMMETRY_LOWER);
    return claim_not_solved(&p, seed);
}

/* without: the n = 0 form too */
static void claim_nobody_solves(contradiction kind, int draws, int least)
{
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(draws); k++) {
        uint64_t seed = state;
        drawn_rows d;
        draw_rows(&state, kind, 1.0, &d);
        assert_true(with_mass(&d, seed) >= least);
        assert_true(without_mass(&d, seed) >= least);
    }
}

static void contradictory_equalities_are_not_solved(void **unused)
{
    (void)unused;
    claim_nobody_solves(EQUALITIES, 100, 5);
}

static void contradictory_equalities_among_bounded_rows_are_not_solved(void **unused)
{
    (void)unused;
    claim_nobody_solves(AMONG_BOUNDED, 100, 2);
}

static void unilateral_rows_that_exclude_each_other_are_not_solved(void **unused)
{
    (void)unused;
    claim_nobody_solves(UNILATERALS, 100, 2);
}

/* v >= 2 and v <= 1 */
static void one_velocity_between_two_walls_that_overlap_is_not_solved(void **unused)
{
    (void)unused;
    drawn_rows d = {.n = 1,
                    .m = 2,
                    .mass = {1.0},
                    .J = {{1.0}, {-1.0}},
                    .b = {2.0, -1.0},
                    .hi = {INFINITY, INFINITY}};
    assert_true(with_mass(&d, 0) >= 2);
    assert_true(without_mass(&d, 0) >= 2);
}

/* Of three velocities the second has no mass, or the second and third have none and move together;
 * f pushes, or does not. */
static void claim_motion(const char *name, int together, double push)
{
    int64_t M_start[] = {0, 1, 2, 3}, M_index[] = {0, 1, 2};
    double M_value[] = {2.0, 0.0, together ? 0.0 : 1.0};
    int64_t Jt_start[] = {0, 1, 3}, Jt_index[] = {0, 1, 2};
    double Jt_value[] = {1.0, 1.0, -1.0};
    double f[] = {1.0, push, 0.5}, b[] = {0.25, 0.0};
    if (together) f[2] = 0.0;
    saddle_problem p = {.n = 3, .m = together ? 2 : 1, .f = f, .b = b};
    p.M = saddle_matrix_view(3, 3, M_start, M_index, M_value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(3, p.m, Jt_start, Jt_index, Jt_value, SADDLE_SYMMETRY_NONE);
    saddle_context *context;
    saddle_solver *solver;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, name, NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &p), SADDLE_SINGULAR);
    const saddle_certificate *certificate = saddle_solver_certificate(solver);
    int said = strstr(saddle_context_message(context), "against f: unbounded") != NULL;
    assert_int_equal(certificate != NULL, push != 0.0);
    assert_int_equal(said, push != 0.0);
    if (certificate) {
        assert_int_equal(saddle_solver_report(solver)->proof.kind, SADDLE_PROOF_MOTION);
        assert_int_equal(saddle_solver_report(solver)->proof.velocities, together ? 2 : 1);
        assert_true(certificate->velocity[0] == 0.0 && certificate->velocity[1] * push > 0.0);
        assert_true(together ? certificate->velocity[2] == certificate->velocity[1]
                             : certificate->velocity[2] == 0.0);
    }
    saddle_solver_free(solver);
    saddle_context_free(context);
}

static void a_pushed_motion_that_nothing_resists_is_proven_unbounded(void **unused)
{
    (void)unused;
    static const char *const names[] = {"ldlt", "lu", "auto"};
    for (int k = 0; k < 3; k++)
        for (int together = 0; together < 2; together++)
            for (int push = -1; push < 2; push++) claim_motion(names[k], together, 2.0 * push);
}

/* Of two velocities the second has no mass; a stop keeps it from one side, a motor of strength 1
 * brakes it.  Away from the stop, by more than the motor has, nothing resists. */
static void claim_pushed(const char *name, double push)
{
    int64_t M_start[] = {0, 1, 2}, M_index[] = {0, 1}, Jt_start[] = {0, 1, 2}, Jt_index[] = {1, 1};
    double M_value[] = {2.0, 0.0}, Jt_value[] = {1.0, 1.0};
    double f[] = {1.0, push}, lo[] = {0.0, -1.0}, hi[] = {INFINITY, 1.0};
    saddle_problem p = {.n = 2, .m = 2, .f = f, .lo = lo, .hi = hi};
    p.M = saddle_matrix_view(2, 2, M_start, M_index, M_value, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(2, 2, Jt_start, Jt_index, Jt_value, SADDLE_SYMMETRY_NONE);
    int unbounded = push > 1.0;
    saddle_context *context;
    saddle_solver *solver;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, name, NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &p), SADDLE_OK);
    saddle_solution x;
    assert_int_equal(saddle_solution_create(context, 2, 2, &x), SADDLE_OK);
    saddle_status status = saddle_solver_factor(solver, &p);
    if (status >= 0) status = saddle_solver_solve(solver, &p, NULL, &x); /* pivot needs no M^-1 */
    const saddle_certificate *certificate = saddle_solver_certificate(solver);
    if ((unbounded && status != SADDLE_SINGULAR) || (certificate != NULL) != unbounded)
        fail_msg("%s, f = %g: %s, '%s'", name, push, saddle_status_name(status),
                 saddle_context_message(context));
    int needs_mass = strcmp(name, "pivot") != 0 && strcmp(name, "auto") != 0;
    if (!unbounded) assert_int_equal(status, needs_mass ? SADDLE_SINGULAR : SADDLE_OK);
    const char *message = saddle_context_message(context);
    assert_true(!unbounded || (strstr(message, "velocity 2") && strstr(message, ": unbounded")));
    if (certificate) {
        assert_int_equal(saddle_solver_report(solver)->proof.kind, SADDLE_PROOF_MOTION);
        assert_int_equal(saddle_solver_report(solver)->proof.heaviest, 1);
        assert_true(certificate->velocity[0] == 0.0 && certificate->velocity[1] > 0.0);
    }
    saddle_solution_clear(&x);
    saddle_solver_free(solver);
    saddle_context_free(context);
}

static void a_velocity_pushed_away_from_its_stop_is_proven_unbounded(void **unused)
{
    (void)unused;
    static const char *const names[] = {"schur", "pivot", "lemke", "gauss-seidel", "auto"};
    static const double pushes[] = {3.0, 0.5, 0.0, -3.0};
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < 4; i++) claim_pushed(names[k], pushes[i]);
}

/* 1: proven, by a certificate that holds. */
static int proves(const saddle_problem *p, const char *name)
{
    saddle_solver *solver;
    saddle_solution x;
    saddle_proof proof = {.kind = SADDLE_PROOF_NONE};
    assert_int_equal(saddle_solver_create(NULL, name, NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, p->n, p->m, &x), SADDLE_OK);
    assert_true(saddle_solver_analyse(solver, p) >= 0);
    assert_true(saddle_solver_factor(solver, p) >= 0);
    int infeasible = saddle_solver_solve(solver, p, NULL, &x) == SADDLE_INFEASIBLE;
    const saddle_certificate *certificate = saddle_solver_certificate(solver);
    assert_true(infeasible == (certificate != NULL));
    if (certificate)
        assert_int_equal(saddle_certificate_check(NULL, p, certificate, &proof), SADDLE_OK);
    assert_true(infeasible == (proof.kind == SADDLE_PROOF_ROWS));
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    return infeasible;
}

/* s of 1e-7 to 1e-4 of the data, which steps of impulses may not tell from rounding. */
static void small_contradictions_of_few_rows_are_proven(void **unused)
{
    (void)unused;
    int draws = (int)test_draws(1000);
    static const char *const names[] = {"schur", "pivot", "lemke", "auto"};
    if (draws < 200) draws = 200; /* for half a percent to be a draw */
    uint64_t state = test_seed();
    int proven[4] = {0, 0, 0, 0};
    for (int k = 0; k < draws; k++) {
        drawn_rows d;
        built t;
        contradiction kind = k % 3 == 0 ? EQUALITIES : k % 3 == 1 ? AMONG_BOUNDED : UNILATERALS;
        draw_rows(&state, kind, pow(10.0, test_uniform(&state, -7.0, -4.0)), &d);
        build(&d, &t);
        double z[MOST] = {0.0};
        saddle_certificate planted = {.n = d.n, .m = d.m, .velocity = z, .row = d.y};
        saddle_proof proof;
        assert_int_equal(saddle_certificate_check(NULL, &t.p, &planted, &proof), SADDLE_OK);
        assert_int_equal(proof.kind, SADDLE_PROOF_ROWS);
        for (int i = 0; i < 4; i++) proven[i] += proves(&t.p, names[i]);
    }
    print_message("of %d schur proves %d, pivot %d, lemke %d, auto %d\n", draws, proven[0],
                  proven[1], proven[2], proven[3]);
    for (int i = 0; i < 4; i++) assert_true(200 * (draws - proven[i]) <= draws);
}

static void lemke_proves_nearly_all_of_them(void **unused)
{
    (void)unused;
    print_message("lemke proved all but %" PRId64 " of %" PRId64 "\n", lemke_unproven, lemke_tried);
    assert_true(lemke_tried > test_draws(500) && 20 * lemke_unproven < lemke_tried);
}

/* Without refinement the limit, which is over at once, is left to the search for a proof. */
static void a_search_that_the_limit_ends_is_a_time_limit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_options options = saddle_options_default();
    options.max_refinements = 0;
    for (int k = 0; k < 20; k++) {
        drawn_rows d;
        built t;
        saddle_context *context;
        saddle_solution x = {0};
        draw_rows(&state, EQUALITIES, 1.0, &d);
        build(&d, &t);
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        options.time_limit = 0.0;
        assert_int_equal(saddle_solve(context, &t.p, "ldlt", &options, NULL, &x, NULL),
                         SADDLE_INFEASIBLE);
        options.time_limit = 1e-9;
        assert_int_equal(saddle_solve(context, &t.p, "ldlt", &options, NULL, &x, NULL),
                         SADDLE_TIME_LIMIT);
        saddle_solution_clear(&x);
        saddle_context_free(context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contradictory_equalities_are_not_solved),
        cmocka_unit_test(contradictory_equalities_among_bounded_rows_are_not_solved),
        cmocka_unit_test(unilateral_rows_that_exclude_each_other_are_not_solved),
        cmocka_unit_test(one_velocity_between_two_walls_that_overlap_is_not_solved),
        cmocka_unit_test(lemke_proves_nearly_all_of_them),
        cmocka_unit_test(small_contradictions_of_few_rows_are_proven),
        cmocka_unit_test(a_pushed_motion_that_nothing_resists_is_proven_unbounded),
        cmocka_unit_test(a_velocity_pushed_away_from_its_stop_is_proven_unbounded),
        cmocka_unit_test(a_search_that_the_limit_ends_is_a_time_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
