/* SPDX-License-Identifier: MIT */
/* See branches.h. */
#include "base/branches.h"

#include <string.h>

#include "base/unset.h"

/* ---- memory: blocks of the owner's context, each with a second head of the branch ---- */

static void *allocate(void *user, size_t bytes)
{
    saddle__branches *b = user;
    (void)pthread_mutex_lock(&b->lock);
    void *block = saddle__allocate_unset(b->context, (int64_t)bytes, 1);
    (void)pthread_mutex_unlock(&b->lock);
    return block;
}

static void *reallocate(void *user, void *block, size_t bytes)
{
    saddle__branches *b = user;
    (void)pthread_mutex_lock(&b->lock);
    void *grown = saddle_reallocate(b->context, block, (int64_t)bytes, 1);
    (void)pthread_mutex_unlock(&b->lock);
    return grown;
}

static void release(void *user, void *block)
{
    saddle__branches *b = user;
    (void)pthread_mutex_lock(&b->lock);
    saddle_release(b->context, block);
    (void)pthread_mutex_unlock(&b->lock);
}

/* ---- progress ---- */

static int report(void *user, const saddle_progress *progress)
{
    saddle__branches *b = user;
    int stop = 0;
    if (pthread_equal(pthread_self(), b->thread))
        stop = b->context->options.progress(b->context->options.progress_user, progress) != 0;
    (void)pthread_mutex_lock(&b->lock);
    stop = b->stopped |= stop;
    (void)pthread_mutex_unlock(&b->lock);
    return stop;
}

/* ---- all ---- */

void saddle__branches_open(saddle_context *context, saddle__branches *branches)
{
    *branches = (saddle__branches){.context = context};
    (void)pthread_mutex_init(&branches->lock, NULL);
}

void saddle__branches_close(saddle__branches *branches)
{
    if (branches->context) (void)pthread_mutex_destroy(&branches->lock);
    branches->context = NULL;
}

void saddle__branches_add(saddle__branches *branches, saddle_context *branch)
{
    const saddle_context *owner = branches->context;
    memset(branch, 0, sizeof *branch);
    branch->options.allocator = (saddle_allocator){allocate, reallocate, release, branches};
    branch->options.progress = owner->options.progress ? report : NULL;
    branch->options.progress_user = branches;
    branch->registered = owner->registered;
    branch->registered_count = owner->registered_count;
}

void saddle__branches_begin(saddle__branches *branches)
{
    branches->thread = pthread_self();
    branches->stopped = 0;
}
