/* SPDX-License-Identifier: MIT */
/* The text scanner, and where texts come from: see scan.h.  Lines are not counted while reading; an
 * error counts the newlines before its place. */
#include "files/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "files/number.h"
#include "files/text.h"

enum { SHOWN_SIZE = 24 }; /* characters of an offending token in a message */

/* Bytes of a file that is not regular: a pipe may never end. */
#define PIPE_LIMIT (INT64_C(1) << 28)

/* ---- a file in memory ---- */

/* Reads an open file of at most `most` bytes.  guess: the size stated by the system, 0 for a pipe.
 */
static saddle_status read_whole(saddle__scan *scan, int file, int64_t guess, int64_t most)
{
    if (guess < 0 || guess > INT64_MAX / 4) guess = 0;
    int64_t capacity = guess + 1, length = 0;
    scan->owned = saddle_allocate(scan->context, capacity, 1);
    if (!scan->owned) return SADDLE_OUT_OF_MEMORY;
    for (;;) {
        if (length == capacity) {
            capacity = 2 * capacity + 4096;
            if (saddle__grow(scan->context, &scan->owned, capacity, 1)) return SADDLE_OUT_OF_MEMORY;
        }
        ssize_t got = read(file, scan->owned + length, (size_t)(capacity - length));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return saddle__fail_errno(scan->context, scan->label, "cannot be read", errno);
        if (got == 0) break;
        length += got;
        if (length > most)
            return saddle_fail(scan->context, SADDLE_TOO_LARGE,
                               "%s: more than %lld bytes, and not a regular file: save it as one",
                               scan->label, (long long)most);
    }
    scan->begin = scan->at = scan->owned;
    scan->end = scan->owned + length;
    return SADDLE_OK;
}

saddle_status saddle__scan_open(saddle_context *context, const char *path, saddle__scan *scan)
{
    *scan = (saddle__scan){.context = context, .label = path};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return saddle__fail_errno(scan->context, scan->label, "cannot be opened", errno);
    struct stat about;
    saddle_status status = SADDLE_OK;
    if (fstat(file, &about) != 0)
        status = saddle__fail_errno(scan->context, scan->label, "cannot be read", errno);
    else if (S_ISDIR(about.st_mode))
        status = saddle__fail_errno(scan->context, scan->label, "cannot be read", EISDIR);
    else
        status = read_whole(scan, file, about.st_size,
                            S_ISREG(about.st_mode) ? INT64_MAX : PIPE_LIMIT);
    close(file);
    if (status != SADDLE_OK) saddle__scan_close(scan);
    return status;
}

char *saddle__folder_of(saddle_context *context, const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t length = slash && slash != path ? (size_t)(slash - path) : 1;
    char *folder = saddle_allocate(context, (int64_t)length + 1, 1);
    if (folder) memcpy(folder, slash ? path : ".", length);
    return folder;
}

/* ---- messages ---- */

int64_t saddle__scan_line(const saddle__scan *scan, const char *place)
{
    int64_t line = 1;
    for (const char *p = scan->begin; p < place && p < scan->end; p++) line += *p == '\n';
    return line;
}

saddle_status saddle__scan_fail_at(saddle__scan *scan, const char *place, const char *format, ...)
{
    char reason[512];
    va_list arguments;
    if (scan->status != SADDLE_OK) return scan->status;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    scan->status = SADDLE_BAD_FILE;
    return saddle_fail(scan->context, SADDLE_BAD_FILE, "%s:%lld: %s", scan->label,
                       (long long)saddle__scan_line(scan, place), reason);
}

/* The token at the place for a message, printable and short. */
static const char *shown(const saddle__scan *scan, char text[SHOWN_SIZE + 8])
{
    saddle__scan copy = *scan;
    const char *word;
    int64_t length;
    saddle__scan_word(&copy, &word, &length);
    if (length == 0) return "the end of the file";
    int count = length > SHOWN_SIZE ? SHOWN_SIZE : (int)length, at = 0;
    text[at++] = '\'';
    for (int i = 0; i < count; i++)
        text[at++] = (char)(word[i] >= ' ' && word[i] <= '~' ? word[i] : '?');
    if (length > SHOWN_SIZE)
        for (int i = 0; i < 3; i++) text[at++] = '.';
    text[at++] = '\'';
    text[at] = 0;
    return text;
}

/* ---- moving ---- */

static int is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

void saddle__scan_skip_space(saddle__scan *scan)
{
    while (scan->at < scan->end && is_space(*scan->at)) scan->at++;
}

void saddle__scan_skip_line(saddle__scan *scan)
{
    const char *newline = scan->at < scan->end
                              ? memchr(scan->at, '\n', (size_t)(scan->end - scan->at))
                              : NULL;
    scan->at = newline ? newline + 1 : scan->end;
}

int saddle__scan_line_ends(saddle__scan *scan)
{
    while (scan->at < scan->end && *scan->at != '\n' && is_space(*scan->at)) scan->at++;
    return scan->at == scan->end || *scan->at == '\n';
}

void saddle__scan_warn_of_cut(const saddle__scan *scan)
{
    if (scan->at != scan->end || scan->at == scan->begin || is_space(scan->end[-1])) return;
    saddle__log(scan->context, SADDLE_LOG_WARNING,
                "%s: the file ends with its last number and no newline: was it cut off there?",
                scan->label);
}

/* ---- tokens ---- */

int saddle__scan_literal(saddle__scan *scan, const char *literal)
{
    const char *place = scan->at;
    size_t length = strlen(literal);
    if (scan->status != SADDLE_OK) return 0;
    saddle__scan_skip_space(scan);
    if ((size_t)(scan->end - scan->at) >= length && memcmp(scan->at, literal, length) == 0) {
        scan->at += length;
        return 1;
    }
    scan->at = place;
    return 0;
}

void saddle__scan_word(saddle__scan *scan, const char **word, int64_t *length)
{
    saddle__scan_skip_space(scan);
    *word = scan->at;
    while (scan->at < scan->end && !is_space(*scan->at)) scan->at++;
    *length = scan->at - *word;
}

static int ends_token(const saddle__scan *scan, const char *next)
{
    return next == scan->end || is_space(*next) || *next == ',' || *next == ':' || *next == ';' ||
           *next == ')';
}

/* Moves behind a token of a kind, or fails; nothing of either after a failure. */
static saddle_status take_token(saddle__scan *scan, const char *what, const char *noun,
                                const char *type, saddle__number_kind kind, int infinite,
                                const char *next)
{
    char text[SHOWN_SIZE + 8];
    if (kind == SADDLE__NUMBER_NONE || !ends_token(scan, next))
        return saddle__scan_fail(scan, "%s: expected %s, found %s", what, noun, shown(scan, text));
    if (kind == SADDLE__NUMBER_OVERFLOW)
        return saddle__scan_fail(scan, "%s: %s %s", what, shown(scan, text), type);
    if (kind == SADDLE__NUMBER_NAN || (kind == SADDLE__NUMBER_INFINITE && !infinite))
        return saddle__scan_fail(scan, "%s: %s is not finite", what, shown(scan, text));
    scan->at = next;
    return SADDLE_OK;
}

int64_t saddle__scan_integer(saddle__scan *scan, const char *what)
{
    const char *next = NULL;
    int64_t value;
    if (scan->status != SADDLE_OK) return 0;
    saddle__scan_skip_space(scan);
    saddle__number_kind kind = saddle__integer_parse(scan->at, scan->end, &value, &next);
    saddle_status status = take_token(scan, what, "an integer", "does not fit 64 bits", kind, 0,
                                      next);
    return status == SADDLE_OK ? value : 0;
}

int64_t saddle__scan_range(saddle__scan *scan, const char *what, int64_t lo, int64_t hi)
{
    if (scan->status != SADDLE_OK) return 0;
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    int64_t value = saddle__scan_integer(scan, what);
    if (scan->status != SADDLE_OK || (value >= lo && value <= hi)) return value;
    if (lo > hi)
        saddle__scan_fail_at(scan, place, "%s: %lld, where none is possible", what,
                             (long long)value);
    else if (lo == hi)
        saddle__scan_fail_at(scan, place, "%s: %lld, but it must be %lld", what, (long long)value,
                             (long long)lo);
    else
        saddle__scan_fail_at(scan, place, "%s: %lld is outside %lld to %lld", what,
                             (long long)value, (long long)lo, (long long)hi);
    return 0;
}

int64_t saddle__scan_size(saddle__scan *scan, const char *what)
{
    if (scan->status != SADDLE_OK) return 0;
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    int64_t value = saddle__scan_integer(scan, what);
    if (value >= 0) return value;
    saddle__scan_fail_at(scan, place, "%s: %lld is negative", what, (long long)value);
    return 0;
}

double saddle__scan_double(saddle__scan *scan, const char *what, int infinite)
{
    const char *next = NULL;
    double value;
    if (scan->status != SADDLE_OK) return 0;
    saddle__scan_skip_space(scan);
    saddle__number_kind kind = saddle__number_parse(scan->at, scan->end, &value, &next);
    saddle_status status = take_token(scan, what, "a number", "is too large for a double", kind,
                                      infinite, next);
    return status == SADDLE_OK ? value : 0;
}

/* ---- runs of numbers ---- */

saddle_status saddle__scan_expect(saddle__scan *scan, const char *what, int64_t count)
{
    int64_t bytes = scan->end - scan->at;
    if (count <= bytes / 2 + 1) return scan->status;
    return saddle__scan_fail(scan, "%lld numbers of %s announced, but only %lld bytes follow",
                             (long long)count, what, (long long)bytes);
}

void *saddle__scan_allocate(saddle__scan *scan, int64_t count, size_t size)
{
    if (scan->status != SADDLE_OK) return NULL;
    void *block = saddle_allocate(scan->context, count, size);
    if (!block) scan->status = SADDLE_OUT_OF_MEMORY;
    return block;
}

saddle_status saddle__scan_doubles(saddle__scan *scan, const char *what, int infinite,
                                   int64_t count, double *value)
{
    for (int64_t i = 0; scan->status == SADDLE_OK && i < count; i++) {
        const char *place = scan->at;
        value[i] = saddle__scan_double(scan, what, infinite);
        if (scan->status == SADDLE_OK) continue;
        char named[96];
        snprintf(named, sizeof named, "%s, entry %lld of %lld", what, (long long)i + 1,
                 (long long)count);
        scan->at = place;
        scan->status = SADDLE_OK;
        saddle__scan_double(scan, named, infinite);
    }
    return scan->status;
}

double *saddle__scan_array(saddle__scan *scan, const char *what, int infinite, int64_t count)
{
    (void)saddle__scan_expect(scan, what, count);
    double *value = saddle__scan_allocate(scan, count, sizeof *value);
    (void)saddle__scan_doubles(scan, what, infinite, count, value);
    return value;
}

int64_t saddle__scan_count(const saddle__scan *scan, int64_t most, int *ended)
{
    saddle__scan ahead = *scan;
    int64_t count = 0;
    for (; count < most && !saddle__scan_at_end(&ahead); count++) {
        const char *next;
        double value;
        if (saddle__number_parse(ahead.at, ahead.end, &value, &next) == SADDLE__NUMBER_NONE ||
            (next != ahead.end && !is_space(*next)))
            break;
        ahead.at = next;
    }
    if (ended) *ended = saddle__scan_at_end(&ahead);
    return count;
}

/* ---- the files of a folder ---- */

/* The path of a loose file; NULL = none. */
static const char *loose_path(const saddle__source *source, const char *name)
{
    for (const saddle__source_file *file = source->files; file && file->name; file++)
        if (strcmp(file->name, name) == 0) return file->path;
    return NULL;
}

saddle_status saddle__source_open(saddle__source *source, const char *name, int *present,
                                  saddle__scan *scan)
{
    const char *loose = loose_path(source, name);
    *present = loose != NULL;
    *scan = (saddle__scan){.context = source->context};
    if (loose) return saddle__scan_open(source->context, loose, scan);
    saddle_release(source->context, source->path);
    source->path = saddle__path_join(source->context, source->label, name);
    if (!source->path) return SADDLE_OUT_OF_MEMORY;
    if (source->texts) {
        for (const saddle__source_text *text = source->texts; text->name; text++)
            if (strcmp(text->name, name) == 0) {
                *present = 1;
                *scan = saddle__scan_text(source->context, text->text, text->length, source->path);
            }
        return SADDLE_OK;
    }
    struct stat about;
    if (stat(source->path, &about) != 0 && errno == ENOENT) return SADDLE_OK;
    *present = 1;
    return saddle__scan_open(source->context, source->path, scan);
}

saddle_status saddle__source_fail(const saddle__source *source, const char *name,
                                  const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const char *loose = loose_path(source, name);
    if (loose) return saddle_fail(source->context, SADDLE_BAD_FILE, "%s: %s", loose, reason);
    return saddle_fail(source->context, SADDLE_BAD_FILE, "%s/%s: %s", source->label, name, reason);
}
