/* SPDX-License-Identifier: MIT */
/* Drawn graphs of attachments with a problem in all their velocities, and the same with attachments
 * kept as rows, dense. */
#ifndef SADDLE_TEST_DRAWN_SYSTEM_H
#define SADDLE_TEST_DRAWN_SYSTEM_H

#include "support.h"

enum {
    MOST_COMPONENTS = 14,
    MOST_MASTERS = 3,
    MOST_SIZE = 11,
    MOST_N = MOST_COMPONENTS * MOST_SIZE,
    MOST_M = 8,
    MOST_WHOLE = MOST_N + MOST_M
};

typedef enum graph_shape {
    SHAPE_ANY,
    SHAPE_CHAIN,
    SHAPE_DIAMONDS,
    SHAPE_STAR,
    SHAPE_COUNT
} graph_shape;

typedef struct system_kind {
    graph_shape shape;
    int64_t components; /* at most MOST_COMPONENTS */
    int64_t rows;       /* of J */
    int general;        /* M is not symmetric */
    int parametric;     /* out of 8: how many of the components that may be prescribed are */
    int partly;         /* out of 8: how many attachments leave directions free */
    int moving;         /* terms g and prescribed velocities are not zero */
} system_kind;

/* One attachment as drawn, kept beside the graph so that the dense twin is made of nothing of the
 * library's. */
typedef struct drawn_attachment {
    int64_t component, direction_count, master_count;
    int64_t direction[MOST_SIZE];
    int64_t master[MOST_MASTERS];
    double block[MOST_MASTERS][MOST_SIZE * MOST_SIZE];
    double term[MOST_SIZE];
} drawn_attachment;

typedef struct drawn_system {
    int64_t count; /* components */
    int64_t size[MOST_COMPONENTS], first[MOST_COMPONENTS];
    int parametric[MOST_COMPONENTS];
    double velocity[MOST_COMPONENTS][MOST_SIZE];
    int64_t attachment_count;
    drawn_attachment attachment[MOST_COMPONENTS];
    saddle_problem problem; /* owned: all rows equalities, R > 0 */
} drawn_system;

/* Any kind with at most MOST_M rows. */
system_kind draw_kind(uint64_t *state);

drawn_system draw_system(uint64_t *state, system_kind kind);
void redraw_values(uint64_t *state, drawn_system *d); /* the same patterns */
void drawn_system_clear(drawn_system *d);

/* Of what is drawn; id of component c is 100 - 3 c.  reversed: attached in the opposite order. */
saddle_attachments *graph_of(saddle_context *context, const drawn_system *d, int reversed);
void set_values(saddle_attachments *graph, const drawn_system *d);

/* E (n x n, by columns) and e (n): E v = e says which velocities are attached and prescribed and by
 * what, row i being for velocity i; rows of active velocities are zero. */
void dense_attachments(const drawn_system *d, double *E, double *e);

/* v (n), lambda (m) and force (n: the multipliers of E v = e, zero at active velocities), by
 * LAPACK. */
void solve_kept(const drawn_system *d, double *v, double *lambda, double *force);

/* The same with the multipliers at bound velocities behind those of the rows; returns the length of
 * lambda. */
int64_t solve_twin(const drawn_system *d, double *v, double *lambda);

/* v and lambda of a problem whose rows are all equalities, by LAPACK. */
void solve_dense(const saddle_problem *p, double *v, double *lambda);

/* The same for the problem of an elimination, recovered. */
void solve_by(const saddle_elimination *e, const saddle_problem *problem, saddle_solution *whole);

/* Q (n x n', by columns), d (n) and how many columns, solved from E. */
int64_t dense_map(const drawn_system *d, double *Q, double *particular);

#endif
