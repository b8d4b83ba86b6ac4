/* SPDX-License-Identifier: MIT */
/* Contacts drawn between the parts of a drawn model; a grain on the ground. */
#ifndef SADDLE_TEST_DRAWN_CONTACT_H
#define SADDLE_TEST_DRAWN_CONTACT_H

#include "drawn_model.h"

void draw_unit(uint64_t *state, double *n);

/* Between two sides of which one moves at least. */
void draw_contact(uint64_t *state, const drawn_model *drawn, int64_t id,
                  saddle_contact_point *contact);

/* Torsional friction, rolling friction, each half of the times. */
void draw_friction(uint64_t *state, saddle_contact_point *contact);

/* Rows of the contact that begins at the row. */
int64_t rows_of_contact(const saddle_problem *problem, int64_t row);

typedef struct touching { /* one particle on the ground */
    saddle_model *model;
    saddle_handle part;
    saddle_assembly *assembly;
    saddle_contact_list list;
} touching;

void touching_begin(saddle_context *context, touching *t);
void touching_end(touching *t);
saddle_contact_point *touching_add(touching *t, int64_t id);

/* Row `row` of J, dense (n). */
void dense_row(const saddle_problem *p, int64_t row, double *J);

#endif
