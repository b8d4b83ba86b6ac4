/* SPDX-License-Identifier: MIT */
/* Rows and contacts as one mixed complementarity problem with bounds:
 *
 *     y = A x + c,   lo <= x <= hi:   y = 0 strictly between, y >= 0 at lo, y <= 0 at hi
 *         A: size x size
 *
 * A row that is no contact's is an unknown of its own, x_k = lambda_i, y_k = w_i, with its bounds;
 * a row whose bounds are equal is a constant.  A contact (seed 000 section 0.10; Stewart and
 * Trinkle 1996, Anitescu and Potra 1997) has its normal, and for each set of directions d_1 ..
 * d_eta in which friction acts
 *
 *     lambda_t = sum_k d_k beta_k        beta_k >= 0   _|_   d_k'w_t + sigma           >= 0
 *                                        sigma  >= 0   _|_   mu lambda_n - sum_k beta_k >= 0
 *
 * pyramid: one set, eta = facets directions in space, +-t_1 in the plane; box: a set +-t for each
 * tangent.  mu = 0: no set.
 */
#ifndef SADDLE_LEMKE_EXPANSION_H
#define SADDLE_LEMKE_EXPANSION_H

#include "saddle/problem.h"

/* x_k acts on two rows, lambda += part[0] e_row[0] + part[1] e_row[1], and y_k = part[0] w_row[0] +
 * part[1] w_row[1] + .. */
typedef struct saddle__acting {
    int64_t row[2];
    double part[2];
} saddle__acting;

typedef struct saddle__friction {
    int64_t normal;       /* the unknown that is lambda_n */
    int64_t first, count; /* beta_k */
    int64_t slack;        /* sigma */
    double mu;
} saddle__friction;

typedef struct saddle__expansion {
    int64_t capacity;        /* unknowns at most, whatever bounds and mu */
    int64_t size;            /* unknowns */
    int64_t free;            /* the first so many have no bounds */
    int64_t groups;          /* sets of directions */
    saddle__acting *acting;  /* size */
    double *lo, *hi;         /* size */
    saddle__friction *group; /* groups */
    double *constant;        /* m: lambda where it is given, else 0 */
    int has_constant;
} saddle__expansion;

/* How many unknowns there may be for rows and contacts of this pattern. */
int64_t saddle__expansion_capacity(const saddle_problem *problem);

saddle_status saddle__expansion_create(saddle_context *context, const saddle_problem *problem,
                                       saddle__expansion *expansion);
/* half-built ones are fine */
void saddle__expansion_clear(saddle_context *context, saddle__expansion *expansion);

/* From the bounds and friction coefficients. */
void saddle__expansion_fill(saddle__expansion *expansion, const saddle_problem *problem);

/* A (size x size, by columns) from W (m x m). */
void saddle__expansion_matrix(const saddle__expansion *expansion, const double *W, int64_t m,
                              double *A);

/* y (size) from w (m) and x: parts of w, and the sums with sigma, mu lambda_n and beta. */
void saddle__expansion_slack(const saddle__expansion *expansion, const double *w, const double *x,
                             double *y);

/* lambda (m) += what x pushes; whole: from the constants on. */
void saddle__expansion_fold(const saddle__expansion *expansion, int64_t m, const double *x,
                            int whole, double *lambda);

#endif
