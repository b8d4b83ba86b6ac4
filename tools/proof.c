/* SPDX-License-Identifier: MIT */
/* See proof.h. */
#include "proof.h"

#include <math.h>
#include <stdio.h>

#include "text.h"

enum { NAMES = 5, TEXT_SIZE = 512 };

void tool_proof_print(const saddle_problem *problem, const saddle_certificate *certificate,
                      const saddle_proof *proof)
{
    char text[TEXT_SIZE];
    saddle_certificate_describe(problem, certificate, NAMES, text, sizeof text);
    if (proof->kind == SADDLE_PROOF_NONE)
        printf("proof      none: the certificate does not hold (gap %s, reach %s)\n",
               tool_text_figure(proof->gap).text, tool_text_figure(proof->reach).text);
    else
        printf("proof      %s\n           gap %s   reach %s\n", tool_text_shown(text).text,
               tool_text_figure(proof->gap).text,
               isinf(proof->reach) ? "unlimited" : tool_text_figure(proof->reach).text);
}

json_t *tool_proof_to_json(const saddle_problem *problem, const saddle_certificate *certificate,
                           const saddle_proof *proof)
{
    char text[TEXT_SIZE];
    json_t *object = json_object();
    saddle_certificate_describe(problem, certificate, NAMES, text, sizeof text);
    json_object_set_new(object, "kind", json_string(saddle_proof_word(proof->kind)));
    json_object_set_new(object, "text", tool_json_text(text));
    json_object_set_new(object, "rows", json_integer(proof->rows));
    json_object_set_new(object, "velocities", json_integer(proof->velocities));
    json_object_set_new(object, "gap", tool_json_number(proof->gap));
    json_object_set_new(object, "reach", tool_json_number(proof->reach));
    return object;
}
