/* SPDX-License-Identifier: MIT */
/* The tolerances of the library, by meaning; all are relative, to the quantity named.  The unit
 * roundoff is 1.1e-16, DBL_EPSILON 2.2e-16.
 *
 * No known problem depends on a factor of ten in a tolerance, unless a test says so: use one of
 * these before adding a new one. */
#ifndef SADDLE_LIB_TOLERANCES_H
#define SADDLE_LIB_TOLERANCES_H

#include <float.h>

/* ---- rounding of computed numbers -------------------------------------------------------------*/

/* Componentwise backward error of a linear system: no refinement step gains below (2^-51). */
#define SADDLE__ROUNDING (2.0 * DBL_EPSILON)

/* Sums of some tens of terms, over the sum of the moduli: two orders of summation differ by less.
 */
#define SADDLE__SUM_ROUNDING (16.0 * DBL_EPSILON)

/* A product with a computed vector, over the sum of the moduli: zero but for the vector's error. */
#define SADDLE__PRODUCT_ROUNDING 1e-13

/* Half of the digits: the square of such an entry, or a quotient by the entry, is rounding.  An
 * answer that grew by the inverse over the data has rounding of this size of the data. */
#define SADDLE__HALF_DIGITS 1e-8

/* ---- pivots and dependencies ------------------------------------------------------------------*/

/* A pivot over the initial diagonal entry, a volume over the cube of the extent: cancellation left
 * no digit. */
#define SADDLE__VANISHED_PIVOT 1e-14

/* A pivot over the largest of a basis or a factor: the matrix counts as singular. */
#define SADDLE__SINGULAR_PIVOT 1e-13

/* A pivot over its natural size: the factor may be inaccurate, and its condition is estimated. */
#define SADDLE__SUSPECT_PIVOT 1e-11

/* Replacement of a vanished pivot, over the natural size: the default of
 * saddle_options.regularization; refinement removes the effect. */
#define SADDLE__PIVOT_REPLACEMENT 1e-10

/* A pivot over the largest entry of its column in sparse LU: stable enough, and little fill. */
#define SADDLE__PIVOT_THRESHOLD 0.1

/* Length of a reduced row or column over the initial one: dependent on the others.  The default
 * of saddle_rank_options.tolerance. */
#define SADDLE__DEPENDENT 1e-10

/* ---- states, impulses, certificates ----------------------------------------------------------*/

/* Difference of two quantities over the larger: equal, as for ties in a ratio test. */
#define SADDLE__EQUAL 1e-10

/* A term over the largest of its kind in the system: without influence on any result. */
#define SADDLE__NEGLIGIBLE_TERM 1e-10

/* An impulse or velocity over the largest, in natural units: zero in a certificate or a null
 * vector, where rounding is amplified by the condition of the system. */
#define SADDLE__NEGLIGIBLE_IMPULSE 1e-9

/* A part of a direction over its largest, in natural units: clearly not zero above. */
#define SADDLE__VISIBLE_PART 1e-6

/* Backward error that refinement reaches for regular systems: above, the system may be singular. */
#define SADDLE__REGULAR_ERROR 1e-12

/* Residual of a reported answer: below, no contradiction in the data is looked for. */
#define SADDLE__CONTRADICTION 1e-10

/* Terms of the equations over the data: usual below; and so often the tolerance may be exceeded by
 * the part of the data that an answer leaves. */
#define SADDLE__USUAL_GROWTH 100.0

/* The same: beyond, an answer is not trusted whatever its residual. */
#define SADDLE__HOPELESS_GROWTH 1e12

#endif
