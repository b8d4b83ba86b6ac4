/* SPDX-License-Identifier: MIT */
/* Names for the rows of contacts. */
#ifndef SADDLE_TOOLS_CONTACT_NAMES_H
#define SADDLE_TOOLS_CONTACT_NAMES_H

#include "saddle/problem.h"

/* Rows of contacts without a name get one by the components of their velocities: "crate, lid:
 * normal", "crate: tangent 2"; "contact 7: normal" where no component has a name.  problem: owned.
 * SADDLE_OUT_OF_MEMORY. */
saddle_status tool_contacts_name(saddle_context *context, saddle_problem *problem);

#endif
