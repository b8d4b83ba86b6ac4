/* SPDX-License-Identifier: MIT */
/* The graph of attachments: refused arguments, no change after a refusal, the order. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

static saddle_attachments *empty_graph(saddle_context *context)
{
    saddle_attachments *graph;
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    return graph;
}

static void add(saddle_attachments *graph, int64_t id, const char *name, int64_t size,
                int parametric)
{
    saddle_component component = {.id = id,
                                  .name = name,
                                  .kind = SADDLE_COMPONENT_COORDINATES,
                                  .size = size,
                                  .parametric = parametric};
    assert_int_equal(saddle_attachments_add(graph, &component), SADDLE_OK);
}

/* One velocity on one velocity of each of the masters. */
static saddle_status tie(saddle_attachments *graph, int64_t component, int64_t count,
                         const int64_t *master)
{
    static const double one = 1.0;
    saddle_attachment_block block[8];
    for (int64_t b = 0; b < count; b++)
        block[b] = (saddle_attachment_block){.master = master[b],
                                             .rows = 1,
                                             .cols = 1,
                                             .value = &one};
    saddle_attachment attachment = {.component = component, .block_count = count, .blocks = block};
    return saddle_attachments_attach(graph, &attachment);
}

static saddle_status tie_to(saddle_attachments *graph, int64_t component, int64_t master)
{
    return tie(graph, component, 1, &master);
}

static void assert_says(saddle_context *context, saddle_status status, saddle_status wanted,
                        const char *message)
{
    assert_int_equal(status, wanted);
    assert_string_equal(saddle_context_message(context), message);
}

/* ---- loops and order ---- */

static void a_loop_is_spelled_out(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_attachments *graph = empty_graph(context);
    int64_t order[4];
    add(graph, 7, "pelvis", 1, 0);
    add(graph, 30, "tibia", 1, 0);
    add(graph, -4, "knee", 1, 0);
    add(graph, 5, NULL, 1, 0);
    assert_int_equal(tie_to(graph, 7, 5), SADDLE_OK);
    assert_int_equal(tie_to(graph, 30, -4), SADDLE_OK);
    assert_int_equal(tie(graph, -4, 2, (int64_t[]){5, 30}), SADDLE_OK);
    assert_says(context, saddle_attachments_order(graph, order), SADDLE_INVALID_PROBLEM,
                "attachment loop: tibia -> knee -> tibia");
    assert_says(context, tie_to(graph, 5, 5), SADDLE_INVALID_PROBLEM,
                "attachment loop: component 5 -> component 5");
    assert_int_equal(saddle_attachments_detach(graph, -4), SADDLE_OK); /* what closes the loop can
                                                                          be taken away */
    assert_int_equal(saddle_attachments_order(graph, order), SADDLE_OK);
    assert_int_equal(tie_to(graph, 5, 30), SADDLE_OK);
    assert_int_equal(tie_to(graph, -4, 7), SADDLE_OK);
    assert_says(context, saddle_attachments_order(graph, order), SADDLE_INVALID_PROBLEM,
                "attachment loop: pelvis -> component 5 -> tibia -> knee -> pelvis");
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

static void a_long_loop_is_cut_short(void **state)
{
    (void)state;
    enum { LENGTH = 1000 };
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_attachments *graph = empty_graph(context);
    static int64_t order[LENGTH];
    for (int64_t i = 0; i < LENGTH; i++) add(graph, i, NULL, 1, 0);
    for (int64_t i = 0; i < LENGTH; i++)
        assert_int_equal(tie_to(graph, i, (i + 1) % LENGTH), SADDLE_OK);
    assert_int_equal(saddle_attachments_order(graph, order), SADDLE_INVALID_PROBLEM);
    const char *message = saddle_context_message(context);
    assert_non_null(strstr(message, "attachment loop: component 0 -> component 1 -> "));
    assert_non_null(strstr(message, "component 11 -> ... (988 more) -> component 0"));
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

/* Whether k reaches itself, by closing the relation (Warshall). */
static int has_loop(int64_t count, signed char reach[12][12])
{
    for (int64_t m = 0; m < count; m++)
        for (int64_t i = 0; i < count; i++)
            for (int64_t j = 0; j < count; j++)
                reach[i][j] |= (signed char)(reach[i][m] && reach[m][j]);
    for (int64_t i = 0; i < count; i++)
        if (reach[i][i]) return 1;
    return 0;
}

static void loops_are_found_where_the_closure_has_one_and_masters_come_first_else(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t loops = 0;
    for (int trial = 0; trial < test_draws(5000); trial++) {
        saddle_attachments *graph = empty_graph(NULL);
        signed char reach[12][12] = {{0}};
        int64_t count = test_integer(&seed, 1, 12);
        for (int64_t c = 0; c < count; c++) add(graph, c, NULL, 1, 0);
        for (int64_t c = 0; c < count; c++) {
            int64_t master[8];
            int64_t masters = 0;
            for (int64_t j = 0; j < count && masters < 8; j++)
                if (j != c && test_integer(&seed, 0, count) == 0) master[masters++] = j;
            for (int64_t b = 0; b < masters; b++) reach[c][master[b]] = 1;
            if (masters > 0) assert_int_equal(tie(graph, c, masters, master), SADDLE_OK);
        }
        signed char direct[12][12];
        memcpy(direct, reach, sizeof direct);
        int64_t order[12];
        int64_t place[12] = {0};
        saddle_status status = saddle_attachments_order(graph, order);
        int loop = has_loop(count, reach);
        loops += loop;
        assert_int_equal(status, loop ? SADDLE_INVALID_PROBLEM : SADDLE_OK);
        for (int64_t p = 0; !loop && p < count; p++) place[order[p]] = p + 1;
        for (int64_t c = 0; !loop && c < count; c++) {
            assert_true(place[c] > 0);
            for (int64_t j = 0; j < count; j++) assert_true(!direct[c][j] || place[j] < place[c]);
        }
        saddle_attachments_free(graph);
    }
    assert_in_range(loops, test_draws(500), test_draws(4500));
}

static void the_order_does_not_depend_on_the_order_of_attaching(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    uint64_t seed = test_seed();
    static int64_t order[2][COUNT];
    static int64_t turn[COUNT];
    static int64_t master[COUNT];
    for (int64_t c = 0; c < COUNT; c++) turn[c] = c;
    for (int64_t c = 0; c < COUNT; c++)
        master[c] = c == 0 ? -1 : test_integer(&seed, c < 5 ? 0 : c - 5, c - 1);
    for (int way = 0; way < 2; way++) {
        saddle_attachments *graph = empty_graph(NULL);
        for (int64_t c = 0; c < COUNT; c++) add(graph, 13 * c - 5000, NULL, 1, 0);
        for (int64_t c = 0; c < COUNT; c++)
            if (turn[c] > 0)
                assert_int_equal(tie_to(graph, 13 * turn[c] - 5000, 13 * master[turn[c]] - 5000),
                                 SADDLE_OK);
        assert_int_equal(saddle_attachments_order(graph, order[way]), SADDLE_OK);
        saddle_attachments_free(graph);
        for (int64_t c = COUNT - 1; c > 0; c--) {
            int64_t other = test_integer(&seed, 0, c);
            int64_t kept = turn[c];
            turn[c] = turn[other];
            turn[other] = kept;
        }
    }
    assert_memory_equal(order[0], order[1], sizeof order[0]);
}

/* ---- what is refused ---- */

/* All that can be read of a graph, as one number. */
static uint64_t print_of(const saddle_attachments *graph)
{
    uint64_t print = 0;
    for (int64_t c = 0; c < saddle_attachments_count(graph); c++) {
        saddle_component_view view = saddle_attachments_component(graph, c);
        saddle_attachment a;
        int attached = saddle_attachments_attachment(graph, c, &a);
        print = 31 * print + (uint64_t)view.component.id + 7 * (uint64_t)view.component.size +
                (uint64_t)view.first;
        print = 31 * print + (uint64_t)view.state;
        for (int64_t i = 0; view.velocity && i < view.component.size; i++) {
            uint64_t bits;
            memcpy(&bits, &view.velocity[i], sizeof bits);
            print = 31 * print + bits;
        }
        for (int64_t b = 0; attached && b < a.block_count; b++)
            for (int64_t e = 0; e < a.blocks[b].rows * a.blocks[b].cols; e++) {
                uint64_t bits;
                memcpy(&bits, &a.blocks[b].value[e], sizeof bits);
                print = 31 * print + bits;
            }
        for (int64_t i = 0; attached && i < a.direction_count; i++) {
            uint64_t bits;
            memcpy(&bits, &a.term[i], sizeof bits);
            print = 31 * print + bits + (a.directions ? (uint64_t)a.directions[i] : 1000);
        }
    }
    return 31 * print + (uint64_t)saddle_attachments_velocities(graph);
}

static const double block23[6] = {1, 2, 3, 4, 5, 6};

/* thigh (3) prescribed; tibia (3) attached; patella (2), knee (2), foot (3) */
static saddle_attachments *leg(saddle_context *context)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    saddle_attachments *graph = empty_graph(context);
    saddle_component thigh = {.id = 1, .name = "thigh", .parametric = 1};
    assert_int_equal(saddle_attachments_add(graph, &thigh), SADDLE_OK);
    saddle_component tibia = {.id = 2, .name = "tibia", .size = 3};
    assert_int_equal(saddle_attachments_add(graph, &tibia), SADDLE_OK);
    add(graph, 3, "patella", 2, 0);
    add(graph, 4, "knee", 2, 0);
    add(graph, 5, "foot", 3, 0);
    saddle_attachment_block block = {.master = 1, .rows = 3, .cols = 3, .value = identity};
    saddle_attachment attachment = {.component = 2, .block_count = 1, .blocks = &block};
    assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    assert_int_equal(saddle_attachments_prescribe(graph, 1, (double[]){1, 2, 3}), SADDLE_OK);
    return graph;
}

typedef struct refusal {
    saddle_attachment attachment;
    saddle_status status;
    const char *message;
} refusal;

static void what_cannot_be_attached_is_named_and_changes_nothing(void **state)
{
    (void)state;
    static const double bad23[6] = {1, 2, 3, 4, NAN, 6};
    static const double bad_term[2] = {0, INFINITY};
    static const int64_t twice[2] = {1, 1};
    static const int64_t beyond[2] = {0, 2};
    saddle_attachment_block good[2] = {{5, 2, 3, block23}, {4, 2, 2, block23}};
    saddle_attachment_block missing[2] = {{5, 2, 3, block23}, {99, 2, 2, block23}};
    saddle_attachment_block again[2] = {{5, 2, 3, block23}, {5, 2, 3, block23}};
    saddle_attachment_block flat = {5, 3, 2, block23};
    saddle_attachment_block nan_block = {5, 2, 3, bad23};
    saddle_attachment_block no_values = {5, 2, 3, NULL};
    saddle_attachment_block one_row = {5, 1, 3, block23};
    const refusal refusals[] = {
        {{.component = 2, .block_count = 1, .blocks = good},
         SADDLE_INVALID_PROBLEM,
         "tibia is attached already"},
        {{.component = 1, .block_count = 1, .blocks = good},
         SADDLE_INVALID_PROBLEM,
         "thigh is prescribed: it cannot be attached too"},
        {{.component = 98, .block_count = 1, .blocks = good},
         SADDLE_INVALID_ARGUMENT,
         "there is no component of id 98"},
        {{.component = 3, .block_count = 2, .blocks = missing},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: there is no master of id 99"},
        {{.component = 3, .block_count = 2, .blocks = again},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: master foot is given twice"},
        {{.component = 3, .block_count = 1, .blocks = &flat},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: its block for master foot is 3 x 2, not 2 x 3"},
        {{.component = 3, .block_count = 1, .blocks = &nan_block},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: entry (1, 3) of its block for master foot is nan"},
        {{.component = 3, .block_count = 1, .blocks = &no_values},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: its block for master foot has no values"},
        {{.component = 3, .block_count = 1},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: 1 blocks announced, none given"},
        {{.component = 3, .block_count = 1, .blocks = good, .term = bad_term},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: its term[1] is inf"},
        {{.component = 3,
          .direction_count = 2,
          .directions = twice,
          .block_count = 1,
          .blocks = good},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: direction 1 (zero-based) is out of range or order"},
        {{.component = 3,
          .direction_count = 2,
          .directions = beyond,
          .block_count = 1,
          .blocks = good},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: direction 2 (zero-based) is out of range or order"},
        {{.component = 3, .direction_count = 3, .directions = beyond},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: 3 directions of 2"},
        {{.component = 3, .block_count = 1, .blocks = &one_row},
         SADDLE_INVALID_ARGUMENT,
         "attachment of patella: its block for master foot is 1 x 3, not 2 x 3"},
    };
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_attachments *graph = leg(context);
    uint64_t before = print_of(graph);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        saddle_status status = saddle_attachments_attach(graph, &refusals[i].attachment);
        assert_says(context, status, refusals[i].status, refusals[i].message);
        assert_true(print_of(graph) == before);
    }
    saddle_attachment last = {.component = 3, .block_count = 2, .blocks = good};
    assert_int_equal(saddle_attachments_attach(graph, &last), SADDLE_OK); /* what was refused before
                                                                             stands in nobody's
                                                                             way */
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

static void bad_components_and_values_are_named_and_change_nothing(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_attachments *graph = leg(context);
    uint64_t before = print_of(graph);
    saddle_component taken = {.id = 4, .name = "toe"};
    saddle_component wrong = {.id = 9, .name = "toe", .kind = SADDLE_COMPONENT_FRAME, .size = 3};
    saddle_component negative = {.id = 9, .kind = SADDLE_COMPONENT_COORDINATES, .size = -1};
    saddle_component huge = {.id = 9, .kind = SADDLE_COMPONENT_COORDINATES, .size = INT64_MAX};
    saddle_component unknown = {.id = 9, .kind = (saddle_component_kind)17};
    double nan9[9] = {1, 0, 0, 0, 0, 0, 0, 0, NAN};
    assert_says(context, saddle_attachments_add(graph, &taken), SADDLE_INVALID_ARGUMENT,
                "toe: id 4 is knee's already");
    assert_says(context, saddle_attachments_add(graph, &wrong), SADDLE_INVALID_ARGUMENT,
                "toe: a component of kind frame cannot have 3 velocities");
    assert_says(context, saddle_attachments_add(graph, &negative), SADDLE_INVALID_ARGUMENT,
                "component 9: a component of kind coordinates cannot have -1 velocities");
    assert_int_equal(saddle_attachments_add(graph, &huge), SADDLE_TOO_LARGE);
    assert_says(context, saddle_attachments_add(graph, &unknown), SADDLE_INVALID_ARGUMENT,
                "component 9: unknown kind 17");
    assert_says(context, saddle_attachments_set(graph, 2, nan9, NULL), SADDLE_INVALID_ARGUMENT,
                "attachment of tibia: value[8] of its blocks is nan");
    assert_says(context, saddle_attachments_set(graph, 2, NULL, nan9 + 6), SADDLE_INVALID_ARGUMENT,
                "attachment of tibia: its term[2] is nan");
    assert_says(context, saddle_attachments_set(graph, 3, nan9, NULL), SADDLE_INVALID_ARGUMENT,
                "patella is not attached");
    assert_says(context, saddle_attachments_detach(graph, 3), SADDLE_INVALID_ARGUMENT,
                "patella is not attached");
    assert_says(context, saddle_attachments_prescribe(graph, 2, nan9), SADDLE_INVALID_ARGUMENT,
                "tibia is not parametric");
    assert_says(context, saddle_attachments_prescribe(graph, 1, nan9 + 6), SADDLE_INVALID_ARGUMENT,
                "thigh: prescribed velocity[2] is nan");
    assert_says(context, saddle_attachments_prescribe(graph, 6, nan9), SADDLE_INVALID_ARGUMENT,
                "there is no component of id 6");
    assert_true(print_of(graph) == before);
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

static void states_places_and_values_read_back(void **state)
{
    (void)state;
    saddle_attachments *graph = leg(NULL);
    saddle_attachment_block block = {.master = 5, .rows = 1, .cols = 3, .value = block23};
    saddle_attachment partly = {.component = 4,
                                .direction_count = 1,
                                .directions = (int64_t[]){1},
                                .block_count = 1,
                                .blocks = &block};
    assert_int_equal(saddle_attachments_attach(graph, &partly), SADDLE_OK);
    assert_int_equal(saddle_attachments_set(graph, 4, (double[]){7, 8, 9}, (double[]){-1}),
                     SADDLE_OK);
    static const saddle_component_state states[5] = {SADDLE_COMPONENT_STATE_PARAMETRIC,
                                                     SADDLE_COMPONENT_STATE_ATTACHED,
                                                     SADDLE_COMPONENT_STATE_ACTIVE,
                                                     SADDLE_COMPONENT_STATE_PARTLY,
                                                     SADDLE_COMPONENT_STATE_ACTIVE};
    static const int64_t first[5] = {0, 3, 6, 8, 10};
    assert_int_equal(saddle_attachments_velocities(graph), 13);
    for (int64_t c = 0; c < saddle_attachments_count(graph); c++) {
        saddle_component_view view = saddle_attachments_component(graph, c);
        assert_int_equal(view.state, states[c]);
        assert_int_equal(view.first, first[c]);
        assert_int_equal(saddle_attachments_index(graph, view.component.id), c);
    }
    saddle_attachment read;
    assert_true(saddle_attachments_attachment(graph, 3, &read));
    assert_false(saddle_attachments_attachment(graph, 4, &read));
    assert_int_equal(read.directions[0], 1);
    assert_int_equal(read.blocks[0].master, 5);
    assert_memory_equal(read.blocks[0].value, ((double[]){7, 8, 9}), 3 * sizeof(double));
    assert_true(read.term[0] == -1.0);
    assert_int_equal(saddle_attachments_index(graph, 77), -1);
    saddle_attachments_free(graph);
}

static void kinds_have_words(void **state)
{
    (void)state;
    for (int kind = SADDLE_COMPONENT_PARTICLE; kind <= SADDLE_COMPONENT_COORDINATES; kind++) {
        saddle_component_kind read;
        const char *word = saddle_component_kind_word((saddle_component_kind)kind);
        assert_int_equal(saddle_component_kind_from_word(word, &read), SADDLE_OK);
        assert_int_equal(read, kind);
    }
    saddle_component_kind none;
    assert_int_equal(saddle_component_kind_from_word("femur", &none), SADDLE_UNKNOWN_NAME);
}

static saddle_status build_and_order(saddle_context *context, void *user)
{
    (void)user;
    int64_t order[40];
    saddle_attachments *graph;
    saddle_status status = saddle_attachments_create(context, &graph);
    if (status != SADDLE_OK) return status;
    for (int64_t c = 0; status == SADDLE_OK && c < 40; c++) {
        saddle_component component = {.id = c,
                                      .kind = SADDLE_COMPONENT_COORDINATES,
                                      .size = 1,
                                      .parametric = c % 7 == 6};
        status = saddle_attachments_add(graph, &component);
        if (status == SADDLE_OK && c % 2 == 1 && c % 7 != 6) status = tie_to(graph, c, c - 1);
    }
    if (status == SADDLE_OK) status = saddle_attachments_order(graph, order);
    saddle_attachments_free(graph);
    return status;
}

static void memory_that_runs_out_leaks_nothing(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(build_and_order, NULL) > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_is_spelled_out),
        cmocka_unit_test(a_long_loop_is_cut_short),
        cmocka_unit_test(loops_are_found_where_the_closure_has_one_and_masters_come_first_else),
        cmocka_unit_test(the_order_does_not_depend_on_the_order_of_attaching),
        cmocka_unit_test(what_cannot_be_attached_is_named_and_changes_nothing),
        cmocka_unit_test(bad_components_and_values_are_named_and_change_nothing),
        cmocka_unit_test(states_places_and_values_read_back),
        cmocka_unit_test(kinds_have_words),
        cmocka_unit_test(memory_that_runs_out_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
