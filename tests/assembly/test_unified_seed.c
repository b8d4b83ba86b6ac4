/* SPDX-License-Identifier: MIT */
/* Seed 001's one form for joints, contacts, limits and motors,
 *
 *     A λ + b >= 0,  λ_low <= λ <= λ_high
 *     A = J M⁻¹J',   b = J (u + Δt M⁻¹f_ext) - b_error,   u+ = u + M⁻¹(Δt f_ext + J'λ)
 *
 * of its own Jacobians (ball, hinge, slider, slider's limit, motor, contact), written down dense,
 * against what the assembly makes of the same bodies: the same velocities after a step.  Frames at
 * the centres, axes the world's. */
#include <math.h>
#include <string.h>

#include "space/space.h"
#include "support.h"

enum { BODIES = 3, N = 6 * BODIES, ROWS_MOST = 16 };

typedef struct seed_rows { /* 12 numbers of each: linear, angular of i; of j */
    int64_t m;
    double J[ROWS_MOST][N], error[ROWS_MOST], lo[ROWS_MOST], hi[ROWS_MOST];
} seed_rows;

typedef struct bench {
    saddle_model *model;
    saddle_handle body[BODIES];
    double mass[BODIES], moment[BODIES], center[BODIES][3], u[N], push[N];
    saddle_contact_list contacts;
    seed_rows rows;
} bench;

static const double dt = 0.01;

/* Lengths 1, and two directions normal to s and to each other. */
static void draw_axes(uint64_t *state, double *s, double *t1, double *t2)
{
    double other[3], l = 0;
    for (int i = 0; i < 3; i++) {
        s[i] = test_uniform(state, -1, 1);
        other[i] = test_uniform(state, -1, 1);
    }
    l = sqrt(saddle__dot(s, s));
    for (int i = 0; i < 3; i++) s[i] /= l;
    saddle__cross(s, other, t1);
    l = sqrt(saddle__dot(t1, t1));
    for (int i = 0; i < 3; i++) t1[i] /= l;
    saddle__cross(s, t1, t2);
}

/* A row of linear and angular parts; i or j -1: the ground. */
static void add_row(seed_rows *rows, int i, int j, const double *parts, double error, double lo,
                    double hi)
{
    assert_true(rows->m < ROWS_MOST);
    double *J = rows->J[rows->m];
    for (int k = 0; k < 6; k++) {
        if (i >= 0) J[6 * i + k] = parts[k];
        if (j >= 0) J[6 * j + k] = parts[6 + k];
    }
    rows->error[rows->m] = error;
    rows->lo[rows->m] = lo;
    rows->hi[rows->m++] = hi;
}

/* (d', (r_i x d)', -d', -(r_j x d)'): the point's velocity along d on i, less that on j. */
static void point_parts(const bench *all, int i, int j, const double *point, const double *d,
                        double *parts)
{
    const double zero[3] = {0};
    double r_i[3], r_j[3];
    for (int k = 0; k < 3; k++) {
        r_i[k] = point[k] - (i >= 0 ? all->center[i] : zero)[k];
        r_j[k] = point[k] - (j >= 0 ? all->center[j] : zero)[k];
        parts[k] = d[k];
        parts[6 + k] = -d[k];
    }
    saddle__cross(r_i, d, parts + 3);
    saddle__cross(r_j, d, parts + 9);
    for (int k = 9; k < 12; k++) parts[k] = -parts[k];
}

static void add_ball(bench *all, int i, int j, const double *point)
{
    for (int k = 0; k < 3; k++) {
        const double d[3] = {k == 0, k == 1, k == 2};
        double parts[12];
        point_parts(all, i, j, point, d, parts);
        add_row(&all->rows, i, j, parts, 0, -INFINITY, INFINITY);
    }
}

static void add_turn(bench *all, int i, int j, const double *t, double sign, double error,
                     double most)
{
    double parts[12] = {0};
    for (int k = 0; k < 3; k++) {
        parts[3 + k] = sign * t[k];
        parts[9 + k] = -sign * t[k];
    }
    add_row(&all->rows, i, j, parts, error, -most, most);
}

/* (t', ½(c x t)', -t', ½(c x t)'), c = r_j - r_i; sign -1 for the limit. */
static void add_slide(bench *all, int i, int j, const double *t, double sign, double error,
                      double lo)
{
    double c[3], moment[3], parts[12];
    for (int k = 0; k < 3; k++) c[k] = all->center[j][k] - all->center[i][k];
    saddle__cross(c, t, moment);
    for (int k = 0; k < 3; k++) {
        parts[k] = sign * t[k];
        parts[6 + k] = -sign * t[k];
        parts[3 + k] = parts[9 + k] = sign * moment[k] / 2;
    }
    add_row(&all->rows, i, j, parts, error, lo, INFINITY);
}

static saddle_joint_def joint_at(const bench *all, saddle_joint_kind kind, saddle_handle a,
                                 saddle_handle b, const double *point, const double *axis)
{
    saddle_joint_def def = saddle_joint_def_default();
    saddle_pose place;
    def.kind = kind;
    def.a = a;
    def.b = b;
    assert_int_equal(saddle_pose_along(NULL, point, axis, &place), SADDLE_OK);
    assert_int_equal(saddle_joint_def_at(all->model, &place, &def), SADDLE_OK);
    return def;
}

static void draw_bodies(uint64_t *state, bench *all)
{
    memset(all, 0, sizeof *all);
    assert_int_equal(saddle_model_create(NULL, &all->model), SADDLE_OK);
    for (int k = 0; k < BODIES; k++) {
        saddle_body_def def = saddle_body_def_default();
        const double radius[1] = {test_uniform(state, 0.3, 1)};
        all->mass[k] = test_uniform(state, 0.5, 2);
        all->moment[k] = 0.4 * all->mass[k] * radius[0] * radius[0];
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, radius,
                                                     all->mass[k], &def.inertia),
                         SADDLE_OK);
        for (int i = 0; i < 3; i++) all->center[k][i] = def.pose.p[i] = test_uniform(state, -1, 1);
        for (int i = 0; i < 6; i++) {
            all->u[6 * k + i] = def.twist[i] = test_uniform(state, -1, 1);
            all->push[6 * k + i] = test_uniform(state, -5, 5);
        }
        assert_int_equal(saddle_model_add_body(all->model, &def, &all->body[k]), SADDLE_OK);
        assert_int_equal(saddle_model_push(all->model, all->body[k], all->push + 6 * k), SADDLE_OK);
    }
}

/* A ball to the ground, a hinge with a motor, a slider below its limit, a contact between the last
 * and the first. */
static void draw_bench(uint64_t *state, bench *all)
{
    double point[3], s[3], t1[3], t2[3], parts[12];
    saddle_handle joint;
    const saddle_handle ground = {0};
    draw_bodies(state, all);
    for (int i = 0; i < 3; i++) point[i] = test_uniform(state, -1, 1);
    draw_axes(state, s, t1, t2);
    saddle_joint_def def = joint_at(all, SADDLE_JOINT_BALL, ground, all->body[0], point, s);
    assert_int_equal(saddle_model_add_joint(all->model, &def, &joint), SADDLE_OK);
    add_ball(all, 0, -1, point);

    for (int i = 0; i < 3; i++) point[i] = test_uniform(state, -1, 1);
    draw_axes(state, s, t1, t2);
    def = joint_at(all, SADDLE_JOINT_HINGE, all->body[0], all->body[1], point, s);
    def.free[0].motor = 1;
    def.free[0].motor_target = test_uniform(state, -2, 2);
    def.free[0].motor_strength = test_uniform(state, 1, 100);
    assert_int_equal(saddle_model_add_joint(all->model, &def, &joint), SADDLE_OK);
    add_ball(all, 0, 1, point);
    add_turn(all, 0, 1, t1, 1, 0, INFINITY);
    add_turn(all, 0, 1, t2, 1, 0, INFINITY);
    add_turn(all, 0, 1, s, -1, def.free[0].motor_target, dt * def.free[0].motor_strength);

    draw_axes(state, s, t1, t2);
    def = joint_at(all, SADDLE_JOINT_SLIDER, all->body[1], all->body[2], all->center[1], s);
    def.free[0].lo = test_uniform(state, 0.001, 0.01); /* it stands at 0 */
    assert_int_equal(saddle_model_add_joint(all->model, &def, &joint), SADDLE_OK);
    for (int k = 0; k < 3; k++) {
        const double axis[3] = {k == 0, k == 1, k == 2};
        add_turn(all, 1, 2, axis, 1, 0, INFINITY);
    }
    add_slide(all, 1, 2, t1, 1, 0, -INFINITY);
    add_slide(all, 1, 2, t2, 1, 0, -INFINITY);
    add_slide(all, 1, 2, s, -1, def.free[0].lo / dt, 0);

    saddle_contact_point *contact;
    assert_int_equal(saddle_contact_list_add(&all->contacts, &contact), SADDLE_OK);
    *contact = (saddle_contact_point){.id = 1, .gap = test_uniform(state, 0, 0.01)};
    draw_axes(state, contact->normal, t1, t2);
    for (int i = 0; i < 3; i++)
        contact->a.point[i] = contact->b.point[i] = test_uniform(state, -1, 1);
    contact->a.part = all->body[2];
    contact->b.part = all->body[0];
    point_parts(all, 0, 2, contact->a.point, contact->normal, parts);
    add_row(&all->rows, 0, 2, parts, -contact->gap / dt, 0, INFINITY);
}

/* u + Δt M⁻¹f_ext; twists are in axes that turn: -ω x ν besides (spheres: ω x I ω = 0). */
static void free_velocity(const bench *all, double *v)
{
    for (int k = 0; k < BODIES; k++) {
        double axes[3];
        saddle__cross(all->u + 6 * k, all->u + 6 * k + 3, axes);
        for (int i = 0; i < 3; i++) {
            v[6 * k + i] = all->u[6 * k + i] + dt * (all->push[6 * k + i] / all->mass[k] + axes[i]);
            v[6 * k + 3 + i] = all->u[6 * k + 3 + i] +
                               dt * all->push[6 * k + 3 + i] / all->moment[k];
        }
    }
}

/* The seed's problem, n = 0, by lemke: λ, and u+ to v. */
static void solve_seed(const bench *all, double *v)
{
    const seed_rows *rows = &all->rows;
    int64_t row[ROWS_MOST * ROWS_MOST], col[ROWS_MOST * ROWS_MOST], count = 0;
    double value[ROWS_MOST * ROWS_MOST] = {0}, minus_b[ROWS_MOST], lo[ROWS_MOST], hi[ROWS_MOST];
    saddle_solution solution = {0};
    free_velocity(all, v);
    for (int64_t i = 0; i < rows->m; i++) {
        minus_b[i] = rows->error[i];
        for (int k = 0; k < N; k++) minus_b[i] -= rows->J[i][k] * v[k];
        for (int64_t j = 0; j <= i; j++, count++) {
            row[count] = i;
            col[count] = j;
            for (int k = 0; k < N; k++) {
                const double inertia = k % 6 < 3 ? all->mass[k / 6] : all->moment[k / 6];
                value[count] += rows->J[i][k] * rows->J[j][k] / inertia;
            }
        }
        lo[i] = rows->lo[i];
        hi[i] = rows->hi[i];
    }
    saddle_problem problem = {.m = rows->m, .b = minus_b, .lo = lo, .hi = hi};
    assert_int_equal(saddle_matrix_create(NULL, 0, rows->m, 0, SADDLE_SYMMETRY_NONE, &problem.Jt),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows->m, rows->m, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &problem.R),
                     SADDLE_OK);
    assert_int_equal(saddle_solve(NULL, &problem, "lemke", NULL, NULL, &solution, NULL), SADDLE_OK);
    for (int64_t i = 0; i < rows->m; i++) {
        for (int k = 0; k < N; k++) {
            v[k] += rows->J[i][k] * solution.lambda[i] /
                    (k % 6 < 3 ? all->mass[k / 6] : all->moment[k / 6]);
        }
    }
    saddle_matrix_clear(&problem.R);
    saddle_matrix_clear(&problem.Jt);
    saddle_solution_clear(&solution);
}

/* The seed's form knows A = J M^-1 J' to rounding, u |A|, and so A lambda to u |A||lambda|, of
 * which u+ takes no more than that over the root of A's least eigenvalue, about |b|/|lambda|: rows
 * that nearly depend on each other have impulses of 1e7. */
static double known_to(const saddle_problem *p, const saddle_solution *solution)
{
    double largest = 0.0;
    for (int64_t i = 0; i < p->m; i++) largest = fmax(largest, fabs(solution->lambda[i]));
    return 1e-7 + 1e-15 * largest * sqrt(largest);
}

static void joints_contacts_limits_and_motors_are_one_problem(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const saddle_stage stage = {.time_step = dt, .gyroscopic = dt, .row_step = dt, .theta = 1};
    int slips = 0, parted = 0;
    for (int draw = 0; draw < 300; draw++) {
        bench all;
        saddle_assembly *assembly;
        saddle_solution solution = {0};
        double v[N];
        draw_bench(&state, &all);
        assert_int_equal(all.rows.m, 16);
        solve_seed(&all, v);
        assert_int_equal(saddle_assembly_create(all.model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &stage, &all.contacts, NULL), SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(assembly);
        assert_int_equal(saddle_solve(NULL, p, NULL, NULL, NULL, &solution, NULL), SADDLE_OK);
        for (int k = 0; k < BODIES; k++) {
            const double *found = solution.v + saddle_assembly_column(assembly, all.body[k]);
            assert_true(test_distance(found, v + 6 * k, 6) < known_to(p, &solution));
        }
        const int64_t normal = saddle_assembly_contact_row(assembly, 1);
        parted += solution.lambda[normal] == 0;
        for (int64_t i = 0; i < p->m; i++) {
            const saddle_row_kind kind = saddle_problem_bound_kind(p, i);
            if (kind == SADDLE_ROW_BOX && p->hi[i] > p->lo[i])
                slips += fabs(solution.lambda[i]) == p->hi[i];
        }
        saddle_solution_clear(&solution);
        saddle_assembly_free(assembly);
        saddle_contact_list_clear(&all.contacts);
        saddle_model_free(all.model);
    }
    assert_true(slips > 10 && slips < 290 && parted > 30 && parted < 270); /* all sorts of states */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_contacts_limits_and_motors_are_one_problem)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
