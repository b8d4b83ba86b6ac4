/* SPDX-License-Identifier: MIT */
/* Attachments eliminated, kept and mixed: the whole problem's solution must not depend on it.
 * Answers come from LAPACK on the dense whole system, which is put together from what was drawn. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "drawn_system.h"

static const system_kind everything = {
    .shape = SHAPE_ANY, .components = 10, .rows = 4, .parametric = 3, .partly = 2, .moving = 1};

static saddle_elimination *eliminate(const saddle_attachments *graph, const saddle_problem *problem,
                                     saddle_wish wish, const saddle_wish *each)
{
    saddle_elimination *e;
    assert_int_equal(saddle_elimination_create(NULL, graph, problem, wish, each, NULL, &e),
                     SADDLE_OK);
    assert_int_equal(saddle_problem_check(NULL, saddle_elimination_problem(e), NULL, NULL),
                     SADDLE_OK);
    return e;
}

/* ---- the same answers ---- */

static void the_whole_problem_is_the_one_with_all_attachments_as_rows(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(1000); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_problem whole;
        double v[MOST_N], lambda[MOST_WHOLE], twin_v[MOST_N], twin_lambda[MOST_WHOLE];
        assert_int_equal(saddle_attachments_keep(NULL, graph, &d.problem, &whole), SADDLE_OK);
        int64_t m = solve_twin(&d, twin_v, twin_lambda);
        assert_int_equal(whole.m, m);
        assert_int_equal(whole.n, d.problem.n);
        solve_dense(&whole, v, lambda);
        assert_true(test_distance(v, twin_v, whole.n) < 1e-12);
        assert_true(test_distance(lambda, twin_lambda, m) < 1e-12);
        saddle_problem_clear(&whole);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
}

static void any_mixture_of_kept_and_eliminated_gives_the_same_answer(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 1;
    int64_t kept = 0;
    int64_t eliminated = 0;
    for (int trial = 0; trial < test_draws(2000); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_wish each[MOST_COMPONENTS];
        for (int64_t c = 0; c < d.count; c++) each[c] = (saddle_wish)test_integer(&seed, 1, 2);
        saddle_elimination *e = eliminate(graph, &d.problem, SADDLE_WISH_CHOOSE, each);
        saddle_elimination_report report = saddle_elimination_report_of(e);
        double v[MOST_N], lambda[MOST_WHOLE], w[MOST_WHOLE], twin_v[MOST_N],
            twin_lambda[MOST_WHOLE];
        int64_t m = solve_twin(&d, twin_v, twin_lambda);
        saddle_solution whole = {.n = d.problem.n, .m = m, .v = v, .lambda = lambda, .w = w};
        solve_by(e, &d.problem, &whole);
        assert_true(test_distance(v, twin_v, d.problem.n) < 1e-12);
        assert_true(test_distance(lambda, twin_lambda, m) < 1e-12);
        assert_int_equal(report.kept + report.eliminated, d.attachment_count);
        assert_int_equal(report.m + report.multipliers, m);
        kept += report.kept;
        eliminated += report.eliminated;
        saddle_elimination_free(e);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
    print_message("%lld kept, %lld eliminated\n", (long long)kept, (long long)eliminated);
    assert_true(kept > test_draws(3000) && eliminated > test_draws(3000));
}

static void what_is_chosen_gives_the_same_answer_with_the_least_work_found(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 2;
    for (int trial = 0; trial < test_draws(200); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_elimination *e = eliminate(graph, &d.problem, SADDLE_WISH_CHOOSE, NULL);
        saddle_elimination_report report = saddle_elimination_report_of(e);
        double v[MOST_N], lambda[MOST_WHOLE], w[MOST_WHOLE], twin_v[MOST_N],
            twin_lambda[MOST_WHOLE];
        int64_t m = solve_twin(&d, twin_v, twin_lambda);
        saddle_solution whole = {.n = d.problem.n, .m = m, .v = v, .lambda = lambda, .w = w};
        solve_by(e, &d.problem, &whole);
        assert_true(test_distance(v, twin_v, d.problem.n) < 1e-12);
        assert_true(test_distance(lambda, twin_lambda, m) < 1e-12);
        if (d.attachment_count == 0) {
            assert_int_equal(report.analyses, 0);
        } else {
            assert_true(report.analyses >= 1 && report.work <= report.work_kept);
            assert_true(isnan(report.work_eliminated) || report.work <= report.work_eliminated);
        }
        saddle_elimination_free(e);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
}

/* ---- wishes ---- */

static void wishes_are_obeyed(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 3;
    for (int trial = 0; trial < test_draws(200); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_wish each[MOST_COMPONENTS];
        for (int64_t c = 0; c < d.count; c++) each[c] = (saddle_wish)test_integer(&seed, 0, 2);
        saddle_elimination *e = eliminate(graph, &d.problem, SADDLE_WISH_CHOOSE, each);
        const signed char *keep = saddle_elimination_choice(e);
        for (int64_t c = 0; c < d.count; c++) {
            saddle_component_state is = saddle_attachments_component(graph, c).state;
            if (each[c] == SADDLE_WISH_KEEP)
                assert_int_equal(keep[c], is != SADDLE_COMPONENT_STATE_ACTIVE);
            if (each[c] == SADDLE_WISH_ELIMINATE || is == SADDLE_COMPONENT_STATE_ACTIVE)
                assert_int_equal(keep[c], 0);
        }
        saddle_elimination_free(e);
        e = eliminate(graph, &d.problem, SADDLE_WISH_KEEP, NULL);
        assert_int_equal(saddle_elimination_report_of(e).eliminated, 0);
        assert_int_equal(saddle_elimination_problem(e)->n, d.problem.n);
        saddle_elimination_free(e);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
}

/* ---- chains ---- */

/* A link hangs from the one before it and turns with its own coordinate, the axis drawn. */
static void draw_joint(uint64_t *seed, double A[36], double S[6])
{
    memset(A, 0, 36 * sizeof *A);
    for (int i = 0; i < 6; i++) A[7 * i] = 1;
    const double r[3] = {0.5, test_uniform(seed, -0.2, 0.2), test_uniform(seed, -0.2, 0.2)};
    A[1 + 18] = -r[2];
    A[2 + 18] = r[1];
    A[0 + 24] = r[2];
    A[2 + 24] = -r[0];
    A[0 + 30] = -r[1];
    A[1 + 30] = r[0];
    for (int i = 0; i < 6; i++) S[i] = i < 3 ? 0 : test_uniform(seed, -1, 1);
}

/* Ids: coordinate k is 2 k, link k is 2 k + 1. */
static saddle_attachments *chain_graph(saddle_context *context, int64_t links, uint64_t *seed)
{
    saddle_attachments *graph;
    double A[36], S[6];
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    for (int64_t k = 0; k < links; k++) {
        const saddle_component coordinate = {.id = 2 * k,
                                             .kind = SADDLE_COMPONENT_COORDINATES,
                                             .size = 1};
        const saddle_component link = {.id = 2 * k + 1, .kind = SADDLE_COMPONENT_FRAME};
        assert_int_equal(saddle_attachments_add(graph, &coordinate), SADDLE_OK);
        assert_int_equal(saddle_attachments_add(graph, &link), SADDLE_OK);
        draw_joint(seed, A, S);
        const saddle_attachment_block blocks[2] = {
            {.master = 2 * k, .rows = 6, .cols = 1, .value = S},
            {.master = 2 * k - 1, .rows = 6, .cols = 6, .value = A}};
        const saddle_attachment attachment = {.component = 2 * k + 1,
                                              .block_count = k > 0 ? 2 : 1,
                                              .blocks = blocks};
        assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    }
    return graph;
}

/* Links with mass, coordinates without; weights drawn. */
static saddle_problem chain_problem(int64_t links, uint64_t *seed)
{
    saddle_problem p = {.n = 7 * links, .owner = 1};
    assert_int_equal(saddle_matrix_create(NULL, p.n, p.n, 6 * links, SADDLE_SYMMETRY_LOWER, &p.M),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_create(NULL, p.n, 0, 0, SADDLE_SYMMETRY_NONE, &p.Jt), SADDLE_OK);
    p.f = saddle_allocate(NULL, p.n, sizeof *p.f);
    assert_non_null(p.f);
    int64_t e = 0;
    for (int64_t i = 0; i < p.n; i++) {
        p.M.start[i] = e;
        if (i % 7 == 0) continue;
        p.M.index[e] = i;
        p.M.value[e++] = i % 7 <= 3 ? 2 : 0.1;
        p.f[i] = test_uniform(seed, -1, 1);
    }
    p.M.start[p.n] = e;
    return p;
}

static saddle_elimination_report chain_report(int64_t links, saddle_wish wish, double *seconds)
{
    uint64_t seed = 7;
    saddle_attachments *graph = chain_graph(NULL, links, &seed);
    saddle_problem problem = chain_problem(links, &seed);
    struct timespec begun, ended;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begun);
    saddle_elimination *e = eliminate(graph, &problem, wish, NULL);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ended);
    *seconds = (double)(ended.tv_sec - begun.tv_sec) +
               1e-9 * (double)(ended.tv_nsec - begun.tv_nsec);
    saddle_elimination_report report = saddle_elimination_report_of(e);
    saddle_elimination_free(e);
    saddle_problem_clear(&problem);
    saddle_attachments_free(graph);
    return report;
}

/* Predicted work and stored entries of each link do not grow with the length of the chain. */
static void a_chain_of_10000_links_with_a_coordinate_each_is_linear(void **state)
{
    (void)state;
    static const saddle_wish wishes[] = {SADDLE_WISH_CHOOSE, SADDLE_WISH_KEEP};
    for (size_t i = 0; i < 2; i++) {
        double small_seconds, large_seconds;
        saddle_elimination_report small = chain_report(1000, wishes[i], &small_seconds);
        saddle_elimination_report large = chain_report(10000, wishes[i], &large_seconds);
        print_message("%s: 1000 links %.3f s, 10000 links %.3f s, work %.3g and %.3g, width %lld, "
                      "kept %lld of %lld\n",
                      i == 0 ? "chosen" : "kept", small_seconds, large_seconds, small.work,
                      large.work, (long long)large.width, (long long)large.kept,
                      (long long)(large.kept + large.eliminated));
        assert_true(large.width == small.width && large.width < 200);
        assert_true(large.reduced_n < 11 * small.reduced_n &&
                    large.reduced_m <= 11 * small.reduced_m + 10);
        if (i == 0) assert_true(large.work < 11 * small.work && isnan(large.work_eliminated));
    }
}

/* J'M J of a small tree is dense; the choice is free to take it. */
static void a_short_chain_may_be_eliminated_to_the_dense_matrix(void **state)
{
    (void)state;
    uint64_t seed = 9;
    saddle_attachments *graph = chain_graph(NULL, 5, &seed);
    saddle_problem problem = chain_problem(5, &seed);
    saddle_elimination *e = eliminate(graph, &problem, SADDLE_WISH_ELIMINATE, NULL);
    const saddle_problem *reduced = saddle_elimination_problem(e);
    assert_int_equal(reduced->n, 5);
    assert_int_equal(saddle_matrix_entries(&reduced->M), 15);
    saddle_elimination_free(e);
    e = eliminate(graph, &problem, SADDLE_WISH_CHOOSE, NULL);
    saddle_elimination_report report = saddle_elimination_report_of(e);
    assert_int_equal(report.eliminated, 5);
    assert_true(report.work == report.work_eliminated && report.work < report.work_kept);
    saddle_elimination_free(e);
    saddle_problem_clear(&problem);
    saddle_attachments_free(graph);
}

/* ---- values only, memory, misuse ---- */

static void new_values_give_the_bits_of_a_new_elimination(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 4;
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn_system d = draw_system(&seed, draw_kind(&seed));
        saddle_attachments *graph = graph_of(NULL, &d, 0);
        saddle_wish each[MOST_COMPONENTS];
        for (int64_t c = 0; c < d.count; c++) each[c] = (saddle_wish)test_integer(&seed, 1, 2);
        saddle_elimination *e = eliminate(graph, &d.problem, SADDLE_WISH_CHOOSE, each);
        redraw_values(&seed, &d);
        set_values(graph, &d);
        assert_int_equal(saddle_elimination_form(e, graph, &d.problem), SADDLE_OK);
        saddle_elimination *fresh = eliminate(graph, &d.problem, SADDLE_WISH_CHOOSE, each);
        const saddle_problem *a = saddle_elimination_problem(e),
                             *b = saddle_elimination_problem(fresh);
        assert_true(a->n == b->n && a->m == b->m);
        assert_int_equal(saddle_matrix_entries(&a->M), saddle_matrix_entries(&b->M));
        assert_int_equal(saddle_matrix_entries(&a->Jt), saddle_matrix_entries(&b->Jt));
        size_t masses = (size_t)saddle_matrix_entries(&a->M),
               entries = (size_t)saddle_matrix_entries(&a->Jt);
        if (masses) assert_memory_equal(a->M.value, b->M.value, masses * sizeof(double));
        if (entries) assert_memory_equal(a->Jt.value, b->Jt.value, entries * sizeof(double));
        if (a->n) assert_memory_equal(a->f, b->f, (size_t)a->n * sizeof(double));
        if (a->m) assert_memory_equal(a->b, b->b, (size_t)a->m * sizeof(double));
        saddle_elimination_free(fresh);
        saddle_elimination_free(e);
        saddle_attachments_free(graph);
        drawn_system_clear(&d);
    }
}

typedef struct memory_case {
    const drawn_system *d;
    saddle_wish wish;
} memory_case;

static saddle_status choose_in(saddle_context *context, void *user)
{
    const memory_case *c = user;
    saddle_elimination *e = NULL;
    saddle_attachments *graph = graph_of(NULL, c->d, 0);
    saddle_status status = saddle_elimination_create(context, graph, &c->d->problem, c->wish, NULL,
                                                     NULL, &e);
    if (status == SADDLE_OK) {
        int64_t before = saddle_context_memory(context).bytes;
        assert_int_equal(saddle_elimination_form(e, graph, &c->d->problem), SADDLE_OK);
        assert_int_equal(saddle_context_memory(context).bytes, before);
    } else {
        assert_null(e);
    }
    saddle_elimination_free(e);
    saddle_attachments_free(graph);
    return status;
}

static void memory_that_runs_out_leaks_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed() + 5;
    drawn_system d = draw_system(&seed, everything);
    memory_case kept = {&d, SADDLE_WISH_KEEP}, chosen = {&d, SADDLE_WISH_CHOOSE};
    assert_true(test_allocation_sweep(choose_in, &kept) > 30);
    assert_true(test_allocation_sweep(choose_in, &chosen) > 60);
    drawn_system_clear(&d);
}

static void misuse_is_named(void **state)
{
    (void)state;
    uint64_t seed = 11;
    saddle_context *context;
    saddle_elimination *e;
    saddle_problem whole;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_attachments *graph = chain_graph(context, 3, &seed);
    saddle_problem problem = chain_problem(4, &seed);
    assert_int_equal(saddle_elimination_create(context, graph, &problem, SADDLE_WISH_KEEP, NULL,
                                               NULL, &e),
                     SADDLE_INVALID_ARGUMENT);
    assert_null(e);
    assert_int_equal(saddle_attachments_keep(context, graph, &problem, &whole),
                     SADDLE_INVALID_ARGUMENT);
    assert_true(whole.n == 0 && !whole.M.start);
    saddle_problem_clear(&problem);
    problem = chain_problem(3, &seed);
    assert_int_equal(saddle_elimination_create(context, graph, &problem, SADDLE_WISH_KEEP, NULL,
                                               NULL, &e),
                     SADDLE_OK);
    saddle_solution small = {.n = 3};
    assert_int_equal(saddle_elimination_recover(e, &problem, &small, &small),
                     SADDLE_INVALID_ARGUMENT);
    assert_int_equal(saddle_attachments_detach(graph, 5), SADDLE_OK);
    assert_int_equal(saddle_elimination_form(e, graph, &problem), SADDLE_INVALID_ARGUMENT);
    assert_non_null(
        strstr(saddle_context_message(context), "components or attachments came or went"));
    saddle_elimination_free(e);
    double A[36] = {0};
    const saddle_attachment_block block = {.master = 5, .rows = 6, .cols = 6, .value = A};
    const saddle_attachment back = {.component = 1, .block_count = 1, .blocks = &block};
    assert_int_equal(saddle_attachments_detach(graph, 1), SADDLE_OK);
    assert_int_equal(saddle_attachments_attach(graph, &back), SADDLE_OK);
    const saddle_attachment_block third = {.master = 3, .rows = 6, .cols = 6, .value = A};
    const saddle_attachment on = {.component = 5, .block_count = 1, .blocks = &third};
    assert_int_equal(saddle_attachments_attach(graph, &on), SADDLE_OK);
    assert_int_equal(saddle_attachments_keep(context, graph, &problem, &whole),
                     SADDLE_INVALID_PROBLEM);
    assert_non_null(strstr(saddle_context_message(context), "attachment loop: "));
    saddle_problem_clear(&problem);
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

/* A program compiled when the struct of options ended before `threads`. */
static void options_of_an_earlier_version_have_one_thread(void **state)
{
    (void)state;
    uint64_t seed = 12;
    saddle_elimination *e;
    saddle_options earlier;
    memset(&earlier, 0, sizeof earlier);
    saddle_options_init(&earlier, offsetof(saddle_options, threads));
    earlier.threads = 0;
    saddle_attachments *graph = chain_graph(NULL, 3, &seed);
    saddle_problem problem = chain_problem(3, &seed);
    for (int wish = SADDLE_WISH_CHOOSE; wish <= SADDLE_WISH_KEEP; wish++) {
        assert_int_equal(saddle_elimination_create(NULL, graph, &problem, (saddle_wish)wish, NULL,
                                                   &earlier, &e),
                         SADDLE_OK);
        saddle_elimination_free(e);
    }
    saddle_problem_clear(&problem);
    saddle_attachments_free(graph);
}

/* A point on a body with a lever whose square is no double. */
static void what_overflows_when_eliminated_is_kept_or_named(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_attachments *graph;
    saddle_elimination *e;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    for (int64_t id = 1; id <= 2; id++)
        assert_int_equal(
            saddle_attachments_add(graph, &(saddle_component){.id = id,
                                                              .kind = SADDLE_COMPONENT_COORDINATES,
                                                              .size = 1}),
            SADDLE_OK);
    double A = 1e200;
    const saddle_attachment_block block = {.master = 1, .rows = 1, .cols = 1, .value = &A};
    const saddle_attachment on = {.component = 2, .block_count = 1, .blocks = &block};
    assert_int_equal(saddle_attachments_attach(graph, &on), SADDLE_OK);
    int64_t start[3] = {0, 1, 2}, index[2] = {0, 1}, empty[1] = {0};
    double mass[2] = {1, 1}, force[2] = {1, 1};
    saddle_problem problem = {.n = 2, .f = force};
    problem.M = saddle_matrix_view(2, 2, start, index, mass, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(2, 0, empty, NULL, NULL, SADDLE_SYMMETRY_NONE);
    static const char said[] =
        "elimination overflows: reduced M: entry (1, 1) is inf: velocity 1 (component 1";
    assert_int_equal(saddle_elimination_create(context, graph, &problem, SADDLE_WISH_ELIMINATE,
                                               NULL, NULL, &e),
                     SADDLE_INVALID_PROBLEM);
    if (!strstr(saddle_context_message(context), said))
        fail_msg("%s", saddle_context_message(context));
    assert_int_equal(saddle_elimination_create(context, graph, &problem, SADDLE_WISH_CHOOSE, NULL,
                                               NULL, &e),
                     SADDLE_OK);
    assert_true(saddle_elimination_report_of(e).kept == 1 &&
                isnan(saddle_elimination_report_of(e).work_eliminated));
    assert_true(saddle_elimination_problem(e)->n == 2 && saddle_elimination_problem(e)->m == 1);
    saddle_elimination_free(e);
    assert_int_equal(saddle_attachments_detach(graph, 2), SADDLE_OK);
    A = 1e140;
    assert_int_equal(saddle_attachments_attach(graph, &on), SADDLE_OK);
    assert_int_equal(saddle_elimination_create(context, graph, &problem, SADDLE_WISH_ELIMINATE,
                                               NULL, NULL, &e),
                     SADDLE_OK);
    force[1] = 1e200;
    assert_int_equal(saddle_elimination_form(e, graph, &problem), SADDLE_INVALID_PROBLEM);
    assert_non_null(
        strstr(saddle_context_message(context), "elimination overflows: reduced f[0] is inf"));
    double v[2] = {0}, lambda[1] = {0}, w[1] = {0};
    const saddle_solution reduced = {.n = 1, .v = v};
    saddle_solution whole = {.n = 2, .m = 1, .v = v, .lambda = lambda, .w = w};
    assert_int_equal(saddle_elimination_recover(e, &problem, &reduced, &whole), SADDLE_WRONG_PHASE);
    force[1] = 1;
    assert_int_equal(saddle_elimination_form(e, graph, &problem), SADDLE_OK);
    assert_int_equal(saddle_elimination_recover(e, &problem, &reduced, &whole), SADDLE_OK);
    saddle_elimination_free(e);
    saddle_attachments_free(graph);
    saddle_context_free(context);
}

/* ---- names ---- */

static void rows_kept_are_named_and_numbered_by_their_velocities(void **state)
{
    (void)state;
    uint64_t seed = 13;
    saddle_attachments *graph = chain_graph(NULL, 2, &seed);
    saddle_problem problem = chain_problem(2, &seed), whole;
    const saddle_component motor = {.id = 50,
                                    .name = "motor",
                                    .kind = SADDLE_COMPONENT_COORDINATES,
                                    .size = 1,
                                    .parametric = 1};
    assert_int_equal(saddle_attachments_keep(NULL, graph, &problem, &whole), SADDLE_OK);
    assert_int_equal(whole.m, 12);
    assert_string_equal(whole.row_name[0], "component 1[0] attached");
    assert_string_equal(whole.row_name[11], "component 3[5] attached");
    assert_true(whole.row_id[0] == -2 && whole.row_id[11] == -14); /* -1 - velocity */
    assert_true(whole.component_count == 4 && whole.component_size[1] == 6);
    saddle_problem_clear(&whole);
    saddle_attachments_free(graph);
    saddle_problem_clear(&problem);
    problem = (saddle_problem){.n = 1};
    int64_t start[2] = {0, 1}, index[1] = {0}, empty[1] = {0};
    double mass = 2;
    problem.M = saddle_matrix_view(1, 1, start, index, &mass, SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(1, 0, empty, NULL, NULL, SADDLE_SYMMETRY_NONE);
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    assert_int_equal(saddle_attachments_add(graph, &motor), SADDLE_OK);
    assert_int_equal(saddle_attachments_prescribe(graph, 50, &(double){3}), SADDLE_OK);
    assert_int_equal(saddle_attachments_keep(NULL, graph, &problem, &whole), SADDLE_OK);
    assert_string_equal(whole.row_name[0], "motor[0] prescribed");
    assert_true(whole.b[0] == 3 && saddle_matrix_entry(&whole.Jt, 0, 0) == 1);
    saddle_problem_clear(&whole);
    saddle_attachments_free(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_whole_problem_is_the_one_with_all_attachments_as_rows),
        cmocka_unit_test(any_mixture_of_kept_and_eliminated_gives_the_same_answer),
        cmocka_unit_test(what_is_chosen_gives_the_same_answer_with_the_least_work_found),
        cmocka_unit_test(wishes_are_obeyed),
        cmocka_unit_test(a_chain_of_10000_links_with_a_coordinate_each_is_linear),
        cmocka_unit_test(a_short_chain_may_be_eliminated_to_the_dense_matrix),
        cmocka_unit_test(new_values_give_the_bits_of_a_new_elimination),
        cmocka_unit_test(memory_that_runs_out_leaks_nothing),
        cmocka_unit_test(misuse_is_named),
        cmocka_unit_test(options_of_an_earlier_version_have_one_thread),
        cmocka_unit_test(what_overflows_when_eliminated_is_kept_or_named),
        cmocka_unit_test(rows_kept_are_named_and_numbered_by_their_velocities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
