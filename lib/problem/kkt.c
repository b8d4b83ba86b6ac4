/* SPDX-License-Identifier: MIT */
/* Assembly of K = [M J'; J -R]: one walk over M, J and R counts the entries of K by column, a
 * second walk places them, by ascending rows in each column.  Lower triangles of M and R. */
#include "problem/kkt.h"

#include <string.h>

#include "base/vector.h"
#include "matrix/matrix_internal.h"

/* ---- the KKT matrix ---- */

/* The walk.  start (n + m + 1): while counting, column j is counted in start[j + 1]; while placing,
 * start[j] is where its next entry goes. */
typedef struct walk {
    saddle__kkt *kkt;
    int64_t *start;
    int placing;
    int general; /* K has both triangles */
} walk;

static inline void emit(const walk *w, int64_t i, int64_t j, int64_t source)
{
    if (!w->placing) {
        w->start[j + 1]++;
        return;
    }
    int64_t at = w->start[j]++;
    w->kkt->K.index[at] = i;
    w->kkt->source[at] = source;
    if (i == j) w->kkt->diagonal[i] = at;
}

/* M or R on the diagonal, from `offset` on; a missing diagonal entry is added without a source */
static void emit_square(const walk *w, const saddle_matrix *A, int64_t size, int64_t offset,
                        int64_t source)
{
    int any = saddle_matrix_entries(A) > 0;
    int mirrored = w->general && A->symmetry == SADDLE_SYMMETRIC;
    for (int64_t j = 0; j < size; j++) {
        int missing = 1;
        for (int64_t k = any ? A->start[j] : 0; any && k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            if (missing && i > j) emit(w, offset + j, offset + j, -1);
            if (i >= j) missing = 0;
            emit(w, offset + i, offset + j, source + k);
            if (mirrored && i != j) emit(w, offset + j, offset + i, source + k);
        }
        if (missing) emit(w, offset + j, offset + j, -1);
    }
}

static void emit_all(const walk *w, const saddle_problem *problem)
{
    const saddle__kkt *kkt = w->kkt;
    const saddle_matrix *Jt = &problem->Jt;
    emit_square(w, &problem->M, kkt->n, 0, 0);
    for (int64_t i = 0; kkt->J_entries > 0 && i < kkt->m; i++) {
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            emit(w, kkt->n + i, Jt->index[k], kkt->M_entries + k);
            if (w->general) emit(w, Jt->index[k], kkt->n + i, kkt->M_entries + k);
        }
    }
    emit_square(w, &problem->R, kkt->m, kkt->n, kkt->M_entries + kkt->J_entries);
}

static saddle_status make_arrays(saddle_context *context, saddle__kkt *kkt, int64_t size,
                                 int64_t entries)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(kkt->diagonal, size),
                                    SADDLE__ARRAY(kkt->source, entries),
                                    SADDLE__ARRAY(kkt->K.start, size + 1),
                                    SADDLE__ARRAY(kkt->K.index, entries),
                                    SADDLE__ARRAY(kkt->K.value, entries)};
    return saddle__layout_make(context, &kkt->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status assemble(saddle__kkt *kkt, const saddle_problem *problem, walk *w,
                              int64_t size)
{
    w->start = saddle_allocate(kkt->context, size + 1, sizeof *w->start);
    if (!w->start) return SADDLE_OUT_OF_MEMORY;
    emit_all(w, problem);
    for (int64_t j = 0; j < size; j++) w->start[j + 1] += w->start[j];
    saddle_status status = make_arrays(kkt->context, kkt, size, w->start[size]);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j <= size; j++) kkt->K.start[j] = w->start[j];
    w->placing = 1;
    emit_all(w, problem);
    return SADDLE_OK;
}

static int is_symmetric(const saddle_matrix *A)
{
    return A->symmetry == SADDLE_SYMMETRIC || saddle_matrix_entries(A) == 0;
}

saddle_status saddle__kkt_create(saddle_context *context, const saddle_problem *problem,
                                 int general, saddle__kkt *kkt)
{
    *kkt = (saddle__kkt){.context = context, .n = problem->n, .m = problem->m};
    if (problem->n > INT64_MAX - 1 - problem->m)
        return saddle_fail(context, SADDLE_TOO_LARGE, "the KKT matrix of n = %lld, m = %lld",
                           (long long)problem->n, (long long)problem->m);
    int64_t size = problem->n + problem->m;
    walk w = {.kkt = kkt,
              .general = general || !is_symmetric(&problem->M) || !is_symmetric(&problem->R)};
    kkt->K = saddle_matrix_view(size, size, NULL, NULL, NULL,
                                w.general ? SADDLE_GENERAL : SADDLE_SYMMETRIC);
    kkt->M_entries = saddle_matrix_entries(&problem->M);
    kkt->J_entries = saddle_matrix_entries(&problem->Jt);
    saddle_status status = assemble(kkt, problem, &w, size);
    saddle_release(context, w.start);
    if (status != SADDLE_OK) saddle__kkt_clear(kkt);
    return status;
}

void saddle__kkt_refresh(saddle__kkt *kkt, const saddle_problem *problem, const double *added)
{
    int64_t entries = saddle_matrix_entries(&kkt->K);
    int64_t J_first = kkt->M_entries;
    int64_t R_first = kkt->M_entries + kkt->J_entries;
    double *value = kkt->K.value;
    for (int64_t k = 0; k < entries; k++) {
        int64_t source = kkt->source[k];
        if (source < 0)
            value[k] = 0.0;
        else if (source < J_first)
            value[k] = problem->M.value[source];
        else if (source < R_first)
            value[k] = problem->Jt.value[source - J_first];
        else
            value[k] = -problem->R.value[source - R_first];
    }
    for (int64_t i = 0; added && i < kkt->n + kkt->m; i++) value[kkt->diagonal[i]] += added[i];
}

/* ---- lower triangles ---- */

static saddle_status fold(saddle_context *context, const saddle_matrix *A, int measure,
                          saddle_matrix *lower)
{
    int64_t column;
    int any = saddle_matrix_entries(A) > 0;
    int found = measure && any && A->symmetry == SADDLE_GENERAL &&
                saddle__matrix_find_unequal(A, &column) < 0;
    return found || A->symmetry == SADDLE_SYMMETRIC_FULL ? saddle_matrix_lower(context, A, lower)
                                                         : SADDLE_OK;
}

saddle_status saddle__folded_create(saddle_context *context, const saddle_problem *problem,
                                    int measure, saddle__folded *folded)
{
    memset(folded, 0, sizeof *folded);
    saddle_status status = fold(context, &problem->M, measure, &folded->M);
    if (status == SADDLE_OK) status = fold(context, &problem->R, measure, &folded->R);
    if (status != SADDLE_OK) saddle__folded_clear(folded);
    return status;
}

static int refresh(const saddle_matrix *A, saddle_matrix *lower)
{
    int64_t column;
    if (!lower->owner) return 1;
    for (int64_t j = 0; j < lower->cols; j++) { /* rows ascend: the end of each column */
        int64_t count = lower->start[j + 1] - lower->start[j];
        saddle__copy(lower->value + lower->start[j], A->value + A->start[j + 1] - count, count);
    }
    return A->symmetry == SADDLE_SYMMETRIC_FULL || saddle__matrix_find_unequal(A, &column) < 0;
}

int saddle__folded_refresh(saddle__folded *folded, const saddle_problem *problem)
{
    return refresh(&problem->M, &folded->M) && refresh(&problem->R, &folded->R);
}

/* A matrix of no size, whose start says nothing of the columns that the problem has. */
static int is_sizeless(const saddle_matrix *A)
{
    return A->start && A->cols == 0;
}

const saddle_problem *saddle__folded_take(saddle__folded *folded, const saddle_problem *problem)
{
    int sizeless = is_sizeless(&problem->M) || is_sizeless(&problem->Jt) ||
                   is_sizeless(&problem->R);
    if (!folded->M.owner && !folded->R.owner && !sizeless) return problem;
    saddle_problem *taken = &folded->problem;
    *taken = *problem;
    taken->owner = 0;
    if (folded->M.owner) taken->M = folded->M;
    if (folded->R.owner) taken->R = folded->R;
    if (is_sizeless(&taken->M)) taken->M.start = NULL;
    if (is_sizeless(&taken->Jt)) taken->Jt.start = NULL;
    if (is_sizeless(&taken->R)) taken->R.start = NULL;
    return taken;
}
