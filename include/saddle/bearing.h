/* SPDX-License-Identifier: MIT */
/* Friction inside joints by implicit contact points (Sueda, Rigid Body Dynamics Notes, 2.11:
 * bilateral staggered projections).
 *
 *     N'alpha + T'beta = W          W (6)  what the joint does to body b
 *     alpha = N (N'N)^+ (W - T'beta)       normal impulses: the least that give W     (2.114)
 *     |beta_p| <= mu |alpha_p|             friction, against the slip of the point    (2.110)
 *
 *     joint    points p                                    normals
 *     hinge    2 rings of `points` about z at              radial, and along z (collars)
 *              z = +-half_length, of radius `radius`
 *     slider   8 corners (+-radius, +-radius,              x and y
 *              +-half_length) of a square rail
 *     ball     12 corners of an icosahedron on a sphere    radial
 *              of radius `radius`
 *
 * in the axes of the joint's frame on a, about the origin of its frame on b.  Contacts are
 * bilateral: alpha may have either sign.  Rows of friction are the sums of those T_p that the joint
 * leaves parallel: one about z (hinge), one along z (slider), 12 about axes normal to the 6
 * diameters (ball), with bounds
 *
 *     s = mu sum |alpha_p| a_p,     a_p slip of point p at unit rate of the row
 *
 * A hinge with a radial load F on each of its rings and many points has s = mu radius (4/pi)
 * sum |F|.  Bounds and impulses are found in turn, until they no longer change:
 * saddle/stepper.h for joints as rows (saddle/joint.h), saddle/tree_friction.h for trees in
 * reduced coordinates.
 *
 * The rounds begin with the loads of the step before.  A slider jams where its friction F, far from
 * the mass that the slider moves, raises the load by more than |F|/mu, as of a drawer pulled at its
 * corner: each bound found by the rounds is then larger than the last.  A bearing whose change has
 * not been halved in 8 rounds, while its load has grown and grows by more than the load before,
 * starts again, once in a stage, from a bound so large that friction stays within; the others
 * continue.  A jammed joint is at rest, with share < 1, which is a solution.  Where both sliding
 * and jamming are solutions, the rounds find sliding first, and stop there.
 */
#ifndef SADDLE_BEARING_H
#define SADDLE_BEARING_H

#include "saddle/export.h"

#include <stdint.h>

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_bearing { /* start from {0}                                      default */
    double mu;                  /* coefficient of friction; 0 = no friction [-]        0 */
    double radius;              /* > 0 where mu > 0 [m]                                0 */
    double half_length;         /* hinge: >= 0; slider: > 0; ball: not read [m]        0 */
    int64_t points;             /* hinge: of each ring, even, 4 .. 64; 0 = 16          0 */
} saddle_bearing;

/* Of one bearing over the last step.  friction: sum of the points' friction on b, a's axes, at the
 * origin of the frame on b: force, then moment. */
typedef struct saddle_bearing_forces {
    double load;        /* sum |alpha| [N] */
    double friction[6]; /* T'beta [N, N m] */
    double share;       /* of the friction's bound in use, of the ball's rows the largest:
                           1 = the joint slides; 0 without load [-] */
} saddle_bearing_forces;

SADDLE_END_DECLARATIONS

#endif
