/* SPDX-License-Identifier: MIT */
/* Reading Matrix Market against scipy.io.mmread, in one run on the same files.  The bar is a ratio
 * of 4.
 *
 *     read_mtx [ENTRIES]      2000000 without argument; files go to a folder in TMPDIR, or here,
 *                             and are removed
 *
 * Both find the file in the system's cache.  saddle_matrix_read ends with sorted columns and
 * checked entries, mmread with the triplets as they stand in the file; the interpreter's start and
 * its imports are not counted. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

#define REPETITIONS 5

typedef struct drawn_file {
    const char *name, *banner;
    int sorted;    /* 1: by columns, rows ascending; 0: in no order */
    int symmetric; /* 1: only entries on and below the diagonal */
} drawn_file;

static const drawn_file files[] = {
    {"general, no order", "general", 0, 0},
    {"general, sorted", "general", 1, 0},
    {"symmetric, sorted", "symmetric", 1, 1},
};

static uint64_t draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * UINT64_C(2685821657736338717) >> 11;
}

/* Ten entries a column, one in each tenth of the rows: distinct and ascending without a sort. */
static void place(const drawn_file *file, int64_t entry, int64_t size, uint64_t *state, int64_t *i,
                  int64_t *j)
{
    *j = entry / 10;
    int64_t first = file->symmetric ? *j : 0, tenth = (size - first) / 10, k = entry % 10;
    *i = first + k * tenth + (tenth > 0 ? (int64_t)(draw(state) % (uint64_t)tenth) : 0);
    if (tenth == 0)
        *i = first + k < size ? first + k : -1; /* the last columns of a symmetric file are short */
}

static void shuffle(int64_t *order, int64_t count, uint64_t *state)
{
    for (int64_t k = count - 1; k > 0; k--) {
        int64_t other = (int64_t)(draw(state) % (uint64_t)(k + 1)), entry = order[k];
        order[k] = order[other];
        order[other] = entry;
    }
}

/* Entries of 17 digits, which read back as the same doubles. */
static int write_file(const drawn_file *file, int64_t entries, const char *path)
{
    uint64_t state = 88172645463325252u;
    int64_t size = entries / 10, count = 0;
    int64_t *order = malloc((size_t)entries * sizeof *order),
            *row = malloc((size_t)entries * sizeof *row);
    FILE *out = fopen(path, "w");
    int failed = order == NULL || row == NULL || out == NULL;
    for (int64_t k = 0; !failed && k < entries; k++) {
        int64_t j;
        place(file, k, size, &state, &row[k], &j);
        if (row[k] >= 0) order[count++] = k;
    }
    if (!failed && !file->sorted) shuffle(order, count, &state);
    if (!failed)
        fprintf(out,
                "%%%%MatrixMarket matrix coordinate real %s\n%" PRId64 " %" PRId64 " %" PRId64 "\n",
                file->banner, size, size, count);
    for (int64_t k = 0; !failed && k < count; k++)
        fprintf(out, "%" PRId64 " %" PRId64 " %.16e\n", row[order[k]] + 1, order[k] / 10 + 1,
                (double)draw(&state) / 9007199254740992.0 - 0.5);
    failed |= out != NULL && fclose(out) != 0;
    free(order);
    free(row);
    return failed;
}

/* Median seconds of our reader; negative when it failed. */
static double time_ours(const char *path, int64_t *entries)
{
    double seconds[REPETITIONS];
    for (int k = 0; k < REPETITIONS; k++) {
        saddle_context *context;
        saddle_matrix A;
        if (saddle_context_create(NULL, &context) != SADDLE_OK) return -1;
        double start = saddle_clock();
        saddle_status status = saddle_matrix_read(context, path, &A);
        seconds[k] = saddle_clock() - start;
        if (status != SADDLE_OK) fprintf(stderr, "read_mtx: %s\n", saddle_context_message(context));
        *entries = saddle_matrix_entries(&A);
        saddle_matrix_clear(&A);
        saddle_context_free(context);
        if (status != SADDLE_OK) return -1;
    }
    return bench_median(seconds, REPETITIONS);
}

/* Median seconds of scipy, printed by the command; negative: no scipy. */
static double time_scipy(const char *path)
{
    char command[4096];
    double seconds = -1;
    snprintf(command, sizeof command,
             "/usr/bin/python3 -c \"import sys, time, scipy.io\n"
             "def once():\n"
             "    start = time.perf_counter()\n"
             "    scipy.io.mmread(sys.argv[1])\n"
             "    return time.perf_counter() - start\n"
             "print(sorted(once() for _ in range(%d))[%d])\" '%s' 2>/dev/null",
             REPETITIONS, REPETITIONS / 2, path);
    FILE *pipe = popen(command, "r");
    if (pipe == NULL) return -1;
    if (fscanf(pipe, "%lf", &seconds) != 1) seconds = -1;
    pclose(pipe);
    return seconds;
}

static int measure(const drawn_file *file, int64_t entries, const char *path, int csv)
{
    int64_t read = 0;
    if (write_file(file, entries, path)) {
        fprintf(stderr, "read_mtx: %s cannot be written\n", path);
        return 1;
    }
    double ours = time_ours(path, &read), scipy = time_scipy(path);
    if (ours < 0) return 1;
    if (csv) {
        bench_print_number(csv, 0, "%.3g", scipy / ours);
        bench_print_number(csv, 0, "%.3g", scipy);
        printf("\"%s\",%" PRId64 ",%.3g\n", file->name, read, ours);
    } else if (scipy < 0)
        printf("%8s  %-20s %9" PRId64 " %10.3f %10s\n", "-", file->name, read, ours, "no scipy");
    else
        printf("%8.1f  %-20s %9" PRId64 " %10.3f %10.3f\n", scipy / ours, file->name, read, ours,
               scipy);
    fflush(stdout);
    return 0;
}

int main(int argc, char **argv)
{
    int csv = argc > 1 && strcmp(argv[1], "--csv") == 0;
    int64_t entries = argc > 1 + csv ? strtoll(argv[1 + csv], NULL, 10) : 2000000;
    if (argc > 2 + csv || entries < 100 || entries > INT64_C(1000000000)) {
        fputs("usage: read_mtx [--csv] [ENTRIES], from 100 to 1000000000\n", stderr);
        return 2;
    }
    const char *root = getenv("TMPDIR");
    char folder[2048], path[2100];
    snprintf(folder, sizeof folder, "%s/saddle-read-mtx-XXXXXX", root != NULL ? root : ".");
    if (mkdtemp(folder) == NULL) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/drawn.mtx", folder);
    if (csv)
        puts("ratio,scipy,file,entries,saddle");
    else
        printf("%8s  %-20s %9s %10s %10s\n", "ratio", "Matrix Market file", "entries", "saddle [s]",
               "scipy [s]");
    int failed = 0;
    for (size_t k = 0; !failed && k < sizeof files / sizeof files[0]; k++)
        failed = measure(&files[k], entries, path, csv);
    unlink(path);
    rmdir(folder);
    return failed;
}
