/* SPDX-License-Identifier: MIT */
/* Time stepping: the stages of the integrator between attached parts that are placed and positions
 * that are projected (saddle/stepper.h).
 *
 * Memory is allocated when the model or the pattern grows, not when contacts begin or end.  Any
 * failure restores the saved state.
 */
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "collide.h"
#include "joint_internal.h"
#include "joint_prescribed.h"
#include "saddle/spatial.h"
#include "space/space.h"
#include "stepper_internal.h"

/* ---- words ---- */

static const char *const words[] = {
#define INTEGRATOR_WORD(name, word) [name] = word,
    SADDLE_INTEGRATOR_LIST(INTEGRATOR_WORD)
#undef INTEGRATOR_WORD
};

enum { INTEGRATORS = sizeof words / sizeof *words };

const char *saddle_integrator_word(saddle_integrator integrator)
{
    return (unsigned)integrator < INTEGRATORS ? words[integrator] : "?";
}

saddle_status saddle_integrator_from_word(const char *word, saddle_integrator *integrator)
{
    if (!word || !integrator) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; k < INTEGRATORS; k++) {
        if (strcmp(word, words[k]) == 0) {
            *integrator = (saddle_integrator)k;
            return SADDLE_OK;
        }
    }
    return SADDLE_UNKNOWN_NAME;
}

/* ---- options ---- */

saddle_stepper_options saddle_stepper_options_default(void)
{
    saddle_options solver = saddle_options_default();
    solver.refine_to = 1e-12;
    return (saddle_stepper_options){
        .time_step = 0.01,
        .integrator = SADDLE_INTEGRATOR_SYMPLECTIC_EULER,
        .rotation = SADDLE_ROTATION_UPDATE_EXPONENTIAL,
        .solver = "auto",
        .solver_options = solver,
        .assembly = saddle_assembly_options_default(),
        .projection_tolerance = 1e-12,
        .margin = 0.01,
        .max_separation_speed = 0.1,
        .friction_rounds = 100,
        .friction_tolerance = 1e-9,
        .attachments = SADDLE_WISH_ELIMINATE,
    };
}

static saddle_status check(const saddle_model *model, const saddle_stepper_options *o)
{
    saddle_context *context = model->context;
    if (o->time_step == 0 && o->solver_options.threads == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "time_step and solver_options.threads are 0: start from "
                           "saddle_stepper_options_default()");
    const struct {
        int is_sound;
        const char *name, *range;
        double value;
    } fields[] = {
        {(unsigned)o->integrator < INTEGRATORS, "integrator", "one of saddle_integrator",
         (double)o->integrator},
        {(unsigned)o->rotation <= SADDLE_ROTATION_UPDATE_INFINITESIMAL, "rotation",
         "one of saddle_rotation_update", (double)o->rotation},
        {o->projection >= 0, "projection", "0 or more", o->projection},
        {o->friction_rounds >= 0, "friction_rounds", "0 or more", (double)o->friction_rounds},
        {(unsigned)o->attachments <= SADDLE_WISH_KEEP, "attachments", "one of saddle_wish",
         (double)o->attachments},
    };
    const saddle__numbers numbers[] = {
        {"time_step", SADDLE__POSITIVE, 1, &o->time_step},
        {"projection_tolerance", SADDLE__STRENGTH, 1, &o->projection_tolerance},
        {"margin", SADDLE__AMOUNT, 1, &o->margin},
        {"max_separation_speed", SADDLE__AMOUNT, 1, &o->max_separation_speed},
        {"friction_tolerance", SADDLE__AMOUNT, 1, &o->friction_tolerance}};
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        if (fields[k].is_sound) continue;
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s is %g, not %s", fields[k].name,
                           fields[k].value, fields[k].range);
    }
    return saddle__check_numbers(model, "stepper", NULL, sizeof numbers / sizeof *numbers, numbers);
}

/* ---- creation ---- */

static void clear_projector(saddle__projector *projector, saddle_context *context)
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

saddle_status saddle_stepper_create(saddle_model *model, const saddle_stepper_options *options,
                                    saddle_stepper **stepper)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), stepper, "stepper is NULL");
    *stepper = NULL;
    if (!model) return SADDLE_INVALID_ARGUMENT;
    saddle_context *context = saddle_model_context(model);
    const saddle_stepper_options chosen = options ? *options : saddle_stepper_options_default();
    saddle_status status = check(model, &chosen);
    if (status == SADDLE_OK && chosen.collider && saddle__collider_model(chosen.collider) != model)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT, "collider: it is of another model");
    if (status != SADDLE_OK) return status;
    saddle_stepper *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    made->context = context;
    made->model = model;
    made->options = chosen;
    made->contacts.context = context;
    made->report.time = model->time;
    made->solver_name = saddle__copy_text(context, chosen.solver ? chosen.solver : "auto");
    made->options.solver = made->solver_name;
    if (!made->solver_name)
        status = SADDLE_OUT_OF_MEMORY;
    else
        status = saddle_solver_create(context, made->solver_name, &chosen.solver_options,
                                      &made->solver);
    if (status == SADDLE_OK)
        *stepper = made;
    else
        saddle_stepper_free(made);
    return status;
}

void saddle_stepper_free(saddle_stepper *stepper)
{
    if (!stepper) return;
    saddle_context *context = stepper->context;
    saddle__release_all(context, stepper->solution.v, stepper->solution.lambda, stepper->solution.w,
                        stepper->before, stepper->after, stepper->move, stepper->added,
                        stepper->saved.position, stepper->saved.velocity, stepper->attached.lag,
                        stepper->attached.left, stepper->attached.force);
    saddle__reduction_clear(context, &stepper->reduction);
    clear_projector(&stepper->projector, context);
    saddle__loads_clear(&stepper->friction.loads, context);
    saddle_contact_list_clear(&stepper->contacts);
    saddle_solver_free(stepper->solver);
    saddle_assembly_free(stepper->assembly);
    saddle__release_all(context, stepper->solver_name, stepper);
}

const saddle_step_report *saddle_stepper_report(const saddle_stepper *stepper)
{
    return stepper ? &stepper->report : NULL;
}

saddle_assembly *saddle_stepper_assembly(saddle_stepper *stepper)
{
    return stepper ? stepper->assembly : NULL;
}

const saddle_problem *saddle_stepper_problem(const saddle_stepper *stepper)
{
    return stepper ? stepper->problem : NULL;
}

saddle_status saddle_stepper_attachment_force(const saddle_stepper *stepper,
                                              saddle_handle attachment, double *force)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper && force,
                          "stepper or force is NULL");
    if (!saddle__model_tie(stepper->model, attachment))
        return saddle__refuse_item(stepper->model, "", attachment, " is no attachment");
    if (!stepper->assembly || stepper->edition != stepper->model->edition ||
        stepper->attached.time == 0)
        return saddle_fail(stepper->context, SADDLE_WRONG_PHASE,
                           "attachment force: no step since items were added or removed");
    saddle__system_attached_force(stepper->assembly, stepper->attached.force,
                                  stepper->attached.time, attachment, force);
    return SADDLE_OK;
}

saddle_status saddle_stepper_bearing(const saddle_stepper *stepper, saddle_handle handle,
                                     saddle_bearing_forces *forces)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper && forces,
                          "stepper or forces is NULL");
    const saddle__joint *joint = saddle__joint_of(stepper->model, handle);
    if (!joint || joint->bearing_rows == 0)
        return saddle__refuse_item(stepper->model, "", handle, " is no joint with a bearing");
    if (!stepper->assembly || stepper->edition != stepper->model->edition ||
        stepper->report.friction_rounds == 0)
        return saddle_fail(stepper->context, SADDLE_WRONG_PHASE,
                           "bearing: no step since items were added or removed");
    *forces = joint->bearing_forces;
    return SADDLE_OK;
}

const saddle_solution *saddle_stepper_solution(const saddle_stepper *stepper)
{
    return stepper ? &stepper->solution : NULL;
}

const saddle_contact_list *saddle_stepper_contacts(const saddle_stepper *stepper)
{
    return stepper ? &stepper->contacts : NULL;
}

/* ---- compilation ---- */

/* Compiles the model after items were added or removed. */
static saddle_status compile(saddle_stepper *stepper)
{
    if (stepper->assembly && stepper->edition == stepper->model->edition) return SADDLE_OK;
    saddle_assembly_free(stepper->assembly);
    stepper->assembly = NULL;
    stepper->problem = NULL;
    stepper->analysed = 0;
    stepper->attached.lags = 0;
    stepper->attached.time = 0;
    stepper->acted = 0;
    clear_projector(&stepper->projector, stepper->context);
    saddle__reduction_clear(stepper->context, &stepper->reduction);
    const saddle_status status = saddle_assembly_create(stepper->model, &stepper->options.assembly,
                                                        &stepper->assembly);
    if (status == SADDLE_OK) stepper->edition = stepper->model->edition;
    return status;
}

/* ---- saved state ---- */

/* The state before a step. */
static saddle_status save(saddle_stepper *stepper)
{
    const saddle_model *model = stepper->model;
    saddle__saved_state *saved = &stepper->saved;
    SADDLE__TRY(saddle__reserve(stepper->context, &saved->position, &saved->position_capacity,
                                model->positions, sizeof *saved->position));
    SADDLE__TRY(saddle__reserve(stepper->context, &saved->velocity, &saved->velocity_capacity,
                                model->velocities, sizeof *saved->velocity));
    saved->time = model->time;
    SADDLE__TRY(saddle__friction_begin(&stepper->friction, stepper->model));
    saddle__copy(saved->position, model->position, model->positions);
    saddle__copy(saved->velocity, model->velocity, model->velocities);
    return SADDLE_OK;
}

/* Back to the saved state. */
static void restore(saddle_stepper *stepper)
{
    saddle_model *model = stepper->model;
    model->time = stepper->saved.time;
    saddle__copy(model->position, stepper->saved.position, model->positions);
    saddle__copy(model->velocity, stepper->saved.velocity, model->velocities);
    saddle__model_moved(model); /* restores the counts of turns */
    saddle__friction_restore(model);
}

/* ---- attached velocities ---- */

/* 1: all parts but the prescribed ones are where the last step left them. */
static int is_where_left(const saddle_model *model, const double *left)
{
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[model->parts.order[k]];
        if (part->prescribed) continue;
        if (memcmp(model->position + part->position, left + part->position,
                   (size_t)part->position_size * sizeof *left) != 0)
            return 0;
    }
    return 1;
}

/* Before a step: attached parts where their masters are, with the momenta of the last step. */
static saddle_status begin_attached(saddle__attached_state *state, saddle_assembly *a)
{
    saddle_model *model = a->model;
    if (!a->attached.graph) return SADDLE_OK;
    SADDLE__TRY(saddle__reserve(a->context, &state->lag, &state->lag_capacity, model->velocities,
                                sizeof *state->lag));
    SADDLE__TRY(saddle__reserve(a->context, &state->left, &state->left_capacity, model->positions,
                                sizeof *state->left));
    SADDLE__TRY(saddle__reserve(a->context, &state->force, &state->force_capacity,
                                a->attached.count, sizeof *state->force));
    const int lags = state->lags && is_where_left(model, state->left);
    SADDLE__TRY(saddle_assembly_place(a));
    for (int64_t i = 0; lags && i < model->velocities; i++) model->velocity[i] += state->lag[i];
    return SADDLE_OK;
}

/* A body with its rigid followers, in the axes of the root. */
typedef struct composite {
    double mass, first[3], second[9];
    double momentum[6];
} composite;

/* Adds a body at T in the root, with the momentum p in its axes. */
static void add_body(composite *sum, const saddle_body_inertia *inertia, const saddle_pose *T,
                     const double *p)
{
    saddle_body_inertia moved;
    double arm[9], momentum[6];
    saddle_body_inertia_move(inertia, T, &moved);
    saddle__skew(moved.center, arm);
    saddle__product3(arm, arm, arm);
    sum->mass += moved.mass;
    for (int i = 0; i < 3; i++) sum->first[i] += moved.mass * moved.center[i];
    for (int i = 0; i < 9; i++) sum->second[i] += moved.moment[i] - moved.mass * arm[i];
    saddle_wrench_to_outer(T, p, momentum);
    for (int i = 0; i < 6; i++) sum->momentum[i] += momentum[i];
}

static saddle_pose pose_of(const saddle_model *model, const saddle__item_part *part)
{
    saddle_pose pose = saddle_pose_identity();
    memcpy(&pose, model->position + part->position, (size_t)part->position_size * sizeof(double));
    return pose;
}

/* Adds a rigid follower, a body or a particle. */
static void add_follower(const saddle_model *model, const saddle__item_part *root,
                         const saddle__item_part *part, composite *sum)
{
    const saddle_pose at = pose_of(model, root), inverse = saddle_pose_inverse(&at);
    const saddle_pose own = pose_of(model, part);
    const saddle_pose T = saddle_pose_multiply(&inverse, &own);
    const double *v = model->velocity + part->velocity;
    double p[6] = {0};
    if (part->head.item == SADDLE_ITEM_BODY) {
        saddle_body_inertia_multiply(&part->inertia, v, p);
        add_body(sum, &part->inertia, &T, p);
        return;
    }
    const saddle_body_inertia point = {.mass = part->mass};
    for (int i = 0; i < 3; i++) p[i] = part->mass * v[i];
    add_body(sum, &point, &T, p);
}

/* v of the root from the momenta of all that moves with it. */
static saddle_status show_root(saddle_assembly *a, const saddle__item_part *root,
                               const composite *sum)
{
    saddle_body_inertia all = {.mass = sum->mass};
    double arm[9];
    for (int i = 0; i < 3; i++) all.center[i] = sum->first[i] / sum->mass;
    saddle__skew(all.center, arm);
    saddle__product3(arm, arm, arm);
    for (int i = 0; i < 9; i++) all.moment[i] = sum->second[i] + sum->mass * arm[i];
    return saddle_body_inertia_solve(a->context, &all, sum->momentum,
                                     a->model->velocity + root->velocity);
}

/* Velocities of all bodies with rigid followers, which stand in order of their roots. */
static saddle_status show_roots(saddle_assembly *a)
{
    const saddle__system_attached *attached = &a->attached;
    const saddle_model *model = a->model;
    for (int64_t k = 0; k < attached->rigid_count;) {
        const int32_t place = attached->rigid[k].root;
        const saddle__item_part *root = &model->part[place];
        composite sum = {0};
        add_follower(model, root, root, &sum);
        for (; k < attached->rigid_count && attached->rigid[k].root == place; k++)
            add_follower(model, root, &model->part[attached->rigid[k].place], &sum);
        SADDLE__TRY(show_root(a, root, &sum));
    }
    return SADDLE_OK;
}

/* After a step of h, with the velocities of the momenta in the model. */
static saddle_status end_attached(saddle__attached_state *state, saddle_assembly *a, double h)
{
    const saddle__system_attached *attached = &a->attached;
    saddle_model *model = a->model;
    if (!attached->graph) return SADDLE_OK;
    state->lags = 0;
    saddle__copy(state->lag, model->velocity, model->velocities);
    SADDLE__TRY(show_roots(a));
    SADDLE__TRY(saddle_assembly_place(a));
    state->lags = 1;
    state->time = h;
    saddle__copy(state->left, model->position, model->positions);
    for (int64_t i = 0; i < model->velocities; i++)
        state->lag[i] = attached->light[i] ? 0 : state->lag[i] - model->velocity[i];
    return SADDLE_OK;
}

/* ---- projections ---- */
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

static saddle_status copy_row_patterns(saddle_context *context, const saddle_matrix *Jt,
                                       saddle__projector *projector)
{
    saddle_matrix *G = &projector->problem.Jt;
    int64_t count = 0;
    for (int64_t i = 0; i < projector->rows; i++)
        count += Jt->start[projector->row[i] + 1] - Jt->start[projector->row[i]];
    SADDLE__TRY(
        saddle_matrix_create(context, Jt->rows, projector->rows, count, SADDLE_SYMMETRY_NONE, G));
    for (int64_t i = 0; i < projector->rows; i++) {
        const int64_t begin = Jt->start[projector->row[i]], end = Jt->start[projector->row[i] + 1];
        for (int64_t e = begin; e < end; e++) G->index[G->start[i] + e - begin] = Jt->index[e];
        G->start[i + 1] = G->start[i] + end - begin;
    }
    const int64_t m = projector->rows;
    SADDLE__TRY(
        saddle_matrix_create(context, m, m, m, SADDLE_SYMMETRY_LOWER, &projector->problem.R));
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
    if (whole->M.symmetry == SADDLE_SYMMETRY_NONE)
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
    if (whole->M.symmetry == SADDLE_SYMMETRY_LOWER) {
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
    if (status != SADDLE_OK) clear_projector(projector, stepper->context);
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
    if (grown || projector->outgrown ||
        (projector->solver && !has_same_rows(stepper->model, projector)))
        clear_projector(&stepper->projector, stepper->context);
    return status;
}

/* Reduces, sets the compliances and factors; analyses where the problem is new.  The size of a row
 * is that of the reduced one: attached parts may have no mass. */
static saddle_status prepare_projection(saddle_stepper *stepper, const saddle_problem **problem)
{
    saddle__projector *projector = &stepper->projector;
    for (int pass = 0; pass < (stepper->assembly->attached.graph ? 2 : 1); pass++) {
        SADDLE__TRY(saddle__reduce(&projector->reduction, stepper->assembly, &projector->problem,
                                   SADDLE_WISH_ELIMINATE, pass == 0 && !projector->analysed, NULL,
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
        clear_projector(projector, stepper->context);
        return status;
    }
    status = saddle_solver_solve(projector->solver, problem, NULL,
                                 saddle__reduced_solution(reduction, &projector->solution));
    if (status < 0) return status;
    SADDLE__TRY(saddle__recover(reduction, &projector->problem, &projector->solution));
    return status;
}

/* Solves M v+ - J'mu = M v + p, J v+ = b over hard HOLD rows in the present state.  p (n), of these
 * rows and of attachments: NULL = none; nothing is done where no row is hard and A is constant. */
static saddle_status project_momenta(saddle_stepper *stepper, const double *p)
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

/* f (n) <- f + J'l with J a = 0, the forces without those along hard HOLD rows. */
static saddle_status project_forces(saddle_stepper *stepper, double *f)
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

/* q <- q + d without motion of prescribed parts; momenta stay constant in the world. */
static saddle_status displace(saddle_stepper *stepper)
{
    saddle_model *model = stepper->model;
    saddle__projector *projector = &stepper->projector;
    const size_t positions = (size_t)model->positions, velocities = (size_t)model->velocities;
    /* f is read no more */
    double *v = projector->problem.f, *velocity = projector->from + positions;
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

/* At most `steps` steps onto phi = 0 of the hard HOLD rows; *phi: the remaining max |phi|.  On
 * failure the state is undefined. */
static saddle_status move_onto_rows(saddle_stepper *stepper, int steps, double *phi)
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

/* ---- a step ---- */

static int is_in_range(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(x[i]) <= SADDLE__LARGEST)) return 0;
    return 1;
}

/* The state after the step: numbers within +-SADDLE__LARGEST, and with them the energies. */
static saddle_status check_motion(const saddle_stepper *stepper)
{
    const saddle_model *model = stepper->model;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const int32_t place = model->parts.order[k];
        const saddle__item_part *part = &model->part[place];
        const char *field = NULL;
        if (!is_in_range(model->velocity + part->velocity, part->size)) field = "velocity";
        if (!is_in_range(model->position + part->position, part->position_size)) field = "position";
        if (!field) continue;
        char name[160];
        const saddle_handle handle = saddle__model_handle(model, &part->head, place);
        saddle__model_describe(model, handle, name, sizeof name);
        return saddle_fail(stepper->context, SADDLE_INVALID_PROBLEM,
                           "step %lld, to time %g s: the %s of %s is not within %g .. %g: the "
                           "motion diverges; a smaller time step or an implicit integrator may do",
                           (long long)stepper->report.step + 1, model->time, field, name,
                           -SADDLE__LARGEST, SADDLE__LARGEST);
    }
    return SADDLE_OK;
}

/* The model shows the velocities of prescribed joints in the step. */
static void show_prescribed(saddle_model *model)
{
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__item_part *part = &model->part[model->parts.order[k]];
        if (!part->told) continue;
        saddle__copy(model->velocity + part->velocity, part->told->velocity, part->size);
    }
}

static saddle_status run(saddle_stepper *stepper, saddle__last_stage *last, saddle_status *solved)
{
    const saddle_stepper_options *options = &stepper->options;
    saddle_status status = begin_attached(&stepper->attached, stepper->assembly);
    if (status == SADDLE_OK) status = saddle__joints_prescribe(stepper->model, options->time_step);
    if (status == SADDLE_OK) status = saddle__run_stages(stepper, last, solved);
    const double since = saddle_clock();
    double left;
    if (status == SADDLE_OK && options->projection > 0)
        status = move_onto_rows(stepper, options->projection, &left);
    if (status == SADDLE_OK && last->late) {
        status = project_momenta(stepper, last->late);
        if (status > 0) status = SADDLE_OK;
    }
    if (status == SADDLE_OK) show_prescribed(stepper->model);
    if (status == SADDLE_OK) status = check_motion(stepper);
    if (status == SADDLE_OK)
        status = end_attached(&stepper->attached, stepper->assembly, options->time_step);
    stepper->report.seconds.move += saddle_clock() - since;
    return status;
}

saddle_status saddle_stepper_step(saddle_stepper *stepper)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper, "stepper is NULL");
    const double started = saddle_clock();
    saddle_model *model = stepper->model;
    const int64_t step = stepper->report.step;
    stepper->report = (saddle_step_report){.step = step, .time = model->time};
    saddle_status status = compile(stepper);
    if (status == SADDLE_OK) status = save(stepper);
    saddle_status solved = SADDLE_OK;
    saddle__last_stage last = {0};
    if (status == SADDLE_OK) {
        status = run(stepper, &last, &solved);
        if (status != SADDLE_OK) restore(stepper);
    }
    if (status == SADDLE_OK) {
        saddle_assembly_keep_impulses(stepper->assembly, last.acted, stepper->solution.lambda);
        stepper->acted = last.acted;
        if (model->velocities > 0)
            memset(model->push, 0, (size_t)model->velocities * sizeof *model->push);
        stepper->report.step = step + 1;
        stepper->report.time = model->time;
        status = solved;
    }
    if (status > 0 && !*saddle_context_message(stepper->context))
        (void)saddle_fail(stepper->context, status, "step %lld: %s", (long long)step + 1,
                          stepper->report.note[0] ? stepper->report.note
                                                  : saddle_status_text(status));
    stepper->report.status = status;
    stepper->report.seconds.total = saddle_clock() - started;
    return status;
}

/* ---- projections asked for ---- */

/* Attached parts follow the model's state as it stands. */
static saddle_status place_attached(saddle_stepper *stepper)
{
    SADDLE__TRY(compile(stepper));
    stepper->attached.lags = 0;
    return saddle_assembly_place(stepper->assembly);
}

saddle_status saddle_stepper_project_velocities(saddle_stepper *stepper)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper, "stepper is NULL");
    SADDLE__TRY(place_attached(stepper));
    return project_momenta(stepper, NULL);
}

saddle_status saddle_stepper_project_forces(saddle_stepper *stepper, double *f)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL,
                          stepper && (f || saddle_model_part_count(stepper->model) == 0),
                          "stepper or f is NULL");
    SADDLE__TRY(compile(stepper));
    return project_forces(stepper, f);
}

saddle_status saddle_stepper_project_positions(saddle_stepper *stepper, int steps, double *phi)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper, "stepper is NULL");
    double left = 0;
    SADDLE__TRY(save(stepper));
    saddle_status status = place_attached(stepper);
    if (status == SADDLE_OK) status = move_onto_rows(stepper, steps, &left);
    if (status == SADDLE_OK) status = saddle_assembly_place(stepper->assembly);
    if (status != SADDLE_OK) {
        restore(stepper);
        return status;
    }
    if (phi) *phi = left;
    if (left <= stepper->options.projection_tolerance) return SADDLE_OK;
    return saddle_fail(stepper->context, SADDLE_NOT_CONVERGED,
                       "positions: |phi| is %.3g after %d steps", left, steps);
}
