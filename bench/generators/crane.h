/* SPDX-License-Identifier: MIT */
/* What the crane (crane.c) and the one with markers (crane_markers.c) share. */
#ifndef SADDLE_GENERATORS_CRANE_H
#define SADDLE_GENERATORS_CRANE_H

#include "generators.h"
#include "rigid.h"

#define CRANE_BOOM 0.8 /* lengths [m] */
#define CRANE_JIB 0.5

typedef struct crane {
    rigid_body foot, column, boom, jib;
} crane;

/* The crane's bodies, and all its velocities and rows in a builder of its own.
 * SADDLE_INVALID_ARGUMENT: a parameter. */
saddle_status crane_begin(saddle_context *context, const saddle_crane_parameters *p, crane *c,
                          builder *b);

#endif
