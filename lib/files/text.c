/* SPDX-License-Identifier: MIT */
/* Growing text and JSON: see text.h. */
#include "files/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/unset.h"
#include "files/number.h"

static void append(saddle__text *text, const char *more, int64_t count)
{
    if (text->failed) return;
    if (text->length + count >= text->capacity) {
        int64_t capacity = 2 * (text->length + count) + 256;
        text->failed = saddle__grow(text->context, &text->characters, capacity, 1) != SADDLE_OK;
        if (text->failed) return;
        text->capacity = capacity;
    }
    memcpy(text->characters + text->length, more, (size_t)count);
    text->length += count;
    text->characters[text->length] = 0;
}

void saddle__text_add(saddle__text *text, const char *more)
{
    append(text, more, (int64_t)strlen(more));
}

void saddle__text_add_integer(saddle__text *text, int64_t value)
{
    char digits[SADDLE__NUMBER_SIZE];
    append(text, digits, saddle__integer_format(value, digits));
}

/* JSON has two kinds of number: without point and exponent 1.0 would read back as an integer, and
 * -0 as 0. */
void saddle__text_add_json_double(saddle__text *text, double value)
{
    char digits[SADDLE__NUMBER_SIZE];
    if (!isfinite(value)) {
        saddle__text_add(text, "null");
        return;
    }
    append(text, digits, saddle__number_format(value, digits));
    if (!strpbrk(digits, ".e")) append(text, ".0", 2);
}

int saddle__text_character(const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    if (s[0] < 0x80) return 1;
    int count = s[0] >= 0xc2 && s[0] <= 0xdf   ? 2
                : s[0] >= 0xe0 && s[0] <= 0xef ? 3
                : s[0] >= 0xf0 && s[0] <= 0xf4 ? 4
                                               : 0;
    for (int i = 1; i < count; i++)
        if ((s[i] & 0xc0) != 0x80) /* also at the final NUL */
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return count;
}

int saddle__text_is_utf8(const char *string)
{
    while (*string) {
        int length = saddle__text_character(string);
        if (length == 0) return 0;
        string += length;
    }
    return 1;
}

int saddle__text_control(const char *string)
{
    const unsigned char *s = (const unsigned char *)string;
    if (s[0] < 0x20 || s[0] == 0x7f) return s[0];
    if (s[0] == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0) return s[1];
    if (saddle__text_character(string) != 3) return -1;
    int number = (s[0] & 0x0f) << 12 | (s[1] & 0x3f) << 6 | (s[2] & 0x3f);
    int is_format = (number >= 0x200b && number <= 0x200f) ||
                    (number >= 0x2028 && number <= 0x202e) ||
                    (number >= 0x2060 && number <= 0x206f) || number == 0xfeff;
    return is_format ? number : -1;
}

void saddle__text_add_json_string(saddle__text *text, const char *string)
{
    if (!string) {
        saddle__text_add(text, "null");
        return;
    }
    append(text, "\"", 1);
    for (const char *s = string; *s;) {
        int length = saddle__text_character(s), control = saddle__text_control(s);
        char escape[16];
        if (length == 0) { /* a byte outside UTF-8: as a letter of Latin-1, or the replacement */
            const unsigned char byte = (unsigned char)*s;
            const char letter[3] = {(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f)), 0};
            saddle__text_add(text, byte >= 0xa0 ? letter : "\xef\xbf\xbd");
            length = 1;
        } else if (*s == '"' || *s == '\\') {
            escape[0] = '\\';
            escape[1] = *s;
            append(text, escape, 2);
        } else if (control >= 0) {
            snprintf(escape, sizeof escape, "\\u%04x", (unsigned)control & 0xffffu);
            append(text, escape, 6);
        } else {
            append(text, s, length);
        }
        s += length;
    }
    append(text, "\"", 1);
}

void saddle__text_member(saddle__text *text, const char *key)
{
    saddle__text_add(text, text->length > 2 ? ",\n  " : "  ");
    saddle__text_add_json_string(text, key);
    saddle__text_add(text, ": ");
}

void saddle__text_member_integer(saddle__text *text, const char *key, int64_t value)
{
    saddle__text_member(text, key);
    saddle__text_add_integer(text, value);
}

void saddle__text_member_double(saddle__text *text, const char *key, double value)
{
    saddle__text_member(text, key);
    saddle__text_add_json_double(text, value);
}

void saddle__text_member_string(saddle__text *text, const char *key, const char *value)
{
    saddle__text_member(text, key);
    saddle__text_add_json_string(text, value);
}

saddle_status saddle__text_take(saddle__text *text, char **characters)
{
    saddle_status status = text->failed ? SADDLE_OUT_OF_MEMORY : SADDLE_OK;
    *characters = NULL;
    if (status == SADDLE_OK)
        *characters = text->characters;
    else
        saddle_release(text->context, text->characters);
    memset(text, 0, sizeof *text);
    return status;
}

char *saddle__path_join(saddle_context *context, const char *folder, const char *name)
{
    size_t length = strlen(folder), more = strlen(name);
    int slash = length > 0 && folder[length - 1] != '/';
    char *path = saddle_allocate(context, (int64_t)(length + more + 2), 1);
    if (!path) return NULL;
    memcpy(path, folder, length);
    if (slash) path[length] = '/';
    memcpy(path + length + (size_t)slash, name, more);
    return path;
}
