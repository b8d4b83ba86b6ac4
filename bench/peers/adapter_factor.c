/* SPDX-License-Identifier: MIT */
/* MUMPS, UMFPACK or CHOLMOD as a solver of problems with equality rows: K (v, -lambda) = (f, b),
 * K = [M J'; J -R] symmetric, with steps of refinement against K in double precision. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peers/adapter.h"
#include "peers/peers.h"
#include "problem/kkt.h"

#if defined(PEER_IS_MUMPS)
#define PROGRAM peer_mumps
const char adapter_version[] = "MUMPS";
const char *const adapter_methods[] = {"default", "amd", "scotch", "metis", NULL};
#elif defined(PEER_IS_UMFPACK)
#define PROGRAM peer_umfpack
const char adapter_version[] = "UMFPACK";
const char *const adapter_methods[] = {"default", NULL};
#else
#define PROGRAM peer_cholmod
const char adapter_version[] = "CHOLMOD, K +- 1e-9";
const char *const adapter_methods[] = {"amd", "metis", NULL};
#endif

enum { REFINEMENTS = 3 };

int peer_fail(peer_facts *facts, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(facts->message, sizeof facts->message, format, arguments);
    va_end(arguments);
    return 1;
}

/* The place of the method in the list is the number of the variant. */
static int variant_of(const char *method)
{
    int k = 0;
    while (adapter_methods[k] && strcmp(adapter_methods[k], method) != 0) k++;
    return k;
}

/* x = K^-1 b by the factors, then refinement; r: scratch. */
static int solve_refined(adapter_call *call, const peer_input *input, void *state,
                         peer_facts *facts, const double *b, double *x, double *r)
{
    const size_t bytes = (size_t)input->K->rows * sizeof *x;
    memcpy(x, b, bytes);
    if (PROGRAM.solve(state, input, 1, x, facts)) return 1;
    for (call->iterations = 0; call->iterations < REFINEMENTS; call->iterations++) {
        memcpy(r, b, bytes);
        saddle_matrix_apply(input->K, -1, x, 1, r);
        if (PROGRAM.solve(state, input, 1, r, facts)) return 1;
        for (int64_t i = 0; i < input->K->rows; i++) x[i] += r[i];
    }
    return 0;
}

/* scratch: 3 (n + m) doubles. */
static adapter_end run_phases(adapter_call *call, const peer_input *input, void *state,
                              double *scratch)
{
    const saddle_problem *problem = call->problem;
    const int64_t n = problem->n, size = n + problem->m;
    double *b = scratch, *x = scratch + size, *r = scratch + 2 * size;
    peer_facts facts = {.message = ""};
    for (int64_t i = 0; i < n; i++) b[i] = problem->f ? problem->f[i] : 0;
    for (int64_t i = n; i < size; i++) b[i] = problem->b ? problem->b[i - n] : 0;
    double began = saddle_clock();
    int failed = PROGRAM.prepare(state, input, &facts) || PROGRAM.analyse(state, input, &facts);
    call->analyse = saddle_clock() - began;
    began = saddle_clock();
    failed = failed || PROGRAM.factor(state, input, &facts);
    call->factor = saddle_clock() - began;
    began = saddle_clock();
    failed = failed || solve_refined(call, input, state, &facts, b, x, r);
    call->solve = saddle_clock() - began;
    if (failed) return adapter_stop(call, ADAPTER_FAILED, "%s", facts.message);
    for (int64_t i = 0; i < n; i++) call->v[i] = x[i];
    for (int64_t i = n; i < size; i++) call->lambda[i - n] = -x[i];
    return ADAPTER_DONE;
}

adapter_end adapter_solve(adapter_call *call)
{
    saddle__folded folded = {0};
    saddle__kkt kkt = {0};
    const saddle_row_counts rows = saddle_problem_count_rows(call->problem);
    if (rows.equality != call->problem->m)
        return adapter_stop(call, ADAPTER_CANNOT, "rows that are no equations");
    saddle_status status = saddle__folded_create(call->context, call->problem, 1, &folded);
    const saddle_problem *problem = status ? NULL : saddle__folded_take(&folded, call->problem);
    if (status == SADDLE_OK) status = saddle__kkt_create(call->context, problem, 0, &kkt);
    if (status == SADDLE_OK && kkt.K.symmetry != SADDLE_SYMMETRY_LOWER)
        status = saddle_fail(call->context, SADDLE_UNSUPPORTED, "K is not symmetric");
    adapter_end end = ADAPTER_FAILED;
    if (status) {
        end = adapter_stop(call, status == SADDLE_UNSUPPORTED ? ADAPTER_CANNOT : ADAPTER_FAILED,
                           "%s", saddle_context_message(call->context));
    } else {
        saddle__kkt_refresh(&kkt, problem, NULL);
        const peer_input input = {.context = call->context,
                                  .K = &kkt.K,
                                  .variant = variant_of(call->method),
                                  .threads = 1};
        void *state = calloc(1, PROGRAM.state_size);
        double *scratch = calloc(3 * (size_t)kkt.K.rows + 1, sizeof *scratch);
        if (state && scratch)
            end = run_phases(call, &input, state, scratch);
        else
            (void)adapter_stop(call, end, "out of memory");
        if (state) PROGRAM.clear(state, &input);
        free(state);
        free(scratch);
    }
    saddle__kkt_clear(&kkt);
    saddle__folded_clear(&folded);
    return end;
}
