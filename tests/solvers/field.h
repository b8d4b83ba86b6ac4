/* SPDX-License-Identifier: MIT */
/* Problems side by side as one, without a common unknown: a field. */
#ifndef SADDLE_TEST_FIELD_H
#define SADDLE_TEST_FIELD_H

#include "saddle/saddle.h"

enum { FIELD_PARTS = 400 };

typedef struct field {
    int64_t count;
    const saddle_problem *part[FIELD_PARTS]; /* of one law; borrowed */
    int64_t *velocity[FIELD_PARTS];          /* of each part's velocity, its column in the whole */
    int64_t *row[FIELD_PARTS];               /* the same of rows */
    saddle_problem whole;                    /* owned by context */
} field;

/* field->count, part: given.  Orders in the parts stay.  state: NULL = one part after the other,
 * else parts are mixed as drawn.  Row ids are 1000 part + row. */
void field_build(saddle_context *context, uint64_t *state, field *f);
void field_clear(field *f);

/* The values of M, J, R, f, b and bounds <- the parts'; the pattern is as built. */
void field_refresh(field *f);

/* x (of the part's size) <- the part's share of the whole's y. */
void field_share(const field *f, int64_t part, const saddle_solution *y, saddle_solution *x);

#endif
