/* SPDX-License-Identifier: MIT */
/* What of a scene touches, and what never does. */
#include <string.h>

#include "scene_build.h"

/* The sizes in saddle_touch_kind's order, from "size" or "radius" and "length". */
static saddle_status touch_sizes(const saddle__scene_build *build, const saddle__scene_shape *s,
                                 double size[3])
{
    static const struct {
        const char *key;
        unsigned kinds;
    } needed[] = {{"size", 1u << SADDLE_TOUCH_BOX},
                  {"radius", 1u << SADDLE_TOUCH_SPHERE | 1u << SADDLE_TOUCH_CAPSULE},
                  {"length", 1u << SADDLE_TOUCH_CAPSULE},
                  {"corners", 1u << SADDLE_TOUCH_CONVEX}};
    for (int k = 0; k < 4; k++) {
        const int given = saddle__scene_given(&saddle__scene_shape_table, s, needed[k].key);
        if (given == (int)(needed[k].kinds >> s->kind & 1)) continue;
        return saddle__scan_fail_at(build->scan, s->head.place,
                                    "shape: \"%s\" %s this kind of shape", needed[k].key,
                                    given ? "is not of" : "is missing for");
    }
    memcpy(size, s->size, sizeof s->size);
    if (s->kind != SADDLE_TOUCH_SPHERE && s->kind != SADDLE_TOUCH_CAPSULE) return SADDLE_OK;
    size[0] = s->radius;
    size[1] = s->length;
    return SADDLE_OK;
}

saddle_status saddle__scene_group(const saddle__scene_build *build, const saddle__scene_head *head,
                                  int64_t given, uint32_t *group)
{
    if (given < 0 || given > UINT32_MAX)
        return saddle__scene_refuse(build, head, "\"group\" is out of its range");
    *group = (uint32_t)given;
    return SADDLE_OK;
}

static saddle_status add_shape(const saddle__scene_build *build, const saddle__scene_shape *s)
{
    saddle_touch_def def = saddle_touch_def_default();
    def.name = s->name;
    def.kind = (saddle_touch_kind)s->kind;
    def.mu = s->mu;
    def.restitution = s->restitution;
    def.impact = s->impact;
    def.corners = s->corners.item;
    def.corner_count = s->corners.count / 3;
    saddle_status status = saddle__scene_find(build, &s->head, s->part, &def.part);
    if (status == SADDLE_OK) status = saddle__scene_group(build, &s->head, s->group, &def.group);
    if (status == SADDLE_OK && s->corners.count % 3 != 0) {
        status = saddle__scene_refuse(build, &s->head, "\"corners\" are three numbers each");
    }
    if (status == SADDLE_OK)
        status = saddle__scene_pose(build, &saddle__scene_shape_table, s, &s->placement, &def.pose);
    if (status == SADDLE_OK) status = touch_sizes(build, s, def.size);
    if (status == SADDLE_OK)
        status = saddle__scene_build_compliance(build, &s->head, &s->compliance, &def.compliance);
    if (status != SADDLE_OK) return status;
    return saddle__scene_because(build, &s->head,
                                 saddle_collider_add(build->scene->collider, &def, NULL));
}

static saddle_status keep_apart(const saddle__scene_build *build, const saddle__scene_apart *pair)
{
    saddle_handle a, b;
    saddle_status status = saddle__scene_find(build, &pair->head, pair->a, &a);
    if (status == SADDLE_OK) status = saddle__scene_find(build, &pair->head, pair->b, &b);
    if (status != SADDLE_OK || !build->scene->collider) return status;
    return saddle__scene_because(build, &pair->head,
                                 saddle_collider_ignore(build->scene->collider, a, b));
}

saddle_status saddle__scene_build_shapes(const saddle__scene_build *build)
{
    const saddle__scene_file *file = build->file;
    const saddle__scene_shape *shape = file->shapes.item;
    const saddle__scene_apart *pair = file->apart.item;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < file->shapes.count; k++)
        status = add_shape(build, &shape[k]);
    for (int64_t k = 0; status == SADDLE_OK && k < file->apart.count; k++)
        status = keep_apart(build, &pair[k]);
    return status;
}
