/* SPDX-License-Identifier: MIT */
/* lemke: complementary pivoting on a dense tableau, or on a factored basis; rows with any bounds, pyramid and box contacts, any
 * matrix.
 *
 *     W = J M^-1 J' + R                     dense                                         dense_delassus.h
 *     a basis guessed by block pivoting     where it is one, no path is followed          crash.h
 *     y = A x + c, lo <= x <= hi            rows and the directions of friction           expansion.h
 *     y = B x + q                           without the unknowns that have no bounds      reduction.h
 *     y = B x + q + d t, t -> 0             Lemke's path                                  path.h
 *     A_SS x_S = ..                         the answer of the basis found, refined        basis.c
 *
 * Large and sparse problems: W and A sparse, the path's table in revised form (large.h, revised.h).  Bases are then factored
 * in memory of their own; all else allocates in analyse alone.
 *
 * A path that ends elsewhere is proof that there is no solution (certificate.c) or is tried again with another d,
 * as is one that takes more pivots than is usual: those problems on which Lemke's method takes exponentially many
 * do so for a d of theirs. Lemke (1965), Bimatrix equilibrium points and mathematical programming; Cottle, Pang and
 * Stone (1992), The linear complementarity problem, 4.4 and 4.9; Sargent (1978), Math. Programming 14; Anitescu and
 * Potra (1997), Nonlinear Dynamics 14.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "builtin.h"
#include "factor/blas_threads.h"
#include "lemke/feasibility.h"
#include "lemke/lemke_state.h"
#include "refine.h"

enum {
    LARGEST = 3000,     /* unknowns on a tableau                                          */
    SPARSE_FROM = 300,  /* unknowns on a tableau, whatever the share of W that is ..      */
    SPARSE_SHARE = 20,  /* .. not zero: beyond, one in so many                            */
    SINGULAR_ROWS = 64, /* dependent equality rows for which there is room on the path    */
    DRAWS = 5,          /* paths from drawn covers                                        */
    USUAL = 10,         /* pivots for each unknown and ..                                 */
    FEW = 200,          /* .. so many more, before another path is tried                  */
    MOST = 1000000,     /* pivots of the last path                                        */
    WATCH = 16          /* pivots between looks at the clock                              */
};

static const double fine = 1e-13; /* a residual that another path need not better */

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
    saddle__large_clear(context, &s->large);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(s, 0, sizeof *s);
}

static saddle_status make_vectors(saddle_context *context, saddle__lemke *s, int64_t n, int64_t m, int64_t size)
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
    int whole = s->q && s->c && s->x && s->y && s->step && s->inside && s->basis_row && s->basis_col && s->defect &&
                s->trial_v && s->trial_lambda && s->force;
    return whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* What is made beside W, by the table chosen. */
static saddle_status make_tables(saddle_context *context, saddle__lemke *s, const saddle_problem *problem)
{
    int64_t size = saddle__expansion_capacity(problem);
    int64_t equality = saddle_problem_count_rows(problem).equality;
    int large = s->is_large;
    s->most_left = size - equality + 2 * (equality < SINGULAR_ROWS ? equality : SINGULAR_ROWS);
    saddle_status status = saddle__expansion_create(context, problem, &s->expansion);
    if (status == SADDLE_OK)
        status = large ? saddle__large_create(context, problem, &s->mass.complement.W, &s->large)
                       : saddle__reduction_create(context, size, s->most_left, &s->reduction);
    if (status == SADDLE_OK)
        status = saddle__path_create(context, large ? size : s->most_left, large ? &s->large.revised : NULL, &s->path);
    if (status == SADDLE_OK) status = saddle__crash_create(context, problem->m, &s->crash);
    if (status == SADDLE_OK && large) status = saddle__crash_sparse_create(context, &s->large.W, &s->sparse);
    s->crash.sparse = large ? &s->sparse : NULL;
    return status == SADDLE_OK ? make_vectors(context, s, problem->n, problem->m, size) : status;
}

static saddle_status analyse_as(saddle_solver_call *call, saddle__lemke *s, const saddle_problem *problem, int large)
{
    s->note = -1;
    s->is_large = large;
    saddle_status status =
        saddle__dense_delassus_analyse(call->context, problem, call->options->ordering, !large, &s->mass);
    return status == SADDLE_OK ? make_tables(call->context, s, problem) : status;
}

static int is_sparse(const saddle_matrix *W)
{
    double entries = (double)saddle_matrix_entries(W) * (W->symmetry == SADDLE_SYMMETRIC ? 2.0 : 1.0);
    return entries * SPARSE_SHARE <= (double)W->cols * (double)W->cols;
}

/* Equalities, which may depend on each other, are the tableau's as long as there is room for it. */
static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    saddle__lemke *s = memory;
    int64_t size = saddle__expansion_capacity(problem);
    int few = size <= SPARSE_FROM || saddle_problem_count_rows(problem).equality > 0;
    if (size > LARGEST) return analyse_as(call, s, problem, 1);
    if (few || problem->n == 0) return analyse_as(call, s, problem, !few && is_sparse(&problem->R));
    if (problem->M.symmetry == SADDLE_GENERAL || !problem->Jt.start) return analyse_as(call, s, problem, 0);
    s->note = -1;
    saddle_status status = saddle__dense_delassus_analyse(call->context, problem, call->options->ordering, 0, &s->mass);
    if (status != SADDLE_OK) return status;
    s->is_large = is_sparse(&s->mass.complement.W);
    if (!s->is_large) status = saddle__dense_delassus_add_dense(call->context, problem, &s->mass);
    return status == SADDLE_OK ? make_tables(call->context, s, problem) : status;
}

static saddle_status analyse_revised(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    return analyse_as(call, memory, problem, 1);
}

static saddle_status analyse_tableau(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    return analyse_as(call, memory, problem, 0);
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    saddle__lemke *s = memory;
    saddle_status status = saddle__dense_delassus_form(call->context, problem, &s->mass);
    if (status == SADDLE_OK && s->is_large) saddle__unfolded_refresh(&s->large.W, &s->mass.complement.W);
    if (problem->n == 0) return status;
    saddle__factor_counts counts = saddle__dense_delassus_counts(&s->mass);
    call->report->factorizations += status == SADDLE_OK;
    if (counts.peak_bytes > call->report->peak_bytes) call->report->peak_bytes = counts.peak_bytes;
    return status;
}

/* ---- solve ---- */

/* One solve. */
typedef struct search {
    saddle_solver_call *call;
    saddle__lemke *state;
    const saddle_problem *problem;
    saddle_solution *solution;
    double start; /* saddle_clock() at the first look at it; negative: before that     */
    int64_t left; /* pivots                                                            */
    int paths;
    int rays;
    int unusual;       /* the first path took more pivots than usual                        */
    saddle_status end; /* SADDLE_OK while paths may follow                                  */
} search;

static int interrupted(void *user, int64_t pivots)
{
    search *it = user;
    if (pivots % WATCH != 0) return 0;
    double now = saddle_clock();
    if (it->start < 0.0) it->start = now;
    if (saddle_context_progress(it->call->context, "solve", pivots, 0, -1.0, now - it->start)) it->end = SADDLE_STOPPED;
    if (now >= it->call->deadline) it->end = SADDLE_TIME_LIMIT;
    return it->end != SADDLE_OK;
}

/* c: y where all x are zero. */
static saddle_status find_constants(saddle__lemke *s, const saddle_problem *problem)
{
    int64_t m = problem->m;
    double *v = s->trial_v;
    saddle__expansion_fill(&s->expansion, problem);
    for (int64_t i = 0; i < m; i++) s->q[i] = problem->b ? -problem->b[i] : 0.0;
    saddle_status status = saddle__dense_delassus_velocity(&s->mass, problem, s->expansion.constant, v);
    if (problem->n > 0 && problem->Jt.start) saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 1.0, s->q);
    if (problem->R.start && s->expansion.has_constant)
        saddle_matrix_apply(&problem->R, 1.0, s->expansion.constant, 1.0, s->q);
    memset(s->x, 0, (size_t)s->expansion.size * sizeof *s->x);
    saddle__expansion_slack(&s->expansion, s->q, s->x, s->c);
    return status;
}

static void fill_tableau(saddle__lemke *s, const saddle_problem *problem)
{
    saddle__path *path = &s->path;
    saddle__reduction *red = &s->reduction;
    saddle__reduction_restore(red, &s->expansion, s->mass.W, problem->m);
    saddle__reduction_eliminate(red, &s->expansion, s->mass.W, problem->m, s->c, s->most_left);
    saddle__path_begin(path, red->left);
    saddle__reduction_hand_over(red, &s->expansion, path->tableau.T, path->q, path->lo, path->hi);
}

/* The problem on the path, with all unknowns at their bounds or, where `inside` says so, between them. */
static int set_out(saddle__lemke *s, const saddle_problem *problem, int from_inside)
{
    saddle__reduction *red = &s->reduction;
    if (s->is_large) return saddle__lemke_set_out_large(s, from_inside);
    fill_tableau(s, problem);
    for (int64_t k = 0; k < red->left; k++) {
        int64_t unknown = red->col[red->place[k]];
        s->path.inside[k] = from_inside && unknown >= s->expansion.free ? s->inside[unknown] : SADDLE__ANYWHERE;
    }
    while (!saddle__path_enter(&s->path)) fill_tableau(s, problem);
    return 1;
}

static void note_infeasible(search *it, const char *rows)
{
    it->end = SADDLE_INFEASIBLE;
    saddle__report_note(it->call->report, "no solution: a combination of %s contradicts itself", rows);
}

/* Where the revised table has no regular basis to begin with, another path may have one. */
static saddle_status broken(const search *it)
{
    saddle_status status = it->state->large.revised.status;
    return status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

/* Follows the path that has been set out.  A negative status, or SADDLE_OK; it->end tells whether to go on. */
static saddle_status follow(search *it, int64_t limit)
{
    saddle__lemke *s = it->state;
    double total;
    char rows[144];
    s->path.pivots = 0;
    it->paths++;
    saddle__path_end end = saddle__path_run(&s->path, limit < it->left ? limit : it->left, interrupted, it);
    it->call->report->pivots += s->path.pivots;
    it->left -= s->path.pivots;
    int proven = 0;
    saddle_status status = end == SADDLE__PATH_BROKEN ? broken(it) : SADDLE_OK;
    if (end == SADDLE__PATH_RAY && !s->is_large) /* which is in the tableau */
        proven = saddle__lemke_certificate(s, it->problem, it->call, rows, sizeof rows);
    if (proven < 0) return (saddle_status)proven;
    if (status == SADDLE_OK)
        status = s->is_large ? saddle__lemke_answer_large(s, it->call, it->problem, it->solution, &total)
                             : saddle__lemke_answer(s, it->call, it->problem, it->solution, &total);
    if (status < 0) return status;
    if (end == SADDLE__PATH_RAY && s->is_large)
        proven = saddle__lemke_certificate_large(s, it->problem, it->call, rows, sizeof rows);
    if (proven < 0) return (saddle_status)proven;
    it->rays += end == SADDLE__PATH_RAY;
    it->unusual |= end == SADDLE__PATH_LIMIT && it->paths == 1;
    if (it->end != SADDLE_OK || s->best <= fmax(it->call->options->tolerance, fine)) return SADDLE_OK;
    if (proven) note_infeasible(it, rows);
    if (it->left <= 0) it->end = SADDLE_ITERATION_LIMIT;
    return SADDLE_OK;
}

static int goes_on(const search *it, saddle_status status)
{
    double enough = fmax(it->call->options->tolerance, fine);
    return status == SADDLE_OK && it->end == SADDLE_OK && !(it->state->best <= enough);
}

/* From a basis that is believed to be near: that of a start, or of a path that rounding has led astray. */
static saddle_status follow_from_inside(search *it, int64_t limit)
{
    if (!set_out(it->state, it->problem, 1)) return broken(it);
    saddle__path_cover_violations(&it->state->path);
    return follow(it, limit);
}

static saddle_status follow_from_bounds(search *it, int64_t draw, int64_t limit)
{
    if (!set_out(it->state, it->problem, 0)) return broken(it);
    saddle__path_cover(&it->state->path, draw);
    return follow(it, limit);
}

/* Which unknowns the start has between their bounds, or at which of them; 0: it has none. */
static int read_start(saddle__lemke *s, const saddle_solution *solution)
{
    int any = 0;
    const saddle__expansion *e = &s->expansion;
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__acting *acting = &e->acting[k];
        double lambda = acting->part[0] == 1.0 && acting->part[1] == 0.0 ? solution->lambda[acting->row[0]] : 0.0;
        s->inside[k] = lambda <= e->lo[k] ? SADDLE__AT_LOW : lambda >= e->hi[k] ? SADDLE__AT_HIGH : SADDLE__INSIDE;
        any |= lambda != 0.0;
    }
    for (int64_t g = 0; g < e->groups; g++)
        for (int64_t k = e->group[g].first; k <= e->group[g].slack; k++) s->inside[k] = SADDLE__ANYWHERE;
    return any;
}

static saddle_status follow_all(search *it)
{
    saddle__lemke *s = it->state;
    saddle_status status = find_constants(s, it->problem);
    if (status != SADDLE_OK) return status;
    if (s->is_large)
        saddle__large_build(&s->large, &s->expansion);
    else
        saddle__reduction_scale(&s->reduction, &s->expansion, s->mass.W, it->problem->m);
    int64_t usual = USUAL * s->expansion.size + FEW;
    if (read_start(it->state, it->solution)) status = follow_from_inside(it, usual);
    if (goes_on(it, status)) status = follow_from_bounds(it, 0, usual);
    if (goes_on(it, status)) status = follow_from_inside(it, usual);
    for (int64_t draw = 1; draw <= DRAWS && goes_on(it, status); draw++) status = follow_from_bounds(it, draw, usual);
    if (it->unusual && goes_on(it, status)) status = follow_from_bounds(it, 0, MOST);
    return status;
}

/* A basis guessed and tested, before any path. */
static saddle_status crash(search *it, int *settled)
{
    *settled = 0;
    int64_t most = it->call->options->crash_steps;
    saddle__crash_limits limits = {.steps = most < it->left ? most : it->left, .interrupt = interrupted, .user = it};
    if (most == 0) return SADDLE_OK;
    saddle_status status = saddle__lemke_crash(it->state, it->call, it->problem, &limits, it->solution, settled);
    it->left -= it->state->crash.pivots;
    if (!*settled && it->left <= 0) it->end = SADDLE_ITERATION_LIMIT;
    return status;
}

static saddle_status conclude(search *it, saddle_status status)
{
    saddle_report *report = it->call->report;
    if (it->paths > 1) saddle__report_note(report, "%d paths", it->paths);
    if (status < 0) return status;
    if (!(it->state->best < (double)INFINITY)) { /* no basis had an answer */
        memset(it->solution->lambda, 0, (size_t)it->problem->m * sizeof *it->solution->lambda);
        status = saddle__dense_delassus_velocity(&it->state->mass, it->problem, it->solution->lambda, it->solution->v);
        if (status < 0) return status;
    }
    if (it->end != SADDLE_OK || it->state->best <= it->call->options->tolerance) return it->end;
    if (it->rays > 0 && !it->state->is_feasibility) status = saddle__lemke_feasibility(it->call, it->problem);
    if (status == SADDLE_INFEASIBLE)
        saddle__report_note(report, "no solution: no impulses give slacks of the signs asked for");
    if (status != SADDLE_OK && status != SADDLE_TOO_LARGE) return status;
    if (it->rays > 0)
        saddle__report_note(report, "%s secondary ray without proof: whether there is a solution is not known",
                            it->rays == it->paths ? "each path ends in a" : "a path ends in a");
    return SADDLE_NOT_CONVERGED;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    saddle__lemke *s = memory;
    int64_t most = call->options->max_iterations;
    search it = {.call = call,
                 .state = s,
                 .problem = problem,
                 .solution = solution,
                 .start = -1.0,
                 .left = most > 0 ? most : MOST};
    if (s->note < 0) s->note = (int64_t)strlen(call->report->note);
    call->report->note[s->note] = '\0'; /* what an earlier solve said */
    s->best = (double)INFINITY;
    int settled;
    int small = problem->m <= SADDLE__CRASH_SMALL; /* a crash basis then asks nothing of BLAS, whose lock is not free */
    if (!small) saddle__blas_begin();
    saddle_status status = crash(&it, &settled);
    if (!small) saddle__blas_end();
    if (status != SADDLE_OK || it.end != SADDLE_OK || settled) return conclude(&it, status);
    saddle__blas_begin();
    status = conclude(&it, follow_all(&it));
    saddle__blas_end();
    return status;
}

/* Everything but what tells the two tables apart. */
#define LEMKE_CAN                                                                                             \
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_BOX |           \
            SADDLE_CONTACTS_PYRAMID,                                                                          \
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC, .state_size = sizeof(saddle__lemke), \
    .factor = factor, .solve = solve, .clear = clear

const saddle_solver_type saddle__solver_lemke = {
    .name = "lemke",
    .summary =
        "Lemke's complementary pivoting, lexicographic, on a dense tableau or a factored basis; rows with any bounds, "
        "pyramid and box contacts, any matrix",
    .analyse = analyse,
    LEMKE_CAN,
};

const saddle_solver_type saddle__solver_lemke_revised = {
    .name = "lemke-revised",
    .summary = "lemke on a revised table: a factored basis instead of a dense tableau, whatever the size",
    .analyse = analyse_revised,
    LEMKE_CAN,
};

const saddle_solver_type saddle__solver_lemke_tableau = {
    .name = "lemke-tableau",
    .summary = "lemke on a dense tableau, whatever the size",
    .analyse = analyse_tableau,
    LEMKE_CAN,
};
