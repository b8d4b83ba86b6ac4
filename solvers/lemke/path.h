/* SPDX-License-Identifier: MIT */
/* Lemke's path: from a covered problem, whose answer is at hand, to the problem itself,
 *
 *     y = B x + q + d t,   lo <= x <= hi:   y = 0 strictly between, y >= 0 at lo, y <= 0 at hi
 *         t from t_0 > 0 to 0
 *
 * Of each pair (x_k, y_k) one variable is basic, but for one pair that t has taken the row of.  The
 * variable that left last drives its partner; the first basic variable to meet a bound leaves, or
 * the driver itself crosses to its other bound.  No row is split for its bounds (Sargent 1978;
 * Dirkse and Ferris 1995).  Ties are broken lexicographically: the values that the basic variables
 * have at first are thought to be moved inwards by eps, eps^2, .., of which the in-place tableau
 * holds all that is asked for, so that no basis comes twice.  Where t can go no further the path
 * ends in a secondary ray.
 */
#ifndef SADDLE_LEMKE_PATH_H
#define SADDLE_LEMKE_PATH_H

#include "lemke/revised.h"
#include "lemke/tableau.h"

typedef enum saddle__path_end {
    SADDLE__PATH_SOLVED = 0,  /* t = 0 */
    SADDLE__PATH_RAY,         /* nothing stops the driver */
    SADDLE__PATH_LIMIT,       /* pivots */
    SADDLE__PATH_INTERRUPTED, /* asked by the caller */
    SADDLE__PATH_BROKEN       /* the revised table cannot go on: its status */
} saddle__path_end;

/* What is known of an x_k before the path begins. */
enum { SADDLE__ANYWHERE = 0, SADDLE__INSIDE, SADDLE__AT_LOW, SADDLE__AT_HIGH };

typedef int saddle__path_interrupt(void *user, int64_t pivots); /* nonzero ends the path */

/* Variables by number: x_k is k, y_k is size + k, t is 2 size. */
typedef struct saddle__path {
    int64_t size;
    saddle__tableau tableau;      /* size x (size + 1); or .. */
    saddle__revised *revised;     /* .. the caller's, instead */
    double *rest;                 /* size: scratch, with revised */
    double *q;                    /* size */
    double *lo, *hi;              /* size: of x; one of them finite at least, but with
                                     revised of x that are basic from the start */
    signed char *inside;          /* size: SADDLE__INSIDE = x_k is to be basic at the start,
                                     SADDLE__AT_LOW, _AT_HIGH: at that bound, or either */
    signed char *side;            /* size: 1 = x_k is at lo when it is not basic, -1 = hi */
    int64_t *basic;               /* size: the variable of each row */
    int64_t *nonbasic;            /* size + 1: of each column */
    int64_t *place;               /* 2 size + 1: row, or ~column */
    int64_t *first;               /* size: basic at the start, and moved .. */
    signed char *inward;          /* size: .. in this direction */
    double *value, *least, *most; /* size: of the basic variables */
    double *column;               /* size: the driver's */
    double *cover;                /* size: d */
    int64_t *tie;                 /* size + 1: rows that meet a bound together, -1 = driver */
    double *weight;               /* size + 1: what decides between them */
    double t;                     /* where it is, or was when it entered */
    int64_t driver;
    double direction; /* 1 or -1: of the driver */
    int64_t pivots;   /* of all runs */
} saddle__path;

/* revised: NULL = a tableau of its own. */
saddle_status saddle__path_create(saddle_context *context, int64_t most, saddle__revised *revised,
                                  saddle__path *path);
/* half-built ones are fine */
void saddle__path_clear(saddle_context *context, saddle__path *path);

/* The caller then fills B into tableau.T (size x size), and q, lo, hi, inside. */
void saddle__path_begin(saddle__path *path, int64_t size);

/* Brings in what is to be inside, as far as their block of B is regular; the rest stays at its
 * bounds.  0: no pair of variables would have one of them basic; B is to be filled in anew, and
 * less is to be inside from then on. */
int saddle__path_enter(saddle__path *path);

/* With revised, whose A is as large, instead of both: after size, q, lo, hi and inside.  0: what is
 * inside makes no regular basis, or revised's status. */
int saddle__path_begin_revised(saddle__path *path, const saddle__revised_table *A);

/* With revised: the basis factored anew, and the values from it. */
int saddle__path_refresh(saddle__path *path, const saddle__revised_table *A);

/* d = 1, or drawn from [1/4, 1] with draw > 0; t_0 covers all. */
void saddle__path_cover(saddle__path *path, int64_t draw);

/* d covers what is out of its bounds and nothing else. */
void saddle__path_cover_violations(saddle__path *path);

saddle__path_end saddle__path_run(saddle__path *path, int64_t limit,
                                  saddle__path_interrupt *interrupt, void *user);

/* x_k as it stands. */
double saddle__path_value(const saddle__path *path, int64_t k);

static inline int saddle__path_is_inside(const saddle__path *path, int64_t k)
{
    return path->place[k] >= 0;
}

/* x (size): in which direction x goes along the ray that the path ended in. */
void saddle__path_ray(const saddle__path *path, double *x);

#endif
