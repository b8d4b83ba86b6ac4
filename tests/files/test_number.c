/* SPDX-License-Identifier: MIT */
/* Numbers as text against the C library's strtod and printf, which are correctly rounded, and
 * against integer arithmetic. */
#include "files_support.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/number.h"

static void assert_reads_as(const char *text, double expected)
{
    size_t length = strlen(text);
    char *exact = malloc(length + 1); /* nothing readable behind the last character */
    assert_non_null(exact);
    memcpy(exact + 1, text, length);
    double value = -1;
    const char *next = NULL;
    saddle__number_kind kind = saddle__number_parse(exact + 1, exact + 1 + length, &value, &next);
    if (next != exact + 1 + length) fail_msg("'%.60s': not all of it was read", text);
    if (memcmp(&value, &expected, sizeof value) != 0)
        fail_msg("'%.60s': %.17g, not %.17g", text, value, expected);
    assert_int_equal(kind, isfinite(expected) ? SADDLE__NUMBER_FINITE : SADDLE__NUMBER_OVERFLOW);
    free(exact);
}

static void assert_reads_as_strtod_does(const char *text)
{
    assert_reads_as(text, strtod(text, NULL));
}

static void drawn_decimals_are_rounded_as_strtod_rounds_them(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    char text[128];
    for (int i = 0; i < 300000; i++) {
        int64_t a = test_integer(&state, 0, INT64_MAX - 1),
                b = test_integer(&state, 0, INT64_MAX - 1);
        switch (i % 6) {
        case 0: snprintf(text, sizeof text, "%.17g", draw_bits(&state)); break;
        case 1: snprintf(text, sizeof text, "%.*e", (int)(a % 30), draw_bits(&state)); break;
        case 2: snprintf(text, sizeof text, "%" PRId64 "e%d", a, (int)(b % 680) - 345); break;
        case 3:
            snprintf(text, sizeof text, "-%" PRId64 ".%" PRId64 "E%d", a >> (b % 63), b,
                     (int)(a % 700) - 350);
            break;
        case 4: snprintf(text, sizeof text, "%" PRId64 ".%" PRId64, a >> (b % 63), b); break;
        default:
            snprintf(text, sizeof text, "%.*f", (int)(a % 20), test_uniform(&state, -1000, 1000));
            break;
        }
        assert_reads_as_strtod_does(text);
    }
}

/* The middle of two neighbouring doubles, its digits written out, then moved by one unit of the
 * last digit either way.
 */
static void middles_of_doubles_are_rounded_to_even_and_neighbours_of_middles_are_not(void **unused)
{
    (void)unused;
    if (LDBL_MANT_DIG < 54) skip();
    uint64_t state = test_seed();
    char text[1300];
    for (int i = 0; i < 3000; i++) {
        double a = fabs(draw_bits(&state)), b = nextafter(a, INF);
        if (!isfinite(b)) continue;
        long double middle = ((long double)a + (long double)b) / 2; /* exact: 54 bits */
        snprintf(text, sizeof text, "%.1150Le", middle);
        assert_reads_as_strtod_does(text);
        char *last = strchr(text, 'e') - 1;
        *last = '1';
        assert_reads_as_strtod_does(text);
        *last = '0';
        snprintf(text, sizeof text, "%.30Le", middle);
        assert_reads_as_strtod_does(text);
    }
}

static void the_ends_of_the_range_are_exact(void **unused)
{
    (void)unused;
    static const char *const texts[] = {
        "0",
        "-0",
        "+0.0",
        "0.00000000000000000000000000000000000",
        "5e-324",
        "4.9406564584124654e-324",
        "2.4703282292062327208e-324",
        "2.4703282292062328e-324",
        "2.47e-324",
        "1e-400",
        "-1e-400",
        "1e-99999999999999999999999",
        "2.2250738585072011e-308",
        "2.2250738585072012e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "1e309",
        "-1e400",
        "1e99999999999999999999999",
        "0e99999999999999999999999",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0000000000000000000000001",
        "123456789012345678901234567890",
        ".5",
        "5.",
        "+7e+07",
        "1E22",
        "1e23",
        "0.1e24",
        "6.02214076e23",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999",
        "0.000000000000000000000000000000000000000000000001",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) assert_reads_as_strtod_does(texts[i]);
    assert_reads_as("1d3", 1000.0); /* Fortran's exponent letter */
    assert_reads_as("-2.5D-1", -0.25);
}

/* Decimals at or beside the middle of two doubles, for which the parser asks strtod: the values are
 * in binary, by exact arithmetic. */
static void decimals_in_doubt_are_rounded_to_even_or_to_the_nearer(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        {"9007199254740993", 0x1p53},
        {"9007199254740993.0000000000000000000000001", 0x1p53 + 2},
        {"9007199254740992.9999999999999999999999999", 0x1p53},
        {"9007199254740995", 0x1p53 + 4},
        {"9007199254740994.9999999999999999999999999", 0x1p53 + 2},
        {"18014398509481986", 0x1p54},
        {"18014398509481990", 0x1p54 + 8},
        {"-18014398509481990.00000000000000000001", -(0x1p54 + 8)},
        {"1.00000000000000011102230246251565404236316680908203125", 1},
        {"1.00000000000000011102230246251565404236316680908203126", 1 + 0x1p-52},
        {"1.00000000000000033306690738754696212708950042724609375", 1 + 0x1p-51},
        {"1.00000000000000033306690738754696212708950042724609374", 1 + 0x1p-52},
        {"0.500000000000000055511151231257827021181583404541015625", 0.5},
        {"0.500000000000000055511151231257827021181583404541015626", 0.5 + 0x1p-53},
        {"2.4703282292062327208e-324", 0},
        {"2.4703282292062328e-324", 0x1p-1074},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_reads_as(cases[i].text, cases[i].value);
}

static void only_numbers_are_numbers(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        saddle__number_kind kind;
        int length;
    } cases[] = {
        {"inf", SADDLE__NUMBER_INFINITE, 3},   {"-Infinity", SADDLE__NUMBER_INFINITE, 9},
        {"+INF!", SADDLE__NUMBER_INFINITE, 4}, {"infinit", SADDLE__NUMBER_INFINITE, 3},
        {"NaN", SADDLE__NUMBER_NAN, 3},        {"-nan(7)", SADDLE__NUMBER_NAN, 4},
        {"", SADDLE__NUMBER_NONE, 0},          {"-", SADDLE__NUMBER_NONE, 0},
        {".", SADDLE__NUMBER_NONE, 0},         {"e5", SADDLE__NUMBER_NONE, 0},
        {"in", SADDLE__NUMBER_NONE, 0},        {"--1", SADDLE__NUMBER_NONE, 0},
        {"1e", SADDLE__NUMBER_FINITE, 1},      {"1e+", SADDLE__NUMBER_FINITE, 1},
        {"1.5.5", SADDLE__NUMBER_FINITE, 3},   {"0x10", SADDLE__NUMBER_FINITE, 1},
        {"1,5", SADDLE__NUMBER_FINITE, 1},     {" 1", SADDLE__NUMBER_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value;
        const char *text = cases[i].text, *next = text;
        assert_int_equal(saddle__number_parse(text, text + strlen(text), &value, &next),
                         cases[i].kind);
        if (cases[i].kind != SADDLE__NUMBER_NONE) assert_int_equal(next - text, cases[i].length);
    }
}

static void integers_fit_64_bits_or_say_that_they_do_not(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        saddle__number_kind kind;
        int64_t value;
    } cases[] = {
        {"0", SADDLE__NUMBER_FINITE, 0},
        {"-0", SADDLE__NUMBER_FINITE, 0},
        {"+12", SADDLE__NUMBER_FINITE, 12},
        {"9223372036854775807", SADDLE__NUMBER_FINITE, INT64_MAX},
        {"9223372036854775808", SADDLE__NUMBER_OVERFLOW, 0},
        {"-9223372036854775808", SADDLE__NUMBER_FINITE, INT64_MIN},
        {"-9223372036854775809", SADDLE__NUMBER_OVERFLOW, 0},
        {"18446744073709551616", SADDLE__NUMBER_OVERFLOW, 0},
        {"100000000000000000000000000", SADDLE__NUMBER_OVERFLOW, 0},
        {"x", SADDLE__NUMBER_NONE, 0},
        {"-", SADDLE__NUMBER_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t value;
        const char *text = cases[i].text, *next;
        assert_int_equal(saddle__integer_parse(text, text + strlen(text), &value, &next),
                         cases[i].kind);
        if (cases[i].kind != SADDLE__NUMBER_FINITE) continue;
        assert_int_equal(value, cases[i].value);
        char back[SADDLE__NUMBER_SIZE];
        int length = saddle__integer_format(value, back);
        assert_int_equal(length, strlen(back));
        assert_int_equal(strtoll(back, NULL, 10), value);
    }
}

/* ---- writing ---- */

static int count_digits(const char *text)
{
    int count = 0, zeros = 0, point = strchr(text, '.') != NULL;
    for (const char *s = text; *s && *s != 'e'; s++) {
        if (*s < '0' || *s > '9' || (count == 0 && *s == '0')) continue;
        count++;
        zeros = *s == '0' ? zeros + 1 : 0;
    }
    return point ? count : count - zeros;
}

static void every_double_reads_back_bit_for_bit_from_the_fewest_digits(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int i = 0; i < 400000; i++) {
        double x = draw_bits(&state);
        char text[SADDLE__NUMBER_SIZE], shorter[64];
        int length = saddle__number_format(x, text);
        assert_int_equal(length, strlen(text));
        assert_reads_as(text, x);
        double y = strtod(text, NULL);
        assert_same_bits(&x, &y, 1);
        int digits = count_digits(text);
        assert_true(digits <= 17);
        if (digits < 2) continue;
        snprintf(shorter, sizeof shorter, "%.*e", digits - 2, x);
        if (strtod(shorter, NULL) == x) fail_msg("%s is longer than %s", text, shorter);
    }
}

static void well_known_numbers_are_written_as_people_write_them(void **unused)
{
    (void)unused;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.0, "0"},
        {-0.0, "-0"},
        {1.0, "1"},
        {0.1, "0.1"},
        {-2.5, "-2.5"},
        {100.0, "100"},
        {1e16, "10000000000000000"},
        {1e17, "1e+17"},
        {0.001, "0.001"},
        {1e-4, "0.0001"},
        {1e-5, "1e-5"},
        {1.25e-7, "1.25e-7"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {1e23, "1e+23"},
        {9007199254740993.0, "9007199254740992"},
        {INF, "inf"},
        {-INF, "-inf"},
        {(double)NAN, "nan"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[SADDLE__NUMBER_SIZE];
        saddle__number_format(cases[i].value, text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_decimals_are_rounded_as_strtod_rounds_them),
        cmocka_unit_test(middles_of_doubles_are_rounded_to_even_and_neighbours_of_middles_are_not),
        cmocka_unit_test(the_ends_of_the_range_are_exact),
        cmocka_unit_test(decimals_in_doubt_are_rounded_to_even_or_to_the_nearer),
        cmocka_unit_test(only_numbers_are_numbers),
        cmocka_unit_test(integers_fit_64_bits_or_say_that_they_do_not),
        cmocka_unit_test(every_double_reads_back_bit_for_bit_from_the_fewest_digits),
        cmocka_unit_test(well_known_numbers_are_written_as_people_write_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
