/* SPDX-License-Identifier: MIT */
/* A graph of attachments as described by the caller, and compiled into a map: the attached
 * components in order, masters first, all values in arrays in that order. */
#ifndef SADDLE_ATTACHMENTS_GRAPH_H
#define SADDLE_ATTACHMENTS_GRAPH_H

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/unset.h"
#include "files/scan.h"
#include "saddle/attachments.h"

/* v_k = sum_j A_kj v_j + g_k; one block of memory */
typedef struct saddle__attachment {
    int64_t rows;       /* attached velocities of k */
    int whole;          /* 1: all velocities of k are attached */
    int64_t *direction; /* rows: index of each attached velocity in k */
    int64_t block_count;
    int64_t *master;                 /* block_count: components by index */
    saddle_attachment_block *blocks; /* block_count: into value */
    int64_t entries;
    double *value; /* entries: the blocks, each by columns */
    double *term;  /* rows: g_k */
} saddle__attachment;

typedef struct saddle__component {
    int64_t id;
    char *name;
    saddle_component_kind kind;
    int64_t size;
    int64_t first;                  /* its first velocity in v */
    double *velocity;               /* size: prescribed; NULL unless parametric */
    saddle__attachment *attachment; /* NULL unless attached */
    int64_t mark;                   /* scratch: number of the last attachment to it */
} saddle__component;

struct saddle_attachments {
    saddle_context *context;
    int64_t count, room;
    saddle__component *component; /* room */
    int64_t n;                    /* velocities */
    int64_t slots;                /* hash table: a power of two > count; 0 = none yet */
    int64_t *slot;                /* slots: component by the hash of its id, -1 = free */
    int64_t marks;
};

/* SADDLE_INVALID_ARGUMENT with a printf-like message in an object's context. */
#define saddle__refuse(object, ...) \
    saddle_fail((object)->context, SADDLE_INVALID_ARGUMENT, __VA_ARGS__)

/* The component of an id, by index; -1 = none. */
int64_t saddle__component_find(const saddle_attachments *graph, int64_t id);

/* Number of attached or prescribed velocities of a component; index in v of number i. */
static inline int64_t saddle__bound_count(const saddle__component *c)
{
    if (c->velocity) return c->size;
    return c->attachment ? c->attachment->rows : 0;
}

static inline int64_t saddle__bound_velocity(const saddle__component *c, int64_t i)
{
    return c->first + (c->attachment ? c->attachment->direction[i] : i);
}

/* saddle_attachments_order with memory and messages of the given context. */
saddle_status saddle__attachments_order(saddle_context *context, const saddle_attachments *graph,
                                        int64_t *order);

/* saddle_attachments_read from files in a folder or in memory. */
saddle_status saddle__attachments_parse(saddle__source *source, saddle_problem *problem,
                                        saddle_attachments **attachments);

/* ---- compiled ---- */

/* Target of a velocity (map->to): its place in u or a code; SADDLE__ATTACHED_ROW turns
 * an attached row into its code and back. */
enum { SADDLE__PRESCRIBED = -1 };
#define SADDLE__ATTACHED_ROW(code) (-2 - (code))

struct saddle_map {
    saddle_context *context;
    uint64_t print;          /* of the graph */
    const signed char *keep; /* components: 1 = compiled as active; NULL = none; borrowed */
    saddle__layout layout;   /* the arrays below */
    int64_t n;               /* velocities */
    int64_t active_count;    /* n' */
    int64_t components;
    int64_t units; /* attached components, "units", in order */
    int64_t depth;
    int64_t *first;       /* components + 1: first velocity of each, in v */
    int64_t *column;      /* components + 1: first active velocity of each, in u */
    int64_t *unit_of;     /* components: -1 = not attached */
    int64_t *active;      /* n': index in v of each entry of u */
    int32_t *to;          /* n: place in u, SADDLE__PRESCRIBED, or the code of an attached row */
    int64_t *component;   /* units */
    int64_t *row_start;   /* units + 1: attached rows are numbered unit by unit */
    int64_t *velocity;    /* row_start[units]: index in v of each attached row */
    int64_t *block_start; /* units + 1 */
    int64_t *master;      /* block_start[units]: component */
    int64_t *value_start; /* units + 1 */
    double *value;        /* value_start[units]: blocks, each by columns */
    double *term;         /* row_start[units] */
    int64_t prescribed_count;
    int64_t *prescribed; /* prescribed_count: index in v of each prescribed velocity */
    double *prescribed_velocity;
};

/* saddle_map_create with the kept components (keep; NULL = none) active. */
saddle_status saddle__map_create(saddle_context *context, const saddle_attachments *graph,
                                 const signed char *keep, saddle_map **map);

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
