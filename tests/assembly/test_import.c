/* SPDX-License-Identifier: MIT */
/* Models in MJCF and URDF: the scenes they become, what is said of the rest, and files that mean
 * harm.  Their dynamics: test_mujoco.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "saddle/import.h"
#include "saddle/scene.h"
#include "support.h"

#define WORLD(inside) "<mujoco><worldbody>\n" inside "</worldbody></mujoco>"
#define FREE_BALL "<body><freejoint/><geom size='1'/></body>"

static saddle_status import_text(saddle_context *context, const char *text, int skip_unsupported,
                                 saddle_import *import)
{
    return saddle_import_read_text(context, text, (int64_t)strlen(text), "model.xml", NULL,
                                   skip_unsupported, import);
}

/* The scene of a model that is supported as a whole, or without what is not. */
static void read_model(const char *text, int skip_unsupported, saddle_scene *scene)
{
    saddle_context *context = NULL;
    saddle_import import;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_status status = import_text(context, text, skip_unsupported, &import);
    if (status == SADDLE_OK)
        status = saddle_scene_read_text(context, import.scene, import.length, "scene", NULL, scene);
    if (status != SADDLE_OK)
        fail_msg("%s\n%s", saddle_context_message(context), import.scene ? import.scene : "");
    saddle_import_clear(&import);
}

static void end_of(saddle_scene *scene)
{
    saddle_context *context = scene->context;
    saddle_scene_clear(scene);
    saddle_context_free(context);
}

/* ---- scenes ---- */

static void settings_become_those_of_the_scene(void **unused)
{
    (void)unused;
    saddle_scene scene;
    read_model("<mujoco model='m'><option timestep='.01' gravity='1 2 3' cone='elliptic'/>"
               "</mujoco>",
               0, &scene);
    assert_string_equal(scene.name, "m");
    assert_true(scene.options.time_step == 0.01);
    assert_true(scene.options.assembly.law == SADDLE_LAW_CONE);
    assert_true(saddle_model_gravity(scene.model)[1] == 2);
    end_of(&scene);
    read_model("<mujoco/>", 0, &scene);
    assert_true(scene.options.time_step == 0.002);
    assert_true(scene.options.assembly.law == SADDLE_LAW_PYRAMID &&
                scene.options.assembly.facets == 4);
    assert_true(saddle_model_gravity(scene.model)[2] == -9.81);
    end_of(&scene);
}

static void limits_friction_and_springs_count_from_where_the_model_begins(void **unused)
{
    (void)unused;
    saddle_scene scene;
    read_model(WORLD("<body><joint name='j' range='-90 180' ref='30' frictionloss='2'/>"
                     "<geom size='1'/></body>"),
               0, &scene);
    const saddle_joint_def *joint = saddle_model_joint(scene.model,
                                                       saddle_model_find(scene.model, "j"));
    const double pi = acos(-1);
    assert_non_null(joint);
    assert_true(fabs(joint->free[0].lo + 2 * pi / 3) < 1e-15);
    assert_true(fabs(joint->free[0].hi - 5 * pi / 6) < 1e-15);
    assert_true(joint->free[0].friction == 2);
    end_of(&scene);
}

/* Three hinges, left-handed: the third coordinate is turned round. */
static void three_hinges_of_a_point_are_a_ball(void **unused)
{
    (void)unused;
    saddle_scene scene;
    read_model(WORLD("<body><joint name='j' axis='1 0 0' range='-10 20'/><joint axis='0 1 0' "
                     "range='-30 40'/><joint axis='0 0 1' range='-50 60'/><geom size='1'/></body>"),
               0, &scene);
    const saddle_joint_def *joint = saddle_model_joint(scene.model,
                                                       saddle_model_find(scene.model, "j"));
    const double degree = acos(-1) / 180;
    assert_int_equal(joint->kind, SADDLE_JOINT_BALL);
    assert_true(fabs(joint->free[0].lo + 10 * degree) < 1e-15);
    assert_true(fabs(joint->free[1].hi - 40 * degree) < 1e-15);
    assert_true(fabs(joint->free[2].lo + 60 * degree) < 1e-15);
    assert_true(fabs(joint->free[2].hi - 50 * degree) < 1e-15);
    end_of(&scene);
}

static void shapes_touch_but_for_parents_and_excluded_pairs(void **unused)
{
    (void)unused;
    static const char text[] =
        "<mujoco><default><geom friction='.7'/></default><worldbody>"
        "<geom type='plane' size='1 1 1' pos='0 0 -.5'/>"
        "<body name='a'><freejoint/><geom type='box' size='.5 .5 .6'/>"
        "<body name='b' pos='0 0 1'><joint/><geom size='.6'/>"
        "<body name='c' pos='0 0 1'><joint/><geom type='capsule' size='1.4 .1'/></body></body>"
        "</body></worldbody>%s</mujoco>";
    char excluding[1000];
    for (int excluded = 0; excluded < 2; excluded++) {
        saddle_scene scene;
        saddle_contact_list list = {0};
        snprintf(excluding, sizeof excluding, text,
                 excluded ? "<contact><exclude body1='a' body2='c'/></contact>" : "");
        read_model(excluding, 0, &scene);
        list.context = scene.context;
        assert_int_equal(saddle_collider_find(scene.collider, 0, &list), SADDLE_OK);
        int64_t with_ground = 0;
        const int64_t count = list.count;
        for (int64_t k = 0; k < count; k++)
            with_ground += list.point[k].a.part.item == SADDLE_ITEM_NONE ||
                           list.point[k].b.part.item == SADDLE_ITEM_NONE;
        assert_true(with_ground >= 4); /* the box on the plane */
        assert_int_equal(count > with_ground, !excluded);
        saddle_contact_list_clear(&list);
        end_of(&scene);
    }
}

/* Half lengths of MJCF, lengths of URDF; axes along z. */
static void cylinders_and_ellipsoids_are_shapes(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        saddle_touch_kind kind;
        double size[3];
    } solids[] = {
        {WORLD("<body><freejoint/><geom type='cylinder' size='1 .25'/></body>"),
         SADDLE_TOUCH_CYLINDER,
         {1, 0.5}},
        {WORLD("<body><freejoint/><geom type='cylinder' size='1' fromto='0 0 1 0 0 4'/></body>"),
         SADDLE_TOUCH_CYLINDER,
         {1, 3}},
        {WORLD("<body><freejoint/><geom type='ellipsoid' size='1 2 3'/></body>"),
         SADDLE_TOUCH_ELLIPSOID,
         {1, 2, 3}},
        {"<robot name='r'><link name='a'><collision><geometry><cylinder radius='2' length='5'/>"
         "</geometry></collision></link></robot>",
         SADDLE_TOUCH_CYLINDER,
         {2, 5}},
    };
    for (size_t k = 0; k < sizeof solids / sizeof *solids; k++) {
        saddle_scene scene;
        read_model(solids[k].text, 0, &scene);
        const saddle_touch_def *shape = saddle_collider_shape(scene.collider, 0);
        assert_non_null(shape);
        assert_int_equal(shape->kind, solids[k].kind);
        const int sizes = shape->kind == SADDLE_TOUCH_CYLINDER ? 2 : 3;
        for (int i = 0; i < sizes; i++) assert_true(shape->size[i] == solids[k].size[i]);
        end_of(&scene);
    }
}

/* A column on a hinge in a base that stands on the ground, and a second column on a hinge of the
 * first: neighbours overlap, the second touches the base. */
static void neighbours_of_urdf_do_not_touch(void **unused)
{
    (void)unused;
    static const char text[] =
        "<robot name='r'><link name='base'><collision><geometry><box size='1 1 1'/></geometry>"
        "</collision></link>%s"
        "<joint name='p' type='continuous'><parent link='base'/><child link='a'/></joint>"
        "<joint name='q' type='continuous'><parent link='a'/><child link='b'/>"
        "<origin xyz='0 0 %s'/></joint></robot>";
    static const char links[] =
        "<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
        "ixz='0' iyz='0'/></inertial><collision><geometry><box size='.1 .1 3'/></geometry>"
        "</collision></link>"
        "<link name='b'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
        "ixz='0' iyz='0'/></inertial><collision><geometry><sphere radius='.3'/></geometry>"
        "</collision></link>";
    for (int touches = 0; touches < 2; touches++) {
        char filled[2000];
        saddle_scene scene;
        saddle_contact_list list = {0};
        snprintf(filled, sizeof filled, text, links, touches ? ".75" : "1.2");
        read_model(filled, 0, &scene);
        list.context = scene.context;
        assert_int_equal(saddle_collider_find(scene.collider, 0, &list), SADDLE_OK);
        assert_int_equal(list.count > 0, touches);
        saddle_contact_list_clear(&list);
        end_of(&scene);
    }
}

static void a_tendon_between_two_sites_is_a_rope(void **unused)
{
    (void)unused;
    saddle_scene scene;
    read_model("<mujoco><worldbody><site name='s' pos='0 0 1'/><body pos='0 0 .5'><freejoint/>"
               "<geom size='.1'/><site name='t' pos='0 0 .1'/></body></worldbody><tendon><spatial "
               "name='rope' range='0 .7'><site site='s'/><site site='t'/></spatial></tendon>"
               "</mujoco>",
               0, &scene);
    double phi;
    const saddle_handle rope = saddle_model_find(scene.model, "rope");
    assert_int_equal(saddle_model_constraint_evaluate(scene.model, rope, &phi, NULL, NULL),
                     SADDLE_OK);
    assert_true(fabs(phi - 0.3) < 1e-15);
    end_of(&scene);
}

/* A range of 0.5 a - b counts from where the joints begin; the axes of the third of a ball are
 * turned round. */
static void a_fixed_tendon_is_a_gear(void **unused)
{
    (void)unused;
    saddle_scene scene;
    read_model("<mujoco><worldbody><body><joint name='a' ref='90'/><geom size='1'/></body>"
               "<body><joint axis='1 0 0'/><joint axis='0 1 0'/><joint name='b' axis='0 0 1'/>"
               "<geom size='1'/></body></worldbody><tendon><fixed name='t' range='-1 2'>"
               "<joint joint='a' coef='.5'/><joint joint='b' coef='-1'/></fixed></tendon></mujoco>",
               1, &scene);
    double phi[2];
    const saddle_handle gear = saddle_model_find(scene.model, "t");
    assert_int_equal(saddle_model_constraint_rows(scene.model, gear), 2);
    assert_int_equal(saddle_model_constraint_evaluate(scene.model, gear, phi, NULL, NULL),
                     SADDLE_OK);
    const double begin = acos(-1) / 4; /* half of a's 90 degrees */
    assert_true(fabs(phi[0] - (begin + 1)) < 1e-15 && fabs(phi[1] - (2 - begin)) < 1e-15);
    end_of(&scene);
}

static void mocap_is_prescribed_and_joints_are_named_beside_bodies(void **unused)
{
    (void)unused;
    saddle_scene scene;
    read_model(WORLD("<body name='m' mocap='true'/><body name='x'><joint name='x'/>"
                     "<geom size='1'/></body>"),
               0, &scene);
    const saddle_handle x = saddle_model_find(scene.model, "x");
    assert_int_equal(x.item, SADDLE_ITEM_BODY);
    assert_int_equal(saddle_model_part_count(scene.model), 2);
    end_of(&scene);
}

/* ---- what is not supported ---- */

static const struct {
    const char *text, *says;
    int unsupported;
} findings[] = {
    {WORLD("<body><freejoint/>\n<geom size='1' wobble='3'/></body>"),
     "model.xml:3: geom: wobble=\"3\" is not supported", 1},
    {WORLD("\n<hinge/>"), "model.xml:3: hinge: not supported", 1},
    {WORLD("<camera name='c'/>"), "model.xml:2: camera: without mechanical effect", 0},
    {WORLD("<body><joint type='ball' armature='.1'/><geom size='1'/></body>"),
     "model.xml:2: joint: armature of this joint", 1},
    {WORLD("<body><joint type='ball' range='0 20'/><geom size='1'/></body>"), "a range of this", 1},
    {WORLD("<body><joint springdamper='1 1'/><geom size='1'/></body>"), "springdamper", 1},
    {WORLD("<body><freejoint/><geom size='1'/><geom type='mesh' mesh='m'/></body>"),
     "the mass of a mesh", 1},
    {WORLD("<geom size='1' solref='.1 1'/>"), "solref is not used: constraints are hard", 0},
    {WORLD("<geom size='1' contype='2'/>"), "contype and conaffinity", 1},
    {WORLD("<geom size='1' condim='1'/><geom size='1'/>"), "condim 3 beside 1", 1},
    {WORLD("<geom size='1' friction='.2'/><geom size='1'/>"), "friction other than", 1},
    {WORLD("<body><joint/><joint pos='0 0 1' axis='1 0 0'/><geom size='1'/></body>"),
     "before it a part with 1e-10", 0},
    {WORLD("<frame><joint/></frame>"), "a joint inside a frame", 1},
    {"<mujoco><option wind='1 0 0'/></mujoco>", "wind is not supported", 1},
    {"<mujoco><option integrator='RK4'/></mujoco>", "implicit-euler", 0},
    {"<mujoco><option><flag override='enable'/></option></mujoco>", "override", 1},
    {"<mujoco><compiler coordinate='global'/></mujoco>", "coordinate=\"global\"", 1},
    {"<mujoco><compiler settotalmass='3'/></mujoco>", "settotalmass above 0", 1},
    {"<mujoco><worldbody><site name='s'/></worldbody><tendon><spatial stiffness='1'><site "
     "site='s'/></spatial></tendon></mujoco>",
     "a tendon that is not straight", 1},
    {"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
     "<position joint='j' forcerange='-1 1'/></actuator></mujoco>",
     "a forcerange", 1},
    {"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><actuator>"
     "<motor joint='j' ctrlrange='1 2'/></actuator></mujoco>",
     "a ctrlrange without 0", 1},
    {"<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody><equality>"
     "<joint joint1='j' joint2='j' polycoef='0 1 2 0 0'/></equality></mujoco>",
     "this polycoef", 1},
    {"<robot name='r'><link name='a'><collision><geometry><mesh filename='a.stl'/></geometry>"
     "</collision></link></robot>",
     "mesh: contact of this shape", 1},
    {"<robot name='r'><link name='a'/><loop/></robot>", "loop: not supported", 1},
    {"<robot name='r'><link name='a'/><material name='m'/></robot>", "without mechanical", 0},
};

static void what_is_not_supported_is_named_with_its_line(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t k = 0; k < sizeof findings / sizeof *findings; k++) {
        const char *text = findings[k].text;
        saddle_import import;
        const saddle_status status = import_text(context, text, 0, &import);
        int found = 0;
        for (int64_t i = 0; i < import.findings; i++)
            found |= strstr(import.finding[i].text, findings[k].says) != NULL &&
                     import.finding[i].unsupported == findings[k].unsupported;
        if (!found) fail_msg("%s\n  not said: %s", text, findings[k].says);
        assert_int_equal(status, findings[k].unsupported ? SADDLE_UNSUPPORTED : SADDLE_OK);
        assert_int_equal(import.scene == NULL, findings[k].unsupported);
        if (findings[k].unsupported)
            assert_non_null(strstr(saddle_context_message(context), "model.xml:"));
        saddle_import_clear(&import);
        assert_int_equal(import_text(context, text, 1, &import), SADDLE_OK);
        assert_non_null(import.scene);
        saddle_import_clear(&import);
    }
    saddle_context_free(context);
}

static const struct {
    const char *text, *says;
} wrongs[] = {
    {"<mujoco>", "model.xml:1: invalid XML"},
    {"<a/>", "model.xml:1: a: the root is neither"},
    {"", "model.xml:1: invalid XML"},
    {"<!DOCTYPE m [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;&a;'>]><mujoco model='&b;'/>",
     "model.xml:1: a DOCTYPE"},
    {"<!DOCTYPE m SYSTEM 'http://localhost/m.dtd'><mujoco/>", "model.xml:1: a DOCTYPE"},
    {"<mujoco model='&b;'/>", "model.xml:1: invalid XML"},
    {"<mujoco><include file='a.xml'/></mujoco>", "no file may be included here"},
    {WORLD("<body><joint/></body>"), "model.xml:2: body: \"body 1\" moves and has no mass"},
    {WORLD("<body name='a'/><geom size='1' pos='0 0 1e101'/>"), "not made of numbers"},
    {WORLD("<geom size='1' pos='0 0 nan'/>"), "not made of numbers"},
    {WORLD("<body><freejoint/><geom size='1' density='3]'/></body>"), "not made of numbers"},
    {WORLD("<geom size='1' pos='0 0'/>"), "pos has 2 numbers, 3 are needed"},
    {WORLD("<geom size='1 2 3 4'/>"), "size has more than 3 numbers"},
    {WORLD("<geom size='-1'/>"), "its size is not positive"},
    {WORLD("<geom type='box' size='1'/>"), "size of a box needs 3 numbers"},
    {WORLD("<geom class='c' size='1'/>"), "there is no class \"c\""},
    {WORLD("<geom size='1' quat='0 0 0 0'/>"), "quat"},
    {WORLD("<geom type='capsule' size='1' fromto='1 1 1 1 1 1'/>"), "one point"},
    {WORLD("<body name='a'><freejoint/><geom size='1'/></body><body name='a'><freejoint/>"
           "<geom size='1'/></body>"),
     "is no name for a body, or taken"},
    {WORLD("<body><freejoint/><joint/><geom size='1'/></body>"), "stands alone"},
    {WORLD("<body><joint type='hing'/><geom size='1'/></body>"), "there is no type \"hing\""},
    {WORLD("<body><joint axis='0 0 0'/><geom size='1'/></body>"), "its axis is zero"},
    {WORLD("<body><joint range='2 1'/><geom size='1'/></body>"), "range is no range"},
    {WORLD("<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 3'/></body>"),
     "principal moments"},
    {WORLD("<body><freejoint/><inertial pos='0 0 0' mass='1'/></body>"), "no moment of inertia"},
    {"<mujoco><equality><connect body1='a' anchor='0 0 0'/></equality></mujoco>",
     "there is no body \"a\""},
    {"<mujoco><actuator><position joint='a'/></actuator></mujoco>", "there is no joint \"a\""},
    {"<mujoco><compiler angle='grad'/></mujoco>", "neither degree nor radian"},
    {"<mujoco><compiler eulerseq='xya'/></mujoco>", "eulerseq"},
    {"<robot/>", "there are 0 root links"},
    {"<robot><link name='a'/><link name='b'/></robot>", "there are 2 root links"},
    {"<robot><link/></robot>", "\"name\" is missing"},
    {"<robot><link name='a'/><joint type='floating'><parent link='a'/><child link='a'/></joint>"
     "</robot>",
     "there are 0 root links"},
    {"<robot><link name='a'/><link name='b'/><joint type='fixed'><parent link='a'/><child "
     "link='b'/></joint><joint type='fixed'><parent link='a'/><child link='b'/></joint></robot>",
     "\"b\" is the child of two joints"},
    {"<robot><link name='a'/><joint type='fixed'><parent link='a'/><child link='c'/></joint>"
     "</robot>",
     "its child is no link"},
    {"<robot><link name='a'/><link name='b'/><joint type='revolute'><parent link='a'/><child "
     "link='b'/></joint></robot>",
     "\"limit\" is missing"},
    {"<robot><link name='a'/><link name='b'/><joint type='floating'><parent link='a'/><child "
     "link='b'/></joint></robot>",
     "\"b\" moves and has no mass"},
};

static void what_is_wrong_is_named_with_its_line(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        saddle_import import;
        const saddle_status status = import_text(context, wrongs[k].text, 1, &import);
        const char *message = saddle_context_message(context);
        if (status != SADDLE_BAD_FILE || strstr(message, wrongs[k].says) == NULL ||
            strncmp(message, "model.xml:", 10) != 0)
            fail_msg("%s\n  says: %s", wrongs[k].text, message);
        assert_null(import.scene);
        saddle_import_clear(&import);
    }
    saddle_context_free(context);
}

/* ---- files ---- */

static const char *path_of(const char *file)
{
    static char path[2][512];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/tests/assembly/import/%s", SADDLE_BUILD_DIR, file);
    return path[turn];
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void make_folder(void)
{
    mkdir(path_of(""), 0777);
    mkdir(path_of("parts"), 0777);
}

static void an_included_file_stands_where_it_is_named(void **unused)
{
    (void)unused;
    saddle_context *context = NULL;
    saddle_import import;
    make_folder();
    write_file("main.xml", "<mujoco><include file='parts/defaults.xml'/><worldbody>\n"
                           "<include file='parts/ball.xml'/><body name='last'><freejoint/>"
                           "<geom/></body></worldbody></mujoco>");
    write_file("parts/defaults.xml", "<any><default><geom size='.5'/></default></any>");
    write_file("parts/ball.xml", "<mujoco>\n<body name='ball'><freejoint/><geom wobble='1'/></body>"
                                 "</mujoco>");
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_import_read(context, path_of("main.xml"), 1, &import), SADDLE_OK);
    assert_int_equal(import.findings, 1);
    assert_non_null(strstr(import.finding[0].text, "/parts/ball.xml:2: geom: wobble"));
    const char *ball = strstr(import.scene, "\"ball\""), *last = strstr(import.scene, "\"last\"");
    assert_true(ball && last && ball < last);
    saddle_import_clear(&import);
    saddle_context_free(context);
}

static void included_files_stay_in_the_folder_and_end(void **unused)
{
    (void)unused;
    static const struct {
        const char *file, *says;
    } cases[] = {{"loop.xml", "loop.xml is included twice"},
                 {"./loop.xml", "./loop.xml is included twice"},
                 {"absent.xml", "absent.xml"},
                 {"/etc/passwd", "outside the model's folder"},
                 {"../main.xml", "outside the model's folder"},
                 {"parts/../../main.xml", "outside the model's folder"},
                 {"", "directory"}};
    saddle_context *context = NULL;
    make_folder();
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        saddle_import import;
        snprintf(text, sizeof text, "<mujoco><include file='%s'/></mujoco>", cases[k].file);
        write_file("loop.xml", text);
        const saddle_status status = saddle_import_read(context, path_of("loop.xml"), 1, &import);
        assert_true(status == SADDLE_BAD_FILE || status == SADDLE_FILE_ERROR);
        if (!strstr(saddle_context_message(context), cases[k].says))
            fail_msg("%s: %s", cases[k].file, saddle_context_message(context));
        saddle_import_clear(&import);
    }
    saddle_context_free(context);
}

/* ---- harm ---- */

/* Longer than a piece that is read at once; in short pieces this would take minutes. */
static void a_comment_may_be_long(void **unused)
{
    (void)unused;
    const size_t length = 40 << 20;
    const char *begin = "<mujoco><!--", *end = "--><worldbody><body/></worldbody></mujoco>";
    char *text = malloc(length + 100);
    saddle_context *context = NULL;
    saddle_import import;
    assert_non_null(text);
    memset(text, 'x', length);
    memcpy(text, begin, strlen(begin));
    memcpy(text + length, end, strlen(end) + 1);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(import_text(context, text, 0, &import), SADDLE_OK);
    saddle_import_clear(&import);
    saddle_context_free(context);
    free(text);
}

static void deep_and_wide_files_end(void **unused)
{
    (void)unused;
    enum { DEEP = 100000 };
    static char text[20 * DEEP];
    saddle_context *context = NULL;
    saddle_import import;
    char *at = text;
    at += sprintf(at, "<mujoco>");
    for (int k = 0; k < DEEP; k++) at += sprintf(at, "<worldbody>");
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(import_text(context, text, 1, &import), SADDLE_BAD_FILE);
    assert_non_null(strstr(saddle_context_message(context), "nested too deep"));
    saddle_import_clear(&import);
    at = text + sprintf(text, "<mujoco><worldbody>");
    for (int k = 0; k < DEEP; k++) at += sprintf(at, "<body/>");
    sprintf(at, "</worldbody></mujoco>");
    assert_int_equal(import_text(context, text, 0, &import), SADDLE_OK);
    saddle_import_clear(&import);
    saddle_context_free(context);
}

static const char *const shipped[] = {"arm.xml", "gripper.urdf"};

static size_t read_shipped(size_t which, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/examples/models/%s", SADDLE_SOURCE_DIR, shipped[which]);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t length = fread(text, 1, size, file);
    fclose(file);
    return length;
}

static void the_models_that_are_shipped_read_and_step(void **unused)
{
    (void)unused;
    static char text[10000];
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++) {
        saddle_scene scene;
        saddle_stepper *stepper = NULL;
        text[read_shipped(k, text, sizeof text - 1)] = '\0';
        read_model(text, 0, &scene);
        assert_int_equal(saddle_stepper_create(scene.model, &scene.options, &stepper), SADDLE_OK);
        for (int step = 0; step < 200; step++)
            assert_int_equal(saddle_stepper_step(stepper), SADDLE_OK);
        saddle_stepper_free(stepper);
        end_of(&scene);
    }
}

/* Every beginning of a file, and every file with one character another: an error or a scene, never
 * more. */
static void no_bytes_do_harm(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static char text[10000], broken[10000];
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++) {
        const size_t length = read_shipped(k, text, sizeof text);
        for (int trial = 0; trial < test_draws(2000); trial++) {
            saddle_import import;
            saddle_scene scene;
            const int64_t cut = trial < 300 ? test_integer(&state, 0, (int64_t)length)
                                            : (int64_t)length;
            memcpy(broken, text, length);
            if (trial >= 300)
                broken[test_integer(&state, 0, (int64_t)length - 1)] = (char)test_integer(&state, 1,
                                                                                          255);
            const saddle_status status = saddle_import_read_text(NULL, broken, cut, NULL, NULL,
                                                                 trial % 2, &import);
            assert_true(status == SADDLE_OK || status == SADDLE_BAD_FILE ||
                        status == SADDLE_UNSUPPORTED);
            assert_int_equal(import.scene != NULL, status == SADDLE_OK);
            if (import.scene && saddle_scene_read_text(NULL, import.scene, import.length, NULL,
                                                       NULL, &scene) == SADDLE_OK)
                saddle_scene_clear(&scene);
            saddle_import_clear(&import);
        }
    }
}

static saddle_status sweep_shipped(saddle_context *context, void *which)
{
    static char text[10000];
    saddle_import import;
    text[read_shipped(*(const size_t *)which, text, sizeof text - 1)] = '\0';
    const saddle_status status = import_text(context, text, 1, &import);
    saddle_import_clear(&import);
    return status;
}

static saddle_status sweep_findings(saddle_context *context, void *unused)
{
    (void)unused;
    saddle_import import;
    const saddle_status status = saddle_import_read(context, path_of("main.xml"), 1, &import);
    saddle_import_clear(&import);
    return status;
}

static void no_failing_allocation_leaks(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof shipped / sizeof *shipped; k++)
        assert_true(test_allocation_sweep(sweep_shipped, &k) > 10);
    an_included_file_stands_where_it_is_named(NULL);
    assert_true(test_allocation_sweep(sweep_findings, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_become_those_of_the_scene),
        cmocka_unit_test(limits_friction_and_springs_count_from_where_the_model_begins),
        cmocka_unit_test(three_hinges_of_a_point_are_a_ball),
        cmocka_unit_test(cylinders_and_ellipsoids_are_shapes),
        cmocka_unit_test(neighbours_of_urdf_do_not_touch),
        cmocka_unit_test(shapes_touch_but_for_parents_and_excluded_pairs),
        cmocka_unit_test(a_tendon_between_two_sites_is_a_rope),
        cmocka_unit_test(a_fixed_tendon_is_a_gear),
        cmocka_unit_test(mocap_is_prescribed_and_joints_are_named_beside_bodies),
        cmocka_unit_test(what_is_not_supported_is_named_with_its_line),
        cmocka_unit_test(what_is_wrong_is_named_with_its_line),
        cmocka_unit_test(an_included_file_stands_where_it_is_named),
        cmocka_unit_test(included_files_stay_in_the_folder_and_end),
        cmocka_unit_test(a_comment_may_be_long),
        cmocka_unit_test(deep_and_wide_files_end),
        cmocka_unit_test(the_models_that_are_shipped_read_and_step),
        cmocka_unit_test(no_bytes_do_harm),
        cmocka_unit_test(no_failing_allocation_leaks),
    };
#ifndef SADDLE_HAVE_XML
    print_message("[ RUN      ] import\nthis build is without Expat (libexpat1-dev)\n"
                  "[  SKIPPED ] import\n");
    return sizeof tests == 0;
#endif
    return cmocka_run_group_tests(tests, NULL, NULL);
}
