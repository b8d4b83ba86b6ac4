/* SPDX-License-Identifier: MIT */
/* MuJoCo's warnings and errors go to standard error alone.  Without handlers MuJoCo prints them to
 * standard output, among the rows of a table, and into MUJOCO_LOG.TXT in the working folder. */
#ifndef SADDLE_BENCH_MUJOCO_MESSAGES_H
#define SADDLE_BENCH_MUJOCO_MESSAGES_H

#include <stdio.h>
#include <stdlib.h>

#include <mujoco/mujoco.h>

static inline void mujoco_warn(const char *message)
{
    (void)fprintf(stderr, "MuJoCo: %s\n", message);
}

/* MuJoCo may not go on after an error. */
static inline void mujoco_fail(const char *message)
{
    mujoco_warn(message);
    exit(1);
}

static inline void mujoco_use_standard_error(void)
{
    mju_user_warning = mujoco_warn;
    mju_user_error = mujoco_fail;
}

#endif
