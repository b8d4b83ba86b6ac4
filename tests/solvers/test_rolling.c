/* SPDX-License-Identifier: MIT */
/* Contacts with torsional and rolling friction: the public problems, solvers against each other in
 * the rows' velocities, and what no solver does. */
#include <math.h>
#include <string.h>

#include "support.h"

/* ---- public problems ---- */

static double length_of(const double *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum = hypot(sum, x[i]);
    return sum;
}

/* |lambda| of the references computed by Siconos; 0 = none, or (rockfall: W of rank 49 of 70) one
 * of many. */
static const struct {
    const char *file;
    double impulse;
} public[] = {{"rfc_siconos/RFC3D_sphere_1.dat", 8.97887980},
              {"rfc_siconos/rfc3d_sphere_from_grfc3d.dat", 0.00455018626},
              {"rfc_siconos/rfc3d_sphere_from_grfc3d_dense.dat", 0.00455018626},
              {"rfc_siconos/rockfall_14_25792.dat", 0},
              {"rfc_siconos/GRFC3D_Chute-ndof-768-nc-4-3.dat", 0},
              {"fclib_hdf5/Chute-ndof-768-nc-4-3.hdf5", 0}};

static void the_public_rolling_problems_are_solved(void **state)
{
    (void)state;
    static const char *const solvers[] = {"auto", "gauss-seidel", "admm"};
    for (size_t k = 0; k < sizeof public / sizeof *public; k++)
        for (int s = 0; s < 3; s++) {
            saddle_problem problem;
            saddle_solution solution = {0};
            saddle_report report;
            assert_int_equal(saddle_problem_read(NULL, test_data_path(public[k].file), NULL,
                                                 &problem, NULL, NULL, NULL),
                             SADDLE_OK);
            assert_int_equal(saddle_solve(NULL, &problem, solvers[s], NULL, NULL, &solution,
                                          &report),
                             SADDLE_OK);
            print_message("    %-50s %-12s total %.1e, natural map %.1e, over |q| %.1e\n",
                          public[k].file, solvers[s], report.residual.total,
                          report.residual.natural_map, report.residual.natural_map_q);
            assert_true(report.residual.natural_map <= 1e-8);
            if (s == 0) assert_true(report.residual.natural_map_q <= 1e-8);
            double impulse = length_of(solution.lambda, problem.m);
            if (public[k].impulse > 0)
                assert_true(fabs(impulse - public[k].impulse) <= 1e-8 * public[k].impulse);
            saddle_solution_clear(&solution);
            saddle_problem_clear(&problem);
        }
}

/* ---- coefficients that change ---- */

enum { BODIES = 60, ROWS = 6 * BODIES };

/* Bodies of unit mass and inertia, each pressed on the ground by 1 and pushed and turned by 1/2:
 * with v = 0 along the normal, friction takes mu, mu_torsion and mu_rolling from the rest.  More
 * rows than islands are joined for. */
static void coefficients_that_change_count_in_the_next_solve(void **state)
{
    (void)state;
    static const double push[6] = {-1, 0.5, 0, 0.5, 0, 0.5};
    static const double mu[2][3] = {{0.1, 0.2, 0.3}, {0.3, 0.1, 0.2}};
    saddle_problem problem = {.n = ROWS, .m = ROWS, .contact_count = BODIES};
    saddle_contact contacts[BODIES];
    int64_t index[ROWS];
    double one[ROWS], f[ROWS];
    saddle_solution solution = {0};
    saddle_solver *solver;
    for (int64_t i = 0; i < ROWS; i++) index[i] = i, one[i] = 1, f[i] = push[i % 6];
    assert_int_equal(saddle_matrix_from_triplets(NULL, ROWS, ROWS, ROWS, index, index, one,
                                                 SADDLE_SYMMETRY_LOWER, &problem.M),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_from_triplets(NULL, ROWS, ROWS, ROWS, index, index, one,
                                                 SADDLE_SYMMETRY_NONE, &problem.Jt),
                     SADDLE_OK);
    problem.f = f;
    problem.contacts = contacts;
    assert_int_equal(saddle_solution_create(NULL, ROWS, ROWS, &solution), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "auto", NULL, &solver), SADDLE_OK);
    for (int k = 0; k < 2; k++) {
        for (int64_t c = 0; c < BODIES; c++)
            contacts[c] = (saddle_contact){6 * c, 6, mu[k][0], mu[k][1], mu[k][2]};
        if (k == 0) assert_int_equal(saddle_solver_analyse(solver, &problem), SADDLE_OK);
        if (k == 0) assert_int_equal(saddle_solver_factor(solver, &problem), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &problem, NULL, &solution), SADDLE_OK);
        assert_non_null(strstr(saddle_solver_report(solver)->note, "islands"));
        for (int64_t i = 0; i < ROWS; i++) {
            double left = push[i % 6] > 0 ? 0.5 - mu[k][i % 6 / 2] : 0;
            assert_true(fabs(solution.v[i] - left) < 1e-8);
        }
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.M);
    saddle_matrix_clear(&problem.Jt);
}

/* ---- drawn problems ---- */

enum { CONTACTS = 6, MOST = 6 * CONTACTS, MOTIONS = 40 };

typedef struct drawn {
    double matrix[MOST * MOTIONS], mass[MOTIONS], f[MOTIONS], b[MOST];
    int64_t start[MOST + MOTIONS + 2], index[MOST * MOTIONS], mass_index[MOTIONS];
    saddle_contact contact[CONTACTS];
    saddle_problem problem;
} drawn;

/* J drawn, M a diagonal, torsion and rolling in drawn units of length.  rank: motions, at least as
 * many as rows make W > 0; the rows admit v = 0. */
static void draw(uint64_t *state, saddle_law law, int64_t rank, double friction, drawn *d)
{
    int64_t m = 0;
    *d = (drawn){.problem = {.n = rank, .law = law, .contact_count = CONTACTS}};
    for (int c = 0; c < CONTACTS; c++) {
        int64_t size = test_integer(state, 3, 6);
        saddle_contact *contact = &d->contact[c];
        *contact = (saddle_contact){.row = m, .size = size};
        double unit = pow(10, test_uniform(state, -2, 2));
        contact->mu = test_uniform(state, 0, friction);
        if (size % 2 == 0) contact->mu_torsion = unit * test_uniform(state, 0, friction);
        if (size >= 5) contact->mu_rolling = unit * test_uniform(state, 0, friction);
        for (int64_t i = 0; i < size; i++, m++) {
            d->b[m] = i == 0 ? -4 : test_uniform(state, -1, 1) / (i >= 3 ? unit : 1);
            for (int64_t j = 0; j < rank; j++) {
                d->matrix[m * rank + j] = test_uniform(state, -1, 1) / (i >= 3 ? unit : 1);
                d->index[m * rank + j] = j;
            }
            d->start[m + 1] = (m + 1) * rank;
        }
    }
    int64_t *mass_start = d->start + m + 1;
    for (int64_t j = 0; j < rank; j++) {
        d->mass[j] = test_uniform(state, 0.5, 2);
        d->f[j] = test_uniform(state, -6, 6);
        d->mass_index[j] = mass_start[j] = j;
    }
    mass_start[rank] = rank;
    d->problem.m = m;
    d->problem.f = d->f;
    d->problem.b = d->b;
    d->problem.contacts = d->contact;
    d->problem.M = saddle_matrix_view(rank, rank, mass_start, d->mass_index, d->mass,
                                      SADDLE_SYMMETRY_LOWER);
    d->problem.Jt = saddle_matrix_view(rank, m, d->start, d->index, d->matrix,
                                       SADDLE_SYMMETRY_NONE);
}

static double difference(const saddle_solution *a, const saddle_solution *b)
{
    double most = 0, size = 0;
    for (int64_t j = 0; j < a->n; j++) {
        most = fmax(most, fabs(a->v[j] - b->v[j]));
        size = fmax(size, fabs(a->v[j]));
    }
    return most / size;
}

/* The velocities of the first solver and of the others; `by` ends in NULL.  Returns how many
 * contacts push. */
static int agree(const drawn *d, int draw, const char *const *by)
{
    saddle_options options = saddle_options_default();
    saddle_solution first = {0};
    options.tolerance = 1e-11;
    for (int s = 0; by[s]; s++) {
        saddle_solution solution = {0};
        saddle_report report;
        saddle_status status = saddle_solve(NULL, &d->problem, by[s], &options, NULL, &solution,
                                            &report);
        if (status != SADDLE_OK)
            fail_msg("draw %d: %s: %s, %g", draw, by[s], saddle_status_name(status),
                     report.residual.total);
        if (s > 0 && !(difference(&first, &solution) <= 1e-7))
            fail_msg("draw %d: %s and %s differ by %g", draw, by[0], by[s],
                     difference(&first, &solution));
        if (s == 0)
            first = solution;
        else
            saddle_solution_clear(&solution);
    }
    int pushing = 0;
    for (int c = 0; c < CONTACTS; c++) pushing += first.lambda[d->contact[c].row] > 0;
    saddle_solution_clear(&first);
    return pushing;
}

/* motions: of odd trials, of even trials; few of them leave W singular. */
static void solvers_agree(saddle_law law, const int motions[2], double mu, const char *const *by)
{
    uint64_t seed = test_seed();
    drawn d;
    int pushing = 0;
    for (int trial = 0; trial < test_draws(40); trial++) {
        draw(&seed, law, motions[trial % 2 == 0], mu, &d);
        pushing += agree(&d, trial, by);
    }
    assert_true(pushing > test_draws(40));
}

/* The relaxed law is a convex program: one v, though W be singular. */
static void solvers_agree_on_the_relaxed_law(void **state)
{
    (void)state;
    static const char *const by[] = {"admm", "gauss-seidel", "auto", NULL};
    solvers_agree(SADDLE_LAW_ASSOCIATED, (int[]){MOTIONS, 15}, 0.8, by);
}

/* Where mu is small, W's monotony outweighs the shift: one answer. */
static void solvers_agree_on_small_coulomb_friction(void **state)
{
    (void)state;
    static const char *const by[] = {"admm", "gauss-seidel", "auto", NULL};
    solvers_agree(SADDLE_LAW_CONE, (int[]){MOTIONS, MOTIONS}, 0.1, by);
}

static void solvers_agree_on_boxes(void **state)
{
    (void)state;
    static const char *const by[] = {"pivot", "schur", "lemke", "gauss-seidel",
                                     "admm",  "auto",  NULL};
    solvers_agree(SADDLE_LAW_BOX, (int[]){MOTIONS, MOTIONS}, 0.1, by);
}

/* A contact of 3 rows beside one of 5. */
static void wide_pyramids_are_no_solver_s(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_solution solution = {0};
    uint64_t seed = test_seed();
    drawn d;
    draw(&seed, SADDLE_LAW_PYRAMID, MOTIONS, 0.5, &d);
    d.contact[0] = (saddle_contact){.size = 3, .mu = 0.5};
    d.contact[1] = (saddle_contact){.row = 3, .size = 5, .mu = 0.5, .mu_rolling = 0.1};
    d.problem.contact_count = 2;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &d.problem, "gauss-seidel", NULL, NULL, &solution, NULL),
                     SADDLE_UNSUPPORTED);
    const char *message = saddle_context_message(context);
    assert_non_null(strstr(message, "row 4 [contact of over 3 rows, law pyramid]"));
    assert_null(strstr(message, "row 1 ["));
    assert_non_null(strstr(message, "no solver here can"));
    saddle_solution_clear(&solution);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coefficients_that_change_count_in_the_next_solve),
        cmocka_unit_test(the_public_rolling_problems_are_solved),
        cmocka_unit_test(solvers_agree_on_the_relaxed_law),
        cmocka_unit_test(solvers_agree_on_small_coulomb_friction),
        cmocka_unit_test(solvers_agree_on_boxes),
        cmocka_unit_test(wide_pyramids_are_no_solver_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
