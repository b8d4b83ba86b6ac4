/* SPDX-License-Identifier: MIT */
/* Mhat and f of implicit stages against differences of the forces. */
#include <math.h>
#include <string.h>

#include "drawn_scene.h"

/* The assembly's forces, proven above. */
static void force_now(const system_twin *twin, double *value)
{
    assert_int_equal(saddle_assembly_update(twin->assembly, &explicit_stage, NULL, NULL),
                     SADDLE_OK);
    memcpy(value, saddle_assembly_force(twin->assembly), (size_t)twin->n * sizeof *value);
}

/* The share of gyroscopic forces in f, proven above. */
static void gyroscopic_now(const system_twin *twin, double *value)
{
    saddle_stage stage = explicit_stage;
    stage.time_step = 0x1p-40; /* leaves them and M v */
    for (int k = 0; k < 2; k++) {
        stage.gyroscopic = 1 - k;
        assert_int_equal(saddle_assembly_update(twin->assembly, &stage, NULL, NULL), SADDLE_OK);
        const double *f = saddle_assembly_problem(twin->assembly)->f;
        for (int64_t i = 0; i < twin->n; i++) value[i] = k == 0 ? f[i] : value[i] - f[i];
    }
}

static double kept[TWIN_M]; /* what the constraints bore */

/* J'kept, J proven above. */
static void borne_now(const system_twin *twin, double *value)
{
    const saddle_matrix *Jt = &saddle_assembly_problem(twin->assembly)->Jt;
    assert_int_equal(saddle_assembly_update(twin->assembly, &explicit_stage, NULL, NULL),
                     SADDLE_OK);
    memset(value, 0, (size_t)twin->n * sizeof *value);
    for (int64_t j = 0; j < twin->m; j++) {
        for (int64_t e = Jt->start[j]; e < Jt->start[j + 1]; e++)
            value[Jt->index[e]] += Jt->value[e] * kept[j];
    }
}

static void add_symmetric_part(int64_t n, int symmetric, const double *A, double *sum)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++)
            sum[i + n * j] += symmetric ? (A[i + n * j] + A[j + n * i]) / 2 : A[i + n * j];
    }
}

/* K and D as the options take them in; general: whether M is. */
static void taken_in(scene *s, const saddle_assembly_options *options, int general, double *K,
                     double *D)
{
    static double part_K[TWIN_N * TWIN_N], part_D[TWIN_N * TWIN_N];
    const int64_t n = s->twin.n;
    const double none[3] = {0, 0, 0};
    double gravity[3];
    memcpy(gravity, saddle_model_gravity(s->drawn.model), sizeof gravity);
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    memset(D, 0, (size_t)(n * n) * sizeof *D);
    saddle_model_set_gravity(s->drawn.model, none);
    twin_jacobians(&s->twin, force_now, part_K, part_D);
    add_symmetric_part(n, options->symmetric_stiffness, part_K, K);
    add_symmetric_part(n, options->symmetric_stiffness, part_D, D);
    saddle_model_set_gravity(s->drawn.model, gravity);
    if (options->geometric_stiffness) {
        twin_jacobians(&s->twin, borne_now, part_K, part_D);
        add_symmetric_part(n, options->symmetric_stiffness || !general, part_K, K);
    }
    if (!options->gyroscopic_jacobian) return;
    twin_jacobians(&s->twin, gyroscopic_now, part_K, part_D);
    add_symmetric_part(n, 0, part_D, D);
    twin_jacobians(&s->twin, force_now, part_K, part_D);
    add_symmetric_part(n, 0, part_K, K);
    saddle_model_set_gravity(s->drawn.model, none);
    twin_jacobians(&s->twin, force_now, part_K, part_D);
    for (int64_t e = 0; e < n * n; e++) K[e] -= part_K[e]; /* gravity's alone is left */
    saddle_model_set_gravity(s->drawn.model, gravity);
}

/* What the prescribed parts' motion adds to velocity_force K v. */
static void given_force_rate(scene *s, double *rate)
{
    const double still[TWIN_N] = {0};
    const int64_t n = s->twin.n;
    double forth[TWIN_N], back[TWIN_N];
    drawn_state state;
    drawn_keep(&s->drawn, &state);
    for (int side = 0; side < 2; side++) {
        saddle_assembly_move(s->assembly, side ? -1e-5 : 1e-5, still,
                             SADDLE_ROTATION_UPDATE_EXPONENTIAL);
        force_now(&s->twin, side ? back : forth);
        drawn_restore(&s->drawn, &state);
    }
    for (int64_t i = 0; i < n; i++) rate[i] = (forth[i] - back[i]) / 2e-5;
}

static void check_implicit(uint64_t *state, drawn_wishes wishes)
{
    static double K[TWIN_N * TWIN_N], D[TWIN_N * TWIN_N], M[TWIN_N * TWIN_N], Mhat[TWIN_N * TWIN_N];
    saddle_assembly_options options = saddle_assembly_options_default();
    options.geometric_stiffness = (int)test_integer(state, 0, 1);
    options.gyroscopic_jacobian = test_integer(state, 0, 2) == 0;
    options.symmetric_stiffness = (int)test_integer(state, 0, 1);
    scene s;
    scene_begin(state, wishes, &options, &s);
    const int64_t n = s.twin.n;
    const saddle_problem *p = saddle_assembly_problem(s.assembly);
    double lambda[TWIN_M], f[TWIN_N], F[TWIN_N], G[TWIN_N], v[TWIN_N], given[TWIN_N] = {0};
    for (int64_t i = 0; i < s.twin.m; i++) {
        kept[i] = test_uniform(state, -1, 1);
        lambda[i] = kept[i] / 4;
    }
    saddle_assembly_keep_impulses(s.assembly, 0.25, lambda);
    saddle_stage stage = draw_stage(state);
    stage.stiffness += 0.1;
    scene_update(&s, &stage);
    taken_in(&s, &options, p->M.symmetry == SADDLE_SYMMETRY_NONE, K, D);
    if (!options.symmetric_stiffness) given_force_rate(&s, given);
    twin_force(&s.twin, F);
    twin_gyroscopic(&s.twin, G);
    twin_mass(&s.twin, M);
    scene_update(&s, &stage);
    double size = 1;
    twin_dense(&p->M, Mhat);
    saddle_assembly_get_velocity(s.assembly, v);
    for (int64_t i = 0; i < n; i++) {
        f[i] = stage.time_step * F[i] + stage.gyroscopic * G[i] + stage.velocity_force * given[i];
        for (int64_t j = 0; j < n; j++) {
            const int64_t e = i + n * j;
            M[e] -= stage.damping * D[e] + stage.stiffness * K[e];
            f[i] += (M[e] + stage.velocity_force * K[e]) * v[j];
            size = fmax(size, fabs(F[i]) +
                                  (double)n * (fabs(M[e]) + fabs(K[e]) + fabs(D[e])) * fabs(v[j]));
        }
    }
    assert_near(Mhat, M, n * n, 1e-6, "Mhat");
    if (!options.symmetric_stiffness && !options.geometric_stiffness)
        assert_within(p->f, f, n, 1e-6 * size, "f");
    scene_end(&s);
}

static void mhat_holds_the_derivatives_of_the_forces(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(150); draw++) check_implicit(&state, (drawn_wishes){0});
    for (int draw = 0; draw < 50; draw++) check_implicit(&state, (drawn_wishes){.only_points = 1});
    for (int draw = 0; draw < 50; draw++)
        check_implicit(&state, (drawn_wishes){.no_prescribed = 1});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mhat_holds_the_derivatives_of_the_forces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
