/* SPDX-License-Identifier: MIT */
/* lemke on columns of W on demand: against all states by brute force, against W formed whole, and
 * on plates where few, or more rows than expected, push. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "against_states.h"
#include "saddle/solver.h"

#define INF ((double)INFINITY)

/* Columns that the answer has taken; -1 = W was formed. */
static int64_t columns_of(const saddle_report *report)
{
    const char *end = strstr(report->note, " columns of W");
    int64_t count = -1;
    if (!end) return -1;
    const char *begin = end;
    while (begin > report->note && begin[-1] != ',' && begin[-1] != ';' && begin[-1] != '(')
        begin--;
    assert_int_equal(sscanf(begin, "%" SCNd64, &count), 1);
    return count;
}

/* columns: of W on demand always; steps: of the crash basis, 0 = none. */
static const char *columns_of_steps(int columns, int64_t steps)
{
    if (!columns) return asked_steps(steps);
    return steps == 0 ? METHODS_ALONE " lemke.columns=on" : "lemke.columns=on";
}

static saddle_status solve(int columns, int64_t crash_steps, const saddle_problem *problem,
                           const saddle_solution *start, saddle_solution *solution,
                           saddle_report *report)
{
    saddle_options options = saddle_options_default();
    options.settings = columns_of_steps(columns, crash_steps);
    return saddle_solve(NULL, problem, "lemke", &options, start, solution, report);
}

/* ---- brute force ---- */

static int is_promised(const mixed_kind *kind)
{
    if (kind->contacts) return kind->class == MIXED_DEFINITE;
    return kind->class == MIXED_DEFINITE || kind->class == MIXED_MONOTONE;
}

/* Nonzero: the answer was found without W. */
static int judge(const mixed *p, int64_t crash_steps, const enumeration *found, uint64_t seed)
{
    saddle_solution x = {0};
    saddle_report report;
    saddle_status status = solve(1, crash_steps, &p->problem, NULL, &x, &report);
    check_against_states(p, found, seed, is_promised(&p->kind), status, &x);
    saddle_solution_clear(&x);
    return status == SADDLE_OK && columns_of(&report) >= 0;
}

static void drawn_problems_agree_with_all_their_states(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t without_W[2] = {0};
    int64_t taken = 0;
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    for (int draws = 0; draws < 4000; draws++) {
        uint64_t first = seed;
        mixed_kind kind = mixed_draw_kind(&seed, draws % 8 == 0 ? 6 : 4);
        if (kind.n == 0) continue;
        mixed *p = mixed_draw(&seed, kind);
        enumerate_states(&p->problem, found);
        taken++;
        for (int path = 0; path < 2; path++)
            without_W[path] += judge(p, path ? 0 : 50, found, first);
        mixed_clear(p);
    }
    print_message("%" PRId64 " taken; without W: %" PRId64 " by a crash basis or a path, %" PRId64
                  " by a path\n",
                  taken, without_W[0], without_W[1]);
    assert_true(10 * without_W[0] > 7 * taken && 10 * without_W[1] > 7 * taken);
    free(found);
}

/* ---- plates ---- */

/* A plate of side x side velocities, each tied to its neighbours; every row rests on one of them,
 * wants b of it, and has its bounds. */
typedef struct plate {
    saddle_problem problem;
    double *f, *b, *lo, *hi;
    saddle_contact *contact;
} plate;

static void add_stiffness(int64_t side, double skew, saddle_matrix *M)
{
    int64_t n = side * side;
    int64_t count = 0;
    int64_t *row = calloc((size_t)(5 * n), sizeof *row);
    int64_t *col = calloc((size_t)(5 * n), sizeof *col);
    double *value = calloc((size_t)(5 * n), sizeof *value);
    assert_true(row && col && value);
    for (int64_t k = 0; k < n; k++) {
        int64_t next[2] = {k % side + 1 < side ? k + 1 : -1, k + side < n ? k + side : -1};
        row[count] = col[count] = k;
        value[count++] = 5.0;
        for (int d = 0; d < 2; d++) {
            if (next[d] < 0) continue;
            row[count] = next[d];
            col[count] = k;
            value[count++] = -1.0 - skew;
            if (skew == 0.0) continue;
            row[count] = k;
            col[count] = next[d];
            value[count++] = -1.0 + skew;
        }
    }
    saddle_symmetry symmetry = skew == 0.0 ? SADDLE_SYMMETRIC : SADDLE_GENERAL;
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, col, value, symmetry, M),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
}

/* The first `pressed` rows drawn are pressed by f, all others are let go.  Every fifth row is a
 * box, with `equality` every seventh an equality. */
static void draw_plate(uint64_t *seed, int64_t side, double skew, int64_t m, int64_t pressed,
                       int equality, plate *p)
{
    int64_t n = side * side;
    memset(p, 0, sizeof *p);
    p->f = calloc((size_t)n, sizeof *p->f);
    p->b = calloc((size_t)m, sizeof *p->b);
    p->lo = calloc((size_t)m, sizeof *p->lo);
    p->hi = calloc((size_t)m, sizeof *p->hi);
    int64_t *row = calloc((size_t)m, sizeof *row);
    int64_t *col = calloc((size_t)m, sizeof *col);
    double *value = calloc((size_t)m, sizeof *value);
    assert_true(p->f && p->b && p->lo && p->hi && row && col && value);
    for (int64_t i = 0; i < m; i++) {
        col[i] = i;
        row[i] = (i * 37) % n; /* each another one, where n has no factor 37 */
        value[i] = 1.0;
        p->b[i] = -test_uniform(seed, 2.0, 3.0);
        p->hi[i] = i % 5 == 0 ? 6.0 : INF;
        if (equality && i % 7 == 0) p->lo[i] = -INF;
        if (equality && i % 7 == 0) p->hi[i] = INF;
        p->f[row[i]] = i * 11 % m < pressed ? -test_uniform(seed, 20.0, 40.0) : 0.0;
    }
    p->problem = (saddle_problem){.n = n, .m = m, .f = p->f, .b = p->b, .lo = p->lo, .hi = p->hi};
    add_stiffness(side, skew, &p->problem.M);
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, m, m, row, col, value, SADDLE_GENERAL,
                                                 &p->problem.Jt),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
}

static void clear_plate(plate *p)
{
    saddle_matrix_clear(&p->problem.M);
    saddle_matrix_clear(&p->problem.Jt);
    free(p->f);
    free(p->b);
    free(p->lo);
    free(p->hi);
    free(p->contact);
}

/* All m / 3 rows at a time are contacts in space. */
static void make_contacts(plate *p, saddle_law law)
{
    int64_t count = p->problem.m / 3;
    p->contact = calloc((size_t)count, sizeof *p->contact);
    assert_non_null(p->contact);
    for (int64_t c = 0; c < count; c++)
        p->contact[c] = (saddle_contact){.row = 3 * c, .size = 3, .mu = 0.3};
    p->problem.contacts = p->contact;
    p->problem.contact_count = count;
    p->problem.law = law;
    p->problem.lo = p->problem.hi = NULL;
}

static int64_t count_pushing(const plate *p, const saddle_solution *x)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->problem.m; i++) count += x->lambda[i] != 0.0;
    return count;
}

/* Symmetric and not, with equalities and without, friction; by a crash basis and by a path
 * alone. */
static void columns_on_demand_give_the_answer_of_W(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int k = 0; k < 16; k++) {
        plate p;
        int friction = k % 4 == 3;
        draw_plate(&seed, 18, k % 2 ? 0.2 : 0.0, 120, 12, k % 4 == 2, &p);
        if (friction) make_contacts(&p, k % 8 == 3 ? SADDLE_LAW_BOX : SADDLE_LAW_PYRAMID);
        saddle_solution whole = {0};
        saddle_solution few = {0};
        saddle_report report;
        assert_int_equal(solve(0, k < 8 ? 50 : 0, &p.problem, NULL, &whole, &report), SADDLE_OK);
        assert_int_equal(columns_of(&report), -1);
        assert_int_equal(solve(1, k < 8 ? 50 : 0, &p.problem, NULL, &few, &report), SADDLE_OK);
        int64_t columns = columns_of(&report);
        int64_t pushing = count_pushing(&p, &few);
        print_message("%d: %" PRId64 " columns, %" PRId64 " push; residual %.1e\n", k, columns,
                      pushing, report.residual.total);
        assert_true(columns >= pushing && columns < (friction ? 110 : 60) && pushing > 4);
        assert_true(report.residual.total <= 1e-14);
        assert_true(test_distance(whole.lambda, few.lambda, p.problem.m) <= 1e-11);
        saddle_solution_clear(&whole);
        saddle_solution_clear(&few);
        clear_plate(&p);
    }
}

/* What the model takes by itself: few rows push and W would be large; or all of them do. */
static void few_columns_are_taken_where_few_rows_push(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int few = 0; few < 2; few++) {
        plate p;
        draw_plate(&seed, 80, 0.0, 900, few ? 4 : 900, 0, &p);
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(solve(0, 50, &p.problem, NULL, &x, &report), SADDLE_OK);
        print_message("%d columns, %d push, %s\n", (int)columns_of(&report),
                      (int)count_pushing(&p, &x), report.note);
        assert_true(few ? columns_of(&report) >= 4 && columns_of(&report) < 60
                        : columns_of(&report) < 0);
        saddle_solution again = {0};
        assert_int_equal(solve(0, 50, &p.problem, &x, &again, &report), SADDLE_OK);
        if (few) assert_int_equal(columns_of(&report), count_pushing(&p, &x));
        assert_int_equal(report.pivots, 0);
        saddle_solution_clear(&x);
        saddle_solution_clear(&again);
        clear_plate(&p);
    }
}

/* A start that makes believe that one row pushes. */
static void more_columns_than_expected_end_in_W(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    plate p;
    draw_plate(&seed, 80, 0.0, 900, 900, 0, &p);
    saddle_solution start = {0};
    saddle_solution x = {0};
    saddle_report report;
    assert_int_equal(saddle_solution_create(NULL, p.problem.n, p.problem.m, &start), SADDLE_OK);
    start.lambda[3] = 1.0;
    assert_int_equal(solve(0, 50, &p.problem, &start, &x, &report), SADDLE_OK);
    assert_true(columns_of(&report) < 0 && count_pushing(&p, &x) > 300 &&
                report.residual.total <= 1e-14);
    saddle_solution_clear(&start);
    saddle_solution_clear(&x);
    clear_plate(&p);
}

static int64_t crash_steps;

static saddle_status solve_whole(saddle_context *context, void *user)
{
    saddle_solution x = {0};
    saddle_options options = saddle_options_default();
    options.settings = columns_of_steps(1, crash_steps);
    saddle_status status = saddle_solve(context, user, "lemke", &options, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    mixed_kind kind = {.class = MIXED_DEFINITE, .n = 5, .m = 7, .contacts = 1};
    mixed *p = mixed_draw(&seed, kind);
    for (crash_steps = 0; crash_steps <= 30; crash_steps += 30)
        assert_true(test_allocation_sweep(solve_whole, &p->problem) > 100);
    mixed_clear(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_problems_agree_with_all_their_states),
        cmocka_unit_test(columns_on_demand_give_the_answer_of_W),
        cmocka_unit_test(few_columns_are_taken_where_few_rows_push),
        cmocka_unit_test(more_columns_than_expected_end_in_W),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("lemke on columns on demand", tests, NULL, NULL);
}
