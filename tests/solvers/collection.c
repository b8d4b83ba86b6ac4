/* SPDX-License-Identifier: MIT */
/* See collection.h. */
#include "collection.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text);
    return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static char *join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    assert_non_null(path);
    (void)snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static void add(collection *all, char *path, char *rhs)
{
    size_t bytes = (size_t)(all->count + 1) * sizeof *all->path;
    all->path = realloc(all->path, bytes);
    all->rhs = realloc(all->rhs, bytes);
    assert_true(all->path && all->rhs);
    all->path[all->count] = path;
    all->rhs[all->count++] = rhs;
}

/* The right-hand side beside a matrix: X.rhs of X.mtx, q_X of M_X and so on; malloc'ed, NULL when
 * there is none. */
static char *rhs_beside(const char *folder, const char *name)
{
    static const char *const pairs[][2] = {
        {"MM_mmc.dat", "qq_mmc.dat"},
        {"MM_mmc_mu2.dat", "qq_mmc_mu2.dat"},
        {"M_bille20mu.dat", "q_bille20mu.dat"},
        {"Mlem.dat", "qlem.dat"},
        {"matrix_ACTIVSg200_AC_10.mtx", "rhs_ACTIVSg200_AC_10.mtx"},
        {"matrix_ACTIVSg200_AC_renumbered_add9_01.mtx",
         "rhs_ACTIVSg200_AC_renumbered_add9_ones_01.mtx"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(name, pairs[i][0]) == 0) return join(folder, pairs[i][1]);
    if (!ends_with(name, ".mtx")) return NULL;
    char *path = join(folder, name);
    memcpy(path + strlen(path) - 4, ".rhs", 4);
    struct stat info;
    if (stat(path, &info) == 0) return path;
    free(path);
    return NULL;
}

/* Right-hand sides, solutions and texts are no problems of their own. */
static int is_problem(const char *name)
{
    if (name[0] == '.' || ends_with(name, ".rhs") || ends_with(name, ".sol") ||
        ends_with(name, ".md"))
        return 0;
    return strncmp(name, "rhs_", 4) != 0 && strncmp(name, "q_", 2) != 0 &&
           strncmp(name, "qq_", 3) != 0 && strcmp(name, "qlem.dat") != 0 &&
           strcmp(name, "sets") != 0; /* lists of problems */
}

/* An unreduced problem, which is another one without its attachments. */
static int has_attachments(const char *folder, const char *name)
{
    struct stat info;
    char *bundle = join(folder, name), *path = join(bundle, "attachments.mtx");
    int found = stat(path, &info) == 0;
    free(bundle);
    free(path);
    return found;
}

static void add_folder(collection *all, const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) fail_msg("cannot read folder %s", folder);
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (is_problem(name) && !has_attachments(folder, name))
            add(all, join(folder, name), rhs_beside(folder, name));
        free(entries[i]);
    }
    free(entries);
}

collection collection_of_bundles(void)
{
    collection all = {0};
    add_folder(&all, SADDLE_SOURCE_DIR "/data");
    return all;
}

collection collection_of_public_problems(void)
{
    static const char *const folders[] = {
        "fc2d_siconos",  "fc3d_siconos", "fclib_hdf5",      "gfc3d_siconos",   "gmp_siconos",
        "kkt_acopf",     "kkt_qdldl",    "kkt_sqd",         "kkt_suitesparse", "lcp_artisynth",
        "lcp_drake",     "lcp_siconos",  "lcp_siconos_old", "mlcp_siconos",    "nm_siconos",
        "relay_siconos", "rfc_siconos",
    };
    collection all = {0};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        add_folder(&all, test_data_path(folders[i]));
    return all;
}

void collection_clear(collection *all)
{
    for (int64_t i = 0; i < all->count; i++) {
        free(all->path[i]);
        free(all->rhs[i]);
    }
    free(all->path);
    free(all->rhs);
    memset(all, 0, sizeof *all);
}

const char *collection_short_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    while (slash && slash > path && slash[-1] != '/') slash--;
    return slash ? slash : path;
}
