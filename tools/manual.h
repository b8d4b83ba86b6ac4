/* SPDX-License-Identifier: MIT */
/* What the option tables say, as help, as a manual page and as a completion script; and words for
 * mistyped ones. */
#ifndef SADDLE_TOOLS_MANUAL_H
#define SADDLE_TOOLS_MANUAL_H

#include "input.h"

/* The verbs, ended by NULL; defined beside main. */
extern const tool_verb *const tool_verbs[];

/* The verb of a name; NULL = none. */
const tool_verb *tool_verb_find(const char *name);

/* "saddle VERB ..", all verbs: the text of saddle --help. */
void tool_help_print(void);

/* The text of saddle VERB --help; TOOL_EXIT_SOLVED, or TOOL_EXIT_INTERNAL without memory. */
int tool_verb_help(const tool_verb *verb);

/* ---- mistyped words ---- */

typedef struct tool_suggestion { /* all-zero: nothing tried yet */
    const char *nearest;
    int distance;
} tool_suggestion;

/* Keeps the nearer of the candidates so far and this one, by insertions, deletions, changes and
 * exchanges of neighbours; a candidate further away than a third of its letters does not count. */
void tool_suggest(tool_suggestion *suggestion, const char *typed, const char *candidate);

/* "; did you mean 'X'?" into text[size], "" without a near candidate. */
void tool_suggestion_words(const tool_suggestion *suggestion, const char *dashes, char *text,
                           size_t size);

/* saddle_solver_create; the message of an unknown name ends with the nearest of the solvers. */
saddle_status tool_solver_create(saddle_context *context, const char *name,
                                 const saddle_options *options, saddle_solver **solver);

#endif
