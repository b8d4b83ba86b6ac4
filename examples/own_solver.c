/* SPDX-License-Identifier: MIT */
/* A user's solver: dense Gaussian elimination of
 *
 *     [ M   J' ] [  v      ]   [ f ]
 *     [ J  -R  ] [ -lambda ] = [ b ]
 *
 * with row exchanges, registered with a context and called by name.  The library checks the problem
 * before the call and measures the residual after the call. own_solver.txt has the output.
 */
#include <math.h>
#include <stdio.h>

#include "saddle/saddle.h"

typedef struct dense_state {
    int64_t size;   /* n + m */
    double *A;      /* size x size by rows; L and U later */
    int64_t *pivot; /* size: the row exchanged in step k */
    double *x;      /* size */
} dense_state;

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    dense_state *state = memory;
    state->size = problem->n + problem->m;
    if (state->size > 1000)
        return saddle_fail(call->context, SADDLE_TOO_LARGE, "dense: %lld unknowns",
                           (long long)state->size);
    state->A = saddle_allocate(call->context, state->size * state->size, sizeof *state->A);
    state->pivot = saddle_allocate(call->context, state->size, sizeof *state->pivot);
    state->x = saddle_allocate(call->context, state->size, sizeof *state->x);
    return state->A && state->pivot && state->x ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static void fill(dense_state *state, const saddle_problem *problem)
{
    const int64_t n = problem->n, N = state->size;
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < N; j++) {
            double a = 0;
            if (i < n && j < n)
                a = saddle_matrix_entry(&problem->M, i, j);
            else if (i < n)
                a = saddle_matrix_entry(&problem->Jt, i, j - n);
            else if (j < n)
                a = saddle_matrix_entry(&problem->Jt, j, i - n);
            else if (problem->R.rows > 0)
                a = -saddle_matrix_entry(&problem->R, i - n, j - n);
            state->A[i * N + j] = a;
        }
    }
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    dense_state *state = memory;
    const int64_t N = state->size;
    double *A = state->A;
    fill(state, problem);
    for (int64_t k = 0; k < N; k++) {
        int64_t best = k;
        for (int64_t i = k + 1; i < N; i++)
            if (fabs(A[i * N + k]) > fabs(A[best * N + k])) best = i;
        if (!(fabs(A[best * N + k]) > 0))
            return saddle_fail(call->context, SADDLE_SINGULAR, "dense: no pivot in column %lld",
                               (long long)k + 1);
        state->pivot[k] = best;
        for (int64_t j = 0; j < N; j++) {
            const double kept = A[k * N + j];
            A[k * N + j] = A[best * N + j];
            A[best * N + j] = kept;
        }
        for (int64_t i = k + 1; i < N; i++) {
            A[i * N + k] /= A[k * N + k];
            for (int64_t j = k + 1; j < N; j++) A[i * N + j] -= A[i * N + k] * A[k * N + j];
        }
    }
    call->report->factorizations++;
    return SADDLE_OK;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    const dense_state *state = memory;
    const int64_t n = problem->n, N = state->size;
    double *x = state->x;
    (void)call;
    for (int64_t i = 0; i < n; i++) x[i] = problem->f ? problem->f[i] : 0;
    for (int64_t i = n; i < N; i++) x[i] = problem->b ? problem->b[i - n] : 0;
    for (int64_t k = 0; k < N; k++) {
        const double kept = x[k];
        x[k] = x[state->pivot[k]];
        x[state->pivot[k]] = kept;
    }
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < i; j++) x[i] -= state->A[i * N + j] * x[j];
    for (int64_t i = N - 1; i >= 0; i--) {
        for (int64_t j = i + 1; j < N; j++) x[i] -= state->A[i * N + j] * x[j];
        x[i] /= state->A[i * N + i];
    }
    for (int64_t i = 0; i < n; i++) solution->v[i] = x[i];
    for (int64_t i = n; i < N; i++) solution->lambda[i - n] = -x[i];
    return SADDLE_OK;
}

static void clear(void *memory, saddle_context *context)
{
    dense_state *state = memory;
    saddle_release(context, state->A);
    saddle_release(context, state->pivot);
    saddle_release(context, state->x);
}

static const saddle_solver_type dense_solver = {
    .name = "dense",
    .summary = "Gaussian elimination of the whole matrix",
    .rows = SADDLE_ROWS_EQUALITY,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(dense_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};

/* 1 kg thrown at (3, 4) m/s along a rail in x: the rail takes the velocity in y.  The dense solver
 * does not support a bound on the rail's impulse: the library returns SADDLE_UNSUPPORTED. */
static int throw_along_rail(saddle_context *context)
{
    int64_t M_start[] = {0, 1, 2}, M_index[] = {0, 1}, J_start[] = {0, 1}, J_index[] = {1};
    double M_value[] = {1, 1}, J_value[] = {1}, f[] = {3, 4}, lo[] = {0};
    saddle_problem problem = {.n = 2,
                              .m = 1,
                              .f = f,
                              .M = saddle_matrix_view(2, 2, M_start, M_index, M_value,
                                                      SADDLE_SYMMETRY_LOWER),
                              .Jt = saddle_matrix_view(2, 1, J_start, J_index, J_value,
                                                       SADDLE_SYMMETRY_NONE)};
    saddle_solution solution = {0};
    saddle_report report;
    if (saddle_solve(context, &problem, "dense", NULL, NULL, &solution, &report) != SADDLE_OK)
        return -1;
    printf("%s: v = (%g, %g) m/s, lambda = %g N s, residual %g\n", report.solver, solution.v[0],
           solution.v[1], solution.lambda[0], report.residual.total);
    saddle_solution_clear(&solution);

    problem.lo = lo;
    const saddle_status status = saddle_solve(context, &problem, "dense", NULL, NULL, &solution,
                                              NULL);
    printf("with a bound: %s\n", saddle_status_text(status));
    return status == SADDLE_UNSUPPORTED ? 0 : -1;
}

int main(void)
{
    saddle_context *context = NULL;
    int failed = saddle_context_create(NULL, &context) != SADDLE_OK;
    if (!failed) failed = saddle_solver_register(context, &dense_solver) != SADDLE_OK;
    if (!failed) failed = throw_along_rail(context);
    if (failed) fprintf(stderr, "%s\n", saddle_context_message(context));
    saddle_context_free(context);
    return failed ? 1 : 0;
}
