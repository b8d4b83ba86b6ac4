/* SPDX-License-Identifier: MIT */
/* See anderson.h. */
#include "anderson.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"

void saddle__anderson_place(saddle__anderson *A, saddle__layout *layout, int64_t m)
{
    double **const rows[] = {&A->weight, &A->f, &A->f_last, &A->g_last};
    A->m = m;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(layout, m, sizeof **rows);
    A->df = saddle__layout_take(layout, m, SADDLE__ANDERSON_DEPTH * sizeof *A->df);
    A->dg = saddle__layout_take(layout, m, SADDLE__ANDERSON_DEPTH * sizeof *A->dg);
}

/* a'D^2 b, four sums side by side. */
static double product(const saddle__anderson *A, const double *a, const double *b)
{
    const double *d = A->weight;
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t i = 0;
    for (; i + 4 <= A->m; i += 4)
        for (int k = 0; k < 4; k++) sum[k] += d[i + k] * a[i + k] * b[i + k];
    for (; i < A->m; i++) sum[0] += d[i] * a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* count numbers of this process' entries <- those of all entries */
static void add_up(const saddle__anderson *A, int64_t count, double *x)
{
    if (A->total) A->total(A->user, count, x);
}

/* The newest differences take the place of the oldest. */
static void remember(saddle__anderson *A, const double *g)
{
    A->newest = (A->newest + 1) % SADDLE__ANDERSON_DEPTH;
    A->count = A->count < SADDLE__ANDERSON_DEPTH ? A->count + 1 : SADDLE__ANDERSON_DEPTH;
    double *df = A->df + A->newest * A->m;
    double *dg = A->dg + A->newest * A->m;
    for (int64_t i = 0; i < A->m; i++) {
        df[i] = A->f[i] - A->f_last[i];
        dg[i] = g[i] - A->g_last[i];
    }
    double *row = A->gram[A->newest];
    for (int k = 0; k < A->count; k++) row[k] = product(A, df, A->df + k * A->m);
    add_up(A, A->count, row);
    for (int k = 0; k < A->count; k++) A->gram[k][A->newest] = row[k];
}

/* gamma by Cholesky's factorization of the regularized F'D^2 F; 0 where the factorization breaks
 * down. */
static int least_squares(const saddle__anderson *A, double *gamma)
{
    double L[SADDLE__ANDERSON_DEPTH][SADDLE__ANDERSON_DEPTH];
    double shift = 0.0;
    for (int k = 0; k < A->count; k++) {
        shift = fmax(shift, A->gram[k][k]);
        gamma[k] = product(A, A->df + k * A->m, A->f);
    }
    add_up(A, A->count, gamma);
    for (int i = 0; i < A->count; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = A->gram[i][j] + (i == j ? SADDLE__SINGULAR_PIVOT * shift : 0.0);
            for (int k = 0; k < j; k++) sum -= L[i][k] * L[j][k];
            if (i == j && !(sum > 0.0)) return 0;
            L[i][j] = i == j ? sqrt(sum) : sum / L[j][j];
        }
        for (int k = 0; k < i; k++) gamma[i] -= L[i][k] * gamma[k];
        gamma[i] /= L[i][i];
    }
    for (int i = A->count - 1; i >= 0; i--) {
        for (int k = i + 1; k < A->count; k++) gamma[i] -= L[k][i] * gamma[k];
        gamma[i] /= L[i][i];
    }
    return 1;
}

int saddle__anderson_step(saddle__anderson *A, double *x, const double *g)
{
    for (int64_t i = 0; i < A->m; i++) {
        A->f[i] = g[i] - x[i];
        x[i] = g[i];
    }
    double norm = product(A, A->f, A->f);
    add_up(A, 1, &norm);
    norm = sqrt(norm);
    double gamma[SADDLE__ANDERSON_DEPTH];
    int accelerated = 0;
    /* where the residual grows by more, the past is forgotten */
    if (A->started && !(norm <= 1.2 * A->norm)) {
        saddle__anderson_restart(A);
    } else if (A->started) {
        remember(A, g);
        accelerated = least_squares(A, gamma);
        if (!accelerated) saddle__anderson_restart(A);
    }
    for (int k = 0; accelerated && k < A->count; k++) {
        const double *dg = A->dg + k * A->m;
        for (int64_t i = 0; i < A->m; i++) x[i] -= gamma[k] * dg[i];
    }
    memcpy(A->f_last, A->f, (size_t)A->m * sizeof *A->f);
    memcpy(A->g_last, g, (size_t)A->m * sizeof *g);
    A->norm = norm;
    A->started = 1;

    return accelerated;
}
