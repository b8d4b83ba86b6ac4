/* SPDX-License-Identifier: MIT */
/* A problem divided into islands: parts without a common unknown.
 *
 * The graph: velocities and rows, joined by the entries of M, J and R, zeros included, and by the
 * contacts, each of which joins its rows.  Of its connected components
 *
 *     all with equality rows alone, or without rows    are one island
 *     others of at most SMALL rows                     are joined, in their order, to islands of
 *                                                      MOST_JOINED rows and more
 *     each of the others                               is an island
 *
 * Pyramids in space are not joined.  Not divided: one island beside a few equality rows; up to
 * SMALL rows, and up to MOST_JOINED without contacts.
 *
 * The numbering within an island is ascending in the whole problem's: an island is the same bit by
 * bit wherever its unknowns stand in the whole. */
#ifndef SADDLE_ISLANDS_PARTITION_H
#define SADDLE_ISLANDS_PARTITION_H

#include "base/layout.h"
#include "saddle/problem.h"

typedef struct saddle__island {
    saddle_problem problem;         /* its numbering; arrays of the partition.  No names, no ids */
    saddle_solution answer;         /* the same */
    int64_t velocity, row, contact; /* places of the first in the partition's lists */
    int64_t size;                   /* unknowns and stored entries */
} saddle__island;

/* All memory is the layout's. */
typedef struct saddle__partition {
    saddle_context *context;
    saddle__layout layout;
    int64_t n, m, contacts; /* of the whole */
    int64_t entries[3];     /* of M, J', R */
    int64_t count;
    saddle__island *island; /* count */
    int64_t *velocity;      /* n: column in the whole, island by island, ascending within each */
    int64_t *row;           /* m: the same of rows */
    int64_t *contact;       /* contacts: the same of contacts */
    /* of the islands' problems and answers, island after island */
    int64_t *start[3], *index[3];
    double *value[3];
    double *f, *b, *lo, *hi, *v, *lambda, *w;
    saddle_contact *contact_of;
} saddle__partition;

/* count = 1: one island, and no more is made than the count.  The values of the problem are not
 * read, but for the bounds.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__partition_create(const saddle_problem *problem, saddle__partition *partition);

/* The islands' problems <- values of M, J and R; f, b, bounds and friction coefficients.  Allocate
 * nothing. */
void saddle__partition_set_matrices(saddle__partition *partition, const saddle_problem *problem);
void saddle__partition_set_vectors(saddle__partition *partition, const saddle_problem *problem);

#endif
