/* SPDX-License-Identifier: MIT */
/* FCLIB problems in HDF5 files (V. Acary, M. Bremond, T. Koziara, F. Perignon, FCLIB: a collection
 * of discrete 3D frictional contact problems); u = local velocity, r = reaction, l = bilateral
 * multiplier, normal first in each contact:
 *
 *     fclib_local   W, [V, R], vectors q, [s], mu      u = W r + V l + q,   0 = V'r + R l + s
 *     fclib_global  M, H, [G], vectors f, w, [b], mu   M v = H r + G l + f,
 *                                                      u = H'v + w,   0 = G'v + b
 *
 * and fclib_local_rolling, fclib_global_rolling, the same with contacts of 5 rows and a vector
 * mu_r.  Read with lambda = (r, l), the bilateral rows after all contacts as equality rows:
 *
 *     local         n = 0, R = [W V; V' R], b = -(q, s)
 *     global        J' = [H G], f = f, b = -(w, b)
 */
#ifndef SADDLE_FILES_FCLIB_H
#define SADDLE_FILES_FCLIB_H

#include "saddle/problem.h"

/* nz of a matrix; otherwise a count of triplets. */
enum saddle__fclib_storage { SADDLE__FCLIB_BY_COLUMNS = -1, SADDLE__FCLIB_BY_ROWS = -2 };

#endif
