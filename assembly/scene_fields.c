/* SPDX-License-Identifier: MIT */
/* The tables of a scene's fields. */
#include "scene_fields.h"

#include <math.h>

#include "saddle/muscle.h"

/* clang-format off */
#define FIELD(type, key, member, kind, count, required, words, table) \
    {#key, SADDLE__FIELD_##kind, offsetof(saddle__scene_##type, member), count, required, \
     words, table}
#define AT(type, key, member, kind)           FIELD(type, key, member, kind, 0, 0, NULL, NULL)
#define MUST(type, key, member, kind)         FIELD(type, key, member, kind, 0, 1, NULL, NULL)
#define ARRAY(type, key, member, kind, count) FIELD(type, key, member, kind, count, 0, NULL, NULL)
#define WORD(type, key, member, words)        FIELD(type, key, member, WORD, 0, 0, words, NULL)
#define PART(type, key, member, kind, table)  FIELD(type, key, member, kind, 0, 0, NULL, table)
#define END                                   {NULL, SADDLE__FIELD_NUMBER, 0, 0, 0, NULL, NULL}
/* clang-format on */

#define PLACEMENT(type)                                                                          \
    ARRAY(type, position, placement.position, NUMBERS, 3),                                       \
        ARRAY(type, rotation, placement.rotation, NUMBERS, 4),                                   \
        ARRAY(type, rpy, placement.rpy, NUMBERS, 3),                                             \
        ARRAY(type, axis, placement.axis, NUMBERS, 3), AT(type, angle, placement.angle, NUMBER), \
        PART(type, euler, placement.euler, OBJECT, &saddle__scene_euler_table)
#define LINE(type)                                                                                \
    AT(type, a, line.a, TEXT), AT(type, b, line.b, TEXT), AT(type, node_a, line.node_a, INTEGER), \
        AT(type, node_b, line.node_b, INTEGER), ARRAY(type, point_a, line.point_a, NUMBERS, 3),   \
        ARRAY(type, point_b, line.point_b, NUMBERS, 3)

static const saddle__scene_field euler_fields[] = {
    MUST(euler, order, order, TEXT), FIELD(euler, angles, angles, NUMBERS, 3, 1, NULL, NULL), END};
const saddle__scene_table saddle__scene_euler_table = {"euler", sizeof(saddle__scene_euler),
                                                       euler_fields, NULL};

/* ---- parts ---- */

static const saddle__scene_field particle_fields[] = {MUST(particle, name, name, TEXT),
                                                      AT(particle, mass, mass, NUMBER),
                                                      ARRAY(particle, position, position, NUMBERS,
                                                            3),
                                                      ARRAY(particle, velocity, velocity, NUMBERS,
                                                            3),
                                                      AT(particle, prescribed, prescribed, FLAG),
                                                      END};
const saddle__scene_table saddle__scene_particle_table = {"particle",
                                                          sizeof(saddle__scene_particle),
                                                          particle_fields, NULL};

#define SHAPE_WORD(name, word, sizes) word,
static const char *const solid_words[] = {SADDLE_SHAPE_LIST(SHAPE_WORD) NULL};
#undef SHAPE_WORD

static void body_defaults(void *object)
{
    saddle__scene_body *body = object;
    body->placement.rotation[0] = 1;
    body->mu = 0.5;
}

static const saddle__scene_field body_fields[] = {MUST(body, name, name, TEXT),
                                                  WORD(body, shape, shape, solid_words),
                                                  AT(body, vertices, vertices, SERIES),
                                                  AT(body, triangles, triangles, SERIES),
                                                  ARRAY(body, size, size, NUMBERS, 3),
                                                  AT(body, radius, radius, NUMBER),
                                                  AT(body, length, length, NUMBER),
                                                  AT(body, mass, mass, NUMBER),
                                                  AT(body, density, density, NUMBER),
                                                  ARRAY(body, center, center, NUMBERS, 3),
                                                  ARRAY(body, moment, moment, NUMBERS, 9),
                                                  PLACEMENT(body),
                                                  ARRAY(body, twist, twist, NUMBERS, 6),
                                                  ARRAY(body, velocity, velocity, NUMBERS, 3),
                                                  ARRAY(body, angular_velocity, angular_velocity,
                                                        NUMBERS, 3),
                                                  AT(body, prescribed, prescribed, FLAG),
                                                  AT(body, collides, collides, FLAG),
                                                  AT(body, mu, mu, NUMBER),
                                                  AT(body, restitution, restitution, NUMBER),
                                                  AT(body, impact, impact, FLAG),
                                                  AT(body, group, group, INTEGER),
                                                  END};
const saddle__scene_table saddle__scene_body_table = {"body", sizeof(saddle__scene_body),
                                                      body_fields, body_defaults};

static void block_defaults(void *object)
{
    saddle__scene_block *block = object;
    const saddle_fem_block start = saddle_fem_block_default();
    for (int i = 0; i < 3; i++) {
        block->cells[i] = start.cells[i];
        block->size[i] = start.size[i];
    }
    block->young = start.young;
    block->poisson = start.poisson;
    block->density = start.density;
}

static const saddle__scene_field block_fields[] = {MUST(block, name, name, TEXT),
                                                   ARRAY(block, cells, cells, INTEGERS, 3),
                                                   ARRAY(block, size, size, NUMBERS, 3),
                                                   ARRAY(block, corner, corner, NUMBERS, 3),
                                                   AT(block, young, young, NUMBER),
                                                   AT(block, poisson, poisson, NUMBER),
                                                   AT(block, density, density, NUMBER),
                                                   AT(block, damping_mass, damping_mass, NUMBER),
                                                   AT(block, damping_stiffness, damping_stiffness,
                                                      NUMBER),
                                                   END};
const saddle__scene_table saddle__scene_block_table = {"block", sizeof(saddle__scene_block),
                                                       block_fields, block_defaults};

static const saddle__scene_field nodes_fields[] = {MUST(nodes, name, name, TEXT),
                                                   MUST(nodes, positions, position, TEXT),
                                                   MUST(nodes, mass, mass, TEXT),
                                                   AT(nodes, stiffness, stiffness, TEXT),
                                                   AT(nodes, rest, rest, TEXT),
                                                   AT(nodes, damping_mass, damping_mass, NUMBER),
                                                   AT(nodes, damping_stiffness, damping_stiffness,
                                                      NUMBER),
                                                   END};
const saddle__scene_table saddle__scene_nodes_table = {"nodes", sizeof(saddle__scene_nodes),
                                                       nodes_fields, NULL};

/* ---- joints ---- */

static const saddle__scene_field compliance_fields[] = {
    AT(compliance, alpha, alpha, NUMBER),     AT(compliance, beta, beta, NUMBER),
    AT(compliance, steps, steps, NUMBER),     AT(compliance, stiffness, stiffness, NUMBER),
    AT(compliance, damping, damping, NUMBER), END};
const saddle__scene_table saddle__scene_compliance_table = {"compliance",
                                                            sizeof(saddle__scene_compliance),
                                                            compliance_fields, NULL};

static void motor_defaults(void *object)
{
    ((saddle__scene_motor *)object)->strength = INFINITY;
}

static const saddle__scene_field motor_fields[] = {AT(motor, target, target, NUMBER),
                                                   AT(motor, strength, strength, NUMBER), END};
const saddle__scene_table saddle__scene_motor_table = {"motor", sizeof(saddle__scene_motor),
                                                       motor_fields, motor_defaults};

static void servo_defaults(void *object)
{
    ((saddle__scene_servo *)object)->strength = INFINITY;
}

static const saddle__scene_field servo_fields[] = {
    AT(servo, position, position, NUMBER), AT(servo, velocity, velocity, NUMBER),
    AT(servo, strength, strength, NUMBER),
    PART(servo, compliance, compliance, OBJECT, &saddle__scene_compliance_table), END};
const saddle__scene_table saddle__scene_servo_table = {"servo", sizeof(saddle__scene_servo),
                                                       servo_fields, servo_defaults};

static const saddle__scene_field joint_spring_fields[] = {
    MUST(joint_spring, stiffness, stiffness, NUMBER), AT(joint_spring, damping, damping, NUMBER),
    AT(joint_spring, rest, rest, NUMBER), END};
const saddle__scene_table saddle__scene_joint_spring_table = {"spring of a joint",
                                                              sizeof(saddle__scene_joint_spring),
                                                              joint_spring_fields, NULL};

static void free_defaults(void *object)
{
    saddle__scene_free *coordinate = object;
    coordinate->limits[0] = -INFINITY;
    coordinate->limits[1] = INFINITY;
}

static const saddle__scene_field free_fields[] = {
    ARRAY(free, limits, limits, NUMBERS, 2),
    AT(free, limit_restitution, limit_restitution, NUMBER),
    PART(free, limit_compliance, limit_compliance, OBJECT, &saddle__scene_compliance_table),
    PART(free, motor, motor, OBJECT, &saddle__scene_motor_table),
    PART(free, servo, servo, OBJECT, &saddle__scene_servo_table),
    PART(free, spring, spring, OBJECT, &saddle__scene_joint_spring_table),
    AT(free, friction, friction, NUMBER),
    END};
const saddle__scene_table saddle__scene_free_table = {"free coordinate", sizeof(saddle__scene_free),
                                                      free_fields, free_defaults};

static const saddle__scene_field locked_fields[] = {AT(locked, x, x, FLAG),
                                                    AT(locked, y, y, FLAG),
                                                    AT(locked, z, z, FLAG),
                                                    AT(locked, rx, rx, FLAG),
                                                    AT(locked, ry, ry, FLAG),
                                                    AT(locked, rz, rz, FLAG),
                                                    END};
const saddle__scene_table saddle__scene_locked_table = {"locked", sizeof(saddle__scene_locked),
                                                        locked_fields, NULL};

static const char *const joint_words[] = {"fixed",     "hinge", "slider", "ball",
                                          "universal", "wheel", "custom", NULL};

static void joint_defaults(void *object)
{
    ((saddle__scene_joint *)object)->axis[2] = 1;
}

static const saddle__scene_field joint_fields[] = {
    AT(joint, name, name, TEXT),
    WORD(joint, kind, kind, joint_words),
    AT(joint, a, a, TEXT),
    AT(joint, b, b, TEXT),
    ARRAY(joint, at, at, NUMBERS, 3),
    ARRAY(joint, axis, axis, NUMBERS, 3),
    ARRAY(joint, x_axis, x_axis, NUMBERS, 3),
    PART(joint, locked, locked, OBJECT, &saddle__scene_locked_table),
    PART(joint, compliance, compliance, OBJECT, &saddle__scene_compliance_table),
    PART(joint, free, free, LIST, &saddle__scene_free_table),
    END};
const saddle__scene_table saddle__scene_joint_table = {"joint", sizeof(saddle__scene_joint),
                                                       joint_fields, joint_defaults};

static const saddle__scene_field pin_fields[] = {AT(pin, name, name, TEXT),
                                                 MUST(pin, a, a, TEXT),
                                                 AT(pin, b, b, TEXT),
                                                 AT(pin, node_a, node_a, INTEGER),
                                                 AT(pin, node_b, node_b, INTEGER),
                                                 PART(pin, compliance, compliance, OBJECT,
                                                      &saddle__scene_compliance_table),
                                                 END};
const saddle__scene_table saddle__scene_pin_table = {"pin", sizeof(saddle__scene_pin), pin_fields,
                                                     NULL};

static const saddle__scene_field rod_fields[] = {AT(rod, name, name, TEXT),
                                                 LINE(rod),
                                                 AT(rod, length, length, NUMBER),
                                                 AT(rod, rope, rope, FLAG),
                                                 AT(rod, restitution, restitution, NUMBER),
                                                 PART(rod, compliance, compliance, OBJECT,
                                                      &saddle__scene_compliance_table),
                                                 END};
const saddle__scene_table saddle__scene_rod_table = {"rod", sizeof(saddle__scene_rod), rod_fields,
                                                     NULL};

static const saddle__scene_field spring_fields[] = {AT(spring, name, name, TEXT),
                                                    LINE(spring),
                                                    MUST(spring, stiffness, stiffness, NUMBER),
                                                    AT(spring, damping, damping, NUMBER),
                                                    AT(spring, rest_length, rest_length, NUMBER),
                                                    END};
const saddle__scene_table saddle__scene_spring_table = {"spring", sizeof(saddle__scene_spring),
                                                        spring_fields, NULL};

static const saddle__scene_field point_fields[] = {AT(point, part, part, TEXT),
                                                   AT(point, node, node, INTEGER),
                                                   ARRAY(point, at, at, NUMBERS, 3), END};
const saddle__scene_table saddle__scene_point_table = {"point of a path",
                                                       sizeof(saddle__scene_point), point_fields,
                                                       NULL};

static void muscle_defaults(void *object)
{
    saddle__scene_muscle *muscle = object;
    const saddle_muscle start = saddle_muscle_default();
    muscle->activation = start.activation;
    muscle->tendon_length = start.tendon_length;
    muscle->fastest = start.fastest;
}

static const saddle__scene_field muscle_fields[] = {
    AT(muscle, name, name, TEXT),
    PART(muscle, path, path, LIST, &saddle__scene_point_table),
    MUST(muscle, peak_force, peak_force, NUMBER),
    AT(muscle, activation, activation, NUMBER),
    AT(muscle, optimal_length, optimal_length, NUMBER),
    AT(muscle, tendon_length, tendon_length, NUMBER),
    AT(muscle, fastest, fastest, NUMBER),
    END};
const saddle__scene_table saddle__scene_muscle_table = {"muscle", sizeof(saddle__scene_muscle),
                                                        muscle_fields, muscle_defaults};

static const saddle__scene_field load_fields[] = {AT(load, name, name, TEXT),
                                                  AT(load, part, part, TEXT),
                                                  AT(load, node, node, INTEGER),
                                                  ARRAY(load, at, at, NUMBERS, 3),
                                                  ARRAY(load, force, force, NUMBERS, 3),
                                                  END};
const saddle__scene_table saddle__scene_load_table = {"load", sizeof(saddle__scene_load),
                                                      load_fields, NULL};

/* ---- what touches ---- */

static const char *const touch_words[] = {"sphere", "box", "capsule", "plane", "convex", NULL};

static void shape_defaults(void *object)
{
    saddle__scene_shape *shape = object;
    const saddle_touch_def start = saddle_touch_def_default();
    shape->placement.rotation[0] = 1;
    shape->mu = start.mu;
}

static const saddle__scene_field shape_fields[] = {AT(shape, name, name, TEXT),
                                                   WORD(shape, kind, kind, touch_words),
                                                   AT(shape, part, part, TEXT),
                                                   ARRAY(shape, size, size, NUMBERS, 3),
                                                   AT(shape, radius, radius, NUMBER),
                                                   AT(shape, length, length, NUMBER),
                                                   AT(shape, corners, corners, SERIES),
                                                   PLACEMENT(shape),
                                                   AT(shape, mu, mu, NUMBER),
                                                   AT(shape, restitution, restitution, NUMBER),
                                                   AT(shape, impact, impact, FLAG),
                                                   AT(shape, group, group, INTEGER),
                                                   PART(shape, compliance, compliance, OBJECT,
                                                        &saddle__scene_compliance_table),
                                                   END};
const saddle__scene_table saddle__scene_shape_table = {"shape", sizeof(saddle__scene_shape),
                                                       shape_fields, shape_defaults};

static const saddle__scene_field apart_fields[] = {MUST(apart, a, a, TEXT), MUST(apart, b, b, TEXT),
                                                   END};
const saddle__scene_table saddle__scene_apart_table = {"apart", sizeof(saddle__scene_apart),
                                                       apart_fields, NULL};

/* ---- the whole ---- */

#define LIST_WORD(name, word) word,
static const char *const law_words[] = {SADDLE_LAW_LIST(LIST_WORD) NULL};
static const char *const integrator_words[] = {SADDLE_INTEGRATOR_LIST(LIST_WORD) NULL};
#undef LIST_WORD
static const char *const rotation_words[] = {"exponential", "finite", "infinitesimal", NULL};

static const saddle__scene_field friction_fields[] = {WORD(friction, law, law, law_words),
                                                      AT(friction, facets, facets, INTEGER), END};
const saddle__scene_table saddle__scene_friction_table = {"friction",
                                                          sizeof(saddle__scene_friction),
                                                          friction_fields, NULL};

static void file_defaults(void *object)
{
    saddle__scene_file *file = object;
    const saddle_stepper_options start = saddle_stepper_options_default();
    file->time_step = start.time_step;
    file->integrator = (int)start.integrator;
    file->tolerance = start.solver_options.tolerance;
    file->margin = start.margin;
    file->max_separation_speed = start.max_separation_speed;
    file->projection_tolerance = start.projection_tolerance;
}

static const saddle__scene_field file_fields[] = {
    MUST(file, format, format, TEXT),
    MUST(file, version, version, INTEGER),
    AT(file, name, name, TEXT),
    ARRAY(file, gravity, gravity, NUMBERS, 3),
    AT(file, time, time, NUMBER),
    AT(file, time_step, time_step, NUMBER),
    WORD(file, integrator, integrator, integrator_words),
    WORD(file, rotation_update, rotation, rotation_words),
    AT(file, solver, solver, TEXT),
    AT(file, tolerance, tolerance, NUMBER),
    AT(file, max_iterations, max_iterations, INTEGER),
    AT(file, projection, projection, INTEGER),
    AT(file, projection_tolerance, projection_tolerance, NUMBER),
    AT(file, margin, margin, NUMBER),
    AT(file, max_separation_speed, max_separation_speed, NUMBER),
    AT(file, geometric_stiffness, geometric_stiffness, FLAG),
    AT(file, gyroscopic_jacobian, gyroscopic_jacobian, FLAG),
    AT(file, symmetric_stiffness, symmetric_stiffness, FLAG),
    PART(file, friction, friction, OBJECT, &saddle__scene_friction_table),
    PART(file, particles, particles, LIST, &saddle__scene_particle_table),
    PART(file, bodies, bodies, LIST, &saddle__scene_body_table),
    PART(file, blocks, blocks, LIST, &saddle__scene_block_table),
    PART(file, nodes, nodes, LIST, &saddle__scene_nodes_table),
    PART(file, joints, joints, LIST, &saddle__scene_joint_table),
    PART(file, pins, pins, LIST, &saddle__scene_pin_table),
    PART(file, rods, rods, LIST, &saddle__scene_rod_table),
    PART(file, springs, springs, LIST, &saddle__scene_spring_table),
    PART(file, muscles, muscles, LIST, &saddle__scene_muscle_table),
    PART(file, loads, loads, LIST, &saddle__scene_load_table),
    PART(file, shapes, shapes, LIST, &saddle__scene_shape_table),
    PART(file, apart, apart, LIST, &saddle__scene_apart_table),
    END};
const saddle__scene_table saddle__scene_file_table = {"scene", sizeof(saddle__scene_file),
                                                      file_fields, file_defaults};
