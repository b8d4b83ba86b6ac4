/* SPDX-License-Identifier: MIT */
/* See parts_factor.h. */
#include "parts_factor.h"

#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "base/context_internal.h"

#define ICNTL(i) icntl[(i)-1]
#define INFOG(i) infog[(i)-1]

static saddle_status agree(const saddle__parts_factor *F, saddle_status status)
{
    return saddle__agree(F->processes, F->context, status);
}

static void release_entries(saddle__parts_factor *F)
{
    saddle__release_all(F->context, F->row, F->col, F->value);
    F->id.irn_loc = F->id.jcn_loc = F->row = F->col = NULL;
    F->id.a_loc = F->value = NULL;
}

void saddle__parts_clear(saddle__parts_factor *F)
{
    if (F->started) (void)saddle__mumps_run(&F->id, SADDLE__MUMPS_FINISH);
    F->started = 0;
    release_entries(F);
    saddle_release(F->context, F->kept);
    F->kept = NULL;
}

/* The error of MUMPS, the same in all processes, with the message of the process that met it. */
static saddle_status fail(const saddle__parts_factor *F)
{
    const int is_mine = F->id.info[0] == F->id.INFOG(1);
    const saddle_status mine = is_mine ? saddle__mumps_fail(F->context, &F->id) : SADDLE_OK;
    const saddle_status all = agree(F, mine);
    return all == SADDLE_OK ? saddle__mumps_fail(F->context, &F->id) : all;
}

/* A phase of MUMPS, in all processes. */
static saddle_status run(saddle__parts_factor *F, int job)
{
    return saddle__mumps_run(&F->id, job) < 0 ? fail(F) : SADDLE_OK;
}

/* ---- entries ---- */

void saddle__parts_put(saddle__parts_factor *F, int64_t i, int64_t j, double value)
{
    if (F->value) {
        F->row[F->entries] = (MUMPS_INT)i + 1;
        F->col[F->entries] = (MUMPS_INT)j + 1;
        F->value[F->entries] = value;
    }
    F->entries++;
}

void saddle__parts_put_square(saddle__parts_factor *F, const saddle__view *view, saddle__kind kind,
                              double side)
{
    const saddle_matrix *B = kind == SADDLE__ROWS ? &view->problem.R : &view->problem.M;
    const int64_t *name = view->of[kind].name;
    const int64_t offset = kind == SADDLE__ROWS ? view->of[SADDLE__VELOCITIES].whole : 0;
    const int mirrors = F->general && B->symmetry == SADDLE_SYMMETRIC;
    for (int64_t j = 0; B->start && j < B->cols; j++)
        for (int64_t k = B->start[j]; k < B->start[j + 1]; k++) {
            const int64_t row = offset + name[B->index[k]], col = offset + name[j];
            saddle__parts_put(F, row, col, side * B->value[k]);
            if (mirrors && row != col) saddle__parts_put(F, col, row, side * B->value[k]);
        }
}

void saddle__parts_put_rows(saddle__parts_factor *F, const saddle__view *view)
{
    const saddle_matrix *Jt = &view->problem.Jt;
    const saddle__distribution *velocities = &view->of[SADDLE__VELOCITIES];
    for (int64_t i = 0; Jt->start && i < Jt->cols; i++) {
        const int64_t row = velocities->whole + view->of[SADDLE__ROWS].name[i];
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            const int64_t j = velocities->name[Jt->index[k]];
            saddle__parts_put(F, row, j, Jt->value[k]);
            if (F->general) saddle__parts_put(F, j, row, Jt->value[k]);
        }
    }
}

saddle_status saddle__parts_hold(saddle__parts_factor *F)
{
    saddle_context *context = F->context;
    F->row = saddle_allocate(context, F->entries + 1, sizeof *F->row);
    F->col = saddle_allocate(context, F->entries + 1, sizeof *F->col);
    F->value = saddle_allocate(context, F->entries + 1, sizeof *F->value);
    F->entries = 0;
    return agree(F, F->row && F->col && F->value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
}

/* ---- phases ---- */

/* In the first process alone MUMPS reads which unknowns are kept. */
static saddle_status keep_last(saddle__parts_factor *F, int64_t size, int64_t kept, double *S)
{
    if (kept == 0) return SADDLE_OK;
    F->kept = saddle_allocate(F->context, kept, sizeof *F->kept);
    SADDLE__TRY(agree(F, F->kept ? SADDLE_OK : SADDLE_OUT_OF_MEMORY));
    for (int64_t i = 0; i < kept; i++) F->kept[i] = (MUMPS_INT)(size - kept + i) + 1;
    F->id.ICNTL(19) = 1;
    F->id.size_schur = (MUMPS_INT)kept;
    F->id.listvar_schur = F->kept;
    F->id.schur = S;
    return SADDLE_OK;
}

/* What the analysis has freed would stay beside the factors otherwise. */
static void return_freed_memory(void)
{
#if defined(__GLIBC__)
    (void)malloc_trim(0);
#endif
}

/* The entries stay where they are (ICNTL(18) = 3); MUMPS gathers their graph, without values, in
 * the first process and orders it there. */
saddle_status saddle__parts_analyse(saddle__parts_factor *F, int64_t size, saddle_ordering ordering,
                                    int64_t kept, double *S)
{
    if (size > INT32_MAX - 1)
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "order %lld: MUMPS counts in 32 bits",
                           (long long)size);
    saddle__mumps_begin(&F->id, MPI_Comm_c2f(F->processes), F->general ? 0 : 2);
    SADDLE__TRY(run(F, SADDLE__MUMPS_INITIALIZE));
    F->started = 1;
    saddle__mumps_choose(&F->id);
    SADDLE__TRY(keep_last(F, size, kept, S));
    F->id.ICNTL(7) = ordering == SADDLE_ORDERING_AMD ? 0 : 5; /* or METIS */
    F->id.ICNTL(18) = 3;
    F->id.n = (MUMPS_INT)size;
    F->id.nnz_loc = F->entries;
    F->id.irn_loc = F->row;
    F->id.jcn_loc = F->col;
    const saddle_status status = run(F, SADDLE__MUMPS_ANALYSE);
    return_freed_memory();
    return status;
}

saddle_status saddle__parts_factor_all(saddle__parts_factor *F, saddle__factor_counts *counts,
                                       int *vanished)
{
    F->id.a_loc = F->value;
    int error = saddle__mumps_run(&F->id, SADDLE__MUMPS_FACTOR);
    while (saddle__mumps_widen(&F->id)) error = saddle__mumps_run(&F->id, SADDLE__MUMPS_FACTOR);
    release_entries(F); /* MUMPS has read them */
    *vanished = saddle__mumps_is_singular(&F->id);
    if (*vanished) return SADDLE_OK;
    if (error < 0) return fail(F);
    saddle__mumps_count(&F->id, counts);
    return SADDLE_OK;
}

static void place_right_sides(saddle__parts_factor *F, int distributed)
{
    F->id.ICNTL(20) = distributed ? 10 : 0;
    F->id.ICNTL(21) = distributed;
}

saddle_status saddle__parts_solve(saddle__parts_factor *F, double *x)
{
    place_right_sides(F, 0);
    F->id.rhs = x;
    F->id.nrhs = 1;
    F->id.lrhs = F->id.n;
    const saddle_status status = run(F, SADDLE__MUMPS_SOLVE);
    F->id.rhs = NULL;
    return status;
}

/* ---- right-hand sides and solutions over the processes ---- */

/* The own entries of a right-hand side, and those of the solution whose pivots are here. */
typedef struct shares {
    int64_t own;                 /* entries of the right-hand side */
    MUMPS_INT *which;            /* own: in the whole, from 1 */
    double *right;               /* own */
    int64_t pivots;              /* entries of the solution */
    MUMPS_INT *found;            /* pivots: in the whole, from 1 */
    double *value;               /* pivots */
    saddle__named_value *parcel; /* pivots: of one kind */
} shares;

static saddle_status make_shares(const saddle__parts_factor *F, const saddle__view *view, shares *s)
{
    for (int kind = 0; kind < 2; kind++) s->own += view->of[kind].end - view->of[kind].begin;
    s->pivots = F->id.info[22]; /* INFO(23) */
    s->which = saddle_allocate(F->context, s->own + 1, sizeof *s->which);
    s->right = saddle_allocate(F->context, s->own + 1, sizeof *s->right);
    s->found = saddle_allocate(F->context, s->pivots + 1, sizeof *s->found);
    s->value = saddle_allocate(F->context, s->pivots + 1, sizeof *s->value);
    s->parcel = saddle_allocate(F->context, s->pivots + 1, sizeof *s->parcel);
    const int complete = s->which && s->right && s->found && s->value && s->parcel;
    return agree(F, complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
}

static void release_shares(const saddle__parts_factor *F, shares *s)
{
    saddle__release_all(F->context, s->which, s->right, s->found, s->value, s->parcel);
}

static void hand_over(const saddle__view *view, const double *x, shares *s)
{
    int64_t at = 0;
    for (int kind = 0; kind < 2; kind++) {
        const saddle__distribution *d = &view->of[kind];
        const int64_t offset = kind == SADDLE__ROWS ? view->of[SADDLE__VELOCITIES].whole : 0;
        for (int64_t k = d->begin; k < d->end; k++, at++) {
            s->which[at] = (MUMPS_INT)(offset + d->name[k]) + 1;
            s->right[at] = x[k];
        }
        x += d->count;
    }
}

static saddle_status run_shares(saddle__parts_factor *F, shares *s)
{
    DMUMPS_STRUC_C *id = &F->id;
    place_right_sides(F, 1);
    id->nrhs = 1;
    id->nloc_rhs = id->lrhs_loc = (MUMPS_INT)s->own;
    id->irhs_loc = s->which;
    id->rhs_loc = s->right;
    id->lsol_loc = (MUMPS_INT)(s->pivots > 0 ? s->pivots : 1);
    id->isol_loc = s->found;
    id->sol_loc = s->value;
    const saddle_status status = run(F, SADDLE__MUMPS_SOLVE);
    id->irhs_loc = id->isol_loc = NULL;
    id->rhs_loc = id->sol_loc = NULL;
    return status;
}

/* x of one kind <- the solution. */
static saddle_status take_back(const saddle__view *view, saddle__kind kind, shares *s, double *x)
{
    const saddle__distribution *d = &view->of[kind];
    const int64_t offset = kind == SADDLE__ROWS ? view->of[SADDLE__VELOCITIES].whole : 0;
    int64_t count = 0;
    for (int64_t k = 0; k < s->pivots; k++) {
        const int64_t name = s->found[k] - 1 - offset;
        if (name >= 0 && name < d->whole)
            s->parcel[count++] = (saddle__named_value){name, s->value[k]};
    }
    for (int64_t k = d->begin; k < d->end; k++) x[k] = 0.0;
    SADDLE__TRY(saddle__distribution_deliver(d, count, s->parcel, SADDLE__ADD, x));
    return saddle__distribution_refresh(d, x);
}

saddle_status saddle__parts_solve_view(saddle__parts_factor *F, const saddle__view *view, double *x)
{
    shares s = {.own = 0};
    saddle_status status = make_shares(F, view, &s);
    if (status == SADDLE_OK) {
        hand_over(view, x, &s);
        status = run_shares(F, &s);
    }
    if (status == SADDLE_OK) status = take_back(view, SADDLE__VELOCITIES, &s, x);
    if (status == SADDLE_OK)
        status = take_back(view, SADDLE__ROWS, &s, x + view->of[SADDLE__VELOCITIES].count);
    release_shares(F, &s);
    return status;
}
