/* SPDX-License-Identifier: MIT */
/* Small systems as one dense front, against the tree of supernodes and against LAPACK. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "dense_kkt.h"
#include "drawn_kkt.h"
#include "ldlt/ldlt_internal.h"

/* One front with BEST where A is small or full, many with AMD. */
static saddle__ldlt *analysed(const drawn_kkt *d, saddle_ordering ordering)
{
    saddle__ldlt_request request = {.ordering = ordering, .late = d->late};
    saddle__ldlt *F = NULL;
    assert_int_equal(saddle__ldlt_analyse(NULL, &d->K, &request, &F), SADDLE_OK);
    return F;
}

static void regularize(drawn_kkt *d, double epsilon)
{
    for (int64_t i = 0; i < d->size; i++)
        if (d->late[i]) d->K.value[d->K.start[i]] = d->sign[i] * epsilon * d->scale[i];
}

/* A draw and its factors in both ways. */
typedef struct twins {
    drawn_kkt d;
    saddle__ldlt *one, *many;
    saddle__factor_counts one_counts, many_counts;
} twins;

static saddle__factor_counts factored(saddle__ldlt *F, const saddle_matrix *K,
                                      const saddle__pivot_rule *rule)
{
    saddle__factor_counts counts = {0};
    assert_int_equal(saddle__ldlt_factor(F, K, rule, &counts), SADDLE_OK);
    return counts;
}

static twins make_twins(drawn_kkt d, double epsilon, double replacement)
{
    twins t = {.d = d,
               .one = analysed(&d, SADDLE_ORDERING_BEST),
               .many = analysed(&d, SADDLE_ORDERING_AMD)};
    saddle__pivot_rule rule = {.sign = d.sign,
                               .scale = d.scale,
                               .smallest = 1e-14,
                               .replacement = replacement};
    if (isinf(replacement)) rule.smallest = 1e-10;
    if (epsilon > 0.0) regularize(&t.d, epsilon);
    t.one_counts = factored(t.one, &d.K, &rule);
    t.many_counts = factored(t.many, &d.K, &rule);
    if (epsilon > 0.0) regularize(&t.d, 0.0);
    return t;
}

static void clear_twins(twins *t)
{
    saddle__ldlt_free(t->one);
    saddle__ldlt_free(t->many);
    drawn_kkt_clear(&t->d);
}

static void refine(saddle__ldlt *F, const drawn_kkt *d, const double *b, int steps, double *x)
{
    double *r = calloc((size_t)d->size, sizeof(*r));
    memset(x, 0, (size_t)d->size * sizeof(*x));
    for (int step = 0; step < steps; step++) {
        memcpy(r, b, (size_t)d->size * sizeof(*r));
        saddle_matrix_apply(&d->K, -1.0, x, 1.0, r);
        saddle__ldlt_solve(F, SADDLE__LDLT_WHOLE, 1, r, d->size);
        for (int64_t i = 0; i < d->size; i++) x[i] += r[i];
    }
    free(r);
}

static void assert_same_counts(const twins *t)
{
    assert_int_equal(t->one_counts.perturbed_pivots, t->many_counts.perturbed_pivots);
    assert_int_equal(t->one_counts.inertia.positive, t->many_counts.inertia.positive);
    assert_int_equal(t->one_counts.inertia.negative, t->many_counts.inertia.negative);
    assert_int_equal(t->one_counts.inertia.zero, t->many_counts.inertia.zero);
}

/* count numbers of the size that scale tells */
static double *draw_rhs(uint64_t *state, const drawn_kkt *d)
{
    double *b = calloc((size_t)d->size, sizeof(*b));
    for (int64_t i = 0; i < d->size; i++) b[i] = test_uniform(state, -1.0, 1.0) * sqrt(d->scale[i]);
    return b;
}

/* M with at least a path through all velocities, so that the graph is in one piece. */
static kkt_kind draw_kind(uint64_t *state, int64_t largest)
{
    kkt_kind kind = {.n = test_integer(state, 1, largest), .links = test_integer(state, 2, 8)};
    kind.rigid = (int)test_integer(state, 0, 4);
    kind.m = test_integer(state, 0, kind.n);
    kind.decades = test_integer(state, 0, 1) ? 0.0 : 40.0;
    return kind;
}

static void one_front_gives_the_answers_inertia_and_pivots_of_many_and_of_lapack(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const int64_t draws = test_draws_at_least(120, 4000);
    int64_t single = 0;
    for (int64_t trial = 0; trial < draws; trial++) {
        kkt_kind kind = draw_kind(&state, trial % 40 ? 30 : 120);
        twins t = make_twins(draw_kkt(&state, kind), 1e-10, 1e-10);
        const drawn_kkt *d = &t.d;
        single += saddle__ldlt_size_of(t.one).fill == d->size * (d->size + 1) / 2;
        assert_same_counts(&t);
        assert_int_equal(t.one_counts.perturbed_pivots, 0);
        assert_int_equal(t.one_counts.inertia.positive, kind.n);
        assert_int_equal(t.one_counts.inertia.negative, kind.m);
        double *b = draw_rhs(&state, d);
        double *x = calloc((size_t)d->size, sizeof(*x));
        double *y = calloc((size_t)d->size, sizeof(*y));
        refine(t.one, d, b, 6, x);
        refine(t.many, d, b, 6, y);
        assert_true(drawn_kkt_error(d, x, b) < 1e-14);
        if (kind.decades == 0.0) {
            assert_true(test_distance(x, y, d->size) < 1e-10);
            assert_int_equal(saddle__dense_solve(NULL, d->size, d->dense, b), SADDLE_OK);
            assert_true(test_distance(x, b, d->size) < 1e-10);
        }
        free(b);
        free(x);
        free(y);
        clear_twins(&t);
    }
    assert_true(4 * single > 3 * draws);
}

/* Rows that are sums of other rows.  Regularized, a consistent system has the velocities of
 * LAPACK's least-norm solution; dropped, the number of rows is the defect of the rank. */
static void redundant_rows_are_met_as_in_a_tree_of_fronts(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(1500); trial++) {
        kkt_kind kind = {.n = test_integer(&state, 2, 40),
                         .links = test_integer(&state, 1, 4),
                         .rigid = 4};
        int drop = trial % 2;
        if (drop) kind.links = 0;
        kind.copies = test_integer(&state, 1, 5);
        kind.m = test_integer(&state, 1, kind.n) + kind.copies;
        twins t = make_twins(draw_kkt(&state, kind), drop ? 0.0 : 1e-10,
                             drop ? (double)INFINITY : 1e-10);
        const drawn_kkt *d = &t.d;
        assert_same_counts(&t);
        assert_int_equal(t.one_counts.inertia.positive, kind.n);
        if (drop) assert_int_equal(t.one_counts.perturbed_pivots, kind.copies);
        double *b = calloc((size_t)d->size, sizeof(*b));
        double *x = draw_rhs(&state, d);
        saddle_matrix_apply(&d->K, 1.0, x, 0.0, b);
        refine(t.one, d, b, 8, x);
        int64_t rank;
        assert_int_equal(test_dense_least_norm(NULL, d->size, d->size, d->dense, b, 1e-11, &rank),
                         SADDLE_OK);
        assert_int_equal(rank, d->size - kind.copies);
        assert_true(test_distance(x, b, d->n) < 1e-10);
        free(b);
        free(x);
        clear_twins(&t);
    }
}

/* The first `bare` velocities lose their mass.  Each is held by a row of its own, which also
 * contains a velocity with mass: the order has to be velocity with mass, row, velocity without
 * mass. */
static drawn_kkt draw_massless(uint64_t *state)
{
    kkt_kind kind = {.n = test_integer(state, 4, 40),
                     .links = test_integer(state, 0, 3),
                     .rigid = 4};
    int64_t bare = test_integer(state, 1, kind.n / 2);
    kind.m = test_integer(state, bare, kind.n - bare);
    drawn_kkt d = draw_kkt(state, kind);
    for (int64_t j = 0; j < bare; j++) {
        for (int64_t i = 0; i < kind.n; i++)
            d.dense[i + j * d.size] = d.dense[j + i * d.size] = 0.0;
        int64_t other = kind.n - 1 - j;
        int64_t row = kind.n + j;
        d.dense[row + other * d.size] = d.dense[other + row * d.size] = test_uniform(state, 0.5,
                                                                                     1.0);
        d.late[j] = SADDLE__AFTER_NEIGHBOUR;
    }
    saddle_matrix_clear(&d.K);
    int64_t *row = malloc((size_t)(d.size * d.size) * sizeof(*row));
    int64_t *col = malloc((size_t)(d.size * d.size) * sizeof(*col));
    double *value = malloc((size_t)(d.size * d.size) * sizeof(*value));
    int64_t count = 0;
    for (int64_t j = 0; j < d.size; j++) {
        for (int64_t i = j; i < d.size; i++) {
            if (i != j && d.dense[i + j * d.size] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = d.dense[i + j * d.size];
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, d.size, d.size, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &d.K),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return d;
}

static void velocities_without_mass_follow_the_rows_that_hold_them(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(800); trial++) {
        twins t = make_twins(draw_massless(&state), 1e-10, 1e-10);
        const drawn_kkt *d = &t.d;
        assert_int_equal(t.one_counts.perturbed_pivots, 0);
        assert_int_equal(t.one_counts.inertia.positive, d->n);
        assert_same_counts(&t);
        const int64_t *position = t.one->position;
        for (int64_t j = 0; j < d->n; j++) {
            int64_t before = 0;
            for (int64_t i = 0; i < d->size; i++)
                before += i != j && d->dense[i + j * d->size] != 0.0 && position[i] < position[j];
            assert_true(d->late[j] == SADDLE__ANY_TIME || before > 0);
        }
        double *b = draw_rhs(&state, d);
        double *x = calloc((size_t)d->size, sizeof(*x));
        refine(t.one, d, b, 8, x);
        assert_true(drawn_kkt_error(d, x, b) < 1e-14);
        free(b);
        free(x);
        clear_twins(&t);
    }
}

static void parts_and_sparse_right_hand_sides_agree_with_the_whole(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static const int parts[] = {SADDLE__LDLT_IN, SADDLE__LDLT_L, SADDLE__LDLT_D,
                                SADDLE__LDLT_TRANSPOSE, SADDLE__LDLT_OUT};
    for (int trial = 0; trial < test_draws(200); trial++) {
        kkt_kind kind = draw_kind(&state, 60);
        kind.decades = 0.0;
        kind.rigid = 0;
        twins t = make_twins(draw_kkt(&state, kind), 0.0, 0.0);
        int64_t n = t.d.size;
        double *x = calloc((size_t)(3 * n), sizeof(*x));
        double *y = x + n;
        double *z = y + n;
        int64_t index = test_integer(&state, 0, n - 1);
        double value = 1.0;
        x[index] = y[index] = 1.0;
        saddle__ldlt_solve(t.one, SADDLE__LDLT_WHOLE, 1, x, n);
        for (int k = 0; k < 5; k++) saddle__ldlt_solve(t.one, parts[k], 1, y, n);
        const int64_t start[] = {0, 1};
        saddle__ldlt_sparse b = {.columns = 1, .start = start, .index = &index, .value = &value};
        saddle__ldlt_solve_sparse(t.one, &b, z);
        assert_memory_equal(x, y, (size_t)n * sizeof(*x));
        assert_memory_equal(x, z, (size_t)n * sizeof(*x));
        memset(y, 0, (size_t)(2 * n) * sizeof(*y));
        saddle__ldlt_add_squares(t.one, y);
        for (int64_t i = 0; i < n; i++)
            assert_true(y[i] >= fabs(t.d.dense[i + i * n]) * (1.0 - 1e-12));
        free(x);
        clear_twins(&t);
    }
}

/* A: of order n, all entries within `band` of the diagonal, less those between `cut` and what is
 * before it. */
static saddle_matrix banded(int64_t n, int64_t band, int64_t cut)
{
    int64_t *row = malloc((size_t)(n * n) * sizeof(*row));
    int64_t *col = malloc((size_t)(n * n) * sizeof(*col));
    double *value = malloc((size_t)(n * n) * sizeof(*value));
    int64_t count = 0;
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = j; i < n && i <= j + band; i++) {
            if (j < cut && i >= cut) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = i == j ? (double)(2 * n) : 1.0;
        }
    }
    saddle_matrix A;
    assert_int_equal(saddle_matrix_from_triplets(NULL, n, n, count, row, col, value,
                                                 SADDLE_SYMMETRY_LOWER, &A),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return A;
}

static void what_is_small_or_full_is_one_front_and_nothing_else(void **unused)
{
    (void)unused;
    static const struct {
        int64_t n, band, cut;
        int one;
    } cases[] = {
        {1, 0, 0, 1},     {16, 1, 0, 1},  {64, 63, 0, 1},
        {256, 255, 0, 1}, {256, 2, 0, 0}, /* sparse */
        {64, 63, 20, 0},                  /* two components */
    };
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        saddle_matrix A = banded(cases[k].n, cases[k].band, cases[k].cut);
        saddle__ldlt *F = NULL;
        saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST};
        assert_int_equal(saddle__ldlt_analyse(NULL, &A, &request, &F), SADDLE_OK);
        assert_int_equal(F->supernodes == 1, cases[k].one);
        saddle__ldlt_free(F);
        saddle_matrix_clear(&A);
    }
}

static saddle_status analyse_and_factor(saddle_context *context, void *user)
{
    const drawn_kkt *d = user;
    saddle__ldlt_request request = {.late = d->late, .threads = 8};
    saddle__pivot_rule rule = {.sign = d->sign,
                               .scale = d->scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    saddle__ldlt *F = NULL;
    saddle_status status = saddle__ldlt_analyse(context, &d->K, &request, &F);
    int64_t allocations = saddle_context_memory(context).allocations;
    saddle__factor_counts counts = {0};
    for (int k = 0; status == SADDLE_OK && k < 2; k++)
        status = saddle__ldlt_factor(F, &d->K, &rule, &counts);
    if (status == SADDLE_OK)
        assert_int_equal(saddle_context_memory(context).allocations, allocations);
    saddle__ldlt_free(F);
    return status;
}

static void running_out_of_memory_leaks_nothing_and_factor_asks_for_none(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    kkt_kind kind = {.n = 12, .m = 5, .links = 6, .rigid = 4};
    drawn_kkt plain = draw_kkt(&state, kind);
    regularize(&plain, 1e-10);
    assert_true(test_allocation_sweep(analyse_and_factor, &plain) > 2);
    drawn_kkt massless = draw_massless(&state);
    regularize(&massless, 1e-10);
    assert_true(test_allocation_sweep(analyse_and_factor, &massless) > 2);
    drawn_kkt_clear(&plain);
    drawn_kkt_clear(&massless);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_front_gives_the_answers_inertia_and_pivots_of_many_and_of_lapack),
        cmocka_unit_test(redundant_rows_are_met_as_in_a_tree_of_fronts),
        cmocka_unit_test(velocities_without_mass_follow_the_rows_that_hold_them),
        cmocka_unit_test(parts_and_sparse_right_hand_sides_agree_with_the_whole),
        cmocka_unit_test(what_is_small_or_full_is_one_front_and_nothing_else),
        cmocka_unit_test(running_out_of_memory_leaks_nothing_and_factor_asks_for_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
