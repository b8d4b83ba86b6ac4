/* SPDX-License-Identifier: MIT */
/* Muscles: curves against the conditions and the tables of seed 003 (1.41-1.45), derivatives
 * against differences, paths, equilibrium, hostile input. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"
#include "saddle/muscle.h"

enum { TRIALS = 300, POINTS_MAX = 5 };

static const double kinks[] = {0.4, 0.7, 1, 1.2, 1.3, 1.7, 1.81};
static const double rate_kinks[] = {-1, -0.05, 0.05, 1};

typedef enum curve_name { PASSIVE, ACTIVE, VELOCITY } curve_name;

typedef struct tension {
    double f, by_length, by_rate;
} tension;

/* Of a muscle with unit force and lengths between the ground and a particle. */
static tension tension_at(double activation, double l, double v)
{
    saddle_model *model = NULL;
    saddle_handle force;
    saddle_path_point path[2] = {{.point = {0}}, {.point = {0}}};
    const saddle_particle_def def = {.mass = 1, .position = {5 + l, 0, 0}, .velocity = {v, 0, 0}};
    const saddle_muscle muscle = {1, activation, 1, 5, 1};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &def, &path[1].anchor.part), SADDLE_OK);
    assert_int_equal(saddle_model_add_muscle(model, NULL, 2, path, &muscle, &force), SADDLE_OK);
    const saddle__item_link *found = saddle__model_force(model, force);
    test_site site;
    test_site_of(model, 2, found->anchors, found->data, &site);
    const saddle_site view = test_site_view(&site);
    double room[10][36] = {{0}}, *f[2] = {room[0], room[1]}, *K[4], *D[4];
    for (int k = 0; k < 4; k++) {
        K[k] = room[2 + k];
        D[k] = room[6 + k];
    }
    assert_int_equal(found->force->evaluate(NULL, &view, f), SADDLE_OK);
    assert_int_equal(found->force->jacobians(NULL, &view, K, D), SADDLE_OK);
    saddle_model_free(model);
    return (tension){-f[1][0], -K[3][0], -D[3][0]};
}

static double slope_of(curve_name curve, double x)
{
    if (curve == VELOCITY) return tension_at(1, 1, x).by_rate;
    const double passive = tension_at(0, x, 0).by_length;
    return curve == PASSIVE ? passive : tension_at(1, x, 0).by_length - passive;
}

static double value_of(curve_name curve, double x)
{
    if (curve == VELOCITY) return tension_at(1, 1, x).f;
    const double passive = tension_at(0, x, 0).f;
    return curve == PASSIVE ? passive : tension_at(1, x, 0).f - passive;
}

/* Of the curves' own values alone, by differences: f, f' of each condition. */
typedef struct condition {
    curve_name curve;
    double x, y, slope; /* NAN: no condition */
} condition;

static void curves_meet_the_conditions_of_the_seed(void **unused)
{
    (void)unused;
    static const condition conditions[] = {
        {PASSIVE, 1.0, 0, 0},
        {PASSIVE, 1.3, 0.126110265892917, 1.07051016402631},
        {PASSIVE, 1.7, 1, 2.85714285714286},
        {ACTIVE, 0.4, 0, 0},
        {ACTIVE, 0.7, 0.767020368396388, NAN},
        {ACTIVE, 1.0, 1, 0},
        {ACTIVE, 1.2, 0.89, NAN},
        {ACTIVE, 1.81, 0, 0},
        {VELOCITY, -1, 0, 0},
        {VELOCITY, 0, 1, 5},
        {VELOCITY, 1, 1.4, 0},
    };
    for (size_t k = 0; k < sizeof conditions / sizeof *conditions; k++) {
        const condition *at = &conditions[k];
        assert_true(fabs(value_of(at->curve, at->x) - at->y) < 1e-14);
        const double h = 1e-6;
        const double right = (value_of(at->curve, at->x + h) - value_of(at->curve, at->x)) / h;
        const double left = (value_of(at->curve, at->x) - value_of(at->curve, at->x - h)) / h;
        assert_true(fabs(right - left) < 1e-3); /* once differentiable at the knots */
        if (!isnan(at->slope)) assert_true(fabs((right + left) / 2 - at->slope) < 1e-4);
    }
    for (int sign = -1; sign <= 1; sign += 2) { /* the ends of f_V are straight: second derivative
                                                   0 */
        const double h = 1e-3, inside = value_of(VELOCITY, sign * (1 - h));
        assert_true(fabs(inside - (sign < 0 ? 0 : 1.4)) < 2 * h * h * h);
    }
}

/* a x³ + b x² + c x + d as the seed prints them: (1.42), (1.44). */
static void curves_are_the_cubics_of_the_seeds_tables(void **unused)
{
    (void)unused;
    static const struct {
        curve_name curve;
        double from, to, a, b, c, d;
    } tables[] = {
        {PASSIVE, 1.0, 1.3, 2.55305620081729, -7.02386028610914, 6.38855196976641,
         -1.91774788447456},
        {PASSIVE, 1.3, 1.7, -2.76122280853939, 14.6587935048229, -23.0429533092186,
         11.3749950550874},
        {ACTIVE, 0.4, 0.7, -39.881247949014, 68.3443204612586, -35.5324573534802, 5.83029153632759},
        {ACTIVE, 0.7, 1.2, -0.322674853252855, -1.71744046959073, 4.40290549894003,
         -1.36279017609645},
        {ACTIVE, 1.2, 1.81, 4.85118460831817, -20.9908796589089, 28.3080866793169,
         -11.2356843095252},
    };
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        for (int i = 0; i <= 20; i++) {
            const double x = tables[k].from + (tables[k].to - tables[k].from) * i / 20.0;
            const double y = ((tables[k].a * x + tables[k].b) * x + tables[k].c) * x + tables[k].d;
            assert_true(fabs(value_of(tables[k].curve, x) - y) < 2e-12);
            const double slope = (3 * tables[k].a * x + 2 * tables[k].b) * x + tables[k].c;
            assert_true(fabs(slope_of(tables[k].curve, x) - slope) < 4e-12);
        }
    }
}

static void slopes_of_curves_are_their_differences(void **unused)
{
    (void)unused;
    for (int curve = PASSIVE; curve <= VELOCITY; curve++) {
        const curve_name which = (curve_name)curve;
        for (double x = -2.03; x < 3; x += 0.0101) {
            const double h = 1e-5,
                         difference = (value_of(which, x + h) - value_of(which, x - h)) / (2 * h);
            /* curves bend at the knots */
            assert_true(fabs(slope_of(which, x) - difference) < 2e-3);
        }
    }
}

/* ---- derivatives ---- */

typedef struct drawn {
    saddle_model *model;
    saddle_path_point path[POINTS_MAX];
    int64_t count;
    saddle_muscle muscle;
    saddle_handle force;
    const saddle_force_type *type;
    test_site site;
    int64_t place[POINTS_MAX]; /* of the site's anchors, each point's */
} drawn;

static saddle_anchor draw_anchor(saddle_model *model, uint64_t *state)
{
    switch (test_integer(state, 0, 4)) {
    case 0: return (saddle_anchor){test_draw_particle(model, state, 1), 0};
    case 1: return (saddle_anchor){test_draw_nodes(model, state, 1), test_integer(state, 0, 2)};
    case 2: return (saddle_anchor){{0}, 0};
    default: return (saddle_anchor){test_draw_body(model, state, 1), 0};
    }
}

/* A path over drawn parts; some points stay on the part of the one before, the last may come back
 * to the first's. */
static int64_t draw_path(saddle_model *model, uint64_t *state, saddle_path_point *path)
{
    const int64_t count = test_integer(state, 2, POINTS_MAX);
    path[0].anchor = (saddle_anchor){test_draw_body(model, state, 1), 0};
    for (int64_t k = 0; k < count; k++) {
        const int64_t how = test_integer(state, 0, 3);
        if (k > 0)
            path[k].anchor = how == 0 && path[k - 1].anchor.part.item == SADDLE_ITEM_BODY
                                 ? path[k - 1].anchor
                             : how == 1 && k > 1 ? path[0].anchor
                                                 : draw_anchor(model, state);
        for (int i = 0; i < 3; i++) path[k].point[i] = test_uniform(state, -1, 1);
    }
    return count;
}

static int same(const saddle_anchor *a, const saddle_anchor *b)
{
    return a->part.index == b->part.index && a->part.item == b->part.item && a->node == b->node;
}

/* The path's length from the site's positions, and its least segment. */
static double length_of(const drawn *at, const test_site *site, double *least)
{
    double x[POINTS_MAX][3], length = 0;
    *least = INFINITY;
    for (int64_t k = 0; k < at->count; k++) {
        const int64_t a = at->place[k];
        saddle_pose pose;
        memcpy(&pose, site->position[a], sizeof pose);
        memcpy(x[k], site->position[a], sizeof x[k]);
        if (site->size[a] == 6) saddle_pose_point(&pose, at->path[k].point, x[k]);
        if (k == 0) continue;
        const double l = sqrt(pow(x[k][0] - x[k - 1][0], 2) + pow(x[k][1] - x[k - 1][1], 2) +
                              pow(x[k][2] - x[k - 1][2], 2));
        *least = fmin(*least, l);
        length += l;
    }
    return length;
}

/* dL/dt by differences of the motion. */
static double rate_of(const drawn *at)
{
    const double h = 1e-4;
    double unused;
    test_site site = at->site;
    test_site_advance(&site, h);
    const double ahead = length_of(at, &site, &unused);
    test_site_advance(&site, -2 * h);
    return (ahead - length_of(at, &site, &unused)) / (2 * h);
}

/* A muscle of drawn numbers whose length is somewhere on its curves; least: the shortest
 * segment. */
static void draw_muscle(uint64_t *state, drawn *at, double *least)
{
    memset(at, 0, sizeof *at);
    assert_int_equal(saddle_model_create(NULL, &at->model), SADDLE_OK);
    at->count = draw_path(at->model, state, at->path);
    at->muscle = saddle_muscle_default();
    assert_int_equal(saddle_model_add_muscle(at->model, NULL, at->count, at->path, &at->muscle,
                                             &at->force),
                     SADDLE_OK);
    const saddle__item_link *found = saddle__model_force(at->model, at->force);
    assert_non_null(found);
    at->type = found->force;
    test_site_of(at->model, found->count, found->anchors, found->data, &at->site);
    for (int64_t k = 0; k < at->count; k++) {
        while (!same(&found->anchors[at->place[k]], &at->path[k].anchor)) at->place[k]++;
    }
    const double length = length_of(at, &at->site, least);
    at->muscle.peak_force = test_uniform(state, 0.5, 2);
    at->muscle.activation = test_uniform(state, 0, 1);
    at->muscle.tendon_length = test_uniform(state, 0, 0.5) * length;
    at->muscle.optimal_length = (length - at->muscle.tendon_length) /
                                test_uniform(state, 0.35, 1.9);
    at->muscle.fastest = test_uniform(state, 0.5, 4);
    memcpy(saddle_model_force_data(at->model, at->force), &at->muscle, sizeof at->muscle);
}

/* Differences of sixth order need curves that are smooth over them. */
static int is_smooth(const drawn *at)
{
    double least;
    const double l = (length_of(at, &at->site, &least) - at->muscle.tendon_length) /
                     at->muscle.optimal_length;
    const double v = rate_of(at) / (at->muscle.optimal_length * at->muscle.fastest);
    const double near_length = 0.02 / at->muscle.optimal_length;
    const double near_rate = 0.05 / (at->muscle.optimal_length * at->muscle.fastest);
    for (size_t k = 0; k < sizeof kinks / sizeof *kinks; k++) {
        if (fabs(l - kinks[k]) < near_length) return 0;
    }
    for (size_t k = 0; k < sizeof rate_kinks / sizeof *rate_kinks; k++) {
        if (fabs(v - rate_kinks[k]) < near_rate) return 0;
    }
    return 1;
}

static void derivatives_of_muscles_are_exact_along_drawn_paths(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        double least;
        test_errors errors;
        draw_muscle(&state, &at, &least);
        if (least > 0.3 && is_smooth(&at)) {
            assert_int_equal(test_force_errors(at.type, &at.site, &errors), SADDLE_OK);
            compared++;
            assert_true(errors.K < 1e-8);
            assert_true(errors.D < 1e-8);
        }
        saddle_model_free(at.model);
    }
    assert_true(compared > TRIALS / 4);
}

/* v'F = -f dL/dt, f by the formula from lengths and differences. */
static void the_power_is_tension_times_shortening(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        double least, room[TEST_SITE_MAX][6] = {{0}}, *force[TEST_SITE_MAX], power = 0;
        draw_muscle(&state, &at, &least);
        for (int k = 0; k < TEST_SITE_MAX; k++) force[k] = room[k];
        const saddle_site view = test_site_view(&at.site);
        assert_int_equal(at.type->evaluate(NULL, &view, force), SADDLE_OK);
        for (int64_t k = 0; k < at.site.count; k++) {
            for (int64_t j = 0; j < at.site.size[k]; j++)
                power += force[k][j] * at.site.velocity[k][j];
        }
        const double l = (length_of(&at, &at.site, &least) - at.muscle.tendon_length) /
                         at.muscle.optimal_length;
        const double rate = rate_of(&at), v = rate / (at.muscle.optimal_length * at.muscle.fastest);
        const double f = at.muscle.peak_force *
                         (at.muscle.activation * value_of(ACTIVE, l) * value_of(VELOCITY, v) +
                          value_of(PASSIVE, l));
        if (least > 0.1) assert_true(fabs(power + f * rate) < 1e-5 * (1 + fabs(power)));
        saddle_model_free(at.model);
    }
}

/* ---- in models ---- */

/* At optimal length and rest f = a f_opt: a weight of a f_opt hangs still, led by a point of the
 * ground or not. */
static void a_weight_of_a_times_the_peak_force_hangs_still(void **unused)
{
    (void)unused;
    for (int led = 0; led < 2; led++) {
        saddle_model *model = NULL;
        saddle_stepper *stepper = NULL;
        const double weight[3] = {0, 0, -10};
        const saddle_particle_def load = {.mass = 2, .position = {0, 0, -1.25}};
        saddle_path_point path[3] = {{.point = {0, 0, 0}}, {.point = {0, 0, -0.5}}, {.point = {0}}};
        saddle_muscle muscle = saddle_muscle_default();
        muscle.peak_force = 80;
        muscle.activation = 0.25;
        muscle.tendon_length = 0.25;
        saddle_handle force;
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_gravity(model, weight);
        assert_int_equal(saddle_model_add_particle(model, &load, &path[1 + led].anchor.part),
                         SADDLE_OK);
        assert_int_equal(saddle_model_add_muscle(model, "biceps", 2 + led, path, &muscle, &force),
                         SADDLE_OK);
        saddle_stepper_options options = saddle_stepper_options_default();
        options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
        assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
        for (int k = 0; k < 100; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        const double *x = saddle_model_position(model, path[1 + led].anchor.part);
        assert_true(fabs(x[2] + 1.25) < 1e-13);
        saddle_muscle *data = saddle_model_force_data(model, force);
        data->activation = 0.3; /* now it lifts */
        for (int k = 0; k < 10; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        x = saddle_model_position(model, path[1 + led].anchor.part);
        assert_true(x[2] > -1.25 + 1e-4);
        saddle_stepper_free(stepper);
        saddle_model_free(model);
    }
}

/* From the origin to a point of the ground, where the load is too. */
static void points_that_coincide_do_not_pull_at_each_other(void **unused)
{
    (void)unused;
    saddle_model *model = NULL;
    const saddle_particle_def def = {.mass = 1, .position = {0, 0, 1}, .velocity = {1, 0, 0}};
    saddle_path_point path[3] = {{.point = {0, 0, 0}}, {.point = {0, 0, 1}}, {.point = {0}}};
    const saddle_muscle muscle = {.peak_force = 1,
                                  .activation = 1,
                                  .optimal_length = 1,
                                  .fastest = 1};
    saddle_handle force;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &def, &path[2].anchor.part), SADDLE_OK);
    assert_int_equal(saddle_model_add_muscle(model, NULL, 3, path, &muscle, &force), SADDLE_OK);
    const saddle__item_link *found = saddle__model_force(model, force);
    test_site site;
    test_site_of(model, found->count, found->anchors, found->data, &site);
    const saddle_site view = test_site_view(&site);
    double room[10][36] = {{0}}, *f[2] = {room[0], room[1]}, *K[4], *D[4];
    for (int k = 0; k < 4; k++) {
        K[k] = room[2 + k];
        D[k] = room[6 + k];
    }
    assert_int_equal(found->force->evaluate(NULL, &view, f), SADDLE_OK);
    assert_int_equal(found->force->jacobians(NULL, &view, K, D), SADDLE_OK);
    for (int i = 0; i < 36; i++) {
        assert_true(f[1][i % 3] == 0);
        for (int k = 0; k < 4; k++) assert_true(isfinite(K[k][i]) && isfinite(D[k][i]));
    }
    assert_true(f[0][2] == 0); /* both of its ends are on the ground */
    saddle_model_free(model);
}

static void muscles_with_bad_numbers_are_refused_by_name(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_handle force;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_particle_def def = {.mass = 1};
    saddle_path_point path[2] = {{.point = {0}}, {.point = {0}}};
    assert_int_equal(saddle_model_add_particle(model, &def, &path[1].anchor.part), SADDLE_OK);
    const saddle_muscle bad[] = {
        {-1, 0, 1, 0, 1}, {INFINITY, 0, 1, 0, 1}, {1, 1.5, 1, 0, 1}, {1, NAN, 1, 0, 1},
        {1, 0, 0, 0, 1},  {1, 0, 1, -1, 1},       {1, 0, 1, 0, 0},   {1, 0, 1, 0, NAN},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(saddle_model_add_muscle(model, "psoas", 2, path, &bad[k], &force),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "muscle 'psoas': "));
    }
    const saddle_muscle good = saddle_muscle_default();
    assert_int_equal(saddle_model_add_muscle(model, "psoas", 1, path, &good, &force),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_model_add_muscle(model, "psoas", 65, path, &good, &force),
                     SADDLE_INVALID_ARGUMENT);
    path[0].point[1] = NAN;
    assert_int_equal(saddle_model_add_muscle(model, "psoas", 2, path, &good, &force),
                     SADDLE_INVALID_ARGUMENT);
    path[0].point[1] = 0;
    path[0].anchor.part = (saddle_handle){7, 3, SADDLE_ITEM_BODY, 0};
    assert_int_equal(saddle_model_add_muscle(model, "psoas", 2, path, &good, &force),
                     SADDLE_INVALID_ARGUMENT);
    assert_non_null(strstr(saddle_context_message(context), "psoas"));
    saddle_model_free(model);
    saddle_context_free(context);
}

static saddle_status build(saddle_context *context, void *user)
{
    saddle_model *model = NULL;
    const saddle_particle_def def = {.name = "load", .mass = 1, .position = {1, 0, 0}};
    saddle_path_point path[2] = {{.point = {0}}, {.point = {0}}};
    const saddle_muscle muscle = saddle_muscle_default();
    saddle_handle force;
    (void)user;
    saddle_status status = saddle_model_create(context, &model);
    if (status == SADDLE_OK) status = saddle_model_add_particle(model, &def, &path[1].anchor.part);
    if (status == SADDLE_OK)
        status = saddle_model_add_muscle(model, "soleus", 2, path, &muscle, &force);
    saddle_model_free(model);
    return status;
}

static void memory_that_fails_at_any_point_is_survived(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(build, NULL) > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves_meet_the_conditions_of_the_seed),
        cmocka_unit_test(curves_are_the_cubics_of_the_seeds_tables),
        cmocka_unit_test(slopes_of_curves_are_their_differences),
        cmocka_unit_test(derivatives_of_muscles_are_exact_along_drawn_paths),
        cmocka_unit_test(the_power_is_tension_times_shortening),
        cmocka_unit_test(a_weight_of_a_times_the_peak_force_hangs_still),
        cmocka_unit_test(points_that_coincide_do_not_pull_at_each_other),
        cmocka_unit_test(muscles_with_bad_numbers_are_refused_by_name),
        cmocka_unit_test(memory_that_fails_at_any_point_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
