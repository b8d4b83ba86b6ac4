/* SPDX-License-Identifier: MIT */
/* Constraint rows on trees of hinges at rest, solved for accelerations: with the recursion in place
 * of M_r, and with M_r formed and factored. */
#ifndef SADDLE_BENCH_TREE_SOLVE_H
#define SADDLE_BENCH_TREE_SOLVE_H

#include "saddle/saddle.h"

enum { TREE_SOLVE_POINTS = 10, TREE_SOLVE_ROWS = 2 + 2 * TREE_SOLVE_POINTS };

/* The rows of a mechanism: its last link is closed to the world in the plane (2), and points of
 * links, spread evenly, touch the world: with friction (2 each, the box law), or else held (1 each,
 * an equality). */
typedef struct tree_solve_rows {
    int64_t count;
    saddle_tree_row row[TREE_SOLVE_ROWS];
    int64_t contacts;
    saddle_contact contact[TREE_SOLVE_POINTS];
} tree_solve_rows;

void tree_solve_draw(int64_t links, int friction, tree_solve_rows *rows);

/* The median processor time of forming, factoring and solving [s], the tree placed.  recursion: 1 =
 * saddle_tree_mass_operator, 0 = M_r.  ddq (coordinates): the accelerations.  A positive status:
 * the time of a solve above the tolerance. */
saddle_status tree_solve_seconds(saddle_context *context, saddle_tree *tree, tree_solve_rows *rows,
                                 const char *solver, int recursion, double *median, double *ddq);

/* The same by ldlt on a chain of kept_chain.h, the rows (equalities) on its links. */
saddle_status tree_solve_kept_seconds(saddle_context *context, saddle_tree *chain, const double *q,
                                      const tree_solve_rows *rows, double *median, double *ddq);

#endif
