/* SPDX-License-Identifier: MIT */
/* gauss-seidel on problems that others have exported, against reference solutions that other
 * programs have computed.
 *
 * Compared are the residual and the rows' velocity w, never lambda: where W is rank-deficient two
 * right answers differ by tens of percent in lambda.  The table of sweeps, times and residuals is
 * printed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

typedef struct example {
    const char *path;      /* under SADDLE_DATA */
    const char *reference; /* under ref_solutions; two columns, the second is w */
    const char *rhs;       /* where q is in a file of its own */
    double near; /* |w - reference| <= near max(|b|, |w|, |v|), from the reference's accuracy */
} example;

static const example friction[] = {
    {"fc3d_siconos/BoxesStack1-i100000-32.hdf5.dat", "BoxesStack1-i100000-32.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Capsules-i100-889.dat", "Capsules-i100-889.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Capsules-i101-404.dat", "Capsules-i101-404.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Capsules-i122-1617.dat", "Capsules-i122-1617.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Confeti-ex03-Fc3D-SBM.dat", "Confeti-ex03-Fc3D-SBM.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Confeti-ex13-4contact-Fc3D-SBM.dat", "Confeti-ex13-4contact-Fc3D-SBM.ru.txt",
     NULL, 1e-8},
    {"fc3d_siconos/FC3D_Example1.dat", "FC3D_Example1.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/FC3D_Example1_SBM.dat", "FC3D_Example1_SBM.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/FrictionContact3D_1c.dat", "FrictionContact3D_1c.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/NESpheres_10_1.dat", "NESpheres_10_1.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/OneObject-i100000-316.hdf5.dat", "OneObject-i100000-316.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/OneObject-i1028-138.hdf5.dat", "OneObject-i1028-138.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover1039.dat", "Rover1039.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover1040.dat", "Rover1040.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover11035.dat", "Rover11035.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover3865.dat", "Rover3865.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover4144.dat", "Rover4144.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover4493.dat", "Rover4493.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover4609.dat", "Rover4609.ru.txt", NULL, 1e-8},
    {"fc3d_siconos/Rover4622.dat", "Rover4622.ru.txt", NULL, 1e-8},
    {"fc2d_siconos/FC2D_SliderCrankLagrangian00000.dat", "FC2D_SliderCrankLagrangian00000.ru.txt",
     NULL, 1e-8},
    {"fc2d_siconos/FrictionContactProblem00031.dat", "FrictionContactProblem00031.ru.txt", NULL,
     1e-8},
    {"fc2d_siconos/FrictionContactProblem00237.dat", "FrictionContactProblem00237.ru.txt", NULL,
     1e-8},
    {"fc2d_siconos/FrictionContactProblem00394.dat", "FrictionContactProblem00394.ru.txt", NULL,
     1e-8},
    /* W is unsymmetric by 2e-3 and the solution not unique: the reference's and ours, both right to
     * 1e-12, differ by 7e-6 in one contact, which slides in the one and sticks in the other */
    {"fclib_hdf5/Capsules-i97-269.hdf5", "fclib_Capsules-i97-269.ru.txt", NULL, 1e-5},
    {"fclib_hdf5/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5",
     "fclib_LMGC_100_PR_PerioBox-i00361-60-03000.ru.txt", NULL, 1e-8},
};

static const example global_friction[] = {
    {"gfc3d_siconos/GFC3D_Example0.dat", "GFC3D_Example0.ru.txt", NULL, 1e-8},
    {"gfc3d_siconos/GFC3D_Example00.dat", "GFC3D_Example00.ru.txt", NULL, 1e-8},
    {"gfc3d_siconos/GFC3D_Example00_badly_scaled.dat", "GFC3D_Example00_badly_scaled.ru.txt", NULL,
     1e-8},
    {"gfc3d_siconos/GFC3D_OneContact.dat", "GFC3D_OneContact.ru.txt", NULL, 1e-8},
    {"fclib_hdf5/Box_Stacks-i0035-31-0.hdf5", "fclib_Box_Stacks-i0035-31-0.ru.txt", NULL, 1e-8},
    {"fclib_hdf5/CubeH8.hdf5", "fclib_CubeH8.ru.txt", NULL, 1e-8},
    {"fclib_hdf5/LMGC_GFC3D-i00001-1-00000.hdf5", "fclib_LMGC_GFC3D-i00001-1-00000.ru.txt", NULL,
     1e-8},
    {"fclib_hdf5/Spheres-i099-356-679.hdf5", "fclib_Spheres-i099-356-679.ru.txt", NULL, 1e-8},
};

static const example complementarity[] = {
    {"lcp_siconos/lcp_deudeu.dat", "lcp_deudeu.zw.txt", NULL, 1e-8},
    {"lcp_siconos/lcp_mmc.dat", "lcp_mmc.zw.txt", NULL, 1e-8},
    {"lcp_siconos/lcp_trivial.dat", "lcp_trivial.zw.txt", NULL, 1e-8},
    {"lcp_siconos/lcp_exp_murty.dat", "lcp_exp_murty.zw.txt", NULL, 1e-8},
    {"lcp_siconos_old/murty1.dat", "old_murty1.zw.txt", NULL, 1e-8},
    {"lcp_siconos_old/MM_mmc.dat", "old_MM_mmc.zw.txt", "lcp_siconos_old/qq_mmc.dat", 1e-8},
    {"lcp_siconos_old/MM_mmc_mu2.dat", "old_MM_mmc_mu2.zw.txt", "lcp_siconos_old/qq_mmc_mu2.dat",
     1e-8},
    {"relay_siconos/relay_2x2.dat", "relay_2x2.zw.txt", NULL, 1e-8},
    {"relay_siconos/step_1x1.dat", "step_1x1.zw.txt", NULL, 1e-8},
    {"relay_siconos/step_2x2.dat", "step_2x2.zw.txt", NULL, 1e-8},
    {"gmp_siconos/GMP0.dat", "GMP0.zw.txt", NULL, 1e-8},
    {"gmp_siconos/GMP1.dat", "GMP1.zw.txt", NULL, 1e-8},
    {"gmp_siconos/GMP3.dat", "GMP3.zw.txt", NULL, 1e-8},
    {"gmp_siconos/GMP5.dat", "GMP5.zw.txt", NULL, 1e-8},
    {"mlcp_siconos/deudeu_mlcp.dat", "deudeu_mlcp.zw.txt", NULL, 1e-8},
    {"mlcp_siconos/m2n1_mlcp.dat", "m2n1_mlcp.zw.txt", NULL, 1e-8},
};

/* An error of w as large as 1e5 times the residual. */
static const example ill_conditioned = {"relay_siconos/relay1.dat", "relay1.zw.txt", NULL, 1e-8};

/* The second column of a reference file. */
static void read_reference(const char *name, int64_t m, double *w)
{
    char path[256];
    char line[256];
    int64_t count = 0;
    (void)snprintf(path, sizeof path, "ref_solutions/%s", name);
    FILE *file = fopen(test_data_path(path), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        char *end = NULL;
        (void)strtod(line, &end);
        assert_true(count < m);
        w[count++] = strtod(end, NULL);
    }
    (void)fclose(file);
    assert_int_equal(count, m);
}

static double norm(const double *x, int64_t count)
{
    double largest = 0.0;
    for (int64_t i = 0; x && i < count; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Reads, solves, judges by the checker and by the reference. */
static void solve_example(const example *e, double tolerance)
{
    saddle_context *context;
    saddle_problem problem = {0};
    saddle_solution solution = {0};
    saddle_report report;
    char q[256] = "";
    if (e->rhs) (void)snprintf(q, sizeof q, "%s", test_data_path(e->rhs));
    saddle_read_options read = {.rhs = e->rhs ? q : NULL};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_status status = saddle_problem_read(context, test_data_path(e->path), &read, &problem,
                                               NULL, NULL, NULL);
    if (status != SADDLE_OK) fail_msg("%s: %s", e->path, saddle_context_message(context));
    saddle_options options = saddle_options_default();
    options.tolerance = tolerance;
    status = saddle_solve(context, &problem, "gauss-seidel", &options, NULL, &solution, &report);
    print_message("%-50s %-22s %6lld sweeps %9.3f ms  total %.1e  natural map %.1e\n", e->path,
                  saddle_status_name(status), (long long)report.iterations,
                  1e3 * report.seconds.solve, report.residual.total, report.residual.natural_map);
    if (status != SADDLE_OK) fail_msg("%s: %s", e->path, saddle_context_message(context));

    double *w = calloc((size_t)problem.m + 1, sizeof *w);
    assert_non_null(w);
    read_reference(e->reference, problem.m, w);
    double scale = fmax(fmax(norm(problem.b, problem.m), norm(w, problem.m)),
                        norm(solution.v, problem.n));
    double away = 0.0;
    for (int64_t i = 0; i < problem.m; i++) away = fmax(away, fabs(w[i] - solution.w[i]));
    if (!(away <= e->near * scale))
        fail_msg("%s: w is %.2e from the reference's", e->path, away / scale);
    free(w);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

static void friction_files_reach_the_tolerance_and_the_reference_velocity(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof friction / sizeof *friction; k++)
        solve_example(&friction[k], 1e-12);
}

static void global_friction_files_reach_the_tolerance_and_the_reference_velocity(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof global_friction / sizeof *global_friction; k++)
        solve_example(&global_friction[k], 1e-12);
}

static void complementarity_files_reach_the_tolerance_and_the_reference_velocity(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof complementarity / sizeof *complementarity; k++)
        solve_example(&complementarity[k], 1e-12);
    solve_example(&ill_conditioned, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_files_reach_the_tolerance_and_the_reference_velocity),
        cmocka_unit_test(global_friction_files_reach_the_tolerance_and_the_reference_velocity),
        cmocka_unit_test(complementarity_files_reach_the_tolerance_and_the_reference_velocity),
    };
    return cmocka_run_group_tests_name("gauss-seidel on data", tests, NULL, NULL);
}
