/* SPDX-License-Identifier: MIT */
/* The rows of each supernode, where they are in its parent's front, and where A's entries go: all
 * index work of the factorization, done once. */
#include <assert.h>
#include <string.h>

#include "ldlt/small_kernels.h"

static int64_t end_of(const saddle__ldlt *F, int64_t s)
{
    return F->first[s + 1];
}

/* ---- entries of A by supernode ---- */

/* F->entry_start, entry_source; entry_target holds the row's position until its place is known,
 * column (entries) the column within the supernode. */
static void sort_entries(saddle__ldlt *F, const saddle_matrix *A, int64_t *fill, int32_t *column)
{
    const int64_t *position = F->position;
    for (int64_t j = 0; j < F->n; j++) {
        int64_t b = position[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = position[A->index[k]];
            F->entry_start[F->supernode[a < b ? a : b] + 1]++;
        }
    }
    for (int64_t s = 0; s < F->supernodes; s++) {
        fill[s] = F->entry_start[s];
        F->entry_start[s + 1] += F->entry_start[s];
    }
    for (int64_t j = 0; j < F->n; j++) {
        int64_t b = position[j];
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t a = position[A->index[k]];
            int64_t low = a < b ? a : b;
            int64_t s = F->supernode[low];
            int64_t at = fill[s]++;
            F->entry_source[at] = (uint32_t)k;
            F->entry_target[at] = (uint32_t)(a < b ? b : a);
            column[at] = (int32_t)(low - F->first[s]);
        }
    }
}

static saddle_status list_entries(saddle__ldlt *F, const saddle_matrix *A, int32_t **column)
{
    int64_t entries = saddle_matrix_entries(A);
    if (entries > UINT32_MAX)
        return saddle_fail(F->context, SADDLE_TOO_LARGE,
                           "%lld entries: the engine takes fewer than 2^32", (long long)entries);
    F->entry_start = saddle_allocate(F->context, F->supernodes + 1, sizeof(*F->entry_start));
    F->entry_source = saddle__allocate_unset(F->context, entries, sizeof(*F->entry_source));
    F->entry_target = saddle__allocate_unset(F->context, entries, sizeof(*F->entry_target));
    *column = saddle__allocate_unset(F->context, entries, sizeof(**column));
    int64_t *fill = saddle__allocate_unset(F->context, F->supernodes, sizeof(*fill));
    int made = F->entry_start && F->entry_source && F->entry_target && *column && fill;
    if (made) sort_entries(F, A, fill, *column);
    saddle_release(F->context, fill);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- rows ---- */

/* Rows in the order met: what the children have, and what A has, below the supernode's columns. */
static void collect_rows(saddle__ldlt *F, int32_t *seen)
{
    for (int64_t i = 0; i < F->n; i++) seen[i] = -1;
    for (int64_t s = 0; s < F->supernodes; s++) {
        int32_t *row = F->row + F->row_start[s];
        int64_t count = 0;
        for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c]) {
            for (int64_t t = F->row_start[c]; t < F->row_start[c + 1]; t++) {
                int32_t i = F->row[t];
                if (i < end_of(F, s) || seen[i] == s) continue;
                seen[i] = (int32_t)s;
                row[count++] = i;
            }
        }
        for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++) {
            int32_t i = (int32_t)F->entry_target[t];
            if (i < end_of(F, s) || seen[i] == s) continue;
            seen[i] = (int32_t)s;
            row[count++] = i;
        }
        assert(count == F->row_start[s + 1] - F->row_start[s]);
    }
}

/* Sorts the rows of all supernodes at once: who has row i, for i ascending, gets it.  holder:
 * row_start[supernodes]; start: n + 1; fill: n at least, and supernodes. */
static void sort_rows(saddle__ldlt *F, int32_t *holder, int64_t *start, int64_t *fill)
{
    int64_t total = F->row_start[F->supernodes];
    memset(start, 0, (size_t)(F->n + 1) * sizeof(*start));
    for (int64_t t = 0; t < total; t++) start[F->row[t] + 1]++;
    for (int64_t i = 0; i < F->n; i++) {
        start[i + 1] += start[i];
        fill[i] = start[i];
    }
    for (int64_t s = 0; s < F->supernodes; s++)
        for (int64_t t = F->row_start[s]; t < F->row_start[s + 1]; t++)
            holder[fill[F->row[t]]++] = (int32_t)s;
    for (int64_t s = 0; s < F->supernodes; s++) fill[s] = F->row_start[s];
    for (int64_t i = 0; i < F->n; i++)
        for (int64_t t = start[i]; t < start[i + 1]; t++) F->row[fill[holder[t]]++] = (int32_t)i;
}

/* The same for the rows that ordered tells, sorted in place: few each. */
static void take_rows(saddle__ldlt *F, const saddle__ordered *ordered)
{
    for (int64_t r = 0; r < ordered->runs; r++) {
        if (ordered->run_number[r] < 0) continue;
        const int32_t *node = ordered->list + ordered->run_list[r];
        int32_t *row = F->row + F->row_start[ordered->run_number[r]];
        for (int32_t count = 0; count < ordered->run_rows[r]; count++) {
            int32_t i = (int32_t)F->position[node[count]];
            int32_t t = count;
            for (; t > 0 && row[t - 1] > i; t--) row[t] = row[t - 1];
            row[t] = i;
        }
    }
}

static saddle_status search_rows(saddle__ldlt *F)
{
    int32_t *seen = saddle__allocate_unset(F->context, F->n, sizeof(*seen));
    int64_t *start = saddle__allocate_unset(F->context, F->n + 1, sizeof(*start));
    int64_t *fill = saddle__allocate_unset(F->context, F->n, sizeof(*fill));
    int made = seen && start && fill;
    if (made) {
        collect_rows(F, seen);
        sort_rows(F, F->relative, start, fill);
    }
    saddle_release(F->context, seen);
    saddle_release(F->context, start);
    saddle_release(F->context, fill);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status find_rows(saddle__ldlt *F, const saddle__ordered *ordered)
{
    for (int64_t s = 0; s < F->supernodes; s++) F->row_start[s + 1] += F->row_start[s];
    int64_t total = F->row_start[F->supernodes];
    F->row = saddle__allocate_unset(F->context, total, sizeof(*F->row));
    F->relative = saddle__allocate_unset(F->context, total, sizeof(*F->relative));
    if (!F->row || !F->relative) return SADDLE_OUT_OF_MEMORY;
    if (ordered->runs == 0) return search_rows(F);
    take_rows(F, ordered);
    return SADDLE_OK;
}

/* ---- places in fronts ---- */

/* place (n): of position i in the front of s at hand */
static int64_t place_in(const saddle__ldlt *F, int64_t s, const int32_t *place, int64_t i)
{
    return i < end_of(F, s) ? i - F->first[s] : place[i];
}

static int find_places_of(saddle__ldlt *F, int64_t s, const int32_t *column, int32_t *place)
{
    int64_t columns = end_of(F, s) - F->first[s];
    const int32_t *row = F->row + F->row_start[s];
    int64_t rows = F->row_start[s + 1] - F->row_start[s];
    int64_t ld = columns + rows;
    if (ld > UINT32_MAX / columns) return 0;
    for (int64_t t = 0; t < rows; t++) place[row[t]] = (int32_t)(columns + t);
    for (int64_t c = F->child[s]; c >= 0; c = F->sibling[c])
        for (int64_t t = F->row_start[c]; t < F->row_start[c + 1]; t++)
            F->relative[t] = (int32_t)place_in(F, s, place, F->row[t]);
    int64_t stride = saddle__front_stride(ld);
    for (int64_t t = F->entry_start[s]; t < F->entry_start[s + 1]; t++)
        F->entry_target[t] = (uint32_t)(column[t] * stride +
                                        place_in(F, s, place, F->entry_target[t]));
    return 1;
}

static saddle_status find_places(saddle__ldlt *F, const int32_t *column)
{
    int32_t *place = saddle__allocate_unset(F->context, F->n, sizeof(*place));
    int fits = 1;
    for (int64_t s = 0; place && s < F->supernodes && fits; s++)
        fits = find_places_of(F, s, column, place);
    saddle_release(F->context, place);
    if (!fits)
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "a supernode of more than 2^32 entries");
    return place ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__ldlt_structure(saddle__ldlt *F, const saddle_matrix *A,
                                     const saddle__ordered *ordered)
{
    int32_t *column = NULL;
    saddle_status status = list_entries(F, A, &column);
    if (status == SADDLE_OK) status = find_rows(F, ordered);
    if (status == SADDLE_OK) status = find_places(F, column);
    saddle_release(F->context, column);
    return status;
}
