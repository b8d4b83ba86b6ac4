/* SPDX-License-Identifier: MIT */
/* What the fuzz targets of readers share: a context with little memory, and one input as the files
 * of a folder. */
#ifndef SADDLE_FUZZ_PARTS_H
#define SADDLE_FUZZ_PARTS_H

#include <stdlib.h>
#include <string.h>

#include "files/scan.h"

enum { FUZZ_MOST_PARTS = 16, FUZZ_NAME_SIZE = 32 };

static inline saddle_context *fuzz_context(void)
{
    saddle_context_options options = saddle_context_options_default();
    options.memory_limit = INT64_C(64) << 20;
    saddle_context *context;
    if (saddle_context_create(&options, &context) != SADDLE_OK) abort();
    return context;
}

/* Names and contents: a line "=name\n" begins the file `name`, up to the next such line. */
typedef struct fuzz_parts {
    saddle__source_text text[FUZZ_MOST_PARTS + 1];
    char name[FUZZ_MOST_PARTS][FUZZ_NAME_SIZE];
} fuzz_parts;

static inline void fuzz_split(const char *data, size_t size, fuzz_parts *parts)
{
    int count = 0;
    const char *p = data, *end = data + size;
    memset(parts, 0, sizeof *parts);
    while (p < end && *p == '=' && count < FUZZ_MOST_PARTS) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        if (!newline) return;
        size_t length = (size_t)(newline - p) - 1;
        memcpy(parts->name[count], p + 1, length < FUZZ_NAME_SIZE ? length : FUZZ_NAME_SIZE - 1);
        const char *next = newline + 1;
        while (next < end && !(*next == '=' && next[-1] == '\n')) next++;
        parts->text[count] = (saddle__source_text){parts->name[count], newline + 1,
                                                   next - (newline + 1)};
        count++;
        p = next;
    }
}

#endif
