/* SPDX-License-Identifier: MIT */
/* The ray of Lemke's path is x + s u, s >= 0, and for a matrix that is copositive-plus z = u gives
 * A'z <= 0 and c'z < 0 in the sense of the bounds: the combination z of the rows contradicts itself
 * (Cottle, Pang and Stone 1992, 4.4).  Whatever the matrix, z is tested on A and c.
 *
 * For another matrix a ray may prove nothing although no x is feasible.  Feasibility is the
 * monotone problem
 *
 *     [ 0  -A' ] [ x ]   [ 0 ]         x within its bounds, z >= 0 where y >= 0 is asked, <= 0
 *     [ A   0  ] [ z ] + [ c ]         where y <= 0, = 0 where both signs are allowed
 *
 * (linear programming), and Lemke's path ends with a feasible x or a ray with a proof z.
 */
#include "lemke/lemke.h"

#include <string.h>

static const double negligible = 1e-9; /* of the sum of the moduli */

/* z with the signs the rows allow; negligible multipliers become 0. */
static void clamp(const saddle__expansion *e, double *z)
{
    double most = 0.0;
    for (int64_t k = 0; k < e->size; k++) {
        if (isfinite(e->lo[k])) z[k] = fmax(z[k], 0.0);
        if (isfinite(e->hi[k])) z[k] = fmin(z[k], 0.0);
        if (!saddle__expansion_is_free(e, k)) most = fmax(most, fabs(z[k]));
    }
    for (int64_t k = 0; k < e->size; k++)
        if (fabs(z[k]) <= negligible * most) z[k] = 0.0;
}

/* The largest gradient x_k within the bounds; modulus: of the gradient's terms. */
static double largest_product(const saddle__expansion *e, int64_t k, double gradient,
                              double modulus)
{
    if (fabs(gradient) <= negligible * modulus) return 0.0;
    return gradient * ((gradient > 0.0 ? e->hi[k] : e->lo[k]) / e->column_unit[k]);
}

/* z'A_k; modulus += moduli of the terms. */
static double gradient_of(const saddle_matrix *A, const double *z, int64_t k, double *modulus)
{
    double gradient = 0.0;
    for (int64_t at = A->start[k]; at < A->start[k + 1]; at++) {
        double term = z[A->index[at]] * A->value[at];
        gradient += term;
        *modulus += fabs(term);
    }
    return gradient;
}

/* Of a normal with its followers the gradient on the worst edge: side slope g_k of A becomes
 * slope |g_k|. */
static double worst_gradient(const saddle__path *p, const saddle__expansion *e, const double *z,
                             int64_t n, double *modulus)
{
    double gradient = gradient_of(&e->A, z, n, modulus);
    for (int64_t k = n + 1; k < e->size && e->normal[k] == n; k++) {
        double own = gradient_of(&e->A, z, k, modulus);
        gradient += p->slope[k] * (p->side[k] * own + fabs(own));
    }
    return gradient;
}

static int contradicts(const saddle__path *p, const saddle__expansion *e, const double *c,
                       const double *z)
{
    double sum = 0.0;
    double moduli = 0.0;
    for (int64_t k = 0; k < e->size; k++) {
        double term = z[k] * e->row_unit[k] * c[k];
        sum += term;
        moduli += fabs(term);
    }
    for (int64_t j = 0; j < e->size && sum < (double)INFINITY; j++) {
        double modulus = 0.0;
        double gradient = worst_gradient(p, e, z, j, &modulus);
        double product = largest_product(e, j, gradient, modulus);
        sum += product;
        moduli += fabs(product);
    }
    return sum < -negligible * moduli;
}

/* z <- the multipliers x_first, x_first+1, .. of the path's ray, in units of A's rows; 1: a proof.
 */
static int test_ray(const saddle__path *p, const saddle__expansion *e, const double *c,
                    int64_t first, double *z)
{
    saddle__path_ray(p, p->rest);
    for (int64_t k = 0; k < e->size; k++)
        z[k] = p->rest[first + k] * (first > 0 ? 1.0 : e->column_unit[k] / e->row_unit[k]);
    clamp(e, z);
    return contradicts(p, e, c, z);
}

/* The same for the null vectors of free unknowns left over, in both directions. */
static int test_null_vectors(saddle__path *p, const saddle__expansion *e, const double *c,
                             int64_t first, double *z)
{
    for (int64_t k = 0; k < p->size; k++) {
        int left_over = saddle__path_is_left_over(p, k);
        if (left_over < 0) return left_over;
        for (p->direction = 1.0; left_over && p->direction >= -1.0; p->direction -= 2.0)
            if (test_ray(p, e, c, first, z)) return 1;
    }
    return 0;
}

int saddle__ray_contradicts(const saddle__path *p, const saddle__expansion *e, const double *c,
                            double *z)
{
    return test_ray(p, e, c, 0, z);
}

int saddle__equations_contradict(saddle__path *p, const saddle__expansion *e, const double *c,
                                 double *z)
{
    return test_null_vectors(p, e, c, 0, z);
}

/* ---- the skew problem ---- */

/* S <- [0 -A'; A 0] */
static void fill_skew(const saddle_matrix *A, saddle_matrix *S)
{
    int64_t size = A->cols;
    for (int64_t j = 0; j < size; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) S->start[size + A->index[k] + 1]++;
    for (int64_t j = 0; j < size; j++) S->start[j + 1] = A->start[j + 1];
    for (int64_t j = size; j < 2 * size; j++) S->start[j + 1] += S->start[j];
    for (int64_t j = 0; j < size; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t *at = &S->start[size + A->index[k]]; /* ends where the next column begins .. */
            S->index[k] = size + A->index[k];
            S->value[k] = A->value[k];
            S->index[*at] = j;
            S->value[(*at)++] = -A->value[k];
        }
    }
    for (int64_t j = 2 * size; j > size; j--)
        S->start[j] = S->start[j - 1]; /* .. and is moved back */
    S->start[size] = A->start[size];
}

static void fill_path(const saddle__expansion *e, const double *c, saddle_matrix *S,
                      saddle__path *p)
{
    p->size = 2 * e->size;
    p->A = S;
    double most = 0.0;
    for (int64_t k = 0; k < e->size; k++) most = fmax(most, fabs(e->row_unit[k] * c[k]));
    for (int64_t k = 0; k < e->size; k++) {
        int64_t z = e->size + k;
        double unit = e->column_unit[k] * (most > 0.0 ? most : 1.0);
        p->lo[k] = e->lo[k] / unit;
        p->hi[k] = e->hi[k] / unit;
        p->lo[z] = isfinite(e->lo[k]) ? 0.0 : -(double)INFINITY;
        p->hi[z] = isfinite(e->hi[k]) ? 0.0 : (double)INFINITY;
        p->q[k] = 0.0;
        p->normal[k] = p->normal[z] = -1;
        p->q[z] = most > 0.0 ? e->row_unit[k] * c[k] / most : 0.0;
        p->inside[k] = p->inside[z] = saddle__expansion_is_free(e, k) ? SADDLE__FREE
                                                                      : SADDLE__ANYWHERE;
    }
}

enum { SKEW_PIVOTS = 50 }; /* of the skew path, an unknown */

static int run_skew(saddle__path *p, const saddle__expansion *e, const double *c,
                    saddle__path_interrupt *interrupt, void *user, double *z)
{
    int proven = test_null_vectors(p, e, c, e->size, z);
    if (proven != 0) return proven;
    saddle__path_cover(p, 0, 0);
    /* The rule is finite in exact arithmetic alone: rounding may lead the path in a circle. */
    int64_t limit = SKEW_PIVOTS * (p->size + 1);
    return saddle__path_run(p, limit, interrupt, user) == SADDLE__PATH_RAY &&
           test_ray(p, e, c, e->size, z);
}

int saddle__rows_contradict(saddle_context *context, const saddle__expansion *e, const double *c,
                            saddle__path_interrupt *interrupt, void *user, double *z)
{
    int64_t size = e->size;
    const saddle__tableau_type *form = 2 * size <= SADDLE__LARGEST_TABLEAU
                                           ? &saddle__tableau_dense
                                           : &saddle__tableau_factored;
    int64_t entries = 2 * e->A.start[size];
    saddle_matrix S = {0};
    saddle__path p = {0};
    int proven = 0;
    saddle_status status = saddle_matrix_create(context, 2 * size, 2 * size, entries,
                                                SADDLE_GENERAL, &S);
    if (status == SADDLE_OK) status = saddle__path_create(context, form, 2 * size, entries, &p);
    if (status == SADDLE_OK) {
        fill_skew(&e->A, &S);
        fill_path(e, c, &S, &p);
        proven = saddle__path_begin(&p) ? run_skew(&p, e, c, interrupt, user, z) : 0;
        status = p.tableau.status == SADDLE_SINGULAR ? SADDLE_OK : p.tableau.status;
    }
    saddle__path_clear(context, &p);
    saddle_matrix_clear(&S);
    return status == SADDLE_OK ? proven : (int)status;
}
