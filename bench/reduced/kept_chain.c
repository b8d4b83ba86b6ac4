/* SPDX-License-Identifier: MIT */
/* See kept_chain.h.  Coordinates 0 .. links - 1, then bodies; in units of h = 1 the velocities of
 * the problem are accelerations, and the couplings' term is the drift. */
#include "kept_chain.h"

#include <string.h>

#include "../harness.h"

enum { KEPT_REPEATS = 5 };

typedef struct kept_chain {
    int64_t links;
    saddle_attachments *graph;
    saddle_couplings *couplings;
    saddle_elimination *elimination;
    saddle_solver *solver;
    saddle_solution solution;
    saddle_problem problem;
    double *position, *velocity;
} kept_chain;

static saddle_status add_links(saddle_context *context, kept_chain *c)
{
    static const double hinge[6] = {0, 0, 0, 0, 0, 1};
    saddle_status status = saddle_attachments_create(context, &c->graph);
    for (int64_t k = 0; status == SADDLE_OK && k < 2 * c->links; k++) {
        const int body = k >= c->links;
        const saddle_component part = {.id = k,
                                       .kind = body ? SADDLE_COMPONENT_FRAME
                                                    : SADDLE_COMPONENT_COORDINATES,
                                       .size = body ? 6 : 1};
        status = saddle_attachments_add(c->graph, &part);
    }
    if (status == SADDLE_OK) status = saddle_couplings_create(context, c->graph, &c->couplings);
    for (int64_t k = 0; status == SADDLE_OK && k < c->links; k++) {
        const int64_t parent = c->links + k - 1;
        saddle_motion joint = saddle_motion_revolute();
        joint.evaluate = saddle_motion_screw;
        joint.data = hinge;
        joint.before.p[1] = k > 0 ? -1 : 0;
        status = saddle_couplings_add_body_on_joint(c->couplings, c->links + k,
                                                    k > 0 ? &parent : NULL, k, &joint);
    }
    if (status == SADDLE_OK) status = saddle_couplings_compile(c->couplings);
    return status;
}

static saddle_status make_mass(saddle_context *context, kept_chain *c)
{
    const saddle_body_inertia rod = {1, {0, -0.5, 0}, {1.0 / 12, 0, 0, 0, 1e-2, 0, 0, 0, 1.0 / 12}};
    double M[36];
    int64_t count = 0;
    int64_t *row = saddle_allocate(context, 21 * c->links, sizeof *row);
    int64_t *col = saddle_allocate(context, 21 * c->links, sizeof *col);
    double *value = saddle_allocate(context, 21 * c->links, sizeof *value);
    saddle_body_inertia_matrix(&rod, M);
    saddle_status status = row && col && value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; status == SADDLE_OK && k < c->links; k++)
        for (int j = 0; j < 6; j++)
            for (int i = j; i < 6; i++) {
                row[count] = c->links + 6 * k + i;
                col[count] = c->links + 6 * k + j;
                value[count++] = M[i + 6 * j];
            }
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, 7 * c->links, 7 * c->links, count, row, col,
                                             value, SADDLE_SYMMETRY_LOWER, &c->problem.M);
    saddle_release(context, row);
    saddle_release(context, col);
    saddle_release(context, value);
    return status;
}

/* J' of the rows on the links. */
static saddle_status make_rows(saddle_context *context, kept_chain *c, const kept_rows *rows)
{
    saddle_matrix *Jt = &c->problem.Jt;
    int64_t entries = 0, fill = 0;
    c->problem.m = rows->count;
    for (int64_t k = 0; k < 6 * c->links * rows->count; k++) entries += rows->wrench[k] != 0;
    saddle_status status = saddle_matrix_create(context, 7 * c->links, rows->count, entries,
                                                SADDLE_SYMMETRY_NONE, Jt);
    for (int64_t i = 0; status == SADDLE_OK && i < rows->count; i++) {
        for (int64_t k = 0; k < 6 * c->links; k++) {
            const double value = rows->wrench[6 * c->links * i + k];
            if (value == 0) continue;
            Jt->index[fill] = c->links + k;
            Jt->value[fill++] = value;
        }
        Jt->start[i + 1] = fill;
    }
    return status;
}

/* Weights and gyroscopic wrenches at the present positions and twists. */
static void fill_forces(kept_chain *c)
{
    const saddle_body_inertia rod = {1, {0, -0.5, 0}, {1.0 / 12, 0, 0, 0, 1e-2, 0, 0, 0, 1.0 / 12}};
    for (int64_t k = 0; k < c->links; k++) {
        saddle_pose pose;
        double *f = c->problem.f + c->links + 6 * k;
        double weight[6] = {0}, load[6];
        memcpy(&pose, c->position + c->links + 12 * k, sizeof pose);
        for (int i = 0; i < 3; i++) weight[i] = -9.81 * pose.R[1 + 3 * i];
        saddle_body_inertia_coriolis(&rod, c->velocity + c->links + 6 * k, f, NULL);
        saddle_body_inertia_multiply(&rod, weight, load);
        for (int i = 0; i < 6; i++) f[i] += load[i];
    }
}

static saddle_status accelerate(kept_chain *c)
{
    const saddle_coupling_step step = {1, SADDLE_FICTITIOUS_TERM, SADDLE_AXES_BODY};
    saddle_status status = saddle_couplings_update(c->couplings, &step, c->position, c->velocity);
    if (status != SADDLE_OK) return status;
    fill_forces(c);
    status = saddle_elimination_form(c->elimination, c->graph, &c->problem);
    const saddle_problem *reduced = saddle_elimination_problem(c->elimination);
    if (status == SADDLE_OK) status = saddle_solver_factor(c->solver, reduced);
    if (status == SADDLE_OK) status = saddle_solver_solve(c->solver, reduced, NULL, &c->solution);
    return status;
}

static saddle_status prepare(saddle_context *context, kept_chain *c, const double *q,
                             const double *dq, const kept_rows *rows)
{
    const saddle_coupling_step step = {1, SADDLE_FICTITIOUS_TERM, SADDLE_AXES_BODY};
    c->problem = (saddle_problem){.n = 7 * c->links};
    c->problem.f = saddle_allocate(context, 7 * c->links, sizeof(double));
    c->position = saddle_allocate(context, 13 * c->links, sizeof(double));
    c->velocity = saddle_allocate(context, 7 * c->links, sizeof(double));
    if (!c->problem.f || !c->position || !c->velocity) return SADDLE_OUT_OF_MEMORY;
    memcpy(c->position, q, (size_t)c->links * sizeof *q);
    memcpy(c->velocity, dq, (size_t)c->links * sizeof *dq);
    saddle_status status = add_links(context, c);
    if (status == SADDLE_OK) status = make_mass(context, c);
    if (status == SADDLE_OK && rows->count > 0) status = make_rows(context, c, rows);
    if (status == SADDLE_OK)
        status = saddle_couplings_update(c->couplings, &step, c->position, c->velocity);
    if (status == SADDLE_OK)
        status = saddle_elimination_create(context, c->graph, &c->problem, SADDLE_WISH_KEEP, NULL,
                                           NULL, &c->elimination);
    if (status != SADDLE_OK) return status;
    const saddle_problem *reduced = saddle_elimination_problem(c->elimination);
    status = saddle_solver_create(context, "ldlt", NULL, &c->solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(c->solver, reduced);
    if (status == SADDLE_OK)
        status = saddle_solution_create(context, reduced->n, reduced->m, &c->solution);
    return status;
}

saddle_status kept_chain_seconds(saddle_context *context, int64_t links, const double *q,
                                 const double *dq, const kept_rows *rows, double *median,
                                 double *ddq)
{
    kept_chain c = {.links = links};
    double seconds[KEPT_REPEATS];
    saddle_status status = prepare(context, &c, q, dq, rows);
    for (int r = 0; status == SADDLE_OK && r < KEPT_REPEATS; r++) {
        const double began = bench_processor_seconds();
        status = accelerate(&c);
        seconds[r] = bench_processor_seconds() - began;
    }
    if (status == SADDLE_OK) *median = bench_median(seconds, KEPT_REPEATS);
    if (status == SADDLE_OK && ddq) memcpy(ddq, c.solution.v, (size_t)links * sizeof *ddq);
    saddle_solution_clear(&c.solution);
    saddle_solver_free(c.solver);
    saddle_elimination_free(c.elimination);
    saddle_couplings_free(c.couplings);
    saddle_attachments_free(c.graph);
    saddle_matrix_clear(&c.problem.M);
    saddle_matrix_clear(&c.problem.Jt);
    saddle_release(context, c.problem.f);
    saddle_release(context, c.position);
    saddle_release(context, c.velocity);
    return status;
}
