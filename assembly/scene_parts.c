/* SPDX-License-Identifier: MIT */
/* A scene's particles, bodies, blocks and nodes. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saddle/files.h"
#include "saddle/mesh.h"
#include "scene_build.h"
#include "space/space.h"

/* Names are how the rest of the file speaks of parts: none is without one, none is "ground". */
static saddle_status check_name(const saddle__scene_build *build, const saddle__scene_head *head,
                                const char *name)
{
    if (!name || *name == '\0' || strcmp(name, "ground") == 0) {
        return saddle__scene_refuse(build, head, "a part needs a name other than \"ground\"");
    }
    return saddle__scene_check_name(build, head, name);
}

/* ---- particles ---- */

static saddle_status add_particle(const saddle__scene_build *build, const void *object)
{
    const saddle__scene_particle *p = object;
    saddle_particle_def def = {.name = p->name, .mass = p->mass, .prescribed = p->prescribed};
    memcpy(def.position, p->position, sizeof def.position);
    memcpy(def.velocity, p->velocity, sizeof def.velocity);
    saddle_handle part;
    const saddle_status status = check_name(build, &p->head, p->name);
    if (status != SADDLE_OK) return status;
    return saddle__scene_because(build, &p->head,
                                 saddle_model_add_particle(build->scene->model, &def, &part));
}

/* ---- bodies ---- */

static int has(const saddle__scene_body *b, const char *key)
{
    return saddle__scene_given(&saddle__scene_body_table, b, key);
}

/* The sizes of a shape in saddle_shape_kind's order, from "size" or "radius" and "length". */
static saddle_status solid_sizes(const saddle__scene_build *build, const saddle__scene_body *b,
                                 double size[3])
{
    const int round = b->shape == SADDLE_SHAPE_SPHERE || b->shape == SADDLE_SHAPE_CYLINDER ||
                      b->shape == SADDLE_SHAPE_CAPSULE;
    if (has(b, round ? "size" : "radius") ||
        (has(b, "length") && (!round || b->shape == SADDLE_SHAPE_SPHERE))) {
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

/* "triangles" as vertex numbers from 0; *triangle is released by the caller. */
static saddle_status mesh_triangles(const saddle__scene_build *build, const saddle__scene_body *b,
                                    int64_t **triangle)
{
    const double *number = b->triangles.item;
    *triangle = saddle_allocate(build->scan->context, b->triangles.count + 1, sizeof **triangle);
    if (!*triangle) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < b->triangles.count; k++) {
        const int whole = number[k] >= 0 && number[k] < 9e15 && floor(number[k]) == number[k];
        if (!whole)
            return saddle__scene_refuse(build, &b->head,
                                        "\"triangles\" are numbers of vertices, from 0");
        (*triangle)[k] = (int64_t)number[k];
    }
    return SADDLE_OK;
}

static saddle_status mesh_inertia(const saddle__scene_build *build, const saddle__scene_body *b,
                                  saddle_body_inertia *inertia)
{
    saddle_context *context = build->scan->context;
    if (has(b, "shape") || has(b, "moment") || has(b, "mass") == has(b, "density")) {
        return saddle__scene_refuse(
            build, &b->head,
            "a mesh has a mass or a density, and neither \"shape\" nor \"moment\"");
    }
    if (b->vertices.count % 3 != 0 || b->triangles.count % 3 != 0) {
        return saddle__scene_refuse(build, &b->head,
                                    "\"vertices\" and \"triangles\" are three numbers each");
    }
    int64_t *triangle = NULL;
    saddle_status status = mesh_triangles(build, b, &triangle);
    if (status == SADDLE_OK) {
        const saddle_mesh mesh = {b->vertices.count / 3, b->triangles.count / 3, b->vertices.item,
                                  triangle};
        status = has(b, "mass")
                     ? saddle_mesh_inertia_of_mass(context, &mesh, b->name, b->mass, inertia)
                     : saddle_mesh_inertia_of_density(context, &mesh, b->name, b->density, inertia);
        status = saddle__scene_because(build, &b->head, status);
    }
    saddle_release(context, triangle);
    return status;
}

static saddle_status body_inertia(const saddle__scene_build *build, const saddle__scene_body *b,
                                  saddle_body_inertia *inertia)
{
    saddle_context *context = build->scan->context;
    if (has(b, "vertices") || has(b, "triangles")) return mesh_inertia(build, b, inertia);
    if (!has(b, "shape")) {
        if (has(b, "density"))
            return saddle__scene_refuse(build, &b->head, "a density is of a \"shape\"");
        inertia->mass = b->mass;
        memcpy(inertia->center, b->center, sizeof inertia->center);
        memcpy(inertia->moment, b->moment, sizeof inertia->moment);
        return SADDLE_OK; /* the model checks it */
    }
    if (has(b, "moment"))
        return saddle__scene_refuse(build, &b->head, "\"moment\" and \"shape\" are one too many");
    if (has(b, "mass") == has(b, "density"))
        return saddle__scene_refuse(build, &b->head, "a shape has a mass or a density");
    double size[3];
    saddle_status status = solid_sizes(build, b, size);
    if (status != SADDLE_OK) return status;
    const saddle_shape_kind kind = (saddle_shape_kind)b->shape;
    status = has(b, "mass")
                 ? saddle_body_inertia_of_mass(context, kind, size, b->mass, inertia)
                 : saddle_body_inertia_of_density(context, kind, size, b->density, inertia);
    for (int i = 0; i < 3; i++) inertia->center[i] += b->center[i];
    return saddle__scene_because(build, &b->head, status);
}

static saddle_status body_twist(const saddle__scene_build *build, const saddle__scene_body *b,
                                const saddle_pose *pose, double twist[6])
{
    memcpy(twist, b->twist, 6 * sizeof *twist);
    if (!has(b, "velocity") && !has(b, "angular_velocity")) return SADDLE_OK;
    if (has(b, "twist"))
        return saddle__scene_refuse(build, &b->head, "\"twist\" and \"velocity\" are one too many");
    saddle__unrotate(pose->R, b->velocity, twist);
    saddle__unrotate(pose->R, b->angular_velocity, twist + 3);
    return SADDLE_OK;
}

/* What a body with "collides" touches with: its own shape. */
static saddle_status add_body_shape(const saddle__scene_build *build, const saddle__scene_body *b,
                                    saddle_handle part)
{
    static const int touch[] = {SADDLE_TOUCH_BOX, SADDLE_TOUCH_SPHERE, -1, SADDLE_TOUCH_CAPSULE,
                                -1};
    if (!has(b, "shape") || touch[b->shape] < 0) {
        return saddle__scene_refuse(build, &b->head,
                                    "what collides has a \"shape\": box, sphere or capsule");
    }
    saddle_touch_def def = saddle_touch_def_default();
    def.name = b->name;
    def.kind = (saddle_touch_kind)touch[b->shape];
    def.part = part;
    memcpy(def.pose.p, b->center, sizeof def.pose.p);
    saddle_status status = solid_sizes(build, b, def.size);
    if (status == SADDLE_OK) status = saddle__scene_group(build, &b->head, b->group, &def.group);
    def.mu = b->mu;
    def.restitution = b->restitution;
    def.impact = b->impact;
    if (status != SADDLE_OK) return status;
    return saddle__scene_because(build, &b->head,
                                 saddle_collider_add(build->scene->collider, &def, NULL));
}

static saddle_status add_body(const saddle__scene_build *build, const void *object)
{
    const saddle__scene_body *b = object;
    saddle_body_def def = saddle_body_def_default();
    def.name = b->name;
    def.prescribed = b->prescribed;
    saddle_handle part;
    saddle_status status = check_name(build, &b->head, b->name);
    if (status == SADDLE_OK)
        status = saddle__scene_pose(build, &saddle__scene_body_table, b, &b->placement, &def.pose);
    if (status == SADDLE_OK) status = body_twist(build, b, &def.pose, def.twist);
    if (status == SADDLE_OK && !def.prescribed) status = body_inertia(build, b, &def.inertia);
    if (status == SADDLE_OK) {
        status = saddle__scene_because(build, &b->head,
                                       saddle_model_add_body(build->scene->model, &def, &part));
    }
    return status == SADDLE_OK && b->collides ? add_body_shape(build, b, part) : status;
}

/* ---- nodes ---- */

static saddle_status add_block(const saddle__scene_build *build, const void *object)
{
    const saddle__scene_block *b = object;
    saddle_fem_block block = {.name = b->name,
                              .young = b->young,
                              .poisson = b->poisson,
                              .density = b->density,
                              .damping_mass = b->damping_mass,
                              .damping_stiffness = b->damping_stiffness};
    memcpy(block.cells, b->cells, sizeof block.cells);
    memcpy(block.size, b->size, sizeof block.size);
    memcpy(block.corner, b->corner, sizeof block.corner);
    saddle_handle part;
    const saddle_status status = check_name(build, &b->head, b->name);
    if (status != SADDLE_OK) return status;
    return saddle__scene_because(build, &b->head,
                                 saddle_model_add_fem_block(build->scene->model, &block, &part));
}

/* 1 where a name cannot lead out of its folder: it is relative, and no part of it is "..". */
static int stays_below(const char *file)
{
    if (file[0] == '/') return 0;
    for (const char *part = file; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return 0;
    }
    return 1;
}

/* 0 where links lead path out of folder; what is not there leads nowhere. */
static int is_below(const char *folder, const char *path)
{
    char top[PATH_MAX];
    char file[PATH_MAX];
    if (!realpath(folder, top) || !realpath(path, file)) return 1;
    const size_t length = strlen(top);
    return strncmp(file, top, length) == 0 && (file[length] == '/' || top[length - 1] == '/');
}

/* The path of a file beside the scene into text[size]. */
static saddle_status beside(const saddle__scene_build *build, const saddle__scene_head *head,
                            const char *file, char *text, size_t size)
{
    if (!build->folder) return saddle__scene_refuse(build, head, "this scene may name no files");
    if (!stays_below(file))
        return saddle__scene_refuse(build, head, "a file's name leads out of the scene's folder");
    const int length = snprintf(text, size, "%s/%s", build->folder, file);
    if (!(length > 0 && (size_t)length < size))
        return saddle__scene_refuse(build, head, "a file's name is too long");
    if (!is_below(build->folder, text))
        return saddle__scene_refuse(build, head,
                                    "a file's name leads out of the scene's folder, by a link");
    return SADDLE_OK;
}

static saddle_status read_matrix(const saddle__scene_build *build, const saddle__scene_nodes *n,
                                 const char *file, saddle_matrix *A)
{
    char path[1024];
    const saddle_status status = beside(build, &n->head, file, path, sizeof path);
    if (status != SADDLE_OK) return status;
    return saddle__scene_because(build, &n->head,
                                 saddle_matrix_read(build->scan->context, path, A));
}

/* x: 3 x count, or one column of them. */
static saddle_status read_points(const saddle__scene_build *build, const saddle__scene_nodes *n,
                                 const char *file, double **x, int64_t *count)
{
    char path[1024];
    int64_t rows = 0, cols = 0;
    saddle_status status = beside(build, &n->head, file, path, sizeof path);
    if (status == SADDLE_OK) {
        status = saddle__scene_because(build, &n->head,
                                       saddle_array_read(build->scan->context, path, 0, &rows,
                                                         &cols, x));
    }
    if (status != SADDLE_OK) return status;
    *count = rows * cols / 3;
    if (rows == 3 || (cols == 1 && rows % 3 == 0)) return SADDLE_OK;
    return saddle__scene_refuse(build, &n->head,
                                "points stand in an array of 3 rows, or of one column");
}

static saddle_status add_nodes(const saddle__scene_build *build, const void *object)
{
    const saddle__scene_nodes *n = object;
    double *x = NULL, *rest = NULL;
    int64_t rest_count = 0;
    saddle_matrix M = {0}, K = {0};
    saddle_nodes_def def = {.name = n->name,
                            .mass = &M,
                            .damping_mass = n->damping_mass,
                            .damping_stiffness = n->damping_stiffness};
    saddle_handle part;
    saddle_status status = check_name(build, &n->head, n->name);
    if (status == SADDLE_OK) status = read_points(build, n, n->position, &x, &def.count);
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
        def.stiffness = !n->stiffness ? NULL : &K;
        status = saddle__scene_because(build, &n->head,
                                       saddle_model_add_nodes(build->scene->model, &def, &part));
    }
    saddle_release(build->scan->context, x);
    saddle_release(build->scan->context, rest);
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&K);
    return status;
}

/* ---- all ---- */

typedef saddle_status add_function(const saddle__scene_build *build, const void *object);

static saddle_status add_all(const saddle__scene_build *build, const saddle__scene_list *list,
                             size_t size, add_function *add)
{
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < list->count; k++) {
        status = add(build, (const char *)list->item + (size_t)k * size);
    }
    return status;
}

/* 1: some body collides, or there are shapes. */
static int something_touches(const saddle__scene_file *file)
{
    const saddle__scene_body *body = file->bodies.item;
    int found = file->shapes.count > 0;
    for (int64_t k = 0; k < file->bodies.count; k++) found |= body[k].collides;
    return found;
}

saddle_status saddle__scene_build_parts(const saddle__scene_build *build)
{
    const saddle__scene_file *file = build->file;
    saddle_status status = SADDLE_OK;
    if (something_touches(file)) {
        status = saddle_collider_create(build->scene->model, &build->scene->collider);
        build->scene->options.collider = build->scene->collider;
    }
    if (status == SADDLE_OK)
        status = add_all(build, &file->particles, sizeof(saddle__scene_particle), add_particle);
    if (status == SADDLE_OK)
        status = add_all(build, &file->bodies, sizeof(saddle__scene_body), add_body);
    if (status == SADDLE_OK)
        status = add_all(build, &file->blocks, sizeof(saddle__scene_block), add_block);
    if (status == SADDLE_OK)
        status = add_all(build, &file->nodes, sizeof(saddle__scene_nodes), add_nodes);
    return status;
}
