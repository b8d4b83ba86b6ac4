/* SPDX-License-Identifier: MIT */
/* MJCF: included files, settings, defaults, and attributes seen through their defaults.  The
 * meaning of elements: MuJoCo Documentation, XML Reference (docs/references.md). */
#include "mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/scan.h"
#include "files/text.h"
#include "space/space.h"

/* ---- elements and attributes: read, without effect, or not supported ---- */

/* An element below a parent of the group `below`.  Lists of attributes, separated by blanks:
 *
 *     read     by the reader; values may be refused there
 *     idle     no mechanical effect
 *     soft     softness of constraints and the search for contacts; rows are hard here
 *
 * All others are not supported.  idle "*": nor has anything below the element an effect. */
typedef struct words {
    const char *below, *name, *read, *idle, *soft;
} words;

#define TURNED "pos quat axisangle xyaxes zaxis euler "
#define SOFT "solref solimp margin "
#define OTHER "group user "
#define DRIVE                                                                             \
    "name class joint jointinparent tendon site gear ctrllimited ctrlrange forcelimited " \
    "forcerange"

static const words table[] = {
    {"", "mujoco", "model", "", ""},
    {"mujoco", "compiler",
     "angle eulerseq autolimits inertiafromgeom inertiagrouprange coordinate boundmass "
     "boundinertia "
     "settotalmass balanceinertia",
     "strippath meshdir texturedir assetdir fusestatic usethread convexhull fitaabb "
     "exactmeshinertia saveinertial alignfree discardvisual",
     ""},
    {"mujoco", "option", "timestep gravity wind density viscosity integrator cone",
     "magnetic iterations tolerance ls_iterations ls_tolerance noslip_iterations noslip_tolerance "
     "mpr_iterations mpr_tolerance ccd_iterations ccd_tolerance sdf_iterations sdf_initpoints "
     "jacobian solver apirate collision",
     "impratio o_margin o_solref o_solimp o_friction"},
    {"option", "flag",
     "constraint equality frictionloss limit contact passive gravity filterparent actuation "
     "override",
     "clampctrl warmstart refsafe sensor midphase nativeccd eulerdamp autoreset energy fwdinv "
     "invdiscrete sensornoise multiccd island",
     ""},
    {"mujoco", "size", "", "*", ""},
    {"mujoco", "visual", "", "*", ""},
    {"mujoco", "statistic", "", "*", ""},
    {"mujoco", "asset", "", "*", ""},
    {"mujoco", "custom", "", "*", ""},
    {"mujoco", "sensor", "", "*", ""},
    {"mujoco", "keyframe", "", "*", ""},
    {"mujoco", "default", "class", "", ""},
    {"default", "default", "class", "", ""},
    {"default", "mesh", "", "*", ""},
    {"default", "material", "", "*", ""},
    {"mujoco", "worldbody", "", "", ""},
    {"body", "body", TURNED "name childclass mocap gravcomp", "user", ""},
    {"body", "frame", TURNED "name childclass", "", ""},
    {"body", "inertial", TURNED "mass diaginertia fullinertia", "", ""},
    {"body", "joint",
     "name class type pos axis range limited stiffness damping springref ref frictionloss armature "
     "springdamper actuatorgravcomp actuatorfrcrange actuatorfrclimited",
     OTHER, "margin solreflimit solimplimit solreffriction solimpfriction"},
    {"body", "freejoint", "name", "group align", ""},
    {"body", "geom",
     TURNED "name class type size fromto mass density contype conaffinity condim friction "
            "shellinertia fluidshape mesh hfield fitscale group",
     "material rgba user", SOFT "gap solmix priority"},
    {"body", "site", TURNED "name class fromto", "type size material rgba " OTHER, ""},
    {"body", "camera", "", "*", ""},
    {"body", "light", "", "*", ""},
    {"mujoco", "contact", "", "", ""},
    {"contact", "exclude", "name body1 body2", "", ""},
    {"mujoco", "equality", "", "", ""},
    {"equality", "connect", "name class active body1 body2 anchor", "", SOFT},
    {"equality", "weld", "name class active body1 body2 relpose anchor", "", SOFT "torquescale"},
    {"equality", "joint", "name class active joint1 joint2 polycoef", "", SOFT},
    {"default", "equality", "active", "", SOFT},
    {"mujoco", "tendon", "", "", ""},
    {"tendon", "spatial", "name class limited range stiffness damping springlength frictionloss",
     "width material rgba " OTHER, SOFT "solreflimit solimplimit solreffriction solimpfriction"},
    {"default", "tendon", "limited range stiffness damping springlength frictionloss",
     "width material rgba " OTHER, SOFT "solreflimit solimplimit solreffriction solimpfriction"},
    {"spatial", "site", "site", "", ""},
    {"tendon", "fixed", "name class limited range stiffness damping springlength frictionloss",
     OTHER, SOFT "solreflimit solimplimit solreffriction solimpfriction"},
    {"fixed", "joint", "joint coef", "", ""},
    {"mujoco", "actuator", "", "", ""},
    {"actuator", "motor", DRIVE, OTHER, ""},
    {"actuator", "position", DRIVE " kp kv", OTHER, ""},
    {"actuator", "velocity", DRIVE " kv", OTHER, ""},
    {"actuator", "general", DRIVE " dyntype gaintype biastype gainprm biasprm", OTHER, ""},
};

#undef TURNED
#undef SOFT
#undef OTHER
#undef DRIVE

static int listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; *at; at += strspn(at, " ")) {
        const size_t size = strcspn(at, " ");
        if (size == length && strncmp(at, name, length) == 0) return 1;
        at += size;
    }
    return 0;
}

static const words *find(const char *below, const char *name)
{
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].below, below) == 0 && strcmp(table[k].name, name) == 0)
            return &table[k];
    return NULL;
}

/* The words of an element; an element of <default> has the words of its namesake. */
static const words *find_words(const saddle__xml_element *element)
{
    static const char *const groups[] = {"body", "actuator"};
    const char *below = !element->parent ? "" : element->parent->name;
    if (strcmp(below, "worldbody") == 0 || strcmp(below, "frame") == 0) below = "body";
    const words *known = find(below, element->name);
    for (size_t k = 0; !known && strcmp(below, "default") == 0 && k < 2; k++)
        known = find(groups[k], element->name);
    return known;
}

/* Findings for everything unsupported in an element and below. */
static void check_words(saddle__import *import, const saddle__xml_element *element)
{
    const words *known = find_words(element);
    if (!known) {
        saddle__import_find(import, element, 1, "not supported");
        return;
    }
    if (strcmp(known->idle, "*") == 0) {
        saddle__import_find(import, element, 0, "without mechanical effect");
        return;
    }
    for (int64_t k = 0; k < element->attributes; k++) {
        const char *name = element->attribute[k].name;
        if (listed(known->read, name) || listed(known->idle, name)) continue;
        if (listed(known->soft, name))
            saddle__import_find(import, element, 0, "%.60s is not used: constraints are hard",
                                name);
        else
            saddle__import_find(import, element, 1, "%.60s=\"%.60s\" is not supported", name,
                                element->attribute[k].value);
    }
    for (const saddle__xml_element *child = element->first; child; child = child->next)
        check_words(import, child);
}

/* ---- included files ---- */

typedef struct file_list {
    saddle__import *import;
    SADDLE__LIST(const char *, file); /* each may be included once */
} file_list;

static void remember_file(file_list *files, const char *file)
{
    saddle__import *import = files->import;
    const char **next = saddle__import_grow(import, &files->file, &files->file_capacity,
                                            &files->file_count, sizeof *files->file);
    if (next) *next = file;
}

/* 1: relative, without a part ".." */
static int stays_below(const char *file)
{
    for (const char *part = file; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0')) return 0;
    }
    return file[0] != '/';
}

/* The root of an included file; NULL after a failure. */
static saddle__xml_element *included(file_list *files, const saddle__xml_element *element)
{
    saddle__import *import = files->import;
    const char *file = saddle__xml_attribute_of(element, "file");
    saddle__xml_element *root = NULL;
    saddle__scan scan = {0};
    if (!file || !import->folder || !stays_below(file)) {
        saddle__import_refuse(import, element,
                              !file             ? "\"file\" is missing"
                              : !import->folder ? "no file may be included here"
                                                : "the file is outside the model's folder");
        return NULL;
    }
    const char *path = saddle__import_print(import, "%s/%s", import->folder, file);
    for (int64_t k = 0; k < files->file_count; k++)
        if (import->status == SADDLE_OK && strcmp(files->file[k], path) == 0)
            saddle__import_refuse(import, element, "%.200s is included twice", file);
    remember_file(files, path);
    if (import->status == SADDLE_OK)
        saddle__import_stop(import, saddle__scan_open(import->context, path, &scan));
    if (import->status == SADDLE_OK)
        saddle__import_stop(import, saddle__xml_read(&import->xml, scan.begin,
                                                     scan.end - scan.begin, path, &root));
    saddle__scan_close(&scan);
    return root;
}

static void set_depth(saddle__import *import, saddle__xml_element *element,
                      saddle__xml_element *parent)
{
    if (parent->depth == UINT8_MAX)
        saddle__import_refuse(import, element, "elements are nested too deep");
    if (import->status != SADDLE_OK) return;
    element->parent = parent;
    element->depth = (uint8_t)(parent->depth + 1);
    for (saddle__xml_element *child = element->first; child; child = child->next)
        set_depth(import, child, element);
}

/* Replaces each <include> below an element by the content of the file. */
static void include_files(file_list *files, saddle__xml_element *parent)
{
    saddle__xml_element **link = &parent->first;
    while (*link && files->import->status == SADDLE_OK) {
        saddle__xml_element *element = *link;
        if (strcmp(element->name, "include") != 0) {
            include_files(files, element);
            parent->last = element;
            link = &element->next;
            continue;
        }
        saddle__xml_element *root = included(files, element);
        if (!root) return;
        for (saddle__xml_element *child = root->first; child; child = child->next)
            set_depth(files->import, child, parent);
        if (root->first) root->last->next = element->next;
        *link = root->first ? root->first : element->next;
    }
}

/* ---- defaults ---- */

static void add_class(saddle__mjcf *m, const saddle__xml_element *element, int64_t parent)
{
    const char *name = saddle__xml_attribute_of(element, "class");
    const int64_t index = m->class_count;
    saddle__mjcf_class *class = saddle__import_grow(m->import, &m->class, &m->class_capacity,
                                                    &m->class_count, sizeof *m->class);
    if (!class) return;
    *class = (saddle__mjcf_class){name ? name : "main", parent, element};
    if (!name && parent >= 0 && element->parent != m->root)
        saddle__import_refuse(m->import, element, "\"class\" is missing");
    for (const saddle__xml_element *child = element->first; child; child = child->next)
        if (strcmp(child->name, "default") == 0) add_class(m, child, index);
}

int64_t saddle__mjcf_class_of(saddle__mjcf *m, const saddle__xml_element *element, const char *name)
{
    if (!name) return m->main_class;
    for (int64_t k = m->class_count - 1; k >= 0; k--)
        if (strcmp(m->class[k].name, name) == 0) return k;
    saddle__import_refuse(m->import, element, "there is no class \"%.80s\"", name);
    return -1;
}

saddle__mjcf_view saddle__mjcf_see(saddle__mjcf *m, const saddle__xml_element *element,
                                   const char *tag, int64_t inherited)
{
    const char *own = saddle__xml_attribute_of(element, "class");
    return (saddle__mjcf_view){m, element, tag,
                               own ? saddle__mjcf_class_of(m, element, own) : inherited};
}

/* ---- attributes ---- */

const char *saddle__mjcf_text(const saddle__mjcf_view *view, const char *name)
{
    const char *found = saddle__xml_attribute_of(view->element, name);
    int64_t class = view->tag ? view->class : -1;
    while (!found && class >= 0) {
        const saddle__mjcf_class *at = &view->mjcf->class[class];
        for (const saddle__xml_element *child = at->element->first; child; child = child->next) {
            if (strcmp(child->name, view->tag) != 0) continue;
            const char *text = saddle__xml_attribute_of(child, name);
            found = text ? text : found;
        }
        class = at->parent;
    }
    return found;
}

int saddle__mjcf_numbers(const saddle__mjcf_view *view, const char *name, int least, int most,
                         double *value)
{
    const char *text = saddle__mjcf_text(view, name);
    if (!text) return 0;
    return saddle__import_numbers(view->mjcf->import, view->element, name, text, least, most,
                                  value);
}

int saddle__mjcf_flag(const saddle__mjcf_view *view, const char *name, int fallback)
{
    const char *text = saddle__mjcf_text(view, name);
    if (!text || strcmp(text, "auto") == 0) return fallback;
    if (strcmp(text, "true") == 0 || strcmp(text, "enable") == 0) return 1;
    if (strcmp(text, "false") != 0 && strcmp(text, "disable") != 0)
        saddle__import_refuse(view->mjcf->import, view->element,
                              "%.40s=\"%.40s\" is neither true nor false", name, text);
    return 0;
}

int saddle__mjcf_range(const saddle__mjcf_view *view, const char *limited, const char *range,
                       double scale, double *lo, double *hi)
{
    double value[2] = {0};
    const int given = saddle__mjcf_numbers(view, range, 2, 2, value) == 2;
    if (!saddle__mjcf_flag(view, limited, view->mjcf->autolimits && given)) return 0;
    if (!given || !(value[0] < value[1]))
        saddle__import_refuse(view->mjcf->import, view->element, "%.40s is no range", range);
    *lo = scale * value[0];
    *hi = scale * value[1];
    return 1;
}

/* ---- settings ---- */

static void read_order(saddle__mjcf *m, const saddle__mjcf_view *view)
{
    const char *order = saddle__mjcf_text(view, "eulerseq");
    if (!order) return;
    if (strlen(order) != 3 || strspn(order, "xyzXYZ") != 3)
        saddle__import_refuse(m->import, view->element, "eulerseq is not three of x, y and z");
    else
        memcpy(m->order, order, 4);
}

static void refuse_unless(saddle__mjcf *m, const saddle__mjcf_view *view, const char *name,
                          const char *word)
{
    const char *text = saddle__mjcf_text(view, name);
    if (text && strcmp(text, word) != 0)
        saddle__import_find(m->import, view->element, 1, "%s=\"%.40s\" is not supported", name,
                            text);
}

static void refuse_positive(saddle__mjcf *m, const saddle__mjcf_view *view, const char *name)
{
    if (saddle__mjcf_number(view, name, 0) > 0)
        saddle__import_find(m->import, view->element, 1, "%s above 0 is not supported", name);
}

static void read_compiler(saddle__mjcf *m, const saddle__mjcf_view *view)
{
    double group[2] = {(double)m->group[0], (double)m->group[1]};
    const char *angle = saddle__mjcf_text(view, "angle");
    if (angle) m->degree = strcmp(angle, "radian") == 0 ? 1 : acos(-1) / 180;
    if (angle && strcmp(angle, "radian") != 0 && strcmp(angle, "degree") != 0)
        saddle__import_refuse(m->import, view->element, "angle is neither degree nor radian");
    read_order(m, view);
    m->autolimits = saddle__mjcf_flag(view, "autolimits", m->autolimits);
    m->from_geom = saddle__mjcf_flag(view, "inertiafromgeom", m->from_geom);
    if (saddle__mjcf_is(view, "inertiafromgeom", "auto")) m->from_geom = -1;
    saddle__mjcf_numbers(view, "inertiagrouprange", 2, 2, group);
    for (int k = 0; k < 2; k++) m->group[k] = (int64_t)fmax(-1, fmin(group[k], INT32_MAX));
    refuse_unless(m, view, "coordinate", "local");
    refuse_unless(m, view, "balanceinertia", "false");
    refuse_positive(m, view, "boundmass");
    refuse_positive(m, view, "boundinertia");
    refuse_positive(m, view, "settotalmass");
}

static void read_flags(saddle__mjcf *m, const saddle__mjcf_view *view)
{
    const struct {
        const char *name;
        int *off;
    } flags[] = {{"equality", &m->off.equality},
                 {"frictionloss", &m->off.frictionloss},
                 {"limit", &m->off.limit},
                 {"contact", &m->off.contact},
                 {"passive", &m->off.passive},
                 {"actuation", &m->off.actuation},
                 {"filterparent", &m->off.filterparent},
                 {"constraint", NULL}};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        const int off = !saddle__mjcf_flag(view, flags[k].name, 1);
        if (flags[k].off) *flags[k].off |= off;
        for (int i = 0; off && !flags[k].off && i < 4; i++) *flags[i].off = 1;
    }
    if (!saddle__mjcf_flag(view, "gravity", 1))
        memset(m->import->gravity, 0, sizeof m->import->gravity);
    refuse_unless(m, view, "override", "disable");
}

static void read_option(saddle__mjcf *m, const saddle__mjcf_view *view)
{
    double wind[3] = {0};
    const char *cone = saddle__mjcf_text(view, "cone");
    if (cone) m->import->pyramid = strcmp(cone, "elliptic") != 0;
    m->import->time_step = saddle__mjcf_number(view, "timestep", m->import->time_step);
    saddle__mjcf_numbers(view, "gravity", 3, 3, m->import->gravity);
    saddle__mjcf_numbers(view, "wind", 3, 3, wind);
    if (saddle__dot(wind, wind) > 0)
        saddle__import_find(m->import, view->element, 1, "wind is not supported");
    refuse_positive(m, view, "density");
    refuse_positive(m, view, "viscosity");
    if (saddle__mjcf_text(view, "integrator"))
        saddle__import_find(m->import, view->element, 0,
                            "the scene's integrator is implicit-euler");
}

static void read_settings(saddle__mjcf *m)
{
    for (const saddle__xml_element *child = m->root->first; child; child = child->next) {
        const saddle__mjcf_view view = {m, child, NULL, -1};
        if (strcmp(child->name, "compiler") == 0) read_compiler(m, &view);
        if (strcmp(child->name, "option") == 0) read_option(m, &view);
        if (strcmp(child->name, "default") != 0) continue;
        const int64_t index = m->class_count;
        add_class(m, child, m->main_class);
        m->main_class = index;
    }
    for (const saddle__xml_element *child = m->root->first; child; child = child->next)
        for (const saddle__xml_element *flag = child->first; flag; flag = flag->next)
            if (strcmp(child->name, "option") == 0 && strcmp(flag->name, "flag") == 0)
                read_flags(m, &(saddle__mjcf_view){m, flag, NULL, -1});
}

/* ---- the model ---- */

void saddle__import_mjcf(saddle__import *import, saddle__xml_element *root)
{
    saddle__mjcf m = {.import = import,
                      .root = root,
                      .degree = acos(-1) / 180,
                      .order = "xyz",
                      .main_class = -1,
                      .autolimits = 1,
                      .from_geom = -1,
                      .group = {0, 5}};
    file_list files = {.import = import};
    import->gravity[2] = -9.81;
    import->time_step = 0.002;
    import->pyramid = 1;
    import->name = saddle__xml_attribute_of(root, "model");
    remember_file(&files, root->file);
    include_files(&files, root);
    saddle_release(import->context, files.file);
    if (import->status == SADDLE_OK) check_words(import, root);
    if (import->status == SADDLE_OK) read_settings(&m);
    for (const saddle__xml_element *child = root->first; child; child = child->next)
        if (import->status == SADDLE_OK && strcmp(child->name, "worldbody") == 0)
            saddle__mjcf_bodies(&m, child);
    if (import->status == SADDLE_OK) saddle__mjcf_ties(&m);
    saddle__release_all(import->context, m.class, m.body, m.site, m.joint);
}
