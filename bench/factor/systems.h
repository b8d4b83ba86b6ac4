/* SPDX-License-Identifier: MIT */
/* The symmetric systems that factorizations are measured on: generated ones, and all there are in
 * data/ and beside. */
#ifndef SADDLE_BENCH_SYSTEMS_H
#define SADDLE_BENCH_SYSTEMS_H

#include "problem/kkt.h"
#include "regularization.h"

/* Where a system comes from. */
typedef struct system_line {
    char name[96];
    const char *family; /* what grows by size; "" = a file, which stands alone */
    int64_t size;
    double compliance; /* R = compliance I */
    saddle_status (*build)(saddle_context *context, int64_t size, saddle_problem *problem); /* NULL:
                                                                                               a
                                                                                               file
                                                                                             */
    int bodies_per_size; /* 1: size is a number of bodies, 2: its square is, 0: no bodies */
    char *path;          /* of a file */
    int shared;          /* a file of others': it may be no symmetric system */
    const char *why;     /* no system, and why; NULL = it may be one */
} system_line;

typedef struct system_list {
    int64_t count;
    system_line *line;
    char missing[256]; /* the folder of systems that is absent; "" = none */
} system_list;

/* The built-in ones, then those of folder `data` and of `shared`, NULL = none.  Nonzero: out of
 * memory. */
int system_list_create(const char *data, const char *shared, system_list *list);
void system_list_clear(system_list *list);

/* Nonzero: out of memory.  system_files_append: those under `root`; shared: of others' folders,
 * else bundles. */
int system_list_append(system_list *list, const system_line *line);
int system_files_append(system_list *list, const char *root, int shared);

typedef struct bench_system {
    saddle_context *context;
    const char *name, *family;
    int64_t bodies; /* 0 = not made of bodies */
    int definite;   /* 1: M > 0, R >= 0 and K regular by construction: its inertia is (n, m, 0) */
    saddle_problem problem;
    saddle__kkt kkt; /* K, with nothing added */
    saddle__regularization regularization;
    double *regularized; /* K's values, regularization added */
} bench_system;

/* A matrix that is not said to be symmetric but is, as far as six printed digits tell (asymmetry at
 * most 1e-5), is taken by its lower triangle.  SADDLE_UNSUPPORTED: K is not symmetric, or a shared
 * file is no problem that can be read. */
saddle_status bench_system_build(saddle_context *context, const system_line *line,
                                 bench_system *system);
void bench_system_clear(bench_system *system);

#endif
