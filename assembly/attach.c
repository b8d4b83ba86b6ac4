/* SPDX-License-Identifier: MIT */
/* Attachments of a model: definitions checked, weights and offsets of the present state stored,
 * who follows whom (saddle/attach.h). */
#include "saddle/attach.h"

#include <math.h>

#include "model_internal.h"
#include "space/space.h"

static const char *const word = "attachment";

/* ---- checks ---- */

static int is_body(const saddle_model *model, saddle_anchor anchor)
{
    return saddle__model_part(model, anchor.part)->head.item == SADDLE_ITEM_BODY;
}

/* The attached points: their part, numbers, and that each is free. */
static saddle_status check_attached(const saddle_model *model, const saddle_attach_def *def,
                                    int64_t count)
{
    char whose[160];
    saddle__model_describe(model, def->part, whose, sizeof whose);
    const saddle__item_part *part = saddle__model_part(model, def->part);
    if (!part || part->head.item == SADDLE_ITEM_COORDINATES)
        return saddle__refuse_new(model, word, def->name, "%s is no part with a place", whose);
    if (part->prescribed)
        return saddle__refuse_new(model, word, def->name, "%s is prescribed", whose);
    if (count < 1 || count > saddle__part_points(part))
        return saddle__refuse_new(model, word, def->name, "%lld nodes of %s, which has %lld",
                                  (long long)count, whose, (long long)saddle__part_points(part));
    for (int64_t k = 0; k < count; k++) {
        const int64_t node = def->node ? def->node[k] : k;
        if (node < 0 || node >= saddle__part_points(part))
            return saddle__refuse_new(model, word, def->name, "%s has no node [%lld]", whose,
                                      (long long)node);
        if (part->followed && part->followed[node].tie >= 0)
            return saddle__refuse_new(model, word, def->name, "%s[%lld] is attached already", whose,
                                      (long long)node);
    }
    return SADDLE_OK;
}

static saddle_status check_master(const saddle_model *model, const saddle_attach_def *def,
                                  const saddle_anchor *set, int64_t j)
{
    char whose[160];
    const saddle_anchor anchor = set[j];
    saddle__model_describe(model, anchor.part, whose, sizeof whose);
    if (saddle__handle_is_ground(anchor.part))
        return saddle__refuse_new(model, word, def->name,
                                  "the ground is no master; a prescribed part may be");
    const saddle__item_part *part = saddle__model_part(model, anchor.part);
    if (!part || part->head.item == SADDLE_ITEM_COORDINATES)
        return saddle__refuse_new(model, word, def->name, "master %s is no part with a place",
                                  whose);
    if (anchor.node < 0 || anchor.node >= saddle__part_points(part))
        return saddle__refuse_new(model, word, def->name, "master %s has no node [%lld]", whose,
                                  (long long)anchor.node);
    for (int64_t i = 0; i < j; i++)
        if (saddle__handles_are_same(set[i].part, anchor.part) && set[i].node == anchor.node)
            return saddle__refuse_new(model, word, def->name, "master %s is given twice", whose);
    return SADDLE_OK;
}

/* 1: the points of an array of `count` bodies or particles are all points (no bodies). */
static int all_points(const saddle_model *model, const saddle_anchor *set, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        if (is_body(model, set[j])) return 0;
    return 1;
}

static int all_bodies(const saddle_model *model, const saddle_anchor *set, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        if (!is_body(model, set[j])) return 0;
    return 1;
}

/* The sum of one point's weights, which rounding keeps from 1. */
static double sum_of(const double *weight, int64_t masters)
{
    double sum = 0;
    for (int64_t j = 0; j < masters; j++) sum += weight[j];
    return sum;
}

static saddle_status check_weights(const saddle_model *model, const saddle_attach_def *def,
                                   int64_t count)
{
    for (int64_t k = 0; def->weight && !def->element && k < count; k++) {
        const double sum = sum_of(def->weight + k * def->masters, def->masters);
        if (!(fabs(sum - 1) <= SADDLE__DEFINED_TOLERANCE))
            return saddle__refuse_new(model, word, def->name,
                                      "the weights of point [%lld] sum to %.12g, not 1",
                                      (long long)k, sum);
    }
    return SADDLE_OK;
}

static saddle_status check_masters(const saddle_model *model, const saddle_attach_def *def,
                                   int64_t sets)
{
    if (def->masters < 1 || !def->to)
        return saddle__refuse_new(model, word, def->name, "it has %lld masters",
                                  (long long)def->masters);
    if (def->masters > INT32_MAX / sets)
        return saddle_fail(model->context, SADDLE_TOO_LARGE, "attachment: too many masters");
    for (int64_t s = 0; s < sets; s++) {
        const saddle_anchor *set = def->to + s * def->masters;
        for (int64_t j = 0; j < def->masters; j++) SADDLE__TRY(check_master(model, def, set, j));
        const int points = all_points(model, set, def->masters);
        if (def->element && (!points || saddle_element_nodes(*def->element) != def->masters))
            return saddle__refuse_new(model, word, def->name,
                                      "its masters are not the nodes of the element");
        if (def->part.item == SADDLE_ITEM_BODY &&
            !(points ? def->masters > 2 : all_bodies(model, set, def->masters)))
            return saddle__refuse_new(model, word, def->name,
                                      "a body follows bodies, or three points or more");
    }
    return SADDLE_OK;
}

/* ---- data ---- */

static const double *position_of(const saddle_model *model, saddle_anchor anchor)
{
    return model->position + saddle__model_part(model, anchor.part)->position + 3 * anchor.node;
}

static saddle_pose pose_of(const double *position)
{
    saddle_pose pose;
    memcpy(&pose, position, sizeof pose);
    return pose;
}

/* data (4 x masters): weight and place of a point x in each master. */
static saddle_status place_point(const saddle_model *model, const saddle_attach_def *def,
                                 const saddle_anchor *to, const double *weight, const double *x,
                                 double *data)
{
    double natural[3], shape[SADDLE_ELEMENT_NODES_MAX], rest[3 * SADDLE_ELEMENT_NODES_MAX];
    if (def->element) {
        for (int64_t j = 0; j < def->masters; j++)
            saddle__copy(rest + 3 * j, position_of(model, to[j]), 3);
        SADDLE__TRY(saddle_element_natural(model->context, *def->element, rest, x, natural));
        saddle_element_shape(*def->element, natural, shape, NULL);
        weight = shape;
    }
    const double sum = weight ? sum_of(weight, def->masters) : 1;
    for (int64_t j = 0; j < def->masters; j++) {
        double *own = data + 4 * j;
        own[0] = weight ? weight[j] / sum : 1 / (double)def->masters;
        if (!is_body(model, to[j])) continue;
        const saddle_pose pose = pose_of(position_of(model, to[j]));
        for (int i = 0; i < 3; i++) own[1 + i] = x[i] - pose.p[i];
        saddle__unrotate(pose.R, own + 1, own + 1);
    }
    return SADDLE_OK;
}

static saddle_status place_points(const saddle_model *model, const saddle_attach_def *def,
                                  saddle__item_tie *tie)
{
    for (int64_t k = 0; k < tie->count; k++) {
        const saddle_anchor own = {tie->part, tie->node[k]};
        const double *weight = def->weight ? def->weight + k * tie->masters : NULL;
        SADDLE__TRY(place_point(model, def, saddle__tie_masters(tie, k), weight,
                                position_of(model, own), tie->data + 4 * k * tie->masters));
    }
    return SADDLE_OK;
}

static void place_body(const saddle_model *model, const saddle_attach_def *def,
                       saddle__item_tie *tie)
{
    const saddle_anchor self = {tie->part, 0};
    const saddle_pose own = pose_of(position_of(model, self));
    const double sum = def->weight && !def->element ? sum_of(def->weight, tie->masters) : 1;
    tie->pose = own;
    for (int64_t j = 0; j < tie->masters; j++) {
        const double *x = position_of(model, tie->to[j]);
        const double w = def->weight && !def->element ? def->weight[j] / sum
                                                      : 1 / (double)tie->masters;
        if (tie->kind == SADDLE__BODY_ON_BODY || tie->kind == SADDLE__BODY_ON_BODIES) {
            const saddle_pose master = pose_of(x);
            tie->pose = saddle_pose_between(&master, &own);
            tie->data[j] = w;
            memcpy(tie->data + tie->masters + 12 * j, &tie->pose, sizeof tie->pose);
            continue;
        }
        saddle__copy(tie->data + 3 * j, x, 3);
        if (tie->kind == SADDLE__BODY_ON_POINTS) tie->data[3 * tie->masters + j] = w;
    }
}

static saddle__tie_kind kind_of(const saddle_model *model, const saddle_attach_def *def)
{
    if (def->part.item != SADDLE_ITEM_BODY) return SADDLE__POINT;
    if (def->element) return SADDLE__BODY_IN_ELEMENT;
    if (!is_body(model, def->to[0])) return SADDLE__BODY_ON_POINTS;
    return def->masters == 1 ? SADDLE__BODY_ON_BODY : SADDLE__BODY_ON_BODIES;
}

static saddle_status make_tie(const saddle_model *model, const saddle_attach_def *def,
                              saddle__item_tie *tie)
{
    saddle_context *context = model->context;
    const int64_t numbers = tie->kind == SADDLE__POINT ? 4 * tie->count * tie->masters
                                                       : 13 * tie->masters;
    SADDLE__TRY(saddle__copy_block(context, def->name,
                                   def->name ? (int64_t)strlen(def->name) + 1 : 0, 1,
                                   (void **)&tie->head.name));
    SADDLE__TRY(saddle__copy_block(context, def->to, tie->masters * tie->sets, sizeof *def->to,
                                   (void **)&tie->to));
    tie->node = saddle_allocate(context, tie->count, sizeof *tie->node);
    tie->data = saddle_allocate(context, numbers, sizeof *tie->data);
    if (!tie->node || !tie->data) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < tie->count; k++) tie->node[k] = def->node ? def->node[k] : k;
    if (tie->kind == SADDLE__POINT) return place_points(model, def, tie);
    place_body(model, def, tie);
    return SADDLE_OK;
}

/* ---- addition ---- */

saddle_status saddle_model_attach(saddle_model *model, const saddle_attach_def *def,
                                  saddle_handle *attachment)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && attachment,
                          "model, def or attachment is NULL");
    saddle__item_part *part = saddle__model_part(model, def->part);
    const int64_t count = def->count == 0 && part ? saddle__part_points(part) : def->count;
    SADDLE__TRY(check_attached(model, def, count));
    const int64_t sets = def->own_masters ? count : 1;
    SADDLE__TRY(check_masters(model, def, sets));
    SADDLE__TRY(check_weights(model, def, count));
    saddle__item_tie made = {.kind = kind_of(model, def),
                             .element = def->element ? *def->element : (saddle_element_kind)0,
                             .part = def->part,
                             .count = count,
                             .masters = def->masters,
                             .sets = sets};
    saddle_status status = make_tie(model, def, &made);
    if (status == SADDLE_OK) return saddle__model_add_tie(model, &made, attachment);
    saddle__clear_tie(model->context, &made);
    return status;
}

int64_t saddle_model_attached_count(const saddle_model *model, saddle_handle attachment)
{
    const saddle__item_tie *tie = model ? saddle__model_tie(model, attachment) : NULL;
    return tie ? tie->count : 0;
}

/* ---- who follows whom ---- */

/* The attachment of an anchor, *point its number there; NULL = none. */
static const saddle__item_tie *tie_of(const saddle_model *model, saddle_anchor anchor,
                                      int64_t *point)
{
    const saddle__item_part *part = saddle__model_part(model, anchor.part);
    if (!part || !part->followed || part->followed[anchor.node].tie < 0) return NULL;
    *point = part->followed[anchor.node].point;
    return &model->tie[part->followed[anchor.node].tie];
}

/* 1: the part moves along coordinates, prescribed or not. */
static int is_free(const saddle_model *model, const saddle__item_tie *tie)
{
    const saddle__item_part *q = saddle__model_part(model, tie->coordinates);
    return q && q->size > 0;
}

/* 1: the anchor moves, as far as is known.  *met: its mark, begun, where its masters have to be
 * asked, for `from`; NULL otherwise. */
static int ask(const saddle_model *model, saddle_anchor anchor, saddle__followed *from,
               saddle__followed **met)
{
    int64_t point = 0;
    const saddle__item_part *part = saddle__model_part(model, anchor.part);
    const saddle__item_tie *tie = tie_of(model, anchor, &point);
    *met = NULL;
    if (!tie) return part && !part->prescribed;
    saddle__followed *at = &part->followed[anchor.node];
    if (at->edition == model->edition) return at->moves;
    const saddle__item_part *q = saddle__model_part(model, tie->coordinates);
    at->edition = model->edition;
    at->moves = is_free(model, tie) && !q->prescribed;
    at->asked = 0;
    at->from = from;
    *met = at;
    return at->moves;
}

/* Each attached point is visited once after an addition or removal; a loop, which the assembly
 * refuses, does not move. */
int saddle__anchor_moves(const saddle_model *model, saddle_anchor anchor)
{
    saddle__followed *at, *met;
    int moves = ask(model, anchor, NULL, &at);
    while (at) {
        const saddle__item_tie *tie = &model->tie[at->tie];
        if (at->moves || at->asked == tie->masters) { /* found: back to who asked */
            moves = at->moves;
            at = at->from;
            if (at) at->moves |= moves;
            continue;
        }
        at->moves = ask(model, saddle__tie_masters(tie, at->point)[at->asked++], at, &met);
        if (met) at = met;
    }
    return moves;
}

/* The mark of an anchor rigidly attached to one master (*master); NULL: not attached so. */
static saddle__followed *rigid_mark(const saddle_model *model, saddle_anchor anchor,
                                    saddle_anchor *master)
{
    int64_t point = 0;
    const saddle__item_tie *tie = tie_of(model, anchor, &point);
    if (!tie || tie->masters != 1 || is_free(model, tie)) return NULL;
    *master = saddle__tie_masters(tie, point)[0];
    return &saddle__model_part(model, anchor.part)->followed[anchor.node];
}

/* The root is stored at all anchors on the way, marked by the negative edition until the root is
 * found; in a loop the walk meets such a mark. */
saddle_anchor saddle__anchor_root(const saddle_model *model, saddle_anchor anchor)
{
    saddle_anchor root = anchor, master;
    saddle__followed *at;
    while ((at = rigid_mark(model, root, &master)) && at->root_edition != -model->edition) {
        root = at->root_edition == model->edition ? at->root : master;
        if (at->root_edition == model->edition) break;
        at->root_edition = -model->edition;
    }
    while ((at = rigid_mark(model, anchor, &master)) && at->root_edition == -model->edition) {
        at->root = root;
        at->root_edition = model->edition;
        anchor = master;
    }
    return root;
}
