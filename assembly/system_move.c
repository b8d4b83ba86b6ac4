/* SPDX-License-Identifier: MIT */
/* q <- q + h v.
 *
 *     exponential     pose <- pose exp(h (nu, omega))
 *     finite          R <- R exp(h [omega]),  p <- p + h R nu     q <- q (cos h|omega|/2, sin .. u)
 *     infinitesimal   q <- (q + h/2 q (0, omega))/|..|,  p <- p + h R nu
 *         (seed 001, position update)
 *
 * A product of rotations drifts off them by rounding; one step of Newton's for the polar factor
 * takes that out.
 */
#include "items.h"
#include "saddle/rotation.h"
#include "space/space.h"
#include "system.h"

/* R <- R (3 I - R'R)/2: what is orthonormal to e is so to e^2 afterwards. */
static void make_orthonormal(double *R)
{
    double gram[9];
    saddle__transposed_product3(R, R, gram);
    for (int k = 0; k < 9; k++) gram[k] = ((k % 4 == 0 ? 3.0 : 0.0) - gram[k]) / 2;
    saddle__product3(R, gram, R);
}

static void turn_infinitesimal(const double *omega, double h, double *R)
{
    double q[4], rate[4];
    saddle_quaternion_from_matrix(R, q);
    saddle_quaternion_rate_body(q, omega, rate);
    for (int k = 0; k < 4; k++) q[k] += h * rate[k];
    if (saddle_quaternion_normalize(NULL, q) == SADDLE_OK) saddle_quaternion_to_matrix(q, R);
}

static void move_body(saddle_pose *pose, double h, const double *v, saddle_rotation_update update)
{
    double step[6], turn[9];
    for (int k = 0; k < 6; k++) step[k] = h * v[k];
    if (update == SADDLE_UPDATE_EXPONENTIAL) {
        const saddle_pose moved = saddle_pose_exp(step);
        *pose = saddle_pose_multiply(pose, &moved);
        make_orthonormal(pose->R);
        return;
    }
    double shift[3];
    saddle__rotate(pose->R, step, shift);
    for (int k = 0; k < 3; k++) pose->p[k] += shift[k];
    if (update == SADDLE_UPDATE_INFINITESIMAL) {
        turn_infinitesimal(v + 3, h, pose->R);
        return;
    }
    saddle_rotation_exp(step + 3, turn);
    saddle__product3(pose->R, turn, pose->R);
    make_orthonormal(pose->R);
}

void saddle_assembly_move(saddle_assembly *assembly, double h, const double *v,
                          saddle_rotation_update update)
{
    if (!assembly || (!v && assembly->problem.n > 0)) return;
    saddle_model *model = assembly->model;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__own *own = &assembly->part[k];
        const saddle__part *part = &model->part[own->place];
        const double *velocity = own->column < 0 ? model->velocity + part->velocity
                                                 : v + own->column;
        double *x = model->position + part->position;
        if (part->item == SADDLE_ITEM_BODY) {
            move_body((saddle_pose *)(void *)x, h, velocity, update);
            continue;
        }
        for (int64_t i = 0; i < part->size; i++) x[i] += h * velocity[i];
    }
    saddle__model_moved(model);
}
