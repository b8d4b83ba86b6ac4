/* SPDX-License-Identifier: MIT */
/* Models of other programs as scenes: MJCF (MuJoCo) and URDF.
 *
 *     XML file -> text of a scene (docs/formats.md, Scenes) -> saddle_scene_read_text
 *
 *     saddle_import import;
 *     status = saddle_import_read(context, "arm.xml", 0, &import);
 *     if (status == SADDLE_OK)
 *         status = saddle_scene_read_text(context, import.scene, import.length, "arm.xml", NULL,
 *                                         &scene);
 *     saddle_import_clear(&import);
 *
 * The elements read, and their meaning: docs/formats.md, Models of other programs.  Nothing is
 * guessed: each element or attribute left unread is a finding with file and line.  A finding is
 * `unsupported` if the motion would differ: then there is no scene, unless the caller asks to skip
 * such findings.
 */
#ifndef SADDLE_IMPORT_H
#define SADDLE_IMPORT_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_finding {
    char *text;      /* "FILE:LINE: ELEMENT: .." */
    int unsupported; /* 1: the motion would differ; 0: no mechanical effect, or a stated meaning */
} saddle_finding;

typedef struct saddle_import {
    char *scene;             /* the scene's text, NUL-terminated; NULL = none */
    int64_t length;          /* of the text */
    int64_t findings;        /* in the order of the files */
    saddle_finding *finding; /* (findings) */
    int64_t unsupported;     /* how many of the findings are */
    saddle_context *context;
} saddle_import;

/* Reads a file whose root element is `mujoco` or `robot`; included files are read from the file's
 * folder and below.  skip_unsupported: 1 = leave out unsupported elements, and write the scene.
 * *import owns its contents, also on failure.  SADDLE_UNSUPPORTED: findings that the caller did not
 * ask to skip, or a build without Expat; SADDLE_FILE_ERROR; SADDLE_BAD_FILE with "FILE:LINE: .."
 * for invalid XML, numbers, names or masses; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_import_read(saddle_context *context, const char *path,
                                            int skip_unsupported, saddle_import *import);

/* Reads text (length bytes), with the same errors.  label: for messages, NULL = "model"; folder: of
 * included files, NULL = none may be included. */
SADDLE_API saddle_status saddle_import_read_text(saddle_context *context, const char *text,
                                                 int64_t length, const char *label,
                                                 const char *folder, int skip_unsupported,
                                                 saddle_import *import);

SADDLE_API void saddle_import_clear(saddle_import *import); /* empty ones are fine */

SADDLE_END_DECLARATIONS

#endif
