/* SPDX-License-Identifier: MIT */
/* First-order and mass-matrix form of a model (saddle/ode.h). */
#include "saddle/ode.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "reduction.h"
#include "saddle/assembly.h"
#include "saddle/rotation.h"
#include "saddle/solver.h"
#include "space/space.h"

struct saddle_ode {
    saddle_context *context;
    saddle_model *model;
    saddle_assembly *assembly;
    saddle_solver *solver;
    saddle_solution solution;    /* accelerations of all columns, forces of all rows */
    saddle__reduction reduction; /* all that is attached or prescribed eliminated */
    int64_t edition;             /* of the model as compiled */
    int64_t size, velocities;
    int planned, analysed; /* 1: the reduction, the solver, for the present pattern */
    int solved;            /* 1: the solution is that of the last rates */
};

/* A walk over the points that y has: particles, bodies, nodes and coordinates that are not
 * attached, in the order of the model; start from {model}. */
typedef struct walk {
    const saddle_model *model;
    const saddle__item_part *part;
    int32_t k;      /* place of the next part in the order of the model */
    int64_t point;  /* number in the part */
    int is_body;    /* 1: the point is a body */
    int64_t count;  /* numbers in x: of a body those of origin and quaternion */
    int64_t same;   /* of these the same in the model: of a body those of the origin */
    int64_t free;   /* velocities in y: 0 of a prescribed point */
    int64_t column; /* of the point's velocity, counted from its part's */
    double *x, *v;  /* in the model */
} walk;

/* To the next point, attached or not; 0: there are no more. */
static int advance(walk *at)
{
    const saddle_model *model = at->model;
    if (at->part && ++at->point < saddle__part_points(at->part)) return 1;
    if (at->k == model->parts.count) return 0;
    at->part = &model->part[model->parts.order[at->k++]];
    at->point = 0;
    return 1;
}

static int is_attached(const walk *at)
{
    return at->part->followed && at->part->followed[at->point].tie >= 0;
}

static int next(walk *at)
{
    do {
        if (!advance(at)) return 0;
    } while (is_attached(at));
    const saddle__item_part *part = at->part;
    const int64_t points = saddle__part_points(part), positions = part->position_size / points;
    at->is_body = part->head.item == SADDLE_ITEM_BODY;
    at->count = at->is_body ? 7 : positions;
    at->same = at->is_body ? 3 : positions;
    at->column = at->point * (part->size / points);
    at->free = part->prescribed ? 0 : part->size / points;
    at->x = at->model->position + part->position + at->point * positions;
    at->v = at->model->velocity + part->velocity + at->column;
    return 1;
}

saddle_status saddle_ode_create(saddle_model *model, saddle_ode **ode)
{
    if (ode) *ode = NULL;
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && ode, "model or ode is NULL");
    saddle_context *context = model->context;
    if (model->prescriptions > 0)
        return saddle_fail(context, SADDLE_UNSUPPORTED,
                           "ode: the coordinates of a joint are prescribed for steps of a stepper");
    saddle_ode *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    made->context = context;
    made->model = model;
    made->edition = model->edition;
    saddle_status status = saddle_assembly_create(model, NULL, &made->assembly);
    if (status == SADDLE_OK) status = saddle_solver_create(context, "ldlt", NULL, &made->solver);
    if (status != SADDLE_OK) {
        saddle_ode_free(made);
        return status;
    }
    for (walk at = {.model = model}; next(&at);) {
        made->velocities += at.free;
        made->size += at.count + at.free;
    }
    *ode = made;
    return SADDLE_OK;
}

void saddle_ode_free(saddle_ode *ode)
{
    if (!ode) return;
    saddle__reduction_clear(ode->context, &ode->reduction);
    saddle_solution_clear(&ode->solution);
    saddle_solver_free(ode->solver);
    saddle_assembly_free(ode->assembly);
    saddle_release(ode->context, ode);
}

int64_t saddle_ode_size(const saddle_ode *ode)
{
    return ode ? ode->size : 0;
}

int64_t saddle_ode_velocities(const saddle_ode *ode)
{
    return ode ? ode->velocities : 0;
}

/* ---- states ---- */

void saddle_ode_get(const saddle_ode *ode, double *y)
{
    if (!ode || !y || ode->model->edition != ode->edition) return;
    saddle__system_reparameterize(ode->assembly);
    double *x = y, *v = y + ode->size - ode->velocities;
    for (walk at = {.model = ode->model}; next(&at);) {
        saddle__copy(x, at.x, at.same);
        if (at.is_body) saddle_quaternion_from_matrix(at.x + 3, x + 3);
        saddle__copy(v, at.v, at.free);
        x += at.count;
        v += at.free;
    }
}

static saddle_status check(const saddle_ode *ode, double t, const double *y)
{
    if (ode->model->edition != ode->edition)
        return saddle_fail(ode->context, SADDLE_WRONG_PHASE,
                           "items were added to the model or removed: make a new ode");
    if (!isfinite(t) || !saddle__is_finite(y, ode->size))
        return saddle_fail(ode->context, SADDLE_INVALID_ARGUMENT, "t or y is not finite");
    return SADDLE_OK;
}

saddle_status saddle_ode_set(saddle_ode *ode, double t, const double *y)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(ode), ode && y, "ode or y is NULL");
    SADDLE__TRY(check(ode, t, y));
    saddle_model *model = ode->model;
    const double *v = y + ode->size - ode->velocities;
    for (walk at = {.model = model}; next(&at);) {
        double q[4];
        saddle__copy(at.x, y, at.same);
        if (at.is_body) {
            memcpy(q, y + 3, sizeof q);
            const saddle_handle handle = saddle_model_part_at(model, at.k - 1);
            SADDLE__TRY(
                saddle__model_pass_on(model, handle, saddle_quaternion_normalize(ode->context, q)));
            saddle_quaternion_to_matrix(q, at.x + 3);
        }
        saddle__copy(at.v, v, at.free);
        y += at.count;
        v += at.free;
    }
    model->time = t;
    SADDLE__TRY(saddle__system_place(ode->assembly));
    saddle__model_moved(model);
    return SADDLE_OK;
}

/* x' = N(x) v; y: for the quaternions as they are, not normalized. */
static void position_rates(const saddle_ode *ode, const double *y, double *dx)
{
    for (walk at = {.model = ode->model}; next(&at);) {
        if (at.is_body) {
            saddle__rotate(at.x + 3, at.v, dx);
            saddle_quaternion_rate_body(y + 3, at.v + 3, dx + 3);
        } else {
            saddle__copy(dx, at.v, at.count);
        }
        y += at.count;
        dx += at.count;
    }
}

/* ---- rates ---- */

static saddle_status assemble(saddle_ode *ode, double t, const double *y)
{
    ode->solved = 0;
    SADDLE__TRY(saddle_ode_set(ode, t, y));
    SADDLE__TRY(saddle_assembly_accelerations(ode->assembly));
    if (ode->assembly->changed) ode->planned = ode->analysed = 0; /* a row has become soft */
    ode->assembly->changed = 0;
    return SADDLE_OK;
}

/* problem: the one assembled, reduced. */
static saddle_status reduce(saddle_ode *ode, const saddle_problem **problem)
{
    SADDLE__TRY(saddle__reduce(&ode->reduction, ode->assembly,
                               saddle_assembly_problem(ode->assembly), SADDLE_WISH_ELIMINATE,
                               !ode->planned, NULL, problem));
    ode->planned = 1;
    return SADDLE_OK;
}

saddle_status saddle_ode_mass_form(saddle_ode *ode, double t, const double *y, double *dx,
                                   const saddle_problem **problem)
{
    if (problem) *problem = NULL;
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(ode), ode && y && problem,
                          "ode, y or problem is NULL");
    SADDLE__TRY(assemble(ode, t, y));
    SADDLE__TRY(reduce(ode, problem));
    if (dx) position_rates(ode, y, dx);
    return SADDLE_OK;
}

/* Solves for the accelerations of all columns and the forces of all rows. */
static saddle_status solve(saddle_ode *ode, const saddle_problem *whole)
{
    const saddle_problem *problem;
    SADDLE__TRY(reduce(ode, &problem));
    if (!ode->analysed) {
        saddle_solution_clear(&ode->solution);
        SADDLE__TRY(saddle_solution_create(ode->context, whole->n, whole->m, &ode->solution));
        SADDLE__TRY(saddle_solver_analyse(ode->solver, problem));
        ode->analysed = 1;
    }
    saddle_solution *solution = saddle__reduced_solution(&ode->reduction, &ode->solution);
    SADDLE__TRY(saddle_solver_factor(ode->solver, problem));
    saddle__zero(solution->lambda, problem->m); /* no memory of earlier calls */
    saddle__zero(solution->v, problem->n);
    SADDLE__TRY(saddle_solver_solve(ode->solver, problem, solution, solution));
    return saddle__recover(&ode->reduction, whole, &ode->solution);
}

saddle_status saddle_ode_rates(saddle_ode *ode, double t, const double *y, double *dy)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(ode), ode && y && dy, "ode, y or dy is NULL");
    SADDLE__TRY(assemble(ode, t, y));
    SADDLE__TRY(solve(ode, saddle_assembly_problem(ode->assembly)));
    ode->solved = 1;
    position_rates(ode, y, dy);
    double *dv = dy + ode->size - ode->velocities;
    for (walk at = {.model = ode->model}; next(&at);) {
        const int64_t column = ode->assembly->part[at.k - 1].column;
        if (at.free > 0) saddle__copy(dv, ode->solution.v + column + at.column, at.free);
        dv += at.free;
    }
    return SADDLE_OK;
}

/* ---- of the last rates ---- */

const double *saddle_ode_forces(const saddle_ode *ode)
{
    return ode ? ode->solution.lambda : NULL;
}

const double *saddle_ode_acceleration(const saddle_ode *ode, saddle_handle part)
{
    const int64_t column = ode && ode->solved ? saddle_assembly_column(ode->assembly, part) : -1;
    return column >= 0 ? ode->solution.v + column : NULL;
}

saddle_status saddle_ode_attachment_force(const saddle_ode *ode, saddle_handle attachment,
                                          double *force)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(ode), ode && force, "ode or force is NULL");
    if (!saddle__model_tie(ode->model, attachment))
        return saddle__refuse_item(ode->model, "", attachment, " is no attachment");
    if (ode->model->edition != ode->edition)
        return saddle_fail(ode->context, SADDLE_WRONG_PHASE,
                           "items were added to the model or removed: make a new ode");
    if (!ode->solved)
        return saddle_fail(ode->context, SADDLE_WRONG_PHASE,
                           "attachment force: of the rates, which were not the last call's");
    saddle__system_attached_force(ode->assembly, ode->reduction.force, 1, attachment, force);
    return SADDLE_OK;
}
