/* SPDX-License-Identifier: MIT */
/* The frame of an import (saddle/import.h): files, findings, values, lists. */
#include "import_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "base/unset.h"
#include "files/number.h"
#include "files/scan.h"
#include "files/text.h"
#include "model_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

/* ---- the lists of an import as the text of a scene (docs/formats.md, Scenes) ---- */

typedef struct writing {
    saddle__import *import;
    saddle__text text;
    int listed; /* objects in the present list */
} writing;

/* ---- members ---- */

/* ", " behind an earlier member, and the key. */
static void key(writing *w, const char *name)
{
    const char *text = w->text.characters;
    if (text && text[w->text.length - 1] != '{') saddle__text_add(&w->text, ", ");
    saddle__text_add_json_string(&w->text, name);
    saddle__text_add(&w->text, ": ");
}

/* null: for infinite limits. */
static void numbers(writing *w, const char *name, int count, const double *value)
{
    key(w, name);
    saddle__text_add(&w->text, "[");
    for (int k = 0; k < count; k++) {
        if (k > 0) saddle__text_add(&w->text, ", ");
        saddle__text_add_json_double(&w->text, value[k]);
    }
    saddle__text_add(&w->text, "]");
}

static void number(writing *w, const char *name, double value)
{
    key(w, name);
    saddle__text_add_json_double(&w->text, value);
}

static void word(writing *w, const char *name, const char *value)
{
    if (!value) return;
    key(w, name);
    saddle__text_add_json_string(&w->text, value);
}

static void flag(writing *w, const char *name)
{
    key(w, name);
    saddle__text_add(&w->text, "true");
}

static void object(writing *w, const char *name)
{
    key(w, name);
    saddle__text_add(&w->text, "{");
}

static void part(writing *w, const char *name, int64_t index)
{
    word(w, name, index == SADDLE__GROUND ? "ground" : w->import->part[index].name);
}

static void pose(writing *w, const saddle_pose *place)
{
    double rotation[4];
    saddle_quaternion_from_matrix(place->R, rotation);
    numbers(w, "position", 3, place->p);
    numbers(w, "rotation", 4, rotation);
}

/* The name of a gear or line, left out where a part has the same name. */
static void name_apart(writing *w, const char *name)
{
    for (int64_t k = 0; name && k < w->import->part_count; k++)
        if (strcmp(w->import->part[k].name, name) == 0) name = NULL;
    if (name && name[0] != '\0') word(w, "name", name);
}

/* The name of joint k; where gears need a name and none is free, "joint K". */
static void joint_name(writing *w, int64_t k, const char *as)
{
    const saddle__import_joint *joint = &w->import->joint[k];
    const char *name = joint->name;
    for (int64_t i = 0; name && i < w->import->part_count; i++)
        if (strcmp(w->import->part[i].name, name) == 0) name = NULL;
    if (!joint->geared && !name) return;
    if (!name || name[0] == '\0')
        name = saddle__import_print(w->import, "joint %lld", (long long)k + 1);
    word(w, as, name);
}

/* ---- lists: a line for each object ---- */

static void begin_list(writing *w, const char *name)
{
    saddle__text_add(&w->text, ",\n\"");
    saddle__text_add(&w->text, name);
    saddle__text_add(&w->text, "\": [");
    w->listed = 0;
}

static void begin(writing *w)
{
    saddle__text_add(&w->text, w->listed++ > 0 ? ",\n  {" : "\n  {");
}

static void end(writing *w)
{
    saddle__text_add(&w->text, "}");
}

static void write_bodies(writing *w)
{
    begin_list(w, "bodies");
    for (int64_t k = 0; k < w->import->part_count; k++) {
        const saddle__import_part *body = &w->import->part[k];
        begin(w);
        word(w, "name", body->name);
        pose(w, &body->pose);
        if (body->prescribed) {
            flag(w, "prescribed");
        } else {
            number(w, "mass", body->inertia.mass);
            numbers(w, "center", 3, body->inertia.center);
            numbers(w, "moment", 9, body->inertia.moment);
        }
        end(w);
    }
    saddle__text_add(&w->text, "]");
}

static void write_free(writing *w, const saddle__import_free *coordinate)
{
    saddle__text_add(&w->text, "{");
    if (isfinite(coordinate->lo) || isfinite(coordinate->hi))
        numbers(w, "limits", 2, (const double[2]){coordinate->lo, coordinate->hi});
    if (coordinate->friction > 0) number(w, "friction", coordinate->friction);
    if (coordinate->armature > 0) number(w, "armature", coordinate->armature);
    if (coordinate->stiffness > 0 || coordinate->damping > 0) {
        object(w, "spring");
        number(w, "stiffness", coordinate->stiffness);
        number(w, "damping", coordinate->damping);
        if (coordinate->stiffness > 0) number(w, "rest", coordinate->load / coordinate->stiffness);
        end(w);
    }
    end(w);
}

static void write_joints(writing *w)
{
    static const char *const axes[] = {"x", "y", "z", "rx", "ry", "rz"};
    begin_list(w, "joints");
    for (int64_t k = 0; k < w->import->joint_count; k++) {
        const saddle__import_joint *joint = &w->import->joint[k];
        begin(w);
        joint_name(w, k, "name");
        word(w, "kind", saddle_joint_kind_word(joint->kind));
        part(w, "a", joint->a);
        part(w, "b", joint->b);
        numbers(w, "at", 3, joint->at);
        numbers(w, "axis", 3, joint->axis);
        if (joint->x_axis[0] != 0 || joint->x_axis[1] != 0 || joint->x_axis[2] != 0)
            numbers(w, "x_axis", 3, joint->x_axis);
        if (joint->kind == SADDLE_JOINT_CUSTOM) {
            object(w, "locked");
            for (int i = 0; i < 6; i++)
                if (joint->locked >> i & 1) flag(w, axes[i]);
            end(w);
        }
        if (joint->frees > 0) {
            key(w, "free");
            saddle__text_add(&w->text, "[");
            for (int i = 0; i < joint->frees; i++) {
                if (i > 0) saddle__text_add(&w->text, ", ");
                write_free(w, &joint->free[i]);
            }
            saddle__text_add(&w->text, "]");
        }
        end(w);
    }
    saddle__text_add(&w->text, "]");
}

static void write_gears(writing *w)
{
    begin_list(w, "gears");
    for (int64_t k = 0; k < w->import->gear_count; k++) {
        const saddle__import_gear *gear = &w->import->gear[k];
        begin(w);
        name_apart(w, gear->name);
        key(w, "terms");
        for (int64_t i = gear->first; i < gear->first + gear->count; i++) {
            const saddle__import_term *term = &w->import->term[i];
            saddle__text_add(&w->text, i == gear->first ? "[{" : ", {");
            joint_name(w, term->joint, "joint");
            key(w, "coordinate");
            saddle__text_add_integer(&w->text, term->coordinate);
            number(w, "factor", term->factor);
            end(w);
        }
        saddle__text_add(&w->text, "]");
        numbers(w, "bounds", 2, gear->bounds);
        end(w);
    }
    saddle__text_add(&w->text, "]");
}

static void write_shapes(writing *w)
{
    static const char *const kinds[] = {
        [SADDLE_TOUCH_SPHERE] = "sphere",     [SADDLE_TOUCH_BOX] = "box",
        [SADDLE_TOUCH_CAPSULE] = "capsule",   [SADDLE_TOUCH_PLANE] = "plane",
        [SADDLE_TOUCH_CYLINDER] = "cylinder", [SADDLE_TOUCH_ELLIPSOID] = "ellipsoid"};
    begin_list(w, "shapes");
    for (int64_t k = 0; k < w->import->shape_count; k++) {
        const saddle__import_shape *shape = &w->import->shape[k];
        begin(w);
        word(w, "name", shape->name);
        word(w, "kind", kinds[shape->kind]);
        part(w, "part", shape->part);
        pose(w, &shape->pose);
        if (shape->kind == SADDLE_TOUCH_BOX || shape->kind == SADDLE_TOUCH_ELLIPSOID)
            numbers(w, "size", 3, shape->size);
        else if (shape->kind != SADDLE_TOUCH_PLANE)
            number(w, "radius", shape->size[0]);
        if (shape->kind == SADDLE_TOUCH_CAPSULE || shape->kind == SADDLE_TOUCH_CYLINDER)
            number(w, "length", shape->size[1]);
        number(w, "mu", shape->mu);
        if (shape->mu_torsion > 0) number(w, "mu_torsion", shape->mu_torsion);
        if (shape->mu_rolling > 0) number(w, "mu_rolling", shape->mu_rolling);
        end(w);
    }
    saddle__text_add(&w->text, "]");
    begin_list(w, "apart");
    for (int64_t k = 0; k < w->import->apart_count; k++) {
        begin(w);
        part(w, "a", w->import->apart[k].a);
        part(w, "b", w->import->apart[k].b);
        end(w);
    }
    saddle__text_add(&w->text, "]");
}

/* Ropes among the rods, or springs. */
static void write_lines(writing *w, const char *list, int ropes)
{
    begin_list(w, list);
    for (int64_t k = 0; k < w->import->line_count; k++) {
        const saddle__import_line *line = &w->import->line[k];
        if (line->rope != ropes) continue;
        begin(w);
        if (!ropes || line->stiffness <= 0) name_apart(w, line->name);
        part(w, "a", line->part[0]);
        part(w, "b", line->part[1]);
        numbers(w, "point_a", 3, line->point[0]);
        numbers(w, "point_b", 3, line->point[1]);
        number(w, ropes ? "length" : "rest_length", line->length);
        if (ropes) {
            flag(w, "rope");
        } else {
            number(w, "stiffness", line->stiffness);
            number(w, "damping", line->damping);
        }
        end(w);
    }
    saddle__text_add(&w->text, "]");
}

static void write_loads(writing *w)
{
    begin_list(w, "loads");
    for (int64_t k = 0; k < w->import->load_count; k++) {
        const saddle__import_load *load = &w->import->load[k];
        begin(w);
        part(w, "part", load->part);
        numbers(w, "at", 3, load->at);
        numbers(w, "force", 3, load->force);
        end(w);
    }
    saddle__text_add(&w->text, "]");
}

/* Moving parts have a mass; parts between joints get their share. */
static void check_masses(saddle__import *import)
{
    for (int64_t k = 0; k < import->part_count; k++) {
        saddle__import_part *body = &import->part[k];
        if (body->light_of > 0) {
            body->inertia = import->part[body->light_of - 1].inertia;
            body->inertia.mass *= SADDLE__NEGLIGIBLE_TERM;
            for (int i = 0; i < 9; i++) body->inertia.moment[i] *= SADDLE__NEGLIGIBLE_TERM;
        }
        if (!body->prescribed && !(body->inertia.mass > 0))
            saddle__import_refuse(import, body->from, "\"%.80s\" moves and has no mass",
                                  body->name);
    }
}

/* The scene's text into import->result. */
static void write_model(saddle__import *import)
{
    writing w = {.import = import, .text = {.context = import->context}};
    check_masses(import);
    if (import->status != SADDLE_OK) return;
    saddle__text_add(&w.text, "{\"format\": \"saddle-scene\", \"version\": 1,\n");
    if (import->name) {
        saddle__text_add(&w.text, "\"name\": ");
        saddle__text_add_json_string(&w.text, import->name);
        saddle__text_add(&w.text, ",\n");
    }
    saddle__text_add(&w.text, "\"integrator\": \"implicit-euler\", \"symmetric_stiffness\": true");
    if (import->pyramid) {
        object(&w, "friction");
        word(&w, "law", "pyramid");
        key(&w, "facets");
        saddle__text_add_integer(&w.text, 4);
        end(&w);
    }
    number(&w, "time_step", import->time_step);
    numbers(&w, "gravity", 3, import->gravity);
    write_bodies(&w);
    write_joints(&w);
    write_gears(&w);
    write_shapes(&w);
    write_lines(&w, "rods", 1);
    write_lines(&w, "springs", 0);
    write_loads(&w);
    saddle__text_add(&w.text, "}\n");
    import->result->length = w.text.length;
    saddle__import_stop(import, saddle__text_take(&w.text, &import->result->scene));
}

/* ---- failures, findings, texts ---- */

void saddle__import_stop(saddle__import *import, saddle_status status)
{
    if (import->status != SADDLE_OK || status == SADDLE_OK) return;
    import->status = status;
    saddle__append(import->message, sizeof import->message,
                   saddle_context_message(import->context));
}

void saddle__import_pass_on(saddle__import *import, const saddle__xml_element *element,
                            saddle_status status)
{
    if (status == SADDLE_OUT_OF_MEMORY)
        saddle__import_stop(import, status);
    else if (status != SADDLE_OK)
        saddle__import_refuse(import, element, "%s", saddle_context_message(import->context));
}

void *saddle__import_grow(saddle__import *import, void *array, int64_t *capacity, int64_t *count,
                          size_t size)
{
    if (import->status == SADDLE_OK)
        saddle__import_stop(import,
                            saddle__reserve(import->context, array, capacity, *count + 1, size));
    if (import->status != SADDLE_OK) return NULL;
    char *begin;
    memcpy(&begin, array, sizeof begin);
    return memset(begin + (size_t)(*count)++ * size, 0, size);
}

const char *saddle__import_print(saddle__import *import, const char *format, ...)
{
    va_list arguments;
    char **text = saddle__import_next(import, text);
    if (!text) return "";
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    *text = saddle_allocate(import->context, length + 1, 1);
    if (!*text) {
        saddle__import_stop(import, SADDLE_OUT_OF_MEMORY);
        return "";
    }
    va_start(arguments, format);
    vsnprintf(*text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return *text;
}

void saddle__import_find(saddle__import *import, const saddle__xml_element *element,
                         int unsupported, const char *format, ...)
{
    char reason[256], line[512];
    saddle_import *result = import->result;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const int length = snprintf(line, sizeof line, "%.120s:%lld: %.80s: %s", element->file,
                                (long long)element->line, element->name, reason);
    saddle_finding *finding = saddle__import_grow(import, &result->finding,
                                                  &import->finding_capacity, &result->findings,
                                                  sizeof *result->finding);
    if (!finding) return;
    finding->text = saddle_allocate(import->context, length + 1, 1);
    if (!finding->text) {
        result->findings--;
        saddle__import_stop(import, SADDLE_OUT_OF_MEMORY);
        return;
    }
    memcpy(finding->text, line, (size_t)length);
    finding->unsupported = unsupported;
    result->unsupported += unsupported;
}

/* ---- values ---- */

int saddle__import_numbers(saddle__import *import, const saddle__xml_element *element,
                           const char *attribute, const char *text, int least, int most,
                           double *value)
{
    const char *at = text, *end = text + strlen(text), *space = " \t\r\n";
    int count = 0;
    while (import->status == SADDLE_OK) {
        double number = 0;
        at += strspn(at, space);
        if (at == end) break;
        if (count == most) {
            saddle__import_refuse(import, element, "%.40s has more than %d numbers", attribute,
                                  most);
            return 0;
        }
        if (saddle__number_parse(at, end, &number, &at) != SADDLE__NUMBER_FINITE ||
            (at < end && !strchr(space, *at)) || !(fabs(number) <= SADDLE__LARGEST)) {
            saddle__import_refuse(import, element, "%.40s=\"%.40s\" is not made of numbers",
                                  attribute, text);
            return 0;
        }
        value[count++] = number;
    }
    if (count < least)
        saddle__import_refuse(import, element, "%.40s has %d numbers, %d are needed", attribute,
                              count, least);
    return import->status == SADDLE_OK ? count : 0;
}

/* ---- building ---- */

static int is_taken(const saddle__import *import, const char *name)
{
    if (strcmp(name, "ground") == 0 || name[0] == '\0') return 1;
    for (int64_t k = 0; k < import->part_count; k++)
        if (strcmp(import->part[k].name, name) == 0) return 1;
    return 0;
}

int64_t saddle__import_part_add(saddle__import *import, const saddle__xml_element *from,
                                const char *name, int64_t parent, const saddle_pose *pose)
{
    if (!name) name = saddle__import_print(import, "body %lld", (long long)import->part_count + 1);
    if (import->status == SADDLE_OK && is_taken(import, name))
        saddle__import_refuse(import, from, "\"%.80s\" is no name for a body, or taken", name);
    saddle__import_part *part = saddle__import_next(import, part);
    if (!part) return SADDLE__GROUND;
    *part = (saddle__import_part){.name = name, .from = from, .parent = parent, .pose = *pose};
    return import->part_count - 1;
}

void saddle__import_mass(saddle__import *import, int64_t part, const saddle__xml_element *element,
                         const saddle_body_inertia *inertia, const saddle_pose *place)
{
    if (import->status != SADDLE_OK || part == SADDLE__GROUND) return;
    saddle_body_inertia *sum = &import->part[part].inertia, both[2], composed;
    const saddle_pose at[2] = {*place, saddle_pose_identity()};
    both[0] = *inertia;
    both[1] = *sum;
    saddle__import_pass_on(import, element,
                           saddle_body_inertia_compose(import->context, sum->mass > 0 ? 2 : 1, both,
                                                       at, &composed));
    if (import->status == SADDLE_OK) *sum = composed;
}

/* ---- reading ---- */

static void read_root(saddle__import *import, saddle__xml_element *root, int skip_unsupported)
{
    const saddle_import *result = import->result;
    if (strcmp(root->name, "mujoco") == 0)
        saddle__import_mjcf(import, root);
    else if (strcmp(root->name, "robot") == 0)
        saddle__import_urdf(import, root);
    else
        saddle__import_refuse(import, root, "the root is neither \"mujoco\" nor \"robot\"");
    for (int64_t k = 0; import->status == SADDLE_OK && !skip_unsupported && k < result->findings;
         k++) {
        if (!result->finding[k].unsupported) continue;
        import->status = saddle_fail(import->context, SADDLE_UNSUPPORTED,
                                     "%s (%lld in all that would change the motion)",
                                     result->finding[k].text, (long long)result->unsupported);
    }
    if (import->status == SADDLE_OK) write_model(import);
}

static void clear(saddle__import *import)
{
    for (int64_t k = 0; k < import->text_count; k++)
        saddle_release(import->context, import->text[k]);
    saddle__release_all(import->context, import->text, import->part, import->joint, import->shape,
                        import->apart, import->term, import->gear, import->line, import->load);
    saddle__xml_clear(&import->xml);
}

saddle_status saddle_import_read_text(saddle_context *context, const char *text, int64_t length,
                                      const char *label, const char *folder, int skip_unsupported,
                                      saddle_import *import)
{
    if (import) *import = (saddle_import){.context = context};
    SADDLE__RETURN_UNLESS(context, text && length >= 0 && import, "text or import is NULL");
    saddle__import reading = {.context = context,
                              .status = SADDLE_OK,
                              .result = import,
                              .folder = folder,
                              .xml = {.context = context}};
    saddle__xml_element *root;
    reading.status = saddle__xml_read(&reading.xml, text, length, label ? label : "model", &root);
    if (reading.status == SADDLE_OK) read_root(&reading, root, skip_unsupported);
    clear(&reading);
    if (reading.message[0] != '\0') saddle_fail(context, reading.status, "%s", reading.message);
    return reading.status;
}

saddle_status saddle_import_read(saddle_context *context, const char *path, int skip_unsupported,
                                 saddle_import *import)
{
    if (import) *import = (saddle_import){.context = context};
    SADDLE__RETURN_UNLESS(context, path && import, "path or import is NULL");
    char *folder = saddle__folder_of(context, path);
    if (!folder) return SADDLE_OUT_OF_MEMORY;
    saddle__scan scan = {0};
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK)
        status = saddle_import_read_text(context, scan.begin, scan.end - scan.begin, path, folder,
                                         skip_unsupported, import);
    saddle__scan_close(&scan);
    saddle_release(context, folder);
    return status;
}

void saddle_import_clear(saddle_import *import)
{
    if (!import) return;
    for (int64_t k = 0; k < import->findings; k++)
        saddle_release(import->context, import->finding[k].text);
    saddle__release_all(import->context, import->finding, import->scene);
    *import = (saddle_import){0};
}
