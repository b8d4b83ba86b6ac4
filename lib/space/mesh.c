/* SPDX-License-Identifier: MIT */
/* Volume integrals of the solid within a closed triangle mesh (saddle/mesh.h).
 *
 * Mirtich (1996) takes the integrals of 1, x and x x' over the volume to its faces by the
 * divergence theorem.  For triangles what is left has a closed form: the sum over the tetrahedra
 * that the triangles make with any origin, signed,
 *
 *     d / 6,   d / 24 s,   d / 120 (a a' + b b' + c c' + s s'),       d = a'(b x c),  s = a + b + c
 *
 * The origin is the middle of the mesh, so that a mesh far away loses nothing.
 *
 * A mesh bounds a solid if every edge belongs to two triangles that run through the edge in
 * opposite directions.  Equal edges are found by two counting sorts, by the larger and by the
 * smaller vertex.
 */
#include <math.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "saddle/mesh.h"
#include "space/space.h"

/* ---- volume integrals ---- */

typedef struct integrals {
    double origin[3];
    double volume;
    double first[3];
    double second[9];
} integrals;

/* The middle of the box round the mesh and, returned, the box' longest side. */
static double enclose(const saddle_mesh *mesh, double *middle)
{
    double extent = 0;
    for (int i = 0; i < 3; i++) {
        double low = INFINITY;
        double high = -INFINITY;
        for (int64_t k = 0; k < 3 * mesh->triangles; k++) {
            double x = mesh->vertex[3 * mesh->triangle[k] + i];
            low = fmin(low, x);
            high = fmax(high, x);
        }
        middle[i] = low + (high - low) / 2;
        extent = fmax(extent, high - low);
    }
    return extent;
}

static void add_triangle(const saddle_mesh *mesh, int64_t t, integrals *sum)
{
    double corner[4][3]; /* a, b, c, s */
    double normal[3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            corner[k][i] = mesh->vertex[3 * mesh->triangle[3 * t + k] + i] - sum->origin[i];
        corner[3][i] = corner[0][i] + corner[1][i] + corner[2][i];
    }
    saddle__cross(corner[1], corner[2], normal);
    double d = saddle__dot(corner[0], normal);
    sum->volume += d / 6;
    for (int i = 0; i < 3; i++) sum->first[i] += d / 24 * corner[3][i];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            double products = 0;
            for (int k = 0; k < 4; k++) products += corner[k][i] * corner[k][j];
            sum->second[i + 3 * j] += d / 120 * products;
        }
}

static saddle_status integrate(saddle_context *context, const saddle_mesh *mesh, const char *name,
                               integrals *sum)
{
    SADDLE__TRY(saddle_mesh_check(context, mesh, name));
    *sum = (integrals){.volume = 0};
    double extent = enclose(mesh, sum->origin);
    for (int64_t t = 0; t < mesh->triangles; t++) add_triangle(mesh, t, sum);
    double smallest = SADDLE__VANISHED_PIVOT * extent * extent * extent;
    if (sum->volume > smallest && isfinite(sum->volume)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_PROBLEM, "%s: a volume of %g m^3: it is %s",
                       name ? name : "mesh", sum->volume,
                       sum->volume < -smallest ? "inside out" : "flat, or too large or too small");
}

/* J = mass (tr(S) I - S), S the second moments about the centre per unit mass. */
static saddle_status weigh(saddle_context *context, const char *name, const integrals *sum,
                           double mass, saddle_body_inertia *inertia)
{
    saddle_body_inertia made = {.mass = mass};
    double S[9];
    double c[3];
    for (int i = 0; i < 3; i++) {
        c[i] = sum->first[i] / sum->volume;
        made.center[i] = sum->origin[i] + c[i];
    }
    for (int i = 0; i < 9; i++) S[i] = mass * (sum->second[i] / sum->volume - c[i % 3] * c[i / 3]);
    for (int i = 0; i < 9; i++) made.moment[i] = (i % 4 == 0 ? S[0] + S[4] + S[8] : 0) - S[i];
    saddle_status status = saddle_body_inertia_check(context, &made, name ? name : "mesh");
    if (status == SADDLE_OK) *inertia = made;
    return status;
}

saddle_status saddle_mesh_volume(saddle_context *context, const saddle_mesh *mesh, const char *name,
                                 double *volume)
{
    SADDLE__RETURN_UNLESS(context, mesh && volume, "mesh or volume is NULL");
    integrals sum;
    saddle_status status = integrate(context, mesh, name, &sum);
    if (status == SADDLE_OK) *volume = sum.volume;
    return status;
}

saddle_status saddle_mesh_inertia_of_mass(saddle_context *context, const saddle_mesh *mesh,
                                          const char *name, double mass,
                                          saddle_body_inertia *inertia)
{
    SADDLE__RETURN_UNLESS(context, mesh && inertia, "mesh or inertia is NULL");
    integrals sum;
    SADDLE__TRY(integrate(context, mesh, name, &sum));
    return weigh(context, name, &sum, mass, inertia);
}

saddle_status saddle_mesh_inertia_of_density(saddle_context *context, const saddle_mesh *mesh,
                                             const char *name, double density,
                                             saddle_body_inertia *inertia)
{
    SADDLE__RETURN_UNLESS(context, mesh && inertia, "mesh or inertia is NULL");
    integrals sum;
    SADDLE__TRY(integrate(context, mesh, name, &sum));
    if (!(density > 0) || !isfinite(density))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: its density is %g kg/m^3",
                           name ? name : "mesh", density);
    return weigh(context, name, &sum, density * sum.volume, inertia);
}

/* ---- check ---- */

/* The side of a triangle from vertex `triangle[side]` to the next. */
static int64_t side_start(const saddle_mesh *mesh, int64_t side)
{
    return mesh->triangle[side];
}

static int64_t side_end(const saddle_mesh *mesh, int64_t side)
{
    return mesh->triangle[side % 3 == 2 ? side - 2 : side + 1];
}

static int64_t smaller(const saddle_mesh *mesh, int64_t side)
{
    int64_t a = side_start(mesh, side);
    int64_t b = side_end(mesh, side);
    return a < b ? a : b;
}

static int64_t larger(const saddle_mesh *mesh, int64_t side)
{
    int64_t a = side_start(mesh, side);
    int64_t b = side_end(mesh, side);
    return a < b ? b : a;
}

/* to (sides) = from in the order of key; start (vertices + 1): workspace. */
static void sort_sides(const saddle_mesh *mesh, int64_t (*key)(const saddle_mesh *, int64_t),
                       const int64_t *from, int64_t *to, int64_t *start)
{
    int64_t sides = 3 * mesh->triangles;
    memset(start, 0, (size_t)(mesh->vertices + 1) * sizeof *start);
    for (int64_t k = 0; k < sides; k++) start[key(mesh, from[k]) + 1]++;
    for (int64_t v = 0; v < mesh->vertices; v++) start[v + 1] += start[v];
    for (int64_t k = 0; k < sides; k++) to[start[key(mesh, from[k])]++] = from[k];
}

/* side (count): the sides of an edge. */
static saddle_status check_edge(saddle_context *context, const saddle_mesh *mesh, const char *name,
                                const int64_t *side, int64_t count)
{
    long long a = (long long)smaller(mesh, side[0]);
    long long b = (long long)larger(mesh, side[0]);
    if (count == 1)
        return saddle_fail(context, SADDLE_INVALID_PROBLEM,
                           "%s: edge %lld-%lld belongs to triangle %lld alone: there is a hole",
                           name, a, b, (long long)(side[0] / 3));
    if (count > 2)
        return saddle_fail(
            context, SADDLE_INVALID_PROBLEM,
            "%s: edge %lld-%lld belongs to %lld triangles, %lld, %lld, %lld among them", name, a, b,
            (long long)count, (long long)(side[0] / 3), (long long)(side[1] / 3),
            (long long)(side[2] / 3));
    if (side_start(mesh, side[0]) == side_start(mesh, side[1]))
        return saddle_fail(context, SADDLE_INVALID_PROBLEM,
                           "%s: triangles %lld and %lld run through edge %lld-%lld in the same "
                           "direction: one of them is turned",
                           name, (long long)(side[0] / 3), (long long)(side[1] / 3), a, b);
    return SADDLE_OK;
}

static saddle_status check_edges(saddle_context *context, const saddle_mesh *mesh, const char *name)
{
    int64_t sides = 3 * mesh->triangles;
    int64_t *start = saddle_allocate(context, mesh->vertices + 1, sizeof *start);
    int64_t *order = start ? saddle_allocate(context, sides, sizeof *order) : NULL;
    int64_t *other = order ? saddle_allocate(context, sides, sizeof *other) : NULL;
    saddle_status status = other ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < sides; k++) order[k] = k;
    if (status == SADDLE_OK) {
        sort_sides(mesh, larger, order, other, start);
        sort_sides(mesh, smaller, other, order, start);
    }
    for (int64_t k = 0, next = 0; status == SADDLE_OK && k < sides; k = next) {
        next = k + 1;
        while (next < sides && smaller(mesh, order[next]) == smaller(mesh, order[k]) &&
               larger(mesh, order[next]) == larger(mesh, order[k]))
            next++;
        status = check_edge(context, mesh, name, order + k, next - k);
    }
    saddle__release_all(context, start, order, other);
    return status;
}

static saddle_status check_numbers(saddle_context *context, const saddle_mesh *mesh,
                                   const char *name)
{
    if (mesh->vertices < 0 || mesh->triangles < 1 || mesh->triangles > INT64_MAX / 24)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: %lld vertices, %lld triangles",
                           name, (long long)mesh->vertices, (long long)mesh->triangles);
    for (int64_t i = 0; i < 3 * mesh->triangles; i++)
        if (mesh->triangle[i] < 0 || mesh->triangle[i] >= mesh->vertices)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s: triangle %lld has a vertex %lld, there are %lld", name,
                               (long long)(i / 3), (long long)mesh->triangle[i],
                               (long long)mesh->vertices);
    for (int64_t i = 0; i < 3 * mesh->vertices; i++)
        if (!isfinite(mesh->vertex[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s: coordinate %lld of vertex %lld is %g", name,
                               (long long)(i % 3) + 1, (long long)(i / 3), mesh->vertex[i]);
    return SADDLE_OK;
}

/* Rejects a triangle with a height of rounding over the longest side: the sine of the largest
 * angle vanishes. */
static saddle_status check_area(saddle_context *context, const saddle_mesh *mesh, const char *name,
                                int64_t t)
{
    double edge[3][3];
    double length[3];
    double normal[3];
    int longest = 0;
    for (int k = 0; k < 3; k++) {
        const double *a = mesh->vertex + 3 * side_start(mesh, 3 * t + k);
        const double *b = mesh->vertex + 3 * side_end(mesh, 3 * t + k);
        for (int i = 0; i < 3; i++) edge[k][i] = b[i] - a[i];
        length[k] = hypot(hypot(edge[k][0], edge[k][1]), edge[k][2]);
        if (length[k] > length[longest]) longest = k;
    }
    const double *u = edge[(longest + 1) % 3];
    const double *v = edge[(longest + 2) % 3];
    saddle__cross(u, v, normal);
    double twice_area = hypot(hypot(normal[0], normal[1]), normal[2]);
    if (twice_area > SADDLE__VANISHED_PIVOT * length[(longest + 1) % 3] * length[(longest + 2) % 3])
        return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_PROBLEM,
                       "%s: triangle %lld has no area over its edge %lld-%lld", name, (long long)t,
                       (long long)smaller(mesh, 3 * t + longest),
                       (long long)larger(mesh, 3 * t + longest));
}

saddle_status saddle_mesh_check(saddle_context *context, const saddle_mesh *mesh, const char *name)
{
    SADDLE__RETURN_UNLESS(context, mesh, "mesh is NULL");
    if (!name) name = "mesh";
    SADDLE__TRY(check_numbers(context, mesh, name));
    for (int64_t t = 0; t < mesh->triangles; t++) SADDLE__TRY(check_area(context, mesh, name, t));
    return check_edges(context, mesh, name);
}
