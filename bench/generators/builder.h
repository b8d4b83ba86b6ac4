/* SPDX-License-Identifier: MIT */
/* Collects a problem entry by entry: velocities, rows, matrix entries, contacts, names; then
 * compresses it.
 *
 * The first failure sticks: later calls do nothing, and builder_finish returns it.  So a model
 * reads as the list of its parts, without an error check on each line.
 */
#ifndef SADDLE_GENERATORS_BUILDER_H
#define SADDLE_GENERATORS_BUILDER_H

#include "saddle/problem.h"

typedef struct builder_entries { /* triplets */
    int64_t count, capacity;
    int64_t *row, *col;
    double *value;
} builder_entries;

typedef struct builder {
    saddle_context *context;
    saddle_status status; /* of the first failure */
    int unsymmetric_mass; /* 1: M keeps both triangles, else each entry is given once */
    builder_entries M, J, R;
    int bounded, identified, named; /* whether any row had bounds, an id, a name */
    int64_t row_capacity, velocity_capacity, component_capacity, contact_capacity;
    saddle_problem problem; /* sizes, vectors, names and contacts so far; no matrix yet */
} builder;

/* The all-zero builder with a context is ready. */
builder builder_begin(saddle_context *context);

/* count more velocities; returns the first.  f is zero there.  name: printf-like, of the component;
 * NULL = no component. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int64_t
builder_velocities(builder *b, int64_t count, const char *name, ...);

/* Adds a row with bounds [lo, hi] and wanted velocity; returns its index. */
int64_t builder_row(builder *b, double lo, double hi, double wanted);
int64_t builder_equality(builder *b);

/* The id and the name of a row, both optional for the problem as a whole; a row without an id gets
 * its number. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
void builder_label(builder *b, int64_t row, int64_t id, const char *name, ...);

/* Entries add up.  M, R: with a symmetric matrix each entry below or on the diagonal once, either
 * triangle. */
void builder_mass(builder *b, int64_t i, int64_t j, double value);
void builder_jacobian(builder *b, int64_t row, int64_t velocity, double value);
void builder_compliance(builder *b, int64_t i, int64_t j, double value);
void builder_force(builder *b, int64_t velocity, double value);

/* The rows row, .., row + size - 1 become a contact. */
void builder_contact(builder *b, int64_t row, int64_t size, double mu);

/* Sets name, source and time step, compresses, checks, and hands the problem over (owned).  Empties
 * the builder whatever happens; on failure the problem is empty and the first failing status is
 * returned. */
saddle_status builder_finish(builder *b, const char *name, double time_step,
                             saddle_problem *problem);

/* Releases everything collected, for a model without builder_finish. */
void builder_clear(builder *b);

#endif
