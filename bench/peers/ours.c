/* SPDX-License-Identifier: MIT */
/* The factorizations of lib/factor, called as solvers/ldlt.c does: on K with its own
 * regularization, the signs known. */
#include "factor/factorization.h"
#include "peers.h"

typedef struct ours_state {
    saddle__factorization *factors;
    saddle_matrix K; /* a view: regularized values */
} ours_state;

static const char *const names[] = {"ldlt", "cholmod", "umfpack", "klu"};

saddle__pivot_rule peer_pivot_rule(const peer_input *input)
{
    saddle__pivot_rule rule = {.sign = input->sign,
                               .scale = input->scale,
                               .smallest = 1e-14,
                               .replacement = 1e-10};
    return rule;
}

static int available(int variant)
{
    saddle__factorization *factors = NULL;
    saddle_status status = saddle__factorization_create(NULL, names[variant], SADDLE_ORDERING_BEST,
                                                        &factors);
    saddle__factorization_free(factors);
    return status == SADDLE_OK;
}

static int fail(const peer_input *input, peer_facts *facts)
{
    return peer_fail(facts, "%s", saddle_context_message(input->context));
}

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    ours_state *s = state;
    s->K = *input->K;
    s->K.value = (double *)input->regularized; /* read only */
    s->K.owner = 0;
    saddle_status status = saddle__factorization_create(input->context, names[input->variant],
                                                        SADDLE_ORDERING_BEST, &s->factors);
    return status == SADDLE_OK ? 0 : fail(input, facts);
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    ours_state *s = state;
    saddle__eagerness eager = SADDLE__EAGER;
    saddle_status status = saddle__factorization_analyse_late(s->factors, &s->K, input->late,
                                                              &eager);
    return status == SADDLE_OK ? 0 : fail(input, facts);
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    ours_state *s = state;
    saddle__pivot_rule rule = peer_pivot_rule(input);
    if (saddle__factorization_factor_by(s->factors, &s->K, &rule) != SADDLE_OK)
        return fail(input, facts);
    saddle__factor_counts counts = saddle__factorization_counts(s->factors);
    facts->entries = counts.entries;
    facts->inertia = counts.inertia;
    facts->perturbed = counts.perturbed_pivots;
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    ours_state *s = state;
    for (int64_t k = 0; k < count; k++)
        if (saddle__factorization_solve(s->factors, x + k * s->K.rows) != SADDLE_OK)
            return fail(input, facts);
    return 0;
}

static void clear(void *state, const peer_input *input)
{
    (void)input;
    saddle__factorization_free(((ours_state *)state)->factors);
}

const peer_program peer_ours = {.available = available,
                                .state_size = sizeof(ours_state),
                                .prepare = prepare,
                                .analyse = analyse,
                                .factor = factor,
                                .solve = solve,
                                .clear = clear};
