/* SPDX-License-Identifier: MIT */
/* lemke: complementary pivoting on a dense tableau, or on a factored basis; rows with any bounds,
 * pyramid and box contacts, any matrix.
 *
 *     W = J M^-1 J' + R        dense, or those columns whose rows push   dense_delassus.h, demand.h
 *     a basis guessed by block pivoting     where it is one, no path is followed          crash.h
 *     the same, steps searched along     on a large symmetric W, where that is none   block_start.c
 *     y = A x + c, lo <= x <= hi            rows and the directions of friction         expansion.h
 *     y = B x + q                           without the unknowns that have no bounds    reduction.h
 *     y = B x + q + d t, t -> 0             Lemke's path                                  path.h
 *     A_SS x_S = ..                         the answer of the basis found, refined        basis.c
 *
 * Large and sparse problems, and those on a few columns of W: A sparse, the path's table in revised
 * form (large.h, revised.h). Bases are then factored in memory of their own; all else allocates in
 * analyse alone.  The search is in search.c.
 *
 * A path that ends elsewhere is proof that there is no solution (certificate.c) or is tried again
 * with another d, as is one that takes more pivots than is usual: those problems on which Lemke's
 * method takes exponentially many do so for a d of theirs. Lemke (1965), Bimatrix equilibrium
 * points and mathematical programming; Cottle, Pang and Stone (1992), The linear complementarity
 * problem, 4.4 and 4.9; Sargent (1978), Math. Programming 14; Anitescu and Potra (1997), Nonlinear
 * Dynamics 14.
 */
#include <string.h>

#include "builtin.h"
#include "lemke/lemke_state.h"

enum {
    LARGEST = 3000,    /* unknowns on a tableau */
    SPARSE_FROM = 300, /* unknowns on a tableau, whatever the share of W that is .. */
    SPARSE_SHARE = 20, /* .. not zero: beyond, one in so many */
    SINGULAR_ROWS = 64 /* dependent equality rows for which there is room on the path */
};

static void clear(void *memory, saddle_context *context)
{
    saddle__lemke *s = memory;
    void *blocks[] = {s->q,         s->c,         s->x,      s->y,       s->step,         s->inside,
                      s->basis_row, s->basis_col, s->defect, s->trial_v, s->trial_lambda, s->force};
    saddle__dense_delassus_clear(context, &s->mass);
    saddle__expansion_clear(context, &s->expansion);
    saddle__reduction_clear(context, &s->reduction);
    saddle__path_clear(context, &s->path);
    saddle__crash_clear(context, &s->crash);
    saddle__crash_sparse_clear(context, &s->sparse);
    if (s->has_blocks) saddle__bounded_clear(&s->blocks);
    saddle__large_clear(context, &s->large);
    saddle__on_demand_clear(context, &s->demand);
    saddle__large_clear(context, &s->few);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(s, 0, sizeof *s);
}

static saddle_status make_vectors(saddle_context *context, saddle__lemke *s, int64_t n, int64_t m,
                                  int64_t size)
{
    s->q = saddle_allocate(context, m + 1, sizeof *s->q);
    s->c = saddle_allocate(context, size + 1, sizeof *s->c);
    s->x = saddle_allocate(context, size + 1, sizeof *s->x);
    s->y = saddle_allocate(context, size + 1, sizeof *s->y);
    s->step = saddle_allocate(context, size + 1, sizeof *s->step);
    s->inside = saddle_allocate(context, size + 1, sizeof *s->inside);
    s->basis_row = saddle_allocate(context, size + 1, sizeof *s->basis_row);
    s->basis_col = saddle_allocate(context, size + 1, sizeof *s->basis_col);
    s->defect = saddle_allocate(context, n + m + 1, sizeof *s->defect);
    s->trial_v = saddle_allocate(context, n + 1, sizeof *s->trial_v);
    s->trial_lambda = saddle_allocate(context, m + 1, sizeof *s->trial_lambda);
    s->force = saddle_allocate(context, m + 1, sizeof *s->force);
    int whole = s->q && s->c && s->x && s->y && s->step && s->inside && s->basis_row &&
                s->basis_col && s->defect && s->trial_v && s->trial_lambda && s->force;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Columns of W on demand, where they may pay. */
static saddle_status make_demand(const saddle_solver_call *call, saddle__lemke *s,
                                 const saddle_problem *problem)
{
    if (problem->n == 0 || problem->m == 0 || !problem->Jt.start) return SADDLE_OK;
    const saddle__lemke_settings *settings = call->settings;
    int always = settings->columns;
    saddle_status status = saddle__on_demand_create(call->context, problem, &s->mass, always,
                                                    &s->demand);
    if (status != SADDLE_OK || s->demand.room == 0) return status;
    return saddle__large_create(call->context, problem, NULL, &s->demand, &s->few);
}

/* What is made beside W, by the table chosen. */
static saddle_status make_tables(const saddle_solver_call *call, saddle__lemke *s,
                                 const saddle_problem *problem)
{
    saddle_context *context = call->context;
    int64_t size = saddle__expansion_capacity(problem);
    int64_t equality = saddle_problem_count_rows(problem).equality;
    int large = s->is_large;
    s->most_left = size - equality + 2 * (equality < SINGULAR_ROWS ? equality : SINGULAR_ROWS);
    saddle_status status = saddle__expansion_create(context, problem, &s->expansion);
    if (status == SADDLE_OK)
        status = large ? saddle__large_create(context, problem, &s->mass.complement.W, NULL,
                                              &s->large)
                       : saddle__reduction_create(context, size, s->most_left, &s->reduction);
    int64_t most = large || (s->demand.room > 0 && size > s->most_left) ? size : s->most_left;
    if (status == SADDLE_OK)
        status = saddle__path_create(context, most, large ? &s->large.revised : NULL, &s->path);
    if (status == SADDLE_OK) status = saddle__crash_create(context, problem->m, &s->crash);
    if (status == SADDLE_OK && large)
        status = saddle__crash_sparse_create(context, &s->large.W, &s->sparse);
    if (status == SADDLE_OK) status = saddle__lemke_block_analyse(s, call, problem);
    return status == SADDLE_OK ? make_vectors(context, s, problem->n, problem->m, size) : status;
}

/* chooses: W is not formed where a few of its columns will do. */
static saddle_status analyse_as(saddle_solver_call *call, saddle__lemke *s,
                                const saddle_problem *problem, int large, int chooses)
{
    s->note = -1;
    s->is_large = large;
    saddle_status status = saddle__dense_delassus_analyse(call->context, problem,
                                                          call->options->ordering, !large,
                                                          &s->mass);
    if (status == SADDLE_OK && chooses) status = make_demand(call, s, problem);
    return status == SADDLE_OK ? make_tables(call, s, problem) : status;
}

static int is_sparse(const saddle_matrix *W)
{
    double entries = (double)saddle_matrix_entries(W) *
                     (W->symmetry == SADDLE_SYMMETRIC ? 2.0 : 1.0);
    return entries * SPARSE_SHARE <= (double)W->cols * (double)W->cols;
}

/* Equalities, which may depend on each other, are the tableau's as long as there is room for it. */
static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    saddle__lemke *s = memory;
    int64_t size = saddle__expansion_capacity(problem);
    int few = size <= SPARSE_FROM || saddle_problem_count_rows(problem).equality > 0;
    if (size > LARGEST) return analyse_as(call, s, problem, 1, 1);
    if (few || problem->n == 0)
        return analyse_as(call, s, problem, !few && is_sparse(&problem->R), 1);
    if (problem->M.symmetry == SADDLE_GENERAL || !problem->Jt.start)
        return analyse_as(call, s, problem, 0, 1);
    s->note = -1;
    saddle_status status = saddle__dense_delassus_analyse(call->context, problem,
                                                          call->options->ordering, 0, &s->mass);
    if (status != SADDLE_OK) return status;
    s->is_large = is_sparse(&s->mass.complement.W);
    if (!s->is_large) status = saddle__dense_delassus_add_dense(call->context, problem, &s->mass);
    if (status == SADDLE_OK) status = make_demand(call, s, problem);
    return status == SADDLE_OK ? make_tables(call, s, problem) : status;
}

static saddle_status analyse_revised(saddle_solver_call *call, void *memory,
                                     const saddle_problem *problem)
{
    return analyse_as(call, memory, problem, 1, 0);
}

static saddle_status analyse_tableau(saddle_solver_call *call, void *memory,
                                     const saddle_problem *problem)
{
    return analyse_as(call, memory, problem, 0, 0);
}

saddle_status saddle__lemke_form(saddle__lemke *s, const saddle_problem *problem)
{
    if (s->formed) return SADDLE_OK;
    saddle_status status = saddle__dense_delassus_form(problem, &s->mass);
    if (status == SADDLE_OK && s->is_large)
        saddle__unfolded_refresh(&s->large.W, &s->mass.complement.W);
    s->formed = status == SADDLE_OK;
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    saddle__lemke *s = memory;
    s->formed = 0;
    saddle_status status = saddle__dense_delassus_factor(call->context, problem, &s->mass);
    saddle__on_demand_refresh(&s->demand, problem);
    if (status == SADDLE_OK && s->demand.room == 0) status = saddle__lemke_form(s, problem);
    if (problem->n == 0 || status == SADDLE_OUT_OF_MEMORY) return status;
    saddle__factor_counts counts = saddle__dense_delassus_counts(&s->mass);
    call->report->factorizations += status == SADDLE_OK;
    if (counts.peak_bytes > call->report->peak_bytes) call->report->peak_bytes = counts.peak_bytes;
    return status;
}

static const saddle_setting settings[] = {
    {.name = "columns",
     .kind = SADDLE_SETTING_FLAG,
     .offset = offsetof(saddle__lemke_settings, columns),
     .summary = "compute single columns of the Delassus operator, whatever the model of cost says"},
    {.name = "crash_steps",
     .kind = SADDLE_SETTING_INTEGER,
     .offset = offsetof(saddle__lemke_settings, crash_steps),
     .initial = 50,
     .most = 1e9,
     .summary = "steps of block pivoting at most that look for a basis before the path"},
    {.name = NULL},
};

/* Everything but what tells the two tables apart. */
#define LEMKE_CAN                                                             \
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | \
            SADDLE_CONTACTS_BOX | SADDLE_CONTACTS_PYRAMID,                    \
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,      \
    .state_size = sizeof(saddle__lemke), .settings = settings,                \
    .settings_size = sizeof(saddle__lemke_settings), .factor = factor,        \
    .solve = saddle__lemke_solve, .clear = clear

/* A ray, within about the time that block pivoting takes. */
static unsigned proves(const saddle_problem *problem)
{
    enum { MOST_PATHS = 1000, FEW = 100 };
    int is_short = problem->n == 0 ? problem->m <= MOST_PATHS
                                   : problem->n <= FEW && problem->m <= FEW;
    return is_short ? SADDLE_PROVES_ROWS : 0;
}

const saddle_solver_type saddle__solver_lemke = {
    .name = "lemke",
    .summary = "Lemke's complementary pivoting, lexicographic, on a dense tableau or a factored "
               "basis; rows with any bounds, "
               "pyramid and box contacts, any matrix",
    .analyse = analyse,
    .proves = proves,
    LEMKE_CAN,
};

const saddle_solver_type saddle__solver_lemke_revised = {
    .name = "lemke-revised",
    .summary =
        "lemke on a revised table: a factored basis instead of a dense tableau, whatever the size",
    .analyse = analyse_revised,
    LEMKE_CAN,
};

const saddle_solver_type saddle__solver_lemke_tableau = {
    .name = "lemke-tableau",
    .summary = "lemke on a dense tableau, whatever the size",
    .analyse = analyse_tableau,
    LEMKE_CAN,
};
