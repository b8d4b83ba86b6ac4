/* SPDX-License-Identifier: MIT */
/* Four balls of 1 kg fall on a table in turn. A ball near the table has a row, v >= -height / h,
 * with the ball's number as id: at any place among the rows of a step, the solver starts the row
 * from its impulse in the step before. steps.txt has the output. */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

enum { BALLS = 4, STEPS = 6 };

int main(void)
{
    const double h = 0.1, gravity = 10;                                /* [s], [m/s^2] */
    double height[BALLS] = {0.55, 0.05, 0.9, 0.3}, speed[BALLS] = {0}; /* [m], [m/s] */
    int64_t diagonal[BALLS + 1] = {0, 1, 2, 3, 4}, column[BALLS] = {0, 1, 2, 3};
    double mass[BALLS] = {1, 1, 1, 1}, one[BALLS] = {1, 1, 1, 1}; /* [kg], [-] */
    double f[BALLS], b[BALLS], lo[BALLS] = {0}, hi[BALLS];
    int64_t id[BALLS], ball[BALLS];
    saddle_solver *solver;
    if (saddle_solver_create(NULL, "schur", NULL, &solver) != SADDLE_OK) return 1;
    for (int step = 1; step <= STEPS; step++) {
        int64_t m = 0;
        for (int64_t i = 0; i < BALLS; i++) {
            f[i] = mass[i] * (speed[i] - h * gravity); /* momentum after the fall [N s] */
            if (height[i] > 0.5) continue;             /* out of reach in this step */
            ball[m] = i;
            id[m] = 1001 + i;
            b[m] = -height[i] / h;
            hi[m++] = INFINITY;
        }
        saddle_problem problem = {.n = BALLS,
                                  .m = m,
                                  .f = f,
                                  .b = b,
                                  .lo = lo,
                                  .hi = hi,
                                  .row_id = id,
                                  .M = saddle_matrix_view(BALLS, BALLS, diagonal, column, mass,
                                                          SADDLE_SYMMETRY_LOWER),
                                  .Jt = saddle_matrix_view(BALLS, m, diagonal, ball, one,
                                                           SADDLE_SYMMETRY_NONE)};
        saddle_solution x = {0};
        saddle_status status = saddle_solution_create(NULL, BALLS, m, &x);
        if (status == SADDLE_OK)
            status = saddle_solver_analyse(solver, &problem); /* other rows: a new pattern */
        if (status == SADDLE_OK) status = saddle_solver_factor(solver, &problem);
        if (status == SADDLE_OK) status = saddle_solver_solve(solver, &problem, NULL, &x);
        if (status != SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
        const saddle_report *report = saddle_solver_report(solver);
        printf("step %d: %lld rows, %lld known, %lld pivots", step, (long long)m,
               (long long)report->warm_rows, (long long)report->pivots);
        for (int64_t i = 0; i < m; i++)
            printf("   ball %lld %.2f N s", (long long)ball[i] + 1, x.lambda[i]);
        printf("\n");
        for (int64_t i = 0; i < BALLS; i++) {
            speed[i] = x.v[i];
            height[i] += h * speed[i];
        }
        saddle_solution_clear(&x);
    }
    saddle_solver_free(solver);
    return 0;
}
