/* SPDX-License-Identifier: MIT */
/* MJCF: geoms, as mass of bodies and as shapes for contact. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "mjcf.h"
#include "space/space.h"

typedef enum geom_type { SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, PLANE, HFIELD, MESH } geom_type;

static const char *const types[] = {"sphere", "capsule", "ellipsoid", "cylinder",
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
                        what, types[g->type]);
}

/* ---- type and sizes ---- */

static void read_type(geom *g)
{
    const char *type = saddle__mjcf_text(g->view, "type");
    for (int k = 0; type && k <= MESH; k++)
        if (strcmp(types[k], type) == 0) g->type = (geom_type)k;
    if (type && strcmp(types[g->type], type) != 0)
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
    saddle__import_along(along, g->pose.R);
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
    g->pose = saddle__mjcf_pose(g->view);
    if (stretched && (g->type == SPHERE || g->type > BOX))
        saddle__import_refuse(import, g->view->element, "fromto is not of a %s", types[g->type]);
    else if (stretched)
        stretch(g, ends);
    const int numbers = needed[g->type];
    if (numbers > 0 && given < (stretched ? 1 : numbers))
        saddle__import_refuse(import, g->view->element, "size of a %s needs %d numbers",
                              types[g->type], stretched ? 1 : numbers);
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

void saddle__mjcf_geom(saddle__mjcf *m, const saddle__mjcf_view *view, int64_t part,
                       const saddle_pose *frame, saddle_body_inertia *sum,
                       const saddle_pose *in_body)
{
    geom g = {.view = view, .type = saddle__mjcf_text(view, "mesh") ? MESH : SPHERE};
    read_type(&g);
    read_sizes(&g);
    if (saddle__mjcf_is(view, "fluidshape", "ellipsoid")) refuse(&g, "fluidshape");
    if (m->import->status != SADDLE_OK) return;
    if (sum) add_mass(&g, sum, in_body);
    if (m->import->status == SADDLE_OK && touches(&g)) add_shape(&g, part, frame);
}
