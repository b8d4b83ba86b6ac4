/* SPDX-License-Identifier: MIT */
/* The result file of saddle bench: JSON Lines, appended line by line (docs/benchmarks.md).
 *
 *     {"line":"head", ..}      the machine, the program, the options; first, and again where a run
 *                              with --mixed went on under others
 *     {"line":"problem", ..}   once for each problem, before its runs
 *     {"line":"run", ..}       one repetition of one solver on one problem
 *
 * Each line ends with a member "check", the FNV-1a hash (64 bits, 16 hexadecimal digits) of the
 * bytes before the comma in front of "check".  A line without newline at the end of the file was
 * cut by a kill and is dropped; any other line that does not parse, or whose check differs, makes
 * the file refused. */
#ifndef SADDLE_TOOLS_RESULTS_H
#define SADDLE_TOOLS_RESULTS_H

#include <stdio.h>

#include "files/json_scan.h"

/* What decides whether results may stand in one file.  All texts owned. */
typedef struct tool_results_head {
    char *machine; /* the processor's name */
    char *system;  /* kernel and architecture */
    int64_t cores, memory_bytes;
    char *version; /* of saddle */
    char *program; /* FNV-1a hash of the program's file */
    char *commit;  /* as given by --commit; "" = not given */
    char *options; /* those of the command line that change results, in one text */
} tool_results_head;

/* n, m, contacts: after the reduction of attachments. */
typedef struct tool_results_problem {
    char *path;             /* the key */
    char *name, *family;    /* family: problems of one kind and growing size */
    char *set, *difficulty; /* "" = none */
    char *law;
    char *spy; /* cells x cells hexadecimal shades by rows (tools/spy.h); "" = none */
    int64_t n, m, contacts;
} tool_results_problem;

typedef struct tool_results_run {
    char *path, *solver, *settings; /* with the tolerance: the key of a case */
    double tolerance;
    int64_t repetition; /* from 0 */
    char *method;       /* the solver of the answer, where auto chose */
    char *status;       /* "solved", "time limit", .. */
    char *note;
    char *worst_row, *worst_velocity; /* described; "" = none */
    double residual;                  /* of the checker; NAN = no answer */
    int64_t iterations;
    double analyse, factor, solve; /* wall clock [s] */
    double time, cpu;              /* analyse + factor + solve: wall clock, processor [s] */
    int64_t memory;                /* peak beyond the problem [bytes]; of another program its
                                      whole process */
    saddle__json_list history;     /* triples: seconds, iteration, residual; first repetition */
} tool_results_run;

typedef struct tool_results { /* all zero = empty */
    saddle_context *context;
    tool_results_head head; /* the last of the file */
    int heads;
    tool_results_problem *problem;
    int64_t problems, problem_room;
    tool_results_run *run;
    int64_t runs, run_room;
    FILE *file; /* NULL: in memory only */
} tool_results;

/* The machine and the program of this process. */
saddle_status tool_results_head_here(saddle_context *context, const char *commit,
                                     const char *options, tool_results_head *head);

/* Reads a file.  *complete (NULL is fine): bytes up to the end of the last whole line.
 * SADDLE_FILE_ERROR, SADDLE_BAD_FILE ("FILE:LINE: reason"). */
saddle_status tool_results_read(saddle_context *context, const char *path, tool_results *results,
                                int64_t *complete);

/* Opens a file to go on with, or a new one (path NULL: in memory only), and takes head over.  A
 * cut last line is removed from the file, with a message.  SADDLE_INVALID_ARGUMENT: the file's head
 * differs and mixed is 0; SADDLE_FILE_ERROR: another process writes the file. */
saddle_status tool_results_open(saddle_context *context, const char *path, tool_results_head *head,
                                int mixed, tool_results *results);

void tool_results_release_head(saddle_context *context, tool_results_head *head);
void tool_results_release_problem(saddle_context *context, tool_results_problem *problem);
void tool_results_release_run(saddle_context *context, tool_results_run *run);

/* Take the texts over, whatever the status, and write a line; NULL texts become empty. */
saddle_status tool_results_add_problem(tool_results *results, tool_results_problem *problem);
saddle_status tool_results_add_run(tool_results *results, tool_results_run *run);

/* NULL: none of that path. */
const tool_results_problem *tool_results_problem_of(const tool_results *results, const char *path);

void tool_results_clear(tool_results *results);

/* ---- cases: runs that differ by their repetition alone ---- */

typedef struct tool_case {
    const tool_results_problem *problem;
    const tool_results_run *first; /* the first repetition in the file */
    int64_t *run;                  /* (count) indices into results->run, in the file's order */
    int64_t count;
    int solved; /* 1: every repetition */
} tool_case;

typedef struct tool_cases {
    saddle_context *context;
    int64_t *order;
    tool_case *at;
    int64_t count;
} tool_cases;

/* In the order of their first runs. */
saddle_status tool_cases_of(const tool_results *results, tool_cases *cases);
void tool_cases_clear(tool_cases *cases);

/* <, = or > 0: by path, solver, settings and tolerance. */
int tool_case_compare(const tool_results_run *a, const tool_results_run *b);

/* "gauss-seidel:relaxation=1.2" */
void tool_case_solver(const tool_results_run *run, char *text, size_t size);

/* A quantity of a run by its name: TOOL_MEASURES. */
#define TOOL_MEASURES(X) \
    X(time) X(cpu) X(iterations) X(residual) X(memory) X(analyse) X(factor) X(solve)
typedef enum tool_measure {
#define TOOL_MEASURE(name) TOOL_BY_##name,
    TOOL_MEASURES(TOOL_MEASURE)
#undef TOOL_MEASURE
} tool_measure;

/* For ratios: iterations at least 1, a residual at least 2^-52. */
double tool_measure_of(const tool_results_run *run, tool_measure measure);

/* Values of a case (count) into value; returns their median, INFINITY unless solved. */
double tool_case_values(const tool_results *results, const tool_case *at, tool_measure measure,
                        double *value);

#endif
