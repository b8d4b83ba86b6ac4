/* SPDX-License-Identifier: MIT */
/* A scene's particles, bodies, blocks, nodes and shapes.
 *
 * A rotation is given in one of four ways:
 *
 *     rotation       quaternion of any length
 *     rpy            roll, pitch, yaw about the fixed axes x, then y, then z, as in URDF:
 *                    R = Rz(yaw) Ry(pitch) Rx(roll)
 *     euler          three angles about axes named by their order, each turned by those before:
 *                    "zxz" is R = Rz(angles[0]) Rx(angles[1]) Rz(angles[2])
 *     axis, angle    about an axis of any length
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collide.h"
#include "model_internal.h"
#include "saddle/files.h"
#include "saddle/mesh.h"
#include "saddle/rotation.h"
#include "scene_internal.h"
#include "space/space.h"

/* ---- placements ---- */

typedef struct scene_euler {
    saddle__scene_head head;
    char *order; /* "zyx": each axis turned by those before */
    double angles[3];
} scene_euler;

#define STRUCT scene_euler
/* clang-format off */
static const saddle__scene_field euler_fields[] = {
    MUST(TEXT, "order", order), FIELD(NUMBERS, 1, "angles", angles, 3, NULL, NULL), END};
TABLE(euler, "euler", NULL);
/* clang-format on */
#undef STRUCT

/* A position and a rotation, in one of four ways. */
typedef struct scene_placement {
    double position[3];
    double rotation[4]; /* quaternion, scalar first, of any length */
    double rpy[3];      /* about the fixed x, then y, then z */
    scene_euler euler;
    double axis[3], angle;
} scene_placement;

/* clang-format off */
#define PLACEMENT \
    ARRAY(NUMBERS, "position", placement.position, 3), \
    ARRAY(NUMBERS, "rotation", placement.rotation, 4), \
    ARRAY(NUMBERS, "rpy", placement.rpy, 3), \
    ARRAY(NUMBERS, "axis", placement.axis, 3), AT(NUMBER, "angle", placement.angle), \
    PART(OBJECT, "euler", placement.euler, euler_table)
/* clang-format on */

static saddle_status rotate_by_quaternion(const saddle__scene_build *build, const double *given,
                                          double *R)
{
    double q[4];
    memcpy(q, given, sizeof q);
    const saddle_status status = saddle_quaternion_normalize(build->scan->context, q);
    if (status == SADDLE_OK) saddle_quaternion_to_matrix(q, R);
    return status;
}

static saddle_status rotate_by_axis(const saddle__scene_build *build,
                                    const saddle__scene_head *head,
                                    const scene_placement *placement, double *R)
{
    double phi[3];
    if (!(saddle__direction(placement->axis, phi) > 0))
        return saddle__scene_refuse(build, head, "\"axis\" is zero");
    for (int i = 0; i < 3; i++) phi[i] *= placement->angle;
    saddle_rotation_exp(phi, R);
    return SADDLE_OK;
}

static saddle_status rotate_by_euler(const saddle__scene_build *build, const scene_euler *euler,
                                     double *R)
{
    const char *order = euler->order;
    if (strlen(order) != 3 || strspn(order, "xyz") != 3 || order[0] == order[1] ||
        order[1] == order[2]) {
        return saddle__scene_refuse(
            build, &euler->head,
            "\"order\" is three of x, y and z, no axis twice in a row: \"zyx\", \"zxz\"");
    }
    for (int k = 0; k < 3; k++) {
        double phi[3] = {0}, turn[9];
        phi[order[k] - 'x'] = euler->angles[k];
        saddle_rotation_exp(phi, turn);
        saddle__product3(R, turn, R);
    }
    return SADDLE_OK;
}

/* The pose of an object's placement. */
static saddle_status read_pose(const saddle__scene_build *build, const void *object,
                               const scene_placement *placement, saddle_pose *pose)
{
    const saddle__scene_head *head = object;
    const int quaternion = saddle__scene_given(object, "rotation"),
              rpy = saddle__scene_given(object, "rpy"),
              euler = saddle__scene_given(object, "euler"),
              axis = saddle__scene_given(object, "axis"),
              angle = saddle__scene_given(object, "angle");
    *pose = saddle_pose_identity();
    memcpy(pose->p, placement->position, sizeof pose->p);
    if (quaternion + rpy + euler + axis > 1) {
        return saddle__scene_refuse(
            build, head,
            "\"rotation\", \"rpy\", \"euler\" and \"axis\" with \"angle\" say the same: "
            "give one");
    }
    if (quaternion) return rotate_by_quaternion(build, placement->rotation, pose->R);
    if (euler) return rotate_by_euler(build, &placement->euler, pose->R);
    if (axis) {
        const saddle_status status = rotate_by_axis(build, head, placement, pose->R);
        if (status != SADDLE_OK) return status;
    }
    if (axis != angle)
        return saddle__scene_refuse(build, head, "\"%s\" needs an \"%s\"", axis ? "axis" : "angle",
                                    axis ? "angle" : "axis");
    const double zyx[3] = {placement->rpy[2], placement->rpy[1], placement->rpy[0]};
    if (rpy) saddle_rpy_to_matrix(zyx, pose->R);
    return SADDLE_OK;
}

/* ---- particles ---- */

typedef struct scene_particle {
    saddle__scene_head head;
    saddle_particle_def def;
} scene_particle;

#define STRUCT scene_particle
/* clang-format off */
static const saddle__scene_field particle_fields[] = {
    MUST(TEXT, "name", def.name), AT(NUMBER, "mass", def.mass),
    ARRAY(NUMBERS, "position", def.position, 3), ARRAY(NUMBERS, "velocity", def.velocity, 3),
    AT(FLAG, "prescribed", def.prescribed), END};
/* clang-format on */
#undef STRUCT

static saddle_status add_particle(const saddle__scene_build *build, const void *object)
{
    const scene_particle *p = object;
    saddle_handle part;
    return saddle_model_add_particle(build->scene->model, &p->def, &part);
}

/* ---- bodies ---- */

typedef struct scene_body {
    saddle__scene_head head;
    saddle_body_def def;
    scene_placement placement;
    saddle_shape_kind shape;
    saddle__scene_list vertices, triangles; /* of a closed mesh, flat */
    double size[3], radius, length, density;
    double velocity[3], angular_velocity[3]; /* of the origin, world axes */
    int collides;
    saddle_touch_def touch;
    int64_t group;
} scene_body;

#define SHAPE_WORD(name, word, sizes) word,
static const char *const shape_words[] = {SADDLE_SHAPE_LIST(SHAPE_WORD) NULL};

static void body_defaults(void *object)
{
    scene_body *body = object;
    body->def = saddle_body_def_default();
    body->touch = saddle_touch_def_default();
    body->placement.rotation[0] = 1;
}

#define STRUCT scene_body
/* clang-format off */
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
/* clang-format on */
#undef STRUCT

static int is_round(saddle_shape_kind shape)
{
    return shape == SADDLE_SHAPE_SPHERE || shape == SADDLE_SHAPE_CYLINDER ||
           shape == SADDLE_SHAPE_CAPSULE;
}

/* The sizes of a shape in saddle_shape_kind's order, from "size" or "radius" and "length". */
static saddle_status solid_sizes(const saddle__scene_build *build, const scene_body *b,
                                 double size[3])
{
    const int round = is_round(b->shape);
    if (saddle__scene_given(b, round ? "size" : "radius") ||
        (saddle__scene_given(b, "length") && (!round || b->shape == SADDLE_SHAPE_SPHERE))) {
        return saddle__scene_refuse(
            build, &b->head,
            "a size that this shape does not have: \"size\" is of boxes and "
            "ellipsoids, \"radius\" of what is round, \"length\" of cylinders and capsules");
    }
    size[0] = round ? b->radius : b->size[0];
    size[1] = round ? b->length : b->size[1];
    size[2] = round ? 0 : b->size[2];
    return SADDLE_OK;
}

/* The numbers of a shape: in their ranges, its volume is a number. */
static saddle_status check_solid(const saddle__scene_build *build, const scene_body *b)
{
    const saddle__numbers numbers[] = {
        {"\"size\"", SADDLE__POSITIVE, is_round(b->shape) ? 0 : 3, b->size},
        {"\"radius\"", SADDLE__POSITIVE, is_round(b->shape), &b->radius},
        {"\"length\"", SADDLE__AMOUNT, 1, &b->length},
        {"\"mass\"", SADDLE__POSITIVE, saddle__scene_given(b, "mass"), &b->def.inertia.mass},
        {"\"density\"", SADDLE__POSITIVE, saddle__scene_given(b, "density"), &b->density}};
    return saddle__check_numbers(build->scene->model, "body", b->def.name, 5, numbers);
}

/* "triangles" as vertex numbers from 0; *triangle is released by the caller. */
static saddle_status mesh_triangles(const saddle__scene_build *build, const scene_body *b,
                                    int64_t **triangle)
{
    const double most = 9e15; /* integers up to here are exact */
    const double *number = b->triangles.item;
    *triangle = saddle_allocate(build->scan->context, b->triangles.count + 1, sizeof **triangle);
    if (!*triangle) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < b->triangles.count; k++) {
        if (!(number[k] >= 0 && number[k] < most && floor(number[k]) == number[k]))
            return saddle__scene_refuse(build, &b->head,
                                        "\"triangles\" are numbers of vertices, from 0");
        (*triangle)[k] = (int64_t)number[k];
    }
    return SADDLE_OK;
}

static saddle_status mesh_inertia(const saddle__scene_build *build, const scene_body *b,
                                  saddle_body_inertia *inertia)
{
    saddle_context *context = build->scan->context;
    const int has_mass = saddle__scene_given(b, "mass");
    if (saddle__scene_given(b, "shape") || saddle__scene_given(b, "moment") ||
        has_mass == saddle__scene_given(b, "density")) {
        return saddle__scene_refuse(
            build, &b->head,
            "a mesh has a mass or a density, and neither \"shape\" nor \"moment\"");
    }
    if (b->vertices.count % 3 != 0 || b->triangles.count % 3 != 0)
        return saddle__scene_refuse(build, &b->head,
                                    "\"vertices\" and \"triangles\" are three numbers each");
    int64_t *triangle = NULL;
    saddle_status status = mesh_triangles(build, b, &triangle);
    const saddle_mesh mesh = {b->vertices.count / 3, b->triangles.count / 3, b->vertices.item,
                              triangle};
    if (status == SADDLE_OK)
        status = has_mass ? saddle_mesh_inertia_of_mass(context, &mesh, b->def.name,
                                                        b->def.inertia.mass, inertia)
                          : saddle_mesh_inertia_of_density(context, &mesh, b->def.name, b->density,
                                                           inertia);
    saddle_release(context, triangle);
    return status;
}

/* inertia: of a mesh, of a shape, or as given; the latter is checked by the model. */
static saddle_status body_inertia(const saddle__scene_build *build, const scene_body *b,
                                  saddle_body_inertia *inertia)
{
    saddle_context *context = build->scan->context;
    const int has_mass = saddle__scene_given(b, "mass"),
              has_density = saddle__scene_given(b, "density");
    if (saddle__scene_given(b, "vertices") || saddle__scene_given(b, "triangles"))
        return mesh_inertia(build, b, inertia);
    if (!saddle__scene_given(b, "shape")) {
        if (!has_density) return SADDLE_OK;
        return saddle__scene_refuse(build, &b->head, "a density is of a \"shape\"");
    }
    if (saddle__scene_given(b, "moment"))
        return saddle__scene_refuse(build, &b->head, "\"moment\" and \"shape\" exclude each other");
    if (has_mass == has_density)
        return saddle__scene_refuse(build, &b->head, "a shape has a mass or a density");
    double size[3];
    saddle_status status = solid_sizes(build, b, size);
    if (status == SADDLE_OK) status = check_solid(build, b);
    if (status != SADDLE_OK) return status;
    status = has_mass
                 ? saddle_body_inertia_of_mass(context, b->shape, size, b->def.inertia.mass,
                                               inertia)
                 : saddle_body_inertia_of_density(context, b->shape, size, b->density, inertia);
    for (int i = 0; i < 3; i++) inertia->center[i] += b->def.inertia.center[i];
    return status;
}

static saddle_status read_group(const saddle__scene_build *build, const saddle__scene_head *head,
                                int64_t given, uint32_t *group)
{
    if (given < 0 || given > UINT32_MAX)
        return saddle__scene_refuse(build, head, "\"group\" is out of its range");
    *group = (uint32_t)given;
    return SADDLE_OK;
}

/* Adds a shape to the scene's collider, made for the first. */
static saddle_status add_to_collider(const saddle__scene_build *build, const saddle_touch_def *def)
{
    saddle_scene *scene = build->scene;
    saddle_status status = SADDLE_OK;
    if (!scene->collider) status = saddle_collider_create(scene->model, &scene->collider);
    scene->options.collider = scene->collider;
    return status == SADDLE_OK ? saddle_collider_add(scene->collider, def, NULL) : status;
}

/* The shape of a body that collides. */
static saddle_status add_body_shape(const saddle__scene_build *build, const scene_body *b,
                                    saddle_handle part)
{
    static const int touch[] = {SADDLE_TOUCH_BOX, SADDLE_TOUCH_SPHERE, -1, SADDLE_TOUCH_CAPSULE,
                                -1};
    if (!saddle__scene_given(b, "shape") || touch[b->shape] < 0)
        return saddle__scene_refuse(build, &b->head,
                                    "what collides has a \"shape\": box, sphere or capsule");
    saddle_touch_def def = b->touch;
    def.name = b->def.name;
    def.kind = (saddle_touch_kind)touch[b->shape];
    def.part = part;
    memcpy(def.pose.p, b->def.inertia.center, sizeof def.pose.p);
    saddle_status status = solid_sizes(build, b, def.size);
    if (status == SADDLE_OK) status = read_group(build, &b->head, b->group, &def.group);
    return status == SADDLE_OK ? add_to_collider(build, &def) : status;
}

static saddle_status add_body(const saddle__scene_build *build, const void *object)
{
    const scene_body *b = object;
    saddle_body_def def = b->def;
    saddle_handle part;
    saddle_status status = read_pose(build, b, &b->placement, &def.pose);
    if (status != SADDLE_OK) return status;
    if (saddle__scene_given(b, "velocity") || saddle__scene_given(b, "angular_velocity")) {
        if (saddle__scene_given(b, "twist"))
            return saddle__scene_refuse(build, &b->head,
                                        "\"twist\" and \"velocity\" exclude each other");
        saddle__unrotate(def.pose.R, b->velocity, def.twist);
        saddle__unrotate(def.pose.R, b->angular_velocity, def.twist + 3);
    }
    if (!def.prescribed) status = body_inertia(build, b, &def.inertia);
    if (status == SADDLE_OK) status = saddle_model_add_body(build->scene->model, &def, &part);
    return status == SADDLE_OK && b->collides ? add_body_shape(build, b, part) : status;
}

/* ---- nodes ---- */

typedef struct scene_block {
    saddle__scene_head head;
    saddle_fem_block def;
} scene_block;

static void block_defaults(void *object)
{
    ((scene_block *)object)->def = saddle_fem_block_default();
}

#define STRUCT scene_block
/* clang-format off */
static const saddle__scene_field block_fields[] = {
    MUST(TEXT, "name", def.name), ARRAY(INTEGERS, "cells", def.cells, 3),
    ARRAY(NUMBERS, "size", def.size, 3), ARRAY(NUMBERS, "corner", def.corner, 3),
    AT(NUMBER, "young", def.young), AT(NUMBER, "poisson", def.poisson),
    AT(NUMBER, "density", def.density), AT(NUMBER, "damping_mass", def.damping_mass),
    AT(NUMBER, "damping_stiffness", def.damping_stiffness), END};
/* clang-format on */
#undef STRUCT

static saddle_status add_block(const saddle__scene_build *build, const void *object)
{
    const scene_block *b = object;
    saddle_handle part;
    return saddle_model_add_fem_block(build->scene->model, &b->def, &part);
}

typedef struct scene_nodes {
    saddle__scene_head head;
    saddle_nodes_def def;
    char *position, *mass, *stiffness, *rest; /* files */
} scene_nodes;

#define STRUCT scene_nodes
/* clang-format off */
static const saddle__scene_field nodes_fields[] = {
    MUST(TEXT, "name", def.name), MUST(TEXT, "positions", position), MUST(TEXT, "mass", mass),
    AT(TEXT, "stiffness", stiffness), AT(TEXT, "rest", rest),
    AT(NUMBER, "damping_mass", def.damping_mass),
    AT(NUMBER, "damping_stiffness", def.damping_stiffness), END};
/* clang-format on */
#undef STRUCT

/* 1: the name cannot lead out of its folder: relative, without a part "..". */
static int stays_below(const char *file)
{
    if (file[0] == '/') return 0;
    for (const char *part = file; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return 0;
    }
    return 1;
}

/* 0: links lead path out of folder.  A path that does not exist leads nowhere. */
static int is_below(const char *folder, const char *path)
{
    char top[PATH_MAX];
    char file[PATH_MAX];
    if (!realpath(folder, top) || !realpath(path, file)) return 1;
    const size_t length = strlen(top);
    return strncmp(file, top, length) == 0 && (file[length] == '/' || top[length - 1] == '/');
}

enum { PATH_SIZE = 1024 };

/* The path of a file beside the scene. */
static saddle_status file_path(const saddle__scene_build *build, const saddle__scene_head *head,
                               const char *file, char path[PATH_SIZE])
{
    if (!build->folder) return saddle__scene_refuse(build, head, "this scene may name no files");
    if (!stays_below(file))
        return saddle__scene_refuse(build, head, "a file's name leads out of the scene's folder");
    const int length = snprintf(path, PATH_SIZE, "%s/%s", build->folder, file);
    if (!(length > 0 && length < PATH_SIZE))
        return saddle__scene_refuse(build, head, "a file's name is too long");
    if (!is_below(build->folder, path))
        return saddle__scene_refuse(build, head,
                                    "a file's name leads out of the scene's folder, by a link");
    return SADDLE_OK;
}

static saddle_status read_matrix(const saddle__scene_build *build, const scene_nodes *n,
                                 const char *file, saddle_matrix *A)
{
    char path[PATH_SIZE];
    saddle_status status = file_path(build, &n->head, file, path);
    if (status != SADDLE_OK) return status;
    status = saddle_matrix_read(build->scan->context, path, A);
    return saddle__scene_because(build, &n->head, status);
}

/* x: 3 x count, or one column of them. */
static saddle_status read_points(const saddle__scene_build *build, const scene_nodes *n,
                                 const char *file, double **x, int64_t *count)
{
    char path[PATH_SIZE];
    int64_t rows = 0, cols = 0;
    saddle_status status = file_path(build, &n->head, file, path);
    if (status != SADDLE_OK) return status;
    status = saddle_array_read(build->scan->context, path, 0, &rows, &cols, x);
    if (status != SADDLE_OK) return saddle__scene_because(build, &n->head, status);
    *count = rows * cols / 3;
    if (rows == 3 || (cols == 1 && rows % 3 == 0)) return SADDLE_OK;
    return saddle__scene_refuse(build, &n->head,
                                "points stand in an array of 3 rows, or of one column");
}

static saddle_status add_nodes(const saddle__scene_build *build, const void *object)
{
    const scene_nodes *n = object;
    double *x = NULL, *rest = NULL;
    int64_t rest_count = 0;
    saddle_matrix M = {0}, K = {0};
    saddle_nodes_def def = n->def;
    saddle_handle part;
    saddle_status status = read_points(build, n, n->position, &x, &def.count);
    if (status == SADDLE_OK) status = read_matrix(build, n, n->mass, &M);
    if (status == SADDLE_OK && n->stiffness) status = read_matrix(build, n, n->stiffness, &K);
    if (status == SADDLE_OK && n->rest) status = read_points(build, n, n->rest, &rest, &rest_count);
    if (status == SADDLE_OK && n->rest && rest_count != def.count) {
        status = saddle__scene_refuse(build, &n->head,
                                      "\"rest\" has another number of points than \"positions\"");
    }
    if (status == SADDLE_OK) {
        def.position = x;
        def.rest = rest;
        def.mass = &M;
        def.stiffness = n->stiffness ? &K : NULL;
        status = saddle_model_add_nodes(build->scene->model, &def, &part);
    }
    saddle_release(build->scan->context, x);
    saddle_release(build->scan->context, rest);
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&K);
    return status;
}

/* ---- shapes ---- */

typedef struct scene_shape {
    saddle__scene_head head;
    saddle_touch_def def;
    scene_placement placement;
    char *part;
    double radius, length;
    saddle__scene_list corners; /* flat */
    int64_t group;
    saddle__scene_compliance compliance;
} scene_shape;

static const char *const touch_words[] = {"sphere", "box", "capsule", "plane", "convex", NULL};

static void shape_defaults(void *object)
{
    scene_shape *shape = object;
    shape->def = saddle_touch_def_default();
    shape->placement.rotation[0] = 1;
}

#define STRUCT scene_shape
/* clang-format off */
static const saddle__scene_field shape_fields[] = {
    AT(TEXT, "name", def.name), WORD("kind", def.kind, touch_words), AT(TEXT, "part", part),
    ARRAY(NUMBERS, "size", def.size, 3), AT(NUMBER, "radius", radius),
    AT(NUMBER, "length", length), AT(SERIES, "corners", corners), PLACEMENT,
    AT(NUMBER, "mu", def.mu), AT(NUMBER, "restitution", def.restitution),
    AT(FLAG, "impact", def.impact), AT(INTEGER, "group", group), COMPLIANCE, END};
/* clang-format on */
#undef STRUCT

/* The sizes in saddle_touch_kind's order, from "size" or "radius" and "length". */
static saddle_status touch_sizes(const saddle__scene_build *build, const scene_shape *s,
                                 saddle_touch_def *def)
{
    static const struct {
        const char *key;
        unsigned kinds;
    } needed[] = {{"size", 1u << SADDLE_TOUCH_BOX},
                  {"radius", 1u << SADDLE_TOUCH_SPHERE | 1u << SADDLE_TOUCH_CAPSULE},
                  {"length", 1u << SADDLE_TOUCH_CAPSULE},
                  {"corners", 1u << SADDLE_TOUCH_CONVEX}};
    for (int k = 0; k < 4; k++) {
        const int given = saddle__scene_given(s, needed[k].key);
        if (given == (int)(needed[k].kinds >> def->kind & 1)) continue;
        return saddle__scene_refuse(build, &s->head, "shape: \"%s\" %s this kind of shape",
                                    needed[k].key, given ? "is not of" : "is missing for");
    }
    if (def->kind == SADDLE_TOUCH_SPHERE || def->kind == SADDLE_TOUCH_CAPSULE) {
        def->size[0] = s->radius;
        def->size[1] = s->length;
    }
    return SADDLE_OK;
}

static saddle_status add_shape(const saddle__scene_build *build, const void *object)
{
    const scene_shape *s = object;
    saddle_touch_def def = s->def;
    def.corners = s->corners.item;
    def.corner_count = s->corners.count / 3;
    if (s->corners.count % 3 != 0)
        return saddle__scene_refuse(build, &s->head, "\"corners\" are three numbers each");
    saddle_status status = saddle__scene_find(build, &s->head, s->part, &def.part);
    if (status == SADDLE_OK) status = read_group(build, &s->head, s->group, &def.group);
    if (status == SADDLE_OK) status = read_pose(build, s, &s->placement, &def.pose);
    if (status == SADDLE_OK) status = touch_sizes(build, s, &def);
    if (status == SADDLE_OK)
        status = saddle__scene_read_compliance(build, &s->head, &s->compliance, &def.compliance);
    return status == SADDLE_OK ? add_to_collider(build, &def) : status;
}

typedef struct scene_apart { /* two parts that never touch */
    saddle__scene_head head;
    char *a, *b;
} scene_apart;

#define STRUCT scene_apart
/* clang-format off */
static const saddle__scene_field apart_fields[] = {MUST(TEXT, "a", a), MUST(TEXT, "b", b), END};
/* clang-format on */
#undef STRUCT

static saddle_status add_apart(const saddle__scene_build *build, const void *object)
{
    const scene_apart *pair = object;
    saddle_handle a, b;
    saddle_status status = saddle__scene_find(build, &pair->head, pair->a, &a);
    if (status == SADDLE_OK) status = saddle__scene_find(build, &pair->head, pair->b, &b);
    if (status != SADDLE_OK || !build->scene->collider) return status;
    return saddle_collider_ignore(build->scene->collider, a, b);
}

/* ---- the lists ---- */

/* clang-format off */
const saddle__scene_table saddle__scene_parts[] = {
    TABLE_ROW(SADDLE__PARTICLES, particle, "particle", NULL, PART),
    TABLE_ROW(SADDLE__BODIES, body, "body", body_defaults, PART),
    TABLE_ROW(SADDLE__BLOCKS, block, "block", block_defaults, PART),
    TABLE_ROW(SADDLE__NODES, nodes, "nodes", NULL, PART),
    TABLE_ROW(SADDLE__SHAPES, shape, "shape", shape_defaults, NAMELESS),
    TABLE_ROW(SADDLE__APART, apart, "apart", NULL, NAMELESS),
};
/* clang-format on */
