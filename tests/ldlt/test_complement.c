/* SPDX-License-Identifier: MIT */
/* The Schur complement S = C - B' A^-1 B of any set of nodes, against LAPACK; its pattern against
 * the definition. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_kkt.h"
#include "peers/partial.h"

/* A drawn K, a drawn set, and S by LAPACK: of A's inverse column by column. */
typedef struct drawn_set {
    drawn_kkt d;
    signed char *chosen; /* size */
    int64_t count;       /* chosen */
    int64_t *node;       /* count */
    double *S;           /* count x count */
    double most;         /* largest |S| */
    saddle__pivot_rule rule;
} drawn_set;

static double get(const drawn_kkt *d, int64_t i, int64_t j)
{
    return d->dense[i + j * d->size];
}

/* S(:, j) = C(:, j) - B' x, A x = B(:, j).  node: those eliminated (rest), then those chosen. */
static void fill_column(drawn_set *q, const int64_t *node, int64_t rest, int64_t j)
{
    const drawn_kkt *d = &q->d;
    double *A = calloc((size_t)(rest * rest + 1), sizeof(*A));
    double *x = calloc((size_t)rest + 1, sizeof(*x));
    for (int64_t b = 0; b < rest; b++) {
        for (int64_t a = 0; a < rest; a++) A[a + b * rest] = get(d, node[a], node[b]);
        x[b] = get(d, node[b], node[rest + j]);
    }
    if (rest > 0) assert_int_equal(saddle__dense_solve(NULL, rest, A, x), SADDLE_OK);
    for (int64_t i = 0; i < q->count; i++) {
        double s = get(d, node[rest + i], node[rest + j]);
        for (int64_t a = 0; a < rest; a++) s -= get(d, node[rest + i], node[a]) * x[a];
        q->S[i + j * q->count] = s;
        q->most = fmax(q->most, fabs(s));
    }
    free(A);
    free(x);
}

/* share: out of 4, how many of the nodes are chosen, about */
static drawn_set draw_set(uint64_t *state, kkt_kind kind, int64_t share)
{
    drawn_set q = {.d = draw_kkt(state, kind)};
    int64_t size = q.d.size;
    q.chosen = calloc((size_t)size + 1, sizeof(*q.chosen));
    q.node = calloc((size_t)size + 1, sizeof(*q.node));
    int64_t *node = calloc((size_t)size + 1, sizeof(*node));
    for (int64_t i = 0; i < size; i++) q.chosen[i] = test_integer(state, 1, 4) <= share;
    int64_t rest = 0;
    for (int64_t i = 0; i < size; i++)
        if (!q.chosen[i]) node[rest++] = i;
    for (int64_t i = 0; i < size; i++) {
        if (!q.chosen[i]) continue;
        node[rest + q.count] = i;
        q.node[q.count++] = i;
    }
    q.S = calloc((size_t)(q.count * q.count + 1), sizeof(*q.S));
    for (int64_t j = 0; j < q.count; j++) fill_column(&q, node, rest, j);
    saddle__pivot_rule rule = {.sign = q.d.sign,
                               .scale = q.d.scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    q.rule = rule;
    free(node);
    return q;
}

static void drawn_set_clear(drawn_set *q)
{
    drawn_kkt_clear(&q->d);
    free(q->chosen);
    free(q->node);
    free(q->S);
}

static saddle__partial partial_of(const drawn_set *q)
{
    saddle__partial p = {0};
    saddle__partial_request request = {.late = q->d.late, .chosen = q->chosen};
    saddle__factor_counts counts = {0};
    assert_int_equal(saddle__partial_analyse(NULL, &q->d.K, &request, &p), SADDLE_OK);
    assert_int_equal(saddle__partial_factor(&p, &q->d.K, &q->rule, &counts), SADDLE_OK);
    assert_int_equal(counts.perturbed_pivots, 0);
    assert_int_equal(p.chosen, q->count);
    return p;
}

/* quasi-definite: every principal submatrix can be eliminated in any order */
static kkt_kind draw_kind(uint64_t *state, int64_t largest)
{
    kkt_kind kind = {.n = test_integer(state, 1, largest), .links = test_integer(state, 0, 3)};
    kind.m = test_integer(state, 0, kind.n);
    return kind;
}

static void check(const drawn_set *q, const saddle__partial *p)
{
    double bound = 1e-10 * fmax(q->most, 1.0);
    assert_int_equal(saddle_matrix_check(NULL, &p->S, "S"), SADDLE_OK);
    for (int64_t j = 0; j < q->count; j++)
        for (int64_t i = 0; i < q->count; i++) {
            double s = q->S[i + j * q->count];
            assert_true(fabs(saddle_matrix_entry(&p->S, i, j) - s) <= bound);
        }
}

static void complement_of_any_set_equals_lapack(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(600); trial++) {
        drawn_set q = draw_set(&state, draw_kind(&state, trial % 20 ? 14 : 60),
                               test_integer(&state, 0, 4));
        saddle__partial p = partial_of(&q);
        saddle__partial_form(&p);
        check(&q, &p);
        saddle__partial_clear(&p);
        drawn_set_clear(&q);
    }
}

/* ---- pattern ---- */

/* part (size): a number for each set of nodes not chosen that K connects, by the dense twin */
static void find_parts(const drawn_set *q, int64_t *part)
{
    int64_t size = q->d.size;
    for (int64_t i = 0; i < size; i++) part[i] = i;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t j = 0; j < size; j++)
            for (int64_t i = 0; i < size; i++) {
                if (q->chosen[i] || q->chosen[j] || get(&q->d, i, j) == 0.0 || part[i] >= part[j])
                    continue;
                part[j] = part[i];
                changed = 1;
            }
    }
}

static int share_a_part(const drawn_set *q, const int64_t *part, int64_t i, int64_t j)
{
    int64_t size = q->d.size;
    for (int64_t a = 0; a < size; a++)
        for (int64_t b = 0; b < size; b++)
            if (!q->chosen[a] && !q->chosen[b] && part[a] == part[b] && get(&q->d, i, a) != 0.0 &&
                get(&q->d, j, b) != 0.0)
                return 1;
    return 0;
}

static int is_stored(const saddle_matrix *S, int64_t i, int64_t j)
{
    for (int64_t k = S->start[j]; k < S->start[j + 1]; k++)
        if (S->index[k] == i) return 1;
    return 0;
}

static void what_nothing_connects_is_not_stored(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t absent = 0;
    for (int trial = 0; trial < test_draws(200); trial++) {
        kkt_kind kind = draw_kind(&state, 16);
        kind.links = test_integer(&state, 0, 1);
        drawn_set q = draw_set(&state, kind, test_integer(&state, 1, 3));
        saddle__partial p = partial_of(&q);
        int64_t *part = calloc((size_t)q.d.size, sizeof(*part));
        find_parts(&q, part);
        for (int64_t j = 0; j < q.count; j++)
            for (int64_t i = j; i < q.count; i++) {
                int expected = i == j || get(&q.d, q.node[i], q.node[j]) != 0.0 ||
                               share_a_part(&q, part, q.node[i], q.node[j]);
                assert_int_equal(is_stored(&p.S, i, j), expected);
                absent += !expected;
            }
        free(part);
        saddle__partial_clear(&p);
        drawn_set_clear(&q);
    }
    assert_true(absent > test_draws(1000));
}

/* ---- solves, refresh, memory ---- */

static void condensed_solves_are_solves_with_K(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(200); trial++) {
        drawn_set q = draw_set(&state, draw_kind(&state, 30), test_integer(&state, 0, 4));
        saddle__partial p = partial_of(&q);
        double *b = calloc((size_t)q.d.size, sizeof(*b));
        double *x = calloc((size_t)q.d.size, sizeof(*x));
        double *y = calloc((size_t)q.count + 1, sizeof(*y));
        for (int64_t i = 0; i < q.d.size; i++) x[i] = b[i] = test_uniform(&state, -1.0, 1.0);
        saddle__partial_condense(&p, x);
        for (int64_t i = 0; i < q.count; i++) y[i] = x[q.node[i]];
        if (q.count > 0) assert_int_equal(saddle__dense_solve(NULL, q.count, q.S, y), SADDLE_OK);
        for (int64_t i = 0; i < q.count; i++) x[q.node[i]] = y[i];
        saddle__partial_expand(&p, x);
        assert_true(drawn_kkt_error(&q.d, x, b) < 1e-9);
        free(b);
        free(x);
        free(y);
        saddle__partial_clear(&p);
        drawn_set_clear(&q);
    }
}

static void new_values_equal_a_fresh_complement_bit_for_bit(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn_set q = draw_set(&state, draw_kind(&state, 40), 2);
        saddle__partial old = partial_of(&q);
        saddle__partial_form(&old);
        for (int64_t k = 0; k < saddle_matrix_entries(&q.d.K); k++)
            q.d.K.value[k] *= test_uniform(&state, 0.99, 1.0);
        saddle__factor_counts counts = {0};
        assert_int_equal(saddle__partial_factor(&old, &q.d.K, &q.rule, &counts), SADDLE_OK);
        saddle__partial_form(&old);
        saddle__partial fresh = partial_of(&q);
        saddle__partial_form(&fresh);
        int64_t entries = saddle_matrix_entries(&fresh.S);
        assert_int_equal(saddle_matrix_entries(&old.S), entries);
        if (entries > 0)
            assert_memory_equal(old.S.value, fresh.S.value, (size_t)entries * sizeof(double));
        saddle__partial_clear(&old);
        saddle__partial_clear(&fresh);
        drawn_set_clear(&q);
    }
}

static void factor_form_and_solves_allocate_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 80, .m = 40, .links = 2};
    drawn_set q = draw_set(&state, kind, 2);
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle__partial p = {0};
    saddle__partial_request request = {.chosen = q.chosen};
    saddle__factor_counts counts = {0};
    double *x = calloc((size_t)q.d.size, sizeof(*x));
    assert_int_equal(saddle__partial_analyse(context, &q.d.K, &request, &p), SADDLE_OK);
    int64_t before = memory.count;
    assert_int_equal(saddle__partial_factor(&p, &q.d.K, &q.rule, &counts), SADDLE_OK);
    saddle__partial_form(&p);
    saddle__partial_condense(&p, x);
    saddle__partial_expand(&p, x);
    assert_int_equal(memory.count, before);
    saddle__partial_clear(&p);
    test_memory_end(&memory, context);
    free(x);
    drawn_set_clear(&q);
}

static void a_failed_pivot_is_named_by_the_node_of_K(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 2, 3, 4, 5};
    int64_t index[] = {0, 3, 1, 2, 3};
    double value[] = {1.0, 1.0, 1.0, 0.0, 1.0};
    signed char chosen[] = {1, 0, 0, 0};
    saddle_matrix K = saddle_matrix_view(4, 4, start, index, value, SADDLE_SYMMETRY_LOWER);
    saddle__partial p = {0};
    saddle__partial_request request = {.chosen = chosen};
    saddle__factor_counts counts = {0};
    saddle__pivot_rule rule = {.smallest = 1e-14};
    assert_int_equal(saddle__partial_analyse(NULL, &K, &request, &p), SADDLE_OK);
    assert_int_equal(saddle__partial_factor(&p, &K, &rule, &counts), SADDLE_SINGULAR);
    assert_int_equal(counts.failed_column, 2);
    saddle__partial_clear(&p);
}

static saddle_status body(saddle_context *context, void *user)
{
    const drawn_set *q = user;
    saddle__partial p = {0};
    saddle__partial_request request = {.late = q->d.late, .chosen = q->chosen};
    saddle_status status = saddle__partial_analyse(context, &q->d.K, &request, &p);
    saddle__partial_clear(&p);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 30, .m = 12, .links = 2};
    drawn_set q = draw_set(&state, kind, 2);
    assert_true(test_allocation_sweep(body, &q) > 35);
    drawn_set_clear(&q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(complement_of_any_set_equals_lapack),
        cmocka_unit_test(what_nothing_connects_is_not_stored),
        cmocka_unit_test(condensed_solves_are_solves_with_K),
        cmocka_unit_test(new_values_equal_a_fresh_complement_bit_for_bit),
        cmocka_unit_test(factor_form_and_solves_allocate_nothing),
        cmocka_unit_test(a_failed_pivot_is_named_by_the_node_of_K),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
