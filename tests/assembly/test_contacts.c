/* SPDX-License-Identifier: MIT */
/* Rows of contacts: against differences of the gap's motion, against seed 001's table. */
#include <math.h>
#include <string.h>

#include "drawn_contact.h"
#include "space/space.h"

static const saddle_stage plain_stage = {.time_step = 0.1, .gyroscopic = 0.1, .row_step = 0.1, .theta = 1};

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

/* ---- seed 001's complementarity problem --------------------------------------------------------------------------- */

enum { HEAP = 3, HEAP_CONTACTS = 4 };

typedef struct heap { /* bodies about their centres, in the world: what the seed has */
    saddle_model *model;
    saddle_handle body[HEAP];
    double mass[HEAP], inverse[HEAP][9], center[HEAP][3], u[HEAP][6], push[HEAP][6]; /* inverse: of the moment of inertia */
    saddle_contact_list contacts;
    int64_t i[HEAP_CONTACTS], j[HEAP_CONTACTS];
} heap;

/* inverse = R J^-1 R' */
static void turn_inverse(const double *R, const double *J, double *inverse)
{
    double scaled[9], turned[9];
    for (int k = 0; k < 9; k++) scaled[k] = R[k] / J[4 * (k / 3)]; /* J of a box is diagonal */
    saddle__transpose3(R, turned);
    saddle__product3(scaled, turned, inverse);
}

static void draw_heap(uint64_t *state, heap *all)
{
    *all = (heap){.model = NULL};
    assert_int_equal(saddle_model_create(NULL, &all->model), SADDLE_OK);
    for (int k = 0; k < HEAP; k++) {
        saddle_body_def def = saddle_body_def_default();
        double gyroscopic[3], momentum[3], force[6];
        const double size[3] = {test_uniform(state, 0.5, 1), test_uniform(state, 0.5, 1), test_uniform(state, 0.5, 1)};
        all->mass[k] = test_uniform(state, 1, 3);
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, all->mass[k], &def.inertia), SADDLE_OK);
        draw_pose(state, &def.pose);
        for (int i = 0; i < 6; i++) {
            def.twist[i] = test_uniform(state, -1, 1);
            force[i] = test_uniform(state, -1, 1);
        }
        turn_inverse(def.pose.R, def.inertia.moment, all->inverse[k]);
        memcpy(all->center[k], def.pose.p, sizeof all->center[k]);
        for (int half = 0; half < 6; half += 3) {
            saddle__rotate(def.pose.R, def.twist + half, all->u[k] + half);
            saddle__rotate(def.pose.R, force + half, all->push[k] + half);
        }
        saddle__rotate(def.inertia.moment, def.twist + 3, momentum); /* the seed's f_ext holds -omega x I omega */
        saddle__cross(momentum, def.twist + 3, gyroscopic);
        saddle__rotate(def.pose.R, gyroscopic, gyroscopic);
        for (int i = 0; i < 3; i++) all->push[k][3 + i] += gyroscopic[i];
        assert_int_equal(saddle_model_add_body(all->model, &def, &all->body[k]), SADDLE_OK);
        assert_int_equal(saddle_model_push(all->model, all->body[k], force), SADDLE_OK);
    }
    for (int c = 0; c < HEAP_CONTACTS; c++) {
        saddle_contact_point *contact;
        assert_int_equal(saddle_contact_list_add(&all->contacts, &contact), SADDLE_OK);
        *contact = (saddle_contact_point){.id = c, .gap = test_uniform(state, 0, 0.1)};
        draw_unit(state, contact->normal);
        all->i[c] = test_integer(state, 0, HEAP - 2); /* i_k < j_k */
        all->j[c] = test_integer(state, all->i[c] + 1, HEAP - 1);
        contact->a.part = all->body[all->i[c]];
        contact->b.part = all->body[all->j[c]];
        for (int i = 0; i < 3; i++) contact->a.point[i] = contact->b.point[i] = test_uniform(state, -1, 1);
    }
}

static void arm_moment(const heap *all, int64_t c, int64_t body, double *moment)
{
    const saddle_contact_point *contact = &all->contacts.point[c];
    double r[3];
    for (int i = 0; i < 3; i++) r[i] = contact->a.point[i] - all->center[body][i];
    saddle__cross(r, contact->normal, moment);
}

/* n_l'(1/m - r_l^x I^-1 r_k^x) n_k, the term of one body. */
static double term(const heap *all, int64_t l, int64_t k, int64_t body)
{
    double of_l[3], of_k[3];
    arm_moment(all, l, body, of_l);
    arm_moment(all, k, body, of_k);
    saddle__rotate(all->inverse[body], of_k, of_k);
    return saddle__dot(all->contacts.point[l].normal, all->contacts.point[k].normal) / all->mass[body] + saddle__dot(of_l, of_k);
}

/* A_lk with the seed's four deltas. */
static double seed_matrix(const heap *all, int64_t l, int64_t k)
{
    double A = 0;
    if (all->i[l] == all->i[k]) A += term(all, l, k, all->i[k]);
    if (all->i[l] == all->j[k]) A -= term(all, l, k, all->j[k]);
    if (all->j[l] == all->i[k]) A -= term(all, l, k, all->i[k]);
    if (all->j[l] == all->j[k]) A += term(all, l, k, all->j[k]);
    return A;
}

/* b_k of N'C'(u + dt M^-1 f_ext) - v/dt; v_k = -gap_k.  Twists are in axes that turn: dnu/dt has -omega x nu besides. */
static double seed_vector(const heap *all, int64_t k, double dt)
{
    const saddle_contact_point *contact = &all->contacts.point[k];
    double b = contact->gap / dt;
    for (int side = 0; side < 2; side++) {
        const int64_t body = side ? all->j[k] : all->i[k];
        double moment[3], turn[3], shift[3], axes[3];
        arm_moment(all, k, body, moment);
        saddle__cross(all->u[body], all->u[body] + 3, axes);
        saddle__rotate(all->inverse[body], all->push[body] + 3, turn);
        for (int i = 0; i < 3; i++) {
            shift[i] = all->u[body][i] + dt * (all->push[body][i] / all->mass[body] + axes[i]);
            turn[i] = all->u[body][3 + i] + dt * turn[i];
        }
        b += (side ? 1 : -1) * (saddle__dot(contact->normal, shift) + saddle__dot(moment, turn));
    }
    return b;
}

static void the_delassus_operator_is_the_seeds_complementarity_problem(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < 300; draw++) {
        heap all;
        saddle_assembly *assembly;
        saddle_delassus *delassus;
        double W[36 * HEAP_CONTACTS * HEAP_CONTACTS], q[6 * HEAP_CONTACTS];
        draw_heap(&state, &all);
        assert_int_equal(saddle_assembly_create(all.model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &plain_stage, &all.contacts, NULL), SADDLE_OK);
        const saddle_problem *p = saddle_assembly_problem(assembly);
        const int64_t m = p->m; /* with what slots are to spare */
        assert_true(m <= 6 * HEAP_CONTACTS);
        assert_int_equal(saddle_delassus_create(NULL, p, NULL, &delassus), SADDLE_OK);
        assert_int_equal(saddle_delassus_form(delassus, p), SADDLE_OK);
        assert_int_equal(saddle_delassus_dense(delassus, W, m), SADDLE_OK);
        assert_int_equal(saddle_delassus_reduce(delassus, p, q), SADDLE_OK);
        for (int64_t k = 0; k < HEAP_CONTACTS; k++) {
            const int64_t row = saddle_assembly_contact_row(assembly, k);
            const double b = seed_vector(&all, k, plain_stage.time_step);
            if (!(fabs(q[row] - b) <= 1e-12 * (1 + fabs(b)))) fail_msg("b is off by %g", q[row] - b);
            for (int64_t l = 0; l < HEAP_CONTACTS; l++) {
                const double A = seed_matrix(&all, l, k);
                const double off = W[saddle_assembly_contact_row(assembly, l) + m * row] - A;
                if (!(fabs(off) <= 1e-11 * (1 + fabs(A)))) fail_msg("A is off by %g", off);
            }
        }
        saddle_delassus_free(delassus);
        saddle_assembly_free(assembly);
        saddle_contact_list_clear(&all.contacts);
        saddle_model_free(all.model);
    }
}

/* ---- tangents ----------------------------------------------------------------------------------------------------- */

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
    touching_begin(NULL, &t);
    (void)touching_add(&t, 0);
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
    touching_end(&t);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_relative_motion_of_the_touching_points),
        cmocka_unit_test(rows_are_the_seeds_table),
        cmocka_unit_test(the_delassus_operator_is_the_seeds_complementarity_problem),
        cmocka_unit_test(tangents_turn_smoothly_with_the_normal),
        cmocka_unit_test(contacts_between_parts_keep_the_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
