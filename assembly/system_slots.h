/* SPDX-License-Identifier: MIT */
/* Places for contacts in a compiled model: three rows each, whose columns stay in the pattern.
 *
 * Slots belong to groups: those of the same columns.  A contact that was there at the last update keeps its slot, one that
 * comes takes the first free one of its group.  Ids find their slots and columns their groups by two hash tables with open
 * places; all memory is taken when the pattern grows.
 */
#ifndef SADDLE_ASSEMBLY_SYSTEM_SLOTS_H
#define SADDLE_ASSEMBLY_SYSTEM_SLOTS_H

#include "saddle/assembly.h"

enum { SADDLE__SLOT_COLUMNS = 2 * SADDLE_CONTACT_NODES_MAX };

/* Ids of contacts are below this: their rows' ids are -1 - (4 id + k). */
#define SADDLE__CONTACT_IDS (INT64_MAX / 4)

typedef struct saddle__slot_group {
    int64_t count;                          /* parts or nodes that move            */
    int64_t column[SADDLE__SLOT_COLUMNS];   /* ascending                           */
    int64_t size[SADDLE__SLOT_COLUMNS];     /* 3 or 6                              */
    int64_t width;                          /* their sum: entries of a row of J    */
    int64_t first, last;                    /* slots, a list; -1 = none            */
    int64_t free;                           /* the first that may be free; -1      */
    int64_t slots, missing;
} saddle__slot_group;

typedef struct saddle__slot {
    int64_t id;    /* of its contact; -1 = empty                  */
    int64_t group;
    int64_t next;  /* of the same group; -1 = the last            */
    int64_t entry; /* where its first row begins in J'            */
    int taken;     /* 1: by a contact of this update              */
} saddle__slot;

typedef struct saddle__slots {
    int64_t count, capacity;
    saddle__slot *slot;
    int64_t group_count, group_capacity;
    saddle__slot_group *group;
    int64_t group_places, id_places;      /* powers of two: sizes of the tables               */
    int64_t *group_table, *id_table;      /* groups and slots; -1 = nothing                   */
    int64_t contact_capacity;
    int64_t *of_contact;                  /* the contacts' slots, then their groups           */
} saddle__slots;

struct saddle_assembly;

/* A slot for every contact, checked; the pattern grows where there is none. */
saddle_status saddle__slots_assign(struct saddle_assembly *a, const saddle_contact_list *contacts);

/* Values of all slots (system_contacts.c). */
saddle_status saddle__system_contacts(struct saddle_assembly *a, const saddle_stage *stage,
                                      const saddle_contact_list *contacts);

void saddle__slots_clear(saddle_context *context, saddle__slots *slots);

#endif
