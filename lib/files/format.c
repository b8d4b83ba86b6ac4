/* SPDX-License-Identifier: MIT */
/* The words of the formats. */
#include <string.h>

#include "saddle/files.h"

static const struct {
    saddle_format format;
    const char *word;
} words[] = {
#define SADDLE_FORMAT_WORD(name, word, text) {name, word},
    SADDLE_FORMAT_LIST(SADDLE_FORMAT_WORD)
#undef SADDLE_FORMAT_WORD
};

enum { WORDS = sizeof words / sizeof words[0] };

const char *saddle_format_word(saddle_format format)
{
    for (int k = 0; k < WORDS; k++)
        if (words[k].format == format) return words[k].word;
    return "?";
}

saddle_status saddle_format_from_word(const char *word, saddle_format *format)
{
    if (!word || !format) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; word && format && k < WORDS; k++) {
        if (strcmp(words[k].word, word) != 0) continue;
        *format = words[k].format;
        return SADDLE_OK;
    }
    return SADDLE_UNKNOWN_NAME;
}
