/* SPDX-License-Identifier: MIT */
/* Short texts and JSON as several verbs print them. */
#ifndef SADDLE_TOOLS_TEXT_H
#define SADDLE_TOOLS_TEXT_H

#include <jansson.h>

#include "saddle/problem.h"

/* ", 12 equality, 6 in 2 contacts (cone)" into text[size]; "" where m = 0. */
void tool_text_rows(const saddle_problem *problem, char *text, size_t size);

/* "1.2 MB" into text[size]. */
void tool_text_bytes(int64_t bytes, char *text, size_t size);

/* "1.2e-11", or "-" where the value is not finite: a residual that was not measured, or
 * overflowed. */
typedef struct tool_figure {
    char text[32];
} tool_figure;
tool_figure tool_text_figure(double value);

/* A text of others (a name, a path, a note) for a line of text: control characters and bytes that
 * are not UTF-8 as escapes (\n, \x1b, \u009b), so that none of them reaches the terminal; cut with
 * "..." where it does not fit. */
enum { TOOL_SHOWN_SIZE = 4096 };
typedef struct tool_shown {
    char text[TOOL_SHOWN_SIZE];
} tool_shown;
tool_shown tool_text_shown(const char *text);

/* Once, before the first JSON value: from then on a failed allocation of jansson's is
 * remembered. */
void tool_json_begin(void);

/* A JSON number, null where it is not finite. */
json_t *tool_json_number(double value);

/* A JSON string of any bytes ("" of NULL); printing makes them UTF-8. */
json_t *tool_json_text(const char *text);

/* Prints the object and a newline, numbers with the fewest digits that read back bit for bit; -1,
 * and nothing printed, where there was no memory for the object, for a part of it, or for its
 * text. */
int tool_json_print(json_t *object);

/* The same of an object that exists as text and has members, which is cut, with more members
 * behind: it is not parsed, because jansson's parser (2.14) crashes where an allocation fails. */
int tool_json_print_joined(char *first, json_t *more);

#endif
