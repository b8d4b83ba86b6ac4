/* SPDX-License-Identifier: MIT */
/* Scenes: read, built, released. */
#include "saddle/scene.h"

#include <string.h>

#include "files/json_scan.h"
#include "scene_build.h"

saddle_status saddle__scene_refuse(const saddle__scene_build *build, const saddle__scene_head *head,
                                   const char *reason)
{
    return saddle__scan_fail_at(build->scan, head->place, "%s", reason);
}

saddle_status saddle__scene_because(const saddle__scene_build *build,
                                    const saddle__scene_head *head, saddle_status status)
{
    if (status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY) return status;
    char reason[400] = "the model refuses it";
    if (build->scan->context) {
        strncpy(reason, saddle_context_message(build->scan->context), sizeof reason - 1);
        reason[sizeof reason - 1] = '\0';
    }
    return saddle__scene_refuse(build, head, reason);
}

saddle_status saddle__scene_find(const saddle__scene_build *build, const saddle__scene_head *head,
                                 const char *name, saddle_handle *part)
{
    *part = (saddle_handle){0};
    if (!name || strcmp(name, "ground") == 0) return SADDLE_OK;
    *part = saddle_model_find(build->scene->model, name);
    if (part->item == SADDLE_ITEM_PARTICLE || part->item == SADDLE_ITEM_BODY ||
        part->item == SADDLE_ITEM_NODES)
        return SADDLE_OK;
    return saddle__scan_fail_at(build->scan, head->place, "there is no part of the name \"%.80s\"",
                                name);
}

saddle_status saddle__scene_check_name(const saddle__scene_build *build,
                                       const saddle__scene_head *head, const char *name)
{
    static const char *const words[] = {"", "part", "part", "part", "force", "joint, pin or rod"};
    const saddle_handle found = saddle_model_find(build->scene->model, name);
    if (found.item == SADDLE_ITEM_NONE) return SADDLE_OK;
    return saddle__scan_fail_at(build->scan, head->place,
                                "there is already a %s of the name \"%.80s\"", words[found.item],
                                name);
}

/* ---- options ---- */

static saddle_status set_options(const saddle__scene_build *build)
{
    saddle__scene_file *file = build->file;
    saddle_stepper_options *options = &build->scene->options;
    *options = saddle_stepper_options_default();
    options->time_step = file->time_step;
    options->integrator = (saddle_integrator)file->integrator;
    options->rotation = (saddle_rotation_update)file->rotation;
    options->solver_options.tolerance = file->tolerance;
    options->solver_options.max_iterations = file->max_iterations;
    options->assembly.law = (saddle_law)file->friction.law;
    options->assembly.facets = file->friction.facets;
    options->assembly.geometric_stiffness = file->geometric_stiffness;
    options->assembly.gyroscopic_jacobian = file->gyroscopic_jacobian;
    options->assembly.symmetric_stiffness = file->symmetric_stiffness;
    options->projection = (int)file->projection;
    options->projection_tolerance = file->projection_tolerance;
    options->margin = file->margin;
    options->max_separation_speed = file->max_separation_speed;
    if (!(file->time_step > 0))
        return saddle__scene_refuse(build, &file->head, "\"time_step\" is not positive");
    if (file->projection < 0 || file->projection > 1000) {
        return saddle__scene_refuse(build, &file->head, "\"projection\" is not within 0 .. 1000");
    }
    if (file->friction.facets > SADDLE_FACETS_AT_MOST) {
        return saddle__scan_fail_at(build->scan, file->head.place,
                                    "\"facets\" is %lld, more than %d",
                                    (long long)file->friction.facets, SADDLE_FACETS_AT_MOST);
    }
    if (!(file->margin >= 0))
        return saddle__scene_refuse(build, &file->head, "\"margin\" is negative");
    if (!(file->max_separation_speed >= 0))
        return saddle__scene_refuse(build, &file->head, "\"max_separation_speed\" is negative");
    if (file->solver) {
        build->scene->solver = file->solver;
        file->solver = NULL;
        options->solver = build->scene->solver;
        if (saddle_solver_type_find(build->scan->context, options->solver) == NULL) {
            return saddle__scan_fail_at(build->scan, file->head.place,
                                        "there is no solver \"%.80s\"", options->solver);
        }
    }
    return saddle__scene_because(build, &file->head,
                                 saddle_options_check(build->scan->context,
                                                      &options->solver_options));
}

static saddle_status check_format(const saddle__scene_build *build)
{
    const saddle__scene_file *file = build->file;
    if (!file->format || strcmp(file->format, "saddle-scene") != 0) {
        return saddle__scene_refuse(build, &file->head, "\"format\" is not \"saddle-scene\"");
    }
    if (file->version == 1) return SADDLE_OK;
    return saddle__scan_fail_at(build->scan, file->head.place,
                                "\"version\" is %lld, this reader knows 1",
                                (long long)file->version);
}

static saddle_status build_scene(const saddle__scene_build *build)
{
    saddle_scene *scene = build->scene;
    saddle_status status = check_format(build);
    if (status == SADDLE_OK) status = saddle_model_create(scene->context, &scene->model);
    if (status == SADDLE_OK) status = set_options(build);
    if (status != SADDLE_OK) return status;
    scene->name = build->file->name;
    build->file->name = NULL;
    saddle_model_set_gravity(scene->model, build->file->gravity);
    saddle_model_set_time(scene->model, build->file->time);
    status = saddle__scene_build_parts(build);
    if (status == SADDLE_OK) status = saddle__scene_build_joints(build);
    if (status == SADDLE_OK) status = saddle__scene_build_ties(build);
    if (status == SADDLE_OK) status = saddle__scene_build_forces(build);
    if (status == SADDLE_OK) status = saddle__scene_build_shapes(build);
    return status;
}

/* ---- reading ---- */

static saddle_status read_scan(saddle__scan *scan, const char *folder, saddle_scene *scene)
{
    saddle__scene_file file = {0};
    *scene = (saddle_scene){.context = scan->context};
    saddle_status status = saddle__scene_object(scan, &saddle__scene_file_table, "the scene",
                                                &file);
    if (status == SADDLE_OK) status = saddle__json_end(scan);
    const saddle__scene_build build = {scan, folder, scene, &file};
    if (status == SADDLE_OK) status = build_scene(&build);
    saddle__scene_release(scan->context, &saddle__scene_file_table, &file);
    if (status != SADDLE_OK) saddle_scene_clear(scene);
    return status;
}

saddle_status saddle_scene_read(saddle_context *context, const char *path, saddle_scene *scene)
{
    saddle_context_clear_message(context);
    if (scene) *scene = (saddle_scene){0};
    if (!path || !scene)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_scene_read: path or scene is NULL");
    const char *slash = strrchr(path, '/');
    const size_t length = !slash ? 1 : slash == path ? 1 : (size_t)(slash - path);
    char *folder = saddle_allocate(context, (int64_t)length + 1, 1);
    if (!folder) return SADDLE_OUT_OF_MEMORY;
    memcpy(folder, !slash ? "." : path, length);
    saddle__scan scan = {0};
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK) status = read_scan(&scan, folder, scene);
    saddle__scan_close(&scan);
    saddle_release(context, folder);
    return status;
}

saddle_status saddle_scene_read_text(saddle_context *context, const char *text, int64_t length,
                                     const char *label, const char *folder, saddle_scene *scene)
{
    saddle_context_clear_message(context);
    if (!text || !scene)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_scene_read_text: text or scene is NULL");
    saddle__scan scan = saddle__scan_text(context, text, length, label ? label : "scene");
    return read_scan(&scan, folder, scene);
}

void saddle_scene_clear(saddle_scene *scene)
{
    if (!scene) return;
    saddle_collider_free(scene->collider);
    saddle_model_free(scene->model);
    saddle_release(scene->context, scene->name);
    saddle_release(scene->context, scene->solver);
    *scene = (saddle_scene){0};
}
