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

static void clear_route(saddle_context *context, saddle__route *r)
{
    saddle__release_all(context, r->which, r->right, r->found, r->value, r->out, r->slot, r->to,
                        r->sent, r->sent_begin, r->got, r->got_begin);
    *r = (saddle__route){.own = 0};
}

void saddle__parts_clear(saddle__parts_factor *F)
{
    if (F->started) (void)saddle__mumps_run(&F->id, SADDLE__MUMPS_FINISH);
    if (F->is_reversed) MPI_Comm_free(&F->reversed);
    F->started = F->is_reversed = 0;
    release_entries(F);
    clear_route(F->context, &F->route);
    saddle__release_all(F->context, F->kept, F->place);
    F->kept = F->place = NULL;
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
    const int mirrors = F->general && B->symmetry == SADDLE_SYMMETRY_LOWER;
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

static void name_entries(saddle__parts_factor *F)
{
    F->id.irn_loc = F->row;
    F->id.jcn_loc = F->col;
    F->id.a_loc = F->value;
}

/* ---- phases ---- */

/* Percent of room beside the factors.  Contributions are stacked there, and stay in memory until
 * the room is full and MUMPS compacts them: with 50 percent the larger of two processes has 8 to 10
 * percent more; with 15 a factorization is begun again as a rule (saddle__mumps_widen). */
enum { ROOM = 25 };

int saddle__parts_is_host(const saddle__parts_factor *F)
{
    return saddle__rank(F->processes) == saddle__processes(F->processes) - 1;
}

/* In the host alone MUMPS reads which unknowns are kept. */
static saddle_status keep_last(saddle__parts_factor *F, int64_t size, int64_t kept, double *S)
{
    F->kept = saddle_allocate(F->context, kept, sizeof *F->kept);
    SADDLE__TRY(agree(F, F->kept ? SADDLE_OK : SADDLE_OUT_OF_MEMORY));
    for (int64_t i = 0; i < kept; i++) F->kept[i] = (MUMPS_INT)(size - kept + i) + 1;
    F->id.ICNTL(19) = 1;
    F->id.size_schur = (MUMPS_INT)kept;
    F->id.listvar_schur = F->kept;
    F->id.schur = S;
    return SADDLE_OK;
}

/* Memory freed by the analysis would otherwise be kept beside the factors. */
static void return_freed_memory(void)
{
#if defined(__GLIBC__)
    (void)malloc_trim(0);
#endif
}

/* place (size, from 1) <- the places in the order of an analysis without kept unknowns, which come
 * last. */
static void keep_order(const DMUMPS_STRUC_C *id, int64_t kept, MUMPS_INT *unknown, MUMPS_INT *place)
{
    const MUMPS_INT others = id->n - (MUMPS_INT)kept;
    MUMPS_INT before = 0;
    for (MUMPS_INT i = 0; i < id->n; i++) unknown[id->sym_perm[i] - 1] = i;
    for (MUMPS_INT k = 0; k < id->n; k++)
        if (unknown[k] < others) place[unknown[k]] = ++before;
    for (MUMPS_INT i = others; i < id->n; i++) place[i] = i + 1;
}

/* With kept unknowns MUMPS would order by AMD, with 2.6 times the operations for a plate of 90,000
 * velocities and 900 rows.  Hence all unknowns are ordered, and the order of the others is passed
 * on. */
static saddle_status order_others(saddle__parts_factor *F, int64_t kept)
{
    SADDLE__TRY(run(F, SADDLE__MUMPS_ANALYSE));
    const int64_t here = saddle__parts_is_host(F) ? F->id.n : 0;
    MUMPS_INT *unknown = saddle_allocate(F->context, here + 1, sizeof *unknown);
    F->place = saddle_allocate(F->context, here + 1, sizeof *F->place);
    const int complete = unknown && F->place;
    if (complete && here > 0) keep_order(&F->id, kept, unknown, F->place);
    saddle_release(F->context, unknown);
    F->id.perm_in = F->place;
    F->id.ICNTL(7) = 1; /* given */
    return agree(F, complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
}

static saddle_status start(saddle__parts_factor *F)
{
    MPI_Comm_split(F->processes, 0, -saddle__rank(F->processes), &F->reversed);
    F->is_reversed = 1;
    saddle__mumps_begin(&F->id, MPI_Comm_c2f(F->reversed), F->general ? 0 : 2);
    SADDLE__TRY(run(F, SADDLE__MUMPS_INITIALIZE));
    F->started = 1;
    return SADDLE_OK;
}

/* The entries are distributed (ICNTL(18) = 3); MUMPS gathers their graph, without values, in the
 * host and computes the ordering there. */
saddle_status saddle__parts_analyse(saddle__parts_factor *F, int64_t size, saddle_ordering ordering,
                                    int64_t kept, double *S)
{
    if (size > INT32_MAX - 1)
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "order %lld: MUMPS counts in 32 bits",
                           (long long)size);
    SADDLE__TRY(start(F));
    saddle__mumps_choose(&F->id);
    F->id.ICNTL(14) = ROOM;
    F->id.ICNTL(7) = ordering == SADDLE_ORDERING_AMD ? 0 : 5; /* or METIS */
    F->id.ICNTL(18) = 3;
    F->id.n = (MUMPS_INT)size;
    F->id.nnz_loc = F->entries;
    name_entries(F);
    if (kept > 0) {
        SADDLE__TRY(order_others(F, kept));
        SADDLE__TRY(keep_last(F, size, kept, S));
    }
    const saddle_status status = run(F, SADDLE__MUMPS_ANALYSE);
    saddle_release(F->context, F->place);
    F->id.perm_in = F->place = NULL;
    return_freed_memory();
    return status;
}

saddle_status saddle__parts_factor_all(saddle__parts_factor *F, saddle__factor_counts *counts,
                                       int *vanished)
{
    name_entries(F);
    int error = saddle__mumps_run(&F->id, SADDLE__MUMPS_FACTOR);
    while (saddle__mumps_widen(&F->id)) error = saddle__mumps_run(&F->id, SADDLE__MUMPS_FACTOR);
    release_entries(F); /* MUMPS has read them */
    clear_route(F->context, &F->route);
    *vanished = saddle__mumps_is_singular(&F->id);
    if (*vanished) return SADDLE_OK;
    if (error < 0) return fail(F);
    saddle__mumps_count(&F->id, counts);
    return SADDLE_OK;
}

/* ---- right-hand sides and solutions over the processes ---- */

static saddle_status make_route(const saddle__parts_factor *F, const saddle__view *view,
                                saddle__route *r)
{
    const int processes = saddle__processes(F->processes);
    saddle_context *context = F->context;
    for (int kind = 0; kind < 2; kind++) r->own += view->of[kind].end - view->of[kind].begin;
    r->pivots = F->id.info[22]; /* INFO(23) */
    r->which = saddle_allocate(context, r->own + 1, sizeof *r->which);
    r->right = saddle_allocate(context, r->own + 1, sizeof *r->right);
    r->to = saddle_allocate(context, r->own + 1, sizeof *r->to);
    r->found = saddle_allocate(context, r->pivots + 1, sizeof *r->found);
    r->value = saddle_allocate(context, r->pivots + 1, sizeof *r->value);
    r->out = saddle_allocate(context, r->pivots + 1, sizeof *r->out);
    r->slot = saddle_allocate(context, r->pivots + 1, sizeof *r->slot);
    r->sent = saddle_allocate(context, processes, sizeof *r->sent);
    r->sent_begin = saddle_allocate(context, processes, sizeof *r->sent_begin);
    r->got = saddle_allocate(context, processes, sizeof *r->got);
    r->got_begin = saddle_allocate(context, processes, sizeof *r->got_begin);
    const int complete = r->which && r->right && r->to && r->found && r->value && r->out &&
                         r->slot && r->sent && r->sent_begin && r->got && r->got_begin;
    return agree(F, complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
}

/* right <- x at the own entries. */
static void hand_over(const saddle__view *view, const double *x, saddle__route *r)
{
    int64_t at = 0;
    for (int kind = 0; kind < 2; kind++) {
        const saddle__distribution *d = &view->of[kind];
        const int64_t offset = kind == SADDLE__ROWS ? view->of[SADDLE__VELOCITIES].whole : 0;
        for (int64_t k = d->begin; k < d->end; k++, at++) {
            r->which[at] = (MUMPS_INT)(offset + d->name[k]) + 1;
            r->right[at] = x[k];
        }
        x += d->count;
    }
}

/* value <- the solution at the pivots of this process. */
static saddle_status run_route(saddle__parts_factor *F, saddle__route *r)
{
    DMUMPS_STRUC_C *id = &F->id;
    id->ICNTL(20) = 10; /* right-hand sides and solutions over the processes */
    id->ICNTL(21) = 1;
    id->nrhs = 1;
    id->nloc_rhs = id->lrhs_loc = (MUMPS_INT)r->own;
    id->irhs_loc = r->which;
    id->rhs_loc = r->right;
    id->lsol_loc = (MUMPS_INT)(r->pivots > 0 ? r->pivots : 1);
    id->isol_loc = r->found;
    id->sol_loc = r->value;
    const saddle_status status = run(F, SADDLE__MUMPS_SOLVE);
    id->irhs_loc = id->isol_loc = NULL;
    id->rhs_loc = id->sol_loc = NULL;
    return status;
}

/* begin <- where each process' run begins. */
static void line_up(int processes, const int *count, int *begin)
{
    for (int p = 0, total = 0; p < processes; total += count[p++]) begin[p] = total;
}

static int owner_of(const saddle__view *view, int64_t unknown)
{
    const saddle__distribution *velocities = &view->of[SADDLE__VELOCITIES];
    const int64_t row = unknown - velocities->whole;
    return row < 0 ? saddle__owner_of(velocities, unknown)
                   : saddle__owner_of(&view->of[SADDLE__ROWS], row);
}

/* The place in x of an own unknown. */
static int place_of(const saddle__view *view, int64_t unknown)
{
    const saddle__distribution *velocities = &view->of[SADDLE__VELOCITIES];
    const saddle__distribution *rows = &view->of[SADDLE__ROWS];
    const int rank = saddle__rank(view->processes);
    const int64_t row = unknown - velocities->whole;
    return (int)(row < 0 ? velocities->begin + unknown - velocities->bound[rank]
                         : velocities->count + rows->begin + row - rows->bound[rank]);
}

/* From the pivots found by a solve, the same in all solves with a factor; kept unknowns have none.
 */
static void find_route(const saddle__parts_factor *F, const saddle__view *view, saddle__route *r)
{
    const int processes = saddle__processes(F->processes);
    MUMPS_INT *named = (MUMPS_INT *)r->out; /* room */
    for (int p = 0; p < processes; p++) r->sent[p] = 0;
    for (int64_t k = 0; k < r->pivots; k++) r->sent[owner_of(view, r->found[k] - 1)]++;
    MPI_Alltoall(r->sent, 1, MPI_INT, r->got, 1, MPI_INT, F->processes);
    line_up(processes, r->sent, r->sent_begin);
    line_up(processes, r->got, r->got_begin);
    for (int64_t k = 0; k < r->pivots; k++) {
        r->slot[k] = r->sent_begin[owner_of(view, r->found[k] - 1)]++;
        named[r->slot[k]] = r->found[k] - 1;
    }
    for (int p = 0; p < processes; p++) r->sent_begin[p] -= r->sent[p];
    MPI_Alltoallv(named, r->sent, r->sent_begin, MPI_INT, r->to, r->got, r->got_begin, MPI_INT,
                  F->processes);
    for (int p = 0; p < processes; p++) r->arriving += r->got[p];
    for (int64_t k = 0; k < r->arriving; k++) r->to[k] = place_of(view, r->to[k]);
    r->is_found = 1;
}

/* x <- the solution. */
static saddle_status take_back(const saddle__parts_factor *F, const saddle__view *view,
                               saddle__route *r, double *x)
{
    const saddle__distribution *velocities = &view->of[SADDLE__VELOCITIES];
    for (int64_t k = 0; k < r->pivots; k++) r->out[r->slot[k]] = r->value[k];
    MPI_Alltoallv(r->out, r->sent, r->sent_begin, MPI_DOUBLE, r->right, r->got, r->got_begin,
                  MPI_DOUBLE, F->processes);
    for (int64_t k = 0; k < r->arriving; k++) x[r->to[k]] = r->right[k];
    SADDLE__TRY(saddle__distribution_refresh(velocities, x));
    return saddle__distribution_refresh(&view->of[SADDLE__ROWS], x + velocities->count);
}

saddle_status saddle__parts_solve_view(saddle__parts_factor *F, const saddle__view *view, double *x)
{
    saddle__route *r = &F->route;
    if (!r->which) {
        const saddle_status status = make_route(F, view, r);
        if (status != SADDLE_OK) clear_route(F->context, r); /* in all, for another attempt */
        SADDLE__TRY(status);
    }
    hand_over(view, x, r);
    SADDLE__TRY(run_route(F, r));
    if (!r->is_found) find_route(F, view, r);
    return take_back(F, view, r, x);
}
