/* SPDX-License-Identifier: MIT */
/* A text file in memory and a place in the text.
 *
 * Readers of text parse the whole file in one pass; the context's memory limit bounds the file.
 * Errors name "FILE:LINE: reason"; lines are counted only for an error.
 *
 *     saddle__scan scan;
 *     saddle_status status = saddle__scan_open(context, path, &scan);
 *         or saddle__scan_text for text in memory
 *     rows = saddle__scan_size(&scan, "number of rows");
 *     ...
 *     if (scan.status == SADDLE_OK) ...
 *     saddle__scan_close(&scan);
 *
 * A scan remembers its first failure in scan->status: afterwards the functions for tokens return 0
 * and stay where they are, so that a reader may check once behind several of them.
 *
 * White space is blank, tab, CR, LF, VT, FF.  Functions for tokens skip white space, newlines
 * included, before the token; saddle__scan_line_ends stays on the line.  After a failure the
 * context has a message, and the place is unspecified. */
#ifndef SADDLE_FILES_SCAN_H
#define SADDLE_FILES_SCAN_H

#include "saddle/context.h"

typedef struct saddle__scan {
    saddle_context *context;
    const char *label; /* the file's name in messages; borrowed */
    const char *begin; /* the whole text; not NUL-terminated */
    const char *end;
    const char *at; /* the next character; readers may move the place within the text */
    char *owned;    /* the text, if read by scan_open */
    saddle_status status;
} saddle__scan;

/* path is borrowed until close.  SADDLE_FILE_ERROR (absent, unreadable, a folder),
 * SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__scan_open(saddle_context *context, const char *path, saddle__scan *scan);

/* The folder of a file's path, "." without one, as a new text; NULL: out of memory.  Released by
 * saddle_release. */
char *saddle__folder_of(saddle_context *context, const char *path);

/* A scan over text the caller keeps. */
static inline saddle__scan saddle__scan_text(saddle_context *context, const char *text,
                                             int64_t length, const char *label)
{
    return (saddle__scan){
        .context = context, .label = label, .begin = text, .at = text, .end = text + length};
}

/* A scan over the caller's text or never opened (all zero) is fine. */
static inline void saddle__scan_close(saddle__scan *scan)
{
    saddle_release(scan->context, scan->owned);
    scan->owned = NULL;
    scan->begin = scan->at = scan->end = NULL;
}

/* ---- messages ---- */

/* The one-based line of a place in the text. */
int64_t saddle__scan_line(const saddle__scan *scan, const char *place);

/* SADDLE_BAD_FILE with "LABEL:LINE: reason", the line of scan->at, or of place; an earlier failure
 * stays. */
#define saddle__scan_fail(scan, ...) saddle__scan_fail_at(scan, (scan)->at, __VA_ARGS__)
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
saddle_status
saddle__scan_fail_at(saddle__scan *scan, const char *place, const char *format, ...);

/* ---- moving ---- */

/* white space, newlines included */
void saddle__scan_skip_space(saddle__scan *scan);
/* to the beginning of the next line, or the end */
void saddle__scan_skip_line(saddle__scan *scan);
/* skips white space; 1 when nothing is left */
static inline int saddle__scan_at_end(saddle__scan *scan)
{
    saddle__scan_skip_space(scan);
    return scan->at == scan->end;
}

/* skips blanks; 1 at a newline or the end */
int saddle__scan_line_ends(saddle__scan *scan);

/* After the last number: a warning in the log if the text ends without white space behind the
 * number.  Many sound files lack the last newline, so the cut is no error; a file cut within the
 * last number looks the same. */
void saddle__scan_warn_of_cut(const saddle__scan *scan);

/* ---- tokens ---- */

/* 1: the text continues with `literal` after white space, and is passed; 0: the place is unchanged.
 */
int saddle__scan_literal(saddle__scan *scan, const char *literal);

/* The next run of characters other than white space; length 0 at the end. */
void saddle__scan_word(saddle__scan *scan, const char **word, int64_t *length);

/* Integers up to white space, the end or one of , : ; ) that fit int64_t.  what: "row index",
 * "number of rows", for the message.  size: >= 0.  range: lo <= value <= hi; lo = hi asks for that
 * value. */
int64_t saddle__scan_integer(saddle__scan *scan, const char *what);
int64_t saddle__scan_size(saddle__scan *scan, const char *what);
int64_t saddle__scan_range(saddle__scan *scan, const char *what, int64_t lo, int64_t hi);

/* Correctly rounded; ends as an integer does.  infinite: 1 = inf and -inf too; never digits too
 * large for a double. */
double saddle__scan_double(saddle__scan *scan, const char *what, int infinite);

/* ---- runs of numbers; what: "q", the array's name in messages ---- */

/* Fails unless count more numbers fit in the rest of the text, two bytes each but the last.  To be
 * called before memory is allocated. */
saddle_status saddle__scan_expect(saddle__scan *scan, const char *what, int64_t count);

/* saddle_allocate; NULL after a failure. */
void *saddle__scan_allocate(saddle__scan *scan, int64_t count, size_t size);

/* count numbers; a message states the one-based position. */
saddle_status saddle__scan_doubles(saddle__scan *scan, const char *what, int infinite,
                                   int64_t count, double *value);

/* The same into a new array, the caller's even after a failure (NULL without memory). */
double *saddle__scan_array(saddle__scan *scan, const char *what, int infinite, int64_t count);

/* Counts the numbers ahead, at most `most`, up to the first other word; the place does not move.
 * *ended (NULL is fine): 1 if the text ends after the numbers. */
int64_t saddle__scan_count(const saddle__scan *scan, int64_t most, int *ended);

/* ---- the files of a folder format: a folder on disk, texts in memory, loose files ---- */

typedef struct saddle__source_text {
    const char *name; /* "M.mtx"; NULL ends a list */
    const char *text;
    int64_t length;
} saddle__source_text;

typedef struct saddle__source_file {
    const char *name; /* "M.mtx"; NULL ends a list */
    const char *path; /* of the file on disk */
} saddle__source_file;

typedef struct saddle__source {
    saddle_context *context;
    const char *label;                /* the folder's name in messages; borrowed */
    const saddle__source_text *texts; /* NULL: files in the folder `label` */
    const saddle__source_file *files; /* files anywhere, beside the texts; NULL = none */
    char *path;                       /* of the file opened last; owned */
} saddle__source;

static inline saddle__source saddle__source_folder(saddle_context *context, const char *path)
{
    return (saddle__source){.context = context, .label = path};
}

static inline saddle__source saddle__source_texts(saddle_context *context,
                                                  const saddle__source_text *texts,
                                                  const char *label)
{
    return (saddle__source){.context = context, .label = label, .texts = texts};
}

/* Opens a file of the folder; SADDLE_OK with *present = 0 and an empty scan if the file is absent.
 * The scan is closed by the caller, and its label is valid until the next open. */
saddle_status saddle__source_open(saddle__source *source, const char *name, int *present,
                                  saddle__scan *scan);

/* SADDLE_BAD_FILE with "FOLDER/name: reason", of a loose file with its path. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
saddle_status
saddle__source_fail(const saddle__source *source, const char *name, const char *format, ...);

static inline void saddle__source_close(saddle__source *source)
{
    saddle_release(source->context, source->path);
    source->path = NULL;
}

#endif
