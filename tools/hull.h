/* SPDX-License-Identifier: MIT */
/* The convex hull of points, by triangles. */
#ifndef SADDLE_TOOLS_HULL_H
#define SADDLE_TOOLS_HULL_H

#include "saddle/context.h"

typedef struct tool_hull_face {
    int64_t corner[3]; /* counterclockwise from outside */
    double normal[3];  /* outwards, of length 1 */
    double offset;     /* normal'x of its corners */
} tool_hull_face;

/* x: 3 x count, count >= 4, not in one plane.  *faces: owned by the caller, saddle_release;
 * *face_count: at most 2 count - 4.  Points nearer than 1e-9 of the largest coordinate to the hull
 * of the points before them are left out.  Time: O(count^2) at worst.  SADDLE_OUT_OF_MEMORY. */
saddle_status tool_hull(saddle_context *context, int64_t count, const double *x,
                        tool_hull_face **faces, int64_t *face_count);

#endif
