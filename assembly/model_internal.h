/* SPDX-License-Identifier: MIT */
/* What a model is made of, shared by the files of assembly/.
 *
 * Parts, forces and constraints live in three pools whose places are used again with another
 * generation; `order` lists the places in use in the order of adding, and everything that walks a
 * model walks by it.  Positions and velocities of all parts stand in two arrays in that order, so
 * that a model without prescribed parts has v as it stands.
 */
#ifndef SADDLE_ASSEMBLY_MODEL_INTERNAL_H
#define SADDLE_ASSEMBLY_MODEL_INTERNAL_H

#include "saddle/collider.h"
#include "saddle/constraint.h"
#include "saddle/joint.h"
#include "saddle/model.h"

typedef struct saddle__pool {
    int32_t count;   /* places in use */
    int32_t size;    /* places ever used */
    int32_t retired; /* free, but never used again: no generation is left */
    int32_t capacity;
    int32_t *order; /* count: places in the order of adding */
} saddle__pool;

typedef struct saddle__part {
    uint16_t generation; /* 0 = never used; places free have item NONE */
    uint16_t item;       /* enum saddle_item */
    int prescribed;
    char *name;                  /* owned; NULL = none */
    int64_t position;            /* where it begins in model->position */
    int64_t velocity;            /* where it begins in model->velocity, push */
    int64_t position_size;       /* 3, 12, 3 x nodes */
    int64_t size;                /* velocities: 3, 6, 3 x nodes */
    int64_t users;               /* forces and constraints with an anchor on it */
    double mass;                 /* particle */
    saddle_body_inertia inertia; /* body */
    double *rest;                /* nodes: 3 x count, owned */
    saddle_matrix M, K;          /* nodes, owned; K may be 0 x 0 */
    double damping_mass, damping_stiffness;
} saddle__part;

typedef struct saddle__force {
    uint16_t generation;
    uint16_t item;
    char *name;
    const saddle_force_type *type;
    int64_t count;
    saddle_anchor *anchors;                             /* owned */
    void *data;                                         /* owned */
    void (*moved)(const saddle_site *site, void *data); /* as a constraint's */
} saddle__force;

typedef struct saddle__constraint {
    uint16_t generation;
    uint16_t item;
    char *name;
    const saddle_constraint_type *type;
    int64_t serial; /* never used twice: row ids are made of it */
    int64_t count;
    saddle_anchor *anchors; /* owned */
    int64_t rows;
    saddle_row_def *row; /* rows, owned */
    void *data;          /* owned */
    /* called when the model has moved by a step, to count turns; NULL = nothing to do */
    void (*moved)(const saddle_site *site, void *data);
} saddle__constraint;

struct saddle_model {
    saddle_context *context;
    uint64_t number; /* another for each model: handles carry it */
    double time;
    double gravity[3];
    int64_t edition; /* grows whenever an item comes or goes */
    int64_t serial;  /* of the next constraint */
    saddle__pool parts, forces, constraints;
    saddle__part *part;
    saddle__force *force;
    saddle__constraint *constraint;
    int64_t positions, velocities; /* doubles in use */
    double *position, *velocity, *push;
    int64_t position_room, velocity_room, push_room;
};

/* The model of a collider's shapes. */
const saddle_model *saddle__collider_model(const saddle_collider *collider);

/* The item a handle stands for, NULL where it is not (any more) one of that sort;
 * saddle__model_part: no ground. */
saddle__part *saddle__model_part(const saddle_model *model, saddle_handle handle);
saddle__force *saddle__model_force(const saddle_model *model, saddle_handle handle);
saddle__constraint *saddle__model_constraint(const saddle_model *model, saddle_handle handle);

/* "body 3 'tibia'" or "the ground" into text[size]: how messages name an item. */
void saddle__model_describe(const saddle_model *model, saddle_handle item, char *text, size_t size);

/* "rod 'tie'", "rod" where name is NULL, into text[size], cut off at 120 characters of the name:
 * how messages name what is not in the model yet.  saddle__refuse_new: SADDLE_INVALID_ARGUMENT,
 * "rod 'tie': wrong". */
void saddle__describe_new(const char *kind, const char *name, char *text, size_t size);
saddle_status saddle__refuse_new(const saddle_model *model, const char *kind, const char *name,
                                 const char *wrong);

/* saddle_compliance_check, its message after subject. */
saddle_status saddle__check_compliance(const saddle_model *model, const char *subject,
                                       const saddle_compliance *compliance);

/* status, with the message that was left with it after the item's name: what a type of the host's
 * answered. */
saddle_status saddle__model_pass_on(const saddle_model *model, saddle_handle item,
                                    saddle_status status);

/* ---- sites ---- */

typedef struct saddle__site_room { /* what a site points to, on the stack */
    int64_t size[SADDLE_ANCHORS_MAX];
    const double *position[SADDLE_ANCHORS_MAX];
    const double *velocity[SADDLE_ANCHORS_MAX];
} saddle__site_room;

/* A site for anchors that have been checked (all of saddle_model_add_force and _constraint are). */
saddle_site saddle__model_site(const saddle_model *model, int64_t count,
                               const saddle_anchor *anchors, const void *data,
                               saddle__site_room *room);

/* Positions are others than before: constraints and forces that count turns count on.  What moves a
 * model calls this. */
void saddle__model_moved(saddle_model *model);

/* Velocities of an anchor, 3 or 6, and where they begin in model->velocity; -1 = the ground. */
int64_t saddle__model_anchor_size(const saddle_model *model, saddle_anchor anchor);
int64_t saddle__model_anchor_velocity(const saddle_model *model, saddle_anchor anchor);

/* What a constraint says, and the room for it: about 60 kB, not for the stack. */
typedef struct saddle__constraint_room {
    saddle__site_room site;
    double phi[SADDLE_CONSTRAINT_ROWS_MAX], rate[SADDLE_CONSTRAINT_ROWS_MAX];
    double *block[SADDLE_ANCHORS_MAX];
    double J[SADDLE_CONSTRAINT_ROWS_MAX * 6 * SADDLE_ANCHORS_MAX];
} saddle__constraint_room;

/* room->phi, rate, block <- evaluate at site. */
saddle_status saddle__constraint_values(saddle_model *model, const saddle__constraint *constraint,
                                        const saddle_site *site, saddle__constraint_room *room);

/* Adds a constraint as saddle_model_add_constraint does, with data owned by the model afterwards
 * (released by saddle_release) and a function for turns; on failure data is still the caller's. */
saddle_status saddle__model_add_owned_constraint(saddle_model *model,
                                                 const saddle_constraint_def *def, void *data,
                                                 void (*moved)(const saddle_site *site, void *data),
                                                 saddle_handle *constraint);

#endif
