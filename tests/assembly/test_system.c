/* SPDX-License-Identifier: MIT */
/* Systems of drawn models against their twins: every number of M, J, R, f, b and the bounds found
 * another way. */
#include <math.h>
#include <string.h>

#include "drawn_scene.h"

/* ---- M, J, f ---- */

static void mass_is_that_of_the_kinetic_energy(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(500); draw++) {
        scene s;
        double M[TWIN_N * TWIN_N], twin[TWIN_N * TWIN_N];
        scene_begin(&state, (drawn_wishes){0}, NULL, &s);
        scene_update(&s, &explicit_stage);
        twin_dense(&saddle_assembly_problem(s.assembly)->M, M);
        twin_mass(&s.twin, twin);
        assert_near(M, twin, s.twin.n * s.twin.n, 1e-12, "M");
        scene_end(&s);
    }
}

static void rows_are_the_derivatives_of_what_is_held(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(1000); draw++) {
        scene s;
        double Jt[TWIN_N * TWIN_M], J[TWIN_M * TWIN_N], given[TWIN_M], phi_t[TWIN_M], phi[TWIN_M];
        scene_begin(&state, (drawn_wishes){0}, NULL, &s);
        scene_update(&s, &explicit_stage);
        twin_dense(&saddle_assembly_problem(s.assembly)->Jt, Jt); /* by columns, which are J's
                                                                     rows */
        twin_rows(&s.twin, J, given, phi_t);
        twin_phi(&s.twin, phi);
        assert_near(Jt, J, s.twin.n * s.twin.m, 1e-8, "J");
        assert_near(saddle_assembly_phi(s.assembly), phi, s.twin.m, 1e-14, "phi");
        scene_end(&s);
    }
}

static void forces_are_those_of_the_potential_and_what_damps(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(300); draw++) {
        scene s;
        double F[TWIN_N], G[TWIN_N], Mv[TWIN_N], v[TWIN_N], M[TWIN_N * TWIN_N];
        scene_begin(&state, (drawn_wishes){0}, NULL, &s);
        saddle_stage stage = explicit_stage;
        stage.time_step = 0.25;
        stage.gyroscopic = 2;
        scene_update(&s, &stage);
        const saddle_problem *p = saddle_assembly_problem(s.assembly);
        twin_force(&s.twin, F);
        twin_gyroscopic(&s.twin, G);
        twin_mass(&s.twin, M);
        saddle_assembly_get_velocity(s.assembly, v);
        for (int64_t i = 0; i < p->n; i++) {
            Mv[i] = 0.25 * F[i] + 2 * G[i];
            for (int64_t j = 0; j < p->n; j++) Mv[i] += M[i + p->n * j] * v[j];
        }
        assert_near(saddle_assembly_force(s.assembly), F, p->n, 1e-7, "the force");
        assert_near(p->f, Mv, p->n, 1e-7, "f");
        scene_end(&s);
    }
}

/* ---- b, R, bounds ---- */

typedef struct expected_row {
    double R, b, lo, hi;
} expected_row;

static expected_row expect(const saddle_stage *stage, const saddle_row_def *def, double phi,
                           double moving, double given, double phi_t, double drift)
{
    const double h = stage->row_step,
                 T = stage->theta * h + def->compliance.beta + def->compliance.steps * h;
    const double rate = moving + given + phi_t, c = stage->carried;
    expected_row row = {def->compliance.alpha / (stage->time_step * T), 0, -INFINITY, INFINITY};
    if (isfinite(def->strength) && def->purpose != SADDLE_PURPOSE_LIMIT) {
        row.lo = -def->strength * stage->time_step;
        row.hi = def->strength * stage->time_step;
    }
    if (def->purpose == SADDLE_PURPOSE_DRIVE)
        return (expected_row){0, def->target - phi_t - given, row.lo, row.hi};
    if (def->purpose == SADDLE_PURPOSE_HOLD) {
        const int keeps = stage->keep_errors && def->compliance.alpha == 0 && isinf(def->strength);
        const int is_hard = def->compliance.alpha == 0 && isinf(def->strength);
        row.b = ((keeps ? 0 : -phi / T) - phi_t - given - c * moving) / (1 - c) -
                (is_hard ? stage->curvature * drift : 0);
        row.R /= 1 - c;
        return row;
    }
    if (def->purpose == SADDLE_PURPOSE_IMPACT) {
        const int touches = phi + h / 2 * rate <= 0;
        return (expected_row){touches ? 0 : 1,
                              touches ? -def->restitution * rate - phi_t - given : -1, 0, INFINITY};
    }
    const double wanted = phi < 0 ? -phi / T : -phi / h, plain = wanted - phi_t - given;
    const double carried = (plain - c * moving) / (1 - c);
    row.lo = 0;
    row.b = plain < carried ? plain : carried;
    if (carried < plain) row.R /= 1 - c;
    if (def->restitution > 0 && rate < 0 && phi + h * rate <= 0 &&
        -def->restitution * rate > wanted) {
        row.b = -def->restitution * rate - phi_t - given;
        row.R = def->compliance.alpha / (stage->time_step * T);
    }
    return row;
}

static void rows_follow_their_purpose(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(1000); draw++) {
        scene s;
        double J[TWIN_M * TWIN_N], given[TWIN_M], phi_t[TWIN_M], phi[TWIN_M], v[TWIN_N], b[TWIN_M],
            R[TWIN_M];
        scene_begin(&state, (drawn_wishes){.with_impacts = 1}, NULL, &s);
        const saddle_stage stage = draw_stage(&state);
        twin_rows(&s.twin, J, given, phi_t);
        twin_phi(&s.twin, phi);
        scene_update(&s, &stage);
        const saddle_problem *p = saddle_assembly_problem(s.assembly);
        saddle_assembly_get_velocity(s.assembly, v);
        for (int64_t k = 0, row = 0; k < s.drawn.constraints; k++) {
            const int64_t rows = saddle_model_constraint_rows(s.drawn.model, s.drawn.constraint[k]);
            assert_int_equal(saddle_assembly_row(s.assembly, s.drawn.constraint[k]), row);
            double drift[DRAWN_ROWS];
            const saddle_handle handle = s.drawn.constraint[k];
            assert_int_equal(saddle_model_constraint_evaluate(s.drawn.model, handle, NULL, NULL,
                                                              drift),
                             SADDLE_OK);
            for (int64_t i = 0; i < rows; i++, row++) {
                double moving = 0;
                for (int64_t j = 0; j < p->n; j++) moving += J[row * p->n + j] * v[j];
                const saddle_row_def *def = saddle_model_constraint_row(s.drawn.model,
                                                                        s.drawn.constraint[k], i);
                const expected_row expected = expect(&stage, def, phi[row], moving, given[row],
                                                     phi_t[row], drift[i]);
                b[row] = expected.b;
                R[row] = saddle_matrix_entry(&p->R, row, row) - expected.R;
                const int is_out = def->purpose == SADDLE_PURPOSE_IMPACT && expected.R == 1;
                for (int64_t e = p->Jt.start[row]; is_out && e < p->Jt.start[row + 1]; e++)
                    assert_true(p->Jt.value[e] == 0);
                if (isfinite(expected.lo))
                    assert_near(&p->lo[row], &expected.lo, 1, 1e-14, "lo");
                else
                    assert_true(p->lo[row] == expected.lo);
                if (isfinite(expected.hi))
                    assert_near(&p->hi[row], &expected.hi, 1, 1e-14, "hi");
                else
                    assert_true(p->hi[row] == expected.hi);
                if (!(fabs(R[row]) <= 1e-12 * (1 + expected.R))) fail_msg("R is off by %g", R[row]);
            }
        }
        assert_near(p->b, b, p->m, 1e-6, "b");
        scene_end(&s);
    }
}

/* ---- values only ---- */

static void assert_same_matrix(const saddle_matrix *A, const saddle_matrix *B)
{
    const int64_t entries = saddle_matrix_entries(A);
    assert_int_equal(entries, saddle_matrix_entries(B));
    assert_memory_equal(A->start, B->start, (size_t)(A->cols + 1) * sizeof *A->start);
    if (entries == 0) return;
    assert_memory_equal(A->index, B->index, (size_t)entries * sizeof *A->index);
    assert_memory_equal(A->value, B->value, (size_t)entries * sizeof *A->value);
}

/* An assembly that has seen many states and stages gives the bits of a fresh one. */
static void values_only_update_equals_full_assembly(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(2000); draw++) {
        scene s;
        saddle_assembly_options options = saddle_assembly_options_default();
        options.gyroscopic_jacobian = (int)test_integer(&state, 0, 1);
        scene_begin(&state, (drawn_wishes){0}, &options, &s);
        saddle_stage stage = draw_stage(&state);
        stage.stiffness = 0.3; /* the fresh one's first stage then asks for the same pattern */
        double v[TWIN_N];
        for (int step = 0; step < 3; step++) {
            scene_update(&s, &stage);
            if (step == 1 && s.twin.m > 0) (void)saddle_assembly_accelerations(s.assembly);
            for (int64_t i = 0; i < s.twin.n; i++) v[i] = test_uniform(&state, -1, 1);
            saddle_assembly_set_velocity(s.assembly, v);
            saddle_assembly_move(s.assembly, 0.1, v, (saddle_rotation_update)(step % 3));
            stage.damping = test_uniform(&state, 0, 1);
            stage.time_step = test_uniform(&state, 0.1, 1);
        }
        saddle_assembly *fresh;
        assert_int_equal(saddle_assembly_create(s.drawn.model, &options, &fresh), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(fresh, &stage, NULL, NULL), SADDLE_OK);
        scene_update(&s, &stage);
        const saddle_problem *p = saddle_assembly_problem(s.assembly),
                             *q = saddle_assembly_problem(fresh);
        assert_same_matrix(&p->M, &q->M);
        assert_same_matrix(&p->Jt, &q->Jt);
        assert_same_matrix(&p->R, &q->R);
        assert_memory_equal(p->f, q->f, (size_t)p->n * sizeof *p->f);
        if (p->m > 0) assert_memory_equal(p->b, q->b, (size_t)p->m * sizeof *p->b);
        saddle_assembly_free(fresh);
        scene_end(&s);
    }
}

/* ---- the largest ---- */

/* J and K whose every entry is known: 1000 row + 10 anchor + component, and -1000 - 10 a - b
 * between anchors. */
static saddle_status large_row(saddle_context *context, const saddle_site *site,
                               saddle_constraint_values *values)
{
    (void)context;
    for (int64_t k = 0; k < site->count; k++) {
        for (int64_t e = 0; e < 32 * site->size[k]; e++) {
            values->J[k][e] = (double)(1000 * (e / site->size[k]) + 10 * k + e % site->size[k]);
        }
    }
    return SADDLE_OK;
}

static saddle_status large_stiffness(saddle_context *context, const saddle_site *site,
                                     const double *force, double *const *K)
{
    (void)context, (void)force;
    for (int64_t a = 0; a < site->count; a++) {
        for (int64_t b = 0; b < site->count; b++)
            K[a * site->count + b][0] = -1000.0 * (double)(a + b) - 1000;
    }
    return SADDLE_OK;
}

static void the_largest_constraint_is_taken(void **unused)
{
    (void)unused;
    static const saddle_constraint_type type = {.name = "large",
                                                .evaluate = large_row,
                                                .stiffness = large_stiffness};
    saddle_model *model;
    saddle_assembly *assembly;
    saddle_anchor anchor[SADDLE_ANCHORS_MAX];
    saddle_handle constraint;
    const double size[1] = {0.5};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    for (int k = 0; k < SADDLE_ANCHORS_MAX; k++) { /* the last body comes first among the anchors */
        saddle_body_def def = saddle_body_def_default();
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, size, 1,
                                                     &def.inertia),
                         SADDLE_OK);
        anchor[SADDLE_ANCHORS_MAX - 1 - k].node = 0;
        assert_int_equal(saddle_model_add_body(model, &def,
                                               &anchor[SADDLE_ANCHORS_MAX - 1 - k].part),
                         SADDLE_OK);
    }
    const saddle_constraint_def def = {.type = &type,
                                       .count = SADDLE_ANCHORS_MAX,
                                       .anchors = anchor,
                                       .rows = SADDLE_CONSTRAINT_ROWS_MAX};
    assert_int_equal(saddle_model_add_constraint(model, &def, &constraint), SADDLE_OK);
    saddle_assembly_options options = saddle_assembly_options_default();
    options.geometric_stiffness = 1;
    saddle_stage stage = explicit_stage;
    stage.stiffness = 1;
    assert_int_equal(saddle_assembly_create(model, &options, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_update(assembly, &stage, NULL, NULL), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(assembly);
    assert_true(p->n == 6 * SADDLE_ANCHORS_MAX && p->m == SADDLE_CONSTRAINT_ROWS_MAX);
    for (int64_t i = 0; i < p->m; i++) {
        for (int64_t e = p->Jt.start[i]; e < p->Jt.start[i + 1]; e++) {
            const int64_t j = p->Jt.index[e], k = SADDLE_ANCHORS_MAX - 1 - j / 6;
            assert_true(p->Jt.value[e] == (double)(1000 * i + 10 * k + j % 6));
        }
    }
    assert_true(saddle_matrix_entry(&p->M, 6, 0) == 1000.0 * 125 + 1000); /* anchors 62 and 63 */
    assert_true(saddle_matrix_entry(&p->M, 6 * 63, 0) == 1000.0 * 63 + 1000);
    saddle_assembly_free(assembly);
    saddle_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_that_of_the_kinetic_energy),
        cmocka_unit_test(rows_are_the_derivatives_of_what_is_held),
        cmocka_unit_test(forces_are_those_of_the_potential_and_what_damps),
        cmocka_unit_test(rows_follow_their_purpose),
        cmocka_unit_test(the_largest_constraint_is_taken),
        cmocka_unit_test(values_only_update_equals_full_assembly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
