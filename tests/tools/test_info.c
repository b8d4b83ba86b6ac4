/* SPDX-License-Identifier: MIT */
/* saddle info: figures known by construction, and pictures read back pixel by pixel. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *info(const char *problem)
{
    run result = run_expecting(0, "info", problem, "--json", NULL);
    json_t *object = run_json(&result);
    run_clear(&result);
    return object;
}

static const char *text_at(const json_t *object, const char *key, const char *key2)
{
    const char *text = json_string_value(json_object_get(json_object_get(object, key), key2));
    if (!text) fail_msg("no text at %s %s", key, key2);
    return text;
}

static void report_names_sizes_rows_and_structure(void **state)
{
    (void)state;
    run result = run_expecting(0, "info", bounded(), NULL);
    assert_non_null(strstr(result.out, "n = 3 velocities, m = 3 rows"));
    assert_non_null(strstr(result.out, "2 unilateral, 1 box"));
    assert_non_null(strstr(result.out, "M: 3 diagonal blocks of 1"));
    assert_non_null(strstr(result.out, "system: 3 islands of 2"));
    assert_non_null(strstr(result.out, "M is positive definite (3 positive, 0 negative, 0 zero)"));
    assert_non_null(strstr(result.out, "J has 3 independent rows of 3"));
    run_clear(&result);
    result = run_expecting(0, "info", slider(), NULL);
    assert_non_null(strstr(result.out, "3 in 1 contact (cone)"));
    assert_non_null(strstr(result.out, "mu 0.5 .. 0.5"));
    assert_non_null(strstr(result.out, "1 island of 6"));
    run_clear(&result);
    result = run_expecting(0, "info", slider(), "--quick", NULL);
    assert_null(strstr(result.out, "definite"));
    run_clear(&result);
}

/* Each line is a word and, in one column, its value. */
static void all_lines_are_in_two_columns(void **state)
{
    const char *const problems[] = {bounded(), slider()};
    (void)state;
    for (int k = 0; k < 2; k++) {
        run result = run_expecting(0, "info", problems[k], NULL);
        for (const char *line = result.out; *line; line = strchr(line, '\n') + 1)
            if (line[11] != ' ' || line[12] == ' ')
                fail_msg("%.*s", (int)strcspn(line, "\n"), line);
        run_clear(&result);
    }
}

static void dependent_rows_lower_the_rank(void **state)
{
    (void)state;
    json_t *object = info(redundant());
    assert_int_equal((int)json_at(object, "m", NULL), 3);
    assert_int_equal((int)json_at(object, "rank", "rank"), 2);
    json_decref(object);
}

static void redundant_and_contradictory_rows_are_named(void **state)
{
    (void)state;
    const char *problem = redundant();
    run result = run_expecting(0, "info", problem, "--rank", NULL);
    assert_non_null(
        strstr(result.out, "2 of 3 equality rows of [J R] are independent, 1 redundant"));
    assert_non_null(strstr(result.out, "redundant   row 3 = 2 x row 2\n"));
    run_clear(&result);
    write_text(problem, "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0.5\n0.25\n");
    result = run_expecting(0, "info", problem, "--rank", NULL);
    assert_non_null(strstr(result.out, "0 redundant, 1 contradictory"));
    assert_non_null(strstr(result.out, "contradicts row 3 = 2 x row 2   b differs by -0.75"));
    run_clear(&result);
    result = run_expecting(0, "info", problem, "--rank", "--json", NULL);
    json_t *object = run_json(&result);
    json_t *list = json_object_get(json_object_get(object, "dependence"), "dependencies");
    assert_int_equal(json_array_size(list), 1);
    assert_true(json_at(json_array_get(list, 0), "gap", NULL) == -0.75);
    assert_int_equal((int)json_at(json_array_get(list, 0), "row", NULL), 3);
    json_decref(object);
    run_clear(&result);
    result = run_expecting(0, "info", slider(), "--rank", NULL);
    assert_non_null(strstr(result.out, "0 of 0 equality rows"));
    run_clear(&result);
    result = run_expecting(0, "info", slider(), "--all-rows", NULL);
    assert_non_null(strstr(result.out, "3 of 3 rows of [J R] are independent"));
    run_clear(&result);
}

/* eigenvalues 1 and 3 of [2 1; 1 2]; the part of [2 1; 0 2] that counts has 1.5 and 2.5 */
static void eigenvalues_and_condition_are_the_known_ones(void **state)
{
    (void)state;
    const char *problem = bounded();
    write_text(
        problem, "M.mtx",
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2\n2 1 1\n2 2 2\n3 3 -4\n");
    json_t *object = info(problem);
    assert_string_equal(text_at(object, "definiteness", "kind"), "indefinite");
    assert_int_equal((int)json_at(object, "definiteness", "positive"), 2);
    assert_int_equal((int)json_at(object, "definiteness", "negative"), 1);
    assert_true(fabs(json_at(object, "definiteness", "smallest_eigenvalue") + 4) < 1e-14);
    assert_true(fabs(json_at(object, "definiteness", "largest_eigenvalue") - 3) < 1e-14);
    assert_true(fabs(json_at(object, "definiteness", "condition") - 4) < 1e-13);
    json_decref(object);
    object = info(unsymmetric());
    assert_true(fabs(json_at(object, "definiteness", "smallest_eigenvalue") - 1.5) < 1e-14);
    assert_true(fabs(json_at(object, "definiteness", "largest_eigenvalue") - 2.5) < 1e-14);
    assert_true(fabs(json_at(object, "symmetry", "M_asymmetry") - 0.5) < 1e-15);
    assert_true(json_is_false(json_object_get(json_object_get(object, "symmetry"), "M_claimed")));
    json_decref(object);
}

/* A mass that is zero somewhere. */
static void a_singular_mass_is_semidefinite(void **state)
{
    (void)state;
    const char *problem = bounded();
    write_text(problem, "M.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 1 1\n2 2 1\n");
    json_t *object = info(problem);
    assert_string_equal(text_at(object, "definiteness", "kind"), "positive semidefinite");
    assert_int_equal((int)json_at(object, "definiteness", "zero"), 2);
    json_decref(object);
}

/* [1 2; 2 1] with the second velocity in units of 1e10: one eigenvalue of either sign, -3e-20 and
 * 1. */
static void signs_are_counted_in_any_units(void **state)
{
    (void)state;
    const char *problem = bounded();
    write_text(problem, "M.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n"
               "3 3 4\n1 1 1\n2 1 2e-10\n2 2 1e-20\n3 3 1\n");
    json_t *object = info(problem);
    assert_int_equal((int)json_at(object, "definiteness", "positive"), 2);
    assert_int_equal((int)json_at(object, "definiteness", "negative"), 1);
    assert_int_equal((int)json_at(object, "definiteness", "zero"), 0);
    json_decref(object);
}

static void magnitudes_and_entries_are_counted_over_whole_matrices(void **state)
{
    (void)state;
    json_t *object = info(grid(5)),
           *range = json_object_get(json_object_get(object, "magnitudes"), "M");
    assert_int_equal((int)json_at(object, "entries", "M"), 25 + 2 * 40);
    assert_int_equal((int)json_at(object, "entries", "J"), 10);
    assert_int_equal((int)json_at(object, "entries", "K"), 25 + 2 * 40 + 2 * 10);
    assert_true(json_number_value(json_array_get(range, 0)) == 1 &&
                json_number_value(json_array_get(range, 1)) == 5);
    assert_int_equal((int)json_at(object, "blocks_of_M", "count"), 1);
    assert_int_equal((int)json_at(object, "islands", "largest"), 30);
    json_decref(object);
}

/* The grid's eigenvalues are 5 - 2 cos(..) - 2 cos(..) with free ends: from 1 to just below 9.  A
 * grid of 50 x 50 is too large to be one dense block, so that the same facts come from sparse
 * factorizations. */
static void large_blocks_are_judged_by_sparse_factorizations(void **state)
{
    (void)state;
    json_t *object = info(grid(50));
    assert_string_equal(text_at(object, "definiteness", "kind"), "positive definite");
    assert_int_equal((int)json_at(object, "definiteness", "positive"), 2500);
    assert_non_null(strstr(text_at(object, "definiteness", "how"), "LDL'"));
    const double condition = json_at(object, "definiteness", "condition");
    if (!(condition >= 4 && condition <= 9.0 * 9.0))
        fail_msg("condition %g in the 1-norm", condition);
    assert_int_equal((int)json_at(object, "rank", "rank"), 50);
    json_decref(object);
}

/* n = 0: the matrix is R, here [2 -1; -1 2] with a copy of its rows below. */
static void in_delassus_form_r_is_judged(void **state)
{
    (void)state;
    const char *problem = bounded();
    write_text(problem, "problem.json",
               "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 0, \"m\": 3, "
               "\"symmetric\": true}\n");
    write_text(problem, "R.mtx",
               "%%MatrixMarket matrix coordinate real symmetric\n3 3 6\n1 1 2\n2 1 -1\n2 2 2\n3 1 "
               "2\n3 3 2\n3 2 -1\n");
    assert_int_equal(remove(path_in(problem, "M.mtx")) | remove(path_in(problem, "J.mtx")) |
                         remove(path_in(problem, "f.mtx")),
                     0);
    json_t *object = info(problem);
    assert_string_equal(text_at(object, "definiteness", "matrix"), "R");
    assert_string_equal(text_at(object, "definiteness", "kind"), "positive semidefinite");
    assert_int_equal((int)json_at(object, "definiteness", "zero"), 1);
    assert_int_equal((int)json_at(object, "rank", "rank"), 2);
    json_decref(object);
}

/* All ones, with one row more than the elimination takes: the rank is reported as left out, not
 * guessed. */
static void the_rank_of_a_large_dense_r_is_left_out(void **state)
{
    (void)state;
    enum { ROWS = 1501, HEAD = 64 };
    const char *problem = bounded();
    write_text(problem, "problem.json",
               "{\"format\": \"saddle-problem\", \"version\": 1, \"n\": 0, \"m\": 1501, "
               "\"symmetric\": true}\n");
    char *text = malloc(HEAD + (size_t)ROWS * (ROWS + 1));
    assert_non_null(text);
    int at = snprintf(text, HEAD, "%%%%MatrixMarket matrix array real symmetric\n%d %d\n", ROWS,
                      ROWS);
    for (int k = 0; k < ROWS * (ROWS + 1) / 2; k++, at += 2) memcpy(text + at, "1\n", 3);
    write_text(problem, "R.mtx", text);
    free(text);
    static const char *const others[] = {"M.mtx", "J.mtx", "f.mtx", "bounds.mtx"};
    for (int k = 0; k < 4; k++) assert_int_equal(remove(path_in(problem, others[k])), 0);
    json_t *object = info(problem);
    json_t *rank = json_object_get(object, "rank");
    assert_true(json_is_null(json_object_get(rank, "rank")));
    assert_non_null(strstr(text_at(object, "rank", "how"), "left out"));
    json_decref(object);
}

/* Published ranks, inertias and condition numbers of public systems (INDEX.csv beside the files).
 */
static void public_systems_have_their_known_rank_inertia_and_condition(void **state)
{
    static const struct {
        const char *file;
        int rank, positive, negative; /* -1: not known */
        double condition;
    } known[] = {
        {"fc3d_siconos/BoxesStack1-i100000-32.hdf5.dat", 78, 78, 0, 0},
        {"fc3d_siconos/OneObject-i100000-316.hdf5.dat", 49, -1, -1, 0},
        {"fc3d_siconos/Confeti-ex03-Fc3D-SBM.dat", 162, 161, 1, 8.6e7},
        {"fc3d_siconos/NESpheres_10_1.dat", 27, 27, 0, 3.2e2},
        {"lcp_siconos/lcp_Pang_isolated_sol.dat", 2, -1, -1, 0},
        {"kkt_suitesparse/494_bus.mtx", -1, 494, 0, 2.4e6},
        {"kkt_suitesparse/hangGlider_2.mtx", -1, 914, 733, 8.8e10},
        {"kkt_qdldl/basic.mtx", -1, 5, 5, 1.8e1},
    };
    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        json_t *object = info(test_data_path(known[k].file));
        if (known[k].rank >= 0)
            assert_int_equal((int)json_at(object, "rank", "rank"), known[k].rank);
        if (known[k].positive >= 0) {
            assert_int_equal((int)json_at(object, "definiteness", "positive"), known[k].positive);
            assert_int_equal((int)json_at(object, "definiteness", "negative"), known[k].negative);
        }
        const double condition = known[k].condition > 0
                                     ? json_at(object, "definiteness", "condition")
                                     : 0;
        if (fabs(condition - known[k].condition) > 0.05 * known[k].condition)
            fail_msg("%s: condition %g", known[k].file, condition);
        json_decref(object);
    }
}

/* ---- pictures ---- */

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t crc_of(const unsigned char *at, size_t count)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < count; i++)
        for (int bit = 0; bit < 8; bit++) {
            const uint32_t low = (crc ^ (uint32_t)(at[i] >> bit)) & 1u;
            crc = crc >> 1 ^ (low ? 0xEDB88320u : 0u);
        }
    return ~crc;
}

typedef struct picture {
    uint32_t side;
    unsigned char palette[256][3];
    unsigned char *pixel; /* side x side indices into the palette */
} picture;

/* The data of stored blocks, each row with its filter byte 0 in front; their Adler-32 must be
 * right. */
static void unpack(const unsigned char *data, size_t length, picture *image)
{
    const size_t total = (size_t)image->side * (image->side + 1);
    unsigned char *flat = malloc(total);
    uint32_t a = 1, b = 0;
    size_t at = 2, used = 0;
    int last = 0;
    assert_non_null(flat);
    assert_int_equal((data[0] << 8 | data[1]) % 31, 0);
    while (!last) {
        last = data[at];
        assert_true(last == 0 || last == 1);
        const size_t count = data[at + 1] | (size_t)data[at + 2] << 8;
        assert_int_equal(count ^ 0xFFFFu, data[at + 3] | (size_t)data[at + 4] << 8);
        assert_true(used + count <= total && at + 5 + count <= length);
        memcpy(flat + used, data + at + 5, count);
        used += count;
        at += 5 + count;
    }
    assert_int_equal(used, total);
    assert_int_equal(at + 4, length);
    for (size_t i = 0; i < total; i++) {
        a = (a + flat[i]) % 65521;
        b = (b + a) % 65521;
    }
    assert_int_equal(big_endian(data + at), b << 16 | a);
    image->pixel = malloc((size_t)image->side * image->side);
    assert_non_null(image->pixel);
    for (uint32_t y = 0; y < image->side; y++) {
        assert_int_equal(flat[y * (image->side + 1)], 0);
        memcpy(image->pixel + y * image->side, flat + y * (image->side + 1) + 1, image->side);
    }
    free(flat);
}

static picture read_png(const char *path)
{
    picture image = {0};
    size_t size;
    char *text = read_bytes(path, &size);
    const unsigned char *bytes = (const unsigned char *)text;
    size_t at = 8;
    int ended = 0;
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    while (!ended) {
        assert_true(at + 12 <= size);
        const uint32_t length = big_endian(bytes + at);
        const unsigned char *type = bytes + at + 4, *data = type + 4;
        assert_true(at + 12 + length <= size);
        assert_int_equal(big_endian(data + length), crc_of(type, length + 4));
        if (memcmp(type, "IHDR", 4) == 0) {
            image.side = big_endian(data);
            assert_int_equal(big_endian(data + 4), image.side);
            assert_memory_equal(data + 8, "\x08\x03\0\0\0", 5);
        } else if (memcmp(type, "PLTE", 4) == 0) {
            memcpy(image.palette, data, length);
        } else if (memcmp(type, "IDAT", 4) == 0) {
            unpack(data, length, &image);
        }
        ended = memcmp(type, "IEND", 4) == 0;
        at += 12 + length;
    }
    assert_int_equal(at, size);
    free(text);
    return image;
}

static const unsigned char *color_at(const picture *image, uint32_t y, uint32_t x)
{
    return image->palette[image->pixel[y * image->side + x]];
}

static int is_white(const unsigned char *rgb)
{
    return rgb[0] == 255 && rgb[1] == 255 && rgb[2] == 255;
}

/* K of the two rods is 6 x 6: each cell in the middle of its square must be white where K is zero
 * and colored where not. */
static void small_picture_shows_each_entry_and_nothing_else(void **state)
{
    static const char *const pattern[6] = {"x...xx", ".x..x.", "..x..x",
                                           "...x..", "xx....", "x.x..."};
    (void)state;
    const char *file = path_in(test_scratch_folder(), "rods.png");
    run result = run_expecting(0, "info", two_rods(), "--spy", file, NULL);
    run_clear(&result);
    picture image = read_png(file);
    const uint32_t scale = (image.side - 3) / 6;
    assert_int_equal(6 * scale + 3, image.side);
    for (uint32_t i = 0; i < 6; i++) {
        for (uint32_t j = 0; j < 6; j++) {
            const uint32_t y = 1 + i * scale + scale / 2 + (i >= 4),
                           x = 1 + j * scale + scale / 2 + (j >= 4);
            const unsigned char *rgb = color_at(&image, y, x);
            if (is_white(rgb) == (pattern[i][j] == 'x'))
                fail_msg("K(%u, %u) is drawn wrongly", i + 1, j + 1);
            if (is_white(rgb)) continue;
            if (i < 4 && j < 4)
                assert_true(rgb[2] > rgb[0]); /* M blue */
            else
                assert_true(rgb[0] > rgb[2]); /* J red */
        }
    }
    assert_false(is_white(color_at(&image, 1 + 4 * scale, 7)));
    assert_false(is_white(color_at(&image, 7, 1 + 4 * scale)));
    free(image.pixel);
}

/* 10200 rows on 1000 cells: M's band, the border at n = 10000, and white away from them. */
static void large_picture_is_sampled_down(void **state)
{
    (void)state;
    const char *file = path_in(test_scratch_folder(), "grid.png");
    run result = run_expecting(0, "info", grid(100), "--quick", "--spy", file, NULL);
    run_clear(&result);
    picture image = read_png(file);
    assert_int_equal(image.side, 1003);
    for (uint32_t i = 1; i < 970; i += 31) {
        assert_false(is_white(color_at(&image, i, i)));
        assert_true(is_white(color_at(&image, i, (i + 400) % 900 + 1)));
    }
    assert_false(is_white(color_at(&image, 1 + 990, 300)));
    free(image.pixel);
}

static void svg_holds_the_same_entries(void **state)
{
    (void)state;
    const char *file = path_in(test_scratch_folder(), "rods.svg");
    run result = run_expecting(0, "info", two_rods(), "--spy", file, NULL);
    run_clear(&result);
    char *text = read_bytes(file, NULL);
    assert_int_equal(strncmp(text, "<svg xmlns=", 11), 0);
    assert_non_null(strstr(text, "M0 0h1v1h-1zM1 1h1v1h-1zM2 2h1v1h-1zM3 3h1v1h-1z\"/>"));
    assert_non_null(
        strstr(text,
               "M4 0h2v1h-2zM4 1h1v1h-1zM5 2h1v1h-1zM0 4h2v1h-2zM0 5h1v1h-1zM2 5h1v1h-1z\"/>"));
    assert_non_null(strstr(text, "M4 0v6M0 4h6")); /* the border of the blocks */
    assert_non_null(strstr(text, "</svg>"));
    free(text);
}

static void a_picture_that_cannot_be_written_is_exit_3(void **state)
{
    (void)state;
    run_refused(3, "no-such-folder", NULL, "info", two_rods(), "--spy",
                path_in(test_scratch_folder(), "no-such-folder/a.png"), NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(report_names_sizes_rows_and_structure),
        cmocka_unit_test(all_lines_are_in_two_columns),
        cmocka_unit_test(dependent_rows_lower_the_rank),
        cmocka_unit_test(redundant_and_contradictory_rows_are_named),
        cmocka_unit_test(eigenvalues_and_condition_are_the_known_ones),
        cmocka_unit_test(a_singular_mass_is_semidefinite),
        cmocka_unit_test(signs_are_counted_in_any_units),
        cmocka_unit_test(magnitudes_and_entries_are_counted_over_whole_matrices),
        cmocka_unit_test(large_blocks_are_judged_by_sparse_factorizations),
        cmocka_unit_test(in_delassus_form_r_is_judged),
        cmocka_unit_test(the_rank_of_a_large_dense_r_is_left_out),
        cmocka_unit_test(public_systems_have_their_known_rank_inertia_and_condition),
        cmocka_unit_test(small_picture_shows_each_entry_and_nothing_else),
        cmocka_unit_test(large_picture_is_sampled_down),
        cmocka_unit_test(svg_holds_the_same_entries),
        cmocka_unit_test(a_picture_that_cannot_be_written_is_exit_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
