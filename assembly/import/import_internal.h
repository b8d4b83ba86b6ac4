/* SPDX-License-Identifier: MIT */
/* A model of another program between its reader and the text of a scene: parts in the world, joints
 * on their coordinates, shapes.  The reader of a format fills the lists; import.c writes the
 * scene.
 *
 * Failures are remembered in import->status: after the first failure the functions do nothing
 * and return zeros; a reader may check once behind several calls. */
#ifndef SADDLE_ASSEMBLY_IMPORT_INTERNAL_H
#define SADDLE_ASSEMBLY_IMPORT_INTERNAL_H

#include <math.h>

#include "base/context_internal.h"
#include "files/xml.h"
#include "saddle/collider.h"
#include "saddle/import.h"
#include "saddle/joint.h"

enum { SADDLE__GROUND = -1 }; /* as the index of a part */

typedef struct saddle__import_part {
    const char *name;
    const saddle__xml_element *from;
    int64_t parent; /* the part below in the tree, or SADDLE__GROUND */
    saddle_pose pose;
    saddle_body_inertia inertia; /* mass 0: none yet */
    int64_t light_of;            /* 1 + the part whose inertia is scaled down here; 0 = none */
    int prescribed;
} saddle__import_part;

typedef struct saddle__import_free {
    double lo, hi;             /* limits */
    double stiffness, damping; /* of the springs, summed */
    double load;               /* sum of stiffness * rest */
    double friction, armature;
} saddle__import_free;

typedef struct saddle__import_joint {
    const char *name; /* NULL = none */
    int geared;       /* 1: a gear speaks of the joint */
    saddle_joint_kind kind;
    unsigned locked; /* custom */
    int64_t a, b;
    double at[3], axis[3], x_axis[3]; /* in the world */
    int frees;                        /* coordinates with settings */
    saddle__import_free free[SADDLE_JOINT_FREE_MAX];
} saddle__import_joint;

typedef struct saddle__import_shape {
    const char *name; /* NULL = none */
    int64_t part;
    saddle_touch_kind kind;
    saddle_pose pose; /* in the part, or in the world */
    double size[3];   /* as of saddle_touch_def */
    double mu, mu_torsion, mu_rolling;
} saddle__import_shape;

typedef struct saddle__import_pair {
    int64_t a, b;
} saddle__import_pair;

/* A rope or a spring between two points in the world. */
typedef struct saddle__import_line {
    const char *name;
    int64_t part[2];
    double point[2][3];
    double length; /* of a rope: the longest; of a spring: at rest */
    double stiffness, damping;
    int rope;
} saddle__import_line;

typedef struct saddle__import_load {
    int64_t part;
    double at[3], force[3];
} saddle__import_load;

typedef struct saddle__import_term {
    int64_t joint;
    int coordinate;
    double factor;
} saddle__import_term;

typedef struct saddle__import_gear {
    const char *name;
    int64_t first, count; /* terms */
    double bounds[2];
} saddle__import_gear;

#define SADDLE__LIST(type, name) \
    type *name;                  \
    int64_t name##_count, name##_capacity

typedef struct saddle__import {
    saddle_context *context;
    saddle_status status;               /* of the first failure */
    char message[SADDLE__MESSAGE_SIZE]; /* of the first failure */
    saddle_import *result;
    int64_t finding_capacity;
    const char *folder; /* of included files; NULL = none */
    saddle__xml xml;
    const char *name; /* of the model; NULL = none */
    double gravity[3], time_step;
    int pyramid;                /* 1: friction by pyramids of four facets, 0: by cones */
    SADDLE__LIST(char *, text); /* owned texts */
    SADDLE__LIST(saddle__import_part, part);
    SADDLE__LIST(saddle__import_joint, joint);
    SADDLE__LIST(saddle__import_shape, shape);
    SADDLE__LIST(saddle__import_pair, apart);
    SADDLE__LIST(saddle__import_term, term);
    SADDLE__LIST(saddle__import_gear, gear);
    SADDLE__LIST(saddle__import_line, line);
    SADDLE__LIST(saddle__import_load, load);
} saddle__import;

/* ---- failures, findings, texts ---- */

/* Remembers the first status other than SADDLE_OK, and the context's message. */
void saddle__import_stop(saddle__import *import, saddle_status status);

/* Remembers SADDLE_BAD_FILE with "FILE:LINE: ELEMENT: reason". */
#define saddle__import_refuse(import, element, ...)                                         \
    do {                                                                                    \
        if ((import)->status == SADDLE_OK)                                                  \
            saddle__import_stop(import,                                                     \
                                saddle__xml_fail((import)->context, element, __VA_ARGS__)); \
    } while (0)

/* Remembers a status whose reason is in the context's message, as of an element. */
void saddle__import_pass_on(saddle__import *import, const saddle__xml_element *element,
                            saddle_status status);

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void saddle__import_find(saddle__import *import, const saddle__xml_element *element,
                         int unsupported, const char *format, ...);

/* A text owned by the import; "" after a failure. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
const char *
saddle__import_print(saddle__import *import, const char *format, ...);

/* The next element of a list, zeroed; NULL after a failure. */
#define saddle__import_next(import, list)                                    \
    saddle__import_grow(import, &(import)->list, &(import)->list##_capacity, \
                        &(import)->list##_count, sizeof *(import)->list)
void *saddle__import_grow(saddle__import *import, void *array, int64_t *capacity, int64_t *count,
                          size_t size);

/* ---- values ---- */

/* Between least and most numbers, finite, at most 1e100 in modulus, separated by white space.
 * Returns their count. */
int saddle__import_numbers(saddle__import *import, const saddle__xml_element *element,
                           const char *attribute, const char *text, int least, int most,
                           double *value);

/* ---- building ---- */

/* Index of a new part at pose; name: NULL = "body K".  SADDLE__GROUND after a failure. */
int64_t saddle__import_part_add(saddle__import *import, const saddle__xml_element *from,
                                const char *name, int64_t parent, const saddle_pose *pose);

/* Adds mass to a part; place: of the inertia's frame in the part's. */
void saddle__import_mass(saddle__import *import, int64_t part, const saddle__xml_element *element,
                         const saddle_body_inertia *inertia, const saddle_pose *place);

static inline saddle__import_free saddle__import_free_default(void)
{
    return (saddle__import_free){.lo = -INFINITY, .hi = INFINITY};
}

/* ---- formats ---- */

void saddle__import_mjcf(saddle__import *import, saddle__xml_element *root);
void saddle__import_urdf(saddle__import *import, const saddle__xml_element *root);

#endif
