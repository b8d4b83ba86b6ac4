/* SPDX-License-Identifier: MIT */
/* A scene's particles, bodies, blocks, nodes and shapes. */
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
#include "saddle/msh.h"
#include "saddle/pin.h"
#include "scene_internal.h"
#include "space/space.h"

/* ---- particles ---- */

#define STRUCT saddle__scene_item
/* clang-format off */
static const saddle__scene_field particle_fields[] = {
    MUST(TEXT, "name", def.particle.name), AT(NUMBER, "mass", def.particle.mass),
    ARRAY(NUMBERS, "position", def.particle.position, 3),
    ARRAY(NUMBERS, "velocity", def.particle.velocity, 3),
    AT(FLAG, "prescribed", def.particle.prescribed),
    AT(FLAG, "massless", def.particle.massless), END};
/* clang-format on */

static saddle_status add_particle(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_handle part;
    return saddle_model_add_particle(build->scene->model, &x->def.particle, &part);
}

/* ---- bodies ---- */

#define SHAPE_WORD(name, word, sizes) word,
static const char *const shape_words[] = {SADDLE_SHAPE_LIST(SHAPE_WORD) NULL};

static void placed_defaults(void *object)
{
    saddle__scene_item *placed = object;
    placed->def.body = saddle_body_def_default();
    placed->touch = saddle_touch_def_default();
    placed->placement.rotation[0] = 1;
}

/* clang-format off */
static const saddle__scene_field body_fields[] = {
    MUST(TEXT, "name", def.body.name), WORD("shape", shape, shape_words),
    AT(SERIES, "vertices", vertices), AT(SERIES, "triangles", triangles),
    ARRAY(NUMBERS, "size", size, 3), AT(NUMBER, "radius", radius), AT(NUMBER, "length", length),
    AT(NUMBER, "mass", def.body.inertia.mass), AT(NUMBER, "density", density),
    ARRAY(NUMBERS, "center", def.body.inertia.center, 3),
    ARRAY(NUMBERS, "moment", def.body.inertia.moment, 9), PLACEMENT,
    ARRAY(NUMBERS, "twist", def.body.twist, 6), ARRAY(NUMBERS, "velocity", velocity, 3),
    ARRAY(NUMBERS, "angular_velocity", angular_velocity, 3),
    AT(FLAG, "prescribed", def.body.prescribed), AT(FLAG, "massless", def.body.massless),
    AT(FLAG, "collides", collides),
    AT(NUMBER, "mu", touch.mu), AT(NUMBER, "mu_torsion", touch.mu_torsion),
    AT(NUMBER, "mu_rolling", touch.mu_rolling), AT(NUMBER, "restitution", touch.restitution),
    AT(FLAG, "impact", touch.impact), AT(INTEGER, "group", group), END};
/* clang-format on */

static int is_round(saddle_shape_kind shape)
{
    return shape == SADDLE_SHAPE_SPHERE || shape == SADDLE_SHAPE_CYLINDER ||
           shape == SADDLE_SHAPE_CAPSULE;
}

/* The sizes of a shape in saddle_shape_kind's order, from "size" or "radius" and "length". */
static saddle_status solid_sizes(saddle__scene_build *build, const saddle__scene_item *x,
                                 double size[3])
{
    const int round = is_round(x->shape);
    if (saddle__scene_given(x, round ? "size" : "radius") ||
        (saddle__scene_given(x, "length") && (!round || x->shape == SADDLE_SHAPE_SPHERE))) {
        return saddle__scene_refuse(
            build, "a size that this shape does not have: \"size\" is of boxes and "
                   "ellipsoids, \"radius\" of what is round, \"length\" of cylinders and capsules");
    }
    size[0] = round ? x->radius : x->size[0];
    size[1] = round ? x->length : x->size[1];
    size[2] = round ? 0 : x->size[2];
    return SADDLE_OK;
}

/* The numbers of a shape: in their ranges, its volume is a number. */
static saddle_status check_solid(saddle__scene_build *build, const saddle__scene_item *x)
{
    const saddle__numbers numbers[] = {
        {"\"size\"", SADDLE__POSITIVE, is_round(x->shape) ? 0 : 3, x->size},
        {"\"radius\"", SADDLE__POSITIVE, is_round(x->shape), &x->radius},
        {"\"length\"", SADDLE__AMOUNT, 1, &x->length},
        {"\"mass\"", SADDLE__POSITIVE, saddle__scene_given(x, "mass"), &x->def.body.inertia.mass},
        {"\"density\"", SADDLE__POSITIVE, saddle__scene_given(x, "density"), &x->density}};
    return saddle__check_numbers(build->scene->model, "body", x->def.body.name, 5, numbers);
}

static saddle_status mesh_inertia(saddle__scene_build *build, const saddle__scene_item *x,
                                  saddle_body_inertia *inertia)
{
    saddle_context *context = build->scan->context;
    const int has_mass = saddle__scene_given(x, "mass");
    if (saddle__scene_given(x, "shape") || saddle__scene_given(x, "moment") ||
        has_mass == saddle__scene_given(x, "density")) {
        return saddle__scene_refuse(
            build, "a mesh has a mass or a density, and neither \"shape\" nor \"moment\"");
    }
    if (x->vertices.count % 3 != 0 || x->triangles.count % 3 != 0)
        return saddle__scene_refuse(build, "\"vertices\" and \"triangles\" are three numbers each");
    int64_t *triangle = NULL;
    saddle_status status = saddle__scene_integers(build, &x->triangles,
                                                  "\"triangles\" are numbers of vertices",
                                                  &triangle);
    const saddle_mesh mesh = {x->vertices.count / 3, x->triangles.count / 3, x->vertices.item,
                              triangle};
    if (status == SADDLE_OK)
        status = has_mass ? saddle_mesh_inertia_of_mass(context, &mesh, x->def.body.name,
                                                        x->def.body.inertia.mass, inertia)
                          : saddle_mesh_inertia_of_density(context, &mesh, x->def.body.name,
                                                           x->density, inertia);
    saddle_release(context, triangle);
    return status;
}

/* inertia: of a mesh, of a shape, or as given; the latter is checked by the model. */
static saddle_status body_inertia(saddle__scene_build *build, const saddle__scene_item *x,
                                  saddle_body_inertia *inertia)
{
    saddle_context *context = build->scan->context;
    const int has_mass = saddle__scene_given(x, "mass"),
              has_density = saddle__scene_given(x, "density");
    if (saddle__scene_given(x, "vertices") || saddle__scene_given(x, "triangles"))
        return mesh_inertia(build, x, inertia);
    if (!saddle__scene_given(x, "shape")) {
        if (!has_density) return SADDLE_OK;
        return saddle__scene_refuse(build, "a density is of a \"shape\"");
    }
    if (saddle__scene_given(x, "moment"))
        return saddle__scene_refuse(build, "\"moment\" and \"shape\" exclude each other");
    if (has_mass == has_density)
        return saddle__scene_refuse(build, "a shape has a mass or a density");
    double size[3];
    SADDLE__TRY(solid_sizes(build, x, size));
    SADDLE__TRY(check_solid(build, x));
    const saddle_status status = has_mass ? saddle_body_inertia_of_mass(context, x->shape, size,
                                                                        x->def.body.inertia.mass,
                                                                        inertia)
                                          : saddle_body_inertia_of_density(context, x->shape, size,
                                                                           x->density, inertia);
    const saddle__numbers of_size[] = {{"mass", SADDLE__POSITIVE, 1, &inertia->mass},
                                       {"moment", SADDLE__ANY, 9, inertia->moment}};
    char whose[160];
    snprintf(whose, sizeof whose, "body '%.120s': \"%s\"", x->def.body.name,
             is_round(x->shape) ? "radius" : "size");
    if (status != SADDLE_OK)
        return saddle__refuse_new(build->scene->model, whose, NULL, "%s",
                                  saddle_context_message(context));
    for (int i = 0; i < 3; i++) inertia->center[i] += x->def.body.inertia.center[i];
    return saddle__check_numbers(build->scene->model, whose, NULL, 2, of_size);
}

/* Adds a shape to the scene's collider, made for the first. */
static saddle_status add_to_collider(const saddle__scene_build *build, const saddle__scene_item *x,
                                     saddle_touch_def *def)
{
    saddle_scene *scene = build->scene;
    if (x->group < 0 || x->group > UINT32_MAX)
        return saddle__scene_refuse(build, "\"group\" is out of its range");
    def->group = (uint32_t)x->group;
    if (!scene->collider) SADDLE__TRY(saddle_collider_create(scene->model, &scene->collider));
    scene->options.collider = scene->collider;
    return saddle_collider_add(scene->collider, def, NULL);
}

/* The shape of a body that collides. */
static saddle_status add_body_shape(saddle__scene_build *build, const saddle__scene_item *x,
                                    saddle_handle part)
{
    static const saddle_touch_kind touch[] = {[SADDLE_SHAPE_BOX] = SADDLE_TOUCH_BOX,
                                              [SADDLE_SHAPE_SPHERE] = SADDLE_TOUCH_SPHERE,
                                              [SADDLE_SHAPE_CYLINDER] = SADDLE_TOUCH_CYLINDER,
                                              [SADDLE_SHAPE_CAPSULE] = SADDLE_TOUCH_CAPSULE,
                                              [SADDLE_SHAPE_ELLIPSOID] = SADDLE_TOUCH_ELLIPSOID};
    if (!saddle__scene_given(x, "shape"))
        return saddle__scene_refuse(build, "what collides has a \"shape\"");
    saddle_touch_def def = x->touch;
    def.name = x->def.body.name;
    def.kind = touch[x->shape];
    def.part = part;
    memcpy(def.pose.p, x->def.body.inertia.center, sizeof def.pose.p);
    const saddle__numbers numbers[] = {{"\"mu\"", SADDLE__AMOUNT, 1, &def.mu},
                                       {"\"mu_torsion\"", SADDLE__AMOUNT, 1, &def.mu_torsion},
                                       {"\"mu_rolling\"", SADDLE__AMOUNT, 1, &def.mu_rolling},
                                       {"\"restitution\"", SADDLE__SHARE, 1, &def.restitution}};
    SADDLE__TRY(solid_sizes(build, x, def.size));
    SADDLE__TRY(saddle__check_numbers(build->scene->model, "body", def.name, 4, numbers));
    return add_to_collider(build, x, &def);
}

static saddle_status add_body(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_body_def def = x->def.body;
    saddle_handle part;
    SADDLE__TRY(saddle__scene_pose(build, x, &def.pose));
    if (saddle__scene_given(x, "velocity") || saddle__scene_given(x, "angular_velocity")) {
        if (saddle__scene_given(x, "twist"))
            return saddle__scene_refuse(build, "\"twist\" and \"velocity\" exclude each other");
        const saddle__numbers numbers[] = {{"\"velocity\"", SADDLE__ANY, 3, x->velocity},
                                           {"\"angular_velocity\"", SADDLE__ANY, 3,
                                            x->angular_velocity}};
        SADDLE__TRY(saddle__check_numbers(build->scene->model, "body", def.name, 2, numbers));
        saddle__unrotate(def.pose.R, x->velocity, def.twist);
        saddle__unrotate(def.pose.R, x->angular_velocity, def.twist + 3);
    }
    if (!def.prescribed && !def.massless) SADDLE__TRY(body_inertia(build, x, &def.inertia));
    SADDLE__TRY(saddle_model_add_body(build->scene->model, &def, &part));
    return x->collides ? add_body_shape(build, x, part) : SADDLE_OK;
}

/* ---- nodes ---- */

static void block_defaults(void *object)
{
    saddle__scene_item *block = object;
    block->def.block = saddle_fem_block_default();
    block->touch = saddle_touch_def_default();
}

/* clang-format off */
#define SURFACE \
    AT(FLAG, "collides", collides), AT(NUMBER, "depth", touch.depth), AT(NUMBER, "mu", touch.mu), \
    AT(NUMBER, "restitution", touch.restitution), AT(FLAG, "impact", touch.impact), \
    AT(INTEGER, "group", group), COMPLIANCE
static const saddle__scene_field block_fields[] = {
    MUST(TEXT, "name", def.block.name), ARRAY(INTEGERS, "cells", def.block.cells, 3),
    ARRAY(NUMBERS, "size", def.block.size, 3), ARRAY(NUMBERS, "corner", def.block.corner, 3),
    AT(NUMBER, "young", def.block.young), AT(NUMBER, "poisson", def.block.poisson),
    AT(NUMBER, "density", def.block.density), AT(NUMBER, "damping_mass", def.block.damping_mass),
    AT(NUMBER, "damping_stiffness", def.block.damping_stiffness),
    AT(FLAG, "tetrahedra", def.block.tetrahedra), AT(FLAG, "corotational", def.block.corotational),
    SURFACE, END};
/* clang-format on */

/* The surface of a part, where it collides; triangles are released. */
static saddle_status add_surface(saddle__scene_build *build, const saddle__scene_item *x,
                                 const char *name, saddle_handle part, int64_t *triangles,
                                 int64_t count)
{
    saddle_touch_def def = x->touch;
    def.name = name;
    def.kind = SADDLE_TOUCH_SURFACE;
    def.part = part;
    def.triangles = triangles;
    def.triangle_count = count;
    saddle_status status = saddle__scene_read_compliance(build, &x->compliance, &def.compliance);
    if (status == SADDLE_OK && x->collides) status = add_to_collider(build, x, &def);
    saddle_release(build->scan->context, triangles);
    return status;
}

static saddle_status add_block(saddle__scene_build *build, const saddle__scene_item *x)
{
    const saddle_fem_block *block = &x->def.block;
    saddle_handle part;
    int64_t *triangles = NULL, count = 0;
    SADDLE__TRY(saddle_model_add_fem_block(build->scene->model, block, &part));
    if (x->collides)
        SADDLE__TRY(saddle_fem_block_surface(build->scan->context, block, &triangles, &count));
    return add_surface(build, x, block->name, part, triangles, count);
}

/* clang-format off */
static const saddle__scene_field nodes_fields[] = {
    MUST(TEXT, "name", def.nodes.name), MUST(TEXT, "positions", positions),
    MUST(TEXT, "mass", mass),
    AT(TEXT, "stiffness", stiffness), AT(TEXT, "rest", rest),
    AT(NUMBER, "damping_mass", def.nodes.damping_mass),
    AT(NUMBER, "damping_stiffness", def.nodes.damping_stiffness), END};
/* clang-format on */

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
static saddle_status file_path(const saddle__scene_build *build, const char *file,
                               char path[PATH_SIZE])
{
    if (!build->folder) return saddle__scene_refuse(build, "this scene may name no files");
    if (!stays_below(file))
        return saddle__scene_refuse(build, "a file's name leads out of the scene's folder");
    const int length = snprintf(path, PATH_SIZE, "%s/%s", build->folder, file);
    if (!(length > 0 && length < PATH_SIZE))
        return saddle__scene_refuse(build, "a file's name is too long");
    if (!is_below(build->folder, path))
        return saddle__scene_refuse(build,
                                    "a file's name leads out of the scene's folder, by a link");
    return SADDLE_OK;
}

/* A file that was not read: at the place of the nodes. */
static saddle_status blame(const saddle__scene_build *build, saddle_status status)
{
    if (status != SADDLE_BAD_FILE) return status;
    return saddle__scene_refuse(build, "%s", saddle_context_message(build->scan->context));
}

static saddle_status read_matrix(saddle__scene_build *build, const char *file, saddle_matrix *A)
{
    char path[PATH_SIZE];
    SADDLE__TRY(file_path(build, file, path));
    return blame(build, saddle_matrix_read(build->scan->context, path, A));
}

/* x: 3 x count, or one column of them. */
static saddle_status read_points(saddle__scene_build *build, const char *file, double **x,
                                 int64_t *count)
{
    char path[PATH_SIZE];
    int64_t rows = 0, cols = 0;
    SADDLE__TRY(file_path(build, file, path));
    SADDLE__TRY(blame(build, saddle_array_read(build->scan->context, path, 0, &rows, &cols, x)));
    *count = rows * cols / 3;
    if (rows == 3 || (cols == 1 && rows % 3 == 0)) return SADDLE_OK;
    return saddle__scene_refuse(build, "points stand in an array of 3 rows, or of one column");
}

static saddle_status add_nodes(saddle__scene_build *build, const saddle__scene_item *n)
{
    double *x = NULL, *rest = NULL;
    int64_t rest_count = 0;
    saddle_matrix M = {0}, K = {0};
    saddle_nodes_def def = n->def.nodes;
    saddle_handle part;
    saddle_status status = read_points(build, n->positions, &x, &def.count);
    if (status == SADDLE_OK) status = read_matrix(build, n->mass, &M);
    if (status == SADDLE_OK && n->stiffness) status = read_matrix(build, n->stiffness, &K);
    if (status == SADDLE_OK && n->rest) status = read_points(build, n->rest, &rest, &rest_count);
    if (status == SADDLE_OK && n->rest && rest_count != def.count) {
        status = saddle__scene_refuse(build,
                                      "\"rest\" has another number of points than \"positions\"");
    }
    if (status == SADDLE_OK) {
        def.position = x;
        def.rest = rest;
        def.mass = &M;
        def.stiffness = n->stiffness ? &K : NULL;
        status = saddle_model_add_nodes(build->scene->model, &def, &part);
    }
    saddle__release_all(build->scan->context, x, rest);
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&K);
    return status;
}

/* ---- meshes ---- */

static void mesh_defaults(void *object)
{
    saddle__scene_item *mesh = object;
    mesh->def.mesh = saddle_fem_mesh_default();
    mesh->touch = saddle_touch_def_default();
    mesh->scale = 1;
}

/* clang-format off */
static const saddle__scene_field mesh_fields[] = {
    MUST(TEXT, "name", def.mesh.name), MUST(TEXT, "file", file), AT(NUMBER, "scale", scale),
    AT(NUMBER, "young", def.mesh.young), AT(NUMBER, "poisson", def.mesh.poisson),
    AT(NUMBER, "density", def.mesh.density), AT(NUMBER, "damping_mass", def.mesh.damping_mass),
    AT(NUMBER, "damping_stiffness", def.mesh.damping_stiffness),
    AT(FLAG, "corotational", def.mesh.corotational), AT(TEXT, "fixed", fixed),
    SURFACE, END};
/* clang-format on */

/* Pins the nodes of a group where they are. */
static saddle_status pin_group(saddle__scene_build *build, const saddle_msh_group *group,
                               saddle_handle part)
{
    saddle_model *model = build->scene->model;
    const double weight = 1;
    for (int64_t k = 0; k < group->count; k++) {
        const saddle_anchor anchor = {part, group->node[k]};
        saddle_pin_def def = saddle_pin_def_default();
        saddle_handle pin;
        def.count = 1;
        def.anchors = &anchor;
        def.weights = &weight;
        memcpy(def.place, saddle_model_position(model, part) + 3 * anchor.node, sizeof def.place);
        SADDLE__TRY(saddle_model_add_pin(model, &def, &pin));
    }
    return SADDLE_OK;
}

/* The part of a file's mesh, in the scene's unit. */
static saddle_status add_msh(saddle__scene_build *build, const saddle__scene_item *x,
                             const saddle_msh *msh)
{
    saddle_fem_mesh def = x->def.mesh;
    saddle_handle part;
    for (int64_t k = 0; k < 3 * msh->nodes; k++) msh->position[k] *= x->scale;
    def.nodes = msh->nodes;
    def.position = msh->position;
    def.tetrahedra = msh->tetrahedra;
    def.tetrahedron = msh->tetrahedron;
    def.hexahedra = msh->hexahedra;
    def.hexahedron = msh->hexahedron;
    SADDLE__TRY(saddle_model_add_fem_mesh(build->scene->model, &def, &part, NULL));
    int64_t *triangles = NULL, count = 0;
    if (x->collides)
        SADDLE__TRY(saddle_fem_mesh_surface(build->scan->context, &def, &triangles, &count));
    SADDLE__TRY(add_surface(build, x, def.name, part, triangles, count));
    if (!x->fixed) return SADDLE_OK;
    const saddle_msh_group *group = saddle_msh_find(msh, x->fixed);
    if (group) return pin_group(build, group, part);
    return saddle__scene_refuse(build, "the mesh has no physical group \"%.80s\"", x->fixed);
}

static saddle_status add_mesh(saddle__scene_build *build, const saddle__scene_item *x)
{
    char path[PATH_SIZE];
    saddle_msh msh = {0};
    const saddle__numbers scale = {"\"scale\"", SADDLE__POSITIVE, 1, &x->scale};
    SADDLE__TRY(saddle__check_numbers(build->scene->model, "mesh", x->def.mesh.name, 1, &scale));
    SADDLE__TRY(file_path(build, x->file, path));
    SADDLE__TRY(blame(build, saddle_msh_read(build->scan->context, path, &msh)));
    const saddle_status status = add_msh(build, x, &msh);
    saddle_msh_clear(&msh);
    return status;
}

/* ---- shapes ---- */

static const char *const touch_words[] = {"sphere", "box",      "capsule",   "plane",
                                          "convex", "cylinder", "ellipsoid", NULL};

/* clang-format off */
static const saddle__scene_field shape_fields[] = {
    AT(TEXT, "name", touch.name), WORD("kind", touch.kind, touch_words), AT(TEXT, "part", a.part),
    ARRAY(NUMBERS, "size", touch.size, 3), AT(NUMBER, "radius", radius),
    AT(NUMBER, "length", length), AT(SERIES, "corners", corners), PLACEMENT,
    AT(NUMBER, "mu", touch.mu), AT(NUMBER, "mu_torsion", touch.mu_torsion),
    AT(NUMBER, "mu_rolling", touch.mu_rolling), AT(NUMBER, "restitution", touch.restitution),
    AT(FLAG, "impact", touch.impact), AT(INTEGER, "group", group), COMPLIANCE, END};
/* clang-format on */

/* The sizes in saddle_touch_kind's order, from "size" or "radius" and "length". */
static saddle_status touch_sizes(saddle__scene_build *build, const saddle__scene_item *x,
                                 saddle_touch_def *def)
{
    static const struct {
        const char *key;
        unsigned kinds;
    } needed[] = {{"size", 1u << SADDLE_TOUCH_BOX | 1u << SADDLE_TOUCH_ELLIPSOID},
                  {"radius", 1u << SADDLE_TOUCH_SPHERE | 1u << SADDLE_TOUCH_CAPSULE |
                                 1u << SADDLE_TOUCH_CYLINDER},
                  {"length", 1u << SADDLE_TOUCH_CAPSULE | 1u << SADDLE_TOUCH_CYLINDER},
                  {"corners", 1u << SADDLE_TOUCH_CONVEX}};
    for (int k = 0; k < 4; k++) {
        const int given = saddle__scene_given(x, needed[k].key);
        if (given == (int)(needed[k].kinds >> def->kind & 1)) continue;
        return saddle__scene_refuse(build, "shape: \"%s\" %s this kind of shape", needed[k].key,
                                    given ? "is not of" : "is missing for");
    }
    if (saddle__scene_given(x, "radius")) {
        def->size[0] = x->radius;
        def->size[1] = x->length;
    }
    return SADDLE_OK;
}

static saddle_status add_shape(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_touch_def def = x->touch;
    def.corners = x->corners.item;
    def.corner_count = x->corners.count / 3;
    if (x->corners.count % 3 != 0)
        return saddle__scene_refuse(build, "\"corners\" are three numbers each");
    SADDLE__TRY(saddle__scene_find(build, x->a.part, &def.part));
    SADDLE__TRY(saddle__scene_pose(build, x, &def.pose));
    SADDLE__TRY(touch_sizes(build, x, &def));
    SADDLE__TRY(saddle__scene_read_compliance(build, &x->compliance, &def.compliance));
    return add_to_collider(build, x, &def);
}

/* clang-format off */
static const saddle__scene_field apart_fields[] = {
    MUST(TEXT, "a", a.part), MUST(TEXT, "b", b.part), END};
/* clang-format on */

static saddle_status add_apart(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_handle a, b;
    SADDLE__TRY(saddle__scene_find(build, x->a.part, &a));
    SADDLE__TRY(saddle__scene_find(build, x->b.part, &b));
    if (!build->scene->collider) return SADDLE_OK;
    return saddle_collider_ignore(build->scene->collider, a, b);
}

/* ---- the lists ---- */

/* clang-format off */
const saddle__scene_table saddle__scene_parts[] = {
    TABLE_ROW(SADDLE__PARTICLES, particle, "particle", NULL, PART),
    TABLE_ROW(SADDLE__BODIES, body, "body", placed_defaults, PART),
    TABLE_ROW(SADDLE__BLOCKS, block, "block", block_defaults, PART),
    TABLE_ROW(SADDLE__NODES, nodes, "nodes", NULL, PART),
    TABLE_ROW(SADDLE__MESHES, mesh, "mesh", mesh_defaults, PART),
    TABLE_ROW(SADDLE__SHAPES, shape, "shape", placed_defaults, NAMELESS),
    TABLE_ROW(SADDLE__APART, apart, "apart", NULL, NAMELESS),
};
/* clang-format on */
