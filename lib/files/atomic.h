/* SPDX-License-Identifier: MIT */
/* Files and folders that appear whole or not at all: written under a temporary neighbouring name,
 * then renamed.
 *
 * A failure at any point, also of the last rename, leaves what was under the final name before. */
#ifndef SADDLE_FILES_ATOMIC_H
#define SADDLE_FILES_ATOMIC_H

#include "saddle/context.h"

/* SADDLE_FILE_ERROR with "PATH: what: the system's text for errno value `number`". */
saddle_status saddle__fail_errno(saddle_context *context, const char *path, const char *what,
                                 int number);

/* "folder/name", released by saddle_release; NULL when out of memory. */
char *saddle__path_join(saddle_context *context, const char *folder, const char *name);

/* ---- a file ---- */

typedef struct saddle__new_file { /* all zero = none */
    saddle_context *context;
    char *target;    /* the final name, links resolved; owned */
    char *temporary; /* the neighbour that exists meanwhile; owned */
    int descriptor;  /* open for writing */
} saddle__new_file;

/* SADDLE_FILE_ERROR where the target is something other than a regular file or its folder cannot be
 * written to. */
saddle_status saddle__new_file_begin(saddle_context *context, const char *path,
                                     saddle__new_file *file);

/* status SADDLE_OK: the file gets its final name.  Else it is removed and status is returned.
 * Empties *file. */
saddle_status saddle__new_file_finish(saddle__new_file *file, saddle_status status);

/* The same of two files that belong together: where the second cannot get its name, the first gets
 * back what it was. */
saddle_status saddle__new_file_finish_pair(saddle__new_file *first, saddle__new_file *second,
                                           saddle_status status);

/* Two existing names exchanged in one step: 0, or -1 with errno ENOSYS or EINVAL where system or
 * file system cannot. */
int saddle__exchange_names(const char *a, const char *b);

/* ---- a folder ---- */

typedef struct saddle__folder_kind {
    const char *noun;                   /* "a saddle problem bundle" */
    const char *const *names;           /* the files such a folder consists of, then NULL */
    int (*recognise)(const char *path); /* 1: an existing folder is one and may be replaced */
} saddle__folder_kind;

typedef struct saddle__new_folder { /* all zero = none */
    saddle_context *context;
    const saddle__folder_kind *kind;
    char *target;    /* the final name, links resolved; owned */
    char *temporary; /* the neighbour to write the files into; owned */
} saddle__new_folder;

/* A target that exists must be an empty folder or one of the kind, else SADDLE_FILE_ERROR: nothing
 * foreign is ever removed. */
saddle_status saddle__new_folder_begin(saddle_context *context, const char *path,
                                       const saddle__folder_kind *kind, saddle__new_folder *folder);

/* As for a file.  Files of other names in a replaced folder (notes, pictures) are carried over.
 * Several writers at once leave one of their folders, whole, and no temporary one. */
saddle_status saddle__new_folder_finish(saddle__new_folder *folder, saddle_status status);

#endif
