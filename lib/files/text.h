/* SPDX-License-Identifier: MIT */
/* Text that grows, and JSON in it.  A failure to grow is remembered; saddle__text_take reports
 * it. */
#ifndef SADDLE_FILES_TEXT_H
#define SADDLE_FILES_TEXT_H

#include "saddle/context.h"

typedef struct saddle__text {
    saddle_context *context;
    char *characters; /* NUL-terminated once anything was added; owned */
    int64_t length;
    int64_t capacity;
    int failed; /* 1: out of memory, what was added since is lost */
} saddle__text;

void saddle__text_add(saddle__text *text, const char *more);
void saddle__text_add_integer(saddle__text *text, int64_t value);

/* The number, or null where it is not finite. */
void saddle__text_add_json_double(saddle__text *text, double value);

/* In quotes and escaped, control characters too.  A byte that is not UTF-8 becomes the Latin-1
 * character of that number from 0xa0 on, else U+FFFD. */
void saddle__text_add_json_string(saddle__text *text, const char *string);

/* Bytes of the UTF-8 character at the beginning of a string that is not empty, 0 where there is
 * none: no overlong form, no surrogate, none above U+10FFFF. */
int saddle__text_character(const char *string);

/* The number of the control character (C0, DEL, C1; of Unicode's those that are not seen or turn
 * the direction) at the beginning of a string, -1 where there is another. */
int saddle__text_control(const char *string);

/* 1 when JSON can hold the string as it is. */
int saddle__text_is_utf8(const char *string);

/* Hands the characters over (saddle_release), or releases them and says SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__text_take(saddle__text *text, char **characters);

#endif
