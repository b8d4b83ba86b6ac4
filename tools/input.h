/* SPDX-License-Identifier: MIT */
/* Shared options, the session of a run, and reading of problems. */
#ifndef SADDLE_TOOLS_INPUT_H
#define SADDLE_TOOLS_INPUT_H

#include "options.h"
#include "saddle/saddle.h"

/* --rhs, --format, --memory-limit */
typedef struct tool_input {
    const char *rhs;
    int format;     /* of saddle_format */
    int64_t memory; /* [MiB] 0 = no limit */
} tool_input;
extern const tool_option tool_input_options[];
#define TOOL_MEMORY_HELP "MiB at most of the library's own allocations, SuiteSparse's apart"

/* --friction, --facets */
typedef struct tool_friction {
    int law;        /* 1 + a saddle_law; 0 = the problem's */
    int64_t facets; /* 0 = the problem's */
} tool_friction;
extern const tool_option tool_friction_options[];

/* --tol and the other fields of saddle_options */
typedef struct tool_solving {
    saddle_options options;
    int ordering;                  /* of saddle_ordering; goes into options by tool_solving_get */
    char settings[TOOL_TEXT_SIZE]; /* all --set, likewise */
} tool_solving;
extern const tool_option tool_solving_options[];
void tool_solving_defaults(tool_solving *solving);
saddle_options tool_solving_get(const tool_solving *solving);

/* --attachments */
typedef struct tool_wish {
    int wish; /* of saddle_elimination_wish */
} tool_wish;
extern const tool_option tool_wish_options[];

/* Each of saddle_format's words; for --from and --to too. */
extern const tool_word tool_format_words[];

/* ---- a run ---- */

typedef struct tool_problem {
    saddle_problem problem;          /* with attachments as rows behind the problem's own */
    saddle_problem unreduced;        /* without the attachments; empty for other problems */
    saddle_attachments *attachments; /* its graph; NULL = none */
    saddle_solution start;           /* the file's initial guess; n = m = 0 if absent */
    saddle_format format;            /* as detected */
    double seconds;                  /* reading took */
    int made_rhs;                    /* 1: a bare matrix without --rhs, solved for K 1 */
    char name[80];                   /* the problem's, else the file's */
} tool_problem;

/* Released after the verb has run. */
struct tool_session {
    saddle_context *context;
    tool_problem read;
    int code; /* the exit code where run returns SADDLE_OK */
};

/* The session's context, with the progress callback and warnings on stderr; input: NULL = no memory
 * limit. */
saddle_status tool_session_open(tool_session *session, const tool_input *input);

/* Opens the session, unless it is open, and reads its problem. */
saddle_status tool_session_read(tool_session *session, const char *path, const tool_input *input,
                                const tool_friction *friction);

saddle_status tool_problem_read(saddle_context *context, const char *path, const tool_input *input,
                                const tool_friction *friction, tool_problem *read);
void tool_problem_clear(tool_problem *read);

/* Reduces a problem with attachments; threads: of the reduction. */
saddle_status tool_eliminate(saddle_context *context, const tool_problem *read,
                             const tool_wish *wish, int64_t threads,
                             saddle_elimination **elimination);

/* A solution folder; SADDLE_BAD_FILE, with the advice at the end of the message, where its sizes
 * are not the problem's. */
saddle_status tool_solution_read(saddle_context *context, const char *path,
                                 const saddle_problem *problem, const char *advice,
                                 saddle_solution *solution);

/* Analyse, factor, solve, as far as no phase fails or is stopped; start: NULL = none. */
saddle_status tool_solve(saddle_solver *solver, const saddle_problem *problem,
                         const saddle_solution *start, saddle_solution *solution);

/* The last part of a path, without slashes at its end, into text[size]. */
void tool_path_name(const char *path, char *text, size_t size);

#endif
