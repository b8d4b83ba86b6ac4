/* SPDX-License-Identifier: MIT */
/* saddle solvers: the registry. */
#include <stdio.h>

#include "input.h"
#include "text.h"

typedef struct solvers_request {
    int json;
} solvers_request;

typedef struct capability {
    unsigned bit;
    const char *word;
} capability;

/* A word for SADDLE_CONTACTS_BOX without SADDLE_CONTACTS_PYRAMID: pyramids in the plane only. */
enum { PLANE_PYRAMID = 1 << 30 };

static const capability rows[] = {
    {SADDLE_ROWS_EQUALITY, "equality"},
    {SADDLE_ROWS_UNILATERAL, "unilateral"},
    {SADDLE_ROWS_BOX, "box"},
    {0, NULL},
};
static const capability laws[] = {
    {SADDLE_CONTACTS_BOX, "box"},
    {PLANE_PYRAMID, "plane-pyramid"},
    {SADDLE_CONTACTS_PYRAMID, "pyramid"},
    {SADDLE_CONTACTS_CONE, "cone"},
    {SADDLE_CONTACTS_ASSOCIATED, "associated"},
    {0, NULL},
};
static const capability matrices[] = {
    {SADDLE_MATRICES_SYMMETRIC, "symmetric"},
    {SADDLE_MATRICES_UNSYMMETRIC, "unsymmetric"},
    {0, NULL},
};

/* "equality unilateral", "all", "-" */
static void join(const capability *list, unsigned bits, char *text, size_t size)
{
    size_t used = 0;
    int all = 1;
    text[0] = '\0';
    for (const capability *item = list; item->word; item++) {
        if (!(bits & item->bit)) {
            if (item->bit != PLANE_PYRAMID) all = 0;
            continue;
        }
        const int length = snprintf(text + used, size - used, "%s%s", used > 0 ? " " : "",
                                    item->word);
        used += length > 0 ? (size_t)length : 0;
    }
    if (all) snprintf(text, size, "all");
    if (used == 0) snprintf(text, size, "-");
}

static unsigned laws_of(unsigned bits)
{
    int is_plane_only = (bits & SADDLE_CONTACTS_BOX) && !(bits & SADDLE_CONTACTS_PYRAMID);
    return is_plane_only ? bits | PLANE_PYRAMID : bits;
}

static json_t *list_to_json(const capability *list, unsigned bits)
{
    json_t *array = json_array();
    for (const capability *item = list; item->word; item++)
        if (bits & item->bit) json_array_append_new(array, json_string(item->word));
    return array;
}

static saddle_status print_json(void)
{
    json_t *array = json_array();
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        json_t *object = json_object();
        json_object_set_new(object, "name", json_string(type->name));
        json_object_set_new(object, "rows", list_to_json(rows, type->rows));
        json_object_set_new(object, "laws", list_to_json(laws, laws_of(type->rows)));
        json_object_set_new(object, "matrices", list_to_json(matrices, type->matrices));
        json_object_set_new(object, "summary", json_string(type->summary));
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
    int failed = 0;
    for (int64_t i = 0; !failed && (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        tool_table_row *row = tool_table_add(&table);
        char text[64];
        failed = row == NULL;
        if (failed) break;
        tool_table_set(row, 0, "%s", type->name);
        join(rows, type->rows, text, sizeof text);
        tool_table_set(row, 1, "%s", text);
        join(laws, laws_of(type->rows), text, sizeof text);
        tool_table_set(row, 2, "%s", text);
        join(matrices, type->matrices, text, sizeof text);
        tool_table_set(row, 3, "%s", text);
        tool_table_set(row, 4, "%s", type->summary);
    }
    if (!failed) tool_table_print(&table, 0);
    tool_table_clear(&table);
    return failed ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
}

static saddle_status run(tool_session *session, const void *given, int count, char **argument)
{
    (void)session;
    (void)count;
    (void)argument;
    const solvers_request *request = given;
    return request->json ? print_json() : print_table();
}

static const tool_option own_options[] = {
    {"json", TOOL_FLAG, offsetof(solvers_request, json), .help = "print one JSON object"},
    {NULL, TOOL_FLAG, 0, .help = NULL},
};

static const tool_group groups[] = {{"Options", 0, own_options}, {NULL, 0, NULL}};

const tool_verb tool_verb_solvers = {
    .name = "solvers",
    .arguments = "",
    .summary = "list the solvers and what each can do",
    .least = 0,
    .most = 0,
    .request_size = sizeof(solvers_request),
    .groups = groups,
    .run = run,
    .notes = "rows: bounds on single rows; friction laws: of contacts; matrices: M and R, "
             "symmetric or not.\n"
             "plane-pyramid: pyramids where every contact has two rows.\n",
};
