/* SPDX-License-Identifier: MIT */
/* What verbs print: see text.h. */
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/output.h"
#include "progress.h"

/* ---- errors ---- */

int tool_exit_code(saddle_status status)
{
    switch (status) {
    case SADDLE_OK: return TOOL_EXIT_SOLVED;
    case SADDLE_NOT_CONVERGED:
    case SADDLE_ITERATION_LIMIT:
    case SADDLE_TIME_LIMIT:
    case SADDLE_STOPPED:
    case SADDLE_DIVERGED:
    case SADDLE_WRONG_INERTIA:
    case SADDLE_INFEASIBLE: return TOOL_EXIT_TOLERANCE;
    case SADDLE_INVALID_ARGUMENT:
    case SADDLE_UNKNOWN_NAME: return TOOL_EXIT_USAGE;
    case SADDLE_INVALID_PROBLEM:
    case SADDLE_SINGULAR:
    case SADDLE_TOO_LARGE:
    case SADDLE_FILE_ERROR:
    case SADDLE_BAD_FILE: return TOOL_EXIT_INPUT;
    case SADDLE_UNSUPPORTED:
    case SADDLE_NOT_EXPRESSIBLE: return TOOL_EXIT_UNSUPPORTED;
    case SADDLE_OUT_OF_MEMORY:
    case SADDLE_WRONG_PHASE:
    case SADDLE_INTERNAL: return TOOL_EXIT_INTERNAL;
    }
    return TOOL_EXIT_INTERNAL;
}

const char *tool_status_text(saddle_status status)
{
    static const char claim[] = "result written, ";
    const char *text = saddle_status_text(status);
    return strncmp(text, claim, sizeof claim - 1) == 0 ? text + sizeof claim - 1 : text;
}

static char last_message[TOOL_SHOWN_SIZE];

void tool_error(const char *format, ...)
{
    va_list arguments;
    tool_progress_erase();
    fflush(stdout);
    va_start(arguments, format);
    vsnprintf(last_message, sizeof last_message, format, arguments);
    va_end(arguments);
    fprintf(stderr, "saddle: %s\n", tool_text_shown(last_message).text);
}

const char *tool_error_last(void)
{
    return last_message;
}

int tool_fail(const saddle_context *context, saddle_status status)
{
    const char *message = saddle_context_message(context);
    const int code = tool_exit_code(status);
    tool_error("%s%s", message[0] ? message : tool_status_text(status),
               code == TOOL_EXIT_USAGE ? " (see saddle --help)" : "");
    return code;
}

/* ---- short texts ---- */

tool_line tool_text_rows(const saddle_problem *problem)
{
    tool_line line = {""};
    const saddle_row_counts rows = saddle_problem_count_rows(problem);
    char contacts[80], counted[120];
    const struct {
        int64_t count;
        const char *noun;
    } part[] = {{rows.equality, "equality"},
                {rows.unilateral, "unilateral"},
                {rows.box, "box"},
                {rows.contact, contacts}};
    snprintf(contacts, sizeof contacts, "in %lld contact%s (%s)", (long long)problem->contact_count,
             problem->contact_count == 1 ? "" : "s", saddle_law_word(problem->law));
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        snprintf(counted, sizeof counted, ", %lld %s", (long long)part[k].count, part[k].noun);
        if (part[k].count > 0) saddle__append(line.text, sizeof line.text, counted);
    }
    return line;
}

tool_figure tool_text_bytes(int64_t bytes)
{
    tool_figure figure;
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    double amount = (double)bytes;
    int power = 0;
    while (amount >= 1000 && power < 4) {
        amount /= 1000;
        power++;
    }
    snprintf(figure.text, sizeof figure.text, power == 0 ? "%.0f %s" : "%.1f %s", amount,
             unit[power]);
    return figure;
}

tool_figure tool_text_figure(double value)
{
    tool_figure figure = {"-"};
    if (isfinite(value)) snprintf(figure.text, sizeof figure.text, "%.2e", value);
    return figure;
}

/* The character at *text, or an escape; *text moves to the next. */
static void show_character(const char **text, char shown[8])
{
    const unsigned char byte = (unsigned char)**text;
    const int length = saddle__text_character(*text), control = saddle__text_control(*text);
    if (control == '\n' || control == '\t' || control == '\r')
        snprintf(shown, 8, "\\%c", control == '\n' ? 'n' : control == '\t' ? 't' : 'r');
    else if (length == 0 || control >= 0)
        snprintf(shown, 8, length >= 2 ? "\\u%04x" : "\\x%02x",
                 length >= 2 ? (unsigned)control & 0xffffu : byte);
    else
        snprintf(shown, 8, "%.*s", length, *text);
    *text += length > 0 ? length : 1;
}

tool_shown tool_text_shown(const char *text)
{
    static const char cut[] = "...";
    tool_shown result = {""};
    size_t used = 0;
    while (*text) {
        char shown[8];
        show_character(&text, shown);
        const size_t length = strlen(shown);
        if (used + length + sizeof cut > sizeof result.text) {
            memcpy(result.text + used, cut, sizeof cut);
            break;
        }
        memcpy(result.text + used, shown, length + 1);
        used += length;
    }
    return result;
}

/* ---- tables ---- */

tool_table_row *tool_table_add(tool_table *table)
{
    if (table->rows == table->capacity) {
        const int capacity = table->capacity > 0 ? 2 * table->capacity : 16;
        tool_table_row *cell = realloc(table->cell, (size_t)capacity * sizeof *cell);
        table->failed |= !cell;
        if (!cell) return NULL;
        table->cell = cell;
        table->capacity = capacity;
    }
    tool_table_row *row = &table->cell[table->rows++];
    memset(row, 0, sizeof *row);
    return row;
}

void tool_table_set(tool_table_row *row, int column, const char *format, ...)
{
    char text[TOOL_CELL_SIZE];
    va_list arguments;
    if (!row) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const tool_shown shown = tool_text_shown(text);
    snprintf((*row)[column], TOOL_CELL_SIZE, "%.*s", TOOL_CELL_SIZE - 1, shown.text);
}

/* Characters of a UTF-8 text. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
    return width;
}

static void print_cell(const char *text, int width, int right, int last)
{
    if (text[0] == '\0') text = "-";
    const int space = width - width_of(text);
    if (right)
        printf("%*s%s", space, "", text);
    else
        printf("%s%*s", text, last ? 0 : space, "");
    fputs(last ? "\n" : "  ", stdout);
}

static void print_csv_cell(const char *text, int last)
{
    if (strpbrk(text, ",\"\n")) {
        putchar('"');
        for (; *text; text++) {
            if (*text == '"') putchar('"');
            putchar(*text);
        }
        putchar('"');
    } else {
        fputs(text, stdout);
    }
    putchar(last ? '\n' : ',');
}

static void print_rows(const tool_table *table, int csv)
{
    int width[TOOL_TABLE_WIDTH] = {0};
    for (int c = 0; c < table->columns; c++) {
        width[c] = width_of(table->title[c]);
        for (int r = 0; r < table->rows; r++)
            if (width_of(table->cell[r][c]) > width[c]) width[c] = width_of(table->cell[r][c]);
    }
    for (int r = -1; r < table->rows; r++) {
        for (int c = 0; c < table->columns; c++) {
            const char *text = r < 0 ? table->title[c] : table->cell[r][c];
            const int last = c == table->columns - 1;
            if (csv)
                print_csv_cell(text, last);
            else
                print_cell(text, width[c], (table->right >> c & 1u) != 0, last);
        }
    }
}

saddle_status tool_table_print(tool_table *table, int csv)
{
    if (!table->failed) print_rows(table, csv);
    free(table->cell);
    return table->failed ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
}

/* ---- files of text ---- */

void tool_text_addf(saddle__text *text, const char *format, ...)
{
    char words[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    saddle__text_add(text, words);
}

saddle_status tool_text_write(saddle__text *text, const char *path)
{
    saddle_context *context = text->context; /* taking empties the text */
    char *characters;
    saddle_status status = saddle__text_take(text, &characters);
    if (status == SADDLE_OK && !path) status = SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__output_whole(context, path, characters);
    saddle_release(context, characters);
    return status;
}

/* ---- JSON ---- */

/* since the program began: an object made since then may lack members */
static int json_memory_failed;
static int json_printed; /* objects since the program began */

static void *json_allocate(size_t size)
{
    void *block = malloc(size);
    if (!block) json_memory_failed = 1;
    return block;
}

void tool_json_begin(void)
{
    json_set_alloc_funcs(json_allocate, free);
    json_memory_failed = json_printed = 0;
}

json_t *tool_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

void tool_units_to_json(json_t *object, const char *const *unit)
{
    json_t *units = json_object();
    for (; unit[0]; unit += 2) json_object_set_new(units, unit[0], json_string(unit[1]));
    json_object_set_new(object, "units", units);
}

json_t *tool_json_text(const char *text)
{
    return json_string_nocheck(text ? text : "");
}

static void add_line(saddle__text *out, int depth)
{
    saddle__text_add(out, "\n");
    for (int k = 0; k < depth; k++) saddle__text_add(out, "  ");
}

static void add_value(saddle__text *out, json_t *value, int depth);

/* The members behind `count` others. */
static void add_members(saddle__text *out, json_t *object, int depth, int count)
{
    for (void *at = json_object_iter(object); at != NULL; at = json_object_iter_next(object, at)) {
        if (count++ > 0) saddle__text_add(out, ",");
        add_line(out, depth + 1);
        saddle__text_add_json_string(out, json_object_iter_key(at));
        saddle__text_add(out, ": ");
        add_value(out, json_object_iter_value(at), depth + 1);
    }
    if (count > 0) add_line(out, depth);
}

static void add_object(saddle__text *out, json_t *object, int depth)
{
    saddle__text_add(out, "{");
    add_members(out, object, depth, 0);
    saddle__text_add(out, "}");
}

static void add_array(saddle__text *out, const json_t *array, int depth)
{
    const size_t count = json_array_size(array);
    saddle__text_add(out, "[");
    for (size_t k = 0; k < count; k++) {
        if (k > 0) saddle__text_add(out, ",");
        add_line(out, depth + 1);
        add_value(out, json_array_get(array, k), depth + 1);
    }
    if (count > 0) add_line(out, depth);
    saddle__text_add(out, "]");
}

static void add_value(saddle__text *out, json_t *value, int depth)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: add_object(out, value, depth); break;
    case JSON_ARRAY: add_array(out, value, depth); break;
    case JSON_STRING: saddle__text_add_json_string(out, json_string_value(value)); break;
    case JSON_INTEGER: saddle__text_add_integer(out, json_integer_value(value)); break;
    case JSON_REAL: saddle__text_add_json_double(out, json_real_value(value)); break;
    case JSON_TRUE: saddle__text_add(out, "true"); break;
    case JSON_FALSE: saddle__text_add(out, "false"); break;
    case JSON_NULL: saddle__text_add(out, "null"); break;
    }
}

/* The text and a newline, if all of it could be made. */
static saddle_status print_text(saddle_context *context, saddle__text *out, int complete)
{
    char *text = NULL;
    saddle__text_add(out, "\n");
    if (saddle__text_take(out, &text) != SADDLE_OK || !complete || json_memory_failed) {
        saddle_release(NULL, text);
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory for the report");
    }
    fputs(text, stdout);
    json_printed++;
    saddle_release(NULL, text);
    return SADDLE_OK;
}

int tool_json_printed(void)
{
    return json_printed > 0;
}

saddle_status tool_json_print(saddle_context *context, json_t *object)
{
    saddle__text out = {.context = NULL};
    const int complete = object != NULL;
    if (object) add_value(&out, object, 0);
    json_decref(object);
    return print_text(context, &out, complete);
}

void tool_json_print_failure(const char *name, saddle_status status, int code)
{
    json_t *object = json_object();
    json_object_set_new(object, "name", name ? tool_json_text(name) : json_null());
    json_object_set_new(object, "status", json_string(saddle_status_name(status)));
    json_object_set_new(object, "solved", json_false());
    json_object_set_new(object, "exit_code", json_integer(code));
    json_object_set_new(object, "message", tool_json_text(tool_error_last()));
    (void)tool_json_print(NULL, object); /* without memory standard error alone has the message */
}

saddle_status tool_json_print_joined(saddle_context *context, char *first, json_t *more)
{
    saddle__text out = {.context = NULL};
    char *end = strrchr(first, '}');
    const int complete = end && more;
    while (end && end > first && (end[-1] == '\n' || end[-1] == ' ')) end--;
    if (end) *end = '\0';
    saddle__text_add(&out, first);
    if (more) add_members(&out, more, 0, 1);
    saddle__text_add(&out, "}");
    json_decref(more);
    return print_text(context, &out, complete);
}

/* ---- problems and solutions ---- */

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
