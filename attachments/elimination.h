/* SPDX-License-Identifier: MIT */
/* The state of an elimination.
 *
 *     v_k = sum_s Q_ks u_s + d_k   attached component k by active velocities alone; the active
 *                                  components s are the roots of k, k follows them
 *                                  Q_k = sum_j A_kj Q_j, Q_j the identity at active velocities
 *                                  (Lloyd, ArtiSynth mechanics notes, 0.18, in order)
 *
 *     M' = Q'M Q, one column of M' at a time: X = M Q at the column, then Q'X.  Only the pattern of
 *     M' is stored: a column is summed in a dense vector and collected along its pattern.
 *
 *     ordinary column   an active velocity without followers: X is the column of M, attached rows
 *                       go to their roots (0.27)
 *     panel             the columns of a root: X sums over all followers, 8 columns at a time
 *                       (0.28 - 0.30); Q'X goes from each component to its masters by A_kj', the
 *                       followers first, so that a chain of N costs N a column, not N^2
 *
 * All columns of a root have the same rows (below the diagonal block, where M' is symmetric), so a
 * panel is a dense array.  Of a symmetric M the lower triangle is stored: the mirror finds
 * the entries of the upper triangle at attached velocities.
 */
#ifndef SADDLE_ATTACHMENTS_ELIMINATION_H
#define SADDLE_ATTACHMENTS_ELIMINATION_H

#include "graph.h"
#include "problem/kkt.h"
#include "problem/problem_internal.h"
#include "saddle/elimination.h"

/* The rows of unit k hold the parts of its roots side by side: rows x width, by rows. */
typedef struct saddle__composition {
    saddle__layout layout;    /* the arrays below */
    int64_t *root_start;      /* units + 1 */
    int64_t *root;            /* root_start[units]: active components, ascending in each unit */
    int64_t *offset;          /* root_start[units]: first column of the root's part in a row of Q */
    int64_t *width;           /* units: length of a row of Q */
    int64_t *Q_start;         /* units + 1 */
    double *Q;                /* Q_start[units] */
    int64_t *place;           /* components: scratch, offset in the rows of one unit */
    int32_t *level;           /* units: 0, or one more than the highest of their masters */
    int64_t levels;           /* one more than the highest */
    int32_t *unit_of_row;     /* attached rows */
    int64_t *follower_start;  /* components + 1: units with a component as root */
    int64_t *follower;        /* root_start[units]: unit .. */
    int64_t *follower_offset; /* .. and first column of the component's part in a row of Q */
} saddle__composition;

/* Entries (i, c), c < i, of the lower triangle of a symmetric M by rows, i or c attached, neither
 * prescribed. */
typedef struct saddle__mirror {
    int64_t *start;  /* n + 1; NULL = M is general, no entries */
    int32_t *column; /* start[n]: c, ascending in each row */
    int32_t *offset; /* start[n]: from the beginning of column c in M */
} saddle__mirror;

/* Rows of attachments kept, v_k - sum_j A_kj v_j = g_k or v_k = given, behind the problem's own. */
typedef struct saddle__kept {
    int64_t rows;
    int64_t *to;      /* place in Jt of each entry: row by row, 1 and the blocks */
    saddle_matrix Jt; /* (n, m + rows); empty where rows = 0 */
} saddle__kept;

/* Of one thread. */
typedef struct saddle__scratch {
    double *x;      /* n': zero between columns */
    int32_t *where; /* n': row of M' -> row of the panel */
    int32_t *slot;  /* attached rows: row of Y, -1 = none */
    int32_t *head;  /* levels: a unit of the level with rows of Y, -1 = none .. */
    int32_t *next;  /* units: .. and the next of its level, -1 = the last, -2 = has no rows */
    double *Z;      /* rows of a panel x 8: columns of M' */
    double *Y;      /* attached rows x 8: M Q, and what their followers add */
} saddle__scratch;

enum { SADDLE__PANEL_COLUMNS = 8 };

struct saddle_elimination {
    saddle_context *context;
    signed char *keep; /* components: 1 = kept as rows */
    saddle_map *map;   /* of the others */
    saddle__composition Q;
    saddle__mirror mirror;
    saddle__kept kept;
    saddle__pattern pattern; /* of the problem */
    saddle__folded folded;   /* the problem with SADDLE_SYMMETRY_LOWER M and R for FULL ones */
    saddle_problem reduced;
    int formed;
    int64_t own_rows;      /* m of the problem */
    int64_t bound_count;   /* p */
    saddle__layout layout; /* the arrays below */
    int64_t *bound;        /* p: an eliminated velocity, or -1 - row of a kept one */
    unsigned char *copied; /* n': 1 = the column of M' has the entries of M's */
    int64_t panel_rows;    /* largest number of a panel */
    double *particular;    /* n: d */
    double *force;         /* n: f - M d; in recovery F */
    int64_t threads;
    saddle__layout scratch_layout; /* of the arrays in scratch */
    saddle__scratch *scratch;      /* threads */
    int64_t mass_tasks, jacobian_tasks;
    int64_t *mass_task;     /* mass_tasks + 1: columns of M'; panels are not cut */
    int64_t *jacobian_task; /* jacobian_tasks + 1: rows */
    saddle_elimination_report report;
};

/* J' of all rows, the problem's and the kept ones. */
static inline const saddle_matrix *saddle__all_rows(const saddle_elimination *e,
                                                    const saddle_problem *problem)
{
    return e->kept.rows > 0 ? &e->kept.Jt : &problem->Jt;
}

/* 1 = the columns of a component are a panel */
static inline int saddle__is_root(const saddle__composition *Q, int64_t component)
{
    return Q->follower_start[component + 1] > Q->follower_start[component];
}

/* The component of column t of u. */
static inline int64_t saddle__component_of_column(const saddle_map *map, int64_t t)
{
    int64_t low = 0; /* column[low] <= t < column[high] */
    int64_t high = map->components;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (map->column[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Plans and forms; graph and problem have been checked, keep (components) is copied.  *elimination:
 * NULL on failure. */
saddle_status saddle__elimination_build(saddle_context *context, const saddle_attachments *graph,
                                        const saddle_problem *problem, const signed char *keep,
                                        int64_t threads, saddle_elimination **elimination);

/* ---- Q, M' and J' ---- */

/* Mirror; patterns of Q, M' and J', values zero; copied columns, sizes of panels. */
saddle_status saddle__reduce_patterns(saddle_elimination *e, const saddle_problem *problem);
/* Values of Q, M' and J'. */
void saddle__reduce_matrices(saddle_elimination *e, const saddle_problem *problem);

#endif
