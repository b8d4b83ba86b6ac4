/* SPDX-License-Identifier: MIT */
/* The LCP, MLCP and relay files of the data folder, for benchmark and tests. */
#ifndef SADDLE_BENCH_COMPLEMENTARITY_FILE_LIST_H
#define SADDLE_BENCH_COMPLEMENTARITY_FILE_LIST_H

typedef struct lcp_file {
    const char *path; /* in that folder */
    const char *rhs;  /* where q is in a file of its own, or NULL */
    int unsolvable;   /* 1: known to have no solution */
} lcp_file;

enum { LCP_FILES = 40 };

extern const lcp_file lcp_files[LCP_FILES];

#endif
