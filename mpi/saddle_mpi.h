/* SPDX-License-Identifier: MIT */
/* Problems that the processes of an MPI communicator hold and solve together.
 *
 *     K = [M J'; J -R] = sum over the processes p of K_p,     f = sum of f_p,     b = sum of b_p
 *
 * Each process gives its own entries: the columns of M of its velocities, its rows of J with their
 * entries of R, b, bounds and contacts.  Entries that several processes give are added, as element
 * matrices are.  A process may have none.  In numbers of the whole, as a saddle_problem of the
 * whole sizes n and m, each process gets the whole answer:
 *
 *     MPI_Init(&argc, &argv);
 *     saddle_mpi_solve(MPI_COMM_WORLD, context, &part, NULL, NULL, NULL, &solution, &report);
 *
 * In numbers of its own, as a saddle_mpi_part, a process neither gives nor gets anything of the
 * whole sizes; the answer is at the velocities and rows of the part:
 *
 *     saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, NULL, NULL, NULL, &solution, &report);
 *
 * Which process holds what:
 *
 *     equations alone, by     M, J, R and K stay in parts: each process gives MUMPS its own entries
 *     ldlt, lu or auto        and forms its own part of products and residuals.  Process p of P
 *                             owns the velocities from about p n / P to (p + 1) n / P and the rows
 *                             likewise, and holds vectors at these and where its entries reach; the
 *                             more the entries are of the process' own numbers, the less it holds
 *                             and sends.  The graph of K is in the last process while MUMPS orders
 *                             it.
 *     many rows with bounds   The same, by admm, K with its penalty; each process projects the rows
 *     or contacts, by auto;   that it owns.  Many: more than few, as below.  No steps of Newton's.
 *     any by admm
 *     few rows, by auto with  M stays in parts, is factored by MUMPS in all and multiplied by all.
 *     bounds or contacts, or  J, R, W = J M^-1 J' + R, dense, the solver of W lambda + q = w and
 *     by another solver       its vectors are in the first process (saddle_solver_set_mass), m x m
 *                             numbers in the last while MUMPS factors.  Few: 1000, or no more
 *                             entries of W, m (m + 1) / 2, than M has.
 *     all else                M, J and R are gathered in the first process, where the solver and
 *                             vectors are; its factorizations are MUMPS', shared by all.
 *
 * The checker is distributed as the vectors of equations are, in the first three ways.
 *
 * The last way: saddle_options.settings with equations alone; condition; M or R not marked
 * SADDLE_SYMMETRY_LOWER in parts, but by admm; and all answers of the others that have no verdict:
 * K or M singular or indefinite, rows that contradict others, a tolerance not reached with bounds
 * or contacts, by admm over parts after 2,000 steps of auto or 10,000 of admm;
 * options.max_iterations of admm over parts, where set, is final.  (A setting may name another
 * factorization, which then runs in the first process alone.)  Any built-in solver can be named.
 *
 * Options by the first three ways: the orderings BEST and NATURAL count as METIS, in whose place a
 * MUMPS that is built without METIS takes another (Debian's: PORD); the progress function and
 * time_limit are the first process'.  By the first: refine_to counts as 0; ldlt takes no more than
 * options.regularization; time_limit is of the refinement, the progress function is asked before
 * each phase and between refinements.
 *
 * All functions but saddle_mpi_part_clear are collective: each process of the communicator calls,
 * in the same order.  The status and the message are the same in all; a failure of one process,
 * such as memory, or a part or a sum that saddle_problem_check refuses, is a failure of all, and
 * the message names the process, unless it is the first (0), or another one that lacks memory for
 * MUMPS in the last way.  A process that ends is the business of MPI's error handler, by default
 * the end of all.
 *
 * Reference: Amestoy, Duff, L'Excellent, Koster, A fully asynchronous multifrontal solver using
 * distributed dynamic scheduling, SIAM J. Matrix Anal. Appl. 23(1), 2001 (MUMPS). */
#ifndef SADDLE_MPI_H
#define SADDLE_MPI_H

#include <mpi.h>

#include "saddle/saddle.h"

SADDLE_BEGIN_DECLARATIONS

/* Solves the sum of the parts.
 *
 * context: of this process, not NULL, of no other communicator at the same time.  part: borrowed;
 * n, m, law, facets and the symmetry of M and R equal in all processes (a matrix without entries
 * may say either); lo and hi: the part's own rows, -INFINITY and +INFINITY (or NULL) elsewhere;
 * names and row_id: the first process'.  name, options, start: the first process' count; NULL name
 * = "auto"; options.threads counts as 1.  solution: all-zero or made for n, m; the whole v, lambda,
 * w in every process.  report (NULL is fine): the same in all processes.
 *
 * The statuses of saddle_solve; SADDLE_INVALID_ARGUMENT: sizes differ, or MPI is not running. */
SADDLE_API saddle_status saddle_mpi_solve(MPI_Comm processes, saddle_context *context,
                                          const saddle_problem *part, const char *name,
                                          const saddle_options *options,
                                          const saddle_solution *start, saddle_solution *solution,
                                          saddle_report *report);

/* ---- parts in numbers of their own ---- */

typedef struct saddle_mpi_part {
    int64_t n, m;       /* of the whole problem */
    saddle_problem own; /* with the entries of this process, on the velocities and rows of these
                           entries alone: own.n, own.m; Jt is own.n x own.m, also without entries */
    int64_t *velocity;  /* own.n: numbers of the velocities in the whole problem, from 0, ascending;
                           NULL: own.n = n, numbered as in the whole */
    /* own.m: the same of rows, those of a contact in sequence; NULL: own.m = m */
    int64_t *row;
    saddle_problem named;    /* of the first process: names and row_id of the whole, nothing else is
                                read; all zero = without names */
    saddle_context *context; /* of the lists made by saddle_mpi_part_make; NULL: the lists are the
                                caller's */
} saddle_mpi_part;

/* saddle_mpi_solve for such parts. part: borrowed; several processes may list the same velocity or
 * row; a velocity or row without entries needs no list. start: own.n and own.m numbers, from any of
 * the processes; for entries listed by several processes the last one counts, entries in no list
 * are 0; NULL: none. solution: all-zero or made for own.n, own.m; v, lambda and w of all velocities
 * and rows of the part.  SADDLE_INVALID_ARGUMENT: a list that does not ascend, or is not within n
 * or m; a start of another size, or not finite. */
SADDLE_API saddle_status saddle_mpi_solve_part(MPI_Comm processes, saddle_context *context,
                                               const saddle_mpi_part *part, const char *name,
                                               const saddle_options *options,
                                               const saddle_solution *start,
                                               saddle_solution *solution, saddle_report *report);

/* Makes a saddle_mpi_part from a part in numbers of the whole (given, borrowed): entries stay where
 * they are, f, b, bounds and contacts go to the owners; names are those of the first process. part:
 * owned, to be cleared; lists the velocities and rows with entries, and those owned by the process.
 */
SADDLE_API saddle_status saddle_mpi_part_make(MPI_Comm processes, saddle_context *context,
                                              const saddle_problem *given, saddle_mpi_part *part);

/* part: of saddle_mpi_part_make; a part with arrays of the caller is left unchanged. */
SADDLE_API void saddle_mpi_part_clear(saddle_mpi_part *part);

/* The whole answer in the first process, all-zero or made for n, m there and not read elsewhere
 * (NULL is fine). mine: of saddle_mpi_solve_part.  Entries of the answer in no list are 0. */
SADDLE_API saddle_status saddle_mpi_collect(MPI_Comm processes, saddle_context *context,
                                            const saddle_mpi_part *part,
                                            const saddle_solution *mine, saddle_solution *whole);

/* ---- the whole ---- */

/* The sum of the parts in the first process, owned by its context; n = m = 0 in the others. */
SADDLE_API saddle_status saddle_mpi_gather(MPI_Comm processes, saddle_context *context,
                                           const saddle_problem *part, saddle_problem *whole);

/* Reads a share of a bundle (docs/formats.md): each process reads and keeps a run of whole lines of
 * M, J and R, divided by bytes; the first process has the vectors and contacts. */
SADDLE_API saddle_status saddle_mpi_read(MPI_Comm processes, saddle_context *context,
                                         const char *folder, saddle_problem *part);

/* saddle_residual_compute of the sum of the parts; each process measures the velocities and rows it
 * owns. v (n), lambda (m): whole, equal in all processes.  Where several processes have the same
 * entry of M, J or R, the moduli of their entries are added. */
SADDLE_API saddle_status saddle_mpi_residual(MPI_Comm processes, saddle_context *context,
                                             const saddle_problem *part, const double *v,
                                             const double *lambda, saddle_residual *residual);

SADDLE_END_DECLARATIONS

#endif
