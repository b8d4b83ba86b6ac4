/* SPDX-License-Identifier: MIT */
/* The first process announces each product to the others. */
#include "mass.h"

#include <string.h>

#include "base/context_internal.h"

typedef enum command { SOLVE, MULTIPLY, DISMISS } command;

/* ---- made by all ---- */

void saddle__mass_clear(saddle__mass *of)
{
    if (!of->view) return;
    saddle__parts_clear(&of->factor);
    saddle__release_all(of->view->context, of->x, of->y, of->diagonal, of->S, of->complement);
    of->x = of->y = of->diagonal = of->S = of->complement = NULL;
}

static saddle_status agree(const saddle__mass *of, saddle_status status)
{
    return saddle__agree(of->view->processes, of->view->context, status);
}

static const saddle__distribution *velocities_of(const saddle__mass *of)
{
    return &of->view->of[SADDLE__VELOCITIES];
}

static int64_t count_rows(const saddle__mass *of)
{
    return of->view->of[SADDLE__ROWS].whole;
}

static int64_t count_entries(const saddle__mass *of) /* of the complement */
{
    return count_rows(of) * (count_rows(of) + 1) / 2;
}

static saddle_status allocate(saddle__mass *of)
{
    const saddle__view *view = of->view;
    saddle_context *context = view->context;
    const int first = saddle__rank(view->processes) == 0;
    const int host = saddle__parts_is_host(&of->factor);
    const int64_t n = view->problem.n, m = view->problem.m, rows = count_rows(of);
    of->x = saddle_allocate(context, n + m + 1, sizeof *of->x);
    of->y = saddle_allocate(context, n + 1, sizeof *of->y);
    if (host) of->S = saddle_allocate(context, rows * rows, sizeof *of->S);
    if (first) {
        of->diagonal = saddle_allocate(context, velocities_of(of)->whole, sizeof *of->diagonal);
        of->complement = saddle_allocate(context, count_entries(of), sizeof *of->complement);
    }
    const int complete = of->x && of->y && (of->S || !host) &&
                         ((of->diagonal && of->complement) || !first);
    return agree(of, complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
}

static saddle_status gather_diagonal(saddle__mass *of)
{
    const saddle_matrix *M = &of->view->problem.M;
    if (saddle_matrix_entries(M) > 0) saddle_matrix_diagonal(M, of->x);
    SADDLE__TRY(saddle__distribution_sum(velocities_of(of), of->x));
    return saddle__distribution_gather(velocities_of(of), of->x, of->diagonal);
}

/* MUMPS keeps rows that no process has an entry of where they have a diagonal. */
static void put_all(saddle__mass *of)
{
    const int64_t n = velocities_of(of)->whole, m = count_rows(of);
    saddle__parts_put_square(&of->factor, of->view, SADDLE__VELOCITIES, 1.0);
    saddle__parts_put_rows(&of->factor, of->view);
    for (int64_t i = 0; of->S && i < m; i++) saddle__parts_put(&of->factor, n + i, n + i, 0.0);
}

/* In the host: S <- -S, the lower triangle by columns from its rows, in place; no entry is
 * overwritten before it is read. */
static void pack(int64_t m, double *S)
{
    for (int64_t j = 0, k = 0; j < m; j++)
        for (int64_t i = j; i < m; i++) S[k++] = -S[i * m + j];
}

/* complement, in the first process <- S of the host, which may be the same. */
static void hand_over_complement(saddle__mass *of)
{
    MPI_Comm reversed = of->factor.reversed;
    const int first = saddle__processes(reversed) - 1, host = 0; /* there */
    const int64_t count = count_entries(of);
    if (of->S) pack(count_rows(of), of->S);
    for (int64_t at = 0; at < count; at += SADDLE__MPI_PIECE) {
        const int64_t left = count - at;
        const int piece = (int)(left < SADDLE__MPI_PIECE ? left : SADDLE__MPI_PIECE);
        MPI_Request sent = MPI_REQUEST_NULL;
        if (of->S) MPI_Isend(of->S + at, piece, MPI_DOUBLE, first, 0, reversed, &sent);
        if (of->complement)
            MPI_Recv(of->complement + at, piece, MPI_DOUBLE, host, 0, reversed, MPI_STATUS_IGNORE);
        MPI_Wait(&sent, MPI_STATUS_IGNORE);
    }
    saddle_release(of->view->context, of->S);
    of->S = NULL;
}

saddle_status saddle__mass_make(const saddle__view *view, saddle_ordering ordering,
                                saddle__mass *of, int *definite)
{
    MPI_Comm processes = view->processes;
    saddle_context *context = view->context;
    int vanished = 0;
    *of = (saddle__mass){.view = view, .factor = {.processes = processes, .context = context}};
    *definite = 0;
    const int64_t m = count_rows(of);
    SADDLE__TRY(allocate(of));
    SADDLE__TRY(gather_diagonal(of));
    put_all(of);
    SADDLE__TRY(saddle__parts_hold(&of->factor));
    put_all(of);
    SADDLE__TRY(saddle__ask(processes, context, "analyse"));
    SADDLE__TRY(
        saddle__parts_analyse(&of->factor, velocities_of(of)->whole + m, ordering, m, of->S));
    SADDLE__TRY(saddle__ask(processes, context, "factor"));
    SADDLE__TRY(saddle__parts_factor_all(&of->factor, &of->counts, &vanished));
    *definite = !vanished && of->counts.inertia.negative == 0;
    if (*definite) hand_over_complement(of);
    return SADDLE_OK;
}

/* ---- products ---- */

/* x <- M^-1 x, of the first process; NULL elsewhere. */
static saddle_status solve_all(saddle__mass *of, double *x)
{
    const saddle__distribution *d = velocities_of(of);
    SADDLE__TRY(saddle__distribution_scatter(d, x, of->x));
    memset(of->x + d->count, 0, (size_t)of->view->problem.m * sizeof *of->x);
    SADDLE__TRY(saddle__parts_solve_view(&of->factor, of->view, of->x));
    return saddle__distribution_gather(d, of->x, x);
}

/* y <- M x, the same. */
static saddle_status multiply_all(saddle__mass *of, const double *x, double *y)
{
    const saddle__distribution *d = velocities_of(of);
    const saddle_matrix *M = &of->view->problem.M;
    SADDLE__TRY(saddle__distribution_scatter(d, x, of->x));
    memset(of->y, 0, (size_t)d->count * sizeof *of->y);
    if (saddle_matrix_entries(M) > 0) saddle_matrix_apply(M, 1.0, of->x, 0.0, of->y);
    SADDLE__TRY(saddle__distribution_sum(d, of->y));
    return saddle__distribution_gather(d, of->y, y);
}

static void announce(const saddle__mass *of, command c)
{
    MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, of->view->processes);
}

void saddle__mass_dismiss(saddle__mass *of)
{
    announce(of, DISMISS);
}

/* A failure of MUMPS or of a sum is one of all: the first process returns it. */
void saddle__mass_serve(saddle__mass *of)
{
    for (;;) {
        command c = DISMISS;
        MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, of->view->processes);
        if (c == DISMISS) return;
        (void)(c == SOLVE ? solve_all(of, NULL) : multiply_all(of, NULL, NULL));
    }
}

/* ---- the operator ---- */

static saddle_status solve(void *user, double *x)
{
    announce(user, SOLVE);
    return solve_all(user, x);
}

static saddle_status multiply(void *user, const double *x, double *y)
{
    announce(user, MULTIPLY);
    return multiply_all(user, x, y);
}

static saddle_status diagonal(void *user, double *d)
{
    const saddle__mass *of = user;
    memcpy(d, of->diagonal, (size_t)velocities_of(of)->whole * sizeof *d);
    return SADDLE_OK;
}

static saddle_status complement(void *user, const saddle_matrix *Jt, double *S)
{
    const saddle__mass *of = user;
    (void)Jt; /* the same */
    memcpy(S, of->complement, (size_t)count_entries(of) * sizeof *S);
    return SADDLE_OK;
}

saddle_mass_operator saddle__mass_operator_of(saddle__mass *of)
{
    return (saddle_mass_operator){.n = velocities_of(of)->whole,
                                  .user = of,
                                  .solve = solve,
                                  .multiply = multiply,
                                  .diagonal = diagonal,
                                  .complement = complement};
}
