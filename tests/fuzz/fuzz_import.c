/* SPDX-License-Identifier: MIT */
/* Any bytes as a model in MJCF or URDF: an error that says why, or the text of a scene, which reads
 * or is refused with a reason. */
#include "fuzz_parts.h"

#include "saddle/import.h"
#include "saddle/scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    saddle_context *context = fuzz_context();
    saddle_import import;
    saddle_scene scene;
    const saddle_status status = saddle_import_read_text(context, (const char *)data, (int64_t)size,
                                                         NULL, NULL, 1, &import);
    if ((status == SADDLE_OK) != (import.scene != NULL)) abort();
    if (status != SADDLE_OK && !*saddle_context_message(context)) abort();
    if (import.scene) {
        const saddle_status read = saddle_scene_read_text(context, import.scene, import.length,
                                                          NULL, NULL, &scene);
        if (read != SADDLE_OK && !*saddle_context_message(context)) abort();
        saddle_scene_clear(&scene);
    }
    saddle_import_clear(&import);
    saddle_context_free(context);
    return 0;
}
