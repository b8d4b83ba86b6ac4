/* SPDX-License-Identifier: MIT */
/* Partial factorization of a sparse symmetric K: all nodes are eliminated but a chosen set.
 *
 *     K = [ A  B ]    A  of the nodes eliminated, factored by the engine
 *         [ B' C ]    C  of the chosen nodes;  S = C - B' A^-1 B
 *
 *     K [x] = [a]     condense:  a <- A^-1 a,  c <- c - B' a
 *       [y]   [c]     S y = c is solved by the caller
 *                     expand:    x = a - A^-1 B y
 *
 * The order of elimination is made for A alone; the chosen nodes are carried along without one
 * (complement.h).
 */
#ifndef SADDLE_BENCH_PARTIAL_H
#define SADDLE_BENCH_PARTIAL_H

#include "ldlt/complement.h"

typedef struct saddle__partial_request {
    saddle_ordering ordering;
    const signed char *late;   /* n, of saddle__late, or NULL; not looked at where chosen */
    const signed char *chosen; /* n, nonzero: kept for S */
    int64_t threads;           /* of factor and form, at most; 0 = 1 */
    double most_entries; /* SADDLE_TOO_LARGE where S's lower triangle may have more; 0 = no limit */
} saddle__partial_request;

/* A block of K: its entries are K's at `source`. */
typedef struct saddle__partial_block {
    saddle_matrix matrix;
    int64_t *source;
} saddle__partial_block;

typedef struct saddle__partial {
    saddle_context *context;
    int64_t n;                     /* of K */
    int64_t eliminated, chosen;    /* of its nodes */
    int64_t *node;                 /* n: those eliminated, then the chosen ones, each ascending */
    saddle__partial_block A, B, C; /* eliminated x eliminated, eliminated x chosen, chosen x
                                      chosen */
    saddle__ldlt *engine;          /* of A */
    saddle__ldlt_complement *rows; /* B over it */
    saddle_matrix S;               /* chosen x chosen, lower triangle */
    signed char *sign;             /* eliminated: the pivot rule's */
    double *scale;                 /* eliminated: the pivot rule's */
    double *work;                  /* n */
} saddle__partial;

/* K: symmetric, its pattern only.  partial: all-zero or cleared.  SADDLE_OUT_OF_MEMORY,
 * SADDLE_TOO_LARGE; SADDLE_SINGULAR: A has no entries. */
saddle_status saddle__partial_analyse(saddle_context *context, const saddle_matrix *K,
                                      const saddle__partial_request *request,
                                      saddle__partial *partial);

/* Factors A: rule's arrays are K's (n).  Allocates nothing.  SADDLE_SINGULAR as
 * saddle__ldlt_factor; a node in counts is one of K's. */
saddle_status saddle__partial_factor(saddle__partial *partial, const saddle_matrix *K,
                                     const saddle__pivot_rule *rule, saddle__factor_counts *counts);

/* S's values after factor. */
void saddle__partial_form(saddle__partial *partial);

/* x (n, by K's nodes): as above, around a solve with S whose right-hand side and solution are the
 * chosen nodes' x. */
void saddle__partial_condense(saddle__partial *partial, double *x);
void saddle__partial_expand(saddle__partial *partial, double *x);

void saddle__partial_clear(saddle__partial *partial); /* half-built ones are fine */

#endif
