/* SPDX-License-Identifier: MIT */
/* Systems of drawn models against their twins: every number of M, J, R, f, b and the bounds found another way. */
#include <math.h>
#include <string.h>

#include "system_twin.h"

typedef struct scene { /* a drawn model and its assembly */
    saddle_context *context;
    drawn_model drawn;
    saddle_assembly *assembly;
    system_twin twin;
} scene;

static void begin(uint64_t *state, drawn_wishes wishes, const saddle_assembly_options *options, scene *s)
{
    assert_int_equal(saddle_context_create(NULL, &s->context), SADDLE_OK);
    draw_model(s->context, state, wishes, &s->drawn);
    assert_int_equal(saddle_assembly_create(s->drawn.model, options, &s->assembly), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(s->assembly);
    s->twin = (system_twin){&s->drawn, s->assembly, p->n, p->m};
    assert_true(p->n <= TWIN_N && p->m <= TWIN_M);
}

static void end(scene *s)
{
    saddle_assembly_free(s->assembly);
    drawn_clear(&s->drawn);
    saddle_context_free(s->context);
}

static void update(const scene *s, const saddle_stage *stage)
{
    int grown;
    const saddle_status status = saddle_assembly_update(s->assembly, stage, NULL, &grown);
    if (status != SADDLE_OK) fail_msg("%s", saddle_context_message(s->context));
    assert_int_equal(saddle_problem_check(s->context, saddle_assembly_problem(s->assembly), NULL, NULL), SADDLE_OK);
}

static saddle_stage draw_stage(uint64_t *state)
{
    saddle_stage stage = {.time_step = test_uniform(state, 0.1, 1), .row_step = test_uniform(state, 0.1, 1)};
    stage.theta = test_uniform(state, 0.1, 1);
    stage.gyroscopic = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.carried = test_uniform(state, 0, 0.9);
    if (test_integer(state, 0, 1)) stage.damping = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.stiffness = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.velocity_force = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) stage.curvature = test_uniform(state, 0, 1);
    stage.keep_errors = (int)test_integer(state, 0, 1);
    return stage;
}

static const saddle_stage explicit_stage = {.time_step = 1, .row_step = 1, .theta = 1};

/* max |a - b| over max(1, |a|) */
static void assert_near(const double *a, const double *b, int64_t count, double tolerance, const char *what)
{
    const double distance = test_distance(a, b, count);
    if (!(distance <= tolerance)) fail_msg("%s differs by %g", what, distance);
}

/* max |a - b| is within bound: where terms cancel, of their size. */
static void assert_within(const double *a, const double *b, int64_t count, double bound, const char *what)
{
    for (int64_t i = 0; i < count; i++) {
        if (!(fabs(a[i] - b[i]) <= bound)) fail_msg("%s differs by %g, allowed %g", what, a[i] - b[i], bound);
    }
}

/* ---- M, J, f ------------------------------------------------------------------------------------------------------ */

static void mass_is_that_of_the_kinetic_energy(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 500; draw++) {
        scene s;
        double M[TWIN_N * TWIN_N], twin[TWIN_N * TWIN_N];
        begin(&state, (drawn_wishes){0}, NULL, &s);
        update(&s, &explicit_stage);
        twin_dense(&saddle_assembly_problem(s.assembly)->M, M);
        twin_mass(&s.twin, twin);
        assert_near(M, twin, s.twin.n * s.twin.n, 1e-12, "M");
        end(&s);
    }
}

static void rows_are_the_derivatives_of_what_is_held(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 1000; draw++) {
        scene s;
        double Jt[TWIN_N * TWIN_M], J[TWIN_M * TWIN_N], given[TWIN_M], phi_t[TWIN_M], phi[TWIN_M];
        begin(&state, (drawn_wishes){0}, NULL, &s);
        update(&s, &explicit_stage);
        twin_dense(&saddle_assembly_problem(s.assembly)->Jt, Jt); /* by columns, which are J's rows */
        twin_rows(&s.twin, J, given, phi_t);
        twin_phi(&s.twin, phi);
        assert_near(Jt, J, s.twin.n * s.twin.m, 1e-8, "J");
        assert_near(saddle_assembly_phi(s.assembly), phi, s.twin.m, 1e-14, "phi");
        end(&s);
    }
}

static void forces_are_those_of_the_potential_and_what_damps(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 300; draw++) {
        scene s;
        double F[TWIN_N], G[TWIN_N], Mv[TWIN_N], v[TWIN_N], M[TWIN_N * TWIN_N];
        begin(&state, (drawn_wishes){0}, NULL, &s);
        saddle_stage stage = explicit_stage;
        stage.time_step = 0.25;
        stage.gyroscopic = 2;
        update(&s, &stage);
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
        end(&s);
    }
}

/* ---- Mhat --------------------------------------------------------------------------------------------------------- */

/* The assembly's forces, proven above. */
static void force_now(const system_twin *twin, double *value)
{
    assert_int_equal(saddle_assembly_update(twin->assembly, &explicit_stage, NULL, NULL), SADDLE_OK);
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
    assert_int_equal(saddle_assembly_update(twin->assembly, &explicit_stage, NULL, NULL), SADDLE_OK);
    memset(value, 0, (size_t)twin->n * sizeof *value);
    for (int64_t j = 0; j < twin->m; j++) {
        for (int64_t e = Jt->start[j]; e < Jt->start[j + 1]; e++) value[Jt->index[e]] += Jt->value[e] * kept[j];
    }
}

static void add_symmetric_part(int64_t n, int symmetric, const double *A, double *sum)
{
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < n; j++) sum[i + n * j] += symmetric ? (A[i + n * j] + A[j + n * i]) / 2 : A[i + n * j];
    }
}

/* K and D as the options take them in; general: whether M is. */
static void taken_in(scene *s, const saddle_assembly_options *options, int general, double *K, double *D)
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
        saddle_assembly_move(s->assembly, side ? -1e-5 : 1e-5, still, SADDLE_UPDATE_EXPONENTIAL);
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
    begin(state, wishes, &options, &s);
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
    update(&s, &stage);
    taken_in(&s, &options, p->M.symmetry == SADDLE_GENERAL, K, D);
    if (!options.symmetric_stiffness) given_force_rate(&s, given);
    twin_force(&s.twin, F);
    twin_gyroscopic(&s.twin, G);
    twin_mass(&s.twin, M);
    update(&s, &stage);
    double size = 1;
    twin_dense(&p->M, Mhat);
    saddle_assembly_get_velocity(s.assembly, v);
    for (int64_t i = 0; i < n; i++) {
        f[i] = stage.time_step * F[i] + stage.gyroscopic * G[i] + stage.velocity_force * given[i];
        for (int64_t j = 0; j < n; j++) {
            const int64_t e = i + n * j;
            M[e] -= stage.damping * D[e] + stage.stiffness * K[e];
            f[i] += (M[e] + stage.velocity_force * K[e]) * v[j];
            size = fmax(size, fabs(F[i]) + (double)n * (fabs(M[e]) + fabs(K[e]) + fabs(D[e])) * fabs(v[j]));
        }
    }
    assert_near(Mhat, M, n * n, 1e-6, "Mhat");
    if (!options.symmetric_stiffness && !options.geometric_stiffness) assert_within(p->f, f, n, 1e-6 * size, "f");
    end(&s);
}

static void mhat_holds_the_derivatives_of_the_forces(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 150; draw++) check_implicit(&state, (drawn_wishes){0});
    for (int draw = 0; draw < 50; draw++) check_implicit(&state, (drawn_wishes){.only_points = 1});
    for (int draw = 0; draw < 50; draw++) check_implicit(&state, (drawn_wishes){.no_prescribed = 1});
}

/* ---- b, R, bounds ------------------------------------------------------------------------------------------------- */

typedef struct expected_row {
    double R, b, lo, hi;
} expected_row;

static expected_row expect(const saddle_stage *stage, const saddle_row_def *def, double phi, double moving, double given,
                           double phi_t, double drift)
{
    const double h = stage->row_step, T = stage->theta * h + def->compliance.beta + def->compliance.steps * h;
    const double rate = moving + given + phi_t, c = stage->carried;
    expected_row row = {def->compliance.alpha / (stage->time_step * T), 0, -INFINITY, INFINITY};
    if (isfinite(def->strength) && def->purpose != SADDLE_LIMIT) {
        row.lo = -def->strength * stage->time_step;
        row.hi = def->strength * stage->time_step;
    }
    if (def->purpose == SADDLE_DRIVE) return (expected_row){0, def->target - phi_t - given, row.lo, row.hi};
    if (def->purpose == SADDLE_HOLD) {
        const int keeps = stage->keep_errors && def->compliance.alpha == 0 && isinf(def->strength);
        const int is_hard = def->compliance.alpha == 0 && isinf(def->strength);
        row.b = ((keeps ? 0 : -phi / T) - phi_t - given - c * moving) / (1 - c) - (is_hard ? stage->curvature * drift : 0);
        row.R /= 1 - c;
        return row;
    }
    if (def->purpose == SADDLE_IMPACT) {
        const int touches = phi + h / 2 * rate <= 0;
        return (expected_row){touches ? 0 : 1, touches ? -def->restitution * rate - phi_t - given : -1, 0, INFINITY};
    }
    const double wanted = phi < 0 ? -phi / T : -phi / h, plain = wanted - phi_t - given;
    const double carried = (plain - c * moving) / (1 - c);
    row.lo = 0;
    row.b = plain < carried ? plain : carried;
    if (carried < plain) row.R /= 1 - c;
    if (def->restitution > 0 && rate < 0 && phi + h * rate <= 0 && -def->restitution * rate > wanted) {
        row.b = -def->restitution * rate - phi_t - given;
        row.R = def->compliance.alpha / (stage->time_step * T);
    }
    return row;
}

static void rows_follow_their_purpose(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 1000; draw++) {
        scene s;
        double J[TWIN_M * TWIN_N], given[TWIN_M], phi_t[TWIN_M], phi[TWIN_M], v[TWIN_N], b[TWIN_M], R[TWIN_M];
        begin(&state, (drawn_wishes){.with_impacts = 1}, NULL, &s);
        const saddle_stage stage = draw_stage(&state);
        twin_rows(&s.twin, J, given, phi_t);
        twin_phi(&s.twin, phi);
        update(&s, &stage);
        const saddle_problem *p = saddle_assembly_problem(s.assembly);
        saddle_assembly_get_velocity(s.assembly, v);
        for (int64_t k = 0, row = 0; k < s.drawn.constraints; k++) {
            const int64_t rows = saddle_model_constraint_rows(s.drawn.model, s.drawn.constraint[k]);
            assert_int_equal(saddle_assembly_row(s.assembly, s.drawn.constraint[k]), row);
            double drift[DRAWN_ROWS];
            const saddle_handle handle = s.drawn.constraint[k];
            assert_int_equal(saddle_model_constraint_evaluate(s.drawn.model, handle, NULL, NULL, drift), SADDLE_OK);
            for (int64_t i = 0; i < rows; i++, row++) {
                double moving = 0;
                for (int64_t j = 0; j < p->n; j++) moving += J[row * p->n + j] * v[j];
                const saddle_row_def *def = saddle_model_constraint_row(s.drawn.model, s.drawn.constraint[k], i);
                const expected_row expected = expect(&stage, def, phi[row], moving, given[row], phi_t[row], drift[i]);
                b[row] = expected.b;
                R[row] = saddle_matrix_entry(&p->R, row, row) - expected.R;
                const int is_out = def->purpose == SADDLE_IMPACT && expected.R == 1;
                for (int64_t e = p->Jt.start[row]; is_out && e < p->Jt.start[row + 1]; e++) assert_true(p->Jt.value[e] == 0);
                if (isfinite(expected.lo)) assert_near(&p->lo[row], &expected.lo, 1, 1e-14, "lo");
                else assert_true(p->lo[row] == expected.lo);
                if (isfinite(expected.hi)) assert_near(&p->hi[row], &expected.hi, 1, 1e-14, "hi");
                else assert_true(p->hi[row] == expected.hi);
                if (!(fabs(R[row]) <= 1e-12 * (1 + expected.R))) fail_msg("R is off by %g", R[row]);
            }
        }
        assert_near(p->b, b, p->m, 1e-6, "b");
        end(&s);
    }
}

/* ---- values only -------------------------------------------------------------------------------------------------- */

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
    for (int draw = 0; draw < 2000; draw++) {
        scene s;
        saddle_assembly_options options = saddle_assembly_options_default();
        options.gyroscopic_jacobian = (int)test_integer(&state, 0, 1);
        begin(&state, (drawn_wishes){0}, &options, &s);
        saddle_stage stage = draw_stage(&state);
        stage.stiffness = 0.3; /* the fresh one's first stage then asks for the same pattern */
        double v[TWIN_N];
        for (int step = 0; step < 3; step++) {
            update(&s, &stage);
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
        update(&s, &stage);
        const saddle_problem *p = saddle_assembly_problem(s.assembly), *q = saddle_assembly_problem(fresh);
        assert_same_matrix(&p->M, &q->M);
        assert_same_matrix(&p->Jt, &q->Jt);
        assert_same_matrix(&p->R, &q->R);
        assert_memory_equal(p->f, q->f, (size_t)p->n * sizeof *p->f);
        if (p->m > 0) assert_memory_equal(p->b, q->b, (size_t)p->m * sizeof *p->b);
        saddle_assembly_free(fresh);
        end(&s);
    }
}

/* ---- accelerations ------------------------------------------------------------------------------------------------ */

/* f = F + G + J'F of soft rows; the rows of those say lambda = F and nothing else. */
static void check_forces(scene *s, const saddle_problem *p, const double *F, const double *G)
{
    double J[TWIN_M * TWIN_N], given[TWIN_M], phi_t[TWIN_M], f[TWIN_N];
    twin_rows(&s->twin, J, given, phi_t);
    double size = 1;
    for (int64_t j = 0; j < p->n; j++) {
        f[j] = F[j] + G[j];
        size = fmax(size, fabs(f[j]));
    }
    for (int64_t k = 0, row = 0; k < s->drawn.constraints; k++) {
        for (int64_t i = 0; i < saddle_model_constraint_rows(s->drawn.model, s->drawn.constraint[k]); i++, row++) {
            if (saddle_model_constraint_row(s->drawn.model, s->drawn.constraint[k], i)->compliance.alpha == 0) continue;
            for (int64_t j = 0; j < p->n; j++) f[j] += J[row * p->n + j] * p->b[row];
            size += fabs(p->b[row]);
            assert_true(saddle_matrix_entry(&p->R, row, row) == 1);
            for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++) assert_true(p->Jt.value[e] == 0);
        }
    }
    assert_within(p->f, f, p->n, 1e-7 * size, "f");
}

/* J a + drift = d2phi/dt2 along q(t) with a = dv/dt; M a - J'F = f with the gyroscopic forces. */
static void accelerations_hold_what_is_held(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t solved = 0;
    for (int draw = 0; draw < 300; draw++) {
        scene s;
        begin(&state, (drawn_wishes){.only_hold = 1}, NULL, &s);
        assert_int_equal(saddle_assembly_accelerations(s.assembly), SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(s.assembly);
        double F[TWIN_N], G[TWIN_N], M[TWIN_N * TWIN_N], dense[TWIN_N * TWIN_N];
        twin_force(&s.twin, F);
        twin_gyroscopic(&s.twin, G);
        twin_mass(&s.twin, M);
        twin_dense(&p->M, dense);
        assert_near(dense, M, p->n * p->n, 1e-12, "M");
        saddle_solution solution = {0};
        check_forces(&s, p, F, G);
        if (saddle_solve(s.context, p, "ldlt", NULL, NULL, &solution, NULL) == SADDLE_OK) {
            double v[TWIN_N], phi[3][TWIN_M];
            const double h = 1e-4;
            saddle_assembly_get_velocity(s.assembly, v);
            drawn_state before;
            drawn_keep(&s.drawn, &before);
            for (int k = 0; k < 3; k++) { /* phi(q exp(t v + t^2 a/2)), t = -h, 0, h */
                const double t = (k - 1) * h;
                double along[TWIN_N];
                for (int64_t i = 0; i < p->n; i++) along[i] = v[i] + t / 2 * solution.v[i];
                saddle_assembly_move(s.assembly, t, along, SADDLE_UPDATE_EXPONENTIAL);
                saddle_model_set_time(s.drawn.model, before.time + t);
                twin_phi(&s.twin, phi[k]);
                drawn_restore(&s.drawn, &before);
            }
            for (int64_t k = 0, row = 0; k < s.drawn.constraints; k++) {
                for (int64_t i = 0; i < saddle_model_constraint_rows(s.drawn.model, s.drawn.constraint[k]); i++, row++) {
                    const saddle_row_def *def = saddle_model_constraint_row(s.drawn.model, s.drawn.constraint[k], i);
                    const double second = (phi[0][row] - 2 * phi[1][row] + phi[2][row]) / (h * h);
                    const double rate = (phi[2][row] - phi[0][row]) / (2 * h);
                    double size = 1;
                    for (int64_t j = 0; j < p->n; j++) size += fabs(solution.v[j]) + v[j] * v[j];
                    if (size > 1e3) continue; /* differences say nothing of such accelerations */
                    const saddle_compliance *soft = &def->compliance;
                    const double spring = soft->alpha * solution.lambda[row] + phi[1][row] + soft->beta * rate;
                    if (soft->alpha == 0 && !(fabs(second) <= 1e-4 * size)) fail_msg("held to %g", second);
                    if (soft->alpha > 0 && !(fabs(spring) <= 1e-6 * size)) fail_msg("a soft row is off by %g", spring);
                    solved++;
                }
            }
        }
        saddle_solution_clear(&solution);
        end(&s);
    }
    assert_true(solved > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_that_of_the_kinetic_energy),
        cmocka_unit_test(rows_are_the_derivatives_of_what_is_held),
        cmocka_unit_test(forces_are_those_of_the_potential_and_what_damps),
        cmocka_unit_test(mhat_holds_the_derivatives_of_the_forces),
        cmocka_unit_test(rows_follow_their_purpose),
        cmocka_unit_test(values_only_update_equals_full_assembly),
        cmocka_unit_test(accelerations_hold_what_is_held),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
