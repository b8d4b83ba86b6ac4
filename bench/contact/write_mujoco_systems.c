/* SPDX-License-Identifier: MIT */
/* Writes MuJoCo's soft contact problems as bundles: write_mujoco_systems FOLDER */
#include <stdio.h>

#include "contact/mujoco_pile.h"
#include "harness.h"
#include "saddle/files.h"

static int write_one(saddle_context *context, const char *folder, int index)
{
    char path[4096];
    mujoco_pile pile;
    saddle_problem problem = {0};
    snprintf(path, sizeof path, "%.4000s/%s", folder, mujoco_pile_names[index]);
    saddle_status status = SADDLE_INTERNAL;
    if (mujoco_pile_open(index, &pile) == 0) status = mujoco_pile_problem(context, &pile, &problem);
    if (status == SADDLE_OK)
        status = saddle_problem_write(context, path, SADDLE_FORMAT_BUNDLE, &problem);
    saddle_problem_clear(&problem);
    mujoco_pile_close(&pile);
    return bench_report(context, path, status);
}

int main(int argc, char **argv)
{
    saddle_context *context;
    int failed = 0;
    if (argc != 2) {
        fprintf(stderr, "usage: write_mujoco_systems FOLDER\n");
        return 2;
    }
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    for (int k = 0; !failed && k < MUJOCO_PILES; k++) failed = write_one(context, argv[1], k);
    saddle_context_free(context);
    return failed;
}
