/* SPDX-License-Identifier: MIT */
/* See blocks.h.  "Places" are the velocities block by block; Z has a column for each row of J. */
#include "factor/blocks.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/unset.h"
#include "base/vector.h"
#include "matrix/matrix_internal.h"

enum { BODY = 6 }; /* velocities of the largest block taken */

struct saddle__blocks {
    saddle_context *context;
    int64_t n, m;
    int64_t width;     /* velocities of the largest block but one */
    int64_t *velocity; /* n: at each place */
    int64_t *place;    /* n: of each velocity */
    int64_t *first;    /* n: the first place of each place's block */
    int64_t *end;      /* n: .. and the place behind it */
    double *L;         /* n x width: row p of the block's L, from column first[p] to p - 1 */
    double *D;         /* n */
    double *x;         /* n, of a solve */

    int64_t *start;  /* m + 1: of the columns of Z */
    int64_t *index;  /* start[m]: places, block by block */
    double *value;   /* start[m] */
    int64_t *source; /* of each entry of J: its entry of Z */

    int64_t *row_start; /* n + 1: of the rows of Z */
    int64_t *row;       /* start[m]: columns in each, ascending */
    int64_t *entry;     /* start[m]: .. and their entries of Z */

    int64_t *next; /* n: of each row of Z, the first column not behind the present one */
    int64_t *seen; /* m: 1 + the last column of W with this row, in analyse */
    double *sum;   /* m: of the present column of W; zeros between columns */
    double flops;  /* of a form */
    saddle__layout nodes, entries;
};

void saddle__blocks_free(saddle__blocks *s)
{
    if (!s) return;
    saddle_context *context = s->context;
    saddle__layout_clear(context, &s->nodes);
    saddle__layout_clear(context, &s->entries);
    saddle_release(context, s);
}

/* ---- analyse: blocks ---- */

/* The places of the velocities, block by block.  Returns the size of the largest block;
 * nothing is numbered where this is more than a body's. */
static int64_t find_blocks(saddle__blocks *s, const saddle_matrix *M)
{
    int64_t *root = s->first, widest = 0, filled = 0;
    saddle__matrix_components(M, root);
    for (int64_t j = 0; j < s->n; j++) { /* next: velocities of a block, at its first velocity */
        int64_t size = ++s->next[root[j]];
        widest = size > widest ? size : widest;
    }
    if (widest > BODY) return widest;
    for (int64_t j = 0; j < s->n; j++) {
        if (root[j] == j) { /* the block begins: next becomes its next place */
            int64_t size = s->next[j];
            s->next[j] = filled;
            filled += size;
        }
        s->place[j] = s->next[root[j]]++;
        s->velocity[s->place[j]] = j;
    }
    for (int64_t p = 0; p < s->n; p++) /* next is the end of the block, at its first velocity */
        s->end[p] = s->next[root[s->velocity[p]]];
    for (int64_t p = 0; p < s->n; p++)
        s->first[p] = p > 0 && s->end[p - 1] > p ? s->first[p - 1] : p;
    return widest;
}

/* ---- analyse: Z ---- */

static int64_t start_of(const saddle_matrix *A, int64_t j)
{
    return A->start ? A->start[j] : 0;
}

static void rewind_rows(saddle__blocks *s)
{
    memcpy(s->next, s->row_start, (size_t)s->n * sizeof *s->next);
}

/* Columns, then rows.  next, of first places: 1 + the block's entry in the present column. */
static void list_entries(saddle__blocks *s, const saddle_matrix *Jt)
{
    for (int64_t p = 0; p < s->n; p++) s->next[p] = 0;
    for (int64_t i = 0; i < s->m; i++) {
        int64_t filled = s->start[i];
        for (int64_t k = start_of(Jt, i); k < start_of(Jt, i + 1); k++) {
            int64_t p = s->place[Jt->index[k]], f = s->first[p];
            if (s->next[f] <= s->start[i]) {
                s->next[f] = filled + 1;
                for (int64_t q = f; q < s->end[f]; q++) s->index[filled++] = q;
            }
            s->source[k] = s->next[f] - 1 + p - f;
        }
    }
    for (int64_t e = 0; e < s->start[s->m]; e++) s->row_start[s->index[e]]++;
    saddle__cumulate(s->row_start, s->n);
    rewind_rows(s);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            int64_t at = s->next[s->index[e]]++;
            s->row[at] = i;
            s->entry[at] = e;
        }
    for (int64_t p = 0; p < s->n; p++) {
        double rows = (double)(s->row_start[p + 1] - s->row_start[p]);
        s->flops += rows * (rows + 1.0);
    }
}

/* ---- analyse: W ---- */

/* One more row of column j. */
static void add_row(saddle__blocks *s, int64_t j, int64_t i, int64_t *index, int64_t *count)
{
    if (s->seen[i] == j + 1) return;
    s->seen[i] = j + 1;
    index[(*count)++] = i;
}

/* Rows i >= j of column j to index; returns their number. */
static int64_t list_rows(saddle__blocks *s, const saddle_matrix *R, int64_t j, int64_t *index)
{
    int64_t count = 0;
    add_row(s, j, j, index, &count);
    for (int64_t k = start_of(R, j); k < start_of(R, j + 1); k++)
        add_row(s, j, R->index[k], index, &count);
    for (int64_t e = s->start[j]; e < s->start[j + 1]; e++) {
        int64_t p = s->index[e];
        for (int64_t t = s->next[p]++; t < s->row_start[p + 1]; t++)
            add_row(s, j, s->row[t], index, &count);
    }
    return count;
}

/* Short lists in several ascending parts. */
static void sort_rows(int64_t count, int64_t *index)
{
    if (count > 64) {
        saddle__sort_indices(count, index);
        return;
    }
    for (int64_t k = 1; k < count; k++) {
        int64_t i = index[k], at = k;
        for (; at > 0 && index[at - 1] > i; at--) index[at] = index[at - 1];
        index[at] = i;
    }
}

/* W's pattern is listed in its own array, which grows. */
static saddle_status make_pattern(saddle__blocks *s, const saddle_matrix *R, double most_entries,
                                  saddle_matrix *W)
{
    int64_t entries = 0, capacity = 0;
    *W = (saddle_matrix){.rows = s->m,
                         .cols = s->m,
                         .symmetry = SADDLE_SYMMETRY_LOWER,
                         .owner = 1,
                         .context = s->context};
    W->start = saddle_allocate(s->context, s->m + 1, sizeof *W->start);
    if (!W->start) return SADDLE_OUT_OF_MEMORY;
    rewind_rows(s);
    for (int64_t j = 0; j < s->m; j++) {
        SADDLE__TRY(saddle__reserve(s->context, &W->index, &capacity, entries + s->m - j,
                                    sizeof *W->index));
        int64_t count = list_rows(s, R, j, W->index + entries);
        sort_rows(count, W->index + entries);
        W->start[j + 1] = entries += count;
        if (most_entries > 0.0 && (double)entries > most_entries)
            return saddle_fail(s->context, SADDLE_TOO_LARGE,
                               "W of order %lld has more than %.3g entries", (long long)s->m,
                               most_entries);
    }
    SADDLE__TRY(saddle__grow(s->context, &W->index, entries, sizeof *W->index)); /* no room left */
    W->value = saddle_allocate(s->context, entries, sizeof *W->value);
    return W->value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Z and W. */
static saddle_status make_products(saddle__blocks *s, const saddle_problem *problem,
                                   double most_entries, saddle_matrix *W)
{
    const saddle_matrix *Jt = &problem->Jt;
    for (int64_t p = 0; p < s->n; p++) s->next[p] = 0;
    for (int64_t i = 0; i < s->m; i++) { /* next: 1 + the last row that reached the block */
        s->start[i + 1] = s->start[i];
        for (int64_t k = start_of(Jt, i); k < start_of(Jt, i + 1); k++) {
            int64_t f = s->first[s->place[Jt->index[k]]];
            if (s->next[f] == i + 1) continue;
            s->next[f] = i + 1;
            s->start[i + 1] += s->end[f] - f;
        }
    }
    const int64_t entries = s->start[s->m];
    const saddle__array arrays[] = {SADDLE__ARRAY(s->index, entries),
                                    SADDLE__ARRAY(s->value, entries),
                                    SADDLE__ARRAY(s->row, entries),
                                    SADDLE__ARRAY(s->entry, entries),
                                    SADDLE__ARRAY(s->source, saddle_matrix_entries(Jt)),
                                    SADDLE__ARRAY(s->L, s->n * s->width)};
    SADDLE__TRY(saddle__layout_make(s->context, &s->entries, arrays, SADDLE__LENGTH(arrays)));
    list_entries(s, Jt);
    return make_pattern(s, &problem->R, most_entries, W);
}

/* 0: a column of the lower triangle has more entries than a body, or no diagonal entry, or zero. */
static int may_have_blocks(const saddle_matrix *M)
{
    for (int64_t j = 0; j < M->cols; j++) {
        const int64_t first = start_of(M, j), entries = start_of(M, j + 1) - first;
        if (entries == 0 || entries > BODY || M->index[first] != j || M->value[first] == 0.0)
            return 0;
    }
    return 1;
}

saddle_status saddle__blocks_analyse(saddle_context *context, const saddle_problem *problem,
                                     double most_entries, saddle__blocks **blocks, saddle_matrix *W,
                                     double *flops)
{
    const int64_t n = problem->n, m = problem->m;
    *blocks = NULL;
    *flops = 0.0;
    if (!may_have_blocks(&problem->M)) return SADDLE_OK;
    saddle__blocks *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(s->velocity, n),  SADDLE__ARRAY(s->place, n),
        SADDLE__ARRAY(s->first, n),     SADDLE__ARRAY(s->end, n),
        SADDLE__ARRAY(s->next, n),      SADDLE__ARRAY(s->D, n),
        SADDLE__ARRAY(s->x, n),         SADDLE__ARRAY(s->row_start, n + 1),
        SADDLE__ARRAY(s->start, m + 1), SADDLE__ARRAY(s->seen, m),
        SADDLE__ARRAY(s->sum, m)};
    s->context = context;
    s->n = n;
    s->m = m;
    saddle_status status = saddle__layout_make(context, &s->nodes, arrays, SADDLE__LENGTH(arrays));
    int taken = status == SADDLE_OK;
    if (taken) s->width = find_blocks(s, &problem->M) - 1;
    taken &= s->width < BODY;
    if (taken) status = make_products(s, problem, most_entries, W);
    *flops = s->flops;
    if (taken && status == SADDLE_OK)
        *blocks = s;
    else
        saddle__blocks_free(s);
    return status;
}

/* ---- factor ---- */

static void take_mass(saddle__blocks *s, const saddle_matrix *M)
{
    saddle__zero(s->D, s->n);
    saddle__zero(s->L, s->n * s->width);
    for (int64_t j = 0; j < s->n; j++) {
        int64_t p = s->place[j];
        for (int64_t k = start_of(M, j); k < start_of(M, j + 1); k++) {
            int64_t q = s->place[M->index[k]];
            if (q == p)
                s->D[p] = M->value[k];
            else
                s->L[q * s->width + p - s->first[p]] = M->value[k];
        }
    }
}

/* Row p of L and the pivot. */
static void eliminate(saddle__blocks *s, int64_t p)
{
    int64_t first = s->first[p];
    double *row = s->L + p * s->width;
    for (int64_t q = 0; q < p - first; q++) {
        const double *other = s->L + (first + q) * s->width;
        for (int64_t t = 0; t < q; t++) row[q] -= row[t] * other[t];
    }
    for (int64_t q = 0; q < p - first; q++) { /* row: L D so far */
        double scaled = row[q] / s->D[first + q];
        s->D[p] -= scaled * row[q];
        row[q] = scaled;
    }
}

static saddle_status factor(saddle__blocks *s, const saddle_matrix *M,
                            const saddle__pivot_rule *rule, saddle__factor_counts *counts)
{
    saddle__factor_counts found = {.failed_column = -1,
                                   .first_perturbed = -1,
                                   .first_zero = -1,
                                   .inertia.known = 1,
                                   .least_pivot = (double)INFINITY,
                                   .peak_bytes = (int64_t)(s->nodes.bytes + s->entries.bytes)};
    double least = found.least_pivot;
    int64_t positive = 0, p = 0;
    take_mass(s, M);
    for (; p < s->n; p++) {
        double scale = rule->scale[s->velocity[p]];
        eliminate(s, p);
        if (!(fabs(s->D[p]) > rule->smallest * scale) || !isfinite(s->D[p])) {
            found.failed_column = s->velocity[p];
            break;
        }
        least = saddle__smaller(least, fabs(s->D[p]) / scale);
        positive += s->D[p] > 0.0;
        found.entries += p - s->first[p] + 1;
    }
    found.least_pivot = least;
    found.inertia.positive = positive;
    found.inertia.negative = p - positive;
    *counts = found;
    return found.failed_column < 0 ? SADDLE_OK : SADDLE_SINGULAR;
}

/* ---- form, solve ---- */

saddle_status saddle__blocks_form(saddle__blocks *s, const saddle_problem *problem,
                                  const saddle__pivot_rule *rule, saddle__factor_counts *counts,
                                  saddle_matrix *W)
{
    const saddle_matrix *R = &problem->R;
    int64_t entries_of_J = saddle_matrix_entries(&problem->Jt);
    SADDLE__TRY(factor(s, &problem->M, rule, counts));
    saddle__zero(s->value, s->start[s->m]); /* Z = L^-1 J' */
    for (int64_t k = 0; k < entries_of_J; k++) s->value[s->source[k]] = problem->Jt.value[k];
    for (int64_t e = 0; s->width > 0 && e < s->start[s->m]; e++) {
        int64_t p = s->index[e], before = p - s->first[p];
        for (int64_t q = 0; q < before; q++)
            s->value[e] -= s->L[p * s->width + q] * s->value[e - before + q];
    }
    rewind_rows(s);
    for (int64_t j = 0; j < s->m; j++) { /* W = Z'D^-1 Z + R, column by column */
        for (int64_t k = start_of(R, j); k < start_of(R, j + 1); k++)
            s->sum[R->index[k]] += R->value[k];
        for (int64_t e = s->start[j]; e < s->start[j + 1]; e++) {
            int64_t p = s->index[e];
            double z = s->value[e] / s->D[p];
            for (int64_t t = s->next[p]++; t < s->row_start[p + 1]; t++)
                s->sum[s->row[t]] += z * s->value[s->entry[t]];
        }
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            W->value[k] = s->sum[W->index[k]];
            s->sum[W->index[k]] = 0.0;
        }
    }
    return SADDLE_OK;
}

void saddle__blocks_solve(saddle__blocks *s, double *x)
{
    double *y = s->x;
    if (s->width == 0) { /* a place is its velocity */
        for (int64_t p = 0; p < s->n; p++) x[p] /= s->D[p];
        return;
    }
    for (int64_t p = 0; p < s->n; p++) {
        const double *row = s->L + p * s->width;
        y[p] = x[s->velocity[p]];
        for (int64_t q = s->first[p]; q < p; q++) y[p] -= row[q - s->first[p]] * y[q];
    }
    for (int64_t p = 0; p < s->n; p++) y[p] /= s->D[p];
    for (int64_t p = s->n - 1; p >= 0; p--) {
        const double *row = s->L + p * s->width;
        for (int64_t q = s->first[p]; q < p; q++) y[q] -= row[q - s->first[p]] * y[p];
        x[s->velocity[p]] = y[p];
    }
}
