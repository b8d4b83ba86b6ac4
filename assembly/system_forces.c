/* SPDX-License-Identifier: MIT */
/* Forces f(q, v, t), their share of Mhat, and f of the system (saddle/assembly.h).
 *
 *     particle   m g                                                              + what was pushed
 *     body       (m R'g, c x m R'g) in its own axes                               + what was pushed
 *     nodes      M g - K (x - rest) - (a M + b K) v                               + what was pushed
 *
 * The gyroscopic force ad(twist)'M twist of a body acts for a time of its own.  It turns with the
 * velocity, gravity with the axes, (R exp [d])'g = R'g + [R'g] d; the Jacobians of both, taken in
 * where the options say so, are not symmetric.
 */
#include <math.h>

#include "items.h"
#include "saddle/spatial.h"
#include "space/space.h"
#include "system.h"

/* y += scale A x, A given by its lower triangle. */
static void add_product(const saddle_matrix *A, double scale, const double *x, double *y)
{
    for (int64_t j = 0; j < A->cols; j++) {
        double sum = 0;
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const int64_t i = A->index[e];
            y[i] += scale * A->value[e] * x[j];
            if (i != j) sum += A->value[e] * x[i];
        }
        y[j] += scale * sum;
    }
}

/* ---- parts ---- */

/* one part: its state, and where its force F and its share of the system's f go */
typedef struct moving {
    const saddle__part *part;
    const double *x, *v, *push;
    double *F, *f;
    const double *weight; /* of nodes */
    int64_t column;
} moving;

/* Momenta stay out of the system's f where it is for accelerations. */
static double share_of_momentum(const saddle_assembly *a)
{
    return a->accelerates ? 0 : 1;
}

static void push_particle(const saddle_assembly *a, const moving *p)
{
    for (int i = 0; i < 3; i++) {
        p->f[i] = share_of_momentum(a) * p->part->mass * p->v[i];
        p->F[i] = p->part->mass * a->model->gravity[i] + p->push[i];
    }
}

/* Blocks of the gyroscopic force and of gravity; M's body block is whole then. */
static void turn_body(saddle_assembly *a, const saddle_stage *stage, const moving *p,
                      const double *weight, const double *D)
{
    double K[36] = {0}, W[9], moment[9];
    saddle__skew(weight, W);
    saddle__skew(p->part->inertia.center, moment);
    saddle__product3(moment, W, moment);
    for (int j = 0; j < 3; j++) {
        memcpy(K + 6 * (3 + j), W + 3 * j, 3 * sizeof *K);
        memcpy(K + 6 * (3 + j) + 3, moment + 3 * j, 3 * sizeof *K);
    }
    for (int j = 0; j < 6; j++) {
        double *value = a->problem.M.value +
                        saddle__system_entry(&a->problem.M, p->column, p->column + j);
        for (int i = 0; i < 6; i++) {
            const double held = stage->damping * D[i + 6 * j] + stage->stiffness * K[i + 6 * j];
            value[i] -= held;
            p->f[i] += (stage->velocity_force * K[i + 6 * j] - held) * p->v[j];
        }
    }
}

static void push_body(saddle_assembly *a, const saddle_stage *stage, const moving *p)
{
    const saddle_body_inertia *inertia = &p->part->inertia;
    const double *R = p->x + 3;
    double momentum[6], gyroscopic[6], weight[3], moment[3], D[36];
    const int turns = a->implicit && a->options.gyroscopic_jacobian;
    saddle_body_inertia_multiply(inertia, p->v, momentum);
    if (turns)
        saddle_body_inertia_coriolis(inertia, p->v, gyroscopic, D);
    else
        saddle_twist_cross_dual(p->v, momentum, gyroscopic);
    saddle__unrotate(R, a->model->gravity, weight);
    for (int i = 0; i < 3; i++) weight[i] *= inertia->mass;
    saddle__cross(inertia->center, weight, moment);
    for (int i = 0; i < 6; i++) {
        p->f[i] = share_of_momentum(a) * momentum[i] + stage->gyroscopic * gyroscopic[i];
        p->F[i] = (i < 3 ? weight[i] : moment[i - 3]) + p->push[i];
    }
    if (turns) turn_body(a, stage, p, weight, D);
}

static void push_nodes(saddle_assembly *a, const saddle_stage *stage, const moving *p)
{
    const saddle__part *part = p->part;
    const double *g = a->model->gravity;
    const int64_t size = part->size;
    double *momentum = p->f; /* first M v, then K v on its way into both */
    memset(momentum, 0, (size_t)size * sizeof *momentum);
    add_product(&part->M, 1, p->v, momentum);
    for (int64_t i = 0; i < size; i++) {
        p->F[i] = saddle__dot(p->weight + 3 * i, g) - part->damping_mass * momentum[i] + p->push[i];
        momentum[i] *= share_of_momentum(a) * (1 + stage->damping * part->damping_mass);
    }
    const double held = stage->stiffness + stage->damping * part->damping_stiffness -
                        stage->velocity_force;
    const saddle_matrix *K = &part->K;
    for (int64_t j = 0; j < K->cols; j++) {
        for (int64_t e = K->start[j]; e < K->start[j + 1]; e++) {
            const int64_t i = K->index[e];
            const double k = K->value[e], b = part->damping_stiffness;
            p->F[i] -= k * (p->x[j] - part->rest[j] + b * p->v[j]);
            p->f[i] += held * k * p->v[j];
            if (i == j) continue;
            p->F[j] -= k * (p->x[i] - part->rest[i] + b * p->v[i]);
            p->f[j] += held * k * p->v[i];
        }
    }
}

/* A host's pose is orthonormal to this: single precision is, what is scaled or mirrored is not. */
static const double pose_tolerance = 1e-6;

static saddle_status check_state(const saddle_assembly *a, const saddle__own *own, const moving *p)
{
    const saddle__part *part = p->part;
    const char *wrong = NULL;
    if (!saddle__all_finite(p->x, part->position_size) || !saddle__all_finite(p->v, part->size) ||
        !saddle__all_finite(p->push, part->size))
        wrong = "its state is not finite";
    else if (part->item == SADDLE_ITEM_BODY &&
             !saddle__is_nearly_rotation(p->x + 3, pose_tolerance))
        wrong = "its pose is not a rotation";
    if (wrong == NULL) return SADDLE_OK;
    return saddle__system_refuse(a, saddle__system_part_handle(a, own->place), wrong);
}

static saddle_status push_part(saddle_assembly *a, const saddle_stage *stage,
                               const saddle__own *own)
{
    saddle_model *model = a->model;
    const saddle__part *part = &model->part[own->place];
    const int64_t column = own->column < 0 ? 0 : own->column;
    const moving p = {part,
                      model->position + part->position,
                      model->velocity + part->velocity,
                      model->push + part->velocity,
                      a->force_now[a->turn] + column,
                      a->problem.f + column,
                      a->weight + 3 * own->weight,
                      column};
    const saddle_status status = check_state(a, own, &p);
    if (status != SADDLE_OK || own->column < 0) return status;
    if (part->item == SADDLE_ITEM_PARTICLE)
        push_particle(a, &p);
    else if (part->item == SADDLE_ITEM_BODY)
        push_body(a, stage, &p);
    else
        push_nodes(a, stage, &p);
    return SADDLE_OK;
}

/* ---- forces of the host's own ---- */

static saddle_status not_finite(const saddle_assembly *a, const saddle__acting *item,
                                const char *what)
{
    return saddle__system_refuse(a, saddle__system_force_handle(a, item->place), what);
}

/* What evaluate and jacobians answer, with the force's name. */
static saddle_status answer(const saddle_assembly *a, const saddle__acting *item,
                            saddle_status status)
{
    return status == SADDLE_OK
               ? SADDLE_OK
               : saddle__model_pass_on(a->model, saddle__system_force_handle(a, item->place),
                                       status);
}

/* K where momenta are turned with their bodies (stage->turned): what a wrench (F, N) gives is
 * turned with them, so that its change counts as seen from the axes of now, dF = K_F d + d x F for
 * a turn d; so does that of its moment about the centre of mass c: K += (0 -[F]; 0 -[N] -
 * [F][c]). */
static void hold_axes(saddle_assembly *a, const saddle__acting *item)
{
    const saddle__force *force = &a->model->force[item->place];
    for (int64_t k = 0; k < item->count; k++) {
        const saddle__part *part = saddle__model_part(a->model, force->anchors[k].part);
        if (part == NULL || part->item != SADDLE_ITEM_BODY) continue;
        const double *wrench = a->room.block_force[k];
        double *K = a->room.block_K[k * (item->count + 1)], F[9], N[9], c[9];
        saddle__skew(wrench, F);
        saddle__skew(wrench + 3, N);
        saddle__skew(part->inertia.center, c);
        saddle__product3(F, c, c);
        for (int64_t i = 0; i < 9; i++) {
            K[18 + i % 3 + 6 * (i / 3)] -= F[i];
            K[21 + i % 3 + 6 * (i / 3)] -= N[i] + c[i];
        }
    }
}

static saddle_status add_jacobians(saddle_assembly *a, const saddle_stage *stage,
                                   const saddle__acting *item, const saddle_site *site)
{
    const saddle__force *force = &a->model->force[item->place];
    saddle__block_room *room = &a->room;
    saddle__system_point_blocks(a, item);
    const saddle_status status = answer(a, item,
                                        force->type->jacobians(a->context, site, room->block_K,
                                                               room->block_D));
    if (status != SADDLE_OK) return status;
    if (!saddle__all_finite(room->K, item->size * item->size) ||
        !saddle__all_finite(room->D, item->size * item->size)) {
        return not_finite(a, item, "a Jacobian of it is not finite");
    }
    if (stage->turned && !force->type->symmetric) hold_axes(a, item);
    if (a->options.symmetric_stiffness && !force->type->symmetric) {
        saddle__system_symmetrize(a, item, room->block_K);
        saddle__system_symmetrize(a, item, room->block_D);
    }
    saddle__system_add_blocks(a, item, stage, room->block_K, room->block_D);
    return SADDLE_OK;
}

static saddle_status push_force(saddle_assembly *a, const saddle_stage *stage,
                                const saddle__acting *item)
{
    const saddle__force *force = &a->model->force[item->place];
    const int64_t *size = a->anchors.size + item->anchor,
                  *column = a->anchors.column + item->anchor;
    saddle__block_room *room = &a->room;
    const saddle_site site = saddle__system_site(a, item, force->data,
                                                 a->model->time + stage->ahead);
    double *next = room->force;
    for (int64_t k = 0; k < item->count; k++) {
        room->block_force[k] = next;
        next += size[k];
    }
    memset(room->force, 0, (size_t)item->size * sizeof *room->force);
    const saddle_status status = answer(a, item,
                                        force->type->evaluate(a->context, &site,
                                                              room->block_force));
    if (status != SADDLE_OK) return status;
    if (!saddle__all_finite(room->force, item->size))
        return not_finite(a, item, "it is not finite");
    for (int64_t k = 0; k < item->count; k++) {
        if (column[k] < 0) continue;
        for (int64_t i = 0; i < size[k]; i++)
            a->force_now[a->turn][column[k] + i] += room->block_force[k][i];
    }
    return item->map < 0 ? SADDLE_OK : add_jacobians(a, stage, item, &site);
}

/* ---- all ---- */

/* What a constraint bore last, less what will act at both ends of the step (stage->halves). */
static void take_kept(const saddle_assembly *a, const saddle_stage *stage,
                      const saddle__acting *item, double *force)
{
    const saddle_row_def *row = a->model->constraint[item->place].row;
    for (int64_t i = 0; i < item->rows; i++) {
        const int is_hard = row[i].purpose == SADDLE_HOLD && row[i].compliance.alpha == 0 &&
                            isinf(row[i].strength);
        force[i] = stage->halves && is_hard ? 0 : a->kept[item->row + i];
    }
}

/* Geometric stiffness of the forces that the constraints bore last: the symmetric part, unless M is
 * general anyway. */
static saddle_status add_geometric(saddle_assembly *a, const saddle_stage *stage,
                                   const saddle__acting *item)
{
    const saddle__constraint *c = &a->model->constraint[item->place];
    const saddle_handle handle = saddle__system_constraint_handle(a, item->place);
    saddle__block_room *room = &a->room;
    const saddle_site site = saddle__system_site(a, item, c->data, a->model->time);
    double force[SADDLE_CONSTRAINT_ROWS_MAX];
    take_kept(a, stage, item, force);
    saddle__system_point_blocks(a, item);
    const saddle_status status = c->type->stiffness(a->context, &site, force, room->block_K);
    if (status != SADDLE_OK) return saddle__model_pass_on(a->model, handle, status);
    if (!saddle__all_finite(room->K, item->size * item->size)) {
        return saddle__system_refuse(a, handle, "its stiffness is not finite");
    }
    if (a->options.symmetric_stiffness || a->problem.M.symmetry == SADDLE_SYMMETRIC) {
        saddle__system_symmetrize(a, item, room->block_K);
    }
    saddle__system_add_blocks(a, item, stage, room->block_K, room->block_D);
    return SADDLE_OK;
}

saddle_status saddle__system_forces(saddle_assembly *a, const saddle_stage *stage)
{
    const saddle_model *model = a->model;
    const int64_t n = a->problem.n;
    saddle__system_base(a, stage->damping, stage->stiffness);
    if (a->blocks || !a->base_written) {
        memcpy(a->problem.M.value, a->base,
               (size_t)saddle_matrix_entries(&a->problem.M) * sizeof *a->base);
    }
    a->base_written = 1;
    a->turn = !a->turn;
    saddle_status status = SADDLE_OK;
    for (int32_t k = 0; status == SADDLE_OK && k < model->parts.count; k++)
        status = push_part(a, stage, &a->part[k]);
    for (int32_t k = 0; status == SADDLE_OK && k < model->forces.count; k++)
        status = push_force(a, stage, &a->force[k]);
    for (int32_t k = 0; status == SADDLE_OK && a->implicit && k < model->constraints.count; k++) {
        if (a->constraint[k].map >= 0) status = add_geometric(a, stage, &a->constraint[k]);
    }
    if (status != SADDLE_OK) return status;
    const double *now = a->force_now[a->turn], *added = stage->added_force;
    for (int64_t i = 0; i < n; i++)
        a->problem.f[i] += stage->time_step * (added == NULL ? now[i] : now[i] + added[i]);
    return SADDLE_OK;
}
