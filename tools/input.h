/* SPDX-License-Identifier: MIT */
/* The options that several verbs share, and reading the problem they name. */
#ifndef SADDLE_TOOLS_INPUT_H
#define SADDLE_TOOLS_INPUT_H

#include <jansson.h>

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
    int law;        /* of saddle_law; -1 = the problem's */
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

/* Each of saddle_format's words; for --from and --to too. */
extern const tool_word tool_format_words[];

void tool_friction_defaults(tool_friction *friction);
void tool_solving_defaults(tool_solving *solving);
/* Borrows solving->settings. */
saddle_options tool_solving_get(const tool_solving *solving);

/* A context with the progress callback. */
saddle_status tool_context_create(const tool_input *input, saddle_context **context);

typedef struct tool_problem {
    saddle_problem problem; /* of a bundle with attachments the whole one: they are rows behind its
                               own */
    saddle_problem unreduced;        /* of such a bundle, else empty */
    saddle_attachments *attachments; /* its graph; NULL = none */
    saddle_solution start;           /* the file's initial guess; n = m = 0 where it has none */
    saddle_format format;            /* as detected */
    double seconds;                  /* reading took */
    int made_rhs;                    /* 1: a bare matrix without --rhs, solved for K 1 */
    char name[80];                   /* the problem's, else the file's */
} tool_problem;

/* friction: NULL = the problem's own law. */
saddle_status tool_problem_read(saddle_context *context, const char *path, const tool_input *input,
                                const tool_friction *friction, tool_problem *read);
void tool_problem_clear(tool_problem *read);

/* A line, or the key "rhs", that says where the right-hand side is our own choice; nothing where it
 * was given. */
void tool_rhs_print(const tool_problem *read);
void tool_rhs_to_json(const tool_problem *read, json_t *object);

/* The last part of a path, without slashes at its end, into text[size]. */
void tool_path_name(const char *path, char *text, size_t size);

#endif
