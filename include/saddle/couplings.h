/* SPDX-License-Identifier: MIT */
/* Ready-made attachments: the position of a component follows from those of its masters, and with
 * the position the velocity.
 *
 *     x_k = phi_k(x_j ..)     v_k = sum_j A_kj v_j
 *                             dA_kj(v)  the rate of A_kj as the masters move with v, linear in v
 *
 * An attachment gets from these three functions
 *
 *     its blocks A_kj at the positions of the masters                       (saddle/attachments.h)
 *     the effect of a turning A in a step of h [s] (Lloyd, ArtiSynth mechanics notes, 0.17, 0.19;
 *     Sueda, Rigid Body Dynamics Notes, 2.2: the quadratic velocity force),
 *         as a term               v_k+ = A v+ + g,   g_k = h sum_j dA_kj(v) v_j
 *         at the end of the step  v_k+ = (A + h dA(v)) v+
 *     the two differ by h dA(v) (v+ - v), O(h^2)
 *     its geometric stiffness, with F_k the impulse or force at k: the change of A'F as the masters
 *     move by u is d(A_kj'F_k) = dA_kj(u)'F_k; through all the graph, for a force with the change
 *     d(F) = G_f v (Compliance notes, Composing Geometric Stiffnesses),
 *         G u = Q'(G_f + K) Q u,   (K v)_j = sum_k dA_kj(v)'F_k,
 *         F_j <- F_j + A_kj'F_k: push velocities, pull forces
 *
 *     point on points     x = sum w_j x_j, sum w_j = 1            A = w_j I
 *     point in element    w_j = N_j(r, s, t) (saddle/element.h)   the same
 *     point on frame      x = p + R c                             A = [R  -R[c]]   (Lloyd, 0.36)
 *     point on both       x = sum w_j (x_j or p_j + R_j c_j)      A = w_j I or w_j [R_j  -R_j[c_j]]
 *     frame on frame      pose T in the master                    A = [R_T'  -R_T'[p_T]; 0  R_T']
 *     frame on frames     p = sum w_j (p_j + R_j c_j),            nu = sum w_j E_j u_j,
 *                         sum w_j R_j D_j = R S,                  u_j = nu_j - [c_j] omega_j
 *                         T_j = (c_j, D_j), E_j = R'R_j           omega = G sum w_j H_j E_j omega_j
 *                                                                 H_j = tr(E_j D_j) I - E_j D_j
 *     frame on points     p = sum w_j x_j, sum x_j g_j' = R S     nu = R' sum w_j v_j,
 *                         then a frame fixed in (p, R)            omega = G sum g_j x R'v_j,
 *                                                                 G = (tr(S) I - S)^-1
 *     frame in element    g_j = dN_j/dx at rest                   the same
 *     coordinates         q = sum B_j q_j + q_0                   A = B_j
 *     body on joint       E = E_parent E_before Q(q) E_after      phi = Ad phi_parent + Ad S dq/dt
 *                                                                 (Sueda, 2.11)
 *
 * Positions stand in one array, component by component in the order of velocities: 3 numbers of a
 * particle, x [m]; 12 of a frame, a saddle_pose; of coordinates as many as velocities.  A
 * particle's velocity is in the world's axes, a frame's twist in its own, at its origin.  An
 * integrator that holds the axes of frames during a step (Lloyd, 0.19: "rotated body coordinates")
 * takes SADDLE_AXES_STEP: dA is then the rate of A between axes that do not turn.
 *
 * See docs/theory.md, section 7.
 */
#ifndef SADDLE_COUPLINGS_H
#define SADDLE_COUPLINGS_H

#include "saddle/attachments.h"
#include "saddle/element.h"
#include "saddle/joint_coordinates.h"
#include "saddle/pose.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_couplings saddle_couplings;

/* An empty set of couplings for a graph.  attachments: borrowed, outlives *couplings; components
 * are added to the graph as always, and can be attached by hand as well: their blocks then count as
 * constant and their positions are the caller's.  *couplings: released by saddle_couplings_free;
 * NULL on failure.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_couplings_create(saddle_context *context,
                                                 saddle_attachments *attachments,
                                                 saddle_couplings **couplings);
/* NULL is fine; the attachments stay in the graph */
SADDLE_API void saddle_couplings_free(saddle_couplings *couplings);

/* ---- adding ----
 *
 * Each function attaches a component, by ids; arguments are copied.  Blocks are zero until
 * saddle_couplings_update.  On an error nothing has changed: errors of saddle_attachments_attach,
 * and SADDLE_INVALID_ARGUMENT for a component or master of another kind, a number that is not
 * finite, weights with a sum other than 1 (to 1e-10 of their moduli, 1e-6 at most), no masters. */

/* component: particle; masters (count): particles; weights (count): w_j [-]. */
SADDLE_API saddle_status saddle_couplings_add_point_on_points(saddle_couplings *couplings,
                                                              int64_t component, int64_t count,
                                                              const int64_t *masters,
                                                              const double *weights);

/* component: particle; nodes: particles, as many as the element has; rest (3 x nodes), point (3):
 * positions at rest [m].  Also errors of saddle_element_natural. */
SADDLE_API saddle_status saddle_couplings_add_point_in_element(
    saddle_couplings *couplings, int64_t component, saddle_element_kind kind, const int64_t *nodes,
    const double *rest, const double *point);

/* component: particle; master: frame; point (3): c, in the frame [m]. */
SADDLE_API saddle_status saddle_couplings_add_point_on_frame(saddle_couplings *couplings,
                                                             int64_t component, int64_t master,
                                                             const double *point);

/* component: particle; masters (count): particles and frames; weighted (4 x count): w_j [-], and
 * c_j [m] in a frame, not read of a particle. */
SADDLE_API saddle_status saddle_couplings_add_point(saddle_couplings *couplings, int64_t component,
                                                    int64_t count, const int64_t *masters,
                                                    const double *weighted);

/* component, master: frames; relative: T, the component's pose in the master. */
SADDLE_API saddle_status saddle_couplings_add_frame_on_frame(saddle_couplings *couplings,
                                                             int64_t component, int64_t master,
                                                             const saddle_pose *relative);

/* component: frame; masters (count): frames; weights (count): w_j; relative (count): T_j, the
 * component's pose in each master.  An update gives SADDLE_SINGULAR where the masters are turned
 * against each other so far that they give no rotation. */
SADDLE_API saddle_status saddle_couplings_add_frame_on_frames(saddle_couplings *couplings,
                                                              int64_t component, int64_t count,
                                                              const int64_t *masters,
                                                              const double *weights,
                                                              const saddle_pose *relative);

/* component: frame; masters (count >= 3): particles; rest (3 x count): positions at rest [m];
 * weights (count): w_j; pose: the frame's at rest, anywhere.  g_j = w_j (rest_j - sum w rest): R is
 * the rotation of least squares from rest to the moved points.  SADDLE_SINGULAR: the points lie on
 * a line. */
SADDLE_API saddle_status saddle_couplings_add_frame_on_points(
    saddle_couplings *couplings, int64_t component, int64_t count, const int64_t *masters,
    const double *rest, const double *weights, const saddle_pose *pose);

/* component: frame; other arguments as for a point; its rotation follows the rotation of the
 * deformation gradient at its origin. */
SADDLE_API saddle_status saddle_couplings_add_frame_in_element(
    saddle_couplings *couplings, int64_t component, saddle_element_kind kind, const int64_t *nodes,
    const double *rest, const saddle_pose *pose);

/* component, masters (count): coordinates; matrices: the B_j in the order of masters, each by
 * columns; offset: q_0; NULL = zero. */
SADDLE_API saddle_status saddle_couplings_add_coordinates(saddle_couplings *couplings,
                                                          int64_t component, int64_t count,
                                                          const int64_t *masters,
                                                          const double *matrices,
                                                          const double *offset);

/* component: frame; parent: a frame, NULL = the world; coordinates: coordinates, as many as the
 * joint's (saddle/joint_coordinates.h). */
SADDLE_API saddle_status saddle_couplings_add_body_on_joint(saddle_couplings *couplings,
                                                            int64_t component,
                                                            const int64_t *parent,
                                                            int64_t coordinates,
                                                            const saddle_motion *joint);

/* ---- maps of the caller ---- */

typedef struct saddle_coupling_site { /* arguments of a map */
    const void *data;                 /* of the coupling */
    int64_t rows;                     /* velocities of the component */
    int64_t masters;
    const int64_t *cols;           /* masters: velocities of each */
    const double *const *position; /* masters: of each */
    const double *const *velocity; /* masters: of each; in rate only */
} saddle_coupling_site;

/* A, dA: the blocks in the order of masters, each rows x cols by columns, zero at entry.  A status
 * other than SADDLE_OK is returned to the caller with the component's name. */
typedef struct saddle_coupling_type {
    const char *name;
    saddle_status (*place)(saddle_context *context, const saddle_coupling_site *site,
                           double *position);
    saddle_status (*blocks)(saddle_context *context, const saddle_coupling_site *site, double *A);
    saddle_status (*rate)(saddle_context *context, const saddle_coupling_site *site,
                          double *dA); /* NULL: A is constant */
} saddle_coupling_type;

/* type: borrowed; data (bytes): copied. */
SADDLE_API saddle_status saddle_couplings_add(saddle_couplings *couplings, int64_t component,
                                              int64_t count, const int64_t *masters,
                                              const saddle_coupling_type *type, const void *data,
                                              size_t bytes);

/* ---- moving ---- */

/* Compiles the present graph and couplings; the functions below allocate nothing.  May be called
 * again.  SADDLE_INVALID_PROBLEM: a loop; SADDLE_INVALID_ARGUMENT: a coupling whose component was
 * detached or attached to other masters; SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE. */
SADDLE_API saddle_status saddle_couplings_compile(saddle_couplings *couplings);

/* start (components + 1): index of each component's position, start[components] their number.
 * Owned by couplings, good until the next compile; NULL before the first. */
SADDLE_API const int64_t *saddle_couplings_position_start(const saddle_couplings *couplings);

/* position (start[components]): positions of coupled components are computed, in order, from those
 * of their masters.  SADDLE_WRONG_PHASE: not compiled; or the status of a map, component named. */
SADDLE_API saddle_status saddle_couplings_place(saddle_couplings *couplings, double *position);

typedef enum saddle_fictitious {
    SADDLE_FICTITIOUS_NONE = 0, /* A, g = 0 */
    SADDLE_FICTITIOUS_TERM = 1, /* A, g = h dA(v) v */
    SADDLE_FICTITIOUS_MAP = 2   /* A + h dA(v), g = 0 */
} saddle_fictitious;

typedef enum saddle_axes {
    SADDLE_AXES_BODY = 0, /* twists in axes that turn with their frames */
    SADDLE_AXES_STEP = 1  /* in the axes of frames at the begin of the step */
} saddle_axes;

typedef struct saddle_coupling_step { /* start from {0} */
    double time_step;                 /* h [s] (default: 0) */
    saddle_fictitious fictitious;     /* (default: SADDLE_FICTITIOUS_NONE) */
    saddle_axes axes;                 /* (default: SADDLE_AXES_BODY) */
} saddle_coupling_step;

/* Sets the values of the graph at a configuration, for saddle_elimination_form or
 * saddle_map_refresh.  step: NULL = default.  position: as for place.  velocity (n): at the begin
 * of the step; active and prescribed velocities are read (the graph has the prescribed ones of the
 * step's end), attached ones computed, in order.  On an error the graph keeps its values.
 * SADDLE_WRONG_PHASE; SADDLE_INVALID_ARGUMENT: the graph changed since compile, a position, block
 * or term that is not finite; or the status of a map. */
SADDLE_API saddle_status saddle_couplings_update(saddle_couplings *couplings,
                                                 const saddle_coupling_step *step, double *position,
                                                 double *velocity);

/* ---- geometric stiffness ----
 *
 * At the configuration of the last update, with its A (of any saddle_fictitious) and its axes.
 *
 * f (n): forces at all components [N, N m], held in the world's axes for particles, in frames' axes
 * for frames; reduced (n'): Q'f; NULL is fine.  SADDLE_WRONG_PHASE: no update since compile. */
SADDLE_API saddle_status saddle_couplings_load(saddle_couplings *couplings, const double *f,
                                               double *reduced);

/* product (n') = Q'(G_f + K) Q u, u (n'), for the forces last loaded.  stiffness: G_f (n x n) =
 * df/dx, NULL = none.  K is not formed, the cost is linear in the blocks. SADDLE_WRONG_PHASE:
 * nothing loaded; SADDLE_INVALID_ARGUMENT: G_f of another size. */
SADDLE_API saddle_status saddle_couplings_stiffness(saddle_couplings *couplings,
                                                    const saddle_matrix *stiffness, const double *u,
                                                    double *product);

/* K (n x n, general) assembled: a block among the masters of each coupling.  Beside M in a problem,
 * M - h^2 (G_f + K), the elimination makes Q'(.) Q of K.  Released by saddle_matrix_clear.  Errors
 * as above; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_couplings_stiffness_matrix(saddle_couplings *couplings,
                                                           saddle_matrix *K);

/* The same for a K made before from the same couplings: values only, no allocation.
 * SADDLE_INVALID_ARGUMENT: another pattern. */
SADDLE_API saddle_status saddle_couplings_stiffness_values(saddle_couplings *couplings,
                                                           saddle_matrix *K);

SADDLE_END_DECLARATIONS

#endif
