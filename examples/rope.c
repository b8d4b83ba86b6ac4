/* SPDX-License-Identifier: MIT */
/* A rope of 100 links with bending stiffness and damping, hung between two posts: a tree whose last
 * link is closed to the world by two rows.  Its mass matrix is dense; the solver of the rows takes
 * the recursion over the links in place of a factorization, so that memory and the time of a step
 * are linear in the links.  rope.txt has the output.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "saddle/saddle.h"

enum { LINKS = 100, STEPS = 1500 };

static saddle_status make_rope(saddle_context *context, saddle_tree **rope)
{
    const saddle_body_inertia link = {0.05, {0.05, 0, 0}, {1e-6, 0, 0, 0, 4e-5, 0, 0, 0, 4e-5}};
    const double g[3] = {0, -9.81, 0};
    saddle_tree_body body[LINKS];
    double stiffness[LINKS], damping[LINKS];
    for (int k = 0; k < LINKS; k++) { /* hinges about z, 0.1 m apart */
        body[k] = (saddle_tree_body){k - 1, saddle_motion_revolute(), link};
        body[k].joint.before.p[0] = k > 0 ? 0.1 : 0;
        stiffness[k] = k > 0 ? 0.05 : 0; /* [N m/rad] */
        damping[k] = 1;                  /* [N m s/rad] */
    }
    saddle_status status = saddle_tree_create(context, LINKS, body, rope);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(*rope, g);
    if (status == SADDLE_OK) status = saddle_tree_set_springs(*rope, stiffness, damping, NULL);
    return status;
}

int main(void)
{
    const int64_t ends[2] = {-1, LINKS - 1};
    const double post[3] = {8, 0, 0}, tip[3] = {0.1, 0, 0}, z[3] = {0, 0, 1}, h = 0.05;
    const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES,
                                     .time_step = h,
                                     .rate = 10,
                                     .matrix_free = 1};
    saddle_context *context = NULL;
    saddle_tree *rope = NULL;
    saddle_solver *solver = NULL;
    saddle_mass_operator mass;
    saddle_problem problem = {0};
    saddle_solution x = {0};
    saddle_tree_row rows[2];
    saddle_pose pose[LINKS];
    double q[LINKS] = {0}, dq[LINKS] = {0};
    q[0] = -acos(0.8); /* down to the middle and up to the post */
    q[LINKS / 2] = 2 * acos(0.8);
    saddle_tree_rows_in_plane(ends, post, tip, z, rows);

    saddle_status status = saddle_context_create(NULL, &context);
    if (status == SADDLE_OK) status = make_rope(context, &rope);
    if (status == SADDLE_OK) status = saddle_tree_mass_operator(rope, &mass);
    if (status == SADDLE_OK) status = saddle_solver_create(context, "schur", NULL, &solver);
    if (status == SADDLE_OK) status = saddle_solver_set_mass(solver, &mass);
    if (status == SADDLE_OK) status = saddle_solution_create(context, LINKS, 2, &x);
    for (int step = 0; status == SADDLE_OK && step < STEPS; step++) {
        status = saddle_tree_place(rope, q, dq);
        if (status == SADDLE_OK) status = saddle_tree_factor(rope, h);
        if (status == SADDLE_OK && step == 0) {
            status = saddle_tree_problem(rope, 2, rows, &stage, NULL, NULL, &problem);
            if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &problem);
        } else if (status == SADDLE_OK) {
            status = saddle_tree_problem_values(rope, 2, rows, &stage, NULL, NULL, &problem);
        }
        if (status == SADDLE_OK) status = saddle_solver_factor(solver, &problem);
        if (status == SADDLE_OK) status = saddle_solver_solve(solver, &problem, NULL, &x);
        for (int j = 0; status == SADDLE_OK && j < LINKS; j++) q[j] += h * (dq[j] = x.v[j]);
    }
    if (status == SADDLE_OK) status = saddle_tree_place(rope, q, dq);
    if (status == SADDLE_OK) status = saddle_tree_poses(rope, pose);
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_context_message(context));
    if (status == SADDLE_OK) {
        printf("entries of M      %9lld\n", (long long)saddle_matrix_entries(&problem.M));
        printf("lowest point      %9.3f m\n", pose[LINKS / 2].p[1]);
        printf("pull at the post  %9.2f N along, %.2f N across: half of %.2f N\n",
               fabs(x.lambda[0]) / h, fabs(x.lambda[1]) / h, LINKS * 0.05 * 9.81);
    }
    saddle_solution_clear(&x);
    saddle_problem_clear(&problem);
    saddle_solver_free(solver);
    saddle_tree_free(rope);
    saddle_context_free(context);
    return status != SADDLE_OK;
}
