/* SPDX-License-Identifier: MIT */
/* The natural units of a problem's unknowns, from diagonals:
 *
 *     velocity j    m_j = |M_jj|                               is measured in m_j^-1/2
 *     impulse i     d_i = |R_ii| + sum_j J_ij^2 / m_j      in d_i^-1/2, over the j that have a mass
 *
 * What has no diagonal takes its unit from what it is coupled to, K_jk^2 over the other's, the
 * largest, in eight rounds at most; a d_i with d_i d_k < 1e-8 R_ik^2 for some k says nothing of row
 * i and counts as none.  So no unit depends on those that the problem is written in.  What is
 * coupled to nothing that has a unit has none. */
#ifndef SADDLE_LIB_NATURAL_UNITS_H
#define SADDLE_LIB_NATURAL_UNITS_H

#include "saddle/problem.h"

/* inverse_mass (n): 1/m_j, delassus (m): d_i; 0 = none. */
void saddle__natural_units(const saddle_problem *problem, double *inverse_mass, double *delassus);

/* The same, from 1/|M_jj| (0 where M_jj = 0) and the d_i that they give. */
void saddle__spread_units(const saddle_problem *problem, double *inverse_mass, double *delassus);

#endif
