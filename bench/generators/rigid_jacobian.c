/* SPDX-License-Identifier: MIT */
/* How forces on a rigid body change with its motion and its attitude, in body coordinates.  With
 * (p, l) = G (nu, omega) the momentum, gamma = R'g and c the centre of mass,
 *
 *     d(gyroscopic term)/d(nu, omega) = ( [omega] G_p            ) + (  0   -[p] )
 *                                       ( [omega] G_l + [nu] G_p )   ( -[p] -[l] )
 *
 *     d(weight)/d(shift, turning) = m ( 0  [gamma]    )      from R <- R (1 + [turning])
 *                                     ( 0  [c][gamma] )
 */
#include "rigid.h"

#include <string.h>

/* A (6 x 6) += [a] B for the 3 x 6 rows B, into the three rows from `row`. */
static void add_cross_rows(double *A, int row, const double *a, const double *B)
{
    for (int j = 0; j < 6; j++) {
        const double column[3] = {B[j], B[6 + j], B[12 + j]};
        double product[3];
        rigid_cross(a, column, product);
        for (int i = 0; i < 3; i++) A[6 * (row + i) + j] += product[i];
    }
}

/* A (6 x 6) += sign [a] at (row, col). */
static void add_cross_block(double *A, int row, int col, double sign, const double *a)
{
    for (int j = 0; j < 3; j++) {
        double unit[3] = {0, 0, 0}, product[3];
        unit[j] = 1;
        rigid_cross(a, unit, product);
        for (int i = 0; i < 3; i++) A[6 * (row + i) + col + j] += sign * product[i];
    }
}

void rigid_gyroscopic_jacobian(const rigid_body *body, double *C)
{
    double G[36], momentum[6] = {0};
    rigid_inertia_matrix(body, G);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) momentum[i] += G[6 * i + j] * body->twist[j];
    memset(C, 0, 36 * sizeof *C);
    add_cross_rows(C, 0, body->twist + 3, G);
    add_cross_rows(C, 3, body->twist + 3, G + 18);
    add_cross_rows(C, 3, body->twist, G);
    add_cross_block(C, 0, 3, -1, momentum);
    add_cross_block(C, 3, 0, -1, momentum);
    add_cross_block(C, 3, 3, -1, momentum + 3);
}

void rigid_weight_stiffness(const rigid_body *body, const double *gravity, double *K)
{
    double weight[6], centre[36] = {0};
    rigid_weight(body, gravity, weight);
    memset(K, 0, 36 * sizeof *K);
    add_cross_block(K, 0, 3, 1, weight);
    add_cross_block(centre, 0, 3, 1, weight);
    add_cross_rows(K, 3, body->centre, centre);
}
