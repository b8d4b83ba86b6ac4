/* SPDX-License-Identifier: MIT */
/* Lines and JSON on problems and solutions, shared by verbs. */
#ifndef SADDLE_TOOLS_SUMMARY_H
#define SADDLE_TOOLS_SUMMARY_H

#include <jansson.h>

#include "input.h"

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
