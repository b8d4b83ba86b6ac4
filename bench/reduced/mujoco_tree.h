/* SPDX-License-Identifier: MIT */
/* MuJoCo 2.2.2 as a peer: trees of the links of reduced.c. */
#ifndef SADDLE_BENCH_MUJOCO_TREE_H
#define SADDLE_BENCH_MUJOCO_TREE_H

/* branches: children of a link, link i on (i - 1)/branches.  q, dq (links): as ours.  crb: 1 =
 * mj_crb, 0 = mj_forward.  Seconds of a call, the median of `repeats` times the mean of `runs`;
 * ddq (links; NULL is fine): qacc of mj_forward.  -1: the model does not compile. */
double mujoco_tree_seconds(int links, int branches, const double *q, const double *dq, int crb,
                           int repeats, int runs, double *ddq);

#endif
