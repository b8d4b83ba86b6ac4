/* SPDX-License-Identifier: MIT */
/* A report as one JSON object. */
#include "files/text.h"
#include "saddle/report.h"

static void add_key(saddle__text *text, const char *key)
{
    if (text->length > 2) saddle__text_add(text, ",\n");
    saddle__text_add(text, "  ");
    saddle__text_add_json_string(text, key);
    saddle__text_add(text, ": ");
}

static void add_string(saddle__text *text, const char *key, const char *value)
{
    add_key(text, key);
    saddle__text_add_json_string(text, value);
}

static void add_integer(saddle__text *text, const char *key, int64_t value)
{
    add_key(text, key);
    saddle__text_add_integer(text, value);
}

static void add_double(saddle__text *text, const char *key, double value)
{
    add_key(text, key);
    saddle__text_add_json_double(text, value);
}

/* "key": {"name": value, ...} on one line */
static void add_doubles(saddle__text *text, const char *key, const char *const *names,
                        const double *values, int count)
{
    add_key(text, key);
    for (int i = 0; i < count; i++) {
        saddle__text_add(text, i == 0 ? "{" : ", ");
        saddle__text_add_json_string(text, names[i]);
        saddle__text_add(text, ": ");
        saddle__text_add_json_double(text, values[i]);
    }
    saddle__text_add(text, "}");
}

static void add_switches(saddle__text *text, const saddle_switches *switches)
{
    static const char *const names[] = {"single", "lemke", "regularized", "other"};
    const int64_t counts[] = {switches->single, switches->lemke, switches->regularized,
                              switches->other};
    add_key(text, "switches");
    for (int i = 0; i < 4; i++) {
        saddle__text_add(text, i == 0 ? "{" : ", ");
        saddle__text_add_json_string(text, names[i]);
        saddle__text_add(text, ": ");
        saddle__text_add_integer(text, counts[i]);
    }
    saddle__text_add(text, "}");
}

static void add_inertia(saddle__text *text, const saddle_inertia *inertia)
{
    add_key(text, "inertia");
    if (!inertia->known) {
        saddle__text_add(text, "null");
        return;
    }
    saddle__text_add(text, "{\"positive\": ");
    saddle__text_add_integer(text, inertia->positive);
    saddle__text_add(text, ", \"negative\": ");
    saddle__text_add_integer(text, inertia->negative);
    saddle__text_add(text, ", \"zero\": ");
    saddle__text_add_integer(text, inertia->zero);
    saddle__text_add(text, "}");
}

static void add_proof(saddle__text *text, const saddle_proof *proof)
{
    add_key(text, "proof");
    if (proof->kind == SADDLE_PROOF_NONE) {
        saddle__text_add(text, "null");
        return;
    }
    saddle__text_add(text, "{\"kind\": ");
    saddle__text_add_json_string(text, saddle_proof_word(proof->kind));
    saddle__text_add(text, ", \"rows\": ");
    saddle__text_add_integer(text, proof->rows);
    saddle__text_add(text, ", \"velocities\": ");
    saddle__text_add_integer(text, proof->velocities);
    saddle__text_add(text, ", \"heaviest\": ");
    saddle__text_add_integer(text, proof->heaviest + 1);
    saddle__text_add(text, ", \"gap\": ");
    saddle__text_add_json_double(text, proof->gap);
    saddle__text_add(text, ", \"reach\": ");
    saddle__text_add_json_double(text, proof->reach);
    saddle__text_add(text, "}");
}

static void add_residual(saddle__text *text, const saddle_residual *residual)
{
    static const char *const names[] = {
#define NAME(field) #field,
        SADDLE_RESIDUAL_FIGURES(NAME)
#undef NAME
    };
    const double values[] = {
#define VALUE(field) residual->field,
        SADDLE_RESIDUAL_FIGURES(VALUE)
#undef VALUE
    };
    add_doubles(text, "residual", names, values, (int)(sizeof values / sizeof *values));
}

saddle_status saddle_report_to_json(saddle_context *context, const saddle_report *report,
                                    char **text)
{
    saddle_context_clear_message(context);
    if (text) *text = NULL;
    if (!report || !text)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_report_to_json: report or text is NULL");
    static const char *const second_names[] = {"read", "analyse", "factor", "solve"};
    const double seconds[] = {report->seconds.read, report->seconds.analyse, report->seconds.factor,
                              report->seconds.solve};
    saddle__text out = {.context = context};
    saddle__text_add(&out, "{\n");
    add_string(&out, "solver", report->solver);
    add_string(&out, "status", saddle_status_name(report->status));
    add_integer(&out, "n", report->n);
    add_integer(&out, "m", report->m);
    add_integer(&out, "contacts", report->contacts);
    add_integer(&out, "iterations", report->iterations);
    add_integer(&out, "pivots", report->pivots);
    add_switches(&out, &report->switches);
    add_integer(&out, "warm_rows", report->warm_rows);
    add_integer(&out, "factorizations", report->factorizations);
    add_integer(&out, "refinements", report->refinements);
    add_integer(&out, "perturbed_pivots", report->perturbed_pivots);
    add_residual(&out, &report->residual);
    add_doubles(&out, "seconds", second_names, seconds, 4);
    add_double(&out, "backward_error", report->backward_error);
    add_double(&out, "condition", report->condition);
    add_double(&out, "scaled_condition", report->scaled_condition);
    add_double(&out, "growth", report->growth);
    add_double(&out, "flops", report->flops);
    add_integer(&out, "factor_entries", report->factor_entries);
    add_inertia(&out, &report->inertia);
    add_proof(&out, &report->proof);
    add_integer(&out, "peak_bytes", report->peak_bytes);
    add_string(&out, "note", report->note);
    saddle__text_add(&out, "\n}\n");
    return saddle__text_take(&out, text);
}
