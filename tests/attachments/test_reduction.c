/* SPDX-License-Identifier: MIT */
/* The reduction against what it replaces: attachments kept as equality rows, solved dense by
 * LAPACK; and M', J', f', b' against products of dense matrices whose Q is solved for, not
 * composed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn_system.h"

static saddle_elimination *reduce(const drawn_system *d, saddle_attachments *graph, int64_t threads)
{
    saddle_elimination *e;
    saddle_options options = saddle_options_default();
    options.threads = threads;
    assert_int_equal(saddle_elimination_create(NULL, graph, &d->problem, SADDLE_WISH_ELIMINATE,
                                               NULL, &options, &e),
                     SADDLE_OK);
    assert_int_equal(saddle_problem_check(NULL, saddle_elimination_problem(e), NULL, NULL),
                     SADDLE_OK);
    return e;
}

/* ---- the same answers ---- */

static void eliminated_and_kept_give_the_same_velocities_and_impulses(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    double worst = 0;
    int64_t attached = 0;
    int64_t prescribed = 0;
    for (int trial = 0; trial < test_draws(6000); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_elimination *reduction = reduce(&d, graph, 1);
        saddle_map_size size = saddle_map_size_of(saddle_elimination_map(reduction));
        double v[MOST_N], lambda[MOST_WHOLE], w[MOST_WHOLE], kept_v[MOST_N],
            kept_lambda[MOST_WHOLE];
        int64_t m = solve_twin(&d, kept_v, kept_lambda);
        saddle_solution whole = {.n = d.problem.n, .m = m, .v = v, .lambda = lambda, .w = w};
        solve_by(reduction, &d.problem, &whole);
        double distance = fmax(test_distance(v, kept_v, d.problem.n),
                               test_distance(lambda, kept_lambda, m));
        assert_true(distance < 1e-12);
        worst = fmax(worst, distance);
        attached += size.attached;
        prescribed += size.parametric;
        assert_int_equal(size.active + size.attached + size.parametric, d.problem.n);
        saddle_elimination_free(reduction);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
    print_message("worst distance %.2e over %lld attached and %lld prescribed velocities\n", worst,
                  (long long)attached, (long long)prescribed);
    assert_true(attached > test_draws(50000) && prescribed > test_draws(5000));
}

/* ---- the same matrices ---- */

/* C (n' x n') = Q'M Q, c = Q'(f - M d) by loops. */
static void dense_product(const saddle_problem *p, int64_t columns, const double *Q,
                          const double *d, double *C, double *c)
{
    int64_t n = p->n;
    double *M = calloc((size_t)(n * n + 1), sizeof *M);
    double *MQ = calloc((size_t)(n * columns + 1), sizeof *MQ);
    assert_true(M && MQ);
    if (n > 0) test_dense(&p->M, M);
    for (int64_t j = 0; j < columns; j++)
        for (int64_t k = 0; k < n; k++)
            for (int64_t i = 0; i < n; i++) MQ[i + j * n] += M[i + k * n] * Q[k + j * n];
    for (int64_t j = 0; j < columns; j++)
        for (int64_t i = 0; i < columns; i++) {
            C[i + j * columns] = 0;
            for (int64_t k = 0; k < n; k++) C[i + j * columns] += Q[k + i * n] * MQ[k + j * n];
        }
    for (int64_t i = 0; i < columns; i++) c[i] = 0;
    for (int64_t k = 0; k < n; k++) {
        double residual = p->f[k];
        for (int64_t j = 0; j < n; j++) residual -= M[k + j * n] * d[j];
        for (int64_t i = 0; i < columns; i++) c[i] += Q[k + i * n] * residual;
    }
    free(M);
    free(MQ);
}

static void matrices_and_vectors_are_those_of_the_dense_products(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    double *Q = calloc(MOST_N * MOST_N, sizeof *Q);
    double *C = calloc(MOST_N * MOST_N, sizeof *C);
    double *S = calloc(MOST_N * MOST_N, sizeof *S);
    assert_true(Q && C && S);
    for (int trial = 0; trial < test_draws(2000); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_elimination *reduction = reduce(&d, graph, 1);
        const saddle_problem *small = saddle_elimination_problem(reduction);
        double particular[MOST_N], c[MOST_N];
        int64_t columns = dense_map(&d, Q, particular);
        assert_int_equal(columns, small->n);
        dense_product(&d.problem, columns, Q, particular, C, c);
        if (columns > 0) test_dense(&small->M, S);
        assert_true(test_distance(S, C, columns * columns) < 1e-13);
        assert_true(test_distance(small->f, c, columns) < 1e-13);
        assert_int_equal(small->M.symmetry, d.problem.M.symmetry);
        for (int64_t i = 0; i < small->m; i++) {
            double b = d.problem.b[i];
            for (int64_t j = 0; j < columns; j++) {
                double sum = 0;
                for (int64_t k = 0; k < d.problem.n; k++)
                    sum += saddle_matrix_entry(&d.problem.Jt, k, i) * Q[k + j * d.problem.n];
                assert_true(fabs(saddle_matrix_entry(&small->Jt, j, i) - sum) < 1e-13);
            }
            for (int64_t k = 0; k < d.problem.n; k++)
                b -= saddle_matrix_entry(&d.problem.Jt, k, i) * particular[k];
            assert_true(fabs(small->b[i] - b) < 1e-13);
        }
        saddle_elimination_free(reduction);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
    free(Q);
    free(C);
    free(S);
}

/* Passes against Q solved for; and virtual power: F'(Q u) = (Q'F)'u. */
static void passes_are_products_with_the_map_and_keep_virtual_power(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    double *Q = calloc(MOST_N * MOST_N, sizeof *Q);
    assert_non_null(Q);
    for (int trial = 0; trial < test_draws(2000); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_map *map;
        assert_int_equal(saddle_map_create(NULL, graph, &map), SADDLE_OK);
        double particular[MOST_N], u[MOST_N], v[MOST_N], pushed[MOST_N], F[MOST_N], pulled[MOST_N];
        int64_t n = d.problem.n;
        int64_t columns = dense_map(&d, Q, particular);
        assert_int_equal(columns, saddle_map_size_of(map).active);
        for (int64_t j = 0; j < columns; j++) u[j] = test_uniform(&seed, -1, 1);
        for (int64_t i = 0; i < n; i++) F[i] = test_uniform(&seed, -1, 1);
        saddle_map_velocities(map, u, v);
        saddle_map_push(map, u, pushed);
        double power[2] = {0, 0};
        for (int64_t i = 0; i < n; i++) {
            double sum = 0;
            for (int64_t j = 0; j < columns; j++) sum += Q[i + j * n] * u[j];
            assert_true(fabs(sum - pushed[i]) < 1e-13 * fmax(1, fabs(sum)));
            assert_true(fabs(sum + particular[i] - v[i]) < 1e-13 * fmax(1, fabs(sum)));
            power[0] += F[i] * pushed[i];
        }
        double given[MOST_N];
        memcpy(given, F, (size_t)n * sizeof *F);
        saddle_map_pull(map, F, pulled);
        for (int64_t j = 0; j < columns; j++) {
            double sum = 0;
            for (int64_t i = 0; i < n; i++) sum += Q[i + j * n] * given[i];
            assert_true(fabs(sum - pulled[j]) < 1e-13 * fmax(1, fabs(sum)));
            assert_true(pulled[j] == F[saddle_map_active(map)[j]]);
            power[1] += pulled[j] * u[j];
        }
        assert_true(fabs(power[0] - power[1]) < 1e-12 * fmax(1, fabs(power[0])));
        saddle_map_free(map);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
    free(Q);
}

/* ---- bits ---- */

static void assert_same_array(const double *a, const double *b, int64_t count)
{
    if (count > 0) assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void assert_same_matrix(const saddle_matrix *A, const saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    assert_int_equal(entries, saddle_matrix_entries(B));
    if (entries == 0) return;
    assert_memory_equal(A->start, B->start, (size_t)(A->cols + 1) * sizeof *A->start);
    assert_memory_equal(A->index, B->index, (size_t)entries * sizeof *A->index);
    assert_same_array(A->value, B->value, entries);
}

static void assert_same_bits(const saddle_problem *a, const saddle_problem *b)
{
    assert_int_equal(a->n, b->n);
    assert_same_matrix(&a->M, &b->M);
    assert_same_matrix(&a->Jt, &b->Jt);
    assert_same_matrix(&a->R, &b->R);
    assert_same_array(a->f, b->f, a->n);
    assert_same_array(a->b, b->b, a->m);
    assert_same_array(a->lo, b->lo, a->m);
    assert_same_array(a->hi, b->hi, a->m);
}

static void values_only_refresh_threads_and_order_of_attaching_leave_every_bit(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    for (int trial = 0; trial < test_draws(500); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_elimination *refreshed = reduce(&d, graph, 1);
        saddle_elimination *threaded = reduce(&d, graph, 3);
        for (int step = 0; step < 2; step++) {
            redraw_values(&seed, &d);
            set_values(graph, &d);
            saddle_attachments *other = graph_of(NULL, &d, 1);
            saddle_elimination *fresh = reduce(&d, other, 1);
            assert_int_equal(saddle_elimination_form(refreshed, graph, &d.problem), SADDLE_OK);
            assert_int_equal(saddle_elimination_form(threaded, other, &d.problem), SADDLE_OK);
            assert_same_bits(saddle_elimination_problem(refreshed),
                             saddle_elimination_problem(fresh));
            assert_same_bits(saddle_elimination_problem(threaded),
                             saddle_elimination_problem(fresh));
            saddle_elimination_free(fresh);
            saddle_attachments_free(other);
        }
        saddle_elimination_free(refreshed);
        saddle_elimination_free(threaded);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
}

/* ---- memory and misuse ---- */

typedef struct sweep {
    drawn_system *d;
    saddle_attachments *graph;
} sweep;

static saddle_status whole_way(saddle_context *context, void *user)
{
    const sweep *s = user;
    saddle_elimination *e = NULL;
    saddle_solution small = {0};
    saddle_solution whole = {0};
    saddle_options options = saddle_options_default();
    options.threads = 2;
    saddle_status status = saddle_elimination_create(context, s->graph, &s->d->problem,
                                                     SADDLE_WISH_ELIMINATE, NULL, &options, &e);
    if (status != SADDLE_OK) return status;
    int64_t before = saddle_context_memory(context).allocations;
    status = saddle_elimination_form(e, s->graph, &s->d->problem);
    assert_int_equal(saddle_context_memory(context).allocations, before);
    const saddle_problem *p = saddle_elimination_problem(e);
    int64_t m = p->m + saddle_elimination_report_of(e).multipliers;
    if (status == SADDLE_OK) status = saddle_solution_create(context, p->n, p->m, &small);
    if (status == SADDLE_OK) status = saddle_solution_create(context, s->d->problem.n, m, &whole);
    if (status == SADDLE_OK) status = saddle_elimination_recover(e, &s->d->problem, &small, &whole);
    double inertia;
    if (status == SADDLE_OK) status = saddle_elimination_inverse_inertia(e, 0, &inertia);
    saddle_solution_clear(&small);
    saddle_solution_clear(&whole);
    saddle_elimination_free(e);
    return status;
}

static void memory_that_runs_out_leaks_nothing_and_forming_takes_none(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    drawn_system d = draw_system(&seed, (system_kind){.shape = SHAPE_DIAMONDS,
                                                      .components = MOST_COMPONENTS,
                                                      .rows = 6,
                                                      .partly = 3,
                                                      .moving = 1});
    sweep s = {&d, graph_of(NULL, &d, 0)};
    assert_true(test_allocation_sweep(whole_way, &s) > 50);
    saddle_attachments_free(s.graph);
    drawn_system_clear(&d);
}

static void misuse_is_named_and_changes_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    drawn_system d = draw_system(&seed,
                                 (system_kind){.shape = SHAPE_CHAIN, .components = 9, .rows = 3});
    saddle_attachments *graph = graph_of(context, &d, 0);
    saddle_elimination *reduction;
    assert_int_equal(saddle_elimination_create(context, graph, &d.problem, SADDLE_WISH_ELIMINATE,
                                               NULL, NULL, &reduction),
                     SADDLE_OK);
    double inertia;
    saddle_solution none = {0};
    assert_int_equal(saddle_elimination_recover(reduction, &d.problem, &none, &none),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_elimination_inverse_inertia(reduction, 3, &inertia),
                     SADDLE_INVALID_ARGUMENT);
    saddle_problem before;
    assert_int_equal(saddle_problem_copy(NULL, saddle_elimination_problem(reduction), &before),
                     SADDLE_OK);
    double kept = d.problem.M.value[2];
    d.problem.M.value[2] = NAN;
    assert_int_equal(saddle_elimination_form(reduction, graph, &d.problem), SADDLE_INVALID_PROBLEM);
    assert_non_null(strstr(saddle_context_message(context), "M: entry"));
    d.problem.M.value[2] = kept;
    saddle_component extra = {.id = 5000};
    assert_int_equal(saddle_attachments_add(graph, &extra), SADDLE_OK);
    assert_int_equal(saddle_elimination_form(reduction, graph, &d.problem),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "components or attachments came or went since the graph was compiled");
    assert_same_bits(saddle_elimination_problem(reduction), &before);
    saddle_elimination *other;
    assert_int_equal(saddle_elimination_create(context, graph, &d.problem, SADDLE_WISH_ELIMINATE,
                                               NULL, NULL, &other),
                     SADDLE_INVALID_ARGUMENT);
    assert_null(other);
    saddle_problem_clear(&before);
    saddle_elimination_free(reduction);
    saddle_attachments_free(graph);
    drawn_system_clear(&d);
    saddle_context_free(context);
}

/* Contacts, bounds, compliance, ids and names of rows are the problem's, also those that came after
 * the plan. */
static void rows_keep_their_laws(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 6;
    drawn_system d = draw_system(&seed,
                                 (system_kind){.shape = SHAPE_CHAIN, .components = 6, .rows = 5});
    saddle_attachments *graph = graph_of(NULL, &d, 0);
    saddle_contact contact = {.row = 1, .size = 3, .mu = 0.5};
    double lo[5] = {-1, 0, 0, 0, 0};
    double hi[5] = {1, 2, 3, 4, INFINITY};
    int64_t id[5] = {9, 8, 7, 6, 5};
    saddle_problem p = d.problem;
    p.owner = 0;
    p.contacts = &contact;
    p.contact_count = 1;
    p.law = SADDLE_LAW_PYRAMID;
    p.facets = 5;
    saddle_elimination *reduction;
    assert_int_equal(saddle_elimination_create(NULL, graph, &p, SADDLE_WISH_ELIMINATE, NULL, NULL,
                                               &reduction),
                     SADDLE_OK);
    p.lo = lo;
    p.hi = hi;
    p.row_id = id;
    p.time_step = 0.01;
    contact.mu = 0.25;
    assert_int_equal(saddle_elimination_form(reduction, graph, &p), SADDLE_OK);
    const saddle_problem *small = saddle_elimination_problem(reduction);
    assert_int_equal(small->contact_count, 1);
    assert_true(small->contacts[0].mu == 0.25 && small->contacts[0].row == 1 &&
                small->law == SADDLE_LAW_PYRAMID);
    assert_int_equal(small->facets, 5);
    assert_same_array(small->lo, lo, 5);
    assert_same_array(small->hi, hi, 5);
    assert_memory_equal(small->row_id, id, sizeof id);
    assert_same_matrix(&small->R, &p.R);
    assert_true(small->time_step == 0.01);
    saddle_elimination_free(reduction);
    saddle_attachments_free(graph);
    drawn_system_clear(&d);
}

static void a_mass_with_both_triangles_is_reduced_as_by_its_lower_one(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int k = 0; k < test_draws(100); k++) {
        system_kind kind = draw_kind(&seed);
        kind.general = 0;
        drawn_system d = draw_system(&seed, kind);
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_elimination *by_lower = reduce(&d, graph, 1);
        saddle_matrix lower = d.problem.M;
        assert_int_equal(saddle_matrix_expand(NULL, &lower, &d.problem.M), SADDLE_OK);
        d.problem.M.symmetry = SADDLE_SYMMETRY_FULL;
        saddle_elimination *by_both = reduce(&d, graph, 1);
        assert_int_equal(saddle_elimination_problem(by_both)->M.symmetry, SADDLE_SYMMETRY_LOWER);
        assert_same_matrix(&saddle_elimination_problem(by_both)->M,
                           &saddle_elimination_problem(by_lower)->M);
        saddle_elimination_free(by_lower);
        saddle_elimination_free(by_both);
        saddle_matrix_clear(&d.problem.M);
        d.problem.M = lower;
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eliminated_and_kept_give_the_same_velocities_and_impulses),
        cmocka_unit_test(matrices_and_vectors_are_those_of_the_dense_products),
        cmocka_unit_test(passes_are_products_with_the_map_and_keep_virtual_power),
        cmocka_unit_test(values_only_refresh_threads_and_order_of_attaching_leave_every_bit),
        cmocka_unit_test(memory_that_runs_out_leaks_nothing_and_forming_takes_none),
        cmocka_unit_test(misuse_is_named_and_changes_nothing),
        cmocka_unit_test(rows_keep_their_laws),
        cmocka_unit_test(a_mass_with_both_triangles_is_reduced_as_by_its_lower_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
