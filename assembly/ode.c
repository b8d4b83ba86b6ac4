/* SPDX-License-Identifier: MIT */
/* First-order and mass-matrix form of a model (saddle/ode.h). */
#include "saddle/ode.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "model_internal.h"
#include "saddle/assembly.h"
#include "saddle/rotation.h"
#include "saddle/solver.h"
#include "space/space.h"

struct saddle_ode {
    saddle_context *context;
    saddle_model *model;
    saddle_assembly *assembly;
    saddle_solver *solver;
    saddle_solution solution; /* created with the first rates */
    int64_t edition;          /* of the model as compiled */
    int64_t size, velocities;
    int analysed;
};

static int is_body(const saddle__item_part *part)
{
    return part->head.item == SADDLE_ITEM_BODY;
}

/* Part k in the order of the model. */
static const saddle__item_part *part_at(const saddle_model *model, int32_t k)
{
    return &model->part[model->parts.order[k]];
}

/* Numbers of a part in x: of a body origin and quaternion. */
static int64_t numbers_of(const saddle__item_part *part)
{
    return is_body(part) ? 3 + 4 : part->position_size;
}

/* Positions of a part that are the same in the model and in x. */
static size_t bytes_of(const saddle__item_part *part)
{
    return (size_t)(is_body(part) ? 3 : numbers_of(part)) * sizeof(double);
}

saddle_status saddle_ode_create(saddle_model *model, saddle_ode **ode)
{
    if (ode) *ode = NULL;
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && ode, "model or ode is NULL");
    saddle_context *context = model->context;
    saddle_ode *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    made->context = context;
    made->model = model;
    made->edition = model->edition;
    saddle_status status = saddle_assembly_create(model, NULL, &made->assembly);
    if (status == SADDLE_OK && saddle_assembly_attachments(made->assembly))
        status = saddle_fail(context, SADDLE_UNSUPPORTED, "an ode of a model with attachments");
    if (status == SADDLE_OK) status = saddle_solver_create(context, "ldlt", NULL, &made->solver);
    if (status != SADDLE_OK) {
        saddle_ode_free(made);
        return status;
    }
    for (int32_t k = 0; k < model->parts.count; k++) made->size += numbers_of(part_at(model, k));
    made->velocities = saddle_assembly_problem(made->assembly)->n;
    made->size += made->velocities;
    *ode = made;
    return SADDLE_OK;
}

void saddle_ode_free(saddle_ode *ode)
{
    if (!ode) return;
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

const double *saddle_ode_forces(const saddle_ode *ode)
{
    return ode ? ode->solution.lambda : NULL;
}

/* ---- states ---- */

void saddle_ode_get(const saddle_ode *ode, double *y)
{
    if (!ode || !y) return;
    const saddle_model *model = ode->model;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = part_at(model, k);
        const double *x = model->position + part->position;
        memcpy(y, x, bytes_of(part));
        if (is_body(part)) saddle_quaternion_from_matrix(x + 3, y + 3);
        y += numbers_of(part);
    }
    saddle_assembly_get_velocity(ode->assembly, y);
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
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = part_at(model, k);
        double *x = model->position + part->position, q[4];
        memcpy(x, y, bytes_of(part));
        if (is_body(part)) {
            memcpy(q, y + 3, sizeof q);
            const saddle_handle handle = saddle_model_part_at(model, k);
            SADDLE__TRY(
                saddle__model_pass_on(model, handle, saddle_quaternion_normalize(ode->context, q)));
            saddle_quaternion_to_matrix(q, x + 3);
        }
        y += numbers_of(part);
    }
    saddle_assembly_set_velocity(ode->assembly, y);
    model->time = t;
    saddle__model_moved(model);
    return SADDLE_OK;
}

/* x' = N(x) v; y: for the quaternions as they are, not normalized. */
static void position_rates(const saddle_ode *ode, const double *y, double *dx)
{
    const saddle_model *model = ode->model;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = part_at(model, k);
        const double *x = model->position + part->position, *v = model->velocity + part->velocity;
        if (is_body(part)) {
            saddle__rotate(x + 3, v, dx);
            saddle_quaternion_rate_body(y + 3, v + 3, dx + 3);
        } else {
            memcpy(dx, v, bytes_of(part));
        }
        y += numbers_of(part);
        dx += numbers_of(part);
    }
}

/* ---- rates ---- */

saddle_status saddle_ode_mass_form(saddle_ode *ode, double t, const double *y, double *dx,
                                   const saddle_problem **problem)
{
    if (problem) *problem = NULL;
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(ode), ode && y && problem,
                          "ode, y or problem is NULL");
    SADDLE__TRY(saddle_ode_set(ode, t, y));
    SADDLE__TRY(saddle_assembly_accelerations(ode->assembly));
    *problem = saddle_assembly_problem(ode->assembly);
    if (dx) position_rates(ode, y, dx);
    return SADDLE_OK;
}

saddle_status saddle_ode_rates(saddle_ode *ode, double t, const double *y, double *dy)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(ode), ode && y && dy, "ode, y or dy is NULL");
    const saddle_problem *problem = NULL;
    SADDLE__TRY(saddle_ode_mass_form(ode, t, y, dy, &problem));
    if (!ode->analysed) {
        SADDLE__TRY(saddle_solver_analyse(ode->solver, problem));
        SADDLE__TRY(saddle_solution_create(ode->context, problem->n, problem->m, &ode->solution));
        ode->analysed = 1;
    }
    SADDLE__TRY(saddle_solver_factor(ode->solver, problem));
    saddle__zero(ode->solution.lambda, problem->m); /* no memory of earlier calls */
    saddle__zero(ode->solution.v, problem->n);
    SADDLE__TRY(saddle_solver_solve(ode->solver, problem, &ode->solution, &ode->solution));
    saddle__copy(dy + ode->size - ode->velocities, ode->solution.v, ode->velocities);
    return SADDLE_OK;
}
