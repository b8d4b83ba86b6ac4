/* SPDX-License-Identifier: MIT */
/* See contact_law.h. */
#include "contact_law.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

/* w and the sums of |terms| += A'x, A by columns; of a symmetric A the lower triangle is stored. */
static void add_products(const saddle_matrix *A, const double *x, double *w, double *terms)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            w[j] += A->value[k] * x[i];
            terms[j] += fabs(A->value[k] * x[i]);
            if (A->symmetry != SADDLE_SYMMETRY_LOWER || i == j) continue;
            w[i] += A->value[k] * x[j];
            terms[i] += fabs(A->value[k] * x[j]);
        }
}

/* w and the sums of |terms| += R lambda, R by columns. */
static void add_compliance(const saddle_matrix *R, const double *lambda, double *w, double *terms)
{
    if (R->symmetry != SADDLE_SYMMETRY_NONE) {
        add_products(R, lambda, w, terms);
        return;
    }
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            w[R->index[k]] += R->value[k] * lambda[j];
            terms[R->index[k]] += fabs(R->value[k] * lambda[j]);
        }
}

/* The distance of l, `count` entries of a part, from the point of its set nearest to l - w. */
static double part_error(saddle_law law, int64_t count, double radius, const double *l,
                         const double *w)
{
    double target[2] = {0, 0}, length = 0, error = 0;
    for (int64_t i = 0; i < count; i++) {
        target[i] = l[i] - w[i];
        length = hypot(length, target[i]);
    }
    for (int64_t i = 0; i < count; i++) {
        if (law == SADDLE_LAW_BOX)
            target[i] = fmin(fmax(target[i], -radius), radius);
        else if (length > radius)
            target[i] *= radius / length;
        error = hypot(error, l[i] - target[i]);
    }
    return error;
}

/* l, w: of the contact's rows, in units of their largest. */
static double contact_error(saddle_law law, const saddle_contact *c, const double *l,
                            const double *w)
{
    double error = fabs(l[0] - fmax(0, l[0] - w[0])), normal = fmax(0, l[0]);
    int64_t tangents = c->size == 2 ? 1 : 2, row = 1 + tangents;
    error = fmax(error, part_error(law, tangents, c->mu * normal, l + 1, w + 1));
    if (c->size == 4 || c->size == 6) {
        error = fmax(error, part_error(law, 1, c->mu_torsion * normal, l + row, w + row));
        row++;
    }
    if (c->size >= 5)
        error = fmax(error, part_error(law, 2, c->mu_rolling * normal, l + row, w + row));
    return error;
}

double contact_law_error(const saddle_problem *p, const double *v, const double *lambda,
                         double impulse, double change)
{
    double *w = calloc(3 * (size_t)p->m, sizeof *w);
    assert_non_null(w);
    double *terms = w + p->m, *l = terms + p->m, largest = change, error = 0;
    if (p->n > 0) add_products(&p->Jt, v, w, terms);
    add_compliance(&p->R, lambda, w, terms);
    for (int64_t i = 0; i < p->m; i++) {
        w[i] -= p->b ? p->b[i] : 0;
        terms[i] += p->b ? fabs(p->b[i]) : 0;
        largest = fmax(largest, terms[i]);
        impulse = fmax(impulse, fabs(lambda[i]));
    }
    for (int64_t i = 0; i < p->m; i++) {
        w[i] /= largest > 0 ? largest : 1;
        l[i] = impulse > 0 ? lambda[i] / impulse : 0;
    }
    for (int64_t c = 0; c < p->contact_count; c++) {
        int64_t row = p->contacts[c].row;
        error = fmax(error, contact_error(p->law, &p->contacts[c], l + row, w + row));
    }
    free(w);
    return error;
}
