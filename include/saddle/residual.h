/* SPDX-License-Identifier: MIT */
/* The error of (v, lambda) as a solution of a problem: one measure for every solver, computed from
 * the problem and the answer alone.
 *
 * With w = J v + R lambda - b, moduli entry by entry and m_j = |M_jj|:
 *
 *     d_i = |R_ii| + sum_j J_ij^2 / m_j                                 the row's Delassus diagonal
 *     a_i = |clamp(b_i, d_i lo_i, d_i hi_i)|                     the part of b_i within the bounds
 *     s_i = (|J||v| + |R||lambda|)_i + a_i + sum_j |J_ij||f_j| / m_j    the terms of the row
 *     t_j = (|M||v| + |J'||lambda| + |f|)_j                     the terms of a velocity's equation
 *     S   = max_i s_i / sqrt(d_i)                                       the rows' scale [sqrt J]
 *
 *     dynamics = max_j |M v - J'lambda - f|_j / t_j
 *     rows     = max_i sqrt(d_i) |lambda_i - P_i(lambda_i - w_i / d_i)| / S
 *                rows without a cone law
 *     cone     = max_c sqrt(d_c) |lambda_c - P_K(lambda_c - s_c / d_c)| / S
 *                contacts with law cone or associated
 *     total    = the largest of the three
 *
 *     P_i  projects on [lo_i, hi_i]; a normal on [0, INFINITY); for a tangent of a box contact on
 *          mu max(lambda_n, 0) [-1, 1], as for torsion and rolling with their coefficients; for
 *          the tangents of a pyramid contact together on mu max(lambda_n, 0) conv(D), with the
 *          larger of their d
 *     P_K  projects on K = {|lg| <= mu_g ln for each part g};  s_c = w_c + (sum_g mu_g |wg|, 0, ..)
 *          for cone, w_c for associated;  d_c the largest d of the normal and the tangents, in the
 *          unit of which torsion and rolling are taken: rows times l, impulses and mu_g over l,
 *          l^2 = d_c / d_g, d_g the part's largest d;  |.| of a contact's vector is its length.
 *          The normal of a contact with law cone, or without friction, counts in cone also as a row
 *          on [0, INFINITY) with its own d
 *
 * A row on [0, INFINITY) with b_i < 0 has a_i = 0: a distant contact, however distant, sets no
 * scale.  Bounds in a_i are [0, INFINITY) for the normal of a contact and mu max(lambda_n, 0)
 * [-1, 1] for its tangents: the speed below an open contact sets no scale either.  Where d_i = 0,
 * a_i is 0 if the bound that b_i pushes to (hi_i for b_i > 0, else lo_i) is 0 or excludes 0, else
 * |b_i|.
 *
 * Units.  A velocity with M_jj = 0 is left out of the sums over 1/m_j.  A velocity without m, or a
 * row without d, then has the one of its neighbours in K = [M J'; J R]: m_j or
 * d_i = max_k K_ik^2 / (m_k or d_k) over the k with one, K_ik the larger of itself and K_ki, in at
 * most 8 rounds.  Two rows with d_i d_j < 1e-8 R_ij^2, impossible for a semidefinite R, are treated
 * alike.  A row still without d has no unit: S leaves the row out, and s_i / sqrt(d_i) replaces S
 * for the row, with d_i = s_i / |lambda_i|.  Where lambda_i = 0, the bound that w_i admits (lo_i
 * for w_i > 0, else hi_i) replaces lambda_i if finite, else the other bound; for the rows of a
 * contact together, the largest s and |lambda| count, and for 0 the radius of the tangents.
 *
 * Rounding.  t_j counts as sqrt(m_j) D where it is 1e-10 of that or less, D as below; S as D where
 * it is 1e-10 of that or less.  A ratio 0/0 is 0.
 *
 * Invariance.  Scaling any velocity, any row outside contacts, any contact as a whole, or its
 * torsion or rolling with the coefficient, by a power of two changes no bit of dynamics, rows,
 * cone, total, local, growth, bounds and complementarity; units of mass and time change these by
 * rounding.
 *
 *     local    = as rows and cone, each row (contact) over its own s_i / sqrt(d_i); where that is
 *                1e-10 S or less, and 1e-10 r_i / sqrt(d_i) or less, over r_i / sqrt(d_i), with
 *                r_i = sum_j |J_ij| t_j / m_j the terms of its velocities
 *     growth   = T / D, or, of what has no unit, the least t_j / |f_j| and s_i over the part of s_i
 *                without v and lambda; the larger
 *                T = max( max_i s_i / sqrt(d_i), max_j t_j / sqrt(m_j) )        the largest term
 *                D = max over j of |f_j| / sqrt(m_j),                           the largest datum
 *                    over i of (a_i + sum_j |J_ij||f_j| / m_j) / sqrt(d_i); where that is 0,
 *                    over the lambda_i at a finite bound of sqrt(d_i) |lambda_i|
 *     normwise = max(|M v - J'lambda - f|, |w of equality rows|) / (|K| |(v, lambda)| + |(f, b)|)
 *                maximum norms, the backward error of Rigal and Gaches (J. ACM 14, 1967)
 *     bounds   = max sqrt(d) |lambda - P(lambda)| / S, over rows and cones as above
 *     complementarity = max over rows of |w_i||lambda_i - the finite bound that w_i admits|, over
 *                cones of |s_c'lambda_c|, divided by S^2; without the tangents of a pyramid in
 *                space
 *     natural_map = sqrt( sum_c |lambda_c - P_K(lambda_c - s_c)|^2 ) / max(|b|, |lambda|, |w|)
 *                2-norms over the rows of contacts with a cone law, b for -q: the figure of
 *                Siconos (fc3d_compute_error) and FCLIB.  It mixes units
 *     natural_map_q = the same over |b| alone
 *
 * docs/theory.md, section 3, derives and discusses each. */
#ifndef SADDLE_RESIDUAL_H
#define SADDLE_RESIDUAL_H

#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

/* X(field): the figures, in the order of reports. */
#define SADDLE_RESIDUAL_FIGURES(X) \
    X(dynamics)                    \
    X(rows)                        \
    X(cone)                        \
    X(total)                       \
    X(local)                       \
    X(growth)                      \
    X(normwise)                    \
    X(bounds)                      \
    X(complementarity)             \
    X(natural_map)                 \
    X(natural_map_q)

typedef struct saddle_residual {
    double dynamics;        /* [-] */
    double rows;            /* [-] */
    double cone;            /* [-] */
    double total;           /* [-] INFINITY: v, lambda, w, 1/m, d, S, a term or map is not finite */
    double local;           /* [-] */
    double growth;          /* [-] 0: no terms; INFINITY: terms without any data */
    double normwise;        /* [-] */
    double bounds;          /* [-] */
    double complementarity; /* [-] */
    double natural_map;     /* in the units of the problem; 0 where no contact has a cone law */
    double natural_map_q;   /* the same */
    int64_t worst_velocity; /* the velocity behind dynamics; -1 = none */
    int64_t worst_row;   /* the row (a contact: its first row) behind max(rows, cone); -1 = none */
    int64_t unitless;    /* rows without a unit */
    int64_t worst_local; /* the row (a contact: its first row) behind local; -1 = none */
} saddle_residual;

/* 1: the error is small only beside terms that outgrow the data: growth > 100 and growth * total >
 * 100 max(tolerance, 1e-10) where total is more than rounding (2^-51), or growth > 1e12.
 * docs/theory.md, 3. */
SADDLE_API int saddle_residual_is_overgrown(const saddle_residual *residual, double tolerance);

/* 1: total <= tolerance, and not overgrown. */
SADDLE_API int saddle_residual_is_solved(const saddle_residual *residual, double tolerance);

/* Doubles of scratch that saddle_residual_compute needs. */
SADDLE_API int64_t saddle_residual_work_size(const saddle_problem *problem);

/* v: n, lambda: m, w: m or NULL (then not returned), work: saddle_residual_work_size() doubles.
 * The problem must have passed saddle_problem_check.  No allocation, cannot fail. */
SADDLE_API void saddle_residual_compute(const saddle_problem *problem, const double *v,
                                        const double *lambda, double *w, double *work,
                                        saddle_residual *residual);

/* The same with its own scratch, and *w_error (NULL is fine) = max_i (|w_given - w|_i / sqrt(d_i))
 * / S for a solution read from elsewhere.  SADDLE_INVALID_ARGUMENT: the solution's sizes are not
 * the problem's, or it lacks v, lambda or (for w_error) w. */
SADDLE_API saddle_status saddle_solution_check(saddle_context *context,
                                               const saddle_problem *problem,
                                               const saddle_solution *solution,
                                               saddle_residual *residual, double *w_error);

SADDLE_END_DECLARATIONS

#endif
