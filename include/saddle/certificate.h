/* SPDX-License-Identifier: MIT */
/* Certificates that a problem has no solution: vectors (z, y), to be checked without any solver.
 *
 *     z'(M v - J'lambda - f) + y'(J v + R lambda - b - w) = 0     at a solution, for all z and y.
 *
 *     With  M'z + J'y = 0,  y'w >= 0 for all w admitted by the rows' laws,  g = R'y - J z:
 *
 *     g'lambda = f'z + b'y + y'w >= f'z + b'y                     at a solution
 *     gap = f'z + b'y - sup { g'lambda : lambda admitted by the laws } > 0:    no solution
 *
 *     y_i >= 0      if only w_i >= 0 is admitted (lo finite, hi infinite; normals of contacts)
 *     y_i <= 0      if only w_i <= 0 is admitted
 *     y_i  = 0      if both signs are admitted (both bounds finite, tangents)
 *     y_i  any      if w_i = 0
 *     y_c in K      for a contact with the associated law
 *
 * Special cases:
 *
 *     z = 0, J'y = 0, R'y = 0    the rows contradict each other in the combination y, by b'y; no
 *                                velocity satisfies all of them, and the impulses can grow along y
 *                                without limit
 *     y = 0, M'z = 0, J z = 0    (or J z against the bounds only) a motion z without mass, held by
 *                                no row and driven by f'z: the problem is unbounded
 *     n = 0                      a ray of the LCP: R'y <= 0 (in the sense of the bounds), b'y > 0
 *
 * Where M and R are semidefinite (R = 0 included), the rows have either a solution or a
 * certificate; for other matrices there may be neither.
 */
#ifndef SADDLE_CERTIFICATE_H
#define SADDLE_CERTIFICATE_H

#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_certificate {
    int64_t n;
    int64_t m;
    double *velocity; /* n: z [as v] */
    double *row;      /* m: y [as lambda] */
    int owner;        /* 1: made by saddle_certificate_create, 0: the caller's arrays */
    saddle_context *context;
} saddle_certificate;

/* Zeros for a problem with n velocities and m rows; owned.  SADDLE_OUT_OF_MEMORY: *certificate
 * is empty. */
SADDLE_API saddle_status saddle_certificate_create(saddle_context *context, int64_t n, int64_t m,
                                                   saddle_certificate *certificate);
/* NULL and empty ones are fine */
SADDLE_API void saddle_certificate_clear(saddle_certificate *certificate);

/* X(name, word) */
#define SADDLE_PROOF_LIST(X)                                                                       \
    X(SADDLE_PROOF_NONE, "none") /* no proof */                                                    \
    X(SADDLE_PROOF_ROWS, "rows") /* rows contradict each other, or a row its bounds: infeasible */ \
    X(SADDLE_PROOF_MOTION, "motion") /* y = 0: a motion without resistance is driven: unbounded */

typedef enum saddle_proof_kind {
#define SADDLE_PROOF_ENUM(name, word) name,
    SADDLE_PROOF_LIST(SADDLE_PROOF_ENUM)
#undef SADDLE_PROOF_ENUM
} saddle_proof_kind;

/* The result of a check, measured in natural units like the residual (saddle/residual.h):
 * velocity j in |M_jj|^-1/2, impulse i in d_i^-1/2. */
typedef struct saddle_proof {
    saddle_proof_kind kind;
    int64_t rows;       /* rows with y_i != 0 */
    int64_t velocities; /* velocities with z_j != 0 */
    int64_t heaviest;   /* the row (kind motion: the velocity) of the largest part; -1 = none */
    double gap;         /* over the larger of the sum of the moduli of its terms, and the largest of
                           f and b times the sum of |z_j|, |y_i| and, of impulses with limits,
                           |g_i|, in natural units [-]; at most 1; below 1e-8 the error of a solved
                           problem can explain the gap */
    double reach;       /* M'z + J'y and g vanish up to rounding only: a solution would need
                           velocities or impulses larger than the data (f, b and bounds) by this
                           factor [-], sums in twice the working precision; 0 for a remainder of an
                           unknown without a unit above rounding; INFINITY without a remainder */
} saddle_proof;

/* Least gap and least reach of a proof.  A solver claims a proof from a gap of
 * 100 max(tolerance, 1e-10) on.  A remainder above rounding, as of rows with a compliance, needs a
 * reach of SADDLE_PROOF_FAR: impulses of that size are no solution. */
#define SADDLE_PROOF_GAP 1e-8
#define SADDLE_PROOF_REACH 1e5
#define SADDLE_PROOF_FAR 1e12

/* Independent of the solvers.  The problem must have passed saddle_problem_check.  *proof: kind
 * none if the certificate proves nothing; gap and reach in any case (0 if the signs of y are
 * wrong or an entry is not finite).  SADDLE_INVALID_ARGUMENT: the sizes of the certificate and
 * the problem differ; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_certificate_check(saddle_context *context,
                                                  const saddle_problem *problem,
                                                  const saddle_certificate *certificate,
                                                  saddle_proof *proof);

/* Writes "row 12 (id 40017, left knee), row 3 and 4 more contradict each other", largest parts
 * first, at most `names` (1 .. 8) of them, into text[size]. */
SADDLE_API void saddle_certificate_describe(const saddle_problem *problem,
                                            const saddle_certificate *certificate, int64_t names,
                                            char *text, size_t size);

/* "rows", ...; static storage */
SADDLE_API const char *saddle_proof_word(saddle_proof_kind kind);

SADDLE_END_DECLARATIONS

#endif
