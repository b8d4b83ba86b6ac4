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

/* "1.2e-11", or "-" where the value is not finite: a residual that was not measured, or overflowed. */
typedef struct tool_figure {
    char text[32];
} tool_figure;
tool_figure tool_text_figure(double value);

/* A JSON number, null where it is not finite. */
json_t *tool_json_number(double value);

/* Prints the object and a newline; -1 where there is no memory or no output. */
int tool_json_print(const json_t *object);

#endif
