/* SPDX-License-Identifier: MIT */
/* The rank report: the dependencies among the rows of [J R].
 *
 *     rows in natural units -> elimination -> relations in the rows' own order -> shorter relations
 *
 * In the rows' own order a row is dependent exactly if it depends on rows before; most systems,
 * chains and stacks among them, are eliminated in this order.  If the work exceeds a limit, rows
 * parallel to a row before are set aside (in a wall of bricks a third of all), the others are
 * eliminated in an order of little fill, and the relations found are put in the rows' order
 * afterwards.  If this order exceeds a limit too, least squares find the relations, and if a doubt
 * is left, the rows' own order is completed.
 *
 * Whether the right-hand sides of a dependency agree:
 *
 *     gap = b_i - sum_k c_k b_k,
 *         a contradiction where  |gap| > tolerance (|b_i| + sum_k |c_k b_k|)
 *                                   and  |gap| > rounding V (s_i + sum_k |c_k| s_k)
 *
 * s_i the row's length in natural units and V the largest velocity in the right-hand sides,
 * max |b_k| / s_k and max |f_j| / |M_jj|^1/2: rounding in the right-hand sides of moving
 * bodies is no contradiction.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "matrix/cholmod_view.h"
#include "matrix/twofold.h"
#include "problem/verdict.h"
#include "rank/rank_internal.h"

typedef struct scaled_rows {
    saddle_context *context;
    int64_t count;    /* rows examined */
    int64_t *row;     /* count: ascending */
    double *length;   /* count: > 0 */
    saddle_matrix Bt; /* (n + m) x count */
} scaled_rows;

/* Limits of an elimination in multiplications, absolute and for each entry of [J R]: in the rows'
 * own order, and in an order of little fill. */
static const double own_limit[] = {1e6, 15.0};
static const double fill_limit[] = {1e8, 300.0};

enum { NAME_SIZE = 160, TERM_SIZE = 224, TAIL_SIZE = 48 };

saddle_rank_options saddle_rank_options_default(void)
{
    saddle_rank_options options = {.tolerance = SADDLE__DEPENDENT};
    return options;
}

void saddle_rank_clear(saddle_rank *rank)
{
    if (!rank) return;
    saddle_release(rank->context, rank->independent);
    saddle_release(rank->context, rank->dependency);
    saddle_release(rank->context, rank->others);
    saddle_release(rank->context, rank->factors);
    *rank = (saddle_rank){0};
}

/* ---- the rows examined, in natural units ---- */

static int64_t first_entry(const saddle_matrix *A, int64_t column)
{
    return A->start && column <= A->cols ? A->start[column] : 0;
}

/* equality (m): 1 if row i is an equality, 0 if row i has bounds or belongs to a contact. */
static void find_equalities(const saddle_problem *problem, signed char *equality)
{
    for (int64_t i = 0; i < problem->m; i++)
        equality[i] = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        for (int64_t t = 0; t < problem->contacts[c].size; t++)
            equality[problem->contacts[c].row + t] = 0;
}

/* Row i of R as column i of Rt. */
static saddle_status rows_of_compliance(saddle_context *context, const saddle_problem *problem,
                                        int ignored, saddle_matrix *Rt)
{
    const saddle_matrix *R = &problem->R;
    if (ignored || saddle_matrix_entries(R) == 0) return SADDLE_OK;
    return R->symmetry == SADDLE_SYMMETRIC ? saddle_matrix_expand(context, R, Rt)
                                           : saddle_matrix_transpose(context, R, Rt);
}

/* The length of row i of R: |R_ii|^1/2, or by the largest entry if R_ii is 0; 1 for a row of
 * zeros. */
static double compliance_length(const saddle_matrix *Rt, int64_t i)
{
    double diagonal = 0.0;
    double most = 0.0;
    for (int64_t p = first_entry(Rt, i); p < first_entry(Rt, i + 1); p++) {
        most = fmax(most, fabs(Rt->value[p]));
        if (Rt->index[p] == i) diagonal = fabs(Rt->value[p]);
    }
    if (most == 0.0) return 1.0;
    return sqrt(diagonal > 0.0 ? diagonal : most);
}

/* Appends row i of the problem to Bt; the columns of R are not yet scaled.  most (m): the largest
 * entry of each column of R so far. */
static void append_row(scaled_rows *s, const saddle_problem *problem, const saddle_matrix *Rt,
                       const double *unit, int64_t i, double *most)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t k = s->count++;
    int64_t at = s->Bt.start[k];
    s->row[k] = i;
    if (!(s->length[k] > 0.0)) s->length[k] = compliance_length(Rt, i);
    for (int64_t p = first_entry(Jt, i); p < first_entry(Jt, i + 1); p++) {
        if (Jt->value[p] == 0.0) continue;
        s->Bt.index[at] = Jt->index[p];
        s->Bt.value[at++] = Jt->value[p] * unit[Jt->index[p]] / s->length[k];
    }
    for (int64_t p = first_entry(Rt, i); p < first_entry(Rt, i + 1); p++) {
        if (Rt->value[p] == 0.0) continue;
        s->Bt.index[at] = problem->n + Rt->index[p];
        s->Bt.value[at] = Rt->value[p] / s->length[k];
        most[Rt->index[p]] = fmax(most[Rt->index[p]], fabs(s->Bt.value[at++]));
    }
    s->Bt.start[k + 1] = at;
}

static saddle_status scale_compliance(scaled_rows *s, int64_t n, const double *most)
{
    for (int64_t k = 0; k < s->count; k++) {
        int64_t from = s->Bt.start[k];
        int64_t to = s->Bt.start[k + 1];
        for (int64_t p = from; p < to; p++)
            if (s->Bt.index[p] >= n) s->Bt.value[p] /= most[s->Bt.index[p] - n];
        if (!saddle__is_finite(s->Bt.value + from, to - from))
            return saddle_fail(s->context, SADDLE_INVALID_PROBLEM,
                               "rank: row %lld: an entry overflows in the natural unit of the row",
                               (long long)s->row[k] + 1);
    }
    return SADDLE_OK;
}

static saddle_status scale_rows(scaled_rows *s, const saddle_problem *problem, int all_rows,
                                const saddle_matrix *Rt)
{
    int64_t m = problem->m;
    saddle_context *context = s->context;
    double *unit = saddle_allocate(context, problem->n, sizeof *unit);
    double *most = saddle_allocate(context, m, sizeof *most);
    signed char *equality = saddle_allocate(context, m, sizeof *equality);
    saddle_status status = unit && most && equality ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        saddle__unit_lengths(problem, unit, s->length);
        find_equalities(problem, equality);
        for (int64_t i = 0; i < m; i++) {
            if (!all_rows && !equality[i]) continue;
            s->length[s->count] = s->length[i];
            append_row(s, problem, Rt, unit, i, most);
        }
        status = scale_compliance(s, problem->n, most);
    }
    saddle_release(context, unit);
    saddle_release(context, most);
    saddle_release(context, equality);
    return status;
}

/* s: half-built on failure, to be cleared in any case. */
static saddle_status scaled_rows_create(saddle_context *context, const saddle_problem *problem,
                                        const saddle_rank_options *options, scaled_rows *s)
{
    int64_t m = problem->m;
    saddle_matrix Rt = {0};
    *s = (scaled_rows){.context = context};
    if (problem->n > INT64_MAX - 1 - m)
        return saddle_fail(context, SADDLE_TOO_LARGE, "rank: n + m overflows");
    s->row = saddle_allocate(context, m, sizeof *s->row);
    s->length = saddle_allocate(context, m, sizeof *s->length);
    if (!s->row || !s->length) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = rows_of_compliance(context, problem, options->ignore_compliance, &Rt);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, problem->n + m, m,
                                      saddle_matrix_entries(&problem->Jt) +
                                          saddle_matrix_entries(&Rt),
                                      SADDLE_GENERAL, &s->Bt);
    if (status == SADDLE_OK) status = scale_rows(s, problem, options->all_rows, &Rt);
    s->Bt.cols = s->count;
    saddle_matrix_clear(&Rt);
    return status;
}

static void scaled_rows_clear(scaled_rows *s)
{
    saddle_release(s->context, s->row);
    saddle_release(s->context, s->length);
    saddle_matrix_clear(&s->Bt);
    *s = (scaled_rows){0};
}

/* ---- order of little fill ---- */

/* The columns order[0 .. count) of Bt. */
static saddle_status columns_of(saddle_context *context, const saddle_matrix *Bt, int64_t count,
                                const int64_t *order, saddle_matrix *columns)
{
    int64_t entries = 0;
    for (int64_t k = 0; k < count; k++) entries += Bt->start[order[k] + 1] - Bt->start[order[k]];
    saddle_status status = saddle_matrix_create(context, Bt->rows, count, entries, SADDLE_GENERAL,
                                                columns);
    for (int64_t k = 0; k < count && status == SADDLE_OK; k++) {
        int64_t size = Bt->start[order[k] + 1] - Bt->start[order[k]];
        int64_t at = columns->start[k];
        memcpy(columns->index + at, Bt->index + Bt->start[order[k]],
               (size_t)size * sizeof *Bt->index);
        memcpy(columns->value + at, Bt->value + Bt->start[order[k]],
               (size_t)size * sizeof *Bt->value);
        columns->start[k + 1] = at + size;
    }
    return status;
}

/* Permutes order[0 .. A->cols), the columns of A, for little fill in their elimination (COLAMD:
 * Davis, Gilbert, Larimore and Ng, ACM TOMS 30, 2004). */
static saddle_status order_by_fill(saddle_context *context, const saddle_matrix *A, int64_t *order)
{
    int64_t count = A->cols;
    cholmod_common common;
    saddle_matrix rows = {0};
    int64_t *place = saddle_allocate(context, count, sizeof *place);
    saddle_status status = place ? saddle_matrix_transpose(context, A, &rows)
                                 : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        cholmod_sparse pattern = saddle__cholmod_pattern(count, A->rows, rows.start, rows.index, 0);
        saddle__cholmod_start(&common);
        if (!cholmod_l_colamd(&pattern, NULL, 0, 1, place, &common))
            status = saddle__cholmod_failed(context, &common, count);
        cholmod_l_finish(&common);
    }
    for (int64_t k = 0; k < count && status == SADDLE_OK; k++) place[k] = order[place[k]];
    if (status == SADDLE_OK) memcpy(order, place, (size_t)count * sizeof *order);
    saddle_matrix_clear(&rows);
    saddle_release(context, place);
    return status;
}

/* ---- parallel rows ---- */

typedef struct keyed {
    double key; /* equal for parallel rows, to rounding */
    int64_t row;
} keyed;

/* |sum_c w_c B_kc| / |B_k|, w_c drawn from [1, 2) by the bits of splitmix64 (Steele, Lea and Flood,
 * OOPSLA 2014); 0 for a row of zeros. */
static double key_of(const saddle_matrix *Bt, int64_t k)
{
    double sum = 0.0;
    double square = 0.0;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        uint64_t z = ((uint64_t)Bt->index[p] + 1) * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        sum += (1.0 + ldexp((double)((z ^ (z >> 31)) >> 11), -53)) * Bt->value[p];
        square += Bt->value[p] * Bt->value[p];
    }
    return square > 0.0 ? fabs(sum) / sqrt(square) : 0.0;
}

static int by_key(const void *a, const void *b)
{
    const keyed *x = a;
    const keyed *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* |B_k - factor B_i| / (|B_k| + |factor| |B_i|); 1 for rows of zeros or with other entries. */
static double difference(const saddle_matrix *Bt, int64_t k, int64_t i, double *factor)
{
    int64_t count = Bt->start[k + 1] - Bt->start[k];
    int64_t from[2] = {Bt->start[k], Bt->start[i]};
    if (count == 0 || Bt->start[i + 1] - Bt->start[i] != count) return 1.0;
    if (memcmp(Bt->index + from[0], Bt->index + from[1], (size_t)count * sizeof *Bt->index) != 0)
        return 1.0;
    double square = 0.0;
    double left = 0.0;
    *factor = Bt->value[from[0]] / Bt->value[from[1]];
    for (int64_t p = 0; p < count; p++) {
        double value = Bt->value[from[0] + p];
        double rest = value - *factor * Bt->value[from[1] + p];
        square += value * value;
        left += rest * rest;
    }
    return 0.5 * sqrt(left / square);
}

/* Relations of one term for rows parallel to a row before.  order: all rows on entry, the others on
 * return, *count of them. */
static saddle_status set_parallel_aside(const scaled_rows *s, int64_t *order, int64_t *count,
                                        saddle__relations *relations)
{
    signed char *aside = saddle_allocate(s->context, s->count, sizeof *aside);
    keyed *list = saddle_allocate(s->context, s->count, sizeof *list);
    saddle_status status = aside && list ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < s->count && status == SADDLE_OK; k++)
        list[k] = (keyed){.key = key_of(&s->Bt, k), .row = k};
    if (status == SADDLE_OK && s->count > 1) qsort(list, (size_t)s->count, sizeof *list, by_key);
    for (int64_t t = 1; t < s->count && status == SADDLE_OK; t++) {
        double factor;
        int64_t first = list[t - 1].row < list[t].row ? list[t - 1].row : list[t].row;
        int64_t last = list[t - 1].row + list[t].row - first;
        double residual = difference(&s->Bt, last, first, &factor);
        if (residual > SADDLE__SUM_ROUNDING) continue;
        aside[last] = 1;
        status = saddle__relations_add(relations, last, 1, &first, &factor, residual);
        list[t].row = first;
    }
    *count = 0;
    for (int64_t k = 0; k < s->count && status == SADDLE_OK; k++)
        if (!aside[k]) order[(*count)++] = k;
    saddle_release(s->context, aside);
    saddle_release(s->context, list);
    return status;
}

/* ---- elimination ---- */

static int64_t all_rows(const scaled_rows *s, int64_t *order)
{
    for (int64_t k = 0; k < s->count; k++) order[k] = k;
    return s->count;
}

static double limit(const scaled_rows *s, const double per[2])
{
    return per[0] + per[1] * (double)saddle_matrix_entries(&s->Bt);
}

static int is_ordered(const saddle__relations *r)
{
    for (int64_t t = 0; t < r->count; t++)
        for (int64_t k = r->start[t]; k < r->start[t + 1]; k++)
            if (r->other[k] > r->row[t]) return 0;
    return 1;
}

/* The elimination of the rows order[0 .. count) in an order of little fill, or least squares. */
static saddle_status find_in_any_order(const scaled_rows *s, double tolerance, int64_t count,
                                       int64_t *order, saddle__elimination *found)
{
    saddle_matrix A = {0};
    double work_limit = limit(s, fill_limit);
    int64_t *row = saddle_allocate(s->context, count, sizeof *row);
    if (!row) return SADDLE_OUT_OF_MEMORY;
    memcpy(row, order, (size_t)count * sizeof *row);
    saddle_status status = columns_of(s->context, &s->Bt, count, order, &A);
    if (status == SADDLE_OK) status = order_by_fill(s->context, &A, order);
    if (status == SADDLE_OK)
        status = saddle__rank_eliminate(&s->Bt, tolerance, count, order, work_limit, found);
    if (status == SADDLE_OK && !found->finished)
        status = saddle__rank_least_squares(&A, tolerance, row, work_limit, found);
    saddle_matrix_clear(&A);
    saddle_release(s->context, row);
    return status;
}

static saddle_status find(const scaled_rows *s, double tolerance, int64_t *order,
                          saddle__elimination *found)
{
    int64_t count = all_rows(s, order);
    saddle_status status = saddle__rank_eliminate(&s->Bt, tolerance, count, order,
                                                  limit(s, own_limit), found);
    if (status != SADDLE_OK || found->finished) return status;
    status = set_parallel_aside(s, order, &count, &found->relations);
    if (status == SADDLE_OK) status = find_in_any_order(s, tolerance, count, order, found);
    if (status != SADDLE_OK || found->finished) return status;
    found->relations.count = 0;
    return saddle__rank_eliminate(&s->Bt, tolerance, all_rows(s, order), order, (double)INFINITY,
                                  found);
}

/* Replaces the relations by those of the rows' own order, unless the work exceeds the limit. */
static saddle_status eliminate_again(const scaled_rows *s, double tolerance, int64_t *order,
                                     saddle__elimination *found)
{
    saddle__elimination own = {.relations.context = s->context};
    int64_t count = all_rows(s, order);
    saddle_status status = saddle__rank_eliminate(&s->Bt, tolerance, count, order,
                                                  limit(s, fill_limit), &own);
    if (own.finished) {
        saddle__relations other = found->relations;
        found->relations = own.relations;
        own.relations = other;
    }
    saddle__relations_clear(&own.relations);
    return status;
}

static saddle_status eliminate(const scaled_rows *s, double tolerance, saddle__elimination *found)
{
    saddle__relations *relations = &found->relations;
    int64_t *order = saddle_allocate(s->context, s->count, sizeof *order);
    if (!order) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = find(s, tolerance, order, found);
    if (status == SADDLE_OK && !is_ordered(relations))
        status = saddle__relations_put_in_order(&s->Bt, tolerance, relations);
    if (status == SADDLE_OK && !is_ordered(relations)) { /* short relations round less */
        status = saddle__relations_sparsify(&s->Bt, tolerance, relations);
        if (status == SADDLE_OK)
            status = saddle__relations_put_in_order(&s->Bt, tolerance, relations);
    }
    if (status == SADDLE_OK && !is_ordered(relations))
        status = eliminate_again(s, tolerance, order, found);
    saddle_release(s->context, order);
    if (status == SADDLE_OK && relations->count > 1 && !found->counting)
        status = saddle__relations_sparsify(&s->Bt, tolerance, relations);
    return status;
}

/* ---- the report ---- */

typedef struct term {
    int64_t row;
    double factor;
} term;

static int by_row(const void *a, const void *b)
{
    const term *x = a;
    const term *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_dependent_row(const void *a, const void *b)
{
    const saddle_dependency *x = a;
    const saddle_dependency *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Relation t as a dependency of rows of the problem, the terms at `other` and `factor`; terms is
 * scratch. */
static saddle_dependency translate(const scaled_rows *s, const saddle__relations *r, int64_t t,
                                   term *terms, int64_t *other, double *factor)
{
    int64_t from = r->start[t];
    int64_t k = r->row[t];
    saddle_dependency d = {.row = s->row[k],
                           .count = r->start[t + 1] - from,
                           .other = other,
                           .factor = factor,
                           .residual = r->residual[t]};
    for (int64_t i = 0; i < d.count; i++) {
        int64_t o = r->other[from + i];
        terms[i].row = s->row[o];
        terms[i].factor = r->factor[from + i] * (s->length[k] / s->length[o]);
    }
    if (d.count > 1) qsort(terms, (size_t)d.count, sizeof *terms, by_row);
    for (int64_t i = 0; i < d.count; i++) {
        other[i] = terms[i].row;
        factor[i] = terms[i].factor;
    }
    return d;
}

static saddle_status write_dependencies(const scaled_rows *s, const saddle__relations *r,
                                        saddle_rank *rank)
{
    int64_t entries = r->count > 0 ? r->start[r->count] : 0;
    rank->dependency = saddle_allocate(s->context, r->count, sizeof *rank->dependency);
    rank->others = saddle_allocate(s->context, entries, sizeof *rank->others);
    rank->factors = saddle_allocate(s->context, entries, sizeof *rank->factors);
    term *terms = saddle_allocate(s->context, s->count, sizeof *terms);
    int complete = rank->dependency && rank->others && rank->factors && terms;
    saddle_status status = complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t t = 0; t < r->count && status == SADDLE_OK; t++) {
        saddle_dependency *d = &rank->dependency[t];
        *d = translate(s, r, t, terms, rank->others + r->start[t], rank->factors + r->start[t]);
        if (!saddle__is_finite(d->factor, d->count))
            status = saddle_fail(s->context, SADDLE_INVALID_PROBLEM,
                                 "rank: row %lld: the factors of its combination overflow",
                                 (long long)d->row + 1);
    }
    if (status == SADDLE_OK && r->count > 1)
        qsort(rank->dependency, (size_t)r->count, sizeof *rank->dependency, by_dependent_row);
    saddle_release(s->context, terms);
    return status;
}

static saddle_status write_rank(const scaled_rows *s, const saddle__elimination *found,
                                saddle_rank *rank)
{
    rank->examined = s->count;
    rank->dependency_count = found->relations.count;
    rank->rank = s->count - rank->dependency_count;
    rank->separation = found->separation;
    if (found->counting) return SADDLE_OK;
    saddle_status status = write_dependencies(s, &found->relations, rank);
    if (status != SADDLE_OK) return status;
    rank->ordered = is_ordered(&found->relations);
    rank->independent = saddle_allocate(s->context, rank->rank, sizeof *rank->independent);
    if (!rank->independent) return SADDLE_OUT_OF_MEMORY;
    int64_t dependent = 0;
    int64_t count = 0;
    for (int64_t k = 0; k < s->count; k++) {
        if (dependent < rank->dependency_count && rank->dependency[dependent].row == s->row[k])
            dependent++;
        else
            rank->independent[count++] = s->row[k];
    }
    return SADDLE_OK;
}

/* ---- contradictions ---- */

/* V, from the lengths s of the rows of J; rows of length 0 are left out. */
static double largest_velocity(const saddle_problem *problem, const double *unit, const double *s)
{
    double most = 0.0;
    for (int64_t j = 0; problem->f && j < problem->n; j++)
        most = fmax(most, fabs(problem->f[j]) * unit[j]);
    for (int64_t i = 0; i < problem->m; i++)
        if (s[i] > 0.0) most = fmax(most, fabs(problem->b[i]) / s[i]);
    return most;
}

static void judge(const saddle_problem *problem, const double *s, double velocity, double tolerance,
                  const signed char *equality, saddle_dependency *d)
{
    saddle__twofold sum;
    double floor = s[d->row];
    saddle__twofold_set(1, problem->b ? &problem->b[d->row] : NULL, &sum);
    d->judged = equality[d->row];
    for (int64_t k = 0; k < d->count; k++) {
        double b = problem->b ? problem->b[d->other[k]] : 0.0;
        saddle__twofold_add_dot(1, -1.0, &d->factor[k], &b, &sum);
        floor += fabs(d->factor[k]) * s[d->other[k]];
        d->judged = d->judged && equality[d->other[k]];
    }
    double gap = saddle__twofold_value(sum);
    int known = isfinite(gap) && isfinite(sum.modulus); /* otherwise a product overflowed */
    d->judged = d->judged && known;
    d->gap = known ? gap : 0.0;
    d->relative_gap = known && sum.modulus > 0.0 ? fabs(d->gap) / sum.modulus : 0.0;
    d->inconsistent = d->judged && fabs(d->gap) > tolerance * sum.modulus &&
                      fabs(d->gap) > SADDLE__SUM_ROUNDING * velocity * floor;
}

/* Fills in the gaps of the dependencies and counts the contradictions. */
static saddle_status judge_all(saddle_context *context, const saddle_problem *problem,
                               double tolerance, saddle_rank *rank)
{
    double *unit = saddle_allocate(context, problem->n, sizeof *unit);
    double *s = saddle_allocate(context, problem->m, sizeof *s);
    signed char *equality = saddle_allocate(context, problem->m, sizeof *equality);
    saddle_status status = unit && s && equality ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        saddle__unit_lengths(problem, unit, s);
        double velocity = problem->b ? largest_velocity(problem, unit, s) : 0.0;
        find_equalities(problem, equality);
        for (int64_t t = 0; t < rank->dependency_count; t++) {
            judge(problem, s, velocity, tolerance, equality, &rank->dependency[t]);
            rank->inconsistent += rank->dependency[t].inconsistent;
        }
    }
    saddle_release(context, unit);
    saddle_release(context, s);
    saddle_release(context, equality);
    return status;
}

/* ---- the interface ---- */

saddle_status saddle_rank_find(saddle_context *context, const saddle_problem *problem,
                               const saddle_rank_options *options, saddle_rank *rank)
{
    if (rank) *rank = (saddle_rank){0};
    SADDLE__RETURN_UNLESS(context, problem && rank, "problem or rank is NULL");
    saddle_rank_options given = options ? *options : saddle_rank_options_default();
    *rank = (saddle_rank){.context = context, .compliance_ignored = given.ignore_compliance};
    if (!(given.tolerance > 0.0 && given.tolerance < 1.0))
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "rank: the tolerance is %g, not in (0, 1): start from saddle_rank_options_default()",
            given.tolerance);
    scaled_rows scaled;
    saddle__elimination found = {.relations.context = context, .counting = given.count_only};
    saddle_status status = scaled_rows_create(context, problem, &given, &scaled);
    if (status == SADDLE_OK) status = eliminate(&scaled, given.tolerance, &found);
    if (status == SADDLE_OK) status = write_rank(&scaled, &found, rank);
    if (status == SADDLE_OK && !given.count_only)
        status = judge_all(context, problem, given.tolerance, rank);
    saddle__relations_clear(&found.relations);
    scaled_rows_clear(&scaled);
    if (status != SADDLE_OK) saddle_rank_clear(rank);
    return status;
}

/* ---- in words ---- */

/* The factor and sign before term k: "2 x ", " - ", "" for a plain row. */
static void write_factor(double factor, int first, char *text, size_t size)
{
    const char *sign = first ? (factor < 0.0 ? "-" : "") : (factor < 0.0 ? " - " : " + ");
    double modulus = fabs(factor);
    if (fabs(modulus - 1.0) <= SADDLE__EQUAL)
        (void)snprintf(text, size, "%s", sign);
    else
        (void)snprintf(text, size, "%s%.6g x ", sign, modulus);
}

void saddle_rank_describe(const saddle_problem *problem, const saddle_dependency *d, int64_t terms,
                          char *text, size_t size)
{
    if (!problem || !d || !text) return;
    char name[NAME_SIZE];
    char words[TERM_SIZE];
    if (size == 0) return;
    saddle_problem_describe_row(problem, d->row, name, sizeof name);
    int used = snprintf(text, size, "%s = %s", name, d->count == 0 ? "0" : "");
    int64_t limit = terms > 0 && terms < d->count ? terms : d->count;
    for (int64_t k = 0; k < d->count && used >= 0 && (size_t)used < size; k++) {
        char factor[TAIL_SIZE];
        char tail[TAIL_SIZE];
        write_factor(d->factor[k], k == 0, factor, sizeof factor);
        saddle_problem_describe_row(problem, d->other[k], name, sizeof name);
        (void)snprintf(words, sizeof words, "%s%s", factor, name);
        (void)snprintf(tail, sizeof tail, " and %lld other%s", (long long)(d->count - k),
                       d->count - k == 1 ? "" : "s");
        size_t last = k + 1 < d->count ? strlen(tail) : 0;
        int fits = (size_t)used + strlen(words) + last < size;
        used += snprintf(text + used, size - (size_t)used, "%s", k < limit && fits ? words : tail);
        if (k >= limit || !fits) break;
    }
}
