/* SPDX-License-Identifier: MIT */
/* Command lines, shared options, the session of a run, and reading of problems. */
#ifndef SADDLE_TOOLS_INPUT_H
#define SADDLE_TOOLS_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "files/bundle.h"
#include "saddle/saddle.h"

/* ---- command lines ----
 *
 * one table for each verb, from which arguments are read and --help is printed, so
 * that the two cannot drift.
 *
 * Options are written --name VALUE or --name=VALUE, in any order, before or after the arguments;
 * "--" ends the options.  A value is stored at group.offset + option.offset of the verb's request
 * struct, as the type of the option's kind. */

enum { TOOL_TEXT_SIZE = 512, TOOL_GROUPS_SIZE = 6 };

typedef enum tool_kind {
    TOOL_FLAG,   /* int, set to 1 */
    TOOL_TEXT,   /* const char * */
    TOOL_NUMBER, /* double, finite */
    TOOL_COUNT,  /* int64_t */
    TOOL_WORD,   /* int, the value of a word in the list */
    TOOL_APPEND  /* char[TOOL_TEXT_SIZE]: the values of all occurrences, separated by spaces */
} tool_kind;

typedef struct tool_word {
    const char *word; /* NULL ends the list */
    int value;
} tool_word;

typedef struct tool_option {
    const char *name; /* without the dashes; NULL ends the table */
    tool_kind kind;
    size_t offset;          /* in the group's struct */
    const char *value;      /* the value's name in --help; NULL: none (flag), or the words joined */
    const char *help;       /* a few words */
    const tool_word *words; /* of TOOL_WORD */
    const char *unset;      /* the default in --help where the value is 0, NULL or no word; NULL: no
                               default is printed then */
    double least;           /* numbers and counts: the smallest allowed */
    double most;            /* the largest allowed; 0 = any */
} tool_option;

typedef struct tool_group {
    const char *title; /* NULL ends the list */
    size_t offset;     /* of the group's struct in the request */
    const tool_option *options;
} tool_group;

typedef struct tool_session tool_session;

typedef struct tool_verb {
    const char *name;
    const char *arguments;           /* "PROBLEM SOLUTION", "[NAME]", "PROBLEM..." */
    const char *summary;             /* one line */
    size_t request_size;             /* bytes of the request struct, zeroed before defaults */
    void (*defaults)(void *request); /* NULL: all zero */
    tool_group groups[TOOL_GROUPS_SIZE];
    const char *notes; /* printed below the options: purpose, examples */
    /* argument: NULL behind the last; a status other than SADDLE_OK becomes message and exit code,
     * otherwise session->code counts */
    saddle_status (*run)(tool_session *session, const void *request, char **argument);
} tool_verb;

extern const tool_verb tool_verb_solve, tool_verb_info, tool_verb_check, tool_verb_convert,
    tool_verb_bench, tool_verb_solvers, tool_verb_reduce, tool_verb_recover, tool_verb_simulate,
    tool_verb_help_text, tool_verb_accuracy, tool_verb_bundle, tool_verb_replay;

/* Reads argv[0 .. argc] (without program and verb, argv[argc] = NULL) into request; the arguments
 * without dashes are moved to the front of argv, and NULL follows.  0, or -1 after an error
 * message. *help is set if --help is among them, and nothing else matters then. */
int tool_options_parse(const tool_verb *verb, int argc, char **argv, void *request, int *help);

/* 1: the verb has the flag, and the request has it set. */
int tool_options_flag(const tool_verb *verb, const void *request, const char *name);

/* 1: the verb has the flag, and argv[0 .. argc) asks for it, whatever else may be wrong there. */
int tool_options_word(const tool_verb *verb, int argc, char **argv, const char *name);

/* request: with its defaults, which are printed. */
void tool_options_help(const tool_verb *verb, const void *request);

/* The exit codes, as every help text ends with them. */
extern const char tool_exit_code_help[];

/* ---- shared options ---- */

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
extern const tool_word tool_law_words[];
void tool_friction_set(const tool_friction *friction, saddle_problem *problem);

/* --tol and the other fields of saddle_options */
typedef struct tool_solving {
    saddle_options options;
    int ordering;                  /* of saddle_ordering; goes into options by tool_solving_get */
    char settings[TOOL_TEXT_SIZE]; /* all --set, likewise */
    unsigned given;                /* bit k: tool_solving_options[k] was given */
} tool_solving;
extern const tool_option tool_solving_options[];
void tool_solving_defaults(tool_solving *solving);
saddle_options tool_solving_get(const tool_solving *solving);

/* The solve recorded in a bundle: recorded (solver NULL = none; cleared by the caller).  In
 * solving, options not given are replaced by the recorded ones. */
saddle_status tool_solving_recall(saddle_context *context, const char *path, tool_solving *solving,
                                  saddle__solving *recorded);

/* --attachments */
typedef struct tool_wish {
    int wish; /* of saddle_wish */
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
    double constant;                 /* of a quadratic program's objective; NAN: no such program */
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

/* The same with another progress callback. */
saddle_status tool_session_open_watched(tool_session *session, const tool_input *input,
                                        saddle_progress_function *progress, void *user);

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

/* The file that a path of the command line stands for: "-" is the standard input. */
const char *tool_path_input(const char *path);

/* The last part of a path, without slashes at its end, into text[size]. */
void tool_path_name(const char *path, char *text, size_t size);

#endif
