/* SPDX-License-Identifier: MIT */
/* The mass matrix as an operator of the host, known by its products alone and never formed: the
 * articulated-body recursion of a tree (saddle_tree_mass_operator), a matrix-free finite element
 * mesh, a factorization of the host's own.
 *
 *     M v - J'lambda = f,   J v + R lambda - b = w,   M symmetric positive definite, n x n
 *
 *     W = J M^-1 J' + R          by columns, with solve; or W = Z'Z + R with Z = L^-1 J', M = L L',
 *                                with half_solve; or all of J M^-1 J' with complement
 *     v = M^-1 (f + J'lambda)    with solve
 *
 *     saddle_delassus_create_by_operator (saddle/delassus.h)   W and q, for hosts that solve
 *     saddle_solver_set_mass             (saddle/solver.h)     for any solver, by name
 *
 * problem.M is not read where an operator is given; n x n without entries is enough, which a solver
 * without the operator refuses as singular.  W is stored dense, m (m + 1) / 2 entries: for few rows
 * on many velocities, or where M^-1 couples all.
 */
#ifndef SADDLE_MASS_OPERATOR_H
#define SADDLE_MASS_OPERATOR_H

#include "saddle/context.h"
#include "saddle/matrix.h"

SADDLE_BEGIN_DECLARATIONS

/* Start from {0}; all functions but half_solve and complement are required.  The functions return
 * a status.  A status other than SADDLE_OK ends the call of the library, which returns the status
 * with the message of saddle_fail.  Non-finite numbers in W or q, and a diagonal that is not
 * positive, end the call with SADDLE_SINGULAR. The functions are called by one thread at a time,
 * and only within calls of the object that holds the operator. */
typedef struct saddle_mass_operator {
    int64_t n;  /* velocities */
    void *user; /* of the functions; borrowed, outlives what holds the operator */
    /* x (n): b in, M^-1 b out */
    saddle_status (*solve)(void *user, double *x);
    /* y (n) = M x, x (n): for refinement and the residual */
    saddle_status (*multiply)(void *user, const double *x, double *y);
    /* d (n) = M_jj > 0: the units of the residual */
    saddle_status (*diagonal)(void *user, double *d);
    /* x (n): b in, L^-1 b out, of any factorization M = L L'; NULL: not available.  W then takes
     * half the time and loses half as many digits, and needs n x m numbers of memory */
    saddle_status (*half_solve)(void *user, double *x);
    /* S (m (m + 1) / 2) = J M^-1 J', the lower triangle by columns, as of a factorization that
     * forms Schur complements (of [M J'; J 0] with the other sign); Jt: J', n x m.  Called where R
     * is symmetric, in place of a product a row; one product with it is compared with solve's, and
     * SADDLE_INVALID_ARGUMENT where they differ by more than 0.01.  NULL: not available */
    saddle_status (*complement)(void *user, const saddle_matrix *Jt, double *S);
} saddle_mass_operator;

SADDLE_END_DECLARATIONS

#endif
