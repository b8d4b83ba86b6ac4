/* SPDX-License-Identifier: MIT */
/* The outer iteration of `pivot`: rows that depend on others are told apart by a compliance E that
 * is taken out again,
 *
 *     M v - J'lambda = f,   J v + R lambda - b + E (lambda - c) = w,
 *         E = epsilon s,  s_i the natural size of W_ii
 *
 * c being the lambda before.  That is the proximal point iteration for the monotone problem E = 0
 * (Rockafellar, SIAM J. Control Optim. 14, 1976): no step leads away from a solution, any epsilon
 * may follow any other, and with the least one, 1e-10 or so, two or three steps do.  Each is a
 * problem whose W + E is regular, which pivoting solves.
 *
 * How epsilon goes up and down, and when the steps end, is steps.h's.
 *
 * Where no solution exists, the steps d of lambda tend to a ray:
 *
 *     J'd = 0,  R d = 0,  b'd > 0,
 *         d_i >= 0 (<= 0, = 0) where lambda_i is bounded below (above, both)
 *
 * and then d'w = (J'd)'v + (R d)'lambda - b'd < 0 for any v and lambda, while the rows' laws would
 * have it >= 0 as lambda grows along d: those rows contradict each other. */
#ifndef SADDLE_PIVOT_PROXIMAL_H
#define SADDLE_PIVOT_PROXIMAL_H

#include "complementarity/steps.h"
#include "pivot/laws.h"
#include "saddle/solver.h"

/* Of one step's pivoting, see block_pivoting.h. */
typedef struct saddle__proximal_limits {
    int64_t patience;  /* block steps; 0 = as long as it takes, one row at a time in the end */
    int64_t tolerated; /* broken rows that may be left to the next step */
    int sweeps;        /* before it, from 0 (sweep.h), where run has W */
    int search;        /* steps may be shortened (line_search.h) */
} saddle__proximal_limits;

/* Who solves a step. */
typedef struct saddle__proximal_problem {
    void *user;
    saddle__row_laws *laws;
    const double *size; /* m: natural sizes > 0 */
    const double *step; /* m: 0 where J's and R's rows vanish, whatever else > 0 */
    int64_t searched;   /* rows with bounds, where run shortens steps; else 0 */
    /* E <- epsilon s. */
    saddle_status (*shift)(void *user, const saddle_problem *problem, double epsilon);
    /* lambda (m): c in, within its bounds; the step's out, within them too.  v (n): out, where
     * there is no `velocity`. SADDLE_NOT_CONVERGED: stalled; lambda and v are where. */
    saddle_status (*run)(void *user, const saddle_problem *problem, const saddle_solver_call *call,
                         const saddle__proximal_limits *limits, double *lambda, double *v);
    /* Who has W goes by rows alone, and finds v when it is asked for; both or none. */
    saddle_status (*velocity)(void *user, const saddle_problem *problem, const double *lambda,
                              double *v);
    /* w (m): W lambda + q; the problem without velocities that has these rows. */
    const saddle_problem *(*slack)(void *user, const double *lambda, double *w);
} saddle__proximal_problem;

typedef struct saddle__proximal {
    saddle_context *context;
    int64_t n, m;
    saddle__steps steps; /* taken, in this solve */
    double *centre;      /* m: c */
    double *d;           /* m: the last step of lambda; then the ray */
    double *w;           /* m */
    double *best;        /* n + m: v and lambda of the least error */
    int glanced;         /* of which v is not known: it was judged by its rows alone */
    double *work;        /* 2 max(n, m) */
} saddle__proximal;

/* The least epsilon. */
double saddle__proximal_least(const saddle_options *options);

saddle_status saddle__proximal_create(saddle_context *context, int64_t n, int64_t m,
                                      saddle__proximal *proximal);

/* solution: the start in, the best that was met out.  Adds to the report's note.  Allocates
 * nothing. SADDLE_OK: residual <= tolerance; SADDLE_INFEASIBLE: see above; SADDLE_NOT_CONVERGED;
 * limits; what run and shift say. */
saddle_status saddle__proximal_solve(saddle__proximal *proximal,
                                     const saddle__proximal_problem *rows,
                                     const saddle_problem *problem, const saddle_solver_call *call,
                                     saddle_solution *solution);

void saddle__proximal_clear(saddle__proximal *proximal); /* half-built ones are fine */

#endif
