/* SPDX-License-Identifier: MIT */
/* See contradiction.h. */
#include "contradiction.h"

#include <string.h>

#include "builtin.h"
#include "problem/verdict.h"
#include "settings.h"

enum {
    MOST_PATHS = 1000, /* rows, whose paths take no longer than the steps do */
    FEW = 100          /* velocities and rows, whose W and paths take about a millisecond */
};

/* Who looks; all-zero with a context is fine to clear. */
typedef struct search {
    saddle_context *context;
    const saddle_problem *problem; /* the true one */
    saddle_problem smooth;         /* contacts have no friction */
    saddle_contact *contacts;
    saddle_solution found;
    saddle_report report;
    saddle_options options;
    double *checker_work;
} search;

static void clear(search *s)
{
    saddle_release(s->context, s->checker_work);
    saddle_release(s->context, s->contacts);
    saddle_solution_clear(&s->found);
}

static saddle_status make(search *s, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    s->problem = problem;
    s->smooth = *problem;
    s->options = saddle_options_default();
    s->options.settings = "lemke.crash_steps=0"; /* a ray is looked for, not an answer */
    s->contacts = saddle_allocate(s->context, count, sizeof *s->contacts);
    s->checker_work = saddle_allocate(s->context, saddle_residual_work_size(problem),
                                      sizeof *s->checker_work);
    if (!s->contacts || !s->checker_work) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < count; k++) {
        s->contacts[k] = problem->contacts[k];
        s->contacts[k].mu = 0.0;
    }
    s->smooth.contacts = s->contacts;
    s->smooth.law = SADDLE_LAW_BOX;
    s->smooth.owner = 0;
    return saddle_solution_create(s->context, problem->n, problem->m, &s->found);
}

static saddle_status solve_by(search *s, saddle_solver_call *call, const saddle_solver_type *type)
{
    void *state = saddle_allocate(s->context, 1, type->state_size);
    if (!state) return SADDLE_OUT_OF_MEMORY;
    saddle__settings settings;
    call->settings = saddle__settings_fill(type, call->options->settings, &settings);
    for (int64_t j = 0; j < s->found.n; j++) s->found.v[j] = 0.0;
    for (int64_t i = 0; i < s->found.m; i++) s->found.lambda[i] = 0.0;
    saddle_status status = type->analyse(call, state, &s->smooth);
    if (status >= 0) status = type->factor(call, state, &s->smooth);
    if (status >= 0) status = type->solve(call, state, &s->smooth, &s->found);
    type->clear(state, s->context);
    saddle_release(s->context, state);
    return status;
}

/* Whether what has been offered holds of the true problem and against the answer. */
static saddle_status judge(const search *s, const saddle_solution *answer,
                           saddle_certificate *certificate, saddle_proof *proof)
{
    int refuted = 0;
    saddle_status status = SADDLE_OK;
    if (certificate->row)
        status = saddle__certificate_refutes(s->context, s->problem, certificate, answer, proof,
                                             &refuted);
    if (!refuted) saddle_certificate_clear(certificate);
    return status == SADDLE_OUT_OF_MEMORY ? status : refuted ? SADDLE_INFEASIBLE : SADDLE_OK;
}

static void take(const search *s, saddle_solution *answer)
{
    if (answer->n > 0) memcpy(answer->v, s->found.v, (size_t)answer->n * sizeof *answer->v);
    if (answer->m > 0)
        memcpy(answer->lambda, s->found.lambda, (size_t)answer->m * sizeof *answer->lambda);
}

int saddle__refutation_is_cheap(const saddle_problem *problem)
{
    return problem->n <= FEW && problem->m <= FEW;
}

saddle_status saddle__find_refutation(saddle_context *context, const saddle_problem *problem,
                                      double deadline, saddle_solution *answer,
                                      saddle_certificate *certificate, saddle_proof *proof)
{
    const saddle_solver_type *finders[] = {&saddle__solver_pivot, &saddle__solver_lemke};
    int has_paths = (problem->n == 0 && problem->m <= MOST_PATHS) ||
                    saddle__refutation_is_cheap(problem);
    int count = has_paths ? 2 : 1;
    search s = {.context = context};
    saddle_status status = make(&s, problem);
    saddle_solver_call call = {.context = context,
                               .options = &s.options,
                               .report = &s.report,
                               .checker_work = s.checker_work,
                               .certificate = certificate,
                               .deadline = deadline};
    for (int k = 0; k < count && status == SADDLE_OK && saddle_clock() < deadline; k++) {
        status = solve_by(&s, &call, finders[k]);
        if (status != SADDLE_OUT_OF_MEMORY) status = judge(&s, answer, certificate, proof);
    }
    if (status == SADDLE_INFEASIBLE) take(&s, answer);
    clear(&s);
    return status;
}
