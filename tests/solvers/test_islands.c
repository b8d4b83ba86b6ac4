/* SPDX-License-Identifier: MIT */
/* Fields of separate stacks of boxes by auto: each stack is solved as if alone, bit by bit, in any
 * order and by any number of threads; stacks at rest are not solved; what is wrong with one stack
 * is said of the whole. */
#include "drawn_mixed.h"
#include "field.h"
#include "generators/generators.h"
#include "support.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

/* SMALL: as in partition.c. */
enum { KINDS = 5, PARTS = 6, SMALL = 12 };

static const saddle_law laws[] = {SADDLE_LAW_CONE, SADDLE_LAW_BOX, SADDLE_LAW_PYRAMID};

/* Stacks of 2 to 6 boxes, each pushed in another way. */
static void make_stacks(saddle_law law, saddle_problem stack[KINDS])
{
    for (int k = 0; k < KINDS; k++) {
        saddle_stack_parameters p = saddle_stack_default();
        p.boxes = 2 + k;
        p.pushed = 1 + k % 2;
        p.push = 0.2 + 0.1 * k;
        p.law = law;
        assert_int_equal(saddle_generate_stack(NULL, &p, &stack[k]), SADDLE_OK);
    }
}

static void clear_stacks(saddle_problem stack[KINDS])
{
    for (int k = 0; k < KINDS; k++) saddle_problem_clear(&stack[k]);
}

static void choose(const saddle_problem stack[KINDS], int64_t count, field *f)
{
    f->count = count;
    for (int64_t k = 0; k < count; k++) f->part[k] = &stack[k % KINDS];
}

static saddle_options options_of(int64_t threads)
{
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-8;
    options.threads = threads;
    return options;
}

/* A solver by the context for the field, analysed and factored. */
static saddle_solver *solver_for(saddle_context *context, const saddle_problem *problem,
                                 int64_t threads)
{
    saddle_solver *solver;
    saddle_options options = options_of(threads);
    assert_int_equal(saddle_solver_create(context, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, problem), SADDLE_OK);
    return solver;
}

static void claim_shares(const field *f, int64_t part, const saddle_solution *y,
                         const saddle_solution *alone)
{
    saddle_solution x = {0};
    assert_int_equal(saddle_solution_create(NULL, alone->n, alone->m, &x), SADDLE_OK);
    field_share(f, part, y, &x);
    assert_memory_equal(x.v, alone->v, (size_t)x.n * sizeof(double));
    assert_memory_equal(x.lambda, alone->lambda, (size_t)x.m * sizeof(double));
    saddle_solution_clear(&x);
}

/* ---- bits ---- */

static void claim_alone(saddle_law law, int64_t threads, uint64_t *state)
{
    saddle_problem stack[KINDS] = {0};
    static field f;
    saddle_options options = options_of(1);
    saddle_solution y = {0};
    make_stacks(law, stack);
    choose(stack, 2 * KINDS + 1, &f);
    field_build(NULL, state, &f);
    saddle_solver *solver = solver_for(NULL, &f.whole, threads);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
    const saddle_report *report = saddle_solver_report(solver);
    assert_non_null(strstr(report->note, "auto: 11 islands"));
    for (int64_t k = 0; k < f.count; k++) {
        saddle_solution x = {0};
        assert_int_equal(saddle_solve(NULL, f.part[k], "auto", &options, NULL, &x, NULL),
                         SADDLE_OK);
        claim_shares(&f, k, &y, &x);
        saddle_solution_clear(&x);
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&y);
    field_clear(&f);
    clear_stacks(stack);
}

static void a_stack_has_the_bits_of_the_stack_alone_in_any_order(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++) {
        claim_alone(laws[l], 1, NULL);
        claim_alone(laws[l], 1, &state);
    }
}

/* One stack is larger than the others together. */
static void the_bits_are_the_same_for_any_number_of_threads(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_problem stack[KINDS] = {0}, tower = {0};
    static field f;
    saddle_solution first = {0}, y = {0};
    saddle_stack_parameters p = saddle_stack_default();
    p.boxes = 40;
    p.push = 0.1;
    assert_int_equal(saddle_generate_stack(NULL, &p, &tower), SADDLE_OK);
    make_stacks(SADDLE_LAW_CONE, stack);
    choose(stack, KINDS, &f);
    f.part[f.count++] = &tower;
    field_build(NULL, &state, &f);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &first), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
    static const int64_t threads[] = {1, 2, 4};
    for (int t = 0; t < 3; t++) {
        saddle_context *context;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        saddle_solver *solver = solver_for(context, &f.whole, threads[t]);
        for (int again = 0; again < 2; again++) {
            saddle_solution *x = t == 0 && again == 0 ? &first : &y;
            for (int64_t j = 0; j < x->n; j++) x->v[j] = 0.0;
            for (int64_t i = 0; i < x->m; i++) x->lambda[i] = 0.0;
            assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &f.whole, x, x), SADDLE_OK);
            assert_memory_equal(x->v, first.v, (size_t)y.n * sizeof(double));
            assert_memory_equal(x->lambda, first.lambda, (size_t)y.m * sizeof(double));
            assert_memory_equal(x->w, first.w, (size_t)y.m * sizeof(double));
        }
        saddle_solver_free(solver);
        saddle_context_free(context);
    }
    saddle_solution_clear(&first);
    saddle_solution_clear(&y);
    field_clear(&f);
    saddle_problem_clear(&tower);
    clear_stacks(stack);
}

/* The associated law has one velocity. */
static void the_velocity_is_that_of_a_solver_for_the_whole(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_problem stack[KINDS] = {0};
    static field f;
    saddle_options options = options_of(1);
    saddle_solution x = {0}, y = {0};
    make_stacks(SADDLE_LAW_ASSOCIATED, stack);
    choose(stack, KINDS, &f);
    field_build(NULL, &state, &f);
    options.tolerance = 1e-11;
    assert_int_equal(saddle_solve(NULL, &f.whole, "auto", &options, NULL, &x, NULL), SADDLE_OK);
    assert_int_equal(saddle_solve(NULL, &f.whole, "admm", &options, NULL, &y, NULL), SADDLE_OK);
    assert_true(test_distance(x.v, y.v, x.n) <= 1e-8);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
    field_clear(&f);
    clear_stacks(stack);
}

/* ---- rest ---- */

/* From the answer, nothing is solved; where one stack's f has changed, this stack alone. */
static void stacks_at_rest_are_not_factored(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int threads = 1; threads <= 2; threads++) {
        saddle_problem stack[KINDS] = {0};
        static field f;
        saddle_solution y = {0}, z = {0};
        make_stacks(SADDLE_LAW_CONE, stack);
        choose(stack, KINDS, &f);
        field_build(NULL, &state, &f);
        saddle_solver *solver = solver_for(NULL, &f.whole, threads);
        const saddle_report *report = saddle_solver_report(solver);
        assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &z), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
        assert_true(report->factorizations >= KINDS && report->iterations > 0);
        assert_null(strstr(report->note, "at rest"));
        int64_t before = report->factorizations;

        assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &f.whole, &y, &z), SADDLE_OK);
        assert_int_equal(report->factorizations, before);
        assert_int_equal(report->iterations + report->pivots, 0);
        assert_non_null(strstr(report->note, "auto: 5 islands; 5 at rest"));
        assert_memory_equal(z.v, y.v, (size_t)y.n * sizeof(double));
        assert_memory_equal(z.lambda, y.lambda, (size_t)y.m * sizeof(double));

        stack[3].f[0] += 0.5 * fabs(stack[3].f[2]);
        field_refresh(&f);
        assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &f.whole, &y, &z), SADDLE_OK);
        assert_true(report->factorizations > before && report->iterations > 0);
        assert_non_null(strstr(report->note, "4 at rest"));
        for (int64_t k = 0; k < KINDS; k++) {
            saddle_solution x = {0};
            assert_int_equal(saddle_solution_create(NULL, f.part[k]->n, f.part[k]->m, &x),
                             SADDLE_OK);
            field_share(&f, k, &y, &x);
            if (k != 3) claim_shares(&f, k, &z, &x);
            saddle_solution_clear(&x);
        }
        saddle_solver_free(solver);
        saddle_solution_clear(&y);
        saddle_solution_clear(&z);
        field_clear(&f);
        clear_stacks(stack);
    }
}

/* Boxes that nothing pushes: from the impulses known by row ids, with v = 0. */
static void stacks_rest_by_row_ids(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_problem stack[KINDS] = {0};
    static field f;
    saddle_solution y = {0};
    for (int k = 0; k < KINDS; k++) {
        saddle_stack_parameters p = saddle_stack_default();
        p.boxes = 2 + k;
        p.pushed = 1;
        p.push = 0.0;
        p.law = SADDLE_LAW_BOX; /* exact: v = 0 */
        assert_int_equal(saddle_generate_stack(NULL, &p, &stack[k]), SADDLE_OK);
    }
    choose(stack, KINDS, &f);
    field_build(NULL, &state, &f);
    saddle_options options = options_of(1);
    options.tolerance = 1e-6;
    saddle_solver *solver;
    assert_int_equal(saddle_solver_create(NULL, "auto", &options, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &f.whole), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
    const saddle_report *report = saddle_solver_report(solver);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
    int64_t before = report->factorizations;
    assert_true(before >= KINDS);
    for (int again = 0; again < 2; again++) { /* a new pattern, then new values */
        if (again == 0) assert_int_equal(saddle_solver_analyse(solver, &f.whole), SADDLE_OK);
        assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
        assert_int_equal(report->warm_rows, f.whole.m);
        assert_non_null(strstr(report->note, "5 at rest"));
        assert_int_equal(report->factorizations, 0);
        assert_string_equal(report->solver, "auto");
    }
    saddle_solver_free(solver);
    saddle_solution_clear(&y);
    field_clear(&f);
    clear_stacks(stack);
}

/* Zeros are no start: a stack that nothing moves is solved all the same. */
static void zeros_do_not_rest(void **unused)
{
    (void)unused;
    saddle_problem stack[KINDS] = {0};
    static field f;
    saddle_solution y = {0};
    make_stacks(SADDLE_LAW_BOX, stack);
    for (int64_t j = 0; j < stack[2].n; j++) stack[2].f[j] = 0.0;
    for (int64_t i = 0; i < stack[2].m; i++) stack[2].b[i] = 0.0;
    choose(stack, KINDS, &f);
    field_build(NULL, NULL, &f);
    saddle_solver *solver = solver_for(NULL, &f.whole, 1);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
    assert_null(strstr(saddle_solver_report(solver)->note, "at rest"));
    saddle_solver_free(solver);
    saddle_solution_clear(&y);
    field_clear(&f);
    clear_stacks(stack);
}

/* ---- verdicts ---- */

/* Two rows of the third stack: the same equation, v_0 = 0 and v_0 = 1. */
static void contradict(saddle_problem *p)
{
    int64_t entries = saddle_matrix_entries(&p->Jt);
    saddle_problem q = {.n = p->n, .m = p->m + 2, .law = p->law, .owner = 1};
    assert_int_equal(saddle_matrix_copy(NULL, &p->M, &q.M), SADDLE_OK);
    assert_int_equal(saddle_matrix_create(NULL, q.n, q.m, entries + 2, SADDLE_SYMMETRY_NONE, &q.Jt),
                     SADDLE_OK);
    memcpy(q.Jt.start, p->Jt.start, (size_t)(p->m + 1) * sizeof(int64_t));
    memcpy(q.Jt.index, p->Jt.index, (size_t)entries * sizeof(int64_t));
    memcpy(q.Jt.value, p->Jt.value, (size_t)entries * sizeof(double));
    for (int64_t i = 0; i < 2; i++) {
        q.Jt.index[entries + i] = 0;
        q.Jt.value[entries + i] = 1.0;
        q.Jt.start[p->m + 1 + i] = entries + 1 + i;
    }
    q.f = saddle_allocate(NULL, q.n, sizeof *q.f);
    q.b = saddle_allocate(NULL, q.m, sizeof *q.b);
    q.contacts = saddle_allocate(NULL, p->contact_count, sizeof *q.contacts);
    assert_true(q.f && q.b && q.contacts);
    memcpy(q.f, p->f, (size_t)q.n * sizeof *q.f);
    if (p->b) memcpy(q.b, p->b, (size_t)p->m * sizeof *q.b);
    q.b[q.m - 1] = 1.0;
    q.contact_count = p->contact_count;
    memcpy(q.contacts, p->contacts, (size_t)q.contact_count * sizeof *q.contacts);
    saddle_problem_clear(p);
    *p = q;
}

static void a_contradiction_in_one_stack_is_proven_of_the_whole(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
        for (int threads = 1; threads <= 2; threads++) {
            saddle_problem stack[KINDS] = {0};
            static field f;
            saddle_solution y = {0};
            saddle_context *context;
            char name[2][64];
            make_stacks(laws[l], stack);
            contradict(&stack[2]);
            choose(stack, KINDS, &f);
            field_build(NULL, &state, &f);
            assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
            saddle_solver *solver = solver_for(context, &f.whole, threads);
            assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_INFEASIBLE);
            const saddle_certificate *proof = saddle_solver_certificate(solver);
            saddle_proof found;
            assert_non_null(proof);
            assert_int_equal(saddle_certificate_check(NULL, &f.whole, proof, &found), SADDLE_OK);
            assert_int_equal(found.kind, SADDLE_PROOF_ROWS);
            assert_int_equal(found.rows, 2);
            for (int i = 0; i < 2; i++) {
                int64_t row = f.row[2][stack[2].m - 2 + i];
                assert_true(proof->row[row] != 0.0);
                saddle_problem_describe_row(&f.whole, row, name[i], sizeof name[i]);
            }
            assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_INFEASIBLE);
            assert_non_null(strstr(saddle_context_message(context), name[0]));
            assert_non_null(strstr(saddle_context_message(context), name[1]));
            saddle_solver_free(solver);
            saddle_context_free(context);
            saddle_solution_clear(&y);
            field_clear(&f);
            clear_stacks(stack);
        }
}

/* The island with the first rows, although the other one is smaller and solved before. */
static void of_two_contradictions_the_first_is_proven_by_any_number_of_threads(void **unused)
{
    (void)unused;
    static const int64_t threads[] = {1, 2, 4};
    saddle_problem stack[KINDS] = {0};
    static field f;
    make_stacks(SADDLE_LAW_CONE, stack);
    contradict(&stack[3]);
    contradict(&stack[0]);
    f.count = KINDS;
    for (int k = 0; k < KINDS; k++) f.part[k] = &stack[(k + 3) % KINDS];
    field_build(NULL, NULL, &f);
    for (int t = 0; t < 3; t++) {
        saddle_solution y = {0};
        saddle_solver *solver = solver_for(NULL, &f.whole, threads[t]);
        assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_INFEASIBLE);
        const saddle_certificate *proof = saddle_solver_certificate(solver);
        assert_non_null(proof);
        for (int i = 1; i <= 2; i++) {
            assert_true(proof->row[f.row[0][f.part[0]->m - i]] != 0.0);
            assert_true(proof->row[f.row[2][f.part[2]->m - i]] == 0.0);
        }
        saddle_solver_free(solver);
        saddle_solution_clear(&y);
    }
    field_clear(&f);
    clear_stacks(stack);
}

/* Velocity 1: no mass, no row, pushed by f. */
static void leave_without_mass(saddle_problem *p)
{
    for (int64_t j = 0; j <= 1; j++)
        for (int64_t k = p->M.start[j]; k < p->M.start[j + 1]; k++)
            if (j == 1 || p->M.index[k] == 1) p->M.value[k] = 0.0;
    for (int64_t k = 0; k < saddle_matrix_entries(&p->Jt); k++)
        if (p->Jt.index[k] == 1) p->Jt.value[k] = 0.0;
    p->f[1] = 1.0;
}

static void an_error_in_one_stack_names_the_velocity_of_the_whole(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_problem stack[KINDS] = {0};
    static field f;
    saddle_solution y = {0};
    saddle_context *context;
    char name[64];
    make_stacks(SADDLE_LAW_BOX, stack);
    leave_without_mass(&stack[3]);
    choose(stack, KINDS, &f);
    field_build(NULL, &state, &f);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_solver *solver = solver_for(context, &f.whole, 1);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_SINGULAR);
    assert_int_equal(saddle_solver_report(solver)->proof.kind, SADDLE_PROOF_MOTION);
    saddle_problem_describe_velocity(&f.whole, f.velocity[3][1], name, sizeof name);
    assert_non_null(strstr(saddle_context_message(context), name));

    stack[3].M.value[stack[3].M.start[1]] = 2.0; /* a mass is all that was missing */
    field_refresh(&f);
    assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
    assert_true(fabs(y.v[f.velocity[3][1]] - 0.5) < 1e-12);
    assert_non_null(strstr(saddle_solver_report(solver)->note, "auto: 5 islands"));
    saddle_solver_free(solver);
    saddle_context_free(context);
    saddle_solution_clear(&y);
    field_clear(&f);
    clear_stacks(stack);
}

/* Islands are factored in solve, with the message of factor for a single problem. */
static void an_indefinite_stack_is_noted(void **unused)
{
    (void)unused;
    saddle_problem stack[KINDS] = {0};
    static field f;
    saddle_solution y = {0};
    make_stacks(SADDLE_LAW_BOX, stack);
    double *mass = &stack[4].M.value[stack[4].M.start[2]];
    *mass = -*mass;
    choose(stack, KINDS, &f);
    field_build(NULL, NULL, &f);
    saddle_solver *solver = solver_for(NULL, &f.whole, 1);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
    (void)saddle_solver_solve(solver, &f.whole, NULL, &y);
    assert_non_null(strstr(saddle_solver_report(solver)->note, "1 with M or R indefinite"));
    saddle_solver_free(solver);
    saddle_solution_clear(&y);
    field_clear(&f);
    clear_stacks(stack);
}

/* A drawn part with velocities and bounds; contacts wherever W is definite. */
static mixed *draw_part(uint64_t *state, int64_t rows)
{
    int definite = test_integer(state, 0, 2) > 0;
    mixed_kind kind = {.class = definite ? MIXED_DEFINITE : MIXED_SEMIDEFINITE,
                       .n = test_integer(state, 1, MIXED_MOST),
                       .m = test_integer(state, rows, MIXED_MOST),
                       .planted = test_integer(state, 0, 1) == 0,
                       .contacts = definite};
    mixed *part = mixed_draw(state, kind);
    part->problem.law = SADDLE_LAW_BOX;
    part->problem.facets = 0;
    return part;
}

/* The certificate has no share of an island that is solved alone. */
static void claim_proof(const field *f, const saddle_status *alone, const saddle_solver *solver)
{
    const saddle_certificate *proof = saddle_solver_certificate(solver);
    saddle_proof found;
    assert_non_null(proof);
    assert_int_equal(saddle_certificate_check(NULL, &f->whole, proof, &found), SADDLE_OK);
    assert_int_equal(found.kind, SADDLE_PROOF_ROWS);
    for (int64_t k = 0; k < f->count; k++)
        for (int64_t i = 0; alone[k] == SADDLE_OK && i < f->part[k]->m; i++)
            assert_true(f->part[k]->m <= SMALL || proof->row[f->row[k][i]] == 0.0);
}

typedef struct tally {
    int64_t solved, proven, bits;
} tally;

static void claim_verdict(const field *f, tally *all)
{
    saddle_options options = options_of(1);
    saddle_solution y = {0}, x[PARTS] = {{0}};
    saddle_status alone[PARTS];
    int solved = 1, proven = 0;
    saddle_solver *solver = solver_for(NULL, &f->whole, 1);
    assert_int_equal(saddle_solution_create(NULL, f->whole.n, f->whole.m, &y), SADDLE_OK);
    saddle_status status = saddle_solver_solve(solver, &f->whole, NULL, &y);
    for (int64_t k = 0; k < f->count; k++) {
        alone[k] = saddle_solve(NULL, f->part[k], "auto", &options, NULL, &x[k], NULL);
        solved = solved && alone[k] == SADDLE_OK;
        proven = proven || alone[k] == SADDLE_INFEASIBLE;
    }
    assert_true(!solved || status == SADDLE_OK);
    assert_true(!proven || status == SADDLE_INFEASIBLE);
    if (status == SADDLE_INFEASIBLE) claim_proof(f, alone, solver);
    for (int64_t k = 0; status == SADDLE_OK && k < f->count; k++) {
        if (f->part[k]->m <= SMALL || f->whole.contact_count == 0) continue;
        claim_shares(f, k, &y, &x[k]);
        all->bits++;
    }
    all->solved += status == SADDLE_OK;
    all->proven += status == SADDLE_INFEASIBLE;
    for (int64_t k = 0; k < f->count; k++) saddle_solution_clear(&x[k]);
    saddle_solver_free(solver);
    saddle_solution_clear(&y);
}

/* Solved where each part is, and infeasible, proven, where a part is. */
static void drawn_fields_have_the_verdicts_of_their_parts(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    tally all = {0, 0, 0};
    for (int64_t round = 0; round < test_draws(150); round++) {
        mixed *part[PARTS];
        static field f;
        f.count = PARTS;
        for (int k = 0; k < PARTS; k++) {
            part[k] = draw_part(&state, k % 2 ? 1 : SMALL + 1);
            f.part[k] = &part[k]->problem;
        }
        field_build(NULL, &state, &f);
        claim_verdict(&f, &all);
        field_clear(&f);
        for (int k = 0; k < PARTS; k++) mixed_clear(part[k]);
    }
    assert_true(test_is_slow() || (all.solved > 20 && all.proven > 20 && all.bits > 50));
}

/* ---- ends ---- */

typedef struct watch {
    pthread_t owner;
    int64_t calls, stop_at;
    int elsewhere; /* calls by other threads */
} watch;

static int on_progress(void *user, const saddle_progress *progress)
{
    watch *w = user;
    (void)progress;
    w->elsewhere += !pthread_equal(w->owner, pthread_self());
    return ++w->calls > w->stop_at;
}

static void a_stop_ends_all_threads(void **unused)
{
    (void)unused;
    saddle_problem stack[KINDS] = {0};
    static field f;
    make_stacks(SADDLE_LAW_CONE, stack);
    choose(stack, 8 * KINDS, &f);
    field_build(NULL, NULL, &f);
    for (int threads = 1; threads <= 4; threads *= 2) {
        watch w = {.owner = pthread_self(), .stop_at = 3};
        saddle_context_options options = saddle_context_options_default();
        saddle_context *context;
        saddle_solution y = {0};
        options.progress = on_progress;
        options.progress_user = &w;
        assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
        saddle_solver *solver = solver_for(context, &f.whole, threads);
        assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
        saddle_status status = saddle_solver_solve(solver, &f.whole, NULL, &y);
        if (threads == 1 || w.calls > w.stop_at) assert_int_equal(status, SADDLE_STOPPED);
        assert_int_equal(w.elsewhere, 0);
        w.stop_at = INT64_MAX;
        assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
        saddle_solver_free(solver);
        saddle_context_free(context);
        saddle_solution_clear(&y);
    }
    field_clear(&f);
    clear_stacks(stack);
}

static void a_time_limit_ends_the_islands_too(void **unused)
{
    (void)unused;
    saddle_problem stack[KINDS] = {0};
    static field f;
    saddle_options options = options_of(1);
    saddle_solution y = {0};
    saddle_report report;
    make_stacks(SADDLE_LAW_CONE, stack);
    choose(stack, KINDS, &f);
    field_build(NULL, NULL, &f);
    options.time_limit = 1e-9;
    assert_int_equal(saddle_solve(NULL, &f.whole, "auto", &options, NULL, &y, &report),
                     SADDLE_TIME_LIMIT);
    assert_non_null(strstr(report.note, "unsolved: 5, one with row 1"));
    saddle_solution_clear(&y);
    field_clear(&f);
    clear_stacks(stack);
}

/* The first of f's parts takes more steps than the others: a stop in the middle of it leaves those
 * solved. */
static void claim_order(const field *f, int64_t threads)
{
    watch w = {.owner = pthread_self(), .stop_at = INT64_MAX};
    saddle_context_options options = saddle_context_options_default();
    saddle_context *context;
    saddle_solution y = {0}, zero = {0};
    options.progress = on_progress;
    options.progress_user = &w;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    saddle_solver *solver = solver_for(context, &f->whole, threads);
    assert_int_equal(saddle_solution_create(NULL, f->whole.n, f->whole.m, &y), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, f->whole.n, f->whole.m, &zero), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &f->whole, &zero, &y), SADDLE_OK);
    w.calls = 0; /* without those within the islands' analyse and factor */
    assert_int_equal(saddle_solver_solve(solver, &f->whole, &zero, &y), SADDLE_OK);
    w.stop_at = w.calls * 3 / 4;
    w.calls = 0;
    assert_int_equal(saddle_solver_solve(solver, &f->whole, &zero, &y), SADDLE_STOPPED);
    assert_non_null(strstr(saddle_solver_report(solver)->note, "unsolved: 1, one with row 1"));
    saddle_solver_free(solver);
    saddle_context_free(context);
    saddle_solution_clear(&y);
    saddle_solution_clear(&zero);
}

static void small_islands_come_before_large_ones(void **unused)
{
    (void)unused;
    saddle_problem stack[KINDS] = {0}, tall = {0};
    static field f;
    saddle_stack_parameters p = saddle_stack_default();
    p.law = SADDLE_LAW_CONE;
    p.boxes = p.pushed = 40;
    p.push = 0.1;
    make_stacks(p.law, stack);
    assert_int_equal(saddle_generate_stack(NULL, &p, &tall), SADDLE_OK);
    f.count = 3;
    f.part[0] = &tall;
    f.part[1] = &stack[0];
    f.part[2] = &stack[1];
    field_build(NULL, NULL, &f);
    for (int threads = 1; threads <= 2; threads++) claim_order(&f, threads);
    field_clear(&f);
    saddle_problem_clear(&tall);
    clear_stacks(stack);
}

/* ---- memory ---- */

/* After a first step other values ask for no memory. */
static void steps_ask_for_no_memory(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int threads = 1; threads <= 2; threads++) {
        saddle_problem stack[KINDS] = {0};
        static field f;
        test_memory memory;
        saddle_solution y = {0};
        make_stacks(SADDLE_LAW_BOX, stack);
        choose(stack, KINDS, &f);
        field_build(NULL, &state, &f);
        saddle_context *context = test_memory_begin(&memory, -1);
        saddle_solver *solver = solver_for(context, &f.whole, threads);
        assert_int_equal(saddle_solution_create(context, f.whole.n, f.whole.m, &y), SADDLE_OK);
        int64_t asked = 0;
        for (int step = 0; step < 4; step++) {
            assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
            assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
            if (step > 0) assert_int_equal(memory.count, asked);
            asked = memory.count;
            for (int k = 0; k < KINDS; k++)
                for (int64_t j = 0; j < stack[k].n; j++)
                    stack[k].f[j] *= test_uniform(&state, 0.9, 1.1);
            field_refresh(&f);
        }
        saddle_solver_free(solver);
        saddle_solution_clear(&y);
        test_memory_end(&memory, context);
        field_clear(&f);
        clear_stacks(stack);
    }
}

/* Lemke's path takes 0.2 MB for each of 400 boxes: a limit of 64 MiB is kept to, and the solvers
 * beyond are made anew. */
static void solvers_of_many_islands_are_kept_up_to_a_limit(void **unused)
{
    (void)unused;
    saddle_problem box = {0};
    static field f;
    saddle_stack_parameters p = saddle_stack_default();
    saddle_solution y = {0}, z = {0};
    saddle_context *context;
    p.boxes = p.pushed = 1;
    p.push = 0.3;
    p.law = SADDLE_LAW_PYRAMID;
    assert_int_equal(saddle_generate_stack(NULL, &p, &box), SADDLE_OK);
    f.count = FIELD_PARTS;
    for (int64_t k = 0; k < f.count; k++) f.part[k] = &box;
    field_build(NULL, NULL, &f);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    saddle_solver *solver = solver_for(context, &f.whole, 1);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &y), SADDLE_OK);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &z), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &f.whole, NULL, &y), SADDLE_OK);
    assert_non_null(strstr(saddle_solver_report(solver)->note, "400 islands; 400 lemke"));
    saddle_solution_clear(&z);
    assert_int_equal(saddle_solution_create(NULL, f.whole.n, f.whole.m, &z), SADDLE_OK);
    for (int again = 0; again < 2; again++) {
        for (int64_t j = 0; j < z.n; j++) z.v[j] = 0.0;
        for (int64_t i = 0; i < z.m; i++) z.lambda[i] = 0.0;
        assert_int_equal(saddle_solver_factor(solver, &f.whole), SADDLE_OK);
        assert_int_equal(saddle_solver_solve(solver, &f.whole, &z, &z), SADDLE_OK);
        assert_memory_equal(z.v, y.v, (size_t)y.n * sizeof(double));
    }
    int64_t bytes = saddle_context_memory(context).peak_bytes;
    assert_true(bytes > (int64_t)60 << 20 && bytes < (int64_t)72 << 20);
    saddle_solver_free(solver);
    saddle_context_free(context);
    saddle_solution_clear(&y);
    saddle_solution_clear(&z);
    field_clear(&f);
    saddle_problem_clear(&box);
}

typedef struct sweep {
    const field *f;
    int64_t threads;
    int wrong;
} sweep;

/* OK: the status that it must be. */
static saddle_status solve_field(saddle_context *context, void *user)
{
    const sweep *s = user;
    saddle_options options = options_of(s->threads);
    saddle_solution y = {0};
    saddle_status status = saddle_solve(context, &s->f->whole, "auto", &options, NULL, &y, NULL);
    saddle_solution_clear(&y);
    if (!s->wrong) return status;
    assert_int_not_equal(status, SADDLE_OK);
    return status == SADDLE_SINGULAR ? SADDLE_OK : status;
}

/* wrong: a stack is singular, and the problem is solved as one */
static void failing_allocations_leak_nothing(void **unused)
{
    (void)unused;
    for (int wrong = 0; wrong < 2; wrong++)
        for (int threads = 1; threads <= 2 - wrong; threads++) {
            saddle_problem stack[KINDS] = {0};
            static field f;
            make_stacks(SADDLE_LAW_BOX, stack);
            if (wrong) leave_without_mass(&stack[1]);
            choose(stack, 2, &f);
            field_build(NULL, NULL, &f);
            sweep s = {&f, threads, wrong};
            assert_true(test_allocation_sweep(solve_field, &s) > 20);
            field_clear(&f);
            clear_stacks(stack);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_has_the_bits_of_the_stack_alone_in_any_order),
        cmocka_unit_test(the_bits_are_the_same_for_any_number_of_threads),
        cmocka_unit_test(the_velocity_is_that_of_a_solver_for_the_whole),
        cmocka_unit_test(stacks_at_rest_are_not_factored),
        cmocka_unit_test(stacks_rest_by_row_ids),
        cmocka_unit_test(zeros_do_not_rest),
        cmocka_unit_test(a_contradiction_in_one_stack_is_proven_of_the_whole),
        cmocka_unit_test(of_two_contradictions_the_first_is_proven_by_any_number_of_threads),
        cmocka_unit_test(an_error_in_one_stack_names_the_velocity_of_the_whole),
        cmocka_unit_test(an_indefinite_stack_is_noted),
        cmocka_unit_test(drawn_fields_have_the_verdicts_of_their_parts),
        cmocka_unit_test(a_stop_ends_all_threads),
        cmocka_unit_test(a_time_limit_ends_the_islands_too),
        cmocka_unit_test(small_islands_come_before_large_ones),
        cmocka_unit_test(steps_ask_for_no_memory),
        cmocka_unit_test(solvers_of_many_islands_are_kept_up_to_a_limit),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
