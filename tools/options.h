/* SPDX-License-Identifier: MIT */
/* Command lines: one table per verb, from which arguments are read and --help is printed, so that
 * the two cannot drift.
 *
 * Options are written --name VALUE or --name=VALUE, in any order, before or after the arguments;
 * "--" ends them. A value is stored at group.offset + option.offset of the verb's request struct,
 * as the type its kind says.
 */
#ifndef SADDLE_TOOLS_OPTIONS_H
#define SADDLE_TOOLS_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#define TOOL_TEXT_SIZE 512

typedef enum tool_kind {
    TOOL_FLAG,   /* int, set to 1 */
    TOOL_TEXT,   /* const char * */
    TOOL_NUMBER, /* double, finite */
    TOOL_COUNT,  /* int64_t */
    TOOL_WORD,   /* int, the value of one of the words */
    TOOL_APPEND  /* char[TOOL_TEXT_SIZE]: the values of all occurrences, separated by spaces */
} tool_kind;

typedef struct tool_word {
    const char *word;
    int value;
} tool_word;

typedef struct tool_option {
    const char *name;  /* without the dashes; NULL ends the table */
    const char *value; /* what --help calls the value; NULL: nothing (flag) or the words joined */
    tool_kind kind;
    size_t offset;          /* in the group's struct */
    double least;           /* numbers and counts: the smallest allowed */
    double most;            /* counts: the largest allowed; 0 = any */
    const tool_word *words; /* ended by a NULL word */
    const char *help;       /* a few words */
    const char *unset;      /* what --help prints as the default where that is 0, NULL or no word;
                               NULL: no default is printed then */
} tool_option;

typedef struct tool_group {
    const char *title; /* NULL ends the list */
    size_t offset;     /* of the group's struct in the request */
    const tool_option *options;
} tool_group;

typedef struct tool_verb {
    const char *name;      /* NULL ends the list */
    const char *arguments; /* "PROBLEM SOLUTION" */
    const char *summary;   /* one line */
    int least, most;       /* arguments without dashes; most = -1: any number */
    size_t request_size;   /* bytes of the request struct, zeroed before defaults */
    void (*defaults)(void *request);
    const tool_group *groups;
    const char *notes; /* printed below the options: what it prints, examples */
    int (*run)(const void *request, int count, char **argument); /* returns the exit code */
} tool_verb;

/* Reads argv[0 .. argc) (without program and verb) into request; the arguments without dashes are
 * moved to the front of argv and counted.  0, or -1 after an error message; *help is set where
 * --help was among them, and nothing else matters then. */
int tool_options_parse(const tool_verb *verb, int argc, char **argv, void *request, int *count,
                       int *help);

/* request: with its defaults, which are printed. */
void tool_options_help(const tool_verb *verb, const void *request);

/* The exit codes, as every help text ends with them. */
extern const char tool_exit_code_help[];

#endif
