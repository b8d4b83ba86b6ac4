/* SPDX-License-Identifier: MIT */
/* Bilateral staggered projections on trees (saddle/tree_friction.h).
 *
 * The rows of the problem: those of the caller, then those of the bearings, twists of the joint's
 * two bodies along bearing.h's directions in the axes of the frame on the parent.  The load W of a
 * joint is its reaction at ddq = (dq+ - dq)/h, of the wrenches and the caller's rows: friction is
 * within the joint and thus within W.
 */
#include "saddle/tree_friction.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "bearing.h"
#include "model_internal.h"
#include "space/space.h"

typedef struct tree_bearing {
    saddle_tree_bearing def;
    int64_t parent;
    int rows;
    int64_t first; /* of its rows, after the caller's */
    double y[6];   /* of forces (bearing.h) */
    saddle_bearing_forces forces;
} tree_bearing;

struct saddle_tree_friction {
    saddle_context *context;
    saddle_tree *tree; /* borrowed */
    saddle_tree_friction_options options;
    int64_t bodies, coordinates, count;
    int64_t bearing_rows;
    tree_bearing *bearing;
    saddle_solver *solver;
    saddle_problem problem; /* m = 0 rows and no M: not made */
    saddle_solution solution;
    saddle_tree_row *row; /* the caller's, then the bearings' */
    int64_t row_capacity;
    double *q, *dq, *ddq; /* coordinates: as placed; accelerations */
    double *wrench;       /* 6 bodies: the caller's and those of the rows */
    double *reaction;     /* 6 bodies */
    saddle_pose *pose;    /* bodies */
    saddle__loads loads;
    saddle_tree_friction_report report;
};

saddle_tree_bearing saddle_tree_bearing_default(void)
{
    return (saddle_tree_bearing){.kind = SADDLE_JOINT_HINGE,
                                 .frame_a = saddle_pose_identity(),
                                 .frame_b = saddle_pose_identity()};
}

saddle_tree_friction_options saddle_tree_friction_options_default(void)
{
    return (saddle_tree_friction_options){.solver = "schur",
                                          .solver_options = saddle_options_default(),
                                          .rounds = 100,
                                          .tolerance = 1e-9};
}

/* ---- creation ---- */

static const char *fault_of(const saddle_tree_bearing *def, int64_t bodies)
{
    const saddle_bearing *b = &def->bearing;
    if (def->body < 0 || def->body >= bodies) return "is of no body";
    if (saddle__bearing_rows(def->kind) == 0) return "is of no hinge, slider or ball";
    if (!(b->mu >= 0 && b->mu <= SADDLE__LARGEST && b->radius >= 0 &&
          b->radius <= SADDLE__LARGEST && b->half_length >= 0 && b->half_length <= SADDLE__LARGEST))
        return "has a number out of its range";
    if (!saddle__is_rotation(def->frame_a.R, SADDLE__DEFINED_TOLERANCE) ||
        !saddle__is_rotation(def->frame_b.R, SADDLE__DEFINED_TOLERANCE))
        return "has a frame that is no rotation";
    return saddle__bearing_fault(def->kind, b);
}

static saddle_status check(saddle_context *context, int64_t bodies, int64_t count,
                           const saddle_tree_bearing *bearing,
                           const saddle_tree_friction_options *options)
{
    if (options->rounds < 0 || !(options->tolerance >= 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "rounds or tolerance is negative, or not a number");
    for (int64_t k = 0; k < count; k++) {
        const char *wrong = fault_of(&bearing[k], bodies);
        if (wrong)
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "bearing %lld %s", (long long)k,
                               wrong);
    }
    return SADDLE_OK;
}

static saddle_status allocate(saddle_tree_friction *f)
{
    saddle_context *context = f->context;
    f->bearing = saddle_allocate(context, f->count + 1, sizeof *f->bearing);
    f->q = saddle_allocate(context, 3 * f->coordinates + 1, sizeof *f->q);
    f->wrench = saddle_allocate(context, 12 * f->bodies + 1, sizeof *f->wrench);
    f->pose = saddle_allocate(context, f->bodies + 1, sizeof *f->pose);
    if (!f->bearing || !f->q || !f->wrench || !f->pose) return SADDLE_OUT_OF_MEMORY;
    f->dq = f->q + f->coordinates;
    f->ddq = f->dq + f->coordinates;
    f->reaction = f->wrench + 6 * f->bodies;
    return saddle__loads_reserve(&f->loads, context, f->count + 1);
}

saddle_status saddle_tree_friction_create(saddle_tree *tree, int64_t count,
                                          const saddle_tree_bearing *bearing,
                                          const saddle_tree_friction_options *options,
                                          saddle_tree_friction **friction)
{
    saddle_context *context = saddle_tree_context(tree);
    if (friction) *friction = NULL;
    SADDLE__RETURN_UNLESS(context, tree && friction && count >= 0 && (bearing || count == 0),
                          "tree, bearings or friction is NULL");
    const saddle_tree_friction_options chosen = options ? *options
                                                        : saddle_tree_friction_options_default();
    const saddle_tree_size size = saddle_tree_size_of(tree);
    SADDLE__TRY(check(context, size.bodies, count, bearing, &chosen));
    saddle_tree_friction *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = (saddle_tree_friction){.context = context,
                                   .tree = tree,
                                   .options = chosen,
                                   .bodies = size.bodies,
                                   .coordinates = size.coordinates,
                                   .count = count};
    saddle_status status = allocate(made);
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++) {
        tree_bearing *at = &made->bearing[k];
        at->def = bearing[k];
        at->parent = saddle_tree_parents(tree)[bearing[k].body];
        at->rows = bearing[k].bearing.mu > 0 ? saddle__bearing_rows(bearing[k].kind) : 0;
        at->first = made->bearing_rows;
        made->bearing_rows += at->rows;
    }
    if (status == SADDLE_OK)
        status = saddle_solver_create(context, chosen.solver ? chosen.solver : "schur",
                                      &chosen.solver_options, &made->solver);
    if (status == SADDLE_OK)
        *friction = made;
    else
        saddle_tree_friction_free(made);
    return status;
}

void saddle_tree_friction_free(saddle_tree_friction *f)
{
    if (!f) return;
    saddle_solver_free(f->solver);
    saddle_problem_clear(&f->problem);
    saddle_solution_clear(&f->solution);
    saddle__loads_clear(&f->loads, f->context);
    saddle__release_all(f->context, f->bearing, f->q, f->wrench, f->pose, f->row);
    saddle_release(f->context, f);
}

/* ---- rows ---- */

/* Bounds from y: 0 of a bearing that is not yet loaded. */
static void set_bounds(const saddle_tree_friction *f, double h)
{
    const int64_t own = f->problem.m - f->bearing_rows;
    for (int64_t k = 0; k < f->count; k++) {
        const tree_bearing *at = &f->bearing[k];
        double limit[SADDLE__BEARING_ROWS_MAX];
        (void)saddle__bearing_limits(at->def.kind, &at->def.bearing, at->y, limit);
        for (int i = 0; i < at->rows; i++) {
            f->problem.lo[own + at->first + i] = -h * limit[i];
            f->problem.hi[own + at->first + i] = h * limit[i];
        }
    }
}

/* Bounds of bearings come with set_bounds; until then any but lo = hi = 0, an equality in trees. */
static saddle_status set_rows(saddle_tree_friction *f, const saddle_tree_friction_step *step)
{
    SADDLE__TRY(saddle__reserve(f->context, &f->row, &f->row_capacity,
                                step->count + f->bearing_rows, sizeof *f->row));
    for (int64_t i = 0; i < step->count; i++) f->row[i] = step->row[i];
    for (int64_t k = 0; k < f->count; k++) {
        const tree_bearing *at = &f->bearing[k];
        for (int i = 0; i < at->rows; i++) {
            saddle_tree_row *row = &f->row[step->count + at->first + i];
            double c[6];
            saddle__bearing_direction(at->def.kind, i, c);
            *row = (saddle_tree_row){.kind = SADDLE_TREE_ROW_TWIST,
                                     .body = {at->parent, at->def.body},
                                     .lo = -1,
                                     .hi = 1};
            memcpy(row->point[0], at->def.frame_a.p, sizeof row->point[0]);
            for (int j = 0; j < 2; j++) saddle__rotate(at->def.frame_a.R, c + 3 * j, row->axis[j]);
        }
    }
    return SADDLE_OK;
}

/* ---- a step ---- */

/* The problem of this step's values; made and analysed where the rows are other ones. */
static saddle_status form(saddle_tree_friction *f, const saddle_tree_friction_step *step)
{
    const saddle_tree_stage stage = {.level = SADDLE_TREE_LEVEL_VELOCITIES,
                                     .time_step = step->time_step,
                                     .rate = step->rate};
    const int64_t m = step->count + f->bearing_rows;
    SADDLE__TRY(set_rows(f, step));
    saddle_status status = SADDLE_INVALID_ARGUMENT;
    if (f->problem.f && f->problem.m == m)
        status = saddle_tree_problem_values(f->tree, m, f->row, &stage, step->torque, step->wrench,
                                            &f->problem);
    if (status != SADDLE_OK) {
        saddle_problem_clear(&f->problem);
        saddle_solution_clear(&f->solution);
        f->problem = (saddle_problem){0};
        SADDLE__TRY(saddle_tree_problem(f->tree, m, f->row, &stage, step->torque, step->wrench,
                                        &f->problem));
        set_bounds(f, step->time_step);
        status = saddle_solution_create(f->context, f->coordinates, m, &f->solution);
        if (status == SADDLE_OK) status = saddle_solver_analyse(f->solver, &f->problem);
        if (status < 0) saddle_problem_clear(&f->problem);
        if (status < 0) f->problem = (saddle_problem){0};
        if (status < 0) return status;
    }
    set_bounds(f, step->time_step);
    status = saddle_solver_factor(f->solver, &f->problem);
    return status == SADDLE_WRONG_INERTIA ? SADDLE_OK : status;
}

/* Reactions of all joints at the last solution. */
static saddle_status find_reactions(saddle_tree_friction *f, const saddle_tree_friction_step *step)
{
    const double h = step->time_step;
    const int64_t loads = 6 * f->bodies;
    for (int64_t j = 0; j < f->coordinates; j++) f->ddq[j] = (f->solution.v[j] - f->dq[j]) / h;
    for (int64_t i = 0; i < loads; i++) f->wrench[i] = step->wrench ? h * step->wrench[i] : 0;
    SADDLE__TRY(
        saddle_tree_rows_loads(f->tree, step->count, step->row, f->solution.lambda, f->wrench));
    for (int64_t i = 0; i < loads; i++) f->wrench[i] /= h;
    return saddle_tree_reactions(f->tree, f->ddq, f->wrench, f->reaction);
}

/* W (6): the load of a bearing's joint at the origin of the frame on the body, a's axes. */
static void load_of(const saddle_tree_friction *f, const tree_bearing *at, double *W)
{
    const saddle_tree_bearing *def = &at->def;
    const saddle_pose *b = &f->pose[def->body];
    double RA[9], RB[9], turn[9];
    memcpy(RA, def->frame_a.R, sizeof RA);
    if (at->parent >= 0) saddle__product3(f->pose[at->parent].R, def->frame_a.R, RA);
    saddle__product3(b->R, def->frame_b.R, RB);
    saddle__transposed_product3(RA, RB, turn);
    saddle_wrench_to_inner(&def->frame_b, f->reaction + 6 * def->body, W);
    saddle__rotate(turn, W, W);
    saddle__rotate(turn, W + 3, W + 3);
}

/* y of all bearings from the last solution. */
static void project(saddle_tree_friction *f, double h)
{
    const int64_t own = f->problem.m - f->bearing_rows;
    double largest = 0, most = 0;
    for (int64_t k = 0; k < f->count; k++) {
        tree_bearing *at = &f->bearing[k];
        double W[6], limit[SADDLE__BEARING_ROWS_MAX], force[SADDLE__BEARING_ROWS_MAX];
        load_of(f, at, W);
        for (int i = 0; i < at->rows; i++) {
            limit[i] = f->problem.hi[own + at->first + i] / h;
            force[i] = f->solution.lambda[own + at->first + i] / h;
        }
        memcpy(f->loads.y + 6 * k, at->y, sizeof at->y);
        saddle__bearing_weights(at->def.kind, &at->def.bearing, f->loads.anderson.weight + 6 * k);
        const double change = saddle__bearing_project(at->def.kind, &at->def.bearing, W, force,
                                                      limit, at->y, f->loads.next + 6 * k,
                                                      &at->forces);
        most = fmax(most, at->forces.load);
        if (at->rows == 0 || !(change > largest)) continue;
        largest = change;
        f->report.worst = k;
    }
    f->report.rounds++;
    f->report.change = largest > 0 ? largest / most : 0;
    saddle__loads_step(&f->loads, f->count);
    for (int64_t k = 0; k < f->count; k++)
        memcpy(f->bearing[k].y, f->loads.y + 6 * k, sizeof f->bearing[k].y);
}

static saddle_status solve(saddle_tree_friction *f)
{
    const saddle_status status = saddle_solver_solve(f->solver, &f->problem, NULL, &f->solution);
    f->report.residual = saddle_solver_report(f->solver)->residual.total;
    return status;
}

/* Rounds of a formed problem. */
static saddle_status project_in_turn(saddle_tree_friction *f, const saddle_tree_friction_step *step)
{
    SADDLE__TRY(saddle_tree_poses(f->tree, f->pose));
    saddle__loads_start(&f->loads, f->count);
    for (;;) {
        const saddle_status solved = solve(f);
        if (solved < 0 || f->bearing_rows == 0) return solved;
        SADDLE__TRY(find_reactions(f, step));
        project(f, step->time_step);
        if (f->report.change <= f->options.tolerance) return solved;
        if (f->report.rounds >= f->options.rounds)
            return solved > 0 ? solved
                              : saddle_fail(f->context, SADDLE_NOT_CONVERGED,
                                            "no fixed point of the friction in bearings after "
                                            "%lld rounds: the load of bearing %lld still changes "
                                            "by %.2g of the largest",
                                            (long long)f->report.rounds, (long long)f->report.worst,
                                            f->report.change);
        set_bounds(f, step->time_step);
    }
}

saddle_status saddle_tree_friction_advance(saddle_tree_friction *f,
                                           const saddle_tree_friction_step *step, double *q,
                                           double *dq)
{
    SADDLE__RETURN_UNLESS(f ? f->context : NULL,
                          f && step && ((q && dq) || f->coordinates == 0) &&
                              (step->row || step->count == 0) && step->count >= 0,
                          "friction, step, rows, q or dq is NULL");
    const double h = step->time_step;
    if (!(h > 0 && isfinite(h)))
        return saddle_fail(f->context, SADDLE_INVALID_ARGUMENT, "a time step of %g", h);
    f->report = (saddle_tree_friction_report){0};
    SADDLE__TRY(saddle_tree_placed(f->tree, f->q, f->dq));
    SADDLE__TRY(form(f, step));
    const saddle_status status = project_in_turn(f, step);
    if (status < 0) return status;
    for (int64_t j = 0; j < f->coordinates; j++) {
        dq[j] = f->solution.v[j];
        q[j] = f->q[j] + h * dq[j];
    }
    return status;
}

/* ---- results ---- */

const saddle_tree_friction_report *saddle_tree_friction_report_of(const saddle_tree_friction *f)
{
    return f ? &f->report : NULL;
}

saddle_status saddle_tree_friction_forces(const saddle_tree_friction *f, int64_t k,
                                          saddle_bearing_forces *forces)
{
    SADDLE__RETURN_UNLESS(f ? f->context : NULL, f && forces, "friction or forces is NULL");
    if (k < 0 || k >= f->count)
        return saddle_fail(f->context, SADDLE_INVALID_ARGUMENT, "there is no bearing %lld",
                           (long long)k);
    *forces = f->bearing[k].forces;
    return SADDLE_OK;
}

const double *saddle_tree_friction_impulses(const saddle_tree_friction *f)
{
    return f ? f->solution.lambda : NULL;
}
