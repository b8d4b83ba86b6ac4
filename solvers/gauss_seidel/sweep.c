/* SPDX-License-Identifier: MIT */
/* Sweeps over rows and contacts; see sweep.h.  The velocity of a unit's rows with its own impulses
 * taken out, q = w - W_cc lambda_c, is what its local problem (local.h) is posed with. */
#include "gauss_seidel/sweep.h"

#include <math.h>

#include "gauss_seidel/local.h"
#include "problem/cone.h"

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
    sweep->change = 0.0;
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
