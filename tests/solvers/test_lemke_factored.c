/* SPDX-License-Identifier: MIT */
/* lemke on a factored basis, on problems of any size: against all states by brute force, against
 * the dense tableau pivot by pivot, and on problems too large for a dense tableau. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "against_states.h"

#define INF ((double)INFINITY)

/* form: the setting lemke.tableau; NULL = chosen by lemke. */
#define DENSE "lemke.tableau=dense"
#define FACTORED "lemke.tableau=factored"

static saddle_status solve(const char *form, const saddle_problem *problem,
                           const saddle_solution *start, saddle_solution *solution,
                           saddle_report *report)
{
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-12; /* answers of two forms are compared to as much */
    options.settings = form;
    return saddle_solve(NULL, problem, "lemke", &options, start, solution, report);
}

/* ---- brute force ---- */

typedef struct tally {
    int64_t solved, short_of, empty, proven;
    int64_t bounded_short, bounded_empty, bounded_proven; /* without equalities */
} tally;

/* Redundant equalities and proofs where there are some are the tableau's strength: whoever has them
 * may fall short. */
static void judge(const mixed *p, const enumeration *found, uint64_t seed, tally *sum)
{
    saddle_solution solution = {0};
    saddle_report report;
    saddle_status status = solve(FACTORED, &p->problem, NULL, &solution, &report);
    int exists = has_a_solution(p, found);
    int promised = !p->kind.contacts &&
                   (p->kind.class == MIXED_DEFINITE || p->kind.class == MIXED_MONOTONE ||
                    p->kind.class == MIXED_P);
    promised |= p->kind.contacts && p->kind.class == MIXED_DEFINITE;
    check_against_states(p, found, seed, promised, status, &solution);
    sum->solved += status == SADDLE_OK;
    sum->short_of += status != SADDLE_OK && exists;
    sum->empty += enumeration_is_empty(found);
    sum->proven += status == SADDLE_INFEASIBLE;
    int monotone = p->kind.class != MIXED_P && p->kind.class != MIXED_ANY && !p->kind.contacts;
    if (monotone && saddle_problem_count_rows(&p->problem).equality == 0) {
        sum->bounded_short += status != SADDLE_OK && exists;
        sum->bounded_empty += enumeration_is_empty(found);
        sum->bounded_proven += status == SADDLE_INFEASIBLE;
    }
    saddle_solution_clear(&solution);
}

static void drawn_problems_agree_with_all_their_states(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    tally sum = {0};
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    for (int draws = 0; draws < 4000; draws++) {
        uint64_t first = seed;
        mixed_kind kind = mixed_draw_kind(&seed, draws % 8 == 0 ? 6 : 4);
        mixed *p = mixed_draw(&seed, kind);
        enumerate_states(&p->problem, found);
        judge(p, found, first, &sum);
        mixed_clear(p);
    }
    print_message("%" PRId64 " solved, %" PRId64 " not; %" PRId64 " without a solution, %" PRId64
                  " proven\n",
                  sum.solved, sum.short_of, sum.empty, sum.proven);
    print_message("monotone without equalities: %" PRId64 " not solved; %" PRId64
                  " without a solution, %" PRId64 " proven\n",
                  sum.bounded_short, sum.bounded_empty, sum.bounded_proven);
    assert_int_equal(sum.bounded_short, 0);
    assert_true(sum.bounded_proven >= sum.bounded_empty && sum.bounded_empty > 40);
    assert_true(sum.solved > 3000 && 50 * sum.short_of < sum.solved);
    assert_true(2 * sum.proven > sum.empty);
    free(found);
}

/* ---- beside the tableau ---- */

/* R tridiagonal, or so with a skew part, n = 0; J R^-1 J' of as many unit rows. */
typedef struct band {
    saddle_problem problem;
    double *b, *lo, *hi;
} band;

static void add_band(int64_t m, double skew, saddle_matrix *A)
{
    int64_t *row = calloc((size_t)(3 * m), sizeof *row);
    int64_t *col = calloc((size_t)(3 * m), sizeof *col);
    double *value = calloc((size_t)(3 * m), sizeof *value);
    int64_t count = 0;
    assert_true(row && col && value);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < m; j++) {
            if (skew == 0.0 && j > i) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = i == j ? 2.5 : -1.0 + (i < j ? skew : -skew);
        }
    }
    saddle_symmetry symmetry = skew == 0.0 ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE;
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value, symmetry, A),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
}

/* free_rows: some rows are equalities. */
static void draw_band(uint64_t *seed, int64_t m, double skew, int with_velocities, int free_rows,
                      band *p)
{
    memset(p, 0, sizeof *p);
    p->b = calloc((size_t)m, sizeof *p->b);
    p->lo = calloc((size_t)m, sizeof *p->lo);
    p->hi = calloc((size_t)m, sizeof *p->hi);
    assert_true(p->b && p->lo && p->hi);
    for (int64_t i = 0; i < m; i++) {
        int64_t kind = test_integer(seed, 0, 9);
        p->b[i] = test_uniform(seed, -1.0, 1.0);
        p->lo[i] = kind == 0 && free_rows ? -INF : kind == 1 ? -0.1 : 0.0;
        p->hi[i] = kind == 1 || kind == 2 ? 0.1 : INF;
    }
    p->problem = (saddle_problem){.m = m, .b = p->b, .lo = p->lo, .hi = p->hi};
    if (!with_velocities) {
        add_band(m, skew, &p->problem.R);
        return;
    }
    p->problem.n = m;
    add_band(m, 0.0, &p->problem.M);
    add_band(m, 0.25, &p->problem.Jt);
}

static void clear_band(band *p)
{
    saddle_matrix_clear(&p->problem.M);
    saddle_matrix_clear(&p->problem.Jt);
    saddle_matrix_clear(&p->problem.R);
    free(p->b);
    free(p->lo);
    free(p->hi);
}

/* The path is the same: the pivots, more than one factorization serves, and the answer.  Only with
 * equalities, eliminated beforehand by the tableau, rows of two bounds may begin at the other
 * bound. */
static void paths_are_those_of_the_tableau(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int k = 0; k < 6; k++) {
        band p;
        draw_band(&seed, 400, k % 3 == 1 ? 0.5 : 0.0, k % 3 == 2, k >= 3, &p);
        saddle_solution dense = {0};
        saddle_solution factored = {0};
        saddle_report by_tableau;
        saddle_report by_factors;
        assert_int_equal(solve(DENSE, &p.problem, NULL, &dense, &by_tableau), SADDLE_OK);
        assert_int_equal(solve(FACTORED, &p.problem, NULL, &factored, &by_factors), SADDLE_OK);
        if (k < 3) assert_int_equal(by_tableau.pivots, by_factors.pivots);
        assert_true(by_factors.pivots > 128);
        assert_true(by_factors.residual.total <= 1e-14);
        assert_true(test_distance(dense.lambda, factored.lambda, p.problem.m) <= 1e-12);
        saddle_solution warm = {0};
        assert_int_equal(solve(FACTORED, &p.problem, &factored, &warm, &by_factors), SADDLE_OK);
        assert_int_equal(by_factors.pivots, 0);
        saddle_solution_clear(&dense);
        saddle_solution_clear(&factored);
        saddle_solution_clear(&warm);
        clear_band(&p);
    }
}

/* Equal bodies side by side: every row ties with every other. */
static void ties_are_broken_as_by_the_tableau(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    band p;
    draw_band(&seed, 60, 0.0, 0, 0, &p);
    for (int64_t i = 0; i < 60; i++) {
        p.b[i] = 1.0;
        p.lo[i] = 0.0;
        p.hi[i] = i % 2 ? INF : 0.5;
    }
    saddle_solution dense = {0};
    saddle_solution factored = {0};
    saddle_report by_tableau;
    saddle_report by_factors;
    assert_int_equal(solve(DENSE, &p.problem, NULL, &dense, &by_tableau), SADDLE_OK);
    assert_int_equal(solve(FACTORED, &p.problem, NULL, &factored, &by_factors), SADDLE_OK);
    assert_int_equal(by_tableau.pivots, by_factors.pivots);
    assert_true(test_distance(dense.lambda, factored.lambda, 60) <= 1e-13);
    saddle_solution_clear(&dense);
    saddle_solution_clear(&factored);
    clear_band(&p);
}

static void what_is_too_large_for_a_tableau_is_solved(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    band p;
    draw_band(&seed, 4000, 0.5, 0, 1, &p);
    saddle_solution solution = {0};
    saddle_report report;
    assert_int_equal(solve(NULL, &p.problem, NULL, &solution, &report), SADDLE_OK);
    print_message("4000 rows: %d pivots, %.2f s\n", (int)report.pivots, report.seconds.solve);
    assert_true(report.pivots > 1000 && report.residual.total <= 1e-14);
    saddle_solution_clear(&solution);
    clear_band(&p);
}

/* ---- friction ---- */

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
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRY_LOWER ? i + 1 : ROWS); j++) {
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
        add_matrix(&d->problem.R, W, general ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER);
        return;
    }
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t j = 0; j < ROWS; j++) W[i * ROWS + j] *= d->unit[j];
    }
    add_matrix(&d->problem.Jt, W, SADDLE_SYMMETRY_NONE);
    memset(W, 0, sizeof W);
    for (int64_t i = 0; i < ROWS; i++) W[i * ROWS + i] = d->M[i];
    add_matrix(&d->problem.M, W, SADDLE_SYMMETRY_LOWER);
    d->problem.n = ROWS;
}

static void answers_do_not_depend_on_the_form(saddle_law law, int64_t facets, int with_velocities,
                                              int exponent)
{
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    for (int draws = 0; draws < 12; draws++) {
        draw(&seed, law, facets, with_velocities, exponent, d);
        saddle_solution dense = {0};
        saddle_solution factored = {0};
        saddle_report report;
        assert_int_equal(solve(DENSE, &d->problem, NULL, &dense, &report), SADDLE_OK);
        assert_true(report.pivots > ROWS / 8);
        assert_int_equal(solve(FACTORED, &d->problem, NULL, &factored, &report), SADDLE_OK);
        for (int64_t i = 0; i < ROWS; i++) {
            dense.lambda[i] *= d->unit[i];
            factored.lambda[i] *= d->unit[i];
        }
        assert_true(test_distance(dense.lambda, factored.lambda, ROWS) <= 1e-12);
        saddle_solution_clear(&dense);
        saddle_solution_clear(&factored);
        saddle_matrix_clear(&d->problem.M);
        saddle_matrix_clear(&d->problem.Jt);
        saddle_matrix_clear(&d->problem.R);
    }
    free(d);
}

static void friction_is_answered_as_by_the_tableau(void **state)
{
    (void)state;
    static const int64_t facets[] = {3, 4, 5, 8};
    for (int with_velocities = 0; with_velocities < 2; with_velocities++) {
        answers_do_not_depend_on_the_form(SADDLE_LAW_BOX, 0, with_velocities, 0);
        for (int k = 0; k < 4; k++)
            answers_do_not_depend_on_the_form(SADDLE_LAW_PYRAMID, facets[k], with_velocities, 0);
    }
    answers_do_not_depend_on_the_form(SADDLE_LAW_BOX, 0, 0, 12);
    answers_do_not_depend_on_the_form(SADDLE_LAW_PYRAMID, 6, 1, 12);
}

/* From the answer to somewhat other b, where contacts have opened, closed, stuck or begun to slide:
 * the answer of a path from zero, in fewer pivots. */
static void friction_starts_from_the_last_answer(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    drawn *d = calloc(1, sizeof *d);
    assert_non_null(d);
    int64_t pivots[2] = {0, 0};
    for (int draws = 0; draws < 40; draws++) {
        const char *form = draws % 2 ? FACTORED : DENSE;
        saddle_solution last = {0}, x[2] = {{0}, {0}};
        saddle_report report;
        draw(&seed, SADDLE_LAW_BOX, 0, draws / 2 % 2, 0, d);
        assert_int_equal(solve(form, &d->problem, NULL, &last, &report), SADDLE_OK);
        for (int64_t i = 0; i < ROWS; i++) d->b[i] += test_uniform(&seed, -0.1, 0.1);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(solve(form, &d->problem, k ? &last : NULL, &x[k], &report), SADDLE_OK);
            pivots[k] += report.pivots;
        }
        assert_true(test_distance(x[0].lambda, x[1].lambda, ROWS) <= 1e-12);
        saddle_solution_clear(&last);
        saddle_solution_clear(&x[0]);
        saddle_solution_clear(&x[1]);
        saddle_matrix_clear(&d->problem.M);
        saddle_matrix_clear(&d->problem.Jt);
        saddle_matrix_clear(&d->problem.R);
    }
    free(d);
    print_message("%" PRId64 " pivots from zero, %" PRId64 " from the last answer\n", pivots[0],
                  pivots[1]);
    assert_true(3 * pivots[1] < pivots[0]);
}

static saddle_status solve_whole(saddle_context *context, void *user)
{
    saddle_solution solution = {0};
    saddle_options options = saddle_options_default();
    options.settings = FACTORED;
    saddle_status status = saddle_solve(context, user, "lemke", &options, NULL, &solution, NULL);
    saddle_solution_clear(&solution);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    mixed_kind kind = {.class = MIXED_DEFINITE, .n = 5, .m = 7, .contacts = 1};
    mixed *p = mixed_draw(&seed, kind);
    assert_true(test_allocation_sweep(solve_whole, &p->problem) > 40);
    mixed_clear(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_problems_agree_with_all_their_states),
        cmocka_unit_test(paths_are_those_of_the_tableau),
        cmocka_unit_test(ties_are_broken_as_by_the_tableau),
        cmocka_unit_test(what_is_too_large_for_a_tableau_is_solved),
        cmocka_unit_test(friction_is_answered_as_by_the_tableau),
        cmocka_unit_test(friction_starts_from_the_last_answer),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("lemke on a factored basis", tests, NULL, NULL);
}
