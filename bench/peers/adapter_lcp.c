/* SPDX-License-Identifier: MIT */
/* The Dantzig and Lemke solvers of ODE, Bullet or DART: W lambda + q = w, dense, with bounds and
 * the law `box`, whose bounds they take from the normals of a solution without friction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complementarity/peers.h"
#include "peers/adapter.h"

enum { LARGEST = 3000 }; /* rows of a dense W */

#if defined(PEER_IS_ODE)
const char adapter_version[] = "ODE dxSolveLCP";
const char *const adapter_methods[] = {"dantzig", NULL};
static lcp_solve_function *const solvers[] = {lcp_ode_dantzig};
#elif defined(PEER_IS_BULLET)
const char adapter_version[] = "Bullet, double precision";
const char *const adapter_methods[] = {"dantzig", "lemke", NULL};
static lcp_solve_function *const solvers[] = {lcp_bullet_dantzig, lcp_bullet_lemke};
#else
const char adapter_version[] = "DART dSolveLCP";
const char *const adapter_methods[] = {"dantzig", NULL};
static lcp_solve_function *const solvers[] = {lcp_dart_dantzig};
#endif

typedef struct bounds {
    double *lo, *hi, *b;
    int *normal;
} bounds;

static int allocate_bounds(size_t m, bounds *made)
{
    made->lo = calloc(m + 1, sizeof *made->lo);
    made->hi = calloc(m + 1, sizeof *made->hi);
    made->b = calloc(m + 1, sizeof *made->b);
    made->normal = calloc(m + 1, sizeof *made->normal);
    return made->lo && made->hi && made->b && made->normal;
}

static void clear_bounds(bounds *made)
{
    free(made->lo);
    free(made->hi);
    free(made->b);
    free(made->normal);
}

static void fill_bounds(const saddle_problem *problem, const double *q, bounds *made)
{
    for (int64_t i = 0; i < problem->m; i++) {
        made->lo[i] = saddle_problem_lo(problem, i);
        made->hi[i] = saddle_problem_hi(problem, i);
        made->b[i] = -q[i];
        made->normal[i] = -1;
    }
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        made->lo[contact->row] = 0;
        made->hi[contact->row] = (double)INFINITY;
        for (int64_t i = contact->row + 1; i < contact->row + contact->size; i++) {
            made->lo[i] = -contact->mu;
            made->hi[i] = contact->mu;
            made->normal[i] = (int)contact->row;
        }
    }
}

/* NULL: the rows can be given to the method. */
static const char *refuse(const adapter_call *call)
{
    const saddle_problem *problem = call->problem;
    if (problem->m > LARGEST) return "more than 3000 rows for a dense matrix";
    if (problem->m == 0) return "no rows";
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->contacts[c].size > 3) return "contacts with rolling";
    if (problem->contact_count > 0 && problem->law != SADDLE_LAW_BOX)
        return "a law of friction other than box";
    if (strcmp(call->method, "lemke") != 0) return NULL;
    if (problem->contact_count > 0) return "contacts, for Lemke's method";
    for (int64_t i = 0; i < problem->m; i++)
        if (adapter_row_kind(problem, i) != 1) return "rows other than 0 <= lambda, for Lemke's";
    return NULL;
}

static adapter_end solve_dense(adapter_call *call, const double *A, const double *q)
{
    bounds at = {0};
    int k = 0;
    adapter_end end = ADAPTER_FAILED;
    while (strcmp(adapter_methods[k], call->method) != 0) k++;
    if (allocate_bounds((size_t)call->problem->m, &at)) {
        fill_bounds(call->problem, q, &at);
        lcp_call lcp = {.n = (int)call->problem->m,
                        .A = A,
                        .b = at.b,
                        .lo = at.lo,
                        .hi = at.hi,
                        .normal = at.normal,
                        .friction = call->problem->contact_count > 0,
                        .tolerance = call->tolerance,
                        .x = call->lambda};
        const int failed = solvers[k](&lcp);
        call->solve = lcp.seconds;
        call->iterations = lcp.iterations;
        end = failed ? adapter_stop(call, ADAPTER_FAILED, "%s", lcp.message) : ADAPTER_DONE;
    }
    clear_bounds(&at);
    return end;
}

adapter_end adapter_solve(adapter_call *call)
{
    adapter_condensed condensed = {0};
    const char *why = refuse(call);
    if (why) return adapter_stop(call, ADAPTER_CANNOT, "%s", why);
    adapter_end end = adapter_condense(call, &condensed);
    double *A = end == ADAPTER_DONE ? adapter_dense(&condensed) : NULL;
    if (end == ADAPTER_DONE)
        end = A ? solve_dense(call, A, condensed.q)
                : adapter_stop(call, ADAPTER_FAILED, "out of memory");
    if (end == ADAPTER_DONE) end = adapter_recover(call, &condensed);
    free(A);
    adapter_condensed_clear(&condensed);
    return end;
}
