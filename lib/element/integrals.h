/* SPDX-License-Identifier: MIT */
/* The integrals that a linear element contributes to a system: of the 8-node trilinear hexahedron
 * by 2 x 2 x 2 Gauss points, of the 4-node tetrahedron in closed form.
 *
 *     hexahedron    N_a(xi) = (1 + xi_a xi)(1 + eta_a eta)(1 + zeta_a zeta) / 8,
 *                       node a at (+-1, +-1, +-1), x fastest
 *     tetrahedron   N_a linear, grad N_a constant
 */
#ifndef SADDLE_LIB_INTEGRALS_H
#define SADDLE_LIB_INTEGRALS_H

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

/* G (4 x 3): grad N_a of a tetrahedron with the nodes x (4 x 3); returns the volume, negative for
 * reversed nodes.  A volume that is zero to rounding gives 0, and no G. */
double saddle__tetrahedron_gradient(const double *x, double *G);

/* stiffness (12 x 12) = volume B' C B, from G and the volume; symmetric to the last bit. */
void saddle__tetrahedron_stiffness(const double *G, double volume, double lame, double shear,
                                   double *stiffness);

#endif
