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

    double *rhs;          /* size x SADDLE__LDLT_BLOCK */
    double *correction;   /* size */
    double *modulus;      /* size */
    saddle__twofold *sum; /* size, with velocities: residuals in twice the working precision */
    double *best;         /* size */
    double *norm;         /* size: sum_j |K_ij| d_j */
    double *unit;         /* size: d = scale^-1/2 */

    saddle__active_counts counts;
};

/* ---- update.c ---- */

/* K factored for the rows that are in.  Where that is singular, rows that
 * were not in `before`, or any that toggle (may_leave), are taken out, and removals undone; changes
 * (NULL where count = 0) are marked. */
saddle_status saddle__active_refactor(saddle__active_rows *A, int64_t count,
                                      saddle__active_change *changes, int may_leave);

/* The same for a set that stays as it is. */
saddle_status saddle__active_renew(saddle__active_rows *A);

/* Row i into the factor or out of it.  1 = done, 0 = refused: nothing is
 * changed. */
int saddle__active_modify(saddle__active_rows *A, int64_t row, int in);

/* counts.factor_time, solve_time */
void saddle__active_foresee(saddle__active_rows *A);

/* MASK or MODIFY, by the times foreseen. */
saddle__active_method saddle__active_pick(saddle__active_rows *A, int64_t count,
                                          const saddle__active_change *changes);

/* ---- active_rows.c ---- */

/* X (size x count, leading dimension ld) <- K_A^-1 X; zero in rows that are out. */
void saddle__active_apply(saddle__active_rows *A, int64_t count, double *X, int64_t ld);

/* kkt.K has the values at hand from now on. */
void saddle__active_write(saddle__active_rows *A);

/* x, a first solution for b, corrected as long as that helps; omega. */
double saddle__active_refine(saddle__active_rows *A, const double *b, double *x);

#endif
