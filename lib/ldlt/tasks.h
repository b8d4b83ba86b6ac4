/* SPDX-License-Identifier: MIT */
/* Work shared by threads, by OpenMP tasks.  Without OpenMP all of it is done here, in order. */
#ifndef SADDLE_LIB_LDLT_TASKS_H
#define SADDLE_LIB_LDLT_TASKS_H

#include <stdint.h>

typedef void saddle__task(void *user, int64_t index);

/* How many threads there will be at most: `wanted`, or as many as there are processors, or 16,
 * where that is less, since more would take memory each and help nobody; 1 without OpenMP. */
int64_t saddle__tasks_threads(int64_t wanted);

/* task(user, i) for 0 <= i < count by at most `threads` threads, begun in this order; returns when
 * all is done. */
void saddle__tasks_run(int64_t threads, int64_t count, saddle__task *task, void *user);

/* The same from within a task: threads that are free help.  The caller's thread does none but these
 * meanwhile. */
void saddle__tasks_share(int64_t count, saddle__task *task, void *user);

/* Which of the threads this is, from 0; within saddle__tasks_run only. */
int64_t saddle__tasks_thread(void);

#endif
