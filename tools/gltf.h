/* SPDX-License-Identifier: MIT */
/* The motion of a scene as binary glTF 2.0 (Khronos, 2017), one file for viewers and renderers
 * (docs/formats.md, Motions). */
#ifndef SADDLE_TOOLS_GLTF_H
#define SADDLE_TOOLS_GLTF_H

#include "saddle/saddle.h"

typedef struct tool_gltf tool_gltf;

/* path: of the file, which can be written: seen at once.  *gltf: released by tool_gltf_close, after
 * a failure too.
 * SADDLE_FILE_ERROR, SADDLE_OUT_OF_MEMORY. */
saddle_status tool_gltf_open(const saddle_scene *scene, const char *path, tool_gltf **gltf);

/* Adds the present state as a frame.  Left out: states with non-finite numbers, and states not
 * later, in single precision, than the last frame. */
saddle_status tool_gltf_add(tool_gltf *gltf);

/* Writes the file, whole or not at all, and releases; NULL is fine.  SADDLE_FILE_ERROR: not
 * writable, longer than 4 GB, or a shape has numbers beyond single precision. */
saddle_status tool_gltf_close(tool_gltf *gltf);

#endif
