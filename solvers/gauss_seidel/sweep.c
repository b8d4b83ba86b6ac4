/* SPDX-License-Identifier: MIT */
/* Sweeps over rows and contacts, and Anderson's acceleration.  The velocity of a unit's rows
 * without the unit's own impulses, q = w - W_cc lambda_c, poses the local problem (local.h). */
#include <math.h>
#include <string.h>

#include "gauss_seidel/gauss_seidel.h"
#include "gauss_seidel/local.h"
#include "problem/cone.h"

/* ---- sweeps ---- */

int64_t saddle__units_make(const saddle_problem *problem, saddle__unit *unit)
{
    int64_t count = 0;
    int64_t contact = 0;
    for (int64_t row = 0; row < problem->m;) {
        int owned = contact < problem->contact_count && problem->contacts[contact].row == row;
        unit[count].row = row;
        unit[count].contact = owned ? contact : -1;
        count++;
        row += owned ? problem->contacts[contact++].size : 1;
    }
    return count;
}

/* lambda[row] <- value. */
static void assign(saddle__sweep *sweep, int64_t row, double value, double diagonal)
{
    double change = value - sweep->lambda[row];
    sweep->lambda[row] = value;
    saddle__operator_move(sweep->W, row, change, sweep->v);
    double moved = fabs(change) * diagonal;
    if (!(moved <= sweep->change)) sweep->change = moved;
    sweep->energy += change * change * diagonal;
}

static void relax_row(saddle__sweep *sweep, int64_t row)
{
    double lo = saddle_problem_lo(sweep->problem, row);
    double hi = saddle_problem_hi(sweep->problem, row);
    double present = sweep->lambda[row];
    double a = sweep->W->block[3 * row];
    double w = saddle__operator_row(sweep->problem, sweep->W, sweep->lambda, sweep->v, row);
    double next = saddle__local_row(a, w - a * present, lo, hi, present);
    if (sweep->relaxation != 1.0)
        next = saddle__clamp(present + sweep->relaxation * (next - present), lo, hi);
    assign(sweep, row, next, fabs(a));
}

static double pose(const saddle__sweep *sweep, const saddle_contact *contact, saddle__local *local)
{
    const saddle_problem *problem = sweep->problem;
    double largest = 0.0;
    local->law = problem->law;
    local->facets = saddle_problem_facets(problem);
    local->size = contact->size;
    local->mu = contact->mu * sweep->friction;
    for (int64_t i = 0; i < contact->size; i++) {
        int64_t row = contact->row + i;
        const double *block = sweep->W->block + 3 * row;
        local->q[i] = saddle__operator_row(problem, sweep->W, sweep->lambda, sweep->v, row);
        for (int64_t j = 0; j < contact->size; j++) {
            local->W[i][j] = block[j];
            local->q[i] -= block[j] * sweep->lambda[contact->row + j];
            largest = fmax(largest, fabs(block[j]));
        }
    }
    return largest;
}

static void relax_contact(saddle__sweep *sweep, const saddle_contact *contact)
{
    saddle__local local;
    double next[3];
    double diagonal = pose(sweep, contact, &local);
    const double *present = sweep->lambda + contact->row;
    for (int64_t i = 0; i < contact->size; i++) next[i] = present[i];
    double error = saddle__local_contact(&local, next);
    if (!(error <= sweep->unsolved)) {
        sweep->unsolved = error;
        sweep->worst = contact->row;
    }
    if (sweep->relaxation != 1.0) {
        for (int64_t i = 0; i < contact->size; i++)
            next[i] = present[i] + sweep->relaxation * (next[i] - present[i]);
        saddle__local_project(local.law, local.size, local.facets, local.mu, next);
    }
    for (int64_t i = 0; i < contact->size; i++) assign(sweep, contact->row + i, next[i], diagonal);
}

void saddle__sweep_run(saddle__sweep *sweep, int backward)
{
    sweep->change = sweep->energy = 0.0;
    sweep->unsolved = 0.0;
    sweep->worst = -1;
    for (int64_t k = 0; k < sweep->units; k++) {
        const saddle__unit *unit = &sweep->unit[backward ? sweep->units - 1 - k : k];
        if (unit->contact < 0)
            relax_row(sweep, unit->row);
        else
            relax_contact(sweep, &sweep->problem->contacts[unit->contact]);
    }
}

void saddle__sweep_jump(saddle__sweep *sweep, double *target)
{
    const saddle_problem *problem = sweep->problem;
    int64_t facets = saddle_problem_facets(problem);
    for (int64_t k = 0; k < sweep->units; k++) {
        int64_t row = sweep->unit[k].row;
        const saddle_contact *contact = sweep->unit[k].contact < 0
                                            ? NULL
                                            : &problem->contacts[sweep->unit[k].contact];
        if (contact)
            saddle__local_project(problem->law, contact->size, facets,
                                  contact->mu * sweep->friction, target + row);
        else
            target[row] = saddle__clamp(target[row], saddle_problem_lo(problem, row),
                                        saddle_problem_hi(problem, row));
    }
    for (int64_t i = 0; i < problem->m; i++) {
        saddle__operator_move(sweep->W, i, target[i] - sweep->lambda[i], sweep->v);
        sweep->lambda[i] = target[i];
    }
}

/* ---- acceleration ---- */

#define DEPTH SADDLE__ANDERSON_DEPTH

/* Added to the diagonal of F'D^2 F, relative to its largest entry. */
#define REGULARIZATION 1e-13
/* Where |D f| grows by more than GROWTH in a step, the past is forgotten. */
#define GROWTH 1.2

saddle_status saddle__anderson_make(saddle_context *context, int64_t m, saddle__anderson *A)
{
    A->m = m;
    A->weight = saddle_allocate(context, m + 1, sizeof(double));
    A->f = saddle_allocate(context, m + 1, sizeof(double));
    A->f_last = saddle_allocate(context, m + 1, sizeof(double));
    A->g_last = saddle_allocate(context, m + 1, sizeof(double));
    if (m > INT64_MAX / DEPTH - 1)
        return saddle_fail(context, SADDLE_TOO_LARGE, "gauss-seidel: %lld rows", (long long)m);
    A->df = saddle_allocate(context, DEPTH * m + 1, sizeof(double));
    A->dg = saddle_allocate(context, DEPTH * m + 1, sizeof(double));

    return A->weight && A->f && A->f_last && A->g_last && A->df && A->dg ? SADDLE_OK
                                                                         : SADDLE_OUT_OF_MEMORY;
}

void saddle__anderson_clear(saddle_context *context, saddle__anderson *A)
{
    saddle_release(context, A->weight);
    saddle_release(context, A->f);
    saddle_release(context, A->f_last);
    saddle_release(context, A->g_last);
    saddle_release(context, A->df);
    saddle_release(context, A->dg);
    memset(A, 0, sizeof *A);
}

void saddle__anderson_restart(saddle__anderson *A)
{
    A->count = 0;
    A->newest = DEPTH - 1;
    A->started = 0;
}

/* a'D^2 b */
static double product(const saddle__anderson *A, const double *a, const double *b)
{
    double sum = 0.0;
    for (int64_t i = 0; i < A->m; i++) sum += A->weight[i] * a[i] * b[i];
    return sum;
}

/* The newest differences take the place of the oldest. */
static void remember(saddle__anderson *A, const double *g)
{
    A->newest = (A->newest + 1) % DEPTH;
    A->count = A->count < DEPTH ? A->count + 1 : DEPTH;
    double *df = A->df + A->newest * A->m;
    double *dg = A->dg + A->newest * A->m;
    for (int64_t i = 0; i < A->m; i++) {
        df[i] = A->f[i] - A->f_last[i];
        dg[i] = g[i] - A->g_last[i];
    }
    for (int k = 0; k < A->count; k++) {
        A->gram[A->newest][k] = product(A, df, A->df + k * A->m);
        A->gram[k][A->newest] = A->gram[A->newest][k];
    }
}

/* gamma by Cholesky's factorization of the regularized F'D^2 F; 0 where the factorization breaks
 * down. */
static int least_squares(const saddle__anderson *A, double *gamma)
{
    double L[DEPTH][DEPTH];
    double shift = 0.0;
    for (int k = 0; k < A->count; k++) {
        shift = fmax(shift, A->gram[k][k]);
        gamma[k] = product(A, A->df + k * A->m, A->f);
    }
    for (int i = 0; i < A->count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A->gram[i][j] + (i == j ? REGULARIZATION * shift : 0.0);
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0)) return 0;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
        for (int k = 0; k < i; k++) gamma[i] -= L[i][k] * gamma[k];
        gamma[i] /= L[i][i];
    }
    for (int i = A->count - 1; i >= 0; i--) {
        for (int k = i + 1; k < A->count; k++) gamma[i] -= L[k][i] * gamma[k];
        gamma[i] /= L[i][i];
    }
    return 1;
}

int saddle__anderson_step(saddle__anderson *A, double *x, const double *g)
{
    for (int64_t i = 0; i < A->m; i++) {
        A->f[i] = g[i] - x[i];
        x[i] = g[i];
    }
    double norm = sqrt(product(A, A->f, A->f));
    double gamma[DEPTH];
    int accelerated = 0;
    if (A->started && !(norm <= GROWTH * A->norm)) {
        saddle__anderson_restart(A);
    } else if (A->started) {
        remember(A, g);
        accelerated = least_squares(A, gamma);
        if (!accelerated) saddle__anderson_restart(A);
    }
    for (int k = 0; accelerated && k < A->count; k++) {
        const double *dg = A->dg + k * A->m;
        for (int64_t i = 0; i < A->m; i++) x[i] -= gamma[k] * dg[i];
    }
    memcpy(A->f_last, A->f, (size_t)A->m * sizeof *A->f);
    memcpy(A->g_last, g, (size_t)A->m * sizeof *g);
    A->norm = norm;
    A->started = 1;

    return accelerated;
}
