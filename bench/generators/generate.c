/* SPDX-License-Identifier: MIT */
/* Writes the systems of data/ into a folder, each a bundle with a NOTE.md:
 *
 *     generate FOLDER [NAME...]      all, or the named ones
 *     generate --list
 *     generate --hard-set FOLDER [SEED]                     hard families, listed in set.json
 *     generate --hard chain|tower OUT [NAME=VALUE...]       a hard system, hard.c
 *
 * Names of --hard: bodies, mass-ratio, defect, redundancy, compliance, mu, push, seed,
 * units=si|mm-g-ms.
 */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "saddle/attachments.h"
#include "saddle/files.h"
#include "generators.h"
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
            saddle_attachments_count(graph), state[SADDLE_COMPONENT_STATE_ACTIVE],
            state[SADDLE_COMPONENT_STATE_ATTACHED], state[SADDLE_COMPONENT_STATE_PARTLY],
            state[SADDLE_COMPONENT_STATE_PARAMETRIC]);
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

/* ---- hard systems ---- */

/* 0, or -1 where the word is no NAME=VALUE. */
static int set_parameter(saddle_hard_parameters *p, const char *word)
{
    static const struct {
        const char *name;
        size_t offset;
    } numbers[] = {{"mass-ratio", offsetof(saddle_hard_parameters, mass_ratio)},
                   {"defect", offsetof(saddle_hard_parameters, defect)},
                   {"redundancy", offsetof(saddle_hard_parameters, redundancy)},
                   {"compliance", offsetof(saddle_hard_parameters, compliance)},
                   {"mu", offsetof(saddle_hard_parameters, mu)},
                   {"push", offsetof(saddle_hard_parameters, push)}};
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : 0;
    char *end = NULL;
    if (length == 0) return -1;
    const char *text = equals + 1;
    const double value = strtod(text, &end);
    const int is_number = end != text && *end == 0;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (strlen(numbers[k].name) == length && memcmp(numbers[k].name, word, length) == 0) {
            memcpy((char *)p + numbers[k].offset, &value, sizeof value);
            return is_number ? 0 : -1;
        }
    if (length == 6 && memcmp(word, "bodies", 6) == 0 && is_number && value >= 1 && value <= 1e6)
        return p->bodies = (int64_t)value, 0;
    if (length == 4 && memcmp(word, "seed", 4) == 0 && is_number && value >= 0 && value < 0x1p53)
        return p->seed = (uint64_t)value, 0;
    if (length != 5 || memcmp(word, "units", 5) != 0) return -1;
    if (strcmp(text, "mm-g-ms") == 0) return p->units = SADDLE_HARD_MM_G_MS, 0;
    return strcmp(text, "si") == 0 ? (p->units = SADDLE_HARD_SI, 0) : -1;
}

/* words: chain or tower, the target, parameters */
static int write_hard(saddle_context *context, int count, char **words)
{
    saddle_hard_parameters p = saddle_hard_default();
    saddle_problem problem = {0};
    p.kind = strcmp(words[0], "tower") == 0 ? SADDLE_HARD_TOWER : SADDLE_HARD_CHAIN;
    int wrong = p.kind == SADDLE_HARD_CHAIN && strcmp(words[0], "chain") != 0 ? 0 : -1;
    for (int k = 2; k < count && wrong < 0; k++)
        if (set_parameter(&p, words[k])) wrong = k;
    if (wrong >= 0) {
        fprintf(stderr, "generate: '%s' is not understood; see generate --help\n", words[wrong]);
        return 2;
    }
    saddle_status status = saddle_generate_hard(context, &p, &problem);
    if (status == SADDLE_OK)
        status = saddle_problem_write(context, words[1], SADDLE_FORMAT_AUTO, &problem);
    if (status != SADDLE_OK) fprintf(stderr, "generate: %s\n", saddle_context_message(context));
    saddle_problem_clear(&problem);
    return status == SADDLE_OK ? 0 : 1;
}

/* One parameter of one kind of system over its values; the first is the harmless one. */
static const struct {
    const char *kind, *name, *difficulty;
    const char *value[6];
} hard_families[] = {
    {"chain", "mass-ratio", "hard", {"1", "1e3", "1e6", "1e9", "1e12"}},
    {"chain", "redundancy", "redundant", {"0", "0.25", "0.5", "0.75", "1"}},
    {"chain", "compliance", "hard", {"0", "1e-16", "1e-12", "1e-8", "1e-4", "1e-2"}},
    {"chain", "defect", "hard", {"1", "1e-4", "1e-8", "1e-12", "1e-15"}},
    {"chain", "units", "easy", {"si", "mm-g-ms"}},
    {"tower", "mass-ratio", "hard", {"1", "1e3", "1e6", "1e9", "1e12"}},
    {"tower", "redundancy", "degenerate", {"0", "0.25", "0.5", "0.75", "1"}},
    {"tower", "mu", "degenerate", {"0", "0.1", "0.3", "1", "3", "10"}},
    {"tower", "compliance", "hard", {"0", "1e-16", "1e-12", "1e-8", "1e-4", "1e-2"}},
    {"tower", "units", "easy", {"si", "mm-g-ms"}},
};

/* FOLDER/KIND-NAME-VALUE, and a line of set.json. */
static int write_member(saddle_context *context, const char *folder, const char *seed, size_t f,
                        int v, FILE *set)
{
    char path[PATH_SIZE], name[128], value[64], drawn[64], kind[16];
    const char *const text = hard_families[f].value[v];
    snprintf(kind, sizeof kind, "%s", hard_families[f].kind);
    snprintf(name, sizeof name, "%s-%s-%s", kind, hard_families[f].name, text);
    snprintf(value, sizeof value, "%s=%s", hard_families[f].name, text);
    snprintf(drawn, sizeof drawn, "seed=%s", seed);
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_SIZE) return 1;
    char *words[] = {kind, path, value, drawn};
    const int failed = write_hard(context, 4, words);
    fprintf(set, "%s    {\"path\": \"%s\", \"difficulty\": \"%s\", \"family\": \"%s-%s\"}",
            f + (size_t)v > 0 ? ",\n" : "", name, v > 0 ? hard_families[f].difficulty : "easy",
            kind, hard_families[f].name);
    return failed;
}

static int write_hard_set(saddle_context *context, const char *folder, const char *seed)
{
    char path[PATH_SIZE];
    int failed = mkdir(folder, 0777) != 0 && errno != EEXIST;
    if (snprintf(path, sizeof path, "%s/set.json", folder) >= PATH_SIZE) return 1;
    FILE *set = failed ? NULL : fopen(path, "w");
    if (!set) {
        fprintf(stderr, "generate: %s: %s\n", folder, strerror(errno));
        return 1;
    }
    fprintf(set,
            "{\n  \"format\": \"saddle-set\",\n  \"version\": 1,\n  \"name\": \"hard\",\n"
            "  \"note\": \"hard families drawn from seed %s (bench/generators/hard.c)\",\n"
            "  \"problems\": [\n",
            seed);
    for (size_t f = 0; f < sizeof hard_families / sizeof *hard_families; f++)
        for (int v = 0; v < 6 && hard_families[f].value[v] && !failed; v++)
            failed = write_member(context, folder, seed, f, v, set);
    fprintf(set, "\n  ]\n}\n");
    failed |= ferror(set) != 0;
    return fclose(set) != 0 || failed;
}

int main(int argc, char **argv)
{
    saddle_context *context;
    const int hard = argc >= 4 && strcmp(argv[1], "--hard") == 0,
              set = (argc == 3 || argc == 4) && strcmp(argv[1], "--hard-set") == 0;
    if (argc < 2 || (argv[1][0] == '-' && strcmp(argv[1], "--list") != 0 && !hard && !set)) {
        fprintf(stderr, "usage: generate FOLDER [NAME...]\n       generate --list\n"
                        "       generate --hard-set FOLDER [SEED]\n"
                        "       generate --hard chain|tower OUT [bodies=N mass-ratio=X defect=X "
                        "redundancy=X compliance=X\n"
                        "                mu=X push=X seed=N units=si|mm-g-ms]\n");
        return 2;
    }
    if (strcmp(argv[1], "--list") == 0) {
        for (int64_t i = 0; shipped_system_at(i) != NULL; i++)
            printf("%s\n", shipped_system_at(i)->name);
        return 0;
    }
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    int status = hard  ? write_hard(context, argc - 2, argv + 2)
                 : set ? write_hard_set(context, argv[2], argc > 3 ? argv[3] : "1")
                       : write_all(context, argv[1], argc - 2, argv + 2);
    saddle_context_free(context);
    return status;
}
