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
        if (fabs(z[k]) <= SADDLE__NEGLIGIBLE_IMPULSE * most) z[k] = 0.0;
}

/* The largest gradient x_k within the bounds; modulus: of the gradient's terms. */
static double largest_product(const saddle__expansion *e, int64_t k, double gradient,
                              double modulus)
{
    if (fabs(gradient) <= SADDLE__NEGLIGIBLE_IMPULSE * modulus) return 0.0;
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
    return sum < -SADDLE__NEGLIGIBLE_IMPULSE * moduli;
}

int saddle__ray_contradicts(const saddle__path *p, const saddle__expansion *e, const double *c,
                            int64_t first, double *z)
{
    saddle__path_ray(p, p->scratch);
    for (int64_t k = 0; k < e->size; k++)
        z[k] = p->scratch[first + k] * (first > 0 ? 1.0 : e->column_unit[k] / e->row_unit[k]);
    clamp(e, z);
    return contradicts(p, e, c, z);
}

int saddle__equations_contradict(saddle__path *p, const saddle__expansion *e, const double *c,
                                 int64_t first, double *z)
{
    for (int64_t k = 0; k < p->size; k++) {
        int left_over = saddle__path_is_left_over(p, k);
        if (left_over < 0) return left_over;
        for (p->direction = 1.0; left_over && p->direction >= -1.0; p->direction -= 2.0)
            if (saddle__ray_contradicts(p, e, c, first, z)) return 1;
    }
    return 0;
}

/* ---- the skew problem ---- */

/* S <- [0 -A'; A 0].  S, T: empty; T: A', scratch. */
static saddle_status make_skew(saddle_context *context, const saddle_matrix *A, saddle_matrix *S,
                               saddle_matrix *T)
{
    int64_t size = A->cols;
    saddle_status status = saddle_matrix_transpose(context, A, T);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, 2 * size, 2 * size, 2 * A->start[size],
                                      SADDLE_GENERAL, S);
    for (int64_t j = 0, at = 0; status == SADDLE_OK && j < 2 * size; j++) {
        const saddle_matrix *from = j < size ? A : T;
        int64_t column = j % size;
        for (int64_t k = from->start[column]; k < from->start[column + 1]; k++, at++) {
            S->index[at] = j < size ? size + A->index[k] : T->index[k];
            S->value[at] = j < size ? A->value[k] : -T->value[k];
        }
        S->start[j + 1] = at;
    }
    return status;
}

static void fill_path(const saddle__path *of, saddle_matrix *S, saddle__path *p)
{
    p->size = 2 * of->size;
    p->A = S;
    for (int64_t k = 0; k < of->size; k++) {
        int64_t z = of->size + k;
        p->lo[k] = of->lo[k];
        p->hi[k] = of->hi[k];
        p->lo[z] = isfinite(of->lo[k]) ? 0.0 : -(double)INFINITY;
        p->hi[z] = isfinite(of->hi[k]) ? 0.0 : (double)INFINITY;
        p->q[k] = 0.0;
        p->q[z] = of->q[k];
        p->normal[k] = p->normal[z] = -1;
        p->inside[k] = p->inside[z] = of->inside[k];
    }
}

enum {
    SKEW_PIVOTS = 50
}; /* of the skew path, an unknown: rounding may lead the path in a circle */

int saddle__rows_contradict(saddle_context *context, const saddle__path *of,
                            const saddle__expansion *e, const double *c,
                            saddle__path_interrupt *interrupt, void *user, double *z)
{
    int64_t size = e->size;
    const saddle__tableau_type *form = 2 * size <= SADDLE__LARGEST_TABLEAU
                                           ? &saddle__tableau_dense
                                           : &saddle__tableau_factored;
    saddle_matrix S = {0}, T = {0};
    saddle__path p = {0};
    int proven = 0;
    saddle_status status = make_skew(context, &e->A, &S, &T);
    if (status == SADDLE_OK)
        status = saddle__path_create(context, form, 2 * size, S.start[2 * size], &p);
    if (status == SADDLE_OK) {
        fill_path(of, &S, &p);
        int begun = saddle__path_begin(&p);
        if (begun) proven = saddle__equations_contradict(&p, e, c, size, z);
        if (begun && proven == 0) {
            saddle__path_cover(&p, 0, 0);
            proven = saddle__path_run(&p, SKEW_PIVOTS * (p.size + 1), interrupt, user) ==
                         SADDLE__PATH_RAY &&
                     saddle__ray_contradicts(&p, e, c, size, z);
        }
        status = p.tableau.status == SADDLE_SINGULAR ? SADDLE_OK : p.tableau.status;
    }
    saddle__path_clear(context, &p);
    saddle_matrix_clear(&S);
    saddle_matrix_clear(&T);
    return status == SADDLE_OK ? proven : (int)status;
}
