/* SPDX-License-Identifier: MIT */
/* See gltf.h.  Node 0 turns z, up here, into y, up in glTF; its children are the ground and a node
 * for each particle and body, whose mesh has the triangles of all shapes in the part's frame.  The
 * one animation moves the nodes.  Numbers stand in one buffer: the times, then of each part the
 * places, the rotations (x, y, z, w) and the mesh. */
#include "gltf.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "files/text.h"
#include "space/space.h"
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

struct tool_gltf {
    saddle_context *context;
    const saddle_scene *scene;
    const char *path;
    FILE *file;
    int64_t stride, frames, frame_room; /* stride: the time, and 7 numbers of each part */
    float *frame;
    int64_t numbers, room; /* of the buffer */
    float *number;
    saddle__text list[LISTS];
    int64_t count[LISTS];
    int failed; /* 1: out of memory */
};

static int is_shown(saddle_handle part)
{
    return part.item == SADDLE_ITEM_PARTICLE || part.item == SADDLE_ITEM_BODY;
}

/* ---- numbers and text ---- */

static void push(tool_gltf *gltf, double x)
{
    if (gltf->numbers == gltf->room && !gltf->failed) {
        const int64_t room = 2 * gltf->room + 64;
        float *larger = saddle_reallocate(gltf->context, gltf->number, room, sizeof *larger);
        gltf->failed = !larger;
        if (larger) gltf->number = larger;
        if (larger) gltf->room = room;
    }
    if (!gltf->failed) gltf->number[gltf->numbers++] = (float)x;
}

__attribute__((format(printf, 2, 3))) static void add(saddle__text *text, const char *format, ...)
{
    char line[400];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    saddle__text_add(text, line);
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
    add(&gltf->list[VIEWS], "{\"buffer\":0,\"byteOffset\":%" PRId64 ",\"byteLength\":%" PRId64 "}",
        4 * first, 4 * (gltf->numbers - first));
    add(text,
        "{\"bufferView\":%" PRId64 ",\"componentType\":5126,\"type\":\"%s\",\"count\":%" PRId64,
        view, type[width], (gltf->numbers - first) / width);
    for (int i = 0; i < 2 * width; i++) {
        float most = gltf->number[first + i % width];
        for (int64_t k = first + i % width; k < gltf->numbers; k += width)
            most = i < width ? fmaxf(most, gltf->number[k]) : fminf(most, gltf->number[k]);
        if (i % width == 0) add(text, "%s,\"%s\":[", i > 0 ? "]" : "", bound[i / width]);
        add(text, i % width > 0 ? ",%.9g" : "%.9g", (double)most);
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

/* Triples of corners with all others on one side. */
static void push_hull(tool_gltf *gltf, const saddle_touch_def *def)
{
    const double *x = def->corners;
    const int64_t n = def->corner_count;
    for (int64_t i = 0; i < n * n * n; i++) {
        const int64_t a = i / (n * n), corner[] = {a, i / n % n, i % n};
        double edge[2][3], normal[3], most = 0.0, least = 0.0;
        if (corner[1] <= a || corner[2] <= corner[1]) continue;
        for (int k = 0; k < 6; k++)
            edge[k / 3][k % 3] = x[3 * corner[1 + k / 3] + k % 3] - x[3 * a + k % 3];
        saddle__cross(edge[0], edge[1], normal);
        for (int64_t p = 0; p < n; p++) {
            const double above = saddle__dot(normal, x + 3 * p) - saddle__dot(normal, x + 3 * a);
            most = fmax(most, above);
            least = fmin(least, above);
        }
        const double flat = 1e-6 * sqrt(saddle__dot(normal, normal));
        for (int k = 0; k < 3 && flat > 0.0 && (most <= flat || least >= -flat); k++)
            push_point(gltf, def, x + 3 * corner[k]);
    }
}

/* extent: half the edge of what is drawn of a plane. */
static void push_shape(tool_gltf *gltf, const saddle_touch_def *def, double extent)
{
    const double *size = def->size, r = size[0], round[] = {r, r, r}, turned[] = {r, r, size[1]},
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

/* Of a body without shapes the box of its inertia, of a particle a sphere. */
static void push_stand_in(tool_gltf *gltf, saddle_handle part, double extent)
{
    saddle_touch_def def = saddle_touch_def_default();
    const saddle_body_inertia *inertia = saddle_model_inertia(gltf->scene->model, part);
    if (part.item == SADDLE_ITEM_BODY && inertia && inertia->mass > 0.0) {
        def.kind = SADDLE_TOUCH_BOX;
        view_inertia_box(inertia, def.size);
        memcpy(def.pose.p, inertia->center, sizeof def.pose.p);
    } else {
        def.size[0] = extent / 60;
    }
    push_shape(gltf, &def, extent);
}

/* Number of the mesh of all shapes; -1 = none. */
static int64_t add_mesh(tool_gltf *gltf, saddle_handle part, int64_t number, double extent)
{
    const saddle_collider *collider = gltf->scene->collider;
    const int64_t first = gltf->numbers;
    for (int64_t k = 0; k < saddle_collider_count(collider); k++) {
        const saddle_touch_def *def = saddle_collider_shape(collider, k);
        if (def->part.index == part.index && def->part.item == part.item &&
            def->part.generation == part.generation)
            push_shape(gltf, def, extent);
    }
    if (gltf->numbers == first && number >= 0) push_stand_in(gltf, part, extent);
    if (gltf->numbers == first || gltf->failed) return -1;
    const int64_t accessor = add_accessor(gltf, first, 3), mesh = begin_item(gltf, MESHES);
    double colour[3] = {0.78, 0.79, 0.8};
    for (int k = 0; k < 3 && number >= 0; k++) /* hues apart by the golden section */
        colour[k] = 0.55 + 0.35 * cos(2.0 * acos(-1.0) * (0.381966 * (double)number + k / 3.0));
    add(&gltf->list[MATERIALS],
        "%s{\"pbrMetallicRoughness\":{\"baseColorFactor\":[%.3f,%.3f,%.3f,1],\"metallicFactor\":0},"
        "\"doubleSided\":true}",
        mesh > 0 ? ",\n" : "", colour[0], colour[1], colour[2]);
    add(&gltf->list[MESHES],
        "{\"primitives\":[{\"attributes\":{\"POSITION\":%" PRId64 "},\"material\":%" PRId64 "}]}",
        accessor, mesh);
    return mesh;
}

/* A channel of the animation: the numbers from place `at` of each frame. */
static void add_track(tool_gltf *gltf, const char *path, int64_t node, int64_t at, int width)
{
    const int64_t first = gltf->numbers;
    for (int64_t f = 0; f < gltf->frames; f++)
        for (int i = 0; i < width; i++) push(gltf, (double)gltf->frame[f * gltf->stride + at + i]);
    const int64_t accessor = add_accessor(gltf, first, width), sampler = begin_item(gltf, SAMPLERS);
    add(&gltf->list[SAMPLERS], "{\"input\":0,\"output\":%" PRId64 "}", accessor);
    begin_item(gltf, CHANNELS);
    add(&gltf->list[CHANNELS],
        "{\"sampler\":%" PRId64 ",\"target\":{\"node\":%" PRId64 ",\"path\":\"%s\"}}", sampler,
        node, path);
}

/* number: of the part, -1 = the ground; at: of its numbers in a frame. */
static void add_node(tool_gltf *gltf, saddle_handle part, int64_t number, int64_t at, double extent)
{
    const int64_t mesh = add_mesh(gltf, part, number, extent);
    if (mesh < 0 && number < 0) return;
    const int64_t node = begin_item(gltf, NODES);
    const char *name = number < 0 ? "ground" : saddle_model_name(gltf->scene->model, part);
    saddle__text *text = &gltf->list[NODES];
    saddle__text_add(text, "{\"name\":");
    saddle__text_add_json_string(text, name);
    if (mesh >= 0) add(text, ",\"mesh\":%" PRId64, mesh);
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
    made->file = fopen(path, "wb");
    if (made->file) return SADDLE_OK;
    return saddle_fail(scene->context, SADDLE_FILE_ERROR, "%s: %s", path, strerror(errno));
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

static void put_word(FILE *file, uint32_t word)
{
    for (int k = 0; k < 32; k += 8) fputc((int)(word >> k & 255), file);
}

static void add_list(saddle__text *text, const tool_gltf *gltf, gltf_list list, const char *name)
{
    if (gltf->count[list] == 0 && list != MATERIALS) return;
    add(text, ",\n\"%s\":[", name);
    if (gltf->list[list].characters) saddle__text_add(text, gltf->list[list].characters);
    saddle__text_add(text, "]");
}

static void add_object(saddle__text *text, const tool_gltf *gltf)
{
    saddle__text_add(text, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"saddle\"},\"scene\":0,"
                           "\"scenes\":[{\"nodes\":[0]}]");
    add(text, ",\n\"buffers\":[{\"byteLength\":%" PRId64 "}]", 4 * gltf->numbers);
    saddle__text_add(text, ",\n\"nodes\":[{\"rotation\":[-0.70710678,0,0,0.70710678]");
    for (int64_t k = 1; k < gltf->count[NODES]; k++)
        add(text, "%s%" PRId64, k > 1 ? "," : ",\"children\":[", k);
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

static saddle_status write_file(tool_gltf *gltf)
{
    saddle__text text = {.context = gltf->context};
    char *object = NULL;
    add_object(&text, gltf);
    const int64_t length = text.length, bytes = 4 * gltf->numbers;
    for (int k = 0; k < LISTS; k++) gltf->failed = gltf->failed || gltf->list[k].failed;
    saddle_status status = saddle__text_take(&text, &object);
    if (status == SADDLE_OK && gltf->failed) status = SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && length + bytes > UINT32_MAX - 28)
        status = saddle_fail(gltf->context, SADDLE_FILE_ERROR, "%s: longer than 4 GB", gltf->path);
    if (status == SADDLE_OK) {
        const uint32_t head[] = {0x46546C67, 2, (uint32_t)(28 + length + bytes), (uint32_t)length,
                                 0x4E4F534A};
        for (int k = 0; k < 5; k++) put_word(gltf->file, head[k]);
        fwrite(object, 1, (size_t)length, gltf->file);
        put_word(gltf->file, (uint32_t)bytes);
        put_word(gltf->file, 0x004E4942);
        for (int64_t k = 0; k < gltf->numbers; k++) {
            uint32_t word;
            memcpy(&word, &gltf->number[k], sizeof word);
            put_word(gltf->file, word);
        }
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
    gltf->count[NODES] = 1; /* node 0 is written last, with its children */
    add_node(gltf, (saddle_handle){0}, -1, 0, 2.0 * extent);
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        if (!is_shown(part)) continue;
        add_node(gltf, part, k, at, extent);
        at += 7;
    }
    return write_file(gltf);
}

saddle_status tool_gltf_close(tool_gltf *gltf)
{
    if (!gltf) return SADDLE_OK;
    saddle_context *context = gltf->context;
    saddle_status status = gltf->file && gltf->frames > 0 ? add_all(gltf) : SADDLE_OK;
    const int failed = gltf->file ? ferror(gltf->file) : 0;
    if (((gltf->file && fclose(gltf->file)) || failed) && status == SADDLE_OK)
        status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be written", gltf->path);
    for (int k = 0; k < LISTS; k++) saddle_release(context, gltf->list[k].characters);
    saddle_release(context, gltf->number);
    saddle_release(context, gltf->frame);
    saddle_release(context, gltf);
    return status;
}
