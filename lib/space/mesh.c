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
 */
#include <math.h>

#include "saddle/mesh.h"
#include "space/space.h"

/* volume over the cube of the extent: no more than rounding */
static const double flatness = 1e-14;

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
    saddle_status status = saddle_mesh_check(context, mesh, name);
    if (status != SADDLE_OK) return status;
    *sum = (integrals){.volume = 0};
    double extent = enclose(mesh, sum->origin);
    for (int64_t t = 0; t < mesh->triangles; t++) add_triangle(mesh, t, sum);
    double smallest = flatness * extent * extent * extent;
    if (sum->volume > smallest && isfinite(sum->volume)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_PROBLEM, "%s: a volume of %g m^3: it is %s",
                       name ? name : "mesh", sum->volume,
                       sum->volume < -smallest ? "inside out" : "flat, or too large or too small");
}

/* J = tr(S) I - S with S the second moments about the centre, of one kilogram times the mass. */
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
    saddle_context_clear_message(context);
    if (!mesh || !volume)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_mesh_volume: mesh or volume is NULL");
    integrals sum;
    saddle_status status = integrate(context, mesh, name, &sum);
    if (status == SADDLE_OK) *volume = sum.volume;
    return status;
}

saddle_status saddle_mesh_inertia_of_mass(saddle_context *context, const saddle_mesh *mesh,
                                          const char *name, double mass,
                                          saddle_body_inertia *inertia)
{
    saddle_context_clear_message(context);
    if (!mesh || !inertia)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_mesh_inertia_of_mass: mesh or inertia is NULL");
    integrals sum;
    saddle_status status = integrate(context, mesh, name, &sum);
    return status == SADDLE_OK ? weigh(context, name, &sum, mass, inertia) : status;
}

saddle_status saddle_mesh_inertia_of_density(saddle_context *context, const saddle_mesh *mesh,
                                             const char *name, double density,
                                             saddle_body_inertia *inertia)
{
    saddle_context_clear_message(context);
    if (!mesh || !inertia)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_mesh_inertia_of_density: mesh or inertia is NULL");
    integrals sum;
    saddle_status status = integrate(context, mesh, name, &sum);
    if (status != SADDLE_OK) return status;
    if (!(density > 0) || !isfinite(density))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: its density is %g kg/m^3",
                           name ? name : "mesh", density);
    return weigh(context, name, &sum, density * sum.volume, inertia);
}
