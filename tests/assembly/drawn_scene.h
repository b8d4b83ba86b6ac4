/* SPDX-License-Identifier: MIT */
/* A drawn model with its assembly and its twin. */
#ifndef SADDLE_TEST_DRAWN_SCENE_H
#define SADDLE_TEST_DRAWN_SCENE_H

#include "system_twin.h"

typedef struct scene { /* a drawn model and its assembly */
    saddle_context *context;
    drawn_model drawn;
    saddle_assembly *assembly;
    system_twin twin;
} scene;

extern const saddle_stage explicit_stage; /* all steps 1, nothing implicit */

void scene_begin(uint64_t *state, drawn_wishes wishes, const saddle_assembly_options *options,
                 scene *s);
void scene_end(scene *s);

/* Asserts that the system is sound. */
void scene_update(const scene *s, const saddle_stage *stage);

saddle_stage draw_stage(uint64_t *state);

/* max |a - b| over max(1, |a|, |b|). */
void assert_near(const double *a, const double *b, int64_t count, double tolerance,
                 const char *what);

/* max |a - b| is within bound: where terms cancel, of their size. */
void assert_within(const double *a, const double *b, int64_t count, double bound, const char *what);

#endif
