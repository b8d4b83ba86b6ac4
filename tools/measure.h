/* SPDX-License-Identifier: MIT */
/* One solver on one problem, measured: the runs behind saddle bench. */
#ifndef SADDLE_TOOLS_MEASURE_H
#define SADDLE_TOOLS_MEASURE_H

#include "input.h"
#include "results.h"

/* ---- solvers with options each ---- */

enum { TOOL_CONTENDERS_SIZE = 64, TOOL_TOLERANCES_SIZE = 16 };

/* "gauss-seidel:relaxation=1.2:max-iter=500": settings of the solver, settings of another one
 * (SOLVER.NAME), or options of --help's group "Solver".  A name with a slash, "mumps/default", is
 * another program's method (peer.h). */
typedef struct tool_contender {
    char solver[64];
    char settings[TOOL_TEXT_SIZE]; /* as given, without the first colon */
    tool_solving solving;
    double asked; /* tol=T among the settings: what the solver is asked for; 0 = the case's
                     tolerance, by which the checker judges in either case */
} tool_contender;

typedef struct tool_contenders {
    tool_contender at[TOOL_CONTENDERS_SIZE];
    int count;
} tool_contenders;

/* Cuts the list of --solvers; names must exist and values be in range.  SADDLE_INVALID_ARGUMENT,
 * SADDLE_UNKNOWN_NAME. */
saddle_status tool_contenders_cut(saddle_context *context, const char *text,
                                  const tool_solving *solving, tool_contenders *list);

int tool_contender_is_peer(const tool_contender *contender);

/* Cuts "1e-4,1e-8" into value, which has TOOL_TOLERANCES_SIZE places. */
saddle_status tool_tolerances_cut(saddle_context *context, const char *text, double *value,
                                  int *count);

/* ---- watching a run ---- */

enum { TOOL_HISTORY_SIZE = 200 }; /* points of a history at most */

/* The user of tool_watch_progress. */
typedef struct tool_watch {
    double begun, cpu_begun; /* the clock, and the processor's, at the run's begin [s] */
    double limit;            /* of processor seconds, and a tenth of the clock's; 0 = none */
    int late;                /* 1: asked to stop by the limit */
    int64_t points, seen, stride;
    double point[3 * (TOOL_HISTORY_SIZE + 1)]; /* seconds, iteration, the solver's own residual */
} tool_watch;

/* For saddle_context_options.progress; calls tool_progress_callback too. */
saddle_progress_function tool_watch_progress;

/* The context's progress_user must be watch.  Fills solver .. history of the run, and status
 * SADDLE_STOPPED where the user interrupted.  SADDLE_OUT_OF_MEMORY: of the run's own texts. */
saddle_status tool_measure_run(saddle_context *context, const tool_contender *contender,
                               const saddle_problem *problem, double tolerance, tool_watch *watch,
                               tool_results_run *run, saddle_status *ended);

/* Residual and worst rows of a solution, for another program's answer too.  *solved: to the
 * tolerance. */
saddle_status tool_measure_judge(saddle_context *context, const saddle_problem *problem,
                                 const saddle_solution *solution, double tolerance,
                                 tool_results_run *run, int *solved);

/* Seconds on the clock after which a run ends that has not used its processor time. */
#define TOOL_CLOCK_OF_LIMIT(limit) (10.0 * (limit))

/* Replaces one text of a run by a copy. */
saddle_status tool_run_text(saddle_context *context, char **text, const char *value);

#endif
