/* SPDX-License-Identifier: MIT */
/* Where the files of a folder format come from: a folder on disk, or texts in memory. */
#ifndef SADDLE_FILES_SOURCE_H
#define SADDLE_FILES_SOURCE_H

#include "files/scan.h"

typedef struct saddle__source_text {
    const char *name; /* "M.mtx"; NULL ends a list */
    const char *text;
    int64_t length;
} saddle__source_text;

typedef struct saddle__source {
    saddle_context *context;
    const char *label;                /* the folder's name in messages; borrowed */
    const saddle__source_text *texts; /* NULL: files in the folder `label` */
    char *path;                       /* of the file opened last; owned */
} saddle__source;

saddle__source saddle__source_folder(saddle_context *context, const char *path);
saddle__source saddle__source_texts(saddle_context *context, const saddle__source_text *texts,
                                    const char *label);

/* Opens a file of the folder; SADDLE_OK with *present = 0 and an empty scan if the file is absent.
 * The scan is closed by the caller, and its label is valid until the next open. */
saddle_status saddle__source_open(saddle__source *source, const char *name, int *present,
                                  saddle__scan *scan);

/* SADDLE_BAD_FILE with "FOLDER/name: reason". */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
saddle_status
saddle__source_fail(const saddle__source *source, const char *name, const char *format, ...);

void saddle__source_close(saddle__source *source);

#endif
