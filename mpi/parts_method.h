/* SPDX-License-Identifier: MIT */
/* MUMPS over parts behind the table of factorizations (lib/factor/factorization.h).
 *
 * Each process of a view gives the entries of K that its own problem has, in the view's numbers
 * (velocities, then rows; context->parts->user is the view), as a solver of one process forms K;
 * the matrix factored is the sum.  A right-hand side is read at the own entries, and the solution
 * is written wherever it is seen. */
#ifndef SADDLE_MPI_PARTS_METHOD_H
#define SADDLE_MPI_PARTS_METHOD_H

#include "factor/factorization_internal.h"

extern const saddle__factor_method saddle__factor_parts;

#endif
