/* SPDX-License-Identifier: MIT */
/* Short texts and JSON as several verbs print them. */
#include "text.h"

#include <math.h>
#include <stdio.h>

typedef struct text_buffer {
    char *text;
    size_t size, used;
} text_buffer;

static void append_count(text_buffer *buffer, int64_t count, const char *what)
{
    if (count == 0 || buffer->used >= buffer->size) return;
    const int length =
        snprintf(buffer->text + buffer->used, buffer->size - buffer->used, "%s%lld %s", ", ", (long long)count, what);
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

json_t *tool_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

int tool_json_print(const json_t *object)
{
    if (!object || json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(17)) != 0) return -1;
    putchar('\n');
    return 0;
}
