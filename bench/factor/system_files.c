/* SPDX-License-Identifier: MIT */
/* Files as systems: the bundles of data/, and all files of the shared data that the project reads:
 * bare matrices, Delassus operators and global systems of contact problems, their rows taken as
 * equations. Other files are listed too, with the reason why they are skipped. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "factor/systems.h"

enum { PATH_SIZE = 4096, NAME_SIZE = 1024 };

/* Folders without systems. */
static const char *const others[][2] = {
    {"fc3d_contactbench", "an archive of NumPy's, which the project does not read"},
    {"mbs_ref", "trajectories"},
    {"models_mjcf", "models of mechanisms"},
    {"models_osim", "models of mechanisms"},
    {"qp_marosmeszaros", "archives of MATLAB's, which the project does not read"},
    {"ref_solutions", "answers"},
};

static int is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

static int is_there(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static int append_file(system_list *list, const char *name, const char *path, int shared)
{
    system_line line = {.family = "", .shared = shared, .path = malloc(strlen(path) + 1)};
    if (line.path == NULL) return 1;
    strcpy(line.path, path);
    snprintf(line.name, sizeof line.name, "%.90s", name);
    if (system_list_append(list, &line) == 0) return 0;
    free(line.path);
    return 1;
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int begins(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

static int ends(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

/* Right-hand sides and solutions beside matrices. */
static int is_vector(const char *name)
{
    return ends(name, ".rhs") || ends(name, ".sol") || begins(name, "rhs_") ||
           begins(name, "rho_delta") || begins(name, "q_") || begins(name, "qq_") ||
           begins(name, "qlem");
}

/* The files of a folder, and of folders within, named FOLDER/FILE without .mtx. */
static int append_folder(system_list *list, const char *root, const char *folder)
{
    char path[PATH_SIZE], name[NAME_SIZE];
    struct dirent **entry;
    snprintf(path, sizeof path, "%s/%s", root, folder);
    int failed = 0, count = scandir(path, &entry, not_hidden, alphasort);
    for (int k = 0; k < count; k++) {
        const char *file = entry[k]->d_name;
        int length = (int)strlen(file) - (ends(file, ".mtx") ? 4 : 0);
        snprintf(path, sizeof path, "%s/%s/%s", root, folder, file);
        snprintf(name, sizeof name, "%s/%.*s", folder, length, file);
        if (is_folder(path))
            failed |= append_folder(list, root, name);
        else if (!is_vector(file))
            failed |= append_file(list, name, path, 1);
        free(entry[k]);
    }
    if (count >= 0) free(entry);
    return failed;
}

static const char *why_not(const char *folder)
{
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        if (strcmp(folder, others[k][0]) == 0) return others[k][1];
    return NULL;
}

static int append_entry(system_list *list, const char *root, const char *name, int shared)
{
    char path[PATH_SIZE];
    system_line line = {.family = "", .shared = shared, .why = shared ? why_not(name) : NULL};
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (!is_folder(path)) return 0;
    if (line.why != NULL) {
        snprintf(line.name, sizeof line.name, "%.90s", name);
        return system_list_append(list, &line);
    }
    if (shared) return append_folder(list, root, name);
    snprintf(path, sizeof path, "%s/%s/problem.json", root, name);
    if (!is_there(path)) return 0;
    snprintf(path, sizeof path, "%s/%s", root, name);
    snprintf(line.name, sizeof line.name, "data/%.80s", name);
    return append_file(list, line.name, path, 0);
}

int system_files_append(system_list *list, const char *root, int shared)
{
    struct dirent **entry;
    int failed = 0, count = scandir(root, &entry, not_hidden, alphasort);
    if (count < 0) {
        snprintf(list->missing, sizeof list->missing, "%s", root);
        return 0;
    }
    for (int k = 0; k < count; k++) {
        failed |= append_entry(list, root, entry[k]->d_name, shared);
        free(entry[k]);
    }
    free(entry);
    return failed;
}
