/* SPDX-License-Identifier: MIT */
/* The systems of data/: small, each from a generator with stated parameters, with a note on its
 * known properties. */
#ifndef SADDLE_GENERATORS_SHIPPED_H
#define SADDLE_GENERATORS_SHIPPED_H

#include "saddle/attachments.h"
#include "saddle/problem.h"

typedef struct shipped_system {
    const char *name; /* of its folder in data/ */
    /* with attachments: NULL */
    saddle_status (*make)(saddle_context *context, saddle_problem *problem);
    saddle_status (*make_attached)(saddle_context *context, saddle_problem *problem,
                                   saddle_attachments **attachments);
    const char *file;  /* the generator of the model */
    const char *what;  /* description with parameters */
    const char *known; /* known properties of the solution */
} shipped_system;

/* By name, ascending; NULL past the end. */
const shipped_system *shipped_system_at(int64_t index);
const shipped_system *shipped_system_find(const char *name);

/* The problem to solve: as made, or the whole problem with its attachments as rows. */
saddle_status shipped_system_make(const shipped_system *system, saddle_context *context,
                                  saddle_problem *problem);

#endif
