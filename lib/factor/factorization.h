/* SPDX-License-Identifier: MIT */
/* The small table behind which sparse factorizations of a square matrix A are chosen by name.
 *
 *     analyse (pattern) -> factor (values) -> solve, as often as wanted
 *
 * "ldlt"     P A P' = L D L', supernodal (ldlt/ldlt.h), no pivoting: A symmetric, quasi-definite or
 *            regularized for stability.  After analyse, factor and solve allocate nothing.
 * "ldu"      P A P' = L D U, the same for a general A with a symmetric pattern (another is
 *            SADDLE_UNSUPPORTED) whose diagonal makes pivots.
 * "cholmod"  as "ldlt", simplicial, by CHOLMOD.
 * "umfpack"  P S A Q = L U with pivoting (S scales the rows): any A.  UMFPACK builds a new numeric
 *            object in each factor; analyse's and solve's memory is kept.  Not in builds without
 *            GPL code (SADDLE_GPL=OFF).
 * "klu"      the same by KLU, column by column, for A whose factors stay sparse.
 * "mumps"    P A P' = L D L' with pivots of 1 and 2 rows, L U of a general A, by MUMPS, in one
 *            process or several (mumps.h).  Only in builds with SADDLE_MUMPS.
 *
 * All work on the connected components of A's graph on their own: a sparse right-hand side costs no
 * more than the components it touches ("ldlt", "cholmod"), and A^-1 b is zero elsewhere. Orderings
 * METIS, and for "ldlt", "ldu" and "cholmod" BEST, may call METIS, which uses rand() and signal():
 * process-wide in that library, so only one analysis at a time calls it; the rand() sequence of the
 * host restarts.
 */
#ifndef SADDLE_LIB_FACTORIZATION_H
#define SADDLE_LIB_FACTORIZATION_H

#include "ldlt/pivots.h"
#include "saddle/options.h"

typedef struct saddle__factorization saddle__factorization;

/* The methods by words, as a setting of ldlt and lu.  X(name, word) */
#define SADDLE_FACTORIZATION_NAMED(X)                                                          \
    X(SADDLE_FACTORIZATION_SUPERNODAL, "ldlt") /* our signed supernodal L D L', BLAS-3 */      \
    X(SADDLE_FACTORIZATION_CHOLMOD, "cholmod") /* CHOLMOD's simplicial L D L' */               \
    X(SADDLE_FACTORIZATION_UMFPACK, "umfpack") /* UMFPACK's multifrontal L U, with pivoting */ \
    X(SADDLE_FACTORIZATION_KLU, "klu")         /* KLU's L U by columns, with pivoting */       \
    X(SADDLE_FACTORIZATION_MUMPS, "mumps")     /* MUMPS' L D L' or L U, with pivoting */

#define SADDLE_FACTORIZATION_LIST(X) \
    X(SADDLE_FACTORIZATION_DEFAULT, "default") SADDLE_FACTORIZATION_NAMED(X)

typedef enum saddle_factorization {
#define SADDLE_FACTORIZATION_ENUM(name, word) name,
    SADDLE_FACTORIZATION_LIST(SADDLE_FACTORIZATION_ENUM)
#undef SADDLE_FACTORIZATION_ENUM
} saddle_factorization;

/* The name of the method chosen.  Default: of a context with a team of processes, the team's; else
 * "ldlt", for a general A "umfpack" if built in, else "klu". */
const char *saddle__factorization_name(const saddle_context *context, saddle_factorization chosen,
                                       int general);

/* The methods built in, from 0; NULL beyond the last. */
const char *saddle__factorization_name_at(int index);

/* name: one of the list above.  SADDLE_UNKNOWN_NAME, SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__factorization_create(saddle_context *context, const char *name,
                                           saddle_ordering ordering,
                                           saddle__factorization **factorization);

/* Largest number of threads of "ldlt" from the next analysis on; default 1.  The results do not
 * depend on the number, to the bit. */
void saddle__factorization_set_threads(saddle__factorization *F, int64_t threads);

/* "cholmod" from now on: the entries of A, L and D are rounded to float, and so is every product
 * and sum of the factorization; solves are in double.  Entries beyond the range of float are
 * SADDLE_SINGULAR. */
void saddle__factorization_set_single(saddle__factorization *F);

/* A: its pattern only.  SADDLE_UNSUPPORTED: a general A for a symmetric method;
 * SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE. */
saddle_status saddle__factorization_analyse(saddle__factorization *F, const saddle_matrix *A);

/* The same with constrained nodes, late (n, enum saddle__late): "ldlt" and "cholmod" eliminate such
 * a node after a neighbour that fills the pivot, so no pivot made by regularization alone causes
 * growth.  "umfpack" and "klu" pivot, and ignore late.  eager: the order to try (pivots.h), then
 * the order taken; NULL = SADDLE__PATIENT. */
saddle_status saddle__factorization_analyse_late(saddle__factorization *F, const saddle_matrix *A,
                                                 const signed char *late, saddle__eagerness *eager);

/* A: the pattern analysed, new values.  sign: NULL, or per row +1 or -1, the known sign of the
 * pivot (quasi-definite A): a pivot below `smallest` (absolute) is replaced by sign * smallest
 * and counted; without sign a vanished pivot is an error.  A larger pivot of the other sign
 * stays, and shows in the inertia.  "umfpack" and "klu" pivot, and need neither.
 * SADDLE_SINGULAR: a zero pivot without replacement, of counts.failed_column. */
saddle_status saddle__factorization_factor(saddle__factorization *F, const saddle_matrix *A,
                                           const signed char *sign, double smallest);

/* The same with a rule for vanishing pivots. */
saddle_status saddle__factorization_factor_by(saddle__factorization *F, const saddle_matrix *A,
                                              const saddle__pivot_rule *rule);

/* x (n): b in, A^-1 b out. */
saddle_status saddle__factorization_solve(saddle__factorization *F, double *x);

/* X (n x columns, by columns): B in, A^-1 B out, all columns together where the method can ("ldlt",
 * "mumps"). */
saddle_status saddle__factorization_solve_columns(saddle__factorization *F, int64_t columns,
                                                  double *X);

/* x (n): b in, A'^-1 b out. */
saddle_status saddle__factorization_solve_transpose(saddle__factorization *F, double *x);

/* X <- A^-1 B for 1 to SADDLE__FACTOR_BLOCK sparse right-hand sides together: column c of B has
 * value[e] at index[e], e = start[c] .. start[c + 1] - 1.  X (n x columns, by rows) is written in
 * the rows (*x_index)[0 .. *x_count) alone; all others are exactly zero in the solution.  The index
 * set is valid until the next call, depends on the patterns alone, not on values, and is not
 * sorted. */
saddle_status saddle__factorization_solve_block(saddle__factorization *F, int64_t columns,
                                                const int64_t *start, const int64_t *index,
                                                const double *value, int64_t *x_count,
                                                const int64_t **x_index, double *X);

/* ---- the Schur complement of the last unknowns ----
 *
 *     A = [A11 A12; A21 A22]     S = A22 - A21 A11^-1 A12     A22: rows x rows
 *
 * factor forms S from a partial factorization, dense, and solve is with A11: in the last `rows`
 * entries of x anything in, 0 out.  Inertia and counts are of A11. */

/* Before analyse, for all analyses to come; 0 = none.  A symmetric, of more rows
 * (SADDLE_INVALID_ARGUMENT of analyse).  SADDLE_UNSUPPORTED: the method forms none ("mumps" does).
 */
saddle_status saddle__factorization_set_complement(saddle__factorization *F, int64_t rows);

/* S (rows x rows), both triangles, after factor; valid until the next.  NULL: none. */
const double *saddle__factorization_complement(const saddle__factorization *F);

saddle__factor_counts saddle__factorization_counts(const saddle__factorization *F);

void saddle__factorization_free(saddle__factorization *F); /* NULL is fine */

/* *condition = |A^-1||A|, 1-norms, of A measured in units d (n > 0; NULL = 1): of diag(d) A
 * diag(d).  An estimate from below by 4 to 12 solves, rarely off by more than 3; 1 where n = 0.  A:
 * the values factored.  work: 2 n.
 *
 * limit > 0: *condition = 0 where one solve shows that the condition is below the limit.  For r of
 * random signs |A^-1 r| in the maximum norm is at least |A^-1| / sqrt(n), except for unlucky signs,
 * for which a factor of 100 is left. */
saddle_status saddle__factorization_condition(saddle__factorization *F, const saddle_matrix *A,
                                              const double *d, double limit, double *work,
                                              double *condition);

/* *contraction: the factor by which a step of refinement reduces an error, |x - F^-1 K x| / |x|
 * in units d (n), F the factors of K + diag(added): a rough lower bound by two steps from a
 * vector of ones in changing sign.  Above 1 refinement diverges.  A: the values factored, K +
 * diag(added); added: n, NULL = 0.  work: 2 n. */
saddle_status saddle__factorization_contraction(saddle__factorization *F, const saddle_matrix *A,
                                                const double *added, const double *d, double *work,
                                                double *contraction);

/* max_i (|L||D||L'|)_ii / scale_i, scale (n > 0) the sizes of A's diagonal: the smaller, the
 * more backward stable is the factorization without pivoting; 1 for a definite A and scale =
 * diag(A).  NAN for methods that pivot.  work: n. */
double saddle__factorization_growth(const saddle__factorization *F, const double *scale,
                                    double *work);

/* T = A^-1 B for sparse B (n x k), by columns, T general n x k with sorted columns.  T empty
 * (all-zero struct): it is made, its pattern following from those of A and B alone; else its values
 * are refreshed in place without allocating.
 */
saddle_status saddle__factorization_columns(saddle_context *context, saddle__factorization *F,
                                            const saddle_matrix *B, saddle_matrix *T);

#endif
