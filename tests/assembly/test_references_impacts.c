/* SPDX-License-Identifier: MIT */
/* Published motions with impacts, from the trapezoidal rule with Moreau's law of velocities
 * (saddle/constraint.h, IMPACT), which together are the Moreau-Jean scheme of theta = 1/2:
 *
 *     M (u - v) + h K q + h^2/4 K (v + u) = h f + J'p,   q+ = q + h/2 (v + u)
 *     0 <= J_n u + e J_n v _|_ p_n >= 0 where gap + h/2 J_n v <= 0,   |p_t| <= mu p_n against J_t u
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "references.h"

/* ---- a ball on the ground ---- */

enum { BALL_ROWS = 2001, BALL_COLUMNS = 5 };

typedef struct ball {
    motion scene;
    saddle_handle part;
    double restitution; /* of its contact */
    int impact;
} ball;

static void drop(ball *b)
{
    static const double weight[3] = {-9.81, 0, 0}, height[3] = {1, 0, 0};
    *b = (ball){.restitution = 0.9, .impact = 1};
    motion_begin(&b->scene, NULL, weight);
    b->part = motion_particle(&b->scene, 1, height, NULL);
    b->scene.options.time_step = 0.005;
    b->scene.options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    b->scene.options.solver_options.tolerance = 1e-14;
}

static saddle_status height(saddle_context *context, const saddle_site *site,
                            saddle_constraint_values *values)
{
    (void)context;
    values->phi[0] = site->position[0][0];
    values->J[0][0] = 1;
    return SADDLE_OK;
}

static saddle_status touch_ground(void *user, saddle_model *model, double time_step,
                                  saddle_contact_list *list)
{
    const ball *b = user;
    const double *x = saddle_model_position(model, b->part);
    saddle_contact_point *point = NULL;
    (void)time_step;
    const saddle_status status = saddle_contact_list_add(list, &point);
    if (status != SADDLE_OK) return status;
    *point = (saddle_contact_point){.b.part = b->part, .normal = {1, 0, 0}, .gap = x[0]};
    point->restitution = b->restitution;
    point->impact = b->impact;
    memcpy(point->b.point, x, sizeof point->b.point);
    return SADDLE_OK;
}

/* All rows t, x, v, p, lambda, of which the last two are both the step's impulse. */
static void expect_bounces(ball *b)
{
    double *table = reference_table("BouncingBallTS.ref", BALL_ROWS, BALL_COLUMNS);
    double worst = 0;
    int impulses = 0;
    for (int64_t k = 1; k < BALL_ROWS; k++) {
        const double *row = table + BALL_COLUMNS * k;
        motion_run(&b->scene, 1);
        const double x = saddle_model_position(b->scene.model, b->part)[0];
        const double v = saddle_model_velocity(b->scene.model, b->part)[0];
        const double p = saddle_stepper_solution(b->scene.stepper)->lambda[0];
        const double state[BALL_COLUMNS] = {saddle_model_time(b->scene.model), x, v, p, p};
        worst = fmax(worst, reference_error(state, row, BALL_COLUMNS));
        impulses += p > 0;
    }
    print_message("    bouncing ball: largest difference %.2g in %d rows, %d impulses\n", worst,
                  BALL_ROWS, impulses);
    assert_true(worst < 1e-12);
    assert_true(impulses > 20);
    free(table);
    motion_end(&b->scene);
}

static void the_bouncing_ball_is_the_published_one_as_a_row(void **unused)
{
    (void)unused;
    static const saddle_constraint_type type = {.name = "height", .evaluate = height};
    ball b;
    drop(&b);
    saddle_row_def row = saddle_row_def_default();
    row.purpose = SADDLE_PURPOSE_IMPACT;
    row.restitution = 0.9;
    const saddle_anchor anchor = {.part = b.part};
    const saddle_constraint_def def = {
        .type = &type, .count = 1, .anchors = &anchor, .rows = 1, .row = &row};
    saddle_handle constraint;
    assert_int_equal(saddle_model_add_constraint(b.scene.model, &def, &constraint), SADDLE_OK);
    expect_bounces(&b);
}

static void the_bouncing_ball_is_the_published_one_as_a_contact(void **unused)
{
    (void)unused;
    ball b;
    drop(&b);
    b.scene.options.contacts = touch_ground;
    b.scene.options.user = &b;
    expect_bounces(&b);
}

/* ---- the woodpecker toy ---- */

/* Its coordinates q = (y, phi_M, phi_S): height, angles of the sleeve and of the bird.  Gaps and
 * slips at the beak and at the sleeve's two ends are
 *
 *                                                                                     restitution
 *     beak     b = lM + lG - lS - rO,   (-hS phi_S,  y + lM phi_M + (lG - lS) phi_S)       1/2
 *     sleeve   b = rM - rO,             (+-hM phi_M,  y + rM phi_M)                        0
 *
 * Two material points, one at the beak and one at the sleeve, so move by c = (x_0, y_0, x_1, y_1) =
 * A q: they are two nodes, tied by the one row t'c = 0 that says that they belong to three
 * coordinates.  With q = B c for the c that do, their mass is B'MB + mS tt', their stiffness B'KB;
 * gravity is gravity, and contacts are those with a pole along y. */

enum { BIRD_ROWS = 1500, BIRD_COLUMNS = 7, BIRD_EVERY = 10, PLANE = 4 };

static const double mM = 0.0003, mS = 0.0045, JM = 5e-9, JS = 7e-7, spring = 0.0056;
static const double rO = 0.0025, rM = 0.0031, hM = 0.0058, lM = 0.01, lG = 0.015, hS = 0.02,
                    lS = 0.0201;

typedef struct woodpecker {
    motion scene;
    saddle_handle nodes;
    double B[3][PLANE], tie[PLANE];
} woodpecker;

/* Nodes' components of the plane's coordinates. */
static const int component[PLANE] = {0, 1, 3, 4};

static void carve(woodpecker *w)
{
    *w = (woodpecker){.tie = {(lG - lS) / hS, 1, -(lM - rM) / hM, -1}};
    w->B[0][2] = -rM / hM;
    w->B[0][3] = 1;
    w->B[1][2] = 1 / hM;
    w->B[2][0] = -1 / hS;
}

static void points_of(const double *q, double *c)
{
    memset(c, 0, 6 * sizeof *c);
    c[0] = -hS * q[2];
    c[1] = q[0] + lM * q[1] + (lG - lS) * q[2];
    c[3] = hM * q[1];
    c[4] = q[0] + rM * q[1];
}

static void coordinates_of(const woodpecker *w, const double *c, double *q)
{
    for (int i = 0; i < 3; i++) {
        q[i] = 0;
        for (int k = 0; k < PLANE; k++) q[i] += w->B[i][k] * c[component[k]];
    }
}

/* B'SB + share tt' for the nodes; idle: on the diagonal of what leaves the plane. */
static void lift(saddle_context *context, const woodpecker *w, const double S[3][3], double share,
                 double idle, saddle_matrix *A)
{
    double value[6][6] = {{0}};
    int64_t count = 0;
    for (int a = 0; a < PLANE; a++) {
        for (int b = 0; b < PLANE; b++) {
            double *entry = &value[component[a]][component[b]];
            *entry = share * w->tie[a] * w->tie[b];
            for (int i = 0; i < 9; i++) *entry += w->B[i / 3][a] * S[i / 3][i % 3] * w->B[i % 3][b];
        }
    }
    value[2][2] = value[5][5] = idle;
    assert_int_equal(saddle_matrix_create(context, 6, 6, 21, SADDLE_SYMMETRY_LOWER, A), SADDLE_OK);
    for (int j = 0; j < 6; j++) {
        for (int i = j; i < 6; i++, count++) {
            A->index[count] = i;
            A->value[count] = value[i][j];
        }
        A->start[j + 1] = count;
    }
}

static void add_points(woodpecker *w)
{
    static const double q[3] = {0, -0.1036, -0.2788}, v[3] = {-0.3411, 4.8572e-15, -7.4583},
                        zero[6] = {0};
    const double M[3][3] = {{mS + mM, mS * lM, mS * lG},
                            {mS * lM, JM + mS * lM * lM, mS * lM * lG},
                            {mS * lG, mS * lM * lG, JS + mS * lG * lG}};
    const double K[3][3] = {{0, 0, 0}, {0, spring, -spring}, {0, -spring, spring}};
    double position[6], velocity[6];
    saddle_matrix mass, stiffness;
    points_of(q, position);
    points_of(v, velocity);
    lift(w->scene.context, w, M, mS, 1, &mass);
    lift(w->scene.context, w, K, 0, 0, &stiffness);
    const saddle_nodes_def def = {.count = 2,
                                  .position = position,
                                  .velocity = velocity,
                                  .rest = zero,
                                  .mass = &mass,
                                  .stiffness = &stiffness};
    assert_int_equal(saddle_model_add_nodes(w->scene.model, &def, &w->nodes), SADDLE_OK);
    saddle_matrix_clear(&mass);
    saddle_matrix_clear(&stiffness);
}

static saddle_status tied(saddle_context *context, const saddle_site *site,
                          saddle_constraint_values *values)
{
    const double *tie = site->data;
    (void)context;
    for (int k = 0; k < PLANE; k++) {
        values->phi[0] += tie[k] * site->position[k / 2][k % 2];
        values->J[k / 2][k % 2] = tie[k];
    }
    return SADDLE_OK;
}

static void add_tie(woodpecker *w)
{
    static const saddle_constraint_type type = {.name = "tie", .evaluate = tied};
    const saddle_anchor anchors[2] = {{w->nodes, 0}, {w->nodes, 1}};
    const saddle_constraint_def def = {.type = &type,
                                       .count = 2,
                                       .anchors = anchors,
                                       .rows = 1,
                                       .data = w->tie,
                                       .bytes = sizeof w->tie};
    saddle_handle constraint;
    assert_int_equal(saddle_model_add_constraint(w->scene.model, &def, &constraint), SADDLE_OK);
}

static saddle_status touch_pole(void *user, saddle_model *model, double time_step,
                                saddle_contact_list *list)
{
    const woodpecker *w = user;
    const double *c = saddle_model_position(model, w->nodes);
    const double gap[3] = {lM + lG - lS - rO + c[0], rM - rO + c[3], rM - rO - c[3]};
    (void)time_step;
    for (int k = 0; k < 3; k++) {
        saddle_contact_point *point = NULL;
        const saddle_status status = saddle_contact_list_add(list, &point);
        if (status != SADDLE_OK) return status;
        *point = (saddle_contact_point){.id = k,
                                        .normal = {k < 2 ? 1 : -1, 0, 0},
                                        .tangent = {0, 1, 0},
                                        .gap = gap[k],
                                        .mu = 0.3,
                                        .restitution = k == 0 ? 0.5 : 0,
                                        .impact = 1};
        point->b = (saddle_contact_side){.part = w->nodes,
                                         .count = 1,
                                         .node = {k > 0},
                                         .weight = {1}};
    }
    return SADDLE_OK;
}

/* t, y, vy, phi_M, w_M, phi_S, w_S */
static void read_bird(woodpecker *w, double *state)
{
    double q[3], v[3];
    coordinates_of(w, saddle_model_position(w->scene.model, w->nodes), q);
    coordinates_of(w, saddle_model_velocity(w->scene.model, w->nodes), v);
    state[0] = saddle_model_time(w->scene.model);
    for (int i = 0; i < 3; i++) {
        state[1 + 2 * i] = q[i];
        state[2 + 2 * i] = v[i];
    }
}

/* Largest differences of t, y, vy, phi_M, w_M, phi_S, w_S at every tenth step, over the column's
 * largest number. */
static double peck(saddle_law law, const char *solver)
{
    static const double weight[3] = {0, -9.81, 0};
    double *table = reference_table("Woodpecker_every10.ref", BIRD_ROWS, BIRD_COLUMNS);
    double off[BIRD_COLUMNS] = {0}, size[BIRD_COLUMNS] = {0}, worst = 0;
    woodpecker w;
    carve(&w);
    motion_begin(&w.scene, NULL, weight);
    add_points(&w);
    add_tie(&w);
    w.scene.options.time_step = 2e-5;
    w.scene.options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    w.scene.options.solver = solver;
    w.scene.options.solver_options.tolerance = 1e-12; /* of 2e-3 m/s */
    w.scene.options.assembly.law = law;
    w.scene.options.contacts = touch_pole;
    w.scene.options.user = &w;
    for (int64_t k = 1; k < BIRD_ROWS; k++) {
        double state[BIRD_COLUMNS] = {0};
        motion_run(&w.scene, BIRD_EVERY);
        read_bird(&w, state);
        for (int i = 0; i < BIRD_COLUMNS; i++) {
            off[i] = fmax(off[i], fabs(state[i] - table[BIRD_COLUMNS * k + i]));
            size[i] = fmax(size[i], fabs(state[i]));
        }
    }
    for (int i = 0; i < BIRD_COLUMNS; i++) worst = fmax(worst, off[i] / size[i]);
    print_message("    woodpecker, %s: positions to %.2g, velocities to %.2g of %.3g; %.2g of each "
                  "column's largest\n",
                  solver, fmax(off[1], fmax(off[3], off[5])), fmax(off[2], fmax(off[4], off[6])),
                  size[4], worst);
    motion_end(&w.scene);
    free(table);
    return worst;
}

static void the_woodpecker_is_the_published_one_by_every_law_and_solver(void **unused)
{
    static const struct {
        saddle_law law;
        const char *solver;
    } ways[] = {{SADDLE_LAW_CONE, "auto"},     {SADDLE_LAW_PYRAMID, "auto"},
                {SADDLE_LAW_PYRAMID, "lemke"}, {SADDLE_LAW_BOX, "lemke"},
                {SADDLE_LAW_BOX, "pivot"},     {SADDLE_LAW_BOX, "schur"}};
    (void)unused;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        assert_true(peck(ways[k].law, ways[k].solver) < 1e-10);
}

/* ---- the law by itself ---- */

typedef struct wall_hits {
    saddle_handle wall, ball;
} wall_hits;

/* phi = x_ball - x_wall */
static saddle_status behind(saddle_context *context, const saddle_site *site,
                            saddle_constraint_values *values)
{
    (void)context;
    values->phi[0] = site->position[1][0] - site->position[0][0];
    values->J[0][0] = -1;
    values->J[1][0] = 1;
    return SADDLE_OK;
}

static saddle_status touch_wall(void *user, saddle_model *model, double time_step,
                                saddle_contact_list *list)
{
    const wall_hits *hits = user;
    saddle_contact_point *point = NULL;
    (void)time_step;
    const saddle_status status = saddle_contact_list_add(list, &point);
    if (status != SADDLE_OK) return status;
    *point = (saddle_contact_point){.a.part = hits->wall,
                                    .b.part = hits->ball,
                                    .normal = {1, 0, 0},
                                    .restitution = 0.5,
                                    .impact = 1};
    point->gap = saddle_model_position(model, hits->ball)[0] -
                 saddle_model_position(model, hits->wall)[0];
    return SADDLE_OK;
}

/* way: 0 a row, 1 a contact. */
static void begin_wall(motion *scene, wall_hits *hits, int way, double place)
{
    static const saddle_constraint_type type = {.name = "behind", .evaluate = behind};
    const double x[3] = {place, 0, 0}, v[3] = {-1, 0, 0};
    const saddle_particle_def wall = {.velocity = {2, 0, 0}, .prescribed = 1};
    motion_begin(scene, NULL, NULL);
    assert_int_equal(saddle_model_add_particle(scene->model, &wall, &hits->wall), SADDLE_OK);
    hits->ball = motion_particle(scene, 1, x, v);
    scene->options.integrator = SADDLE_INTEGRATOR_TRAPEZOIDAL;
    if (way == 1) {
        scene->options.contacts = touch_wall;
        scene->options.user = hits;
        return;
    }
    saddle_row_def row = saddle_row_def_default();
    row.purpose = SADDLE_PURPOSE_IMPACT;
    row.restitution = 0.5;
    const saddle_anchor anchors[2] = {{.part = hits->wall}, {.part = hits->ball}};
    const saddle_constraint_def def = {
        .type = &type, .count = 2, .anchors = anchors, .rows = 1, .row = &row};
    saddle_handle constraint;
    assert_int_equal(saddle_model_add_constraint(scene->model, &def, &constraint), SADDLE_OK);
}

/* A wall that comes at 2 m/s hits what comes at 1 m/s: u- = -3, u+ = 3 e. */
static void a_wall_that_moves_gives_its_velocity_and_restitution(void **unused)
{
    (void)unused;
    for (int way = 0; way < 2; way++) {
        motion scene;
        wall_hits hits = {0};
        begin_wall(&scene, &hits, way, 0);
        motion_run(&scene, 1);
        assert_true(fabs(saddle_model_velocity(scene.model, hits.ball)[0] - 3.5) < 1e-14);
        assert_true(fabs(saddle_stepper_solution(scene.stepper)->lambda[0] - 4.5) < 1e-14);
        motion_run(&scene, 1); /* it leaves: still in touch, nothing acts */
        assert_true(saddle_model_velocity(scene.model, hits.ball)[0] > 3.5 - 1e-14);
        assert_true(saddle_stepper_solution(scene.stepper)->lambda[0] == 0);
        motion_end(&scene);
    }
}

/* At phi = 0, or where it came through with an impact. */
static void what_lands_without_restitution_stays(void **unused)
{
    (void)unused;
    static const struct {
        saddle_integrator integrator;
        int impact;
    } ways[] = {{SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 0}, {SADDLE_INTEGRATOR_IMPLICIT_EULER, 0},
                {SADDLE_INTEGRATOR_TRAPEZOIDAL, 0},      {SADDLE_INTEGRATOR_BRIDSON_MARINO, 0},
                {SADDLE_INTEGRATOR_SYMPLECTIC_EULER, 1}, {SADDLE_INTEGRATOR_IMPLICIT_EULER, 1},
                {SADDLE_INTEGRATOR_TRAPEZOIDAL, 1}};
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        ball b;
        drop(&b);
        b.restitution = 0;
        b.impact = ways[k].impact;
        b.scene.options.integrator = ways[k].integrator;
        b.scene.options.contacts = touch_ground;
        b.scene.options.user = &b;
        motion_run(&b.scene, 150); /* it lands at the 90th */
        const double x = saddle_model_position(b.scene.model, b.part)[0];
        assert_true(fabs(saddle_model_velocity(b.scene.model, b.part)[0]) < 1e-11);
        /* as deep as half a step */
        assert_true(fabs(x) < (b.impact ? 0.005 / 2 * sqrt(2 * 9.81) + 1e-3 : 1e-11));
        motion_end(&b.scene);
    }
}

/* The approach of 3 m/s, half a step of 0.01 s: 0.015 m is touched, a bit more is not. */
static void what_is_not_touched_carries_nothing_and_tells_its_gap(void **unused)
{
    (void)unused;
    for (int way = 0; way < 2; way++) {
        for (int far = 0; far < 2; far++) {
            motion scene;
            wall_hits hits = {0};
            const double place = far ? 0.0151 : 0.0149;
            begin_wall(&scene, &hits, way, place);
            motion_run(&scene, 1);
            assert_true(saddle_assembly_phi(saddle_stepper_assembly(scene.stepper))[0] == place);
            assert_true(fabs(saddle_stepper_solution(scene.stepper)->lambda[0] - (far ? 0 : 4.5)) <
                        1e-14);
            assert_true(fabs(saddle_model_velocity(scene.model, hits.ball)[0] - (far ? -1 : 3.5)) <
                        1e-14);
            motion_end(&scene);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bouncing_ball_is_the_published_one_as_a_row),
        cmocka_unit_test(the_bouncing_ball_is_the_published_one_as_a_contact),
        cmocka_unit_test(the_woodpecker_is_the_published_one_by_every_law_and_solver),
        cmocka_unit_test(a_wall_that_moves_gives_its_velocity_and_restitution),
        cmocka_unit_test(what_lands_without_restitution_stays),
        cmocka_unit_test(what_is_not_touched_carries_nothing_and_tells_its_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
