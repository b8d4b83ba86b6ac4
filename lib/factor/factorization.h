/* SPDX-License-Identifier: MIT */
/* The small table behind which sparse factorizations of a square matrix A are chosen by name.
 *
 *     analyse (pattern) -> factor (values) -> solve, as often as wanted
 *
 * "ldlt"   P A P' = L D L', supernodal (ldlt/ldlt.h), no pivoting: A symmetric; quasi-definite or
 *     regularized for
 *            stability.  After analyse, factor and solve allocate nothing.
 * "cholmod" the same, simplicial, by CHOLMOD. "umfpack" P S A Q = L U with pivoting (S scales the
 * rows): any A.  UMFPACK builds a new numeric object in each
 *            factor; analyse's and solve's memory is kept.  Not in builds without GPL code
 *                (SADDLE_GPL=OFF).
 * "klu"      the same by KLU, column by column, for A whose factors stay sparse.
 *
 * All work on the connected components of A's graph on their own: a sparse right-hand side costs no
 * more than the components it touches ("ldlt", "cholmod"), and A^-1 b is zero elsewhere. Orderings
 * METIS, and for "ldlt" and "cholmod" BEST, may call METIS, which uses rand() and signal():
 * process-wide in that library, so only one analysis at a time calls it; the rand() sequence of the
 * host restarts.
 */
#ifndef SADDLE_LIB_FACTORIZATION_H
#define SADDLE_LIB_FACTORIZATION_H

#include "saddle/options.h"
#include "saddle/report.h"

typedef struct saddle__factorization saddle__factorization;

typedef struct saddle__factor_counts {
    saddle_inertia inertia; /* of A as factored; dropped pivots count as zero, with "ldlt" replaced
                               ones of null vectors too.  "umfpack", "klu": not known */
    int64_t perturbed_pivots; /* pivots replaced or dropped because they vanished */
    int64_t first_perturbed;  /* the first of them in the order of elimination [zero-based]; -1 =
                                 none */
    int64_t first_zero;    /* the first that counts as zero [zero-based]; -1 = none, or not looked
                              for */
    int64_t entries;       /* nonzeros of L (and D), or of L + U */
    double flops;          /* of the factorization */
    int64_t peak_bytes;    /* of the library behind */
    int64_t failed_column; /* where SADDLE_SINGULAR was met [zero-based]; -1 = nowhere, or not
                              known */
    double least_pivot; /* smallest |pivot|: over its scale where the rule gives one, else over the
                           largest; tells cheaply that A is far from singular [-] */
} saddle__factor_counts;

/* What "ldlt" and "cholmod" do about a pivot d_i that vanished: |d_i| < smallest * scale_i, or d_i
 * = 0. */
typedef struct saddle__pivot_rule {
    const signed char *sign; /* n: +1 or -1 where the pivot's sign is known, else 0; NULL = unknown,
                                then d's own */
    const double *scale;     /* n: natural size of each pivot [as A's diagonal]; NULL = all 1 */
    double smallest;         /* [-] where scale is given */
    double replacement;      /* d_i becomes sign * replacement * scale_i; INFINITY drops the row and
                                column (x_i =      0 in solutions); 0 = none: SADDLE_SINGULAR */
    const double *added;     /* n: what regularization has added to A's diagonal; NULL = nothing.
                                "ldlt": a pivot of no more than 4 times that, whose column leaves
                                nothing, counts as zero */
} saddle__pivot_rule;

/* The methods by words, as a setting of ldlt and lu.  X(name, word) */
#define SADDLE_FACTORIZATION_NAMED(X)                                                          \
    X(SADDLE_FACTORIZATION_SUPERNODAL, "ldlt") /* our signed supernodal L D L', BLAS-3 */      \
    X(SADDLE_FACTORIZATION_CHOLMOD, "cholmod") /* CHOLMOD's simplicial L D L' */               \
    X(SADDLE_FACTORIZATION_UMFPACK, "umfpack") /* UMFPACK's multifrontal L U, with pivoting */ \
    X(SADDLE_FACTORIZATION_KLU, "klu")         /* KLU's L U by columns, with pivoting */

#define SADDLE_FACTORIZATION_LIST(X) \
    X(SADDLE_FACTORIZATION_DEFAULT, "default") SADDLE_FACTORIZATION_NAMED(X)

typedef enum saddle_factorization {
#define SADDLE_FACTORIZATION_ENUM(name, word) name,
    SADDLE_FACTORIZATION_LIST(SADDLE_FACTORIZATION_ENUM)
#undef SADDLE_FACTORIZATION_ENUM
} saddle_factorization;

/* The name of the method chosen; by default "ldlt", or for a general A "umfpack" where it is built
 * in, else "klu". */
const char *saddle__factorization_name(saddle_factorization chosen, int general);

/* The methods built in, from 0; NULL beyond the last. */
const char *saddle__factorization_name_at(int index);

/* name: one of the list above.  SADDLE_UNKNOWN_NAME, SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__factorization_create(saddle_context *context, const char *name,
                                           saddle_ordering ordering,
                                           saddle__factorization **factorization);

/* Of "ldlt" from the next analysis on: how many threads factor, at most; 1 without this.  The bits
 * do not depend on it. */
void saddle__factorization_set_threads(saddle__factorization *F, int64_t threads);

/* A: its pattern only.  SADDLE_UNSUPPORTED: a general A for a symmetric method;
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__factorization_analyse(saddle__factorization *F, const saddle_matrix *A);

/* The same with pivots that A alone leaves at zero: "ldlt" and "cholmod" eliminate such a node only
 * after a neighbour of its own, whose elimination fills the pivot, so that no growth comes from a
 * pivot that regularization alone made. "umfpack" and "klu" pivot and do not look at late (n). */
enum saddle__late {
    SADDLE__ANY_TIME = 0,
    SADDLE__AFTER_NEIGHBOUR = 1, /* A_ii = 0 */
    SADDLE__AFTER_OTHER_KIND = 2 /* ... or may cancel among its own kind (a singular block of R):
                                    the neighbour must not be of this kind */
};

/* How long rows wait with "ldlt".  An eager order needs fewer flops on meshes with a row per
 * element and leaves to regularization and refinement what waiting would have cured (ldlt/eager.c).
 * It is taken where it saves much: so says saddle__factorization_is_eager; whether it will do,
 * saddle__factorization_contraction. */
typedef enum saddle__eagerness {
    SADDLE__PATIENT = 0,
    SADDLE__EAGER = 1,     /* as many rows may follow a group of velocities as it has */
    SADDLE__LESS_EAGER = 2 /* one less */
} saddle__eagerness;
saddle_status saddle__factorization_analyse_late(saddle__factorization *F, const saddle_matrix *A,
                                                 const signed char *late, saddle__eagerness eager);

int saddle__factorization_is_eager(const saddle__factorization *F);

/* A: the pattern analysed, new values.  sign: NULL, or +1 / -1 per row, the known sign of each
 * pivot (quasi-definite A): a pivot that vanishes against `smallest` (absolute) is replaced by sign
 * * smallest and counted.  Without sign it is an error.  A pivot of the other sign that did not
 * vanish stays: L D L' is then still A's, and the inertia tells. "umfpack" and "klu" pivot and need
 * neither. SADDLE_SINGULAR: a zero pivot that nothing replaced; counts.failed_column tells
 * which. */
saddle_status saddle__factorization_factor(saddle__factorization *F, const saddle_matrix *A,
                                           const signed char *sign, double smallest);

/* The same with a rule for vanishing pivots. */
saddle_status saddle__factorization_factor_by(saddle__factorization *F, const saddle_matrix *A,
                                              const saddle__pivot_rule *rule);

/* x (n): b in, A^-1 b out. */
saddle_status saddle__factorization_solve(saddle__factorization *F, double *x);

/* x (n): b in, A'^-1 b out. */
saddle_status saddle__factorization_solve_transpose(saddle__factorization *F, double *x);

/* A x = b for a b with `count` entries value[k] at index[k].  The result is valid until the next
 * call: *x is dense (n), of which only the entries *x_index[0 .. *x_count) may be read; the others
 * are exactly zero in the solution. The index set depends on the patterns alone, not on values, and
 * is not sorted. */
saddle_status saddle__factorization_solve_sparse(saddle__factorization *F, int64_t count,
                                                 const int64_t *index, const double *value,
                                                 int64_t *x_count, const int64_t **x_index,
                                                 const double **x);

enum { SADDLE__FACTOR_BLOCK = 16 };

/* The same of 1 to SADDLE__FACTOR_BLOCK right-hand sides together: column c has value[e] at
 * index[e], e = start[c] .. start[c + 1] - 1.  X (n x columns, by rows): the caller's, written over
 * the index set of all of them alone. */
saddle_status saddle__factorization_solve_block(saddle__factorization *F, int64_t columns,
                                                const int64_t *start, const int64_t *index,
                                                const double *value, int64_t *x_count,
                                                const int64_t **x_index, double *X);

/* The size of that index set, for `count` entries at index[k]. */
int64_t saddle__factorization_reach(saddle__factorization *F, int64_t count, const int64_t *index);

saddle__factor_counts saddle__factorization_counts(const saddle__factorization *F);

void saddle__factorization_free(saddle__factorization *F); /* NULL is fine */

/* *condition = |A^-1||A|, 1-norms, of A measured in units d (n > 0; NULL = 1): of diag(d) A
 * diag(d).  An estimate from below by 4 to 12 solves, rarely off by more than 3; 1 where n = 0.  A:
 * the values factored.  work: 2 n. */
saddle_status saddle__factorization_condition(saddle__factorization *F, const saddle_matrix *A,
                                              const double *d, double *work, double *condition);

/* One solve: whether |A^-1||A| in natural units may be `limit` or more.  With r of random signs
 * |A^-1 r| in the maximum norm is at least 1 / sqrt(n) of |A^-1|, but for unlucky signs; a share of
 * a hundredth is left for these.  work: n */
saddle_status saddle__factorization_may_exceed(saddle__factorization *F, const saddle_matrix *A,
                                               const double *d, double limit, double *work,
                                               int *may);

/* *contraction: what a step of refinement leaves of an error, |x - F^-1 K x| / |x| in units d (n),
 * where F are the factors of K + diag(added): roughly and from below, by two steps from a vector of
 * ones in changing sign.  Beyond 1 refinement is in vain.  A: the values factored, K + diag(added);
 * added: n, NULL = 0.  work: 2 n. */
saddle_status saddle__factorization_contraction(saddle__factorization *F, const saddle_matrix *A,
                                                const double *added, const double *d, double *work,
                                                double *contraction);

/* max_i (|L||D||L'|)_ii / scale_i: the factorization without pivoting of a matrix whose diagonal
 * has the sizes scale (n > 0) is as backward stable as this is small; 1 for a definite A and scale
 * = its diagonal.  NAN for methods that pivot.  work: n. */
double saddle__factorization_growth(const saddle__factorization *F, const double *scale,
                                    double *work);

/* T = A^-1 B for sparse B (n x k), by columns, T general n x k with sorted columns.  T empty
 * (all-zero struct): it is made, its pattern following from those of A and B alone; else its values
 * are refreshed in place without allocating.
 */
saddle_status saddle__factorization_columns(saddle_context *context, saddle__factorization *F,
                                            const saddle_matrix *B, saddle_matrix *T);

#endif
