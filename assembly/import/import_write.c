/* SPDX-License-Identifier: MIT */
/* The lists of an import as the text of a scene (docs/formats.md, Scenes). */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "files/text.h"
#include "import_internal.h"
#include "saddle/rotation.h"

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

void saddle__import_write(saddle__import *import)
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
