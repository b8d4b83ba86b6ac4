/* SPDX-License-Identifier: MIT */
/* The object behind active_rows.h, shared by the files of this folder.  Nodes are unknowns as the
 * problem numbers them, velocity j or n + row i; positions are where the engine eliminates them. */
#ifndef SADDLE_LIB_ACTIVE_INTERNAL_H
#define SADDLE_LIB_ACTIVE_INTERNAL_H

#include "active/active_rows.h"
#include "ldlt/ldlt_internal.h"
#include "ldlt/part.h"
#include "matrix/twofold.h"
#include "matrix/whole_rows.h"
#include "problem/kkt.h"

/* Rows that are in, or out, other than in the factor, with a column each:
 *
 *     [ K_B  N ] [x]   [b]     a row that came:  N_t = row t of K over what K_B holds,  C_tu = K_tu
 *     [ N'   C ] [y] = [c]      a row that went:  N_t = e_t, which sets x_t = 0;  C_tt = 0
 *
 *     S y = c - Y'D^-1 u,   L'P x = D^-1 (u - Y y),   u = L^-1 P b,   Y = L^-1 P N,
 *         S = C - Y'D^-1 Y
 *
 * A slot holds a column of Y; it keeps it when its row leaves the border, for when that comes
 * back. */
typedef struct saddle__border {
    int64_t capacity;    /* slots */
    int64_t most_runs;   /* supernodes, and */
    int64_t most_values; /* ... columns in them, that a row reaches */
    int64_t *row;        /* capacity: of each slot, -1 = free */
    int64_t *slot;       /* m: of each row, -1 = none */
    int64_t *run_count;  /* capacity */
    int64_t *run;        /* capacity x most_runs: supernodes, each before its parent */
    double *Y;           /* capacity x most_values: entries of Y over those */
    double *S;           /* capacity x capacity: of all slots in use */
    int64_t count;       /* of slots that border K now */
    int64_t *member;     /* capacity: which, in the order they came */
    int64_t *place;      /* capacity: of each slot among them, -1 = not there */
    int64_t removals;    /* so far */
    int64_t oldest;      /* slot to look at first when a free one is wanted */
    double *factor;      /* capacity x capacity by rows: L of S over the members */
    double *pivot;       /* capacity: D */
    double *work;        /* capacity */
} saddle__border;

/* What it takes, in nanoseconds: see cost.c. */
typedef struct saddle__active_cost {
    double factor;         /* K */
    double solve;          /* one right-hand side */
    double *climb;         /* supernodes: one pass over L from there to the root */
    double touched, bound; /* entries of L used on the way of late, and those there were */
    double back;           /* part of the changes of late whose row had changed not long before */
    int64_t *changed;      /* m: number of changes when the row changed last; 0 = never */
} saddle__active_cost;

struct saddle__active_rows {
    saddle_context *context;
    saddle__active_method method;
    double tolerance;
    int64_t n, m, size; /* size = n + m */
    int factored;
    int fresh; /* nothing changed since the last factorization */

    signed char *toggles; /* m */
    signed char *in;      /* m: active */
    signed char *base;    /* m: in K as factored */
    signed char *before;  /* m: active before the changes at hand */
    signed char *leaves;  /* m: rows that may be taken out where the system is singular */

    saddle__kkt kkt;             /* of all candidates, as given */
    saddle__whole_rows beside;   /* without velocities: R beside its diagonal */
    saddle__part_kept part_kept; /* what is as it was when the part was factored last */
    double *own;                 /* m, without velocities: R_ii as given */
    double *diagonal;            /* m, without velocities: and what is kept, -K_ii */
    double *others;              /* m, without velocities: norm but for the diagonal */
    int written; /* kkt.K has the values at hand; without velocities, once somebody asks for it */
    double *masked;     /* its entries as factored */
    int64_t *row_start; /* m + 1 */
    int64_t *row_node;  /* entries of K in row n + i, but its diagonal: who is there */
    int64_t *row_entry; /* ... and which entry of K that is */
    double *added;      /* size */
    double *scale;      /* size */
    signed char *sign;  /* size */
    saddle__pivot_rule rule;
    int regularized; /* something was added at all */
    int massless; /* some velocity had something added to its mass: rows may be all that hold it */

    saddle__ldlt *F;    /* the part's, where there is one */
    saddle__part *part; /* without velocities: K of the rows that are in, by themselves; NULL =
                           none */
    int definite;       /* nothing was added to K, and all its pivots are known to be negative */
    int aside;          /* what is factored is the part's own, not F */
    double reached;     /* backward error that a fresh factor came to, the worst for the values at
                           hand */
    double doubt;       /* relative error that modifications may have left in F */

    int64_t *reach; /* supernodes: of the last walk */
    int64_t reach_count;
    int64_t *path; /* supernodes */
    int64_t *mark; /* supernodes: seen in this walk carry stamp */
    int64_t stamp;
    double *x;      /* size: by position, zero between calls */
    double *front;  /* most rows of a front */
    double *column; /* the same */

    saddle__border border;
    saddle__active_cost cost;

    double *rhs;          /* size x SADDLE__LDLT_BLOCK */
    double *correction;   /* size */
    double *modulus;      /* size */
    saddle__twofold *sum; /* size, with velocities: residuals in twice the working precision */
    double *best;         /* size */
    double *norm;         /* size: sum_j |K_ij| d_j */
    double *unit;         /* size: d = scale^-1/2 */

    saddle__active_counts counts;
    int64_t asked, solved; /* changes and right-hand sides so far */
};

/* ---- admit.c ---- */

/* Whether a row whose pivot behind all others is sigma may come in.  This and the next two write
 * A->rhs and A->correction. */
int saddle__active_may_come(saddle__active_rows *A, int64_t row, double sigma);

/* Whether an active row may go: none is needed where all velocities have mass. */
int saddle__active_may_go(saddle__active_rows *A, int64_t row);

/* Whether the pivot that an active row has behind all others is more than what was added to K. */
int saddle__active_is_held(saddle__active_rows *A, int64_t row);

/* z (size): the node's column of K_A^-1 as factored. */
void saddle__active_column(saddle__active_rows *A, int64_t node, double *z);

/* ---- tree.c: walks in the tree of supernodes ---- */

/* A->reach: supernodes on the way from row's own to the root; and, unless alone, from all it has
 * entries with. */
void saddle__active_walk(saddle__active_rows *A, int64_t row, int alone);

/* x <- what is left of it below columns [from, to) of supernode s after x <- L^-1 x there. */
void saddle__active_forward(saddle__active_rows *A, int64_t s, int64_t from, int64_t to);

/* x += row's entries in K_B but for its diagonal. */
void saddle__active_load(saddle__active_rows *A, int64_t row);

/* ---- mask.c ---- */

/* K factored for the rows that are in; the border is empty then.  Where that is singular, rows that
 * were not in `before`, or any that toggle (may_leave), are taken out, and removals undone; changes
 * (NULL where count = 0) are marked. */
saddle_status saddle__active_refactor(saddle__active_rows *A, int64_t count,
                                      saddle__active_change *changes, int may_leave);

/* The same for a set that stays as it is. */
saddle_status saddle__active_renew(saddle__active_rows *A);

/* ---- modify.c ---- */

/* Row i into the factor or out of it; the border is empty.  1 = done, 0 = refused: nothing is
 * changed. */
int saddle__active_modify(saddle__active_rows *A, int64_t row, int in);

/* ---- border.c ---- */

saddle_status saddle__border_create(saddle__active_rows *A, int64_t capacity);
void saddle__border_clear(saddle__active_rows *A);
void saddle__border_empty(saddle__active_rows *A); /* all slots free: the factor changed */

typedef enum saddle__bordered {
    SADDLE__BORDER_DONE,
    SADDLE__BORDER_REFUSED,
    SADDLE__BORDER_FULL
} saddle__bordered;
saddle__bordered saddle__border_change(saddle__active_rows *A, int64_t row, int in);

/* X (size x count, leading dimension ld) <- K_A^-1 X; zero in rows that are out. */
void saddle__active_apply(saddle__active_rows *A, int64_t count, double *X, int64_t ld);

/* ---- values.c ---- */

saddle_status saddle__active_values_create(saddle__active_rows *A);
void saddle__active_values_clear(saddle__active_rows *A);

/* Those of factor but the rule's: A->kkt.K or what stands for it, A->norm and A->unit. */
void saddle__active_values_set(saddle__active_rows *A, const saddle_problem *problem,
                               const saddle__active_values *values);

/* kkt.K has the values at hand from now on. */
void saddle__active_write(saddle__active_rows *A);

/* ---- solve.c ---- */

/* x, a first solution for b, corrected as long as that helps; omega. */
double saddle__active_refine(saddle__active_rows *A, const double *b, double *x);

/* ---- cost.c ---- */

saddle_status saddle__active_cost_create(saddle__active_rows *A);
void saddle__active_remember(saddle__active_rows *A, int64_t count,
                             const saddle__active_change *changes);
saddle__active_method saddle__active_pick(saddle__active_rows *A, int64_t count,
                                          const saddle__active_change *changes, double solves);

#endif
