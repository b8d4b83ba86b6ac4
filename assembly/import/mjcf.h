/* SPDX-License-Identifier: MIT */
/* Reading MJCF, the XML format of MuJoCo: its settings, defaults and names. */
#ifndef SADDLE_ASSEMBLY_MJCF_H
#define SADDLE_ASSEMBLY_MJCF_H

#include <string.h>

#include "import_internal.h"

typedef struct saddle__mjcf_class {
    const char *name;
    int64_t parent; /* index, -1 = none */
    const saddle__xml_element *element;
} saddle__mjcf_class;

/* The place of a body or a site, on a part or in the world. */
typedef struct saddle__mjcf_place {
    const char *name; /* NULL = none */
    int64_t part;
    saddle_pose pose; /* in the part, or in the world */
} saddle__mjcf_place;

/* A joint: a coordinate of a joint of the import, sign * (q - ref). */
typedef struct saddle__mjcf_joint {
    const char *name;
    int64_t joint; /* -1: a free joint, without coordinates */
    int coordinate;
    double sign, ref;
    int is_hinge;
} saddle__mjcf_joint;

/* Switched off by flags of <option>. */
typedef struct saddle__mjcf_off {
    int equality, frictionloss, limit, contact, passive, actuation, filterparent;
} saddle__mjcf_off;

typedef struct saddle__mjcf {
    saddle__import *import;
    const saddle__xml_element *root;
    double degree;             /* of the file's angles [rad] */
    char order[4];             /* of Euler angles */
    int autolimits, from_geom; /* 1: always, 0: never, -1: where there is no <inertial> */
    int64_t group[2];          /* of the geoms with mass */
    saddle__mjcf_off off;
    int condim;         /* of the geoms that collide; 0 = none yet, -1 = several */
    int mixed_friction; /* 1: several coefficients, and a finding says so */
    int64_t main_class; /* -1 = none */
    int sprung;         /* 1: springs of joints rest elsewhere than where the model begins */
    SADDLE__LIST(saddle__mjcf_class, class);
    SADDLE__LIST(saddle__mjcf_place, body);
    SADDLE__LIST(saddle__mjcf_place, site);
    SADDLE__LIST(saddle__mjcf_joint, joint);
} saddle__mjcf;

/* An element and its defaults. */
typedef struct saddle__mjcf_view {
    saddle__mjcf *mjcf;
    const saddle__xml_element *element;
    const char *tag; /* of the defaults; NULL = none */
    int64_t class;
} saddle__mjcf_view;

/* The view of an element, with its own class or the inherited class. */
saddle__mjcf_view saddle__mjcf_see(saddle__mjcf *mjcf, const saddle__xml_element *element,
                                   const char *tag, int64_t inherited);

/* Index of a class; of the outermost defaults for NULL, -1 without any. */
int64_t saddle__mjcf_class_of(saddle__mjcf *mjcf, const saddle__xml_element *element,
                              const char *name);

/* The text of an attribute, of the element or the defaults; NULL = not given. */
const char *saddle__mjcf_text(const saddle__mjcf_view *view, const char *name);

/* Numbers of an attribute into value; returns how many, 0 = not given. */
int saddle__mjcf_numbers(const saddle__mjcf_view *view, const char *name, int least, int most,
                         double *value);
static inline double saddle__mjcf_number(const saddle__mjcf_view *view, const char *name,
                                         double fallback)
{
    double value = fallback;
    saddle__mjcf_numbers(view, name, 1, 1, &value);
    return value;
}

/* 1 for "true" or "enable", 0 for "false" or "disable", fallback for "auto" or not given. */
int saddle__mjcf_flag(const saddle__mjcf_view *view, const char *name, int fallback);

/* 1: the attribute equals the word. */
static inline int saddle__mjcf_is(const saddle__mjcf_view *view, const char *name, const char *word)
{
    const char *text = saddle__mjcf_text(view, name);
    return text && strcmp(text, word) == 0;
}

/* Whether "limited" by "range", and the range in lo, hi. */
int saddle__mjcf_range(const saddle__mjcf_view *view, const char *limited, const char *range,
                       double scale, double *lo, double *hi);

/* The world pose of a pose on a part. */
static inline saddle_pose saddle__mjcf_world(const saddle__mjcf *m, int64_t part,
                                             const saddle_pose *pose)
{
    return part == SADDLE__GROUND ? *pose : saddle_pose_multiply(&m->import->part[part].pose, pose);
}

/* ---- the sections ---- */

void saddle__mjcf_bodies(saddle__mjcf *mjcf, const saddle__xml_element *worldbody);

void saddle__mjcf_ties(saddle__mjcf *mjcf);

#endif
