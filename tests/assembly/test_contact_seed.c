/* SPDX-License-Identifier: MIT */
/* Contacts as seed 001 has them: its table C, N, D, and its linear complementarity problem. */
#include <math.h>
#include <string.h>

#include "drawn_contact.h"
#include "space/space.h"

static const saddle_stage plain_stage = {.time_step = 0.1,
                                         .gyroscopic = 0.1,
                                         .row_step = 0.1,
                                         .theta = 1};

/* ---- seed 001's table ---- */

/* C_lk = -1 for l = 2 i_k - 1, -[r_ki] for l = 2 i_k, 1 for l = 2 j_k - 1, [r_kj] for l = 2 j_k; J'
 * = C (n, t1, t2), the bodies' frames at their centres with the world's axes.  Here as wrenches on
 * the bodies: force d, moment r x d. */
static void rows_are_the_seeds_table(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int draw = 0; draw < test_draws(200); draw++) {
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
        for (int i = 0; i < 3; i++)
            contact->a.point[i] = contact->b.point[i] = test_uniform(&state, -1, 1);
        for (int k = 0; k < 2; k++) {
            saddle_body_def def = saddle_body_def_default();
            const double size[1] = {0.3};
            assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_SPHERE, size, 2,
                                                         &def.inertia),
                             SADDLE_OK);
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

/* ---- seed 001's complementarity problem ---- */

enum { HEAP = 3, HEAP_CONTACTS = 4 };

typedef struct heap { /* bodies about their centres, in the world: what the seed has */
    saddle_model *model;
    saddle_handle body[HEAP];
    /* inverse: of the moment of inertia */
    double mass[HEAP], inverse[HEAP][9], center[HEAP][3], u[HEAP][6], push[HEAP][6];
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
        const double size[3] = {test_uniform(state, 0.5, 1), test_uniform(state, 0.5, 1),
                                test_uniform(state, 0.5, 1)};
        all->mass[k] = test_uniform(state, 1, 3);
        assert_int_equal(saddle_body_inertia_of_mass(NULL, SADDLE_SHAPE_BOX, size, all->mass[k],
                                                     &def.inertia),
                         SADDLE_OK);
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
        saddle__rotate(def.inertia.moment, def.twist + 3, momentum); /* the seed's f_ext holds
                                                                        -omega x I omega */
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
        for (int i = 0; i < 3; i++)
            contact->a.point[i] = contact->b.point[i] = test_uniform(state, -1, 1);
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
    return saddle__dot(all->contacts.point[l].normal, all->contacts.point[k].normal) /
               all->mass[body] +
           saddle__dot(of_l, of_k);
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

/* b_k of N'C'(u + dt M^-1 f_ext) - v/dt; v_k = -gap_k.  Twists are in axes that turn: dnu/dt has
 * -omega x nu besides. */
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
    for (int draw = 0; draw < test_draws(300); draw++) {
        heap all;
        saddle_assembly *assembly;
        saddle_delassus *delassus;
        double W[36 * HEAP_CONTACTS * HEAP_CONTACTS], q[6 * HEAP_CONTACTS];
        draw_heap(&state, &all);
        assert_int_equal(saddle_assembly_create(all.model, NULL, &assembly), SADDLE_OK);
        assert_int_equal(saddle_assembly_update(assembly, &plain_stage, &all.contacts, NULL),
                         SADDLE_OK);
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
            if (!(fabs(q[row] - b) <= 1e-12 * (1 + fabs(b))))
                fail_msg("b is off by %g", q[row] - b);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_seeds_table),
        cmocka_unit_test(the_delassus_operator_is_the_seeds_complementarity_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
