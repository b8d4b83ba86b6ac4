/* SPDX-License-Identifier: MIT */
/* The relaxed constrained order (lib/ldlt/order.c) on blocks of hexahedra with R = 0, with
 * rank-deficient rows in every enclosed part: flops, the answer after refinement, and the return of
 * ldlt to the strict order where refinement would be slow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense_kkt.h"
#include "factor/factorization.h"
#include "generators.h"
#include "ldlt/ldlt_internal.h"
#include "problem/kkt.h"
#include "regularization.h"
#include "support.h"

typedef struct assembled {
    saddle_problem problem;
    saddle__kkt kkt;
    saddle__regularization g;
} assembled;

static saddle_block_parameters block_of(int64_t cells)
{
    saddle_block_parameters p = saddle_block_default();
    p.cells[0] = p.cells[1] = p.cells[2] = cells;
    p.bulk_modulus = 0.0; /* R = 0 */
    return p;
}

/* M is stiff: its scaled condition is that of the elastic material without its mass. */
static saddle_block_parameters stiff_block_of(int64_t cells)
{
    saddle_block_parameters p = block_of(cells);
    p.fixed = 0;
    p.time_step = 1.0;
    p.young = 1e9;
    return p;
}

static void generate(const saddle_block_parameters *p, saddle_problem *problem)
{
    assert_int_equal(saddle_generate_block(NULL, p, problem), SADDLE_OK);
}

static void assemble_problem(assembled *a, double epsilon)
{
    assert_int_equal(saddle__kkt_create(NULL, &a->problem, 0, &a->kkt), SADDLE_OK);
    assert_int_equal(saddle__regularization_create(NULL, &a->problem, &a->g), SADDLE_OK);
    saddle__regularization_measure(&a->g, &a->problem, epsilon, 0);
    saddle__kkt_refresh(&a->kkt, &a->problem, a->g.added);
}

static void assemble(const saddle_block_parameters *p, double epsilon, assembled *a)
{
    generate(p, &a->problem);
    assemble_problem(a, epsilon);
}

static void assembled_clear(assembled *a)
{
    saddle__kkt_clear(&a->kkt);
    saddle__regularization_clear(&a->g);
    saddle_problem_clear(&a->problem);
}

static saddle__ldlt *analyse(const assembled *a, const signed char *late, saddle__eagerness eager)
{
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_METIS,
                                    .late = late,
                                    .eager = eager};
    saddle__ldlt *F;
    assert_int_equal(saddle__ldlt_analyse(NULL, &a->kkt.K, &request, &F), SADDLE_OK);
    return F;
}

/* ---- the order ---- */

static void flops_are_within_a_fifth_of_metis(void **unused)
{
    (void)unused;
    for (int64_t cells = 6; cells <= (test_is_slow() ? 11 : 16); cells += 5) {
        assembled a = {0};
        saddle_block_parameters p = block_of(cells);
        assemble(&p, 1e-10, &a);
        saddle__ldlt *plain = analyse(&a, NULL, SADDLE__PATIENT);
        saddle__ldlt *eager = analyse(&a, a.g.weak, SADDLE__EAGER);
        assert_true(saddle__ldlt_size_of(eager).eager);
        assert_true(saddle__ldlt_size_of(eager).flops <= 1.2 * saddle__ldlt_size_of(plain).flops);
        saddle__ldlt_free(plain);
        saddle__ldlt_free(eager);
        assembled_clear(&a);
    }
}

/* Those that METIS puts where partners cost nothing, as ties between distant nodes are. */
static void rows_that_cost_little_wait_for_partners(void **unused)
{
    (void)unused;
    assembled a = {0};
    saddle_block_parameters p = block_of(10);
    p.incompressible = 0;
    p.ties = 60;
    assemble(&p, 1e-10, &a);
    saddle__ldlt *F = analyse(&a, a.g.weak, SADDLE__EAGER);
    assert_false(saddle__ldlt_size_of(F).eager);
    saddle__ldlt_free(F);
    assembled_clear(&a);
}

static void velocities_without_mass_wait_for_partners(void **unused)
{
    (void)unused;
    assembled a = {0};
    saddle_block_parameters p = block_of(8);
    assemble(&p, 1e-10, &a);
    a.g.weak[7] = SADDLE__AFTER_NEIGHBOUR;
    saddle__ldlt *F = analyse(&a, a.g.weak, SADDLE__EAGER);
    assert_false(saddle__ldlt_size_of(F).eager);
    saddle__ldlt_free(F);
    assembled_clear(&a);
}

static void each_row_follows_a_velocity_of_its_own(void **unused)
{
    (void)unused;
    assembled a = {0};
    saddle_block_parameters p = block_of(8);
    assemble(&p, 1e-10, &a);
    saddle__ldlt *F = analyse(&a, a.g.weak, SADDLE__EAGER);
    assert_true(saddle__ldlt_size_of(F).eager);
    const int64_t *position = F->position;
    for (int64_t i = 0; i < a.problem.m; i++) {
        int64_t before = 0;
        for (int64_t k = a.problem.Jt.start[i]; k < a.problem.Jt.start[i + 1]; k++)
            before += position[a.problem.Jt.index[k]] < position[a.problem.n + i];
        assert_true(before > 0);
    }
    saddle__ldlt_free(F);
    assembled_clear(&a);
}

/* ---- the answer ---- */

/* Rows i, i + stride, .. once more, as the sum of themselves and the next: redundant.  b = J v of
 * drawn v: consistent. */
static void add_redundant_rows(saddle_problem *problem, int64_t stride)
{
    int64_t m = problem->m;
    int64_t more = (m - 1) / stride;
    saddle_matrix doubled = {0};
    int64_t entries = problem->Jt.start[m];
    for (int64_t k = 0; k < more; k++)
        entries += problem->Jt.start[k * stride + 2] - problem->Jt.start[k * stride];
    int64_t *row = calloc((size_t)entries, sizeof(*row));
    int64_t *col = calloc((size_t)entries, sizeof(*col));
    double *value = calloc((size_t)entries, sizeof(*value));
    int64_t count = 0;
    for (int64_t i = 0; i < m + more; i++) {
        int64_t first = i < m ? i : (i - m) * stride;
        int64_t last = i < m ? i + 1 : first + 2;
        for (int64_t k = problem->Jt.start[first]; k < problem->Jt.start[last]; k++, count++) {
            row[count] = problem->Jt.index[k];
            col[count] = i;
            value[count] = problem->Jt.value[k];
        }
    }
    saddle_status status = saddle_matrix_from_triplets(NULL, problem->n, m + more, count, row, col,
                                                       value, SADDLE_SYMMETRY_NONE, &doubled);
    assert_int_equal(status, SADDLE_OK);
    free(row);
    free(col);
    free(value);
    saddle_matrix_clear(&problem->Jt);
    problem->Jt = doubled;
    problem->m = m + more;
    saddle_matrix_clear(&problem->R);
}

static int is_eager(const saddle_problem *problem)
{
    assembled a = {.problem = *problem};
    assemble_problem(&a, 1e-8);
    saddle__ldlt *F = analyse(&a, a.g.weak, SADDLE__EAGER);
    int eager = saddle__ldlt_size_of(F).eager;
    saddle__ldlt_free(F);
    saddle__kkt_clear(&a.kkt);
    saddle__regularization_clear(&a.g);
    return eager;
}

static void redundant_rows_give_the_velocity_of_the_dense_least_norm_solution(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_problem problem = {0};
    saddle_block_parameters p = block_of(5);
    generate(&p, &problem);
    add_redundant_rows(&problem, 4);
    assert_true(is_eager(&problem));
    int64_t size = problem.n + problem.m;
    double *drawn = calloc((size_t)problem.n, sizeof(*drawn));
    double *b = saddle_allocate(NULL, problem.m, sizeof(*b));
    for (int64_t j = 0; j < problem.n; j++) drawn[j] = test_uniform(&state, -1.0, 1.0);
    saddle_matrix_apply_transpose(&problem.Jt, 1.0, drawn, 0.0, b);
    saddle_release(NULL, problem.b);
    problem.b = b;

    double *K;
    double *x;
    int64_t rank;
    assert_int_equal(test_dense_kkt(NULL, &problem, &K, &x), SADDLE_OK);
    assert_int_equal(test_dense_least_norm(NULL, size, size, K, x, 1e-12, &rank), SADDLE_OK);
    assert_true(rank < size);

    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_METIS;
    saddle_solution solution = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(NULL, &problem, "ldlt", &options, NULL, &solution, &report),
                     SADDLE_OK);
    assert_true(report.residual.total <= 1e-14);
    double worst = 0.0;
    double largest = 0.0;
    for (int64_t j = 0; j < problem.n; j++) {
        worst = fmax(worst, fabs(solution.v[j] - x[j]));
        largest = fmax(largest, fabs(x[j]));
    }
    if (!(worst <= 1e-10 * largest)) fail_msg("velocities differ by %.1e", worst / largest);
    saddle_solution_clear(&solution);
    saddle_release(NULL, K);
    saddle_release(NULL, x);
    free(drawn);
    saddle_problem_clear(&problem);
}

static void contradicting_rows_are_not_solved(void **unused)
{
    (void)unused;
    saddle_problem problem = {0};
    saddle_block_parameters p = block_of(5);
    generate(&p, &problem);
    add_redundant_rows(&problem, 4);
    assert_true(is_eager(&problem));
    saddle_release(NULL, problem.b);
    problem.b = saddle_allocate(NULL, problem.m, sizeof(*problem.b));
    problem.b[problem.m - 1] = 1.0; /* where the rows it is the sum of ask for 0 */
    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_METIS;
    saddle_solution solution = {0};
    saddle_report report;
    assert_int_not_equal(saddle_solve(NULL, &problem, "ldlt", &options, NULL, &solution, &report),
                         SADDLE_OK);
    assert_true(strlen(report.note) > 0);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
}

static void inertia_is_n_and_m_and_no_pivot_is_replaced(void **unused)
{
    (void)unused;
    for (int64_t cells = 4; cells <= 12; cells += 4) {
        assembled a = {0};
        saddle_block_parameters p = block_of(cells);
        assemble(&p, 1e-8, &a);
        saddle__ldlt *F = analyse(&a, a.g.weak, SADDLE__EAGER);
        saddle__pivot_rule rule = {.sign = a.g.sign,
                                   .scale = a.g.scale,
                                   .smallest = 1e-14,
                                   .replacement = 1e-10};
        saddle__factor_counts counts = {0};
        assert_int_equal(saddle__ldlt_factor(F, &a.kkt.K, &rule, &counts), SADDLE_OK);
        assert_int_equal(counts.inertia.positive, a.problem.n);
        assert_int_equal(counts.inertia.negative, a.problem.m);
        assert_int_equal(counts.perturbed_pivots, 0);
        saddle__ldlt_free(F);
        assembled_clear(&a);
    }
}

/* ---- contraction ---- */

/* F = 2.5 against K = 2: each step leaves a fifth. */
static void contraction_is_what_a_step_leaves(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 2};
    int64_t index[] = {0, 1};
    double value[] = {2.5, 2.5};
    double added[] = {0.5, 0.5};
    double unit[] = {1.0, 3.0};
    double work[4];
    double contraction;
    saddle_matrix A = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_LOWER);
    saddle__factorization *F;
    assert_int_equal(saddle__factorization_create(NULL, "ldlt", SADDLE_ORDERING_BEST, &F),
                     SADDLE_OK);
    assert_int_equal(saddle__factorization_analyse(F, &A), SADDLE_OK);
    assert_int_equal(saddle__factorization_factor(F, &A, NULL, 0.0), SADDLE_OK);
    assert_int_equal(saddle__factorization_contraction(F, &A, added, unit, work, &contraction),
                     SADDLE_OK);
    assert_true(fabs(contraction - 0.2) < 1e-15);
    assert_int_equal(saddle__factorization_contraction(F, &A, NULL, unit, work, &contraction),
                     SADDLE_OK);
    assert_true(contraction < 1e-15);
    saddle__factorization_free(F);
}

/* ---- ldlt ---- */

/* Three steps of one solver; factorizations of the first, which alone may allocate. */
static int64_t step_thrice(const saddle_block_parameters *p)
{
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle_problem problem = {0};
    generate(p, &problem);
    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_METIS;
    saddle_solver *solver;
    saddle_solution x = {0};
    int64_t first = 0;
    assert_int_equal(saddle_solution_create(context, problem.n, problem.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(context, "ldlt", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
    for (int step = 0; step < 3; step++) {
        int64_t before = memory.count;
        assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &problem, NULL, &x), SADDLE_OK);
        const saddle_report *report = saddle_solver_report(solver);
        assert_true(report->residual.total <= 1e-15);
        assert_int_equal(report->inertia.positive, problem.n);
        assert_int_equal(report->inertia.negative, problem.m);
        if (step == 0) first = report->factorizations;
        assert_int_equal(report->factorizations, first + step);
        if (step > 0 || first == 1) assert_int_equal(memory.count, before);
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_problem_clear(&problem);
    test_memory_end(&memory, context);
    return first;
}

static void soft_blocks_are_factored_once(void **unused)
{
    (void)unused;
    saddle_block_parameters p = block_of(8);
    assert_int_equal(step_thrice(&p), 1);
}

/* One node of each group spared is enough for an irregular mesh, not for a regular one. */
static void stiff_blocks_are_factored_again_with_more_patience(void **unused)
{
    (void)unused;
    saddle_block_parameters p = stiff_block_of(8);
    assert_int_equal(step_thrice(&p), 3);
    p.distortion = 0.2;
    p.poisson = 0.4999;
    assert_int_equal(step_thrice(&p), 2);
    p = stiff_block_of(12); /* not solved by the relaxed order */
    p.young = 1e11;
    assert_int_equal(step_thrice(&p), 3);
}

/* The first values are soft: the relaxed order is checked once more after the first slow solve. */
static void blocks_that_stiffen_are_factored_again(void **unused)
{
    (void)unused;
    saddle_block_parameters p = block_of(8), stiffer = stiff_block_of(8);
    saddle_problem soft = {0}, stiff = {0};
    saddle_solver *solver;
    saddle_solution x = {0};
    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_METIS;
    p.fixed = 0;
    generate(&p, &soft);
    generate(&stiffer, &stiff);
    const saddle_problem *steps[] = {&soft, &stiff, &stiff, &stiff};
    static const int64_t factorizations[] = {1, 2, 5, 6};
    assert_int_equal(saddle_solution_create(NULL, soft.n, soft.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "ldlt", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &soft), SADDLE_OK);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(saddle_solver_factor(solver, steps[k]), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, steps[k], NULL, &x), SADDLE_OK);
        const saddle_report *report = saddle_solver_report(solver);
        assert_int_equal(report->factorizations, factorizations[k]);
        assert_true((report->refinements > 4) == (k == 1));
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
    saddle_problem_clear(&soft);
    saddle_problem_clear(&stiff);
}

static saddle_status solve_stiff(saddle_context *context, void *user)
{
    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_METIS;
    saddle_solution x = {0};
    saddle_status status = saddle_solve(context, user, "ldlt", &options, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

/* A factor that ran out of memory on the way to a more patient order can be called again. */
static saddle_status factor_short_of_memory(const saddle_problem *problem, int64_t failing)
{
    saddle_options options = saddle_options_default();
    options.ordering = SADDLE_ORDERING_METIS;
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle_solver *solver;
    saddle_solution x;
    assert_int_equal(saddle_solver_create(context, "ldlt", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, problem->n, problem->m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, problem), SADDLE_OK);
    memory.fail_at = memory.count + failing;
    saddle_status status = saddle_solver_factor(solver, problem);
    memory.fail_at = -1;
    assert_int_equal(saddle_solver_factor(solver, problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, problem, NULL, &x), SADDLE_OK);
    saddle_solution_clear(&x);
    saddle_solver_free(solver);
    test_memory_end(&memory, context);
    return status;
}

static void memory_that_was_short_is_no_end(void **unused)
{
    (void)unused;
    saddle_problem problem;
    saddle_block_parameters p = stiff_block_of(5);
    generate(&p, &problem);
    int64_t failing = 0;
    saddle_status status;
    while ((status = factor_short_of_memory(&problem, failing)) == SADDLE_OUT_OF_MEMORY)
        failing += 7;
    assert_int_equal(status, SADDLE_OK);
    assert_true(failing > 20);
    saddle_problem_clear(&problem);
}

static void failing_allocations_leak_nothing(void **unused)
{
    (void)unused;
    saddle_problem problem = {0};
    saddle_block_parameters p = stiff_block_of(5);
    generate(&p, &problem);
    assert_true(test_allocation_sweep(solve_stiff, &problem) > 50);
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flops_are_within_a_fifth_of_metis),
        cmocka_unit_test(rows_that_cost_little_wait_for_partners),
        cmocka_unit_test(velocities_without_mass_wait_for_partners),
        cmocka_unit_test(each_row_follows_a_velocity_of_its_own),
        cmocka_unit_test(redundant_rows_give_the_velocity_of_the_dense_least_norm_solution),
        cmocka_unit_test(contradicting_rows_are_not_solved),
        cmocka_unit_test(inertia_is_n_and_m_and_no_pivot_is_replaced),
        cmocka_unit_test(contraction_is_what_a_step_leaves),
        cmocka_unit_test(soft_blocks_are_factored_once),
        cmocka_unit_test(stiff_blocks_are_factored_again_with_more_patience),
        cmocka_unit_test(blocks_that_stiffen_are_factored_again),
        cmocka_unit_test(memory_that_was_short_is_no_end),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
