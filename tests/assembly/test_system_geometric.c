/* SPDX-License-Identifier: MIT */
/* Geometric stiffness of contacts and attachments: differences of the forces that arrive while the
 * forces themselves stay. */
#include <math.h>
#include <string.h>

#include "motion.h"
#include "saddle/assembly.h"
#include "saddle/attach.h"
#include "saddle/forces.h"
#include "space/space.h"

enum { N = 12, ROWS = SADDLE_CONTACT_ROWS };

typedef struct drawn { /* two bodies in contact, with torsional and rolling friction */
    motion scene;
    saddle_handle body[2];
    double arm[2][3]; /* points of contact, body axes */
    saddle_contact_list list;
    double lambda[ROWS];
} drawn;

static void place_contact(drawn *d)
{
    saddle_contact_point *point = &d->list.point[0];
    saddle_pose_point(saddle_model_pose(d->scene.model, d->body[0]), d->arm[0], point->a.point);
    saddle_pose_point(saddle_model_pose(d->scene.model, d->body[1]), d->arm[1], point->b.point);
}

static void draw(uint64_t *seed, drawn *d)
{
    saddle_contact_point *point;
    const double moments[3] = {0.3, 0.4, 0.5}, center[3] = {0.1, -0.1, 0.2};
    memset(d, 0, sizeof *d);
    motion_begin(&d->scene, NULL, NULL);
    for (int k = 0; k < 2; k++) {
        double twist[6];
        for (int i = 0; i < 6; i++) twist[i] = test_uniform(seed, -1, 1);
        const saddle_pose pose = saddle_pose_exp(twist);
        d->body[k] = motion_body(&d->scene, moments, center, &pose, NULL);
        for (int i = 0; i < 3; i++) d->arm[k][i] = test_uniform(seed, -1, 1);
    }
    for (int i = 0; i < ROWS; i++) d->lambda[i] = test_uniform(seed, -2, 2);
    d->list.context = d->scene.context;
    assert_int_equal(saddle_contact_list_add(&d->list, &point), SADDLE_OK);
    point->id = 7;
    point->a.part = d->body[0];
    point->b.part = d->body[1];
    for (int i = 0; i < 3; i++) point->normal[i] = test_uniform(seed, -1, 1);
    assert_true(saddle__direction(point->normal, point->normal) > 0);
    point->mu = 0.5;
    point->mu_torsion = point->mu_rolling = 0.1;
    place_contact(d);
}

static void end(drawn *d)
{
    saddle_contact_list_clear(&d->list);
    motion_end(&d->scene);
}

static const saddle_stage whole = {.time_step = 1, .row_step = 1, .theta = 1, .stiffness = 1};

/* M (N x N) of an assembly with the options, the impulses of the contact kept; J'lambda into force
 * (N; NULL is fine). */
static void form(drawn *d, const saddle_assembly_options *options, double *M, double *force)
{
    saddle_assembly *assembly;
    assert_int_equal(saddle_assembly_create(d->scene.model, options, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_update(assembly, &whole, &d->list, NULL), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(assembly);
    const int64_t row = saddle_assembly_contact_row(assembly, 7);
    double lambda[64] = {0};
    assert_true(p->m <= 64);
    memcpy(lambda + row, d->lambda, sizeof d->lambda);
    saddle_assembly_keep_impulses(assembly, 1, lambda);
    assert_int_equal(saddle_assembly_update(assembly, &whole, &d->list, NULL), SADDLE_OK);
    for (int j = 0; M && j < N; j++)
        for (int i = 0; i < N; i++) M[i + N * j] = saddle_matrix_entry(&p->M, i, j);
    if (force) saddle_matrix_apply(&p->Jt, 1, lambda, 0, force);
    saddle_assembly_free(assembly);
}

/* K (N x N): central differences of J'lambda by the bodies' displacements. */
static void differences(drawn *d, double *K)
{
    const double step = 1e-5;
    for (int j = 0; j < N; j++) {
        saddle_pose *pose = saddle_model_pose(d->scene.model, d->body[j / 6]), kept = *pose;
        double force[2][N];
        for (int side = 0; side < 2; side++) {
            double twist[6] = {0};
            twist[j % 6] = side ? step : -step;
            const saddle_pose moved = saddle_pose_exp(twist);
            *pose = saddle_pose_multiply(&kept, &moved);
            place_contact(d);
            form(d, NULL, NULL, force[side]);
        }
        *pose = kept;
        place_contact(d);
        for (int i = 0; i < N; i++) K[i + N * j] = (force[1][i] - force[0][i]) / (2 * step);
    }
}

static void stiffness_of_contacts_is_the_difference_of_their_wrenches(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < 20; trial++) {
        drawn d;
        double with[N * N], without[N * N], K[N * N];
        saddle_assembly_options options = saddle_assembly_options_default();
        draw(&seed, &d);
        differences(&d, K);
        for (int general = 0; general < 2; general++) {
            options.gyroscopic_jacobian = general;
            options.geometric_stiffness = 0;
            form(&d, &options, without, NULL);
            options.geometric_stiffness = 1;
            form(&d, &options, with, NULL);
            double largest = 0;
            for (int j = 0; j < N; j++) {
                for (int i = 0; i < N; i++) {
                    const double exact = general ? K[i + N * j] : (K[i + N * j] + K[j + N * i]) / 2;
                    const double found = without[i + N * j] - with[i + N * j];
                    largest = fmax(largest, fabs(exact));
                    assert_true(fabs(found - exact) < 1e-8);
                }
            }
            assert_true(largest > 0.1);
        }
        end(&d);
    }
}

/* A load F on a particle attached at c: the body's wrench is (R'F, c x R'F). */
static void stiffness_of_an_attachment_is_the_difference_of_its_wrench(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    motion scene;
    motion_begin(&scene, NULL, NULL);
    const double moments[3] = {0.3, 0.4, 0.5}, none[3] = {0, 0, 0}, step = 1e-5;
    double twist[6], c[3], x[3], M[2][36], arm[3], R[9];
    saddle_dead_load load = {.point = {0}};
    for (int i = 0; i < 6; i++) twist[i] = test_uniform(&seed, -1, 1);
    for (int i = 0; i < 3; i++) {
        c[i] = test_uniform(&seed, -1, 1);
        load.force[i] = test_uniform(&seed, -1, 1);
    }
    const saddle_pose pose = saddle_pose_exp(twist);
    saddle_pose_point(&pose, c, x);
    const saddle_handle body = motion_body(&scene, moments, none, &pose, NULL);
    const saddle_handle bob = motion_particle(&scene, 1, x, NULL);
    const saddle_anchor to = {body, 0}, at = {bob, 0};
    const saddle_attach_def def = {.part = bob, .masters = 1, .to = &to};
    saddle_handle made;
    assert_int_equal(saddle_model_attach(scene.model, &def, &made), SADDLE_OK);
    assert_int_equal(saddle_model_add_dead_load(scene.model, NULL, at, &load, &made), SADDLE_OK);
    saddle_assembly_options options = saddle_assembly_options_default();
    options.gyroscopic_jacobian = 1;
    for (int with = 0; with < 2; with++) {
        saddle_assembly *assembly;
        options.geometric_stiffness = with;
        assert_int_equal(saddle_assembly_create(scene.model, &options, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &whole, NULL, NULL), SADDLE_OK);
        for (int e = 0; e < 36; e++)
            M[with][e] = saddle_matrix_entry(&saddle_assembly_problem(assembly)->M, e % 6, e / 6);
        saddle_assembly_free(assembly);
    }
    for (int j = 0; j < 6; j++) {
        double wrench[2][6];
        for (int side = 0; side < 2; side++) {
            double turn[3] = {0};
            if (j >= 3) turn[j - 3] = side ? step : -step;
            saddle_rotation_exp(turn, R);
            saddle__product3(pose.R, R, R);
            saddle__unrotate(R, load.force, wrench[side]);
            saddle__cross(c, wrench[side], arm);
            memcpy(wrench[side] + 3, arm, sizeof arm);
        }
        for (int i = 0; i < 6; i++) {
            const double exact = (wrench[1][i] - wrench[0][i]) / (2 * step);
            assert_true(fabs(M[0][i + 6 * j] - M[1][i + 6 * j] - exact) < 1e-8);
        }
    }
    motion_end(&scene);
}

/* A weight attached high above a body on a hinge falls over: its place after 0.8 s. */
static double fallen(int geometric, double h)
{
    motion scene;
    motion_begin(&scene, NULL, motion_weight);
    const double moments[3] = {0.1, 0.1, 0.1}, none[3] = {0, 0, 0}, x[3] = {0.05, 0, 2};
    const saddle_handle ground = {0};
    const saddle_pose pose = saddle_pose_identity();
    const saddle_handle body = motion_body(&scene, moments, none, &pose, NULL);
    const saddle_handle bob = motion_particle(&scene, 3, x, NULL);
    const saddle_anchor to = {body, 0};
    const saddle_attach_def def = {.part = bob, .masters = 1, .to = &to};
    const double axis[3] = {0, 1, 0};
    saddle_handle made;
    assert_int_equal(saddle_model_attach(scene.model, &def, &made), SADDLE_OK);
    (void)motion_hinge(&scene, ground, body, none, axis);
    scene.options.integrator = SADDLE_INTEGRATOR_IMPLICIT_EULER;
    scene.options.assembly.geometric_stiffness = geometric;
    scene.options.time_step = h;
    motion_run(&scene, (int64_t)(0.8 / h + 0.5));
    const double at = saddle_model_position(scene.model, bob)[0];
    motion_end(&scene);
    return at;
}

static void geometric_stiffness_keeps_the_order_of_implicit_steps(void **state)
{
    (void)state;
    const double exact = (2 * fallen(1, 1e-3) - fallen(1, 2e-3));
    assert_true(fabs(fallen(1, 0.02) - fallen(0, 0.02)) > 1e-6); /* the option is heard */
    for (int geometric = 0; geometric < 2; geometric++) {
        const double coarse = fabs(fallen(geometric, 0.02) - exact),
                     fine = fabs(fallen(geometric, 0.01) - exact);
        assert_true(fabs(motion_order(coarse, fine) - 1) < 0.3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_of_contacts_is_the_difference_of_their_wrenches),
        cmocka_unit_test(stiffness_of_an_attachment_is_the_difference_of_its_wrench),
        cmocka_unit_test(geometric_stiffness_keeps_the_order_of_implicit_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
