/* SPDX-License-Identifier: MIT */
/* MuJoCo's own soft contact problem: boxes 1.5 s after they were dropped.
 *
 *     M a - J'f = qfrc_smooth,    w = J a + R f - aref
 *
 *     elliptic cones    w in K*, f in K, w'f = 0, K = {|f_t| <= mu f_n}: the law `associated`
 *     pyramidal cones   a row for each edge, 0 <= f _|_ w >= 0
 *
 * These are the optimality conditions of min 1/2 f'(A + R) f + f'(a0 - aref) over the cones
 * (Todorov, Convex and analytically-invertible dynamics with contacts and constraints, ICRA 2014).
 * R > 0: forces are unique. */
#ifndef SADDLE_BENCH_MUJOCO_PILE_H
#define SADDLE_BENCH_MUJOCO_PILE_H

#include <mujoco/mujoco.h>

#include "saddle/saddle.h"

enum { MUJOCO_PILES = 4 };
extern const char *const mujoco_pile_names[MUJOCO_PILES];

typedef struct mujoco_pile {
    const char *name;
    mjModel *model;
    mjData *data;
} mujoco_pile;

/* Nonzero: MuJoCo does not take the model.  The pile is to be closed in any case. */
int mujoco_pile_open(int index, mujoco_pile *pile);
void mujoco_pile_close(mujoco_pile *pile);

saddle_status mujoco_pile_problem(saddle_context *context, const mujoco_pile *pile,
                                  saddle_problem *problem);

/* Seconds of a cold solve, from qacc_smooth, by the solver of model->opt. */
double mujoco_pile_solve(const mujoco_pile *pile);

#endif
