/* SPDX-License-Identifier: MIT */
/* See dense_delassus.h. */
#include "complementarity/dense_delassus.h"

#include <math.h>
#include <string.h>

#include "dense/dense.h"

static const double vanished = 1e-14; /* of its diagonal entry: a pivot of M */

static saddle_status choose(saddle_context *context, const saddle_problem *problem, int general,
                            saddle__dense_delassus *d)
{
    saddle__factorization_free(d->mass);
    d->mass = NULL;
    d->pivoting = general;
    const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, general);
    saddle_status status = saddle__factorization_create(context, name, d->ordering, &d->mass);
    return status == SADDLE_OK ? saddle__factorization_analyse(d->mass, &problem->M) : status;
}

saddle_status saddle__dense_delassus_analyse(saddle_context *context, const saddle_problem *problem,
                                             saddle_ordering ordering, int dense,
                                             saddle__dense_delassus *d)
{
    d->ordering = ordering;
    d->W = dense ? saddle_allocate(context, problem->m * problem->m + 1, sizeof *d->W) : NULL;
    d->mass_scale = saddle_allocate(context, problem->n + 1, sizeof *d->mass_scale);
    d->velocity = saddle_allocate(context, problem->n + 1, sizeof *d->velocity);
    if ((dense && !d->W) || !d->mass_scale || !d->velocity) return SADDLE_OUT_OF_MEMORY;
    if (dense && problem->n == 0) return SADDLE_OK;
    int symmetric = problem->m > 0 && problem->Jt.start && problem->M.symmetry == SADDLE_SYMMETRIC;
    d->by_complement = !dense || symmetric;
    if (!d->by_complement)
        return choose(context, problem, problem->M.symmetry == SADDLE_GENERAL, d);
    saddle__complement_request request = {.ordering = ordering};
    return saddle__complement_analyse(context, problem, &request, &d->complement);
}

saddle_status saddle__dense_delassus_add_dense(saddle_context *context,
                                               const saddle_problem *problem,
                                               saddle__dense_delassus *d)
{
    d->W = saddle_allocate(context, problem->m * problem->m + 1, sizeof *d->W);
    return d->W ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

void saddle__dense_delassus_clear(saddle_context *context, saddle__dense_delassus *d)
{
    saddle__factorization_free(d->mass);
    if (d->by_complement) saddle__complement_clear(&d->complement);
    saddle_release(context, d->W);
    saddle_release(context, d->mass_scale);
    saddle_release(context, d->velocity);
    memset(d, 0, sizeof *d);
}

static saddle_status factor_mass(saddle_context *context, const saddle_problem *problem,
                                 saddle__dense_delassus *d)
{
    saddle__pivot_rule rule = {.scale = d->mass_scale, .smallest = vanished};
    saddle_matrix_diagonal(&problem->M, d->mass_scale);
    for (int64_t i = 0; i < problem->n; i++) d->mass_scale[i] = fabs(d->mass_scale[i]);
    saddle_status status = saddle__factorization_factor_by(d->mass, &problem->M, &rule);
    if (status == SADDLE_SINGULAR && !d->pivoting) { /* regular perhaps, but it needs pivoting */
        status = choose(context, problem, 1, d);
        if (status != SADDLE_OK) return status;
        status = saddle__factorization_factor_by(d->mass, &problem->M, &rule);
    }
    int64_t failed = saddle__factorization_counts(d->mass).failed_column;
    if (status != SADDLE_SINGULAR || failed < 0) return status;
    char name[128];
    saddle_problem_describe_velocity(problem, failed, name, sizeof name);
    return saddle_fail(context, status,
                       "lemke needs M^-1, but M is singular: its pivot vanished at %s", name);
}

saddle_status saddle__dense_delassus_factor(saddle_context *context, const saddle_problem *problem,
                                            saddle__dense_delassus *d)
{
    if (d->by_complement) {
        saddle_status status = saddle__complement_factor(&d->complement, problem);
        if (status != SADDLE_SINGULAR || !d->W) return status;
        saddle__complement_clear(&d->complement); /* regular perhaps, but M needs pivoting */
        d->by_complement = 0;
    }
    if (problem->n == 0) return SADDLE_OK;
    saddle_status status = d->mass ? SADDLE_OK : choose(context, problem, 1, d);
    return status == SADDLE_OK ? factor_mass(context, problem, d) : status;
}

saddle_status saddle__dense_delassus_form(const saddle_problem *problem, saddle__dense_delassus *d)
{
    int64_t m = problem->m;
    const saddle_matrix *Jt = &problem->Jt;
    if (d->by_complement) {
        saddle_status formed = saddle__complement_fill(&d->complement, problem);
        if (formed == SADDLE_OK && d->W) saddle__dense_from_sparse(&d->complement.W, d->W);
        return formed;
    }
    if (m > 0 && problem->R.rows == 0) memset(d->W, 0, (size_t)(m * m) * sizeof *d->W);
    saddle__dense_from_sparse(&problem->R, d->W);
    saddle_status status = SADDLE_OK;
    for (int64_t i = 0; status == SADDLE_OK && problem->n > 0 && Jt->start && i < m; i++) {
        memset(d->velocity, 0, (size_t)problem->n * sizeof *d->velocity);
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
            d->velocity[Jt->index[k]] = Jt->value[k];
        status = saddle__factorization_solve(d->mass, d->velocity);
        saddle_matrix_apply_transpose(Jt, 1.0, d->velocity, 1.0, d->W + i * m);
    }
    return status;
}

saddle__factor_counts saddle__dense_delassus_counts(const saddle__dense_delassus *d)
{
    return d->by_complement ? d->complement.counts : saddle__factorization_counts(d->mass);
}

saddle_status saddle__dense_delassus_solve_transpose(saddle__dense_delassus *d, double *v)
{
    saddle__factorization *general = d->by_complement ? d->complement.pivoted : d->mass;
    return general ? saddle__factorization_solve_transpose(general, v)
                   : saddle__complement_solve_mass(&d->complement, v);
}

saddle_status saddle__dense_delassus_solve(saddle__dense_delassus *d, const saddle_problem *problem,
                                           double *v)
{
    if (problem->n == 0) return SADDLE_OK;
    return d->by_complement ? saddle__complement_solve_mass(&d->complement, v)
                            : saddle__factorization_solve(d->mass, v);
}

saddle_status saddle__dense_delassus_solves(saddle__dense_delassus *d, int64_t n, int64_t count,
                                            double *v)
{
    saddle_status status = SADDLE_OK;
    if (d->by_complement) return saddle__complement_solve_masses(&d->complement, count, v);
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++)
        status = saddle__factorization_solve(d->mass, v + k * n);
    return status;
}

saddle_status saddle__dense_delassus_velocity(saddle__dense_delassus *d,
                                              const saddle_problem *problem, const double *lambda,
                                              double *v)
{
    if (problem->n == 0) return SADDLE_OK;
    for (int64_t j = 0; j < problem->n; j++) v[j] = problem->f ? problem->f[j] : 0.0;
    if (problem->m > 0 && problem->Jt.start) saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, v);
    return saddle__dense_delassus_solve(d, problem, v);
}
