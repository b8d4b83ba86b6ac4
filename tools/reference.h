/* SPDX-License-Identifier: MIT */
/* A reference (saddle/reference.h) as text and JSON. */
#ifndef SADDLE_TOOL_REFERENCE_H
#define SADDLE_TOOL_REFERENCE_H

#include <jansson.h>

#include "saddle/saddle.h"

/* problem: names the velocities and rows. */
void tool_reference_print(const saddle_problem *problem, const saddle_reference *reference);

/* Keys: certified, note, velocity, impulse, slack {size, bound, largest, digits, worst, component
 * (one-based, null = none), unresolved}, steps, contraction, condition, sensitivity, changed, weak,
 * margin, margin_row (one-based), equalities, rank, separation. */
json_t *tool_reference_to_json(const saddle_reference *reference);

#endif
