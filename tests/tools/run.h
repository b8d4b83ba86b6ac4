/* SPDX-License-Identifier: MIT */
/* Running the command, and small problems on disk to run it on. */
#ifndef SADDLE_TEST_TOOLS_RUN_H
#define SADDLE_TEST_TOOLS_RUN_H

#include "support.h"

#include <jansson.h>
#include <sys/types.h>

typedef struct run {
    int code;        /* exit code; 128 + signal where a signal ended it */
    char *out, *err; /* what it printed, NUL-terminated; run_clear frees */
} run;

/* The command with these words, ended by NULL: its main, called in this process, with no input and
 * its output in files. */
run run_saddle(const char *first, ...);
/* The same with words[0 .. count). */
run run_words(int count, const char *const *words);
void run_clear(run *result);

/* Called right before and after each main, if not NULL: for a test that observes the run. */
extern void (*run_begins)(void), (*run_ends)(void);

/* The built command, in a process of its own; fails the test where it cannot be started. */
run run_started(int count, const char *const *words);
/* run_started in steps: starts the process; the files of its standard output and error; the run,
 * after the end with `status` (of waitpid). */
pid_t run_begin(int count, const char *const *words);
const char *run_output(void);
const char *run_errors(void);
run run_ended(int status);

/* Runs and requires the exit code; prints the output on another code.  Words as above. */
run run_expecting(int code, const char *first, ...);

/* Runs, wants an exit code, nothing on standard output, and each of two texts (NULL = any) in the
 * one line on standard error. */
void run_refused(int code, const char *text, const char *text2, const char *first, ...);

/* out as a JSON object; released by json_decref. */
json_t *run_json(const run *result);
/* key2 NULL: a number at key */
double json_at(const json_t *object, const char *key, const char *key2);

/* "<folder>/<name>"; static buffer, good until the 64th next call. */
const char *path_in(const char *folder, const char *name);
int exists(const char *path);
void write_text(const char *folder, const char *name, const char *text);
char *read_bytes(const char *path, size_t *size); /* free() */

/* Bundle folders, made anew in a scratch folder; the path's buffer is static as above.
 *
 *     two rods      n = 4, m = 2: two particles on rods, as examples/first.c
 *                   v = (-.0206526..), rank 2
 *     redundant     the same with the second rod's row twice: rank 2 of 3
 *     bounded       n = 3, m = 3: unit masses, f = (1, -1, 5), a row each;
 *                   lambda >= 0, lambda >= 0, -2 <= lambda <= 2
 *                   v = (1, 0, 3), lambda = (0, 1, -2)
 *     slider        n = 3, m = 3: one contact in space, unit mass, f = (-1, 10, 20), mu = 0.5
 *                   lambda, cone          (1, -.5 / sqrt 5, -1 / sqrt 5)
 *                           box           (1, -.5, -.5)
 *                           pyramid of 4  (1, 0, -.5)
 *                           associated    k (1, -.5 / sqrt 5, -1 / sqrt 5),
 *                                         k = (1 + 5 sqrt 5) / 1.25
 *     unsymmetric   n = 2, m = 0: M = [2 1; 0 2], f = (3, 2), v = (1, 1) */
const char *two_rods(void);
const char *redundant(void);
const char *bounded(void);
const char *slider(void);
const char *unsymmetric(void);

/* A square grid of side x side unit masses coupled by springs to their neighbours, `side` ties: as
 * big as wanted. */
const char *grid(int side);

#endif
