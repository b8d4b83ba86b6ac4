/* SPDX-License-Identifier: MIT */
/* The contents of a model, shared by the files of assembly/.
 *
 * Parts, forces and constraints lie in three pools.  The place of a removed item is used again,
 * with the next generation in its handle.  A pool's `order` lists the places in use in the order of
 * adding; every walk over a model follows that order.  Positions and velocities of all parts lie in
 * two arrays in the order of the parts, so the velocities of a model without prescribed parts are
 * the vector v of its system.
 */
#ifndef SADDLE_ASSEMBLY_MODEL_INTERNAL_H
#define SADDLE_ASSEMBLY_MODEL_INTERNAL_H

#include <math.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "base/vector.h"
#include "saddle/attach.h"
#include "saddle/constraint.h"
#include "saddle/model.h"

typedef struct saddle__item_pool {
    int32_t count;    /* places in use */
    int32_t size;     /* places ever used */
    int32_t used;     /* places before this one are in use, or retired */
    int32_t retired;  /* free places whose generations are used up */
    int32_t capacity; /* places allocated */
    int32_t *order;   /* count: places in the order of adding, within .. */
    int32_t *block;   /* .. capacity; owned */
} saddle__item_pool;

/* The beginning of every item. */
typedef struct saddle__item_head {
    uint16_t generation; /* 0 = never used */
    uint16_t item;       /* enum saddle_item; NONE = the place is free */
    char *name;          /* owned; NULL = none */
} saddle__item_head;

/* An attached point, or body: which attachment, which of its points; tie -1 = not attached. */
typedef struct saddle__followed {
    int32_t tie;
    int64_t point;
    int64_t edition;               /* of the model when `moves` was found */
    int moves;                     /* 1: follows a part that is not prescribed */
    int64_t asked;                 /* masters asked for that, */
    struct saddle__followed *from; /* and the point that follows this one and asks */
    int64_t root_edition;          /* of the model when `root` was found */
    saddle_anchor root;
} saddle__followed;

/* How prescribed coordinates of a joint move. */
typedef struct saddle__told {
    double velocity[6], acceleration[6]; /* in a step; in saddle_assembly_accelerations */
} saddle__told;

typedef struct saddle__item_part {
    saddle__item_head head;
    int prescribed, massless;
    int64_t position;           /* first entry in model->position */
    int64_t velocity;           /* first entry in model->velocity and model->push */
    int64_t position_size;      /* 3, 12 or 3 x nodes */
    int64_t size;               /* velocities: 3, 6 or 3 x nodes */
    int64_t users;              /* forces, constraints and attachments on the part */
    int64_t leads;              /* masters of attachments that the part is, or its points are */
    int64_t walk;               /* the last walk that has met the part, */
    int32_t next;               /* and the part to visit after it there, -1 = none */
    saddle__followed *followed; /* a node each, owned; NULL = nothing of the part is attached */
    const saddle__told *told;   /* of a prescribed joint, the joint's; NULL = the host's velocity */
    double mass;                /* particle */
    saddle_body_inertia inertia;
    double *rest;       /* nodes: 3 x count, owned */
    saddle_matrix M, K; /* nodes: owned; K may be 0 x 0 */
    double damping_mass, damping_stiffness;
    /* nodes of a mesh: its elements by kind, nodes one after another, owned; else NULL */
    int64_t elements[SADDLE_ELEMENT_HEXAHEDRON + 1];
    int64_t *element[SADDLE_ELEMENT_HEXAHEDRON + 1];
} saddle__item_part;

/* A force or a constraint between anchors. */
typedef struct saddle__item_link {
    saddle__item_head head;
    const saddle_force_type *force;           /* NULL for a constraint */
    const saddle_constraint_type *constraint; /* NULL for a force */
    int64_t count;
    saddle_anchor *anchors; /* count, owned */
    void *data;             /* owned */
    /* called after every motion of the model, to count turns; NULL = nothing to do */
    void (*moved)(const saddle_site *site, void *data);
    /* 1: K or D is not symmetric with the data as written last; NULL = as the type says */
    int (*unsymmetric)(const void *data);
    /* saddle_model_link_points; NULL = a point of each anchor */
    int64_t (*points)(const saddle_site *site, double *x);
    const char *kind;    /* saddle_model_link_kind; NULL = the type's name */
    saddle_handle tie;   /* of a joint in coordinates; {0} = none */
    int64_t serial;      /* constraints: a number never used twice, for the ids of rows */
    int64_t rows;        /* constraints */
    saddle_row_def *row; /* constraints: rows, owned */
    int64_t coupled;     /* constraints: rows coupled by C and D */
    double *coupling;    /* owned; of coupled^2 each: C, D, R, P, workspace of 3 */
} saddle__item_link;

typedef enum saddle__tie_kind {
    SADDLE__POINT,           /* data: of each point and master w, c (4) */
    SADDLE__BODY_ON_BODY,    /* pose: T */
    SADDLE__BODY_ON_BODIES,  /* data: weights, T of each (12) */
    SADDLE__BODY_ON_POINTS,  /* data: masters at rest (3 each), weights */
    SADDLE__BODY_IN_ELEMENT, /* data: nodes at rest (3 each) */
    SADDLE__BODY_ON_JOINT    /* motion; masters: 1, or 0 on the ground */
} saddle__tie_kind;

/* An attachment. */
typedef struct saddle__item_tie {
    saddle__item_head head;
    saddle__tie_kind kind;
    saddle_element_kind element;
    saddle_handle part;
    int64_t count;     /* attached points, or bodies */
    int64_t *node;     /* count, owned; 0 of a particle or body */
    int64_t masters;   /* of each */
    int64_t sets;      /* of masters: 1 = the same for all, or count */
    saddle_anchor *to; /* masters x sets, owned */
    double *data;      /* owned */
    saddle_pose pose;  /* of a body at rest; T */
    /* of a joint in coordinates */
    saddle_handle joint, coordinates;
    struct saddle__joint_motion *motion; /* owned */
} saddle__item_tie;

struct saddle_model {
    saddle_context *context;
    uint64_t number; /* differs between models; part of every handle */
    double time;
    double gravity[3];
    int joint_form;        /* of joints without one of their own; 0 = rows */
    int64_t prescriptions; /* prescribed joints */
    int64_t edition;       /* counts additions and removals of items */
    int64_t serial;        /* of the next constraint */
    int64_t walk;          /* number of the last walk from followers to masters */
    saddle__item_pool parts, forces, constraints, ties;
    saddle__item_part *part;
    saddle__item_link *force, *constraint;
    saddle__item_tie *tie;
    int64_t positions, velocities; /* doubles in use */
    int holes;                     /* 1: with those of removed parts among them */
    double *position, *velocity, *push;
    int64_t position_capacity, velocity_capacity, push_capacity;
};

/* ---- items ---- */

/* The item of a handle; NULL: no such item, another sort of item, the ground. */
saddle__item_part *saddle__model_part(const saddle_model *model, saddle_handle handle);
saddle__item_link *saddle__model_force(const saddle_model *model, saddle_handle handle);
saddle__item_link *saddle__model_constraint(const saddle_model *model, saddle_handle handle);

static inline saddle_handle saddle__model_handle(const saddle_model *model,
                                                 const saddle__item_head *head, int32_t place)
{
    return (saddle_handle){place, head->generation, head->item, model->number};
}

static inline int saddle__handle_is_ground(saddle_handle handle)
{
    return handle.generation == 0 && handle.item == SADDLE_ITEM_NONE;
}

static inline int saddle__handles_are_same(saddle_handle a, saddle_handle b)
{
    return a.index == b.index && a.generation == b.generation && a.item == b.item &&
           a.model == b.model;
}

/* Adds the constraint of a definition, or with force != NULL a force with the definition's name,
 * anchors and data, all copied.  SADDLE_INVALID_ARGUMENT: unsound anchors, no anchor on a moving
 * part. */
saddle_status saddle__model_add_link(saddle_model *model, const saddle_force_type *force,
                                     const saddle_constraint_def *def, saddle_handle *handle);

/* Largest error of rotations in definitions and of sums of weights; of poses, normals and tangents
 * that the host writes between steps (single precision passes, a scaled matrix does not), and of
 * initial overlaps [m]. */
#define SADDLE__DEFINED_TOLERANCE 1e-9
#define SADDLE__WRITTEN_TOLERANCE 1e-6

/* The largest modulus of a number in a definition or a state: a mass times the square of a velocity
 * is a number still. */
#define SADDLE__LARGEST 1e100

/* ---- pools ---- */

/* *copy: of count * size bytes of data; NULL for NULL or 0 bytes.  SADDLE_OUT_OF_MEMORY. */
saddle_status saddle__copy_block(saddle_context *context, const void *data, int64_t count,
                                 size_t size, void **copy);

/* Adds massless coordinates with q, dq (count). */
saddle_status saddle__model_add_coordinates(saddle_model *model, int64_t count, const double *q,
                                            const double *dq, saddle_handle *part);

/* Positions and velocities of the parts stand one after another again, after removals.  Public
 * functions that return pointers to them, add parts or compile the model begin with this. */
void saddle__model_settle(saddle_model *model);

/* ---- attachments ---- */

/* The attachment of a handle; NULL: no such attachment. */
saddle__item_tie *saddle__model_tie(const saddle_model *model, saddle_handle handle);

/* Releases the contents of an attachment; half-built ones are fine. */
void saddle__clear_tie(saddle_context *context, saddle__item_tie *tie);

/* Adds an attachment of checked contents, which are the model's then; on failure they are released.
 * SADDLE_INVALID_ARGUMENT: a node twice. */
saddle_status saddle__model_add_tie(saddle_model *model, saddle__item_tie *made,
                                    saddle_handle *attachment);

/* The masters of point k. */
static inline const saddle_anchor *saddle__tie_masters(const saddle__item_tie *tie, int64_t k)
{
    return tie->to + (tie->sets > 1 ? k * tie->masters : 0);
}

/* 0: the anchor is on the ground or a prescribed part, or follows such anchors alone. */
int saddle__anchor_moves(const saddle_model *model, saddle_anchor anchor);

/* The anchor itself, or, while it follows one master rigidly, its master. */
saddle_anchor saddle__anchor_root(const saddle_model *model, saddle_anchor anchor);

/* Nodes of a part; 1 of others. */
static inline int64_t saddle__part_points(const saddle__item_part *part)
{
    return part->head.item == SADDLE_ITEM_NODES ? part->size / 3 : 1;
}

/* ---- numbers of definitions ---- */

typedef enum saddle__range {
    SADDLE__ANY,      /* -LARGEST .. LARGEST */
    SADDLE__AMOUNT,   /* 0 .. LARGEST */
    SADDLE__POSITIVE, /* 1 / LARGEST .. LARGEST */
    SADDLE__SHARE,    /* 0 .. 1 */
    SADDLE__STRENGTH  /* 0 .. infinity */
} saddle__range;

typedef struct saddle__numbers { /* a field of a definition */
    const char *field;
    saddle__range range;
    int64_t count;
    const double *x;
} saddle__numbers;

/* SADDLE_INVALID_ARGUMENT, "body 'arm': position[0] is 1e+200, not within -1e+100 .. 1e+100", for
 * the first number out of its range. */
saddle_status saddle__check_numbers(const saddle_model *model, const char *word, const char *name,
                                    size_t fields, const saddle__numbers *field);

/* ---- messages ---- */

/* "body 'tibia'", "body 3" or "the ground" into text[size]. */
void saddle__model_describe(const saddle_model *model, saddle_handle item, char *text, size_t size);

/* SADDLE_INVALID_ARGUMENT, "BEFORE item AFTER". */
saddle_status saddle__refuse_item(const saddle_model *model, const char *before, saddle_handle item,
                                  const char *after);

/* SADDLE_INVALID_ARGUMENT, "rod 'tie': ...", for an item that is not in the model yet. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
saddle_status
saddle__refuse_new(const saddle_model *model, const char *word, const char *name,
                   const char *format, ...);

/* saddle_compliance_check with a message as of saddle__refuse_new. */
saddle_status saddle__check_compliance(const saddle_model *model, const char *word,
                                       const char *name, const saddle_compliance *compliance);

/* saddle_compliance_matrix of checked arguments, count >= 1; work: 3 count x count, pivot: count
 * numbers. */
saddle_status saddle__compliance_matrix(saddle_context *context, int64_t count, const double *C,
                                        const double *D, double beta, double gamma, double eta,
                                        double *work, int *pivot, double *R, double *P);

/* status, with the item's name in front of the context's message; SADDLE_OK is passed through. */
saddle_status saddle__model_pass_on(const saddle_model *model, saddle_handle item,
                                    saddle_status status);

/* All forces, then all constraints: 0 .. saddle__link_count - 1. */
static inline int64_t saddle__link_count(const saddle_model *model)
{
    return (int64_t)model->forces.count + model->constraints.count;
}

static inline const saddle__item_link *saddle__link_at(const saddle_model *model, int64_t k)
{
    const int64_t forces = model->forces.count;
    return k < forces ? &model->force[model->forces.order[k]]
                      : &model->constraint[model->constraints.order[k - forces]];
}

/* ---- sites ---- */

typedef struct saddle__site_buffer { /* the arrays of a site, on the stack */
    int64_t size[SADDLE_ANCHORS_MAX];
    const double *position[SADDLE_ANCHORS_MAX];
    const double *velocity[SADDLE_ANCHORS_MAX];
} saddle__site_buffer;

/* The site of checked anchors. */
saddle_site saddle__model_site(const saddle_model *model, int64_t count,
                               const saddle_anchor *anchors, const void *data,
                               saddle__site_buffer *buffer);

/* x (3): point c of anchor k; of a body in its axes, NULL = the origin; else not read. */
void saddle__site_point(const saddle_site *site, int64_t k, const double *c, double *x);

/* Calls `moved` of every force and constraint; to be called after every change of positions. */
void saddle__model_moved(saddle_model *model);

/* 1: row i of a constraint is held exactly: HOLD, without compliance, without a finite strength. */
static inline int saddle__row_is_hard(const saddle__item_link *constraint, int64_t i)
{
    const saddle_row_def *row = &constraint->row[i];
    return i >= constraint->coupled && row->purpose == SADDLE_PURPOSE_HOLD &&
           row->compliance.alpha == 0 && isinf(row->strength);
}

/* A walk over the rows of all constraints: start from {model, .row = -1}. */
typedef struct saddle__row_walk {
    const saddle_model *model;
    int64_t row;               /* number of the row in the system */
    const saddle_row_def *def; /* of the row */
    const saddle__item_link *constraint;
    int64_t i;    /* of the row in the constraint */
    int32_t link; /* of the next row: its constraint, */
    int64_t next; /* and its number in the constraint */
} saddle__row_walk;
int saddle__next_row(saddle__row_walk *walk); /* 0: there are no more */

static inline int saddle__next_hard_row(saddle__row_walk *walk)
{
    while (saddle__next_row(walk))
        if (saddle__row_is_hard(walk->constraint, walk->i)) return 1;
    return 0;
}

#endif
