/* SPDX-License-Identifier: MIT */
/* Integrals of linear elements (integrals.h).
 *
 *     K_(a,i)(b,j) = integral of  lame d_i N_a d_j N_b
 *                               + shear (d_j N_a d_i N_b + delta_ij grad N_a . grad N_b)
 */

#include "element/integrals.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "saddle/element.h"
#include "space/space.h"

/* N (8) and D (8 x 3), derivatives of N by the local coordinates, of nodes with x fastest. */
static void shape_in_order(const double *local, double *N, double *D)
{
    static const int place[8] = {0, 1, 3, 2,
                                 4, 5, 7, 6}; /* among the corners of saddle/element.h */
    double weight[8], gradient[24];
    saddle_element_shape(SADDLE_ELEMENT_HEXAHEDRON, local, weight, gradient);
    for (int a = 0; a < 8; a++) {
        N[a] = weight[place[a]];
        memcpy(D + 3 * a, gradient + 3 * place[a], 3 * sizeof *D);
    }
}

/* G (8 x 3): derivatives of N by x; returns the determinant of dx/dlocal. */
static double spatial_derivatives(const double *x, const double *D, double *G)
{
    double F[9] = {0}, cofactor[9]; /* F_ij = dx_i / dlocal_j */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int a = 0; a < 8; a++) F[3 * i + j] += x[3 * a + i] * D[3 * a + j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            cofactor[3 * i + j] = F[3 * i1 + j1] * F[3 * i2 + j2] - F[3 * i1 + j2] * F[3 * i2 + j1];
        }
    double determinant = F[0] * cofactor[0] + F[1] * cofactor[1] + F[2] * cofactor[2];
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++) {
            double sum = 0;
            for (int j = 0; j < 3; j++) sum += cofactor[3 * i + j] * D[3 * a + j];
            G[3 * a + i] = sum / determinant;
        }
    return determinant;
}

/* K (size x size, its lower triangle) += weight times the integrand for the gradients G (nodes x
 * 3). */
static void add_stiffness(int size, const double *G, double weight, double lame, double shear,
                          double *K)
{
    for (int p = 0; p < size; p++)
        for (int q = 0; q <= p; q++) {
            const double *Ga = G + p - p % 3, *Gb = G + q - q % 3;
            int i = p % 3, j = q % 3;
            double value = lame * Ga[i] * Gb[j] + shear * Ga[j] * Gb[i];
            if (i == j) value += shear * (Ga[0] * Gb[0] + Ga[1] * Gb[1] + Ga[2] * Gb[2]);
            K[size * p + q] += weight * value;
        }
}

static void mirror(int size, double *A)
{
    for (int p = 0; p < size; p++)
        for (int q = 0; q < p; q++) A[size * q + p] = A[size * p + q];
}

void saddle__hexahedron_integrate(const double *x, double lame, double shear,
                                  saddle__hexahedron *integrals)
{
    const double gauss = sqrt(1.0 / 3);
    memset(integrals, 0, sizeof *integrals);
    for (int point = 0; point < 8; point++) {
        double local[3], N[8], D[24], G[24];
        for (int i = 0; i < 3; i++) local[i] = (point >> i) & 1 ? gauss : -gauss;
        shape_in_order(local, N, D);
        double weight = spatial_derivatives(x, D, G);
        if (!(weight > 0)) {
            integrals->volume = 0;
            return;
        }
        integrals->volume += weight;
        for (int p = 0; p < 24; p++) integrals->volume_rate[p] += weight * G[p];
        for (int a = 0; a < 8; a++)
            for (int b = 0; b <= a; b++) integrals->mass[8 * a + b] += weight * N[a] * N[b];
        add_stiffness(24, G, weight, lame, shear, integrals->stiffness);
    }
    mirror(8, integrals->mass);
    mirror(24, integrals->stiffness);
}

/* grad N_a of node a > 0 is the normal of the face opposite, over six volumes. */
double saddle__tetrahedron_gradient(const double *x, double *G)
{
    double edge[3][3], normal[3][3], largest = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            edge[k][i] = x[3 * (k + 1) + i] - x[i];
            largest = fmax(largest, fabs(edge[k][i]));
        }
    for (int k = 0; k < 3; k++) saddle__cross(edge[(k + 1) % 3], edge[(k + 2) % 3], normal[k]);
    const double six = saddle__dot(edge[0], normal[0]);
    if (!(fabs(six) > SADDLE__VANISHED_PIVOT * largest * largest * largest)) return 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) G[3 * (k + 1) + i] = normal[k][i] / six;
        G[i] = -(G[3 + i] + G[6 + i] + G[9 + i]);
    }
    return six / 6;
}

void saddle__tetrahedron_stiffness(const double *G, double volume, double lame, double shear,
                                   double *stiffness)
{
    memset(stiffness, 0, 144 * sizeof *stiffness);
    add_stiffness(12, G, volume, lame, shear, stiffness);
    mirror(12, stiffness);
}
