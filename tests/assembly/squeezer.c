/* SPDX-License-Identifier: MIT */
/* See squeezer.h.  A body's frame is at the hinge that holds it in the tree of the first seven
 * joints. */
#include <math.h>
#include <string.h>

#include "squeezer.h"

enum { K1, K2, K3, K4, K5, K6, K7, GROUND };

/* ---- parameters ---- */

static const double xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014,
                    yc = 0.072;
static const double d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092,
                    ss = 0.035, sa = 0.01874;
static const double sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916, u = 0.04,
                    ua = 0.01228, ub = 0.00449;
static const double zf = 0.02, zt = 0.04, fa = 0.01421, c0 = 4530, l0 = 0.07785, mom = 0.033;

static const double mass[SQUEEZER_BODIES] = {0.04325, 0.00365, 0.02373, 0.00706,
                                             0.0705,  0.00706, 0.05498};
static const double moment[SQUEEZER_BODIES] = {2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7,
                                               1.169e-5, 5.667e-7, 1.912e-5};

/* Centre of mass of a body in its frame. */
static void center_of(int body, double *c)
{
    const double all[SQUEEZER_BODIES][3] = {{ra},     {-da},     {sa, sb}, {0, ea - e},
                                            {ta, tb}, {zf - fa}, {ua, ub}};
    memcpy(c, all[body], sizeof all[body]);
}

typedef struct hinge {
    int a, b;
    double at_a[2], at_b[2]; /* in their frames */
} hinge;

/* Those of the angles (beta, Theta, gamma, Phi, delta, Omega, epsilon), then those of the gaps. */
static hinge hinge_of(int joint)
{
    const hinge all[SQUEEZER_JOINTS] = {
        {GROUND, K1, {0, 0}, {0, 0}}, /* crank */
        {K1, K2, {rr, 0}, {0, 0}},    {GROUND, K3, {xb, yb}, {0, 0}},
        {K5, K4, {zt, 0}, {0, 0}},    {GROUND, K5, {xa, ya}, {0, 0}},
        {K7, K6, {0, -u}, {0, 0}},    {GROUND, K7, {xa, ya}, {0, 0}},
        {K2, K3, {-d, 0}, {0, -ss}}, /* where the branches meet */
        {K2, K4, {-d, 0}, {0, -e}},   {K2, K6, {-d, 0}, {zf, 0}},
    };
    return all[joint];
}

/* ---- placing ---- */

typedef struct place {
    double x, y, angle, vx, vy, rate;
} place;

/* A hinge's b by its a, the angle and its rate; at_b is 0 in the tree. */
static place hang(const hinge *h, const place *a, double angle, double rate)
{
    const double cosine = cos(a->angle), sine = sin(a->angle);
    const double x = cosine * h->at_a[0] - sine * h->at_a[1],
                 y = sine * h->at_a[0] + cosine * h->at_a[1];
    return (
        place){a->x + x,      a->y + y, a->angle + angle, a->vx - a->rate * y, a->vy + a->rate * x,
               a->rate + rate};
}

/* A body after the one that it hangs on. */
static void place_bodies(const double *q, const double *v, place at[SQUEEZER_BODIES + 1])
{
    static const int order[SQUEEZER_BODIES] = {0, 1, 2, 4, 3, 6, 5};
    at[GROUND] = (place){0};
    for (int k = 0; k < SQUEEZER_BODIES; k++) {
        const hinge h = hinge_of(order[k]);
        at[h.b] = hang(&h, &at[h.a], q[order[k]], v[order[k]]);
    }
}

static void add_body(squeezer *s, int k, const place *at)
{
    static const char *const names[SQUEEZER_BODIES] = {"K1", "K2", "K3", "K4", "K5", "K6", "K7"};
    const double turn[6] = {0, 0, 0, 0, 0, at->angle}, cosine = cos(at->angle),
                 sine = sin(at->angle);
    saddle_body_def def = saddle_body_def_default();
    def.name = names[k];
    def.inertia.mass = mass[k];
    center_of(k, def.inertia.center);
    for (int i = 0; i < 3; i++) def.inertia.moment[4 * i] = moment[k];
    def.pose = saddle_pose_exp(turn);
    def.pose.p[0] = at->x;
    def.pose.p[1] = at->y;
    def.twist[0] = cosine * at->vx + sine * at->vy;
    def.twist[1] = -sine * at->vx + cosine * at->vy;
    def.twist[5] = at->rate;
    assert_int_equal(saddle_model_add_body(s->scene.model, &def, &s->body[k]), SADDLE_OK);
}

static saddle_handle body_of(const squeezer *s, int k)
{
    return k == GROUND ? (saddle_handle){0} : s->body[k];
}

static void add_joint(squeezer *s, int k, int planar)
{
    const hinge h = hinge_of(k);
    saddle_joint_def def = saddle_joint_def_default();
    def.kind = planar && k >= SQUEEZER_BODIES ? SADDLE_JOINT_CUSTOM : SADDLE_JOINT_HINGE;
    def.locked = SADDLE_LOCK_X | SADDLE_LOCK_Y;
    def.a = body_of(s, h.a);
    def.b = body_of(s, h.b);
    memcpy(def.frame_a.p, h.at_a, sizeof h.at_a);
    memcpy(def.frame_b.p, h.at_b, sizeof h.at_b);
    assert_int_equal(saddle_model_add_joint(s->scene.model, &def, &s->joint[k]), SADDLE_OK);
}

/* ---- forces ---- */

static saddle_status drive(saddle_context *context, const saddle_site *site, double *const *force)
{
    (void)context;
    force[0][5] = *(const double *)site->data;
    return SADDLE_OK;
}

static saddle_status constant(saddle_context *context, const saddle_site *site, double *const *K,
                              double *const *D)
{
    (void)context, (void)site, (void)K, (void)D;
    return SADDLE_OK;
}

static void add_forces(squeezer *s)
{
    static const saddle_force_type type = {.name = "drive",
                                           .evaluate = drive,
                                           .jacobians = constant,
                                           .symmetric = 1};
    const saddle_anchor crank = {.part = s->body[K1]}, branch = {.part = s->body[K3]}, ground = {0};
    const saddle_force_def def = {
        .type = &type, .count = 1, .anchors = &crank, .data = &mom, .bytes = sizeof mom};
    const saddle_spring spring = {.point_a = {xc, yc},
                                  .point_b = {sd, -sc},
                                  .stiffness = c0,
                                  .rest_length = l0};
    saddle_handle force;
    assert_int_equal(saddle_model_add_force(s->scene.model, &def, &force), SADDLE_OK);
    assert_int_equal(saddle_model_add_spring(s->scene.model, "spring", ground, branch, &spring,
                                             &force),
                     SADDLE_OK);
}

void squeezer_begin(squeezer *s, const double *q, const double *v, int planar)
{
    static const double rest[SQUEEZER_BODIES] = {0};
    place at[SQUEEZER_BODIES + 1];
    motion_begin(&s->scene, NULL, NULL);
    place_bodies(q, v != NULL ? v : rest, at);
    for (int k = 0; k < SQUEEZER_BODIES; k++) add_body(s, k, &at[k]);
    for (int k = 0; k < SQUEEZER_JOINTS; k++) add_joint(s, k, planar);
    add_forces(s);
}

void squeezer_end(squeezer *s)
{
    motion_end(&s->scene);
}

/* ---- reading ---- */

void squeezer_read(squeezer *s, double *q, double *v)
{
    for (int k = 0; k < SQUEEZER_BODIES; k++) {
        assert_int_equal(saddle_model_joint_coordinates(s->scene.model, s->joint[k], &q[k], &v[k]),
                         SADDLE_OK);
    }
}

void squeezer_multipliers(squeezer *s, double *lambda)
{
    saddle_assembly *assembly = NULL;
    saddle_solution solution = {0};
    assert_int_equal(saddle_assembly_create(s->scene.model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
    const saddle_problem *problem = saddle_assembly_problem(assembly);
    assert_int_equal(saddle_solve(s->scene.context, problem, "ldlt", NULL, NULL, &solution, NULL),
                     SADDLE_OK);
    for (int loop = 0; loop < SQUEEZER_LOOPS; loop++) {
        const saddle_handle joint = s->joint[SQUEEZER_BODIES + loop],
                            end = s->body[hinge_of(SQUEEZER_BODIES + loop).b];
        const int64_t row = saddle_assembly_row(assembly, joint),
                      column = saddle_assembly_column(assembly, end);
        const double *R = saddle_model_pose(s->scene.model, end)->R;
        double force[2] = {0}; /* on the branch's end, in its axes */
        for (int64_t i = row; i < row + saddle_model_constraint_rows(s->scene.model, joint); i++) {
            for (int k = 0; k < 2; k++) {
                force[k] += saddle_matrix_entry(&problem->Jt, column + k, i) * solution.lambda[i];
            }
        }
        for (int k = 0; k < 2; k++) lambda[2 * loop + k] = R[k] * force[0] + R[k + 3] * force[1];
    }
    saddle_solution_clear(&solution);
    saddle_assembly_free(assembly);
}
