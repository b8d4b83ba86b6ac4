/* SPDX-License-Identifier: MIT */
/* What a reduction holds, and the parts it is made of.
 *
 *     M' = Q'M Q, one column of M' at a time: X = M Q at that column, then Q'X.  No index but the
 *         pattern of M' is stored:
 *     a column is summed where its pattern says and collected along it.
 *
 *     ordinary column   an active velocity nobody follows: X is M's column, attached rows go to
 *         their roots   (0.27)
 *     panel   the columns of a root: X sums over all that follow it, 8 columns at a time
 *         (0.28 - 0.30)
 *
 * All columns of a root have the same rows (below the diagonal block, where M' is symmetric), so
 * that a panel is a dense array.  Of a symmetric M the lower triangle is stored: what an attached
 * velocity needs of the upper one is found through the mirror.
 */
#ifndef SADDLE_ATTACHMENTS_REDUCTION_H
#define SADDLE_ATTACHMENTS_REDUCTION_H

#include "compose.h"
#include "problem/folded.h"
#include "problem/pattern.h"

/* Entries (i, c), c < i, of a symmetric M's lower triangle by rows, where i or c is attached and
 * none is prescribed. */
typedef struct saddle__mirror {
    int64_t *start;  /* n + 1; NULL = M is general, no entries */
    int32_t *column; /* start[n]: c, ascending in each row */
    int32_t *offset; /* start[n]: from the beginning of column c in M */
} saddle__mirror;

/* Of one thread. */
typedef struct saddle__scratch {
    double *x;        /* n': zero between columns */
    int32_t *where;   /* n': row of M' -> row of the panel */
    int32_t *slot;    /* attached rows: row of Y, -1 = none */
    int32_t *touched; /* attached rows: which have one, in order */
    double *Z;        /* rows of a panel x 8: columns of M' */
    double *Y;        /* attached rows of a panel x 8: M Q there */
} saddle__scratch;

enum { SADDLE__PANEL_COLUMNS = 8 };

struct saddle_reduction {
    saddle_context *context;
    saddle_map *map;
    saddle__composition Q;
    saddle__mirror mirror;
    saddle__pattern pattern; /* of the problem */
    saddle__folded folded; /* the problem, whose M and R are SADDLE_SYMMETRIC where they are FULL */
    saddle_problem reduced;
    int formed;
    unsigned char *copied;              /* n': the column of M' has the entries of M's */
    int64_t panel_rows, panel_attached; /* the most a panel has */
    double *particular;                 /* n: d */
    double *force;                      /* n: f - M d */
    int64_t threads;
    saddle__scratch *scratch; /* threads */
    int64_t mass_tasks, jacobian_tasks;
    int64_t *mass_task;     /* mass_tasks + 1: columns of M'; panels are not cut */
    int64_t *jacobian_task; /* jacobian_tasks + 1: rows */
};

/* Whether others follow a component with active velocities: its columns are a panel. */
static inline int saddle__is_root(const saddle__composition *Q, int64_t component)
{
    return Q->follower_start[component + 1] > Q->follower_start[component];
}

/* The component of column t of u. */
int64_t saddle__component_of_column(const saddle_map *map, int64_t t);

/* Patterns of M' and J' (values zero), which columns are copied, how large panels are. */
saddle_status saddle__reduce_patterns(saddle_reduction *reduction, const saddle_problem *problem);

/* Values of M' and J'. */
void saddle__reduce_matrices(saddle_reduction *reduction, const saddle_problem *problem);

saddle_status saddle__mirror_create(saddle_context *context, const saddle_map *map,
                                    const saddle_matrix *M, saddle__mirror *mirror);
void saddle__mirror_clear(saddle_context *context, saddle__mirror *mirror);

#endif
