/* SPDX-License-Identifier: MIT */
/* Scenes, and models of other programs read as scenes. */
#include "model.h"

#include <string.h>
#include <strings.h>

#include "files/scan.h"
#include "text.h"

int tool_model_is(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (strcasecmp(dot, ".xml") == 0 || strcasecmp(dot, ".urdf") == 0);
}

saddle_status tool_model_read(saddle_context *context, const char *path, int skip_unsupported,
                              saddle_import *import)
{
    const saddle_status status = saddle_import_read(context, path, skip_unsupported, import);
    for (int64_t k = 0; k < import->findings; k++) {
        const saddle_finding *finding = &import->finding[k];
        tool_error("%s%s",
                   !finding->unsupported ? "note: "
                   : import->scene       ? "left out: "
                                         : "",
                   finding->text);
    }
    return status;
}

/* Files that the scene names are in the folder of the command. */
static saddle_status read_standard_input(saddle_context *context, saddle_scene *scene)
{
    saddle__scan scan;
    saddle_status status = saddle__scan_open(context, tool_path_input("-"), &scan);
    *scene = (saddle_scene){0};
    if (status == SADDLE_OK)
        status = saddle_scene_read_text(context, scan.begin, scan.end - scan.begin, scan.label, ".",
                                        scene);
    saddle__scan_close(&scan);
    return status;
}

saddle_status tool_scene_read(saddle_context *context, const char *path, int skip_unsupported,
                              saddle_scene *scene)
{
    saddle_import import;
    if (strcmp(path, "-") == 0) return read_standard_input(context, scene);
    if (!tool_model_is(path)) return saddle_scene_read(context, path, scene);
    saddle_status status = tool_model_read(context, path, skip_unsupported, &import);
    if (status == SADDLE_OK)
        status = saddle_scene_read_text(context, import.scene, import.length, path, NULL, scene);
    saddle_import_clear(&import);
    return status;
}
