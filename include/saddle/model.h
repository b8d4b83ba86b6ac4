/* SPDX-License-Identifier: MIT */
/* A multibody model in maximal coordinates: the parts that move, what pushes them, what holds them.
 *
 *     M dv/dt = f(q, v, t) + J'lambda          q the positions, v the velocities of all parts
 *     phi(q, t) = 0, >= 0 or driven            dphi/dt = J v + phi_t
 *
 *     part        position                     velocity (columns)                              mass
 *     particle    x (3) [m]                    dx/dt (3), the world's axes [m/s]             m [kg]
 *     body   saddle_pose (12)   twist (nu, omega) (6), the body's axes, at its
 *         saddle_body_inertia
 *                                              frame's origin [m/s, rad/s]; pose <- pose exp(h
 *                                                  twist)
 *     nodes       x of each (3 x count) [m]    dx/dt of each                 sparse, with stiffness
 *     ground      -                            none
 *
 * A body's velocity equation is that of its axes, M dtwist/dt = ad(twist)' M twist + wrench: the
 * gyroscopic force is the model's. A prescribed part moves with the velocity that the host gives
 * it, whatever acts on it: it has no columns, and rows that hold others to it ask for b = -J_p v_p
 * (moving walls, driven supports: rheonomic constraints).
 *
 * Handles are values: {0} is the ground, or none.  A handle of something removed is refused by
 * name, even when its place has been taken since, and so is a handle of another model.  Definitions
 * are structs with defaults; what they point to is copied unless said.
 *
 * See saddle/constraint.h, joint.h, contact.h for what holds, assembly.h for the system, stepper.h
 * for the motion.
 */
#ifndef SADDLE_MODEL_H
#define SADDLE_MODEL_H

#include "saddle/inertia.h"
#include "saddle/matrix.h"
#include "saddle/pose.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_model saddle_model;

typedef enum saddle_item {                       /* what a handle stands for */
                           SADDLE_ITEM_NONE = 0, /* the ground */
                           SADDLE_ITEM_PARTICLE = 1,
                           SADDLE_ITEM_BODY = 2,
                           SADDLE_ITEM_NODES = 3,
                           SADDLE_ITEM_FORCE = 4,
                           SADDLE_ITEM_CONSTRAINT = 5 /* joints too */
} saddle_item;

typedef struct saddle_handle {
    int32_t index;
    uint16_t generation; /* 0 = the ground, or none */
    uint16_t item;       /* enum saddle_item */
    uint64_t model;      /* the model's own number */
} saddle_handle;

/* *model: released by saddle_model_free; NULL on failure.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_model_create(saddle_context *context, saddle_model **model);
SADDLE_API void saddle_model_free(saddle_model *model); /* NULL is fine */
SADDLE_API saddle_context *saddle_model_context(const saddle_model *model);

/* ---- parts ----
 *
 * Errors of all: SADDLE_INVALID_ARGUMENT with the part's name and what is wrong (a mass that is not
 * positive, an inertia that breaks the triangle inequality or is not positive definite, a pose that
 * is no rotation, a number that is not finite); SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE. */

typedef struct saddle_particle_def { /* start from zero */
    const char *name;                /* copied; NULL is fine (default: NULL) */
    double mass;                     /* > 0 [kg]; not read where prescribed (default: -) */
    double position[3];              /* [m] (default: 0) */
    double velocity[3];              /* [m/s] (default: 0) */
    int prescribed;                  /* 1: moves as the host says (default: 0) */
} saddle_particle_def;

typedef struct saddle_body_def { /* start from saddle_body_def_default() */
    const char *name;            /* copied; NULL is fine (default: NULL) */
    saddle_body_inertia inertia; /* moment about its centre of mass, body axes; not read where
                                    prescribed (default: -) */
    saddle_pose pose;            /* default: identity */
    double twist[6];             /* body axes [m/s, rad/s] (default: 0) */
    int prescribed;              /* 1: moves as the host says (default: 0) */
} saddle_body_def;

typedef struct saddle_nodes_def { /* start from zero */
    const char *name;             /* copied; NULL is fine (default: NULL) */
    int64_t count;                /* nodes, >= 1 (default: -) */
    const double *position;       /* 3 x count [m] (default: -) */
    const double *velocity;       /* 3 x count [m/s]; NULL = 0 (default: NULL) */
    const double *rest;        /* 3 x count: where K's force is zero [m]; NULL = position (default:
                                  NULL) */
    const saddle_matrix *mass; /* 3 count x 3 count, symmetric, positive definite [kg] (default:
                                  -) */
    const saddle_matrix *stiffness; /* K, 3 count x 3 count, symmetric: f = -K (x - rest) [N/m];
                                       NULL = 0 (default: NULL) */
    double damping_mass;            /* Rayleigh: f = -(a M + b K) v; a [1/s] (default: 0) */
    double damping_stiffness;       /* b [s] (default: 0) */
} saddle_nodes_def;

SADDLE_API saddle_body_def saddle_body_def_default(void);

SADDLE_API saddle_status saddle_model_add_particle(saddle_model *model,
                                                   const saddle_particle_def *def,
                                                   saddle_handle *part);
SADDLE_API saddle_status saddle_model_add_body(saddle_model *model, const saddle_body_def *def,
                                               saddle_handle *part);
SADDLE_API saddle_status saddle_model_add_nodes(saddle_model *model, const saddle_nodes_def *def,
                                                saddle_handle *part);

/* Any item.  SADDLE_INVALID_ARGUMENT: no such item any more, or a part that forces or constraints
 * still act on (the first is named). */
SADDLE_API saddle_status saddle_model_remove(saddle_model *model, saddle_handle item);

/* 1 = alive; the ground is */
SADDLE_API int saddle_model_has(const saddle_model *model, saddle_handle item);
/* "" when it has none */
SADDLE_API const char *saddle_model_name(const saddle_model *model, saddle_handle item);
/* the first; {0} when none */
SADDLE_API saddle_handle saddle_model_find(const saddle_model *model, const char *name);

/* The parts in the order they were added, for (i = 0; i < count; i++). */
SADDLE_API int64_t saddle_model_part_count(const saddle_model *model);
SADDLE_API saddle_handle saddle_model_part_at(const saddle_model *model, int64_t i);

/* ---- the state ---- */

/* (3) [m/s^2]; at first 0 */
SADDLE_API void saddle_model_set_gravity(saddle_model *model, const double *gravity);
SADDLE_API const double *saddle_model_gravity(const saddle_model *model);
/* [s]; at first 0 */
SADDLE_API void saddle_model_set_time(saddle_model *model, double time);
SADDLE_API double saddle_model_time(const saddle_model *model);

/* Where a part is and how it moves: 3, 12 (a saddle_pose) or 3 x count doubles; 3, 6 or 3 x count.
 * Owned by the model, the caller may write to them between steps; good until a part is added or
 * removed.  A pose whose R is not orthonormal to 1e-6, or mirrors, is refused by the next step.
 * NULL: no such part. */
SADDLE_API double *saddle_model_position(saddle_model *model, saddle_handle part);
SADDLE_API double *saddle_model_velocity(saddle_model *model, saddle_handle part);
/* NULL: no body */
SADDLE_API saddle_pose *saddle_model_pose(saddle_model *model, saddle_handle body);
/* NULL: none */
SADDLE_API const saddle_body_inertia *saddle_model_inertia(const saddle_model *model,
                                                           saddle_handle body);
/* particle 1, body 0 */
SADDLE_API int64_t saddle_model_node_count(const saddle_model *model, saddle_handle part);

/* A force on a part until the next step ends [N; N m], added to what is there: for particles and
 * nodes in the world's axes (3 x count), for bodies a wrench in their own axes at their origin (6).
 * SADDLE_INVALID_ARGUMENT. */
SADDLE_API saddle_status saddle_model_push(saddle_model *model, saddle_handle part,
                                           const double *force);

typedef struct saddle_energies {
    double kinetic;     /* [J] */
    double gravity;     /* - sum m g'c [J] */
    double elastic;     /* of nodes, and of forces that know their own [J] */
    double momentum[3]; /* linear, world [N s] */
    double moment[3];   /* angular, about the world's origin [N m s] */
} saddle_energies;

/* Prescribed parts are left out. */
SADDLE_API saddle_energies saddle_model_energies(saddle_model *model);

/* ---- what forces and constraints are asked about ---- */

/* One that takes part: a particle, a body, one node, the ground (its site is the identity pose,
 * size 6, at rest). */
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

/* ---- forces of the host's own ---- */

/* A status other than SADDLE_OK is passed on with the force's name.  Outputs are zero when asked
 * for. Small displacements d of an anchor are as its velocities: x + d, pose exp(d). */
typedef struct saddle_force_type {
    const char *name;
    /* force: count, each (size) [N; N m] */
    saddle_status (*evaluate)(saddle_context *context, const saddle_site *site,
                              double *const *force);
    /* K, D: count x count blocks, the block (a, b) at [a * count + b], size_a x size_b by columns:
     * K df_a/dx_b, D df_a/dv_b. NULL: an implicit integrator then takes the force as explicit. */
    saddle_status (*jacobians)(saddle_context *context, const saddle_site *site, double *const *K,
                               double *const *D);
    int symmetric; /* 1: K and D, as wholes, are symmetric: the system then stays so */
    double (*energy)(const saddle_site *site); /* potential [J]; NULL = it has none */
} saddle_force_type;

typedef struct saddle_force_def {  /* start from zero */
    const char *name;              /* copied; NULL is fine (default: NULL) */
    const saddle_force_type *type; /* borrowed (default: -) */
    int64_t count; /* anchors, 1 .. SADDLE_ANCHORS_MAX, no two the same (default: -) */
    const saddle_anchor *anchors; /* count (default: -) */
    const void *data;             /* bytes, copied (default: NULL) */
    size_t bytes;                 /* default: 0 */
} saddle_force_def;

/* SADDLE_INVALID_ARGUMENT: an anchor that is no such part, twice the same, a type without
 * evaluate. */
SADDLE_API saddle_status saddle_model_add_force(saddle_model *model, const saddle_force_def *def,
                                                saddle_handle *force);

/* The copied data, to be changed between steps; NULL: no such force. */
SADDLE_API void *saddle_model_force_data(saddle_model *model, saddle_handle force);

SADDLE_END_DECLARATIONS

#endif
