/* SPDX-License-Identifier: MIT */
/* What chains in maximal coordinates (chain.c) and in joint coordinates (links.c) share. */
#ifndef SADDLE_GENERATORS_CHAIN_H
#define SADDLE_GENERATORS_CHAIN_H

#include "generators.h"
#include "rigid.h"

/* Places the child at the tip of its parent (NULL: the ground's origin), turned about body axis y
 * (1) or z (2), and gives it the parent's motion there plus the hinge's.  turn (9): the child's
 * axes in the parent's.  Returns the hinge's rate. */
double chain_hang(const saddle_chain_parameters *p, int axis, uint64_t *state,
                  const rigid_body *parent, rigid_body *child, double *turn);

#endif
