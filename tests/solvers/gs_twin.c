/* SPDX-License-Identifier: MIT */
/* See gs_twin.h. */
#include "gs_twin.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static saddle_matrix sparse(int64_t rows, int64_t cols, double (*A)[MOST], int transposed,
                            saddle_symmetry symmetry)
{
    int64_t row[MOST * MOST];
    int64_t col[MOST * MOST];
    double value[MOST * MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRY_LOWER ? i + 1 : cols); j++) {
            double a = transposed ? A[j][i] : A[i][j];
            if (a == 0.0) continue;
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

int gs_eliminate(int64_t n, double (*A)[MOST], double *rhs)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++) pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        if (fabs(A[pivot][k]) < 1e-14) return 0;
        for (int64_t j = 0; j < n; j++) {
            double t = A[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = t;
        }
        double t = rhs[k];
        rhs[k] = rhs[pivot];
        rhs[pivot] = t;
        for (int64_t i = k + 1; i < n; i++) {
            double factor = A[i][k] / A[k][k];
            for (int64_t j = k; j < n; j++) A[i][j] -= factor * A[k][j];
            rhs[i] -= factor * rhs[k];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < n; j++) rhs[k] -= A[k][j] * rhs[j];
        rhs[k] /= A[k][k];
    }
    return 1;
}

void gs_twin_solve_mass(const gs_twin *t, double *x)
{
    double M[MOST][MOST];
    memcpy(M, t->M, sizeof M);
    assert_true(gs_eliminate(t->problem.n, M, x));
}

void gs_twin_finish(gs_twin *t, saddle_symmetry symmetry)
{
    saddle_problem *p = &t->problem;
    if (p->n > 0) p->M = sparse(p->n, p->n, t->M, 0, symmetry);
    p->Jt = sparse(p->n, p->m, t->J, 1, SADDLE_SYMMETRY_NONE);
    p->R = sparse(p->m, p->m, t->R, 0, symmetry);
    p->f = t->f;
    p->b = t->b;
    p->lo = t->lo;
    p->hi = t->hi;
    p->contacts = t->contact;
    double x[MOST];
    for (int64_t j = 0; j <= p->m; j++) { /* column m: the free velocity */
        for (int64_t k = 0; k < p->n; k++) x[k] = j < p->m ? t->J[j][k] : t->f[k];
        if (p->n > 0) gs_twin_solve_mass(t, x);
        for (int64_t i = 0; i < p->m; i++) {
            double sum = j < p->m ? t->R[i][j] : -t->b[i];
            for (int64_t k = 0; k < p->n; k++) sum += t->J[i][k] * x[k];
            if (j < p->m)
                t->W[i][j] = sum;
            else
                t->q[i] = sum;
        }
    }
}

void gs_twin_clear(gs_twin *t)
{
    saddle_matrix_clear(&t->problem.M);
    saddle_matrix_clear(&t->problem.Jt);
    saddle_matrix_clear(&t->problem.R);
    free(t);
}

static void draw_bounds(uint64_t *seed, gs_twin *t, int64_t i)
{
    int64_t kind = test_integer(seed, 0, 3);
    t->lo[i] = kind == 0 || kind == 3 ? -INFINITY : kind == 1 ? 0.0 : -test_uniform(seed, 0.0, 1.0);
    t->hi[i] = kind == 0 || kind == 1 ? INFINITY : test_uniform(seed, 0.0, 1.0);
    t->b[i] = test_uniform(seed, -1.0, 1.0);
}

gs_twin *gs_twin_draw(uint64_t *seed, int64_t n, int64_t m, int64_t width, saddle_symmetry symmetry)
{
    gs_twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.n = n;
    t->problem.m = m;
    double skew = symmetry == SADDLE_SYMMETRY_NONE ? 0.3 : 0.0;
    for (int64_t i = 0; i < n; i++) {
        t->f[i] = test_uniform(seed, -1.0, 1.0);
        t->M[i][i] = test_uniform(seed, 2.5, 4.0);
        if (i + 1 < n) {
            double coupling = test_uniform(seed, -1.0, 1.0);
            t->M[i + 1][i] = coupling * (1.0 + skew);
            t->M[i][i + 1] = coupling * (1.0 - skew);
        }
    }
    double B[MOST][MOST];
    for (int64_t i = 0; i < m; i++) {
        draw_bounds(seed, t, i);
        for (int64_t k = 0; k < width && n > 0; k++)
            t->J[i][test_integer(seed, 0, n - 1)] = test_uniform(seed, 0.2, 1.0) *
                                                    (k % 2 ? -1.0 : 1.0);
        t->R[i][i] = n > 0 ? test_uniform(seed, 0.05, 0.2) : 0.1;
        for (int64_t j = 0; j < m; j++) B[i][j] = test_uniform(seed, -1.0, 1.0);
    }
    for (int64_t i = 0; i < m && n == 0; i++) {
        for (int64_t j = 0; j < m; j++) {
            for (int64_t k = 0; k < m; k++) t->R[i][j] += B[i][k] * B[j][k];
            t->R[i][j] += i == j ? 0.0 : (i < j ? skew : -skew) * B[i < j ? i : j][i < j ? j : i];
        }
    }
    gs_twin_finish(t, symmetry);
    return t;
}

gs_twin *gs_twin_stack(int64_t count, saddle_law law, double alpha, double mu)
{
    gs_twin *t = calloc(1, sizeof *t);
    assert_non_null(t);
    t->problem.n = t->problem.m = 3 * count;
    t->problem.contact_count = count;
    t->problem.law = law;
    for (int64_t i = 0; i < count; i++) {
        t->contact[i] = (saddle_contact){.row = 3 * i, .size = 3, .mu = i == 0 ? mu : 2.0};
        t->f[3 * i] = -cos(alpha);
        t->f[3 * i + 1] = sin(alpha);
        for (int64_t k = 3 * i; k < 3 * i + 3; k++) {
            t->M[k][k] = 1.0;
            t->J[k][k] = 1.0;
            if (i > 0) t->J[k][k - 3] = -1.0;
        }
    }
    t->b[1] = -BELT;
    gs_twin_finish(t, SADDLE_SYMMETRY_LOWER);
    return t;
}

saddle_options gs_tight_options(void)
{
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-13;
    return options;
}

saddle_report gs_solve(const saddle_problem *problem, const saddle_options *options,
                       const saddle_solution *start, saddle_solution *solution)
{
    saddle_report report;
    saddle_status status = saddle_solve(NULL, problem, "gauss-seidel", options, start, solution,
                                        &report);
    if (status < 0) fail_msg("%s", saddle_status_name(status));
    assert_int_equal(report.status, status);
    return report;
}
