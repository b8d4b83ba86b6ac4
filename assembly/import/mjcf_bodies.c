/* SPDX-License-Identifier: MIT */
/* MJCF: bodies, their masses, joints, geoms and sites.
 *
 * A body without joints and its parent are one part.  Joints of one body follow one another:
 *
 *     three hinges, same point, normal to each other    a ball:       R = Rz(q0) Ry(q1) Rx(q2)
 *     two hinges, same point, normal to each other      a universal:  R = Rx(q0) Ry(q1)
 *     others                                           in series, with a part between two
 *
 * The part between has SADDLE__NEGLIGIBLE_TERM of the body's inertia. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "mjcf.h"
#include "model_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

/* ---- poses ---- */

/* Euler angles about the axes of `order` (xyz in any order): lower case about the turned axes,
 * upper case about the fixed ones. */
static void rotate_by_angles(const double *angle, const char *order, double *R)
{
    const saddle_pose identity = saddle_pose_identity();
    memcpy(R, identity.R, sizeof identity.R);
    for (int k = 0; k < 3; k++) {
        const int fixed = order[k] < 'a';
        double phi[3] = {0}, turn[9];
        phi[order[k] - (fixed ? 'X' : 'x')] = angle[k];
        saddle_rotation_exp(phi, turn);
        saddle__product3(fixed ? turn : R, fixed ? R : turn, R);
    }
}

static void rotate_by_axes(const saddle__mjcf_view *view, double axes[6], double *R)
{
    double *x = R, *y = R + 3, *z = R + 6;
    int fine = saddle__direction(axes, x) > 0;
    const double along = saddle__dot(x, axes + 3);
    for (int i = 0; i < 3; i++) axes[3 + i] -= along * x[i];
    fine = fine && saddle__direction(axes + 3, y) > 0;
    if (!fine) saddle__import_refuse(view->mjcf->import, view->element, "xyaxes are no axes");
    saddle__cross(x, y, z);
}

/* R with the z axis along z, by the smallest rotation.  z: not zero. */
static void rotate_along(const double *z, double *R)
{
    static const double up[3] = {0, 0, 1};
    double unit[3] = {0, 0, 1}, phi[3];
    saddle__direction(z, unit);
    saddle__cross(up, unit, phi);
    const double sine = sqrt(saddle__dot(phi, phi)), angle = atan2(sine, unit[2]);
    for (int k = 0; k < 3; k++) phi[k] *= sine > 0 ? angle / sine : 0;
    if (!(sine > 0) && unit[2] < 0) phi[0] = angle;
    saddle_rotation_exp(phi, R);
}

static void read_rotation(const saddle__mjcf_view *view, double *R)
{
    saddle__import *import = view->mjcf->import;
    double value[6] = {0};
    if (saddle__mjcf_numbers(view, "axisangle", 4, 4, value)) {
        double phi[3] = {0};
        if (!(saddle__direction(value, phi) > 0))
            saddle__import_refuse(import, view->element, "the axis of axisangle is zero");
        for (int i = 0; i < 3; i++) phi[i] *= value[3] * view->mjcf->degree;
        saddle_rotation_exp(phi, R);
    } else if (saddle__mjcf_numbers(view, "xyaxes", 6, 6, value)) {
        rotate_by_axes(view, value, R);
    } else if (saddle__mjcf_numbers(view, "zaxis", 3, 3, value)) {
        double unit[3];
        if (!(saddle__direction(value, unit) > 0))
            saddle__import_refuse(import, view->element, "zaxis is zero");
        else
            rotate_along(value, R);
    } else if (saddle__mjcf_numbers(view, "euler", 3, 3, value)) {
        for (int i = 0; i < 3; i++) value[i] *= view->mjcf->degree;
        rotate_by_angles(value, view->mjcf->order, R);
    } else if (saddle__mjcf_numbers(view, "quat", 4, 4, value)) {
        saddle__import_pass_on(import, view->element,
                               saddle_quaternion_normalize(import->context, value));
        if (import->status == SADDLE_OK) saddle_quaternion_to_matrix(value, R);
    }
}

/* The pose by "pos" and a rotation. */
static saddle_pose read_pose(const saddle__mjcf_view *view)
{
    saddle_pose pose = saddle_pose_identity();
    saddle__mjcf_numbers(view, "pos", 3, 3, pose.p);
    read_rotation(view, pose.R);
    return pose;
}

/* ---- geoms, as mass of bodies and as shapes for contact ---- */

typedef enum geom_type { SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, PLANE, HFIELD, MESH } geom_type;

static const char *const geom_types[] = {"sphere", "capsule", "ellipsoid", "cylinder",
                                         "box",    "plane",   "hfield",    "mesh"};

typedef struct geom {
    const saddle__mjcf_view *view;
    geom_type type;
    double size[3]; /* radii and half lengths, as in the file */
    saddle_pose pose;
} geom;

static void refuse(const geom *g, const char *what)
{
    saddle__import_find(g->view->mjcf->import, g->view->element, 1, "%s of a %s is not supported",
                        what, geom_types[g->type]);
}

/* ---- type and sizes ---- */

static void read_type(geom *g)
{
    const char *type = saddle__mjcf_text(g->view, "type");
    for (int k = 0; type && k <= MESH; k++)
        if (strcmp(geom_types[k], type) == 0) g->type = (geom_type)k;
    if (type && strcmp(geom_types[g->type], type) != 0)
        saddle__import_find(g->view->mjcf->import, g->view->element, 1,
                            "type=\"%.40s\" is not supported", type);
}

/* Between the points of fromto: length and pose, the radius is size[0]. */
static void stretch(geom *g, const double *ends)
{
    const double along[3] = {ends[0] - ends[3], ends[1] - ends[4], ends[2] - ends[5]};
    const double length = hypot(hypot(along[0], along[1]), along[2]);
    for (int i = 0; i < 3; i++) g->pose.p[i] = (ends[i] + ends[3 + i]) / 2;
    if (!(length > 0)) {
        saddle__import_refuse(g->view->mjcf->import, g->view->element,
                              "both ends of fromto are one point");
        return;
    }
    rotate_along(along, g->pose.R);
    if (g->type == BOX || g->type == ELLIPSOID) g->size[1] = g->size[0];
    g->size[g->type == BOX || g->type == ELLIPSOID ? 2 : 1] = length / 2;
}

static void read_sizes(geom *g)
{
    static const int needed[] = {1, 2, 3, 2, 3, 0, 0, 0};
    saddle__import *import = g->view->mjcf->import;
    double ends[6];
    const int given = saddle__mjcf_numbers(g->view, "size", 1, 3, g->size);
    const int stretched = saddle__mjcf_numbers(g->view, "fromto", 6, 6, ends);
    g->pose = read_pose(g->view);
    if (stretched && (g->type == SPHERE || g->type > BOX))
        saddle__import_refuse(import, g->view->element, "fromto is not of a %s",
                              geom_types[g->type]);
    else if (stretched)
        stretch(g, ends);
    const int numbers = needed[g->type];
    if (numbers > 0 && given < (stretched ? 1 : numbers))
        saddle__import_refuse(import, g->view->element, "size of a %s needs %d numbers",
                              geom_types[g->type], stretched ? 1 : numbers);
    for (int k = 0; k < numbers; k++)
        if (!(g->size[k] > 0))
            saddle__import_refuse(import, g->view->element, "its size is not positive");
}

/* ---- mass ---- */

/* The sizes as of saddle_shape_kind. */
static saddle_shape_kind solid_of(const geom *g, double size[3])
{
    static const saddle_shape_kind kinds[] = {SADDLE_SHAPE_SPHERE, SADDLE_SHAPE_CAPSULE,
                                              SADDLE_SHAPE_ELLIPSOID, SADDLE_SHAPE_CYLINDER,
                                              SADDLE_SHAPE_BOX};
    for (int k = 0; k < 3; k++) size[k] = g->size[k] * (g->type == BOX ? 2 : 1);
    if (g->type == CAPSULE || g->type == CYLINDER) size[1] *= 2;
    return kinds[g->type];
}

static void add_mass(const geom *g, saddle_body_inertia *sum, const saddle_pose *in_body)
{
    saddle__mjcf *m = g->view->mjcf;
    saddle_context *context = m->import->context;
    const double group = saddle__mjcf_number(g->view, "group", 0),
                 density = saddle__mjcf_number(g->view, "density", 1000);
    double mass = saddle__mjcf_number(g->view, "mass", -1), size[3];
    saddle_body_inertia inertia, both[2], composed;
    if (g->type == PLANE || g->type == HFIELD || mass == 0 || (mass < 0 && !(density > 0))) return;
    if (group < (double)m->group[0] || group > (double)m->group[1]) return;
    if (g->type == MESH) {
        refuse(g, "the mass");
        return;
    }
    if (saddle__mjcf_flag(g->view, "shellinertia", 0)) refuse(g, "shellinertia");
    const saddle_shape_kind kind = solid_of(g, size);
    saddle_status status = mass > 0
                               ? saddle_body_inertia_of_mass(context, kind, size, mass, &inertia)
                               : saddle_body_inertia_of_density(context, kind, size, density,
                                                                &inertia);
    const saddle_pose place[2] = {saddle_pose_multiply(in_body, &g->pose), saddle_pose_identity()};
    both[0] = inertia;
    both[1] = *sum;
    if (status == SADDLE_OK)
        status = saddle_body_inertia_compose(context, sum->mass > 0 ? 2 : 1, both, place,
                                             &composed);
    saddle__import_pass_on(m->import, g->view->element, status);
    if (status == SADDLE_OK) *sum = composed;
}

/* ---- shapes ---- */

static int touches(const geom *g)
{
    const double contype = saddle__mjcf_number(g->view, "contype", 1),
                 conaffinity = saddle__mjcf_number(g->view, "conaffinity", 1);
    if (g->view->mjcf->off.contact || (contype == 0 && conaffinity == 0)) return 0;
    if (contype != 1 || conaffinity != 1)
        saddle__import_find(g->view->mjcf->import, g->view->element, 1,
                            "contype and conaffinity other than both 0 or both 1");
    return 1;
}

/* Dimensions and coefficients of contacts are of pairs; values common to all geoms agree. */
static void read_friction(const geom *g, saddle__import_shape *shape)
{
    saddle__mjcf *m = g->view->mjcf;
    double friction[3] = {1, 0.005, 0.0001};
    const int condim = (int)fmax(-1, fmin(saddle__mjcf_number(g->view, "condim", 3), 9));
    saddle__mjcf_numbers(g->view, "friction", 1, 3, friction);
    if (m->condim == 0) m->condim = condim;
    if (condim != 1 && condim != 3 && condim != 4 && condim != 6)
        saddle__import_refuse(m->import, g->view->element, "condim is none of 1, 3, 4 and 6");
    if (m->condim != condim && m->condim > 0) {
        saddle__import_find(m->import, g->view->element, 1,
                            "condim %d beside %d: friction of pairs is not supported", condim,
                            m->condim);
        m->condim = -1;
    }
    shape->mu = condim > 1 || m->condim < 0 ? friction[0] : 0;
    shape->mu_torsion = condim >= 4 ? friction[1] / 2 : 0; /* of a pair: the sum */
    shape->mu_rolling = condim == 6 ? friction[2] / 2 : 0;
    if (condim >= 4) m->import->pyramid = 0; /* pyramids have neither torsion nor rolling */
    const saddle__import_shape *first = m->import->shape;
    if (shape == first || m->condim < 0 || m->mixed_friction) return;
    if (shape->mu != first->mu || shape->mu_torsion != first->mu_torsion ||
        shape->mu_rolling != first->mu_rolling) {
        saddle__import_find(m->import, g->view->element, 1,
                            "friction other than of the first geom: of a pair the geometric mean");
        m->mixed_friction = 1;
    }
}

static void add_shape(const geom *g, int64_t part, const saddle_pose *frame)
{
    static const int kinds[] = {SADDLE_TOUCH_SPHERE,
                                SADDLE_TOUCH_CAPSULE,
                                SADDLE_TOUCH_ELLIPSOID,
                                SADDLE_TOUCH_CYLINDER,
                                SADDLE_TOUCH_BOX,
                                SADDLE_TOUCH_PLANE,
                                -1,
                                -1};
    saddle__import *import = g->view->mjcf->import;
    if (kinds[g->type] < 0) {
        refuse(g, "contact");
        return;
    }
    if (g->type == PLANE && part != SADDLE__GROUND)
        saddle__import_refuse(import, g->view->element, "a plane moves");
    saddle__import_shape *shape = saddle__import_next(import, shape);
    if (!shape) return;
    shape->name = saddle__xml_attribute_of(g->view->element, "name");
    shape->part = part;
    shape->kind = (saddle_touch_kind)kinds[g->type];
    shape->pose = saddle_pose_multiply(frame, &g->pose);
    for (int k = 0; k < 3; k++) shape->size[k] = g->size[k] * (g->type == BOX ? 2 : 1);
    if (g->type == CAPSULE || g->type == CYLINDER) shape->size[1] *= 2;
    read_friction(g, shape);
}

/* A geom in a frame: its shape onto a part (frame: on the part), its mass into the sum of its body
 * (in_body: the frame in the body; sum NULL: no mass is taken from geoms). */
static void add_geom(saddle__mjcf *m, const saddle__mjcf_view *view, int64_t part,
                     const saddle_pose *frame, saddle_body_inertia *sum, const saddle_pose *in_body)
{
    geom g = {.view = view, .type = saddle__mjcf_text(view, "mesh") ? MESH : SPHERE};
    read_type(&g);
    read_sizes(&g);
    if (saddle__mjcf_is(view, "fluidshape", "ellipsoid")) refuse(&g, "fluidshape");
    if (m->import->status != SADDLE_OK) return;
    if (sum) add_mass(&g, sum, in_body);
    if (m->import->status == SADDLE_OK && touches(&g)) add_shape(&g, part, frame);
}

typedef enum joint_type { HINGE, SLIDE, BALL, FREE } joint_type;

typedef struct stacked { /* a joint of a body */
    saddle__mjcf_view view;
    joint_type type;
    double at[3], axis[3]; /* in the world */
    double ref;
    saddle__import_free free;
} stacked;

typedef struct level { /* where elements are read: a body, or a frame in the body */
    int64_t part, class;
    saddle_pose body;         /* the body on the part */
    saddle_pose frame;        /* the frame in the body */
    saddle_body_inertia *sum; /* of the body, in its axes; NULL: the world */
    int from_geoms;
} level;

/* ---- inertia ---- */

static void read_moment(const saddle__mjcf_view *view, double *moment)
{
    double six[6] = {0};
    if (saddle__mjcf_numbers(view, "fullinertia", 6, 6, six)) {
        const int place[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
        for (int i = 0; i < 9; i++) moment[i] = six[place[i]];
        return;
    }
    if (!saddle__mjcf_numbers(view, "diaginertia", 3, 3, six))
        saddle__import_refuse(view->mjcf->import, view->element, "it has no moment of inertia");
    for (int i = 0; i < 3; i++) moment[4 * i] = six[i];
}

static void read_inertial(saddle__mjcf *m, const saddle__xml_element *element,
                          saddle_body_inertia *sum)
{
    const saddle__mjcf_view view = {m, element, NULL, -1};
    saddle_body_inertia inertia = {.mass = saddle__mjcf_number(&view, "mass", 0)}, moved;
    const saddle_pose pose = read_pose(&view);
    read_moment(&view, inertia.moment);
    if (m->import->status != SADDLE_OK) return;
    saddle__import_pass_on(m->import, element,
                           saddle_body_inertia_check(m->import->context, &inertia, NULL));
    saddle_body_inertia_move(&inertia, &pose, &moved);
    *sum = moved;
}

/* ---- elements of a body ---- */

static void read_body(saddle__mjcf *m, const saddle__xml_element *element, const level *outer);

static void add_place(saddle__mjcf *m, saddle__mjcf_place **list, int64_t *capacity, int64_t *count,
                      const saddle__mjcf_place *place)
{
    saddle__mjcf_place *next = saddle__import_grow(m->import, list, capacity, count, sizeof *next);
    if (next) *next = *place;
}

static void read_site(saddle__mjcf *m, const saddle__xml_element *element, const level *in,
                      const saddle_pose *frame)
{
    const saddle__mjcf_view view = saddle__mjcf_see(m, element, "site", in->class);
    saddle_pose pose = read_pose(&view);
    double ends[6];
    if (saddle__mjcf_numbers(&view, "fromto", 6, 6, ends))
        for (int i = 0; i < 3; i++) pose.p[i] = (ends[i] + ends[3 + i]) / 2;
    pose = saddle_pose_multiply(frame, &pose);
    add_place(m, &m->site, &m->site_capacity, &m->site_count,
              &(saddle__mjcf_place){saddle__xml_attribute_of(element, "name"), in->part, pose});
}

/* A geom of the body: mass into the body's, shape onto the part. */
static void read_geom(saddle__mjcf *m, const saddle__xml_element *element, const level *in,
                      const saddle_pose *frame)
{
    const saddle__mjcf_view view = saddle__mjcf_see(m, element, "geom", in->class);
    add_geom(m, &view, in->part, frame, in->from_geoms ? in->sum : NULL, &in->frame);
}

static void read_elements(saddle__mjcf *m, const saddle__xml_element *parent, const level *in)
{
    const saddle_pose frame = saddle_pose_multiply(&in->body, &in->frame);
    for (const saddle__xml_element *child = parent->first; child; child = child->next) {
        if (m->import->status != SADDLE_OK) return;
        const int is_joint = strstr(child->name, "joint") != NULL;
        if (strcmp(child->name, "body") == 0)
            read_body(m, child, in);
        else if (strcmp(child->name, "geom") == 0)
            read_geom(m, child, in, &frame);
        else if (strcmp(child->name, "site") == 0)
            read_site(m, child, in, &frame);
        else if (is_joint && strcmp(parent->name, "frame") == 0)
            saddle__import_find(m->import, child, 1, "a joint inside a frame is not supported");
        if (strcmp(child->name, "frame") != 0) continue;
        level inner = *in;
        const char *class = saddle__xml_attribute_of(child, "childclass");
        const saddle_pose pose = read_pose(&(saddle__mjcf_view){m, child, NULL, -1});
        inner.frame = saddle_pose_multiply(&in->frame, &pose);
        if (class) inner.class = saddle__mjcf_class_of(m, child, class);
        read_elements(m, child, &inner);
    }
}

/* ---- joints ---- */

static void refuse_setting(saddle__mjcf *m, const saddle__mjcf_view *view, const char *name)
{
    if (saddle__mjcf_number(view, name, 0) > 0)
        saddle__import_find(m->import, view->element, 1, "%s of this joint is not supported", name);
}

static void read_settings(saddle__mjcf *m, stacked *joint)
{
    const saddle__mjcf_view *view = &joint->view;
    const double scale = joint->type == SLIDE ? 1 : m->degree;
    saddle__import_free *free = &joint->free;
    double damper[2] = {0};
    *free = saddle__import_free_default();
    if (saddle__mjcf_range(view, "limited", "range", scale, &free->lo, &free->hi) &&
        (m->off.limit || joint->type >= BALL)) {
        *free = saddle__import_free_default();
        if (!m->off.limit)
            saddle__import_find(m->import, view->element, 1, "a range of this type of joint");
    }
    saddle__mjcf_numbers(view, "springdamper", 2, 2, damper);
    if (damper[0] > 0 && damper[1] > 0)
        saddle__import_find(m->import, view->element, 1, "springdamper is not supported");
    if (saddle__mjcf_flag(view, "actuatorgravcomp", 0))
        saddle__import_find(m->import, view->element, 1, "actuatorgravcomp is not supported");
    if (joint->type >= BALL) {
        refuse_setting(m, view, "armature");
        if (!m->off.passive) refuse_setting(m, view, "stiffness");
        if (!m->off.passive) refuse_setting(m, view, "damping");
        if (!m->off.frictionloss) refuse_setting(m, view, "frictionloss");
        return;
    }
    joint->ref = scale * saddle__mjcf_number(view, "ref", 0);
    free->armature = saddle__mjcf_number(view, "armature", 0);
    const double rest = scale * saddle__mjcf_number(view, "springref", 0) - joint->ref;
    m->sprung |= rest != 0;
    free->lo -= joint->ref;
    free->hi -= joint->ref;
    free->friction = m->off.frictionloss ? 0 : saddle__mjcf_number(view, "frictionloss", 0);
    if (m->off.passive) return;
    free->stiffness = fmax(0, saddle__mjcf_number(view, "stiffness", 0));
    free->damping = fmax(0, saddle__mjcf_number(view, "damping", 0));
    free->load = free->stiffness * (scale * saddle__mjcf_number(view, "springref", 0) - joint->ref);
}

static void read_joint(saddle__mjcf *m, const saddle__xml_element *element, int64_t class,
                       const saddle_pose *world, stacked *joint)
{
    static const char *const types[] = {"hinge", "slide", "ball", "free"};
    const int is_free = strcmp(element->name, "freejoint") == 0;
    double at[3] = {0}, axis[3] = {0, 0, 1};
    joint->view = saddle__mjcf_see(m, element, is_free ? NULL : "joint", class);
    joint->type = is_free ? FREE : HINGE;
    const char *type = is_free ? NULL : saddle__mjcf_text(&joint->view, "type");
    for (int k = 0; type && k < 4; k++)
        if (strcmp(types[k], type) == 0) joint->type = (joint_type)k;
    if (type && strcmp(types[joint->type], type) != 0)
        saddle__import_refuse(m->import, element, "there is no type \"%.40s\"", type);
    saddle__mjcf_numbers(&joint->view, "pos", 3, 3, at);
    saddle__mjcf_numbers(&joint->view, "axis", 3, 3, axis);
    if (!(saddle__direction(axis, axis) > 0))
        saddle__import_refuse(m->import, element, "its axis is zero");
    saddle_pose_point(world, at, joint->at);
    saddle__rotate(world->R, axis, joint->axis);
    if (!is_free) read_settings(m, joint);
}

/* 1: hinges with a common point and axes normal to each other. */
static int meet(const stacked *joint, int count)
{
    for (int a = 0; a < count; a++) {
        if (joint[a].type != HINGE) return 0;
        for (int b = 0; b < a; b++) {
            const double tolerance = SADDLE__DEFINED_TOLERANCE;
            if (fabs(saddle__dot(joint[a].axis, joint[b].axis)) > tolerance) return 0;
            for (int i = 0; i < 3; i++)
                if (fabs(joint[a].at[i] - joint[b].at[i]) > tolerance) return 0;
        }
    }
    return 1;
}

/* The coordinate turned round: -q. */
static void reverse(saddle__import_free *free)
{
    const double lo = free->lo;
    free->lo = -free->hi;
    free->hi = -lo;
    free->load = -free->load;
}

/* A joint of the import for `count` joints of a body, between parts a and b. */
static void tie(saddle__mjcf *m, const stacked *joint, int count, int64_t a, int64_t b)
{
    static const saddle_joint_kind kinds[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER,
                                              SADDLE_JOINT_BALL};
    const int64_t index = m->import->joint_count;
    saddle__import_joint *made = saddle__import_next(m->import, joint);
    if (!made) return;
    made->kind = count == 1   ? kinds[joint->type]
                 : count == 2 ? SADDLE_JOINT_UNIVERSAL
                              : SADDLE_JOINT_BALL;
    made->name = saddle__xml_attribute_of(joint->view.element, "name");
    made->a = a;
    made->b = b;
    made->frees = joint->type == BALL ? 0 : count;
    memcpy(made->at, joint->at, sizeof made->at);
    memcpy(made->axis, joint->axis, sizeof made->axis);
    if (count == 2) {
        memcpy(made->x_axis, joint->axis, sizeof made->x_axis);
        saddle__cross(joint[0].axis, joint[1].axis, made->axis);
    } else if (count == 3) {
        saddle__cross(joint[1].axis, joint[0].axis, made->x_axis);
    }
    for (int k = 0; k < count; k++) {
        const int turned = k == 2 && saddle__dot(made->x_axis, joint[2].axis) < 0;
        saddle__mjcf_joint *known = saddle__import_grow(m->import, &m->joint, &m->joint_capacity,
                                                        &m->joint_count, sizeof *known);
        if (!known) return;
        *known = (saddle__mjcf_joint){.name = saddle__xml_attribute_of(joint[k].view.element,
                                                                       "name"),
                                      .joint = joint->type == BALL ? -1 : index,
                                      .coordinate = k,
                                      .sign = turned ? -1 : 1,
                                      .ref = joint[k].ref,
                                      .is_hinge = joint[k].type == HINGE};
        made->free[k] = joint[k].free;
        if (turned) reverse(&made->free[k]);
    }
}

/* The part of a body with joints, and the parts between joints. */
static int64_t add_jointed(saddle__mjcf *m, const saddle__xml_element *element, int64_t parent,
                           const saddle_pose *world, const stacked *joint, int count)
{
    saddle__import *import = m->import;
    const char *name = saddle__xml_attribute_of(element, "name");
    const int64_t part = saddle__import_part_add(import, element, name, parent, world);
    int64_t before = parent;
    for (int at = 0; at < count && import->status == SADDLE_OK;) {
        int group = count - at < 3 ? count - at : 3;
        while (group > 1 && !meet(joint + at, group)) group--;
        int64_t next = part;
        if (at + group < count) {
            const char *between = saddle__import_print(import, "%s/%d", import->part[part].name,
                                                       at + group);
            next = saddle__import_part_add(import, element, between, before, world);
            saddle__import_find(import, joint[at + group].view.element, 0,
                                "before it a part with %.0e of the body's inertia",
                                SADDLE__NEGLIGIBLE_TERM);
            if (import->status == SADDLE_OK) import->part[next].light_of = part + 1;
        }
        tie(m, joint + at, group, before, next);
        before = next;
        at += group;
    }
    return part;
}

static int64_t add_part(saddle__mjcf *m, const saddle__xml_element *element, const level *outer,
                        const saddle_pose *world, const stacked *joint, int count)
{
    saddle__import *import = m->import;
    const char *name = saddle__xml_attribute_of(element, "name");
    const int prescribed = saddle__mjcf_flag(&(saddle__mjcf_view){m, element, NULL, -1}, "mocap",
                                             0);
    int free = 0;
    for (int k = 0; k < count; k++) free += joint[k].type == FREE;
    if ((free && count > 1) || ((free || prescribed) && outer->part != SADDLE__GROUND) ||
        (prescribed && count > 0))
        saddle__import_refuse(import, element,
                              "a joint that is free, or mocap, stands alone, in a "
                              "body of the world");
    if (free) {
        saddle__mjcf_joint *known = saddle__import_grow(import, &m->joint, &m->joint_capacity,
                                                        &m->joint_count, sizeof *known);
        if (known) known->name = saddle__xml_attribute_of(joint->view.element, "name");
        if (known) known->joint = -1;
    }
    if (prescribed || free) {
        const int64_t part = saddle__import_part_add(import, element, name, SADDLE__GROUND, world);
        if (import->status == SADDLE_OK) import->part[part].prescribed = prescribed;
        return part;
    }
    return add_jointed(m, element, outer->part, world, joint, count);
}

/* ---- bodies ---- */

/* A part and its parent do not touch. */
static void keep_apart(saddle__mjcf *m, int64_t a, int64_t b)
{
    if (m->off.filterparent || a == SADDLE__GROUND || b == SADDLE__GROUND) return;
    saddle__import_pair *pair = saddle__import_next(m->import, apart);
    if (pair) *pair = (saddle__import_pair){a, b};
}

static void compensate_gravity(saddle__mjcf *m, const saddle__mjcf_view *view, const level *in)
{
    const double share = saddle__mjcf_number(view, "gravcomp", 0);
    if (share == 0 || m->off.passive || in->part == SADDLE__GROUND || !(in->sum->mass > 0)) return;
    const saddle_pose world = saddle__mjcf_world(m, in->part, &in->body);
    saddle__import_load *load = saddle__import_next(m->import, load);
    if (!load) return;
    load->part = in->part;
    saddle_pose_point(&world, in->sum->center, load->at);
    for (int i = 0; i < 3; i++) load->force[i] = -share * in->sum->mass * m->import->gravity[i];
}

static int read_joints(saddle__mjcf *m, const saddle__xml_element *element, int64_t class,
                       const saddle_pose *world, int most, stacked *joint)
{
    int count = 0;
    for (const saddle__xml_element *child = element->first; child; child = child->next) {
        if (strcmp(child->name, "joint") != 0 && strcmp(child->name, "freejoint") != 0) continue;
        if (count == most) {
            saddle__import_refuse(m->import, child, "more than %d joints of a body", most);
            return count;
        }
        read_joint(m, child, class, world, &joint[count++]);
    }
    return count;
}

static void read_body(saddle__mjcf *m, const saddle__xml_element *element, const level *outer)
{
    const saddle__mjcf_view view = {m, element, NULL, -1};
    const char *class = saddle__xml_attribute_of(element, "childclass");
    saddle_body_inertia sum = {0};
    stacked joint[6] = {{.type = HINGE}};
    level in = {.part = outer->part,
                .class = class ? saddle__mjcf_class_of(m, element, class) : outer->class,
                .frame = saddle_pose_identity(),
                .sum = &sum};
    saddle_pose pose = read_pose(&view);
    pose = saddle_pose_multiply(&outer->frame, &pose);
    in.body = saddle_pose_multiply(&outer->body, &pose);
    const saddle_pose world = saddle__mjcf_world(m, outer->part, &in.body);
    const int count = read_joints(m, element, in.class, &world, (int)(sizeof joint / sizeof *joint),
                                  joint);
    if (count > 0 || saddle__mjcf_flag(&view, "mocap", 0)) {
        in.part = add_part(m, element, outer, &world, joint, count);
        in.body = saddle_pose_identity();
        keep_apart(m, outer->part, in.part);
    }
    if (m->import->status != SADDLE_OK) return;
    add_place(m, &m->body, &m->body_capacity, &m->body_count,
              &(saddle__mjcf_place){saddle__xml_attribute_of(element, "name"), in.part, in.body});
    const saddle__xml_element *inertial = saddle__xml_child(element, "inertial");
    in.from_geoms = m->from_geom > 0 || (m->from_geom < 0 && !inertial);
    if (inertial && !in.from_geoms) read_inertial(m, inertial, &sum);
    read_elements(m, element, &in);
    if (sum.mass > 0) saddle__import_mass(m->import, in.part, element, &sum, &in.body);
    compensate_gravity(m, &view, &in);
}

void saddle__mjcf_bodies(saddle__mjcf *m, const saddle__xml_element *worldbody)
{
    const level world = {.part = SADDLE__GROUND,
                         .class = saddle__mjcf_class_of(m, worldbody, NULL),
                         .body = saddle_pose_identity(),
                         .frame = saddle_pose_identity()};
    read_elements(m, worldbody, &world);
}
