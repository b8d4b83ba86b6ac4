/* SPDX-License-Identifier: MIT */
/* See reference.h. */
#include "reference.h"

#include <math.h>
#include <stdio.h>

#include "text.h"

/* Correct decimal digits of a relative error; those of a double at most where it is exact. */
static double digits_of(double error)
{
    return error > 0.0 ? fmax(0.0, -log10(error)) : 17.0;
}

static void print_error(const char *name, const saddle_problem *problem,
                        const saddle_reference_error *error)
{
    char where[160] = "";
    printf("           %-7s %4.1f", name, digits_of(error->largest));
    if (error->component >= 0) {
        if (name[0] == 'v')
            saddle_problem_describe_velocity(problem, error->component, where, sizeof where);
        else
            saddle_problem_describe_row(problem, error->component, where, sizeof where);
        printf("   least %4.1f at %s", digits_of(error->worst), tool_text_shown(where).text);
    }
    printf("   reference good to %s", tool_text_figure(error->bound).text);
    if (error->unresolved > 0) printf("   %lld not resolved", (long long)error->unresolved);
    printf("\n");
}

void tool_reference_print(const saddle_problem *problem, const saddle_reference *r)
{
    char row[160];
    printf("reference  %s\n", tool_text_shown(r->note).text);
    printf("           correct digits, of all, and of each by itself:\n");
    print_error("v", problem, &r->velocity);
    if (r->m > 0) {
        print_error("lambda", problem, &r->impulse);
        print_error("w", problem, &r->slack);
    }
    printf("           %lld steps, contraction %s   condition %s   sensitivity %s\n",
           (long long)r->steps, tool_text_figure(r->contraction).text,
           tool_text_figure(r->condition).text, tool_text_figure(r->sensitivity).text);
    if (r->equalities > 0)
        printf("           rank %lld of %lld equality rows, separation %s\n", (long long)r->rank,
               (long long)r->equalities, tool_text_figure(r->separation).text);
    if (r->null_pivots > 0) {
        printf("           singular   %lld pivots vanish", (long long)r->null_pivots);
        if (r->nullity >= 0)
            printf(", exact nullity %lld", (long long)r->nullity);
        else
            printf(", exact nullity not known");
        if (r->least_norm)
            printf("   least norm: the given solution is %s from it",
                   tool_text_figure(r->excess).text);
        printf("\n");
    }
    if (r->margin_row < 0) return;
    saddle_problem_describe_row(problem, r->margin_row, row, sizeof row);
    printf("           states   least margin %s at %s   %lld degenerate   %lld replaced\n",
           tool_text_figure(r->margin).text, tool_text_shown(row).text, (long long)r->weak,
           (long long)r->changed);
}

static json_t *index_to_json(int64_t index)
{
    return index < 0 ? json_null() : json_integer(index + 1);
}

static json_t *error_to_json(const saddle_reference_error *error)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "size", tool_json_number(error->size),
                     "bound", tool_json_number(error->bound), "largest",
                     tool_json_number(error->largest), "digits",
                     tool_json_number(digits_of(error->largest)), "worst",
                     tool_json_number(error->component < 0 ? (double)NAN : error->worst),
                     "component", index_to_json(error->component), "unresolved",
                     (json_int_t)error->unresolved);
}

json_t *tool_reference_to_json(const saddle_reference *r)
{
    json_t *object = json_pack("{s:b, s:s, s:o, s:o, s:o}", "certified", r->certified, "note",
                               r->note, "velocity", error_to_json(&r->velocity), "impulse",
                               error_to_json(&r->impulse), "slack", error_to_json(&r->slack));
    json_t *more = json_pack(
        "{s:I, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:I, s:I, s:o, s:I, s:I, s:b, "
        "s:o}",
        "steps", (json_int_t)r->steps, "contraction", tool_json_number(r->contraction), "condition",
        tool_json_number(r->condition), "sensitivity", tool_json_number(r->sensitivity), "changed",
        (json_int_t)r->changed, "weak", (json_int_t)r->weak, "margin", tool_json_number(r->margin),
        "margin_row", index_to_json(r->margin_row), "equalities", (json_int_t)r->equalities, "rank",
        (json_int_t)r->rank, "separation", tool_json_number(r->separation), "null_pivots",
        (json_int_t)r->null_pivots, "nullity", (json_int_t)r->nullity, "least_norm", r->least_norm,
        "excess", tool_json_number(r->excess));
    (void)json_object_update_new(object, more);
    return object;
}
