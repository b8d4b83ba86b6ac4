/* SPDX-License-Identifier: MIT */
/* Each registered solver over every problem that its rows allow: our bundles and the public
 * collection.
 *
 * What must hold for every solver and file:
 *   - SADDLE_OK exactly where the independent checker, called anew, finds total <= tolerance; never
 *     a negative status for a file that another solver solves, never a result that is not finite
 *   - where a small system was solved: the dense LAPACK twin of the state found gives the same v,
 *     lambda and w to within the condition number times the residual (dense_twin.h); these
 *     comparisons never become fewer
 *   - the direct solvers do so with every factorization that can be chosen
 *   - a file is solved unless the table `falls_short` says that this method cannot
 * The table of results is printed and written to conformance.csv in the build folder.
 */
#include "asked.h"
#include "collection.h"
#include "dense_twin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-10;

/* Unknowns of the largest system, and sweeps.  Where ctest takes fewer draws: small systems, few
 * sweeps, no expectations on what is solved.  Without GPL code: not the one system that KLU takes
 * seconds for, which the other build gives to KLU too. */
static int64_t largest(void)
{
#ifdef SADDLE_GPL
    return test_is_slow() ? 400 : INT32_MAX;
#else
    return test_is_slow() ? 400 : 20000;
#endif
}

enum { FEW_SWEEPS = 300, LEAST_SWEEPS = 2000 }; /* LEAST: known to be too few as 20,000 are */
enum { FEW_ROUNDS = 20 };                       /* of staggered where rounds drift: too few */

/* Files that a method does not bring to the tolerance, with the reason; auto falls short where its
 * pick does. */
typedef struct shortfall {
    const char *solver;
    const char *file;
    const char *why;
} shortfall;

#define SLOW "converges too slowly for the sweeps it is given"
#define PIVOTS "not a fixed point of projected sweeps: needs pivoting"
#define UNMONOTONE "W is neither monotone nor a P-matrix"
#define UNSOLVABLE "has no known solution"
#define DRIFTS "rounds drift: hundreds of them, or none suffice, by the rounding of the machine"

static const shortfall falls_short[] = {
    {"gauss-seidel", "fc2d_siconos/fc2d_granularflowonwall_02020_00213.dat", SLOW},
    {"gauss-seidel", "lcp_drake/problem6_l1.dat", PIVOTS},
    {"gauss-seidel", "lcp_drake/unsolvable_1.dat", UNSOLVABLE},
    {"gauss-seidel", "lcp_siconos/lcp_CPS_2.dat", PIVOTS},
    {"gauss-seidel", "lcp_siconos/lcp_CPS_4.dat", PIVOTS},
    {"gauss-seidel", "lcp_siconos/lcp_Pang_isolated_sol.dat", PIVOTS},
    {"gauss-seidel", "lcp_siconos/lcp_enum_fails.dat", PIVOTS},
    {"gauss-seidel", "lcp_siconos_old/mathieu1.dat", UNSOLVABLE},
    {"gauss-seidel", "mlcp_siconos/BuckConverter_mlcp.dat", PIVOTS},
    {"gauss-seidel", "mlcp_siconos/BuckFirstStep_mlcp.dat", PIVOTS},
    {"gauss-seidel", "mlcp_siconos/PD_mlcp.dat", PIVOTS},
    {"gauss-seidel", "mlcp_siconos/RLCD_mlcp.dat", PIVOTS},
    {"gauss-seidel", "mlcp_siconos/deltasigma_mlcp.dat", PIVOTS},
    {"gauss-seidel", "mlcp_siconos/diodeBridge20_mlcp.dat", PIVOTS},
    {"gauss-seidel", "mlcp_siconos/diodeBridge_mlcp.dat", PIVOTS},
    {"gauss-seidel", "mlcp_siconos/relay2_mlcp.dat", PIVOTS},
    {"gauss-seidel", "fc3d_siconos/RockPile_tob1.dat", SLOW},
    {"gauss-seidel", "lcp_siconos_old/diodes.dat", SLOW},
    {"gauss-seidel", "lcp_siconos_old/buckconverterregul2.dat", SLOW},
    {"admm", "lcp_siconos/lcp_Pang_isolated_sol.dat", UNMONOTONE},
    {"admm", "lcp_siconos_old/mathieu1.dat", UNSOLVABLE},
    {"admm", "mlcp_siconos/deltasigma_mlcp.dat", UNMONOTONE},
    {"admm", "lcp_drake/unsolvable_1.dat", UNSOLVABLE},
    {"staggered", "fc2d_siconos/fc2d_granularflowonwall_02020_00213.dat", DRIFTS},
    {"staggered", "fc3d_siconos/Capsules-i122-1617.dat", DRIFTS},
    {"staggered", "fc3d_siconos/RockPile_tob1.dat", DRIFTS},
    {"staggered", "rfc_siconos/rockfall_14_25792.dat", DRIFTS},
    {"staggered", "fclib_hdf5/Capsules-i97-269.hdf5", DRIFTS},
    {"staggered", "lcp_drake/unsolvable_1.dat", UNSOLVABLE},
    {"staggered", "lcp_siconos_old/mathieu1.dat", UNSOLVABLE},
    {"staggered", "mlcp_siconos/deltasigma_mlcp.dat", UNMONOTONE},
    {"gauss-seidel", "kkt_qdldl/rank_deficient.mtx", "needs the inverse of a singular M"},
    {"schur", "kkt_qdldl/rank_deficient.mtx", "needs the inverse of a singular M"},
    {"schur", "lcp_drake/unsolvable_1.dat", UNSOLVABLE},
    {"pivot", "lcp_drake/unsolvable_1.dat", UNSOLVABLE},
    {"schur", "lcp_siconos_old/mathieu1.dat", UNSOLVABLE},
    {"schur", "mlcp_siconos/deltasigma_mlcp.dat", UNMONOTONE},
    {"pivot", "lcp_siconos_old/mathieu1.dat", UNSOLVABLE},
    {"pivot", "mlcp_siconos/deltasigma_mlcp.dat", UNMONOTONE},
    {"lemke", "kkt_qdldl/rank_deficient.mtx", "needs the inverse of a singular M"},
    {"lemke", "lcp_drake/unsolvable_1.dat", UNSOLVABLE},
    {"lemke", "lcp_siconos_old/mathieu1.dat", UNSOLVABLE},
};

/* Files under SADDLE_DATA that are no problem saddle reads, with a word that the message must
 * hold. */
typedef struct refusal {
    const char *file;
    const char *message;
} refusal;

static const refusal refused[] = {
    {"kkt_suitesparse/lp_afiro.mtx", "27 x 51"},
    {"kkt_suitesparse/lp_share1b.mtx", "117 x 253"},
    {"kkt_suitesparse/lpi_itest6.mtx", "11 x 17"},
    {"lcp_artisynth/MLCPtest.txt", "not a problem file"},
    {"lcp_artisynth/testMatrix.mat", "not a problem file"},
    {"mlcp_siconos/Rectangular_mlcp.dat", "3 x 2"},
};

/* NULL where the solver is expected to reach the tolerance */
static const char *why_short(const char *solver, const char *path)
{
    for (size_t i = 0; i < sizeof falls_short / sizeof *falls_short; i++) {
        const shortfall *s = &falls_short[i];
        if (strcmp(collection_short_name(path), s->file) == 0 && strcmp(s->solver, solver) == 0)
            return s->why;
    }
    return NULL;
}

static const refusal *refusal_of(const char *path)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (strcmp(collection_short_name(path), refused[i].file) == 0) return &refused[i];
    return NULL;
}

/* ---- the dense twin ---- */

static const double allowance = 5;    /* times condition * residual: the largest met is 1 */
static const double of_no_use = 1e-5; /* an allowance that proves nothing */

/* 1: compared by an allowance that proves something */
static int compare_with_twin(const char *solver, const char *path, const saddle_problem *p,
                             const saddle_solution *s, const saddle_residual *residual)
{
    twin_comparison c;
    if (!dense_twin_compare(p, s, &c)) return 0;
    double error = fmax(c.v, fmax(c.lambda, c.w));
    double allowed = allowance * c.condition * fmax(residual->total, 1e-15);
    if (allowed > of_no_use) return 0;
    /* total is over the largest row, local over each row's own terms */
    if (!(error <= allowed) && !(error <= allowance * c.condition * residual->local))
        fail_msg(
            "%s, %s: v off by %.1e, lambda by %.1e, w by %.1e at condition %.1e, residual %.1e",
            solver, collection_short_name(path), c.v, c.lambda, c.w, c.condition, residual->total);
    return 1;
}

/* ---- one problem, one solver ---- */

enum { SOLVERS = 16 };

typedef struct tally {
    FILE *table;
    int64_t solved, short_of, refused_rows;
    int64_t twins[SOLVERS]; /* comparisons with the dense twin, in the registry's order */
} tally;

/* solver: of the result; for auto, the solver chosen, whose promises count.  Returns 1 where the
 * dense twin agrees. */
static int check_result(const char *solver, const char *path, const saddle_problem *p,
                        const saddle_solution *s, saddle_status status, const saddle_report *report)
{
    saddle_residual anew;
    assert_int_equal(saddle_solution_check(NULL, p, s, &anew, NULL), SADDLE_OK);
    if (!(anew.total < (double)INFINITY))
        fail_msg("%s, %s: a result that is not finite", solver, path);
    if (anew.total != report->residual.total ||
        (status == SADDLE_OK) != saddle_residual_is_solved(&anew, tolerance))
        fail_msg("%s, %s: %s but the checker finds %g (report %g)", solver, path,
                 saddle_status_name(status), anew.total, report->residual.total);
    const char *why = why_short(solver, path);
    if (!test_is_slow() && status != SADDLE_OK && !why)
        fail_msg("%s, %s: %s at residual %g", solver, collection_short_name(path),
                 saddle_status_name(status), anew.total);
    if (!test_is_slow() && status == SADDLE_OK && why)
        fail_msg("%s, %s is solved now: take it off the list (%s)", solver,
                 collection_short_name(path), why);
    return status == SADDLE_OK && compare_with_twin(solver, path, p, s, &anew);
}

static const char *factorization_word(saddle_factorization factorization)
{
    switch (factorization) {
#define WORD_CASE(name, word) \
    case name: return word;
        SADDLE_FACTORIZATION_LIST(WORD_CASE)
#undef WORD_CASE
    }
    return "?";
}

static void run(tally *t, saddle_context *context, int64_t solver,
                saddle_factorization factorization, const char *path, const saddle_problem *p)
{
    const saddle_solver_type *type = saddle_solver_type_at(context, solver);
    saddle_options options = saddle_options_default();
    options.tolerance = tolerance;
    options.settings = asked_factorization(factorization);
    const char *swept = why_short("gauss-seidel", path);
    if (swept && strcmp(swept, SLOW) == 0 &&
        (strcmp(type->name, "gauss-seidel") == 0 || strcmp(type->name, "auto") == 0))
        options.max_iterations = LEAST_SWEEPS;
    const char *drifts = why_short("staggered", path);
    if (drifts && strcmp(drifts, DRIFTS) == 0 && strcmp(type->name, "staggered") == 0)
        options.max_iterations = FEW_ROUNDS;
    if (test_is_slow()) options.max_iterations = FEW_SWEEPS;
    if (saddle_solver_type_supports(context, type, p) != SADDLE_OK) {
        t->refused_rows++;
        return;
    }
    saddle_solution solution = {0};
    saddle_report report;
    saddle_status status = saddle_solve(context, p, type->name, &options, NULL, &solution, &report);
    (void)fprintf(t->table, "%s,%s,%s,%s,%s,%lld,%lld,%lld,%.2e,%.2e,%lld,%.4f\n",
                  collection_short_name(path), type->name, factorization_word(factorization),
                  report.solver, saddle_status_name(status), (long long)p->n, (long long)p->m,
                  (long long)p->contact_count, report.residual.total, report.residual.natural_map,
                  (long long)report.iterations,
                  report.seconds.analyse + report.seconds.factor + report.seconds.solve);
    if (status >= 0) {
        int twin = check_result(report.solver, path, p, &solution, status, &report);
        if (factorization == SADDLE_FACTORIZATION_DEFAULT) t->twins[solver] += twin;
    } else if (!why_short(type->name, path)) {
        fail_msg("%s (%s), %s: %s: %s", type->name, factorization_word(factorization),
                 collection_short_name(path), saddle_status_name(status),
                 saddle_context_message(context));
    }
    t->solved += status == SADDLE_OK;
    t->short_of += status != SADDLE_OK;
    saddle_solution_clear(&solution);
}

/* The direct solvers with each factorization that they may be told to take. */
static void run_factorizations(tally *t, saddle_context *context, const char *path,
                               const saddle_problem *p)
{
    static const struct {
        const char *solver;
        saddle_factorization factorization;
    } asked[] = {
        {"ldlt", SADDLE_FACTORIZATION_CHOLMOD},
        {"ldlt", SADDLE_FACTORIZATION_KLU},
        {"lu", SADDLE_FACTORIZATION_KLU},
#ifdef SADDLE_GPL
        {"ldlt", SADDLE_FACTORIZATION_UMFPACK},
#endif
    };
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++)
        for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
            if (strcmp(type->name, asked[k].solver) == 0)
                run(t, context, i, asked[k].factorization, path, p);
}

static void run_all(const collection *all, tally *t)
{
    for (int64_t k = 0; k < all->count; k++) {
        saddle_context *context;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        saddle_problem problem = {0};
        saddle_read_options options = {.rhs = all->rhs[k]};
        saddle_status status = saddle_problem_read(context, all->path[k], &options, &problem, NULL,
                                                   NULL, NULL);
        const refusal *expected = refusal_of(all->path[k]);
        if (expected) {
            assert_true(status < 0);
            if (!strstr(saddle_context_message(context), expected->message))
                fail_msg("%s: '%s'", all->path[k], saddle_context_message(context));
        } else if (status != SADDLE_OK) {
            fail_msg("%s: %s", all->path[k], saddle_context_message(context));
        } else if (problem.n + problem.m <= largest()) {
            for (int64_t i = 0; saddle_solver_type_at(context, i); i++)
                run(t, context, i, SADDLE_FACTORIZATION_DEFAULT, all->path[k], &problem);
            run_factorizations(t, context, all->path[k], &problem);
        }
        saddle_problem_clear(&problem);
        saddle_context_free(context);
    }
}

/* How many comparisons with the dense twin were made when this was written: no fewer ever since. */
typedef struct expected_twins {
    const char *solver;
    int64_t bundles, public_problems;
} expected_twins;

static const expected_twins least_twins[] = {
    {"ldlt", 2, 14},  {"lu", 3, 14},        {"schur", 3, 30},
    {"pivot", 5, 51}, {"lemke", 6, 50},     {"gauss-seidel", 9, 64},
    {"admm", 10, 74}, {"staggered", 9, 76}, {"auto", 10, 65},
};

static void check_twins(const tally *t, int bundles)
{
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        int64_t least = 1; /* of a solver that the table lacks */
        for (size_t k = 0; k < sizeof least_twins / sizeof *least_twins; k++)
            if (strcmp(least_twins[k].solver, type->name) == 0)
                least = bundles ? least_twins[k].bundles : least_twins[k].public_problems;
        print_message("%s: %lld answers equal the dense twin's\n", type->name,
                      (long long)t->twins[i]);
        if (!test_is_slow() && t->twins[i] < least)
            fail_msg("%s: %lld comparisons with the dense twin, not %lld", type->name,
                     (long long)t->twins[i], (long long)least);
    }
}

static void conform(collection all, const char *mode)
{
    tally t = {.table = fopen(SADDLE_BUILD_DIR "/conformance.csv", mode)};
    assert_non_null(t.table);
    if (mode[0] == 'w')
        (void)fputs("problem,asked,factorization,solver,status,n,m,contacts,residual,natural_map,"
                    "iterations,seconds\n",
                    t.table);
    run_all(&all, &t);
    (void)fclose(t.table);
    print_message(
        "%lld files: %lld solved, %lld fall short, %lld solver and rows that do not match\n",
        (long long)all.count, (long long)t.solved, (long long)t.short_of,
        (long long)t.refused_rows);
    assert_true(t.solved > 0);
    check_twins(&t, mode[0] == 'w');
    collection_clear(&all);
}

static void every_solver_conforms_on_our_bundles(void **state)
{
    (void)state;
    conform(collection_of_bundles(), "w");
}

static void every_solver_conforms_on_the_public_problems(void **state)
{
    (void)state;
    conform(collection_of_public_problems(), "a");
}

/* Bodies held fast by their rows: v and w are nothing but rounding then. */
static void every_solver_keeps_bodies_at_rest(void **state)
{
    (void)state;
    uint64_t random = test_seed();
    for (int draw = 0; draw < test_draws(200); draw++) {
        enum { MOST = 6 };
        int64_t n = test_integer(&random, 1, MOST);
        int64_t start[MOST + 1];
        int64_t index[MOST];
        double mass[MOST];
        double row[MOST];
        double f[MOST];
        for (int64_t j = 0; j < n; j++) {
            start[j] = index[j] = j;
            mass[j] = test_uniform(&random, 0.1, 10);
            row[j] = test_uniform(&random, 0.1, 2);
            f[j] = test_uniform(&random, -10, 10);
        }
        start[n] = n;
        saddle_problem p = {
            .n = n,
            .m = n,
            .M = saddle_matrix_view(n, n, start, index, mass, SADDLE_SYMMETRY_LOWER),
            .Jt = saddle_matrix_view(n, n, start, index, row, SADDLE_SYMMETRY_NONE),
            .f = f,
        };
        const saddle_solver_type *type;
        for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
            saddle_solution solution = {0};
            assert_int_equal(saddle_solve(NULL, &p, type->name, NULL, NULL, &solution, NULL),
                             SADDLE_OK);
            for (int64_t j = 0; j < n; j++) {
                assert_true(fabs(solution.v[j]) < 1e-8);
                assert_true(fabs(row[j] * solution.lambda[j] + f[j]) < 1e-8);
            }
            saddle_solution_clear(&solution);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_keeps_bodies_at_rest),
        cmocka_unit_test(every_solver_conforms_on_our_bundles),
        cmocka_unit_test(every_solver_conforms_on_the_public_problems),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
