/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259) read in one pass, without a tree.
 *
 * All memory comes from the context, numbers are rounded correctly in every locale, errors name
 * file and line.  A library with a tree would allocate past the context; jansson also drops
 * characters silently where an allocation fails.
 *
 *     saddle__json_walk walk;
 *     int more;
 *     status = saddle__json_open(&scan, "the file", '{', &walk);
 *     while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK &&
 *            more)
 *         status = the value of walk.key: saddle__json_integer(&scan, ...), .. */
#ifndef SADDLE_FILES_JSON_SCAN_H
#define SADDLE_FILES_JSON_SCAN_H

#include "files/scan.h"

enum { SADDLE__JSON_KEY_SIZE = 64 }; /* longer keys are cut, and match no known key */

typedef struct saddle__json_walk {
    saddle__scan *scan;
    char close;                      /* } or ] */
    int begun;                       /* 1: past the first value */
    char key[SADDLE__JSON_KEY_SIZE]; /* of an object: of the value to come */
} saddle__json_walk;

/* what: the value's name in messages, "\"n\"". */
saddle_status saddle__json_open(saddle__scan *scan, const char *what, char bracket,
                                saddle__json_walk *walk);

/* To the next element, in an object past the key and its colon (*more = 1), or past the closing
 * bracket (*more = 0). */
saddle_status saddle__json_step(saddle__json_walk *walk, int *more);

saddle_status saddle__json_integer(saddle__scan *scan, const char *what, int64_t *value);
saddle_status saddle__json_number(saddle__scan *scan, const char *what, double *value);
saddle_status saddle__json_boolean(saddle__scan *scan, const char *what, int *value);

/* A string, or NULL for null; released by saddle_release.  UTF-8 without NUL. */
saddle_status saddle__json_string_or_null(saddle__scan *scan, const char *what, char **value);

/* ---- objects by a table of their keys ---- */

typedef struct saddle__json_list { /* all zero = none */
    int64_t count, room;
    void *element; /* of eight bytes each; NULL = no list was read; the caller's to release */
} saddle__json_list;

typedef enum saddle__json_type {
    SADDLE__JSON_INTEGER,  /* int64_t */
    SADDLE__JSON_SIZE,     /* int64_t >= 0 */
    SADDLE__JSON_NUMBER,   /* double; null leaves the value as it is */
    SADDLE__JSON_BOOLEAN,  /* int */
    SADDLE__JSON_STRING,   /* char *, released first; NULL for null */
    SADDLE__JSON_INTEGERS, /* saddle__json_list; a list read again reuses the memory */
    SADDLE__JSON_NUMBERS,
    SADDLE__JSON_STRINGS,
    SADDLE__JSON_NOTED, /* int <- 1; the value is skipped, unread but checked */
    SADDLE__JSON_OWN    /* by the field's read */
} saddle__json_type;

typedef struct saddle__json_field {
    const char *key; /* NULL ends a table */
    saddle__json_type type;
    size_t offset; /* of the value in the object */
    int required;
    saddle_status (*read)(saddle__scan *scan, const char *what, void *object);
    int64_t most; /* of a size; 0 = any */
} saddle__json_field;

/* Reads an object with the keys of the table, at most 32; other keys are skipped,
 * nested at most 64 deep.  *given (NULL is
 * fine): bit k = key k was there.  SADDLE_BAD_FILE: a key twice, or a required key missing. */
saddle_status saddle__json_object(saddle__scan *scan, const char *what,
                                  const saddle__json_field *fields, void *object, unsigned *given);

/* SADDLE_OK when only white space is left. */
saddle_status saddle__json_end(saddle__scan *scan);

#endif
