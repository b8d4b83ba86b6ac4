/* SPDX-License-Identifier: MIT */
/* The engine used twice: all velocities are eliminated, which leaves the Schur complement of the
 * rows, S = -R - J M^-1 J', formed sparse and factored by itself.  Most of the line's time is the
 * forming of S. */
#include <math.h>
#include <stdlib.h>

#include "peers/partial.h"
#include "peers.h"

static const double most_entries = 2e7; /* of S: where it is full, 6000 rows */

typedef struct schur_state {
    saddle_matrix K; /* a view: regularized values */
    saddle__partial partial;
    saddle__ldlt *rows; /* of S */
    signed char *chosen;
    signed char *sign; /* chosen: -1 */
    double *scale;     /* chosen: |S_ii| */
    double *y;         /* chosen */
} schur_state;

static int fail(const peer_input *input, peer_facts *facts)
{
    return peer_fail(facts, "%s", saddle_context_message(input->context));
}

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    schur_state *s = state;
    int64_t n = input->K->rows;
    int64_t rows = 0;
    s->K = *input->K;
    s->K.value = (double *)input->regularized; /* read only */
    s->K.owner = 0;
    s->chosen = calloc((size_t)n + 1, sizeof *s->chosen);
    s->sign = calloc((size_t)n + 1, sizeof *s->sign);
    s->scale = calloc((size_t)n + 1, sizeof *s->scale);
    s->y = calloc((size_t)n + 1, sizeof *s->y);
    if (!s->chosen || !s->sign || !s->scale || !s->y) return peer_fail(facts, "out of memory");
    for (int64_t i = 0; i < n; i++) {
        s->chosen[i] = input->sign[i] < 0;
        s->sign[i] = -1;
        rows += s->chosen[i];
    }
    return rows == 0 ? peer_fail(facts, "no rows are known") : 0;
}

static void clear_factors(schur_state *s)
{
    saddle__partial_clear(&s->partial);
    saddle__ldlt_free(s->rows);
    s->rows = NULL;
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    schur_state *s = state;
    saddle__partial_request request = {.late = input->late,
                                       .chosen = s->chosen,
                                       .threads = input->threads,
                                       .most_entries = most_entries};
    saddle__ldlt_request whole = {.ordering = SADDLE_ORDERING_BEST, .threads = input->threads};
    clear_factors(s);
    if (saddle__partial_analyse(input->context, &s->K, &request, &s->partial) != SADDLE_OK)
        return fail(input, facts);
    if (saddle__ldlt_analyse(input->context, &s->partial.S, &whole, &s->rows) != SADDLE_OK)
        return fail(input, facts);
    saddle__ldlt_size first = saddle__ldlt_size_of(s->partial.engine);
    saddle__ldlt_size second = saddle__ldlt_size_of(s->rows);
    facts->entries = first.fill + second.fill;
    facts->flops = first.flops + saddle__ldlt_complement_size_of(s->partial.rows).flops +
                   second.flops;
    return 0;
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    schur_state *s = state;
    saddle__partial *p = &s->partial;
    saddle__pivot_rule rule = peer_pivot_rule(input);
    saddle__factor_counts first = {0};
    saddle__factor_counts second = {0};
    if (saddle__partial_factor(p, &s->K, &rule, &first) != SADDLE_OK) return fail(input, facts);
    saddle__partial_form(p);
    saddle_matrix_diagonal(&p->S, s->scale);
    for (int64_t i = 0; i < p->chosen; i++) s->scale[i] = fabs(s->scale[i]);
    rule.sign = s->sign;
    rule.scale = s->scale;
    if (saddle__ldlt_factor(s->rows, &p->S, &rule, &second) != SADDLE_OK) return fail(input, facts);
    facts->inertia.known = 1;
    facts->inertia.positive = first.inertia.positive + second.inertia.positive;
    facts->inertia.negative = first.inertia.negative + second.inertia.negative;
    facts->inertia.zero = first.inertia.zero + second.inertia.zero;
    facts->perturbed = first.perturbed_pivots + second.perturbed_pivots;
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    (void)input;
    (void)facts;
    schur_state *s = state;
    saddle__partial *p = &s->partial;
    const int64_t *chosen = p->node + p->eliminated;
    for (int64_t k = 0; k < count; k++) {
        double *column = x + k * p->n;
        saddle__partial_condense(p, column);
        for (int64_t i = 0; i < p->chosen; i++) s->y[i] = column[chosen[i]];
        saddle__ldlt_solve(s->rows, SADDLE__LDLT_WHOLE, 1, s->y, p->chosen);
        for (int64_t i = 0; i < p->chosen; i++) column[chosen[i]] = s->y[i];
        saddle__partial_expand(p, column);
    }
    return 0;
}

static void clear(void *state, const peer_input *input)
{
    (void)input;
    schur_state *s = state;
    clear_factors(s);
    free(s->chosen);
    free(s->sign);
    free(s->scale);
    free(s->y);
}

const peer_program peer_schur = {.state_size = sizeof(schur_state),
                                 .prepare = prepare,
                                 .analyse = analyse,
                                 .factor = factor,
                                 .solve = solve,
                                 .clear = clear};
