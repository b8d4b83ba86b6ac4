/* SPDX-License-Identifier: MIT */
/* Complementarity problems whose answers are known to the digit, by every registered solver that
 * takes the rows:
 *
 *   - the tables of seed 004: a particle that falls on a floor, on a moving wall, and Coulomb
 *     friction in the plane, both as a contact and as the linear complementarity problem in
 *     (ln, lf1, lf2, s) that the seed derives
 *   - Murty's (1978) and Fathi's (1979) problems, on which pivoting by index takes 2^n steps
 *   - a cycle of block pivoting on a P-matrix, after Kostreva (1978); the cycle is checked here
 *   - contacts stacked in one place, with copies of rows, and with equalities */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enumeration.h"

enum { ROWS_MOST = 24 };

/* ---- every solver ---- */

typedef struct expected {
    const char *name;
    const double *v;      /* n */
    const double *lambda; /* m; NULL: not unique */
    int hard;             /* W unsymmetric or with zeros on its diagonal: relaxation may fall short,
                             truthfully */
} expected;

static void compare(const char *name, const char *solver, const char *what, const double *found,
                    const double *wanted, int64_t count)
{
    for (int64_t i = 0; wanted && i < count; i++)
        if (!(fabs(found[i] - wanted[i]) <= 1e-11 * (1.0 + fabs(wanted[i]))))
            fail_msg("%s by %s: %s[%d] is %.17g, not %.17g", name, solver, what, (int)i + 1,
                     found[i], wanted[i]);
}

/* Each takes the problem and ends in time; returns how many solved it. */
static int64_t solved_by_all(const saddle_problem *problem, const expected *e)
{
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-13;
    options.time_limit = 20.0;
    int64_t solved = 0;
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        if (saddle_solver_type_supports(NULL, type, problem) != SADDLE_OK) continue;
        saddle_solution solution = {0};
        saddle_report report = {0};
        saddle_status status = saddle_solve(NULL, problem, type->name, &options, NULL, &solution,
                                            &report);
        if (status == SADDLE_TIME_LIMIT) fail_msg("%s by %s: no end", e->name, type->name);
        if (status != SADDLE_OK && !(e->hard && test_is_iterative(type->name)))
            fail_msg("%s by %s: %s, residual %g", e->name, type->name, saddle_status_name(status),
                     report.residual.total);
        if (status == SADDLE_OK) {
            compare(e->name, type->name, "v", solution.v, e->v, problem->n);
            compare(e->name, type->name, "lambda", solution.lambda, e->lambda, problem->m);
            solved++;
        }
        saddle_solution_clear(&solution);
    }
    return solved;
}

/* A dense matrix by rows, its zeros left out. */
static saddle_matrix matrix(int64_t rows, int64_t cols, const double *A, saddle_symmetry symmetry)
{
    int64_t row[ROWS_MOST * ROWS_MOST];
    int64_t col[ROWS_MOST * ROWS_MOST];
    double value[ROWS_MOST * ROWS_MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRY_LOWER ? i + 1 : cols); j++) {
            if (A[i * cols + j] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = A[i * cols + j];
        }
    }
    saddle_matrix made = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &made),
                     SADDLE_OK);
    return made;
}

static void clear(saddle_problem *problem)
{
    saddle_matrix_clear(&problem->M);
    saddle_matrix_clear(&problem->Jt);
    saddle_matrix_clear(&problem->R);
}

static const double nothing[ROWS_MOST] = {0.0};

/* ---- seed 004, p. 7-12: a particle and a wall ---- */

typedef struct table_row {
    double gap, v, lambda;
} table_row;

/* h = m = g = 1: v' = v + lambda - g h, 0 <= lambda _|_ gap + h (v' - wall) >= 0, gap' = gap + h
 * (v' - wall) */
static void steps_follow_the_table(const char *name, double wall, const table_row *table,
                                   int64_t steps)
{
    double one = 1.0;
    double zero = 0.0;
    double infinity = INFINITY;
    double gap = 1.0;
    double v = -4.0;
    for (int64_t step = 0; step < steps; step++) {
        double f = v - 1.0;
        double b = wall - gap;
        saddle_problem problem = {.n = 1, .m = 1, .f = &f, .b = &b, .lo = &zero, .hi = &infinity};
        problem.M = matrix(1, 1, &one, SADDLE_SYMMETRY_LOWER);
        problem.Jt = matrix(1, 1, &one, SADDLE_SYMMETRY_NONE);
        expected e = {name, &table[step].v, &table[step].lambda, 0};
        assert_true(solved_by_all(&problem, &e) >= 1);
        v = table[step].v;
        gap += v - wall;
        assert_true(gap == table[step].gap);
        clear(&problem);
    }
}

static void falling_particle_takes_two_steps_to_come_to_rest(void **state)
{
    (void)state;
    static const table_row table[] = {{0, -1, 4}, {0, 0, 2}, {0, 0, 1}, {0, 0, 1}};
    steps_follow_the_table("falling particle", 0.0, table, 4);
}

static void particle_on_a_moving_wall_takes_its_velocity_in_two_steps(void **state)
{
    (void)state;
    static const table_row table[] = {{0, -0.5, 4.5}, {0, 0.5, 2}, {0, 0.5, 1}, {0, 0.5, 1}};
    steps_follow_the_table("moving wall", 0.5, table, 4);
}

/* ---- seed 004, p. 13-18: friction in the plane ---- */

typedef struct friction_case {
    double mu, x;          /* x: velocity along the floor before the step */
    double tangent, after; /* friction impulse along x, and velocity along x after the step */
} friction_case;

/* The particle rests, lambda_n = m g h = 1: it sticks up to |x| = mu, and slides beyond with |x| -
 * mu. */
static const friction_case friction_cases[] = {
    {0.5, 2.0, -0.5, 1.5},   {0.5, -2.0, 0.5, -1.5},   {0.5, 0.25, -0.25, 0.0},
    {0.5, -0.25, 0.25, 0.0}, {0.5, 0.0, 0.0, 0.0},     {0.5, 0.5, -0.5, 0.0},
    {0.5, -0.5, 0.5, 0.0},   {0.25, 1.0, -0.25, 0.75}, {0.0, 1.0, 0.0, 1.0},
    {0.0, -1.0, 0.0, -1.0},  {1.5, 1.25, -1.25, 0.0},  {1.5, 8.0, -1.5, 6.5},
};

enum { FRICTION_CASES = sizeof friction_cases / sizeof *friction_cases };

static const double identity[4] = {1.0, 0.0, 0.0, 1.0};

static void friction_cases_hold_for_a_contact_of_each_law(void **state)
{
    (void)state;
    static const double rows[4] = {0.0, 1.0, 1.0, 0.0}; /* J' = J: normal along y, tangent along
                                                           x */
    static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID, SADDLE_LAW_CONE};
    for (int k = 0; k < FRICTION_CASES * 3; k++) {
        const friction_case *c = &friction_cases[k / 3];
        double f[2] = {c->x, -1.0};
        saddle_contact contact = {.row = 0, .size = 2, .mu = c->mu};
        saddle_problem problem = {
            .n = 2, .m = 2, .f = f, .contacts = &contact, .contact_count = 1, .law = laws[k % 3]};
        problem.M = matrix(2, 2, identity, SADDLE_SYMMETRY_LOWER);
        problem.Jt = matrix(2, 2, rows, SADDLE_SYMMETRY_NONE);
        double v[2] = {c->after, 0.0};
        double lambda[2] = {1.0, c->tangent};
        expected e = {"friction", v, lambda, 0};
        assert_true(solved_by_all(&problem, &e) >= 1);
        clear(&problem);
    }
}

/* Rows (ln, lf1, lf2, s): wn = y, -x + s, x + s, mu ln - lf1 - lf2; f1 pushes against x, f2 along
 * it. */
static void friction_cases_hold_for_the_derived_complementarity_problem(void **state)
{
    (void)state;
    static const double Jt[8] = {0.0, -1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    double lo[4] = {0.0};
    double hi[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
    for (int k = 0; k < FRICTION_CASES; k++) {
        const friction_case *c = &friction_cases[k];
        double f[2] = {c->x, -1.0};
        double R[16] = {0.0};
        R[1 * 4 + 3] = R[2 * 4 + 3] = 1.0;
        R[3 * 4 + 0] = c->mu;
        R[3 * 4 + 1] = R[3 * 4 + 2] = -1.0;
        saddle_problem problem = {.n = 2, .m = 4, .f = f, .lo = lo, .hi = hi};
        problem.M = matrix(2, 2, identity, SADDLE_SYMMETRY_LOWER);
        problem.Jt = matrix(2, 4, Jt, SADDLE_SYMMETRY_NONE);
        problem.R = matrix(4, 4, R, SADDLE_SYMMETRY_NONE);
        double v[2] = {c->after, 0.0};
        double lambda[4] = {1.0, c->tangent < 0.0 ? -c->tangent : 0.0,
                            c->tangent > 0.0 ? c->tangent : 0.0, fabs(c->after)};
        /* Without friction s is any number above |x|; below the limit f1 and f2 may oppose. */
        int unique = c->mu > 0.0 && fabs(c->tangent) == c->mu;
        expected e = {"derived friction", v, unique ? lambda : NULL, 1};
        solved_by_all(&problem, &e);
        double defect = enumeration_defect(&problem, v, lambda, NULL);
        assert_true(defect <= 1e-15);
        clear(&problem);
    }
}

/* ---- seed 004, (1.1): one row ---- */

static void one_row_has_the_solution_of_its_sign(void **state)
{
    (void)state;
    static const double W[] = {2.0, 2.0, 2.0, 0.0};
    static const double q[] = {-3.0, 3.0, 0.0, 1.0};
    static const double answer[] = {1.5, 0.0, 0.0, 0.0};
    double zero = 0.0;
    double infinity = INFINITY;
    for (int k = 0; k < 4; k++) {
        double b = -q[k];
        saddle_problem problem = {.m = 1, .b = &b, .lo = &zero, .hi = &infinity};
        problem.R = matrix(1, 1, &W[k], SADDLE_SYMMETRY_LOWER);
        expected e = {"one row", NULL, &answer[k], W[k] == 0.0};
        solved_by_all(&problem, &e);
        clear(&problem);
    }
}

/* w = 0 lambda - 1 and w = -lambda - 1 cannot be met. */
static void one_row_without_a_solution_is_not_called_solved(void **state)
{
    (void)state;
    static const double W[] = {0.0, -1.0};
    double zero = 0.0;
    double infinity = INFINITY;
    double b = 1.0;
    saddle_options options = saddle_options_default();
    for (int k = 0; k < 2; k++) {
        saddle_problem problem = {.m = 1, .b = &b, .lo = &zero, .hi = &infinity};
        problem.R = matrix(1, 1, &W[k], SADDLE_SYMMETRY_LOWER);
        const saddle_solver_type *type;
        for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
            if (saddle_solver_type_supports(NULL, type, &problem) != SADDLE_OK) continue;
            saddle_solution solution = {0};
            saddle_status status = saddle_solve(NULL, &problem, type->name, &options, NULL,
                                                &solution, NULL);
            if (status == SADDLE_OK) fail_msg("W = %g by %s: solved", W[k], type->name);
            saddle_solution_clear(&solution);
        }
        clear(&problem);
    }
}

/* ---- hard for pivoting ---- */

static void solve_lcp(const char *name, int64_t m, const double *W, saddle_symmetry symmetry,
                      const double *q, const double *answer, int64_t at_least)
{
    double b[ROWS_MOST], hi[ROWS_MOST];
    double lo[ROWS_MOST] = {0.0};
    for (int64_t i = 0; i < m; i++) {
        b[i] = -q[i];
        hi[i] = INFINITY;
    }
    saddle_problem problem = {.m = m, .b = b, .lo = lo, .hi = hi};
    problem.R = matrix(m, m, W, symmetry);
    expected e = {name, NULL, answer, 1};
    assert_true(solved_by_all(&problem, &e) >= at_least);
    clear(&problem);
}

/* W = L, ones on the diagonal and twos below it, q = -1: lambda = (1, 0, ..); its transpose: (0,
 * .., 1).  Fathi's is L L'. */
typedef enum exponential { MURTY_LOWER, MURTY_UPPER, FATHI } exponential;

/* Entry (i, j) of the example's matrix. */
static double entry(exponential kind, int64_t i, int64_t j)
{
    int64_t less = i < j ? i : j;
    if (kind == FATHI) return i == j ? 4.0 * (double)i + 1.0 : 4.0 * (double)less + 2.0;
    if (i == j) return 1.0;
    return (kind == MURTY_LOWER) == (i > j) ? 2.0 : 0.0;
}

static const char *const exponential_name[] = {"Murty's, lower", "Murty's, upper", "Fathi's"};

static void exponential_examples_are_left_in_finite_time(void **state)
{
    (void)state;
    for (int64_t m = 4; m <= 20; m += 4) {
        for (int kind = MURTY_LOWER; kind <= FATHI; kind++) {
            double W[ROWS_MOST * ROWS_MOST];
            double q[ROWS_MOST];
            double answer[ROWS_MOST] = {0.0};
            answer[kind == MURTY_UPPER ? m - 1 : 0] = 1.0;
            for (int64_t i = 0; i < m; i++) {
                q[i] = -1.0;
                for (int64_t j = 0; j < m; j++) W[i * m + j] = entry((exponential)kind, i, j);
            }
            solve_lcp(exponential_name[kind], m, W,
                      kind == FATHI ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE, q, answer, 1);
        }
    }
}

/* Of size m, by those that pivot, in not more than `most` pivots. */
static void solve_exponential(exponential kind, int64_t m, int64_t most)
{
    static const char *const solvers[] = {"schur", "pivot", "lemke", "auto"};
    enum { LARGEST = 200 };
    static int64_t start[LARGEST + 1], index[LARGEST * LARGEST];
    static double R[LARGEST * LARGEST], b[LARGEST], lo[LARGEST], hi[LARGEST];
    assert_true(m <= LARGEST);
    for (int64_t j = 0; j < m; j++) {
        start[j + 1] = (j + 1) * m;
        b[j] = 1.0;
        hi[j] = INFINITY;
        for (int64_t i = 0; i < m; i++) {
            index[i + j * m] = i;
            R[i + j * m] = entry(kind, i, j);
        }
    }
    saddle_problem problem = {.m = m, .b = b, .lo = lo, .hi = hi};
    problem.R = saddle_matrix_view(m, m, start, index, R, SADDLE_SYMMETRY_NONE);
    double answer[LARGEST] = {0.0};
    answer[kind == MURTY_UPPER ? m - 1 : 0] = 1.0;
    for (size_t k = 0; k < sizeof solvers / sizeof *solvers; k++) {
        saddle_options options = saddle_options_default();
        saddle_solution solution = {0};
        saddle_report report = {0};
        assert_int_equal(saddle_solve(NULL, &problem, solvers[k], &options, NULL, &solution,
                                      &report),
                         SADDLE_OK);
        compare(exponential_name[kind], solvers[k], "lambda", solution.lambda, answer, m);
        if (report.pivots > most)
            fail_msg("%s, %d rows, by %s: %d pivots, not %d", exponential_name[kind], (int)m,
                     solvers[k], (int)report.pivots, (int)most);
        saddle_solution_clear(&solution);
    }
}

/* Where the least index takes 2^m pivots a few times m are enough. */
static void exponential_examples_take_pivots_in_proportion_to_their_rows(void **state)
{
    (void)state;
    static const int64_t sizes[] = {20, 40, 60, 100, 200};
    enum { PIVOTS_A_ROW = 60 };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int kind = MURTY_LOWER; kind <= FATHI; kind++) {
            solve_exponential((exponential)kind, sizes[k], PIVOTS_A_ROW * sizes[k]);
        }
}

/* The set of free rows after one step of plain block pivoting: every row with the wrong sign
 * changes sides. */
static unsigned block_pivot(int64_t m, const double *W, const double *q, unsigned set)
{
    double lo[ROWS_MOST], hi[ROWS_MOST], b[ROWS_MOST];
    for (int64_t i = 0; i < m; i++) {
        int in = (set >> i & 1) != 0;
        lo[i] = in ? -INFINITY : 0.0;
        hi[i] = in ? INFINITY : 0.0;
        b[i] = -q[i];
    }
    saddle_problem problem = {.m = m, .b = b, .lo = lo, .hi = hi};
    problem.R = matrix(m, m, W, SADDLE_SYMMETRY_NONE);
    enumeration found;
    enumerate_states(&problem, &found);
    assert_int_equal(found.count, 1);
    clear(&problem);
    for (int64_t i = 0; i < m; i++) {
        int in = (set >> i & 1) != 0;
        if ((in ? found.point[0].lambda[i] : found.point[0].w[i]) < -1e-12) set ^= 1u << i;
    }
    return set;
}

/* The cycling block, once and several times along the diagonal. */
static void block_pivotings_cycle_is_left(void **state)
{
    (void)state;
    static const double K[9] = {0.1, 0.0, -0.2, 0.2, 0.1, 0.0, 0.0, 0.2, 0.1};
    static const double k[3] = {-1.0, -1.0, 1.0};
    for (int64_t copies = 1; copies <= 3; copies++) {
        int64_t m = 3 * copies;
        double W[81] = {0.0};
        double q[9];
        for (int64_t i = 0; i < m; i++) {
            q[i] = k[i % 3];
            for (int64_t j = 0; j < 3; j++) W[i * m + 3 * (i / 3) + j] = K[3 * (i % 3) + j];
        }
        unsigned first = block_pivot(m, W, q, 0);
        unsigned set = first;
        for (int step = 0; step < 3; step++) {
            unsigned next = block_pivot(m, W, q, set);
            assert_true(next != set);
            set = next;
        }
        assert_int_equal(set, first);

        double b[9], lo[9] = {0.0}, hi[9];
        for (int64_t i = 0; i < m; i++) {
            b[i] = -q[i];
            hi[i] = INFINITY;
        }
        saddle_problem problem = {.m = m, .b = b, .lo = lo, .hi = hi};
        problem.R = matrix(m, m, W, SADDLE_SYMMETRY_NONE);
        enumeration found;
        enumerate_states(&problem, &found);
        clear(&problem);
        assert_int_equal(found.count, 1);
        solve_lcp("block pivoting's cycle", m, W, SADDLE_SYMMETRY_NONE, q, found.point[0].lambda,
                  0);
    }
}

/* ---- redundancy ---- */

/* `copies` identical contacts under each of `bodies` unit masses in a pile. */
static void contacts_stacked_in_one_place_carry_the_weight_together(void **state)
{
    (void)state;
    for (int64_t bodies = 1; bodies <= 4; bodies++) {
        for (int64_t copies = 1; copies <= 6; copies++) {
            int64_t m = bodies * copies;
            double M[16] = {0.0};
            double Jt[4 * ROWS_MOST] = {0.0};
            double f[4], hi[ROWS_MOST];
            double lo[ROWS_MOST] = {0.0};
            for (int64_t body = 0; body < bodies; body++) {
                M[body * bodies + body] = 1.0;
                f[body] = -1.0;
                for (int64_t k = body * copies; k < (body + 1) * copies; k++) {
                    Jt[body * m + k] = 1.0;
                    if (body > 0) Jt[(body - 1) * m + k] = -1.0;
                    hi[k] = INFINITY;
                }
            }
            saddle_problem problem = {.n = bodies, .m = m, .f = f, .lo = lo, .hi = hi};
            problem.M = matrix(bodies, bodies, M, SADDLE_SYMMETRY_LOWER);
            problem.Jt = matrix(bodies, m, Jt, SADDLE_SYMMETRY_NONE);
            expected e = {"stacked contacts", nothing, NULL, 0};
            assert_true(solved_by_all(&problem, &e) >= 1);
            clear(&problem);
        }
    }
}

/* `copies` identical contacts with friction under each of `bodies` unit masses in a pile, weight 1
 * and the push the same on each: the lowest contacts carry all, and all slide together. */
typedef struct pile {
    int64_t bodies, copies, size; /* size: rows of a contact */
    double mu, push;
    saddle_law law;
} pile;

static void solve_pile(pile d)
{
    int64_t n = d.size * d.bodies;
    int64_t m = n * d.copies;
    int round = d.law == SADDLE_LAW_PYRAMID && d.size == 3; /* the push is along one of its
                                                               directions there */
    double M[ROWS_MOST * ROWS_MOST] = {0.0};
    double Jt[ROWS_MOST * ROWS_MOST] = {0.0};
    double f[ROWS_MOST], v[ROWS_MOST];
    saddle_contact contact[ROWS_MOST];
    for (int64_t j = 0; j < n; j++) {
        int64_t axis = j % d.size;
        double push = axis == 1 || (axis == 2 && !round) ? d.push / (double)axis : 0.0;
        M[j * n + j] = 1.0;
        f[j] = axis == 0 ? -1.0 : push;
        v[j] = axis == 0 ? 0.0 : fmax(0.0, push - d.mu);
        for (int64_t k = 0; k < d.copies; k++) {
            int64_t row = (j / d.size * d.copies + k) * d.size + axis;
            Jt[j * m + row] = 1.0;
            if (j >= d.size) Jt[(j - d.size) * m + row] = -1.0;
            contact[row / d.size] = (saddle_contact){.row = row - axis, .size = d.size, .mu = d.mu};
        }
    }
    saddle_problem problem = {
        .n = n, .m = m, .f = f, .contacts = contact, .contact_count = m / d.size, .law = d.law};
    problem.facets = round ? 6 : 0;
    problem.M = matrix(n, n, M, SADDLE_SYMMETRY_LOWER);
    problem.Jt = matrix(n, m, Jt, SADDLE_SYMMETRY_NONE);
    char name[96];
    (void)snprintf(name, sizeof name, "pile of %d, %d contacts of %d rows each, mu %g, push %g, %s",
                   (int)d.bodies, (int)d.copies, (int)d.size, d.mu, d.push,
                   d.law == SADDLE_LAW_BOX ? "box" : "pyramid");
    expected e = {name, v, NULL, 1};
    assert_true(solved_by_all(&problem, &e) >= (round ? 2 : 4)); /* auto, lemke; schur and pivot */
    clear(&problem);
}

static void contacts_with_friction_stacked_in_one_place_slide_together(void **state)
{
    (void)state;
    static const double coefficients[] = {0.0, 0.2, 1.0, 1.8};
    static const double pushes[] = {0.0, 0.3, 1.0, 2.5};
    for (int64_t size = 2; size <= 3; size++)
        for (int64_t bodies = 1; bodies <= 4; bodies++)
            for (int64_t copies = 1; size * bodies * copies <= ROWS_MOST; copies++)
                for (int k = 0; k < 32; k++)
                    solve_pile((pile){bodies, copies, size, coefficients[k % 4], pushes[k / 4 % 4],
                                      k / 16 ? SADDLE_LAW_PYRAMID : SADDLE_LAW_BOX});
}

/* v = 1 wanted by an equality, by its copy, and allowed by a unilateral row and a box row that say
 * the same. */
static void rows_that_repeat_an_equality_change_nothing(void **state)
{
    (void)state;
    double one = 1.0;
    double Jt[4] = {1.0, 1.0, 1.0, -1.0};
    double b[4] = {1.0, 1.0, 1.0, -1.0};
    double lo[4] = {-INFINITY, -INFINITY, 0.0, -1.0};
    double hi[4] = {INFINITY, INFINITY, INFINITY, 1.0};
    double f = -3.0;
    saddle_problem problem = {.n = 1, .m = 4, .f = &f, .b = b, .lo = lo, .hi = hi};
    problem.M = matrix(1, 1, &one, SADDLE_SYMMETRY_LOWER);
    problem.Jt = matrix(1, 4, Jt, SADDLE_SYMMETRY_NONE);
    expected e = {"repeated equality", &one, NULL, 0};
    assert_true(solved_by_all(&problem, &e) >= 1);
    clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falling_particle_takes_two_steps_to_come_to_rest),
        cmocka_unit_test(particle_on_a_moving_wall_takes_its_velocity_in_two_steps),
        cmocka_unit_test(friction_cases_hold_for_a_contact_of_each_law),
        cmocka_unit_test(friction_cases_hold_for_the_derived_complementarity_problem),
        cmocka_unit_test(one_row_has_the_solution_of_its_sign),
        cmocka_unit_test(one_row_without_a_solution_is_not_called_solved),
        cmocka_unit_test(exponential_examples_are_left_in_finite_time),
        cmocka_unit_test(exponential_examples_take_pivots_in_proportion_to_their_rows),
        cmocka_unit_test(block_pivotings_cycle_is_left),
        cmocka_unit_test(contacts_stacked_in_one_place_carry_the_weight_together),
        cmocka_unit_test(contacts_with_friction_stacked_in_one_place_slide_together),
        cmocka_unit_test(rows_that_repeat_an_equality_change_nothing),
    };
    return cmocka_run_group_tests_name("worked tables", tests, NULL, NULL);
}
