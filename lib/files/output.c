/* SPDX-License-Identifier: MIT */
/* Files and folders written under a temporary name: see output.h.  rename() replaces a file, and an
 * empty folder, in one step.  A folder with files is exchanged with the new one, then emptied. */
#define _GNU_SOURCE /* renameat2; realpath */
#include "files/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "files/number.h"
#include "files/text.h"

enum { BUFFER_SIZE = 65536, TRIES = 1000 };

/* ---- names ---- */

char *saddle__path_beside(saddle_context *context, const char *path, const char *mark)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
               *dot = strrchr(base, '.');
    int head = (int)(dot && dot != base ? dot - path : (int64_t)strlen(path));
    size_t size = strlen(path) + strlen(mark) + 1;
    char *beside = saddle_allocate(context, (int64_t)size, 1);
    if (beside) snprintf(beside, size, "%.*s%s%s", head, path, mark, path + head);
    return beside;
}

/* The final name of a path, with links resolved and without slashes at the end, and room for a
 * temporary name. */
static saddle_status name_target(saddle_context *context, const char *path, char **target,
                                 char **temporary)
{
    char *real = realpath(path, NULL);
    const char *from = real ? real : path;
    size_t length = strlen(from);
    while (length > 1 && from[length - 1] == '/') length--;
    *target = saddle_allocate(context, (int64_t)length + 1, 1);
    *temporary = saddle_allocate(context, (int64_t)length + 48, 1);
    if (*target) memcpy(*target, from, length);
    free(real);
    return *target && *temporary ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Makes an empty file (returns the descriptor) or folder (returns 0) called target.tmp-PID-NUMBER;
 * -1 and errno on failure. */
static int make_neighbour(const char *target, int folder, char *name)
{
    for (int attempt = 0; attempt < TRIES; attempt++) {
        snprintf(name, strlen(target) + 48, "%s.tmp-%ld-%d", target, (long)getpid(), attempt);
        int made = folder ? mkdir(name, 0777)
                          : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (made >= 0 || errno != EEXIST) return made;
    }
    return -1;
}

/* Exchanges two existing names, in one step where the file system can; -1 and errno on failure. */
static int exchange_names(saddle_context *context, const char *a, const char *b)
{
#ifdef RENAME_EXCHANGE
    if (renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
    size_t size = strlen(a) + 2;
    char *aside = saddle_allocate(context, (int64_t)size, 1);
    if (!aside) return -1;
    snprintf(aside, size, "%s~", a);
    int result = rename(b, aside);
    if (result == 0 && (result = rename(a, b)) != 0) {
        int failed = errno;
        rename(aside, b);
        errno = failed;
    } else if (result == 0) {
        result = rename(aside, a);
    }
    saddle_release(context, aside);
    return result;
}

/* ---- a file ---- */

static void release(saddle__output *output)
{
    saddle__release_all(output->context, output->target, output->temporary, output->buffer);
    memset(output, 0, sizeof *output);
}

static saddle_status cannot_write(const saddle__output *output, int number)
{
    return saddle__fail_errno(output->context, output->target, "cannot be written", number);
}

saddle_status saddle__output_open(saddle_context *context, const char *path, saddle__output *output)
{
    struct stat about;
    *output = (saddle__output){.context = context};
    saddle_status status = name_target(context, path, &output->target, &output->temporary);
    if (status == SADDLE_OK && !(output->buffer = saddle_allocate(context, BUFFER_SIZE, 1)))
        status = SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && stat(output->target, &about) == 0 && !S_ISREG(about.st_mode))
        status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be written: %s", path,
                             S_ISDIR(about.st_mode) ? "a folder of that name exists"
                                                    : "not a regular file");
    if (status == SADDLE_OK) {
        output->descriptor = make_neighbour(output->target, 0, output->temporary);
        if (output->descriptor < 0)
            status = saddle__fail_errno(context, path, "cannot be written", errno);
    }
    if (status != SADDLE_OK) release(output);
    return status;
}

static void put(saddle__output *output, const char *bytes, int64_t count)
{
    while (count > 0 && !output->error) {
        ssize_t done = write(output->descriptor, bytes, (size_t)count);
        if (done > 0) {
            bytes += done;
            count -= done;
        } else if (done == 0 || errno != EINTR) {
            output->error = done == 0 ? EIO : errno;
        }
    }
}

static void flush(saddle__output *output)
{
    put(output, output->buffer, output->used);
    output->used = 0;
}

void saddle__output_bytes(saddle__output *output, const void *bytes, int64_t count)
{
    if (count > BUFFER_SIZE - output->used) flush(output);
    if (count > BUFFER_SIZE) {
        put(output, bytes, count);
        return;
    }
    memcpy(output->buffer + output->used, bytes, (size_t)count);
    output->used += count;
}

void saddle__output_integer(saddle__output *output, int64_t value, const char *after)
{
    char text[SADDLE__NUMBER_SIZE];
    saddle__output_bytes(output, text, saddle__integer_format(value, text));
    saddle__output_text(output, after);
}

void saddle__output_double(saddle__output *output, double value, const char *after)
{
    char text[SADDLE__NUMBER_SIZE];
    saddle__output_bytes(output, text, saddle__number_format(value, text));
    saddle__output_text(output, after);
}

void saddle__output_column(saddle__output *output, const saddle_matrix *A, int64_t j)
{
    int64_t k = A->start[j];
    for (int64_t i = 0; i < A->rows; i++) {
        int stored = k < A->start[j + 1] && A->index[k] == i;
        saddle__output_double(output, stored ? A->value[k] : 0, i + 1 < A->rows ? " " : "\n");
        k += stored;
    }
}

void saddle__output_entries(saddle__output *output, const saddle_matrix *A, int64_t base,
                            const char *before)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            saddle__output_integer(output, A->index[k] + base, " ");
            saddle__output_integer(output, j + base, before);
            saddle__output_double(output, A->value[k], "\n");
        }
}

/* Writes the buffer, unless status is a failure, and closes the file. */
static saddle_status complete(saddle__output *output, saddle_status status)
{
    if (!output->temporary) return status;
    if (status == SADDLE_OK) flush(output);
    if (close(output->descriptor) != 0 && !output->error) output->error = errno;
    return status == SADDLE_OK && output->error ? cannot_write(output, output->error) : status;
}

saddle_status saddle__output_finish(saddle__output *output, saddle_status status)
{
    if (!output->temporary) return status;
    status = complete(output, status);
    if (status == SADDLE_OK && rename(output->temporary, output->target) != 0)
        status = cannot_write(output, errno);
    if (status != SADDLE_OK) unlink(output->temporary);
    release(output);
    return status;
}

saddle_status saddle__output_whole(saddle_context *context, const char *path, const char *text)
{
    saddle__output output;
    saddle_status status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    saddle__output_text(&output, text);
    return saddle__output_finish(&output, status);
}

/* ---- two files ---- */

/* Renames both complete files to their final names.  The first rename exchanges two files, so that
 * a failure of the second can be undone. */
static saddle_status name_both(saddle__output *first, saddle__output *second)
{
    int replaced = exchange_names(first->context, first->temporary, first->target) == 0;
    if (!replaced && errno != ENOENT) return cannot_write(first, errno);
    if (!replaced && rename(first->temporary, first->target) != 0)
        return cannot_write(first, errno);
    if (rename(second->temporary, second->target) == 0) return SADDLE_OK;
    saddle_status status = cannot_write(second, errno);
    if (!replaced) unlink(first->target);
    if (replaced) exchange_names(first->context, first->temporary, first->target);
    return status;
}

saddle_status saddle__pair_open(saddle_context *context, const char *path, const char *mark,
                                saddle__pair *pair)
{
    *pair = (saddle__pair){.matrix = {.context = context}};
    char *beside = saddle__path_beside(context, path, mark);
    saddle_status status = beside ? saddle__output_open(context, beside, &pair->vector)
                                  : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &pair->matrix);
    saddle_release(context, beside);
    return status == SADDLE_OK ? status : saddle__pair_finish(pair, status);
}

saddle_status saddle__pair_finish(saddle__pair *pair, saddle_status status)
{
    saddle__output *vector = &pair->vector, *matrix = &pair->matrix;
    status = complete(vector, status);
    status = complete(matrix, status);
    if (status == SADDLE_OK) status = name_both(vector, matrix);
    if (vector->temporary) unlink(vector->temporary); /* new after a failure, else the old file */
    if (matrix->temporary) unlink(matrix->temporary);
    release(vector);
    release(matrix);
    return status;
}

/* ---- a folder ---- */

typedef struct new_folder {
    saddle_context *context;
    const saddle__folder_kind *kind;
    char *target;    /* the final name, links resolved; owned */
    char *temporary; /* where to write the files; owned */
} new_folder;

static int is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int is_empty(const char *path)
{
    DIR *directory = opendir(path);
    int empty = directory != NULL;
    for (struct dirent *entry; empty && (entry = readdir(directory)) != NULL;)
        empty = is_dots(entry->d_name);
    if (directory) closedir(directory);
    return empty;
}

/* 1: the folder may be replaced, being empty or of the kind.  Another writer may be emptying the
 * folder meanwhile: the answer is 0 only if the name still belongs to the same folder afterwards.
 */
static int may_be_replaced(const new_folder *folder, const struct stat *about)
{
    struct stat before = *about, after;
    for (int attempt = 0; attempt < TRIES; attempt++, before = after) {
        if (folder->kind->recognise(folder->target) || is_empty(folder->target)) return 1;
        if (stat(folder->target, &after) != 0) return errno == ENOENT;
        if (after.st_ino == before.st_ino && after.st_dev == before.st_dev) return 0;
    }
    return 0;
}

/* SADDLE_OK: the target's name is free, or its folder may be replaced. */
static saddle_status examine_target(const new_folder *folder, const char *path)
{
    struct stat about;
    if (stat(folder->target, &about) != 0)
        return errno == ENOENT
                   ? SADDLE_OK
                   : saddle__fail_errno(folder->context, path, "cannot be written", errno);
    if (!S_ISDIR(about.st_mode))
        return saddle_fail(folder->context, SADDLE_FILE_ERROR,
                           "%s: cannot be written: a file of that name exists", path);
    if (may_be_replaced(folder, &about)) return SADDLE_OK;
    return saddle_fail(folder->context, SADDLE_FILE_ERROR,
                       "%s: not replaced: the folder exists and is not %s", path,
                       folder->kind->noun);
}

static void release_folder(new_folder *folder)
{
    saddle__release_all(folder->context, folder->target, folder->temporary);
    memset(folder, 0, sizeof *folder);
}

/* Removes the kind's files and the folder, without allocating; errno, ENOTEMPTY where other files
 * are left, or 0. */
static int remove_kind(const saddle__folder_kind *kind, const char *path)
{
    int place = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place < 0) return errno;
    for (const char *const *name = kind->names; *name; name++) unlinkat(place, *name, 0);
    close(place);
    return rmdir(path) == 0 ? 0 : errno;
}

/* Moves a file into the folder `keep`, which another writer may be replacing; errno or 0. */
static int keep_file(int place, const char *name, const char *keep)
{
    int failed = ENOENT;
    for (int attempt = 0; failed == ENOENT && attempt < TRIES; attempt++) {
        int to = open(keep, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (to < 0) return errno;
        failed = renameat(place, name, to, name) == 0 ? 0 : errno;
        close(to);
    }
    return failed;
}

/* Removes a replaced folder and the kind's files in it; other files are moved into `keep`.  errno
 * or 0. The folder is opened again for each file: the result of readdir after a removal is
 * unspecified. */
static int dissolve(const saddle__folder_kind *kind, const char *path, const char *keep)
{
    int failed;
    while ((failed = remove_kind(kind, path)) == ENOTEMPTY || failed == EEXIST) {
        DIR *directory = opendir(path);
        struct dirent *entry;
        if (!directory) return errno;
        while ((entry = readdir(directory)) != NULL && is_dots(entry->d_name)) continue;
        failed = entry ? keep_file(dirfd(directory), entry->d_name, keep) : 0;
        closedir(directory);
        if (failed) return failed;
    }
    return failed;
}

/* The folder gets its name, or is exchanged with the folder of that name; tried again where another
 * writer was faster. */
static saddle_status name_folder(new_folder *folder)
{
    for (int attempt = 0; attempt < TRIES; attempt++) {
        if (rename(folder->temporary, folder->target) == 0) return SADDLE_OK;
        if (errno != ENOTEMPTY && errno != EEXIST)
            return saddle__fail_errno(folder->context, folder->target, "cannot be written", errno);
        saddle_status status = examine_target(folder, folder->target);
        if (status != SADDLE_OK) return status;
        if (exchange_names(folder->context, folder->temporary, folder->target) == 0) {
            int failed = dissolve(folder->kind, folder->temporary, folder->target);
            if (failed)
                status = saddle__fail_errno(folder->context, folder->temporary,
                                            "the replaced folder cannot be removed", failed);
            folder->temporary[0] = 0;
            return status;
        }
        if (errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST)
            return saddle__fail_errno(folder->context, folder->target, "cannot be replaced", errno);
    }
    return saddle_fail(folder->context, SADDLE_FILE_ERROR,
                       "%s: cannot be replaced: too many writers at once", folder->target);
}

/* As for a file.  Messages of the folder's writers name the target, not its temporary neighbour. */
static saddle_status finish_folder(new_folder *folder, saddle_status status)
{
    char text[1024];
    const char *said = saddle_context_message(folder->context);
    size_t length = strlen(folder->temporary);
    if (status == SADDLE_OK) status = name_folder(folder);
    if (status != SADDLE_OK && folder->temporary[0])
        (void)remove_kind(folder->kind, folder->temporary);
    if (status != SADDLE_OK && folder->temporary[0] &&
        strncmp(said, folder->temporary, length) == 0) {
        (void)snprintf(text, sizeof text, "%s%s", folder->target, said + length);
        status = saddle_fail(folder->context, status, "%s", text);
    }
    release_folder(folder);
    return status;
}

saddle_status saddle__folder_write(saddle_context *context, const char *path,
                                   const saddle__folder_kind *kind, const void *user)
{
    new_folder folder = {.context = context, .kind = kind};
    saddle_status status = name_target(context, path, &folder.target, &folder.temporary);
    if (status == SADDLE_OK) status = examine_target(&folder, path);
    if (status == SADDLE_OK && make_neighbour(folder.target, 1, folder.temporary) != 0)
        status = saddle__fail_errno(context, path, "cannot be written", errno);
    if (status != SADDLE_OK) {
        release_folder(&folder);
        return status;
    }
    for (int k = 0; user && status == SADDLE_OK && kind->names[k]; k++) {
        char *file = saddle__path_join(context, folder.temporary, kind->names[k]);
        status = file ? kind->write(context, user, k, file) : SADDLE_OUT_OF_MEMORY;
        saddle_release(context, file);
    }
    if (user) return finish_folder(&folder, status);
    (void)finish_folder(&folder, SADDLE_STOPPED);
    return SADDLE_OK;
}
