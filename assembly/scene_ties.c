/* SPDX-License-Identifier: MIT */
/* A scene's joints, gears, pins, rods, springs, muscles, loads, dampers and attachments. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "saddle/attach.h"
#include "saddle/gear.h"
#include "saddle/pin.h"
#include "scene_internal.h"
#include "space/space.h"

/* ---- compliance of rows ---- */

/* compliance of a joint or pin, hard where `fields` has matrices. */
static saddle_status read_row_compliance(const saddle__scene_build *build,
                                         const saddle__scene_compliance *fields,
                                         saddle_compliance *compliance)
{
    static const char *const scalars[] = {"alpha", "beta", "steps", "stiffness", "damping"};
    *compliance = (saddle_compliance){0};
    if (!saddle__scene_given(fields, "matrix")) {
        if (saddle__scene_given(fields, "damping_matrix"))
            return saddle__scene_refuse(build, "\"damping_matrix\" goes with \"matrix\"");
        return saddle__scene_read_compliance(build, fields, compliance);
    }
    for (int k = 0; k < 5; k++)
        if (saddle__scene_given(fields, scalars[k]))
            return saddle__scene_refuse(build, "\"matrix\" and \"%s\" exclude each other",
                                        scalars[k]);
    return SADDLE_OK;
}

/* The matrices of `fields` for the constraint. */
static saddle_status couple(const saddle__scene_build *build,
                            const saddle__scene_compliance *fields, saddle_handle constraint)
{
    saddle_model *model = build->scene->model;
    const int64_t entries = fields->C.count;
    int64_t rows = 0;
    if (!saddle__scene_given(fields, "matrix")) return SADDLE_OK;
    while (rows < saddle_model_constraint_rows(model, constraint) && rows * rows < entries) rows++;
    if (rows * rows != entries || (fields->D.count != 0 && fields->D.count != entries))
        return saddle__scene_refuse(build, "a compliance \"matrix\" or \"damping_matrix\" has "
                                           "the wrong number of elements");
    return saddle_model_couple_rows(model, constraint, rows, fields->C.item, fields->D.item);
}

/* ---- joints ---- */

/* What drives a free coordinate: a motor, a servo or a spring. */
typedef struct scene_drive {
    saddle__scene_head head;
    double target, velocity, strength; /* target: a velocity of a motor, a position of a servo */
    saddle__scene_compliance compliance;
    saddle_joint_spring spring;
} scene_drive;

static void drive_defaults(void *object)
{
    ((scene_drive *)object)->strength = INFINITY;
}

#define STRUCT scene_drive
/* clang-format off */
static const saddle__scene_field motor_fields[] = {
    AT(NUMBER, "target", target), AT(NUMBER, "strength", strength), END};
static const saddle__scene_field servo_fields[] = {
    AT(NUMBER, "position", target), AT(NUMBER, "velocity", velocity),
    AT(NUMBER, "strength", strength), COMPLIANCE, END};
static const saddle__scene_field spring_of_joint_fields[] = {
    MUST(NUMBER, "stiffness", spring.stiffness), AT(NUMBER, "damping", spring.damping),
    AT(NUMBER, "rest", spring.rest), END};
TABLE(motor, "motor", drive_defaults);
TABLE(servo, "servo", drive_defaults);
TABLE(spring_of_joint, "spring of a joint", NULL);
/* clang-format on */
#undef STRUCT

typedef struct scene_free {
    saddle__scene_head head;
    saddle_joint_free def;
    saddle__scene_compliance limit_compliance;
    scene_drive motor, servo, spring;
    saddle_armature armature;
} scene_free;

static void free_defaults(void *object)
{
    ((scene_free *)object)->def = saddle_joint_free_default();
}

#define STRUCT scene_free
/* clang-format off */
static const saddle__scene_field free_fields[] = {
    ARRAY(NUMBERS, "limits", def.lo, 2),
    AT(NUMBER, "limit_restitution", def.limit_restitution),
    PART(OBJECT, "limit_compliance", limit_compliance, saddle__scene_compliance_table),
    PART(OBJECT, "motor", motor, motor_table), PART(OBJECT, "servo", servo, servo_table),
    PART(OBJECT, "spring", spring, spring_of_joint_table),
    AT(NUMBER, "friction", def.friction), AT(NUMBER, "armature", armature.inertia), END};
TABLE(free, "free coordinate", free_defaults);
/* clang-format on */
#undef STRUCT

typedef struct scene_point {
    saddle__scene_head head;
    saddle__scene_end end;
    int passive;
} scene_point;

#define STRUCT saddle__scene_bearing
/* clang-format off */
static const saddle__scene_field bearing_fields[] = {
    MUST(NUMBER, "mu", def.mu), MUST(NUMBER, "radius", def.radius),
    AT(NUMBER, "half_length", def.half_length), AT(INTEGER, "points", def.points), END};
TABLE(bearing, "bearing of a joint", NULL);
/* clang-format on */
#undef STRUCT

#define STRUCT scene_point
/* clang-format off */
static const saddle__scene_field point_fields[] = {
    AT(TEXT, "part", end.part), AT(INTEGER, "node", end.node), ARRAY(NUMBERS, "at", end.at, 3),
    AT(FLAG, "passive", passive), END};
TABLE(point, "point of a path", NULL);
/* clang-format on */
#undef STRUCT

#define STRUCT saddle__scene_locked
/* clang-format off */
static const saddle__scene_field locked_fields[] = {
    AT(FLAG, "x", axis[0]), AT(FLAG, "y", axis[1]), AT(FLAG, "z", axis[2]),
    AT(FLAG, "rx", axis[3]), AT(FLAG, "ry", axis[4]), AT(FLAG, "rz", axis[5]), END};
TABLE(locked, "locked", NULL);
/* clang-format on */
#undef STRUCT

static const char *const joint_words[] = {"fixed", "hinge",  "slider", "ball", "universal",
                                          "wheel", "custom", "motion", NULL};

static void joint_defaults(void *object)
{
    saddle__scene_item *joint = object;
    joint->def.joint = saddle_joint_def_default();
    joint->axis[2] = 1;
}

#define FORM_WORD(name, word) word,
static const char *const form_words[] = {SADDLE_JOINT_FORM_LIST(FORM_WORD) NULL};

static const char *const prescription_words[] = {"acceleration", "velocity", "position", NULL};

#define STRUCT saddle__scene_prescribed
/* clang-format off */
static const saddle__scene_field prescribed_fields[] = {
    FIELD(WORD, 1, "how", how, 0, prescription_words, NULL), MUST(SERIES, "value", value),
    AT(SERIES, "rate", rate), END};
TABLE(prescribed, "prescribed joint", NULL);
/* clang-format on */
#undef STRUCT

#define STRUCT saddle__scene_surface
/* clang-format off */
static const saddle__scene_field surface_fields[] = {
    MUST(INTEGER, "rows", rows), MUST(INTEGER, "cols", cols), MUST(SERIES, "control", control),
    END};
TABLE(surface, "surface of a joint", NULL);
/* clang-format on */
#undef STRUCT

#define STRUCT saddle__scene_item
/* clang-format off */
static const saddle__scene_field frame_fields[] = {PLACEMENT, END};
TABLE(frame, "frame", NULL);
static const saddle__scene_field joint_fields[] = {
    AT(TEXT, "name", def.joint.name), WORD("kind", def.joint.kind, joint_words),
    WORD("form", def.joint.form, form_words),
    AT(TEXT, "a", a.part), AT(TEXT, "b", b.part), ARRAY(NUMBERS, "at", a.at, 3),
    ARRAY(NUMBERS, "axis", axis, 3),
    ARRAY(NUMBERS, "x_axis", x_axis, 3), PART(OBJECT, "locked", locked, locked_table), COMPLIANCE,
    PART(LIST, "free", free, free_table), PART(OBJECT, "bearing", bearing, bearing_table),
    PART(LIST, "spline", spline, frame_table),
    PART(OBJECT, "surface", surface, surface_table), AT(SERIES, "start", start),
    PART(OBJECT, "prescribed", prescribed, prescribed_table), END};
/* clang-format on */

static saddle_status fill_free(saddle__scene_build *build, const scene_free *fields,
                               saddle_joint_free *coordinate)
{
    _Static_assert(offsetof(saddle_joint_free, hi) == sizeof(double), "limits are two numbers");
    build->place = fields->head.place;
    *coordinate = fields->def;
    coordinate->motor = saddle__scene_given(fields, "motor");
    coordinate->servo = saddle__scene_given(fields, "servo");
    if (coordinate->motor) {
        coordinate->motor_target = fields->motor.target;
        coordinate->motor_strength = fields->motor.strength;
    }
    SADDLE__TRY(saddle__scene_read_compliance(build, &fields->limit_compliance,
                                              &coordinate->limit_compliance));
    if (!coordinate->servo) return SADDLE_OK;
    coordinate->servo_position = fields->servo.target;
    coordinate->servo_velocity = fields->servo.velocity;
    coordinate->servo_strength = fields->servo.strength;
    return saddle__scene_read_compliance(build, &fields->servo.compliance,
                                         &coordinate->servo_compliance);
}

/* The frame of a joint in the world: z along "axis", x along the component of "x_axis" normal to z,
 * or any. */
static saddle_status joint_place(saddle__scene_build *build, const saddle__scene_item *item,
                                 saddle_pose *place)
{
    SADDLE__TRY(saddle_pose_along(build->scan->context, item->a.at, item->axis, place));
    if (!saddle__scene_given(item, "x_axis")) return SADDLE_OK;
    double *x = place->R, *y = place->R + 3, *z = place->R + 6;
    const double along = saddle__dot(item->x_axis, z);
    for (int i = 0; i < 3; i++) x[i] = item->x_axis[i] - along * z[i];
    const double length = sqrt(saddle__dot(x, x));
    if (!(length > 1e-6 * sqrt(saddle__dot(item->x_axis, item->x_axis))))
        return saddle__scene_refuse(build, "\"x_axis\" is zero, or along \"axis\"");
    for (int i = 0; i < 3; i++) x[i] /= length;
    saddle__cross(z, x, y);
    return SADDLE_OK;
}

static saddle_status new_motion(saddle_scene *scene, int64_t numbers, saddle__scene_motion **made)
{
    const int64_t size = (int64_t)sizeof **made + numbers * (int64_t)sizeof(double);
    *made = saddle_allocate(scene->context, size, 1);
    if (!*made) return SADDLE_OUT_OF_MEMORY;
    (*made)->next = scene->motions;
    scene->motions = *made;
    return SADDLE_OK;
}

static saddle_status read_spline(saddle__scene_build *build, const saddle__scene_list *frames,
                                 saddle_motion *motion)
{
    saddle__scene_motion *made;
    const saddle__scene_item *frame = frames->item;
    SADDLE__TRY(new_motion(build->scene, (12 + 6) * frames->count, &made));
    for (int64_t k = 0; k < frames->count; k++) {
        saddle_pose pose;
        build->place = frame[k].head.place;
        SADDLE__TRY(saddle__scene_pose(build, &frame[k], &pose));
        memcpy(made->number + 12 * k, &pose, sizeof pose);
    }
    made->spline = (saddle_joint_spline){frames->count,
                                         (const saddle_pose *)(const void *)made->number,
                                         made->number + 12 * frames->count};
    return saddle_motion_spline(build->scan->context, &made->spline, motion);
}

static saddle_status read_surface(saddle__scene_build *build, const saddle__scene_surface *fields,
                                  saddle_motion *motion)
{
    saddle__scene_motion *made;
    const saddle__scene_list *control = &fields->control;
    build->place = fields->head.place;
    if (fields->rows < 4 || fields->cols < 4 || fields->rows > control->count ||
        fields->cols > control->count || control->count != 6 * fields->rows * fields->cols)
        return saddle__scene_refuse(build, "a surface has \"rows\" and \"cols\" of 4 or more, and "
                                           "6 numbers of \"control\" for each of its points");
    SADDLE__TRY(new_motion(build->scene, control->count, &made));
    memcpy(made->number, control->item, (size_t)control->count * sizeof(double));
    made->surface = (saddle_joint_surface){fields->rows, fields->cols, made->number};
    return saddle_motion_surface(build->scan->context, &made->surface, motion);
}

static void tell(void *user, double time, double *value)
{
    const saddle__scene_motion *made = user;
    for (int64_t k = 0; k < made->told; k++)
        value[k] = made->number[k] + made->number[made->told + k] * time;
}

static saddle_status prescribe(saddle__scene_build *build, const saddle__scene_prescribed *fields,
                               saddle_handle joint)
{
    const int64_t count = fields->value.count;
    saddle__scene_motion *made;
    build->place = fields->head.place;
    if (fields->rate.count > 0 && fields->rate.count != count)
        return saddle__scene_refuse(build, "\"rate\" has as many numbers as \"value\"");
    SADDLE__TRY(new_motion(build->scene, 2 * SADDLE_JOINT_COORDINATES_MAX, &made));
    if (count > SADDLE_JOINT_COORDINATES_MAX)
        return saddle__scene_refuse(build, "a joint has 6 coordinates at most");
    made->told = count;
    if (count > 0) memcpy(made->number, fields->value.item, (size_t)count * sizeof(double));
    if (fields->rate.count > 0)
        memcpy(made->number + count, fields->rate.item, (size_t)count * sizeof(double));
    return saddle_model_prescribe_joint(build->scene->model, joint,
                                        (saddle_prescription)(1 + fields->how), tell, made);
}

/* Of a joint along a spline or a surface. */
static saddle_status read_motion(saddle__scene_build *build, const saddle__scene_item *j,
                                 saddle_joint_def *def)
{
    const int spline = saddle__scene_given(j, "spline"),
              surface = saddle__scene_given(j, "surface");
    const double *start = j->start.item;
    const char *wrong = NULL;
    if (def->kind != SADDLE_JOINT_MOTION && (spline || surface || j->start.count > 0))
        wrong = "\"spline\", \"surface\" and \"start\" are of a \"motion\"";
    else if (def->kind == SADDLE_JOINT_MOTION && spline + surface != 1)
        wrong = "a \"motion\" has a \"spline\" or a \"surface\"";
    else if (j->start.count > 1 + surface)
        wrong = "\"start\" has more coordinates than the motion";
    if (wrong) return saddle__scene_refuse(build, "%s", wrong);
    for (int64_t k = 0; k < j->start.count; k++) def->start[k] = start[k];
    if (spline) return read_spline(build, &j->spline, &def->motion);
    return surface ? read_surface(build, &j->surface, &def->motion) : SADDLE_OK;
}

static saddle_status add_joint(saddle__scene_build *build, const saddle__scene_item *j)
{
    const scene_free *coordinate = j->free.item;
    saddle_model *model = build->scene->model;
    saddle_joint_def def = j->def.joint;
    saddle_pose place;
    saddle_handle joint, force;
    for (int k = 0; k < 6; k++) def.locked |= j->locked.axis[k] ? 1u << k : 0;
    if (def.kind != SADDLE_JOINT_CUSTOM && saddle__scene_given(j, "locked"))
        return saddle__scene_refuse(build, "\"locked\" is of a \"custom\" joint");
    if (j->free.count > saddle_joint_free_count(def.kind))
        return saddle__scene_refuse(build, "\"free\" has more coordinates than this kind of joint");
    saddle_status status = saddle__scene_find(build, j->a.part, &def.a);
    if (status == SADDLE_OK) status = saddle__scene_find(build, j->b.part, &def.b);
    if (status == SADDLE_OK) status = read_row_compliance(build, &j->compliance, &def.compliance);
    for (int64_t k = 0; status == SADDLE_OK && k < j->free.count; k++)
        status = fill_free(build, &coordinate[k], &def.free[k]);
    def.bearing = j->bearing.def;
    if (saddle__scene_given(&j->compliance, "matrix")) def.form = SADDLE_JOINT_FORM_ROWS;
    if (status == SADDLE_OK) status = read_motion(build, j, &def);
    build->place = j->head.place;
    if (status == SADDLE_OK) status = joint_place(build, j, &place);
    if (status == SADDLE_OK) status = saddle_joint_def_at(model, &place, &def);
    if (status == SADDLE_OK) status = saddle_model_add_joint(model, &def, &joint);
    if (status == SADDLE_OK) status = couple(build, &j->compliance, joint);
    if (status == SADDLE_OK && saddle__scene_given(j, "prescribed"))
        status = prescribe(build, &j->prescribed, joint);
    for (int64_t k = 0; status == SADDLE_OK && k < j->free.count; k++) {
        if (saddle__scene_given(&coordinate[k], "spring"))
            status = saddle_model_add_joint_spring(model, def.name, joint, k,
                                                   &coordinate[k].spring.spring, &force);
        if (status == SADDLE_OK && saddle__scene_given(&coordinate[k], "armature"))
            status = saddle_model_add_armature(model, def.name, joint, k, &coordinate[k].armature,
                                               &force);
    }
    return status;
}

/* ---- gears ---- */

typedef struct scene_term {
    saddle__scene_head head;
    char *joint;
    int64_t coordinate;
    double factor;
} scene_term;

static void gear_defaults(void *object)
{
    saddle__scene_item *gear = object;
    gear->bounds[0] = -INFINITY;
    gear->bounds[1] = INFINITY;
}

#undef STRUCT
#define STRUCT scene_term
/* clang-format off */
static const saddle__scene_field term_fields[] = {
    MUST(TEXT, "joint", joint), AT(INTEGER, "coordinate", coordinate),
    MUST(NUMBER, "factor", factor), END};
TABLE(term, "term of a gear", NULL);
#undef STRUCT
#define STRUCT saddle__scene_item
static const saddle__scene_field gear_fields[] = {
    AT(TEXT, "name", name), PART(LIST, "terms", terms, term_table),
    FIELD(NUMBERS, 1, "bounds", bounds, 2, NULL, NULL), COMPLIANCE, END};
/* clang-format on */

static saddle_status add_gear(saddle__scene_build *build, const saddle__scene_item *x)
{
    const scene_term *from = x->terms.item;
    saddle_gear_term term[SADDLE_ANCHORS_MAX / 2];
    saddle_gear_def def = {.name = x->name,
                           .count = x->terms.count,
                           .terms = term,
                           .lo = x->bounds[0],
                           .hi = x->bounds[1]};
    saddle_handle gear;
    if (def.count < 1 || def.count > SADDLE_ANCHORS_MAX / 2)
        return saddle__scene_refuse(build, "a gear has 1 to %d \"terms\"", SADDLE_ANCHORS_MAX / 2);
    for (int64_t k = 0; k < def.count; k++) {
        build->place = from[k].head.place;
        term[k] = (saddle_gear_term){saddle_model_find(build->scene->model, from[k].joint),
                                     from[k].coordinate, from[k].factor};
        if (term[k].joint.item != SADDLE_ITEM_CONSTRAINT)
            return saddle__scene_refuse(build, "there is no joint of the name \"%.80s\"",
                                        from[k].joint);
    }
    build->place = x->head.place;
    SADDLE__TRY(saddle__scene_read_compliance(build, &x->compliance, &def.compliance));
    return saddle_model_add_gear(build->scene->model, &def, &gear);
}

/* ---- ends ---- */

/* clang-format off */
#define ENDS \
    AT(TEXT, "a", a.part), AT(INTEGER, "node_a", a.node), ARRAY(NUMBERS, "point_a", a.at, 3), \
    AT(TEXT, "b", b.part), AT(INTEGER, "node_b", b.node), ARRAY(NUMBERS, "point_b", b.at, 3)
/* clang-format on */

/* anchor: of an end.  place: in the world, the node's or particle's position, or else `given`; NULL
 * for the end's own.  point: the place in the axes of a body, the place itself otherwise. */
static saddle_status find_end(const saddle__scene_build *build, const saddle__scene_end *end,
                              const double *given, saddle_anchor *anchor, double *place,
                              double *point)
{
    saddle_model *model = build->scene->model;
    *anchor = (saddle_anchor){.node = end->node};
    SADDLE__TRY(saddle__scene_find(build, end->part, &anchor->part));
    const int64_t nodes = saddle_model_node_count(model, anchor->part); /* 0: body or ground */
    if (end->node < 0 || end->node >= (nodes == 0 ? 1 : nodes)) {
        return saddle__scene_refuse(build, "node %lld: \"%.80s\" has none of that number",
                                    (long long)end->node, end->part ? end->part : "ground");
    }
    const double *x = given ? given : end->at;
    if (nodes > 0) x = saddle_model_position(model, anchor->part) + 3 * end->node;
    memcpy(place, x, 3 * sizeof *place);
    memcpy(point, x, 3 * sizeof *point);
    const saddle_pose *pose = saddle_model_pose(model, anchor->part);
    if (pose) saddle_pose_point_inverse(pose, place, point);
    return SADDLE_OK;
}

/* Both ends of a line; *length: the distance of their places. */
static saddle_status find_ends(const saddle__scene_build *build, const saddle__scene_item *x,
                               saddle_anchor *a, saddle_anchor *b, double *point_a, double *point_b,
                               double *length)
{
    double from[3], to[3];
    SADDLE__TRY(find_end(build, &x->a, NULL, a, from, point_a));
    SADDLE__TRY(find_end(build, &x->b, NULL, b, to, point_b));
    *length = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    return SADDLE_OK;
}

/* ---- pins, rods ---- */

/* clang-format off */
static const saddle__scene_field pin_fields[] = {
    AT(TEXT, "name", name), MUST(TEXT, "a", a.part), AT(TEXT, "b", b.part),
    AT(INTEGER, "node_a", a.node), AT(INTEGER, "node_b", b.node), COMPLIANCE, END};
/* clang-format on */

static saddle_status add_pin(saddle__scene_build *build, const saddle__scene_item *x)
{
    const double weights[2] = {1, -1};
    double points[6] = {0}, place[3], place_b[3];
    saddle_anchor anchors[2];
    saddle_handle pin;
    saddle_pin_def def = saddle_pin_def_default();
    SADDLE__TRY(find_end(build, &x->a, NULL, &anchors[0], place, points));
    if (saddle_model_node_count(build->scene->model, anchors[0].part) == 0)
        return saddle__scene_refuse(
            build, "\"a\" of a pin is a particle, a block or nodes; of bodies it is a ball joint");
    SADDLE__TRY(find_end(build, &x->b, place, &anchors[1], place_b, points + 3));
    SADDLE__TRY(read_row_compliance(build, &x->compliance, &def.compliance));
    def.name = x->name;
    def.count = 2;
    def.anchors = anchors;
    def.weights = weights;
    def.points = points;
    SADDLE__TRY(saddle_model_add_pin(build->scene->model, &def, &pin));
    return couple(build, &x->compliance, pin);
}

/* clang-format off */
static const saddle__scene_field rod_fields[] = {
    AT(TEXT, "name", def.rod.name), ENDS, AT(NUMBER, "length", def.rod.length),
    AT(FLAG, "rope", def.rod.rope), AT(NUMBER, "restitution", def.rod.restitution),
    COMPLIANCE, END};
/* clang-format on */

static saddle_status add_rod(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_rod_def def = x->def.rod;
    saddle_handle rod;
    double length;
    SADDLE__TRY(find_ends(build, x, &def.a, &def.b, def.point_a, def.point_b, &length));
    SADDLE__TRY(saddle__scene_read_compliance(build, &x->compliance, &def.compliance));
    if (!def.rope && saddle__scene_given(x, "restitution"))
        return saddle__scene_refuse(build, "\"restitution\" is of ropes");
    if (!saddle__scene_given(x, "length")) def.length = length;
    return saddle_model_add_rod(build->scene->model, &def, &rod);
}

/* ---- forces ---- */

/* path (SADDLE_ANCHORS_MAX) from "path"; *length: of its active segments. */
static saddle_status find_path(saddle__scene_build *build, const saddle__scene_item *x,
                               saddle_path_point *path, double *length)
{
    const scene_point *point = x->path.item;
    double place[3] = {0}, before[3] = {0};
    *length = 0;
    if (x->path.count < 2 || x->path.count > SADDLE_ANCHORS_MAX)
        return saddle__scene_refuse(build, "\"path\" needs 2 to 64 points");
    for (int64_t k = 0; k < x->path.count; k++) {
        build->place = point[k].head.place;
        path[k].passive = point[k].passive;
        SADDLE__TRY(find_end(build, &point[k].end, NULL, &path[k].anchor, place, path[k].point));
        const double d[3] = {place[0] - before[0], place[1] - before[1], place[2] - before[2]};
        if (k > 0 && !path[k - 1].passive) *length += sqrt(saddle__dot(d, d));
        memcpy(before, place, sizeof before);
    }
    build->place = x->head.place;
    return SADDLE_OK;
}

static const char *const law_words[] = {"linear", "string", "strain", NULL};

/* clang-format off */
static const saddle__scene_field spring_fields[] = {
    AT(TEXT, "name", name), ENDS, PART(LIST, "path", path, point_table),
    WORD("law", law, law_words), MUST(NUMBER, "stiffness", def.spring.stiffness),
    AT(NUMBER, "damping", def.spring.damping),
    AT(NUMBER, "rest_length", def.spring.rest_length), END};
/* clang-format on */

/* A spring with another law, or along a path. */
static saddle_status add_path_spring(saddle__scene_build *build, const saddle__scene_item *x)
{
    static const char *const ends[] = {"a", "b", "node_a", "node_b", "point_a", "point_b"};
    saddle_path_point path[SADDLE_ANCHORS_MAX] = {{.passive = 0}};
    saddle_handle force;
    double length;
    const int has_path = saddle__scene_given(x, "path");
    for (int k = 0; has_path && k < 6; k++)
        if (saddle__scene_given(x, ends[k]))
            return saddle__scene_refuse(build, "\"path\" and \"%s\" exclude each other", ends[k]);
    SADDLE__TRY(has_path ? find_path(build, x, path, &length)
                         : find_ends(build, x, &path[0].anchor, &path[1].anchor, path[0].point,
                                     path[1].point, &length));
    saddle_elastic law = {x->def.spring.stiffness, x->def.spring.damping,
                          x->def.spring.rest_length};
    if (!saddle__scene_given(x, "rest_length")) law.rest_length = length;
    const saddle_path_spring spring = {x->name, has_path ? x->path.count : 2,
                                       path,    saddle_tension_law_find(law_words[x->law]),
                                       &law,    sizeof law};
    return saddle_model_add_path_spring(build->scene->model, &spring, &force);
}

static saddle_status add_spring(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_spring spring = x->def.spring;
    saddle_anchor a, b;
    saddle_handle force;
    double length;
    if (saddle__scene_given(x, "path") || saddle__scene_given(x, "law"))
        return add_path_spring(build, x);
    SADDLE__TRY(find_ends(build, x, &a, &b, spring.point_a, spring.point_b, &length));
    if (!saddle__scene_given(x, "rest_length")) spring.rest_length = length;
    return saddle_model_add_spring(build->scene->model, x->name, a, b, &spring, &force);
}

static void frame_spring_defaults(void *object)
{
    ((saddle__scene_item *)object)->def.frame_spring = saddle_frame_spring_default();
}

/* clang-format off */
static const saddle__scene_field frame_spring_fields[] = {
    AT(TEXT, "name", name), AT(TEXT, "a", a.part), AT(TEXT, "b", b.part),
    ARRAY(NUMBERS, "at", a.at, 3), AT(NUMBER, "stiffness", def.frame_spring.stiffness),
    AT(NUMBER, "damping", def.frame_spring.damping),
    AT(NUMBER, "angular_stiffness", def.frame_spring.angular_stiffness),
    AT(NUMBER, "angular_damping", def.frame_spring.angular_damping), END};
/* clang-format on */

/* Both frames are at "at" as the scene begins, in the world's axes. */
static saddle_status add_frame_spring(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_frame_spring spring = x->def.frame_spring;
    saddle_pose world = saddle_pose_identity(), *const frame[2] = {&spring.frame_a,
                                                                   &spring.frame_b};
    saddle_handle part[2], force;
    memcpy(world.p, x->a.at, sizeof world.p);
    SADDLE__TRY(saddle__scene_find(build, x->a.part, &part[0]));
    SADDLE__TRY(saddle__scene_find(build, x->b.part, &part[1]));
    for (int k = 0; k < 2; k++) {
        const saddle_pose *pose = saddle_model_pose(build->scene->model, part[k]);
        *frame[k] = pose ? saddle_pose_between(pose, &world) : world;
    }
    return saddle_model_add_frame_spring(build->scene->model, x->name, part[0], part[1], &spring,
                                         &force);
}

static void muscle_defaults(void *object)
{
    ((saddle__scene_item *)object)->def.muscle = saddle_muscle_default();
}

/* clang-format off */
static const saddle__scene_field muscle_fields[] = {
    AT(TEXT, "name", name), PART(LIST, "path", path, point_table),
    MUST(NUMBER, "peak_force", def.muscle.peak_force),
    AT(NUMBER, "activation", def.muscle.activation),
    AT(NUMBER, "optimal_length", def.muscle.optimal_length),
    AT(NUMBER, "tendon_length", def.muscle.tendon_length),
    AT(NUMBER, "fastest", def.muscle.fastest), END};
/* clang-format on */

static saddle_status add_muscle(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_path_point path[SADDLE_ANCHORS_MAX] = {{.passive = 0}};
    saddle_muscle muscle = x->def.muscle;
    saddle_handle force;
    double length;
    SADDLE__TRY(find_path(build, x, path, &length));
    if (!saddle__scene_given(x, "optimal_length"))
        muscle.optimal_length = length - muscle.tendon_length;
    return saddle_model_add_muscle(build->scene->model, x->name, x->path.count, path, &muscle,
                                   &force);
}

/* clang-format off */
static const saddle__scene_field load_fields[] = {
    AT(TEXT, "name", name), AT(TEXT, "part", a.part), AT(INTEGER, "node", a.node),
    ARRAY(NUMBERS, "at", a.at, 3), ARRAY(NUMBERS, "force", def.load.force, 3), END};
/* clang-format on */

static saddle_status add_load(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_dead_load load = x->def.load;
    saddle_anchor anchor;
    saddle_handle force;
    double place[3];
    SADDLE__TRY(find_end(build, &x->a, NULL, &anchor, place, load.point));
    return saddle_model_add_dead_load(build->scene->model, x->name, anchor, &load, &force);
}

/* ---- attachments ---- */

typedef struct scene_master {
    saddle__scene_head head;
    saddle__scene_end end;
    double weight;
} scene_master;

#undef STRUCT
#define STRUCT scene_master
/* clang-format off */
static const saddle__scene_field master_fields[] = {
    MUST(TEXT, "part", end.part), AT(INTEGER, "node", end.node), AT(NUMBER, "weight", weight),
    END};
TABLE(master, "master", NULL);
/* clang-format on */
#undef STRUCT

#define ELEMENT_WORD(name, word, nodes) word,
static const char *const element_words[] = {SADDLE_ELEMENT_LIST(ELEMENT_WORD) NULL};

#define STRUCT saddle__scene_item
/* clang-format off */
static const saddle__scene_field attach_fields[] = {
    AT(TEXT, "name", name), MUST(TEXT, "part", a.part), AT(INTEGER, "node", a.node),
    AT(SERIES, "nodes", nodes), AT(TEXT, "to", b.part), AT(INTEGER, "to_node", b.node),
    PART(LIST, "masters", masters, master_table), WORD("element", element, element_words), END};
/* clang-format on */

/* The masters: "to", or "masters" with their weights, which none or all have. */
static saddle_status find_masters(saddle__scene_build *build, const saddle__scene_item *x,
                                  saddle_anchor *to, double *weight)
{
    const scene_master *master = x->masters.item;
    if (saddle__scene_given(x, "to") == (x->masters.count > 0))
        return saddle__scene_refuse(build, "an attachment has either \"to\" or \"masters\"");
    if (x->masters.count == 0) {
        to[0].node = x->b.node;
        return saddle__scene_find(build, x->b.part, &to[0].part);
    }
    for (int64_t j = 0; j < x->masters.count; j++) {
        if (saddle__scene_given(&master[j], "weight") != saddle__scene_given(master, "weight"))
            return saddle__scene_refuse(build, "some of the masters have a \"weight\"");
        to[j].node = master[j].end.node;
        weight[j] = master[j].weight;
        SADDLE__TRY(saddle__scene_find(build, master[j].end.part, &to[j].part));
    }
    return SADDLE_OK;
}

/* Weights of the masters for each of the attached nodes. */
static saddle_status attach(saddle__scene_build *build, const saddle__scene_item *x,
                            const int64_t *nodes, const saddle_anchor *to, const double *weight)
{
    const scene_master *master = x->masters.item;
    const int is_weighted = x->masters.count > 0 && saddle__scene_given(master, "weight");
    saddle_model *model = build->scene->model;
    saddle_attach_def def = {.name = x->name,
                             .masters = x->masters.count > 0 ? x->masters.count : 1,
                             .to = to,
                             .element = saddle__scene_given(x, "element") ? &x->element : NULL};
    saddle_handle tie;
    SADDLE__TRY(saddle__scene_find(build, x->a.part, &def.part));
    def.count = nodes ? x->nodes.count : saddle__scene_given(x, "node");
    def.node = nodes ? nodes : def.count ? &x->a.node : NULL;
    const int64_t all = saddle_model_node_count(model, def.part);
    const int64_t count = def.count > 0 ? def.count : all > 0 ? all : 1;
    if (!is_weighted) return saddle_model_attach(model, &def, &tie);
    double *each = saddle_allocate(build->scan->context, count * def.masters, sizeof *each);
    if (!each) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < count * def.masters; k++) each[k] = weight[k % def.masters];
    def.weight = each;
    const saddle_status status = saddle_model_attach(model, &def, &tie);
    saddle_release(build->scan->context, each);
    return status;
}

static saddle_status add_attach(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_context *context = build->scan->context;
    int64_t *nodes = NULL;
    if (saddle__scene_given(x, "nodes") && (saddle__scene_given(x, "node") || !x->nodes.count))
        return saddle__scene_refuse(build, "\"nodes\" are none, or \"node\" is there too");
    saddle_anchor *to = saddle_allocate(context, x->masters.count + 1, sizeof *to);
    double *weight = saddle_allocate(context, x->masters.count + 1, sizeof *weight);
    saddle_status status = to && weight ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && x->nodes.count > 0)
        status = saddle__scene_integers(build, &x->nodes, "\"nodes\" are numbers of nodes", &nodes);
    if (status == SADDLE_OK) status = find_masters(build, x, to, weight);
    if (status == SADDLE_OK) status = attach(build, x, nodes, to, weight);
    saddle__release_all(context, to, weight, nodes);
    return status;
}

/* ---- dampers ---- */

/* clang-format off */
static const saddle__scene_field damper_fields[] = {
    AT(TEXT, "name", name), AT(TEXT, "part", a.part), AT(INTEGER, "node", a.node),
    ARRAY(NUMBERS, "at", a.at, 3), AT(NUMBER, "linear", def.damper.linear),
    AT(NUMBER, "angular", def.damper.angular), END};
/* clang-format on */

static saddle_status add_damper(saddle__scene_build *build, const saddle__scene_item *x)
{
    saddle_damper damper = x->def.damper;
    saddle_anchor anchor;
    saddle_handle force;
    double place[3];
    SADDLE__TRY(find_end(build, &x->a, NULL, &anchor, place, damper.point));
    return saddle_model_add_damper(build->scene->model, x->name, anchor, &damper, &force);
}

/* ---- the lists ---- */

/* clang-format off */
const saddle__scene_table saddle__scene_ties[] = {
    TABLE_ROW(SADDLE__JOINTS, joint, "joint", joint_defaults, NAMED),
    TABLE_ROW(SADDLE__GEARS, gear, "gear", gear_defaults, NAMED),
    TABLE_ROW(SADDLE__PINS, pin, "pin", NULL, NAMED),
    TABLE_ROW(SADDLE__RODS, rod, "rod", NULL, NAMED),
    TABLE_ROW(SADDLE__SPRINGS, spring, "spring", NULL, NAMED),
    TABLE_ROW(SADDLE__FRAME_SPRINGS, frame_spring, "frame spring", frame_spring_defaults, NAMED),
    TABLE_ROW(SADDLE__MUSCLES, muscle, "muscle", muscle_defaults, NAMED),
    TABLE_ROW(SADDLE__LOADS, load, "load", NULL, NAMED),
    TABLE_ROW(SADDLE__ATTACH, attach, "attachment", NULL, NAMED),
    TABLE_ROW(SADDLE__DAMPERS, damper, "damper", NULL, NAMED),
};
/* clang-format on */
