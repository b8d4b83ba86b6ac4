/* SPDX-License-Identifier: MIT */
/* Scenes: a model, shapes that touch, and options of the stepper in one JSON file (docs/formats.md,
 * Scenes).
 *
 *     {"format": "saddle-scene", "version": 1, "gravity": [0, 0, -9.81], "time_step": 0.01,
 *      "bodies": [{"name": "arm", "shape": "box", "size": [1, 0.1, 0.1], "mass": 2,
 *                  "position": [0.5, 0, 1]}],
 *      "joints": [{"kind": "hinge", "a": "ground", "b": "arm", "at": [0, 0, 1],
 *                  "axis": [0, 1, 0]}]}
 */
#ifndef SADDLE_SCENE_H
#define SADDLE_SCENE_H

#include "saddle/stepper.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_scene {
    char *name; /* NULL = none */
    saddle_model *model;
    saddle_collider *collider; /* NULL = no shapes */
    /* for saddle_stepper_create(scene->model, &scene->options, ..) */
    saddle_stepper_options options;
    char *solver;  /* options.solver; NULL = the default */
    void *motions; /* data of joints along splines and surfaces */
    saddle_context *context;
} saddle_scene;

/* *scene owns its contents; empty on failure.  Files that a scene names (matrices of nodes) are
 * read from the scene's folder.  SADDLE_FILE_ERROR; SADDLE_BAD_FILE with "FILE:LINE: .." for
 * invalid JSON, unknown or missing fields, unknown or repeated names, and definitions that the
 * model refuses; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_scene_read(saddle_context *context, const char *path,
                                           saddle_scene *scene);

/* Reads text (length bytes), with the same errors.  label: for messages, NULL = "scene"; folder: of
 * the files that the text names, NULL = none may be named. */
SADDLE_API saddle_status saddle_scene_read_text(saddle_context *context, const char *text,
                                                int64_t length, const char *label,
                                                const char *folder, saddle_scene *scene);

SADDLE_API void saddle_scene_clear(saddle_scene *scene); /* empty and half-built scenes are fine */

SADDLE_END_DECLARATIONS

#endif
