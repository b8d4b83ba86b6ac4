/* SPDX-License-Identifier: MIT */
/* The stages of a step: each finds contacts, assembles, solves and moves (saddle/stepper.h).
 *
 * A new pattern is analysed; every stage factors new values.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tolerances.h"
#include "joint_internal.h"
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
    [SADDLE_INTEGRATOR_EXPLICIT_EULER] =
        {1, {{1,  0,  0,  0,   0,  2, 0,  0,  0,  0, 0, 0, 1, 1,  1}}},
    [SADDLE_INTEGRATOR_SYMPLECTIC_EULER] =
        {1, {{1,  .5, 0,  0,   0,  1, 0,  .5, 0,  0, 0, 0, 1, 0,  .5}}},
    [SADDLE_INTEGRATOR_IMPLICIT_EULER] =
        {1, {{1,  .5, 1,  1,   1,  1, 0,  .5, 1,  0, 0, 0, 1, 0,  .5}}},
    [SADDLE_INTEGRATOR_TRAPEZOIDAL] =
        {1, {{1,  1,  .5, .25, .5, 1, .5, 1,  .5, 0, 0, 1, 1, .5, 1}}},
    [SADDLE_INTEGRATOR_BRIDSON_MARINO] =
        {2, {{.5, .5, .5, 0,   0,  1, 0,  .5, 0,  0, 0, 0, 1, 0,  .5},
             {.5, 0,  .5, 0,   0,  1, 0,  0,  0,  1, 1, 0, 0, 0,  0}}},
};
/* clang-format on */

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
        /* overlaps separate over the whole step; over h/2 they would rebound */
        .unilateral_theta = 1,
        .ahead = stage->ahead * h,
        .keep_errors = stage->keep_errors || projected,
        .curvature = projected ? stage->curvature * h : 0,
        .attached = {.time_step = stage->follow * h,
                     .fictitious = SADDLE_FICTITIOUS_TERM,
                     .axes = turned && stage->gyroscopic == 0 ? SADDLE_AXES_STEP
                                                              : SADDLE_AXES_BODY},
    };
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
    if (grown) stepper->analysed = 0;
    if (grown) stepper->projector.outgrown = 1;
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

/* ---- friction of bearings ----
 *
 * Bilateral staggered projections on joints as rows (Sueda, Rigid Body Dynamics Notes, 2.11).
 *
 *     contact    lambda of the locked rows from a solve, W of each joint, alpha           (2.114)
 *     friction   bounds mu sum |alpha_p| a_p for the next solve                           (2.110)
 *
 * in turn, with Anderson's acceleration of y.  The wrench W of the locked rows is that of alpha and
 * beta together, so beta, known from the friction rows of the same solve, is subtracted.
 */

/* The joint with a bearing at place k of the model's order; NULL: another constraint. */
static saddle__joint *bearing_at(const saddle_model *model, int32_t k)
{
    const saddle__item_link *link = &model->constraint[model->constraints.order[k]];
    saddle__joint *joint = link->constraint == &saddle__joints.type ? link->data : NULL;
    return joint && joint->bearing_rows > 0 ? joint : NULL;
}

saddle_status saddle__friction_begin(saddle__joint_friction *friction, saddle_model *model)
{
    friction->count = 0;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        saddle__joint *joint = bearing_at(model, k);
        if (!joint) continue;
        memcpy(joint->bearing_old, joint->bearing_y, sizeof joint->bearing_old);
        friction->count++;
    }
    if (friction->count == 0) return SADDLE_OK;
    return saddle__loads_reserve(&friction->loads, model->context, friction->count);
}

/* Begins the rounds of a stage. */
static void start_rounds(saddle__joint_friction *friction)
{
    friction->number = 0;
    friction->change = 0;
    saddle__loads_start(&friction->loads, friction->count);
}

/* Strengths of the bearing's rows, from y. */
static void set_strengths(saddle__joint *joint, saddle_row_def *row)
{
    double limit[SADDLE__BEARING_ROWS_MAX];
    (void)saddle__bearing_limits(joint->used.kind, &joint->used.bearing, joint->bearing_y, limit);
    for (int k = 0; k < joint->bearing_rows; k++)
        row[joint->rows - joint->bearing_rows + k].strength = limit[k];
}

void saddle__friction_restore(saddle_model *model)
{
    for (int32_t k = 0; k < model->constraints.count; k++) {
        saddle__joint *joint = bearing_at(model, k);
        if (!joint) continue;
        memcpy(joint->bearing_y, joint->bearing_old, sizeof joint->bearing_old);
        set_strengths(joint, model->constraint[model->constraints.order[k]].row);
    }
}

/* A joint with a bearing, its place and rows in the system. */
typedef struct bearing_walk {
    saddle_assembly *a;
    int32_t next;
    int32_t place;
    saddle__joint *joint;
    saddle__item_link *link;
    int64_t row; /* first */
} bearing_walk;

static int next_bearing(bearing_walk *at)
{
    const saddle_model *model = at->a->model;
    while (at->next < model->constraints.count) {
        const int32_t k = at->next++;
        at->joint = bearing_at(model, k);
        if (!at->joint) continue;
        at->place = model->constraints.order[k];
        at->link = &model->constraint[at->place];
        at->row = at->a->constraint[k].row;
        return 1;
    }
    return 0;
}

/* The load of a joint in coordinates, from the wrench (6) of its attachment on the child, in the
 * child's axes at its origin. */
static void attached_load(const saddle_model *model, const saddle__joint *joint,
                          const double *wrench, double *W)
{
    const saddle_joint_def *def = &joint->used;
    const saddle_pose E = saddle__joint_pose(model, def);
    double moment[3];
    if (joint->child == SADDLE__JOINT_CHILD_B) {
        saddle_wrench_to_inner(&def->frame_b, wrench, W);
        saddle__rotate(E.R, W, W);
        saddle__rotate(E.R, W + 3, W + 3);
        return;
    }
    saddle_wrench_to_inner(&def->frame_a, wrench, W);
    saddle__cross(E.p, W, moment);
    for (int i = 0; i < 3; i++) {
        W[i] = -W[i];
        W[3 + i] = moment[i] - W[3 + i];
    }
}

/* y and next of a joint from lambda of all rows, impulses over h.  Returns sum |change of alpha|.
 */
static double project(saddle__joint_friction *friction, const bearing_walk *at, int64_t k, double h,
                      const double *lambda, const double *attached)
{
    saddle__joint *joint = at->joint;
    const saddle_assembly *a = at->a;
    const saddle_joint_def *def = &joint->used;
    const int64_t first = at->row + joint->rows - joint->bearing_rows;
    const saddle_site site = saddle__system_site(a, &a->constraint[at->next - 1], a->model->time);
    saddle_bearing_forces *forces = &joint->bearing_forces;
    double W[6], y[6], next[6];
    const saddle__item_tie *tie = saddle__model_tie(a->model, at->link->tie);
    if (tie)
        attached_load(a->model, joint, attached + a->attached.bound[a->column[tie->part.index]], W);
    else
        saddle__joint_load(joint, &site, lambda + at->row, W);
    for (int i = 0; i < 6; i++) y[i] = h * joint->bearing_y[i];
    const double change = saddle__bearing_project(def->kind, &def->bearing, W, lambda + first,
                                                  a->problem.hi + first, y, next, forces);
    saddle__bearing_weights(def->kind, &def->bearing, friction->loads.anderson.weight + 6 * k);
    memcpy(friction->loads.y + 6 * k, joint->bearing_y, sizeof joint->bearing_y);
    for (int i = 0; i < 6; i++) friction->loads.next[6 * k + i] = next[i] / h;
    for (int i = 0; i < 6; i++) forces->friction[i] /= h;
    forces->load /= h;
    return change / h;
}

/* y of all joints, and with them the strengths of the rows, from lambda (m of the assembly's
 * problem) and of joints in coordinates from those of attachments (as numbered by the assembly),
 * impulses over the time h. */
static void project_loads(saddle__joint_friction *friction, saddle_assembly *a, double h,
                          const double *lambda, const double *attached)
{
    double largest = 0, most = 0;
    bearing_walk at = {.a = a};
    for (int64_t k = 0; next_bearing(&at); k++) {
        const double change = project(friction, &at, k, h, lambda, attached);
        most = fmax(most, at.joint->bearing_forces.load);
        if (!(change > largest)) continue;
        largest = change;
        friction->worst = saddle__model_handle(a->model, &at.link->head, at.place);
    }
    friction->number++;
    friction->change = largest > 0 ? largest / most : 0;
    saddle__loads_step(&friction->loads, friction->count);
    at = (bearing_walk){.a = a};
    for (int64_t k = 0; next_bearing(&at); k++) {
        memcpy(at.joint->bearing_y, friction->loads.y + 6 * k, sizeof at.joint->bearing_y);
        set_strengths(at.joint, at.link->row);
    }
}

/* The bounds of the rows, into the assembly's problem and `solved`, the same or its reduced one. */
static void set_bounds(saddle_assembly *a, const saddle_problem *solved, double h)
{
    bearing_walk at = {.a = a};
    while (next_bearing(&at)) {
        const saddle__joint *joint = at.joint;
        for (int64_t i = joint->rows - joint->bearing_rows; i < joint->rows; i++) {
            const double bound = h * at.link->row[i].strength;
            a->problem.lo[at.row + i] = solved->lo[at.row + i] = -bound;
            a->problem.hi[at.row + i] = solved->hi[at.row + i] = bound;
        }
    }
}

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
    for (start_rounds(friction);;) {
        project_loads(friction, stepper->assembly, stage->time_step, stepper->solution.lambda,
                      stepper->reduction.force);
        report->friction_change = friction->change;
        if (friction->number > report->friction_rounds) report->friction_rounds = friction->number;
        if (friction->change <= options->friction_tolerance) return SADDLE_OK;
        if (friction->number >= options->friction_rounds) break;
        set_bounds(stepper->assembly, stepper->problem, stage->time_step);
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
        if (at.def->purpose != SADDLE_PURPOSE_LIMIT || !(stepper->solution.lambda[at.row] > 0))
            continue;
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
        if (stepper->options.rotation != SADDLE_ROTATION_UPDATE_EXPONENTIAL)
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

/* ---- the stages of an integrator ---- */

/* Impulses of the attachments; those of a second stage come on top of the first's, which are part
 * of its force. */
static void store_attached_impulse(saddle_stepper *stepper, int added)
{
    double *force = stepper->attached.force;
    for (int64_t p = 0; p < stepper->assembly->attached.count; p++)
        force[p] = (added ? force[p] : 0) + stepper->reduction.force[p];
}

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
    store_attached_impulse(stepper, rule->added);
    if (rule->moved > 0) SADDLE__TRY(move_positions(stepper, rule, &stage, last));
    saddle_assembly_set_velocity(stepper->assembly, last ? stepper->after : stepper->before);
    stepper->report.seconds.move += elapsed(&since);
    return SADDLE_OK;
}

saddle_status saddle__run_stages(saddle_stepper *stepper, saddle__last_stage *last,
                                 saddle_status *solved)
{
    const integrator_rule *integrator = &integrators[stepper->options.integrator];
    for (int k = 0; k < integrator->stages; k++)
        SADDLE__TRY(run_stage(stepper, integrator, k, solved));
    const integrator_stage *rule = &integrator->stage[integrator->stages - 1];
    last->acted = rule->force * stepper->options.time_step;
    last->late = rule->halves ? stepper->added : NULL;
    return SADDLE_OK;
}
