/* SPDX-License-Identifier: MIT */
/* The engine's object, shared by the files of this folder. */
#ifndef SADDLE_LIB_LDLT_INTERNAL_H
#define SADDLE_LIB_LDLT_INTERNAL_H

#include <float.h>
#include <math.h>
#include <stdatomic.h>

#include "base/unset.h"
#include "ldlt/complement.h"
#include "ldlt/ldlt.h"
#include "ldlt/kernels.h"
#include "ldlt/tasks.h"

enum {
    SADDLE__LDLT_TILE = 256 /* columns of a front that are worked on at once, and by one thread */
};

/* Supernodes begin .. end - 1, subtrees side by side under one parent (-1 = roots), that one thread
 * does in a row. */
typedef struct saddle__ldlt_job {
    int64_t begin, end, parent;
    int64_t need[2]; /* doubles of its updates in each arena */
} saddle__ldlt_job;

/* Where the rule is applied to pivots as they come.  Each thread has one; the sums are joined at
 * the end. */
struct saddle__pivoting {
    const saddle__pivot_rule *rule;
    const int64_t *order;    /* n: node at each position */
    double *pivot;           /* n: D, written */
    double *inverse;         /* n: 1 / D, written */
    int64_t positive, zero;  /* pivots */
    int64_t perturbed;       /* pivots replaced */
    int64_t first_perturbed; /* position; INT64_MAX = none */
    double least, most;      /* |pivot| over its scale */
    int64_t failed_at; /* position of the first pivot that could not be had; INT64_MAX = none */
    double failed;     /* that pivot */
};

/* What a thread of its own needs, kept apart by more than a line of the cache. */
typedef struct saddle__ldlt_lane {
    saddle__pivoting pivoting;
    const saddle__product_kernel *kernel;
    double *work; /* lane_size: for products */
    char apart[128];
} saddle__ldlt_lane;

/* A supernode s eliminates the k columns first[s] .. first[s+1] - 1; below them it has u rows.  Its
 * block of L is stored by columns with leading dimension k + u: k x k, of which the part below the
 * diagonal is L's, on top of u x k. It leaves an update of u x u, lower triangle, to its parent. */
struct saddle__ldlt {
    saddle_context *context;
    int64_t n;
    saddle__ldlt_size size;
    void *numbers; /* the block that value to mark lie in */

    int64_t *order;    /* n: node at each position */
    int64_t *position; /* n: position of each node */

    int64_t supernodes;
    int64_t loose;   /* so many supernodes at the beginning are single columns without rows or
                        children */
    int64_t *first;  /* supernodes + 1 */
    int64_t *parent; /* supernodes; -1 = root.  Children come before parents, subtrees in one run */
    int64_t *child;  /* supernodes: first child, -1 = none */
    int64_t *sibling;   /* supernodes: next child of the same parent, -1 = none */
    int64_t *tree;      /* supernodes: first supernode of the subtree that ends here */
    int32_t *supernode; /* n: the supernode of each position */

    int64_t *row_start; /* supernodes + 1 */
    int32_t *row;       /* row_start[supernodes]: positions of the rows below, ascending */
    int32_t *relative;  /* the same: where that row is in the parent's front */
    int32_t *run;       /* the same: rows from that one on that are side by side there */

    int64_t *entry_start;   /* supernodes + 1: entries of A that s assembles */
    uint32_t *entry_source; /* ... the entry of A */
    uint32_t *entry_target; /* ... where it goes in s' block of L; in the work array of a small
                               front */

    int64_t *value_start; /* supernodes + 1 */
    double *value;        /* the blocks of L */
    double *pivot;        /* n: D by position; 0 = dropped */
    double *inverse;      /* n: 1 / D; 0 = dropped */

    int64_t *update_start; /* supernodes: where s' update lies in `update` */
    double *update;        /* arenas for even and odd depth, one behind the other; or all of them */

    const saddle__small_kernels *small;
    int64_t threads; /* 1 where more would not pay */
    int64_t jobs;
    saddle__ldlt_job *job;
    int64_t *below; /* supernodes above the cut: jobs and such supernodes right below; others: 0 */
    _Atomic int64_t *pending; /* the same: those of them that are not done */
    int64_t arena[2];         /* doubles of each */
    int64_t lane_size;
    saddle__ldlt_lane *lane; /* threads */
    double *work;            /* threads x lane_size */

    int64_t widest_update; /* largest u */
    double *rhs;           /* n x SADDLE__LDLT_BLOCK, by rows */
    double *gathered;      /* widest_update x SADDLE__LDLT_BLOCK */
    int64_t *reach;        /* supernodes */
    int64_t *path;         /* supernodes */
    int64_t *mark;         /* supernodes: seen in this call carry stamp */
    int64_t stamp;
};

/* ---- analyse ---- */

/* Neighbours of each node, without itself, both triangles, none twice. */
typedef struct saddle__graph {
    int64_t nodes;
    int64_t *start; /* nodes + 1 */
    int32_t *node;
} saddle__graph;

/* The graph over labels (g->nodes of them, no -1): labels are neighbours where nodes of theirs
 * are. */
saddle_status saddle__graph_quotient(saddle_context *context, const saddle__graph *g,
                                     int64_t labels, const int64_t *label, saddle__graph *quotient);

/* half-built ones are fine */
void saddle__graph_clear(saddle_context *context, saddle__graph *g);

/* The graph that is ordered: nodes of A merged to groups that are eliminated together. */
typedef struct saddle__grouping {
    saddle__graph graph; /* over groups */
    int64_t *group;      /* n: of each node, -1 = a last one */
    int64_t *start;      /* groups + 1 */
    int64_t *member;     /* nodes by group */
    signed char *late;   /* groups: of their node, which is then the only one */
} saddle__grouping;

/* group and graph, in which each node that is not last is a group. */
saddle_status saddle__grouping_begin(saddle_context *context, const saddle_matrix *A,
                                     const signed char *last, saddle__grouping *grouping);

/* The groups. */
saddle_status saddle__grouping_make(saddle_context *context, const saddle_matrix *A,
                                    const signed char *late, saddle__grouping *grouping);

/* half-built ones are fine */
void saddle__grouping_clear(saddle_context *context, saddle__grouping *grouping);

/* label (vertices of g): one for all that have nearly the same neighbourhood; *labels of them.
 * weight: nodes in each. */
saddle_status saddle__graph_coarse_labels(saddle_context *context, const saddle__graph *g,
                                          const int64_t *weight, int64_t *label, int64_t *labels);

/* order (groups) changed so that constrained groups follow a neighbour that fills their pivots:
 * strictly, or relaxed, where saddle__ldlt_may_relax.  spared: nodes of a group that no constrained
 * group may follow, relaxed. */
saddle_status saddle__ldlt_constrain(saddle_context *context, const saddle__grouping *grouping,
                                     int relaxed, int64_t spared, int64_t *order);

/* Whether there are constrained groups, all of them SADDLE__AFTER_OTHER_KIND. */
int saddle__ldlt_may_relax(const saddle__grouping *grouping);

/* Whether the pivot of x, out, may fill that of the late y. */
static inline int saddle__ldlt_fills(const signed char *late, int64_t x, int64_t y)
{
    return late[y] != SADDLE__AFTER_OTHER_KIND || late[x] != SADDLE__AFTER_OTHER_KIND;
}

/* partner (nodes): whom each late node waits for, -1 = nobody, or it is not late. */
saddle_status saddle__ldlt_match(saddle_context *context, const saddle__graph *g,
                                 const signed char *late, int64_t *partner);

/* An order and what is known of L under it: by columns, from CHOLMOD, in a postorder; or by runs,
 * columns with the same rows below the last of them, a run before its parent. */
typedef struct saddle__ordered {
    int64_t *order; /* n: node at each position */
    double entries; /* of L */
    double flops;   /* sum of the squares of L's column counts */
    int metis;
    int eager;
    int64_t *parent;     /* n, or NULL: elimination tree by position, -1 = root */
    int64_t *count;      /* n, or NULL: entries of L's columns with the diagonal, by position */
    int64_t runs;        /* 0 = known by columns */
    int32_t *run_begin;  /* runs + 1: first position */
    int32_t *run_parent; /* runs: -1 = root */
    int32_t *run_rows;   /* runs: nodes below it */
    int32_t *run_list;   /* runs: where they are in list */
    int32_t *run_number; /* runs: the supernode it is the last part of, -1 = none: it was merged
                            into its parent */
    int32_t *list;       /* nodes */
} saddle__ordered;

/* ordered->order, entries, flops and runs by minimum degree; without runs: it was given up, A is
 * not that sparse. g: of A; late: NULL = none; only: nobody else would be asked, it is given up
 * later. */
saddle_status saddle__minimum_degree(saddle_context *context, const saddle__graph *g,
                                     const signed char *late, int only, saddle__ordered *ordered);

void saddle__ordered_forget_runs(saddle_context *context, saddle__ordered *ordered);

saddle_status saddle__ordered_make(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ordered *ordered);

/* half-built ones are fine */
void saddle__ordered_clear(saddle_context *context, saddle__ordered *ordered);

/* Supernodes out of columns: F->supernodes, loose, first, parent, child, sibling, tree, supernode,
 * the numbers of rows in row_start[1 ..], and F->order, F->position, in which the columns of a
 * supernode lie side by side. */
saddle_status saddle__ldlt_partition(saddle__ldlt *F, saddle__ordered *ordered,
                                     const signed char *last);

/* F->row, relative, entry_start, entry_source, entry_target */
saddle_status saddle__ldlt_structure(saddle__ldlt *F, const saddle_matrix *A,
                                     const saddle__ordered *ordered);

/* F->value_start, update_start, job, below, pending, arena, lane_size: the cut of the tree for
 * F->threads (which becomes 1 where more would not pay), and the places of all blocks */
saddle_status saddle__ldlt_plan(saddle__ldlt *F, double grain);

/* ---- factor ---- */

/* Of the thread that asks. */
static inline saddle__ldlt_lane *saddle__ldlt_lane_of(const saddle__ldlt *F)
{
    return &F->lane[F->threads > 1 ? saddle__tasks_thread() : 0];
}

static inline void saddle__ldlt_keep_pivot(saddle__pivoting *p, int64_t position, double d,
                                           double share)
{
    p->pivot[position] = d;
    p->inverse[position] = 1.0 / d;
    p->positive += d > 0.0;
    if (share < p->least) p->least = share;
    if (share > p->most) p->most = share;
}

/* A pivot that vanished or is not finite, as the rule has it.  0 = there is none to be had, it ends
 * here. */
int saddle__ldlt_odd_pivot(saddle__pivoting *p, int64_t position, double d);

/* Replaced pivots whose columns of L leave nothing to others are A's null vectors, not eigenvalues
 * of either sign: moved to inertia->zero. */
void saddle__ldlt_count_null(const saddle__ldlt *F, const saddle__pivot_rule *rule,
                             saddle__factor_counts *counts);

/* Takes d for the pivot at `position` and writes it and its inverse; 0 as above. */
static inline int saddle__ldlt_pivot(saddle__pivoting *p, int64_t position, double d)
{
    double scale = p->rule->scale ? p->rule->scale[p->order[position]] : 1.0;
    double size = d < 0.0 ? -d : d;
    if (!(size > 0.0 && size >= p->rule->smallest * scale && size <= DBL_MAX))
        return saddle__ldlt_odd_pivot(p, position, d);
    saddle__ldlt_keep_pivot(p, position, d, scale > 0.0 ? size / scale : (double)INFINITY);
    return 1;
}

/* P (rows x columns, leading dimension ld, lower trapezoid) <- L with P = L D L11', the first
 * column being at `position`; the diagonal and what is above it are left undefined.  The column
 * whose pivot failed, or -1. */
int64_t saddle__ldlt_eliminate(saddle__ldlt_lane *lane, int64_t position, int64_t rows,
                               int64_t columns, double *P, int64_t ld);

/* L11, unit lower triangular, and D. */
typedef struct saddle__ldlt_triangle {
    const double *L;
    int64_t ld;
    const double *pivot, *inverse; /* D and D^-1; inverse: NULL = not divided by D, pivot is 1 */
} saddle__ldlt_triangle;

/* X (rows x columns, leading dimension ldx) <- X L11'^-1 D^-1 */
void saddle__ldlt_divide(const saddle__ldlt_lane *lane, int64_t rows, int64_t columns,
                         const saddle__ldlt_triangle *L11, double *X, int64_t ldx);

/* C (rows x columns, lower trapezoid, leading dimension ldc) <- C - A D A(0 .. columns - 1)' with A
 * rows x depth; what is above the diagonal may be written too. */
void saddle__ldlt_subtract(const saddle__ldlt_lane *lane, int64_t rows, int64_t columns,
                           int64_t depth, const double *A, int64_t ld, const double *pivot,
                           double *C, int64_t ldc);

/* Supernode s, whose children are done: assembled, eliminated, its update made.  shared: other
 * threads of this parallel region help with a large one.  0: a pivot failed, which F->lane of this
 * thread tells. */
int saddle__ldlt_front(saddle__ldlt *F, int64_t s, const double *value, int shared);

/* Loose supernodes begin .. end - 1.  0: a pivot failed, as p tells. */
int saddle__ldlt_loose(const saddle__ldlt *F, int64_t begin, int64_t end, const double *value,
                       saddle__pivoting *p);

/* ---- solve ---- */

/* Entries of a vector, by A's nodes. */
typedef struct saddle__ldlt_entries {
    int64_t count;
    const int64_t *index;
    const double *value;
} saddle__ldlt_entries;

/* F->reach[begin .. end - 1] */
typedef struct saddle__ldlt_ways {
    int64_t begin, end;
} saddle__ldlt_ways;

/* F->rhs (by position) <- x = L^-1 P b where that is not zero by the pattern: in the supernodes
 * that are returned, each before its parent, which carry F->stamp.  drop: what comes to a supernode
 * counts for nothing where the norm of x there, sqrt(sum x_i^2 / |D_ii|), is at most that part of
 * what it is in all before. */
saddle__ldlt_ways saddle__ldlt_forward_sparse(saddle__ldlt *F, const saddle__ldlt_entries *b,
                                              double drop);

/* F->rhs <- L'^-1 F->rhs in so many supernodes, each before its parent, and all its parents with
 * it. */
void saddle__ldlt_backward_along(saddle__ldlt *F, int64_t count, const int64_t *supernode);

/* ---- the Schur complement (complement.h) ---- */

/* "Stations" are the supernodes that B reaches, children first; "cliques" their trees. */
struct saddle__ldlt_complement {
    saddle_context *context;
    saddle__ldlt *F; /* borrowed */
    int64_t m;
    saddle__ldlt_complement_size size;

    int64_t stations;
    int64_t *supernode;    /* stations: ascending */
    int64_t *station;      /* supernodes of F: the station, -1 = not reached */
    int64_t *column_start; /* stations + 1 */
    int32_t *column;       /* columns of B that reach it, ascending, as places in the clique */
    int32_t *place;        /* ... and where they are among the parent's */

    int64_t *entry_start;  /* stations + 1: entries of B that are met here */
    int64_t *entry_source; /* ... the entry of B */
    int64_t *entry_target; /* ... where it goes in X */

    int64_t cliques;
    int64_t *clique_end; /* cliques: the station behind its root */
    int64_t *row_start;  /* cliques + 1 */
    int32_t *row;        /* columns of B in each clique, ascending */

    int64_t *update_start; /* stations: where V lies in `update` */
    double *update;        /* two stacks, as the engine's */
    double *block;         /* the largest X */
    double *weight;        /* most k: -side D^-1 */
    double *ones;          /* most k */
    int64_t work_size;
    double *work;    /* threads x work_size: of the products */
    int64_t threads; /* F's */
    int64_t panel_size;
    double *panel;  /* threads x panel_size: some columns of X D^-1 X' on the way to the clique */
    double *clique; /* the largest clique, both triangles reserved */
};

static inline int64_t saddle__station_columns(const saddle__ldlt_complement *c, int64_t i)
{
    return c->column_start[i + 1] - c->column_start[i];
}

static inline int64_t saddle__clique_rows(const saddle__ldlt_complement *c, int64_t t)
{
    return c->row_start[t + 1] - c->row_start[t];
}

enum {
    SADDLE__COMPLEMENT_SLICE = 384, /* rows of X, and columns of X D^-1 X', made at a time */
    SADDLE__COMPLEMENT_SMALL = 16   /* columns of B at a station that is done without BLAS */
};

#endif
