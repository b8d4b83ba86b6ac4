/* SPDX-License-Identifier: MIT */
/* How far (v, lambda) is from solving a problem: one measure for every solver, owing nothing to any of them.
 *
 * With w = J v + R lambda - b formed here, norms the maximum norm and |A| the largest row sum of moduli:
 *
 *     dynamics = |M v - J'lambda - f| / (|M||v| + |J'||lambda| + |f|)
 *     rows     = max_i |lambda_i - P_i(lambda_i - rho_i w_i)| / (rho_i scale)     rows without a cone law
 *     cone     = max_c |lambda_c - P_K(lambda_c - rho_c s_c)| / (rho_c scale)     contacts with law cone or associated
 *     total    = the largest of the three
 *
 * Impulses that outgrow all measure, as those of contradictory or redundant rows may, excuse no defect.  With data = |M||v| +
 * |f| and pushed = |J'||lambda| (for w: data + lent, and |R||lambda|), and rounding = u max_j sum_i |J_ij||lambda_i|, to which
 * the defect above the line is known: if it or the rounding exceeds a hundredth of data, the larger is divided by data alone;
 * else, where pushed > 1e6 data, what exceeds 4 rounding is divided by data + 1e6 data only.  In dynamics, where the defect is
 * that large or pushed is, data takes in the momentum that rows alone would ask for, max_j sum_i |J_ij||b_i| rho_i, those
 * left out that move a velocity without mass.
 *
 *     data  = |J||v| + |b| + max_i sum_j |J_ij||f_j|/|M_jj|
 *     lent  = max(|R| max_i l_i, max_i l_i/rho_i),  l_i = min(|lambda_i|, the larger finite |bound|) over rows outside contacts
 *     scale = data + max(lent, |R||lambda|), limited as said
 *     P_i     projects on [lo_i, hi_i]; for a tangent of a box contact on [-mu ln, mu ln] with ln = max(lambda_n, 0); the
 *             tangents of a pyramid contact together on mu ln conv(D)
 *     P_K     projects on the cone K = {|lt| <= mu ln};  s = w + (mu |wt|, 0, 0) for cone, s = w for associated
 *     rho_i   = 1 / max(|R_ii + a_i|, (sum_j |R_ij| + a_i) / 100),  a_i = sum_j J_ij^2 / |M_jj|:  the step of a row from the
 *             diagonal of its Delassus estimate, or from its row where that is tiny beside it (where M_jj = 0 the row sum of
 *             |M|; where that is 0 too, j is left out; where the estimate is 0, the row's sum of |J_ij|; where that is 0, 1)
 *     rho_c   = the smallest rho of the contact's rows; the two tangents of a pyramid share the smaller of theirs
 *
 * Rows outside contacts whose units differ, estimates more than 1e4 apart, are measured in units of their own as well, and the
 * larger counts: a row may not break its law because its w and b are small by its units.
 *
 * A ratio 0/0 is 0.  An equality row contributes |w_i| / scale.  The measures do not change when lambda, f, M, 1/J... are
 * scaled to other units.  docs/theory.md, section 3, derives and discusses each.
 *
 * natural_map is the figure that Siconos (fc3d_compute_error) and FCLIB print, for comparison with theirs:
 *
 *     natural_map = sqrt( sum_c |lambda_c - P_K(lambda_c - s_c)|^2 ) / max(|b|, |lambda|, |w|)    2-norms over contact rows
 *
 * It has rho = 1, mixes units, and is not part of total.  0 where no contact has a cone law.
 */
#ifndef SADDLE_RESIDUAL_H
#define SADDLE_RESIDUAL_H

#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_residual {
    double dynamics;     /* [-]                                                             */
    double rows;         /* [-]                                                             */
    double cone;         /* [-]                                                             */
    double total;        /* [-] NaN or infinite entries in v or lambda make it INFINITY     */
    double natural_map;  /* see above                                                       */
    int64_t worst_velocity; /* row of the dynamics with the largest |M v - J'lambda - f|; -1 = none */
    int64_t worst_row;   /* the row (a contact: its first row) behind max(rows, cone); -1 = none    */
} saddle_residual;

/* Doubles of scratch that saddle_residual_compute needs. */
SADDLE_API int64_t saddle_residual_work_size(const saddle_problem *problem);

/* v: n, lambda: m, w: m or NULL (then not returned), work: saddle_residual_work_size() doubles.  The problem must have passed
 * saddle_problem_check.  No allocation, cannot fail. */
SADDLE_API void saddle_residual_compute(const saddle_problem *problem, const double *v, const double *lambda, double *w,
                                        double *work, saddle_residual *residual);

/* The same with its own scratch, and *w_error (NULL is fine) = |w_given - w| / (data + |R||lambda|) for a solution read from
 * elsewhere.  SADDLE_INVALID_ARGUMENT: the solution's sizes are not the problem's, or it lacks v, lambda or (for w_error) w. */
SADDLE_API saddle_status saddle_solution_check(saddle_context *context, const saddle_problem *problem,
                                               const saddle_solution *solution, saddle_residual *residual, double *w_error);

SADDLE_END_DECLARATIONS

#endif
