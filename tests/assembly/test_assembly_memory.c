/* SPDX-License-Identifier: MIT */
/* Assemblies that lack memory: errors without leaks, updates that can be repeated. */
#include "drawn_model.h"
#include "model_internal.h"

static const saddle_stage stage_now = {.time_step = 0.1,
                                       .gyroscopic = 0.1,
                                       .row_step = 0.1,
                                       .theta = 1};

/* All allocating calls: compiling, the first implicit stage, a row made soft, slots; a failed call
 * can be repeated. */
static saddle_status all_that_allocates(saddle_context *context, void *user)
{
    uint64_t state = *(const uint64_t *)user;
    drawn_model drawn;
    saddle_assembly *assembly = NULL;
    saddle_contact_list list = {0}; /* of no context: its memory does not fail */
    saddle_context *safe;
    assert_int_equal(saddle_context_create(NULL, &safe), SADDLE_OK);
    draw_model(safe, &state, (drawn_wishes){.only_hold = 1}, &drawn);
    drawn.model->context = context;
    saddle_assembly_options options = saddle_assembly_options_default();
    options.geometric_stiffness = 1;
    saddle_status status = saddle_assembly_create(drawn.model, &options, &assembly);
    saddle_stage stage = stage_now;
    if (status == SADDLE_OK) status = saddle_assembly_update(assembly, &stage, NULL, NULL);
    stage.stiffness = 0.1;
    if (status == SADDLE_OK) status = saddle_assembly_update(assembly, &stage, NULL, NULL);
    if (drawn.constraints > 0)
        saddle_model_constraint_row(drawn.model, drawn.constraint[0], 0)->compliance.alpha = 1;
    if (status == SADDLE_OK) status = saddle_assembly_update(assembly, &stage, NULL, NULL);
    for (int k = 0; status == SADDLE_OK && k < 20; k++) {
        saddle_contact_point *contact;
        assert_int_equal(saddle_contact_list_add(&list, &contact), SADDLE_OK);
        *contact = (saddle_contact_point){.id = k, .normal = {0, 0, 1}};
        contact->b.part = drawn.part[0]; /* moves */
        if (contact->b.part.item == SADDLE_ITEM_NODES) {
            contact->b.count = 1;
            contact->b.weight[0] = 1;
        }
        status = saddle_assembly_update(assembly, &stage, &list, NULL);
    }
    if (status == SADDLE_OK)
        assert_int_equal(saddle_assembly_problem(assembly)->contact_count >= 20, 1);
    saddle_contact_list_clear(&list);
    saddle_assembly_free(assembly);
    drawn.model->context = safe;
    drawn_clear(&drawn);
    saddle_context_free(safe);
    return status;
}

static void memory_that_runs_out_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 10; draw++) {
        assert_true(test_allocation_sweep(all_that_allocates, &state) > 30);
        (void)test_integer(&state, 0, 1);
    }
}

/* After an update without memory the assembly continues as before. */
static void an_update_that_lacked_memory_can_be_repeated(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int64_t fail_at = 0; fail_at < 12; fail_at++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        drawn_model drawn;
        saddle_assembly *assembly;
        int grown = 0;
        draw_model(context, &state, (drawn_wishes){0}, &drawn);
        assert_int_equal(saddle_assembly_create(drawn.model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &stage_now, NULL, NULL), SADDLE_OK);
        saddle_contact_point contact = {.id = 4, .normal = {0, 0, 1}};
        const saddle_contact_list list = {.count = 1, .capacity = 1, .point = &contact};
        contact.b = (saddle_contact_side){.part = drawn.part[0]};
        if (contact.b.part.item == SADDLE_ITEM_NODES) contact.b.count = 1;
        contact.b.weight[0] = 1;
        saddle_stage stage = stage_now;
        stage.damping = 0.1;
        memory.fail_at = memory.count + fail_at;
        const saddle_status status = saddle_assembly_update(assembly, &stage, &list, NULL);
        assert_true(status == SADDLE_OUT_OF_MEMORY || status == SADDLE_OK);
        memory.fail_at = -1;
        assert_int_equal(saddle_assembly_update(assembly, &stage, &list, &grown), SADDLE_OK);
        assert_int_equal(grown, status != SADDLE_OK);
        assert_int_equal(saddle_problem_check(context, saddle_assembly_problem(assembly), NULL,
                                              NULL),
                         SADDLE_OK);
        assert_true(saddle_assembly_contact_row(assembly, 4) >= 0);
        saddle_assembly_free(assembly);
        drawn_clear(&drawn);
        test_memory_end(&memory, context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_that_runs_out_is_an_error_and_leaks_nothing),
        cmocka_unit_test(an_update_that_lacked_memory_can_be_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
