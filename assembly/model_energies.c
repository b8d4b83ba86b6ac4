/* SPDX-License-Identifier: MIT */
/* Energies and momenta of a model.
 */
#include "model_internal.h"
#include "space/space.h"

/* Adds momentum p at x, and an own moment; world axes. */
static void add_momentum(saddle_energies *sum, const double *x, const double *p, const double *own)
{
    double arm[3];
    saddle__cross(x, p, arm);
    for (int i = 0; i < 3; i++) {
        sum->momentum[i] += p[i];
        sum->moment[i] += arm[i] + own[i];
    }
}

static void add_body(const saddle_model *model, const saddle__item_part *part, saddle_energies *sum)
{
    const saddle_pose *pose = (const saddle_pose *)(const void *)(model->position + part->position);
    const double *twist = model->velocity + part->velocity;
    double momentum[6], center[3];
    saddle_body_inertia_multiply(&part->inertia, twist, momentum);
    for (int k = 0; k < 6; k++) sum->kinetic += twist[k] * momentum[k] / 2;
    saddle__rotate(pose->R, momentum, momentum);
    saddle__rotate(pose->R, momentum + 3, momentum + 3);
    add_momentum(sum, pose->p, momentum, momentum + 3);
    saddle__rotate(pose->R, part->inertia.center, center);
    for (int i = 0; i < 3; i++) center[i] += pose->p[i];
    sum->gravity -= part->inertia.mass * saddle__dot(model->gravity, center);
}

static void add_particle(const saddle_model *model, const saddle__item_part *part,
                         saddle_energies *sum)
{
    static const double none[3] = {0, 0, 0};
    const double *x = model->position + part->position, *v = model->velocity + part->velocity;
    const double p[3] = {part->mass * v[0], part->mass * v[1], part->mass * v[2]};
    sum->kinetic += saddle__dot(p, v) / 2;
    sum->gravity -= part->mass * saddle__dot(model->gravity, x);
    add_momentum(sum, x, p, none);
}

/* Adds mass entry (i, j): momentum at i from the velocity at j. */
static void add_mass_entry(const saddle_model *model, const saddle__item_part *part, int64_t i,
                           int64_t j, double m, saddle_energies *sum)
{
    static const double none[3] = {0, 0, 0};
    const double *x = model->position + part->position, *v = model->velocity + part->velocity;
    double p[3] = {0, 0, 0};
    p[i % 3] = m * v[j];
    sum->kinetic += p[i % 3] * v[i] / 2;
    add_momentum(sum, x + i / 3 * 3, p, none);
    sum->gravity -= m * model->gravity[j % 3] * x[i];
}

static void add_nodes(const saddle_model *model, const saddle__item_part *part,
                      saddle_energies *sum)
{
    const double *x = model->position + part->position;
    const saddle_matrix *M = &part->M, *K = &part->K;
    for (int64_t j = 0; j < M->cols; j++) {
        for (int64_t e = M->start[j]; e < M->start[j + 1]; e++) {
            const int64_t i = M->index[e];
            add_mass_entry(model, part, i, j, M->value[e], sum);
            if (i != j) add_mass_entry(model, part, j, i, M->value[e], sum);
        }
    }
    for (int64_t j = 0; j < K->cols; j++) {
        for (int64_t e = K->start[j]; e < K->start[j + 1]; e++) {
            const int64_t i = K->index[e];
            sum->elastic += K->value[e] * (x[i] - part->rest[i]) * (x[j] - part->rest[j]) *
                            (i == j ? 0.5 : 1);
        }
    }
}

saddle_energies saddle_model_energies(saddle_model *model)
{
    if (!model) return (saddle_energies){0};
    saddle_energies sum = {0};
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[model->parts.order[k]];
        if (part->prescribed) continue;
        if (part->head.item == SADDLE_ITEM_BODY)
            add_body(model, part, &sum);
        else if (part->head.item == SADDLE_ITEM_PARTICLE)
            add_particle(model, part, &sum);
        else
            add_nodes(model, part, &sum);
    }
    for (int32_t k = 0; k < model->forces.count; k++) {
        const saddle__item_link *force = &model->force[model->forces.order[k]];
        if (!force->force->energy && !force->force->kinetic) continue;
        saddle__site_buffer buffer;
        const saddle_site site = saddle__model_site(model, force->count, force->anchors,
                                                    force->data, &buffer);
        if (force->force->energy) sum.elastic += force->force->energy(&site);
        if (force->force->kinetic) sum.kinetic += force->force->kinetic(&site);
    }
    return sum;
}
