/* SPDX-License-Identifier: MIT */
/* A matrix without entries, in every form: with all columns, without a start array, or 0 x 0 with
 * or without a start array where the problem allows it.  Numbers behind the start array of a 0 x 0
 * matrix must not be read. */
#include <math.h>
#include <string.h>

#include "support.h"

enum { MOST = 4, COLUMNS_OF_ALL = 8 };

typedef enum form { WHOLE, WITHOUT_START, NONE, NONE_WITH_START, FORMS } form;

static int64_t zeros[COLUMNS_OF_ALL];
static int64_t alone[COLUMNS_OF_ALL]; /* one zero, then what is out of bounds */

static saddle_matrix empty(form as, int64_t rows, int64_t cols, saddle_symmetry symmetry)
{
    saddle_matrix A = {.rows = rows, .cols = cols, .symmetry = symmetry};
    for (int k = 1; k < COLUMNS_OF_ALL; k++) alone[k] = INT64_C(1) << 40;
    if (as == NONE || as == NONE_WITH_START) A.rows = A.cols = 0;
    if (as == WHOLE) A.start = zeros;
    if (as == NONE_WITH_START) A.start = alone;
    return A;
}

/* ---- problems ---- */

typedef struct given {
    const char *name;
    int64_t n, m;
    int has_M, has_J, has_R; /* 1: with entries */
    double b[MOST];
    double f[MOST];
    double lo, hi;        /* of all rows */
    int64_t contact_size; /* 0 = none */
} given;

#define FREE -(double)INFINITY, (double)INFINITY

static const given problems[] = {
    {"rows that agree", 3, 2, 1, 1, 0, {1, 1}, {1, 2, 3}, FREE, 0},
    {"rows that contradict each other", 3, 2, 1, 1, 0, {1, 2}, {0}, FREE, 0},
    {"rows that push and contradict each other",
     3,
     2,
     1,
     1,
     0,
     {1, 2},
     {0},
     0,
     (double)INFINITY,
     0},
    {"rows without a velocity", 3, 2, 1, 0, 0, {0}, {1}, FREE, 0},
    {"rows without a velocity, contradictory", 3, 2, 1, 0, 0, {1, 1}, {1}, FREE, 0},
    {"bounded rows without a velocity", 3, 2, 1, 0, 0, {1, 1}, {1}, 0, 1, 0},
    {"no rows", 3, 0, 1, 0, 0, {0}, {1, 2, 3}, FREE, 0},
    {"no mass", 3, 0, 0, 0, 0, {0}, {0}, FREE, 0},
    {"no mass, pushed", 3, 0, 0, 0, 0, {0}, {1}, FREE, 0},
    {"no mass, held", 1, 1, 0, 1, 0, {1}, {1}, FREE, 0},
    {"no mass, held from one side", 1, 1, 0, 1, 0, {1}, {1}, 0, (double)INFINITY, 0},
    {"no mass, soft row", 1, 1, 0, 1, 1, {1}, {1}, FREE, 0},
    {"no mass, two rows on one velocity", 3, 2, 0, 1, 0, {1, 2}, {0}, FREE, 0},
    {"no velocities", 0, 2, 0, 0, 1, {-1, -2}, {0}, FREE, 0},
    {"no velocities, one-sided", 0, 2, 0, 0, 1, {1, 2}, {0}, 0, (double)INFINITY, 0},
    {"no velocities, nothing", 0, 2, 0, 0, 0, {1, 2}, {0}, 0, (double)INFINITY, 0},
    {"no velocities, a contact", 0, 3, 0, 0, 1, {1, 2, 1}, {0}, FREE, 3},
    {"a contact", 3, 2, 1, 1, 0, {1, 0}, {-1, -2, 0}, FREE, 2},
    {"a contact without a velocity", 3, 2, 1, 0, 0, {1, 1}, {1}, FREE, 2},
};

enum { PROBLEMS = sizeof problems / sizeof problems[0] };

typedef struct made {
    saddle_problem problem;
    saddle_contact contact;
    double lo[MOST], hi[MOST];
    double f[MOST], b[MOST];
} made;

/* Identity matrices, and rows that all act on velocity 1. */
static void make(const given *g, form M, form Jt, form R, saddle_law law, made *out)
{
    static int64_t count[] = {0, 1, 2, 3, 4}, zero_index[] = {0, 0, 0, 0};
    static double ones[] = {1, 1, 1, 1};
    int64_t n = g->n, m = g->m;
    *out = (made){.contact = {.row = 0, .size = g->contact_size, .mu = 0.5}};
    memcpy(out->f, g->f, sizeof out->f);
    memcpy(out->b, g->b, sizeof out->b);
    for (int k = 0; k < MOST; k++) {
        out->lo[k] = g->lo;
        out->hi[k] = g->hi;
    }
    out->problem = (saddle_problem){
        .n = n, .m = m, .f = out->f, .b = out->b, .lo = out->lo, .hi = out->hi, .law = law};
    out->problem.contact_count = g->contact_size > 0;
    out->problem.contacts = &out->contact;
    out->problem.M = g->has_M ? saddle_matrix_view(n, n, count, count, ones, SADDLE_SYMMETRY_LOWER)
                              : empty(M, n, n, SADDLE_SYMMETRY_LOWER);
    out->problem.Jt = g->has_J
                          ? saddle_matrix_view(n, m, count, zero_index, ones, SADDLE_SYMMETRY_NONE)
                          : empty(Jt, n, m, SADDLE_SYMMETRY_NONE);
    out->problem.R = g->has_R ? saddle_matrix_view(m, m, count, count, ones, SADDLE_SYMMETRY_LOWER)
                              : empty(R, m, m, SADDLE_SYMMETRY_LOWER);
}

/* 0 where the form is not one of this matrix: it has entries, or 0 x 0 is not allowed in its
 * place. */
static int is_allowed(const given *g, form M, form Jt, form R)
{
    if (g->has_M && M != WHOLE) return 0;
    if (g->has_J && Jt != WHOLE) return 0;
    if (g->has_R && R != WHOLE) return 0;
    if (M >= NONE && g->n > 0) return 0;
    return Jt < NONE || g->n == 0 || g->m == 0;
}

/* ---- claims ---- */

typedef struct outcome {
    saddle_status status;
    double v[MOST], lambda[MOST], w[MOST];
} outcome;

typedef void examine(const saddle_problem *problem, const char *with, outcome *out);

static void solve(const saddle_problem *problem, const char *with, outcome *out)
{
    saddle_solution solution = {
        .n = problem->n, .m = problem->m, .v = out->v, .lambda = out->lambda, .w = out->w};
    out->status = saddle_solve(NULL, problem, with, NULL, NULL, &solution, NULL);
}

static void solve_copy(const saddle_problem *problem, const char *with, outcome *out)
{
    saddle_problem copy;
    assert_int_equal(saddle_problem_copy(NULL, problem, &copy), SADDLE_OK);
    solve(&copy, with, out);
    saddle_problem_clear(&copy);
}

static void find_rank(const saddle_problem *problem, const char *with, outcome *out)
{
    (void)with;
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = 1;
    saddle_rank rank;
    out->status = saddle_rank_find(NULL, problem, &options, &rank);
    out->v[0] = (double)rank.rank;
    out->v[1] = (double)rank.dependency_count;
    out->v[2] = (double)rank.inconsistent;
    if (out->status == SADDLE_OK && rank.dependency)
        (void)saddle_rank_least_multipliers(NULL, problem, &rank, SADDLE_MULTIPLIER_NORM_NATURAL,
                                            out->lambda);
    saddle_rank_clear(&rank);
}

static void form_delassus(const saddle_problem *problem, const char *with, outcome *out)
{
    (void)with;
    saddle_delassus *delassus;
    out->status = saddle_delassus_create(NULL, problem, NULL, &delassus);
    if (out->status == SADDLE_OK) out->status = saddle_delassus_form(delassus, problem);
    double block[3 * MOST] = {0};
    if (out->status == SADDLE_OK) (void)saddle_delassus_blocks(delassus, problem, block);
    if (out->status == SADDLE_OK) (void)saddle_delassus_reduce(delassus, problem, out->w);
    memcpy(out->lambda, block, sizeof out->lambda);
    saddle_delassus_free(delassus);
}

static void measure(const saddle_problem *problem, const char *with, outcome *out)
{
    (void)with;
    double ones[] = {1, 1, 1, 1}, work[64];
    saddle_residual residual;
    assert_true(saddle_residual_work_size(problem) <= 64);
    saddle_residual_compute(problem, ones, ones, out->w, work, &residual);
    out->v[0] = residual.total;
    out->v[1] = residual.rows;
    saddle_certificate certificate = {.n = problem->n,
                                      .m = problem->m,
                                      .velocity = ones,
                                      .row = ones};
    saddle_proof proof;
    out->status = saddle_certificate_check(NULL, problem, &certificate, &proof);
    out->v[2] = (double)proof.kind;
}

/* Components of one coordinate each; the last, if there are two or more, follows the first. */
static saddle_attachments *make_graph(int64_t n)
{
    saddle_attachments *graph;
    const double one = 1;
    saddle_attachment_block block = {.master = 0, .rows = 1, .cols = 1, .value = &one};
    saddle_attachment attachment = {.component = n - 1, .block_count = 1, .blocks = &block};
    assert_int_equal(saddle_attachments_create(NULL, &graph), SADDLE_OK);
    for (int64_t k = 0; k < n; k++) {
        saddle_component component = {.id = k, .kind = SADDLE_COMPONENT_COORDINATES, .size = 1};
        assert_int_equal(saddle_attachments_add(graph, &component), SADDLE_OK);
    }
    if (n > 1) assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
    return graph;
}

static void eliminate(const saddle_problem *problem, const char *with, outcome *out)
{
    saddle_attachments *graph = make_graph(problem->n);
    saddle_wish wish = with[0] == 'k'   ? SADDLE_WISH_KEEP
                       : with[0] == 'e' ? SADDLE_WISH_ELIMINATE
                                        : (saddle_wish)0;
    saddle_elimination *elimination;
    out->status = saddle_elimination_create(NULL, graph, problem, wish, NULL, NULL, &elimination);
    if (out->status == SADDLE_OK)
        out->status = saddle_elimination_form(elimination, graph, problem);
    if (out->status == SADDLE_OK) {
        saddle_solution left = {0};
        out->status = saddle_solve(NULL, saddle_elimination_problem(elimination), "auto", NULL,
                                   NULL, &left, NULL);
        for (int64_t k = 0; k < left.n && k < MOST; k++) out->v[k] = left.v[k];
        saddle_solution_clear(&left);
    }
    saddle_elimination_free(elimination);
    saddle_attachments_free(graph);
}

static int are_same(const outcome *a, const outcome *b)
{
    int same = a->status == b->status;
    for (int k = 0; k < MOST; k++)
        same &= a->v[k] == b->v[k] && a->lambda[k] == b->lambda[k] && a->w[k] == b->w[k];
    return same;
}

static void compare(const given *g, saddle_law law, const char *with, examine *function)
{
    made whole, other;
    make(g, WHOLE, WHOLE, WHOLE, law, &whole);
    outcome expected = {0};
    assert_int_equal(saddle_problem_check(NULL, &whole.problem, NULL, NULL), SADDLE_OK);
    function(&whole.problem, with, &expected);
    for (int k = 0; k < FORMS * FORMS * FORMS; k++) {
        form M = (form)(k % FORMS), Jt = (form)(k / FORMS % FORMS), R = (form)(k / FORMS / FORMS);
        if (!is_allowed(g, M, Jt, R)) continue;
        make(g, M, Jt, R, law, &other);
        assert_int_equal(saddle_problem_check(NULL, &other.problem, NULL, NULL), SADDLE_OK);
        outcome found = {0};
        function(&other.problem, with, &found);
        int same = are_same(&found, &expected);
        if (!same)
            print_error("%s, law %d, %s: M %d, J' %d, R %d: %s, not %s\n", g->name, (int)law, with,
                        (int)M, (int)Jt, (int)R, saddle_status_name(found.status),
                        saddle_status_name(expected.status));
        assert_true(same);
    }
}

static void compare_all(const char *with, examine *function)
{
    for (int k = 0; k < PROBLEMS; k++)
        for (int law = SADDLE_LAW_CONE;
             law <= (problems[k].contact_size ? SADDLE_LAW_ASSOCIATED : 0); law++)
            compare(&problems[k], (saddle_law)law, with, function);
}

static void every_solver_answers_the_same_however_an_empty_matrix_is_given(void **state)
{
    (void)state;
    const saddle_solver_type *type;
    for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++)
        compare_all(type->name, solve);
}

static void a_copy_is_solved_as_what_it_was_made_of(void **state)
{
    (void)state;
    compare_all("auto", solve_copy);
}

static void rank_and_delassus_do_not_depend_on_how_an_empty_matrix_is_given(void **state)
{
    (void)state;
    compare_all("rank", find_rank);
    compare_all("delassus", form_delassus);
}

static void residuals_and_certificates_do_not_depend_on_how_an_empty_matrix_is_given(void **state)
{
    (void)state;
    compare_all("residual", measure);
}

static void attachments_do_not_depend_on_how_an_empty_matrix_is_given(void **state)
{
    (void)state;
    compare_all("keep", eliminate);
    compare_all("eliminate", eliminate);
    compare_all("choose", eliminate);
}

/* M is singular, one contact under the box law and bounded rows; pivot shifts the diagonal of R. */
static void a_compliance_of_no_size_is_shifted_as_none_is(void **state)
{
    (void)state;
    int64_t M_start[] = {0, 0, 1}, M_index[] = {0};
    int64_t J_start[] = {0, 1, 3, 4, 6, 7, 8}, J_index[] = {0, 0, 1, 0, 0, 1, 0, 1};
    double M[] = {2}, J[] = {0.397, -0.13, 0.584, 0.737, -0.11, -0.399, 0.607, 2};
    double f[] = {-2, -0.302}, b[] = {0, 0.1, -0.651, 0.298, -0.354, -0.625};
    double lo[] = {-INFINITY, -INFINITY, -0.224, 0, 0, -0.568};
    double hi[] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    saddle_contact contacts[] = {{.row = 0, .size = 2}, {.row = 4, .size = 2, .mu = 0.98}};
    saddle_problem p = {.n = 2, .m = 6, .f = f, .b = b, .lo = lo, .hi = hi};
    p.contacts = contacts;
    p.contact_count = 2;
    p.law = SADDLE_LAW_BOX;
    p.M = saddle_matrix_view(2, 2, M_start, M_index, M, SADDLE_SYMMETRY_NONE);
    p.Jt = saddle_matrix_view(2, 6, J_start, J_index, J, SADDLE_SYMMETRY_NONE);
    saddle_problem with_start = p;
    with_start.R = empty(NONE_WITH_START, 6, 6, SADDLE_SYMMETRY_LOWER);
    const saddle_solver_type *type;
    for (int64_t s = 0; (type = saddle_solver_type_at(NULL, s)) != NULL; s++) {
        saddle_solution x = {0}, y = {0};
        saddle_status status = saddle_solve(NULL, &p, type->name, NULL, NULL, &x, NULL);
        assert_int_equal(saddle_solve(NULL, &with_start, type->name, NULL, NULL, &y, NULL), status);
        for (int64_t j = 0; j < 2 && x.v; j++) assert_true(x.v[j] == y.v[j]);
        saddle_solution_clear(&x);
        saddle_solution_clear(&y);
    }
}

static void a_copy_of_a_matrix_of_no_size_has_no_arrays_either(void **state)
{
    (void)state;
    saddle_matrix none = {0}, copy;
    assert_int_equal(saddle_matrix_copy(NULL, &none, &copy), SADDLE_OK);
    assert_null(copy.start);
    saddle_matrix_clear(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_solver_answers_the_same_however_an_empty_matrix_is_given),
        cmocka_unit_test(a_copy_is_solved_as_what_it_was_made_of),
        cmocka_unit_test(rank_and_delassus_do_not_depend_on_how_an_empty_matrix_is_given),
        cmocka_unit_test(residuals_and_certificates_do_not_depend_on_how_an_empty_matrix_is_given),
        cmocka_unit_test(a_compliance_of_no_size_is_shifted_as_none_is),
        cmocka_unit_test(a_copy_of_a_matrix_of_no_size_has_no_arrays_either),
        cmocka_unit_test(attachments_do_not_depend_on_how_an_empty_matrix_is_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
