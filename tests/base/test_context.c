/* SPDX-License-Identifier: MIT */
/* Status list, contexts, memory. */
#include "support.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    assert_string_equal(saddle_status_name(SADDLE_OK), "SADDLE_OK");
    assert_string_equal(saddle_status_name(SADDLE_OUT_OF_MEMORY), "SADDLE_OUT_OF_MEMORY");
    assert_string_equal(saddle_status_name((saddle_status)99), "SADDLE_?");
#define NAMED(name, value, text)                          \
    assert_string_equal(saddle_status_name(name), #name); \
    assert_string_equal(saddle_status_text(name), text);  \
    assert_int_equal(name, value);
    SADDLE_STATUS_LIST(NAMED)
#undef NAMED
}

static void version_text_is_the_headers_numbers(void **state)
{
    (void)state;
    char text[32];
    (void)snprintf(text, sizeof text, "%d.%d.%d", SADDLE_VERSION_MAJOR, SADDLE_VERSION_MINOR,
                   SADDLE_VERSION_PATCH);
    assert_string_equal(saddle_version(), text);
}

static void struct_sizes_are_the_headers(void **state)
{
    (void)state;
    assert_int_equal(saddle_struct_size("saddle_problem"), sizeof(saddle_problem));
    assert_int_equal(saddle_struct_size("saddle_stepper_options"), sizeof(saddle_stepper_options));
    assert_int_equal(saddle_struct_size("saddle_place"), sizeof(saddle_place));
    assert_int_equal(saddle_struct_size("saddle_prob"), 0);
    assert_int_equal(saddle_struct_size(NULL), 0);
}

static void memory_is_zeroed_counted_and_given_back(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    int64_t before = saddle_context_memory(context).bytes;
    double *x = saddle_allocate(context, 100, sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < 100; i++) assert_true(x[i] == 0.0);
    assert_int_equal(saddle_context_memory(context).bytes, before + 800);
    x[99] = 7;
    x = saddle_reallocate(context, x, 200, sizeof *x);
    assert_non_null(x);
    assert_true(x[99] == 7);
    assert_int_equal(saddle_context_memory(context).bytes, before + 1600);
    x = saddle_reallocate(context, x, 10, sizeof *x);
    assert_int_equal(saddle_context_memory(context).bytes, before + 80);
    saddle_release(context, x);
    assert_int_equal(saddle_context_memory(context).bytes, before);
    assert_true(saddle_context_memory(context).peak_bytes >= before + 1600);
    saddle_release(context, NULL);
    saddle_context_free(context);
}

static void memory_is_aligned_for_any_type(void **state)
{
    (void)state;
    for (int64_t bytes = 1; bytes < 64; bytes++) {
        void *block = saddle_allocate(NULL, bytes, 1);
        assert_int_equal((uintptr_t)block % _Alignof(max_align_t), 0);
        saddle_release(NULL, block);
    }
}

static void impossible_sizes_are_refused(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_null(saddle_allocate(context, -1, 8));
    assert_null(saddle_allocate(context, INT64_MAX, 8));
    assert_null(saddle_allocate(context, INT64_MAX / 8, 8));
    assert_non_null(strstr(saddle_context_message(context), "out of memory"));
    double *x = saddle_allocate(context, 1, sizeof *x);
    assert_null(saddle_reallocate(context, x, INT64_MAX, 16));
    *x = 1; /* the old block still stands */
    saddle_release(context, x);
    void *none = saddle_allocate(context, 0, 8);
    assert_non_null(none);
    saddle_release(context, none);
    saddle_context_free(context);
}

static void memory_limit_is_kept(void **state)
{
    (void)state;
    saddle_context_options options = saddle_context_options_default();
    options.memory_limit = 1 << 16;
    saddle_context *context;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    void *half = saddle_allocate(context, 1 << 15, 1);
    assert_non_null(half);
    assert_null(saddle_allocate(context, 1 << 15, 1));
    assert_non_null(strstr(saddle_context_message(context), "limit"));
    assert_null(saddle_reallocate(context, half, 1 << 17, 1));
    saddle_release(context, half);
    void *again = saddle_allocate(context, 1 << 15, 1);
    assert_non_null(again);
    saddle_release(context, again);
    saddle_context_free(context);
}

static void *allocate_plainly(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void half_an_allocator_is_refused(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_context_options options = saddle_context_options_default();
    options.allocator.allocate = allocate_plainly;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_INVALID_ARGUMENT);
    assert_null(context);
    options = saddle_context_options_default();
    options.memory_limit = -1;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_INVALID_ARGUMENT);
}

static void context_that_cannot_be_made_is_null(void **state)
{
    (void)state;
    saddle_context_options options = saddle_context_options_default();
    options.memory_limit = 1;
    saddle_context *context;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OUT_OF_MEMORY);
    assert_null(context);
}

static void message_is_the_last_failure(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_string_equal(saddle_context_message(context), "");
    assert_int_equal(saddle_fail(context, SADDLE_BAD_FILE, "line %d", 7), SADDLE_BAD_FILE);
    assert_string_equal(saddle_context_message(context), "line 7");
    char *endless = malloc(100000);
    memset(endless, 'x', 99999);
    endless[99999] = '\0';
    (void)saddle_fail(context, SADDLE_BAD_FILE, "%s", endless);
    assert_true(strlen(saddle_context_message(context)) > 500); /* cut, not overrun */
    free(endless);
    assert_int_equal(saddle_fail(NULL, SADDLE_SINGULAR, "lost"), SADDLE_SINGULAR);
    assert_string_equal(saddle_context_message(NULL), "");
    saddle_context_free(context);
    saddle_context_free(NULL);
}

static void assert_place(const saddle_context *context, saddle_place_kind kind, int64_t index,
                         int64_t column)
{
    const saddle_place place = saddle_context_place(context);
    assert_int_equal(place.kind, kind);
    assert_int_equal(place.index, index);
    assert_int_equal(place.column, column);
}

static void a_place_stays_as_long_as_its_message(void **state)
{
    (void)state;
    const saddle_place entry = {SADDLE_PLACE_ENTRY_OF_J, 3, 8};
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_place(context, SADDLE_PLACE_NONE, 0, 0);
    assert_int_equal(saddle_fail_at(context, entry, saddle_fail(context, SADDLE_BAD_FILE, "that")),
                     SADDLE_BAD_FILE);
    assert_place(context, SADDLE_PLACE_ENTRY_OF_J, 3, 8);
    (void)saddle_fail(context, SADDLE_BAD_FILE, "file: %s", saddle_context_message(context));
    assert_place(context, SADDLE_PLACE_ENTRY_OF_J, 3, 8); /* the message says the same and more */
    (void)saddle_fail(context, SADDLE_BAD_FILE, "another");
    assert_place(context, SADDLE_PLACE_NONE, 0, 0);
    (void)saddle_fail_at(context, entry, SADDLE_OK);
    (void)saddle_fail(context, SADDLE_BAD_FILE, "a third");
    assert_place(context, SADDLE_PLACE_NONE, 0, 0);
    (void)saddle_fail_at(context, entry, SADDLE_OK);
    saddle_context_clear_message(context);
    assert_place(context, SADDLE_PLACE_NONE, 0, 0);
    (void)saddle_fail_at(context, entry, SADDLE_OK); /* beside an empty message */
    (void)saddle_fail(context, SADDLE_BAD_FILE, "a fourth");
    assert_place(context, SADDLE_PLACE_NONE, 0, 0);
    assert_int_equal(saddle_fail_at(NULL, entry, SADDLE_SINGULAR), SADDLE_SINGULAR);
    assert_place(NULL, SADDLE_PLACE_NONE, 0, 0);
    saddle_context_free(context);
}

static int stop_at_third(void *user, const saddle_progress *progress)
{
    *(int64_t *)user = progress->iteration;
    return progress->iteration >= 3;
}

static void progress_reaches_the_callback_and_its_answer_comes_back(void **state)
{
    (void)state;
    int64_t seen = -1;
    saddle_context_options options = saddle_context_options_default();
    options.progress = stop_at_third;
    options.progress_user = &seen;
    saddle_context *context;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    assert_int_equal(saddle_context_progress(context, "solve", 2, 10, 0.5, 0.0), 0);
    assert_int_equal(saddle_context_progress(context, "solve", 3, 10, 0.5, 0.0), 1);
    assert_int_equal(seen, 3);
    assert_int_equal(saddle_context_progress(NULL, "solve", 3, 10, 0.5, 0.0), 0);
    saddle_context_free(context);
}

static void options_out_of_range_are_named(void **state)
{
    (void)state;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_options good = saddle_options_default();
    assert_int_equal(saddle_options_check(context, &good), SADDLE_OK);
    struct {
        const char *field;
        saddle_options options;
    } bad[7];
    for (int i = 0; i < 7; i++) bad[i].options = good;
    bad[0].field = "tolerance", bad[0].options.tolerance = -1;
    bad[1].field = "tolerance", bad[1].options.tolerance = (double)NAN;
    bad[2].field = "max_iterations", bad[2].options.max_iterations = -1;
    bad[3].field = "time_limit", bad[3].options.time_limit = -1e-9;
    bad[4].field = "regularization", bad[4].options.regularization = 1;
    bad[5].field = "ordering", bad[5].options.ordering = (saddle_ordering)9;
    bad[6].field = "size", bad[6].options.size = 0;
    for (int i = 0; i < 7; i++) {
        assert_int_equal(saddle_options_check(context, &bad[i].options), SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), bad[i].field));
    }
    saddle_context_free(context);
}

/* A program compiled when the struct ended before `warm_start`. */
static void options_of_an_earlier_version_are_read(void **state)
{
    (void)state;
    saddle_options options;
    memset(&options, 0xff, sizeof options);
    saddle_options_init(&options, offsetof(saddle_options, warm_start));
    assert_int_equal(options.size, offsetof(saddle_options, warm_start));
    assert_int_equal(options.threads, 1);
    assert_int_equal(options.warm_start, -1);
    assert_int_equal(saddle_options_check(NULL, &options), SADDLE_OK);
    options.size = sizeof options + 8;
    assert_int_equal(saddle_options_check(NULL, &options), SADDLE_INVALID_ARGUMENT);
    saddle_options_init(&options, sizeof options.size - 1);
    assert_int_equal(options.size, sizeof options + 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_a_text),
        cmocka_unit_test(version_text_is_the_headers_numbers),
        cmocka_unit_test(struct_sizes_are_the_headers),
        cmocka_unit_test(memory_is_zeroed_counted_and_given_back),
        cmocka_unit_test(memory_is_aligned_for_any_type),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(memory_limit_is_kept),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(context_that_cannot_be_made_is_null),
        cmocka_unit_test(message_is_the_last_failure),
        cmocka_unit_test(a_place_stays_as_long_as_its_message),
        cmocka_unit_test(progress_reaches_the_callback_and_its_answer_comes_back),
        cmocka_unit_test(options_out_of_range_are_named),
        cmocka_unit_test(options_of_an_earlier_version_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
