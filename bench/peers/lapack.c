/* SPDX-License-Identifier: MIT */
/* LAPACK's dense symmetric indefinite factorization (Bunch-Kaufman), the reference of small
 * systems.  Of factor, only dsytrf itself counts, not the copying of K into a square array. */
#include <math.h>
#include <string.h>

#include "peers.h"

void dsytrf_(const char *uplo, const int *n, double *a, const int *lda, int *ipiv, double *work,
             const int *lwork, int *info, size_t uplo_length);
void dsytrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *ipiv, double *b, const int *ldb, int *info, size_t uplo_length);

#define BLOCK 64 /* doubles of workspace for each row */

typedef struct lapack_state {
    double *dense, *factors, *work; /* n x n, n x n, BLOCK n */
    int *pivot;                     /* n */
} lapack_state;

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    lapack_state *s = state;
    const saddle_matrix *K = input->K;
    int64_t n = K->rows;
    s->dense = saddle_allocate(input->context, n * n, sizeof *s->dense);
    s->factors = saddle_allocate(input->context, n * n, sizeof *s->factors);
    s->work = saddle_allocate(input->context, n * BLOCK, sizeof *s->work);
    s->pivot = saddle_allocate(input->context, n, sizeof *s->pivot);
    if (s->dense == NULL || s->factors == NULL || s->work == NULL || s->pivot == NULL)
        return peer_fail(facts, "out of memory");
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            s->dense[K->index[k] + j * n] = K->value[k];
    return 0;
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    (void)state;
    double n = (double)input->K->rows;
    facts->counted = 0;
    facts->entries = (int64_t)(n * (n + 1) / 2);
    facts->flops = n * n * n / 3;
    return 0;
}

/* Of D's 1 x 1 and 2 x 2 blocks (ipiv < 0 in both rows), lower storage. */
static saddle_inertia count_inertia(const lapack_state *s, int n)
{
    saddle_inertia inertia = {.known = 1};
    for (int i = 0; i < n; i++) {
        double d = s->factors[i + (int64_t)i * n];
        if (s->pivot[i] < 0) { /* dsytrf takes a 2 x 2 block only where its determinant is
                                  negative */
            inertia.positive++;
            inertia.negative++;
            i++;
        } else {
            inertia.positive += d > 0;
            inertia.negative += d < 0;
            inertia.zero += d == 0;
        }
    }
    return inertia;
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    lapack_state *s = state;
    int n = (int)input->K->rows, length = BLOCK * n, info = 0;
    memcpy(s->factors, s->dense, (size_t)n * (size_t)n * sizeof *s->factors);
    double began = saddle_clock();
    dsytrf_("L", &n, s->factors, &n, s->pivot, s->work, &length, &info, 1);
    facts->counted = saddle_clock() - began;
    if (info != 0) return peer_fail(facts, "dsytrf: info = %d", info);
    facts->inertia = count_inertia(s, n);
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    lapack_state *s = state;
    int n = (int)input->K->rows, columns = (int)count, info = 0;
    dsytrs_("L", &n, &columns, s->factors, &n, s->pivot, x, &n, &info, 1);
    return info == 0 ? 0 : peer_fail(facts, "dsytrs: info = %d", info);
}

static void clear(void *state, const peer_input *input)
{
    lapack_state *s = state;
    saddle_release(input->context, s->dense);
    saddle_release(input->context, s->factors);
    saddle_release(input->context, s->work);
    saddle_release(input->context, s->pivot);
}

const peer_program peer_lapack = {.state_size = sizeof(lapack_state),
                                  .prepare = prepare,
                                  .analyse = analyse,
                                  .factor = factor,
                                  .solve = solve,
                                  .clear = clear};
