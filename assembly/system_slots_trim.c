/* SPDX-License-Identifier: MIT */
/* Slots that have been empty for long are taken out where the pattern has to grow anyway and they
 * are the half of all: what slides over many parts would else leave its rows with each.  See
 * system_slots.h. */
#include "system.h"

enum { LONG = 100 }; /* updates */

static int is_stale(const saddle__slot *slot)
{
    return !slot->taken && !slot->reserved && slot->idle >= LONG;
}

/* Groups without slots that nobody asks for go; each one's new number stands in its `free`
 * meanwhile. */
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
    saddle__slots_index_groups(slots);
}

/* The slots that stay move up; each one's new number stands in its `next` meanwhile. */
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
    for (int64_t k = 0; k < slots->contact_count; k++) {
        if (slots->slot_of[k] >= 0) slots->slot_of[k] = slots->slot[slots->slot_of[k]].next;
    }
    for (int64_t s = 0; s < slots->count; s++) {
        const int64_t to = slots->slot[s].next;
        if (to >= 0) slots->slot[to] = slots->slot[s];
    }
    slots->count = count;
}

void saddle__slots_trim(saddle_assembly *a)
{
    saddle__slots *slots = &a->slots;
    int64_t stale = 0;
    for (int64_t s = 0; s < slots->count; s++) stale += is_stale(&slots->slot[s]);
    if (2 * stale < slots->count || stale == 0) return;
    drop_slots(slots);
    drop_groups(slots);
    for (int64_t g = 0; g < slots->group_count; g++) {
        saddle__slot_group *group = &slots->group[g];
        group->first = group->last = group->free = -1;
        group->slots = 0;
    }
    a->problem.m = a->rows;
    for (int64_t s = 0; s < slots->count; s++) saddle__slots_lay(a, s);
    a->problem.Jt.cols = a->problem.R.rows = a->problem.R.cols = a->problem.m;
    saddle__slots_index(slots);
    a->changed = 1;
}
