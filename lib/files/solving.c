/* SPDX-License-Identifier: MIT */
/* See solving.h.  Options that change no bit of a solution (threads, condition) are not recorded,
 * nor is a time limit, which no second run can repeat. */
#include "files/solving.h"

#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/json_scan.h"

static const char *const orderings[] = {"best", "amd", "metis", "natural"};
enum { ORDERINGS = sizeof orderings / sizeof *orderings };

saddle__solving saddle__solving_none(void)
{
    return (saddle__solving){.options = saddle_options_default()};
}

void saddle__solving_clear(saddle_context *context, saddle__solving *solving)
{
    saddle__release_all(context, solving->solver, solving->settings);
    *solving = saddle__solving_none();
}

/* ---- reading ---- */

static saddle_status read_ordering(saddle__scan *scan, const char *what, void *object)
{
    saddle__solving *solving = object;
    char *word;
    int k = 0;
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    saddle_status status = saddle__json_string_or_null(scan, what, &word);
    if (status != SADDLE_OK) return status;
    while (k < ORDERINGS && !(word && strcmp(word, orderings[k]) == 0)) k++;
    if (k == ORDERINGS)
        status = saddle__scan_fail_at(scan, place,
                                      "%s is \"%.40s\", not best, amd, metis or natural", what,
                                      word ? word : "");
    else
        solving->options.ordering = (saddle_ordering)k;
    saddle_release(scan->context, word);
    return status;
}

#define FIELD(field) (offsetof(saddle__solving, options) + offsetof(saddle_options, field))
static const saddle__json_field fields[] = {
    {"solver", SADDLE__JSON_STRING, offsetof(saddle__solving, solver), .required = 1},
    {"tolerance", SADDLE__JSON_NUMBER, FIELD(tolerance), .required = 0},
    {"max_iterations", SADDLE__JSON_SIZE, FIELD(max_iterations), .required = 0},
    {"regularization", SADDLE__JSON_NUMBER, FIELD(regularization), .required = 0},
    {"max_refinements", SADDLE__JSON_SIZE, FIELD(max_refinements), .required = 0},
    {"refine_to", SADDLE__JSON_NUMBER, FIELD(refine_to), .required = 0},
    {"ordering", SADDLE__JSON_OWN, 0, .read = read_ordering},
    {"settings", SADDLE__JSON_STRING, offsetof(saddle__solving, settings), .required = 0},
    {.key = NULL},
};
#undef FIELD

saddle_status saddle__solving_scan(saddle__scan *scan, const char *what, saddle__solving *solving)
{
    saddle_status status = saddle__json_object(scan, what, fields, solving, NULL);
    if (status != SADDLE_OK) return status;
    if (!solving->solver) return saddle__scan_fail(scan, "%s: \"solver\" is null", what);
    solving->options.settings = solving->settings;
    status = saddle_options_check(scan->context, &solving->options);
    if (status != SADDLE_INVALID_ARGUMENT) return status;
    char reason[SADDLE__MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", saddle_context_message(scan->context));
    return saddle__scan_fail(scan, "%s: %s", what, reason);
}

static saddle_status read_solve(saddle__scan *scan, const char *what, void *object)
{
    return saddle__solving_scan(scan, what, object);
}

saddle_status saddle__solving_read(saddle_context *context, const char *path,
                                   saddle__solving *solving)
{
    static const saddle__json_field file[] = {{"solve", SADDLE__JSON_OWN, 0, .read = read_solve},
                                              {.key = NULL}};
    saddle__source source = saddle__source_folder(context, path);
    saddle__scan scan;
    int present;
    *solving = saddle__solving_none();
    saddle_status status = saddle__source_open(&source, "problem.json", &present, &scan);
    if (status == SADDLE_OK && present)
        status = saddle__json_object(&scan, "the file", file, solving, NULL);
    saddle__scan_close(&scan);
    saddle__source_close(&source);
    return status;
}

/* ---- writing ---- */

typedef struct recorded {
    const char *solver;
    const saddle_options *options;
} recorded;

static void add_key(saddle__text *text, const char *key)
{
    saddle__text_add(text, ", \"");
    saddle__text_add(text, key);
    saddle__text_add(text, "\": ");
}

static void add_solve(const void *user, saddle__text *text)
{
    const recorded *r = user;
    const saddle_options *o = r->options;
    saddle__text_member(text, "solve");
    saddle__text_add(text, "{\"solver\": ");
    saddle__text_add_json_string(text, r->solver);
    add_key(text, "tolerance");
    saddle__text_add_json_double(text, o->tolerance);
    add_key(text, "max_iterations");
    saddle__text_add_integer(text, o->max_iterations);
    add_key(text, "regularization");
    saddle__text_add_json_double(text, o->regularization);
    add_key(text, "max_refinements");
    saddle__text_add_integer(text, o->max_refinements);
    add_key(text, "refine_to");
    saddle__text_add_json_double(text, o->refine_to);
    add_key(text, "ordering");
    saddle__text_add_json_string(text, orderings[o->ordering]);
    if (o->settings && o->settings[0]) {
        add_key(text, "settings");
        saddle__text_add_json_string(text, o->settings);
    }
    saddle__text_add(text, "}");
}

saddle_status saddle__solving_write(saddle_context *context, const char *path,
                                    const saddle_problem *problem, const char *solver,
                                    const saddle_options *options)
{
    const recorded r = {solver, options};
    const saddle__bundle_more more = {&r, add_solve, NULL};
    const saddle_status status = saddle_options_check(context, options);
    return status == SADDLE_OK ? saddle__bundle_write(context, path, problem, &more) : status;
}
