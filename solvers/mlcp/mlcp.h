/* SPDX-License-Identifier: MIT */
/* The mixed complementarity machine of the solvers schur and pivot:
 *
 *     rows.h        bounds, laws, states
 *     system.h      the operator W: formed, columns on demand, or rows in the KKT factor
 *     basis.h       the systems W_FF of the basic rows: dense, sparse, or in the KKT factor
 *     pivoting.h    block principal pivoting: which rows are basic
 *     proximal.h    regularization of the rows, taken out again
 *     mass.h        regularization of a singular M, taken out again
 *
 *     create -> factor (values) -> solve, as often as wanted */
#ifndef SADDLE_MLCP_H
#define SADDLE_MLCP_H

#include <stddef.h>

#include "mlcp/proximal.h"

/* Entry of the list of settings of schur and pivot. */
#define SADDLE__MLCP_LAGGED_FRICTION                                                    \
    {                                                                                   \
        .name = "lagged_friction", .kind = SADDLE_SETTING_FLAG,                         \
        .offset = offsetof(saddle__mlcp_settings, lagged_friction),                     \
        .summary = "bounds of tangents follow the normal impulses of the step before, " \
                   "max_refinements steps at most; solved only where they settle"       \
    }

typedef enum saddle__mlcp_kind {
    SADDLE__MLCP_DELASSUS,
    SADDLE__MLCP_COLUMNS,
    SADDLE__MLCP_FACTOR
} saddle__mlcp_kind;

typedef struct saddle__mlcp {
    saddle_context *context;
    saddle__mlcp_kind kind;
    saddle__delassus delassus; /* one of these three is in use */
    saddle__column_system columns;
    saddle__factor_rows factor_rows;
    saddle__mlcp_system system;
    saddle__pivoting pivoting;
    saddle__proximal proximal;
    int64_t note; /* length of the report's note before the first solve; -1: no solve yet */
} saddle__mlcp;

/* The operator W formed (schur). */
saddle_status saddle__mlcp_create_formed(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options,
                                         const saddle__mlcp_settings *settings, saddle__mlcp *mlcp);

/* The operator that is cheapest by counts, or that settings->basis asks for (pivot).
 * SADDLE_UNSUPPORTED: basis 'factor' with contacts or unsymmetric matrices. */
saddle_status saddle__mlcp_create(saddle_context *context, const saddle_problem *problem,
                                  const saddle_options *options,
                                  const saddle__mlcp_settings *settings, saddle__mlcp *mlcp);
void saddle__mlcp_clear(saddle__mlcp *mlcp); /* half-built is fine */

/* Adds to call's report.  SADDLE_SINGULAR; SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__mlcp_factor(saddle__mlcp *mlcp, const saddle_solver_call *call,
                                  const saddle_problem *problem);

/* solution: the start in, the best iterate out.  Statuses as saddle__proximal_solve;
 * SADDLE_INVALID_ARGUMENT: a row that had no bounds when it was analysed has bounds. */
saddle_status saddle__mlcp_solve(saddle__mlcp *mlcp, const saddle_solver_call *call,
                                 const saddle_problem *problem, saddle_solution *solution);

#endif
