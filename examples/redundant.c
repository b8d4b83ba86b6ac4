/* SPDX-License-Identifier: MIT */
/* A beam of 6 kg lies on three supports, left, middle and right: one too many. Prints the redundant
 * support, the shares of the weight with the least norm, and the result of a moved support;
 * redundant.txt has the output.
 */
#include <stdio.h>

#include "saddle/saddle.h"

static void print_rank(const saddle_problem *problem, const saddle_rank *rank)
{
    printf("%lld of %lld rows are independent\n", (long long)rank->rank, (long long)rank->examined);
    for (int64_t k = 0; k < rank->dependency_count; k++) {
        char text[200];
        saddle_rank_describe(problem, &rank->dependency[k], 0, text, sizeof text);
        printf("%s: %s", rank->dependency[k].inconsistent ? "contradicts" : "redundant", text);
        if (rank->dependency[k].inconsistent) printf(", but by %g m/s", rank->dependency[k].gap);
        printf("\n");
    }
}

int main(void)
{
    int64_t M_start[] = {0, 1, 2}, M_index[] = {0, 1}; /* velocities: up [m/s], turning [rad/s] */
    double M_value[] = {6, 2};                         /* [kg], [kg m^2] */
    int64_t J_start[] = {0, 2, 3, 5}, J_index[] = {0, 1, 0, 0, 1}; /* rows: the beam's rise at -1 m,
                                                                      0 and 1 m */
    double J_value[] = {1, -1, 1, 1, 1};
    double f[] = {-0.6, 0}, b[] = {0, 0, 0}; /* the weight's impulse in 0.01 s [N s]; the supports'
                                                rise [m/s] */
    char left[] = "left", middle[] = "middle", right[] = "right";
    char *names[] = {left, middle, right};
    saddle_problem problem = {.n = 2,
                              .m = 3,
                              .f = f,
                              .b = b,
                              .row_name = names,
                              .M = saddle_matrix_view(2, 2, M_start, M_index, M_value,
                                                      SADDLE_SYMMETRY_LOWER),
                              .Jt = saddle_matrix_view(2, 3, J_start, J_index, J_value,
                                                       SADDLE_SYMMETRY_NONE)};
    saddle_rank rank;
    if (saddle_rank_find(NULL, &problem, NULL, &rank) != SADDLE_OK) return 1;
    print_rank(&problem, &rank);
    saddle_rank_clear(&rank);

    saddle_solution solution = {0};
    saddle_status status = saddle_solve_least_multipliers(NULL, &problem, NULL,
                                                          SADDLE_MULTIPLIER_NORM_PLAIN, NULL,
                                                          &solution, NULL);
    if (status != SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    printf("lambda %.6f %.6f %.6f N s\n", solution.lambda[0], solution.lambda[1],
           solution.lambda[2]);
    saddle_solution_clear(&solution);

    b[1] = 0.25; /* only the middle support is raised */
    if (saddle_rank_find(NULL, &problem, NULL, &rank) != SADDLE_OK) return 1;
    print_rank(&problem, &rank);
    saddle_rank_clear(&rank);
    return 0;
}
