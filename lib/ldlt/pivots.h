/* SPDX-License-Identifier: MIT */
/* The pivots of a factorization L D L': the caller's rule, and the counts reported. */
#ifndef SADDLE_LIB_PIVOTS_H
#define SADDLE_LIB_PIVOTS_H

#include <math.h>

#include "saddle/matrix.h"
#include "saddle/report.h"

enum { SADDLE__FACTOR_BLOCK = 16 }; /* right-hand sides solved together */

typedef struct saddle__factor_counts {
    saddle_inertia inertia; /* of A as factored: dropped pivots count as zero, with "ldlt" replaced
                               pivots of null vectors too; unknown for "umfpack" and "klu" */
    int64_t perturbed_pivots; /* vanished pivots that were replaced or dropped */
    int64_t first_perturbed;  /* in the order of elimination [zero-based]; -1 = none */
    int64_t first_zero;       /* the first pivot that counts as zero [zero-based]; -1 = none, or not
                                 determined */
    int64_t entries;          /* nonzeros of L (and D), or of L + U */
    double flops;             /* of the factorization */
    int64_t peak_bytes;       /* of the library behind */
    int64_t failed_column;    /* of SADDLE_SINGULAR [zero-based]; -1 = none, or unknown */
    double least_pivot;       /* smallest |pivot|: over scale if the rule has one, else over the
                                 largest [-] */
} saddle__factor_counts;

/* The treatment of a pivot d_i that vanished: |d_i| < smallest * scale_i, or d_i = 0 ("ldlt" and
 * "cholmod"). */
typedef struct saddle__pivot_rule {
    const signed char *sign; /* n: +1 or -1 = the known sign of the pivot, 0 = the sign of d_i;
                                NULL = all 0 */
    const double *scale;     /* n: natural size of each pivot [as A's diagonal]; NULL = all 1 */
    double smallest;         /* [-] if scale is given */
    double replacement;      /* d_i becomes sign * replacement * scale_i; INFINITY drops the row and
                                the column (x_i = 0 in solutions); 0: SADDLE_SINGULAR */
    const double *added;     /* n: regularization in A's diagonal; NULL = 0.  "ldlt": a pivot of at
                                most 4 added_i with no entry left in the column counts as zero */
} saddle__pivot_rule;

/* Pivot d of unknown i by the rule: d itself, the replacement if d vanished (INFINITY: dropped), 0
 * if d vanished without replacement or is not finite. */
static inline double saddle__amended_pivot(const saddle__pivot_rule *rule, int64_t i, double d)
{
    double scale = rule->scale ? rule->scale[i] : 1.0;
    if (!isfinite(d)) return 0.0;
    if (d != 0.0 && fabs(d) >= rule->smallest * scale) return d;
    if (!(rule->replacement > 0.0)) return 0.0;
    int sign = rule->sign && rule->sign[i] != 0 ? rule->sign[i] : (d < 0.0 ? -1 : 1);
    double size = rule->replacement * scale;
    return sign * (size > 0.0 ? size : rule->replacement);
}

/* Constraints on the order of elimination: a node with A_ii = 0 is eliminated after a neighbour,
 * which fills its pivot. */
enum saddle__late {
    SADDLE__ANY_TIME = 0,
    SADDLE__AFTER_NEIGHBOUR = 1, /* A_ii = 0 */
    SADDLE__AFTER_OTHER_KIND = 2 /* the same, and the block of such nodes may be singular (of R):
                                    the neighbour must not be of this kind */
};

/* The constrained ordering of "ldlt", strict or relaxed.
 *
 *     strict (PATIENT)    each constrained node is eliminated after a neighbour of its own, found
 *                         by a bipartite matching
 *     relaxed (EAGER)     several constrained nodes may follow one group of neighbours: as many as
 *                         the group has velocities (LESS_EAGER: one less)
 *
 * A relaxed order needs fewer flops on meshes with a row per element, and leaves more to
 * regularization and refinement (ldlt/order.c); the order is taken where many flops are saved. */
typedef enum saddle__eagerness {
    SADDLE__PATIENT = 0,
    SADDLE__EAGER = 1,
    SADDLE__LESS_EAGER = 2
} saddle__eagerness;

#endif
