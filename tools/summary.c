/* SPDX-License-Identifier: MIT */
/* Lines and JSON on problems and solutions, shared by verbs. */
#include "summary.h"

#include <math.h>
#include <stdio.h>

#include "text.h"

static const char made_rhs_text[] = "K 1 (none given: the exact solution is all ones)";

void tool_problem_print(const tool_problem *read)
{
    printf("problem    %s (%s): n = %lld, m = %lld%s\n", tool_text_shown(read->name).text,
           saddle_format_word(read->format), (long long)read->problem.n, (long long)read->problem.m,
           tool_text_rows(&read->problem).text);
    tool_rhs_print(read);
}

void tool_rhs_print(const tool_problem *read)
{
    if (read->made_rhs) printf("right-hand side  %s\n", made_rhs_text);
}

void tool_rhs_to_json(const tool_problem *read, json_t *object)
{
    if (read->made_rhs) json_object_set_new(object, "rhs", json_string(made_rhs_text));
}

void tool_residual_print(const char *head, const saddle_residual *residual)
{
    printf("%s   dynamics %s   rows %s   cone %s   total %s", head,
           tool_text_figure(residual->dynamics).text, tool_text_figure(residual->rows).text,
           tool_text_figure(residual->cone).text, tool_text_figure(residual->total).text);
}

json_t *tool_residual_to_json(const saddle_residual *residual)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "dynamics", tool_json_number(residual->dynamics),
                     "rows", tool_json_number(residual->rows), "cone",
                     tool_json_number(residual->cone), "total", tool_json_number(residual->total));
}

void tool_elimination_print(const saddle_elimination *elimination)
{
    const saddle_elimination_report r = saddle_elimination_report_of(elimination);
    printf(
        "attached   %lld eliminated, %lld kept as rows: n = %lld, m = %lld -> n = %lld, m = %lld\n",
        (long long)r.eliminated, (long long)r.kept, (long long)r.n,
        (long long)(r.m + r.multipliers), (long long)r.reduced_n, (long long)r.reduced_m);
    if (r.analyses == 0) return;
    printf("           chosen of %lld: work %s   all eliminated %s   all kept %s\n",
           (long long)r.analyses, tool_text_figure(r.work).text,
           tool_text_figure(r.work_eliminated).text, tool_text_figure(r.work_kept).text);
}

void tool_elimination_to_json(const saddle_elimination *elimination, json_t *object)
{
    const saddle_elimination_report r = saddle_elimination_report_of(elimination);
    json_t *about = json_object();
    json_object_set_new(about, "eliminated", json_integer((json_int_t)r.eliminated));
    json_object_set_new(about, "kept", json_integer((json_int_t)r.kept));
    json_object_set_new(about, "multipliers", json_integer((json_int_t)r.multipliers));
    json_object_set_new(about, "reduced_n", json_integer((json_int_t)r.reduced_n));
    json_object_set_new(about, "reduced_m", json_integer((json_int_t)r.reduced_m));
    json_object_set_new(about, "analyses", json_integer((json_int_t)r.analyses));
    json_object_set_new(about, "work", tool_json_number(r.work));
    json_object_set_new(about, "work_eliminated", tool_json_number(r.work_eliminated));
    json_object_set_new(about, "work_kept", tool_json_number(r.work_kept));
    json_object_set_new(object, "attachments", about);
}

enum { NAMES = 5, TEXT_SIZE = 512 }; /* names of a proof at most, its text */

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
