/* SPDX-License-Identifier: MIT */
/* A scene's pins, rods and springs. */
#include <math.h>
#include <string.h>

#include "saddle/forces.h"
#include "saddle/pin.h"
#include "saddle/rod.h"
#include "scene_build.h"
#include "space/space.h"

saddle_status saddle__scene_anchor(const saddle__scene_build *build, const saddle__scene_head *head,
                                   const char *name, int64_t node, const double *given,
                                   saddle_anchor *anchor, double *place)
{
    saddle_model *model = build->scene->model;
    *anchor = (saddle_anchor){.node = node};
    const saddle_status status = saddle__scene_find(build, head, name, &anchor->part);
    if (status != SADDLE_OK) return status;
    const int64_t nodes = saddle_model_node_count(model, anchor->part); /* 0: a body, or the
                                                                           ground */
    if (node < 0 || node >= (nodes == 0 ? 1 : nodes)) {
        return saddle__scan_fail_at(build->scan, head->place,
                                    "node %lld: \"%.80s\" has none of that number", (long long)node,
                                    !name ? "ground" : name);
    }
    memcpy(place, nodes == 0 ? given : saddle_model_position(model, anchor->part) + 3 * node,
           3 * sizeof *place);
    return SADDLE_OK;
}

void saddle__scene_from_body(saddle_model *model, saddle_anchor anchor, const double *place,
                             double *point)
{
    const saddle_pose *pose = saddle_model_pose(model, anchor.part);
    memcpy(point, place, 3 * sizeof *point);
    if (!pose) return;
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
    saddle_status status = saddle__scene_check_name(build, &p->head, p->name);
    if (status == SADDLE_OK)
        status = saddle__scene_anchor(build, &p->head, p->a, p->node_a, points, &anchors[0], place);
    if (status == SADDLE_OK && saddle_model_node_count(model, anchors[0].part) == 0) {
        status = saddle__scene_refuse(
            build, &p->head,
            "\"a\" of a pin is a particle, a block or nodes; of bodies it is a ball joint");
    }
    if (status == SADDLE_OK)
        status = saddle__scene_anchor(build, &p->head, p->b, p->node_b, place, &anchors[1],
                                      place_b);
    if (status == SADDLE_OK)
        status = saddle__scene_build_compliance(build, &p->head, &p->compliance, &def.compliance);
    if (status != SADDLE_OK) return status;
    saddle__scene_from_body(model, anchors[1], place_b, points + 3);
    def.name = p->name;
    def.count = 2;
    def.anchors = anchors;
    def.weights = weights;
    def.points = points;
    return saddle__scene_because(build, &p->head, saddle_model_add_pin(model, &def, &pin));
}

/* The ends of a line: its anchors, the points in them, and how long it is now. */
typedef struct line_ends {
    saddle_anchor anchor[2];
    double point[2][3];
    double length;
} line_ends;

static saddle_status find_ends(const saddle__scene_build *build, const saddle__scene_head *head,
                               const saddle__scene_line *line, line_ends *ends)
{
    saddle_model *model = build->scene->model;
    double from[3], to[3];
    saddle_status status = saddle__scene_anchor(build, head, line->a, line->node_a, line->point_a,
                                                &ends->anchor[0], from);
    if (status == SADDLE_OK) {
        status = saddle__scene_anchor(build, head, line->b, line->node_b, line->point_b,
                                      &ends->anchor[1], to);
    }
    if (status != SADDLE_OK) return status;
    saddle__scene_from_body(model, ends->anchor[0], from, ends->point[0]);
    saddle__scene_from_body(model, ends->anchor[1], to, ends->point[1]);
    ends->length = hypot(hypot(to[0] - from[0], to[1] - from[1]), to[2] - from[2]);
    return SADDLE_OK;
}

static saddle_status add_rod(const saddle__scene_build *build, const saddle__scene_rod *r)
{
    line_ends ends;
    saddle_handle rod;
    saddle_rod_def def = {.name = r->name,
                          .length = r->length,
                          .rope = r->rope,
                          .restitution = r->restitution};
    saddle_status status = saddle__scene_check_name(build, &r->head, r->name);
    if (status == SADDLE_OK) status = find_ends(build, &r->head, &r->line, &ends);
    if (status == SADDLE_OK)
        status = saddle__scene_build_compliance(build, &r->head, &r->compliance, &def.compliance);
    if (status != SADDLE_OK) return status;
    if (!r->rope && saddle__scene_given(&saddle__scene_rod_table, r, "restitution")) {
        return saddle__scene_refuse(build, &r->head, "\"restitution\" is of ropes");
    }
    if (!saddle__scene_given(&saddle__scene_rod_table, r, "length")) def.length = ends.length;
    def.a = ends.anchor[0];
    def.b = ends.anchor[1];
    memcpy(def.point_a, ends.point[0], sizeof def.point_a);
    memcpy(def.point_b, ends.point[1], sizeof def.point_b);
    return saddle__scene_because(build, &r->head,
                                 saddle_model_add_rod(build->scene->model, &def, &rod));
}

static saddle_status add_spring(const saddle__scene_build *build, const saddle__scene_spring *s)
{
    line_ends ends;
    saddle_handle force;
    saddle_spring spring = {.stiffness = s->stiffness,
                            .damping = s->damping,
                            .rest_length = s->rest_length};
    saddle_status status = saddle__scene_check_name(build, &s->head, s->name);
    if (status == SADDLE_OK) status = find_ends(build, &s->head, &s->line, &ends);
    if (status != SADDLE_OK) return status;
    if (!saddle__scene_given(&saddle__scene_spring_table, s, "rest_length"))
        spring.rest_length = ends.length;
    memcpy(spring.point_a, ends.point[0], sizeof spring.point_a);
    memcpy(spring.point_b, ends.point[1], sizeof spring.point_b);
    return saddle__scene_because(build, &s->head,
                                 saddle_model_add_spring(build->scene->model, s->name,
                                                         ends.anchor[0], ends.anchor[1], &spring,
                                                         &force));
}

saddle_status saddle__scene_build_ties(const saddle__scene_build *build)
{
    const saddle__scene_file *file = build->file;
    const saddle__scene_pin *pin = file->pins.item;
    const saddle__scene_rod *rod = file->rods.item;
    const saddle__scene_spring *spring = file->springs.item;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; status == SADDLE_OK && k < file->pins.count; k++)
        status = add_pin(build, &pin[k]);
    for (int64_t k = 0; status == SADDLE_OK && k < file->rods.count; k++)
        status = add_rod(build, &rod[k]);
    for (int64_t k = 0; status == SADDLE_OK && k < file->springs.count; k++)
        status = add_spring(build, &spring[k]);
    return status;
}
