/* SPDX-License-Identifier: MIT */
#include "drawn_space.h"

#include <math.h>
#include <string.h>

void draw(uint64_t *state, int64_t count, double size, double *x)
{
    for (int64_t i = 0; i < count; i++) x[i] = test_uniform(state, -size, size);
}

double draw_size(uint64_t *state, double lo, double hi)
{
    return pow(10, test_uniform(state, lo, hi));
}

saddle_pose draw_pose(uint64_t *state)
{
    double twist[6];
    draw(state, 6, 2, twist);
    return pose_by_series(twist);
}

void draw_direction(uint64_t *state, double length, double *x)
{
    double size = 0;
    while (size < 0.1) {
        draw(state, 3, 1, x);
        size = sqrt(saddle__dot(x, x));
    }
    for (int i = 0; i < 3; i++) x[i] *= length / size;
}

double largest_difference(const double *a, const double *b, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) {
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= most)) most = difference;
    }
    return most;
}

double largest(const double *a, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(a[i]));
    return most;
}

double determinant3(const double *R)
{
    double c[3];
    saddle__cross(R + 3, R + 6, c);
    return saddle__dot(R, c);
}

void assert_rotation(const double *R)
{
    double square[9];
    const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    saddle__transposed_product3(R, R, square);
    assert_true(largest_difference(square, identity, 9) < 1e-14);
    assert_true(determinant3(R) > 0);
}

void product(const double *A, const double *B, int rows, int inner, int cols, double *C)
{
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) {
            double sum = 0;
            for (int k = 0; k < inner; k++) sum += A[i + rows * k] * B[k + inner * j];
            C[i + rows * j] = sum;
        }
}

void transpose(const double *A, int rows, int cols, double *B)
{
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++) B[j + cols * i] = A[i + rows * j];
}

void series(const double *X, int n, int shift, double *sum)
{
    enum { TERMS = 90 };
    long double term[36], next[36], total[36];
    for (int i = 0; i < n * n; i++) total[i] = term[i] = i % (n + 1) == 0;
    for (int k = 1; k < TERMS; k++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                next[i + n * j] = 0;
                for (int l = 0; l < n; l++)
                    next[i + n * j] += term[i + n * l] * (long double)X[l + n * j];
                next[i + n * j] /= k + shift;
            }
        memcpy(term, next, sizeof term);
        for (int i = 0; i < n * n; i++) total[i] += term[i];
    }
    for (int i = 0; i < n * n; i++) sum[i] = (double)total[i];
}

void twist_matrix(const double *twist, double *X)
{
    const double *w = twist + 3;
    const double by_columns[16] = {0,    w[2],  -w[1], 0, -w[2],    0,        w[0],     0,
                                   w[1], -w[0], 0,     0, twist[0], twist[1], twist[2], 0};
    memcpy(X, by_columns, sizeof by_columns);
}

saddle_pose pose_by_series(const double *twist)
{
    double X[16], E[16];
    saddle_pose pose;
    twist_matrix(twist, X);
    series(X, 4, 0, E);
    for (int j = 0; j < 3; j++) memcpy(pose.R + 3 * j, E + 4 * j, 3 * sizeof *E);
    memcpy(pose.p, E + 12, sizeof pose.p);
    return pose;
}
