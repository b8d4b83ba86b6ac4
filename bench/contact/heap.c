/* SPDX-License-Identifier: MIT */
/* Heaps of spheres: the script sphere_heap.py writes a bundle into a temporary folder. */
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contact/problems.h"
#include "data_path.h"

extern char **environ;

/* Nonzero: the script is absent or failed. */
static int run_script(int64_t spheres, char *folder)
{
    char count[24], script[1100];
    snprintf(count, sizeof count, "%" PRId64, spheres);
    snprintf(script, sizeof script, "%s", bench_data_path("../generators/sphere_heap.py"));
    char *const arguments[] = {script, count, folder, NULL};
    posix_spawn_file_actions_t quiet; /* the script prints the number of contacts */
    pid_t child;
    int state = 0;
    if (posix_spawn_file_actions_init(&quiet) != 0) return 1;
    int failed = posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY,
                                                  0) != 0 ||
                 posix_spawn(&child, script, &quiet, NULL, arguments, environ) != 0;
    (void)posix_spawn_file_actions_destroy(&quiet);
    return failed || waitpid(child, &state, 0) != child || !WIFEXITED(state) ||
           WEXITSTATUS(state) != 0;
}

/* The folder and its files. */
static void remove_bundle(const char *folder)
{
    struct dirent **entry;
    char path[600];
    int count = scandir(folder, &entry, NULL, NULL);
    for (int k = 0; k < count; k++) {
        snprintf(path, sizeof path, "%.255s/%.255s", folder, entry[k]->d_name);
        (void)unlink(path); /* of . and .. : refused */
        free(entry[k]);
    }
    if (count >= 0) free(entry);
    (void)rmdir(folder);
}

saddle_status contact_make_heap(saddle_context *context, const int64_t *size,
                                saddle_problem *problem)
{
    const char *parent = getenv("TMPDIR");
    char root[256], folder[300];
    *problem = (saddle_problem){0};
    snprintf(root, sizeof root, "%.200s/saddle-heap.XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(root)) return saddle_fail(context, SADDLE_FILE_ERROR, "no temporary folder");
    snprintf(folder, sizeof folder, "%s/heap", root);
    saddle_status status = run_script(size[0], folder)
                               ? saddle_fail(context, SADDLE_FILE_ERROR,
                                             "sphere_heap.py is absent or failed")
                               : saddle_problem_read(context, folder, NULL, problem, NULL, NULL,
                                                     NULL);
    remove_bundle(folder);
    (void)rmdir(root);
    return status;
}
