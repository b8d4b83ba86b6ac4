/* SPDX-License-Identifier: MIT */
/* One problem in the seeds' several forms, all of drawn dense matrices; what is compared takes no
 * formula of the library's:
 *
 *     seed 000, 0.3;         min ½ x'Qx + c'x, G x = g, A x >= b (all active sets)
 *     seed 003, 1.71-1.83        =  M v - J'λ = f  =  its dual
 *     seed 000, 0.5          [M -G'; G 0]⁻¹ = [M⁻¹P_f  M⁻¹G'S; -S G M⁻¹  S]
 *                                S = (G M⁻¹G')⁻¹,  P_f = 1 - G'S G M⁻¹
 *     seed 000, 0.7          the pure problem behind G:
 *                                w = N M⁻¹P_f N'z + N M⁻¹(P_f f + G'S g) - n
 *     seed 003, 1.83-1.88    the associated law: least ½ λ'CM⁻¹C'λ + λ'CM⁻¹f over |λt| <= μ λn
 */
#include <math.h>
#include <string.h>

#include "support.h"

enum { N = 6, ROWS = 5, DRAWS = 400 };

typedef struct program {
    int64_t n, equal, rows; /* rows: the equal ones first */
    double Q[N][N], c[N], A[ROWS][N], b[ROWS];
} program;

/* x of A x = b (n <= N + ROWS), elimination with row pivoting; 0: singular. */
static int dense_solve(int64_t n, double A[N + ROWS][N + ROWS], double *x)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < n; i++) best = fabs(A[i][k]) > fabs(A[best][k]) ? i : best;
        if (fabs(A[best][k]) < 1e-9) return 0;
        for (int64_t j = 0; j < n; j++) {
            const double kept = A[k][j];
            A[k][j] = A[best][j];
            A[best][j] = kept;
        }
        const double kept = x[k];
        x[k] = x[best];
        x[best] = kept;
        for (int64_t i = k + 1; i < n; i++) {
            const double l = A[i][k] / A[k][k];
            for (int64_t j = k; j < n; j++) A[i][j] -= l * A[k][j];
            x[i] -= l * x[k];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < n; j++) x[k] -= A[k][j] * x[j];
        x[k] /= A[k][k];
    }
    return 1;
}

static void draw(uint64_t *state, program *p)
{
    memset(p, 0, sizeof *p);
    p->n = test_integer(state, 3, N);
    p->equal = test_integer(state, 0, 2);
    p->rows = test_integer(state, p->equal, ROWS);
    double L[N][N], feasible[N];
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t j = 0; j < p->n; j++) L[i][j] = test_uniform(state, -1, 1);
        p->c[i] = test_uniform(state, -2, 2);
        feasible[i] = test_uniform(state, -1, 1);
    }
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            for (int64_t k = 0; k < p->n; k++) p->Q[i][j] += L[i][k] * L[j][k];
        }
        p->Q[i][i] += 0.5;
    }
    for (int64_t i = 0; i < p->rows; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            p->A[i][j] = test_uniform(state, -1, 1);
            p->b[i] += p->A[i][j] * feasible[j];
        }
        if (i >= p->equal) p->b[i] -= test_uniform(state, 0, 0.3);
    }
}

/* M⁻¹ y (n) */
static void divide(const program *p, double *y)
{
    double A[N + ROWS][N + ROWS];
    for (int64_t i = 0; i < p->n; i++) memcpy(A[i], p->Q[i], sizeof p->Q[i]);
    assert_true(dense_solve(p->n, A, y));
}

/* Rows in `active` hold with equality: x and their multipliers z, Q x + c = A'z.  0: singular. */
static int hold(const program *p, unsigned active, double *x, double *z)
{
    double K[N + ROWS][N + ROWS] = {{0}}, y[N + ROWS] = {0};
    int64_t size = p->n;
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t j = 0; j < p->n; j++) K[i][j] = p->Q[i][j];
        y[i] = -p->c[i];
    }
    for (int64_t r = 0; r < p->rows; r++) {
        if (!(active >> r & 1)) continue;
        for (int64_t j = 0; j < p->n; j++) {
            K[size][j] = p->A[r][j];
            K[j][size] = -p->A[r][j];
        }
        y[size++] = p->b[r];
    }
    if (!dense_solve(size, K, y)) return 0;
    memcpy(x, y, (size_t)p->n * sizeof *x);
    for (int64_t r = 0, k = p->n; r < p->rows; r++) z[r] = active >> r & 1 ? y[k++] : 0;
    return 1;
}

static double objective(const program *p, const double *x)
{
    double value = 0;
    for (int64_t i = 0; i < p->n; i++) {
        value += p->c[i] * x[i];
        for (int64_t j = 0; j < p->n; j++) value += x[i] * p->Q[i][j] * x[j] / 2;
    }
    return value;
}

/* The least objective of all active sets that are feasible; multipliers are not looked at. */
static int minimize(const program *p, double *best)
{
    const unsigned all = 1u << p->rows, held = (1u << p->equal) - 1;
    double least = INFINITY, x[N], z[ROWS];
    for (unsigned set = 0; set < all; set++) {
        if ((set & held) != held || !hold(p, set, x, z)) continue;
        int feasible = 1;
        for (int64_t r = p->equal; r < p->rows; r++) {
            double value = -p->b[r];
            for (int64_t j = 0; j < p->n; j++) value += p->A[r][j] * x[j];
            feasible &= value > -1e-10;
        }
        if (!feasible || objective(p, x) >= least) continue;
        least = objective(p, x);
        memcpy(best, x, (size_t)p->n * sizeof *x);
    }
    return least < INFINITY;
}

/* ---- as problems ---- */

static saddle_matrix sparse(int64_t rows, int64_t cols, const double *A, int64_t stride,
                            saddle_symmetry symmetry)
{
    int64_t row[121], col[121], count = 0;
    double value[121];
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < cols; j++) {
            if (symmetry == SADDLE_SYMMETRY_LOWER && j > i) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = A[i * stride + j];
        }
    }
    saddle_matrix made = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &made),
                     SADDLE_OK);
    return made;
}

typedef struct stated { /* a program as a problem: M = Q, f = -c, J = A */
    saddle_problem problem;
    double f[N], b[ROWS], lo[ROWS], hi[ROWS];
    saddle_solution solution;
} stated;

static void state_and_solve(const program *p, const char *solver, stated *s)
{
    double At[N][ROWS];
    memset(s, 0, sizeof *s);
    for (int64_t i = 0; i < p->n; i++) {
        s->f[i] = -p->c[i];
        for (int64_t r = 0; r < p->rows; r++) At[i][r] = p->A[r][i];
    }
    for (int64_t r = 0; r < p->rows; r++) {
        s->b[r] = p->b[r];
        s->lo[r] = r < p->equal ? -INFINITY : 0;
        s->hi[r] = INFINITY;
    }
    s->problem = (saddle_problem){.n = p->n,
                                  .m = p->rows,
                                  .f = s->f,
                                  .b = s->b,
                                  .lo = s->lo,
                                  .hi = s->hi,
                                  .M = sparse(p->n, p->n, &p->Q[0][0], N, SADDLE_SYMMETRY_LOWER),
                                  .Jt = sparse(p->n, p->rows, &At[0][0], ROWS,
                                               SADDLE_SYMMETRY_NONE)};
    assert_int_equal(saddle_solve(NULL, &s->problem, solver, NULL, NULL, &s->solution, NULL),
                     SADDLE_OK);
}

static void unstate(stated *s)
{
    saddle_matrix_clear(&s->problem.M);
    saddle_matrix_clear(&s->problem.Jt);
    saddle_solution_clear(&s->solution);
}

/* w = W z + q with the rows' bounds, n = 0. */
static void solve_pure(int64_t m, double W[ROWS][ROWS], const double *q, int64_t equal, double *z)
{
    double b[ROWS], lo[ROWS], hi[ROWS];
    saddle_solution solution = {0};
    for (int64_t r = 0; r < m; r++) {
        b[r] = -q[r];
        lo[r] = r < equal ? -INFINITY : 0;
        hi[r] = INFINITY;
    }
    saddle_problem pure = {.m = m, .b = b, .lo = lo, .hi = hi};
    assert_int_equal(saddle_matrix_create(NULL, 0, m, 0, SADDLE_SYMMETRY_NONE, &pure.Jt),
                     SADDLE_OK);
    pure.R = sparse(m, m, &W[0][0], ROWS, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(saddle_solve(NULL, &pure, "lemke", NULL, NULL, &solution, NULL), SADDLE_OK);
    memcpy(z, solution.lambda, (size_t)m * sizeof *z);
    saddle_matrix_clear(&pure.R);
    saddle_matrix_clear(&pure.Jt);
    saddle_solution_clear(&solution);
}

static void quadratic_programs_are_their_complementarity_problems(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static const char *const solvers[] = {"pivot", "schur", "lemke"};
    for (int k = 0; k < test_draws(DRAWS); k++) {
        program p;
        stated s;
        double best[N], W[ROWS][ROWS], q[ROWS], z[ROWS], x[N];
        draw(&state, &p);
        if (p.rows == 0 || !minimize(&p, best)) continue;
        state_and_solve(&p, solvers[k % 3], &s);
        assert_true(test_distance(s.solution.v, best, p.n) < 1e-8);
        for (int64_t r = 0; r < p.rows; r++) { /* M = A Q⁻¹A', q = -b - A Q⁻¹c */
            double to[N];
            memcpy(to, p.A[r], sizeof to);
            divide(&p, to);
            q[r] = -p.b[r];
            for (int64_t j = 0; j < p.n; j++) q[r] -= to[j] * p.c[j];
            for (int64_t l = 0; l < p.rows; l++) {
                W[r][l] = 0;
                for (int64_t j = 0; j < p.n; j++) W[r][l] += to[j] * p.A[l][j];
            }
        }
        solve_pure(p.rows, W, q, p.equal, z);
        for (int64_t j = 0; j < p.n; j++) { /* x = Q⁻¹(A'z - c) */
            x[j] = -p.c[j];
            for (int64_t r = 0; r < p.rows; r++) x[j] += p.A[r][j] * z[r];
        }
        divide(&p, x);
        assert_true(test_distance(x, best, p.n) < 1e-7);
        unstate(&s);
    }
}

/* ---- projections ---- */

/* S = (G M⁻¹G')⁻¹ of the equal rows, and P_f (n x n). */
static void projection_of(const program *p, double S[ROWS][ROWS], double P[N][N])
{
    double to[ROWS][N];
    for (int64_t r = 0; r < p->equal; r++) {
        memcpy(to[r], p->A[r], sizeof to[r]);
        divide(p, to[r]);
    }
    for (int64_t c = 0; c < p->equal; c++) {
        double A[N + ROWS][N + ROWS] = {{0}}, e[N + ROWS] = {0};
        for (int64_t i = 0; i < p->equal; i++) {
            for (int64_t j = 0; j < p->equal; j++) {
                for (int64_t k = 0; k < p->n; k++) A[i][j] += p->A[i][k] * to[j][k];
            }
        }
        e[c] = 1;
        assert_true(dense_solve(p->equal, A, e));
        for (int64_t i = 0; i < p->equal; i++) S[i][c] = e[i];
    }
    for (int64_t i = 0; i < p->n; i++) {
        for (int64_t j = 0; j < p->n; j++) {
            P[i][j] = i == j;
            for (int64_t r = 0; r < p->equal; r++) {
                for (int64_t c = 0; c < p->equal; c++) P[i][j] -= p->A[r][i] * S[r][c] * to[c][j];
            }
        }
    }
}

/* Column by column: a unit impulse, or a unit of one row's velocity, by ldlt. */
static void the_inverse_of_the_kkt_matrix_has_the_blocks_of_the_seed(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(DRAWS / 4); k++) {
        program p;
        double S[ROWS][ROWS], P[N][N];
        draw(&state, &p);
        p.rows = p.equal;
        projection_of(&p, S, P);
        for (int64_t c = 0; c < p.n + p.equal; c++) {
            stated s;
            double v[N], lambda[ROWS];
            for (int64_t i = 0; i < p.n; i++) p.c[i] = i == c ? -1 : 0;
            for (int64_t r = 0; r < p.equal; r++) p.b[r] = p.n + r == c;
            state_and_solve(&p, "ldlt", &s);
            for (int64_t i = 0; i < p.n; i++) v[i] = c < p.n ? P[i][c] : 0;
            for (int64_t r = 0; r < p.equal; r++) {
                double to[N];
                memcpy(to, p.A[r], sizeof to);
                divide(&p, to);
                lambda[r] = c < p.n ? 0 : S[r][c - p.n];
                for (int64_t l = 0; c < p.n && l < p.equal; l++) {
                    double along[N];
                    memcpy(along, p.A[l], sizeof along);
                    divide(&p, along);
                    lambda[r] -= S[r][l] * along[c];
                }
                for (int64_t i = 0; c >= p.n && i < p.n; i++) v[i] += p.A[r][i] * S[r][c - p.n];
            }
            divide(&p, v);
            assert_true(test_distance(s.solution.v, v, p.n) < 1e-8);
            assert_true(test_distance(s.solution.lambda, lambda, p.equal) < 1e-8);
            unstate(&s);
        }
    }
}

static void a_mixed_problem_is_a_pure_one_behind_its_projection(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int k = 0; k < test_draws(DRAWS); k++) {
        program p;
        stated s;
        double S[ROWS][ROWS], P[N][N], W[ROWS][ROWS], q[ROWS], z[ROWS], push[N] = {0};
        draw(&state, &p);
        const int64_t m = p.rows - p.equal;
        if (m == 0) continue;
        state_and_solve(&p, "pivot", &s);
        projection_of(&p, S, P);
        for (int64_t i = 0; i < p.n; i++) { /* P_f f + G'S g */
            for (int64_t j = 0; j < p.n; j++) push[i] -= P[i][j] * p.c[j];
            for (int64_t r = 0; r < p.equal; r++) {
                for (int64_t l = 0; l < p.equal; l++) push[i] += p.A[r][i] * S[r][l] * p.b[l];
            }
        }
        divide(&p, push);
        for (int64_t r = 0; r < m; r++) {
            const double *row = p.A[p.equal + r];
            q[r] = -p.b[p.equal + r];
            for (int64_t j = 0; j < p.n; j++) q[r] += row[j] * push[j];
            for (int64_t l = 0; l < m; l++) {
                double to[N] = {0};
                for (int64_t i = 0; i < p.n; i++) {
                    for (int64_t j = 0; j < p.n; j++) to[i] += P[i][j] * p.A[p.equal + l][j];
                }
                divide(&p, to);
                W[r][l] = 0;
                for (int64_t j = 0; j < p.n; j++) W[r][l] += row[j] * to[j];
            }
        }
        solve_pure(m, W, q, 0, z);
        for (int64_t r = 0; r < m; r++) { /* w of both; z where W is regular */
            double w = q[r], own = -p.b[p.equal + r];
            for (int64_t l = 0; l < m; l++) w += W[r][l] * z[l];
            for (int64_t j = 0; j < p.n; j++) own += p.A[p.equal + r][j] * s.solution.v[j];
            assert_true(fabs(w - own) < 1e-7);
        }
        if (p.rows <= p.n) {
            compared++;
            assert_true(test_distance(z, s.solution.lambda + p.equal, m) < 1e-5);
        }
        unstate(&s);
    }
    assert_true(compared > test_draws(DRAWS / 4));
}

/* ---- friction ---- */

/* One contact of three rows on a drawn mass: no drawn λ in the cone, near or far, has a lesser
 * value than the law's. */
static void the_associated_law_is_the_least_of_its_program(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int k = 0; k < test_draws(DRAWS / 4); k++) {
        program p;
        double W[3][3], q[3], At[N][ROWS];
        draw(&state, &p);
        saddle_contact contact = {.row = 0, .size = 3, .mu = test_uniform(&state, 0, 1.5)};
        for (int64_t r = 0; r < 3; r++) {
            for (int64_t j = 0; j < p.n; j++) At[j][r] = p.A[r][j] = test_uniform(&state, -1, 1);
        }
        double f[N];
        for (int64_t j = 0; j < p.n; j++) f[j] = p.c[j];
        saddle_problem problem = {.n = p.n,
                                  .m = 3,
                                  .f = f,
                                  .contact_count = 1,
                                  .contacts = &contact,
                                  .law = SADDLE_LAW_ASSOCIATED,
                                  .M = sparse(p.n, p.n, &p.Q[0][0], N, SADDLE_SYMMETRY_LOWER),
                                  .Jt = sparse(p.n, 3, &At[0][0], ROWS, SADDLE_SYMMETRY_NONE)};
        saddle_solution solution = {0};
        assert_int_equal(saddle_solve(NULL, &problem, "gauss-seidel", NULL, NULL, &solution, NULL),
                         SADDLE_OK);
        for (int64_t r = 0; r < 3; r++) {
            double to[N];
            memcpy(to, p.A[r], sizeof to);
            divide(&p, to);
            q[r] = 0;
            for (int64_t j = 0; j < p.n; j++) q[r] += to[j] * p.c[j];
            for (int64_t l = 0; l < 3; l++) {
                W[r][l] = 0;
                for (int64_t j = 0; j < p.n; j++) W[r][l] += to[j] * p.A[l][j];
            }
        }
        double least = INFINITY, found = 0;
        for (int64_t trial = -1; trial < 4000; trial++) {
            const double reach = trial < 2000 ? 1e-3 * (1 + fabs(solution.lambda[0])) : 5;
            double l[3] = {solution.lambda[0], solution.lambda[1], solution.lambda[2]}, value = 0;
            for (int i = 0; trial >= 0 && i < 3; i++) l[i] += test_uniform(&state, -reach, reach);
            if (trial >= 0 && (l[0] < 0 || hypot(l[1], l[2]) > contact.mu * l[0])) continue;
            for (int i = 0; i < 3; i++) {
                value += l[i] * q[i];
                for (int j = 0; j < 3; j++) value += l[i] * W[i][j] * l[j] / 2;
            }
            if (trial < 0) found = value;
            least = fmin(least, value);
        }
        assert_true(solution.lambda[0] >= 0);
        assert_true(hypot(solution.lambda[1], solution.lambda[2]) <=
                    contact.mu * solution.lambda[0] * (1 + 1e-9) + 1e-12);
        assert_true(least >= found - 1e-8 * (1 + fabs(found)));
        saddle_matrix_clear(&problem.M);
        saddle_matrix_clear(&problem.Jt);
        saddle_solution_clear(&solution);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratic_programs_are_their_complementarity_problems),
        cmocka_unit_test(the_inverse_of_the_kkt_matrix_has_the_blocks_of_the_seed),
        cmocka_unit_test(a_mixed_problem_is_a_pure_one_behind_its_projection),
        cmocka_unit_test(the_associated_law_is_the_least_of_its_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
