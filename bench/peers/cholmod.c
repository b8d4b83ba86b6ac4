/* SPDX-License-Identifier: MIT */
/* CHOLMOD's simplicial LDL' of K + E, E_ii = +-1e-9 max_j |K_ij|: plus where K_ii > 0, minus
 * elsewhere, so that no pivot vanishes; refinement against K takes E out again.  CHOLMOD's METIS
 * ordering serves MUMPS as well. */
#include <cholmod.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "peers.h"

#define REGULARIZATION 1e-9 /* of the largest entry of the row */

typedef struct cholmod_state {
    cholmod_common common;
    int started;
    double *value;    /* of K + E */
    cholmod_sparse K; /* over K's pattern and value */
    cholmod_factor *L;
    cholmod_dense *X, *Y, *E; /* kept by cholmod_solve2 from call to call */
} cholmod_state;

static void start(cholmod_common *common, int variant)
{
    cholmod_l_start(common);
    common->print = 0;
    common->supernodal = CHOLMOD_SIMPLICIAL;
    common->final_ll = 0;
    common->nmethods = 1;
    common->method[0].ordering = variant == PEER_CHOLMOD_METIS ? CHOLMOD_METIS : CHOLMOD_AMD;
    common->postorder = 1;
}

/* A header over K's pattern, and values where there are any. */
static cholmod_sparse header(const saddle_matrix *K, double *value)
{
    cholmod_sparse sparse = {.nrow = (size_t)K->rows,
                             .ncol = (size_t)K->cols,
                             .nzmax = (size_t)saddle_matrix_entries(K),
                             .p = K->start,
                             .i = K->index,
                             .x = value,
                             .stype = -1,
                             .itype = CHOLMOD_LONG,
                             .xtype = value != NULL ? CHOLMOD_REAL : CHOLMOD_PATTERN,
                             .dtype = CHOLMOD_DOUBLE,
                             .sorted = 1,
                             .packed = 1};
    return sparse;
}

/* value = K's, with E on the diagonal; largest: scratch of n. */
static void regularize(const saddle_matrix *K, double *value, double *largest)
{
    for (int64_t j = 0; j < K->cols; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            double size = fabs(K->value[k]);
            largest[j] = fmax(largest[j], size);
            largest[K->index[k]] = fmax(largest[K->index[k]], size);
            value[k] = K->value[k];
        }
    for (int64_t j = 0; j < K->cols; j++) {
        int64_t diagonal = K->start[j]; /* stored, and the first of its column */
        double size = REGULARIZATION * (largest[j] > 0 ? largest[j] : 1);
        value[diagonal] += K->value[diagonal] > 0 ? size : -size;
    }
}

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    cholmod_state *s = state;
    start(&s->common, input->variant);
    s->started = 1;
    double *largest = calloc((size_t)input->K->rows + 1, sizeof *largest);
    s->value = calloc((size_t)saddle_matrix_entries(input->K) + 1, sizeof *s->value);
    if (largest != NULL && s->value != NULL) regularize(input->K, s->value, largest);
    int failed = largest == NULL || s->value == NULL;
    free(largest);
    s->K = header(input->K, s->value);
    return failed ? peer_fail(facts, "out of memory") : 0;
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    (void)input;
    cholmod_state *s = state;
    cholmod_l_free_factor(&s->L, &s->common);
    s->L = cholmod_l_analyze(&s->K, &s->common);
    if (s->L == NULL)
        return peer_fail(facts, "CHOLMOD's analysis ended with status %d", s->common.status);
    facts->entries = (int64_t)s->common.lnz;
    facts->flops = s->common.fl;
    return 0;
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    (void)input;
    cholmod_state *s = state;
    int done = cholmod_l_factorize(&s->K, s->L, &s->common);
    if (!done || s->common.status < CHOLMOD_OK || s->L->minor < s->L->n)
        return peer_fail(facts, "CHOLMOD: pivot %lld vanished (status %d)", (long long)s->L->minor,
                         s->common.status);
    const int64_t *first = s->L->p;
    const double *value = s->L->x;
    saddle_inertia inertia = {.known = 1};
    for (size_t j = 0; j < s->L->n; j++) {
        inertia.positive += value[first[j]] > 0;
        inertia.negative += value[first[j]] < 0;
    }
    facts->inertia = inertia;
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    cholmod_state *s = state;
    size_t n = (size_t)input->K->rows, columns = (size_t)count;
    cholmod_dense b = {.nrow = n,
                       .ncol = columns,
                       .nzmax = n * columns,
                       .d = n,
                       .x = x,
                       .xtype = CHOLMOD_REAL,
                       .dtype = CHOLMOD_DOUBLE};
    if (!cholmod_l_solve2(CHOLMOD_A, s->L, &b, NULL, &s->X, NULL, &s->Y, &s->E, &s->common))
        return peer_fail(facts, "CHOLMOD's solve ended with status %d", s->common.status);
    memcpy(x, s->X->x, n * columns * sizeof *x);
    return 0;
}

static void clear(void *state, const peer_input *input)
{
    (void)input;
    cholmod_state *s = state;
    if (s->started) {
        cholmod_l_free_factor(&s->L, &s->common);
        cholmod_l_free_dense(&s->X, &s->common);
        cholmod_l_free_dense(&s->Y, &s->common);
        cholmod_l_free_dense(&s->E, &s->common);
        cholmod_l_finish(&s->common);
    }
    free(s->value);
}

double peer_amd_flops(const saddle_matrix *K)
{
    cholmod_common common;
    start(&common, PEER_CHOLMOD_AMD);
    cholmod_sparse pattern = header(K, NULL);
    cholmod_factor *L = cholmod_l_analyze(&pattern, &common);
    double flops = L != NULL ? common.fl : 0;
    cholmod_l_free_factor(&L, &common);
    cholmod_l_finish(&common);
    return flops;
}

int peer_metis_order(const saddle_matrix *K, int64_t *order)
{
    cholmod_common common;
    start(&common, PEER_CHOLMOD_METIS);
    cholmod_sparse pattern = header(K, NULL);
    cholmod_factor *L = cholmod_l_analyze(&pattern, &common);
    if (L != NULL) memcpy(order, L->Perm, (size_t)K->rows * sizeof *order);
    int failed = L == NULL;
    cholmod_l_free_factor(&L, &common);
    cholmod_l_finish(&common);
    return failed;
}

const peer_program peer_cholmod = {.state_size = sizeof(cholmod_state),
                                   .prepare = prepare,
                                   .analyse = analyse,
                                   .factor = factor,
                                   .solve = solve,
                                   .clear = clear};
