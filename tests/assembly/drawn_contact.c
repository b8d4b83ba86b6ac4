/* SPDX-License-Identifier: MIT */
/* See drawn_contact.h. */
#include "drawn_contact.h"

#include <math.h>
#include <string.h>

#include "space/space.h"

void draw_unit(uint64_t *state, double *n)
{
    double length = 0;
    while (length < 0.1) {
        for (int i = 0; i < 3; i++) n[i] = test_uniform(state, -1, 1);
        length = sqrt(saddle__dot(n, n));
    }
    for (int i = 0; i < 3; i++) n[i] /= length;
}

static void draw_side(uint64_t *state, const drawn_model *drawn, int64_t part,
                      saddle_contact_side *side)
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

void draw_contact(uint64_t *state, const drawn_model *drawn, int64_t id,
                  saddle_contact_point *contact)
{
    int64_t a = -1, b = -1;
    while (a == b || (!moves(drawn, a) && !moves(drawn, b))) {
        a = test_integer(state, -1, drawn->parts - 1);
        b = test_integer(state, -1, drawn->parts - 1);
    }
    *contact = (saddle_contact_point){.id = id,
                                      .gap = test_uniform(state, -0.2, 0.2),
                                      .mu = test_uniform(state, 0, 1)};
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

void draw_friction(uint64_t *state, saddle_contact_point *contact)
{
    if (test_integer(state, 0, 1)) contact->mu_torsion = test_uniform(state, 0.1, 1);
    if (test_integer(state, 0, 1)) contact->mu_rolling = test_uniform(state, 0.1, 1);
}

int64_t rows_of_contact(const saddle_problem *problem, int64_t row)
{
    int64_t c = 0;
    while (problem->contacts[c].row != row) c++;
    return problem->contacts[c].size;
}

void touching_begin(saddle_context *context, touching *t)
{
    const saddle_particle_def def = {.name = "grain", .mass = 1};
    *t = (touching){.list = {.context = context}};
    assert_int_equal(saddle_model_create(context, &t->model), SADDLE_OK);
    assert_int_equal(saddle_model_add_particle(t->model, &def, &t->part), SADDLE_OK);
    assert_int_equal(saddle_assembly_create(t->model, NULL, &t->assembly), SADDLE_OK);
}

void touching_end(touching *t)
{
    saddle_contact_list_clear(&t->list);
    saddle_assembly_free(t->assembly);
    saddle_model_free(t->model);
}

saddle_contact_point *touching_add(touching *t, int64_t id)
{
    saddle_contact_point *contact;
    assert_int_equal(saddle_contact_list_add(&t->list, &contact), SADDLE_OK);
    *contact = (saddle_contact_point){.id = id, .normal = {0, 0, 1}, .mu = 0.5};
    contact->b.part = t->part;
    return contact;
}

void dense_row(const saddle_problem *p, int64_t row, double *J)
{
    memset(J, 0, (size_t)p->n * sizeof *J);
    for (int64_t e = p->Jt.start[row]; e < p->Jt.start[row + 1]; e++)
        J[p->Jt.index[e]] += p->Jt.value[e];
}
