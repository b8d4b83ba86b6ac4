/* SPDX-License-Identifier: MIT */
/* Temporary neighbours and renames: see atomic.h.  rename() replaces a file, and an empty folder,
 * in one step.  A folder that is not empty is exchanged with the new one in one step; where the
 * system cannot do that, the old one is first moved aside, and moved back should the second rename
 * fail. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "files/atomic.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ATTEMPTS 1000 /* at a name not in use */

saddle_status saddle__fail_errno(saddle_context *context, const char *path, const char *what,
                                 int number)
{
    char text[128];
    if (strerror_r(number, text, sizeof text) != 0) snprintf(text, sizeof text, "error %d", number);
    return saddle_fail(context, SADDLE_FILE_ERROR, "%s: %s: %s", path, what, text);
}

char *saddle__path_join(saddle_context *context, const char *folder, const char *name)
{
    size_t length = strlen(folder), more = strlen(name);
    int slash = length > 0 && folder[length - 1] != '/';
    char *path = saddle_allocate(context, (int64_t)(length + more + 2), 1);
    if (!path) return NULL;
    memcpy(path, folder, length);
    if (slash) path[length] = '/';
    memcpy(path + length + (size_t)slash, name, more);
    return path;
}

/* Where a path leads: links resolved if it exists, else without the slashes at its end. */
static char *resolve(saddle_context *context, const char *path)
{
    char *real = realpath(path, NULL);
    const char *from = real ? real : path;
    size_t length = strlen(from);
    while (length > 1 && from[length - 1] == '/') length--;
    char *copy = saddle_allocate(context, (int64_t)length + 1, 1);
    if (copy) memcpy(copy, from, length);
    free(real);
    return copy;
}

/* Makes an empty file (returns its descriptor) or folder (returns 0) called target.tmp-PID-NUMBER;
 * -1: see errno. */
static int make_neighbour(const char *target, int folder, char *name, size_t size)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, size, "%s.tmp-%ld-%d", target, (long)getpid(), attempt);
        int made = folder ? mkdir(name, 0777)
                          : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (made >= 0 || errno != EEXIST) return made;
    }
    return -1;
}

static char *neighbour_room(saddle_context *context, const char *target, size_t *size)
{
    *size = strlen(target) + 48;
    return saddle_allocate(context, (int64_t)*size, 1);
}

/* ---- a file ---- */

static void release_file(saddle__new_file *file)
{
    saddle_release(file->context, file->target);
    saddle_release(file->context, file->temporary);
    memset(file, 0, sizeof *file);
}

saddle_status saddle__new_file_begin(saddle_context *context, const char *path,
                                     saddle__new_file *file)
{
    *file = (saddle__new_file){.context = context, .target = resolve(context, path)};
    size_t size = 0;
    if (file->target) file->temporary = neighbour_room(context, file->target, &size);
    saddle_status status = file->temporary ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    struct stat about;
    if (status == SADDLE_OK && stat(file->target, &about) == 0 && !S_ISREG(about.st_mode))
        status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be written: %s", path,
                             S_ISDIR(about.st_mode) ? "a folder of that name exists"
                                                    : "not a regular file");
    if (status == SADDLE_OK) {
        file->descriptor = make_neighbour(file->target, 0, file->temporary, size);
        if (file->descriptor < 0)
            status = saddle__fail_errno(context, path, "cannot be written", errno);
    }
    if (status != SADDLE_OK) release_file(file);
    return status;
}

static saddle_status close_file(saddle__new_file *file, saddle_status status)
{
    if (file->temporary && close(file->descriptor) != 0 && status == SADDLE_OK)
        status = saddle__fail_errno(file->context, file->target, "cannot be written", errno);
    return status;
}

static saddle_status take_name(saddle__new_file *file)
{
    if (rename(file->temporary, file->target) == 0) return SADDLE_OK;
    return saddle__fail_errno(file->context, file->target, "cannot be written", errno);
}

static saddle_status end_file(saddle__new_file *file, saddle_status status)
{
    if (file->temporary && status != SADDLE_OK)
        unlink(file->temporary); /* gone where it has got its name */
    release_file(file);
    return status;
}

saddle_status saddle__new_file_finish(saddle__new_file *file, saddle_status status)
{
    if (!file->temporary) return status;
    status = close_file(file, status);
    if (status == SADDLE_OK) status = take_name(file);
    return end_file(file, status);
}

/* aside[size]: a second name for the file that is under target, "" where there is none.  Where the
 * file system knows no second names, the file is moved there.  0, or errno. */
static int set_aside(const char *target, char *aside, size_t size)
{
    int file = make_neighbour(target, 0, aside, size);
    if (file < 0) return errno;
    close(file);
    unlink(aside);
    if (link(target, aside) == 0 || (errno != ENOENT && rename(target, aside) == 0)) return 0;
    aside[0] = 0;
    return errno == ENOENT ? 0 : errno;
}

saddle_status saddle__new_file_finish_pair(saddle__new_file *first, saddle__new_file *second,
                                           saddle_status status)
{
    saddle_context *context = first->context;
    size_t size = 0;
    char *aside = NULL;
    status = close_file(first, status);
    status = close_file(second, status);
    if (status == SADDLE_OK && !(aside = neighbour_room(context, first->target, &size)))
        status = SADDLE_OUT_OF_MEMORY;
    int failed = status == SADDLE_OK ? set_aside(first->target, aside, size) : 0;
    if (failed) status = saddle__fail_errno(context, first->target, "cannot be replaced", failed);
    if (status == SADDLE_OK) status = take_name(first);
    if (status == SADDLE_OK && (status = take_name(second)) != SADDLE_OK && !aside[0])
        unlink(first->target);
    if (aside && aside[0] && status != SADDLE_OK && rename(aside, first->target) != 0)
        status = saddle_fail(context, SADDLE_FILE_ERROR,
                             "%s: cannot be replaced, and what it was is now %s", first->target,
                             aside);
    else if (aside && aside[0])
        unlink(aside);
    saddle_release(context, aside);
    status = end_file(first, status);
    return end_file(second, status);
}

/* ---- a folder ---- */

static void release_folder(saddle__new_folder *folder)
{
    saddle_release(folder->context, folder->target);
    saddle_release(folder->context, folder->temporary);
    memset(folder, 0, sizeof *folder);
}

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

/* 1 where the folder may be replaced: empty, or of the kind.  Another writer may be taking apart
 * the folder that was looked into: the answer is no only where the same folder still has the
 * name. */
static int may_be_replaced(const saddle__new_folder *folder, const struct stat *about)
{
    struct stat before = *about, after;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++, before = after) {
        if (folder->kind->recognise(folder->target) || is_empty(folder->target)) return 1;
        if (stat(folder->target, &after) != 0) return errno == ENOENT;
        if (after.st_ino == before.st_ino && after.st_dev == before.st_dev) return 0;
    }
    return 0;
}

/* What stands under the target's name now. */
static saddle_status examine_target(saddle__new_folder *folder, const char *path)
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

saddle_status saddle__new_folder_begin(saddle_context *context, const char *path,
                                       const saddle__folder_kind *kind, saddle__new_folder *folder)
{
    *folder = (saddle__new_folder){.context = context,
                                   .kind = kind,
                                   .target = resolve(context, path)};
    size_t size = 0;
    if (folder->target) folder->temporary = neighbour_room(context, folder->target, &size);
    saddle_status status = folder->temporary ? examine_target(folder, path) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && make_neighbour(folder->target, 1, folder->temporary, size) != 0)
        status = saddle__fail_errno(context, path, "cannot be written", errno);
    if (status != SADDLE_OK) release_folder(folder);
    return status;
}

/* Without memory for names: removes the kind's files and the folder, which may hold others; 0 when
 * done, else errno. */
static int remove_kind(const saddle__folder_kind *kind, const char *path)
{
    int place = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place < 0) return errno;
    for (const char *const *name = kind->names; *name; name++) unlinkat(place, *name, 0);
    close(place);
    return rmdir(path) == 0 ? 0 : errno;
}

/* Moves a file into the folder `keep`, which another writer may be replacing; 0 when done, else
 * errno. */
static int keep_file(int place, const char *name, const char *keep)
{
    int failed = ENOENT;
    for (int attempt = 0; failed == ENOENT && attempt < ATTEMPTS; attempt++) {
        int to = open(keep, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (to < 0) return errno;
        failed = renameat(place, name, to, name) == 0 ? 0 : errno;
        close(to);
    }
    return failed;
}

/* Empties a folder of the kind's files, moves others into `keep`, and removes it; 0 when done, else
 * errno.  The folder is opened again for each entry: what readdir returns after a removal is
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

static saddle_status dissolve_old(saddle__new_folder *folder, const char *old)
{
    int failed = dissolve(folder->kind, old, folder->target);
    if (!failed) return SADDLE_OK;
    return saddle__fail_errno(folder->context, old, "the replaced folder cannot be removed",
                              failed);
}

/* Without an exchange in one step: the old folder steps aside, the new one takes its name, what the
 * old one held besides follows.  *done: 0 where another writer was faster, and all is to be tried
 * again. */
static saddle_status replace_in_steps(saddle__new_folder *folder, int *done)
{
    size_t size;
    saddle_context *context = folder->context;
    char *aside = neighbour_room(context, folder->target, &size);
    saddle_status status = SADDLE_OK;
    if (!aside) return SADDLE_OUT_OF_MEMORY;
    *done = 0;
    if (make_neighbour(folder->target, 1, aside, size) != 0) {
        status = saddle__fail_errno(context, folder->target, "cannot be replaced", errno);
    } else if (rename(folder->target, aside) != 0) {
        int failed = errno;
        rmdir(aside);
        if (failed != ENOENT)
            status = saddle__fail_errno(context, folder->target, "cannot be replaced", failed);
    } else if (rename(folder->temporary, folder->target) == 0) {
        *done = 1;
        status = dissolve_old(folder, aside);
    } else if (errno == ENOTEMPTY || errno == EEXIST) {
        status = dissolve_old(folder, aside); /* into the other writer's */
    } else {
        status = saddle__fail_errno(context, folder->target, "cannot be replaced", errno);
        if (rename(aside, folder->target) != 0)
            status = saddle_fail(context, SADDLE_FILE_ERROR,
                                 "%s: cannot be replaced, and what it was is now %s",
                                 folder->target, aside);
    }
    saddle_release(context, aside);
    return status;
}

/* The folder gets its name, or is exchanged with the one that has it; again where another writer
 * was faster. */
static saddle_status take_folder_name(saddle__new_folder *folder)
{
    saddle_status status = SADDLE_OK;
    int done = 0;
    for (int attempt = 0; status == SADDLE_OK && !done && attempt < ATTEMPTS; attempt++) {
        if (rename(folder->temporary, folder->target) == 0) return SADDLE_OK;
        if (errno != ENOTEMPTY && errno != EEXIST)
            return saddle__fail_errno(folder->context, folder->target, "cannot be written", errno);
        status = examine_target(folder, folder->target);
        if (status != SADDLE_OK) return status;
        if (saddle__exchange_names(folder->temporary, folder->target) == 0) {
            status = dissolve_old(folder, folder->temporary);
            folder->temporary[0] = 0;
            return status;
        }
        if (errno != ENOENT) status = replace_in_steps(folder, &done);
    }
    if (done) folder->temporary[0] = 0;
    if (status == SADDLE_OK && !done)
        return saddle_fail(folder->context, SADDLE_FILE_ERROR,
                           "%s: cannot be replaced: too many writers at once", folder->target);
    return status;
}

saddle_status saddle__new_folder_finish(saddle__new_folder *folder, saddle_status status)
{
    if (!folder->temporary) return status;
    if (status == SADDLE_OK) status = take_folder_name(folder);
    if (status != SADDLE_OK && folder->temporary[0])
        (void)remove_kind(folder->kind, folder->temporary);
    release_folder(folder);
    return status;
}
