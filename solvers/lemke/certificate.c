/* SPDX-License-Identifier: MIT */
/* The ray that Lemke's path ends in is x + s z, s >= 0, and for a matrix that is copositive plus
 * A'z <= 0 and c'z < 0 in the sense of the bounds: the combination z of the rows contradicts itself
 * (Cottle, Pang, Stone 1992, 4.4). Rows that were eliminated take part such that their unknowns
 * drop out.  Whatever the matrix, all this is tested on the data, and only what passes is a
 * proof. */
#include <math.h>
#include <string.h>

#include "certify.h"
#include "dense/lapack.h"
#include "lemke/lemke_state.h"

static const double negligible = 1e-9; /* of the sum of the moduli */

/* The equations and unknowns that were eliminated, ascending. */
static void list_eliminated(saddle__lemke *s)
{
    const saddle__reduction *red = &s->reduction;
    s->basis = red->rank;
    for (int pass = 0; pass < 2; pass++) {
        int64_t *list = pass ? s->basis_col : s->basis_row;
        const int64_t *from = pass ? red->col : red->row;
        int64_t count = 0;
        memset(s->inside, 0, (size_t)red->size);
        for (int64_t k = 0; k < red->rank; k++) s->inside[from[k]] = 1;
        for (int64_t k = 0; k < red->size; k++)
            if (s->inside[k]) list[count++] = k;
    }
}

/* step (size): multipliers of the path's rows, in A's units, with the signs that the rows allow. */
static void take_ray(saddle__lemke *s)
{
    const saddle__reduction *red = &s->reduction;
    double *ray = s->path.cover;
    double *z = s->step;
    double most = 0.0;
    saddle__path_ray(&s->path, ray);
    memset(z, 0, (size_t)red->size * sizeof *z);
    for (int64_t k = 0; k < red->left; k++) {
        int64_t row = red->row[red->place[k]];
        z[row] += red->turn[k] * ray[k] * red->column_unit[red->col[red->place[k]]] /
                  red->row_unit[row];
    }
    for (int64_t k = 0; k < red->size; k++) {
        if (isfinite(s->expansion.lo[k]))
            z[k] = fmax(z[k], 0.0); /* y >= 0 is all that is asked, or y may be anything */
        if (isfinite(s->expansion.hi[k])) z[k] = fmin(z[k], 0.0);
        most = fmax(most, fabs(z[k]));
    }
    for (int64_t k = 0; k < red->size; k++)
        if (fabs(z[k]) <= negligible * most) z[k] = 0.0;
    for (int64_t k = red->rank; k < s->expansion.free; k++) /* what was added to the others */
        for (int64_t i = s->expansion.free; i < red->size; i++)
            z[red->row[k]] -= red->rho[k] * red->A[i + k * red->size] * z[i];
}

/* Multipliers of the eliminated rows with which the combination does not contain the eliminated
 * unknowns.  0: there are none. */
static int complete(saddle__lemke *s, const saddle_problem *problem)
{
    saddle__reduction *red = &s->reduction;
    list_eliminated(s);
    saddle__reduction_restore(red, &s->expansion, s->mass.W, problem->m);
    for (int64_t j = 0; j < s->basis; j++) {
        const double *column = red->A + s->basis_col[j] * red->size;
        s->y[j] = 0.0;
        for (int64_t i = 0; i < red->size; i++) s->y[j] -= column[i] * s->step[i];
    }
    if (!saddle__lemke_factor_basis(s, problem)) return 0;
    int size = (int)s->basis;
    int one = 1;
    int info = 0;
    if (size > 0) dgetrs_("T", &size, &one, red->A, &size, red->exchange, s->y, &size, &info, 1);
    for (int64_t i = 0; i < s->basis; i++) s->step[s->basis_row[i]] = s->y[i];
    saddle__reduction_restore(red, &s->expansion, s->mass.W, problem->m);
    return 1;
}

/* The largest that gradient * x_k can be within the bounds; gradient: in A's units, *modulus: of
 * its terms. */
static double largest_product(const saddle__lemke *s, int64_t k, double gradient, double modulus)
{
    if (fabs(gradient) <= negligible * modulus) return 0.0;
    double unit = s->reduction.column_unit[k];
    double bound = gradient > 0.0 ? s->expansion.hi[k] : s->expansion.lo[k];
    return gradient * (bound / unit);
}

static int contradicts(const saddle__lemke *s)
{
    const saddle__reduction *red = &s->reduction;
    const double *z = s->step;
    double sum = 0.0;
    double moduli = 0.0;
    for (int64_t k = 0; k < red->size; k++) {
        double term = z[k] * red->row_unit[k] * s->c[k];
        sum += term;
        moduli += fabs(term);
    }
    for (int64_t j = 0; j < red->size && sum < (double)INFINITY; j++) {
        double gradient = 0.0;
        double modulus = 0.0;
        const double *column = red->A + j * red->size;
        for (int64_t i = 0; i < red->size; i++) {
            gradient += z[i] * column[i];
            modulus += fabs(z[i] * column[i]);
        }
        double product = largest_product(s, j, gradient, modulus);
        sum += product;
        moduli += fabs(product);
    }
    return sum < -negligible * moduli;
}

/* The multipliers of the problem's own rows, and those of its dynamics that take the velocities
 * out: z = -M^-T J'y. */
static saddle_status offer(saddle__lemke *s, const saddle_problem *problem,
                           const saddle_solver_call *call)
{
    double *y = s->force;
    if (problem->m > 0) memset(y, 0, (size_t)problem->m * sizeof *y);
    const double *unit = s->is_large ? s->large.row_unit : s->reduction.row_unit;
    for (int64_t k = 0; k < s->expansion.size; k++) {
        const saddle__acting *acting = &s->expansion.acting[k];
        double z = s->step[k] * unit[k];
        for (int part = 0; part < 2; part++) y[acting->row[part]] += acting->part[part] * z;
    }
    saddle_status status = saddle__offer(call, problem, y);
    if (status < 0 || problem->n == 0 || !problem->Jt.start || !call->certificate) return status;
    saddle_matrix_apply(&problem->Jt, -1.0, y, 0.0, call->certificate->velocity);
    saddle_status solved = saddle__dense_delassus_solve_transpose(&s->mass,
                                                                  call->certificate->velocity);
    return solved < 0 ? solved : status;
}

int saddle__lemke_prove(saddle__lemke *s, const saddle_problem *problem,
                        const saddle_solver_call *call)
{
    saddle_status status = offer(s, problem, call);
    return status < 0 ? (int)status : 1;
}

int saddle__lemke_certificate(saddle__lemke *s, const saddle_problem *problem,
                              const saddle_solver_call *call)
{
    take_ray(s);
    if (!complete(s, problem)) return 0;
    if (!contradicts(s)) return 0;
    return saddle__lemke_prove(s, problem, call);
}
