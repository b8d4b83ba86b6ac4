/* SPDX-License-Identifier: MIT */
/* Solid shapes against integrals over their slices, which Gauss' rule of three points takes
 * exactly, and their limits. */
#include <math.h>
#include <string.h>

#include "saddle/inertia.h"
#include "drawn_space.h"

enum { TRIALS = 2000 };

static const double pi = 3.14159265358979323846;

typedef struct slice { /* at z: its area, and the means of x^2 and y^2 over it */
    double area, xx, yy;
} slice;

static slice ellipse(double a2, double b2)
{
    return (slice){.area = pi * sqrt(a2 * b2), .xx = a2 / 4, .yy = b2 / 4};
}

static slice slice_at(saddle_shape_kind kind, const double *s, double z)
{
    double beyond = fmax(fabs(z) - s[1] / 2, 0);
    switch (kind) {
    case SADDLE_SHAPE_BOX:
        return (slice){.area = s[0] * s[1], .xx = s[0] * s[0] / 12, .yy = s[1] * s[1] / 12};
    case SADDLE_SHAPE_SPHERE: return ellipse(s[0] * s[0] - z * z, s[0] * s[0] - z * z);
    case SADDLE_SHAPE_CYLINDER: return ellipse(s[0] * s[0], s[0] * s[0]);
    case SADDLE_SHAPE_CAPSULE:
        return ellipse(s[0] * s[0] - beyond * beyond, s[0] * s[0] - beyond * beyond);
    case SADDLE_SHAPE_ELLIPSOID:
        return ellipse(s[0] * s[0] * (1 - z * z / (s[2] * s[2])),
                       s[1] * s[1] * (1 - z * z / (s[2] * s[2])));
    }
    return (slice){.area = 0};
}

/* Where the slices' polynomial changes. */
static void limits(saddle_shape_kind kind, const double *s, double *z)
{
    double half = kind == SADDLE_SHAPE_BOX         ? s[2] / 2
                  : kind == SADDLE_SHAPE_SPHERE    ? s[0]
                  : kind == SADDLE_SHAPE_ELLIPSOID ? s[2]
                                                   : s[1] / 2;
    double cap = kind == SADDLE_SHAPE_CAPSULE ? s[0] : 0;
    z[0] = -half - cap;
    z[1] = -half;
    z[2] = half;
    z[3] = half + cap;
}

/* moment (3): of density 1 */
static double integrate(saddle_shape_kind kind, const double *s, double *moment)
{
    static const double node[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
    static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
    double z[4], volume = 0, xx = 0, yy = 0, zz = 0;
    limits(kind, s, z);
    for (int part = 0; part < 3; part++)
        for (int k = 0; k < 3; k++) {
            double at = (z[part] + z[part + 1]) / 2 + node[k] * (z[part + 1] - z[part]) / 2;
            slice here = slice_at(kind, s, at);
            double piece = weight[k] * (z[part + 1] - z[part]) * here.area;
            volume += piece;
            xx += piece * here.xx;
            yy += piece * here.yy;
            zz += piece * at * at;
        }
    moment[0] = yy + zz;
    moment[1] = zz + xx;
    moment[2] = xx + yy;
    return volume;
}

static void shapes_weigh_what_their_slices_do(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle_shape_kind kind = (saddle_shape_kind)(trial % 5);
        double size[3], moment[3], volume, scale = draw_size(&seed, -3, 3),
                                           density = draw_size(&seed, 0, 4);
        saddle_body_inertia inertia, by_mass;
        for (int i = 0; i < 3; i++) size[i] = scale * draw_size(&seed, -2, 0);
        double expected = integrate(kind, size, moment);
        assert_int_equal(saddle_shape_volume(NULL, kind, size, &volume), SADDLE_OK);
        assert_true(fabs(volume / expected - 1) < 1e-14);
        assert_int_equal(saddle_body_inertia_of_density(NULL, kind, size, density, &inertia),
                         SADDLE_OK);
        assert_true(fabs(inertia.mass / (density * expected) - 1) < 1e-14);
        for (int i = 0; i < 9; i++) {
            double wanted = i % 4 == 0 ? density * moment[i / 4] : 0;
            assert_true(fabs(inertia.moment[i] - wanted) <= 1e-14 * wanted);
        }
        assert_true(largest(inertia.center, 3) == 0);
        assert_int_equal(saddle_body_inertia_of_mass(NULL, kind, size, inertia.mass, &by_mass),
                         SADDLE_OK);
        assert_memory_equal(&by_mass, &inertia, sizeof inertia);
    }
}

/* The same mass: an ellipsoid and a capsule without length are the sphere; a short one nears it as
 * its length does; a long thin capsule nears the cylinder. */
static void shapes_meet_in_their_limits(void **state)
{
    (void)state;
    const double radius = 0.7, ball[3] = {0.7, 0.7, 0.7};
    saddle_body_inertia sphere, other;
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, &radius, 3, &sphere),
                     SADDLE_OK);
    assert_true(fabs(sphere.moment[0] - 0.4 * 3 * 0.49) < 1e-15);
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_ELLIPSOID, ball, 3, &other),
                     SADDLE_OK);
    assert_true(largest_difference(other.moment, sphere.moment, 9) < 1e-15);
    for (double length = 1; length > 1e-12; length /= 10) {
        const double size[2] = {radius, length};
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_CAPSULE, size, 3, &other),
                         SADDLE_OK);
        double difference = largest_difference(other.moment, sphere.moment, 9);
        assert_true(difference < 3 * length && difference > length * 0.5);
    }
    const double none[2] = {radius, 0};
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_CAPSULE, none, 3, &other),
                     SADDLE_OK);
    assert_true(largest_difference(other.moment, sphere.moment, 9) < 1e-15);
    for (double thin = 1e-2; thin > 1e-5; thin /= 10) {
        const double size[2] = {thin, 1};
        saddle_body_inertia cylinder;
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_CAPSULE, size, 3, &other),
                         SADDLE_OK);
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_CYLINDER, size, 3,
                                                     &cylinder),
                         SADDLE_OK);
        for (int i = 0; i < 9; i += 4)
            assert_true(fabs(other.moment[i] / cylinder.moment[i] - 1) < 5 * thin);
    }
}

/* Eight boxes put together are the box. */
static void a_box_is_its_octants(void **state)
{
    (void)state;
    const double size[3] = {1, 2, 3}, half[3] = {0.5, 1, 1.5};
    saddle_body_inertia whole, part[8], sum;
    saddle_pose pose[8];
    assert_int_equal(saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, size, 5, &whole),
                     SADDLE_OK);
    for (int k = 0; k < 8; k++) {
        pose[k] = saddle_pose_identity();
        for (int i = 0; i < 3; i++) pose[k].p[i] = (k >> i & 1 ? 0.5 : -0.5) * half[i];
        assert_int_equal(saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, half, 5, &part[k]),
                         SADDLE_OK);
    }
    assert_int_equal(saddle_body_inertia_compose(NULL, 8, part, pose, &sum), SADDLE_OK);
    assert_true(fabs(sum.mass - whole.mass) < 1e-13);
    assert_true(largest(sum.center, 3) < 1e-15);
    assert_true(largest_difference(sum.moment, whole.moment, 9) < 1e-13);
}

static void shapes_have_words_and_sizes(void **state)
{
    (void)state;
    assert_string_equal(saddle_shape_word(SADDLE_SHAPE_CAPSULE), "capsule");
    assert_int_equal(saddle_shape_sizes(SADDLE_SHAPE_CAPSULE), 2);
    assert_string_equal(saddle_shape_word((saddle_shape_kind)17), "?");
    assert_int_equal(saddle_shape_sizes((saddle_shape_kind)17), 0);
}

static void what_is_no_shape_is_named(void **state)
{
    (void)state;
    static const struct {
        int kind;
        double size[3];
        double mass;
        const char *says;
    } cases[] = {
        {SADDLE_SHAPE_BOX, {1, 0, 1}, 1, "box: its size 2 is 0"},
        {SADDLE_SHAPE_SPHERE, {-2}, 1, "sphere: its size 1 is -2"},
        {SADDLE_SHAPE_CYLINDER, {1, 0}, 1, "cylinder: its size 2 is 0"},
        {SADDLE_SHAPE_CAPSULE, {0, 1}, 1, "capsule: its size 1 is 0"},
        {SADDLE_SHAPE_CAPSULE, {1, -1}, 1, "capsule: its size 2 is -1"},
        {SADDLE_SHAPE_ELLIPSOID, {1, 1, INFINITY}, 1, "ellipsoid: its size 3 is inf"},
        {SADDLE_SHAPE_SPHERE, {1e200}, 1, "sphere: its volume of inf cannot be held"},
        {SADDLE_SHAPE_SPHERE, {1e-200}, 1, "sphere: its volume of 0 cannot be held"},
        {SADDLE_SHAPE_SPHERE, {1}, -1, "sphere: its mass is -1 kg"},
        {SADDLE_SHAPE_SPHERE, {1}, 0, "sphere: its mass is 0 kg"},
        {99, {1, 1, 1}, 1, "there is no shape kind 99"},
    };
    saddle_context *context = NULL;
    saddle_body_inertia inertia;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        assert_int_equal(saddle_body_inertia_of_mass(context, (saddle_shape_kind)cases[k].kind,
                                                     cases[k].size, cases[k].mass, &inertia),
                         SADDLE_INVALID_ARGUMENT);
        assert_string_equal(saddle_context_message(context), cases[k].says);
    }
    const double size[3] = {1, 1, 1}, tiny[3] = {1e-90, 1e-90, 1e-90};
    assert_int_equal(saddle_body_inertia_of_density(context, SADDLE_SHAPE_BOX, size, 0, &inertia),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context), "box: its density is 0 kg/m^3");
    assert_int_equal(saddle_body_inertia_of_density(context, SADDLE_SHAPE_BOX, size, INFINITY,
                                                    &inertia),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_body_inertia_of_density(context, SADDLE_SHAPE_BOX, tiny, 1, &inertia),
                     SADDLE_INVALID_ARGUMENT);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_weigh_what_their_slices_do),
        cmocka_unit_test(shapes_meet_in_their_limits),
        cmocka_unit_test(a_box_is_its_octants),
        cmocka_unit_test(shapes_have_words_and_sizes),
        cmocka_unit_test(what_is_no_shape_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
