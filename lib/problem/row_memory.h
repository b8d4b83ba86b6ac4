/* SPDX-License-Identifier: MIT */
/* The impulse and status of each row after a solve, by row id, for the start of the next solve
 * (saddle/warm_start.h). */
#ifndef SADDLE_LIB_ROW_MEMORY_H
#define SADDLE_LIB_ROW_MEMORY_H

#include "saddle/problem.h"

/* The rows of the last solve in their order then, and a table from id to row with open addressing.
 * All-zero with a context is ready. */
typedef struct saddle__row_memory {
    saddle_context *context;
    int64_t capacity; /* rows there is room for */
    int64_t count;    /* rows known */
    int64_t slots;    /* a power of two, at least 2 capacity */
    int64_t *slot;    /* slots: row, -1 = none */
    int distinct;     /* 1: no two rows have the same id */
    int64_t *id;      /* capacity: from here on */
    double *lambda;
    signed char *side;  /* -1 = at lo, 1 = at hi, 0 = between */
    signed char *place; /* of a contact's row: 0, 1, 2 within its contact; -1 = no contact's */
    signed char *size;  /* of a contact's row: rows of the contact */
    double *mu;         /* of a contact's row: the contact's */
} saddle__row_memory;

/* Room for `rows` rows; the contents stay.  Allocates only for more rows than before. */
saddle_status saddle__row_memory_reserve(saddle__row_memory *memory, int64_t rows);

/* Replaces the contents by the rows of the problem and their impulses lambda (m); empty without
 * row ids or without room.  Of rows with the same id the first counts. */
void saddle__row_memory_keep(saddle__row_memory *memory, const saddle_problem *problem,
                             const double *lambda);

/* lambda (m): a start, 0 for unknown rows.  Returns the number of known rows. */
int64_t saddle__row_memory_recall(const saddle__row_memory *memory, const saddle_problem *problem,
                                  double *lambda);

void saddle__row_memory_clear(saddle__row_memory *memory); /* half-built ones are fine */

#endif
