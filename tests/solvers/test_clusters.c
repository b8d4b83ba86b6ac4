/* SPDX-License-Identifier: MIT */
/* Clusters of nodes that come and merge in drawn orders: each is solved as its block of T by
 * LAPACK; what is refused; memory. */
#include "complementarity/clusters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "support.h"

enum { NODES = 160 };

/* T, and who is with whom by the test's own account. */
typedef struct nodes {
    double T[NODES][NODES];
    int64_t count;
    int64_t label[NODES];
    int64_t asked; /* entries of T that were asked for */
} nodes;

/* Diagonally dominant, signs by chance; all nodes have entries with each other, which must not be
 * felt between clusters. */
static nodes *draw_nodes(uint64_t *state)
{
    nodes *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t j = 0; j < i; j++) {
            s->T[i][j] = s->T[j][i] = test_integer(state, 0, 3) ? test_uniform(state, -1.0, 1.0)
                                                                : 0.0;
            s->T[i][i] += fabs(s->T[i][j]);
            s->T[j][j] += fabs(s->T[i][j]);
        }
    for (int64_t i = 0; i < NODES; i++) {
        if (test_integer(state, 0, 1)) s->T[i][i] = -s->T[i][i];
        s->label[i] = i;
    }
    return s;
}

static int64_t size_of(const nodes *s, int64_t label)
{
    int64_t size = 0;
    for (int64_t i = 0; i < s->count; i++) size += s->label[i] == label;
    return size;
}

/* saddle__coupling */
static void couple(void *user, int64_t t, int64_t count, const int64_t *u, double *T)
{
    nodes *s = user;
    for (int64_t k = 0; k < count; k++) {
        assert_true(s->label[u[k]] != s->label[t]); /* what is known already is not asked for */
        T[k] = s->T[t][u[k]];
    }
    s->asked += count;
}

static void add(saddle__clusters *clusters, nodes *s)
{
    saddle__clusters_add(clusters, s->T[s->count][s->count]);
    s->count++;
}

/* Joined where the two fit into one; each entry between them is asked for once. */
static int join(saddle__clusters *clusters, nodes *s, int64_t t, int64_t u)
{
    int64_t a = s->label[t];
    int64_t b = s->label[u];
    int64_t sizes[2] = {size_of(s, a), size_of(s, b)};
    int64_t wanted = a == b ? 0 : sizes[0] * sizes[1];
    int fits = a == b || sizes[0] + sizes[1] <= SADDLE__CLUSTER;
    s->asked = 0;
    assert_int_equal(saddle__clusters_join(clusters, t, u, couple, s), fits);
    assert_int_equal(s->asked, fits ? wanted : 0);
    for (int64_t i = 0; fits && i < s->count; i++)
        if (s->label[i] == b) s->label[i] = a;
    return fits;
}

/* z by LAPACK, cluster by cluster */
static void solve_densely(const nodes *s, const signed char *active, double *z)
{
    static double A[NODES * NODES];
    double x[NODES];
    int64_t member[NODES];
    for (int64_t label = 0; label < s->count; label++) {
        int64_t rows = 0;
        for (int64_t i = 0; i < s->count; i++)
            if (s->label[i] == label && active[i]) member[rows++] = i;
        for (int64_t k = 0; k < rows; k++) {
            x[k] = z[member[k]];
            for (int64_t j = 0; j < s->count; j++)
                if (s->label[j] == label && !active[j]) x[k] -= s->T[member[k]][j] * z[j];
            for (int64_t l = 0; l < rows; l++) A[k + rows * l] = s->T[member[k]][member[l]];
        }
        assert_int_equal(saddle__dense_solve(NULL, rows, A, x), SADDLE_OK);
        for (int64_t k = 0; k < rows; k++) z[member[k]] = x[k];
    }
}

static void check(uint64_t *state, saddle__clusters *clusters, const nodes *s)
{
    signed char active[NODES];
    double z[NODES], dense[NODES];
    int64_t share = test_integer(state, 0, 4);
    for (int64_t i = 0; i < s->count; i++) {
        active[i] = test_integer(state, 0, 3) < share;
        dense[i] = z[i] = test_integer(state, 0, 3) ? test_uniform(state, -1.0, 1.0) : 0.0;
    }
    assert_true(saddle__clusters_solve(clusters, active, z));
    solve_densely(s, active, dense);
    assert_true(test_distance(z, dense, s->count) < 1e-11);
    for (int64_t i = 0; i < s->count; i++)
        if (!active[i]) assert_true(z[i] == dense[i]);
}

static void every_cluster_is_solved_as_its_own_block(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t refused = 0;
    saddle__clusters clusters = {0};
    assert_int_equal(saddle__clusters_create(NULL, NODES, &clusters), SADDLE_OK);
    for (int draw = 0; draw < 60; draw++) {
        nodes *s = draw_nodes(&state);
        int64_t joins = test_integer(&state, 0, 3); /* to a node, about */
        saddle__clusters_begin(&clusters);
        check(&state, &clusters, s); /* none yet */
        while (s->count < NODES) {
            add(&clusters, s);
            for (int64_t k = test_integer(&state, 0, joins); k > 0; k--)
                refused += !join(&clusters, s, test_integer(&state, 0, s->count - 1),
                                 test_integer(&state, 0, s->count - 1));
            if (s->count % 16 == draw % 16) check(&state, &clusters, s);
        }
        check(&state, &clusters, s);
        free(s);
    }
    assert_true(refused > 100);
    saddle__clusters_clear(&clusters);
}

/* The largest cluster there may be, and one node more, from either side. */
static void a_cluster_that_would_be_too_large_leaves_all_as_it_was(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__clusters clusters = {0};
    assert_int_equal(saddle__clusters_create(NULL, NODES, &clusters), SADDLE_OK);
    nodes *s = draw_nodes(&state);
    signed char active[NODES];
    double before[NODES], after[NODES];
    saddle__clusters_begin(&clusters);
    while (s->count < NODES) add(&clusters, s);
    for (int64_t i = 1; i < SADDLE__CLUSTER; i++)
        assert_true(join(&clusters, s, i, test_integer(&state, 0, i - 1)));
    for (int64_t i = SADDLE__CLUSTER + 1; i < 2 * SADDLE__CLUSTER; i++)
        assert_true(join(&clusters, s, i - 1, i));
    for (int64_t i = 0; i < NODES; i++) {
        active[i] = 1;
        before[i] = after[i] = test_uniform(&state, -1.0, 1.0);
    }
    assert_true(saddle__clusters_solve(&clusters, active, before));
    assert_false(join(&clusters, s, 3, NODES - 1));
    assert_false(join(&clusters, s, NODES - 1, 3));
    assert_false(join(&clusters, s, 5, SADDLE__CLUSTER + 5));
    assert_true(join(&clusters, s, 5, 9)); /* they are in one */
    assert_true(saddle__clusters_solve(&clusters, active, after));
    assert_memory_equal(before, after, sizeof(before));
    check(&state, &clusters, s);
    free(s);
    saddle__clusters_clear(&clusters);
}

static int solve_pair(saddle__clusters *clusters, nodes *s, double first, double between,
                      double second, const signed char active[2])
{
    double z[2] = {1.0, 1.0};
    s->count = 0;
    s->label[0] = 0;
    s->label[1] = 1;
    s->T[0][0] = first;
    s->T[1][1] = second;
    s->T[0][1] = s->T[1][0] = between;
    saddle__clusters_begin(clusters);
    add(clusters, s);
    add(clusters, s);
    assert_true(join(clusters, s, 0, 1));
    return saddle__clusters_solve(clusters, active, z);
}

static void pivots_that_vanish_or_are_not_finite_are_said(void **unused)
{
    (void)unused;
    static const signed char both[] = {1, 1}, one[] = {1, 0}, none[] = {0, 0};
    saddle__clusters clusters = {0};
    nodes *s = calloc(1, sizeof(*s));
    assert_non_null(s);
    assert_int_equal(saddle__clusters_create(NULL, 2, &clusters), SADDLE_OK);
    assert_true(solve_pair(&clusters, s, 2.0, 1.0, 2.0, both));
    assert_false(solve_pair(&clusters, s, 0.0, 1.0, 2.0, both));
    assert_false(solve_pair(&clusters, s, 1.0, 2.0, 4.0, both)); /* the second vanishes behind the
                                                                    first */
    assert_true(solve_pair(&clusters, s, 1.0, 2.0, 4.0, one));
    assert_true(solve_pair(&clusters, s, 0.0, 2.0, 0.0, none));
    assert_false(solve_pair(&clusters, s, (double)NAN, 1.0, 2.0, both));
    assert_false(solve_pair(&clusters, s, 1.0, (double)NAN, 2.0, both));
    assert_false(solve_pair(&clusters, s, 1.0, 1.0, (double)INFINITY, both));
    assert_true(solve_pair(&clusters, s, 1.0, (double)NAN, (double)NAN, none));
    assert_false(solve_pair(&clusters, s, 1e-300, 1e100, 1.0, both)); /* overflows */
    free(s);
    saddle__clusters_clear(&clusters);
}

static saddle_status create(saddle_context *context, void *user)
{
    saddle__clusters clusters = {0};
    saddle_status status = saddle__clusters_create(context, *(const int64_t *)user, &clusters);
    if (status == SADDLE_OK) {
        saddle__clusters_begin(&clusters);
        assert_true(saddle__clusters_solve(&clusters, NULL, NULL));
    }
    saddle__clusters_clear(&clusters);
    return status;
}

static void every_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    for (int64_t capacity = 0; capacity < 3; capacity++)
        assert_true(test_allocation_sweep(create, &capacity) == 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cluster_is_solved_as_its_own_block),
        cmocka_unit_test(a_cluster_that_would_be_too_large_leaves_all_as_it_was),
        cmocka_unit_test(pivots_that_vanish_or_are_not_finite_are_said),
        cmocka_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
