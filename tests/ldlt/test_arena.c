/* SPDX-License-Identifier: MIT */
/* Memory from one block: pieces do not overlap and keep their contents, too large requests fail,
 * the owner is called once. */
#include "ldlt/part.c"

#include <string.h>

#include "support.h"

enum { SIZE = 1 << 16, PIECES = 64 };

typedef struct piece {
    unsigned char *at;
    int64_t size;
    unsigned char fill;
} piece;

static void fill_piece(piece *p, int64_t from)
{
    if (p->size > from) memset(p->at + from, p->fill, (size_t)(p->size - from));
}

static void assert_kept(const piece *p)
{
    for (int64_t k = 0; k < p->size; k++) assert_int_equal(p->at[k], p->fill);
}

static void pieces_keep_what_is_in_them_until_the_block_is_full(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    test_memory memory;
    saddle_context *owner = test_memory_begin(&memory, -1);
    memory_arena arena = {0};
    assert_int_equal(arena_create(owner, SIZE, &arena), SADDLE_OK);
    int64_t asked = memory.count;
    for (int round = 0; round < 100; round++) {
        piece p[PIECES] = {{0}};
        int failed = 0;
        for (int k = 0; k < 400; k++) {
            int i = (int)test_integer(&state, 0, PIECES - 1);
            int64_t size = test_integer(&state, 0, 2400);
            int gone = p[i].at && test_integer(&state, 0, 3) == 0;
            if (gone) saddle_release(arena.context, p[i].at);
            piece none = {0};
            if (gone) p[i] = none;
            if (gone) continue;
            unsigned char *at = saddle_reallocate(arena.context, p[i].at, size, 1);
            failed += !at;
            if (!at) continue;
            assert_int_equal((uintptr_t)at % sizeof(double), 0);
            piece grown = {at, size, (unsigned char)(i + 1)};
            int64_t kept = p[i].size < size ? p[i].size : size;
            for (int64_t t = 0; t < kept; t++) assert_int_equal(at[t], p[i].fill);
            p[i] = grown;
            fill_piece(&p[i], 0);
        }
        for (int i = 0; i < PIECES; i++) assert_kept(&p[i]);
        assert_true(failed > 0);
        arena_empty(&arena);
    }
    assert_int_equal(memory.count, asked);
    arena_clear(&arena);
    test_memory_end(&memory, owner);
}

static void all_of_it_can_be_had_again(void **unused)
{
    (void)unused;
    memory_arena arena = {0};
    assert_int_equal(arena_create(NULL, SIZE, &arena), SADDLE_OK);
    for (int k = 0; k < 3; k++) {
        assert_non_null(saddle_allocate(arena.context, SIZE, 1));
        assert_null(saddle_allocate(arena.context, 1024, 1));
        arena_empty(&arena);
    }
    assert_null(saddle_allocate(arena.context, INT64_MAX, 1));
    arena_clear(&arena);
}

static void the_last_piece_comes_back_by_itself(void **unused)
{
    (void)unused;
    memory_arena arena = {0};
    assert_int_equal(arena_create(NULL, SIZE, &arena), SADDLE_OK);
    for (int k = 0; k < 1000; k++) {
        void *block = saddle_allocate(arena.context, SIZE / 2, 1);
        assert_non_null(block);
        saddle_release(arena.context, block);
    }
    arena_clear(&arena);
}

static void neighbours_released_in_any_order_are_one_piece_again(void **unused)
{
    (void)unused;
    memory_arena arena = {0};
    assert_int_equal(arena_create(NULL, SIZE, &arena), SADDLE_OK);
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    char *first = saddle_allocate(arena.context, 64, 1);
    for (int k = 0; k < 6; k++) {
        char *p[3];
        for (int i = 0; i < 3; i++) p[i] = saddle_allocate(arena.context, SIZE / 8, 1);
        char *last = saddle_allocate(arena.context, 64, 1);
        assert_non_null(last);
        for (int i = 0; i < 3; i++) saddle_release(arena.context, p[order[k][i]]);
        char *again = saddle_allocate(arena.context, 3 * (int64_t)(SIZE / 8), 1);
        assert_ptr_equal(again, p[0]);
        saddle_release(arena.context, again);
        char *grown = saddle_reallocate(arena.context, first, SIZE / 4, 1);
        assert_ptr_equal(grown, first); /* what is free behind it will do */
        saddle_release(arena.context, grown);
        first = saddle_allocate(arena.context, 64, 1);
        assert_ptr_equal(first, grown);
        saddle_release(arena.context, last);
    }
    arena_clear(&arena);
}

static saddle_status create_and_clear(saddle_context *context, void *user)
{
    (void)user;
    memory_arena arena = {0};
    saddle_status status = arena_create(context, SIZE, &arena);
    arena_clear(&arena);
    return status;
}

static void a_block_that_is_not_to_be_had_is_reported(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(create_and_clear, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_keep_what_is_in_them_until_the_block_is_full),
        cmocka_unit_test(all_of_it_can_be_had_again),
        cmocka_unit_test(the_last_piece_comes_back_by_itself),
        cmocka_unit_test(neighbours_released_in_any_order_are_one_piece_again),
        cmocka_unit_test(a_block_that_is_not_to_be_had_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
