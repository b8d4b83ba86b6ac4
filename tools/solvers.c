/* SPDX-License-Identifier: MIT */
/* saddle solvers: the registry. */
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "text.h"

typedef struct solvers_request {
    int json;
} solvers_request;

/* A word where bit is set and `unless` is not. */
typedef struct capability {
    unsigned bit;
    const char *word;
    unsigned unless;
} capability;

static const capability rows[] = {
    {SADDLE_ROWS_EQUALITY, "equality", 0},
    {SADDLE_ROWS_UNILATERAL, "unilateral", 0},
    {SADDLE_ROWS_BOX, "box", 0},
    {.word = NULL},
};
static const capability laws[] = {
    {SADDLE_CONTACTS_BOX, "box", 0},
    {SADDLE_CONTACTS_BOX, "plane-pyramid", SADDLE_CONTACTS_PYRAMID},
    {SADDLE_CONTACTS_PYRAMID, "pyramid", 0},
    {SADDLE_CONTACTS_CONE, "cone", 0},
    {SADDLE_CONTACTS_ASSOCIATED, "associated", 0},
    {.word = NULL},
};
static const capability matrices[] = {
    {SADDLE_MATRICES_SYMMETRIC, "symmetric", 0},
    {SADDLE_MATRICES_UNSYMMETRIC, "unsymmetric", 0},
    {.word = NULL},
};

static int has(const capability *item, unsigned bits)
{
    return (bits & item->bit) && !(bits & item->unless);
}

/* "equality unilateral", "all", "-" */
static void join(const capability *list, unsigned bits, char *text, size_t size)
{
    int all = 1;
    text[0] = '\0';
    for (const capability *item = list; item->word; item++) {
        if (!item->unless && !(bits & item->bit)) all = 0;
        if (!has(item, bits)) continue;
        saddle__append(text, size, text[0] ? " " : "");
        saddle__append(text, size, item->word);
    }
    if (all || !text[0]) snprintf(text, size, "%s", all ? "all" : "-");
}

static json_t *list_to_json(const capability *list, unsigned bits)
{
    json_t *array = json_array();
    for (const capability *item = list; item->word; item++)
        if (has(item, bits)) json_array_append_new(array, json_string(item->word));
    return array;
}

static const char *const kind_words[] = {[SADDLE_SETTING_INTEGER] = "integer",
                                         [SADDLE_SETTING_REAL] = "real",
                                         [SADDLE_SETTING_WORD] = "word",
                                         [SADDLE_SETTING_FLAG] = "flag"};

/* "1", "best", "off" into text[size] */
static void show_initial(const saddle_setting *setting, char *text, size_t size)
{
    static const char *const flags[] = {"off", "on"};
    const char *const *words = setting->kind == SADDLE_SETTING_FLAG ? flags : setting->words;
    const int is_number = setting->kind == SADDLE_SETTING_INTEGER ||
                          setting->kind == SADDLE_SETTING_REAL;
    if (is_number)
        snprintf(text, size, "%g", setting->initial);
    else
        snprintf(text, size, "%s", words[(int)setting->initial]);
}

/* "0.01 .. 1.99", "best|factor|columns", "off|on" into text[size] */
static void show_range(const saddle_setting *setting, char *text, size_t size)
{
    text[0] = '\0';
    if (setting->kind == SADDLE_SETTING_FLAG)
        snprintf(text, size, "off|on");
    else if (setting->kind != SADDLE_SETTING_WORD)
        snprintf(text, size, "%g .. %g", setting->least, setting->most);
    else
        for (const char *const *word = setting->words; *word; word++) {
            saddle__append(text, size, text[0] ? "|" : "");
            saddle__append(text, size, *word);
        }
}

static json_t *settings_to_json(const saddle_solver_type *type)
{
    json_t *array = json_array();
    for (const saddle_setting *s = type->settings; s && s->name; s++) {
        json_t *object = json_object();
        char initial[64], range[128];
        show_initial(s, initial, sizeof initial);
        show_range(s, range, sizeof range);
        json_object_set_new(object, "name", json_string(s->name));
        json_object_set_new(object, "kind", json_string(kind_words[s->kind]));
        json_object_set_new(object, "default", json_string(initial));
        json_object_set_new(object, "range", json_string(range));
        json_object_set_new(object, "summary", json_string(s->summary));
        json_array_append_new(array, object);
    }
    return array;
}

/* name: NULL = all solvers */
static saddle_status print_json(const char *name)
{
    json_t *array = json_array();
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        if (name && strcmp(type->name, name) != 0) continue;
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(type->name));
        json_object_set_new(object, "rows", list_to_json(rows, type->rows));
        json_object_set_new(object, "laws", list_to_json(laws, type->rows));
        json_object_set_new(object, "matrices", list_to_json(matrices, type->matrices));
        json_object_set_new(object, "summary", json_string(type->summary));
        json_object_set_new(object, "settings", settings_to_json(type));
        json_array_append_new(array, object);
    }
    json_t *whole = json_object();
    json_object_set_new(whole, "solvers", array);
    return tool_json_print(NULL, whole);
}

static saddle_status print_table(void)
{
    static const char *const title[] = {"name", "rows", "friction laws", "matrices", "summary"};
    tool_table table = {.columns = 5, .title = title};
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        tool_table_row *row = tool_table_add(&table);
        tool_table_set(row, 0, "%s", type->name);
        const capability *const lists[] = {rows, laws, matrices};
        for (int k = 0; k < 3; k++) {
            char text[64];
            join(lists[k], k < 2 ? type->rows : type->matrices, text, sizeof text);
            tool_table_set(row, k + 1, "%s", text);
        }
        tool_table_set(row, 4, "%s", type->summary);
    }
    return tool_table_print(&table, 0);
}

/* One solver: its capabilities and settings. */
static saddle_status print_settings(const saddle_solver_type *type)
{
    static const char *const title[] = {"setting", "default", "range", "summary"};
    tool_table table = {.columns = 4, .title = title};
    char initial[64], range[128];
    printf("%s: %s\n", type->name, type->summary);
    if (!type->settings || !type->settings->name) {
        printf("no settings of its own; saddle solve --help lists those that all solvers share\n");
        return SADDLE_OK;
    }
    for (const saddle_setting *s = type->settings; s->name; s++) {
        tool_table_row *row = tool_table_add(&table);
        show_initial(s, initial, sizeof initial);
        show_range(s, range, sizeof range);
        tool_table_set(row, 0, "%s.%s", type->name, s->name);
        tool_table_set(row, 1, "%s", initial);
        tool_table_set(row, 2, "%s", range);
        tool_table_set(row, 3, "%s", s->summary);
    }
    return tool_table_print(&table, 0);
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const solvers_request *request = given;
    const char *name = argument[0];
    const saddle_solver_type *type = name ? saddle_solver_type_find(NULL, name) : NULL;
    if (name && !type) {
        tool_error("no solver named '%s' (see saddle solvers)", name);
        session->code = TOOL_EXIT_USAGE;
        return SADDLE_OK;
    }
    return request->json ? print_json(name) : type ? print_settings(type) : print_table();
}

static const tool_option own_options[] = {
    {"json", TOOL_FLAG, offsetof(solvers_request, json), .help = "print one JSON object"},
    {.name = NULL},
};

const tool_verb tool_verb_solvers = {
    .name = "solvers",
    .arguments = "[NAME]",
    .summary = "list the solvers and what each can do, or the settings of one",
    .request_size = sizeof(solvers_request),
    .groups = {{"Options", 0, own_options}},
    .run = run,
    .notes = "rows: bounds on single rows; friction laws: of contacts; matrices: M and R, "
             "symmetric or not.\n"
             "plane-pyramid: pyramids where every contact has two rows.\n"
             "settings are given to saddle solve and others as --set NAME.SETTING=VALUE\n",
};
