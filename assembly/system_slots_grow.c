/* SPDX-License-Identifier: MIT */
/* More slots and groups: the pattern grows at its end, by columns of J', entries of R, rows.  See
 * system_slots.h. */
#include <math.h>

#include "system.h"

/* Beyond this many at once nobody's memory reaches; below, sizes do not overflow. */
#define MOST_SLOTS (INT64_MAX / 4096)

/* ---- groups ---- */

static uint64_t hash_columns(const saddle__slot_columns *columns)
{
    uint64_t print = 0;
    for (int64_t k = 0; k < columns->count; k++)
        print = saddle__slot_hash(print, columns->column[k]);
    return print;
}

static int same_columns(const saddle__slot_columns *a, const saddle__slot_columns *b)
{
    return a->count == b->count &&
           memcmp(a->column, b->column, (size_t)a->count * sizeof *a->column) == 0;
}

static int64_t place_of_group(const saddle__slots *slots, const saddle__slot_columns *columns)
{
    const uint64_t mask = (uint64_t)slots->group_places - 1;
    uint64_t at = hash_columns(columns) & mask;
    while (slots->group_table[at] >= 0 &&
           !same_columns(&slots->group[slots->group_table[at]].columns, columns)) {
        at = (at + 1) & mask;
    }
    return (int64_t)at;
}

int64_t saddle__slots_find_group(const saddle__slots *slots, const saddle__slot_columns *columns)
{
    return slots->group_places == 0 ? -1 : slots->group_table[place_of_group(slots, columns)];
}

void saddle__slots_index_groups(saddle__slots *slots)
{
    for (int64_t k = 0; k < slots->group_places; k++) slots->group_table[k] = -1;
    for (int64_t g = 0; g < slots->group_count; g++) {
        slots->group_table[place_of_group(slots, &slots->group[g].columns)] = g;
    }
}

/* A table of four times count places, -1 in each; on failure the old one stays. */
static saddle_status make_table(saddle_context *context, int64_t count, int64_t **table,
                                int64_t *places)
{
    int64_t size = 16;
    while (size < 4 * count) size *= 2;
    if (size <= *places) return SADDLE_OK;
    int64_t *made = saddle_allocate(context, size, sizeof *made);
    if (made == NULL) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < size; k++) made[k] = -1;
    saddle_release(context, *table);
    *table = made;
    *places = size;
    return SADDLE_OK;
}

saddle_status saddle__slots_make_group(saddle_assembly *a, const saddle__slot_columns *columns,
                                       int64_t *group)
{
    saddle__slots *slots = &a->slots;
    if (slots->group_count == slots->group_capacity) {
        const int64_t capacity = 2 * slots->group_capacity + 8;
        saddle__slot_group *grown = saddle_reallocate(a->context, slots->group, capacity,
                                                      sizeof *grown);
        if (grown == NULL) return SADDLE_OUT_OF_MEMORY;
        slots->group = grown;
        const saddle_status status = make_table(a->context, capacity, &slots->group_table,
                                                &slots->group_places);
        if (status != SADDLE_OK) return status;
        slots->group_capacity = capacity;
        saddle__slots_index_groups(slots);
    }
    saddle__slot_group made = {.columns = *columns, .first = -1, .last = -1, .free = -1};
    for (int64_t k = 0; k < columns->count; k++) made.width += columns->size[k];
    *group = slots->group_count;
    slots->group_table[place_of_group(slots, columns)] = *group;
    slots->group[slots->group_count++] = made;
    return SADDLE_OK;
}

/* ---- slots ---- */

saddle_status saddle__slots_reserve_contacts(saddle_assembly *a, int64_t count)
{
    saddle__slots *slots = &a->slots;
    if (count <= slots->contact_capacity) return SADDLE_OK;
    int64_t *slot_of = saddle_reallocate(a->context, slots->slot_of, count, sizeof *slot_of);
    if (slot_of == NULL) return SADDLE_OUT_OF_MEMORY;
    slots->slot_of = slot_of;
    int64_t *group_of = saddle_reallocate(a->context, slots->group_of, count, sizeof *group_of);
    if (group_of == NULL) return SADDLE_OUT_OF_MEMORY;
    slots->group_of = group_of;
    slots->contact_capacity = count;
    return SADDLE_OK;
}

/* Tables and arrays for `count` slots in all. */
static saddle_status make_room(saddle_assembly *a, int64_t count)
{
    saddle__slots *slots = &a->slots;
    if (count <= slots->capacity) return SADDLE_OK;
    const int64_t capacity = count + count / 2;
    saddle__slot *slot = saddle_reallocate(a->context, slots->slot, capacity, sizeof *slot);
    if (slot == NULL) return SADDLE_OUT_OF_MEMORY;
    slots->slot = slot;
    saddle_contact *contacts = saddle_reallocate(a->context, a->problem.contacts, capacity,
                                                 sizeof *contacts);
    if (contacts == NULL) return SADDLE_OUT_OF_MEMORY;
    a->problem.contacts = contacts;
    const int64_t places = slots->id_places;
    saddle_status status = make_table(a->context, capacity, &slots->id_table, &slots->id_places);
    if (status == SADDLE_OK) status = saddle__slots_reserve_contacts(a, capacity);
    if (status != SADDLE_OK) return status;
    slots->capacity = capacity;
    if (slots->id_places != places) saddle__slots_index(slots);
    return SADDLE_OK;
}

/* Columns of J' and R for three rows, and all that is constant of them. */
static void lay_rows(saddle_assembly *a, const saddle__slot_columns *columns, int64_t width,
                     int64_t s)
{
    saddle_problem *p = &a->problem;
    p->contacts[s] = (saddle_contact){.row = p->m, .size = 3};
    for (int64_t k = 0; k < 3; k++) {
        const int64_t row = p->m++;
        int64_t *index = p->Jt.index + p->Jt.start[row];
        for (int64_t c = 0; c < columns->count; c++) {
            for (int64_t j = 0; j < columns->size[c]; j++) *index++ = columns->column[c] + j;
        }
        p->Jt.start[row + 1] = p->Jt.start[row] + width;
        p->R.index[p->R.start[row]] = row;
        p->R.start[row + 1] = p->R.start[row] + 1;
        p->row_name[row] = NULL;
    }
    p->Jt.cols = p->R.rows = p->R.cols = p->m;
}

void saddle__slots_lay(saddle_assembly *a, int64_t s)
{
    saddle__slots *slots = &a->slots;
    saddle__slot_group *group = &slots->group[slots->slot[s].group];
    lay_rows(a, &group->columns, group->width, s);
    slots->slot[s].next = -1;
    if (group->last >= 0)
        slots->slot[group->last].next = s;
    else
        group->first = s;
    if (group->free < 0) group->free = s;
    group->last = s;
    group->slots++;
}

static void add_slots(saddle_assembly *a, int64_t g, int64_t count, int reserved)
{
    saddle__slots *slots = &a->slots;
    for (int64_t k = 0; k < count; k++) {
        const int64_t s = slots->count++;
        slots->slot[s] = (saddle__slot){.id = -1, .group = g, .reserved = reserved};
        saddle__slots_lay(a, s);
    }
    slots->group[g].missing = 0;
}

static int64_t wanted(const saddle__slot_group *group, int spare)
{
    if (group->missing == 0) return 0;
    return group->missing + (spare ? (group->slots + group->missing) / 4 : 0);
}

saddle_status saddle__slots_grow(saddle_assembly *a, int spare)
{
    saddle__slots *slots = &a->slots;
    int64_t count = 0, entries = 0;
    for (int64_t g = 0; g < slots->group_count; g++) {
        const int64_t more = wanted(&slots->group[g], spare);
        if (more > MOST_SLOTS - count - slots->count)
            return saddle_fail(a->context, SADDLE_TOO_LARGE, "too many contacts");
        count += more;
        entries += 3 * more * slots->group[g].width;
    }
    const saddle_problem *p = &a->problem;
    const int64_t rows = p->m + 3 * count, Jt = saddle_matrix_entries(&p->Jt) + entries;
    const int64_t R = saddle_matrix_entries(&p->R) + 3 * count,
                  slack = 3 * (slots->count + count) / 2;
    const int roomy = rows <= a->row_capacity && Jt <= a->entry_capacity &&
                      R <= a->compliance_capacity;
    saddle_status status = make_room(a, slots->count + count);
    if (status == SADDLE_OK && !roomy)
        status = saddle__system_reserve(a, rows + slack, Jt + Jt / 4, R + slack);
    if (status != SADDLE_OK) return status;
    for (int64_t g = 0; g < slots->group_count; g++)
        add_slots(a, g, wanted(&slots->group[g], spare), !spare);
    a->changed = 1;
    return SADDLE_OK;
}

saddle_status saddle_assembly_reserve(saddle_assembly *assembly, const saddle_contact_side *a,
                                      const saddle_contact_side *b, int64_t count)
{
    saddle_context_clear_message(assembly ? assembly->context : NULL);
    if (!assembly || !a || !b)
        return saddle_fail(assembly ? assembly->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_assembly_reserve: assembly, a or b is NULL");
    saddle__slot_columns columns;
    saddle_status status = saddle__system_is_current(assembly);
    if (status == SADDLE_OK && count < 0) {
        status = saddle_fail(assembly->context, SADDLE_INVALID_ARGUMENT, "reserve: %lld contacts",
                             (long long)count);
    }
    if (status == SADDLE_OK) status = saddle__contact_columns(assembly, "reserve", a, b, &columns);
    if (status != SADDLE_OK || count == 0) return status;
    int64_t group = saddle__slots_find_group(&assembly->slots, &columns);
    if (group < 0) status = saddle__slots_make_group(assembly, &columns, &group);
    if (status != SADDLE_OK) return status;
    for (int64_t g = 0; g < assembly->slots.group_count; g++) assembly->slots.group[g].missing = 0;
    assembly->slots.group[group].missing = count;
    return saddle__slots_grow(assembly, 0);
}

void saddle__slots_clear(saddle_context *context, saddle__slots *slots)
{
    void *const arrays[] = {slots->slot,     slots->group,   slots->group_table,
                            slots->id_table, slots->slot_of, slots->group_of};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) saddle_release(context, arrays[k]);
    *slots = (saddle__slots){.count = 0};
}
