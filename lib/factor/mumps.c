/* SPDX-License-Identifier: MIT */
/* "mumps": MUMPS' multifrontal L D L' with 1 x 1 and 2 x 2 pivots of a symmetric A, L U of a
 * general A.
 *
 * The order of a symmetric A is the engine's, handed over (ICNTL(7) = 1); of a general A, AMD or
 * MUMPS' own choice.  MUMPS scales A and looks for null pivots (ICNTL(24)): a singular A is an
 * error that names the first of them.  MUMPS takes memory of its own in factor, as UMFPACK does.
 * The Schur complement of the last unknowns is MUMPS' (ICNTL(19) = 1), in the first process; the
 * order of the others is the one of all without these.
 *
 * With SADDLE_MUMPS=mpi a factorization may be shared by the processes of a communicator: before
 * each phase the first process sends the phase and the number of the factorization, and the others
 * call MUMPS alike (mpi/team.c).
 *
 * References: Amestoy, Duff, L'Excellent, Koster, SIAM J. Matrix Anal. Appl. 23(1), 2001; the
 * numbers of ICNTL, INFOG and RINFOG are the ones of MUMPS' users' guide, one-based. */
#include "factor/mumps.h"

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/process.h"
#include "factor/factorization_internal.h"
#include "ldlt/ldlt_internal.h"

#define ICNTL(i) icntl[(i)-1]
#define INFOG(i) infog[(i)-1]
#define RINFOG(i) rinfog[(i)-1]

typedef struct mumps_state {
    saddle__layout layout;
    DMUMPS_STRUC_C id;
    int started;
    saddle__mumps_team team;
    MUMPS_INT *row;   /* entries of A, from 1 */
    MUMPS_INT *col;   /* the same */
    MUMPS_INT *place; /* n: the place of each node in the order, from 1 */
    MUMPS_INT *kept;  /* F->kept: the unknowns that are not eliminated, from 1 */
    double *block;    /* n x SADDLE__FACTOR_BLOCK right-hand sides by columns, once needed */
} mumps_state;

/* ---- one process ---- */

#ifndef SADDLE_MUMPS_MPI

void saddle__mumps_find_team(const saddle__factorization *F, saddle__mumps_team *team)
{
    (void)F;
    *team = (saddle__mumps_team){.communicator = -987654}; /* the guide's, without MPI */
}

void saddle__mumps_tell(const saddle__mumps_team *team, int job, int symmetry)
{
    (void)team;
    (void)job;
    (void)symmetry;
}

#endif

/* MUMPS divides by numbers that vanish, its BLAS runs on one thread, and threads take turns. */
int saddle__mumps_run(DMUMPS_STRUC_C *id, int job)
{
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    fenv_t traps;
    (void)pthread_mutex_lock(&turn);
    (void)feholdexcept(&traps);
    saddle__blas_begin();
    id->job = job;
    dmumps_c(id);
    saddle__blas_end();
    (void)fesetenv(&traps);
    (void)pthread_mutex_unlock(&turn);
    return id->INFOG(1);
}

void saddle__mumps_begin(DMUMPS_STRUC_C *id, int communicator, int symmetry)
{
    *id = (DMUMPS_STRUC_C){.comm_fortran = communicator, .par = 1, .sym = symmetry};
}

void saddle__mumps_silence(DMUMPS_STRUC_C *id)
{
    for (int i = 1; i <= 3; i++) id->ICNTL(i) = -1;
    id->ICNTL(4) = 0;
}

static int call(mumps_state *s, int job)
{
    saddle__mumps_tell(&s->team, job, s->id.sym);
    return saddle__mumps_run(&s->id, job);
}

saddle_status saddle__mumps_fail(saddle_context *context, const DMUMPS_STRUC_C *id)
{
    switch (id->INFOG(1)) {
    case -5: /* memory in the analysis, for reals and for integers, and later */
    case -7:
    case -13:
    case -8: /* room that is not enough after all: factor, solve, messages */
    case -9:
    case -11:
    case -14:
    case -17:
    case -20:
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY,
                           "out of memory in MUMPS, order %lld, INFOG(1) = %d", (long long)id->n,
                           id->INFOG(1));
    default:
        return saddle_fail(context, SADDLE_INTERNAL, "MUMPS: INFOG(1) = %d, INFOG(2) = %d",
                           id->INFOG(1), id->INFOG(2));
    }
}

static saddle_status translate(const saddle__factorization *F, const mumps_state *s)
{
    return saddle__mumps_fail(F->context, &s->id);
}

static void clear(saddle__factorization *F)
{
    mumps_state *s = F->state;
    if (s->started) (void)call(s, SADDLE__MUMPS_FINISH);
    saddle_release(F->context, s->block);
    saddle__layout_clear(F->context, &s->layout);
}

/* ---- analyse ---- */

static saddle_status make_arrays(saddle_context *context, mumps_state *s,
                                 const saddle__factorization *F)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(s->row, F->entries),
                                    SADDLE__ARRAY(s->col, F->entries),
                                    SADDLE__ARRAY(s->place, F->n), SADDLE__ARRAY(s->kept, F->kept)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static void hand_over_pattern(mumps_state *s, const saddle_matrix *A)
{
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            s->row[k] = (MUMPS_INT)A->index[k] + 1;
            s->col[k] = (MUMPS_INT)j + 1;
        }
    s->id.n = (MUMPS_INT)A->rows;
    s->id.nnz = saddle_matrix_entries(A);
    s->id.irn = s->row;
    s->id.jcn = s->col;
}

/* ICNTL(7): AMD, METIS or MUMPS' choice. */
static MUMPS_INT own_order(saddle_ordering ordering)
{
    if (ordering == SADDLE_ORDERING_AMD) return 0;
    return ordering == SADDLE_ORDERING_METIS ? 5 : 7;
}

static saddle_status choose_order(saddle__factorization *F, mumps_state *s, const saddle_matrix *A,
                                  const signed char *late)
{
    const int natural = F->ordering == SADDLE_ORDERING_NATURAL;
    s->id.ICNTL(7) = 1; /* given */
    s->id.perm_in = s->place;
    for (int64_t k = 0; k < F->n; k++) s->place[k] = (MUMPS_INT)k + 1;
    if (natural) return SADDLE_OK;
    if (A->symmetry != SADDLE_SYMMETRY_LOWER) {
        s->id.ICNTL(7) = own_order(F->ordering);
        return SADDLE_OK;
    }
    saddle__ldlt_request request = {.ordering = F->ordering, .late = late};
    saddle__ordered ordered = {.order = NULL};
    SADDLE__TRY(saddle__ordered_make(F->context, A, &request, &ordered));
    for (int64_t k = 0, before = 0; k < F->n; k++) /* the kept ones stay last */
        if (ordered.order[k] < F->n - F->kept) s->place[ordered.order[k]] = (MUMPS_INT)(++before);
    saddle__ordered_clear(F->context, &ordered);
    return SADDLE_OK;
}

void saddle__mumps_choose(DMUMPS_STRUC_C *id)
{
    saddle__mumps_silence(id);
    id->ICNTL(6) = 0;   /* no permutation of columns: values are not known yet */
    id->ICNTL(12) = 1;  /* the order is of single nodes, not of pairs */
    id->ICNTL(13) = 1;  /* the root by MUMPS itself: exact inertia and null pivots */
    id->ICNTL(14) = 50; /* percent of room for delayed pivots */
    id->ICNTL(24) = 1;  /* null pivots are looked for */
}

static void keep_last(const saddle__factorization *F, mumps_state *s)
{
    if (F->kept == 0) return;
    s->id.ICNTL(19) = 1;
    s->id.size_schur = (MUMPS_INT)F->kept;
    s->id.listvar_schur = s->kept;
    s->id.schur = F->complement;
    for (int64_t i = 0; i < F->kept; i++) s->kept[i] = (MUMPS_INT)(F->n - F->kept + i) + 1;
}

static saddle_status start(saddle__factorization *F, mumps_state *s, const saddle_matrix *A)
{
    const int symmetry = A->symmetry == SADDLE_SYMMETRY_LOWER ? 2 : 0; /* SYM */
    saddle__mumps_find_team(F, &s->team);
    saddle__mumps_begin(&s->id, s->team.communicator, symmetry);
    const int error = call(s, SADDLE__MUMPS_INITIALIZE);
    s->started = error >= 0;
    return error < 0 ? translate(F, s) : SADDLE_OK;
}

static saddle_status analyse(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late)
{
    mumps_state *s = F->state;
    if (F->n > INT32_MAX - 1)
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "order %lld: MUMPS counts in 32 bits",
                           (long long)F->n);
    SADDLE__TRY(make_arrays(F->context, s, F));
    SADDLE__TRY(start(F, s, A));
    saddle__mumps_choose(&s->id);
    hand_over_pattern(s, A);
    keep_last(F, s);
    SADDLE__TRY(choose_order(F, s, A, late));
    if (call(s, SADDLE__MUMPS_ANALYSE) < 0) return translate(F, s);
    F->counts.flops = s->id.RINFOG(1);
    saddle__factor_components(F, A, NULL);
    return SADDLE_OK;
}

/* ---- factor ---- */

static saddle_status singular(saddle__factorization *F, const mumps_state *s)
{
    const int is_listed = s->id.INFOG(28) > 0 && s->id.pivnul_list;
    F->counts.failed_column = is_listed ? s->id.pivnul_list[0] - 1 : -1;
    if (F->counts.failed_column < 0)
        return saddle_fail(F->context, SADDLE_SINGULAR, "the matrix is singular");
    return saddle_fail(F->context, SADDLE_SINGULAR, "the pivot of column %lld vanished",
                       (long long)F->counts.failed_column + 1);
}

/* INFOG counts in millions where negative. */
static int64_t whole_count(int count)
{
    return count < 0 ? -(int64_t)count * 1000000 : count;
}

void saddle__mumps_count(const DMUMPS_STRUC_C *id, saddle__factor_counts *c)
{
    c->entries = whole_count(id->INFOG(29));
    c->flops = id->RINFOG(3);
    c->least_pivot = NAN; /* MUMPS does not tell */
    const int64_t bytes = whole_count(id->INFOG(22)) * 1000000;
    if (bytes > c->peak_bytes) c->peak_bytes = bytes;
    if (id->sym == 0) return;
    c->inertia.known = 1;
    c->inertia.negative = id->INFOG(12);
    c->inertia.positive = id->n - id->INFOG(12);
}

/* The upper triangle of S (count x count) <- the lower, by rows. */
static void mirror(int64_t count, double *S)
{
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < i; k++) S[k * count + i] = S[i * count + k];
}

/* Work arrays of integers and reals, buffers of messages to send and received. */
int saddle__mumps_widen(DMUMPS_STRUC_C *id)
{
    const int error = id->INFOG(1);
    const int is_short = error == -8 || error == -9 || error == -17 || error == -20;
    if (!is_short || id->ICNTL(14) >= 6400) return 0;
    id->ICNTL(14) = 2 * id->ICNTL(14) + 1;
    return 1;
}

int saddle__mumps_is_singular(const DMUMPS_STRUC_C *id)
{
    return id->INFOG(1) == -10 || (id->INFOG(1) >= 0 && id->INFOG(28) > 0);
}

static saddle_status factor(saddle__factorization *F, const saddle_matrix *A,
                            const saddle__pivot_rule *rule)
{
    (void)rule;
    mumps_state *s = F->state;
    s->id.a = A->value;
    int error = call(s, SADDLE__MUMPS_FACTOR);
    while (saddle__mumps_widen(&s->id)) error = call(s, SADDLE__MUMPS_FACTOR);
    s->id.a = NULL;
    if (saddle__mumps_is_singular(&s->id)) return singular(F, s);
    if (error < 0) return translate(F, s);
    saddle__mumps_count(&s->id, &F->counts);
    F->counts.inertia.positive -= F->kept;
    mirror(F->kept, F->complement);
    return SADDLE_OK;
}

/* ---- solve ---- */

static saddle_status solve_with(saddle__factorization *F, int transposed, int64_t columns,
                                double *x)
{
    mumps_state *s = F->state;
    s->id.ICNTL(9) = !transposed;
    s->id.rhs = x;
    s->id.nrhs = (MUMPS_INT)columns;
    s->id.lrhs = s->id.n;
    const int error = call(s, SADDLE__MUMPS_SOLVE);
    s->id.rhs = NULL;
    return error < 0 ? translate(F, s) : SADDLE_OK;
}

static saddle_status solve(saddle__factorization *F, double *x)
{
    return solve_with(F, 0, 1, x);
}

static saddle_status solve_columns(saddle__factorization *F, int64_t columns, double *X)
{
    return solve_with(F, 0, columns, X);
}

static saddle_status solve_transpose(saddle__factorization *F, double *x)
{
    return solve_with(F, 1, 1, x);
}

static saddle_status solve_set(saddle__factorization *F, int64_t columns, const int64_t *start,
                               const int64_t *index, const double *value, double *X)
{
    mumps_state *s = F->state;
    if (!s->block)
        s->block = saddle_allocate(F->context, F->n, SADDLE__FACTOR_BLOCK * sizeof(double));
    if (!s->block) return SADDLE_OUT_OF_MEMORY;
    memset(s->block, 0, (size_t)(F->n * columns) * sizeof *s->block);
    for (int64_t c = 0; c < columns; c++)
        for (int64_t e = start[c]; e < start[c + 1]; e++) s->block[c * F->n + index[e]] += value[e];
    SADDLE__TRY(solve_with(F, 0, columns, s->block));
    for (int64_t k = 0; k < F->set_count; k++)
        for (int64_t c = 0; c < columns; c++)
            X[F->set[k] * columns + c] = s->block[c * F->n + F->set[k]];
    return SADDLE_OK;
}

const saddle__factor_method saddle__factor_mumps = {
    .name = "mumps",
    .symmetric_only = 0,
    .state_size = sizeof(mumps_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .solve_columns = solve_columns,
    .solve_transpose = solve_transpose,
    .solve_set = solve_set,
    .clear = clear,
    .has_complement = 1,
};
