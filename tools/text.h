/* SPDX-License-Identifier: MIT */
/* What verbs print: errors and exit codes, short texts, tables, JSON, problems and solutions. */
#ifndef SADDLE_TOOLS_TEXT_H
#define SADDLE_TOOLS_TEXT_H

#include <jansson.h>

#include "files/text.h"
#include "input.h"

/* ---- errors ---- */

typedef enum tool_exit {
    TOOL_EXIT_SOLVED = 0,      /* to the tolerance, or done as asked */
    TOOL_EXIT_TOLERANCE = 1,   /* a result, but not to the tolerance */
    TOOL_EXIT_USAGE = 2,       /* an unknown verb, option or value */
    TOOL_EXIT_INPUT = 3,       /* unreadable, inconsistent; not writable */
    TOOL_EXIT_UNSUPPORTED = 4, /* rows the solver or the format can't do */
    TOOL_EXIT_INTERNAL = 5     /* out of memory too */
} tool_exit;

/* The exit code of a status. */
int tool_exit_code(saddle_status status);

/* saddle_status_text without "result written, ", which holds only with --output. */
const char *tool_status_text(saddle_status status);

/* "saddle: ..." and a newline to stderr, below an erased progress line and earlier output; control
 * characters in the message as escapes. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void tool_error(const char *format, ...);

/* The message printed last, "" = none; good until the next. */
const char *tool_error_last(void);

/* tool_error with the context's message, or the text of the status; returns the exit code. */
int tool_fail(const saddle_context *context, saddle_status status);

/* ---- short texts ---- */

/* ", 12 equality, 6 in 2 contacts (cone)"; "" where m = 0. */
typedef struct tool_line {
    char text[160];
} tool_line;
tool_line tool_text_rows(const saddle_problem *problem);

/* "1.2e-11", or "-" for a value that is not finite: not measured, or overflowed. */
typedef struct tool_figure {
    char text[32];
} tool_figure;
tool_figure tool_text_figure(double value);

/* "1.2 MB" */
tool_figure tool_text_bytes(int64_t bytes);

/* A foreign text (a name, a path, a note) for the terminal: control characters and bytes that are
 * not UTF-8 as escapes (\n, \x1b, \u009b); cut with "..." where too long. */
enum { TOOL_SHOWN_SIZE = 4096 };
typedef struct tool_shown {
    char text[TOOL_SHOWN_SIZE];
} tool_shown;
tool_shown tool_text_shown(const char *text);

/* ---- tables of short texts ---- */

enum { TOOL_TABLE_WIDTH = 24, TOOL_CELL_SIZE = 160 };

typedef char tool_table_row[TOOL_TABLE_WIDTH][TOOL_CELL_SIZE];

/* the all-zero struct with columns and titles filled in is a table without rows */
typedef struct tool_table {
    int columns;
    const char *const *title;
    unsigned right; /* bit c: column c is set flush right (numbers) */
    int rows, capacity;
    int failed; /* 1: there was no memory for a row */
    tool_table_row *cell;
} tool_table;

/* A new row of empty cells; NULL when there is no memory, which is fine for tool_table_set. */
tool_table_row *tool_table_add(tool_table *table);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void tool_table_set(tool_table_row *row, int column, const char *format, ...);

/* Aligned, empty cells as "-"; or as comma-separated values.  The rows are released.
 * SADDLE_OUT_OF_MEMORY, and nothing printed, where a row is missing. */
saddle_status tool_table_print(tool_table *table, int csv);

/* ---- files of text ---- */

/* Adds at most 1023 characters; out of memory: as saddle__text has it. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tool_text_addf(saddle__text *text, const char *format, ...);

/* Writes the text and empties it; path NULL: SADDLE_OUT_OF_MEMORY. */
saddle_status tool_text_write(saddle__text *text, const char *path);

/* ---- JSON ---- */

/* Once, before the first JSON value: from then on a failed allocation of jansson is remembered. */
void tool_json_begin(void);

/* A JSON number, null if not finite. */
json_t *tool_json_number(double value);

/* "units": {what: unit, ..}; unit: pairs ended by NULL. */
void tool_units_to_json(json_t *object, const char *const *unit);

/* A JSON string of any bytes ("" of NULL); printing makes them UTF-8. */
json_t *tool_json_text(const char *text);

/* Prints the object and a newline, numbers with the fewest digits that read back bit for bit, and
 * releases the object.  SADDLE_OUT_OF_MEMORY, and nothing printed, after a failed allocation. */
saddle_status tool_json_print(saddle_context *context, json_t *object);

/* 1: an object has been printed. */
int tool_json_printed(void);

/* The object of a run that printed none: the last message, and "solved" false.  name: NULL = null;
 * code: the exit code. */
void tool_json_print_failure(const char *name, saddle_status status, int code);

/* Likewise for an object as text (which is cut), with more members appended.  The text is not
 * parsed: jansson's parser (2.14) crashes where an allocation fails. */
saddle_status tool_json_print_joined(saddle_context *context, char *first, json_t *more);

/* ---- problems and solutions ---- */

/* "problem    NAME (FORMAT): n = .., m = .., rows", and a line on a right-hand side of our own. */
void tool_problem_print(const tool_problem *read);

/* A line, or the key "rhs", if the right-hand side is our own choice; else nothing. */
void tool_rhs_print(const tool_problem *read);
void tool_rhs_to_json(const tool_problem *read, json_t *object);

/* "HEAD dynamics ..   rows ..   cone ..   total .." without a newline; {dynamics, rows, cone,
 * total}. */
void tool_residual_print(const char *head, const saddle_residual *residual);
json_t *tool_residual_to_json(const saddle_residual *residual);

/* "attached   ..", and the key "attachments": counts of the reduction. */
void tool_elimination_print(const saddle_elimination *elimination);
void tool_elimination_to_json(const saddle_elimination *elimination, json_t *object);

/* The proof of a certificate: lines that begin with "proof", and {kind, text, rows, velocities,
 * gap, reach}. */
void tool_proof_print(const saddle_problem *problem, const saddle_certificate *certificate,
                      const saddle_proof *proof);
json_t *tool_proof_to_json(const saddle_problem *problem, const saddle_certificate *certificate,
                           const saddle_proof *proof);

#endif
