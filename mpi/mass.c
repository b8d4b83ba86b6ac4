/* SPDX-License-Identifier: MIT */
/* The first process announces each product; the others take part in it. */
#include "mass.h"

#include <string.h>

#include "base/context_internal.h"

typedef enum command { SOLVE, MULTIPLY, DISMISS } command;

/* ---- made by all ---- */

void saddle__mass_clear(saddle__mass *of)
{
    saddle__parts_clear(&of->factor);
    saddle__release_all(of->team.context, of->x, of->y, of->diagonal, of->S);
    of->x = of->y = of->diagonal = of->S = NULL;
}

static saddle_status allocate(saddle__mass *of)
{
    saddle_context *context = of->team.context;
    const int first = saddle__rank(of->team.processes) == 0;
    const int64_t n = of->part->n, m = of->part->m;
    of->x = saddle_allocate(context, n + m, sizeof *of->x);
    of->y = saddle_allocate(context, n, sizeof *of->y);
    of->diagonal = saddle_allocate(context, n, sizeof *of->diagonal);
    if (first) of->S = saddle_allocate(context, m * m, sizeof *of->S);
    const int complete = of->x && of->y && of->diagonal && (of->S || !first);
    return saddle__agree(of->team.processes, context, complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
}

/* MUMPS keeps rows that no process has an entry of where they have a diagonal. */
static void put_all(saddle__mass *of)
{
    const saddle_problem *p = of->part;
    saddle__parts_put_square(&of->factor, &p->M, 0, 1.0);
    saddle__parts_put_rows(&of->factor, p->n, &p->Jt);
    for (int64_t i = 0; of->S && i < p->m; i++)
        saddle__parts_put(&of->factor, p->n + i, p->n + i, 0.0);
}

saddle_status saddle__mass_make(MPI_Comm processes, saddle_context *context,
                                const saddle_problem *part, saddle_ordering ordering,
                                saddle__mass *of, int *definite)
{
    int vanished = 0;
    *of = (saddle__mass){.part = part,
                         .team = {processes, context, SADDLE_OK},
                         .factor = {.team = {processes, context, SADDLE_OK}}};
    *definite = 0;
    SADDLE__TRY(allocate(of));
    if (saddle_matrix_entries(&part->M) > 0) saddle_matrix_diagonal(&part->M, of->diagonal);
    SADDLE__TRY(saddle__reduce(processes, context, MPI_SUM, part->n, of->diagonal));
    put_all(of);
    SADDLE__TRY(saddle__parts_hold(&of->factor));
    put_all(of);
    SADDLE__TRY(saddle__ask(processes, context, "analyse"));
    SADDLE__TRY(saddle__parts_analyse(&of->factor, part->n + part->m, ordering, part->m, of->S));
    SADDLE__TRY(saddle__ask(processes, context, "factor"));
    SADDLE__TRY(saddle__parts_factor_all(&of->factor, &of->counts, &vanished));
    *definite = !vanished && of->counts.inertia.negative == 0;
    return SADDLE_OK;
}

/* ---- products ---- */

/* x <- M^-1 x in the first process, zeros in the place of the rows. */
static saddle_status solve_all(saddle__mass *of)
{
    if (of->S) memset(of->x + of->part->n, 0, (size_t)of->part->m * sizeof *of->x);
    return saddle__parts_solve(&of->factor, of->x);
}

/* y <- M x, x of the first process. */
static saddle_status multiply_all(saddle__mass *of)
{
    const int64_t n = of->part->n;
    const saddle_matrix *M = &of->part->M;
    saddle__broadcast(of->team.processes, of->x, n * (int64_t)sizeof *of->x);
    memset(of->y, 0, (size_t)n * sizeof *of->y);
    if (saddle_matrix_entries(M) > 0) saddle_matrix_apply(M, 1.0, of->x, 0.0, of->y);
    return saddle__reduce(of->team.processes, of->team.context, MPI_SUM, n, of->y);
}

static void announce(const saddle__mass *of, command c)
{
    MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, of->team.processes);
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
        MPI_Bcast(&c, sizeof c, MPI_BYTE, 0, of->team.processes);
        if (c == DISMISS) return;
        (void)(c == SOLVE ? solve_all(of) : multiply_all(of));
    }
}

/* ---- the operator ---- */

static saddle_status solve(void *user, double *x)
{
    saddle__mass *of = user;
    const size_t size = (size_t)of->part->n * sizeof *x;
    memcpy(of->x, x, size);
    announce(of, SOLVE);
    SADDLE__TRY(solve_all(of));
    memcpy(x, of->x, size);
    return SADDLE_OK;
}

static saddle_status multiply(void *user, const double *x, double *y)
{
    saddle__mass *of = user;
    const size_t size = (size_t)of->part->n * sizeof *x;
    memcpy(of->x, x, size);
    announce(of, MULTIPLY);
    SADDLE__TRY(multiply_all(of));
    memcpy(y, of->y, size);
    return SADDLE_OK;
}

static saddle_status diagonal(void *user, double *d)
{
    const saddle__mass *of = user;
    memcpy(d, of->diagonal, (size_t)of->part->n * sizeof *d);
    return SADDLE_OK;
}

static saddle_status complement(void *user, const saddle_matrix *Jt, double *S)
{
    const saddle__mass *of = user;
    const int64_t m = Jt->cols;
    for (int64_t j = 0, k = 0; j < m; j++)
        for (int64_t i = j; i < m; i++) S[k++] = -of->S[i * m + j];
    return SADDLE_OK;
}

saddle_mass_operator saddle__mass_operator_of(saddle__mass *of)
{
    return (saddle_mass_operator){.n = of->part->n,
                                  .user = of,
                                  .solve = solve,
                                  .multiply = multiply,
                                  .diagonal = diagonal,
                                  .complement = complement};
}
