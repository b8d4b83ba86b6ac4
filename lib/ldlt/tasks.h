/* SPDX-License-Identifier: MIT */
/* Work shared by threads, by OpenMP tasks.  Without OpenMP the caller does all work, in order. */
#ifndef SADDLE_LIB_LDLT_TASKS_H
#define SADDLE_LIB_LDLT_TASKS_H

#include <stdint.h>

typedef void saddle__task(void *user, int64_t index);

/* The number of threads: `wanted`, limited to the number of processors or 16, whichever is larger,
 * since more threads only take memory; 1 without OpenMP. */
int64_t saddle__tasks_threads(int64_t wanted);

/* Runs task(user, i) for 0 <= i < count on at most `threads` threads, begun in order of i; returns
 * when all are done. */
void saddle__tasks_run(int64_t threads, int64_t count, saddle__task *task, void *user);

/* The same from within a task: free threads help.  Until the return, the caller's thread runs no
 * other tasks. */
void saddle__tasks_share(int64_t count, saddle__task *task, void *user);

/* The index of the calling thread, from 0; within saddle__tasks_run only. */
int64_t saddle__tasks_thread(void);

#endif
