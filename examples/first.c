/* SPDX-License-Identifier: MIT */
/* Two particles of 1 and 2 kg hang on two rods, ground - 1 - 2, at rest; gravity pulls for 0.01 s.
 * Prints the velocities after the step and the impulses in the rods; first.txt has the output. */
#include <stdio.h>

#include "saddle/saddle.h"

int main(void)
{
    int64_t M_start[] = {0, 1, 2, 3, 4}, M_index[] = {0, 1, 2, 3}; /* velocities x1 y1 x2 y2
                                                                      [m/s] */
    double M_value[] = {1, 1, 2, 2};                               /* [kg] */
    int64_t J_start[] = {0, 2, 4}, J_index[] = {0, 1, 0, 2}; /* rows: each rod keeps its length */
    double J_value[] = {0.6, -0.8, -1, 1};
    double f[] = {0, -0.0981, 0, -0.1962}; /* gravity's impulse [N s] */
    saddle_problem problem = {.n = 4,
                              .m = 2,
                              .f = f,
                              .M = saddle_matrix_view(4, 4, M_start, M_index, M_value,
                                                      SADDLE_SYMMETRY_LOWER),
                              .Jt = saddle_matrix_view(4, 2, J_start, J_index, J_value,
                                                       SADDLE_SYMMETRY_NONE)};
    saddle_context *context; /* takes the messages */
    saddle_solution solution = {0};
    saddle_report report;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    saddle_status status = saddle_solve(context, &problem, NULL, NULL, NULL, &solution, &report);
    if (status == SADDLE_OK) {
        printf("v        %9.6f %9.6f %9.6f %9.6f m/s\n", solution.v[0], solution.v[1],
               solution.v[2], solution.v[3]);
        printf("lambda   %9.6f %9.6f N s\n", solution.lambda[0], solution.lambda[1]);
        printf("residual %9.6f by %s\n", report.residual.total, report.solver);
    } else {
        fprintf(stderr, "%s\n", saddle_context_message(context));
    }
    saddle_solution_clear(&solution);
    saddle_context_free(context);
    return status != SADDLE_OK;
}
