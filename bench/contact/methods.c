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
    saddle_solver *solver = NULL;
    saddle_solution solution = {.n = p->problem.n,
                                .m = p->problem.m,
                                .v = call->v,
                                .lambda = call->lambda};
    solution.w = saddle_allocate(p->context, p->problem.m, sizeof *solution.w);
    if (!solution.w) return 1;
    double began = bench_now();
    saddle_status status = saddle_solver_create(p->context, method->name, &options, &solver);
    if (status == SADDLE_OK) status = saddle_solver_analyse(solver, &p->problem);
    if (status >= 0) status = saddle_solver_factor(solver, &p->problem);
    if (status >= 0) status = saddle_solver_solve(solver, &p->problem, NULL, &solution);
    call->seconds = bench_without_looks(bench_now() - began, 0);
    call->has_v = 1;
    if (status >= 0) {
        const saddle_report *report = saddle_solver_report(solver);
        call->iterations = report->pivots > 0 ? report->pivots : report->iterations;
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
    /* name, what, ours, plane, space, global, iterations, solve */
    {"auto", "the solver by default", 1, 0, 0, 0, 0, solve_ours},
    {"gauss-seidel", "sweeps over the contacts", 1, 0, 0, 0, 0, solve_ours},
    {"admm", "operator splitting on one factor; then Newton's steps", 1, 0, 0, 0, 0, solve_ours},
    {"siconos-nsgs", "Siconos NSGS (libsiconos-numerics-dev)", 0, 400, 500, 0, 200000, SICONOS},
    {"siconos-cpg", "Siconos CPG; in the plane", 0, 402, 0, 0, 200000, SICONOS},
    {"siconos-lemke", "Siconos LEMKE; in the plane", 0, 404, 0, 0, 100000, SICONOS},
    {"siconos-nsn-ac", "Siconos NSN_AC", 0, 0, 504, 0, 1000, SICONOS},
    {"siconos-nsn-fb", "Siconos NSN_FB", 0, 0, 513, 0, 1000, SICONOS},
    {"siconos-nsn-nm", "Siconos NSN_NM", 0, 0, 520, 0, 1000, SICONOS},
    {"siconos-admm", "Siconos ADMM", 0, 0, 523, 0, 100000, SICONOS},
    {"siconos-prox", "Siconos PROX; inside NSN_AC", 0, 0, 502, 0, 1000, SICONOS},
    {"siconos-fpp", "Siconos FPP", 0, 0, 511, 0, 100000, SICONOS},
    {"siconos-eg", "Siconos EG", 0, 0, 512, 0, 100000, SICONOS},
    {"siconos-vi-eg", "Siconos VI_EG", 0, 0, 507, 0, 100000, SICONOS},
    {"siconos-vi-fpp", "Siconos VI_FPP", 0, 0, 506, 0, 100000, SICONOS},
    {"siconos-tfp", "Siconos TFP; inside NSGS", 0, 0, 503, 0, 1000, SICONOS},
    {"siconos-global-admm", "Siconos ADMM on M and J", 0, 0, 0, 613, 100000, SICONOS},
};

const contact_method *contact_method_at(int index)
{
    return index >= 0 && index < (int)(sizeof table / sizeof table[0]) ? table + index : NULL;
}

int contact_method_takes(const contact_method *method, const contact_problem *p)
{
    if (!method->solve) return 0;
    if (!method->ours && p->problem.law != SADDLE_LAW_CONE) return 0;
    if (method->global)
        return p->problem.n > 0 && p->dimension == 3 && saddle_matrix_entries(&p->problem.R) == 0;
    if (!method->ours) return (p->dimension == 2 ? method->plane : method->space) != 0;
    const saddle_solver_type *type = saddle_solver_type_find(p->context, method->name);
    return type && saddle_solver_type_supports(p->context, type, &p->problem) == SADDLE_OK;
}
