/* SPDX-License-Identifier: MIT */
/* URDF, the XML format of ROS for robots (http://wiki.ros.org/urdf/XML).
 *
 * The root link is no joint's child and is fixed to the ground.  Links on both sides of a fixed
 * joint are one part. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "import_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

typedef struct urdf {
    saddle__import *import;
    const saddle__xml_element *root;
    int depth; /* of links in the tree, against joints in a circle */
} urdf;

typedef struct link_place {
    int64_t part;
    saddle_pose pose; /* of the link's frame on the part, or in the world */
} link_place;

static void numbers(urdf *u, const saddle__xml_element *element, const char *name, int count,
                    double *value)
{
    const char *text = element ? saddle__xml_attribute_of(element, name) : NULL;
    if (text) saddle__import_numbers(u->import, element, name, text, count, count, value);
}

static void needed(urdf *u, const saddle__xml_element *element, const char *name, int count,
                   double *value)
{
    if (!saddle__xml_attribute_of(element, name))
        saddle__import_refuse(u->import, element, "\"%s\" is missing", name);
    numbers(u, element, name, count, value);
}

static saddle_pose origin_of(urdf *u, const saddle__xml_element *element)
{
    const saddle__xml_element *origin = saddle__xml_child(element, "origin");
    saddle_pose pose = saddle_pose_identity();
    double rpy[3] = {0};
    numbers(u, origin, "xyz", 3, pose.p);
    numbers(u, origin, "rpy", 3, rpy);
    saddle_rpy_to_matrix(rpy, pose.R);
    return pose;
}

/* ---- words ---- */

static void check_below(urdf *u, const saddle__xml_element *element, const char *const *read,
                        const char *const *idle)
{
    for (const saddle__xml_element *child = element->first; child; child = child->next) {
        int known = 0, effect = 1;
        for (int k = 0; read[k]; k++) known |= strcmp(read[k], child->name) == 0;
        for (int k = 0; idle[k]; k++) effect &= strcmp(idle[k], child->name) != 0;
        if (!known)
            saddle__import_find(u->import, child, effect,
                                effect ? "not supported" : "without mechanical effect");
    }
}

/* ---- links ---- */

static void add_inertia(urdf *u, const saddle__xml_element *link, const link_place *place)
{
    static const char *const names[] = {"ixx", "ixy", "ixz", NULL, "iyy", "iyz", NULL, NULL, "izz"};
    const saddle__xml_element *inertial = saddle__xml_child(link, "inertial");
    if (!inertial) return;
    const saddle__xml_element *mass = saddle__xml_child(inertial, "mass"),
                              *moment = saddle__xml_child(inertial, "inertia");
    saddle_body_inertia inertia = {0};
    if (!mass || !moment) {
        saddle__import_refuse(u->import, inertial, "\"mass\" or \"inertia\" is missing");
        return;
    }
    needed(u, mass, "value", 1, &inertia.mass);
    for (int k = 0; k < 9; k++) {
        if (!names[k]) continue;
        needed(u, moment, names[k], 1, &inertia.moment[k]);
        inertia.moment[k % 3 * 3 + k / 3] = inertia.moment[k];
    }
    saddle_pose origin = origin_of(u, inertial);
    origin = saddle_pose_multiply(&place->pose, &origin);
    saddle__import_mass(u->import, place->part, inertial, &inertia, &origin);
}

static void add_shape(urdf *u, const saddle__xml_element *collision, const link_place *place)
{
    const saddle__xml_element *geometry = saddle__xml_child(collision, "geometry"),
                              *solid = geometry ? geometry->first : NULL;
    const int box = solid && strcmp(solid->name, "box") == 0,
              sphere = solid && strcmp(solid->name, "sphere") == 0,
              cylinder = solid && strcmp(solid->name, "cylinder") == 0;
    if (!box && !sphere && !cylinder) {
        saddle__import_find(u->import, solid ? solid : collision, 1,
                            "contact of this shape is not supported");
        return;
    }
    saddle__import_shape *shape = saddle__import_next(u->import, shape);
    if (!shape) return;
    const saddle_touch_def defaults = saddle_touch_def_default();
    const saddle_pose origin = origin_of(u, collision);
    shape->name = saddle__xml_attribute_of(collision, "name");
    shape->part = place->part;
    shape->kind = box ? SADDLE_TOUCH_BOX : cylinder ? SADDLE_TOUCH_CYLINDER : SADDLE_TOUCH_SPHERE;
    shape->pose = saddle_pose_multiply(&place->pose, &origin);
    shape->mu = defaults.mu;
    needed(u, solid, box ? "size" : "radius", box ? 3 : 1, shape->size);
    if (cylinder) needed(u, solid, "length", 1, shape->size + 1);
}

static void read_joint(urdf *u, const saddle__xml_element *joint, const link_place *parent);

static int is_named(const saddle__xml_element *element, const char *child, const char *name)
{
    const saddle__xml_element *found = saddle__xml_child(element, child);
    const char *link = found ? saddle__xml_attribute_of(found, "link") : NULL;
    return link && strcmp(link, name) == 0;
}

static void read_link(urdf *u, const saddle__xml_element *link, const link_place *place)
{
    static const char *const read[] = {"inertial", "collision", NULL};
    static const char *const idle[] = {"visual", NULL};
    const char *name = saddle__xml_attribute_of(link, "name");
    if (++u->depth > UINT8_MAX)
        saddle__import_refuse(u->import, link, "the joints form a circle, or too long a chain");
    check_below(u, link, read, idle);
    add_inertia(u, link, place);
    for (const saddle__xml_element *child = link->first; child; child = child->next)
        if (u->import->status == SADDLE_OK && strcmp(child->name, "collision") == 0)
            add_shape(u, child, place);
    for (const saddle__xml_element *child = u->root->first; child; child = child->next) {
        if (u->import->status != SADDLE_OK) return;
        if (strcmp(child->name, "joint") == 0 && is_named(child, "parent", name))
            read_joint(u, child, place);
    }
    u->depth--;
}

/* ---- joints ---- */

static void read_limits(urdf *u, const saddle__xml_element *joint, int limited,
                        saddle__import_free *free)
{
    const saddle__xml_element *limit = saddle__xml_child(joint, "limit"),
                              *dynamics = saddle__xml_child(joint, "dynamics");
    *free = saddle__import_free_default();
    if (limited && !limit) saddle__import_refuse(u->import, joint, "\"limit\" is missing");
    if (limit && limited) {
        free->lo = free->hi = 0;
        numbers(u, limit, "lower", 1, &free->lo);
        numbers(u, limit, "upper", 1, &free->hi);
    }
    if (limit &&
        (saddle__xml_attribute_of(limit, "effort") || saddle__xml_attribute_of(limit, "velocity")))
        saddle__import_find(u->import, limit, 0,
                            "effort and velocity are of drives, and there are none");
    numbers(u, dynamics, "damping", 1, &free->damping);
    numbers(u, dynamics, "friction", 1, &free->friction);
}

/* A joint between two parts by the word of its type; 0: floating. */
static int settle_kind(urdf *u, const saddle__xml_element *joint, saddle__import_joint *made)
{
    const char *type = saddle__xml_attribute_of(joint, "type");
    const int turns = type && (strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0);
    if (type && strcmp(type, "floating") == 0) return 0;
    if (turns || (type && strcmp(type, "prismatic") == 0)) {
        made->kind = turns ? SADDLE_JOINT_HINGE : SADDLE_JOINT_SLIDER;
        made->frees = 1;
        read_limits(u, joint, strcmp(type, "continuous") != 0, &made->free[0]);
    } else if (type && strcmp(type, "planar") == 0) {
        made->kind = SADDLE_JOINT_CUSTOM;
        made->locked = SADDLE_LOCK_Z | SADDLE_LOCK_RX | SADDLE_LOCK_RY;
    } else {
        saddle__import_refuse(u->import, joint, "there is no type \"%.40s\"", type ? type : "");
    }
    return 1;
}

static const saddle__xml_element *child_link(urdf *u, const saddle__xml_element *joint)
{
    for (const saddle__xml_element *link = u->root->first; link; link = link->next) {
        const char *name = saddle__xml_attribute_of(link, "name");
        if (strcmp(link->name, "link") == 0 && name && is_named(joint, "child", name)) return link;
    }
    saddle__import_refuse(u->import, joint, "its child is no link");
    return NULL;
}

static void read_joint(urdf *u, const saddle__xml_element *joint, const link_place *parent)
{
    static const char *const read[] = {"origin", "parent",   "child", "axis",
                                       "limit",  "dynamics", NULL};
    static const char *const idle[] = {"calibration", "safety_controller", NULL};
    saddle__import *import = u->import;
    const saddle__xml_element *link = child_link(u, joint);
    const char *type = saddle__xml_attribute_of(joint, "type");
    saddle_pose origin = origin_of(u, joint);
    origin = saddle_pose_multiply(&parent->pose, &origin);
    link_place place = {parent->part, origin};
    check_below(u, joint, read, idle);
    if (!link) return;
    if (type && strcmp(type, "fixed") == 0) {
        read_link(u, link, &place);
        return;
    }
    const saddle_pose world = parent->part == SADDLE__GROUND
                                  ? origin
                                  : saddle_pose_multiply(&import->part[parent->part].pose, &origin);
    saddle__import_joint made = {.name = saddle__xml_attribute_of(joint, "name"),
                                 .a = parent->part};
    double axis[3] = {1, 0, 0};
    numbers(u, saddle__xml_child(joint, "axis"), "xyz", 3, axis);
    if (!(saddle__direction(axis, axis) > 0))
        saddle__import_refuse(import, joint, "its axis is zero");
    saddle__rotate(world.R, axis, made.axis);
    memcpy(made.at, world.p, sizeof made.at);
    const int holds = settle_kind(u, joint, &made);
    place.part = saddle__import_part_add(import, link, saddle__xml_attribute_of(link, "name"),
                                         parent->part, &world);
    place.pose = saddle_pose_identity();
    made.b = place.part;
    saddle__import_joint *next = holds ? saddle__import_next(import, joint) : NULL;
    if (next) *next = made;
    /* neighbours overlap at their joint, the root link on the ground too */
    saddle__import_pair *pair = holds ? saddle__import_next(import, apart) : NULL;
    if (pair) *pair = (saddle__import_pair){made.a, made.b};
    if (import->status == SADDLE_OK) read_link(u, link, &place);
}

/* ---- the model ---- */

/* How many joints have the link as their child. */
static int joints_to(const urdf *u, const char *name)
{
    int count = 0;
    for (const saddle__xml_element *joint = u->root->first; joint; joint = joint->next)
        count += strcmp(joint->name, "joint") == 0 && is_named(joint, "child", name);
    return count;
}

/* Links have distinct names and at most one parent joint. */
static void check_links(urdf *u)
{
    for (const saddle__xml_element *link = u->root->first; link; link = link->next) {
        if (strcmp(link->name, "link") != 0) continue;
        const char *name = saddle__xml_attribute_of(link, "name");
        if (!name)
            saddle__import_refuse(u->import, link, "\"name\" is missing");
        else if (joints_to(u, name) > 1)
            saddle__import_refuse(u->import, link, "\"%.80s\" is the child of two joints", name);
    }
}

void saddle__import_urdf(saddle__import *import, const saddle__xml_element *root)
{
    static const char *const read[] = {"link", "joint", NULL};
    static const char *const idle[] = {"material", "transmission", "gazebo", "version", NULL};
    urdf u = {.import = import, .root = root};
    const link_place ground = {SADDLE__GROUND, saddle_pose_identity()};
    int roots = 0;
    import->gravity[2] = -9.81;
    import->time_step = 0.002;
    import->name = saddle__xml_attribute_of(root, "name");
    check_below(&u, root, read, idle);
    check_links(&u);
    for (const saddle__xml_element *link = root->first; link; link = link->next) {
        const char *name = saddle__xml_attribute_of(link, "name");
        if (strcmp(link->name, "link") != 0 || import->status != SADDLE_OK) continue;
        if (joints_to(&u, name) > 0) continue;
        roots++;
        read_link(&u, link, &ground);
    }
    if (roots != 1) saddle__import_refuse(import, root, "there are %d root links, not one", roots);
}
