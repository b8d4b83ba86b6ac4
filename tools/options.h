/* SPDX-License-Identifier: MIT */
/* Command lines: one table for each verb, from which arguments are read and --help is printed, so
 * that the two cannot drift.
 *
 * Options are written --name VALUE or --name=VALUE, in any order, before or after the arguments;
 * "--" ends the options.  A value is stored at group.offset + option.offset of the verb's request
 * struct, as the type of the option's kind. */
#ifndef SADDLE_TOOLS_OPTIONS_H
#define SADDLE_TOOLS_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "saddle/status.h"

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
    tool_verb_bench, tool_verb_solvers, tool_verb_reduce, tool_verb_recover, tool_verb_simulate;

/* Reads argv[0 .. argc] (without program and verb, argv[argc] = NULL) into request; the arguments
 * without dashes are moved to the front of argv, and NULL follows.  0, or -1 after an error
 * message. *help is set if --help is among them, and nothing else matters then. */
int tool_options_parse(const tool_verb *verb, int argc, char **argv, void *request, int *help);

/* 1: the verb has the flag, and the request has it set. */
int tool_options_flag(const tool_verb *verb, const void *request, const char *name);

/* request: with its defaults, which are printed. */
void tool_options_help(const tool_verb *verb, const void *request);

/* The exit codes, as every help text ends with them. */
extern const char tool_exit_code_help[];

#endif
