/* SPDX-License-Identifier: MIT */
/* Volume and inertia of solid shapes of uniform density, in closed form (saddle/inertia.h). */
#include <math.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "saddle/inertia.h"

/* volume, and the moments about x, y, z per unit mass: sums of the mean squares of two
 * coordinates */
typedef struct measure {
    double volume;
    double moment[3];
} measure;

static measure from_squares(double volume, double xx, double yy, double zz)
{
    return (measure){.volume = volume, .moment = {yy + zz, zz + xx, xx + yy}};
}

static measure measure_box(const double *s)
{
    return from_squares(s[0] * s[1] * s[2], s[0] * s[0] / 12, s[1] * s[1] / 12, s[2] * s[2] / 12);
}

static measure measure_ellipsoid(const double *s)
{
    return from_squares(4 * SADDLE__PI / 3 * s[0] * s[1] * s[2], s[0] * s[0] / 5, s[1] * s[1] / 5,
                        s[2] * s[2] / 5);
}

static measure measure_sphere(const double *s)
{
    const double semi_axes[3] = {s[0], s[0], s[0]};
    return measure_ellipsoid(semi_axes);
}

static measure measure_cylinder(const double *s)
{
    double rr = s[0] * s[0];
    return from_squares(SADDLE__PI * rr * s[1], rr / 4, rr / 4, s[1] * s[1] / 12);
}

/* A cylinder and a sphere with halves h = length / 2 away from the middle: the mean of (h + z)^2
 * over a half is h^2 + 2 h 3/8 r + r^2/5. */
static measure measure_capsule(const double *s)
{
    double r = s[0];
    double h = s[1] / 2;
    double cylinder = SADDLE__PI * r * r * s[1];
    double caps = 4 * SADDLE__PI / 3 * r * r * r;
    double part = cylinder / (cylinder + caps);
    double xx = part * r * r / 4 + (1 - part) * r * r / 5;
    double zz = part * h * h / 3 + (1 - part) * (h * h + 0.75 * h * r + r * r / 5);
    return from_squares(cylinder + caps, xx, xx, zz);
}

typedef struct shape {
    const char *word;
    int64_t sizes;
} shape;

static const shape shapes[] = {
#define SHAPE_TABLE(name, word, sizes) [name] = {word, sizes},
    SADDLE_SHAPE_LIST(SHAPE_TABLE)
#undef SHAPE_TABLE
};

static measure (*const measures[])(const double *size) = {
    [SADDLE_SHAPE_BOX] = measure_box,
    [SADDLE_SHAPE_SPHERE] = measure_sphere,
    [SADDLE_SHAPE_CYLINDER] = measure_cylinder,
    [SADDLE_SHAPE_CAPSULE] = measure_capsule,
    [SADDLE_SHAPE_ELLIPSOID] = measure_ellipsoid,
};

static const shape *find(saddle_shape_kind kind)
{
    return (int)kind >= 0 && (size_t)kind < sizeof shapes / sizeof shapes[0] ? &shapes[kind] : NULL;
}

const char *saddle_shape_word(saddle_shape_kind kind)
{
    const shape *found = find(kind);
    return found ? found->word : "?";
}

int64_t saddle_shape_sizes(saddle_shape_kind kind)
{
    const shape *found = find(kind);
    return found ? found->sizes : 0;
}

static saddle_status take_measure(saddle_context *context, saddle_shape_kind kind,
                                  const double *size, measure *taken)
{
    const shape *found = find(kind);
    if (!found)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "there is no shape kind %d",
                           (int)kind);
    for (int64_t i = 0; i < found->sizes; i++) {
        int may_vanish = kind == SADDLE_SHAPE_CAPSULE && i == 1;
        if (!isfinite(size[i]) || !(may_vanish ? size[i] >= 0 : size[i] > 0))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: its size %lld is %g",
                               found->word, (long long)i + 1, size[i]);
    }
    *taken = measures[kind](size);
    if (isfinite(taken->volume) && taken->volume > 0) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: its volume of %g cannot be held",
                       found->word, taken->volume);
}

saddle_status saddle_shape_volume(saddle_context *context, saddle_shape_kind kind,
                                  const double *size, double *volume)
{
    SADDLE__RETURN_UNLESS(context, size && volume, "size or volume is NULL");
    measure taken;
    saddle_status status = take_measure(context, kind, size, &taken);
    if (status == SADDLE_OK) *volume = taken.volume;
    return status;
}

static saddle_status give_mass(saddle_context *context, saddle_shape_kind kind,
                               const measure *taken, double mass, saddle_body_inertia *inertia)
{
    saddle_body_inertia made = {.mass = mass};
    for (int i = 0; i < 3; i++) made.moment[4 * i] = mass * taken->moment[i];
    saddle_status status = saddle_body_inertia_check(context, &made, saddle_shape_word(kind));
    if (status == SADDLE_OK) *inertia = made;
    return status;
}

saddle_status saddle_body_inertia_of_mass(saddle_context *context, saddle_shape_kind kind,
                                          const double *size, double mass,
                                          saddle_body_inertia *inertia)
{
    SADDLE__RETURN_UNLESS(context, size && inertia, "size or inertia is NULL");
    measure taken;
    SADDLE__TRY(take_measure(context, kind, size, &taken));
    return give_mass(context, kind, &taken, mass, inertia);
}

saddle_status saddle_body_inertia_of_density(saddle_context *context, saddle_shape_kind kind,
                                             const double *size, double density,
                                             saddle_body_inertia *inertia)
{
    SADDLE__RETURN_UNLESS(context, size && inertia, "size or inertia is NULL");
    measure taken;
    SADDLE__TRY(take_measure(context, kind, size, &taken));
    if (!(density > 0) || !isfinite(density))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: its density is %g kg/m^3",
                           saddle_shape_word(kind), density);
    return give_mass(context, kind, &taken, density * taken.volume, inertia);
}
