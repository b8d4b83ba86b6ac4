/* SPDX-License-Identifier: MIT */
/* Two masses of 2 kg and 1 kg on a line, a push of 2 N s on the first, held together by one row:
 * both move at 2/3 m/s. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "saddle/saddle.h"

int main(void)
{
    int64_t M_start[] = {0, 1, 2}, M_index[] = {0, 1}, J_start[] = {0, 2}, J_index[] = {0, 1};
    double M_value[] = {2, 1}, J_value[] = {1, -1}, f[] = {2, 0};
    saddle_problem problem = {.n = 2, .m = 1, .f = f};
    saddle_solution solution = {0};
    saddle_report report;
    char version[32];

    problem.M = saddle_matrix_view(2, 2, M_start, M_index, M_value, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(2, 1, J_start, J_index, J_value, SADDLE_SYMMETRY_NONE);
    if (saddle_solve(NULL, &problem, NULL, NULL, NULL, &solution, &report) != SADDLE_OK) {
        fprintf(stderr, "not solved: %s\n", saddle_status_text(report.status));
        return 1;
    }
    printf("%s: v = %.3f %.3f, lambda = %.3f, residual %.1e by %s\n", saddle_version(),
           solution.v[0], solution.v[1], solution.lambda[0], report.residual.total, report.solver);
    int right = fabs(solution.v[0] - 2.0 / 3.0) < 1e-9 && fabs(solution.v[1] - 2.0 / 3.0) < 1e-9 &&
                fabs(solution.lambda[0] + 2.0 / 3.0) < 1e-9;
    saddle_solution_clear(&solution);

    snprintf(version, sizeof version, "%d.%d.%d", SADDLE_VERSION_MAJOR, SADDLE_VERSION_MINOR,
             SADDLE_VERSION_PATCH);
    return right && strcmp(version, saddle_version()) == 0 ? 0 : 1;
}
