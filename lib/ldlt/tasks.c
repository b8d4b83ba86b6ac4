/* SPDX-License-Identifier: MIT */
/* The only file that knows OpenMP.  Tasks are tied: a task waiting for its subtasks stays on its
 * thread and runs only subtasks meanwhile, so the thread's own data is unchanged. */
#include "ldlt/tasks.h"

#ifdef _OPENMP
#include <omp.h>

enum { ANYWHERE = 16 }; /* threads allowed on any machine */

int64_t saddle__tasks_threads(int64_t wanted)
{
    int64_t most = omp_get_num_procs();
    if (most < ANYWHERE) most = ANYWHERE;
    return wanted < most ? wanted : most;
}

int64_t saddle__tasks_thread(void)
{
    return omp_get_thread_num();
}

static void begin_tasks(int64_t count, saddle__task *task, void *user)
{
    for (int64_t i = 0; i < count; i++) {
#pragma omp task firstprivate(task, user, i) default(none)
        task(user, i);
    }
}

void saddle__tasks_run(int64_t threads, int64_t count, saddle__task *task, void *user)
{
#pragma omp parallel num_threads((int)threads) default(none) shared(count, task, user)
#pragma omp single
    begin_tasks(count, task, user);
}

void saddle__tasks_share(int64_t count, saddle__task *task, void *user)
{
    begin_tasks(count, task, user);
#pragma omp taskwait
}

#else

int64_t saddle__tasks_threads(int64_t wanted)
{
    (void)wanted;
    return 1;
}

int64_t saddle__tasks_thread(void)
{
    return 0;
}

void saddle__tasks_run(int64_t threads, int64_t count, saddle__task *task, void *user)
{
    (void)threads;
    saddle__tasks_share(count, task, user);
}

void saddle__tasks_share(int64_t count, saddle__task *task, void *user)
{
    for (int64_t i = 0; i < count; i++) task(user, i);
}

#endif
