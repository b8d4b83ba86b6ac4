/* SPDX-License-Identifier: MIT */
/* A compiled model, shared by the files system_*.c: where everything stands in the problem's
 * arrays.
 *
 * What acts on parts (forces, then constraints, in the order of adding) has its anchors one behind
 * the other in arrays, so that a site is made of pointers and nothing is looked up.  Entries of J
 * stand row by row: a constraint's rows are columns of J' of the same width, an anchor's entries in
 * them begin at the same offset.  Rows of angles alone leave out the linear velocities of bodies,
 * in widths and offsets of their own.
 */
#ifndef SADDLE_ASSEMBLY_SYSTEM_H
#define SADDLE_ASSEMBLY_SYSTEM_H

#include <stdint.h>
#include <string.h>

#include "model_internal.h"
#include "saddle/assembly.h"
#include "system_slots.h"

typedef struct saddle__acting { /* a force or a constraint, compiled */
    int32_t place;              /* in the model's pool */
    int32_t given;              /* 1: prescribed parts take part */
    int64_t count, anchor;      /* anchors, and the first of them */
    int64_t size;               /* velocities of all anchors */
    int64_t map;       /* first of its places in M (count x count x 6); -1: nothing goes into M */
    int64_t row, rows; /* of a constraint */
    int64_t width[2];  /* entries of a row in J; of one of angles alone */
} saddle__acting;

typedef struct saddle__anchors { /* of all forces and constraints */
    int64_t *size;               /* velocities, 3 or 6 */
    int64_t *column;             /* first; -1: the ground or a prescribed part */
    int64_t *offset[2]; /* among the entries of a row of J, and of one of angles; -1 likewise */
    const double **position; /* into the model's state */
    const double **velocity;
} saddle__anchors;

typedef struct saddle__own { /* a part, compiled */
    int32_t place;           /* in the model's pool */
    int64_t weight;          /* of nodes: where theirs begins in the assembly's, in threes */
    int64_t column;          /* first; -1 = prescribed */
} saddle__own;

/* Blocks of K and D of one force or constraint, and the pointers to them. */
typedef struct saddle__block_room {
    double *K, *D; /* values: (velocities of all anchors)^2 */
    double **block_K, **block_D;
    double *force; /* velocities of all anchors */
    double **block_force;
} saddle__block_room;

struct saddle_assembly {
    saddle_model *model;
    saddle_context *context;
    saddle_assembly_options options;
    int64_t edition;        /* of the model when it was compiled */
    int implicit;           /* 1: M's pattern holds K and D; from the first stage that asks */
    int changed;            /* 1: the pattern is another than at the last update */
    int soft;               /* 1: a row is soft that has no entry in R */
    saddle_problem problem; /* its arrays are ours: owner = 0 */
    int64_t rows;           /* of constraints; slots come behind */

    int64_t *column;   /* of the parts' places in the pool; -1 = prescribed or free */
    saddle__own *part; /* model->parts.count */
    saddle__acting *force, *constraint;
    saddle__anchors anchors;
    int64_t *constraint_of; /* of the constraints' places in the pool: number in order; -1 = free */
    double *weight;         /* of nodes: M g = weight g, 3 x velocities of nodes */

    int64_t *map;                        /* places in M of blocks */
    int blocks;                          /* 1: there are any */
    double *base;                        /* M's values without blocks */
    double base_damping, base_stiffness; /* what base was made for */
    int base_made, base_written;         /* 1: it was; M.value began with it */

    double *force_now[2]; /* (n) each: of this update and of the last */
    int turn;             /* which is of this update */
    int accelerates;      /* 1: f is to hold forces alone */
    double *phi;          /* (m) */
    double drift;         /* max |phi| over hard HOLD rows */
    double *kept;         /* (rows): forces of constraints for geometric stiffness */
    double *rate;         /* of one constraint's rows */
    double *J;            /* its values, and where its anchors' begin */
    double *block_J[SADDLE_ANCHORS_MAX];
    saddle__block_room room;
    char *names; /* all names of rows and components */
    int64_t row_capacity, entry_capacity, compliance_capacity; /* rows; entries of J'; of R */
    saddle__slots slots;                                       /* of contacts */
};

/* ---- compiling (system_pattern.c, system_mass.c, system_names.c) ---- */

/* What the model is: parts' columns, anchors, rows, J' and R, vectors, names.  Half-built on
 * failure. */
saddle_status saddle__system_compile(saddle_assembly *a);

/* M's pattern for a->implicit, its maps and rooms.  On failure M is as it was, and no blocks go
 * into it. */
saddle_status saddle__system_compile_mass(saddle_assembly *a);
void saddle__system_clear_room(saddle_assembly *a);

saddle_status saddle__system_name(saddle_assembly *a);

/* R's pattern anew, for rows that have become soft. */
saddle_status saddle__system_lay_compliances(saddle_assembly *a);
int saddle__system_has_softened(const saddle_assembly *a); /* 1: there are such */

/* Room for rows rows, entries entries of J', compliances entries of R, in all.  On failure
 * everything stays as it was. */
saddle_status saddle__system_reserve(saddle_assembly *a, int64_t rows, int64_t entries,
                                     int64_t compliances);

/* ---- values ---- */

/* M's values without blocks for this damping and stiffness, where they are not there already. */
void saddle__system_base(saddle_assembly *a, double damping, double stiffness);

/* M.value[...] = base; forces, f and M by forces and their Jacobians (system_forces.c). */
saddle_status saddle__system_forces(saddle_assembly *a, const saddle_stage *stage);

/* Blocks of an item (system_blocks.c): zeroed and pointed to in a->room; K <- (K + K')/2; added to
 * M and f. */
void saddle__system_point_blocks(saddle_assembly *a, const saddle__acting *item);
void saddle__system_symmetrize(const saddle_assembly *a, const saddle__acting *item,
                               double **block);
void saddle__system_add_blocks(saddle_assembly *a, const saddle__acting *item,
                               const saddle_stage *stage, double *const *K, double *const *D);

/* Values of the constraints' rows (system_rows.c). */
saddle_status saddle__system_rows(saddle_assembly *a, const saddle_stage *stage);

/* A constraint asked: phi into a->phi, phi_t into a->rate, J into J'; all finite. */
saddle_status saddle__system_evaluate(saddle_assembly *a, const saddle__acting *item);

/* drift (rows) of a constraint whose type knows it. */
saddle_status saddle__system_drift(saddle_assembly *a, const saddle__acting *item, double *drift);

/* J v of row i of the constraint asked last: over the columns (moving 1), over prescribed parts
 * (0). */
double saddle__system_row_rate(const saddle_assembly *a, const saddle__acting *item, int64_t i,
                               int moving);

/* A row, from what it says to what the system holds (saddle/constraint.h, contact.h,
 * compliance.h). */
typedef struct saddle__row {
    double phi, phi_t;    /* value; what of its rate is no velocity's */
    double moving, given; /* J v of the columns, of prescribed parts */
    double restitution;
    const saddle_compliance *compliance;
    double R, b; /* out */
} saddle__row;
void saddle__row_hold(const saddle_stage *stage, int keep, saddle__row *row);
void saddle__row_limit(const saddle_stage *stage, saddle__row *row);
/* 0: not touched, R and b are none's */
int saddle__row_impact(const saddle_stage *stage, saddle__row *row);

/* ---- small things ---- */

saddle_site saddle__system_site(const saddle_assembly *a, const saddle__acting *item,
                                const void *data, double time);

/* Where entry (i, j) of A stands; -1 = nowhere. */
int64_t saddle__system_entry(const saddle_matrix *A, int64_t i, int64_t j);

/* SADDLE_WRONG_PHASE where items have come or gone. */
saddle_status saddle__system_is_current(const saddle_assembly *a);

/* 1 where all are finite: an exponent of all ones runs over into the sign. */
static inline int saddle__all_finite(const double *x, int64_t count)
{
    const uint64_t exponent = UINT64_C(0x7FF0000000000000), one = UINT64_C(0x0010000000000000);
    uint64_t seen = 0;
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits;
        memcpy(&bits, x + k, sizeof bits);
        seen |= (bits & exponent) + one;
    }
    return (seen >> 63) == 0;
}

/* SADDLE_INVALID_ARGUMENT: "ITEM: WHAT". */
saddle_status saddle__system_refuse(const saddle_assembly *a, saddle_handle item, const char *what);

saddle_handle saddle__system_part_handle(const saddle_assembly *a, int32_t place);
saddle_handle saddle__system_force_handle(const saddle_assembly *a, int32_t place);
saddle_handle saddle__system_constraint_handle(const saddle_assembly *a, int32_t place);

#endif
