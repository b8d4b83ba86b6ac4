/* SPDX-License-Identifier: MIT */
/* On a large W that is symmetric, a basis by block pivoting whose steps are searched along, on W +
 * E, with E taken out again (schur/bounded.h).  The crash basis takes whole steps, which may cycle
 * where many rows press against each other, and a path from there takes a pivot for each row; these
 * steps end.  Where there are more rows with bounds than velocities they come before the crash
 * basis, which then has singular systems to solve, unless it begins from impulses. */
#include <math.h>

#include "lemke/lemke_state.h"
#include "problem/verdict.h"

static int64_t count_bounded(const saddle_problem *problem)
{
    saddle_row_counts count = saddle_problem_count_rows(problem);
    return problem->m - count.equality;
}

/* On W, which is large. */
static int is_open(const saddle__lemke *s, const saddle_problem *problem)
{
    return problem->contact_count == 0 && s->mass.complement.W.symmetry == SADDLE_SYMMETRIC;
}

/* More rows with bounds than velocities depend on each other. */
static int must_depend(const saddle_problem *problem)
{
    return problem->n > 0 && count_bounded(problem) > problem->n;
}

saddle__lemke_block_turn saddle__lemke_turn_of_blocks(const saddle__lemke *s,
                                                      const saddle_problem *problem,
                                                      const saddle_solution *start)
{
    int large = s->table != NULL && s->table == &s->large;
    if (!large || !is_open(s, problem)) return SADDLE__BLOCKS_NEVER;
    int first = must_depend(problem);
    for (int64_t i = 0; first && i < problem->m; i++) first = start->lambda[i] == 0.0;
    return first ? SADDLE__BLOCKS_FIRST : SADDLE__BLOCKS_SECOND;
}

/* Whether what has been offered proves that there is no solution; if not, nothing is. */
static saddle_status judge_proof(const saddle_solver_call *call, const saddle_problem *problem)
{
    saddle_proof proof = {.kind = SADDLE_PROOF_NONE};
    if (!call->certificate) return SADDLE_OK;
    saddle_status status = saddle_certificate_check(call->context, problem, call->certificate,
                                                    &proof);
    if (status != SADDLE_OK) return status;
    if (proof.kind != SADDLE_PROOF_NONE) return SADDLE_INFEASIBLE;
    saddle_certificate_clear(call->certificate);
    return SADDLE_OK;
}

static saddle_status make(saddle__lemke *s, const saddle_solver_call *call,
                          const saddle_problem *problem)
{
    if (s->has_blocks) return SADDLE_OK;
    saddle_status status = saddle__bounded_create(call->context, &s->mass.complement, problem,
                                                  call->options, 0, &s->blocks);
    s->has_blocks = status == SADDLE_OK;
    return status;
}

saddle_status saddle__lemke_block_analyse(saddle__lemke *s, const saddle_solver_call *call,
                                          const saddle_problem *problem)
{
    const saddle__lemke_settings *lemke = call->settings;
    int expected = lemke->crash_steps != 0 && s->is_large && s->demand.room == 0;
    return expected && is_open(s, problem) && must_depend(problem) ? make(s, call, problem)
                                                                   : SADDLE_OK;
}

saddle_status saddle__lemke_block_start(saddle__lemke *s, const saddle_solver_call *call,
                                        const saddle_problem *problem, int64_t left,
                                        saddle_solution *solution)
{
    saddle_options options = *call->options;
    saddle_solver_call own = *call;
    saddle_residual residual;
    own.options = &options;
    if (options.max_iterations > 0) options.max_iterations = left;
    saddle_status status = make(s, call, problem);
    if (status != SADDLE_OK) return status;
    saddle__bounded_set(&s->blocks, &s->mass.complement, options.regularization);
    status = saddle__bounded_solve(&s->blocks, &s->mass.complement, problem, &own, solution);
    if (status < 0) return status;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, call->checker_work,
                            &residual);
    s->best = fmin(s->best, saddle__error_of(&residual, call->options->tolerance));
    if (status == SADDLE_INFEASIBLE) return judge_proof(call, problem);
    return status == SADDLE_TIME_LIMIT || status == SADDLE_STOPPED ? status : SADDLE_OK;
}
