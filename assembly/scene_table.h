/* SPDX-License-Identifier: MIT */
/* JSON objects read into structs, by const tables of their fields.
 *
 * Every struct begins with a saddle__scene_head.  Errors: a field that the table does not have, is
 * given twice, has another type, too few or too many elements; a required field that is missing.
 * null leaves a field as it is.  Texts and lists are owned by the struct and released by
 * saddle__scene_release.
 */
#ifndef SADDLE_ASSEMBLY_SCENE_TABLE_H
#define SADDLE_ASSEMBLY_SCENE_TABLE_H

#include <stddef.h>

#include "files/scan.h"

typedef struct saddle__scene_table saddle__scene_table;
typedef struct saddle__scene_build saddle__scene_build; /* scene_internal.h */

typedef struct saddle__scene_head {
    const saddle__scene_table *table; /* NULL: the object was not given */
    uint64_t given;                   /* bit k: field k of the table was given */
    const char *place;                /* where the object begins in the text */
} saddle__scene_head;

typedef struct saddle__scene_list {
    void *item; /* count structs, or doubles */
    int64_t count, capacity;
} saddle__scene_list;

typedef enum saddle__scene_kind {
    SADDLE__FIELD_NUMBER,   /* double */
    SADDLE__FIELD_NUMBERS,  /* count doubles; null leaves an element as it is */
    SADDLE__FIELD_INTEGER,  /* int64_t */
    SADDLE__FIELD_INTEGERS, /* count int64_t */
    SADDLE__FIELD_FLAG,     /* int */
    SADDLE__FIELD_TEXT,     /* char * or const char *; NULL where not given */
    SADDLE__FIELD_WORD,     /* int or an enum: index in words */
    SADDLE__FIELD_OBJECT,   /* a struct of table */
    SADDLE__FIELD_LIST,     /* saddle__scene_list of structs of table */
    SADDLE__FIELD_SERIES    /* saddle__scene_list of doubles */
} saddle__scene_kind;

typedef struct saddle__scene_field {
    const char *key;
    saddle__scene_kind kind;
    size_t offset;
    int count;
    int required;
    const char *const *words; /* ended by NULL */
    const saddle__scene_table *table;
} saddle__scene_field;

typedef enum saddle__scene_naming {
    SADDLE__SCENE_NAMELESS, /* "name" is for messages only */
    SADDLE__SCENE_NAMED,    /* no two items of the model have one name */
    SADDLE__SCENE_PART      /* and the name is required */
} saddle__scene_naming;

struct saddle__scene_table {
    const char *what;                 /* "body", for messages */
    size_t size;                      /* of the struct */
    const saddle__scene_field *field; /* at most 64, ended by a NULL key */
    void (*defaults)(void *object);   /* for the zeroed struct; NULL = zeros */
    saddle__scene_naming naming;      /* of the objects of a list */
    /* Adds an object of a list to the scene; NULL: no list.  A status other than SADDLE_OK and
     * SADDLE_BAD_FILE has its reason in the context's message. */
    saddle_status (*add)(const saddle__scene_build *build, const void *object);
};

/* Reads an object of table's struct, all zero before.  Released by the caller, on failure too. */
saddle_status saddle__scene_object(saddle__scan *scan, const saddle__scene_table *table,
                                   const char *what, void *object);
void saddle__scene_release(saddle_context *context, const saddle__scene_table *table, void *object);

/* The field of a key; the end of the table for an unknown key. */
const saddle__scene_field *saddle__scene_field_of(const saddle__scene_table *table,
                                                  const char *key);

/* 1: the object has a field of that key. */
int saddle__scene_given(const void *object, const char *key);

#endif
