/* SPDX-License-Identifier: MIT */
/* Joints of a model: kinds with their locked functions, free coordinates and rows; definitions
 * checked, added and changed, with the body that is the child; frames (saddle/joint.h; values:
 * joint_functions.c). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tolerances.h"
#include "joint_internal.h"
#include "space/space.h"

enum {
    POSITION = SADDLE_LOCK_X | SADDLE_LOCK_Y | SADDLE_LOCK_Z,
    ROTATION = SADDLE_LOCK_RX | SADDLE_LOCK_RY | SADDLE_LOCK_RZ
};

enum { FREE_OF_KIND_MAX = 3 };

typedef struct joint_kind {
    const char *word;
    unsigned locked;
    int free;
    saddle__joint_function function[FREE_OF_KIND_MAX]; /* of kinds but a motion */
} joint_kind;

#define ENTRY(i, j) ((i) + 3 * (j)) /* R_ij in the columns of R */

/* clang-format off */
#define ANGLE(s1, s2, c1, c2, turns) {SADDLE__JOINT_ANGLE, {s1, s2, c1, c2}, 0, 0, turns}
#define NONE (-1)
static const joint_kind kinds[] = {
    [SADDLE_JOINT_FIXED]     = {"fixed", POSITION | ROTATION, 0, {{0}}},
    [SADDLE_JOINT_HINGE]     = {"hinge", POSITION | SADDLE_LOCK_RX | SADDLE_LOCK_RY, 1,
                                {ANGLE(ENTRY(1, 0), ENTRY(0, 1), ENTRY(0, 0), ENTRY(1, 1), 1)}},
    [SADDLE_JOINT_SLIDER]    = {"slider", SADDLE_LOCK_X | SADDLE_LOCK_Y | ROTATION, 1,
                                {{SADDLE__JOINT_DISTANCE, {2, NONE, NONE, NONE}, 0, 0, 0}}},
    [SADDLE_JOINT_BALL]      = {"ball", POSITION, 3,
                                {ANGLE(ENTRY(1, 0), NONE, ENTRY(0, 0), NONE, 0),
                                 {SADDLE__JOINT_PITCH, {ENTRY(2, 0), NONE, NONE, NONE}, 0, 0, 0},
                                 ANGLE(ENTRY(2, 1), NONE, ENTRY(2, 2), NONE, 0)}},
    [SADDLE_JOINT_UNIVERSAL] = {"universal", POSITION | SADDLE_LOCK_RZ, 2,
                                {ANGLE(ENTRY(2, 1), NONE, ENTRY(1, 1), NONE, 1),
                                 ANGLE(ENTRY(0, 2), NONE, ENTRY(0, 0), NONE, 1)}},
    [SADDLE_JOINT_WHEEL]     = {"wheel", POSITION | SADDLE_LOCK_RZ, 2,
                                {ANGLE(ENTRY(2, 1), NONE, ENTRY(1, 1), NONE, 1),
                                 ANGLE(ENTRY(0, 2), NONE, ENTRY(0, 0), NONE, 1)}},
    [SADDLE_JOINT_CUSTOM]    = {"custom", 0, 0, {{0}}},
    [SADDLE_JOINT_MOTION]    = {"motion", 0, SADDLE_JOINT_FREE_MAX, {{0}}},
};
/* clang-format on */

enum { KINDS = sizeof kinds / sizeof *kinds };

static int is_known(saddle_joint_kind kind)
{
    return (int)kind >= 0 && (int)kind < KINDS;
}

const char *saddle_joint_kind_word(saddle_joint_kind kind)
{
    return is_known(kind) ? kinds[kind].word : "?";
}

saddle_status saddle_joint_kind_from_word(const char *word, saddle_joint_kind *kind)
{
    if (!word || !kind) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; word && k < KINDS; k++) {
        if (strcmp(word, kinds[k].word) != 0) continue;
        *kind = (saddle_joint_kind)k;
        return SADDLE_OK;
    }
    return SADDLE_UNKNOWN_NAME;
}

int64_t saddle_joint_free_count(saddle_joint_kind kind)
{
    return is_known(kind) ? kinds[kind].free : 0;
}

/* Free coordinates of a checked definition. */
static int free_count(const saddle_joint_def *def)
{
    return def->kind == SADDLE_JOINT_MOTION ? (int)def->motion.size
                                            : (int)saddle_joint_free_count(def->kind);
}

/* Bits SADDLE_LOCK_X, .. */
static unsigned locked_axes(const saddle_joint_def *def)
{
    return def->kind == SADDLE_JOINT_CUSTOM ? def->locked
           : is_known(def->kind)            ? kinds[def->kind].locked
                                            : 0;
}

/* ---- functions ---- */

/* The function of the locked rotation r, one of `count`; bits: locked rotations. */
static saddle__joint_function rotation_function(int r, unsigned bits, int count, double cosine)
{
    if (count == 3)
        return (saddle__joint_function){.kind = SADDLE__JOINT_LOG, .at = {r, -1, -1, -1}};
    saddle__joint_function function = {.kind = SADDLE__JOINT_COSINE,
                                       .at = {0, -1, -1, -1},
                                       .sign = -1};
    const int after = (r + 1) % 3, before = (r + 2) % 3;
    if (count == 1) {
        function.at[0] = ENTRY(after, before);
        function.offset = cosine;
    } else if (bits >> after & 1) { /* `before` is free: -R_jk with (r, after, before) = (i, j,
                                       k) */
        function.at[0] = ENTRY(after, before);
    } else {
        function.at[0] = ENTRY(before, after);
        function.sign = 1;
    }
    return function;
}

/* The functions of a motion: all numbers of its path. */
static void set_path_functions(saddle__joint *joint)
{
    joint->free = (int)joint->used.motion.size;
    joint->locked = 6 - joint->free;
    joint->functions = 6;
    for (int f = 0; f < 6; f++)
        joint->function[f] = (saddle__joint_function){.kind = SADDLE__JOINT_PATH, .at = {f}};
}

/* The functions of a kind, locked before free, from joint->used and joint->cosine. */
static void set_functions(saddle__joint *joint)
{
    if (joint->used.kind == SADDLE_JOINT_MOTION) {
        set_path_functions(joint);
        return;
    }
    const unsigned locked = joint->axes, rotations = locked >> 3;
    const int count = (int)((rotations & 1) + (rotations >> 1 & 1) + (rotations >> 2 & 1));
    joint->locked = 0;
    for (int i = 0; i < 3; i++) {
        if (!(locked >> i & 1)) continue;
        joint->function[joint->locked++] = (saddle__joint_function){.kind = SADDLE__JOINT_DISTANCE,
                                                                    .at = {i, -1, -1, -1}};
    }
    for (int r = 0; r < 3; r++) {
        if (!(rotations >> r & 1)) continue;
        joint->function[joint->locked++] = rotation_function(r, rotations, count, joint->cosine);
    }
    joint->has_log = count == 3;
    const joint_kind *is = &kinds[joint->used.kind];
    joint->free = is->free;
    joint->functions = joint->locked;
    for (int k = 0; k < is->free; k++) joint->function[joint->functions++] = is->function[k];
    for (int k = 0; is->free == 3 && k < SADDLE__BEARING_ROWS_MAX; k++)
        joint->function[joint->functions++] = (saddle__joint_function){.kind = SADDLE__JOINT_SPIN,
                                                                       .at = {k}};
}

/* ---- rows ---- */

static void add_row(saddle__joint *joint, saddle_row_def *row, saddle__joint_row function,
                    saddle_row_def def)
{
    const saddle__joint_function_kind kind = joint->function[function.function].kind;
    def.angular = kind != SADDLE__JOINT_DISTANCE && kind != SADDLE__JOINT_PATH;
    joint->used_functions |= 1u << function.function;
    joint->row[joint->rows] = function;
    row[joint->rows++] = def;
}

static void add_free_rows(saddle__joint *joint, int f, const saddle_joint_free *free,
                          saddle_row_def *row)
{
    const saddle_row_def limit = {.purpose = SADDLE_PURPOSE_LIMIT,
                                  .strength = INFINITY,
                                  .restitution = free->limit_restitution,
                                  .compliance = free->limit_compliance};
    if (isfinite(free->lo)) add_row(joint, row, (saddle__joint_row){f, 1, -free->lo, 0, 0}, limit);
    if (isfinite(free->hi)) add_row(joint, row, (saddle__joint_row){f, -1, free->hi, 0, 0}, limit);
    if (free->motor) {
        add_row(joint, row, (saddle__joint_row){f, 1, 0, 0, 0},
                (saddle_row_def){.purpose = SADDLE_PURPOSE_DRIVE,
                                 .strength = free->motor_strength,
                                 .target = free->motor_target});
    }
    if (free->servo) {
        add_row(joint, row,
                (saddle__joint_row){f, 1, -free->servo_position, -free->servo_velocity, 0},
                (saddle_row_def){.purpose = SADDLE_PURPOSE_HOLD,
                                 .strength = free->servo_strength,
                                 .compliance = free->servo_compliance});
    }
    if (free->friction > 0) {
        add_row(joint, row, (saddle__joint_row){f, 1, 0, 0, 0},
                (saddle_row_def){.purpose = SADDLE_PURPOSE_DRIVE, .strength = free->friction});
    }
}

/* Of the last functions: about the axes of a ball, along the free coordinate of others. */
static void add_bearing_rows(saddle__joint *joint, saddle_row_def *row)
{
    const saddle_joint_def *def = &joint->used;
    double limit[SADDLE__BEARING_ROWS_MAX];
    joint->bearing_rows = def->bearing.mu > 0 ? saddle__bearing_rows(def->kind) : 0;
    if (joint->bearing_rows == 0) return;
    (void)saddle__bearing_limits(def->kind, &def->bearing, joint->bearing_y, limit);
    for (int k = 0; k < joint->bearing_rows; k++) {
        const int f = joint->functions - joint->bearing_rows + k;
        add_row(joint, row, (saddle__joint_row){f, 1, 0, 0, 0},
                (saddle_row_def){.purpose = SADDLE_PURPOSE_DRIVE, .strength = limit[k]});
    }
}

/* Rows of joint, and their definitions, row (SADDLE_CONSTRAINT_ROWS_MAX), from joint->used and the
 * functions. */
static void set_rows(saddle__joint *joint, saddle_row_def *row)
{
    const saddle_row_def hold = {.purpose = SADDLE_PURPOSE_HOLD,
                                 .strength = INFINITY,
                                 .compliance = joint->used.compliance};
    joint->rows = 0;
    joint->used_functions = 0;
    for (int f = 0; joint->child == SADDLE__JOINT_NO_CHILD && f < joint->locked; f++)
        add_row(joint, row, (saddle__joint_row){f, 1, 0, 0, 0}, hold);
    for (int k = 0; k < joint->free; k++) {
        add_free_rows(joint, joint->locked + k, &joint->used.free[k], row);
        if (joint->child == SADDLE__JOINT_NO_CHILD &&
            joint->prescribed.how != SADDLE_PRESCRIPTION_NONE)
            add_row(joint, row,
                    (saddle__joint_row){.function = joint->locked + k, .sign = 1, .held = k + 1},
                    (saddle_row_def){.purpose = SADDLE_PURPOSE_HOLD, .strength = INFINITY});
    }
    add_bearing_rows(joint, row);
}

/* ---- definitions ---- */

saddle_joint_free saddle_joint_free_default(void)
{
    return (saddle_joint_free){.lo = -INFINITY,
                               .hi = INFINITY,
                               .motor_strength = INFINITY,
                               .servo_strength = INFINITY};
}

saddle_joint_def saddle_joint_def_default(void)
{
    saddle_joint_def def = {.frame_a = saddle_pose_identity(),
                            .frame_b = saddle_pose_identity(),
                            .motion = saddle_motion_fixed()};
    for (int k = 0; k < SADDLE_JOINT_FREE_MAX; k++) def.free[k] = saddle_joint_free_default();
    return def;
}

static saddle_status check_parts(const saddle_model *model, const saddle_joint_def *def)
{
    const saddle_handle parts[2] = {def->a, def->b};
    for (int k = 0; k < 2; k++) {
        char name[160];
        const char *wrong = NULL;
        saddle__model_describe(model, parts[k], name, sizeof name);
        if (saddle__handles_are_same(def->a, def->b))
            return saddle__refuse_new(model, "joint", def->name, "holds %s to itself", name);
        if (saddle__handle_is_ground(parts[k])) continue;
        if (!saddle__model_part(model, parts[k]) || parts[k].item == SADDLE_ITEM_COORDINATES)
            wrong = "which is no part with a place";
        else if (parts[k].item == SADDLE_ITEM_NODES)
            wrong = "which are nodes: a pin holds them";
        else if (parts[k].item == SADDLE_ITEM_PARTICLE &&
                 (def->kind == SADDLE_JOINT_MOTION || locked_axes(def) >> 3 != 0))
            wrong = "a particle, which has no rotation to lock";
        if (wrong)
            return saddle__refuse_new(model, "joint", def->name, "is on %s, %s", name, wrong);
    }
    return SADDLE_OK;
}

/* ---- free coordinates ---- */

/* 1: some setting of the coordinate differs from the default. */
static int in_use(const saddle_joint_free *free)
{
    return !(free->lo == -INFINITY) || !(free->hi == INFINITY) || free->motor || free->servo ||
           !(free->friction == 0);
}

static saddle_status check_free(const saddle_model *model, const saddle_joint_def *def, int k)
{
    const saddle_joint_free *free = &def->free[k];
    const int particle = def->a.item == SADDLE_ITEM_PARTICLE || def->b.item == SADDLE_ITEM_PARTICLE;
    const saddle__numbers numbers[] = {
        {"limit_restitution", SADDLE__SHARE, 1, &free->limit_restitution},
        {"motor_target", SADDLE__ANY, 1, &free->motor_target},
        {"motor_strength", SADDLE__STRENGTH, 1, &free->motor_strength},
        {"servo_position", SADDLE__ANY, 1, &free->servo_position},
        {"servo_velocity", SADDLE__ANY, 1, &free->servo_velocity},
        {"servo_strength", SADDLE__STRENGTH, 1, &free->servo_strength},
        {"friction", SADDLE__STRENGTH, 1, &free->friction}};
    const char *wrong = NULL;
    char word[40];
    snprintf(word, sizeof word, "free coordinate %d of joint", k + 1);
    if (k >= free_count(def)) {
        if (!in_use(free)) return SADDLE_OK;
        wrong = "its kind has fewer free coordinates";
    } else if (particle && in_use(free)) {
        wrong = "a particle has no angles";
    } else if (!(free->lo <= free->hi)) {
        wrong = "its lower limit is above the upper, or one is not a number";
    } else if (free->lo == INFINITY || free->hi == -INFINITY) {
        wrong = "its limits exclude all values";
    }
    if (wrong) return saddle__refuse_new(model, word, def->name, "%s", wrong);
    SADDLE__TRY(saddle__check_numbers(model, word, def->name, 7, numbers));
    SADDLE__TRY(saddle__check_compliance(model, "joint", def->name, &free->limit_compliance));
    return saddle__check_compliance(model, "joint", def->name, &free->servo_compliance);
}

static saddle_status check_bearing(const saddle_model *model, const saddle_joint_def *def)
{
    const int particle = def->a.item == SADDLE_ITEM_PARTICLE || def->b.item == SADDLE_ITEM_PARTICLE;
    const char *wrong = saddle__bearing_fault(def->kind, &def->bearing);
    if (!wrong && def->bearing.mu > 0 && particle) wrong = "has a bearing on a particle";
    return wrong ? saddle__refuse_new(model, "joint", def->name, "%s", wrong) : SADDLE_OK;
}

/* NULL, or what is wrong. */
static const char *motion_fault(const saddle_motion *motion)
{
    if (motion->size < 1 || motion->size > SADDLE_JOINT_COORDINATES_MAX)
        return "its motion has no coordinate, or more than 6";
    if (!motion->evaluate) return "its motion has no function evaluate";
    if (!saddle__is_finite(motion->before.p, 3) || !saddle__is_finite(motion->after.p, 3) ||
        !saddle__is_rotation(motion->before.R, SADDLE__DEFINED_TOLERANCE) ||
        !saddle__is_rotation(motion->after.R, SADDLE__DEFINED_TOLERANCE))
        return "`before` or `after` of its motion is no pose";
    return NULL;
}

static saddle_status check(const saddle_model *model, const saddle_joint_def *def)
{
    const unsigned all = POSITION | ROTATION;
    const unsigned locked = locked_axes(def);
    const saddle__numbers numbers[] = {{"frame_a.p", SADDLE__ANY, 3, def->frame_a.p},
                                       {"frame_b.p", SADDLE__ANY, 3, def->frame_b.p},
                                       {"start", SADDLE__ANY, 6, def->start},
                                       {"bearing.mu", SADDLE__AMOUNT, 1, &def->bearing.mu},
                                       {"bearing.radius", SADDLE__AMOUNT, 1, &def->bearing.radius},
                                       {"bearing.half_length", SADDLE__AMOUNT, 1,
                                        &def->bearing.half_length}};
    const char *wrong = NULL;
    if (!is_known(def->kind))
        wrong = "is of no known kind";
    else if ((unsigned)def->form > SADDLE_JOINT_FORM_CHOSEN)
        wrong = "is of no known form";
    else if (def->kind != SADDLE_JOINT_MOTION && (locked == 0 || (locked & ~all) != 0))
        wrong = "locks no axis, or an unknown one";
    else if (def->kind == SADDLE_JOINT_MOTION && motion_fault(&def->motion))
        wrong = motion_fault(&def->motion);
    else if (!saddle__is_rotation(def->frame_a.R, SADDLE__DEFINED_TOLERANCE))
        wrong = "frame_a.R is no rotation";
    else if (!saddle__is_rotation(def->frame_b.R, SADDLE__DEFINED_TOLERANCE))
        wrong = "frame_b.R is no rotation";
    if (wrong) return saddle__refuse_new(model, "joint", def->name, "%s", wrong);
    SADDLE__TRY(saddle__check_numbers(model, "joint", def->name, sizeof numbers / sizeof *numbers,
                                      numbers));
    SADDLE__TRY(check_parts(model, def));
    SADDLE__TRY(check_bearing(model, def));
    for (int k = 0; k < SADDLE_JOINT_FREE_MAX; k++) SADDLE__TRY(check_free(model, def, k));
    return saddle__check_compliance(model, "joint", def->name, &def->compliance);
}

/* ---- which body is the child ---- */

/* Adds a part to the front of the list to visit, unless already visited by this walk; *first: -1 =
 * none. */
static void meet(const saddle_model *model, saddle_handle handle, int32_t *first)
{
    saddle__item_part *part = saddle__model_part(model, handle);
    if (!part || part->walk == model->walk) return;
    part->walk = model->walk;
    part->next = *first;
    *first = handle.index;
}

/* 1: the body follows the master, directly or not.  Each part is visited once. */
static int follows(saddle_model *model, saddle_handle body, saddle_handle master)
{
    const saddle__item_part *end = saddle__model_part(model, master);
    int32_t first = -1;
    if (end->leads == 0) return 0;
    model->walk++;
    meet(model, body, &first);
    while (first >= 0) {
        const saddle__item_part *part = &model->part[first];
        if (part == end) return 1;
        first = part->next;
        for (int64_t k = 0; part->followed && k < saddle__part_points(part); k++) {
            if (part->followed[k].tie < 0) continue;
            const saddle__item_tie *tie = &model->tie[part->followed[k].tie];
            const saddle_anchor *to = saddle__tie_masters(tie, part->followed[k].point);
            for (int64_t j = 0; j < tie->masters; j++) meet(model, to[j].part, &first);
        }
    }
    return 0;
}

static int may_follow(saddle_model *model, saddle_handle child, saddle_handle parent)
{
    const saddle__item_part *part = saddle__model_part(model, child);
    if (child.item != SADDLE_ITEM_BODY || !part || part->prescribed) return 0;
    if (part->followed && part->followed[0].tie >= 0) return 0;
    return !follows(model, parent, child);
}

static int is_massless(const saddle_model *model, saddle_handle handle)
{
    const saddle__item_part *part = saddle__model_part(model, handle);
    return part && part->massless;
}

/* 1: the form asked for is of coordinates, or to be chosen with coordinates as the less work.  Rows
 * add 12 - k unknowns, coupled with the neighbours alone; coordinates add k, each coupled with all
 * coordinates between it and the ground and below it, and the products J'MJ.  Those are less for
 * k = 0 alone.  Without mass at a body its velocities, or coordinates, would have none in rows. */
static int in_coordinates(const saddle_model *model, const saddle__joint *joint)
{
    const saddle_joint_def *def = &joint->used;
    const int form = def->form == SADDLE_JOINT_FORM_OF_MODEL ? model->joint_form : (int)def->form;
    const unsigned all = 0x3f; /* SADDLE_LOCK_X to SADDLE_LOCK_RZ */
    if (form != SADDLE_JOINT_FORM_CHOSEN) return form == SADDLE_JOINT_FORM_COORDINATES;
    return joint->axes == all || is_massless(model, def->a) || is_massless(model, def->b);
}

/* The child of a new joint, of which `used` and `axes` are set. */
static saddle__joint_child child_of(saddle_model *model, const saddle__joint *joint)
{
    const saddle_joint_def *def = &joint->used;
    const int particle = def->a.item == SADDLE_ITEM_PARTICLE || def->b.item == SADDLE_ITEM_PARTICLE;
    if (!in_coordinates(model, joint) || particle || def->compliance.alpha > 0)
        return SADDLE__JOINT_NO_CHILD;
    if (may_follow(model, def->b, def->a)) return SADDLE__JOINT_CHILD_B;
    return may_follow(model, def->a, def->b) ? SADDLE__JOINT_CHILD_A : SADDLE__JOINT_NO_CHILD;
}

/* ---- adding and changing ---- */

/* The part's pose, of a particle with the world's axes; 0: no such part, or nodes. */
static int part_pose(const saddle_model *model, saddle_handle handle, saddle_pose *pose)
{
    *pose = saddle_pose_identity();
    if (saddle__handle_is_ground(handle)) return 1;
    const saddle__item_part *part = saddle__model_part(model, handle);
    if (!part || handle.item >= SADDLE_ITEM_NODES) return 0;
    memcpy(pose, model->position + part->position, (size_t)part->position_size * sizeof(double));
    return 1;
}

saddle_pose saddle__joint_pose(const saddle_model *model, const saddle_joint_def *def)
{
    saddle_pose a, b;
    (void)part_pose(model, def->a, &a);
    (void)part_pose(model, def->b, &b);
    a = saddle_pose_multiply(&a, &def->frame_a);
    b = saddle_pose_multiply(&b, &def->frame_b);
    return saddle_pose_between(&a, &b);
}

/* The angle between a wheel's axes in the present poses. */
static saddle_status set_cosine(const saddle_model *model, saddle__joint *joint)
{
    const saddle_joint_def *def = &joint->used;
    if (def->kind != SADDLE_JOINT_WHEEL) return SADDLE_OK;
    const saddle_pose E = saddle__joint_pose(model, def);
    joint->cosine = E.R[3];
    if (hypot(E.R[4], E.R[5]) >= SADDLE__HALF_DIGITS) return SADDLE_OK;
    return saddle__refuse_new(model, "joint", def->name, "a's x axis and b's y axis are parallel");
}

/* The definition with the frames in which a motion is Q(q) alone. */
static saddle_joint_def used_of(const saddle_joint_def *def)
{
    saddle_joint_def used = *def;
    if (def->kind != SADDLE_JOINT_MOTION) return used;
    const saddle_pose back = saddle_pose_inverse(&def->motion.after);
    used.frame_a = saddle_pose_multiply(&def->frame_a, &def->motion.before);
    used.frame_b = saddle_pose_multiply(&def->frame_b, &back);
    used.motion.before = used.motion.after = saddle_pose_identity();
    return used;
}

/* Finds the coordinates of a motion in the present poses, from those of the guide. */
static saddle_status set_guide(const saddle_model *model, saddle__joint *joint)
{
    const saddle_joint_def *def = &joint->used;
    const saddle_pose E = saddle__joint_pose(model, def);
    if (saddle__joint_path_settle(&def->motion, &E, &joint->guide)) return SADDLE_OK;
    return saddle__refuse_new(model, "joint", def->name,
                              "no coordinates of its motion are near the present poses and start");
}

static saddle_status set_first_guide(const saddle_model *model, saddle__joint *joint)
{
    if (joint->used.kind != SADDLE_JOINT_MOTION) return SADDLE_OK;
    memcpy(joint->guide.q, joint->used.start, sizeof joint->guide.q);
    SADDLE__TRY(set_guide(model, joint));
    memcpy(joint->guide.first, joint->guide.across, sizeof joint->guide.first);
    return SADDLE_OK;
}

static int64_t frame_origins(const saddle_site *site, double *x)
{
    const saddle__joint *joint = site->data;
    if (x) saddle__site_point(site, 0, joint->used.frame_a.p, x);
    if (x) saddle__site_point(site, 1, joint->used.frame_b.p, x + 3);
    return 2;
}

saddle_status saddle_model_add_joint(saddle_model *model, const saddle_joint_def *def,
                                     saddle_handle *handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && handle,
                          "model, def or joint is NULL");
    saddle__joint made = {.used = used_of(def), .motion = def->motion, .axes = locked_axes(def)};
    saddle_row_def row[SADDLE_CONSTRAINT_ROWS_MAX];
    SADDLE__TRY(check(model, def));
    SADDLE__TRY(set_cosine(model, &made));
    SADDLE__TRY(set_first_guide(model, &made));
    made.child = child_of(model, &made);
    set_functions(&made);
    set_rows(&made, row);
    const saddle_anchor anchors[2] = {{def->a, 0}, {def->b, 0}};
    const saddle_constraint_def constraint = {.name = def->name,
                                              .type = &saddle__joints.type,
                                              .count = 2,
                                              .anchors = anchors,
                                              .rows = made.rows,
                                              .row = row,
                                              .data = &made,
                                              .bytes = sizeof made};
    SADDLE__TRY(saddle__model_add_link(model, NULL, &constraint, handle));
    saddle__item_link *link = saddle__model_constraint(model, *handle);
    saddle__joint *joint = link->data;
    for (int f = joint->locked; f < joint->locked + joint->free; f++)
        if (joint->function[f].turns) link->moved = saddle__joints.moved;
    if (def->kind == SADDLE_JOINT_MOTION && joint->child == SADDLE__JOINT_NO_CHILD)
        link->moved = saddle__joints.moved;
    joint->def = *def;
    joint->def.name = joint->used.name = link->head.name;
    saddle__site_buffer buffer;
    const saddle_site site = saddle__model_site(model, 2, anchors, joint, &buffer);
    saddle__joints.moved(&site, joint);
    link->points = frame_origins;
    link->kind = saddle_joint_kind_word(def->kind);
    if (joint->child == SADDLE__JOINT_NO_CHILD) return SADDLE_OK;
    const saddle_status status = saddle__joint_attach(model, *handle);
    if (status == SADDLE_OK) return SADDLE_OK;
    (void)saddle_model_remove(model, *handle);
    *handle = (saddle_handle){0};
    return status;
}

saddle__joint *saddle__joint_of(const saddle_model *model, saddle_handle handle)
{
    const saddle__item_link *found = saddle__model_constraint(model, handle);
    return found && found->constraint == &saddle__joints.type ? found->data : NULL;
}

saddle_joint_def *saddle_model_joint(saddle_model *model, saddle_handle handle)
{
    saddle__joint *joint = model ? saddle__joint_of(model, handle) : NULL;
    return joint ? &joint->def : NULL;
}

/* 1: the system's rows are of the same sort. */
static int same_rows(int64_t count, const saddle_row_def *a, int64_t other_count,
                     const saddle_row_def *b)
{
    if (count != other_count) return 0;
    for (int64_t i = 0; i < count; i++) {
        if (a[i].purpose != b[i].purpose || isinf(a[i].strength) != isinf(b[i].strength)) return 0;
        if ((a[i].compliance.alpha == 0) != (b[i].compliance.alpha == 0)) return 0;
    }
    return 1;
}

/* Rows of a joint but those of a bearing, which a joint of many rows does not have. */
static int count_rows(const saddle__joint *joint)
{
    const int as_rows = joint->child == SADDLE__JOINT_NO_CHILD;
    int count = as_rows ? joint->locked : 0;
    for (int k = 0; k < joint->free; k++) {
        const saddle_joint_free *free = &joint->used.free[k];
        count += (isfinite(free->lo) != 0) + (isfinite(free->hi) != 0);
        count += (free->motor != 0) + (free->servo != 0);
        count += (free->friction > 0) +
                 (as_rows && joint->prescribed.how != SADDLE_PRESCRIPTION_NONE);
    }
    return count;
}

saddle_status saddle__joint_renew_rows(saddle_model *model, saddle__item_link *link,
                                       saddle__joint *joint)
{
    saddle__joint changed = *joint;
    saddle_row_def row[SADDLE_CONSTRAINT_ROWS_MAX];
    if (count_rows(joint) > SADDLE_CONSTRAINT_ROWS_MAX)
        return saddle__refuse_new(model, "joint", link->head.name, "has more than %d rows",
                                  SADDLE_CONSTRAINT_ROWS_MAX);
    set_rows(&changed, row);
    if (!same_rows(link->rows, link->row, changed.rows, row)) {
        saddle_row_def *grown = saddle_allocate(model->context, changed.rows, sizeof *grown);
        if (!grown) return SADDLE_OUT_OF_MEMORY;
        saddle_release(model->context, link->row);
        link->row = grown;
        link->rows = changed.rows;
        model->edition++;
    }
    if (changed.rows > 0) memcpy(link->row, row, (size_t)changed.rows * sizeof *row);
    *joint = changed;
    return SADDLE_OK;
}

/* What a joint in coordinates cannot become. */
static saddle_status check_changed(const saddle_model *model, const saddle__item_link *constraint,
                                   const saddle_joint_def *def)
{
    if (!saddle__model_tie(model, constraint->tie)) return SADDLE_OK;
    if (def->compliance.alpha == 0) return SADDLE_OK;
    return saddle__refuse_new(model, "joint", constraint->head.name,
                              "it is in coordinates, which know no compliance");
}

static int same_pose(const saddle_pose *a, const saddle_pose *b)
{
    return memcmp(a->p, b->p, sizeof a->p) == 0 && memcmp(a->R, b->R, sizeof a->R) == 0;
}

static int same_frames(const saddle_joint_def *a, const saddle_joint_def *b)
{
    return same_pose(&a->frame_a, &b->frame_a) && same_pose(&a->frame_b, &b->frame_b);
}

static int same_motion(const saddle_motion *a, const saddle_motion *b)
{
    return a->size == b->size && a->data == b->data && a->evaluate == b->evaluate &&
           a->rate == b->rate && a->reparameterize == b->reparameterize &&
           same_pose(&a->before, &b->before) && same_pose(&a->after, &b->after);
}

/* 1: what stays of a definition is as it was. */
static int stays(const saddle__joint *joint)
{
    const saddle_joint_def *def = &joint->def, *used = &joint->used;
    return def->kind == used->kind && def->form == used->form &&
           same_motion(&def->motion, &joint->motion) &&
           memcmp(def->start, used->start, sizeof def->start) == 0 &&
           locked_axes(def) == joint->axes && saddle__handles_are_same(def->a, used->a) &&
           saddle__handles_are_same(def->b, used->b);
}

/* New frames of a joint in coordinates, which the next assembly reads. */
static void place_motion(saddle_model *model, const saddle__item_link *constraint,
                         const saddle_joint_def *def)
{
    const saddle__item_tie *tie = saddle__model_tie(model, constraint->tie);
    if (!tie) return;
    saddle__joint_motion_place(tie->motion, def);
    model->edition++;
}

saddle_status saddle_model_joint_changed(saddle_model *model, saddle_handle handle)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    saddle__joint *joint = saddle__joint_of(model, handle);
    if (!joint) return saddle__refuse_item(model, "", handle, " is no joint");
    saddle__item_link *constraint = saddle__model_constraint(model, handle);
    if (!stays(joint))
        return saddle__refuse_new(model, "joint", constraint->head.name,
                                  "its kind, its motion, start, its form and its parts stay");
    SADDLE__TRY(check(model, &joint->def));
    SADDLE__TRY(check_changed(model, constraint, &joint->def));
    const saddle_joint_def before = joint->used;
    const saddle__joint_guide guide = joint->guide;
    joint->def.name = constraint->head.name;
    joint->used = used_of(&joint->def);
    const int moved = !same_frames(&before, &joint->used);
    saddle_status status = SADDLE_OK;
    if (moved && joint->used.kind == SADDLE_JOINT_MOTION && joint->child == SADDLE__JOINT_NO_CHILD)
        status = set_guide(model, joint);
    if (status == SADDLE_OK) status = saddle__joint_renew_rows(model, constraint, joint);
    if (status != SADDLE_OK) {
        joint->used = before;
        joint->guide = guide;
        return status;
    }
    if (!moved) return SADDLE_OK;
    place_motion(model, constraint, &joint->used);
    saddle__coordinates_follow(model, handle);
    return SADDLE_OK;
}

/* ---- frames ----
 *
 * Frames for joints: along an axis, and at a place in the world for both parts.
 */

/* pose: frame b where start puts it from frame a; 0: out of range. */
static int pose_at_start(const saddle_joint_def *def, saddle_pose *pose)
{
    saddle_pose Q;
    double S[6 * SADDLE_JOINT_COORDINATES_MAX] = {0};
    if (def->motion.evaluate(def->motion.data, def->start, &Q, S) != 0) return 0;
    if (!saddle__is_finite(Q.p, 3) || !saddle__is_finite(Q.R, 9)) return 0;
    *pose = saddle_pose_multiply(pose, &def->motion.before);
    *pose = saddle_pose_multiply(pose, &Q);
    *pose = saddle_pose_multiply(pose, &def->motion.after);
    return 1;
}

saddle_status saddle_joint_def_at(const saddle_model *model, const saddle_pose *world,
                                  saddle_joint_def *def)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && world && def,
                          "model, world or def is NULL");
    if (!saddle__is_finite(world->p, 3) ||
        !saddle__is_rotation(world->R, SADDLE__DEFINED_TOLERANCE)) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "joint: its place in the world is not finite or no rotation");
    }
    const saddle_handle parts[2] = {def->a, def->b};
    saddle_pose frame[2], moved[2] = {*world, *world};
    if (def->kind == SADDLE_JOINT_MOTION) {
        const char *wrong = motion_fault(&def->motion);
        if (!wrong && !pose_at_start(def, &moved[1])) wrong = "its start is out of range";
        if (wrong) return saddle__refuse_new(model, "joint", def->name, "%s", wrong);
    }
    for (int k = 0; k < 2; k++) {
        saddle_pose pose;
        if (!part_pose(model, parts[k], &pose))
            return saddle__refuse_item(model, "joint: is on ", parts[k], ", which is no body");
        frame[k] = saddle_pose_between(&pose, &moved[k]);
    }
    def->frame_a = frame[0];
    def->frame_b = frame[1];
    return SADDLE_OK;
}

/* x: along the axis of the world farthest from z, made normal to z. */
saddle_status saddle_pose_along(saddle_context *context, const double *origin, const double *axis,
                                saddle_pose *pose)
{
    SADDLE__RETURN_UNLESS(context, origin && axis && pose, "origin, axis or pose is NULL");
    const double scale = fmax(fabs(axis[0]), fmax(fabs(axis[1]), fabs(axis[2])));
    if (!(scale > 0 && isfinite(axis[0]) && isfinite(axis[1]) && isfinite(axis[2]))) {
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "an axis of length zero, or not finite");
    }
    saddle_pose made = {.p = {origin[0], origin[1], origin[2]}};
    double *x = made.R, *y = made.R + 3, *z = made.R + 6;
    for (int i = 0; i < 3; i++) z[i] = axis[i] / scale;
    const double length = sqrt(saddle__dot(z, z));
    int farthest = 0;
    for (int i = 0; i < 3; i++) {
        z[i] /= length;
        if (fabs(z[i]) < fabs(z[farthest])) farthest = i;
    }
    x[farthest] = 1;
    saddle__cross(z, x, y);
    const double across = sqrt(saddle__dot(y, y));
    for (int i = 0; i < 3; i++) y[i] /= across;
    saddle__cross(y, z, x);
    *pose = made;
    return SADDLE_OK;
}
