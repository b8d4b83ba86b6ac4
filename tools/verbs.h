/* SPDX-License-Identifier: MIT */
/* The verbs of the command, one file each. */
#ifndef SADDLE_TOOLS_VERBS_H
#define SADDLE_TOOLS_VERBS_H

#include "options.h"

extern const tool_verb tool_verb_solve, tool_verb_info, tool_verb_check, tool_verb_convert,
    tool_verb_bench, tool_verb_solvers, tool_verb_reduce, tool_verb_recover, tool_verb_simulate;

#endif
