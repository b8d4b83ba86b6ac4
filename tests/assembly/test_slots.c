/* SPDX-License-Identifier: MIT */
/* Slots of contacts over steps, and what unsound contacts get. */
#include <math.h>
#include <string.h>

#include "drawn_contact.h"

static const saddle_stage plain_stage = {.time_step = 0.1,
                                         .gyroscopic = 0.1,
                                         .row_step = 0.1,
                                         .theta = 1};

/* ---- slots ---- */

static void contacts_that_come_and_go_allocate_nothing_within_capacity(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle_context *context;
    drawn_model drawn;
    saddle_assembly *assembly;
    saddle_contact_list all = {0}, some = {0};
    enum { ALL = 40 };
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    draw_model(context, &state, (drawn_wishes){0}, &drawn);
    assert_int_equal(saddle_assembly_create(drawn.model, NULL, &assembly), SADDLE_OK);
    for (int k = 0; k < ALL; k++) {
        saddle_contact_point *contact;
        assert_int_equal(saddle_contact_list_add(&all, &contact), SADDLE_OK);
        draw_contact(&state, &drawn, 1000 + k, contact);
    }
    int grown;
    assert_int_equal(saddle_assembly_update(assembly, &plain_stage, &all, &grown), SADDLE_OK);
    assert_true(grown);
    const saddle_problem *p = saddle_assembly_problem(assembly);
    const int64_t m = p->m, entries = saddle_matrix_entries(&p->Jt);
    const int64_t allocations = saddle_context_memory(context).allocations;
    int64_t row_then[ALL];
    for (int k = 0; k < ALL; k++) row_then[k] = -1;
    for (int step = 0; step < 200; step++) {
        int here[ALL];
        saddle_contact_list_reset(&some);
        for (int k = 0; k < ALL; k++) {
            const int64_t at = (k + 7 * step) % ALL; /* in another order each time */
            saddle_contact_point *contact;
            here[at] = test_integer(&state, 0, 2) > 0;
            if (!here[at]) continue;
            assert_int_equal(saddle_contact_list_add(&some, &contact), SADDLE_OK);
            *contact = all.point[at];
        }
        assert_int_equal(saddle_assembly_update(assembly, &plain_stage, &some, &grown), SADDLE_OK);
        assert_false(grown);
        assert_true(p->m == m && saddle_matrix_entries(&p->Jt) == entries);
        assert_int_equal(saddle_problem_check(NULL, p, NULL, NULL), SADDLE_OK);
        for (int k = 0; k < ALL; k++) {
            const int64_t row = saddle_assembly_contact_row(assembly, 1000 + k);
            assert_int_equal(row >= 0, here[k]);
            if (row >= 0 && row_then[k] >= 0)
                assert_int_equal(row, row_then[k]); /* who stays keeps its rows */
            for (int i = 0; row >= 0 && i < 3; i++)
                assert_true(p->row_id[row + i] == -1 - (4 * (1000 + k) + i));
            row_then[k] = row;
        }
    }
    assert_int_equal(saddle_context_memory(context).allocations, allocations);
    saddle_contact_list_clear(&all);
    saddle_contact_list_clear(&some);
    saddle_assembly_free(assembly);
    drawn_clear(&drawn);
    saddle_context_free(context);
}

static void empty_slots_carry_nothing(void **unused)
{
    (void)unused;
    touching t;
    saddle_contact_side ground = {.count = 0}, grain = {.count = 0};
    const double down[3] = {0, 0, -10};
    int grown;
    touching_begin(NULL, &t);
    grain.part = t.part;
    saddle_model_set_gravity(t.model, down);
    assert_int_equal(saddle_assembly_reserve(t.assembly, &ground, &grain, 3), SADDLE_OK);
    (void)touching_add(&t, 5);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, &grown), SADDLE_OK);
    assert_true(grown);
    const saddle_problem *p = saddle_assembly_problem(t.assembly);
    assert_int_equal(p->m, 9);
    static const char *const solvers[] = {"gauss-seidel", "auto"};
    for (int k = 0; k < 2; k++) {
        saddle_solution solution = {0};
        assert_int_equal(saddle_solve(NULL, p, solvers[k], NULL, NULL, &solution, NULL), SADDLE_OK);
        const int64_t row = saddle_assembly_contact_row(t.assembly, 5);
        for (int64_t i = 0; i < 9; i++)
            assert_true(fabs(solution.lambda[i] - (i == row ? 1 : 0)) <= 1e-6);
        saddle_solution_clear(&solution);
    }
    touching_add(&t, 6);
    touching_add(&t, 7);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, &grown), SADDLE_OK);
    assert_false(grown);
    touching_add(&t, 8);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, &grown), SADDLE_OK);
    assert_true(grown && p->m == 15); /* the missing one and a quarter of the group */
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, NULL, &grown), SADDLE_OK);
    assert_false(grown);
    assert_int_equal(saddle_assembly_contact_row(t.assembly, 5), -1);
    touching_end(&t);
}

static saddle_status reserve_more(saddle_context *context, void *unused)
{
    (void)unused;
    touching t = {.list = {.context = context}};
    const saddle_particle_def def = {.mass = 1};
    const saddle_contact_side ground = {.count = 0};
    saddle_contact_point *contact;
    saddle_status status = saddle_model_create(context, &t.model);
    if (status == SADDLE_OK) status = saddle_model_add_particle(t.model, &def, &t.part);
    if (status == SADDLE_OK) status = saddle_assembly_create(t.model, NULL, &t.assembly);
    if (status == SADDLE_OK) status = saddle_contact_list_add(&t.list, &contact);
    if (status == SADDLE_OK) {
        *contact = (saddle_contact_point){.id = 7, .normal = {0, 0, 1}, .b = {.part = t.part}};
        status = saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL);
    }
    if (status == SADDLE_OK) {
        const int64_t row = saddle_assembly_contact_row(t.assembly, 7);
        assert_int_equal(row, 0);
        status = saddle_assembly_reserve(t.assembly, &ground, &contact->b, 1000);
        assert_int_equal(saddle_assembly_contact_row(t.assembly, 7), row);
    }
    touching_end(&t);
    return status;
}

static void contacts_are_found_after_a_reserve_without_memory(void **unused)
{
    (void)unused;
    assert_true(test_allocation_sweep(reserve_more, NULL) > 10);
}

/* ---- what has slid on ---- */

/* A grain slides over 400 stones, beside a grain at rest: the number of rows stays small, and the
 * rows in use are right. */
static void slots_left_behind_do_not_pile_up(void **unused)
{
    (void)unused;
    enum { STONES = 400, WHILE = 15 };
    touching t;
    saddle_handle stone[STONES];
    int64_t most = 0;
    touching_begin(NULL, &t);
    saddle_assembly_free(t.assembly);
    for (int k = 0; k < STONES; k++) {
        const saddle_particle_def def = {.mass = 1};
        assert_int_equal(saddle_model_add_particle(t.model, &def, &stone[k]), SADDLE_OK);
    }
    assert_int_equal(saddle_assembly_create(t.model, NULL, &t.assembly), SADDLE_OK);
    const saddle_contact_side ground = {.count = 0}, grain = {.part = t.part};
    assert_int_equal(saddle_assembly_reserve(t.assembly, &ground, &grain, 2), SADDLE_OK);
    for (int step = 0; step < test_draws(STONES) * WHILE; step++) {
        saddle_contact_list_reset(&t.list);
        const int64_t sliding = step / WHILE;
        (void)touching_add(&t, 1000 + sliding);
        t.list.point[0].a.part = stone[sliding];
        (void)touching_add(&t, 5);
        t.list.point[1].b.part = stone[7];
        assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL),
                         SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(t.assembly);
        double J[3 * (STONES + 1)], still[3 * (STONES + 1)];
        dense_row(p, saddle_assembly_contact_row(t.assembly, 1000 + sliding), J);
        dense_row(p, saddle_assembly_contact_row(t.assembly, 5), still);
        for (int64_t j = 0; j < p->n; j++) {
            assert_true(J[j] == (j == 2) - (j == 3 * (sliding + 1) + 2));
            assert_true(still[j] == (j == 3 * 8 + 2));
        }
        if (step % WHILE == 0)
            assert_int_equal(saddle_problem_check(NULL, p, NULL, NULL), SADDLE_OK);
        if (p->m > most) most = p->m;
    }
    assert_true(most <= 3 * 2 * (100 / WHILE + 8)); /* at most twice those of the last 100 updates,
                                                       and the reserved */
    assert_int_equal(saddle_assembly_reserve(t.assembly, &ground, &grain, 0), SADDLE_OK);
    saddle_contact_list_reset(&t.list);
    int grown;
    (void)touching_add(&t, 1);
    (void)touching_add(&t, 2);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, &grown), SADDLE_OK);
    assert_false(grown); /* what was reserved is there */
    touching_end(&t);
}

/* Updates in any order, some refused, with rows added and removed, options and accelerations
 * between: the rows of each contact equal those of a new assembly. */
static void slots_after_anything_hold_what_fresh_ones_hold(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    enum { ALL = 30 };
    for (int draw = 0; draw < 20; draw++) {
        saddle_context *context;
        drawn_model drawn;
        saddle_assembly *old, *fresh;
        saddle_contact_list all = {0}, some = {0};
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        draw_model(context, &state, (drawn_wishes){.only_hold = 1}, &drawn);
        assert_int_equal(saddle_assembly_create(drawn.model, NULL, &old), SADDLE_OK);
        for (int k = 0; k < ALL; k++) {
            saddle_contact_point *contact;
            assert_int_equal(saddle_contact_list_add(&all, &contact), SADDLE_OK);
            draw_contact(&state, &drawn, k, contact);
            draw_friction(&state, contact);
        }
        for (int step = 0; step < 150; step++) {
            const int64_t begin = test_integer(&state, 0, ALL - 1),
                          count = test_integer(&state, 0, 8);
            saddle_contact_list_reset(&some);
            for (int64_t k = 0; k < count; k++) {
                saddle_contact_point *contact;
                assert_int_equal(saddle_contact_list_add(&some, &contact), SADDLE_OK);
                *contact = all.point[(begin + 3 * k) % ALL];
                contact->id = (begin + 3 * k) % ALL + (test_integer(&state, 0, 9) == 0 ? 1000 : 0);
            }
            if (test_integer(&state, 0, 9) == 0) (void)saddle_assembly_accelerations(old);
            const saddle_contact_point *wish = &all.point[test_integer(&state, 0, ALL - 1)];
            if (step % 40 == 7)
                assert_int_equal(saddle_assembly_reserve(old, &wish->a, &wish->b, 2), SADDLE_OK);
            if (count > 0 && test_integer(&state, 0, 4) == 0) {
                some.point[count - 1].gap = NAN;
                assert_int_equal(saddle_assembly_update(old, &plain_stage, &some, NULL),
                                 SADDLE_INVALID_ARGUMENT);
                some.point[count - 1].gap = 0;
            }
            assert_int_equal(saddle_assembly_update(old, &plain_stage, &some, NULL), SADDLE_OK);
            assert_int_equal(saddle_assembly_create(drawn.model, NULL, &fresh), SADDLE_OK);
            assert_int_equal(saddle_assembly_update(fresh, &plain_stage, &some, NULL), SADDLE_OK);
            const saddle_problem *p = saddle_assembly_problem(old),
                                 *q = saddle_assembly_problem(fresh);
            assert_int_equal(saddle_problem_check(NULL, p, NULL, NULL), SADDLE_OK);
            for (int64_t k = 0; k < count; k++) {
                const int64_t id = some.point[k].id, row = saddle_assembly_contact_row(old, id);
                const int64_t its = saddle_assembly_contact_row(fresh, id);
                double J[64], K[64];
                assert_true(row >= 0 && its >= 0);
                const int64_t rows = rows_of_contact(p, row);
                assert_int_equal(rows_of_contact(q, its), rows);
                for (int64_t i = 0; i < rows; i++) {
                    dense_row(p, row + i, J);
                    dense_row(q, its + i, K);
                    assert_memory_equal(J, K, (size_t)p->n * sizeof *J);
                    assert_true(p->b[row + i] == q->b[its + i]);
                    if (i < 3) assert_true(p->row_id[row + i] == q->row_id[its + i]);
                    assert_true(saddle_matrix_entry(&p->R, row + i, row + i) ==
                                saddle_matrix_entry(&q->R, its + i, its + i));
                }
            }
            int64_t active = 0; /* all else is empty */
            for (int64_t c = 0; c < p->contact_count; c++)
                active += p->row_id[p->contacts[c].row] % 4 == -1;
            assert_int_equal(active, count);
            saddle_assembly_free(fresh);
        }
        saddle_contact_list_clear(&all);
        saddle_contact_list_clear(&some);
        saddle_assembly_free(old);
        drawn_clear(&drawn);
        saddle_context_free(context);
    }
}

/* ---- bad input ---- */

typedef struct fault {
    const char *said;
    void (*make)(saddle_contact_point *contact);
} fault;

static void negative_id(saddle_contact_point *c)
{
    c->id = -1;
}
static void large_id(saddle_contact_point *c)
{
    c->id = INT64_C(1) << 61;
}
static void long_normal(saddle_contact_point *c)
{
    c->normal[2] = 1.1;
}
static void no_normal(saddle_contact_point *c)
{
    c->normal[2] = 0;
}
static void nan_normal(saddle_contact_point *c)
{
    c->normal[0] = NAN;
}
static void short_tangent(saddle_contact_point *c)
{
    c->tangent[0] = 0.5;
}
static void oblique_tangent(saddle_contact_point *c)
{
    c->tangent[2] = 1;
}
static void nan_gap(saddle_contact_point *c)
{
    c->gap = NAN;
}
static void negative_mu(saddle_contact_point *c)
{
    c->mu = -0.1;
}
static void negative_torsion(saddle_contact_point *c)
{
    c->mu_torsion = -0.1;
}
static void nan_rolling(saddle_contact_point *c)
{
    c->mu_rolling = NAN;
}
static void infinite_mu(saddle_contact_point *c)
{
    c->mu = INFINITY;
}
static void large_restitution(saddle_contact_point *c)
{
    c->restitution = 1.5;
}
static void nan_point(saddle_contact_point *c)
{
    c->a.point[1] = NAN;
}
static void bad_compliance(saddle_contact_point *c)
{
    c->compliance.alpha = -1;
}
static void ground_on_ground(saddle_contact_point *c)
{
    c->b.part = c->a.part;
}
static void itself(saddle_contact_point *c)
{
    c->a.part = c->b.part;
}
static void stale(saddle_contact_point *c)
{
    c->b.part.generation++;
}
static void no_part(saddle_contact_point *c)
{
    c->b.part.item = SADDLE_ITEM_CONSTRAINT;
    c->b.part.index = 0;
}
static void of_another_model(saddle_contact_point *c)
{
    c->b.part.model++;
}

static void unsound_contacts_are_named(void **unused)
{
    (void)unused;
    static const fault faults[] = {
        {"contact -1: its id", negative_id},
        {"its id", large_id},
        {"contact 5: its normal", long_normal},
        {"contact 5: its normal", no_normal},
        {"contact 5: its normal", nan_normal},
        {"contact 5: its tangent", short_tangent},
        {"contact 5: its tangent", oblique_tangent},
        {"contact 5: its gap", nan_gap},
        {"contact 5: its mu", negative_mu},
        {"contact 5: its mu_torsion", negative_torsion},
        {"contact 5: its mu_rolling", nan_rolling},
        {"contact 5: its mu", infinite_mu},
        {"contact 5: its restitution", large_restitution},
        {"contact 5: its point", nan_point},
        {"contact 5: its compliance", bad_compliance},
        {"contact 5: neither", ground_on_ground},
        {"contact 5: a part touches itself", itself},
        {"contact 5: particle 1 (removed) is no part", stale},
        {"contact 5: constraint 1 (removed) is no part", no_part},
        {"contact 5: particle 1 (of another model) is no part", of_another_model},
    };
    saddle_context *context;
    touching t;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    touching_begin(context, &t);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        saddle_contact_list_reset(&t.list);
        faults[k].make(touching_add(&t, 5));
        assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL),
                         SADDLE_INVALID_ARGUMENT);
        if (strstr(saddle_context_message(context), faults[k].said) == NULL) {
            fail_msg("said '%s', not '%s'", saddle_context_message(context), faults[k].said);
        }
    }
    for (int known = 0; known < 2; known++) { /* twice the same: new ones, then one that was
                                                 there */
        saddle_contact_list_reset(&t.list);
        (void)touching_add(&t, 9);
        if (known)
            assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL),
                             SADDLE_OK);
        (void)touching_add(&t, 9);
        assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "contact 9: its id is used twice"));
    }
    saddle_contact_list_reset(&t.list);
    (void)touching_add(&t, 9);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL),
                     SADDLE_OK); /* and goes on */
    assert_int_equal(saddle_problem_check(context, saddle_assembly_problem(t.assembly), NULL, NULL),
                     SADDLE_OK);
    touching_end(&t);
    saddle_context_free(context);
}

static void faces_of_nodes_are_checked(void **unused)
{
    (void)unused;
    saddle_context *context;
    saddle_model *model;
    saddle_handle nodes;
    saddle_assembly *assembly;
    saddle_matrix M;
    const double x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int64_t index[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    const double one[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_model_create(context, &model), SADDLE_OK);
    assert_int_equal(saddle_matrix_from_triplets(context, 9, 9, 9, index, index, one,
                                                 SADDLE_SYMMETRY_LOWER, &M),
                     SADDLE_OK);
    const saddle_nodes_def def = {.count = 3, .position = x, .mass = &M};
    assert_int_equal(saddle_model_add_nodes(model, &def, &nodes), SADDLE_OK);
    assert_int_equal(saddle_assembly_create(model, NULL, &assembly), SADDLE_OK);
    static const struct {
        int64_t count, node[4];
        double weight[4];
        const char *said;
    } faces[] = {
        {0, {0}, {0}, "not on 1 to 4 nodes"},
        {5, {0, 1, 2, 0}, {0.2, 0.2, 0.2, 0.2}, "not on 1 to 4 nodes"},
        {1, {3}, {1}, "not there"},
        {1, {-1}, {1}, "not there"},
        {2, {1, 1}, {0.5, 0.5}, "on a node twice"},
        {2, {0, 1}, {0.5, 0.6}, "do not sum to 1"},
        {2, {0, 1}, {0.5, NAN}, "do not sum to 1"},
        {3, {2, 0, 1}, {0.5, 0.75, -0.25}, NULL},
    };
    for (size_t k = 0; k < sizeof faces / sizeof *faces; k++) {
        saddle_contact_point contact = {.id = 3, .normal = {0, 0, 1}};
        saddle_contact_list list = {.count = 1, .capacity = 1, .point = &contact};
        contact.b = (saddle_contact_side){.part = nodes, .count = faces[k].count};
        memcpy(contact.b.node, faces[k].node, sizeof contact.b.node);
        memcpy(contact.b.weight, faces[k].weight, sizeof contact.b.weight);
        const saddle_status status = saddle_assembly_update(assembly, &plain_stage, &list, NULL);
        assert_int_equal(status, faces[k].said == NULL ? SADDLE_OK : SADDLE_INVALID_ARGUMENT);
        if (faces[k].said != NULL)
            assert_non_null(strstr(saddle_context_message(context), faces[k].said));
    }
    saddle_assembly_free(assembly);
    saddle_matrix_clear(&M);
    saddle_model_free(model);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_that_come_and_go_allocate_nothing_within_capacity),
        cmocka_unit_test(empty_slots_carry_nothing),
        cmocka_unit_test(contacts_are_found_after_a_reserve_without_memory),
        cmocka_unit_test(slots_left_behind_do_not_pile_up),
        cmocka_unit_test(slots_after_anything_hold_what_fresh_ones_hold),
        cmocka_unit_test(unsound_contacts_are_named),
        cmocka_unit_test(faces_of_nodes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
