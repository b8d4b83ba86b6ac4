/* SPDX-License-Identifier: MIT */
/* The checker (saddle/residual.h) for solvers:
 *
 *     the error by which a solver stops, and whether a certificate excludes a solution
 *     the measure of a problem that several processes hold in parts, with their sums and maxima
 *     the natural units of velocities and rows
 *
 * The final status of a solve is decided in solvers/verdict.c. */
#ifndef SADDLE_LIB_VERDICT_H
#define SADDLE_LIB_VERDICT_H

#include "matrix/twofold.h"
#include "saddle/certificate.h"
#include "saddle/residual.h"

/* The measure by which solvers compare and stop: total, increased for growth, and <= tolerance
 * exactly if saddle_residual_is_solved. */
double saddle__error_of(const saddle_residual *residual, double tolerance);

/* 1: the answer is exact to rounding, but its terms are so large that rounding alone exceeds the
 * part of the data that a solved answer may leave.  Such an answer is right where W is nearly
 * singular, and wrong where rows contradict each other, which a certificate decides. */
int saddle__error_is_doubtful(const saddle_residual *residual, double tolerance);

/* 1: the certificate is a proof at this tolerance: its gap exceeds the part of the data that a
 * solved answer may leave (saddle_residual_is_overgrown), so that both exclude each other. */
int saddle__proof_stands(const saddle_proof *proof, double tolerance);

/* ---- problems in parts ----
 *
 * M, J and R are sums over processes.  A process holds its own entries, and sees the velocities and
 * rows of these entries.  Each velocity and row is owned by one of the processes that see it.
 * Vectors have the entries that the process sees, with equal values in all processes. */

typedef enum saddle__kind { SADDLE__VELOCITIES, SADDLE__ROWS } saddle__kind;

/* Of a problem of the velocities and rows that this process sees. */
typedef struct saddle__sums {
    void *user;
    int64_t n, m;             /* of the whole problem */
    const int64_t *name[2];   /* by kind: the number in the whole of each one seen, ascending */
    int64_t begin[2], end[2]; /* by kind: the range owned by this process, the only one with known
                                 bounds and contacts */
    /* x of one kind becomes the sum of the processes' contributions, or the least of them */
    void (*sum)(void *user, saddle__kind kind, double *x);
    void (*sum_twofold)(void *user, saddle__kind kind, saddle__twofold *x);
    void (*least)(void *user, saddle__kind kind, double *x);
    /* count numbers become the sums, or the largest, over all processes */
    void (*total)(void *user, int64_t count, double *x);
    void (*most)(void *user, int64_t count, double *x);
    /* the worst status of all, else the first process' */
    saddle_status (*agree)(void *user, saddle_status status);
} saddle__sums;

/* ---- for one process (parts = NULL) and several alike ---- */

/* The own entries of a vector of `count`. */
static inline int64_t saddle__own_begin(const saddle__sums *parts, saddle__kind kind)
{
    return parts ? parts->begin[kind] : 0;
}

static inline int64_t saddle__own_end(const saddle__sums *parts, saddle__kind kind, int64_t count)
{
    return parts ? parts->end[kind] : count;
}

/* x (count), a term of a sum that each process has: 0 but at the own entries. */
static inline void saddle__drop_others(const saddle__sums *parts, saddle__kind kind, int64_t count,
                                       double *x)
{
    for (int64_t k = 0; parts && k < parts->begin[kind]; k++) x[k] = 0.0;
    for (int64_t k = parts ? parts->end[kind] : count; k < count; k++) x[k] = 0.0;
}

static inline void saddle__add_parts(const saddle__sums *parts, saddle__kind kind, double *x)
{
    if (parts) parts->sum(parts->user, kind, x);
}

static inline void saddle__take_largest(const saddle__sums *parts, int64_t count, double *x)
{
    if (parts) parts->most(parts->user, count, x);
}

/* 1: `holds` is nonzero in some process. */
static inline int saddle__in_any(const saddle__sums *parts, int holds)
{
    double any = holds;
    saddle__take_largest(parts, 1, &any);
    return any > 0.0;
}

static inline saddle_status saddle__agree_on(const saddle__sums *parts, saddle_status status)
{
    return parts ? parts->agree(parts->user, status) : status;
}

/* The part of a measure that depends on M, J, R and f alone, kept in work; of a whole problem. */
typedef struct saddle__units {
    int known; /* 0: to be formed */
    int are_finite;
    double largest_sum; /* of |K|'s rows */
} saddle__units;

/* saddle_residual_compute; parts: NULL = the problem is whole; else collective, of the problem,
 * v, lambda and w that this process sees, and the same measure in all processes.  units: known only
 * with the work of a measure of the same M, J, R and f. */
void saddle__residual_of_parts(const saddle_problem *problem, const saddle__sums *parts,
                               saddle__units *units, const double *v, const double *lambda,
                               double *w, double *work, saddle_residual *residual);

/* ---- natural units of the unknowns, from diagonals ----
 *
 *     velocity j    m_j = |M_jj|                          measured in m_j^-1/2
 *     impulse i     d_i = |R_ii| + sum_j J_ij^2 / m_j     measured in d_i^-1/2, over j with a mass
 *
 * An unknown without a diagonal takes the unit from its couplings, the largest K_jk^2 over the
 * diagonal of the other, in eight rounds at most; two d_i with d_i d_k < 1e-8 R_ik^2
 * count as none.  The result is invariant under the units of the problem.  An unknown without a
 * coupling to one with a unit has none. */

/* inverse_mass (n): 1/m_j, delassus (m): d_i; 0 = none.  parts: NULL = the problem is whole. */
void saddle__natural_units(const saddle_problem *problem, const saddle__sums *parts,
                           double *inverse_mass, double *delassus);

/* The same, from 1/|M_jj| (0 if M_jj = 0) and the resulting d_i. */
void saddle__spread_units(const saddle_problem *problem, const saddle__sums *parts,
                          double *inverse_mass, double *delassus);

/* unit (n): |M_jj|^-1/2 by the natural units, 1 for a velocity without one; length (m): of the rows
 * of J in these units. */
void saddle__unit_lengths(const saddle_problem *problem, double *unit, double *length);

/* data (m) += a_i, the part of b_i within the bounds (saddle/residual.h); delassus (m): d;
 * lambda (m): the answer, which bounds the tangents of contacts; NULL: no bound on them. */
void saddle__add_asked(const saddle_problem *problem, const double *delassus, const double *lambda,
                       double *data);

/* Length of row i of J, velocity j in unit[j]; neither over- nor underflows where the length does
 * not. */
double saddle__unit_length(const saddle_matrix *Jt, const double *unit, int64_t i);

#endif
