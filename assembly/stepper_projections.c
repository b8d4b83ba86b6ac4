/* SPDX-License-Identifier: MIT */
/* Projections onto the hard HOLD rows, G their J (Lloyd, ArtiSynth mechanics notes, 0.5 and 0.6):
 *
 *     velocities    M v+ - G'l = M v,   G v+ = b,     b = -phi_t - J_p v_p
 *     forces        M a  - G'l = f,     G a  = 0,     f <- f + G'l
 *     positions     M d  - G'l = 0,     G d  = -phi,  q <- q + d
 *
 * with one KKT matrix.  For redundant rows the engine's regularization, removed by refinement,
 * selects one l; v+, a and G'l are unique.  Redundant rows of G d = -phi contradict each other to
 * second order in phi; a compliance of SADDLE__PIVOT_REPLACEMENT of each row's own size admits the
 * contradiction, and the next step removes the rest.
 */
#include <string.h>

#include "base/tolerances.h"
#include "stepper_internal.h"

void saddle__projector_clear(saddle__projector *projector, saddle_context *context)
{
    saddle_solver_free(projector->solver);
    saddle__release_all(context, projector->row, projector->from);
    saddle_matrix_clear(&projector->problem.M);
    saddle_matrix_clear(&projector->problem.Jt);
    saddle_matrix_clear(&projector->problem.R);
    saddle__release_all(context, projector->problem.f, projector->problem.b);
    saddle_solution_clear(&projector->solution);
    saddle__reduction_clear(context, &projector->reduction);
    *projector = (saddle__projector){0};
}

static saddle_status copy_row_patterns(saddle_context *context, const saddle_matrix *Jt,
                                       saddle__projector *projector)
{
    saddle_matrix *G = &projector->problem.Jt;
    int64_t count = 0;
    for (int64_t i = 0; i < projector->rows; i++)
        count += Jt->start[projector->row[i] + 1] - Jt->start[projector->row[i]];
    SADDLE__TRY(saddle_matrix_create(context, Jt->rows, projector->rows, count, SADDLE_GENERAL, G));
    for (int64_t i = 0; i < projector->rows; i++) {
        const int64_t begin = Jt->start[projector->row[i]], end = Jt->start[projector->row[i] + 1];
        for (int64_t e = begin; e < end; e++) G->index[G->start[i] + e - begin] = Jt->index[e];
        G->start[i + 1] = G->start[i] + end - begin;
    }
    const int64_t m = projector->rows;
    SADDLE__TRY(saddle_matrix_create(context, m, m, m, SADDLE_SYMMETRIC, &projector->problem.R));
    for (int64_t i = 0; i < m; i++) {
        projector->problem.R.index[i] = i;
        projector->problem.R.start[i + 1] = i + 1;
    }
    return SADDLE_OK;
}

static saddle_status build_projector(saddle_stepper *stepper, saddle__projector *projector)
{
    saddle_context *context = stepper->context;
    const saddle_problem *whole = saddle_assembly_problem(stepper->assembly);
    saddle_problem *problem = &projector->problem;
    saddle__row_walk at = {.model = stepper->model, .row = -1};
    while (saddle__next_hard_row(&at)) projector->rows++;
    projector->row = saddle_allocate(context, projector->rows + 1, sizeof *projector->row);
    projector->from = saddle_allocate(context,
                                      stepper->model->positions + stepper->model->velocities + 1,
                                      sizeof *projector->from);
    if (!projector->row || !projector->from) return SADDLE_OUT_OF_MEMORY;
    at = (saddle__row_walk){.model = stepper->model, .row = -1};
    for (int64_t i = 0; saddle__next_hard_row(&at); i++) projector->row[i] = at.row;
    problem->n = whole->n;
    problem->m = projector->rows;
    if (whole->M.symmetry == SADDLE_GENERAL)
        SADDLE__TRY(saddle_matrix_lower(context, &whole->M, &problem->M));
    SADDLE__TRY(copy_row_patterns(context, &whole->Jt, projector));
    SADDLE__TRY(saddle_solution_create(context, problem->n, problem->m, &projector->solution));
    problem->f = saddle_allocate(context, problem->n + 1, sizeof *problem->f);
    problem->b = saddle_allocate(context, problem->m + 1, sizeof *problem->b);
    if (!problem->f || !problem->b) return SADDLE_OUT_OF_MEMORY;
    return saddle_solver_create(context, "ldlt", NULL, &projector->solver);
}

/* R_ii = share sum_j J_ij^2 / M_jj of the first `rows` rows; 1 for a row without motion. */
static void set_compliances(const saddle_matrix *M, const saddle_matrix *G, int64_t rows,
                            double share, double *R)
{
    for (int64_t i = 0; i < rows; i++) {
        double size = 0;
        for (int64_t e = G->start[i]; e < G->start[i + 1]; e++) {
            const double m = saddle_matrix_entry(M, G->index[e], G->index[e]);
            size += m > 0 ? G->value[e] * G->value[e] / m : 0;
        }
        R[i] = size > 0 ? share * size : 1;
    }
}

/* Values of the assembly as of its last update_projection.  share: softness of the rows. */
static saddle_status load_projection(saddle_stepper *stepper, double share)
{
    saddle__projector *projector = &stepper->projector;
    const saddle_problem *whole = saddle_assembly_problem(stepper->assembly);
    saddle_problem *problem = &projector->problem;
    saddle_status status = SADDLE_OK;
    if (!projector->solver) status = build_projector(stepper, projector);
    if (whole->M.symmetry == SADDLE_SYMMETRIC) {
        problem->M = whole->M;
        problem->M.owner = 0;
    }
    if (status == SADDLE_OK) {
        const saddle_matrix *M = &whole->M, *lower = &problem->M;
        for (int64_t j = 0; lower->owner && j < M->cols; j++) { /* the end of the whole column */
            const int64_t begin = lower->start[j], count = lower->start[j + 1] - begin;
            saddle__copy(lower->value + begin, M->value + M->start[j + 1] - count, count);
        }
        for (int64_t i = 0; i < projector->rows; i++) {
            const int64_t begin = problem->Jt.start[i], size = problem->Jt.start[i + 1] - begin;
            const double *from = whole->Jt.value + whole->Jt.start[projector->row[i]];
            memcpy(problem->Jt.value + begin, from, (size_t)size * sizeof *from);
        }
        projector->share = share;
    }
    if (status != SADDLE_OK) saddle__projector_clear(projector, stepper->context);
    return status;
}

/* 0: a row has become soft or hard since the projector was built. */
static int has_same_rows(const saddle_model *model, const saddle__projector *projector)
{
    saddle__row_walk at = {.model = model, .row = -1};
    int64_t count = 0;
    for (; saddle__next_hard_row(&at); count++)
        if (count >= projector->rows || projector->row[count] != at.row) return 0;
    return count == projector->rows;
}

/* The model's state as a system with M itself, its HOLD rows asking for velocities. */
static saddle_status update_projection(saddle_stepper *stepper)
{
    const double h = stepper->options.time_step;
    const saddle_stage stage = {.time_step = h, .row_step = h, .theta = 1, .keep_errors = 1};
    int grown = 0;
    const saddle_status status = saddle_assembly_update(stepper->assembly, &stage, NULL, &grown);
    if (grown) stepper->analysed = 0;
    const saddle__projector *projector = &stepper->projector;
    if (grown || (projector->solver && !has_same_rows(stepper->model, projector)))
        saddle__projector_clear(&stepper->projector, stepper->context);
    return status;
}

/* Reduces, sets the compliances and factors; analyses where the problem is new.  The size of a row
 * is that of the reduced one: attached parts may have no mass. */
static saddle_status prepare_projection(saddle_stepper *stepper, const saddle_problem **problem)
{
    saddle__projector *projector = &stepper->projector;
    for (int pass = 0; pass < (stepper->assembly->attached.graph ? 2 : 1); pass++) {
        SADDLE__TRY(saddle__reduce(&projector->reduction, stepper->assembly, &projector->problem,
                                   SADDLE_ELIMINATE, pass == 0 && !projector->analysed, NULL,
                                   problem));
        set_compliances(&(*problem)->M, &(*problem)->Jt, projector->problem.m, projector->share,
                        projector->problem.R.value);
    }
    if (!projector->analysed) SADDLE__TRY(saddle_solver_analyse(projector->solver, *problem));
    projector->analysed = 1;
    const saddle_status status = saddle_solver_factor(projector->solver, *problem);
    return status == SADDLE_WRONG_INERTIA ? SADDLE_OK : status;
}

static saddle_status solve_projection(saddle_stepper *stepper)
{
    saddle__projector *projector = &stepper->projector;
    saddle__reduction *reduction = &projector->reduction;
    const saddle_problem *problem = NULL;
    saddle_status status = prepare_projection(stepper, &problem);
    if (status != SADDLE_OK) {
        saddle__projector_clear(projector, stepper->context);
        return status;
    }
    status = saddle_solver_solve(projector->solver, problem, NULL,
                                 saddle__reduced_solution(reduction, &projector->solution));
    if (status < 0) return status;
    SADDLE__TRY(saddle__recover(reduction, &projector->problem, &projector->solution));
    return status;
}

/* ---- velocities and forces ---- */

saddle_status saddle__project_momenta(saddle_stepper *stepper, const double *p)
{
    saddle__row_walk at = {.model = stepper->model, .row = -1};
    if (p && !saddle__next_hard_row(&at) && !stepper->assembly->attached.turns) return SADDLE_OK;
    SADDLE__TRY(update_projection(stepper));
    SADDLE__TRY(load_projection(stepper, 0));
    saddle__projector *projector = &stepper->projector;
    const double *b = saddle_assembly_problem(stepper->assembly)->b;
    for (int64_t i = 0; i < projector->rows; i++)
        projector->problem.b[i] = b ? b[projector->row[i]] : 0;
    saddle_assembly_get_velocity(stepper->assembly, projector->solution.v);
    saddle_matrix_apply(&projector->problem.M, 1, projector->solution.v, 0, projector->problem.f);
    for (int64_t i = 0; p && i < projector->problem.n; i++) projector->problem.f[i] += p[i];
    const saddle_status status = solve_projection(stepper);
    if (status >= 0) saddle_assembly_set_velocity(stepper->assembly, projector->solution.v);
    return status;
}

saddle_status saddle__project_forces(saddle_stepper *stepper, double *f)
{
    SADDLE__TRY(update_projection(stepper));
    SADDLE__TRY(saddle__system_prescribe(stepper->assembly, SADDLE__PRESCRIBED_REST));
    SADDLE__TRY(load_projection(stepper, 0));
    saddle__projector *projector = &stepper->projector;
    const saddle_problem *problem = &projector->problem;
    saddle__copy(problem->f, f, problem->n);
    if (problem->m > 0) memset(problem->b, 0, (size_t)problem->m * sizeof *problem->b);
    const saddle_status status = solve_projection(stepper);
    if (status >= 0) saddle_matrix_apply(&problem->Jt, 1, projector->solution.lambda, 1, f);
    return status;
}

/* ---- positions ---- */

/* q <- q + d without motion of prescribed parts; momenta stay constant in the world. */
static saddle_status displace(saddle_stepper *stepper)
{
    saddle_model *model = stepper->model;
    saddle__projector *projector = &stepper->projector;
    const size_t positions = (size_t)model->positions, velocities = (size_t)model->velocities;
    double *v = projector->problem.f, *velocity = projector->from + positions; /* f is read no
                                                                                  more */
    saddle_assembly_get_velocity(stepper->assembly, v);
    memcpy(projector->from, model->position, positions * sizeof(double));
    memcpy(velocity, model->velocity, velocities * sizeof(double));
    memset(model->velocity, 0, velocities * sizeof(double));
    const saddle_status status = saddle_assembly_move(stepper->assembly, 1, projector->solution.v,
                                                      stepper->options.rotation);
    memcpy(model->velocity, velocity, velocities * sizeof(double));
    saddle__turn_momenta(stepper->assembly, projector->from, v, NULL);
    saddle_assembly_set_velocity(stepper->assembly, v);
    return status;
}

saddle_status saddle__move_onto_rows(saddle_stepper *stepper, int steps, double *phi)
{
    for (int k = 0;; k++) {
        SADDLE__TRY(update_projection(stepper));
        *phi = stepper->assembly->drift;
        if (k >= steps || *phi <= stepper->options.projection_tolerance) return SADDLE_OK;
        SADDLE__TRY(saddle__system_prescribe(stepper->assembly, SADDLE__PRESCRIBED_REST));
        SADDLE__TRY(load_projection(stepper, SADDLE__PIVOT_REPLACEMENT));
        saddle__projector *projector = &stepper->projector;
        const double *error = saddle_assembly_phi(stepper->assembly);
        for (int64_t i = 0; i < projector->rows; i++)
            projector->problem.b[i] = -error[projector->row[i]];
        if (projector->problem.n > 0)
            memset(projector->problem.f, 0, (size_t)projector->problem.n * sizeof(double));
        const saddle_status status = solve_projection(stepper);
        if (status < 0) return status;
        SADDLE__TRY(displace(stepper));
    }
}
