/* SPDX-License-Identifier: MIT */
/* Assembly of K = [M J'; J -R].  Entries are counted and placed by rows, then handed to their columns row by row, which
 * leaves each column sorted; the index of the value they show travels with them. */
#include "problem/kkt.h"

/* One walk over all entries counts them by row, a second places them. */
typedef struct walk {
    int placing;
    int64_t *row_start; /* n + m + 1; while counting, row i is counted in row_start[i + 1] */
    int64_t *fill;      /* n + m: next free place of each row                              */
    int64_t *column;    /* entries, by rows                                                */
    int64_t *source;    /* entries, by rows                                                */
} walk;

void saddle__kkt_clear(saddle__kkt *kkt)
{
    saddle_matrix_clear(&kkt->K);
    saddle_release(kkt->context, kkt->source);
    saddle_release(kkt->context, kkt->diagonal);
    saddle__kkt empty = {0};
    *kkt = empty;
}

static void emit(walk *w, int64_t i, int64_t j, int64_t source)
{
    if (w->placing) {
        w->column[w->fill[i]] = j;
        w->source[w->fill[i]++] = source;
    } else {
        w->row_start[i + 1]++;
    }
}

/* M or R on the diagonal, from `offset` on; a diagonal entry that is not stored is added without a source */
static void emit_square(walk *w, const saddle_matrix *A, int64_t size, int64_t offset, int64_t source, int general)
{
    int any = saddle_matrix_entries(A) > 0;
    for (int64_t j = 0; j < size; j++) {
        int stored = 0;
        for (int64_t k = any ? A->start[j] : 0; any && k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            if (i == j) stored = 1;
            emit(w, offset + i, offset + j, source + k);
            if (general && A->symmetry == SADDLE_SYMMETRIC && i != j) emit(w, offset + j, offset + i, source + k);
        }
        if (!stored) emit(w, offset + j, offset + j, -1);
    }
}

static void emit_all(walk *w, const saddle__kkt *kkt, const saddle_problem *problem)
{
    int general = kkt->K.symmetry == SADDLE_GENERAL;
    const saddle_matrix *Jt = &problem->Jt;
    emit_square(w, &problem->M, kkt->n, 0, 0, general);
    for (int64_t i = 0; kkt->J_entries > 0 && i < kkt->m; i++) {
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            emit(w, kkt->n + i, Jt->index[k], kkt->M_entries + k);
            if (general) emit(w, Jt->index[k], kkt->n + i, kkt->M_entries + k);
        }
    }
    emit_square(w, &problem->R, kkt->m, kkt->n, kkt->M_entries + kkt->J_entries, general);
}

static saddle_status allocate(saddle__kkt *kkt, walk *w, int64_t size)
{
    int64_t entries = w->row_start[size];
    w->fill = saddle_allocate(kkt->context, size, sizeof(*w->fill));
    w->column = saddle_allocate(kkt->context, entries, sizeof(*w->column));
    w->source = saddle_allocate(kkt->context, entries, sizeof(*w->source));
    kkt->source = saddle_allocate(kkt->context, entries, sizeof(*kkt->source));
    kkt->diagonal = saddle_allocate(kkt->context, size, sizeof(*kkt->diagonal));
    if (!w->fill || !w->column || !w->source || !kkt->source || !kkt->diagonal) return SADDLE_OUT_OF_MEMORY;
    return saddle_matrix_create(kkt->context, size, size, entries, kkt->K.symmetry, &kkt->K);
}

/* From rows to columns. */
static void distribute(saddle__kkt *kkt, const walk *w, int64_t size)
{
    int64_t *start = kkt->K.start;
    for (int64_t p = 0; p < w->row_start[size]; p++) start[w->column[p] + 1]++;
    for (int64_t j = 0; j < size; j++) {
        start[j + 1] += start[j];
        w->fill[j] = start[j];
    }
    for (int64_t i = 0; i < size; i++) {
        for (int64_t p = w->row_start[i]; p < w->row_start[i + 1]; p++) {
            int64_t at = w->fill[w->column[p]]++;
            kkt->K.index[at] = i;
            kkt->source[at] = w->source[p];
            if (w->column[p] == i) kkt->diagonal[i] = at;
        }
    }
}

static saddle_status assemble(saddle__kkt *kkt, const saddle_problem *problem, walk *w, int64_t size)
{
    w->row_start = saddle_allocate(kkt->context, size + 1, sizeof(*w->row_start));
    if (!w->row_start) return SADDLE_OUT_OF_MEMORY;
    emit_all(w, kkt, problem);
    for (int64_t i = 0; i < size; i++) w->row_start[i + 1] += w->row_start[i];
    saddle_status status = allocate(kkt, w, size);
    if (status != SADDLE_OK) return status;
    for (int64_t i = 0; i < size; i++) w->fill[i] = w->row_start[i];
    w->placing = 1;
    emit_all(w, kkt, problem);
    distribute(kkt, w, size);
    return SADDLE_OK;
}

static int is_symmetric(const saddle_matrix *A)
{
    return A->symmetry == SADDLE_SYMMETRIC || saddle_matrix_entries(A) == 0;
}

saddle_status saddle__kkt_create(saddle_context *context, const saddle_problem *problem, int general, saddle__kkt *kkt)
{
    saddle__kkt fresh = {.context = context, .n = problem->n, .m = problem->m};
    fresh.K.symmetry =
        !general && is_symmetric(&problem->M) && is_symmetric(&problem->R) ? SADDLE_SYMMETRIC : SADDLE_GENERAL;
    fresh.M_entries = saddle_matrix_entries(&problem->M);
    fresh.J_entries = saddle_matrix_entries(&problem->Jt);
    *kkt = fresh;
    if (problem->n > INT64_MAX - 1 - problem->m)
        return saddle_fail(context, SADDLE_TOO_LARGE, "the KKT matrix of n = %lld, m = %lld", (long long)problem->n,
                           (long long)problem->m);
    walk w = {0};
    saddle_status status = assemble(kkt, problem, &w, problem->n + problem->m);
    saddle_release(context, w.row_start);
    saddle_release(context, w.fill);
    saddle_release(context, w.column);
    saddle_release(context, w.source);
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
