/* SPDX-License-Identifier: MIT */
/* Writes the systems of data/ into a folder, each a bundle with a NOTE.md:
 *
 *     generate FOLDER [NAME...]      all, or the named ones
 *     generate --list
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "saddle/attachments.h"
#include "shipped.h"

#define PATH_SIZE 4096

static void write_attached(FILE *file, const saddle_attachments *graph)
{
    int64_t state[4] = {0};
    for (int64_t c = 0; c < saddle_attachments_count(graph); c++)
        state[saddle_attachments_component(graph, c).state]++;
    fprintf(file,
            "| components | active | attached | in part | prescribed |\n|--|--|--|--|--|\n"
            "| %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " |\n\n",
            saddle_attachments_count(graph), state[SADDLE_ACTIVE], state[SADDLE_ATTACHED],
            state[SADDLE_PARTLY_ATTACHED], state[SADDLE_PARAMETRIC]);
}

static int write_note(const char *path, const shipped_system *system, const saddle_problem *p,
                      const saddle_attachments *graph)
{
    saddle_row_counts rows = saddle_problem_count_rows(p);
    FILE *file = fopen(path, "w");
    if (file == NULL) return 1;
    fprintf(file, "# %s\n\n%s\n\n", system->name, system->what);
    fprintf(file, "| n | m | equality | unilateral | box | contact | contacts | law "
                  "|\n|--|--|--|--|--|--|--|--|\n");
    fprintf(file,
            "| %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64 " | %" PRId64
            " | %" PRId64 " | %s |\n\n",
            p->n, p->m, rows.equality, rows.unilateral, rows.box, rows.contact, p->contact_count,
            p->contact_count > 0 ? saddle_law_word(p->law) : "-");
    if (graph) write_attached(file, graph);
    fprintf(file,
            "Made by `cmake --build build --target data`; bench/generators/%s states the model, "
            "shipped.c the\n"
            "parameters.  Made again it is the same to the last bit (test "
            "generators_reproduce_data).\n\n",
            system->file);
    fprintf(file, "## What is known of the answer\n\n%s\n", system->known);
    int failed = ferror(file);
    return fclose(file) != 0 || failed;
}

static int write_system(saddle_context *context, const char *folder, const shipped_system *system)
{
    char path[PATH_SIZE];
    saddle_problem problem;
    if (snprintf(path, sizeof path, "%s/%s", folder, system->name) >= PATH_SIZE - 16) {
        fprintf(stderr, "generate: the path is too long\n");
        return 1;
    }
    saddle_attachments *graph = NULL;
    saddle_status made = system->make ? system->make(context, &problem)
                                      : system->make_attached(context, &problem, &graph);
    if (made != SADDLE_OK) {
        fprintf(stderr, "generate: %s: %s\n", system->name, saddle_context_message(context));
        return 1;
    }
    int failed = saddle_attachments_write(context, path, &problem, graph) != SADDLE_OK;
    if (failed) {
        fprintf(stderr, "generate: %s: %s\n", system->name, saddle_context_message(context));
    } else {
        strcat(path, "/NOTE.md");
        failed = write_note(path, system, &problem, graph);
        if (failed) fprintf(stderr, "generate: %s: %s\n", path, strerror(errno));
    }
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
    return failed;
}

static int write_all(saddle_context *context, const char *folder, int count, char **names)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "generate: %s: %s\n", folder, strerror(errno));
        return 1;
    }
    for (int i = 0; i < count; i++) {
        const shipped_system *system = shipped_system_find(names[i]);
        if (system == NULL) {
            fprintf(stderr, "generate: no system \"%s\"; generate --list shows them\n", names[i]);
            return 2;
        }
        if (write_system(context, folder, system)) return 1;
    }
    for (int64_t i = 0; count == 0 && shipped_system_at(i) != NULL; i++)
        if (write_system(context, folder, shipped_system_at(i))) return 1;
    return 0;
}

int main(int argc, char **argv)
{
    saddle_context *context;
    if (argc < 2 || (argv[1][0] == '-' && strcmp(argv[1], "--list") != 0)) {
        fprintf(stderr, "usage: generate FOLDER [NAME...]\n       generate --list\n");
        return 2;
    }
    if (strcmp(argv[1], "--list") == 0) {
        for (int64_t i = 0; shipped_system_at(i) != NULL; i++)
            printf("%s\n", shipped_system_at(i)->name);
        return 0;
    }
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    int status = write_all(context, argv[1], argc - 2, argv + 2);
    saddle_context_free(context);
    return status;
}
