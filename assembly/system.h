/* SPDX-License-Identifier: MIT */
/* A compiled model, shared by the files system_*.c and contact.c: the place of every part, anchor,
 * row and block in the arrays of the problem.
 *
 * The anchors of all forces, then of all constraints, lie one after another in arrays, so a site
 * consists of pointers into these arrays and no step searches.  Entries of J are stored row by row:
 * the rows of a constraint are columns of J' of one width, and the entries of an anchor begin at
 * one offset in each of them.  Rows of angles have widths and offsets of their own, without the
 * linear velocities of bodies.
 *
 * A slot is the rows for one contact; its columns stay in the pattern.  Slots with the same columns
 * and as many rows form a group.  A contact of the last update keeps its slot, a new contact takes
 * the first free slot of its group.  Two hash tables with open addressing lead from contact ids to
 * slots and from columns to groups.  Memory is allocated only when the pattern grows.
 */
#ifndef SADDLE_ASSEMBLY_SYSTEM_H
#define SADDLE_ASSEMBLY_SYSTEM_H

#include <stdint.h>
#include <string.h>

#include "base/layout.h"
#include "model_internal.h"
#include "saddle/assembly.h"
#include "saddle/elimination.h"

/* A compiled force or constraint. */
typedef struct saddle__system_link {
    const saddle__item_link *item; /* in the model's pool, unchanged while the edition is */
    int has_prescribed;            /* 1: some anchor is on a prescribed part */
    int64_t count, anchor;         /* anchors; the first in the assembly's arrays */
    int64_t size;                  /* velocities of all anchors */
    int64_t map;                   /* first entry in the assembly's map; -1 = no blocks in M */
    int64_t row, rows;             /* constraints */
    int64_t width[2];              /* entries of a row of J; of a row of angles */
} saddle__system_link;

/* The anchors of all forces and constraints. */
typedef struct saddle__system_anchors {
    int64_t *size;           /* velocities, 3 or 6 */
    int64_t *column;         /* first; -1 = the ground or a prescribed part */
    int64_t *offset[2];      /* in a row of J, in a row of angles; -1 as above */
    const double **position; /* in the model's state */
    const double **velocity;
} saddle__system_anchors;

/* A compiled part. */
typedef struct saddle__system_part {
    int32_t place;  /* in the model's pool */
    int64_t column; /* first; -1 = prescribed, in a model without attachments */
} saddle__system_part;

/* K, D and force of one force or constraint, and pointers to their blocks. */
typedef struct saddle__block_buffer {
    double *K, *D, *force; /* size x size, size x size, size: velocities of all anchors */
    double **block_K, **block_D, **block_force;
} saddle__block_buffer;

enum { SADDLE__SLOT_COLUMNS = SADDLE_CONTACT_NODES_MAX * 2 };

typedef struct saddle__slot_columns { /* of the moving parts of a contact's two sides */
    int64_t rows;                     /* of the contact: 3, with torsion or rolling 4 to 6 */
    int64_t count;
    int64_t column[SADDLE__SLOT_COLUMNS]; /* first columns, ascending */
    int64_t size[SADDLE__SLOT_COLUMNS];   /* 3 or 6 */
} saddle__slot_columns;

typedef struct saddle__slot_group {
    saddle__slot_columns columns;
    int64_t width; /* entries of a row of J */
    int64_t slots;
    int64_t free;    /* list of the slots not taken, ascending; -1 = none */
    int64_t missing; /* slots wanted beyond the existing ones */
} saddle__slot_group;

typedef struct saddle__slot {
    int64_t id; /* of the contact; -1 = empty */
    int64_t group;
    int64_t next;   /* in the group's list of free slots; -1 = the last */
    int taken;      /* 1: by a contact of the present update */
    int reserved;   /* 1: made by saddle_assembly_reserve, never removed */
    int64_t idle;   /* updates since the slot was taken */
    int is_new;     /* 1: the contact has had no values yet */
    double slow;    /* part of the contact's first overlap not yet separated [m] */
    double overlap; /* at the last update [m] */
    double since;   /* time of the last update [s] */
    double force[SADDLE_CONTACT_ROWS]; /* of the contact's rows in the last step */
} saddle__slot;

typedef struct saddle__slots {
    int64_t count, capacity;
    saddle__slot *slot;
    int64_t group_count, group_capacity;
    saddle__slot_group *group;
    int64_t group_places, id_places; /* sizes of the hash tables, powers of two */
    int64_t *group_table, *id_table; /* groups and slots; -1 = empty */
    int64_t contact_count, contact_capacity;
    int64_t *slot_of, *group_of; /* of the contacts of the present update; -1 = none */
} saddle__slots;

/* A particle or body with mass that moves rigidly with an active body, by places. */
typedef struct saddle__rigid {
    int32_t root, place;
} saddle__rigid;

/* The model's attachments; graph NULL = none. */
typedef struct saddle__system_attached {
    saddle_attachments *graph; /* the values of the last update */
    saddle_couplings *couplings;
    int64_t *component; /* by place of a part: id and index of its first component */
    /* components: ELIMINATE of children of joints, of what has no mass or is prescribed */
    saddle_wish *wish;
    int64_t joints;     /* in coordinates */
    int64_t count;      /* attached and prescribed velocities */
    int64_t *bound;     /* (n): number among these; -1 = active */
    signed char *light; /* (n): 1 = prescribed, or without mass */
    double *velocity;   /* (n): A v of the last update at attached velocities */
    int64_t rigid_count;
    saddle__rigid *rigid; /* in order of roots */
    saddle_matrix K;      /* of geometric stiffness; 0 x 0 = not asked for */
    int turns;            /* 1: some master or attached part is a body: A changes */
} saddle__system_attached;

struct saddle_assembly {
    saddle_model *model;
    saddle_context *context;
    saddle_assembly_options options;
    int64_t edition;        /* of the model when compiled */
    int implicit;           /* 1: M's pattern holds K and D; set by the first stage with K or D */
    int changed;            /* 1: the pattern has changed since the last update */
    saddle_problem problem; /* its arrays are owned here: owner = 0 */
    int64_t rows;           /* of constraints; the slots' rows follow */

    saddle__layout arrays;     /* holds those whose sizes the model gives */
    int64_t *column;           /* by place of a part in the pool; -1 = free, or prescribed in a
                                  model without attachments */
    saddle__system_part *part; /* model->parts.count */
    saddle__system_link *force, *constraint;
    saddle__system_anchors anchors;
    int64_t *constraint_of; /* by place of a constraint in the pool: its number; -1 = free */

    int64_t *map;                        /* entries of M where columns of blocks begin */
    int blocks;                          /* 1: M has blocks of forces or constraints */
    double *base;                        /* values of M without blocks */
    double base_damping, base_stiffness; /* of the stage that base was computed for */
    int base_made, base_written;         /* 1: computed; copied to M.value */

    double *force_now[2];       /* (n) each: forces of the present and the last update */
    int turn;                   /* index of the present force_now */
    int accelerates;            /* 1: f holds forces only, no momenta */
    double *phi;                /* (m) */
    double drift;               /* max |phi| over hard HOLD rows */
    double *kept;               /* (rows): forces of constraints, of the last step */
    double *rate;               /* phi_t of one constraint's rows */
    double *geometric_velocity; /* 2 n: velocities; scratch; NULL = no such stiffness */
    double *J;                  /* J of one constraint, anchor by anchor */
    double *block_J[SADDLE_ANCHORS_MAX];
    saddle__block_buffer block;
    char *names; /* all names of rows and components */
    int64_t row_capacity, entry_capacity, compliance_capacity; /* rows; entries of J', of R */
    saddle__slots slots;
    saddle__system_attached attached;
};

/* ---- compilation (system_pattern.c) ---- */

/* The pattern for a stage: with the blocks of K and D in M from the first stage with either, for
 * good, with both triangles of M from the first K or D that is not symmetric, and an entry in R for
 * every row that has become soft.  On failure M is unchanged and without blocks. */
saddle_status saddle__system_adapt(saddle_assembly *a, const saddle_stage *stage);

/* Reserves rows, entries of J' and entries of R (totals).  On failure nothing has changed. */
saddle_status saddle__system_reserve(saddle_assembly *a, int64_t rows, int64_t entries,
                                     int64_t compliances);

/* ---- values ---- */

/* Evaluates a constraint: phi into a->phi, phi_t into a->rate, J into a->block_J and J'. */
saddle_status saddle__system_evaluate(saddle_assembly *a, const saddle__system_link *link);

/* drift (rows) of a type with drift, at the velocities of attached parts that (saddle/couplings.h)
 * has in its terms: then rows that are redundant do not contradict each other. */
saddle_status saddle__system_evaluate_drift(saddle_assembly *a, const saddle__system_link *link,
                                            double *drift);

/* J v of row i of the constraint evaluated last: over the columns (moving 1) or over prescribed
 * parts (0). */
static inline double saddle__row_rate(const saddle_assembly *a, const saddle__system_link *link,
                                      int64_t i, int moving)
{
    double rate = 0;
    for (int64_t k = 0; k < link->count; k++) {
        const int64_t size = a->anchors.size[link->anchor + k];
        const double *v = a->anchors.velocity[link->anchor + k], *J = a->block_J[k] + i * size;
        if ((a->anchors.column[link->anchor + k] >= 0) != moving) continue;
        for (int64_t j = 0; j < size; j++) rate += J[j] * v[j];
    }
    return rate;
}

/* Forces, f, and M with the Jacobians of forces and the geometric stiffness (system_forces.c).
 * contacts: NULL = none. */
saddle_status saddle__system_forces(saddle_assembly *a, const saddle_stage *stage,
                                    const saddle_contact_list *contacts);

/* ---- attachments (system_attachments.c) ---- */

/* Compiles the model's attachments; columns are placed.  Half-built on failure. */
saddle_status saddle__system_attach(saddle_assembly *a);

/* Places attached parts; the graph's values for a step (NULL: as they are), with the model's
 * velocities; attached.velocity. */
saddle_status saddle__system_follow(saddle_assembly *a, const saddle_coupling_step *step);

/* Coordinates of joints away from their singularities: the same poses and twists. */
void saddle__system_reparameterize(const saddle_assembly *a);

/* Positions and velocities of attached parts, turns of joints in coordinates, into the model. */
saddle_status saddle__system_place(saddle_assembly *a);

/* Forces on an attachment (saddle_stepper_attachment_force) or on prescribed coordinates, items of
 * the model, from the impulses of all, as numbered in `bound`, over a time [s]. */
void saddle__system_attached_force(const saddle_assembly *a, const double *impulse, double time,
                                   saddle_handle item, double *force);

/* The velocities or accelerations of prescribed components: the model's velocities and those of
 * prescribed joints in the step; zero; accelerations of prescribed joints, zero for others. */
typedef enum saddle__prescribed {
    SADDLE__PRESCRIBED_VELOCITIES,
    SADDLE__PRESCRIBED_REST,
    SADDLE__PRESCRIBED_ACCELERATIONS
} saddle__prescribed;
saddle_status saddle__system_prescribe(saddle_assembly *a, saddle__prescribed what);

/* 1: the part has no mass in the system. */
static inline int saddle__is_weightless(const saddle__item_part *part)
{
    return part->prescribed || part->massless;
}

/* ---- contacts (contact.c) ---- */

/* n, t1, t2 of a contact, orthonormal whatever its rounding. */
void saddle__contact_frame(const saddle_contact_point *contact, double directions[3][3]);

/* Checks every contact and gives it a slot; the pattern grows where a group has no free slot. */
saddle_status saddle__slots_assign(saddle_assembly *a, const saddle_contact_list *contacts);

/* ---- compiled items (system_pattern.c) ---- */

/* The site of a compiled force or constraint. */
saddle_site saddle__system_site(const saddle_assembly *a, const saddle__system_link *link,
                                double time);

/* SADDLE_INVALID_ARGUMENT, "ITEM: WHAT"; status with "ITEM: " in front of its message. */
saddle_status saddle__system_refuse(const saddle_assembly *a, const saddle__system_link *link,
                                    const char *what);
saddle_status saddle__system_pass_on(const saddle_assembly *a, const saddle__system_link *link,
                                     saddle_status status);

/* SADDLE_WRONG_PHASE where items were added or removed since the compilation. */
saddle_status saddle__system_is_current(const saddle_assembly *a);

#endif
