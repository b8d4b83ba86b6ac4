/* SPDX-License-Identifier: MIT */
/* Independent columns of a sparse B' chosen one after the other, each reduced by those before it:
 *
 *     B'_S = L U
 *         L (rows x rank) 1 at the pivots' coordinates, below 10 elsewhere; U upper triangular
 *     B'_k = L u + x   x zero at all pivots' coordinates: if it vanishes, B'_k = B'_S U^-1 u, else
 *         it becomes L's next
 *
 * left-looking and sparse (Gilbert and Peierls, SIAM J. Sci. Stat. Comput. 9, 1988): a column costs
 * as many operations as its reduction has.  Among the entries of x within a factor of 10 of the
 * largest the pivot is the one whose coordinate the fewest columns to come have: what they do not
 * have needs no reduction.  (In a chain of joints pivots so move to the bodies left behind;
 * elsewhere each joint's rows would be written in the coordinates of all joints before.)
 */
#ifndef SADDLE_LIB_RANK_BASIS_H
#define SADDLE_LIB_RANK_BASIS_H

#include "rank/relations.h"

typedef struct saddle__triangle { /* columns appended one by one */
    int64_t *start;
    int64_t *index;
    double *value;
    int64_t columns, capacity;
} saddle__triangle;

typedef struct saddle__basis {
    saddle_context *context;
    const saddle_matrix *Bt;
    double tolerance;      /* relations: residual at most */
    int counting;          /* 1: relations get no terms, and none is verified */
    double work;           /* multiplications so far */
    int64_t rank;          /* pivots */
    int64_t unpivoted;     /* columns neither dependent nor in S: nothing of them is left, yet
                              no combination holds; counted as independent */
    int64_t *member;       /* rank: the column of each pivot */
    int64_t *pivot_at;     /* rank: its coordinate */
    int64_t *pivot_of;     /* rows: the pivot at this coordinate; -1 = none */
    int64_t *users;        /* rows: columns of B' yet to be taken with an entry there */
    double *norm;          /* cols: |B'_k| */
    double *diagonal;      /* rank: U's */
    saddle__triangle L, U; /* L by coordinates without the 1; U by pivots without the diagonal */

    double *x;               /* rows: zero between calls, and so are */
    double *u, *y;           /* cols: by pivot */
    int64_t touched_count;   /* entries of x that may not be zero, listed and marked: */
    int64_t *touched;        /* rows */
    int64_t *mark;           /* rows */
    int64_t chosen_count;    /* entries of u that are not zero: */
    int64_t *chosen;         /* cols */
    int64_t support_count;   /* entries of y that may not be zero: */
    int64_t *support;        /* cols */
    signed char *in_support; /* cols */
    int64_t stamp;           /* what is marked in this search carries it */
    int64_t waiting_count;   /* pivots to be visited, */
    uint64_t *waiting[3];    /* a bit each; above them a bit for each word that is not zero */
    int64_t top_words;       /* of waiting[2] */
    int64_t *other;          /* cols: the combination found */
    double *factor;
} saddle__basis;

/* basis: half-built on failure, to be cleared in any case. */
saddle_status saddle__basis_create(saddle_context *context, const saddle_matrix *Bt,
                                   double tolerance, saddle__basis *basis);

/* Takes the columns order[0 .. count) in turn; the dependent ones' relations are added.  Once work
 * is above the limit it stops: *finished = 0. */
saddle_status saddle__basis_fill(saddle__basis *basis, int64_t count, const int64_t *order,
                                 double work_limit, saddle__relations *relations, int *finished);

/* How independent they are: the least |B'_S z| / |z|, by inverse iteration with U, and z (rank), of
 * largest modulus 1. 1 where rank = 0.  (separation.c) */
double saddle__basis_separation(saddle__basis *basis, double *z);

void saddle__basis_clear(saddle__basis *basis);

/* ---- its parts (reduce.c) ---- */

/* x = 0, before it is filled. */
void saddle__basis_blank(saddle__basis *basis);

/* Notes that x's entry at coordinate c may not be zero. */
void saddle__basis_touch(saddle__basis *basis, int64_t c);

/* x = L u + x with the new x zero at all pivots' coordinates.  Returns u's largest modulus. */
double saddle__basis_reduce(saddle__basis *basis);

/* y += U^-1 u but for what is rounding where u's modulus is `size`; u is zero afterwards. */
void saddle__basis_back_substitute(saddle__basis *basis, double size);

/* Zero again: x, u and y. */
void saddle__basis_wipe(saddle__basis *basis);

#endif
