/* SPDX-License-Identifier: MIT */
/* Arrays in one block: each its own, zeros, on a cache line; what cannot be asked for fails, one
 * allocation in all. */
#include "base/layout.h"

#include <string.h>

#include "support.h"

enum { ARRAYS = 12 };

typedef struct drawn {
    saddle__layout layout;
    int64_t count[ARRAYS];
    size_t size[ARRAYS];
    unsigned char *array[ARRAYS];
} drawn;

static void list(drawn *d, saddle__array *arrays)
{
    for (int k = 0; k < ARRAYS; k++)
        arrays[k] = (saddle__array){&d->array[k], d->count[k], d->size[k]};
}

static void assert_all(const drawn *d, int k, int value)
{
    for (size_t t = 0; t < (size_t)d->count[k] * d->size[k]; t++)
        assert_int_equal(d->array[k][t], value);
}

static void arrays_are_zeros_and_keep_apart(void **unused)
{
    (void)unused;
    static const size_t sizes[] = {1, 4, 8};
    uint64_t state = test_seed();
    for (int round = 0; round < 300; round++) {
        drawn d = {0};
        saddle__array arrays[ARRAYS];
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        for (int k = 0; k < ARRAYS; k++) {
            d.count[k] = test_integer(&state, 0, 3) == 0 ? 0 : test_integer(&state, 0, 200);
            d.size[k] = sizes[test_integer(&state, 0, 2)];
        }
        int64_t before = memory.count;
        list(&d, arrays);
        assert_int_equal(saddle__layout_make(context, &d.layout, arrays, ARRAYS), SADDLE_OK);
        assert_int_equal(memory.count, before + 1);
        assert_true(d.layout.taken <= d.layout.bytes);
        for (int k = 0; k < ARRAYS; k++) {
            assert_non_null(d.array[k]);
            assert_int_equal((uintptr_t)d.array[k] % 64, 0);
            assert_true((char *)d.array[k] >= d.layout.memory);
            assert_true((char *)d.array[k] + (size_t)d.count[k] * d.size[k] <=
                        d.layout.memory + d.layout.bytes);
            assert_all(&d, k, 0);
            if (d.count[k] > 0) memset(d.array[k], k + 1, (size_t)d.count[k] * d.size[k]);
        }
        for (int k = 0; k < ARRAYS; k++) assert_all(&d, k, k + 1);
        saddle__layout_clear(context, &d.layout);
        assert_null(d.layout.memory);
        test_memory_end(&memory, context);
    }
}

static void without_gaps_each_array_is_on_a_line(void **unused)
{
    (void)unused;
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    drawn d = {.count = {3, 70, 0, 5}, .size = {8, 1, 4, 8}};
    saddle__array arrays[ARRAYS];
    list(&d, arrays);
    d.layout.tight = 1;
    assert_int_equal(saddle__layout_make(context, &d.layout, arrays, 4), SADDLE_OK);
    assert_int_equal((char *)d.array[3] - (char *)d.array[0], 3 * 64); /* of 1, 2 and 0 lines */
    for (int k = 0; k < 4; k++) {
        assert_int_equal((uintptr_t)d.array[k] % 64, 0);
        assert_all(&d, k, 0);
        if (d.count[k] > 0) memset(d.array[k], k + 1, (size_t)d.count[k] * d.size[k]);
    }
    for (int k = 0; k < 4; k++) assert_all(&d, k, k + 1);
    saddle__layout_clear(context, &d.layout);
    test_memory_end(&memory, context);
}

static void more_than_there_can_be_is_no_memory(void **unused)
{
    (void)unused;
    static const int64_t counts[][2] = {{INT64_MAX, 8},
                                        {INT64_MAX / 8, 8},
                                        {-1, 1},
                                        {INT64_MAX, 1}};
    for (int k = 0; k < 4; k++) {
        saddle__layout layout = {0};
        assert_null(saddle__layout_take(&layout, 10, sizeof(double)));
        assert_null(saddle__layout_take(&layout, counts[k][0], (size_t)counts[k][1]));
        assert_null(saddle__layout_take(&layout, 10, sizeof(double)));
        assert_int_equal(saddle__layout_allocate(NULL, &layout), SADDLE_OUT_OF_MEMORY);
        assert_null(saddle__layout_take(&layout, 10, sizeof(double)));
        saddle__layout_clear(NULL, &layout);
    }
    saddle__layout many = {0}; /* each could be had, all cannot */
    for (int k = 0; k < 64; k++) assert_null(saddle__layout_take(&many, INT64_MAX / 32, 1));
    assert_int_equal(saddle__layout_allocate(NULL, &many), SADDLE_OUT_OF_MEMORY);
    saddle__layout_clear(NULL, &many);
}

static void without_memory_there_are_no_arrays(void **unused)
{
    (void)unused;
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, 0);
    drawn d = {.count = {3, 4, 5}, .size = {8, 8, 8}};
    unsigned char other = 0;
    saddle__array arrays[ARRAYS];
    list(&d, arrays);
    for (int k = 0; k < ARRAYS; k++) d.array[k] = &other;
    assert_int_equal(saddle__layout_make(context, &d.layout, arrays, ARRAYS), SADDLE_OUT_OF_MEMORY);
    for (int k = 0; k < ARRAYS; k++) assert_null(d.array[k]);
    saddle__layout_clear(context, &d.layout);
    test_memory_end(&memory, context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_zeros_and_keep_apart),
        cmocka_unit_test(without_gaps_each_array_is_on_a_line),
        cmocka_unit_test(more_than_there_can_be_is_no_memory),
        cmocka_unit_test(without_memory_there_are_no_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
