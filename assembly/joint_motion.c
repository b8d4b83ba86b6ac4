/* SPDX-License-Identifier: MIT */
/* Joints in coordinates: the motion that a joint leaves free, its coordinates in the present poses
 * (saddle/joint.h).
 *
 *     Q(q) = T(free distances) R
 *
 *     R                    rotations
 *     exp(k q)             k is free alone
 *     R_i(q1) C R_j(q2)    k is locked alone, C about k, C_ij = cosine
 *     exp([q])             none is locked
 *
 * A chain of screws (saddle/joint_coordinates.h), or the definition's motion, in the frame on a.
 * Where a is the child, its motion is Q^-1, with
 *
 *     S <- -Ad(Q) S,     dS <- -Ad(Q) (dS + ad(S dq) S)
 */
#include <math.h>
#include <string.h>

#include "dense/dense.h"
#include "joint_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

static const double screws[6][6] = {{1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {0, 0, 1, 0, 0, 0},
                                    {0, 0, 0, 1, 0, 0}, {0, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}};

enum { K = SADDLE_JOINT_COORDINATES_MAX };

/* ---- forms ---- */

static const char *const words[] = {
#define FORM_WORD(name, word) [name] = word,
    SADDLE_JOINT_FORM_LIST(FORM_WORD)
#undef FORM_WORD
};

enum { FORMS = sizeof words / sizeof *words };

const char *saddle_joint_form_word(saddle_joint_form form)
{
    return (unsigned)form < FORMS ? words[form] : "?";
}

saddle_status saddle_joint_form_from_word(const char *word, saddle_joint_form *form)
{
    if (!word || !form) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; k < FORMS; k++) {
        if (strcmp(word, words[k]) != 0) continue;
        *form = (saddle_joint_form)k;
        return SADDLE_OK;
    }
    return SADDLE_UNKNOWN_NAME;
}

saddle_status saddle_model_set_joint_form(saddle_model *model, saddle_joint_form form)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    if ((unsigned)form >= FORMS)
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "joint form %d", (int)form);
    model->joint_form = (int)form;
    return SADDLE_OK;
}

/* The attachment of a joint in coordinates; NULL: a joint as rows, or no joint. */
static const saddle__item_tie *tie_of(const saddle_model *model, saddle_handle joint)
{
    const saddle__item_link *link = model ? saddle__model_constraint(model, joint) : NULL;
    return link ? saddle__model_tie(model, link->tie) : NULL;
}

saddle_joint_form saddle_model_joint_form(const saddle_model *model, saddle_handle joint)
{
    if (!model || !saddle__joint_of(model, joint)) return SADDLE_JOINT_FORM_OF_MODEL;
    const saddle__item_tie *tie = tie_of(model, joint);
    return tie ? SADDLE_JOINT_FORM_COORDINATES : SADDLE_JOINT_FORM_ROWS;
}

saddle_handle saddle_model_joint_part(const saddle_model *model, saddle_handle joint)
{
    const saddle__item_tie *tie = tie_of(model, joint);
    return tie ? tie->coordinates : (saddle_handle){0};
}

/* ---- the motion ---- */

static saddle_motion screw_of(int axis)
{
    return (saddle_motion){.size = 1,
                           .before = saddle_pose_identity(),
                           .after = saddle_pose_identity(),
                           .evaluate = saddle_motion_screw,
                           .data = screws[axis]};
}

/* The turn C about the locked rotation k. */
static saddle_pose turn_between(int k, double cosine)
{
    double about[3] = {0, 0, 0};
    saddle_pose turn = saddle_pose_identity();
    about[k] = -asin(cosine);
    if (cosine != 0) saddle_rotation_exp(about, turn.R);
    return turn;
}

/* The single locked, or single free, rotation among the bits. */
static int single_of(unsigned bits)
{
    return bits & 1 ? 0 : bits & 2 ? 1 : 2;
}

static int count_of(unsigned bits)
{
    return (int)((bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1));
}

/* Parts of the chain; returns their number. */
static int list_parts(unsigned locked, double cosine, saddle_motion *part)
{
    const unsigned rotations = locked >> 3 & 7;
    int count = 0;
    for (int i = 0; i < 3; i++)
        if (!(locked >> i & 1)) part[count++] = screw_of(i);
    if (count_of(rotations) == 0) {
        part[count++] = saddle_motion_exponential();
    } else if (count_of(rotations) == 1) {
        const int k = single_of(rotations);
        part[count] = screw_of(3 + (k + 1) % 3);
        part[count++].after = turn_between(k, cosine);
        part[count++] = screw_of(3 + (k + 2) % 3);
    } else if (count_of(rotations) == 2) {
        part[count++] = screw_of(3 + single_of(~rotations));
    }
    return count;
}

static int evaluate_back(const void *data, const double *q, saddle_pose *Q, double *S)
{
    const saddle_motion *forth = data;
    saddle_pose P;
    if (forth->evaluate(forth->data, q, &P, S) != 0) return 1;
    for (int64_t j = 0; j < forth->size; j++) {
        saddle_twist_to_outer(&P, S + 6 * j, S + 6 * j);
        for (int i = 0; i < 6; i++) S[i + 6 * j] = -S[i + 6 * j];
    }
    *Q = saddle_pose_inverse(&P);
    return 0;
}

static int back_rate(const void *data, const double *q, const double *dq, double *dS)
{
    const saddle_motion *forth = data;
    saddle_pose P;
    double S[6 * K] = {0}, s[6] = {0}, turning[6];
    if (forth->evaluate(forth->data, q, &P, S) != 0) return 1;
    if (forth->rate && forth->rate(forth->data, q, dq, dS) != 0) return 1;
    for (int64_t j = 0; j < forth->size; j++)
        for (int i = 0; i < 6; i++) s[i] += S[i + 6 * j] * dq[j];
    for (int64_t j = 0; j < forth->size; j++) {
        saddle_twist_cross(s, S + 6 * j, turning);
        for (int i = 0; i < 6; i++) dS[i + 6 * j] = -(dS[i + 6 * j] + turning[i]);
        saddle_twist_to_outer(&P, dS + 6 * j, dS + 6 * j);
    }
    return 0;
}

static int reparameterize_back(const void *data, double *q, double *dq)
{
    const saddle_motion *forth = data;
    return forth->reparameterize ? forth->reparameterize(forth->data, q, dq) : 0;
}

void saddle__joint_motion_place(saddle__joint_motion *made, const saddle_joint_def *def)
{
    const saddle_pose *parent = made->back ? &def->frame_b : &def->frame_a,
                      *child = made->back ? &def->frame_a : &def->frame_b;
    made->motion.before = *parent;
    made->motion.after = saddle_pose_inverse(child);
}

/* made is where it stays: the parts of the chain point into it. */
static saddle_status set_motion(const saddle_model *model, const saddle__joint *joint,
                                unsigned locked, int back, saddle__joint_motion *made)
{
    made->back = back;
    const int is_motion = joint->used.kind == SADDLE_JOINT_MOTION;
    made->part[0] = joint->used.motion;
    made->chain = (saddle_joint_chain){is_motion ? 1
                                                 : list_parts(locked, joint->cosine, made->part),
                                       made->part};
    made->forth = saddle_motion_fixed();
    if (made->chain.count > 0)
        SADDLE__TRY(saddle_motion_chain(model->context, &made->chain, &made->forth));
    made->motion = made->forth;
    if (back && made->forth.size > 0) {
        made->motion.evaluate = evaluate_back;
        made->motion.rate = back_rate;
        made->motion.reparameterize = reparameterize_back;
        made->motion.data = &made->forth;
    }
    saddle__joint_motion_place(made, &joint->used);
    return SADDLE_OK;
}

/* ---- coordinates of the present state ---- */

#define AT(R, i, j) ((R)[(i) + 3 * (j)])

/* q at the pose E of the frame on b in that on a; as near as the joint allows. */
static void read_position(unsigned locked, const saddle_pose *E, double *q)
{
    const unsigned rotations = locked >> 3 & 7;
    for (int i = 0; i < 3; i++)
        if (!(locked >> i & 1)) *q++ = E->p[i];
    if (count_of(rotations) == 0) {
        saddle_rotation_log(E->R, q);
    } else if (count_of(rotations) == 1) {
        const int k = single_of(rotations), i = (k + 1) % 3, j = (k + 2) % 3;
        q[0] = atan2(AT(E->R, k, j), AT(E->R, j, j));
        q[1] = atan2(AT(E->R, i, k), AT(E->R, i, i));
    } else if (count_of(rotations) == 2) {
        const int k = single_of(~rotations), i = (k + 1) % 3, j = (k + 2) % 3;
        q[0] = atan2(AT(E->R, j, i) - AT(E->R, i, j), AT(E->R, i, i) + AT(E->R, j, j));
    }
}

static double product_of(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

/* dq: S dq nearest to the twist w of the frame on b relative to that on a, in its axes. */
static void read_velocity(const saddle_motion *forth, const double *q, const double *w, double *dq)
{
    saddle_pose Q;
    double S[6 * K] = {0}, gram[K * K];
    int pivot[K];
    const int64_t n = forth->size;
    if (n == 0 || forth->evaluate(forth->data, q, &Q, S) != 0) return;
    for (int64_t i = 0; i < n; i++) {
        dq[i] = product_of(S + 6 * i, w);
        for (int64_t j = 0; j < n; j++) gram[i + n * j] = product_of(S + 6 * i, S + 6 * j);
    }
    if (saddle__dense_solve_with(NULL, n, 1, gram, dq, pivot) != SADDLE_OK) saddle__zero(dq, n);
}

static void twist_of(const saddle_model *model, saddle_handle handle, double *twist)
{
    const saddle__item_part *part = saddle__model_part(model, handle);
    memset(twist, 0, 6 * sizeof *twist);
    if (part) memcpy(twist, model->velocity + part->velocity, 6 * sizeof *twist);
}

/* found: q of a motion. */
static void read_state(const saddle_model *model, const saddle_joint_def *def, unsigned locked,
                       const double *found, const saddle_motion *forth, double *q, double *dq)
{
    const saddle_pose E = saddle__joint_pose(model, def);
    double v[2][6];
    twist_of(model, def->a, v[0]);
    twist_of(model, def->b, v[1]);
    saddle_twist_to_inner(&def->frame_a, v[0], v[0]);
    saddle_twist_to_inner(&def->frame_b, v[1], v[1]);
    saddle_twist_to_inner(&E, v[0], v[0]);
    for (int i = 0; i < 6; i++) v[1][i] -= v[0][i];
    if (def->kind == SADDLE_JOINT_MOTION)
        memcpy(q, found, (size_t)forth->size * sizeof *q);
    else
        read_position(locked, &E, q);
    read_velocity(forth, q, v[1], dq);
}

/* ---- adding ---- */

/* The attachment of the child; its contents are released on failure. */
static saddle_status make_tie(saddle_model *model, const saddle__joint *joint,
                              saddle__item_tie *made)
{
    saddle_context *context = model->context;
    const saddle_joint_def *def = &joint->used;
    const int back = joint->child == SADDLE__JOINT_CHILD_A;
    const saddle_anchor parent = {back ? def->b : def->a, 0};
    double q[K] = {0}, dq[K] = {0};
    const unsigned locked = joint->axes;
    made->masters = saddle__handle_is_ground(parent.part) ? 0 : 1;
    made->node = saddle_allocate(context, 1, sizeof *made->node);
    made->motion = saddle_allocate(context, 1, sizeof *made->motion);
    if (!made->node || !made->motion) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(saddle__copy_block(context, &parent, 1, sizeof parent, (void **)&made->to));
    SADDLE__TRY(set_motion(model, joint, locked, back, made->motion));
    read_state(model, def, locked, joint->guide.q, &made->motion->forth, q, dq);
    return saddle__model_add_coordinates(model, made->motion->forth.size, q, dq,
                                         &made->coordinates);
}

saddle_status saddle__joint_attach(saddle_model *model, saddle_handle handle)
{
    const saddle__joint *joint = saddle__joint_of(model, handle);
    const saddle_joint_def *def = &joint->used;
    saddle_handle tie = {0};
    saddle__item_tie made = {.kind = SADDLE__BODY_ON_JOINT,
                             .part = joint->child == SADDLE__JOINT_CHILD_A ? def->a : def->b,
                             .joint = handle,
                             .count = 1,
                             .sets = 1};
    saddle_status status = make_tie(model, joint, &made);
    if (status != SADDLE_OK) {
        saddle__clear_tie(model->context, &made);
        return status;
    }
    const saddle_handle coordinates = made.coordinates;
    status = saddle__model_add_tie(model, &made, &tie);
    if (status == SADDLE_OK)
        saddle__model_constraint(model, handle)->tie = tie;
    else
        (void)saddle_model_remove(model, coordinates);
    return status;
}
