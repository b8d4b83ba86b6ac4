/* SPDX-License-Identifier: MIT */
/* lemke on the public friction problems, taken as pyramids. */
#include "support.h"

static saddle_report solve(const saddle_problem *problem, saddle_solution *solution)
{
    saddle_report report;
    saddle_status status = saddle_solve(NULL, problem, "lemke", NULL, NULL, solution, &report);
    if (status < 0) fail_msg("%s", saddle_status_name(status));
    return report;
}

static saddle_problem read_as_pyramid(const char *file)
{
    saddle_problem problem = {0};
    saddle_read_options options = {0};
    if (saddle_problem_read(NULL, test_data_path(file), &options, &problem, NULL, NULL, NULL) !=
        SADDLE_OK)
        fail_msg("%s cannot be read", file);
    problem.law = SADDLE_LAW_PYRAMID;
    return problem;
}

/* All of fc2d_siconos, one file without a contact.  In the plane the pyramid is the cone: an answer
 * for one law is accepted by the checker for the other. */
static void friction_problems_in_the_plane_are_solved_exactly(void **state)
{
    (void)state;
    static const char *const files[] = {
        "fc2d_siconos/FC2D_SliderCrankLagrangian00000.dat",
        "fc2d_siconos/FrictionContactProblem00031.dat",
        "fc2d_siconos/FrictionContactProblem00394.dat",
        "fc2d_siconos/FrictionContactProblem00237.dat",
        "fc2d_siconos/gfc2d_granularflowonwall_00069_00350.dat",
        "fc2d_siconos/fc2d_granularflowonwall_00667_00000.dat",
        "fc2d_siconos/gfc2d_granularflowonwall_00000_00117.dat",
        "fc2d_siconos/fc2d_granularflowonwall_02020_00213.dat",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        saddle_problem problem = read_as_pyramid(files[k]);
        saddle_solution solution = {0};
        saddle_residual residual;
        saddle_report report = solve(&problem, &solution);
        if (report.status != SADDLE_OK)
            fail_msg("%s: residual %g", files[k], report.residual.total);
        problem.law = SADDLE_LAW_CONE;
        assert_int_equal(saddle_solution_check(NULL, &problem, &solution, &residual, NULL),
                         SADDLE_OK);
        assert_true(residual.total <= 1e-10);
        saddle_solution_clear(&solution);
        saddle_problem_clear(&problem);
    }
}

/* With a W of rank 49 of 75 among them. */
static void small_friction_problems_in_space_are_solved_as_pyramids(void **state)
{
    (void)state;
    static const char *const files[] = {
        "fc3d_siconos/Confeti-ex13-4contact-Fc3D-SBM.dat",
        "fc3d_siconos/FC3D_Example1.dat",
        "fc3d_siconos/NESpheres_10_1.dat",
        "fc3d_siconos/OneObject-i100000-316.hdf5.dat",
        "fc3d_siconos/OneObject-i1028-138.hdf5.dat",
        "fc3d_siconos/Rover1040.dat",
    };
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        saddle_problem problem = read_as_pyramid(files[k]);
        saddle_solution solution = {0};
        for (problem.facets = 4; problem.facets <= 12; problem.facets += 4) {
            saddle_report report = solve(&problem, &solution);
            if (report.status != SADDLE_OK)
                fail_msg("%s, %d facets: residual %g", files[k], (int)problem.facets,
                         report.residual.total);
        }
        saddle_solution_clear(&solution);
        saddle_problem_clear(&problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_problems_in_the_plane_are_solved_exactly),
        cmocka_unit_test(small_friction_problems_in_space_are_solved_as_pyramids),
    };
    return cmocka_run_group_tests_name("lemke_data", tests, NULL, NULL);
}
