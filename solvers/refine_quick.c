/* SPDX-License-Identifier: MIT */
/* See refine.h: refinement to a residual that is asked for, in working precision, no more measured
 * than that needs. */
#include <math.h>

#include "base/vector.h"
#include "refine.h"

/* A step leaves at most this of the residual, or what it stops at is left to the whole
 * procedure. */
static const double quick = 0.3;

/* r = (f - M v + J'lambda, b - J v - R lambda); max_i sum_j |J_ij||v_j| is returned */
static double form_residual(const saddle_problem *problem, const saddle_solution *x, double *r)
{
    double *row = r + problem->n;
    double most = 0.0;
    for (int64_t j = 0; j < problem->n; j++) r[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < problem->m; i++) row[i] = problem->b ? problem->b[i] : 0.0;
    saddle_matrix_apply(&problem->M, -1.0, x->v, 1.0, r);
    saddle_matrix_apply(&problem->R, -1.0, x->lambda, 1.0, row);
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < problem->m; i++) {
        double impulse = x->lambda[i];
        double sum = 0.0;
        double modulus = 0.0;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            int64_t j = Jt->index[k];
            double product = Jt->value[k] * x->v[j];
            r[j] += Jt->value[k] * impulse;
            sum += product;
            modulus += fabs(product);
        }
        row[i] -= sum;
        most = saddle__larger(most, modulus);
    }
    return most;
}

typedef struct norms {
    double natural; /* max |r_i| d_i */
    double f, b;    /* max |r_i| over velocities, rows */
} norms;

/* *most <- max |r_i|; max |r_i| d_i is returned; both NAN where one is not finite */
static double largest(int64_t count, const double *r, const double *d, double *most)
{
    double natural = 0.0;
    double plain = 0.0;
    double poison = 0.0;
    for (int64_t i = 0; i < count; i++) {
        double size = fabs(r[i]);
        poison += 0.0 * size;
        plain = saddle__larger(size, plain);
        natural = saddle__larger(size * d[i], natural);
    }
    *most = plain + poison;
    return natural + poison;
}

static norms measure(const saddle__refinement *s, const double *f, const double *b)
{
    norms found = {0.0, 0.0, 0.0};
    double of_f = f ? largest(s->n, f, s->unit, &found.f) : 0.0;
    double of_b = b ? largest(s->m, b, s->unit + s->n, &found.b) : 0.0;
    found.natural = isfinite(of_f + of_b) ? saddle__larger(of_f, of_b) : (double)NAN;
    return found;
}

static double ratio(double part, double whole)
{
    return part == 0.0 ? 0.0 : part / whole;
}

/* x = K^-1 r + x */
static saddle_status step(saddle__refinement *s, const saddle_problem *problem,
                          saddle__corrector *correct, void *user, saddle_solution *x)
{
    double *d = s->residual;
    saddle_status status = correct(user, problem, d);
    for (int64_t j = 0; status == SADDLE_OK && j < s->n; j++) x->v[j] += d[j];
    for (int64_t i = 0; status == SADDLE_OK && i < s->m; i++) x->lambda[i] += d[s->n + i];
    return status;
}

/* (v, lambda) = 0, r = (f, b) */
static void begin(const saddle__refinement *s, const saddle_problem *problem, saddle_solution *x)
{
    for (int64_t j = 0; j < s->n; j++) x->v[j] = 0.0;
    for (int64_t i = 0; i < s->m; i++) x->lambda[i] = 0.0;
    for (int64_t j = 0; j < s->n; j++) s->residual[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < s->m; i++) s->residual[s->n + i] = problem->b ? problem->b[i] : 0.0;
}

saddle_status saddle__refine_quickly(saddle__refinement *s, const saddle_problem *problem,
                                     const saddle_solver_call *call, saddle__corrector *correct,
                                     void *user, saddle_solution *solution,
                                     saddle__refined *refined)
{
    const norms whole = measure(s, problem->f, problem->b);
    saddle__refined now = {.error = (double)NAN, .worst = -1, .left = 1.0};
    double before = (double)INFINITY;
    *refined = now;
    if (!(whole.f > 0.0)) return SADDLE_OK;
    begin(s, problem, solution);
    while (now.left > call->options->refine_to && now.left <= quick * before) {
        if (now.corrections > call->options->max_refinements) break;
        saddle_status status = step(s, problem, correct, user, solution);
        if (status != SADDLE_OK) return status;
        now.corrections++;
        double moved = form_residual(problem, solution, s->residual);
        norms left = measure(s, s->residual, s->residual + s->n);
        before = now.left;
        now.left = saddle__larger(left.f / whole.f, ratio(left.b, whole.b + moved));
        now.left = saddle__larger(now.left, left.natural / whole.natural);
    }
    *refined = now;
    return SADDLE_OK;
}
