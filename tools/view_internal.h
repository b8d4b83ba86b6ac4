/* SPDX-License-Identifier: MIT */
/* What a page holds, between taking frames (view.c) and writing them (view_page.c). */
#ifndef SADDLE_TOOLS_VIEW_INTERNAL_H
#define SADDLE_TOOLS_VIEW_INTERNAL_H

#include <stdio.h>

#include "view.h"

#define VIEW_CURVES(X) X(kinetic) X(gravity) X(elastic) X(residual) X(iterations) X(contacts)

typedef struct view_point {
#define FIELD(name) double name;
    VIEW_CURVES(FIELD)
#undef FIELD
} view_point;

/* An impulse of a frame: where, how much on part b [N s], and the two parts (-1 = the ground). */
typedef struct view_arrow {
    float at[3], impulse[3];
    int16_t part[2];
} view_arrow;

/* A drawn force, constraint or attachment: its points in a frame; then, for a constraint, the force
 * (3) on its last anchor with a force. */
typedef struct view_link {
    saddle_handle item;
    int64_t points;
    int reaction; /* 1: of a constraint */
} view_link;

struct tool_view {
    saddle_context *context;
    const saddle_scene *scene;
    FILE *file;
    const char *path;
    int64_t steps, every;
    int64_t links;
    view_link *link;
    double *points;            /* of the link with the most points, and as many forces */
    int64_t frames, capacity;  /* of time, point and arrow_end */
    int64_t floats;            /* of a frame's positions */
    int64_t position_capacity; /* frames */
    float *position;           /* floats x frames */
    double *time;
    view_point *point;
    int64_t *arrow_end; /* arrows up to the frame's end */
    int64_t arrows, arrow_capacity;
    view_arrow *arrow;
};

/* Numbers of a part in a frame: 3, 7 of a body (origin, quaternion), 3 x nodes. */
int64_t view_floats_of(saddle_model *model, saddle_handle part);

/* Edges (3) of the box of the same mass and moments of inertia, which stands for a body without
 * shapes; mass > 0. */
void view_inertia_box(const saddle_body_inertia *inertia, double *size);

/* Writes the page to view->file. SADDLE_OUT_OF_MEMORY: nothing that could be used was written. */
saddle_status view_write_page(const tool_view *view);

#endif
