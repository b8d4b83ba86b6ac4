/* SPDX-License-Identifier: MIT */
/* A table of short texts, printed aligned or as comma-separated values. */
#include "table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

tool_table_row *tool_table_add(tool_table *table)
{
    if (table->rows == table->capacity) {
        const int capacity = table->capacity > 0 ? 2 * table->capacity : 16;
        tool_table_row *cell = realloc(table->cell, (size_t)capacity * sizeof *cell);
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
    char text[TOOL_TABLE_CELL];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const tool_shown shown = tool_text_shown(text);
    snprintf((*row)[column], TOOL_TABLE_CELL, "%.*s", TOOL_TABLE_CELL - 1, shown.text);
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

void tool_table_print(const tool_table *table, int csv)
{
    int width[TOOL_TABLE_COLUMNS] = {0};
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

void tool_table_clear(tool_table *table)
{
    free(table->cell);
    table->cell = NULL;
    table->rows = table->capacity = 0;
}
