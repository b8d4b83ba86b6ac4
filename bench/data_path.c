/* SPDX-License-Identifier: MIT */
/* See data_path.h. */
#include "data_path.h"

#include <stdio.h>
#include <stdlib.h>

const char *bench_data_path(const char *relative)
{
    static char path[2][1024];
    static int turn;
    const char *root = getenv("SADDLE_DATA");
    char *to = path[turn = !turn];
    snprintf(to, sizeof path[0], "%s/%s",
             root && *root ? root : SADDLE_SOURCE_DIR "/../shared/data", relative);
    return to;
}
