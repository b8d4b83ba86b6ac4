/* SPDX-License-Identifier: MIT */
/* See parts_factor.h. */
#include "parts_factor.h"

#include "base/context_internal.h"

#define ICNTL(i) icntl[(i)-1]
#define INFOG(i) infog[(i)-1]

static saddle_status agree(const saddle__parts_factor *F, saddle_status status)
{
    return saddle__agree(F->team.processes, F->team.context, status);
}

static void release_entries(saddle__parts_factor *F)
{
    saddle__release_all(F->team.context, F->row, F->col, F->value);
    F->id.irn_loc = F->id.jcn_loc = F->row = F->col = NULL;
    F->id.a_loc = F->value = NULL;
}

void saddle__parts_clear(saddle__parts_factor *F)
{
    if (F->started) (void)saddle__mumps_run(&F->id, SADDLE__MUMPS_FINISH);
    F->started = 0;
    release_entries(F);
    saddle_release(F->team.context, F->kept);
    F->kept = NULL;
}

/* The error of MUMPS, the same in all processes, with the message of the process that met it. */
static saddle_status fail(const saddle__parts_factor *F)
{
    const int is_mine = F->id.info[0] == F->id.INFOG(1);
    const saddle_status mine = is_mine ? saddle__mumps_fail(F->team.context, &F->id) : SADDLE_OK;
    const saddle_status all = agree(F, mine);
    return all == SADDLE_OK ? saddle__mumps_fail(F->team.context, &F->id) : all;
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

void saddle__parts_put_square(saddle__parts_factor *F, const saddle_matrix *B, int64_t offset,
                              double side)
{
    const int mirrors = F->general && B->symmetry == SADDLE_SYMMETRIC;
    for (int64_t j = 0; B->start && j < B->cols; j++)
        for (int64_t k = B->start[j]; k < B->start[j + 1]; k++) {
            const int64_t i = B->index[k];
            saddle__parts_put(F, offset + i, offset + j, side * B->value[k]);
            if (mirrors && i != j) saddle__parts_put(F, offset + j, offset + i, side * B->value[k]);
        }
}

void saddle__parts_put_rows(saddle__parts_factor *F, int64_t n, const saddle_matrix *Jt)
{
    for (int64_t i = 0; Jt->start && i < Jt->cols; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            saddle__parts_put(F, n + i, Jt->index[k], Jt->value[k]);
            if (F->general) saddle__parts_put(F, Jt->index[k], n + i, Jt->value[k]);
        }
}

saddle_status saddle__parts_hold(saddle__parts_factor *F)
{
    saddle_context *context = F->team.context;
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
    F->kept = saddle_allocate(F->team.context, kept, sizeof *F->kept);
    SADDLE__TRY(agree(F, F->kept ? SADDLE_OK : SADDLE_OUT_OF_MEMORY));
    for (int64_t i = 0; i < kept; i++) F->kept[i] = (MUMPS_INT)(size - kept + i) + 1;
    F->id.ICNTL(19) = 1;
    F->id.size_schur = (MUMPS_INT)kept;
    F->id.listvar_schur = F->kept;
    F->id.schur = S;
    return SADDLE_OK;
}

/* The entries stay where they are (ICNTL(18) = 3); MUMPS gathers their graph, without values, in
 * the first process and orders it there. */
saddle_status saddle__parts_analyse(saddle__parts_factor *F, int64_t size, saddle_ordering ordering,
                                    int64_t kept, double *S)
{
    if (size > INT32_MAX - 1)
        return saddle_fail(F->team.context, SADDLE_TOO_LARGE, "order %lld: MUMPS counts in 32 bits",
                           (long long)size);
    saddle__mumps_begin(&F->id, MPI_Comm_c2f(F->team.processes), F->general ? 0 : 2);
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
    return run(F, SADDLE__MUMPS_ANALYSE);
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

saddle_status saddle__parts_solve(saddle__parts_factor *F, double *x)
{
    F->id.rhs = x;
    F->id.nrhs = 1;
    F->id.lrhs = F->id.n;
    const saddle_status status = run(F, SADDLE__MUMPS_SOLVE);
    F->id.rhs = NULL;
    return status;
}
