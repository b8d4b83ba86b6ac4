/* SPDX-License-Identifier: MIT */
/* What a graph of attachments holds. */
#ifndef SADDLE_ATTACHMENTS_GRAPH_H
#define SADDLE_ATTACHMENTS_GRAPH_H

#include "saddle/attachments.h"

/* v_k = sum_j A_kj v_j + g_k; one block of memory */
typedef struct saddle__attachment {
    int64_t rows;       /* attached velocities of k */
    int whole;          /* these are all of k */
    int64_t *direction; /* rows: which of k's they are */
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
    int64_t mark;                   /* scratch: which attachment named it last */
} saddle__component;

struct saddle_attachments {
    saddle_context *context;
    int64_t count, room;
    saddle__component *component; /* room */
    int64_t n;                    /* velocities */
    int64_t slots;                /* power of two, more than count; 0 = none yet */
    int64_t *slot;                /* slots: component by its id's hash, -1 = free */
    int64_t marks;
};

/* The component of that id, by index; -1 = none. */
int64_t saddle__component_find(const saddle_attachments *graph, int64_t id);

#endif
