/* SPDX-License-Identifier: MIT */
/* Places for contacts in a compiled model: three rows each, whose columns stay in the pattern.
 *
 * Slots belong to groups: those of the same columns.  A contact that was there at the last update
 * keeps its slot, one that comes takes the first free one of its group.  Ids find their slots and
 * columns their groups by two hash tables with open places; all memory is taken when the pattern
 * grows.
 */
#ifndef SADDLE_ASSEMBLY_SYSTEM_SLOTS_H
#define SADDLE_ASSEMBLY_SYSTEM_SLOTS_H

#include "saddle/assembly.h"

enum { SADDLE__SLOT_COLUMNS = 2 * SADDLE_CONTACT_NODES_MAX };

typedef struct saddle__slot_columns { /* what moves of the two sides of a contact */
    int64_t count;
    int64_t column[SADDLE__SLOT_COLUMNS]; /* first columns, ascending */
    int64_t size[SADDLE__SLOT_COLUMNS];   /* 3 or 6 */
} saddle__slot_columns;

typedef struct saddle__slot_group {
    saddle__slot_columns columns;
    int64_t width;       /* entries of a row of J */
    int64_t first, last; /* slots, a list; -1 = none */
    int64_t free;        /* the first that may be free; -1 = none */
    int64_t slots;
    int64_t missing; /* asked for beyond them */
} saddle__slot_group;

typedef struct saddle__slot {
    int64_t id; /* of its contact; -1 = empty */
    int64_t group;
    int64_t next;   /* of the same group; -1 = the last */
    int taken;      /* 1: by a contact of this update */
    int reserved;   /* 1: the host's wish, it stays */
    int64_t idle;   /* updates since it was taken */
    int is_new;     /* 1: its contact has no values yet */
    double slow;    /* what may stay of the overlap that its contact was found with, parted slowly
                       [m] */
    double overlap; /* at the last update [m] */
    double since;   /* the last update [s] */
} saddle__slot;

typedef struct saddle__slots {
    int64_t count, capacity;
    saddle__slot *slot;
    int64_t group_count, group_capacity;
    saddle__slot_group *group;
    int64_t group_places, id_places; /* powers of two: sizes of the tables */
    int64_t *group_table, *id_table; /* groups and slots; -1 = nothing */
    int64_t contact_count, contact_capacity;
    int64_t *slot_of, *group_of; /* of the contacts of this update; -1 = none */
} saddle__slots;

/* One step of a 64-bit multiplicative hash (the odd constant is 2^64 / golden ratio). */
static inline uint64_t saddle__slot_hash(uint64_t print, int64_t x)
{
    print = (print ^ (uint64_t)x) * UINT64_C(0x9E3779B97F4A7C15);
    return print ^ (print >> 29);
}

struct saddle_assembly;

/* A slot for every contact, checked; the pattern grows where there is none (system_slots.c). */
saddle_status saddle__slots_assign(struct saddle_assembly *a, const saddle_contact_list *contacts);

/* As many more slots as the groups miss, and a quarter of each such group if spare
 * (system_slots_grow.c). */
saddle_status saddle__slots_grow(struct saddle_assembly *a, int spare);

/* Slots that have been empty for long go, if they are many; the pattern is then another
 * (system_slots_trim.c). */
void saddle__slots_trim(struct saddle_assembly *a);

/* Slot s of its group as three more rows at the end; the table of groups anew. */
void saddle__slots_lay(struct saddle_assembly *a, int64_t s);
void saddle__slots_index_groups(saddle__slots *slots);

/* The group of these columns, -1 = none; one is made if make (system_slots_grow.c). */
int64_t saddle__slots_find_group(const saddle__slots *slots, const saddle__slot_columns *columns);
saddle_status saddle__slots_make_group(struct saddle_assembly *a,
                                       const saddle__slot_columns *columns, int64_t *group);

/* Room for the contacts of an update. */
saddle_status saddle__slots_reserve_contacts(struct saddle_assembly *a, int64_t count);

/* The table of ids anew. */
void saddle__slots_index(saddle__slots *slots);

/* The slot of a contact of the last update; -1 = none. */
int64_t saddle__slots_find(const saddle__slots *slots, int64_t id);

void saddle__slots_clear(saddle_context *context, saddle__slots *slots);

/* A contact that is sound, or an error that names it by its id; the columns of its sides
 * (system_contact_check.c). */
saddle_status saddle__contact_check(const struct saddle_assembly *a,
                                    const saddle_contact_point *contact,
                                    saddle__slot_columns *columns);
saddle_status saddle__contact_columns(const struct saddle_assembly *a, const char *whose,
                                      const saddle_contact_side *first,
                                      const saddle_contact_side *second,
                                      saddle__slot_columns *columns);

/* Values of all slots (system_contacts.c). */
saddle_status saddle__system_contacts(struct saddle_assembly *a, const saddle_stage *stage,
                                      const saddle_contact_list *contacts);

/* Row k of the contact in a slot, -1 - (4 id + k), of an empty slot -1 - (4 (3 slot + k) + 3): none
 * is a constraint's. */
int64_t saddle__slot_row_id(int64_t id, int64_t slot, int64_t k);

#endif
