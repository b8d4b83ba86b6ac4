/* SPDX-License-Identifier: MIT */
/* A factor with a few nodes more: what is solved is the whole system, judged by products with it;
 * what is refused; memory. */
#include "ldlt/border.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_grid.h"

enum { N = TEST_GRID, MOST = 30, DEGREE = 8 };

/* A grid of which the last nodes of a drawn order are left out of the factor, and come as new
 * ones. */
typedef struct bordered {
    saddle_matrix K;
    double scale[N];
    int64_t inside, outside;
    int64_t number[N]; /* of the nodes inside, -1 = it is a new one */
    int64_t added[MOST];
    saddle_matrix A;
    saddle__ldlt *F;
} bordered;

static void negate_node(saddle_matrix *K, int64_t j)
{
    for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
        if (K->index[k] == j) K->value[k] = -K->value[k];
}

static void gather_inside(bordered *s)
{
    int64_t entries = saddle_matrix_entries(&s->K);
    int64_t count = 0;
    assert_int_equal(saddle_matrix_create(NULL, s->inside, s->inside, entries, SADDLE_SYMMETRIC,
                                          &s->A),
                     SADDLE_OK);
    for (int64_t j = 0; j < N; j++) {
        if (s->number[j] < 0) continue;
        for (int64_t k = s->K.start[j]; k < s->K.start[j + 1]; k++) {
            if (s->number[s->K.index[k]] < 0) continue;
            s->A.index[count] = s->number[s->K.index[k]];
            s->A.value[count++] = s->K.value[k];
        }
        s->A.start[s->number[j] + 1] = count;
    }
}

/* mixed: every second new node has its diagonal turned around, and the system is quasi-definite. */
static bordered *draw_system(uint64_t *state, int64_t outside, int mixed)
{
    bordered *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    test_draw_grid(state, &s->K, s->scale);
    s->outside = outside;
    while (outside > 0) {
        int64_t j = test_integer(state, 0, N - 1);
        if (s->number[j] < 0) continue;
        s->number[j] = -1;
        s->added[--outside] = j;
        if (mixed && outside % 2) negate_node(&s->K, j);
    }
    for (int64_t j = 0; j < N; j++)
        if (s->number[j] == 0) s->number[j] = s->inside++;
    gather_inside(s);
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_AMD};
    saddle__pivot_rule rule = {.smallest = 1e-14};
    saddle__factor_counts counts = {.peak_bytes = 0};
    assert_int_equal(saddle__ldlt_analyse(NULL, &s->A, &request, &s->F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(s->F, &s->A, &rule, &counts), SADDLE_OK);
    return s;
}

static void free_system(bordered *s)
{
    saddle__ldlt_free(s->F);
    saddle_matrix_clear(&s->A);
    saddle_matrix_clear(&s->K);
    free(s);
}

/* New node t, as the border has to be told of it. */
static int add(saddle__ldlt_border *border, const bordered *s, int64_t t, double least)
{
    int64_t index[DEGREE];
    double value[DEGREE];
    int64_t j = s->added[t];
    saddle__ldlt_node node = {.index = index, .value = value, .least = least};
    node.diagonal = saddle_matrix_entry(&s->K, j, j);
    for (int64_t u = 0; u < t; u++) border->corner[u] = saddle_matrix_entry(&s->K, j, s->added[u]);
    for (int64_t i = 0; i < N; i++) {
        double there = saddle_matrix_entry(&s->K, i, j);
        if (there == 0.0 || s->number[i] < 0) continue;
        index[node.entries] = s->number[i];
        value[node.entries++] = there;
    }
    return saddle__ldlt_border_add(border, &node);
}

/* max |b - K x| over the nodes inside and the first `count` new ones, for a drawn b. */
static double error_of(uint64_t *state, const bordered *s, saddle__ldlt_border *border,
                       int64_t count)
{
    static double b[N], x[N], inside[N];
    static signed char there[N];
    for (int64_t i = 0; i < N; i++) {
        there[i] = s->number[i] >= 0;
        x[i] = 0.0;
    }
    for (int64_t t = 0; t < count; t++) there[s->added[t]] = 1;
    for (int64_t i = 0; i < N; i++) b[i] = test_uniform(state, -1.0, 1.0);
    for (int64_t i = 0; i < N; i++)
        if (s->number[i] >= 0) inside[s->number[i]] = b[i];
    for (int64_t t = 0; t < count; t++) border->y[t] = b[s->added[t]];
    saddle__ldlt_border_solve(border, inside);
    for (int64_t i = 0; i < N; i++)
        if (s->number[i] >= 0) x[i] = inside[s->number[i]];
    for (int64_t t = 0; t < count; t++) x[s->added[t]] = border->y[t];
    saddle_matrix_apply(&s->K, -1.0, x, 1.0, b);
    double largest = 0.0;
    for (int64_t i = 0; i < N; i++)
        if (there[i]) largest = fmax(largest, fabs(b[i]));
    return largest;
}

static void the_whole_system_is_solved_whatever_the_signs(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__ldlt_border border = {0};
    assert_int_equal(saddle__ldlt_border_create(NULL, MOST, 20 * N, &border), SADDLE_OK);
    for (int draw = 0; draw < 20; draw++) {
        bordered *s = draw_system(&state, test_integer(&state, 0, MOST), draw % 2);
        saddle__ldlt_border_begin(&border, s->F);
        for (int64_t t = 0; t <= s->outside; t++) {
            if (t % 5 == 0 || t == s->outside) assert_true(error_of(&state, s, &border, t) < 1e-12);
            if (t < s->outside) assert_true(add(&border, s, t, 0.0));
            if (t < s->outside) assert_true((border.pivot[t] < 0.0) == (draw % 2 && t % 2));
        }
        free_system(s);
    }
    saddle__ldlt_border_clear(&border);
}

/* Nor does what is refused change anything. */
static void a_node_without_room_or_pivot_is_refused(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    bordered *s = draw_system(&state, 6, 0);
    saddle__ldlt_border border = {0};
    for (int64_t room = 0; room < 5; room++) { /* nodes */
        assert_int_equal(saddle__ldlt_border_create(NULL, room, 20 * N, &border), SADDLE_OK);
        saddle__ldlt_border_begin(&border, s->F);
        for (int64_t t = 0; t <= room; t++)
            assert_int_equal(t < room, t < room && add(&border, s, t, 0.0));
        saddle__ldlt_node node = {.diagonal = 1.0};
        assert_false(saddle__ldlt_border_add(&border, &node));
        assert_true(error_of(&state, s, &border, room) < 1e-12);
        saddle__ldlt_border_clear(&border);
    }
    assert_int_equal(saddle__ldlt_border_create(NULL, 6, 200, &border), SADDLE_OK); /* values */
    saddle__ldlt_border_begin(&border, s->F);
    int64_t count = 0;
    while (count < 6 && add(&border, s, count, 0.0)) count++;
    assert_true(count < 6);
    assert_true(error_of(&state, s, &border, count) < 1e-12);
    saddle__ldlt_border_clear(&border);
    assert_int_equal(saddle__ldlt_border_create(NULL, 6, 20 * N, &border), SADDLE_OK);
    saddle__ldlt_border_begin(&border, s->F);
    assert_true(add(&border, s, 0, 0.0));
    assert_false(add(&border, s, 1, 1e3 * s->scale[s->added[1]])); /* a pivot */
    saddle__ldlt_node alone = {.diagonal = 0.0};
    border.corner[0] = 0.0;
    assert_false(saddle__ldlt_border_add(&border, &alone));
    alone.diagonal = (double)NAN;
    assert_false(saddle__ldlt_border_add(&border, &alone));
    assert_true(error_of(&state, s, &border, 1) < 1e-12);
    saddle__ldlt_border_clear(&border);
    free_system(s);
}

static saddle_status create(saddle_context *context, void *user)
{
    (void)user;
    saddle__ldlt_border border = {0};
    saddle_status status = saddle__ldlt_border_create(context, 3, 50, &border);
    saddle__ldlt_border_clear(&border);
    return status;
}

static void every_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(create, NULL) == 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_system_is_solved_whatever_the_signs),
        cmocka_unit_test(a_node_without_room_or_pivot_is_refused),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
