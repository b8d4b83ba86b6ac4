/* SPDX-License-Identifier: MIT */
/* A dependency in words. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "saddle/rank.h"

enum { NAME_SIZE = 160, TERM_SIZE = 224, TAIL_SIZE = 48 };

/* The factor and sign before term k: "2 x ", " - ", "" for a plain row. */
static void write_factor(double factor, int first, char *text, size_t size)
{
    const char *sign = first ? (factor < 0.0 ? "-" : "") : (factor < 0.0 ? " - " : " + ");
    double modulus = fabs(factor);
    if (fabs(modulus - 1.0) <= 1e-9)
        (void)snprintf(text, size, "%s", sign);
    else
        (void)snprintf(text, size, "%s%.6g x ", sign, modulus);
}

void saddle_rank_describe(const saddle_problem *problem, const saddle_dependency *d, int64_t terms,
                          char *text, size_t size)
{
    if (!problem || !d || !text) return;
    char name[NAME_SIZE];
    char term[TERM_SIZE];
    if (size == 0) return;
    saddle_problem_describe_row(problem, d->row, name, sizeof(name));
    int used = snprintf(text, size, "%s = %s", name, d->count == 0 ? "0" : "");
    int64_t limit = terms > 0 && terms < d->count ? terms : d->count;
    for (int64_t k = 0; k < d->count && used >= 0 && (size_t)used < size; k++) {
        char factor[TAIL_SIZE];
        char tail[TAIL_SIZE];
        write_factor(d->factor[k], k == 0, factor, sizeof(factor));
        saddle_problem_describe_row(problem, d->other[k], name, sizeof(name));
        (void)snprintf(term, sizeof(term), "%s%s", factor, name);
        (void)snprintf(tail, sizeof(tail), " and %lld other%s", (long long)(d->count - k),
                       d->count - k == 1 ? "" : "s");
        size_t last = k + 1 < d->count ? strlen(tail) : 0;
        int fits = (size_t)used + strlen(term) + last < size;
        used += snprintf(text + used, size - (size_t)used, "%s", k < limit && fits ? term : tail);
        if (k >= limit || !fits) break;
    }
}
