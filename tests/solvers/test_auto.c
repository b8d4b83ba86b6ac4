/* SPDX-License-Identifier: MIT */
/* auto: the choice of a solver, the note with the reason, and the change to the next solver of the
 * chain. */
#include "asked.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define INF ((double)INFINITY)

/* [4 1; 1 3] v - J'lambda = f, J = (1, -2), one row. */
typedef struct system {
    int64_t M_start[3], M_index[4], Jt_start[2], Jt_index[2];
    double M_value[4], Jt_value[2], f[2], b[1], lo[1], hi[1];
    saddle_problem problem;
} system;

static void fill(system *x, saddle_symmetry symmetry)
{
    memset(x, 0, sizeof *x);
    if (symmetry == SADDLE_SYMMETRY_LOWER) {
        memcpy(x->M_start, (int64_t[]){0, 2, 3}, sizeof x->M_start);
        memcpy(x->M_index, (int64_t[]){0, 1, 1}, 3 * sizeof *x->M_index);
        memcpy(x->M_value, (double[]){4, 1, 3}, 3 * sizeof *x->M_value);
    } else {
        memcpy(x->M_start, (int64_t[]){0, 2, 4}, sizeof x->M_start);
        memcpy(x->M_index, (int64_t[]){0, 1, 0, 1}, sizeof x->M_index);
        memcpy(x->M_value, (double[]){4, 1, 1.5, 3}, sizeof x->M_value);
    }
    memcpy(x->Jt_start, (int64_t[]){0, 2}, sizeof x->Jt_start);
    memcpy(x->Jt_index, (int64_t[]){0, 1}, sizeof x->Jt_index);
    memcpy(x->Jt_value, (double[]){1, -2}, sizeof x->Jt_value);
    memcpy(x->f, (double[]){1, 2}, sizeof x->f);
    x->b[0] = 0.5;
    x->lo[0] = -INF;
    x->hi[0] = INF;
    x->problem = (saddle_problem){
        .n = 2,
        .m = 1,
        .M = saddle_matrix_view(2, 2, x->M_start, x->M_index, x->M_value, symmetry),
        .Jt = saddle_matrix_view(2, 1, x->Jt_start, x->Jt_index, x->Jt_value, SADDLE_SYMMETRY_NONE),
        .f = x->f,
        .b = x->b,
        .lo = x->lo,
        .hi = x->hi,
    };
}

static saddle_status solve(const saddle_problem *problem, const saddle_options *options,
                           saddle_report *report)
{
    saddle_solution solution = {0};
    saddle_status status = saddle_solve(NULL, problem, "auto", options, NULL, &solution, report);
    saddle_solution_clear(&solution);
    return status;
}

static void the_pick_follows_rows_and_matrices(void **state)
{
    (void)state;
    system x;
    saddle_report report;
    fill(&x, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(solve(&x.problem, NULL, &report), SADDLE_OK);
    assert_string_equal(report.solver, "ldlt");
    assert_non_null(strstr(report.note, "auto picked ldlt: equality rows, symmetric"));
    fill(&x, SADDLE_SYMMETRY_NONE);
    assert_int_equal(solve(&x.problem, NULL, &report), SADDLE_OK);
    assert_string_equal(report.solver, "lu");
    fill(&x, SADDLE_SYMMETRY_LOWER);
    x.lo[0] = 0;
    assert_int_equal(solve(&x.problem, NULL, &report), SADDLE_OK);
    assert_string_equal(report.solver, "schur");
    assert_non_null(strstr(report.note, "auto picked schur: rows with bounds"));
    fill(&x, SADDLE_SYMMETRY_LOWER);
    x.problem.m = 0;
    x.problem.Jt = (saddle_matrix){0};
    assert_int_equal(solve(&x.problem, NULL, &report), SADDLE_OK);
    assert_non_null(strstr(report.note, "no rows"));
    saddle_problem empty = {0};
    assert_int_equal(solve(&empty, NULL, &report), SADDLE_OK);
}

/* A P-matrix that is not monotone; then a problem without a solution, which ends the chain. */
static void dense_rows_without_velocities_are_pivots(void **state)
{
    (void)state;
    int64_t start[3] = {0, 2, 4};
    int64_t index[4] = {0, 1, 0, 1};
    double value[4] = {1, 2, -3, 1};
    double b[2] = {1, 1};
    double lo[2] = {0, 0};
    saddle_problem problem = {.m = 2, .b = b, .lo = lo};
    problem.R = saddle_matrix_view(2, 2, start, index, value, SADDLE_SYMMETRY_NONE);
    saddle_report report;
    assert_int_equal(solve(&problem, NULL, &report), SADDLE_OK);
    assert_string_equal(report.solver, "pivot");
    assert_non_null(
        strstr(report.note, "auto picked pivot: rows with bounds or friction, W dense"));
    value[0] = value[3] = -1.0; /* w = A lambda - b < 0 for all lambda >= 0 */
    value[1] = value[2] = 0.0;
    assert_int_equal(solve(&problem, NULL, &report), SADDLE_INFEASIBLE);
    assert_non_null(strstr(report.note, "no solution"));
}

static void sparse_rows_without_velocities_are_schurs(void **state)
{
    (void)state;
    enum { ROWS = 300 };
    static int64_t start[ROWS + 1], index[2 * ROWS];
    static double value[2 * ROWS], b[ROWS], lo[ROWS];
    for (int64_t i = 0; i < ROWS; i++) {
        start[i + 1] = 2 * i + 2;
        index[2 * i] = i < ROWS - 1 ? i : 0;
        value[2 * i] = i < ROWS - 1 ? 3.0 : 1.0;
        index[2 * i + 1] = i < ROWS - 1 ? i + 1 : i;
        value[2 * i + 1] = i < ROWS - 1 ? 1.0 : 3.0;
        b[i] = i % 3 ? 1.0 : -1.0;
    }
    saddle_problem problem = {.m = ROWS, .b = b, .lo = lo};
    saddle_report report;
    problem.R = saddle_matrix_view(ROWS, ROWS, start, index, value, SADDLE_SYMMETRY_NONE);
    assert_int_equal(solve(&problem, NULL, &report), SADDLE_OK);
    assert_string_equal(report.solver, "schur");
    assert_non_null(strstr(report.note, "auto picked schur: rows with bounds"));
    for (int64_t i = 0; i < ROWS; i++) {
        start[i + 1] = i + 1;
        index[i] = i;
        value[i] = 3.0;
    }
    problem.R = saddle_matrix_view(ROWS, ROWS, start, index, value, SADDLE_SYMMETRY_LOWER);
    assert_int_equal(solve(&problem, NULL, &report), SADDLE_OK);
    assert_string_equal(report.solver, "schur");
}

enum { MOST_CONTACTS = 6000 };

/* Contacts of `size` rows, the normals coupled in a row: a single island. */
static saddle_problem coupled_contacts(int64_t size, int64_t count, saddle_law law)
{
    static int64_t start[2 * MOST_CONTACTS + 1], index[3 * MOST_CONTACTS];
    static double value[3 * MOST_CONTACTS], b[2 * MOST_CONTACTS];
    static saddle_contact contact[MOST_CONTACTS];
    int64_t rows = size * count, entries = 0;
    assert_true(rows <= 2 * MOST_CONTACTS);
    for (int64_t i = 0; i < rows; i++) {
        index[entries] = i;
        value[entries++] = 2.0;
        if (i % size == 0 && i + size < rows) {
            index[entries] = i + size;
            value[entries++] = -0.25;
        }
        start[i + 1] = entries;
        b[i] = i % 4 == 3 ? 3.0 : 1.0;
        contact[i / size] = (saddle_contact){.row = i - i % size, .size = (int)size, .mu = 0.5};
    }
    saddle_problem problem = {
        .m = rows, .b = b, .contacts = contact, .contact_count = count, .law = law};
    problem.R = saddle_matrix_view(rows, rows, start, index, value, SADDLE_SYMMETRY_LOWER);
    return problem;
}

static void claim_friction(int64_t size, int64_t count, saddle_law law, const char *solver,
                           const char *why)
{
    saddle_problem problem = coupled_contacts(size, count, law);
    saddle_report report;
    assert_int_equal(solve(&problem, NULL, &report), SADDLE_OK);
    assert_string_equal(report.solver, solver);
    assert_non_null(strstr(report.note, why));
}

/* Block pivoting takes boxes, and what is a box in the plane; of pyramids in space lemke has the
 * few. */
static void friction_is_picked_for_by_law_and_size(void **state)
{
    (void)state;
    claim_friction(3, 30, SADDLE_LAW_BOX, "schur", "auto picked schur: rows with friction");
    claim_friction(3, 60, SADDLE_LAW_BOX, "gauss-seidel", "many rows with friction");
    claim_friction(3, 1100, SADDLE_LAW_BOX, "gauss-seidel", "many rows with friction");
    claim_friction(3, 60, SADDLE_LAW_PYRAMID, "lemke", "friction without cones");
    claim_friction(3, 200, SADDLE_LAW_PYRAMID, "gauss-seidel", "many facets of friction");
    claim_friction(3, 20, SADDLE_LAW_CONE, "gauss-seidel", "friction cones");
}

/* Grains in a row between two walls, each to move away from the next: more than 1000 unknowns of
 * lemke, which alone proves what has no solution. */
static void pyramids_without_a_solution_are_proven_beyond_short_paths(void **state)
{
    (void)state;
    enum { GRAINS = 100, TOUCHING = GRAINS + 1, N = 3 * GRAINS, M = 3 * TOUCHING };
    static int64_t start[N + 1], index[N], J_start[M + 1], J_index[2 * M];
    static double mass[N], J[2 * M], b[M], f[N];
    static saddle_contact contact[TOUCHING];
    int64_t entries = 0;
    for (int64_t j = 0; j < N; j++) {
        start[j + 1] = j + 1;
        index[j] = j;
        mass[j] = 1;
        f[j] = j % 3 ? 0.01 : 0;
    }
    for (int64_t i = 0; i < M; i++) {
        int64_t c = i / 3, axis = i % 3;
        for (int64_t k = c - 1; k <= c; k++) { /* grain k - 1 moves before, grain k after */
            if (k < 0 || k >= GRAINS) continue;
            J_index[entries] = 3 * k + axis;
            J[entries++] = k < c ? -1 : 1;
        }
        J_start[i + 1] = entries;
        b[i] = axis == 0 ? 0.01 : 0;
        contact[c] = (saddle_contact){.row = i - axis, .size = 3, .mu = 0.5};
    }
    saddle_problem problem = {
        .n = N, .m = M, .f = f, .b = b, .contacts = contact, .contact_count = TOUCHING};
    problem.law = SADDLE_LAW_PYRAMID;
    problem.M = saddle_matrix_view(N, N, start, index, mass, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(N, M, J_start, J_index, J, SADDLE_SYMMETRY_NONE);
    saddle_report report;
    assert_int_equal(solve(&problem, NULL, &report), SADDLE_INFEASIBLE);
    assert_string_equal(report.solver, "lemke");
    assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
}

/* Two contacts on W = G G' of rank 2 and 3: admm goes round in circles, projections in turn come to
 * a fixed point. */
static void friction_on_dependent_rows_comes_to_projections(void **state)
{
    (void)state;
    static const struct {
        double mu, G[6][3], b[6];
    } found[] = {
        {1, {{4, 0}, {4, 3}, {4, 1}, {0, 3}, {0, -2}, {-2, 4}}, {8, -9, 3, -15, 10, -24}},
        {3,
         {{2, -2, -3}, {0, 4, -3}, {-3, -3, -1}, {2, 2, 0}, {-3, -3, 3}, {-3, -2, 0}},
         {25, -5, 20, -10, 0, 13}},
    };
    for (int k = 0; k < 2; k++) {
        int64_t start[7] = {0}, index[36];
        double value[36], b[6];
        saddle_contact contact[2] = {{.row = 0, .size = 3, .mu = found[k].mu},
                                     {.row = 3, .size = 3, .mu = found[k].mu}};
        for (int i = 0; i < 36; i++) {
            const double *p = found[k].G[i / 6], *q = found[k].G[i % 6];
            index[i] = i % 6;
            value[i] = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
            start[i / 6 + 1] = i + 1;
        }
        memcpy(b, found[k].b, sizeof b);
        saddle_problem problem = {.m = 6, .b = b, .contacts = contact, .contact_count = 2};
        problem.R = saddle_matrix_view(6, 6, start, index, value, SADDLE_SYMMETRY_NONE);
        saddle_report report;
        assert_int_equal(solve(&problem, NULL, &report), SADDLE_OK);
        assert_string_equal(report.solver, "staggered");
        assert_int_equal(report.switches.other, 2);
    }
}

static void friction_from_a_start_is_pivoted(void **state)
{
    (void)state;
    saddle_problem problem = coupled_contacts(3, 60, SADDLE_LAW_BOX);
    saddle_solution x = {0};
    saddle_solver *solver;
    assert_int_equal(saddle_solution_create(NULL, problem.n, problem.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "auto", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
    for (int warm = 0; warm < 2; warm++) {
        problem.b[0] *= 1.001;
        assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &problem, warm ? &x : NULL, &x), SADDLE_OK);
        const saddle_report *report = saddle_solver_report(solver);
        assert_string_equal(report->solver, warm ? "schur" : "gauss-seidel");
        if (warm) assert_non_null(strstr(report->note, "left out, from a start"));
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&x);
}

/* Solves of one solver object, cold and from a start, whose notes differ in length; the last ends
 * with an unsolved local law, below what was found of R. */
static void notes_of_later_solves_are_whole(void **state)
{
    (void)state;
    saddle_problem problem;
    saddle_matrix R;
    saddle_solution x = {0};
    saddle_solver *solver;
    saddle_options options = saddle_options_default();
    saddle_report report;
    const char *file = test_data_path("fc3d_siconos/BoxesStack1-i100000-32.hdf5.dat");
    assert_int_equal(saddle_problem_read(NULL, file, NULL, &problem, NULL, NULL, NULL), SADDLE_OK);
    problem.law = SADDLE_LAW_BOX;
    assert_int_equal(saddle_solution_create(NULL, problem.n, problem.m, &x), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
    for (int warm = 0; warm < 3; warm++) {
        assert_int_equal(saddle_solver_solve(solver, &problem, warm ? &x : NULL, &x), SADDLE_OK);
        const char *note = saddle_solver_report(solver)->note;
        assert_non_null(strstr(note, "auto picked gauss-seidel, then schur: gauss-seidel "));
        assert_non_null(strstr(note, warm ? " left out, from a start; " : " reached "));
        assert_non_null(strstr(note, "; basis: all of W"));
        problem.b[0] += 1e-4;
    }
    saddle_solver_free(solver);
    assert_int_equal(saddle_matrix_expand(NULL, &problem.R, &R), SADDLE_OK);
    saddle_matrix_clear(&problem.R);
    problem.R = R;
    problem.R.symmetry = SADDLE_SYMMETRY_NONE;
    problem.law = SADDLE_LAW_ASSOCIATED;
    options.max_iterations = 30;
    options.tolerance = 1e-16;
    assert_int_equal(saddle_solve(NULL, &problem, "gauss-seidel", &options, NULL, &x, &report),
                     SADDLE_ITERATION_LIMIT);
    assert_non_null(strstr(report.note, "R: marked general, found symmetric; the law of the cont"));
    saddle_solution_clear(&x);
    saddle_problem_clear(&problem);
}

/* A particle of 1 kg on a floor, f = (1, 0, -4), held by copies of one contact, mu = 0.5: at rest,
 * for a push of less than mu times the weight. */
static void contacts_with_more_rows_than_velocities_are_pivoted(void **state)
{
    (void)state;
    enum { MOST = 40, ROWS = 3 * MOST };
    static const int64_t mass_start[4] = {0, 1, 2, 3}, mass_index[3] = {0, 1, 2};
    static const double mass[3] = {1.0, 1.0, 1.0};
    double f[3] = {1.0, 0.0, -4.0}, value[ROWS];
    int64_t start[ROWS + 1] = {0}, index[ROWS];
    saddle_contact contact[MOST];
    for (int64_t i = 0; i < ROWS; i++) {
        index[i] = (i + 2) % 3;
        value[i] = 1.0;
        start[i + 1] = i + 1;
        contact[i / 3] = (saddle_contact){.row = i - i % 3, .size = 3, .mu = 0.5};
    }
    for (int few = 0; few < 2; few++) {
        int64_t count = few ? 4 : MOST;
        saddle_problem problem = {.n = 3, .m = 3 * count, .f = f, .contacts = contact};
        problem.contact_count = count;
        problem.law = SADDLE_LAW_BOX;
        problem.M = saddle_matrix_view(3, 3, (int64_t *)mass_start, (int64_t *)mass_index,
                                       (double *)mass, SADDLE_SYMMETRY_LOWER);
        problem.Jt = saddle_matrix_view(3, 3 * count, start, index, value, SADDLE_SYMMETRY_NONE);
        saddle_report report;
        assert_int_equal(solve(&problem, NULL, &report), SADDLE_OK);
        assert_string_equal(report.solver, few ? "schur" : "pivot");
        if (!few) assert_non_null(strstr(report.note, "more rows than velocities, with friction"));
    }
}

static void pyramids_and_cones_in_the_plane_are_picked_for_as_boxes(void **state)
{
    (void)state;
    static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID, SADDLE_LAW_CONE};
    for (int k = 0; k < 3; k++) {
        claim_friction(2, 50, laws[k], "schur", "auto picked schur: rows with friction");
        claim_friction(2, 51, laws[k], "gauss-seidel", "many rows with friction");
        claim_friction(2, MOST_CONTACTS, laws[k], "gauss-seidel", "many rows with friction");
    }
}

/* Contacts in a row, each between its neighbours: w_n = 2 ln - ln's neighbours - 1, and the
 * tangents alone. */
enum { LINKS = 1600, LINK_ROWS = 2 * LINKS, LINK_ENTRIES = 3 * LINKS - 1 };

typedef struct links {
    int64_t start[LINK_ROWS + 1], index[LINK_ENTRIES];
    double value[LINK_ENTRIES], b[LINK_ROWS];
    saddle_contact contact[LINKS];
    saddle_problem problem;
} links;

static void fill_links(links *x, saddle_law law)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < LINK_ROWS; i++) {
        int normal = i % 2 == 0;
        x->index[entries] = i;
        x->value[entries++] = 2.0;
        if (normal && i + 2 < LINK_ROWS) {
            x->index[entries] = i + 2;
            x->value[entries++] = -1.0;
        }
        x->start[i + 1] = entries;
        x->b[i] = 1.0;
        x->contact[i / 2] = (saddle_contact){.row = i - i % 2, .size = 2, .mu = 0.5};
    }
    x->problem = (saddle_problem){
        .m = LINK_ROWS, .b = x->b, .contacts = x->contact, .contact_count = LINKS, .law = law};
    x->problem.R = saddle_matrix_view(LINK_ROWS, LINK_ROWS, x->start, x->index, x->value,
                                      SADDLE_SYMMETRY_LOWER);
}

/* One contact in space, mu = 0, R = [2 .5 .3; .5 2 .1; .3 .1 2], b = (1, 0, 0): lambda = (1/2, 0,
 * 0). */
static void without_friction_all_laws_are_the_box(void **state)
{
    (void)state;
    static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID, SADDLE_LAW_CONE,
                                      SADDLE_LAW_ASSOCIATED};
    static const char *const names[] = {"schur", "pivot", "lemke", "gauss-seidel", "auto"};
    int64_t start[4] = {0, 3, 6, 9};
    int64_t index[9] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double value[9] = {2, 0.5, 0.3, 0.5, 2, 0.1, 0.3, 0.1, 2};
    double b[3] = {1, 0, 0};
    saddle_contact contact = {.row = 0, .size = 3, .mu = 0};
    for (int l = 0; l < 4; l++)
        for (int k = 0; k < 5; k++) {
            saddle_problem problem = {.m = 3,
                                      .R = saddle_matrix_view(3, 3, start, index, value,
                                                              SADDLE_SYMMETRY_NONE),
                                      .b = b,
                                      .contacts = &contact,
                                      .contact_count = 1,
                                      .law = laws[l]};
            saddle_solution x = {0};
            saddle_report report;
            assert_int_equal(saddle_solve(NULL, &problem, names[k], NULL, NULL, &x, &report),
                             SADDLE_OK);
            assert_true(fabs(x.lambda[0] - 0.5) < 1e-9 && fabs(x.lambda[1]) < 1e-12 &&
                        fabs(x.lambda[2]) < 1e-12);
            if (strcmp(names[k], "auto") == 0) assert_string_equal(report.solver, "pivot");
            saddle_solution_clear(&x);
        }
}

/* Impulses of a thousand thousands that sweeps bring about a step of two neighbours at a time. */
static void sweeps_that_fall_short_are_followed_by_blocks(void **state)
{
    (void)state;
    static links x;
    static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID};
    for (int k = 0; k < test_draws(2); k++) {
        saddle_report report;
        fill_links(&x, laws[k]);
        assert_int_equal(solve(&x.problem, NULL, &report), SADDLE_OK);
        assert_string_equal(report.solver, "schur");
        assert_non_null(
            strstr(report.note, "auto picked gauss-seidel, then schur: gauss-seidel reached"));
        assert_int_equal(report.switches.other, 1);
        assert_true(report.iterations < 1000);
    }
}

/* A regularization of a half and no refinement: ldlt cannot but fall short. */
static saddle_options crippled(void)
{
    saddle_options options = saddle_options_default();
    options.regularization = 0.5;
    options.max_refinements = 0;
    return options;
}

static void lu_takes_over_where_ldlt_falls_short(void **state)
{
    (void)state;
    system x;
    fill(&x, SADDLE_SYMMETRY_LOWER);
    saddle_options options = crippled();
    saddle_report report;
    saddle_solution fallen = {0};
    assert_int_equal(saddle_solve(NULL, &x.problem, "ldlt", &options, NULL, &fallen, &report),
                     SADDLE_NOT_CONVERGED);
    saddle_solution_clear(&fallen);
    assert_int_equal(solve(&x.problem, &options, &report), SADDLE_OK);
    assert_string_equal(report.solver, "lu");
    assert_non_null(strstr(report.note, "auto picked ldlt, then lu: ldlt reached"));
}

static int stop_in_solve(void *user, const saddle_progress *progress)
{
    (void)user;
    return strcmp(progress->phase, "solve") == 0 && progress->iteration > 0;
}

static void a_stop_is_not_an_invitation_to_try_lu(void **state)
{
    (void)state;
    system x;
    fill(&x, SADDLE_SYMMETRY_LOWER);
    saddle_options options = crippled();
    options.max_refinements = 5;
    saddle_context_options asked = saddle_context_options_default();
    asked.progress = stop_in_solve;
    saddle_context *context;
    assert_int_equal(saddle_context_create(&asked, &context), SADDLE_OK);
    saddle_solution solution = {0};
    saddle_report report;
    assert_int_equal(saddle_solve(context, &x.problem, "auto", &options, NULL, &solution, &report),
                     SADDLE_STOPPED);
    assert_string_equal(report.solver, "ldlt");
    saddle_solution_clear(&solution);
    saddle_context_free(context);
}

static void solving_again_after_the_take_over_works(void **state)
{
    (void)state;
    system x;
    fill(&x, SADDLE_SYMMETRY_LOWER);
    saddle_options options = crippled();
    saddle_solver *solver;
    saddle_solution solution;
    assert_int_equal(saddle_solver_create(NULL, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, 2, 1, &solution), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &x.problem), SADDLE_OK);
    for (int step = 0; step < 3; step++) {
        x.M_value[0] = 4 + step;
        x.f[0] = step;
        assert_int_equal(saddle_solver_factor(solver, &x.problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &x.problem, NULL, &solution), SADDLE_OK);
        assert_string_equal(saddle_solver_report(solver)->solver, "lu");
    }
    saddle_solution_clear(&solution);
    saddle_solver_free(solver);
}

/* The status of a solve where allocation `failing` and all later ones fail.  The next solve,
 * without failures, has to succeed. */
static saddle_status fail_in_take_over(int64_t failing)
{
    system x;
    fill(&x, SADDLE_SYMMETRY_LOWER);
    saddle_options options = crippled();
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle_solver *solver;
    saddle_solution solution;
    assert_int_equal(saddle_solver_create(context, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(context, 2, 1, &solution), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &x.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &x.problem), SADDLE_OK);
    memory.fail_at = memory.count + failing;
    saddle_status status = saddle_solver_solve(solver, &x.problem, NULL, &solution);
    memory.fail_at = -1;
    if (status != SADDLE_OK) {
        assert_int_equal(status, SADDLE_NOT_CONVERGED);
        assert_true(solution.v[0] != 0.0);
        assert_non_null(strstr(saddle_solver_report(solver)->note, "lu ran out of memory"));
    }
    if (failing % 2 == 0) assert_int_equal(saddle_solver_factor(solver, &x.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &x.problem, NULL, &solution), SADDLE_OK);
    assert_string_equal(saddle_solver_report(solver)->solver, "lu");
    saddle_solution_clear(&solution);
    saddle_solver_free(solver);
    test_memory_end(&memory, context);
    return status;
}

/* Whatever allocation of the take-over fails, the pick's result stays, and the report says why; the
 * next solve tries anew. */
static void a_take_over_that_fails_leaves_the_pick_in_place(void **state)
{
    (void)state;
    int64_t failing = 0;
    while (fail_in_take_over(failing) != SADDLE_OK) failing++;
    assert_true(failing > 10);
    assert_int_equal(fail_in_take_over(failing), SADDLE_OK);
}

/* lu has neither CHOLMOD's factorization nor the engine's, and takes its own. */
static void lu_takes_over_from_any_factorization(void **state)
{
    (void)state;
    static const saddle_factorization asked[] = {SADDLE_FACTORIZATION_SUPERNODAL,
                                                 SADDLE_FACTORIZATION_CHOLMOD};
    for (int k = 0; k < 2; k++) {
        system x;
        saddle_report report;
        saddle_options options = crippled();
        fill(&x, SADDLE_SYMMETRY_LOWER);
        options.settings = asked_factorization(asked[k]);
        assert_int_equal(solve(&x.problem, &options, &report), SADDLE_OK);
        assert_string_equal(report.solver, "lu");
        x.M_value[0] = x.M_value[1] = x.Jt_value[0] = 0; /* nothing holds the first velocity */
        assert_int_equal(solve(&x.problem, &options, &report), SADDLE_SINGULAR);
    }
}

/* Two rows contradict each other: a certificate exists, and lu is not tried.  A contradiction of
 * 1e-10 of the data is too small for a certificate, and lu is tried.  All solves of one problem
 * report alike. */
static void repeat_two_rows(double second, saddle_status expected, const char *said)
{
    int64_t M_start[] = {0, 1}, Jt_start[] = {0, 1, 2}, index[] = {0, 0};
    double one[] = {1, 1}, f[] = {1}, b[] = {1, second};
    saddle_problem problem = {.n = 1, .m = 2, .f = f, .b = b};
    problem.M = saddle_matrix_view(1, 1, M_start, index, one, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(1, 2, Jt_start, index, one, SADDLE_SYMMETRY_NONE);
    saddle_solver *solver;
    saddle_solution solution;
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-12;
    assert_int_equal(saddle_solver_create(NULL, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, 1, 2, &solution), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
    char note[SADDLE_NOTE_SIZE];
    for (int repeat = 0; repeat < 3; repeat++) {
        const saddle_report *report = saddle_solver_report(solver);
        assert_int_equal(saddle_solver_solve(solver, &problem, NULL, &solution), expected);
        assert_string_equal(report->solver, "ldlt");
        assert_non_null(strstr(report->note, said));
        assert_int_equal(report->proof.kind,
                         expected == SADDLE_INFEASIBLE ? SADDLE_PROOF_ROWS : SADDLE_PROOF_NONE);
        if (repeat > 0) assert_string_equal(report->note, note);
        memcpy(note, report->note, sizeof note);
    }
    saddle_solution_clear(&solution);
    saddle_solver_free(solver);
}

static void a_second_solver_that_did_no_better_is_said_each_time(void **state)
{
    (void)state;
    repeat_two_rows(2.0, SADDLE_INFEASIBLE, "no solution: row 1 and row 2 contradict each other");
    repeat_two_rows(1.0 + 1e-10, SADDLE_NOT_CONVERGED, "lu did no better");
}

static saddle_status solve_every_way(saddle_context *context, void *user)
{
    (void)user;
    saddle_options options = crippled();
    saddle_status status = SADDLE_OK;
    for (int way = 0; way < 4 && status >= 0; way++) {
        system x;
        fill(&x, way == 1 ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER);
        if (way == 2) x.lo[0] = 0;
        saddle_solution solution = {0};
        status = saddle_solve(context, &x.problem, "auto", way == 3 ? &options : NULL, NULL,
                              &solution, NULL);
        saddle_solution_clear(&solution);
    }
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(solve_every_way, NULL) > 50);
}

/* A contact on a body of unit mass, and a velocity without mass that an equality row ties to it. */
static void friction_on_what_has_no_mass_is_solved_under_every_law(void **state)
{
    (void)state;
    int64_t M_start[] = {0, 1, 2, 3, 3}, M_index[] = {0, 1, 2};
    int64_t J_start[] = {0, 1, 2, 3, 5}, J_index[] = {0, 1, 2, 0, 3};
    double one[] = {1, 1, 1}, J[] = {1, 1, 1, -1, 1}, f[] = {-1, 0.2, 0.1, 0};
    saddle_contact contact = {.size = 3, .mu = 0.5};
    saddle_problem problem = {.n = 4, .m = 4, .f = f, .contacts = &contact, .contact_count = 1};
    problem.M = saddle_matrix_view(4, 4, M_start, M_index, one, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(4, 4, J_start, J_index, J, SADDLE_SYMMETRY_NONE);
    static const saddle_law laws[] = {SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID, SADDLE_LAW_CONE,
                                      SADDLE_LAW_ASSOCIATED};
    for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
        saddle_solution solution = {0};
        problem.law = laws[k];
        problem.facets = laws[k] == SADDLE_LAW_PYRAMID ? 4 : 0;
        assert_int_equal(saddle_solve(NULL, &problem, "auto", NULL, NULL, &solution, NULL),
                         SADDLE_OK);
        assert_true(fabs(solution.lambda[0] - 1) < 1e-8 && fabs(solution.v[3]) < 1e-8);
        assert_true(fabs(solution.v[1]) < 1e-8 && fabs(solution.lambda[1] + 0.2) < 1e-8);
        saddle_solution_clear(&solution);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_pick_follows_rows_and_matrices),
        cmocka_unit_test(dense_rows_without_velocities_are_pivots),
        cmocka_unit_test(sparse_rows_without_velocities_are_schurs),
        cmocka_unit_test(friction_is_picked_for_by_law_and_size),
        cmocka_unit_test(pyramids_without_a_solution_are_proven_beyond_short_paths),
        cmocka_unit_test(friction_on_dependent_rows_comes_to_projections),
        cmocka_unit_test(friction_from_a_start_is_pivoted),
        cmocka_unit_test(notes_of_later_solves_are_whole),
        cmocka_unit_test(contacts_with_more_rows_than_velocities_are_pivoted),
        cmocka_unit_test(pyramids_and_cones_in_the_plane_are_picked_for_as_boxes),
        cmocka_unit_test(without_friction_all_laws_are_the_box),
        cmocka_unit_test(sweeps_that_fall_short_are_followed_by_blocks),
        cmocka_unit_test(lu_takes_over_where_ldlt_falls_short),
        cmocka_unit_test(a_stop_is_not_an_invitation_to_try_lu),
        cmocka_unit_test(solving_again_after_the_take_over_works),
        cmocka_unit_test(a_take_over_that_fails_leaves_the_pick_in_place),
        cmocka_unit_test(lu_takes_over_from_any_factorization),
        cmocka_unit_test(a_second_solver_that_did_no_better_is_said_each_time),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(friction_on_what_has_no_mass_is_solved_under_every_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
