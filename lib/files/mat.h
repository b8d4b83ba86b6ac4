/* SPDX-License-Identifier: MIT */
/* Problems in MATLAB files of level 5 (MathWorks, MAT-File Format), which Octave and SciPy read and
 * write too: real numbers in full and sparse arrays, and texts in one row, by the names of the
 * variables (docs/formats.md):
 *
 *     M, J, R, f, b, lo, hi, contacts, law, facets, ..    what saddle writes
 *     P, q, r, A, l, u                                    a quadratic program
 *
 *         min 1/2 x'P x + q'x + r,  l <= A x <= u:
 *         M = P, f = -q, and of each row a'x of A the rows
 *             l = u finite:  a'x = l;   l finite:  a'x >= l, lambda >= 0;
 *             u finite:  a'x <= u, lambda <= 0;   no bound: none
 */
#ifndef SADDLE_FILES_MAT_H
#define SADDLE_FILES_MAT_H

#include "saddle/problem.h"

/* r of the quadratic program in a file, 0 without one; NAN: another problem. */
saddle_status saddle__mat_constant(saddle_context *context, const char *path, double *constant);

#endif
