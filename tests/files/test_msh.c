/* SPDX-License-Identifier: MIT */
/* Meshes of gmsh: files written by gmsh 4.8.4 in text and in binary, drawn meshes, cut and changed
 * files, messages, memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files_support.h"

enum { NODES = 40, ELEMENTS = 30, SIZE = 1 << 16 };

static const char *seed_path(const char *name)
{
    static char path[2][512];
    static int turn;
    turn = 1 - turn;
    snprintf(path[turn], sizeof path[turn], "%s/tests/fuzz/seeds/msh/%s", SADDLE_SOURCE_DIR, name);
    return path[turn];
}

static void read_ok(const char *name, saddle_msh *msh)
{
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    if (saddle_msh_read(context, seed_path(name), msh) != SADDLE_OK)
        fail_msg("%s", saddle_context_message(context));
    msh->context = NULL; /* the default releases as well */
    saddle_context_free(context);
}

/* The whole of a file. */
static int64_t load(const char *name, char *text)
{
    FILE *file = fopen(seed_path(name), "rb");
    assert_non_null(file);
    const size_t length = fread(text, 1, SIZE, file);
    fclose(file);
    return (int64_t)length;
}

static double volume(const double *a, const double *b, const double *c, const double *d)
{
    double e[3][3];
    for (int i = 0; i < 3; i++) {
        e[0][i] = b[i] - a[i];
        e[1][i] = c[i] - a[i];
        e[2][i] = d[i] - a[i];
    }
    return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
            e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6;
}

/* ---- gmsh's own files: a bar of 1 x 0.2 x 0.2, surfaces "clamp" at x = 0 and "end" at x = 1 ----
 */

static void expect_bar(const saddle_msh *msh)
{
    static const char *const names[] = {"clamp", "end", "steel"};
    assert_int_equal(msh->groups, 3);
    for (int g = 0; g < 3; g++) {
        const saddle_msh_group *group = saddle_msh_find(msh, names[g]);
        assert_ptr_equal(group, &msh->group[g]);
        assert_int_equal(group->dimension, g < 2 ? 2 : 3);
        for (int64_t k = 0; k < group->count; k++) {
            const double x = msh->position[3 * group->node[k]];
            if (g < 2) assert_true(fabs(x - g) < 1e-12);
        }
        int64_t there = 0;
        for (int64_t n = 0; n < msh->nodes; n++)
            there += g == 2 || fabs(msh->position[3 * n] - g) < 1e-12;
        assert_int_equal(group->count, there);
    }
    assert_null(saddle_msh_find(msh, "gold"));
    double sum = 0;
    for (int64_t e = 0; e < msh->tetrahedra; e++) {
        const int64_t *n = msh->tetrahedron + 4 * e;
        const double one = volume(msh->position + 3 * n[0], msh->position + 3 * n[1],
                                  msh->position + 3 * n[2], msh->position + 3 * n[3]);
        assert_true(one > 0);
        sum += one;
    }
    for (int64_t e = 0; e < msh->hexahedra; e++) { /* boxes: three edges of corner 0 */
        const int64_t *n = msh->hexahedron + 8 * e;
        const double one = 6 * volume(msh->position + 3 * n[0], msh->position + 3 * n[1],
                                      msh->position + 3 * n[3], msh->position + 3 * n[4]);
        assert_true(one > 0);
        sum += one;
    }
    assert_true(fabs(sum - 0.04) < 1e-12);
}

static void files_of_gmsh_are_read(void **state)
{
    (void)state;
    saddle_msh bar, binary, hex;
    read_ok("bar.msh", &bar);
    read_ok("bar_bin.msh", &binary);
    read_ok("hex.msh", &hex);
    expect_bar(&bar);
    expect_bar(&binary);
    expect_bar(&hex);
    assert_int_equal(hex.nodes, 16);
    assert_int_equal(hex.hexahedra, 3);
    assert_int_equal(hex.tetrahedra + bar.hexahedra, 0);
    assert_int_equal(bar.nodes, binary.nodes);
    assert_int_equal(bar.tetrahedra, binary.tetrahedra);
    assert_memory_equal(bar.tetrahedron, binary.tetrahedron,
                        4 * sizeof(int64_t) * (size_t)bar.tetrahedra);
    assert_true(test_distance(bar.position, binary.position, 3 * bar.nodes) < 1e-15);
    saddle_msh_clear(&bar);
    saddle_msh_clear(&binary);
    saddle_msh_clear(&hex);
}

/* And the mesh of a file moves as a part of a model. */
static void a_mesh_of_a_file_becomes_a_part(void **state)
{
    (void)state;
    static const char *const names[] = {"bar.msh", "hex.msh"};
    for (int k = 0; k < 2; k++) {
        saddle_msh msh;
        saddle_model *model = NULL;
        saddle_handle part;
        read_ok(names[k], &msh);
        saddle_fem_mesh mesh = saddle_fem_mesh_default();
        mesh.nodes = msh.nodes;
        mesh.position = msh.position;
        mesh.tetrahedra = msh.tetrahedra;
        mesh.tetrahedron = msh.tetrahedron;
        mesh.hexahedra = msh.hexahedra;
        mesh.hexahedron = msh.hexahedron;
        const double g[3] = {0, 0, -1};
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        saddle_model_set_gravity(model, g);
        assert_int_equal(saddle_model_add_fem_mesh(model, &mesh, &part, NULL), SADDLE_OK);
        /* -m g'c with m = 1000 x 0.04 and c_z = 0.1 */
        assert_true(fabs(saddle_model_energies(model).gravity - 4) < 1e-9);
        saddle_model_free(model);
        saddle_msh_clear(&msh);
    }
}

/* ---- drawn meshes ---- */

typedef struct drawn {
    int64_t nodes, elements[2];
    int64_t tag[NODES], node[2][8 * ELEMENTS];
    double x[3 * NODES];
    char text[SIZE];
    int64_t length;
} drawn;

static void put(drawn *mesh, const void *bytes, size_t count)
{
    assert_true((size_t)mesh->length + count <= SIZE);
    memcpy(mesh->text + mesh->length, bytes, count);
    mesh->length += (int64_t)count;
}

static void put_text(drawn *mesh, const char *text)
{
    put(mesh, text, strlen(text));
}

static void put_int(drawn *mesh, int binary, int value)
{
    char text[32];
    snprintf(text, sizeof text, "%d\n", value);
    binary ? put(mesh, &value, sizeof value) : put_text(mesh, text);
}

static void put_size(drawn *mesh, int binary, int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%lld\n", (long long)value);
    binary ? put(mesh, &value, sizeof value) : put_text(mesh, text);
}

static void put_double(drawn *mesh, int binary, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.17g\n", value);
    binary ? put(mesh, &value, sizeof value) : put_text(mesh, text);
}

/* Nodes one a block, in falling order of their tags; elements one a block, some parametric nodes,
 * an unknown section. */
static void draw(uint64_t *state, int binary, drawn *mesh)
{
    memset(mesh, 0, sizeof *mesh);
    mesh->nodes = test_integer(state, 8, NODES);
    for (int64_t k = 0; k < mesh->nodes; k++)
        mesh->tag[k] = (k > 0 ? mesh->tag[k - 1] : 0) + test_integer(state, 1, 1 << 20);
    for (int64_t k = 0; k < 3 * mesh->nodes; k++) mesh->x[k] = test_uniform(state, -1, 1);
    put_text(mesh, binary ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n4.1 0 8\n");
    if (binary) put_int(mesh, 1, 1);
    put_text(mesh, "\n$EndMeshFormat\n$Comments\nany $ text\n$EndComments\n$Nodes\n");
    put_size(mesh, binary, mesh->nodes);
    put_size(mesh, binary, mesh->nodes);
    put_size(mesh, binary, mesh->tag[0]);
    put_size(mesh, binary, mesh->tag[mesh->nodes - 1]);
    for (int64_t k = mesh->nodes - 1; k >= 0; k--) {
        const int dimension = (int)test_integer(state, 0, 3),
                  parametric = (int)test_integer(state, 0, 1);
        put_int(mesh, binary, dimension);
        put_int(mesh, binary, -7);
        put_int(mesh, binary, parametric);
        put_size(mesh, binary, 1);
        put_size(mesh, binary, mesh->tag[k]);
        for (int i = 0; i < 3; i++) put_double(mesh, binary, mesh->x[3 * k + i]);
        for (int i = 0; parametric && i < dimension; i++) put_double(mesh, binary, 0.5);
    }
    put_text(mesh, "\n$EndNodes\n$Elements\n");
    const int64_t blocks = ELEMENTS;
    put_size(mesh, binary, blocks);
    put_size(mesh, binary, blocks);
    put_size(mesh, binary, 1);
    put_size(mesh, binary, blocks);
    for (int64_t b = 0; b < blocks; b++) {
        static const int kinds[] = {4, 5, 2, 15}, dimensions[] = {3, 3, 2, 0},
                         nodes[] = {4, 8, 3, 1};
        const int64_t k = b == 0 ? 0 : test_integer(state, 0, 3);
        put_int(mesh, binary, dimensions[k]);
        put_int(mesh, binary, 3);
        put_int(mesh, binary, kinds[k]);
        put_size(mesh, binary, 1);
        put_size(mesh, binary, b + 1);
        for (int a = 0; a < nodes[k]; a++) {
            const int64_t node = test_integer(state, 0, mesh->nodes - 1);
            put_size(mesh, binary, mesh->tag[node]);
            if (k < 2) mesh->node[k][nodes[k] * mesh->elements[k] + a] = node;
        }
        if (k < 2) mesh->elements[k]++;
    }
    put_text(mesh, "\n$EndElements\n");
}

static void drawn_meshes_come_back(void **unused)
{
    (void)unused;
    static drawn mesh;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        saddle_msh msh;
        draw(&state, trial % 2, &mesh);
        assert_int_equal(saddle_msh_read_text(NULL, mesh.text, mesh.length, NULL, &msh), SADDLE_OK);
        assert_int_equal(msh.tetrahedra, mesh.elements[0]);
        assert_int_equal(msh.hexahedra, mesh.elements[1]);
        int is_used[NODES] = {0};
        for (int k = 0; k < 2; k++) {
            const int64_t *read = k == 0 ? msh.tetrahedron : msh.hexahedron;
            for (int64_t c = 0; c < (k == 0 ? 4 : 8) * mesh.elements[k]; c++) {
                const int64_t node = mesh.node[k][c];
                is_used[node] = 1;
                assert_int_equal(msh.tag[read[c]], mesh.tag[node]);
                assert_memory_equal(msh.position + 3 * read[c], mesh.x + 3 * node,
                                    3 * sizeof(double));
            }
        }
        int64_t used = 0;
        for (int64_t k = 0; k < mesh.nodes; k++) used += is_used[k];
        assert_int_equal(msh.nodes, used);
        assert_int_equal(msh.groups, 0);
        saddle_msh_clear(&msh);
    }
}

/* ---- failure ---- */

static void expect_failure(const char *text, int64_t length, const char *message)
{
    saddle_context *context;
    saddle_msh msh;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_msh_read_text(context, text, length, "bar.msh", &msh), SADDLE_BAD_FILE);
    if (message && !strstr(saddle_context_message(context), message))
        fail_msg("%s, not %s", saddle_context_message(context), message);
    assert_true(strncmp(saddle_context_message(context), "bar.msh:", 8) == 0);
    assert_true(msh.nodes == 0 && !msh.position && !msh.group);
    saddle_context_free(context);
}

static void files_that_are_cut_off_are_refused(void **unused)
{
    (void)unused;
    static const char *const names[] = {"bar.msh", "bar_bin.msh", "hex.msh"};
    static char text[SIZE];
    for (int k = 0; k < 3; k++) {
        const int64_t length = load(names[k], text);
        for (int64_t cut = 0; cut < length - 1; cut++) {
            char *exact = malloc((size_t)cut + 1); /* so that reading beyond is seen */
            assert_non_null(exact);
            memcpy(exact, text, (size_t)cut);
            expect_failure(exact, cut, NULL);
            free(exact);
        }
    }
}

static void changed_bytes_are_read_or_refused(void **unused)
{
    (void)unused;
    static const char *const names[] = {"bar.msh", "bar_bin.msh", "hex.msh"};
    static char text[SIZE];
    uint64_t state = test_seed();
    const int64_t draws = test_draws_at_least(40, 2000);
    int64_t refused = 0;
    for (int k = 0; k < 3; k++) {
        const int64_t length = load(names[k], text);
        for (int64_t trial = 0; trial < draws; trial++) {
            saddle_msh msh;
            char *at = &text[test_integer(&state, 0, length - 1)];
            const char before = *at;
            *at = (char)test_integer(&state, 0, 255);
            const saddle_status status = saddle_msh_read_text(NULL, text, length, NULL, &msh);
            assert_true(status == SADDLE_OK || status == SADDLE_BAD_FILE);
            refused += status == SADDLE_BAD_FILE;
            for (int64_t c = 0; c < 4 * msh.tetrahedra; c++)
                assert_true(msh.tetrahedron[c] >= 0 && msh.tetrahedron[c] < msh.nodes);
            saddle_msh_clear(&msh);
            *at = before;
        }
    }
    assert_true(20 * refused > draws);
}

#define FORMAT "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define FOUR "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"

static void messages_name_the_line_and_the_fault(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "bar.msh:1: a .msh file begins with $MeshFormat"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n", "bar.msh:2: version 2.2: only 4.1"},
        {"$MeshFormat\n4.1 2 8\n", "bar.msh:2: 0 for text, 1 for binary"},
        {"$MeshFormat\n4.1 0 4\n", "bar.msh:2: bytes of a number"},
        {"$MeshFormat\n4.1 1 8\n\0\0\0\1", "order of bytes"},
        {FORMAT, "$Elements is missing"},
        {FORMAT "Nodes\n", "bar.msh:4: a section begins with $"},
        {FORMAT FOUR FOUR, "$Nodes is given twice"},
        {FORMAT "$Elements\n0 0 0 0\n$EndElements\n", "$Elements before $Nodes"},
        {FORMAT FOUR "$Elements\n0 0 0 0\n$EndElements\n$Entities\n0 0 0 0\n$EndEntities\n",
         "$Entities after $Elements"},
        {FORMAT FOUR "$Elements\n0 0 0 0\n$EndElements\n", "no tetrahedra and no hexahedra"},
        {FORMAT FOUR "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 5\n$EndElements\n",
         "bar.msh:19: there is no node 5"},
        {FORMAT FOUR "$Elements\n1 1 1 1\n3 1 11 1\n1 1 2 3 4\n", "kind 11 (of higher order)"},
        {FORMAT FOUR "$Elements\n1 1 1 1\n3 1 6 1\n1 1 2 3 4\n", "kind 6 (prisms)"},
        {FORMAT FOUR "$Elements\n1 1 1 1\n3 1 7 1\n1 1 2 3 4\n", "kind 7 (pyramids)"},
        {FORMAT FOUR "$Elements\n1 1 1 1\n2 1 4 1\n1 1 2 3 4\n", "in an entity of dimension 2"},
        {FORMAT FOUR "$Elements\n1 1 1 1\n3 1 4 2\n1 1 2 3 4\n2 1 2 3 4\n", "more elements than"},
        {FORMAT FOUR "$Elements\n1 9 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
         "9 elements announced, 1"},
        {FORMAT FOUR "$Elements\n1 1000000000000 1 1\n3 1 4 1000000000000\n1 1 2 3 4\n",
         "but only"},
        {FORMAT "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n3\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n",
         "node 3 is given twice"},
        {FORMAT "$Nodes\n1 1 1 4\n3 1 0 1\n1\n0 nan 0\n$EndNodes\n", "bar.msh:8: coordinate"},
        {FORMAT "$Nodes\n1 2 1 4\n3 1 0 1\n1\n0 0 0\n$EndNodes\n", "2 nodes announced, 1 given"},
        {FORMAT "$Nodes\n1 1 1 4\n3 1 0 2\n1\n2\n0 0 0\n0 0 0\n$EndNodes\n",
         "more than the announced"},
        {FORMAT "$Nodes\n1 999999999999 1 4\n", "but only"},
        {FORMAT "$PhysicalNames\n1\n2 1 clamp\n", "bar.msh:6: a group's name is in quotes"},
        {FORMAT "$PhysicalNames\n1\n2 1 \"clamp\n", "not closed"},
        {FORMAT "$PhysicalNames\n2\n2 1 \"a\"\n2 1 \"b\"\n$EndPhysicalNames\n" FOUR
                "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
         "has two names"},
        {FORMAT "$Entities\n2 0 0 0\n1 0 0 0 0\n1 0 0 0 0\n$EndEntities\n", "is given twice"},
        {FORMAT "$Entities\n0 0 0 0\n$EndEntities\n" FOUR
                "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
         "there is no entity 1"},
        {FORMAT "$Periodic\n0\n", "$Periodic does not end"},
        {FORMAT "$Entities\n0 0 0 0\n$EndNodes\n", "expected $EndEntities"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int64_t length = k == 4 ? 24 : (int64_t)strlen(cases[k].text);
        expect_failure(cases[k].text, length, cases[k].message);
    }
    saddle_msh msh;
    assert_int_equal(saddle_msh_read(NULL, seed_path("absent.msh"), &msh), SADDLE_FILE_ERROR);
}

/* A nameless group comes from the entities, once. */
static void groups_without_names_are_there(void **unused)
{
    (void)unused;
    const char *text = FORMAT "$Entities\n0 0 1 1\n5 0 0 0 1 1 1 2 -9 4 0\n1 0 0 0 1 1 1 1 9 1 5\n"
                              "$EndEntities\n" FOUR
                              "$Elements\n2 2 1 1\n2 5 2 1\n1 3 2 1\n3 1 4 1\n1 1 2 3 4\n"
                              "$EndElements\n";
    static const int64_t dimension[3] = {2, 2, 3}, tag[3] = {4, 9, 9}, count[3] = {3, 3, 4};
    saddle_msh msh;
    assert_int_equal(saddle_msh_read_text(NULL, text, (int64_t)strlen(text), NULL, &msh),
                     SADDLE_OK);
    assert_int_equal(msh.groups, 3);
    for (int g = 0; g < 3; g++) {
        assert_int_equal(msh.group[g].dimension, dimension[g]);
        assert_int_equal(msh.group[g].tag, tag[g]);
        assert_int_equal(msh.group[g].count, count[g]);
        assert_null(msh.group[g].name);
        for (int64_t k = 0; k < count[g]; k++) assert_int_equal(msh.group[g].node[k], k);
    }
    saddle_msh_clear(&msh);
}

static saddle_status read_seed(saddle_context *context, void *user)
{
    saddle_msh msh;
    const saddle_status status = saddle_msh_read(context, seed_path(user), &msh);
    saddle_msh_clear(&msh);
    return status;
}

static void memory_that_fails_at_any_point_is_survived(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(read_seed, "bar.msh") > 10);
    assert_true(test_allocation_sweep(read_seed, "bar_bin.msh") > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_gmsh_are_read),
        cmocka_unit_test(a_mesh_of_a_file_becomes_a_part),
        cmocka_unit_test(drawn_meshes_come_back),
        cmocka_unit_test(files_that_are_cut_off_are_refused),
        cmocka_unit_test(changed_bytes_are_read_or_refused),
        cmocka_unit_test(messages_name_the_line_and_the_fault),
        cmocka_unit_test(groups_without_names_are_there),
        cmocka_unit_test(memory_that_fails_at_any_point_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
