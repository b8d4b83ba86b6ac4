/* SPDX-License-Identifier: MIT */
/* Published motions, from the shared data: numbers by name, and tables of states over time. */
#ifndef SADDLE_TEST_REFERENCES_H
#define SADDLE_TEST_REFERENCES_H

#include "motion.h"

/* count numbers of the line `name ...` under `[problem]` in mbs_ref/reference_values.txt.  The
 * running test is skipped where the data is absent, fails where the line is not there. */
void reference_numbers(const char *problem, const char *name, int count, double *numbers);

/* mbs_ref/<file>: a line "rows columns", then the rows; released by free(). */
double *reference_table(const char *file, int64_t rows, int64_t columns);

/* max |a_i - b_i|. */
double reference_error(const double *a, const double *b, int count);

/* The value that x(h), x(h/2), x(h/4) of a method of second order tend to, and its errors in h^2
 * and h^3 taken out: fine <- Richardson's extrapolation of the three (count each). */
void reference_extrapolate(const double *coarse, const double *middle, double *fine, int count);

#endif
