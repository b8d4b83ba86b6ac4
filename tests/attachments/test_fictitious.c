/* SPDX-License-Identifier: MIT */
/* What a turning map asks for: accelerations against differences, the centrifugal force of seed
 * 000, 0.19, the composite body, the slider on a spinning arm, and the two ways to account for it
 * against each other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_couplings.h"
#include "space/space.h"

enum { TRIALS = 30 };

static double *room(int64_t count)
{
    double *x = calloc((size_t)count + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

/* ---- accelerations ---- */

/* With h = 1 the graph's v at u is Q u + d plus what v gains per second while u stays: dQ/dt u. */
static void terms_are_the_accelerations_at_constant_velocities(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const double h = 1e-5;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn_couplings d = draw_couplings(NULL, &seed);
        double *v = room(d.n), *ahead = room(d.n), *behind = room(d.n), *with = room(d.n),
               *moved = room(d.positions);
        for (int axes = SADDLE_AXES_BODY; axes <= SADDLE_AXES_STEP; axes++) {
            saddle_map *map;
            for (int side = 0; side < 2; side++) {
                double *there = side ? ahead : behind, *w = room(d.n);
                move_couplings(&d, d.u, side ? h : -h, moved);
                spread_velocities(&d, d.u, w);
                /* constant in axes that do not turn: in those of the moved frames it has turned
                 * back */
                if (axes == SADDLE_AXES_STEP) turn_vector(&d, d.position, moved, 1, w);
                assert_int_equal(saddle_couplings_update(d.couplings, NULL, moved, w), SADDLE_OK);
                if (axes == SADDLE_AXES_STEP) turn_vector(&d, d.position, moved, 0, w);
                memcpy(there, w, (size_t)d.n * sizeof *w);
                free(w);
            }
            const saddle_coupling_step step = {1, SADDLE_FICTITIOUS_TERM, (saddle_axes)axes};
            spread_velocities(&d, d.u, v);
            assert_int_equal(saddle_couplings_update(d.couplings, &step, d.position, v), SADDLE_OK);
            assert_int_equal(saddle_map_create(NULL, d.graph, &map), SADDLE_OK);
            saddle_map_velocities(map, d.u, with);
            for (int64_t i = 0; i < d.n; i++) {
                double expected = (ahead[i] - behind[i]) / (2 * h);
                assert_true(fabs(with[i] - v[i] - expected) < 1e-6 * (1 + fabs(expected)));
            }
            saddle_map_free(map);
        }
        free(v);
        free(ahead);
        free(behind);
        free(with);
        free(moved);
        clear_couplings(&d);
    }
}

/* ---- a particle on a body (0.19) ---- */

typedef struct loaded_body {
    saddle_attachments *graph;
    saddle_couplings *couplings;
    saddle_problem problem;
    double position[15], v[9], f[9], c[3], particle, mass, inertia[3];
} loaded_body;

static void make_body(uint64_t *state, loaded_body *b)
{
    static const saddle_component components[2] = {{.id = 0, .kind = SADDLE_COMPONENT_FRAME},
                                                   {.id = 1}};
    double twist[6], value[9];
    int64_t row[9];
    memset(b, 0, sizeof *b);
    for (int i = 0; i < 6; i++) {
        twist[i] = test_uniform(state, -2, 2);
        b->v[i] = test_uniform(state, -3, 3);
    }
    saddle_pose pose = saddle_pose_exp(twist);
    memcpy(b->position, &pose, sizeof pose);
    b->mass = test_uniform(state, 1, 4);
    b->particle = test_uniform(state, 0.1, 4);
    for (int i = 0; i < 3; i++) {
        b->c[i] = test_uniform(state, -1, 1);
        b->inertia[i] = test_uniform(state, 0.5, 2);
    }
    for (int i = 0; i < 9; i++) {
        row[i] = i;
        value[i] = i < 3 ? b->mass : i < 6 ? b->inertia[i - 3] : b->particle;
    }
    assert_int_equal(saddle_attachments_create(NULL, &b->graph), SADDLE_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(saddle_attachments_add(b->graph, &components[k]), SADDLE_OK);
    assert_int_equal(saddle_couplings_create(NULL, b->graph, &b->couplings), SADDLE_OK);
    assert_int_equal(saddle_couplings_add_point_on_frame(b->couplings, 1, 0, b->c), SADDLE_OK);
    assert_int_equal(saddle_couplings_compile(b->couplings), SADDLE_OK);
    b->problem = (saddle_problem){.n = 9, .f = b->f};
    assert_int_equal(saddle_matrix_from_triplets(NULL, 9, 9, 9, row, row, value,
                                                 SADDLE_SYMMETRY_LOWER, &b->problem.M),
                     SADDLE_OK);
}

static void clear_body(loaded_body *b)
{
    saddle_couplings_free(b->couplings);
    saddle_attachments_free(b->graph);
    saddle_matrix_clear(&b->problem.M);
}

/* f' of the reduction after an update. */
static saddle_elimination *reduce(loaded_body *b, const saddle_coupling_step *step)
{
    saddle_elimination *reduction;
    assert_int_equal(saddle_couplings_update(b->couplings, step, b->position, b->v), SADDLE_OK);
    assert_int_equal(saddle_elimination_create(NULL, b->graph, &b->problem, SADDLE_WISH_ELIMINATE,
                                               NULL, NULL, &reduction),
                     SADDLE_OK);
    return reduction;
}

/* In axes held through the step: g = h R w x w x c, f' = h (-m w x w x c, m w x c x c x w), the
 * seed's letters. */
static void a_particle_on_a_body_pulls_outward_as_in_the_seed(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    for (int trial = 0; trial < test_draws(200); trial++) {
        loaded_body b;
        make_body(&seed, &b);
        const double h = 0.01, *w = b.v + 3;
        const saddle_coupling_step step = {h, SADDLE_FICTITIOUS_TERM, SADDLE_AXES_STEP};
        saddle_elimination *reduction = reduce(&b, &step);
        saddle_attachment a;
        assert_int_equal(saddle_attachments_attachment(b.graph, 1, &a), 1);
        double inward[3], world[3], inner[3], torque[3];
        saddle__cross(w, b.c, inward);
        saddle__cross(w, inward, inward);
        saddle__rotate(b.position + 3, inward, world);
        saddle__cross(b.c, w, inner); /* w x (c x (c x w)) */
        saddle__cross(b.c, inner, inner);
        saddle__cross(w, inner, torque);
        const double *f = saddle_elimination_problem(reduction)->f;
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(a.term[i] - h * world[i]) < 1e-13);
            assert_true(fabs(f[i] + h * b.particle * inward[i]) < 1e-13);
            assert_true(fabs(f[i + 3] - h * b.particle * torque[i]) < 1e-13);
        }
        saddle_elimination_free(reduction);
        clear_body(&b);
    }
}

/* In the body's own axes, with each part's Coriolis force ad(phi)'M phi (seed 003, 1.21), what is
 * left is the composite body's: f' = h ad(u)'M'u. */
static void a_particle_and_a_body_turn_as_one_body(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int trial = 0; trial < test_draws(200); trial++) {
        loaded_body b;
        make_body(&seed, &b);
        const double h = 0.01;
        double ad[36], momentum[6], expected[6] = {0};
        saddle_twist_adjoint(b.v, ad);
        for (int i = 0; i < 6; i++) momentum[i] = (i < 3 ? b.mass : b.inertia[i - 3]) * b.v[i];
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) b.f[i] += h * ad[k + 6 * i] * momentum[k];
        const saddle_coupling_step step = {h, SADDLE_FICTITIOUS_TERM, SADDLE_AXES_BODY};
        saddle_elimination *reduction = reduce(&b, &step);
        const saddle_problem *reduced = saddle_elimination_problem(reduction);
        saddle_matrix_apply(&reduced->M, 1, b.v, 0, momentum);
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++) expected[i] += h * ad[k + 6 * i] * momentum[k];
        for (int i = 0; i < 6; i++) assert_true(fabs(reduced->f[i] - expected[i]) < 1e-12);
        saddle_elimination_free(reduction);
        clear_body(&b);
    }
}

/* ---- a slider on a spinning arm ---- */

enum { TURN = 0, REACH = 1, ARM = 2, BEAD = 3 };

/* One step of a bead of mass m: TURN and REACH active, ARM and BEAD on joints; u+ from M'u+ = f', f
 * = M v + h ad'M v. */
static void step_bead(const saddle_coupling_step *step, double angle, double reach, const double *u,
                      double *next)
{
    static const double hinge[6] = {0, 0, 0, 0, 0, 1}, rail[6] = {1, 0, 0, 0, 0, 0};
    static const saddle_component components[4] = {
        {.id = TURN, .kind = SADDLE_COMPONENT_COORDINATES, .size = 1},
        {.id = REACH, .kind = SADDLE_COMPONENT_COORDINATES, .size = 1},
        {.id = ARM, .kind = SADDLE_COMPONENT_FRAME},
        {.id = BEAD, .kind = SADDLE_COMPONENT_FRAME}};
    const double m = 3;
    const int64_t arm = ARM, row[3] = {8, 9, 10};
    const double masses[3] = {m, m, m};
    double position[26] = {angle, reach}, v[14] = {u[0], u[1]}, f[14] = {0}, M[4];
    saddle_attachments *graph;
    saddle_couplings *c;
    saddle_elimination *reduction;
    saddle_problem problem = {.n = 14, .f = f};
    saddle_pose stand = saddle_pose_identity();
    saddle_motion joint = {1, stand, stand, saddle_motion_screw, NULL, hinge, NULL};
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    for (int k = 0; k < 4; k++)
        assert_int_equal(saddle_attachments_add(graph, &components[k]), SADDLE_OK);
    assert_int_equal(saddle_couplings_create(NULL, graph, &c), SADDLE_OK);
    assert_int_equal(saddle_couplings_add_body_on_joint(c, ARM, NULL, TURN, &joint), SADDLE_OK);
    joint.data = rail;
    assert_int_equal(saddle_couplings_add_body_on_joint(c, BEAD, &arm, REACH, &joint), SADDLE_OK);
    assert_int_equal(saddle_couplings_compile(c), SADDLE_OK);
    assert_int_equal(saddle_couplings_update(c, step, position, v), SADDLE_OK);
    assert_int_equal(saddle_matrix_from_triplets(NULL, 14, 14, 3, row, row, masses,
                                                 SADDLE_SYMMETRY_LOWER, &problem.M),
                     SADDLE_OK);
    double turned[3] = {0}; /* -w x m nu in axes that turn */
    if (step->axes == SADDLE_AXES_BODY) saddle__cross(v + 8, v + 11, turned);
    for (int i = 0; i < 3; i++) f[8 + i] = m * v[8 + i] + step->time_step * m * turned[i];
    assert_int_equal(saddle_elimination_create(NULL, graph, &problem, SADDLE_WISH_ELIMINATE, NULL,
                                               NULL, &reduction),
                     SADDLE_OK);
    const saddle_problem *reduced = saddle_elimination_problem(reduction);
    test_dense(&reduced->M, M);
    memcpy(next, reduced->f, 2 * sizeof *next);
    assert_int_equal(saddle__dense_solve(NULL, 2, M, next), SADDLE_OK);
    saddle_elimination_free(reduction);
    saddle_matrix_clear(&problem.M);
    saddle_couplings_free(c);
    saddle_attachments_free(graph);
}

/* d(angle')/dt = -2 reach' angle' / reach, d(reach')/dt = reach angle'^2 (polar coordinates, no
 * force): the term gives just that times h, the map at the step's end that up to h^2. */
static void a_bead_on_a_spinning_arm_feels_coriolis_and_centrifugal_force(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    for (int trial = 0; trial < test_draws(100); trial++) {
        double angle = test_uniform(&seed, -3, 3), reach = test_uniform(&seed, 0.5, 2), u[2],
               next[2];
        for (int i = 0; i < 2; i++) u[i] = test_uniform(&seed, -2, 2);
        const double gain[2] = {-2 * u[1] * u[0] / reach, reach * u[0] * u[0]};
        saddle_coupling_step step = {0.01, SADDLE_FICTITIOUS_TERM,
                                     trial % 2 ? SADDLE_AXES_STEP : SADDLE_AXES_BODY};
        step_bead(&step, angle, reach, u, next);
        for (int i = 0; i < 2; i++)
            assert_true(fabs(next[i] - u[i] - step.time_step * gain[i]) < 1e-12);
        step.fictitious = SADDLE_FICTITIOUS_MAP;
        step.time_step = 1e-6;
        step_bead(&step, angle, reach, u, next);
        for (int i = 0; i < 2; i++)
            assert_true(fabs((next[i] - u[i]) / step.time_step - gain[i]) < 1e-3);
    }
}

/* ---- a double pendulum ---- */

enum { UPPER = 0, LOWER = 1, ELBOW = 2, ROD = 3, FOREARM = 4, FIRST = 5, SECOND = 6 };

/* Angles from the vertical are active; the elbow's is their difference, a coordinate attached to
 * coordinates; the rods are frames without mass on joints, the bobs particles on the rods.  x down,
 * gravity along it. */
static void make_pendulum(const double *length, saddle_attachments **graph, saddle_couplings **c)
{
    static const double hinge[6] = {0, 0, 0, 0, 0, 1}, apart[2] = {-1, 1};
    static const int64_t angles[2] = {UPPER, LOWER}, rod = ROD;
    const double bob[2][3] = {{length[0], 0, 0}, {length[1], 0, 0}};
    saddle_motion joint = {
        1, saddle_pose_identity(), saddle_pose_identity(), saddle_motion_screw, NULL, hinge, NULL};
    assert_int_equal(saddle_attachments_create(NULL, graph), SADDLE_OK);
    for (int64_t k = 0; k <= SECOND; k++) {
        saddle_component component = {.id = k,
                                      .kind = k < ROD     ? SADDLE_COMPONENT_COORDINATES
                                              : k < FIRST ? SADDLE_COMPONENT_FRAME
                                                          : SADDLE_COMPONENT_PARTICLE,
                                      .size = k < ROD ? 1 : 0};
        assert_int_equal(saddle_attachments_add(*graph, &component), SADDLE_OK);
    }
    assert_int_equal(saddle_couplings_create(NULL, *graph, c), SADDLE_OK);
    assert_int_equal(saddle_couplings_add_coordinates(*c, ELBOW, 2, angles, apart, NULL),
                     SADDLE_OK);
    assert_int_equal(saddle_couplings_add_body_on_joint(*c, ROD, NULL, UPPER, &joint), SADDLE_OK);
    joint.before.p[0] = length[0];
    assert_int_equal(saddle_couplings_add_body_on_joint(*c, FOREARM, &rod, ELBOW, &joint),
                     SADDLE_OK);
    assert_int_equal(saddle_couplings_add_point_on_frame(*c, FIRST, ROD, bob[0]), SADDLE_OK);
    assert_int_equal(saddle_couplings_add_point_on_frame(*c, SECOND, FOREARM, bob[1]), SADDLE_OK);
    assert_int_equal(saddle_couplings_compile(*c), SADDLE_OK);
}

/* (m1 + m2) l1 a1 + m2 l2 a2 cos d + m2 l2 w2^2 sin d + (m1 + m2) g sin t1 = 0, d = t1 - t2
 * l2 a2 + l1 a1 cos d - l1 w1^2 sin d + g sin t2 = 0 */
static void lagrange(const double *m, const double *l, double g, const double *t, const double *w,
                     double *a)
{
    double d = t[0] - t[1], both = m[0] + m[1];
    double A[4] = {both * l[0], l[0] * cos(d), m[1] * l[1] * cos(d), l[1]};
    a[0] = -m[1] * l[1] * w[1] * w[1] * sin(d) - both * g * sin(t[0]);
    a[1] = l[0] * w[0] * w[0] * sin(d) - g * sin(t[1]);
    assert_int_equal(saddle__dense_solve(NULL, 2, A, a), SADDLE_OK);
}

static void a_double_pendulum_accelerates_by_its_lagrange_equations(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    const double g = 9.81, h = 1e-3;
    for (int trial = 0; trial < test_draws(100); trial++) {
        double m[2], l[2], t[2], w[2], expected[2];
        for (int i = 0; i < 2; i++) {
            m[i] = test_uniform(&seed, 0.5, 2);
            l[i] = test_uniform(&seed, 0.5, 2);
            t[i] = test_uniform(&seed, -3, 3);
            w[i] = test_uniform(&seed, -3, 3);
        }
        saddle_attachments *graph;
        saddle_couplings *c;
        make_pendulum(l, &graph, &c);
        double position[33] = {t[0], t[1]}, v[21] = {w[0], w[1]}, f[21] = {0}, masses[6], M[4],
               next[2];
        const int64_t row[6] = {15, 16, 17, 18, 19, 20};
        const saddle_coupling_step step = {h, SADDLE_FICTITIOUS_TERM,
                                           trial % 2 ? SADDLE_AXES_STEP : SADDLE_AXES_BODY};
        assert_int_equal(saddle_couplings_update(c, &step, position, v), SADDLE_OK);
        for (int i = 0; i < 6; i++) {
            masses[i] = m[i / 3];
            f[15 + i] = masses[i] * (v[15 + i] + (i % 3 == 0 ? h * g : 0));
        }
        saddle_problem problem = {.n = 21, .f = f};
        saddle_elimination *reduction;
        assert_int_equal(saddle_matrix_from_triplets(NULL, 21, 21, 6, row, row, masses,
                                                     SADDLE_SYMMETRY_LOWER, &problem.M),
                         SADDLE_OK);
        assert_int_equal(saddle_elimination_create(NULL, graph, &problem, SADDLE_WISH_ELIMINATE,
                                                   NULL, NULL, &reduction),
                         SADDLE_OK);
        test_dense(&saddle_elimination_problem(reduction)->M, M);
        memcpy(next, saddle_elimination_problem(reduction)->f, sizeof next);
        assert_int_equal(saddle__dense_solve(NULL, 2, M, next), SADDLE_OK);
        lagrange(m, l, g, t, w, expected);
        for (int i = 0; i < 2; i++)
            assert_true(fabs((next[i] - w[i]) / h - expected[i]) <
                        1e-9 * (1 + fabs(expected[0]) + fabs(expected[1])));
        saddle_elimination_free(reduction);
        saddle_matrix_clear(&problem.M);
        saddle_couplings_free(c);
        saddle_attachments_free(graph);
    }
}

/* ---- term or end ---- */

/* u+ of M'u+ = f', M a drawn diagonal, f = M v + h p, where v is that of the step's beginning. */
static void step_drawn(const drawn_couplings *d, const double *mass, const double *force, double h,
                       saddle_fictitious fictitious, double *next)
{
    const saddle_coupling_step step = {h, fictitious, SADDLE_AXES_BODY};
    double *v = room(d->n), *f = room(d->n), *M = room(d->active * d->active);
    int64_t *row = calloc((size_t)d->n, sizeof *row);
    saddle_problem problem = {.n = d->n, .f = f};
    saddle_elimination *reduction;
    assert_non_null(row);
    spread_velocities(d, d->u, v);
    assert_int_equal(saddle_couplings_update(d->couplings, &step, d->position, v), SADDLE_OK);
    for (int64_t i = 0; i < d->n; i++) {
        row[i] = i;
        f[i] = mass[i] * v[i] + h * force[i];
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, d->n, d->n, d->n, row, row, mass,
                                                 SADDLE_SYMMETRY_LOWER, &problem.M),
                     SADDLE_OK);
    assert_int_equal(saddle_elimination_create(NULL, d->graph, &problem, SADDLE_WISH_ELIMINATE,
                                               NULL, NULL, &reduction),
                     SADDLE_OK);
    test_dense(&saddle_elimination_problem(reduction)->M, M);
    memcpy(next, saddle_elimination_problem(reduction)->f, (size_t)d->active * sizeof *next);
    assert_int_equal(saddle__dense_solve(NULL, d->active, M, next), SADDLE_OK);
    saddle_elimination_free(reduction);
    saddle_matrix_clear(&problem.M);
    free(v);
    free(f);
    free(M);
    free(row);
}

static double distance(const double *a, const double *b, int64_t count)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

/* Halving the step quarters the difference of the two ways; leaving the term out is wrong by O(h),
 * which halves. */
static void term_and_end_differ_by_the_square_of_the_step(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn_couplings d = draw_couplings(NULL, &seed);
        double *mass = room(d.n), *force = room(d.n), *term = room(d.active), *end = room(d.active),
               *bare = room(d.active);
        double squared[2], linear[2];
        for (int64_t i = 0; i < d.n; i++) {
            mass[i] = test_uniform(&seed, 0.5, 2);
            force[i] = test_uniform(&seed, -1, 1);
        }
        for (int k = 0; k < 2; k++) {
            double h = k == 0 ? 1e-4 : 5e-5;
            step_drawn(&d, mass, force, h, SADDLE_FICTITIOUS_TERM, term);
            step_drawn(&d, mass, force, h, SADDLE_FICTITIOUS_MAP, end);
            step_drawn(&d, mass, force, h, SADDLE_FICTITIOUS_NONE, bare);
            squared[k] = distance(term, end, d.active);
            linear[k] = distance(term, bare, d.active);
        }
        assert_true(fabs(squared[0] / squared[1] - 4) < 0.05);
        assert_true(fabs(linear[0] / linear[1] - 2) < 0.05);
        free(mass);
        free(force);
        free(term);
        free(end);
        free(bare);
        clear_couplings(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_the_accelerations_at_constant_velocities),
        cmocka_unit_test(a_particle_on_a_body_pulls_outward_as_in_the_seed),
        cmocka_unit_test(a_particle_and_a_body_turn_as_one_body),
        cmocka_unit_test(a_bead_on_a_spinning_arm_feels_coriolis_and_centrifugal_force),
        cmocka_unit_test(a_double_pendulum_accelerates_by_its_lagrange_equations),
        cmocka_unit_test(term_and_end_differ_by_the_square_of_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
