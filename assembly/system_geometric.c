/* SPDX-License-Identifier: MIT */
/* Geometric stiffness of contacts and attachments in Mhat (saddle/assembly.h): the change of the
 * forces that arrive at velocities while the forces themselves stay, those of the last step.
 *
 *     contact      F = sum lambda_i d_i / h at a point that moves with its body, m the moments of
 *                  torsion and rolling: wrench (R'F, c x R'F + R'm), so
 *                  K = (0 [R'F]; 0 [c][R'F] + [R'm])
 *     attachment   K v = sum_j dA_kj(v)'F_k of the forces that arrive at k (saddle/couplings.h)
 *
 * Directions of contacts stay, those of nodes and particles have no K.
 */
#include "matrix/matrix_internal.h"
#include "segment.h"
#include "space/space.h"
#include "system.h"

/* Adds k = K_ij to M and to f; half of it, and half at K_ji, where the symmetric part is asked
 * for. */
static void add_entry(saddle_assembly *a, const saddle_stage *stage, int64_t i, int64_t j, double k)
{
    const int lower = a->problem.M.symmetry == SADDLE_SYMMETRIC;
    const int halves = lower || a->options.symmetric_stiffness;
    for (int turned = 0; turned < 1 + halves; turned++) {
        const int64_t row = turned ? j : i, col = turned ? i : j;
        const double share = halves ? k / 2 : k;
        if (!lower || row >= col) {
            const int64_t e = saddle__matrix_find(&a->problem.M, row, col);
            a->problem.M.value[e] -= stage->stiffness * share;
        }
        a->problem.f[row] += (stage->velocity_force - stage->stiffness) * share *
                             a->geometric_velocity[col];
    }
}

/* ---- contacts ---- */

static void add_side(saddle_assembly *a, const saddle_stage *stage, const saddle_contact_side *side,
                     const double *F, const double *m, double sign)
{
    const saddle__item_part *part = saddle__model_part(a->model, side->part);
    const int64_t column = part ? a->column[side->part.index] : -1;
    double local[3], moment[3], X[3], turned[9], K[36] = {0};
    if (column < 0 || part->head.item != SADDLE_ITEM_BODY) return;
    saddle_pose pose;
    memcpy(&pose, a->model->position + part->position, sizeof pose);
    for (int i = 0; i < 3; i++) X[i] = side->point[i] - pose.p[i];
    saddle__unrotate(pose.R, X, X);
    saddle__unrotate(pose.R, F, local);
    saddle__unrotate(pose.R, m, moment);
    for (int i = 0; i < 3; i++) {
        local[i] *= sign;
        moment[i] *= sign;
    }
    saddle__add_turning(local, X, K);
    saddle__skew(moment, turned);
    for (int i = 0; i < 9; i++) K[3 + i % 3 + 6 * (3 + i / 3)] += turned[i];
    for (int64_t e = 18; e < 36; e++) add_entry(a, stage, column + e % 6, column + e / 6, K[e]);
}

static void add_contact(saddle_assembly *a, const saddle_stage *stage,
                        const saddle_contact_point *contact, int64_t slot)
{
    const double *kept = a->slots.slot[slot].force;
    const int64_t rows = a->problem.contacts[slot].size;
    double direction[3][3], F[3] = {0}, m[3] = {0};
    saddle__contact_frame(contact, direction);
    for (int64_t k = 0; k < rows; k++) {
        const int64_t about = k < 3 ? k : rows == 5 ? k - 2 : k - 3; /* as in the rows */
        for (int i = 0; i < 3; i++) (k < 3 ? F : m)[i] += kept[k] * direction[about][i];
    }
    add_side(a, stage, &contact->a, F, m, -1);
    add_side(a, stage, &contact->b, F, m, 1);
}

/* ---- attachments ---- */

saddle_status saddle__geometric_compile(saddle_assembly *a)
{
    saddle__system_attached *all = &a->attached;
    if (!a->options.geometric_stiffness || !a->implicit) return SADDLE_OK;
    if (!a->geometric_velocity)
        a->geometric_velocity = saddle_allocate(a->context, 2 * a->problem.n,
                                                sizeof *a->geometric_velocity);
    if (!a->geometric_velocity) return SADDLE_OUT_OF_MEMORY;
    if (!all->graph || all->K.cols > 0) return SADDLE_OK;
    SADDLE__TRY(saddle__system_follow(a, NULL));
    SADDLE__TRY(saddle_couplings_load(all->couplings, a->geometric_velocity, NULL));
    return saddle_couplings_stiffness_matrix(all->couplings, &all->K);
}

/* The forces of the last step: f(q, v, t) of this one, J'F of rows as they were.  Left out where
 * impulses of attachments act at both ends of a step, as of hard rows. */
static saddle_status add_attached(saddle_assembly *a, const saddle_stage *stage)
{
    saddle__system_attached *all = &a->attached;
    const saddle_problem *p = &a->problem;
    double *force = a->geometric_velocity + p->n;
    if (!all->graph || stage->halves) return SADDLE_OK;
    saddle__copy(force, a->force_now[a->turn], p->n);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t e = p->Jt.start[i]; e < p->Jt.start[i + 1]; e++)
            force[p->Jt.index[e]] += p->Jt.value[e] * a->kept[i];
    SADDLE__TRY(saddle_couplings_load(all->couplings, force, NULL));
    SADDLE__TRY(saddle_couplings_stiffness_values(all->couplings, &all->K));
    for (int64_t j = 0; j < all->K.cols; j++)
        for (int64_t e = all->K.start[j]; e < all->K.start[j + 1]; e++)
            add_entry(a, stage, all->K.index[e], j, all->K.value[e]);
    return SADDLE_OK;
}

saddle_status saddle__geometric_add(saddle_assembly *a, const saddle_stage *stage,
                                    const saddle_contact_list *contacts)
{
    if (!a->options.geometric_stiffness || !a->implicit) return SADDLE_OK;
    saddle_assembly_get_velocity(a, a->geometric_velocity);
    for (int64_t k = 0; contacts && k < contacts->count; k++)
        add_contact(a, stage, &contacts->point[k], a->slots.slot_of[k]);
    return add_attached(a, stage);
}
