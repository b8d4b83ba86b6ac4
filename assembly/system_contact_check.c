/* SPDX-License-Identifier: MIT */
/* What a contact must be, and the columns of its sides. */
#include <math.h>
#include <stdio.h>

#include "items.h"
#include "space/space.h"
#include "system.h"

static const double unit_tolerance = 1e-6; /* of |n|, |t|, n't */
static const double sum_tolerance = 1e-9;  /* of sums of weights */

static saddle_status refuse(const saddle_assembly *a, const char *whose, const char *what)
{
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "%s: %s", whose, what);
}

/* Inserts a first column where it belongs; one that is there already stays alone. */
static void add_column(saddle__slot_columns *columns, int64_t column, int64_t size)
{
    int64_t k = columns->count;
    for (int64_t i = 0; i < columns->count; i++) {
        if (columns->column[i] == column) return;
    }
    for (; k > 0 && columns->column[k - 1] > column; k--) {
        columns->column[k] = columns->column[k - 1];
        columns->size[k] = columns->size[k - 1];
    }
    columns->column[k] = column;
    columns->size[k] = size;
    columns->count++;
}

static saddle_status add_nodes(const saddle_assembly *a, const char *whose,
                               const saddle_contact_side *side, const saddle__part *part,
                               saddle__slot_columns *columns)
{
    const int64_t nodes = part->size / 3, first = a->column[side->part.index];
    double sum = 0;
    if (side->count < 1 || side->count > SADDLE_CONTACT_NODES_MAX)
        return refuse(a, whose, "it is not on 1 to 4 nodes");
    for (int64_t k = 0; k < side->count; k++) {
        if (side->node[k] < 0 || side->node[k] >= nodes)
            return refuse(a, whose, "it is on a node that is not there");
        for (int64_t i = 0; i < k; i++) {
            if (side->node[i] == side->node[k]) return refuse(a, whose, "it is on a node twice");
        }
        sum += side->weight[k];
        if (first >= 0) add_column(columns, first + 3 * side->node[k], 3);
    }
    return fabs(sum - 1) <= sum_tolerance
               ? SADDLE_OK
               : refuse(a, whose, "weights of its nodes do not sum to 1");
}

static saddle_status add_side(const saddle_assembly *a, const char *whose,
                              const saddle_contact_side *side, saddle__slot_columns *columns)
{
    if (saddle__handle_is_ground(side->part)) return SADDLE_OK;
    const saddle__part *part = saddle__model_part(a->model, side->part);
    if (part == NULL) {
        char name[160], what[200];
        saddle__model_describe(a->model, side->part, name, sizeof name);
        snprintf(what, sizeof what, "%s is no part", name);
        return refuse(a, whose, what);
    }
    if (part->item == SADDLE_ITEM_NODES) return add_nodes(a, whose, side, part, columns);
    if (a->column[side->part.index] >= 0)
        add_column(columns, a->column[side->part.index], part->size);
    return SADDLE_OK;
}

saddle_status saddle__contact_columns(const saddle_assembly *a, const char *whose,
                                      const saddle_contact_side *first,
                                      const saddle_contact_side *second,
                                      saddle__slot_columns *columns)
{
    columns->count = 0;
    saddle_status status = add_side(a, whose, first, columns);
    if (status == SADDLE_OK) status = add_side(a, whose, second, columns);
    if (status != SADDLE_OK) return status;
    const int is_same = first->part.index == second->part.index &&
                        first->part.item == second->part.item;
    if (columns->count == 0) return refuse(a, whose, "neither of its sides moves");
    return is_same && first->part.item != SADDLE_ITEM_NODES
               ? refuse(a, whose, "a part touches itself")
               : SADDLE_OK;
}

/* NULL where all numbers of a contact are in their range. */
static const char *wrong_number(const saddle_contact_point *contact)
{
    const double *n = contact->normal, *t = contact->tangent;
    const double length = sqrt(saddle__dot(n, n)), tangent = sqrt(saddle__dot(t, t));
    if (!(fabs(length - 1) <= unit_tolerance)) return "its normal is no unit vector";
    if (tangent != 0 && !(fabs(tangent - 1) <= unit_tolerance))
        return "its tangent is no unit vector";
    if (!(fabs(saddle__dot(n, t)) <= unit_tolerance))
        return "its tangent is not normal to its normal";
    if (!isfinite(contact->gap)) return "its gap is not finite";
    if (!(contact->mu >= 0 && isfinite(contact->mu))) return "its mu is negative or not finite";
    if (!(contact->restitution >= 0 && contact->restitution <= 1))
        return "its restitution is not within 0 .. 1";
    const int finite = saddle__all_finite(contact->a.point, 3) &&
                       saddle__all_finite(contact->b.point, 3);
    return finite ? NULL : "its point is not finite";
}

saddle_status saddle__contact_check(const saddle_assembly *a, const saddle_contact_point *contact,
                                    saddle__slot_columns *columns)
{
    char whose[40];
    snprintf(whose, sizeof whose, "contact %lld", (long long)contact->id);
    const char *wrong = wrong_number(contact);
    if (contact->id < 0 || contact->id >= INT64_C(1) << 61)
        wrong = "its id is not within 0 .. 2^61 - 1";
    if (saddle_compliance_check(NULL, &contact->compliance) != SADDLE_OK)
        wrong = "its compliance is out of range";
    if (wrong != NULL) return refuse(a, whose, wrong);
    return saddle__contact_columns(a, whose, &contact->a, &contact->b, columns);
}
