/* SPDX-License-Identifier: MIT */
/* Every problem file that the conformance suite runs over: our own bundles in data/ and the public
 * ones under SADDLE_DATA. */
#ifndef SADDLE_TEST_COLLECTION_H
#define SADDLE_TEST_COLLECTION_H

#include "support.h"

typedef struct collection {
    int64_t count;
    char **path; /* sorted within each folder */
    char **rhs;  /* the right-hand side that belongs to it, or NULL */
} collection;

/* data/ of the source tree: one bundle a folder. */
collection collection_of_bundles(void);

/* The groups under SADDLE_DATA that hold problems (friction, complementarity, relay, GMP, FCLIB,
 * KKT).  Skips or fails the running test as test_data_path does. */
collection collection_of_public_problems(void);

void collection_clear(collection *all);

/* The part of a path behind its last but one '/'. */
const char *collection_short_name(const char *path);

#endif
