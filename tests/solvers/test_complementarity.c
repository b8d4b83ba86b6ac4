/* SPDX-License-Identifier: MIT */
/* Mixed complementarity by every registered solver that takes the rows, against brute force
 * (enumeration.h).
 *
 *     solved         the defect, formed here by dense matrices, is small; where all solutions are
 *                    known, the answer is one of them; where W is symmetric semidefinite, w is that
 *                    of all solutions (w is unique although lambda is not)
 *     no solution    no solver returns SADDLE_OK, but for overgrown impulses in few cases
 *     infeasible     never returned for a problem with a solution, in any units of the rows
 *     not solved     only where theory allows the solver to fail: see `promises`; by auto in few
 *                    cases
 *
 * A failure names the seed that draws its problem first. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_mixed.h"
#include "enumeration.h"

enum { SOLVERS_MOST = 16 };

/* For a residual of 1e-10 in the checker's measure, the problems being of order one. */
static const double allowed_defect = 1e-7;
/* From a solution, or a hundred times the defect over the least pivot of its state. */
static const double allowed_distance = 1e-5;
/* Larger impulses, with data of order one, depend on the rounding of a singular W: the answer may
 * solve, by the checker's measure, a problem that differs by rounding, while the drawn problem has
 * no solution or a small one. */
static const double overgrown = 1e6;
/* Impulses above `large` with a defect below last_digits |lambda|, 16 units in the last place of W
 * with entries of order one, are left out too: the answer solves a problem with a W within
 * rounding. */
static const double large = 1e3;
static const double last_digits = 16.0 * DBL_EPSILON;

/* Shares at most: of the problems, with overgrown impulses; of the solved ones, unsolved by auto
 * without a promise. */
static const double overgrown_at_most = 0.01;
static const double left_by_auto = 0.005;

/* classes: always solved by the solver, if a solution exists; contacts: the same for problems with
 * contacts. */
typedef struct promise {
    const char *solver;
    unsigned classes;
    unsigned contacts;
} promise;

#define BIT(class) (1u << (class))
#define STRICT (BIT(MIXED_DEFINITE) | BIT(MIXED_MONOTONE))
#define SEMI (BIT(MIXED_SEMIDEFINITE) | BIT(MIXED_SEMIMONOTONE))

static const promise promises[] = {
    {"gauss-seidel", BIT(MIXED_DEFINITE), 0}, /* descent on the dual energy */
    {"schur", STRICT | BIT(MIXED_SEMIDEFINITE) | BIT(MIXED_P), STRICT}, /* W + E is a P-matrix */
    /* least-index pivots end on these */
    {"pivot", STRICT | SEMI | BIT(MIXED_P), BIT(MIXED_DEFINITE)},
    {"lemke", STRICT | SEMI | BIT(MIXED_P), BIT(MIXED_DEFINITE)}, /* copositive-plus, P; friction:
                                                                     copositive */
    {"auto", STRICT | SEMI | BIT(MIXED_P), STRICT},               /* schur and lemke in turn */
};

static int promised(const char *solver, const mixed_kind *kind)
{
    promise p = {solver, BIT(MIXED_DEFINITE), 0}; /* of one not listed */
    for (size_t k = 0; k < sizeof promises / sizeof *promises; k++)
        if (strcmp(promises[k].solver, solver) == 0) p = promises[k];
    return ((kind->contacts ? p.contacts : p.classes) & BIT(kind->class)) != 0;
}

typedef struct tally {
    const char *solver;
    int64_t problems, solved, short_of;
    int64_t refused;   /* without a solution, and not said to have one */
    int64_t overgrown; /* "solved" by impulses beyond all measure, by no solution */
    int64_t open;      /* solved, although brute force could not say whether it can be */
    double worst;      /* distance from the nearest solution, where all are known */
} tally;

typedef struct context_of {
    uint64_t seed; /* that draws this problem first */
    const char *solver;
    const mixed *p;
    const enumeration *found;
} context_of;

static void complain(const context_of *at, const char *what, double number)
{
    const mixed_kind *kind = &at->p->kind;
    fail_msg("%s: %s (%g); SADDLE_TEST_SEED=%" PRIu64
             " draws it first: %s, n = %d, m = %d%s%s%s, %d solutions",
             at->solver, what, number, at->seed, mixed_class_word[kind->class], (int)kind->n,
             (int)kind->m, kind->integer ? ", integers" : "", kind->contacts ? ", contacts" : "",
             kind->planted ? ", planted" : "", (int)at->found->count);
}

static double largest_of(const double *x, int64_t count)
{
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

static double largest_difference(const double *a, const double *b, int64_t count)
{
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* A result that says it is solved. */
static void judge_solved(const context_of *at, const saddle_solution *solution, tally *sum)
{
    const mixed *p = at->p;
    double w[ENUMERATION_MOST];
    double away;
    double defect = enumeration_defect(&p->problem, solution->v, solution->lambda, w);
    double largest = largest_of(solution->lambda, p->kind.m);
    const enumeration_point *nearest = enumeration_nearest(&p->problem, at->found, solution->v,
                                                           solution->lambda, &away);
    double near = nearest ? fmax(allowed_distance, 100.0 * defect / nearest->pivot) : 0.0;
    int lives_on_rounding = largest > overgrown ||
                            (largest > large && defect <= last_digits * largest);
    if (lives_on_rounding && !(away <= near)) {
        sum->overgrown++;
        return;
    }
    if (!(defect <= allowed_defect)) complain(at, "said to be solved, the defect is", defect);
    if (enumeration_is_empty(at->found))
        complain(at, "solved what has no solution, largest impulse", largest);
    if (enumeration_is_complete(at->found)) {
        if (!(away <= near)) complain(at, "not one of the solutions, the nearest is away by", away);
        sum->worst = fmax(sum->worst, away);
    }
    if (p->kind.class == MIXED_SEMIDEFINITE && !p->kind.contacts && nearest) {
        double w_away = largest_difference(w, nearest->w, p->kind.m) /
                        (1.0 + largest_of(nearest->w, p->kind.m));
        if (!(w_away <= near)) complain(at, "w differs by", w_away);
    }
    sum->open += at->found->count == 0;
}

static void judge(const context_of *at, const saddle_solver_type *type, tally *sum)
{
    const mixed *p = at->p;
    saddle_solution solution = {0};
    saddle_report report = {0};
    saddle_options options = saddle_options_default();
    sum->solver = type->name;
    sum->problems++;
    saddle_status status = saddle_solve(NULL, &p->problem, type->name, &options, NULL, &solution,
                                        &report);
    int exists = at->found->count > 0 || p->kind.planted;
    if (status == SADDLE_OK)
        judge_solved(at, &solution, sum);
    else if (exists && (status == SADDLE_INFEASIBLE || promised(type->name, &p->kind)))
        complain(at, saddle_status_name(status), report.residual.total);
    sum->solved += status == SADDLE_OK;
    sum->short_of += status != SADDLE_OK && exists;
    sum->refused += status != SADDLE_OK && enumeration_is_empty(at->found);
    saddle_solution_clear(&solution);
}

/* What theory says of the solutions of a class holds for those found: a check of the brute force
 * itself. */
static void judge_enumeration(const context_of *at)
{
    const mixed *p = at->p;
    const enumeration *found = at->found;
    int strict = (BIT(p->kind.class) & (STRICT | BIT(MIXED_P))) != 0 && !p->kind.contacts;
    if (strict && found->count != 1)
        complain(at, "solutions of a problem that has one", (double)found->count);
    if (p->kind.planted && enumeration_is_empty(found))
        complain(at, "misses what was planted", 0.0);
    if (p->kind.planted && enumeration_is_complete(found)) {
        double away;
        enumeration_nearest(&p->problem, found, p->v, p->lambda, &away);
        if (!(away <= 1e-6))
            complain(at, "does not find what was planted, the nearest is away by", away);
    }
    for (int64_t k = 0; k < found->count; k++) {
        double defect = enumeration_defect(&p->problem, found->point[k].v, found->point[k].lambda,
                                           NULL);
        if (!(defect <= 1e-8)) complain(at, "a solution found is none", defect);
    }
}

static void print(const tally *tallies, int64_t draws, int64_t empty, int64_t open)
{
    print_message("%" PRId64 " problems, %" PRId64 " without a solution, %" PRId64
                  " where brute force cannot say\n",
                  draws, empty, open);
    print_message("  %-14s %8s %8s %8s %8s %9s %6s %8s\n", "", "taken", "solved", "short",
                  "refused", "overgrown", "open", "nearest");
    for (int k = 0; k < SOLVERS_MOST; k++) {
        const tally *t = &tallies[k];
        if (t->problems == 0) continue;
        print_message("  %-14s %8" PRId64 " %8" PRId64 " %8" PRId64 " %8" PRId64 " %9" PRId64
                      " %6" PRId64 " %8.1e\n",
                      t->solver, t->problems, t->solved, t->short_of, t->refused, t->overgrown,
                      t->open, t->worst);
    }
}

/* Of a share in so many draws: two standard deviations more, and one case. */
static double drawn_at_most(double share, int64_t draws)
{
    double expected = share * (double)draws;
    return expected + 2.0 * sqrt(expected) + 1.0;
}

static void judge_tallies(const tally *tallies)
{
    for (int k = 0; k < SOLVERS_MOST; k++) {
        const tally *t = &tallies[k];
        if (t->problems == 0) continue;
        if ((double)t->overgrown > drawn_at_most(overgrown_at_most, t->problems))
            fail_msg("%s: %" PRId64 " overgrown of %" PRId64, t->solver, t->overgrown, t->problems);
        if (strcmp(t->solver, "auto") == 0 &&
            (double)t->short_of > drawn_at_most(left_by_auto, t->solved))
            fail_msg("auto: %" PRId64 " left, %" PRId64 " solved", t->short_of, t->solved);
    }
}

typedef mixed_kind draw_function(uint64_t *seed, int64_t largest);

static void agrees_with_brute_force(draw_function *draw_kind, int64_t largest, int64_t draws)
{
    uint64_t seed = test_seed();
    tally tallies[SOLVERS_MOST] = {{0}};
    enumeration *found = calloc(1, sizeof *found);
    int64_t empty = 0;
    int64_t open = 0;
    assert_non_null(found);
    draws = test_draws(draws);
    for (int64_t k = 0; k < draws; k++) {
        context_of at = {.seed = seed, .solver = "brute force", .found = found};
        mixed_kind kind = draw_kind(&seed, largest);
        mixed *p = mixed_draw(&seed, kind);
        at.p = p;
        enumerate_states(&p->problem, found);
        judge_enumeration(&at);
        empty += enumeration_is_empty(found);
        open += found->count == 0 && !enumeration_is_empty(found);
        const saddle_solver_type *type;
        for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
            if (saddle_solver_type_supports(NULL, type, &p->problem) != SADDLE_OK) continue;
            assert_true(i < SOLVERS_MOST);
            at.solver = type->name;
            judge(&at, type, &tallies[i]);
        }
        mixed_clear(p);
    }
    print(tallies, draws, empty, open);
    judge_tallies(tallies);
    free(found);
}

/* ---- the oracle on what is known ---- */

typedef struct known {
    int64_t m;
    double W[4], b[2], lo[2], hi[2];
    int64_t count;
    int many; /* the solutions are a continuum */
} known;

static const known examples[] = {
    {2, {1, 2, 2, 1}, {1, 1}, {0, 0}, {INFINITY, INFINITY}, 3, 0}, /* (1, 0), (0, 1), (1/3, 1/3) */
    {1, {-1}, {1}, {0}, {INFINITY}, 0, 0},                         /* w = -lambda - 1 */
    {1, {-1}, {-1}, {0}, {INFINITY}, 2, 0},                        /* 0 and 1 */
    {1, {-1}, {0}, {-1}, {1}, 3, 0},                               /* -1, 0, 1 */
    {2, {1, 1, 1, 1}, {1, 1}, {0, 0}, {INFINITY, INFINITY}, 1, 1}, /* lambda1 + lambda2 = 1 */
    /* contradictory */
    {2, {1, 1, 1, 1}, {1, 2}, {-INFINITY, -INFINITY}, {INFINITY, INFINITY}, 0, 0},
    {2, {0, 1, -1, 0}, {0, -1}, {0, 0}, {INFINITY, INFINITY}, 1, 1}, /* lambda1 <= 1, lambda2 = 0 */
};

static void brute_force_finds_what_is_known(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        const known *e = &examples[k];
        double b[2], lo[2], hi[2];
        int64_t row[4], col[4];
        for (int64_t i = 0; i < e->m * e->m; i++) {
            row[i] = i / e->m;
            col[i] = i % e->m;
        }
        memcpy(b, e->b, sizeof b);
        memcpy(lo, e->lo, sizeof lo);
        memcpy(hi, e->hi, sizeof hi);
        saddle_problem problem = {.m = e->m, .b = b, .lo = lo, .hi = hi};
        assert_int_equal(saddle_matrix_from_triplets(NULL, e->m, e->m, e->m * e->m, row, col, e->W,
                                                     SADDLE_SYMMETRY_NONE, &problem.R),
                         SADDLE_OK);
        enumeration found;
        enumerate_states(&problem, &found);
        if (e->many)
            assert_true(found.count >= e->count && found.singular > 0);
        else
            assert_int_equal(found.count, e->count);
        assert_int_equal(enumeration_is_empty(&found), e->count == 0);
        saddle_matrix_clear(&problem.R);
    }
}

/* A block on a slope: W = I, free velocity (-1, q); it sticks up to |q| = mu, then slides. */
static void brute_force_finds_the_states_of_a_contact(void **state)
{
    (void)state;
    static const double q[] = {0.3, 0.8, -0.8};
    static const double tangent[] = {-0.3, -0.5, 0.5};
    int64_t diagonal[2] = {0, 1};
    double ones[2] = {1.0, 1.0};
    saddle_contact contact = {.row = 0, .size = 2, .mu = 0.5};
    for (int k = 0; k < 3; k++) {
        double b[2] = {1.0, -q[k]};
        saddle_problem problem = {
            .m = 2, .b = b, .contacts = &contact, .contact_count = 1, .law = SADDLE_LAW_BOX};
        assert_int_equal(saddle_matrix_from_triplets(NULL, 2, 2, 2, diagonal, diagonal, ones,
                                                     SADDLE_SYMMETRY_LOWER, &problem.R),
                         SADDLE_OK);
        enumeration found;
        enumerate_states(&problem, &found);
        assert_int_equal(found.count, 1);
        assert_true(fabs(found.point[0].lambda[0] - 1.0) <= 1e-14);
        assert_true(fabs(found.point[0].lambda[1] - tangent[k]) <= 1e-14);
        saddle_matrix_clear(&problem.R);
    }
}

/* ---- solvers ---- */

static void small_problems_agree_with_all_their_states(void **state)
{
    (void)state;
    agrees_with_brute_force(mixed_draw_kind, 4, 20000);
}

/* Friction bound to its own normal impulse where W is singular. */
static mixed_kind draw_singular_friction(uint64_t *seed, int64_t largest)
{
    mixed_kind kind = mixed_draw_kind(seed, largest);
    kind.class = test_integer(seed, 0, 1) ? MIXED_SEMIDEFINITE : MIXED_SEMIMONOTONE;
    kind.contacts = 1;
    kind.m = kind.m < 2 ? 2 : kind.m;
    kind.n = kind.class == MIXED_SEMIMONOTONE ? 0 : kind.n;
    return kind;
}

static void friction_on_a_singular_delassus_operator_agrees_with_all_its_states(void **state)
{
    (void)state;
    agrees_with_brute_force(draw_singular_friction, 5, 4000);
}

static void problems_of_up_to_seven_rows_agree_with_all_their_states(void **state)
{
    (void)state;
    agrees_with_brute_force(mixed_draw_kind, 7, 600);
}

/* As many rows as brute force can do. */
static mixed_kind draw_ten_rows(uint64_t *seed, int64_t largest)
{
    mixed_kind kind = mixed_draw_kind(seed, largest);
    kind.m = largest;
    return kind;
}

static void problems_of_ten_rows_agree_with_all_their_states(void **state)
{
    (void)state;
    agrees_with_brute_force(draw_ten_rows, 10, 10);
}

/* A skew W has no energy to descend.  Steps with a finished pivoting raise the error here on the
 * way to the solution; a stalled step halves the error again, far from the solution, and must not
 * be kept for that reason. */
static void stalled_steps_do_not_undo_those_that_ended(void **state)
{
    (void)state;
    static const double R[16] = {
        0.0, -0.51142601373004415, -0.96036330844540841, 0.27275063186244242, 0.51142601373004415,
        0.0, -0.15295340546358793, -0.92328667325654701, 0.96036330844540841, 0.15295340546358793,
        0.0, 0.24476038211599915,  -0.27275063186244242, 0.92328667325654701, -0.24476038211599915,
        0.0};
    static const double solution[] = {0.28093411021774306, -0.27280593058457625, 0.0,
                                      -0.4284935434092022};
    double b[] = {0.022648164886948152, 0.10111977583122517, -0.44186233100599559,
                  -0.32850303616769239};
    double lo[] = {0.0, -0.27280593058457625, 0.0, -0.96772669704108705};
    double hi[] = {INFINITY, 0.3814407324788045, INFINITY, 0.16983608132559763};
    int64_t row[16], col[16];
    for (int64_t k = 0; k < 16; k++) {
        row[k] = k / 4;
        col[k] = k % 4;
    }
    saddle_problem p = {.m = 4, .b = b, .lo = lo, .hi = hi};
    assert_int_equal(saddle_matrix_from_triplets(NULL, 4, 4, 16, row, col, R, SADDLE_SYMMETRY_NONE,
                                                 &p.R),
                     SADDLE_OK);
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        mixed_kind kind = {.class = MIXED_SEMIMONOTONE};
        if (!promised(type->name, &kind)) continue;
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &p, type->name, NULL, NULL, &x, NULL), SADDLE_OK);
        assert_true(largest_difference(x.lambda, solution, 4) <= 1e-12);
        saddle_solution_clear(&x);
    }
    saddle_matrix_clear(&p.R);
}

/* ---- contradictions that a residual does not show ---- */

static saddle_problem dense_rows(int64_t m, const double *R, double *b, double *lo, double *hi)
{
    int64_t row[MIXED_MOST * MIXED_MOST], col[MIXED_MOST * MIXED_MOST];
    saddle_problem p = {.m = m, .b = b, .lo = lo, .hi = hi};
    for (int64_t k = 0; k < m * m; k++) {
        row[k] = k / m;
        col[k] = k % m;
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, m * m, row, col, R,
                                                 SADDLE_SYMMETRY_NONE, &p.R),
                     SADDLE_OK);
    return p;
}

/* W = g g' to its last digits, and y = (g_3, 0, -g_1) has y'b = 2.6e-5 > 0: impulses of 1e5 leave
 * 1e-10 of themselves. */
static void a_small_contradiction_behind_large_impulses_is_solved_by_nobody(void **state)
{
    (void)state;
    static const double R[9] = {0.50711435974200636,  -0.18024231052875797, -0.70378597726206082,
                                -0.18024231052875797, 0.064063045900086671, 0.25014478139406171,
                                -0.70378597726206082, 0.25014478139406171,  0.97673176133822071};
    double b[] = {-1.3790338400403797, -1.0667675585961969, 1.9139173044040305};
    double lo[] = {0.0, 0.0, 0.0}, hi[] = {INFINITY, INFINITY, INFINITY};
    static const char *const exact[] = {"schur", "pivot", "lemke", "auto"};
    saddle_problem p = dense_rows(3, R, b, lo, hi);
    for (int k = 0; k < 4; k++) {
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &p, exact[k], NULL, NULL, &x, &report),
                         SADDLE_INFEASIBLE);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
        saddle_solution_clear(&x);
    }
    b[2] -= 1e-4; /* now y'b < 0 */
    for (int k = 0; k < 4; k++) {
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &p, exact[k], NULL, NULL, &x, NULL), SADDLE_OK);
        saddle_solution_clear(&x);
    }
    saddle_matrix_clear(&p.R);
}

/* W = g g' to its last digits, and y = (g_2, -g_1) > 0 has y'b > 0.  A bound as large as the
 * impulses makes these look like little. */
static void a_contradiction_behind_impulses_no_larger_than_a_bound_is_solved_by_nobody(void **state)
{
    (void)state;
    static const double R[4] = {3970.6521256973369, -43310.961926844466, -43310.961926844466,
                                472426.03069870564};
    double b[] = {0.00084671656593003684, -0.00094454014222776635};
    double lo[] = {0.0, -350.911}, hi[] = {INFINITY, INFINITY};
    static const char *const exact[] = {"schur", "pivot", "lemke", "auto"};
    saddle_problem p = dense_rows(2, R, b, lo, hi);
    for (int k = 0; k < 4; k++) {
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &p, exact[k], NULL, NULL, &x, &report),
                         SADDLE_INFEASIBLE);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
        saddle_solution_clear(&x);
    }
    saddle_matrix_clear(&p.R);
}

/* W of condition 2^28: they are as large as they have to be. */
static void large_impulses_that_are_right_stay_solved(void **state)
{
    (void)state;
    static const double R[4] = {1.0, -1.0, -1.0, 1.0 + 0x1p-26};
    double b[] = {0.0, 0.125}, lo[] = {0.0, 0.0}, hi[] = {INFINITY, INFINITY};
    static const char *const exact[] = {"schur", "pivot", "lemke", "auto"};
    saddle_problem p = dense_rows(2, R, b, lo, hi);
    for (int k = 0; k < 4; k++) {
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, &p, exact[k], NULL, NULL, &x, NULL), SADDLE_OK);
        assert_true(fabs(x.lambda[0] * 0x1p-23 - 1.0) < 1e-6 &&
                    fabs(x.lambda[1] * 0x1p-23 - 1.0) < 1e-6);
        saddle_solution_clear(&x);
    }
    saddle_matrix_clear(&p.R);
}

/* Units ten decades apart: of what has no solution lemke and auto call two in a thousand solved at
 * most, R_ii = 0 in two rows that are coupled to each other alone, which leaves their units open;
 * and nobody says infeasible of what has a solution. */
static void what_has_no_solution_in_rows_of_any_units_is_hardly_ever_solved(void **state)
{
    (void)state;
    static const char *const names[] = {"lemke", "auto", "pivot", "schur"};
    uint64_t seed = test_seed();
    int64_t empty = 0, wrong[2] = {0, 0};
    enumeration *found = calloc(1, sizeof *found);
    assert_non_null(found);
    for (int draw = 0; draw < test_draws(40000); draw++) {
        uint64_t first = seed;
        mixed *p = mixed_draw(&seed, mixed_draw_kind(&seed, 4));
        double D[MIXED_MOST];
        for (int64_t i = 0; i < p->problem.m; i++)
            D[i] = ldexp(1.0, (int)test_integer(&seed, -17, 17));
        enumerate_states(&p->problem, found);
        int exists = found->count > 0 || p->kind.planted;
        mixed_change_units(&p->problem, D);
        for (int k = 0; k < 4 && !p->kind.contacts; k++) {
            saddle_solution x = {0};
            saddle_status status = saddle_solve(NULL, &p->problem, names[k], NULL, NULL, &x, NULL);
            if (exists && status == SADDLE_INFEASIBLE)
                fail_msg("SADDLE_TEST_SEED=%" PRIu64
                         " draws first what has a solution: infeasible, says %s",
                         first, names[k]);
            if (k < 2) wrong[k] += status == SADDLE_OK && enumeration_is_empty(found);
            saddle_solution_clear(&x);
        }
        empty += !p->kind.contacts && enumeration_is_empty(found);
        mixed_clear(p);
    }
    print_message("%" PRId64 " without a solution: lemke solves %" PRId64 ", auto %" PRId64 "\n",
                  empty, wrong[0], wrong[1]);
    assert_true(empty > test_draws(1000) && 500 * (wrong[0] - 5) <= empty &&
                500 * (wrong[1] - 5) <= empty);
    free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brute_force_finds_what_is_known),
        cmocka_unit_test(brute_force_finds_the_states_of_a_contact),
        cmocka_unit_test(small_problems_agree_with_all_their_states),
        cmocka_unit_test(friction_on_a_singular_delassus_operator_agrees_with_all_its_states),
        cmocka_unit_test(problems_of_up_to_seven_rows_agree_with_all_their_states),
        cmocka_unit_test(problems_of_ten_rows_agree_with_all_their_states),
        cmocka_unit_test(stalled_steps_do_not_undo_those_that_ended),
        cmocka_unit_test(a_small_contradiction_behind_large_impulses_is_solved_by_nobody),
        cmocka_unit_test(
            a_contradiction_behind_impulses_no_larger_than_a_bound_is_solved_by_nobody),
        cmocka_unit_test(large_impulses_that_are_right_stay_solved),
        cmocka_unit_test(what_has_no_solution_in_rows_of_any_units_is_hardly_ever_solved),
    };
    return cmocka_run_group_tests_name("complementarity", tests, NULL, NULL);
}
