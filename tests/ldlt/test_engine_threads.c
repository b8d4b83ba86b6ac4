/* SPDX-License-Identifier: MIT */
/* Threads within one factorization: bits, counts and failures are those of one thread, and no
 * update overwrites another one in use. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drawn_kkt.h"
#include "ldlt/ldlt_internal.h"

enum { MOST_THREADS = 4 };

/* cuts the tree wherever it can be cut, small as the drawn ones are */
static const double fine_grain = 1e-3;

static saddle__ldlt *analyse(saddle_context *context, const drawn_kkt *d, int64_t threads,
                             saddle_ordering ordering)
{
    saddle__ldlt_request request = {.ordering = ordering,
                                    .late = d->late,
                                    .threads = threads,
                                    .grain = fine_grain};
    saddle__ldlt *F = NULL;
    assert_int_equal(saddle__ldlt_analyse(context, &d->K, &request, &F), SADDLE_OK);
    return F;
}

static saddle__pivot_rule rule_of(const drawn_kkt *d)
{
    saddle__pivot_rule rule = {.sign = d->sign,
                               .scale = d->scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    return rule;
}

static void compare_thread_counts(const drawn_kkt *d, uint64_t *state, int repeats)
{
    saddle__pivot_rule rule = rule_of(d);
    saddle__factor_counts one = {0};
    saddle__ldlt *F = analyse(NULL, d, 1, SADDLE_ORDERING_BEST);
    assert_int_equal(saddle__ldlt_factor(F, &d->K, &rule, &one), SADDLE_OK);
    for (int threads = 2; threads <= MOST_THREADS; threads++) {
        saddle__ldlt *G = analyse(NULL, d, threads, SADDLE_ORDERING_BEST);
        for (int repeat = 0; repeat < repeats; repeat++) {
            saddle__factor_counts several = {0};
            assert_int_equal(saddle__ldlt_factor(G, &d->K, &rule, &several), SADDLE_OK);
            test_same_counts(&several, &one);
            test_same_factors(F, G, state);
        }
        saddle__ldlt_free(G);
    }
    saddle__ldlt_free(F);
}

static kkt_kind draw_kind(uint64_t *state, int64_t largest)
{
    kkt_kind kind = {.n = test_integer(state, 1, largest),
                     .links = test_integer(state, 0, 4),
                     .rigid = (int)test_integer(state, 0, 4)};
    kind.m = test_integer(state, 0, kind.n);
    if (kind.m > 4) kind.copies = test_integer(state, 0, 2);
    return kind;
}

/* ---- bits ---- */

static void drawn_systems_have_the_same_bits_for_1_to_4_threads(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 60; trial++) {
        drawn_kkt d = draw_kkt(&state, draw_kind(&state, 60));
        compare_thread_counts(&d, &state, 2);
        drawn_kkt_clear(&d);
    }
}

/* fronts of several tiles in columns and rows, with updates */
static void large_fronts_have_the_same_bits_for_1_to_4_threads(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 900, .m = 200, .links = 4, .rigid = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__ldlt *F = analyse(NULL, &d, 2, SADDLE_ORDERING_BEST);
    int64_t widest = 0;
    for (int64_t s = 0; s < F->supernodes; s++)
        if (F->first[s + 1] - F->first[s] > widest) widest = F->first[s + 1] - F->first[s];
    assert_true(widest > 2 * SADDLE__LDLT_TILE);
    saddle__ldlt_free(F);
    compare_thread_counts(&d, &state, 3);
    drawn_kkt_clear(&d);
}

/* In the natural order the last unknowns are one dense supernode: updates of the supernodes before
 * have several tiles. */
static void wide_updates_have_the_same_bits_for_1_to_4_threads(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 2000, .m = 0, .links = 8};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__factor_counts one = {0};
    saddle__factor_counts several = {0};
    saddle__ldlt *F = analyse(NULL, &d, 1, SADDLE_ORDERING_NATURAL);
    for (int draws = 1; F->widest_update <= SADDLE__LDLT_TILE; draws++) { /* one in three is wide */
        assert_true(draws < 100);
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
        d = draw_kkt(&state, kind);
        F = analyse(NULL, &d, 1, SADDLE_ORDERING_NATURAL);
    }
    saddle__pivot_rule rule = rule_of(&d);
    assert_int_equal(saddle__ldlt_factor(F, &d.K, &rule, &one), SADDLE_OK);
    for (int threads = 2; threads <= MOST_THREADS; threads++) {
        saddle__ldlt *G = analyse(NULL, &d, threads, SADDLE_ORDERING_NATURAL);
        assert_int_equal(saddle__ldlt_factor(G, &d.K, &rule, &several), SADDLE_OK);
        test_same_counts(&several, &one);
        test_same_factors(F, G, &state);
        saddle__ldlt_free(G);
    }
    saddle__ldlt_free(F);
    drawn_kkt_clear(&d);
}

/* ---- failures ---- */

static void the_first_pivot_that_fails_is_named_whatever_the_threads(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    for (int trial = 0; trial < 40; trial++) {
        kkt_kind kind = {.n = 50, .m = 20, .links = 2};
        drawn_kkt d = draw_kkt(&state, kind);
        saddle__pivot_rule rule = {.smallest = 0.0};
        for (int k = 0; k < 3; k++) /* several, so that threads may meet different ones */
            d.K.value[d.K.start[test_integer(&state, 0, 69)]] = k % 2 ? (double)NAN
                                                                      : (double)INFINITY;
        saddle__factor_counts one = {0};
        saddle__ldlt *F = analyse(context, &d, 1, SADDLE_ORDERING_BEST);
        assert_int_equal(saddle__ldlt_factor(F, &d.K, &rule, &one), SADDLE_SINGULAR);
        char message[200];
        snprintf(message, sizeof message, "%s", saddle_context_message(context));
        for (int threads = 2; threads <= MOST_THREADS; threads++) {
            saddle__factor_counts several = {0};
            saddle__ldlt *G = analyse(context, &d, threads, SADDLE_ORDERING_BEST);
            assert_int_equal(saddle__ldlt_factor(G, &d.K, &rule, &several), SADDLE_SINGULAR);
            test_same_counts(&several, &one);
            assert_string_equal(saddle_context_message(context), message);
            saddle__ldlt_free(G);
        }
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
    saddle_context_free(context);
}

/* ---- memory ---- */

static int64_t job_of(const saddle__ldlt *F, int64_t s)
{
    for (int64_t j = 0; j < F->jobs; j++)
        if (F->job[j].begin <= s && s < F->job[j].end) return j;
    return -1;
}

static int is_above(const saddle__ldlt *F, int64_t s, int64_t t) /* s is t or an ancestor of it */
{
    return F->tree[s] <= t && t <= s;
}

/* Whether the updates of s < t may both be needed at some time: made, and not taken up by a parent
 * that is done. */
static int may_meet(const saddle__ldlt *F, int64_t s, int64_t t)
{
    if (is_above(F, t, s)) return F->parent[s] == t;
    if (job_of(F, s) >= 0 && job_of(F, s) == job_of(F, t))
        return F->parent[s] < 0 || F->parent[s] >= t;
    return 1;
}

/* what an update of u rows takes: kernels write somewhat beyond its end */
static int64_t place_of(int64_t u)
{
    return u > 0 ? u * u + SADDLE__SMALL_STEP - 1 : 0;
}

static void check_places(const saddle__ldlt *F)
{
    for (int64_t t = 0; t < F->supernodes; t++) {
        int64_t ut = F->row_start[t + 1] - F->row_start[t];
        int64_t end = F->update_start[t] + place_of(ut);
        assert_true(F->update_start[t] >= 0 && end <= F->arena[0] + F->arena[1]);
        for (int64_t s = 0; s < t; s++) {
            int64_t us = F->row_start[s + 1] - F->row_start[s];
            int apart = F->update_start[s] + place_of(us) <= F->update_start[t] ||
                        end <= F->update_start[s];
            assert_true(apart || us == 0 || ut == 0 || !may_meet(F, s, t));
        }
    }
}

/* each supernode is in one job, or above the cut with all that is below it counted */
static void check_jobs(const saddle__ldlt *F)
{
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t below = 0;
        for (int64_t j = 0; j < F->jobs; j++) below += F->job[j].parent == s;
        for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c]) below += F->below[c] > 0;
        assert_int_equal(F->below[s], below);
        assert_true((job_of(F, s) >= 0) != (below > 0));
        if (below == 0 && F->parent[s] >= 0 && F->below[F->parent[s]] > 0)
            assert_int_equal(F->job[job_of(F, s)].parent, F->parent[s]);
    }
}

static void no_update_lies_on_one_that_may_be_needed(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t cut = 0;
    for (int trial = 0; trial < 200; trial++) {
        kkt_kind kind = draw_kind(&state, trial % 4 ? 40 : 150);
        kind.links = test_integer(&state, 0, 2);
        drawn_kkt d = draw_kkt(&state, kind);
        saddle__ldlt *F = analyse(NULL, &d, 1 + trial % MOST_THREADS, SADDLE_ORDERING_BEST);
        check_jobs(F);
        check_places(F);
        cut += F->jobs > 3;
        saddle__ldlt_free(F);
        drawn_kkt_clear(&d);
    }
    if (saddle__tasks_threads(2) == 2) assert_true(cut > 50);
}

static void factor_allocates_nothing_with_threads(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 300, .m = 100, .links = 3, .rigid = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__pivot_rule rule = rule_of(&d);
    saddle__factor_counts counts = {0};
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle__ldlt *F = analyse(context, &d, 3, SADDLE_ORDERING_BEST);
    int64_t before = memory.count;
    for (int repeat = 0; repeat < 3; repeat++)
        assert_int_equal(saddle__ldlt_factor(F, &d.K, &rule, &counts), SADDLE_OK);
    assert_int_equal(memory.count, before);
    saddle_memory_use use = saddle_context_memory(context);
    assert_true(use.bytes >= saddle__ldlt_size_of(F).bytes); /* and little more: the blocks'
                                                                heads */
    assert_true(use.bytes < saddle__ldlt_size_of(F).bytes + 4096);
    saddle__ldlt_free(F);
    test_memory_end(&memory, context);
    drawn_kkt_clear(&d);
}

/* Each thread has memory of its own. */
static void many_threads_are_no_more_than_processors_or_16(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 300, .m = 100, .links = 3, .rigid = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__ldlt *some = analyse(NULL, &d, MOST_THREADS, SADDLE_ORDERING_BEST);
    saddle__ldlt *many = analyse(NULL, &d, 1024, SADDLE_ORDERING_BEST);
    int64_t processors = (int64_t)sysconf(_SC_NPROCESSORS_ONLN);
    assert_true(some->threads == 1 || some->threads == MOST_THREADS);
    assert_true(many->threads >= some->threads);
    assert_true(many->threads <= (processors > 16 ? processors : 16));
    saddle__ldlt_free(some);
    saddle__ldlt_free(many);
    drawn_kkt_clear(&d);
}

static saddle_status body(saddle_context *context, void *user)
{
    const drawn_kkt *d = user;
    saddle__ldlt_request request = {.late = d->late, .threads = 3, .grain = fine_grain};
    saddle__ldlt *F = NULL;
    saddle_status status = saddle__ldlt_analyse(context, &d->K, &request, &F);
    if (status != SADDLE_OK) assert_null(F);
    saddle__ldlt_free(F);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 30, .m = 12, .links = 2, .rigid = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    assert_true(test_allocation_sweep(body, &d) > 10);
    drawn_kkt_clear(&d);
}

/* One of a caller's threads, which factors for itself. */
typedef struct factored_there {
    saddle__ldlt *F;
    const drawn_kkt *d;
    saddle_status status;
} factored_there;

static void factor_there(void *user, int64_t index)
{
    factored_there *f = (factored_there *)user + index;
    saddle__pivot_rule rule = rule_of(f->d);
    saddle__factor_counts counts = {0};
    f->status = saddle__ldlt_factor(f->F, &f->d->K, &rule, &counts);
}

static void a_caller_s_own_threads_may_factor(void **unused)
{
    (void)unused;
    enum { CALLERS = 4, JOBS = 8 };
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 400, .m = 120, .links = 2};
    drawn_kkt d = draw_kkt(&state, kind);
    saddle__pivot_rule rule = rule_of(&d);
    saddle__factor_counts counts = {0};
    saddle__ldlt *G = analyse(NULL, &d, 1, SADDLE_ORDERING_BEST);
    assert_int_equal(saddle__ldlt_factor(G, &d.K, &rule, &counts), SADDLE_OK);
    factored_there jobs[JOBS];
    for (int k = 0; k < JOBS; k++) {
        saddle__ldlt_request request = {.late = d.late, .threads = 2, .grain = fine_grain};
        factored_there job = {.d = &d};
        jobs[k] = job;
        assert_int_equal(saddle__ldlt_analyse(NULL, &d.K, &request, &jobs[k].F), SADDLE_OK);
        assert_int_equal(jobs[k].F->threads, saddle__tasks_threads(2));
    }
    saddle__tasks_run(CALLERS, JOBS, factor_there, jobs);
    for (int k = 0; k < JOBS; k++) {
        assert_int_equal(jobs[k].status, SADDLE_OK);
        test_same_factors(jobs[k].F, G, &state);
        saddle__ldlt_free(jobs[k].F);
    }
    saddle__ldlt_free(G);
    drawn_kkt_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_systems_have_the_same_bits_for_1_to_4_threads),
        cmocka_unit_test(large_fronts_have_the_same_bits_for_1_to_4_threads),
        cmocka_unit_test(wide_updates_have_the_same_bits_for_1_to_4_threads),
        cmocka_unit_test(the_first_pivot_that_fails_is_named_whatever_the_threads),
        cmocka_unit_test(no_update_lies_on_one_that_may_be_needed),
        cmocka_unit_test(factor_allocates_nothing_with_threads),
        cmocka_unit_test(many_threads_are_no_more_than_processors_or_16),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
        cmocka_unit_test(a_caller_s_own_threads_may_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
