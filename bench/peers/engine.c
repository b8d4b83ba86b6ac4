/* SPDX-License-Identifier: MIT */
/* The engine of lib/ldlt called directly, which gives what the table of factorizations does not:
 * its flops, and many right-hand sides at once.  K carries saddle's own regularization, the signs
 * are known, as in solvers/ldlt.c. */
#include "ldlt/ldlt.h"
#include "peers.h"

typedef struct engine_state {
    saddle__ldlt *engine;
    saddle_matrix K; /* a view: regularized values */
} engine_state;

static int fail(const peer_input *input, peer_facts *facts)
{
    return peer_fail(facts, "%s", saddle_context_message(input->context));
}

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    engine_state *s = state;
    s->K = *input->K;
    s->K.value = (double *)input->regularized; /* read only */
    s->K.owner = 0;
    (void)facts;
    return 0;
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    engine_state *s = state;
    saddle__ldlt_request request = {.ordering = SADDLE_ORDERING_BEST,
                                    .late = input->late,
                                    .eager = SADDLE__EAGER,
                                    .threads = input->threads};
    saddle__ldlt_free(s->engine);
    if (saddle__ldlt_analyse(input->context, &s->K, &request, &s->engine) != SADDLE_OK)
        return fail(input, facts);
    saddle__ldlt_size size = saddle__ldlt_size_of(s->engine);
    facts->entries = size.fill;
    facts->flops = size.flops;
    return 0;
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    engine_state *s = state;
    saddle__pivot_rule rule = peer_pivot_rule(input);
    saddle__factor_counts counts = {0};
    if (saddle__ldlt_factor(s->engine, &s->K, &rule, &counts) != SADDLE_OK)
        return fail(input, facts);
    facts->inertia = counts.inertia;
    facts->perturbed = counts.perturbed_pivots;
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    (void)input;
    (void)facts;
    engine_state *s = state;
    saddle__ldlt_solve(s->engine, SADDLE__LDLT_WHOLE, count, x, s->K.rows);
    return 0;
}

static void clear(void *state, const peer_input *input)
{
    (void)input;
    saddle__ldlt_free(((engine_state *)state)->engine);
}

const peer_program peer_engine = {.state_size = sizeof(engine_state),
                                  .prepare = prepare,
                                  .analyse = analyse,
                                  .factor = factor,
                                  .solve = solve,
                                  .clear = clear};
