/* SPDX-License-Identifier: MIT */
/* The objects of a scene file, and their translation into a model.  Fields and units:
 * docs/formats.md, Scenes.  Fields with a place in a public definition are read into it. */
#ifndef SADDLE_ASSEMBLY_SCENE_INTERNAL_H
#define SADDLE_ASSEMBLY_SCENE_INTERNAL_H

#include <stddef.h>

#include "base/context_internal.h"
#include "files/scan.h"
#include "saddle/element.h"
#include "saddle/fem_block.h"
#include "saddle/fem_mesh.h"
#include "saddle/forces.h"
#include "saddle/mesh.h"
#include "saddle/muscle.h"
#include "saddle/rod.h"
#include "saddle/scene.h"

/* ---- objects by tables of their fields ----
 *
 * JSON objects read into structs, by const tables of their fields.
 *
 * Every struct begins with a saddle__scene_head.  Errors: a field that the table does not have, is
 * given twice, has another type, too few or too many elements; a required field that is missing.
 * null leaves a field as it is.  Texts and lists are owned by the struct and released by the
 * reader.
 */

typedef struct saddle__scene_table saddle__scene_table;
typedef struct saddle__scene_build saddle__scene_build;
typedef struct saddle__scene_item saddle__scene_item;

typedef struct saddle__scene_head {
    const saddle__scene_table *table; /* NULL: the object was not given */
    uint64_t given;                   /* bit k: field k of the table was given */
    const char *place;                /* where the object begins in the text */
} saddle__scene_head;

typedef struct saddle__scene_list {
    void *item; /* count structs, or doubles */
    int64_t count, capacity;
} saddle__scene_list;

typedef enum saddle__scene_kind {
    SADDLE__FIELD_NUMBER,   /* double */
    SADDLE__FIELD_NUMBERS,  /* count doubles; null leaves an element as it is */
    SADDLE__FIELD_INTEGER,  /* int64_t */
    SADDLE__FIELD_INTEGERS, /* count int64_t */
    SADDLE__FIELD_FLAG,     /* int */
    SADDLE__FIELD_TEXT,     /* char * or const char *; NULL where not given */
    SADDLE__FIELD_WORD,     /* int or an enum: index in words */
    SADDLE__FIELD_OBJECT,   /* a struct of table */
    SADDLE__FIELD_LIST,     /* saddle__scene_list of structs of table */
    SADDLE__FIELD_SERIES    /* saddle__scene_list of doubles */
} saddle__scene_kind;

typedef struct saddle__scene_field {
    const char *key;
    saddle__scene_kind kind;
    size_t offset;
    int count;
    int required;
    const char *const *words; /* ended by NULL */
    const saddle__scene_table *table;
} saddle__scene_field;

typedef enum saddle__scene_naming {
    SADDLE__SCENE_NAMELESS, /* "name" is for messages only */
    SADDLE__SCENE_NAMED,    /* no two items of the model have one name */
    SADDLE__SCENE_PART      /* and the name is required */
} saddle__scene_naming;

struct saddle__scene_table {
    const char *what;                 /* "body", for messages */
    size_t size;                      /* of the struct */
    const saddle__scene_field *field; /* at most 64, ended by a NULL key */
    void (*defaults)(void *object);   /* for the zeroed struct; NULL = zeros */
    saddle__scene_naming naming;      /* of the objects of a list */
    /* Adds an object of a list to the scene; NULL: no list.  A status other than SADDLE_OK and
     * SADDLE_BAD_FILE has its reason in the context's message. */
    saddle_status (*add)(saddle__scene_build *build, const saddle__scene_item *item);
};

/* 1: the object has a field of that key. */
int saddle__scene_given(const void *object, const char *key);

/* ---- a scene ---- */

/* The lists of a scene, in the order of adding. */
enum {
    SADDLE__PARTICLES,
    SADDLE__BODIES,
    SADDLE__BLOCKS,
    SADDLE__NODES,
    SADDLE__MESHES,
    SADDLE__SHAPES,
    SADDLE__APART,
    SADDLE__JOINTS,
    SADDLE__GEARS,
    SADDLE__PINS,
    SADDLE__RODS,
    SADDLE__SPRINGS,
    SADDLE__FRAME_SPRINGS,
    SADDLE__MUSCLES,
    SADDLE__LOADS,
    SADDLE__ATTACH,
    SADDLE__DAMPERS,
    SADDLE__SCENE_LISTS
};

typedef struct saddle__scene_compliance {
    saddle__scene_head head;
    saddle_compliance def;
    double stiffness, damping;
    saddle__scene_list C, D; /* of coupled rows, square */
} saddle__scene_compliance;

extern const saddle__scene_table saddle__scene_compliance_table;

typedef struct saddle__scene_friction {
    saddle__scene_head head;
    saddle_law law;
    int64_t facets;
} saddle__scene_friction;

typedef struct saddle__scene_euler {
    saddle__scene_head head;
    char *order; /* "zyx": each axis turned by those before */
    double angles[3];
} saddle__scene_euler;

/* A position and a rotation, in one of four ways. */
typedef struct saddle__scene_placement {
    double position[3];
    double rotation[4]; /* quaternion, scalar first, of any length */
    double rpy[3];      /* about the fixed x, then y, then z */
    saddle__scene_euler euler;
    double axis[3], angle;
} saddle__scene_placement;

/* One end of a rod, spring, path or load: a point in the world as the scene begins. */
typedef struct saddle__scene_end {
    char *part;
    int64_t node;
    double at[3];
} saddle__scene_end;

typedef struct saddle__scene_locked {
    saddle__scene_head head;
    int axis[6]; /* x, y, z, rx, ry, rz */
} saddle__scene_locked;

typedef struct saddle__scene_bearing {
    saddle__scene_head head;
    saddle_bearing def;
} saddle__scene_bearing;

typedef struct saddle__scene_surface { /* of a joint along one */
    saddle__scene_head head;
    int64_t rows, cols;
    saddle__scene_list control; /* 6 numbers of each point */
} saddle__scene_surface;

typedef struct saddle__scene_prescribed { /* of a joint that moves as told: value + rate t */
    saddle__scene_head head;
    int how; /* acceleration, velocity, position */
    saddle__scene_list value, rate;
} saddle__scene_prescribed;

/* An object of a list, of any kind: the kind's table says which fields are read. */
struct saddle__scene_item {
    saddle__scene_head head;
    char *name; /* where the definition has none */
    union {
        saddle_particle_def particle;
        saddle_body_def body;
        saddle_fem_block block;
        saddle_nodes_def nodes;
        saddle_fem_mesh mesh;
        saddle_joint_def joint;
        saddle_rod_def rod;
        saddle_spring spring;
        saddle_frame_spring frame_spring;
        saddle_muscle muscle;
        saddle_dead_load load;
        saddle_damper damper;
    } def;
    saddle_touch_def touch;            /* of a shape, or of a body that collides */
    saddle__scene_placement placement; /* of a body or shape */
    saddle__scene_end a, b;            /* of a tie; a: of a shape, a load, a pair apart */
    saddle__scene_compliance compliance;
    /* bodies and shapes */
    saddle_shape_kind shape;
    saddle__scene_list vertices, triangles; /* of a closed mesh, flat */
    saddle__scene_list corners;             /* flat */
    double size[3], radius, length, density;
    double velocity[3], angular_velocity[3]; /* of the origin, world axes */
    int collides;
    int64_t group;
    char *positions, *mass, *stiffness, *rest; /* of nodes: files */
    char *file, *fixed;                        /* of a mesh; fixed: a group of its nodes */
    double scale;
    /* joints, springs, muscles */
    saddle__scene_locked locked;
    saddle__scene_bearing bearing;
    double axis[3], x_axis[3];
    saddle__scene_list free, path, terms;
    saddle__scene_list spline, start; /* frames; coordinates as the scene begins */
    saddle__scene_surface surface;
    saddle__scene_prescribed prescribed;
    double bounds[2]; /* of a gear */
    /* attachments */
    saddle__scene_list nodes, masters;
    saddle_element_kind element;
    int law; /* of a spring */
};

typedef struct saddle__scene_file {
    saddle__scene_head head;
    char *format, *name, *solver;
    int64_t version, projection;
    double gravity[3], time;
    saddle_joint_form joint_form;
    saddle_stepper_options options;
    saddle__scene_friction friction;
    saddle__scene_list list[SADDLE__SCENE_LISTS];
} saddle__scene_file;

struct saddle__scene_build {
    saddle__scan *scan; /* for the lines of messages */
    const char *folder; /* of the files that the scene names; NULL = none may be named */
    saddle_scene *scene;
    saddle__scene_file *file;
    const char *place; /* in the text, of the object being added: for messages */
};

/* SADDLE_BAD_FILE at the place of the object, with a printf-like reason. */
#define saddle__scene_refuse(build, ...) \
    saddle__scan_fail_at((build)->scan, (build)->place, __VA_ARGS__)

/* *part: the part of that name; the ground for "ground" and NULL. */
saddle_status saddle__scene_find(const saddle__scene_build *build, const char *name,
                                 saddle_handle *part);

/* Of PLACEMENT below. */
extern const saddle__scene_table saddle__scene_euler_table;

/* The pose of an object's placement. */
saddle_status saddle__scene_pose(saddle__scene_build *build, const saddle__scene_item *x,
                                 saddle_pose *pose);

/* Numbers of a series as integers from 0, NULL for none; *integer is released by the caller. */
saddle_status saddle__scene_integers(const saddle__scene_build *build,
                                     const saddle__scene_list *series, const char *what,
                                     int64_t **integer);

/* compliance: from alpha and beta, or from stiffness and damping; no matrices. */
saddle_status saddle__scene_read_compliance(const saddle__scene_build *build,
                                            const saddle__scene_compliance *fields,
                                            saddle_compliance *compliance);

/* Data of a joint along a motion, or of one that moves as told, kept as long as the scene. */
typedef struct saddle__scene_motion {
    struct saddle__scene_motion *next; /* in scene->motions */
    int64_t told;                      /* coordinates: number has their values, then their rates */
    saddle_joint_spline spline;
    saddle_joint_surface surface;
    double number[];
} saddle__scene_motion;

/* Tables by list: saddle__scene_parts before SADDLE__JOINTS, saddle__scene_ties from there on. */
extern const saddle__scene_table saddle__scene_parts[], saddle__scene_ties[];

/* ---- tables: STRUCT is the struct of the object ---- */

/* clang-format off */
#define FIELD(kind, required, key, member, count, words, table) \
    {key, SADDLE__FIELD_##kind, offsetof(STRUCT, member), count, required, words, table}
#define AT(kind, key, member)           FIELD(kind, 0, key, member, 0, NULL, NULL)
#define MUST(kind, key, member)         FIELD(kind, 1, key, member, 0, NULL, NULL)
#define ARRAY(kind, key, member, count) FIELD(kind, 0, key, member, count, NULL, NULL)
#define WORD(key, member, words)        FIELD(WORD, 0, key, member, 0, words, NULL)
#define PART(kind, key, member, table)  FIELD(kind, 0, key, member, 0, NULL, &table)
#define END                             {NULL, SADDLE__FIELD_NUMBER, 0, 0, 0, NULL, NULL}
#define TABLE(type, what, defaults) \
    static const saddle__scene_table type##_table = \
        {what, sizeof(STRUCT), type##_fields, defaults, SADDLE__SCENE_NAMELESS, NULL}
#define TABLE_ROW(list, type, what, defaults, naming) \
    [list] = {what, sizeof(saddle__scene_item), type##_fields, defaults, SADDLE__SCENE_##naming, \
              add_##type}
#define PLACEMENT \
    ARRAY(NUMBERS, "position", placement.position, 3), \
    ARRAY(NUMBERS, "rotation", placement.rotation, 4), \
    ARRAY(NUMBERS, "rpy", placement.rpy, 3), \
    ARRAY(NUMBERS, "axis", placement.axis, 3), AT(NUMBER, "angle", placement.angle), \
    PART(OBJECT, "euler", placement.euler, saddle__scene_euler_table)
#define COMPLIANCE PART(OBJECT, "compliance", compliance, saddle__scene_compliance_table)
/* clang-format on */

#endif
