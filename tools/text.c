/* SPDX-License-Identifier: MIT */
/* Short texts and JSON as several verbs print them. */
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/text.h"

typedef struct text_buffer {
    char *text;
    size_t size, used;
} text_buffer;

static void append_count(text_buffer *buffer, int64_t count, const char *what)
{
    if (count == 0 || buffer->used >= buffer->size) return;
    const int length = snprintf(buffer->text + buffer->used, buffer->size - buffer->used,
                                "%s%lld %s", ", ", (long long)count, what);
    buffer->used += length > 0 ? (size_t)length : 0;
}

void tool_text_rows(const saddle_problem *problem, char *text, size_t size)
{
    const saddle_row_counts counts = saddle_problem_count_rows(problem);
    text_buffer buffer = {text, size, 0};
    char contacts[80];
    text[0] = '\0';
    snprintf(contacts, sizeof contacts, "in %lld contact%s (%s)", (long long)problem->contact_count,
             problem->contact_count == 1 ? "" : "s", saddle_law_word(problem->law));
    append_count(&buffer, counts.equality, "equality");
    append_count(&buffer, counts.unilateral, "unilateral");
    append_count(&buffer, counts.box, "box");
    append_count(&buffer, counts.contact, contacts);
}

void tool_text_bytes(int64_t bytes, char *text, size_t size)
{
    static const char *const unit[] = {"B", "kB", "MB", "GB", "TB"};
    double amount = (double)bytes;
    int power = 0;
    while (amount >= 1000 && power < 4) {
        amount /= 1000;
        power++;
    }
    snprintf(text, size, power == 0 ? "%.0f %s" : "%.1f %s", amount, unit[power]);
}

tool_figure tool_text_figure(double value)
{
    tool_figure figure = {"-"};
    if (isfinite(value)) snprintf(figure.text, sizeof figure.text, "%.2e", value);
    return figure;
}

/* ---- texts of others ---- */

/* The character at *text as it is shown: itself, or an escape; *text moves behind it. */
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

/* ---- JSON ---- */

/* since the program began: an object made since then may lack members */
static int json_memory_failed;

static void *json_allocate(size_t size)
{
    void *block = malloc(size);
    if (!block) json_memory_failed = 1;
    return block;
}

void tool_json_begin(void)
{
    json_set_alloc_funcs(json_allocate, free);
}

json_t *tool_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
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

/* The text and a newline, where all of it could be made. */
static int print_text(saddle__text *out)
{
    char *text = NULL;
    saddle__text_add(out, "\n");
    if (saddle__text_take(out, &text) != SADDLE_OK) return -1;
    fputs(text, stdout);
    saddle_release(NULL, text);
    return 0;
}

int tool_json_print(json_t *object)
{
    saddle__text out = {.context = NULL};
    if (!object || json_memory_failed) return -1;
    add_value(&out, object, 0);
    return print_text(&out);
}

int tool_json_print_joined(char *first, json_t *more)
{
    saddle__text out = {.context = NULL};
    char *end = strrchr(first, '}');
    if (!end || !more || json_memory_failed) return -1;
    while (end > first && (end[-1] == '\n' || end[-1] == ' ')) end--;
    *end = '\0';
    saddle__text_add(&out, first);
    add_members(&out, more, 0, 1);
    saddle__text_add(&out, "}");
    return print_text(&out);
}
