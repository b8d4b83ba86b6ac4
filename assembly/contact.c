/* SPDX-License-Identifier: MIT */
/* Contacts: lists, frames, checks, slots (saddle/contact.h; slots: system.h).
 *
 * The pattern grows at its end by columns of J', entries of R and rows.  Where it must grow, slots
 * that were empty for long are removed first if they are half of all: otherwise a contact sliding
 * over many parts would leave rows with each of them.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "space/space.h"
#include "system.h"

/* ---- lists ---- */

saddle_status saddle_contact_list_add(saddle_contact_list *list, saddle_contact_point **point)
{
    if (point) *point = NULL;
    SADDLE__RETURN_UNLESS(list ? list->context : NULL, list && point, "list or point is NULL");
    SADDLE__TRY(saddle__reserve(list->context, &list->point, &list->capacity, list->count + 1,
                                sizeof *list->point));
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

/* ---- the frame of a contact ---- */

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

void saddle__contact_frame(const saddle_contact_point *contact, double directions[3][3])
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
    if (!part || part->head.item == SADDLE_ITEM_COORDINATES) {
        char name[160], what[200];
        saddle__model_describe(a->model, side->part, name, sizeof name);
        snprintf(what, sizeof what, "%s is no part with a place", name);
        return refuse(a, whose, what);
    }
    if (part->head.item == SADDLE_ITEM_NODES) return check_add_nodes(a, whose, side, part, columns);
    if (a->column[side->part.index] >= 0)
        add_column(columns, a->column[side->part.index], part->size);
    return SADDLE_OK;
}

/* 0: the side is on the ground or on prescribed parts, or follows such parts alone. */
static int side_moves(const saddle_assembly *a, const saddle_contact_side *side)
{
    const int64_t count = side->part.item == SADDLE_ITEM_NODES ? side->count : 1;
    for (int64_t k = 0; k < count; k++) {
        const int64_t node = side->part.item == SADDLE_ITEM_NODES ? side->node[k] : 0;
        if (saddle__anchor_moves(a->model, (saddle_anchor){side->part, node})) return 1;
    }
    return 0;
}

static saddle_status contact_columns(const saddle_assembly *a, const char *whose,
                                     const saddle_contact_side *first,
                                     const saddle_contact_side *second,
                                     saddle__slot_columns *columns)
{
    columns->rows = 3;
    columns->count = 0;
    SADDLE__TRY(check_add_side(a, whose, first, columns));
    SADDLE__TRY(check_add_side(a, whose, second, columns));
    const int is_same = first->part.index == second->part.index &&
                        first->part.item == second->part.item;
    if (!side_moves(a, first) && !side_moves(a, second))
        return refuse(a, whose, "neither of its sides moves");
    return is_same && first->part.item != SADDLE_ITEM_NODES
               ? refuse(a, whose, "a part touches itself")
               : SADDLE_OK;
}

static int is_amount(double x)
{
    return x >= 0 && isfinite(x);
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
    if (!is_amount(contact->mu)) return "its mu is negative or not finite";
    if (!is_amount(contact->mu_torsion)) return "its mu_torsion is negative or not finite";
    if (!is_amount(contact->mu_rolling)) return "its mu_rolling is negative or not finite";
    if (!(contact->restitution >= 0 && contact->restitution <= 1))
        return "its restitution is not within 0 .. 1";
    const int finite = saddle__is_finite(contact->a.point, 3) &&
                       saddle__is_finite(contact->b.point, 3);
    return finite ? NULL : "its point is not finite";
}

/* A particle or node cannot take the opposite moment. */
static int takes_moments(const saddle_assembly *a, const saddle_contact_side *side)
{
    const saddle__item_part *part = saddle__model_part(a->model, side->part);
    return !part || part->head.item == SADDLE_ITEM_BODY;
}

static int64_t rows_of(const saddle_assembly *a, const saddle_contact_point *contact)
{
    if (!takes_moments(a, &contact->a) || !takes_moments(a, &contact->b)) return 3;
    return 3 + (contact->mu_torsion > 0) + 2 * (contact->mu_rolling > 0);
}

static saddle_status check_contact(const saddle_assembly *a, const saddle_contact_point *contact,
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
    SADDLE__TRY(contact_columns(a, whose, &contact->a, &contact->b, columns));
    columns->rows = rows_of(a, contact);
    return SADDLE_OK;
}

/* ---- hashing ---- */

/* Sizes of fewer slots do not overflow. */
#define MOST_SLOTS (INT64_MAX / 4096)

enum { LONG = 100 }; /* updates before an empty slot may be removed */

/* One step of a 64-bit multiplicative hash (the odd constant is 2^64 / golden ratio). */
static uint64_t hash(uint64_t print, int64_t x)
{
    print = (print ^ (uint64_t)x) * UINT64_C(0x9E3779B97F4A7C15);
    return print ^ (print >> 29);
}

/* ---- ids ---- */

/* The index of id in the table, or the free index for id. */
static int64_t id_index(const saddle__slots *slots, int64_t id)
{
    const uint64_t mask = (uint64_t)slots->id_places - 1;
    uint64_t at = hash(0, id) & mask;
    while (slots->id_table[at] >= 0 && slots->slot[slots->id_table[at]].id != id)
        at = (at + 1) & mask;
    return (int64_t)at;
}

static int64_t slot_of_id(const saddle__slots *slots, int64_t id)
{
    return slots->id_places == 0 ? -1 : slots->id_table[id_index(slots, id)];
}

static void index_ids(saddle__slots *slots)
{
    for (int64_t k = 0; k < slots->id_places; k++) slots->id_table[k] = -1;
    for (int64_t s = 0; s < slots->count; s++)
        if (slots->slot[s].id >= 0) slots->id_table[id_index(slots, slots->slot[s].id)] = s;
}

static int64_t find_slot(const saddle__slots *slots, int64_t id)
{
    const int64_t slot = id < 0 ? -1 : slot_of_id(slots, id);
    return slot >= 0 && slots->slot[slot].taken ? slot : -1;
}

/* ---- groups ---- */

static int same_columns(const saddle__slot_columns *a, const saddle__slot_columns *b)
{
    return a->rows == b->rows && a->count == b->count &&
           memcmp(a->column, b->column, (size_t)a->count * sizeof *a->column) == 0;
}

static int64_t group_index(const saddle__slots *slots, const saddle__slot_columns *columns)
{
    const uint64_t mask = (uint64_t)slots->group_places - 1;
    uint64_t print = (uint64_t)columns->rows;
    for (int64_t k = 0; k < columns->count; k++) print = hash(print, columns->column[k]);
    uint64_t at = print & mask;
    while (slots->group_table[at] >= 0 &&
           !same_columns(&slots->group[slots->group_table[at]].columns, columns)) {
        at = (at + 1) & mask;
    }
    return (int64_t)at;
}

static int64_t find_group(const saddle__slots *slots, const saddle__slot_columns *columns)
{
    return slots->group_places == 0 ? -1 : slots->group_table[group_index(slots, columns)];
}

static void index_groups(saddle__slots *slots)
{
    for (int64_t k = 0; k < slots->group_places; k++) slots->group_table[k] = -1;
    for (int64_t g = 0; g < slots->group_count; g++)
        slots->group_table[group_index(slots, &slots->group[g].columns)] = g;
}

/* Makes a table of at least four times count entries, all -1; the old table remains on failure. */
static saddle_status make_table(saddle_context *context, int64_t count, int64_t **table,
                                int64_t *places)
{
    int64_t size = 16;
    while (size < 4 * count) size *= 2;
    if (size <= *places) return SADDLE_OK;
    int64_t *made = saddle_allocate(context, size, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < size; k++) made[k] = -1;
    saddle_release(context, *table);
    *table = made;
    *places = size;
    return SADDLE_OK;
}

static saddle_status make_group(saddle_assembly *a, const saddle__slot_columns *columns,
                                int64_t *group)
{
    saddle__slots *slots = &a->slots;
    if (slots->group_count == slots->group_capacity) {
        const int64_t capacity = 2 * slots->group_capacity + 8;
        SADDLE__TRY(saddle__grow(a->context, &slots->group, capacity, sizeof *slots->group));
        SADDLE__TRY(make_table(a->context, capacity, &slots->group_table, &slots->group_places));
        slots->group_capacity = capacity;
        index_groups(slots);
    }
    saddle__slot_group made = {.columns = *columns, .free = -1};
    for (int64_t k = 0; k < columns->count; k++) made.width += columns->size[k];
    *group = slots->group_count;
    slots->group_table[group_index(slots, columns)] = *group;
    slots->group[slots->group_count++] = made;
    return SADDLE_OK;
}

/* ---- slots ---- */

static saddle_status reserve_contacts(saddle_assembly *a, int64_t count)
{
    saddle__slots *slots = &a->slots;
    int64_t capacity = slots->contact_capacity;
    SADDLE__TRY(
        saddle__reserve(a->context, &slots->slot_of, &capacity, count, sizeof *slots->slot_of));
    return saddle__reserve(a->context, &slots->group_of, &slots->contact_capacity, count,
                           sizeof *slots->group_of);
}

/* Tables and arrays for `count` slots in all. */
static saddle_status make_room(saddle_assembly *a, int64_t count)
{
    saddle__slots *slots = &a->slots;
    if (count <= slots->capacity) return SADDLE_OK;
    const int64_t capacity = count + count / 2;
    const int64_t places = slots->id_places;
    SADDLE__TRY(saddle__grow(a->context, &slots->slot, capacity, sizeof *slots->slot));
    SADDLE__TRY(
        saddle__grow(a->context, &a->problem.contacts, capacity, sizeof *a->problem.contacts));
    SADDLE__TRY(reserve_contacts(a, capacity));
    SADDLE__TRY(make_table(a->context, capacity, &slots->id_table, &slots->id_places));
    if (slots->id_places != places) index_ids(slots); /* a new table is empty */
    slots->capacity = capacity;
    return SADDLE_OK;
}

/* The rows of slot s at the end of the problem, with all constant values. */
static void append_slot(saddle_assembly *a, int64_t s)
{
    saddle_problem *p = &a->problem;
    saddle__slot_group *group = &a->slots.group[a->slots.slot[s].group];
    const saddle__slot_columns *columns = &group->columns;
    group->slots++;
    p->contacts[s] = (saddle_contact){.row = p->m, .size = columns->rows};
    for (int64_t k = 0; k < columns->rows; k++) {
        const int64_t row = p->m++;
        int64_t *index = p->Jt.index + p->Jt.start[row];
        for (int64_t c = 0; c < columns->count; c++) {
            for (int64_t j = 0; j < columns->size[c]; j++) *index++ = columns->column[c] + j;
        }
        p->Jt.start[row + 1] = p->Jt.start[row] + group->width;
        p->R.index[p->R.start[row]] = row;
        p->R.start[row + 1] = p->R.start[row] + 1;
        p->row_name[row] = NULL;
    }
    p->Jt.cols = p->R.rows = p->R.cols = p->m;
}

static void add_slots(saddle_assembly *a, int64_t g, int64_t count, int reserved)
{
    saddle__slots *slots = &a->slots;
    for (int64_t k = 0; k < count; k++) {
        const int64_t s = slots->count++;
        slots->slot[s] = (saddle__slot){.id = -1, .group = g, .reserved = reserved};
        append_slot(a, s);
    }
    slots->group[g].missing = 0;
}

static int64_t slots_to_add(const saddle__slot_group *group, int spare)
{
    if (group->missing == 0) return 0;
    return group->missing + (spare ? (group->slots + group->missing) / 4 : 0);
}

static saddle_status grow(saddle_assembly *a, int spare)
{
    saddle__slots *slots = &a->slots;
    int64_t count = 0, added = 0, entries = 0; /* slots, rows, entries of J */
    for (int64_t g = 0; g < slots->group_count; g++) {
        const int64_t more = slots_to_add(&slots->group[g], spare);
        if (more > MOST_SLOTS - count - slots->count)
            return saddle_fail(a->context, SADDLE_TOO_LARGE, "too many contacts");
        count += more;
        added += more * slots->group[g].columns.rows;
        entries += more * slots->group[g].columns.rows * slots->group[g].width;
    }
    const saddle_problem *p = &a->problem;
    const int64_t rows = p->m + added, Jt = saddle_matrix_entries(&p->Jt) + entries;
    const int64_t R = saddle_matrix_entries(&p->R) + added, slack = (rows - a->rows) / 2;
    const int roomy = rows <= a->row_capacity && Jt <= a->entry_capacity &&
                      R <= a->compliance_capacity;
    SADDLE__TRY(make_room(a, slots->count + count));
    if (!roomy) SADDLE__TRY(saddle__system_reserve(a, rows + slack, Jt + Jt / 4, R + slack));
    for (int64_t g = 0; g < slots->group_count; g++)
        add_slots(a, g, slots_to_add(&slots->group[g], spare), !spare);
    a->changed = 1;
    return SADDLE_OK;
}

/* ---- trimming ---- */

static int is_stale(const saddle__slot *slot)
{
    return !slot->taken && !slot->reserved && slot->idle >= LONG;
}

/* Removes groups without slots and without missing ones; `free` holds new numbers meanwhile. */
static void drop_groups(saddle__slots *slots)
{
    int64_t count = 0;
    for (int64_t g = 0; g < slots->group_count; g++) {
        const int stays = slots->group[g].slots > 0 || slots->group[g].missing > 0;
        slots->group[g].free = stays ? count : -1;
        count += stays;
    }
    for (int64_t s = 0; s < slots->count; s++)
        slots->slot[s].group = slots->group[slots->slot[s].group].free;
    for (int64_t k = 0; k < slots->contact_count; k++)
        slots->group_of[k] = slots->group[slots->group_of[k]].free;
    for (int64_t g = 0; g < slots->group_count; g++) {
        const int64_t to = slots->group[g].free;
        if (to >= 0) slots->group[to] = slots->group[g];
    }
    slots->group_count = count;
    index_groups(slots);
}

/* Removes stale slots; `next` holds new numbers meanwhile. */
static void drop_slots(saddle__slots *slots)
{
    int64_t count = 0;
    for (int64_t g = 0; g < slots->group_count; g++) slots->group[g].slots = 0;
    for (int64_t s = 0; s < slots->count; s++) {
        const int stays = !is_stale(&slots->slot[s]);
        slots->slot[s].next = stays ? count : -1;
        slots->group[slots->slot[s].group].slots += stays;
        count += stays;
    }
    for (int64_t k = 0; k < slots->contact_count; k++)
        if (slots->slot_of[k] >= 0) slots->slot_of[k] = slots->slot[slots->slot_of[k]].next;
    for (int64_t s = 0; s < slots->count; s++) {
        const int64_t to = slots->slot[s].next;
        if (to >= 0) slots->slot[to] = slots->slot[s];
    }
    slots->count = count;
}

static void trim(saddle_assembly *a)
{
    saddle__slots *slots = &a->slots;
    int64_t stale = 0;
    for (int64_t s = 0; s < slots->count; s++) stale += is_stale(&slots->slot[s]);
    if (2 * stale < slots->count || stale == 0) return;
    drop_slots(slots);
    drop_groups(slots);
    for (int64_t g = 0; g < slots->group_count; g++) slots->group[g].slots = 0;
    a->problem.m = a->rows;
    for (int64_t s = 0; s < slots->count; s++) append_slot(a, s);
    a->problem.Jt.cols = a->problem.R.rows = a->problem.R.cols = a->problem.m;
    index_ids(slots);
    a->changed = 1;
}

/* ---- assignment ---- */

/* Lists the free slots of each group; none is missing yet. */
static void list_free(saddle__slots *slots)
{
    for (int64_t g = 0; g < slots->group_count; g++) {
        slots->group[g].free = -1;
        slots->group[g].missing = 0;
    }
    for (int64_t s = slots->count - 1; s >= 0; s--) {
        saddle__slot_group *group = &slots->group[slots->slot[s].group];
        if (slots->slot[s].taken) continue;
        slots->slot[s].next = group->free;
        group->free = s;
    }
}

static saddle_status refuse_repeated(const saddle_assembly *a, int64_t id)
{
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "contact %lld: its id is used twice",
                       (long long)id);
}

/* Groups of all contacts; contacts of the last update keep their slots. */
static saddle_status assign_known(saddle_assembly *a, const saddle_contact_list *contacts,
                                  int64_t count)
{
    saddle__slots *slots = &a->slots;
    for (int64_t k = 0; k < count; k++) {
        const int64_t id = contacts->point[k].id;
        saddle__slot_columns columns;
        SADDLE__TRY(check_contact(a, &contacts->point[k], &columns));
        slots->group_of[k] = find_group(slots, &columns);
        slots->slot_of[k] = slot_of_id(slots, id);
        if (slots->slot_of[k] < 0) continue;
        saddle__slot *slot = &slots->slot[slots->slot_of[k]];
        if (slot->taken) return refuse_repeated(a, id);
        if (slot->group == slots->group_of[k])
            slot->taken = 1;
        else
            slots->slot_of[k] = -1;
    }
    for (int64_t s = 0; s < slots->count; s++)
        if (!slots->slot[s].taken) slots->slot[s].id = -1;
    return SADDLE_OK;
}

/* New contacts take free slots; groups are made as needed.  *missing: contacts without a slot,
 * counted in their groups. */
static saddle_status assign_new(saddle_assembly *a, const saddle_contact_list *contacts,
                                int64_t count, int64_t *missing)
{
    saddle__slots *slots = &a->slots;
    *missing = 0;
    list_free(slots);
    for (int64_t k = 0; k < count; k++) {
        const int64_t id = contacts->point[k].id;
        if (slots->slot_of[k] >= 0) continue;
        if (find_slot(slots, id) >= 0) return refuse_repeated(a, id);
        saddle__slot_columns columns;
        saddle_status status = SADDLE_OK;
        if (slots->group_of[k] < 0) {
            status = check_contact(a, &contacts->point[k], &columns);
            slots->group_of[k] = find_group(slots, &columns);
        }
        if (slots->group_of[k] < 0) status = make_group(a, &columns, &slots->group_of[k]);
        if (status != SADDLE_OK) return status;
        saddle__slot_group *group = &slots->group[slots->group_of[k]];
        const int64_t s = group->free;
        slots->slot_of[k] = s;
        if (s < 0) {
            group->missing++;
            ++*missing;
            continue;
        }
        group->free = slots->slot[s].next;
        slots->slot[s].id = id;
        slots->slot[s].taken = 1;
        slots->slot[s].is_new = 1;
        memset(slots->slot[s].force, 0, sizeof slots->slot[s].force);
        slots->id_table[id_index(slots, id)] = s;
    }
    return SADDLE_OK;
}

saddle_status saddle__slots_assign(saddle_assembly *a, const saddle_contact_list *contacts)
{
    const int64_t count = !contacts ? 0 : contacts->count;
    saddle__slots *slots = &a->slots;
    int64_t missing = 0;
    SADDLE__TRY(reserve_contacts(a, count));
    slots->contact_count = count;
    index_ids(slots);
    for (int64_t s = 0; s < slots->count; s++) { /* no slot is taken yet */
        slots->slot[s].idle = slots->slot[s].taken ? 0 : slots->slot[s].idle + 1;
        slots->slot[s].taken = 0;
    }
    SADDLE__TRY(assign_known(a, contacts, count));
    SADDLE__TRY(assign_new(a, contacts, count, &missing));
    if (missing == 0) return SADDLE_OK;
    trim(a);
    SADDLE__TRY(grow(a, 1));
    return assign_new(a, contacts, count, &missing);
}

int64_t saddle_assembly_contact_row(const saddle_assembly *assembly, int64_t id)
{
    if (!assembly) return -1;
    const int64_t slot = find_slot(&assembly->slots, id);
    return slot < 0 ? -1 : assembly->problem.contacts[slot].row;
}

saddle_status saddle_assembly_reserve(saddle_assembly *assembly, const saddle_contact_side *a,
                                      const saddle_contact_side *b, int64_t count)
{
    SADDLE__RETURN_UNLESS(assembly ? assembly->context : NULL, assembly && a && b,
                          "assembly, a or b is NULL");
    saddle__slot_columns columns;
    SADDLE__TRY(saddle__system_is_current(assembly));
    if (count < 0)
        return saddle_fail(assembly->context, SADDLE_INVALID_ARGUMENT, "reserve: %lld contacts",
                           (long long)count);
    SADDLE__TRY(contact_columns(assembly, "reserve", a, b, &columns));
    if (count == 0) return SADDLE_OK;
    int64_t group = find_group(&assembly->slots, &columns);
    if (group < 0) SADDLE__TRY(make_group(assembly, &columns, &group));
    for (int64_t g = 0; g < assembly->slots.group_count; g++) assembly->slots.group[g].missing = 0;
    assembly->slots.group[group].missing = count;
    return grow(assembly, 0);
}
