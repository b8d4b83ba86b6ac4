/* SPDX-License-Identifier: MIT */
/* Springs along paths of points, with any law of tension (Lloyd, ArtiSynth mechanics notes,
 * 0.12-0.14).
 *
 *     L = sum of l_k over the active segments,   l_k = |x_(k+1) - x_k|,   F = F(L, dL/dt)
 *     f_k = F (u_k - u_(k-1)),                   u_k = (x_(k+1) - x_k)/l_k
 *
 * Every segment pulls its two points towards each other with the tension F; passive segments do not
 * count in L.  Inner points are pulleys without friction.
 *
 *     path of 2 points                       axial spring (0.12), (0.13)
 *     path of n points                       multi-point spring (0.14)
 *     .passive of every second segment       segments between two points of one bone, or sheaths
 *
 * Ready-made laws, with the data of saddle_elastic:
 *
 *     "linear"   F = k (L - r) + d dL/dt
 *     "string"   the same for L > r and as long as it is positive, else 0
 *     "strain"   F = sigma L,  sigma = k eps + d deps/dt,  eps = (L^2/r^2 - 1)/2      (0.13)
 */
#ifndef SADDLE_PATH_SPRING_H
#define SADDLE_PATH_SPRING_H

#include "saddle/model.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_path_point { /* start from {0} */
    saddle_anchor anchor;          /* a path may have several points on one part */
    double point[3]; /* of a body in its axes, of the ground in the world; else not read [m] */
    int passive;     /* 1: the segment from here to the next point does not count in L */
} saddle_path_point;

typedef struct saddle_tension {
    double force;     /* F [N] */
    double by_length; /* dF/dL [N/m] */
    double by_rate;   /* dF/d(dL/dt) [N s/m] */
} saddle_tension;

typedef struct saddle_tension_law {
    const char *name;
    /* A status other than SADDLE_OK ends the step, with the force's name in the message. */
    saddle_status (*tension)(saddle_context *context, const void *data, double length, double rate,
                             saddle_tension *tension);
    /* its derivative by the length is F at rest [J]; NULL = none */
    double (*energy)(const void *data, double length);
    int stress;  /* 1: `tension` gives F/L and the derivatives of F/L (0.13): f = F/L (x_b - x_a)
                    is defined at L = 0 */
    int elastic; /* 1: F does not depend on dL/dt */
} saddle_tension_law;

typedef struct saddle_elastic { /* data of the ready-made laws; start from {0} */
    double stiffness;           /* k >= 0 [N/m] */
    double damping;             /* d >= 0 [N s/m] */
    double rest_length;         /* r >= 0; of "strain" > 0 [m] */
} saddle_elastic;

/* "linear", "string", "strain"; static storage; NULL: no such law */
SADDLE_API const saddle_tension_law *saddle_tension_law_find(const char *word);

typedef struct saddle_path_spring { /* start from {0}                                 default */
    const char *name;               /* copied; NULL is fine                           NULL */
    int64_t count;                  /* points, 2 .. SADDLE_ANCHORS_MAX                - */
    const saddle_path_point *path;  /* count, copied                                  - */
    const saddle_tension_law *law;  /* borrowed                                       - */
    const void *data;               /* bytes, copied; of a ready-made law a
                                       saddle_elastic                                 NULL */
    size_t bytes;                   /*                                                0 */
} saddle_path_spring;

/* saddle_model_force_data gives the copy of data, writable between steps.
 *
 * Points that coincide exert no force on each other.  K is zero there; but between two points with
 * F = 0 at L = 0, K is that of F = dF/dL L in every direction.  K is symmetric for an elastic law
 * without passive segments on particles and nodes.  The energy counts where the law has one and
 * every passive segment is between two points of one part.
 *
 * SADDLE_INVALID_ARGUMENT, the spring named: as saddle_model_add_force, too few or too many points,
 * a law without tension, no active segment, a number out of range; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_model_add_path_spring(saddle_model *model,
                                                      const saddle_path_spring *spring,
                                                      saddle_handle *force);

SADDLE_END_DECLARATIONS

#endif
