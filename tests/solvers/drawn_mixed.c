/* SPDX-License-Identifier: MIT */
/* See drawn_mixed.h. */
#include "drawn_mixed.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = MIXED_MOST };

const char *const mixed_class_word[MIXED_CLASSES] = {"definite", "semidefinite",
                                                     "monotone", "semimonotone",
                                                     "P",        "any"};

mixed_kind mixed_draw_kind(uint64_t *seed, int64_t largest)
{
    mixed_kind kind = {.class = (mixed_class)test_integer(seed, 0, MIXED_CLASSES - 1)};
    kind.m = test_integer(seed, kind.class == MIXED_ANY || kind.class == MIXED_P ? 1 : 0, largest);
    int without = kind.class >= MIXED_SEMIMONOTONE || test_integer(seed, 0, 1);
    kind.n = without ? 0 : test_integer(seed, 1, largest);
    kind.integer = test_integer(seed, 0, 3) == 0;
    kind.planted = test_integer(seed, 0, 1) == 0;
    kind.contacts = (kind.class == MIXED_DEFINITE || kind.class == MIXED_MONOTONE) &&
                    test_integer(seed, 0, 3) == 0;
    kind.one_sided = kind.class == MIXED_P || test_integer(seed, 0, 2) == 0;
    return kind;
}

static double number(uint64_t *seed, const mixed_kind *kind)
{
    return kind->integer ? (double)test_integer(seed, -1, 1) : test_uniform(seed, -1.0, 1.0);
}

/* A (size x size) += B B' / rank, B (size x rank) drawn. */
static void add_gram(uint64_t *seed, const mixed_kind *kind, int64_t size, int64_t rank, double *A)
{
    double B[MOST * MOST];
    for (int64_t k = 0; k < size * rank; k++) B[k] = number(seed, kind);
    for (int64_t i = 0; i < size; i++)
        for (int64_t j = 0; j < size; j++)
            for (int64_t k = 0; k < rank; k++) A[i * size + j] += B[i * rank + k] * B[j * rank + k];
}

static void add_skew(uint64_t *seed, const mixed_kind *kind, int64_t size, double *A)
{
    for (int64_t i = 0; i < size; i++) {
        for (int64_t j = 0; j < i; j++) {
            double a = number(seed, kind);
            A[i * size + j] += a;
            A[j * size + i] -= a;
        }
    }
}

static void add_identity(int64_t size, double a, double *A)
{
    for (int64_t i = 0; i < size; i++) A[i * size + i] += a;
}

/* ---- matrices ---- */

static void draw_rows(uint64_t *seed, mixed *p)
{
    const mixed_kind *kind = &p->kind;
    int redundant = kind->class == MIXED_SEMIDEFINITE;
    for (int64_t i = 0; i < kind->m; i++) {
        int64_t copied = redundant && i > 0 && test_integer(seed, 0, 2) == 0
                             ? test_integer(seed, 0, i - 1)
                             : -1;
        double sign = test_integer(seed, 0, 1) ? 1.0 : -1.0;
        for (int64_t j = 0; j < kind->n; j++)
            p->J[i * kind->n + j] = copied >= 0 ? sign * p->J[copied * kind->n + j]
                                                : number(seed, kind);
    }
}

static void draw_any(uint64_t *seed, mixed *p)
{
    int64_t m = p->kind.m;
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < m; j++) {
            double a = number(seed, &p->kind);
            int upper = p->kind.class == MIXED_P && j > i;
            p->R[i * m + j] = upper ? 0.0 : p->kind.class == MIXED_P ? 3.0 * a : a;
        }
        if (p->kind.class == MIXED_P)
            p->R[i * m + i] = p->kind.integer ? 1.0 : test_uniform(seed, 0.2, 1.0);
    }
}

/* n = 0: R is W */
static void draw_w(uint64_t *seed, mixed *p)
{
    const mixed_kind *kind = &p->kind;
    int64_t m = kind->m;
    if (kind->class >= MIXED_P) {
        draw_any(seed, p);
        return;
    }
    int low = kind->class == MIXED_SEMIDEFINITE || kind->class == MIXED_SEMIMONOTONE;
    add_gram(seed, kind, m, low && m > 0 ? test_integer(seed, 0, m - 1) : m, p->R);
    if (!low) add_identity(m, 0.25, p->R);
    if (kind->class == MIXED_MONOTONE || kind->class == MIXED_SEMIMONOTONE)
        add_skew(seed, kind, m, p->R);
}

static void draw_matrices(uint64_t *seed, mixed *p)
{
    const mixed_kind *kind = &p->kind;
    if (kind->n == 0) {
        draw_w(seed, p);
        return;
    }
    add_gram(seed, kind, kind->n, kind->n, p->M);
    add_identity(kind->n, 1.0, p->M);
    draw_rows(seed, p);
    if (kind->class != MIXED_SEMIDEFINITE)
        for (int64_t i = 0; i < kind->m; i++)
            p->R[i * kind->m + i] = kind->integer ? 0.5 : test_uniform(seed, 0.1, 0.5);
    if (kind->class == MIXED_MONOTONE) add_skew(seed, kind, kind->n, p->M);
}

static saddle_matrix sparse(int64_t rows, int64_t cols, const double *A, int transposed,
                            saddle_symmetry symmetry)
{
    int64_t row[MOST * MOST];
    int64_t col[MOST * MOST];
    double value[MOST * MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRY_LOWER ? i + 1 : cols); j++) {
            double a = transposed ? A[j * rows + i] : A[i * cols + j];
            if (a == 0.0 && i != j) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = a;
        }
    }
    saddle_matrix made = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &made),
                     SADDLE_OK);
    return made;
}

/* ---- bounds, contacts, right-hand sides ---- */

static void draw_bounds(uint64_t *seed, mixed *p, int64_t i)
{
    static const int kinds[] = {0, 1, 1, 1, 2, 3, 3, 3, 4};
    int kind = p->kind.one_sided ? 1 : kinds[test_integer(seed, 0, 8)];
    double a = p->kind.integer ? (double)test_integer(seed, -1, 0) : -test_uniform(seed, 0.0, 1.0);
    double c = p->kind.integer ? (double)test_integer(seed, 1, 2) : test_uniform(seed, 0.1, 1.0);
    p->lo[i] = kind == 0 || kind == 2 ? -INFINITY : kind == 1 ? 0.0 : a;
    p->hi[i] = kind <= 1 ? INFINITY : kind == 4 ? a : c;
}

/* In the plane the laws box and pyramid are one. */
static void draw_contacts(uint64_t *seed, mixed *p)
{
    int64_t row = 0;
    int plane = test_integer(seed, 0, 1) == 0;
    while (p->kind.contacts && row + 1 < p->kind.m) {
        int64_t size = !plane && row + 2 < p->kind.m && test_integer(seed, 0, 1) ? 3 : 2;
        double mu = test_integer(seed, 0, 4) == 0 ? 0.0 : test_uniform(seed, 0.0, 1.0);
        p->contact[p->problem.contact_count++] = (saddle_contact){.row = row,
                                                                  .size = size,
                                                                  .mu = mu};
        row += size + test_integer(seed, 0, 1);
    }
    p->problem.law = plane && test_integer(seed, 0, 1) ? SADDLE_LAW_PYRAMID : SADDLE_LAW_BOX;
}

/* A row's impulse and slack in a state drawn: at lo, free or at hi; degenerate now and then. */
static void plant_row(uint64_t *seed, mixed *p, int64_t i, double *w)
{
    double lo = p->lo[i];
    double hi = p->hi[i];
    int64_t at = test_integer(seed, -1, 1);
    double size = p->kind.integer ? (double)test_integer(seed, 0, 2) : test_uniform(seed, 0.0, 1.0);
    double between = test_uniform(seed, 0.1, 0.9);
    *w = 0.0;
    if (lo == hi) {
        p->lambda[i] = lo;
        *w = (double)at * size;
    } else if (at < 0 && lo > -INFINITY) {
        p->lambda[i] = lo;
        *w = size;
    } else if (at > 0 && hi < INFINITY) {
        p->lambda[i] = hi;
        *w = -size;
    } else {
        int low = lo > -INFINITY;
        int high = hi < INFINITY;
        p->lambda[i] = low && high ? lo + between * (hi - lo)
                       : low       ? lo + size
                       : high      ? hi - size
                                   : size - 0.5;
    }
}

static void plant_contact(uint64_t *seed, mixed *p, const saddle_contact *c, double *w)
{
    int closed = test_integer(seed, 0, 2) > 0;
    double normal = closed ? test_uniform(seed, 0.1, 1.0) : 0.0;
    p->lambda[c->row] = normal;
    w[c->row] = closed ? 0.0 : test_uniform(seed, 0.0, 1.0);
    for (int64_t i = c->row + 1; i < c->row + c->size; i++) {
        int64_t way = test_integer(seed, -1, 1);
        double slip = test_uniform(seed, 0.0, 1.0);
        p->lambda[i] = c->mu * normal * (way != 0 ? (double)way : test_uniform(seed, -0.9, 0.9));
        w[i] = closed ? -(double)way * slip : test_uniform(seed, -1.0, 1.0);
    }
}

static void plant(uint64_t *seed, mixed *p)
{
    int64_t n = p->kind.n;
    int64_t m = p->kind.m;
    double w[MOST];
    for (int64_t j = 0; j < n; j++) p->v[j] = number(seed, &p->kind);
    for (int64_t i = 0; i < m; i++) plant_row(seed, p, i, &w[i]);
    for (int64_t k = 0; k < p->problem.contact_count; k++)
        plant_contact(seed, p, &p->contact[k], w);
    for (int64_t j = 0; j < n; j++) {
        p->f[j] = 0.0;
        for (int64_t k = 0; k < n; k++) p->f[j] += p->M[j * n + k] * p->v[k];
        for (int64_t i = 0; i < m; i++) p->f[j] -= p->J[i * n + j] * p->lambda[i];
    }
    for (int64_t i = 0; i < m; i++) {
        p->b[i] = -w[i];
        for (int64_t j = 0; j < n; j++) p->b[i] += p->J[i * n + j] * p->v[j];
        for (int64_t k = 0; k < m; k++) p->b[i] += p->R[i * m + k] * p->lambda[k];
    }
}

mixed *mixed_draw(uint64_t *seed, mixed_kind kind)
{
    mixed *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->kind = kind;
    draw_matrices(seed, p);
    for (int64_t i = 0; i < kind.m; i++) draw_bounds(seed, p, i);
    draw_contacts(seed, p);
    for (int64_t j = 0; j < kind.n; j++) p->f[j] = 2.0 * number(seed, &kind);
    for (int64_t i = 0; i < kind.m; i++) p->b[i] = 2.0 * number(seed, &kind);
    if (kind.planted) plant(seed, p);

    saddle_problem *problem = &p->problem;
    int symmetric = kind.class <= MIXED_SEMIDEFINITE;
    saddle_symmetry symmetry = symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE;
    problem->n = kind.n;
    problem->m = kind.m;
    if (kind.n > 0) problem->M = sparse(kind.n, kind.n, p->M, 0, symmetry);
    problem->Jt = sparse(kind.n, kind.m, p->J, 1, SADDLE_SYMMETRY_NONE);
    problem->R = sparse(kind.m, kind.m, p->R, 0, kind.n > 0 ? SADDLE_SYMMETRY_LOWER : symmetry);
    problem->f = p->f;
    problem->b = p->b;
    problem->lo = p->lo;
    problem->hi = p->hi;
    problem->contacts = p->contact;
    return p;
}

static void scale_rows(saddle_matrix *A, const double *rows, const double *cols)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            A->value[k] *= (rows ? rows[A->index[k]] : 1.0) * cols[j];
}

void mixed_change_units(saddle_problem *p, const double *D)
{
    scale_rows(&p->Jt, NULL, D);
    scale_rows(&p->R, D, D);
    for (int64_t i = 0; i < p->m; i++) {
        p->b[i] *= D[i];
        p->lo[i] /= D[i];
        p->hi[i] /= D[i];
    }
}

void mixed_clear(mixed *p)
{
    saddle_matrix_clear(&p->problem.M);
    saddle_matrix_clear(&p->problem.Jt);
    saddle_matrix_clear(&p->problem.R);
    free(p);
}
