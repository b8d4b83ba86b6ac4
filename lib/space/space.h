/* SPDX-License-Identifier: MIT */
/* Vectors and rotations in space, small enough to be inlined.  3 x 3 matrices are stored by
 * columns; outputs may be inputs. */
#ifndef SADDLE_LIB_SPACE_H
#define SADDLE_LIB_SPACE_H

#include <math.h>
#include <string.h>

#include "saddle/spatial.h"

static inline double saddle__dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* unit <- a / |a|; returns |a|.  a = 0: unit is unchanged. */
static inline double saddle__direction(const double *a, double *unit)
{
    const double largest = fmax(fabs(a[0]), fmax(fabs(a[1]), fabs(a[2])));
    if (!(largest > 0)) return 0;
    const double scaled[3] = {a[0] / largest, a[1] / largest, a[2] / largest};
    const double length = sqrt(saddle__dot(scaled, scaled));
    for (int k = 0; k < 3; k++) unit[k] = scaled[k] / length;
    return length * largest;
}

/* c = a x b */
static inline void saddle__cross(const double *a, const double *b, double *c)
{
    const double product[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                               a[0] * b[1] - a[1] * b[0]};
    memcpy(c, product, sizeof product);
}

/* b = R a */
static inline void saddle__rotate(const double *R, const double *a, double *b)
{
    double product[3];
    for (int i = 0; i < 3; i++) product[i] = R[i] * a[0] + R[i + 3] * a[1] + R[i + 6] * a[2];
    memcpy(b, product, sizeof product);
}

/* b = R'a */
static inline void saddle__unrotate(const double *R, const double *a, double *b)
{
    const double product[3] = {saddle__dot(R, a), saddle__dot(R + 3, a), saddle__dot(R + 6, a)};
    memcpy(b, product, sizeof product);
}

/* C = A B */
static inline void saddle__product3(const double *A, const double *B, double *C)
{
    double product[9];
    for (int j = 0; j < 3; j++) saddle__rotate(A, B + 3 * j, product + 3 * j);
    memcpy(C, product, sizeof product);
}

/* C = A'B */
static inline void saddle__transposed_product3(const double *A, const double *B, double *C)
{
    double product[9];
    for (int j = 0; j < 3; j++) saddle__unrotate(A, B + 3 * j, product + 3 * j);
    memcpy(C, product, sizeof product);
}

/* 1: R (9) is orthonormal to tolerance and right-handed. */
static inline int saddle__is_rotation(const double *R, double tolerance)
{
    double gram[9], cross[3];
    saddle__transposed_product3(R, R, gram);
    for (int k = 0; k < 9; k++)
        if (!(fabs(gram[k] - (k % 4 == 0)) <= tolerance)) return 0;
    saddle__cross(R, R + 3, cross);
    return saddle__dot(cross, R + 6) > 0;
}

/* B = A' */
static inline void saddle__transpose3(const double *A, double *B)
{
    const double transposed[9] = {A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8]};
    memcpy(B, transposed, sizeof transposed);
}

/* W = [a]: W b = a x b */
static inline void saddle__skew(const double *a, double *W)
{
    const double skew[9] = {0, a[2], -a[1], -a[2], 0, a[0], a[1], -a[0], 0};
    memcpy(W, skew, sizeof skew);
}

/* A (6 x 6) = [a b; c d], each 3 x 3; NULL = 0 */
static inline void saddle__join3(const double *a, const double *b, const double *c, const double *d,
                                 double *A)
{
    const double *const block[4] = {a, c, b, d};
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++)
                A[i + 3 * (k % 2) + 6 * (j + 3 * (k / 2))] = block[k] ? block[k][i + 3 * j] : 0;
}

/* ---- exponentials ---- */

/* ---- symmetric matrices ---- */

/* S (3 x 3, its lower triangle is read) = V diag(value) V': value (3) ascending, V a rotation; of a
 * diagonal in order V = I. */
void saddle__symmetric_eigen(const double *S, double *value, double *V);

/* ---- polar decomposition ---- */

/* F = R S, R a rotation (det 1 whatever the sign of det F), S = V diag(s) V' symmetric, s[0] >=
 * s[1] >= |s[2]|.  Unique while s[1] + s[2] > 0: a flat F is fine, a line is not. */
typedef struct saddle__polar {
    double R[9];
    double V[9]; /* det 1 */
    double s[3];
    double G[9]; /* (tr(S) I - S)^-1, symmetric */
} saddle__polar;

/* 1; 0 where R is not determined: s[1] + s[2] <= 1e-12 s[0], or F = 0 or not finite. */
int saddle__polar_decompose(const double *F, saddle__polar *polar);

/* omega of dR/dt = R [omega] for dF/dt = F':
 *
 *     (tr(S) I - S) omega = axial(R'F' - F''R),   axial([a]) = a */
void saddle__polar_rotation_rate(const saddle__polar *polar, const double *dF, double *omega);

/* The same: dG, and dturn = d(R')/dt = -[omega] R'. */
void saddle__polar_rates(const saddle__polar *polar, const double *dF, double *dG, double *dturn);

#endif
