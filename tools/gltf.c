/* SPDX-License-Identifier: MIT */
/* See gltf.h.  Node 0 turns z, up here, into y, up in glTF; its children are the ground and a node
 * for each particle and body, whose mesh has the triangles of all shapes in the part's frame.  The
 * one animation moves the nodes.  Numbers stand in one buffer: the times, the triangles of the
 * shapes, equal ones once, then of each part the places and the rotations (x, y, z, w). */
#include "gltf.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/output.h"
#include "hull.h"
#include "space/space.h"
#include "text.h"
#include "view_internal.h"

/* Arrays of the JSON object. */
typedef enum gltf_list {
    NODES,
    MESHES,
    MATERIALS,
    ACCESSORS,
    VIEWS,
    SAMPLERS,
    CHANNELS,
    LISTS
} gltf_list;

/* A shape of the collider, or what stands for a part without shapes. */
typedef struct gltf_shape {
    saddle_touch_def def;
    int64_t number, accessor; /* accessor: of the triangles, -1 = none */
} gltf_shape;

struct tool_gltf {
    saddle_context *context;
    const saddle_scene *scene;
    const char *path;
    int64_t stride, frames, frame_room; /* stride: the time, and 7 numbers of each part */
    float *frame;
    int64_t numbers, room; /* of the buffer */
    float *number;
    saddle__text list[LISTS];
    int64_t count[LISTS];
    int64_t shapes;
    gltf_shape *shape;
    double reach; /* of the farthest point of a shape from its part's origin */
    saddle_status failed;
};

static int is_shown(saddle_handle part)
{
    return part.item == SADDLE_ITEM_PARTICLE || part.item == SADDLE_ITEM_BODY;
}

/* ---- numbers and text ---- */

static void push(tool_gltf *gltf, double x)
{
    if (gltf->failed) return;
    if (!(fabs(x) <= (double)FLT_MAX)) {
        gltf->failed = saddle_fail(gltf->context, SADDLE_FILE_ERROR,
                                   "%s: %g is beyond single precision", gltf->path, x);
        return;
    }
    if (gltf->numbers == gltf->room) {
        const int64_t room = 2 * gltf->room + 64;
        float *larger = saddle_reallocate(gltf->context, gltf->number, room, sizeof *larger);
        if (!larger) gltf->failed = SADDLE_OUT_OF_MEMORY;
        if (!larger) return;
        gltf->number = larger;
        gltf->room = room;
    }
    gltf->number[gltf->numbers++] = (float)x;
}

/* Its number in the list; the text of the item follows. */
static int64_t begin_item(tool_gltf *gltf, gltf_list list)
{
    if (gltf->count[list] > 0) saddle__text_add(&gltf->list[list], ",\n");
    return gltf->count[list]++;
}

/* An accessor of the numbers from `first` to the last, `width` in each element. */
static int64_t add_accessor(tool_gltf *gltf, int64_t first, int width)
{
    static const char *const type[] = {"", "SCALAR", "", "VEC3", "VEC4"}, *const bound[] = {"max",
                                                                                            "min"};
    saddle__text *text = &gltf->list[ACCESSORS];
    if (gltf->failed) return 0;
    const int64_t view = begin_item(gltf, VIEWS), accessor = begin_item(gltf, ACCESSORS);
    tool_text_addf(&gltf->list[VIEWS],
                   "{\"buffer\":0,\"byteOffset\":%" PRId64 ",\"byteLength\":%" PRId64 "}",
                   4 * first, 4 * (gltf->numbers - first));
    tool_text_addf(text,
                   "{\"bufferView\":%" PRId64
                   ",\"componentType\":5126,\"type\":\"%s\",\"count\":%" PRId64,
                   view, type[width], (gltf->numbers - first) / width);
    for (int i = 0; i < 2 * width; i++) {
        float most = gltf->number[first + i % width];
        for (int64_t k = first + i % width; k < gltf->numbers; k += width)
            most = i < width ? fmaxf(most, gltf->number[k]) : fminf(most, gltf->number[k]);
        if (i % width == 0) tool_text_addf(text, "%s,\"%s\":[", i > 0 ? "]" : "", bound[i / width]);
        tool_text_addf(text, i % width > 0 ? ",%.9g" : "%.9g", (double)most);
    }
    saddle__text_add(text, "]}");
    return accessor;
}

/* ---- triangles of a shape ---- */

/* x: in the shape's frame; pushed in the part's. */
static void push_point(tool_gltf *gltf, const saddle_touch_def *def, const double *x)
{
    double turned[3];
    saddle__rotate(def->pose.R, x, turned);
    for (int i = 0; i < 3; i++) push(gltf, def->pose.p[i] + turned[i]);
}

/* profile: points (distance from z, z), turned about z in so many sides, and scaled. */
static void push_turned(tool_gltf *gltf, const saddle_touch_def *def, int points,
                        double (*profile)[2], int sides, const double *scale)
{
    static const int order[] = {0, 1, 2, 0, 2, 3};
    for (int k = 0; k < 6 * sides * (points - 1); k++) {
        const int corner = order[k % 6], side = k / 6 % sides + (corner == 1 || corner == 2);
        const double *at = profile[k / (6 * sides) + corner / 2];
        const double angle = (side + 0.5) * 2.0 * acos(-1.0) / sides;
        push_point(gltf, def,
                   (double[]){scale[0] * at[0] * cos(angle), scale[1] * at[0] * sin(angle),
                              scale[2] * at[1]});
    }
}

/* An ellipsoid whose halves are moved apart by `length`. */
static void push_round(tool_gltf *gltf, const saddle_touch_def *def, const double *axis,
                       double length)
{
    double profile[14][2];
    for (int i = 0; i < 14; i++) {
        const double angle = acos(-1.0) * (i < 7 ? i : i - 1) / 12;
        profile[i][0] = sin(angle);
        profile[i][1] = cos(angle) + (i < 7 ? 0.5 : -0.5) * length / axis[2];
    }
    push_turned(gltf, def, 14, profile, 24, axis);
}

static void push_hull(tool_gltf *gltf, const saddle_touch_def *def)
{
    tool_hull_face *face = NULL;
    int64_t faces = 0;
    if (tool_hull(gltf->context, def->corner_count, def->corners, &face, &faces) != SADDLE_OK)
        gltf->failed = SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < 3 * faces; k++)
        push_point(gltf, def, def->corners + 3 * face[k / 3].corner[k % 3]);
    saddle_release(gltf->context, face);
}

/* 1: a plane, or the sphere that stands for a particle. */
static int is_of_extent(const saddle_touch_def *def)
{
    return def->kind == SADDLE_TOUCH_PLANE ||
           (def->kind == SADDLE_TOUCH_SPHERE && def->size[0] <= 0.0);
}

/* extent: half the edge of what is drawn of a plane, 120 radii of a sphere of radius 0. */
static void push_shape(tool_gltf *gltf, const saddle_touch_def *def, double extent)
{
    const double *size = def->size, r = is_of_extent(def) ? extent / 120.0 : size[0],
                 round[] = {r, r, r}, turned[] = {r, r, size[1]},
                 plane[] = {2.0 * extent, 2.0 * extent, 0.0};
    double rim[][2] = {{0.0, 0.5}, {1.0, 0.5}, {1.0, -0.5}, {0.0, -0.5}},
           square[][2] = {{0.0, 0.5}, {sqrt(0.5), 0.5}, {sqrt(0.5), -0.5}, {0.0, -0.5}};
    switch (def->kind) {
    case SADDLE_TOUCH_SPHERE: push_round(gltf, def, round, 0.0); break;
    case SADDLE_TOUCH_BOX: push_turned(gltf, def, 4, square, 4, size); break;
    case SADDLE_TOUCH_CAPSULE: push_round(gltf, def, round, size[1]); break;
    case SADDLE_TOUCH_PLANE: push_turned(gltf, def, 2, square, 4, plane); break;
    case SADDLE_TOUCH_CONVEX: push_hull(gltf, def); break;
    case SADDLE_TOUCH_CYLINDER: push_turned(gltf, def, 4, rim, 24, turned); break;
    case SADDLE_TOUCH_ELLIPSOID: push_round(gltf, def, size, 0.0); break;
    case SADDLE_TOUCH_SURFACE: break; /* of nodes */
    }
}

/* ---- parts ---- */

/* Of a body the box of its inertia; of a particle, or a body without mass, a sphere of radius 0. */
static saddle_touch_def stand_in(const tool_gltf *gltf, saddle_handle part)
{
    saddle_touch_def def = saddle_touch_def_default();
    const saddle_body_inertia *inertia = saddle_model_inertia(gltf->scene->model, part);
    def.part = part;
    def.size[0] = 0.0;
    if (part.item == SADDLE_ITEM_BODY && inertia && inertia->mass > 0.0) {
        def.kind = SADDLE_TOUCH_BOX;
        view_inertia_box(inertia, def.size);
        memcpy(def.pose.p, inertia->center, sizeof def.pose.p);
    }
    return def;
}

static int compare_handles(saddle_handle a, saddle_handle b)
{
    if (a.item != b.item) return a.item < b.item ? -1 : 1;
    if (a.index != b.index) return a.index < b.index ? -1 : 1;
    return (a.generation > b.generation) - (a.generation < b.generation);
}

static int compare_parts(const void *a, const void *b)
{
    const gltf_shape *x = a, *y = b;
    const int order = compare_handles(x->def.part, y->def.part);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* 0: equal triangles. */
static int compare_triangles(const gltf_shape *x, const gltf_shape *y)
{
    const int64_t n = x->def.corner_count;
    if (x->def.kind != y->def.kind) return x->def.kind < y->def.kind ? -1 : 1;
    if (n != y->def.corner_count) return n < y->def.corner_count ? -1 : 1;
    int order = memcmp(x->def.size, y->def.size, sizeof x->def.size);
    if (order == 0) order = memcmp(&x->def.pose, &y->def.pose, sizeof x->def.pose);
    if (order == 0 && n > 0)
        order = memcmp(x->def.corners, y->def.corners, (size_t)(3 * n) * sizeof(double));
    return order;
}

static int compare_shapes(const void *a, const void *b)
{
    const gltf_shape *x = a, *y = b;
    const int order = compare_triangles(x, y);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

/* The first of a part's among so many by part; the next of another part where there is none. */
static int64_t first_of(const tool_gltf *gltf, int64_t shapes, saddle_handle part)
{
    int64_t low = 0, high = shapes;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (compare_handles(gltf->shape[middle].def.part, part) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int is_of_part(const tool_gltf *gltf, int64_t shapes, int64_t k, saddle_handle part)
{
    return k < shapes && compare_handles(gltf->shape[k].def.part, part) == 0;
}

static void add_shape(tool_gltf *gltf, const saddle_touch_def *def)
{
    gltf->shape[gltf->shapes] = (gltf_shape){*def, gltf->shapes, -1};
    gltf->shapes++;
}

static void list_shapes(tool_gltf *gltf)
{
    const saddle_collider *collider = gltf->scene->collider;
    saddle_model *model = gltf->scene->model;
    const int64_t count = saddle_collider_count(collider), parts = saddle_model_part_count(model);
    gltf->shape = saddle_allocate(gltf->context, count + parts + 1, sizeof *gltf->shape);
    if (!gltf->shape) gltf->failed = SADDLE_OUT_OF_MEMORY;
    if (!gltf->shape) return;
    for (int64_t k = 0; k < count; k++) {
        const saddle_touch_def *def = saddle_collider_shape(collider, k);
        if (def->kind != SADDLE_TOUCH_SURFACE) add_shape(gltf, def);
    }
    const int64_t own = gltf->shapes;
    qsort(gltf->shape, (size_t)own, sizeof *gltf->shape, compare_parts);
    for (int64_t k = 0; k < parts; k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        const saddle_touch_def def = stand_in(gltf, part);
        if (is_shown(part) && !is_of_part(gltf, own, first_of(gltf, own, part), part))
            add_shape(gltf, &def);
    }
    qsort(gltf->shape, (size_t)gltf->shapes, sizeof *gltf->shape, compare_shapes);
}

/* Triangles of the shapes with the extent, or of the other shapes. */
static void push_shapes(tool_gltf *gltf, int of_extent, double extent)
{
    for (int64_t k = 0; k < gltf->shapes && !gltf->failed; k++) {
        gltf_shape *shape = &gltf->shape[k];
        const int64_t first = gltf->numbers;
        if (is_of_extent(&shape->def) != of_extent) continue;
        if (k > 0 && compare_triangles(shape - 1, shape) == 0) {
            shape->accessor = shape[-1].accessor;
            continue;
        }
        push_shape(gltf, &shape->def, extent);
        for (int64_t i = first; i + 2 < gltf->numbers; i += 3)
            gltf->reach = fmax(gltf->reach,
                               hypot(hypot((double)gltf->number[i], (double)gltf->number[i + 1]),
                                     (double)gltf->number[i + 2]));
        if (gltf->numbers > first) shape->accessor = add_accessor(gltf, first, 3);
    }
}

/* Number of the mesh of all shapes, whose material has the same number; -1 = none. */
static int64_t add_mesh(tool_gltf *gltf, saddle_handle part, int64_t number)
{
    int64_t mesh = -1;
    for (int64_t k = first_of(gltf, gltf->shapes, part);
         is_of_part(gltf, gltf->shapes, k, part) && !gltf->failed; k++) {
        const int64_t accessor = gltf->shape[k].accessor;
        if (accessor < 0) continue;
        saddle__text_add(&gltf->list[MESHES], mesh < 0 ? "" : ",");
        if (mesh < 0) {
            mesh = begin_item(gltf, MESHES);
            saddle__text_add(&gltf->list[MESHES], "{\"primitives\":[");
        }
        tool_text_addf(&gltf->list[MESHES],
                       "{\"attributes\":{\"POSITION\":%" PRId64 "},\"material\":%" PRId64 "}",
                       accessor, mesh);
    }
    if (mesh < 0) return mesh;
    saddle__text_add(&gltf->list[MESHES], "]}");
    double colour[3] = {0.78, 0.79, 0.8};
    for (int k = 0; k < 3 && number >= 0; k++) /* hues apart by the golden section */
        colour[k] = 0.55 + 0.35 * cos(2.0 * acos(-1.0) * (0.381966 * (double)number + k / 3.0));
    tool_text_addf(
        &gltf->list[MATERIALS],
        "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.3f,%.3f,%.3f,1],\"metallicFactor\":0},"
        "\"doubleSided\":true}",
        mesh > 0 ? ",\n" : "", colour[0], colour[1], colour[2]);
    return mesh;
}

/* A channel of the animation: the numbers from place `at` of each frame. */
static void add_track(tool_gltf *gltf, const char *path, int64_t node, int64_t at, int width)
{
    const int64_t first = gltf->numbers;
    for (int64_t f = 0; f < gltf->frames; f++)
        for (int i = 0; i < width; i++) push(gltf, (double)gltf->frame[f * gltf->stride + at + i]);
    const int64_t accessor = add_accessor(gltf, first, width), sampler = begin_item(gltf, SAMPLERS);
    tool_text_addf(&gltf->list[SAMPLERS], "{\"input\":0,\"output\":%" PRId64 "}", accessor);
    begin_item(gltf, CHANNELS);
    tool_text_addf(&gltf->list[CHANNELS],
                   "{\"sampler\":%" PRId64 ",\"target\":{\"node\":%" PRId64 ",\"path\":\"%s\"}}",
                   sampler, node, path);
}

/* number: of the part, -1 = the ground; at: of its numbers in a frame. */
static void add_node(tool_gltf *gltf, saddle_handle part, int64_t number, int64_t at)
{
    const int64_t mesh = add_mesh(gltf, part, number);
    if (mesh < 0 && number < 0) return;
    const int64_t node = begin_item(gltf, NODES);
    const char *name = number < 0 ? "ground" : saddle_model_name(gltf->scene->model, part);
    saddle__text *text = &gltf->list[NODES];
    saddle__text_add(text, "{\"name\":");
    saddle__text_add_json_string(text, name);
    if (mesh >= 0) tool_text_addf(text, ",\"mesh\":%" PRId64, mesh);
    saddle__text_add(text, "}");
    if (number < 0) return;
    add_track(gltf, "translation", node, at, 3);
    if (part.item == SADDLE_ITEM_BODY) add_track(gltf, "rotation", node, at + 3, 4);
}

/* ---- taking frames ---- */

saddle_status tool_gltf_open(const saddle_scene *scene, const char *path, tool_gltf **gltf)
{
    tool_gltf *made = saddle_allocate(scene->context, 1, sizeof *made);
    *gltf = made;
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = (tool_gltf){.context = scene->context, .scene = scene, .path = path, .stride = 1};
    for (int k = 0; k < LISTS; k++) made->list[k].context = scene->context;
    for (int64_t k = 0; k < saddle_model_part_count(scene->model); k++)
        if (is_shown(saddle_model_part_at(scene->model, k))) made->stride += 7;
    saddle__output file = {0};
    const saddle_status status = saddle__output_open(scene->context, path, &file);
    if (status == SADDLE_OK) (void)saddle__output_finish(&file, SADDLE_STOPPED);
    return status;
}

/* q and -q are one rotation: the nearer to that of the frame before. */
static void put_rotation(const double *R, const float *before, float *to)
{
    double q[4], along = 0.0;
    saddle_quaternion_from_matrix(R, q);
    for (int i = 0; i < 4; i++) to[i] = (float)q[(i + 1) % 4];
    for (int i = 0; before && i < 4; i++) along += (double)before[i] * (double)to[i];
    for (int i = 0; i < 4 && along < 0.0; i++) to[i] = -to[i];
}

saddle_status tool_gltf_add(tool_gltf *gltf)
{
    saddle_model *model = gltf->scene->model;
    if (gltf->frames == gltf->frame_room) {
        const int64_t room = 2 * gltf->frame_room + 16;
        float *larger = saddle_reallocate(gltf->context, gltf->frame, room * gltf->stride,
                                          sizeof *larger);
        if (!larger) return SADDLE_OUT_OF_MEMORY;
        gltf->frame = larger;
        gltf->frame_room = room;
    }
    float *frame = gltf->frame + gltf->frames * gltf->stride, *to = frame + 1;
    const float *before = gltf->frames > 0 ? frame - gltf->stride : NULL;
    frame[0] = (float)saddle_model_time(model);
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        const double *x = saddle_model_position(model, part);
        if (!is_shown(part)) continue;
        for (int i = 0; i < 7; i++) to[i] = i < 3 ? (float)x[i] : i == 6;
        if (part.item == SADDLE_ITEM_BODY)
            put_rotation(x + 3, before ? before + (to - frame) + 3 : NULL, to + 3);
        to += 7;
    }
    int kept = !before || frame[0] > before[0];
    for (int64_t i = 0; i < gltf->stride; i++) kept = kept && isfinite(frame[i]);
    gltf->frames += kept;
    return SADDLE_OK;
}

/* ---- the file ---- */

/* The lowest byte first. */
static void put_word(saddle__output *file, uint32_t word)
{
    unsigned char byte[4];
    for (int k = 0; k < 4; k++) byte[k] = (unsigned char)(word >> 8 * k);
    saddle__output_bytes(file, byte, 4);
}

static void add_list(saddle__text *text, const tool_gltf *gltf, gltf_list list, const char *name)
{
    if (gltf->count[list] == 0 && list != MATERIALS) return;
    tool_text_addf(text, ",\n\"%s\":[", name);
    if (gltf->list[list].characters) saddle__text_add(text, gltf->list[list].characters);
    saddle__text_add(text, "]");
}

static void add_object(saddle__text *text, const tool_gltf *gltf)
{
    saddle__text_add(text, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"saddle\"},\"scene\":0,"
                           "\"scenes\":[{\"nodes\":[0]}]");
    tool_text_addf(text, ",\n\"buffers\":[{\"byteLength\":%" PRId64 "}]", 4 * gltf->numbers);
    saddle__text_add(text, ",\n\"nodes\":[{\"rotation\":[-0.70710678,0,0,0.70710678]");
    for (int64_t k = 1; k < gltf->count[NODES]; k++)
        tool_text_addf(text, "%s%" PRId64, k > 1 ? "," : ",\"children\":[", k);
    saddle__text_add(text, gltf->count[NODES] > 1 ? "]}" : "}");
    if (gltf->list[NODES].characters) saddle__text_add(text, gltf->list[NODES].characters);
    saddle__text_add(text, "]");
    if (gltf->count[MESHES] > 0) add_list(text, gltf, MATERIALS, "materials");
    add_list(text, gltf, MESHES, "meshes");
    add_list(text, gltf, ACCESSORS, "accessors");
    add_list(text, gltf, VIEWS, "bufferViews");
    if (gltf->count[CHANNELS] > 0) {
        saddle__text_add(text, ",\n\"animations\":[{\"name\":\"motion\"");
        add_list(text, gltf, SAMPLERS, "samplers");
        add_list(text, gltf, CHANNELS, "channels");
        saddle__text_add(text, "}]");
    }
    saddle__text_add(text, "}");
    while (text->length % 4 != 0 && !text->failed) saddle__text_add(text, " ");
}

static void put_all(const tool_gltf *gltf, const char *object, int64_t length, saddle__output *file)
{
    const int64_t bytes = 4 * gltf->numbers;
    const uint32_t head[] = {0x46546C67, 2, (uint32_t)(28 + length + bytes), (uint32_t)length,
                             0x4E4F534A};
    for (int k = 0; k < 5; k++) put_word(file, head[k]);
    saddle__output_bytes(file, object, length);
    put_word(file, (uint32_t)bytes);
    put_word(file, 0x004E4942);
    for (int64_t k = 0; k < gltf->numbers; k++) {
        uint32_t word;
        memcpy(&word, &gltf->number[k], sizeof word);
        put_word(file, word);
    }
}

static saddle_status write_file(tool_gltf *gltf)
{
    saddle__text text = {.context = gltf->context};
    saddle__output file = {0};
    char *object = NULL;
    add_object(&text, gltf);
    const int64_t length = text.length;
    int starved = 0;
    for (int k = 0; k < LISTS; k++) starved = starved || gltf->list[k].failed;
    saddle_status status = saddle__text_take(&text, &object);
    if (status == SADDLE_OK && starved) status = SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && length + 4 * gltf->numbers > UINT32_MAX - 28)
        status = saddle_fail(gltf->context, SADDLE_FILE_ERROR, "%s: longer than 4 GB", gltf->path);
    if (status == SADDLE_OK) status = saddle__output_open(gltf->context, gltf->path, &file);
    if (status == SADDLE_OK) {
        put_all(gltf, object, length, &file);
        status = saddle__output_finish(&file, status);
    }
    saddle_release(gltf->context, object);
    return status;
}

static saddle_status add_all(tool_gltf *gltf)
{
    saddle_model *model = gltf->scene->model;
    double extent = 0.0; /* the farthest coordinate */
    int64_t at = 1;
    for (int64_t f = 0; f < gltf->frames; f++) {
        push(gltf, (double)gltf->frame[f * gltf->stride]);
        for (int64_t k = 1; k < gltf->stride; k++)
            if ((k - 1) % 7 < 3)
                extent = fmax(extent, fabs((double)gltf->frame[f * gltf->stride + k]));
    }
    add_accessor(gltf, 0, 1);
    list_shapes(gltf);
    push_shapes(gltf, 0, 0.0);
    extent += gltf->reach;
    if (!(extent > 0.0)) extent = 1.0; /* points at rest in the origin */
    push_shapes(gltf, 1, 2.0 * extent);
    if (gltf->failed) return gltf->failed;
    qsort(gltf->shape, (size_t)gltf->shapes, sizeof *gltf->shape, compare_parts);
    gltf->count[NODES] = 1; /* node 0 is written last, with its children */
    add_node(gltf, (saddle_handle){0}, -1, 0);
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        if (!is_shown(part)) continue;
        add_node(gltf, part, k, at);
        at += 7;
    }
    return gltf->failed ? gltf->failed : write_file(gltf);
}

saddle_status tool_gltf_close(tool_gltf *gltf)
{
    if (!gltf) return SADDLE_OK;
    saddle_context *context = gltf->context;
    const saddle_status status = gltf->frames > 0 ? add_all(gltf) : SADDLE_OK;
    for (int k = 0; k < LISTS; k++) saddle_release(context, gltf->list[k].characters);
    saddle_release(context, gltf->shape);
    saddle_release(context, gltf->number);
    saddle_release(context, gltf->frame);
    saddle_release(context, gltf);
    return status;
}
