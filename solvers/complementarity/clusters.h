/* SPDX-License-Identifier: MIT */
/* Small symmetric quasi-definite systems side by side, of nodes that come one by one and clusters
 * of them that merge:
 *
 *     T_AA z_A = r_A - T_AB z_B
 *         of each cluster, A its active nodes, z_B given; nothing between clusters
 *
 *     create -> begin -> add, join -> solve, as often as wanted; all but create allocate
 * nothing */
#ifndef SADDLE_SOLVERS_CLUSTERS_H
#define SADDLE_SOLVERS_CLUSTERS_H

#include "saddle/context.h"

/* Nodes of a cluster, at most. */
enum { SADDLE__CLUSTER = 64 };

/* T_tu (count) for the nodes u[0 .. count - 1]. */
typedef void saddle__coupling(void *user, int64_t t, int64_t count, const int64_t *u, double *T);

typedef struct saddle__clusters {
    saddle_context *context;
    int64_t capacity; /* nodes */
    int64_t count;    /* nodes there are */
    int64_t *home;    /* capacity: the first node of a node's cluster, which stands for it */
    int64_t *size;    /* capacity: of the cluster, at its first node */
    int64_t *last;    /* capacity: the cluster's last node, there */
    int64_t *next;    /* capacity: in the cluster; -1 = none */
    int64_t *slot;    /* capacity: of a node in its cluster, in the order of next */
    double *T;        /* capacity x SADDLE__CLUSTER: by rows, up to the diagonal, columns by slot */
    double *L;        /* SADDLE__CLUSTER squared */
    double *pivot;    /* SADDLE__CLUSTER */
    double *y;        /* SADDLE__CLUSTER */
    int64_t *member;  /* SADDLE__CLUSTER */
} saddle__clusters;

/* clusters: all-zero or cleared. */
saddle_status saddle__clusters_create(saddle_context *context, int64_t capacity,
                                      saddle__clusters *clusters);
void saddle__clusters_clear(saddle__clusters *clusters); /* half-built ones are fine */

/* No nodes. */
void saddle__clusters_begin(saddle__clusters *clusters);

/* The next node, a cluster by itself; there must be room. */
void saddle__clusters_add(saddle__clusters *clusters, double diagonal);

/* The clusters of t and u, which may be one, become one; T between them is asked for, each entry
 * once.  0: it would be too large, and nothing was done. */
int saddle__clusters_join(saddle__clusters *clusters, int64_t t, int64_t u,
                          saddle__coupling *coupling, void *user);

/* z (count): in, r of active nodes and z of others, which stays; out, z.  0: a pivot vanishes or is
 * not finite, and z is undefined. */
int saddle__clusters_solve(saddle__clusters *clusters, const signed char *active, double *z);

#endif
