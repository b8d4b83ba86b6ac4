/* SPDX-License-Identifier: MIT */
/* See quad_twin.h. */
#include "quad_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static const quad vanished = 1e-24;

/* A and its right-hand sides, by rows side by side: n x (n + count) */
typedef struct tableau {
    int64_t n, width;
    quad *row;
    int64_t *column; /* n: the unknown eliminated k-th */
} tableau;

static quad *at(const tableau *t, int64_t i, int64_t j)
{
    return t->row + i * t->width + j;
}

/* Brings the largest entry of what is left to (k, k); its modulus. */
static quad bring_pivot(tableau *t, int64_t k)
{
    int64_t p = k;
    int64_t q = k;
    for (int64_t i = k; i < t->n; i++)
        for (int64_t j = k; j < t->n; j++)
            if (quad_abs(*at(t, i, j)) > quad_abs(*at(t, p, q))) {
                p = i;
                q = j;
            }
    for (int64_t j = 0; j < t->width; j++) {
        quad keep = *at(t, k, j);
        *at(t, k, j) = *at(t, p, j);
        *at(t, p, j) = keep;
    }
    for (int64_t i = 0; i < t->n; i++) {
        quad keep = *at(t, i, k);
        *at(t, i, k) = *at(t, i, q);
        *at(t, i, q) = keep;
    }
    int64_t keep = t->column[k];
    t->column[k] = t->column[q];
    t->column[q] = keep;
    return quad_abs(*at(t, k, k));
}

/* Gauss and Jordan: column k is left with its pivot only. */
static void eliminate(tableau *t, int64_t k)
{
    for (int64_t i = 0; i < t->n; i++) {
        if (i == k) continue;
        quad factor = *at(t, i, k) / *at(t, k, k);
        for (int64_t j = k; j < t->width; j++) *at(t, i, j) -= factor * *at(t, k, j);
    }
}

static double norm(int64_t n, const quad *A)
{
    quad most = 0;
    for (int64_t i = 0; i < n; i++) {
        quad sum = 0;
        for (int64_t j = 0; j < n; j++) sum += quad_abs(A[i * n + j]);
        if (sum > most) most = sum;
    }
    return (double)most;
}

/* |A^-1| from the unit right-hand sides behind b */
static double inverse_norm(const tableau *t)
{
    quad most = 0;
    for (int64_t k = 0; k < t->n; k++) {
        quad sum = 0;
        for (int64_t j = t->n + 1; j < t->width; j++) sum += quad_abs(*at(t, k, j) / *at(t, k, k));
        if (sum > most) most = sum;
    }
    return (double)most;
}

quad_outcome quad_solve(int64_t n, const quad *A, const quad *b, quad *x)
{
    quad_outcome outcome = {.condition = (double)INFINITY};
    tableau t = {.n = n, .width = 2 * n + 1};
    t.row = calloc((size_t)(n * t.width + 1), sizeof(*t.row));
    t.column = calloc((size_t)(n + 1), sizeof(*t.column));
    assert_non_null(t.row);
    assert_non_null(t.column);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) *at(&t, i, j) = A[i * n + j];
        *at(&t, i, n) = b[i];
        *at(&t, i, n + 1 + i) = 1;
        t.column[i] = i;
    }
    quad largest = 0;
    while (outcome.rank < n) {
        quad pivot = bring_pivot(&t, outcome.rank);
        if (pivot > largest) largest = pivot;
        if (pivot <= vanished * largest) break;
        eliminate(&t, outcome.rank++);
    }
    for (int64_t i = 0; i < n; i++) x[i] = 0;
    for (int64_t k = 0; k < outcome.rank; k++) x[t.column[k]] = *at(&t, k, n) / *at(&t, k, k);
    for (int64_t k = outcome.rank; k < n; k++)
        outcome.contradicts |= quad_abs(*at(&t, k, n)) > vanished * largest;
    if (outcome.rank == n) outcome.condition = norm(n, A) * inverse_norm(&t);
    free(t.row);
    free(t.column);
    return outcome;
}
