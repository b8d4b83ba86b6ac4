/* SPDX-License-Identifier: MIT */
/* Eigenvalues and vectors of a symmetric 3 x 3 matrix by Jacobi's rotations, in the cyclic order
 * (Jacobi 1846; Golub and Van Loan, Matrix Computations, 8.5): as orthogonal as rounding allows,
 * whatever eigenvalues are equal. */
#include <math.h>

#include "space/space.h"

/* Makes A_pq zero, r the third index; A holds all of the symmetric matrix. */
static void rotate(double *A, double *V, int p, int q)
{
    int r = 3 - p - q;
    double zeta = (A[4 * q] - A[4 * p]) / (2 * A[p + 3 * q]);
    double t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
    double c = 1 / hypot(1, t);
    double s = t * c;
    double off = A[p + 3 * q];
    double rp = A[r + 3 * p];
    double rq = A[r + 3 * q];
    A[4 * p] -= t * off;
    A[4 * q] += t * off;
    A[p + 3 * q] = A[q + 3 * p] = 0;
    A[r + 3 * p] = A[p + 3 * r] = c * rp - s * rq;
    A[r + 3 * q] = A[q + 3 * r] = s * rp + c * rq;
    for (int i = 0; i < 3; i++) {
        double x = V[i + 3 * p];
        V[i + 3 * p] = c * x - s * V[i + 3 * q];
        V[i + 3 * q] = s * x + c * V[i + 3 * q];
    }
}

static void sort(double *value, double *V)
{
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int k = 0; k < 3; k++) {
        int p = pairs[k][0];
        int q = pairs[k][1];
        if (!(value[q] < value[p])) continue;
        double larger = value[p];
        value[p] = value[q];
        value[q] = larger;
        for (int i = 0; i < 3; i++) { /* one column changes sign: V remains a rotation */
            double x = V[i + 3 * p];
            V[i + 3 * p] = V[i + 3 * q];
            V[i + 3 * q] = -x;
        }
    }
}

void saddle__symmetric_eigen(const double *S, double *value, double *V)
{
    enum { SWEEPS = 30 };
    const double by_columns[9] = {S[0], S[1], S[2], S[1], S[4], S[5], S[2], S[5], S[8]};
    double A[9];
    memcpy(A, by_columns, sizeof A);
    for (int i = 0; i < 9; i++) V[i] = i % 4 == 0;
    for (int sweep = 0, turned = 1; turned && sweep < SWEEPS; sweep++) {
        turned = 0;
        for (int k = 0; k < 3; k++) {
            int p = k == 2 ? 1 : 0;
            int q = k == 0 ? 1 : 2;
            if (!(fabs(A[p + 3 * q]) > 1e-17 * sqrt(fabs(A[4 * p])) * sqrt(fabs(A[4 * q]))))
                continue;
            rotate(A, V, p, q);
            turned = 1;
        }
    }
    for (int k = 0; k < 3; k++) value[k] = A[4 * k];
    sort(value, V);
}
