/* SPDX-License-Identifier: MIT */
/* Scenes, and models of other programs read as scenes. */
#ifndef SADDLE_TOOLS_MODEL_H
#define SADDLE_TOOLS_MODEL_H

#include "saddle/saddle.h"

/* 1: the name is of a model of another program, .xml or .urdf */
int tool_model_is(const char *path);

/* saddle_import_read, with the findings as lines on stderr. */
saddle_status tool_model_read(saddle_context *context, const char *path, int skip_unsupported,
                              saddle_import *import);

/* A scene, or a model as one. */
saddle_status tool_scene_read(saddle_context *context, const char *path, int skip_unsupported,
                              saddle_scene *scene);

#endif
