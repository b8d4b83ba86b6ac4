/* SPDX-License-Identifier: MIT */
/* From what a scene file says to a model. */
#ifndef SADDLE_ASSEMBLY_SCENE_BUILD_H
#define SADDLE_ASSEMBLY_SCENE_BUILD_H

#include "scene_fields.h"

typedef struct saddle__scene_build {
    saddle__scan *scan; /* for the lines of messages */
    const char *folder; /* of files that the scene names; NULL = it may name none */
    saddle_scene *scene;
    saddle__scene_file *file;
} saddle__scene_build;

/* SADDLE_BAD_FILE at an object's place: the reason given, or the context's last message where a
 * call failed with status (SADDLE_OUT_OF_MEMORY is passed on). */
saddle_status saddle__scene_refuse(const saddle__scene_build *build, const saddle__scene_head *head,
                                   const char *reason);
saddle_status saddle__scene_because(const saddle__scene_build *build,
                                    const saddle__scene_head *head, saddle_status status);

/* SADDLE_BAD_FILE where something of the scene has that name; NULL and "" are no names. */
saddle_status saddle__scene_check_name(const saddle__scene_build *build,
                                       const saddle__scene_head *head, const char *name);

/* *part: what has that name; "ground", and no name, is the ground. */
saddle_status saddle__scene_find(const saddle__scene_build *build, const saddle__scene_head *head,
                                 const char *name, saddle_handle *part);

/* pose: of a placement; given: the fields of the object it belongs to. */
saddle_status saddle__scene_pose(const saddle__scene_build *build, const saddle__scene_table *table,
                                 const void *object, const saddle__scene_placement *placement,
                                 saddle_pose *pose);

/* *group of a shape: 0 .. 2^32 - 1. */
saddle_status saddle__scene_group(const saddle__scene_build *build, const saddle__scene_head *head,
                                  int64_t given, uint32_t *group);

/* The anchor of a name and a node, and where it is now; of bodies and the ground: at `given`, in
 * the world. */
saddle_status saddle__scene_anchor(const saddle__scene_build *build, const saddle__scene_head *head,
                                   const char *name, int64_t node, const double *given,
                                   saddle_anchor *anchor, double *place);

/* A place in the world as seen from a body; the same for all else. */
void saddle__scene_from_body(saddle_model *model, saddle_anchor anchor, const double *place,
                             double *point);

saddle_status saddle__scene_build_parts(const saddle__scene_build *build);
saddle_status saddle__scene_build_joints(const saddle__scene_build *build);
/* pins, rods, springs */
saddle_status saddle__scene_build_ties(const saddle__scene_build *build);
saddle_status saddle__scene_build_forces(const saddle__scene_build *build); /* muscles, loads */
saddle_status saddle__scene_build_shapes(const saddle__scene_build *build);

/* compliance: of its fields, alpha and beta or stiffness and damping. */
saddle_status saddle__scene_build_compliance(const saddle__scene_build *build,
                                             const saddle__scene_head *head,
                                             const saddle__scene_compliance *fields,
                                             saddle_compliance *compliance);

#endif
