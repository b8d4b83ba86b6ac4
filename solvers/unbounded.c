/* SPDX-License-Identifier: MIT */
/* See unbounded.h. */
#include "unbounded.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "builtin.h"
#include "factor/unfolded.h"
#include "settings.h"

static const double negligible = 1e-9; /* parts of a motion, of its largest in natural units */
/* of M'z, over the largest that |z| could give, in natural units */
static const double noise = 1e-13;

/* The problem of z in natural units, z_j = x_j / sqrt D_j, and who solves it; all-zero with a
 * context is fine to clear. */
typedef struct motion {
    saddle_context *context;
    saddle_problem problem;
    saddle_solution solution;
    saddle_report report;
    double *unit;    /* n: 1 / sqrt D_j */
    double *one;     /* n */
    int64_t *number; /* n + 1 */
    double *checker_work;
    void *state;
} motion;

static const saddle_solver_type *const solver = &saddle__solver_pivot;

static void clear(motion *s)
{
    if (s->state) solver->clear(s->state, s->context);
    saddle_release(s->context, s->state);
    saddle_release(s->context, s->checker_work);
    saddle_matrix_clear(&s->problem.Jt);
    saddle_solution_clear(&s->solution);
    saddle_release(s->context, s->problem.lo);
    saddle_release(s->context, s->problem.hi);
    saddle_release(s->context, s->problem.f);
    saddle_release(s->context, s->unit);
    saddle_release(s->context, s->one);
    saddle_release(s->context, s->number);
}

/* D_j = |M_jj|, or the largest |M_ij|, or 1 */
static void find_units(const saddle_problem *problem, motion *s)
{
    saddle_matrix_diagonal(&problem->M, s->unit);
    int any = saddle_matrix_entries(&problem->M) > 0;
    for (int64_t j = 0; j < problem->n; j++) {
        double mass = fabs(s->unit[j]);
        for (int64_t k = any ? problem->M.start[j] : 0;
             any && mass == 0.0 && k < problem->M.start[j + 1]; k++)
            mass = fmax(mass, fabs(problem->M.value[k]));
        s->unit[j] = mass > 0.0 ? 1.0 / sqrt(mass) : 1.0;
        s->one[j] = 1.0;
        s->number[j] = j;
    }
    s->number[problem->n] = problem->n;
}

typedef struct row_view {
    const int64_t *index;
    const double *value;
    int64_t entries;
    double scale;
} row_view;

/* A column of zeros asks for nothing. */
static int is_empty(const saddle__unfolded *M, int64_t j)
{
    for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
        if (M->value[k] != 0.0) return 0;
    return 1;
}

/* unit (n) times the row */
static void add_row(saddle_problem *to, const double *unit, const row_view *row, double lo,
                    double hi)
{
    int64_t at = to->Jt.start[to->m];
    for (int64_t k = 0; k < row->entries; k++) {
        to->Jt.index[at + k] = row->index[k];
        to->Jt.value[at + k] = row->scale * unit[row->index[k]] * row->value[k];
    }
    to->lo[to->m] = lo;
    to->hi[to->m++] = hi;
    to->Jt.start[to->m] = at + row->entries;
}

/* M's columns as equations, then the rows of J. */
static void fill_rows(const saddle_problem *problem, const saddle__unfolded *M, const double *unit,
                      saddle_problem *to)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t next = 0; /* contact */
    to->Jt.start[0] = 0;
    for (int64_t j = 0; j < problem->n; j++) {
        int64_t at = M->start[j];
        if (is_empty(M, j)) continue;
        row_view row = {M->index + at, M->value + at, M->start[j + 1] - at, unit[j]};
        add_row(to, unit, &row, -(double)INFINITY, (double)INFINITY);
    }
    for (int64_t i = 0; Jt->start && i < problem->m; i++) {
        const saddle_contact *contact = next < problem->contact_count ? &problem->contacts[next]
                                                                      : NULL;
        int touches = contact && i >= contact->row;
        int normal = touches && i == contact->row;
        double lo = normal ? 0.0 : touches ? -(double)INFINITY : saddle_problem_lo(problem, i);
        double hi = touches ? (double)INFINITY : saddle_problem_hi(problem, i);
        int64_t at = Jt->start[i];
        row_view row = {Jt->index + at, Jt->value + at, Jt->start[i + 1] - at, 1.0};
        add_row(to, unit, &row, lo, hi);
        next += touches && i == contact->row + contact->size - 1;
    }
}

static saddle_status make_problem(motion *s, const saddle_problem *problem)
{
    int64_t n = problem->n;
    int64_t most = n + problem->m;
    saddle__unfolded M = {0};
    saddle_problem *to = &s->problem;
    s->unit = saddle_allocate(s->context, n, sizeof *s->unit);
    s->one = saddle_allocate(s->context, n, sizeof *s->one);
    to->f = saddle_allocate(s->context, n, sizeof *to->f);
    s->number = saddle_allocate(s->context, n + 1, sizeof *s->number);
    to->lo = saddle_allocate(s->context, most, sizeof *to->lo);
    to->hi = saddle_allocate(s->context, most, sizeof *to->hi);
    int whole = s->unit && s->one && to->f && s->number && to->lo && to->hi;
    saddle_status status = whole ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__unfolded_create(s->context, &problem->M, &M);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(s->context, n, most,
                                      M.entries + saddle_matrix_entries(&problem->Jt),
                                      SADDLE_GENERAL, &to->Jt);
    if (status == SADDLE_OK) {
        saddle__unfolded_refresh(&M, &problem->M);
        find_units(problem, s);
        fill_rows(problem, &M, s->unit, to);
        for (int64_t j = 0; j < n; j++) to->f[j] = s->unit[j] * problem->f[j];
        to->n = n;
        to->Jt.cols = to->m;
        to->M = saddle_matrix_view(n, n, s->number, s->number, s->one, SADDLE_SYMMETRIC);
    }
    saddle__unfolded_clear(s->context, &M);
    return status;
}

/* By the solver itself: what the generic layer does when it fails is what is being done here. */
static saddle_status solve(motion *s, const saddle_problem *problem, double deadline,
                           saddle_certificate *certificate)
{
    saddle_options options = saddle_options_default();
    saddle__settings settings;
    saddle_solver_call call = {.context = s->context,
                               .settings = saddle__settings_fill(solver, NULL, &settings),
                               .options = &options,
                               .report = &s->report,
                               .certificate = certificate,
                               .deadline = deadline};
    s->checker_work = saddle_allocate(s->context, saddle_residual_work_size(problem),
                                      sizeof *s->checker_work);
    s->state = s->checker_work ? saddle_allocate(s->context, 1, solver->state_size) : NULL;
    if (!s->state) return SADDLE_OUT_OF_MEMORY;
    call.checker_work = s->checker_work;
    saddle_status status = saddle_solution_create(s->context, problem->n, problem->m, &s->solution);
    if (status == SADDLE_OK) status = solver->analyse(&call, s->state, problem);
    if (status >= 0) status = solver->factor(&call, s->state, problem);
    return status >= 0 ? solver->solve(&call, s->state, problem, &s->solution) : status;
}

static void take_motion(const motion *s, double *z)
{
    double most = 0.0;
    const double *x = s->solution.v;
    for (int64_t j = 0; j < s->problem.n; j++) most = fmax(most, fabs(x[j]));
    for (int64_t j = 0; j < s->problem.n; j++)
        z[j] = fabs(x[j]) > negligible * most ? s->unit[j] * x[j] : 0.0;
}

/* The largest |M'z|_j / sqrt D_j over the largest (|M|'|z|)_j / sqrt D_j; sum, modulus: n. */
static double resistance(const saddle_problem *problem, const motion *s, const double *z,
                         double *sum, double *modulus)
{
    const saddle_matrix *M = &problem->M;
    double largest[2] = {0.0, 0.0};
    for (int64_t j = 0; j < M->cols; j++) sum[j] = modulus[j] = 0.0;
    for (int64_t j = 0; M->start && j < M->cols; j++) {
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            int64_t i = M->index[k];
            int mirrored = M->symmetry == SADDLE_SYMMETRIC && i != j;
            sum[j] += M->value[k] * z[i];
            modulus[j] += fabs(M->value[k] * z[i]);
            if (!mirrored) continue;
            sum[i] += M->value[k] * z[j];
            modulus[i] += fabs(M->value[k] * z[j]);
        }
    }
    for (int64_t j = 0; j < M->cols; j++) {
        largest[0] = fmax(largest[0], fabs(sum[j]) * s->unit[j]);
        largest[1] = fmax(largest[1], modulus[j] * s->unit[j]);
    }
    return largest[1] > 0.0 ? largest[0] / largest[1] : 0.0;
}

/* By the steps with a drag, which end in such a motion (pivot/drag.h); quick at any size. */
static saddle_status offer_by_steps(saddle_context *context, const saddle_problem *problem,
                                    double deadline, saddle_certificate *certificate)
{
    motion s = {.context = context};
    saddle_status status = solve(&s, problem, deadline, certificate);
    clear(&s);
    if (status != SADDLE_SINGULAR || !certificate->velocity) saddle_certificate_clear(certificate);
    return status;
}

/* By (8.3), for small problems, where rounding leaves M'z small enough, and those with contacts. */
static saddle_status offer_by_projection(saddle_context *context, const saddle_problem *problem,
                                         double deadline, saddle_certificate *certificate)
{
    motion s = {.context = context};
    saddle_status status = saddle_certificate_create(context, problem->n, problem->m, certificate);
    if (status != SADDLE_OK) return status;
    status = make_problem(&s, problem);
    if (status == SADDLE_OK) status = solve(&s, &s.problem, deadline, NULL);
    double *z = certificate->velocity;
    if (status >= 0) take_motion(&s, z);
    if (status >= 0 && resistance(problem, &s, z, s.problem.lo, s.problem.hi) > noise)
        memset(z, 0, (size_t)problem->n * sizeof *z);
    clear(&s);
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_OK;
}

saddle_status saddle__offer_unbounded(saddle_context *context, const saddle_problem *problem,
                                      double deadline, saddle_certificate *certificate)
{
    if (problem->n == 0 || !problem->f || saddle_clock() >= deadline) return SADDLE_OK;
    if (problem->contact_count == 0) {
        saddle_status status = offer_by_steps(context, problem, deadline, certificate);
        if (status == SADDLE_OUT_OF_MEMORY) return status;
        if (certificate->velocity || saddle_clock() >= deadline) return SADDLE_OK;
    }
    return offer_by_projection(context, problem, deadline, certificate);
}
