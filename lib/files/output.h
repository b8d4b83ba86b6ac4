/* SPDX-License-Identifier: MIT */
/* Files and folders that appear whole or not at all: written under a temporary neighbouring name,
 * then renamed.  A failure at any point, the last rename included, leaves what the final name held
 * before.
 *
 *     saddle__output output;
 *     saddle_status status = saddle__output_open(context, path, &output);
 *     if (status != SADDLE_OK) return status;
 *     saddle__output_text(&output, "rows ");
 *     saddle__output_integer(&output, rows, "\n");
 *     return saddle__output_finish(&output, status);
 *
 * A failed write is remembered and reported by finish. */
#ifndef SADDLE_FILES_OUTPUT_H
#define SADDLE_FILES_OUTPUT_H

#include <string.h>

#include "saddle/matrix.h"

/* "folder/name.mark.ext" for "folder/name.ext" and the mark ".mark", released by saddle_release;
 * NULL when out of memory. */
char *saddle__path_beside(saddle_context *context, const char *path, const char *mark);

/* ---- a file ---- */

typedef struct saddle__output { /* all zero = none */
    saddle_context *context;
    char *target;    /* the final name, links resolved; owned */
    char *temporary; /* the name until finish; owned */
    int descriptor;  /* of the temporary file */
    int error;       /* errno of the first failed write, or 0 */
    char *buffer;    /* owned */
    int64_t used;    /* bytes in the buffer */
} saddle__output;

/* SADDLE_FILE_ERROR: the target is no regular file, or its folder cannot be written to. */
saddle_status saddle__output_open(saddle_context *context, const char *path,
                                  saddle__output *output);

/* status SADDLE_OK: the file gets its final name.  Otherwise the file is removed and status
 * returned.  Empties *output. */
saddle_status saddle__output_finish(saddle__output *output, saddle_status status);

/* A whole file of text. */
saddle_status saddle__output_whole(saddle_context *context, const char *path, const char *text);

void saddle__output_bytes(saddle__output *output, const void *bytes, int64_t count);
static inline void saddle__output_text(saddle__output *output, const char *text)
{
    saddle__output_bytes(output, text, (int64_t)strlen(text));
}

/* A number in its shortest exact form, and the text `after`. */
void saddle__output_integer(saddle__output *output, int64_t value, const char *after);
void saddle__output_double(saddle__output *output, double value, const char *after);

/* Column j of A on a line, 0 where no entry is stored. */
void saddle__output_column(saddle__output *output, const saddle_matrix *A, int64_t j);

/* A line `i j v` for each stored entry, rows and columns counted from base; before: the text
 * between j and v. */
void saddle__output_entries(saddle__output *output, const saddle_matrix *A, int64_t base,
                            const char *before);

/* ---- two files of one problem ---- */

typedef struct saddle__pair {
    saddle__output matrix, vector;
} saddle__pair;

/* The matrix to PATH, the vector to PATH with the mark (".rhs") before the extension. */
saddle_status saddle__pair_open(saddle_context *context, const char *path, const char *mark,
                                saddle__pair *pair);

/* As for a file.  Both files are complete before either gets a name; if the matrix cannot get its
 * name, the vector's name holds the earlier file. */
saddle_status saddle__pair_finish(saddle__pair *pair, saddle_status status);

/* ---- a folder ---- */

typedef struct saddle__folder_kind {
    const char *noun;                   /* "a saddle problem bundle" */
    const char *const *names;           /* the files of such a folder, then NULL */
    int (*recognise)(const char *path); /* 1: a folder of the kind, free to be replaced */
    /* writes the file names[k] to path, or nothing where the folder has no such file */
    saddle_status (*write)(saddle_context *context, const void *user, int k, const char *path);
} saddle__folder_kind;

/* Writes the folder's files, whole or not at all.  An existing target must be an empty folder or
 * one of the kind, else SADDLE_FILE_ERROR: nothing foreign is ever removed.  Files of other names
 * in a replaced folder (notes, pictures) are carried over.  Several writers at once leave the
 * folder of one writer, whole, and no temporary folder.  user NULL: only states whether the folder
 * could be made now. */
saddle_status saddle__folder_write(saddle_context *context, const char *path,
                                   const saddle__folder_kind *kind, const void *user);

#endif
