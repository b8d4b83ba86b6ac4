/* SPDX-License-Identifier: MIT */
/* Assemblies as objects: phases, names, ids, bad stages and states, what grows when. */
#include <math.h>
#include <string.h>

#include "drawn_model.h"

static const saddle_stage stage_now = {.time_step = 0.1,
                                       .gyroscopic = 0.1,
                                       .row_step = 0.1,
                                       .theta = 1};

static void assert_says(saddle_context *context, const char *words)
{
    if (strstr(saddle_context_message(context), words) == NULL) {
        fail_msg("said '%s', not '%s'", saddle_context_message(context), words);
    }
}

/* ---- empty ones ---- */

static void a_model_without_parts_or_rows_is_an_empty_problem(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_assembly *assembly;
    saddle_handle part;
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    for (int k = 0; k < 2; k++) { /* nothing, then one prescribed part: no columns either */
        int grown;
        assert_int_equal(saddle_assembly_create(model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &stage_now, NULL, &grown), SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(assembly);
        assert_true(grown && p->n == 0 && p->m == 0 && p->contact_count == 0);
        assert_int_equal(saddle_problem_check(NULL, p, NULL, NULL), SADDLE_OK);
        assert_int_equal(saddle_assembly_accelerations(assembly), SADDLE_OK);
        saddle_assembly_move(assembly, 0.5, NULL, SADDLE_ROTATION_UPDATE_EXPONENTIAL);
        if (k == 1) {
            assert_true(saddle_model_position(model, part)[0] == 1.5);
            assert_int_equal(saddle_assembly_column(assembly, part), -1);
        }
        saddle_assembly_free(assembly);
        const saddle_particle_def def = {.position = {1, 0, 0},
                                         .velocity = {1, 0, 0},
                                         .prescribed = 1};
        assert_int_equal(saddle_model_add_particle(model, &def, &part), SADDLE_OK);
    }
    saddle_assembly_free(NULL);
    saddle_model_free(model);
}

static void a_model_without_rows_is_a_plain_linear_system(void **unused)
{
    (void)unused;
    saddle_model *model;
    saddle_assembly *assembly;
    saddle_handle part;
    const double down[3] = {0, 0, -10};
    const saddle_particle_def def = {.mass = 2, .velocity = {3, 0, 0}};
    saddle_solution solution = {0};
    assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
    saddle_model_set_gravity(model, down);
    assert_int_equal(saddle_model_add_particle(model, &def, &part), SADDLE_OK);
    assert_int_equal(saddle_assembly_create(model, NULL, &assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_update(assembly, &stage_now, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_solve(NULL, saddle_assembly_problem(assembly), "auto", NULL, NULL,
                                  &solution, NULL),
                     SADDLE_OK);
    assert_true(fabs(solution.v[0] - 3) <= 1e-15 && fabs(solution.v[2] + 1) <= 1e-15);
    saddle_solution_clear(&solution);
    saddle_assembly_free(assembly);
    saddle_model_free(model);
}

/* ---- names and ids ---- */

/* a body "tibia", a particle, nothing's name; "knee" with two rows, "rope" with one */
typedef struct chain {
    saddle_context *context;
    saddle_model *model;
    saddle_handle tibia, bob, knee, rope;
    saddle_assembly *assembly;
} chain;

static saddle_handle tie(saddle_model *model, const char *name, saddle_handle part, int64_t rows)
{
    drawn_constraint data = {.rows = rows};
    const saddle_anchor anchor = {part, 0};
    saddle_handle constraint;
    for (int64_t i = 0; i < rows; i++) data.sum[i].c[0][i] = 1;
    const saddle_constraint_def def = {.name = name,
                                       .type = &drawn_constraint_type,
                                       .count = 1,
                                       .anchors = &anchor,
                                       .rows = rows,
                                       .data = &data,
                                       .bytes = sizeof data};
    assert_int_equal(saddle_model_add_constraint(model, &def, &constraint), SADDLE_OK);
    return constraint;
}

static void begin(chain *c)
{
    const double size[1] = {0.5};
    saddle_body_def body = saddle_body_def_default();
    const saddle_particle_def particle = {.mass = 1};
    assert_int_equal(saddle_context_create(NULL, &c->context), SADDLE_OK);
    assert_int_equal(saddle_model_create(c->context, &c->model), SADDLE_OK);
    body.name = "tibia";
    assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, size, 1, &body.inertia),
                     SADDLE_OK);
    assert_int_equal(saddle_model_add_body(c->model, &body, &c->tibia), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(c->model, &particle, &c->bob), SADDLE_OK);
    c->knee = tie(c->model, "knee", c->tibia, 2);
    c->rope = tie(c->model, "rope", c->bob, 1);
    assert_int_equal(saddle_assembly_create(c->model, NULL, &c->assembly), SADDLE_OK);
}

static void end(chain *c)
{
    saddle_assembly_free(c->assembly);
    saddle_model_free(c->model);
    saddle_context_free(c->context);
}

static void rows_and_columns_carry_the_names_of_their_items(void **unused)
{
    (void)unused;
    chain c;
    char text[100];
    begin(&c);
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(c.assembly);
    saddle_problem_describe_row(p, 1, text, sizeof text);
    assert_string_equal(text, "row 2 (id 1, knee[1])");
    saddle_problem_describe_row(p, 2, text, sizeof text);
    assert_string_equal(text, "row 3 (id 32, rope)");
    saddle_problem_describe_velocity(p, 3, text, sizeof text);
    assert_non_null(strstr(text, "tibia[3]"));
    assert_null(p->component_name[1]);
    assert_int_equal(saddle_assembly_row(c.assembly, c.rope), 2);
    assert_int_equal(saddle_assembly_column(c.assembly, c.bob), 6);
    saddle_problem copy;
    assert_int_equal(saddle_problem_copy(c.context, p, &copy), SADDLE_OK);
    saddle_problem_clear(&copy);
    end(&c);
}

static void ids_of_rows_stay_when_others_come_and_go(void **unused)
{
    (void)unused;
    chain c;
    saddle_assembly *after;
    begin(&c);
    const int64_t rope = saddle_problem_row_id(saddle_assembly_problem(c.assembly), 2);
    assert_int_equal(saddle_model_remove(c.model, c.knee), SADDLE_OK);
    const saddle_handle again = tie(c.model, "knee", c.tibia, 2);
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                     SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_assembly_accelerations(c.assembly), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_assembly_column(c.assembly, c.bob), -1);
    assert_int_equal(saddle_assembly_row(c.assembly, c.rope), -1);
    assert_int_equal(saddle_assembly_create(c.model, NULL, &after), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(after);
    assert_int_equal(saddle_assembly_row(after, c.rope), 0);
    assert_int_equal(saddle_problem_row_id(p, 0), rope);
    assert_int_equal(saddle_assembly_row(after, again), 1);
    assert_int_equal(saddle_problem_row_id(p, 1), 64); /* not the knee's that was */
    saddle_assembly_free(after);
    end(&c);
}

/* ---- what grows ---- */

static void the_pattern_grows_when_a_stage_or_a_row_asks_for_more(void **unused)
{
    (void)unused;
    chain c;
    int grown;
    begin(&c);
    saddle_stage stage = stage_now;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage, NULL, &grown), SADDLE_OK);
    assert_true(grown);
    const saddle_problem *p = saddle_assembly_problem(c.assembly);
    assert_int_equal(saddle_matrix_entries(&p->R), 0);
    int64_t allocations = saddle_context_memory(c.context).allocations;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage, NULL, &grown), SADDLE_OK);
    assert_false(grown);
    assert_int_equal(saddle_context_memory(c.context).allocations, allocations);
    saddle_model_constraint_row(c.model, c.rope, 0)->compliance.alpha = 0.5;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage, NULL, &grown), SADDLE_OK);
    assert_true(grown);
    assert_int_equal(saddle_matrix_entries(&p->R), 1);
    assert_true(fabs(saddle_matrix_entry(&p->R, 2, 2) - 0.5 / 0.01) <= 1e-12);
    stage.damping = 0.1;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage, NULL, &grown), SADDLE_OK);
    assert_true(grown);
    stage.damping = 0;
    allocations = saddle_context_memory(c.context).allocations;
    saddle_model_constraint_row(c.model, c.rope, 0)->compliance.alpha = 0;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage, NULL, &grown), SADDLE_OK);
    assert_false(grown); /* what has grown stays */
    assert_true(saddle_matrix_entry(&p->R, 2, 2) == 0);
    assert_int_equal(saddle_context_memory(c.context).allocations, allocations);
    end(&c);
}

/* ---- bad input ---- */

static void stages_out_of_range_are_refused(void **unused)
{
    (void)unused;
    static const struct {
        saddle_stage stage;
        const char *said;
    } bad[] = {
        {{.time_step = 0, .row_step = 1, .theta = 1}, "stage: time_step"},
        {{.time_step = NAN, .row_step = 1, .theta = 1}, "stage: time_step"},
        {{.time_step = 1, .row_step = 0, .theta = 1}, "stage: row_step"},
        {{.time_step = 1, .row_step = INFINITY, .theta = 1}, "stage: row_step"},
        {{.time_step = 1, .row_step = 1, .theta = 0}, "stage: theta"},
        {{.time_step = 1, .row_step = 1, .theta = 1.5}, "stage: theta"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .unilateral_theta = 2},
         "stage: unilateral_theta"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .carried = 1}, "stage: carried"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .carried = -0.1}, "stage: carried"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .damping = NAN}, "stage: damping"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .stiffness = INFINITY}, "stage: stiffness"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .velocity_force = NAN},
         "stage: velocity_force"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .gyroscopic = NAN}, "stage: gyroscopic"},
        {{.time_step = 1, .row_step = 1, .theta = 1, .ahead = NAN}, "stage: ahead"},
    };
    chain c;
    begin(&c);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(saddle_assembly_update(c.assembly, &bad[k].stage, NULL, NULL),
                         SADDLE_INVALID_ARGUMENT);
        assert_says(c.context, bad[k].said);
    }
    end(&c);
}

static void states_and_rows_that_are_no_numbers_are_named(void **unused)
{
    (void)unused;
    chain c;
    begin(&c);
    double *x = saddle_model_position(c.model, c.tibia), *v = saddle_model_velocity(c.model, c.bob);
    x[1] = NAN;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_says(c.context, "body 'tibia': its state is not finite");
    x[1] = 0;
    v[2] = INFINITY;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_says(c.context, "particle 2: its state is not finite");
    v[2] = 0;
    drawn_constraint *data = saddle_model_constraint_data(c.model, c.rope);
    data->r[0] = NAN;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_says(c.context, "constraint 'rope': its values are not finite");
    data->r[0] = 0;
    saddle_row_def *row = saddle_model_constraint_row(c.model, c.rope, 0);
    static const double strengths[] = {-1, NAN};
    for (int k = 0; k < 2; k++) {
        row->strength = strengths[k];
        assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                         SADDLE_INVALID_ARGUMENT);
        assert_says(c.context, "constraint 'rope': a row");
    }
    row->strength = INFINITY;
    row->compliance.alpha = -1;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
    row->compliance = (saddle_compliance){.beta = NAN};
    x[0] = 1;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
    row->compliance = (saddle_compliance){0};
    /* and goes on */
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL), SADDLE_OK);
    end(&c);
}

static void a_row_of_angles_that_moves_with_positions_is_named(void **unused)
{
    (void)unused;
    chain c;
    begin(&c);
    saddle_model_constraint_row(c.model, c.knee, 0)->angular = 1; /* which it is not */
    saddle_model_constraint_row(c.model, c.rope, 0)->angular = 1; /* a particle's: that leaves out
                                                                     nothing */
    saddle_assembly_free(c.assembly);
    assert_int_equal(saddle_assembly_create(c.model, NULL, &c.assembly), SADDLE_OK);
    const saddle_problem *p = saddle_assembly_problem(c.assembly);
    assert_true(p->Jt.start[1] == 3 && p->Jt.start[2] == 9 && p->Jt.start[3] == 12);
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_says(c.context, "constraint 'knee': a row of angles has entries at linear velocities");
    drawn_constraint *data = saddle_model_constraint_data(c.model, c.knee);
    data->sum[0].angular = 1;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL), SADDLE_OK);
    end(&c);
}

/* A host's own that fail, each in its way. */
static int failing; /* 1 evaluate, 2 jacobians, 3 force not finite, 4 jacobian not finite, 5 drift,
                       6 stiffness not finite */

static saddle_status failing_force(saddle_context *context, const saddle_site *site,
                                   double *const *force)
{
    (void)site;
    if (failing == 1) return saddle_fail(context, SADDLE_UNSUPPORTED, "the spring is stretched");
    force[0][0] = failing == 3 ? NAN : 1;
    return SADDLE_OK;
}

static saddle_status failing_jacobians(saddle_context *context, const saddle_site *site,
                                       double *const *K, double *const *D)
{
    (void)site, (void)D;
    if (failing == 2) return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE, "no derivative");
    K[0][0] = failing == 4 ? INFINITY : 0;
    return SADDLE_OK;
}

static saddle_status plain_row(saddle_context *context, const saddle_site *site,
                               saddle_constraint_values *values)
{
    (void)context, (void)site;
    values->J[0][0] = 1;
    return SADDLE_OK;
}

static saddle_status failing_drift(saddle_context *context, const saddle_site *site, double *drift)
{
    (void)site;
    if (failing == 5) return saddle_fail(context, SADDLE_SINGULAR, "gimbal lock");
    drift[0] = 0;
    return SADDLE_OK;
}

static saddle_status failing_stiffness(saddle_context *context, const saddle_site *site,
                                       const double *force, double *const *K)
{
    (void)context, (void)site, (void)force;
    K[0][0] = failing == 6 ? NAN : 0;
    return SADDLE_OK;
}

static void what_hosts_callbacks_answer_is_passed_on_with_the_items_name(void **unused)
{
    (void)unused;
    static const saddle_force_type force_type = {.name = "failing",
                                                 .evaluate = failing_force,
                                                 .jacobians = failing_jacobians};
    static const saddle_constraint_type types[] = {
        {.name = "failing",
         .evaluate = plain_row,
         .drift = failing_drift,
         .stiffness = failing_stiffness},
        {.name = "no drift", .evaluate = plain_row},
    };
    chain c;
    begin(&c);
    saddle_handle force, row;
    const saddle_anchor anchor = {c.bob, 0};
    const saddle_force_def def = {.name = "spring",
                                  .type = &force_type,
                                  .count = 1,
                                  .anchors = &anchor};
    const saddle_constraint_def rows[] = {
        {.name = "rail", .type = &types[0], .count = 1, .anchors = &anchor, .rows = 1},
        {.name = "stop", .type = &types[1], .count = 1, .anchors = &anchor, .rows = 1},
    };
    assert_int_equal(saddle_model_add_force(c.model, &def, &force), SADDLE_OK);
    assert_int_equal(saddle_model_add_constraint(c.model, &rows[0], &row), SADDLE_OK);
    saddle_assembly_free(c.assembly);
    saddle_assembly_options options = saddle_assembly_options_default();
    options.geometric_stiffness = 1;
    assert_int_equal(saddle_assembly_create(c.model, &options, &c.assembly), SADDLE_OK);
    saddle_stage stage = stage_now;
    stage.stiffness = 0.01;
    static const struct {
        int failing;
        saddle_status status;
        const char *said;
    } cases[] = {{1, SADDLE_UNSUPPORTED, "force 'spring': the spring is stretched"},
                 {2, SADDLE_NOT_EXPRESSIBLE, "force 'spring': no derivative"},
                 {3, SADDLE_INVALID_ARGUMENT, "force 'spring': its values are not finite"},
                 {4, SADDLE_INVALID_ARGUMENT, "force 'spring': its Jacobian is not finite"},
                 {6, SADDLE_INVALID_ARGUMENT, "constraint 'rail': its stiffness is not finite"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        failing = cases[k].failing;
        assert_int_equal(saddle_assembly_update(c.assembly, &stage, NULL, NULL), cases[k].status);
        assert_says(c.context, cases[k].said);
    }
    failing = 5;
    assert_int_equal(saddle_assembly_update(c.assembly, &stage, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(c.assembly), SADDLE_SINGULAR);
    assert_says(c.context, "constraint 'rail': gimbal lock");
    failing = 0;
    assert_int_equal(saddle_assembly_accelerations(c.assembly), SADDLE_OK);
    assert_int_equal(saddle_model_add_constraint(c.model, &rows[1], &row), SADDLE_OK);
    saddle_assembly_free(c.assembly);
    assert_int_equal(saddle_assembly_create(c.model, &options, &c.assembly), SADDLE_OK);
    assert_int_equal(saddle_assembly_accelerations(c.assembly), SADDLE_UNSUPPORTED);
    assert_says(c.context, "constraint 'stop': its type knows no drift");
    end(&c);
}

static void slots_beyond_all_memory_are_refused(void **unused)
{
    (void)unused;
    chain c;
    saddle_contact_side ground = {.count = 0}, bob = {.count = 0};
    begin(&c);
    bob.part = c.bob;
    assert_int_equal(saddle_assembly_reserve(c.assembly, &ground, &bob, INT64_MAX),
                     SADDLE_TOO_LARGE);
    assert_int_equal(saddle_assembly_reserve(c.assembly, &ground, &bob, INT64_MAX / 5000),
                     SADDLE_OUT_OF_MEMORY);
    assert_int_equal(saddle_assembly_reserve(c.assembly, &ground, &bob, -1),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_assembly_reserve(c.assembly, &ground, &ground, 1),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_assembly_reserve(c.assembly, &ground, &bob, 0), SADDLE_OK);
    assert_int_equal(saddle_assembly_reserve(c.assembly, &ground, &bob, 2), SADDLE_OK);
    assert_int_equal(saddle_assembly_update(c.assembly, &stage_now, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_assembly_problem(c.assembly)->contact_count, 2);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_without_parts_or_rows_is_an_empty_problem),
        cmocka_unit_test(a_model_without_rows_is_a_plain_linear_system),
        cmocka_unit_test(rows_and_columns_carry_the_names_of_their_items),
        cmocka_unit_test(ids_of_rows_stay_when_others_come_and_go),
        cmocka_unit_test(the_pattern_grows_when_a_stage_or_a_row_asks_for_more),
        cmocka_unit_test(stages_out_of_range_are_refused),
        cmocka_unit_test(states_and_rows_that_are_no_numbers_are_named),
        cmocka_unit_test(a_row_of_angles_that_moves_with_positions_is_named),
        cmocka_unit_test(what_hosts_callbacks_answer_is_passed_on_with_the_items_name),
        cmocka_unit_test(slots_beyond_all_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
