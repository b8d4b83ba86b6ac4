/* SPDX-License-Identifier: MIT */
/* Small problems to every solver: a status of its documentation, an answer that is as good as it
 * says, a certificate that holds, no memory left.  The second solve has other values in the same
 * patterns. */
#include <math.h>

#include "fuzz_draw.h"

static saddle_options draw_options(fuzz_bytes *bytes)
{
    static const char *const settings[] = {
        NULL,
        "ldlt.factorization=cholmod pivot.basis=columns lemke.columns=on",
        "ldlt.factorization=klu lu.factorization=klu pivot.basis=factor",
        "pivot.lagged_friction=on schur.lagged_friction=on",
        "pivot.basis=factor pivot.lagged_friction=on",
        "gauss-seidel.relaxation=1.3 gauss-seidel.check_every=3",
    };
    saddle_options options = saddle_options_default();
    options.max_iterations = fuzz_below(bytes, 4) ? 60 : 0;
    options.time_limit = 0.5;
    options.settings = settings[fuzz_below(bytes, sizeof settings / sizeof *settings)];
    options.condition = (int)fuzz_below(bytes, 2);
    if (!fuzz_below(bytes, 4)) options.regularization = 0.0;
    return options;
}

static void judge(saddle_context *context, saddle_solver *solver, const saddle_problem *problem,
                  const saddle_solution *solution, saddle_status status)
{
    saddle_residual residual;
    fuzz_demand(status != SADDLE_INTERNAL && status != SADDLE_WRONG_PHASE);
    if (status < 0) return;
    for (int64_t j = 0; j < problem->n; j++) fuzz_demand(isfinite(solution->v[j]));
    for (int64_t i = 0; i < problem->m; i++)
        fuzz_demand(isfinite(solution->lambda[i]) && isfinite(solution->w[i]));
    fuzz_demand(saddle_solution_check(context, problem, solution, &residual, NULL) == SADDLE_OK);
    if (status == SADDLE_OK) fuzz_demand(saddle_residual_is_solved(&residual, 1e-10));
    const saddle_certificate *certificate = saddle_solver_certificate(solver);
    if (status == SADDLE_INFEASIBLE) fuzz_demand(certificate != NULL);
    if (!certificate) return;
    saddle_proof proof;
    fuzz_demand(saddle_certificate_check(context, problem, certificate, &proof) == SADDLE_OK);
    fuzz_demand(proof.kind != SADDLE_PROOF_NONE);
}

static void solve(saddle_context *context, saddle_solver *solver, const saddle_problem *problem)
{
    saddle_solution solution;
    fuzz_demand(saddle_solution_create(context, problem->n, problem->m, &solution) == SADDLE_OK);
    saddle_status status = saddle_solver_factor(solver, problem);
    if (status == SADDLE_OK || status == SADDLE_WRONG_INERTIA) {
        status = saddle_solver_solve(solver, problem, NULL, &solution);
        judge(context, solver, problem, &solution, status);
    }
    char *text = NULL;
    fuzz_demand(saddle_report_to_json(context, saddle_solver_report(solver), &text) == SADDLE_OK);
    saddle_release(context, text);
    saddle_solution_clear(&solution);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_bytes bytes = {data, size};
    saddle_context *context = fuzz_small_context();
    int64_t before = saddle_context_memory(context).bytes;
    const saddle_solver_type *type = NULL;
    int64_t types = 0;
    while (saddle_solver_type_at(context, types)) types++;
    type = saddle_solver_type_at(context, fuzz_below(&bytes, types));
    saddle_options options = draw_options(&bytes);
    fuzz_drawn drawn;
    fuzz_draw_problem(&bytes, &drawn);
    saddle_solver *solver;
    if (saddle_solver_create(context, type->name, &options, &solver) == SADDLE_OK) {
        saddle_status status = saddle_solver_analyse(solver, &drawn.problem);
        fuzz_demand(status != SADDLE_INTERNAL &&
                    (status == SADDLE_OK || *saddle_context_message(context)));
        if (status == SADDLE_OK) solve(context, solver, &drawn.problem);
        fuzz_draw_values(&bytes, &drawn);
        if (status == SADDLE_OK) solve(context, solver, &drawn.problem);
    }
    saddle_solver_free(solver);
    fuzz_demand(saddle_context_memory(context).bytes == before);
    saddle_context_free(context);
    return 0;
}
