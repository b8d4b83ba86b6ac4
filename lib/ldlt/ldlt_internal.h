/* SPDX-License-Identifier: MIT */
/* The engine's object and the functions shared by the files of this folder. */
#ifndef SADDLE_LIB_LDLT_INTERNAL_H
#define SADDLE_LIB_LDLT_INTERNAL_H

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/unset.h"
#include "ldlt/complement.h"
#include "ldlt/ldlt.h"
#include "ldlt/kernels.h"
#include "ldlt/tasks.h"

enum {
    SADDLE__LDLT_TILE = 256 /* columns of a front processed at once, by one thread */
};

/* Supernodes begin .. end - 1, factored by one thread in sequence: subtrees side by side under one
 * parent (-1 = roots). */
typedef struct saddle__ldlt_job {
    int64_t begin, end, parent;
    int64_t need[2]; /* doubles of its updates in each arena */
} saddle__ldlt_job;

/* Applies the pivot rule and counts pivots, one object a thread; the counts are summed at the end.
 */
struct saddle__pivot_state {
    const saddle__pivot_rule *rule;
    const int64_t *order;    /* n: node at each position */
    double *pivot;           /* n: D, written */
    double *inverse;         /* n: 1 / D, written */
    int64_t positive, zero;  /* pivots */
    int64_t perturbed;       /* pivots replaced */
    int64_t first_perturbed; /* position; INT64_MAX = none */
    double least, most;      /* |pivot| over its scale */
    int64_t failed_at; /* position of the first pivot without a replacement; INT64_MAX = none */
    double failed;     /* the value of that pivot */
};

/* Data of one thread, kept apart by more than a cache line. */
typedef struct saddle__ldlt_lane {
    saddle__pivot_state pivoting;
    double *work; /* lane_size: for products */
    char apart[128];
} saddle__ldlt_lane;

/* A supernode s eliminates the k columns first[s] .. first[s+1] - 1 and has u rows below.  The
 * block of L is stored by columns with leading dimension k + u: a k x k block, L's below the
 * diagonal, above a u x k block.  The update, u x u, lower triangle, goes to the parent.
 *
 * L D U has two sides, of A and of A' = U'D L': blocks of L and of U', updates and their
 * transposes, in arrays of the same layout.  L D L' has one. */
struct saddle__ldlt {
    saddle_context *context;
    int64_t n;
    int64_t entries; /* of A's lower triangle */
    int sides;       /* 1: L D L', 2: L D U */
    saddle__ldlt_size size;
    /* memory of the arrays: by node; by supernode; by row and by entry of A; of factor and solve */
    saddle__layout nodes, by_supernode, indices, numbers;

    int64_t *order;    /* n: node at each position */
    int64_t *position; /* n: position of each node */

    int64_t supernodes;
    int64_t isolated; /* the first so many supernodes are single columns without rows or children */
    int64_t *first;   /* supernodes + 1 */
    int64_t *parent; /* supernodes; -1 = root.  Children come before parents, subtrees in one run */
    int64_t *child;  /* supernodes: first child, -1 = none */
    int64_t *sibling;   /* supernodes: next child of the same parent, -1 = none */
    int64_t *tree;      /* supernodes: first supernode of the subtree that ends here */
    int32_t *supernode; /* n: the supernode of each position */

    int64_t *row_start; /* supernodes + 1 */
    int32_t *row;       /* row_start[supernodes]: positions of the rows below, ascending */
    int32_t *relative;  /* the same: place of each row in the parent's front */
    int32_t *run;       /* the same: number of consecutive places from each row on */

    int64_t *entry_start;   /* supernodes + 1: entries of A assembled by s */
    uint32_t *entry_source; /* ... the entry of A */
    uint32_t *entry_upper;  /* ... and the entry across the diagonal; of L D L' the same memory */
    /* ... the place in s' block of L, or in the work array of a small front */
    uint32_t *entry_target;

    int64_t *value_start; /* supernodes + 1 */
    double *value;        /* the blocks of L */
    double *upper;        /* the blocks of U'; of L D L' the same memory */
    double *pivot;        /* n: D by position; 0 = dropped */
    double *inverse;      /* n: 1 / D; 0 = dropped */

    int64_t *update_start; /* supernodes: where s' update lies in `update` */
    double *update;        /* arenas for even and odd depth, one behind the other */
    double *upper_update;  /* the same of the other side; of L D L' the same memory */

    const saddle__small_kernels *small;
    int64_t threads; /* 1 where more would not pay */
    int64_t jobs;
    saddle__ldlt_job *job;
    /* supernodes above the cut: jobs and such supernodes directly below; others: 0 */
    int64_t *below;
    _Atomic int64_t *pending; /* the same: how many of them are unfinished */
    int64_t arena[2];         /* doubles of each */
    int64_t lane_size;
    saddle__ldlt_lane *lane; /* threads */
    double *work;            /* threads x lane_size */
    int64_t scratch;         /* bytes from `update` to the end of `work`: free outside of factor */

    int64_t widest_update; /* largest u */
    double *rhs;           /* n x SADDLE__FACTOR_BLOCK, by rows */
    double *gathered;      /* widest_update x SADDLE__FACTOR_BLOCK */
    int64_t *reach;        /* supernodes */
    int64_t *path;         /* supernodes */
    int64_t *mark;         /* supernodes: those visited in this call carry stamp */
    int64_t stamp;
};

/* ---- analyse ---- */

/* Neighbours of each node in both triangles, without the node itself and without duplicates. */
typedef struct saddle__graph {
    int64_t nodes;
    int64_t *start; /* nodes + 1 */
    int32_t *node;
} saddle__graph;

/* Whether the elimination of x may fill the pivot of the constrained y. */
static inline int saddle__ldlt_fills(const signed char *late, int64_t x, int64_t y)
{
    return late[y] != SADDLE__AFTER_OTHER_KIND || late[x] != SADDLE__AFTER_OTHER_KIND;
}

/* partner (nodes): the node each constrained node must follow, -1 = none. */
saddle_status saddle__ldlt_match(saddle_context *context, const saddle__graph *g,
                                 const signed char *late, int64_t *partner);

/* An order and the structure of L under the order: by columns, from CHOLMOD, in a postorder; or by
 * runs, columns with the same rows below the last column, a run before its parent. */
typedef struct saddle__ordered {
    int64_t *order; /* n: node at each position; parent and count follow in the same memory */
    double entries; /* of L */
    double flops;   /* sum of the squares of L's column counts */
    int metis;
    int eager;
    int64_t *parent;     /* n: elimination tree by position, -1 = root; unset where runs > 0 */
    int64_t *count;      /* n: entries of L's columns with the diagonal, by position; the same */
    int64_t runs;        /* 0 = known by columns */
    int32_t *run_begin;  /* runs + 1: first position; the next three in the same memory */
    int32_t *run_parent; /* runs: -1 = root */
    int32_t *run_rows;   /* runs: number of rows below */
    int32_t *run_list;   /* runs: begin of the rows in list */
    int32_t *list;       /* nodes */
} saddle__ordered;

/* ordered->order, entries, flops and runs by minimum degree; no runs: given up, A is not sparse
 * enough.  g: of A; late: NULL = none; only: no other ordering follows, degrees may grow larger. */
saddle_status saddle__minimum_degree(saddle_context *context, const saddle__graph *g,
                                     const signed char *late, int only, saddle__ordered *ordered);

saddle_status saddle__ordered_make(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ordered *ordered);

/* half-built objects are fine */
void saddle__ordered_clear(saddle_context *context, saddle__ordered *ordered);

/* ---- factor ---- */

/* The data of the calling thread. */
static inline saddle__ldlt_lane *saddle__ldlt_lane_of(const saddle__ldlt *F)
{
    return &F->lane[F->threads > 1 ? saddle__tasks_thread() : 0];
}

static inline void saddle__ldlt_keep_pivot(saddle__pivot_state *p, int64_t position, double d,
                                           double share)
{
    p->pivot[position] = d;
    p->inverse[position] = 1.0 / d;
    p->positive += d > 0.0;
    if (share < p->least) p->least = share;
    if (share > p->most) p->most = share;
}

/* Replaces or drops a vanished or non-finite pivot, by the rule.  0 = neither is allowed: the
 * factorization ends. */
int saddle__ldlt_odd_pivot(saddle__pivot_state *p, int64_t position, double d);

/* Accepts d as the pivot at `position`, writes D and D^-1; 0 as above. */
static inline int saddle__ldlt_pivot(saddle__pivot_state *p, int64_t position, double d)
{
    double scale = p->rule->scale ? p->rule->scale[p->order[position]] : 1.0;
    double size = d < 0.0 ? -d : d;
    if (!(size > 0.0 && size >= p->rule->smallest * scale && size <= DBL_MAX))
        return saddle__ldlt_odd_pivot(p, position, d);
    saddle__ldlt_keep_pivot(p, position, d, scale > 0.0 ? size / scale : (double)INFINITY);
    return 1;
}

/* P, Q (rows x columns, leading dimension ld, lower trapezoids of a matrix and its transpose) <- L
 * and U' with P = L D U11, Q = U'D L11', the first column at `position`; the diagonal and the part
 * above are left undefined.  Q = P: symmetric.  Returns the column whose pivot failed, or -1. */
int64_t saddle__ldlt_eliminate(saddle__ldlt_lane *lane, int64_t position, int64_t rows,
                               int64_t columns, double *P, double *Q, int64_t ld);

/* L11, unit lower triangular, and D. */
typedef struct saddle__ldlt_triangle {
    const double *L;
    int64_t ld;
    const double *pivot, *inverse; /* D and D^-1; both NULL = the identity */
} saddle__ldlt_triangle;

/* X (rows x columns, leading dimension ldx) <- X L11'^-1 D^-1 */
void saddle__ldlt_divide(const saddle__ldlt_lane *lane, int64_t rows, int64_t columns,
                         const saddle__ldlt_triangle *L11, double *X, int64_t ldx);

/* C (rows x columns, lower trapezoid, leading dimension ldc) <- C - A D B(0 .. columns - 1)' with A
 * and B rows x depth; the part above the diagonal may be overwritten. */
static inline void saddle__ldlt_subtract(const saddle__ldlt_lane *lane, int64_t rows,
                                         int64_t columns, int64_t depth, const double *A,
                                         const double *B, int64_t ld, const double *pivot,
                                         double *C, int64_t ldc)
{
    saddle__product p = {.rows = rows,
                         .columns = columns,
                         .depth = depth,
                         .A = A,
                         .lda = ld,
                         .B = B,
                         .ldb = ld,
                         .D = pivot,
                         .C = C,
                         .ldc = ldc,
                         .lower = 1,
                         .work = lane->work};
    saddle__product_subtract(&p);
}

/* SADDLE_SINGULAR by pivot d of column i. */
static inline saddle_status saddle__pivot_failed(saddle_context *context, int64_t i, double d,
                                                 saddle__factor_counts *counts)
{
    counts->failed_column = i;
    return saddle_fail(context, SADDLE_SINGULAR, "the pivot of column %lld %s (%g)",
                       (long long)i + 1, isfinite(d) ? "vanished" : "overflowed", d);
}

#endif
