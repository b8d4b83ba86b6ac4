/* SPDX-License-Identifier: MIT */
/* What stands in a scene file, before it is a model.  Fields and units: docs/formats.md, Scenes. */
#ifndef SADDLE_ASSEMBLY_SCENE_FIELDS_H
#define SADDLE_ASSEMBLY_SCENE_FIELDS_H

#include "saddle/fem_block.h"
#include "saddle/joint.h"
#include "saddle/scene.h"
#include "scene_table.h"

typedef struct saddle__scene_euler {
    saddle__scene_head head;
    char *order; /* "zyx": the axes, each turned by those before */
    double angles[3];
} saddle__scene_euler;

/* where something is: a rotation in one of four ways at most */
typedef struct saddle__scene_placement {
    double position[3];
    double rotation[4]; /* quaternion, scalar first, of any length */
    double rpy[3];      /* about the fixed x, then y, then z */
    saddle__scene_euler euler;
    double axis[3], angle;
} saddle__scene_placement;

typedef struct saddle__scene_particle {
    saddle__scene_head head;
    char *name;
    double mass, position[3], velocity[3];
    int prescribed;
} saddle__scene_particle;

typedef struct saddle__scene_body {
    saddle__scene_head head;
    char *name;
    int shape;                              /* saddle_shape_kind */
    saddle__scene_list vertices, triangles; /* of a closed mesh, flat */
    double size[3], radius, length;
    double mass, density, center[3], moment[9];
    saddle__scene_placement placement;
    double twist[6];                         /* body axes */
    double velocity[3], angular_velocity[3]; /* of the origin, world axes */
    int prescribed, collides, impact;
    double mu, restitution;
    int64_t group;
} saddle__scene_body;

typedef struct saddle__scene_compliance {
    saddle__scene_head head;
    double alpha, beta, steps, stiffness, damping;
} saddle__scene_compliance;

typedef struct saddle__scene_block {
    saddle__scene_head head;
    char *name;
    int64_t cells[3];
    double size[3], corner[3], young, poisson, density, damping_mass, damping_stiffness;
} saddle__scene_block;

typedef struct saddle__scene_nodes {
    saddle__scene_head head;
    char *name, *position, *mass, *stiffness, *rest; /* files */
    double damping_mass, damping_stiffness;
} saddle__scene_nodes;

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
    double stiffness, damping, rest;
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
    int x, y, z, rx, ry, rz;
} saddle__scene_locked;

typedef struct saddle__scene_joint {
    saddle__scene_head head;
    char *name, *a, *b;
    int kind;
    saddle__scene_locked locked;
    double at[3], axis[3], x_axis[3];
    saddle__scene_compliance compliance;
    saddle__scene_list free;
} saddle__scene_joint;

typedef struct saddle__scene_pin { /* a particle, or one of nodes, on another part */
    saddle__scene_head head;
    char *name, *a, *b;
    int64_t node_a, node_b;
    saddle__scene_compliance compliance;
} saddle__scene_pin;

typedef struct saddle__scene_line { /* between two points: where its ends are */
    char *a, *b;
    int64_t node_a, node_b;
    double point_a[3], point_b[3]; /* in the world, as the scene begins */
} saddle__scene_line;

typedef struct saddle__scene_rod {
    saddle__scene_head head;
    char *name;
    saddle__scene_line line;
    double length, restitution;
    int rope;
    saddle__scene_compliance compliance;
} saddle__scene_rod;

typedef struct saddle__scene_spring {
    saddle__scene_head head;
    char *name;
    saddle__scene_line line;
    double stiffness, damping, rest_length;
} saddle__scene_spring;

typedef struct saddle__scene_point { /* of a muscle's path */
    saddle__scene_head head;
    char *part;
    int64_t node;
    double at[3]; /* in the world, as the scene begins */
} saddle__scene_point;

typedef struct saddle__scene_muscle {
    saddle__scene_head head;
    char *name;
    saddle__scene_list path;
    double peak_force, activation, optimal_length, tendon_length, fastest;
} saddle__scene_muscle;

typedef struct saddle__scene_load { /* a dead load */
    saddle__scene_head head;
    char *name, *part;
    int64_t node;
    double at[3], force[3];
} saddle__scene_load;

typedef struct saddle__scene_shape {
    saddle__scene_head head;
    char *name, *part;
    int kind; /* saddle_touch_kind */
    int impact;
    double size[3], radius, length;
    saddle__scene_list corners; /* of a convex one, flat */
    saddle__scene_placement placement;
    double mu, restitution;
    int64_t group;
    saddle__scene_compliance compliance;
} saddle__scene_shape;

typedef struct saddle__scene_apart { /* two parts that never touch */
    saddle__scene_head head;
    char *a, *b;
} saddle__scene_apart;

typedef struct saddle__scene_friction {
    saddle__scene_head head;
    int law;
    int64_t facets;
} saddle__scene_friction;

typedef struct saddle__scene_file {
    saddle__scene_head head;
    char *format, *name, *solver;
    int64_t version;
    double gravity[3], time, time_step, tolerance, margin, max_separation_speed,
        projection_tolerance;
    int64_t max_iterations, projection;
    int integrator, rotation, geometric_stiffness, gyroscopic_jacobian, symmetric_stiffness;
    saddle__scene_friction friction;
    saddle__scene_list particles, bodies, blocks, nodes, joints, pins, rods, springs, muscles,
        loads, shapes, apart;
} saddle__scene_file;

extern const saddle__scene_table saddle__scene_file_table, saddle__scene_particle_table,
    saddle__scene_body_table, saddle__scene_block_table, saddle__scene_nodes_table,
    saddle__scene_joint_table, saddle__scene_pin_table, saddle__scene_rod_table,
    saddle__scene_spring_table, saddle__scene_point_table, saddle__scene_muscle_table,
    saddle__scene_load_table, saddle__scene_shape_table, saddle__scene_apart_table,
    saddle__scene_compliance_table, saddle__scene_free_table, saddle__scene_motor_table,
    saddle__scene_servo_table, saddle__scene_joint_spring_table, saddle__scene_locked_table,
    saddle__scene_friction_table, saddle__scene_euler_table;

#endif
