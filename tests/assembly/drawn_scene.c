/* SPDX-License-Identifier: MIT */
/* See drawn_scene.h. */
#include "drawn_scene.h"

#include <math.h>

void scene_begin(uint64_t *state, drawn_wishes wishes, const saddle_assembly_options *options,
                 scene *s)
{
    assert_int_equal(saddle_context_create(NULL, &s->context), SADDLE_OK);
    draw_model(s->context, state, wishes, &s->drawn);
    assert_int_equal(saddle_assembly_create(s->drawn.model, options, &s->assembly), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(s->assembly);
    s->twin = (system_twin){&s->drawn, s->assembly, p->n, p->m};
    assert_true(p->n <= TWIN_N && p->m <= TWIN_M);
}

void scene_end(scene *s)
{
    saddle_assembly_free(s->assembly);
    drawn_clear(&s->drawn);
    saddle_context_free(s->context);
}

void scene_update(const scene *s, const saddle_stage *stage)
{
    int grown;
    const saddle_status status = saddle_assembly_update(s->assembly, stage, NULL, &grown);
    if (status != SADDLE_OK) fail_msg("%s", saddle_context_message(s->context));
    assert_int_equal(saddle_problem_check(s->context, saddle_assembly_problem(s->assembly), NULL,
                                          NULL),
                     SADDLE_OK);
}

saddle_stage draw_stage(uint64_t *state)
{
    saddle_stage stage = {.time_step = test_uniform(state, 0.1, 1),
                          .row_step = test_uniform(state, 0.1, 1)};
    stage.theta = test_uniform(state, 0.1, 1);
    stage.gyroscopic = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.carried = test_uniform(state, 0, 0.9);
    if (test_integer(state, 0, 1)) stage.damping = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.stiffness = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.velocity_force = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.curvature = test_uniform(state, 0, 1);
    stage.keep_errors = (int)test_integer(state, 0, 1);
    return stage;
}

const saddle_stage explicit_stage = {.time_step = 1, .row_step = 1, .theta = 1};

void assert_near(const double *a, const double *b, int64_t count, double tolerance,
                 const char *what)
{
    const double distance = test_distance(a, b, count);
    if (!(distance <= tolerance)) fail_msg("%s differs by %g", what, distance);
}

void assert_within(const double *a, const double *b, int64_t count, double bound, const char *what)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(fabs(a[i] - b[i]) <= bound))
            fail_msg("%s differs by %g, allowed %g", what, a[i] - b[i], bound);
    }
}
