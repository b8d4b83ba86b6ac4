/* SPDX-License-Identifier: MIT */
/* The elements and attributes of MJCF: read, without effect, or not supported. */
#include <string.h>

#include "mjcf.h"

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

void saddle__mjcf_check_words(saddle__import *import, const saddle__xml_element *element)
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
        saddle__mjcf_check_words(import, child);
}
