/* SPDX-License-Identifier: MIT */
/* Contexts for threads at work for the owner of a context while the owner waits.
 *
 *     memory     the owner's allocator and limit, by a single thread at a time
 *     messages   each branch's own
 *     progress   the owner's callback, called by the owner's thread only; a wish to stop reaches
 *                all branches
 *     log        no lines
 *     solvers    as registered with the owner's context
 */
#ifndef SADDLE_LIB_BRANCHES_H
#define SADDLE_LIB_BRANCHES_H

#include <pthread.h>

#include "base/context_internal.h"

/* Stays in place as long as a branch is in use. */
typedef struct saddle__branches {
    saddle_context *context; /* the owner's */
    pthread_mutex_t lock;
    pthread_t thread; /* the owner's, since begin */
    int stopped;      /* 1: the owner's callback asked to stop */
} saddle__branches;

/* context: not NULL.  Closed by saddle__branches_close. */
void saddle__branches_open(saddle_context *context, saddle__branches *branches);
void saddle__branches_close(saddle__branches *branches);

/* *branch <- a context without memory of its own: needs no release. */
void saddle__branches_add(saddle__branches *branches, saddle_context *branch);

/* By the owner's thread, before each use of the branches by other threads. */
void saddle__branches_begin(saddle__branches *branches);

#endif
