/* SPDX-License-Identifier: MIT */
/* Bounds and contacts over parts: M stays in parts, the rows are the first process'.
 *
 *     W = J M^-1 J' + R,  q = J M^-1 f - b     W dense, by MUMPS' Schur complement (mass.h)
 *     W lambda + q = w, the rows' laws         by the solver of the name, in the first process
 *     v = M^-1 (f + J'lambda)                  by all
 *
 * and the checker over parts.  W is dense and each of its rows acts on all impulses, m numbers: so
 * the projections are where W is. */
#ifndef SADDLE_MPI_ROWS_H
#define SADDLE_MPI_ROWS_H

#include "view.h"

/* 1: at most 1000 rows, or W with no more entries than M.  Collective. */
int saddle__rows_are_few(const saddle__view *view);

/* Collective; the arguments and *done as of saddle__equations_solve; start: the whole, of the first
 * process.  Not taken: equations alone by auto, all by ldlt and lu, the condition number, M or R
 * that are not marked symmetric, rows that are not few.  *done = 0 too where M is not positive
 * definite, and where the answer has no verdict yet: rows that contradict each other, or a residual
 * above the tolerance at the end. */
saddle_status saddle__rows_solve(saddle__view *view, const saddle_problem *named, const char *name,
                                 saddle_options *options, const saddle_solution *start,
                                 saddle_solution *solution, saddle_report *report, int *done);

#endif
