/* SPDX-License-Identifier: MIT */
/* A bundle read in pieces: process p of P reads the p-th of P runs of whole lines of M.mtx, J.mtx
 * and R.mtx, and the first process f, b, bounds and contacts.  The parts add up to the problem.  A
 * matrix that is an array, or skew-symmetric, is the first process'. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "collective.h"
#include "files/bundle.h"
#include "files/mtx.h"

enum { PATH_SIZE = 4096 };

typedef struct text_file {
    char *text; /* mapped, not NUL-terminated; NULL: absent or empty */
    int64_t length;
    int present;
} text_file;

/* The file's bytes, read when they are looked at. */
static saddle_status map_file(saddle_context *context, const char *path, text_file *of)
{
    struct stat facts;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 && errno == ENOENT) return SADDLE_OK;
    if (file < 0) return saddle__fail_errno(context, path, "cannot open", errno);
    saddle_status status = SADDLE_OK;
    of->present = 1;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: not a file", path);
    else if (facts.st_size > 0) {
        void *text = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (text == MAP_FAILED)
            status = saddle__fail_errno(context, path, "cannot read", errno);
        else
            *of = (text_file){.text = text, .length = (int64_t)facts.st_size, .present = 1};
    }
    close(file);
    return status;
}

static void unmap_file(text_file *of)
{
    if (of->text) munmap(of->text, (size_t)of->length);
    *of = (text_file){NULL, 0, 0};
}

/* ---- a run of lines ---- */

typedef struct run {
    const char *begin, *end;
} run;

/* The end of the line that holds the byte before `at`. */
static const char *line_end(const char *at, const char *end)
{
    const char *found = at < end ? memchr(at - 1, '\n', (size_t)(end - at + 1)) : NULL;
    return found ? found + 1 : end;
}

static run share_of(const char *begin, const char *end, int rank, int processes)
{
    const int64_t each = (end - begin) / processes;
    run of = {begin, end};
    if (rank > 0) of.begin = line_end(begin + each * rank, end);
    if (rank + 1 < processes) of.end = line_end(begin + each * (rank + 1), end);
    if (of.end < of.begin) of.end = of.begin;
    return of;
}

static int64_t count_lines(run of)
{
    int64_t lines = 0;
    for (int blank = 1; of.begin < of.end; of.begin++) {
        const int space = strchr(" \t\r\v\f\n", *of.begin) && *of.begin;
        lines += blank && !space;
        blank = *of.begin == '\n' || (blank && space);
    }
    return lines;
}

/* The lines under a header of their own. */
static saddle_status copy_run(saddle_context *context, const saddle__mtx_header *header, run of,
                              int64_t lines, char **text, int64_t *length)
{
    enum { ROOM = 160 };
    static const char *const fields[] = {"real", "integer", "pattern"};
    static const char *const shapes[] = {"general", "symmetric", "skew-symmetric"};
    *text = saddle_allocate(context, ROOM + (of.end - of.begin), 1);
    if (!*text) return SADDLE_OUT_OF_MEMORY;
    const int used = snprintf(*text, ROOM,
                              "%%%%MatrixMarket matrix coordinate %s %s\n%lld %lld %lld\n",
                              fields[header->field], shapes[header->shape], (long long)header->rows,
                              (long long)header->cols, (long long)lines);
    memcpy(*text + used, of.begin, (size_t)(of.end - of.begin));
    *length = used + (of.end - of.begin);
    return SADDLE_OK;
}

/* ---- the folder ---- */

typedef struct named_file {
    const char *name;
    int divided; /* by lines; else the first process' */
} named_file;

static const named_file files[] = {{"M.mtx", 1},        {"J.mtx", 1},       {"R.mtx", 1},
                                   {"f.mtx", 0},        {"b.mtx", 0},       {"bounds.mtx", 0},
                                   {"contacts.mtx", 0}, {"problem.json", 0}};
enum { FILE_COUNT = sizeof files / sizeof files[0], JSON = FILE_COUNT - 1 };

typedef struct folder {
    saddle_context *context;
    const char *path;
    int rank, processes;
    text_file mapped[FILE_COUNT];
    char *copy[FILE_COUNT];         /* of a run, owned */
    int64_t entries[FILE_COUNT][2]; /* of a divided matrix: announced, and lines of this process */
    saddle__source_text texts[FILE_COUNT + 1];
} folder;

static saddle_status open_file(folder *of, int k)
{
    char path[PATH_SIZE];
    const int length = snprintf(path, sizeof path, "%s/%s", of->path, files[k].name);
    if (length < 0 || length >= PATH_SIZE)
        return saddle_fail(of->context, SADDLE_FILE_ERROR, "%s: the path is too long", of->path);
    return map_file(of->context, path, &of->mapped[k]);
}

/* An unreadable header is passed on: the reader of bundles reports the fault. */
static saddle_status divide(folder *of, int k, saddle__source_text *text)
{
    saddle__mtx_header header;
    saddle__scan scan = saddle__scan_text(of->context, text->text, text->length, files[k].name);
    if (saddle__mtx_header_scan(&scan, &header) != SADDLE_OK) return SADDLE_OK;
    saddle__scan_skip_line(&scan);
    run share = {scan.at, scan.end};
    const int divisible = header.coordinate && header.shape != SADDLE__MTX_SKEW;
    if (!divisible && of->rank == 0) return SADDLE_OK;
    if (divisible)
        share = share_of(scan.at, scan.end, of->rank, of->processes);
    else
        share.end = share.begin;
    const int64_t lines = count_lines(share);
    if (divisible) {
        of->entries[k][0] = header.entries;
        of->entries[k][1] = lines;
    }
    SADDLE__TRY(copy_run(of->context, &header, share, lines, &of->copy[k], &text->length));
    text->text = of->copy[k];
    return SADDLE_OK;
}

static saddle_status collect(folder *of)
{
    int count = 0;
    for (int k = 0; k < FILE_COUNT; k++) {
        if (of->rank > 0 && !files[k].divided && k != JSON) continue;
        SADDLE__TRY(open_file(of, k));
        const text_file *file = &of->mapped[k];
        if (!file->present) continue;
        saddle__source_text *text = &of->texts[count++];
        *text = (saddle__source_text){files[k].name, file->text ? file->text : "", file->length};
        if (files[k].divided) SADDLE__TRY(divide(of, k, text));
    }
    return SADDLE_OK;
}

static saddle_status check_entries(MPI_Comm processes, folder *of)
{
    int64_t lines[FILE_COUNT];
    for (int k = 0; k < FILE_COUNT; k++) lines[k] = of->entries[k][1];
    MPI_Allreduce(MPI_IN_PLACE, lines, FILE_COUNT, MPI_INT64_T, MPI_SUM, processes);
    for (int k = 0; k < FILE_COUNT; k++)
        if (lines[k] != of->entries[k][0])
            return saddle_fail(of->context, SADDLE_BAD_FILE,
                               "%s/%s: %lld entries are announced, but %lld lines follow", of->path,
                               files[k].name, (long long)of->entries[k][0], (long long)lines[k]);
    return SADDLE_OK;
}

static saddle_status parse(folder *of, saddle_problem *part)
{
    saddle__source source = saddle__source_texts(of->context, of->texts, of->path);
    const saddle_status status = saddle__bundle_parse(&source, part, NULL);
    saddle__source_close(&source);
    return status;
}

saddle_status saddle_mpi_read(MPI_Comm processes, saddle_context *context, const char *path,
                              saddle_problem *part)
{
    folder of = {.context = context,
                 .path = path,
                 .rank = saddle__rank(processes),
                 .processes = saddle__processes(processes)};
    saddle_context_clear_message(context);
    saddle_status status = SADDLE_OK;
    if (part) *part = (saddle_problem){0};
    if (path && part)
        status = collect(&of);
    else
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the folder or the part is NULL");
    status = saddle__agree(processes, context, status);
    if (status == SADDLE_OK)
        status = saddle__agree(processes, context, check_entries(processes, &of));
    if (status == SADDLE_OK) status = saddle__agree(processes, context, parse(&of, part));
    for (int k = 0; k < FILE_COUNT; k++) {
        unmap_file(&of.mapped[k]);
        saddle_release(context, of.copy[k]);
    }
    if (status != SADDLE_OK && part) saddle_problem_clear(part);
    return status;
}
