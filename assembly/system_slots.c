/* SPDX-License-Identifier: MIT */
/* Which slot a contact has: see system_slots.h. */
#include "system.h"

/* Where id stands in the table, or the place where it may be put. */
static int64_t place_of(const saddle__slots *slots, int64_t id)
{
    const uint64_t mask = (uint64_t)slots->id_places - 1;
    uint64_t at = saddle__slot_hash(0, id) & mask;
    while (slots->id_table[at] >= 0 && slots->slot[slots->id_table[at]].id != id)
        at = (at + 1) & mask;
    return (int64_t)at;
}

static int64_t known_slot(const saddle__slots *slots, int64_t id)
{
    return slots->id_places == 0 ? -1 : slots->id_table[place_of(slots, id)];
}

int64_t saddle__slots_find(const saddle__slots *slots, int64_t id)
{
    const int64_t slot = id < 0 ? -1 : known_slot(slots, id);
    return slot >= 0 && slots->slot[slot].taken ? slot : -1;
}

void saddle__slots_index(saddle__slots *slots)
{
    for (int64_t k = 0; k < slots->id_places; k++) slots->id_table[k] = -1;
    for (int64_t s = 0; s < slots->count; s++) {
        if (slots->slot[s].id >= 0) slots->id_table[place_of(slots, slots->slot[s].id)] = s;
    }
}

/* What the last update left, nothing taken yet. */
static void begin(saddle__slots *slots)
{
    saddle__slots_index(slots);
    for (int64_t s = 0; s < slots->count; s++) {
        slots->slot[s].idle = slots->slot[s].taken ? 0 : slots->slot[s].idle + 1;
        slots->slot[s].taken = 0;
    }
    for (int64_t g = 0; g < slots->group_count; g++) {
        slots->group[g].free = slots->group[g].first;
        slots->group[g].missing = 0;
    }
}

static saddle_status twice(const saddle_assembly *a, int64_t id)
{
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "contact %lld: it is there twice",
                       (long long)id);
}

/* Groups of all contacts; those that stay where they were take their slots. */
static saddle_status keep_places(saddle_assembly *a, const saddle_contact_list *contacts,
                                 int64_t count)
{
    saddle__slots *slots = &a->slots;
    for (int64_t k = 0; k < count; k++) {
        const int64_t id = contacts->point[k].id;
        saddle__slot_columns columns;
        const saddle_status status = saddle__contact_check(a, &contacts->point[k], &columns);
        if (status != SADDLE_OK) return status;
        slots->group_of[k] = saddle__slots_find_group(slots, &columns);
        slots->slot_of[k] = known_slot(slots, id);
        if (slots->slot_of[k] < 0) continue;
        saddle__slot *slot = &slots->slot[slots->slot_of[k]];
        if (slot->taken) return twice(a, id);
        if (slot->group == slots->group_of[k])
            slot->taken = 1;
        else
            slots->slot_of[k] = -1;
    }
    for (int64_t s = 0; s < slots->count; s++) {
        if (!slots->slot[s].taken) slots->slot[s].id = -1;
    }
    return SADDLE_OK;
}

/* The first free slot of a group; -1 where it has none. */
static int64_t take_free(saddle__slots *slots, saddle__slot_group *group)
{
    while (group->free >= 0 && slots->slot[group->free].taken)
        group->free = slots->slot[group->free].next;
    return group->free;
}

/* Contacts that come take free slots.  *missing: how many found none; their groups are made and
 * know of it. */
static saddle_status take_places(saddle_assembly *a, const saddle_contact_list *contacts,
                                 int64_t count, int64_t *missing)
{
    saddle__slots *slots = &a->slots;
    *missing = 0;
    for (int64_t k = 0; k < count; k++) {
        const int64_t id = contacts->point[k].id;
        if (slots->slot_of[k] >= 0) continue;
        if (saddle__slots_find(slots, id) >= 0) return twice(a, id);
        saddle__slot_columns columns;
        saddle_status status = SADDLE_OK;
        if (slots->group_of[k] < 0) {
            status = saddle__contact_check(a, &contacts->point[k], &columns);
            slots->group_of[k] = saddle__slots_find_group(slots, &columns);
        }
        if (slots->group_of[k] < 0)
            status = saddle__slots_make_group(a, &columns, &slots->group_of[k]);
        if (status != SADDLE_OK) return status;
        saddle__slot_group *group = &slots->group[slots->group_of[k]];
        const int64_t s = take_free(slots, group);
        slots->slot_of[k] = s;
        if (s < 0) {
            group->missing++;
            ++*missing;
            continue;
        }
        slots->slot[s].id = id;
        slots->slot[s].taken = 1;
        slots->slot[s].is_new = 1;
        slots->id_table[place_of(slots, id)] = s;
    }
    return SADDLE_OK;
}

saddle_status saddle__slots_assign(saddle_assembly *a, const saddle_contact_list *contacts)
{
    const int64_t count = contacts == NULL ? 0 : contacts->count;
    int64_t missing = 0;
    saddle_status status = saddle__slots_reserve_contacts(a, count);
    if (status != SADDLE_OK) return status;
    a->slots.contact_count = count;
    begin(&a->slots);
    status = keep_places(a, contacts, count);
    if (status == SADDLE_OK) status = take_places(a, contacts, count, &missing);
    if (status != SADDLE_OK || missing == 0) return status;
    saddle__slots_trim(a);
    status = saddle__slots_grow(a, 1);
    if (status == SADDLE_OK) status = take_places(a, contacts, count, &missing);
    return status;
}

int64_t saddle_assembly_contact_row(const saddle_assembly *assembly, int64_t id)
{
    if (!assembly) return -1;
    const int64_t slot = saddle__slots_find(&assembly->slots, id);
    return slot < 0 ? -1 : assembly->rows + 3 * slot;
}

int64_t saddle__slot_row_id(int64_t id, int64_t slot, int64_t k)
{
    return -1 - (id < 0 ? 4 * (3 * slot + k) + 3 : 4 * id + k);
}
