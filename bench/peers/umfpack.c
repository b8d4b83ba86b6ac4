/* SPDX-License-Identifier: MIT */
/* UMFPACK, by its defaults but for the refinement inside its solve, which is left to the harness as
 * for all. */
#include <umfpack.h>

#include "peers.h"

typedef struct umfpack_state {
    double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
    saddle_matrix K; /* both triangles */
    void *symbolic, *numeric;
    double *solution; /* n */
} umfpack_state;

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    umfpack_state *s = state;
    umfpack_dl_defaults(s->control);
    s->control[UMFPACK_IRSTEP] = 0;
    s->solution = saddle_allocate(input->context, input->K->rows, sizeof *s->solution);
    saddle_status status = saddle_matrix_expand(input->context, input->K, &s->K);
    return s->solution == NULL || status != SADDLE_OK ? peer_fail(facts, "out of memory") : 0;
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    (void)input;
    umfpack_state *s = state;
    umfpack_dl_free_symbolic(&s->symbolic);
    SuiteSparse_long status = umfpack_dl_symbolic(s->K.rows, s->K.cols, s->K.start, s->K.index,
                                                  s->K.value, &s->symbolic, s->control, s->info);
    if (status != UMFPACK_OK)
        return peer_fail(facts, "UMFPACK's analysis ended with status %lld", (long long)status);
    facts->flops = s->info[UMFPACK_FLOPS_ESTIMATE]; /* a bound from above, and far above */
    return 0;
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    (void)input;
    umfpack_state *s = state;
    umfpack_dl_free_numeric(&s->numeric);
    SuiteSparse_long status = umfpack_dl_numeric(s->K.start, s->K.index, s->K.value, s->symbolic,
                                                 &s->numeric, s->control, s->info);
    if (status != UMFPACK_OK)
        return peer_fail(facts, "UMFPACK's factorization ended with status %lld",
                         (long long)status);
    facts->entries = (int64_t)(s->info[UMFPACK_LNZ] + s->info[UMFPACK_UNZ]);
    facts->flops = s->info[UMFPACK_FLOPS];
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    umfpack_state *s = state;
    int64_t n = input->K->rows;
    for (int64_t k = 0; k < count; k++) {
        SuiteSparse_long status = umfpack_dl_solve(UMFPACK_A, s->K.start, s->K.index, s->K.value,
                                                   s->solution, x + k * n, s->numeric, s->control,
                                                   s->info);
        if (status != UMFPACK_OK)
            return peer_fail(facts, "UMFPACK's solve ended with status %lld", (long long)status);
        for (int64_t i = 0; i < n; i++) x[k * n + i] = s->solution[i];
    }
    return 0;
}

static void clear(void *state, const peer_input *input)
{
    umfpack_state *s = state;
    if (s->symbolic != NULL) umfpack_dl_free_symbolic(&s->symbolic);
    if (s->numeric != NULL) umfpack_dl_free_numeric(&s->numeric);
    saddle_matrix_clear(&s->K);
    saddle_release(input->context, s->solution);
}

const peer_program peer_umfpack = {.state_size = sizeof(umfpack_state),
                                   .prepare = prepare,
                                   .analyse = analyse,
                                   .factor = factor,
                                   .solve = solve,
                                   .clear = clear};
