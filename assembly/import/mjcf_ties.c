/* SPDX-License-Identifier: MIT */
/* MJCF: equality constraints, excluded contacts, tendons and actuators.
 *
 * Controls are inputs and not part of a file: all are 0.  Then a motor
 * exerts no force, and the affine law of an actuator, b0 + b1 l + b2 dl/dt on the transmission's
 * length l = gear q, is a spring of the joint. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "mjcf.h"
#include "space/space.h"

/* ---- names ---- */

/* An unknown name: an error, or a finding where an element was left out before.
 */
static void miss(const saddle__mjcf_view *view, const char *what, const char *name)
{
    saddle__import *import = view->mjcf->import;
    if (import->result->unsupported > 0)
        saddle__import_find(import, view->element, 1, "there is no %s \"%.80s\"", what,
                            name ? name : "");
    else
        saddle__import_refuse(import, view->element, "there is no %s \"%.80s\"", what,
                              name ? name : "");
}

static const saddle__mjcf_place *find_place(const saddle__mjcf_view *view,
                                            const saddle__mjcf_place *list, int64_t count,
                                            const char *name, const char *what)
{
    for (int64_t k = 0; name && k < count; k++)
        if (list[k].name && strcmp(list[k].name, name) == 0) return &list[k];
    miss(view, what, name);
    return NULL;
}

static int find_body(const saddle__mjcf_view *view, const char *attribute, saddle__mjcf_place *body)
{
    const saddle__mjcf *m = view->mjcf;
    const char *name = saddle__mjcf_text(view, attribute);
    *body = (saddle__mjcf_place){.part = SADDLE__GROUND, .pose = saddle_pose_identity()};
    if (!name && strcmp(attribute, "body2") == 0) return 1;
    if (name && strcmp(name, "world") == 0) return 1;
    const saddle__mjcf_place *found = find_place(view, m->body, m->body_count, name, "body");
    if (found) *body = *found;
    return found != NULL;
}

static const saddle__mjcf_joint *find_joint(const saddle__mjcf_view *view, const char *attribute)
{
    const saddle__mjcf *m = view->mjcf;
    const char *name = saddle__mjcf_text(view, attribute);
    for (int64_t k = 0; name && k < m->joint_count; k++)
        if (m->joint[k].name && strcmp(m->joint[k].name, name) == 0) return &m->joint[k];
    miss(view, "joint", name);
    return NULL;
}

static void refuse(const saddle__mjcf_view *view, const char *what)
{
    saddle__import_find(view->mjcf->import, view->element, 1, "%s is not supported", what);
}

/* ---- gears ---- */

/* Opens a gear; its terms follow. */
static saddle__import_gear *begin_gear(const saddle__mjcf_view *view)
{
    saddle__import *import = view->mjcf->import;
    saddle__import_gear *gear = saddle__import_next(import, gear);
    if (!gear) return NULL;
    gear->name = saddle__mjcf_text(view, "name");
    gear->first = import->term_count;
    return gear;
}

/* Adds factor (q - ref) of a joint to the last gear; *shift: factor ref. */
static void add_term(const saddle__mjcf_view *view, const char *attribute, double factor,
                     double *shift)
{
    saddle__import *import = view->mjcf->import;
    const saddle__mjcf_joint *joint = find_joint(view, attribute);
    *shift = 0;
    if (joint && joint->joint < 0) refuse(view, "this type of joint");
    if (!joint || joint->joint < 0) return;
    saddle__import_term *term = saddle__import_next(import, term);
    if (!term) return;
    *term = (saddle__import_term){joint->joint, joint->coordinate, joint->sign * factor};
    import->joint[joint->joint].geared = 1;
    import->gear[import->gear_count - 1].count++;
    *shift = factor * joint->ref;
}

/* Drops a gear some of whose terms were refused. */
static void end_gear(const saddle__mjcf_view *view, int64_t terms)
{
    saddle__import *import = view->mjcf->import;
    if (import->status == SADDLE_OK && import->gear[import->gear_count - 1].count < terms)
        import->gear_count--;
}

/* q1 - ref1 = a0 + a1 (q2 - ref2) */
static void couple(const saddle__mjcf_view *view)
{
    const int both = saddle__mjcf_text(view, "joint2") != NULL;
    double poly[5] = {0, 1, 0, 0, 0}, shift;
    saddle__mjcf_numbers(view, "polycoef", 5, 5, poly);
    if (both && (poly[2] != 0 || poly[3] != 0 || poly[4] != 0)) refuse(view, "this polycoef");
    saddle__import_gear *gear = begin_gear(view);
    if (!gear) return;
    gear->bounds[0] = gear->bounds[1] = poly[0];
    add_term(view, "joint1", 1, &shift);
    if (both) add_term(view, "joint2", -poly[1], &shift);
    end_gear(view, 1 + both);
}

/* lo <= sum coef q <= hi */
static void limit_sum(const saddle__mjcf_view *view, double lo, double hi)
{
    saddle__import *import = view->mjcf->import;
    int64_t terms = 0;
    if (!begin_gear(view)) return;
    for (const saddle__xml_element *child = view->element->first; child; child = child->next) {
        const saddle__mjcf_view of = {view->mjcf, child, NULL, -1};
        double shift;
        add_term(&of, "joint", saddle__mjcf_number(&of, "coef", 1), &shift);
        lo -= shift;
        hi -= shift;
        terms++;
    }
    if (import->status != SADDLE_OK) return;
    import->gear[import->gear_count - 1].bounds[0] = lo;
    import->gear[import->gear_count - 1].bounds[1] = hi;
    if (terms == 0) saddle__import_refuse(import, view->element, "a tendon without joints");
    end_gear(view, terms);
}

/* ---- equality ---- */

static void hold(const saddle__mjcf_view *view, saddle_joint_kind kind)
{
    saddle__mjcf *m = view->mjcf;
    saddle__mjcf_place a, b;
    double anchor[3] = {0};
    if (!find_body(view, "body1", &a) || !find_body(view, "body2", &b)) return;
    if (a.part == b.part) {
        saddle__import_find(m->import, view->element, 0, "both ends are on one part");
        return;
    }
    if (kind == SADDLE_JOINT_BALL && !saddle__mjcf_numbers(view, "anchor", 3, 3, anchor))
        saddle__import_refuse(m->import, view->element, "anchor is missing");
    if (saddle__mjcf_text(view, "relpose")) refuse(view, "relpose");
    const saddle_pose world = saddle__mjcf_world(m, a.part, &a.pose);
    saddle__import_joint *joint = saddle__import_next(m->import, joint);
    if (!joint) return;
    joint->kind = kind;
    joint->name = saddle__mjcf_text(view, "name");
    joint->a = a.part;
    joint->b = b.part;
    joint->axis[2] = 1;
    saddle_pose_point(&world, anchor, joint->at);
}

static void read_equality(saddle__mjcf *m, const saddle__xml_element *element)
{
    const saddle__mjcf_view view = saddle__mjcf_see(m, element, "equality",
                                                    saddle__mjcf_class_of(m, element, NULL));
    if (m->off.equality || !saddle__mjcf_flag(&view, "active", 1)) return;
    if (strcmp(element->name, "connect") == 0)
        hold(&view, SADDLE_JOINT_BALL);
    else if (strcmp(element->name, "weld") == 0)
        hold(&view, SADDLE_JOINT_FIXED);
    else if (strcmp(element->name, "joint") == 0)
        couple(&view);
}

/* ---- contact ---- */

static int bodies_of(const saddle__mjcf *m, int64_t part)
{
    int count = 0;
    for (int64_t k = 0; k < m->body_count; k++) count += m->body[k].part == part;
    return count;
}

static void exclude(saddle__mjcf *m, const saddle__xml_element *element)
{
    const saddle__mjcf_view view = {m, element, NULL, -1};
    saddle__mjcf_place a, b;
    if (!find_body(&view, "body1", &a) || !find_body(&view, "body2", &b) || a.part == b.part)
        return;
    if (bodies_of(m, a.part) > 1 || bodies_of(m, b.part) > 1) {
        refuse(&view, "to exclude one of several bodies without a joint between them");
        return;
    }
    saddle__import_pair *pair = saddle__import_next(m->import, apart);
    if (pair) *pair = (saddle__import_pair){a.part, b.part};
}

/* ---- tendons ---- */

/* The two sites of a straight tendon; 0: other elements, or more. */
static int find_ends(const saddle__mjcf_view *view, const saddle__mjcf_place *end[2])
{
    const saddle__mjcf *m = view->mjcf;
    int count = 0;
    for (const saddle__xml_element *child = view->element->first; child; child = child->next) {
        if (count == 2 || strcmp(child->name, "site") != 0) return 0;
        const saddle__mjcf_view site = {view->mjcf, child, NULL, -1};
        end[count] = find_place(&site, m->site, m->site_count, saddle__mjcf_text(&site, "site"),
                                "site");
        if (!end[count++]) return 0;
    }
    return count == 2;
}

static saddle__import_line *add_line(const saddle__mjcf_view *view,
                                     const saddle__mjcf_place *const end[2])
{
    saddle__mjcf *m = view->mjcf;
    saddle__import_line *line = saddle__import_next(m->import, line);
    if (!line) return NULL;
    line->name = saddle__mjcf_text(view, "name");
    for (int k = 0; k < 2; k++) {
        const saddle_pose world = saddle__mjcf_world(m, end[k]->part, &end[k]->pose);
        line->part[k] = end[k]->part;
        memcpy(line->point[k], world.p, sizeof line->point[k]);
    }
    return line;
}

static void read_tendon(saddle__mjcf *m, const saddle__xml_element *element)
{
    const saddle__mjcf_view view = saddle__mjcf_see(m, element, "tendon",
                                                    saddle__mjcf_class_of(m, element, NULL));
    const saddle__mjcf_place *end[2] = {NULL};
    double lo = 0, hi = 0, rest[2] = {-1, -1};
    const int limited = saddle__mjcf_range(&view, "limited", "range", 1, &lo, &hi) && !m->off.limit;
    const double stiffness = m->off.passive ? 0 : saddle__mjcf_number(&view, "stiffness", 0),
                 damping = m->off.passive ? 0 : saddle__mjcf_number(&view, "damping", 0);
    if (!m->off.frictionloss && saddle__mjcf_number(&view, "frictionloss", 0) > 0)
        refuse(&view, "frictionloss");
    if (!limited && !(stiffness > 0) && !(damping > 0)) return;
    if (strcmp(element->name, "fixed") == 0) {
        if (stiffness > 0 || damping > 0) refuse(&view, "a spring of a fixed tendon");
        if (limited) limit_sum(&view, lo, hi);
        return;
    }
    if (!find_ends(&view, end)) {
        refuse(&view, "a tendon that is not straight between two sites");
        return;
    }
    if (limited && lo > 0) refuse(&view, "a least length");
    if (saddle__mjcf_numbers(&view, "springlength", 1, 2, rest) == 2 && rest[0] != rest[1])
        refuse(&view, "a springlength of two numbers");
    if (stiffness > 0 && rest[0] < 0 && m->sprung)
        refuse(&view, "a rest length where the springs of joints rest");
    if (end[0]->part == end[1]->part) return;
    for (int rope = 0; rope < 2; rope++) {
        if (rope ? !limited : !(stiffness > 0) && !(damping > 0)) continue;
        saddle__import_line *line = add_line(&view, end);
        if (!line) return;
        double d[3];
        for (int i = 0; i < 3; i++) d[i] = line->point[1][i] - line->point[0][i];
        line->rope = rope;
        line->length = rope ? hi : rest[0] < 0 ? sqrt(saddle__dot(d, d)) : rest[0];
        line->stiffness = stiffness;
        line->damping = damping;
    }
}

/* ---- actuators ---- */

/* b0, b1, b2 of the force b0 + b1 l + b2 dl/dt. */
static void read_law(const saddle__mjcf_view *view, double law[3])
{
    const char *kind = view->element->name;
    double bias[10] = {0};
    if (strcmp(kind, "position") == 0) {
        law[1] = -saddle__mjcf_number(view, "kp", 1);
        law[2] = -saddle__mjcf_number(view, "kv", 0);
    } else if (strcmp(kind, "velocity") == 0) {
        law[2] = -saddle__mjcf_number(view, "kv", 1);
    } else if (strcmp(kind, "general") == 0) {
        if (saddle__mjcf_is(view, "gaintype", "muscle") ||
            saddle__mjcf_is(view, "biastype", "muscle"))
            refuse(view, "a muscle");
        saddle__mjcf_numbers(view, "biasprm", 1, 10, bias);
        if (saddle__mjcf_is(view, "biastype", "affine")) memcpy(law, bias, 3 * sizeof *law);
    }
}

static void check_control(const saddle__mjcf_view *view, int exerts)
{
    double lo = 0, hi = 0;
    if (saddle__mjcf_range(view, "ctrllimited", "ctrlrange", 1, &lo, &hi) && (lo > 0 || hi < 0))
        refuse(view, "a ctrlrange without 0");
    if (exerts && saddle__mjcf_range(view, "forcelimited", "forcerange", 1, &lo, &hi))
        refuse(view, "a forcerange");
}

static void read_actuator(saddle__mjcf *m, const saddle__xml_element *element)
{
    const saddle__mjcf_view view = saddle__mjcf_see(m, element, element->name,
                                                    saddle__mjcf_class_of(m, element, NULL));
    double law[3] = {0}, gear[6] = {1, 0, 0, 0, 0, 0};
    read_law(&view, law);
    const int exerts = law[0] != 0 || law[1] != 0 || law[2] != 0;
    check_control(&view, exerts);
    saddle__mjcf_numbers(&view, "gear", 1, 6, gear);
    if (!exerts || m->import->status != SADDLE_OK) return;
    if (!saddle__mjcf_text(&view, "joint")) {
        refuse(&view, "a force other than on a joint");
        return;
    }
    const saddle__mjcf_joint *joint = find_joint(&view, "joint");
    if (!joint || joint->joint < 0 || law[1] > 0 || law[2] > 0) {
        if (joint) refuse(&view, "a force of this law or on this type of joint");
        return;
    }
    saddle__import_free *free = &m->import->joint[joint->joint].free[joint->coordinate];
    const double stiffness = -law[1] * gear[0] * gear[0];
    free->stiffness += stiffness;
    free->damping -= law[2] * gear[0] * gear[0];
    free->load += joint->sign * (gear[0] * law[0] - stiffness * joint->ref);
}

/* ---- the sections ---- */

void saddle__mjcf_ties(saddle__mjcf *m)
{
    for (const saddle__xml_element *section = m->root->first; section; section = section->next) {
        const char *name = section->name;
        for (const saddle__xml_element *child = section->first; child; child = child->next) {
            if (m->import->status != SADDLE_OK) return;
            if (strcmp(name, "equality") == 0)
                read_equality(m, child);
            else if (strcmp(name, "contact") == 0 && strcmp(child->name, "exclude") == 0)
                exclude(m, child);
            else if (strcmp(name, "tendon") == 0)
                read_tendon(m, child);
            else if (strcmp(name, "actuator") == 0 && !m->off.actuation)
                read_actuator(m, child);
        }
    }
    for (int64_t k = 0; k < m->import->joint_count; k++) {
        const saddle__import_joint *joint = &m->import->joint[k];
        for (int i = 0; i < joint->frees; i++)
            if (joint->free[i].load != 0 && !(joint->free[i].stiffness > 0))
                saddle__import_refuse(m->import, m->root, "a constant force on joint \"%.80s\"",
                                      joint->name ? joint->name : "");
    }
}
