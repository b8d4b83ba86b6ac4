/* SPDX-License-Identifier: MIT */
/* See hull.h.  From a tetrahedron on, each point that sees faces takes their place: the rim of the
 * faces seen is joined to the point.  An edge of the rim is one of a face seen whose reverse is
 * not. The order of the points is spread over them, so that few faces are seen at once.
 *
 * Reference: Clarkson and Shor, Applications of random sampling in computational geometry, II,
 * Discrete & Computational Geometry 4, 1989 (there in random order). */
#include "hull.h"

#include <math.h>

#include "space/space.h"

typedef struct rim_edge {
    int64_t from, to;
} rim_edge;

static void subtract(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++) c[k] = a[k] - b[k];
}

static tool_hull_face face_of(const double *x, int64_t a, int64_t b, int64_t c)
{
    tool_hull_face face = {.corner = {a, b, c}};
    double edge[2][3];
    subtract(x + 3 * b, x + 3 * a, edge[0]);
    subtract(x + 3 * c, x + 3 * a, edge[1]);
    saddle__cross(edge[0], edge[1], face.normal);
    const double length = sqrt(saddle__dot(face.normal, face.normal));
    for (int k = 0; k < 3; k++) face.normal[k] /= length > 0.0 ? length : 1.0;
    face.offset = saddle__dot(face.normal, x + 3 * a);
    return face;
}

static double above(const tool_hull_face *face, const double *point)
{
    return saddle__dot(face->normal, point) - face->offset;
}

/* corner (4): far from each other, the first face outwards. */
static void find_tetrahedron(int64_t count, const double *x, int64_t *corner)
{
    double most[3] = {0.0, 0.0, 0.0}, edge[3], other[3], turned[3];
    for (int k = 0; k < 4; k++) corner[k] = 0;
    for (int64_t p = 0; p < count; p++) {
        subtract(x + 3 * p, x, edge);
        if (saddle__dot(edge, edge) > most[0]) most[0] = saddle__dot(edge, edge), corner[1] = p;
    }
    subtract(x + 3 * corner[1], x, edge);
    for (int64_t p = 0; p < count; p++) {
        subtract(x + 3 * p, x, other);
        saddle__cross(edge, other, turned);
        if (saddle__dot(turned, turned) > most[1])
            most[1] = saddle__dot(turned, turned), corner[2] = p;
    }
    const tool_hull_face first = face_of(x, 0, corner[1], corner[2]);
    for (int64_t p = 0; p < count; p++)
        if (fabs(above(&first, x + 3 * p)) > most[2])
            most[2] = fabs(above(&first, x + 3 * p)), corner[3] = p;
    if (above(&first, x + 3 * corner[3]) > 0.0) {
        const int64_t second = corner[1];
        corner[1] = corner[2];
        corner[2] = second;
    }
}

/* Adds an edge, or takes its reverse away. */
static int64_t turn_edge(rim_edge *rim, int64_t edges, int64_t from, int64_t to)
{
    int64_t k = 0;
    while (k < edges && (rim[k].from != to || rim[k].to != from)) k++;
    rim[k] = k < edges ? rim[edges - 1] : (rim_edge){from, to};
    return k < edges ? edges - 1 : edges + 1;
}

/* Returns the number of faces; a point whose rim rounding tears, with more than `room`, is left
 * out. */
static int64_t add_point(const double *x, int64_t point, double near, int64_t room,
                         tool_hull_face *face, int64_t faces, rim_edge *rim)
{
    int64_t edges = 0, seen = 0, kept = 0;
    for (int64_t k = 0; k < faces; k++) {
        if (above(&face[k], x + 3 * point) <= near) continue;
        const int64_t *c = face[k].corner;
        seen++;
        for (int i = 0; i < 3; i++) edges = turn_edge(rim, edges, c[i], c[(i + 1) % 3]);
    }
    if (seen == 0 || seen == faces || faces - seen + edges > room) return faces;
    for (int64_t k = 0; k < faces; k++)
        if (above(&face[k], x + 3 * point) <= near) face[kept++] = face[k];
    for (int64_t e = 0; e < edges; e++) face[kept++] = face_of(x, rim[e].from, rim[e].to, point);
    return kept;
}

/* k's lowest bits in reverse order: van der Corput's sequence. */
static int64_t reversed(int64_t k, int bits)
{
    int64_t made = 0;
    for (int i = 0; i < bits; i++) made |= (k >> i & 1) << (bits - 1 - i);
    return made;
}

saddle_status tool_hull(saddle_context *context, int64_t count, const double *x,
                        tool_hull_face **faces, int64_t *face_count)
{
    /* a face has three edges, two faces share one: with n corners 2 n - 4 faces */
    const int64_t room = 2 * count + 4;
    tool_hull_face *face = saddle_allocate(context, room, sizeof *face);
    rim_edge *rim = saddle_allocate(context, 3 * room, sizeof *rim);
    double size = 0.0;
    int64_t corner[4], made = 4;
    *faces = face;
    *face_count = 0;
    if (!face || !rim) {
        saddle_release(context, face);
        saddle_release(context, rim);
        *faces = NULL;
        return SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t k = 0; k < 3 * count; k++) size = fmax(size, fabs(x[k]));
    find_tetrahedron(count, x, corner);
    face[0] = face_of(x, corner[0], corner[1], corner[2]);
    face[1] = face_of(x, corner[0], corner[3], corner[1]);
    face[2] = face_of(x, corner[1], corner[3], corner[2]);
    face[3] = face_of(x, corner[2], corner[3], corner[0]);
    int bits = 0;
    while (INT64_C(1) << bits < count) bits++;
    for (int64_t k = 0; k < INT64_C(1) << bits; k++) {
        const int64_t p = reversed(k, bits);
        if (p < count) made = add_point(x, p, 1e-9 * size, room, face, made, rim);
    }
    saddle_release(context, rim);
    *face_count = made;
    return SADDLE_OK;
}
