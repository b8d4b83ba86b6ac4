/* SPDX-License-Identifier: MIT */
/* Bundles with attachments: round trips bit for bit, and every way in which their tables can
 * contradict themselves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "drawn_system.h"
#include "files/bundle.h"
#include "graph.h"

#define MATRIX "%%MatrixMarket matrix coordinate real general\n"

/* A node on a bone, half of another one, and what the bone is moved by. */
static const char sound_json[] =
    "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 11, \"m\": 0, \"components\": ["
    "{\"id\": 7, \"name\": \"bone\", \"kind\": \"frame\"}, {\"id\": 3, \"kind\": \"particle\", "
    "\"later\": [1]}, "
    "{\"id\": -2, \"name\": null, \"kind\": \"coordinates\", \"size\": 2, \"velocity\": [0.5, "
    "-0.25]}], "
    "\"attachments\": [{\"component\": 3, \"directions\": [1, 3], \"masters\": [-2, 7]}]}";
static const char sound_M[] = MATRIX "11 11 2\n1 1 2\n2 2 2\n";
static const char sound_matrix[] = MATRIX "11 12 4\n7 1 0.5\n9 2 -1.5\n7 11 4\n9 12 1e-3\n";

static saddle_status parse(saddle_context *context, const char *json, const char *matrix,
                           saddle_problem *problem, saddle_attachments **graph)
{
    const saddle__source_text texts[] = {{"problem.json", json, (int64_t)strlen(json)},
                                         {"M.mtx", sound_M, (int64_t)strlen(sound_M)},
                                         {matrix ? "attachments.mtx" : "none", matrix ? matrix : "",
                                          matrix ? (int64_t)strlen(matrix) : 0},
                                         {NULL, NULL, 0}};
    saddle__source source = saddle__source_texts(context, texts, "bundle");
    saddle_status status = saddle__attachments_parse(&source, problem, graph);
    saddle__source_close(&source);
    return status;
}

static void every_part_arrives_where_it_belongs(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_problem problem;
    saddle_attachments *graph;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    if (parse(context, sound_json, sound_matrix, &problem, &graph) != SADDLE_OK)
        fail_msg("%s", saddle_context_message(context));
    assert_int_equal(saddle_attachments_count(graph), 3);
    saddle_component_view bone = saddle_attachments_component(graph, 0),
                          node = saddle_attachments_component(graph, 1);
    saddle_component_view moved = saddle_attachments_component(graph, 2);
    assert_string_equal(bone.component.name, "bone");
    assert_string_equal(moved.component.name, "component -2");
    assert_true(bone.component.kind == SADDLE_COMPONENT_FRAME && bone.component.size == 6 &&
                bone.state == SADDLE_COMPONENT_STATE_ACTIVE);
    assert_true(node.first == 6 && node.state == SADDLE_COMPONENT_STATE_PARTLY);
    assert_true(moved.state == SADDLE_COMPONENT_STATE_PARAMETRIC && moved.velocity[0] == 0.5 &&
                moved.velocity[1] == -0.25);
    saddle_attachment a;
    assert_true(saddle_attachments_attachment(graph, 1, &a));
    assert_true(a.direction_count == 2 && a.directions[0] == 0 && a.directions[1] == 2 &&
                a.block_count == 2);
    assert_true(a.blocks[0].master == -2 && a.blocks[0].cols == 2 && a.blocks[1].master == 7 &&
                a.blocks[1].cols == 6);
    assert_true(a.blocks[0].value[2] == 4 && a.blocks[0].value[0] == 0 &&
                a.blocks[0].value[3] == 0);
    assert_true(a.blocks[1].value[0] == 0.5 && a.blocks[1].value[3] == -1.5 &&
                a.blocks[1].value[1] == 0);
    assert_true(a.term[0] == 0 && a.term[1] == 1e-3);
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

static void a_bundle_without_them_has_no_graph(void **state)
{
    (void)state;
    saddle_problem problem;
    saddle_attachments *graph;
    static const char plain[] =
        "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 11, \"m\": 0}";
    assert_int_equal(parse(NULL, plain, NULL, &problem, &graph), SADDLE_OK);
    assert_null(graph);
    assert_int_equal(problem.n, 11);
    saddle_problem_clear(&problem);
}

static void numbers_of_attachments_without_components_are_refused(void **state)
{
    (void)state;
    static const char plain[] =
        "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 11, \"m\": 0}";
    static const char said[] = "bundle/attachments.mtx: problem.json has no \"components\"";
    saddle_context *context;
    saddle_problem problem;
    saddle_attachments *graph;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(parse(context, plain, sound_matrix, &problem, &graph), SADDLE_BAD_FILE);
    assert_non_null(strstr(saddle_context_message(context), said));
    assert_null(graph);
    const saddle__source_text texts[] = {{"problem.json", plain, (int64_t)strlen(plain)},
                                         {"M.mtx", sound_M, (int64_t)strlen(sound_M)},
                                         {"attachments.mtx", sound_matrix,
                                          (int64_t)strlen(sound_matrix)},
                                         {NULL, NULL, 0}};
    saddle__source source = saddle__source_texts(context, texts, "bundle");
    assert_int_equal(saddle__bundle_parse(&source, &problem, NULL), SADDLE_BAD_FILE);
    assert_non_null(strstr(saddle_context_message(context), said));
    saddle__source_close(&source);
    saddle_context_free(context);
}

static void the_problem_alone_is_refused(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_problem problem;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const saddle__source_text texts[] = {{"problem.json", sound_json, (int64_t)strlen(sound_json)},
                                         {"M.mtx", sound_M, (int64_t)strlen(sound_M)},
                                         {NULL, NULL, 0}};
    saddle__source source = saddle__source_texts(context, texts, "bundle");
    assert_int_equal(saddle__bundle_parse(&source, &problem, NULL), SADDLE_UNSUPPORTED);
    assert_non_null(strstr(saddle_context_message(context), "bundle: has attachments"));
    assert_true(problem.n == 0 && !problem.M.start);
    saddle__source_close(&source);
    saddle_context_free(context);
}

/* ---- round trips ---- */

static void assert_same_numbers(const double *a, const double *b, int64_t count)
{
    if (count > 0) assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void assert_same_attachment(const saddle_attachment *a, const saddle_attachment *b)
{
    assert_true(a->component == b->component && a->direction_count == b->direction_count);
    assert_true(!a->directions == !b->directions && a->block_count == b->block_count);
    for (int64_t i = 0; a->directions && i < a->direction_count; i++)
        assert_int_equal(a->directions[i], b->directions[i]);
    for (int64_t k = 0; k < a->block_count; k++) {
        assert_true(a->blocks[k].master == b->blocks[k].master &&
                    a->blocks[k].rows == b->blocks[k].rows);
        assert_same_numbers(a->blocks[k].value, b->blocks[k].value,
                            a->blocks[k].rows * a->blocks[k].cols);
    }
    assert_same_numbers(a->term, b->term, a->direction_count);
}

static void assert_same_graph(const saddle_attachments *a, const saddle_attachments *b)
{
    assert_int_equal(saddle_attachments_count(a), saddle_attachments_count(b));
    for (int64_t c = 0; c < saddle_attachments_count(a); c++) {
        saddle_component_view p = saddle_attachments_component(a, c),
                              q = saddle_attachments_component(b, c);
        saddle_attachment s, t;
        assert_true(p.component.id == q.component.id && p.component.kind == q.component.kind &&
                    p.state == q.state);
        assert_int_equal(p.component.size, q.component.size);
        assert_string_equal(p.component.name, q.component.name);
        if (p.velocity) assert_same_numbers(p.velocity, q.velocity, p.component.size);
        assert_int_equal(saddle_attachments_attachment(a, c, &s),
                         saddle_attachments_attachment(b, c, &t));
        if (saddle_attachments_attachment(a, c, &s)) assert_same_attachment(&s, &t);
    }
}

static void drawn_graphs_read_back_bit_for_bit(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/problem", test_scratch_folder());
    for (int trial = 0; trial < test_draws(300); trial++) {
        drawn_system d = draw_system(
            &seed, (system_kind){.shape = (graph_shape)test_integer(&seed, 0, SHAPE_COUNT - 1),
                                 .components = test_integer(&seed, 0, MOST_COMPONENTS),
                                 .rows = test_integer(&seed, 0, 5),
                                 .general = (int)test_integer(&seed, 0, 1),
                                 .parametric = 3,
                                 .partly = 3,
                                 .moving = (int)test_integer(&seed, 0, 1)});
        if (d.attachment_count > 0 && d.attachment[0].direction_count > 0)
            d.attachment[0].term[0] = -0.0;
        saddle_attachments *graph = graph_of(context, &d, 0), *back;
        saddle_problem problem;
        if (saddle_attachments_write(context, path, &d.problem, graph) != SADDLE_OK)
            fail_msg("%s", saddle_context_message(context));
        assert_true(saddle__bundle_is(path));
        if (saddle_attachments_read(context, path, &problem, &back) != SADDLE_OK)
            fail_msg("%s", saddle_context_message(context));
        assert_same_graph(graph, back);
        assert_same_numbers(problem.f, d.problem.f, problem.n);
        assert_same_numbers(problem.M.value, d.problem.M.value, saddle_matrix_entries(&problem.M));
        saddle_attachments_free(back);
        saddle_attachments_free(graph);
        saddle_problem_clear(&problem);
        drawn_system_clear(&d);
    }
    saddle_context_free(context);
}

/* ---- contradictions ---- */

#define HEAD "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 11, \"m\": 0, "
#define BONE "{\"id\": 7, \"name\": \"bone\", \"kind\": \"frame\"}"
#define NODE "{\"id\": 3, \"name\": \"node\", \"kind\": \"particle\"}"
#define TWO "{\"id\": 2, \"kind\": \"coordinates\", \"size\": 2}"
#define ALL "\"components\": [" BONE ", " NODE ", " TWO "]"

static const struct {
    const char *json, *matrix, *message; /* matrix NULL: absent */
} contradictions[] = {
    {HEAD "\"attachments\": []}", NULL, "the file: \"components\" is missing"},
    {HEAD "\"components\": {}}", NULL, "\"components\": expected a list, found '{'"},
    {HEAD "\"components\": [1]}", NULL, "\"components\": element 1: expected an object, found '1'"},
    {HEAD "\"components\": [{\"kind\": \"frame\"}]}", NULL,
     "\"components\": element 1: \"id\" is missing"},
    {HEAD "\"components\": [{\"id\": 1}]}", NULL, "\"components\": element 1: \"kind\" is missing"},
    {HEAD "\"components\": [{\"id\": 1, \"id\": 2}]}", NULL, "\"id\" is given twice"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"blob\"}]}", NULL,
     "\"kind\" is \"blob\", not particle, frame"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"frame\", \"size\": 5}]}", NULL,
     "kind frame cannot have 5"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"coordinates\", \"size\": -3}]}", NULL,
     "\"size\" is -3"},
    {HEAD
     "\"components\": [{\"id\": 1, \"kind\": \"coordinates\", \"size\": 1, \"velocity\": [1, 2]}]}",
     NULL, "\"velocity\" has 2 elements, \"size\" is 1"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"particle\", \"velocity\": [1, 2]}]}", NULL,
     "kind particle cannot have 2"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"particle\", \"velocity\": []}]}", NULL,
     "component 1: a component of kind particle cannot have 0"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"frame\", \"size\": 0, \"velocity\": []}]}",
     NULL, "kind frame cannot have 0"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"frame\", \"size\": 0}]}", NULL,
     "kind frame cannot have 0"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"frame\", \"size\": -1}]}", NULL,
     "\"size\" is -1"},
    {HEAD "\"components\": [{\"id\": 1, \"kind\": \"particle\", \"velocity\": [1, 2, 1e999]}]}",
     NULL, "too large"},
    {HEAD "\"components\": [" BONE ", " BONE "]}", NULL, "id 7 is bone's already"},
    {HEAD "\"components\": [" BONE ", " NODE "]}", NULL,
     "the components have 9 velocities, \"n\" is 11"},
    {HEAD "\"components\": [{\"id\": 5, \"name\": \"\", \"kind\": \"frame\"}, {\"id\": 5, "
          "\"kind\": \"frame\"}]}",
     NULL, "id 5 is component 5's already"},
    {HEAD ALL ", \"attachments\": 3}", NULL, "\"attachments\": expected a list"},
    {HEAD ALL ", \"attachments\": [{\"masters\": [7]}]}", NULL, "\"component\" is missing"},
    {HEAD ALL ", \"attachments\": [{\"component\": 8}]}", NULL, "there is no component of id 8"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [8]}]}", NULL,
     "node: there is no master of id 8"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [7, 7]}]}", NULL,
     "master bone is given twice"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [3]}]}", NULL,
     "attachment loop: node -> node"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3}, {\"component\": 3}]}", NULL,
     "node is attached already"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"directions\": [0]}]}", NULL,
     "\"directions\" of node: 0 is out"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"directions\": [4]}]}", NULL,
     "\"directions\" of node: 4 is out"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"directions\": [2, 2]}]}", NULL,
     "2 is out of range or order"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [7]}, {\"component\": 7, "
              "\"masters\": [3]}]}",
     NULL, "problem.json: attachment loop: "},
    {HEAD "\"components\": [" BONE ", " NODE
          ", {\"id\": 2, \"kind\": \"coordinates\", \"velocity\": [1, 2]}], "
          "\"attachments\": [{\"component\": 2}]}",
     NULL, "component 2 is prescribed: it cannot be attached too"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [7]}]}", MATRIX "11 11 0\n",
     "attachments.mtx: 11 x 11, but n x (n + 1) is 11 x 12"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [7]}]}",
     MATRIX "11 12 1\n7 10 1\n",
     "attachments.mtx: entry (7, 10): component 2 is no master of node"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [7]}]}",
     MATRIX "11 12 1\n10 1 1\n",
     "attachments.mtx: row 10 (component 2[0]) has entries, but is not attached"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"directions\": [1]}]}",
     MATRIX "11 12 1\n8 12 1\n",
     "attachments.mtx: row 8 (node[1]) has entries, but is not attached"},
    {HEAD ALL ", \"attachments\": [{\"component\": 3, \"masters\": [7]}]}",
     MATRIX "11 12 1\n7 1 nan\n", "attachments.mtx:3: value: 'nan' is not finite"},
    {HEAD ALL ", \"attachments\": []}", MATRIX "11 12 1\n7 1 2\n",
     "row 7 (node[0]) has entries, but is not attached"},
};

static void every_contradiction_is_refused_and_named(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t before = saddle_context_memory(context).bytes;
    for (size_t i = 0; i < sizeof contradictions / sizeof *contradictions; i++) {
        saddle_problem problem;
        saddle_attachments *graph;
        saddle_status status = parse(context, contradictions[i].json, contradictions[i].matrix,
                                     &problem, &graph);
        const char *said = saddle_context_message(context);
        if (status != SADDLE_BAD_FILE || !strstr(said, contradictions[i].message))
            fail_msg("%s\nwas given status %d: %s", contradictions[i].json, status, said);
        assert_null(graph);
        assert_true(problem.n == 0 && !problem.M.start);
        assert_int_equal(saddle_context_memory(context).bytes, before);
    }
    saddle_context_free(context);
}

static void a_few_bytes_do_not_ask_for_large_blocks(void **state)
{
    (void)state;
    static const char M[] = MATRIX "40000 40000 0\n";
    static const char json[] =
        "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 40000, \"m\": 0, \"components\": ["
        "{\"id\": 1, \"kind\": \"coordinates\", \"size\": 20000}, "
        "{\"id\": 2, \"name\": \"wide\", \"kind\": \"coordinates\", \"size\": 20000}], "
        "\"attachments\": [{\"component\": 2, \"masters\": [1]}]}";
    saddle_context *context;
    saddle_problem problem;
    saddle_attachments *graph;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const saddle__source_text texts[] = {{"problem.json", json, (int64_t)strlen(json)},
                                         {"M.mtx", M, (int64_t)strlen(M)},
                                         {NULL, NULL, 0}};
    saddle__source source = saddle__source_texts(context, texts, "bundle");
    assert_int_equal(saddle__attachments_parse(&source, &problem, &graph), SADDLE_TOO_LARGE);
    if (!strstr(saddle_context_message(context),
                "bundle: attachment of wide: blocks of 400000000 entries"))
        fail_msg("%s", saddle_context_message(context));
    assert_null(graph);
    assert_true(saddle_context_memory(context).peak_bytes < INT64_C(16) << 20);
    saddle__source_close(&source);
    saddle_context_free(context);
}

static void what_cannot_be_written_leaves_nothing_behind(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_attachments *graph;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/problem", test_scratch_folder());
    saddle_problem problem = {0};
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    const saddle_component nameless = {.id = 1,
                                       .name = "\xff",
                                       .kind = SADDLE_COMPONENT_COORDINATES};
    assert_int_equal(saddle_attachments_add(graph, &nameless), SADDLE_OK);
    assert_int_equal(saddle_attachments_write(context, path, &problem, graph),
                     SADDLE_NOT_EXPRESSIBLE);
    const saddle_component more = {.id = 2, .kind = SADDLE_COMPONENT_PARTICLE};
    assert_int_equal(saddle_attachments_add(graph, &more), SADDLE_OK);
    assert_int_equal(saddle_attachments_write(context, path, &problem, graph),
                     SADDLE_INVALID_ARGUMENT);
    assert_false(saddle__bundle_is(path));
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

static saddle_status parse_in(saddle_context *context, void *user)
{
    (void)user;
    saddle_problem problem;
    saddle_attachments *graph;
    saddle_status status = parse(context, sound_json, sound_matrix, &problem, &graph);
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
    return status;
}

static void memory_that_runs_out_leaks_nothing(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(parse_in, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_arrives_where_it_belongs),
        cmocka_unit_test(a_bundle_without_them_has_no_graph),
        cmocka_unit_test(numbers_of_attachments_without_components_are_refused),
        cmocka_unit_test(the_problem_alone_is_refused),
        cmocka_unit_test(drawn_graphs_read_back_bit_for_bit),
        cmocka_unit_test(every_contradiction_is_refused_and_named),
        cmocka_unit_test(a_few_bytes_do_not_ask_for_large_blocks),
        cmocka_unit_test(what_cannot_be_written_leaves_nothing_behind),
        cmocka_unit_test(memory_that_runs_out_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
