/* SPDX-License-Identifier: MIT */
/* The objects of a scene file, and their translation into a model.  Fields and units:
 * docs/formats.md, Scenes.  Fields with a place in a public definition are read into it. */
#ifndef SADDLE_ASSEMBLY_SCENE_INTERNAL_H
#define SADDLE_ASSEMBLY_SCENE_INTERNAL_H

#include "saddle/fem_block.h"
#include "saddle/forces.h"
#include "saddle/muscle.h"
#include "saddle/rod.h"
#include "saddle/scene.h"
#include "scene_table.h"

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

typedef struct saddle__scene_compliance {
    saddle__scene_head head;
    saddle_compliance def;
    double stiffness, damping;
} saddle__scene_compliance;

/* One end of a rod, spring, path or load: a point in the world as the scene begins. */
typedef struct saddle__scene_end {
    char *part;
    int64_t node;
    double at[3];
} saddle__scene_end;

/* ---- parts ---- */

typedef struct saddle__scene_particle {
    saddle__scene_head head;
    saddle_particle_def def;
} saddle__scene_particle;

typedef struct saddle__scene_body {
    saddle__scene_head head;
    saddle_body_def def;
    saddle__scene_placement placement;
    saddle_shape_kind shape;
    saddle__scene_list vertices, triangles; /* of a closed mesh, flat */
    double size[3], radius, length, density;
    double velocity[3], angular_velocity[3]; /* of the origin, world axes */
    int collides;
    saddle_touch_def touch;
    int64_t group;
} saddle__scene_body;

typedef struct saddle__scene_block {
    saddle__scene_head head;
    saddle_fem_block def;
} saddle__scene_block;

typedef struct saddle__scene_nodes {
    saddle__scene_head head;
    saddle_nodes_def def;
    char *position, *mass, *stiffness, *rest; /* files */
} saddle__scene_nodes;

/* ---- joints and ties ---- */

typedef struct saddle__scene_motor {
    saddle__scene_head head;
    double target, strength;
} saddle__scene_motor;

typedef struct saddle__scene_servo {
    saddle__scene_head head;
    double position, velocity, strength;
    saddle__scene_compliance compliance;
} saddle__scene_servo;

typedef struct saddle__scene_joint_spring {
    saddle__scene_head head;
    saddle_joint_spring def;
} saddle__scene_joint_spring;

typedef struct saddle__scene_free {
    saddle__scene_head head;
    double limits[2], limit_restitution, friction;
    saddle__scene_compliance limit_compliance;
    saddle__scene_motor motor;
    saddle__scene_servo servo;
    saddle__scene_joint_spring spring;
} saddle__scene_free;

typedef struct saddle__scene_locked {
    saddle__scene_head head;
    int axis[6]; /* x, y, z, rx, ry, rz */
} saddle__scene_locked;

typedef struct saddle__scene_joint {
    saddle__scene_head head;
    saddle_joint_def def;
    char *a, *b;
    saddle__scene_locked locked;
    double at[3], axis[3], x_axis[3];
    saddle__scene_compliance compliance;
    saddle__scene_list free;
} saddle__scene_joint;

typedef struct saddle__scene_pin { /* connects a particle or a node with another part */
    saddle__scene_head head;
    char *name;
    saddle__scene_end a, b;
    saddle__scene_compliance compliance;
} saddle__scene_pin;

typedef struct saddle__scene_rod {
    saddle__scene_head head;
    saddle_rod_def def;
    saddle__scene_end a, b;
    saddle__scene_compliance compliance;
} saddle__scene_rod;

typedef struct saddle__scene_spring {
    saddle__scene_head head;
    char *name;
    saddle_spring def;
    saddle__scene_end a, b;
} saddle__scene_spring;

typedef struct saddle__scene_point {
    saddle__scene_head head;
    saddle__scene_end end;
} saddle__scene_point;

typedef struct saddle__scene_muscle {
    saddle__scene_head head;
    char *name;
    saddle_muscle def;
    saddle__scene_list path;
} saddle__scene_muscle;

typedef struct saddle__scene_load {
    saddle__scene_head head;
    char *name;
    saddle_dead_load def;
    saddle__scene_end end;
} saddle__scene_load;

/* ---- contact ---- */

typedef struct saddle__scene_shape {
    saddle__scene_head head;
    saddle_touch_def def;
    saddle__scene_placement placement;
    char *part;
    double radius, length;
    saddle__scene_list corners; /* flat */
    int64_t group;
    saddle__scene_compliance compliance;
} saddle__scene_shape;

typedef struct saddle__scene_apart { /* two parts that never touch */
    saddle__scene_head head;
    char *a, *b;
} saddle__scene_apart;

typedef struct saddle__scene_friction {
    saddle__scene_head head;
    saddle_law law;
    int64_t facets;
} saddle__scene_friction;

/* ---- the scene ---- */

typedef struct saddle__scene_file {
    saddle__scene_head head;
    char *format, *name, *solver;
    int64_t version, projection;
    double gravity[3], time;
    saddle_stepper_options options;
    saddle__scene_friction friction;
    saddle__scene_list particles, bodies, blocks, nodes, joints, pins, rods, springs, muscles,
        loads, shapes, apart;
} saddle__scene_file;

extern const saddle__scene_table saddle__scene_file_table;

typedef struct saddle__scene_build {
    saddle__scan *scan; /* for the lines of messages */
    const char *folder; /* of the files that the scene names; NULL = none may be named */
    saddle_scene *scene;
    saddle__scene_file *file;
} saddle__scene_build;

/* SADDLE_BAD_FILE at the place of an object, with a printf-like reason. */
#define saddle__scene_refuse(build, head, ...) \
    saddle__scan_fail_at((build)->scan, (head)->place, __VA_ARGS__)

/* SADDLE_BAD_FILE at the place of an object, with the context's message as the reason; SADDLE_OK
 * and SADDLE_OUT_OF_MEMORY are passed through. */
saddle_status saddle__scene_because(const saddle__scene_build *build,
                                    const saddle__scene_head *head, saddle_status status);

/* *part: the part of that name; the ground for "ground" and NULL. */
saddle_status saddle__scene_find(const saddle__scene_build *build, const saddle__scene_head *head,
                                 const char *name, saddle_handle *part);

/* compliance: from alpha and beta, or from stiffness and damping. */
saddle_status saddle__scene_read_compliance(const saddle__scene_build *build,
                                            const saddle__scene_head *head,
                                            const saddle__scene_compliance *fields,
                                            saddle_compliance *compliance);

/* Adds one object to the scene.  A status other than SADDLE_OK and SADDLE_BAD_FILE has its reason
 * in the context's message. */
typedef saddle_status saddle__scene_add_function(const saddle__scene_build *build,
                                                 const void *object);

/* A list of the file, and how its objects are added. */
typedef struct saddle__scene_objects {
    size_t list, size; /* offset in saddle__scene_file; of an object */
    size_t name;       /* offset in an object; 0 = the objects have no names */
    int is_part;
    saddle__scene_add_function *add; /* NULL ends a table */
} saddle__scene_objects;

extern const saddle__scene_objects saddle__scene_parts[], saddle__scene_ties[];

#endif
