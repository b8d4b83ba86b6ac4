/* SPDX-License-Identifier: MIT */
/* Problem bundles: round trips, every way a folder can contradict itself, and writing whole or not
 * at all. */
#include "files_support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/bundle.h"
#include "saddle/files.h"

#define MATRIX "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

enum { PARTS = 8 };

/* A bundle in memory: two velocities, four rows, one contact on rows 2 to 4. */
typedef struct parts {
    saddle__source_text text[PARTS + 1];
} parts;

static saddle_status read_bundle(saddle_context *context, const char *path, saddle_problem *problem)
{
    const saddle_read_options options = {.format = SADDLE_FORMAT_BUNDLE};
    return saddle_problem_read(context, path, &options, problem, NULL, NULL, NULL);
}

static parts sound(void)
{
    parts p = {{
        {"problem.json",
         "{\"format\": \"saddle-problem\", \"version\": 1, \"name\": \"small\", \"source\": \"by "
         "hand\", "
         "\"n\": 2, \"m\": 4, \"symmetric\": true, \"time_step\": 0.01, "
         "\"friction\": {\"law\": \"pyramid\", \"facets\": 6}, \"row_ids\": [7, 8, 9, 10], "
         "\"row_names\": [\"hinge\", null, null, null], \"component_sizes\": [2], "
         "\"component_names\": [\"body\"], \"a later key\": [1, {\"x\": null}]}",
         0},
        {"M.mtx", MATRIX "2 2 4\n1 1 4\n2 1 1\n1 2 1\n2 2 3\n", 0},
        {"J.mtx", MATRIX "4 2 5\n1 1 1\n1 2 -1\n2 1 1\n3 2 1\n4 1 2\n", 0},
        {"R.mtx", SYMMETRIC "4 4 1\n1 1 1e-3\n", 0},
        {"f.mtx", ARRAY "2 1\n0\n-9.81\n", 0},
        {"b.mtx", ARRAY "4 1\n1\n2\n3\n4\n", 0},
        {"bounds.mtx", ARRAY "4 2\n-inf\n0\n-inf\n-inf\ninf\n2\ninf\ninf\n", 0},
        {"contacts.mtx", ARRAY "1 3\n2\n3\n0.5\n", 0},
        {NULL, NULL, 0},
    }};
    return p;
}

/* text NULL: the file is absent. */
static void set(parts *p, const char *name, const char *text)
{
    for (int i = 0; i < PARTS; i++)
        if (p->text[i].name && strcmp(p->text[i].name, name) == 0) {
            if (!text)
                p->text[i].name = "removed";
            else
                p->text[i].text = text;
            return;
        }
    fail_msg("no part %s", name);
}

static saddle_status parse(saddle_context *context, parts p, saddle_problem *problem)
{
    for (int i = 0; i < PARTS; i++) p.text[i].length = (int64_t)strlen(p.text[i].text);
    saddle__source source = saddle__source_texts(context, p.text, "bundle");
    saddle_status status = saddle__bundle_parse(&source, problem, NULL);
    saddle__source_close(&source);
    return status;
}

static void every_part_arrives_where_it_belongs(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_problem p;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    if (parse(context, sound(), &p) != SADDLE_OK) fail_msg("%s", saddle_context_message(context));
    assert_true(p.n == 2 && p.m == 4);
    assert_int_equal(p.M.symmetry, SADDLE_SYMMETRY_LOWER); /* as claimed: the lower one */
    assert_int_equal(saddle_matrix_entries(&p.M), 3);
    assert_true(p.Jt.rows == 2 && p.Jt.cols == 4 && saddle_matrix_entries(&p.Jt) == 5);
    /* row 1 of J is (1, -1) */
    assert_true(p.Jt.start[1] == 2 && p.Jt.index[1] == 1 && p.Jt.value[1] == -1);
    assert_true(p.R.symmetry == SADDLE_SYMMETRY_LOWER && p.R.value[0] == 1e-3);
    assert_true(p.f[1] == -9.81 && p.b[3] == 4);
    assert_true(p.lo[0] == -INF && p.lo[1] == 0 && p.hi[0] == INF && p.hi[1] == 2);
    assert_int_equal(p.contact_count, 1);
    assert_true(p.contacts[0].row == 1 && p.contacts[0].size == 3 && p.contacts[0].mu == 0.5);
    assert_true(p.law == SADDLE_LAW_PYRAMID && p.facets == 6);
    assert_true(p.row_id[3] == 10 && p.component_count == 1 && p.component_size[0] == 2);
    assert_string_equal(p.row_name[0], "hinge");
    assert_null(p.row_name[1]);
    assert_string_equal(p.component_name[0], "body");
    assert_string_equal(p.name, "small");
    assert_string_equal(p.source, "by hand");
    assert_true(p.time_step == 0.01);
    saddle_problem_clear(&p);
    saddle_context_free(context);
}

#define SIZES "\"n\": 2, \"m\": 4"
#define JSON(more) "{\"format\": \"saddle-problem\", \"version\": 1, " more "}"

static void what_is_absent_is_empty_or_zero(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    parts p = sound();
    set(&p, "problem.json", JSON(SIZES));
    static const char *const absent[] = {"J.mtx", "R.mtx",      "f.mtx",
                                         "b.mtx", "bounds.mtx", "contacts.mtx"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) set(&p, absent[i], NULL);
    saddle_problem problem;
    assert_int_equal(parse(context, p, &problem), SADDLE_OK);
    assert_int_equal(problem.M.symmetry,
                     SADDLE_SYMMETRY_NONE); /* nothing claimed, nothing concluded */
    assert_true(problem.Jt.rows == 2 && problem.Jt.cols == 4 &&
                saddle_matrix_entries(&problem.Jt) == 0);
    assert_int_equal(problem.R.rows, 0);
    assert_true(!problem.f && !problem.b && !problem.lo && !problem.hi && !problem.contacts &&
                !problem.row_id);
    assert_true(problem.law == SADDLE_LAW_CONE && problem.facets == 0 && problem.time_step == 0);
    saddle_problem_clear(&problem);
    set(&p, "problem.json", JSON("\"n\": 0, \"m\": 0"));
    set(&p, "M.mtx", NULL);
    assert_int_equal(parse(context, p, &problem), SADDLE_OK);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

typedef struct contradiction {
    const char *name, *text, *message; /* the file, its replaced content (NULL: absent), the message
                                        */
} contradiction;

/* ---- what is wrong in problem.json ---- */

static const contradiction bad_heads[] = {
    {"problem.json", "",
     "bundle/problem.json:1: the file: expected an object, found the end of the file"},
    {"problem.json", "{\"format\": \"saddle-problem\",\n\"version\": 1,\n\"n\": 2",
     "bundle/problem.json:3: JSON: expected ',' or '}', found the end of the file"},
    {"problem.json", "[]", "bundle/problem.json:1: the file: expected an object, found '['"},
    {"problem.json", "{\"format\": \"other\"}", "\"format\" is not \"saddle-problem\""},
    {"problem.json", "{\"n\": 2}", "bundle/problem.json:1: the file: \"format\" is missing"},
    {"problem.json", "{\"format\": \"saddle-problem\"}", "\"version\" is missing"},
    {"problem.json", "{\"format\": \"saddle-problem\", \"version\": 2}",
     "\"version\" is 2, this reader knows 1"},
    {"problem.json", "{\"format\": \"saddle-problem\", \"version\": 0}",
     "\"version\" is 0, less than 1"},
    {"problem.json", JSON("\"n\": 2, \"n\": 3"), "bundle/problem.json:1: \"n\" is given twice"},
    {"problem.json", JSON("\"m\": 4"), "\"n\" is missing"},
    {"problem.json", JSON("\"n\": 2"), "\"m\" is missing"},
    {"problem.json", JSON("\"n\": 2.0, \"m\": 4"),
     "bundle/problem.json:1: \"n\": 2.0 is not an integer"},
    {"problem.json", JSON("\"n\": -2, \"m\": 4"), "\"n\" is -2, less than 0"},
    {"problem.json", JSON("\"n\": 99999999999999999999, \"m\": 4"),
     "bundle/problem.json:1: \"n\": does not fit 64 bits"},
    {"problem.json", JSON("\"n\": 3, \"m\": 4"),
     "bundle/M.mtx: 2 x 2, but problem.json asks for 3 x 3"},
    {"problem.json", JSON("\"n\": 2, \"m\": 5"),
     "bundle/J.mtx: 4 x 2, but problem.json asks for 5 x 2"},
};

static const contradiction bad_values[] = {
    {"problem.json", JSON(SIZES ", \"name\": 5"), "\"name\": expected a string, found '5'"},
    {"problem.json", JSON(SIZES ", \"symmetric\": 1"),
     "\"symmetric\": expected true or false, found '1'"},
    {"problem.json", JSON(SIZES ", \"time_step\": \"x\""),
     "\"time_step\": expected a number, found"},
    {"problem.json", JSON(SIZES ", \"time_step\": -1"), "bundle: time step"},
    {"problem.json", JSON(SIZES ", \"time_step\": 1e999"), "\"time_step\": too large for a double"},
    {"problem.json", JSON(SIZES ", \"friction\": []"),
     "\"friction\": expected an object, found '['"},
    {"problem.json", JSON(SIZES ", \"friction\": {\"law\": 3}"),
     "\"law\": expected a string, found '3'"},
    {"problem.json", JSON(SIZES ", \"friction\": {\"law\": \"glue\"}"),
     "\"law\" is \"glue\", not cone"},
    {"problem.json", JSON(SIZES ", \"solve\": {}"), "\"solver\" is missing"},
    {"problem.json", JSON(SIZES ", \"solve\": {\"solver\": null}"), "\"solver\" is null"},
    {"problem.json", JSON(SIZES ", \"solve\": {\"solver\": \"auto\", \"tolerance\": -1}"),
     "tolerance = -1 is not a finite number >= 0"},
    {"problem.json", JSON(SIZES ", \"solve\": {\"solver\": \"auto\", \"solver\": \"auto\"}"),
     "\"solver\" is given twice"},
    {"problem.json", JSON(SIZES ", \"solve\": {\"solver\": \"auto\", \"ordering\": \"x\"}"),
     "\"ordering\" is \"x\", not best"},
    {"problem.json", JSON(SIZES ", \"solve\": {\"solver\": \"auto\", \"max_iterations\": -5}"),
     "\"max_iterations\" is -5"},
    {"problem.json", JSON(SIZES ", \"solve\": 3"), "\"solve\""},
    {"problem.json", JSON(SIZES ", \"friction\": {\"facets\": -1}"), "\"facets\" is -1"},
    {"problem.json", JSON(SIZES ", \"friction\": {\"facets\": 2}"), "bundle: facets = 2"},
    {"problem.json", JSON(SIZES ", \"row_ids\": [1, 2, 3]"),
     "\"row_ids\" has 3 elements, 4 are needed"},
    {"problem.json", JSON(SIZES ", \"row_ids\": [1, 2, 3, 2]"), "bundle: row id 2"},
    {"problem.json", JSON(SIZES ", \"row_ids\": [1, 2, 3, 4.5]"),
     "\"row_ids\": element 4: 4.5 is not an integer"},
    {"problem.json", JSON(SIZES ", \"row_ids\": {}"), "\"row_ids\": expected a list, found '{'"},
    {"problem.json", JSON(SIZES ", \"row_names\": [1, 2, 3, 4]"),
     "\"row_names\": element 1: expected a string"},
    {"problem.json", JSON(SIZES ", \"component_sizes\": [1]"), "bundle: component sizes sum to 1"},
    {"problem.json", JSON(SIZES ", \"component_sizes\": [-1, 3]"), "bundle: component 1"},
    {"problem.json", JSON(SIZES ", \"component_sizes\": 2"),
     "\"component_sizes\": expected a list, found '2'"},
    {"problem.json", JSON(SIZES ", \"component_names\": [\"a\"]"), "\"component_names\" without"},
    {"problem.json", JSON(SIZES ", \"component_sizes\": [2], \"component_names\": []"),
     "has 0 elements"},
};

static const contradiction bad_json[] = {
    {"problem.json", JSON("\"n\": 02, \"m\": 4"), "\"n\": expected an integer, found '0'"},
    {"problem.json", JSON("\"n\": +2, \"m\": 4"), "\"n\": expected an integer, found '+'"},
    {"problem.json", JSON("\"n\": 2,, \"m\": 4"), "key: expected a string, found ','"},
    {"problem.json", JSON(SIZES ","), "key: expected a string, found '}'"},
    {"problem.json", JSON(SIZES) " more", "JSON: expected the end, found 'm'"},
    {"problem.json", JSON(SIZES ", \"time_step\": NaN"),
     "\"time_step\": expected a number, found 'N'"},
    {"problem.json", JSON(SIZES ", \"time_step\": .5"),
     "\"time_step\": expected a number, found '.'"},
    {"problem.json", JSON(SIZES ", \"time_step\": 5."),
     "\"time_step\": expected a number, found '5'"},
    {"problem.json", JSON(SIZES ", \"name\": \"a\nb\""),
     "\"name\": a string with a character that JSON"},
    {"problem.json", JSON(SIZES ", \"name\": \"\\u0000\""),
     "\"name\": a string with a character that JSON"},
    {"problem.json", JSON(SIZES ", \"name\": \"\\ud800\""),
     "\"name\": a string with a character that JSON"},
    {"problem.json", JSON(SIZES ", \"name\": \"\\q\""),
     "\"name\": a string with a character that JSON"},
    {"problem.json", JSON(SIZES ", \"name\": \"\xff\""), "\"name\": a string that is not UTF-8"},
    {"problem.json", "{\"format\": \"saddle-problem", "\"format\": a string without end"},
    {"problem.json", JSON(SIZES ", \"x\": [1, 2"), "JSON: expected ',' or ']', found '}'"},
    {"problem.json", JSON(SIZES ", \"x\": nul"), "JSON: expected a number, found 'n'"},
};

/* ---- what is wrong in the other files ---- */

static const contradiction bad_matrices[] = {
    {"M.mtx", NULL, "bundle/M.mtx: absent, but n = 2"},
    {"M.mtx", MATRIX "2 2 4\n1 1 4\n2 1 1\n1 2 1.5\n2 2 3\n",
     "bundle/M.mtx: problem.json says symmetric, but entries (2, 1)"},
    {"M.mtx", MATRIX "2 2 2\n1 1 4\n1 2 1\n", "bundle/M.mtx: problem.json says symmetric"},
    {"M.mtx", MATRIX "2 2 1\n1 1 nan\n", "bundle/M.mtx:3: value: 'nan' is not finite"},
    {"M.mtx", MATRIX "2 2 1\n3 1 1\n", "bundle/M.mtx:3: row index: 3 is outside 1 to 2"},
    {"M.mtx", "hello", "bundle/M.mtx:1: not a Matrix Market file"},
    {"J.mtx", MATRIX "2 4 0\n", "bundle/J.mtx: 2 x 4, but problem.json asks for 4 x 2"},
    {"J.mtx", MATRIX "4 2 2\n1 1 1\n1 1 1\n",
     "bundle/J.mtx:4: entry (1, 1) was given before, on line 3"},
    {"J.mtx", MATRIX "4 2 1\n1 1 -inf\n", "bundle/J.mtx:3: value: '-inf' is not finite"},
    {"R.mtx", MATRIX "2 2 0\n", "bundle/R.mtx: 2 x 2, but problem.json asks for 4 x 4"},
    {"R.mtx", MATRIX "4 4 1\n1 1 inf\n", "bundle/R.mtx:3: value: 'inf' is not finite"},
};

static const contradiction bad_arrays[] = {
    {"f.mtx", ARRAY "3 1\n1\n2\n3\n", "bundle/f.mtx: 3 x 1, but 2 x 1 is needed"},
    {"f.mtx", ARRAY "1 2\n1\n2\n", "bundle/f.mtx: 1 x 2, but 2 x 1 is needed"},
    {"f.mtx", ARRAY "2 1\n1\ninf\n", "bundle/f.mtx:4: value: 'inf' is not finite"},
    {"f.mtx", ARRAY "2 1\n1.5\n",
     "bundle/f.mtx:4: 2 numbers are announced, but the file ends after 1"},
    {"b.mtx", ARRAY "4 1\n1\n2\nnan\n4\n", "bundle/b.mtx:5: value: 'nan' is not finite"},
    {"bounds.mtx", ARRAY "4 2\n0\n0\n0\n0\n1\n-1\n1\n1\n",
     "bundle: row 2 (id 8): lower bound 0 above upper bound -1"},
    {"bounds.mtx", ARRAY "4 2\n0\n0\n0\nnan\n1\n1\n1\n1\n",
     "bundle/bounds.mtx:6: value: 'nan' is not finite"},
    {"bounds.mtx", ARRAY "4 2\ninf\n0\n0\n0\ninf\n1\n1\n1\n",
     "bundle: row 1 (id 7, hinge): bounds [inf, inf]"},
    {"bounds.mtx", ARRAY "4 1\n0\n0\n0\n0\n", "bundle/bounds.mtx: 4 x 1, but 4 x 2 is needed"},
    {"contacts.mtx", ARRAY "1 3\n2\n3\n-0.5\n", "bundle: contact 1: friction coefficient -0.5"},
    {"contacts.mtx", ARRAY "1 3\n2\n3\ninf\n", "bundle/contacts.mtx:5: value: 'inf' is not finite"},
    {"contacts.mtx", ARRAY "1 3\n3\n3\n0.5\n",
     "bundle: contact 1: contacts[0].row is 2, with 3 rows from"},
    {"contacts.mtx", ARRAY "2 3\n1\n2\n2\n2\n0\n0\n",
     "bundle: contact 2: row 2 belongs to an earlier contact"},
    {"contacts.mtx", ARRAY "1 3\n0\n3\n0.5\n",
     "bundle/contacts.mtx: contact 1: first row is 0, not an integer from 1 to 4"},
    {"contacts.mtx", ARRAY "1 3\n1.5\n3\n0.5\n",
     "bundle/contacts.mtx: contact 1: first row is 1.5"},
    {"contacts.mtx", ARRAY "1 3\n1\n7\n0.5\n",
     "bundle/contacts.mtx: contact 1: number of rows is 7, not an integer from 2 to 6"},
    {"contacts.mtx", ARRAY "1 5\n1\n4\n0.5\n-1\n0\n",
     "bundle: contact 1: torsional friction coefficient -1"},
    {"contacts.mtx", ARRAY "1 5\n1\n4\n0.5\n0\n0.25\n",
     "bundle: contact 1: rolling friction coefficient 0.25, but its 4 rows hold none"},
    {"contacts.mtx", ARRAY "1 3\n1e300\n3\n0.5\n",
     "bundle/contacts.mtx: contact 1: first row is 1"},
    {"contacts.mtx", ARRAY "1 2\n1\n3\n",
     "bundle/contacts.mtx: 1 x 2, but 3 or 5 columns are needed"},
    {"contacts.mtx", ARRAY "1 4\n1\n3\n0.5\n0\n", "contacts.mtx: 1 x 4, but 3 or 5 columns"},
};

static void assert_refused(const contradiction *cases, size_t count)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t before = saddle_context_memory(context).bytes;
    for (size_t i = 0; i < count; i++) {
        parts p = sound();
        set(&p, cases[i].name, cases[i].text);
        saddle_problem problem;
        memset(&problem, 0x55, sizeof problem);
        saddle_status status = parse(context, p, &problem);
        if (status != SADDLE_BAD_FILE)
            fail_msg("%s = %s\nwas given status %d", cases[i].name, cases[i].text, status);
        assert_message(context, cases[i].message);
        assert_true(problem.n == 0 && problem.m == 0 && !problem.M.start && !problem.f &&
                    !problem.row_id);
        assert_int_equal(saddle_context_memory(context).bytes, before);
    }
    saddle_context_free(context);
}

static void every_contradiction_is_refused_and_named(void **unused)
{
    (void)unused;
    assert_refused(bad_heads, sizeof bad_heads / sizeof *bad_heads);
    assert_refused(bad_values, sizeof bad_values / sizeof *bad_values);
    assert_refused(bad_json, sizeof bad_json / sizeof *bad_json);
    assert_refused(bad_matrices, sizeof bad_matrices / sizeof *bad_matrices);
    assert_refused(bad_arrays, sizeof bad_arrays / sizeof *bad_arrays);
}

/* ---- reading ---- */

static void strings_and_unknown_values_are_read_as_JSON_means_them(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    parts p = sound();
    set(&p, "problem.json",
        JSON("\"unknown\": {\"a\": [[], {}, {\"b\": [1e5, -0.5E-3, true, false, null, "
             "\"\\\"]\"]}]}, \"m\": 4, "
             "\"name\": \"\\u0041\\u00e9\\u20AC\\ud83e\\uddb4 \\\"\\\\\\/\\b\\f\\n\\r\\t\", "
             "\"row_ids\": [4, 3, 2, -1], "
             "\"source\": null, \"n\": 2"));
    saddle_problem problem;
    if (parse(context, p, &problem) != SADDLE_OK) fail_msg("%s", saddle_context_message(context));
    assert_string_equal(problem.name, "A\xc3\xa9\xe2\x82\xac\xf0\x9f\xa6\xb4 \"\\/\b\f\n\r\t");
    assert_null(problem.source);
    assert_int_equal(problem.row_id[3], -1);
    saddle_problem_clear(&problem);
    char deep[300] = "{\"x\": ";
    memset(deep + 6, '[', 200);
    set(&p, "problem.json", deep);
    assert_int_equal(parse(context, p, &problem), SADDLE_BAD_FILE);
    assert_message(context, "JSON: nested more than 64 deep");
    saddle_context_free(context);
}

static void a_folder_that_is_no_bundle_is_named(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_problem problem;
    const char *folder = test_scratch_folder();
    assert_int_equal(read_bundle(context, folder, &problem), SADDLE_FILE_ERROR);
    assert_message(context, "not a problem bundle: there is no");
    assert_int_equal(read_bundle(context, join(folder, "absent"), &problem), SADDLE_FILE_ERROR);
    assert_false(saddle__bundle_is(folder));
    write_text(join(folder, "file"), "x");
    assert_int_equal(read_bundle(context, join(folder, "file"), &problem), SADDLE_FILE_ERROR);
    assert_message(context, "file");
    assert_false(saddle__bundle_is(join(folder, "file")));
    saddle_context_free(context);
}

/* ---- writing ---- */

static void drawn_problems_read_back_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const char *folder = test_scratch_folder();
    char path[4096];
    snprintf(path, sizeof path, "%s/problem", folder);
    for (int i = 0; i < 1000; i++) {
        saddle_problem a, b;
        draw_bundle(context, &state, &a);
        if (saddle__bundle_write(context, path, &a, NULL) != SADDLE_OK)
            fail_msg("%s", saddle_context_message(context));
        if (read_bundle(context, path, &b) != SADDLE_OK)
            fail_msg("%s", saddle_context_message(context));
        assert_same_problem(&a, &b);
        assert_int_equal(count_entries(folder), 1); /* no temporary neighbour, no aside */
        assert_true(saddle__bundle_is(path));
        saddle_problem_clear(&a);
        saddle_problem_clear(&b);
    }
    saddle_context_free(context);
}

static void make_sound(saddle_context *context, saddle_problem *problem)
{
    assert_int_equal(parse(context, sound(), problem), SADDLE_OK);
}

static void an_existing_bundle_is_replaced_and_its_notes_are_kept(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_problem problem, back, bare = {0};
    make_sound(context, &problem);
    const char *folder = test_scratch_folder();
    char path[4096];
    snprintf(path, sizeof path, "%s/b", folder);
    assert_int_equal(saddle__bundle_write(context, path, &problem, NULL), SADDLE_OK);
    write_text(join(path, "NOTE.md"), "made by hand\n");
    assert_int_equal(mkdir(join(path, "pictures"), 0755), 0);
    assert_int_equal(saddle__bundle_write(context, join(folder, "b//"), &bare, NULL), SADDLE_OK);
    assert_int_equal(count_entries(folder), 1);
    assert_int_equal(count_entries(path), 3); /* problem.json and what was not ours: J.mtx and the
                                                 others are gone */
    char *note = read_text(join(path, "NOTE.md"));
    assert_string_equal(note, "made by hand\n");
    free(note);
    assert_true(exists(join(path, "pictures")));
    assert_int_equal(read_bundle(context, path, &back), SADDLE_OK);
    assert_int_equal(back.n, 0);
    saddle_problem_clear(&back);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

static void a_link_to_a_bundle_stays_a_link(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_problem problem;
    make_sound(context, &problem);
    const char *folder = test_scratch_folder();
    assert_int_equal(saddle__bundle_write(context, join(folder, "real"), &problem, NULL),
                     SADDLE_OK);
    assert_int_equal(symlink("real", join(folder, "link")), 0);
    assert_int_equal(saddle__bundle_write(context, join(folder, "link"), &problem, NULL),
                     SADDLE_OK);
    struct stat about;
    assert_int_equal(lstat(join(folder, "link"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(count_entries(folder), 2);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

static void nothing_foreign_is_ever_replaced(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_problem problem;
    make_sound(context, &problem);
    const char *folder = test_scratch_folder();
    assert_int_equal(mkdir(join(folder, "thesis"), 0755), 0);
    write_text(join(folder, "thesis/chapter.txt"), "precious");
    write_text(join(folder, "thesis/M.mtx"), "mine");
    write_text(join(folder, "file"), "precious");
    assert_int_equal(saddle__bundle_write(context, join(folder, "thesis"), &problem, NULL),
                     SADDLE_FILE_ERROR);
    assert_message(context, "not replaced: the folder exists and is not a saddle problem bundle");
    assert_int_equal(saddle__bundle_write(context, join(folder, "file"), &problem, NULL),
                     SADDLE_FILE_ERROR);
    assert_message(context, "file");
    assert_int_equal(saddle__bundle_write(context, join(folder, "absent/b"), &problem, NULL),
                     SADDLE_FILE_ERROR);
    assert_message(context, "absent/b: cannot be written: No such file");
    assert_int_equal(count_entries(folder), 2);
    assert_int_equal(count_entries(join(folder, "thesis")), 2);
    assert_int_equal(mkdir(join(folder, "empty"), 0755), 0);
    assert_int_equal(saddle__bundle_write(context, join(folder, "empty"), &problem, NULL),
                     SADDLE_OK);
    assert_true(saddle__bundle_is(join(folder, "empty")));
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

/* A disk that is full after some bytes: whatever their number, the old bundle stays as it was. */
static void a_full_disk_leaves_the_old_bundle_and_nothing_else(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_problem old, larger, back;
    make_sound(context, &old);
    uint64_t state = test_seed();
    larger = (saddle_problem){.n = 60};
    draw_matrix(context, &state, 60, 60, 1.0, SADDLE_SYMMETRY_NONE, &larger.M);
    const char *folder = test_scratch_folder();
    char path[4096];
    snprintf(path, sizeof path, "%s/b", folder);
    assert_int_equal(saddle__bundle_write(context, path, &old, NULL), SADDLE_OK);
    struct rlimit limit, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    for (rlim_t bytes = 0; bytes <= 40000; bytes += 5000) {
        small = limit;
        small.rlim_cur = bytes;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
        saddle_status status = saddle__bundle_write(context, path, &larger, NULL);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        assert_int_equal(status, SADDLE_FILE_ERROR);
        assert_message(context, "cannot be written");
        assert_null(strstr(saddle_context_message(context), ".tmp-"));
        assert_int_equal(count_entries(folder), 1);
        assert_int_equal(read_bundle(context, path, &back), SADDLE_OK);
        assert_same_problem(&old, &back);
        saddle_problem_clear(&back);
    }
    signal(SIGXFSZ, handler);
    assert_int_equal(saddle__bundle_write(context, path, &larger, NULL), SADDLE_OK);
    saddle_matrix_clear(&larger.M);
    saddle_problem_clear(&old);
    saddle_context_free(context);
}

static void an_invalid_problem_is_not_written(void **unused)
{
    (void)unused;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_problem problem;
    make_sound(context, &problem);
    const char *folder = test_scratch_folder();
    problem.b[0] = INF;
    assert_int_equal(saddle__bundle_write(context, join(folder, "b"), &problem, NULL),
                     SADDLE_INVALID_PROBLEM);
    problem.b[0] = 0;
    assert_int_equal(count_entries(folder), 0);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

static void text_that_is_not_utf8_is_carried_over_as_latin_1(void **unused)
{
    (void)unused;
    static const char *const text[][2] = {{"\xff", "\xc3\xbf"},
                                          {"\xc3", "\xc3\x83"},
                                          {"\xc0\xaf", "\xc3\x80\xc2\xaf"},
                                          {"\xed\xa0\x80", "\xc3\xad\xc2\xa0\xef\xbf\xbd"},
                                          {"caf\xe9", "caf\xc3\xa9"},
                                          {"a\x9b"
                                           "b",
                                           "a\xef\xbf\xbd"
                                           "b"},
                                          {"\xe2\x82\xac", "\xe2\x82\xac"}};
    saddle_problem problem, back;
    make_sound(NULL, &problem);
    const char *path = join(test_scratch_folder(), "b");
    for (size_t i = 0; i < sizeof text / sizeof *text; i++) {
        snprintf(problem.row_name[0], 6, "%s", text[i][0]);
        assert_int_equal(saddle__bundle_write(NULL, path, &problem, NULL), SADDLE_OK);
        assert_int_equal(read_bundle(NULL, path, &back), SADDLE_OK);
        assert_string_equal(back.row_name[0], text[i][1]);
        saddle_problem_clear(&back);
    }
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_arrives_where_it_belongs),
        cmocka_unit_test(what_is_absent_is_empty_or_zero),
        cmocka_unit_test(every_contradiction_is_refused_and_named),
        cmocka_unit_test(strings_and_unknown_values_are_read_as_JSON_means_them),
        cmocka_unit_test(a_folder_that_is_no_bundle_is_named),
        cmocka_unit_test(drawn_problems_read_back_bit_for_bit),
        cmocka_unit_test(an_existing_bundle_is_replaced_and_its_notes_are_kept),
        cmocka_unit_test(a_link_to_a_bundle_stays_a_link),
        cmocka_unit_test(nothing_foreign_is_ever_replaced),
        cmocka_unit_test(a_full_disk_leaves_the_old_bundle_and_nothing_else),
        cmocka_unit_test(an_invalid_problem_is_not_written),
        cmocka_unit_test(text_that_is_not_utf8_is_carried_over_as_latin_1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
