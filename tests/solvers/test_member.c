/* SPDX-License-Identifier: MIT */
/* A solver within another: its state stays on a positive status of analyse and goes on a negative
 * one. */
#include "member.h"

#include "support.h"

typedef struct counted { /* the state: where it counts that it was cleared */
    int *cleared;
} counted;

static saddle_status said;
static int cleared;

static saddle_status analyse(saddle_solver_call *call, void *state, const saddle_problem *problem)
{
    (void)call;
    (void)problem;
    ((counted *)state)->cleared = &cleared;
    return said;
}

static void clear(void *state, saddle_context *context)
{
    (void)context;
    ++*((counted *)state)->cleared;
}

static void a_positive_status_keeps_the_state(void **unused)
{
    (void)unused;
    const saddle_solver_type type = {.name = "said",
                                     .state_size = sizeof(counted),
                                     .analyse = analyse,
                                     .clear = clear};
    const saddle_status status[] = {SADDLE_OK, SADDLE_NOT_CONVERGED, SADDLE_WRONG_INERTIA,
                                    SADDLE_SINGULAR, SADDLE_OUT_OF_MEMORY};
    const saddle_options options = saddle_options_default();
    const saddle_problem problem = {0};
    for (size_t k = 0; k < sizeof status / sizeof *status; k++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        saddle__member member = {.type = &type};
        const saddle_solver_call call = {.context = context, .options = &options};
        said = status[k];
        cleared = 0;
        assert_int_equal(saddle__member_analyse(&call, &member, &problem), said);
        assert_int_equal(member.state != NULL, said >= 0);
        assert_int_equal(cleared, said < 0);
        saddle__member_release(&member, context);
        assert_int_equal(cleared, 1);
        test_memory_end(&memory, context);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_positive_status_keeps_the_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
