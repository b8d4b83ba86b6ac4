/* SPDX-License-Identifier: MIT */
/* JSON objects read into structs, by tables that say which field goes where.
 *
 * Every struct begins with a saddle__scene_head.  A field that the table does not know is an error,
 * and so is one given twice, of another type, too short or too long.  null leaves a field as it
 * was.  Texts and lists are owned by the struct and released by saddle__scene_release.
 */
#ifndef SADDLE_ASSEMBLY_SCENE_TABLE_H
#define SADDLE_ASSEMBLY_SCENE_TABLE_H

#include <stddef.h>

#include "files/scan.h"

typedef struct saddle__scene_head {
    uint64_t given;    /* bit k: the table's field k was there */
    const char *place; /* where the object begins in the text */
} saddle__scene_head;

typedef struct saddle__scene_list {
    void *item; /* count structs, or doubles */
    int64_t count, capacity;
} saddle__scene_list;

typedef enum saddle__scene_kind {
    SADDLE__FIELD_NUMBER,   /* double */
    SADDLE__FIELD_NUMBERS,  /* count doubles; an element that is null leaves its place as it was */
    SADDLE__FIELD_INTEGER,  /* int64_t */
    SADDLE__FIELD_INTEGERS, /* count int64_t */
    SADDLE__FIELD_FLAG,     /* int */
    SADDLE__FIELD_TEXT,     /* char *, NULL where not given */
    SADDLE__FIELD_WORD,     /* int: which of words */
    SADDLE__FIELD_OBJECT,   /* a struct of table */
    SADDLE__FIELD_LIST,     /* saddle__scene_list of structs of table */
    SADDLE__FIELD_SERIES    /* saddle__scene_list of doubles, as many as there are */
} saddle__scene_kind;

typedef struct saddle__scene_table saddle__scene_table;

typedef struct saddle__scene_field {
    const char *key;
    saddle__scene_kind kind;
    size_t offset;
    int count;
    int required;
    const char *const *words; /* ended by NULL */
    const saddle__scene_table *table;
} saddle__scene_field;

struct saddle__scene_table {
    const char *what;                 /* "body": for messages */
    size_t size;                      /* of the struct */
    const saddle__scene_field *field; /* ended by a NULL key; 64 at most */
    void (*defaults)(void *object);   /* of the zeroed struct; NULL = zeros */
};

/* object: of table's struct, all zero.  On failure too it is released by the caller. */
saddle_status saddle__scene_object(saddle__scan *scan, const saddle__scene_table *table,
                                   const char *what, void *object);

void saddle__scene_release(saddle_context *context, const saddle__scene_table *table, void *object);

/* 1: the field of that key was there. */
int saddle__scene_given(const saddle__scene_table *table, const void *object, const char *key);

#endif
