/* SPDX-License-Identifier: MIT */
/* The object behind complement.h, shared by its files. */
#ifndef SADDLE_LIB_LDLT_COMPLEMENT_INTERNAL_H
#define SADDLE_LIB_LDLT_COMPLEMENT_INTERNAL_H

#include "ldlt/complement.h"
#include "ldlt/ldlt_internal.h"

/* "Stations" are the supernodes that B reaches, children first; "cliques" their trees. */
struct saddle__ldlt_complement {
    saddle_context *context;
    saddle__ldlt *F; /* borrowed */
    int64_t m;
    saddle__ldlt_complement_size size;

    int64_t stations;
    int64_t *supernode;    /* stations: ascending */
    int64_t *station;      /* supernodes of F: the station, -1 = not reached */
    int64_t *column_start; /* stations + 1 */
    int32_t *column;       /* columns of B that reach it, ascending, as places in the clique */
    int32_t *place;        /* ... and where they are among the parent's */

    int64_t *entry_start;  /* stations + 1: entries of B that are met here */
    int64_t *entry_source; /* ... the entry of B */
    int64_t *entry_target; /* ... where it goes in X */

    int64_t cliques;
    int64_t *clique_end; /* cliques: the station behind its root */
    int64_t *row_start;  /* cliques + 1 */
    int32_t *row;        /* columns of B in each clique, ascending */

    int64_t *update_start; /* stations: where V lies in `update` */
    double *update;        /* two stacks, as the engine's */
    double *block;         /* the largest X */
    double *weight;        /* most k: -side D^-1 */
    double *ones;          /* most k */
    int64_t work_size;
    double *work;    /* threads x work_size: of the products */
    int64_t threads; /* F's */
    int64_t panel_size;
    double *panel;  /* threads x panel_size: some columns of X D^-1 X' on the way to the clique */
    double *clique; /* the largest clique, both triangles reserved */
};

/* The stations, their columns and entries, the cliques: all but the arrays that reserve makes. */
saddle_status saddle__ldlt_complement_reach(saddle__ldlt_complement *c, const saddle_matrix *B);

static inline int64_t saddle__station_columns(const saddle__ldlt_complement *c, int64_t i)
{
    return c->column_start[i + 1] - c->column_start[i];
}

static inline int64_t saddle__clique_rows(const saddle__ldlt_complement *c, int64_t t)
{
    return c->row_start[t + 1] - c->row_start[t];
}

enum {
    SADDLE__COMPLEMENT_SLICE = 384, /* rows of X, and columns of X D^-1 X', made at a time */
    SADDLE__COMPLEMENT_SMALL = 16   /* columns of B at a station that is done without BLAS */
};

#endif
