/* SPDX-License-Identifier: MIT */
/* See anderson.h. */
#include "anderson.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "base/vector.h"

void saddle__anderson_place(saddle__anderson *A, saddle__layout *layout, int64_t m)
{
    double **const rows[] = {&A->weight, &A->f, &A->f_last, &A->g_last, &A->f_weighed};
    double **const columns[] = {&A->df, &A->dg, &A->df_weighed};
    A->m = m;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(layout, m, sizeof **rows);
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        *columns[k] = saddle__layout_take(layout, m, SADDLE__ANDERSON_DEPTH * sizeof **columns[k]);
}

/* y = D^2 x */
static void weigh(const saddle__anderson *A, const double *x, double *y)
{
    for (int64_t i = 0; i < A->m; i++) y[i] = A->weight[i] * x[i];
}

/* a'x, four sums side by side. */
static double product(int64_t m, const double *a, const double *x)
{
    double s = 0.0, t = 0.0, u = 0.0, v = 0.0;
    int64_t i = 0;
    for (; i + 4 <= m; i += 4) {
        s += a[i] * x[i];
        t += a[i + 1] * x[i + 1];
        u += a[i + 2] * x[i + 2];
        v += a[i + 3] * x[i + 3];
    }
    for (; i < m; i++) s += a[i] * x[i];
    return (s + t) + (u + v);
}

/* count numbers of this process' entries <- those of all entries */
static void add_up(const saddle__anderson *A, int64_t count, double *x)
{
    if (A->total) A->total(A->user, count, x);
}

/* The newest differences take the place of the oldest.  right: F'D^2 f. */
static void remember(saddle__anderson *A, const double *g, double *right)
{
    double sums[2 * SADDLE__ANDERSON_DEPTH];
    A->newest = (A->newest + 1) % SADDLE__ANDERSON_DEPTH;
    A->count = A->count < SADDLE__ANDERSON_DEPTH ? A->count + 1 : SADDLE__ANDERSON_DEPTH;
    const int count = A->count;
    double *df = A->df + A->newest * A->m;
    double *dg = A->dg + A->newest * A->m;
    double *df_weighed = A->df_weighed + A->newest * A->m;
    for (int64_t i = 0; i < A->m; i++) {
        df[i] = A->f[i] - A->f_last[i];
        dg[i] = g[i] - A->g_last[i];
    }
    weigh(A, df, df_weighed);
    for (int k = 0; k < count; k++) {
        sums[k] = product(A->m, df_weighed, A->df + k * A->m);
        sums[count + k] = product(A->m, A->df_weighed + k * A->m, A->f);
    }
    add_up(A, 2 * count, sums);
    for (int k = 0; k < count; k++) {
        A->gram[A->newest][k] = A->gram[k][A->newest] = sums[k];
        right[k] = sums[count + k];
    }
}

/* gamma <- (F'D^2 F)^-1 gamma, regularized, by Cholesky's factorization; 0 where the factorization
 * breaks down. */
static int least_squares(const saddle__anderson *A, double *gamma)
{
    double L[SADDLE__ANDERSON_DEPTH][SADDLE__ANDERSON_DEPTH]; /* by columns */
    const int count = A->count;
    double shift = 0.0;
    for (int k = 0; k < count; k++) shift = saddle__larger(A->gram[k][k], shift);
    for (int k = 0; k < count; k++) {
        memcpy(L[k], A->gram[k], sizeof L[k]);
        L[k][k] += SADDLE__SINGULAR_PIVOT * shift;
    }
    for (int k = 0; k < count; k++) {
        if (!(L[k][k] > 0.0)) return 0;
        L[k][k] = sqrt(L[k][k]);
        gamma[k] /= L[k][k];
        for (int i = k + 1; i < count; i++) {
            L[k][i] /= L[k][k];
            gamma[i] -= L[k][i] * gamma[k];
        }
        for (int j = k + 1; j < count; j++)
            for (int i = j; i < count; i++) L[j][i] -= L[k][i] * L[k][j];
    }
    for (int i = count - 1; i >= 0; i--) {
        for (int k = i + 1; k < count; k++) gamma[i] -= L[i][k] * gamma[k];
        gamma[i] /= L[i][i];
    }
    return 1;
}

static void subtract_pair(int64_t m, const double gamma[2], const double *restrict a,
                          const double *restrict b, double *restrict x)
{
    for (int64_t i = 0; i < m; i++) x[i] = x[i] - gamma[0] * a[i] - gamma[1] * b[i];
}

/* x -= sum_k gamma_k dg_k, two differences in a pass. */
static void subtract(const saddle__anderson *A, const double *gamma, double *x)
{
    int k = 0;
    for (; k + 2 <= A->count; k += 2)
        subtract_pair(A->m, gamma + k, A->dg + k * A->m, A->dg + (k + 1) * A->m, x);
    const double *last = A->dg + k * A->m;
    for (int64_t i = 0; k < A->count && i < A->m; i++) x[i] -= gamma[k] * last[i];
}

int saddle__anderson_step(saddle__anderson *A, double *x, const double *g)
{
    for (int64_t i = 0; i < A->m; i++) {
        A->f[i] = g[i] - x[i];
        x[i] = g[i];
    }
    weigh(A, A->f, A->f_weighed);
    double norm = product(A->m, A->f_weighed, A->f);
    add_up(A, 1, &norm);
    norm = sqrt(norm);
    double gamma[SADDLE__ANDERSON_DEPTH];
    int accelerated = 0;
    /* where the residual grows by more, the past is forgotten */
    if (A->started && !(norm <= 1.2 * A->norm)) {
        saddle__anderson_restart(A);
    } else if (A->started) {
        remember(A, g, gamma);
        accelerated = least_squares(A, gamma);
        if (!accelerated) saddle__anderson_restart(A);
    }
    if (accelerated) subtract(A, gamma, x);
    memcpy(A->f_last, A->f, (size_t)A->m * sizeof *A->f);
    memcpy(A->g_last, g, (size_t)A->m * sizeof *g);
    A->norm = norm;
    A->started = 1;

    return accelerated;
}
