/* SPDX-License-Identifier: MIT */
/* Growing text, and JSON in the text.  A failure to grow is remembered for saddle__text_take. */
#ifndef SADDLE_FILES_TEXT_H
#define SADDLE_FILES_TEXT_H

#include "saddle/context.h"

typedef struct saddle__text {
    saddle_context *context;
    char *characters; /* NUL-terminated once anything was added; owned */
    int64_t length;
    int64_t capacity;
    int failed; /* 1: out of memory, later additions are lost */
} saddle__text;

void saddle__text_add(saddle__text *text, const char *more);
void saddle__text_add_integer(saddle__text *text, int64_t value);

/* The number, or null if not finite. */
void saddle__text_add_json_double(saddle__text *text, double value);

/* In quotes and escaped, control characters too; null for NULL.  A byte outside UTF-8 becomes the
 * Latin-1 character of the same number from 0xa0 on, else U+FFFD. */
void saddle__text_add_json_string(saddle__text *text, const char *string);

/* A new line with a key of an object that began as "{\n", and a comma after an earlier member; and
 * a value. */
void saddle__text_member(saddle__text *text, const char *key);
void saddle__text_member_integer(saddle__text *text, const char *key, int64_t value);
void saddle__text_member_double(saddle__text *text, const char *key, double value);
void saddle__text_member_string(saddle__text *text, const char *key, const char *value);

/* Bytes of the UTF-8 character at the beginning of a nonempty string; 0 for overlong forms,
 * surrogates, numbers above U+10FFFF and other invalid bytes. */
int saddle__text_character(const char *string);

/* The number of the control character (C0, DEL, C1; Unicode's invisible characters and marks of
 * direction) at the beginning of a string, -1 for any other. */
int saddle__text_control(const char *string);

/* 1: JSON can hold the string unchanged. */
int saddle__text_is_utf8(const char *string);

/* Hands the characters over (saddle_release).  SADDLE_OUT_OF_MEMORY after a failure to grow. */
saddle_status saddle__text_take(saddle__text *text, char **characters);

/* "folder/name", released by saddle_release; NULL when out of memory. */
char *saddle__path_join(saddle_context *context, const char *folder, const char *name);

#endif
