/* SPDX-License-Identifier: MIT */
/* What a certificate that there is no solution proves, in a line and in JSON. */
#ifndef SADDLE_TOOLS_PROOF_H
#define SADDLE_TOOLS_PROOF_H

#include <jansson.h>

#include "saddle/certificate.h"

/* Lines that begin with "proof". */
void tool_proof_print(const saddle_problem *problem, const saddle_certificate *certificate,
                      const saddle_proof *proof);

/* {"kind", "text", "rows", "velocities", "gap", "reach"}; NULL where memory ran out. */
json_t *tool_proof_to_json(const saddle_problem *problem, const saddle_certificate *certificate,
                           const saddle_proof *proof);

#endif
