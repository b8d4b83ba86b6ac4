/* SPDX-License-Identifier: MIT */
/* Rows of contacts: against differences of the gap's motion; tangents; momentum. */
#include <math.h>
#include <string.h>

#include "drawn_contact.h"
#include "space/space.h"

static const saddle_stage plain_stage = {.time_step = 0.1,
                                         .gyroscopic = 0.1,
                                         .row_step = 0.1,
                                         .theta = 1};

/* Where the point of a side is that was at side->point (for nodes: sum of weights) when the parts
 * stood as in `then`. */
static void point_now(const drawn_model *drawn, const drawn_state *then,
                      const saddle_contact_side *side, double *x)
{
    memcpy(x, side->point, 3 * sizeof *x);
    for (int64_t k = 0; k < drawn->parts; k++) {
        if (side->part.item == 0 || drawn->part[k].index != side->part.index) continue;
        const double *now = saddle_model_position(drawn->model, side->part),
                     *before = then->position[k];
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

/* The parts move along v for a time; still: 1 = all but the prescribed parts, which stand as in
 * state. */
static void move_parts(const drawn_model *drawn, saddle_assembly *assembly, double time,
                       const double *v, int still, const drawn_state *state)
{
    drawn_state moved;
    saddle_assembly_move(assembly, time, v, SADDLE_ROTATION_UPDATE_EXPONENTIAL);
    drawn_keep(drawn, &moved);
    for (int64_t k = 0; still && k < drawn->parts; k++) {
        if (drawn->prescribed[k])
            memcpy(moved.position[k], state->position[k], sizeof moved.position[k]);
    }
    drawn_restore(drawn, &moved);
}

/* d(x_b - x_a) along v, by differences; still: 1 = prescribed parts do not move. */
static void relative_rate(const drawn_model *drawn, saddle_assembly *assembly,
                          const saddle_contact_point *contact, const double *v, int still,
                          double *rate)
{
    drawn_state state;
    double a[2][3], b[2][3];
    drawn_keep(drawn, &state);
    for (int side = 0; side < 2; side++) {
        move_parts(drawn, assembly, side ? -1e-5 : 1e-5, v, still, &state);
        point_now(drawn, &state, &contact->a, a[side]);
        point_now(drawn, &state, &contact->b, b[side]);
        drawn_restore(drawn, &state);
    }
    for (int i = 0; i < 3; i++) rate[i] = (b[0][i] - b[1][i] - a[0][i] + a[1][i]) / 2e-5;
}

/* The rotation of a side's body, 1 of what does not turn. */
static void rotation_of(const drawn_model *drawn, const saddle_contact_side *side, double *R)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int turns = side->part.item == SADDLE_ITEM_BODY;
    memcpy(R, turns ? saddle_model_position(drawn->model, side->part) + 3 : one, sizeof one);
}

/* omega_b - omega_a along v, by differences of the rotations: dR/dt = [omega] R. */
static void relative_turn(const drawn_model *drawn, saddle_assembly *assembly,
                          const saddle_contact_point *contact, const double *v, int still,
                          double *turn)
{
    const saddle_contact_side *const sides[2] = {&contact->a, &contact->b};
    double R[2][2][9], there[9], S[9];
    drawn_state state;
    drawn_keep(drawn, &state);
    for (int k = 0; k < 2; k++) {
        move_parts(drawn, assembly, k ? -1e-5 : 1e-5, v, still, &state);
        for (int side = 0; side < 2; side++) rotation_of(drawn, sides[side], R[side][k]);
        drawn_restore(drawn, &state);
    }
    memset(turn, 0, 3 * sizeof *turn);
    for (int side = 0; side < 2; side++) {
        rotation_of(drawn, sides[side], there);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                S[3 * i + j] = 0;
                for (int k = 0; k < 3; k++)
                    S[3 * i + j] += (R[side][0][i + 3 * k] - R[side][1][i + 3 * k]) / 2e-5 *
                                    there[j + 3 * k];
            }
        turn[0] += (side ? 0.5 : -0.5) * (S[7] - S[5]);
        turn[1] += (side ? 0.5 : -0.5) * (S[2] - S[6]);
        turn[2] += (side ? 0.5 : -0.5) * (S[3] - S[1]);
    }
}

/* Rows of torsion and rolling at v, an entry of which is 1; rows: of the contact. */
static void check_turning(const saddle_contact_point *contact, double J[6][64], int64_t j,
                          int64_t rows, const double *turn)
{
    const double about = saddle__dot(contact->normal, turn);
    const int torsion = rows == 4 || rows == 6;
    if (torsion && !(fabs(J[3][j] - about) <= 1e-8))
        fail_msg("the torsion's entry %d is off by %g", (int)j, J[3][j] - about);
    if (rows < 5) return;
    const double *first = J[3 + torsion], *second = J[4 + torsion];
    const double rolling = first[j] * first[j] + second[j] * second[j];
    const double rest = saddle__dot(turn, turn) - about * about;
    if (!(fabs(rolling - rest) <= 1e-7)) fail_msg("rolling is off by %g", rolling - rest);
    if (saddle__dot(contact->tangent, contact->tangent) == 0) return;
    assert_true(fabs(first[j] - saddle__dot(contact->tangent, turn)) <= 1e-8);
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

static void check_contact(const drawn_model *drawn, saddle_assembly *assembly,
                          const saddle_contact_point *contact)
{
    const saddle_problem *p = saddle_assembly_problem(assembly);
    const int64_t row = saddle_assembly_contact_row(assembly, contact->id);
    double J[6][64], directions[3][3] = {{0}}, v[64] = {0}, rate[3], moving[3], given[3], turn[3];
    assert_true(row >= 0);
    const int64_t rows = rows_of_contact(p, row);
    for (int64_t k = 0; k < rows; k++) dense_row(p, row + k, J[k]);
    for (int64_t j = 0; j < p->n; j++) { /* J_kj = d_k . dx/dv_j; of tangents that were chosen the
                                            length is known */
        v[j] = 1;
        relative_rate(drawn, assembly, contact, v, 1, rate);
        relative_turn(drawn, assembly, contact, v, 1, turn);
        v[j] = 0;
        check_turning(contact, J, j, rows, turn);
        const double normal = saddle__dot(contact->normal, rate);
        if (!(fabs(J[0][j] - normal) <= 1e-8))
            fail_msg("the normal's entry %d is off by %g", (int)j, J[0][j] - normal);
        const double tangents = J[1][j] * J[1][j] + J[2][j] * J[2][j];
        const double rest = saddle__dot(rate, rate) - normal * normal;
        if (!(fabs(tangents - rest) <= 1e-7))
            fail_msg("the tangents' entries are off by %g", tangents - rest);
        if (saddle__dot(contact->tangent, contact->tangent) == 0) continue;
        assert_true(fabs(J[1][j] - saddle__dot(contact->tangent, rate)) <= 1e-8);
        saddle__cross(contact->normal, contact->tangent, directions[2]);
        assert_true(fabs(J[2][j] - saddle__dot(directions[2], rate)) <= 1e-8);
    }
    relative_rate(drawn, assembly, contact, v, 0, given); /* v = 0: prescribed parts alone */
    relative_turn(drawn, assembly, contact, v, 0, turn);
    if (rows == 4 || rows == 6)
        assert_true(fabs(p->b[row + 3] + saddle__dot(contact->normal, turn)) <= 1e-6);
    saddle_assembly_get_velocity(assembly, v);
    relative_rate(drawn, assembly, contact, v, 1, moving);
    const double given_n = saddle__dot(contact->normal, given),
                 moving_n = saddle__dot(contact->normal, moving);
    const double b = wanted_rate(contact, given_n + moving_n) - given_n;
    if (!(fabs(p->b[row] - b) <= 1e-6)) fail_msg("b is off by %g", p->b[row] - b);
    const double slide = p->b[row + 1] * p->b[row + 1] + p->b[row + 2] * p->b[row + 2];
    assert_true(fabs(slide - (saddle__dot(given, given) - given_n * given_n)) <= 1e-6);
    const double T = plain_stage.row_step + contact->compliance.beta;
    assert_true(fabs(saddle_matrix_entry(&p->R, row, row) -
                     contact->compliance.alpha / (0.1 * T)) <= 1e-12);
    assert_true(saddle_assembly_phi(assembly)[row] == contact->gap);
}

static void rows_are_the_relative_motion_of_the_touching_points(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(500); draw++) {
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
            draw_friction(&state, contact);
        }
        const saddle_status status = saddle_assembly_update(assembly, &plain_stage, &list, NULL);
        if (status != SADDLE_OK) fail_msg("%s", saddle_context_message(context));
        assert_int_equal(saddle_problem_check(context, saddle_assembly_problem(assembly), NULL,
                                              NULL),
                         SADDLE_OK);
        for (int k = 0; k < CONTACTS; k++) check_contact(&drawn, assembly, &list.point[k]);
        saddle_contact_list_clear(&list);
        saddle_assembly_free(assembly);
        drawn_clear(&drawn);
        saddle_context_free(context);
    }
}

/* ---- tangents ---- */

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
    static const double up[3] = {0, 0, 1}, xy[6] = {1, 0, 0, 0, 1, 0},
                        singular[3] = {-2.0 / 7, -3.0 / 7, -6.0 / 7};
    touching t;
    double n[3], tangents[6], other[6];
    touching_begin(NULL, &t);
    (void)touching_add(&t, 0);
    tangents_of(&t, up, tangents);
    assert_true(test_distance(tangents, xy, 6) <= 1e-15);
    tangents_of(&t, singular, tangents);
    assert_true(fabs(saddle__dot(tangents, singular)) <= 1e-15);
    for (int draw = 0; draw < test_draws(2000); draw++) {
        double cross[3], near[3], difference[3];
        draw_unit(&state, n);
        tangents_of(&t, n, tangents);
        saddle__cross(n, tangents, cross);
        assert_true(test_distance(cross, tangents + 3, 3) <= 1e-14);
        assert_true(fabs(saddle__dot(tangents, tangents) - 1) <= 1e-14 &&
                    fabs(saddle__dot(tangents, n)) <= 1e-14);
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

/* ---- momentum ---- */

/* What contacts between free parts push adds up to no force and, as their points coincide, to no
 * moment. */
static void contacts_between_parts_keep_the_momenta(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(200); draw++) {
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
        draw_friction(&state, contact);
        const int between = contact->a.part.item != 0 && contact->b.part.item != 0;
        if (contact->b.part.item == SADDLE_ITEM_PARTICLE) {
            memcpy(contact->b.point, saddle_model_position(drawn.model, contact->b.part),
                   sizeof contact->b.point);
        }
        memcpy(contact->a.point, contact->b.point, sizeof contact->a.point);
        const int apart = contact->a.part.item == SADDLE_ITEM_PARTICLE;
        assert_int_equal(saddle_assembly_update(assembly, &plain_stage, &list, NULL), SADDLE_OK);
        const int64_t rows = saddle_assembly_problem(assembly)->contacts[0].size;
        for (int64_t k = 0; between && k < rows; k++) { /* v = M^-1 J' has the momenta of an impulse
                                                           1 */
            saddle_problem free = *saddle_assembly_problem(assembly);
            saddle_solution solution = {0};
            double f[64];
            dense_row(&free, saddle_assembly_contact_row(assembly, 1) + k, f);
            free.m = free.contact_count = 0;
            free.Jt = free.R = (saddle_matrix){0};
            free.f = f;
            assert_int_equal(saddle_solve(context, &free, "ldlt", NULL, NULL, &solution, NULL),
                             SADDLE_OK);
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
        cmocka_unit_test(tangents_turn_smoothly_with_the_normal),
        cmocka_unit_test(contacts_between_parts_keep_the_momenta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
