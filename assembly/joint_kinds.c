/* SPDX-License-Identifier: MIT */
/* The kinds of joints: what each locks, what its free coordinates are, and the rows of both
 * (saddle/joint.h). */
#include <math.h>
#include <string.h>

#include "joint_internal.h"

enum { POSITION = SADDLE_LOCK_X | SADDLE_LOCK_Y | SADDLE_LOCK_Z };

typedef struct joint_kind {
    const char *word;
    unsigned locked;
    int free;
    saddle__joint_function function[SADDLE_JOINT_FREE_MAX];
} joint_kind;

#define ENTRY(i, j) ((i) + 3 * (j)) /* R_ij in the columns of R */

static const joint_kind kinds[] = {
    [SADDLE_JOINT_FIXED] = {"fixed",
                            POSITION | SADDLE_LOCK_RX | SADDLE_LOCK_RY | SADDLE_LOCK_RZ,
                            0,
                            {{0}}},
    [SADDLE_JOINT_HINGE] =
        {"hinge",
         POSITION | SADDLE_LOCK_RX | SADDLE_LOCK_RY,
         1,
         {{SADDLE__JOINT_ANGLE, {ENTRY(1, 0), ENTRY(0, 1), ENTRY(0, 0), ENTRY(1, 1)}, 0, 0, 1}}},
    [SADDLE_JOINT_SLIDER] = {"slider",
                             SADDLE_LOCK_X | SADDLE_LOCK_Y | SADDLE_LOCK_RX | SADDLE_LOCK_RY |
                                 SADDLE_LOCK_RZ,
                             1,
                             {{SADDLE__JOINT_DISTANCE, {2, -1, -1, -1}, 0, 0, 0}}},
    [SADDLE_JOINT_BALL] = {"ball",
                           POSITION,
                           3,
                           {{SADDLE__JOINT_ANGLE, {ENTRY(1, 0), -1, ENTRY(0, 0), -1}, 0, 0, 0},
                            {SADDLE__JOINT_PITCH, {ENTRY(2, 0), -1, -1, -1}, 0, 0, 0},
                            {SADDLE__JOINT_ANGLE, {ENTRY(2, 1), -1, ENTRY(2, 2), -1}, 0, 0, 0}}},
    [SADDLE_JOINT_UNIVERSAL] =
        {"universal",
         POSITION | SADDLE_LOCK_RZ,
         2,
         {{SADDLE__JOINT_ANGLE, {ENTRY(2, 1), -1, ENTRY(1, 1), -1}, 0, 0, 1},
          {SADDLE__JOINT_ANGLE, {ENTRY(0, 2), -1, ENTRY(0, 0), -1}, 0, 0, 1}}},
    [SADDLE_JOINT_WHEEL] = {"wheel",
                            POSITION | SADDLE_LOCK_RZ,
                            2,
                            {{SADDLE__JOINT_ANGLE, {ENTRY(2, 1), -1, ENTRY(1, 1), -1}, 0, 0, 1},
                             {SADDLE__JOINT_ANGLE, {ENTRY(0, 2), -1, ENTRY(0, 0), -1}, 0, 0, 1}}},
    [SADDLE_JOINT_CUSTOM] = {"custom", 0, 0, {{0}}},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static int known(saddle_joint_kind kind)
{
    return (int)kind >= 0 && (int)kind < KINDS;
}

const char *saddle_joint_kind_word(saddle_joint_kind kind)
{
    return known(kind) ? kinds[kind].word : "?";
}

saddle_status saddle_joint_kind_from_word(const char *word, saddle_joint_kind *kind)
{
    if (!word || !kind) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; word != NULL && k < KINDS; k++) {
        if (strcmp(word, kinds[k].word) != 0) continue;
        *kind = (saddle_joint_kind)k;
        return SADDLE_OK;
    }
    return SADDLE_UNKNOWN_NAME;
}

int64_t saddle_joint_free_count(saddle_joint_kind kind)
{
    return known(kind) ? kinds[kind].free : 0;
}

unsigned saddle__joint_locked(const saddle_joint_def *def)
{
    return def->kind == SADDLE_JOINT_CUSTOM ? def->locked
           : known(def->kind)               ? kinds[def->kind].locked
                                            : 0;
}

/* ---- functions ---- */

/* Of the rotation about axis r, one of `count` locked; bits: those locked of x, y, z. */
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

void saddle__joint_set_functions(saddle__joint *joint)
{
    const unsigned locked = saddle__joint_locked(&joint->used), rotations = locked >> 3;
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
    joint->functions = joint->locked;
    const joint_kind *is = &kinds[joint->used.kind];
    for (int k = 0; k < is->free; k++) joint->function[joint->functions++] = is->function[k];
}

/* ---- rows ---- */

static void add_row(saddle__joint *joint, saddle_row_def *row, saddle__joint_row function,
                    saddle_row_def def)
{
    def.angular = joint->function[function.function].kind != SADDLE__JOINT_DISTANCE;
    joint->row[joint->rows] = function;
    row[joint->rows++] = def;
}

static void add_free_rows(saddle__joint *joint, int f, const saddle_joint_free *free,
                          saddle_row_def *row)
{
    const saddle_row_def limit = {.purpose = SADDLE_LIMIT,
                                  .strength = INFINITY,
                                  .restitution = free->limit_restitution,
                                  .compliance = free->limit_compliance};
    if (isfinite(free->lo)) add_row(joint, row, (saddle__joint_row){f, 1, -free->lo, 0}, limit);
    if (isfinite(free->hi)) add_row(joint, row, (saddle__joint_row){f, -1, free->hi, 0}, limit);
    if (free->motor) {
        add_row(joint, row, (saddle__joint_row){f, 1, 0, 0},
                (saddle_row_def){.purpose = SADDLE_DRIVE,
                                 .strength = free->motor_strength,
                                 .target = free->motor_target});
    }
    if (free->servo) {
        add_row(joint, row, (saddle__joint_row){f, 1, -free->servo_position, -free->servo_velocity},
                (saddle_row_def){.purpose = SADDLE_HOLD,
                                 .strength = free->servo_strength,
                                 .compliance = free->servo_compliance});
    }
    if (free->friction > 0) {
        add_row(joint, row, (saddle__joint_row){f, 1, 0, 0},
                (saddle_row_def){.purpose = SADDLE_DRIVE, .strength = free->friction});
    }
}

void saddle__joint_set_rows(saddle__joint *joint, saddle_row_def *row)
{
    const saddle_row_def hold = {.purpose = SADDLE_HOLD,
                                 .strength = INFINITY,
                                 .compliance = joint->used.compliance};
    joint->rows = 0;
    for (int f = 0; f < joint->locked; f++)
        add_row(joint, row, (saddle__joint_row){f, 1, 0, 0}, hold);
    for (int f = joint->locked; f < joint->functions; f++) {
        add_free_rows(joint, f, &joint->used.free[f - joint->locked], row);
    }
}
