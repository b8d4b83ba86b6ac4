/* SPDX-License-Identifier: MIT */
/* What the files of this folder share: the tableau of Lemke's path, the path, and the proof of a
 * ray. */
#ifndef SADDLE_LEMKE_H
#define SADDLE_LEMKE_H

#include "base/layout.h"
#include "lemke/expansion.h"

/* Pivots, distances and residuals below this are rounding, A and q being scaled to 1. */
#define SADDLE__ROUNDING 1e-11

/* ---- the tableau (tableau.c, factored.c) ---- */

/* The tableau of Lemke's path, in one of two forms behind one table of functions.
 *
 *     y - A x - d t = q        variables by number: x_k is k, y_k is size + k, t is 2 size
 *     x_B = T x_N + constants      B: the basic variables, one a row; N: the others, one a column
 *
 * dense (tableau.c): T is stored, and a pivot on T_rc = p exchanges a basic with a nonbasic
 * variable
 *
 *     T_ij - T_ic T_rj / p,    T_rj -> -T_rj / p,    T_ic -> T_ic / p,    p -> 1 / p
 *
 * factored (factored.c): no T, but a sparse L U of the columns B = [I, -A, -d] of the basic
 * variables, T = -B^-1 [columns of the others], with up to 63 elementary matrices behind it
 * (product form; Dantzig and Orchard-Hays 1954).
 */

/* Where an unknown x_k is to be before the path begins. */
enum {
    SADDLE__ANYWHERE = 0, /* at a bound, of two finite ones that with the lower violation */
    SADDLE__INSIDE,       /* basic if the basis allows it */
    SADDLE__AT_LOW,       /* at this bound */
    SADDLE__AT_HIGH,
    SADDLE__FREE /* basic: x_k has no bounds */
};

typedef struct saddle__tableau saddle__tableau;

/* Functions that return int: 0 = failed, why is in status. */
typedef struct saddle__tableau_type {
    saddle_status (*create)(saddle__tableau *tableau, int64_t most, int64_t entries);
    void (*clear)(saddle__tableau *tableau);

    /* 1: the basis of all y; 2: of x_k for those inside (size). */
    int (*begin)(saddle__tableau *tableau, const signed char *inside);

    /* column (size) <- T's column of a nonbasic variable. */
    int (*column)(saddle__tableau *tableau, int64_t variable, double *column);

    /* entry[i] <- T's entry in row[i] of a nonbasic variable; row[i] < 0: 0. */
    int (*entries)(saddle__tableau *tableau, int64_t variable, int64_t count, const int64_t *row,
                   double *entry);

    /* d, so that t's column is as given (size).  t is nonbasic. */
    void (*cover)(saddle__tableau *tableau, const double *column);

    /* The pivot on row r and column c of T, the variables having changed places; column (size):
     * column c before the pivot, overwritten.  2: the basis has been factored anew, and `values`
     * computes the values from that. */
    int (*exchange)(saddle__tableau *tableau, int64_t r, int64_t c, double *column);

    /* value (size) <- basic variables, where the others are x (size, 0 for basic ones) and t. */
    int (*values)(saddle__tableau *tableau, const double *q, const double *x, double t,
                  double *value);

    /* A_RS, S the basic x, R the rows whose y is not basic, factored from A for `solve`; ends the
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
    int64_t *place;       /* 2 size + 1: row of a basic variable, ~column of the others */
    saddle_status status; /* SADDLE_SINGULAR: of the basis */
    void *form;           /* what the form keeps */
};

extern const saddle__tableau_type saddle__tableau_dense, saddle__tableau_factored;

/* most: of size; entries: of A. */
saddle_status saddle__tableau_create(saddle_context *context, const saddle__tableau_type *type,
                                     int64_t most, int64_t entries, saddle__tableau *tableau);
/* half-built ones are fine */
void saddle__tableau_clear(saddle__tableau *tableau);

int saddle__tableau_begin(saddle__tableau *tableau, const saddle_matrix *A,
                          const signed char *inside);

/* type->exchange, and the variables change places. */
int saddle__tableau_exchange(saddle__tableau *tableau, int64_t r, int64_t variable, double *column);

/* 1: x_k is basic. */
static inline int saddle__tableau_is_inside(const saddle__tableau *tableau, int64_t k)
{
    return tableau->place[k] >= 0;
}

/* ---- the path (path.c) ---- */

/* On
 *
 *     y = A x + q + d t,   lo <= x <= hi:   y = 0 strictly between, y >= 0 at lo, y <= 0 at hi
 *         t from t_0 > 0 to 0
 *
 * What the path guarantees, and how it ends, is written in path.c. */
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
    const saddle_matrix *A;       /* size x size, the caller's */
    double *q, *lo, *hi;          /* size: the caller's to fill */
    signed char *inside;          /* size: the caller's to fill, see above; afterwards
                                     ANYWHERE for what could not begin inside */
    signed char *side;            /* size: 1 = x_k is at lo when it is not basic, -1 = hi */
    double *rest;                 /* size: x where the nonbasic ones are; scratch */
    int64_t *first;               /* size: basic at the start, and moved .. */
    signed char *inward;          /* size: .. in this direction */
    double *value, *least, *most; /* size: of the basic variables, by row */
    double *column;               /* size: of the driver */
    double *cover;                /* size: d in the rows of the basis at the start */
    int64_t *tie;                 /* size + 1: rows that meet a bound together, -1 = driver */
    double *weight;               /* size + 1: what decides between them */
    double t;                     /* where t is, or was when it became basic */
    int64_t driver;
    double direction; /* of the driver: 1 or -1 */
    int64_t pivots;   /* of the run */
    saddle__layout layout;
} saddle__path;

/* most: of size; entries: of A. */
saddle_status saddle__path_create(saddle_context *context, const saddle__tableau_type *type,
                                  int64_t most, int64_t entries, saddle__path *path);
/* half-built ones are fine */
void saddle__path_clear(saddle_context *context, saddle__path *path);

/* The basis of inside, after size, A, q, lo, hi and inside.  Of unknowns that depend on one another
 * some stay at a bound; a free unknown left over by the equations of the free ones takes a bounded
 * one in with it, or stays at zero, its equation then depends on the others.  0: tableau.status. */
int saddle__path_begin(saddle__path *path);

/* 1: a free x_k has stayed at zero, the others (and T's column is in path->column, x_k the driver,
 * so that saddle__path_ray is a null vector of A); 0: it has not; negative: tableau.status. */
int saddle__path_is_left_over(saddle__path *path, int64_t k);

/* d, one sign for each bound, and the smallest t_0 twice over that puts all basic variables within
 * their bounds.  draw: 0 = d is 1, others = drawn from [1/4, 1].  violated: d is 0 in the rows
 * that are within their bounds. */
void saddle__path_cover(saddle__path *path, int64_t draw, int violated);

saddle__path_end saddle__path_run(saddle__path *path, int64_t limit,
                                  saddle__path_interrupt *interrupt, void *user);

/* x_k where the path has ended. */
double saddle__path_value(const saddle__path *path, int64_t k);

/* x (size): the direction of x along the ray that the path ended in. */
void saddle__path_ray(const saddle__path *path, double *x);

/* ---- the proof of a ray (certificate.c) ---- */

/* z (size) <- multipliers of the rows of A x + c = y, from the ray of a path, with
 *
 *     z_k >= 0 where y_k >= 0 alone is asked, z_k <= 0 where y_k <= 0, 0 where both signs are
 *     allowed, and       z'(A x + c) < 0 for all x within their bounds
 *
 * 1: there are such z; 0: the ray proves nothing.  c: size. */
int saddle__ray_contradicts(const saddle__path *path, const saddle__expansion *expansion,
                            const double *c, double *z);

/* The same from equations of free unknowns that depend on one another, after path_begin.  A
 * negative status. */
int saddle__equations_contradict(saddle__path *path, const saddle__expansion *expansion,
                                 const double *c, double *z);

/* The same from a path of its own, on the problem whether any x within its bounds gives y of the
 * signs asked for, which is decided whatever A is.  A negative status.  Allocates. */
int saddle__rows_contradict(saddle_context *context, const saddle__tableau_type *form,
                            const saddle__expansion *expansion, const double *c,
                            saddle__path_interrupt *interrupt, void *user, double *z);

#endif
