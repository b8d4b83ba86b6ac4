/* SPDX-License-Identifier: MIT */
/* Problems in MATLAB files: round trips, and damaged bytes.  tests/tools/foreign.sh compares with
 * SciPy and Octave. */
#include "problem_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *file_in_scratch(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", test_scratch_folder(), name);
    return path;
}

static saddle_problem shipped(const char *name)
{
    char path[1024];
    saddle_problem problem;
    snprintf(path, sizeof path, "%s/data/%s", SADDLE_SOURCE_DIR, name);
    assert_int_equal(saddle_problem_read(NULL, path, NULL, &problem, NULL, NULL, NULL), SADDLE_OK);
    return problem;
}

static void shipped_problems_come_back_bit_for_bit(void **state)
{
    (void)state;
    static const char *const names[] = {"chain",    "loop",       "crane",     "bushings",
                                        "obstacle", "stack-cone", "hex-block", "rotors"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *path = file_in_scratch("problem.mat");
        saddle_problem problem = shipped(names[k]), again;
        saddle_format format;
        assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
        assert_int_equal(saddle_problem_read(NULL, path, NULL, &again, NULL, NULL, &format),
                         SADDLE_OK);
        assert_int_equal(format, SADDLE_FORMAT_MAT);
        assert_equal_numbers(&problem, &again);
        if (problem.n > 0) assert_int_equal(problem.M.symmetry, again.M.symmetry);
        assert_true(problem.time_step == again.time_step);
        assert_string_equal(problem.name, again.name);
        saddle_problem_clear(&problem);
        saddle_problem_clear(&again);
    }
}

static char *bytes_of(const char *path, int64_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 20);
    assert_non_null(bytes);
    *length = (int64_t)fread(bytes, 1, 1 << 20, file);
    fclose(file);
    return bytes;
}

/* A contact and two rows, as a file. */
static char *small_file(int64_t *length)
{
    int64_t start[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    double ones[] = {1.0, 1.0, 1.0}, f[] = {1.0, -2.0, 3.0};
    saddle_contact contact = {.row = 0, .size = 3, .mu = 0.5};
    saddle_problem p = {.n = 3, .m = 3, .f = f, .contacts = &contact, .contact_count = 1};
    const char *path = file_in_scratch("small.mat");
    p.M = saddle_matrix_view(3, 3, start, index, ones, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(3, 3, start, index, ones, SADDLE_SYMMETRY_NONE);
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_MAT, &p), SADDLE_OK);
    return bytes_of(path, length);
}

/* In a buffer of that very length, for the sanitizer.  The context gives 64 bytes for each of the
 * file, and 64 KB. */
static saddle_status read_copy(const char *bytes, int64_t length)
{
    saddle_context_options options = saddle_context_options_default();
    saddle_context *context;
    options.memory_limit = 64 * length + (64 << 10);
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    saddle_problem problem;
    char *copy = malloc((size_t)length + 1);
    assert_non_null(copy);
    char *exact = realloc(copy, length > 0 ? (size_t)length : 1);
    memcpy(exact, bytes, (size_t)length);
    const saddle_status status = read_problem_bytes(context, SADDLE_FORMAT_MAT, exact, length, NULL,
                                                    &problem);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
    free(exact);
    return status;
}

static void damaged_files_are_refused_or_read(void **state)
{
    (void)state;
    int64_t length, refused = 0, tried = 0;
    char *bytes = small_file(&length);
    assert_int_equal(read_copy(bytes, length), SADDLE_OK);
    for (int64_t cut = 0; cut < length; cut++) {
        const saddle_status status = read_copy(bytes, cut);
        if (status != SADDLE_OK) assert_int_equal(status, SADDLE_BAD_FILE);
    }
    const int slow = test_is_slow(); /* a bit of each byte, else all */
    for (int64_t k = 0; k < length; k++)
        for (int bit = slow ? (int)(k % 8) : 0; bit < 8; bit += slow ? 8 : 1) {
            bytes[k] = (char)(bytes[k] ^ 1 << bit);
            const saddle_status status = read_copy(bytes, length);
            bytes[k] = (char)(bytes[k] ^ 1 << bit);
            tried++;
            if (status == SADDLE_OK) continue;
            refused++;
            if (status != SADDLE_BAD_FILE)
                fail_msg("byte %lld, bit %d: %s", (long long)k, bit, saddle_status_name(status));
        }
    print_message("%lld of %lld changed bits are refused\n", (long long)refused, (long long)tried);
    assert_true(refused > tried / 10);
    free(bytes);
}

/* A stored block of zlib that holds a variable, and the same damaged. */
static void compressed_variables_are_read_and_checked(void **state)
{
    (void)state;
    int64_t length;
    char *bytes = small_file(&length);
    /* all variables are uncompressed: one element of type 15 with the first element stored */
    const unsigned char *at = (const unsigned char *)bytes + 128;
    const int64_t first = 8 + ((int64_t)at[4] | (int64_t)at[5] << 8);
    unsigned char *packed = calloc(1, (size_t)length + 64);
    assert_non_null(packed);
    memcpy(packed, bytes, 128);
    unsigned a = 1, b = 0;
    for (int64_t k = 0; k < first; k++) {
        a = (a + at[k]) % 65521;
        b = (b + a) % 65521;
    }
    const int64_t size = 2 + 5 + first + 4;
    const unsigned char head[] = {15,
                                  0,
                                  0,
                                  0,
                                  (unsigned char)(size & 255),
                                  (unsigned char)(size >> 8),
                                  0,
                                  0,
                                  0x78,
                                  0x01,
                                  1,
                                  (unsigned char)(first & 255),
                                  (unsigned char)(first >> 8),
                                  (unsigned char)(~first & 255),
                                  (unsigned char)((~first >> 8) & 255)};
    memcpy(packed + 128, head, sizeof head);
    memcpy(packed + 128 + sizeof head, at, (size_t)first);
    const unsigned char sum[] = {(unsigned char)(b >> 8), (unsigned char)b, (unsigned char)(a >> 8),
                                 (unsigned char)a};
    memcpy(packed + 128 + sizeof head + first, sum, 4);
    const int64_t end = 128 + (int64_t)sizeof head + first + 4;
    memcpy(packed + end, at + first, (size_t)(length - 128 - first));
    const int64_t whole = end + length - 128 - first;
    assert_int_equal(read_copy((char *)packed, whole), SADDLE_OK);
    for (int64_t k = 128 + 8; k < end; k++) { /* the checksum sees each change */
        packed[k] ^= 4;
        assert_int_equal(read_copy((char *)packed, whole), SADDLE_BAD_FILE);
        packed[k] ^= 4;
    }
    free(packed);
    free(bytes);
}

static saddle_status write_and_read(saddle_context *context, void *user)
{
    saddle_problem *problem = user, again = {0};
    const char *path = file_in_scratch("again.mat");
    saddle_status status = saddle_problem_write(context, path, SADDLE_FORMAT_MAT, problem);
    if (status == SADDLE_OK)
        status = saddle_problem_read(context, path, NULL, &again, NULL, NULL, NULL);
    saddle_problem_clear(&again);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    saddle_problem problem = shipped("stack-cone");
    assert_true(test_allocation_sweep(write_and_read, &problem) > 10);
    saddle_problem_clear(&problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_problems_come_back_bit_for_bit),
        cmocka_unit_test(damaged_files_are_refused_or_read),
        cmocka_unit_test(compressed_variables_are_read_and_checked),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
