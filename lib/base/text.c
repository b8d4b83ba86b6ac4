/* SPDX-License-Identifier: MIT */
/* See text.h. */
#include "base/text.h"

#include <string.h>

void saddle__append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    if (used + 1 >= size) return;
    size_t room = size - 1 - used;
    size_t length = strlen(more);
    if (length > room) length = room;
    memcpy(text + used, more, length);
    text[used + length] = '\0';
}
