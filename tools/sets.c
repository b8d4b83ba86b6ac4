/* SPDX-License-Identifier: MIT */
/* See sets.h. */
#include "sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "files/text.h"
#include "problem/problem_internal.h"

typedef struct set_file {
    tool_set *set;
    const char *path; /* of the file */
    char *format, *name;
    int64_t version, first; /* first: the set's entries before */
} set_file;

typedef struct listed {
    char *path, *difficulty, *family;
} listed;

static saddle_status append(tool_set *set, char *path, const char *name, const char *difficulty,
                            const char *family)
{
    saddle_context *context = set->context;
    tool_set_entry entry = {.path = path,
                            .set = saddle__copy_text(context, name),
                            .difficulty = saddle__copy_text(context, difficulty),
                            .family = saddle__copy_text(context, family)};
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (entry.path && entry.set && entry.difficulty && entry.family)
        status = saddle__reserve(context, &set->entry, &set->room, set->count + 1, sizeof entry);
    if (status)
        saddle__release_all(context, entry.path, entry.set, entry.difficulty, entry.family);
    else
        set->entry[set->count++] = entry;
    return status;
}

/* The path that an entry stands for; NULL where there is no memory, or *absent. */
static char *resolve(const set_file *file, const char *path, int *absent)
{
    static const char mark[] = "data:";
    saddle_context *context = file->set->context;
    const char *root = getenv("SADDLE_DATA");
    char *folder = NULL, *whole;
    *absent = 0;
    if (strncmp(path, mark, sizeof mark - 1) == 0) {
        whole = root ? saddle__path_join(context, root, path + sizeof mark - 1) : NULL;
        *absent = !root || (whole && access(whole, F_OK) != 0);
        if (*absent) saddle_release(context, whole);
        return *absent ? NULL : whole;
    }
    if (path[0] == '/') return saddle__copy_text(context, path);
    folder = saddle__folder_of(context, file->path);
    whole = folder ? saddle__path_join(context, folder, path) : NULL;
    saddle_release(context, folder);
    return whole;
}

static saddle_status add_listed(saddle__scan *scan, const char *place, const set_file *file,
                                const listed *one)
{
    int absent = 0;
    if (!one->path || !one->path[0]) return saddle__scan_fail_at(scan, place, "an empty \"path\"");
    char *path = resolve(file, one->path, &absent);
    file->set->absent += absent;
    if (absent) return SADDLE_OK;
    if (!path) return SADDLE_OUT_OF_MEMORY;
    return append(file->set, path, "", one->difficulty ? one->difficulty : "",
                  one->family ? one->family : "");
}

static const saddle__json_field entry_keys[] = {
    {"path", SADDLE__JSON_STRING, offsetof(listed, path), .required = 1},
    {"difficulty", SADDLE__JSON_STRING, offsetof(listed, difficulty), .required = 0},
    {"family", SADDLE__JSON_STRING, offsetof(listed, family), .required = 0},
    {.key = NULL},
};

static saddle_status read_problems(saddle__scan *scan, const char *what, void *object)
{
    const set_file *file = object;
    saddle__json_walk walk;
    int more = 0;
    saddle_status status = saddle__json_open(scan, what, '[', &walk);
    while (status == SADDLE_OK && (status = saddle__json_step(&walk, &more)) == SADDLE_OK && more) {
        listed one = {0};
        const char *place = scan->at;
        status = saddle__json_object(scan, "the problem", entry_keys, &one, NULL);
        if (status == SADDLE_OK) status = add_listed(scan, place, file, &one);
        saddle__release_all(scan->context, one.path, one.difficulty, one.family);
    }
    return status;
}

static const saddle__json_field set_keys[] = {
    {"format", SADDLE__JSON_STRING, offsetof(set_file, format), .required = 1},
    {"version", SADDLE__JSON_SIZE, offsetof(set_file, version), .required = 1},
    {"name", SADDLE__JSON_STRING, offsetof(set_file, name), .required = 1},
    {"problems", SADDLE__JSON_OWN, 0, .required = 1, .read = read_problems},
    {.key = NULL},
};

/* The set's name goes to the entries behind the object, where it is known wherever it stood. */
static saddle_status name_entries(const set_file *file)
{
    tool_set *set = file->set;
    for (int64_t k = file->first; k < set->count; k++) {
        char *name = saddle__copy_text(set->context, file->name);
        if (!name) return SADDLE_OUT_OF_MEMORY;
        saddle_release(set->context, set->entry[k].set);
        set->entry[k].set = name;
    }
    return SADDLE_OK;
}

/* 1: a regular file that begins as a set does. */
static int is_set(const char *path)
{
    static const char *const words[] = {"{", "\"format\"", ":", "\"saddle-set\""};
    struct stat about;
    char text[256] = "";
    const char *at = text;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return 0;
    FILE *file = fopen(path, "rb");
    if (!file) return 0;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        at += strspn(at, " \t\r\n");
        if (strncmp(at, words[k], strlen(words[k])) != 0) return 0;
        at += strlen(words[k]);
    }
    return 1;
}

saddle_status tool_set_add(saddle_context *context, const char *argument, tool_set *set)
{
    saddle__scan scan = {0};
    set_file file = {.set = set, .path = argument, .first = set->count};
    set->context = context;
    if (!is_set(argument)) return append(set, saddle__copy_text(context, argument), "", "", "");
    saddle_status status = saddle__scan_open(context, argument, &scan);
    if (status == SADDLE_OK) status = saddle__json_object(&scan, "the file", set_keys, &file, NULL);
    if (status == SADDLE_OK) status = saddle__json_end(&scan);
    if (status == SADDLE_OK && file.version != 1)
        status = saddle_fail(context, SADDLE_BAD_FILE, "%s: version %lld of sets is unknown",
                             argument, (long long)file.version);
    if (status == SADDLE_OK && !file.name)
        status = saddle_fail(context, SADDLE_BAD_FILE, "%s: \"name\" is null", argument);
    if (status == SADDLE_OK) status = name_entries(&file);
    saddle__release_all(context, file.format, file.name);
    saddle__scan_close(&scan);
    return status;
}

void tool_set_clear(tool_set *set)
{
    for (int64_t k = 0; k < set->count; k++) {
        const tool_set_entry *entry = &set->entry[k];
        saddle__release_all(set->context, entry->path, entry->set, entry->difficulty,
                            entry->family);
    }
    saddle_release(set->context, set->entry);
    *set = (tool_set){0};
}
