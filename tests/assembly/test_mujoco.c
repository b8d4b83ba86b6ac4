/* SPDX-License-Identifier: MIT */
/* Models in MJCF and URDF against MuJoCo, which works in joint coordinates: masses, and
 * accelerations of all bodies without contacts, at drawn positions and velocities. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saddle/import.h"
#include "saddle/scene.h"
#include "saddle/spatial.h"
#include "support.h"

#ifdef SADDLE_HAVE_MUJOCO

#include <mujoco/mujoco.h>

typedef struct twins {
    mjModel *m;
    mjData *d;
    saddle_scene scene;
} twins;

/* ---- loading ---- */

static void load_mujoco(const char *path, twins *t)
{
    char error[1000] = "";
    t->m = mj_loadXML(path, NULL, error, sizeof error);
    if (!t->m) fail_msg("MuJoCo: %s: %s", path, error);
    /* limits, dry friction and contacts are rows, and MuJoCo's are soft */
    t->m->opt.disableflags |= mjDSBL_CONSTRAINT;
    t->d = mj_makeData(t->m);
}

static void load(const char *path, int skip, twins *t)
{
    saddle_context *context = NULL;
    saddle_import import;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    load_mujoco(path, t);
    saddle_status status = saddle_import_read(context, path, skip, &import);
    if (status == SADDLE_OK)
        status = saddle_scene_read_text(context, import.scene, import.length, path, NULL,
                                        &t->scene);
    if (status != SADDLE_OK) fail_msg("%s", saddle_context_message(context));
    saddle_import_clear(&import);
}

static void clear(twins *t)
{
    saddle_context *context = t->scene.context;
    saddle_scene_clear(&t->scene);
    saddle_context_free(context);
    mj_deleteData(t->d);
    mj_deleteModel(t->m);
}

/* Writes text to a file of the build, for both programs. */
static const char *written(const char *text, const char *extension)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/tests/assembly/mujoco_model.%s", SADDLE_BUILD_DIR, extension);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

/* ---- states ---- */

static void draw_state(uint64_t *state, const twins *t)
{
    const mjModel *m = t->m;
    mj_resetData(m, t->d);
    for (int i = 0; i < m->nv; i++) t->d->qvel[i] = test_uniform(state, -1, 1);
    for (int j = 0; j < m->njnt; j++) {
        mjtNum *q = t->d->qpos + m->jnt_qposadr[j];
        const int type = m->jnt_type[j];
        const int numbers = type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
        for (int i = 0; i < numbers; i++) q[i] += test_uniform(state, -0.6, 0.6);
        if (numbers > 1) mju_normalize4(q + numbers - 4);
    }
    for (int b = 0; b < m->nmocap; b++) mju_normalize4(t->d->mocap_quat + 4 * b);
    mj_forward(m, t->d);
    mj_rnePostConstraint(m, t->d);
}

/* b = R a of MuJoCo's matrices, by rows */
static void turn(const mjtNum *R, const double *a, double *b)
{
    for (int i = 0; i < 3; i++) b[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

/* Pose and velocity of a body of MuJoCo: linear and angular, at its origin, in the world. */
typedef struct motion {
    saddle_pose pose;
    double nu[3], omega[3];
} motion;

static motion motion_of(const twins *t, int body)
{
    motion x;
    mjtNum six[6];
    mj_objectVelocity(t->m, t->d, mjOBJ_XBODY, body, six, 0);
    for (int i = 0; i < 3; i++) {
        x.pose.p[i] = t->d->xpos[3 * body + i];
        x.omega[i] = six[i];
        x.nu[i] = six[3 + i];
        for (int j = 0; j < 3; j++) x.pose.R[i + 3 * j] = t->d->xmat[9 * body + 3 * i + j];
    }
    return x;
}

/* Takes the last joint of a stack away from the motion. */
static void undo(const twins *t, int joint, motion *x)
{
    const double *axis = t->d->xaxis + 3 * joint, *anchor = t->d->xanchor + 3 * joint;
    const double dq = t->d->qvel[t->m->jnt_dofadr[joint]];
    const int at = t->m->jnt_qposadr[joint];
    const double q = t->d->qpos[at] - t->m->qpos0[at];
    saddle_pose turned = saddle_pose_identity(), back = saddle_pose_identity();
    if (t->m->jnt_type[joint] == mjJNT_SLIDE) {
        for (int i = 0; i < 3; i++) x->pose.p[i] -= q * axis[i];
        for (int i = 0; i < 3; i++) x->nu[i] -= dq * axis[i];
        return;
    }
    const double twist[6] = {0, 0, 0, -q * axis[0], -q * axis[1], -q * axis[2]};
    turned = saddle_pose_exp(twist);
    for (int i = 0; i < 3; i++) back.p[i] = -anchor[i];
    turned = saddle_pose_multiply(&turned, &back);
    for (int i = 0; i < 3; i++) turned.p[i] += anchor[i];
    const saddle_pose before = saddle_pose_multiply(&turned, &x->pose);
    double arm[3], carried[3], spin[3], lost[3];
    for (int i = 0; i < 3; i++) arm[i] = before.p[i] - x->pose.p[i];
    cross(x->omega, arm, carried); /* of the body, at the new origin */
    for (int i = 0; i < 3; i++) spin[i] = dq * axis[i];
    for (int i = 0; i < 3; i++) arm[i] = before.p[i] - anchor[i];
    cross(spin, arm, lost);
    for (int i = 0; i < 3; i++) {
        x->nu[i] += carried[i] - lost[i];
        x->omega[i] -= spin[i];
    }
    x->pose = before;
}

static void set_part(saddle_model *model, saddle_handle part, const motion *x)
{
    double *twist = saddle_model_velocity(model, part);
    *saddle_model_pose(model, part) = x->pose;
    for (int i = 0; i < 3; i++) {
        const double *axis = x->pose.R + 3 * i;
        twist[i] = axis[0] * x->nu[0] + axis[1] * x->nu[1] + axis[2] * x->nu[2];
        twist[3 + i] = axis[0] * x->omega[0] + axis[1] * x->omega[1] + axis[2] * x->omega[2];
    }
}

/* 1: a part of its own in the scene. */
static int moves(const mjModel *m, int body)
{
    return m->body_jntnum[body] > 0 || m->body_mocapid[body] >= 0;
}

/* The parts of the scene in order: those of bodies, and NAME/K between the joints of a body, behind
 * K of the joints.  Sets their motions; part[body]: the part. */
static void set_state(const twins *t, saddle_handle *part)
{
    saddle_model *model = t->scene.model;
    int64_t k = 0;
    for (int body = 1; body < t->m->nbody; body++) {
        if (!moves(t->m, body)) continue;
        const motion x = motion_of(t, body);
        part[body] = saddle_model_part_at(model, k++);
        set_part(model, part[body], &x);
        for (; k < saddle_model_part_count(model); k++) {
            const saddle_handle between = saddle_model_part_at(model, k);
            const char *slash = strrchr(saddle_model_name(model, between), '/');
            int behind = 0;
            if (!slash || sscanf(slash, "/%d", &behind) != 1) break;
            motion before = x;
            const int first = t->m->body_jntadr[body];
            for (int j = first + t->m->body_jntnum[body] - 1; j >= first + behind; j--)
                undo(t, j, &before);
            set_part(model, between, &before);
        }
    }
    assert_int_equal(k, saddle_model_part_count(model));
}

/* Derivative of the twist of a body, as MuJoCo has it. */
static void twist_rate(const twins *t, int body, double *rate)
{
    const mjtNum *R = t->d->xmat + 9 * body;
    mjtNum v[6], a[6];
    double spin[3], Rt[9], g[3];
    mj_objectVelocity(t->m, t->d, mjOBJ_XBODY, body, v, 1);
    mj_objectAcceleration(t->m, t->d, mjOBJ_XBODY, body, a, 1);
    for (int i = 0; i < 9; i++) Rt[i] = R[3 * (i % 3) + i / 3];
    turn(Rt, t->m->opt.gravity, g); /* MuJoCo's world accelerates by -g */
    cross(v, v + 3, spin);
    const int weightless = t->m->opt.disableflags & mjDSBL_GRAVITY;
    for (int i = 0; i < 3; i++) {
        rate[i] = a[3 + i] + (weightless ? 0 : g[i]) - spin[i];
        rate[3 + i] = a[i];
    }
}

/* ---- comparison ---- */

/* Gives MuJoCo the principal axes of our inertia, where the body's frame has others. */
static void set_principal(const twins *t, int body, const saddle_body_inertia *inertia)
{
    saddle_pose frame;
    double moments[3], q[4];
    if (t->m->body_sameframe[body]) return;
    saddle_body_inertia_principal(inertia, &frame, moments);
    saddle_quaternion_from_matrix(frame.R, q);
    mju_copy(t->m->body_iquat + 4 * body, q, 4);
    mju_copy(t->m->body_inertia + 3 * body, moments, 3);
}

/* Masses agree to rounding; moments to 1e-8, to which MuJoCo finds principal axes. */
static void compare_masses(const twins *t, const saddle_handle *part)
{
    const mjModel *m = t->m;
    for (int body = 1; body < m->nbody; body++) {
        int welded = 0;
        for (int other = body + 1; other < m->nbody; other++)
            welded |= !moves(m, other) && m->body_weldid[other] == body;
        if (!moves(m, body) || welded || m->body_mocapid[body] >= 0) continue;
        const saddle_body_inertia *inertia = saddle_model_inertia(t->scene.model, part[body]);
        double R[9], moment[9] = {0};
        mju_quat2Mat(R, m->body_iquat + 4 * body);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                moment[i] += R[3 * (i % 3) + k] * m->body_inertia[3 * body + k] *
                             R[3 * (i / 3) + k];
        const double mass = inertia->mass;
        assert_true(fabs(m->body_mass[body] - mass) <= 1e-12 * mass);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(m->body_ipos[3 * body + i] - inertia->center[i]) <= 1e-12);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(moment[i] - inertia->moment[i]) <=
                        2e-8 * (fabs(moment[0]) + fabs(moment[4]) + fabs(moment[8])));
        set_principal(t, body, inertia);
    }
}

/* The largest difference of accelerations over the largest acceleration. */
static double difference(const twins *t, const saddle_handle *part)
{
    saddle_assembly *assembly = NULL;
    saddle_solution solution = {0};
    double largest = 0, far = 0;
    assert_int_equal(saddle_assembly_create(t->scene.model, &t->scene.options.assembly, &assembly),
                     SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
    assert_int_equal(saddle_solve(NULL, saddle_assembly_problem(assembly), "lu", NULL, NULL,
                                  &solution, NULL),
                     SADDLE_OK);
    for (int body = 1; body < t->m->nbody; body++) {
        double rate[6];
        if (!moves(t->m, body) || t->m->body_mocapid[body] >= 0) continue;
        const double *ours = solution.v + saddle_assembly_column(assembly, part[body]);
        twist_rate(t, body, rate);
        for (int i = 0; i < 6; i++) {
            largest = fmax(largest, fabs(rate[i]));
            far = fmax(far, fabs(rate[i] - ours[i]));
        }
    }
    saddle_solution_clear(&solution);
    saddle_assembly_free(assembly);
    assert_true(largest > 0);
    return far / largest;
}

/* 1: a part between joints, whose inertia is 1e-10 of a body's and weighs up to ten times as much
 * in accelerations. */
static int has_parts_between(const twins *t)
{
    int found = 0;
    for (int64_t k = 0; k < saddle_model_part_count(t->scene.model); k++)
        found |= strchr(saddle_model_name(t->scene.model, saddle_model_part_at(t->scene.model, k)),
                        '/') != NULL;
    return found;
}

/* Accelerations at drawn states agree to 1e-9, with parts between to 2e-9. */
static void compare(const char *path, int skip)
{
    uint64_t state = test_seed();
    saddle_handle part[200];
    twins t = {0};
    load(path, skip, &t);
    assert_true(t.m->nbody < 200);
    if (skip) {
        t.m->opt.disableflags |= mjDSBL_ACTUATION;
    }
    for (int draw = 0; draw < 20; draw++) {
        draw_state(&state, &t);
        set_state(&t, part);
        if (draw == 0) {
            compare_masses(&t, part);
            mj_forward(t.m, t.d);
            mj_rnePostConstraint(t.m, t.d);
        }
        const double far = difference(&t, part);
        if (!(far < (has_parts_between(&t) ? 2e-9 : 1e-9)))
            fail_msg("%s: accelerations differ by %g", path, far);
    }
    clear(&t);
}

/* The text of a file without the word that MuJoCo 2.2.2 does not know: islands of its solvers. */
static const char *older(const char *path)
{
    static char text[100000];
    static const char *const words[] = {"island=\"enable\"", "island=\"disable\""};
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (int k = 0; k < 2; k++) {
        char *at = strstr(text, words[k]);
        if (at) memset(at, ' ', strlen(words[k]));
    }
    return text;
}

static void models_of_others_accelerate_as_in_mujoco(void **unused)
{
    static const char *const names[] = {
        "models_mjcf/humanoid/humanoid.xml",
        "models_mjcf/engine/testdata/derivative/energy_conserving_pendulum.xml",
        "models_mjcf/slider_crank/slider_crank.xml",
        "models_mjcf/engine/testdata/island/abacus.xml", "models_mjcf/tendon_arm/arm26.xml"};
    (void)unused;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        compare(written(older(test_data_path(names[k])), "xml"), 1);
}

/* ---- models of our own ---- */

static void text_accelerates(const char *text, const char *extension)
{
    compare(written(text, extension), 0);
}

static void masses_of_geoms_and_inertials_are_mujocos(void **unused)
{
    (void)unused;
    text_accelerates(
        "<mujoco><worldbody>"
        "<body pos='0 0 1'><freejoint/><geom type='sphere' size='.1' density='500'/></body>"
        "<body pos='1 0 1'><freejoint/><geom type='capsule' size='.1 .2' euler='10 20 30'/></body>"
        "<body pos='2 0 1'><freejoint/><geom type='cylinder' size='.1 .2' mass='3' contype='0' "
        "conaffinity='0'/></body>"
        "<body pos='3 0 1'><freejoint/><geom type='box' size='.1 .2 .3' pos='.1 .2 .3'/></body>"
        "<body pos='4 0 1'><freejoint/><geom type='ellipsoid' size='.1 .2 .3' contype='0' "
        "conaffinity='0' zaxis='1 2 3'/></body>"
        "<body pos='5 0 1'><freejoint/><geom type='box' size='.1' fromto='0 0 0 .3 .4 .5'/>"
        "<geom type='capsule' size='.05' fromto='0 0 .1 .2 .4 -.5' mass='.5'/>"
        "<geom size='.2' pos='.5 0 0' density='0'/><geom size='.1' pos='0 .3 0'/></body>"
        "<body pos='6 0 1'><freejoint/><inertial pos='.1 .2 .3' mass='2' diaginertia='1 2 2.5' "
        "quat='1 2 3 4'/><geom size='.3'/></body>"
        "<body pos='7 0 1'><freejoint/><inertial pos='.1 0 .3' mass='2' "
        "fullinertia='1 1.5 2 .1 .2 .3'/></body>"
        "</worldbody></mujoco>",
        "xml");
    text_accelerates("<mujoco><compiler inertiafromgeom='true' inertiagrouprange='1 2'/>"
                     "<worldbody><body><freejoint/><inertial pos='0 0 0' mass='9' "
                     "diaginertia='1 1 1'/><geom size='.1'/><geom size='.2' group='1'/>"
                     "<geom size='.3' group='3'/></body></worldbody></mujoco>",
                     "xml");
}

static void joints_and_their_stacks_are_mujocos(void **unused)
{
    (void)unused;
    text_accelerates(
        "<mujoco><option gravity='1 2 -9'/><default><geom size='.1' contype='0' conaffinity='0'/>"
        "</default><worldbody>"
        "<body pos='0 0 1' euler='10 20 30'><joint axis='1 2 3' pos='.1 .2 .3'/><geom/>"
        " <body pos='.3 0 0'><joint type='slide' axis='1 0 1'/><geom pos='0 .1 .2'/>"
        "  <body pos='.3 0 0' euler='0 40 0'><joint type='ball' pos='0 .1 0'/><geom/>"
        "   <body pos='0 .2 0'><geom mass='2'/><body pos='.3 0 0'><geom/></body></body>"
        " </body></body></body>"
        "<body name='u' pos='2 0 1'><joint axis='1 0 0' pos='.1 0 0'/><joint axis='0 1 0' "
        "pos='.1 0 0'/><geom pos='.2 .3 .4'/>"
        " <body name='b' pos='.4 0 0'><joint axis='0 0 1'/><joint axis='0 1 0'/>"
        "<joint axis='1 0 0'/><geom pos='.2 .3 .4'/>"
        "  <body name='c' pos='.4 0 0'><joint axis='1 0 0'/><joint axis='0 1 0'/>"
        "<joint axis='0 0 1'/><geom pos='.2 .3 .4'/></body></body></body>"
        "<body name='p' pos='4 0 1' euler='0 0 20'><joint type='slide' axis='1 0 0'/>"
        "<joint type='slide' axis='0 0 1'/><joint axis='0 1 0' pos='0 .2 .1'/><geom pos='.1 0 0'/>"
        " <body name='o' pos='.4 0 0'><joint axis='0 1 0' pos='0 0 .1'/><joint axis='1 0 .5'/>"
        "<geom pos='.2 .3 .4'/></body></body>"
        "</worldbody></mujoco>",
        "xml");
}

static void springs_dampers_references_and_actuators_are_mujocos(void **unused)
{
    (void)unused;
    text_accelerates(
        "<mujoco><compiler autolimits='true'/><default><geom size='.1' contype='0' "
        "conaffinity='0'/></default><worldbody>"
        "<body pos='0 0 1'><joint name='a' armature='.2' axis='1 2 3' stiffness='7' damping='.3' "
        "springref='20' ref='10' range='-60 90'/><geom pos='.3 0 0'/>"
        " <body pos='.3 0 0'><joint name='s' type='slide' axis='1 0 0' stiffness='50' "
        "springref='.1' ref='.3' frictionloss='2'/><geom/><site name='tip' pos='0 0 .1'/>"
        "  <body pos='.4 0 0'><joint name='z' axis='0 0 1' stiffness='1'/>"
        "<joint name='y' axis='0 1 0' armature='.1' damping='2'/>"
        "<joint name='x' axis='1 0 0' stiffness='3' springref='15'/><geom pos='.2 .3 .4'/>"
        "   <body pos='.4 0 0'><joint axis='1 0 0' stiffness='1' springref='10'/>"
        "<joint axis='0 1 0' damping='2'/><joint name='l' axis='0 0 1' stiffness='3' "
        "springref='15'/><geom pos='.2 .3 .4'/></body></body></body></body>"
        "<site name='hook' pos='1 1 1'/></worldbody>"
        "<tendon><spatial stiffness='12' damping='.4' springlength='.7'>"
        "<site site='hook'/><site site='tip'/></spatial></tendon>"
        "<actuator><motor joint='a' gear='40' ctrllimited='true' ctrlrange='-1 1'/>"
        "<position joint='s' kp='30' gear='2'/><velocity joint='y' kv='5' gear='3'/>"
        "<general joint='l' gear='2' biastype='affine' biasprm='.3 -4 -.5'/></actuator></mujoco>",
        "xml");
}

static void settings_of_the_compiler_and_defaults_are_mujocos(void **unused)
{
    (void)unused;
    static const char *const orders[] = {"xyz", "zyx", "ZXY", "xYz", "zxz"};
    for (int k = 0; k < 5; k++) {
        char text[2000];
        snprintf(text, sizeof text,
                 "<mujoco><compiler angle='radian' eulerseq='%s' autolimits='true'/>"
                 "<option gravity='0 -3 -8' timestep='.01'><flag contact='disable'/></option>"
                 "<default><joint axis='1 0 0' damping='.1'/><geom size='.1'/>"
                 "<default class='long'><geom type='capsule' fromto='0 0 0 .3 .2 .1'/>"
                 "<default class='thin'><geom size='.02'/><joint damping='.2' stiffness='4'/>"
                 "</default></default></default><worldbody>"
                 "<body euler='.1 .2 .3' childclass='thin'><joint/><geom/>"
                 "<body pos='.3 .2 .1' axisangle='1 2 3 .7'><joint class='long'/>"
                 "<geom class='long'/><body pos='.1 0 0' xyaxes='1 2 0 0 1 1'><joint "
                 "axis='0 0 1'/><geom class='main' pos='.1 .2 .3'/><geom/></body></body></body>"
                 "</worldbody></mujoco>",
                 orders[k]);
        text_accelerates(text, "xml");
    }
    text_accelerates("<mujoco><option><flag gravity='disable' passive='disable'/></option>"
                     "<worldbody><body><joint stiffness='5' damping='2'/><geom size='.1' "
                     "pos='.1 .2 0'/><body pos='1 0 0' mocap='false'><joint axis='1 1 0'/>"
                     "<geom size='.1' pos='.1 .2 0'/></body></body>"
                     "<body name='m' mocap='true' pos='1 1 1'><geom size='.1'/></body>"
                     "</worldbody></mujoco>",
                     "xml");
}

static void urdf_is_read_as_mujoco_reads_it(void **unused)
{
    (void)unused;
    text_accelerates(
        "<robot name='arm'><link name='base'><inertial><mass value='9'/><inertia ixx='1' iyy='1' "
        "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>"
        "<joint name='j1' type='revolute'><parent link='base'/><child link='upper'/>"
        "<origin xyz='.1 .2 .3' rpy='.4 .5 .6'/><axis xyz='0 1 0'/>"
        "<limit lower='-1' upper='2' effort='9' velocity='9'/><dynamics damping='.4'/></joint>"
        "<link name='upper'><inertial><origin xyz='.1 0 .2' rpy='.3 -.2 .1'/><mass value='2'/>"
        "<inertia ixx='.1' ixy='.01' ixz='.02' iyy='.12' iyz='.005' izz='.13'/></inertial></link>"
        "<joint name='f' type='fixed'><parent link='upper'/><child link='tool'/>"
        "<origin xyz='0 0 .3' rpy='0 1 0'/></joint>"
        "<link name='tool'><inertial><mass value='1'/><inertia ixx='.1' ixy='0' ixz='0' iyy='.1' "
        "iyz='0' izz='.1'/></inertial></link>"
        "<joint name='j2' type='prismatic'><parent link='tool'/><child link='slider'/>"
        "<origin xyz='.2 0 0'/><axis xyz='1 0 1'/><limit lower='0' upper='1' effort='1' "
        "velocity='1'/></joint>"
        "<link name='slider'><inertial><mass value='1'/><inertia ixx='.1' ixy='0' ixz='0' "
        "iyy='.2' iyz='0' izz='.1'/></inertial></link>"
        "<joint name='j3' type='continuous'><parent link='slider'/><child link='wheel'/>"
        "<origin rpy='1.5 0 .2' xyz='0 .1 0'/></joint>"
        "<link name='wheel'><inertial><origin xyz='0 .1 .1'/><mass value='.5'/><inertia ixx='.01' "
        "ixy='0' ixz='0' iyy='.02' iyz='0' izz='.015'/></inertial></link></robot>",
        "urdf");
}

/* ---- equality ---- */

/* MuJoCo's accelerations with its equality rows hard, at rest: [M -J'; J 0] [a; F] = [f; 0]. */
static void accelerate_hard(const twins *t)
{
    const int n = t->m->nv, m = t->d->nefc, size = n + m;
    double *K = calloc((size_t)size * (size_t)size, sizeof *K),
           *M = calloc((size_t)n * (size_t)n, sizeof *M), *x = calloc((size_t)size, sizeof *x);
    assert_true(K && M && x && m > 0);
    mj_fullM(t->m, M, t->d->qM);
    for (int i = 0; i < n; i++) {
        x[i] = t->d->qfrc_smooth[i];
        for (int j = 0; j < n; j++) K[i * size + j] = M[i * n + j];
        for (int j = 0; j < m; j++) {
            K[i * size + n + j] = -t->d->efc_J[j * n + i];
            K[(n + j) * size + i] = t->d->efc_J[j * n + i];
        }
    }
    for (int k = 0; k < size; k++) { /* Gauss with pivots */
        int best = k;
        for (int i = k; i < size; i++)
            if (fabs(K[i * size + k]) > fabs(K[best * size + k])) best = i;
        for (int j = 0; j < size; j++) {
            const double kept = K[k * size + j];
            K[k * size + j] = K[best * size + j];
            K[best * size + j] = kept;
        }
        const double kept = x[k];
        x[k] = x[best];
        x[best] = kept;
        for (int i = 0; i < size; i++) {
            if (i == k) continue;
            const double factor = K[i * size + k] / K[k * size + k];
            for (int j = k; j < size; j++) K[i * size + j] -= factor * K[k * size + j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = 0; i < n; i++) t->d->qacc[i] = x[i] / K[i * size + i];
    mj_rnePostConstraint(t->m, t->d);
    free(K);
    free(M);
    free(x);
}

static void equalities_are_mujocos_made_hard(void **unused)
{
    (void)unused;
    const char *path = written(
        "<mujoco><option gravity='1 2 -9' jacobian='dense'/><default><geom size='.1' contype='0' "
        "conaffinity='0'/></default><worldbody>"
        "<body name='a' pos='0 0 1' euler='10 20 30'><joint name='h' ref='20' axis='1 2 3'/><geom "
        "pos='.1 .3 0'/>"
        "<body name='b' pos='.3 0 0'><joint type='ball'/><geom pos='0 .1 .2'/>"
        "<body name='c' pos='.3 0 0'><joint type='ball'/><geom pos='.1 .1 "
        ".2'/></body></body></body>"
        "<body name='d' pos='1 0 1' euler='5 0 7'><freejoint/><geom pos='0 .1 .3'/></body>"
        "<body name='f' pos='3 0 0'><joint axis='0 1 0'/><joint name='g' axis='1 0 0' ref='5'/>"
        "<geom pos='.1 .2 .3'/></body>"
        "<body name='e' pos='1 1 1'><freejoint/><geom pos='0 .1 .3'/></body>"
        "</worldbody><equality><connect body1='c' body2='d' anchor='.1 .2 .3'/>"
        "<weld body1='d' body2='e'/><connect body1='e' anchor='0 .3 .2' active='false'/>"
        "<joint joint1='g' joint2='h' polycoef='0 .7 0 0 0'/>"
        "</equality></mujoco>",
        "xml");
    saddle_handle part[20];
    twins t = {0};
    load(path, 0, &t);
    t.m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
    mj_forward(t.m, t.d);
    assert_int_equal(t.d->nefc, 10);
    accelerate_hard(&t);
    set_state(&t, part);
    assert_true(difference(&t, part) < 1e-9);
    clear(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_of_others_accelerate_as_in_mujoco),
        cmocka_unit_test(masses_of_geoms_and_inertials_are_mujocos),
        cmocka_unit_test(joints_and_their_stacks_are_mujocos),
        cmocka_unit_test(springs_dampers_references_and_actuators_are_mujocos),
        cmocka_unit_test(settings_of_the_compiler_and_defaults_are_mujocos),
        cmocka_unit_test(urdf_is_read_as_mujoco_reads_it),
        cmocka_unit_test(equalities_are_mujocos_made_hard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void models_accelerate_as_in_mujoco(void **unused)
{
    (void)unused;
    print_message("MuJoCo is absent (libmujoco-dev)\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_accelerate_as_in_mujoco)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
