/* SPDX-License-Identifier: MIT */
/* Time stepping: each stage of the integrator finds contacts, assembles, solves and moves
 * (saddle/stepper.h).
 *
 * A new pattern is analysed; every stage factors new values.  Memory is allocated when the model or
 * the pattern grows, not when contacts begin or end.  Any failure restores the saved state.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tolerances.h"
#include "collide.h"
#include "joint_internal.h"
#include "joint_prescribed.h"
#include "space/space.h"
#include "stepper_internal.h"

/* ---- integrators ----
 *
 * Requests of each integrator to the assembly (Lloyd, ArtiSynth mechanics notes, 0.9).
 *
 * Rows correct errors within the step in which v+ moves positions.  The v+ of explicit Euler moves
 * positions in the next step only, after another error: with row = 1 errors persist (z^2 - z + 1 =
 * 0), with row = 2 errors decay by 1/sqrt(2) a step (z^2 - z + 1/2 = 0).  The v+ of the trapezoidal
 * rule moves positions by one half: J v+ = -phi/(h/2), with J v = 0.
 *
 * The trapezoidal rule with all of J'lambda at the beginning of the step gains energy without
 * bound: the constraint of a particle on a circle acts along the chord and adds h^2 (v'v)^2/2 a
 * step.  So one half acts at the end of the step, as in RATTLE (Andersen 1983), and gives J v+ = b
 * there.
 *
 * With projected positions the rows anticipate phi+ = phi + h (J vbar + h/2 drift) and correct no
 * past error; a correction would lose h^2/2 drift^2 of energy a step.  In explicit Euler v+ moves
 * nothing in the step, so curvature = 0.
 *
 * Attached velocities are v_k+ = A v_j+ + follow h dA(v) v_j (saddle/couplings.h): the v+ that
 * moves positions over the step belongs to the A at its middle, and the mean of v and v+ to v+ at
 * the end. Twists are in axes that turn with the gyroscopic force in v+; without it, in those of
 * the begin.
 */

typedef struct integrator_stage {
    double force;          /* time_step / h */
    double gyroscopic;     /* / h, of bodies whose momenta are turned */
    double damping;        /* / h */
    double stiffness;      /* / h^2 */
    double velocity_force; /* / h^2 */
    double row;            /* row_step / h */
    double theta;          /* of compliances of HOLD rows; 0 = 1 */
    double curvature;      /* / h, where positions are projected */
    double ahead;          /* / h */
    int added;             /* 1: forces of the stage before are added */
    int keep_errors;       /* 1: hard HOLD rows constrain velocities only */
    int halves;            /* 1: half of the impulses of hard HOLD rows acts at the step end */
    double moved;          /* positions move by moved h .. */
    double mean;           /* .. by (1 - mean) v+ + mean v */
    double follow;         /* / h: A of attachments in v+ is that of so much later */
} integrator_stage;

typedef struct integrator_rule {
    int stages;
    integrator_stage stage[2];
} integrator_rule;

/* clang-format off */
static const integrator_rule integrators[] = {
    /* force, gyroscopic, damping, stiffness, velocity_force, row, theta, curvature, ahead, added,
     * keep_errors, halves, moved, mean, follow */
    [SADDLE_EXPLICIT_EULER]   = {1, {{1,  0,  0,  0,   0,  2, 0,  0,  0,  0, 0, 0, 1, 1,  1}}},
    [SADDLE_SYMPLECTIC_EULER] = {1, {{1,  .5, 0,  0,   0,  1, 0,  .5, 0,  0, 0, 0, 1, 0,  .5}}},
    [SADDLE_IMPLICIT_EULER]   = {1, {{1,  .5, 1,  1,   1,  1, 0,  .5, 1,  0, 0, 0, 1, 0,  .5}}},
    [SADDLE_TRAPEZOIDAL]      = {1, {{1,  1,  .5, .25, .5, 1, .5, 1,  .5, 0, 0, 1, 1, .5, 1}}},
    [SADDLE_BRIDSON_MARINO]   = {2, {{.5, .5, .5, 0,   0,  1, 0,  .5, 0,  0, 0, 0, 1, 0,  .5},
                                     {.5, 0,  .5, 0,   0,  1, 0,  0,  0,  1, 1, 0, 0, 0,  0}}},
};
/* clang-format on */

static const char *const words[] = {
#define INTEGRATOR_WORD(name, word) [name] = word,
    SADDLE_INTEGRATOR_LIST(INTEGRATOR_WORD)
#undef INTEGRATOR_WORD
};

enum { INTEGRATORS = sizeof integrators / sizeof *integrators };

static const integrator_rule *find_integrator(saddle_integrator integrator)
{
    return (unsigned)integrator < INTEGRATORS ? &integrators[integrator] : NULL;
}

/* The stage of an integrator.  last: of its stages.  turned: 0 = the gyroscopic force is part of f.
 * projected: 1 = positions are projected after the step. */
static saddle_stage stage_of(const integrator_stage *stage, double h, int last, int turned,
                             int projected)
{
    return (saddle_stage){
        .time_step = stage->force * h,
        .gyroscopic = (turned ? stage->gyroscopic : stage->force) * h,
        .damping = stage->damping * h,
        .stiffness = stage->stiffness * h * h,
        .velocity_force = stage->velocity_force * h * h,
        .turning = last && turned ? (1 - stage->gyroscopic) * h : 0,
        .row_step = stage->row * h,
        .turned = turned,
        .halves = stage->halves,
        .theta = stage->theta > 0 ? stage->theta : 1,
        .unilateral_theta = 1, /* overlaps separate over the whole step; over h/2 they would rebound
                                */
        .ahead = stage->ahead * h,
        .keep_errors = stage->keep_errors || projected,
        .curvature = projected ? stage->curvature * h : 0,
        .attached = {.time_step = stage->follow * h,
                     .fictitious = SADDLE_MAP_AND_TERM,
                     .axes = turned && stage->gyroscopic == 0 ? SADDLE_STEP_AXES
                                                              : SADDLE_BODY_AXES},
    };
}

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
        .integrator = SADDLE_SYMPLECTIC_EULER,
        .rotation = SADDLE_UPDATE_EXPONENTIAL,
        .solver = "auto",
        .solver_options = solver,
        .assembly = saddle_assembly_options_default(),
        .projection_tolerance = 1e-12,
        .margin = 0.01,
        .max_separation_speed = 0.1,
        .friction_rounds = 100,
        .friction_tolerance = 1e-9,
        .attachments = SADDLE_ELIMINATE,
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
        {find_integrator(o->integrator) != NULL, "integrator", "one of saddle_integrator",
         (double)o->integrator},
        {(unsigned)o->rotation <= SADDLE_UPDATE_INFINITESIMAL, "rotation",
         "one of saddle_rotation_update", (double)o->rotation},
        {o->projection >= 0, "projection", "0 or more", o->projection},
        {o->friction_rounds >= 0, "friction_rounds", "0 or more", (double)o->friction_rounds},
        {(unsigned)o->attachments <= SADDLE_KEEP, "attachments", "one of saddle_elimination_wish",
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
                        stepper->saved.position, stepper->saved.velocity);
    saddle__attached_clear(context, &stepper->attached);
    saddle__reduction_clear(context, &stepper->reduction);
    saddle__projector_clear(&stepper->projector, context);
    saddle__friction_clear(&stepper->friction, context);
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
    saddle__attached_force(&stepper->attached, stepper->assembly, attachment, force);
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
    saddle__projector_clear(&stepper->projector, stepper->context);
    saddle__reduction_clear(stepper->context, &stepper->reduction);
    const saddle_status status = saddle_assembly_create(stepper->model, &stepper->options.assembly,
                                                        &stepper->assembly);
    if (status == SADDLE_OK) stepper->edition = stepper->model->edition;
    return status;
}

/* Allocates vectors for a problem of this size. */
static saddle_status reserve_vectors(saddle_stepper *stepper, const saddle_problem *problem)
{
    saddle_solution *solution = &stepper->solution;
    double **const vector[] = {&solution->lambda, &solution->w,   &solution->v,   &stepper->before,
                               &stepper->after,   &stepper->move, &stepper->added};
    const int64_t wanted[2] = {problem->m, problem->n};
    int64_t capacity[2];
    for (int k = 0; k < 7; k++) {
        const int of_n = k >= 2;
        capacity[of_n] = of_n ? stepper->n_capacity : stepper->m_capacity;
        SADDLE__TRY(saddle__reserve(stepper->context, vector[k], &capacity[of_n], wanted[of_n],
                                    sizeof(double)));
    }
    stepper->m_capacity = capacity[0];
    stepper->n_capacity = capacity[1];
    solution->n = problem->n;
    solution->m = problem->m;
    solution->context = stepper->context;
    return SADDLE_OK;
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

/* ---- a stage ---- */

static double elapsed(double *since)
{
    const double now = saddle_clock(), passed = now - *since;
    *since = now;
    return passed;
}

static saddle_status find_contacts(saddle_stepper *stepper)
{
    const saddle_stepper_options *options = &stepper->options;
    saddle_contact_list *list = &stepper->contacts;
    double since = saddle_clock();
    saddle_status status = SADDLE_OK;
    saddle_contact_list_reset(list);
    if (options->collider) status = saddle_collider_find(options->collider, options->margin, list);
    if (status == SADDLE_OK && options->contacts)
        status = options->contacts(options->user, stepper->model, options->time_step, list);
    stepper->report.contacts = list->count;
    stepper->report.seconds.contacts += elapsed(&since);
    return status;
}

static saddle_status assemble(saddle_stepper *stepper, const saddle_stage *stage, int first)
{
    double since = saddle_clock();
    int grown = 0;
    const saddle_contact_list *contacts = stepper->contacts.count > 0 ? &stepper->contacts : NULL;
    saddle_status status = saddle_assembly_update(stepper->assembly, stage, contacts, &grown);
    if (grown) {
        stepper->analysed = 0;
        saddle__projector_clear(&stepper->projector, stepper->context);
    }
    const saddle_problem *problem = saddle_assembly_problem(stepper->assembly);
    if (status == SADDLE_OK) status = reserve_vectors(stepper, problem);
    if (status == SADDLE_OK) saddle_assembly_get_velocity(stepper->assembly, stepper->before);
    if (status == SADDLE_OK && first) stepper->report.drift = stepper->assembly->drift;
    if (status == SADDLE_OK)
        status = saddle__reduce(&stepper->reduction, stepper->assembly, problem,
                                stepper->options.attachments, !stepper->analysed,
                                &stepper->options.solver_options, &stepper->problem);
    if (status == SADDLE_OK) problem = stepper->problem;
    stepper->report.n = problem->n;
    stepper->report.m = problem->m;
    stepper->report.seconds.assemble += elapsed(&since);
    if (status != SADDLE_OK || !stepper->options.system) return status;
    if (!stepper->options.system(stepper->options.user, stepper->report.step + 1, problem))
        return SADDLE_OK;
    const char *said = saddle_context_message(stepper->context);
    return saddle_fail(stepper->context, SADDLE_STOPPED, "%s",
                       said[0] ? said : "stopped by the system function");
}

/* Analyses a new pattern and factors.  A positive status ends the step, but for an indefinite
 * system, which the solve judges. */
static saddle_status prepare(saddle_stepper *stepper, const saddle_problem *problem)
{
    double since = saddle_clock();
    if (!stepper->analysed) {
        SADDLE__TRY(saddle_solver_analyse(stepper->solver, problem));
        stepper->analysed = 1;
        stepper->report.analysed = 1;
        stepper->report.seconds.analyse += elapsed(&since);
    }
    const int64_t before = saddle_solver_report(stepper->solver)->factorizations;
    const saddle_status status = saddle_solver_factor(stepper->solver, problem);
    stepper->report.factorizations -= before;
    stepper->report.seconds.factor += elapsed(&since);
    return status == SADDLE_WRONG_INERTIA ? SADDLE_OK : status;
}

/* Of a factored problem.  *solved: status of the solution. */
static saddle_status solve(saddle_stepper *stepper, saddle_status *solved)
{
    const saddle_problem *problem = stepper->problem;
    saddle_step_report *report = &stepper->report;
    double since = saddle_clock();
    *solved = saddle_solver_solve(stepper->solver, problem, NULL,
                                  saddle__reduced_solution(&stepper->reduction,
                                                           &stepper->solution));
    const saddle_report *said = saddle_solver_report(stepper->solver);
    report->iterations += said->iterations;
    report->pivots += said->pivots;
    report->factorizations += said->factorizations;
    report->warm_rows += said->warm_rows;
    report->residual = fmax(report->residual, said->residual.total);
    report->seconds.solve += elapsed(&since);
    if (report->note[0] == '\0' || *solved != SADDLE_OK)
        memcpy(report->note, said->note, sizeof report->note);
    if (*solved < 0) return *solved;
    return saddle__recover(&stepper->reduction, saddle_assembly_problem(stepper->assembly),
                           &stepper->solution);
}

/* ---- friction of bearings ---- */

static void note_friction(saddle_stepper *stepper)
{
    saddle_step_report *report = &stepper->report;
    char name[160];
    saddle__model_describe(stepper->model, stepper->friction.worst, name, sizeof name);
    snprintf(report->note, sizeof report->note,
             "no fixed point of the friction in bearings after %lld rounds: the load of %.100s "
             "still changes by %.2g of the largest",
             (long long)report->friction_rounds, name, report->friction_change);
}

/* Factors and solves, and solves again while the bounds of bearings change. */
static saddle_status solve_in_rounds(saddle_stepper *stepper, const saddle_stage *stage,
                                     saddle_status *solved)
{
    const saddle_stepper_options *options = &stepper->options;
    saddle_step_report *report = &stepper->report;
    saddle__joint_friction *friction = &stepper->friction;
    SADDLE__TRY(prepare(stepper, stepper->problem));
    SADDLE__TRY(solve(stepper, solved));
    if (friction->count == 0) return SADDLE_OK;
    for (saddle__friction_start(friction);;) {
        saddle__friction_project(friction, stepper->assembly, stage->time_step,
                                 stepper->solution.lambda, stepper->reduction.force);
        report->friction_change = friction->change;
        if (friction->number > report->friction_rounds) report->friction_rounds = friction->number;
        if (friction->change <= options->friction_tolerance) return SADDLE_OK;
        if (friction->number >= options->friction_rounds) break;
        saddle__friction_bound(stepper->assembly, stepper->problem, stage->time_step);
        report->factorizations -= saddle_solver_report(stepper->solver)->factorizations;
        SADDLE__TRY(solve(stepper, solved));
    }
    if (*solved == SADDLE_OK) *solved = SADDLE_NOT_CONVERGED;
    note_friction(stepper);
    return SADDLE_OK;
}

/* ---- overlaps ---- */

/* The deepest overlap without compliance (an overlap with compliance is a compressed spring);
 * NULL = none. */
static const saddle_contact_point *find_deepest(const saddle_contact_list *contacts)
{
    const saddle_contact_point *deepest = NULL;
    for (int64_t k = 0; k < contacts->count; k++) {
        const saddle_contact_point *point = &contacts->point[k];
        if (!(point->gap < 0) || point->compliance.alpha > 0) continue;
        if (!deepest || point->gap < deepest->gap) deepest = point;
    }
    return deepest;
}

/* Sets report.overlap, and in the first step its note and a warning, from the last contacts. */
static void note_overlap(saddle_stepper *stepper)
{
    saddle_step_report *report = &stepper->report;
    const saddle_contact_point *deepest = find_deepest(&stepper->contacts);
    if (!deepest) return;
    report->overlap = -deepest->gap;
    if (report->step > 0 || !(report->overlap > SADDLE__WRITTEN_TOLERANCE)) return;
    char a[56], b[56], how[64];
    const double speed = stepper->options.max_separation_speed;
    saddle__model_describe(stepper->model, deepest->a.part, a, sizeof a);
    saddle__model_describe(stepper->model, deepest->b.part, b, sizeof b);
    if (deepest->impact)
        snprintf(how, sizeof how, "impacts do not correct it");
    else if (speed == 0)
        snprintf(how, sizeof how, "separated within one step");
    else
        snprintf(how, sizeof how, "separated at %.4g m/s (max_separation_speed)", speed);
    snprintf(report->overlap_note, sizeof report->overlap_note,
             "%s and %s overlap by %.4g m at the start, the deepest of %lld contacts; %s", a, b,
             report->overlap, (long long)report->contacts, how);
    saddle__log(stepper->context, SADDLE_LOG_WARNING, "%s", report->overlap_note);
}

/* ---- shocks ----
 *
 * A shock: a unilateral row stops or reverses the approach of its parts.  Where positions move by
 * the mean of v and v+, the approach would continue by h/2 v into an overlap, and the correction of
 * the overlap would be a bounce without restitution.  A step with a shock moves positions by v+,
 * bounded by the row (Schindler and Acary 2014: impacts are integrated by implicit Euler, smooth
 * forces by another scheme).  An approach below one percent of the motion of the row's parts is
 * rest, rolling or rounding, not a shock.
 */

/* 1: v approaches row i faster than the row moves by itself, a positive gap aside. */
static int is_shock(const saddle_stepper *stepper, const saddle_problem *problem, int64_t i,
                    double fastest)
{
    const saddle_matrix *Jt = &problem->Jt;
    const double *v = stepper->before;
    const double phi = saddle_assembly_phi(stepper->assembly)[i];
    double rate = 0, motion = 0, size = 0;
    for (int64_t e = Jt->start[i]; e < Jt->start[i + 1]; e++) {
        const double part = Jt->value[e] * v[Jt->index[e]];
        rate += part;
        motion += fabs(part);
        size = fmax(size, fabs(Jt->value[e]));
    }
    const double approach = problem->b[i] + fmax(phi, 0) / stepper->options.time_step - rate;
    return approach > 0.01 * motion + SADDLE__VISIBLE_PART * size * fastest;
}

/* 1: in the last stage a unilateral row stopped or reversed an approach. */
static int has_shock(const saddle_stepper *stepper)
{
    const saddle_problem *problem = saddle_assembly_problem(stepper->assembly);
    double fastest = 0;
    for (int64_t j = 0; j < problem->n; j++) fastest = fmax(fastest, fabs(stepper->before[j]));
    for (int64_t c = 0; c < stepper->contacts.count; c++) {
        const saddle_contact_point *point = &stepper->contacts.point[c];
        const int64_t i = saddle_assembly_contact_row(stepper->assembly, point->id);
        if (point->impact || i < 0 || !(stepper->solution.lambda[i] > 0)) continue;
        if (is_shock(stepper, problem, i, fastest)) return 1;
    }
    saddle__row_walk at = {.model = stepper->model, .row = -1};
    while (saddle__next_row(&at)) {
        if (at.def->purpose != SADDLE_LIMIT || !(stepper->solution.lambda[at.row] > 0)) continue;
        if (is_shock(stepper, problem, at.row, fastest)) return 1;
    }
    return 0;
}

/* ---- momenta of bodies ----
 *
 * The momentum p = M v of a body is written in body axes.  Only impulses change the momentum in the
 * world, so a rotation R of the body turns p into R'p, with the moment about the centre of mass:
 * every step keeps momentum and spin to rounding.  (The discrete Euler-Poincare equation
 * p+ = Ad(q^-1 q+)'p, with the moment about the origin, would keep the moment of momentum about the
 * world's origin, but move the O(h^3) error of the centre's path into the spin.)
 */

/* A walk over the bodies with mass that are not prescribed; start from {assembly}. */
typedef struct walk {
    const saddle_assembly *assembly;
    const saddle__item_part *part; /* the body, NULL before the first */
    int32_t next;                  /* place in the order */
    int64_t column;                /* first column of the body */
} walk;

/* 0: there are no more. */
static int next_body(walk *at)
{
    const saddle_model *model = at->assembly->model;
    while (at->next < model->parts.count) {
        const saddle__system_part *compiled = &at->assembly->part[at->next++];
        at->part = &model->part[compiled->place];
        at->column = compiled->column;
        if (at->part->head.item == SADDLE_ITEM_BODY && !saddle__is_weightless(at->part)) return 1;
    }
    return 0;
}

/* Inertias in a model are positive definite: the solve cannot fail. */
static void twist_of_momentum(const saddle_model *model, const saddle__item_part *part,
                              const double *p, double *twist)
{
    (void)saddle_body_inertia_solve(model->context, &part->inertia, p, twist);
}

/* x (n) <- x + a M^-1 ad(v)'M v of moving bodies (impulse = 1: without M^-1); v (n). */
static void add_gyroscopic(const saddle_assembly *assembly, double a, const double *v, int impulse,
                           double *x)
{
    walk at = {.assembly = assembly};
    while (next_body(&at)) {
        double wrench[6];
        saddle_body_inertia_coriolis(&at.part->inertia, v + at.column, wrench, NULL);
        if (!impulse) twist_of_momentum(assembly->model, at.part, wrench, wrench);
        for (int i = 0; i < 6; i++) x[at.column + i] += a * wrench[i];
    }
}

/* move (n) of bodies <- move + a (omega x nu, 0): the mean of the twist becomes the mean velocity
 * of the origin. */
static void straighten(const saddle_assembly *assembly, double a, const double *v, double *move)
{
    walk at = {.assembly = assembly};
    while (next_body(&at)) {
        double turning[3];
        saddle__cross(v + at.column + 3, v + at.column, turning);
        for (int i = 0; i < 3; i++) move[at.column + i] += a * turning[i];
    }
}

/* The motion from one pose to another as a rotation about the point c of the body. */
static saddle_pose turn_about(const double *c, const saddle_pose *from, const saddle_pose *to)
{
    saddle_pose turn;
    saddle__transposed_product3(from->R, to->R, turn.R);
    saddle__rotate(turn.R, c, turn.p);
    for (int i = 0; i < 3; i++) turn.p[i] = c[i] - turn.p[i];
    return turn;
}

void saddle__turn_momenta(const saddle_assembly *assembly, const double *from, double *v, double *p)
{
    walk at = {.assembly = assembly};
    while (next_body(&at)) {
        const double *position = assembly->model->position + at.part->position;
        const saddle_pose *now = (const saddle_pose *)(const void *)position;
        const saddle_pose *then = (const saddle_pose *)(const void *)(from + at.part->position);
        const saddle_pose turn = turn_about(at.part->inertia.center, then, now);
        double momentum[6];
        saddle_body_inertia_multiply(&at.part->inertia, v + at.column, momentum);
        saddle_wrench_to_inner(&turn, momentum, momentum);
        twist_of_momentum(assembly->model, at.part, momentum, v + at.column);
        if (p) saddle_wrench_to_inner(&turn, p + at.column, p + at.column);
    }
}

/* ---- motion ---- */

/* p (n) <- factor J'lambda over the hard HOLD rows of the last stage. */
static void set_held_impulse(const saddle_stepper *stepper, double factor, double *p)
{
    const saddle_problem *problem = saddle_assembly_problem(stepper->assembly);
    const saddle_matrix *Jt = &problem->Jt;
    saddle__row_walk at = {.model = stepper->model, .row = -1};
    if (problem->n > 0) memset(p, 0, (size_t)problem->n * sizeof *p);
    while (saddle__next_hard_row(&at)) {
        const double impulse = factor * stepper->solution.lambda[at.row];
        for (int64_t e = Jt->start[at.row]; e < Jt->start[at.row + 1]; e++)
            p[Jt->index[e]] += Jt->value[e] * impulse;
    }
}

/* p (n) += factor times the impulses of attachments in the last stage: what M v+ - J'lambda - f
 * leaves at attached velocities and their masters. */
static void add_attached_impulse(const saddle_stepper *stepper, double factor, double *p)
{
    const saddle_problem *problem = saddle_assembly_problem(stepper->assembly);
    const saddle_solution *solution = &stepper->solution;
    if (!stepper->assembly->attached.graph || problem->n == 0) return;
    saddle_matrix_apply(&problem->M, factor, solution->v, 1, p);
    if (problem->m > 0) saddle_matrix_apply(&problem->Jt, -factor, solution->lambda, 1, p);
    for (int64_t i = 0; i < problem->n; i++) p[i] -= factor * problem->f[i];
}

/* added <- all forces of this stage, including those of rows and attachments, for the next stage.
 */
static void store_forces(saddle_stepper *stepper, const saddle_stage *stage, int turned)
{
    const saddle_problem *problem = saddle_assembly_problem(stepper->assembly);
    if (problem->n == 0) return;
    memcpy(stepper->added, saddle_assembly_force(stepper->assembly),
           (size_t)problem->n * sizeof(double));
    if (!turned) add_gyroscopic(stepper->assembly, 1, stepper->before, 1, stepper->added);
    saddle_matrix_apply(&problem->Jt, 1 / stage->time_step, stepper->solution.lambda, 1,
                        stepper->added);
    add_attached_impulse(stepper, 1 / stage->time_step, stepper->added);
}

/* Moves positions and turns the momenta of bodies: v+ in `after`, or v in `before` if another stage
 * follows. */
static saddle_status move_positions(saddle_stepper *stepper, const integrator_stage *rule,
                                    const saddle_stage *stage, int last)
{
    const double h = stepper->options.time_step;
    const int turned = !stepper->options.assembly.gyroscopic_jacobian;
    const int64_t n = stepper->solution.n;
    double *v = stepper->after, *before = stepper->before;
    if (!last) store_forces(stepper, stage, turned);
    if (rule->halves) {
        set_held_impulse(stepper, -0.5, stepper->added);
        add_attached_impulse(stepper, -0.5, stepper->added);
    }
    const double mean = rule->mean < 1 && rule->mean > 0 && has_shock(stepper) ? 0 : rule->mean;
    for (int64_t i = 0; i < n; i++) stepper->move[i] = (1 - mean) * v[i] + mean * before[i];
    if (turned) {
        const double missing = 0.5 - (1 - mean) * rule->gyroscopic;
        if (missing != 0) add_gyroscopic(stepper->assembly, missing * h, before, 0, stepper->move);
        if (stepper->options.rotation != SADDLE_UPDATE_EXPONENTIAL)
            straighten(stepper->assembly, 0.5 * h, before, stepper->move);
        if (last && stage->gyroscopic > 0)
            add_gyroscopic(stepper->assembly, -stage->gyroscopic, before, 0, v);
    }
    SADDLE__TRY(saddle_assembly_move(stepper->assembly, h * rule->moved, stepper->move,
                                     stepper->options.rotation));
    saddle_model_set_time(stepper->model, stepper->saved.time + h);
    double *const impulses = !last || rule->halves ? stepper->added : NULL;
    if (turned)
        saddle__turn_momenta(stepper->assembly, stepper->saved.position, last ? v : before,
                             impulses);
    return SADDLE_OK;
}

/* ---- a stage of an integrator ---- */

static saddle_status run_stage(saddle_stepper *stepper, const integrator_rule *integrator, int k,
                               saddle_status *solved)
{
    const integrator_stage *rule = &integrator->stage[k];
    const int last = k + 1 == integrator->stages,
              turned = !stepper->options.assembly.gyroscopic_jacobian;
    const int projected = stepper->options.projection > 0;
    saddle_stage stage = stage_of(rule, stepper->options.time_step, last, turned, projected);
    if (rule->added) stage.added_force = stepper->added;
    stage.separation_speed = stepper->options.max_separation_speed;
    if (stepper->assembly->attached.joints > 0) stage.curvature = stage.attached.time_step;
    saddle_status said = SADDLE_OK;
    SADDLE__TRY(find_contacts(stepper));
    if (k == 0) note_overlap(stepper);
    SADDLE__TRY(assemble(stepper, &stage, k == 0));
    SADDLE__TRY(solve_in_rounds(stepper, &stage, &said));
    if (*solved == SADDLE_OK) *solved = said;
    double since = saddle_clock();
    saddle__copy(stepper->after, stepper->solution.v, stepper->solution.n);
    saddle__attached_store(&stepper->attached, stepper->assembly, rule->added,
                           stepper->reduction.force);
    if (rule->moved > 0) SADDLE__TRY(move_positions(stepper, rule, &stage, last));
    saddle_assembly_set_velocity(stepper->assembly, last ? stepper->after : stepper->before);
    stepper->report.seconds.move += elapsed(&since);
    return SADDLE_OK;
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

static saddle_status run(saddle_stepper *stepper, saddle_status *solved)
{
    const integrator_rule *integrator = find_integrator(stepper->options.integrator);
    saddle_status status = saddle__attached_begin(&stepper->attached, stepper->assembly);
    if (status == SADDLE_OK)
        status = saddle__joints_prescribe(stepper->model, stepper->options.time_step);
    for (int k = 0; k < integrator->stages && status == SADDLE_OK; k++)
        status = run_stage(stepper, integrator, k, solved);
    double since = saddle_clock(), left;
    if (status == SADDLE_OK && stepper->options.projection > 0)
        status = saddle__move_onto_rows(stepper, stepper->options.projection, &left);
    if (status == SADDLE_OK && integrator->stage[integrator->stages - 1].halves) {
        status = saddle__project_momenta(stepper, stepper->added);
        if (status > 0) status = SADDLE_OK;
    }
    if (status == SADDLE_OK) show_prescribed(stepper->model);
    if (status == SADDLE_OK) status = check_motion(stepper);
    if (status == SADDLE_OK)
        status = saddle__attached_end(&stepper->attached, stepper->assembly,
                                      stepper->options.time_step);
    stepper->report.seconds.move += elapsed(&since);
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
    if (status == SADDLE_OK) {
        status = run(stepper, &solved);
        if (status != SADDLE_OK) restore(stepper);
    }
    if (status == SADDLE_OK) {
        const integrator_rule *integrator = find_integrator(stepper->options.integrator);
        const double acted = integrator->stage[integrator->stages - 1].force *
                             stepper->options.time_step;
        saddle_assembly_keep_impulses(stepper->assembly, acted, stepper->solution.lambda);
        stepper->acted = acted;
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
    return saddle__project_momenta(stepper, NULL);
}

saddle_status saddle_stepper_project_forces(saddle_stepper *stepper, double *f)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL,
                          stepper && (f || saddle_model_part_count(stepper->model) == 0),
                          "stepper or f is NULL");
    SADDLE__TRY(compile(stepper));
    return saddle__project_forces(stepper, f);
}

saddle_status saddle_stepper_project_positions(saddle_stepper *stepper, int steps, double *phi)
{
    SADDLE__RETURN_UNLESS(stepper ? stepper->context : NULL, stepper, "stepper is NULL");
    double left = 0;
    SADDLE__TRY(save(stepper));
    saddle_status status = place_attached(stepper);
    if (status == SADDLE_OK) status = saddle__move_onto_rows(stepper, steps, &left);
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
