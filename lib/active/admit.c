/* SPDX-License-Identifier: MIT */
/* Whether a change leaves the system regular.  With E what was added to K's diagonal and x_i = 1,
 * (K + E) x = sigma_i e_i over the active rows and i,
 *
 *     d sigma_i / dE = x'(dE) x,      share = sum_j |E_jj| x_j^2 / |sigma_i|
 *
 * is the part of row i's pivot that is there by regularization alone.  A row that depends on others
 * has nothing else, and so has the pivot of a row without which a velocity would be held by what
 * was added to its mass only; in a regular system it is of the size of what was added, 1e-10.
 * Refinement against K without E gains a factor of share / (1 - share) a step along x, so that
 * systems with a share well below one are solved as well as others.
 *
 * Where sigma_i as the factor has it leaves a doubt, x and sigma_i are found for K itself, by
 * refinement: K_A is regular as it is.  That is needed where regularization made the first pivots
 * met, of velocities without mass and of rows on nothing else: K^-1 as the factor has it is then
 * known to 1e-6 only. */
#include <math.h>
#include <string.h>

#include "active/active_internal.h"

static const double most_share = 0.1;
static const double noise = 1e-13; /* of rounding in sigma_i, relative to s_i */
static const double small = 1e-4;  /* |sigma_i| / s_i below which its share is looked at */

static const double floor_of_inverse = 1e-8; /* s_i / |sigma_i| that rounding may have left */
static const double regular_error = 1e-9;    /* omega that regular systems come down to */

static double added_energy(const saddle__active_rows *A, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < A->size; i++) sum += fabs(A->added[i]) * x[i] * x[i];
    return sum;
}

/* x = K_A^-1 b for the b in A->rhs, which x follows, and the backward error */
static const double *solve_doubtful(saddle__active_rows *A, double *omega)
{
    double *b = A->rhs;
    double *x = A->rhs + A->size;
    memcpy(x, b, (size_t)A->size * sizeof(*x));
    saddle__active_apply(A, 1, x, A->size);
    *omega = saddle__active_refine(A, b, x);
    return x;
}

int saddle__active_may_come(saddle__active_rows *A, int64_t row, double sigma)
{
    double relative = fabs(sigma) / A->scale[A->n + row];
    if (relative > small) return isfinite(relative);
    if (!A->regularized) return relative > noise;
    double *b = A->rhs;
    memset(b, 0, (size_t)A->size * sizeof(*b));
    for (int64_t k = A->row_start[row]; k < A->row_start[row + 1]; k++) {
        int64_t node = A->row_node[k];
        if (node < A->n || A->in[node - A->n]) b[node] += A->kkt.K.value[A->row_entry[k]];
    }
    double omega;
    const double *x = solve_doubtful(A, &omega);
    sigma = A->kkt.K.value[A->kkt.diagonal[A->n + row]];
    for (int64_t i = 0; i < A->size; i++) sigma -= b[i] * x[i];
    double energy = fabs(A->added[A->n + row]) + added_energy(A, x);
    return fabs(sigma) > noise * A->scale[A->n + row] && energy < most_share * fabs(sigma);
}

int saddle__active_may_go(saddle__active_rows *A, int64_t row)
{
    if (!A->massless) return 1;
    memset(A->rhs, 0, (size_t)A->size * sizeof(*A->rhs));
    A->rhs[A->n + row] = 1.0;
    double omega;
    const double *x = solve_doubtful(A, &omega); /* x_i = 1 / sigma_i */
    double inverse = fabs(x[A->n + row]);
    return inverse * A->scale[A->n + row] > floor_of_inverse &&
           added_energy(A, x) < most_share * inverse;
}

void saddle__active_column(saddle__active_rows *A, int64_t node, double *z)
{
    memset(z, 0, (size_t)A->size * sizeof(*z));
    z[node] = 1.0;
    saddle__active_apply(A, 1, z, A->size);
}

/* The same of x for a row that is in: its pivot is no small one, or more than regularization. */
static int is_substantial(const saddle__active_rows *A, int64_t node, const double *x)
{
    double inverse = fabs(x[node]) * A->scale[node];
    if (inverse * small < 1.0) return 1;
    return inverse * noise < 1.0 && added_energy(A, x) < most_share * fabs(x[node]);
}

int saddle__active_is_held(saddle__active_rows *A, int64_t row)
{
    int64_t node = A->n + row;
    double *z = A->rhs + A->size;
    saddle__active_column(A, node, z);
    if (is_substantial(A, node, z)) return 1;
    memset(A->rhs, 0, (size_t)A->size * sizeof(*A->rhs));
    A->rhs[node] = 1.0;
    double omega;
    const double *x = solve_doubtful(A, &omega);
    return omega < regular_error && is_substantial(A, node, x);
}
