/* SPDX-License-Identifier: MIT */
/* Temporary neighbours and renames: see atomic.h.  rename() replaces a file, and an empty folder, in one step; a folder
 * that is not empty is first moved aside and moved back should the second rename fail. */
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

saddle_status saddle__fail_errno(saddle_context *context, const char *path, const char *what, int number)
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

/* Makes an empty file (returns its descriptor) or folder (returns 0) called target.tmp-PID-NUMBER; -1: see errno. */
static int make_neighbour(const char *target, int folder, char *name, size_t size)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, size, "%s.tmp-%ld-%d", target, (long)getpid(), attempt);
        int made = folder ? mkdir(name, 0777) : open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (made >= 0 || errno != EEXIST) return made;
    }
    return -1;
}

static char *neighbour_room(saddle_context *context, const char *target, size_t *size)
{
    *size = strlen(target) + 48;
    return saddle_allocate(context, (int64_t)*size, 1);
}

/* ---- a file ---------------------------------------------------------------------------------------------------- */

static void release_file(saddle__new_file *file)
{
    saddle_release(file->context, file->target);
    saddle_release(file->context, file->temporary);
    memset(file, 0, sizeof *file);
}

saddle_status saddle__new_file_begin(saddle_context *context, const char *path, saddle__new_file *file)
{
    *file = (saddle__new_file){.context = context, .target = resolve(context, path)};
    size_t size = 0;
    if (file->target) file->temporary = neighbour_room(context, file->target, &size);
    saddle_status status = file->temporary ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    struct stat about;
    if (status == SADDLE_OK && stat(file->target, &about) == 0 && !S_ISREG(about.st_mode))
        status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be written: %s", path,
                             S_ISDIR(about.st_mode) ? "a folder of that name exists" : "not a regular file");
    if (status == SADDLE_OK) {
        file->descriptor = make_neighbour(file->target, 0, file->temporary, size);
        if (file->descriptor < 0) status = saddle__fail_errno(context, path, "cannot be written", errno);
    }
    if (status != SADDLE_OK) release_file(file);
    return status;
}

saddle_status saddle__new_file_finish(saddle__new_file *file, saddle_status status)
{
    if (!file->temporary) return status;
    if (close(file->descriptor) != 0 && status == SADDLE_OK)
        status = saddle__fail_errno(file->context, file->target, "cannot be written", errno);
    if (status == SADDLE_OK && rename(file->temporary, file->target) != 0)
        status = saddle__fail_errno(file->context, file->target, "cannot be written", errno);
    if (status != SADDLE_OK) unlink(file->temporary);
    release_file(file);
    return status;
}

/* ---- a folder -------------------------------------------------------------------------------------------------- */

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
    for (struct dirent *entry; empty && (entry = readdir(directory)) != NULL;) empty = is_dots(entry->d_name);
    if (directory) closedir(directory);
    return empty;
}

/* What stands under the target's name now. */
static saddle_status examine_target(saddle__new_folder *folder, const char *path)
{
    struct stat about;
    if (stat(folder->target, &about) != 0)
        return errno == ENOENT ? SADDLE_OK : saddle__fail_errno(folder->context, path, "cannot be written", errno);
    if (!S_ISDIR(about.st_mode))
        return saddle_fail(folder->context, SADDLE_FILE_ERROR, "%s: cannot be written: a file of that name exists",
                           path);
    folder->replaces = folder->kind->recognise(folder->target);
    if (folder->replaces || is_empty(folder->target)) return SADDLE_OK;
    return saddle_fail(folder->context, SADDLE_FILE_ERROR, "%s: not replaced: the folder exists and is not %s", path,
                       folder->kind->noun);
}

saddle_status saddle__new_folder_begin(saddle_context *context, const char *path, const saddle__folder_kind *kind,
                                       saddle__new_folder *folder)
{
    *folder = (saddle__new_folder){.context = context, .kind = kind, .target = resolve(context, path)};
    size_t size = 0;
    if (folder->target) folder->temporary = neighbour_room(context, folder->target, &size);
    saddle_status status = folder->temporary ? examine_target(folder, path) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && make_neighbour(folder->target, 1, folder->temporary, size) != 0)
        status = saddle__fail_errno(context, path, "cannot be written", errno);
    if (status != SADDLE_OK) release_folder(folder);
    return status;
}

static int is_of_kind(const saddle__folder_kind *kind, const char *name)
{
    for (const char *const *known = kind->names; *known; known++)
        if (strcmp(*known, name) == 0) return 1;
    return 0;
}

/* Empties a folder of the kind's files, moves others into `keep`, and removes it; 0 when done, else errno.  The folder
 * is opened again for each entry: what readdir returns after a removal is unspecified. */
static int dissolve(const saddle__folder_kind *kind, const char *path, const char *keep)
{
    int to = open(keep, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (to < 0) return errno;
    int failed = 0, empty = 0;
    while (!failed && !empty) {
        DIR *directory = opendir(path);
        if (!directory) {
            failed = errno;
            break;
        }
        struct dirent *entry;
        while ((entry = readdir(directory)) != NULL && is_dots(entry->d_name)) continue;
        if (!entry)
            empty = 1;
        else if (is_of_kind(kind, entry->d_name))
            failed = unlinkat(dirfd(directory), entry->d_name, 0) == 0 ? 0 : errno;
        else
            failed = renameat(dirfd(directory), entry->d_name, to, entry->d_name) == 0 ? 0 : errno;
        closedir(directory);
    }
    close(to);
    return failed ? failed : rmdir(path) == 0 ? 0 : errno;
}

/* The old folder steps aside, the new one takes its name, what the old one held besides follows. */
static saddle_status replace(saddle__new_folder *folder)
{
    size_t size;
    saddle_context *context = folder->context;
    char *aside = neighbour_room(context, folder->target, &size);
    if (!aside) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = SADDLE_OK;
    if (make_neighbour(folder->target, 1, aside, size) != 0) {
        status = saddle__fail_errno(context, folder->target, "cannot be replaced", errno);
    } else if (rename(folder->target, aside) != 0) {
        status = saddle__fail_errno(context, folder->target, "cannot be replaced", errno);
        rmdir(aside);
    } else if (rename(folder->temporary, folder->target) != 0) {
        status = saddle__fail_errno(context, folder->target, "cannot be replaced", errno);
        if (rename(aside, folder->target) != 0)
            status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be replaced, and what it was is now %s",
                                 folder->target, aside);
    } else {
        folder->temporary[0] = 0;
        int failed = dissolve(folder->kind, aside, folder->target);
        if (failed) status = saddle__fail_errno(context, aside, "the replaced folder cannot be removed", failed);
    }
    saddle_release(context, aside);
    return status;
}

/* Without memory for names: every file is one of the kind's, written by us. */
static void remove_temporary(const saddle__new_folder *folder)
{
    int place = open(folder->temporary, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place < 0) return;
    for (const char *const *name = folder->kind->names; *name; name++) unlinkat(place, *name, 0);
    close(place);
    rmdir(folder->temporary);
}

saddle_status saddle__new_folder_finish(saddle__new_folder *folder, saddle_status status)
{
    if (!folder->temporary) return status;
    if (status == SADDLE_OK && folder->replaces)
        status = replace(folder);
    else if (status == SADDLE_OK && rename(folder->temporary, folder->target) != 0)
        status = saddle__fail_errno(folder->context, folder->target, "cannot be written", errno);
    if (status != SADDLE_OK && folder->temporary[0]) remove_temporary(folder);
    release_folder(folder);
    return status;
}
