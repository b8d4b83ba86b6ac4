/* SPDX-License-Identifier: MIT */
/* Rows and contacts as a mixed linear complementarity problem with bounds:
 *
 *     y = A x + c,   lo <= x <= hi:   y = 0 strictly between, y >= 0 at lo, y <= 0 at hi
 *         A: size x size
 *
 * A row outside contacts is one unknown, x_k = lambda_i, y_k = w_i, with the bounds of the row; a
 * row with equal bounds is a constant.  A contact has its normal, n, and its friction; mu = 0:
 * none.
 *
 * Box, and the plane: each tangent is an unknown with bounds that follow the normal (variable upper
 * bounds, Schrage 1975), counted from the bound on its side s,
 *
 *     lambda_t = x_t - s mu lambda_n,    0 <= s x_t <= 2 mu lambda_n       s = 1: low, -1: high
 *
 * so the column of lambda_n is W_n - sum_t s mu W_t; the path changes the sides.
 *
 * Pyramid in space (Lloyd, ArtiSynth mechanics notes, section 0.10; Stewart and Trinkle 1996;
 * Anitescu and Potra 1997): a set of directions d_1 .. d_eta, eta = facets,
 *
 *     lambda_t = sum_k d_k beta_k        beta_k >= 0   _|_   d_k'w_t + sigma              >= 0
 *                                        sigma  >= 0   _|_   mu lambda_n - sum_k beta_k   >= 0
 *
 * As sets alone, without unknowns whose bounds follow others, a box is a set +-t for each tangent.
 *
 * The matrix is stored in units, A' = diag(row_unit) A diag(column_unit), powers of two with which
 * the largest entry of each row and column is about 1 (Ruiz 2001).
 */
#ifndef SADDLE_LEMKE_EXPANSION_H
#define SADDLE_LEMKE_EXPANSION_H

#include <math.h>

#include "base/layout.h"
#include "saddle/problem.h"

/* x_k acts on two rows, lambda += part[0] e_row[0] + part[1] e_row[1], and
 * y_k = part[0] w_row[0] + part[1] w_row[1] + friction terms. */
typedef struct saddle__unknown {
    int64_t row[2];
    double part[2];
} saddle__unknown;

typedef struct saddle__friction {
    int64_t normal;       /* the unknown lambda_n */
    int64_t first, count; /* the unknowns beta */
    int64_t slack;        /* the unknown sigma */
    double mu;
} saddle__friction;

typedef struct saddle__expansion {
    int64_t m;
    int as_sets;              /* 1: no unknowns whose bounds follow others */
    int64_t most;             /* size for any bounds and mu */
    int64_t most_groups;      /* groups for any bounds and mu */
    int64_t entries;          /* room in A */
    int64_t *room;            /* m: unknowns acting on each row at most */
    int64_t size;             /* unknowns */
    int64_t groups;           /* sets of directions */
    saddle__unknown *unknown; /* size */
    double *lo, *hi;          /* size */
    int64_t *group_of; /* size: of a direction or slack its set, of a normal the first set; -1 = no
                          set */
    saddle__friction *group; /* groups */
    int64_t *normal; /* size: the unknown lambda_n that the bounds follow, -1 = none; lo = hi = 0 */
    double *mu;      /* size: the coefficient then */
    int64_t *first_of;              /* m: first of the consecutive unknowns .. */
    int64_t *count_of;              /* m: .. acting on each row, and their number */
    double *constant;               /* m: lambda of the rows with equal bounds, else 0 */
    saddle_matrix A;                /* size x size, general, in units */
    double *row_unit, *column_unit; /* size */
    double *sum, *factor;           /* size: scratch */
    int64_t *mark, *touched;        /* size: scratch of one column */
    saddle__layout layout;
} saddle__expansion;

/* W (m x m, general): the pattern.  as_sets: see above. */
saddle_status saddle__expansion_create(saddle_context *context, const saddle_problem *problem,
                                       const saddle_matrix *W, int as_sets,
                                       saddle__expansion *expansion);
/* half-built is fine */
void saddle__expansion_clear(saddle_context *context, saddle__expansion *expansion);

static inline int saddle__expansion_is_free(const saddle__expansion *expansion, int64_t k)
{
    return expansion->lo[k] == -(double)INFINITY && expansion->hi[k] == (double)INFINITY;
}

/* The unknowns from bounds and friction coefficients. */
void saddle__expansion_fill(saddle__expansion *expansion, const saddle_problem *problem);

/* A and its units from W (m x m, general), after fill; all sides are low. */
void saddle__expansion_matrix(saddle__expansion *expansion, const saddle_matrix *W);

/* y (size) from w (m) and x (size): parts of w, and the sums with sigma, mu lambda_n and beta. */
void saddle__expansion_slack(const saddle__expansion *expansion, const double *w, const double *x,
                             double *y);

/* lambda (m) += impulses of x (size).  side (size): 1 = low, -1 = high; NULL: multipliers of y. */
void saddle__expansion_fold(const saddle__expansion *expansion, const signed char *side,
                            const double *x, double *lambda);

#endif
