/* SPDX-License-Identifier: MIT */
#include "reduction.h"

void saddle__reduction_clear(saddle_context *context, saddle__reduction *r)
{
    saddle_elimination_free(r->elimination);
    saddle__release_all(context, r->solution.v, r->solution.lambda, r->solution.w, r->whole.v,
                        r->whole.lambda, r->whole.w);
    *r = (saddle__reduction){0};
}

/* Vectors of a solution of n velocities and m rows. */
static saddle_status reserve(saddle_context *context, saddle_solution *solution, int64_t n,
                             int64_t m, int64_t capacity[2])
{
    int64_t rows = capacity[1];
    SADDLE__TRY(saddle__reserve(context, &solution->v, &capacity[0], n, sizeof(double)));
    SADDLE__TRY(saddle__reserve(context, &solution->lambda, &rows, m, sizeof(double)));
    SADDLE__TRY(saddle__reserve(context, &solution->w, &capacity[1], m, sizeof(double)));
    solution->n = n;
    solution->m = m;
    solution->context = context;
    return SADDLE_OK;
}

/* Joints to be chosen are, whatever the wish of the others. */
static saddle_status eliminate(const saddle_assembly *a, const saddle_problem *problem,
                               saddle_elimination_wish wish, const saddle_options *options,
                               saddle_elimination **elimination)
{
    const saddle__system_attached *attached = &a->attached;
    const int64_t count = saddle_attachments_count(attached->graph);
    if (attached->choices == 0)
        return saddle_elimination_create(a->context, attached->graph, problem, wish,
                                         wish == SADDLE_ELIMINATE ? NULL : attached->wish, options,
                                         elimination);
    saddle_elimination_wish *each = saddle_allocate(a->context, count, sizeof *each);
    if (!each) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        each[c] = attached->wish[c] == SADDLE_CHOOSE ? wish : attached->wish[c];
        if (attached->chosen[c]) each[c] = SADDLE_CHOOSE;
    }
    const saddle_status status = saddle_elimination_create(a->context, attached->graph, problem,
                                                           SADDLE_CHOOSE, each, options,
                                                           elimination);
    saddle_release(a->context, each);
    return status;
}

saddle_status saddle__reduce(saddle__reduction *r, const saddle_assembly *a,
                             const saddle_problem *problem, saddle_elimination_wish wish, int fresh,
                             const saddle_options *options, const saddle_problem **reduced)
{
    const saddle__system_attached *attached = &a->attached;
    *reduced = problem;
    if (!attached->graph) return SADDLE_OK;
    if (!fresh && r->elimination) {
        SADDLE__TRY(saddle_elimination_form(r->elimination, attached->graph, problem));
        *reduced = saddle_elimination_problem(r->elimination);
        return SADDLE_OK;
    }
    saddle_elimination_free(r->elimination);
    r->elimination = NULL;
    SADDLE__TRY(eliminate(a, problem, wish, options, &r->elimination));
    *reduced = saddle_elimination_problem(r->elimination);
    SADDLE__TRY(reserve(a->context, &r->solution, (*reduced)->n, (*reduced)->m, r->capacity));
    return reserve(a->context, &r->whole, problem->n, problem->m + attached->count,
                   r->capacity + 2);
}

saddle_solution *saddle__reduced_solution(saddle__reduction *r, saddle_solution *whole)
{
    return r->elimination ? &r->solution : whole;
}

saddle_status saddle__recover(saddle__reduction *r, const saddle_problem *problem,
                              saddle_solution *solution)
{
    if (!r->elimination) return SADDLE_OK;
    SADDLE__TRY(saddle_elimination_recover(r->elimination, problem, &r->solution, &r->whole));
    saddle__copy(solution->v, r->whole.v, problem->n);
    saddle__copy(solution->lambda, r->whole.lambda, problem->m);
    saddle__copy(solution->w, r->whole.w, problem->m);
    r->force = r->whole.lambda + problem->m;
    return SADDLE_OK;
}
