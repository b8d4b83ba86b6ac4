/* SPDX-License-Identifier: MIT */
/* Assembly of K = [M J'; J -R]: one walk over M, J and R counts the entries of K by column, a
 * second walk places them, by ascending rows in each column, and the same walk sets their values.
 * Lower triangles of M and R. */
#include "problem/kkt.h"

#include <string.h>

#include "base/vector.h"
#include "matrix/matrix_internal.h"

/* ---- the KKT matrix ---- */

typedef enum walk_step { COUNT, PLACE, SET } walk_step;

/* The walk.  next (n + m + 1): in COUNT, column j is counted in next[j + 1]; later, next[j] is
 * where its next entry goes. */
typedef struct walk {
    saddle__kkt *kkt;
    int64_t *next;
    walk_step step;
    int general; /* K has both triangles */
} walk;

static inline void emit(const walk *w, int64_t i, int64_t j, double value)
{
    if (w->step == COUNT) {
        w->next[j + 1]++;
        return;
    }
    int64_t at = w->next[j]++;
    if (w->step == SET) {
        w->kkt->K.value[at] = value;
        return;
    }
    w->kkt->K.index[at] = i;
    if (i == j) w->kkt->diagonal[i] = at;
}

/* sign M or sign R on the diagonal, from `offset` on; a missing diagonal entry is added as 0 */
static void emit_square(const walk *w, const saddle_matrix *A, int64_t size, int64_t offset,
                        double sign)
{
    int any = saddle_matrix_entries(A) > 0;
    int mirrored = w->general && A->symmetry == SADDLE_SYMMETRY_LOWER;
    for (int64_t j = 0; j < size; j++) {
        int missing = 1;
        for (int64_t k = any ? A->start[j] : 0; any && k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            double value = w->step == SET ? sign * A->value[k] : 0.0;
            if (missing && i > j) emit(w, offset + j, offset + j, 0.0);
            if (i >= j) missing = 0;
            emit(w, offset + i, offset + j, value);
            if (mirrored && i != j) emit(w, offset + j, offset + i, value);
        }
        if (missing) emit(w, offset + j, offset + j, 0.0);
    }
}

static void emit_all(const walk *w, const saddle_problem *problem)
{
    const saddle__kkt *kkt = w->kkt;
    const saddle_matrix *Jt = &problem->Jt;
    int any = saddle_matrix_entries(Jt) > 0;
    emit_square(w, &problem->M, kkt->n, 0, 1.0);
    for (int64_t i = 0; any && i < kkt->m; i++) {
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            double value = w->step == SET ? Jt->value[k] : 0.0;
            emit(w, kkt->n + i, Jt->index[k], value);
            if (w->general) emit(w, Jt->index[k], kkt->n + i, value);
        }
    }
    emit_square(w, &problem->R, kkt->m, kkt->n, -1.0);
}

static saddle_status make_arrays(saddle_context *context, saddle__kkt *kkt, int64_t size,
                                 int64_t entries)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(kkt->diagonal, size),
                                    SADDLE__ARRAY(kkt->next, size),
                                    SADDLE__ARRAY(kkt->K.start, size + 1),
                                    SADDLE__ARRAY(kkt->K.index, entries),
                                    SADDLE__ARRAY(kkt->K.value, entries)};
    return saddle__layout_make(context, &kkt->layout, arrays, SADDLE__LENGTH(arrays));
}

/* The walk of all entries in their places. */
static void visit(saddle__kkt *kkt, const saddle_problem *problem, walk_step of)
{
    const walk w = {.kkt = kkt,
                    .next = kkt->next,
                    .step = of,
                    .general = kkt->K.symmetry == SADDLE_SYMMETRY_NONE};
    for (int64_t j = 0; j < kkt->K.cols; j++) kkt->next[j] = kkt->K.start[j];
    emit_all(&w, problem);
}

static saddle_status assemble(saddle__kkt *kkt, const saddle_problem *problem, walk *w,
                              int64_t size)
{
    w->next = saddle_allocate(kkt->context, size + 1, sizeof *w->next);
    if (!w->next) return SADDLE_OUT_OF_MEMORY;
    emit_all(w, problem);
    for (int64_t j = 0; j < size; j++) w->next[j + 1] += w->next[j];
    saddle_status status = make_arrays(kkt->context, kkt, size, w->next[size]);
    if (status != SADDLE_OK) return status;
    for (int64_t j = 0; j <= size; j++) kkt->K.start[j] = w->next[j];
    visit(kkt, problem, PLACE);
    return SADDLE_OK;
}

static int is_symmetric(const saddle_matrix *A)
{
    return A->symmetry == SADDLE_SYMMETRY_LOWER || saddle_matrix_entries(A) == 0;
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
              .step = COUNT,
              .general = general || !is_symmetric(&problem->M) || !is_symmetric(&problem->R)};
    kkt->K = saddle_matrix_view(size, size, NULL, NULL, NULL,
                                w.general ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER);
    saddle_status status = assemble(kkt, problem, &w, size);
    saddle_release(context, w.next);
    if (status != SADDLE_OK) saddle__kkt_clear(kkt);
    return status;
}

void saddle__kkt_refresh(saddle__kkt *kkt, const saddle_problem *problem, const double *added)
{
    double *value = kkt->K.value;
    visit(kkt, problem, SET);
    for (int64_t i = 0; added && i < kkt->n + kkt->m; i++) value[kkt->diagonal[i]] += added[i];
}

/* ---- lower triangles ---- */

static saddle_status fold(saddle_context *context, const saddle_matrix *A, int measure,
                          saddle_matrix *lower)
{
    int64_t column;
    int any = saddle_matrix_entries(A) > 0;
    int found = measure && any && A->symmetry == SADDLE_SYMMETRY_NONE &&
                saddle__matrix_find_unequal(A, &column) < 0;
    return found || A->symmetry == SADDLE_SYMMETRY_FULL ? saddle_matrix_lower(context, A, lower)
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
    return A->symmetry == SADDLE_SYMMETRY_FULL || saddle__matrix_find_unequal(A, &column) < 0;
}

int saddle__folded_refresh(saddle__folded *folded, const saddle_problem *problem)
{
    return refresh(&problem->M, &folded->M) && refresh(&problem->R, &folded->R);
}

const saddle_problem *saddle__folded_take(saddle__folded *folded, const saddle_problem *problem)
{
    const saddle_matrix *const given[] = {&problem->M, &problem->Jt, &problem->R};
    saddle_problem *taken = &folded->problem;
    saddle_matrix *const seen[] = {&taken->M, &taken->Jt, &taken->R};
    int sizeless = 0; /* start says nothing of the columns that the problem has */
    for (int k = 0; k < 3; k++) sizeless |= given[k]->start && given[k]->cols == 0;
    if (!folded->M.owner && !folded->R.owner && !sizeless) return problem;
    *taken = *problem;
    taken->owner = 0;
    if (folded->M.owner) taken->M = folded->M;
    if (folded->R.owner) taken->R = folded->R;
    for (int k = 0; k < 3; k++)
        if (seen[k]->cols == 0) seen[k]->start = NULL;
    return taken;
}
