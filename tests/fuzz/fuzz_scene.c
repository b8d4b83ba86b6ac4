/* SPDX-License-Identifier: MIT */
/* Any bytes as a scene: an error that says why, or a model that assembles or says why not.  Small
 * scenes are stepped once. */
#include "fuzz_parts.h"

#include "saddle/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_VELOCITIES = 300, MOST_ROWS = 300 }; /* stepped: enough of structure, and quick */

static void step_once(saddle_scene *scene)
{
    saddle_stepper *stepper = NULL;
    scene->options.solver_options.max_iterations = 20;
    scene->options.solver_options.time_limit = 0.1;
    const saddle_status status = saddle_stepper_create(scene->model, &scene->options, &stepper);
    if (status == SADDLE_OK) (void)saddle_stepper_step(stepper);
    saddle_stepper_free(stepper);
}

static void assemble(saddle_context *context, saddle_scene *scene)
{
    const double h = scene->options.time_step;
    const saddle_stage stage = {.time_step = h, .gyroscopic = h, .row_step = h, .theta = 1};
    saddle_assembly *assembly = NULL;
    saddle_status status = saddle_assembly_create(scene->model, &scene->options.assembly,
                                                  &assembly);
    if (status == SADDLE_OK) status = saddle_assembly_update(assembly, &stage, NULL, NULL);
    if (status < 0 && !*saddle_context_message(context)) abort();
    if (status == SADDLE_OK) {
        const saddle_problem *problem = saddle_assembly_problem(assembly);
        if (saddle_problem_check(context, problem, NULL, NULL) != SADDLE_OK) abort();
        if (problem->n <= MOST_VELOCITIES && problem->m <= MOST_ROWS) step_once(scene);
    }
    saddle_assembly_free(assembly);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    saddle_context *context = fuzz_context();
    saddle_scene scene;
    const saddle_status status = saddle_scene_read_text(context, (const char *)data, (int64_t)size,
                                                        "scene", NULL, &scene);
    if (status == SADDLE_OK)
        assemble(context, &scene);
    else if (scene.model != NULL || !*saddle_context_message(context))
        abort();
    saddle_scene_clear(&scene);
    saddle_context_free(context);
    return 0;
}
