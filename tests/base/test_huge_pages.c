/* SPDX-License-Identifier: MIT */
/* Large blocks of malloc ask for large pages, those of a host's allocator do not; what the system
 * says about them in /proc/self/smaps is believed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unset.h"
#include "saddle/context.h"
#include "support.h"

enum { LARGE = 16 << 20, SMALL = 1 << 20, LINE = 512 };

/* The mapping at address has `word` among its flags: 1 or 0; -1: the system does not say. */
static int is_flagged(const void *address, const char *word)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[LINE];
    int answer = -1;
    int here = 0;
    while (file && fgets(line, sizeof line, file)) {
        unsigned long long begin;
        unsigned long long end;
        if (sscanf(line, "%llx-%llx ", &begin, &end) == 2)
            here = (uintptr_t)address >= begin && (uintptr_t)address < end;
        if (here && strncmp(line, "VmFlags:", 8) == 0) answer = strstr(line, word) != NULL;
    }
    if (file) (void)fclose(file);
    return answer;
}

/* Whether the middle of the block asks for large pages. */
static int asks(const void *block, int64_t bytes)
{
    return is_flagged((const char *)block + bytes / 2, " hg");
}

static int64_t resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long long size;
    long long pages = -1;
    if (file && fscanf(file, "%lld %lld", &size, &pages) != 2) pages = -1;
    if (file) (void)fclose(file);
    return pages < 0 ? -1 : pages * sysconf(_SC_PAGESIZE);
}

static void skip_without_large_pages(void)
{
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0) skip();
}

static void large_blocks_ask_for_large_pages(void **unused)
{
    (void)unused;
    skip_without_large_pages();
    char *block = saddle_allocate(NULL, LARGE, 1);
    assert_non_null(block);
    int answer = asks(block, LARGE);
    char *grown = saddle_reallocate(NULL, block, 2 * (int64_t)LARGE, 1);
    assert_non_null(grown);
    int again = asks(grown, 2 * (int64_t)LARGE);
    saddle_release(NULL, grown);
    assert_int_not_equal(answer, 0);
    assert_int_not_equal(again, 0);
}

/* Nearly two pages of 2 MiB. */
static void blocks_without_zeros_are_large_pages_from_end_to_end(void **unused)
{
    (void)unused;
    skip_without_large_pages();
    const int64_t bytes = (4 << 20) - (1 << 18);
    char *block = saddle__allocate_unset(NULL, bytes, 1);
    assert_non_null(block);
    const int first = is_flagged(block, " hg"), last = is_flagged(block + bytes - 1, " hg");
    memset(block, 7, (size_t)bytes);
    char *grown = saddle_reallocate(NULL, block, 3 * bytes, 1);
    assert_non_null(grown);
    int kept = 1;
    for (int64_t k = 0; k < bytes; k++) kept &= grown[k] == 7;
    saddle_release(NULL, grown);
    assert_int_not_equal(first, 0);
    assert_int_not_equal(last, 0);
    assert_true(kept);
}

static void small_blocks_do_not_ask_for_them(void **unused)
{
    (void)unused;
    skip_without_large_pages();
    char *block = saddle_allocate(NULL, SMALL, 1);
    assert_non_null(block);
    int answer = asks(block, SMALL);
    saddle_release(NULL, block);
    assert_int_not_equal(answer, 1);
}

/* ---- a host's own ---- */

static void *allocate(void *user, size_t bytes)
{
    (void)user;
    return malloc(bytes);
}

static void *reallocate(void *user, void *block, size_t bytes)
{
    (void)user;
    return realloc(block, bytes);
}

static void release(void *user, void *block)
{
    (void)user;
    free(block);
}

static void memory_of_a_host_is_left_as_it_is(void **unused)
{
    (void)unused;
    skip_without_large_pages();
    saddle_context *context;
    saddle_context_options options = saddle_context_options_default();
    saddle_allocator own = {.allocate = allocate, .reallocate = reallocate, .release = release};
    options.allocator = own;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    char *block = saddle_allocate(context, 4 * (int64_t)LARGE, 1);
    assert_non_null(block);
    int answer = asks(block, 4 * (int64_t)LARGE);
    saddle_release(context, block);
    saddle_context_free(context);
    assert_int_not_equal(answer, 1);
}

/* ---- what is in them ---- */

static void zeros_that_nobody_touches_stay_out_of_memory(void **unused)
{
    (void)unused;
    int64_t bytes = 16 * (int64_t)LARGE;
    int64_t before = resident();
    char *block = saddle_allocate(NULL, bytes, 1);
    assert_non_null(block);
    block[bytes / 2] = 1;
    int64_t after = resident();
    saddle_release(NULL, block);
    if (before >= 0) assert_true(after - before < LARGE);
}

static void what_is_in_them_stays_as_they_grow(void **unused)
{
    (void)unused;
    unsigned char *block = saddle_allocate(NULL, LARGE, 1);
    assert_non_null(block);
    for (int64_t k = 0; k < LARGE; k++)
        if (block[k] != 0) fail();
    for (int64_t k = 0; k < LARGE; k++) block[k] = (unsigned char)(k * 7 >> 3);
    unsigned char *grown = saddle_reallocate(NULL, block, 3 * (int64_t)LARGE, 1);
    assert_non_null(grown);
    for (int64_t k = 0; k < LARGE; k++)
        if (grown[k] != (unsigned char)(k * 7 >> 3)) fail();
    saddle_release(NULL, grown);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        /* first the tests of memory that no test has used before */
        cmocka_unit_test(small_blocks_do_not_ask_for_them),
        cmocka_unit_test(memory_of_a_host_is_left_as_it_is),
        cmocka_unit_test(large_blocks_ask_for_large_pages),
        cmocka_unit_test(blocks_without_zeros_are_large_pages_from_end_to_end),
        cmocka_unit_test(zeros_that_nobody_touches_stay_out_of_memory),
        cmocka_unit_test(what_is_in_them_stays_as_they_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
