/* SPDX-License-Identifier: MIT */
/* The table x_B = T x_N of Lemke's path in revised form: nothing is kept but a factored basis.
 *
 *     y - A x - d t = q        variables by number: x_k is k, y_k is size + k, t is 2 size
 *     B = the columns of the basic variables: e_k of y_k, -A_k of x_k, -d of t
 *     T = -B^-1 [columns of the others]
 *
 * B is factored sparse (factor/factorization.h).  A pivot multiplies B^-1 by one elementary matrix,
 * E = I but for column r,
 *
 *     z = B^-1 v:   z_r <- z_r / w_r,   z_i <- z_i - w_i z_r        w = B^-1 (entering column)
 *
 * (product form; Dantzig and Orchard-Hays 1954); when there are many of them, or when a column
 * leaves a residual, B is factored anew.  Rows of T, which only ties ask for, are solved for
 * transposed and kept until the next pivot. */
#ifndef SADDLE_LEMKE_REVISED_H
#define SADDLE_LEMKE_REVISED_H

#include "factor/factorization.h"
#include "saddle/matrix.h"

enum { SADDLE__REVISED_ROWS = 16 }; /* rows of T that are kept */

/* A by columns: column k from begin[k] to end[k] of index and value.  make, where there is one,
 * makes a column whose begin is negative when it is first asked for; 0: it cannot. */
typedef struct saddle__revised_table {
    int64_t size;
    const int64_t *begin, *end;
    const int64_t *index;
    const double *value;
    int (*make)(void *user, int64_t k);
    void *user;
} saddle__revised_table;

typedef struct saddle__revised {
    saddle_context *context;
    int64_t size;
    saddle__revised_table A;        /* size x size: the caller's */
    double *d;                      /* size */
    int64_t *basic;                 /* size: the variable of each row */
    saddle__factorization *factors; /* of the basis when it was factored last */
    saddle_matrix B;                /* that basis; its arrays have room for any */
    int64_t entries;                /* room in B */
    int64_t changes;                /* elementary matrices since */
    int64_t *change_start;          /* MOST + 1 */
    int64_t *change_row;            /* MOST: r */
    double *change_pivot;           /* MOST: w_r */
    int64_t *change_index;          /* room: i .. */
    double *change_value;           /* room: .. and w_i */
    int64_t room;
    double *left; /* size */
    int64_t rows; /* of T that are known */
    int64_t row[SADDLE__REVISED_ROWS];
    double *row_value;    /* rows x size: e_r'B^-1 */
    int64_t factored;     /* how often */
    saddle_status status; /* what went wrong, if anything did; SADDLE_UNSUPPORTED: a column cannot
                             be made */
} saddle__revised;

/* most: of size; entries: of A. */
saddle_status saddle__revised_create(saddle_context *context, int64_t most, int64_t entries,
                                     saddle__revised *revised);
/* half-built ones are fine */
void saddle__revised_clear(saddle_context *context, saddle__revised *revised);

/* basic (size) becomes the basis.  0: it is singular, or memory ran out (status). */
int saddle__revised_begin(saddle__revised *revised, const saddle__revised_table *A,
                          const int64_t *basic);

/* column (size) <- T's column of a nonbasic variable.  0: status. */
int saddle__revised_column(saddle__revised *revised, int64_t variable, double *column);

/* T's entry in row r; 0 where the variable's column cannot be made, and then status. */
double saddle__revised_entry(saddle__revised *revised, int64_t r, int64_t variable);

/* d, so that t's column is as given (size). */
void saddle__revised_cover(saddle__revised *revised, const double *column);

/* variable takes row r; column: its own.  1 = as it was asked; 2 = and factored anew; 0: status. */
int saddle__revised_exchange(saddle__revised *revised, int64_t r, int64_t variable,
                             const double *column);

/* value (size) <- the basic variables, where the others are x (0 for basic ones) and t.  0:
 * status. */
int saddle__revised_settle(saddle__revised *revised, const double *q, const double *x, double t,
                           double *value);

/* v (size) <- B^-1 v.  0: status. */
int saddle__revised_solve(saddle__revised *revised, double *v);

/* v (size) <- B'^-1 v.  0: status. */
int saddle__revised_solve_transpose(saddle__revised *revised, double *v);

#endif
