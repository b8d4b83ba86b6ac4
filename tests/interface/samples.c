/* SPDX-License-Identifier: MIT */
#include "samples.h"

#include <stdlib.h>
#include <string.h>

#include "support.h"
#include "verdict.h"

enum { PIECE = 65536, PIECES = 32, VELOCITIES = 35 };

sample_objects sample;

static int is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

void *sample_zeros(void)
{
    static union {
        double align;
        char bytes[PIECE];
    } piece[PIECES];
    static int next = 0;
    void *zeros = piece[next++ % PIECES].bytes;
    memset(zeros, 0, PIECE);
    return zeros;
}

static void *output[PIECES];
static int outputs = 0;

void *sample_output(void)
{
    output[outputs] = output;
    return &output[outputs++];
}

void samples_forget_outputs(void)
{
    outputs = 0;
}

int samples_no_output(void)
{
    for (int k = 0; k < outputs; k++)
        if (output[k]) return 0;
    return 1;
}

/* ---- numbers and texts ---- */

double *sample_doubles(const char *function, const char *argument)
{
    (void)function;
    static const double tetrahedron[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    double *x = sample_zeros();
    if (is(argument, "node") || is(argument, "rest")) memcpy(x, tetrahedron, sizeof tetrahedron);
    if (is(argument, "q") || is(argument, "weights")) x[0] = 1;
    if (is(argument, "size") || is(argument, "axis"))
        for (int k = 0; k < 3; k++) x[k] = 1;
    if (is(argument, "R"))
        for (int k = 0; k < 3; k++) x[4 * k] = 1;
    return x;
}

int64_t *sample_indices(const char *function, const char *argument)
{
    int64_t *x = sample_zeros();
    for (int64_t k = 0; is(argument, "nodes") && k < 4; k++) x[k] = 7 + k;
    if (is(argument, "start")) x[1] = 1;
    if (is(argument, "parent")) x[0] = 3;
    if (!is(argument, "masters")) return x;
    if (is(function, "saddle_couplings_add_coordinates")) x[0] = 5;
    for (int64_t k = 0; is(function, "saddle_couplings_add_frame_on_points") && k < 3; k++)
        x[k] = 7 + k;
    return x;
}

int64_t sample_integer(const char *function, const char *argument)
{
    static const char *const sizes[] = {"count",   "rows",  "cols",  "n",     "m",
                                        "entries", "names", "terms", "length"};
    if (is(argument, "component")) {
        if (strstr(function, "add_point")) return 2;
        if (strstr(function, "add_frame") || strstr(function, "add_body")) return 4;
        return strstr(function, "add_coordinates") ? 6 : strstr(function, "add") ? 2 : 1;
    }
    if (is(argument, "ld")) return 2;
    if (is(argument, "master")) return 3;
    if (is(argument, "coordinates")) return 5;
    if (is(function, "saddle_couplings_add_frame_on_points")) return 3;
    if (is(function, "saddle_model_add_muscle")) return 2;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        if (is(argument, sizes[k])) return 1;
    return 0;
}

char *sample_text(const char *function, const char *argument)
{
    (void)function;
    char *text = sample_zeros();
    if (is(argument, "path")) strcpy(text, SADDLE_BUILD_DIR "/null_arguments.none");
    if (is(argument, "word") || is(argument, "name")) strcpy(text, "auto");
    if (is(argument, "text") || is(argument, "format")) strcpy(text, "{}");
    return text;
}

/* ---- structs ---- */

saddle_problem *sample_problem(const char *argument)
{
    return is(argument, "copy") || is(argument, "whole") ? sample_zeros() : &sample.problem;
}

saddle_matrix *sample_matrix(const char *function, const char *argument)
{
    saddle_matrix *A = sample_zeros();
    int made = is(argument, "C") || strstr(function, "from_") || strstr(function, "_create") ||
               strstr(function, "_read");
    if (!made) *A = sample.problem.M;
    A->owner = 0;
    return A;
}

saddle_solution *sample_solution(const char *function, const char *argument)
{
    if (!strstr(function, "saddle_elimination")) return &sample.solution;
    return is(argument, "whole") ? &sample.whole : &sample.left;
}

saddle_handle sample_handle(const char *argument)
{
    return is(argument, "joint") || is(argument, "constraint") || is(argument, "link")
               ? sample.joint
               : sample.body;
}

saddle_pose *sample_pose(void)
{
    saddle_pose *pose = sample_zeros();
    *pose = saddle_pose_identity();
    return pose;
}

static saddle_status keep(void *user, double *x)
{
    (void)user;
    (void)x;
    return SADDLE_OK;
}

static saddle_status copy(void *user, const double *x, double *y)
{
    (void)user;
    memcpy(y, x, (size_t)sample.problem.n * sizeof *y);
    return SADDLE_OK;
}

static saddle_status ones(void *user, double *d)
{
    (void)user;
    for (int64_t j = 0; j < sample.problem.n; j++) d[j] = 1;
    return SADDLE_OK;
}

saddle_mass_operator *sample_mass(void)
{
    static saddle_mass_operator mass;
    mass = (saddle_mass_operator){.n = sample.problem.n,
                                  .solve = keep,
                                  .multiply = copy,
                                  .diagonal = ones};
    return &mass;
}

saddle_solver_call *sample_call(void)
{
    static saddle_checker checker;
    static saddle_solver_call call = {.checker = &checker};
    if (!checker.work)
        assert_int_equal(saddle__checker_create(sample.context, &sample.problem, &checker),
                         SADDLE_OK);
    return &call;
}

static void fill_mesh(saddle_mesh *mesh)
{
    static const double vertex[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int64_t triangle[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    *mesh = (saddle_mesh){4, 4, vertex, triangle};
}

static void fill_body(saddle_body_def *def)
{
    *def = saddle_body_def_default();
    def->inertia = sample.inertia;
}

void *sample_definition(const char *type)
{
    void *at = sample_zeros();
    if (is(type, "options")) *(saddle_options *)at = saddle_options_default();
    if (is(type, "rank_options")) *(saddle_rank_options *)at = saddle_rank_options_default();
    if (is(type, "stepper_options"))
        *(saddle_stepper_options *)at = saddle_stepper_options_default();
    if (is(type, "context_options"))
        *(saddle_context_options *)at = saddle_context_options_default();
    if (is(type, "assembly_options"))
        *(saddle_assembly_options *)at = saddle_assembly_options_default();
    if (is(type, "fem_block")) *(saddle_fem_block *)at = saddle_fem_block_default();
    if (is(type, "touch_def")) *(saddle_touch_def *)at = saddle_touch_def_default();
    if (is(type, "muscle")) *(saddle_muscle *)at = saddle_muscle_default();
    if (is(type, "particle_def")) ((saddle_particle_def *)at)->mass = 1;
    if (is(type, "mesh")) fill_mesh(at);
    if (is(type, "body_def")) fill_body(at);
    if (is(type, "stage"))
        *(saddle_stage *)at = (saddle_stage){.time_step = 0.01, .row_step = 0.01, .theta = 1};
    if (is(type, "component"))
        *(saddle_component *)at = (saddle_component){.id = 50,
                                                     .kind = SADDLE_COMPONENT_COORDINATES,
                                                     .size = 1};
    if (is(type, "attachment")) ((saddle_attachment *)at)->component = 2;
    return at;
}

/* ---- objects ---- */

#define OK(call) assert_int_equal(call, SADDLE_OK)

/* Particles 0 .. 2, frames 3 and 4, coordinates 5 and 6, particles 7 .. 10; particle 1 is where
 * particle 0 is. */
static void make_graph(void)
{
    static const saddle_component_kind kinds[] = {
        SADDLE_COMPONENT_PARTICLE,    SADDLE_COMPONENT_PARTICLE, SADDLE_COMPONENT_PARTICLE,
        SADDLE_COMPONENT_FRAME,       SADDLE_COMPONENT_FRAME,    SADDLE_COMPONENT_COORDINATES,
        SADDLE_COMPONENT_COORDINATES, SADDLE_COMPONENT_PARTICLE, SADDLE_COMPONENT_PARTICLE,
        SADDLE_COMPONENT_PARTICLE,    SADDLE_COMPONENT_PARTICLE};
    static const int64_t master[] = {0};
    static const double weight[] = {1};
    OK(saddle_attachments_create(sample.context, &sample.attachments));
    for (int64_t k = 0; k < 11; k++) {
        saddle_component component = {.id = k,
                                      .kind = kinds[k],
                                      .size = kinds[k] == SADDLE_COMPONENT_COORDINATES};
        OK(saddle_attachments_add(sample.attachments, &component));
    }
    OK(saddle_couplings_create(sample.context, sample.attachments, &sample.couplings));
    OK(saddle_couplings_add_point_on_points(sample.couplings, 1, 1, master, weight));
    OK(saddle_couplings_compile(sample.couplings));
    double *position = sample_zeros(), *velocity = sample_zeros();
    for (int frame = 0; frame < 2; frame++)
        for (int k = 0; k < 3; k++) position[9 + 12 * frame + 4 * k] = 1;
    OK(saddle_couplings_update(sample.couplings, NULL, position, velocity));
}

/* M = I, a row that holds the first velocity at 1. */
static void make_problem(void)
{
    static int64_t M_start[VELOCITIES + 1], M_index[VELOCITIES], Jt_start[] = {0, 1, 2},
                                                                 Jt_index[] = {0, 0};
    static double ones[VELOCITIES], b[] = {1, 1};
    for (int64_t j = 0; j < VELOCITIES; j++) {
        M_index[j] = j;
        M_start[j + 1] = j + 1;
        ones[j] = 1;
    }
    sample.problem = (saddle_problem){.n = VELOCITIES, .m = 2, .b = b};
    sample.problem.M = saddle_matrix_view(VELOCITIES, VELOCITIES, M_start, M_index, ones,
                                          SADDLE_SYMMETRY_LOWER);
    sample.problem.Jt = saddle_matrix_view(VELOCITIES, 2, Jt_start, Jt_index, ones,
                                           SADDLE_SYMMETRY_NONE);
    OK(saddle_problem_check(sample.context, &sample.problem, NULL, NULL));
    OK(saddle_solution_create(sample.context, VELOCITIES, 2, &sample.solution));
    OK(saddle_certificate_create(sample.context, VELOCITIES, 2, &sample.certificate));
    OK(saddle_rank_find(sample.context, &sample.problem, NULL, &sample.rank));
    assert_int_equal(sample.rank.dependency_count, 1);
    OK(saddle_matrix_builder_create(sample.context, 2, 2, SADDLE_SYMMETRY_NONE, &sample.builder));
    OK(saddle_delassus_create(sample.context, &sample.problem, NULL, &sample.delassus));
    OK(saddle_delassus_form(sample.delassus, &sample.problem));
    OK(saddle_solver_create(sample.context, "auto", NULL, &sample.solver));
    OK(saddle_solver_analyse(sample.solver, &sample.problem));
    OK(saddle_solver_factor(sample.solver, &sample.problem));
}

static void make_elimination(void)
{
    OK(saddle_map_create(sample.context, sample.attachments, &sample.map));
    OK(saddle_elimination_create(sample.context, sample.attachments, &sample.problem,
                                 (saddle_wish)0, NULL, NULL, &sample.elimination));
    OK(saddle_elimination_form(sample.elimination, sample.attachments, &sample.problem));
    const saddle_problem *left = saddle_elimination_problem(sample.elimination);
    OK(saddle_solution_create(sample.context, left->n, left->m, &sample.left));
    saddle_elimination_report report = saddle_elimination_report_of(sample.elimination);
    OK(saddle_solution_create(sample.context, report.n, 2 + 3, &sample.whole));
}

static void make_scene(void)
{
    OK(saddle_scene_read(sample.context, SADDLE_SOURCE_DIR "/examples/scenes/box-stack.json",
                         &sample.scene));
    sample.body = saddle_model_part_at(sample.scene.model,
                                       saddle_model_part_count(sample.scene.model) - 1);
    saddle_joint_def joint = saddle_joint_def_default();
    joint.kind = SADDLE_JOINT_HINGE;
    joint.a = sample.body;
    OK(saddle_model_add_joint(sample.scene.model, &joint, &sample.joint));
    OK(saddle_assembly_create(sample.scene.model, NULL, &sample.assembly));
    const saddle_stage *stage = sample_definition("stage");
    OK(saddle_assembly_update(sample.assembly, stage, NULL, NULL));
    OK(saddle_stepper_create(sample.scene.model, &sample.scene.options, &sample.stepper));
    OK(saddle_ode_create(sample.scene.model, &sample.ode));
    sample.list.context = sample.context;
}

static void make_tree(void)
{
    const saddle_tree_body body = {-1, saddle_motion_revolute(), sample.inertia};
    const double q[1] = {0};
    OK(saddle_tree_create(sample.context, 1, &body, &sample.tree));
    OK(saddle_tree_place(sample.tree, q, NULL));
    OK(saddle_tree_factor(sample.tree, 0));
    OK(saddle_tree_friction_create(sample.tree, 0, NULL, NULL, &sample.friction));
}

void samples_make(void)
{
    static const double edges[3] = {1, 1, 1};
    OK(saddle_context_create(NULL, &sample.context));
    OK(saddle_body_inertia_of_mass(sample.context, SADDLE_SHAPE_BOX, edges, 1, &sample.inertia));
    make_problem();
    make_graph();
    make_elimination();
    make_tree();
    make_scene();
}

void samples_clear(void)
{
    saddle_stepper_free(sample.stepper);
    saddle_ode_free(sample.ode);
    saddle_assembly_free(sample.assembly);
    saddle_scene_clear(&sample.scene);
    saddle_solution_clear(&sample.whole);
    saddle_solution_clear(&sample.left);
    saddle_elimination_free(sample.elimination);
    saddle_map_free(sample.map);
    saddle_tree_friction_free(sample.friction);
    saddle_tree_free(sample.tree);
    saddle_couplings_free(sample.couplings);
    saddle_attachments_free(sample.attachments);
    saddle_solver_free(sample.solver);
    saddle_matrix_builder_free(sample.builder);
    saddle_delassus_free(sample.delassus);
    saddle_rank_clear(&sample.rank);
    saddle_certificate_clear(&sample.certificate);
    saddle_solution_clear(&sample.solution);
    saddle_context_free(sample.context);
}
