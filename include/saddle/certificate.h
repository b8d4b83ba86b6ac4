/* SPDX-License-Identifier: MIT */
/* Why a problem has no solution: vectors (z, y) that everyone can check.
 *
 *     z'(M v - J'lambda - f) + y'(J v + R lambda - b - w) = 0
 *         at a solution, whatever z and y are.  So with
 *
 *     M'z + J'y = 0,      y'w >= 0 for all w that the rows' laws allow,      g = R'y - J z,
 *
 *     g'lambda = f'z + b'y + y'w >= f'z + b'y                at a solution, and there is none where
 *
 *     gap = f'z + b'y - sup { g'lambda : lambda that the laws allow } > 0
 *
 * y_i >= 0 where w_i >= 0 alone is allowed (lo finite, hi not; normals of contacts), <= 0 where w_i
 * <= 0 alone, 0 where both signs are (both bounds finite, tangents), anything where w_i = 0; y of a
 * contact in K for the associated law.
 *
 * z = 0, J'y = 0, R'y = 0: the combination y of the rows contradicts itself, by b'y; no velocity
 * satisfies them.  That is a ray of the impulses: along y they grow forever, and nothing yields. y
 * = 0, M'z = 0, J z = 0 (or pushing against its bounds): a motion that has no mass and that no row
 * holds, pushed by f'z: the problem is unbounded. n = 0: a ray of the LCP, R'y <= 0 (in the sense
 * of the bounds), b'y > 0. For M and R semidefinite (R = 0, say) the rows have a solution or one of
 * these exists; otherwise there may be neither.
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

/* Zeros for a problem of that size; owned.  SADDLE_OUT_OF_MEMORY leaves it empty. */
SADDLE_API saddle_status saddle_certificate_create(saddle_context *context, int64_t n, int64_t m,
                                                   saddle_certificate *certificate);
/* NULL and empty ones are fine */
SADDLE_API void saddle_certificate_clear(saddle_certificate *certificate);

/* X(name, word) */
#define SADDLE_PROOF_LIST(X)                                                                       \
    X(SADDLE_PROOF_NONE, "none") /* nothing is proven */                                           \
    X(SADDLE_PROOF_ROWS, "rows") /* rows contradict each other, or a row its bounds: infeasible */ \
    X(SADDLE_PROOF_MOTION, "motion") /* y = 0: a motion that nothing resists is pushed: unbounded  \
                                      */

typedef enum saddle_proof_kind {
#define SADDLE_PROOF_ENUM(name, word) name,
    SADDLE_PROOF_LIST(SADDLE_PROOF_ENUM)
#undef SADDLE_PROOF_ENUM
} saddle_proof_kind;

/* What a certificate proves, measured in natural units as the residual is (saddle/residual.h):
 * velocity j in |M_jj|^-1/2, impulse i in d_i^-1/2. */
typedef struct saddle_proof {
    saddle_proof_kind kind;
    int64_t rows;       /* that take part: y_i not 0 */
    int64_t velocities; /* the same of z */
    int64_t heaviest;   /* the row (kind motion: the velocity) with the largest part; -1 = none */
    double gap;   /* over the larger of its terms' moduli, summed, and the largest of f and b times
                     the sum of |z_j| and |y_i|, in natural units [-]; 1 at most: below 1e-9 it may
                     be   no more than an error   that counts as solved */
    double reach; /* rounding leaves M'z + J'y and g a little beside what is asked for: a solution
                     would need velocities or impulses this many times larger than the data (f, b
                     and bounds), all told [-], sums in twice the working precision; 0 where that is
                     more than 1e-10 of its terms for an unknown without a unit; INFINITY where
                     nothing is left */
} saddle_proof;

/* A proof has at least this gap, and this reach; what is left that is no rounding, as of rows with
 * a compliance, has SADDLE_PROOF_FAR by itself: an answer with such impulses is none. */
#define SADDLE_PROOF_GAP 1e-9
#define SADDLE_PROOF_REACH 1e5
#define SADDLE_PROOF_FAR 1e12

/* Owes nothing to any solver.  The problem must have passed saddle_problem_check.  *proof: kind
 * none where the certificate proves nothing; gap and reach in any case (0 where the signs of y are
 * wrong, or an entry is not finite). SADDLE_INVALID_ARGUMENT: the certificate is not of the
 * problem's size; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_certificate_check(saddle_context *context,
                                                  const saddle_problem *problem,
                                                  const saddle_certificate *certificate,
                                                  saddle_proof *proof);

/* "row 12 (id 40017, left knee), row 3 and 4 more contradict each other", heaviest first, at most
 * `names` (1 .. 8) of them, into text[size]. */
SADDLE_API void saddle_certificate_describe(const saddle_problem *problem,
                                            const saddle_certificate *certificate, int64_t names,
                                            char *text, size_t size);

/* "rows", ...; static storage */
SADDLE_API const char *saddle_proof_word(saddle_proof_kind kind);

SADDLE_END_DECLARATIONS

#endif
