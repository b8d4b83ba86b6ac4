/* SPDX-License-Identifier: MIT */
/* MUMPS, sequential, symmetric indefinite (sym = 2), with everything by default or with a given
 * ordering.
 *
 * With a given ordering its search for 2 x 2 pivots on a compressed graph is off (ICNTL(6) = 0,
 * ICNTL(12) = 1), which on very sparse systems takes far longer than all else.  When its room for
 * delayed pivots proves too small (INFOG(1) = -9), the relaxation grows and the factorization is
 * called again.  Reference: MUMPS 5.5 Users' guide; numbers of ICNTL, INFOG and RINFOG are as
 * there, one-based.
 */
#include <dmumps_c.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

#define ICNTL(i) icntl[(i)-1]
#define INFOG(i) infog[(i)-1]
#define RINFOG(i) rinfog[(i)-1]

enum { INITIALIZE = -1, FINISH = -2, ANALYSE = 1, FACTOR = 2, SOLVE = 3 };
enum { ORDERING_AMD = 0, ORDERING_GIVEN = 1, ORDERING_SCOTCH = 3 };
#define LEAST_RELAXATION 50 /* percent of room for delayed pivots */
#define MOST_RELAXATION 6400

typedef struct mumps_state {
    DMUMPS_STRUC_C id;
    int started;
    int64_t *order; /* n: for PEER_MUMPS_METIS */
} mumps_state;

static int call(mumps_state *s, int job, peer_facts *facts)
{
    s->id.job = job;
    dmumps_c(&s->id);
    if (s->id.INFOG(1) >= 0) return 0;
    return peer_fail(facts, "MUMPS, job %d: INFOG(1) = %d, INFOG(2) = %d", job, s->id.INFOG(1),
                     s->id.INFOG(2));
}

/* Millions where negative. */
static int64_t large(int count)
{
    return count < 0 ? -(int64_t)count * 1000000 : count;
}

static void choose(DMUMPS_STRUC_C *id, int variant)
{
    for (int i = 1; i <= 3; i++) id->ICNTL(i) = -1; /* no output */
    id->ICNTL(4) = 0;
    id->ICNTL(14) = LEAST_RELAXATION;
    if (variant == PEER_MUMPS_DEFAULT) return;
    id->ICNTL(6) = 0;
    id->ICNTL(12) = 1;
    id->ICNTL(7) = variant == PEER_MUMPS_AMD      ? ORDERING_AMD
                   : variant == PEER_MUMPS_SCOTCH ? ORDERING_SCOTCH
                                                  : ORDERING_GIVEN;
}

/* The lower triangle as triplets counted from 1, without entries that are zero. */
static int hand_over(mumps_state *s, const saddle_matrix *K)
{
    size_t entries = (size_t)saddle_matrix_entries(K), n = (size_t)K->rows;
    s->id.irn = malloc((entries + 1) * sizeof *s->id.irn);
    s->id.jcn = malloc((entries + 1) * sizeof *s->id.jcn);
    s->id.a = malloc((entries + 1) * sizeof *s->id.a);
    s->id.perm_in = malloc((n + 1) * sizeof *s->id.perm_in);
    s->order = malloc((n + 1) * sizeof *s->order);
    if (!s->id.irn || !s->id.jcn || !s->id.a || !s->id.perm_in || !s->order) return 1;
    s->id.n = (MUMPS_INT)K->rows;
    s->id.nnz = 0;
    for (int64_t j = 0; j < K->cols; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            if (K->value[k] == 0) continue;
            s->id.irn[s->id.nnz] = (MUMPS_INT)K->index[k] + 1;
            s->id.jcn[s->id.nnz] = (MUMPS_INT)j + 1;
            s->id.a[s->id.nnz++] = K->value[k];
        }
    return 0;
}

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    mumps_state *s = state;
    if (input->K->rows >= INT32_MAX) return peer_fail(facts, "too large for 32-bit indices");
    s->id.comm_fortran = -987654; /* MPI_COMM_WORLD, as the guide has it */
    s->id.par = 1;
    s->id.sym = 2;
    if (call(s, INITIALIZE, facts)) return 1;
    s->started = 1;
    choose(&s->id, input->variant);
    return hand_over(s, input->K) ? peer_fail(facts, "out of memory") : 0;
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    mumps_state *s = state;
    if (input->variant == PEER_MUMPS_METIS) {
        if (peer_metis_order(input->K, s->order)) return peer_fail(facts, "METIS failed");
        for (int64_t k = 0; k < input->K->rows; k++) s->id.perm_in[s->order[k]] = (MUMPS_INT)k + 1;
    }
    if (call(s, ANALYSE, facts)) return 1;
    facts->flops = s->id.RINFOG(1);
    return 0;
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    (void)input;
    mumps_state *s = state;
    int failed = call(s, FACTOR, facts);
    while (failed && s->id.INFOG(1) == -9 && s->id.ICNTL(14) < MOST_RELAXATION) {
        s->id.ICNTL(14) *= 2;
        failed = call(s, FACTOR, facts);
    }
    if (failed) return 1;
    facts->entries = large(s->id.INFOG(29));
    facts->flops = s->id.RINFOG(3);
    saddle_inertia inertia = {.known = 1, .negative = s->id.INFOG(12), .zero = s->id.INFOG(28)};
    inertia.positive = s->id.n - inertia.negative - inertia.zero;
    facts->inertia = inertia;
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    (void)input;
    mumps_state *s = state;
    s->id.rhs = x;
    s->id.nrhs = (MUMPS_INT)count;
    s->id.lrhs = s->id.n;
    return call(s, SOLVE, facts);
}

static void clear(void *state, const peer_input *input)
{
    (void)input;
    mumps_state *s = state;
    peer_facts facts;
    if (s->started) (void)call(s, FINISH, &facts);
    free(s->id.irn);
    free(s->id.jcn);
    free(s->id.a);
    free(s->id.perm_in);
    free(s->order);
}

const peer_program peer_mumps = {.state_size = sizeof(mumps_state),
                                 .prepare = prepare,
                                 .analyse = analyse,
                                 .factor = factor,
                                 .solve = solve,
                                 .clear = clear};
