/* SPDX-License-Identifier: MIT */
/* Saved state, gyroscopic terms, overlaps and shocks of a step.
 *
 * The momentum p = M v of a body is written in body axes.  Only impulses change the momentum in the
 * world, so a rotation R of the body turns p into R'p, with the moment about the centre of mass:
 * every step keeps momentum and spin to rounding.  (The discrete Euler-Poincare equation
 * p+ = Ad(q^-1 q+)'p, with the moment about the origin, would keep the moment of momentum about the
 * world's origin, but move the O(h^3) error of the centre's path into the spin.)
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "space/space.h"
#include "stepper_internal.h"

/* ---- saved state ---- */

static void copy(double *to, const double *from, int64_t count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

saddle_status saddle__stepper_save(saddle_stepper *stepper)
{
    const saddle_model *model = stepper->model;
    saddle__saved_state *saved = &stepper->saved;
    saddle_status status = saddle__reserve(stepper->context, (void **)&saved->position,
                                           &saved->position_capacity, model->positions,
                                           sizeof *saved->position);
    if (status == SADDLE_OK)
        status = saddle__reserve(stepper->context, (void **)&saved->velocity,
                                 &saved->velocity_capacity, model->velocities,
                                 sizeof *saved->velocity);
    if (status != SADDLE_OK) return status;
    saved->time = model->time;
    copy(saved->position, model->position, model->positions);
    copy(saved->velocity, model->velocity, model->velocities);
    return SADDLE_OK;
}

void saddle__stepper_restore(saddle_stepper *stepper)
{
    saddle_model *model = stepper->model;
    model->time = stepper->saved.time;
    copy(model->position, stepper->saved.position, model->positions);
    copy(model->velocity, stepper->saved.velocity, model->velocities);
    saddle__model_moved(model); /* restores the counts of turns */
}

/* ---- bodies ---- */

/* A walk over the bodies that are not prescribed; start from {model}. */
typedef struct walk {
    const saddle_model *model;
    const saddle__item_part *part; /* the body, NULL before the first */
    int32_t next;                  /* place in the order */
    int64_t column;                /* first column of the body */
    int64_t next_column;
} walk;

/* 0: there are no more. */
static int next_body(walk *at)
{
    const saddle_model *model = at->model;
    while (at->next < model->parts.count) {
        at->part = &model->part[model->parts.order[at->next++]];
        if (at->part->prescribed) continue;
        at->column = at->next_column;
        at->next_column += at->part->size;
        if (at->part->head.item == SADDLE_ITEM_BODY) return 1;
    }
    return 0;
}

/* Inertias in a model are positive definite: the solve cannot fail. */
static void twist_of_momentum(const saddle_model *model, const saddle__item_part *part,
                              const double *p, double *twist)
{
    (void)saddle_body_inertia_solve(model->context, &part->inertia, p, twist);
}

void saddle__stepper_add_gyroscopic(const saddle_stepper *stepper, double a, const double *v,
                                    int impulse, double *x)
{
    walk at = {.model = stepper->model};
    while (next_body(&at)) {
        double wrench[6];
        saddle_body_inertia_coriolis(&at.part->inertia, v + at.column, wrench, NULL);
        if (!impulse) twist_of_momentum(at.model, at.part, wrench, wrench);
        for (int i = 0; i < 6; i++) x[at.column + i] += a * wrench[i];
    }
}

void saddle__stepper_straighten(const saddle_stepper *stepper, double a, const double *v,
                                double *move)
{
    walk at = {.model = stepper->model};
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

void saddle__stepper_turn(const saddle_stepper *stepper, const double *from, double *v, double *p)
{
    walk at = {.model = stepper->model};
    while (next_body(&at)) {
        const saddle_pose *now = (const saddle_pose *)(const void *)(at.model->position +
                                                                     at.part->position);
        const saddle_pose *then = (const saddle_pose *)(const void *)(from + at.part->position);
        const saddle_pose turn = turn_about(at.part->inertia.center, then, now);
        double momentum[6];
        saddle_body_inertia_multiply(&at.part->inertia, v + at.column, momentum);
        saddle_wrench_to_inner(&turn, momentum, momentum);
        twist_of_momentum(at.model, at.part, momentum, v + at.column);
        if (p) saddle_wrench_to_inner(&turn, p + at.column, p + at.column);
    }
}

/* ---- overlaps ---- */

/* Overlaps up to this are rounding, also of files with six digits [m]. */
static const double negligible = 1e-6;

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

void saddle__stepper_note_overlap(saddle_stepper *stepper)
{
    saddle_step_report *report = &stepper->report;
    const saddle_contact_point *deepest = find_deepest(&stepper->contacts);
    if (!deepest) return;
    report->overlap = -deepest->gap;
    if (report->step > 0 || !(report->overlap > negligible)) return;
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

static const double share_of_motion = 1e-2, share_of_fastest = 1e-6;

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
    return approach > share_of_motion * motion + share_of_fastest * size * fastest;
}

int saddle__stepper_has_shock(const saddle_stepper *stepper)
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
