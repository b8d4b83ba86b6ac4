/* SPDX-License-Identifier: MIT */
/* Contacts: lists, checks, rows (saddle/contact.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "space/space.h"
#include "system.h"

saddle_status saddle_contact_list_add(saddle_contact_list *list, saddle_contact_point **point)
{
    if (point) *point = NULL;
    SADDLE__RETURN_UNLESS(list ? list->context : NULL, list && point, "list or point is NULL");
    const saddle_status status = saddle__reserve(list->context, (void **)&list->point,
                                                 &list->capacity, list->count + 1,
                                                 sizeof *list->point);
    if (status != SADDLE_OK) return status;
    *point = &list->point[list->count++];
    memset(*point, 0, sizeof **point);
    return SADDLE_OK;
}

void saddle_contact_list_reset(saddle_contact_list *list)
{
    if (!list) return;
    list->count = 0;
}

void saddle_contact_list_clear(saddle_contact_list *list)
{
    if (!list) return;
    saddle_release(list->context, list->point);
    *list = (saddle_contact_list){.context = list->context};
}

/* ---- checks ---- */

static saddle_status refuse(const saddle_assembly *a, const char *whose, const char *what)
{
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "%s: %s", whose, what);
}

/* Inserts a first column in ascending order, if not yet there. */
static void add_column(saddle__slot_columns *columns, int64_t column, int64_t size)
{
    int64_t k = columns->count;
    for (int64_t i = 0; i < columns->count; i++)
        if (columns->column[i] == column) return;
    for (; k > 0 && columns->column[k - 1] > column; k--) {
        columns->column[k] = columns->column[k - 1];
        columns->size[k] = columns->size[k - 1];
    }
    columns->column[k] = column;
    columns->size[k] = size;
    columns->count++;
}

static saddle_status check_add_nodes(const saddle_assembly *a, const char *whose,
                                     const saddle_contact_side *side, const saddle__item_part *part,
                                     saddle__slot_columns *columns)
{
    const int64_t nodes = part->size / 3, first = a->column[side->part.index];
    double sum = 0;
    if (side->count < 1 || side->count > SADDLE_CONTACT_NODES_MAX)
        return refuse(a, whose, "it is not on 1 to 4 nodes");
    for (int64_t k = 0; k < side->count; k++) {
        if (side->node[k] < 0 || side->node[k] >= nodes)
            return refuse(a, whose, "it is on a node that is not there");
        for (int64_t i = 0; i < k; i++)
            if (side->node[i] == side->node[k]) return refuse(a, whose, "it is on a node twice");
        sum += side->weight[k];
        if (first >= 0) add_column(columns, first + 3 * side->node[k], 3);
    }
    return fabs(sum - 1) <= SADDLE__DEFINED_TOLERANCE
               ? SADDLE_OK
               : refuse(a, whose, "weights of its nodes do not sum to 1");
}

static saddle_status check_add_side(const saddle_assembly *a, const char *whose,
                                    const saddle_contact_side *side, saddle__slot_columns *columns)
{
    if (saddle__handle_is_ground(side->part)) return SADDLE_OK;
    const saddle__item_part *part = saddle__model_part(a->model, side->part);
    if (!part) {
        char name[160], what[200];
        saddle__model_describe(a->model, side->part, name, sizeof name);
        snprintf(what, sizeof what, "%s is no part", name);
        return refuse(a, whose, what);
    }
    if (part->head.item == SADDLE_ITEM_NODES) return check_add_nodes(a, whose, side, part, columns);
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
    saddle_status status = check_add_side(a, whose, first, columns);
    if (status == SADDLE_OK) status = check_add_side(a, whose, second, columns);
    if (status != SADDLE_OK) return status;
    const int is_same = first->part.index == second->part.index &&
                        first->part.item == second->part.item;
    if (columns->count == 0) return refuse(a, whose, "neither of its sides moves");
    return is_same && first->part.item != SADDLE_ITEM_NODES
               ? refuse(a, whose, "a part touches itself")
               : SADDLE_OK;
}

/* NULL where all numbers of a contact are in their range. */
static const char *fault_of(const saddle_contact_point *contact)
{
    const double *n = contact->normal, *t = contact->tangent;
    const double length = sqrt(saddle__dot(n, n)), tangent = sqrt(saddle__dot(t, t));
    if (!(fabs(length - 1) <= SADDLE__WRITTEN_TOLERANCE)) return "its normal is no unit vector";
    if (tangent != 0 && !(fabs(tangent - 1) <= SADDLE__WRITTEN_TOLERANCE))
        return "its tangent is no unit vector";
    if (!(fabs(saddle__dot(n, t)) <= SADDLE__WRITTEN_TOLERANCE))
        return "its tangent is not normal to its normal";
    if (!isfinite(contact->gap)) return "its gap is not finite";
    if (!(contact->mu >= 0 && isfinite(contact->mu))) return "its mu is negative or not finite";
    if (!(contact->restitution >= 0 && contact->restitution <= 1))
        return "its restitution is not within 0 .. 1";
    const int finite = saddle__is_finite(contact->a.point, 3) &&
                       saddle__is_finite(contact->b.point, 3);
    return finite ? NULL : "its point is not finite";
}

saddle_status saddle__contact_check(const saddle_assembly *a, const saddle_contact_point *contact,
                                    saddle__slot_columns *columns)
{
    char whose[40];
    snprintf(whose, sizeof whose, "contact %lld", (long long)contact->id);
    const char *wrong = fault_of(contact);
    if (contact->id < 0 || contact->id >= INT64_C(1) << 61)
        wrong = "its id is not within 0 .. 2^61 - 1";
    if (saddle_compliance_check(NULL, &contact->compliance) != SADDLE_OK)
        wrong = "its compliance is out of range";
    if (wrong) return refuse(a, whose, wrong);
    return saddle__contact_columns(a, whose, &contact->a, &contact->b, columns);
}

/* ---- rows ----
 *
 * Contact table (C, N, D) of the multibody and LCP notes.  For each direction d of (n, t1, t2)
 *
 *     J v = d'(v_b(x_b) - v_a(x_a))
 *
 *     body        v(x) = R (nu + omega x X), X = R'(x - p)     J = (R'd, X x R'd), body axes
 *     particle    v(x) = v                                     J = d
 *     nodes       v(x) = sum weight_i v_i                      J_i = weight_i d
 *
 * Arms end at the point of contact (the notes have r; the fourth case is l = 2 j_k).  An empty slot
 * gives lambda = (0, 0, 0): J = 0, R = 1, b = (-1, 0, 0), mu = 0.
 */

/* The shortest rotation of e to n turns a fixed frame about e into (t1, t2, n):
 *
 *     t = u - (n'u)/(1 + e'n) (e + n),     u normal to e
 *
 * smooth in n but at n = -e, a direction far from all axes; x, y for n = z.
 */
static void choose_tangent(const double *n, double *t)
{
    static const double e[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7},
                        u[3] = {87.0 / 91, -6.0 / 91, -26.0 / 91};
    const double sum[3] = {e[0] + n[0], e[1] + n[1], e[2] + n[2]};
    const double square = saddle__dot(sum, sum); /* 2 (1 + e'n) */
    const double share = square > 1e-24 ? 2 * saddle__dot(n, u) / square : 0;
    for (int i = 0; i < 3; i++) t[i] = u[i] - share * sum[i];
}

/* directions: n, t1, t2, orthonormal whatever the contact's rounding. */
static void make_frame(const saddle_contact_point *contact, double directions[3][3])
{
    double *n = directions[0], *t = directions[1];
    const double length = sqrt(saddle__dot(contact->normal, contact->normal));
    for (int i = 0; i < 3; i++) n[i] = contact->normal[i] / length;
    memcpy(t, contact->tangent, 3 * sizeof *t);
    if (saddle__dot(t, t) == 0) choose_tangent(n, t);
    const double along = saddle__dot(n, t);
    for (int i = 0; i < 3; i++) t[i] -= along * n[i];
    const double width = sqrt(saddle__dot(t, t));
    for (int i = 0; i < 3; i++) t[i] /= width;
    saddle__cross(n, t, directions[2]);
}

/* ---- J ---- */

typedef struct rows { /* three rows of J on their way into J' */
    const saddle__slot_columns *columns;
    double *J[3];               /* entries of each */
    double moving[3], given[3]; /* J v by the columns, by prescribed parts */
    double directions[3][3];
} rows;

/* Adds an entry (size) of each row at a column; -1 for the ground and prescribed parts. */
static void add_entries(rows *r, int64_t column, int64_t size, double entry[3][6], const double *v)
{
    int64_t offset = 0;
    for (int64_t k = 0; column >= 0 && r->columns->column[k] != column; k++)
        offset += r->columns->size[k];
    for (int d = 0; d < 3; d++) {
        double rate = 0;
        for (int64_t j = 0; j < size; j++) rate += entry[d][j] * v[j];
        *(column < 0 ? &r->given[d] : &r->moving[d]) += rate;
        for (int64_t j = 0; column >= 0 && j < size; j++) r->J[d][offset + j] += entry[d][j];
    }
}

static void add_body(const saddle_assembly *a, const saddle__item_part *part,
                     const saddle_contact_side *side, double sign, rows *r)
{
    const saddle_pose *pose = (const saddle_pose *)(const void *)(a->model->position +
                                                                  part->position);
    double X[3], entry[3][6];
    for (int i = 0; i < 3; i++) X[i] = side->point[i] - pose->p[i];
    saddle__unrotate(pose->R, X, X);
    for (int d = 0; d < 3; d++) {
        saddle__unrotate(pose->R, r->directions[d], entry[d]);
        for (int i = 0; i < 3; i++) entry[d][i] *= sign;
        saddle__cross(X, entry[d], entry[d] + 3);
    }
    add_entries(r, a->column[side->part.index], 6, entry, a->model->velocity + part->velocity);
}

static void add_side(const saddle_assembly *a, const saddle_contact_side *side, double sign,
                     rows *r)
{
    const saddle__item_part *part = saddle__model_part(a->model, side->part);
    if (!part) return;
    if (part->head.item == SADDLE_ITEM_BODY) {
        add_body(a, part, side, sign, r);
        return;
    }
    const int is_nodes = part->head.item == SADDLE_ITEM_NODES;
    const int64_t first = a->column[side->part.index];
    for (int64_t k = 0; k < (is_nodes ? side->count : 1); k++) {
        const int64_t node = is_nodes ? side->node[k] : 0;
        const double weight = sign * (is_nodes ? side->weight[k] : 1);
        double entry[3][6];
        for (int d = 0; d < 3; d++) {
            for (int i = 0; i < 3; i++) entry[d][i] = weight * r->directions[d][i];
        }
        add_entries(r, first < 0 ? -1 : first + 3 * node, 3, entry,
                    a->model->velocity + part->velocity + 3 * node);
    }
}

/* ---- slots ---- */

/* The id of row k of a slot: -1 - (4 id + k) for a contact, -1 - (4 (3 slot + k) + 3) for an empty
 * slot; negative, unlike ids of constraints' rows. */
static int64_t row_id(int64_t id, int64_t slot, int64_t k)
{
    return -1 - (id < 0 ? 4 * (3 * slot + k) + 3 : 4 * id + k);
}

static void clear_rows(saddle_assembly *a, int64_t slot)
{
    saddle_problem *p = &a->problem;
    const int64_t first = a->rows + 3 * slot, entry = p->Jt.start[first];
    memset(p->Jt.value + entry, 0, (size_t)(p->Jt.start[first + 3] - entry) * sizeof *p->Jt.value);
    p->contacts[slot].mu = 0;
    for (int64_t k = 0; k < 3; k++) {
        p->R.value[p->R.start[first + k]] = 1;
        p->b[first + k] = k == 0 ? -1 : 0;
        p->lo[first + k] = k == 0 ? 0 : -INFINITY; /* bounds of the law, for readers of the problem
                                                    */
        p->hi[first + k] = INFINITY;
        p->row_id[first + k] = row_id(a->slots.slot[slot].id, slot, k);
        a->phi[first + k] = 0;
    }
}

/* The overlap that may remain at the end of the row's step.  The first overlap d of a contact
 * without compliance separates at the stage's speed s: at time t at most max(d - s (t - t_found),
 * 0) remains, and never more than the present overlap.  Overlap added by the last step is corrected
 * at once. While some of d remains no other overlap is corrected, so rows whose velocities act a
 * step later (explicit Euler) separate at s too.
 */
static double stays_overlapped(const saddle_assembly *a, const saddle_stage *stage,
                               const saddle_contact_point *contact, saddle__slot *slot)
{
    const double speed = stage->separation_speed, now = a->model->time,
                 overlap = fmax(-contact->gap, 0);
    if (speed == 0 || contact->compliance.alpha > 0) return 0;
    const double before = slot->is_new ? overlap : slot->overlap;
    const double left = slot->is_new ? overlap : fmax(slot->slow - speed * (now - slot->since), 0);
    slot->slow = fmin(left, overlap);
    slot->overlap = overlap;
    slot->since = now;
    slot->is_new = 0;
    return slot->slow > 0 ? fmax(fmin(overlap, before) - speed * stage->row_step, 0) : 0;
}

static saddle_status fill_rows(saddle_assembly *a, const saddle_stage *stage,
                               const saddle_contact_point *contact, int64_t slot)
{
    saddle_problem *p = &a->problem;
    const int64_t first = a->rows + 3 * slot;
    rows r = {.columns = &a->slots.group[a->slots.slot[slot].group].columns};
    for (int64_t k = 0; k < 3; k++) r.J[k] = p->Jt.value + p->Jt.start[first + k];
    make_frame(contact, r.directions);
    add_side(a, &contact->a, -1, &r);
    add_side(a, &contact->b, 1, &r);
    saddle__system_row normal = {.phi = contact->gap +
                                        stays_overlapped(a, stage, contact, &a->slots.slot[slot]),
                                 .moving = r.moving[0],
                                 .given = r.given[0],
                                 .restitution = contact->restitution,
                                 .compliance = &contact->compliance};
    if (!contact->impact) {
        saddle__row_limit(stage, &normal);
    } else if (!saddle__row_impact(stage, &normal)) {
        clear_rows(a, slot);
        a->phi[first] = contact->gap;
        return SADDLE_OK;
    }
    p->b[first] = normal.b;
    for (int64_t k = 0; k < 3; k++) p->R.value[p->R.start[first + k]] = k == 0 ? normal.R : 0;
    for (int64_t k = 1; k < 3; k++) p->b[first + k] = -r.given[k];
    a->phi[first] = contact->gap;
    p->contacts[slot].mu = contact->mu;
    if (saddle__is_finite(p->b + first, 3) && isfinite(normal.R)) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "contact %lld: its rows are not finite",
                       (long long)contact->id);
}

saddle_status saddle__system_contacts(saddle_assembly *a, const saddle_stage *stage,
                                      const saddle_contact_list *contacts)
{
    const int64_t count = !contacts ? 0 : contacts->count;
    saddle_status status = SADDLE_OK;
    for (int64_t s = 0; s < a->slots.count; s++) clear_rows(a, s);
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++)
        status = fill_rows(a, stage, &contacts->point[k], a->slots.slot_of[k]);
    a->problem.contact_count = a->slots.count;
    return status;
}
