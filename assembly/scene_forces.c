/* SPDX-License-Identifier: MIT */
/* A scene's muscles and loads. */
#include <math.h>
#include <string.h>

#include "saddle/forces.h"
#include "saddle/muscle.h"
#include "scene_build.h"
#include "space/space.h"

/* The points of a muscle's path, and its length now. */
static saddle_status find_path(const saddle__scene_build *build, const saddle__scene_muscle *m,
                               saddle_path_point *path, double *length)
{
    const saddle__scene_point *point = m->path.item;
    double place[3] = {0}, before[3] = {0};
    *length = 0;
    for (int64_t k = 0; k < m->path.count; k++) {
        const saddle_status status = saddle__scene_anchor(build, &point[k].head, point[k].part,
                                                          point[k].node, point[k].at,
                                                          &path[k].anchor, place);
        if (status != SADDLE_OK) return status;
        saddle__scene_from_body(build->scene->model, path[k].anchor, place, path[k].point);
        const double d[3] = {place[0] - before[0], place[1] - before[1], place[2] - before[2]};
        if (k > 0) *length += sqrt(saddle__dot(d, d));
        memcpy(before, place, sizeof before);
    }
    return SADDLE_OK;
}

static saddle_status add_muscle(const saddle__scene_build *build, const saddle__scene_muscle *m)
{
    saddle_path_point path[SADDLE_ANCHORS_MAX];
    saddle_handle force;
    double length;
    if (m->path.count < 2 || m->path.count > SADDLE_ANCHORS_MAX) {
        return saddle__scene_refuse(build, &m->head, "\"path\" needs 2 to 64 points");
    }
    saddle_status status = saddle__scene_check_name(build, &m->head, m->name);
    if (status == SADDLE_OK) status = find_path(build, m, path, &length);
    if (status != SADDLE_OK) return status;
    saddle_muscle muscle = {m->peak_force, m->activation, m->optimal_length, m->tendon_length,
                            m->fastest};
    if (!saddle__scene_given(&saddle__scene_muscle_table, m, "optimal_length")) {
        muscle.optimal_length = length - m->tendon_length;
    }
    return saddle__scene_because(build, &m->head,
                                 saddle_model_add_muscle(build->scene->model, m->name,
                                                         m->path.count, path, &muscle, &force));
}

static saddle_status add_load(const saddle__scene_build *build, const saddle__scene_load *l)
{
    saddle_model *model = build->scene->model;
    saddle_anchor anchor;
    saddle_handle force;
    saddle_dead_load load = {.point = {0}};
    double place[3];
    saddle_status status = saddle__scene_check_name(build, &l->head, l->name);
    if (status == SADDLE_OK)
        status = saddle__scene_anchor(build, &l->head, l->part, l->node, l->at, &anchor, place);
    if (status != SADDLE_OK) return status;
    saddle__scene_from_body(model, anchor, place, load.point);
    memcpy(load.force, l->force, sizeof load.force);
    return saddle__scene_because(build, &l->head,
                                 saddle_model_add_dead_load(model, l->name, anchor, &load, &force));
}

saddle_status saddle__scene_build_forces(const saddle__scene_build *build)
{
    const saddle__scene_muscle *muscle = build->file->muscles.item;
    const saddle__scene_load *load = build->file->loads.item;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < build->file->muscles.count; k++)
        status = add_muscle(build, &muscle[k]);
    for (int64_t k = 0; status == SADDLE_OK && k < build->file->loads.count; k++)
        status = add_load(build, &load[k]);
    return status;
}
