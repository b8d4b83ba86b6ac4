/* SPDX-License-Identifier: MIT */
/* A scene's pins and springs. */
#include <math.h>
#include <string.h>

#include "saddle/forces.h"
#include "saddle/pin.h"
#include "scene_build.h"
#include "space/space.h"

/* The anchor of a name and a node, and where it is now; of bodies and the ground: at `given`, in the world. */
static saddle_status find_anchor(const saddle__scene_build *build, const saddle__scene_head *head, const char *name,
                                 int64_t node, const double *given, saddle_anchor *anchor, double *place)
{
    saddle_model *model = build->scene->model;
    *anchor = (saddle_anchor){.node = node};
    const saddle_status status = saddle__scene_find(build, head, name, &anchor->part);
    if (status != SADDLE_OK) return status;
    const int64_t nodes = saddle_model_node_count(model, anchor->part); /* 0: a body, or the ground */
    if (node < 0 || node >= (nodes == 0 ? 1 : nodes)) {
        return saddle__scan_fail_at(build->scan, head->place, "node %lld: \"%.80s\" has none of that number",
                                    (long long)node, name == NULL ? "ground" : name);
    }
    memcpy(place, nodes == 0 ? given : saddle_model_position(model, anchor->part) + 3 * node, 3 * sizeof *place);
    return SADDLE_OK;
}

/* A place in the world as seen from a body; the same for all else. */
static void from_body(saddle_model *model, saddle_anchor anchor, const double *place, double *point)
{
    const saddle_pose *pose = saddle_model_pose(model, anchor.part);
    memcpy(point, place, 3 * sizeof *point);
    if (pose == NULL) return;
    for (int i = 0; i < 3; i++) point[i] -= pose->p[i];
    saddle__unrotate(pose->R, point, point);
}

static saddle_status add_pin(const saddle__scene_build *build, const saddle__scene_pin *p)
{
    saddle_model *model = build->scene->model;
    const double weights[2] = {1, -1};
    double points[6] = {0}, place[3], place_b[3];
    saddle_anchor anchors[2];
    saddle_handle pin;
    saddle_pin_def def = saddle_pin_def_default();
    saddle_status status = find_anchor(build, &p->head, p->a, p->node_a, points, &anchors[0], place);
    if (status == SADDLE_OK && saddle_model_node_count(model, anchors[0].part) == 0) {
        status = saddle__scene_refuse(build, &p->head,
                                      "\"a\" of a pin is a particle, a block or nodes; of bodies it is a ball joint");
    }
    if (status == SADDLE_OK) status = find_anchor(build, &p->head, p->b, p->node_b, place, &anchors[1], place_b);
    if (status == SADDLE_OK) status = saddle__scene_build_compliance(build, &p->head, &p->compliance, &def.compliance);
    if (status != SADDLE_OK) return status;
    from_body(model, anchors[1], place_b, points + 3);
    def.name = p->name;
    def.count = 2;
    def.anchors = anchors;
    def.weights = weights;
    def.points = points;
    return saddle__scene_because(build, &p->head, saddle_model_add_pin(model, &def, &pin));
}

static saddle_status add_spring(const saddle__scene_build *build, const saddle__scene_spring *s)
{
    saddle_model *model = build->scene->model;
    saddle_spring spring = {.stiffness = s->stiffness, .damping = s->damping, .rest_length = s->rest_length};
    saddle_anchor a, b;
    saddle_handle force;
    double from[3], to[3];
    saddle_status status = find_anchor(build, &s->head, s->a, s->node_a, s->point_a, &a, from);
    if (status == SADDLE_OK) status = find_anchor(build, &s->head, s->b, s->node_b, s->point_b, &b, to);
    if (status != SADDLE_OK) return status;
    from_body(model, a, from, spring.point_a);
    from_body(model, b, to, spring.point_b);
    const double line[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    if (!saddle__scene_given(&saddle__scene_spring_table, s, "rest_length"))
        spring.rest_length = sqrt(saddle__dot(line, line));
    return saddle__scene_because(build, &s->head, saddle_model_add_spring(model, s->name, a, b, &spring, &force));
}

saddle_status saddle__scene_build_ties(const saddle__scene_build *build)
{
    const saddle__scene_pin *pin = build->file->pins.item;
    const saddle__scene_spring *spring = build->file->springs.item;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < build->file->pins.count; k++) status = add_pin(build, &pin[k]);
    for (int64_t k = 0; status == SADDLE_OK && k < build->file->springs.count; k++)
        status = add_spring(build, &spring[k]);
    return status;
}
