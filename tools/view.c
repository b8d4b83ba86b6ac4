/* SPDX-License-Identifier: MIT */
/* See view.h.  The page is view.html with the data in place of a mark: a JSON object of parts,
 * shapes and curves, and the frames' positions as 32-bit numbers in base 64. */
#include "view.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "view_page.h" /* made from view.html by the build: view_page[], ends with a zero */

enum { FRAMES_AT_MOST = 600 };
#define POSE_NUMBERS ((int64_t)(sizeof(saddle_pose) / sizeof(double)))

#define CURVES(X) X(kinetic) X(gravity) X(elastic) X(residual) X(iterations) X(contacts)

typedef struct curve_point {
#define FIELD(name) double name;
    CURVES(FIELD)
#undef FIELD
} curve_point;

/* Of a frame: point (3), normal (3), normal impulse. */
typedef struct arrow {
    float number[7];
} arrow;

struct tool_view {
    saddle_context *context;
    const saddle_scene *scene;
    FILE *file;
    const char *path;
    int64_t steps, every;
    int64_t frames, capacity;  /* of time, point and arrow_end */
    int64_t floats;            /* of a frame's positions */
    int64_t position_capacity; /* frames */
    float *position;           /* floats x frames */
    double *time;
    curve_point *point;
    int64_t *arrow_end; /* arrows up to the frame's end */
    int64_t arrows, arrow_capacity;
    arrow *arrow;
};

/* ---- taking frames ---- */

static int64_t floats_of(saddle_model *model, saddle_handle part)
{
    if (part.item == SADDLE_ITEM_BODY) return POSE_NUMBERS;
    return 3 * saddle_model_node_count(model, part);
}

saddle_status tool_view_open(const saddle_scene *scene, const char *path, int64_t steps,
                             tool_view **view)
{
    saddle_context *context = scene->context;
    tool_view *made = saddle_allocate(context, 1, sizeof *made);
    *view = NULL;
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = (tool_view){.context = context, .scene = scene, .path = path, .steps = steps};
    made->every = steps / FRAMES_AT_MOST + 1;
    for (int64_t k = 0; k < saddle_model_part_count(scene->model); k++)
        made->floats += floats_of(scene->model, saddle_model_part_at(scene->model, k));
    made->file = fopen(path, "w");
    if (!made->file) {
        saddle_release(context, made);
        return saddle_fail(context, SADDLE_FILE_ERROR, "%s: %s", path, strerror(errno));
    }
    *view = made;
    return SADDLE_OK;
}

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

static saddle_status add_arrows(tool_view *view, const saddle_stepper *stepper)
{
    const saddle_contact_list *list = saddle_stepper_contacts(stepper);
    const saddle_assembly *assembly = saddle_stepper_assembly((saddle_stepper *)(uintptr_t)stepper);
    const double *lambda = saddle_stepper_solution(stepper)->lambda;
    for (int64_t k = 0; k < list->count; k++) {
        const saddle_contact_point *point = &list->point[k];
        const int64_t row = saddle_assembly_contact_row(assembly, point->id);
        if (row < 0 || !(lambda[row] > 0.0)) continue;
        const saddle_status status = grow(view->context, (void **)&view->arrow,
                                          &view->arrow_capacity, view->arrows + 1,
                                          sizeof *view->arrow);
        if (status) return status;
        float *number = view->arrow[view->arrows++].number;
        for (int i = 0; i < 3; i++) {
            number[i] = (float)point->b.point[i];
            number[3 + i] = (float)point->normal[i];
        }
        number[6] = (float)lambda[row];
    }
    return SADDLE_OK;
}

static void copy_positions(tool_view *view)
{
    saddle_model *model = view->scene->model;
    float *to = view->position + view->frames * view->floats;
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        const double *x = saddle_model_position(model, part);
        for (int64_t i = floats_of(model, part); i > 0; i--) *to++ = (float)*x++;
    }
}

saddle_status tool_view_add(tool_view *view, const saddle_stepper *stepper)
{
    const saddle_step_report *report = stepper ? saddle_stepper_report(stepper) : NULL;
    if (report && report->step % view->every != 0 && report->step != view->steps) return SADDLE_OK;
    saddle_status status = make_room(view);
    if (status == SADDLE_OK && stepper) status = add_arrows(view, stepper);
    if (status) return status;
    const saddle_energies e = saddle_model_energies(view->scene->model);
    copy_positions(view);
    view->time[view->frames] = saddle_model_time(view->scene->model);
    view->arrow_end[view->frames] = view->arrows;
    view->point[view->frames++] = (curve_point){
        .kinetic = e.kinetic,
        .gravity = e.gravity,
        .elastic = e.elastic,
        .residual = report ? report->residual : 0.0,
        .iterations = report ? (double)report->iterations : 0.0,
        .contacts = report ? (double)report->contacts : 0.0,
    };
    return SADDLE_OK;
}

/* ---- writing ---- */

static void put_number(FILE *file, double x)
{
    if (isfinite(x))
        fprintf(file, "%.6g", x);
    else
        fputs("null", file);
}

static void put_numbers(FILE *file, int64_t count, const double *x)
{
    fputc('[', file);
    for (int64_t k = 0; k < count; k++) {
        if (k > 0) fputc(',', file);
        put_number(file, x[k]);
    }
    fputc(']', file);
}

/* A JSON string within a script: '<' is escaped too; bytes beyond ASCII as they are. */
static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; text && *text; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c < 32 || c == '"' || c == '\\' || c == '<' || c == 127)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void put_base64(FILE *file, const void *data, size_t bytes)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *x = data;
    fputc('"', file);
    for (size_t k = 0; k < bytes; k += 3) {
        const unsigned rest = bytes - k < 3 ? (unsigned)(bytes - k) : 3;
        const unsigned three = (unsigned)x[k] << 16 | (rest > 1 ? (unsigned)x[k + 1] << 8 : 0) |
                               (rest > 2 ? x[k + 2] : 0);
        fputc(digit[three >> 18], file);
        fputc(digit[three >> 12 & 63], file);
        fputc(rest > 1 ? digit[three >> 6 & 63] : '=', file);
        fputc(rest > 2 ? digit[three & 63] : '=', file);
    }
    fputc('"', file);
}

static void put_shape(FILE *file, const saddle_touch_def *def)
{
    fprintf(file, "{\"kind\":%d,\"pose\":", (int)def->kind);
    put_numbers(file, POSE_NUMBERS, def->pose.p);
    fputs(",\"size\":", file);
    put_numbers(file, 3, def->size);
    fputs(",\"corners\":", file);
    put_numbers(file, 3 * def->corner_count, def->corners);
    fputc('}', file);
}

static int same(saddle_handle a, saddle_handle b)
{
    return a.index == b.index && a.generation == b.generation && a.item == b.item;
}

static void put_shapes(FILE *file, const saddle_scene *scene, saddle_handle part)
{
    int any = 0;
    fputc('[', file);
    for (int64_t k = 0; k < saddle_collider_count(scene->collider); k++) {
        const saddle_touch_def *def = saddle_collider_shape(scene->collider, k);
        if (!same(def->part, part)) continue;
        if (any++) fputc(',', file);
        put_shape(file, def);
    }
    fputc(']', file);
}

/* The box of the same mass and moments of inertia, for bodies without shapes. */
static void put_inertia(FILE *file, const saddle_body_inertia *inertia)
{
    double size[3];
    const double *J = inertia->moment, sum = J[0] + J[4] + J[8];
    for (int i = 0; i < 3; i++)
        size[i] = sqrt(fmax(0.0, 6.0 * (sum - 2.0 * J[4 * i]) / inertia->mass));
    fputs(",\"mass\":", file);
    put_number(file, inertia->mass);
    fputs(",\"centre\":", file);
    put_numbers(file, 3, inertia->center);
    fputs(",\"box\":", file);
    put_numbers(file, 3, size);
}

static void put_parts(const tool_view *view)
{
    static const char *const kind[] = {"", "particle", "body", "nodes"};
    saddle_model *model = view->scene->model;
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        const saddle_body_inertia *inertia = saddle_model_inertia(model, part);
        fprintf(view->file, "%s{\"kind\":\"%s\",\"floats\":%" PRId64 ",\"name\":", k > 0 ? "," : "",
                kind[part.item], floats_of(model, part));
        put_text(view->file, saddle_model_name(model, part));
        if (inertia && inertia->mass > 0.0) put_inertia(view->file, inertia);
        fputs(",\"shapes\":", view->file);
        put_shapes(view->file, view->scene, part);
        fputc('}', view->file);
    }
}

static void put_curves(const tool_view *view)
{
#define PUT(name)                                    \
    fputs("\"" #name "\":[", view->file);            \
    for (int64_t k = 0; k < view->frames; k++) {     \
        if (k > 0) fputc(',', view->file);           \
        put_number(view->file, view->point[k].name); \
    }                                                \
    fputs("],", view->file);
    CURVES(PUT)
#undef PUT
}

static void put_data(const tool_view *view)
{
    FILE *file = view->file;
    fputs("{\"name\":", file);
    put_text(file, view->scene->name ? view->scene->name : "scene");
    fputs(",\"ground\":", file);
    put_shapes(file, view->scene, (saddle_handle){0});
    fputs(",\"parts\":[", file);
    put_parts(view);
    fputs("],", file);
    put_curves(view);
    fputs("\"time\":", file);
    put_numbers(file, view->frames, view->time);
    fputs(",\"arrowEnd\":[", file);
    for (int64_t k = 0; k < view->frames; k++)
        fprintf(file, "%s%" PRId64, k > 0 ? "," : "", view->arrow_end[k]);
    fputs("],\"arrows\":", file);
    put_base64(file, view->arrow, (size_t)view->arrows * sizeof *view->arrow);
    fputs(",\"positions\":", file);
    put_base64(file, view->position,
               (size_t)(view->frames * view->floats) * sizeof *view->position);
    fputc('}', file);
}

static void put_page(const tool_view *view)
{
    static const char mark[] = "\"DATA\"";
    const char *page = (const char *)view_page, *here = strstr(page, mark);
    fwrite(page, 1, (size_t)(here - page), view->file);
    put_data(view);
    fputs(here + sizeof mark - 1, view->file);
}

/* 1: neither a device, a pipe nor a link. */
static int is_file(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISREG(found.st_mode);
}

saddle_status tool_view_close(tool_view *view, int finish)
{
    if (!view) return SADDLE_OK;
    saddle_context *context = view->context;
    if (finish) put_page(view);
    const int failed = ferror(view->file), closed = fclose(view->file);
    saddle_status status = SADDLE_OK;
    if (!finish && is_file(view->path)) (void)remove(view->path);
    if (finish && (failed || closed))
        status = saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be written", view->path);
    saddle_release(context, view->position);
    saddle_release(context, view->time);
    saddle_release(context, view->point);
    saddle_release(context, view->arrow_end);
    saddle_release(context, view->arrow);
    saddle_release(context, view);
    return status;
}
