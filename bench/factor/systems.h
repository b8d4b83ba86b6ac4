/* SPDX-License-Identifier: MIT */
/* The symmetric systems for factorizations: generated ones, and the files of data/ and of the
 * shared data. */
#ifndef SADDLE_BENCH_SYSTEMS_H
#define SADDLE_BENCH_SYSTEMS_H

#include "problem/kkt.h"
#include "regularization.h"

/* Where a system comes from. */
typedef struct system_line {
    char name[96];
    const char *family; /* systems of growing size; "" = a file */
    int64_t size;
    double compliance; /* R = compliance I */
    /* NULL: a file */
    saddle_status (*build)(saddle_context *context, int64_t size, saddle_problem *problem);
    int bodies_per_size; /* 1: size is a number of bodies, 2: its square is, 0: no bodies */
    char *path;          /* of a file */
    int shared;          /* a file of the shared data: possibly no symmetric system */
    const char *why;     /* reason to skip; NULL = none */
} system_line;

typedef struct system_list {
    int64_t count;
    system_line *line;
    char missing[256]; /* absent folder of systems; "" = none */
} system_list;

/* The generated systems, then the systems of folders `data` and `shared`; NULL = none.  Nonzero:
 * out of memory. */
int system_list_create(const char *data, const char *shared, system_list *list);
void system_list_clear(system_list *list);

/* Nonzero: out of memory.  system_files_append: files under `root`; shared: folders of files, else
 * bundles. */
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

/* A general matrix with an asymmetry of at most 1e-5 (six printed digits) is taken by its lower
 * triangle. SADDLE_UNSUPPORTED: K is not symmetric, or a shared file cannot be read as a problem.
 */
saddle_status bench_system_build(saddle_context *context, const system_line *line,
                                 bench_system *system);
void bench_system_clear(bench_system *system);

#endif
