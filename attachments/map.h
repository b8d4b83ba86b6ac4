/* SPDX-License-Identifier: MIT */
/* The graph compiled: attachments in order, masters before those attached to them, all values in
 * arrays in that order. */
#ifndef SADDLE_ATTACHMENTS_MAP_H
#define SADDLE_ATTACHMENTS_MAP_H

#include "saddle/attachments.h"

/* Where a velocity goes (map->to): its place in u, or one of these; SADDLE__ATTACHED_ROW turns an
 * attached row into its code and back. */
enum { SADDLE__PRESCRIBED = -1 };
#define SADDLE__ATTACHED_ROW(code) (-2 - (code))

struct saddle_map {
    saddle_context *context;
    int64_t n;            /* velocities */
    int64_t active_count; /* n' */
    int64_t components;
    int64_t units; /* attached components, "units", in order */
    int64_t depth;
    int64_t bytes;
    int64_t *first;       /* components + 1: first velocity of each, in v */
    int64_t *column;      /* components + 1: first active velocity of each, in u */
    int64_t *unit_of;     /* components: -1 = not attached */
    int64_t *active;      /* n': where each stands in v */
    int32_t *to;          /* n: place in u, SADDLE__PRESCRIBED, or the code of an attached row */
    int64_t *component;   /* units */
    int64_t *row_start;   /* units + 1: attached rows are numbered unit by unit */
    int64_t *velocity;    /* row_start[units]: where each attached row stands in v */
    int64_t *block_start; /* units + 1 */
    int64_t *master;      /* block_start[units]: component */
    int64_t *value_start; /* units + 1 */
    double *value;        /* value_start[units]: blocks, each by columns */
    double *term;         /* row_start[units] */
    int64_t prescribed_count;
    int64_t *prescribed; /* prescribed_count: where each prescribed velocity stands in v */
    double *prescribed_velocity;
};

static inline int64_t saddle__unit_rows(const saddle_map *map, int64_t unit)
{
    return map->row_start[unit + 1] - map->row_start[unit];
}

static inline int64_t saddle__component_size(const saddle_map *map, int64_t component)
{
    return map->first[component + 1] - map->first[component];
}

/* Active velocities of a component. */
static inline int64_t saddle__component_width(const saddle_map *map, int64_t component)
{
    return map->column[component + 1] - map->column[component];
}

#endif
