/* SPDX-License-Identifier: MIT */
/* A user's solver on the library's Delassus operator: two balls of 1 and 3 kg fall on each
 * other and the ground, height along z.  Rows: ball 1 above the ground, ball 2 above ball 1; both
 * impulses can only push.  Projected Gauss-Seidel on w = W lambda + q, 0 <= lambda _|_ w >= 0.
 * delassus.txt has the output.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

/* lambda_i <- max(0, lambda_i - w_i / W_ii), row after row, W's lower triangle by columns */
static void sweep(const saddle_matrix *W, const double *q, double *lambda)
{
    for (int64_t i = 0; i < W->rows; i++) {
        double w = q[i];
        for (int64_t j = 0; j < W->cols; j++) w += saddle_matrix_entry(W, i, j) * lambda[j];
        lambda[i] = fmax(0, lambda[i] - w / saddle_matrix_entry(W, i, i));
    }
}

int main(void)
{
    int64_t M_start[] = {0, 1, 2}, M_index[] = {0, 1}; /* velocities z1, z2 [m/s] */
    double M_value[] = {1, 3};                         /* [kg] */
    int64_t J_start[] = {0, 1, 3}, J_index[] = {0, 0, 1};
    double J_value[] = {1, -1, 1}; /* z1, z2 - z1: how fast the gaps open */
    double f[] = {-2, -9};         /* momenta before the impact [N s] */
    double lo[] = {0, 0}, lambda[] = {0, 0}, q[2], v[2];
    saddle_problem problem = {.n = 2,
                              .m = 2,
                              .f = f,
                              .lo = lo,
                              .M = saddle_matrix_view(2, 2, M_start, M_index, M_value,
                                                      SADDLE_SYMMETRY_LOWER),
                              .Jt = saddle_matrix_view(2, 2, J_start, J_index, J_value,
                                                       SADDLE_SYMMETRY_NONE)};
    saddle_context *context;
    saddle_delassus *delassus = NULL;
    saddle_status status = saddle_context_create(NULL, &context);
    if (status != SADDLE_OK) return fprintf(stderr, "%s\n", saddle_status_text(status)), 1;
    status = saddle_delassus_create(context, &problem, NULL, &delassus);
    if (status == SADDLE_OK) status = saddle_delassus_form(delassus, &problem);
    if (status == SADDLE_OK) status = saddle_delassus_reduce(delassus, &problem, q);
    for (int k = 0; status == SADDLE_OK && k < 200; k++)
        sweep(saddle_delassus_matrix(delassus), q, lambda);
    if (status == SADDLE_OK) status = saddle_delassus_recover(delassus, &problem, lambda, v);
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_context_message(context));
    if (status == SADDLE_OK) {
        printf("q        %9.6f %9.6f m/s\n", q[0], q[1]);
        printf("lambda   %9.6f %9.6f N s\n", lambda[0], lambda[1]);
        printf("v        %9.6f %9.6f m/s\n", fabs(v[0]), fabs(v[1])); /* at rest, -0 or 0 */
    }
    saddle_delassus_free(delassus);
    saddle_context_free(context);
    return status != SADDLE_OK;
}
