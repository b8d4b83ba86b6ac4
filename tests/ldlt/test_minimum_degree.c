/* SPDX-License-Identifier: MIT */
/* Minimum degree for very sparse systems: counts of L against elimination on a dense matrix of
 * booleans, the order of constrained nodes, systems left to other orders; and columns without
 * neighbours, which the engine treats in a loop of their own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ldlt/ldlt_internal.h"
#include "support.h"

enum { MOST = 64 };

/* A graph as a dense matrix and as the engine has it. */
typedef struct drawn_graph {
    int64_t n;
    char edge[MOST][MOST];
    signed char late[MOST];
    int64_t start[MOST + 1];
    int32_t node[MOST * MOST];
    saddle__graph g;
} drawn_graph;

static void add_edge(drawn_graph *d, int64_t i, int64_t j)
{
    if (i != j) d->edge[i][j] = d->edge[j][i] = 1;
}

static void list_edges(drawn_graph *d)
{
    int64_t count = 0;
    for (int64_t i = 0; i < d->n; i++) {
        d->start[i] = count;
        for (int64_t j = 0; j < d->n; j++)
            if (d->edge[i][j]) d->node[count++] = (int32_t)j;
    }
    d->start[d->n] = count;
    d->g.nodes = d->n;
    d->g.start = d->start;
    d->g.node = d->node;
}

/* About `links` edges a node; of four nodes `late` are late. */
static void draw_graph(uint64_t *state, int64_t n, int64_t links, int late, drawn_graph *d)
{
    memset(d, 0, sizeof(*d));
    d->n = n;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = test_integer(state, 0, links); k > 0; k--)
            add_edge(d, i, test_integer(state, 0, n - 1));
        if (test_integer(state, 0, 3) < late) d->late[i] = (signed char)test_integer(state, 1, 2);
    }
    list_edges(d);
}

static saddle__ordered order_graph(const drawn_graph *d)
{
    saddle__ordered ordered = {.order = calloc(MOST, sizeof(int64_t))};
    assert_int_equal(saddle__minimum_degree(NULL, &d->g, d->late, 0, &ordered), SADDLE_OK);
    return ordered;
}

static void clear(saddle__ordered *ordered)
{
    free(ordered->order);
    ordered->order = NULL;
    saddle__ordered_clear(NULL, ordered);
}

/* below[k][i]: whether row i of column k of L, by position, is not zero; the oracle. */
static void eliminate(const drawn_graph *d, const int64_t *order, char below[MOST][MOST])
{
    char left[MOST][MOST];
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t j = 0; j < d->n; j++) left[i][j] = d->edge[order[i]][order[j]];
    memset(below, 0, MOST * sizeof(*below));
    for (int64_t k = 0; k < d->n; k++)
        for (int64_t i = k + 1; i < d->n; i++) {
            if (!left[i][k]) continue;
            below[k][i] = 1;
            for (int64_t j = k + 1; j < d->n; j++)
                if (left[j][k] && i != j) left[i][j] = 1;
        }
}

static void check_permutation(const drawn_graph *d, const int64_t *order, int64_t *position)
{
    for (int64_t i = 0; i < d->n; i++) position[i] = -1;
    for (int64_t k = 0; k < d->n; k++) {
        assert_in_range(order[k], 0, d->n - 1);
        assert_int_equal(position[order[k]], -1);
        position[order[k]] = k;
    }
}

/* Columns of run r are below what the run says: later ones of the run, and its rows. */
static void check_run(const saddle__ordered *o, int64_t r, const int64_t *position,
                      char below[MOST][MOST], int64_t n)
{
    char row[MOST] = {0};
    int64_t first = n;
    for (int32_t t = 0; t < o->run_rows[r]; t++) {
        int64_t i = position[o->list[o->run_list[r] + t]];
        assert_false(row[i]); /* none twice */
        row[i] = 1;
        if (i < first) first = i;
    }
    for (int64_t k = o->run_begin[r]; k < o->run_begin[r + 1]; k++)
        for (int64_t i = k + 1; i < n; i++)
            assert_int_equal(below[k][i], i < o->run_begin[r + 1] ? 1 : row[i]);
    if (first == n) {
        assert_int_equal(o->run_parent[r], -1);
        return;
    }
    assert_in_range(o->run_parent[r], r + 1, o->runs - 1);
    assert_in_range(first, o->run_begin[o->run_parent[r]], o->run_begin[o->run_parent[r] + 1] - 1);
}

static void check_order(const drawn_graph *d, const saddle__ordered *o)
{
    static char below[MOST][MOST];
    int64_t position[MOST];
    double entries = 0.0;
    double flops = 0.0;
    check_permutation(d, o->order, position);
    eliminate(d, o->order, below);
    for (int64_t k = 0; k < d->n; k++) {
        double count = 1.0;
        for (int64_t i = k + 1; i < d->n; i++) count += below[k][i];
        entries += count;
        flops += count * count;
    }
    assert_true(o->entries == entries);
    assert_true(fabs(o->flops - flops) <= 1e-12 * flops);
    assert_int_equal(o->run_begin[0], 0);
    assert_int_equal(o->run_begin[o->runs], d->n);
    for (int64_t r = 0; r < o->runs; r++) check_run(o, r, position, below, d->n);
}

/* ---- claims ---- */

static void supernodes_and_rows_are_those_of_elimination(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t done = 0;
    for (int trial = 0; trial < 2000; trial++) {
        static drawn_graph d;
        draw_graph(&state, test_integer(&state, 1, MOST), test_integer(&state, 0, 5), trial % 4,
                   &d);
        saddle__ordered o = order_graph(&d);
        if (o.runs > 0) check_order(&d, &o);
        done += o.runs > 0;
        clear(&o);
    }
    assert_true(done > 1800);
}

static void late_nodes_follow_their_partners(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t pairs = 0;
    for (int trial = 0; trial < 1000; trial++) {
        static drawn_graph d;
        draw_graph(&state, test_integer(&state, 2, MOST), 3, 2, &d);
        int64_t partner[MOST];
        int64_t position[MOST];
        assert_int_equal(saddle__ldlt_match(NULL, &d.g, d.late, partner), SADDLE_OK);
        saddle__ordered o = order_graph(&d);
        assert_true(o.runs > 0);
        check_permutation(&d, o.order, position);
        for (int64_t y = 0; y < d.n; y++) {
            if (!d.late[y] || partner[y] < 0) continue;
            if (d.late[partner[y]] && partner[partner[y]] < 0)
                continue; /* it may wait for y itself */
            assert_true(d.edge[y][partner[y]]);
            assert_true(position[partner[y]] < position[y]);
            pairs++;
        }
        clear(&o);
    }
    assert_true(pairs > 1000);
}

static void trees_are_not_filled(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 500; trial++) {
        static drawn_graph d;
        memset(&d, 0, sizeof(d));
        d.n = test_integer(&state, 1, MOST);
        double edges = 0.0;
        for (int64_t i = 1; i < d.n; i++) {
            if (test_integer(&state, 0, 5) == 0) continue; /* a forest */
            add_edge(&d, i, test_integer(&state, trial % 2 ? 0 : i - 1, i - 1));
            edges += 1.0;
        }
        list_edges(&d);
        saddle__ordered o = order_graph(&d);
        assert_true(o.entries == (double)d.n + edges);
        clear(&o);
    }
}

static void dense_graphs_are_left_alone(void **unused)
{
    (void)unused;
    static drawn_graph d;
    memset(&d, 0, sizeof(d));
    d.n = MOST;
    for (int64_t i = 0; i < d.n; i++)
        for (int64_t j = 0; j < i; j++) add_edge(&d, i, j);
    list_edges(&d);
    saddle__ordered o = order_graph(&d);
    assert_int_equal(o.runs, 0);
    clear(&o);
}

/* A long path beside 60 nodes that are all neighbours. */
static void a_core_that_grows_dense_is_given_up(void **unused)
{
    (void)unused;
    saddle__graph g = {.nodes = 2000};
    g.start = calloc(2001, sizeof(*g.start));
    g.node = calloc(2 * 2000 + 60 * 60, sizeof(*g.node));
    int64_t count = 0;
    for (int64_t i = 0; i < g.nodes; i++) {
        g.start[i] = count;
        for (int64_t j = 0; i < 60 && j < 60; j++)
            if (i != j) g.node[count++] = (int32_t)j;
        if (i >= 60 && i + 1 < g.nodes) g.node[count++] = (int32_t)(i + 1);
        if (i > 60) g.node[count++] = (int32_t)(i - 1);
    }
    g.start[g.nodes] = count;
    saddle__ordered o = {.order = calloc(2000, sizeof(int64_t))};
    assert_int_equal(saddle__minimum_degree(NULL, &g, NULL, 0, &o), SADDLE_OK);
    assert_int_equal(o.runs, 0);
    clear(&o);
    free(g.start);
    free(g.node);
}

/* ---- loose columns ---- */

/* diag(1, 2, 3 ..) with a 2 x 2 block [. 1; 1 .] at nodes 3 and 5 of seven */
static saddle_matrix loose_matrix(void)
{
    static const int64_t start[] = {0, 1, 2, 3, 5, 6, 7, 8};
    static const int64_t index[] = {0, 1, 2, 3, 5, 4, 5, 6};
    static const double value[] = {1.0, 2.0, 3.0, 4.0, 1.0, 5.0, 6.0, 7.0};
    saddle_matrix A;
    assert_int_equal(saddle_matrix_create(NULL, 7, 7, 8, SADDLE_SYMMETRY_LOWER, &A), SADDLE_OK);
    memcpy(A.start, start, sizeof(start));
    memcpy(A.index, index, sizeof(index));
    memcpy(A.value, value, sizeof(value));
    return A;
}

static void columns_on_their_own_are_solved_by_themselves(void **unused)
{
    (void)unused;
    saddle_matrix A = loose_matrix();
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__pivot_rule rule = {0};
    saddle__factor_counts counts = {0};
    saddle__ldlt *F;
    assert_int_equal(saddle__ldlt_analyse(NULL, &A, &request, &F), SADDLE_OK);
    assert_int_equal(F->isolated, 5);
    assert_int_equal(saddle__ldlt_factor(F, &A, &rule, &counts), SADDLE_OK);
    assert_int_equal(counts.inertia.positive, 7);
    double x[] = {1.0, 4.0, 9.0, 5.0, 25.0, 7.0, 49.0};
    static const double expected[] = {1.0, 2.0, 3.0, 1.0, 5.0, 1.0, 7.0};
    saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, x, 7);
    assert_true(test_distance(x, expected, 7) < 1e-15);

    double sparse[7] = {-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0};
    int64_t index[] = {4, 5};
    double value[] = {10.0, 23.0};
    const int64_t start[] = {0, 2};
    saddle__ldlt_sparse b = {.columns = 1, .start = start, .index = index, .value = value};
    saddle__ldlt_solve_sparse(F, &b, sparse);
    static const double touched[] = {-1.0, -1.0, -1.0, -1.0, 2.0, 4.0, -1.0};
    assert_true(test_distance(sparse, touched, 7) < 1e-15);
    saddle__ldlt_free(F);
    saddle_matrix_clear(&A);
}

static void a_zero_on_its_own_is_named(void **unused)
{
    (void)unused;
    saddle_matrix A = loose_matrix();
    A.value[5] = 0.0;
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST};
    saddle__pivot_rule rule = {0};
    saddle__factor_counts counts = {0};
    saddle__ldlt *F;
    assert_int_equal(saddle__ldlt_analyse(NULL, &A, &request, &F), SADDLE_OK);
    assert_int_equal(saddle__ldlt_factor(F, &A, &rule, &counts), SADDLE_SINGULAR);
    assert_int_equal(counts.failed_column, 4);
    saddle__ldlt_free(F);
    saddle_matrix_clear(&A);
}

/* ---- memory ---- */

static saddle_status analyse_and_free(saddle_context *context, void *user)
{
    saddle__ldlt *F;
    saddle_matrix *A = user;
    static const signed char late[] = {0, 0, 0, 0, 0, SADDLE__AFTER_OTHER_KIND, 0};
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST, .late = late};
    saddle_status status = saddle__ldlt_analyse(context, A, &request, &F);
    saddle__ldlt_free(F);
    return status;
}

static void memory_that_runs_out_leaks_nothing(void **unused)
{
    (void)unused;
    saddle_matrix A = loose_matrix();
    assert_true(test_allocation_sweep(analyse_and_free, &A) > 10);
    saddle_matrix_clear(&A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(supernodes_and_rows_are_those_of_elimination),
        cmocka_unit_test(late_nodes_follow_their_partners),
        cmocka_unit_test(trees_are_not_filled),
        cmocka_unit_test(dense_graphs_are_left_alone),
        cmocka_unit_test(a_core_that_grows_dense_is_given_up),
        cmocka_unit_test(columns_on_their_own_are_solved_by_themselves),
        cmocka_unit_test(a_zero_on_its_own_is_named),
        cmocka_unit_test(memory_that_runs_out_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
