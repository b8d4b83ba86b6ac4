/* SPDX-License-Identifier: MIT */
/* See plot.h. */
#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"

/* ---- text ---- */

/* Any bytes as characters of XML: escapes of tool_text_shown, and entities. */
static void add_escaped(saddle__text *text, const char *words)
{
    const tool_shown shown = tool_text_shown(words);
    char one[2] = "";
    for (const char *at = shown.text; *at; at++) {
        one[0] = *at;
        saddle__text_add(text, *at == '<'   ? "&lt;"
                               : *at == '>' ? "&gt;"
                               : *at == '&' ? "&amp;"
                               : *at == '"' ? "&quot;"
                                            : one);
    }
}

/* ---- axes ---- */

/* The frame within the picture [px]. */
static const double left = 70.0, right = 560.0, top = 30.0, bottom = 300.0;
enum { WIDTH = 760, HEIGHT = 350 };

typedef struct axis {
    int logarithmic;
    double low, high; /* of the values, or of their logarithms */
    double from, to;  /* [px] */
} axis;

/* NAN where the axis has no place for the value. */
static double along(const axis *a, double value)
{
    return !a->logarithmic ? value : value > 0.0 ? log10(value) : (double)NAN;
}

static double place(const axis *a, double value)
{
    return a->from + (along(a, value) - a->low) / (a->high - a->low) * (a->to - a->from);
}

static axis make_axis(const tool_plot *plot, int vertical)
{
    axis a = {.logarithmic = vertical ? plot->log_y : plot->log_x,
              .low = (double)INFINITY,
              .high = -(double)INFINITY,
              .from = vertical ? bottom : left,
              .to = vertical ? top : right};
    const axis other = {.logarithmic = vertical ? plot->log_x : plot->log_y};
    for (int s = 0; s < plot->series_count; s++)
        for (int64_t k = 0; k < plot->series[s].count; k++) {
            const double x = plot->series[s].x[k], y = plot->series[s].y[k];
            const double value = along(&a, vertical ? y : x);
            if (!isfinite(value) || !isfinite(along(&other, vertical ? x : y))) continue;
            a.low = fmin(a.low, value);
            a.high = fmax(a.high, value);
        }
    if (!(a.low <= a.high)) a.low = a.high = 0.0;
    if (a.logarithmic) {
        a.low = floor(a.low);
        a.high = ceil(a.high);
    }
    if (!(a.low < a.high)) {
        const double around = fmax(1.0, 0.5 * fabs(a.low)) * (a.logarithmic ? 1.0 : 0.5);
        a.low -= around;
        a.high += around;
    }
    return a;
}

/* 1, 2 or 5 times a power of ten, for about six steps; whole decades. */
static double tick_step(const axis *a)
{
    const double raw = (a->high - a->low) / 6.0;
    if (a->logarithmic) return fmax(1.0, ceil(raw));
    const double decade = pow(10.0, floor(log10(raw))), part = raw / decade;
    return decade * (part <= 1.0 ? 1.0 : part <= 2.0 ? 2.0 : part <= 5.0 ? 5.0 : 10.0);
}

static void add_tick(saddle__text *text, const axis *a, int vertical, double at, const char *label)
{
    const double p = a->from + (at - a->low) / (a->high - a->low) * (a->to - a->from);
    if (vertical)
        tool_text_addf(text,
                       "<path d=\"M%.1f %.1fH%.1f\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%.1f\" "
                       "text-anchor=\"end\">",
                       left, p, right, left - 6.0, p + 4.0);
    else
        tool_text_addf(text,
                       "<path d=\"M%.1f %.1fV%.1f\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%.1f\" "
                       "text-anchor=\"middle\">",
                       p, bottom, top, p, bottom + 16.0);
    add_escaped(text, label);
    saddle__text_add(text, "</text>\n");
}

static void add_ticks(saddle__text *text, const axis *a, int vertical)
{
    const double step = tick_step(a);
    char label[32];
    for (double k = ceil(a->low / step - 1e-9); k * step <= a->high + 1e-9 * step; k++) {
        if (a->logarithmic)
            snprintf(label, sizeof label, "1e%.0f", k * step);
        else
            snprintf(label, sizeof label, "%.6g", k * step + 0.0);
        add_tick(text, a, vertical, k * step, label);
    }
}

static void add_names(saddle__text *text, const axis *a, const tool_plot *plot)
{
    const int64_t each = (plot->x_names + 7) / 8;
    for (int64_t k = 0; k < plot->x_names; k += each)
        if ((double)k >= a->low && (double)k <= a->high)
            add_tick(text, a, 0, (double)k, plot->x_name[k]);
}

/* ---- series ---- */

/* Eight colours, then the same with broken lines. */
static void add_style(saddle__text *text, int s)
{
    static const char *const colors[] = {"#0b5fa5", "#d1495b", "#2e933c", "#8f5bb3",
                                         "#e08e1b", "#17a2b8", "#6b4f3f", "#333333"};
    static const char *const dashes[] = {"", "6 3", "2 3", "8 3 2 3"};
    tool_text_addf(text, "stroke=\"%s\"", colors[s % 8]);
    if (s >= 8) tool_text_addf(text, " stroke-dasharray=\"%s\"", dashes[s / 8 % 4]);
}

static void add_series(saddle__text *text, const axis *x, const axis *y, const tool_series *series,
                       int s)
{
    int down = 0; /* 1: the pen is on the paper */
    saddle__text_add(text, "<path class=\"series\" fill=\"none\" stroke-width=\"1.6\" "
                           "stroke-linecap=\"round\" ");
    add_style(text, s);
    saddle__text_add(text, " d=\"");
    for (int64_t k = 0; k < series->count; k++) {
        const double at[] = {place(x, series->x[k]), place(y, series->y[k])};
        if (!isfinite(at[0]) || !isfinite(at[1])) {
            down = 0;
            continue;
        }
        tool_text_addf(text, "%s%.1f %.1f", down ? "L" : "M", at[0], at[1]);
        if (!down) tool_text_addf(text, "h0"); /* a single point is a dot */
        down = 1;
    }
    saddle__text_add(text, "\"/>\n");
    const double line = top + 14.0 * (s + 0.7);
    tool_text_addf(text, "<path stroke-width=\"1.6\" d=\"M%.1f %.1fh18\" ", right + 12.0,
                   line - 4.0);
    add_style(text, s);
    tool_text_addf(text, "/><text x=\"%.1f\" y=\"%.1f\">", right + 34.0, line);
    add_escaped(text, series->name);
    saddle__text_add(text, "</text>\n");
}

/* ---- the picture ---- */

static void add_label(saddle__text *text, double x, double y, const char *more, const char *words)
{
    tool_text_addf(text, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" %s>", x, y, more);
    add_escaped(text, words);
    saddle__text_add(text, "</text>\n");
}

void tool_plot_add(saddle__text *text, const tool_plot *plot)
{
    const axis x = make_axis(plot, 0), y = make_axis(plot, 1);
    const double middle = 0.5 * (left + right), height = 0.5 * (top + bottom);
    char turned[80];
    tool_text_addf(
        text,
        "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
        "font-size=\"11\">\n",
        (int)WIDTH, (int)HEIGHT, (int)WIDTH, (int)HEIGHT);
    saddle__text_add(text, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
    add_label(text, middle, 18.0, "font-size=\"13\" font-weight=\"bold\"", plot->title);
    if (plot->x_name)
        add_names(text, &x, plot);
    else
        add_ticks(text, &x, 0);
    add_ticks(text, &y, 1);
    tool_text_addf(text,
                   "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" "
                   "stroke=\"#333\"/>\n",
                   left, top, right - left, bottom - top);
    add_label(text, middle, bottom + 34.0, "", plot->x_label);
    snprintf(turned, sizeof turned, "transform=\"rotate(-90 14 %.1f)\"", height);
    add_label(text, 14.0, height, turned, plot->y_label);
    for (int s = 0; s < plot->series_count; s++) add_series(text, &x, &y, &plot->series[s], s);
    saddle__text_add(text, "</svg>\n");
}

/* ---- the page ---- */

void tool_plot_page_begin(saddle__text *text, const char *title)
{
    saddle__text_add(text, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                           "<title>");
    add_escaped(text, title);
    saddle__text_add(text,
                     "</title>\n<style>body{font:14px sans-serif;margin:2em auto;max-width:70em}"
                     "table{border-collapse:collapse;font-size:12px}"
                     "td,th{padding:2px 8px;border-bottom:1px solid #ddd;text-align:left}"
                     ".n{text-align:right}svg{display:block;margin:1em 0}</style></head><body>\n");
    tool_plot_page_element(text, "h1", title);
}

void tool_plot_page_element(saddle__text *text, const char *tag, const char *words)
{
    tool_text_addf(text, "<%s>", tag);
    add_escaped(text, words);
    tool_text_addf(text, "</%s>\n", tag);
}

static void add_cell(saddle__text *text, const tool_table *table, int column, const char *tag,
                     const char *words)
{
    tool_text_addf(text, "<%s%s>", tag, table->right >> column & 1 ? " class=\"n\"" : "");
    add_escaped(text, words);
    tool_text_addf(text, "</%s>", tag);
}

void tool_plot_page_table(saddle__text *text, const tool_table *table)
{
    saddle__text_add(text, "<table>\n<tr>");
    for (int c = 0; c < table->columns; c++) add_cell(text, table, c, "th", table->title[c]);
    for (int r = 0; r < table->rows; r++) {
        saddle__text_add(text, "</tr>\n<tr>");
        for (int c = 0; c < table->columns; c++)
            add_cell(text, table, c, "td", table->cell[r][c][0] ? table->cell[r][c] : "-");
    }
    saddle__text_add(text, "</tr>\n</table>\n");
}

saddle_status tool_plot_page_write(saddle__text *text, const char *path)
{
    saddle__text_add(text, "</body></html>\n");
    return tool_text_write(text, path);
}
