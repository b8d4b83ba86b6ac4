/* SPDX-License-Identifier: MIT */
/* Block principal pivoting on a mixed linear complementarity problem with bounds:
 *
 *     w = W lambda + q,   lo <= lambda <= hi:
 *         w = 0 strictly between,  w >= 0 at lo,  w <= 0 at hi
 *
 * Every row is at its lower bound, at its upper bound, or between them: then it is basic, and
 * lambda_F is what makes w_F = 0.  One step solves for the basic rows and moves every row that
 * breaks its law,
 *
 *     lambda_i < lo_i: to lo   lambda_i > hi_i: to hi
 *         at lo with w_i < 0, at hi with w_i > 0: becomes basic
 *
 * all of them at once as long as their number falls to a new least within a few steps; otherwise
 * the one of least index alone until it does.  With all principal minors of W positive the second
 * rule ends by itself (Murty, Opsearch 11, 1974), so that the whole does (Judice and Pires,
 * Computers Ops Res 21, 1994, who also treat the bounds).
 *
 * The argument for bounds: let phi(t) be w_m as a function of lambda_m = t, the rows before it
 * solved.  phi increases, so row m goes from lo to basic to hi or the other way round, never back;
 * by induction the rows before it take finitely many steps between two moves of row m.
 *
 * Friction of the box law ties the bounds of a contact's tangents to its normal impulse, coupled,
 * in the same solve:
 *
 *     0 <= lambda_n _|_ w_n >= 0,
 *         |lambda_t| <= mu lambda_n,  w_t against lambda_t as for any row with bounds
 *
 * A tangent at a bound of a closed contact slides, lambda_t = -+ mu lambda_n: its column is added
 * to that of the normal, W_FF + W_FS mu, which is unsymmetric.  Tangents of an open contact have no
 * impulse and no law; they stand at the bound that w_t points to, so that a contact that closes
 * begins to slide.  The argument above holds where all those matrices have positive determinants
 * (small friction); for others nothing is promised but an end.
 *
 * Where the problem is that of a regularized, symmetric W, steps are shortened instead
 * (line_search.h), and seldom are many of them needed.
 *
 * How the systems W_FF lambda_F = -q_F - W_FB lambda_B are solved is the basis' own affair; that
 * w_F = 0 is looked at after each of them (checked.h).
 */
#ifndef SADDLE_SOLVERS_BLOCK_PIVOTING_H
#define SADDLE_SOLVERS_BLOCK_PIVOTING_H

#include "complementarity/line_search.h"
#include "complementarity/checked.h"
#include "saddle/solver.h"

enum saddle__row_state { SADDLE__AT_LO = -1, SADDLE__BASIC = 0, SADDLE__AT_HI = 1 };

struct saddle__local_pivoting; /* local_pivoting.h */
struct saddle__local_system;

typedef struct saddle__basis {
    void *user;
    /* state (m): the rows that are basic from now on; tangents of open contacts never are.
     * Whatever is not SADDLE_OK ends the pivoting. */
    saddle_status (*enter)(void *user, const signed char *state);
    /* lambda (m): given where a row is at a bound, out where it is basic or slides.  w (m): out.
     * noise (m): the rounding to which w is known, > 0 unless w is exact.  q: m. */
    saddle_status (*solve)(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise);
    /* The same, lambda and w being those of a solve: lambda refined by the factor that is at hand.
     * NULL = there is no way. */
    saddle_status (*correct)(void *user, const signed char *state, const double *q, double *lambda,
                             double *w, double *noise);
    /* As enter, everything factored anew.  NULL = it always is. */
    saddle_status (*renew)(void *user, const signed char *state);
    /* Of a symmetric W without tangents, a factor of whose basic rows can be looked into: few
     * broken rows are settled with what is near them.  NULL = they are not. */
    struct saddle__local_pivoting *local;
    const struct saddle__local_system *system;
} saddle__basis;

typedef struct saddle__bounded_rows {
    int64_t m;
    const double *lo, *hi; /* m; of tangents not read, of the normals of contacts 0 and infinity */
    const double *q;       /* m */
    const double *step; /* m: 1 / natural size of W_ii, which turns noise of w into noise of lambda;
                           0 where all of W's row vanishes: then it is never basic */
    const int64_t *normal; /* m: a tangent's normal row, which comes before it; -1 = no tangent.
                              NULL = none is */
    const double *mu;      /* m: of tangents */
    const double *added; /* m: E of line_search.h, W being symmetric, without tangents; NULL = steps
                            are never shortened */
} saddle__bounded_rows;

/* Row i is a tangent whose contact is closed, at one of its bounds. */
static inline int saddle__slides(const int64_t *normal, const signed char *state, int64_t i)
{
    return normal && normal[i] >= 0 && state[i] != SADDLE__BASIC &&
           state[normal[i]] == SADDLE__BASIC;
}

typedef struct saddle__pivoting {
    saddle_context *context;
    signed char *state;          /* m: in and out */
    double *w;                   /* m */
    int knows_slack;             /* after a run: w = W lambda + q of the lambda that it left */
    double *noise;               /* m */
    int64_t *broken;             /* m: the rows that break their law, ascending */
    int64_t steps;               /* systems solved, since begin */
    int64_t pivots;              /* rows that changed their state, since begin */
    int64_t singles;             /* of them by the safeguard, since begin */
    int64_t left;                /* steps that may still be taken */
    saddle__exactness exactness; /* of the systems solved, since begin */
    int64_t patience; /* block steps that may pass without a new least number of broken rows; set by
                         create */
    int64_t tolerated;    /* broken rows with which a run may end; 0 by create */
    saddle__line line;    /* made by saddle__pivoting_search, where rows have E */
    int64_t most_singles; /* then: rows that may go one by one in a run, before
                             SADDLE_NOT_CONVERGED; no limit by create */
} saddle__pivoting;

saddle_status saddle__pivoting_create(saddle_context *context, int64_t m,
                                      saddle__pivoting *pivoting);

/* Makes it ready for rows with E. */
saddle_status saddle__pivoting_search(saddle__pivoting *pivoting, int64_t m);

void saddle__pivoting_clear(saddle__pivoting *pivoting); /* half-built ones are fine */

/* Counts from 0; the states are read from lambda (m), which is moved into its bounds.  most: steps,
 * 0 = as many as the rows can be expected to need at worst. */
void saddle__pivoting_begin(saddle__pivoting *pivoting, const saddle__bounded_rows *rows,
                            int64_t most, double *lambda);

/* Reads the states from lambda (m) again. */
void saddle__pivoting_read(saddle__pivoting *pivoting, const saddle__bounded_rows *rows,
                           double *lambda);

/* The state to which row i has to go, its own where it keeps its law; and there it goes. */
signed char saddle__pivoting_wanted(const saddle__pivoting *pivoting,
                                    const saddle__bounded_rows *rows, const double *lambda,
                                    int64_t i);
void saddle__pivoting_move(saddle__pivoting *pivoting, const saddle__bounded_rows *rows,
                           double *lambda, int64_t i);

/* From the present states; lambda (m): in at bounds, out everywhere, within its bounds. SADDLE_OK:
 * no row, or no more than tolerated, breaks its law by more than rounding.  SADDLE_ITERATION_LIMIT,
 * SADDLE_TIME_LIMIT, SADDLE_STOPPED; SADDLE_NOT_CONVERGED: gave up; what the basis said.  Allocates
 * nothing. */
saddle_status saddle__pivoting_run(saddle__pivoting *pivoting, const saddle__basis *basis,
                                   const saddle__bounded_rows *rows, const saddle_solver_call *call,
                                   double *lambda);

#endif
