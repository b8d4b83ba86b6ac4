/* SPDX-License-Identifier: MIT */
/* The Delassus operator over the engine's factorization of M. */
#include "factor/complement.h"

#include <math.h>

#include "factor/complement_general.h"

enum { NAME_SIZE = 160 };

/* A pivot of M below this multiple of its diagonal entry is rounding noise. */
static const double vanished = 1e-14;

void saddle__complement_clear(saddle__complement *s)
{
    saddle__ldlt_complement_free(s->rows);
    saddle__ldlt_free(s->mass);
    saddle_matrix_clear(&s->W);
    saddle_release(s->context, s->mass_diagonal);
    saddle_release(s->context, s->mass_scale);
    saddle__complement_general_clear(s);
    saddle__complement empty = {0};
    *s = empty;
}

/* Without velocities J may be the empty matrix, with no columns either. */
static saddle_matrix rows_of(const saddle_problem *problem)
{
    return problem->n > 0 ? problem->Jt
                          : saddle_matrix_view(0, problem->m, NULL, NULL, NULL, SADDLE_GENERAL);
}

static saddle_status analyse_mass(saddle__complement *s, const saddle_problem *problem,
                                  const saddle__complement_request *wanted)
{
    signed char *late = saddle_allocate(s->context, s->n, sizeof(*late));
    if (!late) return SADDLE_OUT_OF_MEMORY;
    int any = 0;
    saddle_matrix_diagonal(&problem->M, s->mass_diagonal);
    for (int64_t j = 0; j < s->n; j++) {
        late[j] = s->mass_diagonal[j] == 0.0 ? SADDLE__AFTER_NEIGHBOUR : SADDLE__ANY_TIME;
        any |= late[j] != SADDLE__ANY_TIME;
    }
    saddle__ldlt_request request = {.ordering = wanted->ordering,
                                    .late = any ? late : NULL,
                                    .threads = wanted->threads};
    saddle_status status = saddle__ldlt_analyse(s->context, &problem->M, &request, &s->mass);
    saddle_release(s->context, late);
    return status;
}

saddle_status saddle__complement_analyse(saddle_context *context, const saddle_problem *problem,
                                         const saddle__complement_request *wanted,
                                         saddle__complement *s)
{
    saddle__complement fresh = {.context = context, .n = problem->n, .m = problem->m};
    *s = fresh;
    int general_mass = s->n > 0 && problem->M.symmetry == SADDLE_GENERAL;
    int general = general_mass || (problem->R.rows > 0 && problem->R.symmetry == SADDLE_GENERAL);
    saddle_matrix rows = rows_of(problem);
    s->mass_diagonal = saddle_allocate(context, s->n, sizeof(*s->mass_diagonal));
    s->mass_scale = saddle_allocate(context, s->n, sizeof(*s->mass_scale));
    saddle_status status = s->mass_diagonal && s->mass_scale ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK)
        status = general_mass ? saddle__complement_general_mass(s, problem, wanted)
                              : analyse_mass(s, problem, wanted);
    if (status == SADDLE_OK)
        status = saddle__ldlt_complement_analyse(context, s->mass, &rows, &s->rows);
    if (status == SADDLE_OK) status = saddle__ldlt_complement_limit(s->rows, wanted->most_entries);
    if (status == SADDLE_OK)
        status = general ? saddle__complement_general_pattern(s, problem)
                         : saddle__ldlt_complement_pattern(s->rows, &problem->R, &s->W);
    if (status == SADDLE_OK && !general_mass) status = saddle__ldlt_complement_reserve(s->rows, 0);
    if (status != SADDLE_OK) saddle__complement_clear(s);
    return status;
}

/* |M_jj|, and where that is 0 what the neighbours' elimination leaves there, sum_k M_jk^2 /
 * |M_kk|. */
static void measure_mass(saddle__complement *s, const saddle_matrix *M)
{
    const double *d = s->mass_diagonal;
    saddle_matrix_diagonal(M, s->mass_diagonal);
    for (int64_t j = 0; j < s->n; j++) s->mass_scale[j] = fabs(d[j]);
    for (int64_t j = 0; M->start && j < s->n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            int64_t i = M->index[k];
            double square = M->value[k] * M->value[k];
            if (d[j] == 0.0 && d[i] != 0.0) s->mass_scale[j] += square / fabs(d[i]);
            if (d[i] == 0.0 && d[j] != 0.0) s->mass_scale[i] += square / fabs(d[j]);
        }
}

static saddle_status factor_mass(saddle__complement *s, const saddle_problem *problem)
{
    measure_mass(s, &problem->M);
    saddle__pivot_rule rule = {.scale = s->mass_scale, .smallest = vanished};
    saddle_status status = saddle__ldlt_factor(s->mass, &problem->M, &rule, &s->counts);
    if (status != SADDLE_SINGULAR || s->counts.failed_column < 0) return status;
    char name[NAME_SIZE];
    saddle_problem_describe_velocity(problem, s->counts.failed_column, name, sizeof(name));
    return saddle_fail(
        s->context, SADDLE_SINGULAR,
        "M cannot be factored: its pivot vanished at %s (M is singular, or needs pivoting)", name);
}

saddle_status saddle__complement_factor(saddle__complement *s, const saddle_problem *problem)
{
    return s->pivoted ? saddle__complement_general_factor(s, problem) : factor_mass(s, problem);
}

saddle_status saddle__complement_fill(saddle__complement *s, const saddle_problem *problem)
{
    saddle_matrix rows = rows_of(problem);
    if (s->pivoted) return saddle__complement_general_fill(s, problem);
    int general = s->W.symmetry == SADDLE_GENERAL;
    if (general && s->n == 0) {
        saddle__complement_general_take(s, problem);
        return SADDLE_OK;
    }
    saddle__ldlt_complement_form(s->rows, &rows, general ? &s->compliance : &problem->R, 1.0,
                                 general ? &s->S : &s->W);
    if (general) saddle__complement_general_spread(s, problem);
    return SADDLE_OK;
}

saddle_status saddle__complement_form(saddle__complement *s, const saddle_problem *problem)
{
    saddle_status status = saddle__complement_factor(s, problem);
    return status == SADDLE_OK ? saddle__complement_fill(s, problem) : status;
}

saddle_status saddle__complement_solve_mass(saddle__complement *s, double *x)
{
    if (s->pivoted) return saddle__factorization_solve(s->pivoted, x);
    saddle__ldlt_solve(s->mass, SADDLE__LDLT_WHOLE, 1, x, s->n);
    return SADDLE_OK;
}

saddle_status saddle__complement_solve_masses(saddle__complement *s, int64_t count, double *x)
{
    saddle_status status = SADDLE_OK;
    if (!s->pivoted) saddle__ldlt_solve(s->mass, SADDLE__LDLT_WHOLE, count, x, s->n);
    for (int64_t k = 0; s->pivoted && status == SADDLE_OK && k < count; k++)
        status = saddle__factorization_solve(s->pivoted, x + k * s->n);
    return status;
}

void saddle__complement_diagonal(const saddle__complement *s, double *d)
{
    saddle_matrix_diagonal(&s->W, d);
}
