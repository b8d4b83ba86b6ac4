/* SPDX-License-Identifier: MIT */
/* Rows of contacts: against differences of the gap's motion, against seed 001's table, and their slots over steps. */
#include <math.h>
#include <string.h>

#include "drawn_model.h"
#include "space/space.h"

static const saddle_stage plain_stage = {.time_step = 0.1, .gyroscopic = 0.1, .row_step = 0.1, .theta = 1};

/* ---- drawn contacts ----------------------------------------------------------------------------------------------- */

static void draw_unit(uint64_t *state, double *n)
{
    double length = 0;
    while (length < 0.1) {
        for (int i = 0; i < 3; i++) n[i] = test_uniform(state, -1, 1);
        length = sqrt(saddle__dot(n, n));
    }
    for (int i = 0; i < 3; i++) n[i] /= length;
}

static void draw_side(uint64_t *state, const drawn_model *drawn, int64_t part, saddle_contact_side *side)
{
    *side = (saddle_contact_side){.count = 0};
    for (int i = 0; i < 3; i++) side->point[i] = test_uniform(state, -1, 1);
    if (part < 0) return;
    side->part = drawn->part[part];
    if (side->part.item != SADDLE_ITEM_NODES) return;
    const int64_t nodes = saddle_model_node_count(drawn->model, side->part);
    double sum = 0;
    side->count = test_integer(state, 1, nodes);
    for (int64_t k = 0; k < side->count; k++) {
        side->node[k] = nodes - 1 - k;
        side->weight[k] = test_uniform(state, 0.1, 1);
        sum += side->weight[k];
    }
    for (int64_t k = 0; k < side->count; k++) side->weight[k] /= sum;
}

static int moves(const drawn_model *drawn, int64_t part)
{
    return part >= 0 && !drawn->prescribed[part];
}

static void draw_contact(uint64_t *state, const drawn_model *drawn, int64_t id, saddle_contact_point *contact)
{
    int64_t a = -1, b = -1;
    while (a == b || (!moves(drawn, a) && !moves(drawn, b))) {
        a = test_integer(state, -1, drawn->parts - 1);
        b = test_integer(state, -1, drawn->parts - 1);
    }
    *contact = (saddle_contact_point){.id = id, .gap = test_uniform(state, -0.2, 0.2), .mu = test_uniform(state, 0, 1)};
    draw_side(state, drawn, a, &contact->a);
    draw_side(state, drawn, b, &contact->b);
    draw_unit(state, contact->normal);
    if (test_integer(state, 0, 1)) contact->restitution = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) contact->compliance.alpha = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 1)) contact->compliance.beta = test_uniform(state, 0, 1);
    if (test_integer(state, 0, 2) > 0) return;
    double other[3];
    draw_unit(state, other);
    saddle__cross(contact->normal, other, contact->tangent);
    const double length = sqrt(saddle__dot(contact->tangent, contact->tangent));
    for (int i = 0; i < 3; i++) contact->tangent[i] /= length;
}

/* Where the point of a side is that was at side->point (for nodes: sum of weights) when the parts stood as in `then`. */
static void point_now(const drawn_model *drawn, const drawn_state *then, const saddle_contact_side *side, double *x)
{
    memcpy(x, side->point, 3 * sizeof *x);
    for (int64_t k = 0; k < drawn->parts; k++) {
        if (side->part.item == 0 || drawn->part[k].index != side->part.index) continue;
        const double *now = saddle_model_position(drawn->model, side->part), *before = then->position[k];
        if (side->part.item == SADDLE_ITEM_BODY) {
            for (int i = 0; i < 3; i++) x[i] -= before[i];
            saddle__unrotate(before + 3, x, x);
            saddle__rotate(now + 3, x, x);
            for (int i = 0; i < 3; i++) x[i] += now[i];
        } else if (side->part.item == SADDLE_ITEM_PARTICLE) {
            memcpy(x, now, 3 * sizeof *x);
        } else {
            memset(x, 0, 3 * sizeof *x);
            for (int64_t c = 0; c < side->count; c++) {
                for (int i = 0; i < 3; i++) x[i] += side->weight[c] * now[3 * side->node[c] + i];
            }
        }
    }
}

/* d(x_b - x_a) along v, by differences; still: 1 = prescribed parts do not move. */
static void relative_rate(const drawn_model *drawn, saddle_assembly *assembly, const saddle_contact_point *contact,
                          const double *v, int still, double *rate)
{
    drawn_state state, moved;
    double a[2][3], b[2][3];
    drawn_keep(drawn, &state);
    for (int side = 0; side < 2; side++) {
        saddle_assembly_move(assembly, side ? -1e-5 : 1e-5, v, SADDLE_UPDATE_EXPONENTIAL);
        drawn_keep(drawn, &moved);
        for (int64_t k = 0; still && k < drawn->parts; k++) {
            if (drawn->prescribed[k]) memcpy(moved.position[k], state.position[k], sizeof moved.position[k]);
        }
        drawn_restore(drawn, &moved);
        point_now(drawn, &state, &contact->a, a[side]);
        point_now(drawn, &state, &contact->b, b[side]);
        drawn_restore(drawn, &state);
    }
    for (int i = 0; i < 3; i++) rate[i] = (b[0][i] - b[1][i] - a[0][i] + a[1][i]) / 2e-5;
}

/* Row `row` of J, dense. */
static void dense_row(const saddle_problem *p, int64_t row, double *J)
{
    memset(J, 0, (size_t)p->n * sizeof *J);
    for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++) J[p->Jt.index[e]] += p->Jt.value[e];
}

/* b_n + what prescribed parts give, from saddle/contact.h. */
static double wanted_rate(const saddle_contact_point *contact, double approach)
{
    const double h = plain_stage.row_step, gap = contact->gap, e = contact->restitution;
    const double T = h + contact->compliance.beta;
    const double rate = gap < 0 ? -gap / T : -gap / h;
    const int bounces = e > 0 && approach < 0 && gap + h * approach <= 0;
    return bounces && -e * approach > rate ? -e * approach : rate;
}

enum { CONTACTS = 6 };

static void check_contact(const drawn_model *drawn, saddle_assembly *assembly, const saddle_contact_point *contact)
{
    const saddle_problem *p = saddle_assembly_problem(assembly);
    const int64_t row = saddle_assembly_contact_row(assembly, contact->id);
    double J[3][64], directions[3][3] = {{0}}, v[64] = {0}, rate[3], moving[3], given[3];
    assert_true(row >= 0);
    for (int k = 0; k < 3; k++) dense_row(p, row + k, J[k]);
    for (int64_t j = 0; j < p->n; j++) { /* J_kj = d_k . dx/dv_j; of tangents that were chosen the length is known */
        v[j] = 1;
        relative_rate(drawn, assembly, contact, v, 1, rate);
        v[j] = 0;
        const double normal = saddle__dot(contact->normal, rate);
        if (!(fabs(J[0][j] - normal) <= 1e-8)) fail_msg("the normal's entry %d is off by %g", (int)j, J[0][j] - normal);
        const double tangents = J[1][j] * J[1][j] + J[2][j] * J[2][j];
        const double rest = saddle__dot(rate, rate) - normal * normal;
        if (!(fabs(tangents - rest) <= 1e-7)) fail_msg("the tangents' entries are off by %g", tangents - rest);
        if (saddle__dot(contact->tangent, contact->tangent) == 0) continue;
        assert_true(fabs(J[1][j] - saddle__dot(contact->tangent, rate)) <= 1e-8);
        saddle__cross(contact->normal, contact->tangent, directions[2]);
        assert_true(fabs(J[2][j] - saddle__dot(directions[2], rate)) <= 1e-8);
    }
    relative_rate(drawn, assembly, contact, v, 0, given); /* v = 0: prescribed parts alone */
    saddle_assembly_get_velocity(assembly, v);
    relative_rate(drawn, assembly, contact, v, 1, moving);
    const double given_n = saddle__dot(contact->normal, given), moving_n = saddle__dot(contact->normal, moving);
    const double b = wanted_rate(contact, given_n + moving_n) - given_n;
    if (!(fabs(p->b[row] - b) <= 1e-6)) fail_msg("b is off by %g", p->b[row] - b);
    const double slide = p->b[row + 1] * p->b[row + 1] + p->b[row + 2] * p->b[row + 2];
    assert_true(fabs(slide - (saddle__dot(given, given) - given_n * given_n)) <= 1e-6);
    const double T = plain_stage.row_step + contact->compliance.beta;
    assert_true(fabs(saddle_matrix_entry(&p->R, row, row) - contact->compliance.alpha / (0.1 * T)) <= 1e-12);
    assert_true(saddle_assembly_phi(assembly)[row] == contact->gap);
}

static void rows_are_the_relative_motion_of_the_touching_points(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 500; draw++) {
        saddle_context *context;
        drawn_model drawn;
        saddle_assembly *assembly;
        saddle_contact_list list = {0};
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        draw_model(context, &state, (drawn_wishes){0}, &drawn);
        assert_int_equal(saddle_assembly_create(drawn.model, NULL, &assembly), SADDLE_OK);
        for (int k = 0; k < CONTACTS; k++) {
            saddle_contact_point *contact;
            assert_int_equal(saddle_contact_list_add(&list, &contact), SADDLE_OK);
            draw_contact(&state, &drawn, 7 * k, contact);
        }
        const saddle_status status = saddle_assembly_update(assembly, &plain_stage, &list, NULL);
        if (status != SADDLE_OK) fail_msg("%s", saddle_context_message(context));
        assert_int_equal(saddle_problem_check(context, saddle_assembly_problem(assembly), NULL, NULL), SADDLE_OK);
        for (int k = 0; k < CONTACTS; k++) check_contact(&drawn, assembly, &list.point[k]);
        saddle_contact_list_clear(&list);
        saddle_assembly_free(assembly);
        drawn_clear(&drawn);
        saddle_context_free(context);
    }
}

/* ---- seed 001's table --------------------------------------------------------------------------------------------- */

/* C_lk = -1 for l = 2 i_k - 1, -[r_ki] for l = 2 i_k, 1 for l = 2 j_k - 1, [r_kj] for l = 2 j_k; J' = C (n, t1, t2), the
 * bodies' frames at their centres with the world's axes.  Here as wrenches on the bodies: force d, moment r x d. */
static void rows_are_the_seeds_table(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 200; draw++) {
        saddle_model *model;
        saddle_assembly *assembly;
        saddle_contact_list list = {0};
        saddle_contact_point *contact;
        saddle_handle body[2];
        double arm[2][3];
        assert_int_equal(saddle_model_create(NULL, &model), SADDLE_OK);
        assert_int_equal(saddle_contact_list_add(&list, &contact), SADDLE_OK);
        *contact = (saddle_contact_point){.id = 1};
        draw_unit(&state, contact->normal);
        for (int i = 0; i < 3; i++) contact->a.point[i] = contact->b.point[i] = test_uniform(&state, -1, 1);
        for (int k = 0; k < 2; k++) {
            saddle_body_def def = saddle_body_def_default();
            const double size[1] = {0.3};
            assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, size, 2, &def.inertia), SADDLE_OK);
            for (int i = 0; i < 3; i++) {
                def.pose.p[i] = test_uniform(&state, -1, 1);
                arm[k][i] = contact->a.point[i] - def.pose.p[i];
            }
            assert_int_equal(saddle_model_add_body(model, &def, &body[k]), SADDLE_OK);
        }
        contact->a.part = body[0];
        contact->b.part = body[1];
        assert_int_equal(saddle_assembly_create(model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &plain_stage, &list, NULL), SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(assembly);
        for (int k = 0; k < 3; k++) {
            double J[12], moment[2][3], table[12];
            dense_row(p, k, J);
            const double *d = J + 6; /* the direction, as what pushes b */
            for (int s = 0; s < 2; s++) saddle__cross(arm[s], d, moment[s]);
            for (int i = 0; i < 3; i++) {
                table[i] = -d[i];
                table[3 + i] = -moment[0][i];
                table[6 + i] = d[i];
                table[9 + i] = moment[1][i];
            }
            assert_true(test_distance(J, table, 12) <= 1e-14);
            if (k == 0) assert_true(test_distance(d, contact->normal, 3) <= 1e-14);
        }
        saddle_contact_list_clear(&list);
        saddle_assembly_free(assembly);
        saddle_model_free(model);
    }
}

/* ---- tangents ----------------------------------------------------------------------------------------------------- */

typedef struct touching { /* one particle on the ground */
    saddle_model *model;
    saddle_handle part;
    saddle_assembly *assembly;
    saddle_contact_list list;
} touching;

static void begin_touching(saddle_context *context, touching *t)
{
    const saddle_particle_def def = {.name = "grain", .mass = 1};
    *t = (touching){.list = {.context = context}};
    assert_int_equal(saddle_model_create(context, &t->model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(t->model, &def, &t->part), SADDLE_OK);
    assert_int_equal(saddle_assembly_create(t->model, NULL, &t->assembly), SADDLE_OK);
}

static void end_touching(touching *t)
{
    saddle_contact_list_clear(&t->list);
    saddle_assembly_free(t->assembly);
    saddle_model_free(t->model);
}

static saddle_contact_point *add_touch(touching *t, int64_t id)
{
    saddle_contact_point *contact;
    assert_int_equal(saddle_contact_list_add(&t->list, &contact), SADDLE_OK);
    *contact = (saddle_contact_point){.id = id, .normal = {0, 0, 1}, .mu = 0.5};
    contact->b.part = t->part;
    return contact;
}

static void tangents_of(touching *t, const double *normal, double *tangents)
{
    double J[3];
    memcpy(t->list.point[0].normal, normal, 3 * sizeof *normal);
    assert_int_equal(saddle_assembly_update(t->assembly, &plain_stage, &t->list, NULL), SADDLE_OK);
    for (int k = 0; k < 2; k++) {
        dense_row(saddle_assembly_problem(t->assembly), k + 1, J);
        memcpy(tangents + 3 * k, J, sizeof J);
    }
}

static void tangents_turn_smoothly_with_the_normal(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static const double up[3] = {0, 0, 1}, xy[6] = {1, 0, 0, 0, 1, 0}, singular[3] = {-2.0 / 7, -3.0 / 7, -6.0 / 7};
    touching t;
    double n[3], tangents[6], other[6];
    begin_touching(NULL, &t);
    (void)add_touch(&t, 0);
    tangents_of(&t, up, tangents);
    assert_true(test_distance(tangents, xy, 6) <= 1e-15);
    tangents_of(&t, singular, tangents);
    assert_true(fabs(saddle__dot(tangents, singular)) <= 1e-15);
    for (int draw = 0; draw < 2000; draw++) {
        double cross[3], near[3], difference[3];
        draw_unit(&state, n);
        tangents_of(&t, n, tangents);
        saddle__cross(n, tangents, cross);
        assert_true(test_distance(cross, tangents + 3, 3) <= 1e-14);
        assert_true(fabs(saddle__dot(tangents, tangents) - 1) <= 1e-14 && fabs(saddle__dot(tangents, n)) <= 1e-14);
        for (int i = 0; i < 3; i++) near[i] = n[i] + test_uniform(&state, -1e-6, 1e-6);
        const double length = sqrt(saddle__dot(near, near));
        for (int i = 0; i < 3; i++) near[i] /= length;
        tangents_of(&t, near, other);
        for (int i = 0; i < 3; i++) difference[i] = n[i] - singular[i];
        const double far = sqrt(saddle__dot(difference, difference));
        assert_true(test_distance(tangents, other, 6) <= 1e-5 / far);
    }
    end_touching(&t);
}

/* ---- slots -------------------------------------------------------------------------------------------------------- */

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
            if (row >= 0 && row_then[k] >= 0) assert_int_equal(row, row_then[k]); /* who stays keeps its rows */
            for (int i = 0; row >= 0 && i < 3; i++) assert_true(p->row_id[row + i] == -1 - (4 * (1000 + k) + i));
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
    begin_touching(NULL, &t);
    grain.part = t.part;
    saddle_model_set_gravity(t.model, down);
    assert_int_equal(saddle_assembly_reserve(t.assembly, &ground, &grain, 3), SADDLE_OK);
    (void)add_touch(&t, 5);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, &grown), SADDLE_OK);
    assert_true(grown);
    const saddle_problem *p = saddle_assembly_problem(t.assembly);
    assert_int_equal(p->m, 9);
    static const char *const solvers[] = {"gauss-seidel", "auto"};
    for (int k = 0; k < 2; k++) {
        saddle_solution solution = {0};
        assert_int_equal(saddle_solve(NULL, p, solvers[k], NULL, NULL, &solution, NULL), SADDLE_OK);
        const int64_t row = saddle_assembly_contact_row(t.assembly, 5);
        for (int64_t i = 0; i < 9; i++) assert_true(fabs(solution.lambda[i] - (i == row ? 1 : 0)) <= 1e-6);
        saddle_solution_clear(&solution);
    }
    add_touch(&t, 6);
    add_touch(&t, 7);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, &grown), SADDLE_OK);
    assert_false(grown);
    add_touch(&t, 8);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, &grown), SADDLE_OK);
    assert_true(grown && p->m == 15); /* the missing one and a quarter of the group */
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, NULL, &grown), SADDLE_OK);
    assert_false(grown);
    assert_int_equal(saddle_assembly_contact_row(t.assembly, 5), -1);
    end_touching(&t);
}

/* ---- momentum ----------------------------------------------------------------------------------------------------- */

/* What contacts between free parts push adds up to no force and, as their points coincide, to no moment. */
static void contacts_between_parts_keep_the_momenta(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 200; draw++) {
        saddle_context *context;
        drawn_model drawn;
        saddle_assembly *assembly;
        saddle_contact_list list = {0};
        saddle_contact_point *contact;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        draw_model(context, &state, (drawn_wishes){.no_prescribed = 1, .no_nodes = 1}, &drawn);
        assert_int_equal(saddle_assembly_create(drawn.model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_contact_list_add(&list, &contact), SADDLE_OK);
        draw_contact(&state, &drawn, 1, contact);
        const int between = contact->a.part.item != 0 && contact->b.part.item != 0;
        if (contact->b.part.item == SADDLE_ITEM_PARTICLE) {
            memcpy(contact->b.point, saddle_model_position(drawn.model, contact->b.part), sizeof contact->b.point);
        }
        memcpy(contact->a.point, contact->b.point, sizeof contact->a.point);
        const int apart = contact->a.part.item == SADDLE_ITEM_PARTICLE;
        assert_int_equal(saddle_assembly_update(assembly, &plain_stage, &list, NULL), SADDLE_OK);
        for (int k = 0; between && k < 3; k++) { /* v = M^-1 J' has the momenta of an impulse 1 */
            saddle_problem free = *saddle_assembly_problem(assembly);
            saddle_solution solution = {0};
            double f[64];
            dense_row(&free, saddle_assembly_contact_row(assembly, 1) + k, f);
            free.m = free.contact_count = 0;
            free.Jt = free.R = (saddle_matrix){0};
            free.f = f;
            assert_int_equal(saddle_solve(context, &free, "ldlt", NULL, NULL, &solution, NULL), SADDLE_OK);
            saddle_assembly_set_velocity(assembly, solution.v);
            const saddle_energies all = saddle_model_energies(drawn.model);
            const double none[3] = {0, 0, 0};
            assert_true(test_distance(all.momentum, none, 3) <= 1e-12);
            if (!apart) assert_true(test_distance(all.moment, none, 3) <= 1e-11);
            saddle_solution_clear(&solution);
        }
        saddle_contact_list_clear(&list);
        saddle_assembly_free(assembly);
        drawn_clear(&drawn);
        saddle_context_free(context);
    }
}

/* ---- bad input ---------------------------------------------------------------------------------------------------- */

typedef struct fault {
    const char *said;
    void (*make)(saddle_contact_point *contact);
} fault;

static void negative_id(saddle_contact_point *c) { c->id = -1; }
static void large_id(saddle_contact_point *c) { c->id = INT64_C(1) << 61; }
static void long_normal(saddle_contact_point *c) { c->normal[2] = 1.1; }
static void no_normal(saddle_contact_point *c) { c->normal[2] = 0; }
static void nan_normal(saddle_contact_point *c) { c->normal[0] = NAN; }
static void short_tangent(saddle_contact_point *c) { c->tangent[0] = 0.5; }
static void oblique_tangent(saddle_contact_point *c) { c->tangent[2] = 1; }
static void nan_gap(saddle_contact_point *c) { c->gap = NAN; }
static void negative_mu(saddle_contact_point *c) { c->mu = -0.1; }
static void infinite_mu(saddle_contact_point *c) { c->mu = INFINITY; }
static void large_restitution(saddle_contact_point *c) { c->restitution = 1.5; }
static void nan_point(saddle_contact_point *c) { c->a.point[1] = NAN; }
static void bad_compliance(saddle_contact_point *c) { c->compliance.alpha = -1; }
static void ground_on_ground(saddle_contact_point *c) { c->b.part = c->a.part; }
static void itself(saddle_contact_point *c) { c->a.part = c->b.part; }
static void stale(saddle_contact_point *c) { c->b.part.generation++; }
static void no_part(saddle_contact_point *c) { c->b.part = (saddle_handle){0, 1, SADDLE_ITEM_CONSTRAINT}; }

static void unsound_contacts_are_named(void **unused)
{
    (void)unused;
    static const fault faults[] = {
        {"contact -1: its id", negative_id},          {"its id", large_id},
        {"contact 5: its normal", long_normal},       {"contact 5: its normal", no_normal},
        {"contact 5: its normal", nan_normal},        {"contact 5: its tangent", short_tangent},
        {"contact 5: its tangent", oblique_tangent},  {"contact 5: its gap", nan_gap},
        {"contact 5: its mu", negative_mu},           {"contact 5: its mu", infinite_mu},
        {"contact 5: its restitution", large_restitution}, {"contact 5: its point", nan_point},
        {"contact 5: its compliance", bad_compliance}, {"contact 5: neither", ground_on_ground},
        {"contact 5: a part touches itself", itself}, {"contact 5: particle 1 (which is no more) is no part", stale},
        {"contact 5: constraint 1 (which is no more) is no part", no_part},
    };
    saddle_context *context;
    touching t;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    begin_touching(context, &t);
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        saddle_contact_list_reset(&t.list);
        faults[k].make(add_touch(&t, 5));
        assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL), SADDLE_INVALID_ARGUMENT);
        if (strstr(saddle_context_message(context), faults[k].said) == NULL) {
            fail_msg("said '%s', not '%s'", saddle_context_message(context), faults[k].said);
        }
    }
    for (int known = 0; known < 2; known++) { /* twice the same: new ones, then one that was there */
        saddle_contact_list_reset(&t.list);
        (void)add_touch(&t, 9);
        if (known) assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL), SADDLE_OK);
        (void)add_touch(&t, 9);
        assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL), SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "contact 9: it is there twice"));
    }
    saddle_contact_list_reset(&t.list);
    (void)add_touch(&t, 9);
    assert_int_equal(saddle_assembly_update(t.assembly, &plain_stage, &t.list, NULL), SADDLE_OK); /* and goes on */
    assert_int_equal(saddle_problem_check(context, saddle_assembly_problem(t.assembly), NULL, NULL), SADDLE_OK);
    end_touching(&t);
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
    assert_int_equal(saddle_matrix_from_triplets(context, 9, 9, 9, index, index, one, SADDLE_SYMMETRIC, &M), SADDLE_OK);
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
        if (faces[k].said != NULL) assert_non_null(strstr(saddle_context_message(context), faces[k].said));
    }
    saddle_assembly_free(assembly);
    saddle_matrix_clear(&M);
    saddle_model_free(model);
    saddle_context_free(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_relative_motion_of_the_touching_points),
        cmocka_unit_test(rows_are_the_seeds_table),
        cmocka_unit_test(tangents_turn_smoothly_with_the_normal),
        cmocka_unit_test(contacts_that_come_and_go_allocate_nothing_within_capacity),
        cmocka_unit_test(empty_slots_carry_nothing),
        cmocka_unit_test(contacts_between_parts_keep_the_momenta),
        cmocka_unit_test(unsound_contacts_are_named),
        cmocka_unit_test(faces_of_nodes_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
