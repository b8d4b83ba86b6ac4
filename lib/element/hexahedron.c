/* SPDX-License-Identifier: MIT */
/* The 8-node trilinear hexahedron: see hexahedron.h.  Linear isotropic elasticity,
 *
 *     K_(a,i)(b,j) = integral of  lame d_i N_a d_j N_b + shear (d_j N_a d_i N_b + delta_ij grad N_a
 *         . grad N_b)
 */
#include "element/hexahedron.h"

#include <math.h>
#include <string.h>

static double corner(int a, int axis)
{
    return (a >> axis) & 1 ? 1 : -1;
}

void saddle__hexahedron_shape(const double *local, double *N)
{
    for (int a = 0; a < 8; a++)
        N[a] = (1 + corner(a, 0) * local[0]) * (1 + corner(a, 1) * local[1]) *
               (1 + corner(a, 2) * local[2]) / 8;
}

/* D (8 x 3): derivatives of N by the local coordinates. */
static void local_derivatives(const double *local, double *D)
{
    for (int a = 0; a < 8; a++)
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, k = (i + 2) % 3;
            D[3 * a + i] = corner(a, i) * (1 + corner(a, j) * local[j]) *
                           (1 + corner(a, k) * local[k]) / 8;
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

static void add_stiffness(const double *G, double weight, double lame, double shear, double *K)
{
    for (int p = 0; p < 24; p++)
        for (int q = 0; q <= p; q++) {
            const double *Ga = G + p - p % 3, *Gb = G + q - q % 3;
            int i = p % 3, j = q % 3;
            double value = lame * Ga[i] * Gb[j] + shear * Ga[j] * Gb[i];
            if (i == j) value += shear * (Ga[0] * Gb[0] + Ga[1] * Gb[1] + Ga[2] * Gb[2]);
            K[24 * p + q] += weight * value;
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
        for (int i = 0; i < 3; i++) local[i] = corner(point, i) * gauss;
        saddle__hexahedron_shape(local, N);
        local_derivatives(local, D);
        double weight = spatial_derivatives(x, D, G);
        if (!(weight > 0)) {
            integrals->volume = 0;
            return;
        }
        integrals->volume += weight;
        for (int p = 0; p < 24; p++) integrals->volume_rate[p] += weight * G[p];
        for (int a = 0; a < 8; a++)
            for (int b = 0; b <= a; b++) integrals->mass[8 * a + b] += weight * N[a] * N[b];
        add_stiffness(G, weight, lame, shear, integrals->stiffness);
    }
    mirror(8, integrals->mass);
    mirror(24, integrals->stiffness);
}
