/* SPDX-License-Identifier: MIT */
/* Starts by row ids (saddle/warm_start.h): against the documented rules, written anew with plain
 * searches, through a solver of the test that records its start, and through every solver of rows
 * with bounds. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "support.h"

#define INF ((double)INFINITY)

enum { MOST = 24 };

/* ---- drawn rows without matrices: what a start is made of ---- */

typedef struct drawn_rows {
    saddle_problem problem;
    saddle_solution solution;
    double lo[MOST], hi[MOST], lambda[MOST];
    int64_t id[MOST];
    saddle_contact contact[MOST];
} drawn_rows;

static const int64_t odd_ids[] = {
    0, -1, 1, INT64_MIN, INT64_MAX, -7, 40017, INT64_C(1) << 32, -(INT64_C(1) << 32), 64};

/* From a small set, so that two draws have many in common; distinct. */
static void draw_ids(uint64_t *state, int64_t count, int64_t *id)
{
    int64_t made = 0;
    while (made < count) {
        int64_t k = test_integer(state, 0, 39);
        int64_t drawn = k < 10 ? odd_ids[k] : 3 * k - 60;
        int64_t before = 0;
        while (before < made && id[before] != drawn) before++;
        if (before == made) id[made++] = drawn;
    }
}

static double draw_bound(uint64_t *state, double infinite)
{
    return test_integer(state, 0, 2) == 0 ? infinite : test_uniform(state, -1.0, 1.0);
}

static void draw(uint64_t *state, drawn_rows *d)
{
    memset(d, 0, sizeof *d);
    int64_t m = test_integer(state, 0, MOST);
    draw_ids(state, m, d->id);
    int64_t contacts = 0;
    int64_t free = 0; /* the first row that no contact owns yet */
    for (int64_t i = 0; i < m; i++) {
        double a = draw_bound(state, -INF);
        double b = draw_bound(state, INF);
        d->lo[i] = fmin(a, b);
        d->hi[i] = fmax(a, b);
        int64_t where = test_integer(state, 0, 3);
        d->lambda[i] = where == 0 && isfinite(d->lo[i]) ? d->lo[i]
                       : where == 1 && isfinite(d->hi[i])
                           ? d->hi[i]
                           : fmin(fmax(test_uniform(state, -1.0, 1.0), d->lo[i]), d->hi[i]);
        int64_t size = test_integer(state, 2, test_integer(state, 0, 1) ? 3 : 6);
        if (i < free || i + size > m || test_integer(state, 0, 3) > 0) continue;
        saddle_contact contact = {.row = i,
                                  .size = size,
                                  .mu = 0.25 * (double)test_integer(state, 0, 3)};
        if (size == 4 || size == 6) contact.mu_torsion = 0.25 * (double)test_integer(state, 0, 3);
        if (size >= 5) contact.mu_rolling = 0.25 * (double)test_integer(state, 0, 3);
        d->contact[contacts++] = contact;
        free = i + size;
    }
    d->problem = (saddle_problem){.m = m,
                                  .lo = d->lo,
                                  .hi = d->hi,
                                  .row_id = d->id,
                                  .contact_count = contacts,
                                  .contacts = d->contact};
    d->solution = (saddle_solution){.m = m, .lambda = d->lambda};
}

/* A contact of `then` comes back with neighbours of its own, as contacts of a run do. */
static void bring_back(uint64_t *state, const drawn_rows *then, drawn_rows *now)
{
    if (then->problem.contact_count == 0) return;
    const saddle_contact
        *old = &then->contact[test_integer(state, 0, then->problem.contact_count - 1)];
    for (int64_t c = 0; c < now->problem.contact_count; c++) {
        if (now->contact[c].size != old->size) continue;
        for (int64_t k = 0; k < old->size; k++) {
            int64_t id = then->id[old->row + k];
            for (int64_t i = 0; i < now->problem.m; i++) /* ids stay distinct */
                if (now->id[i] == id) now->id[i] = now->id[now->contact[c].row + k];
            now->id[now->contact[c].row + k] = id;
        }
        return;
    }
}

static const saddle_contact *contact_of(const drawn_rows *d, int64_t row)
{
    for (int64_t c = 0; c < d->problem.contact_count; c++)
        if (row >= d->contact[c].row && row < d->contact[c].row + d->contact[c].size)
            return &d->contact[c];
    return NULL;
}

static int64_t row_of(const drawn_rows *d, int64_t id)
{
    for (int64_t i = 0; i < d->problem.m; i++)
        if (d->id[i] == id) return i;
    return -1;
}

/* Of row k > 0 of a contact. */
static double coefficient(const saddle_contact *contact, int64_t k)
{
    if (k < 3) return contact->mu;
    return (contact->size == 4 || contact->size == 6) && k == 3 ? contact->mu_torsion
                                                                : contact->mu_rolling;
}

/* What warm_start.h promises for row i of `now`; *known: whether the row is. */
static double promised(const drawn_rows *then, const drawn_rows *now, int64_t i, int *known)
{
    const saddle_contact *contact = contact_of(now, i);
    int64_t k = row_of(then, now->id[contact ? contact->row : i]);
    const saddle_contact *old = k < 0 ? NULL : contact_of(then, k);
    *known = 0;
    if (k < 0 || (contact == NULL) != (old == NULL)) return 0.0;
    if (!contact) {
        *known = 1;
        if (then->lambda[k] <= then->lo[k] && isfinite(now->lo[i])) return now->lo[i];
        if (then->lambda[k] > then->lo[k] && then->lambda[k] >= then->hi[k] && isfinite(now->hi[i]))
            return now->hi[i];
        return fmin(fmax(then->lambda[k], now->lo[i]), now->hi[i]);
    }
    if (old->size != contact->size || old->row != k) return 0.0;
    for (int64_t j = 0; j < old->size; j++)
        if (then->id[old->row + j] != now->id[contact->row + j]) return 0.0;
    *known = 1;
    double lambda = then->lambda[old->row + i - contact->row];
    double before = coefficient(old, i - contact->row), mu = coefficient(contact, i - contact->row);
    if (i == contact->row || before == mu) return lambda;
    return before == 0.0 ? 0.0 : mu * (lambda / before);
}

static void a_start_is_what_is_promised(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t rows = 0;
    int64_t contact_rows = 0;
    for (int draws = 0; draws < 20000; draws++) {
        uint64_t seed = state;
        drawn_rows then;
        drawn_rows now;
        draw(&state, &then);
        draw(&state, &now);
        bring_back(&state, &then, &now);
        double lambda[MOST];
        int64_t known = -1;
        int64_t expected = 0;
        saddle_solution start = {.m = now.problem.m, .lambda = lambda};
        for (int64_t i = 0; i < MOST; i++) lambda[i] = (double)NAN;
        assert_int_equal(saddle_solution_follow_rows(NULL, &then.problem, &then.solution,
                                                     &now.problem, &start, &known),
                         SADDLE_OK);
        for (int64_t i = 0; i < now.problem.m; i++) {
            int is_known;
            double x = promised(&then, &now, i, &is_known);
            expected += is_known;
            contact_rows += is_known && contact_of(&now, i);
            if (lambda[i] != x)
                fail_msg("row %" PRId64 " begins at %.17g, not %.17g, drawn from %" PRIu64, i,
                         lambda[i], x, seed);
        }
        assert_int_equal(known, expected);
        rows += known;
    }
    assert_true(rows > 20000 && contact_rows > 2000); /* the draws do meet what is tested */
}

static void what_does_not_fit_is_refused(void **unused)
{
    (void)unused;
    double one[1] = {1.0};
    saddle_problem problem = {.m = 1};
    saddle_solution good = {.m = 1, .lambda = one};
    saddle_solution short_one = {.m = 0, .lambda = one};
    saddle_solution empty = {.m = 1};
    saddle_solution wide = {.n = 2, .m = 1, .lambda = one};
    const saddle_solution *wrong[] = {&short_one, &empty, NULL};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(saddle_solution_follow_rows(NULL, &problem, wrong[k], &problem, &good,
                                                     NULL),
                         SADDLE_INVALID_ARGUMENT);
        saddle_solution copy = wrong[k] ? *wrong[k] : empty;
        assert_int_equal(saddle_solution_follow_rows(NULL, &problem, &good, &problem,
                                                     wrong[k] ? &copy : NULL, NULL),
                         SADDLE_INVALID_ARGUMENT);
    }
    saddle_context *context;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_solution_follow_rows(context, &problem, &good, &problem, &wide, NULL),
                     SADDLE_INVALID_ARGUMENT);
    assert_string_equal(saddle_context_message(context),
                        "the new solution has 2 velocities, its problem 0");
    saddle_context_free(context);
    assert_int_equal(saddle_solution_follow_rows(NULL, NULL, &good, &problem, &good, NULL),
                     SADDLE_INVALID_ARGUMENT);
    int64_t known = -1;
    assert_int_equal(saddle_solution_follow_rows(NULL, &problem, &good, &problem, &good, &known),
                     SADDLE_OK);
    assert_int_equal(known, 0); /* without ids nothing is known */
    assert_true(one[0] == 0.0);
}

/* The quotient of the coefficients is no double; their impulses are. */
static void coefficients_far_apart_leave_numbers(void **unused)
{
    (void)unused;
    static const double mu[][2] = {{1e-310, 0.5}, {0.5, 1e-310}, {1e-310, 0}, {0, 0.5}};
    int64_t id[] = {1, 2, 3};
    for (int k = 0; k < 4; k++) {
        double old[] = {2, 2 * mu[k][0], 0}, start[3];
        saddle_contact then = {.row = 0, .size = 3, .mu = mu[k][0]}, now = then;
        now.mu = mu[k][1];
        saddle_problem before = {.m = 3, .contacts = &then, .contact_count = 1, .row_id = id};
        saddle_problem after = before;
        after.contacts = &now;
        saddle_solution solved = {.m = 3, .lambda = old}, made = {.m = 3, .lambda = start};
        int64_t known = 0;
        assert_int_equal(saddle_solution_follow_rows(NULL, &before, &solved, &after, &made, &known),
                         SADDLE_OK);
        assert_int_equal(known, 3);
        assert_true(start[0] == 2 && start[2] == 0);
        double slid = mu[k][0] > 0 ? 2 * mu[k][1] : 0;
        assert_true(fabs(start[1] - slid) <= 1e-12 * slid);
    }
}

/* ---- a solver that says what it was handed ---- */

static struct {
    double start[MOST], v[MOST], answer[MOST];
    saddle_status status;
} witness;

static saddle_status witness_phase(saddle_solver_call *call, void *memory,
                                   const saddle_problem *problem)
{
    (void)call;
    (void)memory;
    (void)problem;
    return SADDLE_OK;
}

static saddle_status witness_solve(saddle_solver_call *call, void *memory,
                                   const saddle_problem *problem, saddle_solution *solution)
{
    (void)call;
    (void)memory;
    for (int64_t j = 0; j < problem->n; j++) witness.v[j] = solution->v[j];
    for (int64_t i = 0; i < problem->m; i++) {
        witness.start[i] = solution->lambda[i];
        solution->lambda[i] = witness.answer[i];
    }
    return witness.status;
}

static void witness_clear(void *memory, saddle_context *context)
{
    (void)memory;
    (void)context;
}

static const saddle_solver_type witness_type = {
    .name = "witness",
    .summary = "remembers its start",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC,
    .state_size = 1,
    .analyse = witness_phase,
    .factor = witness_phase,
    .solve = witness_solve,
    .clear = witness_clear,
};

/* R = 1, unilateral rows; one solver over steps with other rows. */
typedef struct run {
    saddle_context *context;
    saddle_solver *solver;
    saddle_problem problem;
    saddle_solution solution;
    int64_t start[MOST + 1], index[MOST], id[MOST];
    double one[MOST], lo[MOST], hi[MOST], b[MOST], lambda[MOST], w[MOST];
} run;

static void set_rows(run *r, int64_t m, const int64_t *id)
{
    for (int64_t i = 0; i < m; i++) {
        r->start[i + 1] = i + 1;
        r->index[i] = i;
        r->one[i] = 1.0;
        r->hi[i] = INF;
        r->id[i] = id ? id[i] : 0;
        witness.answer[i] = 0.0;
    }
    r->problem = (saddle_problem){
        .m = m, .b = r->b, .lo = r->lo, .hi = r->hi, .row_id = id ? r->id : NULL};
    r->problem.R = saddle_matrix_view(m, m, r->start, r->index, r->one, SADDLE_SYMMETRY_LOWER);
    r->solution = (saddle_solution){.m = m, .lambda = r->lambda, .w = r->w};
}

static void open_run(run *r, const char *solver, int warm)
{
    memset(r, 0, sizeof *r);
    memset(&witness, 0, sizeof witness);
    saddle_options options = saddle_options_default();
    options.warm_start = warm;
    options.max_iterations = 100; /* no start of the witness is to blame: its answers are none */
    assert_int_equal(saddle_context_create(NULL, &r->context), SADDLE_OK);
    assert_int_equal(saddle_solver_register(r->context, &witness_type), SADDLE_OK);
    assert_int_equal(saddle_solver_create(r->context, solver, &options, &r->solver), SADDLE_OK);
}

static void close_run(run *r)
{
    saddle_solver_free(r->solver);
    saddle_context_free(r->context);
}

static saddle_status solve(run *r)
{
    return saddle_solver_solve(r->solver, &r->problem, NULL, &r->solution);
}

static void prepare(run *r)
{
    assert_int_equal(saddle_solver_analyse(r->solver, &r->problem), SADDLE_OK);
    assert_int_equal(saddle_solver_factor(r->solver, &r->problem), SADDLE_OK);
}

static const int64_t first_ids[] = {5, -3, 9};
static const int64_t later_ids[] = {9, 11, 5, 12};

static void first_step(run *r)
{
    set_rows(r, 3, first_ids);
    prepare(r);
    for (int64_t i = 0; i < 3; i++) r->b[i] = witness.answer[i] = 1.0 + (double)i;
    assert_int_equal(solve(r), SADDLE_OK);
    assert_int_equal(saddle_solver_report(r->solver)->warm_rows, 0);
    for (int64_t i = 0; i < 3; i++) assert_true(witness.start[i] == 0.0);
}

static void a_row_keeps_its_impulse_while_others_come_and_go(void **unused)
{
    (void)unused;
    run r;
    open_run(&r, "witness", 1);
    first_step(&r);
    set_rows(&r, 4, later_ids);
    prepare(&r);
    (void)solve(&r);
    const double expected[] = {3.0, 0.0, 1.0, 0.0};
    for (int64_t i = 0; i < 4; i++) assert_true(witness.start[i] == expected[i]);
    assert_int_equal(saddle_solver_report(r.solver)->warm_rows, 2);
    close_run(&r);
}

static void the_callers_start_and_the_switch_come_first(void **unused)
{
    (void)unused;
    for (int warm = 0; warm < 2; warm++) {
        run r;
        open_run(&r, "witness", warm);
        first_step(&r);
        double given[3] = {0.5, 0.25, 0.0};
        saddle_solution start = {.m = 3, .lambda = given};
        assert_int_equal(saddle_solver_solve(r.solver, &r.problem, &start, &r.solution), SADDLE_OK);
        for (int64_t i = 0; i < 3; i++) assert_true(witness.start[i] == given[i]);
        assert_int_equal(saddle_solver_report(r.solver)->warm_rows, 0);
        assert_int_equal(solve(&r), SADDLE_OK);
        for (int64_t i = 0; i < 3; i++)
            assert_true(witness.start[i] == (warm ? 1.0 + (double)i : 0.0));
        assert_int_equal(saddle_solver_report(r.solver)->warm_rows, warm ? 3 : 0);
        close_run(&r);
    }
}

static void without_ids_a_solve_is_cold(void **unused)
{
    (void)unused;
    run r;
    open_run(&r, "witness", 1);
    set_rows(&r, 3, NULL);
    prepare(&r);
    for (int k = 0; k < 2; k++) {
        for (int64_t i = 0; i < 3; i++) r.b[i] = witness.answer[i] = 1.0;
        assert_int_equal(solve(&r), SADDLE_OK);
        for (int64_t i = 0; i < 3; i++) assert_true(witness.start[i] == 0.0);
    }
    r.problem.row_id = r.id; /* after analyse: there is no room for them, and no harm */
    assert_int_equal(solve(&r), SADDLE_OK);
    assert_int_equal(solve(&r), SADDLE_OK);
    assert_int_equal(saddle_solver_report(r.solver)->warm_rows, 0);
    close_run(&r);
}

static void a_solve_that_fails_leaves_what_was_known(void **unused)
{
    (void)unused;
    static const saddle_status failures[] = {SADDLE_SINGULAR, SADDLE_DIVERGED,
                                             SADDLE_OUT_OF_MEMORY};
    for (int k = 0; k < 3; k++) {
        run r;
        open_run(&r, "witness", 1);
        first_step(&r);
        for (int64_t i = 0; i < 3; i++) witness.answer[i] = 7.0;
        witness.status = failures[k];
        assert_int_not_equal(solve(&r), SADDLE_OK);
        assert_int_not_equal(solve(&r), SADDLE_OK);
        for (int64_t i = 0; i < 3; i++) assert_true(witness.start[i] == 1.0 + (double)i);
        witness.status = SADDLE_ITERATION_LIMIT; /* as far as it went, that is kept */
        assert_int_equal(solve(&r), SADDLE_ITERATION_LIMIT);
        assert_int_equal(solve(&r), SADDLE_ITERATION_LIMIT);
        for (int64_t i = 0; i < 3; i++) assert_true(witness.start[i] == 7.0);
        close_run(&r);
    }
}

static void duplicates_are_refused_or_the_first_counts(void **unused)
{
    (void)unused;
    run r;
    open_run(&r, "witness", 1);
    first_step(&r);
    r.id[0] = r.id[2] = 77;
    assert_int_equal(solve(&r), SADDLE_OK);
    assert_int_equal(solve(&r), SADDLE_OK);
    assert_true(witness.start[0] == 1.0 && witness.start[1] == 2.0 && witness.start[2] == 1.0);
    assert_int_equal(saddle_solver_analyse(r.solver, &r.problem), SADDLE_INVALID_PROBLEM);
    assert_non_null(strstr(saddle_context_message(r.context), "row id 77 stands more than once"));
    close_run(&r);
}

/* ---- memory ---- */

/* Analyses m rows with ids of their own and solves twice: allocations in all.  The second solve
 * knows all rows; the first as many as `known`. */
static int64_t allocations_of(run *r, int64_t m, int64_t known)
{
    int64_t id[MOST] = {0};
    for (int64_t i = 0; i < m; i++) id[i] = 3 * i - 7;
    int64_t before = saddle_context_memory(r->context).allocations;
    set_rows(r, m, id);
    prepare(r);
    for (int64_t i = 0; i < m; i++) r->b[i] = witness.answer[i] = 1.0 + (double)i;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(solve(r), SADDLE_OK);
        assert_int_equal(saddle_solver_report(r->solver)->warm_rows, k ? m : known);
        for (int64_t i = 0; i < m; i++)
            assert_true(witness.start[i] == (k || i < known ? 1.0 + (double)i : 0.0));
    }
    return saddle_context_memory(r->context).allocations - before;
}

static void rows_within_the_room_there_is_take_no_memory(void **unused)
{
    (void)unused;
    run r;
    open_run(&r, "witness", 1);
    int64_t first = allocations_of(&r, 4, 0);
    int64_t few = allocations_of(&r, 2, 2);
    assert_true(few < first);        /* the rows' memory is there already */
    for (int64_t m = 2; m <= 6; m++) /* room for half as many more */
        assert_int_equal(allocations_of(&r, m, m > 2 ? m - 1 : 2), few);
    assert_true(allocations_of(&r, MOST, 6) > few); /* grows, and knows them still */
    close_run(&r);
}

static saddle_status two_steps(saddle_context *context, void *user)
{
    run *r = user;
    saddle_solver *solver = NULL;
    saddle_status status = saddle_solver_create(context, "schur", NULL, &solver);
    for (int step = 0; status == SADDLE_OK && step < 2; step++) {
        set_rows(r, step ? 4 : 3, step ? later_ids : first_ids);
        status = saddle_solver_analyse(solver, &r->problem);
        if (status == SADDLE_OK) status = saddle_solver_factor(solver, &r->problem);
        if (status == SADDLE_OK)
            status = saddle_solver_solve(solver, &r->problem, NULL, &r->solution);
    }
    saddle_solver_free(solver);
    return status;
}

static void every_failing_allocation_is_survived(void **unused)
{
    (void)unused;
    run r;
    memset(&r, 0, sizeof r);
    assert_true(test_allocation_sweep(two_steps, &r) >= 20);
}

/* ---- every solver that takes rows with bounds ---- */

static void who_starts_at_the_solution_has_nothing_to_pivot(void **unused)
{
    (void)unused;
    const saddle_solver_type *type;
    int pivoting = 0;
    for (int64_t k = 0; (type = saddle_solver_type_at(NULL, k)) != NULL; k++) {
        run r;
        open_run(&r, type->name, 1);
        set_rows(&r, 3, first_ids);
        for (int64_t i = 0; i < 3; i++) r.b[i] = 1.0 + (double)i;
        if (saddle_solver_type_supports(r.context, type, &r.problem) == SADDLE_OK) {
            prepare(&r);
            assert_int_equal(solve(&r), SADDLE_OK);
            int64_t cold = saddle_solver_report(r.solver)->pivots;
            pivoting += cold > 0;
            r.b[1] = 2.5;
            assert_int_equal(solve(&r), SADDLE_OK);
            assert_true(fabs(r.lambda[0] - 1.0) < 1e-9 && fabs(r.lambda[1] - 2.5) < 1e-9);
            assert_int_equal(saddle_solver_report(r.solver)->warm_rows, 3);
            assert_int_equal(saddle_solver_report(r.solver)->pivots, 0);
        }
        close_run(&r);
    }
    assert_true(pivoting >= 1); /* lemke; sweeps find the first basis of schur and pivot */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_start_is_what_is_promised),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(coefficients_far_apart_leave_numbers),
        cmocka_unit_test(a_row_keeps_its_impulse_while_others_come_and_go),
        cmocka_unit_test(the_callers_start_and_the_switch_come_first),
        cmocka_unit_test(without_ids_a_solve_is_cold),
        cmocka_unit_test(a_solve_that_fails_leaves_what_was_known),
        cmocka_unit_test(duplicates_are_refused_or_the_first_counts),
        cmocka_unit_test(rows_within_the_room_there_is_take_no_memory),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(who_starts_at_the_solution_has_nothing_to_pivot),
    };
    return cmocka_run_group_tests_name("warm start", tests, NULL, NULL);
}
