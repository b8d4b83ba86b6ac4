/* SPDX-License-Identifier: MIT */
/* A table of short texts, printed aligned or as comma-separated values. */
#ifndef SADDLE_TOOLS_TABLE_H
#define SADDLE_TOOLS_TABLE_H

enum { TOOL_TABLE_COLUMNS = 12, TOOL_TABLE_CELL = 160 };

typedef char tool_table_row[TOOL_TABLE_COLUMNS][TOOL_TABLE_CELL];

/* the all-zero struct with columns and titles filled in is a table without rows */
typedef struct tool_table {
    int columns;
    const char *const *title;
    unsigned right; /* bit c: column c is set flush right (numbers) */
    int rows, capacity;
    tool_table_row *cell;
} tool_table;

/* A new row of empty cells; NULL when there is no memory. */
tool_table_row *tool_table_add(tool_table *table);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void tool_table_set(tool_table_row *row, int column, const char *format, ...);

/* Aligned, an empty cell is printed as "-". */
void tool_table_print(const tool_table *table, int csv);
void tool_table_clear(tool_table *table);

#endif
