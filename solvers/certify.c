/* SPDX-License-Identifier: MIT */
/* See certify.h. */
#include "certify.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "base/vector.h"

/* The call's certificate, created on first use. */
static saddle_status open(const saddle_solver_call *call, const saddle_problem *problem)
{
    if (call->certificate->row) return SADDLE_OK;
    return saddle_certificate_create(call->context, problem->n, problem->m, call->certificate);
}

saddle_status saddle__certify_rows(const saddle_solver_call *call, const saddle_problem *problem,
                                   const double *y)
{
    if (!call->certificate) return SADDLE_INFEASIBLE;
    saddle_status status = open(call, problem);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j < problem->n; j++) call->certificate->velocity[j] = 0.0;
    saddle__copy(call->certificate->row, y, problem->m);
    return SADDLE_INFEASIBLE;
}

saddle_status saddle__certify_motion(const saddle_solver_call *call, const saddle_problem *problem,
                                     const double *z)
{
    saddle_certificate *certificate = call->certificate;
    if (!certificate) return SADDLE_OK;
    saddle_status status = open(call, problem);
    if (status != SADDLE_OK) return status;
    double most = 0.0;
    double work = 0.0;
    for (int64_t j = 0; j < problem->n; j++) most = fmax(most, fabs(z[j]));
    for (int64_t j = 0; problem->f && j < problem->n; j++) work += problem->f[j] * z[j];
    for (int64_t j = 0; j < problem->n; j++)
        certificate->velocity[j] = fabs(z[j]) > SADDLE__NEGLIGIBLE_IMPULSE * most
                                       ? (work < 0.0 ? -z[j] : z[j])
                                       : 0.0;
    for (int64_t i = 0; i < problem->m; i++) certificate->row[i] = 0.0;
    return SADDLE_OK;
}

/* ---- free motions ---- */

/* Sizes are in natural units (regularization.h): v_j / d_j, and (M v)_i d_i, (J v)_i d_i. */

enum { NAME_SIZE = 128, MOTION_STEPS = 6 };

static const double amplified = 1e3; /* below, K is far from singular */
static const double moves = 1e-2;    /* part of the largest velocity that counts as moving */

/* norm_j: sum of |M_jk| d_k, by saddle__refinement_measure */
static int is_massless(const saddle__refinement *s, int64_t j)
{
    return s->norm[j] == 0.0;
}

/* v (n) <- a velocity with an empty column in M and in J; 0: each has mass or a row. */
static int look(const saddle__refinement *s, double *v)
{
    int64_t found = 0;
    while (found < s->n && !(is_massless(s, found) && s->norm[s->n + found] == 0.0)) found++;
    for (int64_t k = 0; found < s->n && k < s->n; k++) v[k] = k == found;
    return found < s->n;
}

/* Forces of size 1 to 2 with pseudo-random signs: hardly orthogonal to any motion. */
static void start(const saddle__refinement *s, double *v)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    for (int64_t j = 0; j < s->n; j++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        double size = 1.0 + (double)(state >> 11) * 0x1p-53;
        v[j] = (state & 1 ? size : -size) / s->unit[j];
    }
    for (int64_t i = s->n; i < s->n + s->m; i++) v[i] = 0.0;
}

/* |v|, and v <- v / |v| */
static double normalize(const saddle__refinement *s, double *v)
{
    double most = 0.0;
    for (int64_t j = 0; j < s->n; j++) {
        if (!isfinite(v[j])) return (double)NAN;
        most = fmax(most, fabs(v[j]) / s->unit[j]);
    }
    for (int64_t j = 0; j < s->n && most > 0.0; j++) v[j] /= most;
    return most;
}

/* r (n + m) <- -(M v, J v); the largest entry, relative to the largest possible with velocities of
 * size 1. */
static double resist(const saddle__refinement *s, const saddle_problem *problem, const double *v,
                     double *r)
{
    double most = 0.0;
    saddle_matrix_apply(&problem->M, -1.0, v, 0.0, r);
    for (int64_t j = 0; j < s->n; j++)
        if (r[j] != 0.0) most = fmax(most, fabs(r[j]) / s->norm[j]);
    if (s->m == 0) return most;
    saddle_matrix_apply_transpose(&problem->Jt, -1.0, v, 0.0, r + s->n);
    const double *norm = s->norm + 2 * s->n;
    for (int64_t i = 0; i < s->m; i++)
        if (r[s->n + i] != 0.0) most = fmax(most, fabs(r[s->n + i]) / norm[i]);
    return most;
}

static int is_wrong(const saddle__refinement *s, const double *v)
{
    if (s->m > 0) return 1;
    for (int64_t j = 0; j < s->n; j++)
        if (fabs(v[j]) > moves * s->unit[j] && !is_massless(s, j)) return 0;
    return 1;
}

static saddle_status name_motion(const saddle_solver_call *call, const saddle_problem *problem,
                                 const saddle__refinement *s, const double *v)
{
    char first[NAME_SIZE], second[NAME_SIZE] = "";
    int64_t count = 0, most = 0;
    saddle_status status = saddle__certify_motion(call, problem, v);
    if (status < 0) return status;
    for (int64_t j = 0; j < s->n; j++)
        if (fabs(v[j]) / s->unit[j] > fabs(v[most]) / s->unit[most]) most = j;
    saddle_problem_describe_velocity(problem, most, first, sizeof first);
    for (int64_t j = 0; j < s->n; j++)
        if (j != most && fabs(v[j]) > moves * s->unit[j] && count++ == 0)
            saddle_problem_describe_velocity(problem, j, second, sizeof second);
    if (count == 0)
        return saddle_fail(call->context, SADDLE_SINGULAR, "%s: no mass, and no row holds it",
                           first);
    return saddle_fail(call->context, SADDLE_SINGULAR,
                       "%s and %lld more (%s%s) move together: no mass, and no row holds them",
                       first, (long long)count, second, count > 1 ? ", .." : "");
}

saddle_status saddle__free_motion_search(const saddle_solver_call *call,
                                         const saddle_problem *problem, saddle__refinement *s,
                                         int likely, saddle__corrector *correct, void *user)
{
    for (int64_t j = 0; j < s->n; j++) likely |= is_massless(s, j);
    if (s->n == 0 || !likely) return SADDLE_OK;
    double *v = s->residual;
    double *r = s->residual + s->n + s->m;
    saddle__refinement_complete(s, problem);
    if (look(s, v)) return name_motion(call, problem, s, v);
    start(s, v);
    saddle_status status = correct(user, problem, v);
    if (status != SADDLE_OK || !(normalize(s, v) > amplified)) return status;
    double left = resist(s, problem, v, r);
    for (int step = 0; step < MOTION_STEPS && left > SADDLE__PRODUCT_ROUNDING; step++) {
        status = correct(user, problem, r);
        if (status != SADDLE_OK) return status;
        for (int64_t j = 0; j < s->n; j++) v[j] += r[j];
        if (!(normalize(s, v) > 0.0)) return SADDLE_OK;
        double last = left;
        left = resist(s, problem, v, r);
        if (!(left <= 0.1 * last)) return SADDLE_OK;
    }
    return left <= SADDLE__PRODUCT_ROUNDING && is_wrong(s, v) ? name_motion(call, problem, s, v)
                                                              : SADDLE_OK;
}
