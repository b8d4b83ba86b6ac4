/* SPDX-License-Identifier: MIT */
/* Eigenvalues of a symmetric 3 x 3 matrix and the polar decomposition of a general matrix.
 *
 * Symmetric: by LAPACK.
 *
 * Polar, F = R S: F V = U diag(s) by one-sided Jacobi rotations of the columns of F (Hestenes
 * 1958), with full relative precision of small singular values; R = U V'.  The third column of U
 * is the cross product of the others: R is a rotation for a flat F and for a negative
 * determinant, where s[2] < 0.  With dR/dt = R [omega],
 *
 *     R'F' - F''R = [omega] S + S [omega] = [(tr(S) I - S) omega]
 *     (tr(S) I - S)^-1 = V diag(1 / (s_j + s_k)) V'
 */
#include <math.h>

#include "dense/lapack.h"
#include "space/space.h"

/* ---- eigenvalues ---- */

void saddle__symmetric_eigen(const double *S, double *value, double *V)
{
    double work[8];
    const int order = 3, room = sizeof work / sizeof *work;
    int info = 0;
    memcpy(V, S, 9 * sizeof *V);
    dsyev_("V", "L", &order, V, &order, value, work, &room, &info, 1, 1);
    double cross[3];
    saddle__cross(V, V + 3, cross);
    double side = copysign(1, saddle__dot(cross, V + 6));
    for (int i = 0; i < 3; i++) V[i + 6] *= side;
}

/* ---- polar decomposition ---- */

/* Exchanges two columns and changes a sign: V remains a rotation. */
static void exchange(double *A, int p, int q)
{
    for (int i = 0; i < 3; i++) {
        double x = A[i + 3 * p];
        A[i + 3 * p] = A[i + 3 * q];
        A[i + 3 * q] = -x;
    }
}

/* Rotates columns p and q of A (and of V) until A's are orthogonal; 0 = no rotation was needed. */
static int turn_columns(double *A, double *V, int p, int q)
{
    double *a = A + 3 * p;
    double *b = A + 3 * q;
    double aa = saddle__dot(a, a);
    double bb = saddle__dot(b, b);
    double ab = saddle__dot(a, b);
    if (fabs(ab) <= 1e-16 * sqrt(aa) * sqrt(bb)) return 0;
    double zeta = (bb - aa) / (2 * ab);
    double t = copysign(1, zeta) / (fabs(zeta) + hypot(1, zeta));
    double c = 1 / hypot(1, t);
    for (int i = 0; i < 3; i++) {
        double x = a[i];
        double y = V[i + 3 * p];
        a[i] = c * (x - t * b[i]);
        b[i] = c * (b[i] + t * x);
        V[i + 3 * p] = c * (y - t * V[i + 3 * q]);
        V[i + 3 * q] = c * (V[i + 3 * q] + t * y);
    }
    return 1;
}

static void sort_columns(double *A, double *V)
{
    static const int pairs[3][2] = {{0, 1}, {1, 2}, {0, 1}};
    for (int k = 0; k < 3; k++) {
        int p = pairs[k][0];
        int q = pairs[k][1];
        if (saddle__dot(A + 3 * p, A + 3 * p) >= saddle__dot(A + 3 * q, A + 3 * q)) continue;
        exchange(A, p, q);
        exchange(V, p, q);
    }
}

/* u = a / |a| made orthogonal to e once more, for a small |a|. */
static void normalize_beside(const double *a, const double *e, double *u)
{
    double length = sqrt(saddle__dot(a, a));
    for (int i = 0; i < 3; i++) u[i] = a[i] / length;
    double along = e ? saddle__dot(u, e) : 0;
    for (int i = 0; e && i < 3; i++) u[i] -= along * e[i];
    length = sqrt(saddle__dot(u, u));
    for (int i = 0; i < 3; i++) u[i] /= length;
}

int saddle__polar_decompose(const double *F, saddle__polar *polar)
{
    double A[9];
    double U[9];
    double largest = 0;
    for (int i = 0; i < 9; i++) {
        if (!isfinite(F[i])) return 0;
        largest = fmax(largest, fabs(F[i]));
    }
    if (largest == 0) return 0;
    for (int i = 0; i < 9; i++) A[i] = F[i] / largest;
    for (int i = 0; i < 9; i++) polar->V[i] = i % 4 == 0;
    for (int sweep = 0, turned = 1; turned && sweep < 30; sweep++) {
        turned = turn_columns(A, polar->V, 0, 1);
        turned |= turn_columns(A, polar->V, 0, 2);
        turned |= turn_columns(A, polar->V, 1, 2);
    }
    sort_columns(A, polar->V);
    if (saddle__dot(A + 3, A + 3) == 0) return 0;
    normalize_beside(A, NULL, U);
    normalize_beside(A + 3, U, U + 3);
    saddle__cross(U, U + 3, U + 6);
    for (int k = 0; k < 3; k++) polar->s[k] = saddle__dot(U + 3 * k, A + 3 * k);
    if (!(polar->s[1] + polar->s[2] > 1e-12 * polar->s[0])) return 0;
    for (int k = 0; k < 3; k++) polar->s[k] *= largest;
    double turned[9], scaled[9];
    saddle__transpose3(polar->V, turned);
    saddle__product3(U, turned, polar->R);
    for (int i = 0; i < 9; i++) {
        double sum = polar->s[(i / 3 + 1) % 3] + polar->s[(i / 3 + 2) % 3];
        scaled[i] = polar->V[i] / sum;
    }
    saddle__product3(scaled, turned, polar->G);
    return 1;
}

void saddle__polar_rotation_rate(const saddle__polar *polar, const double *dF, double *omega)
{
    double X[9];
    saddle__transposed_product3(polar->R, dF, X);
    const double axial[3] = {X[5] - X[7], X[6] - X[2], X[1] - X[3]}; /* of X - X', X by columns */
    saddle__rotate(polar->G, axial, omega);
}

void saddle__polar_rates(const saddle__polar *polar, const double *dF, double *dG, double *dturn)
{
    double omega[3], W[9], S[9], X[9], turn[9];
    saddle__polar_rotation_rate(polar, dF, omega);
    saddle__skew(omega, W);
    saddle__transpose3(polar->V, turn);
    for (int i = 0; i < 9; i++) S[i] = polar->V[i] * polar->s[i / 3];
    saddle__product3(S, turn, S);
    saddle__product3(W, S, S);
    saddle__transposed_product3(polar->R, dF, X);
    for (int i = 0; i < 9; i++) X[i] -= S[i]; /* dS */
    double trace = X[0] + X[4] + X[8];
    for (int i = 0; i < 9; i++) X[i] -= (i % 4 == 0) * trace;
    saddle__product3(X, polar->G, X);
    saddle__product3(polar->G, X, dG);
    saddle__transpose3(polar->R, turn);
    saddle__product3(W, turn, dturn);
    for (int i = 0; i < 9; i++) dturn[i] = -dturn[i];
}
