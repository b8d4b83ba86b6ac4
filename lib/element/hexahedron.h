/* SPDX-License-Identifier: MIT */
/* The 8-node trilinear hexahedron: shape functions and the integrals that an element contributes,
 * by 2 x 2 x 2 Gauss points.
 *
 *     N_a(xi) = (1 + xi_a xi)(1 + eta_a eta)(1 + zeta_a zeta) / 8,
 *         node a at (+-1, +-1, +-1), x fastest
 */
#ifndef SADDLE_LIB_HEXAHEDRON_H
#define SADDLE_LIB_HEXAHEDRON_H

typedef struct saddle__hexahedron {
    double mass[64];        /* integral of N_a N_b, 8 x 8 [m^3] */
    double stiffness[576];  /* integral of B' C B, 24 x 24, degree of freedom 3 a + i [N/m] */
    double volume;          /* [m^3] */
    double volume_rate[24]; /* d volume / d node = integral of grad N_a [m^2] */
} saddle__hexahedron;

/* x: node coordinates, 8 x 3 [m]; lame, shear: Lame's first parameter and the shear modulus [Pa].
 * The matrices are symmetric to the last bit.  A volume that is not positive at some Gauss point
 * gives volume 0. */
void saddle__hexahedron_integrate(const double *x, double lame, double shear,
                                  saddle__hexahedron *integrals);

#endif
