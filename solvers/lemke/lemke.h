/* SPDX-License-Identifier: MIT */
/* Shared by the files of the folder: the problem's expansion, the tableau of Lemke's path, the
 * path, and the proof of a ray.  A and q are scaled to 1: pivots, distances and residuals below
 * SADDLE__SUSPECT_PIVOT are rounding. */
#ifndef SADDLE_LEMKE_H
#define SADDLE_LEMKE_H

#include <math.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "saddle/problem.h"

/* ---- the expansion (lemke.c) ---- */

/* Rows and contacts as a mixed linear complementarity problem with bounds:
 *
 *     y = A x + c,   lo <= x <= hi:   y = 0 strictly between, y >= 0 at lo, y <= 0 at hi
 *
 * with A size x size.
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
 * The matrix is stored in units, A' = diag(row_unit) A diag(column_unit), powers of two with which
 * the largest entry of each row and column is about 1 (Ruiz 2001).
 */

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
    int64_t most;             /* size for any bounds and mu */
    int64_t most_groups;      /* groups for any bounds and mu */
    int64_t entries;          /* room in A */
    int64_t size;             /* unknowns */
    int64_t groups;           /* sets of directions */
    saddle__unknown *unknown; /* size */
    double *lo, *hi;          /* size */
    int64_t *group_of;        /* size: the set of a direction, slack or normal; -1 = no set */
    saddle__friction *group;  /* groups */
    int64_t *normal; /* size: the unknown lambda_n that the bounds follow, -1 = none; lo = hi = 0 */
    double *mu;      /* size: the coefficient then */
    int64_t *first_of;              /* m: first of the consecutive unknowns .. */
    int64_t *count_of;              /* m: .. acting on each row, and their number */
    double *constant;               /* m: lambda of the rows with equal bounds, else 0 */
    saddle_matrix A;                /* size x size, general, in units */
    double *row_unit, *column_unit; /* size */
    double *sum, *factor;           /* size: scratch */
    int64_t *mark, *touched;        /* size: scratch of one column */
} saddle__expansion;

static inline int saddle__expansion_is_free(const saddle__expansion *expansion, int64_t k)
{
    return expansion->lo[k] == -(double)INFINITY && expansion->hi[k] == (double)INFINITY;
}

/* ---- the tableau (tableau.c) ---- */

/* The tableau of Lemke's path, in two forms behind a table of functions.
 *
 *     y - A x - d t = q        variables by number: x_k is k, y_k is size + k, t is 2 size
 *     x_B = T x_N + constants      B: basic variables, by row; N: nonbasic variables, by column
 *
 * dense: T is stored, and a pivot on T_rc = p exchanges a basic with a nonbasic variable
 *
 *     T_ij - T_ic T_rj / p,    T_rj -> -T_rj / p,    T_ic -> T_ic / p,    p -> 1 / p
 *
 * factored: no T, but a sparse L U of B, the columns of [I, -A, -d] of the basic variables,
 *
 *     T = -B^-1 (the columns of the nonbasic variables)
 *
 * with up to 63 elementary matrices behind the factor (product form; Dantzig and Orchard-Hays
 * 1954). */

enum {
    SADDLE__LARGEST_TABLEAU = 3000, /* unknowns on a dense one */
    SADDLE__PATH_PIVOTS = 20        /* for each unknown: rounding may lead a path in a circle */
};

/* Where an unknown x_k is to be before the path begins. */
enum {
    SADDLE__ANYWHERE, /* at a finite bound, chosen by the sign of q */
    SADDLE__INSIDE,   /* basic if the basis stays regular */
    SADDLE__AT_LOW,   /* at the bound named */
    SADDLE__AT_HIGH,
    SADDLE__FREE /* basic: x_k has no bounds */
};

typedef struct saddle__tableau saddle__tableau;

/* Functions returning int: 0 = failed, see status. */
typedef struct saddle__tableau_type {
    saddle_status (*create)(saddle__tableau *tableau, int64_t most, int64_t entries);
    void (*clear)(saddle__tableau *tableau);

    /* 1: the basis of all y; 2: of x_k for k inside (size). */
    int (*begin)(saddle__tableau *tableau, const signed char *inside);

    /* column (size) <- T's column of a nonbasic variable. */
    int (*column)(saddle__tableau *tableau, int64_t variable, double *column);

    /* d from t's column (size); t is nonbasic. */
    void (*cover)(saddle__tableau *tableau, const double *column);

    /* The pivot on row r and column c of T, the variables having changed places; column (size):
     * column c before the pivot, overwritten.  c = -1: a variable without a column in T takes the
     * row.  2: the basis has been factored anew, and the values are to be computed anew. */
    int (*exchange)(saddle__tableau *tableau, int64_t r, int64_t c, double *column);

    /* T_c += g T_k for columns c and k, A having changed so; NULL where T is computed from A. */
    void (*add)(saddle__tableau *tableau, int64_t c, int64_t k, double g);

    /* value (size) <- basic variables, given the nonbasic x (size, 0 where basic) and t. */
    int (*values)(saddle__tableau *tableau, const double *q, const double *x, double t,
                  double *value);

    /* A_RS, S the basic x, R the rows of nonbasic y, factored from A for `solve`; ends the
     * path. */
    int (*renew)(saddle__tableau *tableau);

    /* v (size): r in, with r_k = 0 where y_k is basic; out dx, A_RS dx_S = -r_R, 0 elsewhere. */
    int (*solve)(saddle__tableau *tableau, double *v);
} saddle__tableau_type;

struct saddle__tableau {
    const saddle__tableau_type *type;
    saddle_context *context;
    const saddle_matrix *A; /* size x size, general, the caller's */
    int64_t size;
    int64_t *basic;       /* size: the variable of each row */
    int64_t *nonbasic;    /* size + 1: of each column */
    int64_t *place;       /* 2 size + 1: row of a basic, ~column of a nonbasic variable */
    saddle_status status; /* SADDLE_SINGULAR: of the basis */
    void *form;           /* memory of the form */
};

extern const saddle__tableau_type saddle__tableau_dense, saddle__tableau_factored;

/* 1: x_k is basic. */
static inline int saddle__tableau_is_inside(const saddle__tableau *tableau, int64_t k)
{
    return tableau->place[k] >= 0;
}

/* ---- the path (path.c) ---- */

/* The path of
 *
 *     y = A x + q + d t,   lo <= x <= hi:   y = 0 strictly between, y >= 0 at lo, y <= 0 at hi
 *
 * from t = t_0 > 0 to t = 0.
 *
 * Guarantees of the path, and the ways to end, are written in path.c. */
typedef enum saddle__path_end {
    SADDLE__PATH_SOLVED = 0,  /* t = 0 */
    SADDLE__PATH_RAY,         /* nothing stops the driver: a secondary ray */
    SADDLE__PATH_LIMIT,       /* pivots */
    SADDLE__PATH_INTERRUPTED, /* asked by the caller */
    SADDLE__PATH_BROKEN       /* the tableau failed: tableau.status */
} saddle__path_end;

typedef int saddle__path_interrupt(void *user, int64_t pivots); /* nonzero ends the path */

/* Variables by number as of the tableau. */
typedef struct saddle__path {
    int64_t size;
    saddle__tableau tableau;
    saddle_matrix *A;    /* size x size, the caller's; columns of normals change with sides */
    double *q, *lo, *hi; /* size: the caller's to fill */
    int follows;         /* 1: the bounds of some x_k follow a normal x_n ..              */
    int64_t *normal;     /* size: .. n, or -1; the caller's to fill                       */
    double *slope;       /* size: .. 0 <= side x_k <= 2 slope x_n, and lo = hi = 0        */
    signed char *inside; /* size: the caller's to fill, see above; afterwards ANYWHERE for unknowns
                            left outside */
    signed char *side;   /* size: 1 = a nonbasic x_k is at lo, -1 = hi; of an x_k that follows a
                            normal as of A */
    double *scratch;     /* size: nonbasic x, or a column of T */
    int64_t *first;      /* size: basic at the start, and moved .. */
    signed char *inward; /* size: .. in the direction */
    double *value, *least, *most; /* size: of the basic variables, by row */
    double *column;               /* size: of the driver */
    double *cover;                /* size: d in the rows of the basis at the start */
    int64_t *tie;   /* 2 size + 1: rows that meet a bound together, -1 = driver; size + row: the
                       bound that moves with the normal */
    double *weight; /* 2 size + 1: weights in the lexicographic rule */
    double t;       /* value of t, or at the time t became basic */
    int64_t driver;
    double direction; /* of the driver: 1 or -1 */
    int64_t pivots;   /* of the run */
    saddle__layout layout;
} saddle__path;

/* most: of size; entries: of A. */
saddle_status saddle__path_create(saddle_context *context, const saddle__tableau_type *type,
                                  int64_t most, int64_t entries, saddle__path *path);
/* half-built is fine */
void saddle__path_clear(saddle_context *context, saddle__path *path);

/* Asked of one path. */
typedef struct saddle__path_request {
    int64_t draw;  /* 0: |d| is 1; > 0: drawn from [1/4, 1] */
    int violated;  /* d is 0 in rows within their bounds */
    int64_t limit; /* pivots */
    saddle__path_interrupt *interrupt;
    void *user;
} saddle__path_request;

/* The path from the basis of inside, after size, A, q, lo, hi and inside are filled.  Dependent
 * bounded unknowns stay at a bound.  A free unknown without an equation of the free unknowns begins
 * with a bounded companion, or stays at zero.
 *
 * expansion, c (size): the problem of which a ray, or dependent equations, may prove that there is
 * no solution.  *proven = 1: z (size) are multipliers of the rows of A x + c = y, with
 *
 *     z'(A x + c) < 0 for all x within their bounds
 *     z_k >= 0 where y_k >= 0 is required, z_k <= 0 where y_k <= 0 is, 0 where y_k may have either
 *              sign
 *
 * 0: nothing is proven; negative: a status. */
saddle__path_end saddle__path_follow(saddle__path *path, const saddle__expansion *expansion,
                                     const double *c, const saddle__path_request *request,
                                     double *z, int *proven);

/* z as above, from a path of its own on the problem whether any x within the bounds gives y of the
 * signs asked for; decides for any A without bounds that follow a normal.  path: filled, of that
 * problem. Returns *proven.  Allocates. */
int saddle__rows_contradict(saddle_context *context, const saddle__path *path,
                            const saddle__expansion *expansion, const double *c,
                            saddle__path_interrupt *interrupt, void *user, double *z);

#endif
