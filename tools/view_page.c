/* SPDX-License-Identifier: MIT */
/* Writes the page: view.html with the data in place of a mark, a JSON object of parts, shapes and
 * curves; the frames' positions as 32-bit numbers and impulses as 16-bit numbers, relative to the
 * largest of their kind, in base 64. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hull.h"
#include "view_internal.h"
#include "view_page.h" /* made from view.html by the build: view_page[], ends with a zero */

#define POSE_NUMBERS ((int64_t)(sizeof(saddle_pose) / sizeof(double)))

/* ---- numbers and text ---- */

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

static void put_integers(FILE *file, int64_t count, const int64_t *x)
{
    fputc('[', file);
    for (int64_t k = 0; k < count; k++) fprintf(file, "%s%" PRId64, k > 0 ? "," : "", x[k]);
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

/* ---- shapes ---- */

/* Of a convex shape its corners, and of its faces three corners each. */
static saddle_status put_shape(saddle_context *context, FILE *file, const saddle_touch_def *def)
{
    tool_hull_face *face = NULL;
    int64_t faces = 0;
    if (def->kind == SADDLE_TOUCH_CONVEX &&
        tool_hull(context, def->corner_count, def->corners, &face, &faces) != SADDLE_OK)
        return SADDLE_OUT_OF_MEMORY;
    fprintf(file, "{\"kind\":%d,\"pose\":", (int)def->kind);
    put_numbers(file, POSE_NUMBERS, def->pose.p);
    fputs(",\"size\":", file);
    put_numbers(file, 3, def->size);
    fputs(",\"corners\":", file);
    put_numbers(file, 3 * def->corner_count, def->corners);
    fputs(",\"faces\":[", file);
    for (int64_t k = 0; k < 3 * faces; k++)
        fprintf(file, "%s%" PRId64, k > 0 ? "," : "", face[k / 3].corner[k % 3]);
    fputs("]}", file);
    saddle_release(context, face);
    return SADDLE_OK;
}

static int same(saddle_handle a, saddle_handle b)
{
    return a.index == b.index && a.generation == b.generation && a.item == b.item;
}

static saddle_status put_shapes(const tool_view *view, saddle_handle part)
{
    const saddle_collider *collider = view->scene->collider;
    saddle_status status = SADDLE_OK;
    int any = 0;
    fputc('[', view->file);
    for (int64_t k = 0; k < saddle_collider_count(collider) && status == SADDLE_OK; k++) {
        const saddle_touch_def *def = saddle_collider_shape(collider, k);
        if (!same(def->part, part)) continue;
        if (any++) fputc(',', view->file);
        status = put_shape(view->context, view->file, def);
    }
    fputc(']', view->file);
    return status;
}

void view_inertia_box(const saddle_body_inertia *inertia, double *size)
{
    const double *J = inertia->moment, sum = J[0] + J[4] + J[8];
    for (int i = 0; i < 3; i++)
        size[i] = sqrt(fmax(0.0, 6.0 * (sum - 2.0 * J[4 * i]) / inertia->mass));
}

static void put_inertia(FILE *file, const saddle_body_inertia *inertia)
{
    double size[3];
    view_inertia_box(inertia, size);
    fputs(",\"mass\":", file);
    put_number(file, inertia->mass);
    fputs(",\"centre\":", file);
    put_numbers(file, 3, inertia->center);
    fputs(",\"box\":", file);
    put_numbers(file, 3, size);
}

/* ---- surfaces of meshes: faces that belong to one element ---- */

typedef struct face {
    int64_t sorted[4], node[4]; /* of a triangle the last is -1 */
} face;

static int compare_faces(const void *a, const void *b)
{
    const face *x = a, *y = b;
    for (int k = 0; k < 4; k++)
        if (x->sorted[k] != y->sorted[k]) return x->sorted[k] < y->sorted[k] ? -1 : 1;
    return 0;
}

static face face_of(const int64_t *node, const int *corner)
{
    face made;
    for (int k = 0; k < 4; k++) {
        int64_t next = corner[k] < 0 ? -1 : node[corner[k]];
        made.node[k] = next;
        int at = k;
        for (; at > 0 && made.sorted[at - 1] > next; at--) made.sorted[at] = made.sorted[at - 1];
        made.sorted[at] = next;
    }
    return made;
}

/* Appends the faces of elements of a kind; made: NULL = count only. */
static int64_t list_faces(const saddle_model *model, saddle_handle part, saddle_element_kind kind,
                          face *made)
{
    static const int tetrahedron[4][4] = {{0, 2, 1, -1},
                                          {0, 1, 3, -1},
                                          {1, 2, 3, -1},
                                          {0, 3, 2, -1}},
                     hexahedron[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                         {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    int64_t count;
    const int64_t *node = saddle_model_elements(model, part, kind, &count);
    const int faces = kind == SADDLE_ELEMENT_TETRAHEDRON ? 4 : 6;
    for (int64_t e = 0; made && e < count; e++)
        for (int k = 0; k < faces; k++)
            *made++ = face_of(node + saddle_element_nodes(kind) * e,
                              kind == SADDLE_ELEMENT_TETRAHEDRON ? tetrahedron[k] : hexahedron[k]);
    return faces * count;
}

static void put_face(FILE *file, const face *one, int first)
{
    const int64_t *n = one->node;
    fprintf(file, "%s%" PRId64 ",%" PRId64 ",%" PRId64, first ? "" : ",", n[0], n[1], n[2]);
    if (n[3] >= 0) fprintf(file, ",%" PRId64 ",%" PRId64 ",%" PRId64, n[0], n[2], n[3]);
}

static saddle_status put_surface(const tool_view *view, saddle_handle part)
{
    const saddle_model *model = view->scene->model;
    const int64_t count = list_faces(model, part, SADDLE_ELEMENT_TETRAHEDRON, NULL) +
                          list_faces(model, part, SADDLE_ELEMENT_HEXAHEDRON, NULL);
    if (count == 0) return SADDLE_OK;
    face *faces = saddle_allocate(view->context, count, sizeof *faces);
    if (!faces) return SADDLE_OUT_OF_MEMORY;
    face *rest = faces + list_faces(model, part, SADDLE_ELEMENT_TETRAHEDRON, faces);
    (void)list_faces(model, part, SADDLE_ELEMENT_HEXAHEDRON, rest);
    qsort(faces, (size_t)count, sizeof *faces, compare_faces);
    fputs(",\"triangles\":[", view->file);
    int first = 1;
    for (int64_t k = 0, next; k < count; k = next) {
        for (next = k + 1; next < count && compare_faces(&faces[k], &faces[next]) == 0; next++) {
        }
        if (next > k + 1) continue;
        put_face(view->file, &faces[k], first);
        first = 0;
    }
    fputc(']', view->file);
    saddle_release(view->context, faces);
    return SADDLE_OK;
}

/* ---- the object ---- */

static saddle_status put_parts(const tool_view *view)
{
    static const char *const kind[] = {"", "particle", "body", "nodes", "", "", "", "coordinates"};
    saddle_model *model = view->scene->model;
    saddle_status status = SADDLE_OK;
    for (int64_t k = 0; k < saddle_model_part_count(model) && status == SADDLE_OK; k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        const saddle_body_inertia *inertia = saddle_model_inertia(model, part);
        fprintf(view->file, "%s{\"kind\":\"%s\",\"floats\":%" PRId64 ",\"name\":", k > 0 ? "," : "",
                kind[part.item], view_floats_of(model, part));
        put_text(view->file, saddle_model_name(model, part));
        if (inertia && inertia->mass > 0.0) put_inertia(view->file, inertia);
        status = put_surface(view, part);
        fputs(",\"shapes\":", view->file);
        if (status == SADDLE_OK) status = put_shapes(view, part);
        fputc('}', view->file);
    }
    return status;
}

static void put_links(const tool_view *view)
{
    const saddle_model *model = view->scene->model;
    for (int64_t k = 0; k < view->links; k++) {
        const view_link *link = &view->link[k];
        fprintf(view->file, "%s{\"points\":%" PRId64 ",\"reaction\":%d,\"kind\":", k > 0 ? "," : "",
                link->points, link->reaction);
        put_text(view->file, saddle_model_link_kind(model, link->item));
        fputs(",\"name\":", view->file);
        put_text(view->file, saddle_model_name(model, link->item));
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
    VIEW_CURVES(PUT)
#undef PUT
}

static double largest_of(const float *x, double most)
{
    for (int i = 0; i < 3; i++) most = fmax(most, isfinite(x[i]) ? fabs((double)x[i]) : 0.0);
    return most;
}

static int16_t rounded(float x, double scale)
{
    return isfinite(x) && scale > 0.0 ? (int16_t)lrint(32767.0 * (double)x / scale) : 0;
}

/* Of an impulse: place (3) over the farthest, impulse (3) over the largest, parts (2). */
static saddle_status put_arrows(const tool_view *view)
{
    double scale[2] = {0.0, 0.0};
    for (int64_t k = 0; k < view->arrows; k++) {
        scale[0] = largest_of(view->arrow[k].at, scale[0]);
        scale[1] = largest_of(view->arrow[k].impulse, scale[1]);
    }
    int16_t *numbers = saddle_allocate(view->context, 8 * view->arrows, sizeof *numbers);
    if (!numbers) return SADDLE_OUT_OF_MEMORY;
    int16_t *to = numbers;
    for (int64_t k = 0; k < view->arrows; k++) {
        const view_arrow *arrow = &view->arrow[k];
        for (int i = 0; i < 3; i++) *to++ = rounded(arrow->at[i], scale[0]);
        for (int i = 0; i < 3; i++) *to++ = rounded(arrow->impulse[i], scale[1]);
        for (int i = 0; i < 2; i++) *to++ = arrow->part[i];
    }
    fputs(",\"arrowScale\":", view->file);
    put_numbers(view->file, 2, scale);
    fputs(",\"arrows\":", view->file);
    put_base64(view->file, numbers, (size_t)(8 * view->arrows) * sizeof *numbers);
    saddle_release(view->context, numbers);
    return SADDLE_OK;
}

static saddle_status put_data(const tool_view *view)
{
    FILE *file = view->file;
    fputs("{\"name\":", file);
    put_text(file, view->scene->name ? view->scene->name : "scene");
    fputs(",\"ground\":", file);
    saddle_status status = put_shapes(view, (saddle_handle){0});
    fputs(",\"parts\":[", file);
    if (status == SADDLE_OK) status = put_parts(view);
    fputs("],\"links\":[", file);
    put_links(view);
    fputs("],", file);
    put_curves(view);
    fputs("\"time\":", file);
    put_numbers(file, view->frames, view->time);
    fputs(",\"arrowEnd\":", file);
    put_integers(file, view->frames, view->arrow_end);
    if (status == SADDLE_OK) status = put_arrows(view);
    fputs(",\"positions\":", file);
    put_base64(file, view->position,
               (size_t)(view->frames * view->floats) * sizeof *view->position);
    fputc('}', file);
    return status;
}

saddle_status view_write_page(const tool_view *view)
{
    static const char mark[] = "\"DATA\"";
    const char *page = (const char *)view_page, *here = strstr(page, mark);
    fwrite(page, 1, (size_t)(here - page), view->file);
    const saddle_status status = put_data(view);
    fputs(here + sizeof mark - 1, view->file);
    return status;
}
