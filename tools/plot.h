/* SPDX-License-Identifier: MIT */
/* Line plots as SVG elements, and the self-contained HTML page that holds them: no script, no
 * address of a network. */
#ifndef SADDLE_TOOLS_PLOT_H
#define SADDLE_TOOLS_PLOT_H

#include "files/text.h"
#include "text.h"

enum { TOOL_PLOT_SERIES_SIZE = 32 };

/* Points (x_k, y_k) joined by lines; a point that is not finite, or not positive on a logarithmic
 * axis, is a gap. */
typedef struct tool_series {
    const char *name; /* in the legend; borrowed */
    int64_t count;
    const double *x, *y; /* count each; borrowed */
} tool_series;

typedef struct tool_plot {
    const char *title, *x_label, *y_label; /* borrowed */
    int log_x, log_y;                      /* 1: logarithmic axis */
    /* names of x = 0, 1, .., x_names - 1 instead of numbers; NULL = none */
    const char *const *x_name;
    int64_t x_names;
    int series_count; /* TOOL_PLOT_SERIES_SIZE at most */
    tool_series series[TOOL_PLOT_SERIES_SIZE];
} tool_plot;

/* An <svg> element; out of memory: as saddle__text has it. */
void tool_plot_add(saddle__text *text, const tool_plot *plot);

/* ---- the page ---- */

void tool_plot_page_begin(saddle__text *text, const char *title);
/* tag: "h2", "p"; words: any bytes */
void tool_plot_page_element(saddle__text *text, const char *tag, const char *words);
/* The rows of a table, as tool_table_print prints them. */
void tool_plot_page_table(saddle__text *text, const tool_table *table);
/* Ends the page and writes the file; releases the text, after a failure too. */
saddle_status tool_plot_page_write(saddle__text *text, const char *path);

#endif
