/* SPDX-License-Identifier: MIT */
/* JSON objects into structs. */
#include "scene_table.h"

#include <stdio.h>
#include <string.h>

#include "files/json_scan.h"

/* "[", count values or nulls, "]". */
static saddle_status read_array(saddle__scan *scan, const saddle__scene_field *field,
                                const char *what, char *place)
{
    saddle__json_walk walk;
    int more = 1, count = 0;
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        if (count == field->count)
            return saddle__scan_fail(scan, "%s has more than %d elements", what, field->count);
        if (saddle__json_null(scan))
            status = SADDLE_OK;
        else if (field->kind == SADDLE__FIELD_NUMBERS)
            status = saddle__json_number(scan, what, (double *)(void *)place + count);
        else
            status = saddle__json_integer(scan, what, (int64_t *)(void *)place + count);
        count++;
    }
    if (status == SADDLE_OK && count < field->count) {
        status = saddle__scan_fail(scan, "%s has %d elements, %d are needed", what, count,
                                   field->count);
    }
    return status;
}

static saddle_status read_word(saddle__scan *scan, const saddle__scene_field *field,
                               const char *what, int *value)
{
    char *text = NULL, known[256] = "";
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    saddle_status status = saddle__json_string_or_null(scan, what, &text);
    if (status != SADDLE_OK || !text) return status;
    int found = -1;
    size_t used = 0;
    for (int k = 0; field->words[k]; k++) {
        if (strcmp(field->words[k], text) == 0) found = k;
        if (used < sizeof known) {
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", k == 0 ? "" : ", ",
                                     field->words[k]);
        }
    }
    if (found >= 0)
        *value = found;
    else
        status = saddle__scan_fail_at(scan, place, "%s is \"%.40s\", not one of %s", what, text,
                                      known);
    saddle_release(scan->context, text);
    return status;
}

/* Appends a zeroed item of `size` bytes; NULL = out of memory. */
static void *append(saddle__scan *scan, saddle__scene_list *list, size_t size)
{
    if (list->count == list->capacity) {
        const int64_t capacity = 2 * list->capacity + 4;
        void *grown = saddle_reallocate(scan->context, list->item, capacity, size);
        if (!grown) return NULL;
        list->item = grown;
        list->capacity = capacity;
    }
    char *item = (char *)list->item + (size_t)list->count++ * size;
    memset(item, 0, size);
    return item;
}

static saddle_status read_series(saddle__scan *scan, const char *what, saddle__scene_list *list)
{
    saddle__json_walk walk;
    int more = 1;
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        double *item = append(scan, list, sizeof *item);
        status = !item ? SADDLE_OUT_OF_MEMORY : saddle__json_number(scan, what, item);
    }
    return status;
}

static saddle_status read_list(saddle__scan *scan, const saddle__scene_field *field,
                               const char *what, saddle__scene_list *list)
{
    saddle__json_walk walk;
    int more = 1;
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        void *item = append(scan, list, field->table->size);
        if (!item) return SADDLE_OUT_OF_MEMORY;
        status = saddle__scene_object(scan, field->table, field->table->what, item);
    }
    return status;
}

/* A text into a char * or a const char *. */
static saddle_status read_text(saddle__scan *scan, const char *what, char *place)
{
    char *text = NULL;
    const saddle_status status = saddle__json_string_or_null(scan, what, &text);
    memcpy(place, &text, sizeof text);
    return status;
}

static saddle_status read_value(saddle__scan *scan, const saddle__scene_field *field,
                                const char *what, char *place)
{
    void *at = place;
    switch (field->kind) {
    case SADDLE__FIELD_NUMBER: return saddle__json_number(scan, what, at);
    case SADDLE__FIELD_NUMBERS:
    case SADDLE__FIELD_INTEGERS: return read_array(scan, field, what, place);
    case SADDLE__FIELD_INTEGER: return saddle__json_integer(scan, what, at);
    case SADDLE__FIELD_FLAG: return saddle__json_boolean(scan, what, at);
    case SADDLE__FIELD_TEXT: return read_text(scan, what, place);
    case SADDLE__FIELD_WORD: return read_word(scan, field, what, at);
    case SADDLE__FIELD_OBJECT: return saddle__scene_object(scan, field->table, what, at);
    case SADDLE__FIELD_LIST: return read_list(scan, field, what, at);
    case SADDLE__FIELD_SERIES: return read_series(scan, what, at);
    }
    return SADDLE_INTERNAL;
}

const saddle__scene_field *saddle__scene_field_of(const saddle__scene_table *table, const char *key)
{
    const saddle__scene_field *field = table->field;
    while (field->key && strcmp(field->key, key) != 0) field++;
    return field;
}

/* Reads a value by its key. */
static saddle_status read_field(saddle__scan *scan, const char *key, saddle__scene_head *head)
{
    const saddle__scene_table *table = head->table;
    const saddle__scene_field *field = saddle__scene_field_of(table, key);
    const int k = (int)(field - table->field);
    char what[160];
    if (!field->key) return saddle__scan_fail(scan, "%s: unknown field \"%s\"", table->what, key);
    if (head->given >> k & 1)
        return saddle__scan_fail(scan, "%s: \"%s\" is given twice", table->what, key);
    snprintf(what, sizeof what, "%s: \"%s\"", table->what, key);
    if (saddle__json_null(scan)) return SADDLE_OK;
    head->given |= (uint64_t)1 << k;
    return read_value(scan, field, what, (char *)head + field->offset);
}

saddle_status saddle__scene_object(saddle__scan *scan, const saddle__scene_table *table,
                                   const char *what, void *object)
{
    saddle__scene_head *head = object;
    saddle__json_walk walk;
    int more = 1;
    char key[SADDLE__JSON_KEY_SIZE];
    if (table->defaults) table->defaults(object);
    saddle__scan_skip_space(scan);
    head->table = table;
    head->place = scan->at;
    saddle_status status = saddle__json_open(scan, what, '{', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        status = saddle__json_key(&walk, key);
        if (status == SADDLE_OK) status = read_field(scan, key, head);
    }
    for (int k = 0; status == SADDLE_OK && table->field[k].key; k++) {
        if (!table->field[k].required || (head->given >> k & 1)) continue;
        status = saddle__scan_fail_at(scan, head->place, "%s: \"%s\" is missing", table->what,
                                      table->field[k].key);
    }
    return status;
}

void saddle__scene_release(saddle_context *context, const saddle__scene_table *table, void *object)
{
    for (const saddle__scene_field *field = table->field; field->key; field++) {
        void *at = (char *)object + field->offset;
        if (field->kind == SADDLE__FIELD_TEXT) saddle_release(context, *(void **)at);
        if (field->kind == SADDLE__FIELD_OBJECT) saddle__scene_release(context, field->table, at);
        if (field->kind != SADDLE__FIELD_LIST && field->kind != SADDLE__FIELD_SERIES) continue;
        saddle__scene_list *list = at;
        for (int64_t k = 0; field->kind == SADDLE__FIELD_LIST && k < list->count; k++) {
            saddle__scene_release(context, field->table,
                                  (char *)list->item + (size_t)k * field->table->size);
        }
        saddle_release(context, list->item);
        *list = (saddle__scene_list){0};
    }
}

int saddle__scene_given(const void *object, const char *key)
{
    const saddle__scene_head *head = object;
    return head->table &&
           (head->given >> (saddle__scene_field_of(head->table, key) - head->table->field) & 1);
}
