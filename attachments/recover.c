/* SPDX-License-Identifier: MIT */
/* What was eliminated comes back: velocities, impulses of the attachments, reactions; and the
 * inertia that one row sees.
 *
 *     v = Q u + d                   (0.18 in order)
 *     F = M v - J'lambda - f, then F_j <- F_j + A_kj'F_k in reverse order: F_k = lambda_k
 *         (0.19's second row, 0.21's f_rho)
 */
#include <string.h>

#include "dense/dense.h"
#include "matrix/matrix_internal.h"
#include "reduction.h"

static saddle_status check_formed(const saddle_reduction *r)
{
    if (r->formed) return SADDLE_OK;
    return saddle_fail(r->context, SADDLE_WRONG_PHASE, "the reduction has not been formed");
}

static saddle_status check_solution(const saddle_reduction *r, const saddle_solution *solution,
                                    int64_t n, const char *which)
{
    int64_t m = r->reduced.m;
    if (solution->n != n || solution->m != m)
        return saddle_fail(r->context, SADDLE_INVALID_ARGUMENT,
                           "the %s solution has n = %lld, m = %lld, not %lld, %lld", which,
                           (long long)solution->n, (long long)solution->m, (long long)n,
                           (long long)m);
    if ((n > 0 && !solution->v) || (m > 0 && (!solution->lambda || !solution->w)))
        return saddle_fail(r->context, SADDLE_INVALID_ARGUMENT,
                           "the %s solution lacks v, lambda or w", which);
    return SADDLE_OK;
}

saddle_status saddle_reduction_recover(const saddle_reduction *r, const saddle_problem *problem,
                                       const saddle_solution *reduced, saddle_solution *full,
                                       double *force)
{
    saddle_context_clear_message(r ? r->context : NULL);
    if (!r || !problem || !reduced || !full)
        return saddle_fail(r ? r->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_reduction_recover: reduction, problem, reduced or full is NULL");
    saddle_status status = check_formed(r);
    if (status == SADDLE_OK) status = saddle__pattern_compare(r->context, &r->pattern, problem, 0);
    if (status == SADDLE_OK) status = check_solution(r, reduced, r->map->active_count, "reduced");
    if (status == SADDLE_OK) status = check_solution(r, full, r->map->n, "full");
    if (status != SADDLE_OK) return status;
    int64_t n = problem->n;
    int64_t m = problem->m;
    saddle_map_velocities(r->map, reduced->v, full->v);
    if (m > 0) memmove(full->lambda, reduced->lambda, (size_t)m * sizeof(double));
    if (m > 0) memmove(full->w, reduced->w, (size_t)m * sizeof(double));
    if (!force || n == 0) return SADDLE_OK;
    for (int64_t i = 0; i < n; i++) force[i] = problem->f ? -problem->f[i] : 0;
    saddle_matrix_apply(&problem->M, 1, full->v, 1, force);
    if (m > 0) saddle_matrix_apply(&problem->Jt, -1, full->lambda, 1, force);
    saddle_map_pull(r->map, force, NULL);
    return SADDLE_OK;
}

/* ---- one row (0.20) ---- */

/* *part = g M'_kk^-1 g' for the entries [begin, end) of a row, those of component k. */
static saddle_status component_part(const saddle_reduction *r, int64_t k, int64_t begin,
                                    int64_t end, double *part)
{
    const saddle_map *map = r->map;
    const saddle_matrix *Jt = &r->reduced.Jt;
    int64_t first = map->column[k];
    int64_t width = saddle__component_width(map, k);
    double *A = saddle_allocate(r->context, width * width, sizeof *A);
    double *x = saddle_allocate(r->context, width, sizeof *x);
    saddle_status status = A && x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; status == SADDLE_OK && c < width; c++)
        for (int64_t i = 0; i < width; i++)
            A[i + c * width] = saddle_matrix_entry(&r->reduced.M, first + i, first + c);
    for (int64_t e = begin; status == SADDLE_OK && e < end; e++)
        x[Jt->index[e] - first] = Jt->value[e];
    if (status == SADDLE_OK) status = saddle__dense_solve(r->context, width, A, x);
    *part = 0;
    for (int64_t e = begin; status == SADDLE_OK && e < end; e++)
        *part += Jt->value[e] * x[Jt->index[e] - first];
    saddle_release(r->context, A);
    saddle_release(r->context, x);
    if (status != SADDLE_SINGULAR) return status;
    char text[256];
    saddle_problem_describe_velocity(&r->reduced, first, text, sizeof text);
    return saddle_fail(r->context, status, "the inertia of the component of reduced %s is singular",
                       text);
}

saddle_status saddle_reduction_inverse_inertia(const saddle_reduction *r, int64_t row,
                                               double *inertia)
{
    saddle_context_clear_message(r ? r->context : NULL);
    if (!r || !inertia)
        return saddle_fail(r ? r->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_reduction_inverse_inertia: reduction or inertia is NULL");
    saddle_status status = check_formed(r);
    if (status == SADDLE_OK && (row < 0 || row >= r->reduced.m))
        status = saddle_fail(r->context, SADDLE_INVALID_ARGUMENT,
                             "there is no row %lld, there are %lld", saddle__ordinal(row),
                             (long long)r->reduced.m);
    if (status != SADDLE_OK) return status;
    const saddle_matrix *Jt = &r->reduced.Jt;
    double sum = 0;
    int64_t end = Jt->start ? Jt->start[row + 1] : 0;
    int64_t e = Jt->start ? Jt->start[row] : 0;
    while (status == SADDLE_OK && e < end) {
        int64_t k = saddle__component_of_column(r->map, Jt->index[e]);
        int64_t begin = e;
        double part = 0;
        while (e < end && Jt->index[e] < r->map->column[k + 1]) e++;
        status = component_part(r, k, begin, e, &part);
        sum += part;
    }
    if (status == SADDLE_OK) *inertia = sum;
    return status;
}
