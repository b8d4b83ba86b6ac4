/* SPDX-License-Identifier: MIT */
/* Pivoting on the Delassus operator of the rows with bounds, of which only those columns exist
 * whose rows have entered (columns.h), in a dense basis (complementarity/lu_basis.h): for small
 * sets, unsymmetric M and R, problems without velocities, and friction of the box law with bounds
 * that follow their own normal impulse.
 *
 * A step begins from impulses c and what w is with them, formed anew by J v + R c - b with v
 * refined, so that errors of the columns are taken out by the next step, as in iterative
 * refinement:
 *
 *     q = w(c) - (W + E) c,     w = (W + E) lambda + q */
#ifndef SADDLE_PIVOT_COLUMN_ROWS_H
#define SADDLE_PIVOT_COLUMN_ROWS_H

#include "pivot/columns.h"
#include "pivot/proximal.h"

typedef struct saddle__column_rows {
    saddle_context *context;
    int64_t n, m, count; /* count: rows of C */
    saddle__column_source source;
    saddle__columns table; /* of source */
    saddle__lu_basis basis;
    saddle__pivoting pivoting;
    saddle__regularization natural; /* of the whole problem */
    saddle__row_laws *laws;         /* of the call at hand */
    signed char *in_C;              /* m */
    double *step;                   /* m: 1 / size; 0 for rows of zeros */
    double *w;                      /* m */
    double *known;                  /* m: impulses whose v has been found */
    int completed;                  /* there are such */
    double *lo, *hi;                /* count */
    double *q;                      /* count */
    double *pace;                   /* count: step */
    double *added;                  /* count: E */
    double *lambda;                 /* count */
    int64_t *normal;                /* count: place of a tangent's normal row, -1 */
    double *mu;                     /* count */
    double epsilon;                 /* of the basis; negative: values are new */
    const saddle_solver_call *call; /* of the run at hand, for who asks whether to go on */
    double began;                   /* that run */
} saddle__column_rows;

saddle_status saddle__column_rows_create(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options, saddle__column_rows *rows);
saddle_status saddle__column_rows_factor(saddle__column_rows *rows, const saddle_problem *problem,
                                         double epsilon);

/* As saddle__sparse_rows_begin. */
saddle_status saddle__column_rows_begin(saddle__column_rows *rows, const saddle_problem *problem,
                                        saddle__row_laws *laws, const saddle_solver_call *call,
                                        double *start);

saddle__proximal_problem saddle__column_rows_problem(saddle__column_rows *rows);

void saddle__column_rows_clear(saddle__column_rows *rows); /* half-built ones are fine */

#endif
