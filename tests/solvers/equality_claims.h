/* SPDX-License-Identifier: MIT */
/* What every direct solver must do with equality rows, by name of the solver.  Each is one claim,
 * over many drawn problems. */
#ifndef SADDLE_TEST_EQUALITY_CLAIMS_H
#define SADDLE_TEST_EQUALITY_CLAIMS_H

#include "asked.h"
#include "drawn.h"

/* The factorization that ldlt is claimed with from here on. */
void claim_with(saddle_factorization factorization);

/* What a claim draws: kind(state) for each of `count` problems. */
typedef drawn_kind draw_function(uint64_t *state);

/* redundant, scaled, n = 0, m = 0: anything consistent */
drawn_kind draw_any_symmetric(uint64_t *state);
drawn_kind draw_regular_symmetric(uint64_t *state);
drawn_kind draw_indefinite(uint64_t *state); /* M with negative diagonal entries */
drawn_kind draw_massless(uint64_t *state);   /* some M_jj = 0, regular all the same */
drawn_kind draw_unsymmetric(uint64_t *state);

/* SADDLE_OK, v as LAPACK has it within 1e-13 condition, lambda too where it is unique; where
 * LAPACK's cut, 1e-11, took more than rounding, which is not one in a hundred, nothing but a
 * residual of 1e-14 or less. */
void claim_velocity_equals_lapack(const char *solver, draw_function *kind, int count);

/* The inertia of a regular K is that of LAPACK's eigenvalues. */
void claim_inertia_is_exact(const char *solver, draw_function *kind, int count);

/* Rows that ask for what cannot be are never SADDLE_OK, where LAPACK says that K is rank-deficient
 * and b is out of reach. */
void claim_contradictory_rows_are_not_solved(const char *solver, int count);

/* An answer in drawn units, 1e-8 .. 1e8, is that of the unscaled system. */
void claim_units_do_not_matter(const char *solver, int count);

/* New values and vectors in an analysed solver give the bits that a fresh solver gives; so does the
 * same input twice.
 */
void claim_refresh_equals_fresh_bit_for_bit(const char *solver, int symmetric, int count);

/* factor and solve after the first allocate nothing, SuiteSparse included.  renewed: but for
 * UMFPACK's and KLU's numeric object, whose count stays the same from factor to factor. */
void claim_nothing_is_allocated_again(const char *solver, int renewed);

void claim_failing_allocations_leak_nothing(const char *solver);

/* n = 0, m = 0, both; NULL vectors. */
void claim_empty_shapes_are_solved(const char *solver);

/* Entries between 1e-300 and 1e300, whatever they overflow to on the way: never a crash, never an
 * answer that is not finite. */
void claim_extreme_values_end_in_order(const char *solver, int count);

/* Regularization of 0 and of 1e-6 lead to the same velocity; no refinement allowed still gives a
 * result. */
void claim_options_change_the_way_only(const char *solver, int count);

/* Of rows that nearly depend: options.max_refinements is the most there are, whatever is factored
 * again on the way. */
void claim_refinements_are_no_more_than_allowed(const char *solver, int count);

/* The problem, without a context, through saddle_solve; report: NULL is fine. */
saddle_status solve_plainly(const char *solver, const saddle_problem *problem,
                            saddle_solution *solution, saddle_report *report);

#endif
