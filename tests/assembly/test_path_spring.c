/* SPDX-License-Identifier: MIT */
/* Springs along paths: derivatives against differences, forces against the formulas of the notes,
 * momentum, units, laws, length zero, bad input. */
#include <math.h>
#include <string.h>

#include "differences.h"
#include "drawn_parts.h"
#include "model_internal.h"

enum { TRIALS = 400, POINTS_MAX = 6, BLOCKS = TEST_SITE_MAX * TEST_SITE_MAX };

/* ---- a law of the host ---- */

typedef struct bent {
    double a, b, c, e, t; /* F = a L + b L^2 + c L' + e L L' + t L^3, or F/L by the formula */
} bent;

static saddle_status bent_tension(saddle_context *context, const void *data, double length,
                                  double rate, saddle_tension *F)
{
    const bent *law = data;
    (void)context;
    F->force = law->a * length + law->b * length * length + law->c * rate + law->e * length * rate +
               law->t * length * length * length;
    F->by_length = law->a + 2 * law->b * length + law->e * rate + 3 * law->t * length * length;
    F->by_rate = law->c + law->e * length;
    return SADDLE_OK;
}

static double bent_energy(const void *data, double length)
{
    const bent *law = data;
    return law->a * length * length / 2 + law->b * length * length * length / 3;
}

static double bent_stress_energy(const void *data, double length)
{
    const bent *law = data;
    return law->a * pow(length, 3) / 3 + law->b * pow(length, 4) / 4;
}

static const saddle_tension_law bent_force = {"bent", bent_tension, bent_energy, 0, 0},
                                bent_stress = {"bent", bent_tension, bent_stress_energy, 1, 0};

/* ---- drawn paths ---- */

typedef struct drawn {
    saddle_model *model;
    saddle_path_point path[POINTS_MAX];
    saddle_path_spring def;
    saddle_elastic elastic;
    bent host;
    saddle_handle force;
    const saddle__item_link *link;
    const saddle_force_type *type;
    test_site site;
} drawn;

static saddle_anchor draw_anchor(saddle_model *model, uint64_t *state, int points_only)
{
    switch (test_integer(state, 0, points_only ? 1 : 3)) {
    case 0: return (saddle_anchor){test_draw_particle(model, state, 1), 0};
    case 1: return (saddle_anchor){test_draw_nodes(model, state, 1), test_integer(state, 0, 2)};
    case 2: return (saddle_anchor){{0}, 0};
    default: return (saddle_anchor){test_draw_body(model, state, 1), 0};
    }
}

static void draw_law(uint64_t *state, drawn *at)
{
    static const char *const words[] = {"linear", "string", "strain"};
    const int64_t which = test_integer(state, 0, 4);
    at->elastic = (saddle_elastic){test_uniform(state, 0, 3), test_uniform(state, 0, 2),
                                   test_uniform(state, 0.1, 4)};
    if (test_integer(state, 0, 2) == 0) at->elastic.damping = 0;
    at->host = (bent){test_uniform(state, -1, 1), test_uniform(state, -1, 1),
                      test_uniform(state, -1, 1), test_uniform(state, -1, 1), 0};
    at->def.law = which < 3    ? saddle_tension_law_find(words[which])
                  : which == 3 ? &bent_force
                               : &bent_stress;
    at->def.data = which < 3 ? (const void *)&at->elastic : &at->host;
    at->def.bytes = which < 3 ? sizeof at->elastic : sizeof at->host;
}

static void add(drawn *at)
{
    assert_int_equal(saddle_model_add_path_spring(at->model, &at->def, &at->force), SADDLE_OK);
    at->link = saddle__model_force(at->model, at->force);
    assert_non_null(at->link);
    at->type = at->link->force;
    test_site_of(at->model, at->link->count, at->link->anchors, at->link->data, &at->site);
}

/* passive: 1 = some inner segments are */
static void draw(uint64_t *state, int points_only, int passive, drawn *at)
{
    memset(at, 0, sizeof *at);
    assert_int_equal(saddle_model_create(NULL, &at->model), SADDLE_OK);
    at->def.count = test_integer(state, 2, POINTS_MAX);
    at->def.path = at->path;
    for (int64_t k = 0; k < at->def.count; k++) {
        const int stays = k > 0 && test_integer(state, 0, 3) == 0 &&
                          at->path[k - 1].anchor.part.item == SADDLE_ITEM_BODY;
        at->path[k].anchor = stays ? at->path[k - 1].anchor
                                   : draw_anchor(at->model, state, points_only);
        at->path[k].passive = passive && k > 0 && test_integer(state, 0, 1) == 0;
        for (int i = 0; i < 3; i++) at->path[k].point[i] = test_uniform(state, -1, 1);
    }
    draw_law(state, at);
    add(at);
}

/* Places and velocities of the points. */
static void points_of(const drawn *at, double (*x)[3], double (*v)[3])
{
    for (int64_t k = 0; k < at->def.count; k++) {
        const saddle_path_point *point = &at->path[k];
        int64_t a = 0;
        while (memcmp(&at->link->anchors[a], &point->anchor, sizeof point->anchor) != 0) a++;
        memcpy(x[k], at->site.position[a], sizeof x[k]);
        memcpy(v[k], at->site.velocity[a], sizeof v[k]);
        if (at->site.size[a] == 3) continue;
        saddle_pose pose;
        double J[18];
        memcpy(&pose, at->site.position[a], sizeof pose);
        saddle_pose_point(&pose, point->point, x[k]);
        saddle_pose_point_jacobian(&pose, point->point, J);
        for (int i = 0; i < 3; i++) {
            v[k][i] = 0;
            for (int j = 0; j < 6; j++) v[k][i] += J[i + 3 * j] * at->site.velocity[a][j];
        }
    }
}

static double least_segment(const drawn *at)
{
    double x[POINTS_MAX][3], v[POINTS_MAX][3], least = INFINITY;
    points_of(at, x, v);
    for (int64_t k = 1; k < at->def.count; k++)
        least = fmin(least, hypot(hypot(x[k][0] - x[k - 1][0], x[k][1] - x[k - 1][1]),
                                  x[k][2] - x[k - 1][2]));
    return least;
}

/* L and L' (0.14). */
static double active_length(const drawn *at, double *rate)
{
    double x[POINTS_MAX][3], v[POINTS_MAX][3], length = 0;
    points_of(at, x, v);
    *rate = 0;
    for (int64_t k = 0; k + 1 < at->def.count; k++) {
        double l = 0, dot = 0;
        if (at->path[k].passive) continue;
        for (int i = 0; i < 3; i++) {
            l += (x[k + 1][i] - x[k][i]) * (x[k + 1][i] - x[k][i]);
            dot += (x[k + 1][i] - x[k][i]) * (v[k + 1][i] - v[k][i]);
        }
        length += sqrt(l);
        if (l > 0) *rate += dot / sqrt(l);
    }
    return length;
}

/* F written down anew. */
static double tension(const drawn *at)
{
    double rate;
    const double L = active_length(at, &rate), k = at->elastic.stiffness, d = at->elastic.damping,
                 r = at->elastic.rest_length;
    const bent *h = &at->host;
    if (at->def.law == &bent_force || at->def.law == &bent_stress) {
        const double value = h->a * L + h->b * L * L + h->c * rate + h->e * L * rate;
        return at->def.law == &bent_stress ? value * L : value;
    }
    if (strcmp(at->def.law->name, "strain") == 0)
        return (k * (L * L / (r * r) - 1) / 2 + d * L * rate / (r * r)) * L;
    const double straight = k * (L - r) + d * rate;
    if (strcmp(at->def.law->name, "linear") == 0) return straight;
    return L > r && straight > 0 ? straight : 0;
}

/* Differences of sixth order need a law that is smooth over them. */
static int is_smooth(const drawn *at)
{
    double rate;
    if (least_segment(at) < 0.3) return 0;
    if (at->def.data != &at->elastic || strcmp(at->def.law->name, "string") != 0) return 1;
    const double F = tension(at);
    return fabs(active_length(at, &rate) - at->elastic.rest_length) > 0.05 &&
           (F == 0 || F > 0.05) &&
           fabs(at->elastic.stiffness * (active_length(at, &rate) - at->elastic.rest_length) +
                at->elastic.damping * rate) > 0.05;
}

/* 1: passive segments keep their lengths. */
static int keeps_energy(const drawn *at)
{
    for (int64_t k = 0; k + 1 < at->def.count; k++)
        if (at->path[k].passive &&
            memcmp(&at->path[k].anchor, &at->path[k + 1].anchor, sizeof(saddle_anchor)) != 0)
            return 0;
    return 1;
}

static void evaluate(drawn *at, double f[TEST_SITE_MAX][6])
{
    double *to[TEST_SITE_MAX];
    memset(f, 0, TEST_SITE_MAX * sizeof f[0]);
    for (int k = 0; k < TEST_SITE_MAX; k++) to[k] = f[k];
    const saddle_site view = test_site_view(&at->site);
    assert_int_equal(at->type->evaluate(NULL, &view, to), SADDLE_OK);
}

static void jacobians(drawn *at, double (*K)[36], double (*D)[36])
{
    double *to[2][BLOCKS];
    memset(K, 0, BLOCKS * sizeof *K);
    memset(D, 0, BLOCKS * sizeof *D);
    for (int k = 0; k < BLOCKS; k++) {
        to[0][k] = K[k];
        to[1][k] = D[k];
    }
    const saddle_site view = test_site_view(&at->site);
    assert_int_equal(at->type->jacobians(NULL, &view, to[0], to[1]), SADDLE_OK);
}

/* ---- claims ---- */

static void derivatives_are_exact_along_drawn_paths(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int compared = 0, energies = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        draw(&state, 0, trial % 2, &at);
        if (is_smooth(&at)) {
            test_errors errors;
            assert_int_equal(test_force_errors(at.type, &at.site, &errors), SADDLE_OK);
            assert_true(errors.K < 1e-8);
            assert_true(errors.D < 1e-8);
            compared++;
            if (keeps_energy(&at)) {
                energies++;
                assert_true(errors.energy < 1e-8);
            } else {
                assert_true(saddle_model_energies(at.model).elastic == 0);
            }
        }
        saddle_model_free(at.model);
    }
    assert_true(compared > TRIALS / 4 && energies > TRIALS / 16);
}

/* f_k = F (u_k - u_(k-1)) at each point, (0.14). */
static void forces_are_tension_times_the_bends(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        draw(&state, 1, trial % 2, &at);
        double f[TEST_SITE_MAX][6], x[POINTS_MAX][3], v[POINTS_MAX][3];
        evaluate(&at, f);
        points_of(&at, x, v);
        const double F = tension(&at);
        assert_int_equal(at.site.count, at.def.count);
        for (int64_t k = 0; k < at.def.count; k++) {
            double bend[3] = {0};
            for (int side = -1; side <= 1; side += 2) {
                const int64_t other = k + side;
                if (other < 0 || other >= at.def.count) continue;
                const double l = hypot(hypot(x[other][0] - x[k][0], x[other][1] - x[k][1]),
                                       x[other][2] - x[k][2]);
                for (int i = 0; i < 3; i++) bend[i] += F * (x[other][i] - x[k][i]) / l;
            }
            assert_true(test_distance(f[k], bend, 3) < 1e-12);
        }
        saddle_model_free(at.model);
    }
}

/* Sums of forces and of moments about the world's origin, the ground's share included. */
static void momentum_and_its_moment_are_kept(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        draw(&state, 0, trial % 2, &at);
        double f[TEST_SITE_MAX][6], sum[6] = {0}, size = 1;
        evaluate(&at, f);
        for (int64_t k = 0; k < at.site.count; k++) {
            saddle_pose pose = saddle_pose_identity();
            double wrench[6];
            memcpy(&pose, at.site.position[k],
                   at.site.size[k] == 6 ? sizeof pose : 3 * sizeof(double));
            saddle_wrench_to_outer(&pose, f[k], wrench);
            for (int i = 0; i < 6; i++) {
                sum[i] += wrench[i];
                size = fmax(size, fabs(wrench[i]));
            }
        }
        for (int i = 0; i < 6; i++) assert_true(fabs(sum[i]) < 1e-13 * size);
        saddle_model_free(at.model);
    }
}

static void what_is_said_to_be_symmetric_is(void **unused)
{
    (void)unused;
    static double K[BLOCKS][36], D[BLOCKS][36];
    uint64_t state = test_seed();
    int symmetric = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        draw(&state, 1, trial % 4 == 0, &at);
        jacobians(&at, K, D);
        double asymmetry = 0, largest = 0;
        const int64_t n = at.site.count;
        for (int64_t e = 0; e < n * n * 9; e++) {
            const int64_t a = e / 9 / n, b = e / 9 % n, i = e % 3, j = e / 3 % 3;
            const double *one[2] = {K[a * n + b], D[a * n + b]},
                         *other[2] = {K[b * n + a], D[b * n + a]};
            for (int m = 0; m < 2; m++) {
                asymmetry = fmax(asymmetry, fabs(one[m][i + 3 * j] - other[m][j + 3 * i]));
                largest = fmax(largest, fabs(one[m][i + 3 * j]));
            }
        }
        if (at.type->symmetric) {
            symmetric++;
            assert_true(asymmetry <= 1e-13 * (1 + largest));
        }
        saddle_model_free(at.model);
    }
    assert_true(symmetric > TRIALS / 20);
}

/* The law of stress (0.13) and its force F = k/2 (L^3/r^2 - L) as a law of force (0.12). */
static void stress_and_force_say_the_same(void **unused)
{
    (void)unused;
    static double K[2][BLOCKS][36], D[2][BLOCKS][36];
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        double f[2][TEST_SITE_MAX][6];
        draw(&state, 0, trial % 2, &at);
        const double k = at.elastic.stiffness, r = at.elastic.rest_length;
        const bent force = {.a = -k / 2, .t = k / (2 * r * r)};
        at.elastic.damping = 0;
        for (int way = 0; way < 2; way++) {
            at.def.law = way == 0 ? &bent_force : saddle_tension_law_find("strain");
            at.def.data = way == 0 ? (const void *)&force : &at.elastic;
            at.def.bytes = way == 0 ? sizeof force : sizeof at.elastic;
            add(&at);
            evaluate(&at, f[way]);
            jacobians(&at, K[way], D[way]);
        }
        assert_true(test_distance(f[0][0], f[1][0], TEST_SITE_MAX * 6) < 1e-11);
        assert_true(test_distance(K[0][0], K[1][0], BLOCKS * 36) < 1e-11);
        saddle_model_free(at.model);
    }
}

/* Lengths by 1e3, times by 1e-2, masses by 1e5: forces by mass length / time^2. */
static void no_unit_changes_a_force(void **unused)
{
    (void)unused;
    const double m = 1e3, s = 1e-2, kg = 1e5, N = kg * m / (s * s);
    uint64_t state = test_seed();
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn at;
        double f[2][TEST_SITE_MAX][6];
        draw(&state, 1, trial % 2, &at);
        if (at.def.data == &at.elastic) {
            evaluate(&at, f[0]);
            saddle_elastic *law = saddle_model_force_data(at.model, at.force);
            law->stiffness *= N / m;
            law->damping *= N * s / m;
            law->rest_length *= m;
            for (int64_t k = 0; k < at.site.count; k++) {
                for (int i = 0; i < 3; i++) {
                    at.site.position[k][i] *= m;
                    at.site.velocity[k][i] *= m / s;
                }
            }
            evaluate(&at, f[1]);
            for (int k = 0; k < TEST_SITE_MAX; k++)
                for (int i = 0; i < 6; i++) f[1][k][i] /= N;
            assert_true(test_distance(f[0][0], f[1][0], TEST_SITE_MAX * 6) < 1e-12);
        }
        saddle_model_free(at.model);
    }
}

/* Between two points that coincide. */
static void at_length_zero_nothing_is_divided_by_it(void **unused)
{
    (void)unused;
    const saddle_elastic strain = {2, 1, 0.5}, linear = {2, 0, 0.5};
    const bent zero = {.a = 3, .c = 0};
    const struct {
        const saddle_tension_law *law;
        const void *data;
        size_t bytes;
        double K; /* of f_a by x_b, isotropic */
    } cases[] = {{saddle_tension_law_find("strain"), &strain, sizeof strain, -1}, /* -k/2 */
                 {saddle_tension_law_find("linear"), &linear, sizeof linear, 0},  /* F = -k r */
                 {&bent_force, &zero, sizeof zero, 3},
                 {&bent_stress, &zero, sizeof zero, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        drawn at = {.def = {.count = 2, .law = cases[c].law, .data = cases[c].data}};
        const saddle_particle_def def = {.mass = 1, .position = {1, 2, 3}, .velocity = {1, 0, 0}};
        static double K[BLOCKS][36], D[BLOCKS][36];
        double f[TEST_SITE_MAX][6];
        at.def.path = at.path;
        at.def.bytes = cases[c].bytes;
        assert_int_equal(saddle_model_create(NULL, &at.model), SADDLE_OK);
        for (int k = 0; k < 2; k++)
            assert_int_equal(saddle_model_add_particle(at.model, &def, &at.path[k].anchor.part),
                             SADDLE_OK);
        add(&at);
        evaluate(&at, f);
        jacobians(&at, K, D);
        for (int i = 0; i < 9; i++) {
            assert_true(f[0][i % 3] == 0 && f[1][i % 3] == 0 && D[0][i] == 0);
            assert_true(fabs(K[1][i] - (i % 4 == 0 ? cases[c].K : 0)) < 1e-15);
            assert_true(fabs(K[0][i] + (i % 4 == 0 ? cases[c].K : 0)) < 1e-15);
        }
        saddle_model_free(at.model);
    }
}

/* A string holds a weight and lets go of a weight that comes up. */
static void strings_only_pull(void **unused)
{
    (void)unused;
    const double weight[3] = {0, 0, -10};
    const saddle_particle_def load = {.mass = 2, .position = {0, 0, -1.1}};
    const saddle_elastic law = {.stiffness = 200, .rest_length = 1};
    saddle_path_point path[2] = {{.point = {0, 0, 0}}, {.point = {0}}};
    const saddle_path_spring spring = {.name = "string",
                                       .count = 2,
                                       .path = path,
                                       .law = saddle_tension_law_find("string"),
                                       .data = &law,
                                       .bytes = sizeof law};
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle force;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, weight);
    assert_int_equal(saddle_model_add_particle(model, &load, &path[1].anchor.part), SADDLE_OK);
    assert_int_equal(saddle_model_add_path_spring(model, &spring, &force), SADDLE_OK);
    saddle_stepper_options options = saddle_stepper_options_default();
    options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    assert_int_equal(saddle_stepper_create(model, &options, &stepper), SADDLE_OK);
    for (int k = 0; k < 50; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    assert_true(fabs(saddle_model_position(model, path[1].anchor.part)[2] + 1.1) < 1e-12);
    /* through the loop, as if by throw */
    saddle_model_velocity(model, path[1].anchor.part)[2] = 20;
    saddle_model_position(model, path[1].anchor.part)[2] = 0.2;
    const double h = options.time_step;
    const int steps = 3;
    for (int k = 0; k < steps; k++) assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
    const double fallen = 0.2 + 20 * steps * h - 10 * pow(steps * h, 2) / 2;
    assert_true(fabs(saddle_model_position(model, path[1].anchor.part)[2] - fallen) < 1e-12);
    saddle_stepper_free(stepper);
    saddle_model_free(model);
}

/* ---- failure ---- */

static saddle_status fail_tension(saddle_context *context, const void *data, double length,
                                  double rate, saddle_tension *F)
{
    (void)data, (void)length, (void)rate, (void)F;
    return saddle_fail(context, SADDLE_SINGULAR, "the law has torn");
}

static void a_law_that_fails_ends_the_step_with_the_springs_name(void **unused)
{
    (void)unused;
    static const saddle_tension_law torn = {"torn", fail_tension, NULL, 0, 0};
    const saddle_particle_def load = {.mass = 2, .position = {0, 0, -1}};
    saddle_path_point path[2] = {{.point = {0, 0, 0}}, {.point = {0}}};
    const saddle_path_spring spring = {.name = "cord", .count = 2, .path = path, .law = &torn};
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_stepper *stepper = NULL;
    saddle_handle force;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(model, &load, &path[1].anchor.part), SADDLE_OK);
    assert_int_equal(saddle_model_add_path_spring(model, &spring, &force), SADDLE_OK);
    assert_int_equal(saddle_stepper_create(model, NULL, &stepper), SADDLE_OK);
    assert_int_equal(saddle_stepper_step(stepper), SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "cord"));
    assert_non_null(strstr(saddle_context_message(context), "torn"));
    saddle_stepper_free(stepper);
    saddle_model_free(model);
    saddle_context_free(context);
}

static void bad_paths_are_refused_by_name(void **unused)
{
    (void)unused;
    static const saddle_tension_law empty = {.name = "empty"};
    saddle_context *context = NULL;
    saddle_model *model = NULL;
    saddle_handle force;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    const saddle_particle_def def = {.mass = 1};
    saddle_path_point path[2] = {{.point = {0}}, {.point = {0}}};
    assert_int_equal(saddle_model_add_particle(model, &def, &path[1].anchor.part), SADDLE_OK);
    const saddle_elastic laws[] = {{1, 0, 1},   {-1, 0, 1}, {1, -1, 1},
                                   {1, 0, NAN}, {1, 0, 0},  {INFINITY, 0, 1}};
    for (int k = 0; k < 12; k++) {
        saddle_path_spring spring = {.name = "cord",
                                     .count = 2,
                                     .path = path,
                                     .law = saddle_tension_law_find("strain"),
                                     .data = laws,
                                     .bytes = sizeof *laws};
        path[0].passive = k == 6;
        path[0].point[0] = k == 7 ? NAN : 0;
        if (k > 0 && k < 6) spring.data = &laws[k];
        if (k == 8) spring.count = 1;
        if (k == 9) spring.count = 65;
        if (k == 10) spring.law = &empty;
        if (k == 11) spring.bytes = 8;
        const saddle_status status = saddle_model_add_path_spring(model, &spring, &force);
        assert_int_equal(status, k == 0 ? SADDLE_OK : SADDLE_INVALID_ARGUMENT);
        if (k > 0) assert_non_null(strstr(saddle_context_message(context), "spring 'cord': "));
    }
    assert_null(saddle_tension_law_find("rubber"));
    assert_null(saddle_tension_law_find(NULL));
    saddle_model_free(model);
    saddle_context_free(context);
}

static saddle_status build(saddle_context *context, void *user)
{
    saddle_model *model = NULL;
    const saddle_particle_def def = {.name = "load", .mass = 1, .position = {1, 0, 0}};
    saddle_path_point path[2] = {{.point = {0}}, {.point = {0}}};
    const saddle_elastic law = {.stiffness = 1};
    const saddle_path_spring spring = {.name = "cord",
                                       .count = 2,
                                       .path = path,
                                       .law = saddle_tension_law_find("string"),
                                       .data = &law,
                                       .bytes = sizeof law};
    saddle_handle force;
    (void)user;
    saddle_status status = saddle_model_create(context, &model);
    if (status == SADDLE_OK) status = saddle_model_add_particle(model, &def, &path[1].anchor.part);
    if (status == SADDLE_OK) status = saddle_model_add_path_spring(model, &spring, &force);
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
        cmocka_unit_test(derivatives_are_exact_along_drawn_paths),
        cmocka_unit_test(forces_are_tension_times_the_bends),
        cmocka_unit_test(momentum_and_its_moment_are_kept),
        cmocka_unit_test(what_is_said_to_be_symmetric_is),
        cmocka_unit_test(stress_and_force_say_the_same),
        cmocka_unit_test(no_unit_changes_a_force),
        cmocka_unit_test(at_length_zero_nothing_is_divided_by_it),
        cmocka_unit_test(strings_only_pull),
        cmocka_unit_test(a_law_that_fails_ends_the_step_with_the_springs_name),
        cmocka_unit_test(bad_paths_are_refused_by_name),
        cmocka_unit_test(memory_that_fails_at_any_point_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
