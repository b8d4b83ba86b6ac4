/* SPDX-License-Identifier: MIT */
/* Bearings against a direct solve of the same friction: no joint rows, every contact point of
 * saddle/bearing.h a pair of contacts back to back, with an elastic normal and its tangents.
 *
 *     alpha = alpha+ - alpha-,  |beta| <= mu alpha+ for one tangent, mu alpha- for the other
 *
 * The elasticity epsilon of the normals selects the least alpha as epsilon -> 0. */
#include <math.h>
#include <string.h>

#include "bearing_points.h"
#include "drawn_parts.h"
#include "motion.h"
#include "space/space.h"

enum { JOINTS = 2, CONTACTS_MAX = 512, ROWS_MAX = 3 * CONTACTS_MAX, N = 6 * JOINTS };

static const double softness = 1e-7; /* of a normal [1/kg] */

typedef struct explicit_system {
    int64_t contacts, rows;
    double J[ROWS_MAX][N];
    int normal[ROWS_MAX];
    saddle_contact contact[CONTACTS_MAX];
} explicit_system;

/* A joint's frames in the world. */
typedef struct placed_joint {
    saddle_joint_def def;
    saddle_pose body[2]; /* a, b */
    int column[2];       /* -1 = the ground */
    saddle_pose frame_a, frame_b;
} placed_joint;

/* The row of a force f at x, in the axes and about the origin of saddle/bearing.h. */
static void add_row(explicit_system *s, const placed_joint *at, const double *x, const double *f,
                    double sign, int normal)
{
    double force[3], arm[3];
    double *row = s->J[s->rows];
    memset(row, 0, sizeof s->J[0]);
    saddle__rotate(at->frame_a.R, f, force);
    saddle__rotate(at->frame_a.R, x, arm);
    for (int k = 0; k < 2; k++) {
        if (at->column[k] < 0) continue;
        double r[3], moment[3], *to = row + at->column[k];
        for (int i = 0; i < 3; i++) r[i] = at->frame_b.p[i] + arm[i] - at->body[k].p[i];
        saddle__cross(r, force, moment);
        saddle__unrotate(at->body[k].R, force, to);
        saddle__unrotate(at->body[k].R, moment, to + 3);
        for (int i = 0; i < 6; i++) to[i] *= k == 0 ? -sign : sign;
    }
    s->normal[s->rows++] = normal;
}

/* The tangents along which the joint lets a point slip. */
static int tangents_of(saddle_joint_kind kind, const bearing_point *p, double t[2][3])
{
    const double z[3] = {0, 0, 1};
    memcpy(t[0], z, sizeof z);
    if (kind == SADDLE_JOINT_SLIDER) return 1;
    if (kind == SADDLE_JOINT_HINGE) {
        saddle__cross(z, p->x, t[0]);
        (void)saddle__direction(t[0], t[0]);
        return 1;
    }
    int zero = 0; /* the axes of the ball's rows: that of the vertex' zero, and normal to it */
    while (fabs(p->n[zero]) > 1e-9) zero++;
    double e[3] = {zero == 0, zero == 1, zero == 2};
    memcpy(t[0], e, sizeof e);
    saddle__cross(p->n, e, t[1]);
    return 2;
}

static void add_joint(explicit_system *s, const placed_joint *at)
{
    bearing_point point[BEARING_POINTS_MAX];
    const int count = bearing_points_of(at->def.kind, &at->def.bearing, point);
    for (int p = 0; p < count; p++) {
        for (int side = -1; side <= 1; side += 2) {
            double t[2][3];
            const int tangents = tangents_of(at->def.kind, &point[p], t);
            s->contact[s->contacts++] = (saddle_contact){.row = s->rows,
                                                         .size = 1 + tangents,
                                                         .mu = at->def.bearing.mu};
            add_row(s, at, point[p].x, point[p].n, side, 1);
            for (int k = 0; k < tangents; k++) add_row(s, at, point[p].x, t[k], 1, 0);
        }
    }
}

/* v+ (N) of the explicit contacts, with M and f of the problem. */
static saddle_status solve_explicit(const saddle_problem *of, const explicit_system *s, double *v)
{
    const int64_t m = s->rows;
    saddle_problem problem = {.n = N,
                              .m = m,
                              .M = of->M,
                              .f = of->f,
                              .law = SADDLE_LAW_BOX,
                              .contact_count = s->contacts,
                              .contacts = (saddle_contact *)(uintptr_t)s->contact};
    problem.M.owner = 0;
    assert_int_equal(saddle_matrix_create(NULL, N, m, N * m, SADDLE_SYMMETRY_NONE, &problem.Jt),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_create(NULL, m, m, m, SADDLE_SYMMETRY_LOWER, &problem.R),
                     SADDLE_OK);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < N; j++) {
            problem.Jt.index[N * i + j] = j;
            problem.Jt.value[N * i + j] = s->J[i][j];
        }
        problem.Jt.start[i + 1] = N * (i + 1);
        problem.R.index[i] = i;
        problem.R.start[i + 1] = i + 1;
        problem.R.value[i] = s->normal[i] ? softness : 0;
    }
    saddle_options options = saddle_options_default();
    saddle_solution solution;
    saddle_solver *solver = NULL;
    options.tolerance = 1e-11;
    assert_int_equal(saddle_solution_create(NULL, N, m, &solution), SADDLE_OK);
    assert_int_equal(saddle_solver_create(NULL, "pivot", &options, &solver), SADDLE_OK);
    saddle_status status = saddle_solver_analyse(solver, &problem);
    if (status == SADDLE_OK) status = saddle_solver_factor(solver, &problem);
    if (status == SADDLE_OK) status = saddle_solver_solve(solver, &problem, NULL, &solution);
    memcpy(v, solution.v, N * sizeof *v);
    saddle_solver_free(solver);
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.Jt);
    saddle_matrix_clear(&problem.R);
    return status;
}

static saddle_joint_def draw_joint(motion *scene, uint64_t *state, saddle_joint_kind kind,
                                   saddle_handle last)
{
    saddle_joint_def def = saddle_joint_def_default();
    const double moments[3] = {0.01, 0.012, 0.015}, center[3] = {0.05, 0.02, -0.2};
    const saddle_pose at = test_draw_pose(state, 0.3), place = test_draw_pose(state, 0.3);
    def.kind = kind;
    def.a = last;
    def.b = motion_body(scene, moments, center, &at, NULL);
    def.bearing = (saddle_bearing){.mu = test_uniform(state, 0.02, 0.3),
                                   .radius = test_uniform(state, 0.01, 0.05),
                                   .half_length = test_uniform(state, 0.1, 0.2),
                                   .points = 4 + 2 * test_integer(state, 0, 1)};
    assert_int_equal(saddle_joint_def_at(scene->model, &place, &def), SADDLE_OK);
    return def;
}

static placed_joint place_joint(const motion *scene, const saddle_joint_def *def, int number)
{
    placed_joint at = {.def = *def,
                       .body = {saddle_pose_identity(), *saddle_model_pose(scene->model, def->b)},
                       .column = {6 * (number - 1), 6 * number}};
    if (number == 0) at.column[0] = -1;
    if (number > 0) at.body[0] = *saddle_model_pose(scene->model, def->a);
    at.frame_a = saddle_pose_multiply(&at.body[0], &def->frame_a);
    at.frame_b = saddle_pose_multiply(&at.body[1], &def->frame_b);
    return at;
}

/* 0: a ball has rows within their bounds, at rest.  Both points of its diameters may then carry
 * parts of the load by friction, which no row of the ball's bearing does. */
static int is_determined(const motion *scene, const saddle_joint_def *def,
                         const saddle_handle *joint)
{
    const saddle_assembly *assembly = saddle_stepper_assembly(scene->stepper);
    const saddle_problem *problem = saddle_assembly_problem(assembly);
    const double *lambda = saddle_stepper_solution(scene->stepper)->lambda;
    for (int k = 0; k < JOINTS; k++) {
        const int64_t row = saddle_assembly_row(assembly, joint[k]);
        if (def[k].kind != SADDLE_JOINT_BALL) continue;
        for (int64_t i = row + 3; i < row + 15; i++)
            if (fabs(lambda[i]) < (1 - 1e-9) * problem->hi[i]) return 0;
    }
    return 1;
}

/* Chains of two drawn joints, one step from rest or from a motion found by steps. */
static void projections_solve_the_friction_of_explicit_contacts(void **unused)
{
    (void)unused;
    static const saddle_joint_kind kinds[] = {SADDLE_JOINT_HINGE, SADDLE_JOINT_SLIDER,
                                              SADDLE_JOINT_BALL};
    static explicit_system system;
    uint64_t state = test_seed();
    int compared = 0, equal = 0;
    for (int trial = 0; trial < test_draws(200); trial++) {
        motion scene;
        saddle_joint_def def[JOINTS];
        saddle_handle last = {0}, joint[JOINTS];
        double v[N];
        motion_begin(&scene, NULL, motion_weight);
        const double fall = 9.81 * scene.options.time_step;
        for (int k = 0; k < JOINTS; k++) {
            def[k] = draw_joint(&scene, &state, kinds[(trial / (k == 0 ? 1 : 3)) % 3], last);
            last = def[k].b;
            assert_int_equal(saddle_model_add_joint(scene.model, &def[k], &joint[k]), SADDLE_OK);
        }
        for (int step = 0; step < trial % 4; step++) (void)motion_step(&scene);
        if (trial % 4 > 0) (void)saddle_stepper_project_positions(scene.stepper, 10, NULL);
        system.contacts = system.rows = 0;
        for (int k = 0; k < JOINTS; k++) {
            const placed_joint at = place_joint(&scene, &def[k], k);
            add_joint(&system, &at);
        }
        if (motion_step(&scene) == SADDLE_OK) {
            const saddle_assembly *assembly = saddle_stepper_assembly(scene.stepper);
            const saddle_problem *problem = saddle_assembly_problem(assembly);
            const double *found = saddle_stepper_solution(scene.stepper)->v;
            if (solve_explicit(problem, &system, v) == SADDLE_OK &&
                is_determined(&scene, def, joint)) {
                double error = 0;
                for (int i = 0; i < N; i++) error = fmax(error, fabs(v[i] - found[i]));
                equal += error < 1e-4 * fall;
                compared++;
            }
        }
        motion_end(&scene);
    }
    assert_true(compared >= test_draws(200) / 2);
    assert_true(equal >= compared - compared / 50); /* some sliders have two solutions: to slide,
                                                       and to jam */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_solve_the_friction_of_explicit_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
