/* SPDX-License-Identifier: MIT */
/* Frames of a motion (view.h).  A page is to stay below 20 MB: when the frames taken so far would
 * fill three quarters of that, every second one is dropped, and from then on half as many are
 * taken. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "files/output.h"
#include "view_internal.h"

/* ---- what is drawn ---- */

int64_t view_floats_of(saddle_model *model, saddle_handle part)
{
    if (part.item == SADDLE_ITEM_BODY) return 7;
    return 3 * saddle_model_node_count(model, part);
}

/* Elements of meshes are drawn as surfaces, attachments of joints as joints. */
static int is_drawn(const saddle_model *model, saddle_handle item)
{
    const char *kind = saddle_model_link_kind(model, item);
    if (item.item == SADDLE_ITEM_ATTACHMENT) return strcmp(kind, "joint") != 0;
    return item.item != SADDLE_ITEM_FORCE || strcmp(kind, "muscle") == 0 ||
           strcmp(kind, "path spring") == 0 || strcmp(kind, "spring") == 0;
}

static void list_links(tool_view *view, saddle_item item, int64_t *most)
{
    saddle_model *model = view->scene->model;
    for (int64_t i = 0; i < saddle_model_link_count(model, item); i++) {
        const saddle_handle handle = saddle_model_link_at(model, item, i);
        const int64_t points = saddle_model_link_points(model, handle, NULL);
        if (!is_drawn(model, handle)) continue;
        const int reaction = item == SADDLE_ITEM_CONSTRAINT;
        if (view->link) view->link[view->links] = (view_link){handle, points, reaction};
        view->links++;
        view->floats += 3 * (points + reaction);
        if (points > *most) *most = points;
    }
}

static saddle_status add_links(tool_view *view)
{
    static const saddle_item items[] = {SADDLE_ITEM_FORCE, SADDLE_ITEM_CONSTRAINT,
                                        SADDLE_ITEM_ATTACHMENT};
    int64_t most = 0;
    for (int k = 0; k < 3; k++) list_links(view, items[k], &most);
    view->link = saddle_allocate(view->context, view->links + 1, sizeof *view->link);
    view->points = saddle_allocate(view->context, 6 * most + 1, sizeof *view->points);
    if (!view->link || !view->points) return SADDLE_OUT_OF_MEMORY;
    view->links = view->floats = 0;
    for (int k = 0; k < 3; k++) list_links(view, items[k], &most);
    return SADDLE_OK;
}

saddle_status tool_view_open(const saddle_scene *scene, const char *path, int64_t steps,
                             tool_view **view)
{
    saddle_context *context = scene->context;
    tool_view *made = saddle_allocate(context, 1, sizeof *made);
    *view = NULL;
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = (tool_view){.context = context, .scene = scene, .path = path, .steps = steps};
    *view = made;
    made->every = steps / 600 + 1; /* 600 frames at most, and a page of 14 MB */
    const saddle_status status = add_links(made);
    if (status != SADDLE_OK) return status;
    for (int64_t k = 0; k < saddle_model_part_count(scene->model); k++)
        made->floats += view_floats_of(scene->model, saddle_model_part_at(scene->model, k));
    saddle__output page = {0};
    const saddle_status opened = saddle__output_open(context, path, &page);
    if (opened == SADDLE_OK) (void)saddle__output_finish(&page, SADDLE_STOPPED);
    return opened;
}

/* ---- taking frames ---- */

/* *block: room for `count` elements and as many again, when full. */
static saddle_status grow(saddle_context *context, void **block, int64_t *capacity, int64_t count,
                          size_t size)
{
    if (count <= *capacity) return SADDLE_OK;
    const int64_t more = 2 * count;
    void *larger = saddle_reallocate(context, *block, more, size);
    if (!larger) return SADDLE_OUT_OF_MEMORY;
    *block = larger;
    *capacity = more;
    return SADDLE_OK;
}

static saddle_status make_room(tool_view *view)
{
    struct {
        void **block;
        size_t size;
    } each[] = {{(void **)&view->time, sizeof *view->time},
                {(void **)&view->point, sizeof *view->point},
                {(void **)&view->arrow_end, sizeof *view->arrow_end},
                {(void **)&view->position, sizeof *view->position * (size_t)view->floats}};
    int64_t capacity = view->capacity;
    for (size_t k = 0; k < sizeof each / sizeof *each; k++) {
        capacity = view->capacity;
        const size_t size = each[k].size > 0 ? each[k].size : 1;
        const saddle_status status = grow(view->context, each[k].block, &capacity, view->frames + 1,
                                          size);
        if (status) return status;
    }
    view->capacity = capacity;
    return SADDLE_OK;
}

/* Keeps the even frames. */
static void drop_frames(tool_view *view)
{
    int64_t arrows = 0;
    for (int64_t k = 0; 2 * k < view->frames; k++) {
        const int64_t from = 2 * k, begin = from > 0 ? view->arrow_end[from - 1] : 0;
        const int64_t count = view->arrow_end[from] - begin;
        if (count > 0)
            memmove(view->arrow + arrows, view->arrow + begin, (size_t)count * sizeof *view->arrow);
        arrows += count;
        view->time[k] = view->time[from];
        view->point[k] = view->point[from];
        memmove(view->position + k * view->floats, view->position + from * view->floats,
                (size_t)view->floats * sizeof *view->position);
        view->arrow_end[k] = arrows; /* no later frame begins before 2 k + 1 */
    }
    view->frames = (view->frames + 1) / 2;
    view->arrows = arrows;
    view->every *= 2;
}

static int part_number(saddle_model *model, saddle_handle part)
{
    for (int64_t k = 0; k < saddle_model_part_count(model) && k < INT16_MAX; k++)
        if (saddle_model_part_at(model, k).index == part.index &&
            saddle_model_part_at(model, k).item == part.item)
            return (int)k;
    return -1;
}

/* The impulse on side b: its columns of J'lambda, or lambda of the normal row alone where a side is
 * of nodes or none has columns. */
static void impulse_of(saddle_assembly *assembly, saddle_model *model,
                       const saddle_contact_point *point, int64_t row, const double *lambda,
                       float *impulse)
{
    const saddle_handle side[2] = {point->b.part, point->a.part};
    const saddle_matrix *Jt = &saddle_assembly_problem(assembly)->Jt;
    for (int i = 0; i < 3; i++) impulse[i] = (float)(point->normal[i] * lambda[row]);
    for (int k = 0; k < 2; k++) {
        const int64_t column = saddle_assembly_column(assembly, side[k]);
        if (column < 0 || side[k].item == SADDLE_ITEM_NODES) continue;
        const saddle_pose *pose = saddle_model_pose(model, side[k]);
        double sum[3] = {0, 0, 0};
        for (int64_t r = row; r < row + 3; r++)
            for (int j = 0; j < 3; j++)
                sum[j] += saddle_matrix_entry(Jt, column + j, r) * lambda[r];
        for (int i = 0; i < 3; i++) {
            const double *R = pose ? pose->R + i : NULL;
            const double world = R ? R[0] * sum[0] + R[3] * sum[1] + R[6] * sum[2] : sum[i];
            impulse[i] = (float)(k == 0 ? world : -world);
        }
        return;
    }
}

static saddle_status add_arrows(tool_view *view, const saddle_stepper *stepper)
{
    const saddle_contact_list *list = saddle_stepper_contacts(stepper);
    saddle_assembly *assembly = saddle_stepper_assembly((saddle_stepper *)(uintptr_t)stepper);
    saddle_model *model = view->scene->model;
    const double *lambda = saddle_stepper_solution(stepper)->lambda;
    for (int64_t k = 0; k < list->count; k++) {
        const saddle_contact_point *point = &list->point[k];
        const int64_t row = saddle_assembly_contact_row(assembly, point->id);
        if (row < 0 || !(lambda[row] > 0.0)) continue;
        const saddle_status status = grow(view->context, (void **)&view->arrow,
                                          &view->arrow_capacity, view->arrows + 1,
                                          sizeof *view->arrow);
        if (status) return status;
        view_arrow *arrow = &view->arrow[view->arrows++];
        for (int i = 0; i < 3; i++) arrow->at[i] = (float)point->b.point[i];
        impulse_of(assembly, model, point, row, lambda, arrow->impulse);
        arrow->part[0] = (int16_t)part_number(model, point->a.part);
        arrow->part[1] = (int16_t)part_number(model, point->b.part);
    }
    return SADDLE_OK;
}

static float *add_link(const tool_view *view, const saddle_stepper *stepper, const view_link *link,
                       float *to)
{
    const int64_t numbers = 3 * link->points;
    double *x = view->points, *force = x + numbers;
    saddle_model_link_points(view->scene->model, link->item, x);
    for (int64_t i = 0; i < numbers; i++) *to++ = (float)x[i];
    if (!link->reaction) return to;
    int64_t last = numbers - 3;
    const int none = !stepper ||
                     saddle_stepper_constraint_force(stepper, link->item, force) != SADDLE_OK;
    while (!none && last > 0 && force[last] == 0 && force[last + 1] == 0 && force[last + 2] == 0)
        last -= 3;
    for (int i = 0; i < 3; i++) *to++ = none || last < 0 ? 0 : (float)force[last + i];
    return to;
}

static void copy_positions(const tool_view *view, const saddle_stepper *stepper)
{
    saddle_model *model = view->scene->model;
    float *to = view->position + view->frames * view->floats;
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        const double *x = saddle_model_position(model, part);
        double q[4];
        const int body = part.item == SADDLE_ITEM_BODY;
        for (int64_t i = body ? 3 : view_floats_of(model, part); i > 0; i--) *to++ = (float)*x++;
        if (body) saddle_quaternion_from_matrix(x, q);
        for (int i = 0; body && i < 4; i++) *to++ = (float)q[i];
    }
    for (int64_t k = 0; k < view->links; k++) to = add_link(view, stepper, &view->link[k], to);
}

static int64_t page_bytes(const tool_view *view)
{
    return view->frames * view->floats * (int64_t)sizeof *view->position + view->arrows * 16;
}

saddle_status tool_view_add(tool_view *view, const saddle_stepper *stepper)
{
    const saddle_step_report *report = stepper ? saddle_stepper_report(stepper) : NULL;
    while (view->frames > 2 && page_bytes(view) > 14000000) drop_frames(view);
    if (report && report->step % view->every != 0 && report->step != view->steps) return SADDLE_OK;
    saddle_status status = make_room(view);
    if (status == SADDLE_OK && stepper) status = add_arrows(view, stepper);
    if (status) return status;
    const saddle_energies e = saddle_model_energies(view->scene->model);
    copy_positions(view, stepper);
    view->time[view->frames] = saddle_model_time(view->scene->model);
    view->arrow_end[view->frames] = view->arrows;
    view->point[view->frames++] = (view_point){
        .kinetic = e.kinetic,
        .gravity = e.gravity,
        .elastic = e.elastic,
        .residual = report ? report->residual : 0.0,
        .iterations = report ? (double)report->iterations : 0.0,
        .contacts = report ? (double)report->contacts : 0.0,
    };
    return SADDLE_OK;
}

/* ---- the end ---- */

static saddle_status write_page(tool_view *view)
{
    saddle__output page = {0};
    saddle_status status = saddle__output_open(view->context, view->path, &page);
    if (status != SADDLE_OK) return status;
    const int descriptor = dup(page.descriptor);
    view->file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (view->file) {
        status = view_write_page(view);
        int failed = ferror(view->file) != 0;
        failed |= fclose(view->file) != 0;
        if (failed && status == SADDLE_OK)
            status = saddle__fail_errno(view->context, view->path, "cannot be written",
                                        errno ? errno : EIO);
    } else {
        status = saddle__fail_errno(view->context, view->path, "cannot be written", errno);
        if (descriptor >= 0) (void)close(descriptor);
    }
    return saddle__output_finish(&page, status);
}

saddle_status tool_view_close(tool_view *view, int finish)
{
    if (!view) return SADDLE_OK;
    saddle_context *context = view->context;
    const saddle_status status = finish ? write_page(view) : SADDLE_OK;
    void *const blocks[] = {view->position, view->time,   view->point, view->arrow_end,
                            view->arrow,    view->points, view->link,  view};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    return status;
}
