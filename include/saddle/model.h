/* SPDX-License-Identifier: MIT */
/* A multibody model in maximal coordinates: moving parts, forces, constraints.
 *
 *     M dv/dt = f(q, v, t) + J'lambda          q positions, v velocities of all parts
 *     phi(q, t) = 0, >= 0 or driven            dphi/dt = J v + phi_t
 *
 *     part       position               velocity (columns)                  mass
 *     particle   x (3) [m]              dx/dt (3), world axes [m/s]         m [kg]
 *     body       saddle_pose (12)       twist (nu, omega) (6), body axes,   saddle_body_inertia
 *                                       at the body's origin [m/s, rad/s]
 *     nodes      x (3 x count) [m]      dx/dt (3 x count) [m/s]             sparse, with stiffness
 *     coordinates q (k) [m, rad]        dq/dt (k) [m/s, rad/s]              none
 *     ground     -                      none                                -
 *
 * Poses move by pose <- pose exp(h twist).  The velocity equation of a body is written in its axes,
 * M dtwist/dt = ad(twist)'M twist + wrench; the gyroscopic force is part of the model.  A
 * prescribed part moves with the velocity set by the host, whatever acts on the part: prescribed
 * parts have no columns, and rows that connect other parts to them have b = -J_p v_p (moving walls,
 * driven supports).  An attached part follows others (saddle/attach.h); a part without mass, as a
 * marker or a via point, has to be attached before the first step.
 *
 * Handles are values; {0} is the ground, or no item.  The handle of a removed item is refused with
 * the item's name in the message, even after its place is used again, and so is a handle of another
 * model.  Definitions are structs with defaults.  Everything a definition points to is copied
 * unless stated.
 *
 * Constraints: saddle/constraint.h, joint.h, pin.h, rod.h; contacts: contact.h; the system of a
 * step: assembly.h; time stepping: stepper.h.
 */
#ifndef SADDLE_MODEL_H
#define SADDLE_MODEL_H

#include "saddle/inertia.h"
#include "saddle/matrix.h"
#include "saddle/pose.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_model saddle_model;

/* The sort of item that a handle stands for. */
typedef enum saddle_item {
    SADDLE_ITEM_NONE = 0, /* the ground */
    SADDLE_ITEM_PARTICLE = 1,
    SADDLE_ITEM_BODY = 2,
    SADDLE_ITEM_NODES = 3,
    SADDLE_ITEM_FORCE = 4,
    SADDLE_ITEM_CONSTRAINT = 5, /* joints, pins and rods too */
    SADDLE_ITEM_ATTACHMENT = 6, /* saddle/attach.h */
    SADDLE_ITEM_COORDINATES = 7 /* a part: of a joint in coordinates (saddle/joint.h) */
} saddle_item;

typedef struct saddle_handle {
    int32_t index;
    uint16_t generation; /* 0 = the ground */
    uint16_t item;       /* enum saddle_item */
    uint64_t model;      /* number of the model */
} saddle_handle;

/* *model: released by saddle_model_free; NULL on failure.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_model_create(saddle_context *context, saddle_model **model);
SADDLE_API void saddle_model_free(saddle_model *model); /* NULL is fine */
SADDLE_API saddle_context *saddle_model_context(const saddle_model *model);

/* ---- parts ----
 *
 * Errors: SADDLE_INVALID_ARGUMENT with the name of the part and the fault (a mass that is not
 * positive, an inertia that breaks the triangle inequality or is not positive definite, a pose that
 * is not a rotation, a number that is not finite or beyond 1e100); SADDLE_OUT_OF_MEMORY;
 * SADDLE_TOO_LARGE. */

typedef struct saddle_particle_def { /* start from {0}                                 default */
    const char *name;                /* copied; NULL is fine                           NULL */
    double mass;                     /* > 0 [kg]; not read of a prescribed or massless
                                        particle                                       - */
    double position[3];              /* [m]                                            0 */
    double velocity[3];              /* [m/s]                                          0 */
    int prescribed;                  /* 1: moves with the velocity set by the host     0 */
    int massless;                    /* 1: no mass, to be attached (saddle/attach.h)   0 */
} saddle_particle_def;

typedef struct saddle_body_def { /* start from saddle_body_def_default()               default */
    const char *name;            /* copied; NULL is fine                               NULL */
    saddle_body_inertia inertia; /* body axes; moment about the centre of mass; not
                                    read of a prescribed or massless body              - */
    saddle_pose pose;            /* body to world                                      identity */
    double twist[6];             /* body axes [m/s, rad/s]                             0 */
    int prescribed;              /* 1: moves with the velocity set by the host         0 */
    int massless;                /* 1: no inertia, to be attached (saddle/attach.h)    0 */
} saddle_body_def;

typedef struct saddle_nodes_def {   /* start from {0}                                  default */
    const char *name;               /* copied; NULL is fine                            NULL */
    int64_t count;                  /* nodes, >= 1                                     - */
    const double *position;         /* 3 x count [m]                                   - */
    const double *velocity;         /* 3 x count [m/s]; NULL = 0                       NULL */
    const double *rest;             /* 3 x count [m], where K's force is zero;
                                       NULL = position                                 NULL */
    const saddle_matrix *mass;      /* 3 count x 3 count, symmetric, positive
                                       definite [kg]                                   - */
    const saddle_matrix *stiffness; /* K, 3 count x 3 count, symmetric,
                                       f = -K (x - rest) [N/m]; NULL = 0               NULL */
    double damping_mass;            /* a of f = -(a M + b K) v (Rayleigh) [1/s]        0 */
    double damping_stiffness;       /* b [s]                                           0 */
} saddle_nodes_def;

SADDLE_API saddle_body_def saddle_body_def_default(void);

SADDLE_API saddle_status saddle_model_add_particle(saddle_model *model,
                                                   const saddle_particle_def *def,
                                                   saddle_handle *part);
SADDLE_API saddle_status saddle_model_add_body(saddle_model *model, const saddle_body_def *def,
                                               saddle_handle *part);
SADDLE_API saddle_status saddle_model_add_nodes(saddle_model *model, const saddle_nodes_def *def,
                                                saddle_handle *part);

/* Removes any item.  A model is taken apart in linear time from either end of the order of adding.
 * SADDLE_INVALID_ARGUMENT: no such item, or a part that forces, constraints or attachments still
 * act on (the first is named). */
SADDLE_API saddle_status saddle_model_remove(saddle_model *model, saddle_handle item);

/* 1: the item exists; the ground does */
SADDLE_API int saddle_model_has(const saddle_model *model, saddle_handle item);
/* "" for an item without a name */
SADDLE_API const char *saddle_model_name(const saddle_model *model, saddle_handle item);
/* the first item of the name; {0} = none */
SADDLE_API saddle_handle saddle_model_find(const saddle_model *model, const char *name);

/* The parts in the order of adding: for (i = 0; i < count; i++). */
SADDLE_API int64_t saddle_model_part_count(const saddle_model *model);
SADDLE_API saddle_handle saddle_model_part_at(const saddle_model *model, int64_t i);

/* ---- state ---- */

/* gravity (3) [m/s^2]; 0 in a new model */
SADDLE_API void saddle_model_set_gravity(saddle_model *model, const double *gravity);
SADDLE_API const double *saddle_model_gravity(const saddle_model *model);
/* [s]; 0 in a new model */
SADDLE_API void saddle_model_set_time(saddle_model *model, double time);
SADDLE_API double saddle_model_time(const saddle_model *model);

/* Position and velocity of a part: 3, 12 (a saddle_pose), 3 x count or k doubles; 3, 6, 3 x count
 * or k.
 * Owned by the model; the caller may write between steps.  Valid until a part is added or removed.
 * The next step refuses a pose whose R is mirrored or not orthonormal to 1e-6.  NULL: no such
 * part. */
SADDLE_API double *saddle_model_position(saddle_model *model, saddle_handle part);
SADDLE_API double *saddle_model_velocity(saddle_model *model, saddle_handle part);
/* 3, 6, 3 x count or k; 0: no such part */
SADDLE_API int64_t saddle_model_part_velocities(const saddle_model *model, saddle_handle part);
/* NULL: not a body */
SADDLE_API saddle_pose *saddle_model_pose(saddle_model *model, saddle_handle body);
/* NULL: not a body */
SADDLE_API const saddle_body_inertia *saddle_model_inertia(const saddle_model *model,
                                                           saddle_handle body);
/* 1 for a particle, 0 for a body and coordinates */
SADDLE_API int64_t saddle_model_node_count(const saddle_model *model, saddle_handle part);

/* Adds a force on a part, until the next step ends [N; N m]: world axes for particles and nodes
 * (3 x count), for bodies a wrench in body axes at the body's origin (6), along coordinates (k).
 * SADDLE_INVALID_ARGUMENT. */
SADDLE_API saddle_status saddle_model_push(saddle_model *model, saddle_handle part,
                                           const double *force);

typedef struct saddle_energies {
    double kinetic;     /* [J] */
    double gravity;     /* - sum m g'c [J] */
    double elastic;     /* of nodes, and of forces with an energy function [J] */
    double momentum[3]; /* linear, world axes [N s] */
    double moment[3];   /* angular, about the world's origin [N m s] */
} saddle_energies;

/* Sums over all parts but the prescribed ones. */
SADDLE_API saddle_energies saddle_model_energies(saddle_model *model);

/* ---- arguments of forces and constraints ---- */

/* A point of attachment: a particle, a body, one node, or the ground (an identity pose at rest, of
 * size 6). */
typedef struct saddle_anchor {
    saddle_handle part;
    int64_t node; /* of nodes; else 0 */
} saddle_anchor;

enum { SADDLE_ANCHORS_MAX = 64 };

typedef struct saddle_site {
    const void *data;
    double time;                   /* [s] */
    int64_t count;                 /* anchors */
    const int64_t *size;           /* count: velocities of each, 3 or 6 */
    const double *const *position; /* count: x (3) or a saddle_pose (12 doubles) */
    const double *const *velocity; /* count: (size) */
} saddle_site;

/* ---- forces defined by the host ---- */

/* A status other than SADDLE_OK ends the step, with the force's name in the message.  Outputs are
 * zero on entry.  A small displacement d of an anchor is written like its velocity: x + d,
 * pose exp(d). */
typedef struct saddle_force_type {
    const char *name;
    /* force: count vectors, each (size) [N; N m] */
    saddle_status (*evaluate)(saddle_context *context, const saddle_site *site,
                              double *const *force);
    /* K = df_a/dx_b, D = df_a/dv_b: count x count blocks, block (a, b) at [a * count + b], size_a x
     * size_b by columns.  NULL: explicit in all integrators. */
    saddle_status (*jacobians)(saddle_context *context, const saddle_site *site, double *const *K,
                               double *const *D);
    int symmetric; /* 1: K and D as wholes are symmetric, so the system stays symmetric */
    double (*energy)(const saddle_site *site); /* potential [J]; NULL = none */
    /* M: count x count blocks as of K, symmetric positive semidefinite, added to the mass matrix at
     * once; the forces of its change with the positions belong to evaluate.  NULL = no mass */
    saddle_status (*mass)(saddle_context *context, const saddle_site *site, double *const *M);
    double (*kinetic)(const saddle_site *site); /* v'Mv/2 [J]; NULL = none */
} saddle_force_type;

typedef struct saddle_force_def {  /* start from {0}                                   default */
    const char *name;              /* copied; NULL is fine                             NULL */
    const saddle_force_type *type; /* borrowed                                         - */
    int64_t count;                 /* anchors, 1 .. SADDLE_ANCHORS_MAX                 - */
    const saddle_anchor *anchors;  /* count, all different                             - */
    const void *data;              /* bytes, copied                                    NULL */
    size_t bytes;                  /*                                                  0 */
} saddle_force_def;

/* SADDLE_INVALID_ARGUMENT: an anchor on no part, two equal anchors, a type without evaluate. */
SADDLE_API saddle_status saddle_model_add_force(saddle_model *model, const saddle_force_def *def,
                                                saddle_handle *force);

/* The copied data, writable between steps; NULL: no such force. */
SADDLE_API void *saddle_model_force_data(saddle_model *model, saddle_handle force);

SADDLE_END_DECLARATIONS

#endif
