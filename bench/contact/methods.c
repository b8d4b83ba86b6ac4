/* SPDX-License-Identifier: MIT */
/* See methods.h. */
#include "contact/methods.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"

static int solve_ours(const contact_method *method, const contact_problem *p, contact_call *call)
{
    saddle_options options = saddle_options_default();
    if (call->tolerance > 0.0) options.tolerance = call->tolerance;
    const saddle_problem *problem = method->condensed ? &p->local : &p->problem;
    saddle_solver *solver = NULL;
    saddle_solution solution = {.n = problem->n,
                                .m = problem->m,
                                .v = call->v,
                                .lambda = call->lambda};
    solution.w = saddle_allocate(p->context, problem->m, sizeof *solution.w);
    if (!solution.w) return 1;
    double began = bench_now();
    saddle_status status = saddle_solver_create(p->context, method->ours, &options, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, problem);
    if (status >= 0) status = saddle_solver_factor(solver, problem);
    if (status >= 0) status = saddle_solver_solve(solver, problem, NULL, &solution);
    call->seconds = bench_without_looks(bench_now() - began, 0);
    call->has_v = !method->condensed;
    if (status >= 0) {
        const saddle_report *report = saddle_solver_report(solver);
        call->iterations = report->iterations > 0 ? report->iterations : report->pivots;
        snprintf(call->note, sizeof call->note, "%s", report->solver);
    }
    if (status != SADDLE_OK)
        snprintf(call->note, sizeof call->note, "%s",
                 status == SADDLE_STOPPED ? "time limit" : saddle_status_name(status));
    saddle_solver_free(solver);
    saddle_release(p->context, solution.w);
    return status < 0;
}

#ifdef SADDLE_BENCH_SICONOS
#define SICONOS contact_siconos
#else
#define SICONOS NULL
#endif

static const contact_method table[] = {
    /* name, what, ours, condensed, plane, space, rolling, iterations, solve */
    {"auto", "the solver by default", "auto", 0, 0, 0, 0, 0, solve_ours},
    {"condensed-auto", "the same, handed W and q", "auto", 1, 0, 0, 0, 0, solve_ours},
    {"gauss-seidel", "sweeps over the contacts", "gauss-seidel", 0, 0, 0, 0, 0, solve_ours},
    {"admm", "operator splitting on one factor; then Newton's steps", "admm", 0, 0, 0, 0, 0,
     solve_ours},
    {"staggered", "normal impulses and friction in turn", "staggered", 0, 0, 0, 0, 0, solve_ours},
    {"siconos-nsgs", "Siconos NSGS (libsiconos-numerics-dev)", NULL, 1, 400, 500, 3000, 200000,
     SICONOS},
    {"siconos-cpg", "Siconos CPG; in the plane", NULL, 1, 402, 0, 0, 200000, SICONOS},
    {"siconos-lemke", "Siconos LEMKE; in the plane", NULL, 1, 404, 0, 0, 100000, SICONOS},
    {"siconos-nsn-ac", "Siconos NSN_AC", NULL, 1, 0, 504, 0, 1000, SICONOS},
    {"siconos-nsn-fb", "Siconos NSN_FB", NULL, 1, 0, 513, 0, 1000, SICONOS},
    {"siconos-nsn-nm", "Siconos NSN_NM", NULL, 1, 0, 520, 0, 1000, SICONOS},
    {"siconos-admm", "Siconos ADMM", NULL, 1, 0, 523, 3003, 100000, SICONOS},
    {"siconos-prox", "Siconos PROX; inside NSN_AC", NULL, 1, 0, 502, 0, 1000, SICONOS},
    {"siconos-fpp", "Siconos FPP", NULL, 1, 0, 511, 0, 100000, SICONOS},
    {"siconos-eg", "Siconos EG", NULL, 1, 0, 512, 0, 100000, SICONOS},
    {"siconos-vi-eg", "Siconos VI_EG", NULL, 1, 0, 507, 0, 100000, SICONOS},
    {"siconos-vi-fpp", "Siconos VI_FPP", NULL, 1, 0, 506, 0, 100000, SICONOS},
    {"siconos-tfp", "Siconos TFP; inside NSGS", NULL, 1, 0, 503, 0, 1000, SICONOS},
    {"siconos-global-admm", "Siconos ADMM on M and J", NULL, 0, 0, 613, 0, 100000, SICONOS},
};

const contact_method *contact_method_at(int index)
{
    return index >= 0 && index < (int)(sizeof table / sizeof table[0]) ? table + index : NULL;
}

int contact_method_takes(const contact_method *method, const contact_problem *p)
{
    const int has_velocities = p->problem.n > 0;
    if (!method->solve) return 0;
    if (method->ours) {
        const saddle_solver_type *type = saddle_solver_type_find(p->context, method->ours);
        return type && (!method->condensed || has_velocities) &&
               saddle_solver_type_supports(p->context, type, &p->problem) == SADDLE_OK;
    }
    if (p->problem.law != SADDLE_LAW_CONE) return 0;
    if (!method->condensed && (!has_velocities || saddle_matrix_entries(&p->problem.R) > 0))
        return 0;
    return contact_siconos_number(method, p) != 0;
}
