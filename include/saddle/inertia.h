/* SPDX-License-Identifier: MIT */
/* Spatial inertia of a rigid body, centre of mass anywhere (Lloyd, ArtiSynth mechanics notes,
 * section 0.1; Sueda, Rigid Body Dynamics Notes, sections 1.6 and 1.7, with the equation numbers
 * below: docs/references.md).  The linear part comes first.
 *
 *     M    = [m I  -m[c]; m[c]  J - m[c][c]]        c centre of mass, J rotational inertia about c
 *     M^-1 = [1/m I - [c]J^-1[c]  [c]J^-1; -J^-1[c]  J^-1]
 *     M    = G G',  G = [sqrt(m) I  0; sqrt(m)[c]  L],  J = L L'
 *     M dphi/dt = ad(phi)'M phi + wrench                phi the body's twist                 (1.21)
 *
 * A valid inertia has a positive mass, a positive definite J, and no principal moment above the sum
 * of the other two.  3 x 3 and 6 x 6 matrices are stored by columns; outputs may be inputs.
 */
#ifndef SADDLE_INERTIA_H
#define SADDLE_INERTIA_H

#include "saddle/context.h"
#include "saddle/pose.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_body_inertia {
    double mass;      /* m [kg] */
    double center[3]; /* c: centre of mass in the body's frame [m] */
    double moment[9]; /* J: 3 x 3, symmetric, about c, in the body's axes [kg m^2] */
} saddle_body_inertia;

/* name: for the message; NULL = "inertia".  SADDLE_INVALID_ARGUMENT: an entry not finite, a mass
 * not positive, a J not symmetric (to 1e-10 of the largest entry) or not positive definite (to
 * 1e-14 of the largest moment), a principal moment above the sum of the other two (by more than
 * 1e-10; equal for a plate). */
SADDLE_API saddle_status saddle_body_inertia_check(saddle_context *context,
                                                   const saddle_body_inertia *inertia,
                                                   const char *name);

/* ---- as a matrix ---- */

/* M (6 x 6) */
SADDLE_API void saddle_body_inertia_matrix(const saddle_body_inertia *inertia, double *M);

/* The inertia with the matrix M (6 x 6, lower triangle).  SADDLE_INVALID_ARGUMENT: M is not of
 * the form above (to 1e-10 of the entries), or the inertia is not valid. */
SADDLE_API saddle_status saddle_body_inertia_from_matrix(saddle_context *context, const double *M,
                                                         saddle_body_inertia *inertia);

/* momentum (6) = M twist */
SADDLE_API void saddle_body_inertia_multiply(const saddle_body_inertia *inertia,
                                             const double *twist, double *momentum);

/* inverse (6 x 6) = M^-1; G (6 x 6); twist (6) = M^-1 wrench.  SADDLE_SINGULAR: a mass not
 * positive, a J not positive definite. */
SADDLE_API saddle_status saddle_body_inertia_inverse(saddle_context *context,
                                                     const saddle_body_inertia *inertia,
                                                     double *inverse);
SADDLE_API saddle_status saddle_body_inertia_factor(saddle_context *context,
                                                    const saddle_body_inertia *inertia, double *G);
SADDLE_API saddle_status saddle_body_inertia_solve(saddle_context *context,
                                                   const saddle_body_inertia *inertia,
                                                   const double *wrench, double *twist);

/* wrench (6) = ad(twist)'M twist, the Coriolis and gyroscopic wrench of (1.21); it does no work.
 * jacobian (6 x 6) = d wrench / d twist = ad(twist)'M + [0 [F]; [F] [N]], (F, N) = M twist; NULL =
 * not asked for. */
SADDLE_API void saddle_body_inertia_coriolis(const saddle_body_inertia *inertia,
                                             const double *twist, double *wrench, double *jacobian);

/* ---- other frames, several bodies ---- */

/* moved: inertia seen from an outer frame in which its frame stands at T: Ad(T)^-T M Ad(T)^-1, J ->
 * R J R', c -> R c + p. */
SADDLE_API void saddle_body_inertia_move(const saddle_body_inertia *inertia, const saddle_pose *T,
                                         saddle_body_inertia *moved);

/* composite: count bodies as one body (1.25, 1.26); pose (count): of each part in the common
 * frame, NULL = all parts are given in this frame.  SADDLE_INVALID_ARGUMENT: count < 1, or an
 * invalid part (named by number, from 1). */
SADDLE_API saddle_status saddle_body_inertia_compose(saddle_context *context, int64_t count,
                                                     const saddle_body_inertia *part,
                                                     const saddle_pose *pose,
                                                     saddle_body_inertia *composite);

/* frame: the principal axes at the centre of mass, right-handed, as a pose in the body's frame;
 * moments (3): about them, ascending [kg m^2].  Axes already principal and in order are kept. */
SADDLE_API void saddle_body_inertia_principal(const saddle_body_inertia *inertia,
                                              saddle_pose *frame, double *moments);

/* ---- shapes, solid, of one density ---- */

/* X(name, word, sizes) with the sizes [m], the shape's centre in the origin: */
#define SADDLE_SHAPE_LIST(X)                                                                       \
    X(SADDLE_SHAPE_BOX, "box", 3)           /* sides along x, y, z */                              \
    X(SADDLE_SHAPE_SPHERE, "sphere", 1)     /* radius */                                           \
    X(SADDLE_SHAPE_CYLINDER, "cylinder", 2) /* radius, length along z */                           \
    X(SADDLE_SHAPE_CAPSULE, "capsule", 2)   /* radius, length along z between the caps' centres */ \
    X(SADDLE_SHAPE_ELLIPSOID, "ellipsoid", 3) /* semi-axes along x, y, z */

typedef enum saddle_shape_kind {
#define SADDLE_SHAPE_ENUM(name, word, sizes) name,
    SADDLE_SHAPE_LIST(SADDLE_SHAPE_ENUM)
#undef SADDLE_SHAPE_ENUM
} saddle_shape_kind;

/* "box", ...; "?" = no such kind; static storage */
SADDLE_API const char *saddle_shape_word(saddle_shape_kind kind);
/* 3, 1, ...; 0 = no such kind */
SADDLE_API int64_t saddle_shape_sizes(saddle_shape_kind kind);

/* volume [m^3]; inertia in the shape's own frame, of a mass [kg] or a density [kg/m^3]; size:
 * saddle_shape_sizes numbers.  SADDLE_INVALID_ARGUMENT: no such kind; a size, mass or density
 * not positive or not finite (the length of a capsule may be 0); sizes with an inertia outside
 * the range of doubles. */
SADDLE_API saddle_status saddle_shape_volume(saddle_context *context, saddle_shape_kind kind,
                                             const double *size, double *volume);
SADDLE_API saddle_status saddle_body_inertia_of_mass(saddle_context *context,
                                                     saddle_shape_kind kind, const double *size,
                                                     double mass, saddle_body_inertia *inertia);
SADDLE_API saddle_status saddle_body_inertia_of_density(saddle_context *context,
                                                        saddle_shape_kind kind, const double *size,
                                                        double density,
                                                        saddle_body_inertia *inertia);

SADDLE_END_DECLARATIONS

#endif
