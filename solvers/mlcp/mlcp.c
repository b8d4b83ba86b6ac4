/* SPDX-License-Identifier: MIT */
/* See mlcp.h.
 *
 * The operator of pivot.  W is formed where there are no velocities, or where every velocity is
 * coupled to few others, as those of rigid bodies are: W then has few entries.  For a mesh, W of
 * many rows is dense, and rows are cheaper in the KKT factor, few rows as columns on demand:
 *
 *     k = half of the c rows with bounds enter, in s = 6 blocks, 4 of which factor a dense basis
 *     anew; all of them cost as much as 2.5 factorizations of the KKT matrix (measured with 100 to
 *     3,000 rows on a hexahedral block); T_F, T_S a factorization and a solve
 *
 *     factor     2.5 T_F + 2 s T_S
 *     columns    T_F + (0.84 g + 0.16 k) T_S + 4 (2/3 k^3) flops + s (2 k c) terms
 *
 * with the k columns solved for in g groups of SADDLE__FACTOR_BLOCK.  Contacts and unsymmetric
 * matrices leave columns; velocities without mass and very many rows the factor. */
#include "mlcp/mlcp.h"

#include <string.h>

#include "capability.h"
#include "base/process.h"
#include "refine.h"

/* Unknowns up to which columns are taken unseen; rows beyond which they never are; velocities that
 * one of a rigid body or particle is coupled to. */
enum { SMALL = 150, MOST_COLUMNS = 6000, MOST_COUPLED = 12 };

static const double time_of_flop = 0.05; /* of dense factors [ns] */
static const double time_of_term = 0.5;  /* of a product with a column [ns] */
static const double clearly_less = 0.7;  /* of the time in the factor, for columns */

void saddle__mlcp_clear(saddle__mlcp *s)
{
    saddle__delassus_clear(&s->delassus);
    saddle__columns_clear(&s->columns);
    saddle__factor_rows_clear(&s->factor_rows);
    saddle__pivoting_clear(&s->pivoting);
    saddle__proximal_clear(&s->proximal);
    memset(s, 0, sizeof *s);
}

/* ---- the choice ---- */

static int64_t count_bounded(const saddle_problem *problem)
{
    return problem->m - saddle_problem_count_rows(problem).equality;
}

static int has_massless_velocities(const saddle_problem *problem)
{
    const saddle_matrix *M = &problem->M;
    if (problem->n > 0 && saddle_matrix_entries(M) == 0) return 1;
    for (int64_t j = 0; j < problem->n; j++) {
        double mass = 0.0;
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->index[k] == j) mass = M->value[k];
        if (mass == 0.0) return 1;
    }
    return 0;
}

/* Every column of M has few entries, all near its diagonal: blocks of rigid bodies. */
static int is_of_bodies(const saddle_problem *problem)
{
    const saddle_matrix *M = &problem->M;
    for (int64_t j = 0; j < problem->n; j++) {
        if (M->start[j + 1] - M->start[j] > MOST_COUPLED) return 0;
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->index[k] - j > MOST_COUPLED || j - M->index[k] > MOST_COUPLED) return 0;
    }
    return 1;
}

static saddle__mlcp_kind cheaper_on_mesh(const saddle_problem *problem,
                                         const saddle__factor_rows *factor_rows)
{
    double factor_time;
    double solve_time;
    saddle__factor_rows_times(factor_rows, &factor_time, &solve_time);
    double c = (double)count_bounded(problem);
    double k = 0.5 * c;
    double groups = 6.0 * ceil(k / (6.0 * SADDLE__FACTOR_BLOCK));
    double in_factor = 2.5 * factor_time + 12.0 * solve_time;
    double by_columns = factor_time + (0.84 * groups + 0.16 * k) * solve_time +
                        8.0 / 3.0 * k * k * k * time_of_flop + 12.0 * k * c * time_of_term;
    return by_columns < clearly_less * in_factor ? SADDLE__MLCP_COLUMNS : SADDLE__MLCP_FACTOR;
}

/* s->kind, and factor_rows where its times have to be known. */
static saddle_status choose(saddle__mlcp *s, const saddle_problem *problem,
                            const saddle_options *options, const saddle__mlcp_settings *settings)
{
    int symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    int factor_can = symmetric && (problem->contact_count == 0 || settings->lagged_friction);
    int asked = settings->basis;
    if (asked == SADDLE_BASIS_FACTOR && !factor_can)
        return saddle_fail(s->context, SADDLE_UNSUPPORTED, "pivot: basis 'factor' needs %s",
                           symmetric ? "problems without contacts" : "a symmetric M and R");
    int massless = has_massless_velocities(problem);
    int64_t bounded = count_bounded(problem);
    if (problem->n == 0)
        s->kind = SADDLE__MLCP_DELASSUS;
    else if (asked == SADDLE_BASIS_FACTOR)
        s->kind = SADDLE__MLCP_FACTOR;
    else if (asked == SADDLE_BASIS_COLUMNS || !factor_can)
        s->kind = SADDLE__MLCP_COLUMNS;
    else if (massless)
        s->kind = SADDLE__MLCP_FACTOR;
    else if (problem->n + problem->m <= SMALL)
        s->kind = SADDLE__MLCP_COLUMNS;
    else if (is_of_bodies(problem))
        s->kind = SADDLE__MLCP_DELASSUS;
    else
        s->kind = SADDLE__MLCP_FACTOR;
    if (s->kind != SADDLE__MLCP_FACTOR) return SADDLE_OK;
    saddle_status status = saddle__factor_rows_create(s->context, problem, options, settings,
                                                      &s->factor_rows);
    int may_compare = asked == SADDLE_BASIS_BEST && !massless && bounded <= MOST_COLUMNS;
    if (status != SADDLE_OK || !may_compare) return status;
    s->kind = cheaper_on_mesh(problem, &s->factor_rows);
    if (s->kind == SADDLE__MLCP_COLUMNS) saddle__factor_rows_clear(&s->factor_rows);
    return SADDLE_OK;
}

/* ---- create ---- */

static saddle_status create(saddle__mlcp *s, const saddle_problem *problem,
                            const saddle_options *options, const saddle__mlcp_settings *settings)
{
    saddle_status status = SADDLE_OK;
    switch (s->kind) {
    case SADDLE__MLCP_DELASSUS:
        status = saddle__delassus_create(s->context, problem, options, settings, &s->delassus);
        s->system = saddle__delassus_table(&s->delassus);
        break;
    case SADDLE__MLCP_COLUMNS:
        status = saddle__columns_create(s->context, problem, options, settings, &s->columns);
        s->system = saddle__columns_table(&s->columns);
        break;
    default: s->system = saddle__factor_rows_table(&s->factor_rows);
    }
    if (status != SADDLE_OK) return status;
    status = saddle__proximal_create(s->context, problem->n, problem->m, &s->proximal);
    int64_t count = s->system.rows->count;
    int searched = s->system.may_search && saddle__proximal_searches(count);
    return status == SADDLE_OK ? saddle__pivoting_create(s->context, count, searched, &s->pivoting)
                               : status;
}

saddle_status saddle__mlcp_create_formed(saddle_context *context, const saddle_problem *problem,
                                         const saddle_options *options,
                                         const saddle__mlcp_settings *settings, saddle__mlcp *s)
{
    saddle__mlcp fresh = {.context = context, .kind = SADDLE__MLCP_DELASSUS, .note = -1};
    *s = fresh;
    return create(s, problem, options, settings);
}

saddle_status saddle__mlcp_create(saddle_context *context, const saddle_problem *problem,
                                  const saddle_options *options,
                                  const saddle__mlcp_settings *settings, saddle__mlcp *s)
{
    saddle__mlcp fresh = {.context = context, .note = -1};
    *s = fresh;
    saddle_status status = choose(s, problem, options, settings);
    return status == SADDLE_OK ? create(s, problem, options, settings) : status;
}

/* ---- factor and solve ---- */

static void report_work(const saddle__mlcp *s, saddle_report *report,
                        const saddle__mlcp_counts *before)
{
    saddle__mlcp_counts after = s->system.counts(s->system.user);
    report->factorizations += after.factorizations - before->factorizations;
    report->refinements += after.corrections - before->corrections;
    report->perturbed_pivots = after.factor.perturbed_pivots;
    report->flops = after.factor.flops;
    report->factor_entries = after.factor.entries;
    report->peak_bytes = after.factor.peak_bytes;
}

saddle_status saddle__mlcp_factor(saddle__mlcp *s, const saddle_solver_call *call,
                                  const saddle_problem *problem)
{
    saddle__mlcp_counts before = s->system.counts(s->system.user);
    double epsilon = saddle__proximal_first_epsilon(&s->system, call->options);
    saddle_status status = s->system.factor(s->system.user, problem, epsilon);
    report_work(s, call->report, &before);
    call->report->factorizations += s->kind == SADDLE__MLCP_DELASSUS && problem->n > 0;
    return status;
}

/* The note of an earlier solve goes. */
static void begin_note(saddle__mlcp *s, saddle_report *report)
{
    if (s->note < 0)
        s->note = (int64_t)strlen(report->note);
    else
        report->note[s->note] = '\0';
}

static saddle_status check_bounds(const saddle__mlcp *s, const saddle_solver_call *call,
                                  const saddle_problem *problem)
{
    for (int64_t i = 0; s->kind != SADDLE__MLCP_DELASSUS && i < problem->m; i++) {
        int was_equation = s->kind == SADDLE__MLCP_COLUMNS ? s->columns.place[i] >= s->columns.count
                                                           : !s->factor_rows.toggles[i];
        if (was_equation && saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY)
            return saddle_fail(
                call->context, SADDLE_INVALID_ARGUMENT,
                "pivot: row %lld had no bounds when it was analysed, now it has: analyse again",
                (long long)i + 1);
    }
    return SADDLE_OK;
}

static void note_operator(const saddle__mlcp *s, saddle_report *report, int64_t columns)
{
    if (s->kind == SADDLE__MLCP_COLUMNS)
        saddle__report_note(report, "basis: %lld columns of %lld", (long long)columns,
                            (long long)s->columns.count);
    else if (s->kind == SADDLE__MLCP_FACTOR)
        saddle__report_note(report, "basis: rows in the sparse factor");
    else
        saddle__report_note(report, "basis: all of W");
}

saddle_status saddle__mlcp_solve(saddle__mlcp *s, const saddle_solver_call *call,
                                 const saddle_problem *problem, saddle_solution *solution)
{
    saddle_report *report = call->report;
    saddle__mlcp_counts before = s->system.counts(s->system.user);
    begin_note(s, report);
    saddle_status status = check_bounds(s, call, problem);
    if (status == SADDLE_OK && saddle__mlcp_rows_read(s->system.rows, problem))
        status = s->system.shift(s->system.user);
    if (status != SADDLE_OK) return status;
    saddle__pivoting_begin(&s->pivoting, s->system.rows->count, call->options->max_iterations);
    saddle__blas_begin();
    status = saddle__proximal_solve(&s->proximal, &s->system, &s->pivoting, problem, call,
                                    solution);
    saddle__blas_end();
    report_work(s, report, &before);
    report->iterations += s->pivoting.steps;
    report->pivots += s->pivoting.pivots;
    report->refinements += s->pivoting.corrected +
                           (s->proximal.taken > 1 ? s->proximal.taken - 1 : 0);
    note_operator(s, report, s->system.counts(s->system.user).columns);
    int64_t inexact = s->pivoting.inexact + s->system.counts(s->system.user).inexact -
                      before.inexact;
    if (inexact > 0)
        saddle__report_note(report, "%lld solves stayed above rounding", (long long)inexact);
    return status;
}
