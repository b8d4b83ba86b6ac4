/* SPDX-License-Identifier: MIT */
/* What the parts of lemke share. */
#ifndef SADDLE_LEMKE_STATE_H
#define SADDLE_LEMKE_STATE_H

#include "complementarity/crash_sparse.h"
#include "complementarity/dense_delassus.h"
#include "lemke/expansion.h"
#include "lemke/large.h"
#include "lemke/path.h"
#include "lemke/reduction.h"
#include "matrix/twofold.h"
#include "saddle/solver.h"
#include "schur/bounded.h"

typedef struct saddle__lemke_settings {
    int columns;         /* 1: columns of W on demand always */
    int64_t crash_steps; /* 0 = the path alone */
} saddle__lemke_settings;

typedef struct saddle__lemke {
    int64_t most_left; /* unknowns of a path */
    saddle__dense_delassus mass;
    saddle__expansion expansion;
    saddle__reduction reduction;
    saddle__path path;
    saddle__crash crash;
    saddle__crash_sparse sparse; /* of the crash basis, where is_large */
    saddle__bounded blocks;      /* of block_start.c, has_blocks */
    int has_blocks;
    saddle__large large;      /* instead of mass.W, reduction and the path's tableau, where .. */
    int is_large;             /* .. this is 1 */
    saddle__on_demand demand; /* columns of W, before W is formed, where demand.room > 0 */
    saddle__large few;        /* the table of those */
    saddle__large *table;     /* of the solve at hand: few, large, or NULL = the tableau */
    int formed;               /* W is, of the values at hand */
    double *q;                /* m: w at lambda = its constants; .. */
    int has_q;                /* .. of the solve at hand */
    double *c;                /* size: y at x = 0 */
    double *x;                /* size: the unknowns */
    double *y;                /* size */
    double *step;             /* size */
    signed char *inside;      /* size: where x is to be, as path.h says; SADDLE__INSIDE also
                                 between its bounds on the path that ended last */
    int64_t *basis_row;       /* size: equations and unknowns of the basis */
    int64_t *basis_col;
    int64_t basis;                          /* how many */
    saddle__twofold *defect;                /* n + m */
    double *trial_v, *trial_lambda, *force; /* n, m, m */
    double best;                            /* residual of the solution kept */
    int is_feasibility; /* the problem is that of feasibility.h, not asked about in turn */
    int64_t note;       /* length of the report's note before the first solve, or -1 */
} saddle__lemke;

/* ---- basis.c: the answer of a basis, from the original data ---- */

/* v and lambda of the basis that the path has ended in, refined; the solution is replaced where
 * they are better. *total: their residual, INFINITY where the basis is singular. */
saddle_status saddle__lemke_answer(saddle__lemke *lemke, const saddle_solver_call *call,
                                   const saddle_problem *problem, saddle_solution *solution,
                                   double *total);

/* Factors A[row, col] of the lists basis_row and basis_col (ascending) in reduction.A, restored
 * before.  0: singular. */
int saddle__lemke_factor_basis(saddle__lemke *lemke, const saddle_problem *problem);

/* force (m) <- w = J v + R lambda - b to twice the working precision, after v has taken in M^-1 (f
 * - M v + J'lambda). */
saddle_status saddle__lemke_slack(saddle__lemke *lemke, const saddle_problem *problem, double *v,
                                  const double *lambda);

/* v += M^-1 J'lambda */
saddle_status saddle__lemke_push(saddle__lemke *lemke, const saddle_problem *problem,
                                 const double *lambda, double *v);

/* The residual of trial_v and trial_lambda, which are kept where it is the least so far. */
double saddle__lemke_judge(saddle__lemke *lemke, const saddle_solver_call *call,
                           const saddle_problem *problem, saddle_solution *solution);

/* ---- crash_answer.c ---- */

/* The answer of the crash basis, where there is one: then best is its residual.  *settled: no path
 * need better it; one may, since the path has units of its own, where W is badly scaled. */
saddle_status saddle__lemke_crash(saddle__lemke *lemke, saddle_solver_call *call,
                                  const saddle_problem *problem, const saddle__crash_limits *limits,
                                  saddle_solution *solution, int *settled);

/* ---- block_start.c ---- */

typedef enum saddle__lemke_block_turn {
    SADDLE__BLOCKS_NEVER,
    SADDLE__BLOCKS_FIRST, /* before the crash basis */
    SADDLE__BLOCKS_SECOND /* where that is none */
} saddle__lemke_block_turn;

/* Whether that way is open on the table and the problem at hand. */
saddle__lemke_block_turn saddle__lemke_turn_of_blocks(const saddle__lemke *lemke,
                                                      const saddle_problem *problem,
                                                      const saddle_solution *start);

/* Makes in analyse what that way needs, where it will come first; elsewhere that is made when it is
 * first taken. */
saddle_status saddle__lemke_block_analyse(saddle__lemke *lemke, const saddle_solver_call *call,
                                          const saddle_problem *problem);

/* From the solution's impulses, `left` systems at most where the options limit them; best is the
 * residual of what it finds. SADDLE_OK: whatever that is; SADDLE_INFEASIBLE: proven and offered;
 * SADDLE_TIME_LIMIT, SADDLE_STOPPED. */
saddle_status saddle__lemke_block_start(saddle__lemke *lemke, const saddle_solver_call *call,
                                        const saddle_problem *problem, int64_t left,
                                        saddle_solution *solution);

/* ---- expected.c ---- */

/* How many rows push at the start, that of solution where it has impulses, by the natural map of q
 * where it has none. */
int64_t saddle__lemke_expected(const saddle__lemke *lemke, const saddle_problem *problem,
                               const saddle_solution *start);

/* ---- certificate.c ---- */

/* Looks whether the ray that the path has ended in proves that there is no solution: multipliers z
 * with
 *     z_i >= 0 where y_i >= 0 alone is asked, z_i <= 0 where y_i <= 0, 0 where both signs are
 *         allowed,
 *     z'(A x + c) < 0 for all x within their bounds.
 * 1: it does, and call has its certificate.  A negative status: memory. */
int saddle__lemke_certificate(saddle__lemke *lemke, const saddle_problem *problem,
                              const saddle_solver_call *call);

/* The proof that step makes, which has been tested, offered.  1, or a negative status. */
int saddle__lemke_prove(saddle__lemke *lemke, const saddle_problem *problem,
                        const saddle_solver_call *call);

/* ---- large_path.c: the same three on the revised table ---- */

/* 0: there is no regular basis to begin with, or the revised table's status. */
int saddle__lemke_set_out_large(saddle__lemke *lemke, int from_inside);

saddle_status saddle__lemke_answer_large(saddle__lemke *lemke, const saddle_solver_call *call,
                                         const saddle_problem *problem, saddle_solution *solution,
                                         double *total);

/* After the answer, whose basis it forgets. */
int saddle__lemke_certificate_large(saddle__lemke *lemke, const saddle_problem *problem,
                                    const saddle_solver_call *call);

/* ---- lemke.c ---- */

/* W, unless it is there. */
saddle_status saddle__lemke_form(saddle__lemke *lemke, const saddle_problem *problem);

/* lemke on either table, whatever the size. */
extern const saddle_solver_type saddle__solver_lemke_revised, saddle__solver_lemke_tableau;

/* ---- search.c ---- */

/* Of the solver's table: on columns on demand where few will do, else on W. */
saddle_status saddle__lemke_solve(saddle_solver_call *call, void *memory,
                                  const saddle_problem *problem, saddle_solution *solution);

#endif
