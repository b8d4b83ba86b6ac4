/* SPDX-License-Identifier: MIT */
/* See basis.h. */
#include "rank/basis.h"

#include <float.h>
#include <math.h>

/* A pivot may be this part of the largest entry. */
static const double pivot_share = 0.1;

/* Terms below this part of the largest are taken for rounding, if the relation holds without them
 * ... */
static const double faint = 1e-8;
/* ... and below this one in any case. */
static const double nothing = 1e-13;

static void clear_triangle(saddle_context *context, saddle__triangle *T)
{
    saddle_release(context, T->start);
    saddle_release(context, T->index);
    saddle_release(context, T->value);
}

void saddle__basis_clear(saddle__basis *b)
{
    saddle_context *context = b->context;
    clear_triangle(context, &b->L);
    clear_triangle(context, &b->U);
    saddle_release(context, b->member);
    saddle_release(context, b->pivot_at);
    saddle_release(context, b->pivot_of);
    saddle_release(context, b->users);
    saddle_release(context, b->norm);
    saddle_release(context, b->diagonal);
    saddle_release(context, b->x);
    saddle_release(context, b->u);
    saddle_release(context, b->y);
    saddle_release(context, b->touched);
    saddle_release(context, b->mark);
    saddle_release(context, b->chosen);
    saddle_release(context, b->support);
    saddle_release(context, b->in_support);
    for (int level = 0; level < 3; level++) saddle_release(context, b->waiting[level]);
    saddle_release(context, b->other);
    saddle_release(context, b->factor);
    saddle__basis empty = {0};
    *b = empty;
}

static saddle_status allocate(saddle__basis *b)
{
    saddle_context *context = b->context;
    int64_t rows = b->Bt->rows;
    int64_t cols = b->Bt->cols;
    b->L.start = saddle_allocate(context, cols + 1, sizeof(*b->L.start));
    b->U.start = saddle_allocate(context, cols + 1, sizeof(*b->U.start));
    b->member = saddle_allocate(context, cols, sizeof(*b->member));
    b->pivot_at = saddle_allocate(context, cols, sizeof(*b->pivot_at));
    b->pivot_of = saddle_allocate(context, rows, sizeof(*b->pivot_of));
    b->users = saddle_allocate(context, rows, sizeof(*b->users));
    b->norm = saddle_allocate(context, cols, sizeof(*b->norm));
    b->diagonal = saddle_allocate(context, cols, sizeof(*b->diagonal));
    b->x = saddle_allocate(context, rows, sizeof(*b->x));
    b->u = saddle_allocate(context, cols, sizeof(*b->u));
    b->y = saddle_allocate(context, cols, sizeof(*b->y));
    b->touched = saddle_allocate(context, rows, sizeof(*b->touched));
    b->mark = saddle_allocate(context, rows, sizeof(*b->mark));
    b->chosen = saddle_allocate(context, cols, sizeof(*b->chosen));
    b->support = saddle_allocate(context, cols, sizeof(*b->support));
    b->in_support = saddle_allocate(context, cols, sizeof(*b->in_support));
    b->waiting[0] = saddle_allocate(context, cols / 64 + 1, sizeof(*b->waiting[0]));
    b->waiting[1] = saddle_allocate(context, cols / 4096 + 1, sizeof(*b->waiting[1]));
    b->top_words = cols / 262144 + 1;
    b->waiting[2] = saddle_allocate(context, b->top_words, sizeof(*b->waiting[2]));
    b->other = saddle_allocate(context, cols, sizeof(*b->other));
    b->factor = saddle_allocate(context, cols, sizeof(*b->factor));
    int complete = b->L.start && b->U.start && b->member && b->pivot_at && b->pivot_of &&
                   b->users && b->norm && b->diagonal && b->x && b->u && b->y && b->touched &&
                   b->mark && b->chosen && b->support && b->in_support && b->waiting[0] &&
                   b->waiting[1] && b->waiting[2] && b->other && b->factor;
    return complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

saddle_status saddle__basis_create(saddle_context *context, const saddle_matrix *Bt,
                                   double tolerance, saddle__basis *b)
{
    saddle__basis fresh = {.context = context, .Bt = Bt, .tolerance = tolerance};
    *b = fresh;
    saddle_status status = allocate(b);
    if (status != SADDLE_OK) return status;
    for (int64_t c = 0; c < Bt->rows; c++) b->pivot_of[c] = -1;
    for (int64_t k = 0; k < Bt->cols; k++) {
        double sum = 0.0;
        for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
            sum += Bt->value[p] * Bt->value[p];
            b->users[Bt->index[p]]++;
        }
        b->norm[k] = sqrt(sum);
    }
    return SADDLE_OK;
}

/* Room for `more` entries in the next column. */
static saddle_status make_room(saddle_context *context, saddle__triangle *T, int64_t more)
{
    int64_t needed = T->start[T->columns] + more;
    if (needed <= T->capacity) return SADDLE_OK;
    int64_t capacity = needed + needed / 2 + 64;
    int64_t *index = saddle_reallocate(context, T->index, capacity, sizeof(*index));
    if (!index) return SADDLE_OUT_OF_MEMORY;
    T->index = index;
    double *value = saddle_reallocate(context, T->value, capacity, sizeof(*value));
    if (!value) return SADDLE_OUT_OF_MEMORY;
    T->value = value;
    T->capacity = capacity;
    return SADDLE_OK;
}

/* ---- combinations ---- */

/* x += factor B'_k */
static void add_column(saddle__basis *b, int64_t k, double factor)
{
    const saddle_matrix *Bt = b->Bt;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        saddle__basis_touch(b, Bt->index[p]);
        b->x[Bt->index[p]] += factor * Bt->value[p];
    }
    b->work += (double)(Bt->start[k + 1] - Bt->start[k]);
}

/* y's terms of at least that modulus */
static int64_t gather(saddle__basis *b, double least)
{
    int64_t terms = 0;
    for (int64_t t = 0; t < b->support_count; t++) {
        double value = b->y[b->support[t]];
        if (value == 0.0 || fabs(value) < least) continue;
        b->other[terms] = b->member[b->support[t]];
        b->factor[terms++] = value;
    }
    return terms;
}

/* x = what is left of column k without the terms; its length over the sum of theirs */
static double subtract_terms(saddle__basis *b, int64_t k, int64_t terms)
{
    double size = b->norm[k];
    double sum = 0.0;
    saddle__basis_blank(b);
    add_column(b, k, 1.0);
    for (int64_t t = 0; t < terms; t++) {
        add_column(b, b->other[t], -b->factor[t]);
        size += fabs(b->factor[t]) * b->norm[b->other[t]];
    }
    for (int64_t t = 0; t < b->touched_count; t++) sum += b->x[b->touched[t]] * b->x[b->touched[t]];
    return size > 0.0 ? sqrt(sum) / size : 0.0;
}

/* The combination that makes column k, which was reduced to u of modulus `size`, refined once: its
 * terms, and their residual.  -1 where it does not hold to the tolerance, or where k itself would
 * be one of its faint terms. */
static int64_t combine(saddle__basis *b, int64_t k, double size, double *residual)
{
    saddle__basis_back_substitute(b, size);
    (void)subtract_terms(b, k, gather(b, 0.0));
    (void)saddle__basis_reduce(b);
    saddle__basis_back_substitute(b, size);
    double most = 1.0;
    for (int64_t t = 0; t < b->support_count; t++) most = fmax(most, fabs(b->y[b->support[t]]));
    int64_t terms = gather(b, faint * most);
    *residual = subtract_terms(b, k, terms);
    if (!(*residual <= b->tolerance)) {
        terms = gather(b, nothing * most);
        *residual = subtract_terms(b, k, terms);
    }
    int holds = *residual <= b->tolerance && faint * most <= 1.0;
    saddle__basis_wipe(b);
    return holds ? terms : -1;
}

/* ---- one column after the other ---- */

/* The largest entry of x, which is at no pivot's coordinate; *at: where the pivot is best, -1 = x
 * is zero. */
static double choose_pivot(const saddle__basis *b, int64_t *at)
{
    double most = 0.0;
    *at = -1;
    for (int64_t t = 0; t < b->touched_count; t++) most = fmax(most, fabs(b->x[b->touched[t]]));
    for (int64_t t = 0; t < b->touched_count && most > 0.0; t++) {
        int64_t c = b->touched[t];
        if (fabs(b->x[c]) < pivot_share * most) continue;
        if (*at < 0 || b->users[c] < b->users[*at] || (b->users[c] == b->users[*at] && c < *at))
            *at = c;
    }
    return most;
}

/* The reduced column k becomes L's next; entries of x below `least` are rounding. */
static saddle_status append(saddle__basis *b, int64_t k, int64_t at, double least)
{
    saddle_status status = make_room(b->context, &b->L, b->touched_count);
    if (status == SADDLE_OK) status = make_room(b->context, &b->U, b->chosen_count);
    if (status != SADDLE_OK) return status;
    int64_t next = b->U.start[b->rank];
    for (int64_t t = 0; t < b->chosen_count; t++) {
        b->U.index[next] = b->chosen[t];
        b->U.value[next++] = b->u[b->chosen[t]];
    }
    b->U.start[++b->U.columns] = next;
    double pivot = b->x[at];
    next = b->L.start[b->rank];
    for (int64_t t = 0; t < b->touched_count; t++) {
        int64_t c = b->touched[t];
        if (c == at || !(fabs(b->x[c]) > least)) continue;
        b->L.index[next] = c;
        b->L.value[next++] = b->x[c] / pivot;
    }
    b->L.start[++b->L.columns] = next;
    b->member[b->rank] = k;
    b->pivot_at[b->rank] = at;
    b->pivot_of[at] = b->rank;
    b->diagonal[b->rank++] = pivot;
    return SADDLE_OK;
}

static double reduce_column(saddle__basis *b, int64_t k)
{
    saddle__basis_blank(b);
    add_column(b, k, 1.0);
    return fmax(saddle__basis_reduce(b), b->norm[k]);
}

static saddle_status take(saddle__basis *b, int64_t k, saddle__relations *relations)
{
    int64_t at;
    const saddle_matrix *Bt = b->Bt;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) b->users[Bt->index[p]]--;
    double growth = reduce_column(b, k);
    if (choose_pivot(b, &at) <= b->tolerance * growth) {
        if (b->counting) {
            saddle__basis_wipe(b);
            return saddle__relations_add(relations, k, 0, NULL, NULL, 0.0);
        }
        double residual;
        int64_t terms = combine(b, k, growth, &residual);
        if (terms >= 0)
            return saddle__relations_add(relations, k, terms, b->other, b->factor, residual);
        growth = reduce_column(b, k);
        (void)choose_pivot(b, &at);
    }
    saddle_status status = SADDLE_OK;
    if (at < 0)
        b->unpivoted++;
    else
        status = append(b, k, at, 4.0 * DBL_EPSILON * growth);
    saddle__basis_wipe(b);
    return status;
}

saddle_status saddle__basis_fill(saddle__basis *b, int64_t count, const int64_t *order,
                                 double work_limit, saddle__relations *relations, int *finished)
{
    saddle_status status = SADDLE_OK;
    int64_t k = 0;
    while (status == SADDLE_OK && k < count && b->work <= work_limit)
        status = take(b, order[k++], relations);
    *finished = k == count;
    return status;
}
