/* SPDX-License-Identifier: MIT */
/* The fields of a scene's objects. */
#include <math.h>

#include "scene_internal.h"

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
    static const saddle__scene_table type##_table = {what, sizeof(STRUCT), type##_fields, defaults}

#define PLACEMENT \
    ARRAY(NUMBERS, "position", placement.position, 3), \
    ARRAY(NUMBERS, "rotation", placement.rotation, 4), \
    ARRAY(NUMBERS, "rpy", placement.rpy, 3), \
    ARRAY(NUMBERS, "axis", placement.axis, 3), AT(NUMBER, "angle", placement.angle), \
    PART(OBJECT, "euler", placement.euler, euler_table)
#define ENDS \
    AT(TEXT, "a", a.part), AT(INTEGER, "node_a", a.node), ARRAY(NUMBERS, "point_a", a.at, 3), \
    AT(TEXT, "b", b.part), AT(INTEGER, "node_b", b.node), ARRAY(NUMBERS, "point_b", b.at, 3)
#define COMPLIANCE PART(OBJECT, "compliance", compliance, compliance_table)

#define STRUCT saddle__scene_euler
static const saddle__scene_field euler_fields[] = {
    MUST(TEXT, "order", order), FIELD(NUMBERS, 1, "angles", angles, 3, NULL, NULL), END};
TABLE(euler, "euler", NULL);
#undef STRUCT

#define STRUCT saddle__scene_compliance
static const saddle__scene_field compliance_fields[] = {
    AT(NUMBER, "alpha", def.alpha), AT(NUMBER, "beta", def.beta), AT(NUMBER, "steps", def.steps),
    AT(NUMBER, "stiffness", stiffness), AT(NUMBER, "damping", damping), END};
TABLE(compliance, "compliance", NULL);
#undef STRUCT

/* ---- parts ---- */

#define STRUCT saddle__scene_particle
static const saddle__scene_field particle_fields[] = {
    MUST(TEXT, "name", def.name), AT(NUMBER, "mass", def.mass),
    ARRAY(NUMBERS, "position", def.position, 3), ARRAY(NUMBERS, "velocity", def.velocity, 3),
    AT(FLAG, "prescribed", def.prescribed), END};
TABLE(particle, "particle", NULL);
#undef STRUCT

#define SHAPE_WORD(name, word, sizes) word,
static const char *const shape_words[] = {SADDLE_SHAPE_LIST(SHAPE_WORD) NULL};

static void body_defaults(void *object)
{
    saddle__scene_body *body = object;
    body->def = saddle_body_def_default();
    body->touch = saddle_touch_def_default();
    body->placement.rotation[0] = 1;
}

#define STRUCT saddle__scene_body
static const saddle__scene_field body_fields[] = {
    MUST(TEXT, "name", def.name), WORD("shape", shape, shape_words),
    AT(SERIES, "vertices", vertices), AT(SERIES, "triangles", triangles),
    ARRAY(NUMBERS, "size", size, 3), AT(NUMBER, "radius", radius), AT(NUMBER, "length", length),
    AT(NUMBER, "mass", def.inertia.mass), AT(NUMBER, "density", density),
    ARRAY(NUMBERS, "center", def.inertia.center, 3),
    ARRAY(NUMBERS, "moment", def.inertia.moment, 9), PLACEMENT,
    ARRAY(NUMBERS, "twist", def.twist, 6), ARRAY(NUMBERS, "velocity", velocity, 3),
    ARRAY(NUMBERS, "angular_velocity", angular_velocity, 3),
    AT(FLAG, "prescribed", def.prescribed), AT(FLAG, "collides", collides),
    AT(NUMBER, "mu", touch.mu), AT(NUMBER, "restitution", touch.restitution),
    AT(FLAG, "impact", touch.impact), AT(INTEGER, "group", group), END};
TABLE(body, "body", body_defaults);
#undef STRUCT

static void block_defaults(void *object)
{
    ((saddle__scene_block *)object)->def = saddle_fem_block_default();
}

#define STRUCT saddle__scene_block
static const saddle__scene_field block_fields[] = {
    MUST(TEXT, "name", def.name), ARRAY(INTEGERS, "cells", def.cells, 3),
    ARRAY(NUMBERS, "size", def.size, 3), ARRAY(NUMBERS, "corner", def.corner, 3),
    AT(NUMBER, "young", def.young), AT(NUMBER, "poisson", def.poisson),
    AT(NUMBER, "density", def.density), AT(NUMBER, "damping_mass", def.damping_mass),
    AT(NUMBER, "damping_stiffness", def.damping_stiffness), END};
TABLE(block, "block", block_defaults);
#undef STRUCT

#define STRUCT saddle__scene_nodes
static const saddle__scene_field nodes_fields[] = {
    MUST(TEXT, "name", def.name), MUST(TEXT, "positions", position), MUST(TEXT, "mass", mass),
    AT(TEXT, "stiffness", stiffness), AT(TEXT, "rest", rest),
    AT(NUMBER, "damping_mass", def.damping_mass),
    AT(NUMBER, "damping_stiffness", def.damping_stiffness), END};
TABLE(nodes, "nodes", NULL);
#undef STRUCT

/* ---- joints and ties ---- */

static void motor_defaults(void *object)
{
    ((saddle__scene_motor *)object)->strength = INFINITY;
}

#define STRUCT saddle__scene_motor
static const saddle__scene_field motor_fields[] = {
    AT(NUMBER, "target", target), AT(NUMBER, "strength", strength), END};
TABLE(motor, "motor", motor_defaults);
#undef STRUCT

static void servo_defaults(void *object)
{
    ((saddle__scene_servo *)object)->strength = INFINITY;
}

#define STRUCT saddle__scene_servo
static const saddle__scene_field servo_fields[] = {
    AT(NUMBER, "position", position), AT(NUMBER, "velocity", velocity),
    AT(NUMBER, "strength", strength), COMPLIANCE, END};
TABLE(servo, "servo", servo_defaults);
#undef STRUCT

#define STRUCT saddle__scene_joint_spring
static const saddle__scene_field joint_spring_fields[] = {
    MUST(NUMBER, "stiffness", def.stiffness), AT(NUMBER, "damping", def.damping),
    AT(NUMBER, "rest", def.rest), END};
TABLE(joint_spring, "spring of a joint", NULL);
#undef STRUCT

static void free_defaults(void *object)
{
    saddle__scene_free *coordinate = object;
    coordinate->limits[0] = -INFINITY;
    coordinate->limits[1] = INFINITY;
}

#define STRUCT saddle__scene_free
static const saddle__scene_field free_fields[] = {
    ARRAY(NUMBERS, "limits", limits, 2), AT(NUMBER, "limit_restitution", limit_restitution),
    PART(OBJECT, "limit_compliance", limit_compliance, compliance_table),
    PART(OBJECT, "motor", motor, motor_table), PART(OBJECT, "servo", servo, servo_table),
    PART(OBJECT, "spring", spring, joint_spring_table), AT(NUMBER, "friction", friction), END};
TABLE(free, "free coordinate", free_defaults);
#undef STRUCT

#define STRUCT saddle__scene_locked
static const saddle__scene_field locked_fields[] = {
    AT(FLAG, "x", axis[0]), AT(FLAG, "y", axis[1]), AT(FLAG, "z", axis[2]),
    AT(FLAG, "rx", axis[3]), AT(FLAG, "ry", axis[4]), AT(FLAG, "rz", axis[5]), END};
TABLE(locked, "locked", NULL);
#undef STRUCT

static const char *const joint_words[] = {"fixed",     "hinge", "slider", "ball",
                                          "universal", "wheel", "custom", NULL};

static void joint_defaults(void *object)
{
    saddle__scene_joint *joint = object;
    joint->def = saddle_joint_def_default();
    joint->axis[2] = 1;
}

#define STRUCT saddle__scene_joint
static const saddle__scene_field joint_fields[] = {
    AT(TEXT, "name", def.name), WORD("kind", def.kind, joint_words), AT(TEXT, "a", a),
    AT(TEXT, "b", b), ARRAY(NUMBERS, "at", at, 3), ARRAY(NUMBERS, "axis", axis, 3),
    ARRAY(NUMBERS, "x_axis", x_axis, 3), PART(OBJECT, "locked", locked, locked_table), COMPLIANCE,
    PART(LIST, "free", free, free_table), END};
TABLE(joint, "joint", joint_defaults);
#undef STRUCT

#define STRUCT saddle__scene_pin
static const saddle__scene_field pin_fields[] = {
    AT(TEXT, "name", name), MUST(TEXT, "a", a.part), AT(TEXT, "b", b.part),
    AT(INTEGER, "node_a", a.node), AT(INTEGER, "node_b", b.node), COMPLIANCE, END};
TABLE(pin, "pin", NULL);
#undef STRUCT

#define STRUCT saddle__scene_rod
static const saddle__scene_field rod_fields[] = {
    AT(TEXT, "name", def.name), ENDS, AT(NUMBER, "length", def.length),
    AT(FLAG, "rope", def.rope), AT(NUMBER, "restitution", def.restitution), COMPLIANCE, END};
TABLE(rod, "rod", NULL);
#undef STRUCT

#define STRUCT saddle__scene_spring
static const saddle__scene_field spring_fields[] = {
    AT(TEXT, "name", name), ENDS, MUST(NUMBER, "stiffness", def.stiffness),
    AT(NUMBER, "damping", def.damping), AT(NUMBER, "rest_length", def.rest_length), END};
TABLE(spring, "spring", NULL);
#undef STRUCT

#define STRUCT saddle__scene_point
static const saddle__scene_field point_fields[] = {
    AT(TEXT, "part", end.part), AT(INTEGER, "node", end.node), ARRAY(NUMBERS, "at", end.at, 3),
    END};
TABLE(point, "point of a path", NULL);
#undef STRUCT

static void muscle_defaults(void *object)
{
    ((saddle__scene_muscle *)object)->def = saddle_muscle_default();
}

#define STRUCT saddle__scene_muscle
static const saddle__scene_field muscle_fields[] = {
    AT(TEXT, "name", name), PART(LIST, "path", path, point_table),
    MUST(NUMBER, "peak_force", def.peak_force), AT(NUMBER, "activation", def.activation),
    AT(NUMBER, "optimal_length", def.optimal_length),
    AT(NUMBER, "tendon_length", def.tendon_length), AT(NUMBER, "fastest", def.fastest), END};
TABLE(muscle, "muscle", muscle_defaults);
#undef STRUCT

#define STRUCT saddle__scene_load
static const saddle__scene_field load_fields[] = {
    AT(TEXT, "name", name), AT(TEXT, "part", end.part), AT(INTEGER, "node", end.node),
    ARRAY(NUMBERS, "at", end.at, 3), ARRAY(NUMBERS, "force", def.force, 3), END};
TABLE(load, "load", NULL);
#undef STRUCT

/* ---- contact ---- */

static const char *const touch_words[] = {"sphere", "box", "capsule", "plane", "convex", NULL};

static void shape_defaults(void *object)
{
    saddle__scene_shape *shape = object;
    shape->def = saddle_touch_def_default();
    shape->placement.rotation[0] = 1;
}

#define STRUCT saddle__scene_shape
static const saddle__scene_field shape_fields[] = {
    AT(TEXT, "name", def.name), WORD("kind", def.kind, touch_words), AT(TEXT, "part", part),
    ARRAY(NUMBERS, "size", def.size, 3), AT(NUMBER, "radius", radius),
    AT(NUMBER, "length", length), AT(SERIES, "corners", corners), PLACEMENT,
    AT(NUMBER, "mu", def.mu), AT(NUMBER, "restitution", def.restitution),
    AT(FLAG, "impact", def.impact), AT(INTEGER, "group", group), COMPLIANCE, END};
TABLE(shape, "shape", shape_defaults);
#undef STRUCT

#define STRUCT saddle__scene_apart
static const saddle__scene_field apart_fields[] = {MUST(TEXT, "a", a), MUST(TEXT, "b", b), END};
TABLE(apart, "apart", NULL);
#undef STRUCT

/* ---- the scene ---- */

#define LIST_WORD(name, word) word,
static const char *const law_words[] = {SADDLE_LAW_LIST(LIST_WORD) NULL};
static const char *const integrator_words[] = {SADDLE_INTEGRATOR_LIST(LIST_WORD) NULL};
static const char *const rotation_words[] = {"exponential", "finite", "infinitesimal", NULL};

#define STRUCT saddle__scene_friction
static const saddle__scene_field friction_fields[] = {
    WORD("law", law, law_words), AT(INTEGER, "facets", facets), END};
TABLE(friction, "friction", NULL);
#undef STRUCT

static void file_defaults(void *object)
{
    ((saddle__scene_file *)object)->options = saddle_stepper_options_default();
}

#define STRUCT saddle__scene_file
static const saddle__scene_field file_fields[] = {
    MUST(TEXT, "format", format), MUST(INTEGER, "version", version), AT(TEXT, "name", name),
    ARRAY(NUMBERS, "gravity", gravity, 3), AT(NUMBER, "time", time),
    AT(NUMBER, "time_step", options.time_step),
    WORD("integrator", options.integrator, integrator_words),
    WORD("rotation_update", options.rotation, rotation_words), AT(TEXT, "solver", solver),
    AT(NUMBER, "tolerance", options.solver_options.tolerance),
    AT(INTEGER, "max_iterations", options.solver_options.max_iterations),
    AT(INTEGER, "projection", projection),
    AT(NUMBER, "projection_tolerance", options.projection_tolerance),
    AT(NUMBER, "margin", options.margin),
    AT(NUMBER, "max_separation_speed", options.max_separation_speed),
    AT(FLAG, "geometric_stiffness", options.assembly.geometric_stiffness),
    AT(FLAG, "gyroscopic_jacobian", options.assembly.gyroscopic_jacobian),
    AT(FLAG, "symmetric_stiffness", options.assembly.symmetric_stiffness),
    PART(OBJECT, "friction", friction, friction_table),
    PART(LIST, "particles", particles, particle_table), PART(LIST, "bodies", bodies, body_table),
    PART(LIST, "blocks", blocks, block_table), PART(LIST, "nodes", nodes, nodes_table),
    PART(LIST, "joints", joints, joint_table), PART(LIST, "pins", pins, pin_table),
    PART(LIST, "rods", rods, rod_table), PART(LIST, "springs", springs, spring_table),
    PART(LIST, "muscles", muscles, muscle_table), PART(LIST, "loads", loads, load_table),
    PART(LIST, "shapes", shapes, shape_table), PART(LIST, "apart", apart, apart_table), END};
const saddle__scene_table saddle__scene_file_table = {"scene", sizeof(STRUCT), file_fields,
                                                      file_defaults};
#undef STRUCT
/* clang-format on */
