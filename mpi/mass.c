/* SPDX-License-Identifier: MIT */
/* The first process announces each product; the others take part in it. */
#include "mass.h"

#include <string.h>

#include "base/context_internal.h"

typedef enum command { SOLVE, MULTIPLY, DISMISS } command;

/* ---- made by all ---- */

void saddle__mass_clear(saddle__mass *of)
{
    if (!of->view) return;
    saddle__parts_clear(&of->factor);
    saddle__release_all(of->view->context, of->x, of->y, of->all, of->diagonal, of->S);
    of->x = of->y = of->all = of->diagonal = of->S = NULL;
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

static saddle_status allocate(saddle__mass *of)
{
    saddle_context *context = of->view->context;
    const int first = saddle__rank(of->view->processes) == 0;
    const int64_t seen = of->view->problem.n, n = velocities_of(of)->whole, m = count_rows(of);
    of->x = saddle_allocate(context, seen + 1, sizeof *of->x);
    of->y = saddle_allocate(context, seen + 1, sizeof *of->y);
    if (first) {
        of->all = saddle_allocate(context, n + m, sizeof *of->all);
        of->diagonal = saddle_allocate(context, n, sizeof *of->diagonal);
        of->S = saddle_allocate(context, m * m, sizeof *of->S);
    }
    const int complete = of->x && of->y && (!first || (of->all && of->diagonal && of->S));
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
    return SADDLE_OK;
}

/* ---- products ---- */

/* all <- M^-1 all in the first process, zeros in the place of the rows. */
static saddle_status solve_all(saddle__mass *of)
{
    const int64_t n = velocities_of(of)->whole, m = count_rows(of);
    if (of->all) memset(of->all + n, 0, (size_t)m * sizeof *of->all);
    return saddle__parts_solve(&of->factor, of->all);
}

/* all <- M all in the first process. */
static saddle_status multiply_all(saddle__mass *of)
{
    const saddle__distribution *d = velocities_of(of);
    const saddle_matrix *M = &of->view->problem.M;
    SADDLE__TRY(saddle__distribution_scatter(d, of->all, of->x));
    memset(of->y, 0, (size_t)d->count * sizeof *of->y);
    if (saddle_matrix_entries(M) > 0) saddle_matrix_apply(M, 1.0, of->x, 0.0, of->y);
    SADDLE__TRY(saddle__distribution_sum(d, of->y));
    return saddle__distribution_gather(d, of->y, of->all);
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
        (void)(c == SOLVE ? solve_all(of) : multiply_all(of));
    }
}

/* ---- the operator ---- */

static saddle_status solve(void *user, double *x)
{
    saddle__mass *of = user;
    const size_t size = (size_t)velocities_of(of)->whole * sizeof *x;
    memcpy(of->all, x, size);
    announce(of, SOLVE);
    SADDLE__TRY(solve_all(of));
    memcpy(x, of->all, size);
    return SADDLE_OK;
}

static saddle_status multiply(void *user, const double *x, double *y)
{
    saddle__mass *of = user;
    const size_t size = (size_t)velocities_of(of)->whole * sizeof *x;
    memcpy(of->all, x, size);
    announce(of, MULTIPLY);
    SADDLE__TRY(multiply_all(of));
    memcpy(y, of->all, size);
    return SADDLE_OK;
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
    const int64_t m = Jt->cols;
    for (int64_t j = 0, k = 0; j < m; j++)
        for (int64_t i = j; i < m; i++) S[k++] = -of->S[i * m + j];
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
