/* SPDX-License-Identifier: MIT */
/* A double pendulum in two angles.  Rods are frames on hinges, bobs of 1 kg particles on the rods;
 * all follow from the angles, so 2 of 20 velocities are solved for. Prints the angles, the change
 * of energy, and the pull in the lower rod, recovered with the velocities. pendulum.txt has the
 * output.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

enum { SHOULDER, ELBOW, UPPER, LOWER, FIRST, SECOND, PARTS }; /* ids */
enum { N = 1 + 1 + 6 + 6 + 3 + 3, BOBS = N - 6, POSITIONS = 1 + 1 + 12 + 12 + 3 + 3, STEPS = 2000 };
enum { ATTACHED = N - 2 }; /* attached velocities; the last three: second bob */

static saddle_status build(saddle_attachments *graph, saddle_couplings *couplings)
{
    static const double hinge[6] = {0, 0, 0, 0, 0, 1}; /* turns about z */
    static const double tip[3] = {1, 0, 0}; /* rods of 1 m, along x where the angle is 0 */
    const int64_t upper = UPPER;
    static const saddle_component part[PARTS] = {
        {.id = SHOULDER, .name = "shoulder", .kind = SADDLE_COMPONENT_COORDINATES, .size = 1},
        {.id = ELBOW, .name = "elbow", .kind = SADDLE_COMPONENT_COORDINATES, .size = 1},
        {.id = UPPER, .name = "upper rod", .kind = SADDLE_COMPONENT_FRAME},
        {.id = LOWER, .name = "lower rod", .kind = SADDLE_COMPONENT_FRAME},
        {.id = FIRST, .name = "first bob"},
        {.id = SECOND, .name = "second bob"}};
    saddle_motion joint = {
        1, saddle_pose_identity(), saddle_pose_identity(), saddle_motion_screw, NULL, hinge, NULL};
    saddle_status status = SADDLE_OK;
    for (int k = 0; status == SADDLE_OK && k < PARTS; k++)
        status = saddle_attachments_add(graph, &part[k]);
    if (status == SADDLE_OK)
        status = saddle_couplings_add_body_on_joint(couplings, UPPER, NULL, SHOULDER, &joint);
    joint.before.p[0] = 1;
    if (status == SADDLE_OK)
        status = saddle_couplings_add_body_on_joint(couplings, LOWER, &upper, ELBOW, &joint);
    if (status == SADDLE_OK)
        status = saddle_couplings_add_point_on_frame(couplings, FIRST, UPPER, tip);
    if (status == SADDLE_OK)
        status = saddle_couplings_add_point_on_frame(couplings, SECOND, LOWER, tip);
    return status == SADDLE_OK ? saddle_couplings_compile(couplings) : status;
}

typedef struct pendulum {
    saddle_attachments *graph;
    saddle_couplings *couplings;
    saddle_elimination *elimination;
    saddle_solver *solver;
    saddle_solution reduced, whole;
    double position[POSITIONS], v[N];
} pendulum;

/* Momenta of the bobs plus the impulse of gravity along x in a step of h [s] [N s]. */
static void push_bobs(const pendulum *p, double h, double gravity, double *f)
{
    for (int i = 0; i < 6; i++) f[BOBS + i] = p->v[BOBS + i] + (i % 3 == 0 ? h * gravity : 0);
}

static saddle_status prepare(pendulum *p, const saddle_problem *problem)
{
    saddle_status status = saddle_attachments_create(NULL, &p->graph);
    if (status == SADDLE_OK) status = saddle_couplings_create(NULL, p->graph, &p->couplings);
    if (status == SADDLE_OK) status = build(p->graph, p->couplings);
    if (status == SADDLE_OK)
        status = saddle_elimination_create(NULL, p->graph, problem, SADDLE_WISH_ELIMINATE, NULL,
                                           NULL, &p->elimination);
    if (status == SADDLE_OK) status = saddle_solver_create(NULL, "ldlt", NULL, &p->solver);
    if (status == SADDLE_OK)
        status = saddle_solver_analyse(p->solver, saddle_elimination_problem(p->elimination));
    if (status == SADDLE_OK) status = saddle_solution_create(NULL, 2, 0, &p->reduced);
    return status == SADDLE_OK ? saddle_solution_create(NULL, N, ATTACHED, &p->whole) : status;
}

/* Eliminates, solves, recovers: the same pattern in every step, so nothing is allocated. */
static saddle_status solve(pendulum *p, const saddle_problem *problem)
{
    const saddle_problem *small = saddle_elimination_problem(p->elimination);
    saddle_status status = saddle_elimination_form(p->elimination, p->graph, problem);
    if (status == SADDLE_OK) status = saddle_solver_factor(p->solver, small);
    if (status == SADDLE_OK) status = saddle_solver_solve(p->solver, small, NULL, &p->reduced);
    if (status != SADDLE_OK) return status;
    return saddle_elimination_recover(p->elimination, problem, &p->reduced, &p->whole);
}

static double energy_of(const pendulum *p, double gravity)
{
    const double *bob = p->position + POSITIONS - 6;
    double energy = -gravity * (bob[0] + bob[3]);
    for (int i = 0; i < 6; i++) energy += p->v[BOBS + i] * p->v[BOBS + i] / 2;
    return energy;
}

static void release(pendulum *p)
{
    saddle_solution_clear(&p->reduced);
    saddle_solution_clear(&p->whole);
    saddle_solver_free(p->solver);
    saddle_elimination_free(p->elimination);
    saddle_couplings_free(p->couplings);
    saddle_attachments_free(p->graph);
}

int main(void)
{
    const double h = 1e-3, gravity = 10;                        /* [s], [m/s^2] */
    double f[N] = {0}, mass[6] = {1, 1, 1, 1, 1, 1}, began = 0; /* only bobs have mass */
    int64_t start[N + 1] = {0}, index[6];
    for (int i = 0; i < 6; i++) index[i] = BOBS + i;
    for (int i = 0; i <= N; i++) start[i] = i > BOBS ? i - BOBS : 0;
    const saddle_problem problem = {
        .n = N, .f = f, .M = saddle_matrix_view(N, N, start, index, mass, SADDLE_SYMMETRY_LOWER)};
    const saddle_coupling_step turning = {.time_step = h, .fictitious = SADDLE_FICTITIOUS_TERM};
    pendulum p = {.position = {1.5, 0.5}};
    saddle_status status = prepare(&p, &problem);
    for (int step = 0; status == SADDLE_OK && step <= STEPS; step++) {
        status = saddle_couplings_update(p.couplings, &turning, p.position, p.v);
        if (step == 0) began = energy_of(&p, gravity);
        double energy = energy_of(&p, gravity) - began;
        push_bobs(&p, h, gravity, f);
        if (status == SADDLE_OK) status = solve(&p, &problem);
        if (status == SADDLE_OK && step % 400 == 0)
            printf("%.1f s   shoulder %6.3f   elbow %6.3f   energy %+.3f J   pull %6.2f N\n",
                   step * h, p.position[0], p.position[1], energy,
                   hypot(p.whole.lambda[ATTACHED - 3], p.whole.lambda[ATTACHED - 2]) / h);
        for (int i = 0; i < 2; i++) {
            p.v[i] = p.reduced.v[i];
            p.position[i] += h * p.v[i];
        }
    }
    if (status != SADDLE_OK) fprintf(stderr, "%s\n", saddle_status_text(status));
    release(&p);
    return status == SADDLE_OK ? 0 : 1;
}
