/* SPDX-License-Identifier: MIT */
/* Connected components of the graph of a square matrix. */
#ifndef SADDLE_LIB_COMPONENTS_H
#define SADDLE_LIB_COMPONENTS_H

#include "saddle/matrix.h"

/* root (A's columns): the smallest node of each node's component. */
void saddle__matrix_components(const saddle_matrix *A, int64_t *root);

#endif
