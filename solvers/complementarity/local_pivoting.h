/* SPDX-License-Identifier: MIT */
/* Pivoting near the rows that break their law, on the factor at hand, until their neighbourhoods
 * are settled but for a few, or there is no more room, or for 64 steps: the basic rows elsewhere
 * are eliminated, and what changes there is left to the next step over all rows (block_pivoting.h).
 *
 * Toward the end of a run few rows are broken, in clusters far from each other that take their
 * turns for some steps each; a step over all rows costs the same for all of them.  With A = W + E,
 * F the basic rows in the factor, lambda0 and w0 what was solved with it, rows g of F that leave
 * and others h that come, or go from bound to bound, are nodes:
 *
 *     [ A_FF  N ] [ dlambda_F ]   [ 0 ]   N
 *         a column A_Fh of a row that comes, e_g of one that leaves
 *     [ N'    C ] [ z         ] = [ r ]      z   lambda_h - lambda0_h, and -w_g
 *                                            r   -w0_h, and the bound of g less lambda0_g
 *     T z = r,  T = C - N' A_FF^-1 N         C   A_hh; 0 beside a row that leaves
 *
 * Where h is at a bound z_h is given instead, and where g is basic again z_g = 0.  Basic rows that
 * border the factor (ldlt/part.h) are nodes h as soon as they are near others; further away they
 * stay as they are.
 *
 * T is quasi-definite, and held where rows are near each other: nodes whose rows are no more than
 * two entries of W apart are in one cluster (clusters.h), and a cluster knows of others by the next
 * step over all rows alone.  dlambda is computed for rows next to nodes, and for those that the w
 * of such rows needs (ldlt/nearby.h), from columns of L^-1 N without what is less than a thousandth
 * of them.  Of these rows, those that break their law change their state in turn: near a cluster
 * all of them where they are fewer than ever, else the first one alone, which ends where T is
 * definite (Murty, Opsearch 11, 1974).  A cluster where none is broken is left alone.  One that
 * block pivoting leads in circles would else hold back the whole heap: a step over all rows,
 * searched along a line, goes as far as the worst cluster lets it.
 */
#ifndef SADDLE_SOLVERS_LOCAL_PIVOTING_H
#define SADDLE_SOLVERS_LOCAL_PIVOTING_H

#include "complementarity/block_pivoting.h"
#include "complementarity/clusters.h"
#include "complementarity/local_system.h"
#include "ldlt/nearby.h"

/* Of one cluster, the rows that break their law in it or next to it. */
typedef struct saddle__local_broken {
    int64_t least, now; /* the fewest there were; there are */
    int64_t moved;      /* in this step */
    int64_t last;       /* the row that alone moved in the last step; -1 = others did too */
    signed char from;   /* the state that it had */
} saddle__local_broken;

typedef struct saddle__local_pivoting {
    saddle_context *context;
    int64_t m;
    saddle__ldlt_nearby nearby;
    saddle__clusters clusters;
    int64_t *place;               /* m: of a row among those touched, -1 = it is not */
    int64_t touched;              /* rows near nodes, nodes among them */
    int64_t *row;                 /* m: of each */
    int64_t *node;                /* m: ..., -1 = it is none */
    int64_t *origin;              /* m: ... the place of the row next to which it was touched */
    signed char *factored;        /* m: ... is in the factor */
    signed char *left;            /* m: ... stays as it is */
    double *lambda0, *w0;         /* m: ... before anything moved */
    int64_t *at;                  /* nodes: their places */
    signed char *active;          /* nodes */
    double *z;                    /* nodes */
    saddle__local_broken *broken; /* nodes: of clusters, at their first */
    int64_t *index;               /* m: of a column */
    double *value;                /* m */
    saddle__local_system system;  /* of the call at hand */
    saddle__pivoting *pivoting;
    const saddle__bounded_rows *rows;
    double *lambda;
} saddle__local_pivoting;

/* local: all-zero or cleared. */
saddle_status saddle__local_pivoting_create(saddle_context *context, int64_t m,
                                            saddle__local_pivoting *local);
void saddle__local_pivoting_clear(saddle__local_pivoting *local); /* half-built ones are fine */

/* pivoting: after a step whose basis is factored, `count` of its rows in pivoting->broken, which
 * are moved, all of them whatever happens then, and settled with what is near; its states, and
 * lambda at bounds, are set.  lambda elsewhere, w and broken are undefined until the next step.
 * rows: without tangents.  How often a row was moved; 0: they are too many, or there is no factor,
 * and nothing was done.  Allocates nothing. */
int64_t saddle__local_pivoting_run(saddle__local_pivoting *local,
                                   const saddle__local_system *system, saddle__pivoting *pivoting,
                                   const saddle__bounded_rows *rows, int64_t count, double *lambda);

#endif
