/* SPDX-License-Identifier: MIT */
/* What an assembled system must be, found without it: M from kinetic energies, J from positions
 * moved, forces from potentials and momenta, all by differences. */
#ifndef SADDLE_TEST_SYSTEM_TWIN_H
#define SADDLE_TEST_SYSTEM_TWIN_H

#include "drawn_model.h"

enum { TWIN_N = 64, TWIN_M = 64 };

typedef struct system_twin {
    const drawn_model *drawn;
    saddle_assembly *assembly;
    int64_t n, m; /* of the constraints' rows */
} system_twin;

/* M (n x n, by columns). */
void twin_mass(const system_twin *twin, double *M);

/* phi (m) of all constraints. */
void twin_phi(const system_twin *twin, double *phi);

/* J (m x n, by rows); given (m): what prescribed parts add to dphi/dt; phi_t (m). */
void twin_rows(const system_twin *twin, double *J, double *given, double *phi_t);

/* F (n) without gyroscopic forces: -dU/dq and what damps; those. */
void twin_force(const system_twin *twin, double *F);
void twin_gyroscopic(const system_twin *twin, double *G);

/* K and D (n x n) of whatever `force` says, by differences. */
typedef void twin_vector(const system_twin *twin, double *value);
void twin_jacobians(const system_twin *twin, twin_vector *force, double *K, double *D);

/* A matrix as a dense one, both triangles. */
void twin_dense(const saddle_matrix *A, double *dense);

#endif
